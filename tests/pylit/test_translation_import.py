"""Taking over what a machine translated: what is found in it, and what reaches the catalogues."""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.glossary import Glossary, Term
from pylit.html_blocks import read_blocks
from pylit.import_html import Imported, read_cache
from pylit.model import Language
from pylit.po import parse_po

MakeSite = Callable[..., Path]


def mark(number: int) -> str:
    return f"<span translate=no>_^_{number}_^_</span>"


def read(entries: Mapping[str, str], code: str = "ja") -> Imported:
    terms = [Term("Transformer", "Transformer", ("変圧器",), keep=True)]
    language = Language(code, code, code)
    text = json.dumps(entries, indent=1)
    imported, broken = read_cache({"a.json": text}, language, Glossary(terms, code))
    assert broken == []
    return imported


CASES = tomllib.loads((Path(__file__).parent / "translation_import.toml").read_text("utf-8"))[
    "case"
]
NAMES = [f"{case['code']}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_each_fault_is_found_and_only_where_it_is(case: Mapping[str, str]) -> None:
    found = read({case["english"]: case["faulty"]}, case["language"])
    assert case["code"] in {finding.code for finding in found.findings}, found.findings
    good = read({case["english"]: case["right"]}, case["language"])
    assert good.findings == ()
    assert good.pairs
    if {finding.level for finding in found.findings} == {"error"} and case["code"] != "zwj":
        assert found.pairs == ()


def test_findings_name_file_and_line() -> None:
    found = read({"<p>One word</p>\n": "<p>一語</p>\n", "<p>Two words</p>\n": "<p>二語</p>。\n"})
    assert [(f.path, f.line, f.code) for f in found.findings] == [("a.json", 3, "outside")]


def test_joiners_are_put_back() -> None:
    found = read({"<p>The step</p>\n": "<p>ක්රමය</p>\n"}, "si")
    assert [pair.text for pair in found.pairs] == ["ක්\u200dරමය"]


def test_html_becomes_the_markdown_that_it_was() -> None:
    html = (
        '<h2>A <em>b</em></h2>\n<p><a id="X"></a></p>\n'
        f'<p>1 * 2 in <a href="a.html">words {mark(3)}</a> &amp; <strong>more</strong></p>'
        "<ul><li><p>item</p></li></ul>"
    )
    assert read_blocks(html).blocks == (
        ("h2", "A *b*"),
        ("p", "1 \\* 2 in [words {math4}](a.html) & **more**"),
        ("p", "item"),
    )
    assert read_blocks("A plain title").blocks == (("", "A plain title"),)


FILES = {
    "pylit.toml": 'title = "T"\n[[source]]\npath = "src"\n[languages.ja]\n[languages.si]\n',
    "src/a.md": (
        "# The mask\n\nThe size of $d_k$ is `n`, see [the page](b.md).\n\n"
        "Nobody has this.\n\nHere already.\n"
    ),
    "src/b.md": "# B\n",
    "translations/ja/a.po": 'msgid "Here already."\nmsgstr "ここに既にあります。"\n',
    "cache/a.ja.json": json.dumps(
        {
            f'<h1>The mask</h1>\n<p>The size of {mark(0)} is {mark(1)}, see <a href="old.html">the'
            " page</a>.</p>\n": f"<h1>マスク</h1>\n<p>{mark(1)}は{mark(0)}の大きさです。"
            '<a href="old.html">ページ</a>を参照。</p>\n',
            "<p>Here already.</p>\n": "<p>別の訳です。</p>\n",
        }
    ),
}


def run(folder: Path, *arguments: str) -> int:
    return main(["i18n", *arguments, "--config", str(folder / "pylit.toml")])


def test_a_cache_fills_empty_entries_marked_as_machine(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(FILES)
    assert run(folder, "import-html", str(folder / "cache"), "ja", "--dry-run") == 0
    assert "2 filled" in capsys.readouterr().out
    assert "マスク" not in (folder / "translations/ja/a.po").read_text()
    assert run(folder, "import-html", str(folder / "cache"), "ja") == 0
    entries = {e.source: e for e in parse_po((folder / "translations/ja/a.po").read_text()).entries}
    text = "The size of $d_k$ is `n`, see [the page](b.md)."
    assert entries[text].text == "`n`は$d_k$の大きさです。[ページ](b.md)を参照。"
    assert entries[text].remarks == ("pylit: machine",)
    assert entries["Here already."].text == "ここに既にあります。"
    assert entries["Here already."].remarks == ()
    assert entries["Nobody has this."].text == ""
    # A second time there is nothing left to fill, and a page shows machine text only if it may.
    capsys.readouterr()
    assert run(folder, "import-html", str(folder / "cache"), "ja") == 0
    assert "0 filled" in capsys.readouterr().out


def test_the_report_as_json(make_site: MakeSite, capsys: pytest.CaptureFixture[str]) -> None:
    cache = json.dumps({"<p>One word</p>": "<p>一語</p>。"})
    folder = make_site({**FILES, "cache/a.ja.json": cache})
    assert run(folder, "import-html", str(folder / "cache/a.ja.json"), "ja", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["codes"] == {"outside": ["error", 1]}
    assert report["entries"] == 1
    assert report["findings"][0]["code"] == "outside"


def test_a_broken_cache_and_a_missing_one(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site({**FILES, "cache/b.ja.json": "{", "cache/c.ja.json": "[1]"})
    assert run(folder, "import-html", str(folder / "cache"), "ja") == 1
    said = capsys.readouterr().err
    assert "b.ja.json:1:1: error: this is not valid JSON" in said
    assert "c.ja.json:1:1: error: a cache is an object" in said
    assert run(folder, "import-html", str(folder / "nowhere"), "ja") == 2
    assert run(folder, "import-html", str(folder / "cache"), "si") == 2


def test_po_files_fill_where_the_text_is_exactly_the_same(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    po = (
        'msgid "The mask"\nmsgstr "マスク"\n\nmsgid "nobody has this."\nmsgstr "だれも"\n\n'
        'msgid "Here already."\nmsgstr "別の訳"\n'
    )
    folder = make_site({**FILES, "old.po": po})
    assert run(folder, "import-po", "ja", str(folder / "old.po")) == 0
    assert "1 entries filled" in capsys.readouterr().out
    text = (folder / "translations/ja/a.po").read_text()
    assert '# pylit: machine\n#. heading 1, #module\n#: src/a.md\nmsgid "The mask"' in text
    assert "ここに既にあります。" in text
    assert run(folder, "import-po", "ja", str(folder / "gone.po")) == 2
