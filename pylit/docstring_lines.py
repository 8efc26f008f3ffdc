"""
---
title: Lines on their way to Markdown
summary: A line of a docstring with its number in the file, and what is indented below it.
---
# Lines on their way to Markdown
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

FENCE = re.compile(r"\s*(`{3,}|~{3,})")
"""The line above or below code."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its text, its number in the file, and whether it is code, where all signs stand."""

    text: str
    number: int
    code: bool = False

    def with_text(self, text: str) -> "Line":
        """Another text in this place."""
        return replace(self, text=text)

    def as_code(self) -> "Line":
        """The same line as code."""
        return replace(self, code=True)


def moved(text: str, line: Line, *, code: bool = False) -> Line:
    """A line that is added, and belongs to another one."""
    return Line(text, line.number, code)


def is_blank(line: Line) -> bool:
    """Tell an empty line."""
    return not line.text.strip()


def indent_of(line: Line) -> int:
    """How far a line is indented."""
    return len(line.text) - len(line.text.lstrip())


def block(lines: Sequence[Line], start: int, indent: int) -> tuple[list[Line], int]:
    """
    What is indented deeper than `indent` from a line on, brought to the margin, and where it ends.

    Empty lines inside belong to it, those around it do not.
    """
    end = last = start
    while end < len(lines) and (is_blank(lines[end]) or indent_of(lines[end]) > indent):
        end += 1
        if not is_blank(lines[end - 1]):
            last = end
    return at_margin(lines[start:last]), last


def at_margin(lines: Sequence[Line]) -> list[Line]:
    """Lines without the indentation that all of them have, and without empty ones before them."""
    kept = list(lines)
    while kept and is_blank(kept[0]):
        kept.pop(0)
    margin = min((indent_of(line) for line in kept if not is_blank(line)), default=0)
    return [line.with_text(line.text[margin:]) for line in kept]


def indented(lines: Sequence[Line], margin: str = "    ") -> list[Line]:
    """Lines moved to the right."""
    return [line.with_text(margin + line.text if line.text else "") for line in lines]
