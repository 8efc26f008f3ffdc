"""
---
title: When nothing has changed
summary: A hash of all that a build reads and wrote tells that it need not be done again.
---
# When nothing has changed

A build depends on its settings, the sources and what stands beside them, the catalogues, the
templates, and our own code. If a hash of all that is the same as after the last build, and so is
what stands in the output folder, there is nothing to do: the problems of the last build are shown
again, and that is all. Times of files play no part.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pylit.cache import make_folder
from pylit.math.bundle import BUNDLE
from pylit.model import Problem
from pylit.output import read_manifest, replace_file
from pylit.pieces import decoder, encode, recipe
from pylit.places import LOCALE, theme_folder
from pylit.settings import Settings
from pylit.walk import walk

NAME = "last-build.json"


@dataclass(frozen=True, slots=True)
class LastBuild:
    """What the last build read and wrote, as a hash, and what it said."""

    fingerprint: str
    pages: int
    problems: tuple[Problem, ...]


def read_all(settings: Settings, wish: str) -> str:
    """
    A hash of all that a build reads.

    `wish` is what was asked for besides the settings, such as the languages.
    """
    digest = hashlib.sha256(f"{recipe()}\n{settings!r}\n{wish}\n".encode())
    for file in sorted(inputs(settings)):
        add(digest, file)
    return digest.hexdigest()


def fingerprint(settings: Settings, read: str) -> str:
    """
    A hash of what a build has `read`, and of all that stands where it writes.

    It was read before the build, so that what is saved during one is a change for the next.
    """
    digest = hashlib.sha256(f"{read}\n".encode())
    output = settings.folder / settings.output
    for path in sorted(read_manifest(output)):
        add(digest, output / path)
    return digest.hexdigest()


def inputs(settings: Settings) -> Iterable[Path]:
    """Every file that a page may depend on."""
    folder = settings.folder
    problems: list[Problem] = []
    for root in settings.sources:
        for path in walk(settings, root, problems):
            yield folder / path
        # What a module's demonstration has shown is recorded beside it.
        yield from (file for file in (folder / root.path).rglob("*.evidence/*") if file.is_file())
    shared = [theme_folder(), folder / settings.translations]
    if settings.templates:
        shared.append(folder / settings.templates)
    for place in shared:
        yield from (file for file in place.rglob("*") if file.is_file())
    yield from LOCALE.glob("*.po")
    yield BUNDLE / "version.json"
    for name in (settings.analytics, settings.bibliography):
        if name:
            yield folder / name


def add(digest: "hashlib._Hash", file: Path) -> None:
    """Add the name and the content of a file; one that is gone is one that has changed."""
    content = b"gone"
    # What is no file, such as a pipe, might never end.
    with contextlib.suppress(OSError, ValueError):
        content = file.read_bytes() if file.is_file() else content
    digest.update(f"{file.as_posix()} {len(content)}\n".encode("utf-8", "surrogateescape"))
    digest.update(content)


def recall(settings: Settings) -> LastBuild | None:
    """What the last build left, if it left anything that can be read."""
    try:
        value = json.loads((settings.folder / settings.cache / NAME).read_text(encoding="utf-8"))
        last: LastBuild = decoder(LastBuild)(value)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return last


def remember(settings: Settings, last: LastBuild) -> None:
    """Keep what this build leaves. Where that is not possible, the next build is a full one."""
    content = json.dumps(encode(last), ensure_ascii=False).encode()
    folder = settings.folder / settings.cache
    try:
        make_folder(folder)
        replace_file(folder / NAME, content)
    except OSError:
        return
