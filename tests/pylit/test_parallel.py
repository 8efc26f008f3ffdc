"""Several processes: they make the same site, and their failures are met by the build itself."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pylit import parallel
from pylit.cli import main
from pylit.pieces import Pieces
from pylit.profile import Profile
from pylit.settings_file import read_settings
from pylit.site import Build, build

MakeSite = Callable[..., Path]
SITE = {
    "pylit.toml": '[[source]]\npath = "src"\n[languages.ja]\n',
    "translations/ja/b.po": 'msgid ""\nmsgstr ""\n"Language: ja\\n"\n\nmsgid "B"\nmsgstr "ビー"\n',
    "src/a.py": '"""# A $x$\n\n[gone](gone.html)"""\n\n\ndef f():\n    """F."""\n',
    "src/b.py": '"""# B"""\nfrom src.a import f\n\nf()\n',
    "src/c.py": "def f(:\n",
    "src/d.md": "# D, see [`f`][]\n",
}


@pytest.fixture(autouse=True)
def no_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that run tests in parallel have a thread of their own."""
    monkeypatch.setattr("pylit.parallel.threading.active_count", lambda: 1)


def made(folder: Path, pieces: Pieces) -> tuple[Build, set[str]]:
    """A site, and the steps of which this process made pieces itself."""
    done: set[str] = set()

    class Own(Profile):
        def step(
            self, name: str, language: str = "", page: str = ""
        ) -> AbstractContextManager[None]:
            done.add(name)
            return super().step(name, language, page)

    pieces.profile = Own()
    return build(read_settings(folder / "pylit.toml"), pieces=pieces), done


def test_the_site_is_the_same(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_site(SITE)
    alone, _ = made(folder, Pieces())
    monkeypatch.setattr(parallel, "WORTH_A_PROCESS", 1)
    together, steps = made(folder, Pieces(folder / "cache", jobs=3))
    assert together == alone
    assert [problem.path for problem in together.problems] == ["src/a.py", "src/c.py"]
    assert "wait" in steps
    # What the processes sent was stored, so nothing is left for them to do.
    again, steps = made(folder, Pieces(folder / "cache", jobs=3))
    assert again == alone
    assert "wait" not in steps


def test_a_process_that_is_stopped_costs_time_only(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_site(SITE)
    alone, _ = made(folder, Pieces())
    monkeypatch.setattr(parallel, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(parallel, "run", lambda *_: os._exit(3))
    together, steps = made(folder, Pieces(folder / "cache", jobs=2))
    assert together == alone
    assert "wait" in steps


def test_a_small_site_is_made_by_one_process(make_site: MakeSite) -> None:
    folder = make_site(SITE)
    assert "wait" not in made(folder, Pieces(folder / "cache", jobs=8))[1]


def test_the_profile_counts_the_work_of_all(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(SITE)
    monkeypatch.setattr(parallel, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr("pylit.cli.build.os.cpu_count", lambda: 2)
    main(["build", "--config", str(folder / "pylit.toml"), "--quiet", "--profile"])
    lines = capsys.readouterr().out.splitlines()
    (draft,) = [line for line in lines if line.startswith("draft ")]
    assert draft.split()[-2:] == ["4", "0"]


def test_an_interrupt_is_left_to_the_process_that_was_called(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A terminal sends Ctrl-C to all of them, and each would print a traceback of its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def work(item: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    process = context.Process(target=parallel.run, args=(theirs, Pieces(), ["item"], work))
    process.start()
    process.join()
    assert (process.exitcode, capfd.readouterr().err) == (0, "")
    assert ours.poll()
