"""Checks the analysis of the core: the effects of routines, and the information flow of hidden states."""

from __future__ import annotations

import pytest
from language.random_rules import RandomRules
from language.toys import data_of
from ludoglot.dsl.analysis import analyse
from ludoglot.dsl.analysis.effects import find_written_states, resolve_callees
from ludoglot.dsl.analysis.results import AnalysisResults, RoutineEffects
from ludoglot.dsl.core import nodes as n
from ludoglot.dsl.core.program import Program
from ludoglot.dsl.core.walk import walk
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList

from .load_core import core_from_text

DATA = """
game: toy
name: Toy
players: 2
rules: [toy.rules]
enums:
  Player: [anna, bela]
  Place: [north, south]
pieces:
  Card: {copies: {ace: {n: 1}, king: {n: 1}, jack: {n: 1}}}
"""
STATES = """
state deck: pile of Card hidden
state seen: pile of Card
state hand[Player]: set of Card seen by player
state one[Player]: Card? seen by player
state stock[Place]: bag of Card
state points[Player]: 0..9
state secret: 0..2 hidden
state forehead[Player]: Card? hidden from player
"""


def analyse_rules(rules: str) -> tuple[AnalysisResults | None, list[str], Program]:
    """Returns the facts about rules, the errors, and the core."""
    findings = DiagnosticList()
    program = core_from_text(DATA, f"{STATES}\n{rules}\n\nstanding player: points[player]\n")[0]
    facts = analyse(program, findings)
    return facts, [f"{found.code} {found.args.get('name')}" for found in findings.errors], program


# ---------------------------------------------------------------- effects

CALLS = """
def rich(player) = points[player] > 3

proc win(player):
    if rich(player): points[player] += 1
    draw 1 from deck to seen

proc ask(player):
    choose place in Place by player or stop
    stock[place][ace] += 1

proc turn[north]: win(anna)
proc turn[place: Place]: ask(bela)

phase game:
    turn[north]()
    for place in Place: turn[place]()
"""


@pytest.fixture(scope="module")
def call_facts() -> AnalysisResults:
    facts, errors, _ = analyse_rules(CALLS)
    assert facts is not None and not errors
    return facts


def get_effects(facts: AnalysisResults, name: str) -> RoutineEffects:
    return facts.effects.of[facts.program.families[name].routines[0]]


def test_effects_include_those_of_called_routines(call_facts):
    assert get_effects(call_facts, "rich").reads == {"points"} and not get_effects(call_facts, "rich").writes
    assert get_effects(call_facts, "win").writes == {"points", "deck", "seen"}
    assert get_effects(call_facts, "win").draws and not get_effects(call_facts, "win").asks
    assert get_effects(call_facts, "ask").asks and not get_effects(call_facts, "ask").draws
    game = get_effects(call_facts, "game")
    assert game.asks and game.draws and game.writes == {"points", "deck", "seen", "stock"}


def test_a_state_that_is_only_changed_is_not_inspected(call_facts):
    assert "stock" in get_effects(call_facts, "ask").reads and "stock" not in get_effects(call_facts, "ask").looks
    assert "deck" in get_effects(call_facts, "win").looks


def test_a_call_with_a_known_member_has_one_callee(call_facts):
    program = call_facts.program
    known, any_of_them = [node for node in walk(*program.families["game"].routines[0].parts) if isinstance(node, n.CallProc)]
    assert [routine.key for routine in resolve_callees(program, known)] == ["turn[north]"]
    assert len(resolve_callees(program, any_of_them)) == 2
    assert "stock" not in find_written_states(known, program, call_facts.effects)
    assert "stock" in find_written_states(any_of_them, program, call_facts.effects)


@pytest.mark.long_cases("1", "5", "9", "14")
@pytest.mark.parametrize("seed", range(20))
def test_callees_come_first_and_callers_include_their_effects(seed):
    facts = analyse(core_from_text(data_of("garden"), RandomRules(seed).text, 2)[0], DiagnosticList())
    assert facts is not None
    effects, done = facts.effects, set()
    assert set(effects.order) == set(facts.program.routines) == set(effects.of)
    for routine in effects.order:
        mine = effects.of[routine]
        assert mine.calls <= done
        done.add(routine)
        for callee in mine.calls:
            its = effects.of[callee]
            assert its.reads <= mine.reads and its.writes <= mine.writes
            assert its.asks <= mine.asks and its.draws <= mine.draws


# ---------------------------------------------------------------- hidden values that leak without a name

BIND_CARD = "    let c = top(seen)\n    c = none\n"
TELL_CARDS = "    for d in c: tell shown(card = d)\n"


@pytest.mark.parametrize(
    "line, state",
    [
        ("draw 1 from deck to c", "deck"),
        ("move ace from hand[anna] to c", "hand"),
        ("swap c and one[anna]", "one"),
        ("swap one[anna] and c", "one"),
    ],
)
def test_hidden_members_moved_to_a_local_stay_secret(line, state):
    assert f"R308 {state}" in analyse_rules(f"phase game:\n{BIND_CARD}    {line}\n{TELL_CARDS}")[1]


@pytest.mark.parametrize("line", ["draw 1 from seen to c", "move everything from c to seen"])
def test_visible_members_moved_to_a_local_are_not_secret(line):
    assert analyse_rules(f"phase game:\n{BIND_CARD}    {line}\n{TELL_CARDS}")[1] == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("choose other in Player where other != player and shines(other) by player or stop", []),
        ("choose other in Player, card in forehead[other] where other != player by player or stop", []),
        ("choose other in others(player) where shines(other) by player or stop", []),
        ("choose other in Player where shines(other) by player or stop", ["R327 forehead"]),
        ("choose other in others(next(player)) where shines(other) by player or stop", ["R327 forehead"]),
        ("choose card in forehead[player] by player or stop", ["R327 forehead"]),
        ("choose card in forehead[bela] by anna or stop", []),
        ("choose card in forehead[bela] by bela or stop", ["R327 forehead"]),
        ("choose place in Place where brightest(player) == ace by player or stop", []),
        ("choose place in Place where brightest(next(player)) == ace by player or stop", ["R327 forehead"]),
        ("choose place in Place where any(x in Player where x != player or shines(x)) by player or stop", ["R327 forehead"]),
        ("for card in forehead[player]: tell shown(card)", ["R308 forehead"]),
    ],
)
def test_a_player_may_choose_by_entries_that_are_hidden_from_others(line, expected):
    """Of a state that is hidden from a player, the moves of this player may depend on all entries except the player's own."""
    defs = (
        "def shines(player) = any(card in forehead[player] where card == ace)\n"
        "def others(player) = set(other in Player where other != player)\n"
        "def brightest(player) = first(other in Player, card in forehead[other] where other != player: card)\n"
    )
    assert analyse_rules(f"{defs}\nphase game:\n    for player in Player: look(player)\n\nproc look(player):\n    {line}\n")[1] == expected


def test_the_end_of_a_loop_can_reveal_its_condition():
    body = "phase game:\n    rounds until secret == 1:\n        stop\n    tell over()\n"
    assert analyse_rules(body)[1] == ["R308 secret"]


def test_a_visible_change_can_reveal_a_hidden_condition():
    facts, errors, program = analyse_rules("phase game:\n    stock[north if secret == 1 else south][ace] += 1\n")
    assert facts is not None and not errors
    assert set(facts.secrecy.reveals) == set(program.families["game"].routines[0].body)
