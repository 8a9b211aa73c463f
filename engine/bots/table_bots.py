"""The bots of a table, in C if available."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...dsl.storage.control_slots import SEAT
from ..position.position import Game, Position
from . import greedy
from .search_tree import OptionStats, is_decided, merge_option_stats

if TYPE_CHECKING:
    from .native import NativeGame
    from .pondering import Ponderer

EXTRA_SECONDS_WITH_PEOPLE = 0.8                       # extra time for `hard` if a person is waiting


class TableBots:
    """The bots of a table.

    The game is compiled in the background if `hard` plays against people. Other bots and hints use code that was
    compiled earlier. If a person is waiting, `hard` and hints get extra `seconds`, so their choices are not
    reproducible. A hint that is repeated at the same decision stays the same. `threads` is the number of threads
    that such a choice may use. `hard` in `pondering_seats` also searches while people think, in one thread less, so
    that the screen stays quick."""

    def __init__(
        self, game: Game, kinds: Sequence[str], people: bool, seconds: float = EXTRA_SECONDS_WITH_PEOPLE, threads: int = 1,
        pondering_seats: Sequence[int] = (),
    ) -> None:
        self.game, self.seconds, self.threads = game, seconds if people else 0, threads
        thinking = any(kind != "random" for kind in kinds)
        self.native = self.compile_game(people and greedy.HINT_BOT in kinds) if thinking else None
        self.hinted: tuple[object, list[OptionStats]] | None = None
        self.pondering_seats = pondering_seats
        self.ponderer: Ponderer | None = None

    def compile_game(self, make: bool) -> NativeGame:
        """Returns the native form of the game.

        The import is local, because most tables do not need the compiler's modules."""
        from .native import NativeGame
        return NativeGame(self.game, make, self.threads)

    def choose(self, kind: str, position: Position, seat: int, rng: random.Random, limit: float | None = None) -> int:
        """Returns the option that a bot chooses.

        With a `limit` of seconds, `hard` uses all of it if the game runs in C, and every bot stops at it if the game
        runs in Python."""
        if self.native is None:
            return greedy.choose_option(kind, position, seat, rng, limit)
        if kind != "random" and not self.native.made_now:          # a choice in Python would take longer than the search for the library
            self.native.wait()
        known = self.ponderer.find_stats(position, seat) if self.ponderer is not None and kind == greedy.HINT_BOT else None
        if known is not None:
            if not is_decided(known):
                known = merge_option_stats([self.native.weigh(position, seat, rng, self.seconds, limit), known])
            return known[0].code
        return self.native.choose(kind, position, seat, rng, self.seconds if limit is None else limit, limit)

    @contextmanager
    def pondering(self, position: Position) -> Iterator[None]:
        """Lets the next `hard` bot search while a person decides in `position`."""
        ponderer = self.get_ponderer()
        if ponderer is None:
            yield
            return
        person = position.s[SEAT]
        try:
            ponderer.start(position, min(self.pondering_seats, key=lambda seat: (seat - person) % self.game.players))
            yield
        finally:
            ponderer.stop()

    def get_ponderer(self) -> Ponderer | None:
        """Returns the searches while people think, or None if no bot ponders or the game does not run in C."""
        native = self.native
        if self.ponderer is None and self.pondering_seats and native is not None and native.found is not None and native.threads > 1:
            from .native import NativeBots
            from .pondering import Ponderer
            self.ponderer = Ponderer(self.game, [NativeBots(native.found.library) for _ in range(native.threads - 1)])
        return self.ponderer

    def weigh(self, position: Position, seat: int, rng: random.Random, limit: float | None = None) -> list[OptionStats]:
        """Returns the ranked options for a hint. `limit` is the same as in `choose`."""
        asked = position.digest(), seat, rng.getstate(), limit
        if self.hinted is None or self.hinted[0] != asked:
            if self.native is None:
                self.native = self.compile_game(make=False)
            self.hinted = asked, self.native.weigh(position, seat, rng, self.seconds if limit is None else limit, limit)
        return self.hinted[1]
