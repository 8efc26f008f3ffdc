"""
---
title: Assembling all pages
summary: What pages have from each other: titles, neighbours, and who uses what they define.
---
# Assembling all pages

[One page](page.html) is put together from its own prose and code. What it shows of other pages is
found here, for all of them at once: the pages before, behind, above and below it with their titles
in its language, the definitions that names in its code lead to, and the lines of other pages that
use its own definitions.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from markupsafe import Markup

from pylit.cache import key_of
from pylit.code import highlight, link
from pylit.links import Target, relative
from pylit.model import Module, Page, PageKind, Source, Translation
from pylit.navigation import Key, find_places, page_titles
from pylit.page import Finished, Place, assemble
from pylit.pieces import Pieces
from pylit.reading import Parsed
from pylit.references import References, Use, find_references, still_the_same
from pylit.settings import Settings
from pylit.terms import bind_terms, term_colors
from pylit.theme import Theme


def assemble_pages(
    settings: Settings,
    parsed: Parsed,
    finished: Mapping[Key, Finished],
    theme: Theme,
    pieces: Pieces,
) -> list[Page]:
    """Assemble the pages of every language, and the one for "not found"."""
    places = places_of(parsed, pieces)
    shares: dict[str, dict[str, float]] = {}
    for (language_code, address), done in finished.items():
        shares.setdefault(address, {})[language_code] = done.draft.share
    modules = [module for module in parsed.modules if module.source.path.endswith(".py")]
    users = find_users(
        {
            module.source.address: references_of(module.source, parsed, pieces).uses
            for module in modules
        }
    )
    code_lines = {
        module.source.address: recall_code(theme, module, parsed, pieces) for module in modules
    }
    used_on: dict[str, list[tuple[Target, tuple[Target, ...]]]] = {
        address: [] for address in places
    }
    for target, found in users.items():
        used_on.setdefault(target.address, []).append((target, found))
    pages: list[Page] = []
    for language in settings.all_languages:
        titles = page_titles(settings, parsed.folders, finished, language)
        for address in places:
            prose = finished.get((language.code, address))
            lines: Sequence[Markup] = code_lines.get(address, ())
            kind: PageKind = "folder" if prose is None else "module" if lines else "markdown"
            place, used = places[address], used_on[address]
            shown = [address, *place.breadcrumbs, *place.children, place.previous, place.next]
            shown += [user.address for _, found in used for user in found]
            names = {name: titles[name] for name in shown if name}
            share = shares.get(address, {})
            parts = (prose, language, settings, place, names, share, lines, kind, used)
            make = partial(assemble, prose, address, *parts[1:-1], dict(used))
            pages.append(pieces.remake(("assemble", language.code, address), parts, make))
    pages.append(missing_page(settings))
    return pages


def places_of(parsed: Parsed, pieces: Pieces) -> dict[str, Place]:
    """The place of each page among the others."""
    parts = ([module.source.address for module in parsed.modules], parsed.folders)
    return pieces.remake(("places",), parts, partial(find_places, *parts))


def references_of(source: Source, parsed: Parsed, pieces: Pieces) -> References:
    """What a module refers to."""

    def recall() -> References:
        is_package = source.path.endswith("__init__.py")
        return pieces.get(
            "references",
            key_of_references(source, pieces),
            References,
            partial(find_references, source.text, source.name, is_package, parsed.index),
            source.address,
            valid=lambda found: still_the_same(found, parsed.index),
        )

    # Several steps ask for them, and while nothing on the site is called otherwise they are valid.
    return pieces.remake(("references", "", source.address), (source, parsed.index_key), recall)


def key_of_references(source: Source, pieces: Pieces) -> str:
    """What the references of a module depend on, besides the names of the site."""
    return pieces.key(("references", source.path), source.path, source.name, source.text)


def recall_code(theme: Theme, module: Module, parsed: Parsed, pieces: Pieces) -> tuple[Markup, ...]:
    """The lines of a file as an earlier build left them, or made now."""
    source = module.source
    uses = references_of(source, parsed, pieces).uses
    parts = (theme.code_key, source.path, source.text, module.terms, uses)

    def make() -> tuple[Markup, ...]:
        lines = tuple[Markup, ...]
        work = partial(color, theme, module, uses)
        return pieces.get("highlight", key_of(*map(repr, parts)), lines, work, source.address)

    return pieces.remake(("highlight", "", source.address), parts, make)


def find_users(uses: Mapping[str, Sequence[Use]]) -> dict[Target, tuple[Target, ...]]:
    """For each definition the lines of other pages that use it, one line a page."""
    users: dict[Target, dict[str, Target]] = {}
    for address, found in uses.items():
        for use in found:
            if use.target and use.target.anchor and use.target.address != address:
                user = Target(address, f"L{use.line}")
                users.setdefault(use.target, {}).setdefault(address, user)
    return {target: tuple(sorted(found.values())) for target, found in users.items()}


def color(theme: Theme, module: Module, uses: Sequence[Use]) -> tuple[Markup, ...]:
    """The lines of a file, highlighted, its names linked to definitions and bound to terms."""
    links: dict[int, list[tuple[int, int, str]]] = {}
    for use in uses:
        href = relative(use.target, module.source.address) if use.target else use.url
        links.setdefault(use.line, []).append((use.start, use.end, href))
    lines = enumerate(highlight(module.source.text), 1)
    linked = [link(line, links.get(number, ())) for number, line in lines]
    return tuple(theme.code(bind_terms(linked, module, term_colors(module))))


def missing_page(settings: Settings) -> Page:
    """The page for an address that leads nowhere."""
    language = settings.language
    return Page(
        "missing", "404.html", "", "index.html", "", language, settings.title, "",
        (), (), (), (), (), Translation(0, 0),
    )  # fmt: skip
