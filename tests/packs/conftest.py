"""A small game that the tests change with packs."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import try_load_ruleset
from ludoglot.dsl.packs import PackBundle
from ludoglot.engine.position.position import Game
from tmp_files import filled

DATA = """
game: kiosk
name: The kiosk
players: 2..3
rules: [kiosk.rules]
numbers: {purse: 5, days: 2}
enums:
  Weather: [sun, rain]
  Cake:
    name: cake
    attributes: {price: int}
    defaults: {price: 1}
    members:
      bun: {name: bun, text: "Worth {price}."}
      pie: {name: pie, price: 3, text: "Worth {price}."}
pieces:
  Coupon: {attributes: {worth: int}, copies: {small: {n: 2, worth: 1}}}
tables: {bonus: {values: [0, 1, 3], from: 0}}
boards: {street: {shape: square, cells: Cell, columns: 3, rows: 1}}
start: {larder: {sun: 1}}
"""
RULES = """
state coins[Player]: 0..99 = purse
state larder[Weather]: 0..9
state sold: 0..99
state used[Coupon]: bool
state here: Cell?

phase game:
    repeat days:
        for player in Player: buy(player)               @KI-DAY-01
        close()                                         # at night

proc buy(player) by player @KI-BUY:
    choose cake in Cake where open(cake, player) or stop        @01
    effect[cake](player)                                @02
    if sold > 3 @03:
        coins[player] += 1
    else:
        sold += 1
    choose as extra @04:
        rest: sold = sold
        wait(cell in Cell): here = cell

def open(cake, player) where:
    coins[player] > 0                                   @KI-BUY-05
    cake != bun or sold >= 0

proc effect[bun](player):
    coins[player] += bun.price
proc effect[pie](player):
    coins[player] += pie.price

proc close(): sold = sold

standing player: coins[player] + bonus[sold] + count(coupon in Coupon where used[coupon])
"""


@pytest.fixture
def kiosk(tmp_path):
    return filled(tmp_path / "kiosk", {"game.yaml": DATA, "kiosk.rules": RULES})


def make_pack(text: str, name: str = "one") -> PackBundle:
    return PackBundle(f"{name}.yaml", {"house.yaml": f"house: {name}\nfor: kiosk\n{text}"})


def try_load_game(folder: Path, *packs: PackBundle, players: int | None = None) -> tuple[Game | None, list]:
    findings = DiagnosticList()
    ruleset = try_load_ruleset(folder, findings, players, pack_sources=list(packs))
    return (Game(ruleset) if ruleset is not None else None), findings.in_source_order()


def load_game(folder: Path, *packs: PackBundle, players: int | None = None) -> Game:
    game, found = try_load_game(folder, *packs, players=players)
    assert game is not None, found
    return game


def play_moves(game: Game, *spellings: str):
    """Plays these options in a game and returns the position."""
    position = game.new_position(1)
    position.run_to_decision()
    for spelling in spellings:
        option = position.decision.find(spelling)
        assert option is not None, (spelling, [one.spelling for one in position.decision.options])
        position.play(position.decision.seat, option)
    return position


def get_scores(position) -> list[int]:
    return [rank.values[0] for rank in sorted(position.standing(), key=lambda rank: rank.seat)]
