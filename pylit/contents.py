"""
---
title: All pages, and what imports what
summary: The page that lists the whole site, and pictures of how its modules depend on each other.
---
# All pages, and what imports what

Each language has a page, `pylit-contents.html`, that lists all others by folder and draws, for each
source, [which modules import which](imports.html). The setting `contents = false` takes it away.

A picture of hundreds of modules shows nothing. So where more than 60 modules depend on each other,
the deepest folders become one box each, until few enough are left. A folder that is a box has a
picture of its own on its page, made in the same way; so a reader goes down by clicking. Where no
folder is left to become a box, up to 100 modules are drawn; of more there is a list alone.
"""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pylit.assembly import places_of, references_of
from pylit.cache import key_of
from pylit.layers import Arrow
from pylit.layout import Layout, lay_out
from pylit.links import Target, relative
from pylit.model import Dependencies, Entry, Link, Module, Page, Part, Translation
from pylit.page import Place, alternates, page_url
from pylit.pieces import Pieces
from pylit.places import CONTENTS
from pylit.reading import Parsed
from pylit.settings import Settings, SourceRoot

MANY = 60
"""Of more boxes than that, folders become one each."""

MOST = 100
"""So many boxes make a picture that can still be read, with some patience."""


@dataclass(frozen=True, slots=True)
class Graph:
    """
    Boxes by the addresses of their pages, and the arrows between them, all of them.

    `names` are dotted names of modules, or paths of folders, which end in `/`.
    """

    names: Mapping[str, str]
    arrows: tuple[Arrow, ...]
    layout: Layout | None


def with_contents(
    settings: Settings, parsed: Parsed, pages: Sequence[Page], pieces: Pieces
) -> list[Page]:
    """Add the page of all pages in each language, and their pictures to the pages of folders."""
    if not settings.contents:
        return list(pages)
    places = places_of(parsed, pieces)
    tops = [top for top in dict.fromkeys(map(top_of, settings.sources)) if top in places]
    names = {m.source.address: m.source.name for m in python_modules(parsed)}
    arrows = tuple(
        (module.source.address, address)
        for module in python_modules(parsed)
        for address in references_of(module.source, parsed, pieces).imports
        if address in names
    )
    graphs = pieces.remake(
        ("dependencies",),
        (tops, names, arrows),
        partial(recall_graphs, tops, names, arrows, pieces),
    )
    made: list[Page] = []
    titles: dict[str, dict[str, Link]] = {}
    for page in pages:
        prefix = "" if page.language == settings.language else f"{page.language.code}/"
        address = page.address.removeprefix(prefix)
        links = titles.setdefault(page.language.code, {})
        links[address] = Link("", page.title, page.summary)
        graph = graphs.get(address)
        if graph and address not in tops:
            make_shown = partial(shown, graph, address)
            drawn = pieces.remake(("dependencies", "", address), (graph,), make_shown)
            page = replace(page, dependencies=drawn)
        made.append(page)
    for language in settings.all_languages:
        prefix = "" if language == settings.language else f"{language.code}/"
        root = "../" if prefix else ""
        parts = tuple(
            Part(
                entry(top, tops, places, titles[language.code]),
                shown(graphs[top], CONTENTS) if top in graphs else None,
            )
            for top in tops
        )
        found = Page(
            "contents", prefix + CONTENTS, root, "index.html",
            page_url(settings.base_url, prefix, CONTENTS), language, settings.title, "",
            (), (), (), (), tuple(alternates(CONTENTS, language, settings, {}, root)),
            Translation(0, 0), parts=parts,
        )  # fmt: skip
        made.append(found)
    return made


def top_of(root: SourceRoot) -> str:
    """The address of the page at the top of a source."""
    return posixpath.join(root.at, "index.html")


def python_modules(parsed: Parsed) -> list[Module]:
    """The modules that can import something."""
    return [module for module in parsed.modules if module.source.path.endswith(".py")]


def entry(
    address: str, tops: Sequence[str], places: Mapping[str, Place], titles: Mapping[str, Link]
) -> Entry:
    """A page and those below it; the tops of other sources are not among them."""
    page = replace(titles[address], href=relative(Target(address), CONTENTS))
    below = [child for child in places[address].children if child not in tops]
    return Entry(page, tuple(entry(child, tops, places, titles) for child in below))


