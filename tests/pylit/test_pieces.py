"""What is made once: an incremental build is a clean one, byte for byte."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import jinja2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from pylit.cli import main
from pylit.model import Module, Problem, Section, Source, Span
from pylit.page_draft import PageDraft
from pylit.pieces import Pieces, decoder, encode
from pylit.settings_file import read_settings
from pylit.site import build
from tests.conftest import write_files

MakeSite = Callable[..., Path]

TOML = (
    'base_url = "https://example.org/"\n[[source]]\npath = "src"\n[languages.ja]\nname = "日本語"\n'
)
TEXTS = [
    '"""# One\n\n$x$ and [`f`][]."""\n\n\ndef f():\n    """F."""\n    return 1\n',
    '"""# Two"""\nfrom src.a import f\n\nf()\n',
    "# A note with $y^2$\nx = 1\n",
    "def f(:\n",
    '"""\n---\ntitle: Named\n---\nText.\n"""\n',
    "",
    '"""# Seen\n\n[Two](b.py), ![P](p.svg)"""\nimport src.sub\n\n\nclass f:\n    x = 1\n',
]
PLACES = ["src/a.py", "src/b.py", "src/sub/__init__.py", "src/sub/c.py"]
PO = 'msgid ""\nmsgstr ""\n"Language: ja\\n"\n\nmsgid "One"\nmsgstr "{}"\n'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="9"></svg>'
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(PLACES), st.sampled_from(TEXTS)),
        st.tuples(st.just("delete"), st.sampled_from(PLACES), st.just("")),
        st.tuples(
            st.just("write"),
            st.just("src/p.svg"),
            st.sampled_from([SVG.format(1), SVG.format(2)]),
        ),
        st.tuples(
            st.just("translate"),
            st.just("translations/ja/a.po"),
            st.sampled_from([PO.format("一"), PO.format("壱"), 'msgid "x\n']),
        ),
        st.tuples(
            st.just("template"),
            st.just("own/robots.txt"),
            st.sampled_from(["User-agent: *\n", "# {{ site.title }}\n"]),
        ),
    ),
    min_size=1,
    max_size=5,
)


# What random edits seldom hit: a link that comes to mean two things and one thing again, a
# definition that moves away from whom it is used by, and a catalogue that is all that changes.
LINK_CHANGES = [
    ("write", PLACES[3], '"""# C [`f`][]"""\n'),
    ("write", PLACES[1], "def f(): ...\n"),
    ("delete", PLACES[1], ""),
    ("write", PLACES[0], TEXTS[2]),
]
USE_CHANGES = [
    ("write", PLACES[1], TEXTS[1]),
    ("write", PLACES[0], "def g(): ...\n"),
    ("write", PLACES[0], "def g(): ...\n\n\ndef f(): ...\n"),
    ("delete", PLACES[0], ""),
]
CATALOG_CHANGES = [
    ("translate", "translations/ja/a.po", PO.format("一")),
    ("translate", "translations/ja/a.po", PO.format("壱")),
    ("translate", "translations/ja/a.po", 'msgid "x\n'),
    ("delete", "translations/ja/a.po", ""),
]


def outputs(folder: Path, pieces: Pieces | None) -> tuple[dict[str, bytes], tuple[Problem, ...]]:
    made = build(read_settings(folder / "pylit.toml"), pieces=pieces)
    return {output.path: output.content for output in made.outputs}, made.problems


