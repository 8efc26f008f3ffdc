"""
---
title: Settings
summary: pylit.toml read into a value; every wrong key or value is named with its line.
---
# Settings

One file, `pylit.toml`, beside the packages that it publishes. Everything has a default but the
sources:

```toml
title = "Attention, annotated"
base_url = "https://example.org/attention/"   # where the site will be published

[[source]]
path = "my_package"        # a package, a folder of Markdown, or one file

[languages.ja]             # docs/ja/…, translations/ja/…
name = "日本語"
```
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pylit.errors import SettingsError, UsageError
from pylit.model import Language, Problem

FILE_NAME = "pylit.toml"
SOURCE_TABLE = re.compile(r"^[ \t]*\[\[[ \t]*source[ \t]*\]\]", re.MULTILINE)
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

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
TABLE_KEYS = ("source", "language", "languages", "i18n", "math")


@dataclass(frozen=True, slots=True)
class Reader:
    """The text of a settings file, to name the line of whatever is wrong in it."""

    path: str
    text: str
    start: int = 0

    def at_source(self, number: int) -> "Reader":
        """The same for one of several `[[source]]` tables, whose keys have the same names."""
        tables = [table.start() for table in SOURCE_TABLE.finditer(self.text)]
        return replace(self, start=tables[number]) if number < len(tables) else self

    def fail(self, key: str, message: str) -> SettingsError:
        """An error at the line where a key is set."""
        quoted = re.escape(key)
        pattern = re.compile(
            rf"^\s*(?:\[+.*\b{quoted}\b.*\]|[\"']?{quoted}[\"']?\s*=)", re.MULTILINE
        )
        match = pattern.search(self.text, self.start)
        start = match.start() + len(match[0]) - len(match[0].lstrip()) if match else self.start
        line = self.text.count("\n", 0, start) + 1
        return SettingsError(Problem(self.path, line, 1, message, code="settings"))

    def check_keys(self, table: Mapping[str, object], known: Sequence[str], where: str) -> None:
        """Refuse a key that means nothing: it is most likely misspelt."""
        for key in table:
            if key not in known:
                message = f"{where} has no key {key!r}; it knows {', '.join(known)}"
                raise self.fail(key, message)

    def text_value(self, table: Mapping[str, object], key: str, default: str) -> str:
        """A value that must be text."""
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self.fail(key, f"{key} must be text in quotes, not {value!r}")
        return value


def read_settings(file: Path) -> Settings:
    """
    Read a settings file.

    Raises `UsageError` when it cannot be read, `SettingsError` when something in it is wrong.
    """
    name = file.name
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        message = (
            "there is no such settings file here; pylit new writes the first one, --config names"
            " one elsewhere, and pylit build PATH needs none"
        )
        raise UsageError(Problem(name, 0, 0, message, code="settings")) from None
    except (OSError, UnicodeDecodeError) as error:
        message = f"the settings cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}"
        raise UsageError(Problem(name, 0, 0, message, code="settings")) from None
    reader = Reader(name, text)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        message = "this TOML is nested too deeply to be read"
        raise SettingsError(Problem(name, 1, 1, message, code="settings")) from None
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(where[1]), int(where[2])) if where else (text.count("\n") + 1, 1)
        message = f"this is not valid TOML: {str(error).partition(' (at ')[0]}"
        raise SettingsError(Problem(name, line, column, message, code="settings")) from None
    reader.check_keys(table, [*TEXT_KEYS, "contents", *TABLE_KEYS], "the settings")
    defaults = Settings(file.parent, ())
    # The type checker cannot see that these keys are just the fields that hold text.
    texts: dict[str, Any] = {
        key: reader.text_value(table, key, getattr(defaults, key)) for key in TEXT_KEYS
    }
    settings = replace(
        defaults,
        sources=read_sources(reader, table.get("source", [])),
        language=read_source_language(reader, table.get("language", {})),
        languages=read_languages(reader, table.get("languages", {})),
        macros=read_macros(reader, table.get("math", {})),
        i18n=read_i18n(reader, table.get("i18n", {})),
        contents=read_switch(reader, table, "contents", default=True),
        **texts,
    )
    return check(reader, settings)


def read_sources(reader: Reader, value: object) -> tuple[SourceRoot, ...]:
    """Read the `[[source]]` tables."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise reader.fail("source", "source must be a list of tables: write [[source]]")
    roots: list[SourceRoot] = []
    everything = reader
    for number, item in enumerate(value):
        reader = everything.at_source(number)
        known = ("path", "at", "include", "exclude", "order", "translate")
        reader.check_keys(item, known, "a [[source]]")
        path = reader.text_value(item, "path", "").strip("/")
        if not path:
            raise reader.fail(
                "source", "a [[source]] needs a path: the package or folder to publish"
            )
        # The first source is the front of the site; the others live in folders of their names.
        default = path.rpartition("/")[2] if roots else ""
        at = reader.text_value(item, "at", default).strip("/")
        if ".." in at.split("/"):
            raise reader.fail("at", f"at = {at!r} leads out of the site; name a folder inside it")
        translate = read_switch(reader, item, "translate", default=True)
        include = read_patterns(reader, item, "include")
        exclude = read_patterns(reader, item, "exclude")
        order = read_patterns(reader, item, "order")
        roots.append(SourceRoot(path, at, exclude, translate, include, order))
    return tuple(roots)


