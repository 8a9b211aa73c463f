from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import build_ruleset
from ludoglot.dsl.packs import apply_packs
from ludoglot.dsl.packs.source import read_game
from ludoglot.engine.lab.plan import LOADED_GAMES, RulesetSpec
from ludoglot.engine.position.position import Game
from tmp_files import filled

GAME = """\
game: market
name: Market
players: 2
rules: [market.rules]
numbers: {days: 4}
enums:
  Player: {name: player, members: {ann: {name: ann}, bea: {name: bea}}}
  Stall:
    name: stall
    attributes: {price: int}
    members:
      bread: {name: bread, price: 2}
      cheese: {name: cheese, price: 2}
      glass: {name: glass, price: 2}
"""
RULES = """\
state coins[Player]: 0..999
state day: 0..99

phase game:
    rounds until day == days:
        for player in Player:
            choose stall in Stall by player
            coins[player] += stall.price
            choose luck in 0..2 by chance
            coins[player] += luck
        day += 1

standing player: coins[player]
"""


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """Creates a game of two equal players. Each turn pays the price of a chosen stall, and random luck."""
    return filled(tmp_path / "market", {"game.yaml": GAME, "market.rules": RULES})


def load_rules(folder: Path, *pack_sources: str) -> RulesetSpec:
    """Returns the rules of a game with house rules as written after `set:`, loaded in this process."""
    packs = []
    for n, text in enumerate(pack_sources):
        packs.append(folder.parent / f"house-{n}-{abs(hash(text))}.yaml")
        packs[-1].write_text(f"house: house-{n}\nfor: {folder.name}\nset: {{{text}}}\n", encoding="utf-8")
    findings = DiagnosticList()
    source = read_game(folder, findings, str(folder))
    assert source is not None
    apply_packs(source, packs, findings)
    ruleset = build_ruleset(source, 2, {}, findings)
    assert ruleset is not None, findings.items
    game = Game(ruleset)
    rules = RulesetSpec(str(folder), 2, (), tuple(map(str, packs)), game.fingerprint)
    LOADED_GAMES[rules] = game
    return rules
