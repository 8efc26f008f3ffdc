r"""
---
title: From Markdown to HTML
summary: Prose becomes HTML block by block, each translated before its markup is read.
---
# From Markdown to HTML

1. [Formulas](math/find.html) are taken out and leave marks.
2. Python-Markdown reads the blocks: paragraphs, headings, lists, tables.
3. Each *leaf block* is looked up in the catalogue, as raw inline Markdown, and replaced by its
   translation. The same step gathers the blocks that can be translated, so what is extracted and
   what is shown can never differ.
4. Python-Markdown reads the inline markup of what stands there now.
5. Links are resolved, headings get their anchors, marks inside code get their text back.
6. The HTML is [cleaned](sanitize.html).
7. Later, when all formulas of the site have been typeset, [`finish`][] puts them in.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from xml.etree import ElementTree

import markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import STX
from markupsafe import Markup, escape

from pylit.catalog import Catalog
from pylit.links import Index, Target, Unresolved, is_external, relative, resolve, resolve_name
from pylit.math.find import CLOSE, LESS, MARK, OPEN, Found, restore, scan
from pylit.math.typeset import Formula, FormulaError, Typeset
from pylit.model import Fragment, Heading, Language, Message, Problem, Section
from pylit.sanitize import sanitize
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

FORBIDDEN = ("javascript", "vbscript", "data")
"""Schemes that no link of a page may have."""

PLACEHOLDER = re.compile(r"\{math(\d+)\}")
NAME_REFERENCE = re.compile(
    r"(?P<code>(`{2,})(?!`).*?(?<!`)\2(?!`))|\[`(?P<name>[^`\]]+)`\]\[\]", re.DOTALL
)
"""A reference to a name, or a code span that may show one."""

SHAPE = re.compile(r"(?:\bshapes?\b\W{1,3}|\w)(?P<all>\[\w+\]\[(?P<last>\w+)\])", re.IGNORECASE)
"""Two words in brackets that are most likely not meant as a link."""

HARD_BREAK = re.compile(r"(?: {2,}|\\)\n")
REMARK = re.compile(r"\s*<!--\s*i18n-(?P<kind>context|note):(?P<text>.*?)-->", re.DOTALL)
NOT_WORDS = re.compile(r"`+[^`]*`+|https?://\S+|\]\([^)]*\)|<[^>]*>|\{math\d+\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A link to a page of this site, to be checked when the anchors of all pages are known."""

    target: Target
    line: int


@dataclass(frozen=True, slots=True)
class Draft:
    """
    The prose of one section with marks in the places of its formulas.

    `found` are the formulas that the marks number, and `places` the file and line of each: those
    of a translation are in its catalogue.
    """

    html: str
    found: tuple[Found, ...]
    places: tuple[tuple[str, int], ...]
    headings: tuple[Heading, ...]
    messages: tuple[Message, ...]
    untranslated: int
    references: tuple[Reference, ...]
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class Context:
    """What the steps inside Python-Markdown need to know, and what they gather, for one section."""

    section: Section
    path: str
    address: str
    language: Language
    source_language: Language
    catalog: Catalog | None
    index: Index
    anchors: Counter[str]
    found: list[Found]
    places: list[tuple[str, int]]
    messages: list[Message] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    untranslated: int = 0
    searched: int = 0

    def line_of(self, fragment: str) -> int:
        """
        The line of the file where a piece of the prose stands.

        Markdown forgets lines, so we look for the first words, going on from the last place found.
        """
        words = fragment.split("\n")[0].strip()[:40]
        texts = self.section.text.split("\n")
        order = [*range(self.searched, len(texts)), *range(self.searched)]
        place = next((index for index in order if words and words in texts[index]), -1)
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
        raw, purpose, note = take_remarks(join_wide(raw))
        text, marks = self.message_text(raw)
        if element.tag[0] == "h" and element.tag[1:].isdigit():
            element.set("id", self.anchor(text))
        element.text = self.link_names(raw, line)
        self.look_for_shapes(raw, line)
        if STX in raw or not has_words(text):
            return
        long_formulas = tuple(context.found[int(mark)].source for mark in marks)
        role = LEAVES[element.tag]
        anchor = context.section.anchor
        message = Message(text, role, anchor, line, long_formulas, purpose, note)
        context.messages.append(message)
        if context.language == context.source_language:
            return
        entry = context.catalog.find(message.key) if context.catalog else None
        if entry is None:
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
            target = resolve_name(name, self.context.address, self.context.index)
            if isinstance(target, Unresolved):
                message = f"the reference {reference[0]} leads nowhere: {target.reason}"
                self.context.problem(line, message, "link")
                return reference[0]
            return f"[`{reference['name']}`](name:{name})"

        return NAME_REFERENCE.sub(link, text)

    def anchor(self, text: str) -> str:
        """An anchor from a heading's English words, the same in all languages."""
        plain = re.sub(r"\]\([^)]*\)", "", PLACEHOLDER.sub("", strip_math(text)))
        # A vowel sign or a joiner belongs to its word, although it is no letter.
        signs = (sign if is_part_of_word(sign) else " " for sign in plain.lower())
        words = "".join(signs).split()
        return unique(
            "-".join(words) or f"{self.context.section.anchor}-heading", self.context.anchors
        )


