"""Which files belong to the site, and in what order: patterns, .gitignore, `order`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.errors import SettingsError
from pylit.settings_file import read_settings
from pylit.site import Build
from pylit.walk import walk

MakeSite = Callable[..., Path]


def found(folder: Path) -> list[str]:
    settings = read_settings(folder / "pylit.toml")
    return [path for root in settings.sources for path in walk(settings, root, [])]


def site(keys: str, *names: str, **contents: str) -> dict[str, str]:
    return {
        "pylit.toml": f'[[source]]\npath = "src"\n{keys}\n',
        **dict.fromkeys(names, ""),
        **contents,
    }


def test_include_and_exclude(make_site: MakeSite) -> None:
    names = ("src/a.py", "src/core/b.py", "src/core/deep/c.py", "src/core/_d.py", "src/x/e.py")
    keys = 'include = ["core/*", "a.py"]\nexclude = ["*/_*", "core/deep/"]'
    assert found(make_site(site(keys, *names))) == ["src/a.py", "src/core/b.py"]


def test_an_excluded_folder_is_not_entered(make_site: MakeSite) -> None:
    names = ("src/a.py", "src/tests/b.py", "src/tests/deep/c.py")
    assert found(make_site(site('exclude = ["tests"]', *names))) == ["src/a.py"]


@pytest.mark.parametrize("repository", [True, False], ids=["in git", "unpacked"])
def test_gitignore(make_site: MakeSite, repository: bool) -> None:
    """With and without git the same, in the folder of the settings and below."""
    folder = make_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\n',
            ".gitignore": "# made by tools\n_version.py\n/src/made/\n*.svg\n!/src/kept.svg\n",
            "src/.gitignore": "local_*.py\n",
            "src/deep/.gitignore": "!local_but_kept.py\n",
            **dict.fromkeys(
                (
                    "src/a.py", "src/_version.py", "src/made/b.py", "src/local_c.py",
                    "src/deep/_version.py", "src/deep/local_but_kept.py", "src/deep/made/d.py",
                    "src/x.svg", "src/kept.svg",
                ),
                "",
            ),
        }
    )  # fmt: skip
    if repository:
        (folder / ".git").mkdir()
    assert found(folder) == [
        "src/a.py",
        "src/kept.svg",
        "src/deep/local_but_kept.py",
        "src/deep/made/d.py",
    ]


def test_what_the_settings_name_is_published(make_site: MakeSite) -> None:
    """A source that a rule above it leaves out was named on purpose."""
    names = ("src/a.py", "src/b.log.py")
    folder = make_site({**site("", *names), ".gitignore": "src\n", "src/.gitignore": "*.log.py\n"})
    assert found(folder) == ["src/a.py"]


def test_rules_above_the_site_hold_up_to_the_top_of_the_repository(make_site: MakeSite) -> None:
    folder = make_site(site("", "src/a.py", "src/b.py"), "top/inner")
    (folder.parent / ".gitignore").write_text("b.py\n")
    assert found(folder) == ["src/a.py", "src/b.py"]
    (folder.parent / ".git").mkdir()
    assert found(folder) == ["src/a.py"]
    # What lies above the repository is nobody's business.
    (folder.parent.parent / ".gitignore").write_text("a.py\n")
    assert found(folder) == ["src/a.py"]


def test_order(make_site: MakeSite, build_site: Callable[..., Build]) -> None:
    files = site(
        'order = ["zebra.py", "deep", "c*"]',
        "src/__init__.py", "src/a.py", "src/b.py", "src/cat.py", "src/cow.py", "src/zebra.py",
        "src/deep/__init__.py", "src/deep/x.py", "src/early/y.py",
    )  # fmt: skip
    made = build_site(files)
    front = next(page for page in made.pages if page.address == "index.html")
    assert [child.href for child in front.children] == [
        "zebra.html",
        "deep/index.html",
        "cat.html",
        "cow.html",
        "a.html",
        "b.html",
        "early/index.html",
    ]
    zebra = next(page for page in made.pages if page.address == "zebra.html")
    assert zebra.next
    assert zebra.next.href == "deep/index.html"


@pytest.mark.parametrize("key", ["include", "exclude", "order"])
def test_patterns_must_be_a_list(make_site: MakeSite, key: str) -> None:
    folder = make_site(site(f'{key} = "a.py"', "src/a.py"))
    with pytest.raises(SettingsError, match=f"{key} must be a list") as error:
        read_settings(folder / "pylit.toml")
    assert error.value.problem.line == 3


def test_a_page_says_its_place_among_its_siblings(build_site: Callable[..., Build]) -> None:
    made = build_site(
        {
            "pylit.toml": '[[source]]\npath = "src"\norder = ["listed.md"]\n',
            "src/index.md": "# Front\n",
            "src/a.md": "# A\n",
            "src/c.md": "---\norder: 2\n---\n# C\n",
            "src/d.py": '"""\n---\norder: -1\n---\n# D\n"""\n',
            "src/listed.md": "# Listed\n",
            "src/deep/index.md": "---\norder: 1.5\n---\n# Deep\n",
            "src/deep/z.md": "---\norder: 1\n---\n# Z\n",
            "src/deep/y.md": "# Y\n",
        }
    )
    assert made.problems == ()
    order = []
    page = next(page for page in made.pages if page.address == "index.html")
    while page.next:
        order.append(page.next.title)
        title = page.next.title
        page = next(page for page in made.pages if page.title == title)
    assert order == ["Listed", "D", "Deep", "Z", "Y", "C", "A"]


def test_a_place_that_is_no_number_is_named_with_its_line(build_site: Callable[..., Build]) -> None:
    made = build_site({"src/a.md": "---\ntitle: A\norder: first\n---\n# A\n"})
    (problem,) = made.problems
    assert (problem.line, problem.level) == (3, "error")
    assert "'first'" in problem.message
    assert next(page for page in made.pages if page.source_path).title == "A"
