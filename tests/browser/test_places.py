"""Addresses: sections, lines, ranges of lines; the same place in another language."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import BODY, END, HEADER, LONG, SOURCE, box
from tests.conftest import ROOT

Visit = Callable[..., Page]


def test_a_line_is_an_address_without_a_script(site: Path, visit: Visit) -> None:
    page = visit(site, f"{LONG}#L{BODY}", scripts=False)
    expect(page.locator(f"#L{BODY}")).to_be_in_viewport()
    ground = page.locator(f".line:has(> #L{BODY})").evaluate(
        "e => getComputedStyle(e).backgroundColor"
    )
    other = page.locator(f".line:has(> #L{BODY + 1})").evaluate(
        "e => getComputedStyle(e).backgroundColor"
    )
    assert ground != other


@pytest.mark.parametrize(
    "place", [f"L{BODY}-L{BODY + 1}", f"L{BODY + 1}-L{BODY}", f"L{BODY}-{BODY + 1}"]
)
def test_a_range_is_shown_and_lit(site: Path, visit: Visit, place: str) -> None:
    page = visit(site, f"{LONG}#{place}")
    expect(page.locator(f"#L{BODY}")).to_be_in_viewport()
    numbers = page.locator(".line.lit > a").all_inner_texts()
    assert numbers == [str(BODY), str(BODY + 1)]


def test_a_range_is_made_by_two_clicks(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.locator(f"#L{BODY}").click()
    assert page.url.endswith(f"#L{BODY}")
    page.locator(f"#L{BODY + 1}").click(modifiers=["Shift"])
    assert page.url.endswith(f"#L{BODY}-L{BODY + 1}")
    expect(page.locator(".line.lit")).to_have_count(2)


def test_a_range_beyond_the_file_is_no_trouble(site: Path, visit: Visit) -> None:
    page = visit(site, f"{LONG}#L9000-L9999999")
    expect(page.locator(".line.lit")).to_have_count(0)


def test_sections_have_a_steady_anchor_and_a_number(site: Path, visit: Visit) -> None:
    page = visit(site, f"{LONG}#section-6", scripts=False)
    row = page.locator("#RelativeMultiHeadAttention")
    assert row.locator("#section-6").count() == 1
    expect(row.locator(".mark").first).to_be_in_viewport()
    link = row.get_by_role("link", name="Section 6", exact=True)
    assert link.get_attribute("href") == "#RelativeMultiHeadAttention"
    assert box(page, "#section-6")["y"] >= box(page, ".bar")["height"] - 1


@pytest.mark.parametrize("width", [1440, 768, 390])
def test_a_heading_is_jumped_to_with_the_mark_of_its_section(
    site: Path, visit: Visit, width: int
) -> None:
    page = visit(site, f"{LONG}#relative-scores", width=width)
    bar = box(page, ".bar")
    for part in ("#relative-scores", ".row:has(#relative-scores) > .prose > .mark > a"):
        top = box(page, part)["y"]
        assert bar["y"] + bar["height"] <= top < 200, part


@pytest.mark.parametrize(
    ("place", "leads_to"),
    [
        ("module.main", "module.main"),
        ("shift_right.pad_shape", "shift_right.pad_shape"),
        ("section-5", "section-5"),
        ("L40-L52", "L40-L52"),
        # What is gone leads to what it was in.
        ("RelativeMultiHeadAttention.get_scores.gone", "RelativeMultiHeadAttention.get_scores"),
        ("RelativeMultiHeadAttention.get_scores-3", "RelativeMultiHeadAttention.get_scores"),
        ("RelativeMultiHeadAttention.gone.part-2", "RelativeMultiHeadAttention"),
        ("module-2", "module"),
        ("nothing-of-the-kind", "nothing-of-the-kind"),
        ("%", "%"),
    ],
)
def test_a_place_is_found_also_when_it_is_gone(
    site: Path, watch: Callable[..., object], place: str, leads_to: str
) -> None:
    watched = watch(site, f"{LONG}#{place}")
    page: Page = watched.page  # type: ignore[attr-defined]
    page.wait_for_url(f"**/{LONG}#{leads_to}")
    target = page.locator(f'[id="{leads_to.partition("-L")[0]}"]')
    if target.count():
        expect(target).to_be_in_viewport()
    assert watched.messages == []  # type: ignore[attr-defined]


def test_ids_are_unique(site: Path, hard_site: Path, visit: Visit) -> None:
    for folder, address in ((site, LONG), (hard_site, "long_lines.html"), (hard_site, "text.html")):
        page = visit(folder, address)
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
        assert len(ids) == len(set(ids)), address


@pytest.mark.parametrize(
    "place",
    ["#RelativeMultiHeadAttention.get_scores", f"#L{END}", f"#L{BODY}-L{BODY + 1}", "#arguments"],
)
def test_the_language_switch_keeps_the_place(site: Path, visit: Visit, place: str) -> None:
    page = visit(site, LONG + place)
    page.get_by_role("button", name="Language: English").click()
    page.get_by_role("link", name="日本語").click()
    assert page.url.endswith(f"ja/{LONG}{place}")
    page.get_by_role("button", name="日本語").click()
    page.get_by_role("link", name="English").click()
    assert page.url.endswith(LONG + place)
    assert "/ja/" not in page.url


def test_the_language_switch_keeps_the_section_that_is_read(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.locator("#RelativeMultiHeadAttention").evaluate("row => row.scrollIntoView()")
    page.get_by_role("button", name="Language: English").click()
    page.get_by_role("link", name="සිංහල").click()
    assert page.url.endswith(f"si/{LONG}#RelativeMultiHeadAttention")


def test_the_bar_says_where_the_reader_is(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=390)
    here = page.locator(".contents .here")
    for title in ("Which way the tables run", "See it work", "Relative multi-head attention"):
        page.locator("h1, h2, h3", has_text=re.compile(f"^{title}")).evaluate(
            "e => e.scrollIntoView()"
        )
        expect(here).to_have_text(title)


def test_links_and_formulas_can_be_copied(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    status = page.locator("#pylit-status")
    page.locator("#shift_right .mark").first.hover()
    page.get_by_role("button", name="Copy the link").click()
    expect(status).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"{LONG}#shift_right")
    formula = page.locator(".math.display").first
    formula.hover()
    page.get_by_role("button", name="Copy the TeX").click()
    expect(status).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == formula.get_attribute("data-tex")


def test_source_and_edit_lead_to_the_line(site: Path, visit: Visit) -> None:
    lines = SOURCE.read_text(encoding="utf-8").split("\n")
    path = SOURCE.relative_to(ROOT).as_posix()
    page = visit(site, LONG)
    source = page.locator("#shift_right .forge").first.get_attribute("href") or ""
    assert source.endswith(f"/blob/main/{path}#L{HEADER}")
    page.locator("#shift_right .prose").hover()
    edit = page.get_by_role("link", name=re.compile("^Edit L"))
    expect(edit).to_have_attribute("href", re.compile(f"/edit/main/{path}#L{HEADER}$"))
    # A section that goes on beside others has its own line, and one that is lit comes first.
    page.locator('[id="shift_right.dim"] .line').first.hover()
    expect(edit).to_have_attribute("href", re.compile(f"#L{BODY}$"))
    assert lines[BODY - 1].strip().startswith("dim =")
    page.locator(f"#L{BODY + 1}").click()
    edit.hover()
    expect(edit).to_have_attribute("href", re.compile(f"#L{BODY + 1}$"))
    expect(edit).to_have_accessible_name(f"Edit L{BODY + 1}")
    # Neither is part of the code that is copied.
    page.keyboard.press("c")
    assert page.evaluate("navigator.clipboard.readText()").startswith("def shift_right(")
    page.emulate_media(media="print")
    expect(page.locator(".copy").first).to_be_hidden()
    expect(page.locator(".copy-edit")).to_be_hidden()


def test_the_button_that_copies_a_link_covers_no_number(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    short = "RelativeMultiHeadAttention.__init__.key_pos_bias"
    page.locator(f'[id="{short}"] .prose').hover()
    button = page.get_by_role("button", name="Copy the link").bounding_box()
    assert button
    assert button["width"] >= 24
    assert button["height"] >= 24
    covered = page.evaluate(
        """({x, y, width, height}) => [...document.querySelectorAll(".mark > a[aria-label]")]
        .filter((each) => { const range = document.createRange(); range.selectNodeContents(each);
          const at = range.getBoundingClientRect();
          return at.right > x && at.left < x + width && at.bottom > y && at.top < y + height; })
        .map((each) => each.textContent)""",
        button,
    )
    assert covered == []


def test_a_copied_passage_holds_tex(site: Path, visit: Visit) -> None:
    page = visit(site, "transformers/mha.html")
    paragraph = page.locator(".prose p:has(.math)").first
    paragraph.evaluate("each => getSelection().selectAllChildren(each)")
    page.keyboard.press("Control+c")
    copied = page.evaluate("navigator.clipboard.readText()")
    tex = paragraph.locator(".math").first.get_attribute("data-tex")
    assert f"${tex}$" in copied
    assert "$$" not in copied


def test_copied_code_has_no_numbers(site: Path, visit: Visit) -> None:
    page = visit(site, LONG)
    page.locator("#shift_right .code").evaluate("each => getSelection().selectAllChildren(each)")
    page.keyboard.press("Control+c")
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0].startswith("def shift_right(")
    assert lines[1] == "    dim = dim % x.dim()"


def test_one_heading_of_the_first_level_and_no_level_left_out(site: Path, visit: Visit) -> None:
    for address in (
        LONG,
        "transformers/mha.html",
        "index.html",
        "transformers/index.html",
        "pylit/index.html",
    ):
        page = visit(site, address)
        levels = page.locator("main :is(h1, h2, h3, h4, h5, h6)").evaluate_all(
            "all => all.map(each => Number(each.tagName[1]))"
        )
        assert levels.count(1) == 1, address
        assert all(after - before <= 1 for before, after in pairwise(levels)), address
