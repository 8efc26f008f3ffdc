"""
---
title: What a page asked the index
summary: A new definition makes only those pages anew whose links would lead elsewhere.
---
# What a page asked the index

Pages link to each other, so each depends on all others, and a new function anywhere might change
the link of any page. It hardly ever does. So the [index](links.html) is asked through
[`Lookups`][], which remember each question and its answer; they are kept with the page, and asked
again of another index.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from pylit.links import Index, Target, Unresolved, resolve, resolve_name
from pylit.model import Picture

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page asked of the index, and how the answer to it is written."""

    question: tuple[str, ...]
    answer: str


class Lookups:
    """An index that remembers what it was asked, and what it answered."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.answers: dict[tuple[str, ...], str] = {}

    def resolve(self, href: str, address: str, path: str) -> Target | Unresolved:
        """See [`pylit.links.resolve`][]."""
        return self.keep(("link", href, address, path), resolve(href, address, path, self.index))

    def resolve_name(self, name: str, address: str) -> Target | Unresolved:
        """See [`pylit.links.resolve_name`][]."""
        return self.keep(("name", name, address), resolve_name(name, address, self.index))

    def picture(self, address: str) -> Picture | None:
        """What pages show of the file at an address, if it is a picture."""
        return self.keep(("picture", address), self.index.pictures.get(address))

    def is_page(self, address: str) -> bool:
        """Tell whether there is a page at an address, and not another file."""
        return self.keep(("page", address), address in self.index.pages)

    def keep(self, question: tuple[str, ...], answer: T) -> T:
        """Remember an answer."""
        self.answers[question] = repr(answer)
        return answer

    def asked(self) -> tuple[Answer, ...]:
        """All questions so far, with their answers."""
        return tuple(Answer(*item) for item in self.answers.items())


def still_holds(answers: Iterable[Answer], index: Index) -> bool:
    """Tell whether an index would answer all questions as it was done before."""
    return all(repr(ask(index, item.question)) == item.answer for item in answers)


def ask(index: Index, question: tuple[str, ...]) -> object:
    """Ask an index a question that was asked before."""
    match question:
        case ("link", href, address, path):
            return resolve(href, address, path, index)
        case ("name", name, address):
            return resolve_name(name, address, index)
        case ("picture", address):
            return index.pictures.get(address)
        case ("page", address):
            return address in index.pages
    return None
