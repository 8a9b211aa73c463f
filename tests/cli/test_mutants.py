"""Checks mutation testing of rules: which mutants exist, which ones the scenarios notice, and how the command reports survivors."""

from __future__ import annotations

import json

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.library.find import RULES_FOLDER as SHIPPED
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.testing.mutants import RuleMutant, apply_mutant, draw_mutants
from ludoglot.engine.testing.mutation_testing import NOTICED, REFUSED, SURVIVED, MutationRunner, read_equivalents
from tmp_files import filled

from .conftest import LANGUAGES

DATA = """
game: relay
name: Relay
players: 2
rules: [relay.rules]
numbers: {full: 2}
enums: {Stick: [oak, ash, elm]}
"""
RULES = """state held[Stick]: Player?
state runs[Player]: 0..9
state rested: bool

phase game @RL-RUN:
    run(player_1, player_2)                             @01
    rested = true

proc run(one: Player, other: Player) @RL-RUN:
    choose up to full times stick in Stick where held[stick] == none by one @02:
        held[stick] = one
        runs[one] += 1
    if any(stick in Stick: held[stick] == one): runs[other] += 1                        @03

    may choose stick in Stick by other or stop                                          @04
    runs[other] += 2

standing player: runs[player]
"""
TESTS = """scenarios:
  - name: two sticks
    clauses: [RL-RUN-02]
    play: ["player_1: stick=oak", stick=elm, stick=ash]
    expect: {runs: {player_1: 2, player_2: 3}, held: {oak: player_1, ash: none, elm: player_1}, over: true}
"""


@pytest.fixture
def relay(tmp_path):
    return filled(tmp_path / "relay", {"game.yaml": DATA, "relay.rules": RULES, "tests/run.yaml": TESTS})


def list_mutants(folder) -> list[RuleMutant]:
    mutants, possible = draw_mutants(find_game_location(str(folder)), 10_000, 1)
    assert possible == len(mutants)
    return mutants


def list_mutated_lines(folder, kind: str) -> list[str]:
    """Returns the new lines of all mutants of a kind."""
    out = []
    for mutant in list_mutants(folder):
        if mutant.kind == kind:
            before = (folder / mutant.file).read_text(encoding="utf-8").split("\n")
            after = apply_mutant(mutant, "\n".join(before)).split("\n")
            out.append("\n".join(line.split(" @")[0].strip().removesuffix(":") for line in after[mutant.line - 1 : mutant.end_line]))
    return out


@pytest.mark.parametrize(("kind", "line"), [
    ("scope", "if all(stick in Stick: held[stick] == one): runs[other] += 1"),
    ("amount", "choose exactly full times stick in Stick where held[stick] == none by one"),
    ("may", "choose stick in Stick by other or stop"), ("who", "may choose stick in Stick by one or stop"),
    ("who", "choose up to full times stick in Stick where held[stick] == none by other"),
    ("order", "rested = true\nrun(player_1, player_2)"),
    ("condition", "choose up to full times stick in Stick where true by one"),
    ("negation", "if not (any(stick in Stick: held[stick] == one)): runs[other] += 1"),
    ("number", "runs[one] += 2"), ("statement", "let dropped_here = 0"), ("datum", "numbers: {full: 3}"),
])
def test_each_kind_of_mutant_exists(relay, kind, line):
    assert line in list_mutated_lines(relay, kind)


@pytest.mark.long
def test_each_mutant_is_classified(relay):
    """A mutant survives if no scenario covers it. Reordered independent steps and a wider state range are no mutants at all."""
    jury = MutationRunner(find_game_location(str(relay)))
    verdicts = {(mutant.kind, " ".join(mutant.new.split())): jury.classify_mutant(mutant) for mutant in list_mutants(relay)}
    assert verdicts["scope", "all"] == NOTICED and verdicts["datum", "3"] == NOTICED and verdicts["who", "other"] == NOTICED
    assert verdicts["order", "rested = true run(player_1, player_2) @01"] == SURVIVED
    assert ("order", "runs[one] += 1 held[stick] = one") not in verdicts and ("number", "10") not in verdicts
    assert verdicts["who", "stick"] == REFUSED
    assert (relay / "relay.rules").read_text(encoding="utf-8") == RULES


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_survivors_are_listed_with_line_and_clause(ludoglot, relay, lang):
    said = ludoglot("test", relay, "--mutants", "500", "--lang", lang)
    assert said.code == 0 and "mutant" not in said.out
    rows = said.out.splitlines()
    at = next(n for n, row in enumerate(rows) if "relay.rules:7:5 " in row)
    assert "rested = true" in rows[at + 1] and "RL-RUN" not in rows[at + 1], "that line cites no clause"
    assert ludoglot("test", relay, "--mutants", "500", "--lang", lang).out == said.out


@pytest.mark.long
def test_the_json_report(ludoglot, relay):
    said = [json.loads(ludoglot("test", relay, "--mutants", "6", "--seed", seed, "--json").out) for seed in ("1", "1", "2")]
    assert said[0] == said[1] and {"possible", "noticed", "refused", "survived", "seed"} < said[0].keys()
    assert all(one["noticed"] + one["refused"] + one["survived"] == 6 and len(one["survivors"]) == one["survived"] for one in said)
    assert ludoglot("test", "--mutants", "3").code == 2
    (relay / "tests/run.yaml").write_text(TESTS.replace("player_1: 2", "player_1: 3"), encoding="utf-8")
    assert ludoglot("test", relay, "--mutants", "3").code == 1, "a failing test cannot notice a mutant"
    for path in (relay / "tests").iterdir():
        path.unlink()
    assert ludoglot("test", relay, "--mutants", "3").code == 2


