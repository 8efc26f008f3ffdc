"""
---
title: Highlighted code
summary: One lexer run for the whole module, cut by line.
---
# Highlighted code

Pygments [reads](lexer.html) a module once, as a whole, and the result is cut by line. So a string
that goes over a section's end keeps its colour, and no half of a bracket is ever marked as a fault.
Names whose [definition](references.html) is certain become links.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from pygments.token import STANDARD_TYPES
from pygments.token import Token as Any
from pygments.token import _TokenType as TokenType

from pylit.directives import BEHIND, IN_COMMENT, KNOWN
from pylit.lexer import FusedLexer
from pylit.model import Token

LONG_LINE = 4_000
"""A longer line is written by a machine; colouring each of its signs would only slow a browser."""

NUMBERS = re.compile(r"(?<=,)(?:[ \t]*-?\d(?:[\w.]|(?<=[eE])[-+])*,)+")
"""Numbers between commas. After them code goes on as it would have without them."""

PLAIN = frozenset({"", "n", "w"})
"""Style classes that look like plain text need no element of their own."""


def highlight(text: str) -> list[tuple[Token, ...]]:
    """Split Python into lines of styled tokens: one entry for each line of the text."""
    written = text.split("\n")
    # A table of numbers is most of what very long lines hold, and reading it is most of the time
    # that such a file takes; since the line is shown without colours, they need not be read. Where
    # a directive stands behind them, what is left of the line is asked for.
    read = [
        NUMBERS.sub("", own) if len(own) > LONG_LINE and "pylit:" not in own else own
        for own in written
    ]
    lines: list[list[Token]] = []
    line: list[Token] = []
    # The token that is being put together, as neighbours of one style are one token.
    style, parts = "", [""]
    for _, kind, value in FusedLexer().get_tokens_unprocessed("\n".join(read)):
        own = style_of(kind)
        if own != style:
            add(line, style, parts)
            style, parts = own, []
        if "\n" not in value:
            parts.append(value)
            continue
        first, *rest = value.split("\n")
        parts.append(first)
        for part in rest:
            add(line, style, parts)
            lines.append(line)
            line, parts = [], [part]
    add(line, style, parts)
    lines.append(line)
    result: list[tuple[Token, ...]] = []
    for own, short, shown in zip(written, read, map(without_directive, lines), strict=True):
        if len(own) > LONG_LINE:
            result.append(shorten(shown if own == short else (Token("", own),)))
        else:
            result.append(tuple(shown))
    return result


def add(line: list[Token], style: str, parts: Sequence[str]) -> None:
    """Add a token to a line, unless it would be empty."""
    text = "".join(parts)
    if text:
        line.append(Token(style, text))


@cache
def style_of(kind: TokenType) -> str:
    """The style class of a kind of token, or of the next more general kind that has one."""
    while not STANDARD_TYPES.get(kind) and kind is not Any and kind.parent is not None:
        kind = kind.parent
    style = STANDARD_TYPES.get(kind, "")
    return "" if style in PLAIN else style


def link(line: Sequence[Token], links: Sequence[tuple[int, int, str]]) -> tuple[Token, ...]:
    """
    Give a line its links: each is where a name starts, where it ends, and where it leads.

    A token that a link only partly covers is cut; the parts of a dotted name are one link each.
    """
    if not links:
        return tuple(line)
    result: list[Token] = []
    end = 0
    for token in line:
        start, end = end, end + len(token.text)
        inside = [each for each in links if each[0] < end and start < each[1]]
        if not inside:
            result.append(token)
            continue
        cuts = {start, end, *(at for each in inside for at in each[:2] if start < at < end)}
        for left, right in pairwise(sorted(cuts)):
            href = next((to for first, last, to in inside if first <= left and right <= last), "")
            result.append(Token(token.style, token.text[left - start : right - start], href))
    return tuple(merge_links(result))


def merge_links(tokens: Iterable[Token]) -> list[Token]:
    """Join neighbours that lead to the same place: `nn.Linear` is one link, not three."""
    merged: list[Token] = []
    for token in tokens:
        if merged and token.href and merged[-1].href == token.href:
            merged[-1] = Token("", merged[-1].text + token.text, token.href)
        else:
            merged.append(token)
    return merged


def without_directive(line: list[Token]) -> list[Token]:
    """Leave out a directive behind code, and the space before it; it is not for readers."""
    if not line or not line[-1].style.startswith("c"):
        return line
    start = BEHIND.search(line[-1].text)
    written = IN_COMMENT.match(line[-1].text[start.start() :].strip()) if start else None
    if start is None or written is None or written["name"] not in KNOWN or not line[:-1]:
        return line
    rest = line[-1].text[: start.start()].rstrip()
    kept = [*line[:-1], *([Token(line[-1].style, rest)] if rest else [])]
    kept[-1] = Token(kept[-1].style, kept[-1].text.rstrip(), kept[-1].href)
    return kept if kept[-1].text else kept[:-1]


def shorten(line: Sequence[Token]) -> tuple[Token, ...]:
    """A very long line, without colours."""
    return (Token("", "".join(token.text for token in line)),)
