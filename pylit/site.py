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
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from pylit import __version__
from pylit.cache import key_of
from pylit.catalog import Catalog, read_catalog, shown_states
from pylit.cite import with_citations
from pylit.code import highlight, link
from pylit.contents import with_contents
from pylit.errors import PylitError
from pylit.evidence import with_evidence
from pylit.links import Index, Target, relative
from pylit.math.styles import assets
from pylit.math.typeset import Formula, FormulaError, Typeset, Typesetter, TypesetterUnavailable
from pylit.model import Language, Module, Output, Page, PageKind, Problem, Source, Translation
from pylit.navigation import Key, anchor_problems, find_places, page_titles
from pylit.notebook import add_notebooks
from pylit.page import (
    Finished,
    PageDraft,
    assemble,
    catalog_path,
    draft,
    finish_prose,
    formula_problems,
    formulas,
    is_portable,
    term_colors,
    untranslated,
)
from pylit.pieces import Pieces
from pylit.prose import Renderer
from pylit.pseudo import PseudoCatalog, is_pseudo
from pylit.reading import Parsed, Progress, quiet, read
from pylit.references import Use, find_uses
from pylit.sanitize import holds_script
from pylit.search import search_scripts
from pylit.settings import Settings
from pylit.terms import bind_terms, term_problems
from pylit.theme import Theme
from pylit.translation_page import status_outputs, with_help
from pylit.translation_preview import preview_outputs


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
    parsed = read(settings, progress, pieces)
    catalogs = load_catalogs(settings, parsed, pieces)
    drafts, draft_problems = draft_pages(settings, parsed, catalogs, progress, pieces)
    problems = [*parsed.problems, *draft_problems, *anchor_problems(drafts, settings)]
    typeset = typeset_all(settings, drafts, progress, pieces)
    for page in drafts.values():
        problems.extend(formula_problems(page, typeset))
    theme = Theme(settings, __version__)
    finished = finish_pages(settings, drafts, typeset, theme, pieces)
    for (code, address), done in finished.items():
        if code == settings.language.code and (done.colors or done.draft.module.terms):
            named = (done.draft.module, done.colors)
            problems.extend(
                pieces.remake(("terms", address), named, partial(term_problems, *named))
            )
    fragments = tuple(fragment.html for page in finished.values() for fragment in page.fragments)
    cache = settings.folder / settings.cache
    math = pieces.remake("math", fragments, partial(assets, fragments, "fonts/", cache=cache))
    outputs = theme.load_assets(math)
    pages = assemble_pages(settings, parsed, finished, theme, pieces)
    pages = [
        with_help(page, drafts.get(key), catalogs.get(key), settings)
        for page in pages
        for key in (key_of_page(page, settings),)
    ]
    pages = [
        with_evidence(
            page,
            parsed.evidence.get(page.source_path),
            catalogs.get(key_of_page(page, settings)),
            settings.language,
        )
        for page in pages
    ]
    pages, notebooks = add_notebooks(settings, parsed.modules, pages)
    outputs.extend(notebooks)
    words = {code: site.title for code, site in theme.sites.items()}
    pages, cite_problems = with_citations(settings, parsed.modules, words, pages)
    problems.extend(cite_problems)
    pages = with_contents(settings, parsed, pages, pieces)
    theme_key = theme.key()
    scripts = search_scripts(pages, settings.all_languages, settings.language)
    outputs.extend(theme.search(scripts))
    wanted = [page for page in pages if not languages or page.language in languages]
    for number, made in enumerate(wanted, 1):
        progress("rendering", number, len(wanted))
        parts = (made, theme_key, *theme.assets.values(), theme.math_font)
        outputs.append(pieces.remake(("page", made.address), parts, partial(theme.page, made)))
    outputs.extend(theme.extra(page for page in pages if is_indexed(page)))
    copied = copied_files(settings, parsed.files, drafts)
    outputs.extend(copied)
    problems.extend(script_problems(copied, parsed.files))
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


