"""Checks that `check` and `test` are silent about a correct game, and name the place of each mistake."""

from __future__ import annotations

import json
import shutil

import pytest
from golden.mistakes import FILES
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.testing import scenario
from tmp_files import filled

from .conftest import LANGUAGES

HEAD = "scenarios:\n"


def write_scenarios(orchard, text):
    path = orchard / "tests" / "play.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(HEAD + text, encoding="utf-8")
    return path


@pytest.mark.long
def test_check_finds_nothing_in_a_correct_game(ludoglot, orchard):
    said = ludoglot("check", orchard)
    assert (said.code, said.out, said.err) == (0, "", f"No problems found in {orchard}.\n")
    assert json.loads(ludoglot("check", orchard, "--json").out) == []


@pytest.mark.long
def test_a_missing_translation_is_a_warning_and_a_wrong_field_an_error(ludoglot, translated_orchard):
    said = ludoglot("check", translated_orchard, "--json")
    assert {found["code"] for found in json.loads(said.out)} >= {"W202"}
    path = translated_orchard / "locale" / "it" / "LC_MESSAGES" / "orchard.po"
    path.write_text(path.read_text(encoding="utf-8").replace("Prendi {apples}", "Prendi {apple}"), encoding="utf-8")
    found = json.loads(ludoglot("check", translated_orchard, "--json").out)
    assert [f["line"] for f in found if f["code"] == "T004"] == [5] and any(f["code"] == "T005" for f in found)


def test_each_finding_appears_once_with_its_place(ludoglot, orchard):
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("choose card in row", "choose card in rwo"), encoding="utf-8")
    for lang in LANGUAGES:
        said = ludoglot("check", orchard, "--lang", lang)
        assert said.code == 1 and said.out.count("[R101]") == 1 and "orchard.rules:7:" in said.out
    (found,) = json.loads(ludoglot("check", orchard, "--json").out)
    assert found["code"] == "R101" and found["line"] == 7
    assert set(found) == {"code", "severity", "file", "line", "column", "end", "message", "hint", "clause"}


def test_check_covers_each_number_of_players_and_option(ludoglot, orchard):
    path = orchard / "game.yaml"
    more = "players: 1..2\noptions: {long: {values: [true, false], default: true}}\nnumbers: {goal: {by: long, true: 6}}\n"
    path.write_text(path.read_text(encoding="utf-8").replace("players: 2\n", more), encoding="utf-8")
    said = ludoglot("check", orchard)
    assert said.code == 1 and said.out.count("error[") == 1 and "[G003]" in said.out


def test_a_house_rule_is_checked_with_the_game(ludoglot, orchard, richer_pack):
    assert ludoglot("check", orchard, "--pack", richer_pack).code == 0
    richer_pack.write_text("house: richer\nfor: orchard\nset:\n  Card.harvest.aples: 5\n", encoding="utf-8")
    said = ludoglot("check", orchard, "--pack", richer_pack)
    assert said.code == 1 and "richer.yaml:4:" in said.out and "Card.harvest.apples" in said.out


def test_scenarios_pass(ludoglot, orchard):
    write_scenarios(orchard, """\
  - name: harvest pays
    play: ["ann: card=harvest", bea: card=rest, {asks: game.card}]
    expect: {apples: {ann: 3, bea: 0}, over: false, law: all}
  - name: a procedure by itself
    given: {apples: {bea: 4}}
    run: effect[harvest](bea)
    expect: {over: true, apples: {bea: 7}, standing: [bea, ann], events: []}
  - name: another value
    house: {Card.harvest.apples: 6}
    play: [card=harvest]
    expect: {over: true, apples: {ann: 6}}
""")
    said = ludoglot("test", orchard)
    assert said.code == 0 and said.out == "3 tests passed\n"
    assert ludoglot("test", orchard, "-k", "itself").out == "1 test passed\n"


