"""pylit renders pylit, and this repository's own site: invariants, not golden pages."""

import re

import pytest

from pylit.anchors import LONGEST
from pylit.settings_file import read_settings
from pylit.site import Build, build
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def site() -> Build:
    return build(read_settings(ROOT / "pylit.toml"))


def test_our_own_site_has_no_problems(site: Build) -> None:
    assert site.problems == ()


def test_every_module_of_both_packages_has_a_page_in_every_language(site: Build) -> None:
    addresses = {page.address for page in site.pages}
    for folder, at in (("labml_nn", ""), ("pylit", "pylit/")):
        for file in (ROOT / folder).rglob("*.py"):
            place = file.relative_to(ROOT / folder).with_suffix(".html").as_posix()
            place = at + place.replace("__init__", "index")
            for prefix in ("", "zh/", "ja/", "si/"):
                assert prefix + place in addresses


def test_every_line_of_code_is_on_its_page_with_its_number(site: Build) -> None:
    for page in site.pages:
        if page.kind == "module" and page.language.code == "en":
            lines = (ROOT / page.source_path).read_text(encoding="utf-8").split("\n")
            numbers = [line.number for row in page.rows for line in row.code]
            assert numbers == sorted(set(numbers))
            for row in page.rows:
                for line in row.code:
                    shown = re.sub("<[^>]+>", "", str(line.html))
                    shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"')
                    shown = shown.replace("&#39;", "'").replace("&amp;", "&")
                    assert shown == lines[line.number - 1]


def test_anchors_are_short_differ_and_are_the_same_in_all_languages(site: Build) -> None:
    anchors: dict[str, set[tuple[str, ...]]] = {}
    for page in site.pages:
        if page.kind == "module":
            rows = tuple(row.anchor for row in page.rows)
            assert len(set(rows)) == len(rows)
            own = [row.anchor for row in page.rows if row.kind not in ("class", "function")]
            assert all(len(anchor.rpartition(".")[2]) <= LONGEST + 3 for anchor in own)
            # Only numbers tell apart what begins with equal words, which is seldom.
            numbered = [anchor for anchor in own if re.search(r"-\d+$", anchor)]
            assert len(numbered) <= max(2, len(own) // 4), (page.address, numbered)
            code = page.language.code
            address = page.address if code == "en" else page.address.removeprefix(f"{code}/")
            anchors.setdefault(address, set()).add(rows)
    for page in site.outputs:
        if page.path.endswith(".html"):
            ids = re.findall(r'\bid="([^"]+)"', page.content.decode())
            assert len(ids) == len(set(ids)), page.path
    assert all(len(each) == 1 for each in anchors.values())


def test_titles_and_summaries_are_there_and_differ(site: Build) -> None:
    pages = [p for p in site.pages if p.language.code == "en" and p.kind != "missing"]
    assert all(page.title for page in pages)
    assert len({page.title for page in pages}) == len(pages)
    assert all(page.summary for page in pages if page.kind == "module")


def test_the_relative_attention_page_is_translated(site: Build) -> None:
    for code in ("zh", "ja", "si"):
        page = next(
            p for p in site.pages if p.address == f"{code}/transformers/xl/relative_mha.html"
        )
        assert page.translation.translated == page.translation.messages
        assert page.translation.messages > 30


def test_the_modules_of_pylit_fit_in_one_sitting() -> None:
    for file in (ROOT / "pylit").rglob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 520, file
