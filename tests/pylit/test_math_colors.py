"""Colours of formulas: every one can be read on every background of its scheme."""

import colorsys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylit.math.colors import (
    CSS_COLORS,
    channels,
    color_rules,
    contrast,
    luminance,
    readable,
    tints,
)

LIGHT = ("ffffff", "f2f3f5")
DARK = ("0f1216", "23272e")

codes = st.integers(0, 0xFFFFFF).map(lambda number: f"{number:06x}")


def hue(color: str) -> float:
    return colorsys.rgb_to_hls(*channels(color))[0] * 360


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("000000", "ffffff") == pytest.approx(21)
    assert contrast("777777", "ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("ff0000", "ffffff") == contrast("ffffff", "ff0000")


def test_all_css_names_are_known() -> None:
    assert len(CSS_COLORS) == 148
    assert CSS_COLORS["coral"] == "ff7f50"
    assert CSS_COLORS["grey"] == CSS_COLORS["gray"]


@pytest.mark.parametrize("name", sorted(CSS_COLORS))
def test_every_named_color_can_be_read_on_all_grounds(name: str) -> None:
    light, dark = readable(CSS_COLORS[name])
    assert min(contrast(light, ground) for ground in LIGHT) >= 4.6
    assert min(contrast(dark, ground) for ground in DARK) >= 4.6


@given(codes)
def test_every_code_can_be_read_on_all_grounds(code: str) -> None:
    light, dark = readable(code)
    assert min(contrast(light, ground) for ground in LIGHT) >= 4.6
    assert min(contrast(dark, ground) for ground in DARK) >= 4.6


@given(codes, codes)
def test_text_of_any_color_can_be_read_on_a_tint_of_any_color(text: str, ground: str) -> None:
    for ink, paper in zip(readable(text), tints(ground), strict=True):
        assert contrast(ink, paper) >= 4.6


@pytest.mark.parametrize("name", ["coral", "cyan", "lightgreen", "orange", "pink", "red", "blue"])
def test_the_hue_stays(name: str) -> None:
    code = CSS_COLORS[name]
    for shade in readable(code):
        distance = abs(hue(shade) - hue(code)) % 360
        assert min(distance, 360 - distance) < 3


def test_a_color_that_can_be_read_stays_as_it_is() -> None:
    assert readable("8b0000")[0] == "8b0000"
    assert readable("ff7f50")[1] == "ff7f50"
    assert tints("ffff00")[0] == "ffff00"


def test_a_tint_stays_within_the_grounds_of_its_scheme() -> None:
    light, dark = tints("ff0000")
    assert luminance(light) >= luminance("f2f3f5")
    assert luminance(dark) <= luminance("23272e")


def test_rules_come_once_each_in_the_order_of_their_names() -> None:
    found = ["math-color-red", "mjx-c41", "math-color-coral", "math-color-red", "math-back-ff8800"]
    names = [rule.partition("{")[0] for rule in color_rules(found)]
    assert names == [".math-back-ff8800", ".math-color-coral", ".math-color-red"]


def test_a_rule_has_a_color_for_browsers_that_know_only_one() -> None:
    (rule,) = color_rules(["math-border-red"])
    light, dark = readable("ff0000")
    assert rule == (
        f".math-border-red{{border-color:#{light};border-color:light-dark(#{light},#{dark})}}"
    )
