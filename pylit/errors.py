"""
---
title: Errors
summary: The exceptions of pylit, a small tree, shown to the user by the command line alone.
---
# Errors

```text
PylitError            anything that pylit says on purpose; exit code 1
├── ParseError        a source file that cannot be split; its page is missing, the others are built
└── UsageError        wrong command line or unreadable settings; exit code 2
    └── SettingsError a key or a value in `pylit.toml`, with its line
```

A `PylitError` carries a [`Problem`](model.html): where it is and what to do about it. Faults of the
*content* are not raised but collected as problems, since the rest of the site can still be built.
"""

from pylit.model import Problem


class PylitError(Exception):
    """Something that pylit says on purpose, in one sentence, with file and line."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class ParseError(PylitError):
    """A source file that cannot be read or split into sections."""


class UsageError(PylitError):
    """A command line or a settings file that pylit cannot act upon."""


class SettingsError(UsageError):
    """A wrong key or value in the settings file."""
