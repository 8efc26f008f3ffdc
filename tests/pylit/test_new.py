"""The first minutes: settings for what is found, and a site without any."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.cli import main
from pylit.errors import UsageError
from pylit.new import find_repository, settings_for
from pylit.settings_file import read_settings
from tests.conftest import write_files


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Write the files of somebody's project, and go there."""

    def make(*names: str, **contents: str) -> Path:
        folder = tmp_path / "project"
        write_files(folder, {"pylit.toml": "", **dict.fromkeys(names, '"""# Words"""\n')})
        (folder / "pylit.toml").unlink()
        monkeypatch.chdir(folder)
        return folder

    return make


def listing(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("files", "sources"),
    [
        (["pkg/__init__.py", "tests/__init__.py", "setup.py"], ["pkg"]),
        (["src/pkg/__init__.py", "src/pkg/a.py", "docs/conf.py"], ["src/pkg"]),
        (["one/__init__.py", "two/__init__.py", ".hidden/__init__.py"], ["one", "two"]),
        (["single.py", "setup.py", "conftest.py", "test_single.py"], ["single.py"]),
        (["build/__init__.py", "pkg/__init__.py"], ["pkg"]),
    ],
)
def test_settings_for_what_is_there(
    project: Callable[..., Path], files: list[str], sources: list[str]
) -> None:
    folder = project(*files)
    before = listing(folder)
    assert main(["new"]) == 0
    assert listing(folder) == before | {"pylit.toml"}
    settings = read_settings(folder / "pylit.toml")
    assert [root.path for root in settings.sources] == sources
    assert settings.title == Path(sources[0]).stem


def test_every_line_that_is_commented_out_is_a_setting(project: Callable[..., Path]) -> None:
    folder = project("pkg/__init__.py", "guides/a.md")
    main(["new"])
    file = folder / "pylit.toml"
    wanted = []
    for line in file.read_text().splitlines():
        plain = line.removeprefix("# ")
        is_setting = plain.startswith("[") or " = " in plain
        # Patterns belong to the source above; a second table of them would be another source.
        wanted.append(plain if is_setting else line)
    file.write_text("\n".join(wanted))
    settings = read_settings(file)
    assert settings.languages[0].name == "日本語"
    assert settings.macros == {"R": r"\mathbb{R}"}
    assert [root.at for root in settings.sources] == ["", "guides"]
    assert settings.sources[0].order == ("quickstart.py", "core")


