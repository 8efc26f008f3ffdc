"""
---
title: Checks of wording
summary: What looks wrong in a translation and may be right; all warnings.
---
# Checks of wording

These findings are warnings: signs that something went wrong, found by rules that know scripts and
punctuation but no language. Where the rule is wrong and the translator right, a
[remark](remarks.html) with the reason silences it. The rules were set by what 18,853 published
machine translations do wrong: words between formulas lost, links around the wrong words, a term cut
by a formula, sentences left in English.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import pairwise

from pylit.atoms import HOLE, LinkText, Text, plain_words, read_markup
from pylit.check_markup import Fault, adjacent_faults, short
from pylit.wide import WIDE

SCRIPTS = {
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003fffd",
    "ja": "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff",
    "ko": "\uac00-\ud7a3\u1100-\u11ff",
    "si": "\u0d80-\u0dff",
    "ta": "\u0b80-\u0bff",
    "hi": "\u0900-\u097f",
    "bn": "\u0980-\u09ff",
    "th": "\u0e00-\u0e7f",
    "ar": "\u0600-\u06ff\u0750-\u077f",
    "fa": "\u0600-\u06ff\u0750-\u077f",
    "ur": "\u0600-\u06ff\u0750-\u077f",
    "he": "\u0590-\u05ff",
    "ru": "\u0400-\u04ff",
    "uk": "\u0400-\u04ff",
    "el": "\u0370-\u03ff",
}
"""The letters of languages that are not written in Latin ones."""

ENGLISH_WORDS = 6
"""So many English words in a row are a sentence that was left."""

LATIN = re.compile(r"[A-Za-z][A-Za-z'’]*")
RUN = re.compile(rf"(?:[A-Za-z][A-Za-z'’]*[ ,]+){{{ENGLISH_WORDS - 1},}}[A-Za-z][A-Za-z'’]*")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
CUT_LATIN = re.compile(r"[A-Za-z](?:\*{1,3}|\]\([^)]*\)|\[)+[A-Za-z]")
WIDE_SPACE = re.compile(f"[{WIDE}] +(?=[{WIDE}])")
HALF_WIDTH = re.compile(f"[{WIDE}][,;:!?](?=\\s|[{WIDE}]|$)|[{WIDE}]\\.(?=\\s|$)")
DOUBLED = re.compile(
    r"([,;:!?，。、；：！？])\s*\1|[，、；：][。，、；：]|。[，、]|(?<!\.)\.\.(?!\.)"
)
PAIRS = ("()", "[]", "（）", "「」", "『』", "《》", "【】", "“”")
PUNCTUATION = "。，、；：！？"
SPACED_NOT = ("zh", "ja", "th")
"""Languages that write no spaces between words."""


def find_warnings(
    source: str, text: str, tag: str, keep: Collection[str] = (), terms: Collection[str] = ()
) -> list[Fault]:
    """
    What looks wrong in the translation `text` of `source` into the language `tag`.

    `keep` are words that stay in Latin letters, `terms` words that nothing may cut.
    """
    language = tag.partition("-")[0].lower()
    original, translated = read_markup(source), read_markup(text)
    faults = list(adjacent_faults(original, translated, "warning"))
    faults += link_faults(original, translated)
    faults += cut_faults(original, translated, terms)
    if unicodedata.normalize("NFC", text) != text:
        message = "the text is not in Unicode's normal form NFC; `pylit i18n fmt` puts it there"
        faults.append(Fault("nfc", "warning", message))
    faults += glued_faults(original, translated)
    if language in ("zh", "ja"):
        faults += wide_faults(translated)
    faults += punctuation_faults(original, translated)
    faults += number_faults(original, translated)
    faults += left_faults(source, text, original, translated, language, keep)
    return faults


def link_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """A link around the wrong words: far more or fewer of them, punctuation, half a name."""
    by_address: dict[str, list[LinkText]] = {}
    for link in original.links:
        by_address.setdefault(link.address, []).append(link)
    for link in translated.links:
        known = by_address.get(link.address)
        if not known or link.nested:
            continue
        before = known.pop(0) if len(known) > 1 else known[0]
        theirs, ours = words_in(original, before), words_in(translated, link)
        reason = ""
        if not any(sign.isalnum() or sign == HOLE for sign in ours):
            reason = "it holds punctuation alone"
        elif ours[0] in PUNCTUATION or (
            re.search("[。！？]", ours[:-1]) and not re.search(r"[.!?]", theirs)
        ):
            reason = "it holds the punctuation of a sentence"
        elif (
            re.fullmatch(r"[A-Za-z][\w -]+", theirs)
            and theirs not in ours
            and theirs in plain_words(translated.fill())
        ):
            reason = f"{theirs} stands in the text, but not in the link"
        else:
            share, wanted = part_of(translated, ours), part_of(original, theirs)
            swollen = share > min(0.95, 2 * wanted + 0.3) and share - wanted > 0.3
            if swollen or (wanted > 0.4 and share < wanted / 4):
                reason = f"it holds {share:.0%} of the text, {wanted:.0%} in the original"
        if reason:
            message = (
                f"the link to {short(link.address, 40)} is around other words than in the original"
                f" ({short(theirs, 30)}): {reason}"
            )
            yield Fault("link-words", "warning", message)


def words_in(text: Text, link: LinkText) -> str:
    """The words of a link, with a sign for each atom in them."""
    parts: list[str] = []
    at = link.start
    for atom in text.atoms:
        if link.start <= atom.start and atom.end <= link.end:
            parts += (text.marked[at : atom.start], HOLE)
            at = atom.end
    return plain_words("".join([*parts, text.marked[at : link.end]])).strip()


def part_of(text: Text, words: str) -> float:
    """How much of a text some of its words are."""
    whole = sum(sign.isalnum() for sign in text.words)
    return sum(sign.isalnum() for sign in words) / whole if whole else 0.0


def cut_faults(original: Text, translated: Text, terms: Collection[str]) -> Iterable[Fault]:
    """A word cut in two: a Latin one by markup, a term by a formula or code."""
    marked = translated.marked
    known = set(LATIN.findall(original.words))
    for cut in CUT_LATIN.finditer(marked):
        start, end = cut.start(), cut.end()
        left = re.search(r"[A-Za-z]+$", marked[: start + 1])
        right = re.match(r"[A-Za-z]+", marked[end - 1 :])
        word = (left[0] if left else "") + (right[0] if right else "")
        if word in known and not CUT_LATIN.search(original.marked):
            message = f"markup cuts the word {word} in two; put the whole word inside or outside"
            yield Fault("cut-word", "warning", message)
            return
    if not terms:
        return
    parts: list[str] = []
    at = 0
    for atom in translated.atoms:
        sign = HOLE if atom.kind in ("formula", "code", "placeholder") else ""
        parts += (marked[at : atom.start], sign)
        at = atom.end
    holed = "".join([*parts, marked[at:]])
    for hole in re.finditer(f"([{WIDE}]{{1,6}}) ?{HOLE} ?([{WIDE}]{{1,6}})", holed):
        for term in terms:
            for length in range(1, len(term)):
                if hole[1].endswith(term[:length]) and hole[2].startswith(term[length:]):
                    message = f"a formula or code cuts the word {term} in two; move it beside it"
                    yield Fault("cut-word", "warning", message)
                    return


def glued_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """Two words of the original written as one."""
    words = [word.lower() for word in LATIN.findall(original.words)]
    glued = {one + other for one, other in pairwise(words) if len(one) > 1 and len(other) > 1}
    glued -= set(words)
    for word in LATIN.findall(translated.words):
        if word.lower() in glued and not any(sign.isupper() for sign in word[1:]):
            message = f"{word} is two words of the original stuck together; put a space between"
            yield Fault("stuck-words", "warning", message)
            return


def wide_faults(translated: Text) -> Iterable[Fault]:
    """Spaces and half-width punctuation between Chinese or Japanese characters."""
    words = translated.words
    # Some write a space around a link, so brackets part two characters.
    filled = translated.fill()
    if space := WIDE_SPACE.search(filled):
        message = f"a space stands between two wide characters ({around(filled, space)}); remove it"
        yield Fault("spacing", "warning", message)
    if half := HALF_WIDTH.search(words):
        message = f"half-width punctuation follows a wide character ({around(words, half)})"
        yield Fault("punctuation", "warning", f"{message}; use the full-width sign")


def around(text: str, match: re.Match[str]) -> str:
    """A few signs around a place."""
    return text[max(match.start() - 5, 0) : match.end() + 6].replace(HOLE, "…").strip()


def punctuation_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """Punctuation that is doubled, brackets that do not close."""
    words = translated.words
    if (doubled := DOUBLED.search(words)) and not DOUBLED.search(original.words):
        message = f"punctuation is doubled ({around(words, doubled)}); remove one"
        yield Fault("punctuation", "warning", message)
    for pair in PAIRS:
        opening, closing = pair[0], pair[1]
        odd = words.count(opening) != words.count(closing)
        if odd and original.words.count(opening) == original.words.count(closing):
            message = f"the brackets {pair} are not in pairs; add or remove one"
            yield Fault("brackets", "warning", message)
            break


def number_faults(original: Text, translated: Text) -> Iterable[Fault]:
    """Numbers of the original that are not in the translation."""
    found = {plain_number(number) for number in NUMBER.findall(digits(translated.words))}
    lost = [
        n for n in dict.fromkeys(NUMBER.findall(original.words)) if plain_number(n) not in found
    ]
    if lost:
        message = f"the original has the number {', '.join(lost)}, the translation does not"
        yield Fault("numbers", "warning", message)


def plain_number(number: str) -> str:
    """A number without the separators of thousands."""
    return re.sub(r",(?=\d{3}\b)", "", number).rstrip(".,")


def digits(text: str) -> str:
    """The same text with the digits of all scripts as 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(sign)) if not sign.isascii() and sign.isdecimal() else sign
        for sign in text
    )


