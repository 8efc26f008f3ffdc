"""Whole small sites: links, addresses for search engines, languages, broken modules."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from pylit.cli import main
from pylit.settings_file import read_settings
from pylit.site import Build, build

MakeSite = Callable[..., Path]
BuildSite = Callable[..., Build]

CATALOGUE = """
msgid ""
msgstr ""
"Language: ja\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "Front"
msgstr "表紙"

msgid "See $x^2$ and [next](sub/a.py)."
msgstr "[次](sub/a.py)と$x^2$です。"

#, fuzzy
msgid "Old words."
msgstr "古い言葉"
"""
FILES = {
    "pylit.toml": """
title = "Site"
base_url = "https://example.org/docs"
repository = "https://example.org/forge"
[[source]]
path = "src"
[languages.ja]
name = "日本語"
""",
    "src/__init__.py": (
        '"""# Front\n\nSee $x^2$ and [next](sub/a.py).\n\nOld words.\n\nNew words."""\n'
    ),
    "src/sub/a.py": '"""# A"""\nX = 1\n\n\ndef f():\n    """Doc."""\n    return X\n',
    "src/sub/deep/b.py": '"""# B"""\n',
    "translations/ja/index.po": CATALOGUE,
}


def page(made: Build, path: str) -> str:
    return next(output for output in made.outputs if output.path == path).content.decode()


def test_every_link_leads_somewhere_also_from_disk(build_site: BuildSite) -> None:
    """W-OUT-01"""
    made = build_site(FILES)
    files = {output.path for output in made.outputs}
    checked = 0
    for output in made.outputs:
        if not output.path.endswith(".html") or output.path == "404.html":
            continue
        html = output.content.decode()
        ids = set(re.findall(r'\bid="([^"]+)"', html))
        for link in re.findall(r'\b(?:href|src)="([^"]+)"', html):
            parts = urlsplit(link)
            if parts.scheme:
                continue
            assert not link.startswith("/")
            assert not link.endswith("/")
            if not parts.path:
                assert unquote(parts.fragment) in ids, link
                continue
            folder = Path(output.path).parent / unquote(parts.path)
            target = Path(*normal(folder.parts)).as_posix()
            assert target in files, (output.path, link)
            checked += 1
    assert checked > 50


