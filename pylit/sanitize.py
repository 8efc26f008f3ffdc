"""
---
title: What HTML may stand in prose
summary: The allow-list of tags and attributes; scripts and handlers never reach a page.
---
# What HTML may stand in prose

Prose and translations come from many hands. They may hold the HTML that is listed here; anything
else is shown as text or dropped. Scripts, event attributes and `javascript:` addresses never reach
a page. The cleaning itself is done by `nh3`, after Markdown and before formulas are put in.

Pictures are copied as they are. In a page an SVG runs nothing; opened by itself, it is a document
of the site, and its scripts would run as the site's own. So one that holds any is reported.
"""

import re
from functools import cache

import nh3

TAGS = frozenset(
    # One string, since a list of forty lines is harder to check against a page's HTML.
    """
    a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em
    figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby
    s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var wbr
    """.split()  # noqa: SIM905 (see above)
)
ATTRIBUTES = {
    "*": {"class", "id", "lang", "dir", "title", "role", "data-term"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height", "loading"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
    "details": {"open"},
    "input": {"type", "checked", "disabled"},
}
NUMBERED = {**ATTRIBUTES, "*": {*ATTRIBUTES["*"], "data-message"}}
"""What else a block has while translators look at it."""

SCHEMES = {"http", "https", "mailto"}


SVG_SCRIPT = re.compile(
    rb"""<(?:\w+:)?script\b|<[^<>]*\son[a-z]+\s*=|<[^<>]*href\s*=\s*["']?\s*javascript:""",
    re.IGNORECASE,
)


def holds_script(path: str, content: bytes) -> bool:
    """Tell a picture that runs something when it is opened by itself."""
    return path.lower().endswith(".svg") and bool(SVG_SCRIPT.search(content))


def sanitize(html: str, *, numbered: bool = False) -> str:
    """Drop what the allow-list does not name. A plain piece of HTML comes back as it was."""
    return cleaner(numbered).clean(html)


@cache
def cleaner(numbered: bool) -> nh3.Cleaner:
    """The allow-list, handed over once and not with each piece of HTML."""
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags={"script", "style"},
        attributes=NUMBERED if numbered else ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel=None,
    )
