"""
---
title: pylit sections
summary: The command that shows how files are split into prose and code.
---
# `pylit sections`

What the golden tests store as "understood", and the quickest way to see why a page looks as it
does.
"""

import argparse
import json
from pathlib import Path, PurePath

from pylit.cli.common import Commands, exit_code, show
from pylit.directives_prose import own_anchors
from pylit.errors import PylitError
from pylit.model import Module, Problem, Source, Span
from pylit.reading import parse_source
from pylit.source import read_text


def add(commands: Commands) -> None:
    """Describe the command."""
    sections = commands.add_parser(
        "sections",
        help="show how files are split into prose and code",
        description="Show the sections of Python or Markdown files: kind, lines of prose, lines of"
        " code, and the steady anchor; then which lines are folded, which are hidden, and the"
        " anchors that the author has given.",
    )
    sections.add_argument("files", nargs="+", metavar="FILE")
    sections.add_argument("--json", action="store_true", help="one JSON object a line")
    sections.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
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
        span = section.code or Span(1, 0)
        lines_of_code = range(span.first, span.last + 1)
        folded = runs([line for line in lines_of_code if module.fold_of(line)])
        hidden = runs([line for line in lines_of_code if line in module.hidden])
        anchors = own_anchors(section)
        if as_json:
            values: dict[str, object] = {
                "path": module.source.path,
                "kind": section.kind,
                "anchor": section.anchor,
                "prose": prose,
                "code": code,
            }
            more = {"folded": folded, "hidden": hidden, "anchors": anchors}
            values |= {name: found for name, found in more.items() if found}
            print(json.dumps(values, ensure_ascii=False))
        else:
            lines = [
                f"{word} {f[0]}-{f[1]}" if f else f"{word} -"
                for word, f in (("prose", prose), ("code", code))
            ]
            words = f"{section.kind:8} {lines[0]:14} {lines[1]:14} #{section.anchor}"
            for name, found in (("folded", folded), ("hidden", hidden)):
                if found:
                    words += f"  {name} " + ", ".join(f"{first}-{last}" for first, last in found)
            words += "".join(f"  #{anchor}" for anchor in anchors)
            print(f"{module.source.path}: {words}")


def runs(lines: list[int]) -> list[list[int]]:
    """Lines as runs, each with its first and last."""
    found: list[list[int]] = []
    for line in lines:
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return found


def ends(span: Span | None) -> list[int] | None:
    """First and last line."""
    return [span.first, span.last] if span else None
