r"""
---
title: From Markdown to HTML
summary: Prose becomes HTML block by block, each translated before its markup is read.
---
# From Markdown to HTML

1. [Formulas](math/find.html) are taken out and leave marks.
2. Python-Markdown reads the blocks: paragraphs, headings, lists, tables.
3. Each [leaf block](blocks.html) is looked up in the catalogue, as raw inline Markdown, and
   replaced by its translation. The same step gathers the blocks that can be translated, so what is
   extracted and what is shown can never differ.
4. Python-Markdown reads the inline markup of what stands there now.
5. [Links are resolved](finishing.html), headings get their anchors, marks inside code get their
   text back.
6. The HTML is [cleaned](sanitize.html).
7. Later, when all formulas of the site have been typeset, they are [put in](insertion.html).
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from html import unescape
from xml.etree import ElementTree

import markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markupsafe import escape

from pylit.blocks import Blocks, Code, Context, Reference
from pylit.catalog import Catalog
from pylit.directives_prose import Marked, example_fence, mark
from pylit.errors import ParseError
from pylit.examples import example_html, read_example
from pylit.finishing import Finishing
from pylit.lookups import Lookups
from pylit.math.find import LESS, MARK, Found, restore, scan
from pylit.model import Heading, Language, Message, Problem, Section
from pylit.plain import is_plain
from pylit.sanitize import sanitize


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


EXAMPLES = 10_000
"""Footnotes of examples begin with this number, which those of a page never reach."""


class Steps(Extension):
    """Put our steps among those of Python-Markdown."""

    def __init__(self, code: Code, blocks: Blocks, finishing: Finishing) -> None:
        super().__init__()
        self.code, self.blocks, self.finishing = code, blocks, finishing

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 (the name is theirs)
        """Code goes before highlighting (30), blocks and finishing around the inline pass (20)."""
        md.ESCAPED_CHARS.append("$")
        md.parser.blockprocessors.register(Marked(md.parser), "pylit-directives", 200)
        # Before emphasis (60), and after code and escaped signs (190, 180).
        md.inlinePatterns.register(Stars(STARS, md), "pylit-stars", 65)
        self.blocks.md = self.finishing.md = md
        md.treeprocessors.register(self.code, "pylit-code", 31)
        md.treeprocessors.register(self.blocks, "pylit-blocks", 21)
        md.treeprocessors.register(self.finishing, "pylit-finishing", 15)


class Stars(InlineProcessor):
    """
    Leaves the stars of `2*n*m` and `x**2` alone, which Markdown would take for emphasis.

    Only between Latin letters and digits: in Chinese or Japanese, emphasis has no space around it.
    """

    # The library's own classes change what they inherit in the same way.
    def handleMatch(  # type: ignore[override]  # noqa: N802 (the name is theirs)
        self, m: re.Match[str], data: str
    ) -> tuple[str | None, int | None, int | None]:
        """Keep the stars, unless they end what began before them, as in `**LSTM**s`."""
        before = data[max(0, m.start() - WITHIN) : m.start()]
        stars = re.escape(m[0])
        opened = len(re.findall(rf"(?<![\w*]){stars}(?=[^\s*])", before))
        closed = len(re.findall(rf"(?<=[^\s*]){stars}(?![\w*])", before))
        return (None, None, None) if opened > closed else (m[0], m.start(), m.end())


STARS = r"(?<=[A-Za-z0-9_)\]])\*{1,2}(?=[A-Za-z0-9_(-])"
# One inside an example comes by twice, the second time with its box.
TABLE = re.compile(
    r'<div class="table"[^<>]*>\s*(<table\b.*?</table>)\s*</div>|<table\b.*?</table>', re.DOTALL
)
HEAD = re.compile(r"<th\b[^<>]*>(.*?)</th>", re.DOTALL)
# A name that no narrow column has room for; it alone may be broken.
LONG_CODE = re.compile(r"<code>(?=[^<\s]{24})")
# Options, which a line would break behind their hyphens; see `whole`.
CODE = re.compile(r"(?<!<pre>)(?<!<span></span>)<code>([^<]*)</code>")
OPTION = re.compile(r"(?<!\S)-[^\s&]{1,23}(?!\S)")
# A heading is short and large; a line of it that ends in a hyphen reads like two headings.
HEADLINE = re.compile(r"(?<=<h[1-6])([^<>]*>)(.*?)(?=</h[1-6]>)", re.DOTALL)
HYPHENED = re.compile(r"<[^>]*>|(?<![\w-])(?=[\w-]{3,12}(?![\w-]))[A-Za-z]+(?:-[A-Za-z]+)+")
# Keys, options or names at the head of a row, as long as they are few and short.
SHORT = 14
FIRST = re.compile(
    r"(<tr>\s*<td)(?: class=\"([^\"]*)\")?>((?:<code>[^<]*</code>|[\s,;/、，])+)</td>"
)
# What the name of a table leaves out: tags, and the marks of formulas.
UNSAID = re.compile(f"<[^<>]*>|{MARK.pattern}")
TASK = re.compile(r'<input type="checkbox" disabled=""( checked="")?>')
WITHIN = 300
"""How far back emphasis may have begun, in letters."""


class Renderer:
    """
    Python-Markdown with our steps, made once and used for every section of the site.

    With `only_messages` it gathers what can be translated, in half the time, and renders nothing.
    With `numbered`, each block says which message of its page it is.
    """

    def __init__(self, *, only_messages: bool = False, numbered: bool = False) -> None:
        self.code, self.blocks, self.finishing = Code(), Blocks(), Finishing()
        self.only_messages, self.numbered = only_messages, numbered
        self.inner: Renderer | None = None
        self.blocks.only_messages, self.blocks.numbered = only_messages, numbered
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
                "pymdownx.superfences": {"custom_fences": self.example_fences()},
            },
        )

    def start_page(self, front: int) -> None:
        """Number footnotes and messages within the page; `front` messages come before its prose."""
        self.blocks.number = front
        self.number_footnotes(0)
        if self.inner:
            self.inner.number_footnotes(EXAMPLES)

    def number_footnotes(self, first: int) -> None:
        """Let the addresses of footnotes begin with a number."""
        for extension in self.markdown.registeredExtensions:
            if hasattr(extension, "unique_prefix"):
                extension.unique_prefix = first

    def render(
        self,
        section: Section,
        path: str,
        address: str,
        language: Language,
        source_language: Language,
        catalog: Catalog | None,
        lookups: Lookups,
        anchors: Counter[str],
    ) -> Draft:
        """Render the prose of one section, but for its formulas."""
        context = Context(
            section, path, address, language, source_language, catalog, lookups, anchors, [], []
        )
        html = self.html(context)
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

    def html(self, context: Context) -> str:
        """The HTML of a section, with marks in the places of its formulas."""
        section = context.section
        scanned = scan(mark(section.text, section.text_lines), len(context.found))
        context.found.extend(scanned.found)
        places = ((context.path, section.text_lines[found.line]) for found in scanned.found)
        context.places.extend(places)
        for fault in scanned.faults:
            context.problem(section.text_lines[fault.line], fault.message, "math", fault.level)
        self.code.context = self.blocks.context = self.finishing.context = context
        self.markdown.reset()
        self.finishing.finished = frozenset()
        html = self.convert(scanned.text, context)
        html = sanitize(html, numbered=self.blocks.numbered).replace(LESS, "&lt;")
        # A box that nobody can tick is a sign, which also a screen reader can say.
        html = TASK.sub(
            lambda box: "\N{BALLOT BOX WITH CHECK}" if box[1] else "\N{BALLOT BOX}", html
        )
        # What scrolls sideways has to take the focus, or a keyboard could not reach its end.
        html = HEADLINE.sub(headline, CODE.sub(whole, TABLE.sub(scrolling, html)))
        return html.replace("<pre>", '<pre tabindex="0">')

    def example_fences(self) -> list[dict[str, object]]:
        """The fences that [directives](directives_prose.html) make of examples."""

        def accept(*values: dict[str, str] | str) -> bool:
            inputs, options = values[1:3]
            if isinstance(inputs, dict) and isinstance(options, dict):
                options.update(inputs)
            return True

        return [
            {
                "name": example_fence(kind),
                "class": "example",
                "validator": accept,
                "format": partial(self.example, kind=kind),
            }
            for kind in ("python", "markdown")
        ]

    def example(self, source: str, *others: object, kind: str, **options: object) -> str:
        """An example as it is written and as it comes out."""
        outer = self.blocks.context
        if self.only_messages:
            return ""
        line = next(int(each["line"]) for each in others if isinstance(each, dict))
        try:
            module = read_example(source, kind, outer.path, outer.address, line)
        except ParseError as error:
            outer.problem(error.problem.line, error.problem.message, error.problem.code)
            return example_html(self.markdown, source, kind, None, (), outer.source_language)
        for problem in module.problems:
            outer.problem(problem.line, problem.message, problem.code, problem.level)
        if self.inner is None:
            self.inner = Renderer()
            self.inner.number_footnotes(EXAMPLES)
        prose = [self.inner.html(outer.inside(section)) for section in module.sections]
        self.finishing.finished |= frozenset(prose)
        return example_html(self.markdown, source, kind, module, prose, outer.source_language)

    def convert(self, text: str, context: Context) -> str:
        """Markdown to HTML. What Python-Markdown cannot digest is shown as it was written."""
        try:
            return self.paragraph(text) if is_plain(text) else self.markdown.convert(text)
        # Hostile or very deep nesting makes the library fail in ways that it does not document.
        except Exception as error:
            line = context.section.text_lines[0] if context.section.text_lines else 1
            message = f"this prose cannot be read as Markdown ({type(error).__name__}); simplify it"
            context.problem(line, message, "markdown")
            return str(escape(restore(text, context.found)))

    def paragraph(self, text: str) -> str:
        """Plain text as `convert` shows it, without looking for what cannot be there."""
        root = ElementTree.Element("div")
        paragraph = ElementTree.SubElement(root, "p")
        paragraph.text = text
        inline = self.markdown.treeprocessors["inline"]
        for processor in self.markdown.treeprocessors:
            # A translation may hold markup where the original has none.
            if processor is not inline or not is_plain(paragraph.text or ""):
                processor.run(root)
        html = self.markdown.serializer(root).strip()
        html = html.removeprefix("<div>").removesuffix("</div>").strip()
        for last in self.markdown.postprocessors:
            html = last.run(html)
        return html.strip()


def scrolling(found: re.Match[str]) -> str:
    """A table in a box that scrolls, takes the focus, and is called by the heads of its columns."""
    table = LONG_CODE.sub('<code class="long">', FIRST.sub(unbroken, found[1] or found[0]))
    heads = (" ".join(UNSAID.sub("", head[1]).split()) for head in HEAD.finditer(table))
    name = ", ".join(head for head in heads if head).replace('"', "&quot;")
    label = f' aria-label="{name}"' if name else ""
    return f'<div class="table" role="group" tabindex="0"{label}>{table}</div>'


def unbroken(found: re.Match[str]) -> str:
    """A row whose first cell stays on one line if it is short, as the others have more to say."""
    if len(unescape(UNSAID.sub("", found[3]))) > SHORT:
        return found[0]
    classes = " ".join([*(found[2] or "").split(), "whole"])
    return f'{found[1]} class="{classes}">{found[3]}</td>'


def whole(found: re.Match[str]) -> str:
    """Code in the text whose options no line breaks apart."""
    if OPTION.fullmatch(found[1]):
        return f'<code class="whole">{found[1]}</code>'
    code = OPTION.sub(lambda option: f'<span class="whole">{option[0]}</span>', found[1])
    return f"<code>{code}</code>"


def headline(found: re.Match[str]) -> str:
    """A heading whose short words with hyphens no line breaks apart."""
    return found[1] + HYPHENED.sub(
        lambda word: word[0] if word[0][0] == "<" else f'<span class="whole">{word[0]}</span>',
        found[2],
    )
