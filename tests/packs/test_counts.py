"""Checks numbers that are computed from other data: counts and sums, for each variant and with packs."""

from __future__ import annotations

import pytest

from .conftest import lay, pack


@pytest.fixture
def counted(kiosk):
    data = kiosk / "game.yaml"
    text = data.read_text().replace("days: 2}", "days: 2, cakes: {count: Cake}, prices: {sum: Cake.price}, worth: {sum: Coupon.worth}, "
                                    "coupons: {count: Coupon}, skies: {count: Weather}, all: {count: Player}}")
    text = text.replace("small: {n: 2, worth: 1}", "small: {n: {count: Cake}, worth: {by: players, 2: 1, else: 3}}")
    data.write_text(text, encoding="utf-8")
    return kiosk


def numbers(folder, *packs, players=None) -> list[int]:
    game, found = lay(folder, *packs, players=players)
    assert game is not None, found
    return [game.model.numbers[name] for name in ("cakes", "prices", "worth", "coupons", "skies", "all")]


@pytest.mark.long
def test_they_follow_the_data(counted):
    assert numbers(counted) == [2, 4, 2, 2, 2, 2]
    assert numbers(counted, players=3) == [2, 4, 6, 2, 2, 3]


def test_they_follow_packs(counted):
    added = "add: {Cake.tart: {name: tart}, Coupon.large: {n: 1, worth: 5}}\nrules: 'proc effect[tart](player): stop'"
    tart = pack(f"{added}\nset: {{Cake.pie.price: 7}}")
    assert numbers(counted, tart) == [3, 9, 8, 4, 2, 2]
    assert numbers(counted, pack("set: {cakes: 9, skies: {by: players, 2: {count: Cake}, else: 1}}")) == [9, 4, 2, 2, 2, 2]


@pytest.mark.parametrize(("value", "meant"), [
    ("{count: Cak}", "Cake"), ("{sum: Cake}", ""), ("{sum: Cake.prise}", "Cake.price"), ("{count: Cake.price}", ""), ("{count: Cell}", ""),
    ("{sum: Weather.price}", ""),
])
def test_what_cannot_be_worked_out(counted, value, meant):
    _, found = lay(counted, pack(f"set: {{purse: {value}}}"))
    assert [(one.code, one.args["meant"], one.place.line) for one in found] == [("G028", meant, 3)]


def test_a_circle_is_none(counted):
    _, found = lay(counted, pack("set:\n  Cake.pie.price: {sum: Cake.price}"))
    assert {one.code for one in found} == {"G028"}


def test_a_first_value_may_be_called_so(kiosk):
    """`count` and `sum` are not reserved words. Members may have these names."""
    data = kiosk / "game.yaml"
    data.write_text(data.read_text().replace("[sun, rain]", "[count, sum]").replace("{sun: 1}", "{count: 1}"), encoding="utf-8")
    assert lay(kiosk)[0].model.start["larder"] == {"count": 1}
