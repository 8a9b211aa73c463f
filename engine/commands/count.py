"""`ludoglot count`: perft, the number of lines of play to a depth, comparable with other programs for the
game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.game.notation_config import NOTATION_FILE as NOTATION
from ..cli.console import CommandError, LocalizedConsole, NativeNotice, UsageError
from ..cli.input_values import parse_path
from ..cli.loading import parse_settings
from ..cli.localized_click import (
    CommaList,
    IntParam,
    argument,
    command,
    json_option,
    lang_option,
    option,
    pack_option,
    pass_request,
    players_option,
    setting_option,
)
from ..library.find import find_game_location
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ..notation.playback import ReplayedRecord
    from ..position.position import Game, Position
    from ..testing.perft import PerftCount

COUNT_UNITS = ["decision", "turn"]
DEFAULT_DEPTH = 3                            # default of `--depth`
NOTATION_SIGN = re.compile(r"[/:;\[(*.]")    # a character of position and game notation, rare in scenario names
MAX_LISTED_SCENARIOS = 4                              # scenario names listed in an error message


@dataclass(frozen=True)
class CountRequest:
    """The count that the command line asks for."""

    game: str
    depth: int
    scenario: str | None
    number: int | None
    unit: str
    positions: bool
    chance: list[str] | None
    players: int | None
    settings: tuple[str, ...]
    seed: int
    pack_sources: tuple[str, ...]
    as_json: bool


@command("count")
@argument("game")
@option("--depth", type=IntParam(1), word="number", default=DEFAULT_DEPTH)
@option("--from", "scenario", word="text")
@option("--game", "number", type=IntParam(1), word="number")
@option("--by", "unit", word="unit", default="decision")
@option("--positions", is_flag=True)
@option("--chance", "chance", type=CommaList(), word="list")
@players_option
@setting_option
@option("--seed", type=IntParam(0), word="number", default=1)
@pack_option
@json_option
@lang_option
@pass_request(CountRequest)
def count_command(console: LocalizedConsole, request: CountRequest) -> int:
    if request.unit not in COUNT_UNITS:
        raise UsageError("count.by", name=request.unit, units=COUNT_UNITS, meant=did_you_mean(request.unit, COUNT_UNITS, LENIENT_CUTOFF))
    packs = locate_packs(request.pack_sources)
    if request.scenario is None or is_notation(request.game, request.scenario, request.number):
        from ..cli.notation_io import load_game_for_notation, read_game_record
        rules = load_game_for_notation(
            console, request.game, request.players, parse_settings(request.settings), packs, request.scenario, request.number
        ).game
        script = [parse_chance_value(rules, word) for word in request.chance or []]
        position = rules.start(request.seed, script)
        if request.scenario is not None:
            record = read_game_record(console, rules, request.scenario, request.seed, request.number)
            position = position_after_record(rules, record, request.seed)
    else:
        for name, given in (("--players", request.players is not None), ("--option", bool(request.settings))):
            if given:
                raise UsageError("count.both", option=name)
        position = position_at_scenario(request.game, request.scenario, packs)
        script = [parse_chance_value(position.game, word) for word in request.chance or []]
    found = []
    for count in iter_counts(console, request, position, script):
        found.append(count)
        if not request.as_json:
            console.print_line(" ".join(count_sentences(console, count)))
        if not count.lines:                                        # all lines have ended
            break
    if request.as_json:
        ruleset = position.game.ruleset
        console.print_json({"game": ruleset.id, "players": position.game.players, "options": ruleset.settings, "by": request.unit,
                    "counts": [{"depth": count.depth, "lines": count.lines} | ({"positions": count.positions} if request.positions else {})
                               for count in found]})
    return 0


def iter_counts(console: LocalizedConsole, request: CountRequest, position: Position, script: list[int]) -> Iterator[PerftCount]:
    """Yields the counts of each depth. Lines without a script and without positions are counted in C at great depths."""
    from ..testing.perft import count_perft
    turns = request.unit == "turn"
    if script or request.positions:
        yield from count_perft(position, request.depth, turns, request.positions, script)
        return
    from ..cli.batch import progress_bar
    from ..testing.native_perft import NativeRules, count_perft_fast
    rules = NativeRules(position.game)
    yield from count_perft_fast(position, request.depth, turns, rules, lambda tasks: progress_bar(console, tasks, label="count.counting"))
    if rules.is_hindered:
        assert rules.native is not None
        NativeNotice(console, [rules.native]).print_reasons()


def count_sentences(console: LocalizedConsole, count: PerftCount) -> list[str]:
    """Returns the sentences for the counts at one depth."""
    if not count.lines:
        return [console.text("count.ended", depth=count.depth)]
    lines = [console.text("count.lines", depth=count.depth, n=count.lines)]
    return lines if count.positions is None else [*lines, console.text("count.positions", n=count.positions)]


def parse_chance_value(game: Game, word: str) -> int:
    """Returns the value of a scripted chance result, given by name or as a number. Raises UsageError."""
    from ..testing.perft import parse_chance
    found = parse_chance(game, word)
    if found is None:
        known = [member for name, _ in game.module.chances if name for member in game.model.enums[name].members]
        raise UsageError("count.no_chance", name=word, meant=did_you_mean(word, known, LENIENT_CUTOFF))
    return found


def is_notation(game: str, file_or_text: str, number: int | None) -> bool:
    """Whether `--from` gives a file, or a position or moves in notation, instead of the name of a scenario."""
    from ..cli.notation_io import is_file
    from ..testing.scenario import list_scenario_files, read_scenarios
    found = find_game_location(game)
    if not (found.folder / NOTATION).is_file():
        return False
    if number is not None or is_file(parse_path(file_or_text)):
        return True
    names = [scenario for path in list_scenario_files(found) for scenario in read_scenarios(path, DiagnosticList())]
    return not any(scenario.matches(file_or_text) for scenario in names) and NOTATION_SIGN.search(file_or_text) is not None


def position_after_record(game: Game, played: ReplayedRecord, seed: int) -> Position:
    """Returns the position after all moves of a recorded game."""
    from ..notation.position_line import set_up_game
    position = set_up_game(game, played.start, seed)
    for spelling in played.options:
        assert position.decision is not None
        position.play(position.decision.seat, spelling)
    return position


def position_at_scenario(game: str, name: str, pack_sources: list[Path | PackBundle]) -> Position:
    """Returns the position at which the only scenario of this name stops. Raises UsageError and CommandError."""
    from ..testing.scenario import list_scenario_files, read_scenarios
    from ..testing.scenario_rulesets import ScenarioRulesets
    from ..testing.scenario_runner import ScenarioRunner
    found = find_game_location(game)
    written = [scenario for path in list_scenario_files(found) for scenario in read_scenarios(path, DiagnosticList())]
    fitting = [scenario for scenario in written if scenario.name == name] or [scenario for scenario in written if scenario.matches(name)]
    if not fitting:
        meant = did_you_mean(name, [scenario.name for scenario in written], LENIENT_CUTOFF)
        raise UsageError("count.no_scenario", game=found.name, name=name, meant=meant)
    if len(fitting) > 1:
        names = [f"“{scenario.name}”" for scenario in fitting]
        raise UsageError("count.scenarios", name=name, names=names[:MAX_LISTED_SCENARIOS] + ["..."] * (len(names) > MAX_LISTED_SCENARIOS))
    made, findings = ScenarioRulesets(found, pack_sources).get_game(fitting[0])
    if made is None or findings.errors:
        raise CommandError("count.failed", name=fitting[0].name)
    runner = ScenarioRunner(fitting[0], made)
    if not runner.play_without_final_check().has_passed:
        raise CommandError("count.failed", name=fitting[0].name)
    return runner.position
