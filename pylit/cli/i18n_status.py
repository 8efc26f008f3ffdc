"""
---
title: pylit i18n status
summary: The command that counts what is translated.
---
# `pylit i18n status`

One line a language, or one a page with `--pages`. `--fail-under zh=100` makes the exit code 1 where
less of a language is translated, so that a build server can hold a promise.
"""

import argparse
import json

from pylit.cli.common import CONTENT, FINE, Commands, add_config, load, show
from pylit.cli.i18n_common import add_languages, translated_languages
from pylit.errors import UsageError
from pylit.extract import extract, language_status
from pylit.model import Problem
from pylit.reading import read
from pylit.settings import Settings
from pylit.translation_status import STATES, PageStatus, total

COLUMNS = ("messages", "words", *STATES)


def add_status(actions: Commands) -> None:
    """Describe `status`."""
    counting = actions.add_parser(
        "status",
        help="count what is translated",
        description="Count messages and words of each language by the state of their translation.",
    )
    add_config(counting)
    add_languages(counting)
    counting.add_argument("--pages", action="store_true", help="also list the pages")
    counting.add_argument("--json", action="store_true", help="print JSON")
    counting.add_argument(
        "--fail-under", metavar="CODE=PERCENT", action="append", default=[],
        help="exit 1 if less of a language is translated; may be given several times",
    )  # fmt: skip
    counting.set_defaults(command=run_status)


def run_status(options: argparse.Namespace) -> int:
    """Count translations."""
    settings = load(options)
    least = read_least(settings, options.fail_under)
    languages = translated_languages(settings, options.lang)
    extracts = extract(settings, read(settings))
    pages = {item.code: language_status(settings, item, extracts) for item in languages}
    if options.json:
        values = {
            code: {
                **total(found).as_dict(),
                "pages": [page.as_dict() for page in found],
            }
            for code, found in pages.items()
        }
        for value in values.values():
            del value["page"], value["source"], value["catalog"]
        print(json.dumps(values, ensure_ascii=False, indent=1))
    else:
        names = [page.address for found in pages.values() for page in found if options.pages]
        width = max(map(len, ["", *names])) + 6
        print(f"{'':{width}}{''.join(f'{name:>11}' for name in COLUMNS)}      done")
        for code, found in pages.items():
            print(row(code, total(found), width))
            for page in found if options.pages else ():
                print(row(f"  {page.address or '_site'}", page, width))
    behind = [
        f"{code} is {total(pages[code]).percent} % translated, less than {percent} %"
        for code, percent in least.items()
        if code in pages and total(pages[code]).percent < percent
    ]
    show([Problem(settings.translations, 0, 0, text, code="status") for text in behind])
    return CONTENT if behind else FINE


def row(name: str, status: PageStatus, width: int) -> str:
    """A line of the table."""
    values = [status.messages, status.words, *(status.states.get(state, 0) for state in STATES)]
    return f"{name:{width}}{''.join(f'{value:>11}' for value in values)}{status.percent:>8} %"


def read_least(settings: Settings, values: list[str]) -> dict[str, float]:
    """Read `zh=100`."""
    least: dict[str, float] = {}
    codes = [language.code for language in settings.languages]
    for value in (part for item in values for part in item.split(",")):
        code, _, number = value.partition("=")
        try:
            least[code] = float(number)
        except ValueError:
            least[code] = -1
        if code not in codes or not 0 <= least[code] <= 100:
            message = f"--fail-under {value!r} is not a language and a percentage, such as zh=100"
            raise UsageError(Problem("pylit i18n status", 0, 0, message, code="usage"))
    return least
