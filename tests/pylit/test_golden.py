"""
Every folder of `tests/cases/` holds an input, how it was understood, and what is shown of it.

`sections.txt` is what `pylit sections` says, `page.html` the prose beside the lines of code.
`make golden` writes both anew; what changed is to be read in the diff.
"""

import json
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.model import Page
from pylit.settings_file import read_settings
from pylit.site import build
from tests.conftest import simple, write_files

CASES = Path(__file__).parent.parent / "cases"
SECTIONS, PAGE = "sections.txt", "page.html"
INPUTS = sorted(CASES.glob("*/*/input.*"))


def show(page: Page) -> str:
    """A page as a person can read it: each row's prose, then its lines of code."""
    parts = [f"<!-- {page.title} -->"]
    for row in page.rows:
        parts.append(f"<!-- {row.kind} #{row.anchor} -->")
        if row.prose:
            parts.append(simple(str(row.prose)).strip())
        # What is folded is marked behind its number.
        parts.extend(
            f"{line.number:4}{'>' if line.fold else ' '}{line.html}".rstrip() for line in row.code
        )
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize("file", INPUTS, ids=lambda file: file.parent.name)
def test_case(
    file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    given = [each for each in file.parent.iterdir() if each.name not in (SECTIONS, PAGE)]
    folder = write_files(tmp_path, {f"src/{each.name}": each.read_bytes() for each in given})
    monkeypatch.chdir(folder)
    main(["sections", f"src/{file.name}", "--json"])
    sections = ""
    for line in capsys.readouterr().out.splitlines():
        section = json.loads(line)
        prose, code = (section[key] and "{}-{}".format(*section[key]) for key in ("prose", "code"))
        sections += f"{section['kind']:9} prose {prose}  code {code}  #{section['anchor']}"
        for name in ("folded", "hidden"):
            sections += "".join(f"  {name} {first}-{last}" for first, last in section.get(name, []))
        sections += "".join(f"  #{anchor}" for anchor in section.get("anchors", [])) + "\n"
    made = build(read_settings(folder / "pylit.toml"))
    shown = show(next(page for page in made.pages if page.source_path))
    for problem in made.problems:
        shown += f"<!-- {problem.path}:{problem.line}: {problem.level}: {problem.message} -->\n"
    for name, text in ((SECTIONS, sections), (PAGE, shown)):
        expected = file.parent / name
        if request.config.getoption("--golden"):
            expected.write_text(text, encoding="utf-8")
        assert expected.read_text(encoding="utf-8") == text
