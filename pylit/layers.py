"""
---
title: The layers of a graph
summary: Which layer each node stands in, so that all arrows point down, and which arrows are drawn.
---
# The layers of a graph

A picture of what depends on what is read from top to bottom if every arrow points down. That is
the layered layout of Sugiyama, Tagawa and Toda (*Methods for visual understanding of hierarchical
system structures*, 1981), in its simplest form. Its first half is here:

1. An arrow that closes a **cycle** is turned for as long as places are sought, and drawn apart.
2. An arrow that other arrows already **imply** is left out: if `a` needs `b` and `b` needs `c`,
   nobody is told more by an arrow from `a` to `c`. That is what keeps a large picture readable.
3. A node's **layer** is one above the highest node that it points to, or higher: where that makes
   arrows shorter, and where the layer is as wide as a page already.
4. Arrows to the same node pass a layer **together**, as one line. Thirty modules that import one
   need the room of a single line, and not of thirty.

The second half [finds the places](layout.html) within the layers.
"""

from collections.abc import Iterable, Mapping, Sequence, Set

Arrow = tuple[str, str]
"""From a node to one that it needs."""

ACROSS = 16.0
"""The room between two boxes of a layer."""

WIDEST = 900.0
"""So wide may the boxes of a layer be; those that are too many go one layer up."""


def targets_of(targets: Mapping[str, Sequence[str]]) -> Iterable[Arrow]:
    """All arrows, one by one."""
    return ((start, end) for start, ends in targets.items() for end in ends)


def cycles(targets: Mapping[str, Sequence[str]]) -> set[Arrow]:
    """The arrows that lead back to a node from which one came, in the order of the nodes."""
    back: set[Arrow] = set()
    done: set[str] = set()
    for root in targets:
        path: dict[str, None] = {}
        waiting: list[tuple[str, bool]] = [(root, False)]
        while waiting:
            name, leaving = waiting.pop()
            if leaving:
                del path[name]
                done.add(name)
            elif name not in done and name not in path:
                path[name] = None
                waiting.append((name, True))
                back.update((name, end) for end in targets[name] if end in path)
                waiting.extend((end, False) for end in reversed(targets[name]) if end not in path)
    return back


def bottom_up(targets: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes, each behind all that it points to. The graph has no cycle."""
    found: dict[str, None] = {}
    for root in targets:
        waiting: list[tuple[str, bool]] = [(root, False)]
        while waiting:
            name, leaving = waiting.pop()
            if leaving:
                found.setdefault(name)
            elif name not in found:
                waiting.append((name, True))
                waiting.extend((end, False) for end in targets[name] if end not in found)
    return list(found)


def without_implied(targets: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The arrows that no longer way implies."""
    below: dict[str, set[str]] = {}
    for name in bottom_up(targets):
        below[name] = set(targets[name]).union(*(below[end] for end in targets[name]))
    return {
        name: [end for end in ends if not any(end in below[other] for other in ends)]
        for name, ends in targets.items()
    }


def levels(targets: Mapping[str, Sequence[str]], width: Mapping[str, float]) -> dict[str, int]:
    """The layer of each node, counted from the bottom."""
    level: dict[str, int] = {}
    taken: dict[int, float] = {}

    def put(name: str, at: int) -> None:
        level[name] = at
        taken[at] = taken.get(at, 0.0) + width[name] + ACROSS

    for name in bottom_up(targets):
        at = 1 + max((level[end] for end in targets[name]), default=-1)
        while taken.get(at, 0.0) + width[name] > WIDEST and at in taken:
            at += 1
        put(name, at)
    above: dict[str, list[str]] = {}
    for start, end in targets_of(targets):
        above.setdefault(end, []).append(start)
    # A node that more arrows reach than leave is moved up to them, which makes arrows shorter.
    for name in reversed(level):
        at = min((level[start] for start in above.get(name, ())), default=0) - 1
        is_free = taken.get(at, 0.0) + width[name] <= WIDEST
        if len(above.get(name, ())) > len(targets[name]) and at > level[name] and is_free:
            taken[level[name]] -= width[name] + ACROSS
            put(name, at)
    return level


def bent(
    targets: Mapping[str, Sequence[str]], level: Mapping[str, int], alone: Set[Arrow] = frozenset()
) -> tuple[list[list[str]], list[list[str]]]:
    """
    The layers from top to bottom, with a bend in each that an arrow passes, and the ways of arrows.

    A bend is called `>end#layer`, as all arrows that lead to the same node pass a layer together;
    those that go `alone` have bends `start>end#layer`.
    """
    layers: list[list[str]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for name in targets:
        layers[level[name]].append(name)
    bent_at: list[dict[str, None]] = [{} for _ in layers]
    paths: list[list[str]] = []
    for start, end in targets_of(targets):
        of = start if (start, end) in alone else ""
        passed = range(level[start] - 1, level[end], -1)
        bends = [f"{of}>{end}#{layer}" for layer in passed]
        for layer, bend in zip(passed, bends, strict=True):
            bent_at[layer].setdefault(bend)
        paths.append([start, *bends, end])
    # What passes begins in the middle, with as many nodes on one side as on the other.
    for nodes, passing in zip(layers, bent_at, strict=True):
        middle = len(nodes) // 2
        nodes[middle:middle] = passing
    return [layer for layer in reversed(layers) if layer], paths
