"""
How long 20,000 messages take: `python -m benchmarks.translation`.

A language is made up of 400 pages with 50 messages each. Measured is CPU time of one process:

* *load*: read all catalogues as a build does, each entry checked for errors, under 2 seconds;
* *update*: bring them up to date when nothing has changed, files read and compared, under 5;
* *check*: all checks, and *extract*: gather the messages from the sources, both for information.

The exit code is 1 where a limit is passed.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pylit.catalog import read_catalog
from pylit.catalog_update import Work, update_catalogs
from pylit.extract import extract, read_all
from pylit.glossary import Glossary, Term
from pylit.model import Language
from pylit.po import format_po
from pylit.settings_file import read_settings
from pylit.site import read
from pylit.translation_checks import check_language

PAGES, MESSAGES = 400, 50
LIMITS = {"load": 2.0, "update": 5.0}
ZH = Language("zh", "zh-Hans", "中文")
WORDS = ("query", "key", "value", "head", "token", "layer", "mask", "score", "weight", "vector")
SIGNS = "查询键值头词元层掩码分数权重向量矩阵模型步行"
ATOMS = (
    r"$\frac{1}{\sqrt{d_k}}$",
    "`d_model`",
    "$x_i$",
    "[the paper](https://example.org/abs/1)",
    "*each*",
)


def make_message(number: int, chance: random.Random) -> tuple[str, str]:
    """A text with as many formulas, code spans and links as real ones have, and a translation."""
    words = chance.choices(WORDS, k=chance.choice((3, 6, 10, 16, 30)))
    signs = chance.choices(SIGNS, k=2 * len(words))
    for atom in chance.sample(ATOMS, k=chance.choice((0, 0, 1, 1, 2, 3))):
        ours = atom.replace("the paper", "论文").replace("each", "每个")
        words.insert(chance.randrange(1, len(words)), atom)
        signs.insert(chance.randrange(1, len(signs)), f" {ours} ")
    return f"Text {number} " + " ".join(words) + ".", f"第 {number} 段" + "".join(signs) + "。"


def make_site(folder: Path) -> dict[str, str]:
    """Write the sources; return the translations."""
    chance = random.Random(20)
    translations: dict[str, str] = {}
    (folder / "src").mkdir()
    toml = '[[source]]\npath = "src"\n[languages.zh]\ntag = "zh-Hans"\n'
    (folder / "pylit.toml").write_text(toml)
    for page in range(PAGES):
        pairs = [make_message(page * MESSAGES + n, chance) for n in range(MESSAGES)]
        translations.update(pairs)
        text = "\n\n".join(source for source, _ in pairs)
        (folder / f"src/page{page}.md").write_text(text)
    return translations


def measure(name: str, work: Callable[[], object]) -> float:
    """The CPU seconds of a piece of work, printed."""
    started = time.process_time()
    work()
    seconds = time.process_time() - started
    limit = f" (limit {LIMITS[name]:.0f} s)" if name in LIMITS else ""
    print(f"{name:8} {seconds:6.2f} CPU s{limit}", flush=True)
    return seconds


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        translations = make_site(folder)
        settings = read_settings(folder / "pylit.toml")
        started = time.process_time()
        extracts = extract(settings, read(settings))[1:]
        print(f"{'extract':8} {time.process_time() - started:6.2f} CPU s")
        works = [Work(i.catalog(settings, ZH), i.file, i.messages, None) for i in extracts]
        for work, po in zip(works, update_catalogs(works, [], ZH.tag, "T"), strict=True):
            text = format_po(po)
            for entry in po.entries:
                before = format_text(entry.source)
                after = format_text(translations[entry.source])
                text = text.replace(f'msgid {before}\nmsgstr ""', f"msgid {before}\nmsgstr {after}")
            file = folder / work.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        paths = [work.path for work in works]

        def load() -> None:
            catalogs = [read_catalog(folder / path, path, ZH) for path in paths]
            states = [entry.state for catalog in catalogs for entry in catalog.entries.values()]
            assert states == ["translated"] * (PAGES * MESSAGES), set(states)

        def update() -> None:
            files, _ = read_all(settings, paths)
            old = [Work(w.path, w.file, w.messages, files[w.path]) for w in works]
            for work, po in zip(old, update_catalogs(old, [], ZH.tag, "T"), strict=True):
                assert (folder / work.path).read_bytes() == format_po(po).encode()

        def check() -> None:
            files, _ = read_all(settings, paths)
            terms = [Term(word, SIGNS[n]) for n, word in enumerate(WORDS)]
            check_language(files, ZH, Glossary(terms, ZH.tag), {})

        found = {"load": measure("load", load), "update": measure("update", update)}
        measure("check", check)
    return int(any(found[name] > limit for name, limit in LIMITS.items()))


def format_text(text: str) -> str:
    """A text as it stands in a catalogue."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    sys.exit(main())
