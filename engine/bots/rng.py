"""The chances of a bot: a generator made anew for every decision from the game's seed, the seat and the number of the decision, so a game
that was stopped and resumed goes on as it would have."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

from ..position.seeds import Seed

T = TypeVar("T")


def decision_rng(seed: Seed, seat: int, number: int) -> random.Random:
    """The generator of one decision. It is made of a hash, so what a bot does tells nothing of the seed, nor the generator of the position
    of what a bot will do. Only its `random()` and `getrandbits()` are used: they give the same on every Python."""
    digest = hashlib.blake2b(f"{seed}/{seat}/{number}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))


def pick_one(rng: random.Random, things: Sequence[T]) -> T:
    """One of `things`, each as likely."""
    return things[int(rng.random() * len(things))]


def sample_without_replacement(rng: random.Random, things: list[T], count: int) -> list[T]:
    """`count` of `things`, without repeats, in the order drawn."""
    rest = list(things)
    return [rest.pop(int(rng.random() * len(rest))) for _ in range(min(count, len(rest)))]
