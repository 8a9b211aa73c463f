"""The thinking at a table, in C where that is there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..position.position import Game, Position
from . import greedy
from .mcts import OptionStats

if TYPE_CHECKING:
    from .native import NativeGame

EXTRA_SECONDS_WITH_PEOPLE = 0.8                       # seconds for which `hard` goes on thinking where somebody waits for it


class TableBots:
    """The thinking at a table. The game is compiled beside it where `hard` plays against people; other bots and hints use what was compiled
    before. Where a person waits, `hard` and hints think for `seconds`: then what they say is not the same every time, but a hint that is
    asked for again at the same decision is."""

    def __init__(self, game: Game, kinds: Sequence[str], people: bool, seconds: float = EXTRA_SECONDS_WITH_PEOPLE) -> None:
        self.game, self.seconds = game, seconds if people else 0
        thinking = any(kind != "random" for kind in kinds)
        self.native = self.compile_game(people and greedy.HINT_BOT in kinds) if thinking else None
        self.hinted: tuple[str, int, list[OptionStats]] | None = None

    def compile_game(self, make: bool) -> NativeGame:
        """The game as C; a table at which nobody asks for it does without the compiler's modules."""
        from .native import NativeGame
        return NativeGame(self.game, make)

    def choose(self, kind: str, position: Position, seat: int, rng: random.Random) -> int:
        """What a bot chooses."""
        if self.native is None:
            return greedy.choose_option(kind, position, seat, rng)
        return self.native.choose(kind, position, seat, rng, self.seconds)

    def weigh(self, position: Position, seat: int, rng: random.Random) -> list[OptionStats]:
        """What a hint goes by."""
        asked = position.digest(), seat
        if self.hinted is None or self.hinted[:2] != asked:
            if self.native is None:
                self.native = self.compile_game(make=False)
            self.hinted = *asked, self.native.weigh(position, seat, rng, self.seconds)
        return self.hinted[2]
