"""
---
title: Anchors
summary: Each section is called by what it holds and not by its place, so that links to it last.
---
# Anchors

A link to a section should still lead there when somebody has written a comment above it. So no
section is called by its number. Its anchor is made from what it holds itself:

| section | anchor |
|---|---|
| the docstring of the module | `module` |
| a class or function | its qualified name, `MultiHeadAttention.get_scores` |
| code that begins by giving something a name | that name, `MultiHeadAttention.forward.query` |
| `if __name__ == "__main__":` | `main` |
| any other | the first words of its prose, or else of its code |

The last three stand behind the name of the class or function that they are in, with a dot between,
or behind `module`: `module.LIMIT`, `module.main`. The anchors of headings hold no dot, so a section
and a heading never dispute one.

A name belongs to the first section that begins with it; one that begins with it again goes by its
words. Only where the beginnings of two texts are equal, the second gets a `-2`. Prose is that of
the source, so the anchors are the same in all languages.
"""

import ast
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from pylit.cutting import Draft
from pylit.model import Section
from pylit.syntax_tree import statements

TOP = "module"
"""The anchor of a module's docstring, and what its other sections stand behind."""

LONGEST = 32
"""The width of the words in an anchor: some five words, or sixteen characters of Chinese."""

# The page itself gives such names to lines and sections.
LINE_ANCHOR = re.compile(r"L\d+|section-\d+")

HIDE = re.compile(r"<!--\s*pylit:\s*hide\b")
NO_WORDS = re.compile(
    r"<[^>]*>|\]\([^)]*\)|\$\$.*?\$\$|\$[^$\n]+\$|\\\(.*?\\\)|\\\[.*?\\\]"
    r"|\\begin\{(\w+\*?)\}.*?\\end\{\1\}",
    re.DOTALL,
)
"""Markup, addresses and formulas. A price may be taken for a formula here, which does no harm."""

BEGINNING = 2_000
"""The first words of a text are looked for in so many characters."""


def with_anchors(
    drafts: Sequence[Draft], lines: Sequence[str], hidden: Collection[int], names: Mapping[int, str]
) -> tuple[Section, ...]:
    """
    Make sections of the drafts of a file, each with its anchor.

    `lines` are those of the file, and `hidden` the numbers of those that no page shows; `names` is
    what [`first_names`][] has found.
    """
    anchors: dict[int, str] = {}
    used: Counter[str] = Counter()
    # Definitions come first, then what has a name, so that neither depends on any words.
    for index, draft in enumerate(drafts):
        if draft.kind in ("module", "class", "function"):
            base = draft.name or TOP
            if LINE_ANCHOR.fullmatch(base):
                base = f"{base}-definition"
            anchors[index] = unique(base, used)
    starts = [code_start(draft, lines, hidden) for draft in drafts]
    for index, draft in enumerate(drafts):
        name = names.get(starts[index], "")
        anchor = f"{draft.name or TOP}.{name}"
        if index not in anchors and name and not used[anchor]:
            anchors[index] = unique(anchor, used)
    for index, draft in enumerate(drafts):
        if index not in anchors:
            words = prose_words(draft.text) or code_words(starts[index], lines) or draft.kind
            anchors[index] = unique(f"{draft.name or TOP}.{words}", used)
    return tuple(
        Section(
            draft.kind,
            anchors[index],
            draft.name,
            draft.prose,
            draft.code,
            draft.text,
            draft.text_lines,
        )
        for index, draft in enumerate(drafts)
    )


def first_names(tree: ast.Module) -> dict[int, str]:
    """The name that each statement gives to something, by the line where the statement begins."""
    found: dict[int, str] = {}
    for statement in statements(tree):
        if name := bound_name(statement):
            found.setdefault(statement.lineno, name)
    return found


def bound_name(statement: ast.stmt) -> str:
    """What a statement gives a name to: `x` in `x, y = 1, 2` and in `self.x: int = 1`."""
    if isinstance(statement, ast.If):
        asked = statement.test.left if isinstance(statement.test, ast.Compare) else None
        return "main" if isinstance(asked, ast.Name) and asked.id == "__name__" else ""
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return ""
    while isinstance(target, ast.Tuple | ast.List | ast.Starred):
        if isinstance(target, ast.Starred):
            target = target.value
        elif target.elts:
            target = target.elts[0]
        else:
            return ""
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def code_start(draft: Draft, lines: Sequence[str], hidden: Collection[int]) -> int:
    """The first line of the code of a section that is shown and no comment, or 0."""
    if not draft.code:
        return 0
    code = range(draft.code.first, draft.code.last + 1)
    shown = (line for line in code if line not in hidden)
    return next((line for line in shown if slug(without_comment(lines[line - 1]))), 0)


def without_comment(line: str) -> str:
    """A line of code up to the first number sign, which seldom stands in a string."""
    return line.partition("#")[0]


def prose_words(text: str) -> str:
    """The first words of a piece of prose: of its heading or its first paragraph that has any."""
    # What the author hides further down gives no words either.
    shown = NO_WORDS.sub(" ", HIDE.split(text[:BEGINNING], maxsplit=1)[0])
    words = ""
    for line in shown.split("\n"):
        heading = line.lstrip().startswith("#")
        if words and (heading or not line.strip()):
            break
        words = f"{words}-{slug(line)}".strip("-")
        if words and heading:
            break
    return shorten(words)


def code_words(start: int, lines: Sequence[str]) -> str:
    """The first words of the code that starts on a line."""
    return shorten(slug(without_comment(lines[start - 1]))) if start else ""


def slug(text: str) -> str:
    """The words of a text in small letters, with hyphens between them."""
    # A vowel sign or a joiner belongs to its word, although it is no letter.
    signs = (sign if is_part_of_word(sign) else " " for sign in text.lower())
    return "-".join("".join(signs).split())


def is_part_of_word(sign: str) -> bool:
    """Tell whether a character may stand in an anchor."""
    return sign.isalnum() or unicodedata.category(sign)[0] == "M" or sign in "\u200c\u200d"


def shorten(words: str) -> str:
    """As many words as there is room for; of a single long one, its beginning."""
    room = LONGEST
    for end, sign in enumerate(words):
        room -= 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if room < 0:
            whole = words[: end + 1].rpartition("-")[0]
            return whole or words[:end]
    return words


def unique(name: str, used: Counter[str]) -> str:
    """Make an anchor unique on its page."""
    used[name] += 1
    return name if used[name] == 1 else unique(f"{name}-{used[name]}", used)
