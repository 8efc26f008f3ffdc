"""What tests of all parts share: small sites built from files, and compiled templates."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
import pytest

from pylit.settings_file import read_settings
from pylit.site import Build, build
from pylit.theme import Compiled

ROOT = Path(__file__).parent.parent
CONTAINER = re.compile(r"<mjx-container.*?</mjx-container>", re.DOTALL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="write the expected results anew instead of comparing"
    )


def corpus_wheel() -> Path:
    """PyPI's labml-nn, a public corpus of annotated modules, which `make test` fetches."""
    wheels = sorted((ROOT / ".test-cache").glob("labml_nn-0.5.1-*.whl"))
    if not wheels:
        message = "the corpus is not there; run `make test` once to fetch it"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return wheels[0]


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a small tree of files; what is not named in `pylit.toml` is one source, `src`."""
    if "pylit.toml" not in files:
        files = {"pylit.toml": '[[source]]\npath = "src"\n', **files}
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates() -> Iterator[None]:
    """
    Let Jinja2 compile a text once for all the small sites of this process, most of whose time that
    was. It depends on the text, its name and its file alone, as all sites have the same options.
    """
    real = jinja2.Environment.compile
    known: dict[tuple[str, str | None, str | None], CodeType] = {}

    def compile_once(
        self: jinja2.Environment,
        source: str,
        name: str | None = None,
        filename: str | None = None,
        **options: Any,
    ) -> CodeType:
        if options or not isinstance(self.bytecode_cache, Compiled):
            return real(self, source, name, filename, **options)
        key = (source, name, filename)
        if key not in known:
            known[key] = real(self, source, name, filename)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", compile_once)
        yield


@pytest.fixture
def make_site(tmp_path: Path) -> Callable[..., Path]:
    """Write files to a folder of their own, and return the folder."""

    def make(files: Mapping[str, str | bytes], name: str = "site") -> Path:
        return write_files(tmp_path / name, files)

    return make


@pytest.fixture
def build_site(make_site: Callable[..., Path]) -> Callable[..., Build]:
    """Build a site from files, in memory."""

    def make(files: Mapping[str, str | bytes]) -> Build:
        return build(read_settings(make_site(files) / "pylit.toml"))

    return make


@pytest.fixture
def render(build_site: Callable[..., Build]) -> Callable[..., str]:
    """The HTML of one Markdown page or module's prose, with `«tex»` in the places of formulas."""

    def make(text: str, name: str = "page.md") -> str:
        made = build_site({f"src/{name}": text})
        page = next(page for page in made.pages if page.source_path.endswith(name))
        return simple("\n".join(str(row.prose) for row in page.rows))

    return make


def simple(html: str) -> str:
    """HTML with `«tex»` in the places of formulas, so that a person can read it."""
    html = CONTAINER.sub("", html)
    html = re.sub(r'<span class="math" data-tex="([^"]*)"></span>', r"«\1»", html)
    return re.sub(r'<div class="math display"[^>]*data-tex="([^"]*)"></div>', r"«« \1 »»", html)
