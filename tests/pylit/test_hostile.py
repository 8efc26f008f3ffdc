"""Input that means harm, or that an accident made: one sentence, nothing lost, no traceback."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.places import with_hash

MakeSite = Callable[..., Path]
TOML = '[[source]]\npath = "s"\n'
PAGE = {"pylit.toml": TOML, "s/index.md": "# Front\n"}


def run(folder: Path, *arguments: str) -> int:
    return main([*arguments, "--config", str(folder / "pylit.toml")])


def test_export_writes_over_no_source(make_site: MakeSite) -> None:
    folder = make_site(PAGE)
    source = folder / "s/index.md"
    assert run(folder, "export", "s/index.md", "--output", str(source)) == 2
    assert source.read_text() == "# Front\n"


def test_an_interrupted_build_takes_no_foreign_file_for_its_own(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_site({**PAGE, "docs/index.html": "<p>mine</p>"})

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    # A command is loaded when it is first called for, and would keep the function of that moment.
    from pylit import output
    from pylit.cli import build  # noqa: F401 (see above)

    real = output.replace_file
    monkeypatch.setattr(
        output, "replace_file", lambda f, c: real(f, c) if f.name == ".pylit-manifest" else stop()
    )
    assert run(folder, "build") == 130
    monkeypatch.undo()
    assert run(folder, "build") == 1
    assert (folder / "docs/index.html").read_text() == "<p>mine</p>"


@pytest.mark.parametrize("output", ["s", ".", "..", ""])
def test_no_option_leads_the_output_to_the_sources(make_site: MakeSite, output: str) -> None:
    folder = make_site(PAGE)
    before = sorted(folder.rglob("*"))
    if output:
        assert run(folder, "build", "--output", output) == 2
        assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"s/ja/index.md": "# x\n", "pylit.toml": TOML + "[languages.ja]\n"}, "ja/index.html"),
        ({"s/404.md": "# x\n"}, "404.html"),
    ],
)
def test_two_files_with_one_place_are_reported(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], files: dict[str, str], name: str
) -> None:
    folder = make_site({**PAGE, **files})
    assert run(folder, "build") == 1
    assert name in capsys.readouterr().err


def test_names_that_no_list_can_hold_are_reported(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site({**PAGE, "s/new\nline.md": "# x\n", "s/\u2028.md": "# y\n"})
    with open(os.fsencode(folder) + b"/s/\xff\xfe.md", "wb") as file:
        file.write(b"# z\n")
    assert run(folder, "build") == 1
    assert capsys.readouterr().err.count("[name]") == 3
    assert (folder / "docs/index.html").exists()


@pytest.mark.parametrize(
    "line",
    [
        'source_url = "javascript:alert(1)//{path}"',
        'edit_url = "javascript:{path}"',
        'base_url = "https://[x"',
        'source_url = "https://x.org/{path} {foo}"',
        'source_url = "https://x.org/{path}{"',
        'analytics = "s"',
        'templates = "pylit.toml"',
        'output = "a\\u0000b"',
        'cache = "a\\u0000b"',
        'cache = "s"',
        'cache = ""',
        'output = "translations"',
        "x = " + "[" * 3000,
    ],
)
def test_settings_that_cannot_be_are_named(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    folder = make_site({**PAGE, "pylit.toml": f"{line}\n{TOML}"})
    assert run(folder, "build") == 2
    said = capsys.readouterr().err
    assert said.startswith("pylit.toml:1:")
    assert said.count("\n") == 1


@pytest.mark.parametrize("option", ["--repository", "--base-url"])
def test_options_are_checked_as_settings_are(make_site: MakeSite, option: str) -> None:
    folder = make_site(PAGE)
    assert run(folder, "build", option, "javascript:alert(1)//") == 2
    assert not (folder / "docs").exists()


def test_what_is_no_file_is_neither_read_nor_replaced(make_site: MakeSite) -> None:
    folder = make_site(PAGE)
    for name in ("s/f.png", "s/.gitignore", "s/g.md"):
        os.mkfifo(folder / name)
    assert run(folder, "build") == 0
    (folder / "docs/index.html").unlink()
    os.mkfifo(folder / "docs/index.html")
    assert run(folder, "build") == 1


def test_links_that_lead_to_themselves(make_site: MakeSite) -> None:
    folder = make_site(PAGE)
    os.symlink("m.md", folder / "s/m.md")
    os.symlink("docs", folder / "docs")
    assert run(folder, "build") in (1, 2)
    (folder / "docs").unlink()
    assert run(folder, "build") == 0


@pytest.mark.parametrize("coding", ["punycode", "undefined", "utf-7"])
def test_odd_codings(make_site: MakeSite, coding: str) -> None:
    folder = make_site({**PAGE, "s/a.py": f"# coding: {coding}\nx = 'é\n".encode()})
    assert run(folder, "build") == 1


def test_very_long_names_and_damaged_notes(make_site: MakeSite) -> None:
    folder = make_site({**PAGE, f"s/{'x' * 250}.md": "# x\n"})
    assert run(folder, "build") in (0, 1)
    (folder / "docs/.pylit-manifest").write_bytes(b"a\0b\n")
    (folder / ".pylit-cache/last-build.json").write_text("[" * 100_000)
    assert run(folder, "build") in (0, 1)


def test_a_link_that_cannot_be_read_is_named_with_its_line(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site({**PAGE, "s/a.md": "# A\n\nSee [x](http://[foo).\n"})
    assert run(folder, "build") == 1
    assert "s/a.md:3:1: error: the link to http://[foo" in capsys.readouterr().err


DENSE = {
    "ticks": "`a ",
    "brackets": "[",
    "pairs": "[a](",
    "pictures": "![",
    "stars": "**a",
    "code": "`a` ",
    "links": "[a](#a) ",
    "nested": "[[]",
}


@pytest.mark.parametrize("sign", DENSE.values(), ids=DENSE)
def test_prose_that_would_take_minutes_is_shown_as_written(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], sign: str
) -> None:
    """Python-Markdown looks for the end of each sign in all that follows."""
    dense = sign * 20_000
    folder = make_site({**PAGE, "s/a.md": f"# A\n\nBefore.\n\n{dense}\n\nAfter *all*.\n"})
    assert run(folder, "build") == 1
    said = capsys.readouterr().err
    assert said.startswith("s/a.md:5:1: error: this block holds more than 500 opening brackets")
    assert said.count("\n") == 1
    html = (folder / "docs/a.html").read_text()
    assert f"<p>{dense.strip()}" in html
    assert "After <em>all</em>." in html


@pytest.mark.parametrize("sign", ["\\\\( ", "\\\\begin{a}", "```x\n", "$a", "<!-- ", "]"])
def test_formulas_that_are_never_closed_are_looked_for_once(make_site: MakeSite, sign: str) -> None:
    folder = make_site({**PAGE, "s/a.md": f"# A\n\n{sign * 20_000}\n"})
    assert run(folder, "build") in (0, 1)
    assert (folder / "docs/a.html").exists()


def test_what_is_long_but_plain_is_read(make_site: MakeSite) -> None:
    words = "A word, `code`, [a link](index.md). " * 400
    rows = "| `a` | [b](index.md) | *c* |\n" * 1500
    text = f"# A\n\n{words}\n\n| a | b | c |\n|---|---|---|\n{rows}"
    folder = make_site({**PAGE, "s/a.md": text})
    assert run(folder, "build") == 0
    html = (folder / "docs/a.html").read_text()
    assert html.count("<code>code</code>") == 400
    assert html.count("<code>a</code>") == 1500


@pytest.mark.parametrize(
    ("svg", "warned"),
    [
        ("<svg><script>alert(1)</script></svg>", True),
        ('<svg onload="alert(1)"></svg>', True),
        ('<svg><a xlink:href="javascript:alert(1)"/></svg>', True),
        ("<svg><text>on a script = x</text></svg>", False),
    ],
)
def test_a_picture_with_a_script_is_named(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], svg: str, warned: bool
) -> None:
    folder = make_site({**PAGE, "s/index.md": "# A\n\n![A](a.svg)\n", "s/a.svg": svg})
    assert run(folder, "build") == 0
    said = capsys.readouterr().err
    assert ("s/a.svg: warning: this picture holds a script" in said) == warned
    assert (folder / "docs" / with_hash("a.svg", svg.encode())).read_text() == svg
