"""`ludoglot debug`: prints the output of one compiler stage, for a whole game or for the rule around one line.

`debug step` opens an interactive debugger instead (`debug_step.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ..cli.console import LocalizedConsole, UsageError
from ..cli.loading import load_game, parse_settings
from ..cli.localized_click import IntParam, argument, command, lang_option, option, pack_option, players_option, setting_option
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.game.ruleset import Ruleset

STEP_STAGE = "step"


@command("debug")
@argument("stage")
@argument("game")
@argument("place", required=False)
@players_option
@setting_option
@option("--seed", type=IntParam(), word="number", default=0)
@pack_option
@lang_option
@click.pass_obj
def debug_command(voice: LocalizedConsole, stage: str, game: str, place: str | None, players: int | None, settings: tuple[str, ...],
                  seed: int, houses: tuple[str, ...]) -> int:
    from ...dsl.tools.dump import STAGES
    known = [*STAGES, STEP_STAGE]
    if stage not in known:
        raise UsageError("debug.unknown", name=stage, known=known, meant=did_you_mean(stage, known, LENIENT_CUTOFF))
    packs = locate_packs(houses)
    loaded = load_game(voice, game, players, parse_settings(settings), packs)
    if stage == STEP_STAGE:
        from .debug_step import run_debugger
        return run_debugger(voice, loaded, place, seed, packs)
    ruleset = loaded.game.ruleset
    text = STAGES[stage](ruleset, parse_rule_place(ruleset, place) if place is not None else None)
    if place is not None and not text:
        raise UsageError("debug.nothing", place=place)
    voice.print_line(text)
    return 0


def parse_rule_place(ruleset: Ruleset, place: str) -> tuple[str, int]:
    """Parses `FILE:LINE` or `FILE` into a rule file and a line (0 if none). The end of the path suffices.

    Raises UsageError."""
    from ...dsl.game.ruleset import rule_file_paths
    name, colon, line = place.rpartition(":")
    if not colon or not line.isascii() or not line.isdigit() or len(line) > 9:
        name, line = place, "0"
    known = [shown for shown in rule_file_paths(ruleset.source, ruleset.model) if f"/{shown}".endswith(f"/{name}")]
    if not known:
        files = list(ruleset.model.rule_files)
        raise UsageError("debug.no_file", name=name, known=files, meant=did_you_mean(name, files, LENIENT_CUTOFF))
    return known[0], int(line)
