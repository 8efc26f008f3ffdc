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
BYTES = 256_000_000

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


def make_folder(folder: Path) -> None:
    """Make the folder of a cache, one that git leaves alone. Raises `OSError` where it cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / IGNORE_FILE).exists():
        (folder / IGNORE_FILE).write_text("*\n", encoding="utf-8")


class Cache:
    """The pieces of one kind and one recipe in one folder."""

    def __init__(self, folder: Path, kind: str, recipe: str) -> None:
        self._kind = kind
        self._path = folder / f"{kind}-{recipe[:32]}.lines"
        self._lines: dict[str, bytes] | None = None

    def get(self, key: str) -> Value | None:
        """What was stored under `key`, or nothing if it was not, or is damaged."""
        if self._lines is None:
            self._lines = self._read()
        line = self._lines.get(key)
        if line is None:
            return None
        checksum, _, body = line.partition(b" ")
        try:
            if int(checksum, 16) != zlib.crc32(body):
                return None
            value: Value = json.loads(body)
        except (ValueError, RecursionError):
            return None
        return value

    def put(self, values: Mapping[str, Value]) -> None:
        """
        Store `values` behind what is there, or in a new file where the old one is full.

        A cache that cannot be written is no reason to stop: the next run is slow again, that is
        all.
        """
        new: dict[str, bytes] = {}
        for key, value in values.items():
            body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
            new[key] = f"{zlib.crc32(body):08x} ".encode() + body
        if self._lines is not None:
            self._lines.update(new)
        with contextlib.suppress(OSError):
            if not self._append(new):
                old = {key: line for key, line in self._read().items() if key not in new}
                self._lines = self._fit({**old, **new}, len(new))
                self._write(self._lines)

    def _append(self, new: Mapping[str, bytes]) -> bool:
        """
        Add lines to a file that has room for them, and say whether it had.

        They are written at once, behind whatever another process may have added. Should one of us
        be stopped in the middle, half a line is left, which no checksum fits.
        """
        # Whatever stands at the end of the file, the first of our lines begins anew.
        content = b"".join(b"\n%s %s" % (key.encode(), line) for key, line in new.items()) + b"\n"
        if not self._path.is_file() or self._path.stat().st_size + len(content) > BYTES:
            return False
        with self._path.open("ab", buffering=0) as file:
            file.write(content)
        return True

    def _fit(self, lines: dict[str, bytes], kept: int) -> dict[str, bytes]:
        """As many lines as there is room for; what stands first is the oldest."""
        total = sum(len(key) + len(line) + 2 for key, line in lines.items())
        while total > BYTES and len(lines) > kept:
            key = next(iter(lines))
            total -= len(key) + len(lines.pop(key)) + 2
        return lines

    def _read(self) -> dict[str, bytes]:
        try:
            content = self._path.read_bytes()
        except OSError:
            return {}
        lines: dict[str, bytes] = {}
        for line in content.split(b"\n"):
            key, _, rest = line.partition(b" ")
            if len(key) == 32 and rest:
                # What was stored again stands last, and is dropped last.
                name = key.decode("ascii", "replace")
                lines.pop(name, None)
                lines[name] = rest
        return lines

    def _write(self, lines: Mapping[str, bytes]) -> None:
        folder = self._path.parent
        make_folder(folder)
        handle, name = tempfile.mkstemp(prefix=".cache-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(key.encode() + b" " + line + b"\n" for key, line in lines.items())
            Path(name).replace(self._path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
        recipes = sorted(
            folder.glob(f"{self._kind}-*.lines"), key=lambda path: path.stat().st_mtime
        )
        for path in recipes[:-RECIPES]:
            path.unlink(missing_ok=True)
