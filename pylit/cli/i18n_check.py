"""
---
title: pylit i18n check and fmt
summary: The commands that look for faults in catalogues, and mend them.
---
# `pylit i18n check` and `fmt`

Findings are printed as text, as JSON, or as the annotations that a forge shows beside the lines of
a change. The exit code is 1 where there are errors, with `--strict` also where there are warnings,
and 2 where a file cannot be read or the command line is wrong.
"""

import argparse
import json

from pylit.catalog import read_po
from pylit.catalog_fmt import mend_file
from pylit.check_markup import short
from pylit.cli.common import (
    CONTENT,
    FINE,
    USAGE,
    Commands,
    add_config,
    as_called,
    exit_code,
    load,
    show,
)
from pylit.cli.i18n_common import add_languages, translated_languages
from pylit.extract import catalog_files, page_of_catalog, read_all, site_glossary
from pylit.model import Language, Problem
from pylit.output import replace_file
from pylit.po import format_po
from pylit.settings import Settings
from pylit.translation_checks import Finding, check_language, of_problem

UNREADABLE = ("po-syntax", "glossary-file")
"""What could not be checked at all."""


def add_check(actions: Commands) -> None:
    """Describe `check`."""
    checking = actions.add_parser(
        "check",
        help="look for faults in the catalogues",
        description="Look for faults in the catalogues. A comment '# pylit: ignore CODE (reason)'"
        " above an entry silences a finding that is wrong.",
    )
    add_config(checking)
    add_languages(checking)
    checking.add_argument("--strict", action="store_true", help="let warnings count as errors")
    checking.add_argument(
        "--format", choices=("text", "json", "github"), default="text",
        help="text for people, JSON, or annotations for a forge (default: %(default)s)",
    )  # fmt: skip
    checking.set_defaults(command=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Look for faults."""
    settings = load(options)
    findings: list[Finding] = []
    entries = 0
    for language in translated_languages(settings, options.lang):
        found, number = check(settings, language)
        findings += found
        entries += number
    if options.format == "json":
        print(json.dumps([as_dict(finding) for finding in findings], ensure_ascii=False, indent=1))
    else:
        for finding in findings:
            print(
                as_called(as_text(finding)) if options.format == "text" else as_annotation(finding)
            )
    errors = sum(finding.level == "error" for finding in findings)
    if options.format == "text":
        print(f"{entries} entries: {errors} errors, {len(findings) - errors} warnings")
    if any(finding.code in UNREADABLE for finding in findings):
        return USAGE
    return CONTENT if errors or (options.strict and findings) else FINE


def check(settings: Settings, language: Language) -> tuple[list[Finding], int]:
    """All findings of a language, and how many entries were looked at."""
    paths = list(catalog_files(settings, language))
    files, problems = read_all(settings, paths)
    glossary, faults = site_glossary(settings, language)
    pages = {path: page_of_catalog(settings, language, path) for path in paths}
    findings = [of_problem(problem) for problem in (*problems, *faults)]
    findings += check_language(files, language, glossary, pages)
    number = sum(
        bool(entry.text) and not entry.obsolete for po in files.values() for entry in po.entries
    )
    return findings, number


def as_dict(finding: Finding) -> dict[str, object]:
    """A finding for JSON."""
    return {
        "path": finding.path,
        "line": finding.line,
        "code": finding.code,
        "level": finding.level,
        "message": finding.message,
        "page": finding.page,
        "source": short(finding.source, 200),
        "text": short(finding.text, 200),
    }


def as_text(finding: Finding) -> str:
    """A finding for a person: the place, what to do, and both texts."""
    lines = [f"{finding.path}:{finding.line}: {finding.level}: {finding.message} [{finding.code}]"]
    if finding.page:
        lines.append(f"    page: {finding.page}")
    if finding.source:
        lines += [f"    from: {short(finding.source, 90)}", f"      to: {short(finding.text, 90)}"]
    return "\n".join(lines)


def as_annotation(finding: Finding) -> str:
    """A finding as a workflow command, which a forge shows beside the line."""
    message = finding.message
    if finding.source:
        message += f"\n{short(finding.source, 90)}\n{short(finding.text, 90)}"
    message = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    path = finding.path.replace("%", "%25").replace(",", "%2C").replace(":", "%3A")
    place = f"file={path},line={finding.line},title={finding.code}"
    return f"::{finding.level} {place}::{message}"


def add_fmt(actions: Commands) -> None:
    """Describe `fmt`."""
    mending = actions.add_parser(
        "fmt",
        help="mend what can be mended without knowing the language",
        description="Double lost backslashes of formulas, put joiners back into Sinhala conjuncts,"
        " bring text into Unicode's normal form and files into their usual one.",
    )
    add_config(mending)
    add_languages(mending)
    mending.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a file would change"
    )
    mending.set_defaults(command=run_fmt)


def run_fmt(options: argparse.Namespace) -> int:
    """Mend catalogues."""
    settings = load(options)
    problems: list[Problem] = []
    changed = 0
    for language in translated_languages(settings, options.lang):
        for path in catalog_files(settings, language):
            file = settings.folder / path
            po = read_po(file, path)
            if isinstance(po, Problem):
                problems.append(po)
                continue
            text = format_po(mend_file(po, language.tag)).encode()
            if text != file.read_bytes():
                changed += 1
                print(f"{path}: {'would change' if options.check else 'mended'}")
                if not options.check:
                    replace_file(file, text)
    show(problems)
    return CONTENT if options.check and changed else exit_code(problems, strict=False)
