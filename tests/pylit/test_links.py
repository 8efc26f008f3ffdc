"""Links, anchors and pictures, in every way of writing them and in every language."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.places import with_hash
from pylit.settings_file import read_settings
from pylit.site import Build, build
from tests.conftest import simple

MakeSite = Callable[..., Path]
BuildSite = Callable[..., Build]
JAPANESE = '[[source]]\npath = "src"\n[languages.ja]\nname = "日本語"\n'


def prose(made: Build, address: str) -> str:
    page = next(page for page in made.pages if page.address == address)
    return simple("\n".join(str(row.prose) for row in page.rows))


def links(html: str) -> list[str]:
    return re.findall(r'\bhref="([^"]*)"', html)


def ids(html: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', html)


def said(made: Build) -> list[str]:
    return [f"{each.path}:{each.line}: {each.message}" for each in made.problems]


def test_a_link_names_a_file_or_a_page(build_site: BuildSite) -> None:
    """W-LNK-01"""
    made = build_site(
        {
            "src/pkg/deep/a.md": "[a](../mha.py) [b](../mha.html#MHA) [c](../readme.md)"
            " [d](../xl/__init__.py#top) [e](../xl/) [f](/src/pkg/mha.py)\n",
            "src/pkg/mha.py": "class MHA:\n    pass\n",
            "src/pkg/readme.md": "# Read me\n",
            "src/pkg/xl/__init__.py": '"""\n# XL\n\n## Top\n"""\n',
        }
    )
    assert links(prose(made, "pkg/deep/a.html")) == [
        "../mha.html",
        "../mha.html#MHA",
        "../readme.html",
        "../xl/index.html#top",
        "../xl/index.html",
        "../mha.html",
    ]
    assert said(made) == []


@pytest.mark.parametrize("target", ["../gone.py", "../gone.html#MHA", "../gone.md", "gone/"])
def test_a_link_to_nowhere_has_file_and_line(build_site: BuildSite, target: str) -> None:
    """W-LNK-01"""
    made = build_site({"src/pkg/a.md": f"# A\n\nText\n[x]({target})\n"})
    (problem,) = made.problems
    assert (problem.path, problem.line, problem.code) == ("src/pkg/a.md", 4, "link")
    assert target in problem.message


def test_another_picture_has_another_address(build_site: BuildSite) -> None:
    """Whoever has kept the old one is never shown it; a link leads to the name that it says."""
    addresses = set()
    for color in ("red", "blue"):
        picture = f'<svg xmlns="http://www.w3.org/2000/svg" fill="{color}"/>'
        made = build_site(
            {
                "src/a.md": "![A dot](a/Dot.SVG), ![again](a/Dot.SVG), [the file](a/Dot.SVG)\n",
                "src/a/Dot.SVG": picture,
            }
        )
        assert not made.problems
        files = {output.path: output.content.decode() for output in made.outputs}
        html = prose(made, "a.html")
        (address,) = set(re.findall(r'src="([^"]*)"', html))
        assert files[address] == files["a/Dot.SVG"] == picture
        assert links(html) == ["a/Dot.SVG"]
        addresses.add(address)
    assert len(addresses) == 2


def test_links_and_pictures_written_as_html(build_site: BuildSite) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>'
    made = build_site(
        {
            "pylit.toml": JAPANESE,
            "src/sub/a.md": "# A\n\n<p align=center>\n"
            "<img src='../p.svg' width=40 alt='A &lt; B'/>\n"
            '<img height="5" src="../p.svg"><img src="../p.svg" width="50%">\n</p>\n\n'
            'See <a class="x" href="b.md#top">b</a> and <img alt="" src="../p.svg">, '
            "<A HREF=https://a.org/>there</A>, <a id='here'></a>.\n\n"
            '<!-- <a href="gone.md"><img src="gone.svg"> -->\n\n`<img src="gone.svg">`\n\n'
            '```html\n<a href="gone.md"></a>\n```\n\n'
            '<a href="no.md">no</a> <img src="none.svg">\n',
            "src/sub/b.md": "# Top\n",
            "src/p.svg": picture,
        }
    )
    assert said(made) == [
        "src/sub/a.md:18: the link to no.md leads nowhere: no page, file or name of the site is"
        " called that",
        "src/sub/a.md:18: the picture none.svg is not there: no page, file or name of the site is"
        " called that",
    ]
    for address, root in (("sub/a.html", "../"), ("ja/sub/a.html", "../../")):
        html = prose(made, address)
        assert links(html) == ["b.html#top", "https://a.org/", "no.md"]
        src = f"{root}{with_hash('p.svg', picture.encode())}"
        assert re.findall(r"<img\b[^>]*>", html) == [
            f'<img alt="A &lt; B" src="{src}" width="40" height="20">',
            f'<img height="5" src="{src}" width="10">',
            f'<img src="{src}" width="50%">',
            f'<img alt="" src="{src}" width="20" height="10">',
            '<img src="none.svg">',
        ]
    assert any(output.path.startswith("p.") for output in made.outputs)


