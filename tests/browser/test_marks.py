"""What belongs together lights up together: by the pointer, by the keyboard, by a tap."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LONG

Visit = Callable[..., Page]

# Each lit place: the part of the page that it stands in.
LIT = """
[...document.querySelectorAll('.lit-term, .kept')].map(each =>
  each.closest('.math') ? 'formula' : each.closest('.code') ? 'code' : 'words')
"""
PAINTED = "name => [...CSS.highlights.get(name) ?? []].map(range => range.toString())"


@pytest.mark.parametrize("language", ["", "zh/", "ja/", "si/"])
@pytest.mark.parametrize(
    "start", [".code [data-term=B]", ".prose span.term[data-term=B]", "mjx-container [data-term=B]"]
)
def test_pointing_at_a_term_lights_formula_words_and_code(
    site: Path, visit: Visit, language: str, start: str
) -> None:
    page = visit(site, language + LONG)
    page.locator(start).first.hover()
    assert set(page.evaluate(LIT)) == {"formula", "words", "code"}
    assert (
        page.evaluate(
            "new Set([...document.querySelectorAll('.lit-term')].map(e => e.dataset.term)).size"
        )
        == 1
    )
    page.mouse.move(5, 5)
    assert page.evaluate(LIT) == []


def test_a_name_for_two_terms_lights_both(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.get_by_text("content", exact=True).first.hover()
    terms = page.evaluate("[...document.querySelectorAll('.lit-term')].map(e => e.dataset.term)")
    assert set(terms) == {"A", "C"}


def test_the_focus_lights_a_term_and_enter_keeps_it(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    word = page.locator(".prose span.term[data-term=D]").first
    word.focus()
    assert "code" in page.evaluate(LIT)
    page.keyboard.press("Enter")
    expect(word).to_have_attribute("aria-pressed", "true")
    bar = page.locator("#pylit-marked")
    expect(bar).to_be_visible()
    expect(bar.locator("span")).to_have_text("D")
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    assert page.locator(".kept").count() == 0
    assert page.locator("[aria-pressed=true]").count() == 0


def test_a_click_marks_all_uses_of_a_name_and_leads_through_them(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    line = page.locator(".code .line", has_text="scaled_query = query").first
    line.scroll_into_view_if_needed()
    place = line.evaluate(
        """line => {
          const node = [...line.childNodes].find(each => each.data?.includes('scaled_query'));
          const range = new Range();
          range.setStart(node, node.data.indexOf('scaled'));
          range.setEnd(node, node.data.indexOf('scaled') + 12);
          const box = range.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
    )
    page.mouse.click(*place)
    source = (Path(__file__).parents[2] / "labml_nn/transformers/xl/relative_mha.py").read_text()
    names = page.evaluate(PAINTED, "pylit-name")
    assert names == ["scaled_query"] * source.count("scaled_query")
    bar = page.locator("#pylit-marked")
    expect(bar.locator("output")).to_have_text(f"1 of {len(names)}")
    bar.get_by_role("button", name="Next place").click()
    expect(bar.locator("output")).to_have_text(f"2 of {len(names)}")
    bar.get_by_role("button", name="Previous place").click()
    bar.get_by_role("button", name="Previous place").click()
    expect(bar.locator("output")).to_have_text(f"{len(names)} of {len(names)}")
    bar.get_by_role("button", name="Close").click()
    expect(bar).to_be_hidden()
    assert page.evaluate(PAINTED, "pylit-name") == []


def test_the_keyboard_marks_the_names_of_a_line_and_offers_the_definition(
    site: Path, visit: Visit
) -> None:
    page = visit(site, LONG)
    number = page.locator(".code .line", has_text="position = shift_right(").locator("a[id]")
    number.focus()
    bar = page.locator("#pylit-marked")
    page.keyboard.press("ArrowRight")
    expect(bar.locator("span")).to_have_text("position")
    expect(bar.get_by_role("link", name="Definition")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(bar.locator("span")).to_have_text("shift_right")
    definition = bar.get_by_role("link", name="Definition")
    expect(definition).to_be_visible()
    assert str(definition.get_attribute("href")).endswith("#shift_right")
    page.keyboard.press("ArrowLeft")
    expect(bar.locator("span")).to_have_text("position")


def test_text_in_strings_and_comments_is_no_name(hard_site: Path, site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.locator(".code .line", has_text="queries and").locator("a[id]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#pylit-marked span")).to_have_text("q")


def test_marks_move_nothing_and_say_nothing_without_scripts(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, scripts=False)
    expect(page.locator("#pylit-marked")).to_be_hidden()
    assert page.locator(".code .bound").count() > 5
