"""`ludoglot debug`: prints the output of one compiler stage, for a whole game or for the rule around one line.

`debug step` opens an interactive debugger instead (`debug_step.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ..cli.console import LocalizedConsole, UsageError
from ..cli.loading import load_game, parse_settings
from ..cli.localized_click import (
    Decorated,
    IntParam,
    LocalizedGroup,
    argument,
    lang_option,
    option,
    pack_option,
    players_option,
    setting_option,
)
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.game.ruleset import Ruleset

# Stages of the compiler (`dump.STAGES`); named here so that the help page loads no compiler.
STAGE_NAMES = ("tokens", "tree", "core", "machine", "python", "c", "kept")

debug_command = LocalizedGroup("debug")


def rule_options(function: Decorated) -> Decorated:
    """Adds the options that select the rules of a game."""
    for add in (lang_option, pack_option, setting_option, players_option):
        function = add(function)
    return function


def add_stage_command(stage: str) -> None:
    """Adds the subcommand that prints the output of a stage."""
    @debug_command.action(stage)
    @argument("game")
    @argument("place", required=False)
    @rule_options
    @click.pass_obj
    def stage_command(
        console: LocalizedConsole,
        game: str,
        place: str | None,
        players: int | None,
        settings: tuple[str, ...],
        pack_sources: tuple[str, ...],
    ) -> int:
        loaded = load_game(console, game, players, parse_settings(settings), locate_packs(pack_sources))
        return print_stage(console, stage, loaded.game.ruleset, place)


for name in STAGE_NAMES:
    add_stage_command(name)


@debug_command.action("step")
@argument("game")
@argument("scenario", required=False)
@option("--seed", type=IntParam(), word="number", default=0)
@rule_options
@click.pass_obj
def step_command(
    console: LocalizedConsole,
    game: str,
    scenario: str | None,
    players: int | None,
    settings: tuple[str, ...],
    seed: int,
    pack_sources: tuple[str, ...],
) -> int:
    from .debug_step import run_debugger
    packs = locate_packs(pack_sources)
    return run_debugger(console, load_game(console, game, players, parse_settings(settings), packs), scenario, seed, packs)


def print_stage(console: LocalizedConsole, stage: str, ruleset: Ruleset, place: str | None) -> int:
    """Prints the output of a stage for all rules, or for the rule at a place. Raises UsageError."""
    from ...dsl.tools.dump import STAGES
    text = STAGES[stage](ruleset, parse_rule_place(ruleset, place) if place is not None else None)
    if place is not None and not text:
        raise UsageError("debug.nothing", place=place)
    console.print_line(text)
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
