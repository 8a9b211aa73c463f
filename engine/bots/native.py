"""A game and the thinking of its bots as C, where there is a compiler and its rules are known to the C writer. It is made in a thread
beside the game; until then, and where it cannot be, all is done in Python, with the same outcome.

`c/` holds the bots as C: the same thoughts, from the same generators, step by step.
"""

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
from ..position import options, visibility
from ..position.position import Game, Position
from . import exact_search, last_good_reply, mcts, search_base, selftest
from . import greedy as bots

ALL_BOTS_DEFINE = "#define LG_THINKS"         # where all bots are in C
RANDOM_BOT_ID, GREEDY_BOT_ID = 0, selftest.GREEDY_BOT_ID   # bots as C calls them; those that search are called by their work
NATIVE_BOT_IDS = {"random": RANDOM_BOT_ID, "greedy": GREEDY_BOT_ID, **mcts.STEP_BUDGETS}
OPTION_STATS_STRUCT = struct.Struct("=4q2d")         # what C tells of an option: lg_weighed in c/search.h
INITIAL_DECISION_CAPACITY = 512                          # decisions of bots that there is room for to begin with
C_DEFINES = {
    "LG_WORLD": search_base.DETERMINIZE_COST_STEPS, "LG_IDLE": search_base.MAX_PASS_DRAWS, "LG_DECLINE": options.DECLINE,
    "LG_TRIES": visibility.MAX_RESAMPLES,
    **{f"LG_GREEDY_{name}": getattr(bots, name) for name in (
        "BASE_STEPS", "STEPS_PER_OPTION", "MAX_STEPS", "PLAYOUTS_PER_WORLD", "MAX_OPTIONS_CONSIDERED", "OPPONENT_REPLY_SAMPLE",
        "MAX_PLAYOUT_DECISIONS", "PRIOR_PLAYOUTS", "PASS_MARGIN_STDERRS", "FIXED_POINT_SCALE")},
    **{f"LG_SEARCH_{name}": getattr(mcts, name) for name in (
        "PLAYOUTS_PER_WORLD", "MAX_ROOT_OPTIONS", "MAX_INNER_OPTIONS", "GUIDED_SAMPLE", "EXPAND_VISITS", "GUIDED_DEPTH",
        "MAX_PLAYOUT_DECISIONS", "WIN_CONFIRM_WORLDS", "TACTICAL_RATIO", "TACTICAL_MAX_OPTIONS", "TACTICAL_EXPAND_VISITS",
        "TACTICAL_UCT_C", "LONG_SEARCH_STEPS", "PLAYOUT_SHARE_DIVISOR", "PROOF_CHECKPOINT_DIVISOR", "MAX_TREE_SIZE", "WIN_HALF_POINTS",
        "WIDENING_BASE", "UCT_C", "BIAS_WEIGHT", "CUTOFF_CHANGE_WEIGHT", "CUTOFF_LEAD_WEIGHT")},
    **{f"LG_PROOF_{name}": getattr(exact_search, name) for name in (
        "TABLE_SIZE", "MAX_UNSTORED_DEPTH", "HISTORY_SIZE", "MAX_DEPTH", "MAX_BRANCHING")},
    **{f"LG_REPLY_{name}": getattr(last_good_reply, name) for name in (
        "TABLE_BITS", "NO_PREVIOUS", "ANY_PREVIOUS")},
    "LG_SEARCH_LISTED": 16,  # with more options than this, C finds them by a table
}


@cache
def read_c_source(name: str) -> str:
    return read_text(Path(__file__).parent / "c" / name)


def bot_sources(program: CProgram) -> list[str]:
    """The bots of a game as C. Where closed things lie in a way that C does not know, only the one that chooses at random."""
    try:
        closed = HiddenStateWriter(program, visibility.UNBOUNDED_SAMPLE_MAX).write()
    except UnsupportedConstructError:
        return [read_c_source("chance.h"), read_c_source("playing.h")]
    return [ALL_BOTS_DEFINE, *(f"#define {name} ({value})" for name, value in C_DEFINES.items()),
            read_c_source("chance.h"), closed,
            *map(read_c_source, ("imagining.h", "thinking.h", "greedy.h", "proving.h", "replies.h", "search.h", "playing.h"))]


