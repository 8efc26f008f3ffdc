"""Settings: a wrong key or value is named, with its line and what to do."""

from pathlib import Path

import pytest

from pylit.cli import main
from pylit.errors import SettingsError, UsageError
from pylit.settings_file import read_settings

SOURCE = '[[source]]\npath = "src"\n'


def write(folder: Path, text: str) -> Path:
    (folder / "src").mkdir(exist_ok=True)
    (folder / "a.txt").touch()
    file = folder / "pylit.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("titel = 'x'\n" + SOURCE, 1, "titel"),
        ("title = 3\n" + SOURCE, 1, "text in quotes"),
        ("title = 'x'\n\nbase_url = 'ftp://x'\n" + SOURCE, 3, "https://"),
        ("title = \n", 1, "TOML"),
        ("title = 'x'\n", 1, "nothing to publish"),
        (SOURCE + "[[source]]\nat = 'x'\n", 3, "needs a path"),
        (SOURCE + "[[source]]\npath = 'gone'\n", 4, "not there"),
        (SOURCE + "[[source]]\npath = '/src'\n", 4, "from the folder of the settings"),
        (SOURCE + "[[source]]\npath = 'a.txt'\n", 4, "no page can be made of"),
        (SOURCE + "[[source]]\npath = 'src/a'\nat = '../x'\n", 5, "out of the site"),
        (SOURCE + "[[source]]\npath = 'src'\ninclude = 'x'\n", 5, "list of patterns"),
        (SOURCE + '[[source]]\nat = "a\\u0001"\npath = "src"\n', 4, "control character"),
        ("[[source]]\npath = 'gone'\n", 2, "not there"),
        ("[[source]]\npath = 'src'\nat = '../x'\n", 3, "out of the site"),
        (SOURCE + "[languages.JA]\n", 3, "language code"),
        (SOURCE + "[languages.ja]\ndirection = 'up'\n", 4, "'ltr' or 'rtl'"),
        (SOURCE + "[languages.en]\n", 3, "twice"),
        (SOURCE + "[languages.ja]\nnmae = 'x'\n", 4, "nmae"),
        (SOURCE + "[math]\nmacros = 3\n", 4, "table"),
        (SOURCE + "[math.macros]\nR = 3\n", 4, "R"),
        (SOURCE + "[math.macros]\n'R2' = 'x'\n", 4, "letters"),
        ("output = '.'\n" + SOURCE, 1, "over the sources"),
        ("output = 'src'\n" + SOURCE, 1, "also a source"),
        ("templates = 'gone'\n" + SOURCE, 1, "not there"),
        ("source_url = 'https://x'\n" + SOURCE, 1, "{path}"),
        ("source = 'src'\n", 1, "[[source]]"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        read_settings(file)
    assert words in caught.value.problem.message
    assert caught.value.problem.line == line
    assert main(["build", "--config", str(file)]) == 2


def test_no_settings_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError):
        read_settings(tmp_path / "pylit.toml")
    assert main(["build", "--config", str(tmp_path / "pylit.toml")]) == 2
    assert "--config" in capsys.readouterr().err


def test_everything_has_a_default(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, SOURCE))
    assert settings.output == "docs"
    assert settings.analytics == ""
    assert [language.code for language in settings.all_languages] == ["en"]
    assert settings.sources[0].at == ""


def test_macros_and_addresses(tmp_path: Path) -> None:
    text = (
        "base_url = 'https://example.org/a'\nrepository = 'https://example.org/r/'\n"
        + SOURCE
        + "[math.macros]\nR = '\\mathbb{R}'\nnorm = [1, '\\lVert #1 \\rVert']\n"
    )
    settings = read_settings(write(tmp_path, text))
    assert settings.macros == {"R": r"\mathbb{R}", "norm": (1, r"\lVert #1 \rVert")}
    assert settings.base_url == "https://example.org/a/"
    assert settings.source_url == "https://example.org/r/blob/main/{path}#L{line}"
