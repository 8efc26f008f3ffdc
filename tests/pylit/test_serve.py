"""The server for authors: when it builds, what it answers, what it tells open pages."""

import contextlib
import http.client
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pylit.errors import UsageError
from pylit.live import Live, Round, follow, for_preview
from pylit.places import with_hash
from pylit.serve import DEFAULT_PORT, Server, start
from pylit.settings import Settings
from pylit.settings_file import read_settings
from pylit.watch import Watcher, folders, inputs
from tests.conftest import ROOT

MakeSite = Callable[..., Path]
PATIENCE = 60
"""Seconds after which something that should happen at once has not happened."""


class Running:
    """A server at work: the rounds that it has built, and answers to requests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.live = Live()
        self.server = start(self.live, "127.0.0.1", 0)
        self.rounds: queue.Queue[Round] = queue.Queue()
        self.watcher = Watcher()
        config = folder / "pylit.toml"

        def load() -> Settings:
            return for_preview(read_settings(config), self.server.address)

        self.threads = [
            threading.Thread(target=self.server.serve_forever, args=(0.02,)),
            threading.Thread(
                target=follow, args=(self.live, load, config, self.rounds.put, self.watcher)
            ),
        ]
        for thread in self.threads:
            thread.start()

    def next(self) -> Round:
        return self.rounds.get(timeout=PATIENCE)

    def until(self, holds: Callable[[Round], bool]) -> Round:
        while not holds(made := self.next()):
            pass
        return made

    def ask(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.server.server_port, timeout=PATIENCE
        )
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    @contextlib.contextmanager
    def news(self, page: str) -> Iterator[Callable[[], dict[str, object]]]:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.server.server_port, timeout=PATIENCE
        )
        connection.request("GET", f"/.pylit/events?page={page}")
        answer = connection.getresponse()
        assert answer.getheader("Content-Type", "").startswith("text/event-stream")

        def read() -> dict[str, object]:
            while not (line := answer.readline()).startswith(b"data: "):
                assert line
            return dict(json.loads(line.removeprefix(b"data: ")))

        try:
            yield read
        finally:
            answer.close()
            connection.close()

    def end(self) -> None:
        self.live.close()
        self.watcher.events.put(1)
        self.server.shutdown()
        for thread in self.threads:
            thread.join(PATIENCE)
        self.watcher.end()
        self.server.server_close()


@pytest.fixture
def serve(make_site: MakeSite) -> Iterator[Callable[..., Running]]:
    running: list[Running] = []

    def begin(files: dict[str, str]) -> Running:
        running.append(Running(make_site(files)))
        assert running[-1].next().number == 1
        return running[-1]

    yield begin
    for each in running:
        each.end()


SITE = {"src/a.py": '"""# A\n\nFirst."""\nx = 0\n', "src/b.py": '"""# B"""\n'}


def save_as_editors_do(file: Path, text: str) -> None:
    """Write a new file beside the old one, and put it in its place."""
    new = file.with_suffix(".tmp")
    new.write_text(text)
    os.replace(new, file)


def test_a_file_that_is_emptied_before_it_is_written_is_one_save(make_site: MakeSite) -> None:
    folder = make_site(SITE)
    settings, live = read_settings(folder / "pylit.toml"), Live()
    rounds: list[Round] = []
    saves = ["", SITE["src/a.py"].replace("First", "Second")]

    class Editor(Watcher):
        """Tells of an event as an editor writes: first nothing, then all."""

        def look_at(self, places: object) -> bool:
            return False

        def wait(self, timeout: float | None = None) -> bool:
            (folder / "src/a.py").write_text(saves.pop(0))
            return True

    def tell(made: Round) -> None:
        rounds.append(made)
        if not saves:
            live.close()

    follow(live, lambda: settings, None, tell, Editor())
    assert len(rounds) == 2
    assert b"Second" in live.snapshot.files["a.html"]


