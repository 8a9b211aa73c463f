"""Checks packs that still use the names of renamed clauses or of an older version of a game."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.packs import read_bundle
from ludoglot.dsl.yaml.clause_index import read_clause_index, read_clause_renames
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.match.saved_packs import find_changed_packs, pack_entries
from ludoglot.engine.project.check import check_game
from ludoglot.engine.testing.traceability import trace_clauses

from .conftest import get_scores, load_game, make_pack, play_moves, try_load_game

CLAUSES = """
KI-DAY-01: Everybody buys once a day.
KI-BUY-01: Choose an open cake.
KI-BUY-02: {text: It does what it does., was: KI-SHOP-07}
KI-BUY-03: {text: After three cakes each brings a coin more., was: [KI-SHOP-08, KI-MARKET-1]}
KI-BUY-04: You may wait.
KI-BUY-05: Who has no coins buys nothing.
"""
OLD_PACK = """steps:
  - {before: KI-SHOP-07, rules: 'coins[player] += 1   @KI-SHOP-08'}
clauses: {KI-SHOP-07: It does one more thing.}
tests:
  - name: a coin more
    clauses: [KI-SHOP-07]
    run: buy(player_1)
    play: [cake=bun, rest]
    expect: {coins: {player_1: 7}}
"""


@pytest.fixture
def kiosk_with_renames(kiosk):
    (kiosk / "clauses.yaml").write_text(CLAUSES, encoding="utf-8")
    return kiosk


@pytest.mark.long
def test_pack_may_use_former_clause_names(kiosk_with_renames):
    game = load_game(kiosk_with_renames, make_pack(OLD_PACK))
    assert get_scores(play_moves(game, "cake=pie", "rest", "cake=bun", "rest")) == [12, 10]
    overlay = game.ruleset.source.overlay
    assert overlay.texts.source["clause.KI-BUY-02"] == "It does one more thing."
    _, found = try_load_game(kiosk_with_renames, make_pack(OLD_PACK))
    assert [(one.args["name"], one.args["now"], one.place.line, one.place.column) for one in found if one.code == "W408"] == [
        ("KI-SHOP-07", "KI-BUY-02", 4, 14), ("KI-SHOP-08", "KI-BUY-03", 4, 56)]
    assert not [one for one in found if one.code[0] == "H"]


@pytest.mark.long
def test_saves_keep_the_original_pack_text(kiosk_with_renames, tmp_path):
    """The copy of a pack in a save is the text of its file, so the save can show whether the file has changed."""
    path = tmp_path / "one.yaml"
    path.write_text(make_pack(OLD_PACK).files["house.yaml"], encoding="utf-8")
    game = load_game(kiosk_with_renames, read_bundle(path, DiagnosticList()))
    bundle = game.ruleset.source.overlay.packs[0].bundle
    entries = pack_entries([bundle.as_written], ["one"])
    assert "KI-SHOP-07" in entries[0]["files"]["house.yaml"] and find_changed_packs(entries) == []
    assert bundle.hash == bundle.as_written.hash and "KI-SHOP-07" not in bundle.files["house.yaml"]


def test_scenario_may_use_former_clause_names(kiosk_with_renames):
    (kiosk_with_renames / "tests").mkdir()
    text = "scenarios:\n  - name: a look\n    clauses: [KI-MARKET-1, KI-DAY-01]\n    expect: {over: false}\n"
    (kiosk_with_renames / "tests/buy.yaml").write_text(text, encoding="utf-8")
    findings = DiagnosticList()
    found = find_game_location(str(kiosk_with_renames))
    check_game(found, [], findings)
    told = [one for one in findings.items if one.code in ("W303", "C005")]
    assert [(one.code, one.args["now"], one.place.line) for one in told] == [("W303", "KI-BUY-03", 3)]
    traced = trace_clauses(found, load_game(kiosk_with_renames).ruleset.program)
    assert [name for clause in traced.clauses if clause.id == "KI-BUY-03" for name, _ in clause.tests] == ["a look"]
    assert "KI-MARKET-1" not in {clause.id for clause in traced.clauses}


def test_rule_with_a_former_clause_name_gets_a_suggestion(kiosk_with_renames):
    rules = kiosk_with_renames / "kiosk.rules"
    rules.write_text(rules.read_text().replace("@02", "@KI-SHOP-07"), encoding="utf-8")
    findings = DiagnosticList()
    check_game(find_game_location(str(kiosk_with_renames)), [], findings)
    assert [one.args["meant"] for one in findings.items if one.code == "C001"] == ["KI-BUY-02"]


def test_reused_clause_name_is_not_a_former_name(kiosk):
    text = "KI-BUY-01: {text: Choose., was: KI-BUY-02}\nKI-BUY-02: Eat.\n"
    (kiosk / "clauses.yaml").write_text(text, encoding="utf-8")
    assert read_clause_index(kiosk, DiagnosticList()).current_names == {} == read_clause_renames(kiosk)


@pytest.mark.parametrize(("game", "wanted", "codes"), [(None, 1, []), (3, 3, []), (3, 2, []), (2, 3, ["H019"]), (None, 2, ["H019"])])
def test_pack_for_a_later_version_is_rejected(kiosk, game, wanted, codes):
    if game is not None:
        data = kiosk / "game.yaml"
        data.write_text(f"version: {game}\n{data.read_text()}", encoding="utf-8")
    _, found = try_load_game(kiosk, make_pack(f"for_version: {wanted}\nset: {{purse: 6}}"))
    assert [one.code for one in found if one.code[0] == "H"] == codes
