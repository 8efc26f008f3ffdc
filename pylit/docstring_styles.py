r"""
---
title: Docstrings of other styles
summary: reStructuredText, Google and NumPy docstrings become the Markdown that they mean.
---
# Docstrings of other styles

Most packages were not written for pylit. Their docstrings hold what Sphinx reads, and Markdown
would make a mess of it: `:param x:` runs together, indented sections turn into code, an underlined
"Parameters" becomes a heading of the page. So a docstring is translated into Markdown before it is
read as such, block by block, and only where it holds what cannot be meant as Markdown:

- [Sections](docstring_sections.html), NumPy's (`Parameters` over a line of dashes), Google's
  (`Args:`) and Sphinx's (`:param x:`), become their name in bold and a list of definitions.
- [Directives](docstring_directives.html), such as `.. note::` or `.. code-block::`, become
  admonitions, code, formulas.
- [Roles and links](docstring_inline.html), such as `` :class:`Name` ``, become code, formulas,
  links.
- A paragraph that ends with two colons introduces code; a table drawn with signs is shown as code.
- [Lists](docstring_lists.html) that begin directly below a sentence get the empty line that
  Markdown wants before them. This alone is done in every docstring.

What we do not know stays readable: as code, or as it was. Each line keeps its number in the file,
so problems and translators' notes still lead to the right place.
"""

import re
from collections.abc import Sequence

from pylit.docstring_directives import DIRECTIVE, directive, literal
from pylit.docstring_inline import TARGET, read_targets, write_inline
from pylit.docstring_lines import FENCE, Line, block, indent_of, is_blank, moved
from pylit.docstring_lists import LIST_BELOW, part_lists
from pylit.docstring_sections import FIELD, field_list, google, numpy

LITERAL = re.compile(r"(?P<text>.*?)\s?(?P<mark>::)\s*$")
FOOTNOTE = re.compile(r"(\s*)\.\.\s+\[([\w#*]+)\]\s+(.*)$")
TABLE = re.compile(r"\s*(?:=+(?:\s+=+)+|\+(?:[-=]+\+)+)\s*$")
TITLE = re.compile(r"""(?:\^{4,}|"{4,}|\*{4,}|\+{4,})\s*$""")
ANYTHING = re.compile(
    r"""
    :[a-z][\w:+-]*:[`\w ]            # a role, or a field list
    | ^\s*:[a-z]+\s[^:\n]+:           # a field of a name
    | ^\s*\.\.\s                     # a directive, a target, a comment
    | ::\s*$                         # code below
    | `_                             # a link
    | ^\s*\w[\w ]*:\s*\n\s*\S        # a Google section, perhaps
    | ^\s*-{3,}\s*$                  # a NumPy section, perhaps
    | ^\s*[=+][=+ -]*\s*$            # a table
    | __\w+__ | \*(?:args|kw) | `~   # names that Markdown would take for emphasis
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A docstring without any of this is Markdown already, or plain text."""


def to_markdown(text: str, numbers: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """
    Translate the text of a docstring into Markdown. `numbers` are the lines of the file.

    Text that is Markdown already comes back as it was.
    """
    foreign, listed = ANYTHING.search(text), LIST_BELOW.search(text)
    if not foreign and not listed:
        return text, numbers
    found = [Line(part, number) for part, number in zip(text.split("\n"), numbers, strict=True)]
    if foreign:
        found = write_inline(translate(found), read_targets(found))
    found = part_lists(found)
    while found and is_blank(found[-1]):
        found.pop()
    return "\n".join(line.text for line in found), tuple(line.number for line in found)


def translate(lines: Sequence[Line]) -> list[Line]:
    """Translate a run of lines, and what is indented inside them."""
    found: list[Line] = []
    index = 0
    while index < len(lines):
        made, index = step(lines, index, found)
        found += made
    return found


def step(lines: Sequence[Line], index: int, before: Sequence[Line]) -> tuple[list[Line], int]:
    """Translate what begins at a line: returns what it becomes, and where the next thing begins."""
    line = lines[index]
    text = line.text
    if is_blank(line):
        return [line], index + 1
    if fence := FENCE.match(text):
        return verbatim(lines, index, fence[1])
    if text.lstrip().startswith(">>>"):
        return session(lines, index)
    if DIRECTIVE.match(text):
        return directive(lines, index, translate)
    if note := FOOTNOTE.match(text):
        body, end = block(lines, index + 1, indent_of(line))
        return [moved("", line), line.with_text(f"{note[1]}[{note[2]}] {note[3]}"), *body], end
    if TARGET.match(text) or text.lstrip().startswith(".. "):
        # A target has been read; a comment is for nobody.
        return [], block(lines, index + 1, indent_of(line))[1]
    if FIELD.match(text):
        return field_list(lines, index, translate)
    for section in (numpy, google):
        if made := section(lines, index, translate):
            return made
    if TABLE.match(text):
        return table(lines, index)
    if mark := LITERAL.fullmatch(text):
        return introduced(lines, index, mark)
    if index + 1 < len(lines) and is_title(lines, index, before):
        return [line.with_text(f"### {text.strip()}"), moved("", line)], index + 2
    return [line], index + 1


def verbatim(lines: Sequence[Line], index: int, fence: str) -> tuple[list[Line], int]:
    """Code between fences: nothing of it is ours."""
    end = index + 1
    while end < len(lines) and not lines[end].text.strip().startswith(fence):
        end += 1
    return [line.as_code() for line in lines[index : end + 1]], end + 1


def session(lines: Sequence[Line], index: int) -> tuple[list[Line], int]:
    """An interactive session, up to the next empty line."""
    end = index
    while end < len(lines) and not is_blank(lines[end]):
        end += 1
    return [line.as_code() for line in lines[index:end]], end


def introduced(lines: Sequence[Line], index: int, mark: re.Match[str]) -> tuple[list[Line], int]:
    """A paragraph that ends with `::`, and the code below it."""
    line = lines[index]
    body, end = block(lines, index + 1, indent_of(line))
    if not body or not is_blank(lines[index + 1]):
        below = next((each.text for each in lines[index + 1 :] if not is_blank(each)), "")
        if FENCE.match(below) or below.lstrip().startswith(">>>"):
            # Code that says itself that it is code; one of the two colons is enough.
            return [line.with_text(f"{mark['text'].rstrip()}:")], index + 1
        return [line], index + 1
    text = f"{mark['text']}:" if mark["text"].strip() else ""
    margin = " " * indent_of(line)
    return [line.with_text(text), moved("", line), *literal(body, margin=margin)], end


def table(lines: Sequence[Line], index: int) -> tuple[list[Line], int]:
    """A table drawn with signs, which Markdown does not know."""
    end = index
    while end < len(lines) and not is_blank(lines[end]):
        end += 1
    margin = " " * indent_of(lines[index])
    return literal(lines[index:end], language="text", margin=margin), end


def is_title(lines: Sequence[Line], index: int, before: Sequence[Line]) -> bool:
    """Tell a title that is underlined with signs that Markdown does not take for that."""
    title, under = lines[index].text, lines[index + 1].text
    alone = not before or is_blank(before[-1])
    return alone and bool(TITLE.match(under)) and len(under.strip()) >= len(title.strip())
