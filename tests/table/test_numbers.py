"""Checks that the numbers of options keep their meaning while the question is the same, and the order of owners."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.position.position import Decision
from ludoglot.engine.terminal.question import DECLINE_PREFIX, DecisionPrompt, allocate_numbers, split_answers

from .terminal_harness import HUMAN, Desk


def iter_decisions(name: str, players: int, seed: int, key: str, fits=lambda decision: True):
    """Yields the decisions of a kind in a random game, with the narrator."""
    desk = Desk(name, [HUMAN] * players, seed=seed)
    position, rng = desk.table.position, random.Random(seed)
    while position.decision is not None:
        if position.decision.key == key and fits(position.decision):
            yield position, desk.session.narrator
        position.play(position.decision.seat, rng.choice(position.decision.options))


def decline_number(question: DecisionPrompt) -> str:
    return next(one.token for one in question.choices if one.option.declines)


def test_a_number_that_ended_a_go_does_not_skip_the_next_one():
    """EVO-FEED-10: skipping and ending a go are different, and no other option gets the number of either."""
    position, narrator = next(iter_decisions("evolution", 3, 3, "go.go"))
    skip = DecisionPrompt(position.decision, narrator)
    position.set_raw(position.game.cells["quiet"], [], 0)
    end = DecisionPrompt(position.decision, narrator, skip.tokens_by_key)
    assert decline_number(skip) not in [one.token for one in end.choices]
    assert {one.text: one.token for one in end.choices if not one.option.declines} == {
        one.text: one.token for one in skip.choices if not one.option.declines}
    position.set_raw(position.game.cells["quiet"], [], 1)
    again = DecisionPrompt(position.decision, narrator, skip.tokens_by_key | end.tokens_by_key)
    assert decline_number(again) == decline_number(skip)


def test_number_in_a_line_keeps_its_earlier_meaning():
    """A line such as “take food, end the go” uses a number that the first question does not offer yet."""
    desk = Desk("evolution", [HUMAN, HUMAN, HUMAN], seed=3)
    position, narrator = next(iter_decisions("evolution", 3, 3, "go.go"))
    position.set_raw(position.game.cells["quiet"], [], 0)
    end = DecisionPrompt(position.decision, narrator)
    position.set_raw(position.game.cells["quiet"], [], 1)
    first = DecisionPrompt(position.decision, narrator, end.tokens_by_key)
    position.set_raw(position.game.cells["quiet"], [], 0)
    then = DecisionPrompt(position.decision, narrator, end.tokens_by_key)
    token = decline_number(then)
    assert token not in [one.token for one in first.choices]
    desk.session.typed_at, desk.session.gone = first, {token: known for known, token in end.tokens_by_key.items()}
    assert [one.option.declines for one in desk.session.resolve_repeated_answer(token, then)] == [True]
    desk.session.gone = {}
    assert desk.session.resolve_repeated_answer(token, then) == []


def test_comma_separates_numbers_unless_it_is_in_a_coordinate():
    position, narrator = next(iter_decisions("evolution", 3, 3, "go.go"))
    assert split_answers("1,1", DecisionPrompt(position.decision, narrator)) == ["1", "1"]
    position, narrator = next(iter_decisions("trias", 2, 3, "act.action"))
    assert split_answers("1,1", DecisionPrompt(position.decision, narrator)) == ["1,1"]


def test_own_animals_are_listed_last_as_prey():
    def several(decision: Decision) -> bool:
        owners = {get_owner(decision, option) for option in decision.options if option.values}
        return len(owners) > 1 and decision.seat in owners
    for n, (position, narrator) in enumerate(iter_decisions("evolution", 3, 1, "hunt.prey", several)):
        decision = position.decision
        own = [option for option in decision.options if option.values and get_owner(decision, option) == decision.seat]
        before = {option.spelling: str(k) for k, option in enumerate([*own, *(o for o in decision.options if o not in own)], 1)}
        shown = DecisionPrompt(decision, narrator, before).choices
        mine = [get_owner(decision, one.option) == decision.seat for one in shown if one.option.values]
        assert mine == sorted(mine)
        if n == 5:
            break
    assert n > 0


def get_owner(decision: Decision, option) -> int:
    return decision.position.raw_value("owner", option.values[-1][2])


def test_ending_a_go_does_not_reuse_the_last_number():
    """“6” once destroyed a token, and then ended the go. A player who typed it twice had done both."""
    before = {"take animal=2": "1", "graze animal=10": "2", f"{DECLINE_PREFIX}Skip": "3"}
    names = ["take animal=2", f"{DECLINE_PREFIX}End"]
    assert allocate_numbers(names, {"take animal=2": 1}, before) == {"take animal=2": 1, f"{DECLINE_PREFIX}End": 4}
    assert allocate_numbers(["hunt animal=2", *names], {"take animal=2": 1}, before)["hunt animal=2"] == 2


def test_surplus_number_does_not_answer_a_different_question():
    """If “1, 1, 1” is typed and a question comes only twice, the third 1 does not answer a different question.

    If each question comes once, the same number may answer all of them."""
    desk = Desk("evolution", [HUMAN, HUMAN, HUMAN], seed=3)
    position, narrator = next(iter_decisions("evolution", 3, 3, "develop.card"))
    overlay = DecisionPrompt(position.decision, narrator)
    position, narrator = next(iter_decisions("evolution", 3, 3, "go.go"))
    fed = DecisionPrompt(position.decision, narrator)
    desk.session.typed_at, desk.session.typed_last = overlay, "1"
    assert desk.session.resolve_repeated_answer("1", fed) is None
    desk.session.repeated = 1
    assert desk.session.resolve_repeated_answer("1", fed) == []


@pytest.mark.long
@pytest.mark.parametrize("game, seats, seed", [("dominant-species", 3, 4), ("evolution", 3, 2), ("trias", 2, 1), ("scopa", 2, 1)])
def test_options_are_listed_in_the_order_of_their_numbers(game, seats, seed):
    desk, rng = Desk(game, [HUMAN] * seats, seed=seed), random.Random(seed)
    listed = []

    def answer(screen):
        if desk.session.question is None or not screen.prompt:     # the screen is handed over
            return ""
        tokens = [int(one.token) for one in desk.session.question.choices]
        listed.append(tokens)
        return str(rng.choice(tokens)) if len(listed) < 60 else None

    desk.answer = answer
    desk.sit()
    desk.run()
    assert [tokens for tokens in listed if tokens != sorted(tokens)] == []
