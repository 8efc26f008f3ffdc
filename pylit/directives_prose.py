r"""
---
title: Directives in prose
summary: What is hidden is left out, the rest becomes signs that the Markdown reader understands.
---
# Directives in prose

Docstrings, comments and Markdown pages are read twice. When a file is
[parsed](parse.html), [`read_prose`][] leaves out what is hidden, and reports and empties every
directive that cannot work: what is left is right. When a page is [rendered](prose.html), [`mark`][]
turns those into signs, and [`Marked`][] and its like make elements of them. Code between fences is
left alone in both, so that a page can show a directive.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.etree import ElementTree

from markdown.blockparser import BlockParser
from markdown.blockprocessors import BlockProcessor

from pylit.directives import (
    IN_MARKDOWN,
    KNOWN,
    Directive,
    blocks,
    find_fault,
    problem,
)
from pylit.model import Problem, Section

SIGN = "\ue003"
"""A character of Unicode's private use area, which no syntax touches."""

FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>.*)$")
LANGUAGE = re.compile(r"\s*\{?\.?(?P<name>python|py|markdown|md)\b")
PICTURE = re.compile(r"\s*!\[")
MARKED = re.compile(f"^{SIGN}(?P<name>[a-z]+){SIGN}(?P<words>.*)$", re.MULTILINE)