def test_pictures_and_links_of_a_translated_page(build_site: BuildSite) -> None:
    """W-LNK-02: the picture is there once; the link stays in the language."""
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>'
    made = build_site(
        {
            "pylit.toml": JAPANESE,
            "src/sub/a.md": "![plot](img/plot.svg) and [next](next.html)\n",
            "src/sub/next.md": "# Next\n",
            "src/sub/img/plot.svg": picture,
            "translations/ja/sub/a.po": 'msgid ""\nmsgstr ""\n\n'
            'msgid "![plot](img/plot.svg) and [next](next.html)"\n'
            'msgstr "![図](img/plot.svg) と [次](next.html)"\n',
        }
    )
    (copied,) = (o.path for o in made.outputs if re.search(r"plot\..*svg$", o.path))
    assert re.fullmatch(r"sub/img/plot\.[0-9a-f]{8}\.svg", copied)
    for address, source in (
        ("sub/a.html", copied.removeprefix("sub/")),
        ("ja/sub/a.html", f"../../{copied}"),
    ):
        html = prose(made, address)
        assert f'src="{source}"' in html
        assert links(html) == ["next.html"]
        assert 'width="20"' in html
    assert "図" in prose(made, "ja/sub/a.html")
    assert {"sub/next.html", "ja/sub/next.html"} <= {page.address for page in made.pages}


def test_repeated_headings_and_an_anchor_of_ones_own(build_site: BuildSite) -> None:
    """W-LNK-03"""
    made = build_site(
        {
            "src/a.md": '## Forward\n\n## Forward\n\n<a id="MHA"></a>\n## Multi-head attention\n\n'
            "See [above](#MHA), [first](#forward), [second](#forward-2).\n"
        }
    )
    html = prose(made, "a.html")
    assert ids(html) == ["forward", "forward-2", "MHA", "multi-head-attention"]
    assert links(html) == ["#MHA", "#forward", "#forward-2"]
    assert said(made) == []


def test_an_anchor_of_ones_own_comes_before_that_of_a_heading(build_site: BuildSite) -> None:
    """W-LNK-03: also where a heading would be called the same."""
    made = build_site({"src/a.md": '## Forward\n\n<a id="forward"></a>Here. [Here](#forward)\n'})
    html = prose(made, "a.html")
    assert len(ids(html)) == len(set(ids(html)))
    assert '<a id="forward"></a>' in html


def test_a_heading_put_before_another_of_other_words_moves_no_anchor(build_site: BuildSite) -> None:
    """W-LNK-03"""
    before = ids(prose(build_site({"src/a.md": "## Forward\n\n## Backward\n"}), "a.html"))
    after = ids(prose(build_site({"src/a.md": "## New\n\n## Forward\n\n## Backward\n"}), "a.html"))
    assert [name for name in after if name != "new"] == before


def test_headings_without_a_latin_letter(build_site: BuildSite) -> None:
    """W-LNK-04: anchors are made from the words, and stay when another heading comes before."""
    text = "## 多头注意力\n\n## ශ්‍රී අවධානය\n\n[a](#多头注意力) [b](#{})\n"
    made = build_site({"src/a.md": text.format("x")})
    first, second = ids(prose(made, "a.html"))
    assert first == "多头注意力"
    assert "අවධානය" in second
    made = build_site({"src/a.md": f"## Before\n\n{text.format(second)}"})
    html = prose(made, "a.html")
    assert ids(html) == ["before", first, second]
    assert said(made) == []
    assert all(re.fullmatch(r"#[\w%.~-]+", href, re.ASCII) for href in links(html))


