"""Checks standard notation in both directions: PGN and FEN against python-chess, and PDN against pydraughts.

pydraughts writes a capture with its first and last square. It adds the path only if two captures between them take different men, so
Ludoglot may name the path more often. The FEN of pydraughts lists squares in another order. The tests therefore compare the boards that
both notations mean.
"""

from __future__ import annotations

import contextlib
import io
import random
from functools import cache

import chess
import chess.pgn
import pytest
from draughts import Board
from draughts import Move as DraughtsMove
from draughts.PDN import PDNReader
from ludoglot.engine.notation import NotationError, load_notation
from ludoglot.engine.notation.game_record import GameRecordNotation, set_up_game
from ludoglot.engine.notation.moves import MoveNotation
from ludoglot.engine.notation.position_line import PositionNotation, StartPosition
from ludoglot.engine.position.position import Position
from shared_games import shared

from .test_chess import PERFT_COUNTS, is_game_over
from .test_draughts import GAMES


@cache
def load_notations(name: str, style: str | None = None) -> tuple[MoveNotation, PositionNotation, GameRecordNotation]:
    game = shared(name, 2, {"style": style} if style else {})
    notation = load_notation(game)
    return MoveNotation(game, notation), PositionNotation(game, notation), GameRecordNotation(game, notation)


# ---------------------------------------------------------------- chess


def compare_random_chess_game(seed: int, most: int = 1000, fen: str = chess.STARTING_FEN) -> int:
    """Plays one random game. Returns the number of half-moves.

    Ludoglot reads the moves of python-chess and writes identical moves and positions. Both read the whole game that Ludoglot writes.
    """
    moves, diagrams, sheets = load_notations("chess")
    rng, board = random.Random(seed), chess.Board(fen)
    start = diagrams.read(fen) if fen != chess.STARTING_FEN else None
    position, options = set_up_game(moves.game, start, seed), []
    while not is_game_over(board) and len(board.move_stack) < most:
        move = rng.choice(list(board.legal_moves))
        san = board.san(move)
        taken = moves.read(position, san)
        text, count, position = moves.write(position, taken)
        assert (text, count) == (san, len(taken)), board.fen()
        options += taken
        board.push(move)
        assert diagrams.write(position, board.fullmove_number, int(not board.turn)) == board.fen(en_passant="fen")
    text = sheets.write(start, seed, options, ["Anna", "Béla"])
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None and not read.errors
    assert read.end().board().fen() == board.fen() and read.headers["White"] == "Anna" and read.headers["Black"] == "Béla"
    assert read.headers["Result"] == (board.result() if board.is_checkmate() else "1/2-1/2" if is_game_over(board) else "*")
    again = sheets.read(text, seed)
    assert again.options == options and again.names == {"white": "Anna", "black": "Béla"}
    theirs = str(chess.pgn.Game.from_board(board))
    assert sheets.read(theirs, seed).options == options
    return len(board.move_stack)


@pytest.mark.long
def test_the_beginning_of_a_chess_game_matches_python_chess():
    assert compare_random_chess_game(5, most=8) == 8


@pytest.mark.parametrize("fen", PERFT_COUNTS)
def test_chess_from_published_positions_matches_python_chess(fen: str):
    assert compare_random_chess_game(3, most=2, fen=fen) == 2


@pytest.mark.long
def test_whole_chess_games_match_python_chess():
    assert sum(compare_random_chess_game(seed) for seed in range(2)) > 100


@pytest.mark.parametrize(("before", "san"), [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6"),
    ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=N"),
    ("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1", "Nce4"),
    ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3"),
    ("k7/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "Qh4e4+"),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8#"),
])
def test_chess_moves_are_written_in_standard_notation(before: str, san: str):
    moves, diagrams, _ = load_notations("chess")
    position = diagrams.check_playable(diagrams.read(before), before)
    taken = moves.read(position, san)
    assert moves.write(position, taken)[0] == san == chess.Board(before).san(chess.Board(before).parse_san(san))


# ---------------------------------------------------------------- draughts


def parse_fen_squares(fen: str) -> tuple[str, list[set[str]]]:
    """Returns the side to move, and the squares of both sides."""
    mover, *sides = fen.split(":")
    return mover, [set(filter(None, side[1:].split(","))) for side in sorted(sides)]