def draft_pages(
    settings: Settings,
    parsed: Parsed,
    catalogs: Mapping[Key, Catalog],
    progress: Progress,
    pieces: Pieces,
) -> tuple[dict[Key, PageDraft], list[Problem]]:
    """
    Draft every page in every language.

    A page without a catalogue is shown in the source language as a whole, so one draft serves all
    languages that have none.
    """
    renderer = Renderer(numbered=bool(settings.previewed))
    drafts: dict[Key, PageDraft] = {}
    problems: list[Problem] = []
    # A draft whose blocks are numbered is another one.
    index_key = parsed.index_key + (" numbered" if settings.previewed else "")
    total, done = len(settings.all_languages) * len(parsed.modules), 0
    for module in parsed.modules:
        for language in settings.all_languages:
            done += 1
            progress("drafting", done, total)
            source = module.source
            catalog = catalogs.get((language.code, source.address))
            original = drafts.get((settings.language.code, source.address))
            if original and catalog and not catalog.exists and is_portable(original, parsed.index):
                page = untranslated(original, language)
            else:
                parts = (module, language, settings.language, catalog)
                make = partial(recall_draft, *parts, parsed.index, index_key, renderer, pieces)
                name = ("draft", language.code, source.address)
                page = pieces.remake(name, (*parts, index_key), make)
            drafts[language.code, source.address] = page
            problems.extend(page.problems)
    return drafts, problems


def recall_draft(
    module: Module,
    language: Language,
    source_language: Language,
    catalog: Catalog | None,
    index: Index,
    index_key: str,
    renderer: Renderer,
    pieces: Pieces,
) -> PageDraft:
    """The draft of a page as an earlier build left it on disk, or a new one."""
    key = key_of(index_key, repr(module), repr(source_language), repr(language), repr(catalog))
    make = partial(draft, module, language, source_language, catalog, index, renderer)
    return pieces.get("draft", key, PageDraft, make)


def load_catalogs(settings: Settings, parsed: Parsed, pieces: Pieces) -> dict[Key, Catalog]:
    """Read the catalogues of all pages; the source language needs none."""
    return {
        (language.code, module.source.address): load_catalog(
            settings, language, module.source.address, pieces
        )
        for language in settings.languages
        for module in parsed.modules
    }


def load_catalog(settings: Settings, language: Language, address: str, pieces: Pieces) -> Catalog:
    """Read the catalogue of a page, unless neither it nor the glossary has changed."""
    if is_pseudo(language):
        return PseudoCatalog(language.code)
    path = catalog_path(settings, language, address)
    shown = shown_states(machine=settings.i18n.machine, fuzzy=settings.i18n.fuzzy)
    file = settings.folder / path
    content = file.read_bytes() if file.is_file() else b""
    make = partial(read_catalog, file, path, language, shown)
    return pieces.remake(("catalog", path), (content, file.exists(), language, shown), make)


def typeset_all(
    settings: Settings, drafts: Mapping[Key, PageDraft], progress: Progress, pieces: Pieces
) -> dict[Formula, Typeset | FormulaError]:
    """Typeset the formulas of all pages, none of them twice."""
    found = (
        formula
        for key, page in drafts.items()
        for formula in pieces.remake(("formulas", key), (page,), partial(formulas, page))
    )
    wanted = tuple(dict.fromkeys(found))
    make = partial(typeset_formulas, settings, wanted, progress)
    return pieces.remake("typeset", (wanted, settings.macros), make)


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
        address: term_colors(page)
        for (code, address), page in drafts.items()
        if code == settings.language.code
    }
    finished: dict[Key, Finished] = {}
    for (code, address), page in drafts.items():
        # A formula looks the same as long as its macros do, and those are in the key.
        parts = (page, colors[address], settings.macros, theme_key)
        make = partial(finish_prose, page, typeset, templates[code], colors[address])
        finished[code, address] = pieces.remake(("finished", code, address), parts, make)
    return finished


def by_code(settings: Settings) -> dict[str, Language]:
    """The languages of the site by their codes."""
    return {language.code: language for language in settings.all_languages}


