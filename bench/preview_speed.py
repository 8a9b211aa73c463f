"""How long does it take to say what the options would change? `python bench/preview_speed.py [--game NAME] [--games 3] [--seed 1]
[--json]`.

Random games, told in English: at every decision with several options all that would stand beside them is worked out, as it is before each
question at a table. For each game: how many decisions that were, how many were left to `try` because there was too much to look at, and the
milliseconds of the processor at half, 95 and 99 of 100 of the decisions, the most, and how many took more than 100. Without `--game`, all
games of the shelf. Steps of the game are counted (engine/preview/preview_budget.py), so the same is said
on every machine; here one sees what they cost.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import asdict, dataclass

from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.library.load import load_rules
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.preview.preview_texts import OptionPreviews

LONG = 100.0                         # milliseconds that a person does not notice
FAR = 500                            # decisions of a game
MORE = ("dominant-species", "evolution", "trias")                  # three play these; the others as few as can


@dataclass(frozen=True)
class Cost:
    """What it cost in one game, in milliseconds of the processor."""

    game: str
    decisions: int
    untold: int
    half: float
    of_100_95: float
    of_100_99: float
    most: float
    long: int


def costs(name: str, games: int, seed: int) -> Cost:
    """Play random games of a game of the shelf, and tell of each decision."""
    loaded = load_rules("en", name, 3 if name in MORE else None, {}, ())
    game, narrator = loaded.game, Narrator(loaded.game, loaded.localizer("en"))
    took: list[float] = []
    untold = 0
    for n in range(games):
        rng = random.Random(f"{seed}/{n}")
        position = game.start(seed + n)
        for _ in range(FAR):
            decision = position.decision
            if decision is None:
                break
            if len(decision) > 1:
                began = time.process_time()
                hints, _ = OptionPreviews(decision, narrator).preview_all()
                lines = [hint.line for hint in hints.values()]
                took.append((time.process_time() - began) * 1000)
                untold += not lines
            position.play(decision.seat, rng.choice(decision.options))
    took.sort()
    at = [took[min(len(took) - 1, int(len(took) * share))] for share in (0.5, 0.95, 0.99, 1)]
    return Cost(name, len(took), untold, *(round(one, 1) for one in at), sum(one > LONG for one in took))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--game", action="append")
    arguments.add_argument("--games", type=int, default=3)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    for name in chosen.game or sorted(list_game_ids()):
        cost = costs(name, chosen.games, chosen.seed)
        print(json.dumps(asdict(cost)) if chosen.json else
              f"{name:24} {cost.decisions:5} decisions, {cost.untold:4} left to try; ms: half {cost.half}, 95 of 100 {cost.of_100_95}, "
              f"99 {cost.of_100_99}, most {cost.most}; {cost.long} over {LONG:.0f}", flush=True)


if __name__ == "__main__":
    main()
