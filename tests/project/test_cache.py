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
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "kept"
    monkeypatch.setenv(cache.CACHE_ENV, str(place))
    return place


def find_only_entry(cache_folder: Path, kind: str) -> Path:
    (found,) = (cache_folder / kind).iterdir()
    return found


def test_an_entry_is_restored_and_private_to_its_owner(cache_folder):
    cache.cache_put("numbers", "a" * 64, {"one": (1, 2)})
    assert cache.cache_get("numbers", "a" * 64, ()) == {"one": (1, 2)}
    assert cache.cache_get("numbers", "b" * 64, ()) is None
    assert (cache_folder / "numbers").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("spoil", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: raw[:40] + bytes([raw[40] ^ 1]) + raw[41:]])
def test_a_damaged_entry_is_ignored(cache_folder, spoil):
    cache.cache_put("numbers", "a" * 64, [1, 2, 3])
    path = find_only_entry(cache_folder, "numbers")
    path.write_bytes(spoil(path.read_bytes()))
    assert cache.cache_get("numbers", "a" * 64, ()) is None


def test_a_malicious_entry_is_not_executed(cache_folder, tmp_path):
    import hashlib
    import os

    class MaliciousObject:
        def __reduce__(self):  # type: ignore[no-untyped-def]
            return os.mkdir, (str(tmp_path / "was-here"),)

    cache.cache_put("numbers", "a" * 64, 1)
    raw = pickle.dumps(MaliciousObject())
    find_only_entry(cache_folder, "numbers").write_bytes(hashlib.sha256(raw).digest() + raw)
    assert cache.cache_get("numbers", "a" * 64, ()) is None
    assert not (tmp_path / "was-here").exists()
    assert cache.cache_get("numbers", "a" * 64, (SourceSpan,)) is None


def test_an_unwritable_folder_is_not_an_error(cache_folder):
    cache_folder.write_text("a file where a folder should be")
    cache.cache_put("numbers", "a" * 64, 1)
    assert cache.cache_get("numbers", "a" * 64, ()) is None


def test_the_number_of_entries_is_limited(cache_folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_FILES_PER_KIND", 3)
    for n in range(6):
        cache.cache_put("numbers", f"{n:064}", n)
    assert len(list((cache_folder / "numbers").iterdir())) == 3


def test_a_cached_tree_keeps_all_positions(rules, cache_folder):
    def dump_tree(thing, path="$"):  # type: ignore[no-untyped-def]
        """Returns all that is in a tree, with the positions of tokens."""
        if isinstance(thing, list | tuple):
            return [dump_tree(part) for part in thing]
        if hasattr(thing, "end_pos") and isinstance(thing, str):
            return (thing.type, str(thing), thing.start_pos, thing.line, thing.column, thing.end_line, thing.end_column, thing.end_pos)
        if hasattr(thing, "__dict__"):
            return (type(thing).__name__, {name: dump_tree(value) for name, value in vars(thing).items()})
        return thing

    source = (rules / "hex" / "hex.rules").read_text(encoding="utf-8")
    fresh = parse(source, "hex.rules", DiagnosticList())
    parse_cache.store_trees(source, "en", fresh)
    assert dump_tree(parse_cache.load_trees(source, "en")) == dump_tree(fresh)


def test_a_file_with_errors_is_parsed_each_time(tmp_path):
    path = tmp_path / "x.rules"
    path.write_text("stat coins: int\n", encoding="utf-8")
    first, second = DiagnosticList(), DiagnosticList()
    parse_file(path, first)
    parse_file(path, second)
    assert first.items and [str(one) for one in first.items] == [str(one) for one in second.items]


def test_changed_text_of_equal_size_and_time_is_noticed(tmp_path):
    import os
    path = tmp_path / "x.txt"
    path.write_text("one")
    at = path.stat().st_mtime_ns
    assert read_cached(path, read_text_file) == "one"
    path.write_text("two")
    os.utime(path, ns=(at, at))
    assert read_cached(path, read_text_file) == "two"


def read_text_file(path: Path) -> str:
    return path.read_text()