@pytest.mark.parametrize("text, line, column, words", [
    ("  - name: x\n    expect: {apples: {ann: 3}}\n", 3, 28, "apples.ann: expected 3, found 0"),
    ("  - name: x\n    expect: {appels: {ann: 3}}\n", 3, 14, "Did you mean “apples”?"),
    ("  - name: x\n    expect: {apples: {anna: 3}}\n", 3, 23, "anna is not a member of Player. Did you mean “ann”?"),
    ("  - name: x\n    play: [\"bea: card=rest\"]\n", 3, 12, "expected bea to decide, found ann"),
    ("  - name: x\n    play: [card=harvets]\n", 3, 12, "“card=harvets” is not offered. Offered: card=harvest, card=rest."),
    ("  - name: x\n    play: [not_offered: card=rest]\n", 3, 25, "“card=rest” is offered"),
    ("  - name: x\n    expect: {over: true}\n", 3, 20, "game.card"),
    ("  - name: x\n    expect: {asks: game.crad}\n", 3, 20, "expected the decision game.crad, found game.card."),
    ("  - name: x\n    expect: {standing: [ann, bea]}\n", 3, 24, "found [[ann, bea]]"),
    ("  - name: x\n    run: efect[rest](ann)\n", 3, 10, "Did you mean “effect[rest]”?"),
    ("  - name: x\n    run: effect[rest]()\n", 3, 10, "player"),
    ("  - name: x\n    given: {row: [rest]}\n", 3, 18, "the setup overwrites row"),
    ("  - name: x\n    given: {apples: {ann: 100}}\n", 3, 27, "100 does not fit here. Expected: a whole number from 0 to 99."),
    ("  - name: x\n    chance: [4]\n", 3, 13, "these results of chance were never used: 4"),
])
def test_a_failure_names_its_place_and_reason(ludoglot, orchard, text, line, column, words):
    write_scenarios(orchard, text)
    said = ludoglot("test", orchard)
    assert said.code == 1 and "FAILED: x" in said.out and words in said.out and "0 tests passed" in said.out
    (test,) = json.loads(ludoglot("test", orchard, "--json").out)["tests"]
    (failure,) = test["failures"]
    assert test["passed"] is False and failure["line"] == line
    assert failure["column"] == column, failure


