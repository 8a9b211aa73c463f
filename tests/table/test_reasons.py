"""Checks that offered options and reasons always agree, and that each refusal gives the right reason."""

from __future__ import annotations

import ast
import random

import pytest
from ludoglot.dsl.backend_python.module import compile_explain_module, compile_module
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.explain.provenance import source_text
from ludoglot.engine.explain.refusal_finder import OptionExplanation, RefusalFinder
from ludoglot.engine.position.observation import observe
from ludoglot.engine.position.position import Game, Position
from tmp_files import bench, filled

GAMES = ["hex", "tic-tac-toe", "connect-four", "breakthrough", "dominant-species", "evolution", "trias", "amazons", "chess",
         "english-draughts", "go", "kalah", "lines-of-action", "nine-mens-morris", "oware", "reversi", "backgammon",
         "international-draughts"]
HEAVY = ["dominant-species", "evolution", "trias"]                  # few tries at every commit, whole games in CI
TOYS = ["drift", "flower-stall", "food-chain", "masquerade", "parry"]
GAMES_WITHOUT_DECISIONS = ("drift", "food-chain")  # before a test sets them up
OMITTED_KINDS = ("chosen", "every")


# ---------------------------------------------------------------- reasons and options agree


members = bench("unexplained_refusals").members


def compare_candidates(position: Position, rng: random.Random, most: int) -> int:
    """Asks about every candidate. Returns the number of refusals with a reason."""
    asked, refused = RefusalFinder(position), 0
    offered = {option.code: option for option in asked.decision.options}
    before = list(position.s)
    for number in range(len(asked.ways)):
        for values in members(asked, number, rng, most):
            answer, code = asked.explain_candidate(number, values), asked.option_code(number, values)
            place = f"{asked.decision.key} {values}"
            assert (answer.kind == "offered") == (code in offered), place
            if code in offered:
                assert asked.find_failed_tests(number, values) is None, place
                assert answer.options == [offered[code]], place
            elif answer.kind == "refused":
                assert answer.tests, place
                refused += 1
            else:
                assert answer.kind in OMITTED_KINDS and asked.kind.chosen_set is not None, place
    assert (asked.explain_decline().kind == "offered") == (-1 in offered)
    assert position.s == before
    return refused


def play_and_compare(game: Game, seed: int, turns: int, most: int = 60) -> int:
    position, rng, refused = game.start(seed), random.Random(seed), 0
    for _ in range(turns):
        decision = position.decision
        if decision is None:
            break
        refused += compare_candidates(position, rng, most)
        position.play(decision.seat, rng.choice(decision.options))
    return refused


@pytest.mark.long_cases("amazons", "english-draughts", "reversi", "international-draughts")
@pytest.mark.heavy_long
@pytest.mark.parametrize("name", [*GAMES, *TOYS])
def test_every_missing_option_fails_a_condition(game, name):
    seeds, turns = (1, 6) if name in HEAVY else (2, 12)
    assert sum(play_and_compare(game(name), seed, turns, 30) for seed in range(seeds)) or name in GAMES_WITHOUT_DECISIONS


@pytest.mark.long
@pytest.mark.parametrize("name", [*GAMES, *TOYS])
@pytest.mark.parametrize("players", ["fewest", "most"])
def test_every_missing_option_fails_a_condition_in_whole_games(game, name, players):
    low, high = game(name).model.player_range
    tried = game(name, low if players == "fewest" else high)
    assert sum(play_and_compare(tried, seed, 300) for seed in range(3)) or name in GAMES_WITHOUT_DECISIONS


@pytest.mark.long_cases("chess", "reversi")
@pytest.mark.heavy_long
@pytest.mark.parametrize("name", [*GAMES, *TOYS])
def test_explain_form_has_the_slots_of_the_ordinary_form(game, name):
    one, two = game(name).module, compile_explain_module(game(name).ruleset.facts).module
    assert len(one.initial) - len(one.memos) == len(two.initial) - len(two.memos)
    assert {place: (wait.live, wait.return_slot, wait.routine) for place, wait in one.waits.items()} == {
        place: (wait.live, wait.return_slot, wait.routine) for place, wait in two.waits.items()}


@pytest.mark.long
def test_explain_form_does_not_change_the_ordinary_form(game):
    ruleset = game("evolution").ruleset
    before = ast.unparse(compile_module(ruleset.facts, ruleset.layout).tree())
    compile_explain_module(ruleset.facts)
    assert ast.unparse(compile_module(ruleset.facts, ruleset.layout).tree()) == before == ast.unparse(game("evolution").module.tree())
    assert "why" not in before and "seen" not in before


# ---------------------------------------------------------------- the right reason


