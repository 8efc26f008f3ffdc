"""
---
title: The layout of a graph
summary: From the layers of a graph to a picture of boxes and curves, always the same.
---
# The layout of a graph

The second half of a picture of what depends on what; the first are its [layers](layers.html).

5. An arrow that passes layers gets a bend in each. Nodes and bends are **ordered** by where their
   neighbours are, down and up some times, and the order with the fewest crossings is kept.
6. Within its layer each node then moves as near to the middle of its neighbours as the others let
   it, in the sense of least squares.

The picture depends on the names, the arrows and their order alone, so the same graph always looks
the same. What Python has for this is no longer kept up, or needs a program that is not Python.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pylit.layers import ACROSS, Arrow, bent, cycles, levels, targets_of, without_implied

LETTER = 7.3
"""How wide a letter of a label is, in the fixed font of code at 12 px; a wide one counts twice."""

HEIGHT, PADDING = 28.0, 10.0
"""A box is high enough to be hit by a finger."""

DOWN = 34.0
"""The room between two layers."""

BEND = 9.0
"""The room that a bend takes, half of it on each side."""

EDGE = 3.0
"""The room around the picture, for the lines of boxes and of the focus."""

SWEEPS = 12

FIRM = 8
"""So much more than a box a bend holds to its place, so that lines are straight."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node at its place. `name` is what it was called, `label` what stands in it."""

    name: str
    label: str
    x: str
    y: str
    width: str
    height: str
    middle: str
    base: str


@dataclass(frozen=True, slots=True)
class Curve:
    """
    An arrow as a path from an upper node, by its number, to a lower one, and its tip or tips.

    `back` tells that one of them points up, and so closes a cycle.
    """

    upper: int
    lower: int
    d: str
    tips: str
    back: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture: its size, its boxes from top to bottom, and its arrows."""

    width: str
    height: str
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]


def lay_out(labels: Mapping[str, str], arrows: Iterable[Arrow]) -> Layout:
    """Place nodes, given by name and label, and the arrows between them."""
    names = list(labels)
    targets: dict[str, list[str]] = {name: [] for name in names}
    for start, end in dict.fromkeys(arrows):
        if start != end:
            targets[start].append(end)
    back = cycles(targets)
    down = {name: [e for e in ends if (name, e) not in back] for name, ends in targets.items()}
    needed = without_implied(down)
    # What closes a cycle is never implied: it is the one arrow that surprises.
    turned = {(end, start) for start, end in back}
    for upper, lower in sorted(turned):
        if lower not in needed[upper]:
            needed[upper].append(lower)
    width = {name: wide(label) for name, label in labels.items()}
    layers, paths = bent(needed, levels(needed, width), turned)
    order = ordered(layers, paths)
    places = placed(order, paths, width)
    return drawn(labels, order, paths, places, width, turned, set(targets_of(down)))


def wide(label: str) -> float:
    """The width of a box with a label."""
    return sum(LETTER if sign < "\u2e80" else 2 * LETTER for sign in label) + 2 * PADDING


def neighbours(paths: Sequence[Sequence[str]]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What stands above each node or bend, and what below."""
    above: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    for upper, lower in dict.fromkeys(pair for path in paths for pair in pairwise(path)):
        below.setdefault(upper, []).append(lower)
        above.setdefault(lower, []).append(upper)
    return above, below


def ordered(layers: list[list[str]], paths: Sequence[Sequence[str]]) -> list[list[str]]:
    """Order each layer by the mean place of the neighbours, and keep the best order of all."""
    above, below = neighbours(paths)
    best, fewest = layers, crossings(layers, below)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        order = [list(layer) for layer in layers]
        near = above if downwards else below
        turn = order[1:] if downwards else order[-2::-1]
        before = order[0] if downwards else order[-1]
        for layer in turn:
            at = {name: number for number, name in enumerate(before)}
            own = {name: number for number, name in enumerate(layer)}
            mean = {
                name: sum(at[each] for each in near[name]) / len(near[name])
                for name in layer
                if name in near
            }
            # What has no neighbour stays where it is, as far as it can.
            layer.sort(key=lambda name: (mean.get(name, float(own[name])), own[name]))
            before = layer
        layers = order
        count = crossings(layers, below)
        if count < fewest:
            best, fewest = layers, count
    return best


def crossings(layers: Sequence[Sequence[str]], below: Mapping[str, Sequence[str]]) -> int:
    """How often two arrows cross."""
    count = 0
    for upper, lower in pairwise(layers):
        at = {name: number for number, name in enumerate(lower)}
        seen: list[int] = []
        for name in upper:
            ends = sorted(at[end] for end in below.get(name, ()))
            count += sum(other > end for end in ends for other in seen)
            seen += ends
    return count