EQUIVALENTS = """equivalent:
  - in: game
    line: "run(player_1, player_2) rested = true"
    becomes: "rested = true run(player_1, player_2)"
    because: "nothing that runs asks whether anybody has rested"
"""


@pytest.mark.long
def test_each_equivalent_mutant_needs_its_own_entry(ludoglot, relay):
    """An equivalent mutant is reported separately from survivors. Its entry does not excuse another mutant in the same place."""
    (relay / "equivalent.yaml").write_text(EQUIVALENTS, encoding="utf-8")
    said = json.loads(ludoglot("test", relay, "--mutants", "500", "--json").out)
    assert said["equivalent"] == 1 and all(one["kind"] != "order" or one["line"] != 7 for one in said["survivors"])
    assert "1 of them makes no difference" in ludoglot("test", relay, "--mutants", "500", "--lang", "en").out
    (relay / "equivalent.yaml").write_text(EQUIVALENTS.replace("because", "becuase"), encoding="utf-8")
    told = ludoglot("test", relay, "--mutants", "500", "--lang", "en")
    assert "equivalent.yaml:5" in told.err and "because" in told.err and "makes no difference" not in told.out


def test_only_scenarios_that_reach_a_mutant_try_it(relay):
    """Only scenarios that execute a procedure try its mutants.

    A procedure without callers has no such scenario. All scenarios try a mutant of an invariant, or of a def that a scenario names.
    """
    rules = RULES + "\nproc idle(): rested = false\ndef twice(one: Player) = 2 * runs[one]\n"
    (relay / "relay.rules").write_text(rules, encoding="utf-8")
    tests = TESTS + "  - name: another\n    run: idle()\n    expect: {\"twice(player_1)\": 0, rested: false}\n"
    (relay / "tests/run.yaml").write_text(tests, encoding="utf-8")
    jury = MutationRunner(find_game_location(str(relay)))
    asked = {(mutant.within, mutant.kind): [one.name for one in jury.order_scenarios(mutant)] for mutant in list_mutants(relay)}
    assert asked["idle", "statement"] == asked["twice", "number"] == ["another"], "scenarios that name the def or run the procedure"
    assert asked["run", "may"] == ["two sticks"], "the other scenario stops at an earlier choice"
    assert sorted(asked["numbers.full", "datum"]) == ["another", "two sticks"]


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*/equivalent.yaml")), ids=lambda path: path.parent.name)
def test_each_equivalent_entry_matches_a_possible_mutant(path):
    """An entry is obsolete after its line of the rules has changed."""
    game, findings = find_game_location(path.parent.name), DiagnosticList()
    jury = MutationRunner.__new__(MutationRunner)
    jury.found, jury.argued = game, read_equivalents(game, findings)
    made = {jury.equivalence_reason(mutant) for mutant in draw_mutants(game, 100_000, 1)[0]} - {None}
    assert not findings.items and set(jury.argued.values()) == made


def test_swapped_independent_steps_are_not_mutants(relay):
    """This includes steps in called procedures.

    The order matters if both steps emit events, ask, or stop, or if one uses what the other changes.
    """
    rules = RULES.replace("    rested = true", "    rested = true\n    count_up(player_1)\n    rested = false\n    tell ran(player_1)\n"
                          "    count_up(player_2)\n    tell rested(player_2)\n    tell ran(player_2)\n    let n = runs[player_1]\n"
                          "    rest()\n    choose more in 1..2 by player_1\n    let few = n + 1\n    runs[player_1] = few\n")
    rules += "\nproc count_up(player): runs[player] += 1\nproc rest():\n    if rested: stop\n"
    (relay / "relay.rules").write_text(rules, encoding="utf-8")
    pairs = {" ".join(line.split()) for line in list_mutated_lines(relay, "order")}
    assert {"tell ran(player_2) tell rested(player_2)", "choose more in 1..2 by player_1 rest()"} <= pairs
    assert not {"count_up(player_1) rested = true", "tell ran(player_1) rested = false", "count_up(player_2) tell ran(player_1)",
                "let few = n + 1 choose more in 1..2 by player_1"} & pairs


@pytest.mark.long
def test_code_only_for_invariants_and_bots_has_no_mutants(relay):
    """A number that is only the upper end of a range makes no mutant either."""
    rules = RULES.replace("0..9", "0..most") + "always few: all(p in Player: fits(p))\ndef fits(p: Player) = runs[p] + 0 <= most\n"
    (relay / "relay.rules").write_text(rules, encoding="utf-8")
    (relay / "game.yaml").write_text(DATA.replace("full: 2", "full: 2, most: 9"), encoding="utf-8")
    places = {mutant.within for mutant in list_mutants(relay)}
    assert "fits" not in places and "numbers.most" in places
    (relay / "relay.rules").write_text(rules.replace("<= most", ">= 0"), encoding="utf-8")
    assert "numbers.most" not in {mutant.within for mutant in list_mutants(relay)}
