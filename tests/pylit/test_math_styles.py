"""The style sheet and fonts of formulas: all that a page needs, and nothing else."""

import base64
import hashlib
import io
import random
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from pylit.math.bundle import BUNDLE, TypesetterUnavailable
from pylit.math.fonts import KEPT, measures_font, subset_font
from pylit.math.styles import Assets, Use, assets, find_use, needed, stylesheet
from pylit.math.typeset import Formula, Typeset, Typesetter

# Every construct that papers use: each has elements, classes or letters of its own.
ZOO = r"""
\frac{1}{\sqrt{d_k}} \cdot \tfrac{\frac{a}{b}}{c} \sqrt[3]{x+1} \cfrac{1}{1+x} {a \over b}
\nicefrac12
A_{i,j} = Q_i^\top K_j + \underbrace{Q_i^\top R_{i-j}}_{\text{position}} +
\overbrace{u^\top K_j}^{u}
\sum_{i=1}^n x_i \prod_k \int_0^\infty \oint \bigcup \bigoplus \lim_{x\to 0} \max_{i}
\sideset{_a^b}{}\sum
\left(\frac{a}{\frac{b}{\frac{c}{d}}}\right) \left\{x\middle|y\right\}
\left\lfloor\frac ab\right\rfloor
\left[\begin{matrix}1\\2\\3\\4\\5\\6\end{matrix}\right] \left\|\frac ab\right\|
\left\langle\frac ab\right\rangle
\begin{pmatrix}a&b\\c&d\end{pmatrix} \begin{array}{c|cc}x&y&z\\\hline1&2&3\end{array}
\begin{vmatrix}a&b\\c&d\end{vmatrix} \begin{smallmatrix}a&b\\c&d\end{smallmatrix}
f(x) = \begin{cases}x & \text{if } x > 0 \\ 0 & \text{otherwise}\end{cases}
\begin{align}a &= b + c \\ &= d \tag{1}\end{align}
\begin{gather}a\\b\end{gather}
\begin{CD}A @>f>> B\\@VVgV @VVhV\\C @>k>> D\end{CD}
\hat{x}\bar{x}\tilde{x}\vec{x}\dot{x}\ddot{x}\check{x}\breve{x}\acute{x}\grave{x}\mathring{x}
\dddot{x}
\widehat{abc}\widetilde{abc}\overline{abc}\underline{abc}\overrightarrow{AB}\overleftarrow{AB}
\mathbf{xX}\mathcal{L}\mathfrak{gG}\mathtt{x1}\mathsf{sS}\mathit{it}\mathrm{rm}\mathbb{R}\mathscr{S}
\boldsymbol{\theta x}\pmb{\alpha}\bm{w}\mathsf{\mathit{s}}\mathbf{\mathcal{L}}\oldstyle{123}
\textcolor{coral}{c} + \color{#f80}x
\colorbox{yellow}{boxed} \fcolorbox{red}{lightblue}{$a^2$} \boxed{E}
\cancel{x}\bcancel{y}\cancelto{0}{w}
\enclose{circle}{x} \enclose{roundedbox,left,top,updiagonalarrow,longdiv,phasorangle,radical}{x}
\xrightarrow[below]{above} \xleftarrow{f} \xmapsto{g} \xLeftrightarrow{h} \implies \longmapsto
\mathop{\mathrm{softmax}}_{seq} \underset{k}{\mathop{\mathbb{E}}} \overset{!}{=}
\operatorname*{arg\,max}_{x}
\text{größe 漢字 with } x^2 \text{ and \textbf{bold} \textit{it} \texttt{tt} \textsf{sf}}
\binom{n}{k} \genfrac[]{0pt}{}{a}{b} \substack{a\\b}
\phantom{x}\smash{x}\raise1ex{x}\rule{1em}{1ex}\quad w
\term{query}{Q} \text{d\_model} \{x_1, x_2\} \lvert x\rvert \mathbbm{1} \degree \upalpha
\alpha\beta\gamma\delta\epsilon\varepsilon\zeta\eta\theta\vartheta\kappa\lambda\mu\nu\xi\pi\rho
\sigma\tau\phi
\varphi\chi\psi\omega\Gamma\Delta\Theta\Lambda\Xi\Pi\Sigma\Phi\Psi\Omega\le\ge\neq\approx\equiv
\sim\propto
\in\notin\subset\cup\cap\wedge\vee\neg\forall\exists\nabla\partial\infty\times\otimes\oplus\odot
\circ\star
\to\gets\Rightarrow\Leftrightarrow\ldots\cdots\vdots\ddots\ell\hbar\Re\Im\aleph\dagger\perp
\parallel\angle
{\tiny t}{\small s}{\Large L}{\Huge h}\scriptstyle s \big(\Big(\bigg(\Bigg(
\ulcorner x\urcorner f'''
\left.\frac{df}{dx}\right|_{x=0} \left\uparrow\frac ab\right\downarrow
\left\Updownarrow\frac ab\right/
\overparen{abc}\underparen{abc}\overbracket{abc}\underbracket{abc}\prescript{a}{b}{X} \coloneqq
\ket{\psi}\braket{a|b}\centernot\implies \widehat{abcdefgh}\overleftrightarrow{abcd}
""".strip().splitlines()

