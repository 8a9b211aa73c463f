"""Measures speed and writes the tables of docs/project/performance.md: `python bench/performance_page.py [PART ...] [--seconds 0.3]`.

A part is `games`, `heavy`, `api`, `check`, `previews`, `bots`, or `rules` (default: all parts, about fifteen minutes). Each table is
between two comments in the page. The text around the tables is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from bench import rule_sizes  # noqa: E402

PAGE = ROOT / "docs" / "project" / "performance.md"
HEAVY = [("dominant-species", 2), ("dominant-species", 4), ("dominant-species", 6), ("evolution", 4), ("trias", 4)]
CHECKED = ("dominant-species", "evolution", "trias", "chess", "hex")
PREVIEWED = ("dominant-species", "evolution", "trias")
OPPONENTS = {"greedy": "random", "hard": "greedy"}
BOT_GAMES = ("connect-four", "english-draughts", "kalah", "reversi", "trias", "evolution")
BOT_MATCHES = 40
API_GAMES = ("tic-tac-toe", "connect-four", "reversi", "hex", "backgammon", "chess")
LOCKSTEP_MATCHES = 256
OTHERS = {"openspiel": "OpenSpiel", "pydraughts": "pydraughts", "catanatron": "catanatron"}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []], help="tables to measure (default: all)")
    arguments.add_argument("--seconds", type=float, default=0.3, help="processor time for each contender of a game (default: 0.3)")
    options = arguments.parse_args()
    for part in options.parts or PARTS:
        rows = PARTS[part](options.seconds)
        PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8"), part, rows), encoding="utf-8")
        print(f"{part}: {len(rows) - 2} rows", flush=True)


def replace_table(page: str, part: str, rows: list[str]) -> str:
    """Returns the page with new rows between the comments of a part."""
    pattern = re.compile(rf"(<!-- {part} -->\n).*?(\n<!-- /{part} -->)", re.S)
    found, count = pattern.subn(lambda marks: marks[1] + "\n" + "\n".join(rows) + "\n" + marks[2], page)
    if count != 1:
        raise SystemExit(f"{PAGE} needs the comments <!-- {part} --> and <!-- /{part} --> once each")
    return found


def build_table(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Returns the lines of a Markdown table."""
    return [f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows]]


def format_number(value: float, digits: int = 3) -> str:
    """Returns a rounded number, such as 1,230 or 0.047."""
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:,.10g}"


def games_table(seconds: float) -> list[str]:
    """Measures random games of the games that another engine has, too."""
    from bench import run
    run.one_core()
    rows = []
    for name in sorted(run.openspiel.GAMES | run.pydraughts.GAMES | run.catan.GAMES):
        rates = {label: found["games_per_second"] for label, found in run.compare(name, None, seconds, turns=1).items()}
        other = next(label for label in OTHERS if label in rates)
        cells = [format_number(rates[label]) if label in rates else "–" for label in ("python", "c", other)]
        times = f"× {format_number(rates['c'] / rates[other], 2)}" if "c" in rates else "–"
        rows.append([name, *cells[:2], f"{cells[2]} ({OTHERS[other]})", times])
    return build_table(["games per second", "Python", "C", "other engine", "C compared with it"], rows)


def heavy_table(seconds: float) -> list[str]:
    """Measures decisions of random games of the large games."""
    from bench import run
    run.one_core()
    rows = []
    for name, players in HEAVY:
        found = run.compare(name, players, seconds, turns=1)
        cells = [format_number(found[label]["decisions_per_second"]) if label in found else "–" for label in ("python", "c")]
        rows.append([name, str(players), f"{found['python']['decisions_per_game']:,.0f}", *cells])
    return build_table(["decisions per second", "players", "decisions per game", "Python", "C"], rows)


def api_table(seconds: float) -> list[str]:
    """Measures decisions through the Python API, one match at a time and many in lockstep, next to OpenSpiel and Pgx."""
    from bench import api_speed
    from bench.run import one_core
    one_core()
    labels = ("Match.play by number", "OpenSpiel, own game", f"vector of {LOCKSTEP_MATCHES} in C", f"Pgx, own game, {LOCKSTEP_MATCHES}")
    rows = []
    for name in API_GAMES:
        rates = api_speed.measure(name, seconds, LOCKSTEP_MATCHES)
        found = [rates.get(label, 0.0) for label in labels]
        cells = [format_number(rate) if rate else "–" for rate in found]
        times = [f"× {format_number(found[n] / found[n + 1], 2)}" if found[n + 1] else "–" for n in (0, 2)]
        rows.append([name, *cells[:2], times[0], *cells[2:], times[1]])
    heads = ["decisions per second", "one match", "OpenSpiel", "compared", f"{LOCKSTEP_MATCHES} matches", "Pgx", "compared"]
    return build_table(heads, rows)


def check_table(seconds: float) -> list[str]:
    """Measures `ludoglot check` with empty caches, after a change, and without a change."""
    from bench import checking
    rows = [[name, *(f"{value:.1f}" for value in checking.measure(name))] for name in CHECKED]
    return build_table(["seconds", "first time", "one file changed", "nothing changed"], rows)


def previews_table(seconds: float) -> list[str]:
    """Measures how long the previews of a decision take."""
    from bench import preview_speed
    rows = []
    for name in PREVIEWED:
        cost = preview_speed.measure_previews(name, 2, 1)
        rows.append(
            [name, str(cost.decisions), *(f"{value:.0f}" for value in (cost.median, cost.percentile_95, cost.percentile_99, cost.maximum))]
        )
    return build_table(["milliseconds", "decisions", "median", "95 of 100", "99 of 100", "maximum"], rows)


def bots_table(seconds: float) -> list[str]:
    """Lets bots play each other in C, with changed seats in every game."""
    from ludoglot.dsl.game.ruleset import load_ruleset
    from ludoglot.engine.bots.native import NativeGame
    from ludoglot.engine.position.position import Game

    from bench import strength
    rows = []
    for name in BOT_GAMES:
        game = Game(load_ruleset(ROOT / "rules" / name, 2))
        native = NativeGame(game)
        native.wait()
        for bot, opponent in OPPONENTS.items():
            found = strength.measure(game, [bot, opponent], BOT_MATCHES, 1, 60, native.choose)[bot]
            share, low, high = found["victory"]
            rows.append([name, bot, opponent, f"{share:.0%}", f"{low:.0%} to {high:.0%}", f"{found['ms_median']:.1f}"])
    return build_table(["game, two players", "bot", "opponent", "share of victories", "95 % interval", "median ms per decision"], rows)


def rules_table(seconds: float) -> list[str]:
    """Counts the lines of rules and the entries of a position."""
    names = sorted(path.parent.name for path in rule_sizes.RULES.glob("*/game.yaml"))
    rows = [[name, str(rule_sizes.lines(rule_sizes.RULES / name)), str(rule_sizes.entries(rule_sizes.RULES / name))] for name in names]
    return build_table(["game", "lines of rules", "entries of a position"], rows)


PARTS: dict[str, Callable[[float], list[str]]] = {
    "games": games_table, "heavy": heavy_table, "api": api_table, "check": check_table, "previews": previews_table, "bots": bots_table,
    "rules": rules_table}

if __name__ == "__main__":
    main()
