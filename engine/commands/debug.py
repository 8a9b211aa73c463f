"""`ludoglot debug`: what each pass of the compiler made of a game, or of the rule around one line; `debug step` plays it at a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..cli.console import Usage, Voice
from ..cli.loading import load_game, packs_from, settings_from
from ..cli.localized_click import WholeNumber, argument, command, house_option, lang_option, option, players_option, setting_option
from ..i18n.user_input import near

if TYPE_CHECKING:
    from ...dsl.game.ruleset import Ruleset

STEP = "step"


@command("debug")
@argument("stage")
@argument("game")
@argument("place", required=False)
@players_option
@setting_option
@option("--seed", type=WholeNumber(), word="number", default=0)
@house_option
@lang_option
@click.pass_obj
def debug_command(voice: Voice, stage: str, game: str, place: str | None, players: int | None, settings: tuple[str, ...],
                  seed: int, houses: tuple[str, ...]) -> int:
    from ...dsl.tools.dump import STAGES
    known = [*STAGES, STEP]
    if stage not in known:
        raise Usage("debug.unknown", name=stage, known=known, meant=near(stage, known))
    packs = packs_from(houses)
    loaded = load_game(voice, game, players, settings_from(settings), packs)
    if stage == STEP:
        from .debug_step import step
        return step(voice, loaded, place, seed, packs)
    ruleset = loaded.game.ruleset
    text = STAGES[stage](ruleset, asked(ruleset, place) if place is not None else None)
    if place is not None and not text:
        raise Usage("debug.nothing", place=place)
    voice.out(text)
    return 0


def asked(ruleset: Ruleset, place: str) -> tuple[str, int]:
    """A rule file and a line of it, from `FILE:LINE` or `FILE`; the end of its path is enough. Raises Usage."""
    from ...dsl.game.ruleset import rule_files
    name, colon, line = place.rpartition(":")
    if not colon or not line.isascii() or not line.isdigit() or len(line) > 9:
        name, line = place, "0"
    known = [shown for shown in rule_files(ruleset.source, ruleset.model) if f"/{shown}".endswith(f"/{name}")]
    if not known:
        files = list(ruleset.model.rule_files)
        raise Usage("debug.no_file", name=name, known=files, meant=near(name, files))
    return known[0], int(line)
