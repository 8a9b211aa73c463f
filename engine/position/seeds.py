"""The seed from which a game begins.

A short seed is a number that a person asked for. A secret seed has 128 bits and is written as 32 hexadecimal
digits.

A short seed gives a generator with 64 bits. Somebody who tries all numbers can find the seed, and with it
everything hidden. A secret seed gives a generator with a key (dsl/backend_python/runtime.py). Its draws
reveal neither the key nor the seed."""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b

Seed = int | str
SECRET_SEED_PATTERN = re.compile("[0-9a-f]{32}")


def new_secret_seed() -> str:
    """Returns a new secret seed from the operating system's random source."""
    return secrets.token_hex(16)


def is_secret_seed(seed: object) -> bool:
    """Whether a value has the form of a secret seed."""
    return isinstance(seed, str) and SECRET_SEED_PATTERN.fullmatch(seed) is not None


def generator_from_seed(seed: Seed) -> int:
    """Returns the initial state of the random generator for a seed. Raises ValueError if the seed is a text of any
    other form."""
    if isinstance(seed, int):
        return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "big")
    if not is_secret_seed(seed):
        raise ValueError(seed)
    key = blake2b(b"position", digest_size=16, key=bytes.fromhex(seed)).digest()
    return (int.from_bytes(key, "big") or 1) << 64
