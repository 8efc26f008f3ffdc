"""
---
title: The command line
summary: Arguments become one call; the only file that prints and exits.
---
# The command line

| command | does |
|---|---|
| `pylit new` | writes a `pylit.toml` for the packages that it finds |
| `pylit build` | builds the site that `pylit.toml` describes, or that of one path |
| `pylit serve` | shows the site while it is being written |
| `pylit check` | says what is wrong with the site |
| `pylit run MODULE…` | records what modules print, draw and compute with |
| `pylit export PAGE` | makes one file of one page |
| `pylit sections FILE…` | shows how files are split |
| `pylit i18n …` | [works on translations](i18n.html): update, check, fmt, status, imports |

Exit codes: 0 fine, 1 problems in the content (with `--strict` also warnings), 2 wrong usage or
unreadable settings.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from pylit import __version__
from pylit.cli.common import COMMANDS, CONTENT, FINE, USAGE, as_called, program, show
from pylit.errors import PylitError, UsageError
from pylit.installed import installed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. No traceback reaches the user."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    # To load all commands takes longer than to build a site in which nothing has changed.
    wanted = words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS
    parser = make_parser(wanted)
    if not words:
        # Whoever does not know what to type is helped by more than "arguments are required".
        parser.print_help(sys.stderr)
        return USAGE
    options = parser.parse_args(words)
    warn_of_namesake()
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except UsageError as error:
        show([error.problem])
        return USAGE
    except PylitError as error:
        show([error.problem])
        return CONTENT
    except KeyboardInterrupt:
        print("pylit: stopped; what was written before is whole", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return FINE


def make_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Describe the command line, with these commands."""
    parser = argparse.ArgumentParser(
        prog=program(),
        description="Turn annotated Python into a site: prose on the left, code on the right.",
        epilog=as_called(
            "Start in the folder of your package with pylit new, or with pylit serve PATH."
        ),
    )
    parser.add_argument("--version", action="version", version=f"pylit {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in names:
        import_module(f"pylit.cli.{name}").add(commands)
    return parser


def warn_of_namesake() -> None:
    """
    Say so when the other distribution called pylit is installed in the same environment.

    Both bring a package of this name, so one has written over files of the other.
    """
    other = installed().get("pylit")
    if other is None:
        return
    print(
        f"pylit: the distribution 'pylit' {other} is another tool of the same name, and is"
        " installed here too. Remove both and install this one again:"
        " pip uninstall pylit pylit-pages",
        file=sys.stderr,
    )
