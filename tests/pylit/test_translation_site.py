"""What of a translation reaches the pages: states, fallback, help, wide characters, joiners."""

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote

import pytest

from pylit.catalog_fmt import mend_controls
from pylit.cli import main
from pylit.model import Page
from pylit.po import parse_po
from pylit.settings_file import read_settings
from pylit.site import Build, build
from pylit.wide import join_wide

MakeSite = Callable[..., Path]
TOML = (
    'title = "Site"\nbase_url = "https://example.org/"\nrepository = "https://example.org/forge"\n'
    '[[source]]\npath = "src"\n[languages.zh]\ntag = "zh-Hans"\nname = "中文"\n'
    '[languages.si]\nname = "සිංහල"\n'
)


def po(*entries: tuple[str, str, str]) -> str:
    return "\n".join(
        f'{before}msgid "{source}"\nmsgstr "{text}"\n' for source, text, before in entries
    )


def made(
    make_site: MakeSite, source: str, catalogue: str, more: str = "", **files: str
) -> tuple[Build, Page, str]:
    folder = make_site(
        {
            "pylit.toml": TOML + more,
            "src/a.md": source,
            "translations/zh/a.po": catalogue,
            **files,
        }
    )
    site = build(read_settings(folder / "pylit.toml"))
    page = next(page for page in site.pages if page.address == "zh/a.html")
    html = next(output for output in site.outputs if output.path == "zh/a.html").content.decode()
    return site, page, html


def test_w_trn_01_a_faulty_entry_falls_back_to_the_source(make_site: MakeSite) -> None:
    """W-TRN-01"""
    source = "Scale by $\\sqrt{d_k}$ before the softmax."
    wrong = po((source.replace("\\", "\\\\"), "在 softmax 之前除以 $\\\\sqrt{d_h}$。", ""))
    site, page, html = made(make_site, source, wrong)
    assert re.search(r'<p[^>]*class="untranslated"[^>]*>Scale by', html)
    assert "除以" not in html
    assert (page.translation.messages, page.translation.translated) == (1, 0)
    problems = [problem for problem in site.problems if problem.code == "atoms"]
    assert [(p.path, p.line, p.level) for p in problems] == [("translations/zh/a.po", 1, "error")]


SOURCE = "Show key names"


def test_w_trn_03_fuzzy_text_is_shown_only_if_the_settings_say_so(make_site: MakeSite) -> None:
    """W-TRN-03"""
    catalogue = po((SOURCE, "显示值的数量", "#, fuzzy\n"))
    _, page, html = made(make_site, SOURCE, catalogue)
    assert "显示值的数量" not in html
    assert re.search(rf'lang="en"[^>]*>{SOURCE}</p>', html)
    assert page.translation.fuzzy == 0
    _, page, html = made(make_site, SOURCE, catalogue, "[i18n]\nfuzzy = true\n")
    assert '<p class="fuzzy">显示值的数量</p>' in html
    assert page.translation.fuzzy == 1
    assert "本页译自旧版原文的段落：1 段" in html


def test_machine_text_is_shown_only_if_the_settings_say_so(make_site: MakeSite) -> None:
    catalogue = po((SOURCE, "显示键名", "# pylit: machine\n"))
    _, page, html = made(make_site, SOURCE, catalogue)
    assert "显示键名" not in html
    assert page.translation.machine == 0
    _, page, html = made(make_site, SOURCE, catalogue, "[i18n]\nmachine = true\n")
    assert '<p class="machine">显示键名</p>' in html
    assert page.translation.machine == 1
    assert "本页由机器翻译、尚未人工核对的段落：1 段" in html


def test_w_trn_17_what_a_person_wrote_is_never_called_a_machines(make_site: MakeSite) -> None:
    """W-TRN-17"""
    catalogue = po((SOURCE, "显示键名", "# by hand\n"))
    _, page, html = made(make_site, SOURCE, catalogue)
    assert "<p>显示键名</p>" in html
    assert page.translation.machine == 0
    assert page.translate_url == "https://example.org/forge/edit/main/translations/zh/a.po"


