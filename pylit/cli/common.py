"""
---
title: What all commands share
summary: Options, exit codes, problems as lines, progress.
---
# What all commands share
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO, TypeAlias

from pylit.errors import UsageError
from pylit.model import Language, Problem
from pylit.new import settings_for
from pylit.settings import FILE_NAME, Settings
from pylit.settings_file import read_settings

FINE, CONTENT, USAGE = 0, 1, 2
"""Exit codes: nothing wrong, something wrong with the content, wrong usage or settings."""

COMMANDS = ("new", "build", "serve", "check", "run", "export", "sections", "i18n")
CALL = re.compile(rf"\bpylit (?=(?:{'|'.join(COMMANDS)})\b)")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command describes itself; `argparse` gives this type no public name."""


def program() -> str:
    """How the user called us: `pylit`, or Python with `-m pylit`, as in a fresh checkout."""
    called = Path(sys.argv[0])
    if (called.parent.name, called.name) != ("pylit", "__main__.py"):
        return "pylit"
    python, here = Path(sys.executable), Path().absolute()
    return f"{python.relative_to(here) if python.is_relative_to(here) else python.name} -m pylit"


def as_called(text: str) -> str:
    """A text that says what to run next, such as `pylit new`, so that it can be copied."""
    return CALL.sub(lambda match: f"{program()} ", text)


def add_config(parser: argparse._ActionsContainer) -> None:
    """The option that all commands on a site share."""
    parser.add_argument(
        "--config", metavar="FILE", default=FILE_NAME, help="the settings (default: %(default)s)"
    )


def add_site(parser: argparse.ArgumentParser) -> None:
    """Which site a command is about: that of some settings, or of one path without any."""
    site = parser.add_mutually_exclusive_group()
    site.add_argument(
        "path", nargs="?", metavar="PATH",
        help="publish this package, folder or file, without any settings",
    )  # fmt: skip
    add_config(site)


def load(options: argparse.Namespace) -> Settings:
    """Read the settings that the options name, or make those of a path."""
    if path := getattr(options, "path", None):
        return settings_for(path, Path())
    return read_settings(Path(options.config))


def config_file(options: argparse.Namespace) -> Path | None:
    """The settings file, where there is one."""
    return None if getattr(options, "path", None) else Path(options.config)


def chosen(settings: Settings, codes: Sequence[str]) -> tuple[Language, ...]:
    """The languages that were asked for, all where none was named."""
    known = {item.code: item for item in settings.all_languages}
    for code in codes:
        if code not in known:
            message = f"the site has no language {code!r}; it has {', '.join(known)}"
            raise UsageError(Problem(FILE_NAME, 0, 0, message, code="usage"))
    return tuple(item for item in known.values() if not codes or item.code in codes)


def exit_code(problems: Sequence[Problem], *, strict: bool) -> int:
    """1 where something is wrong with the content."""
    bad = [problem for problem in problems if strict or problem.level == "error"]
    return CONTENT if bad else FINE


def show(problems: Sequence[Problem]) -> None:
    """Print problems, one a line: `path:line:column: level: what to do [code]`."""
    for problem in problems:
        place = problem.path
        if problem.line:
            place += f":{problem.line}:{max(problem.column, 1)}"
        code = f" [{problem.code}]" if problem.code else ""
        print(f"{place}: {problem.level}: {as_called(problem.message)}{code}", file=sys.stderr)


class Display:
    """Progress: one line that changes on a terminal, one line a stage elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.terminal = stream.isatty()
        self.stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        if self.terminal:
            text = f"{stage} {done}/{total}" if total else stage
            self.stream.write(f"\r\x1b[K{text}")
            self.stream.flush()
        elif stage != self.stage:
            self.stream.write(f"{stage}{f' {total}' if total else ''}\n")
        self.stage = stage

    def end(self) -> None:
        """Leave the line free for what comes."""
        if self.terminal:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
