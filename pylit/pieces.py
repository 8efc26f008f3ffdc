"""
---
title: Pieces that are made once
summary: Parsed modules, coloured code and drafted pages, kept in memory and in the cache.
---
# Pieces that are made once

Most of a site is the same from one build to the next. A piece is looked up by a hash of all that it
was made from: first among the pieces that this process already has, which is what a server lives
on, then in the [cache](cache.html) on disk. Only then is it made.

A piece that the last build did not ask for is forgotten by the process; on disk it stays until the
cache is full, since another branch may ask for it again.
"""

import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from markupsafe import Markup

from pylit.cache import Cache

T = TypeVar("T")

SHAPERS = ("Markdown", "pymdown-extensions", "Pygments", "nh3", "imagesize", "ansi2html")
"""The libraries whose version shapes a piece."""


class Pieces:
    """
    What builds of one process share. Without a folder, nothing is kept on disk.

    Keep one for as long as builds may come, as a server does.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.made: dict[str, Any] = {}
        self.asked: set[Any] = set()
        self.caches: dict[str, Cache] = {}
        self.new: dict[str, dict[str, list[Any]]] = {}
        self.same: dict[Any, tuple[Any, Any]] = {}

    def remake(self, name: Any, parts: tuple[Any, ...], make: Callable[[], T]) -> T:
        """
        What was made for a name by the last build of this process, if its parts are the same now.

        Parts are compared as values. Most of them are the very objects of the last build, and
        then comparing them costs nothing; this is for steps that are cheaper than a hash.
        """
        known = self.same.get(name)
        if known is None or known[0] != parts:
            known = self.same[name] = (parts, make())
        self.asked.add(name)
        value: T = known[1]
        return value

    def get(self, kind: str, key: str, shape: Any, make: Callable[[], T]) -> T:
        """A piece of a kind, by its key and its type; `make` makes it where nobody has it."""
        name = f"{kind} {key}"
        self.asked.add(name)
        if name not in self.made:
            found = self.read(kind, key)
            if found is not None:
                # A line of another shape than ours is as good as none.
                with contextlib.suppress(TypeError, ValueError, AttributeError):
                    self.made[name] = decoder(shape)(found)
        if name not in self.made:
            self.made[name] = make()
            if self.folder:
                self.new.setdefault(kind, {})[key] = encode(self.made[name])
        piece: T = self.made[name]
        return piece

    def read(self, kind: str, key: str) -> list[Any] | None:
        """Look a piece up on disk."""
        if not self.folder:
            return None
        if kind not in self.caches:
            self.caches[kind] = Cache(self.folder, kind, recipe())
        return self.caches[kind].get(key)

    def finish(self) -> None:
        """At the end of a build: store what is new, and forget what nobody asked for."""
        for kind, values in self.new.items():
            self.caches[kind].put(values)
        self.new = {}
        self.made = {name: piece for name, piece in self.made.items() if name in self.asked}
        self.same = {name: known for name, known in self.same.items() if name in self.asked}
        self.asked = set()


@cache
def recipe() -> str:
    """A hash of all that shapes every piece: our own code, and the libraries' versions."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    for name in SHAPERS:
        try:
            digest.update(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            digest.update(name.encode())
    return digest.hexdigest()


def encode(value: Any) -> Any:
    """One of our values as JSON: a dataclass is the list of its fields."""
    if is_dataclass(value):
        return [encode(getattr(value, item.name)) for item in fields(value)]
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    return sorted(value) if isinstance(value, frozenset) else value


@cache
def decoder(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of a type from JSON, from the types of the fields."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        parts = [decoder(hints[item.name]) for item in fields(kind)]
        make: Any = kind
        return lambda value: make(*(part(v) for part, v in zip(parts, value, strict=True)))
    if origin is tuple and inner[1:] == (Ellipsis,):
        item = decoder(inner[0])
        return lambda value: tuple(map(item, value))
    if origin is tuple:
        items = [decoder(part) for part in inner]
        return lambda value: tuple(part(v) for part, v in zip(items, value, strict=True))
    if origin is frozenset:
        return frozenset
    if type(None) in inner:
        (some,) = (decoder(part) for part in inner if part is not type(None))
        return lambda value: None if value is None else some(value)
    return kind if kind is Markup else lambda value: value
