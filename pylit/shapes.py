"""
---
title: Shapes, line by line
summary: Which sizes the arrays of a module have, seen while it runs, kept by the text of the line.
---
# Shapes, line by line

The size of a tensor is what a reader of array code asks for most. While a module runs, Python says
before which line it stands, so after each assignment its targets can be looked at: everything that
has a `shape` of plain numbers counts, whatever library it comes from. A returned array is noted
with an arrow.

A line number would be wrong after the next edit above it. So what was seen is kept by the text of
the line, and by how many lines of the same text stand before it.
"""

import ast
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

VARIES = "…"
"""Stands after the first shape of a name where a later one was another."""

RETURN = "→"
MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen at a line: its text, the how manieth of such lines it is, and the shapes."""

    source: str
    occurrence: int
    shapes: str


@dataclass(frozen=True, slots=True)
class Statement:
    """An assignment or return: its first and last line, and what it gives values to."""

    first: int
    last: int
    names: tuple[str, ...]
    returns: bool = False


def statements(text: str) -> dict[int, Statement]:
    """The assignments and returns of a file, by each of their lines."""
    found: dict[int, Statement] = {}
    for node in ast.walk(ast.parse(text)):
        targets: Sequence[ast.expr]
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.AnnAssign) and node.value):
            targets = [node.target]
        elif isinstance(node, ast.Return) and node.value:
            targets = []
        else:
            continue
        names = tuple(dict.fromkeys(name for target in targets for name in dotted_names(target)))
        last = node.end_lineno or node.lineno
        made = Statement(node.lineno, last, names, isinstance(node, ast.Return))
        for line in range(made.first, made.last + 1):
            found[line] = made
    return found


def dotted_names(target: ast.expr) -> list[str]:
    """The names that an assignment gives values to: `x`, `self.table`, each part of a tuple."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return [f"{target.value.id}.{target.attr}"]
    if isinstance(target, ast.Tuple | ast.List):
        return [name for part in target.elts for name in dotted_names(part)]
    return []


def shape_of(value: object) -> str:
    """The shape of an array as `[2, 3]`, empty for anything else."""
    if isinstance(value, type):
        return ""
    # Asking a stranger for an attribute can run its code, and that can fail in any way.
    try:
        shape = tuple(getattr(value, "shape", None) or ()) if hasattr(value, "shape") else None
    except Exception:
        return ""
    if shape is None or not all(type(size) is int for size in shape):
        return ""
    return f"[{', '.join(map(str, shape))}]"


class Tracer:
    """
    Watches the lines of one file; `sys.settrace(tracer.call)` starts it.

    `first` holds the first shape of each name at the first line of each statement, `varied` where
    another was seen.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = os.path.realpath(file)
        self.lines = text.splitlines()
        self.statements = statements(text)
        self.first: dict[tuple[int, str], str] = {}
        self.varied: set[tuple[int, str]] = set()
        self.ours: dict[str, bool] = {}

    def call(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        """Follow a call into the file, and no other."""
        name = frame.f_code.co_filename
        if name not in self.ours:
            self.ours[name] = os.path.realpath(name) == self.file
        if not self.ours[name]:
            return None
        frame.f_trace_lines = True
        current: Statement | None = None

        def step(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            nonlocal current
            if event == "exception":
                current = None
            elif event == "line":
                now = self.statements.get(frame.f_lineno)
                if current and current is not now:
                    self.look(current, frame)
                current = now
            elif event == "return" and current:
                if current.returns:
                    self.note(current.first, RETURN, argument)
                else:
                    self.look(current, frame)
            return step

        return step

    def look(self, statement: Statement, frame: FrameType) -> None:
        """Note the shapes of what a statement has just given values to."""
        for name in statement.names:
            root, _, attribute = name.partition(".")
            value = frame.f_locals.get(root)
            if attribute:
                # A property is code of the module and can fail in any way.
                try:
                    value = getattr(value, attribute, None)
                except Exception:
                    continue
            self.note(statement.first, name, value)

    def note(self, line: int, name: str, value: object) -> None:
        """Keep the first shape of a name at a line, and whether there were others."""
        if isinstance(value, tuple) and value and all(map(shape_of, value)):
            shape = ", ".join(map(shape_of, value[:MOST_NAMES]))
        else:
            shape = shape_of(value)
        if shape and self.first.setdefault((line, name), shape) != shape:
            self.varied.add((line, name))

    def seen(self) -> list[Seen]:
        """What was seen, in the order of the lines."""
        lines: dict[int, list[str]] = {}
        for line, name in sorted(self.first, key=lambda key: key[0]):
            more = f" {VARIES}" if (line, name) in self.varied else ""
            lines.setdefault(line, []).append(f"{name} {self.first[line, name]}{more}")
        places = {number: (source, count) for number, source, count in numbered(self.lines)}
        return [Seen(*places[line], "; ".join(parts)) for line, parts in lines.items()]


def numbered(lines: Iterable[str]) -> list[tuple[int, str, int]]:
    """Each line: its number, its text without the space around it, and the how manieth it is."""
    counts: dict[str, int] = {}
    found: list[tuple[int, str, int]] = []
    for number, line in enumerate(lines, 1):
        source = line.strip()
        counts[source] = counts.get(source, 0) + 1
        found.append((number, source, counts[source]))
    return found


def write_shapes(seen: Iterable[Seen]) -> str:
    """What was seen as text, a line for a line: shapes, number of the occurrence, source."""
    return "".join(f"{item.shapes}\t{item.occurrence}\t{item.source}\n" for item in seen)


def read_shapes(stored: str, text: str) -> tuple[dict[int, str], list[int]]:
    """
    Find the lines that stored shapes belong to.

    Returns the shapes by line number of `text`, and the lines of `stored` whose source is gone.
    """
    places = {(source, count): number for number, source, count in numbered(text.splitlines())}
    found: dict[int, str] = {}
    gone: list[int] = []
    for number, line in enumerate(stored.splitlines(), 1):
        shapes, _, rest = line.partition("\t")
        occurrence, _, source = rest.partition("\t")
        place = places.get((source, int(occurrence) if occurrence.isdecimal() else 0))
        if place is None:
            gone.append(number)
        else:
            found[place] = shapes
    return found, gone