def compare_random_draughts_game(seed: int, variant: str, most: int = 1000) -> int:
    """Plays one random game, and compares as in chess. Returns the number of moves."""
    name, options = GAMES[variant]
    moves, diagrams, sheets = load_notations(name, options.get("style"))
    rng, board = random.Random(seed), Board(variant=variant)
    position, taken, count, texts = moves.game.start(seed), [], 0, []
    assert parse_fen_squares(diagrams.write(position)) == parse_fen_squares(board.fen)
    while not position.over and count < most:
        whole = [found for found, _ in moves.iter_moves(position)]
        chosen = rng.choice(sorted(whole))
        text, used, after = moves.write(position, chosen)
        assert used == len(chosen) and has_same_effect(moves, position, moves.read(position, text), chosen)
        theirs = DraughtsMove(board, pdn_move=text)
        assert any(theirs.board_move == one.board_move for one in board.legal_moves()), (text, board.fen)
        board.push(theirs)
        position, count = after, count + 1
        taken += chosen
        texts.append(text)
        assert parse_fen_squares(diagrams.write(position, 1, count % 2)) == parse_fen_squares(board.fen), (text, board.fen)
        again = diagrams.check_playable(diagrams.read(board.fen), board.fen)
        assert again["man"] == position["man"]
    text = sheets.write(None, seed, taken, ["Anna", "Béla"])
    read = PDNReader(pdn_text=text).games[0]
    assert read.tags["White"] == ("Béla" if variant == "english" else "Anna")
    assert [move for move in read.moves if move not in ("1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1")] == texts
    assert read.variant == variant
    played = sheets.read(text, seed).options
    assert len(played) == len(taken)
    return count


def has_same_effect(moves: MoveNotation, position: Position, read: list[str], chosen: list[str]) -> bool:
    """Whether a move was read correctly, or at least leaves the same board."""
    return read == chosen or moves.write(position, read)[2]["man"] == moves.write(position, chosen)[2]["man"]


@pytest.mark.long
@pytest.mark.parametrize("variant", GAMES)
def test_the_beginning_of_a_draughts_game_matches_pydraughts(variant: str):
    assert compare_random_draughts_game(7, variant, most=6) == 6


@pytest.mark.long
@pytest.mark.parametrize("variant", GAMES)
def test_whole_draughts_games_match_pydraughts(variant: str):
    assert compare_random_draughts_game(1, variant) > 20


# ---------------------------------------------------------------- badly written input


@pytest.mark.parametrize(("text", "key"), [
    ("1. e4 e5 2. Ke3 *", "notation.no_move"),
    ('[FEN "4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1"]\n\n1. Ne4 *', "notation.several"),
    ("1. f3 e5 2. g4 Qh4# 3. a3 *", "notation.over"),
    ('[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"]\n\n*', "notation.wrong_part"),
    ('[FEN "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n*', "notation.wrong_part"),
    ('[FEN "8/8/8/8/8/8/8/8 w - z9 0 1"]\n\n*', "notation.wrong_part"),
    ('[FEN "8/8/8/8/8/8/8/8 w - - 99999999999999999999 1"]\n\n*', "notation.wrong_part"),
    ('[FEN "8/8/8/8/8/8/8/8 w - - 101 1"]\n\n*', "notation.unplayable"),
    ('[FEN "8/8/8/8/8/8/8/QQ6 w - - 0 1"]\n\n*', "notation.unplayable"),
    ('[FEN "nothing"]\n\n*', "notation.no_position"),
    (f"1. {'e' * 5000} *", "notation.no_move"),
])
def test_unplayable_games_are_rejected(text: str, key: str):
    _, _, sheets = load_notations("chess")
    with pytest.raises(NotationError) as error:
        sheets.read(text, 1)
    assert error.value.key == key and len(str(error.value.params)) < 1000


