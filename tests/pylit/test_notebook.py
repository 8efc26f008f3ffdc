"""A page as a notebook: what Jupyter expects, runnable, and the same bytes for the same page."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from pylit.cli import main
from pylit.model import Source
from pylit.notebook import has_notebook, notebook
from pylit.parse import parse
from pylit.settings_file import read_settings
from pylit.site import build

MakeSite = Callable[..., Path]

MODULE = r'''#!/usr/bin/env python3
r"""
---
title: A module
---
# A module

With $x_1$ and `[code](a.md)`, a [page](other.html#part), [`Thing`][], [far](https://example.com/).

$$\term{A}{x} + y$$

The sum has [a term](term:A).
"""

from __future__ import annotations

from . import other
from .other import NUMBER

# ## A comment
#
# It explains `values`.
values = [
    1,
    # inside
    2,
]


def decorate(function):
    return function


@decorate
class Thing:
    """
    ## A thing
    """

    def method(self):
        """It stays."""
        # Above [A](term:A).
        return NUMBER


class Empty(Exception):
    """## Nothing but this"""


if __name__ == "__main__":
    print(Thing().method(), values, other.NUMBER)

LAST = 1
'''

SITE = {
    "pylit.toml": 'base_url = "https://example.org/x/"\n[[source]]\npath = "pkg"\n'
    '[math.macros]\nR = "\\\\mathbb{R}"\nhalf = [1, "#1/2"]\n',
    "pkg/__init__.py": "",
    "pkg/a.py": MODULE,
    "pkg/other.py": '"""\n# Other\n\n## Part\n"""\nNUMBER = 7\n',
}


@pytest.fixture
def folder(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = make_site({**SITE, "pylit.toml": SITE["pylit.toml"].partition("[math")[0]})
    monkeypatch.chdir(made)
    return made


def cells_of(content: bytes) -> list[Any]:
    found = nbformat.reads(content.decode(), as_version=4)
    nbformat.validate(found)
    cells: list[Any] = found.cells
    return cells


def make(folder: Path, text: str = MODULE) -> bytes:
    source = Source("pkg/a.py", "a.html", "pkg.a", text)
    return notebook(parse(source), read_settings(folder / "pylit.toml"))


def test_cells_in_order(folder: Path) -> None:
    cells = cells_of(make(folder))
    assert [(cell.cell_type, cell.source.split("\n")[0]) for cell in cells] == [
        ("markdown", "# A module"),
        ("code", "from __future__ import annotations"),
        ("markdown", "## A comment"),
        ("code", "values = ["),
        ("code", "def decorate(function):"),
        ("markdown", "## A thing"),
        ("code", "@decorate"),
        ("markdown", "## Nothing but this"),
        ("code", "class Empty(Exception):"),
        ("code", "LAST = 1"),
        ("code", 'if __name__ == "__main__":'),
    ]
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert "from pkg import other\nfrom pkg.other import NUMBER" in code
    assert "    # inside" in code
    assert '"""It stays."""\n        # Above A.' in code
    assert "## A thing" not in code
    assert '"""## Nothing but this"""' in code


def test_prose_is_that_of_jupyter(folder: Path) -> None:
    prose = cells_of(make(folder))[0].source
    assert "With $x_1$ and `[code](a.md)`, a [page](https://example.org/x/other.html#part)" in prose
    assert ", `Thing`, [far](https://example.com/)." in prose
    assert "$${x} + y$$" in prose
    assert "The sum has a term." in prose
    assert "---" not in prose


def test_it_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    space = {"__name__": "__main__"}
    for cell in cells_of(make(folder)):
        if cell.cell_type == "code":
            exec(cell.source, space)
    assert capsys.readouterr().out == "7 [1, 2] 7\n"


def test_macros_come_first(make_site: MakeSite) -> None:
    prose = cells_of(make(make_site(SITE, "macros")))[0].source
    assert prose == r"$\newcommand{\R}{\mathbb{R}}\newcommand{\half}[1]{#1/2}$"


def test_equal_pages_give_equal_bytes(folder: Path) -> None:
    assert make(folder) == make(folder)
    ids = [cell.id for cell in cells_of(make(folder))]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("text", ["", '"""# Only prose"""\n', "x = 1\n", "# %%\nx = 1\n"])
def test_small_modules(folder: Path, text: str) -> None:
    cells_of(make(folder, text))


def test_pages_that_show_something_offer_theirs(folder: Path) -> None:
    made = build(read_settings(folder / "pylit.toml"))
    files = {item.path: item.content for item in made.outputs}
    assert [name for name in files if name.endswith(".ipynb")] == ["a.ipynb"]
    cells_of(files["a.ipynb"])
    assert b'<a href="a.ipynb" download>' in files["a.html"]
    assert b".ipynb" not in files["other.html"]
    source = Source("pkg/b.py", "b.html", "pkg.b", '"""__main__"""\n')
    assert not has_notebook(parse(source))


def test_export(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["export", "a", "--format", "notebook"]) == 0
    cells_of((folder / "a.ipynb").read_bytes())
    assert json.loads((folder / "a.ipynb").read_text())["metadata"]["title"] == "A module"
    (folder / "a.ipynb").write_text('{"cells": []}')
    assert main(["export", "a", "--format", "notebook"]) == 2
    assert "not written by pylit" in capsys.readouterr().err


def test_only_modules_become_notebooks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pkg/text.md").write_text("# Text\n")
    assert main(["export", "text.html", "--format", "notebook"]) == 2
    assert "only the page of a Python module" in capsys.readouterr().err
