"""Typesetting formulas: what comes out, what is refused, and what the cache may do."""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import py_mini_racer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.math import engine as engine_module
from pylit.math import typeset as typeset_module
from pylit.math.bundle import Bundle
from pylit.math.engine import Runaway
from pylit.math.faults import fault_line, fault_message
from pylit.math.reading import plain_text
from pylit.math.typeset import (
    Formula,
    FormulaError,
    Typeset,
    Typesetter,
    TypesetterUnavailable,
)

MACROS: dict[str, str | tuple[int, str]] = {
    "R": r"\mathbb{R}",
    "norm": (1, r"\left\|#1\right\|"),
    "loop": r"\loop\loop",
}


@pytest.fixture(scope="module")
def shared() -> Iterator[Typesetter]:
    with Typesetter(MACROS) as typesetter:
        yield typesetter


def one(typesetter: Typesetter, tex: str, display: bool = False) -> Typeset | FormulaError:
    formula = Formula(tex, display)
    return typesetter.typeset([formula])[formula]


def good(typesetter: Typesetter, tex: str, display: bool = False) -> Typeset:
    result = one(typesetter, tex, display)
    assert isinstance(result, Typeset), result
    return result


def bad(typesetter: Typesetter, tex: str, display: bool = False) -> FormulaError:
    result = one(typesetter, tex, display)
    assert isinstance(result, FormulaError), result
    return result


