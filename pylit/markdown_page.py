"""
---
title: Markdown pages
summary: A Markdown file is a module of one section, all of it prose.
---
# Markdown pages

Guides and readmes pass through the same pipeline as code: a Markdown file is a module with one
section that has no code. Front matter, formulas, links and translation work as they do in Python.
"""

from pylit.anchors import TOP
from pylit.directives_prose import read_prose
from pylit.docstring import trim
from pylit.front_matter import read_front_matter
from pylit.model import Module, Section, Source, Span


def parse_markdown(source: Source) -> Module:
    """Make a module of one section from a Markdown file."""
    lines = source.text.expandtabs(4).split("\n")
    text, text_lines = trim(lines, list(range(1, len(lines) + 1)))
    if not text_lines:
        return Module(source, ())
    span = Span(text_lines[0], text_lines[-1])
    section = Section("markdown", TOP, "", span, None, text, text_lines)
    front, sections, problems = read_front_matter(source.path, (section,))
    sections, prose_problems = read_prose(source.path, sections)
    problems = tuple(sorted((*problems, *prose_problems)))
    return Module(
        source,
        sections,
        front.title,
        front.summary,
        problems=problems,
        order=front.order,
        terms=front.terms,
        cites=front.cites,
    )
