"""Proofs by looking at every reply, for two who see everything: is a position worth at least so much to whoever must decide there?

It is looked so many decisions far ("alpha-beta" with a null window: Knuth and Moore, 1975); what lies further counts as drawn, so that a
victory or a defeat that is found is certain, and so is a draw where nothing lay further. What is known of a position is kept, with the
option that gave the answer; that one is tried first, then what gave an answer as far from the beginning elsewhere ("killer heuristic":
Akl and Newborn, 1977), then what gave answers most often ("history heuristic": Schaeffer, 1983).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...dsl.storage.control_slots import OPTIONS, RANDOM, SEAT
from ..position.position import PlainValue, Position
from .search_base import WIN_HALF_POINTS, SearchBase

TABLE_SIZE = 1 << 18                       # positions of which something is kept; of as many older ones too
MAX_UNSTORED_DEPTH = 1                             # but none from which one looks only so far
HISTORY_SIZE = 1024                         # options that are told apart by how often they gave an answer
MAX_DEPTH = 100                           # decisions that are looked at one after the other, at most
MAX_BRANCHING = 64                            # with more options than this, a position counts as too far

FAILS, HOLDS, PROVEN = 0, 1, 2            # an answer, and whether it stays the same however far one looks
PositionKey = tuple[PlainValue, ...]


class BudgetExhaustedError(Exception):
    """There is no work left."""


@dataclass(slots=True)
class TableEntry:
    """What is known of a position for whoever must decide there: it is worth at least and at most so much, for certain; it is not won,
    or no defeat, as far as so many decisions tell; which of its options gave the latest answer."""

    low: int = 0
    high: int = WIN_HALF_POINTS
    unwon: int = 0
    unlost: int = 0
    best: int | None = None

    def find_answer(self, bound: int, deep: int) -> int | None:
        """Whether it is worth at least `bound`, if that is known as far as `deep` decisions tell."""
        if self.low >= bound:
            return HOLDS | PROVEN
        if self.high < bound:
            return FAILS | PROVEN
        if bound == WIN_HALF_POINTS:
            return FAILS if self.unwon >= deep else None
        return HOLDS if self.unlost >= deep else None


class ExactSearch:
    """The proofs of one thought. Chance must have no part in them: an option after which the generator is not as it was (`luck`) leads
    too far. `worth` says what the end of a game is worth to a seat, in halves of a victory."""

    def __init__(self, thinking: SearchBase, luck: int, worth: Callable[[Position, int], int]) -> None:
        self.thinking, self.luck, self.worth = thinking, luck, worth
        self.now: dict[PositionKey, TableEntry] = {}
        self.before: dict[PositionKey, TableEntry] = {}
        self.killers = [0] * MAX_DEPTH                                  # by how far from the beginning
        self.liked = [[0] * HISTORY_SIZE for _ in range(2)]               # by seat

    def get_entry(self, key: PositionKey) -> TableEntry:
        """What is known of a position."""
        return self.now.get(key) or self.before.get(key) or TableEntry()

    def store_entry(self, key: PositionKey, known: TableEntry) -> None:
        """Keep it; where there is too much, the oldest is forgotten."""
        if key not in self.now and len(self.now) >= TABLE_SIZE:
            self.now, self.before = {}, self.now
        self.now[key] = known

    def prove_for_seat(self, world: Position, seat: int, bound: int, deep: int, far: int) -> int:
        """Whether a position in which somebody must decide is worth at least `bound` to a seat."""
        if world.s[SEAT] == seat:
            return self.prove_bound(world, bound, deep, far)
        return self.prove_bound(world, WIN_HALF_POINTS + 1 - bound, deep, far) ^ HOLDS

    def prove_bound(self, world: Position, bound: int, deep: int, far: int) -> int:
        """Whether a position is worth at least `bound` to whoever must decide there, as far as `deep` decisions tell; `far` is how many
        were made before. Raises OutOfWork, and what the rules raise where they fail."""
        s = world.s
        codes, seat = list(s[OPTIONS]), s[SEAT]
        unsure = HOLDS if bound == 1 else FAILS
        if not deep or len(codes) > MAX_BRANCHING or far >= MAX_DEPTH:
            return unsure
        kept = deep > MAX_UNSTORED_DEPTH
        key = world.canonical() if kept else ()
        known = self.get_entry(key) if kept else TableEntry()
        found = known.find_answer(bound, deep)
        if found is not None:
            return found
        if self.thinking.left <= 0:
            raise BudgetExhaustedError
        first = known.best
        order = sorted(range(len(codes)), key=lambda n: (n != first, codes[n] != self.killers[far]))
        sure, later = PROVEN, []
        for n in order:                                            # what ends the game, and what is known already
            after = world.copy()
            decides = after.step(codes[n])
            self.thinking.spend_steps(1)
            if not decides:
                found = PROVEN | (HOLDS if self.worth(after, seat) >= bound else FAILS)
            elif after.s[RANDOM] != self.luck or deep == 1:
                found = unsure
            elif n == first:
                found = self.prove_for_seat(after, seat, bound, deep - 1, far + 1)
            else:
                found = None
                if deep - 1 > MAX_UNSTORED_DEPTH:
                    mine = after.s[SEAT] == seat
                    found = self.get_entry(after.canonical()).find_answer(bound if mine else WIN_HALF_POINTS + 1 - bound, deep - 1)
                    if found is not None and not mine:
                        found ^= HOLDS
                if found is None:
                    later.append((n, after))
                    continue
            if found & HOLDS:
                return self.store_answer(kept, key, bound, deep, far, found, n, codes[n])
            sure &= found
        liked = self.liked[seat]
        while later:
            at = max(range(len(later)), key=lambda k: liked[codes[later[k][0]] % HISTORY_SIZE])
            n, after = later.pop(at)
            found = self.prove_for_seat(after, seat, bound, deep - 1, far + 1)
            if found & HOLDS:
                liked[codes[n] % HISTORY_SIZE] += deep * deep
                return self.store_answer(kept, key, bound, deep, far, found, n, codes[n])
            liked[codes[n] % HISTORY_SIZE] -= deep
            sure &= found
        return self.store_answer(kept, key, bound, deep, far, FAILS | sure)

    def store_answer(
        self, kept: bool, key: PositionKey, bound: int, deep: int, far: int, answer: int, best: int | None = None, code: int = 0
    ) -> int:
        """Keep an answer, and what gave it."""
        known = self.get_entry(key) if kept else TableEntry()
        if best is not None:
            known.best, self.killers[far] = best, code
        match answer & HOLDS, answer & PROVEN:
            case 1, 2:
                known.low = bound
            case 1, _:
                known.unlost = deep
            case _, 2:
                known.high = bound - 1
            case _:
                known.unwon = deep
        if kept:
            self.store_entry(key, known)
        return answer
