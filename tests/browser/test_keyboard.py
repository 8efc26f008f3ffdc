"""Everything that a mouse can do, done by keyboard, with the focus in sight."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import IMPORTS, LONG

Visit = Callable[..., Page]


def focused_row(page: Page) -> str:
    """The section that holds the focus, or nothing."""
    return str(page.evaluate("document.activeElement.closest('.row')?.id ?? ''"))


def test_the_first_key_skips_to_the_content(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_focus_is_always_in_sight(site: Path, visit: Visit, width: int) -> None:
    page = visit(site, LONG, width=width)
    for _ in range(40):
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => {
              const style = getComputedStyle(document.activeElement);
              const box = document.activeElement.getBoundingClientRect();
              return [document.activeElement.outerHTML.slice(0, 80), style.outlineStyle,
                      parseFloat(style.outlineWidth), box.bottom > 0 && box.top < innerHeight];
            }"""
        )
        html, style, thickness, inside = seen
        assert style == "solid", html
        assert thickness >= 2, html
        assert inside, html


def test_sections_by_letter(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    ids = page.locator(".row[id]").evaluate_all("rows => rows.map(row => row.id)")
    for place in (*ids, ids[-1]):
        page.keyboard.press("j")
        assert focused_row(page) == place
        expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("k")
    assert focused_row(page) == ids[-2]


def test_the_code_of_a_section_is_copied_without_numbers(site: Path, visit: Visit) -> None:
    page = visit(site, f"{LONG}#shift_right")
    page.locator("#shift_right .mark a").first.focus()
    page.keyboard.press("c")
    expect(page.locator("#pylit-status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("def shift_right(")
    assert "    rows, columns = " in copied
    assert not re.search(r"^\s*\d+\s*$", copied, re.MULTILINE)


def test_help_lists_the_keys_and_turns_them_off(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_be_visible()
    for key in ("j", "k", "o", "c", "?"):
        expect(dialog.locator("kbd", has_text=re.compile(rf"^{re.escape(key)}$"))).to_be_visible()
    dialog.get_by_label("Use single-letter keys").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("j")
    assert focused_row(page) == ""
    page.reload()
    page.keyboard.press("j")
    assert focused_row(page) == ""
    page.keyboard.press("?")
    expect(dialog).to_be_visible()


@pytest.mark.parametrize(
    ("button", "menu"),
    [("Language: English", "#pylit-languages"), ("Reading settings", "#pylit-settings")],
)
def test_menus_open_and_close(site: Path, visit: Visit, button: str, menu: str) -> None:
    page = visit(site, LONG)
    opener = page.get_by_role("button", name=button)
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator(menu)).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate(
        "menu => document.querySelector(menu).contains(document.activeElement)", menu
    )
    page.keyboard.press("Escape")
    expect(page.locator(menu)).to_be_hidden()
    expect(opener).to_be_focused()


def test_the_contents_open_by_letter(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=390)
    page.keyboard.press("o")
    outline = page.locator("#pylit-outline")
    expect(outline).to_be_visible()
    outline.get_by_role("link", name="Arguments").press("Enter")
    expect(outline).to_be_hidden()
    assert page.url.endswith("#arguments")


def test_the_focus_on_the_bar_moves_nothing(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.evaluate("scrollTo(0, 3000)")
    page.get_by_role("button", name="Reading settings").focus()
    assert page.evaluate("scrollY") == 3000


def test_letters_typed_into_a_field_are_letters(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.evaluate("document.querySelector('main').append(document.createElement('textarea'))")
    page.locator("textarea").press_sequentially("jk?")
    assert page.locator("textarea").input_value() == "jk?"


def test_a_range_of_lines_by_arrows(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.locator(f"#L{IMPORTS}").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(f"#L{IMPORTS + 1}")).to_be_focused()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    expect(page).to_have_url(re.compile(f"#L{IMPORTS + 1}-L{IMPORTS + 3}$"))
    expect(page.locator(".line.lit")).to_have_count(3)


def test_a_block_of_code_is_one_stop_of_the_tab_key(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    stops = page.locator(".code pre").evaluate_all(
        """all => all.map(
          each => each.querySelectorAll('.line > a[id]:not([tabindex="-1"])').length
        )"""
    )
    assert set(stops) == {1}


def test_without_a_script_each_line_is_a_stop(site: Path, visit: Visit) -> None:
    """No arrow leads to a line there, so the Tab key has to."""
    page = visit(site, LONG, scripts=False)
    page.locator(f"#L{IMPORTS}").focus()
    page.keyboard.press("Tab")
    expect(page.locator(f"#L{IMPORTS + 1}")).to_be_focused()
