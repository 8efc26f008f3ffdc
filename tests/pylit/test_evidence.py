"""What a module shows when it runs: recorded, limited, compared, drawn and shown on its page."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import polib
import pytest

from pylit.catalog import Catalog, Entry
from pylit.cli import main
from pylit.evidence import plain, read_figure, styled, translate_figure
from pylit.evidence_run import import_place
from pylit.figures import draw, steps
from pylit.model import Language
from pylit.settings_file import read_settings
from pylit.shapes import Tracer, read_shapes
from pylit.site import Build, build

MakeSite = Callable[..., Path]
Run = Callable[..., int]

ARRAY = '''"""# Arrays without any library"""


class Array:
    def __init__(self, *shape):
        self.shape = shape

    def t(self):
        """Swap."""
        turned = Array(*self.shape[::-1])
        return turned
'''

FIGURES = '''"""# Figures"""
from dataclasses import dataclass, field


@dataclass
class HeatMap:
    title: str
    x: str
    y: str
    values: list
    columns: tuple = ()
    rows: tuple = ()


@dataclass
class Lines:
    title: str
    x: str
    y: str
    series: dict
    log_y: bool = False


@dataclass
class Bars:
    title: str
    y: str
    groups: dict
'''

DEMO = '''"""# Demo"""
import random

from pkg.array import Array
from pkg.figures import Bars, HeatMap, Lines


def figures():
    print("not shown")
    return {
        "A map": HeatMap("Deep <on> the left.", "key", "query", [[1.0, -0.5], [0.0, 0.25]]),
        "loss": Lines("It falls.", "step", "loss", {"a": [(1.0, 2.0), (2.0, 0.5)]}, log_y=True),
        "counts": Bars("Counts.", "number", {"wide": {"q": 4.0}, "narrow": {"q": 1.0}}),
    }


if __name__ == "__main__":
    for size in (2, 3):
        x = Array(size, 4)
        y = x.t()
    print("\\r" + " " * 100 + "\\r\\033[31mred & <b>\\033[0m", random.random(), hash("a"))