@pytest.mark.parametrize("unwanted, failure", [
    ("rose", None), ("{calm_day: {kite: hawk}}", None),
    ("calm_day", "this event should not have happened: {calm_day: {kite: swan}}"),
    ("{calm_day: {kite: swan}}", "this event should not have happened: {calm_day: {kite: swan}}"),
])
def test_an_unwanted_event_fails_the_scenario(ludoglot, tmp_path, unwanted, failure):
    for name, text in FILES.items():
        (tmp_path / "fair" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fair" / name).write_text(text, encoding="utf-8")
    write_scenarios(tmp_path / "fair", f"""\
  - name: x
    options: {{calm: true}}
    given: {{clear: [basket]}}
    run: take(anna)
    play: [kite=swan]
    expect: {{over: true, not_told: [{unwanted}]}}
""")
    said = ludoglot("test", tmp_path / "fair", "-k", "x")
    assert said.code == (failure is not None) and (failure or "1 test passed") in said.out


def test_an_unknown_key_is_rejected(ludoglot, orchard):
    write_scenarios(orchard, "  - name: x\n    expects: {over: true}\n")
    said = ludoglot("test", orchard)
    assert said.code == 1 and "[Y010]" in said.err and "expect" in said.err
    assert ludoglot("check", orchard).code == 1


@pytest.mark.long
def test_all_shipped_games_are_tested_by_default(ludoglot, monkeypatch):
    seen = []
    monkeypatch.setattr(scenario, "list_scenario_files", lambda game: seen.append(game.name) or [])
    assert ludoglot("test").code == 0 and seen == list_game_ids()


@pytest.mark.long
@pytest.mark.parametrize("name", list_game_ids())
def test_the_tests_of_shipped_games_pass(ludoglot, name):
    said = ludoglot("test", name)
    assert said.code == 0 and "failed" not in said.out


@pytest.mark.parametrize("line, code, meant", [
    ('did.game.cell: "{who} marks {cel}."', "W208", "{cell}"),
    ('did.game.cell: "{who} marks {cell} in row {cell_rwo}."', "W208", ""),
    ('did.gmae.cell: "{who} marks {cell}."', "W209", "did.game.cell"),
    ('event.wno: "It is done."', "W209", ""),
    ('score.gmae: "Course"', "W209", "score.game"),
    ('did.game.cell: "{who} marks {cell}, held by {cell_mark}."', None, ""),
    ('did.game.cell.others: "{who} marks {cell}."', None, ""),
    ('decline.game.cell: "Pass, {who_number}"', "W209", ""), ('ask.game.cell: "Where, {who_number}"', None, "")])    # nobody may decline
def test_an_unused_text_or_field_is_found(ludoglot, rules, tmp_path, line, code, meant):
    folder = tmp_path / "tic-tac-toe"
    shutil.copytree(rules / "tic-tac-toe", folder)
    key = line.split(":")[0]
    old = (folder / "messages.yaml").read_text(encoding="utf-8").splitlines()
    kept = [text for text in old if not text.startswith(f"{key}:")]
    (folder / "messages.yaml").write_text("\n".join([*kept, line]) + "\n", encoding="utf-8")
    found = [f for f in json.loads(ludoglot("check", folder, "--json").out) if f["code"] in ("W208", "W209")]
    assert [f["code"] for f in found] == ([code] if code else [])
    assert not meant or meant in found[0]["hint"]


@pytest.mark.parametrize("line, code, meant", [
    ('variant.weather.rain: "when it rains"', None, ""),
    ('variant.frost.true: "hard"', None, ""),
    ('variant.laps.3: "three times round"', None, ""),
    ('variant.weather.rian: "when it rains"', "W209", "variant.weather.rain"),
    ('variant.waether.name: "Weather"', "W209", "variant.weather.name"),
    ('variant.frost.yes: "hard"', "W209", ""),
    ('variant.laps.4: "four times round"', "W209", ""),
    ('variant.weather.rain: "when it rains on {harvest}"', "W208", "")])
def test_a_text_for_an_unknown_option_value_is_found(ludoglot, orchard, line, code, meant):
    game = orchard / "game.yaml"
    options = "options:\n  weather: {values: [fair, rain], default: fair}\n  frost: {values: [true, false], default: true}\n"
    options += "  laps: {values: [2, 3], default: 2}\n"
    game.write_text(game.read_text(encoding="utf-8") + options, encoding="utf-8")
    (orchard / "messages.yaml").write_text(line + "\n", encoding="utf-8")
    found = [f for f in json.loads(ludoglot("check", orchard, "--json").out) if f["code"] in ("W208", "W209")]
    assert [f["code"] for f in found] == ([code] if code else [])
    assert not code or found[0]["line"] == 1 and found[0]["file"].endswith("messages.yaml")
    assert not meant or meant in found[0]["hint"]


@pytest.mark.parametrize("look, words", [
    ("not_offered: complete garbage", "“complete garbage” is not an answer to game.card"),
    ("not_offered: crad=rest", "Did you mean “card=rest”?"),
    ("not_offered: card=rset", "Did you mean “rest”?"),
    ("not_offered: [card=rest, card=rset]", "rset"),
    ("asks: game.crad", "Did you mean “game.card”?"),
    ("offered: card=rset", "Did you mean “rest”?"),
    ("not_offered: decline", None),
])
def test_an_invalid_expectation_about_options_fails(ludoglot, orchard, look, words):
    write_scenarios(orchard, f"  - name: x\n    play: [{{{look}}}]\n")
    said = ludoglot("test", orchard)
    assert said.code == (1 if words else 0) and (words or "1 test passed") in said.out


def test_an_expectation_about_options_after_the_end_fails(ludoglot, orchard):
    write_scenarios(orchard, "  - name: x\n    run: effect[rest](ann)\n    play: [not_offered: card=rest]\n")
    assert "there is no decision to make" in ludoglot("test", orchard).out


@pytest.mark.parametrize("wanted, words", [
    ('"apples[ann]": 3', None),
    ('"size(Card)": 2, "highest(player in Player: apples[player])": 3', None),
    ('"apples[ann]": 4', "apples[ann]: expected 4, found 3"),
    ('"apples[ann] > 1": true', None),
    ('"appels[ann]": 3', "did you mean \"apples\"?"),
    ('"apples[ann] +": 3', "cannot be evaluated"),
    ('"apples[ann]": many', "many does not fit here"),
    ('"{}": []', "cannot be evaluated"),
    ('law: [no_such_law]', "there is no invariant no_such_law"),
    ("events: [appels_fell]", "this game has no event appels_fell"),
])
def test_expectations_can_be_expressions(ludoglot, orchard, wanted, words):
    write_scenarios(orchard, f"  - name: x\n    play: [card=harvest, card=rest]\n    expect: {{{wanted}}}\n")
    said = ludoglot("test", orchard)
    assert said.code == (1 if words else 0) and (words or "1 test passed") in said.out, said.out


def test_expectations_and_procedures_between_moves(ludoglot, orchard):
    write_scenarios(orchard, """\
  - name: between moves
    play: [card=harvest, {expect: {apples: {ann: 3}}}, card=rest, {expect: {apples: {ann: 4}}}]
  - name: one after the other
    run: ["effect[harvest](ann)", "effect[harvest](bea)"]
    play: [{expect: {apples: {ann: 3, bea: 3}}}, {run: "effect[harvest](bea)"}]
    expect: {apples: {ann: 3, bea: 6}, over: true}
""")
    said = ludoglot("test", orchard)
    assert "1 test passed\n1 test failed" in said.out and "play.yaml:3:91: apples.ann: expected 4, found 3" in said.out


def test_procedures_with_two_arguments_run_in_order(ludoglot, orchard):
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "\nproc give(player, n: 0..9): apples[player] += n\n", encoding="utf-8")
    steps = "  - name: x\n    run: [give(ann, 2), 'effect[rest](bea)', give(bea, 4)]\n    expect: {apples: {ann: 2, bea: 5}}\n"
    write_scenarios(orchard, steps)
    said = ludoglot("test", orchard)
    assert "play.yaml:4:36: apples.bea: expected 5, found 4" in said.out, said.out
    assert "error" not in ludoglot("check", orchard).out


