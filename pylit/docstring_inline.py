r"""
---
title: Roles and links of reStructuredText
summary: What stands within a line becomes code, a formula or a link.
---
# Roles and links of reStructuredText

| written | becomes |
|---|---|
| `` :math:`x^2` `` | a formula |
| `` :class:`~pkg.Name` ``, `` :func:`text <target>` `` | code: `Name`, `text` |
| `` :ref:`text <target>` ``, `` :doc:`text` `` | text |
| `` `text <https://example.org/>`_ `` | a link |
| `*args`, `__init__` | code, since Markdown would see emphasis |

Code, formulas and addresses are left alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from pylit.docstring_lines import Line, indent_of, is_blank

TARGET = re.compile(r"\s*\.\.\s+_(?P<name>`[^`]+`|[^:`]+):(?:\s+(?P<address>\S+))?\s*$")
TEXT_ROLES = frozenset({"ref", "doc", "term", "numref", "abbr", "dfn", "guilabel", "user", "cite"})
NUMBER_ROLES = {"pep": "PEP ", "rfc": "RFC ", "issue": "#", "gh": "#", "pr": "#", "pull": "#"}
DUNDERS = frozenset(
    name
    for kind in (type, int, str, dict, list, float, complex, frozenset, bytearray, property)
    for name in dir(kind)
    if name.startswith("__")
) | frozenset(
    f"__{name}__"
    for name in """
    aenter aexit aiter all annotations anext array author await bool call copy deepcopy enter exit
    file fspath getstate init_subclass iter main missing name next path post_init set_name
    setstate slots spec version version_info
    """.split()  # noqa: SIM905 (a list would be a line for each name)
)
INLINE = re.compile(
    r"""
    (?P<role>:(?P<kind>[a-z][\w:+-]*):`(?P<content>[^`]+)`)
    | (?P<code>(?P<ticks>`+)(?!`)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`)(?P<link>__?(?!\w))?)
    | (?P<formula>\$\$.+?\$\$ | \$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)
        | \\\(.+?\\\) | \\\[.+?\\\] | \\begin\{(?P<name_of>\w+\*?)\}.+?\\end\{(?P=name_of)\})
    | (?P<address>https?://[^\s<>)]+ | \]\([^)]*\) | <[a-zA-Z/][^<>]*>)
    | (?P<footnote>(?<!\w)\[(?P<number>[\w#*]+)\]_(?!\w))
    | (?P<stars>(?<![\w*\\`])\*{1,2}(?:args|kwargs|kwds|kw|keywords)\b(?!\*))
    | (?P<dunder>(?<![\w`.])(?:[\w.]+\.)?(?P<name>__[a-z]+(?:_[a-z]+)*__)(?:\(\))?(?!\w))
    """,
    re.VERBOSE | re.DOTALL,
)
CODE_INDENT = 4
OWNER = re.compile(r"\s*(?:[-*+:]|\d+[.)]|!!!|\[\^)\s*\S")
EXPLICIT = re.compile(r"(?P<text>.*?)\s*<(?P<target>[^<>]+)>$", re.DOTALL)


def read_targets(lines: Iterable[Line]) -> dict[str, str]:
    """The addresses that a docstring gives names to."""
    found = (TARGET.match(line.text) for line in lines)
    return {
        " ".join(target["name"].strip("`").lower().split()): target["address"]
        for target in found
        if target and target["address"]
    }


def write_inline(lines: Sequence[Line], targets: Mapping[str, str]) -> list[Line]:
    """Translate what stands within lines, a paragraph at a time, as it may go on in the next."""
    found: list[Line] = []
    paragraph: list[Line] = []
    # What is indented is code, unless it belongs to an item, a definition or a note above it.
    owned = False
    for line in (*lines, None):
        if line is not None and not is_blank(line):
            if indent_of(line) < CODE_INDENT:
                owned = bool(OWNER.match(line.text))
            elif not owned and not paragraph:
                line = line.as_code()
        if line is not None and not line.code and not is_blank(line):
            paragraph.append(line)
            continue
        if paragraph:
            found += translate_paragraph(paragraph, targets)
            paragraph = []
        if line is not None:
            found.append(line)
    return found


def translate_paragraph(lines: Sequence[Line], targets: Mapping[str, str]) -> list[Line]:
    """Translate the text of some lines. What was broken over two lines begins on the second."""

    def write(found: re.Match[str]) -> str:
        made = inline(found, targets)
        broken = re.search(r"\n[ \t]*", found[0])
        return broken[0] + made if broken and "\n" not in made else made

    texts = INLINE.sub(write, "\n".join(line.text for line in lines)).split("\n")
    numbers = [line.number for line in lines]
    return [Line(text, numbers[min(at, len(numbers) - 1)]) for at, text in enumerate(texts)]


def inline(found: re.Match[str], targets: Mapping[str, str]) -> str:
    """What one piece becomes."""
    if found["role"]:
        return role(found["kind"].rpartition(":")[2], found["content"])
    if found["code"]:
        if found["link"] and len(found["ticks"]) == 1:
            return link(found["inside"], targets)
        inside = found["inside"]
        if len(found["ticks"]) == 1 and inside[0] in "~!":
            return f"`{short(inside)}`"
        return found[0]
    if found["footnote"]:
        return f"[{found['number']}]"
    if found["stars"]:
        return f"`{found['stars']}`"
    if found["dunder"] and (found["name"] in DUNDERS or "." in found["dunder"]):
        return f"`{found['dunder']}`"
    return found[0]


def role(kind: str, content: str) -> str:
    """What a role means."""
    if kind == "math":
        return f"${' '.join(content.split())}$"
    content = " ".join(content.split())
    explicit = EXPLICIT.fullmatch(content)
    if kind in NUMBER_ROLES:
        return explicit["text"] if explicit else f"{NUMBER_ROLES[kind]}{content}"
    if kind in TEXT_ROLES:
        text = explicit["text"] if explicit else content
        return text.lstrip("~!").replace("_", r"\_")
    text = explicit["text"] if explicit and explicit["text"] else short(content)
    return f"`{text}`"


def short(name: str) -> str:
    """A name as reStructuredText shows it: `~` asks for its last part, `!` for no link."""
    if name.startswith("~"):
        return name[1:].rpartition(".")[2]
    return name.removeprefix("!")


def link(content: str, targets: Mapping[str, str]) -> str:
    """A link, or its text where nobody knows where it leads."""
    content = " ".join(content.split())
    explicit = EXPLICIT.fullmatch(content)
    text = explicit["text"] or explicit["target"] if explicit else content
    target = explicit["target"] if explicit else content
    address = targets.get(target.rstrip("_").lower(), target if explicit else "")
    return f"[{text}]({address})" if re.match(r"https?://|mailto:", address) else text
