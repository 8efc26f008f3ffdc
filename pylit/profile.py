"""
---
title: Where the time goes
summary: Processor time of each step of a build, told only to those who ask.
---
# Where the time goes

`pylit build --profile` prints how much processor time each step took, how many pieces it made and
how many came from the cache, the share of each language, and the slowest pages. A machine with
other work to do changes how long a build lasts, but hardly how much of the processor it uses.

A build marks its steps with [`Profile.step`][]. The plain `Profile` does nothing there, so nobody
pays for what nobody reads; [`Measured`][] keeps the times. A step inside another one is counted for
itself, and not a second time for the step around it.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

SLOWEST = 10
"""So many pages are listed."""


class Profile:
    """Marks of a build's steps that nobody reads."""

    def step(self, name: str, language: str = "", page: str = "") -> AbstractContextManager[None]:
        """Put around a step: its name, and the language and page that it is for, if it is."""
        return nullcontext()


@dataclass(slots=True)
class Spent:
    """What a step has used so far: seconds of the processor, seconds of the clock, times done."""

    cpu: float = 0.0
    wall: float = 0.0
    count: int = 0


class Measured(Profile):
    """The steps of one build, measured from when this is made; `started` is what came before."""

    def __init__(self) -> None:
        self.spent: dict[tuple[str, str, str], Spent] = {}
        # What the steps that are open have spent on steps inside them, the innermost last.
        self.inner: list[Spent] = []
        self.record("start", "", "", time.process_time(), 0.0)

    def step(self, name: str, language: str = "", page: str = "") -> AbstractContextManager[None]:
        """Measure a step."""
        return self.measure(name, language, page)

    @contextmanager
    def measure(self, name: str, language: str, page: str) -> Iterator[None]:
        """Measure what is done inside, without what steps inside that measure for themselves."""
        self.inner.append(Spent())
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            yield
        finally:
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            inner = self.inner.pop()
            if self.inner:
                self.inner[-1].cpu += cpu
                self.inner[-1].wall += wall
            self.record(name, language, page, cpu - inner.cpu, wall - inner.wall)

    def take(self, spent: Mapping[tuple[str, str, str], Spent]) -> None:
        """Add what another process has used; its clock ran beside ours."""
        for key, other in spent.items():
            if key[0] != "start":
                self.record(*key, other.cpu, 0.0)

    def record(self, name: str, language: str, page: str, cpu: float, wall: float) -> None:
        """Add to what a step has used."""
        spent = self.spent.setdefault((name, language, page), Spent())
        spent.cpu += cpu
        spent.wall += wall
        spent.count += 1


def report(measured: Measured, made: Mapping[str, Counter[str]]) -> str:
    """
    What was measured, as tables of plain text.

    `made` says for each step how many of its pieces were `made`, and how many came from `memory`
    or `disk`.
    """
    steps: dict[str, Spent] = {}
    languages: dict[str, float] = {}
    pages: dict[str, dict[str, float]] = {}
    for (name, language, page), spent in measured.spent.items():
        total = steps.setdefault(name, Spent())
        total.cpu += spent.cpu
        total.wall += spent.wall
        total.count += spent.count
        if language:
            languages[language] = languages.get(language, 0.0) + spent.cpu
        if page:
            parts = pages.setdefault(page, {})
            parts[name] = parts.get(name, 0.0) + spent.cpu
    whole = sum(spent.cpu for spent in steps.values()) or 1.0
    lines = [f"{'step':<12} {'CPU s':>7} {'share':>6} {'clock s':>8} {'made':>6} {'cached':>7}"]
    for name, spent in steps.items():
        known = made.get(name, Counter())
        cached = known["memory"] + known["disk"]
        counts = f" {known['made']:>6} {cached:>7}" if known else ""
        share = f"{100 * spent.cpu / whole:.0f} %"
        lines.append(f"{name:<12} {spent.cpu:7.3f} {share:>6} {spent.wall:8.3f}{counts}")
    wall = sum(spent.wall for spent in steps.values())
    lines.append(f"{'in all':<12} {whole:7.3f} {'100 %':>6} {wall:8.3f}")
    if len(languages) > 1:
        lines += ["", f"{'language':<12} {'CPU s':>7}"]
        lines += [f"{language:<12} {cpu:7.3f}" for language, cpu in languages.items()]
    slow = sorted(pages.items(), key=lambda item: (-sum(item[1].values()), item[0]))[:SLOWEST]
    if slow:
        lines += ["", f"{'CPU s':>7}  slowest pages"]
        for page, parts in slow:
            most = sorted(parts.items(), key=lambda part: -part[1])[:3]
            named = ", ".join(f"{name} {cpu:.3f}" for name, cpu in most)
            lines.append(f"{sum(parts.values()):7.3f}  {page} ({named})")
    return "\n".join(lines) + "\n"
