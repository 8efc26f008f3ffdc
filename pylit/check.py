"""
---
title: The checks
summary: What must hold of a site, looked for in the pages as they came out of the build.
---
# The checks

A build already knows some of what is wrong: sources that do not parse, faulty formulas, references
that lead nowhere. The checks add what can only be seen of a finished site. They look at the pages
that were made, whatever made them: Markdown, HTML in prose, a site's own templates.

| code | what is looked for |
|---|---|
| `link`, `anchor` | a link to a page or a place of it that is not there |
| `file` | a picture, style or script that the site does not hold |
| `alt-text` | a picture without words for those who cannot see it |
| `heading` | two headings of the same words where a reader cannot tell them apart |
| `orphan` | a page that no way leads to from the front page |
| `external` | an address elsewhere that does not answer, [only on request](external.html) |

A fault has the line of the source where the words stand that make it. It is looked for, since HTML
does not know where it came from; where a source does not hold the words, the fault belongs to the
whole file.
"""

import html
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from pylit.links import is_external
from pylit.model import Page, Problem
from pylit.page import catalog_path
from pylit.places import without_hash
from pylit.settings import Settings
from pylit.site import Build
from pylit.source import read_text

ID = re.compile(r'<[a-zA-Z][^<>]*?\b(?:id|name)="([^"]*)"')
HREF = re.compile(r'<a\b[^<>]*?\bhref="([^"]*)"')
NEEDED = re.compile(r'<(?:link|script|img|source)\b[^<>]*?\b(?:href|src)="([^"]*)"')
NAVIGATION = re.compile(r'<link\b[^<>]*\brel="(?:prev|next|canonical|alternate)"[^<>]*>')
IMAGE = re.compile(r"<img\b([^<>]*)>")
ATTRIBUTE = re.compile(r'\b(src|alt)="([^"]*)"')
HEADING = re.compile(r"<h([1-6])\b[^<>]*>(.*?)</h\1>", re.DOTALL)
TAG = re.compile(r"<[^<>]+>")
LINES = re.compile(r"L\d+(?:-L?\d+)?")
"""Lines are lit by a script: a range of them, or one that stands in prose, has no element."""
NO_ANCHOR = "has no such anchor"


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a translator or author can edit, to find the line where some words stand."""

    path: str
    lines: tuple[str, ...]

    def line_of(self, *words: str, after: int = 0) -> int:
        """The first line behind one that holds some of these words, 0 where none does."""
        for word in words:
            for number, line in enumerate(self.lines[after:], after + 1):
                if word and word in line:
                    return number
        return 0

    def lines_of(self, words: str) -> list[int]:
        """The line of each place where some words stand."""
        return [
            number
            for number, line in enumerate(self.lines, 1)
            for _ in range(line.count(words) if words else 0)
        ]


@dataclass(slots=True)
class Site:
    """A built site, and what is looked up in it more than once."""

    settings: Settings
    build: Build
    html: Mapping[str, str]
    paths: frozenset[str]
    known: frozenset[tuple[str, str]]
    texts: dict[str, Text] = field(default_factory=dict)
    anchors: dict[str, frozenset[str]] = field(default_factory=dict)

    def anchors_of(self, path: str) -> frozenset[str]:
        """The places of a page that a link can lead to."""
        if path not in self.anchors:
            found = frozenset(html.unescape(name) for name in ID.findall(self.html.get(path, "")))
            self.anchors[path] = found
        return self.anchors[path]

    def text(self, path: str) -> Text:
        """The text of a source or catalogue, empty where there is none."""
        if path not in self.texts:
            file = self.settings.folder / path
            text = read_text(file, path)[0] if path and file.is_file() else ""
            self.texts[path] = Text(path, tuple(text.split("\n")))
        return self.texts[path]

    def origin(self, page: Page) -> tuple[Text, ...]:
        """What a page was made from: its source, and before it the catalogue of its language."""
        source = self.text(page.source_path)
        if page.language == self.settings.language:
            return (source,)
        address = page.address.removeprefix(f"{page.language.code}/")
        return (self.text(catalog_path(self.settings, page.language, address)), source)


def check(settings: Settings, build: Build) -> tuple[Problem, ...]:
    """All that is wrong with a built site: what the build said, and what is seen in its pages."""
    pages = {page.address for page in build.pages}
    site = Site(
        settings,
        build,
        {o.path: o.content.decode() for o in build.outputs if o.path in pages},
        frozenset(output.path for output in build.outputs),
        frozenset((problem.path, problem.message) for problem in build.problems),
    )
    found = list(build.problems)
    for page in build.pages:
        found += link_problems(site, page)
        if page.language == settings.language:
            found += picture_problems(site, page)
            found += heading_problems(site, page)
    found += orphan_problems(site)
    return tuple(sorted(set(found)))


def link_problems(site: Site, page: Page) -> Iterable[Problem]:
    """Links of a page, and files that it needs, that lead nowhere."""
    text = site.html.get(page.address, "")
    for written in sorted(set(HREF.findall(text))):
        href = html.unescape(written)
        fault = find_fault(site, page, href)
        if fault and not is_reported(site, page, href):
            code = "anchor" if NO_ANCHOR in fault else "link"
            yield problem_at(site, page, (written, href), f"the link to {href} {fault}", code)
    for written in sorted(set(NEEDED.findall(NAVIGATION.sub("", text)))):
        href = html.unescape(written)
        if is_external(href) or is_reported(site, page, href):
            continue
        if find_target(site, page, href) not in site.paths:
            message = f"the file {href} is not there; add it, or correct its address"
            yield problem_at(site, page, (written, href), message, "file")


def find_target(site: Site, page: Page, href: str) -> str:
    """The file that an address on a page means."""
    path = unquote(href.partition("#")[0].partition("?")[0])
    if not path:
        return page.address
    if path.startswith("/"):
        # Only the page for "not found" links from the root, which is that of the base.
        base = "/" + site.settings.base_url.partition("://")[2].partition("/")[2]
        path = path.removeprefix(base) if path.startswith(base) else path.lstrip("/")
        target = posixpath.normpath(path) if path else "index.html"
    else:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.address), path))
    return f"{target}/index.html" if path.endswith("/") or target == "." else target


def find_fault(site: Site, page: Page, href: str) -> str:
    """Say what is wrong with a link, empty where nothing is."""
    if is_external(href):
        return ""
    target = find_target(site, page, href)
    if target not in site.paths:
        # A build of some languages holds no pages of the others.
        codes = [language.code for language in site.settings.languages]
        built = {page.language.code for page in site.build.pages}
        code = target.partition("/")[0]
        own = code if code in codes else site.settings.language.code
        return "leads nowhere: the site has no such page" if own in built else ""
    fragment = unquote(href.partition("#")[2])
    if not fragment or fragment == "top" or LINES.fullmatch(fragment) or target not in site.html:
        return ""
    if fragment in site.anchors_of(target):
        return ""
    return f"leads nowhere: {target} {NO_ANCHOR}"


def is_reported(site: Site, page: Page, href: str) -> bool:
    """Tell whether the build itself has named this reference as one that leads nowhere."""
    plain, anchor = unquote(href), unquote(href).partition("#")[2]
    return any(
        path == page.source_path and (f" {plain} " in message or f" #{anchor} leads" in message)
        for path, message in site.known
        if "leads nowhere" in message or "is not there" in message
    )


def picture_problems(site: Site, page: Page) -> Iterable[Problem]:
    """Pictures in prose that have no words."""
    source = site.text(page.source_path)
    seen: Counter[str] = Counter()
    for row in page.rows:
        for image in IMAGE.finditer(row.prose):
            values = dict(ATTRIBUTE.findall(image[1]))
            src = values.get("src", "")
            name = without_hash(posixpath.basename(unquote(html.unescape(src))))
            places = source.lines_of(name)
            line = places[min(seen[name], len(places) - 1)] if places else 0
            seen[name] += 1
            # HTML with an empty `alt` says on purpose that a picture is but ornament.
            written = source.lines[line - 1] if line else ""
            if not values.get("alt", "").strip() and not re.search(r"""\balt=(""|'')""", written):
                message = f"the picture {name} has no words; say between the brackets what it shows"
                yield Problem(source.path, line, 1, message, "warning", "alt-text")


def heading_problems(site: Site, page: Page) -> Iterable[Problem]:
    """Headings of the same words under the same heading."""
    source = site.text(page.source_path)
    above: list[tuple[int, str]] = []
    seen: dict[tuple[str, ...], int] = {}
    for row in page.rows:
        for level, content in HEADING.findall(row.prose):
            title = " ".join(html.unescape(TAG.sub("", content)).split())
            above = [(depth, name) for depth, name in above if depth < int(level)]
            place = (row.name, *(name for _, name in above), title)
            above.append((int(level), title))
            line = source.line_of(f"# {title}", title, after=seen.get(place, 0))
            if title and place in seen:
                message = (
                    f"there is another heading {title!r} here; say in it how the two differ,"
                    " since a list of headings shows nothing else"
                )
                yield Problem(source.path, line, 1, message, "warning", "heading")
            seen[place] = line


def orphan_problems(site: Site) -> Iterable[Problem]:
    """Pages that no way leads to."""
    # The list of all pages leads to every one of them, so it says nothing here.
    ways = [page for page in site.build.pages if page.kind not in ("missing", "contents")]
    pages = {page.address: page for page in ways}
    reached: set[str] = set()
    waiting = [page.address for page in pages.values() if page.address == page_home(page)]
    while waiting:
        address = waiting.pop()
        if address in reached:
            continue
        reached.add(address)
        for href in set(HREF.findall(site.html.get(address, ""))):
            target = find_target(site, pages[address], html.unescape(href))
            if target in pages and target not in reached:
                waiting.append(target)
    for address in sorted(pages.keys() - reached):
        message = f"no page links to {address}; link to it from another page"
        path = pages[address].source_path or address
        yield Problem(path, 0, 0, message, "warning", "orphan")


def page_home(page: Page) -> str:
    """The front page of a page's language."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page.address), page.home))


