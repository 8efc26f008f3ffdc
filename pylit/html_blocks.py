"""
---
title: HTML back to Markdown
summary: Rendered paragraphs, headings and items as the Markdown that they were made from.
---
# HTML back to Markdown

The labml site keeps its translations as pairs of rendered HTML. To compare and to take them over,
[`read_blocks`][] makes Markdown of such HTML again, block by block. Formulas and code are numbered
placeholders there, `<span translate=no>_^_0_^_</span>`; here they become `{math1}`.

What is wrong with the HTML itself is noted on the way: tags that do not close, and text that
stands outside of every block.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

# One string each, since lists of names are harder to read.
LEAVES = frozenset(
    """
    p h1 h2 h3 h4 h5 h6 li td th dt dd figcaption caption summary blockquote div
    """.split()  # noqa: SIM905 (see above)
)
CONTAINERS = frozenset(
    """
    ul ol dl table thead tbody tfoot tr figure details section
    """.split()  # noqa: SIM905 (see above)
)
VOID = frozenset({"br", "hr", "img", "wbr", "input", "col"})
EMPHASIS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
PLACEHOLDER = re.compile(r"_\^_(\d+)_\^_")
TO_ESCAPE = re.compile(r"[*`$]")


@dataclass(frozen=True, slots=True)
class HtmlFault:
    """Something wrong with HTML: `tags`, `outside`, `nested-link` or `placeholder`."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class HtmlBlocks:
    """The blocks of a piece of HTML: what each is, and its Markdown."""

    blocks: tuple[tuple[str, str], ...]
    faults: tuple[HtmlFault, ...]


@dataclass(slots=True)
class Open:
    """A block whose end has not come yet."""

    tag: str
    parts: list[str] = field(default_factory=list)


def read_blocks(html: str) -> HtmlBlocks:
    """Take HTML apart. A text without any block is one block of its own."""
    reader = BlockReader()
    reader.feed(html)
    reader.close()
    return reader.end(html)


class BlockReader(HTMLParser):
    """The state of one reading: the tags that are open, and the blocks so far."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.blocks: list[Open] = []
        self.open: list[Open] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.faults: list[HtmlFault] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a block, or write what an inline tag is in Markdown."""
        values = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.stack.append(tag)
        if tag in LEAVES:
            block = Open(tag)
            self.blocks.append(block)
            self.open.append(block)
        elif tag == "a":
            if any(href for href in self.links) and values.get("href"):
                self.faults.append(HtmlFault("nested-link", values["href"]))
            self.links.append(values.get("href", ""))
            self.write("[" if values.get("href") else "")
        elif tag in EMPHASIS:
            self.write(EMPHASIS[tag])
        elif tag == "code":
            self.write("`")
        elif tag == "img":
            self.write(f"![{values.get('alt', '')}]({values.get('src', '')})")
        elif tag not in CONTAINERS and tag != "span":
            self.write(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        """Close a tag; one that was not the last to be opened is a fault."""
        if tag in VOID:
            return
        if not self.stack or self.stack[-1] != tag:
            self.faults.append(HtmlFault("tags", f"</{tag}>"))
            if tag not in self.stack:
                return
            # Close it all the same, so that one fault is not reported at each tag that follows.
            place = len(self.stack) - 1 - self.stack[::-1].index(tag)
            del self.stack[place]
        else:
            self.stack.pop()
        if tag in LEAVES:
            place = next(
                (n for n in reversed(range(len(self.open))) if self.open[n].tag == tag), -1
            )
            if place >= 0:
                del self.open[place]
        elif tag == "a":
            href = self.links.pop() if self.links else ""
            self.write(f"]({href})" if href else "")
        elif tag in EMPHASIS:
            self.write(EMPHASIS[tag])
        elif tag == "code":
            self.write("`")
        elif tag not in CONTAINERS and tag != "span":
            self.write(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Text, with the placeholders in it."""
        escaped = data if "code" in self.stack else TO_ESCAPE.sub(r"\\\g<0>", data)
        text = PLACEHOLDER.sub(lambda match: f"{{math{int(match[1]) + 1}}}", escaped)
        if "_^_" in text or "^_" in text:
            self.faults.append(HtmlFault("placeholder", text.strip()))
        self.write(text)

    def write(self, text: str) -> None:
        """Add to the innermost block that is open."""
        if self.open:
            self.open[-1].parts.append(text)
        else:
            self.outside.append(text)

    def end(self, html: str) -> HtmlBlocks:
        """What was read, when there is no more."""
        if left := [tag for tag in self.stack if tag != "p"]:
            self.faults.append(HtmlFault("tags", f"<{left[-1]}>"))
        outside = " ".join("".join(self.outside).split())
        made = [(block.tag, clean("".join(block.parts))) for block in self.blocks]
        if not self.blocks:
            made = [("", clean("".join(self.outside)))]
        elif outside:
            self.faults.append(HtmlFault("outside", outside))
        return HtmlBlocks(
            tuple((tag, text) for tag, text in made if any(map(str.isalpha, text))),
            tuple(self.faults),
        )


def clean(text: str) -> str:
    """One line, without emphasis that holds nothing."""
    return " ".join(text.replace("****", "").split())
