"""Exact search for two players with complete information: is a position worth at least so much to the seat that
decides?

The search is alpha-beta with a null window (Knuth and Moore, 1975), to a limited depth. Everything beyond the
depth counts as a draw. So a win or a loss that is found is certain, and a draw is certain if nothing was cut
off.

Results are kept in a transposition table, together with the option that decided. Options are tried in this
order:

* the option stored for the position
* the option that decided elsewhere at the same ply (killer heuristic: Akl and Newborn, 1977)
* options that decided most often (history heuristic: Schaeffer, 1983)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...dsl.storage.control_slots import OPTIONS, RANDOM, SEAT
from ..position.position import PlainValue, Position
from .search_base import WIN_HALF_POINTS, SearchBase

TABLE_SIZE = 1 << 18                       # entries of the current table; the previous table has as many
MAX_UNSTORED_DEPTH = 1                             # positions searched to this depth or less are not stored
HISTORY_SIZE = 1024                         # slots of the history heuristic, by option code
MAX_DEPTH = 100                           # decisions in a row
MAX_BRANCHING = 64                            # a position with more options counts as beyond the depth

FAILS, HOLDS, PROVEN = 0, 1, 2            # an answer, and a flag: a deeper search would not change it
PositionKey = tuple[PlainValue, ...]


class BudgetExhaustedError(Exception):
    """Raised if the search has used up its steps."""


@dataclass(slots=True)
class TableEntry:
    """A transposition table entry: facts about a position, from the view of the seat that decides there.

    The position is certainly worth at least `low` and at most `high`. It is not won within `unwon` decisions, and
    not lost within `unlost` decisions. `best` is the index of the option that gave the latest answer."""

    low: int = 0
    high: int = WIN_HALF_POINTS
    unwon: int = 0
    unlost: int = 0
    best: int | None = None

    def find_answer(self, bound: int, depth: int) -> int | None:
        """Returns whether the position is worth at least `bound`, or None if that is not known to depth `depth`."""
        if self.low >= bound:
            return HOLDS | PROVEN
        if self.high < bound:
            return FAILS | PROVEN
        if bound == WIN_HALF_POINTS:
            return FAILS if self.unwon >= depth else None
        return HOLDS if self.unlost >= depth else None


class ExactSearch:
    """The exact search below one decision.

    Chance must play no part: an option that changes the random generator (`luck`) counts as beyond the depth.
    `goal_value` returns the value of an end of the game for a seat, in half wins."""

    def __init__(self, thinking: SearchBase, luck: int, goal_value: Callable[[Position, int], int]) -> None:
        self.thinking, self.luck, self.goal_value = thinking, luck, goal_value
        self.now: dict[PositionKey, TableEntry] = {}
        self.before: dict[PositionKey, TableEntry] = {}
        self.killers = [0] * MAX_DEPTH                                  # by ply
        self.liked = [[0] * HISTORY_SIZE for _ in range(2)]               # by seat

    def get_entry(self, key: PositionKey) -> TableEntry:
        """Returns the table entry of a position, or an empty one."""
        return self.now.get(key) or self.before.get(key) or TableEntry()

    def store_entry(self, key: PositionKey, known: TableEntry) -> None:
        """Stores an entry. If the table is full, it becomes the previous table, and the old previous table is dropped."""
        if key not in self.now and len(self.now) >= TABLE_SIZE:
            self.now, self.before = {}, self.now
        self.now[key] = known

    def prove_for_seat(self, world: Position, seat: int, bound: int, depth: int, far: int) -> int:
        """Returns whether a position, with any seat to decide, is worth at least `bound` to `seat`."""
        if world.s[SEAT] == seat:
            return self.prove_bound(world, bound, depth, far)
        return self.prove_bound(world, WIN_HALF_POINTS + 1 - bound, depth, far) ^ HOLDS

    def prove_bound(self, world: Position, bound: int, depth: int, far: int) -> int:
        """Returns whether a position is worth at least `bound` to the seat that decides there, to depth `depth`.

        The answer is FAILS or HOLDS, with the flag PROVEN if it is certain. `far` is the number of decisions made
        before. Raises BudgetExhaustedError, and the errors of the rules."""
        s = world.s
        codes, seat = list(s[OPTIONS]), s[SEAT]
        unsure = HOLDS if bound == 1 else FAILS
        if not depth or len(codes) > MAX_BRANCHING or far >= MAX_DEPTH:
            return unsure
        kept = depth > MAX_UNSTORED_DEPTH
        key = world.canonical() if kept else ()
        known = self.get_entry(key) if kept else TableEntry()
        found = known.find_answer(bound, depth)
        if found is not None:
            return found
        if self.thinking.left <= 0:
            raise BudgetExhaustedError
        first = known.best
        order = sorted(range(len(codes)), key=lambda n: (n != first, codes[n] != self.killers[far]))
        sure, later = PROVEN, []
        for n in order:                                            # first pass: options that end the game or are known already
            after = world.copy()
            decides = after.step(codes[n])
            self.thinking.spend_steps(1)
            if not decides:
                found = PROVEN | (HOLDS if self.goal_value(after, seat) >= bound else FAILS)
            elif after.s[RANDOM] != self.luck or depth == 1:
                found = unsure
            elif n == first:
                found = self.prove_for_seat(after, seat, bound, depth - 1, far + 1)
            else:
                found = None
                if depth - 1 > MAX_UNSTORED_DEPTH:
                    mine = after.s[SEAT] == seat
                    found = self.get_entry(after.canonical()).find_answer(bound if mine else WIN_HALF_POINTS + 1 - bound, depth - 1)
                    if found is not None and not mine:
                        found ^= HOLDS
                if found is None:
                    later.append((n, after))
                    continue
            if found & HOLDS:
                return self.store_answer(kept, key, bound, depth, far, found, n, codes[n])
            sure &= found
        liked = self.liked[seat]
        while later:
            at = max(range(len(later)), key=lambda k: liked[codes[later[k][0]] % HISTORY_SIZE])
            n, after = later.pop(at)
            found = self.prove_for_seat(after, seat, bound, depth - 1, far + 1)
            if found & HOLDS:
                liked[codes[n] % HISTORY_SIZE] += depth * depth
                return self.store_answer(kept, key, bound, depth, far, found, n, codes[n])
            liked[codes[n] % HISTORY_SIZE] -= depth
            sure &= found
        return self.store_answer(kept, key, bound, depth, far, FAILS | sure)

    def store_answer(
        self, is_exact: bool, key: PositionKey, bound: int, depth: int, far: int, answer: int, best: int | None = None, code: int = 0
    ) -> int:
        """Stores an answer and the option that gave it. Returns the answer."""
        known = self.get_entry(key) if is_exact else TableEntry()
        if best is not None:
            known.best, self.killers[far] = best, code
        match answer & HOLDS, answer & PROVEN:
            case 1, 2:
                known.low = bound
            case 1, _:
                known.unlost = depth
            case _, 2:
                known.high = bound - 1
            case _:
                known.unwon = depth
        if is_exact:
            self.store_entry(key, known)
        return answer
