"""`ludoglot games`: lists the bundled games. Reads only the main file and the catalogue of each game."""

from __future__ import annotations

import click

from ...dsl.cache import read_cached
from ..cli.console import LocalizedConsole
from ..cli.localized_click import command, json_option, lang_option
from ..i18n.text_layout import table_lines
from ..library.find import GAME_FILE, RULES_FOLDER, describe_game, list_game_ids


@command("games")
@json_option
@lang_option
@click.pass_obj
def games_command(voice: LocalizedConsole, as_json: bool) -> int:
    found = [entry for name in list_game_ids() if (entry := read_cached(RULES_FOLDER / name / GAME_FILE, describe_game)) is not None]
    if as_json:
        voice.print_json(found)
        return 0
    from ..i18n import game_localizer
    rows = []
    for entry in found:
        words = game_localizer(voice.lang, entry["id"], RULES_FOLDER / entry["id"], {"game.name": entry["name"]})
        low, high = entry["players"]
        options = "; ".join(f"{name}={'|'.join(str(v).lower() for v in o['values'])}" for name, o in entry["options"].items())
        rows.append([entry["id"], words.text("game.name"), str(entry["version"]), str(low) if low == high else f"{low}-{high}", options])
    heads = [voice.text(f"column.{key}") for key in ("game", "name", "version", "players", "options")]
    for line in table_lines([heads, *rows]):
        voice.print_line(line)
    return 0
