r"""
---
title: Formulas in plain text
summary: MathML as a line of characters, for titles, search and places that cannot show a formula.
---

# Formulas in plain text

A page's title, its entry in a search and the text that stands for a formula where none can be shown
are plain text. `plain_text` reads the MathML of a formula and writes what a careful author would
type:

| formula | text |
|---|---|
| $\frac{1}{\sqrt{d_k}}$ | `1/√(d_k)` |
| $a = b + c$ | `a = b + c` |
| $\sum_{i=1}^{n} x_i$ | `∑_(i=1)^n x_i` |
| $\begin{pmatrix} a & b \\ c & d \end{pmatrix}$ | `(a, b; c, d)` |
"""

from __future__ import annotations

import re
import unicodedata
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

# Signs with a space on both sides, unless they stand in an index or an exponent.
SPACED = set("=≠<>≤≥≪≫∼≃≈≅≡∝∈∉⊂⊆⊃⊇→←↔⇒⇐⇔↦×⋅∗∘⊙⊕⊗∪∩∧∨∣≔:⟶⟵⟹⟸⟺+−±∓")
# These are signs of what follows them where nothing stands before them.
SIGNS = set("+−±∓")
OPENING = set("([{⟨⌊⌈")
APPLY = "\u2061"
INVISIBLE = {APPLY, "\u2062", "\u2063", "\u2064"}
# After an operator with limits comes what it runs over.
LIMITS = {"munder", "mover", "munderover", "msub", "msup", "msubsup"}

# Accents that a single letter can carry as a combining mark.
ACCENTS = {
    "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304", "―": "\u0304",
    "→": "\u20d7", "⃗": "\u20d7", "˙": "\u0307", "¨": "\u0308", "ˇ": "\u030c", "˘": "\u0306",
}  # fmt: skip


def plain_text(mathml: str) -> str:
    """The formula in `mathml`, a `<math>` element, as one line of plain text."""
    text = row(list(ElementTree.fromstring(mathml)), tight=False)
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)).strip()


def row(nodes: list[Element], *, tight: bool) -> str:
    """Nodes that stand side by side. In an index or exponent, `tight`, signs have no spaces."""
    text = ""
    sign = ""
    apart = False
    for node in nodes:
        before, sign = sign, symbol(node)
        if sign in INVISIBLE:
            # A function's name keeps apart from what it is applied to, unless that is in brackets.
            apart, sign = sign == APPLY, before
        elif sign in SPACED and not tight:
            first = not text.strip() or before in OPENING
            unary = sign in SIGNS and (first or before in SPACED)
            text += ("" if first else " ") + sign + ("" if unary else " ")
            apart = False
        elif sign in {",", ";"} and not tight:
            text += f"{sign} "
        else:
            matrix = node.tag == "mtable" and before in OPENING
            piece = table(node, matrix=matrix) if node.tag == "mtable" else word(node, tight=tight)
            between = (apart and piece[:1] not in set("()[]{}|,.;")) or keeps_apart(node, text)
            text += f" {piece}" if between else piece
            apart = node.tag == "mfrac" or (node.tag in LIMITS and bool(symbol(node[0])))
            apart = apart and not tight
    return text


def keeps_apart(node: Element, text: str) -> bool:
    """Whether a space must come before a name of several letters, so that it stays a name."""
    while len(node) and node.tag != "mtable":
        node = node[0]
    return text[-1:].isalnum() and len(letters(node)) > 1 and letters(node)[0].isalpha()


def symbol(node: Element) -> str:
    """The sign of an operator, and nothing for any other node."""
    return letters(node) if node.tag == "mo" else ""


def letters(node: Element) -> str:
    """The characters of a token, without the looks that Unicode gives to letters."""
    return "".join(
        unicodedata.normalize("NFKC", letter)
        if "\u2100" <= letter <= "\u2138" or "\U0001d400" <= letter <= "\U0001d7ff"
        else letter
        for letter in node.text or ""
    )


def word(node: Element, *, tight: bool) -> str:
    """One node, by the kind of its element."""
    parts = list(node)
    match node.tag:
        case "mi" | "mn" | "mo" | "mtext" | "ms":
            return letters(node)
        case "mfrac":
            return fraction(node, tight=tight)
        case "msqrt":
            inner = row(parts, tight=tight)
            return f"√{inner}" if re.fullmatch(r"\d+|.", inner) else f"√({inner})"
        case "mroot":
            base, index = (word(part, tight=True) for part in parts)
            return f"{grouped(base)}^(1/{index})"
        case "msub" | "munder":
            return scripted(parts, under=1, over=0)
        case "msup" | "mover":
            return scripted(parts, under=0, over=1)
        case "msubsup" | "munderover":
            return scripted(parts, under=1, over=2)
        case "mtable":
            return table(node, matrix=False)
        case "mphantom":
            return ""
        case "mspace":
            return " "
    return row(parts, tight=tight)


def fraction(node: Element, *, tight: bool) -> str:
    """Numerator and denominator, in brackets where the line would read differently."""
    above, below = (row([part], tight=tight).strip() for part in node)
    if node.get("linethickness") == "0":
        return f"{above} choose {below}"
    above = grouped(above) if re.search("[ /]", above) else above
    return above + "/" + grouped(below, r"[√\w]*")


def scripted(parts: list[Element], *, under: int, over: int) -> str:
    """A base with an index, an exponent, or both; accents become part of the letter."""
    base = row([parts[0]], tight=True).strip()
    marks = [row([parts[i]], tight=True).strip() if i else "" for i in (under, over)]
    for i, mark in enumerate(marks):
        if i == 1 and mark in ACCENTS:
            base += ACCENTS[mark] if len(base) == 1 else ""
        elif mark and set(mark) <= set("′″‴⏞⏟‾_―"):
            base += mark if mark[0] in "′″‴" else ""
        elif mark:
            base += "_^"[i] + grouped(mark)
    return base


def grouped(text: str, head: str = "√?") -> str:
    """`text` in brackets, unless it is one thing already: a word, or `head` and a bracket."""
    return text if re.fullmatch(r"\w*|.", text) or in_brackets(text, head) else f"({text})"


def in_brackets(text: str, head: str) -> bool:
    """Whether `text` is `head` and a bracket, and nothing after it."""
    start = re.match(head + r"\(", text)
    depth = 1
    for i in range(start.end() if start else len(text), len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if not depth:
            return i == len(text) - 1
    return False


def table(node: Element, *, matrix: bool) -> str:
    """The cells of a matrix are listed; those of aligned equations just follow each other."""
    joint = ", " if matrix else " "
    rows = [
        joint.join(filter(None, (row(list(cell), tight=False).strip() for cell in line)))
        for line in node
    ]
    return "; ".join(filter(None, rows))
