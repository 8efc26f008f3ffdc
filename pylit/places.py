"""
---
title: Where the files of pylit are
summary: The theme, the words of the theme, and the folder of a site for what all pages share.
---
# Where the files of pylit are
"""

from pathlib import Path

PACKAGE = Path(__file__).parent
LOCALE = PACKAGE / "locale"
"""The catalogues of the theme's own words."""

ASSET_FOLDER = "pylit-assets"
"""No Python package can be called so, so no page will ever want this address."""
CONTENTS = "pylit-contents.html"
"""The page of all pages, in the folder of each language. No module can be called so either."""


def theme_folder() -> Path:
    """The theme: inside the package where it was installed, beside it in a checkout."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"
