"""What a page cites, and how it is cited."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pylit.cite import identifier, parse_bibliography
from pylit.settings_file import read_settings
from pylit.site import Build
from tests.conftest import ROOT

BuildSite = Callable[[Mapping[str, str]], Build]

BIB = """% A comment.
@article{one2017, title = {One {X}}, eprint = {1706.03762}, year = 2017}

@misc{two, title = "Two", doi = {10.1000/ABC.5}}
@misc{three, title = {Three}, url = {https://example.org/p?id=3}}
"""
TOML = 'bibliography = "refs.bib"\n[[source]]\npath = "src"\n'


def cited(made: Build, address: str = "a.html") -> list[str]:
    page = next(page for page in made.pages if page.address == address)
    return [re.split("[{,]", entry)[1] for entry in page.cited]


@pytest.mark.parametrize(
    ("link", "key"),
    [
        ("https://arxiv.org/abs/1706.03762", "one2017"),
        ("http://www.arxiv.org/pdf/1706.03762v5.pdf", "one2017"),
        ("https://arxiv.org/html/1706.03762v7", "one2017"),
        ("https://doi.org/10.48550/arXiv.1706.03762", "one2017"),
        ("https://doi.org/10.1000/abc.5", "two"),
        ("https://example.org/p?id=3", "three"),
    ],
)
def test_a_link_to_a_paper_cites_it(build_site: BuildSite, link: str, key: str) -> None:
    made = build_site(
        {"pylit.toml": TOML, "refs.bib": BIB, "src/a.md": f"# A\n\nSee [it]({link}).\n"}
    )
    assert made.problems == ()
    assert cited(made) == [key]


@pytest.mark.parametrize("link", ["https://arxiv.org/abs/1706.0376", "https://example.org/p?id=4"])
def test_another_link_cites_nothing(build_site: BuildSite, link: str) -> None:
    made = build_site(
        {"pylit.toml": TOML, "refs.bib": BIB, "src/a.md": f"# A\n\nSee [it]({link}).\n"}
    )
    assert cited(made) == []


def test_old_numbers_of_arxiv_have_a_slash() -> None:
    assert identifier("https://arxiv.org/abs/hep-th/9901001v2") == "arxiv:hep-th/9901001"


def test_keys_in_the_head_come_first_and_entries_as_they_stand(build_site: BuildSite) -> None:
    text = "---\ncite: three,\n  two\n---\n# A\n\n[One](https://arxiv.org/abs/1706.03762)\n"
    made = build_site({"pylit.toml": TOML, "refs.bib": BIB, "src/a.md": text})
    assert made.problems == ()
    assert cited(made) == ["three", "two", "one2017"]
    html = next(o.content.decode() for o in made.outputs if o.path == "a.html")
    assert "@misc{two, title = &#34;Two&#34;, doi = {10.1000/ABC.5}}" in html


def test_an_unknown_key_is_said_with_its_line(build_site: BuildSite) -> None:
    files = {"refs.bib": BIB, "src/a.py": '"""\n---\ntitle: A\ncite: two, four\n---\n"""\n'}
    (problem,) = build_site({"pylit.toml": TOML, **files}).problems
    assert (problem.path, problem.line) == ("src/a.py", 4)
    assert problem.message == "refs.bib has no entry 'four'; add it there, or correct the key"
    first, second = build_site({"pylit.toml": TOML.partition("\n")[2], **files}).problems
    assert first.message.endswith("the settings name no file of BibTeX; set bibliography")
    assert second.line == 4


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("@misc{a, title = {A}}\n\n@misc{a, title = {B}}", 3, "another entry 'a'"),
        ("@misc{a, title = {A}, title = {B}}", 1, "a field twice: title"),
        ("@misc{x, title = {X}}\n@misc{a, title = {A\n@misc{b, title = {B}}", 2, "cannot be read"),
        ("@misc{x, title = {X}}\n@misc{a, title", 2, "cannot be read"),
    ],
)
def test_a_faulty_entry_is_said_with_its_line(
    text: str, line: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = parse_bibliography("refs.bib", text)
    (problem,) = found.problems
    assert (problem.path, problem.line) == ("refs.bib", line)
    assert words in problem.message
    # The library's own words stay out of the way.
    assert capsys.readouterr().err == ""


def test_a_faulty_entry_leaves_the_others() -> None:
    found = parse_bibliography(
        "b", "@misc{a, title = {A\n@misc{b, title = {B}}\n@misc{c, title={C}}"
    )
    assert sorted(found.entries) == ["b", "c"]


def test_the_entry_of_a_page_says_what_is_known(build_site: BuildSite) -> None:
    toml = """
title = "Notes & more"
base_url = "https://example.org/x"
author = "Ada Lovelace and {The 50% Group}"
[[source]]
path = "src"
"""
    made = build_site({"pylit.toml": toml, "src/sub/a_b.md": "# 100 % {of} C#_x ~ ^ \\\\\n"})
    page = next(page for page in made.pages if page.address == "sub/a_b.html")
    assert page.citation == (
        "@misc{notes-more-sub-a-b,\n"
        "  author       = {Ada Lovelace and {The 50\\% Group}},\n"
        "  title        = {{100 \\% \\textbraceleft{}of\\textbraceright{} C\\#\\_x"
        " \\textasciitilde{} \\textasciicircum{} \\textbackslash{}}},\n"
        "  howpublished = {{Notes \\& more}},\n"
        "  url          = {https://example.org/x/sub/a_b.html}\n"
        "}"
    )
    assert not parse_bibliography("own", page.citation).problems
    html = next(o.content.decode() for o in made.outputs if o.path == "sub/a_b.html")
    assert re.findall('name="citation_author" content="([^"]*)"', html) == [
        "Ada Lovelace",
        "The 50% Group",
    ]


def test_without_an_author_nothing_is_claimed(build_site: BuildSite) -> None:
    made = build_site({"src/a.md": "# A\n"})
    html = next(o.content.decode() for o in made.outputs if o.path == "a.html")
    assert "citation_" not in html
    page = next(page for page in made.pages if page.address == "a.html")
    assert page.citation == (
        "@misc{annotated-source-a,\n"
        "  title        = {{A}},\n"
        "  howpublished = {{Annotated source}}\n"
        "}"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('bibliography = "none.bib"', "bibliography = 'none.bib' is not there"),
        ('author = "{Lab"', "a brace without its partner"),
    ],
)
def test_settings_are_checked(make_site: Callable[..., Path], line: str, message: str) -> None:
    folder = make_site({"pylit.toml": f'{line}\n[[source]]\npath = "src"\n', "src/a.py": ""})
    with pytest.raises(Exception, match=message):
        read_settings(folder / "pylit.toml")


def test_every_paper_of_our_pages_has_an_entry() -> None:
    path = "labml_nn/references.bib"
    found = parse_bibliography(path, (ROOT / path).read_text(encoding="utf-8"))
    assert found.problems == ()
    linked: set[str] = set()
    for file in (ROOT / "labml_nn").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        linked |= {identifier(url) for url in re.findall(r"https://arxiv\.org/[^)\s]+", text)}
    assert len(linked) >= 5
    assert linked == {name for name in found.keys if name.startswith("arxiv:")}
