"""Both palettes: every text has a contrast of at least 4.5 on its ground, and prose one of 7."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.pages import HARD, LONG, RGB, SCHEMES, contrast

Visit = Callable[..., Page]

GROUNDS = ("paper", "sheet", "raised", "lit")
PROSE = ("ink", "soft", "link")
TEXTS = (
    *PROSE,
    *("faint", "rubric"),
    *("keyword", "string", "number", "comment", "define", "builtin", "decorator", "operator"),
    *(f"term-{number}" for number in range(1, 9)),
)
LIMITS = {"light": ("#ffffff", "#f2f3f5"), "dark": ("#0f1216", "#23272e")}
"""The colours of formulas are computed for grounds between these."""

# The colours of each text that is shown, with those of the nearest ground behind it.
PAIRS = """
() => {
  const NONE = 'rgba(0, 0, 0, 0)';
  const pairs = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || text.closest('math, script, [hidden]')) continue;
    if (!text.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    let ground = text;
    while (getComputedStyle(ground).backgroundColor === NONE) ground = ground.parentElement;
    const colors = [getComputedStyle(text).color, getComputedStyle(ground).backgroundColor];
    pairs[colors.join(' on ')] ??= [...colors, text.outerHTML.slice(0, 120)];
  }
  return Object.values(pairs);
}
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_palette(site: Path, visit: Visit, scheme: str) -> None:
    page = visit(site, "index.html", scheme=scheme)

    def color(name: str) -> list[int]:
        # A custom property holds its text; an element that uses it knows the colour.
        shown = page.evaluate(
            """name => {
              document.body.style.color = `var(--${name})`;
              return getComputedStyle(document.body).color;
            }""",
            name,
        )
        return list(page.evaluate(RGB, shown))

    limits = [list(page.evaluate(RGB, limit)) for limit in LIMITS[scheme]]
    for ground in GROUNDS:
        place = color(ground)
        assert all(
            min(pair) <= at <= max(pair)
            for at, pair in zip(place, zip(*limits, strict=True), strict=True)
        ), ground
        for text in TEXTS:
            least = 7 if text in PROSE else 4.5
            assert contrast(color(text), place) >= least, (text, ground)
    lit_line = list(page.evaluate(RGB, "#fbeee6" if scheme == "light" else "#2b2320"))
    for text in (
        "ink",
        "rubric",
        "keyword",
        "string",
        "number",
        "comment",
        "define",
        "builtin",
        "decorator",
        "operator",
    ):
        assert contrast(color(text), lit_line) >= 4.5, f"{text} on a line that is pointed at"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [1440, 390])
def test_every_text_on_the_page(
    site: Path, hard_site: Path, visit: Visit, scheme: str, width: int
) -> None:
    """Formulas as well, which axe gives up on: it cannot judge a single sign."""
    sites = ((site, (LONG, f"zh/{LONG}", "index.html", "pylit/parse.html")), (hard_site, HARD))
    for folder, addresses in sites:
        for address in addresses:
            page = visit(folder, address, scheme=scheme, width=width)
            pairs = page.evaluate(PAIRS)
            assert len(pairs) > 5
            for text, ground, example in pairs:
                ratio = contrast(page.evaluate(RGB, text), page.evaluate(RGB, ground))
                assert ratio >= 4.5, (address, text, ground, example)


# Each text of a figure, what is drawn below it, and how dense; and the ground below all of it.
IN_FIGURES = """
[...document.querySelectorAll('.figure text')].map(text => {
  const svg = text.closest('svg');
  const box = text.getBBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const middle = new DOMPoint(x, y).matrixTransform(text.getCTM());
  const below = [...svg.querySelectorAll('path')].filter(
    path => path.isPointInStroke(middle.matrixTransform(path.getCTM().inverse())));
  let ground = svg;
  const clear = each => getComputedStyle(each).backgroundColor === 'rgba(0, 0, 0, 0)';
  while (clear(ground)) ground = ground.parentElement;
  return [
    getComputedStyle(text).fill,
    below.map(getComputedStyle).map(({stroke, strokeOpacity}) => [stroke, Number(strokeOpacity)]),
    getComputedStyle(ground).backgroundColor,
    text.textContent,
  ];
})
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_of_a_figure(site: Path, visit: Visit, scheme: str) -> None:
    """Numbers stand on the coloured cells of heat maps, where axe cannot judge them."""
    inside = 0
    others = ("transformers/self_attention/basic.html", "transformers/xl/experiment.html")
    for address in (LONG, *others):
        page = visit(site, address, scheme=scheme)
        texts = page.evaluate(IN_FIGURES)
        assert len(texts) > 5
        for fill, below, ground, words in texts:
            behind = page.evaluate(RGB, ground)
            for stroke, opacity in below:
                color = page.evaluate(RGB, stroke)
                behind = [
                    opacity * part + (1 - opacity) * old
                    for part, old in zip(color, behind, strict=True)
                ]
            inside += bool(below)
            assert contrast(page.evaluate(RGB, fill), behind) >= 4.5, (address, words)
    assert inside > 20
