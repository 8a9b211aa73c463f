"""From what somebody names to rules ready to be played: a game, how many players, options, packs of house rules. What there is not is told
by a message of the engine's catalogue, what is wrong with the files by findings; whoever asked puts both into words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .find import GameLocation, UnknownGameError, find_game_location
from .loaded_game import LoadedGame

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ...dsl.packs.source import GameSource


class SelectionError(Exception):
    """There is no such thing, or the game is not played so: a message key of the engine's catalogue, and its arguments."""

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


def locate_game(name: str) -> GameLocation:
    """The game by this name or path. Raises Misnamed."""
    try:
        return find_game_location(name)
    except UnknownGameError as error:
        if "/" in name or os.sep in name:
            raise SelectionError("usage.no_game_there", name=name) from None
        raise SelectionError("usage.game", name=name, meant=error.meant or "") from None


def locate_packs(names: Iterable[str | Path]) -> list[Path | PackBundle]:
    """Packs of house rules: files, folders, or those found by their names. Raises Misnamed."""
    out: list[Path | PackBundle] = []
    for name in names:
        path = Path(name).expanduser()
        if not path.exists():
            from .installed_packs import find_pack
            known = find_pack(str(name))
            if known is None:
                raise SelectionError("file.missing", file=str(name))
            path = known
        out.append(path)
    return out


def load_source(found: GameLocation, houses: Iterable[Path | PackBundle] = ()) -> GameSource:
    """A game's data with its house rules laid over it. Raises Refused."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList, RulesRejectedError
    from ...dsl.packs import apply_packs
    from ...dsl.packs.source import read_game
    findings = DiagnosticList()
    source = read_game(found.folder, findings, found.shown)
    if source is not None:
        apply_packs(source, houses, findings)
    if source is None or findings.errors:
        raise RulesRejectedError(findings)
    return source


def load_rules(lang: str, name: str, players: int | None, settings: Mapping[str, Any], houses: Iterable[Path | PackBundle]) -> LoadedGame:
    """The rules of a game for so many players (None: the fewest), with these options and house rules. `lang` is that of the messages.
    Raises Misnamed and Refused."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList, RulesRejectedError
    from ...dsl.game.ruleset import build_ruleset, resolve_settings
    from ..position.position import Game
    found = locate_game(name)
    source = load_source(found, houses)
    validate_players_and_options(lang, found, source, players, settings)
    findings = DiagnosticList()
    ruleset = build_ruleset(source, players or source.player_range[0], resolve_settings(source, dict(settings), findings), findings)
    if ruleset is None or findings.errors:
        raise RulesRejectedError(findings)
    return LoadedGame(
        found, Game(ruleset), [pack.bundle.given or pack.bundle for pack in source.packs], [pack.name for pack in source.packs]
    )


def validate_players_and_options(
    lang: str, found: GameLocation, source: GameSource, players: int | None, settings: Mapping[str, Any]
) -> None:
    """Whether a game is for so many players and has these options with these values. Raises Misnamed."""
    from ..i18n import game_localizer
    from ..i18n.user_input import closest_match
    title = game_localizer(lang, source.data.get("game", found.name), found.folder, {"game.name": source.data["name"]}).text("game.name")
    low, high = source.player_range
    if players is not None and not low <= players <= high:
        if low == high:
            raise SelectionError("usage.players_exact", game=title, wanted=low, n=players)
        raise SelectionError("usage.players", game=title, low=low, high=high, n=players)
    options = source.data["options"]
    for key, value in settings.items():
        if key not in options:
            raise SelectionError("usage.option", game=title, name=key, meant=closest_match(key, options))
        values, said = [str(one).lower() for one in options[key]["values"]], str(value)
        if said.lower() not in values:
            raise SelectionError("usage.option_value", name=key, values=values, value=said, meant=closest_match(said.lower(), values))
