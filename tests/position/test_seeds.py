"""Checks seeds and random generators.

A short seed always gives the same games. The numbers drawn from a secret seed reveal nothing about the seed."""

from __future__ import annotations

import json
import random
from collections import Counter
from hashlib import blake2b

import pytest
from ludoglot.dsl.backend_python.runtime import MASK64, below, keyed64, random64
from ludoglot.dsl.storage.control_slots import RANDOM, SEAT
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.position import Position, random_playout
from ludoglot.engine.position.seeds import generator_from_seed, is_secret_seed, new_secret_seed
from shared_games import shared

SECRET = "00112233445566778899aabbccddeeff"


def make_slots(value: int) -> list[int]:
    """Returns a position of which only the generator matters."""
    s = [0] * 8
    s[RANDOM] = value
    return s


def test_splitmix64_matches_its_reference_implementation():
    """Checks the first numbers for the seed 1234567 against the reference implementation (Vigna, splitmix64.c)."""
    s = make_slots(1234567)
    assert [random64(s) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_blake2b_matches_the_rfc():
    """Checks the hash of `abc` without a key against RFC 7693, appendix A."""
    assert blake2b(b"abc").hexdigest().startswith("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1")


def test_a_secret_generator_is_a_keyed_hash_of_a_counter():
    s = make_slots(generator_from_seed(SECRET))
    key = (s[RANDOM] >> 64).to_bytes(16, "little")
    for count in range(3):
        wanted = blake2b(count.to_bytes(8, "little"), digest_size=8, key=key).digest()
        assert random64(s) == int.from_bytes(wanted, "little") and s[RANDOM] & MASK64 == count + 1
    assert s[RANDOM] >> 64 == generator_from_seed(SECRET) >> 64


def test_only_secret_seeds_give_a_key():
    assert all(generator_from_seed(seed) <= MASK64 for seed in (0, 11, -1, 1 << 32, 10**39))
    assert generator_from_seed(11) == int.from_bytes(blake2b(b"11", digest_size=8).digest(), "big")
    assert all(generator_from_seed(new_secret_seed()) > MASK64 for _ in range(20)) and generator_from_seed("0" * 32) > MASK64


def test_secret_seeds_have_128_bits_and_are_unique():
    seeds = [new_secret_seed() for _ in range(200)]
    assert len(set(seeds)) == 200 and all(is_secret_seed(seed) for seed in seeds)
    ones = sum(int(seed, 16).bit_count() for seed in seeds)
    assert abs(ones - 200 * 64) < 800                              # 10 standard deviations


@pytest.mark.parametrize("seed", ["", "11", "x" * 32, "A" * 32, "0" * 31, "0" * 33])
def test_other_texts_are_not_seeds(seed: str):
    assert not is_secret_seed(seed)
    with pytest.raises(ValueError):
        generator_from_seed(seed)


def test_bounded_draws_of_a_secret_generator_have_no_bias():
    """With a bound of three quarters of all numbers, multiplying and shifting alone would draw a third of them twice as often."""
    s, third = make_slots(generator_from_seed(SECRET)), 1 << 62
    found = Counter(below(s, 3 * third) // third for _ in range(6000))
    assert all(abs(found[part] - 2000) < 300 for part in range(3))
    assert {below(s, 6) for _ in range(200)} == set(range(6)) and below(s, 1) == 0


def test_keyed_draws_look_random():
    s = make_slots(generator_from_seed(SECRET))
    assert abs(sum(keyed64(s).bit_count() for _ in range(1000)) - 32_000) < 1300


@pytest.mark.long
def test_a_game_with_a_secret_seed_is_plain_data_and_repeatable(rules):
    game = shared(rules / "hearts")
    one, two, other = game.start(SECRET), game.start(SECRET), game.start(new_secret_seed())
    assert one == two and hash(one) == hash(two) and one.digest() == two.digest() and one != other
    random_playout(one, random.Random(1), 30)
    back = Position.from_data(game, json.loads(json.dumps(one.to_data())))
    assert back == one
    for position in (one, back):
        random_playout(position, random.Random(2), 60)
    assert back == one and back.digest() == one.digest()


def test_a_determinization_has_its_own_generator(rules):
    """Determinizations do not depend on the secret key of the match, and do not contain it."""
    game = shared(rules / "hearts")
    one = game.start(SECRET)
    two = one.copy()
    two.s[RANDOM] = generator_from_seed(new_secret_seed()) + 51
    first, second = (determinize_position(position, one.s[SEAT], random.Random(5)) for position in (one, two))
    assert first == second and first.s[RANDOM] <= MASK64


def test_randomness_of_bots_depends_on_the_seed_not_on_the_key():
    key = generator_from_seed(SECRET) >> 64
    first = [decision_rng(SECRET, seat, number).getrandbits(64) for seat in range(2) for number in range(2)]
    assert len(set(first)) == 4 and first[0] == decision_rng(SECRET, 0, 0).getrandbits(64)
    assert f"{key:032x}" != SECRET                                 # a position does not hold the seed
