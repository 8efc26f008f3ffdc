"""The lexer finds the tokens of Pygments' own lexer, whose rules it has."""

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexers import PythonLexer

from pylit.lexer import FusedLexer
from tests.conftest import ROOT

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
FILES = [*sorted(LIBRARY.glob("*.py"))[::9], *sorted(ROOT.glob("labml_nn/**/*.py"))]
PIECES = (
    *("def ", "class ", "import ", "from ", "as ", "async ", "f", "rb", '"', "'", '"""', "'''"),
    *("{", "}", "{x!r:>{n}}", "\\", "\\N{DASH}", "%s", "#", "@", "(", ")", ":", "\n", "    ", "\t"),
    *("0x1f", "1_0.5e-3j", "None", "self", "print", "é", "𝔼", "\x00", "match ", "case ", " "),
)


def same(text: str) -> None:
    ours = list(FusedLexer().get_tokens_unprocessed(text))
    assert ours == list(PythonLexer().get_tokens_unprocessed(text))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_real_files(file: Path) -> None:
    same(file.read_text(encoding="utf-8"))


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_anything_else(text: str) -> None:
    same(text)
