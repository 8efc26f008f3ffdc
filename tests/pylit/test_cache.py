"""The cache: what is put comes back, whatever happened to the file in between."""

from pathlib import Path

import pytest

from pylit import cache
from pylit.cache import Cache, key_of

ONE, TWO, THREE = key_of("1"), key_of("2"), key_of("3")


def test_what_is_put_comes_back(tmp_path: Path) -> None:
    first = Cache(tmp_path, "kind", "recipe")
    first.put({ONE: ["a\nb", 1]})
    first.put({TWO: [None]})
    for made in (first, Cache(tmp_path, "kind", "recipe")):
        assert made.get(ONE) == ["a\nb", 1]
        assert made.get(TWO) == [None]
        assert made.get(THREE) is None
    assert Cache(tmp_path, "kind", "other").get(ONE) is None


def test_two_that_write_lose_nothing(tmp_path: Path) -> None:
    ours, theirs = (Cache(tmp_path, "kind", "recipe") for _ in range(2))
    assert ours.get(ONE) is theirs.get(ONE) is None
    ours.put({ONE: [1]})
    theirs.put({TWO: [2]})
    ours.put({THREE: [3]})
    read = Cache(tmp_path, "kind", "recipe")
    assert [read.get(key) for key in (ONE, TWO, THREE)] == [[1], [2], [3]]


def test_a_line_that_was_cut_short_costs_only_itself(tmp_path: Path) -> None:
    Cache(tmp_path, "kind", "recipe").put({ONE: [1], TWO: ["a long value"]})
    (file,) = tmp_path.glob("kind-*")
    file.write_bytes(file.read_bytes()[:-5])
    Cache(tmp_path, "kind", "recipe").put({THREE: [3]})
    read = Cache(tmp_path, "kind", "recipe")
    assert [read.get(key) for key in (ONE, TWO, THREE)] == [[1], None, [3]]


def test_a_full_file_forgets_what_is_oldest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "BYTES", 200)
    for key in (ONE, TWO, ONE, THREE):
        Cache(tmp_path, "kind", "recipe").put({key: ["x" * 40]})
    read = Cache(tmp_path, "kind", "recipe")
    # The first was stored again, so the second one is the oldest.
    assert [bool(read.get(key)) for key in (ONE, TWO, THREE)] == [True, False, True]
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 200


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    made = Cache(tmp_path / "file", "kind", "recipe")
    made.put({ONE: [1]})
    assert Cache(tmp_path / "file", "kind", "recipe").get(ONE) is None
