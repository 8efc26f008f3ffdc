"""Splitting: every line in exactly one section, whatever the file."""

import sysconfig
import zipfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.errors import ParseError
from pylit.model import Module, Source
from pylit.parse import parse
from pylit.source import read_text
from tests.conftest import corpus_wheel


def split(text: str) -> Module:
    return parse(Source("input.py", "input.html", "input", text))


def spans(module: Module) -> list[tuple[str, tuple[int, int] | None, tuple[int, int] | None]]:
    """Kind, lines of prose, lines of code."""
    return [
        (
            section.kind,
            (section.prose.first, section.prose.last) if section.prose else None,
            (section.code.first, section.code.last) if section.code else None,
        )
        for section in module.sections
    ]


def check_every_line_once(module: Module) -> None:
    """The invariant: each line that is not blank, once, in order."""
    lines = module.source.text.split("\n")
    seen: list[int] = []
    for section in module.sections:
        parts = sorted(span for span in (section.prose, section.code) if span)
        for span in parts:
            assert lines[span.first - 1].strip()
            assert lines[span.last - 1].strip()
            seen.extend(n for n in range(span.first, span.last + 1) if lines[n - 1].strip())
    assert seen == [number for number, line in enumerate(lines, 1) if line.strip()]
    anchors = [section.anchor for section in module.sections]
    assert len(anchors) == len(set(anchors))
    for section in module.sections:
        assert len(section.text_lines) == (section.text.count("\n") + 1 if section.text else 0)


# Pieces of Python in any order and at any indentation: most of what comes out is no valid program,
# and then the promise is one ParseError.
PIECES = st.sampled_from(
    [
        "# note", "#", "#!x = 1", "# noqa", "# %%", "", "x = 1", "x = 1  # beside", '"""doc"""',
        "'doc'", '"""two', 'lines"""', "def f():", "def f(): pass", "class A:", "@decorator",
        "return 1", "if x:", "else:", "f(a,", "# inside", "b)", "y = '''", "# text", "'''", "pass",
        "    ", "\t# tab", "x = \\", "async def g(): ...", "\f", "é = 'ü'  # ö",
    ]
)  # fmt: skip
LINES = st.lists(st.tuples(st.sampled_from(["", "    ", "        "]), PIECES), max_size=14)


@given(LINES)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_text_parses_or_is_refused(lines: list[tuple[str, str]]) -> None:
    text = "\n".join(indent + piece for indent, piece in lines)
    try:
        module = split(text)
    except ParseError as error:
        assert error.problem.path == "input.py"
        assert 1 <= error.problem.line <= text.count("\n") + 2
        assert error.problem.column >= 1
    else:
        check_every_line_once(module)


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_characters_parse_or_are_refused(text: str) -> None:
    text = text.replace("\r", "\n")
    try:
        check_every_line_once(split(text))
    except ParseError as error:
        assert error.problem.line >= 1


