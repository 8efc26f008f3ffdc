"""
---
title: One page in one file
summary: A page with its styles, fonts, scripts and figures inside, to be mailed or handed in.
---
# One page in one file

A page that is exported asks for nothing: styles, fonts, scripts and pictures are inside, as `data:`
addresses, and the fonts hold only the signs of its own formulas. It opens from a mail or a stick,
in ten years and without a network.

What leads to other pages leads to where the site is published, if the settings say where that is.
If they do not, the words stay and the link goes.
"""

import base64
import html
import mimetypes
import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote, unquote

from markupsafe import Markup

from pylit import __version__
from pylit.errors import PylitError, UsageError
from pylit.links import is_external
from pylit.math.styles import assets
from pylit.model import Language, Link, Page, Problem
from pylit.notebook import notebook
from pylit.parse import parse
from pylit.places import ASSET_FOLDER
from pylit.settings import Settings
from pylit.site import Build
from pylit.source import find_sources
from pylit.theme import Theme

HREF = re.compile(r'(<a\b[^<>]*?)\s+href="([^"]*)"')
SOURCE = re.compile(r'(<img\b[^<>]*?\bsrc=)"([^"]*)"')
STYLE_URL = re.compile(r"url\((['\"]?)(fonts/[^)'\"]+)\1\)")


def find_page(settings: Settings, made: Build, name: str, language: Language) -> Page:
    """
    The page that a name means: its source file, its address, or its dotted name.

    Raises `UsageError` when there is no such page, or no one page, and `PylitError` with what is
    wrong with a source of which no page could be made.
    """
    kinds = ("module", "markdown", "folder")
    pages = [p for p in made.pages if p.language == language and p.kind in kinds]
    plain = posixpath.normpath(name)
    prefix = "" if language == settings.language else f"{language.code}/"
    dotted = name.replace(".", "/")
    for wanted in ({plain}, {f"{dotted}.py", f"{dotted}/__init__.py"}):
        for page in pages:
            if wanted & {page.source_path, page.address, page.address.removeprefix(prefix)}:
                return page
    ends = [p for p in pages if f"/{p.source_path}".endswith((f"/{plain}", f"/{dotted}.py"))]
    if len(ends) == 1:
        return ends[0]
    broken = [problem for problem in made.problems if problem.path == plain]
    if broken and not ends:
        raise PylitError(broken[0])
    if ends:
        several = ", ".join(page.source_path for page in ends[:5])
        message = f"this may mean {several}; write more of the path"
    else:
        message = "the site has no such page; name its source file, its address or its module"
    raise UsageError(Problem(name, 0, 0, message, code="usage"))


def export_html(settings: Settings, made: Build, page: Page) -> bytes:
    """A page as one file that asks for nothing."""
    # Whoever counts the visitors of a site has no business in a file that was handed on.
    theme = Theme(replace(settings, analytics=""), __version__)
    cache = settings.folder / settings.cache
    shared = theme.load_assets(assets([row.prose for row in page.rows], "fonts/", cache=cache))
    files = {output.path: output.content for output in (*made.outputs, *shared)}
    inside = {
        name: data_address(path, with_fonts(files, path)) for name, path in theme.assets.items()
    }
    return theme.single(self_contained(settings, page, files), inside).encode()


def export_notebook(settings: Settings, made: Build, page: Page) -> bytes:
    """The notebook of a page. Raises `UsageError` for a page that is no module."""
    if page.kind != "module":
        message = "only the page of a Python module can become a notebook; name such a page"
        raise UsageError(Problem(page.source_path or page.address, 0, 0, message, code="usage"))
    sources = find_sources(settings).sources
    source = next(source for source in sources if source.path == page.source_path)
    return notebook(parse(source), settings)


def self_contained(settings: Settings, page: Page, files: Mapping[str, bytes]) -> Page:
    """A page whose prose and code hold their pictures, and lead out only to what is published."""
    base = settings.base_url

    def outside(href: str) -> str:
        if is_external(href) or href.startswith("#"):
            return href
        if not base:
            return ""
        path, sign, fragment = href.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page.address), unquote(path)))
        return f"{base}{quote(place)}{sign}{fragment}"

    def link(found: re.Match[str]) -> str:
        href = outside(html.unescape(found[2]))
        return f'{found[1]} href="{html.escape(href)}"' if href else found[1]

    def picture(found: re.Match[str]) -> str:
        source = unquote(html.unescape(found[2]))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.address), source))
        return f'{found[1]}"{data_address(path, files[path])}"' if path in files else found[0]

    def closed(text: Markup) -> Markup:
        # Links and pictures are replaced by links and pictures, so this is as safe as it was.
        return Markup(SOURCE.sub(picture, HREF.sub(link, text)))

    def around(place: Link) -> Link:
        return replace(place, href=outside(place.href))

    rows = tuple(
        replace(
            row,
            prose=closed(row.prose),
            code=tuple(replace(line, html=closed(line.html)) for line in row.code),
            used_by=tuple(around(user) for user in row.used_by) if base else (),
        )
        for row in page.rows
    )
    return replace(
        page,
        home=outside(page.home),
        rows=rows,
        breadcrumbs=tuple(around(crumb) for crumb in page.breadcrumbs) if base else (),
        children=tuple(around(child) for child in page.children) if base else (),
        alternates=tuple(each for each in page.alternates if each.current),
        previous=None,
        next=None,
        notebook=outside(page.notebook) if page.notebook else "",
    )


def with_fonts(files: Mapping[str, bytes], path: str) -> bytes:
    """A file of the theme; in a style sheet, the fonts stand where their addresses stood."""
    content = files[path]
    if not path.endswith(".css"):
        return content

    def font(found: re.Match[str]) -> str:
        name = f"{ASSET_FOLDER}/{found[2]}"
        return f"url({data_address(name, files[name])})"

    return STYLE_URL.sub(font, content.decode()).encode()


def data_address(path: str, content: bytes) -> str:
    """A file as an address that holds it."""
    ending = posixpath.splitext(path)[1]
    types = {".woff2": "font/woff2", ".js": "text/javascript", ".svg": "image/svg+xml"}
    kind = types.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        # Text stays text, which is shorter; a style sheet already holds its fonts as base 64.
        return f"data:{kind};charset=utf-8,{quote(content, safe=SAFE)}"
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


SAFE = "/:;,=+@!$&()*'?[]{}|^~. -_"
"""Signs that mean nothing special in the data of an address, nor in a quoted attribute."""
