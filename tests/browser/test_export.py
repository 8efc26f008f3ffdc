"""A page in one file, opened from disk: it asks for nothing and looks like the page of the site."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.browser.conftest import ROOT, Watched
from tests.browser.pages import BODY, LONG


def test_an_exported_page_stands_for_itself(
    site: Path, watch: Callable[..., Watched], tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    command = [sys.executable, "-m", "pylit", "export", LONG, "--output", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    exported, original = watch(tmp_path, "page.html"), watch(site, LONG)
    asked = [url for url in exported.requests if not url.startswith("data:")]
    assert asked == [file.as_uri()]
    assert exported.messages == []
    measure = (
        "[...document.querySelectorAll('main .row')].map(row => {"
        " const box = row.getBoundingClientRect(); return [row.id, Math.round(box.height)] })"
    )
    assert exported.page.evaluate(measure) == original.page.evaluate(measure)
    fonts = "[...document.fonts].filter(font => font.status === 'loaded').length"
    assert exported.page.evaluate(fonts) > 0
    # The scripts work, too: a line that is named in the address is lit.
    exported.page.locator(f"#L{BODY}").click()
    exported.page.locator(f"#L{BODY + 1}").click(modifiers=["Shift"])
    assert exported.page.locator(".line.lit").count() == 2