def test_w_trn_04_missing_text_is_marked_and_leads_to_where_it_can_be_given(
    make_site: MakeSite,
) -> None:
    """W-TRN-04"""
    text = "The mask hides later positions."
    _, page, html = made(make_site, f"# A\n\n{text}\n", po(("A", "甲", ""), (text, "", "")))
    marked = re.search(rf"<p([^>]*)>{text}</p>", html)
    assert marked
    assert sorted(marked[1].split()) == ['class="untranslated"', 'dir="ltr"', 'lang="en"']
    assert "共 2 段，已翻译 1 段" in html
    assert len(page.passages) == 1
    passage = page.passages[0]
    assert passage.text == text
    assert passage.edit_url == "https://example.org/forge/blob/main/translations/zh/a.po#L4"
    issue = unquote(passage.suggest_url)
    assert issue.startswith("https://example.org/forge/issues/new?title=zh: 甲&body=")
    assert "https://example.org/zh/a.html\ntranslations/zh/a.po:4\n\n> The mask hides" in issue
    assert "提交译文建议" in html
    assert passage.edit_url in html


def test_the_pattern_of_suggestions_can_be_set(make_site: MakeSite) -> None:
    more = '[i18n]\nsuggest_url = "https://example.org/new?text={body}"\n'
    _, page, _ = made(make_site, SOURCE, po((SOURCE, "", "")), more)
    assert page.passages[0].suggest_url.startswith("https://example.org/new?text=https%3A%2F%2F")


@pytest.mark.parametrize("value", ['suggest_url = "here"', 'machine = "yes"', "colour = 1"])
def test_a_wrong_setting_is_named(make_site: MakeSite, value: str) -> None:
    folder = make_site({"pylit.toml": f"{TOML}[i18n]\n{value}\n", "src/a.md": ""})
    assert main(["build", "--config", str(folder / "pylit.toml")]) == 2


def test_w_trn_06_an_entry_out_of_use_stops_nothing(make_site: MakeSite) -> None:
    """W-TRN-06"""
    catalogue = po(("Mask", "掩码", "")) + '\n#~ msgid "Mask"\n#~ msgstr "面具"\n'
    site, _, html = made(make_site, "Mask", catalogue)
    assert "<p>掩码</p>" in html
    assert site.problems == ()


def test_w_trn_07_without_translations_a_page_is_as_its_source(make_site: MakeSite) -> None:
    """W-TRN-07"""
    source = "| h | k |\n|---|---|\n| a | b |\n\nHeads\n\n* one\n* two\n"
    folder = make_site({"pylit.toml": TOML, "src/a.md": source})
    assert main(["i18n", "update", "--config", str(folder / "pylit.toml")]) == 0
    site = build(read_settings(folder / "pylit.toml"))
    rows = {p.address: p.rows for p in site.pages if p.address.endswith("a.html")}

    def plain(address: str) -> str:
        prose = "".join(str(row.prose) for row in rows[address])
        return re.sub(r' (?:lang="en"|dir="ltr"|class="untranslated")', "", prose)

    assert plain("zh/a.html") == plain("a.html")
    assert [e.source for e in parse_po((folder / "translations/zh/a.po").read_text()).entries] == [
        "h", "k", "a", "b", "Heads", "one", "two",
    ]  # fmt: skip


def test_w_trn_08_an_address_is_one_string(make_site: MakeSite) -> None:
    """W-TRN-08"""
    address = "https://example.org/a-very-long-address-with-many-words-and-no-spaces"
    catalogue = (
        'msgid ""\n"Read [the long name](https://example.org/a-very-long-address-with-many-words-"\n'
        '"and-no-spaces)."\nmsgstr ""\n"阅读[长名](https://example.org/a-very-long-address-with-many-"\n'
        '"words-and-no-spaces)。"\n'
    )
    _, _, html = made(make_site, f"Read [the long name]({address}).", catalogue)
    assert f'<a href="{address}">长名</a>' in html


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("自注意力\n机制 and line\none", "自注意力机制 and line\none"),
        ("**自注意力**\n机制", "**自注意力**机制"),
        ("见[注意力](a.html)\n`机制`", "见[注意力](a.html)`机制`"),
        ("です。\n次に", "です。次に"),
        ("한국어\n문장", "한국어\n문장"),
        ("力  \n机", "力  \n机"),
        ("力 $x$\n机", "力 $x$\n机"),
    ],
)
def test_w_trn_09_no_space_between_two_wide_characters(text: str, joined: str) -> None:
    """W-TRN-09"""
    assert join_wide(text) == joined


