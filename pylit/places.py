"""
---
title: Where files are, and what they are called
summary: The theme and its words, the folder that all pages share, and names with a hash in them.
---
# Where files are, and what they are called
"""

import hashlib
import re
from pathlib import Path

PACKAGE = Path(__file__).parent
LOCALE = PACKAGE / "locale"
"""The catalogues of the theme's own words."""

ASSET_FOLDER = "pylit-assets"
"""No Python package can be called so, so no page will ever want this address."""
CONTENTS = "pylit-contents.html"
"""The page of all pages, in the folder of each language. No module can be called so either."""


def with_hash(name: str, content: bytes) -> str:
    """
    The name of a file with a hash of its content in it.

    A browser, or a server on the way, may keep such a file for as long as it likes.
    """
    stem, _, ending = name.rpartition(".")
    return f"{stem}.{hashlib.sha256(content).hexdigest()[:8]}.{ending}"


def without_hash(name: str) -> str:
    """The name that such a file has where it comes from."""
    return re.sub(r"\.[0-9a-f]{8}(?=\.[^.]+$)", "", name)


def theme_folder() -> Path:
    """The theme: inside the package where it was installed, beside it in a checkout."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"
