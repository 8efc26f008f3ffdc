"""Highlighting: one lexer run, cut by line, nothing lost."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.code import LONG_LINE, highlight


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


def test_a_very_long_line_has_no_colours() -> None:
    (line, _) = highlight("x = [" + "1, " * LONG_LINE + "]\n")
    assert [token.style for token in line] == [""]
