"""Self-test of a compiled library: plays a game in C and in Python side by side, since compilers have bugs too.

At every decision it compares the options, the entries of the position, the standing and the estimates. At one
decision it also compares the choices of bots. Python uses its own copy of the compiled functions here,
because the caches of rules are not safe for two threads."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_python.module import load_module
from ...dsl.backend_python.runtime import below
from ...dsl.storage.control_slots import EVENTS, FIRST_STATE_SLOT, OPTIONS, PC, RANDOM, ROUND, SEAT
from ..position.position import Game, Position
from ..position.seeds import Seed
from .greedy import GreedySearch, level_budget, needs_shallow_search
from .mcts import TreeSearch
from .rng import decision_rng

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

GREEDY_BOT_ID = -1                           # id of the bot in C
TRIAL_SEEDS: tuple[Seed, ...] = (0, "5e1f7e57" * 4)   # of the test games: a number, and a secret seed
MAX_TRIAL_DECISIONS = 100                       # maximum per test game
TRIAL_CPU_SECONDS = 0.35                         # CPU seconds per test game, but at least MIN_TRIAL_DECISIONS
MIN_TRIAL_DECISIONS = 3
TRIAL_SEARCH_STEPS = 150                    # steps of the tree search that is compared
DIGEST_INTERVAL = 16                           # at every n-th decision, digests are compared even if all entries are equal
C_REFUSAL_CODES = ("-2", "-1", "no room")      # in `NativeError`, for things that C does not support (see support.h)


class CompiledContext(Protocol):
    """The native context of a compiled game, as dsl/backend_c/ffi.py implements it."""

    def load(self, s: Sequence[Any]) -> None: ...
    def save(self, s: list[Any]) -> None: ...
    def step(self, code: int) -> None: ...
    def values(self, goal_set: int = 0) -> list[tuple[int, ...]]: ...


class CompiledBots(CompiledContext, Protocol):
    """The native context of a compiled game whose bots are in C too."""

    def choose(self, position: Position, bot: int, rng: random.Random, seconds: float = 0) -> tuple[int, int]: ...


def find_difference(game: Game, c: CompiledBots, thinks: bool = True) -> str | None:
    """Returns how a compiled game differs from Python in a short test, or None.

    `thinks` says whether its bots are in C."""
    apart = Game(replace(game.ruleset, module=load_module(game.module.machine)))
    for seed in TRIAL_SEEDS:
        wrong, _ = compare_random_game(apart, c, seed, MAX_TRIAL_DECISIONS, hashed=False, seconds=TRIAL_CPU_SECONDS)
        if wrong is None and thinks:
            wrong = find_bot_difference(apart, c, seed)
        if wrong is not None:
            return wrong
    return None


def find_bot_difference(game: Game, c: CompiledBots, seed: Seed) -> str | None:
    """Returns how the bots differ at the first decision with several options, or None."""
    position = game.new_position(seed)
    try:
        position.step(0)
        while not position.over and len(position.s[OPTIONS]) < 2:
            position.step(position.s[OPTIONS][0])
        return None if position.over else compare_bots(position, c, (GREEDY_BOT_ID, TRIAL_SEARCH_STEPS), seed, 0)
    except Exception:                                              # a fault of the rules says nothing about C
        return None


def think_in_python(position: Position, bot: int, rng: random.Random) -> tuple[int, int]:
    """Returns the choice of a bot in Python and its work. `bot` is the id of the bot in C."""
    seat = position.s[SEAT]
    if bot == GREEDY_BOT_ID or needs_shallow_search(position.game):
        search: GreedySearch | TreeSearch = GreedySearch(position, seat, rng, None if bot == GREEDY_BOT_ID else level_budget(position, bot))
    else:
        search = TreeSearch(position, seat, rng, bot)
    return search.choose(), search.used


def compare_bots(position: Position, c: CompiledBots, bots: tuple[int, ...], seed: Seed, number: int,
                      refusing: bool = True) -> str | None:
    """Returns how one of these bots differs in C: by its choice, its work or the state of its generator.

    None if all agree.

    With `refusing`, C may decline to run a bot."""
    for mind in bots:
        one, two = (decision_rng(seed, position.s[SEAT], number) for _ in range(2))
        wanted = think_in_python(position, mind, one)
        try:
            found = c.choose(position, mind, two)
        except (NativeError, NotMarshallableError):
            if refusing:
                continue
            raise
        if wanted != found or one.getstate() != two.getstate():
            return f"seed {seed}, decision {number}, bot {mind}: {wanted} in Python, {found} in C"
    return None


def compare_random_game(game: Game, c: CompiledContext, seed: Seed, max_decisions: int, hashed: bool = True, seconds: float | None = None,
                 refusing: bool = True) -> tuple[str | None, int]:
    """Returns the first difference in one random game, or None, and the number of decisions made.

    With `seconds`, the game ends after so many CPU seconds. It is not a difference if both sides fail, or, with
    `refusing`, if C says that it does not support something."""
    position, began = game.new_position(seed), time.thread_time()
    choices = list(game.module.initial)
    choices[RANDOM] = seed if isinstance(seed, int) else 1
    code, number = 0, 0
    try:
        c.load(position.s)
    except (NativeError, NotMarshallableError) as failed:
        return None if refusing else f"seed {seed}: C does not load: {failed}", 0
    while True:
        fault, why = step_both(position, c, code)
        if fault is not None and why is not None or why in C_REFUSAL_CODES and refusing:
            return None, number
        wrong = (f"fault {fault!r} in Python, {why} in C" if fault is not None or why is not None
                 else position_difference(c, position, hashed and number % DIGEST_INTERVAL == 0))
        if wrong is not None:
            return f"seed {seed}, decision {number}: {wrong}", number
        if (
            position.over
            or number == max_decisions
            or seconds is not None
            and number >= MIN_TRIAL_DECISIONS
            and time.thread_time() - began > seconds
        ):
            return None, number
        codes = position.s[OPTIONS]
        code = codes[below(choices, len(codes))]
        number += 1


def step_both(position: Position, c: CompiledContext, code: int) -> tuple[Exception | None, str | None]:
    """Makes a step in Python and in C. Returns the error of each, None if it did not fail."""
    fault: Exception | None = None
    why: str | None = None
    try:
        position.step(code)
    except Exception as error:                                     # any error here is a fault of the rules
        fault = error
    try:
        c.step(code)
    except NativeError as failed:
        why = str(failed)
    return fault, why


def standing_values(position: Position) -> list[tuple[int, ...]] | None:
    """Returns the standing values of all seats, or None if the rules fail, which they may do during the set-up."""
    try:
        return [tuple(int(value(position.s, seat)) for value in position.game.module.standing) for seat in range(position.game.players)]
    except Exception:
        return None


def estimate_values(position: Position) -> list[tuple[int, ...]] | None:
    """Returns the estimates of all seats, or None if the rules fail."""
    try:
        return [(position.estimate(seat),) for seat in range(position.game.players)]
    except Exception:
        return None


def read_native_goals(c: CompiledContext, goal_set: int) -> list[tuple[int, ...]] | str:
    """Returns the standing (0) or the estimates (1) from C, or the error code."""
    try:
        return c.values(goal_set)
    except NativeError as failed:
        return str(failed)


def are_values_equal(one: list[tuple[int, ...]] | None, other: list[tuple[int, ...]] | str) -> bool:
    """Whether C gives the same values as Python, fails when Python fails, or does not support the computation."""
    return one is None if isinstance(other, str) and other not in C_REFUSAL_CODES else isinstance(other, str) or one == other


def are_entries_equal(one: Position, other: Position) -> bool:
    """Whether all entries are equal that the canonical form and the digest use. Much faster than computing those."""
    game, a, b = one.game, one.s, other.s
    if a[FIRST_STATE_SLOT : game.states_end] != b[FIRST_STATE_SLOT : game.states_end] or any(
        a[entry] != b[entry] for entry in (PC, RANDOM, ROUND, SEAT)
    ):
        return False
    pc = a[PC]
    while pc in game.module.waits:                                 # compare the live variables and return addresses of the frames
        wait = game.module.waits[pc]
        if a[wait.return_slot] != b[wait.return_slot] or any(a[alive.slot] != b[alive.slot] for alive in wait.live):
            return False
        pc = a[wait.return_slot]
    return True


def position_difference(c: CompiledContext, position: Position, hashed: bool = True) -> str | None:
    """Returns how a position in C differs from the one in Python, or None.

    If `hashed` is false, digests are computed only if the entries are not equal one by one."""
    s = list(position.s)
    s[EVENTS] = None
    c.save(s)
    other = Position(position.game, s)
    same = are_entries_equal(position, other)
    for what, one, two in (
        ("options", list(position.s[OPTIONS]), list(s[OPTIONS])),
        ("canonical form", *((0, 0) if same else (position.canonical(), other.canonical()))),
        ("digest", *((0, 0) if same and not hashed else (position.digest(), other.digest()))),
    ):
        if one != two:
            return f"{what}: {one} in Python, {two} in C"
    for what, found, in_c in (
        ("standing", standing_values(position), read_native_goals(c, 0)),
        ("estimates", estimate_values(position), read_native_goals(c, 1)),
    ):
        if not are_values_equal(found, in_c):
            return f"{what}: {found} in Python, {in_c} in C"
    return None