class NativeBots(NativeContext):
    """A context of a game whose bots are in C too. Raises AttributeError where the library has none."""

    def __init__(self, library: NativeLibrary) -> None:
        super().__init__(library)
        self.notes = array("q", bytes(8 * 4 * INITIAL_DECISION_CAPACITY))
        long, words = ctypes.c_int64, ctypes.c_void_p
        library.declare_function("lg_bots", long, [words, long, long, long, words, words, long, words])
        library.declare_function("lg_thought", long, [words, long, long, words, words])
        library.declare_function("lg_weigh", long, [words, long, long, words, words])

    def play_bots(self, seed: int, most: int, bots: Sequence[str], first: int = 0) -> tuple[bool, list[int]]:
        """Bots, one for each seat, play the position on, in the game named by `seed`, until `most` decisions are made, of which `first`
        were made before: whether it came to its end, and four numbers for each decision (see c/playing.h). Raises Failed."""
        count, minds = array("q", [0]), array("q", [NATIVE_BOT_IDS[name] for name in bots])

        def play() -> int:
            return int(
                self.c.lg_bots(
                    self.at,
                    seed,
                    first,
                    min(most, NO_LIMIT),
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

    def choose(self, position: Position, mind: int, rng: random.Random, seconds: float = 0) -> tuple[int, int]:
        """What a bot of MINDS chooses in a position, and the work that it cost; the generator is used as it would be in Python. One that
        searches may go on for so many seconds when its work is done: then it is not the same every time. Raises Failed, Unfit."""
        out = array("q", [0, 0])
        self.run_search(position, rng, seconds, lambda left, numbers: self.c.lg_thought(self.at, mind, left, numbers, array_address(out)))
        return out[0], out[1]

    def weigh(self, position: Position, work: int, rng: random.Random, seconds: float = 0) -> list[mcts.OptionStats]:
        """The options as the search ranks them (see `mcts.weigh`), with so much work and so many seconds more. Raises Failed, Unfit."""
        rows = ctypes.create_string_buffer(OPTION_STATS_STRUCT.size * len(position.s[OPTIONS]))
        self.run_search(position, rng, seconds, lambda left, numbers: self.c.lg_weigh(self.at, work, left, numbers, ctypes.addressof(rows)))
        return [mcts.OptionStats(code, playouts, ended, share, lead, bool(winning))
                for code, playouts, ended, winning, share, lead in OPTION_STATS_STRUCT.iter_unpack(rows.raw)]

    def run_search(self, position: Position, rng: random.Random, seconds: float, thought: Callable[[int, int], int]) -> None:
        """A thought about a position: it is given how long it may go on and where the generator's numbers lie."""
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
    """A game that is being compiled, or (not `make`) that was compiled before, if it was. `found` is what plays it, when that is done;
    where it can never be, `hindrance` is the message that says why, without its `native.`."""

    def __init__(self, game: Game, make: bool = True) -> None:
        self.game, self.made_now = game, make
        self.found: NativeBots | None = None
        self.hindrance = "" if find_compiler() is not None or not is_compiling_enabled() else "compiler"
        self.building: NativeBuild | None = None
        self.thread = Thread(target=self.build_library, daemon=True)
        if find_compiler() is not None and (make or has_cached_library()):
            self.thread.start()
            atexit.register(self.stop)

    def build_library(self) -> None:
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
        except Exception:                                          # whatever it is: Python goes on
            self.hindrance = "failed"

    def is_trusted(self, found: NativeBots, thinks: bool) -> bool:
        """Whether a library has proved itself: it plays a short game as Python does, now or the last time that it was made of the same text
        by the same compiler for the same processor. One that does not is never used."""
        assert self.building is not None
        if not self.building.is_proved():
            if selftest.find_difference(self.game, found, thinks) is not None:
                return False
            self.building.note_proof()
        return True

    def wait(self) -> None:
        """Until it is compiled, or cannot be."""
        if self.thread.ident is not None:
            self.thread.join()

    def stop(self) -> None:
        """It is not wanted any more."""
        if self.building is not None:
            self.building.stop()
            self.thread.join(1)

    def choose(self, kind: str, position: Position, seat: int, rng: random.Random, seconds: float = 0) -> int:
        """What a bot chooses (as `bots.choose`): thought of in C where the game is there as C, by `hard` for so many seconds."""
        if self.found is not None and kind != "random" and len(position.s[OPTIONS]) > 1:
            try:
                return self.found.choose(position, NATIVE_BOT_IDS[kind], rng, seconds if kind == bots.HINT_BOT else 0)[0]
            except (NativeError, NotMarshallableError):                                # the generator is as it was
                pass
        return bots.choose_option(kind, position, seat, rng)

    def weigh(self, position: Position, seat: int, rng: random.Random, seconds: float = 0) -> list[mcts.OptionStats]:
        """The options as `hard` ranks them (as `bots.weigh`), in C where it can be, for so many seconds."""
        if self.found is not None:
            try:
                return self.found.weigh(position, NATIVE_BOT_IDS[bots.HINT_BOT], rng, seconds)
            except (NativeError, NotMarshallableError):
                pass
        return bots.weigh_options(position, seat, rng)