class Finishing(Treeprocessor):
    """Step 5: when the inline markup has been read."""

    context: Context

    def run(self, root: ElementTree.Element) -> None:
        """Resolve links, restore code, and open paragraphs around displayed formulas."""
        for element in root.iter():
            if element.tag in ("code", "pre"):
                element.text = markdown.util.AtomicString(self.original(element.text or ""))
            elif element.tag == "a" and "href" in element.attrib:
                if urlsplit(element.get("href", "")).scheme in FORBIDDEN:
                    # A link that may lead nowhere is no link; its words stay.
                    element.tag = "span"
                    element.attrib.clear()
                else:
                    self.link(element)
            elif element.tag == "img" and "src" in element.attrib:
                self.image(element)
            for key, value in element.attrib.items():
                element.set(key, self.original(value))
            if element.tag in ("td", "th") and "style" in element.attrib:
                # Alignment as a class lets the page forbid style attributes in prose.
                side = element.attrib.pop("style").rpartition(":")[2].strip(" ;")
                element.set("class", f"align-{side}")
        for element in root.iter():
            if re.fullmatch("h[1-6]", element.tag):
                title = "".join(element.itertext())
                self.context.headings.append(
                    Heading(int(element.tag[1]), element.get("id", ""), title)
                )
        self.split_paragraphs(root)

    def original(self, text: str) -> str:
        """Put the original text of formulas back."""
        return restore(text, self.context.found)

    def link(self, element: ElementTree.Element) -> None:
        """Give a link its final address, or say that it leads nowhere."""
        context = self.context
        href = self.original(element.get("href", ""))
        if href.startswith("term:"):
            element.tag = "span"
            element.attrib.clear()
            element.set("class", "term")
            element.set("data-term", href.removeprefix("term:"))
            return
        if href.startswith("name:"):
            target = resolve_name(href.removeprefix("name:"), context.address, context.index)
        elif is_external(href) or href.startswith(STX):
            return
        else:
            target = resolve(href, context.address, context.path, context.index)
        line = context.line_of(href)
        if isinstance(target, Unresolved):
            context.problem(line, f"the link to {href} leads nowhere: {target.reason}", "link")
            return
        context.references.append(Reference(target, line))
        element.set("href", self.href(target))

    def image(self, element: ElementTree.Element) -> None:
        """Give a picture of the site its final address."""
        context = self.context
        source = element.get("src", "")
        if is_external(source):
            return
        target = resolve(source, context.address, context.path, context.index)
        if isinstance(target, Unresolved):
            message = f"the picture {source} is not there: {target.reason}"
            context.problem(context.line_of(source), message, "image")
            return
        context.references.append(Reference(target, context.line_of(source)))
        element.set("src", self.href(target))
        if size := context.index.sizes.get(target.address):
            # A picture whose size is known moves nothing when it arrives.
            element.set("width", str(size[0]))
            element.set("height", str(size[1]))

    def href(self, target: Target) -> str:
        """
        The link to a target, relative to the page.

        A page is linked to within its language. Files are copied once, outside of all languages.
        """
        context = self.context
        shared = target.address not in context.index.pages
        if shared and context.language != context.source_language:
            return relative(target, f"{context.language.code}/{context.address}")
        return relative(target, context.address)

    def split_paragraphs(self, root: ElementTree.Element) -> None:
        """End a paragraph before a displayed formula, and begin another behind it."""
        for parent in list(root.iter()):
            for child in list(parent):
                if child.tag == "p" and self.has_display(child.text, *[c.tail for c in child]):
                    parts = self.split(child)
                    place = list(parent).index(child)
                    parts[-1].tail = child.tail
                    parent[place : place + 1] = parts

    def has_display(self, *texts: str | None) -> bool:
        """Tell whether one of these texts holds the mark of a displayed formula."""
        return any(self.is_display(mark[1]) for text in texts for mark in MARK.finditer(text or ""))

    def is_display(self, number: str) -> bool:
        """Tell whether a mark stands for a displayed formula."""
        return self.context.found[int(number)].formula.display

    def split(self, paragraph: ElementTree.Element) -> list[ElementTree.Element]:
        """Cut a paragraph at its displayed formulas, which become blocks of their own."""
        parts: list[ElementTree.Element] = []
        current = ElementTree.Element("p", paragraph.attrib)

        def add_text(text: str) -> None:
            nonlocal current
            position = 0
            for mark in MARK.finditer(text):
                if not self.is_display(mark[1]):
                    continue
                append_text(current, text[position : mark.start()].rstrip())
                if len(current) or (current.text or "").strip():
                    parts.append(current)
                block = ElementTree.Element("div")
                block.text = mark[0]
                parts.append(block)
                current = ElementTree.Element("p", paragraph.attrib)
                position = mark.end()
            append_text(current, text[position:].lstrip() if position else text)

        add_text(paragraph.text or "")
        for child in paragraph:
            tail, child.tail = child.tail or "", None
            current.append(child)
            add_text(tail)
        if len(current) or (current.text or "").strip():
            parts.append(current)
        return parts