def test_w_trn_09_on_a_page_and_in_the_key(make_site: MakeSite) -> None:
    """W-TRN-09"""
    toml = '[[source]]\npath = "src"\n[language]\ncode = "zh"\nname = "中文"\n[languages.en]\n'
    folder = make_site({"pylit.toml": toml, "src/a.md": "自注意力\n机制 and line\none\n"})
    site = build(read_settings(folder / "pylit.toml"))
    page = next(page for page in site.pages if page.address == "a.html")
    assert "<p>自注意力机制 and line\none</p>" in page.rows[0].prose
    assert main(["i18n", "update", "--config", str(folder / "pylit.toml")]) == 0
    assert 'msgid "自注意力机制 and line one"' in (folder / "translations/en/a.po").read_text()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**注意：**文本", "<strong>注意：</strong>文本"),
        ("这是**「重要」**的", "这是<strong>「重要」</strong>的"),
        ("这是*“重要”*的", "这是<em>“重要”</em>的"),
    ],
)
def test_emphasis_works_beside_wide_punctuation(make_site: MakeSite, text: str, html: str) -> None:
    site, _, page = made(make_site, "Mind the **text**", po(("Mind the **text**", text, "")))
    assert site.problems == ()
    assert html in page


def test_w_trn_10_and_13_right_to_left(make_site: MakeSite) -> None:
    """W-TRN-10: formulas and code stay as they are; the browser tests look at the layout."""
    toml = TOML + '[languages.ar]\nname = "العربية"\ndirection = "rtl"\n'
    source = "Compute $x_i + 1$ with `x[i] + 1`."
    catalogue = po((source, "احسب $x_i + 1$ باستخدام `x[i] + 1`.", ""))
    folder = make_site({"pylit.toml": toml, "src/a.md": source, "translations/ar/a.po": catalogue})
    site = build(read_settings(folder / "pylit.toml"))
    html = next(o for o in site.outputs if o.path == "ar/a.html").content.decode()
    assert '<html lang="ar" dir="rtl">' in html
    assert "<code>x[i] + 1</code>" in html
    assert site.problems == ()


WORD = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"


def test_w_trn_11_the_joiner_survives_everywhere(make_site: MakeSite) -> None:
    """W-TRN-11"""
    toml = '[[source]]\npath = "src"\n[language]\ncode = "si"\nname = "සිංහල"\n[languages.en]\n'
    folder = make_site({"pylit.toml": toml, "src/a.md": f"# {WORD}\n\nA {WORD}\n"})
    assert main(["i18n", "update", "--config", str(folder / "pylit.toml")]) == 0
    assert f'msgid "{WORD}"' in (folder / "translations/en/a.po").read_text()
    site = build(read_settings(folder / "pylit.toml"))
    page = next(page for page in site.pages if page.address == "a.html")
    assert page.title == WORD
    assert f'<h1 id="{WORD}">{WORD}</h1>' in page.rows[0].prose
    assert f"<p>A {WORD}</p>" in page.rows[0].prose


def test_w_trn_12_the_switch_keeps_the_page(make_site: MakeSite) -> None:
    """W-TRN-12"""
    _, page, html = made(make_site, "# A\n", po(("A", "甲", "")))
    assert [(a.language.code, a.href) for a in page.alternates] == [
        ("en", "../a.html"),
        ("zh", "../zh/a.html"),
        ("si", "../si/a.html"),
    ]
    for alternate in page.alternates:
        assert f'<a href="{alternate.href}"' in html


