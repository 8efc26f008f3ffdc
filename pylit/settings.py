"""
---
title: Settings
summary: All that can be said about a site, as a value.
---
# Settings

[`pylit.toml`](settings_file.html) says what is published, how, and in which languages. This is what
it says, once it has been read and [checked](settings_check.html).
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pylit.model import Language

FILE_NAME = "pylit.toml"

ENDINGS = (".py", ".md")
"""Of these files pages are made."""

ENGLISH = Language("en", "en", "English")

Macro = str | tuple[int, str]
"""A TeX macro: its replacement, or the number of its arguments and the replacement."""


@dataclass(frozen=True, slots=True)
class SourceRoot:
    """
    A folder or file to publish: where it is, and the folder of the site where it goes.

    Where `translate` is false, no catalogues are made for its pages unless one is asked for.
    `include` and `exclude` are patterns of paths inside it; `order` are those that come first.
    """

    path: str
    at: str
    exclude: tuple[str, ...] = ()
    translate: bool = True
    include: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class I18n:
    """
    What the site shows of its translations, and how readers can help.

    Text that nobody has looked at, `machine` and `fuzzy`, is shown only if the settings say so.
    `suggest_url` is a pattern with `{title}` and `{body}` for a new issue on the forge.
    """

    machine: bool = False
    fuzzy: bool = False
    suggest_url: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """
    All that can be said about a site.

    `folder` holds the settings file; all paths are relative to it. `output` is where the site is
    written. `source_url` and `edit_url` are patterns with `{path}` and `{line}`; `analytics` is a
    file whose HTML is put into every page, or empty. `templates` is a folder whose templates come
    before the theme's. `contents` asks for a page that lists all others. `author` is who wrote
    the site, as BibTeX writes names, `bibliography` a BibTeX file of what pages cite. `previewed`
    are the codes of languages that translators are looking at: no file can say so, only a server.
    """

    folder: Path
    sources: tuple[SourceRoot, ...]
    title: str = "Annotated source"
    description: str = ""
    base_url: str = ""
    repository: str = ""
    source_url: str = ""
    edit_url: str = ""
    output: str = "docs"
    cache: str = ".pylit-cache"
    translations: str = "translations"
    templates: str = ""
    analytics: str = ""
    language: Language = ENGLISH
    languages: tuple[Language, ...] = ()
    macros: Mapping[str, Macro] = field(default_factory=dict)
    i18n: I18n = I18n()
    previewed: tuple[str, ...] = ()
    contents: bool = True
    author: str = ""
    bibliography: str = ""

    def is_translated(self, path: str) -> bool:
        """Tell whether a source file is in a source that is to be translated."""
        roots = [root for root in self.sources if f"{path}/".startswith(f"{root.path}/")]
        return all(root.translate for root in roots)

    @property
    def all_languages(self) -> tuple[Language, ...]:
        """The language of the sources, then those that it is translated into."""
        return (self.language, *self.languages)


TEXT_KEYS = (
    "title",
    "description",
    "base_url",
    "repository",
    "source_url",
    "edit_url",
    "output",
    "cache",
    "translations",
    "templates",
    "analytics",
    "author",
    "bibliography",
)


def resolved(path: Path) -> Path:
    """A path without links; where links run in a circle, the path as it is."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return Path(os.path.abspath(path))