def append_text(element: ElementTree.Element, text: str) -> None:
    """Add text at the end of an element, behind its last child if it has one."""
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def strip_math(text: str) -> str:
    """A message without its formulas."""
    return MARK.sub("", scan(text).text)


def has_words(text: str) -> bool:
    """Tell whether a block holds anything to translate: a letter outside formulas and code."""
    return any(sign.isalpha() for sign in NOT_WORDS.sub("", strip_math(text)))


def is_part_of_word(sign: str) -> bool:
    """Tell whether a character may stand in an anchor."""
    return sign.isalnum() or unicodedata.category(sign)[0] == "M" or sign in "\u200c\u200d"


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


def unique(name: str, used: Counter[str]) -> str:
    """Make an anchor unique on its page."""
    used[name] += 1
    return name if used[name] == 1 else unique(f"{name}-{used[name]}", used)


class Steps(Extension):
    """Put our steps among those of Python-Markdown."""

    def __init__(self, code: Code, blocks: Blocks, finishing: Finishing) -> None:
        super().__init__()
        self.code, self.blocks, self.finishing = code, blocks, finishing

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 (the name is theirs)
        """Code goes before highlighting (30), blocks and finishing around the inline pass (20)."""
        md.ESCAPED_CHARS.append("$")
        self.blocks.md = md
        md.treeprocessors.register(self.code, "pylit-code", 31)
        md.treeprocessors.register(self.blocks, "pylit-blocks", 21)
        md.treeprocessors.register(self.finishing, "pylit-finishing", 15)


