"""
---
title: The settings file
summary: pylit.toml read into a value; every wrong key or value is named with its line.
---
# The settings file

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

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pylit.errors import SettingsError, UsageError
from pylit.model import Language, Problem
from pylit.settings import TEXT_KEYS, I18n, Macro, Settings, SourceRoot
from pylit.settings_check import faults, with_addresses

SOURCE_TABLE = re.compile(r"^[ \t]*\[\[[ \t]*source[ \t]*\]\]", re.MULTILINE)
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

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
                message = f"there is no key {key!r} in {where}; known are {', '.join(known)}"
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
        path = reader.text_value(item, "path", "")
        if path.startswith("/"):
            message = f"path = {path!r} must be counted from the folder of the settings"
            raise reader.fail("path", message)
        path = path.strip("/")
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
