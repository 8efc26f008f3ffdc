"""
---
title: Figures as data
summary: What a figure shows, as plain numbers and labels; how it is drawn is left to others.
---
# Figures as data

Some pages have something to show: a matrix of attention weights, a loss that falls. Such a module
has a function `figures()`. It computes everything with fixed seeds and returns a dictionary from
the name of a figure to one of the classes below. They hold plain numbers and text, so no drawing
library is needed to make them, and anyone can draw them in their own way, or read them aloud.
"""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class HeatMap:
    """
    ## A matrix

    * `title` says in a sentence what is to be seen.
    * `x` and `y` are the labels of the axes.
    * `values` are the rows, from top to bottom, each from left to right.
    * `columns` and `rows` name the single columns and rows, where they have names.
    """

    title: str
    x: str
    y: str
    values: list[list[float]]
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lines:
    """
    ## Curves over one axis

    `series` maps the name of a curve to its points, each a pair `(x, y)`. With `log_y` the
    vertical axis counts in powers of ten.
    """

    title: str
    x: str
    y: str
    series: dict[str, list[tuple[float, float]]]
    log_y: bool = False


@dataclass(frozen=True)
class Bars:
    """
    ## Some things side by side

    `groups` maps the name of a group to its bars, which are the same in all groups; a bar is a
    name and its height. `y` is the label of the heights.
    """

    title: str
    y: str
    groups: dict[str, dict[str, float]]


Figure = HeatMap | Lines | Bars


def matrix(x: Tensor, digits: int = 4) -> list[list[float]]:
    """
    ## From a tensor to rows

    `x` has shape `[rows, columns]`. The last digits of a sum depend on the machine that computed
    it, and a figure should not; so the numbers are rounded.
    """
    return [[round(value, digits) for value in row] for row in x.detach().double().tolist()]


def curve(values: list[float], every: int = 1, digits: int = 4) -> list[tuple[float, float]]:
    """
    ## From losses to points

    `values` are the losses of steps 1, 2, 3, …; each point is the mean of `every` of them, at the
    last of their steps.
    """
    points = []
    for start in range(0, len(values), every):
        part = values[start : start + every]
        points.append((float(start + len(part)), round(sum(part) / len(part), digits)))
    return points