def test_ten_saves_are_ten_builds(serve: Callable[..., Running]) -> None:
    """W-LIV-01"""
    site = serve(SITE)
    for number in range(1, 11):
        save_as_editors_do(site.folder / "src/a.py", f'"""# A\n\nSave {number}."""\n')
        made = site.next()
        assert made.sources == ("src/a.py",)
        assert made.number == number + 1
        assert f"Save {number}." in site.ask("/a.html")[1].decode()
    assert site.rounds.empty()


def test_a_copied_folder_is_two_builds_at_most(
    serve: Callable[..., Running], tmp_path: Path
) -> None:
    """W-LIV-02"""
    other = tmp_path / "200_modules"
    for number in range(200):
        file = other / f"part_{number % 7}" / f"module_{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'"""# Module {number}"""\n')
    site = serve(SITE)
    shutil.copytree(other, site.folder / "src/new")
    pages = {f"new/part_{number % 7}/module_{number}.html" for number in range(200)}
    last = site.until(lambda made: pages <= site.live.snapshot.files.keys())
    assert last.number <= 3
    # Still at work, also in the folder that is new; and nothing more was built in between.
    (site.folder / "src/new/part_3/module_199.py").write_text('"""# Changed"""\n')
    assert site.next().number == last.number + 1


def test_what_pylit_writes_is_no_reason_to_build(serve: Callable[..., Running]) -> None:
    """W-LIV-03: output and caches lie inside the watched tree, and are not even watched."""
    site = serve(
        {
            "pylit.toml": 'output = "out"\ncache = "kept"\n[[source]]\npath = "."\n',
            ".gitignore": "made/\n",
            "a.py": '"""# A"""\n',
            "made/b.py": '"""# B"""\n',
        }
    )
    for name in ("out/a.html", "out/x.py", "kept/x.py", ".hidden/x.py", "made/b.py", "n.pyc",
                 "__pycache__/x.py", ".venv/pyvenv.cfg", ".venv/x.py", "swap.py~"):  # fmt: skip
        file = site.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("x = 1\n")
    (site.folder / "a.py").touch()
    watched = {path.name for path in folders(read_settings(site.folder / "pylit.toml"))}
    assert not watched & {"out", "kept", ".hidden", "made", "__pycache__", ".venv"}
    assert site.rounds.empty()
    (site.folder / "a.py").write_text('"""# Changed"""\n')
    made = site.next()
    assert (made.number, made.sources) == (2, ("a.py",))


def test_what_a_single_file_shows_is_watched(make_site: Callable[..., Path]) -> None:
    settings = '[[source]]\npath = "src/a.md"\n'
    files = {"src/a.md": "![A](in/a.png)", "src/in/a.png": b"", "src/other/a.png": b""}
    site = make_site({"pylit.toml": settings, **files})
    watched = {path.name for path in folders(read_settings(site / "pylit.toml"))}
    assert {"src", "in"} <= watched
    assert "other" not in watched


def test_folders_come_and_go(serve: Callable[..., Running]) -> None:
    site = serve(SITE)
    shutil.move(site.folder / "src", site.folder / "away")
    assert "not there" in site.until(lambda made: bool(made.problems)).problems[0].message
    shutil.move(site.folder / "away", site.folder / "src")
    site.until(lambda made: "a.html" in site.live.snapshot.files)
    (site.folder / "src/deep/er").mkdir(parents=True)
    (site.folder / "src/deep/er/c.py").write_text('"""# C"""\n')
    site.until(lambda made: "deep/er/c.html" in site.live.snapshot.files)
    shutil.rmtree(site.folder / "src/deep")
    site.until(lambda made: "deep/er/c.html" not in site.live.snapshot.files)


def test_a_broken_source_is_said_and_mended(serve: Callable[..., Running]) -> None:
    site = serve(SITE)
    with site.news("a.html") as news:
        first = news()
        assert first["problems"] == []
        (site.folder / "src/a.py").write_text("def f(:\n")
        second = news()
        # The page as it was before stays in view.
        assert second["state"] == first["state"]
        (problem,) = second["problems"]
        assert (problem["place"], problem["level"]) == ("src/a.py:1:7", "error")
        (site.folder / "src/a.py").write_text(SITE["src/a.py"])
        third = news()
        assert third["problems"] == []
        assert third["state"] == first["state"]


