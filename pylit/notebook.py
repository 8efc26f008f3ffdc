"""
---
title: Notebooks
summary: A page as a Jupyter notebook, prose and code in cells, to be run from top to bottom.
---
# Notebooks

A notebook is the module again, cell by cell: prose becomes Markdown, formulas as they are in the
source, and code becomes code. A class or function must be one cell to run at all. So its own prose
stands before it, and what is explained *inside* it stays there as comments and docstrings.

The format is small enough to be written here, [version 4.5](https://nbformat.readthedocs.io/);
the tests check it with Jupyter's own library. Equal pages give equal bytes.
"""

import ast
import json
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote

from pylit.directives_prose import plain
from pylit.directives_python import start_of, without_directives
from pylit.links import is_external
from pylit.model import Module, Output, Page, Section
from pylit.parse import read_tree
from pylit.pieces import Pieces
from pylit.settings import Settings
from pylit.syntax_tree import statements

DOTS = re.compile(r"^(\s*from\s+)(\.+)([\w.]*)")
PIECE = re.compile(
    r"(?P<code>^```.*?^```$|^~~~.*?^~~~$|`+[^`\n]+`+)"
    r"|\[(?P<words>(?:[^\[\]]|\[[^\[\]]*\])+)\](?:\((?P<href>[^()\s]+)\)|\[\])",
    re.MULTILINE | re.DOTALL,
)
TERM = re.compile(r"\\term\s*\{[^{}]*\}")
TERM_LINK = re.compile(r"\[([^\[\]]+)\]\(term:[^()]*\)")
BLANKS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a notebook: Markdown or code."""

    kind: str
    text: str


def notebook_address(address: str) -> str:
    """The address of a page's notebook: beside the page."""
    return address.removesuffix(".html") + ".ipynb"


def has_notebook(module: Module) -> bool:
    """Tell whether a page offers its notebook: the module shows something when it runs."""
    if not module.source.path.endswith(".py"):
        return False
    text = module.source.text
    return "__main__" in text and any(map(is_main, read_tree(module.source).body))


def add_notebooks(
    settings: Settings, modules: Sequence[Module], pages: Sequence[Page], pieces: Pieces
) -> tuple[list[Page], list[Output]]:
    """Make the notebooks of all pages that have one, and let the pages offer them."""
    shape = f"{settings.base_url} {settings.macros!r}"
    offered: dict[str, Output] = {}
    for module in modules:
        source = module.source
        parts = (source.path, source.address, source.name, source.text, shape)
        key = pieces.key(("notebooks", source.path), *parts)
        make = partial(notebook_text, module, settings)
        text = pieces.get("notebooks", key, str, make, source.address)
        if text:
            offered[source.path] = Output(notebook_address(source.address), text.encode())
    shown = [
        replace(page, notebook=page.root + quote(offered[page.source_path].path))
        if page.source_path in offered
        else page
        for page in pages
    ]
    return shown, list(offered.values())


def notebook_text(module: Module, settings: Settings) -> str:
    """The notebook of a module, empty where it has none."""
    return notebook(module, settings).decode() if has_notebook(module) else ""


def is_main(node: ast.stmt) -> bool:
    """Tell whether a statement is `if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) in (
        "__name__ == '__main__'",
        "'__main__' == __name__",
    )


def notebook(module: Module, settings: Settings) -> bytes:
    """A module as a notebook."""
    cells = [*macro_cells(settings), *make_cells(module, settings)]
    content = {
        "metadata": {
            "generator": "pylit",
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": module.title or module.source.name,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
        "cells": [
            {
                "cell_type": cell.kind,
                "id": f"cell-{index}",
                "metadata": {},
                "source": cell.text.splitlines(keepends=True),
            }
            | ({"execution_count": None, "outputs": []} if cell.kind == "code" else {})
            for index, cell in enumerate(cells, 1)
        ],
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def macro_cells(settings: Settings) -> list[Cell]:
    """The site's own TeX macros; Jupyter knows a macro from where it is first defined."""
    defined = []
    for name, macro in sorted(settings.macros.items()):
        count, body = macro if isinstance(macro, tuple) else (0, macro)
        defined.append(f"\\newcommand{{\\{name}}}{f'[{count}]' if count else ''}{{{body}}}")
    return [Cell("markdown", f"${''.join(defined)}$")] if defined else []


