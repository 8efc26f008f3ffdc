"""The Tab key through whole pages: at each stop the focus shows, and nothing covers it."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LONG

Visit = Callable[..., Page]
Stop = dict[str, Any]

WIDTHS = (1440, 390)
# More stops than any page has: a walk that does not end is a trap.
MANY = 1500

# The element with the focus: a number for it, and the points of it that are out of sight or have
# something else on top. What is larger than the window has to fill a half of it. `unseen` holds the
# element that has just lost the focus, if it looks as it did with it.
STOP = """
() => {
  const element = document.activeElement;
  globalThis.stops ??= [];
  const last = globalThis.last;
  const look = each => JSON.stringify([each, ...each.querySelectorAll('rect')].map(part => {
    const {outlineStyle, outlineWidth, outlineColor, boxShadow, stroke} = getComputedStyle(part);
    return [outlineStyle, outlineWidth, outlineColor, boxShadow, stroke];
  }));
  // In a drawing, the shape may show it.
  const unseen = last && last.element !== element && look(last.element) === last.looks
    ? [last.element.outerHTML.slice(0, 100)] : [];
  if (element === document.body || element === document.documentElement) {
    globalThis.last = null;
    return {number: -1, unseen};
  }
  if (!stops.includes(element)) stops.push(element);
  globalThis.last = {element, looks: look(element)};
  const covered = [];
  const bar = document.querySelector('.bar').offsetHeight;
  for (const box of element.getClientRects()) {
    const large = box.height > innerHeight - bar || box.width > innerWidth;
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, large ? bar : 0), Math.min(box.bottom, innerHeight)];
    const whole = large ? bottom - top >= innerHeight / 2 : box.top >= -2 && box.left >= -2
      && box.bottom <= innerHeight + 2 && box.right <= innerWidth + 2;
    if (!whole) covered.push(['outside', box.left, box.top, box.right, box.bottom].join(' '));
    for (const across of [.15, .5, .85]) {
      for (const down of [.15, .5, .85]) {
        const [x, y] = [left + (right - left) * across, top + (bottom - top) * down];
        const above = document.elementFromPoint(x, y);
        if (!above || !(element.contains(above) || above.contains(element))) {
          covered.push(`${Math.round(x)} ${Math.round(y)} ${above?.outerHTML.slice(0, 60)}`);
        }
      }
    }
  }
  return {
    number: stops.indexOf(element), html: element.outerHTML.slice(0, 100),
    scrolled: Math.round(scrollY), covered, unseen,
    shown: element.getClientRects().length > 0,
  };
}
"""


def walk(page: Page, key: str = "Tab") -> Iterator[Stop]:
    """
    Each stop of the key, until it leaves the page or is at the first one again.

    The buttons that copy come along, so they are met in many places.
    """
    met: list[Stop] = []
    while len(met) < MANY:
        page.keyboard.press(key)
        stop = page.evaluate(STOP)
        assert stop["unseen"] == [], "no focus to be seen"
        if stop["number"] < 0 or (met and stop["number"] == met[0]["number"]):
            return
        assert stop["shown"], stop["html"]
        assert stop["covered"] == [], (stop["html"], stop["scrolled"])
        met.append(stop)
        yield stop
    pytest.fail(f"the {key} key goes on after {MANY} stops: {[each['html'] for each in met[-8:]]}")


@pytest.mark.parametrize(("width", "key"), [(1440, "Tab"), (1440, "Shift+Tab"), (390, "Tab")])
def test_through_a_whole_page(site: Path, visit: Visit, width: int, key: str) -> None:
    page = visit(site, LONG, width=width)
    met = list(walk(page, key))
    # From end to end: what comes first, each block of code, and what comes last.
    html = " ".join(stop["html"] for stop in met)
    for part in ('class="skip"', 'class="brand"', 'rel="prev"', "Repository"):
        assert part in html, part
    blocks = page.locator(".code pre").count()
    assert sum('id="L' in stop["html"] for stop in met) == blocks
    copying = 'class="copy'
    others = [stop["number"] for stop in met if copying not in stop["html"]]
    assert len(others) == len(set(others))
    assert len(others) == page.evaluate(COUNT)


# How many stops a page has, without the buttons that copy.
COUNT = """
() => [...document.querySelectorAll('a[href], button, input, summary, [tabindex]')].filter(each =>
  each.tabIndex >= 0 && each.checkVisibility() && !each.matches('.copy')).length
"""


@pytest.mark.parametrize(
    ("address", "width"),
    [
        ("pylit-contents.html", 390),
        ("index.html", 1440),
        ("guides/publishing.html", 390),
        (f"si/{LONG}", 390),
    ],
)
def test_through_pages_of_other_kinds(site: Path, visit: Visit, address: str, width: int) -> None:
    page = visit(site, address, width=width)
    # All but the lists of imports, which are hundreds of links of one kind.
    page.evaluate("for (const each of document.querySelectorAll('.uses, .cite')) each.open = true")
    assert len(list(walk(page))) > 10


@pytest.mark.parametrize("width", WIDTHS)
def test_through_what_opens(site: Path, visit: Visit, width: int) -> None:
    page = visit(site, LONG, width=width)
    page.mouse.move(200, 300)
    expect(page.locator(":root.styled")).to_have_count(1)
    for menu, least in (("pylit-outline", 5), ("pylit-languages", 4), ("pylit-settings", 5)):
        opener = page.locator(f"button[popovertarget={menu}]").first
        opener.focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#{menu}:popover-open")).to_be_visible()
        inside = list(islice(walk(page), least))
        assert len(inside) == least
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()
    for key, dialog in (("?", "pylit-help"), ("/", "pylit-search")):
        page.keyboard.press(key)
        expect(page.locator(f"#{dialog}")).to_be_visible()
        # Where the focus is to begin with is met again at the end, or not at all.
        assert list(walk(page)), dialog
        page.keyboard.press("Escape")


def test_with_something_marked(site: Path, visit: Visit) -> None:
    """The bar of what is marked lies over the page, at its foot."""
    page = visit(site, LONG, width=390)
    page.locator(".prose span.term").first.click()
    expect(page.locator("#pylit-marked")).to_be_visible()
    assert len(list(walk(page))) > 30