def test_nothing_is_ever_overwritten(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project("pkg/__init__.py")
    (folder / "pylit.toml").write_text("mine")
    assert main(["new"]) == 2
    assert "settings already" in capsys.readouterr().err
    assert (folder / "pylit.toml").read_text() == "mine"


def test_a_folder_without_a_package(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project("notes.txt", "tests/__init__.py")
    assert main(["new"]) == 2
    assert "no package here" in capsys.readouterr().err
    assert listing(folder) == {"notes.txt", "tests/__init__.py"}


def test_a_file_that_makes_no_page_is_refused(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project("notes.txt")
    assert main(["build", "notes.txt"]) == 2
    assert capsys.readouterr().err.startswith("notes.txt: error: no page can be made of this")
    assert listing(folder) == {"notes.txt"}


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("git@example.org:me/it.git", "https://example.org/me/it"),
        ("https://me:secret@example.org/me/it.git", "https://example.org/me/it"),
        ("ssh://git@example.org:22/me/it", "https://example.org/me/it"),
        ("/srv/git/it.git", ""),
        ("../it", ""),
    ],
)
def test_the_repository_is_the_one_of_git(tmp_path: Path, remote: str, address: str) -> None:
    text = f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {remote}\n[branch "main"]\n'
    write_files(tmp_path, {".git/config": text})
    assert find_repository(tmp_path) == address
    (tmp_path / "pkg").mkdir()
    assert find_repository(tmp_path / "pkg") == ""


@pytest.mark.parametrize(
    ("path", "pages"),
    [
        ("pkg", {"index.html", "a.html"}),
        ("pkg/a.py", {"index.html", "a.html"}),
        (".", {"index.html", "pkg/index.html", "pkg/a.html"}),
        ("readme.md", {"index.html", "readme.html"}),
    ],
)
def test_a_site_without_settings(project: Callable[..., Path], path: str, pages: set[str]) -> None:
    folder = project("pkg/__init__.py", "pkg/a.py")
    if path.endswith(".md"):
        (folder / path).write_text("# Read me\n")
    assert main(["build", path, "--quiet"]) == 0
    made = {name for name in listing(folder / "docs") if name.endswith(".html")}
    assert made == pages | {"404.html", "pylit-contents.html"}
    # Once more, over what is there: the output is no source.
    assert main(["build", path, "--quiet"]) == 0
    assert {name for name in listing(folder / "docs") if name.endswith(".html")} == made


def test_a_path_elsewhere_is_built_here(
    project: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project("pkg/__init__.py")
    write_files(tmp_path / "other", {"lib/__init__.py": "", "pylit.toml": ""})
    assert main(["build", "../other/lib", "--quiet"]) == 0
    assert (folder / "docs/index.html").exists()
    assert main(["build", "pkg", "--output", "site", "--quiet"]) == 0
    assert (folder / "site/index.html").exists()
    assert main(["build", "gone"]) == 2
    assert "gone: error: there is no such file" in capsys.readouterr().err
    assert not (tmp_path / "other/docs").exists()
    assert not (tmp_path / "other/.pylit-cache").exists()


def test_a_path_and_settings_at_once_are_refused(project: Callable[..., Path]) -> None:
    project("pkg/__init__.py")
    with pytest.raises(SystemExit) as stopped:
        main(["build", "pkg", "--config", "pylit.toml"])
    assert stopped.value.code == 2


def test_the_title_is_that_of_the_package(tmp_path: Path) -> None:
    write_files(tmp_path, {"pkg/a.py": ""})
    assert settings_for("pkg/a.py", tmp_path).title == "a"
    assert settings_for("pkg", tmp_path).title == "pkg"
    with pytest.raises(UsageError):
        settings_for("gone", tmp_path)


def test_the_text_is_toml(project: Callable[..., Path]) -> None:
    folder = project("pkg/__init__.py")
    write_files(
        folder,
        {".git/config": '[remote "origin"]\n\turl = git@example.org:me/it.git\n', "pylit.toml": ""},
    )
    (folder / "pylit.toml").unlink()
    assert main(["new"]) == 0
    table = tomllib.loads((folder / "pylit.toml").read_text())
    assert table["repository"] == "https://example.org/me/it"


def test_a_name_that_no_line_can_hold_is_left_out_and_a_quote_is_written(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project('a"b/__init__.py', "new\nline/__init__.py")
    assert main(["new"]) == 0
    (message,) = capsys.readouterr().err.splitlines()
    assert message.startswith(r"new\nline: warning: ")
    assert "left out" in message
    settings = read_settings(folder / "pylit.toml")
    assert [root.path for root in settings.sources] == ['a"b']
    text = (folder / "pylit.toml").read_text()
    tomllib.loads(text.replace("# base_url", "base_url").replace("# repository", "repository"))


def test_a_folder_that_others_use_is_left_to_them(
    project: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The pages of a newcomer's package were written among the sources of its manual."""
    folder = project("pkg/__init__.py", "docs/conf.py", "site/mine.html")
    assert main(["new"]) == 0
    assert read_settings(folder / "pylit.toml").output == "_site"
    assert "into _site/" in capsys.readouterr().out
    (folder / "site/mine.html").unlink()
    # Without settings too, and again when a site of ours is there.
    for _ in range(2):
        assert main(["build", "pkg", "--quiet"]) == 0
        assert (folder / "site/index.html").is_file()
        assert listing(folder / "docs") == {"conf.py"}
    assert not (folder / "_site").exists()


def test_a_folder_that_only_says_what_it_is_for_is_free(project: Callable[..., Path]) -> None:
    folder = project("pkg/__init__.py", "docs/README.md", "docs/.gitignore")
    assert main(["new"]) == 0
    assert read_settings(folder / "pylit.toml").output == "docs"


def test_tests_inside_of_a_package_are_no_pages(project: Callable[..., Path]) -> None:
    folder = project("one/__init__.py", "one/tests/test_a.py", "two/__init__.py", "two/a.py")
    assert main(["new"]) == 0
    sources = read_settings(folder / "pylit.toml").sources
    assert [(root.path, root.exclude) for root in sources] == [("one", ("tests/*",)), ("two", ())]
    assert main(["build", "--quiet"]) == 0
    assert not [name for name in listing(folder / "docs") if "test_a" in name]


def test_a_key_is_written_once(project: Callable[..., Path]) -> None:
    folder = project("pkg/__init__.py", "pkg/tests/a.py", "pkg/test/b.py")
    assert main(["new"]) == 0
    assert (folder / "pylit.toml").read_text().count("exclude") == 1
    assert read_settings(folder / "pylit.toml").sources[0].exclude == ("tests/*", "test/*")


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ('[project]\ndescription = "Says \\"it\\"."\n', 'Says "it".'),
        ('[project]\nname = "x"\n', ""),
        ("[project]\ndescription = 3\n", ""),
        ('[project]\ndescription = "a\\nb"\n', ""),
        ("[project\n", ""),
    ],
)
def test_the_description_is_that_of_the_project(
    project: Callable[..., Path], text: str, description: str
) -> None:
    folder = project("pkg/__init__.py")
    (folder / "pyproject.toml").write_text(text)
    assert main(["new"]) == 0
    assert read_settings(folder / "pylit.toml").description == description


def test_git_leaves_the_cache_alone(project: Callable[..., Path]) -> None:
    folder = project("pkg/__init__.py")
    assert main(["build", "pkg", "--quiet"]) == 0
    assert (folder / ".pylit-cache/.gitignore").read_text() == "*\n"
