"""Updating catalogues: what is carried over, what is not, and that nothing is ever lost."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pylit.catalog_update import Work, update_catalogs, update_text
from pylit.cli import main
from pylit.model import Message
from pylit.po import PoFile, format_po, parse_po

MakeSite = Callable[..., Path]
TOML = 'title = "T"\n[[source]]\npath = "src"\n[languages.ja]\nname = "日本語"\n'


def message(text: str, anchor: str = "module", **more: str) -> Message:
    return Message(text, "paragraph", anchor, 1, **more)  # type: ignore[arg-type]


def update(text: str | None, *messages: Message, prune: bool = False) -> str:
    old = parse_po(text) if text is not None else None
    work = Work("a.po", "a.py", messages, old)
    return format_po(update_catalogs([work], [], "ja", "T", prune=prune)[0])


def entry(po: str, source: str) -> dict[str, object]:
    found = [e for e in parse_po(po).entries if e.source == source]
    assert found, po
    first = found[0]
    return {
        "text": first.text,
        "fuzzy": first.fuzzy,
        "gone": first.obsolete,
        "previous": first.previous,
        "remarks": first.remarks,
    }


def with_text(po: str, source: str, text: str, before: str = "") -> str:
    """A catalogue as a translator would leave it."""
    escaped = [part.replace("\\", "\\\\") for part in (source, text)]
    old = f'msgid "{escaped[0]}"\nmsgstr ""'
    assert old in po
    return po.replace(old, f'{before}msgid "{escaped[0]}"\nmsgstr "{escaped[1]}"')


def test_w_trn_15_updating_twice_changes_nothing() -> None:
    """W-TRN-15"""
    messages = (message("One."), message("Two $x$."), message("Three `a`.", "f"))
    once = update(None, *messages)
    assert update(once, *messages) == once
    assert not re.search(r"\d{4}-\d\d-\d\d|a\.py:\d", once)
    filled = with_text(once, "One.", "一。")
    assert update(filled, *messages) == filled


def test_the_same_text_is_found_also_among_what_is_out_of_use() -> None:
    po = with_text(update(None, message("One."), message("Two.")), "One.", "一。", "# mine\n")
    without = update(po, message("Two."))
    assert entry(without, "One.")["gone"]
    again = update(without, message("One."), message("Two."))
    assert entry(again, "One.") == {
        "text": "一。",
        "fuzzy": False,
        "gone": False,
        "previous": "",
        "remarks": ("mine",),
    }
    assert "#~" not in again


def test_w_trn_06_a_live_entry_wins_over_one_out_of_use() -> None:
    """W-TRN-06"""
    po = 'msgid "Mask"\nmsgstr "マスク"\n\n#~ msgid "Mask"\n#~ msgstr "仮面"\n'
    new = update(po, message("Mask"))
    assert entry(new, "Mask")["text"] == "マスク"
    assert '#~ msgstr "仮面"' in new


@pytest.mark.parametrize(
    ("old", "new", "text", "carried"),
    [
        (
            r"Scale by $\sqrt{d}$.",
            r"Scale by $\sqrt{d_k}$.",
            r"$\sqrt{d}$で割る。",
            r"$\sqrt{d_k}$で割る。",
        ),
        (
            "`a` is the size of `b`.",
            "`x` is the size of `y`.",
            "`b`の大きさが`a`です。",
            "`y`の大きさが`x`です。",
        ),
        (
            "See [it](a.html).",
            "See [it](sub/a.html).",
            "[これ](a.html)を参照。",
            "[これ](sub/a.html)を参照。",
        ),
        ("The one $x$ is $x$.", "The one $z$ is $z$.", "$x$は$x$です。", "$z$は$z$です。"),
    ],
)
def test_a_change_of_atoms_alone_is_carried_over(
    old: str, new: str, text: str, carried: str
) -> None:
    po = with_text(update(None, message(old)), old, text, "# pylit: machine\n")
    done = update(po, message(new))
    assert entry(done, new)["text"] == carried
    assert not entry(done, new)["fuzzy"]
    assert entry(done, new)["remarks"] == ("pylit: machine",)
    assert update(done, message(new)) == done


def test_atoms_that_do_not_pair_up_are_not_carried_over() -> None:
    # Which of the two is now `y`, nobody can know.
    old, new = "From $x$ to $x$ there is a way.", "From $x$ to $y$ there is a way."
    po = with_text(update(None, message(old)), old, "$x$から$x$へ道があります。")
    done = entry(update(po, message(new)), new)
    assert done["fuzzy"]


def test_a_text_of_another_page_is_taken_over() -> None:
    one = with_text(update(None, message("Shared.")), "Shared.", "共有。")
    works = [
        Work("a.po", "a.py", (message("Shared."),), parse_po(one)),
        Work("b.po", "b.py", (message("Shared."), message("Own.")), None),
    ]
    first = update_catalogs(works, [], "ja", "T")
    assert [e.text for e in first[1].entries] == ["共有。", ""]
    again = update_catalogs(
        [Work(w.path, w.file, w.messages, po) for w, po in zip(works, first, strict=True)],
        [], "ja", "T",
    )  # fmt: skip
    assert [format_po(po) for po in again] == [format_po(po) for po in first]


def test_where_pages_disagree_the_commonest_is_offered_as_fuzzy() -> None:
    others = [parse_po(f'msgid "Heads"\nmsgstr "{text}"\n') for text in ("ヘッド", "頭", "ヘッド")]
    work = Work("n.po", "n.py", (message("Heads"),), None)
    found = update_catalogs([work], others, "ja", "T")[0].entries[0]
    assert (found.text, found.fuzzy) == ("ヘッド", True)


def test_a_person_counts_more_than_machines() -> None:
    machine = parse_po('# pylit: machine\nmsgid "Heads"\nmsgstr "頭"\n')
    person = parse_po('msgid "Heads"\nmsgstr "ヘッド"\n')
    work = Work("n.po", "n.py", (message("Heads"),), None)
    found = update_catalogs([work], [machine, machine, person], "ja", "T")[0].entries[0]
    assert (found.text, found.remarks) == ("ヘッド", ())


LONG = "The mask hides every key that comes after the query in the sequence of tokens."


def test_w_trn_05_a_changed_text_is_fuzzy_and_the_old_one_is_kept() -> None:
    """W-TRN-05: judged by content, whatever the times of the files are."""
    po = with_text(update(None, message(LONG), message("Beta.")), LONG, "マスクは…を隠します。")
    changed = LONG.replace("hides", "covers")
    done = update(po, message(changed), message("Beta."))
    assert entry(done, changed) == {
        "text": "マスクは…を隠します。",
        "fuzzy": True,
        "gone": False,
        "previous": LONG,
        "remarks": (),
    }
    assert entry(done, LONG)["gone"]
    assert update(done, message(changed), message("Beta.")) == done
    # The change is taken back: the translation is there again, as it was.
    back = update(done, message(LONG), message("Beta."))
    assert entry(back, LONG)["text"] == "マスクは…を隠します。"
    assert not entry(back, LONG)["fuzzy"]


@pytest.mark.parametrize(
    ("new", "anchor", "offered"),
    [
        (LONG.replace("hides every key", "shows all keys"), "module", True),
        (LONG.replace("hides every key", "shows all keys"), "elsewhere", False),
        (LONG.replace("hides", "covers"), "elsewhere", True),
        ("Something that says nothing of the kind at all.", "module", False),
    ],
)
def test_guesses_are_conservative(new: str, anchor: str, offered: bool) -> None:
    po = with_text(update(None, message(LONG)), LONG, "マスク…")
    done = entry(update(po, message(new, anchor)), new)
    assert bool(done["text"]) is offered
    assert done["fuzzy"] is offered


@pytest.mark.parametrize(
    ("anchor", "others", "offered"),
    [
        ("A.f.the-mask-shows-all", [], True),
        ("A.g.the-mask-shows-all", [], False),
        # The section of the old text is still there, so this is another one.
        ("A.f.the-mask-shows-all", [("Beta.", "A.f.the-mask-hides")], False),
    ],
)
def test_a_section_called_anew_by_its_words_keeps_its_translation_in_view(
    anchor: str, others: list[tuple[str, str]], offered: bool
) -> None:
    po = with_text(update(None, message(LONG, "A.f.the-mask-hides")), LONG, "マスク…")
    new = LONG.replace("hides every key", "shows all keys")
    done = update(po, message(new, anchor), *(message(*other) for other in others))
    assert entry(done, new)["fuzzy"] is offered


def test_an_emptied_guess_does_not_come_back() -> None:
    po = with_text(update(None, message(LONG)), LONG, "マスク…")
    changed = message(LONG.replace("hides", "covers"))
    done = update(po, changed)
    emptied = done.replace(
        'covers every key that comes after the query in the sequence of tokens."\nmsgstr "マスク…"',
        'covers every key that comes after the query in the sequence of tokens."\nmsgstr ""',
    )
    assert emptied != done
    again = entry(update(emptied, changed), changed.text)
    assert (again["text"], again["fuzzy"], again["previous"]) == ("", False, "")


def test_prune_removes_what_is_out_of_use_and_nothing_else() -> None:
    po = with_text(update(None, message("One."), message("Two.")), "One.", "一。")
    assert "#~" in update(po, message("Two."))
    pruned = update(po, message("Two."), prune=True)
    assert "一" not in pruned
    assert 'msgid "Two."' in pruned


def test_w_trn_14_equal_texts_share_an_entry_unless_a_context_parts_them() -> None:
    """W-TRN-14"""
    shared = update(None, message("Head", "f"), message("Head", "g"))
    assert shared.count('msgid "Head"') == 1
    assert "#. paragraph, #f\n#. paragraph, #g\n" in shared
    parted = update(None, message("Head"), message("Head", context="a part of attention"))
    assert parted.count('msgid "Head"') == 2
    assert 'msgctxt "a part of attention"' in parted


def test_the_header_has_what_gettext_wants_and_keeps_what_is_there() -> None:
    old = (
        '# Somebody.\nmsgid ""\nmsgstr ""\n"Last-Translator: Somebody <a@example.org>\\n"\n'
        '"Language: ja\\n"\n"X-Generator: An editor\\n"\n'
    )
    new = update(old, message("A"))
    assert new.startswith("# Somebody.\n")
    assert '"Last-Translator: Somebody <a@example.org>\\n"' in new
    assert '"X-Generator: An editor\\n"' in new
    assert '"Project-Id-Version: T\\n"' in new
    assert update(new, message("A")) == new


def test_a_broken_line_of_a_wrapped_file_is_put_in_form() -> None:
    """W-TRN-08: an address that a tool cut in two is one again."""
    wrapped = (
        'msgid ""\n"Read [it](https://example.org/a-very-long-"\n"address)."\n'
        'msgstr ""\n"[これ](https://example.org/a-very-long-"\n"address)。"\n'
    )
    text = "Read [it](https://example.org/a-very-long-address)."
    assert f'msgid "{text}"' in update(wrapped, message(text))


def test_plural_forms_of_interface_words_stay() -> None:
    old = 'msgid "%(n)s page"\nmsgid_plural "%(n)s pages"\nmsgstr[0] "a"\nmsgstr[1] "b"\n'
    assert 'msgstr[1] "b"' in update_text(old, "ja", "T", "templates", [message("%(n)s page")])


def test_no_catalogue_is_an_empty_one() -> None:
    assert update_catalogs([Work("a.po", "a.py", (), None)], [], "ja", "T")[0] == PoFile(
        fields=parse_po(update(None)).fields
    )


def run(folder: Path, *arguments: str) -> int:
    return main(["i18n", "update", "--config", str(folder / "pylit.toml"), *arguments])


def test_rewrapping_and_moving_the_source_changes_nothing(make_site: MakeSite) -> None:
    one = '"""\n# A\n\nSome words in a row, and more of them.\n\n* item one\n"""\n'
    two = (
        '# A comment line that is new\n\n"""\nA\n=\n\n'
        'Some words\n    in a row,\n    and more of them.\n\n- item one\n"""\n'
    )
    folder = make_site({"pylit.toml": TOML, "src/a.py": one})
    assert run(folder) == 0
    file = folder / "translations/ja/a.po"
    before = file.read_bytes()
    os.utime(folder / "src/a.py", (1, 1))
    (folder / "src/a.py").write_text(two.replace("# A comment line that is new\n\n", ""))
    assert run(folder, "--check") == 0
    assert run(folder) == 0
    assert file.read_bytes() == before


