"""
---
title: Finishing the tree
summary: Links are resolved, code gets its text back, displayed formulas leave their paragraphs.
---
# Finishing the tree

When the inline markup of a section has been read, its tree of elements is nearly the page. What is
left to do needs to know the site: where links lead, where pictures are, which headings there are.
"""

import re
from html import unescape
from urllib.parse import urlsplit
from xml.etree import ElementTree

import markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX
from markupsafe import escape

from pylit.blocks import Context, Reference
from pylit.links import Target, Unresolved, is_external, relative
from pylit.math.find import MARK, restore
from pylit.model import Heading, Picture

ESCAPED = re.compile(f"{STX}(\\d+){ETX}")

HTML_TAG = re.compile(
    r"""<!--.*?-->|<(?P<tag>a|img)\b(?P<rest>(?:[^<>"']|"[^"]*"|'[^']*')*)>""",
    re.DOTALL | re.IGNORECASE,
)
HTML_ATTRIBUTE = re.compile(
    r"""\s(?P<name>src|href|width|height)\s*=\s*"""
    r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+))""",
    re.IGNORECASE,
)

OWN = ("term", "name")
"""Schemes that only our own steps write."""

FORBIDDEN = ("javascript", "vbscript", "data")
"""Schemes that no link of a page may have."""


class Finishing(Treeprocessor):
    """
    Step 5: when the inline markup has been read.

    `finished` is HTML of the section that has been through this already, as it is an example's.
    """

    context: Context
    finished: frozenset[str] = frozenset()

    def run(self, root: ElementTree.Element) -> None:
        """Resolve links, restore code, and open paragraphs around displayed formulas."""
        for element in root.iter():
            if element.tag in ("code", "pre"):
                element.text = markdown.util.AtomicString(self.original(element.text or ""))
            elif element.tag == "a" and "href" in element.attrib:
                if scheme_of(element.get("href", "")) in FORBIDDEN:
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
                # What stands behind a backslash is still a number between two signs.
                title = ESCAPED.sub(lambda sign: chr(int(sign[1])), "".join(element.itertext()))
                self.context.headings.append(
                    Heading(int(element.tag[1]), element.get("id", ""), title)
                )
        self.split_paragraphs(root)
        self.finish_html()

    def finish_html(self) -> None:
        """Resolve the links and pictures of HTML in the prose, which Markdown has put by."""
        stash = self.md.htmlStash.rawHtmlBlocks
        for number, block in enumerate(stash):
            if isinstance(block, str) and block not in self.finished:
                stash[number] = HTML_TAG.sub(self.html_tag, block)

    def html_tag(self, found: re.Match[str]) -> str:
        """A link or a picture as HTML, with its final address; a comment stays as it is."""
        if not found["tag"]:
            return found[0]
        element = ElementTree.Element(found["tag"].lower())
        for attribute in HTML_ATTRIBUTE.finditer(found["rest"]):
            value = attribute["double"] or attribute["single"] or attribute["bare"] or ""
            element.set(attribute["name"].lower(), unescape(value))
        href = element.get("href", "")
        if element.tag == "img" and element.get("src"):
            self.image(element)
        elif href and scheme_of(href) not in (*FORBIDDEN, *OWN):
            self.link(element)
        else:
            return found[0]
        rest = HTML_ATTRIBUTE.sub("", found["rest"]).rstrip("/ \n")
        values = (f' {name}="{escape(value)}"' for name, value in element.attrib.items())
        return f"<{element.tag}{rest}{''.join(values)}>"

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
            name = href.removeprefix("name:")
            target = context.lookups.resolve_name(name, context.address)
        elif is_external(href) or href.startswith(STX):
            return
        else:
            target = context.lookups.resolve(href, context.address, context.path)
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
        target = context.lookups.resolve(source, context.address, context.path)
        if isinstance(target, Unresolved):
            message = f"the picture {source} is not there: {target.reason}"
            context.problem(context.line_of(source), message, "image")
            return
        picture = context.lookups.picture(target.address)
        if picture:
            target = Target(picture.address)
        context.references.append(Reference(target, context.line_of(source)))
        element.set("src", self.href(target))
        if picture and picture.width:
            set_size(element, picture)

    def href(self, target: Target) -> str:
        """
        The link to a target, relative to the page.

        A page is linked to within its language. Files are copied once, outside of all languages.
        """
        context = self.context
        shared = not context.lookups.is_page(target.address)
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


def set_size(element: ElementTree.Element, picture: Picture) -> None:
    """Say how large a picture is, as one whose size is known moves nothing when it arrives."""
    width, height = element.get("width"), element.get("height")
    if width is None and height is None:
        width, height = str(picture.width), str(picture.height)
    elif height is None and width and width.isdecimal():
        height = str(round(int(width) * picture.height / picture.width))
    elif width is None and height and height.isdecimal():
        width = str(round(int(height) * picture.width / picture.height))
    for name, value in (("width", width), ("height", height)):
        if value is not None:
            element.set(name, value)


def scheme_of(href: str) -> str:
    """The scheme of a link; an address that cannot be read has none."""
    try:
        return urlsplit(href).scheme
    except ValueError:
        return ""


def append_text(element: ElementTree.Element, text: str) -> None:
    """Add text at the end of an element, behind its last child if it has one."""
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
