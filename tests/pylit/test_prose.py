"""From Markdown to HTML: formulas, code, links and bad HTML, each as its author meant it."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.math.find import MARK, RESERVED, restore, scan
from pylit.places import with_hash
from pylit.site import Build

Render = Callable[..., str]
BuildSite = Callable[..., Build]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param(
            r"Take ${u}_{i}$ with ${w}_{j}$, then $\mathbf{R}_{+} \times \mathbf{R}_{+}$.",
            r"<p>Take «{u}_{i}» with «{w}_{j}», then «\mathbf{R}_{+} \times \mathbf{R}_{+}».</p>",
            id="W-MTH-01",
        ),
        pytest.param("Take $u*v$ then $w*z$.", "<p>Take «u*v» then «w*z».</p>", id="W-MTH-02"),
        pytest.param(
            r"$$\begin{pmatrix} x \\ z \end{pmatrix}$$",
            r"«« \begin{pmatrix} x \\ z \end{pmatrix} »»",
            id="W-MTH-03",
        ),
        pytest.param(
            r"$\{x_1, x_2\}$, $\|v\|\,$, $\text{d\_model}$",
            r"<p>«\{x_1, x_2\}», «\|v\|\,», «\text{d\_model}»</p>",
            id="W-MTH-04",
        ),
        pytest.param(
            "The card cost $20 and the fan $5. Renting costs $3/hour, or $60 a day.",
            "<p>The card cost $20 and the fan $5. Renting costs $3/hour, or $60 a day.</p>",
            id="W-MTH-05",
        ),
        pytest.param(
            r"It is \$5, and $x$ is math, then \$6.",
            "<p>It is $5, and «x» is math, then $6.</p>",
            id="W-MTH-06",
        ),
        pytest.param(
            "Use `$HOME` and `$x_1$` but $x_1$ here.",
            "<p>Use <code>$HOME</code> and <code>$x_1$</code> but «x_1» here.</p>",
            id="W-MTH-07",
        ),
        pytest.param(
            "so that\n$$\nx_1 \\le r\n$$\nfor all $r$ in $(0, 1]$.",
            "<p>so that</p>\n«« x_1 \\le r »»\n<p>for all «r» in «(0, 1]».</p>",
            id="W-MTH-11",
        ),
        pytest.param(
            "$$\ny\n=\na\n- b\n+ c\n> 0\n$$", "«« y\n=\na\n- b\n+ c\n&gt; 0 »»", id="W-MTH-12"
        ),
        pytest.param(
            "Keep $i<b and c>d$ apart; if $i<j$ and $k>l$ stop.",
            "<p>Keep «i&lt;b and c&gt;d» apart; if «i&lt;j» and «k&gt;l» stop.</p>",
            id="W-MTH-13",
        ),
        pytest.param(
            "* first:\n  $$z = x + y$$\n* second",
            "<ul>\n<li>first:\n  «« z = x + y »»</li>\n<li>second</li>\n</ul>",
            id="W-MTH-15",
        ),
        pytest.param(
            "The <unk> token and the Tensor<float> type.",
            "<p>The &lt;unk&gt; token and the Tensor&lt;float&gt; type.</p>",
            id="W-HTM-05",
        ),
    ],
)
def test_formulas_and_signs(render: Render, text: str, html: str) -> None:
    assert render(text).strip() == html


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        (r"\(a\) and \[b\]", ["a", "b"]),
        (r"a\begin{align}x &= y\\ &= z\end{align}b", [r"\begin{align}x &= y\\ &= z\end{align}"]),
        ("\\begin{align}\na\n\nb\n\\end{align}", ["\\begin{align}\na\n\nb\n\\end{align}"]),
        (r"$a \text{ if $b_1$}$", [r"a \text{ if $b_1$}"]),
        ("$x$3", []),
        ("$ x$ and $y $", []),
        ("`` ` $x$ `` and $y$", ["y"]),
        ("[a](b_$c$.html)", []),
        ("[a $x$ b](c.html)", ["x"]),
        ("<!-- $x$ -->", []),
        ("```\n$x$\n```\n$y$", ["y"]),
        ("~~~\n$x$\n~~~", []),
        ("    $x$", ["x"]),
        ("$a$\n\n$b", ["a"]),
        ("a $x\n\ny$ b", []),
        ("US$5 and US$6", []),
        (r"\\(a\\)", []),
    ],
)
def test_what_is_a_formula(text: str, formulas: list[str]) -> None:
    assert [found.formula.tex for found in scan(text).found] == formulas


def test_indented_code_gets_its_dollars_back(render: Render) -> None:
    assert "<code>$x$ &lt;unk&gt;" in render("Text:\n\n    $x$ <unk>\n").replace("\n", "")


@given(st.text(alphabet="a $\\`{}<>()[]_*\n|#-", max_size=80))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_the_scan_loses_nothing(text: str) -> None:
    # An interactive session is the one thing that the scan writes otherwise: as a code block.
    text = text.replace(">>>", ">")
    scanned = scan(text)
    assert restore(scanned.text, scanned.found) == text.translate(RESERVED)
    assert len(MARK.findall(scanned.text)) == len(scanned.found)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("# T\n\nText $$x and no end\n", 3, "not closed"),
        ("# T\n\n\\begin{align}x\n", 3, "\\end{align}"),
        ("# T\n\n$\\frac{a}{b$\n", 3, "brace"),
        ("# T\n\n$$\na\n\\undefinedmacro\n$$\n", 5, "undefinedmacro"),
        ("# T\n\nSee [this](nowhere.html).\n", 3, "nowhere.html"),
        ("# T\n\nSee [`Nothing`][].\n", 3, "Nothing"),
        ("# T\n\n![A picture](gone.png)\n", 3, "gone.png"),
        ("# T\n\nSee [this](#gone).\n", 3, "#gone"),
        ("# T\n\n`` [`Shown`][] `` and [`Meant`][]\n", 3, "Meant"),
    ],
)
def test_a_fault_is_at_its_line_and_the_page_is_built(
    build_site: BuildSite, text: str, line: int, words: str
) -> None:
    made = build_site({"src/page.md": text, "src/other.py": '"""Other."""\n'})
    errors = [problem for problem in made.problems if problem.level == "error"]
    assert [(error.path, error.line) for error in errors] == [("src/page.md", line)]
    assert words in errors[0].message
    assert {page.address for page in made.pages} >= {"page.html", "other.html"}


def test_a_faulty_formula_in_python_is_at_its_line(build_site: BuildSite) -> None:
    made = build_site({"src/m.py": 'def f():\n    r"""\n    Fine.\n\n    $\\nope$\n    """\n'})
    (problem,) = made.problems
    assert (problem.path, problem.line) == ("src/m.py", 5)


def test_a_faulty_formula_shows_its_source(render: Render) -> None:
    """W-MTH-13: `&` outside a table is a fault of TeX, so it is shown as written, escaped once."""
    html = render("$a & b$")
    assert "$a &amp; b$" in html
    assert "&amp;amp;" not in html


def test_a_title_is_readable_text(build_site: BuildSite) -> None:
    """W-MTH-14, W-HTM-04"""
    made = build_site({"src/a.md": "# Why `softmax` needs $\\frac{1}{\\sqrt{d_k}}$\n"})
    page = made.pages[1]
    assert page.title == "Why softmax needs 1/√(d_k)"
    assert page.outline[0].anchor == "why-softmax-needs"


def test_special_characters_close_nothing(build_site: BuildSite) -> None:
    """W-HTM-04"""
    made = build_site({"src/a.md": '# A "B" <C> & D\'s </title> page\n'})
    html = next(output for output in made.outputs if output.path == "a.html").content.decode()
    assert html.count("</title>") == 1
    assert "&lt;/title&gt; page" in html
    assert "<C>" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> <img src=x onerror=alert(2)>",
        "<div>\n<script>alert(1)</script>\n</div>",
        "[run](javascript:alert(7))",
        "[run](JaVaScRiPt:alert(7))",
        "[run](java\nscript:alert(7))",
        "<a href='javascript:alert(1)'>x</a>",
        "<svg onload='alert(3)'></svg>",
        "`<svg onload='alert(3)'></svg>`",
        "<p onclick=alert(1)>x</p>",
        "<style>* {display: none}</style>",
        "<iframe src='https://example.org'></iframe>",
        "![x](javascript:alert(1))",
        "[x]: javascript:alert(1)\n\n[a][x]",
        "<math><mtext></p><script>alert(1)</script>",
    ],
)
def test_nothing_in_prose_runs(render: Render, text: str) -> None:
    """W-HTM-01 to 03"""
    html = render(text)
    for bad in ("<script", "<svg", "<style", "<iframe", 'href="javascript', 'src="javascript'):
        assert bad not in html.lower()
    tags = [tag.partition(">")[0] for tag in html.split("<")[1:]]
    assert not [tag for tag in tags if " on" in tag]


def test_doctests_are_code(render: Render) -> None:
    """W-SEG-15"""
    html = render("Add.\n\n>>> add(1, 2)\n3\n\nAfter.\n\n    >>> add(2, 2)\n    4\n")
    assert "<blockquote>" not in html
    assert html.count('<span class="gp">&gt;&gt;&gt; </span>') == 2
    assert "<p>After.</p>" in html


def test_names_link_to_their_definitions(build_site: BuildSite) -> None:
    made = build_site(
        {
            "src/pkg/a.py": '"""A, see [`Block`][], [`Block.run()`][] and [it](b.py#Block)."""\n',
            "src/pkg/b.py": '"""See [A](src.pkg.a)."""\nclass Block:\n    def run(self): ...\n',
        }
    )
    assert made.problems == ()
    pages = {page.address: str(page.rows[0].prose) for page in made.pages if page.rows}
    assert '<a href="b.html#Block"><code>Block</code></a>' in pages["pkg/a.html"]
    assert 'href="b.html#Block.run"' in pages["pkg/a.html"]
    assert 'href="a.html"' in pages["pkg/b.html"]


