"""Calls a compiled game through ctypes.

The library has no global state. Each NativeContext is one context, and threads with separate contexts need
no lock. ctypes releases Python's global interpreter lock while C runs."""

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
INITIAL_CONTEXT_BYTES, MAX_CONTEXT_BYTES = 1 << 20, 1 << 28
NO_LIMIT = 1 << 62
INITIAL_PENDING_WORDS = 64                                                 # room for the codes of options
COUNT_ENTRY_WORDS = 3                                                      # lg_counted in perft.h


class NativeError(Exception):
    """The rules raised a fault, or C could not continue. To find out more, play the position in Python."""


@dataclass
class PlayoutBatch:
    """Results of random games.

    `decisions` and `ended` have one entry per game. `ended` is 1 if the game ended by its rules, 0 if it was
    cut off, and another number after an error. `standing` holds the values of the standing for each game and
    seat, concatenated."""

    decisions: array[int]
    ended: array[int]
    standing: array[int]
    seats: int
    goals: int

    def values(self, game: int) -> list[tuple[int, ...]]:
        """Returns the standing of each seat in a game."""
        first = game * self.seats * self.goals
        return [tuple(self.standing[n : n + self.goals]) for n in range(first, first + self.seats * self.goals, self.goals)]


def load_library(code: bytes) -> ctypes.CDLL:
    """Loads a library from its bytes. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="ludoglot-") as room:      # the file is not needed after loading
        path = Path(room) / "game.so"
        path.write_bytes(code)
        return ctypes.CDLL(str(path))


class NativeLibrary:
    """The functions of one compiled game."""

    def __init__(self, code: bytes, program: CProgram) -> None:
        self.c: ctypes.CDLL = load_library(code)
        self.players, self.goals = program.players, len(program.machine.goals["standing"])
        self.words = PositionMarshaller(program.slot_ranges(), program.mask_words, program.machine.waits)
        long, words, point = ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
        for name, result, arguments in (
            ("lg_size", long, []),
            ("lg_load", long, [point, long, words, long]),
            ("lg_save", long, [point, words, long, words]),
            ("lg_step", long, [point, long]),
            ("lg_pending", None, [point, words, long]),
            ("lg_playout", long, [point, ctypes.c_uint64, long, long, words]),
            ("lg_perft", long, [point, long, long, words, words, long, words]),
            ("lg_values", long, [point, long, words]),
            ("lg_games", None, [point, long, words, words, long, long, words, words, words]),
        ):
            self.declare_function(name, result, arguments)
        self.size: int = self.c.lg_size()

    def declare_function(self, name: str, result: type[ctypes.c_int64] | None, arguments: list[type[Any]]) -> None:
        """Declares the signature of a function. Raises AttributeError if the library does not have it."""
        function = getattr(self.c, name)
        function.restype, function.argtypes = result, arguments


class NativeContext:
    """One context: a position that is played in C."""

    def __init__(self, library: NativeLibrary) -> None:
        self.library, self.c = library, library.c
        self.loaded_words: array[int] = array("q")
        self.pending = array("q", bytes(8 * INITIAL_PENDING_WORDS))
        self.allocate(INITIAL_CONTEXT_BYTES)

    def allocate(self, room: int) -> None:
        """Allocates `room` bytes for lists."""
        self.room = room
        self.memory = ctypes.create_string_buffer(self.library.size + room + 16)
        self.at = (ctypes.addressof(self.memory) + 15) & ~15

    def load(self, s: Sequence[Any]) -> None:
        """Loads a position. Raises NativeError, NotMarshallableError."""
        self.loaded_words = self.library.words.encode(s)
        self.reload()

    def reload(self) -> None:
        """Loads the last loaded position again, in a clean context."""
        while True:
            why = self.c.lg_load(self.at, len(self.memory) - 16, array_address(self.loaded_words), len(self.loaded_words))
            if why != CONTEXT_FULL:
                break
            self.enlarge()
        if why:
            raise NativeError(f"loading: {why}")

    def enlarge(self) -> None:
        """Allocates four times as much memory. Raises NativeError at the limit."""
        if self.room >= MAX_CONTEXT_BYTES:
            raise NativeError("no room")
        self.allocate(4 * self.room)

    def collect_garbage(self, grow: bool) -> None:
        """Frees garbage by saving and reloading the current position. Allocates more memory if `grow` is set or the
        position takes up much of it. Raises NativeError."""
        first, self.loaded_words = self.loaded_words, self.save_words()
        if grow or 32 * len(self.loaded_words) > self.room:
            self.enlarge()
        self.reload()
        self.loaded_words = first

    def retry_in_place(self, call: Callable[[], int]) -> None:
        """Runs a call that leaves the position unchanged when memory is full, and retries it with more memory. Raises
        NativeError."""
        for tries in count():
            why = call()
            if why != CONTEXT_FULL:
                break
            self.collect_garbage(tries > 0)
        if why:
            raise NativeError(str(why))

    def retry_from_loaded(self, call: Callable[[], int], more: Callable[[], bool] = lambda: False) -> int:
        """Runs a call that plays the loaded position on, and returns its result.

        When memory is full, it reloads the position and retries with more. `more` may enlarge another buffer
        instead: it returns True if that buffer was full. Raises NativeError."""
        while (why := call()) == CONTEXT_FULL:
            if not more():
                self.enlarge()
            self.reload()
        return why

    def save(self, s: list[Any]) -> None:
        """Writes the position into a list. Raises NativeError."""
        self.library.words.decode(self.save_words(), s)

    def save_words(self) -> array[int]:
        """Returns the position as words. Raises NativeError."""
        room = 4 * len(self.loaded_words) + 4096
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
        """Answers the pending decision. Raises NativeError."""
        self.retry_in_place(lambda: self.c.lg_step(self.at, code))

    def read_pending(self) -> tuple[int, int, int, Sequence[int]]:
        """Returns the block, the seat and the round of the decision that waits, and the codes of its options."""
        while True:
            self.c.lg_pending(self.at, array_address(self.pending), len(self.pending))
            pc, seat, rounds, count = self.pending[:4]
            if count + 4 <= len(self.pending):
                return pc, seat, rounds, self.pending[4 : 4 + count].tolist()
            self.pending = array("q", bytes(16 * (count + 4)))

    def playout(self, source: int, max_decisions: int = NO_LIMIT, rounds: int = NO_LIMIT) -> int:
        """Plays random moves from the loaded position until the game is over or `max_decisions` decisions were made.

        `source` seeds the generator of moves. Returns the number of decisions. Raises NativeError."""
        count = array("q", [0])
        why = self.retry_from_loaded(lambda: self.c.lg_playout(self.at, source, max_decisions, rounds, array_address(count)))
        if why:
            raise NativeError(str(why))
        return count[0]

    def count_lines(self, depth: int, turns: bool, stop: array[int], table: array[int]) -> int:
        """Returns the number of lines of `depth` decisions (or turns) from the loaded position.

        A last decision is not carried out if the game has no chance. Another thread ends the count by setting
        `stop[0]`. `table` has room for the counts of known positions: COUNT_ENTRY_WORDS words each, and a power of two
        of them. Raises NativeError."""
        lines = array("q", [0])
        size = len(table) // COUNT_ENTRY_WORDS
        why = self.retry_from_loaded(
            lambda: self.c.lg_perft(self.at, depth, turns, array_address(stop), array_address(table), size, array_address(lines))
        )
        if why:
            raise NativeError(str(why))
        return lines[0]

    def values(self, goal_set: int = 0) -> list[tuple[int, ...]]:
        """Returns the standing values of each seat, or its estimate if `goal_set` is 1. Raises NativeError."""
        goals = 1 if goal_set else self.library.goals
        out = array("q", bytes(8 * goals * self.library.players))
        self.retry_in_place(lambda: self.c.lg_values(self.at, goal_set, array_address(out)))
        return [tuple(out[n : n + goals]) for n in range(0, len(out), goals)]

    def games(self, randoms: Sequence[int], sources: Sequence[int], max_decisions: int = NO_LIMIT, rounds: int = NO_LIMIT) -> PlayoutBatch:
        """Plays whole random games from the loaded position.

        `randoms` are the generators of chance and `sources` those of moves, one of each per game. When memory is
        full, all games are played again with more."""
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
                max_decisions,
                rounds,
                array_address(found.decisions),
                array_address(found.ended),
                array_address(found.standing),
            )
            return CONTEXT_FULL if CONTEXT_FULL in found.ended and self.room < MAX_CONTEXT_BYTES else 0

        self.retry_from_loaded(play)
        return found


def array_address(words: array[int]) -> int:
    """Returns the memory address of an array."""
    return words.buffer_info()[0]


def build_library(building: NativeBuild, program: CProgram) -> NativeLibrary | None:
    """Returns the library of a program, built now or taken from the cache. None if it cannot be built or loaded."""
    code = building.library()
    if code is None:
        return None
    try:
        return NativeLibrary(code, program)
    except (OSError, AttributeError):                              # damaged, or the library of another program
        return None
