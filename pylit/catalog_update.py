r"""
---
title: Bringing catalogues up to date
summary: What happens to translations when the sources change; none is rewritten, none is lost.
---
# Bringing catalogues up to date

For each block of a page the update looks for a translation, in this order:

1. **The same text** in the catalogue of the page, also among the entries out of use.
2. **A text that differs in [atoms](atoms.html) alone**: a formula was corrected, a variable
   renamed, a page moved. The atoms of the translation are replaced and it stays translated, so such
   a change reaches all languages at once.
3. **The same text on another page** of the language. Where those pages disagree, the commonest
   translation is taken and marked as fuzzy, for somebody to look at.
4. **A similar text on the page that has just gone**, marked as fuzzy, with the old text beside it.
   Similar means three quarters of the words at the same section, 85 % elsewhere: a guess from
   another text costs a translator more than an empty entry.

What then has no place stays at the end of the file, out of use (`#~`), and comes back with its
block. A second update changes nothing: the files hold no dates, no line numbers and no wrapping.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from pylit.atoms import HOLE, Kind, read_markup
from pylit.check_markup import find_errors
from pylit.model import Message
from pylit.po import PoEntry, PoFile, format_po, parse_po
from pylit.remarks import is_machine, own_remarks

SAME_SECTION, ELSEWHERE = 0.75, 0.85
"""How similar a text must be for its translation to be offered."""

WORD = re.compile(rf"{HOLE}\w+{HOLE}|[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Work:
    """A catalogue to bring up to date: its messages, and what it held (`None`: nothing yet)."""

    path: str
    file: str
    messages: tuple[Message, ...]
    old: PoFile | None


@dataclass(frozen=True, slots=True)
class Matched:
    """A catalogue after the first two steps; `dropped` were in use until now, `gone` were not."""

    entries: tuple[PoEntry, ...]
    dropped: tuple[PoEntry, ...]
    gone: tuple[PoEntry, ...]


def update_text(
    text: str | None, language: str, project: str, file: str, messages: Sequence[Message]
) -> str:
    """Bring the text of a single catalogue up to date."""
    work = Work("", file, tuple(messages), None if text is None else parse_po(text))
    return format_po(update_catalogs([work], [], language, project)[0])


def update_catalogs(
    works: Sequence[Work],
    others: Sequence[PoFile],
    language: str,
    project: str,
    *,
    prune: bool = False,
) -> list[PoFile]:
    """
    Bring catalogues of one language up to date; `others` only help with what they know.

    `language` is the tag for the header, `project` its name for a project.
    """
    matched = [match(work, language) for work in works]
    live = [entry for done in matched for entry in done.entries]
    live += [entry for po in others for entry in po.entries if not entry.obsolete]
    past = [entry for done in matched for entry in (*done.dropped, *done.gone)]
    past += [entry for po in others for entry in po.entries if entry.obsolete]
    memory = {**remember(past), **remember(live)}
    files: list[PoFile] = []
    for work, done in zip(works, matched, strict=True):
        entries = [recall(entry, memory, language) for entry in done.entries]
        entries = guess(entries, done.dropped, language)
        known = {(entry.key, entry.text) for entry in entries}
        rest = [
            replace(entry, obsolete=True, notes=(), files=())
            for entry in (*done.dropped, *done.gone)
            if entry.text and not prune and (entry.key, entry.text) not in known
        ]
        old = work.old or PoFile()
        files.append(
            PoFile(
                old.remarks if any(old.remarks) else (),
                header(old.fields, language, project),
                (*entries, *rest),
                # A header that is marked as fuzzy is one that nobody has filled in.
                tuple(flag for flag in old.flags if flag != "fuzzy"),
            )
        )
    return files


def header(
    fields: Sequence[tuple[str, str]], language: str, project: str
) -> tuple[tuple[str, str], ...]:
    """The fields that gettext wants, after their predecessors; those that are there stay."""
    wanted = {
        "Project-Id-Version": project,
        "PO-Revision-Date": "",
        "Last-Translator": "",
        "Language-Team": "",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    found = list(fields)
    place = 0
    for name, value in wanted.items():
        names = [key for key, _ in found]
        if name not in names:
            found.insert(place, (name, value))
            place += 1
            continue
        place = names.index(name) + 1
        present = found[place - 1][1]
        wrong = name == "Language" and present.replace("_", "-").lower() != language.lower()
        if wrong or (name == "Content-Type" and "utf-8" not in present.lower()):
            found[place - 1] = (name, value)
    return tuple(found)


def match(work: Work, language: str) -> Matched:
    """Steps 1 and 2: find the translations of a page's messages in its own catalogue."""
    old = work.old.entries if work.old else ()
    # Where a text is there twice, the live entry counts, and of those one that says something.
    order = sorted(old, key=lambda entry: (entry.obsolete, not entry.text))
    exact: dict[str, PoEntry] = {}
    for entry in order:
        exact.setdefault(entry.key, entry)
    by_mask: dict[tuple[str, str], list[PoEntry]] = {}
    wanted = {message.key for message in work.messages}
    if not wanted <= exact.keys():
        for entry in order:
            if entry.text and not entry.fuzzy:
                mask = read_markup(entry.source).masked
                by_mask.setdefault((entry.context, mask), []).append(entry)
    used: set[int] = set()
    entries: list[PoEntry] = []
    for key, places in gather(work.messages).items():
        message = places[0]
        notes = notes_of(places)
        before = exact.get(key)
        if before is not None:
            used.add(id(before))
            carried = replace(before, obsolete=False)
        else:
            carried = PoEntry(message.text, context=message.context)
            candidates = by_mask.get((message.context, read_markup(message.text).masked), [])
            # What is left over is more likely this text's past than what is still in use.
            for candidate in sorted(candidates, key=lambda entry: entry.key in wanted):
                text = carry_over(candidate, message.text, language)
                if text is not None:
                    if candidate.key not in wanted:
                        used.add(id(candidate))
                    carried = replace(
                        carried, text=text, remarks=candidate.remarks, flags=candidate.flags
                    )
                    break
        fuzzy = carried.fuzzy and bool(carried.text)
        entries.append(
            replace(
                carried,
                notes=notes,
                files=(work.file,),
                flags=tuple(flag for flag in carried.flags if fuzzy or flag != "fuzzy"),
                previous=carried.previous if fuzzy else "",
                previous_context=carried.previous_context if fuzzy else "",
            )
        )
    left = [entry for entry in old if id(entry) not in used]
    return Matched(
        tuple(entries),
        tuple(entry for entry in left if not entry.obsolete),
        tuple(entry for entry in left if entry.obsolete),
    )


