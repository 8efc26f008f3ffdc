"""Writing: equal bytes, whole files, nothing touched that is not ours."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.cli import main
from pylit.model import Output
from pylit.output import MANIFEST, write
from tests.conftest import ROOT

MakeSite = Callable[..., Path]

TWO_LANGUAGES = """
base_url = "https://example.org/docs"
[[source]]
path = "src"
[languages.ja]
name = "日本語"
"""
FILES = {
    "pylit.toml": TWO_LANGUAGES,
    "src/__init__.py": '"""# Front\n\n$x^2$ and [next](sub/a.py)."""\n',
    "src/sub/a.py": '"""# A\n\n<b>bold</b>"""\nimport os\n',
    "src/sub/b.md": "# B\n\nA footnote[^1].\n\n[^1]: Here.\n",
}


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_two_builds_are_equal_byte_for_byte(make_site: MakeSite) -> None:
    """W-OUT-03: with other hash seeds, in other folders, and with no path of the machine."""
    results = []
    for number in (1, 2):
        folder = make_site(FILES, f"site{number}")
        environment = {**os.environ, "PYTHONHASHSEED": str(number), "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-m", "pylit", "build"],
            cwd=folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        results.append(tree(folder / "docs"))
        for content in results[-1].values():
            assert str(folder).encode() not in content
    assert results[0] == results[1]


def test_a_second_build_writes_nothing(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """W-INC-04: a touched file is no changed file."""
    folder = make_site(FILES)
    config = ["--config", str(folder / "pylit.toml")]
    assert main(["build", *config]) == 0
    before = {path: path.stat().st_mtime_ns for path in (folder / "docs").rglob("*")}
    (folder / "src/sub/a.py").touch()
    assert main(["build", *config]) == 0
    assert "nothing has changed" in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in (folder / "docs").rglob("*")} == before


def test_only_our_files_are_removed(make_site: MakeSite) -> None:
    """W-INC-01"""
    folder = make_site(FILES)
    config = ["--config", str(folder / "pylit.toml"), "--quiet"]
    assert main(["build", *config]) == 0
    (folder / "docs/sub/mine.txt").write_text("keep me")
    (folder / "src/sub/a.py").rename(folder / "src/sub/new.py")
    (folder / "src/__init__.py").write_text('"""# Front"""\n')
    assert main(["build", *config]) == 0
    files = tree(folder / "docs")
    assert "sub/a.html" not in files
    assert "ja/sub/a.html" not in files
    assert {"sub/new.html", "ja/sub/new.html", "sub/mine.txt"} <= set(files)


def test_one_language_leaves_the_others(make_site: MakeSite) -> None:
    folder = make_site(FILES)
    config = ["--config", str(folder / "pylit.toml"), "--quiet"]
    assert main(["build", *config]) == 0
    before = tree(folder / "docs")
    assert main(["build", *config, "--lang", "ja"]) == 0
    assert tree(folder / "docs") == before
    assert main(["build", *config, "--lang", "en"]) == 0
    assert tree(folder / "docs") == before


def test_a_file_of_somebody_else_is_kept(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site({**FILES, "docs/index.html": "<p>by hand</p>"})
    assert main(["build", "--config", str(folder / "pylit.toml")]) == 1
    assert (folder / "docs/index.html").read_text() == "<p>by hand</p>"
    assert "docs/index.html: error: this file was not written by pylit" in capsys.readouterr().err
    assert (folder / "docs/sub/a.html").exists()


def test_a_link_out_of_the_output_folder_is_not_followed(make_site: MakeSite) -> None:
    folder = make_site({**FILES, "outside/keep.txt": "x", "docs/keep.txt": "y"})
    os.symlink("../outside", folder / "docs/sub")
    assert main(["build", "--config", str(folder / "pylit.toml"), "--quiet"]) == 1
    assert sorted(path.name for path in (folder / "outside").iterdir()) == ["keep.txt"]


def test_a_forged_manifest_removes_nothing_outside(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "precious").write_text("x")
    (folder / MANIFEST).write_text(f"../precious\n{tmp_path}/precious\n")
    write(folder, "out", [])
    assert (tmp_path / "precious").exists()


def test_a_full_or_locked_folder_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "page.html"))

    monkeypatch.setattr("pylit.output.os.replace", full)
    result = write(tmp_path, "out", [Output("page.html", b"x")])
    assert "No space left" in result.problems[0].message
    assert not list(tmp_path.glob(".pylit-*"))


NAMES = st.sampled_from(["a", "b", "c/d", "c/e", "f/g/h"])


@given(st.lists(st.dictionaries(NAMES, st.binary(max_size=3)), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_after_any_builds_the_folder_is_the_last_one(builds: list[dict[str, bytes]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine").write_bytes(b"keep")
        for files in builds:
            write(folder, "out", [Output(path, content) for path, content in files.items()])
        found = tree(folder)
        found.pop(MANIFEST)
        assert found == {**builds[-1], "mine": b"keep"}
