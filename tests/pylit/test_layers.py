"""Pictures of graphs: every arrow points down, nothing overlaps, the same graph looks the same."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pylit.layers import without_implied
from pylit.layout import HEIGHT, Box, Layout, lay_out

GRAPHS = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40)


def picture(arrows: list[tuple[str, str]]) -> Layout:
    names = dict.fromkeys(name for arrow in arrows for name in arrow)
    return lay_out({name: name for name in names}, arrows)


def rows(layout: Layout) -> list[list[str]]:
    """The labels of the picture, row by row, as somebody sees it."""
    found: dict[float, list[str]] = {}
    for box in layout.boxes:
        found.setdefault(float(box.y), []).append(box.label)
    return [found[y] for y in sorted(found)]


def drawn(layout: Layout) -> set[tuple[str, str, bool]]:
    names = [box.name for box in layout.boxes]
    return {(names[curve.upper], names[curve.lower], curve.back) for curve in layout.curves}


def test_what_is_imported_stands_below() -> None:
    layout = picture([("site", "page"), ("site", "theme"), ("page", "model"), ("theme", "model")])
    assert rows(layout) == [["site"], ["page", "theme"], ["model"]]
    assert drawn(layout) == {
        ("site", "page", False),
        ("site", "theme", False),
        ("page", "model", False),
        ("theme", "model", False),
    }


def test_an_implied_arrow_is_left_out() -> None:
    layout = picture([("a", "b"), ("b", "c"), ("a", "c")])
    assert drawn(layout) == {("a", "b", False), ("b", "c", False)}


def test_a_cycle_is_drawn_and_marked() -> None:
    layout = picture([("a", "b"), ("b", "c"), ("c", "a")])
    assert rows(layout) == [["a"], ["b"], ["c"]]
    assert drawn(layout) == {("a", "b", False), ("b", "c", False), ("a", "c", True)}
    both = picture([("a", "b"), ("b", "a")])
    (curve,) = both.curves
    # One line with a tip at each end.
    assert curve.back
    assert curve.tips.count("M") == 2


def test_a_module_that_imports_itself_is_no_trouble() -> None:
    assert drawn(picture([("a", "a"), ("a", "b")])) == {("a", "b", False)}


@settings(max_examples=150, deadline=None)
@given(GRAPHS)
def test_any_graph_can_be_drawn(pairs: list[tuple[int, int]]) -> None:
    arrows = [(f"m{start}", f"m{end}") for start, end in pairs if start != end]
    if not arrows:
        return
    layout = picture(arrows)
    assert layout == picture(arrows)
    names = {name for arrow in arrows for name in arrow}
    assert {box.name for box in layout.boxes} == names
    # No two boxes touch, and all are inside.
    boxes = [(float(b.x), float(b.y), float(b.width)) for b in layout.boxes]
    for number, (x, y, width) in enumerate(boxes):
        assert x >= 0
        assert x + width <= float(layout.width)
        assert y + HEIGHT <= float(layout.height)
        for other_x, other_y, other_width in boxes[number + 1 :]:
            assert y != other_y or x + width < other_x or other_x + other_width < x
    # Each curve begins at the foot of a box and ends at the top of one below it.
    for curve in layout.curves:
        upper, lower = layout.boxes[curve.upper], layout.boxes[curve.lower]
        assert curve.d.startswith(f"M{upper.middle} ")
        assert curve.d.endswith(f" {lower.middle} {lower.y}")
        assert float(upper.y) < float(lower.y)
        assert not re.search("nan|inf|e", curve.d)
    # What is drawn leads everywhere that the arrows lead.
    shown: dict[str, set[str]] = {name: set() for name in names}
    for upper_name, lower_name, back in drawn(layout):
        shown[upper_name].add(lower_name)
        if back:
            shown[lower_name].add(upper_name)
    for start, end in arrows:
        assert end in reached(shown, start)


def reached(targets: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for end in targets[waiting.pop()] - found:
            found.add(end)
            waiting.append(end)
    return found


def test_a_long_chain_needs_no_deep_stack() -> None:
    names = [f"m{number}" for number in range(3000)]
    chain = dict(zip(names, ([name] for name in names[1:]), strict=False)) | {names[-1]: []}
    assert without_implied(chain) == chain


def test_a_wide_layer_becomes_several() -> None:
    layout = picture([(f"module_number_{number}", "base") for number in range(30)])
    in_one_row = sum(float(box.width) for box in layout.boxes)
    assert float(layout.width) < in_one_row / 2
    assert rows(layout)[-1] == ["base"]
    assert len(rows(layout)) == 7


def test_arrows_to_one_node_pass_a_layer_as_one_line() -> None:
    """What thirty modules import stands under them, and not at the foot of a stair."""
    layout = picture([(f"a_rather_long_module_name_{number}", "base") for number in range(30)])
    widest = max(sum(float(box.width) for box in row) for row in by_row(layout))
    assert float(layout.width) < 1.75 * widest
    assert float(layout.height) < 700
    # All that pass the layer above the base pass it at the same place.
    (base,) = (box for box in layout.boxes if box.label == "base")
    passing = re.compile(
        rf" (\S+) \S+v{HEIGHT:g}C\S+ \S+ {base.middle} \S+ {base.middle} {base.y}$"
    )
    places = [found[1] for curve in layout.curves if (found := passing.search(curve.d))]
    assert len(places) == 30 - len(by_row(layout)[-2])
    assert len(set(places)) == 1


def test_an_arrow_that_closes_a_cycle_passes_alone() -> None:
    """It is dashed, which is not seen where another line lies upon it."""
    layout = picture([("a", "b"), ("b", "c"), ("c", "d"), ("x", "y"), ("y", "b"), ("d", "x")])
    assert sum(curve.back for curve in layout.curves) == 1
    ways = {curve.d: curve.back for curve in layout.curves if f"v{HEIGHT:g}" in curve.d}
    bends = [
        (at, back) for d, back in ways.items() for at in re.findall(rf"(\S+ \S+)v{HEIGHT:g}", d)
    ]
    of_back = {at for at, back in bends if back}
    assert of_back
    assert not of_back & {at for at, back in bends if not back}


def by_row(layout: Layout) -> list[list[Box]]:
    """The boxes of the picture, row by row."""
    return [[box for box in layout.boxes if float(box.y) == y] for y in row_places(layout)]


def row_places(layout: Layout) -> list[float]:
    return sorted({float(box.y) for box in layout.boxes})
