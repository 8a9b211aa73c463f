"""A compiled game in use. The library has no state of its own: a Player is one context, and threads with one each need no lock (ctypes
gives the interpreter's lock away while C runs)."""

from __future__ import annotations

import ctypes
import tempfile
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from .marshal import Words
from .program import Program
from .toolchain import Building

FULL = -1                                                          # see support.h
FIRST, MOST = 1 << 20, 1 << 28                                     # bytes of a context to begin with, and at most
FOREVER = 1 << 62


class Failed(Exception):
    """The rules failed, or C could not go on: whoever wants to know more plays it in Python."""


@dataclass
class Batch:
    """Random games: for each its decisions, how it ended (1 by its rules, 0 cut off, else something went wrong), and for each seat of each
    the values of the standing, one after the other."""

    decisions: array[int]
    ended: array[int]
    standing: array[int]
    seats: int
    goals: int

    def values(self, game: int) -> list[tuple[int, ...]]:
        """The standing of each seat in a game."""
        first = game * self.seats * self.goals
        return [tuple(self.standing[n : n + self.goals]) for n in range(first, first + self.seats * self.goals, self.goals)]


def loaded(code: bytes) -> ctypes.CDLL:
    """A library from its bytes. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="ludoglot-") as room:      # once it is loaded, its file may go
        path = Path(room) / "game.so"
        path.write_bytes(code)
        return ctypes.CDLL(str(path))


class Library:
    """The functions of one compiled game."""

    def __init__(self, code: bytes, program: Program) -> None:
        self.c = loaded(code)
        self.players, self.goals = program.players, len(program.machine.goals["standing"])
        self.words = Words(program.spaces(), program.mask_words, program.machine.waits)
        long, words, point = ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
        for name, result, arguments in (
            ("lg_size", long, []),
            ("lg_load", long, [point, long, words, long]),
            ("lg_save", long, [point, words, long, words]),
            ("lg_step", long, [point, long]),
            ("lg_playout", long, [point, ctypes.c_uint64, long, long, words]),
            ("lg_values", long, [point, long, words]),
            ("lg_games", None, [point, long, words, words, long, long, words, words, words]),
        ):
            self.find(name, result, arguments)
        self.size: int = self.c.lg_size()

    def find(self, name: str, result: type[ctypes.c_int64] | None, arguments: list[type[Any]]) -> None:
        """Say what a function takes and gives. Raises AttributeError where there is none."""
        function = getattr(self.c, name)
        function.restype, function.argtypes = result, arguments


class Player:
    """One context: a position that is played on in C."""

    def __init__(self, library: Library) -> None:
        self.library, self.c = library, library.c
        self.given: array[int] = array("q")
        self.grow(FIRST)

    def grow(self, room: int) -> None:
        """Take so much room for lists."""
        self.room = room
        self.memory = ctypes.create_string_buffer(self.library.size + room + 16)
        self.at = (ctypes.addressof(self.memory) + 15) & ~15

    def load(self, s: Sequence[Any]) -> None:
        """Take a position over. Raises Failed, Unfit."""
        self.given = self.library.words.encoded(s)
        self.again()

    def again(self) -> None:
        """Back to what was loaded, in a context as good as new."""
        while True:
            why = self.c.lg_load(self.at, len(self.memory) - 16, lies(self.given), len(self.given))
            if why != FULL:
                break
            self.larger()
        if why:
            raise Failed(f"loading: {why}")

    def larger(self) -> None:
        if self.room >= MOST:
            raise Failed("no room")
        self.grow(4 * self.room)

    def roomier(self, more: bool) -> None:
        """Go on from here without what nobody needs any more, and in more room too if the position itself takes much or that was not
        enough. Raises Failed."""
        first, self.given = self.given, self.saved()
        if more or 32 * len(self.given) > self.room:
            self.larger()
        self.again()
        self.given = first

    def through(self, call: Callable[[], int]) -> None:
        """A call that leaves the position as it was where there is too little room, again until it is done. Raises Failed."""
        for tries in count():
            why = call()
            if why != FULL:
                break
            self.roomier(tries > 0)
        if why:
            raise Failed(str(why))

    def afresh(self, call: Callable[[], int], more: Callable[[], bool] = lambda: False) -> int:
        """A call that plays the loaded position on, once more from there in more room where there was too little: what it gives. `more`
        enlarges something else where it was that, and says so. Raises Failed."""
        while (why := call()) == FULL:
            if not more():
                self.larger()
            self.again()
        return why

    def save(self, s: list[Any]) -> None:
        """Write the position into a list. Raises Failed."""
        self.library.words.decoded(self.saved(), s)

    def saved(self) -> array[int]:
        """The position as words. Raises Failed."""
        room = 4 * len(self.given) + 4096
        used = array("q", [0])
        while True:
            words = array("q", bytes(8 * room))
            why = self.c.lg_save(self.at, lies(words), len(words), lies(used))
            if why != FULL:
                break
            room *= 4
        if why:
            raise Failed(f"saving: {why}")
        return words[: used[0]]

    def step(self, code: int) -> None:
        """Answer the pending decision. Raises Failed."""
        self.through(lambda: self.c.lg_step(self.at, code))

    def playout(self, source: int, most: int = FOREVER, rounds: int = FOREVER) -> int:
        """Random choices by the generator that begins with `source`, until the game is over or `most` were made: how many. The position
        that was loaded is played on. Raises Failed."""
        count = array("q", [0])
        why = self.afresh(lambda: self.c.lg_playout(self.at, source, most, rounds, lies(count)))
        if why:
            raise Failed(str(why))
        return count[0]

    def values(self, which: int = 0) -> list[tuple[int, ...]]:
        """For each seat the values of the standing, or (1) its estimate. Raises Failed."""
        goals = 1 if which else self.library.goals
        out = array("q", bytes(8 * goals * self.library.players))
        self.through(lambda: self.c.lg_values(self.at, which, lies(out)))
        return [tuple(out[n : n + goals]) for n in range(0, len(out), goals)]

    def games(self, randoms: Sequence[int], sources: Sequence[int], most: int = FOREVER, rounds: int = FOREVER) -> Batch:
        """Whole random games from the position that was loaded, with these generators of chance and of choices; once more with more room
        where there was too little."""
        given, chosen = array("Q", randoms), array("Q", sources)
        count, size = len(given), self.library.players * self.library.goals
        found = Batch(array("q", bytes(8 * count)), array("q", bytes(8 * count)), array("q", bytes(8 * count * size)), self.library.players,
                      self.library.goals)
        def play() -> int:
            self.c.lg_games(self.at, count, lies(given), lies(chosen), most, rounds, lies(found.decisions), lies(found.ended),
                            lies(found.standing))
            return FULL if FULL in found.ended and self.room < MOST else 0

        self.afresh(play)
        return found


def lies(words: array[int]) -> int:
    """Where an array lies."""
    return words.buffer_info()[0]


def library(building: Building, program: Program) -> Library | None:
    """A program that is built now or was before; None where that cannot be."""
    code = building.library()
    if code is None:
        return None
    try:
        return Library(code, program)
    except (OSError, AttributeError):                              # not a library, or not this one
        return None


def player(building: Building, program: Program) -> Player | None:
    """A context of its own for a program; None where it cannot be built."""
    found = library(building, program)
    return Player(found) if found is not None else None
