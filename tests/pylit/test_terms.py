"""Named terms: one name in formulas, words and code, and what is wrong with a binding."""

import re
from pathlib import Path

import pytest

from pylit.code import highlight
from pylit.model import Source
from pylit.parse import parse
from pylit.settings import Settings
from pylit.settings_file import read_settings
from pylit.site import build
from pylit.terms import COLORS, bind_terms, term_colors

HEAD = '''r"""
---
title: Page
terms:
{terms}
---
The sum $\\term{{A}}{{a}} + \\term{{B}}{{b}}$ has [a first part](term:A).
"""
'''
CODE = """

class Layer:
    def add(self, first, second):
        # A comment with first in it.
        return first + second * self.first["first"]


def other(first):
    return f"{first}"
"""


def bound(terms: str, code: str = CODE) -> list[tuple[int, str, str]]:
    """Each name that is bound: its line, counted from the code, the name, and its terms."""
    head = HEAD.format(terms=terms)
    module = parse(Source("page.py", "page.html", "page", head + code))
    lines = bind_terms(highlight(module.source.text), module, {"A": 1, "B": 2})
    start = head.count("\n")
    return [
        (number - start, token.text, " ".join(term.name for term in token.terms))
        for number, line in enumerate(lines, 1)
        for token in line
        if token.terms
    ]


def test_a_name_is_bound_wherever_code_has_it_but_not_in_texts() -> None:
    assert bound("    A: first") == [
        (4, "first", "A"),
        (6, "first", "A"),
        (6, "first", "A"),
        (9, "first", "A"),
        (10, "first", "A"),
    ]


def test_a_scope_limits_the_binding() -> None:
    assert bound("    A: other.first") == [(9, "first", "A"), (10, "first", "A")]
    assert bound("    A: Layer.add.first") == [
        (4, "first", "A"),
        (6, "first", "A"),
        (6, "first", "A"),
    ]
    assert bound("    A: Layer.first") == bound("    A: Layer.add.first")


def test_a_name_may_stand_for_two_terms_and_a_term_for_two_names() -> None:
    assert bound("    A: other.first\n    B: other.first") == [
        (9, "first", "A B"),
        (10, "first", "A B"),
    ]
    assert {name for _, name, _ in bound("    A: first, second")} == {"first", "second"}


def test_no_letter_of_the_code_is_lost() -> None:
    head = HEAD.format(terms="    A: first, second, self\n    B: Layer, return")
    module = parse(Source("page.py", "page.html", "page", head + CODE))
    lines = bind_terms(highlight(module.source.text), module, {"A": 1, "B": 2})
    text = "\n".join("".join(token.text for token in line) for line in lines)
    assert text.rstrip("\n") == (head + CODE).rstrip("\n")


def test_colours_come_back_after_the_last_one() -> None:
    names = [str(number) for number in range(COLORS + 1)]
    text = " ".join(rf"$\\term{{{name}}}{{x}}$ [it](term:{name})" for name in names)
    module = parse(Source("page.py", "page.html", "page", f'"""{text}"""\n'))
    assert term_colors(module) == {**{str(n): n + 1 for n in range(COLORS)}, str(COLORS): 1}


def settings(folder: Path, text: str) -> Settings:
    (folder / "pages").mkdir()
    (folder / "pages/page.py").write_text(text)
    (folder / "pylit.toml").write_text('[[source]]\npath = "pages"\n')
    return read_settings(folder / "pylit.toml")


@pytest.mark.parametrize(
    ("terms", "line", "message"),
    [
        ("    A first", 5, "a line of terms is a term, a colon, and names"),
        ("    A: first second", 5, "a line of terms is a term, a colon, and names"),
        ("    A: first\n    C: second", 6, "no formula and no text of this page names the term C"),
        ("    A: third", 5, "the code of this page has no third; correct the name"),
        ("    A: other.second", 5, "the code of this page has no second in other; correct"),
    ],
)
def test_what_is_wrong_with_a_binding_is_said_with_its_line(
    tmp_path: Path, terms: str, line: int, message: str
) -> None:
    made = build(settings(tmp_path, HEAD.format(terms=terms) + CODE))
    found = [(problem.line, problem.message) for problem in made.problems]
    assert any(at == line and text.startswith(message) for at, text in found), found
    assert any(output.path == "page.html" for output in made.outputs)


def test_words_that_name_no_part_of_a_formula_are_a_problem(tmp_path: Path) -> None:
    text = HEAD.format(terms="    A: first").replace("(term:A)", "(term:Z)") + CODE
    made = build(settings(tmp_path, text))
    assert [(problem.line, problem.message) for problem in made.problems] == [
        (
            7,
            "no formula of this page has a part that is called Z; write \\term{Z}{…} around it",
        )
    ]


def test_formula_words_and_code_carry_the_same_mark(tmp_path: Path) -> None:
    made = build(settings(tmp_path, HEAD.format(terms="    A: other.first\n    B: second") + CODE))
    assert not made.problems
    html = next(o.content.decode() for o in made.outputs if o.path == "page.html")
    marks = re.findall(r'<([\w-]+)[^>]*class="[^"]*?term-(\d)"[^>]* data-term="(\w)"', html)
    assert {(tag, color, name) for tag, color, name in marks if not tag.startswith("mjx")} == {
        ("span", "1", "A"),
        ("span", "2", "B"),
    }
    assert {(color, name) for tag, color, name in marks if tag.startswith("mjx")} == {
        ("1", "A"),
        ("2", "B"),
    }
