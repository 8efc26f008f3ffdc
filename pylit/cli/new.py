"""
---
title: pylit new
summary: The command that writes the first settings.
---
# `pylit new`
"""

import argparse
from pathlib import Path

from pylit.cli.common import FINE, Commands, as_called, show
from pylit.errors import UsageError
from pylit.model import Problem
from pylit.new import find_packages, free_folder, is_nameable, settings_text
from pylit.output import create_file
from pylit.settings import FILE_NAME


def add(commands: Commands) -> None:
    """Describe the command."""
    new = commands.add_parser(
        "new",
        help="write a pylit.toml for the packages in this folder",
        description="Write a pylit.toml for the packages in this folder or in its src folder, and"
        " nothing else. A file that is there is never touched.",
    )
    new.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Write the settings."""
    here = Path().absolute()
    found = find_packages(here)
    packages = [path for path in found if is_nameable(path)]
    show([left_out(path) for path in found if path not in packages])
    if not packages:
        message = (
            "there is no package here, nor in src; go to the folder that holds yours, or build"
            " it by its path: pylit build PATH"
        )
        raise UsageError(Problem(".", 0, 0, message, code="usage"))
    output = free_folder(here)
    try:
        create_file(Path(FILE_NAME), settings_text(here, packages).encode())
    except FileExistsError:
        message = "there are settings already; edit them, or remove them to begin anew"
        raise UsageError(Problem(FILE_NAME, 0, 0, message, code="usage")) from None
    except OSError as error:
        message = f"the settings cannot be written: {error.strerror}"
        raise UsageError(Problem(FILE_NAME, 0, 0, message, code="usage")) from None
    print(
        as_called(
            f"{FILE_NAME} publishes {', '.join(packages)} into {output}/;"
            " see it with: pylit serve --open"
        )
    )
    return FINE


def left_out(path: str) -> Problem:
    """Say that a package is not published, for its name."""
    plain = path.encode("unicode_escape").decode()
    message = "the name holds signs that no address can hold, so it is left out; rename it"
    return Problem(plain, 0, 0, message, "warning", "name")
