"""Compares chess with python-chess at every decision: the side to move, the legal moves, the board, and the end of the game.

Also checks the published perft numbers. A promotion is two decisions in Ludoglot: the move, then the new piece.
"""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest
from ludoglot.engine.position.position import Position
from shared_games import shared

NAMES = {chess.PAWN: "pawn", chess.KNIGHT: "knight", chess.BISHOP: "bishop", chess.ROOK: "rook", chess.QUEEN: "queen", chess.KING: "king"}
WINGS = {"K": "white_short", "Q": "white_long", "k": "black_short", "q": "black_long"}
# By board, the numbers of lines after one half-move, two half-moves, and so on (chessprogramming.org, Perft results). The sixth
# board, with pins and promotions, is from python-chess.
PERFT_COUNTS = {
    chess.STARTING_FEN: [20, 400, 8902],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486],
}


def start_from_board(board: chess.Board) -> Position:
    """Starts a game from this board."""
    game = shared("chess")
    position = game.new_position(1)
    cells, enums = game.cells, game.ruleset.model.enums
    number = {name: {member: n for n, member in enumerate(enums[name].members)} for name in ("Man", "Cell", "Wing")}
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        raw = number["Man"][f"{'white' if piece.color else 'black'}_{NAMES[piece.piece_type]}"] if piece is not None else -1
        position.set_raw(cells["man"], [number["Cell"][chess.square_name(square)]], raw)
    for letter, wing in WINGS.items():
        rights = board.castling_xfen()
        position.set_raw(cells["may_castle"], [number["Wing"][wing]], int(letter in rights))
    passed = chess.square_name(board.ep_square) if board.ep_square is not None else None
    position.set_raw(cells["passed"], [], -1 if passed is None else number["Cell"][passed])
    position.set_raw(cells["order"], [], (0, 1) if board.turn else (1, 0))
    position.invalidate_memos()
    position.run_to_decision()
    return position


def map_pieces(board: chess.Board) -> dict[str, str]:
    return {chess.square_name(square): f"{'white' if piece.color else 'black'}_{NAMES[piece.piece_type]}"
            for square, piece in board.piece_map().items()}


def format_move(move: chess.Move) -> str:
    return f"origin={chess.square_name(move.from_square)} target={chess.square_name(move.to_square)}"


def group_legal_moves(board: chess.Board) -> dict[str, list[chess.Move]]:
    """Returns the legal moves as Ludoglot spells them. A promotion is one move."""
    found: dict[str, list[chess.Move]] = {}
    for move in board.legal_moves:
        found.setdefault(format_move(move), []).append(move)
    return found


def is_game_over(board: chess.Board) -> bool:
    """Whether the game is over by Ludoglot's rules, where draws are automatic."""
    return (board.is_checkmate() or board.is_stalemate() or board.is_repetition(3) or board.halfmove_clock >= 100
            or board.is_insufficient_material())


def compare_random_game(seed: int) -> Counter[str]:
    """Plays one random game on both sides. Returns the result and the number of decisions."""
    game, board, rng = shared("chess"), chess.Board(), random.Random(seed)
    position, count = game.start(seed), 0
    while not is_game_over(board):
        decision = position.decision
        assert decision is not None, f"seed {seed}: the rules end, but python-chess continues:\n{board.fen()}"
        allowed = group_legal_moves(board)
        mine = sorted(option.spelling for option in decision.options)
        assert (decision.seat, mine) == (0 if board.turn else 1, sorted(allowed)), f"seed {seed}: {board.fen()}"
        choice = rng.choice(mine)
        position.play(decision.seat, choice)
        move = rng.choice(allowed[choice])
        if move.promotion is not None:
            decision = position.decision
            assert decision is not None
            becomes = sorted(f"kind={NAMES[one.promotion]}" for one in allowed[choice] if one.promotion is not None)
            assert sorted(option.spelling for option in decision.options) == becomes, board.fen()
            position.play(decision.seat, f"kind={NAMES[move.promotion]}")
        board.push(move)
        assert {cell: man for cell, man in position["man"].items() if man is not None} == map_pieces(board), f"seed {seed}: {board.fen()}"
        count += 1
    assert position.over, f"seed {seed}: python-chess has ended the game:\n{board.fen()}"
    first = [rank.seat for rank in position.standing() if rank.rank == 1]
    winner = None if not board.is_checkmate() else 1 if board.turn else 0
    assert first == ([0, 1] if winner is None else [winner]), board.fen()
    return Counter({"decisions": count, "mates": winner is not None, "stalemates": board.is_stalemate()})


@pytest.mark.long
def test_two_games_match_another_engine():
    assert sum((compare_random_game(seed) for seed in (101, 102)), Counter())["decisions"] > 100


@pytest.mark.long
def test_twenty_games_match_another_engine():
    found = sum((compare_random_game(seed) for seed in range(20)), Counter())
    assert found["mates"] > 0


@pytest.mark.long
@pytest.mark.parametrize("fen", PERFT_COUNTS)
def test_perft_matches_published_counts(fen: str):
    """Counts half-moves, so a promotion counts together with its move."""
    assert count_lines(fen, PERFT_COUNTS[fen][:2]) == PERFT_COUNTS[fen][:2]


@pytest.mark.long
@pytest.mark.parametrize("fen", [fen for fen, lines in PERFT_COUNTS.items() if len(lines) > 2])
def test_deeper_perft_matches_published_counts(fen: str):
    assert count_lines(fen, PERFT_COUNTS[fen]) == PERFT_COUNTS[fen]


def count_lines(fen: str, lines: list[int]) -> list[int]:
    level, found = [start_from_board(chess.Board(fen))], []
    for _ in lines:
        level = [after for before in level for after in half_moves(before)]
        found.append(len(level))
    return found


def half_moves(position: Position) -> list[Position]:
    """Yields the positions after one half-move."""
    seat, found, todo = position.decision.seat, [], [position]
    while todo:
        before = todo.pop()
        for code in before.decision.codes:
            after = before.copy()
            after.step(code)
            again = after.decision is not None and after.decision.seat == seat
            (todo if again else found).append(after)
    return found


@pytest.mark.long
def test_a_third_repetition_with_equal_rights_is_a_draw():
    """The knights move out and back twice. After the eighth half-move, the first position occurs for the third time."""
    position = shared("chess").start(1)
    shuffle = ["origin=g1 target=f3", "origin=g8 target=f6", "origin=f3 target=g1", "origin=f6 target=g8"] * 2
    for n, move in enumerate(shuffle):
        assert not position.over, n
        position.play(n % 2, move)
    assert position.over
