r"""
---
title: Colours in formulas
summary: An author's colour, as one that can be read on a white page and one for a dark page.
---

# Colours in formulas

`\textcolor{coral}{x}` was written with one page in mind: coral is fine on black and faint on white.
So a formula carries only the name of its colour, as the class `math-color-coral`, and the style
sheet gives that class two colours of the same hue, one for light pages and one for dark ones. Each
is moved in lightness just as far as it must, until its contrast with *every* background of its
scheme is at least `CONTRAST`.

A background (`\colorbox`) goes the other way: it becomes a tint that is no darker than the darkest
background of a light page, and no lighter than the lightest of a dark page. So any text that can be
read on the page can be read on the tint.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable, Iterator

# WCAG asks for 4.5; a bit more leaves room for rounding.
CONTRAST = 4.6

# The worst background of each scheme: the darkest of the light one, the lightest of the dark one.
LIGHT_GROUND = "f2f3f5"
DARK_GROUND = "23272e"

# Lightness is moved by this much at a time.
STEPS = 200

# The colour names of CSS, with their values.
CSS_COLORS: dict[str, str] = dict(
    re.findall(
        r"(\w+):(\w+)",
        """
        aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff
        beige:f5f5dc bisque:ffe4c4 black:000000 blanchedalmond:ffebcd blue:0000ff
        blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0 chartreuse:7fff00
        chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c
        cyan:00ffff darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9
        darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f
        darkorange:ff8c00 darkorchid:9932cc darkred:8b0000 darksalmon:e9967a darkseagreen:8fbc8f
        darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f darkturquoise:00ced1
        darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969
        dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff
        gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 green:008000
        greenyellow:adff2f grey:808080 honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c
        indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa lavenderblush:fff0f5
        lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff
        lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3
        lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa
        lightslategray:778899 lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0
        lime:00ff00 limegreen:32cd32 linen:faf0e6 magenta:ff00ff maroon:800000
        mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db
        mediumseagreen:3cb371 mediumslateblue:7b68ee mediumspringgreen:00fa9a
        mediumturquoise:48d1cc mediumvioletred:c71585 midnightblue:191970 mintcream:f5fffa
        mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080 oldlace:fdf5e6
        olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6
        palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093
        papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd powderblue:b0e0e6
        purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1
        saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee
        sienna:a0522d silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090
        slategrey:708090 snow:fffafa springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080
        thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:ffffff
        whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
        """,
    )
)

CLASS = re.compile(r"math-(color|back|border)-([a-z0-9]+)")
PROPERTIES = {"color": "color", "back": "background-color", "border": "border-color"}


def luminance(color: str) -> float:
    """How much light a colour gives, from 0 for black to 1 for white, as WCAG defines it."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(channel) for channel in channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 for equal ones to 21 for black on white."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def channels(color: str) -> tuple[float, float, float]:
    """Red, green and blue of `rrggbb`, each from 0 to 1."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def shades(color: str, target: int) -> Iterator[str]:
    """The colour, and then ever lighter (`target` 1) or darker (0) ones of its hue."""
    yield color
    hue, lightness, saturation = colorsys.rgb_to_hls(*channels(color))
    for step in range(1, STEPS + 1):
        moved = lightness + (target - lightness) * step / STEPS
        mixed = colorsys.hls_to_rgb(hue, moved, saturation)
        yield "".join(f"{round(channel * 255):02x}" for channel in mixed)


def readable(color: str) -> tuple[str, str]:
    """A colour for light pages and one for dark pages, both of the hue of `color`."""
    light = (shade for shade in shades(color, 0) if contrast(shade, LIGHT_GROUND) >= CONTRAST)
    dark = (shade for shade in shades(color, 1) if contrast(shade, DARK_GROUND) >= CONTRAST)
    return next(light), next(dark)


def tints(color: str) -> tuple[str, str]:
    """A background for light pages and one for dark pages, both of the hue of `color`."""
    lowest, highest = luminance(LIGHT_GROUND), luminance(DARK_GROUND)
    light = (shade for shade in shades(color, 1) if luminance(shade) >= lowest)
    dark = (shade for shade in shades(color, 0) if luminance(shade) <= highest)
    return next(light), next(dark)


def color_rules(classes: Iterable[str]) -> list[str]:
    """The rules of the classes that name a colour, in the order of their names.

    Browsers that do not know `light-dark()` show the colour for light pages.
    """
    rules = []
    for name in sorted(set(classes)):
        if not (found := CLASS.fullmatch(name)):
            continue
        kind, color = found.groups()
        code = CSS_COLORS.get(color, color)
        light, dark = tints(code) if kind == "back" else readable(code)
        what = PROPERTIES[kind]
        rules.append(f".{name}{{{what}:#{light};{what}:light-dark(#{light},#{dark})}}")
    return rules
