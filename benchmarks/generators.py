"""
The same corpus through pylit, docco and pycco: `python -m benchmarks.generators`.

The 221 modules of PyPI's labml-nn 0.5.1 are made pages by each of them, in one run on one machine.
Told are seconds of the processor, seconds of the clock, and the most memory that all processes of
a generator had together. pylit is measured in the states that an author meets:

* *nothing cached*: the first build on a machine;
* *formulas cached*: a new version of pylit, where MathJax is not asked again;
* *everything cached*: the output folder was removed;
* *nothing changed*, *one comment changed*: the next build;
* *four languages*: with formulas cached, and with every passage translated, by a machine into
  accented English, which has other words and the same formulas.

`pylit serve` builds in one process, so there the rebuild alone is measured: from the look at the
sources to the new pages in memory. Each row is the better of two runs (`--runs`). The exit code is
1 where a goal is missed and the machine was quiet enough to say so (`--strict`).
"""

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers import PEERS, corpus
from benchmarks.usage import Failed, Usage, load, measure
from pylit.catalog_update import Work, update_catalogs
from pylit.extract import extract
from pylit.live import make, set_aside
from pylit.pieces import Pieces
from pylit.po import format_po
from pylit.pseudo import pseudo
from pylit.reading import read
from pylit.settings_file import read_settings
from pylit.watch import inputs

PYLIT = [sys.executable, "-m", "pylit", "build", "--quiet"]
CHECKOUT = Path(__file__).parent.parent
SETTINGS = '[[source]]\npath = "labml_nn"\n'
LANGUAGES = '[languages.zh]\ntag = "zh-Hans"\nname = "中文"\n[languages.ja]\n[languages.si]\n'
CHANGED = "labml_nn/transformers/mha.py"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was run, what it used, and the pages that it wrote."""

    name: str
    usage: Usage
    pages: int
    megabytes: float


def row(name: str, usage: Usage, output: Path) -> Row:
    """A line of the table, with what stands in the output folder."""
    files = [file for file in output.rglob("*") if file.is_file()]
    pages = sum(file.suffix == ".html" for file in files)
    return Row(name, usage, pages, sum(file.stat().st_size for file in files) / 1e6)


def better(runs: int, prepare: Callable[[], object], command: Callable[[], Usage]) -> Usage:
    """The run that used the least; before each, things are put as they have to be."""
    found: list[Usage] = []
    for _ in range(runs):
        prepare()
        found.append(command())
    return min(found, key=lambda usage: usage.cpu)


def forget(folder: Path, *kept: str) -> None:
    """Remove the output folder, and of the cache all but some kinds."""
    shutil.rmtree(folder / "docs", ignore_errors=True)
    for file in (folder / ".pylit-cache").glob("*"):
        if not file.name.startswith(kept):
            file.unlink()


def edit(folder: Path) -> None:
    """Change one comment of one module, each time another way."""
    file = folder / CHANGED
    text = file.read_text(encoding="utf-8")
    number = len(re.findall("once more", text))
    file.write_text(text + f"\n# Changed{' once more' * (number + 1)}.\n", encoding="utf-8")


def translate(folder: Path) -> None:
    """Write catalogues of three languages in which every passage is translated."""
    settings = read_settings(folder / "pylit.toml")
    extracts = extract(settings, read(settings))
    for language in settings.languages:
        works = [Work(i.catalog(settings, language), i.file, i.messages, None) for i in extracts]
        for work, po in zip(works, update_catalogs(works, [], language.tag, "T"), strict=True):
            text = re.sub(r'^msgid ("")\nmsgstr', r"msgid \1\nmsgstr", format_po(po))
            for entry in po.entries:
                if not entry.source:
                    continue
                ours, theirs = written(entry.source), written(accented(entry.source))
                text = text.replace(f'msgid {ours}\nmsgstr ""', f"msgid {ours}\nmsgstr {theirs}")
            file = folder / work.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def accented(text: str) -> str:
    """A text in accented English, without what pseudo-languages put around it to make it longer."""
    return pseudo("en-XA", text).removeprefix("[").removesuffix("]").rstrip(" ~")


def written(text: str) -> str:
    """A text as it stands in a catalogue."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def pylit(folder: Path, runs: int) -> list[Row]:
    """All rows of pylit."""
    config = folder / "pylit.toml"
    config.write_text(SETTINGS, encoding="utf-8")
    out = folder / "docs"

    def build() -> Usage:
        # The corpus has links and pictures that lead nowhere, so the exit code is 1.
        return measure([*PYLIT, "--config", config], CHECKOUT, (0, 1))

    def one(name: str, prepare: Callable[[], object]) -> Row:
        made = row(name, better(runs, prepare, build), out)
        print(line(made), flush=True)
        return made

    rows = [one("pylit, nothing cached", lambda: forget(folder))]
    rows.append(one("pylit, formulas cached", lambda: forget(folder, "math-", "font-")))
    # The record of the last build would tell that nothing has changed, were the output there.
    rows.append(one("pylit, everything cached", lambda: shutil.rmtree(out)))
    rows.append(one("pylit, nothing changed", lambda: None))
    rows.append(one("pylit, one comment changed", lambda: edit(folder)))
    rows.append(
        row("pylit serve, one comment", better(1, lambda: None, lambda: serve(folder)), out)
    )
    print(line(rows[-1]), flush=True)
    config.write_text(SETTINGS + LANGUAGES, encoding="utf-8")
    translate(folder)
    rows.append(one("pylit, four languages", lambda: forget(folder, "math-", "font-")))
    return rows


