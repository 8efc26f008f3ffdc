r"""
---
title: Checks of translations
summary: All that is looked at in the catalogues of a language, with code and level.
---
# Checks of translations

| code | level | what is wrong |
|---|---|---|
| `po-syntax` | error | the file is no catalogue, or not UTF-8 |
| `po-header` | error | the header names another language, or another encoding than UTF-8 |
| `duplicate` | error | two entries have the same text |
| `atoms` | error | a formula, code, picture, footnote or tag is lost, added or changed |
| `links` | error | the address of a link is lost, added or changed |
| `nested-link` | error | a link stands inside another |
| `empty-link` | error | a link has no words |
| `block` | error | more than one block, the start of a list or heading, tags that do not close |
| `literal-markup` | error | the page would show an asterisk, a backtick or a dollar |
| `control-character` | error | a backslash was not written twice: `\theta` is a tab and `heta` |
| `invisible` | error | signs that nobody sees, such as overrides of the direction |
| `program-mark` | error | `@@`, which a translation program left behind |
| `html` | error | a tag or a scheme of an address that the source does not have |
| `zwj` | error | a Sinhala conjunct has lost its joiner |
| `adjacent` | warning | formulas piled together, the words gone; an error in machine text |
| `backslash` | warning | a backslash that is not written twice; gettext refuses the file |
| `link-words` | warning | a link is around the wrong words |
| `cut-word` | warning | a word is cut by markup, by a formula or by code |
| `stuck-words` | warning | two words have become one |
| `spacing` | warning | spaces between Chinese or Japanese characters |
| `punctuation`, `brackets` | warning | doubled or half-width signs, brackets that do not close |
| `numbers` | warning | a number is lost |
| `untranslated`, `script` | warning | the text is still in English |
| `english` | warning | a sentence of it is |
| `nfc` | warning | not in Unicode's normal form |
| `glossary` | warning | a word to avoid is used, or a term that stays is gone |
| `glossary-file` | error | the glossary itself cannot be read |
| `consistency` | warning | the same English is translated in several ways |
| `ignore` | warning | a remark silences what is not there, or gives no reason |

The [errors of markup](check_markup.html) are those that a build looks for, too. An entry that is
fuzzy is looked at as well, but its errors are warnings, since no page shows it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pylit.atoms import read_markup
from pylit.check_markup import Fault, find_errors, short
from pylit.check_wording import SPACED_NOT, find_warnings, stuck_starts
from pylit.glossary import Glossary
from pylit.model import Language, Level, Problem
from pylit.po import PoEntry, PoFile
from pylit.remarks import NEVER_IGNORED, find_ignores, is_machine


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something wrong with an entry: where it is in the catalogue, and both texts."""

    path: str
    line: int
    code: str
    level: Level
    message: str
    page: str = ""
    source: str = ""
    text: str = ""

    def problem(self) -> Problem:
        """The finding as the builds and the other commands show what is wrong."""
        message = self.message
        if self.source:
            message += f" | {short(self.source, 50)} | {short(self.text, 50)}"
        return Problem(self.path, self.line, 1, message, self.level, self.code)


def check_language(
    files: Mapping[str, PoFile],
    language: Language,
    glossary: Glossary,
    pages: Mapping[str, str],
) -> list[Finding]:
    """
    Check all catalogues of a language.

    `files` are the catalogues by their paths, `pages` the pages that they are for.
    """
    findings: list[Finding] = []
    unsilenced: dict[tuple[str, int], list[Fault]] = {}
    entries: list[tuple[str, PoEntry]] = []
    for path, po in files.items():
        findings += check_file(path, po, language, pages.get(path, ""))
        entries += [(path, entry) for entry in po.entries if not entry.obsolete and entry.text]
    for path, entry in entries:
        unsilenced[path, entry.line] = check_entry(entry, language, glossary)
    for place, fault in between_entries(entries, language):
        unsilenced[place].append(fault)
    for path, entry in entries:
        faults = silence(unsilenced[path, entry.line], entry)
        findings += [
            Finding(
                path,
                entry.line,
                fault.code,
                "warning" if entry.fuzzy else fault.level,
                fault.message,
                pages.get(path, ""),
                entry.source,
                entry.text,
            )
            for fault in faults
        ]
    return sorted(findings)


