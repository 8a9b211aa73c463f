"""`ludoglot debug`: what each pass of the compiler made of a game, or of the rule around one line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..words.typed import near
from .frame import argument, command, house_option, lang_option, option
from .loading import load_game, settings_from
from .voice import Usage, Voice

if TYPE_CHECKING:
    from ...dsl.ruleset import Ruleset


@command("debug")
@argument("stage")
@argument("game")
@argument("place", required=False)
@option("--players", word="number", type=int)
@option("--option", "settings", multiple=True, word="setting")
@house_option
@lang_option
@click.pass_obj
def debug_command(voice: Voice, stage: str, game: str, place: str | None, players: int | None, settings: tuple[str, ...],
                  houses: tuple[str, ...]) -> int:
    from ...dsl.stages import STAGES
    if stage not in STAGES:
        raise Usage("debug.unknown", name=stage, known=list(STAGES), meant=near(stage, STAGES))
    ruleset = load_game(voice, game, players, settings_from(settings), list(map(Path, houses))).game.ruleset
    text = STAGES[stage](ruleset, asked(ruleset, place) if place is not None else None)
    if place is not None and not text:
        raise Usage("debug.nothing", place=place)
    voice.out(text)
    return 0


def asked(ruleset: Ruleset, place: str) -> tuple[str, int]:
    """A rule file and a line of it, from `FILE:LINE` or `FILE`; the end of its path is enough. Raises Usage."""
    from ...dsl.ruleset import rule_files
    name, colon, line = place.rpartition(":")
    if not colon or not line.isascii() or not line.isdigit() or len(line) > 9:
        name, line = place, "0"
    known = [shown for shown in rule_files(ruleset.source, ruleset.model) if f"/{shown}".endswith(f"/{name}")]
    if not known:
        files = list(ruleset.model.rule_files)
        raise Usage("debug.no_file", name=name, known=files, meant=near(name, files))
    return known[0], int(line)
