"""Do bots look after their survival? `python bench/survival.py [--games 20] [--players 4] [--bot greedy] [--seed 1] [--c]`.

Games of Dominant Species in which the same bot sits in every seat: when each ends, and by which rule; which animals have species on earth
then, and when the others lost their last; points; what a decision cost. A game that has not ended after `--rounds` rounds is told. With
`--c` the bot thinks in C, where it chooses the same.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.bots import greedy
from ludoglot.engine.bots.greedy import BOTS
from ludoglot.engine.bots.native import NativeGame
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.position.position import Game, Position

ROOT = Path(__file__).parent.parent
QUICK = 100                          # milliseconds that a decision should take at most


class Seen:
    """What is asked of a position: the animals in play, their species on earth, their points, whether the Ice Age has come."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = list(game.model.enum_of("Animal").members)  # type: ignore[union-attr]

    def state(self, position: Position, name: str, *index: int) -> Any:
        return self.game.cells[name].get(position.s, list(index))

    def population(self, position: Position, animal: int) -> int:
        cubes = self.game.cells["cubes"]
        return sum(raw for index, raw in cubes.iter_values(position.s) if index[0] == animal)

    def animals(self, position: Position) -> list[int]:
        return [n for n in range(len(self.names)) if self.state(position, "keeper", n) >= 0]


def play(game: Game, bot: str, seed: int, rounds: int, costs: list[float], choose: Callable[..., int]) -> tuple[Position, dict[int, int]]:
    """One game; by animal the round in which it lost its last species for good."""
    position, seen, number, gone = game.start(seed), Seen(game), 0, dict[int, int]()
    round_seen = 0
    while not position.over and position.rounds <= rounds:
        decision = position.decision
        assert decision is not None
        code = decision.codes[0]
        if len(decision) > 1 or decision.kind.secret:
            start = time.process_time()
            code = choose(bot, position, decision.seat, decision_rng(seed, decision.seat, number))
            costs.append(1000 * (time.process_time() - start))
        position.step(code)
        number += 1
        if position.rounds != round_seen or position.over:
            round_seen = position.rounds
            for animal in seen.animals(position):
                if seen.population(position, animal):
                    gone.pop(animal, None)
                else:
                    gone.setdefault(animal, round_seen)
    return position, gone


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=20)
    arguments.add_argument("--players", type=int, default=4)
    arguments.add_argument("--bot", choices=BOTS, default="greedy")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--rounds", type=int, default=60)
    arguments.add_argument("--c", action="store_true", help="think in C")
    options = arguments.parse_args()
    game, costs = Game(load_ruleset(ROOT / "rules" / "dominant-species", options.players)), list[float]()
    native = NativeGame(game) if options.c else None
    if native is not None:
        native.wait()
        if native.found is None:
            arguments.error("there is no C compiler, or this game is not known to C")
    seen, alive, all_animals, ended, turns = Seen(game), 0, 0, 0, []
    for seed in range(options.seed, options.seed + options.games):
        position, gone = play(game, options.bot, seed, options.rounds, costs, greedy.choose_option if native is None else native.choose)
        animals = seen.animals(position)
        ice_age = position.over and bool(seen.state(position, "last_turn"))
        alive, all_animals, ended = alive + len(animals) - len(gone), all_animals + len(animals), ended + ice_age
        turns.append(position.rounds)
        said = ", ".join(
            f"{seen.names[n]} {seen.state(position, 'vp', n)} points, "
            + (f"gone in turn {gone[n]}" if n in gone else f"{seen.population(position, n)} species")
            for n in animals)
        print(f"seed {seed}: {'Ice Age' if ice_age else 'stopped'} after {position.rounds} turns; {said}", flush=True)
    costs.sort()
    print(
        f"{ended} of {options.games} games ended with the Ice Age, after {min(turns)} to {max(turns)} turns"
        f" (median {statistics.median(turns):.0f}); {alive} of {all_animals} animals had species on earth at the end;"
        f" a decision: median {statistics.median(costs):.1f} ms, {sum(cost < QUICK for cost in costs) / len(costs):.1%} under {QUICK} ms,"
        f" most {costs[-1]:.0f} ms")


if __name__ == "__main__":
    main()
