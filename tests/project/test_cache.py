"""Checks the caches of the program: entries are found by content, verified, and never required."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from ludoglot.dsl import cache
from ludoglot.dsl.cache import read_cached
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan
from ludoglot.dsl.syntax import parse_cache
from ludoglot.dsl.syntax.parse import parse, parse_file


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kept"
    monkeypatch.setenv(cache.CACHE_ENV, str(place))
    return place


def only(room: Path, kind: str) -> Path:
    (found,) = (room / kind).iterdir()
    return found


def test_what_is_kept_comes_back_and_is_for_its_owner_alone(room):
    cache.cache_put("numbers", "a" * 64, {"one": (1, 2)})
    assert cache.cache_get("numbers", "a" * 64, ()) == {"one": (1, 2)}
    assert cache.cache_get("numbers", "b" * 64, ()) is None
    assert (room / "numbers").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("spoil", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: raw[:40] + bytes([raw[40] ^ 1]) + raw[41:]])
def test_a_spoilt_file_is_as_if_it_were_not_there(room, spoil):
    cache.cache_put("numbers", "a" * 64, [1, 2, 3])
    path = only(room, "numbers")
    path.write_bytes(spoil(path.read_bytes()))
    assert cache.cache_get("numbers", "a" * 64, ()) is None


def test_nothing_is_run_that_was_put_there(room, tmp_path):
    import hashlib
    import os

    class Evil:
        def __reduce__(self):  # type: ignore[no-untyped-def]
            return os.mkdir, (str(tmp_path / "was-here"),)

    cache.cache_put("numbers", "a" * 64, 1)
    raw = pickle.dumps(Evil())
    only(room, "numbers").write_bytes(hashlib.sha256(raw).digest() + raw)
    assert cache.cache_get("numbers", "a" * 64, ()) is None
    assert not (tmp_path / "was-here").exists()
    assert cache.cache_get("numbers", "a" * 64, (SourceSpan,)) is None


def test_a_folder_that_cannot_be_written_costs_only_time(room):
    room.write_text("a file where a folder should be")
    cache.cache_put("numbers", "a" * 64, 1)
    assert cache.cache_get("numbers", "a" * 64, ()) is None


def test_only_so_many_are_kept(room, monkeypatch):
    monkeypatch.setattr(cache, "MAX_FILES_PER_KIND", 3)
    for n in range(6):
        cache.cache_put("numbers", f"{n:064}", n)
    assert len(list((room / "numbers").iterdir())) == 3


def test_a_tree_comes_back_with_every_place(rules, room):
    def told(thing, path="$"):  # type: ignore[no-untyped-def]
        """Returns all that is in a tree, with the positions of tokens."""
        if isinstance(thing, list | tuple):
            return [told(part) for part in thing]
        if hasattr(thing, "end_pos") and isinstance(thing, str):
            return (thing.type, str(thing), thing.start_pos, thing.line, thing.column, thing.end_line, thing.end_column, thing.end_pos)
        if hasattr(thing, "__dict__"):
            return (type(thing).__name__, {name: told(value) for name, value in vars(thing).items()})
        return thing

    source = (rules / "hex" / "hex.rules").read_text(encoding="utf-8")
    fresh = parse(source, "hex.rules", DiagnosticList())
    parse_cache.store_trees(source, "en", fresh)
    assert told(parse_cache.load_trees(source, "en")) == told(fresh)


def test_a_file_with_a_mistake_is_read_again_each_time(tmp_path):
    path = tmp_path / "x.rules"
    path.write_text("stat coins: int\n", encoding="utf-8")
    first, second = DiagnosticList(), DiagnosticList()
    parse_file(path, first)
    parse_file(path, second)
    assert first.items and [str(one) for one in first.items] == [str(one) for one in second.items]


def test_other_text_of_equal_size_and_time_is_other_text(tmp_path):
    import os
    path = tmp_path / "x.txt"
    path.write_text("one")
    at = path.stat().st_mtime_ns
    assert read_cached(path, read) == "one"
    path.write_text("two")
    os.utime(path, ns=(at, at))
    assert read_cached(path, read) == "two"


def read(path: Path) -> str:
    return path.read_text()
