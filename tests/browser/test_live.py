"""The live preview in a real browser: an edit is seen, the place is kept, faults come and go."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60_000
"""Milliseconds after which something that should happen at once has not happened."""


def section(number: int, words: str = "") -> str:
    prose = " ".join([f"Paragraph {number} of this page."] * 12)
    return f'\n\ndef f{number}():\n    """\n    ## Part {number}\n\n    {words}{prose}\n    """\n'


def module(*, changed: int = -1, words: str = "") -> str:
    parts = [section(number, words if number == changed else "") for number in range(30)]
    return '"""# Long"""\n' + "".join(parts)


@dataclass
class Served:
    """A site that is served, and the folder of its sources."""

    address: str
    source: Path


@pytest.fixture
def served(chromium: str, tmp_path: Path) -> Iterator[Served]:
    source = tmp_path / "src"
    source.mkdir()
    (source / "long.py").write_text(module())
    (source / "other.md").write_text("# Other\n")
    (source / "zero.md").write_text("# Zero\n")
    (tmp_path / "pylit.toml").write_text('[[source]]\npath = "src"\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "pylit", "serve", "--port", "0"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdout
    yield Served(process.stdout.readline().split()[0], source)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "Traceback" not in said


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def save(file: Path, text: str) -> None:
    """Save as editors do: a new file takes the place of the old one."""
    new = file.with_name(f".{file.name}.new")
    new.write_text(text)
    os.replace(new, file)


def test_an_edit_is_seen_where_the_reader_is(served: Served, page: Page) -> None:
    page.goto(f"{served.address}long.html")
    other = page.context.new_page()
    other.goto(f"{served.address}zero.html")
    other.evaluate("window.stayed = true")
    page.evaluate("document.getElementById('f15').scrollIntoView({block: 'start'})")
    place = "document.getElementById('f15').getBoundingClientRect().top"
    before = page.evaluate(place)
    # Far above: what is read must not move although the page grows.
    save(served.source / "long.py", module(changed=2, words="Changed above. " * 40))
    expect(page.locator("#f2")).to_contain_text("Changed above.", timeout=PATIENCE)
    expect(page.locator("html")).to_have_attribute("data-pylit-settled", "", timeout=PATIENCE)
    assert page.evaluate("scrollY") > 1000
    assert abs(page.evaluate(place) - before) < 2
    # In the very row that is read.
    save(served.source / "long.py", module(changed=15, words="Changed *here*. "))
    expect(page.locator("#f15 em")).to_have_text("here", timeout=PATIENCE)
    expect(page.locator("html")).to_have_attribute("data-pylit-settled", "", timeout=PATIENCE)
    assert abs(page.evaluate(place) - before) < 2
    assert other.evaluate("window.stayed") is True


def test_faults_are_shown_and_vanish(served: Served, page: Page) -> None:
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(f"{served.address}long.html")
    overlay = page.locator("pylit-problems")
    expect(overlay).to_have_count(0)
    save(served.source / "long.py", "def f(:\n")
    expect(overlay.get_by_role("status")).to_contain_text("1 problem", timeout=PATIENCE)
    expect(overlay.locator("code")).to_have_text("src/long.py:1:7")
    # The page as it was before is still there to be read, and the overlay can be put away.
    expect(page.locator("#f15")).to_have_count(1)
    overlay.get_by_role("button", name="Hide").click()
    expect(overlay).to_have_count(0)
    save(served.source / "other.md", "# Other\n\n[gone](gone.html)\n")
    expect(overlay.get_by_role("status")).to_contain_text("2 problems", timeout=PATIENCE)
    save(served.source / "long.py", module())
    save(served.source / "other.md", "# Other\n")
    expect(overlay).to_have_count(0, timeout=PATIENCE)
    assert messages == []


def test_a_page_appears_where_there_was_none(served: Served, page: Page) -> None:
    page.goto(f"{served.address}later/new.html")
    expect(page.locator("h1")).to_have_text("There is no such page")
    (served.source / "later").mkdir()
    save(served.source / "later/new.md", "# New\n")
    expect(page.locator("h1")).to_have_text("New", timeout=PATIENCE)
