"""The checks, the formats of their findings, and the exit codes."""

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pylit.check import check
from pylit.cli import main
from pylit.external import find_dead
from pylit.model import Problem
from pylit.report import FORMATS
from pylit.settings_file import read_settings
from pylit.site import build

MakeSite = Callable[..., Path]


@dataclass
class Done:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run `pylit check` in a folder."""

    def make(*arguments: str, cwd: Path) -> Done:
        monkeypatch.chdir(cwd)
        code = main(["check", *arguments])
        return Done(code, capsys.readouterr().out)

    return make


@pytest.fixture
def find(make_site: MakeSite) -> Callable[..., list[str]]:
    """What the checks find in a site, as `path:line code`."""

    sites = itertools.count()

    def make(files: dict[str, str]) -> list[str]:
        settings = read_settings(make_site(files, f"site{next(sites)}") / "pylit.toml")
        return [f"{p.path}:{p.line} {p.code}" for p in check(settings, build(settings))]

    return make


def test_a_good_site_has_no_problems(find: Callable[..., list[str]]) -> None:
    assert not find(
        {
            "pylit.toml": 'base_url = "https://example.org/x/"\n'
            '[[source]]\npath = "src"\n[languages.ja]\n',
            "src/a.py": '"""\n# A\n\n[b](sub/b.md#part), [line](#L1), ![A dot](dot.svg)\n"""\n',
            "src/sub/b.md": "# B\n\n## Part\n\n[up](../a.py)\n",
            "src/dot.svg": DOT,
            "translations/ja/a.po": 'msgid ""\nmsgstr ""\n\nmsgid "A"\nmsgstr "あ"\n',
        }
    )


DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'


def test_links_pictures_and_anchors_are_named_once_with_their_line(
    find: Callable[..., list[str]],
) -> None:
    """W-LNK-06: by Markdown and by HTML."""
    assert find(
        {
            "src/mha.py": '"""# M"""\n',
            "src/a.md": "# A\n\n[gone](mha.html#no-such-id)\n\n![gone](img/none.png)\n\n"
            "[x](no.py)\n",
            "src/b.md": '# B\n\n<a href="mha.html#no-such-id">gone</a>\n\n'
            '<img src="img/none.png" alt="gone">\n\n<a href="no.html">x</a>\n\n'
            '<a href="#y">y</a>\n',
        }
    ) == [
        "src/a.md:3 link",
        "src/a.md:5 image",
        "src/a.md:7 link",
        "src/b.md:3 link",
        "src/b.md:5 image",
        "src/b.md:7 link",
        "src/b.md:9 link",
    ]


def test_pictures_without_words(find: Callable[..., list[str]]) -> None:
    assert find(
        {
            "src/a.md": "# A\n\n![](dot.svg)\n\n![A dot](dot.svg)\n\n"
            '<img src="dot.svg" alt="">\n\n<img src="dot.svg">\n',
            "src/dot.svg": DOT,
        }
    ) == ["src/a.md:3 alt-text", "src/a.md:9 alt-text"]


def test_headings_that_nobody_can_tell_apart(find: Callable[..., list[str]]) -> None:
    text = "# A\n\n## Forward\n\n### Shape\n\n## Backward\n\n### Shape\n\n## Forward\n"
    assert find({"src/a.md": text}) == ["src/a.md:11 heading"]
    # In a module the name of the class or function tells them apart.
    module = 'class A:\n    """## Forward"""\n\n\nclass B:\n    """## Forward"""\n'
    assert not find({"src/a.py": module})


def test_a_page_that_nobody_can_reach(find: Callable[..., list[str]]) -> None:
    files = {
        "pylit.toml": 'templates = "own"\n[[source]]\npath = "src"\n',
        "src/__init__.py": '"""# Top, see [a](a.py)"""\n',
        "src/a.py": '"""# A"""\n',
        "src/b.py": '"""# B"""\n',
        # A theme without navigation.
        "own/page.html": '{% extends "pylit/page.html" %}{% block children %}{% endblock %}'
        "{% block around %}{% endblock %}{% block breadcrumbs %}{% endblock %}"
        "{% block rows %}{% for row in page.rows %}{{ row.prose }}{% endfor %}{% endblock %}",
    }
    assert find(files) == ["src/b.py:0 orphan"]
    assert not find({name: text for name, text in files.items() if name.startswith("src")})


def test_faults_of_the_build_are_among_them(find: Callable[..., list[str]]) -> None:
    assert find(
        {"src/a.py": '"""# A $\\\\nonsense$"""\n', "src/b.py": "def f(:\n", "src/c.md": "[`X`][]"}
    ) == ["src/a.py:1 math", "src/b.py:1 syntax", "src/c.md:1 link"]


def test_evidence_that_is_out_of_date(find: Callable[..., list[str]]) -> None:
    files = {"src/a.py": "x = 1\ny = 2\n", "src/a.evidence/shapes.txt": "2, 3\t1\ty = 2\n"}
    assert not find(files)
    files["src/a.py"] = "x = 1\ny = 3\n"
    assert find(files) == ["src/a.evidence/shapes.txt:1 evidence"]


