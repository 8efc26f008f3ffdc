"""
---
title: Search
summary: One index a language, which a browser reads without a server.
---
# Search

A site has no server that could be asked, and may be opened from a disk, where a page can fetch
nothing. So the index is a script that assigns one value; a page loads it when a reader searches for
the first time, and looks through it with `templates/scripts/find.js`.

The index holds the [text of each section](search_units.html) and, for each name in the code, the
sections that use it; Python's own words, such as `for`, `len` and `self`, are on every page and
lead nowhere. The same is true of a name that more than a tenth of all sections use; it is found
where it is defined, and where the text speaks of it. The index does not cut the text into words:
looking through all of it takes a browser some milliseconds, finds any run of Chinese or Japanese
characters, which no dictionary of words does, and shows a hit among the words around it.

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

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from pylit.cache import key_of
from pylit.model import Language, Page, Row
from pylit.pieces import Pieces
from pylit.search_units import END, Listed, Places, Reader

KINDS = ("module", "markdown", "folder")


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
    reader: Reader,
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
    reader: Reader,
    pieces: Pieces,
) -> Listed:
    """What the index has of a page, as an earlier build left it on disk, or read now."""
    kind, language, address = name
    key = key_of(pieces.key_of_value(("rows key", language, address), rows), repr(translated))
    make = partial(reader.read_rows, rows, translated=translated)
    return pieces.get(kind, key, Listed, make, address, language)


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
