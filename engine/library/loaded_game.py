"""A loaded game: its rules, ready to be played, and its texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .find import GameLocation, former_fingerprints

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ..i18n import Localizer
    from ..position.position import Game


@dataclass(eq=False)
class LoadedGame:
    """A game ready to be played, with its location and its house-rule packs."""

    found: GameLocation
    game: Game
    pack_sources: list[PackBundle]
    house_names: list[str]
    localizers: dict[str, Localizer] = field(default_factory=dict, repr=False)          # by language

    def accepts_fingerprint(self, rules: str) -> bool:
        """Whether a save with this rules fingerprint belongs to these rules, in this or an earlier version of Ludoglot."""
        return rules == self.game.fingerprint or rules in former_fingerprints(self.found.folder)

    def localizer(self, lang: str) -> Localizer:
        """Returns the localizer of the game in a language. All matches share it."""
        if lang not in self.localizers:
            from ..i18n import game_localizer
            ruleset = self.game.ruleset
            texts, overlay = {key: text for key, (text, _) in ruleset.model.texts.items()}, ruleset.source.overlay
            packs = overlay.texts if overlay is not None else None
            self.localizers[lang] = game_localizer(lang, ruleset.id, self.found.folder, texts, packs)
        return self.localizers[lang]