def gather(messages: Iterable[Message]) -> dict[str, list[Message]]:
    """The messages of a page by key: the same text in two places is one entry."""
    places: dict[str, list[Message]] = {}
    for message in messages:
        places.setdefault(message.key, []).append(message)
    return places


def notes_of(places: Sequence[Message]) -> tuple[str, ...]:
    """What a translator is told: what the block is, where, the author's note, long formulas."""
    notes = [
        f"{message.role}, #{message.anchor}" if message.anchor else message.role
        for message in places
    ]
    notes += [message.note for message in places if message.note]
    formulas = places[0].formulas
    notes += [
        f"{{math{number}}} = {' '.join(tex.split())}" for number, tex in enumerate(formulas, 1)
    ]
    return tuple(dict.fromkeys(notes))


def carry_over(entry: PoEntry, text: str, language: str) -> str | None:
    """The translation of `text`, from an entry whose text differs in atoms alone, if it can be."""
    before, now = read_markup(entry.source), read_markup(text)
    pairs: dict[tuple[Kind, str], str] = {}
    for one, other in zip(before.atoms, now.atoms, strict=True):
        if pairs.setdefault((one.kind, one.text), other.text) != other.text:
            # One atom became two different ones: which is which in the translation, nobody knows.
            return None
    translated = read_markup(entry.text)
    if translated.count() != before.count():
        return None
    carried = translated.fill(pairs)
    machine = is_machine(entry.remarks)
    return None if find_errors(text, carried, language, machine=machine) else carried


