"""
---
title: From a module to a page
summary: One module, one language, the index, and the typeset formulas make one page.
---
# From a module to a page

A page is what the theme shows: rows of prose and code, and everything around them. It is put
together in two steps, because formulas are typeset for the whole site at once, in between:
[`draft`][] renders the prose of a module in one language and leaves marks where formulas go,
[`assemble`][] puts the formulas in and adds titles, links and code.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from pylit.insertion import MathTemplates, finish
from pylit.links import Target, relative
from pylit.math.typeset import Formula, FormulaError, Typeset
from pylit.model import (
    Alternate,
    CodeLine,
    Fragment,
    Heading,
    Language,
    Link,
    Module,
    Page,
    PageKind,
    Row,
    Section,
    Translation,
)
from pylit.page_draft import PageDraft
from pylit.settings import Settings

MIN_SHARE = 0.1
"""A page of which less is translated is built, but search engines are led to the original."""

SUMMARY_LENGTH = 160
TAGS = re.compile(r"<[^>]+>")
HIDDEN_MATH = re.compile(r"<math[ >].*?</math>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finished:
    """
    The prose of a page with its formulas, and the title and summary that follow from it.

    `colors` are those of its named terms.
    """

    draft: PageDraft
    colors: Mapping[str, int]
    fragments: tuple[Fragment, ...]
    title: str
    summary: str


def finish_prose(
    page: PageDraft,
    typeset: Mapping[Formula, Typeset | FormulaError],
    templates: MathTemplates,
    colors: Mapping[str, int],
) -> Finished:
    """Put the formulas in; the first heading names the page where the front matter does not."""
    fragments = tuple(finish(section, typeset, templates, colors) for section in page.sections)
    headings = [heading for fragment in fragments for heading in fragment.headings]
    top = next((heading.title for heading in headings if heading.level == 1), "")
    source = page.module.source
    name = source.address.removesuffix("/index.html").removesuffix(".html").rpartition("/")[2]
    name = name if source.address != "index.html" else source.name
    title = page.title or top or (headings[0].title if headings else name)
    summary = page.summary or first_paragraph(page.module.sections, fragments)
    return Finished(page, colors, fragments, title, summary)


def first_paragraph(sections: Sequence[Section], fragments: Sequence[Fragment]) -> str:
    """
    The first paragraph of the page as plain text, cut at a word.

    What stands below code explains that code and not the page.
    """
    for section, fragment in zip(sections, fragments, strict=True):
        match = re.search(r"<p[ >].*?</p>", fragment.html, re.DOTALL)
        if match:
            text = " ".join(Markup(TAGS.sub("", HIDDEN_MATH.sub("", match[0]))).unescape().split())
            if len(text) <= SUMMARY_LENGTH:
                return text
            return text[:SUMMARY_LENGTH].rpartition(" ")[0].rstrip(" ,;:") + "…"
        if section.code or section.name:
            break
    return ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page stands among the others, the same in all languages."""

    breadcrumbs: tuple[str, ...]
    children: tuple[str, ...]
    previous: str
    next: str


def assemble(
    finished: Finished | None,
    address: str,
    language: Language,
    settings: Settings,
    place: Place,
    titles: Mapping[str, Link],
    shares: Mapping[str, float],
    code: Sequence[Markup],
    kind: PageKind,
    users: Mapping[Target, tuple[Target, ...]],
) -> Page:
    """
    Put a page together.

    `titles` has title and summary of each address in this language, `shares` how much of this page
    is translated in each language, `code` the highlighted lines of the file, `users` the lines of
    other pages that use a definition.
    """
    source_language = settings.language
    prefix = "" if language == source_language else f"{language.code}/"
    own = titles[address]
    depth = (prefix + address).count("/")
    root = "../" * depth
    home = relative(Target("index.html"), address)

    def link(to: str) -> Link:
        return Link(relative(Target(to), address), titles[to].title, titles[to].summary)

    module = finished.draft.module if finished else None
    path = module.source.path if module else ""
    fragments = finished.fragments if finished else ()

    def used_by(anchor: str) -> tuple[Link, ...]:
        found = users.get(Target(address, anchor), ())
        return tuple(Link(relative(to, address), titles[to.address].title) for to in found)

    rows = tuple(show_rows(module, fragments, code, settings, used_by)) if module else ()
    translation = Translation(
        len(finished.draft.messages) if finished else 0,
        len(finished.draft.messages) - finished.draft.untranslated if finished else 0,
    )
    indexed = shares.get(language.code, 1.0) >= MIN_SHARE
    base = settings.base_url
    return Page(
        kind,
        prefix + address,
        root,
        home,
        page_url(base, prefix if indexed else "", address),
        language,
        own.title,
        own.summary,
        rows,
        tuple(outline(module, fragments)) if module else (),
        tuple(link(crumb) for crumb in place.breadcrumbs),
        tuple(link(child) for child in place.children),
        tuple(alternates(address, language, settings, shares, root)),
        translation,
        link(place.previous) if place.previous else None,
        link(place.next) if place.next else None,
        path,
        settings.source_url.format(path=quote(path), line=1)
        if path and settings.source_url
        else "",
        settings.edit_url.format(path=quote(path), line=1) if path and settings.edit_url else "",
        edit_line_url(settings, path) if kind == "module" else "",
        translate_url(settings, address, language) if path else "",
    )


