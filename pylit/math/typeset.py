"""
---
title: Typesetting formulas
summary: TeX in, HTML out, at the time the site is built, with a cache and several engines.
---

# Typesetting formulas

A `Typesetter` turns formulas into HTML that needs no script in the reader's browser: MathJax's
CHTML for the eye, and MathML for screen readers beside it. It takes these steps:

1. Leave out formulas that were asked for twice.
2. Look each up in memory, then in the cache.
3. Share the others among engines, each in a thread of its own. V8 runs without Python's lock, so
   two threads on two cores are nearly twice as fast as one.
4. Store what is new in the cache.

A formula gives the same bytes whatever came before it, in whatever thread: no formula can define
something for another one, and macros come from the site's settings only.

A faulty formula is not an exception, it is a `FormulaError` in the result, so that a build can
report all of them at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from pylit.cache import Cache, Value, key_of
from pylit.math.bundle import BUNDLE, Bundle, TypesetterUnavailable, find_bundle
from pylit.math.engine import Engine, Macros, Runaway, macro_settings
from pylit.math.faults import fault_line, fault_message
from pylit.math.reading import plain_text

__all__ = [
    "Formula",
    "FormulaError",
    "Typeset",
    "Typesetter",
    "TypesetterUnavailable",
]

# Formulas go to an engine in small lots, so that the engines finish together.
LOT = 8
# Starting an engine takes as long as typesetting about so many formulas.
WORTH_AN_ENGINE = 24


@dataclass(frozen=True, slots=True)
class Formula:
    """The TeX of a formula, without its delimiters, and whether it stands on its own lines."""

    tex: str
    display: bool


@dataclass(frozen=True, slots=True)
class Typeset:
    """A formula as HTML, and in plain text for titles and search.

    The HTML is one inline element, `<mjx-container>`.
    """

    html: str
    text: str


@dataclass(frozen=True, slots=True)
class FormulaError:
    """What is wrong with a formula, and on which line of its TeX, counted from zero."""

    message: str
    line: int


def formula_key(formula: Formula) -> str:
    """The key of a formula in the cache: its TeX and whether it stands on its own lines."""
    return key_of(formula.tex, str(formula.display))


Result = Typeset | FormulaError
Progress = Callable[[int, int], None]


class Typesetter:
    """Typesets formulas with a site's macros.

    Nothing is started or read before the first formula. Keep a typesetter for as long as formulas
    may come, as a server does, and close it then.

    Args:
        macros: TeX by the macro's name, without backslash; with arguments, their number and the
            TeX.
        cache: The folder to keep typeset formulas in, if any.
        jobs: How many engines may work at once.
        bundle: The folder of MathJax's files.

    Raises:
        ValueError: A macro's name or number of arguments cannot be.
    """

    def __init__(
        self,
        macros: Macros | None = None,
        *,
        cache: Path | None = None,
        jobs: int = 1,
        bundle: Path = BUNDLE,
    ) -> None:
        self._macros = dict(macros or {})
        self._settings = json.dumps(macro_settings(self._macros), sort_keys=True)
        self._folder = cache
        self._jobs = max(1, jobs)
        self._bundle = bundle
        self._known: dict[Formula, Result] = {}
        self._idle: SimpleQueue[Engine] = SimpleQueue()
        # Formulas that ran into a limit; on a machine that is less busy they might not.
        self._fled: set[Formula] = set()

    def typeset(
        self, formulas: Iterable[Formula], progress: Progress | None = None
    ) -> dict[Formula, Result]:
        """Each formula's HTML or its fault, in the order in which the formulas first came.

        Args:
            formulas: What to typeset; the same formula may come often.
            progress: Called now and then with the number of new formulas done, and of all new ones.

        Raises:
            TypesetterUnavailable: V8 or the bundle is missing; the message says what to do.
        """
        wanted = list(dict.fromkeys(formulas))
        missing = [formula for formula in wanted if formula not in self._known]
        if missing:
            bundle = find_bundle(self._bundle)
            cache = Cache(self._folder, "math", self._recipe(bundle)) if self._folder else None
            if cache:
                missing = [formula for formula in missing if not self._recall(cache, formula)]
            made = self._make(bundle, missing, progress) if missing else {}
            self._known.update(made)
            if cache and missing:
                lasting = [formula for formula in missing if formula not in self._fled]
                cache.put({formula_key(f): stored(made[f]) for f in lasting})
        return {formula: self._known[formula] for formula in wanted}

    def close(self) -> None:
        """Stop all engines; the next formula would start a new one."""
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _recipe(self, bundle: Bundle) -> str:
        # Our own code shapes the results too, so a change of it is another recipe.
        digest = hashlib.sha256(f"{bundle.digest}\n{self._settings}\n".encode())
        for name in ("colors.py", "engine.py", "faults.py", "reading.py"):
            digest.update(Path(__file__).with_name(name).read_bytes())
        return digest.hexdigest()

    def _recall(self, cache: Cache, formula: Formula) -> bool:
        value = cache.get(formula_key(formula))
        result = restored(value) if value else None
        if result is None:
            return False
        self._known[formula] = result
        return True

    def _make(
        self, bundle: Bundle, formulas: list[Formula], progress: Progress | None
    ) -> dict[Formula, Result]:
        lots = [formulas[i : i + LOT] for i in range(0, len(formulas), LOT)]
        workers = min(self._jobs, -(-len(formulas) // WORTH_AN_ENGINE))
        made: dict[Formula, Result] = {}
        with ThreadPoolExecutor(workers, thread_name_prefix="math") as pool:
            try:
                for done in as_completed([pool.submit(self._lot, bundle, lot) for lot in lots]):
                    made.update(done.result())
                    if progress:
                        progress(len(made), len(formulas))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return made

    def _lot(self, bundle: Bundle, formulas: list[Formula]) -> dict[Formula, Result]:
        made: dict[Formula, Result] = {}
        for formula in formulas:
            try:
                with self._engine(bundle) as running:
                    made[formula] = judge(formula, running)
            except Runaway as error:
                self._fled.add(formula)
                made[formula] = FormulaError(str(error), 0)
        return made

    @contextmanager
    def _engine(self, bundle: Bundle) -> Iterator[Engine]:
        """An engine that nobody else uses; one that ran away is not used again."""
        try:
            running = self._idle.get_nowait()
        except Empty:
            running = Engine(bundle, self._macros)
        try:
            yield running
        except Runaway:
            running.close()
            raise
        self._idle.put(running)


def judge(formula: Formula, running: Engine) -> Result:
    """What an engine makes of a formula."""
    answer = running.typeset(formula.tex, formula.display)
    if "html" in answer:
        html = str(answer["html"])
        return Typeset(html, plain_text(mathml_of(html)))
    fault, message = str(answer["id"]), str(answer["message"])
    line = fault_line(formula.tex, fault, message, answer["unread"])
    return FormulaError(fault_message(fault, message), line)


def mathml_of(html: str) -> str:
    """The MathML in the HTML of a formula."""
    start = html.rindex("<math")
    return html[start : html.index("</math>", start) + len("</math>")]


def plain_texts(results: Iterable[Result]) -> dict[str, str]:
    """The plain texts of formulas, by their MathML."""
    return {
        mathml_of(result.html): result.text for result in results if isinstance(result, Typeset)
    }


def stored(result: Result) -> Value:
    """A result as the cache keeps it."""
    if isinstance(result, Typeset):
        return [result.html, result.text]
    return [result.message, result.line]


def restored(value: Value) -> Result | None:
    """A result from the cache, unless what is there has another shape."""
    match value:
        case [str(html), str(text)]:
            return Typeset(html, text)
        case [str(message), int(line)]:
            return FormulaError(message, line)
    return None
