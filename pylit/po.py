r"""
---
title: PO files
summary: The file format of translators, read strictly and written in one form.
---
# PO files

Catalogues are PO files, as gettext, Poedit and Weblate know them. We read them ourselves for two
reasons: a site has tens of thousands of entries, and everything that a translator put into a file
has to come out again at its place. What we write is what `msgcat --no-wrap` writes, byte for byte.

```po
# a comment of the translator
#. a comment for the translator
#: the/file.py
#, fuzzy
#| msgid "what the text was before"
msgctxt "which of two meanings"
msgid "text"
msgstr "translation"

#~ msgid "text that is gone"
#~ msgstr "its translation"
```

In the file a backslash is written twice. Editors do so by themselves; a person who types `\theta`
into the raw file gets a tab and `heta`. A backslash before any other letter is kept as it is and
remembered, so that it can be reported and [mended](catalog_fmt.html).
"""

import re
from dataclasses import dataclass

LINE = re.compile(
    r'(?:(?P<keyword>msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s*)?"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"'
)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPES = {
    "\\": "\\", '"': '"', "n": "\n", "t": "\t", "r": "\r",
    "a": "\a", "b": "\b", "f": "\f", "v": "\v",
}  # fmt: skip
WRITTEN = {value: f"\\{key}" for key, value in ESCAPES.items()}
TO_WRITE = re.compile('[\\\\"\n\t\r\a\b\f\v]')
SEPARATOR = "\x04"
"""Between context and text in a key, as in gettext's compiled catalogues."""


