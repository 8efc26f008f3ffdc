"""Where things stand: two columns or one, nothing wider than the window, nothing that moves."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.pages import HARD, LONG, PAGES, WIDTHS, box

Visit = Callable[..., Page]

# What sticks out, apart from what scrolls or is cut inside a box of its own.
STICKING_OUT = """
() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')]
    .filter(each => each.getBoundingClientRect().right > innerWidth + .5 && !each.closest('pre, .display'))
    .map(each => each.outerHTML.slice(0, 100))
"""

# Each score that Chromium gives to something that moved by itself.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    window.shifts.push([entry.value, ...entry.sources.map(source => source.node?.outerHTML?.slice(0, 100))]);
  }
}).observe({type: 'layout-shift', buffered: true});
"""

# Two frames: what was asked for before has been drawn.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1440, 1920])
def test_no_page_scrolls_sideways(
    site: Path, hard_site: Path, visit: Visit, width: int
) -> None:
    for folder, addresses in ((site, PAGES), (hard_site, HARD)):
        for address in addresses:
            page = visit(folder, address, width=width)
            assert page.evaluate(STICKING_OUT) == [], address


@pytest.mark.parametrize("size", ["small", "large", "huge"])
def test_no_page_scrolls_sideways_with_another_text_size(
    hard_site: Path, visit: Visit, size: str
) -> None:
    for address in HARD:
        for width in (320, 1024):
            page = visit(hard_site, address, width=width, before=f"localStorage['pylit.size'] = '{size}'")
            assert page.evaluate("document.documentElement.dataset.size") == size
            assert page.evaluate(STICKING_OUT) == [], (address, width)


def test_prose_and_code_stand_side_by_side_on_a_wide_screen(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=1024)
    places = page.evaluate(
        """[...document.querySelectorAll('main > .row')].filter(row => row.querySelector('pre')).map(row => {
          const [prose, code] = [row.querySelector('.prose'), row.querySelector('.code')].map(e => e.getBoundingClientRect());
          return [prose.right - code.left, prose.top - code.top];
        })"""
    )
    assert len(places) > 5
    for overlap, step in places:
        assert overlap <= 0.5
        assert abs(step) <= 1


@pytest.mark.parametrize("width", [390, 768])
def test_code_stands_below_its_prose_on_a_narrow_screen(
    site: Path, visit: Visit, width: int
) -> None:
    page = visit(site, LONG, width=width)
    prose, code = box(page, "main > .row .prose"), box(page, "main > .row .code")
    assert code["y"] >= prose["y"] + prose["height"] - 0.5
    assert code["width"] == width


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_what_stays_in_view_fits_into_the_window(
    site: Path, hard_site: Path, visit: Visit, width: int, height: int
) -> None:
    """Something taller would hide its end from the reader for as long as it stays."""
    for folder, addresses in ((site, PAGES), (hard_site, HARD)):
        for address in addresses:
            page = visit(folder, address, width=width, height=height)
            tall = page.evaluate(
                """[...document.querySelectorAll('.stay')]
                  .filter(each => each.getBoundingClientRect().height > innerHeight - document.querySelector('.bar').offsetHeight)
                  .filter(each => each.parentElement.closest('.row').offsetHeight > each.offsetHeight + 40)
                  .map(each => each.closest('.row').id)"""
            )
            assert tall == [], address


def test_short_code_stays_beside_long_prose(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    row = page.locator("#RelativeMultiHeadAttention")
    row.evaluate("row => scrollTo(0, scrollY + row.getBoundingClientRect().top + 900)")
    code = row.locator(".code .line").first.bounding_box()
    assert code
    assert 0 < code["y"] < 150


def test_long_lines_scroll_in_their_own_block(hard_site: Path, visit: Visit) -> None:
    page = visit(hard_site, "long_lines.html", width=320)
    for selector in (".code pre", ".prose pre", ".math.display"):
        scrolls = page.locator(selector).first.evaluate(
            "each => { each.scrollLeft = 40; return each.scrollLeft; }"
        )
        assert scrolls == 40, selector
    number = box(page, "#L23")
    assert number["x"] >= 0, "the number of a line stays in view while the line scrolls"


@pytest.mark.parametrize("width", [320, 1440])
def test_lines_of_code_never_break_and_keep_their_indentation(
    hard_site: Path, visit: Visit, width: int
) -> None:
    page = visit(hard_site, "long_lines.html", width=width)
    lines = page.evaluate(
        """[...document.querySelectorAll('.line')].map(line => {
          const range = document.createRange();
          range.setStartAfter(line.firstElementChild);
          range.setEndAfter(line.lastChild);
          const text = range.toString();
          const tops = new Set([...range.getClientRects()].filter(r => r.width).map(r => Math.round(r.bottom / 8)));
          return [text, tops.size, line.getBoundingClientRect().height];
        })"""
    )
    assert any(text.startswith(" " * 20) for text, _, _ in lines)
    assert all(rows <= 1 for _, rows, _ in lines)
    assert len({height for _, _, height in lines}) == 1


def test_wrapped_code_breaks_between_words_only(hard_site: Path, visit: Visit) -> None:
    page = visit(hard_site, "long_lines.html", width=390)
    page.get_by_role("button", name="Reading settings").click()
    page.get_by_label("Wrap").check()
    assert page.evaluate("document.documentElement.dataset.lines") == "wrap"
    widths = page.locator(".code pre").evaluate_all(
        "all => all.map(each => each.scrollWidth - each.clientWidth)"
    )
    # One name is longer than the screen and must scroll, since it must not break.
    assert sorted(widths)[len(widths) // 2] == 0
    assert page.evaluate(STICKING_OUT) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves(site: Path, visit: Visit, width: int) -> None:
    for address in (LONG, f"si/{LONG}", "transformers/mha.html", "index.html"):
        page = visit(site, address, width=width, before=WATCH_SHIFTS)
        page.mouse.move(width / 2, 300)
        for _ in range(12):
            page.mouse.wheel(0, 500)
            page.evaluate(DRAWN)
            page.mouse.move(width / 3, 400)
            page.mouse.move(width * 0.75, 420)
            page.evaluate(DRAWN)
        assert page.evaluate("shifts") == [], address


def test_the_contents_stand_beside_a_very_wide_page(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=1920)
    outline, main = box(page, "#outline"), box(page, "main > .row")
    assert outline["x"] + outline["width"] <= main["x"]
    page.evaluate("scrollTo(0, 3000)")
    assert box(page, "#outline") == outline
    page.wait_for_function(
        "document.querySelector('#outline [aria-current]').textContent.includes('Four terms')"
    )


def test_pages_are_lean(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    assert page.evaluate("document.querySelectorAll('*').length") < 4000
