"""The native form of a game and its bots: C code, if a C compiler is installed and the C backend supports the
rules.

The code is compiled in a background thread. Until it is ready, and if it cannot be built, Python does the
same work with the same results.

`c/` has the bots in C. They follow the Python bots step by step, with the same random generators."""

from __future__ import annotations

import atexit
import ctypes
import random
import struct
import time
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from threading import Thread

from ...dsl.backend_c.ffi import NO_LIMIT, NativeContext, NativeError, NativeLibrary, array_address, build_library
from ...dsl.backend_c.hidden_state import HiddenStateWriter
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_c.program import CProgram
from ...dsl.backend_c.toolchain import NativeBuild, find_compiler, has_cached_library, is_compiling_enabled
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.ir.value_types import UnsupportedConstructError
from ...dsl.storage.control_slots import OPTIONS
from ..position import determinize, options
from ..position.position import Game, Position
from . import exact_search, exchange_search, last_good_reply, mcts, search_base, search_tree, selftest
from . import greedy as bots
from .parallel_search import ParallelSearch
from .search_tree import OptionStats

ALL_BOTS_DEFINE = "#define LG_THINKS"         # defined if all bots are available in C
RANDOM_BOT_ID, GREEDY_BOT_ID = 0, selftest.GREEDY_BOT_ID   # ids of bots in C; a bot that searches has its number of steps as id
NATIVE_BOT_IDS = {"random": RANDOM_BOT_ID, "greedy": GREEDY_BOT_ID, **mcts.STEP_BUDGETS}
OPTION_STATS_STRUCT = struct.Struct("=7q2d")         # statistics of an option: lg_weighed in c/search.h
INITIAL_DECISION_CAPACITY = 512                          # initial capacity for notes about decisions
C_DEFINES = {
    "LG_WORLD": search_base.DETERMINIZE_COST_STEPS, "LG_IDLE": search_base.MAX_PASS_DRAWS, "LG_DECLINE": options.DECLINE,
    "LG_TRIES": determinize.MAX_RESAMPLES,
    **{f"LG_GREEDY_{name}": getattr(bots, name) for name in (
        "BASE_STEPS", "STEPS_PER_OPTION", "MAX_STEPS", "PLAYOUTS_PER_WORLD", "MAX_OPTIONS_CONSIDERED", "OPPONENT_REPLY_SAMPLE",
        "MAX_PLAYOUT_DECISIONS", "PRIOR_PLAYOUTS", "PASS_MARGIN_STDERRS", "FIXED_POINT_SCALE")},
    **{f"LG_SEARCH_{name}": getattr(mcts, name) for name in (
        "PLAYOUTS_PER_WORLD", "MAX_ROOT_OPTIONS", "MAX_INNER_OPTIONS", "GUIDED_SAMPLE", "EXPAND_VISITS", "GUIDED_DEPTH",
        "MAX_PLAYOUT_DECISIONS", "WIN_CONFIRM_WORLDS", "TACTICAL_RATIO", "TACTICAL_MAX_OPTIONS", "TACTICAL_EXPAND_VISITS",
        "TACTICAL_UCT_C", "LONG_SEARCH_STEPS", "PLAYOUT_SHARE_DIVISOR", "EXCHANGE_WORK_FACTOR", "PROOF_CHECKPOINT_DIVISOR",
        "MAX_TREE_SIZE", "WIN_HALF_POINTS", "WIDENING_BASE", "UCT_C", "BIAS_WEIGHT", "CUTOFF_CHANGE_WEIGHT", "CUTOFF_LEAD_WEIGHT")},
    **{f"LG_SEARCH_{name}": getattr(search_tree, name) for name in ("MIN_EXPLORATION_SCALE", "PRIOR_VALUES")},
    **{f"LG_PROOF_{name}": getattr(exact_search, name) for name in (
        "TABLE_SIZE", "MAX_UNSTORED_DEPTH", "HISTORY_SIZE", "MAX_DEPTH", "MAX_BRANCHING")},
    **{f"LG_EXCHANGE_{name}": getattr(exchange_search, name) for name in ("MAX_EXCHANGES", "MAX_EXCHANGE_OPTIONS")},
    "LG_EXCHANGE_UNLIMITED": f"{exchange_search.UNLIMITED}LL",
    **{f"LG_REPLY_{name}": getattr(last_good_reply, name) for name in (
        "TABLE_BITS", "NO_PREVIOUS", "ANY_PREVIOUS", "AVERAGES_SIZE", "AVERAGED_SAMPLE")},
    "LG_SEARCH_LISTED": 16,  # with more options than this, C uses a lookup table
}


@cache
def read_c_source(name: str) -> str:
    """Returns the text of a file in `c/`."""
    return read_text(Path(__file__).parent / "c" / name)


