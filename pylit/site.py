"""
---
title: The pipeline
summary: The one place that knows the order of the steps from settings to files.
---
# The pipeline

1. [**Read**](reading.html) every source file of the site.
2. **Parse** each into sections.
3. **Index** all pages, anchors and defined names.
4. **Draft** each page in each language: prose becomes HTML, blocks are translated.
5. **Typeset** all formulas of the site at once, none of them twice.
6. **Assemble** the pages, and let the **theme** make them text.

Nothing is written here: the build is a value, so the command line, the tests and a server can all
use the same function. What is wrong with the content is gathered as problems, and the other pages
are built all the same.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pylit import __version__
from pylit.assembly import assemble_pages
from pylit.cache import key_of
from pylit.cite import with_citations
from pylit.contents import with_contents
from pylit.drafting import draft_pages, load_catalogs, make_ahead
from pylit.errors import PylitError
from pylit.evidence import with_evidence
from pylit.links import Index
from pylit.math.styles import Assets, Use, assets_of, find_use, merge
from pylit.math.typeset import (
    Formula,
    FormulaError,
    Typeset,
    Typesetter,
    TypesetterUnavailable,
    plain_texts,
)
from pylit.model import Language, Output, Page, Problem
from pylit.navigation import Key, anchor_problems
from pylit.notebook import add_notebooks
from pylit.page import Finished, finish_prose
from pylit.page_draft import PageDraft, formula_problems, formulas, term_names
from pylit.parallel import share
from pylit.pieces import Pieces, key_of_value
from pylit.reading import Progress, quiet, read
from pylit.sanitize import holds_script
from pylit.search import search_scripts
from pylit.settings import Settings
from pylit.terms import term_colors, term_problems
from pylit.theme import Theme, theme_digest
from pylit.translation_page import status_outputs, with_help
from pylit.translation_preview import preview_outputs

CONTAINER = "<mjx-container"
"""Where this is not, there is no formula."""


@dataclass(frozen=True, slots=True)
class Build:
    """A site, made but not written: its files, its pages, and what was wrong with it."""

    outputs: tuple[Output, ...]
    pages: tuple[Page, ...]
    problems: tuple[Problem, ...]


def build(
    settings: Settings,
    languages: Sequence[Language] = (),
    progress: Progress = quiet,
    pieces: Pieces | None = None,
) -> Build:
    """
    Make the whole site, or the pages of some languages of it.

    Whatever is asked for, all languages are drafted: a page says in which others it can be read.
    `pieces` is what an earlier build of this process left; a piece that has not changed is not made
    again.

    Raises `PylitError` for what no page could be made with: a faulty template, no typesetter.
    """
    pieces = pieces or Pieces(settings.folder / settings.cache)
    step = pieces.profile.step
    parsed = read(settings, progress, pieces)
    with step("catalogs"):
        catalogs = load_catalogs(settings, parsed, pieces)
    theme = load_theme(settings, pieces)
    shared = make_ahead(settings, parsed, catalogs, theme, progress, pieces)
    shown = quiet if shared else progress
    drafts, draft_problems = draft_pages(settings, parsed, catalogs, shown, pieces)
    problems = [*parsed.problems, *draft_problems, *anchor_problems(drafts, settings, pieces)]
    typeset = typeset_all(settings, drafts, progress, pieces)
    problems.extend(typeset_problems(drafts, typeset, pieces))
    finished = finish_pages(settings, drafts, typeset, theme, pieces)
    problems.extend(named_problems(finished, settings, pieces))
    outputs = theme.load_assets(math_assets(settings, finished, pieces))
    pages = assemble_pages(settings, parsed, finished, theme, pieces)
    with step("evidence"):
        pages = [
            with_evidence(
                with_help(page, drafts.get(key), catalogs.get(key), settings),
                parsed.evidence.get(page.source_path),
                catalogs.get(key),
                settings.language,
            )
            for page in pages
            for key in (key_of_page(page, settings),)
        ]
    pages, notebooks = add_notebooks(settings, parsed.modules, pages, pieces)
    outputs.extend(notebooks)
    words = {code: site.title for code, site in theme.sites.items()}
    pages, cite_problems = with_citations(settings, parsed.modules, words, pages)
    problems.extend(cite_problems)
    with step("contents"):
        pages = with_contents(settings, parsed, pages, pieces)
    with step("search"):
        texts = plain_texts(typeset.values())
        scripts = search_scripts(pages, settings.all_languages, settings.language, texts, pieces)
        outputs.extend(theme.search(scripts))
    wanted = [page for page in pages if not languages or page.language in languages]
    outputs.extend(render_pages(settings, wanted, theme, progress, pieces))
    with step("other files"):
        outputs.extend(theme.extra(page for page in pages if is_indexed(page)))
        paths = paths_of(parsed.index)
        copied = copied_files(settings, paths, drafts)
        outputs.extend(copied)
        problems.extend(script_problems(copied, paths))
        made_status, status_problems = status_outputs(settings, theme, pages, drafts, catalogs)
        outputs.extend(made_status)
        outputs.extend(preview_outputs(settings, theme, drafts, catalogs))
        problems.extend(status_problems)
    pieces.finish()
    outputs, clashes = without_clashes(outputs)
    return Build(tuple(outputs), tuple(wanted), tuple(sorted({*problems, *clashes})))


def without_clashes(outputs: Sequence[Output]) -> tuple[list[Output], list[Problem]]:
    """Keep the first of two files with one place, also where `A` and `a` are the same."""
    first: dict[str, Output] = {}
    problems: list[Problem] = []
    for output in outputs:
        known = first.setdefault(output.path.casefold(), output)
        if known is not output and (known.path, known.content) != (output.path, output.content):
            message = (
                f"two files of the site would be {output.path}; rename a source, a folder that is"
                " called like a language, or a picture"
            )
            problems.append(Problem(output.path, 0, 0, message, code="address"))
    return list(first.values()), problems


def load_theme(settings: Settings, pieces: Pieces) -> Theme:
    """The templates of the site; those of the last build, unless a file of theirs has changed."""
    parts = (settings, theme_digest(settings))
    return pieces.remake(("templates",), parts, partial(Theme, settings, __version__, pieces))


def render_pages(
    settings: Settings, pages: Sequence[Page], theme: Theme, progress: Progress, pieces: Pieces
) -> list[Output]:
    """Make the pages text."""
    theme_key = theme.key()
    keys: list[str] = []
    for page in pages:
        parts = (page, theme_key, *theme.assets.values(), theme.math_font)
        place = key_of_page(page, settings)
        make = partial(key_of_text, page, place, theme, pieces)
        keys.append(pieces.remake(("key", *place), parts, make))

    def work(item: tuple[Page, str]) -> Output:
        return recall_page(*item, settings, theme, pieces)

    items = list(zip(pages, keys, strict=True))
    missing = [item for item in items if not pieces.has("render", item[1])]
    known = len(items) - len(missing)
    if missing and pieces.jobs > 1:
        # The templates are compiled for this page; the processes that we start then have them.
        work(missing[0])
    shared = share(
        pieces,
        missing,
        lambda item: sum(len(row.prose) for row in item[0].rows),
        work,
        lambda done: progress("rendering", known + done, len(items)),
    )
    outputs: list[Output] = []
    for number, item in enumerate(items, 1):
        if not shared:
            progress("rendering", number, len(items))
        name = ("output", *key_of_page(item[0], settings))
        outputs.append(pieces.remake(name, item[1:], partial(work, item)))
    return outputs


def key_of_text(page: Page, place: Key, theme: Theme, pieces: Pieces) -> str:
    """What the text of a page depends on. The search has asked for the key of its rows before."""
    rows = pieces.key_of_value(("rows key", *place), page.rows)
    rest = key_of_value(replace(page, rows=()))
    return key_of(theme.key(), repr(theme.assets), theme.math_font, rows, rest)


def recall_page(page: Page, key: str, settings: Settings, theme: Theme, pieces: Pieces) -> Output:
    """A page as an earlier build left its text on disk, or a new one."""
    code, address = key_of_page(page, settings)
    make = partial(render_page, page, theme)
    text = pieces.get("render", key, str, make, address, code, lasting=False)
    return Output(page.address, text.encode())


def render_page(page: Page, theme: Theme) -> str:
    """The text of a page."""
    return theme.page(page).content.decode()


def typeset_all(
    settings: Settings, drafts: Mapping[Key, PageDraft], progress: Progress, pieces: Pieces
) -> dict[Formula, Typeset | FormulaError]:
    """Typeset the formulas of all pages, none of them twice."""
    found = (
        formula for key, page in drafts.items() for formula in page_formulas(key, page, pieces)
    )
    wanted = tuple(dict.fromkeys(found))
    make = partial(typeset_formulas, settings, wanted, progress)
    return pieces.remake(("typeset",), (wanted, settings.macros), make)


def typeset_problems(
    drafts: Mapping[Key, PageDraft],
    typeset: Mapping[Formula, Typeset | FormulaError],
    pieces: Pieces,
) -> list[Problem]:
    """What is wrong with formulas; only pages that have a faulty one are looked through."""
    faulty = {formula for formula, result in typeset.items() if isinstance(result, FormulaError)}
    return [
        problem
        for key, page in drafts.items()
        if not faulty.isdisjoint(page_formulas(key, page, pieces))
        for problem in formula_problems(page, typeset)
    ]


def page_formulas(key: Key, page: PageDraft, pieces: Pieces) -> list[Formula]:
    """The formulas of a page."""
    return pieces.remake(("formulas", *key), (page,), partial(formulas, page))


def typeset_formulas(
    settings: Settings, wanted: Sequence[Formula], progress: Progress
) -> dict[Formula, Typeset | FormulaError]:
    """Typeset formulas, or say in one sentence why none can be."""
    cache = settings.folder / settings.cache
    try:
        with Typesetter(settings.macros, cache=cache, jobs=os.cpu_count() or 1) as typesetter:
            return typesetter.typeset(
                wanted, lambda done, total: progress("typesetting", done, total)
            )
    except TypesetterUnavailable as error:
        raise PylitError(Problem("pylit", 0, 0, str(error), code="math")) from None
    except ValueError as error:
        raise PylitError(Problem("pylit.toml", 0, 0, str(error), code="settings")) from None


def finish_pages(
    settings: Settings,
    drafts: Mapping[Key, PageDraft],
    typeset: Mapping[Formula, Typeset | FormulaError],
    theme: Theme,
    pieces: Pieces,
) -> dict[Key, Finished]:
    """Put the formulas into all pages. A term has the colour that it has in the source language."""
    theme_key = theme.key()
    templates = {code: theme.math(language) for code, language in by_code(settings).items()}
    colors = {
        address: pieces.remake(
            ("terms", code, address), (page.module,), partial(term_colors, page.module)
        )
        for (code, address), page in drafts.items()
        if code == settings.language.code
    }
    finished: dict[Key, Finished] = {}
    for (code, address), page in drafts.items():
        # A formula looks the same as long as its macros do, and those are in the key.
        parts = (page, colors[address], settings.macros, theme_key)
        make = partial(finish_prose, page, typeset, templates[code], colors[address])
        finished[code, address] = pieces.remake(("insert", code, address), parts, make)
    return finished


def math_assets(settings: Settings, finished: Mapping[Key, Finished], pieces: Pieces) -> Assets:
    """The styles and fonts of the formulas of all pages."""
    use = merge(
        pieces.remake(("formula use", *key), (page,), partial(use_of, page))
        for key, page in finished.items()
    )
    cache = settings.folder / settings.cache
    return pieces.remake(("fonts",), (use,), partial(assets_of, use, "fonts/", cache=cache))


def use_of(page: Finished) -> Use:
    """What occurs in the formulas of a page."""
    return find_use(fragment.html for fragment in page.fragments if CONTAINER in fragment.html)


def named_problems(
    finished: Mapping[Key, Finished], settings: Settings, pieces: Pieces
) -> list[Problem]:
    """What is wrong with the named terms of all pages."""
    problems: list[Problem] = []
    for (code, address), page in finished.items():
        module = page.draft.module
        if code == settings.language.code and (page.colors or module.terms):
            parts = (module, term_names(page.draft))
            make = partial(term_problems, *parts)
            problems.extend(pieces.remake(("named", code, address), parts, make))
    return problems


def by_code(settings: Settings) -> dict[str, Language]:
    """The languages of the site by their codes."""
    return {language.code: language for language in settings.all_languages}


def key_of_page(page: Page, settings: Settings) -> Key:
    """The language and the address by which the drafts know a page."""
    code = page.language.code
    prefix = "" if page.language == settings.language else f"{code}/"
    return code, page.address.removeprefix(prefix)


def is_indexed(page: Page) -> bool:
    """Tell whether search engines are to list a page: enough of it is in its language."""
    return any(alternate.current and alternate.translated for alternate in page.alternates)


def paths_of(index: Index) -> dict[str, str]:
    """The files that pages may show or link to, by the addresses of their copies."""
    paths = {address: path for path, address in index.files.items()}
    shown = {picture.address: paths[address] for address, picture in index.pictures.items()}
    return {**paths, **shown}


def copied_files(
    settings: Settings, paths: Mapping[str, str], drafts: Mapping[Key, PageDraft]
) -> list[Output]:
    """The pictures and other files that pages show or link to."""
    used = {
        reference.target.address
        for page in drafts.values()
        for section in page.sections
        for reference in section.references
    }
    return [
        Output(address, (settings.folder / paths[address]).read_bytes())
        for address in sorted(used & paths.keys())
    ]


def script_problems(copied: Sequence[Output], paths: Mapping[str, str]) -> list[Problem]:
    """The pictures that hold a script."""
    message = (
        "this picture holds a script, which runs when a reader opens the picture by itself; save it"
        " without scripts, as plain SVG"
    )
    return [
        Problem(paths[output.path], 0, 0, message, "warning", "image")
        for output in copied
        if holds_script(output.path, output.content)
    ]
