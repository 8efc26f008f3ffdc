"""
---
title: Taking over machine translations
summary: The cache of the labml site, checked entry by entry, matched with this site's messages.
---
# Taking over machine translations

The labml site keeps what a machine translated in JSON files, one for each page and language: the
HTML of a section in English, and its translation. We take over what passes the checks, and report
the rest by code:

1. Both sides are [read back](html_blocks.html) into Markdown. Tags that do not close, text outside
   of its block and another number of blocks end it for the whole entry.
2. Each block is [checked](translation_checks.html) against its English, as machine text. Lost
   joiners of Sinhala are put back; blocks with an error, and those left in English, are dropped.
3. Where the words of a block are those of a message of this site, its placeholders become the
   formulas and code of the message, its links lead where the message's do, and the translation is
   filled in, marked as machine. What is there already is never touched.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pylit.atoms import HOLE, Kind, read_markup
from pylit.catalog_fmt import join_conjuncts
from pylit.check_markup import Fault, find_errors, short
from pylit.check_wording import SPACED_NOT, find_warnings, stuck_starts
from pylit.glossary import Glossary
from pylit.html_blocks import HtmlBlocks, read_blocks
from pylit.model import Language
from pylit.po import PoEntry, PoFile
from pylit.remarks import MACHINE
from pylit.translation_checks import Finding

MESSAGES = {
    "tags": "a tag is not closed, or closed in another order: {}",
    "outside": "text stands outside of its block: {}",
    "nested-link": "a link stands inside another link: {}",
    "placeholder": "a placeholder is broken: {}",
}
LEFT = ("untranslated", "script")
"""Findings that mean: this was not translated at all."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A block in English and its translation, both as Markdown."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read: the blocks that may be used, all findings, how many entries and blocks."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    entries: int
    blocks: int


def read_cache(
    files: Mapping[str, str], language: Language, glossary: Glossary
) -> tuple[Imported, list[Finding]]:
    """
    Read and check cache files, given by their paths.

    The second value are the files that are no such cache.
    """
    broken: list[Finding] = []
    findings: list[Finding] = []
    pairs: list[tuple[Pair, Finding]] = []
    entries = 0
    for path, text in files.items():
        try:
            table = json.loads(text)
        except json.JSONDecodeError as error:
            message = f"this is not valid JSON: {error.msg}"
            broken.append(Finding(path, error.lineno, "cache-syntax", "error", message))
            continue
        if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()):
            message = "a cache is an object of texts: English HTML and its translation"
            broken.append(Finding(path, 1, "cache-syntax", "error", message))
            continue
        for key, value in table.items():
            entries += 1
            line = text.count("\n", 0, max(text.find(json.dumps(key)), 0)) + 1
            place = Finding(path, line, "", "error", "", path, key, value)
            found = compare(key, value)
            findings += [note(place, fault) for fault in found.faults]
            pairs += [(pair, place) for pair in found.pairs]
    usable, more = check_pairs(pairs, language, glossary)
    return Imported(tuple(usable), (*findings, *more), entries, len(pairs)), broken


@dataclass(frozen=True, slots=True)
class Compared:
    """An entry of the cache as blocks, or the reasons why it is of no use."""

    pairs: tuple[Pair, ...]
    faults: tuple[Fault, ...]


def compare(key: str, value: str) -> Compared:
    """Read both sides of an entry. Where their blocks do not match, none can be used."""
    english, translated = read_blocks(key), read_blocks(value)
    # What the English has as well is how this text is.
    known = Counter(fault.code for fault in english.faults)
    faults: list[Fault] = []
    for fault in translated.faults:
        if known[fault.code]:
            known[fault.code] -= 1
            continue
        message = MESSAGES[fault.code].format(short(fault.detail, 40))
        faults.append(Fault(fault.code, "error", message))
    kinds = [tag for tag, _ in english.blocks]
    if kinds != [tag for tag, _ in translated.blocks]:
        message = "the translation has other blocks than the original"
        faults.append(Fault("blocks", "error", message))
    if faults:
        # What is lost or piled up in it is worth knowing all the same.
        whole = find_errors(joined(english), joined(translated), "", machine=True)
        seen = {fault.code for fault in faults} | {"block", "literal-markup"}
        faults += [fault for fault in whole if fault.code not in seen]
        wording = find_warnings(joined(english), joined(translated), "")
        faults += [fault for fault in wording if fault.code in ("link-words", "cut-word")]
        return Compared((), tuple(one_of_each(faults)))
    pairs = zip(english.blocks, translated.blocks, strict=True)
    return Compared(tuple(Pair(one[1], other[1]) for one, other in pairs), ())


