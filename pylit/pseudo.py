"""
---
title: Pseudo-languages
summary: Two languages that nobody speaks, to find words that cannot be translated.
---
# Pseudo-languages

`pylit build --pseudo` adds two languages that need no catalogue:

| code | what it does | what it finds |
|---|---|---|
| `en-XA` | accents, a third longer, in brackets | words in no catalogue, boxes too small |
| `ar-XB` | words turned round, from right to left | fixed sides, code that turns with the page |

[Atoms](atoms.html) stay as they are, as they would in any translation. Nobody publishes these
pages, so they are made only when asked for.
"""

import re
from dataclasses import dataclass

from pylit.atoms import read_markup
from pylit.catalog import Catalog, Entry
from pylit.model import Language

PSEUDO = (
    Language("en-XA", "en-XA", "[Ƥşéûđö]"),
    Language("ar-XB", "ar-XB", "\u202eodueseP\u202c", "rtl"),
)
ACCENTED = str.maketrans(
    "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ",
    "àƀçđéƒĝĥîĵķļɱñöþŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞŔŠŢÛṼŴẊÝŽ",
)
WORD = re.compile(r"[^\W\d_]+")
LONGER = 3
"""Every third letter is a sign more."""


def is_pseudo(language: Language) -> bool:
    """Tell whether a language is one of these."""
    return language.code in ("en-XA", "ar-XB")


def pseudo(code: str, text: str) -> str:
    """A text in a pseudo-language."""
    parsed = read_markup(text)
    parts: list[str] = []
    at = 0
    for atom in parsed.atoms:
        parts += (change(code, parsed.marked[at : atom.start]), atom.text)
        at = atom.end
    changed = "".join([*parts, change(code, parsed.marked[at:])])
    if code == "en-XA":
        letters = sum(len(word) for word in WORD.findall(parsed.words))
        return f"[{changed}{' ~' * (letters // (2 * LONGER))}]"
    return changed


def change(code: str, text: str) -> str:
    """Words between atoms, in a pseudo-language."""
    if code == "en-XA":
        return WORD.sub(lambda word: word[0].translate(ACCENTED), text)
    return WORD.sub(lambda word: f"\u202e{word[0]}\u202c", text)


@dataclass(frozen=True, slots=True)
class PseudoCatalog(Catalog):
    """A catalogue that has a translation of everything."""

    def find(self, key: str) -> Entry | None:
        """Any text, in the language that `path` names."""
        return Entry(pseudo(self.path, key.rpartition("\x04")[2]), 1)
