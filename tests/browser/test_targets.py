"""What can be pressed is 24 px large, or apart from all else, as WCAG 2.5.8 has it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LONG

Visit = Callable[..., Page]

WIDTHS = (1440, 390)
ADDRESSES = (
    LONG,
    "index.html",
    "transformers/models.html",
    "guides/reading.html",
    "pylit-contents.html",
    "404.html",
    f"zh/{LONG}",
    "si/index.html",
)

# Every target that is smaller than 24 by 24 px and neither in a sentence nor apart from the others:
# a circle of 24 px around the middle of a small target meets no other target and no circle of
# another small one.
SMALL = """
scope => {
  const root = document.querySelector(scope);
  const PRESSED = 'a[href], button, input, select, textarea, summary, label, [role=button]';
  const shown = each => each.checkVisibility({opacityProperty: false, visibilityProperty: true});
  const inSentence = each => {
    if (getComputedStyle(each).display != 'inline') return false;
    // Numbers of lines are no part of the code beside them, and headings are no sentences.
    let block = each.parentElement;
    while (getComputedStyle(block).display == 'inline') block = block.parentElement;
    const others = [...block.querySelectorAll(PRESSED)].map(other => other.textContent).join('');
    return block.textContent.replace(/\\s/g, '').length > others.replace(/\\s/g, '').length;
  };
  const targets = [...root.querySelectorAll(PRESSED)]
    // A label is the target of what it holds.
    .filter(each => shown(each) && !each.parentElement.closest('label') && !each.matches('.skip'))
    .map(element => {
      // A line of what is in two is not a target of its own, but where it is hit.
      const [box] = [...element.getClientRects()].sort((a, b) => b.width - a.width);
      return {element, box};
    })
    .filter(({box}) => box && box.width && box.height);
  const small = ({box}) => box.width < 23.99 || box.height < 23.99;
  const middle = ({box}) => [box.left + box.width / 2, box.top + box.height / 2];
  const close = (one, other) => {
    const [x, y] = middle(one);
    if (small(other)) {
      const [u, v] = middle(other);
      return Math.hypot(x - u, y - v) < 24;
    }
    const {left, right, top, bottom} = other.box;
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) < 12;
  };
  return targets
    .filter(target => small(target) && !inSentence(target.element))
    .filter(target => targets.some(other => other != target && close(target, other)
      && !other.element.contains(target.element) && !target.element.contains(other.element)))
    .map(({element, box}) => `${Math.round(box.width)}x${Math.round(box.height * 10) / 10} `
      + element.outerHTML.slice(0, 120));
}
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_targets_of_a_page(site: Path, visit: Visit, address: str, width: int) -> None:
    page = visit(site, address, width=width)
    if page.locator(":root.scripts").count():
        page.mouse.move(200, 300)
        expect(page.locator(":root.styled")).to_have_count(1)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate(SMALL, "body") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_of_lines_are_targets_of_their_own(site: Path, visit: Visit, width: int) -> None:
    page = visit(site, LONG, width=width)
    sizes = page.locator(".line > a[id]").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert len(sizes) > 50
    assert min(min(size) for size in sizes) >= 23.99


@pytest.mark.parametrize("width", WIDTHS)
def test_targets_of_what_opens(site: Path, visit: Visit, width: int) -> None:
    page = visit(site, LONG, width=width)
    page.mouse.move(200, 300)
    expect(page.locator(":root.styled")).to_have_count(1)
    for menu in ("pylit-outline", "pylit-languages", "pylit-settings"):
        page.locator(f"button[popovertarget={menu}]").first.click()
        expect(page.locator(f"#{menu}")).to_be_visible()
        assert page.evaluate(SMALL, f"#{menu}") == [], menu
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#pylit-help")).to_be_visible()
    assert page.evaluate(SMALL, "#pylit-help") == []
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.locator("#pylit-search input").fill("attention")
    expect(page.locator("#pylit-search [role=option]").first).to_be_visible()
    assert page.evaluate(SMALL, "#pylit-search") == []
    page.keyboard.press("Escape")
    page.locator(".prose span.term").first.click()
    expect(page.locator("#pylit-marked")).to_be_visible()
    assert page.evaluate(SMALL, "#pylit-marked") == []
