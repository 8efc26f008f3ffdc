"""The page of the whole syntax shows everything that the generator knows."""

import re

import pytest

from pylit import docstring_directives, docstring_inline, docstring_sections
from pylit.directives import KNOWN
from pylit.directives_prose import FENCE, find_directives, outside_fences
from pylit.front_matter import KEYS
from pylit.model import Page
from pylit.sanitize import TAGS
from pylit.settings_file import read_settings
from pylit.site import build
from tests.conftest import ROOT

TEXT = (ROOT / "guides/syntax.md").read_text(encoding="utf-8")
LINES = TEXT.split("\n")


def examples() -> list[str]:
    """The text of each example of the page."""
    found = []
    places = [index for index, _ in outside_fences(LINES)]
    for index, directive in find_directives(LINES, range(len(LINES))):
        if directive.name == "example":
            fence = FENCE.match(LINES[index + 1])
            assert fence
            end = next(at for at in places if at > index + 1)
            closing = max(at for at in range(index, end) if LINES[at] == fence["fence"])
            found.append("\n".join(LINES[index + 2 : closing]))
    return found


EXAMPLES = "\n".join(examples())


@pytest.fixture(scope="module")
def page() -> Page:
    made = build(read_settings(ROOT / "pylit.toml"))
    assert not [problem for problem in made.problems if problem.path == "guides/syntax.md"]
    return next(page for page in made.pages if page.address == "guides/syntax.html")


def test_every_directive_is_in_an_example() -> None:
    shown = set(re.findall(r"pylit: (\w+)", EXAMPLES))
    assert shown == set(KNOWN)


def test_every_key_of_the_front_matter_is_in_an_example() -> None:
    for key in KEYS:
        assert re.search(rf"^{key}:(?: |\n +)\S", EXAMPLES, re.MULTILINE), key


@pytest.mark.parametrize(
    "word",
    # In order, since the processes that share the tests must see the same list.
    sorted(
        {
            *docstring_sections.LISTED,
            *docstring_sections.PROSE,
            *docstring_sections.FIELD_KINDS,
            *docstring_directives.NOTES,
            *docstring_directives.VERSIONS,
            *docstring_directives.CODE,
            *docstring_directives.FOR_SPHINX,
            *docstring_inline.TEXT_ROLES,
            *docstring_inline.NUMBER_ROLES,
        }
    ),
)
def test_every_word_that_docstrings_may_hold_is_named(word: str) -> None:
    assert f"`{word}`" in TEXT.lower()


def test_every_form_comes_out(page: Page) -> None:
    """Each of these is only in the page if its example was understood."""
    html = "".join(str(row.prose) for row in page.rows)
    results = html.split('<div class="result"')[1:]
    shown = "".join(results)
    # The example of an example holds another one.
    assert len(results) == len(examples()) + 1
    # The box of a task becomes a sign.
    for tag in TAGS - {"h1", "h2", "input"}:
        # Marks of the page's own are not shown; all others are.
        assert re.search(rf"<{tag}[ >]", shown) or tag in ("h5", "h6"), tag
    for piece in (
        'class="math"', 'class="math display"', "data-term=", 'class="footnote"',
        "\N{BALLOT BOX} to do", "\N{BALLOT BOX WITH CHECK} done",
        'class="task-list"', 'class="align-center"', 'class="admonition note"',
        'class="admonition tip"', 'class="admonition warning"', 'class="admonition danger"',
        '<details class="fold">', "<figcaption>", 'class="anchor" id="the-shift"',
        "<pre", 'class="gp">&gt;&gt;&gt;', "<dt>Term</dt>", "<br>", "example-code",
    ):  # fmt: skip
        assert piece in shown, piece
    for href in (
        "annotating.html", "../transformers/mha.html", "#links", "annotating.html#links",
        "https://example.org/paper", "https://example.org/",
    ):  # fmt: skip
        assert f'href="{href}"' in shown, href
    assert '<a href="../transformers/mha.html#MultiHeadAttention"><code>' in shown


def test_examples_are_not_for_translators(page: Page) -> None:
    outside = TEXT
    for example in examples():
        outside = outside.replace(example, "")
    assert "Both projections" not in outside
    assert page.translation.messages < 110
    assert "Comments that stay code" in {heading.title for heading in page.outline}
    assert "A heading" not in {heading.title for heading in page.outline}
