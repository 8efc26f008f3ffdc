"""
---
title: Interface words
summary: The theme's own words, gathered from the templates, one catalogue a language.
---
# Interface words

The theme's own words, such as "Next" or "View source", are marked with `_()` in the templates and
translated in `pylit/locale/<language>.po`. A language that we do not have yet shows them in
English.
After a change of the templates, `python -m pylit.words` brings the catalogues up to date;
`python -m pylit.words ta` also begins that of a new language.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import jinja2
import polib

from pylit.catalog_update import update_text
from pylit.model import Language, Message
from pylit.places import LOCALE


def read_words(language: Language) -> dict[str, tuple[str, ...]]:
    """Each word that is translated, with its forms: one, or one for each plural of the language."""
    file = LOCALE / f"{language.code}.po"
    if not file.is_file():
        return {}
    return {
        entry.msgid: tuple(entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural))
        or (entry.msgstr,)
        for entry in polib.pofile(str(file))
        if (entry.msgstr or entry.msgstr_plural) and not entry.fuzzy and not entry.obsolete
    }


def find_words(folder: Path) -> list[Message]:
    """The words that the templates of a folder mark, in the order of the files."""
    environment = jinja2.Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    found: dict[str, Message] = {}
    for file in sorted([*folder.glob("*.html"), *folder.glob("live/*.html")]):
        text = file.read_text(encoding="utf-8")
        # The extension adds this method when it is loaded, so a type checker cannot know it.
        for line, _, words in environment.extract_translations(text):  # type: ignore[attr-defined]
            word = words if isinstance(words, str) else words[0]
            found.setdefault(word, Message(word, "interface", file.name, line))
    return list(found.values())


def main(codes: Sequence[str] = ()) -> None:
    """Bring all catalogues of interface words up to date; those of new languages are named."""
    templates = LOCALE.parent.parent / "templates"
    for file in sorted({*LOCALE.glob("*.po"), *(LOCALE / f"{code}.po" for code in codes)}):
        old = file.read_text(encoding="utf-8") if file.is_file() else None
        new = update_text(old, file.stem, "pylit", "templates", find_words(templates))
        file.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
