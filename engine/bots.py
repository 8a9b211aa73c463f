"""Players that are programs. A bot's chances come from a generator of its own, made anew for every decision from the game's seed, the
seat and the number of the decision: so a game that was stopped and resumed goes on as it would have, and no bot ever touches or
foresees the generator of the position.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

from ..dsl.compile.runtime import RuleFault
from .position import Position
from .view import sample

MANY = 60                            # with more options than this, greedy looks at so many of them
WORST = -(1 << 62)


def generator(seed: int, seat: int, number: int) -> random.Random:
    """The generator of one decision. Only its `random()` and `getrandbits()` are used: they give the same on every Python."""
    digest = hashlib.blake2b(f"{seed}/{seat}/{number}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))


def pick(rng: random.Random, things: Any) -> Any:
    """One of `things`, each as likely."""
    return things[int(rng.random() * len(things))]


def some(rng: random.Random, things: list, count: int) -> list:
    """`count` of `things`, without repeats, in the order drawn."""
    rest = list(things)
    return [rest.pop(int(rng.random() * len(rest))) for _ in range(min(count, len(rest)))]


def choose_random(position: Position, seat: int, rng: random.Random) -> int:
    """Any option."""
    return pick(rng, position.s[2])


def choose_greedy(position: Position, seat: int, rng: random.Random) -> int:
    """The option after which the game's own estimate is best for the seat. What the seat cannot see is imagined first."""
    codes = list(position.s[2])
    if len(codes) > MANY:
        codes = some(rng, codes, MANY)
    imagined = sample(position, seat, rng)
    best: list[int] = []
    highest = WORST
    for code in codes:
        after = imagined.copy()
        try:
            after.step(code)
            value = after.estimate(seat)
        except (RuleFault, ArithmeticError, LookupError, TypeError, ValueError):
            value = WORST                                          # a rule fails on it in this imagined world; playing it would say so
        if value > highest:
            highest, best = value, []
        if value == highest:
            best.append(code)
    return pick(rng, best or codes)


Chooser = Callable[[Position, int, random.Random], int]
BOTS: dict[str, Chooser] = {"random": choose_random, "greedy": choose_greedy}
