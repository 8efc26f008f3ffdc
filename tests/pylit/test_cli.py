"""The command line: help, exit codes, and no traceback for anybody."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit import __version__
from pylit.cli import main
from pylit.installed import installed
from tests.conftest import ROOT

MakeSite = Callable[..., Path]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "pylit", *arguments],
        cwd=cwd, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_version_and_help(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout == f"pylit {__version__}\n"
    helped = run("--help", cwd=tmp_path)
    assert helped.returncode == 0
    for word in ("build", "sections", "i18n", "pylit.toml"):
        assert word in helped.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["build", "--nonsense"],
        ["build"],
        ["build", "--config", "gone.toml"],
        ["build", "--config", "."],
        ["sections"],
    ],
)
def test_wrong_usage_is_2_without_a_traceback(tmp_path: Path, arguments: list[str]) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_language_is_named(make_site: MakeSite) -> None:
    done = run("build", "--lang", "xx", cwd=make_site({"src/a.py": ""}))
    assert done.returncode == 2
    assert "'xx'" in done.stderr
    assert "en" in done.stderr


def test_sections_as_json(make_site: MakeSite) -> None:
    folder = make_site(
        {"a.py": '"""Doc."""\nimport os\n\n\ndef f():\n    """F."""\n    return 1\n'}
    )
    done = run("sections", "a.py", "--json", cwd=folder)
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"path": "a.py", "kind": "module", "anchor": "module", "prose": [1, 1], "code": [2, 2]},
        {"path": "a.py", "kind": "function", "anchor": "f", "prose": [6, 6], "code": [5, 5]},
        {"path": "a.py", "kind": "code", "anchor": "f.return-1", "prose": None, "code": [7, 7]},
    ]
    assert "prose 1-1" in run("sections", "a.py", cwd=folder).stdout


def test_sections_goes_on_after_a_broken_file(make_site: MakeSite) -> None:
    folder = make_site({"bad.py": "def f(:\n", "good.py": "x = 1\n"})
    done = run("sections", "bad.py", "gone.py", "good.py", cwd=folder)
    assert done.returncode == 1
    assert "good.py" in done.stdout
    assert "bad.py:1:7: error" in done.stderr
    assert "gone.py: error: the file cannot be read" in done.stderr


def test_warnings_count_only_under_strict(make_site: MakeSite) -> None:
    folder = make_site({"src/a.py": '"""\n---\ncolour: red\n---\n# A\n"""\n'})
    done = run("build", cwd=folder)
    assert (done.returncode, "warning" in done.stderr) == (0, True)
    assert run("build", "--strict", cwd=folder).returncode == 1


def test_progress_is_one_line_a_stage_when_nobody_watches(make_site: MakeSite) -> None:
    done = run("build", cwd=make_site({"src/a.py": "", "src/b.py": ""}))
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [
        "reading",
        "parsing",
        "drafting",
        "rendering",
    ]
    assert "\x1b" not in done.stdout
    # The two, that of their folder, the list of all pages, and the one for "not found".
    assert lines[-1].startswith("5 pages in docs/")


def test_progress_is_one_changing_line_on_a_terminal(make_site: MakeSite) -> None:
    folder = make_site({"src/a.py": "", "src/b.py": ""})
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pylit", "build"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 1024)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait() == 0
    assert b"\r\x1b[Kparsing 2/2" in shown


def test_the_other_pylit_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], make_site: MakeSite
) -> None:
    monkeypatch.syspath_prepend(make_site({"pylit-0.8.0.dist-info/METADATA": "Name: pylit\n"}))
    installed.cache_clear()
    file = make_site({"a.py": "x = 1\n"}) / "a.py"
    assert main(["sections", str(file)]) == 0
    installed.cache_clear()
    said = capsys.readouterr().err
    assert "'pylit' 0.8.0 is another tool" in said
    assert "pip uninstall" in said


