"""PO files: read strictly, written as gettext writes them; polib and msgcat are the oracles."""

import os
import shutil
import subprocess
from pathlib import Path

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylit.catalog_update import update_text
from pylit.model import Message
from pylit.po import PoEntry, PoFile, PoSyntaxError, format_po, parse_po
from tests.conftest import ROOT

FULL = r"""# A person, 2026.
msgid ""
msgstr ""
"Project-Id-Version: x\n"
"Language: ta\n"
"Content-Type: text/plain; charset=UTF-8\n"

# by hand
#. paragraph, #module
#. a note
#: a.py ⁨with space.py⁩
#, fuzzy, no-wrap
#| msgctxt "old context"
#| msgid "old \"text\""
msgctxt "context"
msgid "Take $\\theta$."
msgstr "$\\theta$ …"

msgid ""
"one\n"
"two"
msgstr "tab\there"

msgid "%d page"
msgid_plural "%d pages"
msgstr[0] "eins"
msgstr[1] "viele"

# gone
#~ msgid "gone"
#~ msgstr "weg"

#~| msgid "before"
#~ msgid "gone, too"
#~ msgstr "auch weg"
"""


def gettext_tool(name: str) -> str:
    """A tool of GNU gettext, which no command of ours needs."""
    if path := shutil.which(name):
        return path
    message = f"there is no {name}: install gettext (on Debian: apt-get install gettext)"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def test_everything_comes_out_again_at_its_place() -> None:
    po = parse_po(FULL)
    assert format_po(po) == FULL
    first, second, plural, gone, last = po.entries
    assert po.remarks == ("A person, 2026.",)
    assert po.field("Language") == "ta"
    assert (first.source, first.text) == (r"Take $\theta$.", r"$\theta$ …")
    assert (first.context, first.previous, first.previous_context) == (
        "context",
        'old "text"',
        "old context",
    )
    assert first.files == ("a.py", "with space.py")
    assert first.notes == ("paragraph, #module", "a note")
    assert first.fuzzy
    assert FULL.split("\n")[first.line - 1].startswith("msgid")
    assert (second.source, second.text) == ("one\ntwo", "tab\there")
    assert plural.forms == ("eins", "viele")
    assert gone.obsolete
    assert gone.remarks == ("gone",)
    assert last.previous == "before"


def test_polib_reads_the_same() -> None:
    ours = {(e.context, e.source): (e.text, e.obsolete) for e in parse_po(FULL).entries}
    theirs = {(e.msgctxt or "", e.msgid): (e.msgstr, bool(e.obsolete)) for e in polib.pofile(FULL)}
    assert ours == theirs


def test_msgcat_writes_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a.po"
    file.write_text(FULL)
    command = [gettext_tool("msgcat"), "--no-wrap", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == FULL


def test_our_own_catalogues_pass_gettext(tmp_path: Path) -> None:
    msgfmt, msgcat = gettext_tool("msgfmt"), gettext_tool("msgcat")
    files = [*(ROOT / "translations").rglob("*.po"), *(ROOT / "pylit/locale").glob("*.po")]
    assert files
    for file in files:
        command = [msgfmt, "-c", "-o", str(tmp_path / "out.mo"), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), file
        command = [msgcat, "--no-wrap", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == file.read_text(encoding="utf-8"), file


def test_what_update_writes_passes_gettext_and_keeps_its_marks(tmp_path: Path) -> None:
    messages = [
        Message('Say "$\\frac{a}{b}$"\tnow', "paragraph", "module", 1),
        Message("Head", "heading 1", "f", 1, (), "a part"),
        Message("Head", "item", "g", 1, (r"\int_0^1\n x",), "", "a note"),
    ]
    first = update_text(None, "ja", "A title", "a file.md", messages)
    text = first.replace('"Head"\nmsgstr ""', '"Head"\nmsgstr "ヘッド"')
    text = text.replace("#. heading 1", "# pylit: machine\n#. heading 1")
    text = update_text(text, "ja", "A title", "a file.md", messages[:2])
    assert "#~ " in text
    file, template = tmp_path / "a.po", tmp_path / "a.pot"
    file.write_text(text, encoding="utf-8")
    template.write_text(first, encoding="utf-8")
    command = [gettext_tool("msgfmt"), "-c", "-o", str(tmp_path / "a.mo"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    command = [gettext_tool("msgcat"), "--no-wrap", str(file)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == text
    command = [gettext_tool("msgmerge"), "--no-wrap", "-q", "-o", "-", str(file), str(template)]
    merged = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "# pylit: machine\n" in merged
    assert update_text(merged, "ja", "A title", "a file.md", messages[:2]) == text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('msgid "a"\nmsgstr "b\n', 2, "not a line"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr ""\n', 3, "no msgstr"),
        ('msgstr "b"\n', 1, "needs a msgid"),
        ('"loose"\n', 1, "needs msgid"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', 3, "twice"),
        ('msgid "a"\n', 2, "complete"),
        ('msgid "a"\n# note\nmsgstr "b"\n', 2, "inside an entry"),
        ("nonsense\n", 1, "not a line"),
    ],
)
def test_a_broken_file_is_named_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(PoSyntaxError, match=words) as caught:
        parse_po(text)
    assert caught.value.line == line


def test_odd_but_lawful_files() -> None:
    text = '\ufeffmsgid "a"\r\nmsgstr ""\r\n"b"\r\n"c"\r\n'
    assert parse_po(text).entries == (PoEntry("a", "bc", 1),)
    assert parse_po("").entries == ()
    assert parse_po('#~ msgid "x"\n#~ msgstr "y"').entries[0].obsolete


def test_a_single_backslash_is_kept_and_remembered() -> None:
    entry = parse_po('msgid "$\\\\sqrt 2$"\nmsgstr "$\\sqrt 2$"\n').entries[0]
    assert (entry.text, entry.single) == (r"$\sqrt 2$", True)


TEXT = st.text(
    st.characters(
        blacklist_categories=("Cs",), blacklist_characters="\x85\u2028\u2029\x0b\x0c\x1c\x1d\x1e"
    )
)


@given(st.lists(st.tuples(TEXT.filter(bool), TEXT, TEXT), unique_by=lambda item: item[::2]))
def test_any_text_survives(entries: list[tuple[str, str, str]]) -> None:
    made = tuple(PoEntry(source, text, context=context) for source, text, context in entries)
    again = parse_po(format_po(PoFile(entries=made))).entries
    assert [(e.source, e.text, e.context) for e in again] == [
        (e.source, e.text, e.context) for e in made
    ]
