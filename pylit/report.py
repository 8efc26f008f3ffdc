"""
---
title: Problems for people and programs
summary: One problem as a line, as JSON, as an annotation of a forge, as SARIF.
---
# Problems for people and programs

| format | for |
|---|---|
| `text` | people and editors: `path:line:column: level: message [code]` |
| `json` | scripts: a list of objects with the same fields |
| `github` | the log of a workflow, which shows each problem beside its line |
| `sarif` | tools that gather the findings of many checkers |
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from urllib.parse import quote

from pylit import __version__
from pylit.model import Problem


def as_text(problems: Sequence[Problem]) -> str:
    """One line each."""
    return "".join(f"{line(problem)}\n" for problem in problems)


def line(problem: Problem) -> str:
    """A problem as one line."""
    place = problem.path
    if problem.line:
        place += f":{problem.line}:{max(problem.column, 1)}"
    code = f" [{problem.code}]" if problem.code else ""
    return f"{place}: {problem.level}: {problem.message}{code}"


def as_json(problems: Sequence[Problem]) -> str:
    """A list of objects. A line of 0 stands for the whole file."""
    return (
        json.dumps([asdict(problem) for problem in problems], indent=1, ensure_ascii=False) + "\n"
    )


def as_github(problems: Sequence[Problem]) -> str:
    """Commands of the workflow log, which become annotations."""

    def escape(text: str, *, inside: bool = False) -> str:
        # The log has its own way to write what would end a command or a property.
        pairs = [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]
        for sign, written in [*pairs, *([(":", "%3A"), (",", "%2C")] if inside else [])]:
            text = text.replace(sign, written)
        return text

    lines: list[str] = []
    for problem in problems:
        properties = [f"file={escape(problem.path, inside=True)}"]
        if problem.line:
            properties += [f"line={problem.line}", f"col={max(problem.column, 1)}"]
        properties.append(f"title={escape(f'pylit {problem.code}'.strip(), inside=True)}")
        lines.append(f"::{problem.level} {','.join(properties)}::{escape(problem.message)}\n")
    return "".join(lines)


def as_sarif(problems: Sequence[Problem]) -> str:
    """SARIF 2.1.0 with one run."""

    def result(problem: Problem) -> dict[str, object]:
        place: dict[str, object] = {"artifactLocation": {"uri": quote(problem.path)}}
        if problem.line:
            place["region"] = {
                "startLine": problem.line,
                "startColumn": max(problem.column, 1),
            }
        return {
            "ruleId": problem.code or "pylit",
            "level": problem.level,
            "message": {"text": problem.message},
            "locations": [{"physicalLocation": place}],
        }

    rules = sorted({problem.code or "pylit" for problem in problems})
    driver = {"name": "pylit", "version": __version__, "rules": [{"id": rule} for rule in rules]}
    log = {
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": [result(each) for each in problems]}],
    }
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[Problem]], str]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}
