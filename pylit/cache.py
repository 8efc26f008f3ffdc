"""
---
title: The cache
summary: What was made once is read back from files of lines, each line with its own checksum.
---

# The cache

Typesetting thousands of formulas takes half a minute; reading them back takes a few hundredths of a
second. The same holds, on a smaller scale, for parsed modules, coloured code and rendered prose. A
file holds the pieces of one kind and one *recipe*: all that shapes them but their own source, such
as our code. Each line is a key, a checksum and what was made:

    5d41402abc4b2a76b9719d911017c592 9ae0daaf ["<mjx-container>…","x"]

The key is a hash of what a piece was made from, never of a time. A line that was damaged is left
out, and the piece is made again. The folder can be deleted at any time, and git leaves it alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# An old recipe comes back when somebody switches branches, so a few are kept.
RECIPES = 4
BYTES = 512_000_000

IGNORE_FILE = ".gitignore"
"""Says to git that nothing in the folder is to be kept, so that no author has to."""

Value = list[Any]
"""Whatever JSON can hold."""


def key_of(*parts: str) -> str:
    """The key of a piece: a hash of all that it is made from."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        # The length keeps "ab", "c" apart from "a", "bc".
        digest.update(f"{len(content)}:".encode() + content)
    return digest.hexdigest()


def encoded(value: Value) -> bytes:
    """A value as a line of the cache holds it, behind its checksum."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return b"%08x %s" % (zlib.crc32(body), body)


def decoded(line: bytes) -> Value | None:
    """The value that a line holds, or nothing where it is damaged."""
    checksum, _, body = line.partition(b" ")
    try:
        if int(checksum, 16) != zlib.crc32(body):
            return None
        value: Value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value


def make_folder(folder: Path) -> None:
    """Make the folder of a cache, one that git leaves alone. Raises `OSError` where it cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / IGNORE_FILE).exists():
        (folder / IGNORE_FILE).write_text("*\n", encoding="utf-8")


class Cache:
    """
    The pieces of one kind and one recipe in one folder.

    Only where the lines are is kept in memory, as the lines of a large site are longer than all
    its sources.
    """

    def __init__(self, folder: Path, kind: str, recipe: str) -> None:
        self._kind = kind
        self._path = folder / f"{kind}-{recipe[:32]}.lines"
        self._places: dict[bytes, tuple[int, int]] | None = None

    def has(self, key: str) -> bool:
        """Tell whether there is a line for `key`, whole or damaged."""
        if self._places is None:
            self._places = self._find()
        return key.encode() in self._places

    def get(self, key: str) -> Value | None:
        """What was stored under `key`, or nothing if it was not, or is damaged."""
        if not self.has(key) or self._places is None:
            return None
        start, length = self._places[key.encode()]
        try:
            with self._path.open("rb", buffering=0) as file:
                file.seek(start)
                found, _, line = file.read(length).partition(b" ")
        except OSError:
            return None
        # Another process may have written the file anew, and our places are those of the old one.
        return decoded(line) if found == key.encode() else None

    def put(self, values: Mapping[str, Value]) -> bool:
        """Store values, and say whether they are stored."""
        return self.put_lines({key: encoded(value) for key, value in values.items()})

    def put_lines(self, lines: Mapping[str, bytes]) -> bool:
        """
        Store encoded values behind what is there, or in a new file where the old one is full.

        A cache that cannot be written is no reason to stop: the next run is slow again, that is
        all.
        """
        with contextlib.suppress(OSError):
            if not self._append(lines):
                self._write(self._fit(lines))
                self._places = None
            return True
        return False

    def _append(self, new: Mapping[str, bytes]) -> bool:
        """
        Add lines to a file that has room for them, and say whether it had.

        They are written at once, behind whatever another process may have added. Should one of us
        be stopped in the middle, half a line is left, which no checksum fits.
        """
        if self._places is None:
            self._places = self._find()
        # Whatever stands at the end of the file, the first of our lines begins anew.
        content = b"".join(b"\n%s %s" % (key.encode(), line) for key, line in new.items()) + b"\n"
        if not self._path.is_file() or self._path.stat().st_size + len(content) > BYTES:
            return False
        with self._path.open("ab", buffering=0) as file:
            file.write(content)
            end = file.tell()
        start = end - len(content) + 1
        for key, line in new.items():
            length = len(key) + 1 + len(line)
            self._places[key.encode()] = (start, length)
            start += length + 1
        return True

    def _fit(self, new: Mapping[str, bytes]) -> dict[bytes, bytes]:
        """
        The new lines, and as many of the old ones as leave a file half full.

        What stands first is the oldest. Half of the room stays free, since a full file would be
        written anew for each line to come.
        """
        fresh = {key.encode(): line for key, line in new.items()}
        room = BYTES // 2 - sum(len(key) + len(line) + 2 for key, line in fresh.items())
        kept: dict[bytes, bytes] = {}
        with contextlib.suppress(OSError), self._path.open("rb") as file:
            for key, (start, length) in reversed(self._find().items()):
                room -= length + 1
                if room < 0:
                    break
                if key not in fresh:
                    file.seek(start)
                    kept[key] = file.read(length).partition(b" ")[2]
        return {**dict(reversed(kept.items())), **fresh}

    def _find(self) -> dict[bytes, tuple[int, int]]:
        """Where the line of each key begins, and how long it is."""
        places: dict[bytes, tuple[int, int]] = {}
        start = 0
        with contextlib.suppress(OSError), self._path.open("rb") as file:
            for line in file:
                if len(line) > 34 and line[32] == ord(" "):
                    # What was stored again stands last, and is dropped last.
                    places.pop(line[:32], None)
                    places[line[:32]] = (start, len(line) - line.endswith(b"\n"))
                start += len(line)
        return places

    def _write(self, lines: Mapping[bytes, bytes]) -> None:
        folder = self._path.parent
        make_folder(folder)
        handle, name = tempfile.mkstemp(prefix=".cache-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(key + b" " + line + b"\n" for key, line in lines.items())
            Path(name).replace(self._path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
        recipes = sorted(
            folder.glob(f"{self._kind}-*.lines"), key=lambda path: path.stat().st_mtime
        )
        for path in recipes[:-RECIPES]:
            path.unlink(missing_ok=True)