FORMULAS = [Formula(tex, display) for tex in ZOO for display in (False, True)]
GLYPH = re.compile(r"<mjx-c ([^>]*)>([^<]*)<")


@pytest.fixture(scope="module")
def zoo() -> list[str]:
    with Typesetter(jobs=2) as typesetter:
        results = typesetter.typeset(FORMULAS)
    assert [result for result in results.values() if not isinstance(result, Typeset)] == []
    return [result.html for result in results.values() if isinstance(result, Typeset)]


@pytest.fixture(scope="module")
def cage(zoo: list[str]) -> Assets:
    return assets(zoo)


def typeset(*formulas: str) -> list[str]:
    with Typesetter() as typesetter:
        results = typesetter.typeset([Formula(tex, display=False) for tex in formulas])
    return [result.html for result in results.values() if isinstance(result, Typeset)]


def faces(css: str) -> dict[str, str]:
    """The address of each font family's file."""
    return dict(re.findall(r'@font-face\{font-family:MJX-TEX-(\w+);[^}]*?url\("([^"]+)"\)', css))


def test_every_letter_has_a_rule(zoo: list[str], cage: Assets) -> None:
    selectors = {line.partition("{")[0] for line in cage.css.splitlines()}
    letters = {tag for html in zoo for tag, _ in GLYPH.findall(html)}
    assert len(letters) > 250
    for letter in letters:
        name = re.search(r'class="([^"]+)"', letter)
        assert name, letter
        classes = [part for part in name[1].split() if not part.startswith("math-")]
        assert "mjx-c." + ".".join(classes) in selectors


def test_every_letter_is_in_the_font_that_is_shipped(zoo: list[str], cage: Assets) -> None:
    fonts = {}
    for family, url in faces(cage.css).items():
        if family != "ZERO":
            content = cage.fonts[url.removeprefix("fonts/")]
            fonts[family] = set(TTFont(io.BytesIO(content)).getBestCmap())
    for family, letters in find_use(zoo).letters.items():
        missing = {letter for letter in letters if ord(letter) not in fonts[family]}
        # A space needs no outline, and the font that sets the base line has it.
        assert missing <= {" "}, family


def test_every_stretched_sign_has_its_rules(zoo: list[str], cage: Assets) -> None:
    signs = {
        (kind, code)
        for html in zoo
        for kind, code in re.findall(r'<mjx-(stretchy-[hv])[^>]* class="(mjx-c[0-9A-F]+)', html)
    }
    assert len(signs) > 8
    for kind, code in signs:
        assert f"mjx-{kind}.{code}>mjx-ext" in cage.css


def test_every_element_is_known_to_the_style_sheet(zoo: list[str], cage: Assets) -> None:
    # These take their looks from the elements around them.
    silent = {"mjx-base", "mjx-beg", "mjx-cell", "mjx-end", "mjx-ext", "mjx-mid", "mjx-spacer"}
    for tag in find_use(zoo).tags - silent:
        assert re.search(rf"(^|[,>\s]){tag}\b", cage.css, re.MULTILINE), tag


def test_only_what_occurs_is_kept(zoo: list[str], cage: Assets) -> None:
    small = assets(typeset("x"))
    assert len(small.css) < 4000
    assert set(faces(small.css)) == {"ZERO", "N"}
    assert "mjx-c1D465" in small.css
    assert "mjx-c1D466" not in small.css
    assert "mjx-frac" not in small.css
    assert len(cage.css) < len((BUNDLE / "mathjax.css").read_text(encoding="utf-8")) / 3


def test_a_page_without_formulas_needs_nothing(tmp_path: Path) -> None:
    assert assets(["<p>Text.</p>"], folder=tmp_path) == Assets("", {}, "")
    assert stylesheet([]) == ""


def test_whole_pages_give_what_their_formulas_give(zoo: list[str], cage: Assets) -> None:
    page = "<!doctype html><p class='a'>x &lt; y</p>" + "<p>and</p>".join(zoo)
    assert assets([page]) == cage


def test_the_order_of_formulas_changes_no_byte(zoo: list[str], cage: Assets) -> None:
    shuffled = [*zoo, *zoo[:5]]
    random.Random(4).shuffle(shuffled)
    again = assets(shuffled)
    assert again == cage
    assert list(again.fonts) == list(cage.fonts)


def test_a_font_is_named_by_its_content(cage: Assets) -> None:
    assert cage.fonts
    for name, content in cage.fonts.items():
        digest = hashlib.sha256(content).hexdigest()[:10]
        assert re.fullmatch(rf"mjx-tex-[a-z0-9]+\.{digest}\.woff2", name)
        assert content.startswith(b"wOF2")


