"""
---
title: Names of other libraries
summary: A shipped list leads from names of PyTorch, NumPy and Python to the pages of their manuals.
---
# Names of other libraries

The list is the file `inventory.txt` beside this module. A pattern stands on a line of its own, the
names that it serves follow. Names of the standard library need no list: Python itself knows its
modules, and the manual has one page for each. Listed are only the modules inside of others that
have a page of their own, such as `os.path`, and those that have none.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

NO_PAGE = "no page:"
"""Stands in the list where the pattern of other modules does."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """
    Names of other libraries and the pages of their manuals.

    A name is listed under a pattern; `{name}` in the pattern is the dotted name. `modules` are
    modules inside of others with the page on which their names are, or nothing for those that
    have none, or whose names are on several.
    """

    pages: Mapping[str, str]
    modules: Mapping[str, str]

    def find(self, path: str) -> str | None:
        """The page of a dotted name in a manual."""
        if path in self.pages:
            return self.pages[path]
        module, _, name = path.rpartition(".")
        if module in self.modules:
            page = self.modules[module]
            return f"{page}#{path}" if page and name.isidentifier() else None
        if path in self.modules:
            return self.modules[path] or None
        top = path.partition(".")[0]
        if top in sys.stdlib_module_names and not top.startswith("_"):
            if path == top:
                return f"https://docs.python.org/3/library/{top}.html"
            if module == top != "asyncio" and name.isidentifier() and not name.startswith("_"):
                return f"https://docs.python.org/3/library/{top}.html#{path}"
        return None


@cache
def inventory() -> Inventory:
    """Read the shipped list: a pattern on a line of its own, then the names that it serves."""
    pages: dict[str, str] = {}
    modules: dict[str, str] = {}
    pattern = ""
    text = resources.files("pylit").joinpath("inventory.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        line = line.partition("# ")[0].strip()
        if line.startswith("https:") or line == NO_PAGE:
            pattern = line
        elif "{module}" in pattern or pattern == NO_PAGE:
            for name in line.split():
                # The manual writes the addresses of its pages in small letters.
                page = pattern.replace("{module}", name.lower())
                modules[name] = "" if pattern == NO_PAGE else page
        else:
            for name in line.split():
                pages[name] = pattern.replace("{name}", name)
    return Inventory(pages, modules)
