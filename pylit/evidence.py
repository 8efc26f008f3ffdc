"""
---
title: Evidence
summary: What a module printed, drew and computed with when it ran, stored beside it as text.
---
# Evidence

A page says what the code does; the evidence shows it. A module's demonstration is
[run](evidence_run.html) by its author, not by the build, and what it printed, the figures that it
drew and the shapes that it computed with are stored beside the module and kept in version control:

| file | holds |
|---|---|
| `mha.evidence/output.txt` | what the demonstration printed, with its colour codes |
| `mha.evidence/1-table.svg` | the figures, in their order |
| `mha.evidence/shapes.txt` | the [shapes](shapes.html) at each line |
| `mha.evidence/code.txt` | a hash of the code that ran, without comments and docstrings |

So a page is built without running anything, and a build needs none of the module's libraries.

The captions and labels of the figures are messages of the page like its prose, and stand in its
catalogue. What was printed stays as it was printed, in all languages.
"""

import os
import re
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from ansi2html import Ansi2HTMLConverter
from markupsafe import Markup, escape

from pylit.cache import key_of
from pylit.catalog import Catalog
from pylit.docstring import find_docstrings
from pylit.model import Figure, Language, Message, Module, Page, Problem, Source
from pylit.parse import read_tokens, read_tree
from pylit.pieces import Pieces
from pylit.shapes import read_shapes

OUTPUT, SHAPES, CODE = "output.txt", "shapes.txt", "code.txt"
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = frozenset({"svg", "title", "desc", "path", "text"})
"""All elements that our figures consist of. None of them can load or run anything."""

BLANKS = re.compile(r"\n{3,}")
STYLED = re.compile(r"(?:\x1b\[[0-9;]*m)+")
ANCHOR = "pylit-evidence"
"""Where a page shows its evidence."""

WORDS = re.compile(r'<(title|desc|text class="words")(?=[ >])([^>]*)>([^<]*)(?=<)')
LETTER = re.compile(r"[^\W\d_]")
EMPTY = re.compile(r"<span[^>]*></span>")
# On spaces a style is only seen where it draws a line or fills the ground.
SEEN_ON_SPACES = r"ansi(?:4|7|9|4\d|10\d)\b"
BLANK = re.compile(rf"<span(?:(?!{SEEN_ON_SPACES})[^>])*>(\s+)</span>")
NEIGHBOURS = re.compile(
    r"<span([^>]*)>([^<]*)</span><span\1>"
    rf"|<span((?:(?!{SEEN_ON_SPACES})[^>])*)>([^<]*)</span>(\s+)<span\3>"
)
OTHER_CODE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-ln-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^\[\]])")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a page shows of a run. `shapes` are by line number."""

    output: Markup
    figures: tuple[Figure, ...]
    shapes: Mapping[int, str]


def evidence_folder(path: str) -> str:
    """Where the evidence of a module is stored: beside it, under its name."""
    place = PurePosixPath(path)
    return place.with_name(f"{place.stem}.evidence").as_posix()


def plain(printed: str) -> str:
    """
    What is left on a screen of what a program printed.

    A line that was written over is gone, and so are codes that move the cursor. Codes of style
    stay, without those that do nothing. Several empty lines become one.
    """
    lines = []
    for line in OTHER_CODE.sub("", printed.replace("\r\n", "\n")).split("\n"):
        written = [part for part in line.split("\r") if part.strip()]
        lines.append(written[-1].rstrip() if written else "")
    text = BLANKS.sub("\n\n", settle("\n".join(lines))).strip("\n")
    return f"{text}\n" if text else ""


def settle(text: str) -> str:
    """Drop codes of style that change nothing: those before a reset, and resets of no style."""
    styled = False

    def shorten(found: re.Match[str]) -> str:
        nonlocal styled
        codes = found[0].replace("\x1b[m", "\x1b[0m").split("\x1b[0m")
        reset = len(codes) > 1 and styled
        styled = bool(codes[-1]) or (len(codes) == 1 and styled)
        return ("\x1b[0m" if reset else "") + codes[-1]

    return STYLED.sub(shorten, text)


def stored_files(folder: Path) -> dict[str, str]:
    """The stored evidence of a module, by the names of the files."""
    files = sorted([*folder.glob("*.txt"), *folder.glob("*.svg")], key=order)
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def order(file: Path) -> tuple[int, str]:
    """Figures are in the order of their numbers."""
    number = file.name.partition("-")[0]
    return int(number) if number.isdecimal() else 0, file.name


def code_hash(source: Source) -> str:
    """
    What `code.txt` holds: a hash of all lines of code.

    Comments, docstrings and empty lines are left out, as they change nothing of what is shown.
    Raises `ParseError` where the source is not Python.
    """
    lines = source.text.split("\n")
    tokens = read_tokens(source)
    for docstring in find_docstrings(read_tree(source), tokens, lines).values():
        for number in range(docstring.span.first, docstring.span.last + 1):
            lines[number - 1] = ""
    for token in tokens:
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]]
    return key_of(*(line.rstrip() for line in lines if line.strip())) + "\n"


