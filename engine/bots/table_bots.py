"""The bots of a table, in C if available."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..position.position import Game, Position
from . import greedy
from .search_tree import OptionStats

if TYPE_CHECKING:
    from .native import NativeGame

EXTRA_SECONDS_WITH_PEOPLE = 0.8                       # extra time for `hard` if a person is waiting


class TableBots:
    """The bots of a table.

    The game is compiled in the background if `hard` plays against people. Other bots and hints use code that was
    compiled earlier. If a person is waiting, `hard` and hints get extra `seconds`, so their choices are not
    reproducible. A hint that is repeated at the same decision stays the same."""

    def __init__(self, game: Game, kinds: Sequence[str], people: bool, seconds: float = EXTRA_SECONDS_WITH_PEOPLE) -> None:
        self.game, self.seconds = game, seconds if people else 0
        thinking = any(kind != "random" for kind in kinds)
        self.native = self.compile_game(people and greedy.HINT_BOT in kinds) if thinking else None
        self.hinted: tuple[object, list[OptionStats]] | None = None

    def compile_game(self, make: bool) -> NativeGame:
        """Returns the native form of the game.

        The import is local, because most tables do not need the compiler's modules."""
        from .native import NativeGame
        return NativeGame(self.game, make)

    def choose(self, kind: str, position: Position, seat: int, rng: random.Random, limit: float | None = None) -> int:
        """Returns the option that a bot chooses.

        With a `limit` of seconds, `hard` uses all of it if the game runs in C, and every bot stops at it if the game
        runs in Python."""
        if self.native is None:
            return greedy.choose_option(kind, position, seat, rng, limit)
        if kind != "random" and not self.native.made_now:          # a choice in Python would take longer than the search for the library
            self.native.wait()
        return self.native.choose(kind, position, seat, rng, self.seconds if limit is None else limit, limit)

    def weigh(self, position: Position, seat: int, rng: random.Random, limit: float | None = None) -> list[OptionStats]:
        """Returns the ranked options for a hint. `limit` is the same as in `choose`."""
        asked = position.digest(), seat, rng.getstate(), limit
        if self.hinted is None or self.hinted[0] != asked:
            if self.native is None:
                self.native = self.compile_game(make=False)
            self.hinted = asked, self.native.weigh(position, seat, rng, self.seconds if limit is None else limit, limit)
        return self.hinted[1]