BROKEN = {"src/a.md": "# A\n\n[gone](gone.html)\n\n![](dot.svg)\n", "src/dot.svg": DOT}


def test_exit_codes_and_the_line_for_editors(make_site: MakeSite, run: Callable[..., Done]) -> None:
    folder = make_site(BROKEN)
    done = run(cwd=folder)
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first.startswith("src/a.md:3:1: error: the link to gone.html leads nowhere")
    assert first.endswith("[link]")
    assert second.startswith("src/a.md:5:1: warning: the picture dot.svg has no words")
    assert not (folder / "docs").exists()
    (folder / "src/a.md").write_text("# A\n\n![](dot.svg)\n")
    assert run(cwd=folder).returncode == 0
    assert run("--strict", cwd=folder).returncode == 1
    assert run("--config", "gone.toml", cwd=folder).returncode == 2
    # The path is one that an editor can open from where it stands.
    (folder / "inner").mkdir()
    said = run("--config", "../pylit.toml", cwd=folder / "inner").stdout
    assert said.startswith("../src/a.md:3:1: ")


def test_catalogues_that_are_behind_and_their_faults(
    make_site: MakeSite, run: Callable[..., Done]
) -> None:
    folder = make_site(
        {
            "pylit.toml": 'title = "T"\n[[source]]\npath = "src"\n'
            '[languages.ja]\nname = "日本語"\n',
            "src/a.md": "# A\n\nTake $x$ twice.\n",
        }
    )
    said = run(cwd=folder).stdout
    assert "translations/ja/a.po: warning: the catalogue is behind" in said
    assert main(["i18n", "update"]) == 0
    file = folder / "translations/ja/a.po"
    text = file.read_text()
    assert "behind" not in run(cwd=folder).stdout
    key = 'msgid "Take $x$ twice."\nmsgstr ""'
    file.write_text(text.replace(key, key[:-1] + 'もう一度"'))
    assert "translations/ja/a.po:" in run(cwd=folder).stdout


def test_formats(make_site: MakeSite, run: Callable[..., Done]) -> None:
    folder = make_site(BROKEN)
    found = json.loads(run("--format", "json", cwd=folder).stdout)
    assert [(each["path"], each["line"], each["level"], each["code"]) for each in found] == [
        ("src/a.md", 3, "error", "link"),
        ("src/a.md", 5, "warning", "alt-text"),
    ]
    lines = run("--format", "github", cwd=folder).stdout.splitlines()
    assert lines[0].startswith("::error file=src/a.md,line=3,col=1,title=pylit link::the link to")
    assert lines[1].startswith("::warning file=src/a.md,line=5,")
    sarif = json.loads(run("--format", "sarif", cwd=folder).stdout)
    (ran,) = sarif["runs"]
    assert [each["id"] for each in ran["tool"]["driver"]["rules"]] == ["alt-text", "link"]
    place = ran["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/a.md"
    assert place["region"] == {"startLine": 3, "startColumn": 1}


def test_what_would_end_an_annotation_is_written_otherwise() -> None:
    problem = Problem("a,b:c.py", 0, 0, "100 %\nand more", "warning")
    assert FORMATS["github"]([problem]) == (
        "::warning file=a%2Cb%3Ac.py,title=pylit::100 %25%0Aand more\n"
    )
    assert FORMATS["text"]([problem]).startswith("a,b:c.py: warning: ")
    sarif = json.loads(FORMATS["sarif"]([problem]))
    assert "region" not in json.dumps(sarif)


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """Another host: `/ok`, `/gone`, `/no-head` without HEAD, `/private`, `/slow`."""
    release = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/slow":
                release.wait(30)
            status = {"/ok": 200, "/slow": 200, "/private": 403}.get(self.path, 404)
            if self.path == "/no-head":
                status = 405 if self.command == "HEAD" else 200
            self.send_response(status)
            self.end_headers()

        do_HEAD = do_GET  # noqa: N815 (the name is theirs)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    release.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_other_hosts_are_asked(elsewhere: str) -> None:
    names = ("/ok", "/ok#part", "/gone", "/no-head", "/private", "/slow")
    dead = find_dead([elsewhere + name for name in names] + ["http://127.0.0.1:1/"], timeout=0.5)
    assert {address.removeprefix(elsewhere): reason for address, reason in dead.items()} == {
        "/gone": "answers 404 Not Found",
        "/slow": "does not answer within 0.5 seconds",
        "http://127.0.0.1:1/": dead["http://127.0.0.1:1/"],
    }
    assert "refused" in dead["http://127.0.0.1:1/"]


def test_other_hosts_are_asked_only_on_request(
    make_site: MakeSite, run: Callable[..., Done], elsewhere: str
) -> None:
    folder = make_site({"src/a.md": f"# A\n\n[gone]({elsewhere}/gone) and {elsewhere}/ok\n"})
    assert run(cwd=folder).stdout == ""
    done = run("--external", cwd=folder)
    assert done.returncode == 0
    assert (
        done.stdout == f"src/a.md:3:1: warning: {elsewhere}/gone answers 404 Not Found [external]\n"
    )
