"""
---
title: The MathJax bundle
summary: Where the files of MathJax lie, and what to say when they are missing.
---

# The MathJax bundle

`mathjax/build.py` makes the folder `pylit/mathjax` when pylit is set up or packaged: one script,
one full style sheet, the fonts and their licences. Nothing of it is changed at run time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

BUNDLE = Path(__file__).resolve().parents[1] / "mathjax"


class TypesetterUnavailable(Exception):
    """Formulas cannot be typeset here; the message says which command to run."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle that was found complete.

    `digest` is the hash of its script: another MathJax has another one.
    """

    folder: Path
    digest: str

    @property
    def script(self) -> Path:
        """MathJax, and our own code that calls it."""
        return self.folder / "mathjax.js"

    @property
    def styles(self) -> Path:
        """The full style sheet, one rule a line."""
        return self.folder / "mathjax.css"

    def font(self, name: str) -> Path:
        """A font file by its name."""
        return self.folder / "fonts" / name


def find_bundle(folder: Path = BUNDLE) -> Bundle:
    """The bundle in `folder`.

    Raises:
        TypesetterUnavailable: The folder was not made yet, or not to its end.
    """
    try:
        digest = json.loads((folder / "version.json").read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = "The MathJax bundle is missing; run `make docs` in a checkout of pylit to make it"
        raise TypesetterUnavailable(message) from error
    return Bundle(folder, str(digest))
