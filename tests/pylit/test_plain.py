"""Plain prose: what takes the short way comes out as it would have the long way."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit import prose
from pylit.links import Index
from pylit.lookups import Lookups
from pylit.model import Language, Section
from pylit.plain import is_plain
from pylit.prose import Draft, Renderer

EN = Language("en", "en", "English")
INDEX = Index(frozenset(), {}, {}, {}, {}, {})
PIECES = [
    *(
        "word",
        "Two words",
        "k",
        "É",
        "词。",
        "බැසිල්",
        "1",
        "1.",
        "2)",
        "a.",
        " ",
        "  ",
        "\n",
        "\n\n",
    ),
    *(".", ",", ":", ": ", ";", "(", ")", "'", '"', "?", "%", "=", "==", "/", "+", "-", "--", "- "),
    *("$x$", "$$y$$", "_", "__", "*", "`", "#", "# ", "!", "!!!", "|", "~", "^", "&", "&amp;", "<"),
    *("<b>", "[", "]", "[a](b)", "\\", "\t", "\u00a0", "://", "http://a.b", "www.a.b", "a@b.c"),
    *("    ", ">", ">>> ", ":param x: y", "Term\n: what", "a\n===", "a\n---", "\ue000", "\x0c"),
]


def render(renderer: Renderer, text: str) -> Draft:
    section = Section("comment", "a", "", None, None, text, tuple(range(1, text.count("\n") + 2)))
    renderer.start_page(0)
    return renderer.render(section, "a.py", "a.html", EN, EN, None, Lookups(INDEX), Counter())


# As in a build, one renderer takes all texts of its way, and is as before after each of them.
SHORT, LONG = Renderer(), Renderer()


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
@settings(max_examples=1500, deadline=None, derandomize=True)
def test_the_short_way_leads_to_the_same_place(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        short = render(SHORT, text)
        patch.setattr(prose, "is_plain", lambda text: False)
        assert short == render(LONG, text)


@pytest.mark.parametrize(
    "text",
    ["Linear layer", "The scores \ue0000\ue001, then", "One line\nand another.", "a: b (c) - d"],
)
def test_most_comments_are_plain(text: str) -> None:
    assert is_plain(text)


@pytest.mark.parametrize(
    "text", ["", "1. One", "- one", "a_b_c", "a\n\nb", "a  \nb", "a `b`", "See www.a.b", "a\nb\n"]
)
def test_what_may_hold_markup_is_not(text: str) -> None:
    assert not is_plain(text)
