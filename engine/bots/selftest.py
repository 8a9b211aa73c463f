"""A game played in C and in Python side by side. A compiled library proves itself so before anybody trusts it: compilers have faults too.

What is compared at every decision are the options, the position entry by entry, the standing and the estimates, then the thoughts of bots
at one decision. Python runs on functions of its own here, since what rules remember while they run is no matter for two threads.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ...dsl.backend_c.ffi import Failed
from ...dsl.backend_c.marshal import Unfit
from ...dsl.backend_python.module import made
from ...dsl.backend_python.runtime import below
from ...dsl.storage.control_slots import CONTROL, EVENTS, OPTIONS, PC, RANDOM, ROUND, SEAT
from ..position.position import Game, Position
from ..position.seeds import Seed
from .greedy import Thought
from .mcts import Search
from .rng import generator

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

GREEDY = -1                           # a mind as C calls it
SEEDS: tuple[Seed, ...] = (0, "5e1f7e57" * 4)   # of the games that a library is tried with: a number, and a secret one
DECISIONS = 100                       # of each of them at most
ENOUGH = 0.35                         # seconds of the processor for each, but at least FEW decisions
FEW = 3
SMALL_SEARCH = 150                    # the work of a search that is compared
HASHED = 16                           # one decision of so many at which digests are made even where all entries are equal
UNABLE = ("-2", "-1", "no room")      # what C cannot do, in `Failed` (see support.h): Python goes on there


class Playing(Protocol):
    """A context of a compiled game, as `Player` is."""

    def load(self, s: Sequence[Any]) -> None: ...
    def save(self, s: list[Any]) -> None: ...
    def step(self, code: int) -> None: ...
    def values(self, which: int = 0) -> list[tuple[int, ...]]: ...


class Thinks(Playing, Protocol):
    """A context of a compiled game whose bots are in C too."""

    def choose(self, position: Position, mind: int, rng: random.Random, seconds: float = 0) -> tuple[int, int]: ...


def difference(game: Game, c: Thinks, thinks: bool = True) -> str | None:
    """What a compiled game does otherwise than Python in a short trial; None where all is the same. `thinks`: its bots are in C too."""
    apart = Game(replace(game.ruleset, module=made(game.module.machine)))
    for seed in SEEDS:
        wrong, _ = side_by_side(apart, c, seed, DECISIONS, hashed=False, seconds=ENOUGH)
        if wrong is None and thinks:
            wrong = differing_thought(apart, c, seed)
        if wrong is not None:
            return wrong
    return None


def differing_thought(game: Game, c: Thinks, seed: Seed) -> str | None:
    """What bots think otherwise at the first decision that leaves a choice."""
    position = game.new(seed)
    try:
        position.step(0)
        while not position.over and len(position.s[OPTIONS]) < 2:
            position.step(position.s[OPTIONS][0])
        return None if position.over else thought_otherwise(position, c, (GREEDY, SMALL_SEARCH), seed, 0)
    except Exception:                                              # rules that fault say nothing of C
        return None


def thought(position: Position, mind: int, rng: random.Random) -> tuple[int, int]:
    """What a bot chooses in Python, and its work; `mind` as C calls it."""
    seat = position.s[SEAT]
    thinks = Thought(position, seat, rng) if mind == GREEDY else Search(position, seat, rng, mind)
    return thinks.choose(), thinks.used


def thought_otherwise(position: Position, c: Thinks, minds: tuple[int, ...], seed: Seed, number: int,
                      refusing: bool = True) -> str | None:
    """What one of these bots chooses otherwise in C, or with another work, or leaving another generator behind. C may be `refusing` to
    think."""
    for mind in minds:
        one, two = (generator(seed, position.s[SEAT], number) for _ in range(2))
        wanted = thought(position, mind, one)
        try:
            found = c.choose(position, mind, two)
        except (Failed, Unfit):
            if refusing:
                continue
            raise
        if wanted != found or one.getstate() != two.getstate():
            return f"seed {seed}, decision {number}, bot {mind}: {wanted} in Python, {found} in C"
    return None


def side_by_side(game: Game, c: Playing, seed: Seed, most: int, hashed: bool = True, seconds: float | None = None,
                 refusing: bool = True) -> tuple[str | None, int]:
    """What differs at some decision of one random game, and how many decisions were made. With `seconds` it ends after so many of the
    processor. Where both fail, or C says that it cannot go on (unless it must not be `refusing`), nothing differs."""
    position, began = game.new(seed), time.thread_time()
    choices = list(game.module.initial)
    choices[RANDOM] = seed if isinstance(seed, int) else 1
    code, number = 0, 0
    try:
        c.load(position.s)
    except (Failed, Unfit) as failed:
        return None if refusing else f"seed {seed}: C does not load: {failed}", 0
    while True:
        fault, why = stepped(position, c, code)
        if fault is not None and why is not None or why in UNABLE and refusing:
            return None, number
        wrong = (f"fault {fault!r} in Python, {why} in C" if fault is not None or why is not None
                 else differs(c, position, hashed and number % HASHED == 0))
        if wrong is not None:
            return f"seed {seed}, decision {number}: {wrong}", number
        if position.over or number == most or seconds is not None and number >= FEW and time.thread_time() - began > seconds:
            return None, number
        codes = position.s[OPTIONS]
        code = codes[below(choices, len(codes))]
        number += 1


def stepped(position: Position, c: Playing, code: int) -> tuple[Exception | None, str | None]:
    """How Python and C fail at a step; None and None where neither does."""
    fault: Exception | None = None
    why: str | None = None
    try:
        position.step(code)
    except Exception as error:                                     # whatever it is, it is a fault of the rules
        fault = error
    try:
        c.step(code)
    except Failed as failed:
        why = str(failed)
    return fault, why


def standing(position: Position) -> list[tuple[int, ...]] | None:
    """The standing of all seats; None where the rules fail, as they may before everything is set up."""
    try:
        return [tuple(int(value(position.s, seat)) for value in position.game.module.standing) for seat in range(position.game.players)]
    except Exception:
        return None


def estimates(position: Position) -> list[tuple[int, ...]] | None:
    """The same of the estimate."""
    try:
        return [(position.estimate(seat),) for seat in range(position.game.players)]
    except Exception:
        return None


def values(c: Playing, which: int) -> list[tuple[int, ...]] | str:
    """The same in C; how it failed where it did."""
    try:
        return c.values(which)
    except Failed as failed:
        return str(failed)


def same_values(one: list[tuple[int, ...]] | None, other: list[tuple[int, ...]] | str) -> bool:
    """Whether C gives what Python gives, or fails as that does, or cannot say."""
    return one is None if isinstance(other, str) and other not in UNABLE else isinstance(other, str) or one == other


def same_entries(one: Position, other: Position) -> bool:
    """Whether all is equal from which the canonical form and the digest are made: told without making them."""
    game, a, b = one.game, one.s, other.s
    if a[CONTROL:game.states_end] != b[CONTROL:game.states_end] or any(a[entry] != b[entry] for entry in (PC, RANDOM, ROUND, SEAT)):
        return False
    pc = a[PC]
    while pc in game.module.waits:                                 # in the frames: what is alive, and where each goes on
        wait = game.module.waits[pc]
        if a[wait.return_slot] != b[wait.return_slot] or any(a[alive.slot] != b[alive.slot] for alive in wait.live):
            return False
        pc = a[wait.return_slot]
    return True


def differs(c: Playing, position: Position, hashed: bool = True) -> str | None:
    """In what a position in C differs from that in Python. Not `hashed`: digests are only made where entries are not equal one by one."""
    s = list(position.s)
    s[EVENTS] = None
    c.save(s)
    other = Position(position.game, s)
    same = same_entries(position, other)
    for what, one, two in (
        ("options", list(position.s[OPTIONS]), list(s[OPTIONS])),
        ("canonical form", *((0, 0) if same else (position.canonical(), other.canonical()))),
        ("digest", *((0, 0) if same and not hashed else (position.digest(), other.digest()))),
    ):
        if one != two:
            return f"{what}: {one} in Python, {two} in C"
    for what, found, in_c in (("standing", standing(position), values(c, 0)), ("estimates", estimates(position), values(c, 1))):
        if not same_values(found, in_c):
            return f"{what}: {found} in Python, {in_c} in C"
    return None
