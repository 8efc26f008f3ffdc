"""
---
title: Leaf blocks
summary: Each paragraph, heading, item and cell is translated before its markup is read.
---
# Leaf blocks

Between the two passes of Python-Markdown, when blocks are known and their inline markup is not yet
read, each *leaf block* is raw inline Markdown: just what a translator can work with. Here it is
looked up in the catalogue and replaced by its translation. The same step gathers the messages, so
what is extracted and what is shown can never differ.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from xml.etree import ElementTree

import markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import STX, AtomicString

from pylit.anchors import slug, unique
from pylit.catalog import Catalog
from pylit.links import Target, Unresolved
from pylit.lookups import Lookups
from pylit.math.find import CLOSE, LESS, MARK, OPEN, Found, restore, scan
from pylit.model import Heading, Language, Message, Problem, Section
from pylit.wide import join_wide

LEAVES = {
    "p": "paragraph",
    "li": "item",
    "td": "cell",
    "th": "column heading",
    "dt": "term",
    "dd": "definition",
    "figcaption": "caption",
    "summary": "summary",
    **{f"h{level}": f"heading {level}" for level in range(1, 7)},
}
LONG_FORMULA = 60
"""Longer formulas are `{math1}` to translators, with the formula in a note."""

MOST_BRACKETS, MOST_SIGNS = 500, 5_000
"""
Python-Markdown looks for the end of each bracket in all that follows, which takes a quarter of a
second for 500 of them that are never closed, and four times as long for twice as many.
"""

PLACEHOLDER = re.compile(r"\{math(\d+)\}")
NAME_REFERENCE = re.compile(
    r"(?P<code>(`{2,})(?!`).*?(?<!`)\2(?!`))|\[`(?P<name>[^`\]]+)`\]\[\]", re.DOTALL
)
"""A reference to a name, or a code span that may show one."""

SHAPE = re.compile(r"(?:\bshapes?\b\W{1,3}|\w)(?P<all>\[\w+\]\[(?P<last>\w+)\])", re.IGNORECASE)
"""Two words in brackets that are most likely not meant as a link."""

BACKSLASH_BREAK = re.compile(r"(?<!\\)\\\n")
HARD_BREAK = re.compile(r"(?: {2,}|\\)\n")
REMARK = re.compile(r"\s*<!--\s*i18n-(?P<kind>context|note):(?P<text>.*?)-->", re.DOTALL)
NOT_WORDS = re.compile(r"`+[^`]*`+|https?://\S+|\]\([^)]*\)|<[^>]*>|\{math\d+\}")

FIRST_WORD = re.compile(r"[^\W\d_]+(?:[ ,.]|$)")
"""A word at the beginning of a text, before anything else could make it part of a formula."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A link to a page of this site, to be checked when the anchors of all pages are known."""

    target: Target
    line: int


@dataclass(slots=True)
class Context:
    """
    What the steps inside Python-Markdown need to know, and what they gather, for one section.

    An example on a page shares what the page gathers; it `is_example`, and has no messages.
    """

    section: Section
    path: str
    address: str
    language: Language
    source_language: Language
    catalog: Catalog | None
    lookups: Lookups
    anchors: Counter[str]
    found: list[Found]
    places: list[tuple[str, int]]
    messages: list[Message] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    untranslated: int = 0
    searched: int = 0
    is_example: bool = False
    texts: list[str] = field(init=False)

    def __post_init__(self) -> None:
        # The lines of the prose, in which the place of every block is looked for.
        self.texts = self.section.text.split("\n")

    def inside(self, section: Section) -> "Context":
        """The context of an example on the page."""
        return replace(
            self,
            section=section,
            catalog=None,
            messages=[],
            headings=[],
            searched=0,
            is_example=True,
        )

    def line_of(self, fragment: str) -> int:
        """
        The line of the file where a piece of the prose stands.

        Markdown forgets lines, so we look for the first words, going on from the last place found.
        """
        words = fragment.split("\n")[0].strip()[:40]
        order = chain(range(self.searched, len(self.texts)), range(self.searched))
        place = next((index for index in order if words and words in self.texts[index]), -1)
        if place < 0:
            return self.section.text_lines[0] if self.section.text_lines else 1
        self.searched = place
        return self.section.text_lines[place]

    def problem(self, line: int, message: str, code: str, level: str = "error") -> None:
        """Note a problem of the source. The other languages would only repeat it."""
        if self.language == self.source_language:
            self.problems.append(
                Problem(
                    self.path, line, 1, message, "warning" if level == "warning" else "error", code
                )
            )


class Code(Treeprocessor):
    """Formulas that were found in indented code are none: put the text back before highlighting."""

    context: Context

    def run(self, root: ElementTree.Element) -> None:
        """Visit the code blocks that Python-Markdown found by their indentation."""
        for element in root.iter("code"):
            text = restore(element.text or "", self.context.found)
            element.text = markdown.util.AtomicString(text)


