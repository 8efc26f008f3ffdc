"""Pseudo-languages in a real browser: longer words, and the other direction, at 320 px."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.test_layout import STICKING_OUT
from tests.conftest import write_files
from tests.pylit.test_pseudo import FILES

ROOT = Path(__file__).parent.parent.parent
Visit = Callable[..., Page]
ADDRESSES = ("index.html", "mod.html", "page.html")


@pytest.fixture(scope="module")
def pseudo_site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site in both pseudo-languages."""
    folder = write_files(tmp_path_factory.mktemp("pseudo"), FILES)
    command = [sys.executable, "-m", "pylit", "build", "--pseudo", "--quiet"]
    config = ["--config", str(folder / "pylit.toml")]
    done = subprocess.run([*command, *config], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return folder / "docs"


@pytest.mark.parametrize("width", [320, 1440])
def test_nothing_is_wider_than_the_window(pseudo_site: Path, visit: Visit, width: int) -> None:
    for code in ("en-XA", "ar-XB"):
        for address in ADDRESSES:
            page = visit(pseudo_site, f"{code}/{address}", width=width)
            assert page.evaluate(STICKING_OUT) == [], (code, address)


def test_w_trn_10_code_and_formulas_run_from_left_to_right(pseudo_site: Path, visit: Visit) -> None:
    """W-TRN-10"""
    page = visit(pseudo_site, "ar-XB/mod.html")
    directions = page.evaluate(
        """() => Object.fromEntries(['html', 'pre', '.prose', '.math', 'p code'].map(name =>
          [name, getComputedStyle(document.querySelector(name)).direction]))"""
    )
    assert directions == {
        "html": "rtl",
        "pre": "ltr",
        ".prose": "rtl",
        ".math": "ltr",
        "p code": "ltr",
    }
    # The prose stands where a reader starts: on the right, and the code on the left.
    prose, code = (page.locator(name).first.bounding_box() for name in (".row .prose", "pre"))
    assert prose
    assert code
    assert prose["x"] > code["x"]
