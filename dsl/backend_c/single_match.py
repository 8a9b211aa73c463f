"""Matches of a compiled game that Python holds one by one, see python_match.h. Each needs a few hundred bytes, and all share a context.

A match is an object of a type in C. Its methods cost as little as those of Python's own types."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from .ffi import CONTEXT_FULL, MAX_CONTEXT_BYTES, NativeContext, NativeError, NativeLibrary, array_address
from .marshal import WORD_MASK

NOT_OFFERED_STATUS = -10                                           # see single_match.h
INITIAL_CODES, SAVED_WORDS = 64, 4096                              # room for the codes of options, and for a position that is saved
# The functions of Python's stable interface that python_match.h calls, in its order.
PYTHON_FUNCTIONS = (
    "PyLong_FromLongLong", "PyFloat_FromDouble", "PyLong_AsLongLong", "PyLong_AsUnsignedLongLongMask", "PyErr_Occurred", "PyErr_Clear",
    "PyList_New", "PyList_SetItem", "PyList_GetItem", "PyObject_GetItem", "PyObject_GetBuffer", "PyBuffer_Release", "Py_IncRef",
    "Py_DecRef", "PyType_FromSpec", "PyType_GenericAlloc", "PyObject_Free")
T = TypeVar("T")


class NotOfferedError(Exception):
    """The code is not that of a legal option."""


class SingleMatch(Protocol):
    """A match in C. A method that fails returns a status below 0 (see single_match.h) or None, and then nothing has changed.

    `tables` is the address of the tables of lockstep.h.

    Attributes:
        block: The number of the decision that waits. It is 0 when the game is over.
        seat: The seat that decides.
        round: The number of rounds that have begun.
        count: The number of legal options.
        steps: The number of options that were played."""

    block: int
    seat: int
    round: int
    count: int
    steps: int

    def step(self, code: int, /) -> int:
        """Plays the option with a code. Returns 0 or a status."""

    def step_nth(self, n: int, /) -> int | None:
        """Plays the option at a place. Returns its code, or None."""

    def step_action(self, tables: int, number: int, /) -> int | None:
        """Plays the option with the number of an action. Returns its code, or None."""

    def codes(self) -> list[int]:
        """Returns the codes of the legal options."""

    def list_items(self, table: Mapping[int, T], /) -> list[T]:
        """Returns the items of a mapping for the codes of the legal options."""

    def encode(self, tables: int, seat: int, observation: Any, mask: Any, /) -> None:
        """Writes what a seat sees into an array, and 1 for each legal action into a mask if the seat decides."""

    def copy(self) -> SingleMatch | int:
        """Returns an independent match with the same position, or a status."""

    def save(self, words: array[int], /) -> int:
        """Writes the position into an array. Returns the number of words, or a status."""

    def payoffs(self, tables: int, /) -> list[float] | int:
        """Returns the payoff of each seat, or a status."""


def make_match_type(library: NativeLibrary) -> Any:
    """Returns the type of the matches of a library, which is the same in each call.

    Raises AttributeError if the library or this Python does not support it."""
    functions = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in PYTHON_FUNCTIONS]
    words = array("q", [object.__basicsize__, id(None), *functions])
    function = ctypes.PyDLL("", handle=library.c._handle).lg_make_match_type
    function.restype, function.argtypes = ctypes.py_object, [ctypes.c_void_p]
    return function(array_address(words))


class MatchRunner:
    """Makes the matches of a game. `start` is the position before the first step. New matches get as much memory as any has needed.

    Raises NativeError, NotMarshallableError, AttributeError."""

    def __init__(self, library: NativeLibrary, start: Sequence[Any]) -> None:
        self.library, self.context = library, NativeContext(library)
        self.context.load(start)
        self.shared = array("q", [self.context.at, 0, INITIAL_CODES])   # lg_runner of python_match.h
        self.at, self.saved_words = array_address(self.shared), SAVED_WORDS
        self.type = make_match_type(library)
        self.begin = self.type.start_seeded

    def start(self, generator: int) -> SingleMatch:
        """Returns a new match, advanced to its first decision. `generator` is the state of its random generator.

        Raises NativeError."""
        words = (generator & WORD_MASK, generator >> 64 & WORD_MASK, generator >> 128 & WORD_MASK)
        found: SingleMatch = self.call(lambda: self.type.start(self.at, self, *words))
        return found

    def start_seeded(self, seed: int) -> SingleMatch | None:
        """Returns a new match with a short seed, or None if C cannot start it at once."""
        found = self.begin(self.at, self, seed)
        return None if type(found) is int else found

    def load(self, s: Sequence[Any]) -> SingleMatch:
        """Returns a match with a position of Python. Raises NativeError, NotMarshallableError."""
        words = self.library.words.encode(s)
        found: SingleMatch = self.call(lambda: self.type.load(self.at, self, words))
        return found

    def copy(self, match: SingleMatch) -> SingleMatch:
        """Returns an independent match with the same position. Raises NativeError."""
        return self.call(match.copy)

    def step(self, match: SingleMatch, code: int) -> None:
        """Plays an option. Raises NotOfferedError and NativeError, and then nothing has changed."""
        self.call(lambda: match.step(code))

    def write_position(self, match: SingleMatch, s: list[Any]) -> None:
        """Writes the position of a match into a list. Raises NativeError."""
        while (used := match.save(words := array("q", bytes(8 * self.saved_words)))) == CONTEXT_FULL:
            self.saved_words *= 4
        if used < 0:
            raise NativeError(str(used))
        self.library.words.decode(words[:used], s)

    def call(self, function: Callable[[], T | int]) -> T:
        """Returns the result of a function of a match, which gets more memory if it needs more. Raises NotOfferedError, NativeError."""
        while isinstance(found := function(), int) and found:
            if found != CONTEXT_FULL:
                raise NotOfferedError if found == NOT_OFFERED_STATUS else NativeError(str(found))
            self.enlarge_context()
        return found  # type: ignore[return-value]

    def enlarge_context(self) -> None:
        """Replaces the context by one with more memory. Raises NativeError at the limit."""
        if self.context.room >= MAX_CONTEXT_BYTES:
            raise NativeError("no room")
        larger = NativeContext(self.library)
        larger.allocate(4 * self.context.room)
        larger.loaded_words = self.context.loaded_words
        larger.reload()
        self.context, self.shared[0] = larger, larger.at