def assemble_pages(
    settings: Settings,
    parsed: Parsed,
    finished: Mapping[Key, Finished],
    theme: Theme,
    pieces: Pieces,
) -> list[Page]:
    """Assemble the pages of every language, and the one for "not found"."""
    places = find_places([module.source.address for module in parsed.modules], parsed.folders)
    shares: dict[str, dict[str, float]] = {}
    for (language_code, address), done in finished.items():
        shares.setdefault(address, {})[language_code] = done.draft.share
    modules = [module for module in parsed.modules if module.source.path.endswith(".py")]
    uses = {module.source.address: uses_of(module.source, parsed, pieces) for module in modules}
    users = find_users(uses)
    code_lines = {
        module.source.address: pieces.get(
            "code",
            key_of(theme.code_key(), parsed.index_key, repr(module), repr(colors)),
            tuple[Markup, ...],
            partial(color, theme, module, uses[module.source.address], colors),
        )
        for module in modules
        for colors in (finished[settings.language.code, module.source.address].colors,)
    }
    used_on: dict[str, list[tuple[Target, tuple[Target, ...]]]] = {
        address: [] for address in places
    }
    for target, found in users.items():
        used_on.setdefault(target.address, []).append((target, found))
    pages: list[Page] = []
    for language in settings.all_languages:
        titles = page_titles(settings, parsed.folders, finished, language)
        for address in places:
            prose = finished.get((language.code, address))
            lines: Sequence[Markup] = code_lines.get(address, ())
            kind: PageKind = "folder" if prose is None else "module" if lines else "markdown"
            place, used = places[address], used_on[address]
            shown = [address, *place.breadcrumbs, *place.children, place.previous, place.next]
            shown += [user.address for _, found in used for user in found]
            names = {name: titles[name] for name in shown if name}
            share = shares.get(address, {})
            parts = (prose, language, settings, place, names, share, lines, kind, used)
            make = partial(assemble, prose, address, *parts[1:-1], dict(used))
            pages.append(pieces.remake(("assembled", language.code, address), parts, make))
    pages.append(missing_page(settings))
    return pages


def uses_of(source: Source, parsed: Parsed, pieces: Pieces) -> tuple[Use, ...]:
    """What the names of a module refer to."""
    is_package = source.path.endswith("__init__.py")
    key = key_of(parsed.index_key, source.path, source.text)
    make = partial(find_uses, source.text, source.name, is_package, parsed.index)
    return pieces.get("uses", key, tuple[Use, ...], make)


def find_users(uses: Mapping[str, Sequence[Use]]) -> dict[Target, tuple[Target, ...]]:
    """For each definition the lines of other pages that use it, one line a page."""
    users: dict[Target, dict[str, Target]] = {}
    for address, found in uses.items():
        for use in found:
            if use.target and use.target.anchor and use.target.address != address:
                user = Target(address, f"L{use.line}")
                users.setdefault(use.target, {}).setdefault(address, user)
    return {target: tuple(sorted(found.values())) for target, found in users.items()}


def color(
    theme: Theme, module: Module, uses: Sequence[Use], colors: Mapping[str, int]
) -> tuple[Markup, ...]:
    """The lines of a file, highlighted, its names linked to definitions and bound to terms."""
    links: dict[int, list[tuple[int, int, str]]] = {}
    for use in uses:
        href = relative(use.target, module.source.address) if use.target else use.url
        links.setdefault(use.line, []).append((use.start, use.end, href))
    lines = enumerate(highlight(module.source.text), 1)
    linked = [link(line, links.get(number, ())) for number, line in lines]
    return tuple(theme.code(bind_terms(linked, module, colors)))


def missing_page(settings: Settings) -> Page:
    """The page for an address that leads nowhere."""
    language = settings.language
    return Page(
        "missing", "404.html", "", "index.html", "", language, settings.title, "",
        (), (), (), (), (), Translation(0, 0),
    )  # fmt: skip


def key_of_page(page: Page, settings: Settings) -> Key:
    """The language and the address by which the drafts know a page."""
    code = page.language.code
    prefix = "" if page.language == settings.language else f"{code}/"
    return code, page.address.removeprefix(prefix)


def is_indexed(page: Page) -> bool:
    """Tell whether search engines are to list a page: enough of it is in its language."""
    return any(alternate.current and alternate.translated for alternate in page.alternates)


def copied_files(
    settings: Settings, files: Mapping[str, str], drafts: Mapping[Key, PageDraft]
) -> list[Output]:
    """The pictures and other files that pages show or link to."""
    addresses = {address: path for path, address in files.items()}
    used = {
        reference.target.address
        for page in drafts.values()
        for section in page.sections
        for reference in section.references
    }
    return [
        Output(address, (settings.folder / addresses[address]).read_bytes())
        for address in sorted(used & addresses.keys())
    ]


def script_problems(copied: Sequence[Output], files: Mapping[str, str]) -> list[Problem]:
    """The pictures that hold a script."""
    paths = {address: path for path, address in files.items()}
    message = (
        "this picture holds a script, which runs when a reader opens the picture by itself; save it"
        " without scripts, as plain SVG"
    )
    return [
        Problem(paths[output.path], 0, 0, message, "warning", "image")
        for output in copied
        if holds_script(output.path, output.content)
    ]