def make_cells(module: Module, settings: Settings) -> list[Cell]:
    """The cells of a module, in the order of the file; the demonstration comes last."""
    source = module.source
    lines = without_directives(source.text)
    body = read_tree(source).body
    owner: dict[int, int] = {}
    for index, node in enumerate(body):
        for line in range(start_of(node), (node.end_lineno or node.lineno) + 1):
            owner.setdefault(line, index)
    written: set[int] = set()
    cells: list[Cell] = []
    last: list[Cell] = []
    for section in module.sections:
        inner = section.prose and owner.get(section.prose.first)
        moved = inner if isinstance(inner, int) and is_own(body[inner], section) else None
        if section.text.strip() and (inner is None or moved is not None):
            cells.append(Cell("markdown", rewritten(section.text, module, settings).strip()))
        if not section.code:
            continue
        loose: list[str] = []
        for line in range(section.code.first, section.code.last + 1):
            at = owner.get(line)
            text = lines[line - 1]
            if at is None and line not in module.hidden and text is not None:
                loose.append(text)
            if at is None or at in written:
                continue
            written.add(at)
            statement = statement_text(body[at], lines, moved == at, source_package(module))
            if is_main(body[at]):
                last.append(Cell("code", statement))
            elif isinstance(body[at], ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                add_code(cells, loose)
                cells.append(Cell("code", statement))
            else:
                loose.append(statement)
        add_code(cells, loose)
    return [*cells, *last]


def add_code(cells: list[Cell], loose: list[str]) -> None:
    """Make a cell of the statements that were gathered, if there are any."""
    text = BLANKS.sub("\n\n", "\n".join(loose)).strip("\n")
    loose.clear()
    if text.strip():
        cells.append(Cell("code", text))


def docstring_of(node: ast.stmt) -> ast.Expr | None:
    """The docstring of a class or function, or a string that is a statement by itself."""
    first: ast.stmt = node
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return first if isinstance(first.value.value, str) else None
    return None


def is_own(node: ast.stmt, section: Section) -> bool:
    """Tell whether the prose of a section is what explains a whole statement: its docstring."""
    docstring = docstring_of(node)
    if not docstring or not section.prose:
        return False
    return docstring.lineno <= section.prose.first <= (docstring.end_lineno or 0)


def statement_text(node: ast.stmt, lines: list[str | None], moved: bool, package: str) -> str:
    """
    The source of a statement, what a page hides of it too, but without directives.

    Its docstring is left out where it stands in a cell of its own, unless nothing else would be
    left. Imports from the package itself name it in full, as a notebook is in no package.
    """
    first, last = start_of(node), node.end_lineno or node.lineno
    kept = lines[first - 1 : last]
    for inner in (node, *statements(node)):
        if isinstance(inner, ast.ImportFrom) and inner.level:
            kept[inner.lineno - first] = absolute_import(lines[inner.lineno - 1] or "", package)
    docstring = docstring_of(node)
    if moved and docstring and docstring is not node and len(getattr(node, "body", ())) > 1:
        start, end = docstring.lineno - first, (docstring.end_lineno or docstring.lineno) - first
        opening, closing = (kept[start] or "").strip(), (kept[end] or "").rstrip()
        if opening[:1] in "\"'rRuU" and closing[-1:] in "\"'":
            rest = kept[end + 1 :]
            while rest and not (rest[0] or "").strip():
                rest = rest[1:]
            kept = [*kept[:start], *rest]
    elif moved and docstring is node:
        return ""
    return "\n".join(
        TERM_LINK.sub(r"\1", line) if line.lstrip().startswith("#") else line
        for line in kept
        if line is not None
    )


def absolute_import(line: str, package: str) -> str:
    """An import by dots, with the names that the dots stand for."""

    def name(found: re.Match[str]) -> str:
        parts = package.split(".")
        above = ".".join(parts[: len(parts) - len(found[2]) + 1])
        return f"{found[1]}{'.'.join(part for part in (above, found[3]) if part)}"

    return DOTS.sub(name, line)


def source_package(module: Module) -> str:
    """The package that a module is in."""
    name = module.source.name
    return name if module.source.path.endswith("__init__.py") else name.rpartition(".")[0]


def rewritten(text: str, module: Module, settings: Settings) -> str:
    """Prose for a notebook: what only the site understands is put in plain words."""

    def piece(found: re.Match[str]) -> str:
        words, href = found["words"], found["href"] or ""
        if words is None:
            return found[0]
        if is_external(href) and not href.startswith("term:"):
            return found[0]
        path, sign, fragment = href.partition("#")
        if not settings.base_url or not path or href.startswith("term:"):
            return words
        folder = posixpath.dirname(module.source.address)
        place = posixpath.normpath(posixpath.join(folder, path))
        return f"[{words}]({settings.base_url}{quote(place)}{sign}{fragment})"

    return PIECE.sub(piece, TERM.sub("", plain(text)))
