"""The house itself: imports go one way, nothing of the machine is committed, words are complete."""

import ast
import re
import subprocess

import polib
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pylit.places import LOCALE
from pylit.words import find_words
from tests.conftest import ROOT

# Each module may import those before it. One string, as a list would be a line for each name.
ORDER = """
    pylit places installed profile cache pieces syntax_tree scopes layers layout model errors
    settings settings_check settings_file walk source docstring_lines docstring_directives
    docstring_inline docstring_sections docstring_lists docstring_styles docstring front_matter
    directives directives_prose directives_python cutting anchors parse markdown_page sanitize
    math.bundle math.colors math.reading math.faults math.fonts math.engine math.styles math.typeset
    math.find math links lookups inventory imports instances references po remarks atoms
    check_markup wide check_wording catalog catalog_update catalog_fmt glossary
    translation_checks html_blocks import_html shapes
    evidence_runner evidence figures pseudo words plain blocks finishing lexer code terms examples
    prose insertion page_draft page parallel notebook navigation reading translation_status
    search_units search sheets theme assembly drafting contents cite translation_page
    translation_preview output evidence_run site extract watch live serve new check external report
    export unchanged cli.common cli.new cli.build cli.serve cli.run cli.export cli.sections
    cli.i18n_common cli.i18n_check cli.i18n_status cli.i18n_import cli.i18n cli.check cli __main__
""".split()  # noqa: SIM905 (see above)


def imports(name: str) -> set[str]:
    """The modules of pylit that a module of pylit imports."""
    path = ROOT / "pylit" / (name.replace(".", "/") + ".py")
    if name in ("pylit", "math", "cli"):
        path = ROOT / "pylit" / ("" if name == "pylit" else name) / "__init__.py"
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pylit"):
            module = (node.module or "").removeprefix("pylit").removeprefix(".")
            names = [f"{module}.{alias.name}".lstrip(".") for alias in node.names]
            inner = [name for name in names if name in ORDER]
            found.update(inner or [module or "pylit"])
        elif isinstance(node, ast.Import):
            found |= {
                alias.name.removeprefix("pylit.")
                for alias in node.names
                if alias.name.startswith("pylit")
            }
    return found


def test_every_module_has_its_place() -> None:
    files = {
        path.relative_to(ROOT / "pylit").with_suffix("").as_posix().replace("/", ".")
        for path in (ROOT / "pylit").rglob("*.py")
    }
    files = {"pylit" if name == "__init__" else name.removesuffix(".__init__") for name in files}
    assert files == set(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_imports_go_one_way(name: str) -> None:
    assert imports(name) <= set(ORDER[: ORDER.index(name)])


def test_only_one_file_knows_the_templates_and_one_prints() -> None:
    for name in ORDER:
        path = ROOT / "pylit" / (name.replace(".", "/") + ".py")
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if name not in ("theme", "words"):
            assert "import jinja2" not in text
        if not name.startswith("cli") and name != "words":
            assert not re.search(r"^\s*print\(", text, re.MULTILINE)


@pytest.mark.parametrize("language", ["zh", "ja", "si"])
def test_every_interface_word_is_translated(language: str) -> None:
    catalogue = polib.pofile(str(LOCALE / f"{language}.po"))
    translated = {entry.msgid: entry.msgstr for entry in catalogue if not entry.obsolete}
    for word in find_words(ROOT / "templates"):
        assert translated.get(word.text), word.text
        named = re.compile(r"%\(\w+\)s")
        assert sorted(named.findall(word.text)) == sorted(named.findall(translated[word.text]))


def test_templates_hold_no_bare_words() -> None:
    """Every word that a reader sees goes through the catalogues."""
    for file in (ROOT / "templates").glob("*.html"):
        text = file.read_text(encoding="utf-8")
        text = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
        text = re.sub(r"\{%\s*trans.*?endtrans\s*%\}", "", text, flags=re.DOTALL)
        text = re.sub(r"\{[{%].*?[}%]\}", "", text, flags=re.DOTALL)
        labels = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', text)
        text = re.sub(r"<[^>]*>", " ", text)
        words = re.findall(r"[A-Za-z]{3,}", " ".join([text, *labels]))
        # The names of keys and of the tool are the same in all languages.
        assert not set(words) - {"pylit", "doctype", "html", "Shift", "Esc"}, file.name


def test_no_path_of_a_machine_is_committed() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    pattern = re.compile(
        r"/(?:home|root|Users)/\w+|registry\.npmjs|files\.pythonhosted|pypi\.org/simple"
    )
    for name in listed:
        path = ROOT / name
        if path.is_file() and path.suffix in (
            ".py",
            ".md",
            ".toml",
            ".html",
            ".js",
            ".css",
            ".json",
            ".po",
            ".txt",
        ):
            text = path.read_text(encoding="utf-8")
            assert name == "tests/test_layout.py" or not pattern.search(text), name


@pytest.mark.parametrize("python", ["3.11.0", "3.11.2", "3.11.5", "3.13.0"])
def test_each_dependency_is_pinned_once_within_its_range(python: str) -> None:
    """Debian's Python 3.11.2 was refused by the one pin of pymdown-extensions."""
    place = {"python_full_version": python, "python_version": python.rpartition(".")[0]}
    pins: dict[str, list[str]] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate(place):
                pins.setdefault(canonicalize_name(pin.name), []).append(str(pin.specifier)[2:])
    assert {name: found for name, found in pins.items() if len(found) != 1} == {}
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    (call,) = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and any(word.arg == "install_requires" for word in node.keywords)
    )
    (needed,) = (word.value for word in call.keywords if word.arg == "install_requires")
    for text in ast.literal_eval(needed):
        wanted = Requirement(text)
        (version,) = pins[canonicalize_name(wanted.name)]
        assert version in wanted.specifier, text
