"""The profile of a build: what is measured, and that it changes nothing."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.profile import Measured, Profile, report

MakeSite = Callable[..., Path]
FILES = {
    "pylit.toml": '[[source]]\npath = "src"\n[languages.ja]\n',
    "src/a.py": '"""# A\n\nIts square is $x^2$."""\nx = 1\n',
    "src/b.py": '"""\n---\nterms:\n    A: x\n---\n# B\n\n$\\term{A}{x}$\n"""\nx = 1\n',
}


def clocks(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    """Let the processor's clock tell these times, one after the other, and the other one stand."""
    times = iter(seconds)
    monkeypatch.setattr("pylit.profile.time.process_time", lambda: next(times))
    monkeypatch.setattr("pylit.profile.time.perf_counter", lambda: 0.0)


def test_a_step_inside_another_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks(monkeypatch, 0.0, 1.0, 3.0, 4.0, 8.0)
    measured = Measured()
    with measured.step("outer"), measured.step("inner", "en", "a.html"):
        pass
    cpu = {name: spent.cpu for (name, _, _), spent in measured.spent.items()}
    assert cpu == {"start": 0.0, "inner": 1.0, "outer": 6.0}


def test_what_fails_is_measured_as_well() -> None:
    measured = Measured()
    with pytest.raises(ValueError, match="no"), measured.step("outer"), measured.step("inner"):
        raise ValueError("no")
    assert {name for name, _, _ in measured.spent} == {"start", "inner", "outer"}
    assert not measured.inner


def test_without_a_profile_nothing_is_kept() -> None:
    profile = Profile()
    with profile.step("draft", "en", "a.html"):
        assert not vars(profile)


def test_the_ten_slowest_pages_are_listed() -> None:
    measured = Measured()
    for number in range(30):
        measured.record("draft", "en", f"{number}.html", number, 0.0)
    text = report(measured, {"draft": Counter(made=28, disk=2)})
    slowest = text.partition("slowest pages\n")[2].splitlines()
    assert [line.split()[1] for line in slowest] == [f"{n}.html" for n in range(29, 19, -1)]
    assert re.search(r"^draft +435\.000 +\d+ % +0\.000 +28 +2$", text, re.MULTILINE)


def test_a_build_says_where_its_time_went(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(FILES)
    config = ["build", "--config", str(folder / "pylit.toml"), "--quiet"]
    main(config)
    plain = {p: p.read_bytes() for p in (folder / "docs").rglob("*") if p.is_file()}
    capsys.readouterr()
    main([*config, "--profile"])
    said = capsys.readouterr().out
    made = {p: p.read_bytes() for p in (folder / "docs").rglob("*") if p.is_file()}
    assert made == plain
    # Both modules were parsed before; each is drafted once, as nobody has translated them.
    for step in ("parse", "draft", "highlight", "references"):
        assert re.search(rf"^{step} .* 0 +2$", said, re.MULTILINE), step
    # Two modules, a folder and the page of all pages, the same in Japanese, and "not found".
    assert re.search(r"^render .* 0 +9$", said, re.MULTILINE)
    languages = said.partition("language ")[2].partition("slowest")[0]
    # No page is taken for a language.
    assert sorted(re.findall(r"^(\S+) +\d+\.\d+$", languages, re.MULTILINE)) == ["en", "ja"]
    assert re.search(r"^ +\d\.\d+  a\.html \(", said, re.MULTILINE)