def test_no_procedure_runs_while_a_decision_waits(ludoglot, orchard):
    write_scenarios(orchard, '  - name: x\n    play: [card=rest, {run: "effect[harvest](ann)"}]\n')
    assert "game.card is waiting for an answer" in ludoglot("test", orchard).out


def test_positions_extend_the_background(ludoglot, orchard):
    path = write_scenarios(orchard, """\
  - {name: as named, position: rich, run: "effect[harvest](ann)", expect: {apples: {ann: 7, bea: 2}}}
  - {name: said anew, position: rich, given: {apples: {bea: 9}}, run: "effect[harvest](ann)", expect: {apples: {bea: 9}}}
  - {name: misspelt, position: rihc}
""")
    head = "background:\n  given: {apples: {bea: 2}}\npositions:\n  rich: {given: {apples: {ann: 4}}}\n"
    path.write_text(head + path.read_text(encoding="utf-8"), encoding="utf-8")
    said = ludoglot("test", orchard)
    assert said.code == 1 and "2 tests passed" in said.out and "Y016" in said.err and 'did you mean "rich"' in said.err


def test_a_too_long_name_does_not_affect_other_tests(ludoglot, orchard):
    write_scenarios(orchard, f"  - name: {'x' * 300}\n  - name: y\n    play: [card=rest]\n")
    said = ludoglot("test", orchard)
    assert said.code == 1 and "1 test passed" in said.out and "[Y015]" in said.err


INVARIANT = "always nobody_has_nine: apples[ann] != 9 and apples[bea] != 9\n"


@pytest.mark.parametrize("given, expect, code, words", [
    ("{ann: 6}", "{}", 1, "the invariant “nobody_has_nine” does not hold"),
    ("{ann: 6, bea: 9}", "{}", 0, "“x” starts from an incomplete position, so these invariants are not checked there: nobody_has_nine"),
    ("{ann: 5, bea: 9}", "{law: [nobody_has_nine]}", 1, "the invariant “nobody_has_nine” does not hold"),
    ("{ann: 5}", "{law: all}", 0, "1 test passed"),
])
def test_invariants_are_checked(ludoglot, orchard, given, expect, code, words):
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + INVARIANT, encoding="utf-8")
    write_scenarios(orchard, f"  - name: x\n    given: {{apples: {given}}}\n    run: effect[harvest](ann)\n    expect: {expect}\n")
    said = ludoglot("test", orchard)
    assert said.code == code and words in said.out


def test_a_file_outside_a_game_needs_the_game_flag(ludoglot, orchard, tmp_path):
    path = tmp_path / "elsewhere.yaml"
    path.write_text(HEAD + "  - name: x\n    play: [card=rest]\n", encoding="utf-8")
    said = ludoglot("test", path, "--game", orchard)
    assert (said.code, said.out) == (0, "1 test passed\n")
    said = ludoglot("test", path)
    assert said.code == 2 and "--game" in said.err




