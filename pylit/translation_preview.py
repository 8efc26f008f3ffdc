"""
---
title: The translators' preview
summary: What a page's passages are, for a panel that a server shows beside them.
---
# The translators' preview

While translators look at a site with `pylit serve --translate`, each block of a page says in
`data-message` which message it is, and beside the page lies a file that says of each message in
which state it is, where it stands in the source and in the catalogue, and what is wrong with it.
Both are made only where the settings have [`previewed`](settings.html) languages, as the server's
do: a site that is written has nothing of it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from pylit.catalog import Catalog, State
from pylit.model import Message, Output
from pylit.page_draft import PageDraft
from pylit.settings import Settings
from pylit.theme import Theme

OWN = ".pylit/"
"""Where the server's own files are. No page has this address, since hidden folders have none."""

PANEL = "live/panel.html"


@dataclass(frozen=True, slots=True)
class Segment:
    """
    A message of a page, as the panel shows it.

    `place` is where the source has it, `entry` where the catalogue does; `listed` tells whether the
    catalogue has an entry for it at all.
    """

    state: State
    role: str
    source: str
    text: str
    note: str
    context: str
    formulas: tuple[str, ...]
    faults: tuple[str, ...]
    place: str
    entry: str
    listed: bool


def preview_path(address: str) -> str:
    """Where the server has the segments of a page."""
    return f"{OWN}translate/{address}.json"


def preview_outputs(
    settings: Settings,
    theme: Theme,
    drafts: Mapping[tuple[str, str], PageDraft],
    catalogs: Mapping[tuple[str, str], Catalog],
) -> list[Output]:
    """The segments of each page of the previewed languages, with the panel in that language."""
    outputs: list[Output] = []
    panels = {
        language.code: theme.render(PANEL, language, me=language)
        for language in settings.languages
        if language.code in settings.previewed
    }
    for (code, address), draft in drafts.items():
        if code not in panels or not draft.messages:
            continue
        path, catalog = draft.module.source.path, catalogs[code, address]
        segments = [asdict(segment(message, path, catalog)) for message in draft.messages]
        content = json.dumps({"panel": panels[code], "segments": segments}, ensure_ascii=False)
        outputs.append(Output(preview_path(f"{code}/{address}"), content.encode()))
    return outputs


def segment(message: Message, path: str, catalog: Catalog) -> Segment:
    """What the panel shows of one message."""
    entry = catalog.entries.get(message.key)
    line = entry.line if entry else 0
    return Segment(
        catalog.state(message.key),
        message.role,
        message.text,
        entry.text if entry else "",
        message.note,
        message.context,
        message.formulas,
        tuple(problem.message for problem in catalog.problems if line and problem.line == line),
        f"{path}:{message.line}",
        f"{catalog.path}:{line}" if entry else catalog.path,
        entry is not None,
    )
