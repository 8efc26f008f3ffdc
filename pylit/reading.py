"""
---
title: Reading the site
summary: The first three steps, from settings to parsed modules and an index of all names.
---
# Reading the site

What is on the site has to be known before any page of it can be made, since pages link to each
other. So all sources are read, split into sections and indexed first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from pylit.errors import ParseError
from pylit.evidence import Evidence, figure_texts, read_evidence
from pylit.links import Index, build_index
from pylit.markdown_page import parse_markdown
from pylit.model import Module, Problem, Source
from pylit.navigation import folder_pages, in_order
from pylit.parallel import share
from pylit.parse import parse
from pylit.pieces import Pieces
from pylit.settings import Settings
from pylit.source import find_sources

Progress = Callable[[str, int, int], None]
"""Called with the stage, how much of it is done, and how much there is."""


def quiet(stage: str, done: int, total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """
    Steps 1 to 3: the modules, the folders that need a page of their own, the index.

    `evidence` is what modules showed when they were run, by the paths of their files.
    """

    modules: tuple[Module, ...]
    folders: tuple[str, ...]
    index: Index
    files: Mapping[str, str]
    problems: tuple[Problem, ...]
    index_key: str
    evidence: Mapping[str, Evidence]


def read(settings: Settings, progress: Progress = quiet, pieces: Pieces | None = None) -> Parsed:
    """Read, parse and index the sources."""
    pieces = pieces or Pieces()
    progress("reading", 0, 0)
    with pieces.profile.step("read"):
        found = find_sources(settings)
    problems = list(found.problems)
    missing = [
        item for item in found.sources if not pieces.has("parse", key_of_source(item, pieces))
    ]
    known, total = len(found.sources) - len(missing), len(found.sources)
    shared = share(
        pieces,
        missing,
        size_of,
        partial(recall_module, pieces=pieces),
        lambda done: progress("parsing", known + done, total),
    )
    modules: list[Module] = []
    evidence: dict[str, Evidence] = {}
    broken: dict[str, str] = {}
    for number, source in enumerate(found.sources, 1):
        if not shared:
            progress("parsing", number, total)
        try:
            module = recall_module(source, pieces)
        except ParseError as error:
            problems.append(error.problem)
            broken[source.path] = source.address
        else:
            shown, faults = read_evidence(settings.folder, source, pieces)
            if shown:
                evidence[source.path] = shown
                module = replace(module, figure_texts=figure_texts(shown.figures))
            modules.append(module)
            problems.extend((*module.problems, *faults))
    modules = in_order(modules, settings)
    folders = folder_pages([module.source.address for module in modules])
    index = build_index(modules, found.files, folders, found.pictures)
    # A link to a page that could not be made is not a second fault.
    index = replace(
        index,
        pages=index.pages | frozenset(broken.values()),
        sources={**index.sources, **broken},
    )
    return Parsed(
        tuple(modules),
        tuple(folders),
        index,
        found.files,
        tuple(problems),
        pieces.remake(("names",), (index,), index.key),
        evidence,
    )


def recall_module(source: Source, pieces: Pieces) -> Module:
    """A source that was split by an earlier build, or now."""
    make = partial(parse_source, source)
    return pieces.get("parse", key_of_source(source, pieces), Module, make, source.address)


def key_of_source(source: Source, pieces: Pieces) -> str:
    """What the sections of a source depend on."""
    parts = (source.path, source.address, source.name, source.text)
    return pieces.key(("parse", source.path), *parts)


def size_of(source: Source) -> int:
    """How much there is to do."""
    return len(source.text)


def parse_source(source: Source) -> Module:
    """Split a source by its kind."""
    return parse(source) if source.path.endswith(".py") else parse_markdown(source)
