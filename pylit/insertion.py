"""
---
title: Putting formulas in
summary: Typeset formulas take the places of their marks, and named terms get their colours.
---
# Putting formulas in

All formulas of the site are typeset at once, after all prose has been drafted. Then each takes the
place of its mark. One that could not be typeset is shown as it was written, with the reason.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pylit.math.find import CLOSE, LESS, MARK, OPEN, Found
from pylit.math.typeset import Formula, FormulaError, Typeset
from pylit.model import Fragment, Heading
from pylit.prose import Draft


@dataclass(frozen=True, slots=True)
class MathTemplates:
    """How the theme wraps a formula: inline, displayed, and one that could not be typeset."""

    inline: Callable[[Markup, str], Markup]
    display: Callable[[Markup, str], Markup]
    error: Callable[[str, str], Markup]


def finish(
    draft: Draft,
    typeset: Mapping[Formula, Typeset | FormulaError],
    templates: MathTemplates,
    colors: Mapping[str, int],
) -> Fragment:
    """
    Put the typeset formulas in, and give each named term of the page its colour.

    A formula that could not be typeset is shown as it was written, with the reason.
    """

    def insert(mark: re.Match[str]) -> str:
        found = draft.found[int(mark[1])]
        result = typeset.get(found.formula)
        if result is None or isinstance(result, FormulaError):
            message = result.message if result else "this formula was not typeset"
            return str(templates.error(found.source, message))
        wrap = templates.display if found.formula.display else templates.inline
        return str(wrap(Markup(result.html), found.formula.tex))

    html = draft.html
    if OPEN in html:
        html = BLOCK_MARK.sub(lambda block: insert(MARK.search(block[0]) or block), html)
        html = MARK.sub(insert, html)
    html = color_terms(html, colors)
    headings = tuple(
        Heading(heading.level, heading.anchor, plain_title(heading.title, draft.found, typeset))
        for heading in draft.headings
    )
    return Fragment(Markup(html), headings, draft.messages, draft.untranslated)


BLOCK_MARK = re.compile(f"<div>{OPEN}\\d+{CLOSE}</div>")
TERM = re.compile(r'(?:class="term" )?data-term="([^"]*)"')


def color_terms(html: str, colors: Mapping[str, int]) -> str:
    """Add the class that gives a named term its colour."""
    if "data-term" not in html:
        return html
    return TERM.sub(
        lambda term: f'class="term term-{colors.get(term[1], 0)}" data-term="{term[1]}"', html
    )


def plain_title(
    title: str, found: Sequence[Found], typeset: Mapping[Formula, Typeset | FormulaError]
) -> str:
    """A heading as plain text: its formulas as they are read, without markup."""

    def read(mark: re.Match[str]) -> str:
        formula = found[int(mark[1])]
        result = typeset.get(formula.formula)
        return result.text if isinstance(result, Typeset) else formula.source

    return " ".join(MARK.sub(read, title).replace(LESS, "<").split())
