"""
---
title: The order of the pages
summary: What is before and behind, above and below each page, and the folders that need a page.
---
# The order of the pages

A reader goes through a site as through a book: the page of a folder, its modules, then the folders
inside it. The same order makes breadcrumbs, lists of contents, and the links to the previous and
the next page.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import partial

from pylit.model import Language, Link, Problem
from pylit.page import (
    Finished,
    PageDraft,
    Place,
)
from pylit.pieces import Pieces
from pylit.settings import Settings

ANCHOR = re.compile(r'\bid="([^"]+)"')
LINE = re.compile(r"L([1-9][0-9]{0,8})")

Key = tuple[str, str]
"""A page: the code of its language, and its address."""


def folder_pages(addresses: Sequence[str]) -> list[str]:
    """The index pages of folders that hold pages but have none of their own."""
    known = {address.casefold() for address in addresses}
    missing: set[str] = set()
    for address in addresses:
        folder = posixpath.dirname(address)
        while True:
            index = posixpath.join(folder, "index.html")
            if index.casefold() not in known:
                missing.add(index)
            if not folder:
                break
            folder = posixpath.dirname(folder)
    return sorted(missing)


def find_places(addresses: Sequence[str], folders: Sequence[str]) -> dict[str, Place]:
    """
    Find the reading order, and what is above, below and beside each page.

    A folder's page comes first, then its modules, then its folders, as the sources were found.
    `addresses` are the pages that have a source, `folders` those that have none.
    """
    # A dictionary, as a list would be searched from its start for each page.
    known: dict[str, None] = {}
    bare = frozenset(folders)
    for address in addresses:
        # The page of a folder that has no source goes before the first page inside it.
        for folder in reversed(parents(address)):
            index = posixpath.join(folder, "index.html")
            if index in bare:
                known.setdefault(index)
        known[address] = None
    order, existing = list(known), known.keys()
    children: dict[str, list[str]] = {}
    for address in order:
        above = posixpath.dirname(address)
        if posixpath.basename(address) == "index.html":
            if not above:
                continue
            above = posixpath.dirname(above)
        children.setdefault(posixpath.join(above, "index.html"), []).append(address)
    places: dict[str, Place] = {}
    for number, address in enumerate(order):
        crumbs = [posixpath.join(folder, "index.html") for folder in reversed(parents(address))]
        crumbs = [crumb for crumb in crumbs if crumb in existing]
        if address not in crumbs:
            crumbs.append(address)
        places[address] = Place(
            tuple(crumbs),
            tuple(children.get(address, ())),
            order[number - 1] if number else "",
            order[number + 1] if number + 1 < len(order) else "",
        )
    return places


def parents(address: str) -> list[str]:
    """The folders above a page, the nearest first, the top of the site (empty) last."""
    found = [posixpath.dirname(address)]
    while found[-1]:
        found.append(posixpath.dirname(found[-1]))
    return found


def page_titles(
    settings: Settings, folders: Sequence[str], finished: Mapping[Key, Finished], language: Language
) -> dict[str, Link]:
    """Title and summary of every page in one language; folders are called by their names."""
    titles = {
        folder: Link("", posixpath.basename(posixpath.dirname(folder)) or settings.title)
        for folder in folders
    }
    for (code, address), page in finished.items():
        if code == language.code:
            titles[address] = Link("", page.title, page.summary)
    return titles


def anchors_of(page: PageDraft) -> frozenset[str]:
    """The anchors of a page, but for those of its lines."""
    found: set[str] = set()
    for number, (section, prose) in enumerate(
        zip(page.module.sections, page.sections, strict=True), 1
    ):
        found.update((section.anchor, f"section-{number}"))
        found.update(ANCHOR.findall(prose.html))
    return frozenset(found)


def anchor_problems(
    drafts: Mapping[Key, PageDraft], settings: Settings, pieces: Pieces
) -> list[Problem]:
    """Check the anchors that links name, now that the anchors of all pages are known."""
    own = {
        address: page for (code, address), page in drafts.items() if code == settings.language.code
    }
    problems: list[Problem] = []
    for page in own.values():
        for reference in (reference for prose in page.sections for reference in prose.references):
            target = reference.target
            if not target.anchor or target.address not in own:
                continue
            to = own[target.address]
            name = ("anchors", settings.language.code, target.address)
            anchors = pieces.remake(name, (to,), partial(anchors_of, to))
            if target.anchor not in anchors and not is_line(target.anchor, to):
                message = (
                    f"the link to #{target.anchor} leads nowhere:"
                    f" {target.address} has no such anchor"
                )
                path = page.module.source.path
                problems.append(Problem(path, reference.line, 1, message, code="link"))
    return problems


def is_line(anchor: str, page: PageDraft) -> bool:
    """Tell whether an anchor is that of a line which the file of a page has."""
    line = LINE.fullmatch(anchor)
    return line is not None and int(line[1]) <= page.module.source.text.count("\n") + 1
