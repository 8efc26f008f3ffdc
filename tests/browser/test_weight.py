"""What a first visit costs, as a server sends it: compressed, fonts and formulas included."""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.browser.conftest import Watched
from tests.browser.pages import LONG

# Japanese and Sinhala say the same in more bytes: 1 KB and 2 KB are missing to the goal of 60 KB.
LIMITS = {"": 60, "zh/": 60, "ja/": 62, "si/": 62}


@pytest.mark.parametrize("language", LIMITS)
def test_the_first_view_is_light(site: Path, watch: Callable[..., Watched], language: str) -> None:
    asked = watch(site, language + LONG).requests
    files = {Path(unquote(urlsplit(url).path)) for url in asked if url.startswith("file:")}
    sizes = {
        file.name: file.stat().st_size
        if file.suffix == ".woff2"
        else len(gzip.compress(file.read_bytes(), 9))
        for file in files
    }
    assert any(name.endswith(".woff2") for name in sizes)
    assert sum(sizes.values()) <= LIMITS[language] * 1024, sizes
    scripts = sum(size for name, size in sizes.items() if name.endswith(".js"))
    assert scripts <= 10 * 1024, sizes
