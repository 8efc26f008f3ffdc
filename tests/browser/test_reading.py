"""What every reader gets: without a script, from the disk, on paper; nothing from elsewhere."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Watched
from tests.browser.pages import HARD, HEADER, LONG, PAGES, TRANSLATED, box

Visit = Callable[..., Page]
Watch = Callable[..., Watched]
ROOT = Path(__file__).parent.parent.parent


def test_pages_from_the_disk_ask_for_nothing_that_is_not_there(
    site: Path, hard_site: Path, watch: Watch
) -> None:
    for folder, addresses in ((site, PAGES), (site, TRANSLATED), (hard_site, HARD)):
        for address in addresses:
            watched = watch(folder, address)
            assert watched.failed == [], address
            assert watched.messages == [], address
            assert {url.partition(":")[0] for url in watched.requests} <= {"file", "data"}, address


def test_every_action_stays_silent_and_at_home(site: Path, watch: Watch) -> None:
    """Open all there is to open; no message, no failed request, no other host."""
    watched = watch(site, LONG)
    page = watched.page
    for button in ("Relative multi-head attention", "Language: English", "Reading settings"):
        page.get_by_role("button", name=button).click()
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    page.locator(f"#L{HEADER}").click()
    page.locator("#section-2").hover()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#pylit-status")).to_have_text("Copied")
    assert watched.messages == []
    assert watched.failed == []
    assert {url.partition(":")[0] for url in watched.requests} <= {"file", "data"}


@pytest.mark.parametrize("width", [1440, 390])
def test_without_scripts_everything_is_there(site: Path, visit: Visit, width: int) -> None:
    page = visit(site, LONG, width=width, scripts=False)
    text = page.locator("main").inner_text()
    source = (ROOT / "labml_nn/transformers/xl/relative_mha.py").read_text(encoding="utf-8")
    shown = "".join(text.split())
    for line in source.splitlines():
        if re.match(r"\s*(def |class |return |import )", line):
            assert "".join(line.split()) in shown
    assert page.locator(".math").count() > 40
    assert page.locator(".math mjx-container > math").count() == page.locator(".math").count()
    expect(page.locator("h1")).to_be_visible()
    # Colours, columns and fonts come from the style sheet alone.
    assert (
        page.locator(".line .k").first.evaluate("each => getComputedStyle(each).color")
        != "rgb(0, 0, 0)"
    )
    # What only a script could do is not offered.
    expect(page.get_by_role("button", name="Reading settings")).to_be_hidden()


def test_menus_open_without_scripts(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, width=390, scripts=False)
    page.get_by_role("button", name="On this page").click()
    expect(page.locator("#pylit-outline")).to_be_visible()
    page.locator("#pylit-outline a", has_text="Which way the tables run").click()
    assert page.url.endswith("#which-way-the-tables-run")
    page.get_by_role("button", name="Language: English").click()
    page.locator("#pylit-languages a", has_text="中文").click()
    assert page.url.endswith(f"zh/{LONG}")


def test_a_missing_page_is_whole_at_any_address(site: Path, visit: Visit) -> None:
    """A server shows it in the place of the page that is not there, however deep that is."""
    page = visit(site, "index.html")

    def serve(route: Route) -> None:
        path = urlsplit(route.request.url).path.removeprefix("/attention/")
        file = site / (path or "index.html")
        found = file.is_file()
        route.fulfill(path=file if found else site / "404.html", status=200 if found else 404)

    page.route("https://example.org/**", serve)
    page.goto("https://example.org/attention/no/such/page.html")
    expect(page.locator("h1")).to_have_text("There is no such page")
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px", "the style is there"
    page.get_by_role("link", name="Go to the front page").click()
    assert page.url.startswith("https://example.org/attention/")
    assert "/no/" not in page.url
    expect(page.locator("h1")).not_to_have_text("There is no such page")


def test_a_missing_page_has_its_style_on_a_disk(site: Path, watch: Watch) -> None:
    """There its address is none from which a link could start, so the style is in it."""
    watched = watch(site, "404.html")
    page = watched.page
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px"
    expect(page.locator(".bar")).to_have_css("display", "flex")
    expect(page.locator("[data-search]")).to_be_hidden()
    assert page.locator(".brand img").evaluate("each => each.naturalWidth") > 0
    assert not any("Content Security Policy" in message for message in watched.messages)
    # It shows no formula, so it does without what formulas need.
    assert "mjx-" not in (site / "404.html").read_text(encoding="utf-8")


def test_print_is_one_column_without_interface(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, scheme="dark")
    page.emulate_media(media="print")
    for selector in (".bar", ".skip", ".around", ".forge"):
        expect(page.locator(selector).first).to_be_hidden()
    prose, code = box(page, "main > .row .prose"), box(page, "main > .row .code")
    assert code["y"] >= prose["y"] + prose["height"] - 0.5, "code comes after its prose"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    address = page.locator(".prose a[href^='https://']").first
    shown = address.evaluate("each => getComputedStyle(each, '::after').content")
    assert "https://" in str(shown) or "attr(href)" in str(shown)
    long_lines = page.locator(".code pre").evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length"
    )
    assert long_lines == 0, "paper cannot scroll"
    expect(page.locator(".paper")).to_have_text(re.compile("^https://.*relative_mha.html$"))
    assert page.pdf().startswith(b"%PDF")


def test_other_scripts_keep_their_direction_and_type(
    site: Path, hard_site: Path, visit: Visit
) -> None:
    for language, tag in (("zh", "zh-Hans"), ("ja", "ja"), ("si", "si")):
        page = visit(site, f"{language}/{LONG}")
        assert page.locator("html").get_attribute("lang") == tag
        assert (
            page.locator(".code .line")
            .first.evaluate("e => getComputedStyle(e).fontFamily")
            .endswith("monospace")
        )
    page = visit(hard_site, "ar/long_lines.html")
    assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"
    assert page.locator(".line").first.evaluate("e => getComputedStyle(e).direction") == "ltr"
    prose, code = box(page, "main > .row .prose"), box(page, "main > .row .code")
    assert prose["x"] > code["x"], "prose stands where the reader starts"
