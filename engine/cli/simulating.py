"""`ludoglot simulate`: many games by bots, and what was seen in them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

import click

from .frame import WholeNumber, argument, command, house_option, json_option, lang_option, option
from .loading import load_game, packs_from, settings_from
from .voice import Usage, Voice

if TYPE_CHECKING:
    from ...dsl.diagnostics import Diagnostic
    from ..position.position import Game
    from ..testing.simulate import Moment, Played, Report

PLAYED = 100                         # games, when nobody says how many


@command("simulate")
@argument("game")
@option("--games", type=WholeNumber(1), word="number", default=PLAYED)
@option("--players", type=WholeNumber(1), word="number")
@option("--option", "settings", multiple=True, word="setting")
@option("--bots", word="name", default="random")
@option("--seed", type=WholeNumber(0), word="number", default=1)
@option("--limit", type=WholeNumber(1), word="number")
@house_option
@json_option
@lang_option
@click.pass_obj
def simulate_command(voice: Voice, game: str, games: int, players: int | None, settings: tuple[str, ...], bots: str, seed: int,
                     limit: int | None, houses: tuple[str, ...], as_json: bool) -> int:
    from ..bots.bots import BOTS
    from ..testing.simulate import LIMIT, Report, simulate
    from ..words.typed import near
    from .rendering import rendered
    bot = bots.removeprefix("bot:")
    if bot not in BOTS:
        raise Usage("usage.bot", name=bots, bots=sorted(BOTS), meant=near(bot, BOTS))
    loaded = load_game(voice, game, players, settings_from(settings), packs_from(houses))
    report = Report(loaded.game.players)
    cut = limit if limit is not None else LIMIT
    report.games += watched(voice, simulate(loaded.game, games, seed, bot, cut), games)
    told = [seen(found, moment, again(game, loaded.game, bot, moment, settings, houses)) for found, moment, _ in report.faults]
    if as_json:
        voice.data(as_data(report, loaded.game, bot, seed, told))
        return 1 if told else 0
    if told:
        voice.out(rendered(voice, told))
        voice.out()
    for line in lines(voice, report, cut, names(loaded.game)):
        voice.out(line)
    return 1 if told else 0


def watched(voice: Voice, games: Iterable[Played], count: int) -> list[Played]:
    """All games, with a bar on a terminal while they are played."""
    if not sys.stderr.isatty():
        return list(games)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    out = []
    with Progress(TextColumn(voice.text("simulate.playing")), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True),
                  transient=True) as progress:
        task = progress.add_task("", total=count)
        for game in games:
            out.append(game)
            progress.advance(task)
    return out


def again(name: str, game: Game, bot: str, moment: Moment, settings: Iterable[str], houses: Iterable[str]) -> str:
    """The command line that plays a game once more."""
    words = ["ludoglot", "play", name, "--seats", ",".join([f"bot:{bot}"] * game.players)]
    words += [word for setting in settings for word in ("--option", setting)] + [word for house in houses for word in ("--house", house)]
    return " ".join([*words, "--seed", str(moment.seed)])


def seen(found: Diagnostic, moment: Moment, command_line: str) -> Diagnostic:
    """What went wrong, with the moment and the way to see it again."""
    more = {"number": moment.number, "key": moment.key, "option": moment.option, "command": command_line, "seed": moment.seed}
    return replace(found, args={**found.args, **more}, hint="seen_in_play" if moment.key else "seen_in_set_up")


def names(game: Game) -> list[str]:
    """The players as the rules call them."""
    return game.model.enums["Player"].members[:game.players]


def lines(voice: Voice, report: Report, limit: int, players: list[str]) -> list[str]:
    """The report in sentences."""
    from ..testing.simulate import interval
    out = [voice.text("simulate.games", n=len(report.games))]
    failed = sum(count for _, _, count in report.faults)
    if failed:
        out.append(voice.text("simulate.faults", n=failed))
    if report.stalled:
        out.append(voice.text("simulate.stalled", n=len(report.stalled), limit=limit, seed=report.stalled[0].seed))
    lengths, ended = report.lengths, len(report.ended)
    if not ended:
        return out
    out.append(voice.text("simulate.lengths", low=lengths[0], high=lengths[-1], middle=int(median(lengths))))

    def percent(share: float) -> str:
        return voice.words.number(round(100 * share, 1), 1)

    for seat, name in enumerate(players):
        won = report.won(seat)
        low, high = interval(won, ended)
        out.append(voice.text("simulate.seat", name=name, n=won, share=percent(won / ended), low=percent(low), high=percent(high)))
    if report.shared:
        out.append(voice.text("simulate.shared", n=report.shared))
    return out


def as_data(report: Report, game: Game, bot: str, seed: int, told: list[Diagnostic]) -> dict[str, Any]:
    """The report with the keys that programs read."""
    from ..testing.simulate import interval
    from .rendering import data_of
    lengths, ended = report.lengths, len(report.ended)
    seats = []
    for seat, name in enumerate(names(game)):
        low, high = interval(report.won(seat), ended)
        seats.append({"seat": seat, "name": name, "won": report.won(seat), "low": round(low, 4), "high": round(high, 4)})
    faults = [{"seed": moment.seed, "decision": moment.number, "key": moment.key or None, "option": moment.option or None, "games": count,
               **data_of(found)} for found, (_, moment, count) in zip(told, report.faults)]
    span = {"low": lengths[0], "median": median(lengths), "high": lengths[-1]} if lengths else None
    return {"game": game.ruleset.id, "players": game.players, "options": game.ruleset.settings, "bots": bot, "seed": seed,
            "games": len(report.games), "ended": ended, "stalled": [stalled.seed for stalled in report.stalled], "decisions": span,
            "seats": seats, "shared": report.shared, "faults": faults}
