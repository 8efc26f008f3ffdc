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

import math
import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from pylit.evidence import ANCHOR as EVIDENCE
from pylit.model import Language, Link, Module, Problem
from pylit.page import Finished, Place
from pylit.page_draft import PageDraft
from pylit.pieces import Pieces
from pylit.settings import Settings, SourceRoot
from pylit.walk import FRONT_PAGES, listed_place

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


def in_order(modules: Sequence[Module], settings: Settings) -> list[Module]:
    """
    Put modules where they ask to be among their siblings.

    Within a source, what the settings list under `order` comes first, then pages whose front matter
    has an `order`, the lowest first, then all others as they were found. The page of a folder
    speaks for the folder.
    """
    if all(module.order is None for module in modules):
        return list(modules)
    found: dict[str, int] = {}
    asked: dict[str, float] = {}
    roots: list[SourceRoot | None] = []
    for number, module in enumerate(modules):
        path = PurePosixPath(module.source.path)
        root = next((r for r in settings.sources if path.is_relative_to(r.path)), None)
        roots.append(root)
        for place in (path, *path.parents):
            found.setdefault(str(place), number)
        if module.order is not None:
            owner = path.parent if path.name in FRONT_PAGES else path
            asked[str(owner)] = module.order

    def key(number: int) -> tuple[tuple[bool, int, float, int], ...]:
        root, path = roots[number], PurePosixPath(modules[number].source.path)
        start = len(PurePosixPath(root.path).parts) if root else 0
        steps = [PurePosixPath(*path.parts[:end]) for end in range(start, len(path.parts) + 1)]
        # The source itself stays where the settings have it.
        ranks = [(False, 0, 0.0, found[str(steps[0])])]
        for step in steps[1:]:
            inside = step.relative_to(root.path).as_posix() if root else str(step)
            listed = listed_place(inside, root.order) if root else 0
            place = asked.get(str(step), math.inf)
            ranks.append((step.name not in FRONT_PAGES, listed, place, found[str(step)]))
        return tuple(ranks)

    return [modules[number] for number in sorted(range(len(modules)), key=key)]


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
    if page.module.figure_texts:
        found.add(EVIDENCE)
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
