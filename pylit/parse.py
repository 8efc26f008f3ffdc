r"""
---
title: From a Python file to sections
summary: Four rules over the syntax tree and the tokens split annotated Python into sections.
---
# From a Python file to sections

Nothing is imported and nothing is guessed from quotes: the syntax tree (`ast`) says where classes,
functions and docstrings are, the tokens (`tokenize`) say where comments are.

1. A class or function **header**, decorators included, starts a section. A comment directly above
   it belongs to it, and its docstring is its prose.
2. Code **after the docstring** of a class or function starts a new section. Code after a module's
   docstring stays beside it.
3. A **whole-line comment** after code starts a new section. One space after `#` is dropped; the
   rest of the indentation is Markdown's.
4. A comment **separated by a blank line**, or written at another indentation, starts a new section.
   A bare `#` between comment lines is a paragraph break; alone it is a divider, and the code below
   starts a section with empty prose.

Two consequences are worth knowing. Where a comment stands above a header that also has a
docstring, the comment is a section of its own just before. And code that follows the *end* of a
class or function starts a section of its own, so that it is never filed under the name before it.

What is **not** prose: comments after code on the same line, comments inside a header, directives to
tools (`noqa`, `type:`, `fmt:`, `pylint:`, `pragma`, `region`, …) and lines that start with `#!`,
the mark for commented-out code that is to stay code. A shebang, an encoding line and the cell
markers of notebook editors (`# %%`) are not shown at all. A docstring that shares a line with other
code stays code.

The invariant that the tests hold over the standard library and more: **every line that is not
blank belongs to exactly one section, once, in order, with its true number.**
"""

import ast
import bisect
import io
import re
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pylit.anchors import first_names, with_anchors
from pylit.cutting import Comment, Cuts, Draft, Scope, cut
from pylit.directives_prose import read_prose
from pylit.directives_python import read_directives
from pylit.docstring import Docstring, find_docstrings
from pylit.errors import ParseError
from pylit.front_matter import read_front_matter
from pylit.model import Module, Problem, SectionKind, Source, Span
from pylit.scopes import other_names
from pylit.syntax_tree import parse_quietly, statements_in

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

# A directive is recognised by its first word, and only in the form that its tool reads, so that
# a sentence such as "Type of the mask" stays prose.
DIRECTIVE = re.compile(
    r"""\#\s*(?:
        noqa\b | type:\s | fmt:\s | yapf:\s | isort:\s? | pylint:\s | pyright:\s | mypy:\s | ruff:\s
      | flake8:\s | nosec\b | pragma:\s | pragma\s+no | black:\s | doctest:\s | pyre- | pytype:\s
      | (?:end)?region\b | spell-checker: | cspell: | sourcery\s | skipcq\b | noinspection\s
      | pylit:
      )""",
    re.VERBOSE,
)
CELL_MARKER = re.compile(r"#\s*%%")
ENCODING = re.compile(r"#.*?coding[:=][ \t]*[-\w.]+")


def parse(source: Source) -> Module:
    """
    Split a Python source into sections.

    Raises `ParseError` with file, line and column when the text is not Python.
    """
    lines = source.text.split("\n")
    tree = read_tree(source)
    tokens = read_tokens(source)
    asked = read_directives(source.path, tree, tokens, lines)
    docstrings = {
        node: docstring
        for node, docstring in find_docstrings(tree, tokens, lines).items()
        if docstring.span.first not in asked.hidden
    }
    comment_columns = {
        token.start[0]: token.start[1]
        for token in tokens
        if token.type == tokenize.COMMENT
        and not lines[token.start[0] - 1][: token.start[1]].strip()
    }
    line_ends = [token.start[0] for token in tokens if token.type == tokenize.NEWLINE]
    scopes = [
        scope
        for scope in find_scopes(tree, docstrings, line_ends)
        if scope.header.first not in asked.hidden
    ]
    silent = frozenset(
        number for number in comment_columns if is_hidden(number, lines[number - 1].strip())
    )
    hidden = silent | asked.silent | asked.hidden
    comments = find_comments(comment_columns, lines, scopes, hidden | asked.code, asked.prose)
    texts = list(lines)
    for number, directive in asked.prose.items():
        texts[number - 1] = f"{' ' * comment_columns[number]}# {directive}"
    drafts = cut(
        texts,
        Cuts(
            scopes,
            comments,
            docstrings.get(tree),
            comment_columns,
            asked.starts - asked.hidden,
            asked.joins - asked.hidden,
        ),
    )
    problems = [*asked.problems, *nothing_to_join(source.path, drafts, asked.joins)]
    anchored = with_anchors(drafts, lines, hidden, first_names(tree))
    front, sections, front_problems = read_front_matter(source.path, anchored)
    sections, prose_problems = read_prose(source.path, sections)
    # Prose that joined a section stands among its code.
    hidden |= {line for draft in drafts if draft.joined for line in draft.prose_lines()}
    return Module(
        source,
        sections,
        front.title,
        front.summary,
        hidden,
        tuple(sorted((*problems, *front_problems, *prose_problems))),
        asked.folds,
        front.order,
        front.terms,
        cites=front.cites,
        other_names=other_names(tree, source.name, source.path.endswith("__init__.py")),
    )