def remember(entries: Iterable[PoEntry]) -> dict[str, Counter[tuple[str, tuple[str, ...]]]]:
    """All usable translations of each text, with the remarks that belong to them."""
    memory: dict[str, Counter[tuple[str, tuple[str, ...]]]] = {}
    for entry in entries:
        if entry.text and not entry.fuzzy:
            known = memory.setdefault(entry.key, Counter())
            known[entry.text, own_remarks(entry.remarks)] += 1
    return memory


def recall(
    entry: PoEntry,
    memory: Mapping[str, Counter[tuple[str, tuple[str, ...]]]],
    language: str,
) -> PoEntry:
    """Step 3: fill an empty entry with what other pages say."""
    known = memory.get(entry.key)
    if entry.text or not known:
        return entry
    # Where one text was translated by a person and by a machine, the person's counts.
    choices = sorted(known.items(), key=lambda item: (is_machine(item[0][1]), -item[1]))
    (text, remarks), _ = choices[0]
    if find_errors(entry.source, text, language):
        return entry
    disagree = len({other for other, _ in known}) > 1
    flags = ("fuzzy", *entry.flags) if disagree else entry.flags
    previous = entry.source if disagree else ""
    return replace(entry, text=text, remarks=remarks, flags=flags, previous=previous)


def guess(entries: Sequence[PoEntry], dropped: Sequence[PoEntry], language: str) -> list[PoEntry]:
    """Step 4: offer the translations of similar texts that have just gone."""
    candidates = [entry for entry in dropped if entry.text]
    empty = [number for number, entry in enumerate(entries) if not entry.text]
    result = list(entries)
    if not candidates or not empty:
        return result
    present = {anchor for entry in entries for anchor in anchors_of(entry)}
    old_words = [words_of(entry.source) for entry in candidates]
    pairs: list[tuple[float, int, int]] = []
    for number in empty:
        matcher = SequenceMatcher(None, autojunk=False)
        matcher.set_seq2(words_of(entries[number].source))
        for place, candidate in enumerate(candidates):
            near = is_near(entries[number], candidate, present)
            least = SAME_SECTION if near else ELSEWHERE
            matcher.set_seq1(old_words[place])
            if matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least:
                ratio = matcher.ratio()
                if ratio >= least and candidate.context == entries[number].context:
                    pairs.append((-ratio, number, place))
    taken: set[int] = set()
    for _, number, place in sorted(pairs):
        entry, candidate = result[number], candidates[place]
        if entry.text or place in taken:
            continue
        taken.add(place)
        result[number] = replace(
            entry,
            text=candidate.text,
            remarks=candidate.remarks,
            flags=("fuzzy", *(flag for flag in candidate.flags if flag != "fuzzy")),
            previous=candidate.previous or candidate.source,
        )
    return result


def words_of(text: str) -> list[str]:
    """The words of a text, with a sign for each atom."""
    return WORD.findall(read_markup(text).masked)


def anchors_of(entry: PoEntry) -> list[str]:
    """The sections that hold an entry, from its notes."""
    return [note.rpartition(", #")[2] for note in entry.notes if ", #" in note]


def is_near(entry: PoEntry, gone: PoEntry, present: Collection[str]) -> bool:
    """
    Tell whether a text may have taken the place of one that has gone.

    It has where it stands in the same section. A section whose first words were changed is called
    anew; then no section of the old name is `present`, and the same class or function will do.
    """
    places, before = set(anchors_of(entry)), set(anchors_of(gone))
    scopes = {place.rpartition(".")[0] for place in places} - {""}
    renamed = {place.rpartition(".")[0] for place in before.difference(present)}
    return bool(places & before or scopes & renamed)
