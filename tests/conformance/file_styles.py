"""Generates whole games in the styles of many people and programs.

Independent engines play them: python-chess for PGN, pydraughts for PDN, and OpenSpiel for SGF. Each game includes the final position
according to that engine.
"""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass

import chess
import chess.pgn
import pyspiel
from draughts import Board

REMARKS = ["good", "a (long) remark; with signs: 1. e4 [x] *", "?!", "Pécs, 2024-05-06", "50% $1"]
NUMBER_FORMATS = ["{n}. ", "{n}.", "{n} ", "{n}. ... ", "{n}... ", "{n}...", "{n}… ", "{n}. .. ", ""]


@dataclass
class WrittenGame:
    """A game in a file: its text, its number of moves, and its final position."""

    text: str
    moves: int
    end: object


# ---------------------------------------------------------------- chess

CHESS_STYLES = ("remarks", "variations", "numbers", "uci", "long")


def generate_chess_game(seed: int, style: str, most: int = 120) -> WrittenGame:
    """Generates a random game of chess, which may continue after a claimable draw."""
    rng, game = random.Random(seed), chess.pgn.Game()
    game.headers.update({"White": 'Ada "the rook"', "Black": "Béla", "Event": "Club [evening]"})
    node: chess.pgn.GameNode = game
    board, words = game.board(), []
    while not board.is_game_over() and len(words) < most:
        moves = list(board.legal_moves)
        back = [move for move in moves if len(board.move_stack) > 1 and move.from_square == board.move_stack[-2].to_square
                and move.to_square == board.move_stack[-2].from_square]
        move = rng.choice(back) if back and rng.random() < 0.3 else rng.choice(moves)
        words.append(format_chess_move(board, move, style, rng))
        node = node.add_variation(move)
        if style in ("remarks", "variations") and rng.random() < 0.2:
            node.comment = rng.choice(REMARKS)
        if style == "remarks" and rng.random() < 0.2:
            node.nags.add(rng.randrange(1, 140))
        if style == "variations" and rng.random() < 0.2:
            node.parent.add_variation(rng.choice(moves), comment=rng.choice(REMARKS))
        board.push(move)
    result = board.result()
    game.headers["Result"] = result
    if style in ("remarks", "variations"):
        text = str(game)
    else:
        ends = {"1/2-1/2": ["1/2-1/2", "½-½", "1/2 - 1/2"]}.get(result, [result])
        text = "".join(f'[{tag} "{value}"]\n' for tag, value in (("White", "Ada"), ("Black", "Béla"), ("Result", result)))
        text = rng.choice(["", "; by a program\n", "% made by a program\n", "{from a\nnotebook}\n"]) + text + "\n"
        text += wrap_words([*add_move_numbers(words, rng, style == "numbers"), rng.choice(ends)], rng)
    return WrittenGame(text, len(words), board.fen())


def format_chess_move(board: chess.Board, move: chess.Move, style: str, rng: random.Random) -> str:
    """Returns a move in this style."""
    san = board.san(move)
    if style == "uci":
        return move.uci()
    if style == "long" and not board.is_castling(move):
        piece = board.piece_at(move.from_square)
        assert piece is not None
        letter = "" if piece.piece_type == chess.PAWN else piece.symbol().upper()
        sign = rng.choice(["x", ":", "x"]) if board.is_capture(move) else "-"
        to = chess.square_name(move.to_square)
        promoted = chess.piece_symbol(move.promotion) if move.promotion else ""
        became = rng.choice([f"={promoted.upper()}", f"={promoted}", promoted.upper(), f"({promoted.upper()})", f"/{promoted.upper()}"])
        passing = " e.p." if board.is_en_passant(move) and rng.random() < 0.5 else ""
        return f"{letter}{chess.square_name(move.from_square)}{sign}{to}{became if promoted else ''}{passing}"
    if style == "numbers":
        san = san.replace("O", rng.choice(["O", "0", "o"]))
        return rng.choice([san, san.rstrip("+#"), san.replace("x", "") if san[0] in "NBRQK" else san, san + rng.choice(["!", "?!", "!!"])])
    return san