def nothing_to_join(path: str, drafts: Sequence[Draft], joins: frozenset[int]) -> Iterator[Problem]:
    """The directives to join that have no section above them."""
    top = drafts[0] if drafts else Draft("code", "")
    first = min((span.first for span in (top.prose, top.code) if span), default=0)
    for line in sorted(joins):
        if line <= first:
            message = "there is no section above that this could join; remove it"
            yield Problem(path, line, 1, message, code="directive")


def read_tree(source: Source) -> ast.Module:
    """Parse the text; every way in which Python can refuse it becomes one `ParseError`."""
    try:
        return parse_quietly(source.text)
    except SyntaxError as error:
        # Some faults are only known at the end of the file, which has no line of its own.
        last = source.text.count("\n") + 1
        line = min(error.lineno or 1, last)
        message = f"this is not valid Python: {error.msg}"
        raise ParseError(
            Problem(source.path, line, max(error.offset or 1, 1), message, code="syntax")
        ) from None
    except ValueError:
        line = source.text[: source.text.find("\0")].count("\n") + 1
        raise ParseError(
            Problem(source.path, line, 1, "the file holds a null character", code="syntax")
        ) from None
    except (RecursionError, MemoryError):
        raise ParseError(
            Problem(source.path, 1, 1, "the code is nested too deeply to be read", code="syntax")
        ) from None


def read_tokens(source: Source) -> list[tokenize.TokenInfo]:
    """Read the tokens. What `ast` accepts and `tokenize` does not is reported like a fault."""
    try:
        return list(tokenize.generate_tokens(io.StringIO(source.text, newline="").readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise ParseError(
            Problem(source.path, 1, 1, f"this is not valid Python: {error.args[0]}", code="syntax")
        ) from None


def find_scopes(
    tree: ast.Module, docstrings: dict[ast.AST, Docstring], line_ends: Sequence[int]
) -> list[Scope]:
    """
    List all classes and functions, in the order of their headers.

    `line_ends` are the lines where a statement's line ends: the first one after `def` ends the
    header.
    """
    found: list[Scope] = []
    waiting: list[tuple[ast.AST, Scope | None]] = [(tree, None)]
    while waiting:
        node, parent = waiting.pop()
        for child in statements_in(node):
            if not isinstance(child, Definition):
                waiting.append((child, parent))
                continue
            name = f"{parent.name}.{child.name}" if parent else child.name
            docstring = docstrings.get(child)
            first = min([child.lineno, *(item.lineno for item in child.decorator_list)])
            # Comments between a header and its docstring stay with the header.
            last = line_ends[bisect.bisect_left(line_ends, child.lineno)]
            last = docstring.span.first - 1 if docstring else last
            kind: SectionKind = "class" if isinstance(child, ast.ClassDef) else "function"
            end = child.end_lineno or last
            scope = Scope(name, kind, Span(first, last), end, child.col_offset, parent, docstring)
            found.append(scope)
            waiting.append((child, scope))
    return sorted(found, key=lambda scope: (scope.header.first, -scope.end))


def is_hidden(number: int, comment: str) -> bool:
    """Tell a comment that is about the file and not shown: shebang, encoding, cell marker."""
    if number == 1 and comment.startswith("#!"):
        return True
    return bool((number <= 2 and ENCODING.match(comment)) or CELL_MARKER.match(comment))


def find_comments(
    columns: dict[int, int],
    lines: Sequence[str],
    scopes: Sequence[Scope],
    aside: frozenset[int],
    prose: Collection[int],
) -> list[Comment]:
    """
    Gather the whole-line comments that are prose into runs.

    `aside` are lines that are none; `prose` are those with a directive that stands in prose.
    """
    in_header = {
        number for scope in scopes for number in range(scope.header.first, scope.header.last + 1)
    }
    runs: list[Comment] = []
    for number in sorted(columns):
        comment = lines[number - 1].strip()
        if number in aside or number in in_header:
            continue
        if number not in prose and is_directive(comment):
            continue
        column = columns[number]
        if runs and runs[-1].span.last == number - 1 and runs[-1].column == column:
            runs[-1] = replace(runs[-1], span=Span(runs[-1].span.first, number))
        else:
            runs.append(Comment(Span(number, number), column))
    return runs


def is_directive(comment: str) -> bool:
    """Tell a comment that steers a tool, or is code that its author switched off with `#!`."""
    return comment.startswith("#!") or bool(DIRECTIVE.match(comment))