class Tags(HTMLParser):
    """All elements of some HTML; they must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


# What a formula looks like.


def test_a_formula_is_one_element_for_the_eye_and_one_for_the_ear(shared: Typesetter) -> None:
    made = good(shared, r"\frac{1}{\sqrt{d_k}}")
    (outer, attributes), (eye, hidden), *_ = Tags(made.html).found
    assert (outer, attributes) == ("mjx-container", {})
    assert eye == "mjx-math"
    assert hidden["aria-hidden"] == "true"
    assert made.html.endswith(
        "<math><mfrac><mn>1</mn><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac></math>"
        "</mjx-container>"
    )
    assert made.text == "1/√(d_k)"


def test_a_display_formula_says_so_twice(shared: Typesetter) -> None:
    html = good(shared, "x", display=True).html
    assert html.startswith("<mjx-container display>")
    assert '<math display="block">' in html


def test_letters_are_real_characters_that_can_be_copied(shared: Typesetter) -> None:
    eye, _, _ = good(shared, r"x + \mathbb{R}").html.partition("<math")
    assert re.sub(r"<[^>]*>", "", eye).replace(" ", "") == "𝑥+ℝ"


def test_a_long_inline_formula_can_break_and_keeps_its_spaces(shared: Typesetter) -> None:
    html = good(shared, "a = b + c").html
    assert html.count("<mjx-break> </mjx-break>") == 2
    assert re.search(r'<mjx-c [^>]*rspace="4"[^>]*>.*?</mjx-c><mjx-break>', html)


@pytest.mark.parametrize(
    ("tex", "lines"),
    [
        # A short group in brackets is whole, whatever its brackets are and whatever stands at them.
        ("r = -(k - 1)", "𝑟|=−(𝑘−1)"),
        (r"a (b + c)^2 + [d - e]_f + \{g + h\}", "𝑎(𝑏+𝑐)2|+[𝑑−𝑒]𝑓|+{𝑔+ℎ}"),
        (r"[\cdot \circ \cdot]", "[⋅∘⋅]"),
        (r"\term{x}{a + (b - c)}", "𝑎|+(𝑏−𝑐)"),
        # A long one is not, but the short one in it is.
        (
            "(a + b + c + d + e + f + (g - h)) + 1",
            "(𝑎|+𝑏|+𝑐|+𝑑|+𝑒|+𝑓|+(𝑔−ℎ))|+1",
        ),
        # So are several short ones that no place to break parts.
        ("(a + b + c + d) (e + f + g + h) = 0", "(𝑎|+𝑏|+𝑐|+𝑑)(𝑒|+𝑓|+𝑔|+ℎ)|=0"),
        # A sign stays with what it belongs to.
        ("r = -k", "𝑟|=−𝑘"),
        (r"\sum_i -x + y", "∑𝑖−𝑥|+𝑦"),
        (r"1 + \dots + n, m + 1", "1|+⋯|+𝑛,𝑚|+1"),
        # Brackets without a partner hold nothing together.
        ("a) + (b + c", "𝑎)|+(𝑏|+𝑐"),
    ],
)
def test_where_a_formula_may_go_on_in_the_next_line(
    shared: Typesetter, tex: str, lines: str
) -> None:
    eye, _, _ = good(shared, tex).html.partition("<math")
    places = eye.replace("<mjx-break> </mjx-break>", "|")
    assert re.sub(r"<[^>]*>", "", places) == lines


def test_a_place_that_is_no_break_keeps_its_space(shared: Typesetter) -> None:
    html = good(shared, "(k - 1)").html
    assert "<mjx-break" not in html
    assert re.search(r'<mjx-c [^>]*rspace="3"[^>]*>𝑘</mjx-c><mjx-c [^>]*>−</mjx-c>', html)


def test_a_letter_by_itself_has_no_box_around_it(shared: Typesetter) -> None:
    html = good(shared, r"x_2").html
    assert re.search(r'<mjx-c [^>]*size="s"[^>]*>2</mjx-c>', html)
    assert "<mjx-mn" not in html
    # A box that says more than its letter can, or that has more letters, stays.
    assert re.search(r"<mjx-mo [^>]*width:0[^>]*><mjx-c", good(shared, r"\hat{x}").html)
    assert "<mjx-mi" in good(shared, r"\operatorname{sin}").html


def test_nothing_of_the_tex_is_repeated_in_attributes(shared: Typesetter) -> None:
    html = good(shared, r"\underset{k}{\mathop{\mathbb{E}}}\Big(\hat{x}\Big)", display=True).html
    assert "data-" not in html
    assert "\\" not in html


@pytest.mark.parametrize("text", ["größe", "漢字", "привет", "😀", "a_b & <c>"])
def test_text_may_hold_any_character(shared: Typesetter, text: str) -> None:
    escaped = text.replace("&", r"\&").replace("_", r"\_")
    assert good(shared, rf"\text{{{escaped}}}").text == text


def test_aligned_equations_have_no_numbers_but_the_ones_given(shared: Typesetter) -> None:
    plain = good(shared, r"\begin{align} a &= b \\ c &= d \end{align}", display=True)
    assert plain.text == "a = b; c = d"
    tagged = good(shared, r"\begin{align} a &= b \tag{7} \end{align}", display=True)
    assert "mjx-labels" in tagged.html
    assert "NaN" not in tagged.html


@pytest.mark.parametrize(
    "tex",
    [
        r"\pmb{x}",
        r"\bm{x}",
        r"\mathbbm{1}",
        r"\mathop{\mathrm{softmax}}_{seq}",
        r"\operatorname*{arg\,max}_x",
        r"\underset{x}{\overset{y}{z}}",
        r"\cancel{x}",
        r"a \mod b",
        r"\ket{\psi}",
        r"\begin{CD} A @>f>> B \end{CD}",
        r"\begin{dcases} a & b \end{dcases}",
        r"\centernot\implies",
        r"\upalpha",
        r"\xmapsto{f}",
        r"\label{here} x",
    ],
)
def test_what_papers_use_is_understood(shared: Typesetter, tex: str) -> None:
    good(shared, tex)


# Macros, terms and colours.


def test_macros_of_the_site_are_known(shared: Typesetter) -> None:
    assert good(shared, r"\norm{x} \in \R").text == "‖x‖ ∈ R"


@pytest.mark.parametrize(
    ("macros", "words"),
    [
        ({"\\R": "x"}, "without a backslash"),
        ({"": "x"}, "letters only"),
        ({"a1": "x"}, "letters only"),
        ({"f": (10, "x")}, "from 0 to 9"),
    ],
)
def test_a_macro_that_cannot_be_is_refused(macros: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Typesetter(macros)


def test_a_term_can_be_found_by_its_name(shared: Typesetter) -> None:
    html = good(shared, r"\term{query-1}{Q} \term{key}{=} K").html
    terms = [
        attributes["data-term"] for _, attributes in Tags(html).found if "data-term" in attributes
    ]
    assert terms == ["query-1", "key"]
    assert "data-term" not in html[html.index("<math") :]


def test_a_term_changes_no_space(shared: Typesetter) -> None:
    with_term = good(shared, r"a \term{x}{=} b", display=True).html
    without = good(shared, r"a = b", display=True).html
    assert re.findall(r' space="\d"', with_term) == re.findall(r' space="\d"', without)


@pytest.mark.parametrize("name", ["", "a b", "a.b", '"><b>', "é"])
def test_a_term_has_a_plain_name(shared: Typesetter, name: str) -> None:
    assert "name of a \\term" in bad(shared, rf"\term{{{name}}}{{x}}").message


@pytest.mark.parametrize(
    ("tex", "classes"),
    [
        (r"\textcolor{coral}{x}", ["math-color-coral"]),
        (r"\textcolor{Coral}{x}", ["math-color-coral"]),
        (r"\color{#F80} x", ["math-color-ff8800"]),
        (r"\textcolor[rgb]{1,0,0}{x}", ["math-color-ff0000"]),
        (r"\fcolorbox{red}{yellow}{x}", ["math-border-red", "math-back-yellow"]),
        (r"\definecolor{own}{RGB}{1,2,3} \textcolor{own}{x}", ["math-color-010203"]),
        (r"\cancel[color=red]{x}", ["math-color-red"]),
        (r"\textcolor{red}{\rule{1em}{1em}}", ["math-color-red", "math-color-red"]),
    ],
)
def test_a_color_is_a_class(shared: Typesetter, tex: str, classes: list[str]) -> None:
    html = good(shared, tex).html
    assert re.findall(r"math-[a-z]+-\w+", html) == classes
    assert not re.search(r"(?<!-)color:(?!currentcolor)", html)


@pytest.mark.parametrize(
    "tex",
    [r"\textcolor{notacolour}{x}", r"a\\" + "\n" + r"\color{notacolour} x", r"\colorbox{#12}{x}"],
)
def test_an_unknown_color_is_a_fault(shared: Typesetter, tex: str) -> None:
    found = bad(shared, tex)
    assert found.message.startswith("Unknown colour")
    assert found.line == tex.count("\n")


# What is refused.


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\class{a}{x}",
        r"\style{color:red}{x}",
        r"\cssId{a}{x}",
        r"\data{a=b}{x}",
        r"\require{html}",
        r"\newcommand{\a}{b}",
        r"\def\a{b}",
        r"\let\a=b",
        r"\DeclareMathOperator{\a}{b}",
        r"\DeclarePairedDelimiter{\a}{(}{)}",
        r"\Newextarrow{\a}{1,1}{8214}",
        r"\mathtoolsset{centercolon}",
        r"\newtagform{a}{(}{)}",
        r"\newcolumntype{a}{c}",
        r"\ref{a}",
        r"\eqref{a}",
        r"\text{\ref{a}}",
        r"\mmlToken{mi}[href='javascript:alert(1)']{x}",
        r"\mmlToken{mi}[style='background:url(x)']{x}",
        r"\unicode[x;y:url(z)]{65}",
        r"\includegraphics{x}",
    ],
)
def test_addresses_elements_and_definitions_are_refused(shared: Typesetter, tex: str) -> None:
    bad(shared, tex)


def safe(html: str) -> None:
    """Nothing but mathematics, without any way to an address, a script or another element."""
    for tag, attributes in Tags(html).found:
        assert re.fullmatch(r"mjx-[a-z-]+|math|m[a-z]+", tag)
        assert not {"id", "href", "src"} & attributes.keys()
        assert not any(name.startswith("on") for name in attributes)
        assert not re.search(r"url|[<>\"'\\@]", attributes.get("style") or "")


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"<img src=x onerror=alert(1)>",
        r"\text{</math><b onclick='x'>}",
        r"\mmlToken{mi}[class='danger' id='a' data-x='y']{x}",
        r"\tag{<b>}",
        r"\operatorname{</mjx-container><b>}",
    ],
)
def test_markup_stays_text(shared: Typesetter, tex: str) -> None:
    made = one(shared, tex)
    if isinstance(made, Typeset):
        safe(made.html)
        assert "danger" not in made.html


PIECES = [
    *"ab12+-=<>&_^{}[]()|\\'\"$%#~ \n",
    *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\text{", r"\textcolor{red}", r"\color{", r"\\"),
    *(r"\begin{align}", r"\end{align}", r"\begin{matrix}", r"\end{matrix}", r"\term{a}", r"\sum"),
    *(
        r"\rule",
        r"\mmlToken{mi}[",
        "style=",
        "href=",
        "javascript:",
        "<b>",
        r"\hat",
        r"\R",
        r"\tag{",
    ),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.booleans())
def test_any_formula_is_safe_or_a_fault(shared: Typesetter, tex: str, display: bool) -> None:
    made = one(shared, tex, display)
    if isinstance(made, FormulaError):
        assert 0 <= made.line <= tex.count("\n")
        assert made.message
        assert "\n" not in made.message
        return
    safe(made.html)
    ElementTree.fromstring(made.html[made.html.index("<math") : -len("</mjx-container>")])


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=12))
def test_any_text_is_safe_or_a_fault(shared: Typesetter, tex: str) -> None:
    made = one(shared, tex)
    if isinstance(made, Typeset):
        safe(made.html)


# Faults and their places.


@pytest.mark.parametrize(
    ("tex", "words", "line"),
    [
        ("a\n" r"+ \foo", r"Undefined control sequence \foo", 1),
        ("\\alpha\n\\al", r"Undefined control sequence \al", 1),
        ("\\frac{a}\n{b\n+ c", "close brace", 1),
        ("a\n\\begin{nope}x\\end{nope}", "Unknown environment 'nope'", 1),
        ("\\begin{align}\na &= b \\\\\nc &= d", "Missing \\end{align}", 0),
        ("a\nb & c", "Misplaced &", 1),
        ("a\n\nx^1^2", "Double exponent", 2),
        ("\\left( x", "missing \\right", 0),
        ("x\n\\loop", "A macro calls itself without end", 0),
        ("\\frac{1}", "Missing argument", 0),
    ],
)
def test_a_fault_has_its_reason_and_its_line(
    shared: Typesetter, tex: str, words: str, line: int
) -> None:
    found = bad(shared, tex, display=True)
    assert words in found.message
    assert found.line == line
    assert not found.message.endswith(".")


def test_nesting_without_measure_is_a_fault(shared: Typesetter) -> None:
    found = bad(shared, "{" * 20_000 + "}" * 20_000)
    assert found.message == "The formula is nested too deeply"


def test_the_place_of_a_fault_is_guessed_from_what_is_known() -> None:
    assert fault_line("a\nb\nc", "Odd", "Odd", unread=1) == 1
    assert fault_line("a\nb\nc", "Odd", "Odd", unread=0) == 2
    assert fault_line("a\nb\nc", "Odd", "Odd", unread=None) == 0
    assert fault_line("a\n\\b", "UndefinedControlSequence", r"Undefined \c", unread=0) == 0
    assert fault_line("\\{ % {\n{", "MissingCloseBrace", "", unread=0) == 1
    assert fault_message("Odd", "Odd thing. ") == "Odd thing"


# Order, cache and engines.

SAMPLE = [
    Formula(tex, display)
    for display in (False, True)
    for tex in (
        "x",
        r"\sum_i x_i",
        r"\definecolor{own}{rgb}{1,0,0} \textcolor{own}{x}",
        r"\begin{align} a &= b \label{eq} \tag{1} \end{align}",
        r"\textcolor{own}{x}",
        r"\nope",
        r"\frac{a}{b}",
        r"\left(\frac{\frac{a}{b}}{c}\right)",
    )
] + [Formula(f"x_{{{number}}}", display=False) for number in range(60)]


def test_no_formula_is_changed_by_the_ones_before_it() -> None:
    with Typesetter() as forth, Typesetter() as back, Typesetter() as twice:
        results = forth.typeset(SAMPLE)
        assert back.typeset(reversed(SAMPLE)) == results
        twice.typeset(SAMPLE[:8])
        assert twice.typeset(SAMPLE) == results
        assert list(results) == SAMPLE


def test_many_engines_give_what_one_gives() -> None:
    with Typesetter() as alone, Typesetter(jobs=3) as crowd:
        results = crowd.typeset(SAMPLE)
        assert results == alone.typeset(SAMPLE)
        assert list(results) == SAMPLE


def test_progress_counts_to_the_end() -> None:
    counts: list[tuple[int, int]] = []
    with Typesetter(jobs=2) as typesetter:
        typesetter.typeset([*SAMPLE, *SAMPLE], lambda done, total: counts.append((done, total)))
    assert counts == sorted(counts)
    assert counts[-1] == (len(SAMPLE), len(SAMPLE))


class NoEngine:
    def __init__(self, *_: object) -> None:
        raise AssertionError("an engine was started")


def test_what_is_cached_needs_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Typesetter(MACROS, cache=tmp_path) as first:
        made = first.typeset(SAMPLE)
    monkeypatch.setattr(typeset_module, "Engine", NoEngine)
    with Typesetter(MACROS, cache=tmp_path) as second:
        assert second.typeset(SAMPLE) == made
    with Typesetter({**MACROS, "x": "y"}, cache=tmp_path) as third, pytest.raises(AssertionError):
        third.typeset(SAMPLE)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"mjx-mi", b"mjx-mo"),
        lambda content: content.replace(b"[", b"{"),
        lambda content: b"\xff\x00" + content,
        lambda content: b"",
    ],
)
def test_a_damaged_cache_changes_nothing(tmp_path: Path, damage: Any) -> None:
    with Typesetter(cache=tmp_path) as first:
        made = first.typeset(SAMPLE[:9])
    (file,) = tmp_path.glob("*.lines")
    file.write_bytes(damage(file.read_bytes()))
    with Typesetter(cache=tmp_path) as second:
        assert second.typeset(SAMPLE[:9]) == made


def test_two_builds_share_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Typesetter(cache=tmp_path) as first, Typesetter(cache=tmp_path) as second:
        made = first.typeset(SAMPLE[:4]) | second.typeset(SAMPLE[4:8])
    monkeypatch.setattr(typeset_module, "Engine", NoEngine)
    with Typesetter(cache=tmp_path) as third:
        assert third.typeset(SAMPLE[:8]) == made


def test_a_cache_that_cannot_be_written_does_not_stop_anything(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with Typesetter(cache=blocked / "cache") as typesetter:
        good(typesetter, "x")


def test_engines_start_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once may both set up V8's memory, whereupon V8 stops the process (seen once in 40)."""
    alone: list[bool] = []

    class Racer(py_mini_racer.MiniRacer):
        def __init__(self) -> None:
            alone.append(engine_module.STARTING.locked())
            super().__init__()

    monkeypatch.setattr(py_mini_racer, "MiniRacer", Racer)
    with Typesetter(jobs=2) as typesetter:
        typesetter.typeset(SAMPLE)
    assert alone
    assert all(alone)


