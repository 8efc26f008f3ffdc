"""
---
title: pylit run
summary: The command that records what modules show when they run.
---
# `pylit run`
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from pylit import __version__
from pylit.cli.common import FINE, Commands, add_config, as_called, exit_code, load, show
from pylit.errors import PylitError, UsageError
from pylit.evidence import evidence_folder
from pylit.evidence_run import Limits, compare, run_module, store
from pylit.model import Problem, Source
from pylit.source import find_sources
from pylit.theme import Theme


def add(commands: Commands) -> None:
    """Describe the command."""
    default = Limits()
    running = commands.add_parser(
        "run",
        help="record what modules print, draw and compute with",
        description="Run the demonstrations of modules, each in a fresh process, and store what"
        " they print, their figures and the shapes of their arrays beside them, for their pages.",
    )
    running.add_argument(
        "modules", metavar="MODULE", nargs="*", help="a module by its file or its dotted name"
    )
    running.add_argument("--all", action="store_true", help="all modules that have stored evidence")
    running.add_argument(
        "--check", action="store_true",
        help="store nothing; exit 1 where the stored evidence is not what the code does now",
    )  # fmt: skip
    running.add_argument(
        "--time-limit", metavar="S", type=float, default=default.seconds,
        help="seconds for each module (default: %(default)g)",
    )  # fmt: skip
    running.add_argument(
        "--memory-limit", metavar="MB", type=int, default=default.megabytes,
        help="megabytes for each module (default: %(default)s)",
    )  # fmt: skip
    add_config(running)
    running.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Run modules, then store or compare what they showed."""
    if bool(options.modules) == options.all:
        message = "name the modules to run, or give --all for those that have stored evidence"
        raise UsageError(Problem("pylit run", 0, 0, message, code="usage"))
    if options.time_limit <= 0 or options.memory_limit <= 0:
        message = "a limit must be greater than 0"
        raise UsageError(Problem("pylit run", 0, 0, message, code="usage"))
    settings = load(options)
    root = settings.folder
    sources = [item for item in find_sources(settings).sources if item.path.endswith(".py")]
    wanted = chosen_modules(root, sources, options.modules)
    theme = Theme(settings, __version__)
    limits = Limits(options.time_limit, options.memory_limit)
    problems: list[Problem] = []
    for source in wanted:
        try:
            fresh = run_module(root, source, theme, limits)
            found = compare(root, source, fresh) if options.check else []
            changed = not options.check and store(root, source, fresh)
        except PylitError as error:
            problems.append(error.problem)
            show([error.problem])
            continue
        problems.extend(found)
        show(found)
        if not found:
            state = "as stored" if options.check else "stored" if changed else "unchanged"
            print(
                f"{evidence_folder(source.path)}: {', '.join(sorted(fresh))} ({state})", flush=True
            )
    if not wanted:
        print(as_called("no module has stored evidence; pylit run MODULE records the first"))
        return FINE
    return exit_code(problems, strict=True)


def chosen_modules(root: Path, sources: Sequence[Source], names: Sequence[str]) -> list[Source]:
    """The modules that were named, or all that have stored evidence."""
    if not names:
        return [item for item in sources if (root / evidence_folder(item.path)).is_dir()]
    found: list[Source] = []
    for name in names:
        plain = Path(name).as_posix()
        same = [item for item in sources if plain == item.path or name == item.name]
        ends = [
            item
            for item in sources
            if f"/{item.path}".endswith(f"/{plain}") or f".{item.name}".endswith(f".{name}")
        ]
        matches = same or ends
        if len(matches) != 1:
            message = (
                f"this may mean {', '.join(item.path for item in matches[:5])}; write more of it"
                if matches
                else "the site has no such module; name its file or its dotted name"
            )
            raise UsageError(Problem(name, 0, 0, message, code="usage"))
        found.extend(matches)
    return found
