"""Every mistake of the table is found at its place, with its cause and a way out; the game without one is silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.findings.diagnostics import Diagnostic, Findings
from ludoglot.engine.cli.checking import check_game
from ludoglot.engine.shelf.find import find

from golden.mistakes import FILES, ITALIAN, MISTAKES, P


def findings(folder: Path, files: dict[str, str]) -> list[Diagnostic]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = Findings()
    check_game(find(str(folder)), [], found)
    return found.sorted()


def said(found: Diagnostic) -> str:
    return f"{found.message()} {found.hint_text() or ''}"


def test_the_game_is_right(tmp_path: Path):
    assert [str(found) for found in findings(tmp_path, FILES)] == []


@pytest.mark.parametrize("name, file, old, new, code, line, word", MISTAKES, ids=[mistake[0] for mistake in MISTAKES])
def test_a_mistake_is_told(tmp_path: Path, name: str, file: str, old: str, new: str, code: str, line: int, word: str):
    files = FILES | ({P: ITALIAN} if file == P else {})
    assert files[file].count(old) >= 1
    told = [found for found in findings(tmp_path, files | {file: files[file].replace(old, new, 1)}) if found.code != "W202"]
    assert told, "nobody says anything"
    fitting = [found for found in told if found.code.startswith(code) and found.place.line == line and word in said(found)]
    assert fitting, "\n".join(map(str, told))
    assert len(told) <= 3, "\n".join(map(str, told))


def test_no_mistake_is_in_the_table_twice():
    assert len({mistake[0] for mistake in MISTAKES}) == len(MISTAKES)
