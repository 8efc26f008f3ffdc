"""
---
title: pylit i18n import
summary: The commands that take over translations from elsewhere.
---
# `pylit i18n import-html` and `import-po`

Both bring the catalogues up to date first, fill empty entries only, and mark what they put in as
machine text: somebody has to look at it. Where the text comes from, and under which licence, is
for the person to know who imports it; say so in the commit.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pylit.catalog import read_po
from pylit.catalog_update import Work, update_catalogs
from pylit.check_markup import find_errors
from pylit.cli.common import CONTENT, FINE, Commands, add_config, load, show
from pylit.cli.i18n_check import as_dict, as_text
from pylit.cli.i18n_common import translated_languages
from pylit.errors import UsageError
from pylit.extract import catalog_files, extract, read_all, site_glossary
from pylit.import_html import fill_in, read_cache
from pylit.model import Language, Problem
from pylit.output import replace_file
from pylit.po import PoFile, format_po
from pylit.reading import read
from pylit.remarks import MACHINE
from pylit.settings import Settings
from pylit.translation_checks import Finding

Fill = Callable[[PoFile], tuple[PoFile, int]]


def add_imports(actions: Commands) -> None:
    """Describe the commands."""
    html = actions.add_parser(
        "import-html",
        help="take over machine translations of the labml site's format",
        description="Read JSON files of English HTML and its translation, check each block, fill"
        " the empty entries whose words are the same, and report what was found by code.",
    )
    add_config(html)
    html.add_argument("cache", metavar="CACHE", help="a folder of *.LANG.json files, or one file")
    html.add_argument("language", metavar="LANG", help="the language to fill")
    html.add_argument("--dry-run", action="store_true", help="report only, write nothing")
    html.add_argument("--findings", action="store_true", help="list every finding")
    html.add_argument("--json", action="store_true", help="print the report as JSON")
    html.set_defaults(command=run_html)
    po = actions.add_parser(
        "import-po",
        help="take over translations from PO files, where the text is exactly the same",
        description="Fill the empty entries of a language from other PO files. Only exactly the"
        " same texts are taken over.",
    )
    add_config(po)
    po.add_argument("language", metavar="LANG", help="the language to fill")
    po.add_argument("files", nargs="+", metavar="FILE", help="PO files")
    po.add_argument("--dry-run", action="store_true", help="report only, write nothing")
    po.set_defaults(command=run_po)


def run_html(options: argparse.Namespace) -> int:
    """Import a cache."""
    settings = load(options)
    language = translated_languages(settings, [options.language])[0]
    files = cache_files(Path(options.cache), language)
    glossary, _ = site_glossary(settings, language)
    imported, broken = read_cache(files, language, glossary)
    filled, problems = fill_all(
        settings, language, lambda po: fill_in(po, imported.pairs, language), options.dry_run
    )
    findings = [*broken, *imported.findings]
    counts = {
        "files": len(files),
        "entries": imported.entries,
        "blocks": imported.blocks,
        "usable": len(imported.pairs),
        "filled": filled,
    }
    if options.json:
        report = {**counts, "codes": by_code(findings), "findings": [*map(as_dict, findings)]}
        print(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        for finding in findings if options.findings else ():
            print(as_text(finding))
        for code, (level, number) in sorted(by_code(findings).items()):
            print(f"{number:>8} {level:8} {code}")
        print(", ".join(f"{number} {name}" for name, number in counts.items()))
    show([*problems, *(finding.problem() for finding in broken)])
    return CONTENT if problems or broken else FINE


def by_code(findings: Sequence[Finding]) -> dict[str, tuple[str, int]]:
    """How many findings there are of each code, with their level."""
    counted = Counter((finding.code, finding.level) for finding in findings)
    return {code: (level, number) for (code, level), number in counted.items()}


def cache_files(path: Path, language: Language) -> dict[str, str]:
    """The text of the cache's files, by their paths."""
    found = [path] if path.is_file() else sorted(path.rglob(f"*.{language.code}.json"))
    if not found:
        message = f"there is no file *.{language.code}.json here; name the cache's folder"
        raise UsageError(Problem(str(path), 0, 0, message, code="usage"))
    try:
        return {file.as_posix(): file.read_text(encoding="utf-8") for file in found}
    except (OSError, UnicodeDecodeError) as error:
        message = "a file of the cache cannot be read; it must be UTF-8"
        raise UsageError(Problem(str(path), 0, 0, message, code="usage")) from error


def run_po(options: argparse.Namespace) -> int:
    """Import PO files."""
    settings = load(options)
    language = translated_languages(settings, [options.language])[0]
    known: dict[str, str] = {}
    for name in options.files:
        po = read_po(Path(name), name)
        if isinstance(po, Problem):
            raise UsageError(po)
        for entry in po.entries:
            if entry.text and not entry.fuzzy:
                known.setdefault(entry.key, entry.text)

    def fill(po: PoFile) -> tuple[PoFile, int]:
        entries = []
        filled = 0
        for entry in po.entries:
            text = known.get(entry.key, "")
            wanted = text and not entry.text and not entry.obsolete
            # What no page would show is not worth an entry.
            if wanted and not find_errors(entry.source, text, language.tag, machine=True):
                entry = replace(entry, text=text, remarks=(*entry.remarks, MACHINE))
                filled += 1
            entries.append(entry)
        return replace(po, entries=tuple(entries)), filled

    filled, problems = fill_all(settings, language, fill, options.dry_run)
    print(f"{len(known)} translations read, {filled} entries filled")
    show(problems)
    return CONTENT if problems else FINE


def fill_all(
    settings: Settings, language: Language, fill: Fill, dry_run: bool
) -> tuple[int, list[Problem]]:
    """Bring the catalogues up to date, fill them, and write those that changed."""
    extracts = extract(settings, read(settings))
    files, problems = read_all(settings, list(catalog_files(settings, language)))
    broken = {problem.path for problem in problems}
    works = [
        Work(path, item.file, item.messages, files.get(path))
        for item in extracts
        for path in (item.catalog(settings, language),)
        if path not in broken and item.messages and (item.wanted or path in files)
    ]
    updated = update_catalogs(works, [], language.tag, settings.title)
    filled = 0
    for work, po in zip(works, updated, strict=True):
        done, number = fill(po)
        filled += number
        if number and not dry_run:
            replace_file(settings.folder / work.path, format_po(done).encode())
    return filled, problems
