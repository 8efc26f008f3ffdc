"""What axe finds: nothing wrong, and no contrast that it is unsure of."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.pages import LONG, SCHEMES, WIDTHS

Visit = Callable[..., Page]

CHECKED = ("index.html", LONG, f"si/{LONG}", "guides/syntax.html")
HARD_CHECKED = ("long_lines.html", "ar/text.html")


def findings(page: Page, part: str | None = None) -> list[tuple[str, str, str]]:
    """Violations, and contrasts that axe could not judge, on the page or in a part of it."""
    # It never judges single signs such as an arrow, signs outside the BMP, nor what stands on a
    # drawing. Formulas and numbers in figures are that; test_colours.py computes the contrast of
    # every one of them instead.
    options = {"resultTypes": ["violations", "incomplete"]}
    found = Axe().run(page, context=part, options=options).response
    unsure = [rule for rule in found["incomplete"] if rule["id"] == "color-contrast"]
    return [
        (kind, rule["id"], node["html"][:160])
        for kind, rules in (("violation", found["violations"]), ("unsure", unsure))
        for rule in rules
        for node in rule["nodes"]
        if not (kind == "unsure" and node["html"].startswith(("<mjx-", "<text ")))
    ]


def violations(page: Page, part: str) -> list[tuple[str, str, str]]:
    """Violations in a part of the page."""
    return [each for each in findings(page, part) if each[0] == "violation"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_axe(site: Path, hard_site: Path, visit: Visit, width: int, scheme: str) -> None:
    for folder, addresses in ((site, CHECKED), (hard_site, HARD_CHECKED)):
        for address in addresses:
            page = visit(folder, address, width=width, scheme=scheme)
            assert findings(page) == [], address


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_with_menus_open(site: Path, visit: Visit, scheme: str) -> None:
    # Axe knows nothing of the layer that menus are drawn in, so it is unsure of what lies behind.
    page = visit(site, LONG, width=390, scheme=scheme)
    for menu in ("outline", "languages", "settings"):
        page.locator(f"[popovertarget=pylit-{menu}]").first.click()
        assert violations(page, f"#pylit-{menu}") == [], menu
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert violations(page, "#pylit-help") == []


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
        """[...document.querySelectorAll(
            '.bar :is(a, button), .menu :is(a, button, label), :is(.mark, .head, .foot, .outline) a'
          )]
          .filter(each => each.checkVisibility())
          .map(each => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
          .map(([html, box]) => `${html} ${box.width} x ${box.height}`)"""
    )
    assert small == []
