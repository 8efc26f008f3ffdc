"""
---
title: How to cite a page
summary: BibTeX for the papers that a page is about, from the site's own file, and for the page.
---
# How to cite a page

Authors of papers have their references in a BibTeX file, so a site has one too; the setting
`bibliography` names it. An entry is shown as it stands there, at the foot of each page that cites
it, and a page cites a paper by

1. a link to it in the prose, by its arXiv number, its DOI or its address: what most pages have
   anyway;
2. its key under `cite` in the [head of the page](front_matter.html), for what has no address.

Nothing is looked up on the web, and nothing is guessed: a paper that the file does not hold is
not there. The entry for the page itself says what the site knows of it: title, author, site,
address. It has no date, since the same source must give the same page tomorrow.
"""

import html
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote, urlsplit

from pylit.model import Module, Page, Problem
from pylit.settings import Settings
from pylit.source import read_text

HREF = re.compile(r'<a\b[^<>]*?\bhref="(https?://[^"]*)"')
ARXIV = re.compile(r"(?:arxiv:)?((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7}))(?:v\d+)?", re.I)
SIGNS = {ord(sign): f"\\{sign}" for sign in "#$%&_"}
SPECIAL = SIGNS | str.maketrans(
    {"{": r"\textbraceleft{}", "}": r"\textbraceright{}", "\\": r"\textbackslash{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


@dataclass(frozen=True, slots=True)
class Bibliography:
    """
    The entries of a BibTeX file by their keys, as they stand there, and what was wrong with it.

    `keys` leads from what identifies a paper, such as `arxiv:1706.03762`, to its key.
    """

    path: str = ""
    entries: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def read_bibliography(settings: Settings) -> Bibliography:
    """Read the file that the settings name; without one there are no papers."""
    path = settings.bibliography
    if not path:
        return Bibliography()
    text, problem = read_text(settings.folder / path, path)
    return Bibliography(path, problems=(problem,)) if problem else parse_bibliography(path, text)


def parse_bibliography(path: str, text: str) -> Bibliography:
    """Read BibTeX. An entry with a fault is left out and reported; the others stay."""
    # Loading it takes longer than a build that has nothing to do, so only sites with papers do.
    from bibtexparser import entrypoint, model

    # What is wrong with a file becomes a problem, and needs no second voice.
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
    entries: dict[str, str] = {}
    keys: dict[str, str] = {}
    problems: list[Problem] = []
    for block in entrypoint.parse_string(text).blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, model.Entry):
            entries[block.key] = (block.raw or "").strip()
            for name in identifiers({item.key.lower(): str(item.value) for item in block.fields}):
                keys.setdefault(name, block.key)
            continue
        if isinstance(block, model.DuplicateBlockKeyBlock):
            message = f"there is another entry {block.key!r} above; give this one a key of its own"
        elif isinstance(block, model.DuplicateFieldKeyBlock):
            twice = ", ".join(sorted(block.duplicate_keys))
            message = f"this entry has a field twice: {twice}; remove one of the two"
        elif isinstance(block, model.ParsingFailedBlock):
            message = "this entry cannot be read; look for a missing brace, comma or equals sign"
        else:
            continue
        problems.append(Problem(path, line, 1, message, code="cite"))
    return Bibliography(path, entries, keys, tuple(problems))


def identifiers(fields: Mapping[str, str]) -> Iterable[str]:
    """What a link to a paper may be recognised by."""
    if found := ARXIV.fullmatch(fields.get("eprint", "").strip()):
        yield f"arxiv:{found[1].lower()}"
    if doi := fields.get("doi", "").strip():
        yield identifier(doi if "://" in doi else f"https://doi.org/{doi}")
    if url := fields.get("url", "").strip():
        yield identifier(url)


def identifier(url: str) -> str:
    """One form for all the addresses of a paper: at arXiv, by DOI, or anywhere else."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    host, path = parts.netloc.lower().removeprefix("www."), unquote(parts.path).strip("/")
    if host in ("doi.org", "dx.doi.org"):
        number = re.sub(r"^10\.48550/arxiv\.", "arxiv:", path.lower())
        return number if number.startswith("arxiv:") else f"doi:{number}"
    if host.removeprefix("export.") == "arxiv.org":
        number = path.partition("/")[2].removesuffix(".pdf")
        if found := ARXIV.fullmatch(number):
            return f"arxiv:{found[1].lower()}"
    return f"{host}/{path}?{parts.query}"


def with_citations(
    settings: Settings,
    modules: Sequence[Module],
    titles: Mapping[str, str],
    pages: Sequence[Page],
) -> tuple[list[Page], list[Problem]]:
    """
    Add to each page what it cites and how it is cited.

    `titles` are the titles of the site by the codes of the languages.
    """
    bibliography = read_bibliography(settings)
    problems = list(bibliography.problems)
    asked: dict[str, list[str]] = {}
    for module in modules:
        for key, line in module.cites:
            if key in bibliography.entries:
                asked.setdefault(module.source.path, []).append(key)
            else:
                problems.append(unknown(module, key, line, bibliography.path))
    made = [
        replace(
            page,
            citation=own_entry(page, settings.author, titles[page.language.code]),
            cited=cited(page, asked.get(page.source_path, ()), bibliography),
        )
        if page.source_path
        else page
        for page in pages
    ]
    return made, problems


def unknown(module: Module, key: str, line: int, path: str) -> Problem:
    """A key that the site's file does not have."""
    message = (
        f"{path} has no entry {key!r}; add it there, or correct the key"
        if path
        else f"the page cites {key!r}, but the settings name no file of BibTeX; set bibliography"
    )
    return Problem(module.source.path, line, 1, message, code="cite")


def cited(page: Page, asked: Iterable[str], bibliography: Bibliography) -> tuple[str, ...]:
    """The papers of a page: those that its head names, then those that its prose links to."""
    if not bibliography.entries:
        return ()
    links = (html.unescape(url) for row in page.rows for url in HREF.findall(row.prose))
    linked = (bibliography.keys.get(identifier(url)) for url in links)
    keys = dict.fromkeys([*asked, *(key for key in linked if key)])
    return tuple(bibliography.entries[key] for key in keys)


def own_entry(page: Page, author: str, site: str) -> str:
    """The entry of a page. A second pair of braces keeps capitals as they are."""
    fields = [("title", braced(page.title)), ("howpublished", braced(site))]
    if author:
        # Its braces are BibTeX's, and keep the words of an organisation together.
        fields.insert(0, ("author", author.translate(SIGNS)))
    if page.url:
        fields.append(("url", page.url))
    lines = ",\n".join(f"  {name:12} = {{{value}}}" for name, value in fields)
    key = re.sub(r"[^a-z0-9]+", "-", f"{site} {page.address.removesuffix('.html')}".lower())
    return f"@misc{{{key.strip('-')},\n{lines}\n}}"


def braced(text: str) -> str:
    """Plain text as BibTeX, in braces."""
    return f"{{{text.translate(SPECIAL)}}}"
