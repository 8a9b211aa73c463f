"""Counts the lines of rules and the entries of a position for the well-known games: `python bench/rule_sizes.py`.

It counts lines in the layout of `ludoglot fmt`, without comments and empty lines, in all rule files of a game. The table also shows the
number that was expected before the games were written. A fifth more is allowed. These games are longer, because they have more rules
than the estimate assumed:

  - backgammon: gammons and backgammons, the higher die, and both dice if you can use both
  - cribbage: an event for each part of the show, for heels, for go and for the last card
  - chess: the captured pieces and the lead in material, which players see next to the board
  - corridors: conditions with names, so that a refusal shows which one failed, and a test that spares most walls the search for ways
  - go: two conditions with names, so that a refusal shows which one failed, and a handicap
  - hearts: whole games to 100 with four ways to pass cards, not a single deal
  - international-draughts: the Italian order of captures, and draws after a third occurrence or 25 moves by kings
  - liars-dice: games until all dice are lost, single rounds, and sixes as jokers
  - lines-of-action: events for captures, joined pieces and blocked players
  - scopa: games to 11 with a lead of two, one def for each point, and captures card by card
  - scopone: the same for two pairs
  - snapszer: the closed stock, three wrong claims of 66, and the exchange of the trump
"""

from __future__ import annotations

import argparse
from pathlib import Path

import yaml
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.syntax.format import format_text
from ludoglot.engine.position.position import Game

RULES = Path(__file__).parent.parent / "rules"
EXPECTED = {
    "amazons": 18, "backgammon": 28, "brisca": 45, "catan": 240, "chess": 60, "corridors": 30, "cribbage": 65, "dots-and-boxes": 20,
    "english-draughts": 45, "gin-rummy": 95, "go": 26, "hanabi": 88, "hearts": 53, "international-draughts": 45, "kalah": 30,
    "liars-dice": 45, "limit-holdem": 120, "lines-of-action": 30, "mus": 130, "nine-mens-morris": 35, "oware": 40, "reversi": 18,
    "scopa": 45, "scopone": 45, "snapszer": 80, "splendor": 100, "ulti": 160, "yacht": 40,
}


def most(name: str) -> int:
    """Returns the largest number of lines without a reason: a fifth more than expected."""
    return EXPECTED[name] * 6 // 5


def lines(folder: Path) -> int:
    """Counts the lines of rules of a game."""
    files = yaml.safe_load((folder / "game.yaml").read_text(encoding="utf-8"))["rules"]
    texts = (format_text((folder / name).read_text(encoding="utf-8"), name) for name in files)
    return sum(1 for text in texts for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def entries(folder: Path) -> int:
    """Counts the entries of a position of a game with the fewest players."""
    return len(Game(load_ruleset(folder)).start(1).s)


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    print("| game | lines | expected | entries |\n|---|---|---|---|")
    for name, expected in EXPECTED.items():
        found = lines(RULES / name)
        print(f"| {name} | {found}{' (more than a fifth over)' if found > most(name) else ''} | {expected} | {entries(RULES / name)} |")


if __name__ == "__main__":
    main()
