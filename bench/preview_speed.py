"""Measures how long previews of moves take: `python bench/preview_speed.py [--game NAME] [--games 3] [--seed 1] [--json]`.

Plays random games in English. At each decision with several moves it computes all previews, as a table does before it asks. For each game
it prints the number of decisions, and how many of them have no preview because the search would be too large. It prints the processor time
in milliseconds: the median, the 95th and 99th percentile, the maximum, and how many decisions took more than 100. Without `--game` it
measures all shipped games. Previews count steps of the game (engine/preview/preview_budget.py), so their contents do not depend on the
machine.
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

NOTICEABLE_MS = 100.0                # a person does not notice a shorter time
MAX_DECISIONS = 500                  # maximum number of decisions in one game
FOR_THREE_PLAYERS = ("dominant-species", "evolution", "trias")     # the others use the fewest players


@dataclass(frozen=True)
class PreviewTimes:
    """The previews of one game, with processor times in milliseconds."""

    game: str
    decisions: int
    without_preview: int
    median: float
    percentile_95: float
    percentile_99: float
    maximum: float
    noticeable: int


def measure_previews(name: str, games: int, seed: int) -> PreviewTimes:
    """Plays random games and returns the times of their previews."""
    loaded = load_rules("en", name, 3 if name in FOR_THREE_PLAYERS else None, {}, ())
    game, narrator = loaded.game, Narrator(loaded.game, loaded.localizer("en"))
    took: list[float] = []
    without = 0
    for n in range(games):
        rng = random.Random(f"{seed}/{n}")
        position = game.start(seed + n)
        for _ in range(MAX_DECISIONS):
            decision = position.decision
            if decision is None:
                break
            if len(decision) > 1:
                began = time.process_time()
                hints, _ = OptionPreviews(decision, narrator).preview_all()
                lines = [hint.line for hint in hints.values()]
                took.append((time.process_time() - began) * 1000)
                without += not lines
            position.play(decision.seat, rng.choice(decision.options))
    took.sort()
    at = [took[min(len(took) - 1, int(len(took) * share))] for share in (0.5, 0.95, 0.99, 1)]
    return PreviewTimes(name, len(took), without, *(round(one, 1) for one in at), sum(one > NOTICEABLE_MS for one in took))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--game", action="append")
    arguments.add_argument("--games", type=int, default=3)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    for name in chosen.game or sorted(list_game_ids()):
        times = measure_previews(name, chosen.games, chosen.seed)
        print(json.dumps(asdict(times)) if chosen.json else
              f"{name:24} {times.decisions:5} decisions, {times.without_preview:4} without a preview; ms: median {times.median}, "
              f"95 % {times.percentile_95}, 99 % {times.percentile_99}, maximum {times.maximum}; "
              f"{times.noticeable} over {NOTICEABLE_MS:.0f}", flush=True)


if __name__ == "__main__":
    main()
