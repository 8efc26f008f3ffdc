"""
---
title: The command line
summary: Arguments become one call; the only file that prints and exits.
---
# The command line

| command | does |
|---|---|
| `pylit build` | builds the site that `pylit.toml` describes |
| `pylit sections FILE…` | shows how files are split |
| `pylit i18n update` | brings the catalogues up to date |

Exit codes: 0 fine, 1 problems in the content (with `--strict` also warnings), 2 wrong usage or
unreadable settings.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path, PurePath
from typing import TextIO

from pylit import __version__
from pylit.catalog import merge
from pylit.errors import PylitError, UsageError
from pylit.model import Language, Module, Problem, Source, Span
from pylit.output import Written, replace_file, write
from pylit.page import catalog_path, draft
from pylit.prose import Renderer
from pylit.settings import FILE_NAME, Settings, read_settings
from pylit.site import build, parse_source, quiet, read
from pylit.source import read_text

FINE, CONTENT, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. No traceback reaches the user."""
    parser = make_parser()
    options = parser.parse_args(arguments)
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


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="pylit",
        description="Turn annotated Python into a site: prose on the left, code on the right.",
        epilog='Start with a pylit.toml that holds [[source]] and path = "your_package", then run:'
        " pylit build",
    )
    parser.add_argument("--version", action="version", version=f"pylit {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    building = commands.add_parser(
        "build",
        help="build the site",
        description="Build the site that pylit.toml describes into its output folder.",
    )
    add_config(building)
    building.add_argument(
        "--output", metavar="FOLDER", help="write here instead of the folder in the settings"
    )
    building.add_argument(
        "--lang", metavar="CODE", action="append", default=[],
        help="build only this language; may be given several times (default: all)",
    )  # fmt: skip
    building.add_argument("--strict", action="store_true", help="let warnings count as errors")
    building.add_argument("--base-url", metavar="URL", help="where the site will be published")
    building.add_argument("--repository", metavar="URL", help="the repository that pages link to")
    building.add_argument("--quiet", action="store_true", help="show problems only")
    building.set_defaults(command=run_build)

    sections = commands.add_parser(
        "sections",
        help="show how files are split into prose and code",
        description="Show the sections of Python or Markdown files: kind, lines of prose, lines of"
        " code, and the steady anchor.",
    )
    sections.add_argument("files", nargs="+", metavar="FILE")
    sections.add_argument("--json", action="store_true", help="one JSON object a line")
    sections.set_defaults(command=run_sections)

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
    return parser


def add_config(parser: argparse.ArgumentParser) -> None:
    """The option that all commands on a site share."""
    parser.add_argument(
        "--config", metavar="FILE", default=FILE_NAME, help="the settings (default: %(default)s)"
    )


def run_build(options: argparse.Namespace) -> int:
    """Build and write a site."""
    started = time.monotonic()
    settings = load(options)
    changes = {
        "output": options.output,
        "base_url": options.base_url and options.base_url.rstrip("/") + "/",
        "repository": options.repository,
    }
    settings = replace(settings, **{key: value for key, value in changes.items() if value})
    languages = chosen(settings, options.lang)
    progress = quiet if options.quiet else Display(sys.stdout)
    made = build(settings, languages, progress)
    folder = settings.folder / settings.output
    others = [item.code for item in settings.all_languages if item not in languages]

    def keep(path: str) -> bool:
        # A build of some languages leaves the pages of the others alone.
        code = path.partition("/")[0]
        is_source = code not in [item.code for item in settings.languages]
        return bool(others) and (code in others or (is_source and settings.language.code in others))

    written = write(folder, settings.output, made.outputs, keep if others else lambda path: False)
    problems = sorted({*made.problems, *written.problems})
    if isinstance(progress, Display):
        progress.end()
    show(problems)
    if not options.quiet:
        print(
            summary(len(made.pages), settings.output, written, problems, time.monotonic() - started)
        )
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


def run_sections(options: argparse.Namespace) -> int:
    """Show the sections of files."""
    problems: list[Problem] = []
    for name in options.files:
        path = PurePath(name).as_posix()
        text, problem = read_text(Path(name), path)
        if problem:
            problems.append(problem)
            continue
        try:
            module = parse_source(Source(path, "", "", text))
        except PylitError as error:
            problems.append(error.problem)
            continue
        problems.extend(module.problems)
        print_sections(module, as_json=options.json)
    show(problems)
    return exit_code(problems, strict=False)


def print_sections(module: Module, *, as_json: bool) -> None:
    """Print one line for each section."""
    for section in module.sections:
        prose, code = ends(section.prose), ends(section.code)
        if as_json:
            values = {
                "path": module.source.path,
                "kind": section.kind,
                "anchor": section.anchor,
                "prose": prose,
                "code": code,
            }
            print(json.dumps(values, ensure_ascii=False))
        else:
            lines = [
                f"{word} {f[0]}-{f[1]}" if f else f"{word} -"
                for word, f in (("prose", prose), ("code", code))
            ]
            words = f"{section.kind:8} {lines[0]:14} {lines[1]:14} #{section.anchor}"
            print(f"{module.source.path}: {words}")


def ends(span: Span | None) -> list[int] | None:
    """First and last line."""
    return [span.first, span.last] if span else None


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
    modules = [m for m in parsed.modules if not wanted or m.source.path in wanted]
    problems: list[Problem] = []
    behind = 0
    renderer = Renderer()
    for module in modules:
        messages = draft(
            module, settings.language, settings.language, None, parsed.index, renderer
        ).messages
        for language in languages:
            path = catalog_path(settings, language, module.source.address)
            file = settings.folder / path
            try:
                old = file.read_text(encoding="utf-8") if file.is_file() else None
                if old is None and not messages:
                    continue
                new = merge(old, language.tag, module.source.path, messages)
            except (OSError, ValueError) as error:
                message = f"the catalogue cannot be read and is left as it is: {error}"
                problems.append(Problem(path, 1, 1, message, code="po-syntax"))
                continue
            if new != old:
                behind += 1
                print(f"{path}: {'behind' if options.check else 'updated'}")
                if not options.check:
                    replace_file(file, new.encode())
    show(problems)
    if options.check and behind:
        return CONTENT
    return exit_code(problems, strict=False)


def load(options: argparse.Namespace) -> Settings:
    """Read the settings that the options name."""
    return read_settings(Path(options.config))


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
        print(f"{place}: {problem.level}: {problem.message}{code}", file=sys.stderr)


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


def warn_of_namesake() -> None:
    """
    Say so when the other distribution called pylit is installed in the same environment.

    Both bring a package of this name, so one has written over files of the other.
    """
    try:
        other = metadata.distribution("pylit")
    except metadata.PackageNotFoundError:
        return
    print(
        f"pylit: the distribution 'pylit' {other.version} is another tool of the same name, and is"
        " installed here too. Remove both and install this one again:"
        " pip uninstall pylit pylit-pages",
        file=sys.stderr,
    )
