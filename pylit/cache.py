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
out, and the piece is made again. The folder can be deleted at any time.
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
BYTES = 64_000_000

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
        """Store `values` beside what is there, by one rename, so that no reader sees a half file.

        A cache that cannot be written is no reason to stop: the next run is slow again, that is
        all.
        """
        lines = self._read()
        for key, value in values.items():
            body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
            # What is newest stands last, and what stands first is dropped first.
            lines.pop(key, None)
            lines[key] = f"{zlib.crc32(body):08x} ".encode() + body
        total = sum(len(key) + len(line) + 2 for key, line in lines.items())
        while total > BYTES and len(lines) > len(values):
            key = next(iter(lines))
            total -= len(key) + len(lines.pop(key)) + 2
        self._lines = lines
        with contextlib.suppress(OSError):
            self._write(lines)

    def _read(self) -> dict[str, bytes]:
        try:
            content = self._path.read_bytes()
        except OSError:
            return {}
        lines: dict[str, bytes] = {}
        for line in content.split(b"\n"):
            key, _, rest = line.partition(b" ")
            if len(key) == 32 and rest:
                lines[key.decode("ascii", "replace")] = rest
        return lines

    def _write(self, lines: Mapping[str, bytes]) -> None:
        folder = self._path.parent
        folder.mkdir(parents=True, exist_ok=True)
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
