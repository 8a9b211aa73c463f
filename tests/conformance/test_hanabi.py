"""Compares Hanabi with pyspiel, which contains the Hanabi Learning Environment: the moves of every decision, the whole table after it,
what the clues say about each card, and the points.

pyspiel gives no points after the last mistake, as the option `no_points` does (HAN-END-03). No deviation is known.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from ludoglot.engine.position.position import Position
from shared_games import shared

COLOURS = {"red": "R", "yellow": "Y", "green": "G", "white": "W", "blue": "B"}
RANKS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
CARDS = {f"{colour}_{rank}": COLOURS[colour] + RANKS[rank] for colour in COLOURS for rank in RANKS}


def spell_move(spelling: str, seat: int, players: int) -> str:
    """Returns one of our moves as pyspiel writes it."""
    name, *parts = spelling.split()
    values = dict(part.split("=") for part in parts)
    if name in ("play", "discard"):
        return f"({name.capitalize()} {int(values['slot'][-1]) - 1})"
    offset = (int(values["other"][-1]) - 1 - seat) % players
    said = f"color {COLOURS[values['colour']]}" if name == "name_colour" else f"rank {RANKS[values['rank']]}"
    return f"(Reveal player +{offset} {said})"


def read_table(ours: Position) -> dict[str, Any]:
    """Returns our table in the words of pyspiel."""
    slots, seats = list(ours["hand"]), list(ours["hand"]["slot_1"])
    hands = [[f"{CARDS[card]} || {''.join(COLOURS[one] for one in ours['colours'][slot][seat])}"
              f"{''.join(RANKS[one] for one in ours['ranks'][slot][seat])}"
              for slot in slots if (card := ours["hand"][slot][seat]) is not None] for seat in seats]
    return {"lives": 3 - ours["mistakes"], "clues": ours["clues"], "deck": len(ours["deck"]), "hands": hands,
            "fireworks": " ".join(f"{COLOURS[colour]}{height}" for colour, height in ours["fireworks"].items()),
            "discards": sorted(CARDS[card] for card, many in ours["discards"].items() for _ in range(many))}


def parse_table(text: str) -> dict[str, Any]:
    """Returns the table that pyspiel prints. The order of the colours that are possible for a card is ours."""
    lines = [line for line in text.splitlines() if line != "Cur player"]
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    hands: list[list[str]] = [[]]
    for line in lines[lines.index("Hands:") + 1:]:
        if line.startswith("Deck size"):
            break
        if line == "-----":
            hands.append([])
        else:
            card, _, known = line.partition(" || ")
            possible = known.partition("|")[2]
            hands[-1].append(f"{card} || {''.join(sign for sign in [*COLOURS.values(), *RANKS.values()] if sign in possible)}")
    return {"lives": int(fields["Life tokens"]), "clues": int(fields["Info tokens"]), "deck": int(fields["Deck size"]), "hands": hands,
            "fireworks": fields["Fireworks"].strip(), "discards": sorted(fields["Discards"].split())}


def choose_move(ours: Position, rng: random.Random, skill: float) -> str:
    """Returns a random move. A share of the moves, `skill`, is made by somebody who sees all cards, so that games do not end early."""
    asked = ours.decision
    assert asked is not None
    moves = [option.spelling for option in asked.options]
    if rng.random() < skill:
        seat, hand, heights = f"player_{asked.seat + 1}", ours["hand"], ours["fireworks"]
        good = [move for move in moves if move.startswith("play ") and (card := hand[move.split("=")[1]][seat])
                and heights[card.split("_")[0]] == list(RANKS).index(card.split("_")[1])]
        moves = good or [move for move in moves if not move.startswith("play ")] or moves
    return rng.choice(moves)


def compare_random_game(players: int, seed: int, skill: float) -> tuple[int, int]:
    """Plays a random game in both programs. Returns the number of decisions and the points."""
    ours, rng = shared("hanabi", players).start(seed), random.Random(seed)
    theirs = pyspiel.load_game("hanabi", {"players": players}).new_initial_state()
    names, slots = [f"player_{n + 1}" for n in range(players)], list(ours["hand"])
    cards = [card for name in names for slot in slots if (card := ours["hand"][slot][name]) is not None] + ours["deck"][::-1]
    decisions = dealt = 0
    while True:
        while theirs.is_chance_node():
            wanted = f"(Deal {CARDS[cards[dealt]]})"
            theirs.apply_action(next(action for action, _ in theirs.chance_outcomes() if theirs.action_to_string(action) == wanted))
            dealt += 1
        assert parse_table(str(theirs)) == read_table(ours)
        if theirs.is_terminal():
            break
        asked, actions = ours.decision, {theirs.action_to_string(action): action for action in theirs.legal_actions()}
        assert asked is not None and asked.seat == theirs.current_player()
        assert {spell_move(option.spelling, asked.seat, players) for option in asked.options} == set(actions)
        move = choose_move(ours, rng, skill)
        theirs.apply_action(actions[spell_move(move, asked.seat, players)])
        ours.play(asked.seat, move)
        decisions += 1
    points = {one.values[0] for one in ours.standing()}
    assert ours.over and points == set(theirs.returns())
    return decisions, points.pop()


def test_both_programs_play_the_same_game():
    assert compare_random_game(3, 1, 0.9)[0] > 20


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 6))
def test_both_programs_play_the_same_games(players):
    assert sum(compare_random_game(players, seed, (0.5, 0.9, 1)[seed % 3])[0] for seed in range(6)) > 100
