"""Creates small games that begin with the choice of a set, from every possible kind of source."""

from __future__ import annotations

from ludoglot.engine.position.position import Game, Position

from .toys import data_of, make

SET_UP = """\
state hand[Player]: set of Card seen by player
state row: list of Fruit
state sack: bag of Fruit
state marked: set of Cell
state kept: set of Fruit
state held: set of Card
state seen: set of Cell
state owner[Fruit]: Player? = player_2
state after: 0..9
standing player: 0
phase game:
    row = [plum, apple, plum, pear, apple]
    sack[pear] += 2
    sack[plum] += 3
    hand[player_1] = {ace_1, ace_2, king_1, jack}
    CHOICE
    after = 1
    choose n in 0..1 by player_1
"""
CHOICES = {
    "a type": ("choose HOW x in Fruit by player_2", "kept", 3),
    "a type with a condition": ("choose HOW x in Fruit where x.price > 0 by player_2", "kept", 2),
    "a list with doubles": ("choose HOW x in row by player_1", "kept", 3),
    "a bag with doubles": ("choose HOW x in sack by player_1", "kept", 2),
    "a hand": ("choose HOW x in hand[player_1] by player_1", "held", 4),
    "places": ("choose HOW x in Cell where x != a1 by player_2", "seen", 5),
    "whoever decides for a member": ("choose HOW x in row where x != apple by plum", "kept", 2),
    "nothing": ("choose HOW x in Fruit where x.price > 9 by player_2", "kept", 0),
}
CARDINALITIES = ["some", *(f"{word} {n}" for word in ("up to", "exactly") for n in range(5))]


def format_choice(choice: str, how: str) -> str:
    """Returns the lines of a choice. After them, the state contains the set."""
    asked, state, _ = CHOICES[choice]
    return f"{asked.replace('HOW', how)}:\n        {state} = x"


def make_choice_game(choice: str, how: str) -> tuple[Position, str, int]:
    """Returns a game that begins with one choice of a set, the state that receives the set, and the number of candidates."""
    _, state, size = CHOICES[choice]
    return make(data_of("garden"), SET_UP.replace("CHOICE", format_choice(choice, how))).start(1), state, size


def make_game_with_all_choices(how: str) -> Game:
    """Returns a game with all choices, one after another."""
    return make(data_of("garden"), SET_UP.replace("CHOICE", "\n    ".join(format_choice(choice, how) for choice in CHOICES)))
