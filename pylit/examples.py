"""
---
title: Examples
summary: A code block that a page shows twice, as it is written and as it comes out.
---
# Examples

A manual of a notation shows what to write and what comes of it. If the two are written down twice,
they differ after a year. The [directive](directives.html) `example` shows the code block below it
as it is written, and below that as a page of this site would show it; a module of Python becomes
sections, its prose beside its code.

Nothing of an example is a message for translators, a heading of the outline or a place in the
index: it speaks of itself and not of the page's subject.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from xml.etree.ElementTree import Element, SubElement

import markdown
from markdown.serializers import to_html_string

# The library ships no types.
from pymdownx.highlight import Highlight  # type: ignore[import-untyped]

from pylit.code import highlight
from pylit.markdown_page import parse_markdown
from pylit.model import Language, Module, Source, Token
from pylit.parse import parse


def read_example(text: str, kind: str, path: str, address: str, line: int) -> Module:
    """
    Split an example into sections. `line` is where its text begins in the file at `path`.

    Raises `ParseError`, with the line in that file, for what is not Python.
    """
    # Empty lines above it give each line of the example the number that it has in the file.
    above = "\n" * (line - 1)
    source = Source(path, address, "", above + text)
    return parse(source) if kind == "python" else parse_markdown(source)


def example_html(
    md: markdown.Markdown,
    text: str,
    kind: str,
    module: Module | None,
    prose: Sequence[str],
    language: Language,
) -> str:
    """
    An example as it is written, and as it comes out.

    `prose` is the HTML of each section of the module. An example that cannot be read, and so has no
    module, is shown as it is written. What `md` stashes comes back when it has read its page.
    """
    example = Element("div", {"class": "example"})
    written = SubElement(example, "div", {"class": "written"})
    shown = Highlight(md, use_pygments=True).highlight(text, kind, css_class="highlight")
    written.text = md.htmlStash.store(str(shown))
    if module is None:
        return str(to_html_string(example))
    result = SubElement(example, "div", {"class": "result"})
    if language.tag:
        result.set("lang", language.tag)
        result.set("dir", language.direction)
    lines = highlight(module.source.text)
    above = len(module.source.text.split("\n")) - len(text.split("\n"))
    for section, html in zip(module.sections, prose, strict=True):
        code = module.shown_lines(section)
        if not html.strip() and not code:
            continue
        row = SubElement(result, "div", {"class": "example-row"})
        if html.strip():
            SubElement(row, "div", {"class": "example-prose"}).text = md.htmlStash.store(html)
        if code:
            cell = SubElement(row, "div", {"class": "example-code"})
            for fold, part in groupby(code, key=itemgetter(1)):
                numbers = [number for number, _ in part]
                place = cell
                if fold:
                    place = SubElement(cell, "details", {"class": "fold"})
                    first, last = numbers[0] - above, numbers[-1] - above
                    span = str(first) if first == last else f"{first}–{last}"
                    SubElement(place, "summary").text = span
                block = SubElement(SubElement(place, "pre"), "code")
                for number in numbers:
                    add_line(block, number - above, lines[number - 1])
    return str(to_html_string(example))


def add_line(block: Element, number: int, tokens: Sequence[Token]) -> None:
    """Add a line of code with its number."""
    mark = SubElement(block, "span", {"class": "number"})
    mark.text, mark.tail = str(number), " "
    last = mark
    for token in tokens:
        if token.style:
            last = SubElement(block, "span", {"class": token.style})
            last.text = token.text
        else:
            last.tail = (last.tail or "") + token.text
    last.tail = (last.tail or "") + "\n"
