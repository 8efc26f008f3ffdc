"""
What the notes state is what the code does: every number is computed, or there is a reason why not.

A number is anything from 3 upwards or with a decimal point, a word for a fraction or a multiple,
and whatever a formula calls approximate. Small whole numbers count axes, places and terms.
"""

import ast
import doctest
import importlib
import re
from collections.abc import Callable
from functools import cache

import pytest

from pylit.evidence import read_evidence
from pylit.parse import parse
from tests.conftest import ROOT
from tests.labml_nn.stated_tasks import PACKAGE
from tests.labml_nn.statements import NO_CLAIMS, SETTINGS, STATED
from tests.labml_nn.test_evidence import sources

NUMBER = re.compile(
    r"\d[\d,.]*\d|[3-9]"
    r"|\b(?:half|thirds|quarters?|eighths?|thirtieth|hundred|thousands?|times|twice|double)\b",
    re.IGNORECASE,
)
APPROXIMATE = re.compile(r"\\approx")
UNREAD = re.compile(
    # Code, addresses, and the places in a paper.
    r"`[^`]*`|\]\([^)]*\)|\]\[[^\]]*\]"
    r"|\b(?:sections?|appendix|equations?|table|figure|footnote)\s+\w[\d.]*"
    # The words of these fields, and the number of a list's item.
    r"|double precision|half precision|\bfourth decimal|(?<=¶ )\d\. ",
    re.IGNORECASE,
)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\begin\{align\}.*?\\end\{align\}", re.DOTALL)
COMMANDS = {"torchrun --nproc-per-node 2 -m labml_nn.transformers.xl.experiment"}
"""Blocks of code in notes. What runs this one is in test_training.py."""


@cache
def notes() -> dict[str, str]:
    """All notes and captions of each page, with single spaces and a mark between lines of lists."""
    found = {}
    for path, source in sources().items():
        text = "\n\n".join(section.text for section in parse(source).sections)
        evidence, _ = read_evidence(ROOT, source)
        captions = [figure.caption for figure in evidence.figures] if evidence else []
        lines = re.sub(r"\n(?=\n|\s*\d\. |\* )", "\n¶ ", "\n\n".join([text, *captions]))
        name = path.removeprefix("labml_nn/").removesuffix(".py")
        found[name] = " ".join(lines.split())
    return found


@cache
def code(page: str) -> str:
    """The code of a page without its docstrings and comments."""
    text = (PACKAGE / f"{page}.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


@pytest.mark.parametrize(("page", "compute"), STATED, ids=[page for page, _ in STATED])
def test_what_is_stated_is_what_comes_out(page: str, compute: Callable[[], str]) -> None:
    assert compute() in notes()[page]


@pytest.mark.parametrize(("page", "words", "literal"), SETTINGS, ids=[s[1] for s in SETTINGS])
def test_settings_are_those_of_the_code(page: str, words: str, literal: str) -> None:
    assert words in notes()[page]
    assert literal in code(page)


def claims(text: str) -> list[tuple[int, str]]:
    """Where a text has numbers, and which."""

    def blank(found: re.Match[str]) -> str:
        return " " * len(found[0])

    prose = FORMULA.sub(blank, UNREAD.sub(blank, text))
    found = [(number.start(), number[0]) for number in NUMBER.finditer(prose)]
    for formula in FORMULA.finditer(text):
        found += [
            (formula.start() + sign.start(), formula[0])
            for sign in APPROXIMATE.finditer(formula[0])
        ]
        if "bmatrix" in formula[0] and re.search(r"& *\d", formula[0]):
            found.append((formula.start() + 2, formula[0]))
    return found


def test_no_number_is_left_unchecked() -> None:
    known = [(page, compute()) for page, compute in STATED]
    known += [(page, words) for page, words, _ in (*SETTINGS, *NO_CLAIMS)]
    unchecked = []
    for page, text in notes().items():
        covered = [
            range(found.start(), found.end())
            for other, words in known
            if other == page
            for found in re.finditer(re.escape(words), text)
        ]
        unchecked += [
            f"{page}: {number!r} in {text[max(0, at - 40) : at + 40]!r}"
            for at, number in claims(text)
            if not any(at in place for place in covered)
        ]
    assert unchecked == []


def test_a_new_number_would_be_found() -> None:
    text = (
        r"It is 40 % faster, needs a third, $x \approx 7$, and 1 axis; see section 3.4 and `f(9)`."
    )
    assert [number for _, number in claims(text)] == ["40", r"$x \approx 7$"]
    assert [number for _, number in claims("Half the loss of 0.5, 12 times.")] == [
        "Half", "0.5", "12", "times",
    ]  # fmt: skip


@pytest.mark.parametrize("entry", NO_CLAIMS, ids=[entry[1] for entry in NO_CLAIMS])
def test_every_exception_is_needed(entry: tuple[str, str, str]) -> None:
    page, words, _ = entry
    at = notes()[page].index(words)
    assert any(at <= place < at + len(words) for place, _ in claims(notes()[page]))


@pytest.mark.parametrize("page", notes())
def test_blocks_of_code_in_notes_are_run(page: str) -> None:
    """Examples with `>>>` are run; others are stated results, or commands that a test runs."""
    name = f"labml_nn.{page.replace('/', '.')}".removesuffix(".__init__")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
    source = sources()[f"labml_nn/{page}.py"]
    text = "\n\n".join(section.text for section in parse(source).sections)
    blocks = re.findall(r"(?<=\n\n)(?: {4}[^\n]*\n?)+|^```.*?^```", text, re.DOTALL | re.MULTILINE)
    lines = {line.strip() for block in blocks for line in block.splitlines() if line.strip()}
    results = [compute() for at, compute in STATED if at == page]
    rest = {line for line in lines if not line.startswith((">>>", "...", "```"))} - COMMANDS
    assert not {line for line in rest if not any(line in result for result in results)}
