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

from ...dsl.backend_c.ffi import FOREVER, Failed, Library, Player, library, lies
from ...dsl.backend_c.hidden_state import Closed
from ...dsl.backend_c.marshal import Unfit
from ...dsl.backend_c.program import Program
from ...dsl.backend_c.toolchain import Building, compiler, kept, wanted
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.ir.value_types import Unknown
from ...dsl.storage.control_slots import OPTIONS
from ..position import options, visibility
from ..position.position import Game, Position
from . import exact_search, last_good_reply, mcts, search_base, selftest
from . import greedy as bots

THINKS = "#define LG_THINKS"         # where all bots are in C
RANDOM, GREEDY = 0, selftest.GREEDY   # bots as C calls them; those that search are called by their work
MINDS = {"random": RANDOM, "greedy": GREEDY, **mcts.STRENGTHS}
ROW = struct.Struct("=4q2d")         # what C tells of an option: lg_weighed in c/search.h
NOTED = 512                          # decisions of bots that there is room for to begin with
NUMBERS = {
    "LG_WORLD": search_base.WORLD, "LG_IDLE": search_base.IDLE, "LG_DECLINE": options.DECLINE, "LG_TRIES": visibility.TRIES,
    **{f"LG_GREEDY_{name}": getattr(bots, name) for name in (
        "STEPS", "EACH", "MOST", "SHARE", "MANY", "ANSWERS", "FAR", "DOUBT", "SURELY", "FINE")},
    **{f"LG_SEARCH_{name}": getattr(mcts, name) for name in (
        "SHARE", "MANY", "LOOKED", "TRIED", "AGAIN", "GUIDED", "FAR", "SURE", "SHARP", "FEW", "SOON",
        "KEEN", "AMPLE", "PART", "SLOW", "LARGEST", "VICTORY", "WIDTH", "CURIOUS", "HOPE", "RISE", "LEAD")},
    **{f"LG_PROOF_{name}": getattr(exact_search, name) for name in ("KEPT", "NEAR", "LIKED", "DEEP", "WIDE")},
    **{f"LG_REPLY_{name}": getattr(last_good_reply, name) for name in ("BITS", "NONE", "ANY")},
    "LG_SEARCH_LISTED": 16,          # with more options than this, C finds them by a table
}


@cache
def part(name: str) -> str:
    return read_text(Path(__file__).parent / "c" / name)


def thoughts(program: Program) -> list[str]:
    """The bots of a game as C. Where closed things lie in a way that C does not know, only the one that chooses at random."""
    try:
        closed = Closed(program, visibility.UNKNOWN).write()
    except Unknown:
        return [part("chance.h"), part("playing.h")]
    return [THINKS, *(f"#define {name} ({value})" for name, value in NUMBERS.items()),
            part("chance.h"), closed,
            *map(part, ("imagining.h", "thinking.h", "greedy.h", "proving.h", "replies.h", "search.h", "playing.h"))]


