"""Which pages the browser tests look at, and questions that more than one of them asks."""

from typing import Any

from playwright.sync_api import Page

from tests.conftest import ROOT

WIDTHS = (1440, 768, 390)
"""A desk, a tablet held upright, a phone."""

SCHEMES = ("light", "dark")

LONG = "transformers/xl/relative_mha.html"
"""The richest page: formulas with named terms, long prose, methods with and without prose."""

SOURCE = ROOT / "labml_nn/transformers/xl/relative_mha.py"


def line_of(code: str) -> int:
    """The number of the line of the richest page that begins with some code."""
    lines = SOURCE.read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(code))


IMPORTS = line_of("import torch")
BODY = line_of("dim = dim %")
HEADER = line_of("def shift_right(")
END = line_of("return content + position")

PAGES = (
    "index.html",
    "transformers/mha.html",
    "transformers/models.html",
    LONG,
    "pylit/model.html",
    "guides/syntax.html",
)
"""Pages of this repository's site."""

TRANSLATED = (f"zh/{LONG}", f"ja/{LONG}", f"si/{LONG}")

HARD = ("long_lines.html", "text.html", "ar/long_lines.html", "ar/text.html")
"""Pages of the small site in `hard/`."""

RGB = """
color => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
"""


def luminance(color: list[int]) -> float:
    """The relative luminance of WCAG 2."""
    parts = [value / 255 for value in color]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[int], other: list[int]) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def box(page: Page, selector: str) -> dict[str, Any]:
    """Where the first element that matches stands in the window."""
    found = page.locator(selector).first.bounding_box()
    assert found, f"{selector} is not shown"
    return dict(found)
