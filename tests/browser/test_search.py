"""Search in the page: by keyboard, from the disk, in each script, on a phone."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import LONG, SCHEMES
from tests.browser.test_accessibility import violations
from tests.browser.test_layout import STICKING_OUT, WATCH_SHIFTS

Visit = Callable[..., Page]


def options(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


@pytest.mark.parametrize(
    ("folder", "query", "label"),
    [
        ("", "shift_right", "shift row"),
        ("zh/", "意力", "注意力"),
        ("ja/", "注意機構", "注意"),
        ("si/", "සමීකරණ", ""),
    ],
)
def test_open_type_choose_and_land(
    site: Path, watch: Callable[..., object], folder: str, query: str, label: str
) -> None:
    watched = watch(site, folder + LONG)
    page: Page = watched.page  # type: ignore[attr-defined]
    assert not any("search-" in each for each in watched.requests)  # type: ignore[attr-defined]
    page.keyboard.press("/")
    field = page.get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.insert_text(query)
    expect(options(page).first).to_contain_text(label, ignore_case=True)
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#pylit-search [role=status]")).to_contain_text(re.compile(r"\d"))
    page.keyboard.press("ArrowDown")
    first = options(page).first
    expect(first).to_have_attribute("aria-selected", "true")
    identifier = first.get_attribute("id")
    expect(field).to_have_attribute("aria-activedescendant", identifier or "")
    address = first.evaluate("each => each.href")
    assert address.startswith((site / folder).as_uri())
    assert watched.messages == []  # type: ignore[attr-defined]
    assert watched.failed == []  # type: ignore[attr-defined]
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    expect(page.locator("#pylit-search")).to_be_hidden()
    anchor = address.partition("#")[2]
    if anchor:
        target = page.evaluate(
            "name => document.getElementById(decodeURIComponent(name)).getBoundingClientRect().top",
            anchor,
        )
        assert -1 <= target < 900


def test_up_down_escape_and_nothing_found(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    opener = page.get_by_role("button", name="Search")
    opener.click()
    page.keyboard.insert_text("attention")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(options(page).nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.get_by_role("combobox").fill("qqqq")
    expect(page.locator("#pylit-search [role=status]")).to_have_text("Nothing was found.")
    expect(options(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#pylit-search")).to_be_hidden()
    expect(opener).to_be_focused()


def test_what_is_typed_stays_text(site: Path, visit: Visit) -> None:
    """W-SRC-03, W-HTM-03"""
    page = visit(site, LONG)
    page.keyboard.press("/")
    page.keyboard.insert_text("<img src=x onerror=alert(1)> softmax")
    expect(page.locator("#pylit-search [role=status]")).not_to_be_empty()
    assert page.locator("#pylit-search img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1440])
def test_nothing_moves_and_nothing_sticks_out(
    site: Path, visit: Visit, width: int, scheme: str
) -> None:
    page = visit(site, LONG, width=width, scheme=scheme, before=WATCH_SHIFTS)
    page.get_by_role("button", name="Search").click()
    page.keyboard.insert_text("softmax")
    expect(options(page).first).to_be_visible()
    page.get_by_role("combobox").fill("attention mask")
    expect(options(page).first).to_be_visible()
    box = page.locator("#pylit-search").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate("shifts") == []


def test_without_scripts_there_is_no_search(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, scripts=False)
    expect(page.locator("[data-search]")).to_be_hidden()
    expect(page.locator("#pylit-search")).to_be_hidden()


def test_a_missing_index_is_said_in_one_line(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.locator("#pylit-search").evaluate("each => { each.dataset.index = 'gone/away.js'; }")
    page.keyboard.press("/")
    expect(page.locator("#pylit-search [role=status]")).to_have_text(
        "The search could not be loaded."
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_with_results(site: Path, visit: Visit, scheme: str) -> None:
    page = visit(site, LONG, width=390, scheme=scheme)
    page.keyboard.press("/")
    page.keyboard.insert_text("attention")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    assert violations(page, "#pylit-search") == []
