r"""
---
title: Checks of markup
summary: What must never reach a page, lost formulas, broken links, foreign tags; all errors.
---
# Checks of markup

These findings are errors: the text would say something else than the source, or break the page.
An entry with one of them is never shown; the page falls back to the original.

A translation is input from many hands, so the checks trust nothing in it. They run on every entry
of every build. [`is_plain`][] passes most in a few microseconds; the others are taken apart.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import cast
from urllib.parse import urlsplit
from xml.etree import ElementTree

import markdown
from markdown.treeprocessors import InlineProcessor

from pylit.atoms import Atom, Kind, Text, read_markup
from pylit.model import Level

SHOWN = 60
"""So much of a formula, an address or a text is shown in a message."""

LOOSE = re.compile(
    r"`+[^`]*`+|\$[^$]*\$|\]\([^()]*\)|\]\[[^\]]*\]|\{math\d+\}|%\(\w+\)s|https?:[^\s)]*|!\[|\[\^"
)
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
INVISIBLE = re.compile("[\u200b\ufeff\ufffd\u202a-\u202e\u2066-\u2069]")
BLOCK_START = re.compile(r"[ \t]*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|```|~~~|\|)")
UNPLAIN = re.compile(
    "[\x00-\x1f\x7f\u200b\ufeff\ufffd\u202a-\u202e\u2066-\u2069<]|@@|\\$[$\\d]|\\[\\s*\\]\\("
    "|^\\s*(?:[#>|~+*-]|\\d+[.)])|\\u0dca[\\u0dba\\u0dbb]"
)
EMPHASIS = re.compile(r"(\*{1,2})(?![\s*])[^*]+(?<![\s*])\1(?!\*)")
EMPHASIS_BESIDE_LINK = re.compile(EMPHASIS.pattern.replace("[^*]", r"[^*\[\ufffc]"))
REST = re.compile(r"[*_`$\\\[\]{]|%\(")
WHOLE_LINK = re.compile(r"(?<!!)\[[^\[\]]+\]\([^()]+\)")
ODD = re.compile(r"<|\$[$\d]|\d\$\d|(?<![$`\w{}])\\")
BROKEN_CONJUNCT = re.compile("(?<!\u0dbb)\u0dca(?=[\u0dba\u0dbb])")
"""
Virama before ya or ra is written with a joiner, or the conjunct falls apart. After ra it is not:
there the repaya of older spelling is rarely meant.
"""
VOID = frozenset({"br", "hr", "img", "wbr", "input", "col"})
NAMES: dict[Kind, str] = {
    "formula": "the formula",
    "placeholder": "the placeholder",
    "code": "the code",
    "picture": "the picture",
    "footnote": "the footnote",
    "tag": "the tag",
    "link": "the link to",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with one translation: which check, how bad, what and what to do."""

    code: str
    level: Level
    message: str


