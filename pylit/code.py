"""
---
title: Highlighted code
summary: One lexer run for the whole module, cut by line.
---
# Highlighted code

Pygments reads a module once, as a whole, and the result is cut by line. So a string that goes over
a section's end keeps its colour, and no half of a bracket is ever marked as a fault.
"""

from collections.abc import Iterable

from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES
from pygments.token import Token as Any

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
        style = STANDARD_TYPES.get(kind, "")
        while style == "" and kind is not Any and kind.parent is not None:
            kind = kind.parent
            style = STANDARD_TYPES.get(kind, "")
        first, *rest = value.split("\n")
        add(lines[-1], style, first)
        for part in rest:
            lines.append([])
            add(lines[-1], style, part)
    return [shorten(line) for line in lines]


def add(line: list[Token], style: str, text: str) -> None:
    """Add a token to a line, joined with the one before where they look alike."""
    if not text:
        return
    style = "" if style in PLAIN else style
    if line and line[-1].style == style:
        line[-1] = Token(style, line[-1].text + text)
    else:
        line.append(Token(style, text))


def shorten(line: Iterable[Token]) -> tuple[Token, ...]:
    """Leave a very long line without colours."""
    tokens = tuple(line)
    text = "".join(token.text for token in tokens)
    return (Token("", text),) if len(text) > LONG_LINE else tokens
