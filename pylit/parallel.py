"""
---
title: Several processes
summary: Pieces that are missing are made by several processes at once, where that pays.
---
# Several processes

A build goes through its modules one after the other. Where many of them have to be made, as on the
first build, they are dealt out to as many processes as there are cores, ahead of that. This one is
one of them; each of the others sends it the [pieces](pieces.html) that it made, one item after the
other and as the cache would store them, and keeps none. The build itself then goes on as always,
and finds them. So there is one order of steps, and the result is the same however many processes
there were.

The others are copies of this one, which costs a few milliseconds where the system can do it, and is
safe while it has one thread. Elsewhere, and where a process fails, the build makes the pieces
itself.
"""

import contextlib
import multiprocessing
import signal
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar

from pylit.pieces import Pieces
from pylit.profile import Measured, Spent

T = TypeVar("T")

Made = tuple[dict[str, dict[str, bytes]], dict[tuple[str, str, str], Spent]]
"""What a process made of one item: lines of the cache by their kind, and the time that it took."""

WORTH_A_PROCESS = 150_000
"""So many letters of source take longer to make than it takes to send back what was made."""


def share(
    pieces: Pieces,
    items: Sequence[T],
    size: Callable[[T], int],
    work: Callable[[T], object],
    progress: Callable[[int], object],
) -> bool:
    """
    Let several processes work on items, take over the pieces that they make, and say if they did.

    `size` is the number of letters of an item, by which the work is dealt out evenly. Nothing
    happens where there is too little to do; what `work` raises is left for the build to meet.
    `progress` is told how many items are done.
    """
    whole = sum(map(size, items))
    jobs = min(pieces.jobs, len(items), whole // WORTH_A_PROCESS)
    able = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    if jobs < 2 or not able or not pieces.folder:
        return False
    hands: list[list[T]] = [[] for _ in range(jobs)]
    for number, item in enumerate(sorted(items, key=size, reverse=True)):
        hands[number % jobs].append(item)
    context = multiprocessing.get_context("fork")
    started = []
    # This process is one of those that work; a copy that does nothing is only more memory.
    for hand in hands[1:]:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=run, args=(theirs, pieces, hand, work), daemon=True)
        process.start()
        theirs.close()
        started.append((process, ours))
    # A pipe holds less than one piece, so somebody has to empty it while this process works.
    arrived: SimpleQueue[Made | None] = SimpleQueue()
    for _, ours in started:
        threading.Thread(target=receive, args=(ours, arrived), daemon=True).start()
    done = ended = 0
    for item in hands[0]:
        with contextlib.suppress(Exception):
            work(item)
        done += 1
        while not arrived.empty():
            more = take(pieces, arrived.get())
            done, ended = done + more, ended + 1 - more
        progress(done)
    with pieces.profile.step("wait"):
        while ended < len(started):
            more = take(pieces, arrived.get())
            done, ended = done + more, ended + 1 - more
            progress(done)
    for process, _ in started:
        process.join()
    return True


def receive(connection: Connection, arrived: "SimpleQueue[Made | None]") -> None:
    """Pass on what a process sends, and nothing at its end, or where it was stopped."""
    try:
        with contextlib.suppress(EOFError, OSError):
            while True:
                arrived.put(connection.recv())
    finally:
        connection.close()
        arrived.put(None)


def take(pieces: Pieces, made: Made | None) -> int:
    """Take over what was made of one item. Returns how many items that were: none at an end."""
    if made is None:
        return 0
    for kind, lines in made[0].items():
        pieces.take(kind, lines)
    if isinstance(pieces.profile, Measured):
        pieces.profile.take(made[1])
    return 1


def run(
    connection: Connection, pieces: Pieces, items: Sequence[T], work: Callable[[T], Any]
) -> None:
    """What one process does: work on its items, and send the pieces that were not there before."""
    # Ctrl-C reaches all processes. The one that started us says that it was stopped, and ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for item in items:
        pieces.new, pieces.new_size, pieces.asked = {}, 0, set()
        pieces.profile = type(pieces.profile)()
        # The build will come to the same item, and say what is wrong with it.
        with contextlib.suppress(Exception):
            work(item)
        spent = pieces.profile.spent if isinstance(pieces.profile, Measured) else {}
        connection.send((pieces.new, spent))
        pieces.forget(pieces.asked)
    connection.close()
