"""
---
title: Style sheets
summary: Which sheets there are, what is in each, and which of them a page needs.
---
# Style sheets

The styles of the theme are small files, split by duty. `styles/order.txt` says which of them make a
sheet, so that a page loads little:

- `style.css` is what every page needs before it is painted;
- `asked.css` is what a reader sees only after doing something, such as a dialog. A script loads it
  then; without scripts it is there from the start;
- the others are for what some pages have: text of its own kinds, lists of pages, another script,
  passages that are not translated.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import rcssmin
from markupsafe import Markup

from pylit.model import Language, Page
from pylit.places import theme_folder

# What the styles in `aside.css` are for, besides pages of text and folded code.
ASIDE = re.compile(
    r"<(?:blockquote|details|dl|figure|hr|mark|table)\b"
    r'|class="(?:[^"]* )?(?:admonition|align-|fault|footnote|task-list)'
    # The classes of Pygments have one to three signs.
    r'|<span class="[a-z]\w{0,2}">'
)
# The language of a passage. A script that needs more than others has a sheet of its name.
LANG = re.compile(r' lang="([a-z]+)')
# A value of an attribute that needs no quotes.
QUOTED = re.compile(r'\[([\w-]+)="([A-Za-z][\w-]*)"\]')


def style_sheets(folders: Sequence[Path], math_css: str) -> dict[str, str]:
    """
    The style sheets by name, as `order.txt` lists them: a line for each, with its parts in order.

    A part is taken from the first of the `folders` that has it; the last one is the theme's. The
    first sheet ends with the site's own rules and with those of formulas.
    """
    made: dict[str, str] = {}
    for name, parts in sheet_order().items():
        texts = [style(folders, f"{part}.css") for part in parts]
        if not made:
            own = folders[0] / "styles" / "site.css"
            if folders[0] != theme_folder() and own.is_file():
                texts.append(own.read_text(encoding="utf-8"))
            texts.append(math_css)
        # What the comments say is for those who read the theme, not for those who read a page.
        short = str(rcssmin.cssmin("\n".join(texts)))
        made[f"{name}.css"] = QUOTED.sub(r"[\1=\2]", short)
    return made


@cache
def sheet_order() -> dict[str, list[str]]:
    """The parts of each sheet, in their order; a theme does not change while it is used."""
    order = (theme_folder() / "styles" / "order.txt").read_text(encoding="utf-8")
    return {name: parts for name, *parts in map(str.split, order.splitlines())}


def style(folders: Sequence[Path], name: str) -> str:
    """A part of the styles: the site's own, if it has one of that name."""
    own = (folder / "styles" / name for folder in folders)
    return next(file for file in own if file.is_file()).read_text(encoding="utf-8")


def sheets_of(page: Page, source_language: Language) -> list[str]:
    """The style sheets that a page needs besides those that every page has."""
    found = []
    if page.kind == "contents" or page.children or page.dependencies:
        found.append("contents.css")
    folds = any(line.fold for row in page.rows for line in row.code)
    if folds or any(row.kind == "markdown" or ASIDE.search(row.prose) for row in page.rows):
        found.append("aside.css")
    own = page.language.tag.partition("-")[0]
    inside = {tag for row in page.rows for tag in LANG.findall(row.prose)}
    found += [f"{tag}.css" for tag in sorted({own, *inside}) if tag in sheet_order()]
    if page.language != source_language and is_behind(page):
        found.append("translated.css")
    return found


def is_behind(page: Page) -> bool:
    """Whether a page is about what is not translated, or shows some of it, or says so."""
    known = page.translation
    return (
        page.kind == "translation"
        or known.translated < known.messages
        or known.machine + known.fuzzy + len(page.passages) > 0
        or not all(figure.translated for figure in page.figures)
    )


@dataclass(frozen=True, slots=True)
class Inlined:
    """
    What a page has inside that no link of it could reach: a style sheet, and the site's picture.

    `allowed` is what the page's policy has to say so that a browser takes the style.
    """

    style: Markup
    allowed: Markup
    icon: str


def inlined(sheet: bytes, icon: bytes) -> Inlined:
    """A style sheet as the content of a `style` element, a picture as an address."""
    text = sheet.decode().replace("</", "<\\/")
    digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
    picture = f"data:image/svg+xml;base64,{b64encode(icon).decode()}"
    return Inlined(Markup(text), Markup(f" 'sha256-{digest}'"), picture)
