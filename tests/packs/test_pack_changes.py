"""Checks packs on a small game: each kind of change, several packs together, and the findings for packs that do not fit."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import try_load_ruleset
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.position.position import Game
from ludoglot.engine.project.check import check_game

from .conftest import get_scores, load_game, make_pack, play_moves, try_load_game

DAY_MOVES = ("cake=pie", "rest", "cake=bun", "rest")


def test_without_packs(kiosk):
    assert get_scores(play_moves(load_game(kiosk), *DAY_MOVES)) == [11, 9]            # 5 + 3, 5 + 1, and three for two cakes sold


def test_set_changes_values(kiosk):
    game = load_game(kiosk, make_pack("""set:
  purse: 7
  Cake.defaults.price: 2
  bonus.values: [0, 0]
  street.columns: 5
  Coupon.small.n: 4
  start.larder.rain: 2
  players: 2
  name: Stall
"""))
    assert get_scores(play_moves(game, *DAY_MOVES)) == [10, 9]
    assert len(game.model.enums["Cell"].members) == 5 and len(game.model.enums["Coupon"].members) == 4 and game.model.title == "Stall"
    assert try_load_game(kiosk, make_pack("set: {players: 2}"), players=3)[1][0].code == "G020"


@pytest.mark.long
def test_pack_adds_a_member_with_its_effect(kiosk):
    game = load_game(kiosk, make_pack("""add:
  Cake.tart: {name: tart, price: 4}
place: {Cake.tart: after bun}
rules: |
  proc effect[tart](player): coins[player] += 2 * tart.price
"""))
    assert game.model.enums["Cake"].members == ["bun", "tart", "pie"]
    assert get_scores(play_moves(game, "cake=tart", "rest", "cake=bun", "rest")) == [16, 9]


def test_pack_adds_entries_to_all_sections(kiosk):
    game = load_game(kiosk, make_pack("""add:
  numbers: {tax: 2}
  options: {rich: {values: [true, false], default: true}}
  enums: {Cake: {attributes: {sweet: bool}, defaults: {sweet: false}}, Mood: [glad, sad]}
  pieces: {Stamp: {copies: {red: {n: 3}}}}
  tables: {steps: {values: [1, 2]}}
  boards: {yard: {shape: square, cells: Spot, columns: 2, rows: 2}}
  start: {larder: {rain: 3}}
  Coupon.large: {n: 1, worth: 3}
rules: |
  state mood: Mood = glad
"""))
    model = game.model
    assert model.numbers["tax"] == 2 and "rich" in model.options and model.enums["Mood"].members == ["glad", "sad"]
    assert len(model.enums["Stamp"].members) == 3 and "large" in model.enums["Coupon"].members and "yard" in model.boards
    assert model.start["larder"] == {"sun": 1, "rain": 3} and model.enums["Cake"].attributes.keys() == {"price", "sweet"}


def test_removing_a_member_removes_its_entries(kiosk):
    game = load_game(kiosk, make_pack("remove: [Cake.bun, start.larder, Coupon.small]\nsteps:\n  - drop: 'open: cake != bun'\n"
                                      "add: {Coupon.large: {n: 1, worth: 1}}"))
    assert game.model.enums["Cake"].members == ["pie"] and "larder" not in game.model.start
    assert [routine.key for routine in game.ruleset.program.families["effect"].routines] == ["effect[pie]"]


@pytest.mark.long
def test_replace_overwrites_whole_declarations(kiosk):
    game = load_game(kiosk, make_pack("""replace: |
  proc effect[pie](player): coins[player] += 10
  standing player: coins[player]
  state sold: 0..9 = 5
