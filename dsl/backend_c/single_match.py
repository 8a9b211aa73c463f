"""Matches of a compiled game that Python holds one by one, see single_match.h. Each needs a few hundred bytes, and all share a context.

Each function is one call that keeps Python's global interpreter lock. So a call costs little, and threads need no other lock.
Memory that is replaced lives on, because another thread may be about to pass its address."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from .ffi import CONTEXT_FULL, MAX_CONTEXT_BYTES, NativeContext, NativeError, NativeLibrary, array_address
from .lockstep import CROWDED_STATUS
from .marshal import GENERATOR_BIT_OFFSETS, WORD_MASK

UNLISTED_STATUS, NOT_OFFERED_STATUS = -9, -10                      # see single_match.h
HEAD_WORDS = 8                                                     # before the position in lg_single
INITIAL_CODES, SAVED_WORDS = 64, 4096                              # room for the codes of options, and for a position that is saved
LEAST_ROOM, MAX_ROOM = 1 << 9, 1 << 26                             # bytes for lists, twice


class NotOfferedError(Exception):
    """The code is not that of a legal option."""


class MatchRunner:
    """Steps the matches of a game. `start` is the position before the first step. New matches get as much memory as any has needed.

    Raises NativeError, NotMarshallableError, AttributeError."""

    def __init__(self, library: NativeLibrary, start: Sequence[Any]) -> None:
        self.library, self.context = library, NativeContext(library)
        self.context.load(start)
        self.old_contexts: list[NativeContext] = []
        self.match_words = library.c.lg_match_size() // 8
        self.room, self.most, self.saved_words = 0, INITIAL_CODES, SAVED_WORDS
        c, word, point, bits = ctypes.PyDLL("", handle=library.c._handle), ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64
        self.step = declare(c, "lg_step_single", point, point, word)
        self.begin = declare(c, "lg_start_single", point, point, bits, bits, bits)
        self.read = declare(c, "lg_load_single", point, point, point, word)
        self.copy = declare(c, "lg_copy_single", point, point, point)
        self.save = declare(c, "lg_save_single", point, point, point, word, point)
        self.value = declare(c, "lg_value_single", point, point, word, point)
        self.observe = declare(c, "lg_observe_single", point, point, point, word, point)

    def start(self, generator: int) -> SingleMatch:
        """Returns a new match, advanced to its first decision. `generator` is the state of its random generator.

        Raises NativeError."""
        match = SingleMatch(self)
        match.call(self.begin, *(generator >> at & WORD_MASK for at in GENERATOR_BIT_OFFSETS))
        return match

    def load(self, s: Sequence[Any]) -> SingleMatch:
        """Returns a match with a position of Python. Raises NativeError, NotMarshallableError."""
        match, words = SingleMatch(self), self.library.words.encode(s)
        match.call(self.read, array_address(words), len(words))
        return match

    def enlarge_context(self) -> None:
        """Replaces the context by one with more memory. Raises NativeError at the limit."""
        if self.context.room >= MAX_CONTEXT_BYTES:
            raise NativeError("no room")
        larger = NativeContext(self.library)
        larger.allocate(4 * self.context.room)
        larger.loaded_words = self.context.loaded_words
        larger.reload()
        self.old_contexts.append(self.context)
        self.context = larger


def declare(c: ctypes.CDLL, name: str, *arguments: type[Any]) -> Callable[..., int]:
    """Returns a function of a library that returns a word. Raises AttributeError if the library does not have it."""
    function = getattr(c, name)
    function.restype, function.argtypes = ctypes.c_int64, arguments
    found: Callable[..., int] = function
    return found


class SingleMatch:
    """One match. `block` has the decision that waits and the position: lg_single of single_match.h, from the word `first` on."""

    __slots__ = ("at", "block", "codes", "first", "old_blocks", "runner")

    def __init__(self, runner: MatchRunner) -> None:
        self.runner = runner
        self.old_blocks: list[array[int]] = []
        self.allocate(runner.room, runner.most)

    def allocate(self, room: int, most: int) -> None:
        """Allocates `room` bytes for lists, twice, and room for `most` codes of options. The match is lost."""
        position = self.runner.match_words + room // 4
        self.block = block = array("q", bytes(8 * (HEAD_WORDS + position + most + 1)))
        at = array_address(block)
        self.first = first = at // 8 % 2                           # lg_single begins at a multiple of 16
        block[first + 4], block[first + 5], block[first + 6] = room, most, 8 * position
        self.at, self.codes = at + 8 * first, first + HEAD_WORDS + position    # address of the match, first word of the codes

    def read_decision(self) -> tuple[int, int, int, list[int]]:
        """Returns the block and the seat of the decision that waits, the round, and the codes of the options."""
        words, first, codes = self.block, self.first, self.codes
        block, seat, rounds, offered = words[first : first + 4]
        return block, seat, rounds, words[codes : codes + offered].tolist()

    def step(self, code: int) -> None:
        """Plays an option. Raises NotOfferedError and NativeError, and then nothing has changed."""
        runner = self.runner
        status = runner.step(runner.context.at, self.at, code)
        if status:
            self.recover(status)
            self.call(runner.step, code)

    def call(self, function: Callable[..., int], *arguments: int) -> None:
        """Calls a function of the runner with the match, and with more memory if it needs more. Raises NotOfferedError, NativeError."""
        while status := function(self.runner.context.at, self.at, *arguments):
            self.recover(status)

    def recover(self, status: int) -> None:
        """Allocates more memory if that is the reason of a failure. Raises NotOfferedError and NativeError for other reasons."""
        if status == CONTEXT_FULL:
            self.runner.enlarge_context()
        elif status == CROWDED_STATUS:
            self.enlarge(max(LEAST_ROOM, 4 * self.block[self.first + 4]), self.block[self.first + 5])
        elif status == UNLISTED_STATUS:
            self.enlarge(self.block[self.first + 4], 4 * self.block[self.first + 5])
        else:
            raise NotOfferedError if status == NOT_OFFERED_STATUS else NativeError(str(status))

    def enlarge(self, room: int, most: int) -> None:
        """Keeps the match in a larger block. Raises NativeError at the limit."""
        if room > MAX_ROOM:
            raise NativeError("no room")
        runner, old = self.runner, self.at
        has_decision = self.block[self.first + 3] > 0
        self.old_blocks.append(self.block)
        self.allocate(room, most)
        runner.room, runner.most = max(room, runner.room), max(most, runner.most)
        if has_decision:
            self.call(runner.copy, old)

    def copy(self) -> SingleMatch:
        """Returns an independent match with the same position. Raises NativeError."""
        twin = SingleMatch(self.runner)
        twin.call(self.runner.copy, self.at)
        return twin

    def write_position(self, s: list[Any]) -> None:
        """Writes the position into a list. Raises NativeError."""
        runner, used = self.runner, array("q", [0])
        while True:
            words = array("q", bytes(8 * runner.saved_words))
            status = runner.save(runner.context.at, self.at, array_address(words), len(words), array_address(used))
            if status != CONTEXT_FULL:
                break
            runner.saved_words *= 4
        if status:
            raise NativeError(str(status))
        runner.library.words.decode(words[: used[0]], s)

    def read_values(self) -> list[tuple[int, ...]]:
        """Returns the values of the standing of each seat. Raises NativeError."""
        library = self.runner.library
        goals = library.goals
        out = array("q", bytes(8 * goals * library.players))
        self.call(self.runner.value, 0, array_address(out))
        return [tuple(out[n : n + goals]) for n in range(0, len(out), goals)]

    def observe(self, tables: int, seat: int, out: int) -> None:
        """Writes what a seat sees to the address `out`. `tables` is the address of the tables of lockstep.h."""
        self.runner.observe(self.runner.context.at, self.at, tables, seat, out)
