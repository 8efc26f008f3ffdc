r"""
---
title: The style sheet of formulas
summary: Only the rules, fonts and letters that the site's formulas use.
---

# The style sheet of formulas

MathJax's full style sheet has a rule for each letter of each of its fonts, 3,000 in all, and the
fonts weigh 300 KB. A site needs a tenth of that. `assets` looks at the site's HTML and takes:

1. of the rules, those whose elements, classes and attributes occur;
2. of each font that is in use, the letters that are in use;
3. for each colour, the two shades of [colors](colors.html).

Nothing on a page moves when a font arrives: the style sheet states the width and height of each
letter, and while a font loads, its letters are left blank. One font, without any letters, sets the
base line for all of them; it is so small that it is part of the style sheet.
"""

from __future__ import annotations

import base64
import html
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from pylit.math.bundle import BUNDLE, find_bundle
from pylit.math.colors import color_rules
from pylit.math.fonts import measures_font, subset_font

TAG = re.compile(r"<(mjx-[^>]+)>")
ATTRIBUTE = re.compile(r' ([a-z-]+)(?:="([^"]*)")?')
SELECTOR_TAG = re.compile(r"mjx-[\w-]+")
SELECTOR_ATTRIBUTE = re.compile(r'\[([\w-]+)(?:="?([^"\]]*)"?)?\]')
COMPOUND = re.compile(r"(?:\.[\w-]+)+")
LETTERS = re.compile(r"<mjx-(?:c|beg|ext|mid|end)([^>]*)>(?:<mjx-spacer>)?([^<]+)<")
FONT_CLASS = re.compile(r"TEX-([A-Z0-9]+)")

# Rules for an element alone, and for the parts of a tall sign.
ALIKE = re.compile(r"mjx-[\w-]+|mjx-stretchy-[hv]\.mjx-c[0-9A-F]+>mjx-[\w-]+(?:>mjx-spacer)?")

# The font of letters that name no other one.
MAIN = "N"

# What MathJax's rules leave to the page, and what our own HTML needs: a letter of its own, without
# the box of a sign around it, is clipped like one inside such a box. What screen readers read
# takes no place and is not copied with the formula beside it, nor, being inline, as an empty line.
OWN_RULES = """\
mjx-container{position:relative;white-space:nowrap}
mjx-container[display]{display:block;text-align:center;padding:.3em 2px}
mjx-container>math{display:block;position:absolute;top:0;left:0;width:1px;height:1px;overflow:hidden;
clip-path:inset(50%);-webkit-user-select:none;user-select:none}
mjx-container>math *{display:inline}
mjx-break{white-space:normal;font-size:0}
mjx-c{clip-path:padding-box inset(-2px -1em)}
[strut]>mjx-c{padding-top:var(--strut)}"""
# The rules of MathJax that these stand for, and those of things that are never on a page.
REPLACED = re.compile(
    r"mjx-container(?:\[(?:display|justify|overflow|width)[^{,]*\])?\{"
    r"|mjx-break|mjx-selected|mjx-merror|mjx-mo>mjx-c,"
)


@dataclass(frozen=True, slots=True)
class Assets:
    """A style sheet, and the font files that it names, by their file names.

    `baseline` is the address, with all its content, of the font that sets the base line. A page
    must ask for it in its head, or its formulas move once, just after they are first painted:

        <link rel="preload" as="font" type="font/woff2" crossorigin href="data:font/woff2;base64,…">
    """

    css: str
    fonts: Mapping[str, bytes]
    baseline: str


@dataclass(frozen=True, slots=True)
class Use:
    """What occurs in the site's formulas.

    `classes` are the sets of classes that some element has together, and `letters` are listed by
    their font.
    """

    tags: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    classes: frozenset[frozenset[str]]
    letters: Mapping[str, frozenset[str]]

    def allows(self, selector: str) -> bool:
        """Whether some element may match `selector`."""
        asked = re.sub(r":not\([^)]*\)", "", selector)
        if not self.tags.issuperset(SELECTOR_TAG.findall(re.sub(r"\.[\w-]+|\[[^]]*\]", "", asked))):
            return False
        for name, value in SELECTOR_ATTRIBUTE.findall(asked):
            if (name, value) not in self.attributes:
                return False
        compounds = COMPOUND.findall(re.sub(r"\[[^]]*\]", "", asked))
        return all(frozenset(compound[1:].split(".")) in self.classes for compound in compounds)


def find_use(fragments: Iterable[str]) -> Use:
    """What occurs in pieces of HTML, which may be whole pages."""
    tags: set[str] = set()
    letters: dict[str, set[str]] = defaultdict(set)
    for fragment in fragments:
        tags.update(TAG.findall(fragment))
        for written, text in set(LETTERS.findall(fragment)):
            font = FONT_CLASS.search(written)
            # The lines of a tall sign are not letters.
            letters[font[1] if font else MAIN].update(html.unescape(text).replace("\n", ""))
    names: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    classes: set[frozenset[str]] = set()
    for name, attributes, together in map(read_tag, tags):
        names.add(name)
        pairs |= attributes
        classes |= together
    used = {font: frozenset(found) for font, found in letters.items()}
    return Use(frozenset(names), frozenset(pairs), frozenset(classes), used)


