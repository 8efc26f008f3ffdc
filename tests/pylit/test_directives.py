"""Directives: what each does is in `cases/dir/`; here is what the rest of pylit makes of them."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.directives import KNOWN
from pylit.export import export_html
from pylit.extract import extract
from pylit.links import Target
from pylit.model import Module, Page, Source
from pylit.notebook import notebook
from pylit.parse import parse
from pylit.places import with_hash
from pylit.reading import read
from pylit.settings_file import read_settings
from pylit.site import Build, build

MakeSite = Callable[..., Path]
BuildSite = Callable[..., Build]

TEXT = '''"""
# Masks

<!-- pylit: fold The *proof* -->
It is short.
<!-- pylit: end -->

<!-- pylit: figure -->
![A square](square.svg)
A caption of $a$.
"""
import torch
import secret_helper  # pylit: hide


# pylit: hide
def hidden():
    """Hidden words."""
    return 1
# pylit: end


def shown(x):  # noqa: D103  # pylit: fold
    """Shown words."""
    # pylit: code
    # Stays with the code.
    return hidden() + x


# pylit: join
# Joined words.
if __name__ == "__main__":
    print(shown(1))
'''
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>'
FILES = {"src/a.py": TEXT, "src/square.svg": SQUARE}


USER = "from src.a import hidden, shown\n\nhidden(), shown(1)\n"


def split(text: str) -> Module:
    return parse(Source("a.py", "a.html", "a", text))


def page_of(made: Build, name: str = "a.html") -> Page:
    return next(page for page in made.pages if page.address == name)


def test_hidden_lines_are_run_in_the_notebook_and_directives_are_not_in_it(
    make_site: MakeSite,
) -> None:
    settings = read_settings(make_site(FILES) / "pylit.toml")
    cells = json.loads(notebook(split(TEXT), settings))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert code == [
        "import torch\nimport secret_helper",
        'def hidden():\n    """Hidden words."""\n    return 1',
        "def shown(x):  # noqa: D103\n    # Stays with the code.\n    return hidden() + x",
        'if __name__ == "__main__":\n    print(shown(1))',
    ]
    assert "**The *proof***\nIt is short." in prose[0]
    assert "pylit:" not in "".join(code + prose)
    compile("\n".join(code), "notebook", "exec")


def test_what_is_hidden_is_in_no_page_search_or_catalogue(make_site: MakeSite) -> None:
    settings = read_settings(make_site(FILES) / "pylit.toml")
    made = build(settings)
    assert made.problems == ()
    for output in made.outputs:
        if output.path.endswith(".html") or "/search-en." in output.path:
            assert b"Hidden words" not in output.content
            assert b"secret_helper" not in output.content
    search = [each.content for each in made.outputs if "/search-en." in each.path]
    assert b"Joined words" in b"".join(search)
    messages = [m for each in extract(settings, read(settings)) for m in each.messages]
    texts = {message.text: message.role for message in messages}
    assert "Hidden words." not in texts
    assert texts["The *proof*"] == "summary"
    assert texts["A caption of $a$."] == "caption"
    assert texts["![A square](square.svg)"] == "paragraph"
    assert not any("pylit:" in text for text in texts)


def test_nothing_leads_to_what_is_hidden(make_site: MakeSite) -> None:
    folder = make_site({**FILES, "src/b.py": USER})
    made = build(read_settings(folder / "pylit.toml"))
    index = read(read_settings(folder / "pylit.toml")).index
    assert index.names["src.a.shown"] == Target("a.html", "shown")
    assert "src.a.hidden" not in index.names
    code = "".join(str(line.html) for row in page_of(made, "b.html").rows for line in row.code)
    assert 'href="a.html#shown"' in code
    assert "#hidden" not in code


def test_a_link_in_prose_to_what_is_hidden_is_reported(build_site: BuildSite) -> None:
    made = build_site({**FILES, "src/b.md": "# B\n\nSee [`hidden`][].\n"})
    assert [(p.path, p.line) for p in made.problems] == [("src/b.md", 3)]


def test_one_page_in_one_file_holds_its_folds_and_figures(make_site: MakeSite) -> None:
    settings = read_settings(make_site(FILES) / "pylit.toml")
    made = build(settings)
    html = export_html(settings, made, page_of(made)).decode()
    assert html.count('<details class="fold">') == 2
    assert '<figure>\n<p><img alt="A square" height="20" src="data:image/svg+xml' in html
    assert "Hidden words" not in html


def test_titles_and_captions_are_translated(build_site: BuildSite) -> None:
    settings = '[[source]]\npath = "src"\n[languages.zh]\nname = "中文"\n'
    po = (
        'msgid "The *proof*"\nmsgstr "*证明*"\n\nmsgid "A caption of $a$."\nmsgstr "$a$ 的说明"\n\n'
        'msgid "![A square](square.svg)"\nmsgstr "![一个方块](square.svg)"\n'
    )
    made = build_site({**FILES, "pylit.toml": settings, "translations/zh/a.po": po})
    prose = str(page_of(made, "zh/a.html").rows[0].prose)
    assert "<summary><em>证明</em></summary>" in prose
    assert "的说明</figcaption>" in prose
    address = f"../{with_hash('square.svg', SQUARE.encode())}"
    assert f'<img alt="一个方块" height="20" src="{address}" width="40">' in prose


def test_a_build_from_the_cache_equals_a_clean_one(make_site: MakeSite) -> None:
    folder = make_site({**FILES, "src/b.md": "<!-- pylit: example -->\n```python\n# $x$\n```\n"})
    settings = read_settings(folder / "pylit.toml")
    first = build(settings)
    assert build(settings).outputs == first.outputs
    (folder / "src/a.py").write_text(TEXT.replace("# pylit: hide", "# pylit: fold"))
    changed = build(settings)
    assert changed.outputs != first.outputs
    for file in (folder / ".pylit-cache").iterdir():
        file.unlink()
    assert build(settings).outputs == changed.outputs


def test_formatters_leave_directives_alone() -> None:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "-"]
    done = subprocess.run(command, input=TEXT, capture_output=True, text=True, check=True)
    before, after = split(TEXT), split(done.stdout)
    assert after.problems == ()
    assert [(s.kind, s.name, s.text) for s in after.sections] == [
        (s.kind, s.name, s.text) for s in before.sections
    ]
    assert [fold.last - fold.first for fold in after.folds] == [
        fold.last - fold.first for fold in before.folds
    ]


def test_every_line_is_shown_hidden_or_prose(make_site: MakeSite) -> None:
    module = split(TEXT)
    shown = [line for section in module.sections for line, _ in module.shown_lines(section)]
    prose = {line for section in module.sections for line in section.text_lines}
    lines = TEXT.split("\n")
    assert shown == sorted(set(shown))
    for number, line in enumerate(lines, 1):
        quotes = line.strip() == '"""'
        assert number in module.hidden or number in shown or number in prose or not line or quotes


