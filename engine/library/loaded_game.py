"""A game taken from the shelf: its rules ready to be played, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .find import GameLocation, former_fingerprints

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ..i18n import Localizer
    from ..position.position import Game


@dataclass
class LoadedGame:
    """A game ready to be played, and the names of the house-rule packs in it."""

    found: GameLocation
    game: Game
    houses: list[PackBundle]
    house_names: list[str]

    def accepts_fingerprint(self, rules: str) -> bool:
        """Whether a save that calls its rules so was played with these: with this version of Ludoglot, or with an earlier one."""
        return rules == self.game.fingerprint or rules in former_fingerprints(self.found.folder)

    def localizer(self, lang: str) -> Localizer:
        """Its words in a language."""
        from ..i18n import game_localizer
        ruleset = self.game.ruleset
        laid = ruleset.source.laid
        return game_localizer(lang, ruleset.id, self.found.folder, {key: text for key, (text, _) in ruleset.model.texts.items()},
                          laid.texts if laid is not None else None)
