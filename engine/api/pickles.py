"""Pickles of games and matches, for programs that send them to other processes.

A pickle contains no compiled rules. Rules are pickled as their name, options and house rules, and are loaded
again. A match is pickled like a save: as its set-up and its decisions, which are played again. So a pickle
contains everything that is hidden in the match."""

from __future__ import annotations

import copyreg
from typing import Any

from ..library.load import load_rules
from ..library.loaded_game import LoadedGame
from ..match.saved_packs import pack_entries, restore_packs
from ..match.setup import MatchSetup, SavedDecision
from ..match.table import MatchTable
from ..position.position import Position
from .errors import ApiError, engine_sentence, raise_api_errors
from .loading import Game
from .match import Match

LANG = "en"                          # language of error messages while a pickle is read, since rules have none


def reduce_rules(rules: LoadedGame) -> tuple[Any, ...]:
    """Returns how pickle stores loaded rules: name, options and house rules."""
    game, packs = rules.game, pack_entries(rules.pack_sources, rules.house_names)
    return reload_rules, (rules.found.name_in_saves, game.players, dict(game.ruleset.settings), packs, game.fingerprint)


def reload_rules(name: str, players: int, options: dict[str, Any], packs: list[dict[str, Any]], meaning: str) -> LoadedGame:
    """Returns the rules that a pickle names. Raises ApiError if they are missing or have changed."""
    with raise_api_errors(LANG):
        rules = load_rules(LANG, name, players, options, restore_packs(packs))
    if not rules.accepts_fingerprint(meaning):
        raise ApiError(engine_sentence(LANG, "api.other_rules", game=Game(rules, LANG).title()))
    return rules


def reduce_match(match: Match) -> tuple[Any, ...]:
    """Returns how pickle stores a match. A sampled match has no decisions, so its position is stored."""
    decisions, position = ([], match.position.to_data()) if match.is_sample else (match.decisions(), None)
    return restore_match, (match.loaded, match.lang, match.setup, decisions, position)


def restore_match(
    rules: LoadedGame, lang: str, setup: MatchSetup, decisions: list[SavedDecision], position: dict[str, Any] | None
) -> Match:
    """Returns the match of a pickle. Raises ApiError if its decisions cannot be played again."""
    with raise_api_errors(lang):
        table = MatchTable.new(rules.game, setup)
        match = Match(rules, table.replay_decisions(setup, decisions) if decisions else table, lang)
    if position is not None:
        match.continue_from(Position.from_data(rules.game, position))
    return match


def register() -> None:
    """Registers the functions that pickle loaded rules and matches."""
    copyreg.pickle(LoadedGame, reduce_rules)
    copyreg.pickle(Match, reduce_match)
