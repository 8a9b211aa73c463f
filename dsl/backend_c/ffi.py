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

from .marshal import PositionMarshaller
from .program import CProgram
from .toolchain import NativeBuild

CONTEXT_FULL = -1                                                          # see support.h
# bytes of a context to begin with, and at most
INITIAL_CONTEXT_BYTES, MAX_CONTEXT_BYTES = 1 << 20, 1 << 28
NO_LIMIT = 1 << 62


class NativeError(Exception):
    """The rules failed, or C could not go on: whoever wants to know more plays it in Python."""


@dataclass
class PlayoutBatch:
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


def load_library(code: bytes) -> ctypes.CDLL:
    """A library from its bytes. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="ludoglot-") as room:      # once it is loaded, its file may go
        path = Path(room) / "game.so"
        path.write_bytes(code)
        return ctypes.CDLL(str(path))


class NativeLibrary:
    """The functions of one compiled game."""

    def __init__(self, code: bytes, program: CProgram) -> None:
        self.c = load_library(code)
        self.players, self.goals = program.players, len(program.machine.goals["standing"])
        self.words = PositionMarshaller(program.slot_ranges(), program.mask_words, program.machine.waits)
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
            self.declare_function(name, result, arguments)
        self.size: int = self.c.lg_size()

    def declare_function(self, name: str, result: type[ctypes.c_int64] | None, arguments: list[type[Any]]) -> None:
        """Say what a function takes and gives. Raises AttributeError where there is none."""
        function = getattr(self.c, name)
        function.restype, function.argtypes = result, arguments


class NativeContext:
    """One context: a position that is played on in C."""

    def __init__(self, library: NativeLibrary) -> None:
        self.library, self.c = library, library.c
        self.given: array[int] = array("q")
        self.allocate(INITIAL_CONTEXT_BYTES)

    def allocate(self, room: int) -> None:
        """Take so much room for lists."""
        self.room = room
        self.memory = ctypes.create_string_buffer(self.library.size + room + 16)
        self.at = (ctypes.addressof(self.memory) + 15) & ~15

    def load(self, s: Sequence[Any]) -> None:
        """Take a position over. Raises Failed, Unfit."""
        self.given = self.library.words.encode(s)
        self.reload()

    def reload(self) -> None:
        """Back to what was loaded, in a context as good as new."""
        while True:
            why = self.c.lg_load(self.at, len(self.memory) - 16, array_address(self.given), len(self.given))
            if why != CONTEXT_FULL:
                break
            self.enlarge()
        if why:
            raise NativeError(f"loading: {why}")

    def enlarge(self) -> None:
        if self.room >= MAX_CONTEXT_BYTES:
            raise NativeError("no room")
        self.allocate(4 * self.room)

    def compact(self, more: bool) -> None:
        """Go on from here without what nobody needs any more, and in more room too if the position itself takes much or that was not
        enough. Raises Failed."""
        first, self.given = self.given, self.save_words()
        if more or 32 * len(self.given) > self.room:
            self.enlarge()
        self.reload()
        self.given = first

    def retry_in_place(self, call: Callable[[], int]) -> None:
        """A call that leaves the position as it was where there is too little room, again until it is done. Raises Failed."""
        for tries in count():
            why = call()
            if why != CONTEXT_FULL:
                break
            self.compact(tries > 0)
        if why:
            raise NativeError(str(why))

    def retry_from_loaded(self, call: Callable[[], int], more: Callable[[], bool] = lambda: False) -> int:
        """A call that plays the loaded position on, once more from there in more room where there was too little: what it gives. `more`
        enlarges something else where it was that, and says so. Raises Failed."""
        while (why := call()) == CONTEXT_FULL:
            if not more():
                self.enlarge()
            self.reload()
        return why

    def save(self, s: list[Any]) -> None:
        """Write the position into a list. Raises Failed."""
        self.library.words.decode(self.save_words(), s)

    def save_words(self) -> array[int]:
        """The position as words. Raises Failed."""
        room = 4 * len(self.given) + 4096
        used = array("q", [0])
        while True:
            words = array("q", bytes(8 * room))
            why = self.c.lg_save(self.at, array_address(words), len(words), array_address(used))
            if why != CONTEXT_FULL:
                break
            room *= 4
        if why:
            raise NativeError(f"saving: {why}")
        return words[: used[0]]

    def step(self, code: int) -> None:
        """Answer the pending decision. Raises Failed."""
        self.retry_in_place(lambda: self.c.lg_step(self.at, code))

    def playout(self, source: int, most: int = NO_LIMIT, rounds: int = NO_LIMIT) -> int:
        """Random choices by the generator that begins with `source`, until the game is over or `most` were made: how many. The position
        that was loaded is played on. Raises Failed."""
        count = array("q", [0])
        why = self.retry_from_loaded(lambda: self.c.lg_playout(self.at, source, most, rounds, array_address(count)))
        if why:
            raise NativeError(str(why))
        return count[0]

    def values(self, which: int = 0) -> list[tuple[int, ...]]:
        """For each seat the values of the standing, or (1) its estimate. Raises Failed."""
        goals = 1 if which else self.library.goals
        out = array("q", bytes(8 * goals * self.library.players))
        self.retry_in_place(lambda: self.c.lg_values(self.at, which, array_address(out)))
        return [tuple(out[n : n + goals]) for n in range(0, len(out), goals)]

    def games(self, randoms: Sequence[int], sources: Sequence[int], most: int = NO_LIMIT, rounds: int = NO_LIMIT) -> PlayoutBatch:
        """Whole random games from the position that was loaded, with these generators of chance and of choices; once more with more room
        where there was too little."""
        given, chosen = array("Q", randoms), array("Q", sources)
        count, size = len(given), self.library.players * self.library.goals
        found = PlayoutBatch(
            array("q", bytes(8 * count)),
            array("q", bytes(8 * count)),
            array("q", bytes(8 * count * size)),
            self.library.players,
            self.library.goals,
        )
        def play() -> int:
            self.c.lg_games(
                self.at,
                count,
                array_address(given),
                array_address(chosen),
                most,
                rounds,
                array_address(found.decisions),
                array_address(found.ended),
                array_address(found.standing),
            )
            return CONTEXT_FULL if CONTEXT_FULL in found.ended and self.room < MAX_CONTEXT_BYTES else 0

        self.retry_from_loaded(play)
        return found


def array_address(words: array[int]) -> int:
    """Where an array lies."""
    return words.buffer_info()[0]


def build_library(building: NativeBuild, program: CProgram) -> NativeLibrary | None:
    """A program that is built now or was before; None where that cannot be."""
    code = building.library()
    if code is None:
        return None
    try:
        return NativeLibrary(code, program)
    except (OSError, AttributeError):                              # not a library, or not this one
        return None


def create_context(building: NativeBuild, program: CProgram) -> NativeContext | None:
    """A context of its own for a program; None where it cannot be built."""
    found = build_library(building, program)
    return NativeContext(found) if found is not None else None
