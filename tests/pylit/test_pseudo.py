"""The pseudo-languages, and what they find: no word of the theme escapes its catalogue."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pylit.atoms import read_markup
from pylit.cli import main
from pylit.pseudo import PSEUDO, pseudo

MakeSite = Callable[..., Path]
TEXT = "See [a `c`](a.html) and *words* with $x_i$ of %(name)s, {math1}."
FILES = {
    "pylit.toml": (
        'title = "The site"\ndescription = "About it."\nbase_url = "https://example.org/"\n'
        'repository = "https://example.org/forge"\n[[source]]\npath = "src"\n'
        '[languages.ja]\nname = "日本語"\n'
    ),
    "src/__init__.py": (
        '"""\n---\ntitle: Front page\nsummary: All of it.\n---\n# Front\n\nSome words.\n"""\n'
    ),
    "src/mod.py": (
        '"""# Module\n\nWords with $x_1$, `code_span`, **strong words** and [a link](page.md).\n\n'
        "| one | two |\n|---|---|\n| three | four |\n\n$$E = m c^2$$\n\n* item\n"
        '"""\n\n\ndef function(x):\n    """# Doc\n\nSays more."""\n    return x\n'
    ),
    "src/page.md": "# Page\n\n## First part\n\nWords.\n\n## Second part\n\nMore words.\n",
}
SKIPPED = ("script", "style", "code", "pre", "svg")
NAMES = {"pylit", "Shift", "Esc", "doctype"}
"""What is the same in every language."""


def test_atoms_stay_and_words_change() -> None:
    for language in PSEUDO:
        changed = pseudo(language.code, TEXT)
        assert read_markup(changed).count() == read_markup(TEXT).count()
        assert "See" not in read_markup(changed).words or language.code == "ar-XB"
        assert changed != TEXT
    accented = pseudo("en-XA", "A sentence with several words.")
    assert accented.startswith("[")
    assert accented.endswith("]")
    assert 1.3 <= len(accented) / len("A sentence with several words.") <= 1.6
    assert pseudo("ar-XB", "One word") == "\u202eOne\u202c \u202eword\u202c"


class Words(HTMLParser):
    """Text and labels in the language of the page, outside of code and formulas."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if not self.skipped:
            labels = ("aria-label", "title", "alt", "placeholder")
            self.found += [values[name] or "" for name in labels if name in values]
            self.found += [
                value or ""
                for name, value in attrs
                if name.startswith("data-copy") or name == "data-copied"
            ]
        void = tag in ("meta", "link", "img", "input", "br", "hr")
        foreign = tag != "html" and "lang" in values
        math = "math" in (values.get("class") or "").split() or tag.startswith("mjx")
        if not void and (self.skipped or tag in SKIPPED or foreign or math):
            self.skipped.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.skipped and self.skipped[-1] == tag:
            self.skipped.pop()

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.found.append(data)


def plain_words(html: str) -> set[str]:
    """The words of a page that no accent marks as translated."""
    reader = Words()
    reader.feed(html)
    text = re.sub(r"https?://\S+", "", " ".join(reader.found))
    accented = "àƀçđéƒĝĥîĵķļɱñöþŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞŔŠŢÛṼŴẊÝŽ"
    words = re.findall(rf"[A-Za-z{accented}]+", text)
    return {word for word in words if len(word) > 2 and word.isascii()} - NAMES


@pytest.fixture
def built(make_site: MakeSite) -> Path:
    folder = make_site(FILES)
    arguments = ["build", "--pseudo", "--quiet", "--config", str(folder / "pylit.toml")]
    assert main(arguments) == 0
    return folder / "docs"


def test_no_word_of_a_template_is_left_in_english(built: Path) -> None:
    """W-TRN-13"""
    pages = sorted((built / "en-XA").rglob("*.html"))
    assert len(pages) == 4
    for page in pages:
        # What is code in the text is no word in a summary either.
        left = plain_words(page.read_text()) - {"function", "code", "span"}
        assert left == set(), (page.name, left)


def test_from_right_to_left_code_and_formulas_stay_as_they_are(built: Path) -> None:
    html = (built / "ar-XB/mod.html").read_text()
    assert '<html lang="ar-XB" dir="rtl">' in html
    assert "<code>code_span</code>" in html
    assert "\u202eWords\u202c" in html
    assert 'data-tex="x_1"' in html
    code = html.partition("<pre")[2].partition("</pre>")[0]
    assert "\u202e" not in code


def test_pseudo_languages_are_built_only_on_request(make_site: MakeSite) -> None:
    folder = make_site(FILES)
    main(["build", "--quiet", "--config", str(folder / "pylit.toml")])
    assert not (folder / "docs/en-XA").exists()
    assert "en-XA" not in (folder / "docs/index.html").read_text()
