"""
---
title: The text of docstrings and comments
summary: How the Markdown is taken out of string literals, comment signs and front matter.
---
# The text of docstrings and comments

Prose is read from the *source text*, never from `__doc__`: in a string that is not raw, Python
turns `\theta` into a tab and `heta` before anybody could typeset it.
"""

import ast
import bisect
import re
import textwrap
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

from pylit.docstring_styles import to_markdown
from pylit.model import Span
from pylit.syntax_tree import statements

LITERAL = re.compile(
    r"(?P<prefix>[rRuU]?)(?P<quote>\'\'\'|\"\"\"|\'|\")(?P<body>.*)(?P=quote)", re.DOTALL
)
# A line of nothing but one repeated sign is drawn for the eye in an editor. In Markdown it would
# turn the line above into a heading.
BANNER = re.compile(r"#+\s*$|#?\s*([-=*~_#])\1{9,}\s*#*\s*$")
BANNER_EDGE = re.compile(r"\s+#+$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """The string that documents something: its lines in the file, and its Markdown."""

    span: Span
    text: str
    text_lines: tuple[int, ...]


def find_docstrings(
    tree: ast.Module, tokens: Sequence[tokenize.TokenInfo], lines: Sequence[str]
) -> dict[ast.AST, Docstring]:
    """
    Find the docstring of the module and of each class and function.

    One that shares a line with other code is left out: it stays in the code column.
    """
    found: dict[ast.AST, Docstring] = {}
    for node in (tree, *statements(tree)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        statement = node.body[0] if node.body else None
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
            continue
        value = statement.value.value
        line, column = statement.lineno, statement.col_offset
        # The column counts bytes, but only white space may stand before a statement of its own.
        if not isinstance(value, str) or lines[line - 1][:column].strip():
            continue
        # An indentation begins where the string does, and stands before it.
        start = bisect.bisect_right(tokens, (line, column), key=lambda token: token.start) - 1
        if tokens[start].start != (line, column):
            continue
        end = start
        while tokens[end].type not in (tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER):
            if tokens[end].string == ";":
                break
            end += 1
        if tokens[end].type != tokenize.NEWLINE and not is_note_to_tools(tokens[end].string):
            continue
        span = Span(line, statement.end_lineno or line)
        literal = tokens[start]
        single = end == start + 1
        match = LITERAL.fullmatch(literal.string) if single else None
        # Strings that are joined or stand in brackets have no one source text; their value must do.
        body = (
            plain_body(match["body"], raw=bool(match["prefix"] in "rR" and match["prefix"]))
            if match
            else value
        )
        found[node] = Docstring(span, *to_markdown(*dedent(body, span)))
    return found


def is_note_to_tools(comment: str) -> bool:
    """Tell whether the comment behind a docstring is only for tools, as in `# noqa: D400`."""
    return bool(re.match(r"#\s*(noqa|pylint:|type:|pragma)", comment))


def plain_body(body: str, *, raw: bool) -> str:
    r"""
    Undo what an author has to write only because the prose is inside a string.

    That is `\"` for a quote, a backslash at the end of a line, and, where *every* backslash is
    doubled, `\\theta` for `\theta`. Single backslashes are TeX and stay.
    """
    if raw or "\\" not in body:
        return body
    body = re.sub(r"\\(?=\n)", "", body)
    body = body.replace('\\"', '"').replace("\\'", "'")
    runs = re.findall(r"\\+", body)
    if runs and all(len(run) % 2 == 0 for run in runs):
        body = body.replace("\\\\", "\\")
    return body


def dedent(body: str, span: Span) -> tuple[str, tuple[int, ...]]:
    """Take away the common indentation and the empty lines at both ends, as `inspect` does."""
    first, *rest = body.expandtabs().split("\n")
    # A docstring may be longer in its value than in the file, when it holds `\n`.
    numbers = [min(span.first + index, span.last) for index in range(len(rest) + 1)]
    texts = (
        [first.strip(), *textwrap.dedent("\n".join(rest)).split("\n")] if rest else [first.strip()]
    )
    return trim([line.rstrip("\r\f\v") if line.strip() else "" for line in texts], numbers)


def trim(texts: list[str], numbers: list[int]) -> tuple[str, tuple[int, ...]]:
    """Drop empty lines at both ends, with their numbers."""
    while texts and not texts[-1].strip():
        texts.pop()
    start = next((index for index, line in enumerate(texts) if line.strip()), 0)
    kept = texts[start:]
    return "\n".join(kept), tuple(numbers[start : start + len(kept)])


def comment_text(lines: Sequence[str], span: Span) -> tuple[str, tuple[int, ...]]:
    """Take the comment signs away from whole-line comments, and one space behind each."""
    texts = []
    comments = [lines[number - 1].strip() for number in range(span.first, span.last + 1)]
    boxed = any(BANNER.match(comment) and len(comment) > 1 for comment in comments)
    for comment in comments:
        text = "" if BANNER.match(comment) else comment[1:].removeprefix(":").expandtabs()
        text = text.removeprefix(" ").rstrip()
        # Banners above and below often have a third one at the right.
        texts.append(BANNER_EDGE.sub("", text) if boxed else text)
    made = trim(texts, list(range(span.first, span.last + 1)))
    # Sphinx takes `#:` for the docstring of what is assigned below.
    return to_markdown(*made) if all(each.startswith("#:") for each in comments) else made
