"""
---
title: What search finds
summary: The text of each section, and the names in its code, as the index has them.
---
# What search finds

A hit leads to a *unit*: a section, or what stands under a heading in it. Each has its text without
markup, its formulas as they are read aloud, and the names that its code uses. How the units of all
pages become one script for a browser is told with the [index](search.html).
"""

import builtins
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from keyword import kwlist
from xml.etree.ElementTree import ParseError

from pylit.anchors import shorten, slug
from pylit.math.reading import plain_text
from pylit.model import Row

TAG = re.compile(r"(<[^>]+>)")
EVERYWHERE = {*kwlist, "self", "cls", *(name for name in dir(builtins) if name.islower())}
TAG_NAME = re.compile(r"</?([a-zA-Z0-9-]+)")
HEADING = re.compile(r"h[1-6]")
ANCHOR = re.compile(r'\bid="([^"]*)"')
FOREIGN = re.compile(r'\bclass="(?:[^"]* )?untranslated(?: [^"]*)?"')
FORMULA = re.compile(r"<mjx-container.*?(?:(<math[ >].*?</math>).*?)?</mjx-container>", re.DOTALL)
ESCAPED = re.compile(r"&[^;]*;")
NAME = re.compile(r"[^\W\d]\w+")
INLINE = re.compile(
    r"a|abbr|b|bdi|cite|code|del|dfn|em|i|img|ins|kbd|mark|math|q|s|samp|small|span|strong|sub|sup"
    r"|u|var|wbr"
)
"""What stands within a line of text. The ends of all other elements keep words apart."""

VOID = frozenset({"br", "hr", "img", "input", "wbr", "col"})
END = "\x7f"
"""Ends a text among others. It is no sign of any script, and JSON writes it as it is."""

START = 100
"""In so many characters at the beginning of a text are the words of its anchor."""


@dataclass(slots=True)
class Unit:
    """
    What a hit leads to: an anchor, the heading there, the name defined there, and the text.

    It is filled while a section is read, so it is the one value here that is not frozen.
    """

    anchor: str
    name: str = ""
    heading: str = ""
    text: list[str] = field(default_factory=list)

    def listed(self) -> tuple[str, str, str, str]:
        """The unit as the index has it; `=` stands for a name that is the anchor, as most are."""
        name = "=" if self.name and self.name == self.anchor else self.name
        text = squeeze("".join(self.text))
        return without_words(self.anchor, self.heading, text), self.heading, name, text

    def tells(self) -> set[str]:
        """The names that lead here by what is defined here, or by the text."""
        return {self.name.rpartition(".")[2], *NAME.findall("".join(self.text))}


Places = tuple[tuple[str, tuple[int, ...]], ...]
"""Names in code, each with the units that use it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """
    What the index has of a page: its units, and of each name in its code the units that use it.

    Units count from the first one of the page.
    """

    units: tuple[tuple[str, ...], ...]
    names: Places


@dataclass(frozen=True, slots=True)
class Reader:
    """
    Reads rows of pages.

    `formulas` are known plain texts by their MathML, `names` known names by their code.
    """

    formulas: Mapping[str, str]
    names: dict[tuple[str, ...], list[str]]

    def read_rows(self, rows: Sequence[Row], *, translated: bool) -> Listed:
        """What the index has of the rows of a page; only code, where nothing is translated."""
        units: list[Unit] = []
        starts: list[int] = []
        places: dict[str, list[int]] = {}
        for row in rows:
            # Code without prose goes on from the section before it, as the page shows it.
            goes_on = bool(units) and not row.prose and row.kind in ("code", "comment")
            here = starts[-1] if goes_on else len(units)
            for name in self.names_of(row):
                found = places.setdefault(name, [])
                if not found or found[-1] != here:
                    found.append(here)
            if not goes_on:
                starts.append(len(units))
                units.extend(self.read_row(row, translated=translated))
        units = units or [Unit("")]
        # A page is found at its top, not at its first section.
        units[0].anchor = ""
        told = [unit.tells() for unit in units]
        named = tuple(
            (name, using)
            for name, found in places.items()
            if (using := tuple(place for place in found if name not in told[place]))
        )
        return Listed(tuple(unit.listed() for unit in units), named)

    def names_of(self, row: Row) -> list[str]:
        """The names in the code of a row."""
        code = tuple(line.html for line in row.code)
        if code not in self.names:
            self.names[code] = names_in(code)
        return self.names[code]

    def read_row(self, row: Row, *, translated: bool) -> Iterator[Unit]:
        """The units of a section: what stands before its first heading, and one a heading."""
        unit = Unit(row.anchor, row.name if row.kind in ("class", "function") else "")
        if not translated:
            yield unit
            return
        within = ""
        title: list[str] = []
        for tag, text in own_text(FORMULA.sub(self.read_formula, row.prose)):
            name = TAG_NAME.match(tag)
            if name and HEADING.fullmatch(name[1]):
                if tag.startswith("</"):
                    unit.heading, within = squeeze("".join(title)), ""
                else:
                    within, title = name[1], []
                    anchor = ANCHOR.search(tag)
                    if anchor and (unit.heading or "".join(unit.text).strip()):
                        yield unit
                        unit = Unit(html.unescape(anchor[1]))
            space = " " if name and not INLINE.fullmatch(name[1]) else ""
            (title if within else unit.text).append(space + text)
        yield unit

    def read_formula(self, found: re.Match[str]) -> str:
        """A formula as it is read aloud in one line: `softmax(b)`, without any TeX."""
        mathml = found[1]
        if not mathml:
            return ""
        text = self.formulas.get(mathml)
        return html.escape(formula_text(mathml) if text is None else text, quote=False)


def without_words(anchor: str, heading: str, text: str) -> str:
    """An anchor with `~` for its words, where the script makes the same of the text."""
    # Only of these letters it is sure that Python and a browser agree.
    start = (heading or text)[:START]
    words = slug(start) if start.isascii() else ""
    if heading and words and anchor == words:
        return "~"
    scope, dot, last = anchor.rpartition(".")
    return f"{scope}.~" if dot and words and last == shorten(words) else anchor


def names_in(code: Sequence[str]) -> list[str]:
    """The names in lines of highlighted code, but for the words that every page has."""
    # What is escaped is no part of a name, and ends one.
    text = ESCAPED.sub(" ", TAG.sub("", "\n".join(code)))
    return sorted(set(NAME.findall(text)).difference(EVERYWHERE))


def own_text(content: str) -> Iterator[tuple[str, str]]:
    """The tags of a piece of HTML, each with the text behind it; foreign text is left out."""
    depth = 0
    parts = TAG.split(content)
    for tag, text in zip(["", *parts[1::2]], parts[::2], strict=True):
        name = TAG_NAME.match(tag)
        if name and (depth or FOREIGN.search(tag)) and name[1] not in VOID:
            depth += -1 if tag.startswith("</") else 1
        yield tag, "" if depth else html.unescape(text)


@cache
def formula_text(mathml: str) -> str:
    """The plain text of a formula; many stand on a page in each of its languages."""
    try:
        return plain_text(mathml)
    except ParseError:
        # It is MathML for a browser, which forgives more than XML does.
        return html.unescape(TAG.sub(" ", mathml))


def squeeze(text: str) -> str:
    """A text with one space where there was any white space."""
    return " ".join(text.replace(END, " ").split())
