"""
---
title: pylit i18n
summary: The commands for translators.
---
# `pylit i18n`
"""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePath

from pylit.catalog import merge
from pylit.cli.common import CONTENT, Commands, add_config, chosen, exit_code, load, show
from pylit.errors import UsageError
from pylit.model import Language, Message, Problem
from pylit.output import replace_file
from pylit.page import catalog_path, draft
from pylit.prose import Renderer
from pylit.site import read
from pylit.theme import site_catalog_path


def add(commands: Commands) -> None:
    """Describe the commands."""
    i18n = commands.add_parser(
        "i18n", help="work on translations", description="Work on translations."
    )
    actions = i18n.add_subparsers(title="actions", required=True, metavar="ACTION")
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
    updating.add_argument(
        "--lang", metavar="CODE", action="append", default=[], help="only this language"
    )
    updating.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if catalogues are behind"
    )
    updating.set_defaults(command=run_update)


def run_update(options: argparse.Namespace) -> int:
    """Bring catalogues up to date."""
    settings = load(options)
    languages = [item for item in chosen(settings, options.lang) if item != settings.language]
    parsed = read(settings)
    wanted = [PurePath(page).as_posix() for page in options.pages]
    unknown = [page for page in wanted if page not in parsed.index.sources]
    if unknown:
        message = "this is no source file of the site; name one as it is in the sources"
        raise UsageError(Problem(unknown[0], 0, 0, message, code="usage"))
    modules = [
        module
        for module in parsed.modules
        if module.source.path in (wanted or [module.source.path])
        and (wanted or settings.is_translated(module.source.path))
    ]
    renderer = Renderer()
    work: list[tuple[Callable[[Language], str], str, Sequence[Message]]] = []
    if not wanted:
        words = [("title", settings.title), ("description", settings.description)]
        site = [Message(text, f"{role} of the site", "", 1) for role, text in words if text]
        work.append((partial(site_catalog_path, settings), Path(options.config).name, site))
    for module in modules:
        page = draft(module, settings.language, settings.language, None, parsed.index, renderer)
        path = partial(catalog_path, settings, address=module.source.address)
        work.append((path, module.source.path, page.messages))
    problems: list[Problem] = []
    behind = 0
    for path_of, source, messages in work:
        for language in languages:
            name = path_of(language)
            file = settings.folder / name
            try:
                old = file.read_text(encoding="utf-8") if file.is_file() else None
                if old is None and not messages:
                    continue
                new = merge(old, language.tag, source, messages)
            except (OSError, ValueError) as error:
                message = f"the catalogue cannot be read and is left as it is: {error}"
                problems.append(Problem(name, 1, 1, message, code="po-syntax"))
                continue
            if new != old:
                behind += 1
                print(f"{name}: {'behind' if options.check else 'updated'}")
                if not options.check:
                    replace_file(file, new.encode())
    show(problems)
    if options.check and behind:
        return CONTENT
    return exit_code(problems, strict=False)