def bot_sources(program: CProgram) -> list[str]:
    """Returns the C code of the bots.

    If C does not support the layout of hidden values, only the random bot is included."""
    try:
        closed = HiddenStateWriter(program, determinize.UNBOUNDED_SAMPLE_MAX).write()
    except UnsupportedConstructError:
        return [read_c_source("chance.h"), read_c_source("playing.h")]
    return [ALL_BOTS_DEFINE, *(f"#define {name} ({value})" for name, value in C_DEFINES.items()),
            read_c_source("chance.h"), closed,
            *map(read_c_source, ("imagining.h", "thinking.h", "greedy.h", "proving.h", "replies.h", "exchanges.h", "search.h",
                                 "playing.h"))]


class NativeBots(NativeContext):
    """A native context of a game whose bots are in C too. Raises AttributeError if the library has no bots."""

    def __init__(self, library: NativeLibrary) -> None:
        super().__init__(library)
        self.notes = array("q", bytes(8 * 4 * INITIAL_DECISION_CAPACITY))
        long, words = ctypes.c_int64, ctypes.c_void_p
        library.declare_function("lg_bots", long, [words, long, long, long, words, words, long, words])
        library.declare_function("lg_thought", long, [words, long, long, words, words])
        library.declare_function("lg_weigh", long, [words, long, long, words, words, words])

    def play_bots(self, seed: int, max_decisions: int, bots: Sequence[str], first: int = 0) -> tuple[bool, list[int]]:
        """Lets one bot per seat play the current position on, until `max_decisions` decisions are made.

        `seed` identifies the game, and `first` is the number of earlier decisions. Returns whether the game ended,
        and four numbers for each decision (see c/playing.h). Raises NativeError."""
        count, minds = array("q", [0]), array("q", [NATIVE_BOT_IDS[name] for name in bots])

        def play() -> int:
            return int(
                self.c.lg_bots(
                    self.at,
                    seed,
                    first,
                    min(max_decisions, NO_LIMIT),
                    array_address(minds),
                    array_address(self.notes),
                    len(self.notes) // 4,
                    array_address(count),
                )
            )

        def grow_notes() -> bool:
            full = count[0] >= len(self.notes) // 4
            if full:
                self.notes = array("q", bytes(8 * 4 * len(self.notes)))
            return full

        why = self.retry_from_loaded(play, grow_notes)
        if why not in (0, 1):
            raise NativeError(str(why))
        return bool(why), self.notes[: 4 * count[0]].tolist()

    def choose(self, position: Position, bot: int, rng: random.Random, seconds: float = 0) -> tuple[int, int]:
        """Returns the option that a bot chooses, and the work that it cost.

        `bot` is a value of NATIVE_BOT_IDS. The generator is used in the same way as in Python. A bot that searches
        may continue for `seconds` after its work is done, and then results are not reproducible. Raises NativeError,
        NotMarshallableError."""
        out = array("q", [0, 0])
        self.run_search(position, rng, seconds, lambda left, numbers: self.c.lg_thought(self.at, bot, left, numbers, array_address(out)))
        return out[0], out[1]

    def weigh(
        self, position: Position, work: int, rng: random.Random, seconds: float = 0, stop: array[int] | None = None
    ) -> list[OptionStats]:
        """Returns the options as the search ranks them (see `mcts.weigh_options`), after `work` steps and `seconds`
        more. Another thread ends the search by setting `stop[0]`. Raises NativeError, NotMarshallableError."""
        rows = ctypes.create_string_buffer(OPTION_STATS_STRUCT.size * len(position.s[OPTIONS]))
        flag = 0 if stop is None else array_address(stop)
        self.run_search(position, rng, seconds,
                        lambda left, numbers: self.c.lg_weigh(self.at, work, left, flag, numbers, ctypes.addressof(rows)))
        return [OptionStats(code, playouts, ended, share, lead, bool(winning), low, high, loss)
                for code, playouts, ended, winning, low, high, loss, share, lead in OPTION_STATS_STRUCT.iter_unpack(rows.raw)]

    def run_search(self, position: Position, rng: random.Random, seconds: float, thought: Callable[[int, int], int]) -> None:
        """Runs a search in C on a position.

        `thought` is called with the remaining nanoseconds and the address of the generator's state."""
        self.load(position.s)
        version, state, gauss = rng.getstate()
        numbers, until = array("I", state), time.monotonic() + seconds

        def think() -> int:
            numbers[:] = array("I", state)
            return thought(max(0, int(1e9 * (until - time.monotonic()))) if seconds else 0, array_address(numbers))

        why = self.retry_from_loaded(think)
        if why:
            raise NativeError(str(why))
        rng.setstate((version, tuple(numbers), gauss))


