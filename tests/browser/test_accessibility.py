"""What axe finds: nothing wrong, and no contrast that it is unsure of."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.pages import LONG, SCHEMES, WIDTHS

Visit = Callable[..., Page]

CHECKED = ("index.html", "transformers/mha.html", LONG, f"si/{LONG}", "404.html")
HARD_CHECKED = ("long_lines.html", "ar/text.html")


def findings(page: Page) -> list[tuple[str, str, str]]:
    """Violations, and contrasts that axe could not judge."""
    # It never judges single signs such as an arrow, nor signs outside the BMP, and formulas are
    # made of those; test_colours.py computes the contrast of every one of them instead.
    options = {"resultTypes": ["violations", "incomplete"]}
    found = Axe().run(page, options=options).response
    unsure = [rule for rule in found["incomplete"] if rule["id"] == "color-contrast"]
    return [
        (kind, rule["id"], node["html"][:160])
        for kind, rules in (("violation", found["violations"]), ("unsure", unsure))
        for rule in rules
        for node in rule["nodes"]
        if not (kind == "unsure" and node["html"].startswith("<mjx-"))
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_axe(site: Path, hard_site: Path, visit: Visit, width: int, scheme: str) -> None:
    for folder, addresses in ((site, CHECKED), (hard_site, HARD_CHECKED)):
        for address in addresses:
            page = visit(folder, address, width=width, scheme=scheme)
            assert findings(page) == [], address


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_with_menus_open(site: Path, visit: Visit, scheme: str) -> None:
    page = visit(site, LONG, width=390, scheme=scheme)
    for name in ("contents", "Language: English", "Reading settings"):
        button = page.locator(".contents") if name == "contents" else page.get_by_role("button", name=name)
        button.click()
        assert [each for each in findings(page) if each[0] == "violation"] == [], name
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert [each for each in findings(page) if each[0] == "violation"] == []


def test_formulas_are_read_aloud(site: Path, visit: Visit) -> None:
    """Each formula is in the accessibility tree once, as mathematics."""
    page = visit(site, LONG)
    assert page.locator(".math").count() == page.get_by_role("math").count() > 40


@pytest.mark.parametrize("width", WIDTHS)
def test_targets_are_large_enough(site: Path, visit: Visit, width: int) -> None:
    """At least 24 by 24 px, as WCAG 2.2 asks, but for links inside sentences and line numbers."""
    page = visit(site, LONG, width=width)
    page.get_by_role("button", name="Reading settings").click()
    small = page.evaluate(
        """[...document.querySelectorAll('.bar :is(a, button), .menu :is(a, button, label), .mark a, .head a, .foot a, .outline a')]
          .filter(each => each.checkVisibility())
          .map(each => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
          .map(([html, box]) => `${html} ${box.width} x ${box.height}`)"""
    )
    assert small == []
