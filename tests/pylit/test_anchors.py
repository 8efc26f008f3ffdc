"""Anchors: a section is called by what it holds, so a link lasts when something else changes."""

import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pylit.anchors import LONGEST, prose_words
from pylit.site import Build
from tests.pylit.test_parse import programs, split

BuildSite = Callable[..., Build]


def anchors(text: str) -> list[str]:
    return [section.anchor for section in split(text).sections]


@given(programs(), st.integers(0, 20), st.integers(1, 3))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_a_comment_put_in_moves_no_other_anchor(lines: list[str], choice: int, length: int) -> None:
    """
    At the top, or between two sections at the top level.

    Code that had no comment would become the new one's, and a comment directly above a definition
    belongs to that; neither is parted here.
    """
    sections = split("\n".join(lines)).sections
    places = [
        min(span.first for span in (section.prose, section.code) if span)
        for section in sections
        if section.prose or section.kind != "code"
    ]
    places = [
        place
        for place in places
        if not lines[place - 1].startswith(" ")
        and not (place > 1 and lines[place - 2].lstrip().startswith("#"))
    ]
    assume(places)
    place = places[choice % len(places)] - 1
    block = ["# Nobody has ever said this before.", *["# Nor that."] * (length - 1), ""]
    after = anchors("\n".join([*lines[:place], *block, *lines[place:]]))
    assert [each for each in after if "nobody" not in each] == [each.anchor for each in sections]
    assert len(after) == len(sections) + 1


@given(programs(), st.integers(0, 20))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_other_words_in_a_section_change_only_its_own_anchor(lines: list[str], choice: int) -> None:
    notes = [number for number, line in enumerate(lines) if line.strip() == "# note"]
    assume(notes)
    lines = [f"{line} {number}" if number in notes else line for number, line in enumerate(lines)]
    place = notes[choice % len(notes)]
    before = anchors("\n".join(lines))
    lines[place] = lines[place].replace("# note", "# remark")
    after = anchors("\n".join(lines))
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) <= 1
    assert all("note" in old and "remark" in new for old, new in changed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"""Doc."""\n\n# The limit.\nLIMIT = 3\n', ["module", "module.LIMIT"]),
        ("x: int = 1\n", ["module.x"]),
        ("(a, b), c = f()\n", ["module.a"]),
        ("[*rest] = f()\n", ["module.rest"]),
        ("# Both\na[0] = b = 1\n", ["module.both"]),
        ("class A:\n    def f(self):\n        # On.\n        self.y = 1\n", ["A", "A.f", "A.f.y"]),
        # A name that is given again, or that a definition has, gives way to words.
        ("# First.\nx = 1\n# Then.\nx = 2\n", ["module.x", "module.then"]),
        ("def f():\n    # Deep.\n    g = 1\n    def g(): ...\n", ["f", "f.deep", "f.g"]),
        ("# Again.\nf(1)\n# Again.\ng(1)\n", ["module.again", "module.again-2"]),
        # Code that runs when the file is run, whatever stands above it.
        ("# Try it.\nif __name__ == '__main__':\n    f()\n", ["module.main"]),
        ("def main(): ...\n\nif __name__ == '__main__': main()\n", ["main", "module.main"]),
        # A comment inside a statement begins no statement.
        ("x = f(\n    # The first one.\n    1)\n", ["module.x", "module.the-first-one"]),
        ("import a  # It\n", ["module.import-a"]),
        ("def f():\n    # $x$ is half of `y` in [the paper](x.html).\n    g()\n",
         ["f", "f.is-half-of-y-in-the-paper"]),
        ("# ## A heading\n#\n# A paragraph.\nf()\n", ["module.a-heading"]),
        ("# $$x$$\nf(1)\n", ["module.f-1"]),
        ("# $$x$$\n", ["module.comment"]),
        ("# <!-- pylit: hide -->\n# Secret.\n# <!-- pylit: end -->\nf(1)\n", ["module.f-1"]),
        ("f(1)  # pylit: fold\n", ["module.f-1"]),
        ("x = 1  # pylit: hide\ny = 2\n", ["module.y"]),
        ("class L12:\n    pass\n", ["L12-definition"]),
    ],
)  # fmt: skip
def test_what_a_section_is_called_by(text: str, expected: list[str]) -> None:
    assert anchors(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two three four five six seven eight nine", "one-two-three-four-five-six"),
        ("One two three four five six-seventh", "one-two-three-four-five-six"),
        ("One two three four five sixteen. And", "one-two-three-four-five-sixteen"),
        ("x" * 50, "x" * LONGEST),
        ("Wrapped at\na line", "wrapped-at-a-line"),
        ("Above.\n\nBelow.", "above"),
        ("多头注意力让模型，同时关注", "多头注意力让模型-同时关注"),
        ("注意力机制让模型自行选择重点并且同时关注不同位置", "注意力机制让模型自行选择重点并且"),
        ("ශ්‍රී අවධානය", "ශ්‍රී-අවධානය"),
        ("Costs $5, or $6 with <b>tax</b>", "costs-6-with-tax"),
        (r"\begin{align}a\end{align} is \(b\) and \[c\] too", "is-and-too"),
        ("", ""),
    ],
)
def test_the_first_words(text: str, expected: str) -> None:
    assert prose_words(text) == expected


def test_sections_and_headings_dispute_no_name_and_no_language_has_others(
    build_site: BuildSite,
) -> None:
    text = '"""# Main\n\nWords.\n\n## Limit\n"""\n\n# ## Limit\nlimit = 3\n\n# Words.\nprint()\n'
    made = build_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n[languages.zh]\nname = "中文"\n',
            "src/a.py": text,
            "translations/zh/a.po": 'msgid ""\nmsgstr ""\n\nmsgid "Words."\nmsgstr "话。"\n',
        }
    )
    found = {}
    for path in ("a.html", "zh/a.html"):
        html = next(each for each in made.outputs if each.path == path).content.decode()
        ids = re.findall(r'\bid="([^"]+)"', html)
        assert len(ids) == len(set(ids))
        found[path] = [each for each in ids if not each.startswith(("pylit-", "L", "section-"))]
    assert "话。" in html
    assert found["a.html"] == found["zh/a.html"]
    assert found["a.html"] == [
        *("module", "main", "limit"), "module.limit", "limit-2", "module.words",
    ]  # fmt: skip
    assert [problem.message for problem in made.problems] == []
