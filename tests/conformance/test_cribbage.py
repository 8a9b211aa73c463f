"""Compares Cribbage with pyspiel: the playable cards at every decision, the seat to play, and the points after each card.

In pyspiel, the dealer of the first deal is seat 0. It is asked first and discards both cards in one action. An explicit action "pass"
means that no card is playable. The test repeats each deal in pyspiel with the same cards. The returns of pyspiel add 1,000 for the
winner and subtract it for the loser.

Deviations:

- pyspiel counts four cards of one suit in the crib as a flush. Ludoglot also needs the turned card (CRI-COUNT-04).
  So each player in these tests discards two suits.
- pyspiel counts both hands and the crib even if the first of them reaches 121 points (CRI-END-01).
"""

from __future__ import annotations

import random

import pyspiel
import pytest
from ludoglot.engine.position.position import Position
from shared_games import shared

SEATS = ("player_1", "player_2")
RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
CARDS = [f"{rank}_of_{suit}" for suit in SUITS for rank in RANKS]          # as pyspiel numbers them


def read_scores(theirs) -> list[int]:
    """Reads the scores from the text, because pyspiel knows the returns only at the end."""
    line = next(line for line in str(theirs).splitlines() if line.startswith("Scores:"))
    return [int(word) for word in line.split()[1:]]


def read_cards(action_text: str) -> list[str]:
    """Returns the cards in the text of an action: "Choose 5C TC"."""
    return [f"{RANKS['A23456789TJQK'.index(word[0])]}_of_{SUITS['CDHS'.index(word[1])]}" for word in action_text.split()[1:]]


def list_playable_cards(position: Position) -> list[str]:
    assert position.decision is not None, "the game is over in Ludoglot"
    return sorted(option.spelling.partition("=")[2] for option in position.decision.options)


def compare_random_game(seed: int) -> int:
    """Plays one random game on both sides. Returns the number of compared cards."""
    ours, rng = shared("cribbage").start(seed), random.Random(seed)
    theirs = pyspiel.load_game("cribbage").new_initial_state()
    shift = SEATS.index(ours["dealer"])                                     # the seat that is 0 in pyspiel
    count = 0
    while not theirs.is_terminal():
        allowed = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
        if theirs.is_chance_node():
            compare_points(ours, theirs, shift, seed)
            repeat_deal(ours, theirs, shift, rng)
        elif set(allowed) == {"Pass"}:
            theirs.apply_action(allowed["Pass"])
        else:
            compare_points(ours, theirs, shift, seed)
            assert ours.decision is not None and ours.decision.seat == (theirs.current_player() + shift) % 2, f"seed {seed}:\n{theirs}"
            assert list_playable_cards(ours) == sorted(card for text in allowed for card in read_cards(text)), f"seed {seed}:\n{theirs}"
            text = rng.choice(sorted(allowed))
            ours.play(ours.decision.seat, f"card={read_cards(text)[0]}")
            theirs.apply_action(allowed[text])
            count += 1
    assert ours.over, f"seed {seed}: pyspiel has ended the game:\n{theirs}"
    home = [seat for seat in range(2) if read_scores(theirs)[seat] >= 121]
    assert ours["points"][SEATS[(home[0] + shift) % 2]] == 121 or len(home) == 2
    return count


def repeat_deal(ours: Position, theirs, shift: int, rng: random.Random) -> None:
    """Repeats the hands in pyspiel, lets each player discard in the order of both engines, and turns up the same card."""
    for seat in range(2):
        for card in list(ours["hand"][SEATS[(seat + shift) % 2]]):
            theirs.apply_action(CARDS.index(card))
    aside = {}
    for seat in range(2):
        assert theirs.current_player() == seat
        allowed = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
        assert {card for text in allowed for card in read_cards(text)} == set(ours["hand"][SEATS[(seat + shift) % 2]])
        text = rng.choice([text for text in sorted(allowed) if len({card.rpartition("_")[2] for card in read_cards(text)}) == 2]
                          or sorted(allowed))                               # a hand of one suit
        aside[(seat + shift) % 2] = read_cards(text)
        theirs.apply_action(allowed[text])
    for _ in range(2):
        assert ours.decision is not None
        seat = ours.decision.seat
        found = [option for option in ours.decision.options if set(aside[seat]) == set(option.spelling.removeprefix("cards=").split("+"))]
        assert len(found) == 1 and len(ours.decision.options) == 15
        ours.play(seat, found[0])
    jacks = [action for action in theirs.legal_actions() if CARDS[action].startswith("jack")]
    theirs.apply_action(jacks[0] if ours.over else CARDS.index(ours["turned"] or ""))       # his heels can be the last points


def compare_points(ours: Position, theirs, shift: int, seed: int) -> None:
    points = [ours["points"][SEATS[(seat + shift) % 2]] for seat in range(2)]
    assert points == [min(121, score) for score in read_scores(theirs)], f"seed {seed}:\n{theirs}"


@pytest.mark.long
def test_a_game_matches_another_engine():
    assert compare_random_game(1) > 40


@pytest.mark.long
def test_twenty_games_match_another_engine():
    for seed in range(20):
        compare_random_game(seed)
