"""
---
title: pylit build
summary: The command that builds and writes a site.
---
# `pylit build`
"""

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from pylit.cli.common import Commands, Display, add_site, chosen, exit_code, load, show
from pylit.model import Problem
from pylit.output import Written, write
from pylit.pieces import Pieces
from pylit.places import ASSET_FOLDER
from pylit.profile import Measured, Profile, report
from pylit.settings_check import checked
from pylit.unchanged import LastBuild, fingerprint, read_all, recall, remember


def add(commands: Commands) -> None:
    """Describe the command."""
    building = commands.add_parser(
        "build",
        help="build the site",
        description="Build the site that pylit.toml describes into its output folder.",
    )
    add_site(building)
    building.add_argument(
        "--output", metavar="FOLDER",
        help="write here instead of the folder in the settings; counted from that of the settings",
    )  # fmt: skip
    building.add_argument(
        "--lang", metavar="CODE", action="append", default=[],
        help="build only this language; may be given several times (default: all)",
    )  # fmt: skip
    building.add_argument(
        "--pseudo", action="store_true", help="also build en-XA and ar-XB, to test the theme with"
    )
    building.add_argument("--strict", action="store_true", help="let warnings count as errors")
    building.add_argument("--base-url", metavar="URL", help="where the site will be published")
    building.add_argument("--repository", metavar="URL", help="the repository that pages link to")
    building.add_argument(
        "--profile", action="store_true",
        help="build even if nothing has changed, and say where the time went",
    )  # fmt: skip
    building.add_argument("--quiet", action="store_true", help="show problems only")
    building.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Build and write a site."""
    started = time.monotonic()
    profile = Measured() if options.profile else Profile()
    settings = load(options)
    changes = {
        "output": options.output,
        "base_url": options.base_url and options.base_url.rstrip("/") + "/",
        "repository": options.repository,
    }
    settings = checked(replace(settings, **{key: value for key, value in changes.items() if value}))
    if options.pseudo:
        # What makes pages takes longer to load than it takes to see that none has to be made.
        from pylit.pseudo import PSEUDO

        settings = replace(settings, languages=(*settings.languages, *PSEUDO))
    languages = chosen(settings, options.lang)
    wish = " ".join(language.code for language in languages)
    reads = read_all(settings, wish)
    before = recall(settings)
    if before and not options.profile and before.fingerprint == fingerprint(settings, reads):
        show(before.problems)
        if not options.quiet:
            print(f"{before.pages} pages in {settings.output}/: nothing has changed")
        return exit_code(before.problems, strict=options.strict)
    with profile.step("load"):
        # See above.
        from pylit.reading import quiet
        from pylit.site import build

    progress = quiet if options.quiet else Display(sys.stdout)
    pieces = Pieces(settings.folder / settings.cache, profile, jobs=os.cpu_count() or 1)
    # A build ends before its garbage is worth looking for: what it holds, it needs to the end.
    gc.disable()
    try:
        made = build(settings, languages, progress, pieces)
    finally:
        gc.enable()
    folder = settings.folder / settings.output
    source_code = settings.language.code
    others = [item.code for item in settings.all_languages if item not in languages]

    def keep(path: str) -> bool:
        # A build of some languages leaves alone the pages of the others, and what they share.
        first = path.partition("/")[0]
        codes = [item.code for item in settings.languages]
        return bool(others) and (
            first == ASSET_FOLDER or (first if first in codes else source_code) in others
        )

    with profile.step("write"):
        written = write(folder, settings.output, made.outputs, keep)
    problems = sorted({*made.problems, *written.problems})
    # What could not be written is to be tried again.
    if not written.problems:
        with profile.step("remember"):
            remember(
                settings, LastBuild(fingerprint(settings, reads), len(made.pages), tuple(problems))
            )
    if isinstance(progress, Display):
        progress.end()
    show(problems)
    if not options.quiet:
        print(
            summary(len(made.pages), settings.output, written, problems, time.monotonic() - started)
        )
    if isinstance(profile, Measured):
        print(f"\n{report(profile, pieces.made)}", end="")
    return exit_code(problems, strict=options.strict)


def summary(
    pages: int, output: str, written: Written, problems: Sequence[Problem], seconds: float
) -> str:
    """The last line of a build."""
    errors = sum(problem.level == "error" for problem in problems)
    warnings = len(problems) - errors
    counted = [
        f"{number} {word}{'s' * (number != 1)}"
        for number, word in ((errors, "error"), (warnings, "warning"))
        if number
    ]
    faults = f", {' and '.join(counted)}" if counted else ""
    files = (
        f"{len(written.written)} files written, {written.unchanged} unchanged,"
        f" {len(written.removed)} removed"
    )
    return f"{pages} pages in {output}/: {files}{faults} ({seconds:.1f} s)"
