r"""
---
title: Directives of reStructuredText
summary: Notes become admonitions, code becomes code, what is unknown stays readable.
---
# Directives of reStructuredText

| directive | becomes |
|---|---|
| `note`, `warning`, `seealso`, … | an admonition |
| `versionadded`, `versionchanged`, `deprecated` | a sentence in italics |
| `code-block`, `code`, `ipython`, `plot`, … | code in its language |
| `math` | a formula |
| `rubric` | a line in bold |
| `index`, `currentmodule`, `toctree`, … | nothing: they only mean something to Sphinx |
| any other | code, as it was written |
"""

import ast
import re
import warnings
from collections.abc import Callable, Sequence

from pylit.docstring_lines import Line, at_margin, block, indent_of, indented, is_blank, moved

DIRECTIVE = re.compile(r"\s*\.\.\s+(?P<name>[\w:-]+)\s?::(?:\s+(?P<argument>.*))?$")
OPTION = re.compile(r":[\w-]+:(?:\s.*)?$")
NOTES = {
    **dict.fromkeys(("note", "seealso", "admonition", "todo", "topic"), "note"),
    **dict.fromkeys(("tip", "hint"), "tip"),
    **dict.fromkeys(("warning", "caution", "attention", "important"), "warning"),
    **dict.fromkeys(("danger", "error"), "danger"),
}
TITLES = {"seealso": "See also", "todo": "To do"}
VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
    "versionremoved": "Removed in version",
}
CODE = {
    **dict.fromkeys(("plot", "testcode", "doctest", "ipython", "jupyter-execute"), "python"),
    **dict.fromkeys(("code-block", "code", "sourcecode", "highlight"), ""),
    **dict.fromkeys(("parsed-literal", "productionlist", "testoutput"), "text"),
}
FOR_SPHINX = frozenset(
    """
    index currentmodule module toctree autosummary highlightlang only testsetup testcleanup
    default-role contents sectionauthor moduleauthor tags
    """.split()  # noqa: SIM905 (a list would be a line for each name)
)

Translate = Callable[[Sequence[Line]], list[Line]]


def directive(lines: Sequence[Line], index: int, translate: Translate) -> tuple[list[Line], int]:
    """Translate the directive at a line, and what is indented below it."""
    line = lines[index]
    found = DIRECTIVE.match(line.text)
    if not found:
        return [line], index + 1
    name = found["name"].rpartition(":")[2].lower()
    argument = (found["argument"] or "").strip()
    body, end = block(lines, index + 1, indent_of(line))
    while body and OPTION.match(body[0].text):
        body = at_margin(body[1:])
    if argument and body and is_blank(lines[index + 1]):
        # Only what stands directly below goes on with what stands behind the name.
        body = [moved("", line), *body]
    made = meaning(line, name, argument, body, translate)
    if made is None:
        made = literal(at_margin(lines[index:end]), language="text")
    around = [moved("", line), *indented(made, " " * indent_of(line)), moved("", line)]
    return (around if made else []), end


def meaning(
    line: Line, name: str, argument: str, body: list[Line], translate: Translate
) -> list[Line] | None:
    """What a directive becomes, `None` where nobody knows."""
    if name in FOR_SPHINX:
        return []
    if name in NOTES:
        title = argument if name in ("admonition", "topic") else TITLES.get(name, "")
        if argument and title != argument:
            body = [moved(argument, line), *body]
        shown = f' "{title}"' if title else ""
        return [line.with_text(f"!!! {NOTES[name]}{shown}"), *indented(translate(body))]
    if name in VERSIONS:
        version, _, rest = argument.partition(" ")
        text = f"*{VERSIONS[name]} {version}.* {rest}".rstrip()
        return [line.with_text(text), *translate(body)]
    if name in CODE:
        language = CODE[name] or argument.split(" ")[0]
        return literal(body, language=language) if body else []
    if name == "math":
        return formulas([*([moved(argument, line)] if argument else []), *body])
    if name == "rubric":
        return [line.with_text(f"**{argument}**"), *translate(body)]
    return None


def formulas(body: Sequence[Line]) -> list[Line]:
    """Formulas, with an empty line between two of them. Those of several lines are aligned."""
    made: list[Line] = []
    part: list[Line] = []
    for line in (*body, None):
        if line is not None and not is_blank(line):
            part.append(line.as_code())
            continue
        if part:
            text = "\n".join(each.text for each in part)
            aligned = r"\\" in text and r"\begin{" not in text
            first, last = part[0], part[-1]
            opening = r"$$\begin{aligned}" if aligned else "$$"
            closing = r"\end{aligned}$$" if aligned else "$$"
            made += [moved(opening, first, code=True), *part, moved(closing, last, code=True)]
            made.append(moved("", last))
        part = []
    return made


def literal(body: Sequence[Line], *, language: str = "", margin: str = "") -> list[Line]:
    """Code between fences. Without a language it is Python if Python can read it."""
    if not body:
        return []
    body = at_margin(body)
    text = "\n".join(line.text for line in body)
    if any(line.text.startswith(">>>") for line in body):
        language = "pycon"
    fence = "`" * max(3, max((len(run) + 1 for run in re.findall("`{3,}", text)), default=3))
    language = language or guess(text)
    code = [line.as_code() for line in body]
    opening = moved(f"{fence}{language}", body[0], code=True)
    return indented([opening, *code, moved(fence, body[-1], code=True)], margin)


def guess(text: str) -> str:
    """The language of code that nobody has named."""
    try:
        # What Python would warn of in somebody's example is nothing to say here.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "text"
    return "python"