def set_up(game: Game, run: str, given: dict, *arguments: int, clears: tuple[str, ...] = ()) -> Position:
    """Returns a position with these entries, in which `run` waits for its first decision."""
    position, reader = game.start(1), game.literal_reader
    for name in clears:
        reader.find_storage(name, ("clear",)).clear(position.s)
    for entry in reader.read_literals(given):
        entry.write_to(position.s)
    position.invalidate_memos()
    game.run_procedure(position, run, list(arguments))
    return position


def explain_option(position: Position, **wanted: str) -> OptionExplanation:
    """Returns the answer about an option with these values, given by name."""
    asked = RefusalFinder(position)
    for number, choice in enumerate(asked.kind.choices):
        names = [slot.name for slot in choice.slots]
        if set(wanted) <= set(names):
            fixed = {
                names.index(name): frozenset(
                    [position.game.literal_reader.read_member(word, choice.slots[names.index(name)].type.name, ())]
                )
                for name, word in wanted.items()
            }
            answer = asked.explain(number, fixed)
            assert answer is not None
            return answer
    raise AssertionError(wanted)


def last_condition(position: Position, answer: OptionExplanation) -> str:
    test = answer.tests[-1]
    return source_text(position.game, test.path, test.node)


def cited_clauses(answer: OptionExplanation) -> set[str]:
    return {clause for test in answer.tests for clause in test.cites}


def member_number(game: Game, domain: str, name: str) -> int:
    return game.model.enums[domain].index[name]


def test_occupied_cell_is_refused(game):
    position = game("hex").start(1)
    position.play(position.decision.seat, "cell=d4")
    answer = explain_option(position, cell="d4")
    assert answer.kind == "refused" and last_condition(position, answer) == "stone[cell] == none"
    assert explain_option(position, cell="d5").kind == "offered"


def test_full_column_and_hanging_disc_are_refused(game):
    position = game("connect-four").start(1)
    assert last_condition(position, explain_option(position, cell="d5")).startswith("all(below in step(cell, south)")
    for row in range(1, 7):
        position.play(position.decision.seat, f"cell=d{row}")
    for row in range(1, 7):
        assert last_condition(position, explain_option(position, cell=f"d{row}")) == "disc[cell] == none"


def test_blocked_pawn_is_refused(game):
    position = game("breakthrough").start(1)
    answer = explain_option(position, origin="a1", target="a2")
    assert last_condition(position, answer) == "pawn[c] == none"
    assert last_condition(position, explain_option(position, origin="a1", target="b2")) == "pawn[c] != player"
    assert last_condition(position, explain_option(position, origin="a1", target="a5")).startswith("straight(player, origin) +")
    assert explain_option(position, target="a2").tests[-1].path.endswith("breakthrough.rules")


@pytest.mark.long
def test_taken_space_and_tile_away_from_ice_are_refused(game):
    heavy = game("dominant-species", 6)
    position = heavy.start(1)
    taken = str(position.decision.options[0]).partition("=")[2]
    position.play(position.decision.seat, position.decision.options[0])
    answer = explain_option(position, space=taken)
    assert last_condition(position, answer) == "pawn[space] == none" and "DS-PLN-01" in cited_clauses(answer)
    mammal, space = member_number(heavy, "Animal", "mammal"), member_number(heavy, "Space", "glaciation_1")
    position = set_up(heavy, "perform[glaciation]", {"terrain": {"g3": "forest"}}, mammal, space)
    answer = explain_option(position, tile="g3")
    assert last_condition(position, answer) == "any(n in near(tile) where frozen(n))" and "DS-EXE-GLA-02" in cited_clauses(answer)
    assert last_condition(position, explain_option(position, tile="g1")) == "terrain[tile] != none"


@pytest.mark.long
def test_attack_forbidden_by_a_trait_is_refused(game):
    evolution = game("evolution", 2)
    given = {"herd": {"player_1": ["card_1"], "player_2": ["card_2", "card_3"]}, "shows": {"card_20": "carnivorous", "card_21": "swimming"},
             "owner": {"card_1": "player_1", "card_2": "player_2", "card_3": "player_2"},
             "under": {"card_1": ["card_20"], "card_2": ["card_21"]}}
    position = set_up(evolution, "hunt", given, 0, member_number(evolution, "Card", "card_1"))
    assert explain_option(position, prey="card_3").kind == "offered"
    answer = explain_option(position, prey="card_2")
    assert last_condition(position, answer) == "has(prey, swimming) != has(hunter, swimming)"
    assert [evolution.spell(side.type, raw) for side, raw in answer.sides] == ["swimming"]
    assert {"EVO-TR-SWIM-01", "EVO-CARN-07"} <= cited_clauses(answer)
    answer = explain_option(position, prey="card_1")
    assert last_condition(position, answer) == "prey != hunter" and "EVO-CARN-08" in cited_clauses(answer)


