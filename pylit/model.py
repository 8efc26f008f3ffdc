"""
---
title: The values of the pipeline
summary: Every stage of pylit takes values and returns new ones; these are their types.
---
# The values of the pipeline

Every stage of `pylit` takes values and returns new ones. All of them are defined here,
frozen and slotted, so that a value that one stage made cannot be changed by the next.
Read this file first: the rest of the package only says how one of these becomes another.

| stage | takes | returns |
|---|---|---|
| [read](source.html) | the settings | `Source` |
| [parse](parse.html) | `Source` | `Module` of `Section`s |
| [prose](prose.html) | `Section`, catalogue | `Fragment` |
| [page](page.html) | `Module`, language, index | `Page` |
| [theme](theme.html) | `Page` | `Output` |

What went wrong on the way is never printed or raised by a stage that can go on: it is a
`Problem`, and the [site](site.html) gathers them.
"""

from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple

from markupsafe import Markup

from pylit.layout import Layout

Level = Literal["error", "warning"]
"""How bad a problem is: an *error* makes the exit code 1, a *warning* only with `--strict`."""

SectionKind = Literal["module", "class", "function", "comment", "code", "markdown"]
"""What started a section: a docstring, a header, a comment, plain code, or a Markdown page."""

PageKind = Literal["module", "markdown", "folder", "missing", "translation", "contents"]
"""What a page shows: a file, a folder, "not found", how far a language is, all pages."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines of a file, counted from 1, both ends included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """
    Something that the author has to know: where it is, what it is, and what to do about it.

    `path` is relative to the folder of `pylit.toml`, with `/` on every system. `line` and
    `column` count from 1; 0 means that the problem belongs to the whole file.
    """

    path: str
    line: int
    column: int
    message: str
    level: Level = "error"
    code: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """
    One file of the site, read and decoded.

    `text` has no byte order mark and ends its lines with `\\n`, whatever the file did.
    `address` is where its page goes, relative to the root of a language: `xl/index.html`.
    `name` is the dotted module name, or the path without ending for a Markdown page.
    """

    path: str
    address: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """
    A piece of prose and the code that it explains.

    `text` is the prose as Markdown, quotes, comment signs and indentation removed, and
    `text_lines` holds for each of its lines the line of the file that it came from.
    `prose` and `code` are the lines that the two occupy in the file. `name` is the qualified
    name of the class or function that the section belongs to, empty for the module itself.
    `anchor` is the steady address of the section within its page.
    """

    kind: SectionKind
    anchor: str
    name: str
    prose: Span | None
    code: Span | None
    text: str
    text_lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """
    A name in the code that stands for a named term of the page's formulas.

    `scope` is the class or function that holds the name, empty for the whole page; `line` is where
    the author wrote the binding.
    """

    term: str
    name: str
    scope: str
    line: int


@dataclass(frozen=True, slots=True)
class Module:
    """
    A source split into sections.

    `title` and `summary` are what the front matter says, empty where it says nothing.
    `hidden` are lines that belong to a section but are not shown as its code: a shebang, the cell
    markers of notebook editors, what a [directive](directives.html) hides. `folds` are lines that
    are shown closed. `problems` are faults that do not stop the page. `order` is the place that the
    page asks for among its siblings, `terms` says which names in the code are terms of formulas.
    `figure_texts` are the captions and labels of the figures that it drew when it last ran, `cites`
    the keys of papers that the page names, each with its line. `other_names` are the dotted names
    that the module gives to what it imports, each with that which it means.
    """

    source: Source
    sections: tuple[Section, ...]
    title: str = ""
    summary: str = ""
    hidden: frozenset[int] = frozenset()
    problems: tuple[Problem, ...] = ()
    folds: tuple[Span, ...] = ()
    order: float | None = None
    terms: tuple[Binding, ...] = ()
    figure_texts: tuple[str, ...] = ()
    cites: tuple[tuple[str, int], ...] = ()
    other_names: tuple[tuple[str, str], ...] = ()

    def shown_lines(self, section: Section) -> list[tuple[int, int]]:
        """
        The lines of a section's code that a page shows, each with the first line of its fold.

        A line that is in no fold has 0 there. Empty lines at both ends are left out.
        """
        span = section.code or Span(1, 0)
        lines = [line for line in range(span.first, span.last + 1) if line not in self.hidden]
        if self.hidden:
            texts = self.source.text.split("\n")
            while lines and not texts[lines[0] - 1].strip():
                lines.pop(0)
            while lines and not texts[lines[-1] - 1].strip():
                lines.pop()
        return [(line, self.fold_of(line)) for line in lines]

    def fold_of(self, line: int) -> int:
        """The first line of the fold that a line is in, or 0."""
        return next((fold.first for fold in self.folds if fold.first <= line <= fold.last), 0)


@dataclass(frozen=True, slots=True)
class Term:
    """A named term of a page: its name, and the number of its colour."""

    name: str
    color: int


class Token(NamedTuple):
    """
    A piece of a code line: its text and the short style class that Pygments gives it.

    `href` leads to the definition of the name that the piece is, where that is certain. `terms` are
    what the name stands for in the formulas of the page. A module has thousands of tokens, and a
    named tuple is made in a third of the time that a frozen dataclass takes.
    """

    style: str
    text: str
    href: str = ""
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeLine:
    """
    One line of code, with its true number in the file.

    `shapes` are the sizes of the arrays that it made when the module was last run. Lines with the
    same `fold` are shown closed together; 0 is in the open.
    """

    number: int
    html: Markup
    shapes: str = ""
    fold: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page, for the outline. `level` is 1 to 6, `title` plain text."""

    level: int
    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class Message:
    """
    One translatable block of a page.

    `text` is its normalised Markdown, the key in the catalogue. `role` says what it is
    (`paragraph`, `heading 2`, `item`, `cell`), `anchor` the section that holds it, `line` where
    it starts in the file. `formulas` spells out the placeholders `{math1}`, `{math2}` of the text.
    `context` tells equal texts apart that need different translations, `note` is the author's word
    to the translators.
    """

    text: str
    role: str
    anchor: str
    line: int
    formulas: tuple[str, ...] = ()
    context: str = ""
    note: str = ""

    @property
    def key(self) -> str:
        """What the catalogue is asked for: the text, after its context if it has one."""
        return f"{self.context}\x04{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Fragment:
    """
    The prose of one section, rendered in one language.

    `messages` are the blocks that can be translated, `untranslated` how many of them are shown
    in the source language because the catalogue has nothing usable.
    """

    html: Markup
    headings: tuple[Heading, ...]
    messages: tuple[Message, ...]
    untranslated: int


