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
cache is full, since another branch may ask for it again. New pieces are stored now and then, so
that a large site needs no more memory than its pages do, and a build that was interrupted goes on
where it was.
"""

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from markupsafe import Markup

from pylit.cache import Cache, decoded, encoded, key_of
from pylit.installed import installed
from pylit.profile import Profile

T = TypeVar("T")
Name = tuple[str, ...]
"""What a piece is called: the step that makes it, then language and page where it has some."""

SHAPERS = (
    *("markdown", "pymdown_extensions", "pygments", "nh3", "imagesize", "ansi2html", "jinja2"),
    "markupsafe",
)
"""The libraries whose version shapes a piece."""

STORED_AT = 8_000_000
"""So many bytes of new pieces are stored, without waiting for the end of the build."""


class Pieces:
    """
    What builds of one process share. Without a folder, nothing is kept on disk.

    Keep one for as long as builds may come, as a server does. `made` says for each step how many
    of its pieces were `made` and how many were found in `memory` or on `disk`. `jobs` is how many
    processes may work at once.
    """

    def __init__(
        self, folder: Path | None = None, profile: Profile | None = None, jobs: int = 1
    ) -> None:
        self.folder = folder
        self.jobs = jobs
        self.profile = profile or Profile()
        self.made: dict[str, Counter[str]] = {}
        self.pieces: dict[str, Any] = {}
        self.asked: set[Any] = set()
        self.caches: dict[str, Cache] = {}
        self.new: dict[str, dict[str, bytes]] = {}
        self.new_size = 0
        self.fresh: set[str] = set()
        self.same: dict[Name, tuple[Any, Any]] = {}

    def remake(self, name: Name, parts: tuple[Any, ...], make: Callable[[], T]) -> T:
        """
        What was made for a name by the last build of this process, if its parts are the same now.

        Parts are compared as values. Most of them are the very objects of the last build, and
        then comparing them costs nothing; this is for steps that are cheaper than a hash.
        """
        known = self.same.get(name)
        count = self.made.setdefault(name[0], Counter())
        # A piece that is asked for twice is one piece.
        first = name not in self.asked
        if known is None or known[0] != parts:
            before = count.total()
            with self.profile.step(*name):
                known = self.same[name] = (parts, make())
            # What was looked up by its hash as well has been counted there.
            count["made"] += first and count.total() == before
        else:
            count["memory"] += first
        self.asked.add(name)
        value: T = known[1]
        return value

    def key(self, name: Name, *parts: str) -> str:
        """
        The key of a piece, from all that it is made from.

        A server asks for the keys of all pieces after each save, so a hash of long texts is kept
        for as long as they are the same.
        """
        name = ("key", *name)
        self.asked.add(name)
        known = self.same.get(name)
        if known is None or known[0] != parts:
            known = self.same[name] = (parts, key_of(*parts))
        key: str = known[1]
        return key

    def key_of_value(self, name: Name, value: object) -> str:
        """The key of one of our values, by all that it holds."""
        return self.remake(name, (value,), partial(key_of_value, value))

    def get(
        self,
        kind: str,
        key: str,
        shape: Any,
        make: Callable[[], T],
        page: str,
        language: str = "",
        *,
        lasting: bool = True,
        valid: Callable[[T], bool] | None = None,
    ) -> T:
        """
        A piece of a kind, by its key and its type; `make` makes it where nobody has it.

        `page` and `language` are what it is for. One that is not `lasting` is not kept in memory,
        as whoever asks for it keeps what is made of it. One that depends on more than a key can
        say is asked whether it is still `valid`, and if not, another one takes its place.
        """
        name = f"{kind} {key}"
        first = name not in self.asked
        self.asked.add(name)
        place = "memory"
        piece: T
        if name in self.pieces and (valid is None or valid(self.pieces[name])):
            piece = self.pieces[name]
        else:
            with self.profile.step(kind, language, page):
                piece, place = self.find(kind, key, shape, make, valid)
            if lasting:
                self.pieces[name] = piece
        self.made.setdefault(kind, Counter())[place] += first
        return piece

    def find(
        self,
        kind: str,
        key: str,
        shape: Any,
        make: Callable[[], Any],
        valid: Callable[[Any], bool] | None,
    ) -> tuple[Any, str]:
        """Look a piece up on disk, or make it. Says as well which of the two it was."""
        found = self.read(kind, key)
        if found is not None:
            # A line of another shape than ours is as good as none.
            with contextlib.suppress(TypeError, ValueError, AttributeError):
                piece = decoder(shape)(found)
                if valid is None or valid(piece):
                    return piece, "made" if f"{kind} {key}" in self.fresh else "disk"
        piece = make()
        if self.folder:
            self.take(kind, {key: encoded(encoder(shape)(piece))})
        return piece, "made"

    def read(self, kind: str, key: str) -> list[Any] | None:
        """Look a piece up on disk, and before that among what is new."""
        if not self.folder:
            return None
        line = self.new.get(kind, {}).get(key)
        return decoded(line) if line else self.cache(kind).get(key)

    def cache(self, kind: str) -> Cache:
        """The pieces of a kind on disk."""
        if kind not in self.caches:
            self.caches[kind] = Cache(self.folder or Path(), kind, recipe())
        return self.caches[kind]

    def has(self, kind: str, key: str) -> bool:
        """Tell whether a piece need not be made."""
        if f"{kind} {key}" in self.pieces or key in self.new.get(kind, {}):
            return True
        return bool(self.folder) and self.cache(kind).has(key)

    def take(self, kind: str, lines: Mapping[str, bytes]) -> None:
        """Take in pieces that were made here or by another process, as lines of the cache."""
        self.new.setdefault(kind, {}).update(lines)
        self.fresh.update(f"{kind} {key}" for key in lines)
        self.new_size += sum(map(len, lines.values()))
        if self.new_size > STORED_AT:
            self.store()

    def store(self) -> None:
        """Store what is new. What cannot be stored is kept, as it will be asked for."""
        with self.profile.step("store"):
            self.new = {
                kind: lines
                for kind, lines in self.new.items()
                if not self.cache(kind).put_lines(lines)
            }
        self.new_size = 0

    def forget(self, names: Iterable[Any]) -> None:
        """Let go of pieces that nobody here will ask for again."""
        for name in names:
            self.pieces.pop(name, None)
            self.same.pop(name, None)

    def finish(self) -> None:
        """At the end of a build: store what is new, and forget what nobody asked for."""
        self.store()
        self.new, self.fresh = {}, set()
        self.pieces = {name: piece for name, piece in self.pieces.items() if name in self.asked}
        self.same = {name: known for name, known in self.same.items() if name in self.asked}
        self.asked = set()


@cache
def recipe() -> str:
    """A hash of all that shapes every piece: our own code, and the libraries' versions."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    for name in SHAPERS:
        digest.update(f"{name} {installed().get(name, '')}\n".encode())
    return digest.hexdigest()


