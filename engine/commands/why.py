"""`ludoglot why`: the answer about a saved game at its end, or a new game at its first decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli.console import Refusal, Usage, Voice
from ..cli.localized_click import (
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

if TYPE_CHECKING:
    from ..library.loaded_game import Loaded
    from ..match.table import Table


@command("why")
@argument("game_or_file")
@argument("wish", nargs=-1)
@players_option
@setting_option
@house_option
@option("--seed", type=WholeNumber(), word="number", default=0)
@option("--view", type=WholeNumber(0), word="seat")
@option("--rules", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def why_command(voice: Voice, game_or_file: str, wish: tuple[str, ...], players: int | None, settings: tuple[str, ...],
                houses: tuple[str, ...], seed: int, view: int | None, rules: bool, as_json: bool) -> int:
    from ..explain.answer import data, reply, whose_score, why_lines
    from ..narration.narrator import Teller
    table, loaded = seated(voice, game_or_file, players, settings, houses, seed)
    if view is not None and view >= table.game.players:
        raise Usage("usage.seat", given=view, last=table.game.players - 1)
    viewer = view if view is not None else table.humans[0] if len(table.humans) == 1 else None
    teller = Teller(loaded.game, loaded.words(voice.lang), table.setup.names)
    asked = whose_score(table, teller, " ".join(wish), viewer) if as_json else None
    if asked is not None:
        from ..explain.score_breakdown import breakdown
        parts = [{"source": part.source, "points": part.points} for part in breakdown(table, teller.words.has) if part.seat == asked]
        voice.data({"answer": "score", "seat": asked, "breakdown": parts})
        return 0
    if as_json:
        voice.data(data(reply(table, teller, " ".join(wish), viewer), table, loaded))
        return 0
    spoken = teller.has_clauses and not rules                      # without clauses only the code can say it
    for line in why_lines(table, loaded, teller, " ".join(wish), voice.width, viewer, spoken):
        voice.out(line)
    return 0


def seated(voice: Voice, name: str, players: int | None, settings: tuple[str, ...], houses: tuple[str, ...], seed: int
           ) -> tuple[Table, Loaded]:
    """The table that is asked about: a save at its end, or a new game at its first decision. Raises Usage and Refusal."""
    from ..cli.loading import load_game, load_saved, packs_from, settings_from
    from ..library.find import MAIN, installed
    from ..match.save_file import SUFFIX
    from ..match.setup import HUMAN, SaveFault, Setup
    from ..match.table import Table
    path = Path(name)
    if name not in installed() and (path.suffix == SUFFIX or path.is_file() and path.name != MAIN):
        loaded = load_saved(voice, path)
        try:
            return Table.resume(loaded.game, path, reopen=False, former=True), loaded
        except SaveFault as error:
            raise Refusal(error.key, **error.args_) from error
    loaded = load_game(voice, name, players, settings_from(settings), packs_from(houses))
    count = loaded.game.players
    setup = Setup(name, count, seed, dict(loaded.game.ruleset.settings), [], [""] * count, [HUMAN, *["bot:random"] * (count - 1)],
                  [""] * count)
    return Table.new(loaded.game, setup), loaded
