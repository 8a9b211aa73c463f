"""Checks numbers that are computed from other data: counts and sums, for each variant and with packs."""

from __future__ import annotations

import pytest

from .conftest import make_pack, try_load_game


@pytest.fixture
def kiosk_with_counts(kiosk):
    data = kiosk / "game.yaml"
    text = data.read_text().replace("days: 2}", "days: 2, cakes: {count: Cake}, prices: {sum: Cake.price}, worth: {sum: Coupon.worth}, "
                                    "coupons: {count: Coupon}, skies: {count: Weather}, all: {count: Player}}")
    text = text.replace("small: {n: 2, worth: 1}", "small: {n: {count: Cake}, worth: {by: players, 2: 1, else: 3}}")
    data.write_text(text, encoding="utf-8")
    return kiosk


def get_numbers(folder, *packs, players=None) -> list[int]:
    game, found = try_load_game(folder, *packs, players=players)
    assert game is not None, found
    return [game.model.numbers[name] for name in ("cakes", "prices", "worth", "coupons", "skies", "all")]


@pytest.mark.long
def test_computed_numbers_follow_the_data(kiosk_with_counts):
    assert get_numbers(kiosk_with_counts) == [2, 4, 2, 2, 2, 2]
    assert get_numbers(kiosk_with_counts, players=3) == [2, 4, 6, 2, 2, 3]


def test_computed_numbers_follow_packs(kiosk_with_counts):
    added = "add: {Cake.tart: {name: tart}, Coupon.large: {n: 1, worth: 5}}\nrules: 'proc effect[tart](player): stop'"
    tart = make_pack(f"{added}\nset: {{Cake.pie.price: 7}}")
    assert get_numbers(kiosk_with_counts, tart) == [3, 9, 8, 4, 2, 2]
    other = make_pack("set: {cakes: 9, skies: {by: players, 2: {count: Cake}, else: 1}}")
    assert get_numbers(kiosk_with_counts, other) == [9, 4, 2, 2, 2, 2]


@pytest.mark.parametrize(("value", "meant"), [
    ("{count: Cak}", "Cake"), ("{sum: Cake}", ""), ("{sum: Cake.prise}", "Cake.price"), ("{count: Cake.price}", ""), ("{count: Cell}", ""),
    ("{sum: Weather.price}", ""),
])
def test_invalid_formulas_are_reported(kiosk_with_counts, value, meant):
    _, found = try_load_game(kiosk_with_counts, make_pack(f"set: {{purse: {value}}}"))
    assert [(one.code, one.args["meant"], one.place.line) for one in found] == [("G028", meant, 3)]


def test_circular_sum_is_reported(kiosk_with_counts):
    _, found = try_load_game(kiosk_with_counts, make_pack("set:\n  Cake.pie.price: {sum: Cake.price}"))
    assert {one.code for one in found} == {"G028"}


def test_count_and_sum_are_valid_member_names(kiosk):
    """`count` and `sum` are not reserved words. Members may have these names."""
    data = kiosk / "game.yaml"
    data.write_text(data.read_text().replace("[sun, rain]", "[count, sum]").replace("{sun: 1}", "{count: 1}"), encoding="utf-8")
    assert try_load_game(kiosk)[0].model.start["larder"] == {"count": 1}
