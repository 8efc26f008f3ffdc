"""
---
title: Building while somebody writes
summary: The site in memory, made again after each save, and what every open page can ask for.
---
# Building while somebody writes

```text
watch ──► build ──► Snapshot ──► the browser asks for a page
                        └──────► every open page hears: your state now, and what is wrong
```

A build is a value, so it is [served](serve.html) as it is; nothing is written. Each page carries
the *state* that it shows, a digest of itself and of the files that it needs. An open page is only
ever told the state of now; it compares, and loads itself anew if they differ. Nothing has to be
remembered of who has seen what, and a page that was asleep, or whose server was started anew,
catches up with its next message.
"""

import gc
import hashlib
import html
import re
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urljoin

from pylit.code import highlight
from pylit.errors import PylitError
from pylit.model import Problem
from pylit.pieces import Pieces
from pylit.settings import Settings
from pylit.site import build
from pylit.translation_preview import OWN, preview_path
from pylit.watch import QUIET, Watcher, differences, emptied, folders, inputs

UNREADABLE = ("syntax", "encoding", "read")
"""The problems because of which a source has no page."""

NEEDED = re.compile(r'\b(?:src|href)="([^"#?]+)')


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one build made, as it is served."""

    number: int
    files: Mapping[str, bytes]
    problems: tuple[Problem, ...]

    def state(self, address: str) -> str:
        """What a page would show: a digest of it, and of the files of the site that it needs."""
        content = self.files.get(address)
        if content is None:
            return ""
        digest = hashlib.blake2b(content, digest_size=12)
        if address.endswith(".html"):
            for needed in sorted(set(NEEDED.findall(content.decode()))):
                path = urljoin(address, unquote(html.unescape(needed)))
                if not path.endswith(".html"):
                    digest.update(self.files.get(path, b""))
            digest.update(self.files.get(preview_path(address), b""))
        return digest.hexdigest()


class Live:
    """The snapshot of now. Whoever wants to know of the next can wait for it."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.snapshot = Snapshot(0, {}, ())
        self.closed = False

    def publish(
        self, files: Mapping[str, bytes] | None, problems: tuple[Problem, ...]
    ) -> tuple[str, ...]:
        """
        Serve this from now on. Returns the addresses whose content is another one.

        Without files, as when the settings are broken, those of before stay.
        """
        old = self.snapshot
        files = old.files if files is None else files
        with self.news:
            self.snapshot = Snapshot(old.number + 1, files, problems)
            self.news.notify_all()
        paths = old.files.keys() | files.keys()
        return tuple(sorted(path for path in paths if old.files.get(path) != files.get(path)))

    def after(self, number: int, timeout: float | None = None) -> Snapshot:
        """The first snapshot after that of a number, or the present one when time is over."""
        with self.news:
            self.news.wait_for(lambda: self.closed or self.snapshot.number > number, timeout)
            return self.snapshot

    def close(self) -> None:
        """Let everybody go who waits."""
        with self.news:
            self.closed = True
            self.news.notify_all()


@dataclass(frozen=True, slots=True)
class Round:
    """One build of the server: which sources had changed, which files of the site then did."""

    number: int
    sources: tuple[str, ...]
    changed: tuple[str, ...]
    problems: tuple[Problem, ...]
    seconds: float


def follow(
    live: Live,
    load: Callable[[], Settings],
    config: Path | None,
    tell: Callable[[Round], None],
    watcher: Watcher,
) -> None:
    """
    Build, and again whenever a source changes, until `live` is closed.

    `load` reads the settings, which may change too. When they are broken, the last ones that were
    not stay in force.
    """
    settings = load()
    # What does not change from one build to the next is made once.
    pieces = Pieces(settings.folder / settings.cache)
    known: dict[str, bytes] = {}
    while not live.closed:
        fresh = watcher.look_at(folders(settings, config))
        # Where folders come or go, more will follow, so this waits for the end of it.
        while fresh and live.snapshot.number and watcher.wait(QUIET):
            watcher.look_at(folders(settings, config))
        now = inputs(settings, config)
        # Many editors empty a file before they write it; nobody wants to see the page of that.
        if emptied(known, now) and watcher.wait(QUIET):
            now = inputs(settings, config)
        if live.snapshot.number and now == known:
            # A watch that has just begun may have missed something at its beginning.
            watcher.wait(0.5 if fresh else None)
            continue
        started = time.monotonic()
        changed_sources = differences(known, now) if live.snapshot.number else ()
        known = now
        try:
            settings = load()
        except PylitError as error:
            files: dict[str, bytes] | None = None
            problems: tuple[Problem, ...] = (error.problem,)
        else:
            files, problems = make(settings, pieces, live.snapshot.files)
        changed = live.publish(files, problems)
        seconds = time.monotonic() - started
        tell(Round(live.snapshot.number, changed_sources, changed, problems, seconds))
        # A first build may have found all code coloured, but the next one will have some to colour,
        # and the rules for that take longer to make than a page.
        highlight("")
        set_aside()


def set_aside() -> None:
    """
    Tell Python that what a build left is no garbage; the next build wants it.

    To look through all of it takes as long as a build, and Python would do so in the middle of one.
    So it is done when nobody waits, and not again.
    """
    gc.collect()
    gc.freeze()


def make(
    settings: Settings, pieces: Pieces, before: Mapping[str, bytes]
) -> tuple[dict[str, bytes] | None, tuple[Problem, ...]]:
    """Build the site. Whatever happens, the server goes on, with the files of before."""
    try:
        made = build(settings, pieces=pieces)
    except PylitError as error:
        return None, (error.problem,)
    except FileNotFoundError as error:
        # Somebody moved a file while we read it. The event of that leads to the next build.
        message = "the file went away while the site was built; it will be built again"
        return None, (Problem(str(error.filename), 0, 0, message, "warning", "read"),)
    except Exception as error:
        # A fault of pylit's own must not end the author's session either.
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"pylit itself failed: {type(error).__name__}: {error}; please report it"
        name = Path(place.filename).name
        return None, (Problem(name, place.lineno or 0, 1, message, code="internal"),)
    files = {output.path: output.content for output in made.outputs}
    if any(problem.code in UNREADABLE for problem in made.problems):
        # While a source is being edited it may not parse. Its page stays, better than none.
        pages = {path: content for path, content in before.items() if is_kept(path)}
        files = {**pages, **files}
    return files, made.problems


def is_kept(path: str) -> bool:
    """Tell whether a file outlives its source: a page, or what is said of its translation."""
    return path.endswith(".html") or path.startswith(OWN)


def for_preview(settings: Settings, address: str, previewed: Sequence[str] = ()) -> Settings:
    """
    The settings of a preview: it is its own base, and nobody counts its visitors.

    `previewed` are the codes of the languages whose pages are for translators.
    """
    return replace(settings, base_url=address, analytics="", previewed=tuple(previewed))