def test_terms_have_one_number_on_a_page(build_site: BuildSite) -> None:
    text = "$\\term{B}{x} + \\term{A}{y}$, [the first](term:B), [the second](term:A).\n"
    html = str(build_site({"src/index.md": text}).pages[0].rows[0].prose)
    assert html.count('class="term term-1" data-term="B"') == 2
    assert html.count('class="term term-2" data-term="A"') == 2


def test_a_picture_is_copied_and_has_its_size(build_site: BuildSite) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>'
    made = build_site({"src/index.md": "![A drawing](fig/x.svg)\n", "src/fig/x.svg": svg})
    html = str(made.pages[0].rows[0].prose)
    assert "<img" in html
    address = f"fig/{with_hash('x.svg', svg.encode())}"
    assert f'src="{address}"' in html
    assert 'width="30"' in html
    assert 'height="20"' in html
    assert [output.path for output in made.outputs if output.path.startswith("fig/")] == [address]


def test_a_mark_in_the_source_is_no_formula(render: Render) -> None:
    """The signs that stand for formulas inside the renderer mean nothing in a source."""
    assert "\ufffd0\ufffd" in render("a \ue0000\ue001 b")


@pytest.mark.parametrize(
    "text", ["> " * 3000 + "x", "* x\n" + "".join("    " * n + "* x\n" for n in range(300))]
)
def test_what_markdown_cannot_digest_is_reported_or_shown(build_site: BuildSite, text: str) -> None:
    made = build_site({"src/deep.md": text, "src/other.md": "# Other\n"})
    assert {"deep.html", "other.html"} <= {page.address for page in made.pages}
    assert all(problem.path == "src/deep.md" for problem in made.problems)