def short(text: str, length: int = SHOWN) -> str:
    """A text cut to be shown in a line."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def find_errors(source: str, text: str, tag: str, *, machine: bool = False) -> list[Fault]:
    """What must not be shown in the translation `text` of `source` into the language `tag`."""
    sinhala = tag.partition("-")[0] == "si"
    if not machine and is_plain(source, text):
        return []
    faults = [*control_faults(source, text), *invisible_faults(source, text)]
    if sinhala and (broken := BROKEN_CONJUNCT.findall(text)):
        message = (
            f"{len(broken)} conjunct{'s have' if len(broken) > 1 else ' has'} lost the joiner"
            " U+200D between virama and ya or ra; `pylit i18n fmt` puts it back"
        )
        faults.append(Fault("zwj", "error", message))
    original, translated = read_markup(source), read_markup(text)
    faults += block_faults(source, text)
    faults += atom_faults(original, translated)
    faults += link_faults(original, translated)
    faults += html_faults(original, translated)
    if not any(fault.code in ("control-character", "atoms") for fault in faults):
        faults += literal_faults(original, translated)
    if machine:
        faults += adjacent_faults(original, translated, "error")
    return faults


def is_plain(source: str, text: str) -> bool:
    """
    Tell quickly that a translation has none of these faults.

    Its formulas, code and links are those of the source, letter by letter, one link at most, and
    no other sign in it means anything to Markdown, but for emphasis that is whole. `False` only
    means: look closely.
    """
    if UNPLAIN.search(text) or ODD.search(source):
        return False
    ours = LOOSE.findall(text)
    if len(ours) > 1:
        ours.sort()
    theirs = LOOSE.findall(source)
    links = sum(token[0] == "]" for token in ours)
    if ours != sorted(theirs) or links > 1:
        return False
    if links and not (WHOLE_LINK.search(text) and WHOLE_LINK.search(source)):
        return False
    rest = LOOSE.sub("\ufffc", text)
    if "*" in rest:
        rest = (EMPHASIS_BESIDE_LINK if links else EMPHASIS).sub("", rest)
    return rest.count("[") == links and not REST.search(rest.replace("[", ""))


def control_faults(source: str, text: str) -> Iterable[Fault]:
    """Control characters: `\\theta` typed with one backslash is a tab and `heta`."""
    if CONTROL.search(text):
        message = (
            "the translation holds a control character; in a PO file every backslash of a"
            " formula is written twice (\\\\theta); `pylit i18n fmt` mends it where it can"
        )
        yield Fault("control-character", "error", message)


def invisible_faults(source: str, text: str) -> Iterable[Fault]:
    """Signs that nobody sees and that change what is read, and marks that tools left behind."""
    known = set(source)
    for sign in dict.fromkeys(INVISIBLE.findall(text)):
        isolate = "\u2066" <= sign <= "\u2069"
        if isolate and balanced_isolates(text):
            continue
        if sign in known:
            continue
        name = unicodedata.name(sign, "")
        message = f"the translation holds U+{ord(sign):04X} ({name.lower()}); remove it"
        if isolate:
            message = "a directional isolate is opened and not closed; write one U+2069 for each"
        yield Fault("invisible", "error", message)
        break
    if "@@" in text and "@@" not in source:
        message = "the mark @@ of a translation program is left in the text; remove it"
        yield Fault("program-mark", "error", message)


def balanced_isolates(text: str) -> bool:
    """Whether every directional isolate is closed again."""
    depth = 0
    for sign in text:
        if "\u2066" <= sign <= "\u2068":
            depth += 1
        elif sign == "\u2069":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def block_faults(source: str, text: str) -> Iterable[Fault]:
    """A translation is one block, as its source is."""
    if re.search(r"\n[ \t]*\n", text.strip()):
        message = "the translation is cut by an empty line; an entry is one block: join the parts"
        yield Fault("block", "error", message)
    for line in text.split("\n"):
        if (start := BLOCK_START.match(line)) and not BLOCK_START.match(source):
            message = (
                f"a line starts with {short(start[0]).strip()!r} as a heading, list or quotation"
                " does; the page adds such signs itself: remove it"
            )
            yield Fault("block", "error", message)
            break


def atom_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """Formulas, code, pictures, footnotes and tags: the same ones, as often, in any order."""
    wanted, found = original.count(), translated.count()
    parts: list[str] = []
    for differs, verb in ((wanted - found, "lost"), (found - wanted, "added or changed")):
        names = [
            f"{NAMES[kind]} {short(name)}" + (f" ({number} times)" if number > 1 else "")
            for (kind, name), number in differs.items()
            # Another check looks at links and at tags that the source does not have.
            if kind != "link" and not (kind == "tag" and verb != "lost")
        ]
        if names:
            parts.append(f"{', '.join(names[:4])}{' …' if len(names) > 4 else ''} {verb}")
    if parts:
        message = f"{'; '.join(parts)}: keep what the original has, each as often"
        yield Fault("atoms", "error", message)


def link_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """Links: the same addresses, none inside another, none without words."""
    wanted = Counter(atom.text for atom in original.atoms if atom.kind == "link")
    found = Counter(atom.text for atom in translated.atoms if atom.kind == "link")
    parts = [
        f"{', '.join(f'the link to {short(address)}' for address in differs)} {verb}"
        for differs, verb in ((wanted - found, "lost"), (found - wanted, "added or changed"))
        if differs
    ]
    if parts:
        message = f"{'; '.join(parts)}: keep the addresses of the original"
        yield Fault("links", "error", message)
    if any(link.nested for link in translated.links):
        message = "a link stands inside another link; end the first before the second begins"
        yield Fault("nested-link", "error", message)
    empty = {
        link.address for link in original.links if not link_words(original, link.start, link.end)
    }
    for link in translated.links:
        if not link_words(translated, link.start, link.end) and link.address not in empty:
            message = f"the link to {short(link.address)} has no words; put the linked words in"
            yield Fault("empty-link", "error", message)


def link_words(text: Text, start: int, end: int) -> str:
    """What a link shows: its words, with a sign for a formula or code in them."""
    return text.marked[start:end].strip(" *_")


def html_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """No tag, attribute or scheme of an address that the source does not have; tags in pairs."""
    known = Counter(atom.text for atom in original.atoms if atom.kind == "tag")
    tags = [atom for atom in translated.atoms if atom.kind == "tag"]
    foreign = Counter(atom.text for atom in tags) - known
    if foreign:
        names = ", ".join(short(name) for name in foreign)
        message = f"the original has no {names}; a translation adds no HTML: remove it"
        yield Fault("html", "error", message)
    schemes = {urlsplit(atom.text).scheme for atom in original.atoms}
    for atom in translated.atoms:
        if atom.kind in ("link", "picture"):
            scheme = scheme_of(atom)
            if scheme and scheme not in schemes:
                message = f"the original has no address that starts with {scheme}:; remove it"
                yield Fault("html", "error", message)
    if not foreign and (name := unbalanced(tags)) and not unbalanced(
        [atom for atom in original.atoms if atom.kind == "tag"]
    ):  # fmt: skip
        message = f"the tag {name} is not closed in the order in which tags were opened"
        yield Fault("block", "error", message)


def scheme_of(atom: Atom) -> str:
    """The scheme of an address, empty where it cannot be read."""
    try:
        return urlsplit(atom.text).scheme
    except ValueError:
        return ""


def unbalanced(tags: Iterable[Atom]) -> str:
    """The first tag that is not closed, or closed at the wrong place."""
    opened: list[str] = []
    for tag in tags:
        name = re.sub(r"^</?|[\s/>].*$", "", tag.text, flags=re.DOTALL).lower()
        if name in VOID or tag.text.endswith("/>"):
            continue
        if not tag.text.startswith("</"):
            opened.append(name)
        elif not opened or opened.pop() != name:
            return tag.text
    return f"<{opened[-1]}>" if opened else ""


@cache
def inline_pass() -> InlineProcessor:
    """The part of Python-Markdown that reads emphasis and escapes."""
    reader = markdown.Markdown()
    reader.ESCAPED_CHARS.append("$")
    # The registry cannot tell the type checker what it holds.
    return cast(InlineProcessor, reader.treeprocessors["inline"])


def literal_signs(text: Text) -> Counter[str]:
    """The signs of markup that a reader would see, because they do not work where they stand."""
    parts: list[str] = []
    at = 0
    for atom in text.atoms:
        parts.append(text.marked[at : atom.start])
        # An address stays, so that the link is still one; anything else is no emphasis.
        parts.append("x" if atom.kind in ("link", "picture") else "\ue003")
        at = atom.end
    marked = "".join([*parts, text.marked[at:]])
    root = ElementTree.Element("div")
    ElementTree.SubElement(root, "p").text = marked
    inline_pass().run(root)
    shown = "".join(root.itertext())
    return Counter(re.findall(r"\]\(|[*`$]|(?<!\w)_|_(?!\w)", shown))


def literal_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """Signs of markup that the page would show as they are."""
    if not re.search(r"[*_`$]|\]\(", translated.marked):
        return
    shown = literal_signs(translated)
    if shown and (extra := shown - literal_signs(original)):
        names = " and ".join(extra)
        message = (
            f"the page would show {names} as it stands here; markup needs its partner, and no"
            " space on the inner side"
        )
        yield Fault("literal-markup", "error", message)


def adjacent_faults(original: Text, translated: Text, level: Level) -> Iterable[Fault]:
    """Formulas piled together: the words that stood between them are gone."""
    allowed = {frozenset(pair) for pair in adjacent(original)}
    for one, other in adjacent(translated):
        if frozenset((one, other)) not in allowed:
            message = (
                f"nothing stands between {short(one, 30)} and {short(other, 30)}, where the"
                " original has words; say how they belong together"
            )
            yield Fault("adjacent", level, message)
            return


def adjacent(text: Text) -> Iterable[tuple[str, str]]:
    """Pairs of formulas or code with no word and no punctuation between them."""
    atoms = [atom for atom in text.atoms if atom.kind in ("formula", "placeholder", "code")]
    for one, other in pairwise(atoms):
        if not text.marked[one.end : other.start].strip(" \n*_"):
            yield one.text, other.text