fits: Cake.pie.text
"""))
    assert get_scores(play_moves(game, *DAY_MOVES)) == [16, 7]                  # more than three are sold, so each gets a coin more


@pytest.mark.long_cases("- {after: 'buy: rest', rules: 'cheat: coins[player] += 5'}-wanted8")
@pytest.mark.parametrize(("steps", "wanted"), [
    ("- {before: KI-BUY-02, rules: 'coins[player] += 1'}", [12, 10]),
    ("- {after: 'buy: effect[cake](player)', rules: 'coins[player] += 1'}", [12, 10]),
    ("- {after: KI-BUY-02, rules: 'coins[player] += 1'}\n  - {after: KI-BUY-02, rules: 'coins[player] = 2 * coins[player]'}", [21, 17]),
    ("- {instead: 'buy: effect', rules: 'coins[player] = 9'}", [12, 12]),
    ("- {drop: KI-BUY-02}", [8, 8]),
    ("- {head: KI-BUY-03, rules: 'if sold >= 0:  # always'}", [9, 7]),
    ("- {after: 'buy: begin', rules: 'coins[player] += 1'}\n  - {before: 'buy: end', rules: 'coins[player] += 1'}", [14, 11]),
    ("- {instead: KI-BUY-05, rules: 'coins[player] >= 0'}\n  - {after: KI-BUY-05 in open, rules: 'true'}", [11, 9]),
    ("- {after: 'buy: rest', rules: 'cheat: coins[player] += 5'}", [11, 9]),
    ("- drop: 'buy: if sold'", [8, 6]),
    ("- {after: 'buy: sold += 1', rules: 'sold += 1'}", [13, 11]),
])
def test_steps_change_a_procedure(kiosk, steps, wanted):
    tail = "set: {bonus.values: [0, 1, 3, 5, 5]}\n" if "sold += 1'}" in steps else ""
    assert get_scores(play_moves(load_game(kiosk, make_pack(f"{tail}steps:\n  {steps}\nfits: [Cake.pie.text]\n")), *DAY_MOVES)) == wanted


def test_added_menu_entry_can_be_chosen(kiosk):
    game = load_game(kiosk, make_pack("steps:\n  - after: 'buy: rest'\n    rules: |\n      cheat: coins[player] += 5\n"))
    assert get_scores(play_moves(game, "cake=pie", "cheat", "cake=bun", "rest")) == [16, 9]


def test_findings_name_the_pack_and_its_line(kiosk):
    unknown_name = make_pack("steps:\n  - after: KI-BUY-02\n    rules: |\n      sold += 1\n      coins[player] += nothing\n")
    _, found = try_load_game(kiosk, unknown_name)
    assert [(one.code, one.place.path, one.place.line, one.place.column) for one in found] == [("R101", "one.yaml", 7, 24)]
    _, found = try_load_game(kiosk, make_pack("rules: |\n\n  proc more(player):\n      coins[player] =\n"))
    assert [(one.code, one.place.path, one.place.line) for one in found] == [("R007", "one.yaml", 6)]
    _, found = try_load_game(kiosk, make_pack("set: {Cake.pie.price: many}"))
    assert [(one.code, one.place.path, one.place.line) for one in found] == [("G014", "one.yaml", 3)]


def test_packs_are_applied_in_order(kiosk):
    one = make_pack("set: {purse: 6}\nsteps:\n  - {before: KI-BUY-02, rules: 'coins[player] += 1'}")
    two = make_pack("set: {Cake.pie.price: 5}\nsteps:\n  - {before: KI-BUY-02, rules: 'coins[player] = 2 * coins[player]'}", "two")
    assert get_scores(play_moves(load_game(kiosk, one, two), *DAY_MOVES)) == [22, 18]
    assert get_scores(play_moves(load_game(kiosk, two, one), *DAY_MOVES)) == [21, 17], "lines at one place must follow the order of packs"


@pytest.mark.parametrize(("one", "two", "name"), [
    ("set: {purse: 6}", "set: {purse: 7}", "purse"),
    ("remove: Cake.bun", "set: {Cake.bun.price: 3}", "Cake.bun.price"),
    ("steps: [{drop: KI-BUY-02}]", "steps: [{instead: 'buy: effect', rules: stop}]", "buy: effect"),
    ("steps: [{drop: KI-BUY-02}]", "replace: |\n  proc buy(player) by player: coins[player] += 1", "KI-BUY-02"),
    ("rules: 'proc more(): sold += 1'", "rules: 'proc more(): sold += 2'", "proc more"),
    ("words: {state.sold: Sold}", "words: {state.sold: {en: Gone}}", "state.sold"),
])
def test_conflicting_packs_are_reported(kiosk, one, two, name):
    _, found = try_load_game(kiosk, make_pack(one), make_pack(two, "two"))
    clash = [finding for finding in found if finding.code == "H003"]
    assert len(clash) == 1 and {clash[0].place.path, clash[0].also[0].path} == {"one.yaml", "two.yaml"}
    assert clash[0].args["name"] == name


def test_equal_values_in_two_packs_do_not_conflict(kiosk):
    assert load_game(kiosk, make_pack("set: {purse: 6}"), make_pack("set: {purse: 6}", "two")).model.numbers["purse"] == 6


def test_over_allows_a_pack_to_override_another(kiosk):
    one, two = make_pack("set: {purse: 6}"), make_pack("over: {one: [purse]}\nset: {purse: 7}", "two")
    assert load_game(kiosk, one, two).model.numbers["purse"] == 7
    assert load_game(kiosk, two, one).model.numbers["purse"] == 7, "the order of the arguments must not matter"
    assert load_game(kiosk, two).model.numbers["purse"] == 7


def test_needs_decide_the_order(kiosk):
    one = make_pack("add: {numbers: {tax: 1}}\nneeds: []")
    two = make_pack("needs: one\nsteps:\n  - {before: KI-BUY-02, rules: 'coins[player] -= tax'}", "two")
    assert get_scores(play_moves(load_game(kiosk, two, one), *DAY_MOVES)) == [10, 8]


def test_directory_can_be_a_pack(kiosk, tmp_path):
    folder = tmp_path / "more"
    (folder / "locale/it/LC_MESSAGES").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "house.yaml").write_text("house: more\nfor: kiosk\nreplace: [old.rules]\nadd: {numbers: {tax: 1}}\nfits: Cake.pie.text\n")
    (folder / "new.rules").write_text("proc pay(player): coins[player] += 10\n")
    (folder / "old.rules").write_text("proc effect[pie](player): pay(player)\n")
    (folder / "messages.yaml").write_text("state.sold: Sold\n")
    (folder / "clauses.yaml").write_text("KI-BUY-09: Pay the tax.\n")
    (folder / "locale/it/LC_MESSAGES/more.po").write_text('msgctxt "state.sold"\nmsgid "Sold"\nmsgstr "Venduto"\n')
    (folder / "tests/more.yaml").write_text("scenarios:\n  - name: ten\n    expect: {over: false}\n")
    findings = DiagnosticList()
    ruleset = try_load_ruleset(kiosk, findings, pack_sources=[folder])
    assert ruleset is not None, findings.items
    overlay = ruleset.source.overlay
    assert get_scores(play_moves(Game(ruleset), *DAY_MOVES)) == [18, 9]
    assert overlay.texts.translations["it"]["state.sold"] == "Venduto" and overlay.texts.source["clause.KI-BUY-09"] == "Pay the tax."
    assert [document.data["scenarios"][0]["name"] for document in overlay.collect_scenarios()] == ["ten"]


@pytest.mark.long
def test_text_must_change_with_its_rule(kiosk):
    def codes(text: str) -> list[str]:
        found = [one.code for one in try_load_game(kiosk, make_pack(text))[1]]
        return [code for code in found if code[0] in "HW" and code not in ("W101", "W102", "W103")]
    assert codes("set: {Cake.pie.text: Worth much.}") == ["H013"]
    assert codes("set: {Cake.pie.text: Worth much.}\nfits: Cake.pie.text") == []
    assert codes("set: {Cake.pie.text: Worth much., Cake.pie.price: 9}") == []
    changed = "replace: 'proc effect[pie](player): coins[player] += 10'\n"
    assert codes(changed) == ["W401"]
    assert codes(changed + "set: {Cake.pie.text: Worth ten.}") == []
    outdated = lambda text: load_game(kiosk, make_pack(text)).ruleset.source.overlay.find_outdated_text("Cake.pie.text")   # noqa: E731
    assert outdated(changed) is not None and outdated(changed + "fits: Cake.pie.text") is None


def test_packs_do_not_modify_the_game_files(kiosk):
    before = {path.name: path.read_bytes() for path in kiosk.iterdir()}
    load_game(kiosk, make_pack("remove: [Cake.bun]\nsteps: [{drop: 'open: cake != bun'}]"))
    assert {path.name: path.read_bytes() for path in kiosk.iterdir()} == before
    assert get_scores(play_moves(load_game(kiosk), *DAY_MOVES)) == [11, 9]


def test_all_kinds_of_mistakes_are_reported_at_once(kiosk):
    findings = DiagnosticList()
    check_game(find_game_location(str(kiosk)), [make_pack("""set:
  players: two
  foo: 3
rules: |
  state laps: 0..3
steps:
  - after: "close: sold = solt"
    rules: |
      laps += 1
  - after: "close: sold = sold"
    rules: |
      laps += rain
""")], findings)
    assert [(one.code, one.place.line) for one in findings.in_source_order()] == [("Y012", 4), ("H002", 5), ("H008", 9), ("R201", 14)]
