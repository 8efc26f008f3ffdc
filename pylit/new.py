"""
---
title: A first site
summary: Which packages a folder holds, the settings for them, and a site without any settings.
---
# A first site

`pylit new` looks for packages where it stands, in `src/` too, and writes a `pylit.toml` that says
what can be said: the sentence of `pyproject.toml` on the project, the repository that git knows, no
tests, and a folder for the site that nothing else uses. `pylit build PATH` needs no such file:
[`settings_for`][] makes the settings of one package, folder or file, and everything else has its
default.
"""

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from pylit.errors import UsageError
from pylit.model import Problem
from pylit.output import MANIFEST
from pylit.settings import ENDINGS, Settings, SourceRoot
from pylit.walk import SKIPPED_FOLDERS

NO_PACKAGES = frozenset({"tests", "test", "docs", "doc", "examples", "benchmarks", "scripts"})
"""Folders that are often packages for Python, but not what a project is about."""

NO_MODULES = frozenset({"setup.py", "conftest.py", "noxfile.py", "tasks.py", "fabfile.py"})

TESTS = ("tests", "test")
"""Folders inside of a package that its readers do not look for."""

OUTPUTS = ("docs", "site", "_site")
"""Where a site may be written, the most usual first."""

REMOTE = re.compile(
    r"(?:https?://(?:[^@/\s]+@)?|ssh://(?:[^@/\s]+@)?|[\w.-]+@)"
    r"(?P<host>[\w.-]+)(?::\d+)?[:/](?P<path>[\w./~-]+?)(?:\.git)?/?"
)

TEXT = """\
# The settings of this site. Only a source is needed: what stands behind a # is the default, or an
# example, and can be removed. Build the site with `pylit build`, see it grow with `pylit serve`.

title = {title}
{description}

# Where the site will be published. With it pages get a canonical address, and a sitemap is made.
# base_url = "https://example.org/{name}/"

# Where the sources are. Pages link to them, to be read and to be edited.
{repository}

# The folder that the site is written into. It can be made anew at any time, so git may ignore it.
{output}
{sources}
# Patterns of files inside a source: only these, not these, and which come first.
# include = ["core/*"]{exclude}
# order = ["quickstart.py", "core"]

# Pages of Markdown can be a source as well; at is their folder on the site.
# [[source]]
# path = "guides"
# at = "guides"

# Each language has its catalogues in translations/; `pylit i18n update` makes them.
# [languages.ja]
# name = "日本語"

# Macros for formulas, in single quotes.
# [math.macros]
# R = '\\mathbb{{R}}'
"""


EXCLUDE = '\n# exclude = ["tests/*", "_vendor/*"]'


def settings_for(path: str, here: Path) -> Settings:
    """
    The settings of a site of one package, folder or file, written into a free folder of this one.

    Raises `UsageError` when there is no such thing.
    """
    place = Path(os.path.abspath(here / path))
    folder = Path(os.path.abspath(here))
    if not place.exists():
        message = "there is no such file or folder; name a package, a folder or a file to publish"
        raise UsageError(Problem(path, 0, 0, message, code="usage"))
    if place.is_file() and not place.name.lower().endswith(ENDINGS):
        message = "no page can be made of this; name a folder, or a .py or .md file"
        raise UsageError(Problem(path, 0, 0, message, code="usage"))
    here = folder
    if not place.is_relative_to(folder):
        folder = place.parent
    name = "." if place == folder else place.relative_to(folder).as_posix()
    title = place.stem if place.is_file() else place.name
    output = free_folder(here)
    settings = Settings(folder, (SourceRoot(name, ""),), title=title, output=output)
    if folder == here:
        return settings
    # Whatever is written is written here, and nothing beside a source somewhere else.
    return replace(settings, output=str(here / output), cache=str(here / settings.cache))


def find_packages(folder: Path) -> list[str]:
    """
    The packages in a folder, or in its `src`, by their paths.

    Where there are none, modules that stand for themselves. Some may have names that no site can
    hold, see [`is_nameable`][].
    """
    found: list[str] = []
    for place in (folder, folder / "src"):
        found += [
            init.parent.relative_to(folder).as_posix()
            for init in sorted(place.glob("*/__init__.py"))
            if not init.parent.name.startswith(".")
            and init.parent.name not in NO_PACKAGES | SKIPPED_FOLDERS | {"src"}
        ]
    if found:
        return found
    return [
        module.relative_to(folder).as_posix()
        for place in (folder, folder / "src")
        for module in sorted(place.glob("*.py"))
        if module.name not in NO_MODULES and not module.name.startswith((".", "_", "test_"))
    ]


def is_nameable(path: str) -> bool:
    """Tell whether an address can hold a path; a line break in a name is allowed on a disk."""
    return path.isprintable()


def free_folder(here: Path) -> str:
    """The folder for a site: `docs`, unless something else is in there that is not ours."""
    return next((name for name in OUTPUTS if is_free(here / name)), OUTPUTS[-1])


def is_free(folder: Path) -> bool:
    """Tell whether a folder holds nothing, or a site of ours, or only a word on what it is for."""
    if (folder / MANIFEST).is_file():
        return True
    try:
        names = {entry.name for entry in os.scandir(folder)}
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return all(name.startswith(".") or name == "README.md" for name in names)


def find_description(folder: Path) -> str:
    """What `pyproject.toml` says of the project in one sentence, if it does."""
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        found = project["description"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return found if isinstance(found, str) and found.isprintable() else ""


def find_repository(folder: Path) -> str:
    """The address of the repository for a browser, as far as git's settings name one."""
    config = folder / ".git" / "config"
    try:
        text = config.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    section = text.partition('[remote "origin"]')[2].partition("\n[")[0]
    url = re.search(r"^\s*url\s*=\s*(\S+)", section, re.MULTILINE)
    # Whatever stands before the host, such as a password, is not for a file that is published.
    remote = REMOTE.fullmatch(url[1]) if url else None
    return f"https://{remote['host']}/{remote['path']}" if remote else ""


def settings_text(folder: Path, packages: Sequence[str]) -> str:
    """The text of a `pylit.toml` for these packages in a folder."""
    name = Path(packages[0]).stem
    sources = "".join(source_text(folder, package) for package in packages)
    repository, description = find_repository(folder), find_description(folder)
    output = free_folder(folder)
    repository_line = (
        f"repository = {quoted(repository)}"
        if repository
        else f'# repository = "https://github.com/me/{quote(name)}"'
    )
    return TEXT.format(
        title=quoted(name),
        name=quote(name),
        description=(
            f"description = {quoted(description)}"
            if description
            else '# description = "One sentence for search engines."'
        ),
        repository=repository_line,
        output='# output = "docs"' if output == "docs" else f"output = {quoted(output)}",
        sources=sources,
        # A key may be there once.
        exclude="" if test_folders(folder, packages[-1]) else EXCLUDE,
    )


def source_text(folder: Path, package: str) -> str:
    """The lines of one source."""
    tests = test_folders(folder, package)
    patterns = ", ".join(quoted(f"{name}/*") for name in tests)
    exclude = f"exclude = [{patterns}]\n" if tests else ""
    return f"\n[[source]]\npath = {quoted(package)}\n{exclude}"


def test_folders(folder: Path, package: str) -> list[str]:
    """The folders of tests inside a package."""
    return [name for name in TESTS if (folder / package / name).is_dir()]


def quoted(text: str) -> str:
    """A text as TOML writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