def normal(parts: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for part in parts:
        found = found[:-1] if part == ".." else [*found, part]
    return found


@pytest.mark.parametrize("base", ["https://example.org/docs", "https://example.org/docs/"])
def test_a_slash_at_the_end_of_the_base_means_nothing(make_site: MakeSite, base: str) -> None:
    """W-OUT-02"""
    toml = FILES["pylit.toml"].replace("https://example.org/docs", base)
    folder = make_site({**FILES, "pylit.toml": toml})
    made = build(read_settings(folder / "pylit.toml"))
    html = page(made, "sub/a.html")
    assert '<link rel="canonical" href="https://example.org/docs/sub/a.html">' in html
    assert "//docs" not in html
    assert 'href="//' not in html


def test_no_page_asks_another_host(build_site: BuildSite) -> None:
    """W-OUT-04"""
    for output in build_site(FILES).outputs:
        if output.path.endswith((".html", ".css")):
            text = output.content.decode()
            assert not re.search(r'\bsrc="(?:https?:)?//', text)
            assert not re.search(r'<link[^>]*rel="(?:stylesheet|preload)"[^>]*href="http', text)
            assert not re.search(r"url\(\s*[\"']?(?:https?:)?//", text)


def test_search_engines_are_told_of_all_languages(build_site: BuildSite) -> None:
    made = build_site(FILES)
    for path, own in (("index.html", "index.html"), ("ja/index.html", "ja/index.html")):
        html = page(made, path)
        assert f'<link rel="canonical" href="https://example.org/docs/{own}">' in html
        for tag, target in (
            ("en", "index.html"),
            ("ja", "ja/index.html"),
            ("x-default", "index.html"),
        ):
            link = f'hreflang="{tag}" href="https://example.org/docs/{target}"'
            assert html.count(link) == 1
        assert '<meta property="og:title"' in html
        assert '<meta name="twitter:card"' in html
    sitemap = ElementTree.fromstring(page(made, "sitemap.xml"))
    places = [element.text for element in sitemap.iter() if element.tag.endswith("}loc")]
    assert "https://example.org/docs/ja/index.html" in places
    assert "Sitemap: https://example.org/docs/sitemap.xml" in page(made, "robots.txt")
    # A page with nothing translated is there for readers, but search engines get the original.
    untranslated = page(made, "ja/sub/a.html")
    assert '<link rel="canonical" href="https://example.org/docs/sub/a.html">' in untranslated
    assert "https://example.org/docs/ja/sub/a.html" not in places


def test_a_translated_page_has_the_same_anchors_and_falls_back(build_site: BuildSite) -> None:
    made = build_site(FILES)
    english, japanese = page(made, "index.html"), page(made, "ja/index.html")
    assert '<html lang="ja" dir="ltr">' in japanese
    assert '<h1 id="front">表紙</h1>' in japanese
    assert "<title>表紙 · Site</title>" in japanese
    assert 'href="sub/a.html">次</a>と' in japanese
    for text in ("Old words.", "New words."):
        assert re.search(rf'<p [^>]*lang="en"[^>]*>{text}</p>', japanese)
    assert "古い言葉" not in japanese
    ids = re.compile(r'<section[^>]*\bid="([^"]+)"|<h\d[^>]*\bid="([^"]+)"')
    assert ids.findall(english) == ids.findall(japanese)
    made_pages = {made_page.address: made_page for made_page in made.pages}
    translation = made_pages["ja/index.html"].translation
    assert (translation.messages, translation.translated) == (4, 2)


def test_a_module_that_does_not_parse_stops_no_other(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """W-SEG-17"""
    folder = make_site({**FILES, "src/bad.py": "def f(:\n    pass\n"})
    assert main(["build", "--config", str(folder / "pylit.toml")]) == 1
    assert "src/bad.py:1:7: error: this is not valid Python" in capsys.readouterr().err
    assert (folder / "docs/sub/a.html").exists()


def test_breadcrumbs_order_and_folders(build_site: BuildSite) -> None:
    made = build_site(FILES)
    pages = {made_page.address: made_page for made_page in made.pages}
    order, address = ["index.html"], "index.html"
    while (following := pages[address].next) is not None:
        address = Path(*normal((Path(address).parent / following.href).parts)).as_posix()
        order.append(address)
    assert order == [
        "index.html",
        "sub/index.html",
        "sub/a.html",
        "sub/deep/index.html",
        "sub/deep/b.html",
    ]
    deep = pages["sub/deep/b.html"]
    assert [crumb.title for crumb in deep.breadcrumbs] == ["Front", "sub", "deep", "B"]
    assert [child.href for child in pages["sub/index.html"].children] == [
        "a.html",
        "deep/index.html",
    ]


def test_source_links_name_the_line(build_site: BuildSite) -> None:
    rows = next(p for p in build_site(FILES).pages if p.address == "sub/a.html").rows
    assert [row.source_url for row in rows] == [
        f"https://example.org/forge/blob/main/src/sub/a.py#L{line}" for line in (1, 5, 7)
    ]


@pytest.mark.parametrize(
    ("pattern", "leads_to"),
    [
        ("", "https://example.org/forge/edit/main/src/sub/a.py#L{line}"),
        ("https://x.org/{path}?at={line}", "https://x.org/src/sub/a.py?at={line}"),
    ],
)
def test_a_module_can_be_edited_at_a_line(
    build_site: BuildSite, pattern: str, leads_to: str
) -> None:
    toml = f'edit_url = "{pattern}"\n' if pattern else ""
    made = build_site({**FILES, "pylit.toml": toml + FILES["pylit.toml"]})
    assert f'data-edit="{leads_to}"' in page(made, "sub/a.html")
    # A folder has no source that could be edited.
    assert "data-edit" not in page(made, "sub/index.html")


def test_analytics_only_if_the_settings_name_it(make_site: MakeSite) -> None:
    folder = make_site(
        {**FILES, "stats.html": "<script src='https://stats.example/x.js'></script>"}
    )
    without = build(read_settings(folder / "pylit.toml"))
    assert "stats.example" not in page(without, "index.html")
    toml = (folder / "pylit.toml").read_text()
    (folder / "pylit.toml").write_text(f'analytics = "stats.html"\n{toml}')
    made = build(read_settings(folder / "pylit.toml"))
    assert "stats.example" in page(made, "index.html")


@pytest.mark.parametrize("name", ["big.py"])
def test_a_huge_file_is_built(build_site: BuildSite, name: str) -> None:
    """W-PYG-03"""
    text = "x = [" + "1," * 500_000 + "]\n" + "# n\ny = 1\n" * 10_000
    made = build_site({f"src/{name}": text, "src/small.py": "x = 1\n"})
    assert {"big.html", "small.html"} <= {output.path for output in made.outputs}
    # The long line is shown in one piece, without an element for each of its signs.
    html = page(made, "big.html")
    assert html.count("<span") < 100_000
    assert "1,1,1,1," in html


def test_an_unknown_fence_language_is_plain_code(render: Callable[..., str]) -> None:
    """W-PYG-01"""
    assert "a &lt; b" in render("```nosuchlang\na < b\n```\n")


def test_an_empty_site_and_an_empty_file(build_site: BuildSite) -> None:
    made = build_site({"src/empty.py": "", "src/blank.md": "\n\n"})
    assert made.problems == ()
    assert {"empty.html", "blank.html"} <= {made_page.address for made_page in made.pages}


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ('"""# A\n\nThe *whole* page."""\nX = 1\n', "The whole page."),
        ('# Says what it is.\nX = 1\n', "Says what it is."),
        ('class A:\n    """All there is."""\n', "All there is."),
        # What stands below code is about that code.
        ('import os\n\n# for old systems\nX = os.name\n', ""),
        ('"""# A"""\nX = 1\n\n\ndef f():\n    """Helps."""\n', ""),
        ("class A:\n    x = 1\n\n    # one more\n    y = 2\n", ""),
    ],
)  # fmt: skip
def test_a_summary_is_of_the_page(build_site: BuildSite, text: str, summary: str) -> None:
    """A newcomer's package was listed with remarks on single lines as its summaries."""
    made = build_site({"src/a.py": text, "src/b.py": ""})
    found = re.search('<meta name="description" content="(.*?)">', page(made, "a.html"))
    assert (found[1] if found else "") == summary
