r"""
---
title: Atoms of a text
summary: What a translation keeps as it is: formulas, code, addresses, pictures, footnotes, tags.
---
# Atoms of a text

A block to translate is words with *atoms* between them. Atoms may change places, as the language
wants, but none may be lost, doubled, added or changed:

| kind | example |
|---|---|
| formula | `$x^2$` |
| placeholder | `{math1}`, and `%(name)s` in the interface words |
| code | `` `forward` `` |
| link | the address of `[words](address)`; the words are for the translator |
| picture | the address of `![words](address)` |
| footnote | `[^1]` |
| tag | `<br>` |

[`read_markup`][] finds them as the renderer does. The [checks](translation_checks.html) compare
them, the [update](catalog_update.html) carries a translation over when nothing but atoms changed.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pylit.math.find import CLOSE, LESS, OPEN, scan

Kind = Literal["formula", "placeholder", "code", "link", "picture", "footnote", "tag"]

HOLE = "\ufffc"
"""Stands for an atom where only the words of a text count."""

TOKEN = re.compile(
    rf"""
    (?P<escape>\\[\\`*_{{}}\[\]()>\#+.!$|<-])
    | (?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))
    | (?P<formula>{OPEN}\d+{CLOSE})
    | (?P<placeholder>\{{math\d+\}}|%\(\w+\)[sd])
    | (?P<footnote>\[\^[^\]\s]+\])
    | (?P<name>\[`[^`\]]+`\]\[\])
    | (?P<open>!?\[)
    | (?P<target>\]\(\s*(?:<[^<>]*>|(?:[^()\s<>]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\))
    | (?P<reference>\]\[[^\]\[]*\])
    | (?P<close>\])
    | (?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>)
    | (?P<tag></?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>)
    | (?P<url>https?://[^\s<>()\]\ue000-\ue002]*[^\s<>()\]\ue000-\ue002.,;:!?'"、。，；：！？）」』》”*_])
    """,
    re.VERBOSE | re.DOTALL,
)
TARGET = re.compile(r"\]\(\s*(?P<address><[^<>]*>|(?:[^()\s<>]|\([^()\s]*\))*)", re.DOTALL)
# With none of these signs a text has no atoms.
SIGNS = re.compile(r"[`$\\<\[{%]|https?:")


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom: what it is, how it is written, and where it stands in [`Text`][]'s `marked`."""

    kind: Kind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LinkText:
    """The words of a link, as a part of `marked`, with its address. `nested`: a link is inside."""

    address: str
    start: int
    end: int
    nested: bool


@dataclass(frozen=True, slots=True)
class Text:
    """
    A text taken apart.

    `marked` is the text with a mark in the place of each formula, and `atoms` are in its order.
    """

    marked: str
    formulas: tuple[str, ...]
    atoms: tuple[Atom, ...]
    links: tuple[LinkText, ...]

    def count(self) -> Counter[tuple[Kind, str]]:
        """How often each atom is there."""
        return Counter((atom.kind, atom.text) for atom in self.atoms)

    def fill(self, put: Mapping[tuple[Kind, str], str] | None = None) -> str:
        """The text again, with other atoms in the places of some; `None` gives the words alone."""
        parts: list[str] = []
        at = 0
        for atom in self.atoms:
            parts.append(self.marked[at : atom.start])
            known = HOLE if put is None else put.get((atom.kind, atom.text), atom.text)
            parts.append(known)
            at = atom.end
        return "".join([*parts, self.marked[at:]]).replace(LESS, "<")

    @property
    def masked(self) -> str:
        """The text with the same sign for each atom of a kind: equal where only atoms differ."""
        parts: list[str] = []
        at = 0
        for atom in self.atoms:
            parts += (self.marked[at : atom.start], f"{HOLE}{atom.kind}{HOLE}")
            at = atom.end
        return "".join([*parts, self.marked[at:]])

    @property
    def words(self) -> str:
        """The words alone, a sign for each atom, link brackets and emphasis removed."""
        return plain_words(self.fill())


def plain_words(text: str) -> str:
    """A text with holes as a reader sees it: without brackets of links, without emphasis."""
    text = re.sub(rf"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*{HOLE}[^)]*\)", r"\1", text)
    text = re.sub(rf"!?\[([^\[\]]*)\]\[{HOLE}?\]", r"\1", text)
    return text.replace("**", "").replace("*", "").replace("\\", "")


@lru_cache(maxsize=4096)
def read_markup(text: str) -> Text:
    """Take a block's Markdown apart."""
    if not SIGNS.search(text):
        return Text(text, (), (), ())
    scanned = scan(text)
    formulas = tuple(" ".join(found.source.split()) for found in scanned.found)
    marked = scanned.text
    atoms: list[Atom] = []
    links: list[LinkText] = []
    # Open brackets: where the words start, whether a picture, and how many links were inside.
    stack: list[tuple[int, bool, int]] = []
    for token in TOKEN.finditer(marked):
        kind = token.lastgroup if token.lastgroup != "ticks" else "code"
        whole, start, end = token[0], token.start(), token.end()
        match kind:
            case "formula":
                atoms.append(Atom("formula", formulas[int(whole[1:-1])], start, end))
            case "code" | "placeholder" | "footnote" | "tag":
                atoms.append(Atom(kind, " ".join(whole.split()), start, end))
            case "name":
                atoms.append(Atom("link", whole, start, end))
            case "auto" | "url":
                atoms.append(Atom("link", whole.strip("<>"), start, end))
            case "open":
                stack.append((end, whole[0] == "!", len(links)))
            case "close" if stack:
                stack.pop()
            case "target" | "reference" if stack:
                label, picture, before = stack.pop()
                if kind == "target":
                    place = TARGET.match(whole)
                    inner = place.span("address") if place else (2, len(whole) - 1)
                else:
                    inner = (2, len(whole) - 1)
                address = whole[inner[0] : inner[1]] or marked[label:start]
                where = (start + inner[0], start + inner[1])
                if picture:
                    atoms.append(Atom("picture", address, *where))
                else:
                    atoms.append(Atom("link", address, *where))
                    links.append(LinkText(address, label, start, len(links) > before))
    return Text(marked, formulas, tuple(atoms), tuple(links))
