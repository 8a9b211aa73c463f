"""Checks the `repr` of API objects: what a program prints for each object."""

from __future__ import annotations

import pytest
from ludoglot.api import load

pytestmark = pytest.mark.usefixtures("shared_rules")


def test_repr_of_a_game():
    assert repr(load("hex")) == "<Game hex: 2 players>"


def test_repr_of_a_game_with_options_and_house_rules(tmp_path):
    pack = tmp_path / "few-seeds.yaml"
    pack.write_text("house: few-seeds\nfor: kalah\nset:\n  seeds_each: 2\n", encoding="utf-8")
    assert repr(load("kalah", house=[pack])) == "<Game kalah: 2 players, house few-seeds>"
    assert repr(load("hex", options={"hexagons_a_side": 7})) == "<Game hex: 2 players, hexagons_a_side=7>"


def test_repr_of_a_match():
    match = load("tic-tac-toe").start(seed=1)
    assert repr(match) == "<Match of tic-tac-toe: seat 0 decides game.cell, 9 options>"
    sample = match.sample(0)
    assert repr(sample) == "<Match of tic-tac-toe (sample): seat 0 decides game.cell, 9 options>"
    while not match.over:
        match.play(match.options[0])
    assert repr(match) == "<Match of tic-tac-toe: over>"


def test_repr_of_an_option():
    option = load("tic-tac-toe").start(seed=1).options[0]
    assert repr(option) == "<Option cell=a1>" and str(option) == "cell=a1"


def test_repr_of_a_view():
    match = load("hearts").start(seed=7)
    assert repr(match.view(0)) == f"<View of hearts for seat 0: seat 0 decides {match.decision}, 13 options>"
    assert repr(match.view(1)).endswith("hidden options>") and repr(match.view(None)).startswith("<View of hearts for a spectator: ")


def test_a_repr_reveals_no_secret():
    match = load("hearts").start()
    assert str(match.setup.seed) not in f"{match!r}{match.view(0)!r}{match.options!r}"