class Wild:
    """An engine that runs away at the formula `wild` and must not be used again."""

    started = 0

    def __init__(self, *_: object) -> None:
        type(self).started += 1
        self.spent = False

    def typeset(self, tex: str, display: bool) -> dict[str, Any]:
        assert not self.spent
        if tex == "wild":
            self.spent = True
            raise Runaway("The formula took more than 30 seconds")
        return {"html": "<mjx-container><math><mi>x</mi></math></mjx-container>"}

    def close(self) -> None:
        self.spent = True


def test_a_runaway_formula_is_a_fault_and_its_engine_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeset_module, "Engine", Wild)
    formulas = [Formula(tex, display=False) for tex in ("a", "wild", "b")]
    with Typesetter(cache=tmp_path) as typesetter:
        results = list(typesetter.typeset(formulas).values())
    assert results == [
        Typeset("<mjx-container><math><mi>x</mi></math></mjx-container>", "x"),
        FormulaError("The formula took more than 30 seconds", 0),
        Typeset("<mjx-container><math><mi>x</mi></math></mjx-container>", "x"),
    ]
    assert Wild.started == 2
    # The limit may have been the machine's fault, so the next build tries again.
    with Typesetter(cache=tmp_path) as again:
        again.typeset(formulas)
    assert Wild.started == 3


