"""
Packages that were not written for pylit: every page is built, and nothing of it is garbled.

They come with what the tests need anyway, so nothing is fetched but the public corpus of annotated
modules. Each has another habit of writing docstrings; parts of them are enough.
"""

import html
import importlib.util
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from pylit.model import Page, Problem
from pylit.settings import Settings
from pylit.settings_file import read_settings
from pylit.site import Build, build
from tests.conftest import corpus_wheel

PACKAGES = {
    "numpy/linalg": ("NumPy's own sections, with doctests and formulas", 2),
    "networkx/algorithms/centrality": ("the same, with references and longer texts", 20),
    "jinja2": ("fields and directives of Sphinx", 20),
    "torch/optim": ("Google's sections, with roles and raw TeX", 20),
    "hypothesis/strategies": ("roles of Sphinx in running text", 15),
    "sympy/ntheory": ("doctests on every page", 12),
    "mpmath/libmp": ("hardly any docstrings, boxes of comments", 8),
}
LANGUAGES = "[languages.zh]\ntag = 'zh-Hans'\nname = 'Chinese'\n[languages.ja]\n[languages.si]\n"
CODE = re.compile(r"<(pre|code|mjx-container)\b.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
GARBLED = {
    "a role": r":[a-z]+(?::[a-z]+)?:`",
    "a directive": r"(?:^|\n)\s*\.\. \w[\w-]*::",
    "a field": r":(?:param|type|returns?|rtype|raises?)\b[^:\n]*:",
    "a prompt": r">>> ",
    "a line of dashes": r"(?:^|\n)\s*[-=]{20,}\s*(?:$|\n)",
    "code that follows": r"\w::\s*$",
}
EMPHASIS = re.compile(r"[A-Za-z0-9)]<(?:em|strong)>[\s\w+-]{0,30}</(?:em|strong)>[A-Za-z0-9(]")
"""Emphasis inside a word, such as `x**2 + y**2` would be."""


def ignored(folder: str, names: list[str]) -> list[str]:
    """What of a package is not copied: its tests, and all that is no source."""
    files = [name for name in names if (Path(folder) / name).is_file()]
    return ["tests", "__pycache__", *(name for name in files if not name.endswith(".py"))]


def build_package(name: str, folder: Path) -> Build:
    """Build a part of an installed package as its author would begin: without any settings."""
    top, _, rest = name.partition("/")
    spec = importlib.util.find_spec(top)
    assert spec
    assert spec.submodule_search_locations
    source = Path(spec.submodule_search_locations[0]) / rest
    shutil.copytree(source, folder / "src", ignore=ignored)
    return build(settings_for(folder, "src"))


def settings_for(folder: Path, source: str) -> Settings:
    """What an author writes who wants pages in four languages."""
    (folder / "pylit.toml").write_text(f'[[source]]\npath = "{source}"\n{LANGUAGES}')
    return read_settings(folder / "pylit.toml")


def in_english(made: Build) -> list[Page]:
    """The pages of modules in English; as many are there in each other language, word for word."""
    pages = [page for page in made.pages if page.kind == "module"]
    by_language = {
        code: [page for page in pages if page.language.code == code]
        for code in ("en", "zh", "ja", "si")
    }
    assert sum(map(len, by_language.values())) == len(pages)
    for code, others in by_language.items():
        for page, other in zip(by_language["en"], others, strict=True):
            assert other.source_path == page.source_path
            assert code == "en" or other.address == f"{code}/{page.address}"
            assert [TAG.sub("", row.prose) for row in other.rows] == [
                TAG.sub("", row.prose) for row in page.rows
            ]
    return by_language["en"]


def check_problems(problems: tuple[Problem, ...], folder: Path) -> None:
    """Each problem is one clear sentence about a line that is there."""
    for problem in problems:
        lines = (folder / problem.path).read_text(encoding="utf-8").split("\n")
        assert 0 < problem.line <= len(lines)
        assert "\n" not in problem.message
        assert "Error" not in problem.message


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_of_another_style(name: str, tmp_path: Path) -> None:
    made = build_package(name, tmp_path)
    pages = in_english(made)
    assert len(pages) == len(list((tmp_path / "src").rglob("*.py"))) >= PACKAGES[name][1]
    # What is written for Sphinx is no fault; one comment of mpmath looks like a link.
    assert [problem.code for problem in made.problems] == ["link"] * (name == "mpmath/libmp")
    check_problems(made.problems, tmp_path)
    for page in pages:
        for row in page.rows:
            prose = CODE.sub(" ", str(row.prose))
            text = html.unescape(TAG.sub("", prose))
            for kind, pattern in GARBLED.items():
                found = re.search(pattern, text)
                assert not found, f"{page.source_path} #{row.anchor}: {kind}: {found[0]!r}"
            inside = EMPHASIS.search(prose)
            assert not inside, f"{page.source_path} #{row.anchor}: {inside[0]!r}"


def test_the_public_corpus_is_built(tmp_path: Path) -> None:
    """
    Every module of PyPI's labml-nn 0.5.1 has a page.

    Many links and pictures lead to what the wheel does not hold; three things more are wrong.
    """
    with zipfile.ZipFile(corpus_wheel()) as wheel:
        wheel.extractall(tmp_path / "src")
    made = build(settings_for(tmp_path, "src/labml_nn"))
    pages = in_english(made)
    assert len(pages) == len(list((tmp_path / "src/labml_nn").rglob("*.py"))) >= 221
    check_problems(made.problems, tmp_path)
    others = [p for p in made.problems if p.code not in ("link", "image")]
    assert [(p.path.removeprefix("src/labml_nn/"), p.line, p.code) for p in others] == [
        ("normalization/deep_norm/__init__.py", 58, "math"),
        ("transformers/feed_forward.py", 83, "math"),
        ("transformers/relative_mha.py", 5, "front-matter"),
    ]
    assert len(made.problems) < 80
    assert not [page.address for page in pages if page.summary.startswith((">", "|"))]
