"""
---
title: Help with translations
summary: What readers can do, per passage, per page, and on a page for the language.
---
# Help with translations

Whoever reads a page that is not complete can help from there. Each passage that is shown in the
original has two links: to its entry in the catalogue, at its line on the forge, and to a new issue
that is filled in already, for those who do not use git.

Each language has a page, `<language>/translation.html`, that says how far it is and lists the pages
that most want help, and a small picture of that number, `<language>/translation.svg`, to be shown
in a readme.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from pylit.catalog import Catalog
from pylit.check_markup import short
from pylit.links import Target, relative
from pylit.model import Alternate, Language, Output, Page, Passage, Problem, Translation
from pylit.page_draft import PageDraft
from pylit.pseudo import is_pseudo
from pylit.settings import Settings
from pylit.theme import Theme
from pylit.translation_status import PageStatus, most_wanted, page_status, total

NAME, BADGE = "translation.html", "translation.svg"
LISTED = 30
"""So many passages of a page are listed; who has translated them finds the next ones."""

QUOTED = 1500
"""So much of a passage goes into an issue, since addresses cannot be of any length."""


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A page on the list of those that want help."""

    status: PageStatus
    title: str
    href: str
    edit_url: str


def with_help(
    page: Page, draft: PageDraft | None, catalog: Catalog | None, settings: Settings
) -> Page:
    """The same page with the passages that want help, and the states of what it shows."""
    if draft is None or catalog is None or page.language == settings.language:
        return page
    states = [catalog.state(message.key) for message in draft.messages]
    shown = page.translation
    translation = Translation(
        shown.messages,
        shown.translated,
        states.count("machine") if "machine" in catalog.shown else 0,
        states.count("fuzzy") if "fuzzy" in catalog.shown else 0,
    )
    missing = [m for m in draft.messages if catalog.find(m.key) is None] if catalog.exists else []
    passages: dict[str, Passage] = {}
    for message in missing[:LISTED]:
        entry = catalog.entries.get(message.key)
        line = entry.line if entry else 1
        edit_url, suggest_url = "", ""
        if settings.source_url and entry:
            edit_url = settings.source_url.format(path=quote(catalog.path), line=line)
        if settings.i18n.suggest_url:
            suggest_url = suggestion(settings, page, f"{catalog.path}:{line}", message.text)
        passages[message.key] = Passage(
            short(message.text, 80), message.anchor, edit_url, suggest_url
        )
    return replace(page, translation=translation, passages=tuple(passages.values()))


def suggestion(settings: Settings, page: Page, place: str, text: str) -> str:
    """The address of a new issue that asks for nothing but the translation."""
    title = f"{page.language.code}: {page.title}"
    body = f"{page.url or page.address}\n{place}\n\n> {short(text, QUOTED)}\n\n"
    url = settings.i18n.suggest_url
    for name, value in (("title", title), ("body", body)):
        url = url.replace(f"{{{name}}}", quote(value, safe=""))
    return url


def status_outputs(
    settings: Settings,
    theme: Theme,
    pages: Sequence[Page],
    drafts: Mapping[tuple[str, str], PageDraft],
    catalogs: Mapping[tuple[str, str], Catalog],
) -> tuple[list[Output], list[Problem]]:
    """The page and the picture of each language, and a problem where a page is in the way."""
    outputs: list[Output] = []
    problems: list[Problem] = []
    titles = {page.address: page.title for page in pages}
    for page in pages:
        # The page of a source has the better right to its address.
        if page.address == NAME:
            message = f"{NAME} is where each language says how far it is; rename this page"
            problems.append(Problem(page.source_path, 0, 0, message, "warning", "address"))
            return outputs, problems
    languages = [item for item in settings.languages if not is_pseudo(item)]
    for language in languages:
        statuses: list[PageStatus] = []
        for (code, address), draft in drafts.items():
            if code != language.code:
                continue
            catalog, path = catalogs[code, address], draft.module.source.path
            if draft.messages and (settings.is_translated(path) or catalog.exists):
                statuses.append(page_status(address, path, draft.messages, catalog))
        rows = [
            StatusRow(
                status,
                titles.get(f"{language.code}/{status.address}", status.address),
                relative(Target(status.address), NAME),
                settings.edit_url.format(path=quote(status.catalog), line=1)
                if settings.edit_url and catalogs[language.code, status.address].exists
                else "",
            )
            for status in most_wanted(statuses)
        ]
        made = status_page(settings, language, languages)
        sum_of_all = total(statuses)
        outputs.append(theme.translation(made, sum_of_all, rows))
        outputs.append(theme.badge(f"{language.code}/{BADGE}", language, sum_of_all))
    return outputs, problems


def status_page(settings: Settings, language: Language, languages: Sequence[Language]) -> Page:
    """The frame of a language's page; in the original language its front page stands for it."""
    alternates = [
        Alternate(settings.language, "../index.html", "", current=False, translated=True),
        *(
            Alternate(other, f"../{quote(other.code)}/{NAME}", "", other == language, True)
            for other in languages
        ),
    ]
    return Page(
        "translation", f"{language.code}/{NAME}", "../", "index.html", "", language,
        settings.title, "", (), (), (), (), tuple(alternates), Translation(0, 0),
    )  # fmt: skip