def left_faults(
    source: str,
    text: str,
    original: Text,
    translated: Text,
    language: str,
    keep: Collection[str],
) -> Iterable[Fault]:
    """Text left in English: all of it, or a sentence."""
    words = translatable(original.words, keep)
    if not words:
        return
    if text == source:
        message = "the translation is the same as the original; translate it, or leave it empty"
        yield Fault("untranslated", "warning", message)
        return
    script = SCRIPTS.get(language)
    if not script:
        return
    if not re.search(f"[{script}]", translated.words):
        message = "the translation has no letter of its language; translate it, or leave it empty"
        yield Fault("script", "warning", message)
        return
    titles = [words_in(original, link).casefold() for link in original.links]
    titles += [name.casefold() for name in re.findall(r"\*+([^*]+)\*+", original.fill())]
    titles += [name.casefold() for name in keep]
    for run in RUN.finditer(plain_words(translated.fill())):
        if not any(run[0].casefold() in title or title in run[0].casefold() for title in titles):
            message = f"a sentence is left in English ({short(run[0], 40)}); translate it"
            yield Fault("english", "warning", message)
            return


def translatable(words: str, keep: Collection[str]) -> list[str]:
    """The words that a translator would not leave: neither names nor code nor single letters."""
    for name in sorted(keep, key=len, reverse=True):
        words = re.sub(rf"(?<!\w){re.escape(name)}(?:s|es)?(?!\w)", " ", words, flags=re.IGNORECASE)
    found = re.findall(r"[^\W\d_][\w'’.-]*", words.replace(HOLE, " "))
    return [
        word
        for word in found
        # A capital inside, a digit, a dot or an underscore: a name of a model, a file, a class.
        if len(word) > 1 and not re.search(r"[\w-][A-Z]|\d|\w\.\w|_", word)
    ]


def stuck_starts(texts: Iterable[tuple[int, str]]) -> dict[int, str]:
    """
    Find blocks whose first two words are stuck together, in a language that has spaces.

    Such a word is seen nowhere else, and is two words that are each seen three times and more. What
    is known about a language is what its own catalogues say. `texts` are numbered.
    """
    firsts: dict[int, str] = {}
    seen: Counter[str] = Counter()
    for number, text in texts:
        words = [word.strip(".,;:!?()“”\"'") for word in read_markup(text).words.split()]
        seen.update(words)
        if words and not words[0].isascii() and HOLE not in words[0]:
            firsts[number] = words[0]
    found: dict[int, str] = {}
    for number, word in firsts.items():
        if seen[word] > 1 or len(word) < 4:
            continue
        for cut in range(2, len(word) - 1):
            left, right = word[:cut], word[cut:]
            # Not before a vowel sign or a virama, which belong to the letter before them.
            if unicodedata.category(right[0])[0] != "M" and seen[left] > 2 and seen[right] > 2:
                found[number] = f"{left} {right}"
                break
    return found
