"""
---
title: Links between pages
summary: An index of all pages, anchors and names, and how a reference becomes an address.
---
# Links between pages

A link to another page of the site may be written in four ways, whichever reads best in the source:

| written | leads to |
|---|---|
| `[text](../mha.html)` | the page at that address, relative to this page |
| `[text](../mha.py)` | the page of that file, relative to this file |
| `[text](labml_nn.transformers.mha)` | the module or name |
| `` [`MultiHeadAttention`][] `` | the name, looked for on this page first, then in the whole site |

`#anchor` may follow each of the first two. A reference that leads nowhere is a problem with file
and line, never a dead link that nobody notices.
"""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit

from pylit.cache import key_of
from pylit.model import Module, Picture, Section

TWO = "two files of the site are called that, or define it; write the path of the one you mean"


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """Where a reference leads: the address of a page or file of the site, and an anchor on it."""

    address: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Why a reference leads nowhere, as the end of a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Index:
    """
    Everything on the site that can be linked to.

    `pages` are the addresses that exist; `sources` leads from a source file to its page; `names`
    from a dotted name to its section; `short_names` from a name without its module to all sections
    that it may mean. `files` leads from a source file that is no page, such as a picture, to the
    address where it is copied, `pictures` from such an address to the picture that pages show.
    `aliases` leads from a dotted name to the one that is in `names`, where a module has imported it
    from another; `classes` are those of `names` that are classes, `doubles` names
    that two files of the site have, so that they lead nowhere.
    """

    pages: frozenset[str]
    sources: Mapping[str, str]
    names: Mapping[str, Target]
    short_names: Mapping[str, tuple[Target, ...]]
    files: Mapping[str, str]
    pictures: Mapping[str, Picture]
    aliases: Mapping[str, str] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()
    doubles: frozenset[str] = frozenset()

    def key(self) -> str:
        """A hash of all that a link may depend on."""
        names = repr((sorted(self.names.items()), sorted(self.short_names.items())))
        places = repr((sorted(self.pages), sorted(self.sources.items())))
        files = repr((sorted(self.files.items()), sorted(self.pictures.items())))
        meanings = repr((sorted(self.aliases.items()), sorted(self.classes), sorted(self.doubles)))
        return key_of(names, places, files, meanings)


def build_index(
    modules: Iterable[Module],
    files: Mapping[str, str],
    folders: Iterable[str],
    pictures: Mapping[str, Picture],
) -> Index:
    """Gather what can be linked to. `folders` are the index pages that have no source."""
    pages: set[str] = set(folders)
    sources: dict[str, str] = {}
    names: dict[str, Target] = {}
    short_names: dict[str, list[Target]] = {}
    imported: dict[str, str] = {}
    classes: set[str] = set()
    modules = list(modules)
    doubles = find_doubles(modules)
    for module in modules:
        address, name = module.source.address, module.source.name
        pages.add(address)
        sources[module.source.path] = address
        if name not in doubles:
            names[name] = Target(address)
            imported.update(module.other_names)
        for section in module.sections:
            if section.kind in ("class", "function"):
                target = Target(address, section.anchor)
                # The first definition of a name wins; later ones are overloads or alternatives.
                path = f"{name}.{section.name}"
                if top_name(name, section) not in doubles and path not in names:
                    names[path] = target
                    classes.update([path] if section.kind == "class" else [])
                if section.anchor == section.name:
                    short_names.setdefault(section.name, []).append(target)
                    last = section.name.rpartition(".")[2]
                    if last != section.name:
                        short_names.setdefault(last, []).append(target)
    # Where a short name means both a definition at the top of a module and a method, the first
    # is what an author means.
    tops = {
        short: tuple([t for t in targets if t.anchor == short] or targets)
        for short, targets in short_names.items()
    }
    aliases = {path: end for path in imported if (end := end_of(path, imported)) in names}
    return Index(
        frozenset(pages),
        sources,
        names,
        tops,
        files,
        pictures,
        aliases,
        frozenset(classes),
        doubles,
    )


