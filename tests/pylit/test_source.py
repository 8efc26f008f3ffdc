"""Finding and reading files: addresses never clash silently, a walk always ends."""

import os
import re
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest

from pylit.model import Problem
from pylit.settings_file import read_settings
from pylit.site import Build, build
from pylit.source import Sources, find_sources, module_name, page_address

MakeSite = Callable[..., Path]
BuildSite = Callable[..., Build]


def find(folder: Path) -> Sources:
    return find_sources(read_settings(folder / "pylit.toml"))


def addresses(found: Sources) -> list[str]:
    return [source.address for source in found.sources]


def messages(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"{problem.path}: {problem.message}" for problem in problems)


def test_one_name_in_two_folders_is_two_pages(make_site: MakeSite) -> None:
    """W-PTH-01"""
    found = find(make_site({"src/blocks.py": "", "src/vision/blocks.py": ""}))
    assert addresses(found) == ["blocks.html", "vision/blocks.html"]
    assert [source.name for source in found.sources] == ["src.blocks", "src.vision.blocks"]


def test_a_module_beside_a_package_of_its_name(make_site: MakeSite) -> None:
    """W-PTH-02"""
    found = find(make_site({"src/foo.py": "", "src/foo/__init__.py": ""}))
    assert addresses(found) == ["foo.html", "foo/index.html"]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("Index.py", "index.py", id="W-PTH-02"),
        pytest.param("foo.md", "foo.py", id="W-PTH-03"),
        pytest.param("pkg/__init__.py", "pkg/index.md", id="W-PTH-03-index"),
    ],
)
def test_two_files_with_one_page_are_an_error_that_names_both(
    build_site: BuildSite, first: str, second: str
) -> None:
    made = build_site({f"src/{first}": "", f"src/{second}": "", "src/other.py": ""})
    (problem,) = made.problems
    assert f"src/{first}" in messages(made.problems)
    assert f"src/{second}" in messages(made.problems)
    assert problem.level == "error"
    assert "other.html" in [page.address for page in made.pages]


def test_readme_beside_init_has_a_page_of_its_own(make_site: MakeSite) -> None:
    """W-PTH-03"""
    found = find(make_site({"src/pkg/__init__.py": "", "src/pkg/readme.md": "# R\n"}))
    assert addresses(found) == ["pkg/index.html", "pkg/readme.html"]


def test_a_link_to_a_parent_folder_ends(make_site: MakeSite) -> None:
    """W-PTH-04"""
    folder = make_site({"src/a/m.py": "x = 1\n"})
    os.symlink("../../src", folder / "src/a/loop")
    found = find(folder)
    assert addresses(found) == ["a/m.html"]
    assert "src/a/loop" in messages(found.problems)
    assert {problem.level for problem in found.problems} == {"warning"}


def test_a_link_to_a_file_is_that_file_once(make_site: MakeSite) -> None:
    """W-PTH-04"""
    folder = make_site({"src/m.py": "x = 1\n"})
    os.symlink("m.py", folder / "src/n.py")
    os.symlink("nowhere.py", folder / "src/broken.py")
    found = find(folder)
    assert addresses(found) == ["m.html"]


def test_windows_separators_reach_no_address() -> None:
    """W-PTH-05"""
    path = PureWindowsPath("transformers") / "xl" / "relative_mha.py"
    assert page_address(path) == "transformers/xl/relative_mha.html"
    assert module_name(path) == "transformers.xl.relative_mha"


def test_spaces_and_letters_of_the_world(build_site: BuildSite) -> None:
    """W-PTH-06"""
    made = build_site({"src/my models/注意力.py": '"""# T"""\n', "src/my models/é.py": ""})
    pages = {page.address: page for page in made.pages}
    page = pages["my models/注意力.html"]
    assert page.title == "T"
    assert pages["my models/é.html"].title == "é"
    html = next(o for o in made.outputs if o.path == "index.html").content.decode()
    assert 'href="my%20models/index.html"' in html
    inner = next(o for o in made.outputs if o.path == "my models/index.html").content.decode()
    assert 'href="%E6%B3%A8%E6%84%8F%E5%8A%9B.html"' in inner


