"""Load rules, ready to be played: from a game's name, a number of players, options and house-rule packs.

A wrong selection raises SelectionError with a message key. Errors in the files raise RulesRejectedError with
diagnostics. The caller prints both."""

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
    """The game, file or option does not exist, or the game cannot be played like this. Contains a message key and
    its arguments."""

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


def locate_game(name: str) -> GameLocation:
    """Returns the location of a game by its name or path. Raises SelectionError."""
    try:
        return find_game_location(name)
    except UnknownGameError as error:
        if "/" in name or os.sep in name:
            raise SelectionError("usage.no_game_there", name=name) from None
        raise SelectionError("usage.game", name=name, meant=error.meant or "") from None


def locate_packs(names: Iterable[str | Path]) -> list[Path | PackBundle]:
    """Returns house-rule packs: files, folders, or installed packs by name. Raises SelectionError."""
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
    """Returns a game's data with house rules applied. Raises RulesRejectedError."""
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
    """Returns the compiled rules of a game for a number of players (None: the minimum), options and house rules.

    `lang` is the language of error messages. Raises SelectionError and RulesRejectedError."""
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
    """Checks that the game allows this number of players and has these options and values. Raises SelectionError."""
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