def test_the_anchor_is_that_of_the_source_in_every_language(build_site: BuildSite) -> None:
    """W-LNK-05"""
    made = build_site(
        {
            "pylit.toml": JAPANESE,
            "src/a.md": "## Relative attention\n",
            "src/b.md": "[there](a.md#relative-attention)\n",
            "translations/ja/a.po": 'msgid ""\nmsgstr ""\n\nmsgid "Relative attention"\n'
            'msgstr "相対的な注意"\n',
        }
    )
    assert ids(prose(made, "a.html")) == ids(prose(made, "ja/a.html")) == ["relative-attention"]
    assert "相対的な注意" in prose(made, "ja/a.html")
    assert links(prose(made, "ja/b.html")) == ["a.html#relative-attention"]
    assert said(made) == []


def test_an_anchor_and_a_picture_that_are_not_there(build_site: BuildSite) -> None:
    """W-LNK-06"""
    made = build_site(
        {
            "src/a.md": "[gone](mha.html#no-such-id) ![gone](img/none.png)\n",
            "src/mha.py": '"""# M"""\n',
        }
    )
    assert [problem.level for problem in made.problems] == ["error", "error"]
    assert "src/a.md:1: the link to #no-such-id leads nowhere: mha.html has" in "".join(said(made))
    assert "src/a.md:1: the picture img/none.png is not there" in "".join(said(made))


def test_a_shape_in_brackets_is_no_link(build_site: BuildSite) -> None:
    """W-LNK-07: shapes stay as they are written, or the build says that they do not."""
    made = build_site(
        {
            "src/a.md": "The mask has shape [seq_q][batch], see [1].\n\n"
            "[1]: #section-1\n[batch]: #section-1\n"
        }
    )
    html = prose(made, "a.html")
    assert "[seq_q][batch]" in html or any("[seq_q][batch]" in each for each in said(made))
    # Without a definition nothing is a link, and nothing is lost.
    made = build_site({"src/b.md": "Of shape [seq_q, seq_k][batch] and `[a][b]`, see [1].\n"})
    html = prose(made, "b.html")
    assert "[seq_q, seq_k][batch]" in html
    assert "<code>[a][b]</code>" in html
    assert links(html) == []


def test_a_changed_title_reaches_all_pages(make_site: MakeSite) -> None:
    """W-INC-03: a build after a change equals a clean build."""
    files = {"src/a.py": '"""# Old"""\n', "src/b.py": '"""# B"""\n', "src/sub/c.py": ""}
    folder = make_site(files)
    settings = read_settings(folder / "pylit.toml")
    build(settings)
    (folder / "src/a.py").write_text('"""# New"""\n')
    (folder / "src/new.py").write_text('"""# Came later"""\n')
    changed = build(settings)
    clean = make_site(
        {**files, "src/a.py": '"""# New"""\n', "src/new.py": '"""# Came later"""\n'}, "x"
    )
    assert changed.outputs == build(read_settings(clean / "pylit.toml")).outputs
    assert "Came later" in next(o.content.decode() for o in changed.outputs if o.path == "b.html")


def test_templates_styles_and_settings_reach_all_pages(make_site: MakeSite) -> None:
    """W-INC-02"""
    folder = make_site(
        {
            "pylit.toml": 'templates = "theme"\n[[source]]\npath = "src"\n',
            "src/a.py": '"""# A"""\n',
            "theme/styles/site.css": "",
        }
    )

    def page() -> str:
        made = build(read_settings(folder / "pylit.toml"))
        return next(o.content.decode() for o in made.outputs if o.path == "a.html")

    seen = [page()]
    (folder / "theme/styles/site.css").write_text(".x { color: red }\n")
    seen.append(page())
    (folder / "theme/page.html").write_text(
        '{% extends "pylit/page.html" %}{% block colophon %}X{% endblock %}'
    )
    seen.append(page())
    (folder / "pylit.toml").write_text('title = "T"\n' + (folder / "pylit.toml").read_text())
    seen.append(page())
    assert len(set(seen)) == 4
    assert page() == seen[-1]
