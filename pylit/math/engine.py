"""
---
title: MathJax inside Python
summary: One V8 engine that runs MathJax, and what its errors mean.
---

# MathJax inside Python

An `Engine` is a V8 isolate, from the package `mini-racer`, that has run the bundle's script.
Starting one takes a few tenths of a second and typesetting a formula some milliseconds, so engines
are started late and kept.

Formulas come from authors, and one of them may send MathJax round in circles. MathJax stops at its
own limit of macro calls; time and memory have limits as well, and an engine that ran into one is
replaced.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from pylit.math.bundle import Bundle, TypesetterUnavailable
from pylit.math.colors import CSS_COLORS

SECONDS = 30.0
BYTES = 1_000_000_000
SETTLING = 10.0

# V8 sets up its memory with the first engine of a process, and two engines that start at the same
# moment may both do so: V8 then stops the whole process. So they start one after the other.
STARTING = threading.Lock()

Macros = Mapping[str, str | tuple[int, str]]


class Runaway(Exception):
    """A formula took more time or memory than any honest one; its engine is of no more use."""


def macro_settings(macros: Macros) -> dict[str, str | list[str | int]]:
    """The macros as MathJax's `configmacros` package wants them, in a steady order.

    Raises:
        ValueError: A name is not letters only, or a number of arguments is not from 0 to 9.
    """
    settings: dict[str, str | list[str | int]] = {}
    for name, macro in sorted(macros.items()):
        if not re.fullmatch("[A-Za-z]+", name):
            message = f"The name of a macro has letters only, without a backslash, not {name!r}"
            raise ValueError(message)
        if isinstance(macro, str):
            settings[name] = macro
            continue
        count, tex = macro
        if not 0 <= count <= 9:
            raise ValueError(f"The macro {name!r} has {count} arguments; TeX allows from 0 to 9")
        settings[name] = [tex, count]
    return settings


class Engine:
    """MathJax, started with a site's macros."""

    def __init__(self, bundle: Bundle, macros: Macros) -> None:
        try:
            from py_mini_racer import MiniRacer

            with STARTING:
                self._racer = MiniRacer()
        except (ImportError, OSError, RuntimeError) as error:
            message = "The package mini-racer does not work here; run `pip install mini-racer`"
            raise TypesetterUnavailable(message) from error
        # The value of the last expression would be turned into Python, so it is made a small one.
        self._racer.eval(bundle.script.read_text(encoding="utf-8") + "\n;0")
        settings = {"macros": macro_settings(macros), "colors": sorted(CSS_COLORS)}
        self._racer.call("pylit.start", json.dumps(settings))

    def typeset(self, tex: str, display: bool) -> dict[str, Any]:
        """What the bundle says of a formula: its `html`, or `id`, `message` and `unread`.

        Raises:
            Runaway: A limit was reached; close this engine and start another one.
        """
        from py_mini_racer import JSOOMException, JSTimeoutException

        try:
            answer: dict[str, Any] = self._racer.call(
                "pylit.typeset", tex, display, timeout_sec=SECONDS, max_memory=BYTES
            )
        except JSTimeoutException as error:
            self._settle()
            raise Runaway(f"The formula took more than {SECONDS:.0f} seconds") from error
        except JSOOMException as error:
            self._settle()
            raise Runaway("The formula took too much memory") from error
        return answer

    def _settle(self) -> None:
        """Wait until V8 has given up what it was told to.

        It says so only then; an engine that was closed before could not hear it, and mini-racer
        would print a trace.
        """
        from py_mini_racer import JSEvalException

        with contextlib.suppress(JSEvalException):
            self._racer.eval("0", timeout_sec=SETTLING)

    def close(self) -> None:
        """Stop V8."""
        self._racer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