def test_an_exception_of_the_library_is_one_sentence(
    build_site: BuildSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> str:
        raise RecursionError

    monkeypatch.setattr("markdown.Markdown.convert", fail)
    made = build_site({"src/a.md": "# Some $x$ <text>\n"})
    (problem,) = made.problems
    assert (problem.path, problem.line, problem.level) == ("src/a.md", 1, "error")
    page = next(page for page in made.pages if page.source_path)
    assert "# Some $x$ &lt;text&gt;" in str(page.rows[0].prose)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("2*n*m and x**2 + y**2", "2*n*m and x**2 + y**2"),
        ("(a+b)*c*d", "(a+b)*c*d"),
        ("**LSTM**s and *cell*s", "<strong>LSTM</strong>s and <em>cell</em>s"),
        ("**two words**s and 2*n*m", "<strong>two words</strong>s and 2*n*m"),
        ("这是**重点**内容", "这是<strong>重点</strong>内容"),
        ("これは*LSTM*です", "これは<em>LSTM</em>です"),
        ("`a*b*c` *x* a \\* b", "<code>a*b*c</code> <em>x</em> a * b"),
    ],
)
def test_products_are_no_emphasis(render: Callable[..., str], text: str, html: str) -> None:
    assert render(text).strip() == f"<p>{html}</p>"


