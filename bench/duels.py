"""Compares the engine with a referee over many random games: `python bench/duels.py --game trias --games 50`.

Prints coverage, and every disagreement with both sides of it. For the well-known games, the referees are other engines, as in
tests/conformance. `--lines` counts their lines of play instead, and compares the numbers with published ones.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

OFTEN = 50                           # games between two reports of progress
ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules"
sys.path.insert(0, str(ROOT / "tests"))

from conformance import (  # noqa: E402
    evolution,
    heavy,
    test_backgammon,
    test_brisca,
    test_chess,
    test_cribbage,
    test_draughts,
    test_gin_rummy,
    test_hanabi,
    test_hearts,
    test_liars_dice,
    test_library,
    test_limit_holdem,
    test_mus,
    test_scopa,
    test_scopone,
    test_snapszer,
    test_splendor,
    test_ulti,
    test_yacht,
    trias,
)
from conformance.oracles import compare_random_game  # noqa: E402
from ludoglot.dsl.game.ruleset import load_ruleset  # noqa: E402
from ludoglot.engine.position.position import Game, RuleError  # noqa: E402
from ludoglot.engine.testing.perft import count_perft  # noqa: E402
from shared_games import shared  # noqa: E402

# A table: its name, the game, and a function from a seed to the decisions, the keys, and whether the game ended.
Table = tuple[str, Game, Callable[[int], tuple[int, set[str], bool]]]


def dominant_species() -> Iterator[Table]:
    found = FOUND["dominant-species"][1]
    for players in range(2, 7):
        for number, settings in heavy.settings_for(players):
            game = heavy.load_variant(RULES, players, settings)
            shift = 1000 * (10 * number + players)  # otherwise two tables would often play the same game
            yield f"{players} players, options {number}", game, lambda seed, game=game, n=shift: heavy.play(game, n + seed, found=found)


def trias_readings() -> Iterator[Table]:
    for players in range(2, 6):
        for number, reading in enumerate(trias.READINGS):
            game = trias.load_variant(RULES, players, reading)
            yield f"{players} players, options {number}", game, lambda seed, game=game: (*trias.play(game, seed)[:2], True)


def evolution_settings() -> Iterator[Table]:
    for players in range(2, 9):
        for number, settings in enumerate(evolution.SETTINGS):
            game = Game(load_ruleset(RULES / "evolution", players, settings))
            yield f"{players} players, options {number}", game, lambda seed, game=game: evolution.play(game, seed)


def catan_players() -> Iterator[Table]:
    from conformance.catan import GamePair

    def play(game: Game, seed: int) -> tuple[int, set[str], bool]:
        pair = GamePair(game, seed)
        decisions = pair.play()
        FOUND["catan"][1].update(pair.seen)
        return decisions, set(), True

    for players in (3, 4):
        game = shared("catan", players)
        yield f"{players} players", game, lambda seed, game=game: play(game, seed)


# By game, each table: its name, the options, and a function that plays a seed against another engine or a plain
# referee, and returns the number of decisions or turns that it compared.
Beside = tuple[str, dict[str, str | bool], Callable[[int], int]]
WELL_KNOWN: dict[str, list[Beside]] = {
    name: [("2 players", test_library.OPTIONS.get(name, {}),
            lambda seed, name=name, oracle=oracle: compare_random_game(shared(name, 2, test_library.OPTIONS.get(name)), oracle(), seed))]
    for name, oracle in test_library.GAMES.items()
}
WELL_KNOWN |= {
    "backgammon": [(scoring, {"scoring": scoring}, lambda seed, scoring=scoring: test_backgammon.compare_random_game(seed, scoring))
                   for scoring in test_backgammon.SCORING],
    "brisca": [(style, {"style": style}, lambda seed, style=style: test_brisca.compare_random_game(style, seed)[0])
               for style in ("brisca", "briscola")],
    "chess": [("2 players", {}, lambda seed: test_chess.compare_random_game(seed)["decisions"])],
    "cribbage": [("2 players", {}, test_cribbage.compare_random_game)],
    "gin-rummy": [("2 players", {}, lambda seed: test_gin_rummy.compare_random_game(seed)["decisions"])],
    "hanabi": [("2 to 5 players", {},
                lambda seed: test_hanabi.compare_random_game(2 + seed % 4, seed, (0.5, 0.9, 0.97, 1)[seed // 4 % 4])[0])],
    "hearts": [("4 players", {}, lambda seed: test_hearts.compare_random_game(seed, seed % 2 == 1, 40)[0])],
    "international-draughts": [(style, {"style": style}, lambda seed, variant=variant: test_draughts.compare_random_game(seed, variant))
                               for variant, style in (("standard", "international"), ("italian", "italian"))],
    "liars-dice": [(cup, {"cup": cup}, lambda seed, cup=cup: test_liars_dice.compare_random_game(seed, cup)[1])
                   for cup in ("five_dice", "one_die")],
    "limit-holdem": [("2 to 6 players", {}, lambda seed: test_limit_holdem.compare_random_game(2 + seed % 5, seed, 0.1 * (seed % 4))[0])],
    "scopa": [("2 players", {}, lambda seed: test_scopa.compare_random_game(seed)[0])],
    "scopone": [(length, {"length": length}, lambda seed, length=length: test_scopone.agree(seed, length)["decisions"])
                for length in test_scopone.TARGETS],
    "mus": [(name, {}, lambda seed, choose=choose: test_mus.compare_random_game(seed, choose)["decisions"])
            for name, choose in test_mus.CHOOSERS.items()],
    "snapszer": [("2 players", {}, lambda seed: test_snapszer.compare_random_game(seed, test_snapszer.seldom)["decisions"])],
    "ulti": [(length, {"length": length}, lambda seed, length=length: test_ulti.compare_random_game(seed, length)["decisions"])
             for length in test_ulti.DEALS],
    "splendor": [("2 to 4 players", {}, lambda seed: test_splendor.compare_random_game(2 + seed % 3, seed)[0])],
    "yacht": [("2 to 6 players", {}, lambda seed: test_yacht.compare_random_game(seed, 2 + seed % 5))],
}


def well_known(name: str) -> Callable[[], Iterator[Table]]:
    def tables() -> Iterator[Table]:
        for label, settings, play in WELL_KNOWN[name]:
            yield label, shared(name, None, settings), lambda seed, play=play: (play(seed), set(), True)
    return tables


def lines() -> int:
    """Counts the lines of play of every game with published numbers, and returns how many numbers differ."""
    wrong = 0

    def compare(label: str, counted: list[int], known: list[int]) -> None:
        nonlocal wrong
        wrong += counted != known
        print(f"{label}: {' '.join(map(str, counted))}{'' if counted == known else f', but others count {known}'}", flush=True)

    for name, known in test_library.PERFT_COUNTS.items():
        compare(name, [count.lines for count in count_perft(shared(name).start(1), len(known))], known)
    for variant, known in test_draughts.PERFT_COUNTS.items():
        compare(f"draughts, {variant}, by turns", test_draughts.count_lines(variant, len(known)), known)
    for fen, known in test_chess.PERFT_COUNTS.items():
        compare(f"chess, {fen}", test_chess.count_lines(fen, known), known)
    return wrong


# Events that should occur in addition to all kinds of decision, and a count of those that did.
FOUND: dict[str, tuple[set[str], Counter[str]]] = {"dominant-species": (heavy.EXPECTED_IN_SAMPLE, Counter())}
TABLES = {"dominant-species": dominant_species, "trias": trias_readings, "evolution": evolution_settings}
TABLES |= {name: well_known(name) for name in sorted(WELL_KNOWN)}
if find_spec("catanatron"):
    from conformance.catan import EXPECTED

    FOUND["catan"], TABLES["catan"] = (EXPECTED, Counter()), catan_players


def run(name: str, games: int, first: int) -> int:
    """Plays `games` games at each table of a game, and returns the number of disagreements."""
    keys: Counter[str] = Counter()
    every: set[str] = set()
    all_games = all_decisions = disagreements = 0
    for label, game, play in TABLES[name]():
        every |= {decision.key for decision in game.module.decisions}
        start, decisions, ended, agreed = time.time(), 0, 0, 0
        for seed in range(first, first + games):
            try:
                count, seen, over = play(seed)
            except (AssertionError, RuleError) as error:
                print(f"{name}, {label}, seed {seed}: {error}", flush=True)
                continue
            agreed += 1
            decisions += count
            ended += over
            keys.update(seen)
            if agreed % OFTEN == 0:                                # shows the progress if somebody stops a long run
                print(f"{name}, {label}: {agreed} games and {decisions} decisions so far", flush=True)
        print(
            f"{name}, {label}: {agreed} of {games} games and {decisions} decisions agreed, {ended} ended, {time.time() - start:.0f} s",
            flush=True,
        )
        all_games += games
        all_decisions += decisions
        disagreements += games - agreed
    print(f"{name}: {all_games} games, {all_decisions} decisions, {disagreements} disagreements", flush=True)
    if keys:
        print(f"{len(keys)} of {len(every)} kinds of decision came up; never: {', '.join(sorted(every - set(keys))) or 'none'}")
    if name in FOUND:
        wanted, found = FOUND[name]
        print(f"{len(wanted & set(found))} of {len(wanted)} things came up; never: {', '.join(sorted(wanted - set(found))) or 'none'}")
    return disagreements


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--game", choices=TABLES, action="append", help="all of them if not said")
    arguments.add_argument("--games", type=int, default=100, help="at each table: a number of players, with a table of options")
    arguments.add_argument("--seed", type=int, default=1000)
    arguments.add_argument("--lines", action="store_true", help="lines of play instead, where others have counted them")
    options = arguments.parse_args()
    if options.lines:
        sys.exit(1 if lines() else 0)
    sys.exit(1 if sum(run(name, options.games, options.seed) for name in options.game or TABLES) else 0)


if __name__ == "__main__":
    main()
