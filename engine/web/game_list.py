"""The installed games, as the pages before a game show them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from ...dsl.cache import read_cached
from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.yaml.located_yaml import read_yaml
from ..i18n import Localizer, game_localizer
from ..i18n.placeholders import text_placeholders
from ..library.find import GAME_FILE, RULES_FOLDER, describe_game, list_game_ids
from .site import Site


@dataclass(frozen=True)
class GameEntry:
    """A game in the list."""

    id: str
    title: str
    players: str
    text: str
    low: int
    high: int


def read_texts(path: Path) -> dict[str, str] | None:
    """Returns the English name and text of a game, or None if its main file cannot be read."""
    document = read_yaml(path, DiagnosticList())
    if document is None or not isinstance(document.data, dict):
        return None
    return {f"game.{key}": str(document.data[key]) for key in ("name", "text") if key in document.data}


def describe(game: str) -> dict[str, Any]:
    """Returns the description of an installed game. Raises HTTPException."""
    entry: dict[str, Any] | None = read_cached(RULES_FOLDER / game / GAME_FILE, describe_game) if game in list_game_ids() else None
    if entry is None:
        raise HTTPException(404)
    return entry


def words_of(entry: dict[str, Any], lang: str) -> Localizer:
    """Returns the localizer of a described game."""
    folder = RULES_FOLDER / entry["id"]
    return game_localizer(lang, entry["id"], folder, read_cached(folder / GAME_FILE, read_texts) or {})


def view_game(site: Site, entry: dict[str, Any], lang: str) -> GameEntry:
    """Returns the list entry of a game. If its text contains numbers of the rules, these are compiled."""
    words, (low, high) = words_of(entry, lang), entry["players"]
    text = words.text("game.text") if words.has("game.text") else ""
    if words.names("game.text"):
        loaded, lock = site.store.rules.load(entry["id"], low, {})
        with lock:
            text = words.text("game.text", **text_placeholders(loaded.game.model))
    return GameEntry(entry["id"], words.text("game.name"), str(low) if low == high else f"{low}–{high}", text, low, high)
