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
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pylit.docstring import Docstring, comment_text, find_docstrings, read_front_matter
from pylit.errors import ParseError
from pylit.model import Module, Problem, Section, SectionKind, Source, Span

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

# A directive is recognised by its first word, and only in the form that its tool reads, so that
# a sentence such as "Type of the mask" stays prose.
DIRECTIVE = re.compile(
    r"""\#\s*(?:
        noqa\b | type:\s | fmt:\s | yapf:\s | isort:\s? | pylint:\s | pyright:\s | mypy:\s | ruff:\s
      | flake8:\s | nosec\b | pragma:\s | pragma\s+no | black:\s | doctest:\s | pyre- | pytype:\s
      | (?:end)?region\b | spell-checker: | cspell: | sourcery\s | skipcq\b | noinspection\s
      )""",
    re.VERBOSE,
)
# The page itself gives such names to lines and sections.
LINE_ANCHOR = re.compile(r"L\d+|section-\d+")
CELL_MARKER = re.compile(r"#\s*%%")
ENCODING = re.compile(r"#.*?coding[:=][ \t]*[-\w.]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """
    A class or function: its qualified name, its header with decorators, and its extent.

    `end` is the line of its last statement. A comment behind that still belongs to it when it
    stands deeper than `column`, the indentation of the header. `parent` is the class or
    function around it.
    """

    name: str
    kind: SectionKind
    header: Span
    end: int
    column: int
    parent: "Scope | None"
    docstring: Docstring | None


@dataclass(frozen=True, slots=True)
class Comment:
    """A run of whole-line comments on consecutive lines, at one indentation."""

    span: Span
    column: int


def parse(source: Source) -> Module:
    """
    Split a Python source into sections.

    Raises `ParseError` with file, line and column when the text is not Python.
    """
    lines = source.text.split("\n")
    tree = read_tree(source)
    tokens = read_tokens(source)
    docstrings = find_docstrings(tree, tokens, lines)
    comment_columns = {
        token.start[0]: token.start[1]
        for token in tokens
        if token.type == tokenize.COMMENT
        and not lines[token.start[0] - 1][: token.start[1]].strip()
    }
    line_ends = [token.start[0] for token in tokens if token.type == tokenize.NEWLINE]
    scopes = find_scopes(tree, docstrings, line_ends)
    hidden = frozenset(
        number for number in comment_columns if is_hidden(number, lines[number - 1].strip())
    )
    comments = find_comments(comment_columns, lines, scopes, hidden)
    drafts = cut(lines, scopes, comments, comment_columns, docstrings.get(tree))
    sections = with_anchors(drafts)
    title, summary, sections, problems = read_front_matter(source.path, sections)
    return Module(source, sections, title, summary, hidden, problems)


def read_tree(source: Source) -> ast.Module:
    """Parse the text; every way in which Python can refuse it becomes one `ParseError`."""
    try:
        with warnings.catch_warnings():
            # Python warns of `"\theta"` in a string that is not raw. In prose that is no fault.
            warnings.simplefilter("ignore")
            return ast.parse(source.text)
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
        for child in ast.iter_child_nodes(node):
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
    columns: dict[int, int], lines: Sequence[str], scopes: Sequence[Scope], hidden: frozenset[int]
) -> list[Comment]:
    """Gather the whole-line comments that are prose into runs."""
    in_header = {
        number for scope in scopes for number in range(scope.header.first, scope.header.last + 1)
    }
    runs: list[Comment] = []
    for number in sorted(columns):
        comment = lines[number - 1].strip()
        if number in hidden or number in in_header or is_directive(comment):
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


@dataclass(frozen=True, slots=True)
class Draft:
    """
    A section while it grows: what started it, and the lines that it has so far.

    A `closed` draft takes no more code, since the docstring of a class or function ended it.
    `column` is the indentation of its comment.
    """

    kind: SectionKind
    name: str
    prose: Span | None = None
    text: str = ""
    text_lines: tuple[int, ...] = ()
    code: Span | None = None
    closed: bool = False
    column: int = -1

    def with_code(self, line: int) -> "Draft":
        """Add a line of code at the end."""
        return replace(self, code=Span(self.code.first if self.code else line, line))

    def with_docstring(self, docstring: Docstring) -> "Draft":
        """Make a docstring the prose of the section."""
        return replace(
            self, prose=docstring.span, text=docstring.text, text_lines=docstring.text_lines
        )


def cut(
    lines: Sequence[str],
    scopes: Sequence[Scope],
    comments: Sequence[Comment],
    comment_columns: dict[int, int],
    module_docstring: Docstring | None,
) -> list[Draft]:
    """Walk down the file and start a section where one of the rules says so."""
    comment_at = {comment.span.first: comment for comment in comments}
    docstring_at = {
        scope.docstring.span.first: scope.docstring for scope in scopes if scope.docstring
    }
    if module_docstring:
        docstring_at[module_docstring.span.first] = module_docstring
    aside = set(comment_columns)
    aside.difference_update(
        line for run in comments for line in range(run.span.first, run.span.last + 1)
    )
    header_at = {header_start(scope, aside, comment_columns): scope for scope in scopes}
    owners = find_owners(scopes, len(lines))
    drafts: list[Draft] = []
    number = 1
    while number <= len(lines):
        current = drafts[-1] if drafts else None
        if docstring := docstring_at.get(number):
            if docstring is module_docstring:
                drafts.append(Draft("module", "").with_docstring(docstring))
            else:
                # The line above the docstring was the end of its header.
                drafts[-1] = replace(drafts[-1].with_docstring(docstring), closed=True)
            number = docstring.span.last
        elif comment := comment_at.get(number):
            text, text_lines = comment_text(lines, comment.span)
            owner = owner_of_comment(comment, owners, lines)
            name = owner.name if owner else ""
            drafts.append(
                Draft("comment", name, comment.span, text, text_lines, column=comment.column)
            )
            number = comment.span.last
        elif scope := header_at.get(number):
            above = current and current.column == scope.column and ends_above(current, number)
            if current and above:
                drafts[-1] = replace(current, name=scope.name)
            if current and above and not scope.docstring:
                drafts[-1] = replace(drafts[-1], kind=scope.kind).with_code(number)
            else:
                drafts.append(Draft(scope.kind, scope.name).with_code(number))
        elif lines[number - 1].strip():
            owner = owners[number]
            name = owner.name if owner else ""
            moved = current is not None and current.name != name and number not in aside
            if current is None or current.closed or moved:
                drafts.append(Draft("code", name))
            drafts[-1] = drafts[-1].with_code(number)
        number += 1
    return drafts


def ends_above(draft: Draft, line: int) -> bool:
    """Tell whether a draft is a comment alone, and ends directly above a line."""
    return bool(draft.prose and not draft.code and draft.prose.last == line - 1)


def header_start(scope: Scope, aside: set[int], columns: dict[int, int]) -> int:
    """Where the section of a header starts: directives directly above the header belong to it."""
    line = scope.header.first
    while line - 1 in aside and columns[line - 1] == scope.column:
        line -= 1
    return line


def find_owners(scopes: Sequence[Scope], count: int) -> list[Scope | None]:
    """For each line of the file, counted from 1, the innermost class or function around it."""
    owners: list[Scope | None] = [None] * (count + 1)
    for scope in scopes:
        length = scope.end - scope.header.first + 1
        owners[scope.header.first : scope.end + 1] = [scope] * length
    return owners


def owner_of_comment(
    comment: Comment, owners: Sequence[Scope | None], lines: Sequence[str]
) -> Scope | None:
    """
    Find the class or function that a comment stands in.

    The tree ends a function at its last statement. A comment behind that is still the function's
    if it is indented like its body, so we start from the code above and climb.
    """
    line = comment.span.first - 1
    while line > 0 and (not lines[line - 1].strip() or lines[line - 1].lstrip().startswith("#")):
        line -= 1
    scope = owners[line]
    while scope and comment.span.first > scope.end and comment.column <= scope.column:
        scope = scope.parent
    return scope


def with_anchors(drafts: Sequence[Draft]) -> tuple[Section, ...]:
    """
    Give each section its steady anchor.

    The header of a class or function takes the qualified name, a module's docstring takes
    `module`. The other sections of that name follow with `-2`, `-3`, so that inserting a comment
    moves no anchor but those after it under the same name.
    """
    anchors: dict[int, str] = {}
    counts: Counter[str] = Counter()
    leading = ("module", "class", "function")
    order = sorted(range(len(drafts)), key=lambda index: (drafts[index].kind not in leading, index))
    for index in order:
        base = drafts[index].name or "module"
        if LINE_ANCHOR.fullmatch(base):
            base = f"{base}-definition"
        counts[base] += 1
        anchors[index] = base if counts[base] == 1 else f"{base}-{counts[base]}"
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
