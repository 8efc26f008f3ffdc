r"""
---
title: Finding formulas
summary: One scanner takes formulas out of Markdown before anything can mistake their signs.
---
# Finding formulas

To Markdown, `_`, `*`, `\\`, `|` and `<` mean something; in a formula they mean something else. So
formulas are taken out first and come back when Markdown is done. In their place stands a
*mark*: a number between two characters from Unicode's private use area, which no syntax touches.

| written | is |
|---|---|
| `$…$`, `\(…\)` | an inline formula |
| `$$…$$`, `\[…\]`, `\begin{…}…\end{…}` | a displayed one, also in the middle of a paragraph |
| `\$` | a dollar |

Prices are not formulas: a `$` opens one only if no space follows, and closes one only if no space
stands before it and no digit behind it. Code spans, fences, comments and addresses of links are
left alone. What the scanner cannot know is indented code; the
[renderer](../prose.html) puts the original text back where a mark turns up in code.

Two more things are settled here, since this is the one place that knows what is code and what is
not: a `<` that starts no tag of the [allow-list](../sanitize.html) is a less-than sign, and
interactive Python sessions (`>>>`) become code blocks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pylit.math.typeset import Formula
from pylit.sanitize import TAGS

OPEN, CLOSE, LESS = "\ue000", "\ue001", "\ue002"
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
RESERVED = str.maketrans({OPEN: "\ufffd", CLOSE: "\ufffd", LESS: "\ufffd"})

SIGNS = re.compile(r"[\\`$<>\]]")
"""Without any of these, a text is as it will be put out."""

FENCE = re.compile(r"(?P<lead>[ \t]*(?:>[ \t]?)*)(?P<fence>`{3,}|~{3,})(?P<rest>[^\n]*)")
DOCTEST = re.compile(r"(?P<indent>[ \t]*)>>>(?: |$)")
LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]*)?/?>")
AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>")
DEFINITION = re.compile(r"[ ]{0,3}\[[^\]\n]+\]:[^\n]*")
ENVIRONMENT = re.compile(r"\\begin\{([A-Za-z]+\*?)\}")
DOLLAR = re.compile(r"\\.|\$", re.DOTALL)
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
CLOSINGS = {
    closing: re.compile(rf"{re.escape(closing)}|\\.", re.DOTALL) for closing in ("$$", "\\)", "\\]")
}
PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")
# Anything but these in a dollar pair with a space before its end is more likely money than math.
LOOKS_LIKE_TEX = re.compile(r"[\\_^{}]")


@dataclass(frozen=True, slots=True)
class Found:
    """A formula in the text: what to typeset, how it was written, the line of its TeX (from 0)."""

    formula: Formula
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with the way a formula is written, on a line counted from 0."""

    message: str
    line: int
    level: str = "error"


@dataclass(frozen=True, slots=True)
class Scan:
    """Markdown with marks in the places of its formulas, the formulas, and the faults."""

    text: str
    found: tuple[Found, ...]
    faults: tuple[Fault, ...]


def scan(text: str, first_number: int = 0) -> Scan:
    """
    Take the formulas out of Markdown.

    The marks count from `first_number`, so that the marks of several texts can meet in one page.
    """
    text = text.translate(RESERVED)
    # Most texts hold nothing that could be a formula, or hide one.
    return Scanner(text, first_number).run() if SIGNS.search(text) else Scan(text, (), ())


