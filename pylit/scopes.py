"""
---
title: What a scope binds
summary: Which names a module, class or function binds, and to what, as far as that is certain.
---
# What a scope binds

A scope binds names by `import`, `class`, `def` and assignment. A name that is bound once, by an
import or a definition, means that; one that is bound again anywhere means nothing certain.

What a module imports can be imported from it in turn, and `__init__.py` often does nothing else:
after `from .core import Model` the class is also called `package.Model`. Such other names are
gathered here, and the [index](links.html) follows them.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from pylit.syntax_tree import nodes_below, statements

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
SCOPES = frozenset({ast.ClassDef, *get_args(Function), *get_args(Comprehension)})
"""What has names of its own."""

BINDING = frozenset(
    {
        *(ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef),
        *(ast.Name, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
        *(ast.Global, ast.Nonlocal, ast.Assign, ast.AnnAssign),
    }
)
"""What may bind a name, or says what is bound. Most nodes are none of these."""


def bindings(
    nodes: Iterable[ast.AST],
    package: str,
    names: Mapping[ast.AST, str],
    changed: Iterable[str],
    times: Counter[str],
) -> dict[str, str]:
    """
    The names that the binding nodes of a scope bind: to a dotted name where that is certain.

    Where it is not, to an empty text, which hides a name of the same spelling further out.
    `package` is what relative imports start from, `names` are the dotted names of definitions,
    where they are known; `changed` is what a scope inside may bind anew. How often each name is
    bound is counted in `times`.
    """
    found: dict[str, str] = {}

    def bind(name: str, meaning: str) -> None:
        # Bound twice to different things, a name means nothing certain.
        found[name] = meaning if found.get(name, meaning) == meaning else ""
        times[name] += 1

    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bind(alias.asname or alias.name.partition(".")[0], import_of(alias))
        elif isinstance(node, ast.ImportFrom):
            module = imported_module(node, package)
            for alias in node.names:
                bind(alias.asname or alias.name, f"{module}.{alias.name}" if module else "")
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            bind(node.name, names.get(node, ""))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bind(node.id, "")
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bind(node.name, "")
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bind(node.rest, "")
        elif isinstance(node, ast.Global | ast.Nonlocal):
            for name in node.names:
                bind(name, "")
    for name in changed:
        bind(name, "")
    return found


def changed_inside(tree: ast.Module) -> frozenset[str]:
    """The names that some function calls global or nonlocal, so that it may bind them anew."""
    return frozenset(
        name
        for node in statements(tree)
        if isinstance(node, ast.Global | ast.Nonlocal)
        for name in node.names
    )


def other_names(tree: ast.Module, name: str, is_package: bool) -> tuple[tuple[str, str], ...]:
    """The dotted names that a module gives to what it imports, each with that which it means."""
    package = name if is_package else name.rpartition(".")[0]
    nodes, names = binding_nodes(tree.body), top_names(tree, name)
    bound = bindings(nodes, package, names, changed_inside(tree), Counter())
    named = {f"{name}.{key}": meaning for key, meaning in bound.items()}
    return tuple((path, meaning) for path, meaning in named.items() if meaning not in ("", path))


def top_names(tree: ast.Module, name: str) -> dict[ast.AST, str]:
    """The dotted names of what is defined at the top of a module."""
    kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return {node: f"{name}.{node.name}" for node in tree.body if isinstance(node, kinds)}


def binding_nodes(body: Sequence[ast.AST]) -> list[ast.AST]:
    """The nodes of a scope that bind names, without those of the scopes inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if type(node) in BINDING:
            found.append(node)
        if type(node) not in SCOPES:
            waiting.extend(nodes_below(node))
    return found


def import_of(alias: ast.alias) -> str:
    """What `import a.b` binds: `a`, or `a.b` where it is given a name."""
    return alias.name if alias.asname else alias.name.partition(".")[0]


def imported_module(node: ast.ImportFrom, package: str) -> str:
    """The module that `from … import` names in a package, its leading dots resolved."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    if node.level > len(parts):
        return ""
    base = ".".join(parts[: len(parts) - node.level + 1])
    return f"{base}.{node.module}" if node.module else base


def dotted(node: ast.AST) -> list[tuple[str, int, int]] | None:
    """The parts of `a.b.c`, each with its line and the byte column where it ends, or nothing."""
    parts: list[tuple[str, int, int]] = []
    while isinstance(node, ast.Attribute):
        parts.append((node.attr, node.end_lineno or node.lineno, node.end_col_offset or 0))
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append((node.id, node.lineno, node.end_col_offset or 0))
    return parts[::-1]
