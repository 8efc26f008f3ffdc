"""Where things stand: two columns or one, nothing wider than the window, nothing that moves."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import HARD, LONG, PAGES, TRANSLATED, WIDTHS, box

Visit = Callable[..., Page]

# What sticks out, apart from what scrolls or is cut inside a box of its own.
STICKING_OUT = """
() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')]
    .filter(each => each.getBoundingClientRect().right > innerWidth + .5)
    .filter(each => !each.closest('pre, .display'))
    .map(each => each.outerHTML.slice(0, 100))
"""

# What stays while its neighbour scrolls, and is taller than the window.
TOO_TALL = """
[...document.querySelectorAll('.stay')].filter(each => {
  const room = innerHeight - document.querySelector('.bar').offsetHeight;
  const way = each.parentElement.closest('.row').offsetHeight - each.offsetHeight;
  return each.offsetHeight > room && way > 60;
}).map(each => each.closest('.row').id + ' ' + each.className + ' ' + each.offsetHeight)
"""

# Each score that Chromium gives to what moved by itself, with what it was, from where to where.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  const place = box => [box.x, box.y, box.width, box.height].map(Math.round).join(' ');
  for (const {value, sources} of list.getEntries()) {
    window.shifts.push([value, ...sources.map(({node, previousRect, currentRect}) => [
      node?.outerHTML?.slice(0, 80) ?? node?.data, place(previousRect), place(currentRect),
    ])]);
  }
}).observe({type: 'layout-shift', buffered: true});
"""