def read_patterns(reader: Reader, table: Mapping[str, object], key: str) -> tuple[str, ...]:
    """Read a list of patterns."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise reader.fail(key, f"{key} must be a list of patterns such as 'tests/*'")
    return tuple(value)


def read_source_language(reader: Reader, value: object) -> Language:
    """Read `[language]`, the language that the sources are written in."""
    if not isinstance(value, dict):
        raise reader.fail("language", "language must be a table: write [language]")
    reader.check_keys(value, ("code", "tag", "name", "direction"), "[language]")
    code = reader.text_value(value, "code", "en")
    return read_language(reader, code, {"name": "English", **value} if code == "en" else value)


def read_languages(reader: Reader, value: object) -> tuple[Language, ...]:
    """Read the `[languages.…]` tables."""
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        raise reader.fail("languages", "languages must be tables: write [languages.ja]")
    return tuple(read_language(reader, code, item) for code, item in value.items())


def read_language(reader: Reader, code: str, table: Mapping[str, object]) -> Language:
    """Read one language."""
    reader.check_keys(table, ("code", "tag", "name", "direction"), f"[languages.{code}]")
    if not LANGUAGE_CODE.fullmatch(code):
        raise reader.fail(code, f"{code!r} is no language code; write one such as 'ja' or 'pt-br'")
    direction = reader.text_value(table, "direction", "ltr")
    if direction not in ("ltr", "rtl"):
        raise reader.fail("direction", f"direction must be 'ltr' or 'rtl', not {direction!r}")
    name = reader.text_value(table, "name", code)
    side: Literal["ltr", "rtl"] = "rtl" if direction == "rtl" else "ltr"
    return Language(code, reader.text_value(table, "tag", code), name, side)


def read_i18n(reader: Reader, value: object) -> I18n:
    """Read `[i18n]`."""
    if not isinstance(value, dict):
        raise reader.fail("i18n", "i18n must be a table: write [i18n]")
    reader.check_keys(value, ("machine", "fuzzy", "suggest_url"), "[i18n]")
    machine, fuzzy = (read_switch(reader, value, key) for key in ("machine", "fuzzy"))
    url = reader.text_value(value, "suggest_url", "")
    if url and not re.match(r"https?://[^/\s]+.*\{body\}", url):
        message = "suggest_url must start with https:// and hold {body}, where the text goes"
        raise reader.fail("suggest_url", message)
    return I18n(machine, fuzzy, url)


def read_switch(
    reader: Reader, table: Mapping[str, object], key: str, *, default: bool = False
) -> bool:
    """Read a value that must be true or false."""
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise reader.fail(key, f"{key} must be true or false, not {value!r}")
    return value


def read_macros(reader: Reader, value: object) -> Mapping[str, Macro]:
    """Read `[math]`: TeX macros for all pages."""
    if not isinstance(value, dict):
        raise reader.fail("math", "math must be a table: write [math.macros]")
    reader.check_keys(value, ("macros",), "[math]")
    table = value.get("macros", {})
    if not isinstance(table, dict):
        raise reader.fail("macros", "macros must be a table: write [math.macros]")
    macros: dict[str, Macro] = {}
    for name, body in table.items():
        plain = name.removeprefix("\\")
        match body:
            case str():
                macros[plain] = body
            case [int(count), str(text)]:
                macros[plain] = (count, text)
            case _:
                message = (
                    f"the macro {name!r} must be its TeX in single quotes,"
                    " or [number of arguments, TeX]"
                )
                raise reader.fail(name, message)
        if not re.fullmatch(r"[A-Za-z]+|[^A-Za-z]", plain):
            raise reader.fail(name, f"the macro {name!r} must be letters, without a backslash")
    return macros


def check(reader: Reader, settings: Settings) -> Settings:
    """Check what can only be seen together, and give addresses one form."""
    if not settings.sources:
        raise reader.fail("source", "there is nothing to publish; write [[source]] with a path")
    for key, message, number in faults(settings):
        raise (reader if number is None else reader.at_source(number)).fail(key, message)
    return with_addresses(settings)


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


def resolved(path: Path) -> Path:
    """A path without links; where links run in a circle, the path as it is."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return Path(os.path.abspath(path))


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