def serve(folder: Path) -> Usage:
    """What `pylit serve` does after a save: look at the sources, and build what has changed."""
    settings = read_settings(folder / "pylit.toml")
    pieces = Pieces(settings.folder / settings.cache)
    files, _ = make(settings, pieces, {})
    set_aside()
    found: list[tuple[float, float]] = []
    for _ in range(3):
        edit(folder)
        cpu, wall = time.process_time(), time.perf_counter()
        inputs(settings, folder / "pylit.toml")
        files, _ = make(settings, pieces, files or {})
        found.append((time.process_time() - cpu, time.perf_counter() - wall))
        set_aside()
    return Usage(*min(found), 0.0, "")


def peer(name: str, folder: Path, runs: int) -> tuple[Row, Path] | None:
    """The row of another generator, and a page of it; nothing where it cannot be fetched."""
    out = folder / name
    files = sorted(p.relative_to(folder).as_posix() for p in (folder / "labml_nn").rglob("*.py"))
    try:
        command = PEERS[name]().command(files, out)
        usage = better(
            runs,
            lambda: shutil.rmtree(out, ignore_errors=True),
            lambda: measure(command, folder),
        )
    except Failed as error:
        print(f"{name:27} could not be fetched or run: {error}")
        return None
    made = row(name, usage, out)
    print(line(made), flush=True)
    return made, out


def line(made: Row) -> str:
    """A line of the table."""
    usage = made.usage
    peak = f"{usage.peak:8.0f}" if usage.peak else f"{'':8}"
    return (
        f"{made.name:27}{usage.cpu:8.2f}{usage.wall:9.2f}{peak}{made.pages:8}{made.megabytes:8.1f}"
    )


FEATURES: dict[str, Callable[[str, str], bool]] = {
    "docstrings are prose": lambda page, text: "This module does a linear" in prose(page),
    "raw docstrings, as TeX needs": lambda page, text: "This computes scaled" in prose(page),
    "formulas are typeset in the page": lambda page, text: "<mjx-container" in page,
    "true line numbers": lambda page, text: 'href="#L30"' in page,
    "names in code lead to definitions": lambda page, text: bool(
        re.search(r'<pre.*?<a\b[^>]* href="[^"#][^"]*"', page, re.DOTALL)
    ),
    "says where a definition is used": lambda page, text: 'class="uses"' in page,
    "outline of the page": lambda page, text: 'id="pylit-outline"' in page,
    "search": lambda page, text: "pylit-search" in page,
    "needs no other host": lambda page, text: not re.search(r'<(?:script|link)[^>]*"https?:', page),
    "dead links are reported": lambda page, text: "leads nowhere" in text,
}
"""What a page of a generator, or what the generator said, shows of what it can do."""


