"""`ludoglot show`: describes a card, another member, a phase, a board, or an option of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..cli.console import LocalizedConsole
from ..cli.loading import load_game
from ..cli.localized_click import argument, command, lang_option, option, pack_option
from ..i18n.placeholders import text_placeholders
from ..i18n.template import capitalize_first
from ..i18n.text_layout import wrap_cells
from ..library.load import locate_packs
from ..library.loaded_game import LoadedGame
from ..narration.narrator import Narrator
from ..project.describe import describe_item, describe_named, find_items, item_title, list_named_items

if TYPE_CHECKING:
    from ..narration.narrator import Narrator


@command("show")
@argument("game")
@argument("name", required=False)
@option("--paths", is_flag=True)
@pack_option
@lang_option
@click.pass_obj
def show_command(console: LocalizedConsole, game: str, name: str | None, paths: bool, pack_sources: tuple[str, ...]) -> int:
    loaded = load_game(console, game, pack_sources=locate_packs(pack_sources))
    narrator = Narrator(loaded.game, loaded.localizer(console.lang))
    if paths:
        for line in settable_path_lines(loaded, narrator, name):
            console.print_line(line)
        return 0
    for line in overview_lines(loaded, narrator, console.width) if name is None else describe_named(loaded, narrator, name, console.width):
        console.print_line(line)
    return 0


def settable_path_lines(loaded: LoadedGame, narrator: Narrator, name: str | None) -> list[str]:
    """Returns the paths that a pack can `set`, each with its current value; of one thing, or of the whole game."""
    from ...dsl.packs.data_paths import value_at, value_names, value_path
    from ...dsl.yaml.yaml_edit import dump_inline
    source = loaded.game.ruleset.source
    known = value_names(source)
    if name is not None:
        inside = [path for path in known if f"{path}.".startswith(f"{name}.")]         # a path of `set`
        if not inside:
            things = [f"{thing.domain}.{thing.name}" if thing.domain else thing.name for thing in find_items(loaded, narrator, name)]
            inside = [path for path in known if any(path.startswith(f"{thing}.") for thing in things)]
        known = inside
    return [f"{path}: {dump_inline(value_at(source, where))}" for path in known if (where := value_path(source, path)) is not None]


def overview_lines(loaded: LoadedGame, narrator: object, width: int) -> list[str]:
    """Returns a description of the game and the names of everything that `show` can describe."""
    assert isinstance(narrator, Narrator)
    words, model = narrator.words, loaded.game.model
    low, high = model.player_range
    players = words.text("show.players_exact", n=low) if low == high else words.text("show.players", low=low, high=high)
    out = [words.text("game.name"), words.text("show.version", n=loaded.game.ruleset.source.version), capitalize_first(players)]
    if words.has("game.text"):
        out += wrap_cells(words.text("game.text", **text_placeholders(loaded.game.model)), width)
    groups: dict[str, list[str]] = {}
    options: list[str] = []
    for thing in list_named_items(loaded.game, narrator):
        if thing.kind == "option":
            options += describe_item(thing, loaded.game, narrator, width - 2, places=True)
            continue
        if thing.kind == "member":
            has_name = words.has(f"{thing.domain}.name")
            label = capitalize_first(words.noun(thing.domain, "pl")) if has_name else thing.domain
        else:
            label = words.text(f"show.{thing.kind}s")
        groups.setdefault(label, []).append(item_title(thing, narrator))
    for label, names in groups.items():
        out += ["", *wrap_cells(f"{label}: {', '.join(dict.fromkeys(names))}", width, "  ")]
    if options:
        out += ["", f"{words.text('show.options')}:", *(f"  {line}" for line in options)]
    return out
