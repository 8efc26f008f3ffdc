"""
---
title: Subsets of fonts
summary: A font file with only the letters in use, named by what is in it.
---
# Subsets of fonts

MathJax's main font has 1,300 letters in 165 KB; a page of a paper uses fifty of them. `subset_font`
writes a font file that has only those, with the same bytes each time, under a name that holds a
hash of these bytes: a browser may keep the file for good, since other bytes have another name.

`measures_font` writes one that has no letters at all, only the measures of another one: that is all
that the base line of formulas needs, and so little that a page can hold it.

Making a font takes a few tenths of a second, so it can be kept in a folder of its own, which may be
deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from pylit.installed import installed

# The licence asks that its notice goes with each copy: copyright, licence and its address.
NOTICES = [0, 13, 14]
# Fonts count seconds from 1904; this is the first one of 1970.
EPOCH = 2082844800
# So many subsets are kept, the newest ones.
KEPT = 64


def subset_font(path: Path, letters: Iterable[str], cache: Path | None = None) -> tuple[str, bytes]:
    """The name and the content of a font file with some of the letters of the one at `path`.

    Args:
        path: The whole font.
        letters: The letters that are needed.
        cache: The folder to keep subsets in, if any.
    """
    codes = sorted({ord(letter) for letter in letters})
    whole = path.read_bytes()
    content = made(whole, str(codes), cache, lambda: cut(whole, codes))
    return f"{path.stem}.{hashlib.sha256(content).hexdigest()[:10]}.woff2", content


def measures_font(path: Path, cache: Path | None = None) -> bytes:
    """The content of a font that has the measures of the one at `path`, and no sign but a space."""
    whole = path.read_bytes()
    return made(whole, "measures", cache, lambda: bare(whole))


def made(whole: bytes, what: str, cache: Path | None, make: Callable[[], bytes]) -> bytes:
    """What `make` makes of the font `whole`, from the cache if it was made before."""
    if not cache:
        return make()
    recipe = f"{installed().get('fonttools')} {installed().get('brotli')} {what}".encode()
    # Our own code shapes the result too, so a change of it is another recipe.
    recipe += Path(__file__).read_bytes()
    kept = cache / f"font-{hashlib.sha256(whole + recipe).hexdigest()[:32]}.woff2"
    content = recall(kept)
    if content is None:
        content = make()
        # A cache that cannot be written is no reason to stop.
        with contextlib.suppress(OSError):
            keep(kept, content)
    return content


def cut(whole: bytes, codes: list[int]) -> bytes:
    """A woff2 font with the letters `codes` of the font `whole`."""
    # The package takes a while to load.
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options()
    options.hinting = False
    options.desubroutinize = True
    options.layout_features = []
    options.name_IDs = NOTICES
    options.notdef_outline = False
    options.glyph_names = False
    # This table holds languages of names; fontTools would warn that it cannot subset it.
    options.drop_tables += ["ltag"]
    with TTFont(io.BytesIO(whole), recalcTimestamp=False) as font:
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=codes)
        subsetter.subset(font)
        font.flavor = "woff2"
        target = io.BytesIO()
        font.save(target)
    return target.getvalue()


def bare(whole: bytes) -> bytes:
    """A woff2 font with the measures of the font `whole`, and a space."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.misc.psCharStrings import T2CharString
    from fontTools.ttLib import TTFont

    with TTFont(io.BytesIO(whole)) as font:
        units, line, more = font["head"].unitsPerEm, font["hhea"], font["OS/2"]
    names = [".notdef", "space"]
    outline = T2CharString(program=["endchar"])
    builder = FontBuilder(units, isTTF=False)
    builder.setupHead(unitsPerEm=units, created=EPOCH, modified=EPOCH)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(" "): "space"})
    builder.setupCFF("-", {}, dict.fromkeys(names, outline), {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (0, 0)))
    builder.setupHorizontalHeader(ascent=line.ascent, descent=line.descent, lineGap=line.lineGap)
    builder.setupNameTable({"familyName": "-"}, mac=False)
    measures = ("sTypoAscender", "sTypoDescender", "sTypoLineGap", "usWinAscent", "usWinDescent")
    kept = {name: getattr(more, name) for name in (*measures, "sxHeight", "sCapHeight")}
    builder.setupOS2(**kept, fsType=0)
    builder.setupPost(keepGlyphNames=False)
    builder.font.recalcTimestamp = False
    builder.font.flavor = "woff2"
    target = io.BytesIO()
    builder.font.save(target)
    return target.getvalue()


def recall(path: Path) -> bytes | None:
    """The font that was kept at `path`; a file that was cut short or changed is as good as none."""
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest().encode() == digest else None


def keep(path: Path, content: bytes) -> None:
    """Keep a font at `path`, by one rename, and forget the oldest ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".font-", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    Path(name).replace(path)
    fonts = sorted(path.parent.glob("font-*.woff2"), key=lambda kept: kept.stat().st_mtime)
    for old in fonts[:-KEPT]:
        old.unlink(missing_ok=True)