def check_file(path: str, po: PoFile, language: Language, page: str) -> Iterable[Finding]:
    """Check what belongs to a catalogue as a whole."""
    named = po.field("Language")
    known = {language.tag.lower(), language.code.lower()}
    if named and named.replace("_", "-").lower() not in known:
        message = (
            f"the header says that this is {named}, the folder that it is {language.tag};"
            " correct the field Language"
        )
        yield Finding(path, 1, "po-header", "error", message, page)
    charset = po.field("Content-Type")
    if charset and "utf-8" not in charset.lower():
        message = "the header names another encoding than UTF-8; correct the field Content-Type"
        yield Finding(path, 1, "po-header", "error", message, page)
    lines: dict[str, int] = {}
    for entry in po.entries:
        if entry.obsolete:
            continue
        if entry.key in lines:
            message = f"the same text has an entry in line {lines[entry.key]}; remove one of them"
            yield Finding(
                path, entry.line, "duplicate", "error", message, page, entry.source, entry.text
            )
        lines.setdefault(entry.key, entry.line)


def check_entry(entry: PoEntry, language: Language, glossary: Glossary) -> list[Fault]:
    """Check one translation by itself."""
    machine = is_machine(entry.remarks)
    faults = find_errors(entry.source, entry.text, language.tag, machine=machine)
    if entry.single:
        message = (
            "a backslash is not written twice, and gettext refuses the file; `pylit i18n fmt`"
            " doubles it"
        )
        faults.append(Fault("backslash", "warning", message))
    if any(fault.code == "control-character" for fault in faults):
        # What else is wrong follows from it.
        return [fault for fault in faults if fault.code == "control-character"]
    known = {fault.code for fault in faults}
    if known & {"links", "nested-link"}:
        known.add("link-words")
    warnings = find_warnings(entry.source, entry.text, language.tag, glossary.keep, glossary.uses)
    faults += [fault for fault in warnings if fault.code not in known]
    faults += glossary.check(read_markup(entry.source), read_markup(entry.text))
    return faults


def between_entries(
    entries: Sequence[tuple[str, PoEntry]], language: Language
) -> Iterable[tuple[tuple[str, int], Fault]]:
    """Find what can only be seen by looking at all entries of a language."""
    ways: dict[str, Counter[str]] = {}
    for _, entry in entries:
        if not entry.fuzzy:
            ways.setdefault(entry.key, Counter())[entry.text] += 1
    for path, entry in entries:
        texts = ways.get(entry.key, Counter())
        if len(texts) > 1 and not entry.fuzzy:
            common = next(text for text, _ in texts.most_common() if text != entry.text)
            message = f"elsewhere the same text is translated as {short(common, 40)}; choose one"
            yield (path, entry.line), Fault("consistency", "warning", message)
    if language.tag.partition("-")[0] in SPACED_NOT:
        return
    texts_in_order = enumerate(entry.text for _, entry in entries)
    for number, words in stuck_starts(texts_in_order).items():
        path, entry = entries[number]
        message = f"the first word looks like two that are stuck together: {words}"
        yield (path, entry.line), Fault("stuck-words", "warning", message)


def silence(faults: Sequence[Fault], entry: PoEntry) -> list[Fault]:
    """Drop what a remark with a reason silences; a remark that silences nothing is a fault."""
    ignores = find_ignores(entry.remarks)
    codes = {fault.code for fault in faults}
    left = list(faults)
    for ignore in ignores:
        if ignore.code in NEVER_IGNORED:
            message = f"{ignore.code} cannot be ignored, as it could harm a reader; mend the text"
        elif not ignore.reason:
            message = f"say why {ignore.code} is ignored, in brackets behind it"
        elif ignore.code not in codes:
            message = f"{ignore.code} is ignored, but not found any more; remove the remark"
        else:
            left = [fault for fault in left if fault.code != ignore.code]
            continue
        left.append(Fault("ignore", "warning", message))
    return left


def of_problem(problem: Problem) -> Finding:
    """A problem of a file that cannot be read, as a finding."""
    return Finding(problem.path, problem.line, problem.code, problem.level, problem.message)