def test_w_trn_16_text_of_a_note_is_translated_and_code_is_not(make_site: MakeSite) -> None:
    """W-TRN-16: a note is written as `!!! note`; a fence is code, whatever stands behind it."""
    source = '!!! note "Tip"\n    Use `mask=None` for full attention.\n\n'
    source += '```note title="x"\nSome words.\n```\n'
    catalogue = po(
        ("Tip", "提示", ""),
        ("Use `mask=None` for full attention.", "要看全部，用 `mask=None`。", ""),
    )
    _, page, html = made(make_site, source, catalogue)
    assert "提示</p>" in html
    assert "要看全部，用 <code>mask=None</code>。" in html
    assert "Some words." in html
    assert (page.translation.messages, page.translation.translated) == (2, 2)


def run(folder: Path, *arguments: str) -> int:
    return main(["i18n", *arguments, "--config", str(folder / "pylit.toml")])


STATES = po(
    ("One word", "一词", ""),
    ("Two words", "两词", "# pylit: machine\n"),
    ("Three words", "三词", "#, fuzzy\n"),
    ("Four `x` words", "四词", ""),
    ("Five", "", ""),
)
STATES_FILES: Mapping[str, str] = {
    "pylit.toml": TOML,
    "src/a.md": "One word\n\nTwo words\n\nThree words\n\nFour `x` words\n\nFive\n",
    "src/b.md": "# B\n\nMore words that nobody has\n",
    "translations/zh/a.po": STATES,
    "translations/zh/b.po": po(("B", "乙", ""), ("More words that nobody has", "没人有的词", "")),
}


def test_status_counts_each_state(make_site: MakeSite, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_site(STATES_FILES)
    assert run(folder, "status", "--json", "--lang", "zh") == 0
    status = json.loads(capsys.readouterr().out)["zh"]
    page = next(page for page in status["pages"] if page["page"] == "a.html")
    assert {key: page[key] for key in ("translated", "machine", "fuzzy", "error", "empty")} == {
        "translated": 1, "machine": 1, "fuzzy": 1, "error": 1, "empty": 1,
    }  # fmt: skip
    assert (page["messages"], page["words"], page["missing_words"]) == (5, 9, 7)
    # The title of the site is one more message, and nobody has translated it.
    assert (status["messages"], status["translated"], status["percent"]) == (8, 3, 37)
    assert run(folder, "status", "--pages") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:3] == ["zh", "8", str(status["words"])]
    assert any(line.startswith("  b.html") for line in lines)


@pytest.mark.parametrize(
    ("least", "code"),
    [("zh=37", 0), ("zh=38", 1), ("zh=10,si=1", 1), ("xx=1", 2), ("zh", 2), ("zh=101", 2)],
)
def test_fail_under(make_site: MakeSite, least: str, code: int) -> None:
    assert run(make_site(STATES_FILES), "status", "--fail-under", least) == code


def test_each_language_has_a_page_and_a_badge(make_site: MakeSite) -> None:
    site = build(read_settings(make_site(STATES_FILES) / "pylit.toml"))
    files = {
        output.path: output.content.decode()
        for output in site.outputs
        if b"\0" not in output.content[:200]
    }
    html = files["zh/translation.html"]
    assert '<html lang="zh-Hans" dir="ltr">' in html
    assert "共 7 段，已翻译 3 段（42 %）" in html
    assert '<a href="a.html">' in html
    assert "https://example.org/forge/edit/main/translations/zh/a.po" in html
    assert 'href="b.html"' not in html.partition("<main")[2].partition("</main>")[0]
    assert '<a href="../si/translation.html"' in html
    assert 'name="robots" content="noindex"' in html
    assert ">42 %</text>" in files["zh/translation.svg"]
    assert 'aria-label="si 0 %"' in files["si/translation.svg"]
    assert "translation.html" not in files["sitemap.xml"]
    assert "translation.html" not in files


def test_a_source_page_of_that_name_wins_and_it_is_said(make_site: MakeSite) -> None:
    folder = make_site({**STATES_FILES, "src/translation.md": "# Ours\n"})
    site = build(read_settings(folder / "pylit.toml"))
    assert [p.code for p in site.problems if p.level == "warning"] == ["address"]
    html = [o.content.decode() for o in site.outputs if o.path == "zh/translation.html"]
    assert len(html) == 1
    assert "Ours" in html[0]


SI_STEP = "ක්රමය"


