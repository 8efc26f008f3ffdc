"""
Whether a page costs more on a large site: `python -m benchmarks.scaling`.

Sites of 250, 1,000 and 4,000 pages are made from the modules of PyPI's labml-nn 0.5.1, copied under
other package names until there are enough. In each copy, imports name that copy, and every comment
ends with its number, so that no piece of one is a piece of another. Formulas are the same in all
copies; they are typeset before, as this is about everything else.

The first build has the formulas cached, the second one everything, for a third one a comment of one
module was changed. Told are seconds of the processor and the memory of all processes. The exit code
is 1 where a page of the largest site costs more than a quarter more than one of the smallest.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.generators import CHECKOUT, PYLIT
from benchmarks.peers import corpus
from benchmarks.usage import Failed, Usage, load, measure

SIZES = (250, 1_000, 4_000)
COMMENT = re.compile(r"^([ \t]*# .*[a-z.])$", re.MULTILINE)
GROWTH = 1.25


def copy(text: str, number: int) -> str:
    """A module as another copy has it."""
    text = text.replace("labml_nn", f"labml_nn_{number}") if number else text
    return COMMENT.sub(rf"\g<1> ({number})", text) + f"\n# Copy {number}.\n"


def make(folder: Path, modules: Path, pages: int) -> None:
    """Write a site of so many pages, in packages that the settings name."""
    files = sorted(modules.rglob("*.py"))
    sources: list[str] = []
    for at in range(pages):
        number, place = divmod(at, len(files))
        name = "labml_nn" if number == 0 else f"labml_nn_{number}"
        if name not in sources:
            sources.append(name)
        file = folder / name / files[place].relative_to(modules)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(copy(files[place].read_text(encoding="utf-8"), number), encoding="utf-8")
    tables = [f'[[source]]\npath = "{name}"\nat = "{name}"\n' for name in sources]
    (folder / "pylit.toml").write_text("".join(tables), encoding="utf-8")


def build(folder: Path) -> Usage:
    """One build; the corpus has links that lead nowhere, so the exit code is 1."""
    return measure([*PYLIT, "--config", folder / "pylit.toml"], CHECKOUT, (0, 1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the sites, and print what a page of each costs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of pages")
    sizes = parser.parse_args(arguments).sizes
    print(f"milliseconds of the processor a page, and MB ({load()})\n")
    print(f"{'pages':>7}{'formulas':>14}{'everything':>12}{'a comment':>12}{'MB':>7}")
    print(f"{'':7}{'cached':>14}{'cached':>12}{'changed, s':>12}")
    found: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        try:
            modules = corpus(Path(name) / "corpus")
        except Failed as error:
            print(f"the corpus could not be fetched: {error}")
            return 1
        cache = Path(name) / "cache"
        for pages in sizes:
            folder = Path(name) / str(pages)
            make(folder, modules, pages)
            if not cache.is_dir():
                build(folder)
                shutil.copytree(folder / ".pylit-cache", cache)
            shutil.rmtree(folder / ".pylit-cache", ignore_errors=True)
            shutil.rmtree(folder / "docs", ignore_errors=True)
            shutil.copytree(cache, folder / ".pylit-cache")
            for file in (folder / ".pylit-cache").iterdir():
                if not file.name.startswith(("math-", "font-")):
                    file.unlink()
            first = build(folder)
            shutil.rmtree(folder / "docs")
            second = build(folder)
            changed = folder / "labml_nn/transformers/mha.py"
            changed.write_text(changed.read_text(encoding="utf-8") + "\n# Changed.\n")
            third = build(folder)
            peak = max(first.peak, second.peak, third.peak)
            each = (1000 * first.cpu / pages, 1000 * second.cpu / pages)
            found.append(each[0])
            print(
                f"{pages:7}{each[0]:14.1f}{each[1]:12.1f}{third.cpu:12.2f}{peak:7.0f}", flush=True
            )
            shutil.rmtree(folder)
    grows = found[-1] > GROWTH * found[0]
    print(f"\nthe cost of a page grows: {'yes' if grows else 'no'} ({load()} at the end)")
    return int(grows)


if __name__ == "__main__":
    sys.exit(main())