def recall_graphs(
    tops: Sequence[str], names: Mapping[str, str], arrows: Sequence[Arrow], pieces: Pieces
) -> dict[str, Graph]:
    """All graphs as an earlier build left them on disk, or drawn now."""

    def make() -> tuple[tuple[str, Graph], ...]:
        return tuple(find_graphs(tops, names, arrows).items())

    key = key_of(*map(repr, (tops, names, arrows)))
    shape = tuple[tuple[str, Graph], ...]
    return dict(pieces.get("dependencies", key, shape, make, "", lasting=False))


def find_graphs(
    tops: Sequence[str], names: Mapping[str, str], arrows: Sequence[Arrow]
) -> dict[str, Graph]:
    """The graph of each source, and of each folder that is a box in another one, by their pages."""
    graphs: dict[str, Graph] = {}
    waiting = list(tops)
    while waiting:
        top = waiting.pop()
        folder = posixpath.dirname(top)
        others = [posixpath.dirname(other) for other in tops if other != top]
        inside = {
            address
            for address in names
            if is_in(address, folder)
            and not any(is_in(address, other) for other in others if is_in(other, folder))
        }
        graph = find_graph(folder, names, [a for a in arrows if inside.issuperset(a)])
        if graph.arrows:
            graphs[top] = graph
        waiting += [address for address, name in graph.names.items() if name.endswith("/")]
    return graphs


def is_in(address: str, folder: str) -> bool:
    """Tell whether an address is in a folder, at any depth; all are in the top, which is empty."""
    return not folder or f"{address}/".startswith(f"{folder}/")


def find_graph(folder: str, names: Mapping[str, str], arrows: Sequence[Arrow]) -> Graph:
    """The graph of a folder, with so many of the folders inside it as boxes as it takes."""
    least = folder.count("/") + 1 if folder else 0
    deepest = max([least, *(address.count("/") for arrow in arrows for address in arrow)])
    boxes: dict[str, str] = {}
    found: tuple[Arrow, ...] = ()
    connected: set[str] = set()
    for depth in range(deepest, least - 1, -1):
        coarser = {address: box_of(address, depth) for arrow in arrows for address in arrow}
        between = dict.fromkeys((coarser[start], coarser[end]) for start, end in arrows)
        left = tuple((start, end) for start, end in between if start != end)
        # A single box would show nothing.
        if not left:
            break
        boxes, found, connected = coarser, left, {address for arrow in left for address in arrow}
        if len(connected) <= MANY:
            break
    grouped = {box for address, box in boxes.items() if address != box}
    # A folder stands where the first of its modules would.
    order = dict.fromkeys(boxes[address] for address in names if address in boxes)
    called = {
        box: f"{posixpath.dirname(box)}/" if box in grouped else names[box]
        for box in order
        if box in connected
    }
    layout = lay_out(labels(called), found) if 0 < len(connected) <= MOST else None
    return Graph(called, found, layout)


def box_of(address: str, depth: int) -> str:
    """The page itself, or, where it is in more folders than that, the page of the last of them."""
    parts = address.split("/")
    return address if len(parts) <= depth + 1 else "/".join([*parts[: depth + 1], "index.html"])


def labels(names: Mapping[str, str]) -> dict[str, str]:
    """The last part of each name, and so many more parts as it takes to tell it from the others."""
    found: dict[str, str] = {}
    waiting = dict.fromkeys(names, 1)
    while waiting:
        short = {address: ending(names[address], count) for address, count in waiting.items()}
        taken = [*short.values(), *found.values()]
        waiting = {}
        for address, label in short.items():
            if taken.count(label) > 1 and label != names[address]:
                waiting[address] = 1 + len(label.rstrip("/").replace("/", ".").split("."))
            else:
                found[address] = label
    return {address: found[address] for address in names}


def ending(name: str, count: int) -> str:
    """The last parts of a dotted name or of the path of a folder."""
    sign = "/" if name.endswith("/") else "."
    end = "/" if name.endswith("/") else ""
    return sign.join(name.rstrip("/").split(sign)[-count:]) + end


def shown(graph: Graph, address: str) -> Dependencies:
    """A graph as the page at an address shows it."""

    def link(to: str) -> Link:
        return Link(relative(Target(to), address), graph.names[to])

    targets: dict[str, list[str]] = {}
    for start, end in graph.arrows:
        targets.setdefault(start, []).append(end)
    starts = [name for name in graph.names if name in targets]
    return Dependencies(
        graph.layout,
        tuple(link(box.name) for box in graph.layout.boxes) if graph.layout else (),
        tuple((link(start), tuple(map(link, targets[start]))) for start in starts),
        any(name.endswith("/") for name in graph.names.values()),
    )
