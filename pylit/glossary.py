"""
---
title: Glossaries
summary: How a language says the terms of the field, as data that the checks use.
---
# Glossaries

Before the first page is translated, a language settles its terms in
`translations/<language>/glossary.toml`:

```toml
[[term]]
source = "dropout"              # the English term
use = "ドロップアウト"           # how this language says it
avoid = ["中退", "脱落"]         # words that are wrong in this sense
sense = "setting values to 0 at random in training"

[[term]]
source = "Transformer"
use = "Transformer"
keep = true                     # stays in Latin letters
sense = "the model"
```

Where the English has a term, the longest one counts: in *self-attention* the entry of *attention*
says nothing. A word to avoid is reported, and so is a term that was to stay and is gone. That `use`
is used is not demanded, since most languages inflect it. Code, formulas and the names of papers
that a text links to are not looked at.
"""

import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pylit.atoms import HOLE, Text, plain_words
from pylit.check_markup import Fault
from pylit.links import is_external
from pylit.model import Problem

KEYS = {"source": str, "use": str, "avoid": list, "keep": bool, "sense": str}


@dataclass(frozen=True, slots=True)
class Term:
    """A term: the English one, how the language says it, and what it must not say."""

    source: str
    use: str
    avoid: tuple[str, ...] = ()
    keep: bool = False
    sense: str = ""


class Glossary:
    """The terms of a language, ready to be looked for."""

    def __init__(self, terms: Iterable[Term] = (), tag: str = "") -> None:
        self.terms = tuple(terms)
        self.tag = tag
        self.by_source = {term.source.casefold(): term for term in self.terms}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All terms, the longest first, as whole words that may stand in the plural."""
        names = sorted((re.escape(name) for name in self.by_source), key=len, reverse=True)
        return re.compile(rf"(?<!\w)({'|'.join(names) or '(?!)'})(?:s|es)?(?!\w)", re.IGNORECASE)

    @cached_property
    def keep(self) -> frozenset[str]:
        """The terms that stay in Latin letters."""
        return frozenset(term.use for term in self.terms if term.keep)

    @cached_property
    def uses(self) -> frozenset[str]:
        """How the language says its terms."""
        return frozenset(term.use for term in self.terms if len(term.use) > 1)

    def find(self, source: Text) -> list[Term]:
        """The terms in a text, each once."""
        found = (match[1].casefold() for match in self.pattern.finditer(readable(source)))
        return [self.by_source[name] for name in dict.fromkeys(found)]

    def check(self, source: Text, translated: Text) -> Iterable[Fault]:
        """Words to avoid, and terms that were to stay and are gone."""
        if not self.terms:
            return
        terms = self.find(source)
        text = readable(translated)
        # What another term of the same text is called is no mistake.
        rest = text
        for use in sorted({term.use for term in terms}, key=len, reverse=True):
            rest = rest.replace(use, HOLE)
        for term in terms:
            for word in term.avoid:
                if holds(rest, word, self.tag):
                    message = (
                        f"{word} is not what {term.source} means here"
                        f"{f' ({term.sense})' if term.sense else ''}; use {term.use}"
                    )
                    yield Fault("glossary", "warning", message)
            if term.keep and term.use.casefold() not in whole(translated).casefold():
                message = f"{term.source} stays as it is in this language, and is not in the text"
                yield Fault("glossary", "warning", message)


def holds(text: str, word: str, tag: str) -> bool:
    """Tell whether a text has a word: a whole one in Latin letters, the start of one in others."""
    if word.isascii():
        return re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", text) is not None
    if tag.partition("-")[0] in ("zh", "ja", "th"):
        return word in text
    # An ending may follow, but a virama would make another letter of the last one.
    return re.search(rf"(?<!\w){re.escape(word)}(?!\u0dca)", text) is not None


def readable(text: Text) -> str:
    """The words of a text without those of links that leave the site: the names of papers."""
    marked = text.fill()
    for link in text.links:
        if is_external(link.address):
            label = text.marked[link.start : link.end]
            marked = marked.replace(f"[{label}]", f"[{HOLE}]")
    return plain_words(marked)


def whole(text: Text) -> str:
    """All of a text, code included: a name that stays may stand in code."""
    return text.fill({})


def read_glossary(file: Path, path: str, tag: str) -> tuple[Glossary, list[Problem]]:
    """Read a glossary; a missing one has no terms. What is wrong in it is said with its line."""
    try:
        text = file.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except FileNotFoundError:
        return Glossary((), tag), []
    except (OSError, UnicodeDecodeError):
        message = "the glossary cannot be read; save it as UTF-8"
        return Glossary((), tag), [Problem(path, 1, 1, message, code="glossary-file")]
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+)", str(error))
        line = int(where[1]) if where else 1
        message = f"the glossary is not valid TOML: {str(error).partition(' (at ')[0]}"
        return Glossary((), tag), [Problem(path, line, 1, message, code="glossary-file")]
    lines = [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == "[[term]]"]
    terms: list[Term] = []
    problems: list[Problem] = []
    entries = table.get("term", [])
    wrong = [key for key in table if key != "term"]
    if wrong or not isinstance(entries, list):
        message = "a glossary holds [[term]] tables and nothing else; correct it"
        problems.append(Problem(path, 1, 1, message, code="glossary-file"))
        entries = entries if isinstance(entries, list) else []
    known: set[str] = set()
    for number, entry in enumerate(entries):
        line = lines[number] if number < len(lines) else 1
        message = fault_of(entry, known)
        if message:
            problems.append(Problem(path, line, 1, message, code="glossary-file"))
            continue
        known.add(entry["source"].casefold())
        terms.append(
            Term(
                entry["source"],
                entry["use"],
                tuple(entry.get("avoid", ())),
                entry.get("keep", False),
                entry.get("sense", ""),
            )
        )
    return Glossary(terms, tag), problems


def fault_of(entry: object, known: Collection[str]) -> str:
    """What is wrong with a term of a glossary, empty where it is right."""
    if not isinstance(entry, dict):
        return "a term is a table: write [[term]]"
    for key, value in entry.items():
        if key not in KEYS:
            return f"a term has no key {key!r}; it knows {', '.join(KEYS)}"
        if not isinstance(value, KEYS[key]):
            return f"{key} has a wrong value {value!r}"
    avoid = entry.get("avoid", [])
    if not all(isinstance(word, str) and word for word in avoid):
        return "avoid is a list of words in quotes"
    for key in ("source", "use"):
        if not entry.get(key):
            return f"a term needs {key}"
    if entry["source"].casefold() in known:
        return f"the term {entry['source']!r} is there twice; remove one"
    if entry["use"] in avoid:
        return f"{entry['use']!r} is to be used and to be avoided; decide"
    return ""
