"""
---
title: Prose without markup
summary: Most comments are one plain sentence, which no block syntax needs to be looked for in.
---
# Prose without markup

Three of four sections of an ordinary module hold one paragraph of letters, formulas and a few signs
that mean nothing to Markdown. They are told here, by what they consist of, so that the steps which
look for lists, tables, fences, HTML and emphasis can be left out. What comes out is the same, and
the tests compare the two ways; a text that is not certain to be plain takes the long one.
"""

import re

from pylit.math.find import CLOSE, OPEN

SIGNS = r" ,.;:()'\"?%=/+\n\-"
OTHER_SIGNS = "\u3001\u3002\uff0c\uff1b\uff1a\uff08\uff09\u0d80-\u0dff\u200d"
"""Chinese and Japanese stops, and Sinhala, whose vowel signs are no letters to Python."""

MEANING = re.compile(
    rf"[^\w{SIGNS}{OTHER_SIGNS}{OPEN}{CLOSE}]|_"  # Any other sign may be markup.
    rf"|(?:^|\n)(?![^\W\d_]|{OPEN})"  # A line that begins with no letter may be a list.
    r"|://|www\.| (?:\n|\Z)",  # A bare address; space at the end of a line.
    re.IGNORECASE,
)


def is_plain(text: str) -> bool:
    """Tell whether a text is one paragraph in which no sign means anything to Markdown."""
    return MEANING.search(text) is None
