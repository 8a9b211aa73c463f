"""Compares Limit Texas Hold'em with pyspiel and with a referee: the actions of every decision, and the chips after every deal.

Both play single deals. The test repeats each deal of a game there, with the same cards, chips, and dealer. Players who are out take no
part.

The poker of pyspiel does not limit bets to the chips of a player, so it plays only deals in which nobody can run out of chips. It divides
an odd chip, which goes to one of the winners here (HLD-SHOW-04). The referee plays all deals, and no deviation from it is known.
"""

from __future__ import annotations

import random

import pyspiel
import pytest
from ludoglot.engine.position.position import Position
from referee.limit_holdem import Deal
from shared_games import shared

RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
CARDS = [f"{rank}_of_{suit}" for rank in RANKS for suit in ("clubs", "diamonds", "hearts", "spades")]
FOLD, CALL, RAISE = range(3)
ACTIONS = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}
MOST_PLAYERS_IN_PYSPIEL = 4              # with five, it says that a stack is missing, and ends the program
MOST_CHIPS_IN_A_DEAL = 4 * (2 + 2 + 4 + 4)


def list_seats(ours: Position) -> list[str]:
    """Returns the players of a deal, clockwise from the left of the dealer."""
    seats = [f"player_{n}" for n in range(1, len(ours["chips"]) + 1)]
    at = seats.index(ours["dealer"]) + 1
    return [seat for seat in seats[at:] + seats[:at] if seat in ours["playing"]]


def start_in_pyspiel(hands: dict[str, list[str]]) -> pyspiel.State:
    """Returns a deal in pyspiel, with the small blind first."""
    count = len(hands)
    state = pyspiel.load_game("universal_poker", {
        "betting": "limit", "numPlayers": count, "numRounds": 4, "blind": " ".join(["1", "2", *["0"] * (count - 2)]),
        "raiseSize": "2 2 4 4", "firstPlayer": "1 2 2 2" if count == 2 else "3 1 1 1", "maxRaises": "3 4 4 4", "numSuits": 4,
        "numRanks": 13, "numHoleCards": 2, "numBoardCards": "0 3 1 1", "stack": " ".join(["1000"] * count)}).new_initial_state()
    for hand in hands.values():
        for card in hand:
            state.apply_action(CARDS.index(card))
    return state


def read_card(name: str) -> tuple[int, str]:
    rank, _, suit = name.split("_")
    return RANKS.index(rank) + 2, suit


def compare_random_game(players: int, seed: int, folds: float) -> tuple[int, int]:
    """Plays a random game in which players fold with a probability. Returns the number of decisions, and of those that pyspiel saw."""
    ours, rng = shared("limit-holdem", players, {"length": "thirty_deals"}).start(seed), random.Random(seed)
    decisions = seen = 0
    while not ours.over:
        order, deck = list_seats(ours), list(reversed(ours["deck"]))
        chips = {seat: ours["chips"][seat] + ours["bet"][seat] for seat in order}
        hands = {seat: list(ours["hand"][seat]) for seat in order}
        referee = Deal(list(chips.values()), [[*map(read_card, hand)] for hand in hands.values()], [*map(read_card, deck[:5])])
        blinds = order[::-1] if len(order) == 2 else order
        in_pyspiel = len(order) <= MOST_PLAYERS_IN_PYSPIEL and min(chips.values()) >= MOST_CHIPS_IN_A_DEAL
        theirs = start_in_pyspiel({seat: hands[seat] for seat in blinds}) if in_pyspiel else None
        while not referee.over:
            asked = ours.decision
            assert asked is not None and f"player_{asked.seat + 1}" == order[referee.turn]
            options = [option.spelling for option in asked.options]
            assert sorted(options) == sorted(referee.legal())
            name = "fold" if "fold" in options and rng.random() < folds else rng.choice([one for one in options if one != "fold"])
            if theirs is not None:
                while theirs.is_chance_node():
                    theirs.apply_action(CARDS.index(deck.pop(0)))
                assert blinds[theirs.current_player()] == order[referee.turn]
                assert theirs.legal_actions() == sorted(map(ACTIONS.__getitem__, options))
                theirs.apply_action(ACTIONS[name])
                seen += 1
            referee.act(name)
            ours.play(asked.seat, name)
            decisions += 1
        after = {seat: ours["chips"][seat] + ours["bet"][seat] for seat in order}
        assert list(after.values()) == referee.stacks
        if theirs is not None:
            assert theirs.is_terminal()
            assert all(abs(after[seat] - chips[seat] - gain) < 1 for seat, gain in zip(blinds, theirs.returns()))
    return decisions, seen


def test_three_programs_play_the_same_game():
    decisions, seen = compare_random_game(3, 1, 0.2)
    assert decisions > seen > 20


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 7))
def test_three_programs_play_the_same_games(players):
    assert sum(compare_random_game(players, seed, 0.1 * (seed % 4))[0] for seed in range(4)) > 200
