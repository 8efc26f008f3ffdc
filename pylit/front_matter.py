"""
---
title: The head of a page
summary: Title, summary, place among the siblings, and the names of formulas' terms in the code.
---
# The head of a page

A module's docstring, or a Markdown page, may begin with a few settings between two lines of `---`.
A value may go on in indented lines.

| key | is |
|---|---|
| `title` | the page's title; without it, the first heading |
| `summary` | what lists and search engines show; without it, the first paragraph |
| `order` | the place among the siblings: a number, lower ones first |
| `cite` | keys of the site's [bibliography](cite.html), with commas between them |
| `terms` | an indented line for each [named term](terms.html), with its names in the code |

Nothing else is known here, so that a misspelt key is found: it is a warning.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pylit.docstring import trim
from pylit.model import Binding, Problem, Section

KEYS = ("title", "summary", "order", "cite", "terms")
ORDER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
BELOW = re.compile(r"\s*[>|][+-]?\s*")
BINDING = re.compile(r"(?P<term>[^\s:,][^:,]*?)\s*:\s*(?P<names>[^:]+)")
DOTTED = re.compile(r"(?:[^\W\d]\w*\.)*[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """
    What the head of a page says, empty where it says nothing; `order` is among its siblings.

    `cites` are the keys of papers, each with the line where it stands.
    """

    title: str = ""
    summary: str = ""
    order: float | None = None
    terms: tuple[Binding, ...] = ()
    cites: tuple[tuple[str, int], ...] = ()


def read_front_matter(
    path: str, sections: tuple[Section, ...]
) -> tuple[FrontMatter, tuple[Section, ...], tuple[Problem, ...]]:
    """Read the head of a page. Returns it, the sections without it, and what was wrong with it."""
    index = next((i for i, s in enumerate(sections) if s.kind in ("module", "markdown")), None)
    if index is None:
        return FrontMatter(), sections, ()
    section = sections[index]
    texts = section.text.split("\n")
    closing = next((i for i, text in enumerate(texts) if i and text.strip() == "---"), None)
    if texts[0].strip() != "---":
        return FrontMatter(), sections, ()
    if closing is None:
        # It may also be a line across the page. What follows tells.
        begun = len(texts) > 1 and texts[1].partition(":")[0] in KEYS and ":" in texts[1]
        message = "this head of the page has no end; write --- on a line of its own below it"
        found = Problem(path, section.text_lines[0], 1, message, "warning", "front-matter")
        return FrontMatter(), sections, (found,) if begun else ()
    values: dict[str, list[tuple[str, int]]] = {}
    problems: list[Problem] = []
    key = ""
    for text, line in zip(texts[1:closing], section.text_lines[1:closing], strict=True):
        name, colon, value = text.partition(":")
        if colon and not text.startswith(" "):
            key = name.strip()
            # YAML's signs for text that goes on below are no text.
            text = "" if BELOW.fullmatch(value) else value.strip().strip("\"'")
            if key not in KEYS:
                known = ", ".join(KEYS[:-1]) + f" and {KEYS[-1]}"
                message = f"front matter knows only {known}, not {key!r}"
                problems.append(Problem(path, line, 1, message, "warning", "front-matter"))
            elif key in values:
                message = f"{key} is there twice, and this is what counts; remove one of the two"
                problems.append(Problem(path, line, 1, message, "warning", "front-matter"))
            values[key] = [(text, line)]
        elif text.strip() and key:
            values[key].append((text.strip(), line))
        elif text.strip():
            message = f"{text.strip()!r} is not shown, as no key stands before it, such as title:"
            problems.append(Problem(path, line, 1, message, "warning", "front-matter"))
    order, order_problems = read_order(path, values.get("order", ()))
    terms, term_problems = read_terms(path, values.get("terms", ()))
    text, text_lines = trim(texts[closing + 1 :], list(section.text_lines[closing + 1 :]))
    rest = replace(section, text=text, text_lines=text_lines)
    replaced = (*sections[:index], rest, *sections[index + 1 :])
    title, summary = (
        " ".join(part for part, _ in values.get(name, ()) if part) for name in ("title", "summary")
    )
    cites = tuple(
        (name.strip(), line)
        for part, line in values.get("cite", ())
        for name in part.split(",")
        if name.strip()
    )
    front = FrontMatter(title, summary, order, terms, cites)
    return front, replaced, (*problems, *order_problems, *term_problems)


def read_order(
    path: str, lines: Iterable[tuple[str, int]]
) -> tuple[float | None, tuple[Problem, ...]]:
    """The place that a page asks for among its siblings."""
    for text, line in lines:
        if not ORDER.fullmatch(text):
            message = (
                f"order must be a number such as 1 or 2.5, not {text!r}; pages with a"
                " lower number come first"
            )
            return None, (Problem(path, line, 1, message, code="front-matter"),)
        return float(text), ()
    return None, ()


def read_terms(
    path: str, lines: Iterable[tuple[str, int]]
) -> tuple[tuple[Binding, ...], tuple[Problem, ...]]:
    """Which names in the code stand for which term: `A: content, get_scores.key`."""
    found: list[Binding] = []
    problems: list[Problem] = []
    for text, line in lines:
        written = BINDING.fullmatch(text)
        names = [name.strip() for name in written["names"].split(",")] if written else []
        if not text:
            continue
        if written is None or not all(DOTTED.fullmatch(name) for name in names):
            message = (
                "a line of terms is a term, a colon, and names in the code with commas between"
                f" them, such as `A: content, get_scores.key`; {text!r} is not"
            )
            problems.append(Problem(path, line, 1, message, code="front-matter"))
            continue
        for name in names:
            scope, _, last = name.rpartition(".")
            found.append(Binding(written["term"], last, scope, line))
    return tuple(found), tuple(problems)
