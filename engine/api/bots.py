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
from .option import Option

if TYPE_CHECKING:
    from ...dsl.backend_c.ffi import NativeLibrary

BOTS = tuple(greedy.BOTS)                           # the names of the built-in bots
LOOK_UP_AFTER_PLAYED, COMPILE_AFTER_PLAYED = 100, 2000   # decisions played in Python, after which C is looked up or compiled
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

    def count_choice(self) -> None:
        """Counts a choice of a bot that searches. Uses code that was compiled earlier, or compiles it now."""
        self.asked += 1
        if self.asked in (1, COMPILE_AFTER_CHOICES) and (self.native is None or self.native.found is None):
            self.native = self.compile_game(make=self.asked > 1)


    def count_played(self) -> None:
        """Counts a decision that a program has played in Python. Later ones use C that was compiled earlier, or now."""
        self.played += 1
        if self.played in (LOOK_UP_AFTER_PLAYED, COMPILE_AFTER_PLAYED) and (self.native is None or self.native.found is None):
            self.native = self.compile_game(make=self.played == COMPILE_AFTER_PLAYED)

    def find_library(self, make: bool, wait: bool) -> NativeLibrary | None:
        """Returns the compiled game, or None (see the function `find_library`)."""
        if self.native is None or make and self.native.found is None and not self.native.made_now:
            self.native = self.compile_game(make)
        if wait:
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


def find_library(loaded: LoadedGame, make: bool, wait: bool = True) -> NativeLibrary | None:
    """Returns the library of a game, which its bots use too, or None.

    With `make`, compiles the game if it was not compiled earlier. Without `wait`, returns None until it is ready."""
    return bots_of_game(loaded, "random").find_library(make, wait)


def count_played(loaded: LoadedGame) -> None:
    """Counts a decision that a program has played in Python. Programs that play many get C, from the cache or compiled."""
    bots_of_game(loaded, "random").count_played()


def find_played_library(loaded: LoadedGame) -> NativeLibrary | None:
    """Returns the library of a game if it is ready."""
    native = bots_of_game(loaded, "random").native
    return None if native is None or native.found is None else native.found.library


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
