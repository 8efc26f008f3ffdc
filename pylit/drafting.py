"""
---
title: Drafting all pages
summary: Every module in every language, from its catalogue, unless an earlier build has done it.
---
# Drafting all pages

The prose of each module becomes HTML, in each language. What that depends on is its sections, its
catalogue, and what the [index](links.html) answers where the prose links to something; if none of
it has changed, the draft is recalled, whatever was defined elsewhere. Where many are missing,
[several processes](parallel.html) begin with them.
"""

import contextlib
from collections.abc import Mapping
from functools import partial

from pylit.assembly import key_of_references, recall_code
from pylit.cache import key_of
from pylit.catalog import Catalog, read_catalog, shown_states
from pylit.links import Index
from pylit.lookups import still_holds
from pylit.model import Language, Module, Problem
from pylit.navigation import Key
from pylit.page import catalog_path
from pylit.page_draft import PageDraft, draft, is_portable, untranslated
from pylit.parallel import share
from pylit.pieces import Pieces
from pylit.prose import Renderer
from pylit.pseudo import PseudoCatalog, is_pseudo
from pylit.reading import Parsed, Progress
from pylit.settings import Settings
from pylit.theme import Theme


def draft_pages(
    settings: Settings,
    parsed: Parsed,
    catalogs: Mapping[Key, Catalog],
    progress: Progress,
    pieces: Pieces,
) -> tuple[dict[Key, PageDraft], list[Problem]]:
    """
    Draft every page in every language.

    A page without a catalogue is shown in the source language as a whole, so one draft serves all
    languages that have none.
    """
    drafter = Drafter(settings, parsed, catalogs, pieces)
    drafts: dict[Key, PageDraft] = {}
    problems: list[Problem] = []
    for number, module in enumerate(parsed.modules, 1):
        progress("drafting", number, len(parsed.modules))
        for code, page in drafter.draft(module).items():
            drafts[code, module.source.address] = page
            problems.extend(page.problems)
    return drafts, problems


class Drafter:
    """Drafts the pages of a module in all languages, or recalls them."""

    def __init__(
        self,
        settings: Settings,
        parsed: Parsed,
        catalogs: Mapping[Key, Catalog],
        pieces: Pieces,
    ) -> None:
        self.settings, self.catalogs, self.pieces = settings, catalogs, pieces
        self.index = parsed.index
        self.index_key = parsed.index_key
        self.renderer = Renderer(numbered=bool(settings.previewed))

    def draft(self, module: Module) -> dict[str, PageDraft]:
        """The drafts of a module, by the codes of the languages."""
        own, address = self.settings.language, module.source.address
        drafts: dict[str, PageDraft] = {}
        for language in self.settings.all_languages:
            catalog = self.catalogs.get((language.code, address))
            original = drafts.get(own.code)
            if original and catalog and not catalog.exists and is_portable(original, self.index):
                drafts[language.code] = untranslated(original, language)
                continue
            parts = (module, language, own, catalog)
            make = partial(recall_draft, *parts, self.index, self.renderer, self.pieces)
            name = ("draft", language.code, address)
            drafts[language.code] = self.pieces.remake(name, (*parts, self.index_key), make)
        return drafts


def make_ahead(
    settings: Settings,
    parsed: Parsed,
    catalogs: Mapping[Key, Catalog],
    theme: Theme,
    progress: Progress,
    pieces: Pieces,
) -> bool:
    """Where much of a site has to be made, let several processes begin with it, and say so."""
    drafter = Drafter(settings, parsed, catalogs, pieces)

    def work(module: Module) -> None:
        drafter.draft(module)
        recall_code(theme, module, parsed, pieces)

    missing = [
        module
        for module in parsed.modules
        if module.source.path.endswith(".py")
        and not pieces.has("references", key_of_references(module.source, pieces))
    ]
    known, total = len(parsed.modules) - len(missing), len(parsed.modules)
    return share(
        pieces,
        missing,
        lambda module: len(module.source.text),
        work,
        lambda done: progress("drafting", known + done, total),
    )


def recall_draft(
    module: Module,
    language: Language,
    source_language: Language,
    catalog: Catalog | None,
    index: Index,
    renderer: Renderer,
    pieces: Pieces,
) -> PageDraft:
    """The draft of a page as an earlier build left it on disk, or a new one."""
    # A draft whose blocks are numbered is another one.
    parts = (renderer.numbered, module, source_language, language, catalog)
    make = partial(draft, module, language, source_language, catalog, index, renderer)
    return pieces.get(
        "draft",
        key_of(*map(repr, parts)),
        PageDraft,
        make,
        module.source.address,
        language.code,
        valid=lambda page: still_holds(page.asked, index),
    )


def load_catalogs(settings: Settings, parsed: Parsed, pieces: Pieces) -> dict[Key, Catalog]:
    """Read the catalogues of all pages; the source language needs none."""
    return {
        (language.code, module.source.address): load_catalog(
            settings, language, module.source.address, pieces
        )
        for language in settings.languages
        for module in parsed.modules
    }


def load_catalog(settings: Settings, language: Language, address: str, pieces: Pieces) -> Catalog:
    """Read the catalogue of a page, unless neither it nor the glossary has changed."""
    if is_pseudo(language):
        return PseudoCatalog(language.code)
    path = catalog_path(settings, language, address)
    shown = shown_states(machine=settings.i18n.machine, fuzzy=settings.i18n.fuzzy)
    file = settings.folder / path
    content = b""
    # A file that cannot be read is told of as one that is not there is not.
    with contextlib.suppress(OSError):
        content = file.read_bytes()
    parts = (content, file.exists(), language, shown)

    def make() -> Catalog:
        read = partial(read_catalog, file, path, language, shown)
        if not content:
            return read()
        # Each entry is checked before it is shown, which takes longer than to read it back.
        states = " ".join(sorted(shown))
        key = key_of(path, content.decode("utf-8", "surrogateescape"), repr(language), states)
        return pieces.get("catalogs", key, Catalog, read, address, language.code, lasting=False)

    return pieces.remake(("catalogs", language.code, address), parts, make)