def outside_fences(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines that are not between fences, with their places; an opening fence is among them."""
    closing = ""
    for index, text in enumerate(texts):
        fence = FENCE.match(text)
        if closing:
            if fence and fence["fence"].startswith(closing) and not fence["rest"].strip():
                closing = ""
            continue
        # A code span may begin with three ticks, but never spans to the end of its line.
        if fence and not (fence["fence"][0] == "`" and "`" in fence["rest"]):
            closing = fence["fence"]
        yield index, text


def find_directives(texts: Sequence[str], numbers: Sequence[int]) -> list[tuple[int, Directive]]:
    """The directives of a piece of prose, known or not, with their places in it."""
    found: list[tuple[int, Directive]] = []
    for index, text in outside_fences(texts):
        match = IN_MARKDOWN.match(text) if "pylit:" in text else None
        if match:
            words = match["words"].strip()
            found.append((index, Directive(match["name"], words, numbers[index], "prose")))
    return found


def read_prose(
    path: str, sections: Sequence[Section]
) -> tuple[tuple[Section, ...], tuple[Problem, ...]]:
    """Leave out what is hidden, and report and empty what cannot work."""
    problems: list[Problem] = []
    taken = {section.anchor for section in sections}
    made = tuple(
        read_section(path, section, taken, problems) if "pylit:" in section.text else section
        for section in sections
    )
    return made, tuple(problems)


def read_section(path: str, section: Section, taken: set[str], problems: list[Problem]) -> Section:
    """Read the directives of one section; `taken` are the anchors of the page so far."""
    texts = section.text.split("\n")
    found = find_directives(texts, section.text_lines)
    good: list[tuple[int, Directive]] = []
    for index, directive in found:
        fault = find_fault(directive) or fault_below(directive, texts[index + 1 : index + 2])
        if not fault and directive.name == "anchor":
            if directive.words in taken:
                fault = f"the page has another anchor {directive.words!r}; give this one its own"
            taken.add(directive.words)
        if fault:
            problems.append(problem(path, directive, fault))
            texts[index] = ""
        else:
            good.append((index, directive))
    pairs, unpaired = blocks([directive for _, directive in good], path)
    problems += unpaired
    paired = {id(directive) for pair in pairs for directive in pair}
    places = {id(directive): index for index, directive in good}
    for index, directive in good:
        if directive.name in ("hide", "fold", "end") and id(directive) not in paired:
            texts[index] = ""
    gone = {
        index
        for first, last in pairs
        if first.name == "hide"
        for index in range(places[id(first)], places[id(last)] + 1)
    }
    kept = [index for index in range(len(texts)) if index not in gone]
    return replace(
        section,
        text="\n".join(texts[index] for index in kept),
        text_lines=tuple(section.text_lines[index] for index in kept),
    )


def own_anchors(section: Section) -> list[str]:
    """The anchors that the author of a section has given by directives."""
    if "pylit:" not in section.text:
        return []
    found = find_directives(section.text.split("\n"), section.text_lines)
    return [directive.words for _, directive in found if directive.name == "anchor"]


def fault_below(directive: Directive, below: Sequence[str]) -> str:
    """Say what is missing in the line below a directive that speaks of it."""
    text = below[0] if below else ""
    if directive.name == "figure" and not PICTURE.match(text):
        return "a figure needs its picture on the next line: ![What it shows](file.svg)"
    if directive.name == "example":
        fence = FENCE.match(text)
        if not fence or not LANGUAGE.match(fence["rest"]):
            return "an example needs a fence on the next line, of python or of markdown"
    return ""


def mark(text: str, numbers: Sequence[int]) -> str:
    """
    Turn the directives of a piece of prose into signs, line for line.

    `numbers` are the lines of the file; an example takes its own along.
    """
    text = text.replace(SIGN, "\ufffd")
    if "pylit:" not in text:
        return text
    texts = text.split("\n")
    for index, directive in find_directives(texts, numbers):
        if directive.name not in KNOWN:
            continue
        if directive.name != "example":
            texts[index] = f"{SIGN}{directive.name}{SIGN}{directive.words}"
            continue
        fence = FENCE.match(texts[index + 1])
        language = LANGUAGE.match(fence["rest"]) if fence else None
        if fence and language:
            kind = "python" if language["name"].startswith("py") else "markdown"
            line = numbers[index + 1] + 1
            texts[index] = ""
            texts[index + 1] = f'{fence["fence"]}{example_fence(kind)} line="{line}"'
    return "\n".join(texts)


def plain(text: str) -> str:
    """Prose for a reader who has no directives: the title of a fold stays, in bold."""
    if "pylit:" not in text:
        return text
    texts = text.split("\n")
    found = dict(find_directives(texts, range(len(texts))))
    kept: list[str] = []
    for index, line in enumerate(texts):
        directive = found.get(index)
        if directive is None:
            kept.append(line)
        elif directive.name == "fold":
            kept.append(f"**{directive.words}**")
    return "\n".join(kept)


def example_fence(kind: str) -> str:
    """What a fence is called, for the Markdown reader, whose code is shown as an example."""
    return f"pylit-example-{kind}"


class Marked(BlockProcessor):
    """Makes elements of the signs that `mark` has put in."""

    def __init__(self, parser: BlockParser) -> None:
        super().__init__(parser)

    def test(self, parent: ElementTree.Element, block: str) -> bool:
        """Tell a block with a sign in it."""
        return SIGN in block and bool(MARKED.search(block))

    def run(self, parent: ElementTree.Element, blocks: list[str]) -> None:
        """Take the first sign of the block, and put back what stands behind it."""
        block = blocks.pop(0)
        sign = MARKED.search(block)
        if sign is None:
            return
        before, after = block[: sign.start()].rstrip("\n"), block[sign.end() :].lstrip("\n")
        if before:
            self.parser.parseBlocks(parent, [before])
        if sign["name"] == "anchor":
            ElementTree.SubElement(parent, "div", {"id": sign["words"], "class": "anchor"})
            put_back(blocks, after)
        elif sign["name"] == "figure":
            self.figure(parent, after)
        elif sign["name"] == "fold":
            put_back(blocks, after)
            self.fold(parent, sign["words"], blocks)
        else:
            put_back(blocks, after)

    def figure(self, parent: ElementTree.Element, text: str) -> None:
        """A picture, and the rest of its paragraph as the caption."""
        picture, _, caption = text.partition("\n")
        figure = ElementTree.SubElement(parent, "figure")
        ElementTree.SubElement(figure, "p").text = picture.strip()
        if caption.strip():
            ElementTree.SubElement(figure, "figcaption").text = caption.strip()

    def fold(self, parent: ElementTree.Element, title: str, blocks: list[str]) -> None:
        """What stands before the end is shown closed."""
        details = ElementTree.SubElement(parent, "details", {"class": "fold"})
        ElementTree.SubElement(details, "summary").text = title
        inside: list[str] = []
        end = re.compile(f"^{SIGN}end{SIGN}$", re.MULTILINE)
        while blocks:
            block = blocks.pop(0)
            found = end.search(block)
            if found:
                inside.append(block[: found.start()].rstrip("\n"))
                put_back(blocks, block[found.end() :].lstrip("\n"))
                break
            inside.append(block)
        self.parser.parseBlocks(details, [block for block in inside if block])


def put_back(blocks: list[str], text: str) -> None:
    """Put the rest of a block before the others."""
    if text.strip():
        blocks.insert(0, text)
