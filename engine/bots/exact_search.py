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
from ..position.position import Plain, Position
from .search_base import VICTORY, Thinking

KEPT = 1 << 18                       # positions of which something is kept; of as many older ones too
NEAR = 1                             # but none from which one looks only so far
LIKED = 1024                         # options that are told apart by how often they gave an answer
DEEP = 100                           # decisions that are looked at one after the other, at most
WIDE = 64                            # with more options than this, a position counts as too far

NO, YES, SURELY = 0, 1, 2            # an answer, and whether it stays the same however far one looks
Key = tuple[Plain, ...]


class OutOfWork(Exception):
    """There is no work left."""


@dataclass(slots=True)
class Known:
    """What is known of a position for whoever must decide there: it is worth at least and at most so much, for certain; it is not won,
    or no defeat, as far as so many decisions tell; which of its options gave the latest answer."""

    low: int = 0
    high: int = VICTORY
    unwon: int = 0
    unlost: int = 0
    best: int | None = None

    def answer(self, bound: int, deep: int) -> int | None:
        """Whether it is worth at least `bound`, if that is known as far as `deep` decisions tell."""
        if self.low >= bound:
            return YES | SURELY
        if self.high < bound:
            return NO | SURELY
        if bound == VICTORY:
            return NO if self.unwon >= deep else None
        return YES if self.unlost >= deep else None


class Proofs:
    """The proofs of one thought. Chance must have no part in them: an option after which the generator is not as it was (`luck`) leads
    too far. `worth` says what the end of a game is worth to a seat, in halves of a victory."""

    def __init__(self, thinking: Thinking, luck: int, worth: Callable[[Position, int], int]) -> None:
        self.thinking, self.luck, self.worth = thinking, luck, worth
        self.now: dict[Key, Known] = {}
        self.before: dict[Key, Known] = {}
        self.killers = [0] * DEEP                                  # by how far from the beginning
        self.liked = [[0] * LIKED for _ in range(2)]               # by seat

    def known(self, key: Key) -> Known:
        """What is known of a position."""
        return self.now.get(key) or self.before.get(key) or Known()

    def keep(self, key: Key, known: Known) -> None:
        """Keep it; where there is too much, the oldest is forgotten."""
        if key not in self.now and len(self.now) >= KEPT:
            self.now, self.before = {}, self.now
        self.now[key] = known

    def after(self, world: Position, seat: int, bound: int, deep: int, far: int) -> int:
        """Whether a position in which somebody must decide is worth at least `bound` to a seat."""
        if world.s[SEAT] == seat:
            return self.proves(world, bound, deep, far)
        return self.proves(world, VICTORY + 1 - bound, deep, far) ^ YES

    def proves(self, world: Position, bound: int, deep: int, far: int) -> int:
        """Whether a position is worth at least `bound` to whoever must decide there, as far as `deep` decisions tell; `far` is how many
        were made before. Raises OutOfWork, and what the rules raise where they fail."""
        s = world.s
        codes, seat = list(s[OPTIONS]), s[SEAT]
        unsure = YES if bound == 1 else NO
        if not deep or len(codes) > WIDE or far >= DEEP:
            return unsure
        kept = deep > NEAR
        key = world.canonical() if kept else ()
        known = self.known(key) if kept else Known()
        found = known.answer(bound, deep)
        if found is not None:
            return found
        if self.thinking.left <= 0:
            raise OutOfWork
        first = known.best
        order = sorted(range(len(codes)), key=lambda n: (n != first, codes[n] != self.killers[far]))
        sure, later = SURELY, []
        for n in order:                                            # what ends the game, and what is known already
            after = world.copy()
            decides = after.step(codes[n])
            self.thinking.pay(1)
            if not decides:
                found = SURELY | (YES if self.worth(after, seat) >= bound else NO)
            elif after.s[RANDOM] != self.luck or deep == 1:
                found = unsure
            elif n == first:
                found = self.after(after, seat, bound, deep - 1, far + 1)
            else:
                found = None
                if deep - 1 > NEAR:
                    mine = after.s[SEAT] == seat
                    found = self.known(after.canonical()).answer(bound if mine else VICTORY + 1 - bound, deep - 1)
                    if found is not None and not mine:
                        found ^= YES
                if found is None:
                    later.append((n, after))
                    continue
            if found & YES:
                return self.answered(kept, key, bound, deep, far, found, n, codes[n])
            sure &= found
        liked = self.liked[seat]
        while later:
            at = max(range(len(later)), key=lambda k: liked[codes[later[k][0]] % LIKED])
            n, after = later.pop(at)
            found = self.after(after, seat, bound, deep - 1, far + 1)
            if found & YES:
                liked[codes[n] % LIKED] += deep * deep
                return self.answered(kept, key, bound, deep, far, found, n, codes[n])
            liked[codes[n] % LIKED] -= deep
            sure &= found
        return self.answered(kept, key, bound, deep, far, NO | sure)

    def answered(self, kept: bool, key: Key, bound: int, deep: int, far: int, answer: int, best: int | None = None, code: int = 0) -> int:
        """Keep an answer, and what gave it."""
        known = self.known(key) if kept else Known()
        if best is not None:
            known.best, self.killers[far] = best, code
        match answer & YES, answer & SURELY:
            case 1, 2:
                known.low = bound
            case 1, _:
                known.unlost = deep
            case _, 2:
                known.high = bound - 1
            case _:
                known.unwon = deep
        if kept:
            self.keep(key, known)
        return answer