def test_fmt_mends_what_is_mechanical(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "Take $\\theta$, $\\frac{\\nu}{2}$ and a step."
    zh = (
        'msgid "Take $\\\\theta$, $\\\\frac{\\\\nu}{2}$ and a step."\n'
        'msgstr "取 $\\theta$、$\\frac{\\nu}{2}$ 和一步。"\n'
    )
    si = po((source.replace("\\", "\\\\"), f"{SI_STEP} $\\\\theta$ $\\\\frac{{\\\\nu}}{{2}}$", ""))
    folder = make_site(
        {
            "pylit.toml": TOML,
            "src/a.md": source,
            "translations/zh/a.po": zh,
            "translations/si/a.po": si,
        }
    )
    assert run(folder, "check", "--lang", "zh") == 1
    assert run(folder, "fmt", "--check") == 1
    assert (folder / "translations/zh/a.po").read_text() == zh
    assert run(folder, "fmt") == 0
    said = capsys.readouterr().out
    assert "translations/zh/a.po: mended" in said
    assert run(folder, "fmt", "--check") == 0
    mended = parse_po((folder / "translations/zh/a.po").read_text()).entries[0].text
    assert mended == "取 $\\theta$、$\\frac{\\nu}{2}$ 和一步。"
    joined = parse_po((folder / "translations/si/a.po").read_text()).entries[0].text
    assert joined.startswith("ක්\u200dරමය")
    assert run(folder, "check", "--lang", "zh") == 0


def test_fmt_doubles_a_backslash_and_composes(make_site: MakeSite) -> None:
    zh = 'msgid "Take $\\\\sqrt 2$ e\u0301"\nmsgstr "取 $\\sqrt 2$ e\u0301"\n'
    folder = make_site({"pylit.toml": TOML, "src/a.md": "x", "translations/zh/a.po": zh})
    assert run(folder, "fmt") == 0
    text = (folder / "translations/zh/a.po").read_text()
    assert 'msgstr "取 $\\\\sqrt 2$ é"' in text
    assert 'msgid "Take $\\\\sqrt 2$ e\u0301"' in text


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("Nimm $\theta$ und\tmehr", "Nimm $\\theta$ und\tmehr"),
        ("Nimm $\bheta$ und", "Nimm $\bheta$ und"),
        ("kein\tAtom", "kein\tAtom"),
    ],
)
def test_a_guess_is_not_a_repair(text: str, mended: str) -> None:
    assert mend_controls("Take $\\theta$ and", text) == mended


def test_fmt_leaves_a_broken_file_alone(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(
        {"pylit.toml": TOML, "src/a.md": "x", "translations/zh/a.po": 'msgid "a"\nmsgstr "b\n'}
    )
    assert run(folder, "fmt") == 1
    assert "translations/zh/a.po:2:1: error" in capsys.readouterr().err


def test_a_language_is_one_block_and_one_command(make_site: MakeSite) -> None:
    """What guides/translating.md says about a new language."""
    folder = make_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n',
            "src/a.md": "# Attention\n\nThe mask hides $x$.\n",
        }
    )
    with (folder / "pylit.toml").open("a") as file:
        file.write('\n[languages.ta]\nname = "தமிழ்"\n')
    assert run(folder, "update", "--lang", "ta") == 0
    catalogue = folder / "translations/ta/a.po"
    text = catalogue.read_text()
    catalogue.write_text(
        text.replace('msgid "Attention"\nmsgstr ""', 'msgid "Attention"\nmsgstr "கவனம்"').replace(
            'hides $x$."\nmsgstr ""', 'hides $x$."\nmsgstr "$x$ மறைக்கப்படுகிறது."'
        )
    )
    os.utime(catalogue, (1, 1))
    assert run(folder, "check", "--strict") == 0
    assert main(["build", "--quiet", "--config", str(folder / "pylit.toml")]) == 0
    html = (folder / "docs/ta/a.html").read_text()
    assert '<html lang="ta" dir="ltr">' in html
    assert '<h1 id="attention">கவனம்</h1>' in html
    assert "மறைக்கப்படுகிறது." in html
    # The words of the interface are English until somebody translates them.
    assert 'lang="ta" hreflang="ta" aria-current="true">தமிழ்</a>' in html
    assert 'href="../a.html" lang="en"' in html
