"""
---
title: Remarks of translators
summary: Two comments in a catalogue mean something to us: machine, and ignore.
---
# Remarks of translators

A PO file has no place to say that a translation was made by a machine, or that a finding of the
checks is wrong. Comments of the translator survive every tool, so we read two of them:

```po
# pylit: machine
# pylit: ignore numbers (ten thousand is one word in this language)
msgid "…"
msgstr "…"
```

The reason in brackets is not optional: the next translator has to know it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

MACHINE = "pylit: machine"
IGNORE = re.compile(r"pylit:\s*ignore\s+(?P<code>[\w-]+)\s*(?:\((?P<reason>.*\S.*)\))?\s*$")

NEVER_IGNORED = frozenset({"html", "control-character", "po-syntax"})
"""What would harm a reader, whatever the reason."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """A finding that a translator looked at and keeps; `reason` is empty where none is given."""

    code: str
    reason: str


def is_machine(remarks: Iterable[str]) -> bool:
    """Whether a translation is marked as made by a machine."""
    return any(remark.strip() == MACHINE for remark in remarks)


def find_ignores(remarks: Iterable[str]) -> list[Ignore]:
    """The findings that the remarks of an entry silence."""
    matches = (IGNORE.match(remark.strip()) for remark in remarks)
    return [Ignore(match["code"], match["reason"] or "") for match in matches if match]


def own_remarks(remarks: Iterable[str]) -> tuple[str, ...]:
    """The remarks that mean something to us."""
    return tuple(remark for remark in remarks if remark.strip().startswith("pylit:"))