def test_comments_and_variations_are_skipped():
    _, _, sheets = load_notations("chess")
    text = ('\ufeff[White "A \\"b\\""]\n\n1.e4 {good; (very) [x]} e5!? $14 (1... c5 2. Nf3 (2. c3) d6) 2. Nf3 ; so\n'
            '%that\n2... Nc6 1-0\n\n[White "C"]\n1. d4 *')
    played = sheets.read(text, 1)
    assert len(played.options) == 4 and played.names == {"white": 'A "b"'} and played.more


def test_a_game_from_a_position_continues_its_move_numbers():
    _, diagrams, sheets = load_notations("chess")
    start = diagrams.read("4k3/8/8/8/8/8/4P3/4K3 b - - 3 31")
    text = sheets.write(start, 1, ["origin=e8 target=e7", "origin=e2 target=e4"], ["", ""])
    assert "31... Ke7 32. e4 *" in text and '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 31"]' in text
    assert StartPosition.from_data(start.to_data()) == start and StartPosition.from_data({}) is None


@pytest.mark.long
def test_mutated_notation_causes_no_internal_error():
    """Inserts, removes and doubles characters in lines and games."""
    _, diagrams, sheets = load_notations("chess")
    rng = random.Random(1)
    for n in range(120):
        text = list(PERFT_COUNTS)[3] if n % 2 else '[A "b"]\n1. e4 {x} e5 (1... c5) 2. Nf3 $1 *'
        for _ in range(rng.randint(1, 5)):
            at, some = rng.randrange(len(text)), rng.choice('KkqwN019/-:. []"\\{}();%+=\n٣')
            text = rng.choice([text[:at] + some + text[at:], text[:at] + text[at + 1 :], text[:at] + text[at : at + 9] * 30 + text[at:]])
        with contextlib.suppress(NotationError):
            diagrams.read(text) if n % 2 else sheets.read(text, 1)


# ---------------------------------------------------------------- go


@cache
def load_go_notation() -> GameRecordNotation:
    return GameRecordNotation(shared("go", 2), load_notation(shared("go", 2)))


@pytest.mark.long
def test_go_games_are_written_as_trees_and_read_again():
    game, sheets = shared("go", 2), load_go_notation()
    rng = random.Random(1)
    for seed in range(3):
        position, options = game.start(seed), []
        while position.decision is not None and len(options) < 40:
            options.append(rng.choice([option.spelling for option in position.decision.options]))
            position.play(position.decision.seat, options[-1])
        text = sheets.write(None, seed, options, ["Ada ]\\ x", "Béla"])
        played = sheets.read(text, seed)
        assert played.options == options and played.names == {"black": "Ada ]\\ x", "white": "Béla"}


def test_points_count_from_the_upper_left_corner():
    sheets = load_go_notation()
    assert ";B[aa] ;W[ia] ;B[] ;W[ed])" in sheets.write(None, 1, ["place cell=a9", "place cell=i9", "pass", "place cell=e6"], ["", ""])


def test_the_first_branch_of_a_tree_is_read():
    sheets = load_go_notation()
    text = "\ufeff(;GM[1]SZ[9]\nC[a \\] (;B[aa\\])];B[ee]LB[aa:1](;W[cg];B[tt](;W[gc])(;W[gd]))(;W[ge]))\n(;B[aa])"
    played = sheets.read(text, 1)
    assert played.options == ["place cell=e5", "place cell=c3", "pass", "place cell=g7"] and played.more


@pytest.mark.parametrize(("text", "key"), [
    ("(;SZ[9]AB[cc];W[ee])", "notation.placed_too_many"), ("(;W[ee])", "notation.not_their_turn"),
    ("(;B[ee];B[cc])", "notation.not_their_turn"),
    ("(;B[zz])", "notation.no_move"), ("(;B[ee];W[ee])", "notation.no_move"),
])
def test_illegal_tree_nodes_are_rejected(text, key):
    sheets = load_go_notation()
    with pytest.raises(NotationError) as error:
        sheets.read(text, 1)
    assert error.value.key == key
    assert error.value.params["text"] == "AB[cc]" if key == "notation.placed_too_many" else error.value.params["number"] in (1, 2)


def test_a_lone_annotation_is_not_a_pass():
    sheets = load_go_notation()
    with pytest.raises(NotationError):
        sheets.moves.read(shared("go", 2).start(1), "!")
