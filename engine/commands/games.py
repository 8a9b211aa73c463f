"""`ludoglot games`: lists the bundled games. Reads only the main file and the catalogue of each game.

With `--options` it lists the options of each game and their values instead of the titles."""

from __future__ import annotations

from typing import Any

import click

from ...dsl.cache import read_cached
from ..cli.console import LocalizedConsole
from ..cli.localized_click import command, json_option, lang_option, option
from ..i18n import game_localizer
from ..i18n.text_layout import table_lines, wrap_cells
from ..library.find import GAME_FILE, RULES_FOLDER, describe_game, list_game_ids


@command("games")
@option("--options", "with_options", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def games_command(console: LocalizedConsole, with_options: bool, as_json: bool) -> int:
    found = [entry for name in list_game_ids() if (entry := read_cached(RULES_FOLDER / name / GAME_FILE, describe_game)) is not None]
    if as_json:
        console.print_json(found)
        return 0
    if with_options:
        for entry in found:
            for line in option_lines(console, entry):
                console.print_line(line)
        return 0
    rows = []
    for entry in found:
        words = game_localizer(console.lang, entry["id"], RULES_FOLDER / entry["id"], {"game.name": entry["name"]})
        low, high = entry["players"]
        rows.append([entry["id"], words.text("game.name"), str(entry["version"]), str(low) if low == high else f"{low}–{high}"])
    heads = [console.text(f"column.{key}") for key in ("game", "name", "version", "players")]
    for line in table_lines([heads, *rows]):
        console.print_line(line)
    return 0


def option_lines(console: LocalizedConsole, entry: dict[str, Any]) -> list[str]:
    """Returns the id of a game and a line for each of its options, with the default first; nothing without options."""
    out = []
    for name, raw in entry["options"].items():
        usual = raw["default"]
        values = [usual, *(value for value in raw["values"] if value != usual)]
        out += wrap_cells(f"  {name}={'|'.join(str(value).lower() for value in values)}", console.width, "    ")
    return [entry["id"], *out] if out else []