def test_broken_settings_and_templates_leave_the_pages(serve: Callable[..., Running]) -> None:
    site = serve({"pylit.toml": '[[source]]\npath = "src"\n', **SITE})
    config = site.folder / "pylit.toml"
    for text, place in (
        ("title = 3\n", "pylit.toml:1:1"),
        ('templates = "own"\n[[source]]\npath = "src"\n', "page.html:1:1"),
    ):
        template = site.folder / "own/page.html"
        template.parent.mkdir(exist_ok=True)
        template.write_text("{% nonsense %}\n")
        config.write_text(text)
        while (made := site.next()) and place not in [
            f"{each.path}:{each.line}:{each.column}" for each in made.problems
        ]:
            pass
        assert site.ask("/a.html")[0].status == 200
    own = '{% extends "pylit/page.html" %}{% block colophon %}Ours.{% endblock %}'
    save_as_editors_do(template, own)
    site.until(lambda made: not made.problems)
    assert b"Ours." in site.ask("/a.html")[1]


def test_only_the_page_that_changed_has_another_state(serve: Callable[..., Running]) -> None:
    site = serve({**SITE, "src/p.md": "# P\n\n![A dot](dot.svg)\n", "src/dot.svg": dot("red")})
    before = {page: site.live.snapshot.state(page) for page in ("a.html", "b.html", "p.html")}
    (site.folder / "src/a.py").write_text('"""# A\n\nSecond."""\nx = 0\n')
    # The front page and the list of all pages show its first sentence.
    changed = [re.sub(r"\.[0-9a-f]{8}\.", ".", path) for path in site.next().changed]
    search = "pylit-assets/search-en.js"
    assert sorted(set(changed)) == ["a.html", "index.html", search, "pylit-contents.html"]
    # A picture is part of what its page shows.
    (site.folder / "src/dot.svg").write_text(dot("blue"))
    site.next()
    after = {page: site.live.snapshot.state(page) for page in before}
    assert [page for page in before if before[page] != after[page]] == ["a.html", "p.html"]


def dot(color: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        f'<circle r="4" fill="{color}"/></svg>'
    )


def test_answers(serve: Callable[..., Running]) -> None:
    site = serve(
        {
            **SITE,
            "src/pkg/注.py": '"""# N"""\n',
            "src/dot.svg": dot("red"),
            "src/p.md": "![A dot](dot.svg)",
        }
    )
    for path, status, kind in (
        ("/", 200, "text/html; charset=utf-8"),
        ("/a.html?x=1", 200, "text/html; charset=utf-8"),
        ("/pkg/", 200, "text/html; charset=utf-8"),
        ("/pkg/%E6%B3%A8.html", 200, "text/html; charset=utf-8"),
        (f"/{with_hash('dot.svg', dot('red').encode())}", 200, "image/svg+xml"),
        ("/robots.txt", 200, "text/plain; charset=utf-8"),
        ("/sitemap.xml", 200, "application/xml"),
        ("/.pylit/reload.js", 200, "text/javascript; charset=utf-8"),
        ("/.pylit/overlay.css", 200, "text/css; charset=utf-8"),
        ("/gone.html", 404, "text/html; charset=utf-8"),
        ("/gone.png", 404, "text/html; charset=utf-8"),
        ("/.pylit/head.html", 404, "text/html; charset=utf-8"),
        ("/%ff%fe", 404, "text/html; charset=utf-8"),
    ):
        answer, content = site.ask(path)
        assert (answer.status, answer.getheader("Content-Type")) == (status, kind), path
        assert content
        head, nothing = site.ask(path, "HEAD")
        assert (head.status, nothing) == (status, b"")
        assert head.getheader("Content-Length") == str(len(content))
    assert site.ask("/pkg")[0].getheader("Location") == "/pkg/"
    assert b'src="/.pylit/reload.js" data-page="a.html"' in site.ask("/a.html")[1]
    etag = site.ask("/a.html")[0].getheader("ETag") or ""
    assert site.ask("/a.html", **{"If-None-Match": etag})[0].status == 304


