"""
---
title: Translations
summary: PO catalogues, one for each page and language, read and brought up to date with polib.
---
# Translations

A language lives in `translations/<language>/<page path>.po`: one file a page, one entry a
paragraph, heading, list item or table cell. The key is the English Markdown of that block, its
formulas, code and links written out, so that a translator sees what a sentence is about.

An entry is in one of four states. *Translated* text is shown. *Machine* text is marked with a
translator's comment `# pylit: machine` and shown too. A *fuzzy* entry was translated from an older
English text, an *empty* one not at all: in place of both the page shows English, marked as such.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polib

from pylit.model import Message, Problem

LINE = re.compile(r'(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s*)?"(?:[^"\\]|\\.)*"')

WRAP = 0
"""No wrapping: a changed word changes one line of the file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A translated text, and the line of the catalogue where it stands."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Catalog:
    """The usable translations of one page into one language, by their English text."""

    path: str
    entries: Mapping[str, Entry] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def find(self, text: str) -> Entry | None:
        """The translation of a text, if there is one that may be shown."""
        return self.entries.get(text)


def read_catalog(file: Path, path: str) -> Catalog:
    """
    Read a catalogue. A missing file is an empty one, a broken file an empty one with a problem.

    `path` is the file's name as it is to be reported, relative to the site's folder.
    """
    if not file.is_file():
        return Catalog(path)
    try:
        check_syntax(file.read_text(encoding="utf-8"))
        po = polib.pofile(str(file), encoding="utf-8", wrapwidth=WRAP, check_for_duplicates=False)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        return Catalog(path, {}, (unreadable(error, path),))
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    for entry in po:
        if entry.obsolete or entry.fuzzy or not entry.msgstr.strip():
            continue
        control = next((sign for sign in entry.msgstr if sign < " " and sign != "\n"), None)
        if control:
            # `\theta` typed with one backslash is a tab and `heta` to every PO reader.
            message = (
                "the translation holds a control character; in a PO file every backslash of a"
                " formula is written twice (\\\\theta)"
            )
            problems.append(Problem(path, entry.linenum or 1, 1, message, code="control-character"))
            continue
        entries.setdefault(entry.msgid, Entry(entry.msgstr, entry.linenum or 1))
    return Catalog(path, entries, tuple(problems))


def check_syntax(text: str) -> None:
    """
    Refuse a line that is no line of a catalogue.

    polib takes an unclosed quote for a shorter text; better to be told than to lose a word.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#") and not LINE.fullmatch(line.strip()):
            raise ValueError(f"not a line of a catalogue (line {number})")


def unreadable(error: Exception, path: str) -> Problem:
    """Make one sentence of what polib says about a broken file."""
    if isinstance(error, UnicodeDecodeError):
        return Problem(path, 1, 1, "the catalogue is not UTF-8; save it as UTF-8", code="po-syntax")
    text = str(error)
    _, _, tail = text.rpartition("(line ")
    digits = tail.split(")")[0] if tail else ""
    line = int(digits) if digits.isdigit() else 1
    message = "the catalogue cannot be read here; check the quotes and keywords of this entry"
    return Problem(path, line, 1, message, code="po-syntax")


def merge(text: str | None, language: str, page: str, messages: Iterable[Message]) -> str:
    """
    Bring the text of a catalogue up to date with the messages of its page, in their order.

    Nothing is lost: translations of blocks that are gone stay at the end, out of use (`#~`), and
    come back with their block. Updating twice changes nothing. `page` is the source file.

    Raises `ValueError` or `OSError` when the text is no catalogue.
    """
    check_syntax(text or "")
    old = polib.pofile(text, wrapwidth=WRAP) if text else polib.POFile(wrapwidth=WRAP)
    known = {entry.msgid: entry for entry in old}
    new = polib.POFile(wrapwidth=WRAP)
    new.header = old.header
    new.metadata = {
        **old.metadata,
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    seen: set[str] = set()
    for message in messages:
        if message.text in seen:
            continue
        seen.add(message.text)
        previous = known.get(message.text)
        note = [f"{message.role}, #{message.anchor}" if message.anchor else message.role]
        note += [f"{{math{number}}} = {tex}" for number, tex in enumerate(message.formulas, 1)]
        new.append(
            polib.POEntry(
                msgid=message.text,
                msgstr=previous.msgstr if previous else "",
                comment="\n".join(note),
                tcomment=previous.tcomment if previous else "",
                occurrences=[(page, "")],
                flags=[] if previous is None else list(previous.flags),
                previous_msgid=previous.previous_msgid if previous else None,
            )
        )
    for entry in old:
        if entry.msgid not in seen and entry.msgstr:
            entry.obsolete = True
            entry.comment, entry.occurrences = "", []
            new.append(entry)
    return str(new).rstrip("\n") + "\n"