# The package complains on standard error when what it stopped comes to its end after all.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_engine_stops_a_formula_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Formula("x_{i}+" * 1000, display=True)
    with Typesetter() as typesetter:
        monkeypatch.setattr(engine_module, "SECONDS", 0.001)
        stopped = typesetter.typeset([long])[long]
        monkeypatch.undo()
        assert stopped == FormulaError("The formula took more than 0 seconds", 0)
        good(typesetter, "x")


def test_nothing_is_printed_when_a_formula_is_stopped(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """V8 says that it has stopped to an engine that must still be there to hear it."""
    monkeypatch.setattr(engine_module, "SECONDS", 0.02)
    nested = r"\left(" * 150 + "x" + r"\right)" * 150
    for _ in range(3):
        with Typesetter() as typesetter:
            assert isinstance(one(typesetter, nested, display=True), FormulaError)
    assert capfd.readouterr().err == ""


def test_without_the_bundle_the_message_says_what_to_run(tmp_path: Path) -> None:
    with (
        Typesetter(bundle=tmp_path) as typesetter,
        pytest.raises(TypesetterUnavailable, match="make docs"),
    ):
        typesetter.typeset([Formula("x", display=False)])


def test_without_v8_the_message_says_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)
    with Typesetter() as typesetter, pytest.raises(TypesetterUnavailable, match="pip install"):
        typesetter.typeset([Formula("x", display=False)])