class Thinker(Player):
    """A context of a game whose bots are in C too. Raises AttributeError where the library has none."""

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self.notes = array("q", bytes(8 * 4 * NOTED))
        long, words = ctypes.c_int64, ctypes.c_void_p
        library.find("lg_bots", long, [words, long, long, long, words, words, long, words])
        library.find("lg_thought", long, [words, long, long, words, words])
        library.find("lg_weigh", long, [words, long, long, words, words])

    def bots(self, seed: int, most: int, bots: Sequence[str], first: int = 0) -> tuple[bool, list[int]]:
        """Bots, one for each seat, play the position on, in the game named by `seed`, until `most` decisions are made, of which `first`
        were made before: whether it came to its end, and four numbers for each decision (see c/playing.h). Raises Failed."""
        count, minds = array("q", [0]), array("q", [MINDS[name] for name in bots])

        def play() -> int:
            return int(self.c.lg_bots(self.at, seed, first, min(most, FOREVER), lies(minds), lies(self.notes), len(self.notes) // 4,
                                      lies(count)))

        def more() -> bool:
            full = count[0] >= len(self.notes) // 4
            if full:
                self.notes = array("q", bytes(8 * 4 * len(self.notes)))
            return full

        why = self.afresh(play, more)
        if why not in (0, 1):
            raise Failed(str(why))
        return bool(why), self.notes[: 4 * count[0]].tolist()

    def choose(self, position: Position, mind: int, rng: random.Random, seconds: float = 0) -> tuple[int, int]:
        """What a bot of MINDS chooses in a position, and the work that it cost; the generator is used as it would be in Python. One that
        searches may go on for so many seconds when its work is done: then it is not the same every time. Raises Failed, Unfit."""
        out = array("q", [0, 0])
        self.think(position, rng, seconds, lambda left, numbers: self.c.lg_thought(self.at, mind, left, numbers, lies(out)))
        return out[0], out[1]

    def weigh(self, position: Position, work: int, rng: random.Random, seconds: float = 0) -> list[mcts.Weighed]:
        """The options as the search ranks them (see `mcts.weigh`), with so much work and so many seconds more. Raises Failed, Unfit."""
        rows = ctypes.create_string_buffer(ROW.size * len(position.s[OPTIONS]))
        self.think(position, rng, seconds, lambda left, numbers: self.c.lg_weigh(self.at, work, left, numbers, ctypes.addressof(rows)))
        return [mcts.Weighed(code, playouts, ended, share, lead, bool(winning))
                for code, playouts, ended, winning, share, lead in ROW.iter_unpack(rows.raw)]

    def think(self, position: Position, rng: random.Random, seconds: float, thought: Callable[[int, int], int]) -> None:
        """A thought about a position: it is given how long it may go on and where the generator's numbers lie."""
        self.load(position.s)
        version, state, gauss = rng.getstate()
        numbers, until = array("I", state), time.monotonic() + seconds

        def think() -> int:
            numbers[:] = array("I", state)
            return thought(max(0, int(1e9 * (until - time.monotonic()))) if seconds else 0, lies(numbers))

        why = self.afresh(think)
        if why:
            raise Failed(str(why))
        rng.setstate((version, tuple(numbers), gauss))


class Native:
    """A game that is being compiled, or (not `make`) that was compiled before, if it was. `found` is what plays it, when that is done;
    where it can never be, `hindrance` is the message that says why, without its `native.`."""

    def __init__(self, game: Game, make: bool = True) -> None:
        self.game, self.made_now = game, make
        self.found: Thinker | None = None
        self.hindrance = "" if compiler() is not None or not wanted() else "compiler"
        self.building: Building | None = None
        self.thread = Thread(target=self.make, daemon=True)
        if compiler() is not None and (make or kept()):
            self.thread.start()
            atexit.register(self.stop)

    def make(self) -> None:
        try:
            program = Program(self.game.module.machine, self.game.players)
            parts = thoughts(program)
            self.building = Building(program.write(parts), make=self.made_now)
            made = library(self.building, program)
            if made is not None:
                found = Thinker(made)
                found.load(self.game.new().s)
                if not self.is_trusted(found, THINKS in parts):
                    self.hindrance = "differs"
                    return
                found.load(self.game.new().s)
                self.hindrance = "" if THINKS in parts else "bots"
                self.found = found
            elif self.made_now:
                self.hindrance = "costly" if self.building.costly else "failed"
        except Unknown:
            self.hindrance = "rules"
        except Exception:                                          # whatever it is: Python goes on
            self.hindrance = "failed"

    def is_trusted(self, found: Thinker, thinks: bool) -> bool:
        """Whether a library has proved itself: it plays a short game as Python does, now or the last time that it was made of the same text
        by the same compiler for the same processor. One that does not is never used."""
        assert self.building is not None
        if not self.building.is_proved():
            if selftest.difference(self.game, found, thinks) is not None:
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
                return self.found.choose(position, MINDS[kind], rng, seconds if kind == bots.HARD else 0)[0]
            except (Failed, Unfit):                                # the generator is as it was
                pass
        return bots.choose(kind, position, seat, rng)

    def weigh(self, position: Position, seat: int, rng: random.Random, seconds: float = 0) -> list[mcts.Weighed]:
        """The options as `hard` ranks them (as `bots.weigh`), in C where it can be, for so many seconds."""
        if self.found is not None:
            try:
                return self.found.weigh(position, MINDS[bots.HARD], rng, seconds)
            except (Failed, Unfit):
                pass
        return bots.weigh(position, seat, rng)
