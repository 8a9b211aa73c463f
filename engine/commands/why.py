"""`ludoglot why`: answers a question about a saved game at its end, or about a new game at its first decision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..cli.console import LocalizedConsole, UsageError
from ..cli.localized_click import (
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

if TYPE_CHECKING:
    from ..library.loaded_game import LoadedGame
    from ..match.table import MatchTable


@dataclass(frozen=True)
class WhyRequest:
    """The question that the command line asks."""

    game_or_file: str
    wish: tuple[str, ...]
    players: int | None
    settings: tuple[str, ...]
    pack_sources: tuple[str, ...]
    seed: int
    view: int | None
    rules: bool
    as_json: bool


@command("why")
@argument("game_or_file")
@argument("wish", nargs=-1)
@players_option
@setting_option
@pack_option
@option("--seed", type=IntParam(), word="number", default=0)
@option("--view", type=IntParam(0), word="seat")
@option("--rules", is_flag=True)
@json_option
@lang_option
@pass_request(WhyRequest)
def why_command(console: LocalizedConsole, request: WhyRequest) -> int:
    from ..explain.answer import answer_data, answer_query, find_score_seat, list_why_lines
    from ..narration.narrator import Narrator
    table, loaded = open_table(console, request)
    if request.view is not None and request.view >= table.game.players:
        raise UsageError("usage.seat", given=request.view, last=table.game.players - 1)
    viewer = request.view if request.view is not None else table.humans[0] if len(table.humans) == 1 else None
    narrator = Narrator(loaded.game, loaded.localizer(console.lang), table.setup.names)
    asked = find_score_seat(table, narrator, " ".join(request.wish), viewer) if request.as_json else None
    if asked is not None:
        from ..explain.score_breakdown import list_score_parts
        parts = [
            {"source": part.source, "points": part.points} for part in list_score_parts(table, narrator.words.has) if part.seat == asked
        ]
        console.print_json({"answer": "score", "seat": asked, "breakdown": parts})
        return 0
    if request.as_json:
        console.print_json(answer_data(answer_query(table, narrator, " ".join(request.wish), viewer), table, loaded))
        return 0
    spoken = narrator.has_clauses and not request.rules                      # without clauses only the rule code can explain it
    for line in list_why_lines(table, loaded, narrator, " ".join(request.wish), console.width, viewer, spoken):
        console.print_line(line)
    return 0


def open_table(console: LocalizedConsole, request: WhyRequest) -> tuple[MatchTable, LoadedGame]:
    """Returns the table to ask about: a save at its end, or a new game at its first decision.

    Raises MessageError."""
    from ..cli.loading import load_game, load_save_rules, parse_settings
    from ..library.find import GAME_FILE, list_game_ids
    from ..library.load import locate_packs
    from ..match.save_file import SAVE_SUFFIX
    from ..match.setup import HUMAN, MatchSetup
    from ..match.table import MatchTable
    name = request.game_or_file
    path = Path(name)
    if name not in list_game_ids() and (path.suffix == SAVE_SUFFIX or path.is_file() and path.name != GAME_FILE):
        loaded = load_save_rules(console, path)
        return MatchTable.resume(loaded.game, path, reopen=False, former=True), loaded
    loaded = load_game(console, name, request.players, parse_settings(request.settings), locate_packs(request.pack_sources))
    count = loaded.game.players
    seats = [HUMAN, *["bot:random"] * (count - 1)]
    setup = MatchSetup(name, count, request.seed, dict(loaded.game.ruleset.settings), [], [""] * count, seats, [""] * count)
    return MatchTable.new(loaded.game, setup), loaded
