"""
---
title: Which files belong to the site
summary: Folders are walked in a reader's order; patterns and .gitignore say what is left out.
---
# Which files belong to the site

A source root is walked from the top: first the page of a folder, then its modules, then its
folders. Left out are

1. hidden files and folders, `__pycache__`, `node_modules`, `build`, `dist`, virtual environments,
   and what pylit itself writes;
2. what a `.gitignore` leaves out, since nobody who reads the repository has that file either;
3. what `exclude` names, and, where there is an `include`, every file that it does not name.

What the settings name as a source is published even if a `.gitignore` above it would leave it out:
the rules below that folder still hold.

A source may also be a single file. Then the pictures and other files that stand beside it, or in
folders below, belong to the site if its text has their names; nothing else is looked at.

The rules of `.gitignore` are read by `pathspec`, not by asking git. A site must come out the same
from an unpacked archive, on a machine without git, and whatever a user has ignored for all of
their own repositories.
"""

import fnmatch
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import unquote

from pathspec import GitIgnoreSpec

from pylit.model import Problem
from pylit.settings import ENDINGS, Settings, SourceRoot, resolved

SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "build", "dist"})
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif")
ASSET_ENDINGS = (*PICTURE_ENDINGS, ".pdf", ".ipynb", ".csv")
FRONT_PAGES = frozenset({"__init__.py", "index.md"})
"""The files whose page is that of their folder, and so comes first."""

IGNORE_FILE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one `.gitignore`: the folder that they hold for, and what they say."""

    folder: Path
    spec: GitIgnoreSpec


def walk(
    settings: Settings,
    root: SourceRoot,
    problems: list[Problem],
    folders: list[Path] | None = None,
) -> Iterator[str]:
    """
    The files below a source root, relative to the settings with `/`, in the order of the site.

    `folders`, where it is given, takes in all folders that were visited: those where a new file
    would belong to the site.
    """
    start = settings.folder / root.path
    text: str | None = None
    if start.is_file():
        yield PurePath(root.path).as_posix()
        text = text_of(start)
        start = start.parent
    endings = ASSET_ENDINGS if text is not None else (*ENDINGS, *ASSET_ENDINGS)
    own = {resolved(settings.folder / name) for name in (settings.output, settings.cache)}

    # The path of a root that is the folder of the settings itself is no part of other paths.
    prefix = folder_of(settings, root)
    prefix = "" if prefix == "." else f"{prefix}/"

    def visit(folder: Path, at: str, rules: tuple[Rules, ...]) -> Iterator[str]:
        # `at` is the path inside the root, which paths below it begin with. Paths are joined as
        # texts here, as this is done for every file after each save.
        if folders is not None:
            folders.append(folder)
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            message = f"the folder cannot be read: {error.strerror}; correct its permissions"
            problems.append(Problem(shown(at), 0, 0, message, code="read"))
            return
        rules += read_rules(folder)
        entries = [entry for entry in entries if is_nameable(entry.name, at)]
        for entry in sorted(entries, key=lambda entry: rank(at + entry.name, entry)):
            inside = at + entry.name
            if entry.name.startswith(".") or matches(inside, root.exclude):
                continue
            if rules and ignored(folder / entry.name, is_folder=is_folder(entry), rules=rules):
                continue
            if entry.is_symlink() and (is_folder(entry) or not is_file(entry)):
                message = (
                    "this link leads to a folder, or to nothing, and is not followed;"
                    " put what is to be published in its place"
                )
                problems.append(Problem(shown(inside), 0, 0, message, "warning", "link-to-folder"))
            elif is_folder(entry):
                path = folder / entry.name
                skipped = entry.name in SKIPPED_FOLDERS or (path / "pyvenv.cfg").exists()
                skipped = skipped or (text is not None and f"{inside}/" not in text)
                if not skipped and resolved(path) not in own:
                    yield from visit(path, f"{inside}/", rules)
            elif (
                is_file(entry)
                and entry.name.lower().endswith(endings)
                and (text is None or inside in text)
                and (not root.include or matches(inside, root.include))
            ):
                yield prefix + inside

    def is_nameable(name: str, at: str) -> bool:
        # Such a name can stand in no address, no catalogue and no list of files.
        if name.isprintable() or not name.lower().endswith((*ENDINGS, *ASSET_ENDINGS)):
            return name.isprintable()
        plain = name.encode("utf-8", "backslashreplace").decode()
        message = f"the name {plain!r} holds signs that no address can hold; rename the file"
        problems.append(Problem(shown(at), 0, 0, message, code="name"))
        return False

    def rank(path: str, entry: os.DirEntry[str]) -> tuple[bool, int, bool, str]:
        is_front = entry.name in FRONT_PAGES
        return (not is_front, listed_place(path, root.order), is_folder(entry), entry.name)

    def shown(inside: str) -> str:
        return PurePath(prefix + inside).as_posix()

    yield from visit(start, "", rules_above(settings, start))


def folder_of(settings: Settings, root: SourceRoot) -> str:
    """The folder that paths inside a root are counted from: the root itself, or that of a file."""
    path = PurePath(root.path)
    return (path.parent if (settings.folder / path).is_file() else path).as_posix()


def text_of(file: Path) -> str:
    """What is written in a file, with `%20` in its links as the space that it stands for."""
    try:
        return unquote(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def listed_place(path: str, order: tuple[str, ...]) -> int:
    """The place of a file or folder among the patterns that come first, or behind all of them."""
    found = (n for n, pattern in enumerate(order) if fnmatch.fnmatch(path, pattern.rstrip("/")))
    return next(found, len(order))


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Tell a folder, or a link to one; a link that leads to itself is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def is_file(entry: os.DirEntry[str]) -> bool:
    """Tell a file, or a link to one."""
    try:
        return entry.is_file()
    except OSError:
        return False


def matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a path inside its root is named by one of the patterns."""
    return any(fnmatch.fnmatch(path, pattern.rstrip("/")) for pattern in patterns)


def rules_above(settings: Settings, start: Path) -> tuple[Rules, ...]:
    """
    The rules that the folders above a root have for what is in it.

    They are looked for up to the top of the repository, or of the site where there is none.
    """
    start = Path(os.path.abspath(start))
    top = next(
        (folder for folder in (start, *start.parents) if (folder / ".git").exists()),
        Path(os.path.abspath(settings.folder)),
    )
    if not start.is_relative_to(top):
        return ()
    above = [folder for folder in start.parents if folder.is_relative_to(top)]
    rules: tuple[Rules, ...] = ()
    for folder in reversed(above):
        rules += read_rules(folder)
        inner = start if folder == start.parent else above[above.index(folder) - 1]
        if ignored(inner, is_folder=True, rules=rules):
            return ()
    return rules


def read_rules(folder: Path) -> tuple[Rules, ...]:
    """The rules of a folder's own `.gitignore`, none where there is no such file."""
    if not os.path.isfile(folder / IGNORE_FILE):
        return ()
    try:
        text = (folder / IGNORE_FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return (Rules(Path(os.path.abspath(folder)), GitIgnoreSpec.from_lines(text.splitlines())),)


def ignored(path: Path, *, is_folder: bool, rules: tuple[Rules, ...]) -> bool:
    """Tell whether the nearest rule that speaks of a path leaves it out."""
    if not rules:
        return False
    path = Path(os.path.abspath(path))
    for rule in reversed(rules):
        name = path.relative_to(rule.folder).as_posix() + "/" * is_folder
        decided = rule.spec.check_file(name).include
        if decided is not None:
            return decided
    return False
