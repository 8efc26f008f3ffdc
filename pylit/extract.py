"""
---
title: What can be translated
summary: The messages of every page of a site, and the catalogues of a language.
---
# What can be translated

The messages are gathered by the [renderer](prose.html) itself, so what translators see and what the
pages look up can never differ. The words of the settings, title and description, are in `_site.po`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pylit.catalog import read_catalog, read_po
from pylit.glossary import Glossary, read_glossary
from pylit.model import Language, Message, Problem
from pylit.page import catalog_path, page_url
from pylit.page_draft import draft
from pylit.po import PoFile
from pylit.prose import Renderer
from pylit.reading import Parsed
from pylit.settings import FILE_NAME, Settings
from pylit.theme import site_catalog_path
from pylit.translation_status import PageStatus, page_status


@dataclass(frozen=True, slots=True)
class Extract:
    """
    The messages of a source file. `address` is its page, empty for the settings.

    Where `wanted` is false, the settings do not ask for translations of it.
    """

    file: str
    address: str
    messages: tuple[Message, ...]
    wanted: bool = True

    def catalog(self, settings: Settings, language: Language) -> str:
        """The catalogue of these messages in a language."""
        if not self.address:
            return site_catalog_path(settings, language)
        return catalog_path(settings, language, self.address)


def extract(settings: Settings, parsed: Parsed) -> list[Extract]:
    """The messages of the settings and of all pages."""
    words = (("title", settings.title), ("description", settings.description))
    site = tuple(Message(text, f"{role} of the site", "", 1) for role, text in words if text)
    found = [Extract(FILE_NAME, "", site)]
    renderer = Renderer(only_messages=True)
    for module in parsed.modules:
        page = draft(module, settings.language, settings.language, None, parsed.index, renderer)
        path = module.source.path
        wanted = settings.is_translated(path)
        found.append(Extract(path, module.source.address, page.messages, wanted))
    return found


def catalog_files(settings: Settings, language: Language) -> Iterator[str]:
    """The catalogues that a language has, also those of pages that are gone, in their order."""
    folder = settings.folder / settings.translations / language.code
    for file in sorted(folder.rglob("*.po")):
        yield file.relative_to(settings.folder).as_posix()


def read_all(settings: Settings, paths: Sequence[str]) -> tuple[dict[str, PoFile], list[Problem]]:
    """Read catalogues that exist; those that are broken become problems."""
    files: dict[str, PoFile] = {}
    problems: list[Problem] = []
    for path in paths:
        file: Path = settings.folder / path
        if file.is_file():
            po = read_po(file, path)
            if isinstance(po, Problem):
                problems.append(po)
            else:
                files[path] = po
    return files, problems


def page_of_catalog(settings: Settings, language: Language, path: str) -> str:
    """The page that a catalogue is for: its address on the web, if the settings name a base."""
    folder = f"{settings.translations}/{language.code}/"
    name = path.removeprefix(folder).removesuffix(".po")
    if name == "_site":
        return ""
    address = f"{name}.html"
    return page_url(settings.base_url, f"{language.code}/", address) or address


def site_glossary(settings: Settings, language: Language) -> tuple[Glossary, list[Problem]]:
    """The glossary of a language."""
    path = f"{settings.translations}/{language.code}/glossary.toml"
    return read_glossary(settings.folder / path, path, language.tag)


def language_status(
    settings: Settings, language: Language, extracts: Sequence[Extract]
) -> list[PageStatus]:
    """How far each page is translated, those that the settings want or that have a catalogue."""
    found: list[PageStatus] = []
    for item in extracts:
        path = item.catalog(settings, language)
        catalog = read_catalog(settings.folder / path, path, language)
        if item.messages and (item.wanted or catalog.exists):
            found.append(page_status(item.address, item.file, item.messages, catalog))
    return found
