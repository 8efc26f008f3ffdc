"""
What must hold of every module of labml_nn: it imports with PyTorch alone, its demonstration runs
without a warning, it validates by exceptions, and its text keeps the rules of the site.
"""

import ast
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import labml_nn

PACKAGE = Path(labml_nn.__file__).parent
ROOT = PACKAGE.parent
FILES = sorted(PACKAGE.rglob("*.py"))
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def name(file: Path) -> str:
    """The dotted name of a file."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def plain(text: str) -> str:
    """What labml printed, without its colours and with single spaces."""
    return " ".join(COLOUR.sub("", text).split())


def test_w_mod_16_imports_with_torch_alone() -> None:
    """All modules import in a fresh process in which labml cannot be found."""
    names = [name(f).removesuffix(".__init__") for f in FILES]
    code = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('labml', 'numpy', 'matplotlib', 'einops'):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
import importlib, warnings
warnings.filterwarnings('ignore', message='.*NumPy.*')
for name in {names!r}:
    importlib.import_module(name)
assert 'labml' not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"W-MOD-17-{name(f)}")
def test_w_mod_17_demonstration_runs(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as the main program, with warnings as errors. Experiments make a single step."""
    monkeypatch.setattr(sys, "argv", [file.name, "--steps", "1"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(file), run_name="__main__")
    out, err = capsys.readouterr()
    assert err == ""
    assert out or file.name in ("__init__.py", "figures.py")


def test_w_mod_17_shift_test_from_the_command_line() -> None:
    """`python -m` prints the shifted matrix through labml, with no warning and no traceback."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "labml_nn.transformers.xl.relative_mha"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    out = plain(done.stdout)
    assert "shifted [ [1, 2, 3 ], [0, 4, 5 ], [6, 0, 7 ] ]" in out
    assert "[5, 0, 1, 2, 3 ]" in out
    # The distances that the demonstration's text speaks of: the 0 begins at key 2.
    assert "distances [ [-2, -1, 0, 1, 2 ], [-3, -2, -1, 0, 1 ], [-4, -3, -2, -1, 0 ] ]" in out
    assert "agree to 1e-6: True" in out


def demonstration(module: str) -> str:
    """What a module prints, as it is stored; `test_evidence.py` compares that with a fresh run."""
    folder = (PACKAGE / module).with_suffix(".evidence")
    return plain((folder / "output.txt").read_text(encoding="utf-8"))


def test_demonstrations_show_what_they_promise() -> None:
    """The sentences before each demonstration hold for what it prints."""
    out = demonstration("transformers/feed_forward.py")
    assert "[False, False, True, False, False]" in out
    assert "2,099,712" in out
    out = demonstration("transformers/models.py")
    assert "[False, False, False, True, True]" in out
    out = demonstration("transformers/mha.py")
    assert "[1.000000, 0.000000, 0.000000, 0.000000 ]" in out
    rows = [line.split() for line in re.findall(r"(?:4|16|64|256) +\d+\.\d\d [\d. ]{14}", out)]
    assert [int(row[0]) for row in rows] == [4, 16, 64, 256]
    best = [float(row[3]) for row in rows]
    best_scaled = [float(row[4]) for row in rows]
    assert best == sorted(best)
    assert best[-1] > 0.9
    assert max(best_scaled) < 0.3
    out = demonstration("transformers/positional_encoding.py")
    assert "[ 32.0000, 30.9000, 28.3000, 25.6000, 23.9000 ]" in out


@pytest.mark.parametrize("file", FILES, ids=name)
def test_no_assert_guards_input(file: Path) -> None:
    """`python -O` removes assertions, so none may stand between a user and a wrong result."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))


@pytest.mark.parametrize("file", FILES, ids=name)
def test_text_keeps_the_rules(file: Path) -> None:
    """
    Front matter with title, summary and perhaps terms, one first-level heading and no skipped
    level, raw strings where a backslash stands, no HTML, and lines that fit.
    """
    source = file.read_text(encoding="utf-8")
    assert max(map(len, source.splitlines())) <= 100
    tree = ast.parse(source)
    module = ast.get_docstring(tree) or ""
    terms = r"(?:terms:\n(?:    \S.*\n)+)?"
    assert re.match(rf"---\ntitle: \S.*\nsummary: \S.*\n{terms}---\n# \S", module)
    level = 0
    firsts = 0
    nodes = [
        n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    for node in sorted(nodes, key=lambda n: getattr(n, "lineno", 0)):
        text = ast.get_docstring(node) or ""
        assert not re.search(r"</?[a-zA-Z][^>]*>", re.sub(r"`[^`]*`", "", text))
        for marks in re.findall(r"^(#+) ", text, flags=re.MULTILINE):
            assert len(marks) <= level + 1, f"{text.splitlines()[0]}: level skipped"
            level = len(marks)
            firsts += level == 1
        if "\\" in text and isinstance(node.body[0], ast.Expr):
            start = node.body[0].lineno - 1
            assert source.splitlines()[start].lstrip().startswith('r"""')
    assert firsts == 1


@pytest.mark.parametrize("file", FILES, ids=name)
def test_links_to_pages_exist(file: Path) -> None:
    """A link to another page of the library leads to a module that is there."""
    for target in re.findall(r"\]\(([\w./]+)\.html\)", file.read_text(encoding="utf-8")):
        path = (file.parent / target).resolve()
        module = path.with_name("__init__.py") if path.name == "index" else path.with_suffix(".py")
        assert module.exists(), target


def test_demonstrations_of_the_later_modules_keep_their_promises() -> None:
    """Whatever a page says that its demonstration shows is in the printout."""

    def prints(module: str, *parts: str) -> str:
        out = demonstration(module)
        for part in parts:
            assert part in out, f"{module}: {part}"
        return out

    prints("training.py", "slope 2.0, height -1.0", "has the same losses: True")
    prints("transformers/masks.py", "with_memory [ [1, 1, 1, 1, 0 ], [1, 1, 1, 1, 1 ] ]")
    prints("transformers/label_smoothing.py", "steps: [4.5, 4.5, 4.5]")
    prints("transformers/warmup.py", "step 4,000: 0.0006988")
    out = prints("transformers/greedy.py", "first [[")
    both, first = re.findall(r"\[\[([\d, ]+)\]", out)[0], out.split("first ")[1].strip("[] ")
    assert both.split("]")[0] == first
    out = prints("transformers/fast_mha.py", "causal: the two forms agree to 1e-6: True")
    plain_mb, fast_mb = (float(mb) for mb in re.findall(r"keeps ([\d.]+) MB", out))
    assert fast_mb < plain_mb / 4
    prints("transformers/xl/fast_relative_mha.py", "[ [-1, 0, -3 ], [-2, -1, 0 ] ]", "1e-6: True")
    prints(
        "transformers/xl/model.py",
        "[[4, 1, 8], [8, 1, 8]] memory [4, 8]: the same as the whole text at once: False",
        "memory 16: the same as the whole text at once: True",
        "layers: 1 token 15 depends on all tokens from 8 on",
        "layers: 2 token 15 depends on all tokens from 4 on",
    )

    family = "transformers/self_attention"
    prints(f"{family}/basic.py", "it takes 0.48 from cat", "reversed: True")
    prints(f"{family}/einsum.py", "causal: the two forms agree to 1e-6: True")
    prints(f"{family}/narrow.py", "wide 524,416", "usual 65,664", "narrow 17,280")
    prints(
        f"{family}/block.py", "input of size 100: output of shape [5, 2, 16], deviations from 1.00"
    )
    alone, padded = re.findall(r"\[[\d., ]+\]", prints(f"{family}/classifier.py"))
    assert alone == padded
    rows = re.findall(r"\[([\d., ]+)\]", prints(f"{family}/wide.py"))
    best = [max(range(5), key=[float(w) for w in row.split(",")].__getitem__) for row in rows]
    assert best == [2, 3]
