"""Gives every value that `set` can name every kind of wrong value.

The result is a finding at the line of the pack, or a game that passes the check. Ludoglot never crashes."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.packs import PackBundle
from ludoglot.dsl.packs.data_paths import value_names
from ludoglot.dsl.packs.source import read_game
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.project.check import check_game

from .conftest import make_pack

WRONG_VALUES = (
    "2-4", "two", "2.5", "true", "[2, 3]", "0", "-1", "4..2", "2..99", "{a: b}", "[]", "{}", "none", "''", "99999999999999999999",
    "{by: players, 2: x, else: y}", "{by: nothing, else: 1}", "{en: x}", "1e400", ".nan", "[[1]]", "{it: x}",
)
EXTRA_PATHS = (
    "name", "text", "players", "bonus.from", "bonus.beyond", "Cake.name", "Cake.defaults.price", "Coupon.small.n", "street.radius",
)


def check_value(folder, path: str, value: str) -> DiagnosticList:
    findings = DiagnosticList()
    check_game(find_game_location(str(folder)), [make_pack(f"set:\n  {path}: {value}")], findings)
    return findings


@pytest.mark.parametrize("value", ["2-4", "two", "2.5", "true", "[2, 3]", "0", "4..2", "1..99", "{a: b}", "none", "''"])
def test_invalid_player_count_is_reported_at_its_place(kiosk, value):
    (found,) = check_value(kiosk, "players", value).errors
    assert found.code in ("Y012", "G016") and (found.place.path, found.place.line, found.place.column) == ("one.yaml", 4, 12)


@pytest.mark.parametrize(("path", "value"), [
    ("purse", "[2, 3]"), ("purse", "two"), ("bonus.values", "4"), ("bonus.beyond", "first"), ("street.columns", "[1]"),
    ("Coupon.small.n", "many"), ("Cake.pie.text", "''"), ("name", "[x]"),
])
def test_value_of_wrong_type_is_reported_at_its_place(kiosk, path, value):
    found = check_value(kiosk, path, value).errors
    assert [(one.place.path, one.place.line) for one in found] == [("one.yaml", 4)]


@pytest.mark.parametrize("value", [pytest.param(one, marks=pytest.mark.long) for one in WRONG_VALUES])
def test_no_value_crashes_the_check(kiosk, value):
    source = read_game(kiosk, DiagnosticList())
    for path in dict.fromkeys([*value_names(source), *EXTRA_PATHS]):
        errors = check_value(kiosk, path, value).errors
        assert not errors or any(at.path == "one.yaml" for one in errors for at in (one.place, *one.also)), (path, errors[0])


@pytest.mark.parametrize("part", [
    "table: {panels: [{board: [street]}]}", "table: {panels: [{counters: [coins]}, {table: {a: 1}, columns: [coins]}]}",
    "add: {enums: {Cake: {members: [tart]}}}", "add: {enums: {Cake: {attributes: {a: 1}}}}", "add: {pieces: {Coupon: {copies: 3}}}",
    "tests: [{name: 3}]", "tests: [{name: true, play: []}, {name: rest, play: []}]",
])
def test_part_with_a_wrong_value_does_not_hide_other_mistakes(kiosk, part):
    (kiosk / "table.yaml").write_text("panels: [{board: street}]\n", encoding="utf-8")
    findings = DiagnosticList()
    check_game(find_game_location(str(kiosk)), [make_pack(f"{part}\nset: {{pruse: 3}}")], findings)
    assert [(one.code, one.place.line) for one in findings.errors] == [("Y012", 3), ("H002", 4)]


@pytest.mark.parametrize("entry", ["{nmae: tart, text: 'Worth {prce}.'}", "\n    nmae: tart\n    text: 'Worth {prce}.'"])
def test_wrong_key_of_an_added_member_hides_no_mistake_in_its_rules_or_text(kiosk, entry):
    findings = DiagnosticList()
    pack = make_pack(f"add:\n  Cake.tart: {entry}\nrules: |\n  proc effect[tart](player): cions[player] += 1")
    check_game(find_game_location(str(kiosk)), [pack], findings)
    found = {(one.code, one.args.get("name") or one.args.get("key")) for one in findings.errors if one.place.path == "one.yaml"}
    assert found == {("G010", "nmae"), ("T012", "Cake.tart.text"), ("R101", "cions")}


@pytest.mark.parametrize("text", ["[a]", "3", "null"])
def test_messages_that_are_no_texts_by_key_are_reported(kiosk, text):
    findings = DiagnosticList()
    pack = PackBundle("pack", {"house.yaml": "house: one\nfor: kiosk\n", "messages.yaml": text}, single=False)
    check_game(find_game_location(str(kiosk)), [pack], findings)
    assert [(one.code, one.place.path) for one in findings.errors] == [("Y012", "pack/messages.yaml")]
