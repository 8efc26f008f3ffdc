r"""
---
title: Translations
summary: PO catalogues, one for each page and language, and which of their texts may be shown.
---
# Translations

A language lives in `translations/<language>/<page path>.po`: one [PO file](po.html) a page, one
entry a paragraph, heading, list item or table cell. The key is the English Markdown of that block,
its formulas, code and links written out, so that a translator sees what a sentence is about.

| state | what it is | shown |
|---|---|---|
| translated | the work of a person | yes |
| machine | marked by the [comment](remarks.html) `# pylit: machine` | if the settings say so |
| fuzzy | made for an older English text | if the settings say so |
| error | a [check of its markup](check_markup.html) failed | never |
| empty | not translated | never |

In place of what is not shown the page has English, marked as such. Machine text is off at first: a
reader takes a page for checked, so a site has to decide to show text that nobody has looked at, and
the page then says so.

The [update](catalog_update.html) brings catalogues up to date, the
[checks](translation_checks.html) look closely at them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pylit.check_markup import find_errors
from pylit.model import Language, Problem
from pylit.po import PoEntry, PoFile, PoSyntaxError, parse_po
from pylit.remarks import NEVER_IGNORED, find_ignores, is_machine

State = Literal["translated", "machine", "fuzzy", "error", "empty"]

SHOWN: frozenset[State] = frozenset({"translated"})
"""What is shown where the settings say nothing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: its text, the line of the catalogue where it stands, and its state."""

    text: str
    line: int
    state: State = "translated"


@dataclass(frozen=True, slots=True)
class Catalog:
    """
    The translations of one page into one language, by their English text.

    `entries` are all of them, `shown` the states that a page shows. `exists` is false where there
    is no such file.
    """

    path: str
    entries: Mapping[str, Entry] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    shown: frozenset[State] = SHOWN
    exists: bool = True

    def find(self, key: str) -> Entry | None:
        """The translation of a text, if there is one that may be shown."""
        entry = self.entries.get(key)
        return entry if entry and entry.state in self.shown else None

    def state(self, key: str) -> State:
        """The state of a text's translation; what has no entry is empty."""
        entry = self.entries.get(key)
        return entry.state if entry else "empty"


def shown_states(*, machine: bool, fuzzy: bool) -> frozenset[State]:
    """The states that a page shows, as the settings have it."""
    more: list[State] = []
    if machine:
        more.append("machine")
    if fuzzy:
        more.append("fuzzy")
    return SHOWN | frozenset(more)


def read_po(file: Path, path: str) -> PoFile | Problem:
    """Read a PO file, or say where it is broken. `path` is its name as it is to be reported."""
    try:
        return parse_po(file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        return Problem(path, 1, 1, "the catalogue is not UTF-8; save it as UTF-8", code="po-syntax")
    except OSError as error:
        message = f"the catalogue cannot be read: {error.strerror}"
        return Problem(path, 0, 0, message, code="po-syntax")
    except PoSyntaxError as error:
        message = f"the catalogue cannot be read here: {error.message}"
        return Problem(path, error.line, 1, message, code="po-syntax")


def read_catalog(
    file: Path, path: str, language: Language, shown: frozenset[State] = SHOWN
) -> Catalog:
    """
    Read a catalogue. A missing file is an empty one, a broken file an empty one with a problem.

    `path` is the file's name as it is to be reported, relative to the site's folder.
    """
    if not file.is_file():
        return Catalog(path, shown=shown, exists=False)
    po = read_po(file, path)
    if isinstance(po, Problem):
        return Catalog(path, {}, (po,), shown)
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    for entry in po.entries:
        # An entry out of use may say the same as a live one, or something else: it does not count.
        if entry.obsolete or entry.key in entries:
            continue
        state, found = look_at(entry, path, language)
        problems += found
        entries[entry.key] = Entry(entry.text, entry.line, state)
    return Catalog(path, entries, tuple(problems), shown)


def look_at(entry: PoEntry, path: str, language: Language) -> tuple[State, list[Problem]]:
    """The state of an entry, and the errors for which it must not be shown."""
    if not entry.text.strip():
        return "empty", []
    if entry.fuzzy:
        # It is being worked on; `pylit i18n check` says what is wrong with it.
        errors = find_errors(entry.source, entry.text, language.tag)
        return ("error" if errors else "fuzzy"), []
    machine = is_machine(entry.remarks)
    errors = find_errors(entry.source, entry.text, language.tag, machine=machine)
    if errors:
        ignored = {ignore.code for ignore in find_ignores(entry.remarks) if ignore.reason}
        ignored -= NEVER_IGNORED
        errors = [error for error in errors if error.code not in ignored]
    problems = [
        Problem(path, entry.line, 1, error.message, error.level, error.code) for error in errors
    ]
    return ("error" if problems else "machine" if machine else "translated"), problems