def test_no_formulas_need_nothing(tmp_path: Path) -> None:
    assert Typesetter(bundle=tmp_path).typeset([]) == {}


def test_a_bundle_knows_its_files(tmp_path: Path) -> None:
    bundle = Bundle(tmp_path, "digest")
    assert bundle.font("a.woff2") == tmp_path / "fonts" / "a.woff2"


# Plain text.


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{1}{\sqrt{d_k}}", "1/√(d_k)"),
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\frac{a}{b+c}", "a/(b + c)"),
        (r"\frac{QK^\top}{\sqrt{d_k}}", "QK^⊤/√(d_k)"),
        (r"\sqrt{2} + \sqrt[3]{x}", "√2 + x^(1/3)"),
        ("x_i^2", "x_i^2"),
        (r"x_{i-1} \le x_{max}", "x_(i−1) ≤ x_max"),
        ("a = -b", "a = −b"),
        ("f(-x, y)", "f(−x, y)"),
        ("f''(x)", "f″(x)"),
        (r"\sin x + \log(y)", "sin x + log(y)"),
        (r"\sum_{i=1}^n x_i", "∑_(i=1)^n x_i"),
        (r"\operatorname{softmax}(x)", "softmax(x)"),
        (r"3 \operatorname{ReLU}(x)", "3 ReLU(x)"),
        (r"\hat{x} \bar{y} \overline{ab}", "x̂ȳab"),
        (r"\mathcal{L}(\theta) \in \mathbb{R}", "L(θ) ∈ R"),
        (r"\binom{n}{k}", "(n choose k)"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "(a, b; c, d)"),
        (r"a \quad b", "a b"),
        (r"x \text{ if } y", "x if y"),
        (r"\underbrace{a + b}_{c}", "a+b_c"),
        (r"\phantom{x} y", "y"),
        (r"\boxed{x}", "x"),
    ],
)
def test_a_formula_reads_well_as_text(shared: Typesetter, tex: str, text: str) -> None:
    assert good(shared, tex).text == text


def test_text_needs_no_engine() -> None:
    assert plain_text("<math><mi>x</mi><mo>=</mo><mn>1</mn></math>") == "x = 1"
