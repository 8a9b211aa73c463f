"""Counts lines of play with `ludoglot count` and compares them with published numbers: `python bench/perft.py [GAME ...]`.

It also times python-chess on the same count of chess, if it is installed. Times are of the wall clock, on all processors.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

CHESS_POSITIONS = {
    "start": ("", [20, 400, 8902, 197281, 4865609, 119060324]),
    "castling and pins": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039, 97862, 4085603]),
    "en passant": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624, 11030083]),
}
# Of each row: game, arguments, and the published number of lines at depth 1, 2, and so on.
PUBLISHED: list[tuple[str, list[str], list[int]]] = [
    # A promotion is a decision of its own, so positions with promotions are counted by turn.
    *(("chess", ["--from", line, "--by", "turn"] if line else [], numbers) for line, numbers in CHESS_POSITIONS.values()),
    ("english-draughts", ["--by", "turn"], [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]),
    ("international-draughts", ["--by", "turn"], [9, 81, 658, 4265, 27117, 167140]),
    ("reversi", [], [4, 12, 56, 244, 1396, 8200, 55092, 390216]),        # from depth 9 on, others count a pass as a move
    ("connect-four", [], [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646]),
    ("tic-tac-toe", [], [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
]
PYTHON_CHESS_DEPTH = 5


def count_lines(game: str, arguments: list[str], depth: int) -> tuple[list[int], float]:
    """Returns the number of lines at each depth, and the seconds that the command took."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "ludoglot", "count", game, *arguments, "--depth", str(depth), "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return [count["lines"] for count in json.loads(found.stdout)["counts"]], time.perf_counter() - start


def time_python_chess(depth: int) -> float | None:
    """Returns the seconds that python-chess needs for a count from the start position, or None if it is not installed."""
    try:
        import chess
    except ImportError:
        return None

    def count(board: chess.Board, left: int) -> int:
        if left == 1:
            return board.legal_moves.count()
        lines = 0
        for move in board.legal_moves:
            board.push(move)
            lines += count(board, left - 1)
            board.pop()
        return lines

    start = time.perf_counter()
    assert count(chess.Board(), depth) == CHESS_POSITIONS["start"][1][depth - 1]
    return time.perf_counter() - start


def main() -> int:
    chosen, wrong = sys.argv[1:], 0
    for game, arguments, numbers in PUBLISHED:
        if chosen and game not in chosen:
            continue
        counted, seconds = count_lines(game, arguments, len(numbers))
        wrong += counted != numbers
        verdict = "equal" if counted == numbers else f"differs: {counted}"
        print(f"{game:23} depth {len(numbers):2}  {numbers[-1]:>12,} lines  {seconds:7.2f} s  {verdict}", flush=True)
    if not chosen or "chess" in chosen:
        own = count_lines("chess", [], PYTHON_CHESS_DEPTH)[1] - count_lines("chess", [], 1)[1]
        other = time_python_chess(PYTHON_CHESS_DEPTH)
        if other is not None:
            print(f"python-chess: {other:.2f} s for depth {PYTHON_CHESS_DEPTH}, Ludoglot without its start: {own:.2f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
