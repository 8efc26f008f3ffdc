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

from collections import Counter
from dataclasses import dataclass
from xml.etree import ElementTree

import markdown
from markdown.extensions import Extension
from markupsafe import escape

from pylit.blocks import Blocks, Code, Context, Reference
from pylit.catalog import Catalog
from pylit.finishing import Finishing
from pylit.links import Index
from pylit.math.find import LESS, Found, restore, scan
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
    With `numbered`, each block says which message of its page it is.
    """

    def __init__(self, *, only_messages: bool = False, numbered: bool = False) -> None:
        self.code, self.blocks, self.finishing = Code(), Blocks(), Finishing()
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
            },
        )

    def start_page(self, front: int) -> None:
        """Number footnotes and messages within the page; `front` messages come before its prose."""
        self.blocks.number = front
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
        html = self.convert(scanned.text, context)
        html = sanitize(html, numbered=self.blocks.numbered).replace(LESS, "&lt;")
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
