"""The page of all pages: what it lists, where it is, and what its pictures show."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pylit.check import check
from pylit.contents import MANY, MOST
from pylit.links import Index, Target
from pylit.model import Dependencies, Entry, Page
from pylit.references import find_references
from pylit.settings_file import read_settings
from pylit.site import Build

BuildSite = Callable[[Mapping[str, str]], Build]

NAMES = {
    "pkg": Target("index.html"),
    "pkg.a": Target("a.html"),
    "pkg.a.A": Target("a.html", "A"),
    "pkg.sub": Target("sub/index.html"),
    "pkg.sub.b": Target("sub/b.html"),
}
INDEX = Index(frozenset(), {}, NAMES, {}, {}, {})

SITE = {
    "pylit.toml": """
base_url = "https://example.org/docs/"
[[source]]
path = "pkg"
[[source]]
path = "notes"
[languages.ja]
name = "日本語"
""",
    "pkg/__init__.py": '"""# The package\n\nAll of it."""\n',
    "pkg/a.py": '"""# A thing\n\nWhat it is."""\nfrom pkg.sub.b import B\n',
    "pkg/sub/__init__.py": "",
    "pkg/sub/b.py": '"""# B thing"""\nclass B: pass\n',
    "notes/first.md": "# First\n\nA word.\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import pkg.a", ["a.html"]),
        ("import pkg.a as x, os", ["a.html"]),
        ("from pkg import a", ["a.html"]),
        ("from pkg.a import A, missing", ["a.html"]),
        ("from . import b", []),
        ("from .. import a", ["a.html"]),
        ("from ..a import A\nfrom .. import sub", ["a.html", "sub/index.html"]),
        ("def f():\n    from pkg.a import A", ["a.html"]),
        ("if TYPE_CHECKING:\n    import pkg.a", ["a.html"]),
        ("from .... import x", []),
        ("from pkg.a import *", ["a.html"]),
        ("from pkg import unknown", ["index.html"]),
        ("import pkg.a.nothing.deeper", []),
        ("not python", []),
    ],
)
def test_imports_lead_to_pages(text: str, expected: list[str]) -> None:
    assert list(find_references(text, "pkg.sub.b", False, INDEX).imports) == expected


def contents(made: Build, language: str = "en") -> Page:
    (page,) = (p for p in made.pages if p.kind == "contents" and p.language.code == language)
    return page


def outline(entry: Entry, depth: int = 0) -> list[str]:
    lines = [f"{'  ' * depth}{entry.page.title} ({entry.page.href})"]
    return [*lines, *(line for child in entry.children for line in outline(child, depth + 1))]


def listed(found: Dependencies | None) -> list[str]:
    assert found
    return [
        f"{start.title} -> {', '.join(end.title for end in ends)}" for start, ends in found.imports
    ]


def test_it_lists_every_page_in_order(build_site: BuildSite) -> None:
    made = build_site(SITE)
    parts = contents(made).parts
    assert [outline(part.top) for part in parts] == [
        [
            "The package (index.html)",
            "  A thing (a.html)",
            "  sub (sub/index.html)",
            "    B thing (sub/b.html)",
        ],
        ["notes (notes/index.html)", "  First (notes/first.html)"],
    ]
    assert listed(parts[0].dependencies) == ["pkg.a -> pkg.sub.b"]
    assert parts[1].dependencies is None


def test_it_is_in_all_languages_reachable_and_listed_for_search_engines(
    build_site: BuildSite,
) -> None:
    made = build_site(SITE)
    texts = {o.path: o.content.decode() for o in made.outputs if o.path.endswith((".html", ".xml"))}
    assert "<h1>All pages</h1>" in texts["pylit-contents.html"]
    assert "<h1>すべてのページ</h1>" in texts["ja/pylit-contents.html"]
    sitemap = texts.pop("sitemap.xml")
    for page in ("pylit-contents.html", "ja/pylit-contents.html"):
        assert f"<loc>https://example.org/docs/{page}</loc>" in sitemap
        head = texts[page].partition("</head>")[0]
        assert f'<link rel="canonical" href="https://example.org/docs/{page}">' in head
        assert 'hreflang="ja" href="https://example.org/docs/ja/pylit-contents.html"' in head
    titles = [re.search("<title>(.*?)</title>", text)[1] for text in texts.values()]  # type: ignore[index]
    assert len(set(titles)) > len(titles) // 2
    for path, text in texts.items():
        if path not in ("404.html", "ja/translation.html"):
            depth = path.removeprefix("ja/").count("/")
            assert f'href="{"../" * depth}pylit-contents.html"' in text, path
    assert 'href="https://example.org/docs/pylit-contents.html"' in texts["404.html"]