class Renderer:
    """
    Python-Markdown with our steps, made once and used for every section of the site.

    With `only_messages` it gathers what can be translated, in half the time, and renders nothing.
    """

    def __init__(self, *, only_messages: bool = False) -> None:
        self.code, self.blocks, self.finishing = Code(), Blocks(), Finishing()
        self.blocks.only_messages = only_messages
        self.markdown = markdown.Markdown(
            output_format="html",
            extensions=[
                "tables",
                "footnotes",
                "def_list",
                "abbr",
                "sane_lists",
                "admonition",
                "pymdownx.superfences",
                "pymdownx.highlight",
                "pymdownx.tasklist",
                "pymdownx.magiclink",
                Steps(self.code, self.blocks, self.finishing),
            ],
            extension_configs={
                "footnotes": {"UNIQUE_IDS": True},
                "pymdownx.highlight": {"use_pygments": True, "css_class": "highlight"},
            },
        )

    def start_page(self) -> None:
        """Footnotes are numbered within a page, not over the whole build."""
        for extension in self.markdown.registeredExtensions:
            if hasattr(extension, "unique_prefix"):
                extension.unique_prefix = 0

    def render(
        self,
        section: Section,
        path: str,
        address: str,
        language: Language,
        source_language: Language,
        catalog: Catalog | None,
        index: Index,
        anchors: Counter[str],
    ) -> Draft:
        """Render the prose of one section, but for its formulas."""
        scanned = scan(section.text)
        places = [(path, section.text_lines[found.line]) for found in scanned.found]
        context = Context(
            section, path, address, language, source_language, catalog, index, anchors,
            list(scanned.found), places,
        )  # fmt: skip
        for fault in scanned.faults:
            context.problem(section.text_lines[fault.line], fault.message, "math", fault.level)
        self.code.context = self.blocks.context = self.finishing.context = context
        self.markdown.reset()
        html = sanitize(self.convert(scanned.text, context)).replace(LESS, "&lt;")
        # What scrolls sideways has to take the focus, or a keyboard could not reach its end.
        html = html.replace("<pre>", '<pre tabindex="0">')
        return Draft(
            html,
            tuple(context.found),
            tuple(context.places),
            tuple(context.headings),
            tuple(context.messages),
            context.untranslated,
            tuple(context.references),
            tuple(context.problems),
        )


    def convert(self, text: str, context: Context) -> str:
        """Markdown to HTML. What Python-Markdown cannot digest is shown as it was written."""
        try:
            return self.markdown.convert(text)
        # Hostile or very deep nesting makes the library fail in ways that it does not document.
        except Exception as error:
            line = context.section.text_lines[0] if context.section.text_lines else 1
            message = f"this prose cannot be read as Markdown ({type(error).__name__}); simplify it"
            context.problem(line, message, "markdown")
            return str(escape(restore(text, context.found)))


@dataclass(frozen=True, slots=True)
class MathTemplates:
    """How the theme wraps a formula: inline, displayed, and one that could not be typeset."""

    inline: Callable[[Markup, str], Markup]
    display: Callable[[Markup, str], Markup]
    error: Callable[[str, str], Markup]


def finish(
    draft: Draft,
    typeset: Mapping[Formula, Typeset | FormulaError],
    templates: MathTemplates,
    term_numbers: Mapping[str, int],
) -> Fragment:
    """
    Put the typeset formulas in, and give each named term of the page its number.

    A formula that could not be typeset is shown as it was written, with the reason.
    """

    def insert(mark: re.Match[str]) -> str:
        found = draft.found[int(mark[1])]
        result = typeset.get(found.formula)
        if result is None or isinstance(result, FormulaError):
            message = result.message if result else "this formula was not typeset"
            return str(templates.error(found.source, message))
        wrap = templates.display if found.formula.display else templates.inline
        return str(wrap(Markup(result.html), found.formula.tex))

    html = BLOCK_MARK.sub(lambda block: insert(MARK.search(block[0]) or block), draft.html)
    html = number_terms(MARK.sub(insert, html), term_numbers)
    headings = tuple(
        Heading(heading.level, heading.anchor, plain_title(heading.title, draft.found, typeset))
        for heading in draft.headings
    )
    return Fragment(Markup(html), headings, draft.messages, draft.untranslated)


BLOCK_MARK = re.compile(f"<div>{OPEN}\\d+{CLOSE}</div>")
TERM = re.compile(r'(?:class="term" )?data-term="([^"]*)"')


def number_terms(html: str, numbers: Mapping[str, int]) -> str:
    """Add the class that gives a named term its colour."""
    return TERM.sub(
        lambda term: f'class="term term-{numbers.get(term[1], 0)}" data-term="{term[1]}"', html
    )


def term_names(html: str) -> list[str]:
    """The names of the terms in a piece of HTML, in their order."""
    return [match[1] for match in TERM.finditer(html)]


def plain_title(
    title: str, found: Sequence[Found], typeset: Mapping[Formula, Typeset | FormulaError]
) -> str:
    """A heading as plain text: its formulas as they are read, without markup."""

    def read(mark: re.Match[str]) -> str:
        formula = found[int(mark[1])]
        result = typeset.get(formula.formula)
        return result.text if isinstance(result, Typeset) else formula.source

    return " ".join(MARK.sub(read, title).replace(LESS, "<").split())