def test_check_says_what_is_behind_and_writes_nothing(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site({"pylit.toml": TOML, "src/a.md": "# A\n"})
    assert run(folder, "--check") == 1
    assert "translations/ja/a.po: behind" in capsys.readouterr().out
    assert not (folder / "translations").exists()
    assert run(folder) == 0
    assert run(folder, "--check") == 0


def test_authors_remarks_reach_the_translators_and_no_reader(make_site: MakeSite) -> None:
    folder = make_site(
        {
            "pylit.toml": TOML,
            "src/a.md": "# Head <!-- i18n-context: a part of attention -->\n\nHead\n\n"
            "Bias. <!-- i18n-note: the vector,\nnot the prejudice -->\n",
        }
    )
    assert run(folder) == 0
    file = folder / "translations/ja/a.po"
    text = file.read_text()
    assert text.count('msgid "Head"') == 2
    assert '#. the vector, not the prejudice\n#: src/a.md\nmsgid "Bias."' in text
    file.write_text(
        text.replace(
            'msgctxt "a part of attention"\nmsgid "Head"\nmsgstr ""',
            'msgctxt "a part of attention"\nmsgid "Head"\nmsgstr "ヘッド"',
        )
    )
    assert main(["build", "--quiet", "--config", str(folder / "pylit.toml")]) == 0
    html = (folder / "docs/ja/a.html").read_text()
    assert '<h1 id="head">ヘッド</h1>' in html
    assert ">Head</p>" in html
    assert "i18n-" not in html
    assert "prejudice" not in html


def test_a_page_that_moved_takes_its_texts_along(
    make_site: MakeSite, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_site(
        {
            "pylit.toml": TOML,
            "src/new.md": "Words that moved.\n",
            "translations/ja/old.po": 'msgid "Words that moved."\nmsgstr "移った言葉。"\n',
        }
    )
    assert run(folder) == 0
    assert "translations/ja/old.po: warning: the page of this catalogue" in capsys.readouterr().err
    assert 'msgstr "移った言葉。"' in (folder / "translations/ja/new.po").read_text()
    assert run(folder, "--prune") == 0
    assert not (folder / "translations/ja/old.po").exists()
    assert 'msgstr "移った言葉。"' in (folder / "translations/ja/new.po").read_text()


def test_the_catalogue_of_a_page_that_does_not_parse_stays(make_site: MakeSite) -> None:
    po = 'msgid "Words."\nmsgstr "言葉。"\n'
    files = {"pylit.toml": TOML, "src/a.py": "def f(:\n", "translations/ja/a.po": po}
    folder = make_site(files)
    run(folder, "--prune")
    assert (folder / "translations/ja/a.po").read_text() == po