class NativeGame:
    """A game that is being compiled, or with `make` false, one that was compiled earlier.

    `found` is set when the native form is ready. If it never can be, `hindrance` is the key of the reason,
    without `native.`."""

    def __init__(self, game: Game, make: bool = True, threads: int = 1) -> None:
        self.game, self.made_now = game, make
        # of a search with extra seconds. The shallow search of a team has no use for them
        self.threads = 1 if bots.needs_shallow_search(game) else threads
        self.parallel: ParallelSearch | None = None
        self.found: NativeBots | None = None
        self.hindrance = "" if find_compiler() is not None or not is_compiling_enabled() else "compiler"
        self.building: NativeBuild | None = None
        self.thread = Thread(target=self.build_library, daemon=True)
        if find_compiler() is not None and (make or has_cached_library()):
            self.thread.start()
            atexit.register(self.stop)

    def build_library(self) -> None:
        """Compiles the library, tests it, and sets `found` or `hindrance`. Runs in a background thread."""
        try:
            program = CProgram(self.game.module.machine, self.game.players)
            parts = bot_sources(program)
            self.building = NativeBuild(program.write(parts), make=self.made_now)
            made = build_library(self.building, program)
            if made is not None:
                found = NativeBots(made)
                found.load(self.game.new_position().s)
                if not self.is_trusted(found, ALL_BOTS_DEFINE in parts):
                    self.hindrance = "differs"
                    return
                found.load(self.game.new_position().s)
                self.hindrance = "" if ALL_BOTS_DEFINE in parts else "bots"
                self.found = found
            elif self.made_now:
                self.hindrance = "costly" if self.building.costly else "failed"
        except UnsupportedConstructError:
            self.hindrance = "rules"
        except Exception:                                          # after any error, Python is used instead
            self.hindrance = "failed"

    def is_trusted(self, found: NativeBots, thinks: bool) -> bool:
        """Whether a library has passed its self-test: it plays a short game exactly as Python does.

        The test is skipped if a library from the same text, compiler and processor passed it before. A library that
        fails is never used."""
        assert self.building is not None
        if not self.building.is_proved():
            if selftest.find_difference(self.game, found, thinks) is not None:
                return False
            self.building.note_proof()
        return True

    def wait(self) -> None:
        """Waits until the compilation is finished or has failed."""
        if self.thread.ident is not None:
            self.thread.join()

    def stop(self) -> None:
        """Stops the compilation."""
        if self.building is not None:
            self.building.stop()
            self.thread.join(1)

    def choose(
        self, kind: str, position: Position, seat: int, rng: random.Random, seconds: float = 0, limit: float | None = None
    ) -> int:
        """Returns the option that a bot chooses (as `greedy.choose_option`), in C if available.

        In C, `hard` may use extra `seconds`. In Python, every bot stops after `limit` seconds (default: no limit)."""
        if self.found is not None and kind != "random" and len(position.s[OPTIONS]) > 1:
            try:
                if kind == bots.HINT_BOT and seconds and self.threads > 1:
                    return self.weigh_in_parallel(self.found, position, rng, seconds)[0].code
                return self.found.choose(position, NATIVE_BOT_IDS[kind], rng, seconds if kind == bots.HINT_BOT else 0)[0]
            except (NativeError, NotMarshallableError):                                # the generator is unchanged
                pass
        return bots.choose_option(kind, position, seat, rng, limit)

    def weigh(
        self, position: Position, seat: int, rng: random.Random, seconds: float = 0, limit: float | None = None
    ) -> list[OptionStats]:
        """Returns the options as `hard` ranks them (as `greedy.weigh_options`), in C if available.

        C may use extra `seconds`. Python stops after `limit` seconds (default: no limit)."""
        if self.found is not None:
            try:
                if seconds and self.threads > 1:
                    return self.weigh_in_parallel(self.found, position, rng, seconds)
                return self.found.weigh(position, NATIVE_BOT_IDS[bots.HINT_BOT], rng, seconds)
            except (NativeError, NotMarshallableError):
                pass
        return bots.weigh_options(position, seat, rng, limit)

    def weigh_in_parallel(self, found: NativeBots, position: Position, rng: random.Random, seconds: float) -> list[OptionStats]:
        """Returns the options as `hard` ranks them after extra `seconds` in all threads.

        Raises NativeError, NotMarshallableError, and then the generator is unchanged."""
        if self.parallel is None:
            self.parallel = ParallelSearch([found, *(NativeBots(found.library) for _ in range(self.threads - 1))])
        state = rng.getstate()
        try:
            return self.parallel.weigh(position, NATIVE_BOT_IDS[bots.HINT_BOT], rng, seconds)
        except (NativeError, NotMarshallableError):
            rng.setstate(state)
            raise