@given(EDITS)
@example(LINK_CHANGES)
@example(USE_CHANGES)
@example(CATALOG_CHANGES)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_after_any_edits_the_build_is_a_clean_one(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("site")
    toml = f'templates = "own"\n{TOML}'
    write_files(folder, {"pylit.toml": toml, "own/robots.txt": "", PLACES[0]: TEXTS[0]})
    pieces = Pieces(folder / ".pylit-cache")
    outputs(folder, pieces)
    for kind, name, text in edits:
        file = folder / name
        if kind == "delete":
            file.unlink(missing_ok=True)
        else:
            write_files(folder, {"pylit.toml": toml, name: text})
        in_memory = outputs(folder, pieces)
        from_disk = outputs(folder, Pieces(folder / ".pylit-cache"))
        shutil.rmtree(folder / ".pylit-cache", ignore_errors=True)
        clean = outputs(folder, Pieces())
        assert in_memory == clean
        assert from_disk == clean


def test_a_damaged_cache_changes_nothing(make_site: MakeSite) -> None:
    folder = make_site({"pylit.toml": TOML, **dict(zip(PLACES, TEXTS, strict=False))})
    clean = outputs(folder, None)
    for file in (folder / ".pylit-cache").glob("*.lines"):
        lines = file.read_bytes().split(b"\n")
        # One line is cut short, one holds JSON of another shape with a right checksum.
        damaged = [line[: len(line) // 2] for line in lines[:1]] + lines[1:]
        file.write_bytes(b"\n".join(damaged))
    assert outputs(folder, None) == clean


@pytest.fixture
def drafted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of modules that are drafted from now on."""
    from pylit import drafting

    real = drafting.draft
    paths: list[str] = []

    def watched(module: Module, *rest: object) -> PageDraft:
        paths.append(module.source.path)
        return real(module, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(drafting, "draft", watched)
    return paths


def test_what_did_not_change_is_not_made_again(make_site: MakeSite, drafted: list[str]) -> None:
    folder = make_site({"pylit.toml": TOML, **dict(zip(PLACES, TEXTS, strict=False))})
    outputs(folder, None)
    drafted.clear()
    (folder / PLACES[2]).write_text("# Another note\nx = 1\n")
    outputs(folder, None)
    assert drafted == [PLACES[2]]


def test_catalogues_and_pictures_of_imports_come_from_the_cache(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each entry was checked, and each box placed, by an earlier build."""
    files = dict(zip(PLACES, TEXTS, strict=False))
    folder = make_site({"pylit.toml": TOML, **files, "translations/ja/a.po": PO.format("一")})
    first, _ = outputs(folder, None)
    assert "一".encode() in first["ja/a.html"]
    assert b"<svg" in first["pylit-contents.html"]

    def again(*values: object) -> None:
        raise AssertionError("this was made before")

    monkeypatch.setattr("pylit.catalog.look_at", again)
    monkeypatch.setattr("pylit.contents.find_graphs", again)
    (folder / PLACES[2]).write_text("# Another note\nx = 1\n")
    made = outputs(folder, None)
    monkeypatch.undo()
    assert made == outputs(folder, Pieces())


@pytest.mark.parametrize("lasting", [True, False])
def test_a_new_definition_makes_only_those_anew_whom_it_concerns(
    make_site: MakeSite, drafted: list[str], lasting: bool
) -> None:
    """W-INC-02: all names of the site are one more definition, and two pages ask for `f`."""
    files = {"src/a.py": TEXTS[0], "src/b.py": TEXTS[1], "src/c.py": '"""# C [`f`][]"""\n'}
    folder = make_site({"pylit.toml": '[[source]]\npath = "src"\n', **files})
    pieces = Pieces(folder / ".pylit-cache") if lasting else None
    outputs(folder, pieces)
    drafted.clear()
    (folder / "src/b.py").write_text(TEXTS[1] + "\n\ndef other(): ...\n")
    outputs(folder, pieces)
    assert drafted == ["src/b.py"]
    drafted.clear()
    # Now `f` may mean two things to the page that does not define it.
    (folder / "src/b.py").write_text("def f(): ...\n")
    made, problems = outputs(folder, pieces)
    assert sorted(drafted) == ["src/b.py", "src/c.py"]
    assert [(problem.path, problem.code) for problem in problems] == [("src/c.py", "link")]
    assert (made, problems) == outputs(folder, Pieces())


def test_templates_are_compiled_once(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_site({"pylit.toml": TOML, PLACES[0]: TEXTS[0]})
    outputs(folder, None)

    def compile_again(*arguments: object, **options: object) -> None:
        raise AssertionError("a template was compiled again")

    (folder / PLACES[0]).write_text(TEXTS[0].replace("One", "Two"))
    monkeypatch.setattr(jinja2.Environment, "compile", compile_again)
    assert b"Two" in outputs(folder, None)[0]["a.html"]
    # Damaged, it is compiled again, and a page that needs it is the same.
    monkeypatch.undo()
    made = outputs(folder, None)
    (file,) = (folder / ".pylit-cache").glob("templates-*")
    file.write_bytes(file.read_bytes().replace(b"A", b"B"))
    (folder / PLACES[0]).write_text(TEXTS[0].replace("One", "Three"))
    assert outputs(folder, None) == outputs(folder, Pieces()) != made


def test_one_changed_comment_writes_its_pages_only(make_site: MakeSite) -> None:
    """W-INC-02, W-INC-03: what is written is what changed, in every language."""
    folder = make_site({"pylit.toml": TOML, **dict(zip(PLACES, TEXTS, strict=False))})
    config = ["--config", str(folder / "pylit.toml"), "--quiet"]
    main(["build", *config])
    before = {p: p.read_bytes() for p in (folder / "docs").rglob("*") if p.is_file()}
    (folder / PLACES[2]).write_text("# Another note with $y^2$\nx = 1\n")
    main(["build", *config])
    changed = {
        p.relative_to(folder / "docs").as_posix()
        for p in (folder / "docs").rglob("*")
        if p.is_file() and before.get(p) != p.read_bytes()
    }
    assert {"sub/index.html", "ja/sub/index.html"} <= changed
    # Its summary stands in the lists of the pages above, and of all pages.
    pages = {"sub/index.html", "ja/sub/index.html", "index.html", "ja/index.html"}
    pages |= {"pylit-contents.html", "ja/pylit-contents.html"}
    # The names of the indexes hold hashes, so the list of what was written changes with them.
    search = re.compile(r"pylit-assets/search-(en|ja)\.([0-9a-f]{8}\.)?js|\.pylit-manifest")
    assert {path for path in changed if not search.fullmatch(path)} <= pages


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Problem("a", 1, 2, "m", "warning", "c"), Problem),
        (
            Module(
                Source("p", "a", "n", "t"),
                (Section("code", "a", "", None, Span(1, 2), "", ()),),
                hidden=frozenset({3, 1}),
            ),
            Module,
        ),
        ((Markup("<b>"), Markup("")), tuple[Markup, ...]),
    ],
)
def test_values_survive_the_cache(value: object, kind: type) -> None:
    again = decoder(kind)(encode(value))
    assert again == value
    assert type(again) is type(value)