@st.composite
def programs(draw: st.DrawFn, indent: str = "", depth: int = 0) -> list[str]:
    """Valid programs made of comments, docstrings, statements and definitions."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(
            st.sampled_from(
                ["comment", "code", "blank", "def", "class", "divider", "call", "string"]
            )
        )
        if kind in ("def", "class") and depth < 3:
            header = f"{indent}def f(self):" if kind == "def" else f"{indent}class A:"
            lines += [f"{indent}@decorator"] * draw(st.integers(0, 1)) + [header]
            inner = indent + "    "
            if draw(st.booleans()):
                lines += draw(
                    st.sampled_from(
                        [[f'{inner}"""One."""'], [f'{inner}"""', f"{inner}$x$", f'{inner}"""']]
                    )
                )
            lines += draw(programs(inner, depth + 1))
            lines += [f"{inner}pass"] + [f"{inner}# last words"] * draw(st.integers(0, 1))
        elif kind == "call":
            lines += [f"{indent}f(", f"{indent}  # middle", f"{indent}  1)"]
        elif kind == "string":
            lines += [f'{indent}x = """', "# no comment", '"""']
        else:
            lines += {"comment": [f"{indent}# note"], "divider": [f"{indent}#"], "blank": [""]}.get(
                kind, [f"{indent}x = 1  # beside"]
            )
    return lines


@given(programs())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_program_keeps_every_line(lines: list[str]) -> None:
    module = split("\n".join(lines))
    check_every_line_once(module)
    # A line inside a string or behind code is never prose.
    for section in module.sections:
        if section.prose and section.kind == "comment":
            for number in range(section.prose.first, section.prose.last + 1):
                assert lines[number - 1].strip() in ("# note", "#", "# middle", "# last words")


def check_file(file: Path) -> bool:
    """Check one file; say whether it was valid Python."""
    text, problem = read_text(file, file.name)
    if problem:
        return False
    try:
        check_every_line_once(parse(Source(file.name, "", "", text)))
    except ParseError:
        return False
    return True


@cache
def library_files() -> list[Path]:
    """All files of the standard library, looked for once."""
    library = Path(sysconfig.get_paths()["stdlib"])
    return [file for file in sorted(library.rglob("*.py")) if "site-packages" not in file.parts]


@pytest.mark.parametrize("part", range(8))
def test_the_whole_standard_library(part: int) -> None:
    files = library_files()
    assert len(files) > 500
    refused = [file for file in files[part::8] if not check_file(file)]
    # What remains are its own tests of broken and of Python 2 files.
    assert all({"test", "tests", "lib2to3"} & set(file.parts) for file in refused)


def test_the_public_corpus(tmp_path: Path) -> None:
    with zipfile.ZipFile(corpus_wheel()) as wheel:
        wheel.extractall(tmp_path)
    files = sorted(tmp_path.rglob("*.py"))
    assert len(files) >= 221
    assert all(check_file(file) for file in files)


def test_a_fault_has_file_line_and_column() -> None:
    """W-SEG-17"""
    with pytest.raises(ParseError) as caught:
        split("x = 1\ndef f(:\n    pass\n")
    problem = caught.value.problem
    assert (problem.path, problem.line, problem.column) == ("input.py", 2, 7)
    assert "not valid Python" in problem.message


@pytest.mark.parametrize("text", ["x = '\0'", "(" * 5000 + ")" * 5000, "x = '\n'", "\ud800"])
def test_what_python_refuses_is_one_error(text: str) -> None:
    with pytest.raises(ParseError):
        split(text)


def test_code_that_was_switched_off_stays_code() -> None:
    """W-SEG-09: with the mark `#!` commented-out code is no prose."""
    module = split("#! x = old_layer(x) * w_a * w_b\n#! return __x__\nx = new_layer(x)\n")
    assert spans(module) == [("code", None, (1, 3))]


def test_a_comment_above_a_header_with_docstring_is_a_section_before_it() -> None:
    module = split('# Above\ndef f():\n    """Inside."""\n    return 1\n')
    assert spans(module) == [
        ("comment", (1, 1), None),
        ("function", (3, 3), (2, 2)),
        ("code", None, (4, 4)),
    ]
    assert [section.anchor for section in module.sections] == ["f.above", "f", "f.return-1"]


def test_code_behind_a_function_is_not_the_functions() -> None:
    module = split('def f():\n    """Doc."""\n    return 1\n\n\nX = f()\n')
    assert [(section.anchor, section.name) for section in module.sections] == [
        ("f", "f"),
        ("f.return-1", "f"),
        ("module.X", ""),
    ]


def test_code_behind_a_modules_docstring_stays_beside_it() -> None:
    assert spans(split('"""Doc."""\n\nimport os\nX = 1\n')) == [("module", (1, 1), (3, 4))]


def test_inserting_a_comment_moves_no_definition() -> None:
    text = '"""Doc."""\n\n\nclass A:\n    """A."""\n\n    def f(self):\n        """F."""\n'
    before = {section.anchor for section in split(text).sections}
    after = {section.anchor for section in split("# New note\n\n" + text).sections}
    assert before < after


@pytest.mark.parametrize(
    ("literal", "prose"),
    [
        (r'r"""$\theta$"""', r"$\theta$"),
        (r'"""$\theta$"""', r"$\theta$"),
        (r'"""$\\theta$"""', r"$\theta$"),
        (r'"""a \"quoted\" word"""', 'a "quoted" word'),
        ('"""\\\nText"""', "Text"),
        ('("in " "brackets")', "in brackets"),
        ('"""First.\n\n        deeper\n    back\n    """', "First.\n\n    deeper\nback"),
        ('u"old"', "old"),
    ],
)
def test_prose_is_the_source_text(literal: str, prose: str) -> None:
    module = split(f"def f():\n    {literal}\n")
    assert module.sections[0].text == prose


