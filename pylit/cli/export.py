"""
---
title: pylit export
summary: The command that makes one file of one page.
---
# `pylit export`
"""

import argparse
import posixpath
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pylit.cli.common import FINE, Commands, add_config, chosen, load
from pylit.errors import UsageError
from pylit.export import export_html, export_notebook, find_page
from pylit.model import Page, Problem
from pylit.output import is_own, replace_file
from pylit.settings import Settings
from pylit.site import Build, build


@dataclass(frozen=True, slots=True)
class Format:
    """What a page can become: the ending of the file, and what makes its content."""

    ending: str
    make: Callable[[Settings, Build, Page], bytes]


FORMATS: Mapping[str, Format] = {
    "html": Format(".html", export_html),
    "notebook": Format(".ipynb", export_notebook),
}


def add(commands: Commands) -> None:
    """Describe the command."""
    exporting = commands.add_parser(
        "export",
        help="make one file of one page",
        description="Make one file of a page that needs nothing else: styles, fonts and figures are"
        " inside. It can be mailed, handed in, and opened from disk.",
    )
    exporting.add_argument(
        "page", metavar="PAGE", help="the source file of the page, its address, or its module"
    )
    add_config(exporting)
    exporting.add_argument(
        "--format", choices=list(FORMATS), default="html", help="(default: %(default)s)"
    )
    exporting.add_argument("--lang", metavar="CODE", help="in this language")
    exporting.add_argument(
        "--output", metavar="FILE", help="write here, or to the standard output with - "
        "(default: the name of the page, in this folder)"
    )  # fmt: skip
    exporting.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Export a page."""
    settings = load(options)
    (language,) = chosen(settings, [options.lang or settings.language.code])
    made = build(settings)
    page = find_page(settings, made, options.page, language)
    wanted = FORMATS[options.format]
    content = wanted.make(settings, made, page)
    if options.output == "-":
        sys.stdout.buffer.write(content)
        return FINE
    file = Path(options.output or default_name(page) + wanted.ending)
    if file.exists() and not (file.is_file() and is_own(file.read_bytes()[:4_000_000])):
        message = "this file was not written by pylit and is kept; move it or name another one"
        raise UsageError(Problem(file.name, 0, 0, message, code="usage"))
    try:
        replace_file(file, content)
    except OSError as error:
        message = f"the page cannot be written: {error.strerror}; name another place by --output"
        raise UsageError(Problem(str(file), 0, 0, message, code="usage")) from None
    print(f"{file}: {page.title} ({len(content) / 1000:.0f} kB)")
    return FINE


def default_name(page: Page) -> str:
    """The name of a page's file; the page of a folder is called like the folder."""
    folder, name = posixpath.split(page.address.removesuffix(".html"))
    if name == "index":
        name = posixpath.basename(folder) or "index"
    return name
