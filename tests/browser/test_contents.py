"""The page of all pages with its pictures, how to cite a page, and what stands beside a class."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LONG, SCHEMES, WIDTHS, box
from tests.browser.test_accessibility import findings

Visit = Callable[..., Page]

CONTENTS = "pylit-contents.html"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(site: Path, visit: Visit, width: int, scheme: str) -> None:
    for address in (CONTENTS, f"ja/{CONTENTS}"):
        page = visit(site, address, width=width, scheme=scheme)
        for summary in page.locator(".dependencies summary").all():
            summary.click()
        # A picture that is wider than its box is cut off by it, and axe is unsure of what is not
        # in sight. Its two colours are those of boxes that are.
        assert [each for each in findings(page) if not each[2].startswith("<text")] == [], address


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_letters_of_a_picture_can_be_read(site: Path, visit: Visit, scheme: str) -> None:
    page = visit(site, CONTENTS, scheme=scheme)
    ratio = page.evaluate(
        """() => {
          const canvas = document.createElement('canvas').getContext('2d');
          const light = color => {
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255)
              .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
            return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
          };
          const fill = name => getComputedStyle(document.querySelector(`.picture ${name}`)).fill;
          const [low, high] = [light(fill('text')), light(fill('rect'))].sort((a, b) => a - b);
          return (high + .05) / (low + .05);
        }"""
    )
    assert ratio >= 7


@pytest.mark.parametrize("width", [*WIDTHS, 320])
def test_a_wide_picture_scrolls_inside_itself(site: Path, visit: Visit, width: int) -> None:
    page = visit(site, CONTENTS, width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    inside = page.locator(".picture").first.evaluate("e => [e.clientWidth, e.scrollWidth]")
    assert width > 900 or inside[0] < inside[1]
    small = page.locator(".picture a").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).filter(b => b.width < 24 || b.height < 24)"
    )
    assert small == []


def test_every_link_leads_somewhere(site: Path, visit: Visit) -> None:
    for address in (CONTENTS, f"si/{CONTENTS}"):
        page = visit(site, address, scripts=False)
        links = page.locator("main a").evaluate_all(
            "all => all.map(e => new URL(e.getAttribute('href'), document.baseURI).href)"
        )
        assert len(links) > 150
        missing = {link for link in links if not Path(unquote(urlsplit(link).path)).is_file()}
        assert missing == set()


def test_the_keyboard_reaches_every_box_and_shows_it(site: Path, visit: Visit) -> None:
    page = visit(site, CONTENTS, width=390)
    boxes = page.locator(".picture").first.locator("a")
    names = boxes.evaluate_all("all => all.map(e => e.querySelector('title').textContent)")
    assert len(names) > 20
    # What scrolls is a stop of its own in Chromium.
    page.locator(".picture").first.focus()
    for name in names:
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => {
              const at = document.activeElement;
              const box = at.getBoundingClientRect();
              const style = getComputedStyle(at);
              return [at.querySelector('title')?.textContent, style.outlineStyle,
                      box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight];
            }"""
        )
        assert seen == [name, "solid", True]
        expect(page.get_by_role("link", name=name, exact=True).first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile(f"{CONTENTS}$"))


def test_the_arrows_of_a_box_stand_out(site: Path, visit: Visit) -> None:
    page = visit(site, CONTENTS)
    assert page.locator(".arrow.lit").count() == 0
    page.get_by_role("link", name="labml_nn.transformers.mha", exact=True).first.hover()
    assert page.locator(".arrow.lit").count() >= 3
    page.mouse.move(0, 0)
    assert page.locator(".arrow.lit").count() == 0


def test_it_is_reached_from_the_foot_and_the_front_page(site: Path, visit: Visit) -> None:
    page = visit(site, f"ja/{LONG}")
    page.get_by_role("link", name="すべてのページ", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("すべてのページ")
    assert page.url.endswith(f"ja/{CONTENTS}")
    page.get_by_role("button", name="日本語").click()
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All pages")
    page = visit(site, "index.html")
    page.get_by_role("link", name=re.compile("^All pages, and")).click()
    assert page.url.endswith(CONTENTS)


def test_a_page_can_be_cited_without_a_script(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, scripts=False)
    page.get_by_text("Cite this page").click()
    papers, own = page.locator(".cite pre").all_inner_texts()
    assert "1901.02860" in papers
    assert own.startswith("@misc{")


def test_an_entry_is_copied(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.get_by_text("Cite this page").click()
    entry = page.locator(".cite pre").last
    entry.hover()
    entry.get_by_role("button").click()
    expect(page.locator("#pylit-status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == entry.locator("code").inner_text()
    assert copied.endswith("}")


def test_the_parts_of_a_class_stay_beside_its_introduction(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    parts = page.locator("#RelativeMultiHeadAttention .within")
    names = parts.get_by_role("link").all_inner_texts()
    assert names[-1] == "get_scores"
    page.locator("#arguments").evaluate("each => each.scrollIntoView()")
    expect(parts).to_be_in_viewport(ratio=0.9)
    assert box(page, ".within")["x"] > 600


@pytest.mark.parametrize("address", ["guides/reading.html", "guides/publishing.html", LONG])
def test_at_the_top_the_first_heading_is_the_current_one(
    site: Path, visit: Visit, address: str
) -> None:
    page = visit(site, address)
    current = page.locator(".outline [aria-current]")
    expect(current).to_have_count(1)
    assert current.inner_text() == page.locator("main h1").first.inner_text()


def test_chinese_and_japanese_are_set_as_such(site: Path, visit: Visit) -> None:
    page = visit(site, "zh/transformers/positional_encoding.html")
    width = page.evaluate(
        """() => {
          const walker = document.createTreeWalker(document.querySelector('main'), 4);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf('“');
            if (at < 0) continue;
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const size = parseFloat(getComputedStyle(node.parentElement).fontSize);
            return range.getBoundingClientRect().width / size;
          }
        }"""
    )
    assert width == pytest.approx(1, abs=0.05)
    page = visit(site, "ja/transformers/mha.html")
    style = "e => [getComputedStyle(e).wordBreak, parseFloat(getComputedStyle(e).marginLeft)]"
    assert page.locator("main h1").first.evaluate(style)[0] == "auto-phrase"
    formula = page.locator("p:lang(ja) > .math:not(.display)").first
    assert formula.evaluate(style)[1] == pytest.approx(17 / 8)