@pytest.mark.parametrize(
    "text",
    ['def f(): "on the same line"\n', '"""Doc."""; x = 1\n', 'def f():\n    f"{x}"\n', "b'x'\n"],
)
def test_what_is_no_docstring_of_its_own_stays_code(text: str) -> None:
    assert all(section.prose is None for section in split(text).sections)


def test_a_box_around_a_comment_is_not_shown() -> None:
    module = split("#-----------------#\n#   A title        #\n#-----------------#\nx = 1\n")
    assert module.sections[0].text == "  A title"
    assert split("# C and C#\nx = 1\n").sections[0].text == "C and C#"


def test_a_comment_of_sphinx_is_read_as_a_docstring() -> None:
    module = split("#: The size.\n#:\n#: .. versionadded:: 1.2\nsize = 1\n")
    assert module.sections[0].text == "The size.\n\n\n*New in version 1.2.*"


def test_front_matter_names_the_page() -> None:
    module = split('"""\n---\ntitle: "A: B"\nsummary: One\n  line.\n---\n# Heading\n"""\n')
    assert (module.title, module.summary) == ("A: B", "One line.")
    assert module.sections[0].text == "# Heading"
    assert module.sections[0].text_lines == (7,)
    assert module.problems == ()


def test_a_summary_may_go_on_below_as_in_yaml() -> None:
    module = split('"""\n---\nsummary: >\n  One.\n  Two.\n---\n# A\n"""\n')
    assert module.summary == "One. Two."


@pytest.mark.parametrize(
    ("head", "line", "words"),
    [
        ("---\ntitle: T\n# T", 2, "no end"),
        ("---\ntitle: T\norder: 1\ntitle: U\n---", 5, "there twice"),
        ("---\nJust text\ntitle: T\n---", 3, "'Just text' is not shown"),
    ],
)
def test_a_fault_of_the_front_matter_is_a_warning(head: str, line: int, words: str) -> None:
    (problem,) = split(f'"""\n{head}\n"""\n').problems
    assert (problem.line, problem.level, problem.code) == (line, "warning", "front-matter")
    assert words in problem.message


@pytest.mark.parametrize("text", ["---", "---\n", "---\nThe: beginning", "A\n\n---\ntitle: B"])
def test_a_line_across_the_page_is_no_front_matter(text: str) -> None:
    assert split(f'"""\n{text}\n"""\n').problems == ()


def test_an_unknown_front_matter_key_is_a_warning_with_its_line() -> None:
    module = split('"""\n---\ntitel: x\n---\n"""\n')
    (problem,) = module.problems
    assert (problem.line, problem.level) == (3, "warning")
    assert "titel" in problem.message


def test_text_lines_lead_back_to_the_file() -> None:
    text = '"""\nFirst.\n\nThird.\n"""\n# One\n#\n# Two\nx = 1\n'
    module = split(text)
    lines = text.split("\n")
    for section in module.sections:
        for line, number in zip(section.text.split("\n"), section.text_lines, strict=True):
            assert line in lines[number - 1]


def test_deep_nesting_does_not_overflow() -> None:
    depth = 90
    text = "".join(f"{'    ' * n}class A{n}:\n" for n in range(depth)) + "    " * depth + "pass\n"
    check_every_line_once(split(text))
