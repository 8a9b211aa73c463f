"""Plays `hard` against a perfect player of Connect Four: `python bench/perfect_play.py --games 20 [--seconds 1] [--threads 1]`.

`hard` begins, and whoever begins wins with perfect play. So the perfect player can win only after a mistake, and `hard` must never lose.

The perfect player is `reference/connect_four_solver.c`. It is too slow for the opening, so its first four replies come from a list: in
even games the middle column twice and then two random columns, in odd games four random columns. From then on it plays a move with the
best value. If all moves lose, it takes one that loses as late as possible.

The script reports wins, draws, and losses of `hard`, and the games in which it gave away a win that it had after the opening. It exits with
1 if `hard` has lost a game.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ludoglot.dsl.backend_c.toolchain import find_compiler
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.bots.table_bots import TableBots
from ludoglot.engine.position.position import Game, Position

ROOT = Path(__file__).parent.parent
SOLVER = ROOT / "bench" / "reference" / "connect_four_solver.c"
COLUMNS = "1234567"
MIDDLE = "4"
OPENING_REPLIES = 4
FULL = -100                          # the solver's score of a full column


class Solver:
    """The perfect player. Use as a context manager."""

    def __enter__(self) -> Solver:
        self.folder = tempfile.TemporaryDirectory()
        program = Path(self.folder.name) / "solver"
        subprocess.run([*(find_compiler() or ["cc"]), "-O2", "-march=native", "-o", program, SOLVER], check=True)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def score_columns(self, played: str) -> dict[str, int]:
        """Returns the score of each column that is not full, for the seat that plays there."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(played + "\n")
        self.process.stdin.flush()
        scores = zip(COLUMNS, map(int, self.process.stdout.readline().split()), strict=True)
        return {column: score for column, score in scores if score != FULL}


def column_of(position: Position, code: int) -> str:
    """Returns the number of the column of an option."""
    assert position.decision is not None
    return COLUMNS["abcdefg".index(position.decision.option(code).spelling.removeprefix("cell=")[0])]


def reply(solver: Solver, played: str, possible: list[str], rng: random.Random, number: int) -> tuple[str, int | None]:
    """Returns the column of the perfect player, and the value of the position for it, or None in the opening."""
    count = len(played) // 2
    if count < OPENING_REPLIES:
        return (MIDDLE if number % 2 == 0 and count < 2 else rng.choice(possible)), None
    scores = solver.score_columns(played)
    value = max(scores.values())
    return rng.choice([column for column, score in scores.items() if score == value]), value


def play_game(game: Game, bots: TableBots, solver: Solver, number: int) -> tuple[float, str, int | None]:
    """Returns the result of `hard` (1 for a win, 0.5 for a draw), the columns, and the disc with which it gave away a win.

    That disc is None if it never had a certain win, or kept it."""
    rng, position, played, given = random.Random(number), game.start(number), "", None
    best = None                                                    # the value for the perfect player after the opening
    while not position.over:
        decision = position.decision
        assert decision is not None
        codes = {column_of(position, code): code for code in decision.codes}
        if decision.seat == 0:
            chosen = bots.choose("hard", position, 0, decision_rng(number, 0, len(played)))
            column = column_of(position, chosen)
        else:
            column, value = reply(solver, played, list(codes), rng, number)
            if value is not None:
                if best is not None and best < 0 <= value and given is None:
                    given = len(played)
                best = value
        position.step(codes[column])
        played += column
    first = [rank.seat for rank in position.standing() if rank.rank == 1]
    return (0 in first) / len(first), played, given


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=20)
    arguments.add_argument("--first", type=int, default=0, help="the number of the first game")
    arguments.add_argument("--seconds", type=float, default=1.0, help="time for each move of `hard`")
    arguments.add_argument("--threads", type=int, default=1, help="threads of `hard`")
    options = arguments.parse_args()
    game = Game(load_ruleset(ROOT / "rules" / "connect-four", 2))
    bots = TableBots(game, ["hard"], True, options.seconds, threads=options.threads)
    assert bots.native is not None
    bots.native.wait()
    if bots.native.found is None:
        arguments.error("there is no C compiler")
    results: list[float] = []
    gave_away = 0
    with Solver() as solver:
        for number in range(options.first, options.first + options.games):
            start = time.monotonic()
            result, played, given = play_game(game, bots, solver, number)
            results.append(result)
            gave_away += given is not None
            mistake = "" if given is None else f", disc {given} gave away the win"
            print(f"game {number}: {result:g}, {played}{mistake}, {time.monotonic() - start:.0f} s", flush=True)
    wins, draws, losses = (results.count(value) for value in (1.0, 0.5, 0.0))
    print(f"hard begins, {options.seconds:g} s a move, {options.threads} threads, {len(results)} games:"
          f" {wins} won, {draws} drawn, {losses} lost; a win given away after the opening in {gave_away}")
    sys.exit(1 if losses else 0)


if __name__ == "__main__":
    main()