def test_fonts_are_asked_for_where_they_will_lie(zoo: list[str]) -> None:
    made = assets(zoo, "../static/")
    urls = {url for family, url in faces(made.css).items() if family != "ZERO"}
    assert urls == {f"../static/{name}" for name in made.fonts}


def test_no_other_host_is_asked(cage: Assets) -> None:
    assert "//" not in re.sub(r"base64,[^\"]+", "", cage.css)
    assert "@import" not in cage.css


def test_the_font_of_the_base_line_is_in_the_style_sheet(cage: Assets) -> None:
    assert faces(cage.css)["ZERO"] == cage.baseline
    font = TTFont(io.BytesIO(base64.b64decode(cage.baseline.partition("base64,")[2])))
    # Letters are placed from a base line in the middle: what is above it equals what is below.
    assert font["hhea"].ascent == -font["hhea"].descent
    # It has no letters, so nothing of MathJax's font is in it, and it is as small as that.
    assert font.getBestCmap().keys() == {ord(" ")}
    assert len(cage.baseline) < 400


def test_fonts_keep_their_notices(cage: Assets) -> None:
    for content in cage.fonts.values():
        names = TTFont(io.BytesIO(content))["name"]
        assert "MathJax" in str(names.getDebugName(0))
        assert "Open Font License" in str(names.getDebugName(13))


def test_a_page_of_a_paper_needs_few_kilobytes() -> None:
    formulas = (
        r"Q K V R_{i-j} \frac{1}{\sqrt{d_k}}",
        r"A_{i,j} = Q_i^\top K_j + Q_i^\top R_{i-j} + u^\top K_j",
        r"\mathop{softmax}_{j}\left(\frac{Q_i^\top K_j}{\sqrt{d_k}}\right) V_j",
        r"x \in \mathbb{R}^{n \times d}",
    )
    made = assets(typeset(*formulas))
    assert sum(map(len, made.fonts.values())) < 25_000
    assert len(made.css) < 8_000


def test_colors_have_rules_and_formulas_have_none(zoo: list[str], cage: Assets) -> None:
    names = {name for html in zoo for name in re.findall(r"math-\w+-\w+", html)}
    assert "math-color-coral" in names
    for name in names:
        assert f".{name}{{" in cage.css
    for html in zoo:
        assert not re.search(r'style="[^"]*(#|rgb|red|coral)', html)


def test_what_screen_readers_read_is_neither_seen_nor_copied(cage: Assets) -> None:
    rule = re.search(r"mjx-container>math\{([^}]*)\}", cage.css)
    assert rule
    for declaration in ("position:absolute", "user-select:none", "clip-path:inset(50%)"):
        assert declaration in rule[1]
    assert "display:none" not in rule[1]


def test_a_rule_stays_if_one_of_its_selectors_can_match() -> None:
    use = Use(
        frozenset({"mjx-mi", "mjx-c"}),
        frozenset({("noic", ""), ("size", ""), ("size", "s")}),
        frozenset({frozenset({"mjx-c41"})}),
        {},
    )
    assert needed("mjx-mi>mjx-c,mjx-mo>mjx-c{a:b}", use) == "mjx-mi>mjx-c{a:b}"
    assert needed('mjx-mi[size="s"]{a:b}', use)
    assert not needed('mjx-mi[size="ss"]{a:b}', use)
    assert needed('mjx-mi:not([limits="false"]){a:b}', use)
    assert needed("mjx-c.mjx-c41[noic]{a:b}", use)
    assert not needed("mjx-c.mjx-c41.TEX-B{a:b}", use)
    assert not needed("@font-face{a:b}", use)


def test_kept_fonts_are_the_ones_that_would_be_made(tmp_path: Path) -> None:
    path = BUNDLE / "fonts" / "mjx-tex-b.woff2"
    fresh = subset_font(path, "xyz")
    assert subset_font(path, "zyxx", tmp_path) == fresh
    assert subset_font(path, "xyz", tmp_path) == fresh
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-5])
    assert subset_font(path, "xyz", tmp_path) == fresh
    path = BUNDLE / "fonts" / "mjx-tex-zero.woff2"
    assert measures_font(path, tmp_path) == measures_font(path, tmp_path) == measures_font(path)


def test_kept_fonts_do_not_pile_up(tmp_path: Path) -> None:
    for number in range(KEPT + 5):
        (tmp_path / f"font-{number}.woff2").write_bytes(b"")
    subset_font(BUNDLE / "fonts" / "mjx-tex-b.woff2", "x", tmp_path)
    assert len(list(tmp_path.iterdir())) == KEPT


def test_without_the_bundle_the_message_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(TypesetterUnavailable, match="make docs"):
        assets(["<mjx-container><mjx-math></mjx-math></mjx-container>"], folder=tmp_path)
