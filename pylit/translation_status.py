"""
---
title: How far translations are
summary: Messages and words of each page, in each state, counted from catalogues and sources.
---
# How far translations are

A page counts with the texts that it shows, each place of a text by itself, since that is what a
reader sees. Words are counted as well as messages: one untranslated heading is not one
untranslated page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pylit.blocks import NOT_WORDS
from pylit.catalog import Catalog, State
from pylit.model import Message

STATES: tuple[State, ...] = ("translated", "machine", "fuzzy", "error", "empty")


@dataclass(frozen=True, slots=True)
class PageStatus:
    """
    How far a page is translated, or a whole language, if it is the sum of its pages.

    `address` is the page in the language of the sources, `source` the file that it is made from,
    `catalog` the file to translate it in.
    """

    address: str
    catalog: str
    source: str = ""
    messages: int = 0
    words: int = 0
    states: dict[State, int] = field(default_factory=dict)
    missing_words: int = 0

    @property
    def translated(self) -> int:
        """The messages that a person has translated."""
        return self.states.get("translated", 0)

    @property
    def percent(self) -> int:
        """The part that is translated, in whole percents; 100 only when nothing is missing."""
        return 100 * self.translated // self.messages if self.messages else 100

    def as_dict(self) -> dict[str, object]:
        """The numbers, for JSON."""
        return {
            "page": self.address,
            "source": self.source,
            "catalog": self.catalog,
            "messages": self.messages,
            "words": self.words,
            **{state: self.states.get(state, 0) for state in STATES},
            "missing_words": self.missing_words,
            "percent": self.percent,
        }


def page_status(
    address: str, source: str, messages: Iterable[Message], catalog: Catalog
) -> PageStatus:
    """Count the messages of a page by the state of their translations."""
    states: dict[State, int] = dict.fromkeys(STATES, 0)
    number = words = missing = 0
    for message in messages:
        state = catalog.state(message.key)
        length = count_words(message.text)
        states[state] += 1
        number += 1
        words += length
        missing += 0 if state == "translated" else length
    return PageStatus(address, catalog.path, source, number, words, states, missing)


def total(pages: Sequence[PageStatus]) -> PageStatus:
    """The sum of several pages."""
    states = {state: sum(page.states.get(state, 0) for page in pages) for state in STATES}
    return PageStatus(
        "",
        "",
        "",
        sum(page.messages for page in pages),
        sum(page.words for page in pages),
        states,
        sum(page.missing_words for page in pages),
    )


def count_words(text: str) -> int:
    """The words to translate in a text, without formulas, code and addresses."""
    return len([word for word in NOT_WORDS.sub(" ", text).split() if any(map(str.isalpha, word))])


def most_wanted(pages: Sequence[PageStatus]) -> list[PageStatus]:
    """The pages that are not complete, those with the most words to translate first."""
    open_pages = [page for page in pages if page.percent < 100]
    return sorted(open_pages, key=lambda page: (-page.missing_words, page.address))