class Scanner:
    """The state of one scan: where we are in the text, and what has been put out so far."""

    def __init__(self, text: str, first_number: int) -> None:
        self.text = text
        self.first_number = first_number
        self.at = 0
        self.out: list[str] = []
        self.found: list[Found] = []
        self.faults: list[Fault] = []
        self.in_list = False
        # What was looked for once and not found is not looked for again: hostile input repeats it.
        self.end_of_paragraph = -1
        self.unclosed: dict[str, int] = {}
        self.open_fences: set[str] = set()
        self.environments: dict[str, dict[int, int]] = {}

    def run(self) -> Scan:
        """Go through the text once, from left to right."""
        text = self.text
        while self.at < len(text):
            if (self.at == 0 or text[self.at - 1] == "\n") and self.take_line():
                continue
            sign = text[self.at]
            taken = (
                (sign == "\\" and self.take_backslash())
                or (sign == "`" and self.take_code_span())
                or (sign == "$" and self.take_dollar())
                or (sign == "<" and self.take_angle())
                or (sign == "]" and self.take_target())
            )
            if not taken:
                following = SPECIAL.search(text, self.at + 1)
                self.copy(following.start() if following else len(text))
        return Scan("".join(self.out), tuple(self.found), tuple(self.faults))

    def copy(self, end: int) -> bool:
        """Put the text up to `end` out as it is."""
        self.out.append(self.text[self.at : end])
        self.at = end
        return True

    def line(self, position: int) -> int:
        """The number of the line at a position, from 0."""
        return self.text.count("\n", 0, position)

    def take_line(self) -> bool:
        """At the start of a line: fences, sessions and link definitions are copied whole."""
        line_end = self.text.find("\n", self.at)
        line_end = len(self.text) if line_end < 0 else line_end
        line = self.text[self.at : line_end]
        if line.strip():
            indented = line[0] in " \t"
            self.in_list = bool(LIST_ITEM.match(line)) or (self.in_list and indented)
        fence = FENCE.match(line)
        if fence and fence["fence"] not in self.open_fences:
            closing = re.compile(
                rf"\n[ \t]*(?:>[ \t]?)*{fence['fence'][0]}{{{len(fence['fence'])},}}[ \t]*(?=\n|\Z)"
            ).search(self.text, line_end)
            if closing and "`" not in fence["rest"]:
                return self.copy(closing.end())
            if not closing:
                self.open_fences.add(fence["fence"])
        if doctest := DOCTEST.match(line):
            return self.take_session(doctest["indent"])
        if DEFINITION.match(line):
            return self.copy(line_end)
        return False

    def take_session(self, indent: str) -> bool:
        """Make an interactive session, up to the next empty line, a fenced block."""
        end = PARAGRAPH_END.search(self.text, self.at)
        stop = end.start() if end else len(self.text)
        body = self.text[self.at : stop].split("\n")
        margin = indent if self.in_list else ""
        lines = [margin + line.removeprefix(indent) for line in body]
        before = "" if not self.out or "".join(self.out[-2:]).endswith("\n\n") else "\n"
        block = "\n".join([f"{margin}```pycon", *lines, f"{margin}```"])
        self.out.append(f"{before}{block}\n")
        self.at = stop
        return True

    def take_backslash(self) -> bool:
        """A backslash starts a formula, or keeps the next sign from doing so."""
        text, at = self.text, self.at
        if environment := ENVIRONMENT.match(text, at):
            return self.take_environment(environment[1])
        for opening, closing, display in (("\\(", "\\)", False), ("\\[", "\\]", True)):
            if text.startswith(opening, at):
                end = self.find_closing(closing, at + 2)
                if end >= 0:
                    return self.take(text[at + 2 : end], end + 2, display=display)
        return self.copy(min(at + 2, len(text)))

    def take_environment(self, name: str) -> bool:
        """A bare environment runs to its own end, over empty lines and inner ones of its name."""
        if name not in self.environments:
            self.environments[name] = self.match_environments(name)
        end = self.environments[name].get(self.at)
        if end is not None:
            return self.take(self.text[self.at : end], end, display=True)
        self.fault(f"\\begin{{{name}}} has no \\end{{{name}}}; write it behind the formula")
        return self.copy(self.at + len("\\begin"))

    def match_environments(self, name: str) -> dict[int, int]:
        """Where each environment of a name ends, by the place where it begins."""
        ends: dict[int, int] = {}
        opened: list[int] = []
        for part in re.compile(rf"\\(begin|end)\{{{re.escape(name)}\}}").finditer(self.text):
            if part[1] == "begin":
                opened.append(part.start())
            elif opened:
                ends[opened.pop()] = part.end()
        return ends

    def take_code_span(self) -> bool:
        """A run of backticks closes with a run of the same length in the same paragraph."""
        run = re.compile("`+").match(self.text, self.at)
        ticks = run[0] if run else "`"
        closing = re.compile(f"(?<!`){ticks}(?!`)").search(
            self.text, self.at + len(ticks), self.paragraph_end()
        )
        return self.copy(closing.end() if closing else self.at + len(ticks))

    def take_dollar(self) -> bool:
        """One or two dollars."""
        text, at = self.text, self.at
        if text.startswith("$$", at):
            end = self.find_closing("$$", at + 2)
            if end > at + 2 and text[at + 2 : end].strip():
                return self.take(text[at + 2 : end], end + 2, display=True)
            self.fault("$$ is not closed; write $$ behind the formula, or \\$ for a dollar")
            return self.copy(at + 2)
        if at + 1 >= len(text) or text[at + 1].isspace():
            return self.copy(at + 1)
        end = self.inline_end(at + 1)
        if end < 0:
            return self.copy(at + 1)
        return self.take(text[at + 1 : end], end + 1, display=False)

    def inline_end(self, start: int) -> int:
        """Where the inline formula that starts here is closed, or -1 where it is none."""
        stop = self.paragraph_end()
        dollars = [at for at in self.dollars(start, stop) if at > start]
        outside = [at for at in dollars if self.depth(start, at) <= 0]
        # With a missing brace no dollar is outside; the first one then ends the faulty formula.
        end = outside[0] if outside else (dollars[0] if dollars else -1)
        if end < 0:
            return -1
        following = self.text[end + 1 : end + 2]
        if self.text[end - 1].isspace():
            if following.isalnum() or not LOOKS_LIKE_TEX.search(self.text, start, end):
                return -1
            self.fault("a space stands before the $ that closes a formula; remove it", "warning")
            return end
        return -1 if following.isdigit() else end

    def dollars(self, start: int, stop: int) -> list[int]:
        """The single dollars in a stretch of text that no backslash protects; the first few do."""
        places: list[int] = []
        for match in DOLLAR.finditer(self.text, start, stop):
            if match[0] == "$":
                places.append(match.start())
                if len(places) == 8:
                    break
        return places

    def depth(self, start: int, stop: int) -> int:
        """How many braces are open at the end of a stretch of TeX."""
        braces = BRACE.finditer(self.text, start, stop)
        return sum({"{": 1, "}": -1}.get(brace[0], 0) for brace in braces)

    def find_closing(self, closing: str, start: int) -> int:
        """Find a closing delimiter that no backslash protects, or -1."""
        signs = CLOSINGS[closing]
        stop = len(self.text) if closing == "$$" else self.paragraph_end()
        if self.unclosed.get(closing) == stop:
            return -1
        for match in signs.finditer(self.text, start, stop):
            if match[0] == closing:
                return match.start()
        self.unclosed[closing] = stop
        return -1

    def paragraph_end(self) -> int:
        """Where the paragraph that we are in ends."""
        if self.end_of_paragraph < self.at:
            end = PARAGRAPH_END.search(self.text, self.at)
            self.end_of_paragraph = end.start() if end else len(self.text)
        return self.end_of_paragraph

    def take_angle(self) -> bool:
        """A tag, a comment or an address in angle brackets; any other `<` is a plain sign."""
        text, at = self.text, self.at
        if text.startswith("<!--", at):
            end = text.find("-->", at)
            return self.copy(end + 3 if end >= 0 else at + 4)
        tag = TAG.match(text, at)
        if tag and tag[1].lower() in TAGS:
            return self.copy(tag.end())
        if autolink := AUTOLINK.match(text, at):
            return self.copy(autolink.end())
        self.out.append(LESS)
        self.at += 1
        return True

    def take_target(self) -> bool:
        """The address of a link is not prose."""
        target = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*").match(self.text, self.at)
        return self.copy(target.end() if target else self.at + 1)

    def take(self, tex: str, end: int, *, display: bool) -> bool:
        """Put a mark in the place of a formula."""
        formula = Formula(tex.strip(), display)
        source = self.text[self.at : end]
        self.out.append(f"{OPEN}{self.first_number + len(self.found)}{CLOSE}")
        # Faults are counted from the first line of the TeX itself, which may follow its opening.
        start = self.text.index(formula.tex, self.at) if formula.tex else self.at
        self.found.append(Found(formula, source, self.line(start)))
        self.at = end
        return True

    def fault(self, message: str, level: str = "error") -> None:
        """Note what is wrong at the place where we are."""
        self.faults.append(Fault(message, self.line(self.at), level))


SPECIAL = re.compile(r"[\\`$<\]]|(?<=\n)")


def restore(text: str, found: Sequence[Found], first_number: int = 0) -> str:
    """Put the original text back in the places of the marks."""

    def original(mark: re.Match[str]) -> str:
        index = int(mark[1]) - first_number
        return found[index].source if 0 <= index < len(found) else ""

    return MARK.sub(original, text).replace(LESS, "<")