@pytest.mark.long
def test_forbidden_drift_is_refused(game):
    trias = game("trias", 3)
    given = {"tile": {"0,0": "pole", "1,0": "steppe", "2,0": "steppe", "3,0": "steppe"}, "herds": {"player_1": {"3,0": 1}}}
    position = set_up(trias, "mandatory_drift", given, 0, member_number(trias, "Land", "steppe"), clears=("tile",))
    asked = RefusalFinder(position)
    cells = {name: trias.literal_reader.read_value(name, asked.choice(0).slots[0].type, ()) for name in ("3,0", "0,0", "5,5", "2,0")}
    assert asked.explain_candidate(0, (cells["2,0"],)).kind == "offered"
    answer = asked.explain_candidate(0, (cells["0,0"],))
    assert answer.kind == "refused" and "is_one_of" in source_text(trias, answer.tests[0].path, answer.tests[0].node)
    assert last_condition(position, asked.explain_candidate(0, (cells["5,5"],))) == "land"
    stays = asked.explain_candidate(0, (cells["3,0"],))                           # the tile could be lifted, but has no place farther away
    assert stays.tests[0].kind == "rest" and "may_land" in last_condition(position, stays)


# ---------------------------------------------------------------- forms of choices


GAME = """\
game: attic
name: Attic
players: 2
rules: [attic.rules]
enums:
  Player: [ann, bea]
  Box: {attributes: {weight: int}, members: {small: {weight: 1}, long: {weight: 2}, wide: {weight: 3}, huge: {weight: 9}}}
start:
  cellar: [small, huge]
"""


def make_attic_game(folder, rules: str, data: str = GAME) -> Position:
    return Game(load_ruleset(filled(folder, {"game.yaml": data, "attic.rules": rules}))).start(1)


ATTIC_HEAD = "state cellar: set of Box hidden\nstate kept[Player]: set of Box\nstanding player: size(kept[player])\n"


def test_a_set_is_chosen_in_any_order(tmp_path):
    position = make_attic_game(tmp_path, ATTIC_HEAD + """
phase game:
    choose exactly 2 box in Box where box.weight < 9 by ann
    kept[ann] = box
""")
    assert explain_option(position, box="huge").kind == "refused" and explain_option(position, box="wide").kind == "offered"
    position.play(0, "box=long")
    assert explain_option(position, box="long").kind == "chosen" and explain_option(position, box="small").kind == "offered"
    assert explain_option(position, box="wide").kind == "offered" and RefusalFinder(position).explain_decline().kind == "forced"


def test_set_of_all_members_leaves_no_choice(tmp_path):
    position = make_attic_game(tmp_path, ATTIC_HEAD + """
phase game:
    choose exactly 9 box in Box where box.weight < 9 by ann
    kept[ann] = box
""")
    assert explain_option(position, box="small").kind == "offered" and explain_option(position, box="wide").kind == "every"


def test_refusal_considers_the_second_choice(tmp_path):
    position = make_attic_game(tmp_path, ATTIC_HEAD + """
phase game:
    choose first in Box then second in Box where second.weight > first.weight + 1 by ann:
        kept[ann] = {first, second}
""")
    answer = explain_option(position, first="huge")
    assert answer.tests[0].kind == "rest" and last_condition(position, answer) == "second.weight > first.weight + 1"


def test_menu_entries_are_explained(tmp_path):
    position = make_attic_game(tmp_path, ATTIC_HEAD + """
phase game:
    choose by ann:
        fetch(box in Box) where box.weight < 9: kept[ann] += {box}
        rest where size(kept[ann]) > 0: kept[ann] = {}
        wait: stop
""")
    asked = RefusalFinder(position)
    assert [asked.explain(number, {}).kind for number in range(3)] == ["offered", "refused", "offered"]
    answer = asked.explain(1, {})
    assert last_condition(position, answer) == "size(kept[ann]) > 0" and [raw for _, raw in answer.sides] == [0]
    assert last_condition(position, explain_option(position, box="huge")) == "box.weight < 9"


def test_refusals_reveal_nothing_hidden(tmp_path):
    rules = ATTIC_HEAD + """
phase game:
    choose box in cellar where box.weight < 3 by ann or stop
    kept[ann] = {box}
"""
    one = make_attic_game(tmp_path / "one", rules)
    two = make_attic_game(tmp_path / "two", rules, GAME.replace("[small, huge]", "[small, wide]"))
    assert observe(one, 0) == observe(two, 0)
    for box in ("wide", "huge", "long"):
        answers = [explain_option(position, box=box) for position in (one, two)]
        assert [answer.kind for answer in answers] == ["refused", "refused"] and all(answer.closed for answer in answers)
    assert explain_option(one, box="small").kind == "offered"
