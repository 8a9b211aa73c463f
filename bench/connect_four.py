"""Does `hard` lose Connect Four to one who plays without a mistake? `python bench/connect_four.py --games 20 [--ms 1000] [--seed 1]`.

`hard` begins, with the work that C does in so many milliseconds of the processor (it is told, and `--work` plays with it again). The other
chooses at random among the best replies, which `reference/four.c` finds: those that lead to the best end, and from `LATE` discs on among
these the ones that win soonest or lose latest. With fewer than `EARLY` discs that would take minutes for a reply; there it takes any that
does not lose at once (after a first disc in the middle all replies are equally good: the first player wins). Prints how many games were
won, drawn and lost, and in how many the first player had a won position when exact play began.

With `--positions 40` no games are played: of so many positions with 12 to 18 discs in which few columns are right, and a wrong one does
not lose at once, it is told in how many `hard` chooses wrong, and in how many of these it loses by it.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.storage.control_slots import OPTIONS
from ludoglot.engine.bots.native import NativeBots, NativeGame
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.position.position import Game
from strength import ROOT, work_in

EARLY, LATE = 6, 14
DELICATE = 12, 19                    # discs with which positions begin to be looked for, and with which no more
WIDE, HIGH = 7, 7                    # columns; bits of a column: one more than its cells


# Games that others have solved, as columns from 1 on, and what they are worth (from the tests of Pascal Pons' solver).
KNOWN = {"2252576253462244111563365343671351441": -1, "7422341735647741166133573473242566": 1, "23163416124767223154467471272416755633": 0,
         "65214673556155731566316327373221417": -1}


class Solver:
    """What positions are worth; compiled when it is made."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as room:
            made = Path(room) / "four.so"
            source = Path(__file__).parent / "reference" / "four.c"
            subprocess.run(["cc", "-O2", "-march=native", "-shared", "-fPIC", "-o", str(made), str(source)], check=True)
            self.solve = ctypes.CDLL(str(made)).four_solve
        self.solve.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int]
        for columns, worth in KNOWN.items():
            assert self.worth([int(column) - 1 for column in columns], False) == worth, columns

    def worth(self, columns: list[int], weak: bool) -> int | None:
        """What a game that went through these columns is worth to the one to move; None where the last disc has won."""
        own, theirs = discs(columns)
        return None if four(theirs) else int(self.solve(own, own | theirs, int(weak)))

    def best(self, columns: list[int], free: list[int]) -> list[int]:
        """The best of the columns that are free."""
        worths = {}
        for column in free:
            after = [*columns, column]
            found = self.worth(after, len(columns) < LATE) if len(columns) >= EARLY else soon(after)
            worths[column] = 100 if found is None else -found
        return [column for column, worth in worths.items() if worth == max(worths.values())]


def discs(columns: list[int]) -> tuple[int, int]:
    """The discs of the one to move and of the other, as bits."""
    own = theirs = 0
    for column in columns:
        both = own | theirs
        own, theirs = theirs, own | (both + (1 << HIGH * column)) & ~both & ((1 << HIGH) - 1) << HIGH * column
    return own, theirs


def soon(columns: list[int]) -> int | None:
    """What `worth` gives, seen one disc far: 1 if the one to move wins with it, else 0."""
    if four(discs(columns)[1]):
        return None
    after = [[*columns, column] for column in range(WIDE) if columns.count(column) < HIGH - 1]
    return int(any(four(discs(one)[1]) for one in after))


def four(discs: int) -> bool:
    """Whether four of them are in a line."""
    return any(two & two >> 2 * way for way in (1, HIGH - 1, HIGH, HIGH + 1) for two in [discs & discs >> way])


