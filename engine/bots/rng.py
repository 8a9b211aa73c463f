"""Random generators of bots.

Each decision has its own generator, derived from the seed of the game, the seat and the number of the
decision. So a game that is stopped and resumed continues exactly as without the break."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

from ..position.seeds import Seed

T = TypeVar("T")


def decision_rng(seed: Seed, seat: int, number: int) -> random.Random:
    """Returns the generator for one decision.

    It is derived by a hash. So the choices of a bot reveal nothing about the seed, and the generator of the
    position reveals nothing about future choices of the bot. Only `random()` and `getrandbits()` are used, since
    they give the same values in every Python version."""
    digest = hashlib.blake2b(f"{seed}/{seat}/{number}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))


def pick_one(rng: random.Random, things: Sequence[T]) -> T:
    """Returns one of `things` with equal probability."""
    return things[int(rng.random() * len(things))]


def sample_without_replacement(rng: random.Random, things: list[T], count: int) -> list[T]:
    """Returns `count` of `things` without repeats, in the order drawn."""
    rest = list(things)
    return [rest.pop(int(rng.random() * len(rest))) for _ in range(min(count, len(rest)))]