def problem_at(site: Site, page: Page, words: tuple[str, ...], message: str, code: str) -> Problem:
    """A problem where some words stand in what the page was made from."""
    origins = site.origin(page)
    # The address on the page is not always the one that was written, but its end mostly is.
    name = posixpath.basename(unquote(words[-1]).rstrip("/"))
    for origin in origins:
        if line := origin.line_of(*words, unquote(words[-1]), name):
            return Problem(origin.path, line, 1, message, code=code)
    return Problem(origins[-1].path or page.address, 0, 0, message, code=code)


def external_links(settings: Settings, build: Build) -> dict[str, Problem]:
    """The addresses elsewhere that prose links to, each with the problem that it would be."""
    found: dict[str, Problem] = {}
    site = Site(settings, build, {}, frozenset(), frozenset())
    for page in build.pages:
        for row in page.rows:
            for written in HREF.findall(row.prose):
                href = html.unescape(written)
                if href.startswith(("http://", "https://")) and href not in found:
                    found[href] = problem_at(site, page, (href, written), href, "external")
    return found


def relative_to(folder: Path, here: Path, problem: Problem) -> str:
    """The path of a problem as somebody sees it who stands in another folder than the settings."""
    return Path(os.path.relpath(folder / problem.path, here)).as_posix()
