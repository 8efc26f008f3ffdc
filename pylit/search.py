"""
---
title: Search
summary: One index a language, which a browser reads without a server.
---
# Search

A site has no server that could be asked, and may be opened from a disk, where a page can fetch
nothing. So the index is a script that assigns one value; a page loads it when a reader searches for
the first time, and looks through it with `templates/scripts/find.js`.

The index holds the text of each section and, for each name in the code, the sections that use it;
Python's own words, such as `for`, `len` and `self`, are on every page and lead nowhere. The same is
true of a name that more than a tenth of all sections use; it is found where it is defined, and
where the text speaks of it. The index does not cut the text into words: looking through all of it
takes a browser some milliseconds, finds any run of Chinese or Japanese characters, which no
dictionary of words does, and shows a hit among the words around it.

Anchors are most of what a hit leads to, and little of it has to be written. Parts that an anchor
shares with the one before it are dots, so `A.f.x` behind `A.f` is `..x`; and `~` stands for words
that the script can make of the heading or the text, as [anchors](anchors.html) are made. Likewise a
name is not listed for a section that defines it, or whose text has it as a word.

What is in another language than the page stays out. A page that nobody has translated can be found
by its title and by the names in its code, which are the same in all languages.

The name of the index holds a hash, as the names of other files that pages share do; a browser that
has kept an old index will not search in it. If pages named the index themselves, every page would
change with every word of any page; so they name a file of one line that names it, which the browser
asks for anew each time.
"""

import builtins
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import takewhile
from keyword import kwlist
from xml.etree.ElementTree import ParseError

from pylit.anchors import shorten, slug
from pylit.cache import key_of
from pylit.math.reading import plain_text
from pylit.model import Language, Page, Row
from pylit.pieces import Pieces

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

KINDS = ("module", "markdown", "folder")


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


def search_scripts(
    pages: Sequence[Page],
    languages: Iterable[Language],
    source_language: Language,
    formulas: Mapping[str, str],
    pieces: Pieces,
) -> dict[str, bytes]:
    """
    The script with the index of each language, by the code of the language.

    `formulas` are the plain texts of formulas by their MathML, as far as they are known.
    """
    # Code is the same in all languages, so its names are looked for once.
    reader = Reader(formulas, {})
    return {
        language.code: script(
            [page for page in pages if page.language == language and page.kind in KINDS],
            language,
            source_language,
            reader,
            pieces,
        )
        for language in languages
    }


def script(
    pages: Sequence[Page],
    language: Language,
    source_language: Language,
    reader: "Reader",
    pieces: Pieces,
) -> bytes:
    """The index of one language."""
    prefix = "" if language == source_language else f"{language.code}/"
    listed: list[tuple[str, str, int]] = []
    units: list[tuple[str, ...]] = []
    places: list[tuple[int, Places]] = []
    for page in pages:
        address = page.address.removeprefix(prefix)
        translated = language == source_language or page.translation.translated > 0
        name = ("search", language.code, address)
        make = partial(recall_rows, name, page.rows, translated, reader, pieces)
        made = pieces.remake(name, (page.rows, translated), make)
        places.append((len(units), made.names))
        units.extend(made.units)
        listed.append((address, page.title, len(made.units)))
    # A few long texts of one kind each are smaller, once they are compressed, than many short ones.
    anchors, headings, defined, texts = (
        END.join(unit[part] for unit in units) for part in range(4)
    )
    # Whoever writes changes texts much more often than code.
    parts = (places, len(units))
    names, uses = pieces.remake(("names in code", language.code), parts, partial(join, *parts))
    index = {
        "folder": prefix,
        "pages": listed,
        "anchors": END.join(without_shared(anchors.split(END))),
        "headings": headings,
        "defined": defined,
        "texts": texts,
        "names": names,
        "uses": uses,
    }
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.pylitIndex={text};\n".encode()


def join(pages: Iterable[tuple[int, Places]], units: int) -> tuple[str, str]:
    """
    The names in the code of all pages, and the units that use each of them.

    With the names of a page comes the number of units before it; `units` are those of all pages.
    """
    places: dict[str, list[int]] = {}
    for before, names in pages:
        for name, using in names:
            places.setdefault(name, []).extend([before + unit for unit in using])
    most = max(100, units // 10)
    # Names stand as they come up, so those that are used together are near each other.
    kept = sorted(
        (name for name in places if len(places[name]) <= most),
        key=lambda name: (places[name][0], name),
    )
    firsts = [0, *(places[name][0] for name in kept)]
    uses = (steps(places[name], first) for name, first in zip(kept, firsts, strict=False))
    return " ".join(kept), " ".join(uses)


def recall_rows(
    name: tuple[str, str, str],
    rows: tuple[Row, ...],
    translated: bool,
    reader: "Reader",
    pieces: Pieces,
) -> Listed:
    """What the index has of a page, as an earlier build left it on disk, or read now."""
    kind, language, address = name
    key = key_of(pieces.key_of_value(("rows key", language, address), rows), repr(translated))
    make = partial(reader.read_rows, rows, translated=translated)
    return pieces.get(kind, key, Listed, make, address, language)


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


def without_shared(anchors: Iterable[str]) -> Iterator[str]:
    """Anchors with a dot for each part that they share with the last one before them."""
    before: list[str] = []
    for anchor in anchors:
        parts = anchor.split(".")
        pairs = zip(before, parts[:-1], strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        yield "." * shared + ".".join(parts[shared:])
        if anchor not in ("", "~"):
            before = parts


def steps(numbers: Sequence[int], before: int = 0) -> str:
    """
    Rising numbers as their differences, which are small and so take little room.

    The first one counts from `before`. Each difference is written with letters as digits, `a` for 0
    to `z` for 25; its last one is small and those before it are capitals, so that nothing has to
    stand in between.
    """
    written: list[str] = []
    for number in numbers:
        rest, last = divmod(number - before, 26)
        digits = chr(97 + last)
        while rest:
            rest, digit = divmod(rest, 26)
            digits = chr(65 + digit) + digits
        written.append(digits)
        before = number
    return "".join(written)


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
