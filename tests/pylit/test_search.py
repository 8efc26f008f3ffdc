"""Search: what is in the index of a language, and what is found with it, by the page's script."""

import gzip
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest
from markupsafe import Markup
from py_mini_racer import MiniRacer

from pylit.model import Page
from pylit.settings_file import read_settings
from pylit.site import Build, build
from tests.conftest import ROOT

BuildSite = Callable[..., Build]
Hits = list[dict[str, Any]]

LIMIT = 150_000
"""Bytes of an index on its way to a reader."""

LANGUAGES = ("en", "zh", "ja", "si")

# Ten queries a language. They are data, so that a reader of the language can add to them.
QUERIES: Mapping[str, list[str]] = tomllib.loads(
    (ROOT / "tests/pylit/search_queries.toml").read_text(encoding="utf-8")
)


class Finder:
    """The script of a page, run without a browser."""

    def __init__(self, made: Build, language: str) -> None:
        self.racer = MiniRacer()
        self.index = index_of(made, language)
        self.racer.eval(self.index + "\n;0")
        script = (ROOT / "templates/scripts/find.js").read_text(encoding="utf-8")
        self.racer.eval(f"{script}\nconst find = pylitFinder(pylitIndex);0")

    def anchors(self) -> list[str]:
        """The anchors of all units, as the script reads them."""
        found: list[str] = json.loads(
            str(self.racer.eval("JSON.stringify(pylitAnchors(pylitIndex))"))
        )
        return found

    def __call__(self, query: str) -> Hits:
        found = self.racer.eval(f"JSON.stringify(find({json.dumps(query)}))")
        hits: Hits = json.loads(str(found))
        return hits


def index_of(made: Build, language: str) -> str:
    """The index of a language, found as a page finds it."""
    pointer = content(made, f"pylit-assets/search-{language}.js")
    name = re.fullmatch(r'globalThis\.pylitIndexFile="([^"]+)";\n', pointer)
    assert name, pointer
    return content(made, f"pylit-assets/{name[1]}")


def content(made: Build, path: str) -> str:
    return next(output for output in made.outputs if output.path == path).content.decode()


@pytest.fixture
def finder() -> Iterator[Callable[..., Finder]]:
    finders: list[Finder] = []

    def make(made: Build, language: str = "en") -> Finder:
        finders.append(Finder(made, language))
        return finders[-1]

    yield make
    # An isolate that is not closed keeps the process from ending.
    for each in finders:
        each.racer.close()


@pytest.fixture(scope="module")
def own() -> Build:
    return build(read_settings(ROOT / "pylit.toml"))


def page_text(page: Page) -> str:
    """All that a page shows of itself, as plain text: a plain search is to find the same."""
    prose = "\n".join(str(row.prose) for row in page.rows)
    prose = re.sub(r"<mjx-math.*?</mjx-math>", "", prose, flags=re.DOTALL)
    code = "\n".join(str(line.html) for row in page.rows for line in row.code)
    names = re.findall(r"\w+", Markup(re.sub(r"<[^>]*>", "", code)).unescape())
    prose = Markup(re.sub(r"<[^>]*>", "", prose)).unescape()
    return "\n".join([page.title, " ".join(prose.split()), *names]).lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_plain_search_finds_is_found(
    own: Build, finder: Callable[..., Finder], language: str
) -> None:
    find = finder(own, language)
    pages = [
        page
        for page in own.pages
        if page.language.code == language and page.translation.translated and page.rows
    ]
    texts = {page.address: page_text(page) for page in pages}
    assert len(QUERIES[language]) == 10
    wanted = found = 0
    for query in QUERIES[language]:
        plain = {address for address, text in texts.items() if query.lower() in text}
        assert plain, f"{query} stands nowhere, so it tests nothing"
        hits = {hit["address"] for hit in find(query)}
        wanted += len(plain)
        found += len(plain & hits)
    assert found >= 0.95 * wanted, f"{found} of {wanted} pages"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("shift_right", "transformers/xl/relative_mha.html"),
        ("MultiHeadAttention", "transformers/mha.html"),
        ("multi head attention", "transformers/mha.html"),
        ("RelativeMultiHeadAttention.get_scores", "transformers/xl/relative_mha.html"),
        ("causal_mask", "transformers/masks.html"),
        ("build_index", "pylit/links.html"),
    ],
)
def test_the_definition_of_a_name_comes_first(
    own: Build, finder: Callable[..., Finder], language: str, name: str, address: str
) -> None:
    first = finder(own, language)(name)[0]
    prefix = "" if language == "en" else f"{language}/"
    assert first["address"] == prefix + address


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_index_is_small_and_every_hit_leads_to_an_anchor(
    own: Build, finder: Callable[..., Finder], language: str
) -> None:
    text = index_of(own, language)
    size = len(gzip.compress(text.encode(), 9, mtime=0))
    assert size <= LIMIT, size
    index = json.loads(text.removeprefix("globalThis.pylitIndex=").removesuffix(";\n"))
    anchors = iter(finder(own, language).anchors())
    for address, _, count in index["pages"]:
        html = content(own, index["folder"] + address)
        ids = set(re.findall(r'\bid="([^"]+)"', html))
        for anchor in islice(anchors, count):
            assert not anchor or str(Markup.escape(anchor)) in ids, (address, anchor)
    assert next(anchors, None) is None


