"""
---
title: Which modules import which
summary: The imports of a module that lead to other pages of the site, read from its syntax tree.
---
# Which modules import which

An import counts wherever it stands, also inside a function or where only a type checker looks: the
module cannot be understood without the other. `from package import name` leads to the module
`package.name` if there is one, and else to the package. What is not on the site is left out.
"""

import ast
from collections.abc import Iterator
from typing import Protocol

from pylit.links import Target
from pylit.scopes import imported_module
from pylit.syntax_tree import statements


class Known(Protocol):
    """Knows where dotted names are defined on the site."""

    def get(self, path: str) -> Target | None:
        """The place of a name, if the site has it."""


def find_imports(tree: ast.Module, name: str, package: str, names: Known) -> tuple[str, ...]:
    """
    The addresses of the pages that a module imports, each once, in the order of the text.

    `name` is the module's dotted name, `package` that of the package that it is in.
    """
    found: dict[str, None] = {}
    for path in imported_names(tree, package):
        # A name that a module defines leads to the module.
        target = names.get(path) or names.get(path.rpartition(".")[0])
        if target and path != name:
            found.setdefault(target.address)
    own = names.get(name)
    found.pop(own.address if own else "", None)
    return tuple(found)


def imported_names(tree: ast.Module, package: str) -> Iterator[str]:
    """The dotted names of what a module imports, in the order of the text."""
    nodes = [node for node in statements(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif module := imported_module(node, package):
            yield from (f"{module}.{alias.name}" for alias in node.names)
