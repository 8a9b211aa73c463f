"""What a game begins from: a short seed, which is a number that a person asked for, or a secret seed of 128 bits, written as 32
hexadecimal digits.

From a short seed comes a generator of 64 bits. Whoever tries all numbers finds the seed, and with it all that is hidden. From a secret
seed comes a generator with a key (dsl/backend_python/runtime.py). Nobody can work out the key or the seed from anything that is drawn.
"""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b

Seed = int | str
SECRET_SEED_PATTERN = re.compile("[0-9a-f]{32}")


def new_secret_seed() -> str:
    """A seed that nobody can guess, from the chance of the system."""
    return secrets.token_hex(16)


def is_secret_seed(seed: object) -> bool:
    """Whether this is written as a secret seed is."""
    return isinstance(seed, str) and SECRET_SEED_PATTERN.fullmatch(seed) is not None


def generator_from_seed(seed: Seed) -> int:
    """The generator of a position with which a game begins. Raises ValueError where the seed is a text of another form."""
    if isinstance(seed, int):
        return int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "big")
    if not is_secret_seed(seed):
        raise ValueError(seed)
    key = blake2b(b"position", digest_size=16, key=bytes.fromhex(seed)).digest()
    return (int.from_bytes(key, "big") or 1) << 64