CHINESE = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "Attention chooses."
msgstr "注意力机制让模型*自行*选择重点"
"""
TOML = '[[source]]\npath = "src"\n[languages.zh]\nname = "中文"\n[languages.si]\nname = "සිංහල"\n'
SMALL = {
    "pylit.toml": TOML,
    "src/__init__.py": '"""Attention chooses.\n\nNobody translated this."""\nhidden_name = 1\n',
    "src/other.py": '"""Only English."""\n\ndef shared_name():\n    """Says something."""\n',
    "translations/zh/index.po": CHINESE,
}


def test_any_run_of_characters_is_found(
    build_site: BuildSite, finder: Callable[..., Finder]
) -> None:
    """W-SRC-01"""
    find = finder(build_site(SMALL), "zh")
    for query in ("意力机", "型自行", "选择", "力", "注意力 重点", "注意力，选择", "选择注意"):
        hits = find(query)
        assert [hit["address"] for hit in hits][:1] == (
            [] if query == "选择注意" else ["zh/index.html"]
        ), query
    assert "".join(find("型自行")[0]["excerpt"]) == "注意力机制让模型自行选择重点"


def test_an_index_holds_the_words_of_its_language_only(
    build_site: BuildSite, finder: Callable[..., Finder]
) -> None:
    """W-SRC-02"""
    made = build_site(SMALL)
    for language, tag in (("en", "en"), ("zh", "zh"), ("si", "si")):
        folder = "" if language == "en" else f"{language}/"
        html = content(made, f"{folder}index.html")
        assert f'<html lang="{tag}"' in html
        assert re.search(rf'data-index="[./]*pylit-assets/search-{language}\.js"', html)
        find = finder(made, language)
        assert all(hit["address"].startswith(folder) for hit in find("name"))
        # Names are the same in all languages, English words are not.
        assert find("hidden_name")
        assert find("shared_name")
        assert bool(find("translated")) == (language == "en")
        assert bool(find("something")) == (language == "en")
    assert "注意力" not in finder(made, "en").index


def test_formulas_and_names_are_readable_and_nothing_runs(
    build_site: BuildSite, finder: Callable[..., Finder]
) -> None:
    """W-SRC-03"""
    text = (
        "# A <script>alert(1)</script>\n\n"
        r"The `shift_right` step makes $\text{softmax}(b)$ line up <b>now</b>, $a < b$."
        "\n\n## Second *part*\n\n| cell | other |\n|---|---|\n| one | two |\n"
    )
    made = build_site({"src/page.md": text})
    find = finder(made)
    for query in ("shift_right", "softmax", "right", "shift"):
        (hit,) = find(query)
        assert hit["address"] == "page.html"
        excerpt = "".join(hit["excerpt"])
        assert excerpt == "The shift_right step makes softmax(b) line up now, a < b."
    assert [hit["anchor"] for hit in find("two")] == ["second-part"]
    assert find("two")[0]["label"] == "Second part"
    assert find("one two")
    assert not find("text")
    assert not find("mtext")
    script = (ROOT / "templates/scripts/search.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_beginnings_capitals_and_joiners(
    build_site: BuildSite, finder: Callable[..., Finder]
) -> None:
    made = build_site({"src/page.md": "Ｆｕｌｌ width, Éclair, ප්‍රශ්නය and LayerNorm."})
    find = finder(made)
    for query in ("full", "ＦＵＬＬ", "écl", "ප්රශ්න", "ප්‍රශ්න", "norm", "layer norm", "wid"):
        assert len(find(query)) == 1, query
    for query in ("", "  ", "<", "?", "wid xyz"):
        assert find(query) == [], query


def test_the_index_is_the_same_every_time(build_site: BuildSite) -> None:
    one, two = (index_of(build_site(SMALL), "zh") for _ in range(2))
    assert one == two


def test_another_index_has_another_name_and_changes_no_other_page(build_site: BuildSite) -> None:
    files = {"src/a.md": "# A\n\nFirst.\n", "src/b.md": "# B\n\nA word.\n\nAnd another."}
    old = build_site(files)
    new = build_site({**files, "src/b.md": files["src/b.md"] + " And a third."})

    def indexes(made: Build) -> set[str]:
        return {o.path for o in made.outputs if re.search(r"search-en\.[0-9a-f]{8}\.js$", o.path)}

    assert len(indexes(old)) == len(indexes(new)) == 1
    assert indexes(old) != indexes(new)
    assert content(old, "a.html") == content(new, "a.html")
