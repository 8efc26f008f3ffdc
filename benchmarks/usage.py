"""What a command uses: time of the processor and of the clock, and memory, children included."""

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAUSE = 0.02
"""Seconds between two looks at the memory of all processes."""


@dataclass(frozen=True, slots=True)
class Usage:
    """
    What one run used. `cpu` and `wall` are seconds; `peak` is the most that the process and its
    children had in memory at one time, in MB, where the system tells.
    """

    cpu: float
    wall: float
    peak: float
    output: str


class Failed(Exception):
    """A command ended with a code that it must not have; the text is the end of its output."""


def measure(
    command: Sequence[str | Path],
    folder: Path,
    allowed: Sequence[int] = (0,),
    environment: Mapping[str, str] | None = None,
) -> Usage:
    """
    Run a command in a folder until it ends. Python may keep what it compiles, as it does elsewhere.

    Raises `Failed` when it cannot be started, or ends with another code than the `allowed` ones.
    """
    started, before = time.perf_counter(), os.times()
    try:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except OSError as error:
        raise Failed(str(error)) from None
    peaks = [0.0]
    ended = threading.Event()
    watching = threading.Thread(target=watch, args=(process.pid, peaks, ended), daemon=True)
    watching.start()
    output, _ = process.communicate()
    ended.set()
    watching.join()
    after = os.times()
    if process.returncode not in allowed:
        raise Failed(output[-600:])
    used = (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )
    return Usage(used, time.perf_counter() - started, max(peaks), output)


def watch(pid: int, peaks: list[float], ended: threading.Event) -> None:
    """Note how much memory a process and its children have, until it has ended."""
    while not ended.wait(PAUSE):
        peaks[0] = max(peaks[0], sum(map(resident, family(pid))))


def family(pid: int) -> list[int]:
    """A process and all that came from it, on Linux."""
    found = [pid]
    for parent in found:
        for file in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found += [int(child) for child in file.read_text().split()]
            except OSError:
                continue
    return found


def resident(pid: int) -> float:
    """
    The memory of a process in MB, 0 where it is gone or the system does not say.

    What several processes share, as copies of one do, is counted once and not for each of them.
    """
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split()[0]) / 1000
    except (OSError, ValueError, IndexError):
        return 0.0


def load() -> str:
    """How busy the machine is otherwise; times of the processor grow with it, too."""
    cores = os.cpu_count() or 1
    return f"{cores} cores, load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
