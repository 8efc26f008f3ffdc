r"""
---
title: Sections of docstrings
summary: What NumPy, Google and Sphinx write of parameters and results, as lists of definitions.
---
# Sections of docstrings

Three habits of writing down the same things:

```text
NumPy                     Google                        Sphinx

Parameters                Args:                         :param x: the scores
----------                    x (Tensor): the scores    :type x: Tensor
x : Tensor
    the scores
```

All three become the name of the section in bold, and a list of definitions: the name and the type
of each thing, then what is said about it. They are no headings, since a page of fifty functions
would have fifty of each in its outline.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pylit.docstring_directives import NOTES, Translate
from pylit.docstring_lines import Line, block, indent_of, indented, is_blank, moved

LISTED = {
    "parameters": "Parameters", "params": "Parameters", "args": "Parameters",
    "arguments": "Parameters", "other parameters": "Other parameters",
    "keyword args": "Keyword arguments", "keyword arguments": "Keyword arguments",
    "attributes": "Attributes", "class attributes": "Attributes", "properties": "Properties",
    "methods": "Methods", "returns": "Returns", "return": "Returns", "yields": "Yields",
    "yield": "Yields", "receives": "Receives", "raises": "Raises", "raise": "Raises",
    "warns": "Warns", "see also": "See also",
}  # fmt: skip
"""Sections that are a list of things."""

PROSE = {
    "notes": "Notes", "references": "References", "examples": "Examples", "example": "Example",
    "warnings": "Warnings", "usage": "Usage", "todo": "To do",
}  # fmt: skip
"""Sections that are text."""

RESULTS = frozenset({"Returns", "Yields", "Receives"})
NUMPY_LINE = re.compile(r"\s*[-=]{3,}\s*$")
GOOGLE_HEAD = re.compile(r"\s*(?P<name>[A-Z][A-Za-z ]*):\s*$")
GOOGLE_ITEM = re.compile(
    r"(?P<name>`{0,2}\*{0,2}[\w.]+`{0,2}(?:\s*,\s*`{0,2}\*{0,2}[\w.]+`{0,2})*)"
    r"\s*(?:\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\))?\s*:(?!:)(?:\s+(?P<text>.*))?$"
)
GOOGLE_RESULT = re.compile(r"(?P<type>[\w.\[\], |`~:]+?(?:\s\([^()]*\))?):\s+(?P<text>\S.*)$")
FIELD = re.compile(
    r"\s*:(?P<kind>param|parameter|arg|argument|key|keyword|kwarg|type|returns?|rtype|raises?|"
    r"except|exception|var|ivar|cvar|vartype|yields?|ytype|kwtype)\b(?P<name>[^:`]*):(?:\s+(?P<text>.*))?$"
)
FIELD_KINDS = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "type"), "Parameters"),
    **dict.fromkeys(("key", "keyword", "kwarg", "kwtype"), "Keyword arguments"),
    **dict.fromkeys(("returns", "return", "rtype"), "Returns"),
    **dict.fromkeys(("yields", "yield", "ytype"), "Yields"),
    **dict.fromkeys(("raises", "raise", "except", "exception"), "Raises"),
    **dict.fromkeys(("var", "ivar", "cvar", "vartype"), "Attributes"),
}


@dataclass(slots=True)
class Item:
    """A thing in a list: what it is called, of which type it is, and what is said about it."""

    name: str
    type: str
    line: Line
    body: list[Line]


def numpy(lines: Sequence[Line], index: int, translate: Translate) -> tuple[list[Line], int] | None:
    """A NumPy section: its name, a line of dashes, and all up to the next section."""
    if index + 1 >= len(lines) or not NUMPY_LINE.match(lines[index + 1].text):
        return None
    name = lines[index].text.strip().lower()
    margin = indent_of(lines[index])
    if name not in LISTED and name not in PROSE:
        return None
    end = index + 2
    while end < len(lines) and not is_numpy_head(lines, end):
        if not is_blank(lines[end]) and indent_of(lines[end]) < margin:
            break
        end += 1
    inner = [line.with_text(line.text[margin:]) for line in lines[index + 2 : end]]
    if name in PROSE:
        return head(lines[index], PROSE[name], translate(inner)), end
    title = LISTED[name]
    items: list[Item] = []
    at = 0
    while at < len(inner):
        if is_blank(inner[at]):
            at += 1
            continue
        body, after = block(inner, at + 1, indent_of(inner[at]))
        items.append(numpy_item(inner[at], title, body))
        at = max(after, at + 1)
    return head(lines[index], title, listing(items, translate, title)), end


def is_numpy_head(lines: Sequence[Line], index: int) -> bool:
    """Tell whether another section or any underlined title begins here."""
    return (
        index + 1 < len(lines)
        and not is_blank(lines[index])
        and (index == 0 or is_blank(lines[index - 1]))
        and bool(NUMPY_LINE.match(lines[index + 1].text))
    )


def numpy_item(line: Line, title: str, body: list[Line]) -> Item:
    """One entry: `name : type`. A result may have a type alone, and "see also" has text."""
    name, colon, kind = line.text.strip().partition(" : ")
    if not colon and line.text.rstrip().endswith(":"):
        name = line.text.strip()[:-1]
    if title == "See also":
        return Item(name, "", line, [moved(kind, line), *body] if kind else body)
    if title in RESULTS and not colon:
        return Item("", name.strip(), line, body)
    return Item(name.strip(), kind.strip(), line, body)


def google(
    lines: Sequence[Line], index: int, translate: Translate
) -> tuple[list[Line], int] | None:
    """A Google section: its name and a colon, and what is indented directly below."""
    found = GOOGLE_HEAD.match(lines[index].text)
    if not found or index + 1 >= len(lines) or is_blank(lines[index + 1]):
        return None
    margin = indent_of(lines[index])
    if indent_of(lines[index + 1]) <= margin:
        return None
    name = found["name"].strip().lower()
    note = NOTES.get(name)
    if name not in LISTED and name not in PROSE and not note:
        return None
    inner, end = block(lines, index + 1, margin)
    if note:
        made = [lines[index].with_text(f"!!! {note}"), *indented(translate(inner))]
        around = [moved("", lines[index]), *made, moved("", lines[index])]
        return indented(around, " " * margin), end
    if name in PROSE:
        made = head(lines[index], PROSE[name], translate(inner))
    else:
        made = head(lines[index], LISTED[name], google_list(inner, LISTED[name], translate))
    return indented(made, " " * margin), end


def google_list(inner: list[Line], title: str, translate: Translate) -> list[Line]:
    """The entries of a section, or its text where it has none."""
    if title in RESULTS:
        result = GOOGLE_RESULT.match(inner[0].text)
        if not result or ". " in result["type"]:
            return translate(inner)
        rest = [line.with_text(line.text.strip()) for line in inner[1:]]
        body = [moved(result["text"], inner[0]), *rest]
        return listing([Item("", result["type"], inner[0], body)], translate)
    items: list[Item] = []
    at = 0
    while at < len(inner):
        line = inner[at]
        if is_blank(line):
            at += 1
            continue
        found = GOOGLE_ITEM.match(line.text)
        if not found:
            # Not written as a list: whatever it is, it stays text.
            return translate(inner)
        body, after = block(inner, at + 1, indent_of(line))
        text = [moved(found["text"], line)] if found["text"] else []
        items.append(Item(found["name"], found["type"] or "", line, text + body))
        at = max(after, at + 1)
    return listing(items, translate, title)


def field_list(lines: Sequence[Line], index: int, translate: Translate) -> tuple[list[Line], int]:
    """The fields of Sphinx from here on, gathered by what they speak of."""
    sections: dict[str, list[Item]] = {}
    first, margin, at = lines[index], indent_of(lines[index]), index
    while at < len(lines):
        if is_blank(lines[at]) and at + 1 < len(lines) and FIELD.match(lines[at + 1].text):
            at += 1
            continue
        found = FIELD.match(lines[at].text)
        if not found:
            break
        body, end = block(lines, at + 1, margin)
        text = [moved(found["text"], lines[at])] if found["text"] else []
        add_field(sections, found["kind"], found["name"].strip(), lines[at], text + body)
        at = max(end, at + 1)
    made: list[Line] = []
    for title, items in sections.items():
        made += head(first, title, listing(items, translate))
    return indented(made, " " * margin), at


def add_field(
    sections: dict[str, list[Item]], kind: str, name: str, line: Line, body: list[Line]
) -> None:
    """Put a field where it belongs; that of a type belongs to the thing of that name."""
    items = sections.setdefault(FIELD_KINDS[kind], [])
    if kind in ("type", "rtype", "vartype", "ytype", "kwtype"):
        told = " ".join(part.text.strip() for part in body)
        known = next(
            (item for item in items if kind in ("rtype", "ytype") or item.name == name), None
        )
        if known:
            known.type = told
        else:
            items.append(Item(name, told, line, []))
        return
    # `:param int x:` has the type before the name.
    kind_of, _, last = name.rpartition(" ")
    known = next((item for item in items if item.name == last and not item.body), None)
    if kind in ("returns", "return", "yields", "yield"):
        known = next((item for item in items if not item.body), None)
        kind_of, last = name, ""
    if known:
        known.body, known.type = body, known.type or kind_of
    else:
        items.append(Item(last, kind_of, line, body))


def head(line: Line, title: str, body: list[Line]) -> list[Line]:
    """The name of a section, and what belongs to it."""
    return [moved("", line), moved(f"**{title}**", line), moved("", line), *body, moved("", line)]


def listing(items: Sequence[Item], translate: Translate, title: str = "") -> list[Line]:
    """Things as a list of definitions. One of which nothing is said is a line of its own."""
    made: list[Line] = []
    if title == "See also":
        for item in items:
            text = " ".join(line.text.strip() for line in item.body)
            shown = f"* {names(item.name)}: {text}" if text else f"* {names(item.name)}"
            made.append(moved(shown, item.line))
        return made
    for item in items:
        term = " : ".join(part for part in (names(item.name), kind(item.type)) if part)
        body = translate(item.body)
        while body and is_blank(body[0]):
            body.pop(0)
        if not body:
            made += [moved(term, item.line), moved("", item.line)]
        elif not term:
            made += [*body, moved("", item.line)]
        else:
            first, *rest = body
            if first.code:
                # Code cannot stand behind the colon of a definition.
                first, rest = moved("\u2060", item.line), [moved("", item.line), first, *rest]
            made += [
                moved(term, item.line),
                first.with_text(f":   {first.text.strip()}"),
                *indented(rest),
                moved("", item.line),
            ]
    return made


def names(text: str) -> str:
    """The names of things as code, unless they are written with marks of their own."""
    if "`" in text or not text:
        return text
    return ", ".join(f"`{part.strip()}`" for part in text.split(","))


def kind(text: str) -> str:
    """A type, as code where it holds signs that would mean something in prose."""
    if "`" in text:
        return text
    # `~` asks for the last part of a name.
    text = re.sub(r"~(?:\w+\.)*(?=\w)", "", text)
    return f"`{text}`" if re.search(r"[*_\[\]<>{}|$\\]", text) else text