# Two frames: what was asked for before has been drawn.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("language", ["", "zh/", "ja/", "si/"])
def test_no_page_scrolls_sideways(site: Path, visit: Visit, language: str) -> None:
    for address in PAGES:
        if (site / language / address).is_file():
            page = visit(site, language + address)
            for width in (320, 390, 768, 1024, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(STICKING_OUT) == [], (address, width)


# The words of a table, short names of code included, that are on more than one line.
BROKEN = r"""
() => [...document.querySelectorAll('.prose td, .prose th')].flatMap(cell => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of node.data.matchAll(/[\p{L}\p{N}_]+/gu)) {
      const range = new Range();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = [...range.getClientRects()].map(box => Math.round(box.top));
      if (new Set(tops).size > 1) found.push(word[0]);
    }
  }
  return found;
})
"""


@pytest.mark.parametrize(
    "address", ["guides/publishing.html", "guides/syntax.html", "si/guides/publishing.html"]
)
def test_no_word_of_a_table_is_broken(site: Path, visit: Visit, address: str) -> None:
    page = visit(site, address)
    for width in (320, 390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(BROKEN) == [], width
        assert page.evaluate(STICKING_OUT) == [], width


# What is said to be on one line, and is not.
CUT = """
() => [...document.querySelectorAll('.prose .whole')]
  .filter(each => new Set([...each.getClientRects()].map(box => Math.round(box.top))).size > 1)
  .concat([...document.querySelectorAll('.mark b')].filter(each => {
    const style = getComputedStyle(each);
    return style.textOverflow == 'ellipsis' || each.scrollWidth > each.clientWidth + 1;
  }))
  .map(each => each.textContent)
"""


@pytest.mark.parametrize("address", ["transformers/models.html", "guides/publishing.html", LONG])
def test_a_phone_shows_names_and_options_whole(site: Path, visit: Visit, address: str) -> None:
    page = visit(site, address)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".prose .whole, .mark b").count() > 0
        assert page.evaluate(CUT) == [], width
        assert page.evaluate(STICKING_OUT) == [], width


@pytest.mark.parametrize("width", [320, 768])
def test_no_line_of_breadcrumbs_begins_with_the_sign_between(
    site: Path, visit: Visit, width: int
) -> None:
    page = visit(site, LONG, width=width)
    signs = page.locator(".crumbs li").evaluate_all(
        """all => all.filter(each => each.checkVisibility()).map(each => [
          '::before', '::after',
          ].map(part => getComputedStyle(each, part).content.split(' ')[0]))"""
    )
    # It is a part of the entry before it, and stands beside all its lines, never below them.
    assert signs == [["none", '"/"']] * (len(signs) - 1) + [["none", "none"]]
    assert len(signs) >= 3
    expect(page.locator(".crumbs li").first).to_have_css("display", "flex")


def test_a_table_that_is_too_wide_scrolls_by_the_keyboard(site: Path, visit: Visit) -> None:
    page = visit(site, "guides/publishing.html", width=320)
    wide = page.locator(".table", has_text="base_url").first
    assert wide.evaluate("each => each.scrollWidth > each.clientWidth")
    assert wide.get_attribute("aria-label") == "key, default, means"
    wide.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("each => each.scrollLeft > 0", arg=wide.element_handle())


def test_no_page_scrolls_sideways_with_another_text_size(hard_site: Path, visit: Visit) -> None:
    for address in HARD:
        page = visit(hard_site, address)
        for size in ("small", "medium", "large", "huge"):
            page.evaluate("size => { document.documentElement.dataset.size = size; }", size)
            for width in (320, 768, 1024, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(STICKING_OUT) == [], (address, width, size)


def test_prose_and_code_stand_side_by_side_on_a_wide_screen(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=1024)
    places = page.evaluate(
        """[...document.querySelectorAll('main > .row:has(pre)')].map(row => {
          const prose = row.querySelector('.prose').getBoundingClientRect();
          const code = row.querySelector('.code').getBoundingClientRect();
          return [prose.right - code.left, prose.top - code.top];
        })"""
    )
    assert len(places) > 5
    for overlap, step in places:
        assert overlap <= 0.5
        assert abs(step) <= 1


def test_number_prose_and_code_begin_on_one_line(site: Path, visit: Visit) -> None:
    """Of sections without a name or heading; a formula may push its line down by a little."""
    page = visit(site, LONG)
    steps = page.evaluate(
        """[...document.querySelectorAll('main > .row')]
        .filter(row => row.querySelector('pre') && row.querySelector('.prose > .mark + p')
          && !row.querySelector('.mark b'))
        .map(row => {
          const line = selector => {
            const mark = document.createElement('span');
            mark.style.display = 'inline-block';
            row.querySelector(selector).prepend(mark);
            const {bottom} = mark.getBoundingClientRect();
            mark.remove();
            return bottom;
          };
          const prose = line('.prose > .mark + p');
          return [prose - line('.mark a'), prose - line('.line')];
        })"""
    )
    assert len(steps) > 5
    for number, code in steps:
        assert abs(number) <= 1.5
        assert abs(code) <= 1.5


@pytest.mark.parametrize("width", [390, 768])
def test_code_stands_below_its_prose_on_a_narrow_screen(
    site: Path, visit: Visit, width: int
) -> None:
    page = visit(site, LONG, width=width)
    prose, code = box(page, "main > .row .prose"), box(page, "main > .row .code")
    assert code["y"] >= prose["y"] + prose["height"] - 0.5
    assert code["width"] == width


def test_what_stays_in_view_fits_into_the_window(site: Path, hard_site: Path, visit: Visit) -> None:
    """Something taller would hide its end from the reader for as long as it stays."""
    for folder, addresses in ((site, PAGES), (site, TRANSLATED), (hard_site, HARD)):
        for address in addresses:
            page = visit(folder, address)
            for width, height in ((1440, 900), (1024, 768)):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(TOO_TALL) == [], (address, width)


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
    number = box(page, ".line > a")
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
          const shown = [...range.getClientRects()].filter(each => each.width);
          const rows = new Set(shown.map(each => Math.round(each.bottom / 8)));
          return [text, rows.size, line.getBoundingClientRect().height];
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


def test_nothing_moves_on_a_slow_machine(site: Path, browser: Browser) -> None:
    """A slow browser stops reading in the middle of a formula or of the bar; nothing is drawn then.

    Without the script that the first paint waits for, about every third page moves.
    """
    for address in (LONG, "transformers/mha.html") * 2:
        context = browser.new_context(viewport={"width": 768, "height": 900})
        context.add_init_script(WATCH_SHIFTS)
        page = context.new_page()
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
        page.goto((site / address).as_uri())
        page.evaluate("document.fonts.ready.then(() => null)")
        page.evaluate(DRAWN)
        assert page.evaluate("shifts") == [], address
        context.close()


def test_the_contents_stand_beside_a_very_wide_page(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=1920)
    outline, main = box(page, "#pylit-outline"), box(page, "main > .row")
    assert outline["x"] + outline["width"] <= main["x"]
    page.locator("#which-way-the-tables-run").evaluate("each => each.scrollIntoView()")
    assert box(page, "#pylit-outline") == outline
    expect(page.locator("#pylit-outline [aria-current]")).to_have_text("Which way the tables run")


def test_pages_are_lean(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    assert page.evaluate("document.querySelectorAll('*').length") < 4000
