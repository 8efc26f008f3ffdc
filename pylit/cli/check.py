"""
---
title: pylit check
summary: The command that says what is wrong with a site.
---
# `pylit check`

Builds the site in memory and writes nothing. The findings are its output; how it comes along goes
to the other stream, so that both can be used.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from pylit.check import check, external_links, relative_to
from pylit.cli.common import Commands, add_site, as_called, exit_code, load
from pylit.cli.i18n import update
from pylit.cli.i18n_check import check as check_catalogs
from pylit.cli.i18n_common import translated_languages
from pylit.external import find_dead
from pylit.extract import extract
from pylit.model import Problem
from pylit.reading import read
from pylit.report import FORMATS
from pylit.settings import Settings
from pylit.site import Build, build


def add(commands: Commands) -> None:
    """Describe the command."""
    checking = commands.add_parser(
        "check",
        help="say what is wrong with the site",
        description="Build the site in memory and look for dead links, faulty formulas, pictures"
        " without words and the like. Nothing is written.",
    )
    add_site(checking)
    checking.add_argument(
        "--format", choices=list(FORMATS), default="text",
        help="how problems are written (default: %(default)s)",
    )  # fmt: skip
    checking.add_argument("--strict", action="store_true", help="let warnings count as errors")
    checking.add_argument(
        "--external", action="store_true",
        help="also ask other hosts whether what prose links to is there",
    )  # fmt: skip
    checking.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Check a site."""
    settings = load(options)
    made = build(settings)
    problems = [*check(settings, made), *catalog_problems(settings)]
    if options.external:
        problems += ask_others(settings, made)
    here = Path()
    shown = sorted(
        replace(problem, path=relative_to(settings.folder, here, problem))
        for problem in set(problems)
    )
    report = FORMATS[options.format](shown)
    # What a person reads names commands as this one was called; what a program reads is always
    # the same.
    sys.stdout.write(as_called(report) if options.format == "text" else report)
    if options.format == "text":
        errors = sum(problem.level == "error" for problem in shown)
        print(
            f"{len(made.pages)} pages: {errors} errors, {len(shown) - errors} warnings",
            file=sys.stderr,
        )
    return exit_code(shown, strict=options.strict)


def catalog_problems(settings: Settings) -> list[Problem]:
    """Catalogues that are behind their pages, and what is wrong in them."""
    problems: list[Problem] = []
    languages = translated_languages(settings, [])
    extracts = extract(settings, read(settings)) if languages else []
    for language in languages:
        behind, unreadable = update(settings, language, extracts, (), prune=False)
        message = "the catalogue is behind its page; bring it up to date with: pylit i18n update"
        problems += [Problem(path, 0, 0, message, "warning", "catalog") for path in behind]
        problems += unreadable
        problems += [
            Problem(each.path, each.line, 1, each.message, each.level, each.code)
            for each in check_catalogs(settings, language)[0]
        ]
    return problems


def ask_others(settings: Settings, made: Build) -> list[Problem]:
    """Ask for all addresses elsewhere."""
    places = external_links(settings, made)
    return [
        replace(places[address], message=f"{address} {reason}", level="warning")
        for address, reason in find_dead(places).items()
    ]
