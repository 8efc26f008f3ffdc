"""
---
title: Lines of Chinese and Japanese
summary: Where a line ends between two wide characters, no space belongs.
---
# Lines of Chinese and Japanese

A line that ends in the source is a space to a browser. Chinese and Japanese write no space between
words, so a paragraph that was wrapped there would get holes. Where both neighbours of a line end
are wide characters, the lines are joined, also across the signs of emphasis, code and links.
Korean, which has spaces, is left alone.
"""

import re

WIDE = (
    "\u2e80-\u2fdf\u3000-\u303e\u3041-\u312f\u3190-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf"
    "\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\U00020000-\U0003fffd"
)
"""Characters as wide as they are high, but for Hangul, for use in a pattern."""

LINE_END = re.compile(rf"([{WIDE}](?:[*_`\]]|\([^()\s]*\))*)[ \t]?\n[ \t]*(?=[*_`\[]*[{WIDE}])")


def join_wide(text: str) -> str:
    """Join the lines that end between two wide characters."""
    return LINE_END.sub(r"\1", text) if "\n" in text else text
