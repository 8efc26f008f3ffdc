"""
---
title: Writing
summary: The only file that writes. It replaces whole files and removes only its own.
---
# Writing

Everything is made before anything is written. A file is written beside its place and then moved
there, so that nobody ever reads half of one; a file that would not change is left alone.

`.pylit-manifest` in the output folder lists what we wrote. Only files on that list are ever
removed or replaced. A file that somebody else put where a page belongs is kept, and reported.
"""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from pylit.model import Output, Problem
from pylit.places import ASSET_FOLDER

MANIFEST = ".pylit-manifest"
OWN_MARKS = (b'name="generator" content="pylit"', b'"generator": "pylit"')
"""What the head of our pages holds, and that of our notebooks."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a build changed in the output folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    problems: tuple[Problem, ...]


def write(
    folder: Path,
    shown: str,
    outputs: Sequence[Output],
    keep: Callable[[str], bool] = lambda path: False,
) -> Written:
    """
    Bring the output folder up to date.

    `shown` is the folder's name for messages. `keep` tells which files of an earlier build stay
    although this one did not make them, such as those of languages that were not asked for.
    """
    problems: list[Problem] = []
    written: list[str] = []
    removed: list[str] = []
    unchanged = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = read_manifest(folder)
        accepted: list[Output] = []
        # Most files share their folder with others. Nothing is written before all were looked at.
        leads_into = cache(partial(is_inside, folder.resolve()))
        for output in outputs:
            problem = refuse(leads_into, shown, folder / output.path, output, output.path in before)
            if problem:
                problems.append(problem)
            else:
                accepted.append(output)
        paths = {output.path for output in accepted}
        stale = sorted(path for path in before - paths if not keep(path))
        # Should this build be interrupted, the next one must know what both have written.
        write_manifest(folder, before | paths)
        for output in accepted:
            file = folder / output.path
            if same(file, output.content):
                unchanged += 1
            else:
                replace_file(file, output.content)
                written.append(output.path)
        for path in stale:
            if remove(folder, path):
                removed.append(path)
        write_manifest(folder, paths | {path for path in before if path not in stale})
    except (FileExistsError, NotADirectoryError) as error:
        name = Path(error.filename or folder).name
        message = f"the file {name} stands where a folder belongs; move it"
        problems.append(Problem(shown, 0, 0, message, code="write"))
    except OSError as error:
        name = Path(error.filename or folder).name
        message = (
            f"{name} cannot be written: {error.strerror}; free the space or correct the permissions"
        )
        problems.append(Problem(shown, 0, 0, message, code="write"))
    return Written(tuple(written), tuple(removed), unchanged, tuple(problems))


def is_inside(folder: Path, parent: Path) -> bool:
    """Tell whether what is written in a folder, which may not be there yet, ends up in another."""
    while not parent.exists():
        parent = parent.parent
    return parent.resolve().is_relative_to(folder)


def refuse(
    leads_into: Callable[[Path], bool], shown: str, file: Path, output: Output, ours: bool
) -> Problem | None:
    """
    Say why a file must not be written: it is not ours, or not inside the output folder.

    `leads_into` tells whether a folder is inside it.
    """
    if not leads_into(file.parent):
        message = "a link leads out of the output folder here; remove it"
        return Problem(f"{shown}/{output.path}", 0, 0, message, code="write")
    if file.is_dir():
        message = "a folder stands where this file belongs; move it or name another output folder"
        return Problem(f"{shown}/{output.path}", 0, 0, message, code="write")
    if file.exists() and not file.is_file():
        message = "something that is no file stands here; move it or name another output folder"
        return Problem(f"{shown}/{output.path}", 0, 0, message, code="write")
    if ours or not file.exists() or output.path.startswith(f"{ASSET_FOLDER}/"):
        return None
    content = file.read_bytes()
    if content == output.content or is_own(content[:4_000]):
        return None
    message = (
        "this file was not written by pylit and is kept; move it or name another output folder"
    )
    return Problem(f"{shown}/{output.path}", 0, 0, message, code="write")


def is_own(content: bytes) -> bool:
    """Tell whether a file says that we made it."""
    return any(mark in content for mark in OWN_MARKS)


def same(file: Path, content: bytes) -> bool:
    """Tell whether a file already holds just this."""
    with contextlib.suppress(OSError):
        return file.stat().st_size == len(content) and file.read_bytes() == content
    return False


def replace_file(file: Path, content: bytes) -> None:
    """Write a file beside its place, then move it there in one step."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".pylit-", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        # A temporary file is private; a page is for everybody whom the user's mask lets in.
        os.chmod(name, 0o666 & ~current_umask())
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def create_file(file: Path, content: bytes) -> None:
    """Write a file that is not there yet. Raises `FileExistsError` when it is."""
    with file.open("xb") as stream:
        stream.write(content)


def current_umask() -> int:
    """The mask for new files. It can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def remove(folder: Path, path: str) -> bool:
    """Remove a file that an earlier build wrote, and the folders that this leaves empty."""
    file = folder / path
    if ".." in Path(path).parts or Path(path).is_absolute():
        return False
    if not file.parent.resolve().is_relative_to(folder.resolve()) or not file.is_file():
        return False
    file.unlink()
    parent = file.parent
    while parent != folder:
        try:
            parent.rmdir()
        except OSError:
            break
        parent = parent.parent
    return True


def read_manifest(folder: Path) -> set[str]:
    """The files that earlier builds wrote."""
    try:
        # Only `\n` ends a line: other signs that look like an end may be part of a name.
        text = (folder / MANIFEST).read_text(encoding="utf-8")
        return {path for path in text.split("\n") if path and "\0" not in path}
    except (OSError, UnicodeDecodeError):
        return set()


def write_manifest(folder: Path, paths: Iterable[str]) -> None:
    """Write the list of our files, one a line."""
    content = "".join(f"{path}\n" for path in sorted(paths)).encode()
    if not same(folder / MANIFEST, content):
        replace_file(folder / MANIFEST, content)
