"""Checks that one run of `check` reports all mistakes of a game, and what it suggests to beginners."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ludoglot.engine.library.find import RULES_FOLDER, GameLocation
from ludoglot.engine.project.check import check_game

RULES = "tic-tac-toe.rules"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    shutil.copytree(RULES_FOLDER / "tic-tac-toe", tmp_path / "game")
    return tmp_path / "game"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def add_rules(game: Path, text: str) -> None:
    with open(game / RULES, "a", encoding="utf-8") as file:
        file.write(text)


def list_errors(game: Path) -> list[Diagnostic]:
    findings = DiagnosticList()
    check_game(GameLocation("game", game, "game"), [], findings)
    return DiagnosticList(findings.errors).in_source_order()


def list_codes(game: Path) -> list[tuple[str, object]]:
    return [(one.code, one.args.get("name", one.args.get("found"))) for one in list_errors(game)]


@pytest.mark.parametrize(("old", "new", "code"), [
    ("numbers:", "numbes:", "Y010"), ("line: 3", "line: [3]", "Y012"), ("clauses: TTT", "clauses: [TTT]", "Y012"),
])
def test_invalid_data_hides_no_unknown_name(game: Path, old: str, new: str, code: str) -> None:
    edit(game / "game.yaml", old, new)
    add_rules(game, "def odd = nothng\ndef even = line\n")
    assert [found for found, _ in list_codes(game)] == [code, "R101"] and list_codes(game)[1][1] == "nothng"


@pytest.mark.parametrize(("old", "new", "code"), [
    ("numbers:", "numbes:", "Y010"), ("players: 2", "players: two", "Y012"), ("shape: square", "shape: sqare", "Y013"),
    ('text: "The', 'text: {"The', "Y017"), ("players: 2", "players: 5..1", "G016"),
])
def test_invalid_data_hides_no_syntax_error(game: Path, old: str, new: str, code: str) -> None:
    edit(game / "game.yaml", old, new)
    add_rules(game, "proc odd():\n    fro x in Cell: stop\n")
    assert [found for found, _ in list_codes(game)] == [code, "R006"]


def test_a_board_without_size_makes_its_places_no_errors(game: Path) -> None:
    edit(game / "game.yaml", "columns: 3", "colums: 3")
    add_rules(game, "def odd = mark[a1]\n")
    assert [found for found, _ in list_codes(game)] == ["Y010"]


def test_a_table_with_a_wrong_key_hides_no_error_next_to_a_syntax_error(game: Path) -> None:
    edit(game / "table.yaml", "panels:", "panles:")
    add_rules(game, "proc odd():\n    fro x in Cell: stop\n\ndef even = nothng\n")
    assert [found for found, _ in list_codes(game)] == ["Y010", "R006", "R101"]


def test_a_tab_hides_no_other_error(game: Path) -> None:
    add_rules(game, "proc odd():\n\tmark[a1] = crss\n        mark[a2] = nobod\n\ndef even = nothng\n")
    errors = list_errors(game)
    assert [(one.code, one.args.get("name")) for one in errors] == [("R101", "crss"), ("R020", None), ("R101", "nobod"), ("R101", "nothng")]
    lines = (game / RULES).read_text(encoding="utf-8").split("\n")
    for one in errors[:1] + errors[2:]:                            # the places are those in the file as written
        assert lines[one.place.line - 1][one.place.column - 1 :].startswith(str(one.args["name"]))


def test_a_tab_that_fits_no_block_hides_no_other_declaration(game: Path) -> None:
    add_rules(game, "proc odd():\n\tmark[a1] = crss\n      mark[a2] = nobod\n\ndef even = nothng\n")
    assert list_codes(game) == [("R020", None), ("R101", "nothng")]


@pytest.mark.parametrize("head", ["proc mend[crss](x: Cell):\n    mark[x] = nobod\n", "def worth[crss](x: Cell) = nobod\n"])
def test_the_body_of_an_entry_for_an_unknown_member_is_checked(game: Path, head: str) -> None:
    add_rules(game, head + head.replace("crss", "cross").replace("nobod", "none"))
    assert list_codes(game) == [("R101", "crss"), ("R101", "nobod")]


@pytest.mark.parametrize(("key", "meant"), [("esle", "else"), ("két", "")])
def test_a_wrong_key_of_a_table_by_players_is_reported(game: Path, key: str, meant: str) -> None:
    other = "2" if meant else "else"
    edit(game / "game.yaml", "{line: 3}", f"{{line: {{by: players, {key}: 4, {other}: 3}}}}")
    (one,) = list_errors(game)
    assert one.code == "Y013" and key in str(one.args["found"]) and one.args.get("meant", "") == meant


def test_an_index_in_lower_case_is_corrected(game: Path) -> None:
    edit(game / RULES, "mark[Cell]", "mark[cell]")
    assert [(one.code, one.hint, one.args["meant"]) for one in list_errors(game)] == [("R008", "written_so", "Cell")]


def test_a_plural_suggests_the_type(game: Path) -> None:
    add_rules(game, "def odd = count(x in players)\n")
    assert [(one.code, one.args["meant"]) for one in list_errors(game)] == [("R101", "Player")]


@pytest.mark.parametrize(("old", "new", "found", "meant"), [
    ("{who}~the", "{who~the", "{who~the", "{who}~the"), ("on {cell}", "on {cell", "{cell", "{cell}"),
])
def test_a_field_without_closing_brace_is_corrected(game: Path, old: str, new: str, found: str, meant: str) -> None:
    edit(game / "messages.yaml", old, new)
    (one,) = [one for one in list_errors(game) if one.code == "T003" and "did." in str(one.args["key"])]
    assert (str(one.args["found"]).rstrip("."), one.args["meant"]) == (found, meant)


@pytest.mark.parametrize(("name", "code"), [(RULES, "R001"), ("messages.yaml", "Y001"), ("game.yaml", "Y001")])
def test_a_file_in_another_encoding_names_the_line(game: Path, name: str, code: str) -> None:
    raw = (game / name).read_bytes()
    (game / name).write_bytes(raw + "# café\n".encode("latin-1"))
    (one,) = [one for one in list_errors(game) if one.code == code]
    assert (one.hint, one.place.line, one.place.column) == ("not_utf8", raw.count(b"\n") + 1, 6)
