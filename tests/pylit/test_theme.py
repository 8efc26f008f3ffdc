"""The theme: a site can put its own block, template, style or picture in the place of ours."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.site import Build

MakeSite = Callable[..., Path]
BuildSite = Callable[..., Build]
TOML = 'title = "S"\ntemplates = "own"\n[[source]]\npath = "src"\n'


def text(made: Build, path: str) -> str:
    return next(output for output in made.outputs if output.path == path).content.decode()


def test_one_block_is_replaced(build_site: BuildSite) -> None:
    made = build_site(
        {
            "pylit.toml": TOML,
            "src/a.py": '"""# A"""\n',
            "own/page.html": '{% extends "pylit/page.html" %}'
            "{% block footer %}<p>Ours</p>{% endblock %}",
        }
    )
    html = text(made, "a.html")
    assert "<p>Ours</p>" in html
    assert '<h1 id="a">A</h1>' in html


def test_one_template_one_style_and_the_logo_are_replaced(build_site: BuildSite) -> None:
    made = build_site(
        {
            "pylit.toml": TOML,
            "src/a.py": "",
            "own/robots.txt": "User-agent: none\n",
            "own/styles/site.css": ".own { color: #123456 }\n",
            "own/favicon.svg": "<svg/>",
        }
    )
    assert text(made, "robots.txt") == "User-agent: none\n"
    styles = [o for o in made.outputs if o.path.endswith(".css")]
    assert b".own{color:#123456}" in styles[0].content
    icons = [o.content for o in made.outputs if "favicon" in o.path]
    assert icons == [b"<svg/>"]


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% nonsense %}", "nonsense"),
        ("{{ page.nothing }}", "nothing"),
        ('{% extends "gone.html" %}', "gone.html"),
        ("{{ 1 / 0 }}", "division"),
    ],
)
def test_a_fault_in_a_sites_template_is_one_sentence(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str], template: str, words: str
) -> None:
    folder = make_site({"pylit.toml": TOML, "src/a.py": "", "own/page.html": template})
    assert main(["build", "--config", str(folder / "pylit.toml")]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert "page.html" in said


def test_titles_are_escaped_by_templates(build_site: BuildSite) -> None:
    toml = '[[source]]\npath = "src"\n[languages.x-y]\nname = "<b>"\n'.replace("x-y", "xx")
    made = build_site({"pylit.toml": f'title = "<i>&"\n{toml}', "src/a.py": ""})
    html = text(made, "a.html")
    assert "<i>&" not in html
    assert "&lt;i&gt;&amp;" in html
    assert "<b>" not in html.replace("<b>a", "")