def delicate(solver: Solver, rng: random.Random, most: int) -> Iterator[tuple[list[int], dict[int, int]]]:
    """Positions in which the first player must choose well: the columns of the game, and whether each column wins (1), draws (0) or
    loses (-1)."""
    found = 0
    while True:
        columns = [WIDE // 2]
        while len(columns) < DELICATE[1]:
            free = [column for column in range(WIDE) if columns.count(column) < HIGH - 1]
            sound = [column for column in free if soon([*columns, column]) == 0]
            if not sound:
                break
            if len(columns) < DELICATE[0]:
                columns.append(rng.choice(sound))
                continue
            worths = {column: 1 if worth is None else -worth for column in free for worth in [solver.worth([*columns, column], True)]}
            right = [column for column in free if worths[column] == max(worths.values())]
            if len(columns) % 2 == 0:
                if max(worths.values()) < 0:
                    break
                if 3 * len(right) <= len(free) and set(sound) - set(right) and all(soon([*columns, column]) is not None for column in free):
                    yield list(columns), worths
                    found += 1
                    if found == most:
                        return
            columns.append(rng.choice(right if rng.random() < 0.85 else free))
            if four(discs(columns)[1]):
                break


def tried(game: Game, thinker: NativeBots, solver: Solver, work: int, seed: int, most: int) -> tuple[int, int]:
    """In how many such positions `hard` chooses wrong, and in how many of these it loses by it."""
    wrong = lost = 0
    for columns, worths in delicate(solver, random.Random(seed), most):
        position = game.start(seed)
        for column in columns:
            position.step(next(code for code in position.s[OPTIONS] if code % WIDE == column))
        column = thinker.choose(position, work, decision_rng(seed, 0, len(columns)))[0] % WIDE
        wrong, lost = wrong + (worths[column] < max(worths.values())), lost + (worths[column] < 0)
        print("".join(str(one + 1) for one in columns), column + 1, worths[column], file=sys.stderr, flush=True)
    return wrong, lost


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=20)
    arguments.add_argument("--ms", type=float, default=1000)
    arguments.add_argument("--work", type=int)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--positions", type=int, default=0)
    options = arguments.parse_args()
    game, solver = Game(load_ruleset(ROOT / "rules" / "connect-four", 2)), Solver()
    native = NativeGame(game)
    native.wait()
    if native.found is None:
        arguments.error("there is no C compiler")
    work = options.work or work_in(game, native.found, options.ms)
    print(f"hard thinks with {work} units of work", flush=True)
    if options.positions:
        wrong, lost = tried(game, native.found, solver, work, options.seed, options.positions)
        print(f"of {options.positions} positions {wrong} wrong, {lost} of them lost")
        return
    won = drawn = lost = ahead = 0
    for n in range(options.games):
        position, columns, rng = game.start(options.seed + n), [], random.Random(options.seed + n)
        held, start = None, time.process_time()
        while not position.over:
            codes = list(position.decision.codes) if position.decision is not None else []
            seat = len(columns) % 2
            if seat == 0:
                code = (
                    codes[0] if len(codes) == 1 else native.found.choose(position, work, decision_rng(options.seed + n, 0, len(columns)))[0]
                )
            else:
                by_column = {code % WIDE: code for code in codes}             # cells are numbered row by row
                code = by_column[rng.choice(solver.best(columns, list(by_column)))]
            columns.append(code % WIDE)
            position.step(code)
            if len(columns) == EARLY and not position.over:
                held = solver.worth(columns, True)
        first = [rank.seat for rank in position.standing() if rank.rank == 1]
        won, drawn, lost = won + (first == [0]), drawn + (len(first) == 2), lost + (first == [1])
        ahead += held == 1
        print(f"{n + 1} games: {won} won, {drawn} drawn, {lost} lost, {ahead} of them won after {EARLY} discs if nobody errs; "
              f"{''.join(str(column + 1) for column in columns)} ({time.process_time() - start:.0f} s)", file=sys.stderr, flush=True)
    print(f"hard begins: {won} won, {drawn} drawn, {lost} lost of {options.games}; {ahead} won after {EARLY} discs if nobody errs")


if __name__ == "__main__":
    main()