CORNERS = """\
scenarios:
  - name: x
    players: 6
    given:
      clear: [tray]
      tray: {{abundance: {{water: 1, sun: 2}}}}
      pawn: {{abundance_1: amphibian}}
    run: section[abundance]()
    play:
      - "amphibian: element=water"
      - {look}
      - "{who}: corner=e3.ne"
    expect: {{"disc[f2.w]": water, "disc[e2.se] == disc[e3.ne]": true}}
"""


@pytest.mark.long
@pytest.mark.parametrize("look, who, words", [
    ("offered: [corner=f2.w, corner=e2.se]", "amphibian", None),
    ("not_offered: corner=e3.sw", "player_4", None),               # d3.e, which has a disc
    ("not_offered: corner=f2.w", "amphibian", "“corner=f2.w” is offered"),
    ("not_offered: corner=f2.n", "amphibian", "f2.n is not a member of Corner"),
    ("asks: section[abundance].element", "amphibian", "expected the decision"),
    ("not_offered: decline", "bird", "expected bird (player_6) to decide, found player_4 (amphibian)"),
])
def test_corners_and_players_are_found_by_each_of_their_names(ludoglot, tmp_path, look, who, words):
    path = tmp_path / "corners.yaml"
    path.write_text(CORNERS.format(look=look, who=who), encoding="utf-8")
    said = ludoglot("test", path, "--game", "dominant-species")
    assert said.code == (1 if words else 0) and (words or "1 test passed") in said.out, said.out


@pytest.mark.parametrize("text", ["a harvst", "NOSUCH-01", "nothing like that"])
def test_a_filter_without_matches_is_an_error(ludoglot, orchard, text):
    said = ludoglot("test", orchard, "-k", text)
    assert said.code == 1 and said.out == "" and f"“{text}”" in said.err, "a misspelt name must not look like success"


DISCARDS = {
    "game.yaml": """\
game: discards
name: Discards
players: 2
rules: [discards.rules]
enums:
  Player: {members: {red: {}, blue: {}}}
  Good: [brick, ore]
numbers: {kept_goods: 7}
""",
    "discards.rules": """\
state hand[Player, Good]: 0..20

phase game:
    for player in Player: discard(player)

proc discard(player) by player:
    let held = sum(good in Good: hand[player, good])
    if held > kept_goods:
        choose exactly held // 2 times good in Good where hand[player, good] > 0: hand[player, good] -= 1

standing player: hand[player, ore]
"""}
FORCED_DISCARDS = "given: {hand: {red: {ore: 9}, blue: {ore: 6, brick: 2}}}\n    run: ['discard(red)', 'discard(blue)']"


@pytest.mark.parametrize("play, failure", [
    ([], ""),
    (["red: good=ore"], ""),
    (["red: good=ore"] * 4, ""),
    (["red: good=ore"] * 4 + ["blue: good=ore"], ""),
    (["red: good=ore"] * 2 + ["blue: good=ore", "blue: good=brick"], ""),
    (["0: good=ore", "1: good=ore"], ""),
    (["good=ore", "good=brick", "good=brick", "blue: good=ore"], ""),                   # all four are the real answers of blue
    (["red: good=ore"] * 5, "found blue"),                                               # one more than were forced
    (["red: good=brick"], "found blue"),
    (["blue: good=ore", "red: good=ore"], "found blue"),                                 # too late: not right after
])
def test_forced_answers_can_be_written_out(ludoglot, tmp_path, play, failure):
    lines = "".join(f"\n      - \"{line}\"" for line in play)
    scenario = f"scenarios:\n  - name: x\n    {FORCED_DISCARDS}\n" + (f"    play:{lines}\n" if play else "")
    game = filled(tmp_path, {**DISCARDS, "tests/first.yaml": scenario})
    said = ludoglot("test", game)
    assert failure in said.out if failure else "1 test passed" in said.out, said.out


def test_a_forced_answer_is_accepted_in_each_spelling(ludoglot, tmp_path):
    rules = """\
state mark[Player]: Good?
phase game:
    for player in Player: put(player)
proc put(player) by player:
    choose good in Good, n in 1..1 where good == ore or stop
    mark[player] = good
standing player: 0
"""
    scenario = "scenarios:\n  - {name: x, play: ['red: n=1 good=ore', 'blue: good=ore n=1']}\n"
    game = filled(tmp_path, {**DISCARDS, "discards.rules": rules, "tests/first.yaml": scenario})
    said = ludoglot("test", game)
    assert "1 test passed" in said.out, said.out