def read_evidence(
    root: Path, source: Source, pieces: Pieces | None = None
) -> tuple[Evidence | None, list[Problem]]:
    """
    The evidence of a module, if there is any, and what is wrong with it.

    The source must be Python. `pieces` remember what earlier builds found.
    """
    path = evidence_folder(source.path)
    if not os.path.isdir(root / path):
        return None, []
    try:
        files = stored_files(root / path)
    except (OSError, UnicodeDecodeError):
        message = f"the evidence cannot be read; run pylit run {source.path}"
        return None, [Problem(path, 0, 0, message, "warning", "evidence")]
    problems: list[Problem] = []
    figures: list[Figure] = []
    for name, text in files.items():
        if name.endswith(".svg"):
            figure = read_figure(name, text)
            if figure:
                figures.append(figure)
            else:
                message = f"this is not a figure that pylit drew; run pylit run {source.path}"
                problems.append(Problem(f"{path}/{name}", 0, 0, message, "warning", "evidence"))
    shapes, gone = read_shapes(files.get(SHAPES, ""), source.text)
    if gone:
        message = (
            f"the shapes of {len(gone)} line{'s' * (len(gone) > 1)} are out of date, as the code"
            f" has changed; run pylit run {source.path}"
        )
        problems.append(Problem(f"{path}/{SHAPES}", gone[0], 1, message, "warning", "evidence"))
    elif CODE in files:
        step = ("evidence", "", source.address)
        now = (pieces or Pieces()).remake(step, (source,), partial(code_hash, source))
        if now != files[CODE]:
            message = (
                "the code has changed since this was recorded, and may show something else now;"
                f" run pylit run {source.path}"
            )
            problems.append(Problem(f"{path}/{CODE}", 1, 1, message, "warning", "evidence"))
    return Evidence(styled(files.get(OUTPUT, "")), tuple(figures), shapes), problems


def styled(output: str) -> Markup:
    """What was printed, its colour codes as style classes. The library escapes the text."""
    if not output:
        return Markup()
    converter = Ansi2HTMLConverter(inline=False, scheme="xterm")
    return Markup(joined(converter.convert(output.rstrip("\n"), full=False)))


def joined(html: str) -> str:
    """The same styles in as few elements as can be: programs often style each sign by itself."""
    html = BLANK.sub(r"\1", EMPTY.sub("", html))
    count = 1
    while count:
        html, count = NEIGHBOURS.subn(join, html)
    return html


def join(found: re.Match[str]) -> str:
    """The beginning of two neighbours of one style, which have become one."""
    style, text, same, before, space = found.groups()
    return f"<span{style}>{text}" if style is not None else f"<span{same}>{before}{space}"


def read_figure(name: str, text: str) -> Figure | None:
    """A stored figure. One that holds more than a drawing of ours is not shown."""
    if "<!" in text or "<?" in text:
        return None
    try:
        top = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    for element in top.iter():
        if element.tag.removeprefix(SVG) not in DRAWN:
            return None
        for key, value in element.attrib.items():
            if key.startswith(("on", "{")) or key in ("href", "style") or "url(" in value:
                return None
    title = top.find(f"{SVG}title")
    caption = " ".join((title.text or "").split()) if title is not None else ""
    labels = [
        " ".join((label.text or "").split())
        for label in top.iter(f"{SVG}text")
        if label.get("class") == "words"
    ]
    return Figure(
        name.removesuffix(".svg").partition("-")[2],
        caption,
        Markup(text.strip()),
        tuple(dict.fromkeys(label for label in labels if LETTER.search(label))),
    )


def figure_texts(figures: Iterable[Figure]) -> tuple[str, ...]:
    """What can be translated of figures: each caption, then the labels of its figure."""
    texts = (text for figure in figures for text in (figure.caption, *figure.labels))
    return tuple(dict.fromkeys(text for text in texts if text))


def figure_messages(module: Module) -> list[Message]:
    """The messages of a module's figures, each with the line of the source that has its words."""
    lines = module.source.text.split("\n")

    def place(text: str) -> int:
        return next((number for number, line in enumerate(lines, 1) if text in line), 1)

    return [Message(text, "figure", ANCHOR, place(text)) for text in module.figure_texts]


def translate_figure(figure: Figure, catalog: Catalog | None, source: Language) -> Figure:
    """A figure in the language of a catalogue; what has no translation is marked as original."""
    entries = ((text, catalog and catalog.find(text)) for text in figure_texts([figure]))
    known = {text: entry.text for text, entry in entries if entry}
    # A description is made of labels and numbers. Of two labels that begin alike the longer counts.
    parts = sorted(known, key=len, reverse=True)
    label = re.compile("|".join(rf"(?<!\w){re.escape(part)}(?!\w)" for part in parts) or r"(?!)")

    def put(found: re.Match[str]) -> str:
        tag, attributes, text = found[1], found[2], " ".join(Markup(found[3]).unescape().split())
        if tag == "desc":
            text = label.sub(lambda part: known[part[0]], text)
        elif text in known:
            text = known[text]
        elif LETTER.search(text):
            attributes += f' lang="{source.tag}"'
        return f"<{tag}{attributes}>{escape(text)}"

    return replace(
        figure,
        caption=known.get(figure.caption, figure.caption),
        svg=Markup(WORDS.sub(put, figure.svg)),
        translated=figure.caption in known,
    )


def with_evidence(
    page: Page, evidence: Evidence | None, catalog: Catalog | None, source: Language
) -> Page:
    """A page with what its module showed when it ran. `source` is the language of the sources."""
    if evidence is None:
        return page
    figures = evidence.figures
    if page.language != source:
        figures = tuple(translate_figure(figure, catalog, source) for figure in figures)
    shapes = evidence.shapes
    rows = tuple(
        replace(
            row,
            code=tuple(
                replace(line, shapes=shapes[line.number]) if line.number in shapes else line
                for line in row.code
            ),
        )
        for row in page.rows
    )
    return replace(
        page,
        rows=rows,
        figures=figures,
        output=evidence.output,
        has_shapes=any(line.shapes for row in rows for line in row.code),
    )
