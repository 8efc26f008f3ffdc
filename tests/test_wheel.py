"""The wheel: installed in a folder without this checkout, it builds a site with equations."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

PARTS = ["pylit", "templates", "mathjax", "setup.py", "pyproject.toml", "README.md"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, so that nothing is left in the checkout."""
    copy = tmp_path_factory.mktemp("copy")
    for part in PARTS:
        source = ROOT / part
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "mathjax.part")
        if source.is_dir():
            shutil.copytree(source, copy / part, ignore=ignored)
        else:
            shutil.copy(source, copy / part)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", "."],
        cwd=copy, check=True, capture_output=True,
    )  # fmt: skip
    return next((copy / "dist").glob("*.whl"))


def test_the_wheel_holds_the_theme_and_mathjax_but_not_labml_nn(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "pylit/templates/page.html",
        "pylit/templates/styles/order.txt",
        "pylit/templates/scripts/theme.js",
        "pylit/locale/ja.po",
        "pylit/mathjax/mathjax.js",
        "pylit/mathjax/LICENSE-MathJax.txt",
        "pylit/mathjax/fonts/mjx-tex-n.woff2",
        "pylit/py.typed",
    ):
        assert name in names
    assert not [name for name in names if name.startswith(("labml_nn", "tests", "docs"))]


def test_the_installed_wheel_builds_a_site(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    site = tmp_path / "site"
    (site / "src").mkdir(parents=True)
    (site / "src/a.py").write_text('r"""\n# A\n\n$\\frac{1}{2}$\n"""\nx = 1\n')
    (site / "pylit.toml").write_text('[[source]]\npath = "src"\n')
    # `-P` and `-S`-like isolation: only the unpacked wheel and the installed libraries are seen.
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1));"
        "import pylit; assert 'installed' in pylit.__file__, pylit.__file__;"
        "from pylit.cli import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(place), "build", "--strict"],
        cwd=site, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    html = (site / "docs/a.html").read_text(encoding="utf-8")
    assert "<mjx-container" in html
    assert list((site / "docs/pylit-assets/fonts").glob("*.woff2"))