def test_nothing_outside_the_build_is_answered(serve: Callable[..., Running]) -> None:
    site = serve(SITE)
    paths = "/../pylit.toml /%2e%2e/pylit.toml /..%2fpylit.toml //etc/passwd /src/a.py /pylit.toml"
    for path in [*paths.split(), "/a.html/../../pylit.toml", "/\\..\\pylit.toml"]:
        answer, content = site.ask(path)
        assert answer.status == 404, path
        assert b"[[source]]" not in content
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        answer, _ = site.ask("/", method)
        assert (answer.status, answer.getheader("Allow")) == (405, "GET, HEAD")


@pytest.mark.parametrize(("target", "host"), [("http://[", "localhost"), ("/", "[")])
def test_an_address_that_cannot_be_is_a_bad_request(
    serve: Callable[..., Running], target: str, host: str
) -> None:
    site = serve(SITE)
    place = ("127.0.0.1", site.server.server_port)
    with socket.create_connection(place, PATIENCE) as ours:
        ours.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(ours)
        answer.begin()
        assert (answer.status, answer.read()[:26]) == (400, b"This is no address that a ")


def test_another_host_name_is_refused_on_loopback(serve: Callable[..., Running]) -> None:
    site = serve(SITE)
    assert site.ask("/", Host="evil.example")[0].status == 403
    assert site.ask("/", Host=f"localhost:{site.server.server_port}")[0].status == 200


def test_a_taken_port() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    with pytest.raises(UsageError, match="taken"):
        start(Live(), "127.0.0.1", port)
    taken.close()
    with pytest.raises(UsageError, match="no address of this machine"):
        start(Live(), "192.0.2.1", 0)
    with pytest.raises(UsageError, match="no port"):
        start(Live(), "127.0.0.1", 70_000)
    with pytest.raises(UsageError, match="-1 is no port"):
        start(Live(), "127.0.0.1", -1)


def test_the_usual_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr("pylit.serve.DEFAULT_PORT", taken.getsockname()[1])
    server: Server = start(Live(), "127.0.0.1", None)
    assert server.server_port not in (taken.getsockname()[1], 0)
    assert server.only_here
    server.server_close()
    taken.close()
    assert DEFAULT_PORT == 8000


def test_the_command_prints_its_address_and_ends_by_ctrl_c(make_site: MakeSite) -> None:
    folder = make_site(SITE)
    process = subprocess.Popen(
        [sys.executable, "-m", "pylit", "serve", "--port", "0"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    address = process.stdout.readline().split()[0]
    assert address.startswith("http://127.0.0.1:")
    assert "built" in process.stdout.readline()
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    connection.request("GET", "/")
    assert connection.getresponse().status == 200
    connection.close()
    process.send_signal(signal.SIGINT)
    said, wrong = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert said.strip() == "stopped"
    assert not wrong
    assert not (folder / "docs").exists()


def test_evidence_is_an_input(make_site: MakeSite) -> None:
    folder = make_site({**SITE, "src/a.evidence/output.txt": "1\n", "src/notes.txt": ""})
    names = inputs(read_settings(folder / "pylit.toml"))
    assert set(names) == {"src/a.py", "src/b.py", "src/a.evidence/output.txt"}


def test_inputs_are_compared_by_content(make_site: MakeSite) -> None:
    """W-INC-04: neither a time nor a touch counts."""
    settings = read_settings(make_site(SITE) / "pylit.toml")
    before = inputs(settings)
    os.utime(settings.folder / "src/a.py", (1, 1))
    assert inputs(settings) == before
    (settings.folder / "src/b.py").write_text('"""# C"""\n')
    os.utime(settings.folder / "src/b.py", (1, 1))
    assert inputs(settings) != before
