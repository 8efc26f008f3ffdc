"""
---
title: What the i18n commands share
summary: The choice of languages.
---
# What the i18n commands share
"""

import argparse
from collections.abc import Sequence

from pylit.cli.common import chosen
from pylit.model import Language
from pylit.settings import Settings


def add_languages(parser: argparse.ArgumentParser) -> None:
    """The option that names languages."""
    parser.add_argument(
        "--lang", metavar="CODE", action="append", default=[],
        help="only this language; may be given several times (default: all)",
    )  # fmt: skip


def translated_languages(settings: Settings, codes: Sequence[str]) -> list[Language]:
    """The languages that were asked for, without that of the sources."""
    return [item for item in chosen(settings, codes) if item != settings.language]
