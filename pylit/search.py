"""
---
title: Search
summary: One index a language, which a browser reads without a server.
---
# Search

A site has no server that could be asked, and may be opened from a disk, where a page can fetch
nothing. So the index is a script that assigns one value; a page loads it when a reader searches for
the first time, and looks through it with `templates/scripts/find.js`.

The index holds the text of each section and, for each name in the code, the sections that use it.
It does not cut the text into words: looking through all of it takes a browser some milliseconds,
finds any run of Chinese or Japanese characters, which no dictionary of words does, and shows a hit
among the words around it.

What is in another language than the page stays out. A page that nobody has translated can be found
by its title and by the names in its code, which are the same in all languages.

The name of the index holds a hash, as the names of other files that pages share do; a browser that
has kept an old index will not search in it. If pages named the index themselves, every page would
change with every word of any page; so they name a file of one line that names it, which the browser
asks for anew each time.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from keyword import kwlist
from xml.etree.ElementTree import ParseError

from markupsafe import Markup

from pylit.math.reading import plain_text
from pylit.model import Language, Page, Row

TAG = re.compile(r"(<[^>]+>)")
TAG_NAME = re.compile(r"</?([a-zA-Z0-9-]+)")
HEADING = re.compile(r"h[1-6]")
ANCHOR = re.compile(r'\bid="([^"]*)"')
FOREIGN = re.compile(r'\bclass="(?:[^"]* )?untranslated(?: [^"]*)?"')
FORMULA = re.compile(r"<mjx-container.*?(?:(<math[ >].*?</math>).*?)?</mjx-container>", re.DOTALL)
NAME = re.compile(r"[^\W\d]\w+")
INLINE = re.compile(
    r"a|abbr|b|bdi|cite|code|del|dfn|em|i|img|ins|kbd|mark|math|q|s|samp|small|span|strong|sub|sup"
    r"|u|var|wbr"
)
"""What stands within a line of text. The ends of all other elements keep words apart."""

VOID = frozenset({"br", "hr", "img", "input", "wbr", "col"})
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

    def listed(self) -> list[str | int]:
        """The unit as the index has it; 1 stands for a name that is the anchor too, as most are."""
        name = 1 if self.name and self.name == self.anchor else self.name
        return [self.anchor, self.heading, name, squeeze("".join(self.text))]


def search_scripts(
    pages: Sequence[Page], languages: Iterable[Language], source_language: Language
) -> dict[str, bytes]:
    """The script with the index of each language, by the code of the language."""
    names: dict[tuple[str, ...], list[str]] = {}
    return {
        language.code: script(
            [page for page in pages if page.language == language and page.kind in KINDS],
            language,
            source_language,
            names,
        )
        for language in languages
    }


def script(
    pages: Sequence[Page],
    language: Language,
    source_language: Language,
    known: dict[tuple[str, ...], list[str]],
) -> bytes:
    """The index of one language; `known` are the names in code that another one has looked up."""
    prefix = "" if language == source_language else f"{language.code}/"
    listed: list[list[object]] = []
    places: dict[str, list[int]] = {}
    count = 0
    for page in pages:
        translated = language == source_language or page.translation.translated > 0
        units: list[Unit] = []
        starts: list[int] = []
        for row in page.rows:
            code = tuple(str(line.html) for line in row.code)
            if code not in known:
                known[code] = names_in(code)
            # Code without prose goes on from the section before it, as the page shows it.
            goes_on = bool(units) and not row.prose and row.kind in ("code", "comment")
            here = count + (starts[-1] if goes_on else len(units))
            for name in known[code]:
                found = places.setdefault(name, [])
                if not found or found[-1] != here:
                    found.append(here)
            if not goes_on:
                starts.append(len(units))
                units.extend(read_row(row, translated=translated))
        units = units or [Unit("")]
        # A page is found at its top, not at its first section.
        units[0].anchor = ""
        count += len(units)
        address = page.address.removeprefix(prefix)
        listed.append([address, page.title, [unit.listed() for unit in units]])
    index: Mapping[str, object] = {
        "folder": prefix,
        "pages": listed,
        "names": {name: steps(places[name]) for name in sorted(places)},
    }
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.pylitIndex={text};\n".encode()


def steps(numbers: Sequence[int]) -> list[int]:
    """Rising numbers as their differences, which are small and so take little room."""
    return [number - before for before, number in zip([0, *numbers], numbers, strict=False)]


def names_in(code: Sequence[str]) -> list[str]:
    """The names in lines of highlighted code, but for Python's own words."""
    text = Markup(TAG.sub("", "\n".join(code))).unescape()
    return sorted(set(NAME.findall(text)).difference(kwlist))


def read_row(row: Row, *, translated: bool) -> Iterator[Unit]:
    """The units of a section: what stands before its first heading, and one for each heading."""
    unit = Unit(row.anchor, row.name if row.kind in ("class", "function") else "")
    if not translated:
        yield unit
        return
    within = ""
    title: list[str] = []
    for tag, text in own_text(FORMULA.sub(read_formula, row.prose)):
        name = TAG_NAME.match(tag)
        if name and HEADING.fullmatch(name[1]):
            if tag.startswith("</"):
                unit.heading, within = squeeze("".join(title)), ""
            else:
                within, title = name[1], []
                anchor = ANCHOR.search(tag)
                if anchor and (unit.heading or "".join(unit.text).strip()):
                    yield unit
                    unit = Unit(str(Markup(anchor[1]).unescape()))
        space = " " if name and not INLINE.fullmatch(name[1]) else ""
        (title if within else unit.text).append(space + text)
    yield unit


def own_text(html: str) -> Iterator[tuple[str, str]]:
    """The tags of a piece of HTML, each with the text behind it; foreign text is left out."""
    depth = 0
    pieces = TAG.split(html)
    for tag, text in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        name = TAG_NAME.match(tag)
        if name and (depth or FOREIGN.search(tag)) and name[1] not in VOID:
            depth += -1 if tag.startswith("</") else 1
        yield tag, "" if depth else str(Markup(text).unescape())


def read_formula(found: re.Match[str]) -> str:
    """A formula as it is read aloud in one line: `softmax(b)`, without any TeX."""
    return str(Markup.escape(formula_text(found[1]))) if found[1] else ""


@cache
def formula_text(mathml: str) -> str:
    """The plain text of a formula; many stand on a page in each of its languages."""
    try:
        return plain_text(mathml)
    except ParseError:
        # It is MathML for a browser, which forgives more than XML does.
        return str(Markup(TAG.sub(" ", mathml)).unescape())


def squeeze(text: str) -> str:
    """A text with one space where there was any white space."""
    return " ".join(text.split())
