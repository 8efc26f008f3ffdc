"""What a first visit costs, as a server sends it: compressed, fonts and formulas included."""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched
from tests.browser.pages import LONG

Watch = Callable[..., Watched]
Visit = Callable[..., Page]

KB = 1024
LANGUAGES = ("", "zh/", "ja/", "si/")

# All kinds of files together, and each of them.
WHOLE = 60 * KB
SCRIPTS = 10 * KB
STYLES = 8 * KB
# The goal is 12 KB. The text of the page alone takes 8 and its formulas 4, so what is left to do
# is in the rest; Chinese, Japanese and Sinhala say the same in more bytes.
HTML = {"": 18.5 * KB, "zh/": 20.25 * KB, "ja/": 20.75 * KB, "si/": 21.25 * KB}
# What comes when a reader first does something.
LATER = 2.5 * KB

NODES = 3600
COUNT = "document.querySelectorAll('*').length"


def compressed(file: Path) -> int:
    """The bytes of a file, as a server sends it; fonts are compressed by themselves."""
    content = file.read_bytes()
    return len(content) if file.suffix == ".woff2" else len(gzip.compress(content, 9))


def sizes(watched: Watched) -> dict[str, int]:
    """What a page has asked for so far, by name."""
    asked = {
        Path(unquote(urlsplit(url).path)) for url in watched.requests if url.startswith("file:")
    }
    return {file.name: compressed(file) for file in asked}


def of_kind(found: dict[str, int], ending: str) -> int:
    """The bytes of all files with an ending."""
    return sum(size for name, size in found.items() if name.endswith(ending))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_view_is_light(site: Path, watch: Watch, language: str) -> None:
    watched = watch(site, language + LONG)
    found = sizes(watched)
    assert of_kind(found, ".woff2")
    assert sum(found.values()) <= WHOLE, found
    assert of_kind(found, ".js") <= SCRIPTS, found
    assert 0 < of_kind(found, ".css") <= STYLES, found
    assert of_kind(found, ".html") <= HTML[language], found
    assert watched.page.evaluate(COUNT) <= NODES


def test_styles_of_what_a_reader_opens_come_when_something_is_done(
    site: Path, watch: Watch
) -> None:
    watched = watch(site, LONG)
    before = sizes(watched)
    assert not any(name.startswith("asked.") and name.endswith(".css") for name in before)
    watched.page.mouse.move(200, 300)
    expect(watched.page.locator(":root.styled")).to_have_count(1)
    came = {name: size for name, size in sizes(watched).items() if name not in before}
    assert [name.split(".")[0] for name in came] == ["asked"]
    assert sum(came.values()) <= LATER


def test_a_dialog_is_not_seen_before_its_styles_are_there(site: Path, visit: Visit) -> None:
    page = visit(site, LONG, before=HELD)
    page.keyboard.press("?")
    dialog = page.locator("#pylit-help[open]")
    expect(dialog).to_have_css("opacity", "0")
    # What is typed goes where it belongs all the same.
    expect(dialog.locator("[name=keys]")).to_be_focused()
    page.evaluate("let_it_come()")
    expect(dialog).to_have_css("opacity", "1")
    expect(dialog).to_have_css("padding-top", "20px")


# The sheet is enabled only when the test says so, as on a slow line.
HELD = """
const own = Object.getOwnPropertyDescriptor(HTMLLinkElement.prototype, 'disabled');
let held = null;
Object.defineProperty(HTMLLinkElement.prototype, 'disabled', {
  ...own, set(value) { held = this; },
});
globalThis.let_it_come = () => own.set.call(held, false);
"""


def test_styles_that_cannot_be_had_hide_nothing(site: Path, visit: Visit) -> None:
    gone = "addEventListener('DOMContentLoaded', () => { "
    gone += "document.getElementById('pylit-asked').href = 'gone.css'; });"
    page = visit(site, LONG, before=gone)
    page.keyboard.press("?")
    expect(page.locator("#pylit-help[open]")).to_have_css("opacity", "1")


def test_without_scripts_all_styles_are_there(site: Path, watch: Watch) -> None:
    watched = watch(site, LONG, scripts=False)
    assert any(name.startswith("asked.") and name.endswith(".css") for name in sizes(watched))
    page = watched.page
    page.locator(".cite summary").click()
    expect(page.locator(".cite pre").first).to_have_css("opacity", "1")
    expect(page.locator(".cite pre").first).to_have_css("border-top-left-radius", "6px")


@pytest.mark.parametrize(
    ("address", "sheets"),
    [
        (LONG, []),
        ("pylit-contents.html", ["contents"]),
        ("guides/reading.html", ["aside"]),
        (f"zh/{LONG}", ["zh"]),
        (f"si/{LONG}", ["si"]),
        ("zh/translation.html", ["translated", "zh"]),
    ],
)
def test_a_page_has_the_styles_of_what_is_on_it(
    site: Path, watch: Watch, address: str, sheets: list[str]
) -> None:
    found = [name.split(".")[0] for name in sizes(watch(site, address)) if name.endswith(".css")]
    assert sorted(found) == sorted([*sheets, "style"])