class PoSyntaxError(Exception):
    """A line that is no line of a catalogue."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class PoEntry:
    """
    An entry of a PO file.

    `source` is the msgid, `text` the msgstr, `line` the line of the msgid. `remarks` are the
    translator's comments, `notes` those for the translator. `previous` is the earlier text that a
    fuzzy translation was made for. `plural` and `forms` are the plural of the interface words.
    `single` tells that a backslash was not written twice.
    """

    source: str
    text: str = ""
    line: int = 0
    context: str = ""
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    previous: str = ""
    previous_context: str = ""
    plural: str = ""
    forms: tuple[str, ...] = ()
    obsolete: bool = False
    single: bool = False

    @property
    def key(self) -> str:
        """What the entry is looked up by."""
        return f"{self.context}{SEPARATOR}{self.source}" if self.context else self.source

    @property
    def fuzzy(self) -> bool:
        """Whether the translation was made for another text and nobody has looked since."""
        return "fuzzy" in self.flags


@dataclass(frozen=True, slots=True)
class PoFile:
    """A PO file: the comment at its top, the fields of its header, its entries."""

    remarks: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    entries: tuple[PoEntry, ...] = ()
    flags: tuple[str, ...] = ()

    def field(self, name: str) -> str:
        """A field of the header, empty if it is not there."""
        return next((value for key, value in self.fields if key == name), "")


def parse_po(text: str) -> PoFile:
    """
    Read a PO file.

    Raises `PoSyntaxError` at the first line that is no line of a catalogue: better to be told than
    to lose a word.
    """
    return Parser().run(text.removeprefix("\ufeff"))


class Parser:
    """The state of one reading: the fields of the entry that is being read."""

    def __init__(self) -> None:
        self.entries: list[PoEntry] = []
        self.clear()

    def clear(self) -> None:
        """Begin an entry."""
        self.texts: dict[str, list[str]] = {}
        self.earlier: dict[str, list[str]] = {}
        self.comments: dict[str, list[str]] = {"": [], ".": [], ":": [], ",": []}
        self.open: list[str] | None = None
        self.line = 0
        self.obsolete = self.single = False

    def run(self, text: str) -> PoFile:
        """Read all lines."""
        number = 0
        for number, raw in enumerate(text.split("\n"), 1):
            line = raw.strip()
            if not line:
                self.open = None
            elif line[0] == "#":
                self.comment(line, number)
            else:
                if self.obsolete:
                    self.end(number)
                self.string(line, number, self.texts)
        self.end(number)
        entries = self.entries
        if entries and not entries[0].source and not entries[0].obsolete:
            header = entries.pop(0)
            pairs = [line.partition(":") for line in header.text.split("\n") if line]
            fields = tuple((name.strip(), value.strip()) for name, _, value in pairs)
            return PoFile(header.remarks, fields, tuple(entries), header.flags)
        return PoFile(entries=tuple(entries))

    def comment(self, line: str, number: int) -> None:
        """Take a line that starts with `#`."""
        kind = line[1:2]
        if kind == "~":
            rest = line[2:].strip()
            complete = "msgstr" in self.texts or "msgstr[0]" in self.texts
            if self.texts and (not self.obsolete or (complete and rest.startswith("|"))):
                self.end(number)
            self.obsolete = True
            if rest.startswith("|"):
                self.string(rest[1:].strip(), number, self.earlier)
            else:
                self.string(rest, number, self.texts)
            return
        if "msgstr" in self.texts or "msgstr[0]" in self.texts:
            self.end(number)
        elif self.texts and kind != "|":
            raise PoSyntaxError(number, "a comment stands inside an entry; move it above the msgid")
        if kind == "|":
            self.string(line[2:].strip(), number, self.earlier)
        elif kind and kind in ".:,":
            self.comments[kind].append(line[2:].strip())
        else:
            self.comments[""].append(line[1:].removeprefix(" "))
        if kind != "|":
            self.open = None

    def string(self, line: str, number: int, texts: dict[str, list[str]]) -> None:
        """Take a keyword and its text, or the next line of a text."""
        match = LINE.fullmatch(line)
        if not match:
            message = "this is not a line of a catalogue; check the quotes and the keyword"
            raise PoSyntaxError(number, message)
        keyword, quoted = match["keyword"], match["text"]
        if keyword:
            if texts is self.texts:
                if keyword in ("msgid", "msgctxt") and "msgid" in texts:
                    obsolete = self.obsolete
                    if "msgstr" not in texts and "msgstr[0]" not in texts:
                        message = "the entry above has no msgstr; add one, empty if need be"
                        raise PoSyntaxError(number, message)
                    self.end(number)
                    self.obsolete = obsolete
                    texts = self.texts
                if keyword == "msgid":
                    self.line = number
                elif keyword.startswith("msg") and keyword not in ("msgctxt", "msgid"):
                    if "msgid" not in texts:
                        raise PoSyntaxError(number, f"{keyword} needs a msgid above it")
                    if keyword in texts:
                        message = f"{keyword} is there twice in one entry; remove one"
                        raise PoSyntaxError(number, message)
            self.open = texts.setdefault(keyword, [])
        elif self.open is None:
            raise PoSyntaxError(number, "a text in quotes needs msgid or msgstr before it")
        self.open.append(self.unescape(quoted) if "\\" in quoted else quoted)

    def unescape(self, text: str) -> str:
        """Read the escapes of a text."""

        def plain(escape: re.Match[str]) -> str:
            known = ESCAPES.get(escape[1])
            if known is None:
                self.single = True
                return escape[0]
            return known

        return ESCAPE.sub(plain, text)

    def end(self, number: int) -> None:
        """End the entry, if one has begun."""
        texts, comments = self.texts, self.comments
        if texts:
            joined = {keyword: "".join(parts) for keyword, parts in texts.items()}
            if "msgid" not in joined or not ("msgstr" in joined or "msgstr[0]" in joined):
                raise PoSyntaxError(
                    number, "the entry above has no msgid or no msgstr; complete it"
                )
            plural = "msgid_plural" in joined
            forms = sorted(word for word in joined if plural and word.startswith("msgstr["))
            self.entries.append(
                PoEntry(
                    joined["msgid"],
                    joined.get("msgstr", ""),
                    self.line,
                    joined.get("msgctxt", ""),
                    tuple(comments[""]),
                    tuple(comments["."]),
                    tuple(file for line in comments[":"] for file in split_files(line)),
                    tuple(
                        f.strip() for line in comments[","] for f in line.split(",") if f.strip()
                    ),
                    "".join(self.earlier.get("msgid", ())),
                    "".join(self.earlier.get("msgctxt", ())),
                    joined.get("msgid_plural", ""),
                    tuple(joined[word] for word in forms),
                    self.obsolete,
                    self.single,
                )
            )
        self.clear()


def split_files(line: str) -> list[str]:
    """The files of a `#:` line. A name with spaces stands between two isolates, as in gettext."""
    return [name.strip("\u2068\u2069") for name in re.findall("\u2068[^\u2069]*\u2069|\\S+", line)]


def format_po(file: PoFile) -> str:
    """Write a PO file: nothing is wrapped, and entries out of use come last."""
    header = "".join(f"{name}: {value}\n" for name, value in file.fields)
    parts = [format_entry(PoEntry("", header, remarks=file.remarks, flags=file.flags))]
    live = [entry for entry in file.entries if not entry.obsolete]
    gone = [entry for entry in file.entries if entry.obsolete]
    parts.extend(format_entry(entry) for entry in (*live, *gone))
    return "\n".join(parts)


def format_entry(entry: PoEntry) -> str:
    """Write one entry."""
    lines = [f"# {remark}" if remark else "#" for remark in entry.remarks]
    lines += [f"#. {note}" if note else "#." for note in entry.notes]
    if entry.files:
        names = [f"\u2068{name}\u2069" if " " in name else name for name in entry.files]
        lines.append(f"#: {' '.join(names)}")
    if entry.flags:
        lines.append(f"#, {', '.join(entry.flags)}")
    before = "#~ " if entry.obsolete else ""
    earlier = [("msgctxt", entry.previous_context), ("msgid", entry.previous)]
    for keyword, text in earlier:
        if text:
            lines += format_text(keyword, text, "#~| " if entry.obsolete else "#| ")
    if entry.context:
        lines += format_text("msgctxt", entry.context, before)
    lines += format_text("msgid", entry.source, before)
    if entry.plural:
        lines += format_text("msgid_plural", entry.plural, before)
        for number, form in enumerate(entry.forms):
            lines += format_text(f"msgstr[{number}]", form, before)
    else:
        lines += format_text("msgstr", entry.text, before)
    return "\n".join(lines) + "\n"


def format_text(keyword: str, text: str, before: str) -> list[str]:
    """A keyword with its text, cut after line ends only."""
    pieces = [piece for piece in re.split("(?<=\n)", text) if piece] or [""]
    quoted = [f'"{TO_WRITE.sub(lambda sign: WRITTEN[sign[0]], piece)}"' for piece in pieces]
    if len(quoted) > 1:
        return [f'{before}{keyword} ""', *(f"{before}{piece}" for piece in quoted)]
    return [f"{before}{keyword} {quoted[0]}"]