def key_of_value(value: object) -> str:
    """A hash of one of our values."""
    return key_of(json.dumps(encode(value), ensure_ascii=False))


def encode(value: Any) -> Any:
    """One of our values as JSON, by what it is."""
    kind: Any = type(value)
    return encoder(kind)(value)


@cache
def encoder(kind: Any) -> Callable[[Any], Any]:
    """What makes JSON from a value of a type: a dataclass is the list of its fields."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        names = [item.name for item in fields(kind)]
        if any(kind in get_args(hint) for hint in hints.values()):
            # What holds others of its own type is taken as it comes.
            return lambda value: [encode(getattr(value, name)) for name in names]
        parts = [encoder(hints[name]) for name in names]
        # Of one field alone, `attrgetter` would give the bare value.
        get = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
        if all(part is keep for part in parts):
            return lambda value: list(get(value))
        return lambda value: [part(v) for part, v in zip(parts, get(value), strict=True)]
    if origin is tuple and inner[1:] == (Ellipsis,):
        item = encoder(inner[0])
        return list if item is keep else lambda value: [item(v) for v in value]
    if origin is tuple:
        items = [encoder(part) for part in inner]
        return lambda value: [part(v) for part, v in zip(items, value, strict=True)]
    if kind is frozenset or origin is frozenset:
        return sorted
    if origin is Mapping and inner[0] is str and encoder(inner[1]) is not keep:
        value_of = encoder(inner[1])
        return lambda value: {key: value_of(item) for key, item in value.items()}
    if kind is tuple:
        return lambda value: [encode(v) for v in value]
    if type(None) in inner:
        (some,) = (encoder(part) for part in inner if part is not type(None))
        return keep if some is keep else lambda value: None if value is None else some(value)
    return keep


def keep(value: Any) -> Any:
    """What is JSON as it stands."""
    return value


def pack(length: int, value: list[Any]) -> tuple[Any, ...]:
    """A tuple of what is JSON as it stands. Raises `ValueError` where it has another length."""
    if len(value) != length:
        raise ValueError
    return tuple(value)


@cache
def decoder(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of a type from JSON, from the types of the fields."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        parts = [decoder(hints[item.name]) for item in fields(kind)]
        make: Any = kind
        count = len(parts)
        changed = [(number, part) for number, part in enumerate(parts) if part is not keep]

        def restore(value: list[Any]) -> Any:
            if type(value) is not list or len(value) != count:
                raise TypeError
            values = list(value)
            for number, part in changed:
                values[number] = part(values[number])
            return make(*values)

        return restore
    if origin is tuple and inner[1:] == (Ellipsis,):
        item = decoder(inner[0])
        return tuple if item is keep else lambda value: tuple(map(item, value))
    if origin is tuple:
        items = [decoder(part) for part in inner]
        if all(part is keep for part in items):
            return partial(pack, len(items))
        return lambda value: tuple([part(v) for part, v in zip(items, value, strict=True)])
    if origin is frozenset:
        return frozenset
    if origin is Mapping and inner[0] is str and decoder(inner[1]) is not keep:
        value_from = decoder(inner[1])
        return lambda value: {key: value_from(item) for key, item in value.items()}
    if type(None) in inner:
        (some,) = (decoder(part) for part in inner if part is not type(None))
        return keep if some is keep else lambda value: None if value is None else some(value)
    return kind if kind is Markup else keep
