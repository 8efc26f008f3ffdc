"""
---
title: pylit i18n
summary: The commands for translators.
---
# `pylit i18n`

| action | does |
|---|---|
| `update` | brings the catalogues up to date with the sources |
| `check`, `fmt` | [look for faults, and mend them](i18n_check.html) |
| `status` | [counts what is translated](i18n_status.html) |
| `import-html`, `import-po` | [take over translations](i18n_import.html) |
"""

import argparse
from collections.abc import Sequence
from pathlib import PurePath

from pylit.catalog_update import Work, update_catalogs
from pylit.cli.common import CONTENT, Commands, add_config, exit_code, load, show
from pylit.cli.i18n_check import add_check, add_fmt
from pylit.cli.i18n_common import add_languages, translated_languages
from pylit.cli.i18n_import import add_imports
from pylit.cli.i18n_status import add_status
from pylit.errors import UsageError
from pylit.extract import Extract, catalog_files, extract, read_all
from pylit.model import Language, Problem
from pylit.output import replace_file
from pylit.page import catalog_path
from pylit.po import format_po
from pylit.reading import Parsed, read
from pylit.settings import FILE_NAME, Settings
from pylit.theme import site_catalog_path


def add(commands: Commands) -> None:
    """Describe the commands."""
    i18n = commands.add_parser(
        "i18n", help="work on translations", description="Work on translations."
    )
    actions: Commands = i18n.add_subparsers(title="actions", required=True, metavar="ACTION")
    for describe in (add_update, add_check, add_fmt, add_status, add_imports):
        describe(actions)


def add_update(actions: Commands) -> None:
    """Describe `update`."""
    updating = actions.add_parser(
        "update",
        help="bring catalogues up to date with the sources",
        description="Write the blocks of each page into translations/LANGUAGE/PAGE.po. Translations"
        " that are there stay; nothing is ever lost.",
    )
    add_config(updating)
    updating.add_argument(
        "pages", nargs="*", metavar="PAGE", help="only these source files (default: all)"
    )
    add_languages(updating)
    updating.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if catalogues are behind"
    )
    updating.add_argument(
        "--prune", action="store_true", help="remove the translations of texts that are gone"
    )
    updating.set_defaults(command=run_update)


def run_update(options: argparse.Namespace) -> int:
    """Bring catalogues up to date."""
    settings = load(options)
    languages = translated_languages(settings, options.lang)
    parsed = read(settings)
    wanted = [PurePath(page).as_posix() for page in options.pages]
    unknown = [page for page in wanted if page not in parsed.index.sources and page != FILE_NAME]
    if unknown:
        message = "this is no source file of the site; name one as it is in the sources"
        raise UsageError(Problem(unknown[0], 0, 0, message, code="usage"))
    extracts = extract(settings, parsed)
    problems: list[Problem] = []
    behind = 0
    for language in languages:
        changed, found = update(settings, language, extracts, wanted, prune=options.prune)
        problems += found
        gone = orphans(settings, language, parsed)
        for path in gone:
            if options.prune and not options.check:
                (settings.folder / path).unlink()
                print(f"{path}: removed, as its page is gone")
            else:
                message = "the page of this catalogue is gone; --prune removes it"
                problems.append(Problem(path, 0, 0, message, "warning", "catalog"))
        for path, text in changed.items():
            behind += 1
            print(f"{path}: {'behind' if options.check else 'updated'}")
            if not options.check:
                try:
                    replace_file(settings.folder / path, text.encode())
                except OSError as error:
                    message = f"the catalogue cannot be written: {error.strerror}; make room for it"
                    problems.append(Problem(path, 0, 0, message, code="write"))
    show(problems)
    if options.check and behind:
        return CONTENT
    return exit_code(problems, strict=False)


def orphans(settings: Settings, language: Language, parsed: Parsed) -> list[str]:
    """The catalogues whose page is gone; until they are removed, their texts help other pages."""
    # A source that cannot be parsed today is not gone.
    addresses = parsed.index.sources.values()
    known = {catalog_path(settings, language, address) for address in addresses}
    known.add(site_catalog_path(settings, language))
    return [path for path in catalog_files(settings, language) if path not in known]


def update(
    settings: Settings,
    language: Language,
    extracts: Sequence[Extract],
    wanted: Sequence[str],
    *,
    prune: bool,
) -> tuple[dict[str, str], list[Problem]]:
    """The catalogues of one language that change, with their new text."""
    files, problems = read_all(settings, list(catalog_files(settings, language)))
    broken = {problem.path for problem in problems}
    works: list[Work] = []
    for item in extracts:
        path = item.catalog(settings, language)
        if path in broken or (wanted and item.file not in wanted):
            continue
        asked = item.wanted or bool(wanted)
        if path in files or (item.messages and asked):
            works.append(Work(path, item.file, item.messages, files.get(path)))
    ours = {work.path for work in works}
    others = [po for path, po in files.items() if path not in ours]
    updated = update_catalogs(works, others, language.tag, settings.title, prune=prune)
    changed: dict[str, str] = {}
    for work, po in zip(works, updated, strict=True):
        text = format_po(po)
        file = settings.folder / work.path
        if not file.is_file() or file.read_bytes() != text.encode():
            changed[work.path] = text
    return changed, problems
