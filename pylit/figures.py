"""
---
title: Drawing figures
summary: Heat maps, curves and bars from plain data, the same bytes for the same numbers.
---
# Drawing figures

A module hands over its figures as numbers and labels. Here they become strokes and labels at
places, which one template writes as SVG. Coordinates are rounded, so the same numbers give the same
bytes on every machine.

All colours are left to the page, so that a figure can be read on light and on dark paper. Curves
also differ in their dashes and bars in their places, for readers who cannot tell the colours.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

LEVELS = 12
"""How many shades a heat map has for each sign."""

SIDE = 320.0
"""The longer side of a plot."""

LETTER = 6.2
"""How wide a letter is, roughly; nothing overlaps if it is a little less."""

ROOM = 24.0
"""How wide a cell of a heat map must be to have its number written into it."""

PALE = 0.4
"""How deep the deepest colour may be where numbers stand on it."""

DASHES = ("", "6 3", "2 3", "8 3 2 3", "12 4", "4 2 1 2")


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line or a set of lines. `transform` is for those that are given in cells."""

    d: str
    style: str
    width: str = "1"
    opacity: str = ""
    dashes: str = ""
    transform: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A piece of text. `words` tells that a translator may give it in another language."""

    x: str
    y: str
    text: str
    anchor: str = "middle"
    turned: bool = False
    words: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure that only needs to be written down. `description` says in words what it holds."""

    width: str
    height: str
    title: str
    description: str
    paths: tuple[Stroke, ...]
    labels: tuple[Label, ...]


def draw(figure: Mapping[str, Any]) -> Drawing:
    """Draw a figure. Raises `ValueError` or `TypeError` when its numbers make none."""
    kinds = {"HeatMap": heat_map, "Lines": lines, "Bars": bars}
    return kinds[figure["kind"]](figure)


