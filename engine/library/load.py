"""Load rules, ready to be played: from a game's name, a number of players, options and house-rule packs.

A wrong selection raises UsageError with a message key. Errors in the files raise RulesRejectedError with
diagnostics. The caller prints both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, RulesRejectedError, did_you_mean
from ..errors import UsageError
from .find import GameLocation, find_game_location
from .loaded_game import LoadedGame

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ...dsl.packs.source import GameSource


def locate_packs(names: Iterable[str | Path]) -> list[Path | PackBundle]:
    """Returns house-rule packs: files, folders, or installed packs by name. Raises UsageError."""
    out: list[Path | PackBundle] = []
    for name in names:
        path = Path(name).expanduser()
        if not path.exists():
            from .installed_packs import find_pack
            known = find_pack(str(name))
            if known is None:
                raise UsageError("file.missing", file=str(name))
            path = known
        out.append(path)
    return out


def load_source(location: GameLocation, pack_sources: Iterable[Path | PackBundle] = ()) -> GameSource:
    """Returns a game's data with house rules applied. Raises RulesRejectedError."""
    from ...dsl.packs import apply_packs
    from ...dsl.packs.source import read_game
    findings = DiagnosticList()
    source = read_game(location.folder, findings, location.shown)
    if source is not None:
        apply_packs(source, pack_sources, findings)
    if source is None or findings.errors:
        raise RulesRejectedError(findings)
    return source


def load_rules(
    lang: str, name: str, players: int | None, settings: Mapping[str, Any], pack_sources: Iterable[Path | PackBundle]
) -> LoadedGame:
    """Returns the compiled rules of a game for a number of players (None: the minimum), options and house rules.

    `lang` is the language of error messages. Raises UsageError and RulesRejectedError."""
    from ...dsl.game.ruleset import build_ruleset, resolve_settings
    from ..position.position import Game
    found = find_game_location(name)
    source = load_source(found, pack_sources)
    validate_players_and_options(lang, found, source, players, settings)
    findings = DiagnosticList()
    ruleset = build_ruleset(source, players or source.player_range[0], resolve_settings(source, dict(settings), findings), findings)
    if ruleset is None or findings.errors:
        raise RulesRejectedError(findings)
    return LoadedGame(
        found, Game(ruleset), [pack.bundle.as_written or pack.bundle for pack in source.packs], [pack.name for pack in source.packs]
    )


def validate_players_and_options(
    lang: str, location: GameLocation, source: GameSource, players: int | None, settings: Mapping[str, Any]
) -> None:
    """Checks that the game allows this number of players and has these options and values. Raises UsageError."""
    from ..i18n import game_localizer
    title = game_localizer(lang, source.data.get("game", location.name), location.folder, {"game.name": source.data["name"]}).text(
        "game.name"
    )
    low, high = source.player_range
    if players is not None and not low <= players <= high:
        if low == high:
            raise UsageError("usage.players_exact", game=title, wanted=low, n=players)
        raise UsageError("usage.players", game=title, low=low, high=high, n=players)
    options = source.data["options"]
    for key, value in settings.items():
        if key not in options:
            raise UsageError("usage.option", game=title, name=key, meant=did_you_mean(key, options, LENIENT_CUTOFF))
        values, said = [str(one).lower() for one in options[key]["values"]], str(value)
        if said.lower() not in values:
            meant = did_you_mean(said.lower(), values, LENIENT_CUTOFF)
            raise UsageError("usage.option_value", name=key, values=values, value=said, meant=meant)