def joined(blocks: HtmlBlocks) -> str:
    """All blocks as one text; a sign between them keeps their formulas apart."""
    return " ¶ ".join(text for _, text in blocks.blocks)


def one_of_each(faults: Iterable[Fault]) -> list[Fault]:
    """The first fault of each code."""
    return list({fault.code: fault for fault in reversed(list(faults))}.values())[::-1]


def note(place: Finding, fault: Fault, pair: Pair | None = None) -> Finding:
    """A fault as a finding at its place in the cache."""
    return replace(
        place,
        code=fault.code,
        level=fault.level,
        message=fault.message,
        source=pair.source if pair else place.source,
        text=pair.text if pair else place.text,
    )


def check_pairs(
    pairs: Sequence[tuple[Pair, Finding]], language: Language, glossary: Glossary
) -> tuple[list[Pair], list[Finding]]:
    """Check each block; those that may be used come back mended."""
    usable: list[Pair] = []
    findings: list[Finding] = []
    spaced = language.tag.partition("-")[0] not in SPACED_NOT
    stuck = stuck_starts(enumerate(p.text for p, _ in pairs)) if spaced else {}
    ways: dict[str, Counter[str]] = {}
    for pair, _ in pairs:
        ways.setdefault(pair.source, Counter())[pair.text] += 1
    for number, (pair, place) in enumerate(pairs):
        faults = find_errors(pair.source, pair.text, language.tag, machine=True)
        known = {fault.code for fault in faults}
        warnings = find_warnings(pair.source, pair.text, language.tag, glossary.keep, glossary.uses)
        faults += [fault for fault in warnings if fault.code not in known]
        faults += glossary.check(read_markup(pair.source), read_markup(pair.text))
        if number in stuck:
            message = f"the first word looks like two that are stuck together: {stuck[number]}"
            faults.append(Fault("stuck-words", "warning", message))
        if len(ways[pair.source]) > 1:
            message = f"the same text is translated in {len(ways[pair.source])} ways"
            faults.append(Fault("consistency", "warning", message))
        findings += [note(place, fault, pair) for fault in faults]
        hard = [f for f in faults if f.level == "error" and f.code != "zwj"]
        if not hard and not any(fault.code in LEFT for fault in faults):
            mended = language.tag.partition("-")[0] == "si"
            usable.append(replace(pair, text=join_conjuncts(pair.text) if mended else pair.text))
    return usable, findings


def signature(text: str) -> str:
    """The words of a text, to find it again whatever its formulas and links are."""
    words = read_markup(text).words.replace(HOLE, f" {HOLE} ").casefold()
    return " ".join(re.sub(r"[’‘]", "'", words).split())


def fill_in(po: PoFile, pairs: Iterable[Pair], language: Language) -> tuple[PoFile, int]:
    """Fill the empty entries of a catalogue; the second value is how many."""
    known: dict[str, Pair] = {}
    for pair in pairs:
        known.setdefault(signature(pair.source), pair)
    entries: list[PoEntry] = []
    filled = 0
    for entry in po.entries:
        match = known.get(signature(entry.source))
        if match and not entry.text and not entry.obsolete:
            text = transfer(match, entry.source)
            if text and not find_errors(entry.source, text, language.tag, machine=True):
                remarks = (*entry.remarks, MACHINE)
                entry = replace(entry, text=text, remarks=remarks)
                filled += 1
        entries.append(entry)
    return replace(po, entries=tuple(entries)), filled


def transfer(pair: Pair, source: str) -> str | None:
    """A translation with the formulas, code and addresses of the message that it is for."""
    theirs, ours = read_markup(pair.source).atoms, read_markup(source).atoms
    put: dict[tuple[Kind, str], str] = {}
    spans: tuple[Kind, ...] = ("formula", "code", "placeholder")
    for kinds in (spans, ("link",), ("picture",)):
        before = [atom for atom in theirs if atom.kind in kinds]
        now = [atom for atom in ours if atom.kind in kinds]
        if len(before) != len(now):
            return None
        for one, other in zip(before, now, strict=True):
            if put.setdefault((one.kind, one.text), other.text) != other.text:
                return None
    return read_markup(pair.text).fill(put)
