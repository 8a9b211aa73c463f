"""A game taken from the shelf: its rules ready to be played, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .find import Found, former

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ..i18n import Words
    from ..position.position import Game


@dataclass
class Loaded:
    """A game ready to be played, and the names of the house-rule packs in it."""

    found: Found
    game: Game
    houses: list[Bundle]
    house_names: list[str]

    def means(self, rules: str) -> bool:
        """Whether a save that calls its rules so was played with these: with this version of Ludoglot, or with an earlier one."""
        return rules == self.game.meaning or rules in former(self.found.folder)

    def words(self, lang: str) -> Words:
        """Its words in a language."""
        from ..i18n import game_words
        ruleset = self.game.ruleset
        laid = ruleset.source.laid
        return game_words(lang, ruleset.id, self.found.folder, {key: text for key, (text, _) in ruleset.model.texts.items()},
                          laid.texts if laid is not None else None)
