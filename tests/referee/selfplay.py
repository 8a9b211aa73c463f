"""Plays random games of the referees, and checks that they reach the end and that no piece is lost.

    python tests/referee/selfplay.py [--games 50] [--seed 1]

In Dominant Species, uniform random play lets every animal die out, and then the game never ends (hu 20: it ends with Ice Age). So there
are two kinds of random player: `choose_evenly`, stopped after some time, and `prefer_eventful_options`, which prefers options that keep
animals alive.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from referee import components as printed
from referee.classics import GAMES
from referee.decision_protocol import Asking
from referee.dominant_species import Referee

DECISIONS_AT_MOST = 5_000

Chooser = Callable[[int, str, list[str]], str]


def random_options(players: int, rng: random.Random) -> dict[str, str | bool]:
    """Returns options, each with a non-default value half of the time."""
    options = {name: rng.choice(values) for name, values in printed.OPTIONS.items()}
    return options if players in printed.SEVERAL else options | {"animals_each": "one"}


def random_start(players: int, options: dict[str, str | bool], rng: random.Random) -> dict[str, Any]:
    """Returns animals, tiles, cards, and display at random (set-up, A, E, G, H, K to M; hu 17)."""
    each = printed.SEVERAL[players] if options["animals_each"] == "several" else 1
    animals = rng.sample(printed.ANIMALS, players * each)
    usual = options["first_earth"] == "usual"
    tiles = list(Counter(printed.STACKED if usual else printed.LARGE_TILES).elements())
    rng.shuffle(tiles)
    terrain = printed.FIRST_TERRAIN if usual else {tile: tiles.pop() for tile in printed.FIRST_TERRAIN} | {printed.CENTRE: "tundra"}
    height = printed.STACK_HEIGHT
    stack = {name: tiles[n * height : (n + 1) * height] for n, name in enumerate(printed.STACKS)}
    cards = [card for card in printed.cards_of(str(options["length"])) if card != "ice_age"]
    rng.shuffle(cards)
    deck = ["ice_age", *cards]
    discs = Counter(dict.fromkeys(printed.ELEMENTS, printed.DISCS_EACH))
    disc = printed.FIRST_DISC if usual else dict(zip(printed.FIRST_DISC, rng.sample(list(discs.elements()), len(printed.FIRST_DISC))))
    discs -= Counter(disc.values())
    drawn = rng.sample(list(discs.elements()), printed.LEAVES * len(printed.LEAF_ROWS))
    return {
        "keeper": {animal: number % players for number, animal in enumerate(animals)},
        "terrain": terrain,
        "disc": disc,
        "open": {name: tiles.pop() for name, tiles in stack.items()},
        "stack": stack,
        "market": [deck.pop() for _ in range(printed.MARKET_PLACES)],
        "deck": deck,
        "tray": {action: dict(Counter(drawn[n :: len(printed.LEAF_ROWS)])) for n, action in enumerate(printed.LEAF_ROWS)},
    }


def new_referee(players: int, rng: random.Random) -> Referee:
    options = random_options(players, rng)

    def draw() -> str:
        return rng.choice(sorted(referee.bag.elements()))

    referee = Referee(random_start(players, options, rng), draw, options)
    return referee


# ---------------------------------------------------------------- random players


def choose_evenly(rng: random.Random) -> Chooser:
    return lambda seat, key, options: rng.choice(options)


LIKED_SECTIONS = {"domination": 6.0, "speciation": 4.0, "abundance": 3.0, "adaptation": 3.0, "wanderlust": 2.0, "competition": 0.5}
# Cards that make cubes leave tiles. After Hibernation, sleeping and waking cubes must then be distinguished.
STIRRING = {"biomass", "catastrophe", "cold_snap", "evolution", "ice_sheet", "immigrants", "mass_exodus", "predator"}


def prefer_eventful_options(referee: Referee, rng: random.Random) -> Chooser:
    """Returns a chooser of random options. It prefers tiles where the animal can live, tiles with a dominant animal, and sleeping cubes."""

    def match(seat: int, tile: str) -> int:
        return max(referee.match(animal, tile) for animal, keeper in referee.keeper.items() if keeper == seat)

    def sleeps(tile: str) -> bool:
        return any(referee.asleep[animal][tile] for animal in referee.animals)

    def stirs(seat: int, key: str, name: str, value: str) -> bool:
        """Whether an option puts sleeping cubes next to waking ones of their kind, or removes cubes from a tile with sleeping ones."""
        if key == "effect[hibernation].tile":
            return any(referee.lives(animal, value) for animal, keeper in referee.keeper.items() if keeper == seat)
        if name == "card":
            return value == "hibernation" or (value in STIRRING and any(map(sleeps, referee.earth())))
        if name == "victim":
            return any(referee.asleep[value].values())
        return name == "tile" and sleeps(value)

    def weight(seat: int, key: str, option: str) -> float:
        name, _, value = option.partition("=")
        if option == "decline":
            return 0.3
        return liking(seat, key, name, value) * (6.0 if stirs(seat, key, name, value) else 1.0)

    def liking(seat: int, key: str, name: str, value: str) -> float:
        if key == "planning.space":
            return LIKED_SECTIONS.get(value.rpartition("_")[0], 1.0)
        if key == "perform[domination].tile":
            return 20.0 if referee.dominant(value) else 1.0
        if key == "perform[speciation].corner":
            return 1.0 + 3 * sum(match(seat, tile) > 0 for tile in referee.tiles_at(value))
        if name in ("tile", "target") and value in referee.terrain:
            return 1.0 + match(seat, value)
        return 1.0 + int(value) if name == "n" else 1.0

    return lambda seat, key, options: rng.choices(options, [weight(seat, key, option) for option in options])[0]


def play(asking: Asking[None], choose: Chooser, check: Callable[[], None] = lambda: None) -> Counter[str] | None:
    """Plays to the end and returns how often each key was asked, or None if the game was stopped."""
    asked: Counter[str] = Counter()
    try:
        seat, key, options = next(asking)
        while asked.total() < DECISIONS_AT_MOST:
            assert len(options) > 1 and len(set(options)) == len(options), (key, options)
            check()
            asked[key] += 1
            seat, key, options = asking.send(choose(seat, key, options))
    except StopIteration:
        check()
        return asked
    return None


# ---------------------------------------------------------------- invariants after every decision


def check_conservation(referee: Referee) -> None:
    """Checks that every cube, pawn, disc, tile, and card is in exactly one place (hu 2, it 1)."""
    position = referee.snapshot()
    boxed = printed.CUBES_EACH - printed.FIRST_CUBES[len(referee.animals)] + 1  # with the cube that marks points
    for animal in referee.animals:
        cubes = position["cubes"][animal]
        assert set(cubes) <= set(position["terrain"]), (animal, cubes)
        assert position["pool"][animal] + position["lost"][animal] + sum(cubes.values()) + boxed == printed.CUBES_EACH, animal
        standing = list(position["pawn"].values()).count(animal)
        pawns = position["pawns"][animal] + position["spare"][animal] + standing
        assert pawns == printed.PAWNS_EACH[str(referee.options["pawn_limit"])], animal
        assert 0 <= referee.elements(animal) <= printed.SLOTS, animal
        assert all(0 <= sleepers <= referee.cubes[animal][tile] for tile, sleepers in referee.asleep[animal].items()), animal
    _check_discs(position)
    tundra = list(position["terrain"].values()).count("tundra")
    assert tundra + position["glaciers"] == 12
    tiles = Counter(position["terrain"].values()) + referee.buried + Counter(position["open"].values())
    for stack in position["stack"].values():
        tiles.update(stack)
    assert tiles - Counter(tundra=12) == Counter(printed.LARGE_TILES)
    assert sorted(position["gone"] + position["market"] + position["deck"]) == sorted(printed.cards_of(str(referee.options["length"])))
    assert sorted(position["initiative"]) == sorted(referee.animals)
    counted = [position[key] for key in ("pawns", "spare", "pool", "lost", "vp", "bag")]
    assert all(number >= 0 for numbers in counted for number in numbers.values())


def _check_discs(position: dict[str, Any]) -> None:
    discs = Counter(position["bag"]) + Counter(position["disc"].values())
    for held in [*position["tray"].values(), *position["added"].values()]:
        discs.update(held)
    assert discs == Counter(dict.fromkeys(printed.ELEMENTS, printed.DISCS_EACH)), discs


# ---------------------------------------------------------------- reports


def report_dominant_species(games: int, seed: int, players: int, lean: bool) -> Counter[str]:
    """Prints how often each key was asked in the games that ended."""
    asked: Counter[str] = Counter()
    lengths: list[int] = []
    began = time.perf_counter()
    for number in range(games):
        rng = random.Random(f"{seed} {players} {number}")
        referee = new_referee(players, rng)
        choose = prefer_eventful_options(referee, rng) if lean else choose_evenly(rng)
        counts = play(referee.decisions(), choose, lambda: check_conservation(referee))  # noqa: B023
        if counts is not None:
            assert referee.last_turn and sorted(referee.standing()) == list(range(players))
            lengths.append(counts.total())
            asked += counts
    span = f"{min(lengths)} to {max(lengths)} decisions, mean {sum(lengths) / len(lengths):.0f}" if lengths else "-"
    kind, stopped, seconds = "leaning" if lean else "even", games - len(lengths), time.perf_counter() - began
    print(f"dominant-species, {players} players, {kind}: {len(lengths)} ended ({span}), {stopped} stopped; {seconds:.1f} s")
    return asked


def report_classics(games: int, seed: int) -> None:
    for name, game in GAMES.items():
        wins: Counter[int | None] = Counter()
        for number in range(games):
            rng = random.Random(f"{seed} {name} {number}")
            referee = game()
            play(referee.decisions(), choose_evenly(rng))
            wins[referee.winner()] += 1
        print(f"{name}: {games} games; {game.names[0]} won {wins[0]}, {game.names[1]} won {wins[1]}, nobody {wins[None]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="for each game and number of players")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report_classics(options.games, options.seed)
    asked: Counter[str] = Counter()
    for players in range(2, 7):
        asked += report_dominant_species(options.games, options.seed, players, lean=True)
        report_dominant_species(max(1, options.games // 10), options.seed, players, lean=False)
    print("asked in the games that ended:", ", ".join(f"{key} {count}" for key, count in sorted(asked.items())))


if __name__ == "__main__":
    main()
