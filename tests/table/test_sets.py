"""Checks answers that are one of several sets: display, typed forms, sets that are not offered, and texts for other players."""

from __future__ import annotations

import pytest
from ludoglot.engine.explain.query_parser import QueryParser
from ludoglot.engine.explain.refusal_finder import OptionExplanation, RefusalFinder
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.position import Position
from ludoglot.engine.terminal.question import DecisionPrompt
from shared_games import shared

from .test_display import narrator as teller_of


@pytest.fixture
def position() -> Position:
    """Both players have six cards, and the first must choose two of them."""
    return shared("cribbage").start(3)


def narrator(lang: str = "en") -> Narrator:
    return teller_of(shared("cribbage"), lang)


def own_cards(position: Position) -> list[str]:
    assert position.decision is not None
    return list(position["hand"][f"player_{position.decision.seat + 1}"])


def explain_query(position: Position, what: str) -> list[OptionExplanation]:
    asked = RefusalFinder(position)
    return [answer for wish in QueryParser(narrator(), asked).parse(what) if (answer := asked.explain(wish.number, wish.fixed)) is not None]


def card_text(card: str) -> str:
    return card.replace("_", " ")


def test_each_set_is_one_option_and_can_be_typed(position: Position) -> None:
    decision = position.decision
    assert decision is not None and len(decision.options) == 15
    question = DecisionPrompt(decision, narrator())
    first, second, *_ = own_cards(position)
    for typed in (f"{card_text(first)} and {card_text(second)}", f"cards={first}+{second}", f"{first}+{second}"):
        assert [one.option.spelling for one in question.match_answer(typed)] == [f"cards={first}+{second}"]
    assert len({one.text for one in question.choices}) == 15


@pytest.mark.parametrize("lang, joined", [("it", " e "), ("es", " y "), ("hu", " és ")])
def test_sets_are_named_in_every_language(position: Position, lang: str, joined: str) -> None:
    assert position.decision is not None
    assert all(joined in one.text for one in DecisionPrompt(position.decision, narrator(lang)).choices)


def test_set_can_be_named_in_part(position: Position) -> None:
    first, second, third, *_ = own_cards(position)
    (one,) = explain_query(position, card_text(first))
    assert one.kind == "offered" and len(one.options) == 5
    (both,) = explain_query(position, f"{card_text(second)} {card_text(first)}")
    assert both.kind == "offered" and [option.spelling for option in both.options] == [f"cards={first}+{second}"]
    (all_three,) = explain_query(position, f"{card_text(first)}, {card_text(second)} and {card_text(third)}")
    assert all_three.kind == "refused" and all_three.option is not None and all_three.option.spelling == f"cards={first}+{second}+{third}"


def test_set_with_a_card_not_in_hand_is_refused(position: Position) -> None:
    mine = own_cards(position)
    spades = (f"{rank}_of_spades" for rank in ("two", "three", "four", "five", "six", "seven", "nine"))
    other = next(card for card in spades if card not in mine)
    (answer,) = explain_query(position, f"{card_text(mine[0])} {card_text(other)}")
    assert answer.kind == "refused" and answer.tests and "CRI-DEAL-03" in answer.tests[0].cites


def test_others_see_only_the_number_of_cards(position: Position) -> None:
    decision = position.decision
    assert decision is not None
    assert "cards" in decision.names_hidden_from_others(decision.options[0])
    assert decision.position.game.module.decisions and decision.kind.secret