def test_every_box_is_a_link_with_words(build_site: BuildSite) -> None:
    made = build_site(SITE)
    text = next(o.content.decode() for o in made.outputs if o.path == "ja/pylit-contents.html")
    (svg,) = re.findall("<svg.*?</svg>", text, re.DOTALL)
    assert re.findall(r'<a href="([^"]+)"><title>([^<]+)</title>', svg) == [
        ("a.html", "pkg.a"),
        ("sub/b.html", "pkg.sub.b"),
    ]
    assert svg.index("<title id=") < svg.index("<desc id=") < svg.index("<a ")


def test_it_can_be_switched_off(build_site: BuildSite) -> None:
    made = build_site({**SITE, "pylit.toml": "contents = false\n" + SITE["pylit.toml"]})
    assert not any("pylit-contents" in output.path for output in made.outputs)
    assert not any(b"pylit-contents" in output.content for output in made.outputs)


def test_a_switch_must_be_true_or_false(make_site: Callable[..., Path]) -> None:
    folder = make_site(
        {"pylit.toml": 'contents = "no"\n[[source]]\npath = "src"\n', "src/a.py": ""}
    )
    with pytest.raises(Exception, match="contents must be true or false, not 'no'"):
        read_settings(folder / "pylit.toml")


def test_a_source_keeps_its_page_and_is_told(build_site: BuildSite) -> None:
    made = build_site({"src/pylit-contents.md": "# Mine\n"})
    page = next(o.content for o in made.outputs if o.path == "pylit-contents.html")
    assert b"Mine" in page
    (problem,) = made.problems
    assert "two files of the site would be pylit-contents.html" in problem.message


def test_a_page_that_only_the_list_leads_to_is_still_an_orphan(
    make_site: Callable[..., Path],
) -> None:
    from pylit.site import build

    folder = make_site({"src/a.py": "", "src/b.py": ""})
    (folder / "own").mkdir()
    (folder / "own/children.html").write_text("")
    (folder / "own/page.html").write_text(
        '{% extends "pylit/page.html" %}{% block around %}{% endblock %}'
    )
    with (folder / "pylit.toml").open("a") as file:
        file.write("")
    text = 'templates = "own"\n' + (folder / "pylit.toml").read_text()
    (folder / "pylit.toml").write_text(text)
    settings = read_settings(folder / "pylit.toml")
    found = [p.message for p in check(settings, build(settings)) if p.code == "orphan"]
    assert any(message.startswith("no page links to a.html") for message in found)


def many(folders: int, modules: int) -> dict[str, str]:
    """A package of folders whose modules import the next one, and the first of the next folder."""
    files = {"src/__init__.py": ""}
    for folder in range(folders):
        files[f"src/f{folder}/__init__.py"] = ""
        for module in range(modules):
            text = f"import src.f{folder}.m{module + 1}\n" if module + 1 < modules else ""
            if folder + 1 < folders:
                text += f"import src.f{folder + 1}.m0\n"
            files[f"src/f{folder}/m{module}.py"] = text
    return files


def test_many_modules_become_folders_with_pictures_of_their_own(build_site: BuildSite) -> None:
    made = build_site(many(8, 9))
    (part,) = contents(made).parts
    assert part.dependencies
    assert part.dependencies.layout
    assert listed(part.dependencies) == [f"f{n}/ -> f{n + 1}/" for n in range(7)]
    folder = next(page for page in made.pages if page.address == "f0/index.html")
    assert listed(folder.dependencies) == [f"src.f0.m{n} -> src.f0.m{n + 1}" for n in range(8)]
    html = next(o.content.decode() for o in made.outputs if o.path == "f0/index.html")
    assert '<a href="m0.html"><title>src.f0.m0</title>' in html


def test_a_folder_of_too_many_modules_has_a_list_alone(build_site: BuildSite) -> None:
    made = build_site(many(1, MOST + 1))
    (part,) = contents(made).parts
    assert part.dependencies
    assert part.dependencies.layout is None
    assert len(part.dependencies.imports) == MOST
    html = next(o.content.decode() for o in made.outputs if o.path == "pylit-contents.html")
    assert "too many for a picture" in html
    assert "<svg" not in html


def test_labels_tell_modules_of_one_name_apart(build_site: BuildSite) -> None:
    made = build_site(
        {
            "src/__init__.py": "",
            "src/a/x.py": "import src.b.x\nimport src.c",
            "src/b/x.py": "import src.c",
            "src/c.py": "",
        }
    )
    found = contents(made).parts[0].dependencies
    assert found
    assert found.layout
    assert [box.label for box in found.layout.boxes] == ["a.x", "b.x", "c"]


def test_a_large_folder_without_folders_is_still_drawn(build_site: BuildSite) -> None:
    made = build_site(many(1, MANY + 2))
    (part,) = contents(made).parts
    assert part.dependencies
    assert part.dependencies.layout
    assert len(part.dependencies.layout.boxes) == MANY + 2
