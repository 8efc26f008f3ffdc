"""
The picture in the README is a screenshot of the built page.

`make golden` takes it anew. Fonts differ between machines, so its pixels are not compared; that it
is there, has the size of the window and was taken of this page is.
"""

from collections.abc import Callable
from pathlib import Path

import imagesize
import pytest

from tests.browser.pages import LONG
from tests.conftest import ROOT

PICTURE = ROOT / "guides/pictures/relative_mha.png"
WIDTH, HEIGHT = 1280, 720


def test_the_picture_shows_the_page(
    site: Path, watch: Callable, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    page = watch(site, LONG, width=WIDTH, height=HEIGHT).page
    row = page.locator("[id='RelativeMultiHeadAttention.reset_parameters']")
    row.evaluate("element => element.scrollIntoView({ block: 'end', behavior: 'instant' })")
    target = PICTURE if request.config.getoption("--golden") else tmp_path / "now.png"
    page.screenshot(path=target)
    assert imagesize.get(target) == (WIDTH, HEIGHT)
    assert imagesize.get(PICTURE) == (WIDTH, HEIGHT)
    # The window holds what the README promises: named terms and formulas, beside code.
    seen = page.evaluate(
        "selector => [...document.querySelectorAll(selector)].some(element => {"
        " const box = element.getBoundingClientRect();"
        " return box.top > 0 && box.bottom < innerHeight; })",
        "[data-term]",
    )
    assert seen
    assert page.locator(".line").first.is_visible()
