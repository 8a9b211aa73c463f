"""Checks the choice of a bag: its moves, their order and spelling, its limits, and what others learn."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest
from ludoglot.dsl.backend_python.runtime import amounts, rank_bag, unrank_bag
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.engine.position.position import RuleError

from .interpreter_comparison import compare_with_interpreter
from .random_bags import DATA, RandomBagRules
from .toys import make

RULES = """
state hand[Player]: bag of Good seen by player
state bank: bag of Good
state n: 0..9
state most: int
standing player: size(hand[player])
phase game:
    STEP
    choose k in 0..1 by anna
"""


def start(step: str):
    """Returns the first decision of a game that begins with this step."""
    return make(DATA, RULES.replace("STEP", step.replace("\n", "\n    "))).start(1)


def list_moves(step: str) -> list[str]:
    return [option.spelling for option in start(step).decision.options]


def test_a_bag_is_one_move_with_a_count_for_each_kind():
    assert list_moves("choose paid in amounts(hand[bela], 1..2) by bela or stop") == [
        "paid=ore=1", "paid=wool=1", "paid=wood=1",
        "paid=ore=2", "paid=ore=1+wool=1", "paid=ore=1+wood=1", "paid=wool=1+wood=1", "paid=wood=2"]


def test_a_number_means_exactly_so_many_things():
    assert list_moves("choose paid in amounts(hand[bela], 6) by bela or stop") == ["paid=ore=3+wool=1+wood=2"]
    assert list_moves("choose paid in amounts(hand[bela], 7) by bela: n = 1") == ["k=0", "k=1"]


def test_the_empty_bag_is_a_move_only_if_the_range_begins_with_zero():
    assert list_moves("choose paid in amounts(bank, 0..1) by bela or stop") == ["paid={}", "paid=ore=1", "paid=wool=1", "paid=salt=1"]
    assert list_moves("choose paid in amounts(bank, 0-2..1) by bela or stop")[0] == "paid={}"


def test_a_chosen_bag_is_paid_and_counted():
    position = start("choose paid in amounts(hand[anna], 1..3) where paid[wood] >= 2 by anna or stop\n"
                     "move paid from hand[anna] to bank\nn = paid[wood]")
    position.play(0, "paid=ore=1+wood=2")
    assert position["n"] == 2 and position["bank"] == {"ore": 3, "wool": 2, "wood": 2, "salt": 3}
    assert position["hand"]["anna"] == {"wool": 2, "wood": 2, "salt": 1}


def test_bags_in_turn_and_in_a_menu():
    step = "choose give in amounts(hand[anna], 1), n_of in 1..2 then want in amounts(bank, 2) where not (want <= give) by anna or stop"
    position = start(step)
    assert len(position.decision.options) == 8 and position.decision.options[0].spelling == "give=ore=1 n_of=1"
    position.play(0, "give=ore=1 n_of=2")
    assert [option.spelling for option in position.decision.options][:2] == ["want=ore=2", "want=ore=1+wool=1"]
    assert list_moves("choose by anna:\n    rest: stop\n    give(part in amounts(bank, 1), k in 0..1) where part[ore] == 0: n = k") == [
        "rest", "give part=wool=1 k=0", "give part=wool=1 k=1", "give part=salt=1 k=0", "give part=salt=1 k=1"]


def test_what_was_chosen_is_public_after_it_was_moved_to_the_open():
    shown = start("choose paid in amounts(hand[anna], 1) by anna or stop\nmove paid from hand[anna] to bank\ntell paid(paid)")
    assert not shown.decision.names_hidden_from_others(shown.decision.options[0])
    kept = start("choose paid in amounts(hand[anna], 1) by anna or stop\nmove paid from hand[anna] to hand[bela]")
    assert kept.decision.names_hidden_from_others(kept.decision.options[0]) == {"paid"}


@pytest.mark.parametrize(("step", "codes"), [
    ("choose paid in amounts(bank, most) by anna or stop", ["R330"]),
    ("choose paid in amounts(bank, size(bank)) by anna or stop", ["R330"]),
    ("choose paid in [hand[anna], bank] by anna or stop", ["R330"]), ("choose paid in amounts(bank, 1..min(n, most)) by anna or stop", []),
    ("choose paid in amounts(bank, 0..40) by anna or stop", ["R320"]),                        # 135,751 bags
    ("choose paid in amounts(bank, 1..2) by chance: n = 1", ["R318"]),
    ("choose up to 2 paid in amounts(bank, 1..2) by anna", ["R229"]),
    ("choose paid in amounts(Good, 1..2) by anna or stop", ["R201"]), ("choose paid in amounts(7, 1..2) by anna or stop", ["R213"]),
    ("choose paid in amounts(bank) by anna or stop", ["R218"]), ("choose paid in amounts(bank, bank) by anna or stop", ["R201"]),
    ("choose paid in amounts(hand[bela], 1..2) by anna or stop", ["R327"]),
    ("choose paid in amounts(hand[anna], 1..2) by anna or stop\ntell paid(paid)", ["R308"]),
    ("choose paid in amounts(bank, 1..2) by anna", ["R317"]),
])
def test_mistakes_are_reported(step, codes):
    try:
        start(step)
        found = []
    except RulesRejectedError as refused:
        found = [one.code for one in refused.findings.errors]
    assert found == codes


def test_too_many_bags_are_a_fault():
    with pytest.raises(RuleError) as fault:
        start("for good in Good: bank[good] = 60\nn = min(9, size(amounts(bank, 50)))")
    assert fault.value.diagnostic.code == "F012"


@pytest.mark.parametrize("kinds", [1, 2, 4])
def test_bags_are_numbered_by_size_and_then_in_order(kinds):
    bags = amounts((4,) * kinds, 0, 4)
    assert [rank_bag(bag) for bag in bags] == list(range(comb(4 + kinds, kinds)))
    assert all(unrank_bag(n, kinds) == bag for n, bag in enumerate(bags))


def test_all_bags_are_listed_once():
    counts = (2, 0, 3, 1)
    wanted = [bag for bag in product(*(range(count + 1) for count in counts)) if 2 <= sum(bag) <= 4]
    found = amounts(counts, 2, 4)
    assert sorted(found) == sorted(wanted) and len(set(found)) == len(found)


@pytest.mark.parametrize("seed", range(6))
def test_a_few_random_rules_with_bags_match_the_interpreter(seed):
    game = make(DATA, RandomBagRules(seed).text)
    compare_with_interpreter(game, seed, 30)


@pytest.mark.long
@pytest.mark.random_seeds(150)
def test_random_rules_with_bags_match_the_interpreter(seed):
    game = make(DATA, RandomBagRules(seed).text)
    for start_seed in range(3):
        compare_with_interpreter(game, start_seed, 60)
