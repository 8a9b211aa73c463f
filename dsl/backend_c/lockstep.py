"""Many matches of a compiled game in lockstep, see lockstep.h. Each match needs a few kilobytes, and each thread one context.

The caller owns all arrays and passes their addresses."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from typing import Any

from .ffi import CONTEXT_FULL, NativeContext, NativeError, NativeLibrary, array_address
from .marshal import NotMarshallableError

CROWDED_STATUS = -8                                                # see single_match.h
INITIAL_MATCH_BYTES = 1 << 11                                      # room for the lists of one match
MAX_LOCKSTEP_BYTES = 1 << 32                                       # of all matches together


@dataclass
class LockstepTables:
    """How the positions of a game become numbers: the tables of lockstep.h, row after row."""

    actions: int                                                   # number of actions
    columns: int                                                   # length of an observation
    entries: int                                                   # number of values in `states`
    locals: int                                                    # number of locals in scope at decisions
    last_items: int                                                # entries of a list that are encoded one by one
    asked: array[int]
    branches: array[int]
    digits: array[int]
    binomials: array[int]
    states: array[int]
    local: array[int]
    seers: array[int]
    lows: array[int]
    highs: array[int]
    teams: array[int]                                              # by seat: the first seat of its team
    together: int                                                  # how one team of all players is paid, see lockstep.h


@dataclass
class LockstepArrays:
    """The addresses of the arrays that all matches share, with one row for each match, in the order of lockstep.h."""

    generators: int
    chosen: int
    skipped: int
    masks: int
    done: int
    truncated: int
    observations: int
    seats: int
    rewards: int
    decided: int
    status: int


NO_ARRAYS = LockstepArrays(*[0] * 11)                               # for single matches


def pack_tables(tables: LockstepTables, arrays: LockstepArrays, matches: int = 0, stride: int = 0, room: int = 0,
                limit: int = 0) -> array[int]:
    """Returns the tables and the addresses of the arrays as `lg_lockstep` of lockstep.h. The tables must live as long."""
    pointers = (tables.asked, tables.branches, tables.digits, tables.binomials, tables.states, tables.local, tables.seers, tables.lows,
                tables.highs, tables.teams)
    return array("q", [matches, stride, room, tables.actions, tables.columns, tables.entries, tables.locals, tables.last_items, limit,
                       tables.together, *map(array_address, pointers), *astuple(arrays)])


def list_fields(library: NativeLibrary) -> dict[tuple[int | None, int], tuple[int, int]]:
    """Returns the place of each slot range in the C position: offset and size of a value, by frame and first slot.

    Raises ValueError if the library cannot step matches."""
    spaces = library.words.spaces
    found = (ctypes.c_int64 * (2 * len(spaces))).in_dll(library.c, "lg_fields")
    return {(space.frame, space.start): (found[2 * n], found[2 * n + 1]) for n, space in enumerate(spaces) if not space.lapses}


class NativeLockstep:
    """The matches of a game in C. `start` is the position before the first step, and `count` the number of matches.

    A match that ends or reaches the limit starts again in the same step."""

    def __init__(
        self, library: NativeLibrary, start: Sequence[Any], tables: LockstepTables, arrays: LockstepArrays, count: int, limit: int,
        threads: int
    ) -> None:
        long, point = ctypes.c_int64, ctypes.c_void_p
        for name, result, arguments in (
            ("lg_match_size", long, []),
            ("lg_step_matches", long, [point, point, long, long, long]),
            ("lg_find_illegal", long, [point, long]),
            ("lg_sample_actions", None, [point, long, point, point]),
            ("lg_seed_matches", None, [point, long, point, long, long]),
            ("lg_observe_matches", None, [point, point, long, point, point]),
            ("lg_take_match", None, [point, point, long]),
            ("lg_store_match", long, [point, point, long]),
        ):
            library.declare_function(name, result, arguments)
        self.c, self.tables, self.arrays, self.count, self.limit = library.c, tables, arrays, count, limit
        self.contexts = [NativeContext(library) for _ in range(max(1, min(threads, count)))]
        for context in self.contexts:
            context.load(start)
        self.pool = ThreadPoolExecutor(len(self.contexts)) if len(self.contexts) > 1 else None
        self.room, self.memory, self.words = 0, ctypes.create_string_buffer(0), array("q")
        self.at = 0                                                # the address of `words`
        self.allocate(INITIAL_MATCH_BYTES)

    def allocate(self, room: int) -> None:
        """Allocates `room` bytes for the lists of each match, twice. Discards the matches."""
        stride = self.c.lg_match_size() + 2 * room
        self.room, self.memory = room, ctypes.create_string_buffer(self.count * stride + 16)
        self.words = pack_tables(self.tables, self.arrays, (ctypes.addressof(self.memory) + 15) & ~15, stride, room, self.limit)
        self.at = array_address(self.words)

    def enlarge(self, alive: Iterable[int]) -> None:
        """Gives each match four times as much room for lists. `alive` are the matches to keep. Raises NativeError at the limit."""
        if 8 * self.room * self.count > MAX_LOCKSTEP_BYTES:
            raise NativeError("no room")
        old_memory, old_words, context = self.memory, self.words, self.contexts[0]
        self.allocate(4 * self.room)
        for n in alive:
            self.c.lg_take_match(context.at, array_address(old_words), n)
            if self.c.lg_store_match(context.at, self.at, n) != 1:
                raise NativeError("no room")
        del old_memory                                             # it had to live until here

    def step(self, first: int, last: int, fresh: bool = False) -> bool:
        """Steps the matches from `first` to before `last`, or starts them if `fresh`. Returns whether any has failed."""
        parts = len(self.contexts) if last - first > 1 else 1
        if self.pool is None or parts == 1:
            return bool(self.c.lg_step_matches(self.contexts[0].at, self.at, first, last, fresh))
        cuts = [first + (last - first) * n // parts for n in range(parts + 1)]
        work = [(context.at, self.at, low, high, fresh) for context, low, high in zip(self.contexts, cuts, cuts[1:])]
        return any(list(self.pool.map(lambda one: self.c.lg_step_matches(*one), work)))

    def find_illegal(self) -> int | None:
        """Returns the first match whose action is not legal, or None."""
        found: int = self.c.lg_find_illegal(self.at, self.count)
        return None if found < 0 else found

    def sample_actions(self, numbers: int, out: int) -> None:
        """Writes a legal action for each match to the address `out`. `numbers` is the address of numbers from 0 to 1."""
        self.c.lg_sample_actions(self.at, self.count, numbers, out)

    def seed(self, seeds: int, later: int, all_rows: bool) -> None:
        """Sets the random generators of the next matches, of all rows or of those whose match has just ended.

        `seeds` is the address of one seed per match, and `later` is added to each."""
        self.c.lg_seed_matches(self.at, self.count, seeds, later, all_rows)

    def grow(self, statuses: Collection[int], alive: Iterable[int]) -> bool:
        """Allocates more memory for matches that failed with these statuses. `alive` are the matches to keep.

        Returns False if memory was not the reason, or at the limit."""
        try:
            if CROWDED_STATUS in statuses:
                self.enlarge(alive)
            if CONTEXT_FULL in statuses:
                for context in self.contexts:
                    context.enlarge()
                    context.reload()
        except (NativeError, MemoryError):
            return False
        return CROWDED_STATUS in statuses or CONTEXT_FULL in statuses

    def observe(self, viewers: int, out: int) -> None:
        """Writes what one seat of each match sees to the address `out`. `viewers` is the address of the seats."""
        self.c.lg_observe_matches(self.contexts[0].at, self.at, self.count, viewers, out)

    def save(self, n: int, s: list[Any]) -> None:
        """Writes the position of a match into a list. Raises NativeError."""
        self.c.lg_take_match(self.contexts[0].at, self.at, n)
        self.contexts[0].save(s)

    def load(self, n: int, s: Sequence[Any]) -> bool:
        """Replaces the position of a match. Returns False if C cannot represent it or needs more memory for it."""
        context = self.contexts[0]
        start = context.loaded_words
        try:
            context.load(s)
            return bool(self.c.lg_store_match(context.at, self.at, n))
        except (NativeError, NotMarshallableError):
            return False
        finally:
            context.loaded_words = start
            context.reload()
