"""`ludoglot check`: everything the language can know about a game before it is played; silent when all is well."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..find import Found, installed
from .frame import argument, command, house_option, json_option, lang_option
from .loading import find_game
from .voice import Usage, Voice

if TYPE_CHECKING:
    from ...dsl.diagnostics import Findings
    from ...dsl.reading.load import Source

MANY = 40                            # variants looked at in full combination; beyond that each option by itself


@command("check")
@argument("games", nargs=-1)
@house_option
@json_option
@lang_option
@click.pass_obj
def check_command(voice: Voice, games: tuple[str, ...], houses: tuple[str, ...], as_json: bool) -> int:
    from ...dsl.diagnostics import Findings
    from .rendering import data_of, rendered
    findings = Findings()
    for house in houses:
        if not Path(house).exists():
            raise Usage("file.missing", file=house)
    for name in games or installed():
        check_game(find_game(name), [Path(house) for house in houses], findings)
    found = findings.sorted()
    if as_json:
        voice.data([data_of(d) for d in found])
    elif found:
        voice.out(rendered(voice, found))
        errors = len(findings.errors)
        voice.warn(voice.text("check.summary", errors=errors, warnings=len(found) - errors))
    return 1 if findings.errors else 0


def check_game(found: Found, houses: list[Path], findings: Findings) -> None:
    """A game for each number of players and each value of its options, its words and its scenario tests as written."""
    from ...dsl.ruleset import build
    for players, settings in variants(found, houses, findings):
        source = read(found, houses, findings)
        if source is not None:
            build(source, players, settings, findings)
    from ..scenario import read_scenarios, test_files
    for path in test_files(found):
        read_scenarios(path, findings)


def read(found: Found, houses: list[Path], findings: Findings) -> Source | None:
    """A game's data with the house rules over it, or None."""
    from ...dsl.reading.load import lay_house, read_game
    source = read_game(found.folder, findings, found.shown)
    if source is None:
        return None
    good = [lay_house(source, house, findings) for house in houses]
    return source if all(good) else None


def variants(found: Found, houses: list[Path], findings: Findings) -> list[tuple[int, dict]]:
    """What a game can be: players times options, or, where that is too much, every option by itself for every number of players."""
    from itertools import product
    source = read(found, houses, findings)
    if source is None:
        return []
    low, high = source.player_range
    options = source.data["options"]
    usual = {name: raw["default"] for name, raw in options.items()}
    every = [dict(zip(options, values)) for values in product(*(raw["values"] for raw in options.values()))]
    if len(every) * (high - low + 1) > MANY:
        every = [usual] + [{**usual, name: value} for name, raw in options.items() for value in raw["values"] if value != raw["default"]]
    return [(players, settings) for players in range(low, high + 1) for settings in every]
