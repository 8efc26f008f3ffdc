"""
---
title: Directives in Python
summary: Which lines a page hides or folds, which comments stay code, and where sections are cut.
---
# Directives in Python

A comment of its own speaks of what is below it. Behind code, a directive speaks of the statement
that it stands in: `hide` behind `import os` of that line, behind `def f():` of the whole function,
with its decorators. `fold` leaves the header in the open, as an editor does, or the first line of a
statement that has several.

What is hidden takes its definitions along, so nothing on the site leads to them. It is still run
where the module is run, and it is in the notebook.
"""

import ast
import io
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pylit.directives import (
    BEHIND,
    IN_COMMENT,
    IN_PROSE,
    Directive,
    blocks,
    find_fault,
    problem,
)
from pylit.model import Problem, Span
from pylit.syntax_tree import statements

Compound = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.If
    | ast.For
    | ast.AsyncFor
    | ast.While
    | ast.With
    | ast.AsyncWith
    | ast.Try
    | ast.TryStar
    | ast.Match
)


@dataclass(frozen=True, slots=True)
class Directives:
    """
    What the directives of a file ask for.

    `prose` has the lines of comments that are a directive of Markdown, in that form. `silent` are
    the lines of directives, which no page shows; `hidden` are those that they hide, and `code` are
    comments that are to stay code. `folds` are the lines of each fold. `starts` are lines where a
    section starts, `joins` those below which none does.
    """

    prose: Mapping[int, str]
    silent: frozenset[int]
    hidden: frozenset[int]
    code: frozenset[int]
    folds: tuple[Span, ...]
    starts: frozenset[int]
    joins: frozenset[int]
    problems: tuple[Problem, ...]


NONE = Directives(
    {}, frozenset(), frozenset(), frozenset(), (), frozenset(), frozenset(), ()
)  # fmt: skip


def read_directives(
    path: str, tree: ast.Module, tokens: Sequence[tokenize.TokenInfo], lines: Sequence[str]
) -> Directives:
    """Read the directives of a Python file."""
    comments = {
        token.start[0]: token
        for token in tokens
        if token.type == tokenize.COMMENT and "pylit:" in token.string
    }
    found = [directive for token in comments.values() for directive in written_in(token, lines)]
    if not found:
        return NONE
    problems: list[Problem] = []
    good: list[Directive] = []
    for directive in found:
        fault = find_fault(directive)
        if fault:
            problems.append(problem(path, directive, fault))
        elif directive.name not in IN_PROSE:
            good.append(directive)
    pairs, unpaired = blocks(good, path)
    problems += unpaired
    spans = [
        (first.name, Span(first.line + fold, last.line - fold))
        for first, last in pairs
        # The directives themselves are no lines of a fold.
        for fold in (first.name == "fold",)
    ]
    for directive in good:
        if directive.place == "behind":
            span = statement_at(tree, directive.line, inside=directive.name == "fold")
            if span:
                spans.append((directive.name, span))
            else:
                message = (
                    "this line is only a part of a statement; write the directive behind its first"
                    " line, or put the lines between it and # pylit: end"
                )
                problems.append(problem(path, directive, message))
    hidden = {
        line for name, span in spans if name == "hide" for line in range(span.first, span.last + 1)
    }
    alone = [directive for directive in good if directive.place == "alone"]
    silent = {d.line for d in alone} - {p.line for p in unpaired}
    folds = [span for name, span in spans if name == "fold" and span.first <= span.last]
    stay = {line for d in alone if d.name == "code" for line in comment_below(d, lines)}
    starts, joins = (frozenset(d.line for d in alone if d.name == n) for n in ("break", "join"))
    prose = {
        d.line: str(replace(d, place="prose"))
        for d in found
        if d.place == "alone" and d.name in IN_PROSE and d.line not in hidden
    }
    problems = [each for each in problems if each.line not in hidden or each in unpaired]
    return Directives(
        prose,
        frozenset(silent),
        frozenset(hidden),
        frozenset(stay),
        tuple(sorted(folds)),
        starts,
        joins,
        tuple(problems),
    )


def written_in(token: tokenize.TokenInfo, lines: Sequence[str]) -> list[Directive]:
    """The directive in a comment: all of it, or behind another note to a tool."""
    line, column = token.start
    start = BEHIND.search(token.string)
    if start is None:
        return []
    alone = not lines[line - 1][:column].strip()
    if alone and start.start():
        return []
    match = IN_COMMENT.match(token.string[start.start() :].strip())
    if match is None:
        return []
    return [Directive(match["name"], match["words"].strip(), line, "alone" if alone else "behind")]


def without_directives(text: str) -> list[str | None]:
    """The lines of a Python file as they are without directives; a line that was one is `None`."""
    lines: list[str | None] = list(text.split("\n"))
    if "pylit:" not in text:
        return lines
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        number, column = token.start
        line = lines[number - 1]
        if token.type != tokenize.COMMENT or line is None:
            continue
        for directive in written_in(token, text.split("\n")):
            if find_fault(directive):
                continue
            start = BEHIND.search(token.string)
            kept = line[: column + start.start()].rstrip() if start else line
            lines[number - 1] = kept if directive.place == "behind" else None
    return lines


def statement_at(tree: ast.Module, line: int, *, inside: bool) -> Span | None:
    """
    The lines of the innermost statement at a line, with its decorators.

    With `inside`, what an editor would fold of it: all behind its header, or its first line, unless
    there is no more. Nothing in the middle of a statement, such as at an `else`.
    """
    found: ast.stmt | None = None
    for node in statements(tree):
        if node.lineno <= line <= (node.end_lineno or 0):
            # An inner statement is visited after the one around it.
            found = node
    if found is None:
        return None
    first, last = start_of(found), found.end_lineno or found.lineno
    body = first + 1
    if isinstance(found, Compound):
        body = (
            found.cases[0].pattern.lineno
            if isinstance(found, ast.Match)
            else start_of(found.body[0])
        )
        if line >= body:
            return None
    return Span(body if inside and body <= last else first, last)


def start_of(node: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def comment_below(directive: Directive, lines: Sequence[str]) -> list[int]:
    """The lines of the comment directly below a directive, at its indentation."""
    margin = indent_of(lines[directive.line - 1])
    found: list[int] = []
    for number in range(directive.line + 1, len(lines) + 1):
        text = lines[number - 1]
        if not text.lstrip().startswith("#") or indent_of(text) != margin:
            break
        if IN_COMMENT.match(text.strip()):
            break
        found.append(number)
    return found


def indent_of(text: str) -> int:
    """How far a line is indented."""
    return len(text) - len(text.lstrip())
