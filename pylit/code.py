"""
---
title: Highlighted code
summary: One lexer run for the whole module, cut by line.
---
# Highlighted code

Pygments reads a module once, as a whole, and the result is cut by line. So a string that goes over
a section's end keeps its colour, and no half of a bracket is ever marked as a fault. Names whose
[definition](references.html) is certain become links.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES
from pygments.token import Token as Any
from pygments.token import _TokenType as TokenType

from pylit.directives import BEHIND, IN_COMMENT, KNOWN
from pylit.model import Token

LONG_LINE = 4_000
"""A longer line is written by a machine; colouring each of its signs would only slow a browser."""

PLAIN = frozenset({"", "n", "w"})
"""Style classes that look like plain text need no element of their own."""


def highlight(text: str) -> list[tuple[Token, ...]]:
    """Split Python into lines of styled tokens: one entry for each line of the text."""
    lexer = PythonLexer(stripnl=False, stripall=False, ensurenl=False)
    lines: list[list[Token]] = [[]]
    for kind, value in lexer.get_tokens(text):
        style = style_of(kind)
        if "\n" not in value:
            add(lines[-1], style, value)
            continue
        first, *rest = value.split("\n")
        add(lines[-1], style, first)
        for part in rest:
            lines.append([])
            add(lines[-1], style, part)
    return [shorten(without_directive(line)) for line in lines]


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
    position = 0
    for token in line:
        start, end = position, position + len(token.text)
        cuts = {start, end}
        for first, last, _ in links:
            cuts.update(at for at in (first, last) if start < at < end)
        points = sorted(cuts)
        for left, right in pairwise(points):
            href = next((to for first, last, to in links if first <= left and right <= last), "")
            result.append(Token(token.style, token.text[left - start : right - start], href))
        position = end
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


def add(line: list[Token], style: str, text: str) -> None:
    """Add a token to a line, joined with the one before where they look alike."""
    if not text:
        return
    if line and line[-1].style == style:
        line[-1] = Token(style, line[-1].text + text)
    else:
        line.append(Token(style, text))


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


def shorten(line: Iterable[Token]) -> tuple[Token, ...]:
    """Leave a very long line without colours."""
    tokens = tuple(line)
    if sum(len(token.text) for token in tokens) <= LONG_LINE:
        return tokens
    return (Token("", "".join(token.text for token in tokens)),)
