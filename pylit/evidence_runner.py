"""
---
title: Running a demonstration
summary: What happens inside the fresh process that runs one module.
---
# Running a demonstration

This runs in a process of its own, which [`pylit run`](evidence_run.html) starts and may end. It
sets the limit of memory and the seeds, runs the module as a script would be run, then asks the
script for its figures, and leaves what it has seen in a file. What the module prints goes where the
process prints.

Nothing of PyTorch is needed here: it is seeded where the module uses it.
"""

import contextlib
import dataclasses
import importlib
import importlib.util
import io
import json
import random
import runpy
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

from pylit.shapes import Tracer

KINDS = ("HeatMap", "Lines", "Bars")
MEGABYTE = 1_000_000


def limit_memory(megabytes: int) -> None:
    """Let the process have no more memory than this, where the system can hold it to that."""
    try:
        import resource
    except ImportError:
        return
    # What counts is memory that is written to; libraries reserve much more than they use.
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = megabytes * MEGABYTE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def seed(text: str) -> None:
    """Seed what a module may draw random numbers from, and keep it to one thread."""
    random.seed(0)
    if "numpy" in text and importlib.util.find_spec("numpy"):
        importlib.import_module("numpy").random.seed(0)
    if "torch" in text and importlib.util.find_spec("torch"):
        torch = importlib.import_module("torch")
        torch.manual_seed(0)
        torch.set_num_threads(1)


def plain_figures(found: object) -> list[dict[str, Any]]:
    """What a module's `figures()` returned, as plain data; each also says its kind and name."""
    if not isinstance(found, dict):
        raise TypeError("figures() must return a dictionary from names to figures")
    figures = []
    for name, figure in found.items():
        kind = type(figure).__name__
        if kind not in KINDS or not dataclasses.is_dataclass(figure) or isinstance(figure, type):
            raise TypeError(f"figure {name!r} must be a HeatMap, Lines or Bars, not a {kind}")
        figures.append({"kind": kind, "name": str(name), **dataclasses.asdict(figure)})
    return figures


def demonstrate(name: str, file: str) -> list[dict[str, Any]]:
    """Run a module as a script, then ask it for its figures."""
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="runpy")
    script: dict[str, Any] = {}
    try:
        if Path(file).name == "__init__.py":
            importlib.import_module(name)
            script = runpy.run_path(file, run_name="__main__")
        else:
            script = runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code not in (None, 0):
            raise RuntimeError(f"it ended with exit code {end.code}") from None
    sys.stdout.flush()
    text = Path(file).read_text(encoding="utf-8")
    if "def figures(" not in text:
        return []
    seed(text)
    # The script itself is asked, as it may still have what the figures are made from. One that
    # ended itself by an exit is gone, and its module is imported instead.
    figures = script.get("figures") or importlib.import_module(name).figures
    # What is printed while the figures are made does not belong to the demonstration.
    with contextlib.redirect_stdout(io.StringIO()):
        return plain_figures(figures())


def failure(error: BaseException, file: str) -> dict[str, Any]:
    """What went wrong, and at which line of the module."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == file
    ]
    message = " ".join(str(error).split())
    short = "memory" if isinstance(error, MemoryError) or "allocate memory" in message else "error"
    return {
        "failed": short,
        "message": f"{type(error).__name__}: {message}" if message else type(error).__name__,
        "line": lines[-1] if lines else 0,
    }


def main(name: str, file: str, result: str, megabytes: str) -> None:
    """Run a module and write down what was seen."""
    sys.argv = [file]
    text = Path(file).read_text(encoding="utf-8")
    limit_memory(int(megabytes))
    tracer = Tracer(file, text)
    try:
        seed(text)
        sys.settrace(tracer.call)
        figures = demonstrate(name, file)
        sys.settrace(None)
        seen = [dataclasses.astuple(item) for item in tracer.seen()]
        found: dict[str, Any] = {"figures": figures, "shapes": seen}
    # A demonstration is a program of its own and can fail in any way.
    except BaseException as error:
        sys.settrace(None)
        found = failure(error, file)
    Path(result).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