def place(value: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def number(value: float) -> str:
    """A number for a label."""
    return f"{value + 0.0:,.0f}" if abs(value) >= 1_000 else f"{value + 0.0:.4g}"


def widest(names: Sequence[str]) -> float:
    """The room that the longest of some names needs."""
    return max((len(name) for name in names), default=0) * LETTER


def heat_map(figure: Mapping[str, Any]) -> Drawing:
    """
    A matrix; the deeper the colour, the greater the number, with another colour below zero.

    Where there is room, the numbers are written into the cells.
    """
    values: list[list[float]] = figure["values"]
    columns, rows = list(figure["columns"]), list(figure["rows"])
    width = len(values[0]) if values else 0
    if not width or any(len(row) != width for row in values):
        raise ValueError("the rows of a heat map must be there and have one length")
    if (columns and len(columns) != width) or (rows and len(rows) != len(values)):
        raise ValueError("a heat map needs a name for every column or row, or for none")
    finite = [value for value in chain(*values) if math.isfinite(value)]
    if not finite:
        raise ValueError("a heat map needs numbers, and has only infinite ones")
    low, high = min(finite), max(finite)
    ground = low if low > high / 2 > 0 else 0.0
    reach = max(abs(high - ground), abs(low - ground)) or 1.0
    cell = max(2.0, min(28.0, SIDE / max(width, len(values))))
    written = cell >= ROOM and all(len(number(value)) <= 4 for value in finite)
    deepest = PALE if written else 1.0
    slanted = bool(columns) and widest(columns) > cell
    left = 34 + (widest(rows) if rows else widest([str(len(values) - 1)]))
    top = 8 + (widest(columns) if slanted else 16)
    cells: dict[tuple[str, int], list[str]] = {}
    for y, row in enumerate(values):
        x = 0
        while x < width:
            shade, start = shade_of(row[x], ground, reach), x
            while x < width and shade_of(row[x], ground, reach) == shade:
                x += 1
            if shade[1]:
                cells.setdefault(shade, []).append(f"M{start} {y}.5h{x - start}")
    transform = f"translate({place(left)} {place(top)}) scale({place(cell)})"
    paths = [
        Stroke(
            "".join(parts), style, opacity=f"{level / LEVELS * deepest:.2f}", transform=transform
        )
        for (style, level), parts in sorted(cells.items())
    ]
    plot_width, plot_height = cell * width, cell * len(values)
    paths.append(Stroke(frame(left, top, plot_width, plot_height), "grid"))
    labels = [
        *ticks(columns, width, lambda at: (left + (at + 0.5) * cell, top - 5.0), slanted),
        *(
            Label(place(left - 5), place(top + (at + 0.5) * cell + 4), text, "end")
            for at, text in named(rows, len(values))
        ),
        Label(place(left + plot_width / 2), place(top + plot_height + 16), figure["x"], words=True),
        Label("12", place(top + plot_height / 2), figure["y"], turned=True, words=True),
    ]
    if written:
        labels += [
            Label(place(left + (x + 0.5) * cell), place(top + (y + 0.5) * cell + 4), number(value))
            for y, row in enumerate(values)
            for x, value in enumerate(row)
            if math.isfinite(value)
        ]
    base = top + plot_height + (12 if written else 34)
    # Numbers in the cells need no legend.
    shades = [("plus", ground + reach)] if high > ground and not written else []
    shades += [("minus", ground - reach)] if low < ground and not written else []
    at = left
    for style, end in shades:
        for level in range(1, LEVELS + 1):
            box = f"translate({place(at + level * 7)} {place(base - 8)}) scale(7 10)"
            opacity = f"{level / LEVELS * deepest:.2f}"
            paths.append(Stroke("M0 .5h1", style, opacity=opacity, transform=box))
        labels.append(Label(place(at), place(base + 1), number(ground), "start"))
        labels.append(Label(place(at + LEVELS * 7 + 11), place(base + 1), number(end), "start"))
        at += LEVELS * 7 + 30 + widest([number(end)])
    description = (
        f"{len(values)} × {width}: {figure['y']} × {figure['x']}; {number(low)} … {number(high)}"
    )
    total = max(left + plot_width + 12, at)
    return Drawing(
        place(total), place(base + 10), figure["title"], description, tuple(paths), tuple(labels)
    )


def shade_of(value: float, ground: float, reach: float) -> tuple[str, int]:
    """The colour of a number and how deep it is. What is no number has none."""
    if not math.isfinite(value):
        return "plus", 0
    return ("plus" if value >= ground else "minus"), round(abs(value - ground) / reach * LEVELS)


def named(names: Sequence[str], count: int) -> list[tuple[int, str]]:
    """The names of rows or columns; those without names are numbered, first, middle and last."""
    if names:
        return list(enumerate(names))
    return [(at, str(at)) for at in sorted({0, count // 2, count - 1})]


def ticks(names: Sequence[str], count: int, at: Any, slanted: bool) -> list[Label]:
    """The names of columns, upright where they are wider than a column."""
    found = []
    for index, text in named(names, count):
        x, y = at(index)
        if slanted:
            found.append(Label(place(x + 4), place(y), text, "start", turned=True))
        else:
            found.append(Label(place(x), place(y), text))
    return found


def frame(left: float, top: float, width: float, height: float) -> str:
    """A rectangle."""
    return f"M{place(left)} {place(top)}h{place(width)}v{place(height)}h{place(-width)}z"


def steps(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers between two."""
    if high <= low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def lines(figure: Mapping[str, Any]) -> Drawing:
    """Curves over one axis."""
    log = bool(figure["log_y"])

    def height(value: float) -> float:
        return math.log10(value) if log else value

    series = {
        name: [(x, height(y)) for x, y in points if math.isfinite(y) and (y > 0 or not log)]
        for name, points in figure["series"].items()
    }
    every = list(chain(*series.values()))
    if not every:
        raise ValueError("a figure of curves needs at least one point")
    x_low, x_high = min(x for x, _ in every), max(x for x, _ in every)
    y_low, y_high = min(y for _, y in every), max(y for _, y in every)
    if not log:
        y_low = min(y_low, 0.0) if y_low < (y_high - y_low) else y_low
    left, top, width, tall = 60.0, 10.0, SIDE + 40, 190.0

    def spot(x: float, y: float) -> tuple[float, float]:
        across = (x - x_low) / ((x_high - x_low) or 1.0)
        up = (y - y_low) / ((y_high - y_low) or 1.0)
        return left + across * width, top + (1 - up) * tall

    paths: list[Stroke] = []
    labels: list[Label] = []
    for value in steps(y_low, y_high):
        _, y = spot(x_low, value)
        paths.append(Stroke(f"M{place(left)} {place(y)}h{place(width)}", "grid"))
        shown = number(10**value) if log else number(value)
        labels.append(Label(place(left - 6), place(y + 4), shown, "end"))
    for value in steps(x_low, x_high):
        x, _ = spot(value, y_low)
        paths.append(Stroke(f"M{place(x)} {place(top + tall)}v4", "grid"))
        labels.append(Label(place(x), place(top + tall + 16), number(value)))
    base = top + tall + 34
    labels.append(Label(place(left + width / 2), place(base), figure["x"], words=True))
    labels.append(Label("12", place(top + tall / 2), figure["y"], turned=True, words=True))
    for index, (name, points) in enumerate(series.items()):
        style, dashes = f"series-{index % 6 + 1}", DASHES[index % 6]
        d = "".join(
            f"{'L' if at else 'M'}{place(x)} {place(y)}"
            for at, (x, y) in enumerate(spot(*point) for point in points)
        )
        if d:
            paths.append(Stroke(d, style, "1.8", dashes=dashes))
        base += 17
        sample = f"M{place(left)} {place(base - 4)}h26"
        paths.append(Stroke(sample, style, "1.8", dashes=dashes))
        labels.append(Label(place(left + 34), place(base), name, "start", words=True))
    description = "; ".join(
        f"{name}: {number(raw[0][1])} … {number(raw[-1][1])}"
        for name, raw in figure["series"].items()
        if raw
    )
    total = max(left + width + 26, left + 40 + widest(list(series)))
    return Drawing(
        place(total), place(base + 8), figure["title"], description, tuple(paths), tuple(labels)
    )


def bars(figure: Mapping[str, Any]) -> Drawing:
    """Some things side by side, in groups."""
    groups: dict[str, dict[str, float]] = figure["groups"]
    names = list(dict.fromkeys(chain(*groups.values())))
    heights = [value for group in groups.values() for value in group.values()]
    if not heights or not all(map(math.isfinite, heights)):
        raise ValueError("a figure of bars needs finite numbers")
    low, high = min(*heights, 0.0), max(*heights, 0.0)
    left, top, tall = 66.0, 22.0, 170.0
    bar = max(34.0, widest([number(value) for value in heights]) + 6)
    room = max(bar * len(names) + 18, widest(list(groups)) + 12)

    def level(value: float) -> float:
        return top + (high - value) / ((high - low) or 1.0) * tall

    paths: list[Stroke] = []
    labels: list[Label] = []
    width = room * len(groups)
    for value in steps(low, high):
        paths.append(Stroke(f"M{place(left)} {place(level(value))}h{place(width)}", "grid"))
        labels.append(Label(place(left - 6), place(level(value) + 4), number(value), "end"))
    for at, (group, inside) in enumerate(groups.items()):
        middle = left + (at + 0.5) * room
        labels.append(Label(place(middle), place(top + tall + 16), group, words=True))
        for index, name in enumerate(names):
            if name not in inside:
                continue
            x = middle + (index - (len(names) - 1) / 2) * bar
            d = f"M{place(x)} {place(level(0))}V{place(level(inside[name]))}"
            paths.append(Stroke(d, f"series-{index % 6 + 1}", place(bar - 10)))
            above = level(max(inside[name], 0)) - 4
            labels.append(Label(place(x), place(above), number(inside[name])))
    base = top + tall + 20
    labels.append(Label("12", place(top + tall / 2), figure["y"], turned=True, words=True))
    for index, name in enumerate(names if len(names) > 1 else []):
        base += 17
        sample = f"M{place(left)} {place(base - 4)}h26"
        paths.append(Stroke(sample, f"series-{index % 6 + 1}", "10"))
        labels.append(Label(place(left + 34), place(base), name, "start", words=True))
    description = "; ".join(
        f"{group}: " + ", ".join(f"{name} {number(value)}" for name, value in inside.items())
        for group, inside in groups.items()
    )
    total = max(left + width + 12, left + 40 + widest(names))
    return Drawing(
        place(total), place(base + 8), figure["title"], description, tuple(paths), tuple(labels)
    )
