"""Each check with a translation that has the fault, and one that has not."""

import json
import random
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.check_markup import find_errors, is_plain
from pylit.cli import main
from pylit.glossary import Glossary, Term, read_glossary
from pylit.model import Language
from pylit.po import PoFile, parse_po
from pylit.translation_checks import Finding, check_language

MakeSite = Callable[..., Path]
ZH = Language("zh", "zh-Hans", "中文")
TERMS = (
    Term("attention", "注意力", ("关注",), sense="the mechanism"),
    Term("self-attention", "自注意力", ("自我关注",)),
    Term("Transformer", "Transformer", ("变压器",), keep=True),
    Term("learning rate", "学习率"),
)


def quoted(text: str) -> str:
    for sign, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(sign, escape)
    return f'"{text}"'


def check(
    source: str, text: str, code: str = "zh-Hans", before: str = "", terms: tuple[Term, ...] = TERMS
) -> list[Finding]:
    po = parse_po(f"{before}msgid {quoted(source)}\nmsgstr {quoted(text)}\n")
    language = Language(code.partition("-")[0], code, code)
    return check_language({"a.po": po}, language, Glossary(terms, code), {"a.po": "a.html"})


CASES = tomllib.loads((Path(__file__).parent / "translation_checks.toml").read_text("utf-8"))[
    "case"
]
NAMES = [f"{case['code']}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_each_fault_is_found_and_only_where_it_is(case: Mapping[str, str]) -> None:
    found = check(case["source"], case["faulty"], case["language"])
    levels = [finding.level for finding in found if finding.code == case["code"]]
    assert levels == [case["level"]], found
    assert check(case["source"], case["right"], case["language"]) == []
    finding = next(finding for finding in found if finding.code == case["code"])
    assert (finding.path, finding.line, finding.page) == ("a.po", 1, "a.html")
    assert (finding.source, finding.text) == (case["source"], case["faulty"])


def test_w_trn_01_a_changed_formula_is_named() -> None:
    """W-TRN-01"""
    found = check("Scale by $\\sqrt{d_k}$.", "除以 $\\sqrt{d_h}$。")
    assert "$\\sqrt{d_k}$ lost" in found[0].message
    assert "$\\sqrt{d_h}$ added" in found[0].message


def test_w_trn_02_a_lost_link_is_named_and_another_order_is_right() -> None:
    """W-TRN-02"""
    source = "First [a](a.html), then [b](b.html)."
    found = check(source, "见 [a](a.html)。")
    assert [finding.code for finding in found] == ["links"]
    assert "the link to b.html lost" in found[0].message
    assert check(source, "在 [b](b.html) 之前见 [a](a.html)。") == []


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_quick_look_never_overlooks_an_error(case: Mapping[str, str]) -> None:
    for text in (case["faulty"], case["right"]):
        if is_plain(case["source"], text):
            machine = find_errors(case["source"], text, case["language"], machine=True)
            assert {fault.code for fault in machine} <= {"adjacent"}
    assert case["level"] == "warning" or not is_plain(case["source"], case["faulty"])


def test_the_quick_look_passes_what_most_entries_are() -> None:
    source = "The scores are divided by $\\sqrt{d_k}$ before `softmax` in [the paper](a.html)."
    assert is_plain(source, "在 `softmax` 之前把分数除以 $\\sqrt{d_k}$，见[论文](a.html)。")
    assert is_plain("Keys and values", "键和值")
    assert is_plain("It is *very* **big** and `x`", "它*很*，**大**，`x`")


PIECES = st.lists(
    st.sampled_from(
        ["$x$", "`a`", "[", "](a.html)", "*", "**", "_", "$", "`", "\\", "<br>", "词", " ", "1",
         "{math1}", "![", "![词](p.png)", "[词](a.html)", "https://a.b/c", "# ", "\n", "[^1]",
         "(", ")", " *x* ", "词词"]
    ),
    max_size=8,
)  # fmt: skip


@settings(max_examples=400)
@given(PIECES, st.randoms(use_true_random=False))
def test_the_quick_look_never_overlooks_an_error_of_any_text(
    pieces: list[str], chance: random.Random
) -> None:
    source = "".join(pieces)
    other = list(pieces)
    chance.shuffle(other)
    for text in ("".join(other), "词" + source, source):
        if is_plain(source, text):
            faults = find_errors(source, text, "zh", machine=True)
            assert {fault.code for fault in faults} <= {"adjacent"}, (source, text)


def test_piled_formulas_are_an_error_in_machine_text() -> None:
    source, text = "If $a$ is large, $b$ grows.", "$a$$b$が大きいと増えます。"
    found = check(source, text, "ja", "# pylit: machine\n")
    assert [(finding.code, finding.level) for finding in found] == [("adjacent", "error")]


def test_formulas_that_stand_together_in_the_source_may_do_so() -> None:
    assert check("The pair $a$ $b$ of keys.", "键的组合 $a$ $b$。") == []


def test_a_joiner_is_not_wanted_after_ra() -> None:
    assert check("The work", "කාර්යය", "si") == []


def test_the_longest_term_counts_and_code_and_papers_do_not() -> None:
    assert check("In self-attention", "在自注意力中") == []
    assert check("Call `attention` now.", "现在调用 `attention`，请关注。") == []
    link = "See [Attention for all](https://example.org/x)."
    assert check(link, "见[关注所有人](https://example.org/x)。") == []
    found = check("In self-attention", "在自我关注中")
    assert "self-attention" in found[0].message


def test_a_term_out_of_its_sense_is_no_mistake() -> None:
    # The word to avoid is part of what another term of the text is called.
    terms = (Term("key", "键", ("关键",)), Term("key point", "关键点"))
    assert check("The key point and the key", "关键点和键", terms=terms) == []


def test_words_stuck_at_the_start_of_a_block_are_seen_by_the_languages_own_words() -> None:
    texts = [
        "මෙය පද්ධතියයි",
        "මෙය අගයයි",
        "මෙය හොඳයි",
        "මුල් තත්වය ලැබේ",
        "මුල් තත්වය",
        "මුල් තත්වය යි",
        "මෙයතත්වය ලැබේ",
    ]
    lines = "".join(
        f'msgid "Text {word}."\nmsgstr "{text}"\n\n'
        for word, text in zip("abcdefg", texts, strict=True)
    )
    found = check_language({"a.po": parse_po(lines)}, Language("si", "si", "si"), Glossary(), {})
    assert [(finding.code, finding.text) for finding in found] == [("stuck-words", texts[-1])]
    assert "මෙය තත්වය" in found[0].message


def test_the_same_text_in_several_ways() -> None:
    files = {
        name: parse_po(f'msgid "Heads"\nmsgstr "{text}"\n')
        for name, text in (("a.po", "头"), ("b.po", "头"), ("c.po", "各个头"))
    }
    found = check_language(files, ZH, Glossary(), {})
    assert {finding.code for finding in found} == {"consistency"}
    assert {finding.path for finding in found} == {"a.po", "b.po", "c.po"}
    files["c.po"] = files["a.po"]
    assert check_language(files, ZH, Glossary(), {}) == []


def test_the_header_and_duplicates() -> None:
    def found(text: str) -> list[str]:
        return [f.code for f in check_language({"a.po": parse_po(text)}, ZH, Glossary(), {})]

    header = 'msgid ""\nmsgstr ""\n"Language: {}\\n"\n"Content-Type: text/plain; charset={}\\n"\n\n'
    assert found(header.format("zh-Hans", "UTF-8")) == []
    assert found(header.format("zh_Hans", "utf-8")) == []
    assert found(header.format("ja", "UTF-8")) == ["po-header"]
    assert found(header.format("zh", "EUC-JP")) == ["po-header"]
    two = 'msgid "A"\nmsgstr "甲"\n\nmsgid "A"\nmsgstr "甲"\n'
    assert found(two) == ["duplicate"]
    assert (
        found(
            two.replace('\n\nmsgid "A"', '\n\n#~ msgid "A"')
            .replace('"A"\nmsgstr "甲"\n', '"A"\n#~ msgstr "甲"\n', 2)
            .replace("#~ msgstr", "msgstr", 1)
        )
        == []
    )


def test_an_ignore_with_a_reason_silences_one_finding() -> None:
    source, text = "It has 10,000 words.", "它有一万个词。"
    assert [f.code for f in check(source, text)] == ["numbers"]
    assert check(source, text, before="# pylit: ignore numbers (ten thousand is one word)\n") == []


@pytest.mark.parametrize(
    ("remark", "words"),
    [
        ("# pylit: ignore numbers", "say why"),
        ("# pylit: ignore brackets (no reason any more)", "not found any more"),
        ("# pylit: ignore html (I want to)", "cannot be ignored"),
    ],
)
def test_an_ignore_that_means_nothing_is_a_warning(remark: str, words: str) -> None:
    found = check("It has words.", "它有词。", before=f"{remark}\n")
    assert [(finding.code, finding.level) for finding in found] == [("ignore", "warning")]
    assert words in found[0].message


def test_an_ignored_error_is_shown_and_an_attack_never(make_site: MakeSite) -> None:
    po = (
        '# pylit: ignore atoms (the code is a word)\nmsgid "Take `x` now."\nmsgstr "取它。"\n\n'
        '# pylit: ignore html (please)\nmsgid "A word."\nmsgstr "<b onclick=x>词</b>"\n'
    )
    folder = make_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n[languages.zh]\n',
            "src/a.md": "Take `x` now.\n\nA word.\n",
            "translations/zh/a.po": po,
        }
    )
    assert main(["build", "--quiet", "--config", str(folder / "pylit.toml")]) == 1
    html = (folder / "docs/zh/a.html").read_text()
    assert "取它。" in html
    assert "onclick" not in html
    assert ">A word.</p>" in html


