"""
---
title: Lists in docstrings
summary: A list directly below a sentence gets the empty line without which Markdown sees none.
---
# Lists in docstrings

Most authors write

    A backend has to:
    - be imported only when it is needed
    - be installed by whoever needs it

and Markdown, which wants an empty line before a list, would run it all together. Two items or more
below a sentence are a list, and so is a single one below a colon. A list that is indented below its
sentence comes to the margin, where it would be code otherwise. Formulas and code are left alone:
there a line may well begin with a minus sign.
"""

import re
from collections.abc import Sequence

from pylit.docstring_lines import FENCE, Line, indent_of, is_blank, moved

ITEM = re.compile(r"\s*(?:(?P<sign>[-*+])|(?P<number>\d+)[.)])\s+\S")
LIST_BELOW = re.compile(r"\S[^\n]*\n[^\S\n]*(?:[-*+]|1[.)])\s+\S")
"""Text in which a list may stand directly below a line; without it there is nothing to do."""

OPENS = re.compile(r"\\begin\{|\\\[")
CLOSES = re.compile(r"\\end\{|\\\]")
RULE = re.compile(r"\s*(?:[-*+]\s*){3,}$")
DEFINITION = re.compile(r":\s+")
CONTAINER = re.compile(r"\s*(?:[-*+]\s|\d+[.)]\s|:\s|!!!)")
"""The first line of what holds indented text: an item, a definition, an admonition."""

CODE_INDENT = 4
"""So far behind its paragraph Markdown takes a line for code."""


def part_lists(lines: Sequence[Line]) -> list[Line]:
    """Put an empty line before each list that stands directly below a sentence."""
    made: list[Line] = []
    fence = ""
    depth = dollars = shift = 0
    listing = False
    for index, line in enumerate(lines):
        text = line.text
        if mark := FENCE.match(text):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        plain = not (fence or line.code or depth > 0 or dollars % 2)
        if is_blank(line):
            listing, shift = False, 0
        elif plain and is_list(lines, index, listing=listing):
            listing = True
            deeper = indent_of(line) - content_indent(lines[index - 1])
            shift = deeper if deeper >= CODE_INDENT else 0
            made.append(moved("", line))
        elif ITEM.match(text) and (not index or is_blank(lines[index - 1])):
            listing = True
        made.append(line.with_text(text[min(shift, indent_of(line)) :]))
        if not fence:
            dollars += text.count("$$")
            depth += len(OPENS.findall(text)) - len(CLOSES.findall(text))
    return made


def is_list(lines: Sequence[Line], index: int, *, listing: bool) -> bool:
    """Tell whether a list begins at a line, directly below a sentence, be it that of an item."""
    first = ITEM.match(lines[index].text)
    if not first or not index or RULE.match(lines[index].text):
        return False
    above = lines[index - 1]
    if is_blank(above) or above.code or above.text.lstrip().startswith(("!!!", ">>>", "|", "...")):
        return False
    if first["number"] not in (None, "1") or is_code(lines, index - 1):
        return False
    if above.text.rstrip().endswith(":"):
        return not (listing and ITEM.match(above.text))
    if listing:
        return False
    margin = indent_of(lines[index])
    for line in lines[index + 1 :]:
        if is_blank(line) or indent_of(line) < margin:
            return False
        other = ITEM.match(line.text)
        if other and indent_of(line) == margin and other["sign"] == first["sign"]:
            return True
    return False


def is_code(lines: Sequence[Line], index: int) -> bool:
    """Tell code by its indentation, which nothing above accounts for."""
    margin = indent_of(lines[index])
    return margin >= CODE_INDENT and not any(
        CONTAINER.match(line.text) and indent_of(line) < margin for line in lines[:index]
    )


def content_indent(line: Line) -> int:
    """How far the text of a line is indented, be it that of a definition."""
    found = DEFINITION.match(line.text.lstrip())
    return indent_of(line) + (found.end() if found else 0)
