"""
---
title: Which versions are installed
summary: Names of folders say it, without reading what is in them.
---
# Which versions are installed

Each distribution has a folder beside its modules that is called after it, such as
`jinja2-3.1.6.dist-info`. Python's own `importlib.metadata` reads these folders, and takes longer
for it than a build takes that has nothing to do. The names are enough.
"""

import os
import re
import sys
from collections.abc import Mapping
from functools import cache

FOLDER = re.compile(
    r"(?P<name>.+?)-(?P<version>[^-]+)(?:-[^-]+)*\.(?:dist|egg)-info", re.IGNORECASE
)


@cache
def installed() -> Mapping[str, str]:
    """The version of each installed distribution, by its name in small letters with `_` for `-`."""
    found: dict[str, str] = {}
    for place in sys.path:
        try:
            names = os.listdir(place or ".")
        except OSError:
            continue
        for name in names:
            if folder := FOLDER.fullmatch(name):
                key = re.sub(r"[-_.]+", "_", folder["name"]).lower()
                # What comes first on the path is what is imported.
                found.setdefault(key, folder["version"])
    return found