def add_move_numbers(words: list[str], rng: random.Random, odd: bool) -> list[str]:
    """Returns the moves with their numbers."""
    out = []
    for n, word in enumerate(words):
        number = rng.choice(NUMBER_FORMATS) if odd else "{n}. " if n % 2 == 0 else ""
        out += (number.format(n=n // 2 + 1) + word).split(" ")
    return out


def wrap_words(words: list[str], rng: random.Random) -> str:
    """Wraps words into lines, with one kind of line ending."""
    lines = textwrap.wrap(" ".join(words), rng.choice([40, 79, 100_000]), break_long_words=False, break_on_hyphens=False)
    return rng.choice(["\n", "\r\n"]).join(lines) + "\n"


# ---------------------------------------------------------------- draughts

DRAUGHTS_VARIANTS = {"international-draughts": ("standard", "20"), "english-draughts": ("english", "21")}
DRAUGHTS_RESULTS = ["1-0", "0-1", "1/2-1/2", "½-½", "2-0", "0-2", "1-1", "0-0", "*"]


def generate_draughts_game(seed: int, name: str, most: int = 80) -> WrittenGame:
    """Generates a random game of draughts, in a layout of tournament files."""
    rng, (variant, kind) = random.Random(seed), DRAUGHTS_VARIANTS[name]
    board, words = Board(variant=variant), []
    while len(words) < most and (moves := list(board.legal_moves())) and not board.is_over():
        move = rng.choice(moves)
        text = str(move.pdn_move)
        words.append(rng.choice([text, text, text.replace("x", ":"), text.replace("-", "- "), text.replace("-", " - "),
                                 text.replace("x", " x "), text + rng.choice("!?"), text + " $" + str(rng.randrange(1, 9))]))
        if rng.random() < 0.1:
            words.append("{" + rng.choice(REMARKS).replace("}", "") + "}")
        if rng.random() < 0.05:
            words.append("(" + text + " {other})")
        board.push(move)
    result, shown, n = rng.choice(DRAUGHTS_RESULTS), [], 0
    for word in words:
        is_comment = word[0] in "{("
        shown.append(word if is_comment or n % 2 else rng.choice([f"{n // 2 + 1}. ", f"{n // 2 + 1}."]) + word)
        n += not is_comment
    tags = [("Event", "Cup"), ("White", "Ada"), ("Black", "Béla"), ("Result", result), ("GameType", kind)]
    text = "".join(f'[{tag} "{value}"]\n' for tag, value in tags[rng.randrange(len(tags)):])
    return WrittenGame(text + "\n" + wrap_words([*shown, result], rng), n, board.fen)


# ---------------------------------------------------------------- go


def generate_go_game(seed: int, most: int = 40) -> WrittenGame:
    """Generates a random game of go with random properties in its root.

    The position is None if the root describes a game that Ludoglot cannot start.
    """
    rng = random.Random(seed)
    size, handicap = rng.choice([9, 13, 19]), rng.choice(["", "", "0", "2", "5", "9"])
    state, moves, placed = pyspiel.load_game("go", {"board_size": size}).new_initial_state(), [], []
    while len(placed) < int(handicap or 0):                                # the other side passes, and White moves first at the end
        placed.append(rng.choice([action for action in state.legal_actions() if action != size * size]))
        state.apply_action(placed[-1])
        if len(placed) < int(handicap):
            state.apply_action(size * size)
    by_moves = bool(placed) and rng.random() < 0.3
    while not state.is_terminal() and len(moves) < most:
        action = rng.choice(state.legal_actions())
        moves.append(None if action == size * size else divmod(action, size))
        state.apply_action(action)
    said = rng.choice([str(size), f"{size}:{size}"] + [""] * (size == 19))
    root = {"FF": rng.choice(["3", "4"]), "GM": "1", "SZ": said,
            "KM": rng.choice(["", *(["0.5", "0.50", "0.5"] if placed else ["7.5", "7.50", "7.5"]), "6.5"]), "HA": handicap,
            "RU": rng.choice(["", "", "Chinese", "chinese", "Japanese"]), "PL": rng.choice(["", "", "", "", "B", "W"]),
            "AB": "" if by_moves else "][".join(format_sgf_point(action, size) for action in placed),
            "AW": rng.choice(["", "", "", "", "", "aa"]), "PB": "Ada [9p\\]", "C": "a (remark; with signs\\] )", "DT": "2024-05-06"}
    text, branches = "".join(f"{name}[{value}]" for name, value in root.items() if value), 0
    text += "".join(f";B[{format_sgf_point(action, size)}]" for action in placed) if by_moves else ""
    for n, move in enumerate(moves, bool(placed)):
        point = rng.choice(["", "tt"]) if move is None else format_sgf_point(move[0] * size + move[1], size)
        if rng.random() < 0.1:                                     # the first branch is the game
            text, branches = text + "(", branches + 1
        text += f"{rng.choice(['', chr(10)])};{'BW'[n % 2]}[{point}]" + rng.choice(["", "", "C[so\\]]", "LB[aa:1][bb:2]"])
    text += ")(;B[ab]C[not played])" * branches
    wrong = root["KM"] == "6.5" or root["RU"] == "Japanese" or root["AW"]
    wrong = wrong or root["PL"] == ("B" if placed and not by_moves else "W")
    lines = [line[3:] for line in str(state).splitlines() if line[:2].strip().isdigit()]
    return WrittenGame(f"(;{text})", len(moves) + len(placed), None if wrong else [line.strip() for line in lines])


def format_sgf_point(action: int, size: int) -> str:
    """Returns a point in SGF."""
    row, column = divmod(action, size)
    return chr(97 + column) + chr(97 + size - 1 - row)
