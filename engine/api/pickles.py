"""Pickles of games and matches, for programs that send them to other processes.

A pickle holds no compiled rules. Rules are pickled as their name, options and house rules, and are loaded again. A match is pickled
like a save: its set-up and its decisions, which are played again. So a pickle knows all that is hidden in the match.
"""

from __future__ import annotations

import copyreg
from typing import Any

from ..library.load import take
from ..library.loaded_game import Loaded
from ..match.saved_packs import house_entries, packs_of
from ..match.setup import SavedDecision, Setup
from ..match.table import Table
from ..position.position import Position
from .errors import ApiError, in_words, sentence
from .loading import Game
from .match import Match

LANG = "en"                          # rules have no language: the language of what goes wrong when a pickle is read


def reduce_rules(rules: Loaded) -> tuple[Any, ...]:
    """Return how pickle writes loaded rules: by name, options and house rules."""
    game, packs = rules.game, house_entries(rules.houses, rules.house_names)
    return reload_rules, (rules.found.name_in_saves, game.players, dict(game.ruleset.settings), packs, game.meaning)


def reload_rules(name: str, players: int, options: dict[str, Any], packs: list[dict[str, Any]], meaning: str) -> Loaded:
    """Return the rules that a pickle names. Raises ApiError if they are not there or have changed."""
    with in_words(LANG):
        rules = take(LANG, name, players, options, packs_of(packs))
    if not rules.means(meaning):
        raise ApiError(sentence(LANG, "api.other_rules", game=Game(rules, LANG).title()))
    return rules


def reduce_match(match: Match) -> tuple[Any, ...]:
    """Return how pickle writes a match. A sampled match has no decisions, so its position is written."""
    decisions, position = ([], match.position.to_data()) if match.is_sample else (match.decisions(), None)
    return restore_match, (match.loaded, match.lang, match.setup, decisions, position)


def restore_match(rules: Loaded, lang: str, setup: Setup, decisions: list[SavedDecision], position: dict[str, Any] | None) -> Match:
    """Return the match of a pickle. Raises ApiError if its decisions cannot be played again."""
    with in_words(lang):
        table = Table.new(rules.game, setup)
        match = Match(rules, table.again(setup, decisions) if decisions else table, lang)
    if position is not None:
        match.continue_from(Position.from_data(rules.game, position))
    return match


def register() -> None:
    """Tell pickle how loaded rules and matches are written."""
    copyreg.pickle(Loaded, reduce_rules)
    copyreg.pickle(Match, reduce_match)