'''

SITE = {
    "pylit.toml": '[[source]]\npath = "pkg"\n[languages.ja]\nname = "日本語"\n',
    "pkg/__init__.py": '"""# Top"""\n',
    "pkg/array.py": ARRAY,
    "pkg/figures.py": FIGURES,
    "pkg/demo.py": DEMO,
}


@pytest.fixture
def folder(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = make_site(SITE)
    monkeypatch.chdir(made)
    return made


def stored(folder: Path, name: str = "demo") -> dict[str, str]:
    place = folder / "pkg" / f"{name}.evidence"
    return {file.name: file.read_text(encoding="utf-8") for file in place.iterdir()}


def test_what_a_module_shows_is_stored(folder: Path) -> None:
    assert main(["run", "pkg.demo"]) == 0
    files = stored(folder)
    assert sorted(files) == [
        "1-a-map.svg", "2-loss.svg", "3-counts.svg", "code.txt", "output.txt", "shapes.txt",
    ]  # fmt: skip
    assert files["output.txt"].startswith("\x1b[31mred & <b>\x1b[0m 0.8444218515250481 ")
    assert files["shapes.txt"] == ("x [2, 4] …\t1\tx = Array(size, 4)\ny [4, 2] …\t1\ty = x.t()\n")
    assert not list(folder.rglob("__pycache__"))


def test_the_same_code_gives_the_same_bytes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "demo"]) == 0
    first = stored(folder)
    assert main(["run", "--all"]) == 0
    assert "(unchanged)" in capsys.readouterr().out
    assert stored(folder) == first
    assert main(["run", "--all", "--check"]) == 0


def test_other_code_is_found_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "demo"])
    before = stored(folder)
    file = folder / "pkg/demo.py"
    file.write_text(DEMO.replace("red", "green").replace("-0.5", "-0.75").replace("(2, 3)", "(2,)"))
    capsys.readouterr()
    assert main(["run", "--all", "--check"]) == 1
    shown = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in shown] == [
        "pkg/demo.evidence/1-a-map.svg",
        "pkg/demo.evidence/output.txt",
        "pkg/demo.evidence/shapes.txt",
    ]
    assert "stored is 'red & <b>" in shown[1]
    assert "the code now gives 'green & <b>" in shown[1]
    assert stored(folder) == before
    file.write_text(DEMO.partition("def figures")[0] + "print('only this')\n")
    assert main(["run", "demo"]) == 0
    assert sorted(stored(folder)) == ["code.txt", "output.txt"]


@pytest.mark.parametrize(
    ("old", "new", "warned"),
    [
        ('"""# Demo"""', '"""# Another demo, longer"""\n\n# A comment.', False),
        ("import random\n", "import random  # For one number.\n\n", False),
        ("-0.5", "-0.75", True),
        ("red & <b>", "red  & <b>", True),
    ],
)
def test_a_build_sees_that_other_code_ran(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, warned: bool
) -> None:
    main(["run", "demo"])
    assert main(["build", "--strict", "--quiet"]) == 0
    (folder / "pkg/demo.py").write_text(DEMO.replace(old, new))
    capsys.readouterr()
    assert main(["build", "--strict", "--quiet"]) == int(warned)
    shown = "".join(capsys.readouterr())
    assert ("pkg/demo.evidence/code.txt:1:1: warning: the code has changed" in shown) == warned
    # To run it again is enough, whether it shows the same or not.
    main(["run", "demo"])
    assert main(["build", "--strict", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        ("x = 1", [], "showed nothing when it ran"),
        ("x = 1\n1 / 0", [], "ZeroDivisionError"),
        ("import sys\nsys.exit(3)", [], "ended with exit code 3"),
        ("import os\nos._exit(3)", [], "ended early with exit code 3"),
        ("while True: pass", ["--time-limit", "1"], "takes more than 1 s"),
        ("while True: print('x' * 1000)", ["--time-limit", "30"], "prints more than 200 kB"),
        ("x = bytearray(400_000_000)", ["--memory-limit", "200"], "needs more than 200 MB"),
        ("def figures(): return [1]", [], "figures() must return a dictionary"),
        ("def figures(): return {'a': 1}", [], "figure 'a' must be a HeatMap, Lines or Bars"),
        (
            "from pkg.figures import HeatMap\n"
            "def figures(): return {'a': HeatMap('', '', '', [[1.0], []])}",
            [],
            "figure 'a' cannot be drawn: the rows of a heat map must be there and have one length",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_evidence_is_said_in_a_line(
    make_site: MakeSite,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    body: str,
    options: list[str],
    message: str,
) -> None:
    if "memory" in str(options) and sys.platform != "linux":
        pytest.skip("only Linux holds a process to its data limit")
    folder = make_site({**SITE, "pkg/demo.py": f'"""# Demo"""\n{body}\n'})
    monkeypatch.chdir(folder)
    assert main(["run", "demo", *options]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("pkg/demo.py")
    assert error.count("\n") == 1
    assert "Traceback" not in error
    assert not (folder / "pkg/demo.evidence").exists()


def test_the_line_of_a_failure_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pkg/demo.py").write_text('"""# Demo"""\n\nx = [1]\nx[2]\n')
    assert main(["run", "demo"]) == 1
    assert capsys.readouterr().err.startswith("pkg/demo.py:4:1: error: the demonstration failed")


@pytest.mark.parametrize(
    "arguments", [[], ["demo", "--all"], ["nothing"], ["demo", "--time-limit", "0"]]
)
def test_wrong_usage(folder: Path, arguments: list[str]) -> None:
    assert main(["run", *arguments]) == 2


def test_a_package_can_be_run(folder: Path) -> None:
    (folder / "pkg/__init__.py").write_text(
        '"""# Top"""\nif __name__ == "__main__":\n    print(1)\n'
    )
    assert main(["run", "pkg/__init__.py"]) == 0
    files = stored(folder, "__init__")
    assert files.pop("code.txt")
    assert files == {"output.txt": "1\n"}
    assert import_place(folder / "pkg/__init__.py") == ("pkg", folder)


def page_of(made: Build, address: str) -> str:
    return next(item.content.decode() for item in made.outputs if item.path == address)


def test_a_page_shows_it(folder: Path) -> None:
    main(["run", "demo"])
    made = build(read_settings(folder / "pylit.toml"))
    assert not made.problems
    html = page_of(made, "demo.html")
    assert '<span class="ansi31">red &amp; &lt;b&gt;</span>' in html
    assert html.count('<svg xmlns="http://www.w3.org/2000/svg" class="figure" role="img"') == 3
    assert "<figcaption>Deep &lt;on&gt; the left.</figcaption>" in html
    assert '<span class="shapes"> x [2, 4] …</span>' in html
    assert 'name="shapes"' in html
    assert 'lang="en"' in page_of(made, "ja/demo.html").partition('class="evidence"')[2]
    other = page_of(made, "array.html")
    assert 'class="evidence"' not in other
    assert 'name="shapes"' not in other


CATALOGUE = """
msgid "Deep <on> the left."
msgstr "左が <濃い>。"

msgid "key"
msgstr "キー"

msgid "narrow"
msgstr "狭い & 小さい"
"""


def test_captions_and_labels_of_figures_are_translated(
    folder: Path,
) -> None:
    main(["run", "demo"])
    assert main(["i18n", "update"]) == 0
    catalogue = folder / "translations/ja/demo.po"
    asked = {entry.msgid: entry for entry in polib.pofile(catalogue)}
    assert [entry for entry in asked if entry != "Demo"] == [
        "Deep <on> the left.", "key", "query",
        "It falls.", "step", "loss", "a",
        "Counts.", "wide", "narrow", "number",
    ]  # fmt: skip
    assert asked["It falls."].comment == "figure, #pylit-evidence"
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    html = page_of(build(read_settings(folder / "pylit.toml")), "ja/demo.html")
    shown = html.partition('class="evidence"')[2]

    # What is translated is shown, in the caption, for screen readers and in the drawing.
    assert "<figcaption>左が &lt;濃い&gt;。</figcaption>" in shown
    assert "<title>左が &lt;濃い&gt;。</title>" in shown
    assert "<desc>2 × 2: query × キー; -0.5 … 1</desc>" in shown
    assert re.search(r'<text class="words"[^>]*>キー</text>', shown)
    assert "<desc>wide: q 4; 狭い &amp; 小さい: q 1</desc>" in shown

    # What is not is in English, and says so. A number is the same in every language.
    marked = '<figcaption class="untranslated" lang="en" dir="ltr">It falls.</figcaption>'
    assert marked in shown
    assert '<title lang="en">It falls.</title>' in shown
    assert re.search(r'<text class="words"[^>]* lang="en">query</text>', shown)
    assert not re.search(r"<text [^>]*lang[^>]*>[\d.]+</text>", shown)
    assert '<samp lang="en" dir="ltr">' in shown
    assert '<a href="#pylit-evidence" lang="en" dir="ltr">Counts.</a>' in html

    # The page in the original language stays as it was drawn.
    english = page_of(build(read_settings(folder / "pylit.toml")), "demo.html")
    drawn = english.partition('class="evidence"')[2]
    assert stored(folder)["1-a-map.svg"].strip() in drawn
    assert "untranslated" not in drawn
    assert 'lang="en"' not in drawn.partition("</section>")[0]


def test_the_longer_of_two_labels_is_translated_whole() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><title>T</title><desc>key size: a key</desc>'
        '<text class="words">key</text><text class="words">key size</text></svg>'
    )
    figure = read_figure("1-a.svg", svg)
    assert figure is not None
    entries = {"key": Entry("K", 1), "key size": Entry("S", 2)}
    shown = translate_figure(figure, Catalog("a.po", entries), Language("en", "en", "English"))
    assert "<desc>S: a K</desc>" in shown.svg
    assert '<text class="words">K</text><text class="words">S</text>' in shown.svg


def test_shapes_follow_their_lines_and_old_ones_are_reported(folder: Path) -> None:
    main(["run", "demo"])
    file = folder / "pkg/demo.py"
    file.write_text(
        DEMO.replace("import random\n", "import random\n\n\n").replace("y = x.t()", "y = x")
    )
    made = build(read_settings(folder / "pylit.toml"))
    (problem,) = made.problems
    assert (problem.path, problem.line) == ("pkg/demo.evidence/shapes.txt", 2)
    assert "the shapes of 1 line are out of date" in problem.message
    assert problem.level == "warning"
    page = next(page for page in made.pages if page.address == "demo.html")
    lines = {line.shapes: line.html for row in page.rows for line in row.code if line.shapes}
    assert list(lines) == ["x [2, 4] …"]


@pytest.mark.parametrize(
    "inside",
    [
        "<script>1</script>",
        '<path onload="x()" d="M0 0"/>',
        '<path style="fill:red"/>',
        '<path fill="url(http://x)"/>',
        '<a href="x"><text>x</text></a>',
        "<![CDATA[x]]>",
        "<text>",
    ],
)
def test_a_figure_that_is_not_ours_is_not_shown(folder: Path, inside: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><title>A</title>{inside}</svg>'
    assert read_figure("1-a.svg", svg) is None
    place = folder / "pkg/demo.evidence"
    place.mkdir()
    (place / "1-a.svg").write_text(svg)
    (problem,) = build(read_settings(folder / "pylit.toml")).problems
    assert "not a figure that pylit drew" in problem.message


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        ("a\r\nb\n", "a\nb\n"),
        ("10 %\r50 %\r100 %\n", "100 %\n"),
        ("\r" + " " * 100 + "\r" + "done  \n", "done\n"),
        ("\x1b[2K\x1b[1Ax\x1b[m\n", "x\n"),
        ("\x1b[1m\x1b[0m\x1b[2mx\x1b[0m\x1b[0m y\n", "\x1b[2mx\x1b[0m y\n"),
        ("\n\na\n\n\n\n\nb\n\n", "a\n\nb\n"),
        ("  indented\n", "  indented\n"),
        ("\x1b]0;title\x07x\n", "x\n"),
        ("\n \n", ""),
        ("", ""),
    ],
)
def test_what_is_left_on_a_screen(printed: str, kept: str) -> None:
    assert plain(printed) == kept


def test_shapes_of_all_kinds_of_assignment() -> None:
    text = (
        "def f(A, o):\n"
        "    a, (b, o.c) = A(1), (A(2), A(3))\n"
        "    d: object = A(\n"
        "        4)\n"
        "    d += 1\n"
        "    e = 'text'\n"
        "    try:\n"
        "        a = A(5) / 0\n"
        "    except TypeError:\n"
        "        pass\n"
        "    return d, a\n"
    )

    class A:
        def __init__(self, *shape: int) -> None:
            self.shape = shape

        def __add__(self, other: int) -> "A":
            return A(*self.shape, other)

    space: dict[str, object] = {}
    tracer = Tracer("/nowhere/f.py", text)
    exec(compile(text, "/nowhere/f.py", "exec"), space)
    before = sys.gettrace()
    sys.settrace(tracer.call)
    space["f"](A, A())  # type: ignore[operator]
    sys.settrace(before)
    assert [(item.source, item.shapes) for item in tracer.seen()] == [
        ("a, (b, o.c) = A(1), (A(2), A(3))", "a [1]; b [2]; o.c [3]"),
        ("d: object = A(", "d [4]"),
        ("d += 1", "d [4, 1]"),
        ("return d, a", "→ [4, 1], [1]"),
    ]


def test_equal_lines_are_told_apart() -> None:
    found, gone = read_shapes(
        "x [1]\t1\tx = f()\nx [2]\t2\tx = f()\nbad\n", "x = f()\n\n  x = f()\n"
    )
    assert found == {1: "x [1]", 3: "x [2]"}
    assert gone == [3]


@pytest.mark.parametrize(
    "figure",
    [
        {"kind": "HeatMap", "x": "", "y": "", "values": [[0.0]], "columns": (), "rows": ()},
        {
            "kind": "HeatMap",
            "x": "",
            "y": "",
            "values": [[1.0, float("nan")]],
            "columns": ("a", "b"),
            "rows": ("c",),
        },
        {"kind": "Lines", "x": "", "y": "", "series": {"a": [(1.0, 1.0)], "b": []}, "log_y": False},
        {"kind": "Lines", "x": "", "y": "", "series": {"a": [(1.0, 0.0), (2.0, 9.0)]}, "log_y": 1},
        {"kind": "Bars", "y": "", "groups": {"a": {"x": -1.0, "y": 0.0}, "b": {"y": 1e6}}},
    ],
)
def test_figures_of_every_sort_are_drawn(figure: dict[str, object]) -> None:
    drawing = draw({"title": "A figure", "name": "a", **figure})
    assert drawing.paths
    assert "nan" not in repr(drawing)
    assert draw({"title": "A figure", "name": "a", **figure}) == drawing


def test_numbers_stand_in_cells_that_have_the_room() -> None:
    """And the colours are then so pale that the numbers can be read on them."""
    small = {"kind": "HeatMap", "x": "key", "y": "query", "columns": (), "rows": ()}
    small |= {"title": "A figure", "values": [[1.0, -0.5], [float("nan"), 0.0]]}
    drawing = draw(small)
    assert [label.text for label in drawing.labels[6:9]] == ["1", "-0.5", "0"]
    assert max(float(path.opacity) for path in drawing.paths if path.opacity) == 0.4
    for values in ([[1.0, -0.2513]], [[0.0, 1.0] * 10]):
        drawing = draw({**small, "values": values})
        assert max(float(path.opacity) for path in drawing.paths if path.opacity) == 1


def test_steps_are_round() -> None:
    assert steps(0.0, 10.0) == [0, 2, 4, 6, 8, 10]
    assert [round(step, 3) for step in steps(0.013, 0.048)] == [0.02, 0.03, 0.04]
    assert steps(3.0, 3.0) == [3.0]


def test_stored_figures_are_valid_and_named(folder: Path) -> None:
    main(["run", "demo"])
    for name, text in stored(folder).items():
        if name.endswith(".svg"):
            top = ElementTree.fromstring(text)
            assert [child.tag.rpartition("}")[2] for child in top[:2]] == ["title", "desc"]
            assert all(child.text for child in top[:2])
            assert "currentColor" in text


def test_neighbours_of_one_style_are_one_element_and_no_letter_is_lost() -> None:
    printed = "\x1b[1m1\x1b[0m\x1b[1m, \x1b[0m\x1b[1m2\x1b[0m\x1b[1m \x1b[0m\x1b[4m \x1b[0m<b>"
    html = str(styled(printed))
    assert html == '<span class="ansi1">1, 2</span> <span class="ansi4"> </span>&lt;b&gt;'