def test_a_glossary_with_faults_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "glossary.toml"
    for text, line, words in (
        ("[[term]\n", 1, "not valid TOML"),
        ('[[term]]\nsource = "a"\nuse = "b"\n[[term]]\nsource = "c"\n', 4, "needs use"),
        ('[[term]]\nsource = "a"\nuse = "b"\ncolour = "c"\n', 1, "no key 'colour'"),
        ('[[term]]\nsource = "a"\nuse = "b"\navoid = ["b"]\n', 1, "decide"),
        ('[[term]]\nsource = "a"\nuse = "b"\nkeep = "yes"\n', 1, "wrong value"),
        ('[[term]]\nsource = "a"\nuse = "b"\n[[term]]\nsource = "A"\nuse = "b"\n', 4, "twice"),
        ('name = "x"\n', 1, "nothing else"),
    ):
        file.write_text(text)
        _, problems = read_glossary(file, "glossary.toml", "zh")
        assert [(p.line, words in p.message) for p in problems] == [(line, True)], problems
    glossary, problems = read_glossary(tmp_path / "none.toml", "none.toml", "zh")
    assert (glossary.terms, problems) == ((), [])


TOML = 'base_url = "https://example.org/"\n[[source]]\npath = "src"\n[languages.zh]\n'
FAULTY = 'msgid "Take `x` (64)."\nmsgstr "取 `y`（64）。"\n\nmsgid "Keys"\nmsgstr "键 值"\n'


