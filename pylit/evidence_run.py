"""
---
title: Recording evidence
summary: Run a module in a fresh process with limits, and compare or store what it showed.
---
# Recording evidence

A demonstration runs in a process of its own, in an empty folder, on one thread, with fixed seeds
and with a limit of time, of memory and of what it may print. So it shows the same on every machine,
or it is not fit to be evidence, and `pylit run --check` finds that out.

[The process itself](evidence_runner.html) needs nothing but Python. Here it is started and ended,
and what it left behind becomes the files of the [evidence](evidence.html).
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pylit.errors import PylitError
from pylit.evidence import CODE, OUTPUT, SHAPES, code_hash, evidence_folder, plain, stored_files
from pylit.figures import draw
from pylit.model import Problem, Source
from pylit.output import replace_file
from pylit.shapes import Seen, write_shapes
from pylit.theme import Theme

MOST_OUTPUT = 200_000
"""A demonstration that prints more than these bytes has lost its way."""

PAUSE = 0.05

ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    # One thread, and no instructions that only some processors have: sums come out the same.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ATEN_CPU_CAPABILITY": "default",
    "MKL_CBWR": "COMPATIBLE",
    "CUDA_VISIBLE_DEVICES": "",
    "COLUMNS": "100",
    "TERM": "xterm",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What a demonstration may take: seconds, and megabytes of memory."""

    seconds: float = 120.0
    megabytes: int = 4_000


def import_place(file: Path) -> tuple[str, Path]:
    """The name that a module is imported by, and the folder that holds its outermost package."""
    parts = [] if file.name == "__init__.py" else [file.stem]
    folder = file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def run_module(root: Path, source: Source, theme: Theme, limits: Limits) -> dict[str, str]:
    """
    Run a module, and return its evidence as the files to store.

    Raises `PylitError` when it fails, takes too much, or shows nothing.
    """
    file = (root / source.path).resolve()
    name, folder = import_place(file)
    with tempfile.TemporaryDirectory(prefix="pylit-run-") as place:
        empty = Path(place, "work")
        empty.mkdir()
        found, printed = start(source, name, file, folder, Path(place), limits)
        for path, shown in ((str(empty.resolve()), "."), (str(folder), ".")):
            printed = printed.replace(path, shown)
    files: dict[str, str] = {}
    if output := plain(printed):
        files[OUTPUT] = output
    for index, figure in enumerate(found["figures"], 1):
        files[figure_name(index, figure)] = drawn(source, figure, theme)
    if shapes := write_shapes(Seen(*item) for item in found["shapes"]):
        files[SHAPES] = shapes
    if not files:
        message = (
            "the module showed nothing when it ran; let it print something under"
            ' `if __name__ == "__main__":`, or return figures from `figures()`'
        )
        raise PylitError(Problem(source.path, 0, 0, message, code="run"))
    files[CODE] = code_hash(source)
    return files


def start(
    source: Source, name: str, file: Path, folder: Path, place: Path, limits: Limits
) -> tuple[dict[str, Any], str]:
    """Run a module in a fresh process; return what it left and what it printed."""
    paths = dict.fromkeys([str(folder), str(Path(__file__).parent.parent)])
    environment = {**os.environ, **ENVIRONMENT, "PYTHONPATH": os.pathsep.join(paths)}
    result, output, errors = (place / name for name in ("result.json", "output", "errors"))
    command = [sys.executable, "-P", "-m", "pylit.evidence_runner"]
    command += [name, str(file), str(result), str(limits.megabytes)]
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command,
            cwd=place / "work",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            watch(process, source, (output, errors), limits)
        finally:
            end(process)
    if not result.is_file():
        code = process.returncode
        why = f"signal {-code}" if code < 0 else f"exit code {code}"
        last = errors.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
        message = f"the process of the demonstration ended early with {why}"
        raise PylitError(
            Problem(source.path, 0, 0, f"{message}: {last}" if last else message, code="run")
        )
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    if found.get("failed") == "memory":
        message = (
            f"the demonstration needs more than {limits.megabytes} MB; make it smaller, or raise"
            " --memory-limit"
        )
        raise PylitError(Problem(source.path, found["line"], 0, message, code="run"))
    if "failed" in found:
        message = f"the demonstration failed: {found['message']}; correct it and run it again"
        raise PylitError(Problem(source.path, found["line"], 0, message, code="run"))
    return found, output.read_text(encoding="utf-8", errors="replace")


def watch(
    process: subprocess.Popen[bytes], source: Source, files: tuple[Path, ...], limits: Limits
) -> None:
    """Wait for a process to end. Raises `PylitError` when it takes too long or prints too much."""
    last = time.monotonic() + limits.seconds
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PAUSE)
        message = ""
        if any(file.stat().st_size > MOST_OUTPUT for file in files):
            message = (
                f"the demonstration prints more than {MOST_OUTPUT // 1000} kB; let it print less"
            )
        elif process.returncode is not None:
            return
        elif time.monotonic() > last:
            message = (
                f"the demonstration takes more than {limits.seconds:g} s; make it smaller, or raise"
                " --time-limit"
            )
        if message:
            raise PylitError(Problem(source.path, 0, 0, message, code="run"))


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def figure_name(index: int, figure: Mapping[str, Any]) -> str:
    """The file of a figure: its number, and its name in letters that every system allows."""
    name = re.sub(r"[^a-z0-9]+", "-", figure["name"].lower()).strip("-")
    return f"{index}-{name or 'figure'}.svg"


def drawn(source: Source, figure: Mapping[str, Any], theme: Theme) -> str:
    """Draw a figure; one that cannot be drawn is a fault of the module."""
    try:
        return theme.figure(draw(figure))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        message = f"figure {figure['name']!r} cannot be drawn: {error}; correct figures()"
        raise PylitError(Problem(source.path, 0, 0, message, code="run")) from None


def store(root: Path, source: Source, fresh: Mapping[str, str]) -> bool:
    """Store evidence, and tell whether that changed anything. Figures that are gone are removed."""
    folder = root / evidence_folder(source.path)
    stored = stored_files(folder)
    for name, text in fresh.items():
        if stored.get(name) != text:
            replace_file(folder / name, text.encode())
    for name in stored.keys() - fresh.keys():
        (folder / name).unlink()
    return stored != dict(fresh)


def compare(root: Path, source: Source, fresh: Mapping[str, str]) -> list[Problem]:
    """
    Say where the stored evidence is not what the code does now.

    That the code is another one is no fault, if it shows the same.
    """
    folder = evidence_folder(source.path)
    stored = stored_files(root / folder)
    problems: list[Problem] = []
    for name in sorted({*stored, *fresh} - {CODE}):
        old, new = stored.get(name, "").split("\n"), fresh.get(name, "").split("\n")
        if old == new:
            continue
        pairs = enumerate(zip(old, new, strict=False), 1)
        line = next((at for at, (a, b) in pairs if a != b), min(len(old), len(new)) + 1)
        if name not in stored:
            message = "the code now shows this too"
        elif name not in fresh:
            message = "the code shows this no more"
        else:
            message = f"stored is {line_of(old, line)}, the code now gives {line_of(new, line)}"
        message += f"; run pylit run {source.path} and read the difference"
        problems.append(Problem(f"{folder}/{name}", line, 1, message, code="evidence"))
    return problems


def line_of(lines: list[str], number: int) -> str:
    """A line for a message, without codes of style, and not too long."""
    if number > len(lines):
        return "nothing"
    text = re.sub(r"\x1b\[[0-9;]*m", "", lines[number - 1])
    return repr(text if len(text) <= 60 else text[:60] + "…")
