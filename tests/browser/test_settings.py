"""The reader's settings: remembered, shared between tabs, and there before the first paint."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LONG

Visit = Callable[..., Page]

# What the root said when the body came into being, and the ground in the first frame.
WATCH_START = """
new MutationObserver((_, observer) => {
  if (!document.body) return;
  observer.disconnect();
  window.atStart = document.documentElement.dataset.scheme;
  requestAnimationFrame(() => {
    window.firstGround = getComputedStyle(document.body).backgroundColor;
  });
}).observe(document, {childList: true, subtree: true});
"""


def ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.mark.parametrize("system", ["light", "dark"])
def test_colours_follow_the_system_and_the_switch(site: Path, visit: Visit, system: str) -> None:
    page = visit(site, LONG, scheme=system)
    grounds = {"light": "rgb(255, 255, 255)", "dark": "rgb(19, 23, 28)"}
    other = "light" if system == "dark" else "dark"
    assert ground(page) == grounds[system]
    page.get_by_role("button", name="Reading settings").click()
    page.get_by_label(other.capitalize(), exact=True).check()
    assert ground(page) == grounds[other]
    page.get_by_label("As the system").check()
    assert ground(page) == grounds[system]
    page.emulate_media(color_scheme=other)
    assert ground(page) == grounds[other]


def test_the_choice_is_remembered_without_a_flash(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, scheme="light", before=WATCH_START)
    assert page.evaluate("atStart") == "system"
    page.get_by_role("button", name="Reading settings").click()
    page.get_by_label("Dark", exact=True).check()
    page.reload()
    assert page.evaluate("[atStart, firstGround]") == ["dark", "rgb(19, 23, 28)"]
    page.goto((site / "zh" / LONG).as_uri())
    assert page.evaluate("atStart") == "dark", "the choice holds for the whole site"
    page.get_by_role("button").last.click()
    expect(page.locator("#pylit-settings input[value=dark]")).to_be_checked()


def test_text_size(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    size = "parseFloat(getComputedStyle(document.querySelector('.prose p:not(.mark)')).fontSize)"
    normal = page.evaluate(size)
    page.get_by_role("button", name="Reading settings").click()
    page.get_by_label("Largest").check()
    assert page.evaluate(size) > normal * 1.3
    page.reload()
    assert page.evaluate(size) > normal * 1.3


def test_another_tab_follows(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, scheme="light")
    other = page.context.new_page()
    other.goto((site / "transformers" / "mha.html").as_uri())
    page.get_by_role("button", name="Reading settings").click()
    page.get_by_label("Dark", exact=True).check()
    other.wait_for_function("document.documentElement.dataset.scheme === 'dark'")


def test_forbidden_storage_is_no_trouble(site: Path, watch: Callable[..., object]) -> None:
    forbid = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    watched = watch(site, LONG, before=forbid)
    page = watched.page
    page.get_by_role("button", name="Reading settings").click()
    page.get_by_label("Dark", exact=True).check()
    assert ground(page) == "rgb(19, 23, 28)"
    assert watched.messages == []
