"""What is folded: closed at first, opened by hand, by a link to a line, and on paper."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import build_site
from tests.browser.pages import box
from tests.conftest import write_files

TEXT = '''"""# A page"""

# Words about the sizes.
one = 1
# pylit: fold
sizes = {
    "small": 128,
    "large": 1024,
}
# pylit: end
two = 2


def report(name):  # pylit: fold
    """Words about the report."""
    print(name)
'''
PROSE = "# Prose\n\n<!-- pylit: fold The proof -->\nIt is short.\n<!-- pylit: end -->\n\nAfter.\n"


@pytest.fixture(scope="module")
def folded(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small site with folds."""
    folder = write_files(tmp_path_factory.mktemp("folds"), {"src/a.py": TEXT, "src/b.md": PROSE})
    return build_site(folder / "pylit.toml", folder / "site")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_reader_opens_a_fold_without_a_script(
    folded: Path, visit: Callable[..., Page], scripts: bool
) -> None:
    page = visit(folded, "a.html", scripts=scripts)
    expect(page.locator("#L4")).to_be_visible()
    expect(page.locator("#L13")).to_be_hidden()
    expect(page.locator("#L7")).to_be_hidden()
    page.locator("summary", has_text="Lines 6 to 9").click()
    expect(page.locator("#L7")).to_be_visible()
    expect(page.locator("#L16")).to_be_hidden()
    page.locator("summary", has_text="Line 16").press("Enter")
    expect(page.locator("#L16")).to_be_visible()
    page.locator("summary", has_text="Line 16").press("Enter")
    expect(page.locator("#L16")).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_to_a_line_opens_its_fold(
    folded: Path, visit: Callable[..., Page], scripts: bool
) -> None:
    page = visit(folded, "a.html#L7", scripts=scripts)
    expect(page.locator("#L7")).to_be_visible()
    expect(page.locator("#L7")).to_be_in_viewport()
    expect(page.locator("#L16")).to_be_hidden()


def test_a_link_to_lines_opens_the_folds_at_both_ends(
    folded: Path, visit: Callable[..., Page]
) -> None:
    page = visit(folded, "a.html#L8-L16")
    expect(page.locator("#L8")).to_be_visible()
    expect(page.locator("#L16")).to_be_visible()
    expect(page.locator(".line.lit")).to_have_count(5)


def test_the_arrows_go_into_a_fold(folded: Path, visit: Callable[..., Page]) -> None:
    page = visit(folded, "a.html")
    page.locator("#L4").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#L6")).to_be_focused()
    expect(page.locator("#L6")).to_be_visible()


def test_paper_shows_what_is_folded(folded: Path, visit: Callable[..., Page]) -> None:
    page = visit(folded, "a.html", scripts=False)
    page.emulate_media(media="print")
    height = page.locator("details.fold").first.bounding_box()
    assert height
    assert height["height"] > 60
    assert page.locator("#L7").evaluate("it => it.checkVisibility({contentVisibilityAuto: true})")
    prose = visit(folded, "b.html", scripts=False)
    prose.emulate_media(media="print")
    shown = prose.get_by_text("It is short.").evaluate("it => it.checkVisibility()")
    assert shown


def test_a_copy_of_the_code_has_what_is_folded(folded: Path, visit: Callable[..., Page]) -> None:
    page = visit(folded, "a.html")
    page.locator("#L4").hover()
    page.locator(".copy-code").click()
    expect(page.locator("#pylit-status")).not_to_be_empty()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert '    "small": 128,\n' in copied
    assert "Lines" not in copied


@pytest.mark.parametrize("width", [1440, 768, 390, 320])
def test_a_fold_is_as_wide_as_its_column(
    folded: Path, visit: Callable[..., Page], width: int
) -> None:
    page = visit(folded, "a.html", width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    summary, code = box(page, ".code summary"), box(page, ".code:has(summary)")
    assert code["x"] <= summary["x"] <= summary["x"] + summary["width"] <= code["x"] + code["width"]
    assert summary["height"] >= 24
