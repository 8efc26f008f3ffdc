"""
---
title: Directives
summary: Comments that begin with pylit say what a page hides, folds, joins, names or shows.
---
# Directives

A directive is a comment that begins with `pylit:`, in the form that comments have where it stands:

| where | written |
|---|---|
| in Python, on a line of its own or behind code | `# pylit: fold` |
| in a docstring or a Markdown page, on a line of its own | `<!-- pylit: fold The proof -->` |

Python ignores it, formatters leave it alone, and a reader of the Markdown elsewhere does not see
it. There are few:

| directive | does | may stand |
|---|---|---|
| `code` | the comment below stays code | in Python |
| `hide` … `end` | leaves out what is between; behind code, its whole statement | anywhere |
| `fold` … `end` | shows closed what is between, to be opened by the reader | anywhere |
| `break` | starts a section | in Python |
| `join` | what follows starts no section, and goes on with the one above | in Python |
| `anchor NAME` | a place that links can name | in prose |
| `figure` | the picture below has the rest of its paragraph as its caption | in prose |
| `example` | the code block below is shown as it is written, and as it comes out | in prose |

Comments of Python are prose, so what may stand in prose may stand among them. A directive that
nobody knows, or that stands where it cannot work, is a problem with its line and does nothing;
what is around it is shown as if it were not there.

This module knows the names, where they may stand, and what is wrong with one.
[Python](directives_python.html) and [prose](directives_prose.html) have a reader each.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pylit.model import Problem

Place = Literal["alone", "behind", "prose"]
"""Where a directive stands: a comment line of Python, a comment behind code, or Markdown."""

BLOCKS = ("hide", "fold")
IN_PROSE = ("anchor", "figure", "example")
KNOWN: dict[str, tuple[Place, ...]] = {
    "code": ("alone",),
    "hide": ("alone", "behind", "prose"),
    "fold": ("alone", "behind", "prose"),
    "end": ("alone", "prose"),
    "break": ("alone",),
    "join": ("alone",),
    "anchor": ("alone", "prose"),
    "figure": ("alone", "prose"),
    "example": ("alone", "prose"),
}
"""The names of the directives, and where each may stand."""

IN_COMMENT = re.compile(r"#\s*pylit:\s*(?P<name>[\w-]*)(?P<words>.*)$")
BEHIND = re.compile(r"(?:^|\s+)#\s*pylit:")
"""Where a directive begins in a comment that may hold more."""

IN_MARKDOWN = re.compile(r" {0,3}<!--\s*pylit:\s*(?P<name>[\w-]*)(?P<words>.*?)-->\s*$")
ANCHOR_NAME = re.compile(r"[^\W\d_][\w.-]*")
# The page itself gives such names to lines, sections and its own parts.
TAKEN_NAME = re.compile(r"L\d+|section-\d+|pylit-.*")


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive as it is written: its name, the words behind it, its line, and where it is."""

    name: str
    words: str
    line: int
    place: Place

    def __str__(self) -> str:
        """The directive as its author wrote it."""
        inside = f"pylit: {self.name} {self.words}".rstrip()
        return f"<!-- {inside} -->" if self.place == "prose" else f"# {inside}"


def find_fault(directive: Directive) -> str:
    """Say what is wrong with a directive by itself, and what to do. Empty where nothing is."""
    name, words, place = directive.name, directive.words, directive.place
    if name not in KNOWN:
        close = difflib.get_close_matches(name.lower(), KNOWN, 1)
        advice = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(KNOWN)}"
        return f"there is no directive {name!r}; {advice}"
    if place not in KNOWN[name]:
        return f"{directive} cannot stand here; {RIGHT_PLACE[place]}"
    if name == "anchor":
        if not ANCHOR_NAME.fullmatch(words):
            return (
                "an anchor needs a name of letters, digits, dots and hyphens that starts with a"
                f" letter, not {words!r}"
            )
        if TAKEN_NAME.fullmatch(words):
            return f"the page itself uses names such as {words!r}; give the anchor another one"
    elif name == "fold" and place == "prose":
        if not words:
            return "a fold in prose needs a title for readers: <!-- pylit: fold The proof -->"
    elif words:
        return f"{name!r} takes no words; remove {words!r}"
    return ""


RIGHT_PLACE: dict[Place, str] = {
    "alone": "remove it",
    "behind": "write it on a line of its own",
    "prose": "it is for Python; write it as a comment in the code",
}


def blocks(
    directives: Sequence[Directive], path: str
) -> tuple[list[tuple[Directive, Directive]], list[Problem]]:
    """Pair each `hide` and `fold` with its `end`. They do not stand inside each other."""
    pairs: list[tuple[Directive, Directive]] = []
    problems: list[Problem] = []
    opened: Directive | None = None

    def complain(directive: Directive, message: str) -> None:
        problems.append(problem(path, directive, message))

    for directive in directives:
        if directive.name in BLOCKS and directive.place != "behind":
            if opened:
                complain(
                    directive,
                    f"{opened.name!r} of line {opened.line} is still open; end it before this line",
                )
            else:
                opened = directive
        elif directive.name == "end":
            if opened:
                pairs.append((opened, directive))
                opened = None
            else:
                complain(directive, "there is nothing to end here; remove it")
    if opened:
        end = Directive("end", "", 0, opened.place)
        complain(opened, f"{opened.name!r} has no end; write {end} below the last line of it")
    return pairs, problems


def problem(path: str, directive: Directive, message: str) -> Problem:
    """A problem at the line of a directive."""
    return Problem(path, directive.line, 1, message, code="directive")