def test_update_writes_catalogues_that_gettext_accepts(make_site: MakeSite) -> None:
    folder = make_site(
        {
            "pylit.toml": 'title = "T"\n[[source]]\npath = "src"\n[languages.ta]\nname = "தமிழ்"\n',
            "src/a.py": '"""\n# A title\n\nText with $\\frac{a}{b}$ and `code`.\n\n* item\n"""\n',
        }
    )
    assert run("i18n", "update", "--check", cwd=folder).returncode == 1
    done = run("i18n", "update", cwd=folder)
    assert done.returncode == 0, done.stderr
    file = folder / "translations/ta/a.po"
    text = file.read_text()
    assert 'msgid "Text with $\\\\frac{a}{b}$ and `code`."' in text
    assert "a.py:" not in text
    # Updating again changes nothing, and nothing translated is lost.
    file.write_text(text.replace('msgid "item"\nmsgstr ""', 'msgid "item"\nmsgstr "உருப்படி"'))
    assert run("i18n", "update", "--check", cwd=folder).returncode == 0
    (folder / "src/a.py").write_text('"""\n# A title\n"""\n')
    assert run("i18n", "update", cwd=folder).returncode == 0
    assert '#~ msgstr "உருப்படி"' in file.read_text()
    (folder / "src/a.py").write_text('"""\n# A title\n\n* item\n"""\n')
    assert run("i18n", "update", cwd=folder).returncode == 0
    assert '\nmsgstr "உருப்படி"' in file.read_text()
    built = run("build", cwd=folder)
    assert built.returncode == 0, built.stderr
    assert "<li>உருப்படி</li>" in (folder / "docs/ta/a.html").read_text()


def test_a_broken_catalogue_is_left_as_it_is(make_site: MakeSite) -> None:
    folder = make_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n[languages.ja]\n',
            "src/a.py": '"""# A"""\n',
            "translations/ja/a.po": 'msgid "A"\nmsgstr "unclosed\n',
        }
    )
    before = (folder / "translations/ja/a.po").read_bytes()
    for command in (["build"], ["i18n", "update"]):
        done = run(*command, cwd=folder)
        assert done.returncode == 1
        assert "translations/ja/a.po:" in done.stderr
        assert "Traceback" not in done.stderr
    assert (folder / "translations/ja/a.po").read_bytes() == before
    assert (folder / "docs/ja/a.html").exists()


def test_an_undoubled_backslash_in_a_catalogue_is_reported(make_site: MakeSite) -> None:
    folder = make_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n[languages.ja]\n',
            "src/a.py": 'r"""Take $\\theta$ now."""\n',
            "translations/ja/a.po": 'msgid "Take $\\\\theta$ now."\nmsgstr "$\\theta$です"\n',
        }
    )
    done = run("build", cwd=folder)
    assert done.returncode == 1
    assert "translations/ja/a.po:1:1: error" in done.stderr
    assert "twice" in done.stderr
    assert 'lang="en"' in (folder / "docs/ja/a.html").read_text()


def test_without_a_command_the_commands_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "write a pylit.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "python", "name"),
    [
        ("/usr/bin/pylit", "/usr/bin/python3", "pylit"),
        ("/x/pylit/__main__.py", "/usr/bin/python3.11", "python3.11 -m pylit"),
        ("/x/pylit/__main__.py", ".venv/bin/python", ".venv/bin/python -m pylit"),
        ("/x/pytest/__main__.py", "/usr/bin/python3", "pylit"),
    ],
)
def test_what_to_run_next_is_named_as_it_was_called(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    argv: str,
    python: str,
    name: str,
) -> None:
    """In a fresh checkout there is no command of the name pylit."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [argv])
    monkeypatch.setattr("sys.executable", str(tmp_path / python))
    assert main(["build"]) == 2
    assert f"; {name} new writes the first one" in capsys.readouterr().err
    (tmp_path / "pkg.py").write_text("")
    assert main(["new"]) == 0
    assert f"see it with: {name} serve --open" in capsys.readouterr().out
    assert main([]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith(f"usage: {name} [-h]")
    assert f"with {name} new," in told


def test_a_check_names_commands_as_it_was_called(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n[languages.ja]\nname = "日本語"\n',
            "src/a.py": '"""# A"""\n',
            "translations/ja/a.po": 'msgid ""\nmsgstr "Language: ja\\n"\n',
        }
    )
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["/x/pylit/__main__.py"])
    monkeypatch.setattr("sys.executable", str(folder / ".venv/bin/python"))
    main(["check"])
    assert "with: .venv/bin/python -m pylit i18n update" in capsys.readouterr().out
    # Programs read the same everywhere.
    main(["check", "--format", "json"])
    assert "with: pylit i18n update" in capsys.readouterr().out
