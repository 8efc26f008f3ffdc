"""A build that need not be done is not done, and one that must be done is."""

import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from pylit.cli import main
from pylit.installed import installed
from pylit.output import Written, write

MakeSite = Callable[..., Path]
FILES = {
    "pylit.toml": 'templates = "own"\n[[source]]\npath = "src"\n[languages.ja]\n',
    "src/a.py": '"""# A\n\nSee [this](gone.html)."""\n',
    "own/robots.txt": "User-agent: *\n",
    "translations/ja/a.po": 'msgid ""\nmsgstr ""\n"Language: ja\\n"\n',
}


def build(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[str, str, int]:
    code = main(["build", "--config", str(folder / "pylit.toml"), *more])
    said = capsys.readouterr()
    return said.out, said.err, code


def test_the_problems_of_the_last_build_are_said_again(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(FILES)
    first = build(folder, capsys)
    second = build(folder, capsys)
    assert "nothing has changed" in second[0]
    assert second[1:] == first[1:]
    assert second[2] == 1


def test_what_is_saved_during_a_build_is_seen_by_the_next(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_site(FILES)

    def slow(*values: Any) -> Written:
        (folder / "src/a.py").write_text('"""# Saved meanwhile"""\n')
        return write(*values)

    with monkeypatch.context() as patch:
        patch.setattr("pylit.cli.build.write", slow)
        build(folder, capsys)
    assert "Saved meanwhile" not in (folder / "docs/a.html").read_text()
    assert "nothing has changed" not in build(folder, capsys)[0]
    assert "Saved meanwhile" in (folder / "docs/a.html").read_text()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("src/a.py", '"""# B"""\n'),
        ("src/new.md", "# New\n"),
        ("own/robots.txt", "User-agent: none\n"),
        ("translations/ja/a.po", FILES["translations/ja/a.po"] + '\nmsgid "A"\nmsgstr "あ"\n'),
        ("translations/ja/_site.po", 'msgid ""\nmsgstr ""\n"Language: ja\\n"\n'),
        ("pylit.toml", 'title = "T"\n[[source]]\npath = "src"\n'),
        ("docs/a.html", "changed by hand"),
        ("docs/a.html", None),
        ("src/a.py", None),
    ],
)
def test_whatever_a_page_depends_on_is_seen(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], name: str, content: str | None
) -> None:
    folder = make_site(FILES)
    build(folder, capsys)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    again = build(folder, capsys)
    assert "nothing has changed" not in again[0]
    if name == "docs/a.html":
        assert "<h1" in (folder / name).read_text()


def test_another_wish_is_another_build(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(FILES)
    build(folder, capsys)
    assert "nothing has changed" not in build(folder, capsys, "--lang", "ja")[0]
    assert "nothing has changed" not in build(folder, capsys, "--base-url", "https://x.org")[0]


def test_a_damaged_note_means_a_full_build(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(FILES)
    build(folder, capsys)
    (folder / ".pylit-cache/last-build.json").write_text('["x", [')
    assert "files written" in build(folder, capsys)[0]


def test_installed_versions_are_those_that_the_library_tells() -> None:
    known = installed()
    for name in ("Jinja2", "Markdown", "nh3", "pymdown-extensions", "Pygments"):
        assert known[name.lower().replace("-", "_")] == metadata.version(name)


def test_what_makes_pages_is_not_even_loaded(make_site: MakeSite) -> None:
    """Loading it would take longer than to see that nothing has changed."""
    folder = make_site(FILES)
    line = ["build", "--config", str(folder / "pylit.toml")]
    main(line)
    code = (
        f"import sys\nfrom pylit.cli import main\nmain({line!r})\n"
        "print({'jinja2', 'markdown', 'pygments', 'pylit.site'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "nothing has changed" in done.stdout
    assert done.stdout.endswith("set()\n")
