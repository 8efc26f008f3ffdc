r"""
---
title: Faults in formulas
summary: MathJax's errors, as one sentence and the line they are about.
---

# Faults in formulas

MathJax says what is wrong but not where. Two things tell the line:

- the words of the message: the undefined `\foo` or the unknown environment is looked for in the
  TeX;
- how much of the TeX was unread when MathJax gave up.

A brace that is never closed shows only at the end, so for that one the braces are counted.
"""

from __future__ import annotations

import re

MESSAGES = {
    "RangeError": "The formula is nested too deeply",
    "MaxMacroSub1": "A macro calls itself without end",
    "MaxBufferSize": "A macro calls itself without end",
}

OPEN_BRACE_IDS = {"ExtraOpenMissingClose", "MissingCloseBrace"}

# A comment runs to the end of its line, and an escaped brace is not a brace.
BRACES = re.compile(r"\\.|%[^\n]*|[{}]", re.DOTALL)


def fault_message(fault: str, message: str) -> str:
    """MathJax's message as the start of a sentence, without its full stop."""
    return MESSAGES.get(fault, message.strip().rstrip("."))


def fault_line(tex: str, fault: str, message: str, unread: int | None) -> int:
    """The line of the TeX, counted from zero, that a fault is in; zero when nothing tells."""
    place = 0
    if fault in OPEN_BRACE_IDS:
        place = open_brace(tex)
    elif fault == "UndefinedControlSequence":
        place = find_name(tex, message.rpartition(" ")[2])
    elif fault == "UnknownEnv":
        place = tex.find("{" + message.rpartition(" ")[2].strip("'") + "}")
    elif fault == "UnknownColor":
        place = tex.find(message.rpartition(" ")[2])
    elif unread is not None:
        # A command that takes the rest of a line has read its line break too.
        place = len(tex[: max(len(tex) - unread, 0)].rstrip())
    return tex.count("\n", 0, max(place, 0))


def find_name(tex: str, name: str) -> int:
    """Where the control sequence `name` is used, and not just one that starts like it."""
    found = re.search(re.escape(name) + ("(?![A-Za-z])" if name[-1:].isalpha() else ""), tex)
    return found.start() if found else 0


def open_brace(tex: str) -> int:
    """Where the innermost brace that is never closed stands."""
    opened: list[int] = []
    for found in BRACES.finditer(tex):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            opened.pop()
    return opened[-1] if opened else 0