def find_doubles(modules: Iterable[Module]) -> frozenset[str]:
    """
    The dotted names that two files have, as those of one package in two roots.

    Nobody knows which of the two an import means.
    """
    homes: dict[str, set[str]] = {}
    for module in modules:
        name = module.source.name
        sections = [item for item in module.sections if item.kind in ("class", "function")]
        for path in {name, *(top_name(name, section) for section in sections)}:
            homes.setdefault(path, set()).add(module.source.address)
    return frozenset(path for path, found in homes.items() if len(found) > 1)


def top_name(module: str, section: Section) -> str:
    """The dotted name of the definition at the top of a module that a section is, or is inside."""
    return f"{module}.{section.name.partition('.')[0]}"


def end_of(path: str, imported: Mapping[str, str]) -> str:
    """What a name means, followed from import to import; nothing where they run in a circle."""
    passed = {path}
    while path in imported:
        path = imported[path]
        if path in passed:
            return ""
        passed.add(path)
    return path


def is_external(href: str) -> bool:
    """Tell an address that leaves the site: it has a scheme or a host."""
    try:
        parts = urlsplit(href)
    except ValueError:
        # Looked for on the site, such an address is reported as one that leads nowhere.
        return False
    return bool(parts.scheme or parts.netloc)


def resolve(href: str, address: str, path: str, index: Index) -> Target | Unresolved:
    """
    Find what a link of the page at `address`, written in the file `path`, leads to.

    An anchor is passed on unchecked: which headings a page has is known when it is rendered.
    """
    reference, _, fragment = href.partition("#")
    reference, fragment = unquote(reference.partition("?")[0]), unquote(fragment)
    if not reference:
        return Target(address, fragment)
    if reference.startswith("/"):
        reference = reference.lstrip("/")
        by_file, by_address = reference, reference
    else:
        by_file = posixpath.normpath(posixpath.join(posixpath.dirname(path), reference))
        by_address = posixpath.normpath(posixpath.join(posixpath.dirname(address), reference))
    if reference.endswith("/") or reference in (".", ".."):
        by_address = posixpath.normpath(posixpath.join(by_address, "index.html"))
    if by_file in index.sources:
        return Target(index.sources[by_file], fragment)
    if by_address in index.pages:
        return Target(by_address, fragment)
    if by_file in index.files:
        return Target(index.files[by_file], fragment)
    if found := named(reference, index):
        return found
    if reference in index.doubles:
        return Unresolved(TWO)
    return Unresolved("no page, file or name of the site is called that")


def named(name: str, index: Index) -> Target | None:
    """What a dotted name in prose leads to: a module or definition, or what a module imported."""
    return index.names.get(name) or index.names.get(index.aliases.get(name, ""))


def resolve_name(name: str, address: str, index: Index) -> Target | Unresolved:
    """Find the definition that a name in prose means: on this page first, then anywhere."""
    if found := named(name, index):
        return found
    if name in index.doubles:
        return Unresolved(TWO)
    targets = index.short_names.get(name, ())
    here = [target for target in targets if target.address == address]
    if here:
        return here[0]
    if len(targets) == 1:
        return targets[0]
    if targets:
        places = ", ".join(sorted({target.address for target in targets}))
        return Unresolved(f"it may mean a name on {places}; write the module before it")
    return Unresolved("no class or function of the site is called that")


def relative(target: Target, address: str) -> str:
    """The link from the page at `address` to a target, encoded for an attribute."""
    anchor = f"#{quote(target.anchor, safe='.:-_~')}" if target.anchor else ""
    if target.address == address and anchor:
        return anchor
    start, path = address.split("/")[:-1], target.address.split("/")
    common = 0
    while common < len(start) and start[common : common + 1] == path[common:-1][:1]:
        common += 1
    return quote("/".join([*[".."] * (len(start) - common), *path[common:]])) + anchor