def placed(
    order: Sequence[Sequence[str]], paths: Sequence[Sequence[str]], width: Mapping[str, float]
) -> dict[str, float]:
    """The middle of each node and bend, from left to right."""
    above, below = neighbours(paths)
    size = {n: width[n] + ACROSS if n in width else BEND for layer in order for n in layer}
    middle: dict[str, float] = {}
    for layer in order:
        right = 0.0
        for name in layer:
            middle[name] = right + size[name] / 2
            right += size[name]
    for sweep in range(SWEEPS):
        for layer in order if sweep % 2 == 0 else order[::-1]:
            wanted = []
            for name in layer:
                near = [*above.get(name, ()), *below.get(name, ())] or [name]
                firm = [1 if name in width or each in width else FIRM for each in near]
                pull = sum(
                    middle[each] * each_firm for each, each_firm in zip(near, firm, strict=True)
                )
                wanted.append(pull / sum(firm))
            sizes = [size[name] for name in layer]
            weights = [1 if name in width else FIRM for name in layer]
            middle.update(zip(layer, spread(wanted, sizes, weights), strict=True))
    left = min(place - width.get(name, 0.0) / 2 for name, place in middle.items())
    return {name: place - left + EDGE for name, place in middle.items()}


def spread(wanted: Sequence[float], sizes: Sequence[float], weights: Sequence[int]) -> list[float]:
    """
    Places as near to the wanted ones as the sizes allow, by weighted least squares.

    Without the room that each needs, places only must not fall; neighbours that would are pooled
    at their mean (the algorithm of pool adjacent violators).
    """
    offsets = [0.0]
    for one, other in pairwise(sizes):
        offsets.append(offsets[-1] + (one + other) / 2)
    pools: list[tuple[float, int, int]] = []
    for place, offset, weight in zip(wanted, offsets, weights, strict=True):
        mean, heavy, count = place - offset, weight, 1
        while pools and pools[-1][0] > mean:
            other, other_heavy, number = pools.pop()
            mean = (mean * heavy + other * other_heavy) / (heavy + other_heavy)
            heavy, count = heavy + other_heavy, count + number
        pools.append((mean, heavy, count))
    even = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(even, offsets, strict=True)]


def drawn(
    labels: Mapping[str, str],
    order: Sequence[Sequence[str]],
    paths: Sequence[Sequence[str]],
    middle: Mapping[str, float],
    width: Mapping[str, float],
    turned: set[Arrow],
    down: set[Arrow],
) -> Layout:
    """Boxes and curves with their coordinates, rounded to half a pixel."""
    top = {name: EDGE + row * (HEIGHT + DOWN) for row, layer in enumerate(order) for name in layer}
    names = [name for layer in order for name in layer if name in labels]
    number = {name: at for at, name in enumerate(names)}
    boxes = tuple(
        Box(
            name,
            labels[name],
            point(middle[name] - width[name] / 2),
            point(top[name]),
            point(width[name]),
            point(HEIGHT),
            point(middle[name]),
            point(top[name] + HEIGHT / 2 + 4),
        )
        for name in names
    )
    curves: list[Curve] = []
    for path in paths:
        start, end = path[0], path[-1]
        d = f"M{point(middle[start])} {point(top[start] + HEIGHT)}"
        for upper, lower in pairwise(path):
            from_y, to_y = top[upper] + HEIGHT, top[lower]
            half = point((from_y + to_y) / 2)
            ends = f"{point(middle[lower])} {half} {point(middle[lower])} {point(to_y)}"
            d += f"C{point(middle[upper])} {half} {ends}"
            if lower != end:
                d += f"v{point(HEIGHT)}"
        tips = ""
        if (start, end) in down:
            tips += f"M{point(middle[end])} {point(top[end])}l-3.5-6h7z"
        if (start, end) in turned:
            tips += f"M{point(middle[start])} {point(top[start] + HEIGHT)}l-3.5 6h7z"
        curves.append(Curve(number[start], number[end], d, tips, (start, end) in turned))
    across = max((middle[n] + width[n] / 2 for n in names), default=0.0)
    across = max([across, *(middle[name] for name in middle)])
    rows = len(order)
    height = rows * HEIGHT + max(rows - 1, 0) * DOWN + 2 * EDGE
    return Layout(point(across + EDGE), point(height), boxes, tuple(curves))


def point(value: float) -> str:
    """A coordinate, to half a pixel and as short as it can be."""
    return f"{round(value * 2) / 2 + 0.0:.1f}".removesuffix(".0")
