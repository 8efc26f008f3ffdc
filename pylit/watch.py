"""
---
title: Watching the sources
summary: Which files a build reads, what they hold, and how a change of them is noticed.
---
# Watching the sources

`watchfiles` says *that* something happened in a folder, quickly and without polling. It is not
asked *what*: editors write a new file and rename it, tools touch files without changing them, and
a copied folder is a storm of events. So an event only makes us look again at what the site would
read, and only another content is a reason to build:

1. [`folders`][] are those in which a new file would belong to the site, and no others. What pylit
   writes, caches and hidden folders are not even watched.
2. [`inputs`][] is the content of all files that a build reads, as digests.
3. [`Watcher`][] waits for an event in these folders, and then until it is quiet.
"""

import hashlib
import os
import queue
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from watchfiles import watch

from pylit.evidence import evidence_folder
from pylit.settings import Settings
from pylit.walk import walk

STORM = 8
"""More files than an author saves at once: a folder is being copied, or a branch switched."""

EVIDENCE = PurePosixPath(evidence_folder("a.py")).suffix
"""How a folder of evidence is called, behind the name of its module."""

QUIET = 0.3
"""Seconds without an event after which a storm is over."""

LONGEST = 5.0
"""Seconds after which we build, storm or not."""


def folders(settings: Settings, config: Path | None = None) -> tuple[Path, ...]:
    """
    The folders where a change may concern the site. Each is watched for itself, not what is below.

    The folder above a source is among them, so that a source that goes away is noticed when it
    comes back.
    """
    found: list[Path] = [config.parent] if config else []
    for root in settings.sources:
        start = settings.folder / root.path
        found.append(start.parent)
        if start.exists():
            for _ in walk(settings, root, [], found):
                pass
    for name in (settings.translations, settings.templates):
        if name and (folder := settings.folder / name).is_dir():
            found += [folder, *(path for path in visible(folder) if path.is_dir())]
    for name in (settings.analytics, settings.bibliography):
        if name:
            found.append((settings.folder / name).parent)
    return tuple(sorted({path.absolute() for path in found if path.is_dir()}))


def inputs(settings: Settings, config: Path | None = None) -> dict[str, bytes]:
    """What a build would read: each file, relative to the settings, and a digest of its content."""
    files: set[Path] = {config} if config else set()
    visited: list[Path] = []
    walked = [path for root in settings.sources for path in walk(settings, root, [], visited)]
    for folder in visited:
        if folder.name.endswith(EVIDENCE):
            files.update(folder.glob("*.txt"))
    if settings.translations:
        files.update(visible(settings.folder / settings.translations, ".po"))
    if settings.templates:
        files.update(visible(settings.folder / settings.templates))
    single = (settings.analytics, settings.bibliography)
    files.update(settings.folder / path for path in single if path)
    # What is walked has its name from there. It is the most by far, and this is done at each save.
    named = {path: os.path.join(settings.folder, path) for path in walked}
    for path in files:
        name = path.relative_to(settings.folder) if settings.folder in path.parents else path
        named[name.as_posix()] = str(path)
    found: dict[str, bytes] = {}
    for known_as, place in sorted(named.items()):
        try:
            with open(place, "rb") as stream:
                content = stream.read()
        except OSError:
            # A folder, or a file that an editor has just moved away; it will tell us of the next.
            continue
        found[known_as] = digest(content)
    return found


def digest(content: bytes) -> bytes:
    """What stands for the content of a file."""
    return hashlib.blake2b(content, digest_size=16).digest()


NOTHING = digest(b"")


def visible(folder: Path, ending: str = "") -> Iterable[Path]:
    """All that is below a folder, but for what is hidden."""
    for path in folder.rglob(f"*{ending}"):
        parts = path.relative_to(folder).parts
        if not any(part.startswith(".") or part == "__pycache__" for part in parts):
            yield path


def differences(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> tuple[str, ...]:
    """The files that came, went, or have another content."""
    return tuple(sorted(name for name in {*old, *new} if old.get(name) != new.get(name)))


def emptied(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> bool:
    """Tell whether a file that held something is empty now."""
    return any(new.get(name) == NOTHING for name in old if old[name] != NOTHING)


class Watcher:
    """Waits for events in folders. It is told anew which, as folders come and go."""

    def __init__(self) -> None:
        self.events: queue.Queue[int] = queue.Queue()
        self.watched: dict[Path, int] = {}
        self.stop = threading.Event()
        self.thread: threading.Thread | None = None

    def __enter__(self) -> "Watcher":
        return self

    def __exit__(self, *reason: object) -> None:
        self.end()

    def look_at(self, places: Sequence[Path]) -> bool:
        """
        Watch these folders and no others. Returns whether that is news.

        A folder that was removed and made again is another one, although it has the same name.
        """
        wanted: dict[Path, int] = {}
        for place in places:
            try:
                wanted[place] = place.stat().st_ino
            except OSError:
                continue
        if wanted == self.watched:
            return False
        self.end()
        self.watched = wanted
        self.stop = threading.Event()
        self.thread = threading.Thread(
            target=self.run, args=(tuple(wanted), self.stop), daemon=True
        )
        self.thread.start()
        return True

    def run(self, places: Sequence[Path], stop: threading.Event) -> None:
        """Pass events on, until it is stopped or its folders are gone."""
        try:
            for changes in watch(
                *places,
                watch_filter=None,
                recursive=False,
                stop_event=stop,
                raise_interrupt=False,
                ignore_permission_denied=True,
            ):
                self.events.put(len(changes))
        except (OSError, RuntimeError):
            # A folder went away before it could be watched. Look again, at those that are left.
            self.watched = {}
            self.events.put(1)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for an event, and for the end of a storm. Returns whether there was one."""
        try:
            count = self.events.get(timeout=timeout)
        except queue.Empty:
            return False
        waited = 0.0
        while waited < LONGEST:
            try:
                count += self.events.get(timeout=QUIET if count > STORM else 0.001)
                waited += QUIET
            except queue.Empty:
                break
        return True

    def end(self) -> None:
        """Watch nothing more."""
        self.stop.set()
        if self.thread:
            self.thread.join()
        self.thread = None
        self.watched = {}