def test_what_is_skipped(make_site: MakeSite) -> None:
    """W-PTH-07"""
    folder = make_site(
        {
            "src/pkg/__init__.py": "",
            "src/pkg/__main__.py": "",
            "src/pkg/__pycache__/m.py": "",
            "src/.venv/lib/x.py": "",
            "src/venv/pyvenv.cfg": "",
            "src/venv/lib/x.py": "",
            "src/.git/hooks/y.py": "",
            "src/node_modules/z.py": "",
            "src/docs/old.py": "",
            "src/notes.txt": "",
            "pylit.toml": 'output = "src/docs"\n[[source]]\npath = "src"\n',
        }
    )
    assert addresses(find(folder)) == ["pkg/index.html", "pkg/__main__.html"]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"x = 1\n# \xff\n", 2, "UTF-8"),
        (b'"""Gr\xfc\xdfe."""\n', 1, "the text is not utf-8"),
        (b"# coding: nonsense\n", 1, "encoding"),
        (b"# \xe9\n# coding: utf-8\n", 1, "UTF-8"),
    ],
)
def test_a_file_that_cannot_be_decoded_is_reported(
    build_site: BuildSite, content: bytes, line: int, words: str
) -> None:
    made = build_site({"src/bad.py": content, "src/good.py": ""})
    (problem,) = made.problems
    assert (problem.path, problem.line) == ("src/bad.py", line)
    assert words in problem.message
    assert "good.html" in [page.address for page in made.pages]


def test_other_encodings_are_read_as_python_reads_them(build_site: BuildSite) -> None:
    made = build_site({"src/m.py": '# coding: latin-1\n"""# Größe"""\n'.encode("latin-1")})
    assert "Größe" in [page.title for page in made.pages]


def test_byte_order_mark_and_line_ends_leave_no_trace(make_site: MakeSite) -> None:
    """W-SEG-13, W-SEG-14"""
    text = '"""\n# T\n\nText\n"""\n# note\nx = 1\n'
    texts = [text, "\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "\r")]
    settings = '[[source]]\npath = "src"\n'
    pages = set()
    for number, variant in enumerate(texts):
        files = {"pylit.toml": settings, "src/m.py": variant.encode()}
        made = build(read_settings(make_site(files, f"site{number}") / "pylit.toml"))
        content = next(output for output in made.outputs if output.path == "m.html").content
        assert b"\r" not in content
        assert "\ufeff".encode() not in content
        pages.add(content)
    assert len(pages) == 1


def test_a_module_is_called_as_an_import_calls_it(make_site: MakeSite) -> None:
    files = {"src/pkg/__init__.py": "", "src/pkg/sub/__init__.py": "", "src/pkg/sub/m.py": ""}
    names = [source.name for source in find(make_site(files)).sources]
    assert names == ["pkg", "pkg.sub", "pkg.sub.m"]


def test_sources_that_share_files(build_site: BuildSite) -> None:
    """What two roots hold is that of the first, its pictures too."""
    made = build_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n[[source]]\npath = "src/b"\nat = "twice"\n',
            "src/a.py": '"""![A](b/a.png)"""\n',
            "src/b/c.py": '"""![A](a.png)"""\n',
            "src/b/a.png": b"",
        }
    )
    assert made.problems == ()
    paths = {output.path for output in made.outputs}
    assert {"a.html", "b/c.html"} <= paths
    assert not any(path.startswith("twice") for path in paths)


def test_a_single_file_shows_the_pictures_beside_it(build_site: BuildSite) -> None:
    """Only what its text names is looked at, since it may stand in a folder of everything."""
    made = build_site(
        {
            "pylit.toml": '[[source]]\npath = "notes/a.md"\nat = "n"\n',
            "notes/a.md": "# A\n\n![A](a%20b.png) ![B](<in here/b.png>) [c](in%20here/c.csv)\n",
            "notes/a b.png": b"",
            "notes/in here/b.png": b"",
            "notes/in here/c.csv": b"",
            "notes/in here/other.csv": b"",
            "notes/other.png": b"",
            "notes/other.md": b"",
            "notes/deep/b.png": b"",
        }
    )
    assert made.problems == ()
    paths = {output.path for output in made.outputs if output.path.startswith("n/")}
    assert {re.sub(r"\.[0-9a-f]{8}\.", ".", path) for path in paths} == {
        *("n/a.html", "n/index.html", "n/a b.png", "n/in here/b.png", "n/in here/c.csv"),
    }


def test_patterns_that_name_nothing_are_reported(make_site: MakeSite) -> None:
    keys = 'include = ["*.py", "nix_*"]\norder = ["b.py", "deep", "gone/"]\n'
    files = {"pylit.toml": f'[[source]]\npath = "src"\n{keys}', "src/b.py": "", "src/deep/c.py": ""}
    found = find(make_site(files)).problems
    assert [problem.message.split(",")[0] for problem in found] == [
        "include of the source 'src' holds 'nix_*'",
        "order of the source 'src' holds 'gone/'",
    ]
    assert {problem.level for problem in found} == {"warning"}


def test_a_source_without_pages_is_reported(make_site: MakeSite) -> None:
    found = find(make_site({"src/a.txt": "", "src/b.png": ""})).problems
    assert messages(found).startswith("src: no page can be made of what is in this source")