class Blocks(Treeprocessor):
    """Step 3: extract and translate each leaf block, before its inline markup is read."""

    context: Context
    only_messages = False
    numbered = False
    number = 0

    def run(self, root: ElementTree.Element) -> None:
        """Visit the blocks in the order of the page."""
        for element in root.iter():
            if element.tag in LEAVES and element.text and element.text.strip():
                self.visit(element, element.text)
        if self.only_messages:
            # Nobody will look at the page, so its inline markup need not be read.
            root[:] = []

    def visit(self, element: ElementTree.Element, raw: str) -> None:
        """Look one block up, and put its translation in its place."""
        context = self.context
        line = context.line_of(restore(raw, context.found))
        if is_too_dense(raw):
            fault = (
                f"this block holds more than {MOST_BRACKETS} opening brackets or {MOST_SIGNS} signs"
                " of Markdown, so it is shown as written; split it, or write it between fences"
            )
            context.problem(line, fault, "markdown")
            element.text = AtomicString(restore(raw, context.found))
            return
        # A backslash breaks a line as two spaces do; Python-Markdown knows only these.
        raw = BACKSLASH_BREAK.sub("  \n", raw)
        raw, purpose, note = take_remarks(join_wide(raw))
        text, marks = self.message_text(raw)
        if element.tag[0] == "h" and element.tag[1:].isdigit():
            element.set("id", self.anchor(text))
        element.text = self.link_names(raw, line)
        self.look_for_shapes(raw, line)
        if context.is_example or STX in raw or not has_words(text):
            return
        long_formulas = tuple(context.found[int(mark)].source for mark in marks)
        role = LEAVES[element.tag]
        anchor = context.section.anchor
        message = Message(text, role, anchor, line, long_formulas, purpose, note)
        context.messages.append(message)
        if self.numbered:
            element.set("data-message", str(self.number))
        self.number += 1
        if context.language == context.source_language:
            return
        entry = context.catalog.find(message.key) if context.catalog else None
        if entry is None or is_too_dense(entry.text):
            context.untranslated += 1
            element.set("lang", context.source_language.tag)
            element.set("dir", context.source_language.direction)
            element.set("class", "untranslated")
            return
        if entry.state != "translated":
            element.set("class", entry.state)
        element.text = self.take_in(join_wide(entry.text), entry.line, marks)

    def look_for_shapes(self, raw: str, line: int) -> None:
        """Say so where Markdown takes the shape of a tensor, `[seq][batch]`, for a link."""
        for shape in SHAPE.finditer(raw):
            if shape["last"].lower() in self.md.references:
                message = f"{shape['all']} is read as a link; write a shape in backquotes"
                self.context.problem(line, message, "link", "warning")

    def message_text(self, raw: str) -> tuple[str, list[str]]:
        """
        The key of a block: its lines joined, its formulas written out.

        Long and displayed formulas become placeholders; the second value are their marks.
        """
        marks: list[str] = []

        def write_out(mark: re.Match[str]) -> str:
            found = self.context.found[int(mark[1])]
            if not found.formula.display and len(found.source) <= LONG_FORMULA:
                return " ".join(found.source.split())
            marks.append(mark[1])
            return f"{{math{len(marks)}}}"

        text = MARK.sub(write_out, HARD_BREAK.sub("<br> ", raw)).replace(LESS, "<")
        return " ".join(text.split()), marks

    def take_in(self, text: str, line: int, marks: Sequence[str]) -> str:
        """Make a translation ready for the inline pass: its formulas become marks, too."""
        context = self.context
        scanned = scan(text, len(context.found))
        path = context.catalog.path if context.catalog else context.path
        context.found.extend(scanned.found)
        context.places.extend((path, line) for _ in scanned.found)
        for fault in scanned.faults:
            context.problems.append(Problem(path, line, 1, fault.message, code="math"))

        def mark_of(placeholder: re.Match[str]) -> str:
            number = int(placeholder[1])
            return (
                f"{OPEN}{marks[number - 1]}{CLOSE}" if 0 < number <= len(marks) else placeholder[0]
            )

        return self.link_names(PLACEHOLDER.sub(mark_of, scanned.text), line)

    def link_names(self, text: str, line: int) -> str:
        """Write each reference to a name as a link that the inline pass understands."""

        def link(reference: re.Match[str]) -> str:
            if reference["code"]:
                return reference[0]
            name = reference["name"].removesuffix("()")
            target = self.context.lookups.resolve_name(name, self.context.address)
            if isinstance(target, Unresolved):
                message = f"the reference {reference[0]} leads nowhere: {target.reason}"
                self.context.problem(line, message, "link")
                return reference[0]
            return f"[`{reference['name']}`](name:{name})"

        return NAME_REFERENCE.sub(link, text)

    def anchor(self, text: str) -> str:
        """An anchor from a heading's English words, the same in all languages."""
        plain = re.sub(r"\]\([^)]*\)", "", PLACEHOLDER.sub("", strip_math(text)))
        words = slug(plain) or f"{self.context.section.anchor}-heading"
        return unique(words, self.context.anchors)


def is_too_dense(raw: str) -> bool:
    """Tell a block that nobody wrote for readers, and that would take minutes to read."""
    if len(raw) <= MOST_BRACKETS:
        return False
    return raw.count("[") > MOST_BRACKETS or sum(map(raw.count, "`*_<&\\")) > MOST_SIGNS


def strip_math(text: str) -> str:
    """A message without its formulas."""
    return MARK.sub("", scan(text).text)


def has_words(text: str) -> bool:
    """Tell whether a block holds anything to translate: a letter outside formulas and code."""
    return bool(FIRST_WORD.match(text)) or any(
        sign.isalpha() for sign in NOT_WORDS.sub("", strip_math(text))
    )


def take_remarks(raw: str) -> tuple[str, str, str]:
    """
    A block without the author's remarks to translators, its context, and the note.

    `<!-- i18n-context: a part of attention -->` tells equal texts apart, `<!-- i18n-note: … -->` is
    a word to the translators. Both stand in the block, and no reader sees them.
    """
    if "<!--" not in raw:
        return raw, "", ""
    found = {match["kind"]: " ".join(match["text"].split()) for match in REMARK.finditer(raw)}
    return REMARK.sub("", raw), found.get("context", ""), found.get("note", "")
