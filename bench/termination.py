"""Checks that random games end and keep every invariant: `python bench/termination.py [NAME...] --games 100 [--rounds 60] [--each]`.

Plays every game with every number of players. At each decision it checks the `always` conditions of the game. Sometimes it also checks
that save and load give the same hash, and that a copy does not change. With `--each`, it plays the default options, and then each other
value of each option.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.model.build_model import option_player_range
from ludoglot.dsl.packs.source import read_game
from ludoglot.engine.position.position import Game, Position

ROOT = Path(__file__).parent.parent


def play(game: Game, seed: int, rounds: int, every: int = 25) -> tuple[bool, int]:
    """Plays one random game with all checks. Returns whether it ended by its rules, and the number of decisions."""
    position, rng, count = game.start(seed), random.Random(seed), 0
    while not position.over and position.rounds <= rounds:
        kept = position.copy() if count % every == 0 else None
        if kept is not None:
            digest = kept.digest()
            loaded = Position.from_data(game, json.loads(json.dumps(position.to_data())))
            assert loaded.digest() == digest, f"seed {seed}: save and load changed decision {count}"
        decision = position.decision
        assert decision is not None
        position.play(decision.seat, rng.randrange(len(decision)))
        assert kept is None or kept.digest() == digest, f"seed {seed}: a copy changed at decision {count}"
        broken = position.broken_invariants()
        assert not broken, f"seed {seed}: {broken} broken by decision {count} ({decision.key})"
        count += 1
    return position.over, count


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=100, help="for each game and number of players")
    arguments.add_argument("--rounds", type=int, default=60)
    arguments.add_argument("--each", action="store_true", help="every value of every option")
    arguments.add_argument("names", nargs="*", help="games; all when none is named")
    options = arguments.parse_args()
    for folder in sorted(path.parent for path in (ROOT / "rules").glob("*/game.yaml")):
        if options.names and folder.name not in options.names:
            continue
        for players, settings in ways(folder, options.each):
            game, start = Game(load_ruleset(folder, players, settings)), time.time()
            results = [play(game, seed, options.rounds) for seed in range(options.games)]
            ended = sum(over for over, _ in results)
            mean = sum(count for _, count in results) / len(results)
            said = " ".join(f"{name}={value}" for name, value in settings.items())
            print(
                f"{folder.name} {players}p {said}: {len(results)} games, {ended} ended, {len(results) - ended} stopped"
                f" after {options.rounds} rounds,"
                f" {mean:.0f} decisions a game, {time.time() - start:.0f} s",
                flush=True,
            )


def ways(folder: Path, each: bool) -> list[tuple[int, dict]]:
    """Returns each number of players with the default options (an empty dict). With `each`, adds every other value of one option."""
    source = read_game(folder, DiagnosticList())
    assert source is not None
    options = source.data["options"]
    chosen: list[dict] = [{}]
    if each:
        chosen += [{name: value} for name, raw in options.items() for value in raw["values"] if value != raw["default"]]
    low, high = source.player_range
    found = []
    for players in range(low, high + 1):
        for settings in chosen:
            spans = [option_player_range(options[name], value) for name, value in settings.items()]
            if all(span is None or span[0] <= players <= span[1] for span in spans):
                found.append((players, settings))
    return found


if __name__ == "__main__":
    main()