def test_a_backslash_breaks_a_line_as_two_spaces_do(render: Callable[..., str]) -> None:
    assert render("one\\\ntwo  \nthree").count("<br>") == 2


def test_a_table_has_a_box_that_scrolls_and_a_name(render: Callable[..., str]) -> None:
    html = render('| a "b" | $x$ of `c` |\n|---|---|\n| 1 | 2 |\n')
    box = '<div class="table" role="group" tabindex="0"'
    assert f'{box} aria-label="a &quot;b&quot;, of c"><table>' in html
    assert html.count("<table>") == html.count("</table></div>") == 1
    # A table without heads, from HTML, has a box as well.
    assert f"{box}><table>" in render("<table><tr><td>1</td></tr></table>\n")


def test_no_line_breaks_an_option_apart(render: Callable[..., str]) -> None:
    """Browsers break behind hyphens, which are at the head of an option."""
    assert '<code class="whole">--output</code>' in render("say `--output`")
    assert '<code>python <span class="whole">-m</span> a.b</code>' in render("say `python -m a.b`")
    for text in ("`a - b`", "`x-y`", "`--" + "very-long-" * 5 + "`", "`i-`"):
        assert "whole" not in render(text)
    # A block scrolls, and its lines are not broken.
    assert "whole" not in render("```\n-x --long\n```\n")


def test_a_short_name_at_the_head_of_a_row_is_one_line(render: Callable[..., str]) -> None:
    table = "| key | does |\n|---|:-:|\n| `j`, `k` | `next`, `previous` |\n"
    html = render(table)
    assert '<td class="whole"><code>j</code>, <code>k</code></td>' in html
    assert html.count("whole") == 1
    centred = render(table.replace("|---|", "|:-:|", 1))
    assert '<td class="align-center whole"><code>j</code>' in centred
    for first in ("`source_url`, `edit_url`", "two words", ""):
        assert "whole" not in render(table.replace("`j`, `k`", first))


def test_no_line_breaks_a_short_word_of_a_heading_apart(render: Callable[..., str]) -> None:
    kept = '<span class="whole">multi-head</span>'
    assert f">Relative {kept} attention</h2>" in render("## Relative multi-head attention")
    assert f"{kept} ප්\u200dරතිඵල</h2>" in render("## multi-head ප්\u200dරතිඵල")
    # A small screen has no room for longer ones, and in the text a hyphen is no trouble.
    for text in ("## A machine-translation", "multi-head", '## [a](x-y.html "x-y")', "## a - b"):
        assert "whole" not in render(text)