def prose(page: str) -> str:
    """A page without its code."""
    return re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL)


def features(found: dict[str, tuple[str, str]]) -> list[str]:
    """The table of features: what is seen in the page on multi-head attention of each generator."""
    lines = [f"{'':36}" + "".join(f"{name:>8}" for name in found)]
    for feature, test in FEATURES.items():
        answers = ["yes" if test(page, said) else "no" for page, said in found.values()]
        lines.append(f"{feature:36}" + "".join(f"{answer:>8}" for answer in answers))
    return lines


def goals(rows: Sequence[Row], peers: dict[str, Row]) -> list[tuple[str, float, float]]:
    """What was to be reached: in words, the value that was measured, the value that it may have."""
    known = {each.name: each.usage for each in rows}
    formulas = known["pylit, formulas cached"]
    found: list[tuple[str, float, float]] = []
    if "docco" in peers:
        theirs = peers["docco"].usage
        found.append(("formulas cached: CPU of docco", formulas.cpu, theirs.cpu))
        warm = known["pylit, everything cached"]
        found.append(("everything cached: CPU of docco", warm.cpu, theirs.cpu))
        cold = known["pylit, nothing cached"]
        found.append(("nothing cached: 2 x clock of docco", cold.wall, 2 * theirs.wall))
    if "pycco" in peers:
        theirs = peers["pycco"].usage
        found.append(("formulas cached: half the CPU of pycco", formulas.cpu, theirs.cpu / 2))
    four = known["pylit, four languages"]
    found.append(("four languages: 2 x CPU of English", four.cpu, 2 * formulas.cpu))
    found.append(("nothing changed: clock", known["pylit, nothing changed"].wall, 0.5))
    found.append(("one comment, serve: clock", known["pylit serve, one comment"].wall, 0.3))
    most = max(each.usage.peak for each in rows)
    found.append(("memory in MB", most, 400.0))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generators", description=__doc__)
    parser.add_argument("--runs", type=int, default=2, help="runs of each row (default: 2)")
    parser.add_argument("--strict", action="store_true", help="end with 1 where a goal is missed")
    options = parser.parse_args(arguments)
    print(f"generators, best of {options.runs} ({load()})\n")
    print(f"{'':27}{'CPU s':>8}{'clock s':>9}{'MB':>8}{'pages':>8}{'written':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            corpus(folder)
        except Failed as error:
            print(f"the corpus could not be fetched: {error}")
            return 1
        page = CHANGED.replace(".py", ".html")
        peers: dict[str, Row] = {}
        seen: dict[str, tuple[str, str]] = {}
        for each in PEERS:
            if made := peer(each, folder, options.runs):
                peers[each] = made[0]
                seen[each] = (
                    (made[1] / page).read_text(encoding="utf-8"),
                    made[0].usage.output,
                )
        rows = pylit(folder, options.runs)
        own = folder / "docs" / page.removeprefix("labml_nn/")
        seen = {"pylit": (own.read_text(encoding="utf-8"), rows[0].usage.output), **seen}
    print("\nin the page on multi-head attention, and in what was said\n")
    print("\n".join(features(seen)))
    print(f"\n{'goal':42}{'is':>8}{'may be':>8}")
    missed = False
    for words, value, limit in goals(rows, peers):
        missed |= value > limit
        print(f"{words:42}{value:8.2f}{limit:8.2f}  {'no' if value > limit else 'yes'}")
    print(f"\n({load()} at the end)")
    return int(missed and options.strict)


if __name__ == "__main__":
    sys.exit(main())
