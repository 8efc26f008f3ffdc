"""
---
title: Finding and reading the sources
summary: From the folders in the settings to decoded files, each with the address of its page.
---
# Finding and reading the sources

| file | page |
|---|---|
| `pkg/__init__.py` | `pkg/index.html` |
| `pkg/mha.py` | `pkg/mha.html` |
| `pkg/readme.md` | `pkg/readme.html` |

[Which files](walk.html) belong to the site is decided before. A link to another folder is not
followed but reported, so that a walk always ends. Two files that would have one page, also on
systems where `A` and `a` are the same, are an error that names both; the first of them keeps the
page.

Pictures and other files that a page links to are copied to the same place. A picture that a page
*shows* is copied under a name that holds a hash of it, `plot.1f3c9a02.png`, so that a browser may
keep it and never shows an old one.
"""

import contextlib
import io
import os
import posixpath
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

import imagesize

from pylit.model import Picture, Problem, Source
from pylit.places import with_hash
from pylit.settings import ENDINGS, FILE_NAME, Settings, SourceRoot
from pylit.walk import ASSET_ENDINGS, PICTURE_ENDINGS, folder_of, matches, walk

CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)
"""What names the encoding of a Python file, in its first or second line."""


@dataclass(frozen=True, slots=True)
class Sources:
    """
    What was found: the sources, the files that pages may show or link to, and the problems.

    `files` leads from a file, relative to the settings, to the address where it would be copied for
    a link to it, `pictures` from such an address to the picture that pages show.
    """

    sources: tuple[Source, ...]
    files: dict[str, str]
    pictures: dict[str, Picture]
    problems: tuple[Problem, ...]


def find_sources(settings: Settings) -> Sources:
    """Find and read all files of the site, in the order of the settings, then of their names."""
    sources: list[Source] = []
    files: dict[str, str] = {}
    pictures: dict[str, Picture] = {}
    problems: list[Problem] = []
    taken: dict[str, str] = {}
    seen: set[str] = set()
    folders: dict[str, tuple[str, int]] = {}
    for root in settings.sources:
        top = folder_of(settings, root)
        walked: list[str] = []
        for path in walk(settings, root, problems):
            file = settings.folder / path
            inside = path if top == "." else path.removeprefix(f"{top}/")
            walked.append(inside)
            # What two roots hold is that of the first.
            if path in files:
                continue
            if path.lower().endswith(ASSET_ENDINGS):
                files[path] = join(root.at, inside)
                if path.lower().endswith(PICTURE_ENDINGS):
                    with contextlib.suppress(OSError):
                        pictures[files[path]] = read_picture(file, files[path])
                continue
            folder = posixpath.dirname(path)
            if folder not in folders:
                folders[folder] = (os.path.realpath(file.parent), folders_above(settings, folder))
            real_folder, above = folders[folder]
            real = os.path.realpath(file) if file.is_symlink() else join(real_folder, file.name)
            if real in seen:
                continue
            seen.add(real)
            address = join(root.at, page_address(PurePath(inside)))
            owner = taken.setdefault(address.lower(), path)
            if owner != path:
                message = f"its page {address} is also that of {owner}; rename one of the two files"
                problems.append(Problem(path, 0, 0, message, code="address"))
                continue
            text, problem = read_text(file, path)
            if problem:
                problems.append(problem)
            else:
                name = module_name(PurePath(*path.split("/")[above:]))
                sources.append(Source(path, address, name, text))
        problems.extend(without_effect(root, walked))
    return Sources(tuple(sources), files, pictures, tuple(problems))


def without_effect(root: SourceRoot, walked: Sequence[str]) -> Iterator[Problem]:
    """What the settings say of a root and what names nothing in it. Most likely it is misspelt."""
    if not any(path.lower().endswith(ENDINGS) for path in walked):
        message = (
            "no page can be made of what is in this source; it needs a .py or .md file that neither"
            " the settings nor a .gitignore leaves out"
        )
        yield Problem(root.path, 0, 0, message, "warning", "settings")
    folders = {str(folder) for path in walked for folder in PurePosixPath(path).parents}
    for key, patterns in (("include", root.include), ("order", root.order)):
        for pattern in patterns:
            if not any(matches(path, (pattern,)) for path in (*walked, *folders)):
                message = (
                    f"{key} of the source {root.path!r} holds {pattern!r}, which nothing in it is"
                    " called; correct it or take it out"
                )
                yield Problem(FILE_NAME, 0, 0, message, "warning", "settings")


def read_picture(file: Path, address: str) -> Picture:
    """A picture, by the address of its file. Raises `OSError` where it cannot be read."""
    content = file.read_bytes()
    width, height = map(round, imagesize.get(io.BytesIO(content)))
    known = min(width, height) > 0
    folder, name = posixpath.split(address)
    shown = posixpath.join(folder, with_hash(name, content))
    return Picture(shown, width if known else 0, height if known else 0)


def join(at: str, inside: str) -> str:
    """Put a page's address below the folder of its source root."""
    return f"{at}/{inside}" if at else inside


def page_address(path: PurePath) -> str:
    """The address of a file's page, relative to its root, with `/` on every system."""
    name = (
        "index" if path.name == "__init__.py" else re.sub(r"\.(py|md)$", "", path.name, flags=re.I)
    )
    return path.with_name(f"{name}.html").as_posix()


def folders_above(settings: Settings, folder: str) -> int:
    """
    How many folders of a path an import does not name.

    In `src/pkg/sub` that is one, as `src` is no package. Where no folder is a package, an import
    would name them all.
    """
    parts = folder.split("/") if folder else []
    for number in range(1, len(parts) + 1):
        if (settings.folder.joinpath(*parts[:number]) / "__init__.py").is_file():
            return number - 1
    return 0


def module_name(path: PurePath) -> str:
    """The dotted name of a Python file, or the path of a Markdown file without its ending."""
    if path.suffix.lower() == ".md":
        return path.with_suffix("").as_posix()
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def read_text(file: Path, path: str) -> tuple[str, Problem | None]:
    """Decode a file as Python does, and end its lines with `\\n`. Or say why it cannot be done."""
    try:
        content = file.read_bytes()
    except OSError as error:
        return "", Problem(path, 0, 0, f"the file cannot be read: {error.strerror}", code="read")
    encoding = "utf-8-sig"
    try:
        if path.endswith(".py") and CODING.search(b"\n".join(content[:2000].splitlines()[:2])):
            encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"the text is not {error.encoding}; save the file as UTF-8"
        return "", Problem(path, line, 1, message, code="encoding")
    except (SyntaxError, LookupError, UnicodeError):
        message = "the encoding named at the top is not known or not right; save the file as UTF-8"
        return "", Problem(path, 1, 1, message, code="encoding")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text, None
