"""Built-in bots through the API, and hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ..bots import greedy
from ..bots.table_bots import TableBots
from ..errors import UsageError
from ..library.loaded_game import LoadedGame
from .fast_position import make_runner
from .option import GameOptions, Option

if TYPE_CHECKING:
    from ...dsl.backend_c.ffi import NativeLibrary
    from ...dsl.backend_c.single_match import MatchRunner
    from ..bots.native import NativeBots

BOTS = tuple(greedy.BOTS)                           # the names of the built-in bots
COMPILE_AFTER_PLAYED = 2000                         # decisions played in Python, after which the game is compiled
COMPILE_AFTER_CHOICES = 20                          # a program that asks so often for bots that search profits from C


@dataclass(frozen=True)
class Rating:
    """The search statistics of one option.

    Attributes:
        option: The option.
        playouts: The number of imagined games that began with it.
        win_share: The share of these games that the seat won, from 0 to 1. None if none of them reached the end.
        lead: The mean lead over the best opponent where the imagined games stopped, in units of the game's estimate.
        wins_now: Whether the option wins at once."""

    option: Option
    playouts: int
    win_share: float | None
    lead: float
    wins_now: bool


@dataclass(frozen=True)
class Hint:
    """The recommendation of a strong bot to the seat that decides, with its reasons.

    Attributes:
        option: The recommended option.
        text: The advice in words, as the command `advice` prints it at the table. `str(hint)` is the same.
        changes: What the option would change, in words.
        ratings: All options that the search considered, best first. Empty if there is only one option."""

    option: Option
    text: str
    changes: tuple[str, ...] = ()
    ratings: tuple[Rating, ...] = ()

    def __str__(self) -> str:
        return self.text


class GameBots(TableBots):
    """The bots of all matches of a game. The game is compiled to C in the background once bots are asked often."""

    def __init__(self, loaded: LoadedGame) -> None:
        super().__init__(loaded.game, (), people=False)
        self.asked = self.played = 0
        self.options = GameOptions(loaded.game)
        self.runner: MatchRunner | None = None
        self.runner_of: NativeBots | None = None                   # the library that the runner uses

    def prepare(self, make: bool) -> None:
        """Looks in the background for code that was compiled earlier, and with `make` compiles it. Does neither twice."""
        if self.native is None or make and self.native.found is None and not self.native.made_now:
            self.native = self.compile_game(make)

    def count_choice(self) -> None:
        """Counts a choice of a bot that searches. Uses code that was compiled earlier, or compiles it now."""
        self.asked += 1
        self.prepare(make=self.asked >= COMPILE_AFTER_CHOICES)

    def find_runner(self, played: int, wait: bool) -> MatchRunner | None:
        """Returns the runner that steps matches in C, or None if the library is not ready.

        `played` is the number of decisions that a program has played in Python since the last call. After many, the game
        is compiled. With `wait`, waits for the search for code that was compiled earlier."""
        if (found := self.get_runner()) is not None:
            return found
        self.played += played
        self.prepare(make=self.played >= COMPILE_AFTER_PLAYED)
        assert self.native is not None
        if wait and not self.native.made_now:
            self.native.wait()
        return self.get_runner()

    def get_runner(self) -> MatchRunner | None:
        """Returns the runner that steps matches in C, or None if the library is not ready."""
        found = None if self.native is None else self.native.found
        if found is not None and self.runner_of is not found:
            self.runner_of, self.runner = found, make_runner(self.game, found.library)
        return self.runner if found is not None else None

    def make_library(self) -> NativeLibrary | None:
        """Returns the compiled game, or None (see the function `make_library`)."""
        self.prepare(make=True)
        assert self.native is not None
        self.native.wait()
        return None if self.native.found is None else self.native.found.library


GAME_BOTS: WeakKeyDictionary[LoadedGame, GameBots] = WeakKeyDictionary()


def bots_of_game(loaded: LoadedGame, kind: str) -> GameBots:
    """Returns the bots of a game, ready for a choice of this kind."""
    found = GAME_BOTS.get(loaded)
    if found is None:
        found = GAME_BOTS[loaded] = GameBots(loaded)
    if kind != "random":
        found.count_choice()
    return found


def make_library(loaded: LoadedGame) -> NativeLibrary | None:
    """Returns the library of a game, which its bots use too, or None. Compiles the game if it was not compiled earlier."""
    return bots_of_game(loaded, "random").make_library()


def find_runner(loaded: LoadedGame, played: int = 0, wait: bool = False) -> MatchRunner | None:
    """Returns the runner that steps matches of a game in C, or None (see `GameBots.find_runner`)."""
    return bots_of_game(loaded, "random").find_runner(played, wait)


def get_runner(loaded: LoadedGame) -> MatchRunner | None:
    """Returns the runner that steps matches of a game in C, or None if the library is not ready."""
    return bots_of_game(loaded, "random").get_runner()


def options_of_game(loaded: LoadedGame) -> GameOptions:
    """Returns the options that all matches of a game share."""
    return bots_of_game(loaded, "random").options


def check_bot_name(name: str) -> str:
    """Returns the name of a built-in bot, without `bot:`. Raises UsageError."""
    kind = name.removeprefix("bot:")
    if kind not in BOTS:
        raise UsageError("usage.bot", name=name, bots=list(BOTS), meant=did_you_mean(kind, BOTS, LENIENT_CUTOFF))
    return kind


def check_seconds(seconds: float | None) -> float | None:
    """Returns a time limit. Raises UsageError if it is not a number above zero."""
    if seconds is not None and not seconds > 0:
        raise UsageError("api.seconds", value=str(seconds))
    return seconds
