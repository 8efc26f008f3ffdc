"""
---
title: Several processes
summary: Pieces that are missing are made by several processes at once, where that pays.
---
# Several processes

A build goes through its modules one after the other. Where many of them have to be made, as on the
first build, they are dealt out to as many processes as there are cores, ahead of that. Each process
sends back the [pieces](pieces.html) that it made, as the cache would store them; the build itself
then goes on as always, and finds them. So there is one order of steps, and the result is the same
however many processes there were.

The processes are copies of this one, which costs a few milliseconds where the system can do it, and
is safe while it has one thread. Elsewhere, and where a process fails, the build makes the pieces
itself.
"""

import contextlib
import multiprocessing
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from pylit.pieces import Pieces
from pylit.profile import Measured

T = TypeVar("T")

WORTH_A_PROCESS = 150_000
"""So many letters of source take longer to make than it takes to send back what was made."""


def share(
    pieces: Pieces, items: Sequence[T], size: Callable[[T], int], work: Callable[[T], object]
) -> None:
    """
    Let several processes work on items, and take over the pieces that they make.

    `size` is the number of letters of an item, by which the work is dealt out evenly. Nothing
    happens where there is too little to do; what `work` raises is left for the build to meet.
    """
    whole = sum(map(size, items))
    jobs = min(pieces.jobs, len(items), whole // WORTH_A_PROCESS)
    able = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    if jobs < 2 or not able or not pieces.folder:
        return
    hands: list[list[T]] = [[] for _ in range(jobs)]
    for number, item in enumerate(sorted(items, key=size, reverse=True)):
        hands[number % jobs].append(item)
    context = multiprocessing.get_context("fork")
    started = []
    for hand in hands:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=run, args=(theirs, pieces, hand, work), daemon=True)
        process.start()
        theirs.close()
        started.append((process, ours))
    with pieces.profile.step("wait"):
        for process, ours in started:
            # One that was stopped has sent nothing, or half of it.
            with contextlib.suppress(EOFError, OSError), ours:
                made, spent = ours.recv()
                pieces.take(made)
                if isinstance(pieces.profile, Measured):
                    pieces.profile.take(spent)
            process.join()


def run(
    connection: Connection, pieces: Pieces, items: Sequence[T], work: Callable[[T], Any]
) -> None:
    """What one process does: work on its items, and send the pieces that were not there before."""
    pieces.new = {}
    pieces.profile = type(pieces.profile)()
    for item in items:
        # The build will come to the same item, and say what is wrong with it.
        with contextlib.suppress(Exception):
            work(item)
    spent = pieces.profile.spent if isinstance(pieces.profile, Measured) else {}
    connection.send((pieces.new, spent))
    connection.close()
