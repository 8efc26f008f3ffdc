r"""
---
title: Mending catalogues
summary: What can be repaired without knowing the language; nothing else is touched.
---
# Mending catalogues

| fault | repair |
|---|---|
| a control character from a backslash that was not written twice | the formula of the source |
| a backslash that was not written twice and did no harm | written twice |
| a Sinhala conjunct without its joiner | U+200D between virama and ya or ra |
| text that is not in Unicode's normal form | NFC |
| a wrapped or reordered file | the form that [the files](po.html) have everywhere |

`\theta`, typed with one backslash, reaches us as a tab and `heta`. The tab is made `\t` again only
if a formula, or code, of the source comes out; a guess would hide the fault.
"""

import unicodedata
from dataclasses import replace

from pylit.atoms import read_markup
from pylit.check_markup import BROKEN_CONJUNCT
from pylit.po import PoEntry, PoFile

LETTERS = {"\a": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}
JOINER = "\u200d"


def mend_file(po: PoFile, tag: str) -> PoFile:
    """A catalogue with all its entries mended."""
    return replace(po, entries=tuple(mend(entry, tag) for entry in po.entries))


def mend(entry: PoEntry, tag: str) -> PoEntry:
    """An entry whose translation is mended as far as can be."""
    if not entry.text:
        return entry
    text = mend_controls(entry.source, entry.text)
    text = join_conjuncts(text) if tag.partition("-")[0] == "si" else text
    text = compose(entry.source, text)
    return replace(entry, text=text) if text != entry.text else entry


def mend_controls(source: str, text: str) -> str:
    """Make control characters backslashes again where that gives an atom of the source."""
    places = [at for at, sign in enumerate(text) if sign in LETTERS]
    if not places:
        return text
    known = {atom.text for atom in read_markup(source).atoms if atom.kind in ("formula", "code")}
    chosen = set(places)
    best = inside(write_out(text, chosen), known)
    if best <= inside(text, known):
        return text
    # A tab between words is none that a formula has lost: what does not count stays as it is.
    for place in places:
        if inside(write_out(text, chosen - {place}), known) >= best:
            chosen.remove(place)
    return write_out(text, chosen)


def write_out(text: str, places: set[int]) -> str:
    """A text with the control characters at some places as a backslash and a letter."""
    return "".join(f"\\{LETTERS[sign]}" if at in places else sign for at, sign in enumerate(text))


def inside(text: str, known: set[str]) -> int:
    """How many atoms of a text are atoms of the source."""
    return sum(atom.text in known for atom in read_markup(text).atoms)


def join_conjuncts(text: str) -> str:
    """Put the joiner back into Sinhala conjuncts."""
    return BROKEN_CONJUNCT.sub(f"\u0dca{JOINER}", text)


def compose(source: str, text: str) -> str:
    """Unicode's normal form, unless the source itself writes its formulas or code otherwise."""
    composed = unicodedata.normalize("NFC", text)
    if composed == text:
        return text
    before, after = read_markup(text).count(), read_markup(composed).count()
    return composed if before == after else text
