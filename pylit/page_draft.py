"""
---
title: The draft of a page
summary: The prose of a module in one language, with marks in the places of its formulas.
---
# The draft of a page

Formulas are typeset for the whole site at once, so a page is made in two steps. This is the first:
[`draft`][] renders the prose of a module in one language, and leaves marks where formulas go. What
becomes of it is told with the [page](page.html).
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pylit.catalog import Catalog
from pylit.directives_prose import own_anchors
from pylit.evidence import figure_messages
from pylit.insertion import TERM
from pylit.links import Index
from pylit.lookups import Answer, Lookups
from pylit.math.find import MARK
from pylit.math.typeset import Formula, FormulaError, Typeset
from pylit.model import (
    Language,
    Message,
    Module,
    Problem,
)
from pylit.prose import Draft, Renderer
from pylit.terms import IN_FORMULA

OWN_ANCHOR = re.compile(r"<[a-zA-Z][^<>]*\bid=[\"']([^\"']+)[\"']")


@dataclass(frozen=True, slots=True)
class PageDraft:
    """
    A module in one language, but for its formulas.

    `title` and `summary` are translated where the front matter gives them; `messages` are all
    blocks of the page that can be translated, in their order, title and summary first, and the
    words in its figures last. `asked` is what its links asked of the site's index.
    """

    module: Module
    language: Language
    sections: tuple[Draft, ...]
    title: str
    summary: str
    messages: tuple[Message, ...]
    untranslated: int
    problems: tuple[Problem, ...]
    asked: tuple[Answer, ...]

    @property
    def share(self) -> float:
        """How much of the page is in its language: 1 for all of it."""
        return 1 - self.untranslated / len(self.messages) if self.messages else 1.0


def draft(
    module: Module,
    language: Language,
    source_language: Language,
    catalog: Catalog | None,
    index: Index,
    renderer: Renderer,
) -> PageDraft:
    """Render the prose of a module in one language, and gather what can be translated."""
    source = module.source
    # Headings share the page's anchors with sections and with what the theme itself names.
    anchors = Counter(dict.fromkeys((section.anchor for section in module.sections), 1))
    anchors.update(RESERVED_ANCHORS)
    # An anchor that the author wrote comes before one that we make from a heading.
    for section in module.sections:
        anchors.update([*OWN_ANCHOR.findall(section.text), *own_anchors(section)])
    front = [
        Message(text, role, "", 1)
        for text, role in ((module.title, "title"), (module.summary, "summary of the page"))
        if text
    ]
    renderer.start_page(len(front))
    lookups = Lookups(index)
    sections = tuple(
        renderer.render(
            section,
            source.path,
            source.address,
            language,
            source_language,
            catalog,
            lookups,
            anchors,
        )
        for section in module.sections
    )
    in_prose = (message for section in sections for message in section.messages)
    in_figures = figure_messages(module)
    messages = (*front, *in_prose, *in_figures)
    untranslated = sum(section.untranslated for section in sections)
    if language != source_language:
        untranslated += sum(not (catalog and catalog.find(item.key)) for item in in_figures)
    translated = {}
    for message in front:
        entry = catalog.find(message.key) if catalog else None
        translated[message.text] = entry.text if entry else message.text
        untranslated += entry is None and language != source_language
    problems = [problem for section in sections for problem in section.problems]
    if catalog:
        problems.extend(catalog.problems)
    return PageDraft(
        module,
        language,
        sections,
        translated.get(module.title, ""),
        translated.get(module.summary, ""),
        messages,
        untranslated,
        tuple(problems),
        lookups.asked(),
    )


def is_portable(page: PageDraft, index: Index) -> bool:
    """
    Tell whether a page can be shown as it is in the folder of another language.

    Its pages are at the same places there; pictures and other files are not.
    """
    references = [item for section in page.sections for item in section.references]
    return all(reference.target.address in index.pages for reference in references)


def untranslated(page: PageDraft, language: Language) -> PageDraft:
    """A page that nobody has translated yet, in a language that is to have it."""
    return replace(page, language=language, untranslated=len(page.messages), problems=())


# Headings of the page must not take the names of the theme's own parts.
RESERVED_ANCHORS = tuple(
    f"pylit-{part}"
    for part in (
        "content",
        "evidence",
        "help",
        "help-title",
        "languages",
        "marked",
        "outline",
        "outline-title",
        "search",
        "search-list",
        "settings",
        "status",
    )
)


def formulas(page: PageDraft) -> list[Formula]:
    """The formulas that the page shows, in their order."""
    return [
        section.found[int(mark[1])].formula
        for section in page.sections
        for mark in MARK.finditer(section.html + "".join(h.title for h in section.headings))
    ]


def formula_problems(
    page: PageDraft, typeset: Mapping[Formula, Typeset | FormulaError]
) -> list[Problem]:
    """The faulty formulas of a page, each at its file and line."""
    problems: list[Problem] = []
    for section in page.sections:
        for mark in MARK.finditer(section.html):
            number = int(mark[1])
            result = typeset.get(section.found[number].formula)
            if isinstance(result, FormulaError):
                path, line = section.places[number]
                # In a catalogue a formula has no lines of its own.
                line += result.line if path == page.module.source.path else 0
                problems.append(Problem(path, line, 1, result.message, code="math"))
    return problems


def term_names(page: PageDraft) -> tuple[str, ...]:
    """The named terms that a page shows, in formulas or in words, in their order."""
    names: list[str] = []
    both = re.compile(f"{MARK.pattern}|{TERM.pattern}")
    for section in page.sections:
        for match in both.finditer(section.html):
            if match[1] is not None:
                names += IN_FORMULA.findall(section.found[int(match[1])].formula.tex)
            else:
                names.append(match[2])
    return tuple(dict.fromkeys(names))
