"""The translators' preview in a real browser: states, the panel, the next passage, an edit."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60_000
"""Milliseconds after which something that should happen at once has not happened."""

FILLING = "\n\n".join(f"Paragraph {number} of this page." for number in range(40))
SOURCE = f"""# Attention

Each query looks at [all keys](a.md).

A machine's work

Old words

{FILLING}

Scale by $d$.

Before
$$x = 1$$
and behind it.
"""
FILLED = "\n".join(
    f'msgid "Paragraph {number} of this page."\nmsgstr "本页第 {number} 段。"\n'
    for number in range(40)
)
CATALOGUE = f"""msgid "Attention"
msgstr "注意力"

msgid "Each query looks at [all keys](a.md)."
msgstr "每个查询都会查看[所有键](a.md)。"

# pylit: machine
msgid "A machine's work"
msgstr "机器的工作"

#, fuzzy
msgid "Old words"
msgstr "旧的词语"

{FILLED}
msgid "Scale by $d$."
msgstr "除以 $e$。"
"""
FAULTY = CATALOGUE[: CATALOGUE.index('msgid "Scale')].count("\n") + 1


@dataclass
class Served:
    """A site that is served to its translators, and its catalogue."""

    address: str
    catalogue: Path


@pytest.fixture
def served(chromium: str, tmp_path: Path) -> Iterator[Served]:
    catalogue = tmp_path / "translations/zh/a.po"
    for file, text in (
        (tmp_path / "src/a.md", SOURCE),
        (catalogue, CATALOGUE),
        (
            tmp_path / "pylit.toml",
            '[[source]]\npath = "src"\n[languages.zh]\ntag = "zh-Hans"\nname = "中文"\n',
        ),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    command = [sys.executable, "-m", "pylit", "serve", "--port", "0", "--lang", "zh", "--translate"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdout
    address = process.stdout.readline().split()[0]
    yield Served(address, catalogue)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "Traceback" not in said


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, served: Served, messages: list[str]) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    # Nothing outside this machine may be asked.
    page.on(
        "request",
        lambda asked: None if "127.0.0.1" in asked.url else messages.append(asked.url),
    )
    page.goto(f"{served.address}a.html")
    expect(page.locator("html")).to_have_attribute("data-pylit-segments", "46", timeout=PATIENCE)
    yield page
    context.close()


def part(page: Page, name: str) -> Locator:
    """A part of the panel."""
    return page.locator(f'pylit-translation [data-part="{name}"]')


def test_passages_are_outlined_and_told_of(served: Served, page: Page, messages: list[str]) -> None:
    assert served.address.endswith("/zh/")
    # The paragraph with a displayed formula has two blocks and is one passage.
    for state, number in (
        ("translated", 42), ("machine", 1), ("fuzzy", 1), ("error", 1), ("empty", 2),
    ):  # fmt: skip
        found = page.locator(f'main [data-translation="{state}"]')
        expect(found).to_have_count(number)
        assert found.first.evaluate("e => getComputedStyle(e).outlineStyle") != "none"
    panel = page.get_by_role("region", name="本段译文")
    expect(panel).to_have_count(0)
    for source, line, state in (
        ("A machine's work", 8, "机器翻译，尚未人工核对"),
        ("Old words", 12, "译自旧版原文"),
        ("Scale by $d$.", FAULTY, "译文有错误，未显示"),
    ):
        page.keyboard.press("n")
        expect(part(page, "source")).to_have_text(source)
        expect(part(page, "entry")).to_have_text(f"translations/zh/a.po:{line}")
        expect(panel.locator("header [data-when]:visible")).to_have_text(state)
        expect(panel).to_be_focused()
    expect(part(page, "place")).to_have_text("src/a.md:89")
    expect(part(page, "faults")).to_be_visible()
    expect(page.locator("main [data-current]")).to_be_in_viewport()
    panel.get_by_role("button", name="下一个待翻译段落").click()
    expect(part(page, "formulas")).to_have_text("{math1} = $$x = 1$$")
    expect(panel.get_by_text("pylit i18n update")).to_be_visible()
    # After the last comes the first.
    page.keyboard.press("n")
    expect(part(page, "source")).to_have_text("A machine's work")
    panel.get_by_role("button", name="复制").last.click()
    expect(panel.get_by_text("已复制")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "translations/zh/a.po:8"
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert messages == []


def test_a_passage_is_chosen_by_keyboard_and_by_mouse(page: Page, messages: list[str]) -> None:
    panel = page.get_by_role("region", name="本段译文")
    heading = page.locator("main h1")
    heading.focus()
    page.keyboard.press("Enter")
    expect(part(page, "source")).to_have_text("Attention")
    expect(part(page, "text")).to_have_text("注意力")
    panel.get_by_role("button", name="关闭").click()
    expect(heading).to_be_focused()
    page.locator("main [data-translation=fuzzy]").click()
    expect(part(page, "source")).to_have_text("Old words")
    # A link in a passage still leads where it leads.
    page.get_by_role("link", name="所有键").click()
    expect(part(page, "source")).to_have_text("Old words")
    assert messages == []


def test_an_edit_of_the_catalogue_is_seen_and_the_panel_stays(
    served: Served, page: Page, messages: list[str]
) -> None:
    for _ in range(3):
        page.keyboard.press("n")
    expect(part(page, "source")).to_have_text("Scale by $d$.")
    place = "document.querySelector('main [data-current]').getBoundingClientRect().top"
    before = page.evaluate(place)
    page.evaluate("window.old = true")
    new = served.catalogue.with_suffix(".new")
    new.write_text(CATALOGUE.replace("$e$", "$d$"))
    os.replace(new, served.catalogue)
    sentence = page.locator("main p[data-current]")
    expect(sentence).to_contain_text("除以", timeout=PATIENCE)
    expect(sentence).to_have_attribute("data-translation", "translated")
    expect(page.locator("html")).to_have_attribute("data-pylit-settled", "", timeout=PATIENCE)
    assert page.evaluate("window.old") is None
    panel = page.get_by_role("region", name="本段译文")
    expect(panel).to_be_focused()
    expect(part(page, "entry")).to_have_text(f"translations/zh/a.po:{FAULTY}")
    expect(part(page, "left")).to_have_text("3")
    assert abs(page.evaluate(place) - before) < 3
    assert messages == []