@lru_cache(10_000)
def read_tag(
    tag: str,
) -> tuple[str, frozenset[tuple[str, str]], frozenset[frozenset[str]]]:
    """The name of an element, its attributes, and the sets of classes that a rule may ask for."""
    name, _, rest = tag.partition(" ")
    pairs: set[tuple[str, str]] = set()
    classes: set[frozenset[str]] = set()
    for key, value in ATTRIBUTE.findall(" " + rest):
        # A rule may ask for an attribute alone or with its value.
        pairs |= {(key, ""), (key, value)}
        if key == "class":
            together = value.split()
            for size in range(1, len(together) + 1):
                classes.update(map(frozenset, combinations(together, size)))
    return name, frozenset(pairs), frozenset(classes)


def merge(uses: Iterable[Use]) -> Use:
    """What occurs in several pieces together."""
    tags: set[str] = set()
    attributes: set[tuple[str, str]] = set()
    classes: set[frozenset[str]] = set()
    letters: dict[str, set[str]] = defaultdict(set)
    for use in uses:
        tags |= use.tags
        attributes |= use.attributes
        classes |= use.classes
        for font, found in use.letters.items():
            letters[font] |= found
    used = {font: frozenset(found) for font, found in letters.items()}
    return Use(frozenset(tags), frozenset(attributes), frozenset(classes), used)


def assets(
    fragments: Iterable[str],
    fonts_url: str = "fonts/",
    *,
    cache: Path | None = None,
    folder: Path = BUNDLE,
) -> Assets:
    """The style sheet and fonts for the formulas in pieces of HTML.

    Args:
        fragments: The HTML, formula by formula or page by page.
        fonts_url: What comes before a font's file name in the style sheet.
        cache: The folder to keep subsets of fonts in, if any.
        folder: The folder of MathJax's files.

    Raises:
        TypesetterUnavailable: The bundle is missing; the message says what to do.
    """
    return assets_of(find_use(fragments), fonts_url, cache=cache, folder=folder)


def assets_of(
    use: Use, fonts_url: str = "fonts/", *, cache: Path | None = None, folder: Path = BUNDLE
) -> Assets:
    """The same for what is known to occur."""
    if not use.tags:
        return Assets("", {}, "")
    bundle = find_bundle(folder)
    files = {
        name: subset_font(bundle.font(f"mjx-tex-{name.lower()}.woff2"), letters, cache)
        for name, letters in sorted(use.letters.items())
    }
    content = measures_font(bundle.font("mjx-tex-zero.woff2"), cache)
    baseline = "data:font/woff2;base64," + base64.b64encode(content).decode("ascii")
    faces = [face("ZERO", baseline)]
    faces += [face(name, f"{fonts_url}{file}") for name, (file, _) in files.items()]
    rules = [
        rule
        for line in bundle.styles.read_text(encoding="utf-8").splitlines()
        if (rule := needed(line, use))
    ]
    names = {name for known in use.classes for name in known}
    # Letters of the same size one after the other make a sheet that compresses better.
    rules.sort(key=lambda rule: rule.partition("{")[2] if rule.startswith("mjx-c.") else "")
    lines = [*faces, OWN_RULES, *together(rules), *color_rules(names)]
    return Assets("\n".join(lines) + "\n", dict(files.values()), baseline)


def stylesheet(fragments: Iterable[str], fonts_url: str = "fonts/") -> str:
    """The style sheet of `assets` alone."""
    return assets(fragments, fonts_url).css


def needed(line: str, use: Use) -> str:
    """A rule with those of its selectors that can match, or nothing if none can."""
    selectors, _, body = line.partition("{")
    if selectors.startswith("@") or REPLACED.search(line):
        return ""
    kept = [selector for selector in selectors.split(",") if use.allows(selector)]
    return ",".join(kept) + "{" + body if kept else ""


def together(rules: Iterable[str]) -> list[str]:
    """
    The rules, with one for all elements, or all tall signs, that have the same declarations.

    No two of them speak of the same element, so their order does not matter.
    """
    joined: dict[tuple[str, str], list[str]] = defaultdict(list)
    for rule in rules:
        selector, _, body = rule.partition("{")
        joined["" if ALIKE.fullmatch(selector) else selector, body].append(selector)
    return [",".join(selectors) + "{" + body for (_, body), selectors in joined.items()]


def face(name: str, url: str) -> str:
    """The rule that names one font's file; until it comes, its letters are left blank."""
    return f'@font-face{{font-family:MJX-TEX-{name};font-display:block;src:url("{url}")}}'