def test_sections_say_what_was_understood(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(
        {"src/a.py": "# pylit: anchor top\n# Words.\nx = [  # pylit: fold\n    1,\n]\n"}
    )
    assert main(["sections", str(folder / "src/a.py")]) == 0
    assert capsys.readouterr().out.endswith("code 3-5       #module.x  folded 4-5  #top\n")


def test_a_fault_is_reported_once_and_stops_nothing(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site({"src/a.py": "x = 1\n# pylit: hied\ny = 2\n# pylit: end\n"})
    assert main(["build", "--config", str(folder / "pylit.toml")]) == 1
    assert capsys.readouterr().err == (
        "src/a.py:2:1: error: there is no directive 'hied'; did you mean 'hide'? [directive]\n"
        "src/a.py:4:1: error: there is nothing to end here; remove it [directive]\n"
    )
    html = (folder / "docs/a.html").read_text()
    assert 'id="L1"' in html
    assert 'id="L3"' in html


@pytest.mark.parametrize("name", KNOWN)
def test_a_directive_in_a_string_is_none(name: str) -> None:
    module = split(f'text = """\n# pylit: {name}\n"""\n')
    assert module.problems == ()
    assert module.hidden == frozenset()


def test_an_example_that_is_not_python_is_named_with_its_line(build_site: BuildSite) -> None:
    text = "# A\n\n<!-- pylit: example -->\n```python\nx = 1\ndef f(:\n```\n"
    made = build_site({"src/a.md": text})
    assert [(p.line, p.code) for p in made.problems] == [(6, "syntax")]
    assert "def" in str(page_of(made).rows[0].prose)


def test_what_is_wrong_in_an_example_has_its_line(build_site: BuildSite) -> None:
    code = "# pylit: nothing\nx = 1\n# [x](gone.html)"
    text = f"# A\n\n<!-- pylit: example -->\n```python\n{code}\n```\n"
    found = [(p.line, p.code) for p in build_site({"src/a.md": text}).problems]
    assert found == [(5, "directive"), (7, "link")]


def test_examples_are_no_messages_headings_or_names(build_site: BuildSite) -> None:
    text = "# A\n\n<!-- pylit: example -->\n```python\n# ## Inside\nclass B: ...\n```\n"
    made = build_site({"src/a.md": text, "src/c.md": "# C\n\n[`B`][]\n"})
    page = page_of(made)
    assert [heading.title for heading in page.outline] == ["A"]
    assert page.translation.messages == 1
    assert [p.path for p in made.problems] == ["src/c.md"]


def test_a_picture_alone_is_shown_beside_its_code(make_site: MakeSite) -> None:
    """Prose without letters used to be left out where the section before it was continued."""
    words = " ".join(["word"] * 60)
    text = f"# {words}\nx = 1\n\n# ![A square](square.svg)\ny = 2\n"
    folder = make_site({"src/a.py": text, "src/square.svg": SQUARE})
    main(["build", "--config", str(folder / "pylit.toml")])
    assert '<img alt="A square"' in (folder / "docs/a.html").read_text()
