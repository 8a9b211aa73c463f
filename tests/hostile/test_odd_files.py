"""Checks a game's directory with special files: pipes, devices, directories, broken links, and giant files.

Commands name each special file. No command waits for a pipe or reads without end.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.diagnostics.safe_read import MAX_SOURCE_BYTES, FileTooLargeError, find_uncopyable, read_bytes
from ludoglot.dsl.packs import read_bundle
from ludoglot.engine.commands.main import main

ROOT = Path(__file__).parent.parent.parent
FILES = ["messages.yaml", "clauses.yaml", "table.yaml", "notation.yaml", "tests/more.yaml", "locale/it/LC_MESSAGES/tic-tac-toe.po",
         "locale/it/lexicon/tic-tac-toe.yaml"]
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes by name")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def nowhere(path: Path) -> None:
    path.symlink_to("/no/such/file")


def giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 26)                                     # a sparse file: it takes no room


SPECIAL_FILES = [pipe, device, folder, nowhere, giant]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    copy = tmp_path / "own"
    shutil.copytree(ROOT / "rules" / "tic-tac-toe", copy)
    (copy / "former.yaml").unlink()
    return copy


@pytest.mark.long
@pytest.mark.parametrize("name, odd", [(name, SPECIAL_FILES[n % len(SPECIAL_FILES)]) for n, name in enumerate(FILES)] + [
    ("tic-tac-toe.rules", pipe), ("game.yaml", giant), ("messages.yaml", giant), ("locale/it/LC_MESSAGES/tic-tac-toe.po", giant)],
    ids=lambda given: given if isinstance(given, str) else given.__name__)
def test_check_names_special_files(game: Path, capsys: pytest.CaptureFixture[str], name: str, odd) -> None:
    path = game / name
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    odd(path)
    for _ in range(2):                                             # the cache must not hide the finding either
        assert main(["check", str(game)]) == 1
        assert f"{game.as_posix()}/{name}" in capsys.readouterr().out
    for args in (["play", str(game), "--seats", "bot:random,bot:random", "--lang", "it"], ["words", "check", str(game)],
                 ["test", str(game)], ["copy", str(game), "other", str(game.parent / "other")]):
        assert main(args) in (0, 1)


@pytest.mark.parametrize("odd", SPECIAL_FILES, ids=lambda odd: odd.__name__)
def test_special_files_of_a_pack_are_reported(tmp_path: Path, odd) -> None:
    (tmp_path / "house.yaml").write_text("name: x\nfor: hex\n", encoding="utf-8")
    (tmp_path / "tests").mkdir()
    odd(tmp_path / "tests" / "play.yaml")
    findings = DiagnosticList()
    assert read_bundle(tmp_path, findings, "pack") is None
    assert [(one.code, one.place.path) for one in findings.items] == [("Y002" if odd is giant else "Y001", "pack/tests/play.yaml")]


@pytest.mark.parametrize("odd", SPECIAL_FILES, ids=lambda odd: odd.__name__)
def test_only_regular_files_are_read(tmp_path: Path, odd) -> None:
    odd(tmp_path / "x")
    with pytest.raises(FileTooLargeError if odd is giant else OSError):
        read_bytes(tmp_path / "x")


def test_reading_stops_at_the_limit_of_size(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x" * MAX_SOURCE_BYTES)
    assert len(read_bytes(tmp_path / "x")) == MAX_SOURCE_BYTES
    with pytest.raises(FileTooLargeError):
        read_bytes(tmp_path / "x", MAX_SOURCE_BYTES - 1)


def test_only_regular_files_and_folders_are_copied(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "inside").mkdir()
    (tmp_path / "round").symlink_to(tmp_path)
    for odd in (pipe, device, nowhere, giant):
        odd(tmp_path / odd.__name__)
    assert find_uncopyable(str(tmp_path), sorted(os.listdir(tmp_path))) == {"pipe", "device", "nowhere", "giant", "round"}