def page_url(base: str, prefix: str, address: str) -> str:
    """The absolute address of a page, where the settings name a base."""
    return f"{base}{quote(prefix + address)}" if base else ""


def alternates(
    address: str, language: Language, settings: Settings, shares: Mapping[str, float], root: str
) -> list[Alternate]:
    """The same page in every language of the site."""
    found: list[Alternate] = []
    for other in settings.all_languages:
        prefix = "" if other == settings.language else f"{other.code}/"
        translated = shares.get(other.code, 1.0) >= MIN_SHARE
        url = page_url(settings.base_url, prefix, address) if translated else ""
        href = root + quote(prefix + address)
        found.append(Alternate(other, href, url, other == language, translated))
    return found


def catalog_path(settings: Settings, language: Language, address: str) -> str:
    """The catalogue of a page: `translations/ja/transformers/mha.po`."""
    return f"{settings.translations}/{language.code}/{address.removesuffix('.html')}.po"


def translate_url(settings: Settings, address: str, language: Language) -> str:
    """Where a translation of this page can be edited, on the forge that the settings name."""
    if language == settings.language or not settings.edit_url:
        return ""
    return settings.edit_url.format(path=quote(catalog_path(settings, language, address)), line=1)


def edit_line_url(settings: Settings, path: str) -> str:
    """
    Where a file can be edited at a line, with `{line}` in the place of its number.

    The editors of forges take a line behind the address, as the address of a source does.
    """
    pattern = settings.edit_url
    if not pattern:
        return ""
    if "{line}" not in pattern:
        pattern += "#L{line}"
    return pattern.format(path=quote(path), line="{line}")


def outline(module: Module, fragments: Sequence[Fragment]) -> list[Heading]:
    """The headings, classes and functions of a page, in their order."""
    found: list[Heading] = []
    for section, fragment in zip(module.sections, fragments, strict=True):
        if section.kind in ("class", "function") and not fragment.headings:
            # A method is one step below its class; what a function defines inside is not shown.
            level = 2 + section.name.count(".")
            if level <= 3:
                found.append(Heading(level, section.anchor, section.name.rpartition(".")[2]))
        found.extend(heading for heading in fragment.headings if heading.level <= 3)
    return found


def show_rows(
    module: Module,
    fragments: Sequence[Fragment],
    code: Sequence[Markup],
    settings: Settings,
    used_by: Callable[[str], tuple[Link, ...]],
) -> list[Row]:
    """The sections as rows. One that has nothing to show, such as a shebang alone, is left out."""
    rows: list[Row] = []
    for number, (section, fragment) in enumerate(zip(module.sections, fragments, strict=True), 1):
        lines = [
            CodeLine(line, code[line - 1], fold=fold) for line, fold in module.shown_lines(section)
        ]
        if not lines and not fragment.html.strip():
            continue
        url = ""
        if settings.source_url:
            line = first_line(section)
            url = settings.source_url.format(path=quote(module.source.path), line=line)
        rows.append(
            Row(
                number,
                section.anchor,
                section.kind,
                section.name,
                fragment.html,
                tuple(lines),
                url,
                used_by(section.anchor),
            )
        )
    return rows


def first_line(section: Section) -> int:
    """The line of the file where a section starts."""
    return min(span.first for span in (section.prose, section.code) if span)
