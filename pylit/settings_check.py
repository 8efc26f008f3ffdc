"""
---
title: Checking the settings
summary: Values that cannot be right together, each with a sentence that says what to do.
---
# Checking the settings

A value may be right in itself and wrong beside another one: a folder that is written and read, a
language that is there twice. What is wrong is said with the key, so that whoever knows
[where it was written](settings_file.html), in a file or as an option, can name the place.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from pylit.errors import UsageError
from pylit.model import Problem
from pylit.settings import ENDINGS, TEXT_KEYS, Settings, resolved


def checked(settings: Settings) -> Settings:
    """
    Check settings that the command line has changed.

    Raises `UsageError`, which names the option's key instead of a line.
    """
    for key, message, _ in faults(settings):
        raise UsageError(Problem(f"--{key.replace('_', '-')}", 0, 0, message, code="usage"))
    return with_addresses(settings)


def faults(settings: Settings) -> Iterator[tuple[str, str, int | None]]:
    """
    What is wrong with the values taken together: the key, and a sentence.

    What is wrong with a source has its number, counted from 0.
    """
    folder = resolved(settings.folder)
    for key in TEXT_KEYS:
        if any(sign < " " for sign in getattr(settings, key)):
            yield key, f"{key} holds a control character; remove it", None
            return
    for number, root in enumerate(settings.sources):
        for key, value in (("path", root.path), ("at", root.at)):
            if any(sign < " " for sign in value):
                yield key, f"{key} holds a control character; remove it", number
                return
        if not os.path.exists(folder / root.path):
            yield "path", f"the source {root.path!r} is not there; correct its path", number
        elif (folder / root.path).is_file() and not root.path.lower().endswith(ENDINGS):
            message = f"no page can be made of {root.path!r}; name a folder, or a .py or .md file"
            yield "path", message, number
    sources = [resolved(folder / root.path) for root in settings.sources]
    output = resolved(folder / settings.output)
    if output == folder or folder.is_relative_to(output):
        message = (
            f"output = {settings.output!r} would write over the sources; name a folder of its own"
        )
        yield "output", message, None
    places = {
        "output": settings.output,
        "cache": settings.cache,
        "translations": settings.translations,
    }
    for key, value in places.items():
        place = resolved(folder / value)
        if place in sources:
            yield key, f"{key} = {value!r} is also a source; name another folder", None
        if not value or place == folder:
            yield key, f"{key} must be a folder of its own, not {value!r}", None
        for other, text in places.items():
            if key < other and place == resolved(folder / text):
                yield key, f"{key} and {other} are the same folder; name two", None
    codes = [language.code.lower() for language in settings.all_languages]
    for language in settings.all_languages:
        if codes.count(language.code.lower()) > 1:
            yield language.code, f"the language {language.code!r} is there twice; remove one", None
    for key in ("base_url", "repository", "source_url", "edit_url"):
        value = getattr(settings, key)
        if value and not is_web_address(value):
            yield key, f"{key} must be an address that starts with https://, not {value!r}", None
    if settings.templates and not (folder / settings.templates).is_dir():
        yield "templates", f"templates = {settings.templates!r} is not there; name a folder", None
    if settings.analytics and not (folder / settings.analytics).is_file():
        yield (
            "analytics",
            f"analytics = {settings.analytics!r} is not there; name a file of HTML",
            None,
        )
    if settings.author.count("{") != settings.author.count("}"):
        message = "author is written as in BibTeX, and has a brace without its partner; add it"
        yield "author", message, None
    if settings.bibliography and not (folder / settings.bibliography).is_file():
        message = f"bibliography = {settings.bibliography!r} is not there; name a file of BibTeX"
        yield "bibliography", message, None
    for key in ("source_url", "edit_url"):
        pattern = getattr(settings, key)
        if pattern and "{path}" not in pattern:
            yield key, f"{key} needs {{path}} where the file's path belongs", None
        try:
            pattern.format(path="", line=1)
        except (KeyError, IndexError, ValueError, AttributeError):
            yield key, f"{key} may hold {{path}} and {{line}}, and no other braces", None


def is_web_address(value: str) -> bool:
    """Tell an address that a browser can open and that runs nothing."""
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and " " not in value


def with_addresses(settings: Settings) -> Settings:
    """
    Give the addresses one form, and derive those of the source from the repository's.

    The base ends in one slash whether or not the author wrote it, so that links come out the same.
    """
    base_url = f"{settings.base_url.rstrip('/')}/" if settings.base_url else ""
    repository = settings.repository.rstrip("/")
    source_url, edit_url = settings.source_url, settings.edit_url
    if repository:
        source_url = source_url or f"{repository}/blob/main/{{path}}#L{{line}}"
        edit_url = edit_url or f"{repository}/edit/main/{{path}}"
    suggest_url = settings.i18n.suggest_url
    if repository:
        suggest_url = suggest_url or f"{repository}/issues/new?title={{title}}&body={{body}}"
    return replace(
        settings,
        i18n=replace(settings.i18n, suggest_url=suggest_url),
        base_url=base_url,
        repository=repository,
        source_url=source_url,
        edit_url=edit_url,
    )
