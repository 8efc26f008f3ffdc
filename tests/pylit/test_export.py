"""One page in one file: nothing is asked for, and links lead to what is published or nowhere."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main

MakeSite = Callable[..., Path]
Export = Callable[..., str]

SITE = {
    "pylit.toml": 'title = "Site"\n[[source]]\npath = "src"\n[languages.ja]\nname = "日本語"\n',
    "src/__init__.py": '"""# Top"""\n',
    "src/sub/a.py": 'r"""\n# A\n\n$x^2$, [b](b.md#part), [own](#L9), [far](https://example.com/)\n\n'
    '![A dot](dot.svg)\n"""\nimport os\n\nx = 1\n\n'
    "def f(): ...\n",
    "src/sub/b.md": "# B\n\n## Part\n",
    "src/sub/broken.py": "def f(:\n",
    "src/sub/user.py": "from src.sub.a import f\n",
    "src/sub/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    "analytics.html": "<script>count()</script>",
    "translations/ja/sub/a.po": 'msgid ""\nmsgstr ""\n\nmsgid "A"\nmsgstr "あ"\n',
}


@pytest.fixture
def export(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> Export:
    """Export a page of a site, and return its HTML."""

    def make(*arguments: str, settings: str = "", code: int = 0) -> str:
        folder = make_site({**SITE, "pylit.toml": settings + SITE["pylit.toml"]})
        monkeypatch.chdir(folder)
        assert main(["export", *arguments]) == code
        made = folder / "a.html"
        return made.read_text() if made.exists() else ""

    return make


def test_nothing_is_asked_for(export: Export) -> None:
    html = export("src/sub/a.py", settings='analytics = "analytics.html"\n')
    wanted = re.findall(r'<(?:script|link|img|source)\b[^<>]*?\b(?:src|href)="([^"]*)"', html)
    assert len(wanted) > 5
    assert not [address[:40] for address in wanted if not address.startswith("data:")]
    urls = re.findall(r"url\((?:%22)?([^)]*)", html)
    assert not [url[:40] for url in urls if not url.startswith("data:")]
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html
    assert "connect-src" not in html
    assert "count()" not in html
    assert "data:image/svg+xml;base64," in html
    assert "data:font/woff2" in html


def test_without_a_base_no_link_leads_out(export: Export) -> None:
    html = export("sub/a.html")
    links = re.findall(r'<a\b[^<>]*?\bhref="([^"]*)"', html)
    assert not [href for href in links if not href.startswith(("#", "https://example.com/"))]
    assert "<a>b</a>" in html


def test_with_a_base_links_lead_to_what_is_published(export: Export) -> None:
    html = export("src.sub.a", settings='base_url = "https://example.org/x"\n')
    assert 'href="https://example.org/x/sub/b.html#part"' in html
    assert 'href="https://example.org/x/index.html"' in html
    assert 'href="https://example.org/x/sub/user.html#L1"' in html


def test_a_source_that_makes_no_page_is_named(
    export: Export, capsys: pytest.CaptureFixture[str]
) -> None:
    export("src/sub/broken.py", code=1)
    assert capsys.readouterr().err.startswith("src/sub/broken.py:1:7: error: this is not valid")


def test_another_language(export: Export) -> None:
    html = export("src/sub/a.py", "--lang", "ja")
    assert '<html lang="ja"' in html
    assert "あ</h1>" in html
    assert "data:image/svg+xml;base64,PHN2ZyB4bWxucz" in html


def test_wrong_names_and_foreign_files(
    export: Export, capsys: pytest.CaptureFixture[str], make_site: MakeSite
) -> None:
    export("gone.py", code=2)
    assert "has no such page" in capsys.readouterr().err
    export("src/sub/a.py", "--lang", "xx", code=2)
    folder = make_site({**SITE, "a.html": "mine"})
    assert export("a.py", code=2) == "mine"
    assert "is kept" in capsys.readouterr().err
    # Also a file that is named on purpose may be one that its author needs.
    assert export("a.py", "--output", "a.html", code=2) == "mine"
    (folder / "a.html").unlink()
    export("a.py")
    # Our own file may be replaced by a later one.
    assert export("a.py") != "mine"
    assert folder == Path.cwd()