@dataclass(frozen=True, slots=True)
class Link:
    """An entry of a list of links. `href` is relative to the page that shows it."""

    href: str
    title: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """
    A section as the page shows it: prose on the left, code on the right.

    `used_by` are the lines of other pages that use what the section defines.
    """

    number: int
    anchor: str
    kind: SectionKind
    name: str
    prose: Markup
    code: tuple[CodeLine, ...]
    source_url: str = ""
    used_by: tuple[Link, ...] = ()

    @property
    def parent(self) -> str:
        """The class or function that what the section defines is in, empty at the top."""
        return self.name.rpartition(".")[0]

    @property
    def parts(self) -> tuple[tuple[int, tuple[CodeLine, ...]], ...]:
        """The code, cut where a fold begins or ends: each with its fold, 0 in the open."""
        groups = groupby(self.code, key=attrgetter("fold"))
        return tuple((fold, tuple(lines)) for fold, lines in groups)


@dataclass(frozen=True, slots=True)
class Language:
    """
    A language of the site. `code` is the folder (`zh`), `tag` the BCP 47 tag (`zh-Hans`),
    `name` what the language calls itself, `direction` is `ltr` or `rtl`.
    """

    code: str
    tag: str
    name: str
    direction: Literal["ltr", "rtl"] = "ltr"


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language (or in this one, `current`)."""

    language: Language
    href: str
    url: str
    current: bool
    translated: bool


@dataclass(frozen=True, slots=True)
class Translation:
    """
    How far a page is translated: shown blocks in all, and those in the page's language.

    Of these, `machine` were translated by a machine, `fuzzy` from an earlier text.
    """

    messages: int
    translated: int
    machine: int = 0
    fuzzy: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """
    A block that a page shows in the original, and where a translation can be given.

    `text` is cut to a line; `edit_url` leads to its entry on the forge, `suggest_url` to an issue.
    """

    text: str
    anchor: str
    edit_url: str
    suggest_url: str


@dataclass(frozen=True, slots=True, order=True)
class Picture:
    """
    A picture that pages show: the address of its copy, its width and height in pixels.

    The copy is called by its content, so that no reader sees an old picture in a new page. The size
    is 0 where it is not known.
    """

    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Figure:
    """
    A figure that a module drew: its name, what is to be seen in it, and the drawing.

    `labels` are the words in the drawing that can be translated. `translated` tells whether the
    caption is in the language of the page.
    """

    name: str
    caption: str
    svg: Markup
    labels: tuple[str, ...] = ()
    translated: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in the list of all pages, with those below it."""

    page: Link
    children: tuple["Entry", ...] = ()


@dataclass(frozen=True, slots=True)
class Dependencies:
    """
    Which modules import which, as a picture and as a list.

    `layout` is none where the picture would be too large to be read. `boxes` are the links of its
    boxes, in their order. `imports` are modules, each with those that it imports. Where `folders`
    is true, some boxes are folders.
    """

    layout: Layout | None
    boxes: tuple[Link, ...]
    imports: tuple[tuple[Link, tuple[Link, ...]], ...]
    folders: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A source of the site on the page of all pages."""

    top: Entry
    dependencies: Dependencies | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """
    All that the theme needs to know of one page in one language.

    `address` is the file, relative to the output folder and with the language's folder;
    `root` leads from the page to the output folder, `home` to the front page of the language,
    both relative (`../../`). `url` is the absolute address, empty when the settings name no base.

    `figures` and `output` are what the module showed when it was last run, `notebook` leads to the
    page as a notebook. `dependencies` are those of what is in a folder, `parts` the whole site.
    `edit_line_url` is where the source can be edited at a line, with `{line}` for its number.
    `citation` is the page as an entry of BibTeX, `cited` are those of the papers that it cites.
    """

    kind: PageKind
    address: str
    root: str
    home: str
    url: str
    language: Language
    title: str
    summary: str
    rows: tuple[Row, ...]
    outline: tuple[Heading, ...]
    breadcrumbs: tuple[Link, ...]
    children: tuple[Link, ...]
    alternates: tuple[Alternate, ...]
    translation: Translation
    previous: Link | None = None
    next: Link | None = None
    source_path: str = ""
    source_url: str = ""
    edit_url: str = ""
    edit_line_url: str = ""
    translate_url: str = ""
    passages: tuple[Passage, ...] = ()
    figures: tuple[Figure, ...] = ()
    output: Markup = field(default_factory=Markup)
    has_shapes: bool = False
    notebook: str = ""
    dependencies: Dependencies | None = None
    parts: tuple[Part, ...] = ()
    citation: str = ""
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    """A file to be written: its path relative to the output folder, and its bytes."""

    path: str
    content: bytes = field(repr=False)
