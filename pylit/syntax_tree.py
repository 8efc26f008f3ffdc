"""
---
title: Walking a syntax tree
summary: Python's own tree of a source, and ways through it that leave out what is not asked for.
---
# Walking a syntax tree

Four of five nodes of a syntax tree are parts of expressions. Definitions, docstrings and imports
are statements, and no statement stands inside an expression; so whoever looks for them need not
go there, which is most of the time that a walk takes.
"""

import ast
import warnings
from collections.abc import Iterator

KINDS = [
    kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)
]
HOLDING = ("body", "handlers", "cases", "orelse", "finalbody")
PLAIN = ("ctx", "op", "ops", "id", "attr", "name", "module", "level", "type_comment")

# A lambda and a conditional expression have fields of the same names, which hold no statements.
BODIES = {
    kind: tuple(name for name in HOLDING if name in kind._fields and not issubclass(kind, ast.expr))
    for kind in KINDS
}
"""The fields of each kind of node that hold statements."""

PARTS = {
    kind: tuple(
        name for name in kind._fields if name not in PLAIN and not issubclass(kind, ast.Constant)
    )
    for kind in KINDS
}
"""The fields of each kind of node that may hold other nodes, operators not counted."""


def parse_quietly(text: str) -> ast.Module:
    r"""
    The tree of a source, without warnings.

    Python warns of `"\theta"` in a string that is not raw. In prose that is no fault, and of what
    is one, Python has told the author itself. Raises what `ast.parse` raises.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements inside a node, however deep; a statement comes before those inside it."""
    waiting = [node]
    while waiting:
        inside = statements_in(waiting.pop())
        yield from inside
        waiting.extend(inside)


def statements_in(node: ast.AST) -> list[ast.stmt]:
    """The statements directly inside a node, in the order of the text."""
    found: list[ast.stmt] = []
    for name in BODIES[type(node)]:
        for inner in getattr(node, name):
            if isinstance(inner, ast.stmt):
                found.append(inner)
            else:
                # `except` and `case` are no statements, but hold some.
                found.extend(statements_in(inner))
    return found


def nodes_below(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node; whether a name is read or written is none of interest."""
    found: list[ast.AST] = []
    for name in PARTS[type(node)]:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, ast.AST))
    return found
