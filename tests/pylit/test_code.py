"""Highlighting: one lexer run, cut by line, nothing lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit import code
from pylit.code import LONG_LINE, highlight
from pylit.model import Token


def test_a_string_over_several_lines_keeps_its_colour() -> None:
    """W-PYG-02"""
    text = 'x = f(\n    # first\n    """multi\nline""",\n    # second\n    2)\n'
    lines = highlight(text)
    assert not [token for line in lines for token in line if token.style == "err"]
    # "sd" is a string that stands alone, as a docstring does.
    assert lines[2][-1].style == lines[3][0].style == "sd"


@given(st.text(alphabet="ab '\"\\\n#()[]{}=:\t0é𝔼", max_size=60))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_no_sign_is_lost(text: str) -> None:
    lines = highlight(text)
    assert "\n".join("".join(token.text for token in line) for line in lines) == text


AROUND = [
    "x = [{}]\ny = 'a' # b\n", "f({}\n  None)\n", "x = {{1: ({}), 'a': 2}}\nz = 1\n",
    "x = '{}'\ny = 1\n", 'x = """a {}\nb""" + 1\n', "x = f'a {} {{b,1,2,:>{{c}}}} d'\ny = 1\n",
    'x = f"""{} {{\n[{}]}}\nb"""\n', "x = 1  # {}\ny = 'a'\n", "x = br'{}\\'\ny = 1\n",
    "x = lambda a, b=({}): a\ny = 1\n", "for x in {}:\n    y = 1\n",
    "print({} *a, **b)\nclass A: ...\n",
    "x = [{}]  # noqa\nimport a, b\n", "x[{} :2]  # pylit: hide 1,2,3,\n# pylit: show\n",
]  # fmt: skip
ITEMS = [
    "1,",
    "-2.5e-3, ",
    "0x1f,",
    "1_0j,\t",
    "a,",
    " None, ",
    "(3,4,),",
    "'b,5,',",
    "[],",
    "6 - 7,",
]


@given(st.sampled_from(AROUND), st.lists(st.sampled_from(ITEMS), min_size=1, max_size=8))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_numbers_in_a_very_long_line_change_nothing_behind_it(
    around: str, items: list[str]
) -> None:
    """They are not read, and what comes after them is read as if they were."""
    text = around.replace("{}", "".join(items))
    text = text.replace("{{", "{").replace("}}", "}")
    whole = highlight(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code, "LONG_LINE", 12)
        long = highlight(text)
    for number, line in enumerate(text.split("\n")):
        if len(line) > 12:
            shown = "".join(token.text for token in whole[number])
            assert long[number] == (Token("", shown),)
        else:
            assert long[number] == whole[number]


def test_a_very_long_line_has_no_colours() -> None:
    (line, _) = highlight("x = [" + "1, " * LONG_LINE + "]\n")
    assert [token.style for token in line] == [""]
