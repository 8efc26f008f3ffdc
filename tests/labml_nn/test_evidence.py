"""The stored evidence is what the code does now, for every module that has a demonstration."""

import ast
import json
from pathlib import Path

import pytest

from pylit import __version__
from pylit.evidence import evidence_folder, read_evidence
from pylit.evidence_run import Limits, compare, run_module
from pylit.model import Source
from pylit.notebook import notebook
from pylit.parse import parse
from pylit.settings_file import read_settings
from pylit.source import find_sources
from pylit.theme import Theme
from tests.conftest import ROOT

SETTINGS = read_settings(ROOT / "pylit.toml")
RECORDED = sorted(
    folder.with_suffix(".py").relative_to(ROOT).as_posix()
    for folder in (ROOT / "labml_nn").rglob("*.evidence")
)


def sources() -> dict[str, Source]:
    found = find_sources(SETTINGS).sources
    return {item.path: item for item in found if item.path.startswith("labml_nn/")}


def is_guard(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":`, with which a demonstration begins."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def test_every_demonstration_is_recorded() -> None:
    """And nothing else: evidence of a module that is gone would never be compared."""
    wanted = {
        path for path, item in sources().items() if any(map(is_guard, ast.parse(item.text).body))
    }
    assert wanted == set(RECORDED)
    assert len(wanted) > 15


@pytest.mark.parametrize("path", RECORDED)
def test_a_fresh_run_shows_what_is_stored(path: str) -> None:
    source = sources()[path]
    fresh = run_module(ROOT, source, Theme(SETTINGS, __version__), Limits(seconds=300))
    assert compare(ROOT, source, fresh) == []


def test_no_stored_shape_is_out_of_date() -> None:
    stored = [item for item in sources().values() if (ROOT / evidence_folder(item.path)).is_dir()]
    assert len(stored) > 10
    assert [problem for item in stored for problem in read_evidence(ROOT, item)[1]] == []


def test_a_notebook_runs_from_top_to_bottom(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = sources()["labml_nn/transformers/xl/relative_mha.py"]
    cells = json.loads(notebook(parse(source), SETTINGS))["cells"]
    space = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)
    assert "agree to 1e-6: True" in capsys.readouterr().out
