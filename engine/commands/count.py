"""`ludoglot count`: how many lines of play there are to a depth, as other programs for the same game count them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.game.notation_config import FILE as NOTATION
from ..cli.console import Refusal, Usage, Voice
from ..cli.input_values import path_of
from ..cli.loading import find_game, packs_from, settings_from
from ..cli.localized_click import (
    NameList,
    WholeNumber,
    argument,
    command,
    house_option,
    json_option,
    lang_option,
    option,
    players_option,
    setting_option,
)
from ..i18n.user_input import near

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ..notation.playback import Played
    from ..position.position import Game, Position
    from ..testing.perft import Count

UNITS = ["decision", "turn"]
DEPTH = 3                            # when nobody says how deep
NOTED = re.compile(r"[/:;\[(*.]")    # a sign that stands in positions and games, and in few names of scenarios
FEW = 4                              # names of scenarios that are told


@command("count")
@argument("game")
@option("--depth", type=WholeNumber(1), word="number", default=DEPTH)
@option("--from", "scenario", word="text")
@option("--game", "which", type=WholeNumber(1), word="number")
@option("--by", "unit", word="unit", default="decision")
@option("--positions", is_flag=True)
@option("--chance", "chance", type=NameList(), word="list")
@players_option
@setting_option
@option("--seed", type=WholeNumber(0), word="number", default=1)
@house_option
@json_option
@lang_option
@click.pass_obj
def count_command(voice: Voice, game: str, depth: int, scenario: str | None, which: int | None, unit: str, positions: bool,
                  chance: list[str] | None, players: int | None, settings: tuple[str, ...], seed: int, houses: tuple[str, ...],
                  as_json: bool) -> int:
    from ..testing.perft import Thrown, counts
    if unit not in UNITS:
        raise Usage("count.by", name=unit, units=UNITS, meant=near(unit, UNITS))
    packs = packs_from(houses)
    if scenario is None or is_written(game, scenario, which):
        from ..cli.notation_io import game_from, load_to_read
        rules = load_to_read(voice, game, players, settings_from(settings), packs, scenario, which).game
        script = [thrown(rules, word) for word in chance or []]
        position = rules.start(seed, script)
        if scenario is not None:
            position = after_all(rules, game_from(voice, rules, scenario, seed, which), seed)
    else:
        for name, given in (("--players", players is not None), ("--option", bool(settings))):
            if given:
                raise Usage("count.both", option=name)
        position = reached(game, scenario, packs)
        script = [thrown(position.game, word) for word in chance or []]
    found = []
    try:
        for count in counts(position, depth, unit == "turn", positions, script):
            found.append(count)
            if not as_json:
                voice.out(" ".join(sentences(voice, count)))
            if not count.lines:                                    # and nothing deeper
                break
    except Thrown as error:
        raise Refusal("count.chance", key=error.key) from None
    if as_json:
        ruleset = position.game.ruleset
        voice.data({"game": ruleset.id, "players": position.game.players, "options": ruleset.settings, "by": unit,
                    "counts": [{"depth": count.depth, "lines": count.lines} | ({"positions": count.positions} if positions else {})
                               for count in found]})
    return 0


def sentences(voice: Voice, count: Count) -> list[str]:
    """What there is at a depth."""
    if not count.lines:
        return [voice.text("count.ended", depth=count.depth)]
    lines = [voice.text("count.lines", depth=count.depth, n=count.lines)]
    return lines if count.positions is None else [*lines, voice.text("count.positions", n=count.positions)]


def thrown(game: Game, word: str) -> int:
    """What chance is to give, by its name or as a number. Raises Usage."""
    from ..testing.perft import chance_named
    found = chance_named(game, word)
    if found is None:
        known = [member for name, _ in game.module.chances if name for member in game.model.enums[name].members]
        raise Usage("count.no_chance", name=word, meant=near(word, known))
    return found


def is_written(game: str, given: str, which: int | None) -> bool:
    """Whether what somebody counts from is a file, or a position or moves as players write them, and no name of a scenario."""
    from ..cli.notation_io import is_file
    from ..testing.scenario import read_scenarios, test_files
    found = find_game(game)
    if not (found.folder / NOTATION).is_file():
        return False
    if which is not None or is_file(path_of(given)):
        return True
    from ...dsl.diagnostics.diagnostic import Findings
    names = [scenario for path in test_files(found) for scenario in read_scenarios(path, Findings())]
    return not any(scenario.matches(given) for scenario in names) and NOTED.search(given) is not None


def after_all(game: Game, played: Played, seed: int) -> Position:
    """The position after all moves of a written game."""
    from ..notation.position_line import begun
    position = begun(game, played.start, seed)
    for spelling in played.options:
        assert position.decision is not None
        position.play(position.decision.seat, spelling)
    return position


def reached(game: str, name: str, houses: list[Path | Bundle]) -> Position:
    """The position at which the only scenario of this name stops. Raises Usage and Refusal."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ..testing.scenario import Rules, read_scenarios, test_files
    from ..testing.scenario_runner import Runner
    found = find_game(game)
    written = [scenario for path in test_files(found) for scenario in read_scenarios(path, Findings())]
    fitting = [scenario for scenario in written if scenario.name == name] or [scenario for scenario in written if scenario.matches(name)]
    if not fitting:
        raise Usage("count.no_scenario", game=found.name, name=name, meant=near(name, [scenario.name for scenario in written]))
    if len(fitting) > 1:
        names = [f"“{scenario.name}”" for scenario in fitting]
        raise Usage("count.scenarios", name=name, names=names[:FEW] + ["..."] * (len(names) > FEW))
    made, findings = Rules(found, houses).of(fitting[0])
    if made is None or findings.errors:
        raise Refusal("count.failed", name=fitting[0].name)
    runner = Runner(fitting[0], made)
    if not runner.reach().passed:
        raise Refusal("count.failed", name=fitting[0].name)
    return runner.position
