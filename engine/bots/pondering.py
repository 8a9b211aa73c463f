"""Pondering: `hard` searches the positions after the replies that it expects, while a person chooses one.

The search knows only what the bot's seat knows: it starts from a determinization. If the person's options
depend on something that this seat may not see, the bot waits. Each expected reply gets searches of increasing
length, most of them for the best replies. When the bot must decide, the statistics of the position that has
come about are added to those of its own search. Positions are compared by the observation of the bot's seat.

Everything runs in a background thread with its own copy of the compiled rules, because their caches are not
safe for two threads. Most of the time is spent in C."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_python.module import load_module
from ...dsl.storage.control_slots import OPTIONS, SEAT
from ..position.determinize import determinize_position
from ..position.observation import observe
from ..position.position import Game, Position
from .mcts import STEP_BUDGETS
from .parallel_search import ParallelSearch
from .search_base import RULE_ERRORS
from .search_tree import OptionStats, is_decided, merge_option_stats

if TYPE_CHECKING:
    from .native import NativeBots

WORK = STEP_BUDGETS["hard"]
MAX_SECONDS = 60.0                          # an unattended prompt does not keep the processors busy for longer
MAX_POSITIONS = 64                          # positions whose statistics are kept
MAX_FORCED_DECISIONS = 20                   # decisions with one option that are taken after a reply
FIRST_SEARCH_SECONDS = 0.3                  # length of the first search after a reply; the next one takes twice as long
JOIN_SECONDS = 0.05                         # how long `stop` waits for the thread


@dataclass
class ExpectedReply:
    """A reply of a person. `weight` is its number of playouts, `seconds` the time spent on the positions after it."""

    code: int
    weight: int
    seconds: float = 0
    searches: int = 0


@dataclass
class PonderedDecision:
    """A decision of a person as the bot's seat sees it, its replies, and the statistics of the positions after them."""

    observation: dict[str, Any]
    replies: list[ExpectedReply]
    until: float
    after: list[tuple[dict[str, Any], list[OptionStats]]] = field(default_factory=list)

    def add_stats(self, observation: dict[str, Any], stats: list[OptionStats]) -> None:
        """Adds the statistics of a search to those of the same position."""
        for n, (other, known) in enumerate(self.after):
            if other == observation:
                self.after[n] = other, merge_option_stats([stats, known])
                return
        if len(self.after) < MAX_POSITIONS:
            self.after.append((observation, stats))


class Ponderer:
    """The searches of one bot seat at a time while people decide."""

    def __init__(self, game: Game, contexts: Sequence[NativeBots]) -> None:
        self.game, self.search = game, ParallelSearch(contexts)
        self.flag = array("q", [1])                                # of the current thread
        self.thread: Thread | None = None
        self.lock = Lock()                                         # a thread that must end may still finish a step
        self.decision: PonderedDecision | None = None
        self.rng = random.Random()

    @cached_property
    def own_game(self) -> Game:
        """The copy of the rules that only the thread uses."""
        return Game(replace(self.game.ruleset, module=load_module(self.game.module.machine)))

    def start(self, position: Position, seat: int) -> None:
        """Begins to ponder for `seat`. In `position`, a person must decide."""
        self.stop()
        self.flag = array("q", [0])
        thread = Thread(target=self.ponder, args=(position.s.copy(), seat, self.flag), daemon=True)
        with suppress(RuntimeError):                               # the system has no threads left
            thread.start()
            self.thread = thread

    def stop(self) -> None:
        """Ends the searches. Their statistics are kept until the bot ponders another decision."""
        self.flag[0] = 1
        if self.thread is not None:
            self.thread.join(JOIN_SECONDS)

    def find_stats(self, position: Position, seat: int) -> list[OptionStats] | None:
        """Returns the statistics of the position that has come about, or None if it was not expected."""
        if self.decision is None:
            return None
        seen = observe(position, seat)
        return next((stats for observation, stats in list(self.decision.after) if observation == seen), None)

    # ------------------------------------------------------------ in the thread

    def ponder(self, s: list[Any], seat: int, flag: array[int]) -> None:
        """Searches until `flag` is set, or nothing is left to search."""
        with self.lock:
            try:
                if not flag[0]:
                    self.ponder_replies(Position(self.own_game, s), seat, flag)
            except (NativeError, NotMarshallableError, *RULE_ERRORS):     # for example: the options are not for this seat
                pass

    def ponder_replies(self, position: Position, seat: int, flag: array[int]) -> None:
        """Searches the positions after the replies in turn. Raises NativeError and the errors of the rules."""
        position.invalidate_memos()
        seen = observe(position, seat)
        decision = self.decision
        if decision is None or decision.observation != seen:
            self.decision = None
            world = determinize_position(position, seat, self.rng)
            stats = self.search.contexts[0].weigh(world, WORK, self.rng, 0, flag)
            replies = [ExpectedReply(one.code, one.playouts + 1) for one in stats]
            decision = self.decision = PonderedDecision(seen, replies, monotonic() + MAX_SECONDS)
        while not flag[0] and decision.replies and monotonic() < decision.until:
            reply = max(decision.replies, key=lambda one: one.weight / (one.seconds + FIRST_SEARCH_SECONDS))
            world = determinize_position(position, seat, self.rng)
            seconds = FIRST_SEARCH_SECONDS * 2**reply.searches
            reply.searches, reply.seconds = reply.searches + 1, reply.seconds + seconds
            if not self.play_reply(world, reply.code, seat):
                decision.replies.remove(reply)
                continue
            stats = self.search.weigh(world, WORK, self.rng, seconds, flag)
            decision.add_stats(observe(world, seat), stats)
            if is_decided(stats) or stats[0].winning:
                decision.replies.remove(reply)

    def play_reply(self, world: Position, code: int, seat: int) -> bool:
        """Plays a reply and the decisions with one option after it. Returns whether `seat` then has a choice."""
        codes = world.step(code)
        for _ in range(MAX_FORCED_DECISIONS):
            if not codes or len(codes) > 1:
                break
            codes = world.step(codes[0])
        return bool(codes) and len(world.s[OPTIONS]) > 1 and bool(world.s[SEAT] == seat)