def run(folder: Path, *arguments: str) -> int:
    return main(["i18n", *arguments, "--config", str(folder / "pylit.toml")])


@pytest.fixture
def faulty(make_site: MakeSite) -> Path:
    files = {"pylit.toml": TOML, "src/sub/a.md": "# A\n", "translations/zh/sub/a.po": FAULTY}
    return make_site(files)


def test_findings_as_text(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(faulty, "check") == 1
    said = capsys.readouterr().out
    assert "translations/zh/sub/a.po:1: error: the code `x` lost; the code `y` added" in said
    assert "page: https://example.org/zh/sub/a.html" in said
    assert "from: Take `x` (64)." in said
    assert "to: 取 `y`（64）。" in said
    assert "2 entries: 1 errors, 1 warnings" in said


def test_findings_as_json(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(faulty, "check", "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [(item["code"], item["line"]) for item in found] == [("atoms", 1), ("spacing", 4)]
    assert found[0]["source"] == "Take `x` (64)."


def test_findings_as_annotations(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(faulty, "check", "--format", "github") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("::error file=translations/zh/sub/a.po,line=1,title=atoms::")
    assert "%0A" in lines[0]
    assert lines[1].startswith("::warning file=translations/zh/sub/a.po,line=4,title=spacing::")


def test_exit_codes_of_check(make_site: MakeSite) -> None:
    folder = make_site(
        {
            "pylit.toml": TOML,
            "src/a.md": "# A\n",
            "translations/zh/a.po": 'msgid "Keys"\nmsgstr "键 值"\n',
        }
    )
    assert run(folder, "check") == 0
    assert run(folder, "check", "--strict") == 1
    assert run(folder, "check", "--lang", "xx") == 2
    (folder / "translations/zh/a.po").write_text('msgid "Keys"\nmsgstr "键"\n')
    assert run(folder, "check", "--strict") == 0
    (folder / "translations/zh/a.po").write_text('msgid "Keys"\nmsgstr "键\n')
    assert run(folder, "check") == 2


def test_a_fuzzy_entry_with_a_fault_is_a_warning_and_no_page_shows_it() -> None:
    found = check("Take `x`.", "取。", before="#, fuzzy\n")
    assert [(finding.code, finding.level) for finding in found] == [("atoms", "warning")]


def test_a_language_without_catalogues_has_no_findings() -> None:
    assert check_language({}, ZH, Glossary(TERMS), {}) == []
    assert check_language({"a.po": PoFile()}, ZH, Glossary(), {}) == []
