"""
---
title: Cutting a file into sections
summary: One walk down the lines, with what starts a section and what joins it.
---
# Cutting a file into sections

The [parser](parse.html) knows where classes, functions, docstrings and comments are. One walk down
the file makes sections of them by the four rules. What they are called is told by their
[anchors](anchors.html).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pylit.docstring import Docstring, comment_text
from pylit.model import SectionKind, Span


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


@dataclass(frozen=True, slots=True)
class Draft:
    """
    A section while it grows: what started it, and the lines that it has so far.

    A `closed` draft takes no more code, since the docstring of a class or function ended it.
    `column` is the indentation of its comment. `joined` are the names of what has joined it, and
    `pieces` the lines of each of its comments and docstrings.
    """

    kind: SectionKind
    name: str
    prose: Span | None = None
    text: str = ""
    text_lines: tuple[int, ...] = ()
    code: Span | None = None
    closed: bool = False
    column: int = -1
    joined: tuple[str, ...] = ()
    pieces: tuple[Span, ...] = ()

    def with_code(self, line: int) -> "Draft":
        """Add a line of code at the end."""
        return replace(self, code=Span(self.code.first if self.code else line, line))

    def with_name(self, name: str) -> "Draft":
        """Let the lines of another class or function join."""
        return replace(self, closed=False, joined=(*self.joined, name))

    def with_prose(self, span: Span, text: str, text_lines: tuple[int, ...]) -> "Draft":
        """Add prose at the end, as a paragraph of its own."""
        if not self.prose:
            return replace(self, prose=span, text=text, text_lines=text_lines, pieces=(span,))
        return replace(
            self,
            prose=Span(self.prose.first, span.last),
            text=f"{self.text}\n\n{text}",
            text_lines=(*self.text_lines, span.first, *text_lines),
            pieces=(*self.pieces, span),
        )

    def prose_lines(self) -> set[int]:
        """The lines of the file that are prose."""
        return {line for span in self.pieces for line in range(span.first, span.last + 1)}


@dataclass(frozen=True, slots=True)
class Cuts:
    """
    What is known of a file before it is cut.

    `aside` are comments that are no prose, by their lines and columns. `starts` and `joins` are
    lines with a directive to start a section there, or to start none below.
    """

    scopes: Sequence[Scope]
    comments: Sequence[Comment]
    module_docstring: Docstring | None
    columns: dict[int, int]
    starts: Collection[int] = ()
    joins: Collection[int] = ()


def cut(lines: Sequence[str], cuts: Cuts) -> list[Draft]:
    """Walk down the file and start a section where one of the rules says so."""
    scopes, module_docstring = cuts.scopes, cuts.module_docstring
    comment_at = {comment.span.first: comment for comment in cuts.comments}
    docstring_at = {
        scope.docstring.span.first: scope.docstring for scope in scopes if scope.docstring
    }
    if module_docstring:
        docstring_at[module_docstring.span.first] = module_docstring
    aside = set(cuts.columns)
    aside.difference_update(
        line for run in cuts.comments for line in range(run.span.first, run.span.last + 1)
    )
    header_at = {
        header_start(scope, aside - set(cuts.joins), cuts.columns): scope for scope in scopes
    }
    begins = {*comment_at, *docstring_at, *header_at}
    owners = find_owners(scopes, len(lines))
    drafts: list[Draft] = []
    joining = False
    number = 1
    while number <= len(lines):
        current = drafts[-1] if drafts else None
        joined = current if joining else None
        if docstring := docstring_at.get(number):
            prose = (docstring.span, docstring.text, docstring.text_lines)
            if docstring is module_docstring:
                drafts.append(Draft("module", "").with_prose(*prose))
            else:
                # The line above the docstring was the end of its header.
                header = drafts[-1].with_prose(*prose)
                drafts[-1] = replace(header, closed=not header.joined)
            number = docstring.span.last
        elif comment := comment_at.get(number):
            prose = (comment.span, *comment_text(lines, comment.span))
            name = name_of(owner_of_comment(comment, owners, lines))
            if joined:
                drafts[-1] = joined.with_name(name).with_prose(*prose)
            else:
                draft = Draft("comment", name, column=comment.column)
                drafts.append(draft.with_prose(*prose))
            number, joining = comment.span.last, False
        elif scope := header_at.get(number):
            above = current and current.column == scope.column and ends_above(current, number)
            if joined:
                drafts[-1] = joined.with_name(scope.name).with_code(number)
            else:
                if current and above:
                    drafts[-1] = replace(current, name=scope.name)
                if current and above and not scope.docstring:
                    drafts[-1] = replace(drafts[-1], kind=scope.kind).with_code(number)
                else:
                    drafts.append(Draft(scope.kind, scope.name).with_code(number))
            joining = False
        elif number in cuts.joins and current:
            drafts[-1], joining = current.with_code(number), True
        elif lines[number - 1].strip():
            name = name_of(owners[number])
            if joined and number not in aside:
                drafts[-1], joining = joined.with_name(name), False
            elif starts_code(current, name, number in aside) or (
                number in cuts.starts and next_line(lines, number) not in begins
            ):
                drafts.append(Draft("code", name))
            drafts[-1] = drafts[-1].with_code(number)
        number += 1
    return drafts


def starts_code(current: Draft | None, name: str, aside: bool) -> bool:
    """Tell whether a line of code, or a comment that stays code, cannot go on with a section."""
    if current is None or current.closed:
        return True
    return not aside and name not in (current.name, *current.joined)


def next_line(lines: Sequence[str], number: int) -> int:
    """The next line that is not empty."""
    following = range(number + 1, len(lines) + 1)
    return next((line for line in following if lines[line - 1].strip()), 0)


def name_of(scope: Scope | None) -> str:
    """The name of a class or function, empty for the module itself."""
    return scope.name if scope else ""


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
