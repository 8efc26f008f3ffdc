"""
What the browser tests share: this repository's site, a small site of hard cases, and Chromium.

Pages are opened from the disk, as a reader without a server would open them. Nothing here waits
for a time to pass: a test waits for what it wants to see.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

ARGUMENTS = [
    "--no-sandbox",  # CI runs as root, where Chromium's sandbox cannot start.
    "--disable-gpu",  # The same pixels on every machine.
    "--no-first-run",
    "--disable-background-networking",  # These three keep Chromium's own requests out of the way.
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str:
    """The browser of the system; Playwright's own would be a large download."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    message = "there is no Chromium: install it (on Debian: apt-get install chromium)"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def build_site(config: Path, output: Path) -> Path:
    """Build a site by the command line, as its author would."""
    command = [sys.executable, "-m", "pylit", "build", "--config", config, "--output", output]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    # With a fault in the content, which other tests report, all pages are written nonetheless.
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return output


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is. Asked for first, so that no site is built in vain."""
    return find_chromium()


@pytest.fixture(scope="session")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this repository's site."""
    return build_site(ROOT / "pylit.toml", tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def hard_site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small site of what is hard to show."""
    folder = tmp_path_factory.mktemp("hard")
    shutil.copytree(HERE / "hard", folder / "hard")
    return build_site(folder / "hard" / "pylit.toml", folder / "site")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests; each page is opened in a context of its own."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield started
        started.close()


@dataclass
class Watched:
    """A page, what it printed to the console, and what it asked for."""

    page: Page
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


@pytest.fixture
def watch(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Open a page of a site, and note what it says and asks for."""
    contexts: list[BrowserContext] = []

    def show(
        folder: Path,
        address: str,
        *,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        scripts: bool = True,
        before: str = "",
    ) -> Watched:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            java_script_enabled=scripts,
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        if before:
            context.add_init_script(before)
        page = context.new_page()
        watched = Watched(page)
        page.on("console", lambda message: watched.messages.append(message.text))
        page.on("pageerror", lambda error: watched.messages.append(str(error)))
        page.on("request", lambda request: watched.requests.append(request.url))
        page.on("requestfailed", lambda request: watched.failed.append(request.url))
        path, _, place = address.partition("#")
        page.goto((folder / path).as_uri() + (f"#{place}" if place else ""))
        page.evaluate("document.fonts.ready.then(() => null)")
        return watched

    yield show
    for context in contexts:
        context.close()


@pytest.fixture
def visit(watch: Callable[..., Watched]) -> Callable[..., Page]:
    """Open a page of a site."""

    def show(folder: Path, address: str, **options: object) -> Page:
        return watch(folder, address, **options).page

    return show
