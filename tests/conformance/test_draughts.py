"""Compares draughts with pydraughts, turn by turn: the same reachable boards in English, international and Italian draughts.

pydraughts writes a whole capture as one move, so the test compares the board after the turn. Two paths that take the same men count
once. In English draughts, pydraughts numbers the squares from Black's side, where Ludoglot has row 1. In the other games, it numbers
them from the top left.

The test compares two kinds of draw: the third repetition, and the moves by kings alone (IDR-END-02, IDR-END-03). Ludoglot omits the
tournament rule of fewer moves for a few kings against one. English draughts in pydraughts has no limit on moves without a capture.
"""

from __future__ import annotations

import random

import pytest
from draughts import Board
from ludoglot.engine.position.position import Position
from ludoglot.engine.testing.perft import count_perft, iter_turn_children
from shared_games import shared

Men = frozenset[tuple[str, str]]                                   # cell and piece


# By the variant in pydraughts: our game and its options.
GAMES = {
    "english": ("english-draughts", {}),
    "standard": ("international-draughts", {}),
    "italian": ("international-draughts", {"style": "italian"}),
}


def square_to_cell(square: int, variant: str) -> str:
    wide = 5 if variant == "standard" else 4
    row, place = divmod(square - 1, wide)
    if variant == "english":
        return f"{'hgfedcba'[2 * place + (row % 2 == 0)]}{row + 1}"
    return f"{'abcdefghij'[2 * place + (row % 2 == (variant == 'italian'))]}{2 * wide - row}"


def their_men(board: Board) -> Men:
    found = set()
    for side in board.fen.split(":")[1:]:
        owner = {"W": "white", "B": "black"}[side[0]]
        for square in filter(None, side[1:].split(",")):
            found.add((square_to_cell(int(square.lstrip("K")), board.variant), f"{owner}_{'king' if square.startswith('K') else 'man'}"))
    return frozenset(found)


def our_men(position: Position) -> Men:
    return frozenset((where, piece) for where, piece in position["man"].items() if piece is not None)


def moves_by_board(board: Board) -> dict[Men, object]:
    """Returns the moves of the side to move, by the resulting board."""
    found, quiet = {}, board._game.consecutive_noncapture_king_moves
    for move in board.legal_moves():
        board.push(move)
        found[their_men(board)] = move
        board.pop()
        board._game.consecutive_noncapture_king_moves = quiet          # pydraughts does not undo this counter
    return found


def is_draw(board: Board) -> bool:
    """Whether the game is a draw by the rules that both engines share."""
    quiet = {"standard": 50, "italian": 80}.get(board.variant)
    return quiet is not None and (board._game.consecutive_noncapture_king_moves >= quiet or board._game.is_threefold())


def compare_random_game(seed: int, variant: str = "english", most: int = 1000) -> int:
    """Plays one random game, or its first turns. Returns the number of turns."""
    name, options = GAMES[variant]
    position, board, rng, count = shared(name, 2, options).start(seed), Board(variant=variant), random.Random(seed), 0
    assert our_men(position) == their_men(board)
    while not position.over:
        if count == most:
            return count
        assert not is_draw(board), f"seed {seed}, turn {count}: {board.fen}"
        mine = {our_men(reached): reached for reached, _ in iter_turn_children(position, [])}
        theirs = moves_by_board(board)
        assert set(mine) == set(theirs), f"seed {seed}, turn {count}: {board.fen}"
        chosen = rng.choice(sorted(mine, key=sorted))
        board.push(theirs[chosen])
        position, count = mine[chosen], count + 1
    if variant == "english":
        assert not board.legal_moves() or position.raw_value("quiet") == 80
    else:
        assert is_draw(board) == (len([rank for rank in position.standing() if rank.rank == 1]) == 2) or not board.legal_moves()
    return count


# By the variant in pydraughts, the numbers of lines after one turn, two turns, and so on.
PERFT_COUNTS = {"standard": [9, 81, 658, 4265], "english": [7, 49, 302, 1469], "italian": [7, 49, 302, 1469]}


def count_lines(variant: str, depth: int) -> list[int]:
    name, options = GAMES[variant]
    return [count.lines for count in count_perft(shared(name, 2, options).start(1), depth, turns=True)]


@pytest.mark.long
@pytest.mark.parametrize("variant", PERFT_COUNTS)
def test_perft_matches_published_counts(variant):
    assert count_lines(variant, 2) == PERFT_COUNTS[variant][:2]


@pytest.mark.long
@pytest.mark.parametrize("variant", PERFT_COUNTS)
def test_deeper_perft_matches_published_counts(variant):
    assert count_lines(variant, 4) == PERFT_COUNTS[variant]


@pytest.mark.long
@pytest.mark.parametrize("variant", GAMES)
def test_a_game_reaches_the_same_boards_in_both_engines(variant):
    assert compare_random_game(101, variant, most=24) > 20


@pytest.mark.long
@pytest.mark.parametrize("variant", GAMES)
def test_games_reach_the_same_boards_in_both_engines(variant):
    for seed in range(20 if variant == "english" else 8):
        compare_random_game(seed, variant)
