"""From what somebody names to rules ready to be played: a game, how many players, options, packs of house rules. What there is not is told
by a message of the engine's catalogue, what is wrong with the files by findings; whoever asked puts both into words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .find import Found, UnknownGame, find
from .loaded_game import Loaded

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ...dsl.packs.source import Source


class Misnamed(Exception):
    """There is no such thing, or the game is not played so: a message key of the engine's catalogue, and its arguments."""

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


def take_game(name: str) -> Found:
    """The game by this name or path. Raises Misnamed."""
    try:
        return find(name)
    except UnknownGame as error:
        if "/" in name or os.sep in name:
            raise Misnamed("usage.no_game_there", name=name) from None
        raise Misnamed("usage.game", name=name, meant=error.meant or "") from None


def take_packs(names: Iterable[str | Path]) -> list[Path | Bundle]:
    """Packs of house rules: files, folders, or those found by their names. Raises Misnamed."""
    out: list[Path | Bundle] = []
    for name in names:
        path = Path(name).expanduser()
        if not path.exists():
            from .installed_packs import find_pack
            known = find_pack(str(name))
            if known is None:
                raise Misnamed("file.missing", file=str(name))
            path = known
        out.append(path)
    return out


def take_source(found: Found, houses: Iterable[Path | Bundle] = ()) -> Source:
    """A game's data with its house rules laid over it. Raises Refused."""
    from ...dsl.diagnostics.diagnostic import Findings, Refused
    from ...dsl.packs import lay_packs
    from ...dsl.packs.source import read_game
    findings = Findings()
    source = read_game(found.folder, findings, found.shown)
    if source is not None:
        lay_packs(source, houses, findings)
    if source is None or findings.errors:
        raise Refused(findings)
    return source


def take(lang: str, name: str, players: int | None, settings: Mapping[str, Any], houses: Iterable[Path | Bundle]) -> Loaded:
    """The rules of a game for so many players (None: the fewest), with these options and house rules. `lang` is that of the messages.
    Raises Misnamed and Refused."""
    from ...dsl.diagnostics.diagnostic import Findings, Refused
    from ...dsl.game.ruleset import build, settings_of
    from ..position.position import Game
    found = take_game(name)
    source = take_source(found, houses)
    look_whether_it_fits(lang, found, source, players, settings)
    findings = Findings()
    ruleset = build(source, players or source.player_range[0], settings_of(source, dict(settings), findings), findings)
    if ruleset is None or findings.errors:
        raise Refused(findings)
    return Loaded(found, Game(ruleset), [pack.bundle.given or pack.bundle for pack in source.packs], [pack.name for pack in source.packs])


def look_whether_it_fits(lang: str, found: Found, source: Source, players: int | None, settings: Mapping[str, Any]) -> None:
    """Whether a game is for so many players and has these options with these values. Raises Misnamed."""
    from ..i18n import game_words
    from ..i18n.user_input import near
    title = game_words(lang, source.data.get("game", found.name), found.folder, {"game.name": source.data["name"]}).text("game.name")
    low, high = source.player_range
    if players is not None and not low <= players <= high:
        if low == high:
            raise Misnamed("usage.players_exact", game=title, wanted=low, n=players)
        raise Misnamed("usage.players", game=title, low=low, high=high, n=players)
    options = source.data["options"]
    for key, value in settings.items():
        if key not in options:
            raise Misnamed("usage.option", game=title, name=key, meant=near(key, options))
        values, said = [str(one).lower() for one in options[key]["values"]], str(value)
        if said.lower() not in values:
            raise Misnamed("usage.option_value", name=key, values=values, value=said, meant=near(said.lower(), values))
