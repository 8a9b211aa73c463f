"""The greedy bot, and the registry of all bots.

Each bot has its own random generator (`rng.decision_rng`). No bot ever uses or predicts the generator of the
position."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import isqrt

from ...dsl.storage.control_slots import OPTIONS, PC, ROUND, SEAT
from ..position.options import DECLINE
from ..position.position import Game, Position
from .mcts import STEP_BUDGETS, choose_by_search
from .mcts import weigh_options as weigh_by_search
from .rng import pick_one, sample_without_replacement
from .search_base import RULE_ERRORS, SearchBase
from .search_tree import OptionStats

BASE_STEPS = 600                          # minimum work per decision, in steps of the game
STEPS_PER_OPTION = 50                            # with many options, the work per option
MAX_STEPS = 1500                          # maximum work per decision
PLAYOUTS_PER_WORLD = 8                            # playouts that start from the same determinization
MAX_OPTIONS_CONSIDERED = 120                           # of more options, a random sample of this size is considered
OPPONENT_REPLY_SAMPLE = 8                          # the first reply of an opponent in a playout is the best of so many options
MAX_PLAYOUT_DECISIONS = 150                            # a playout stops after so many decisions
PRIOR_PLAYOUTS = 3                            # weight of the prior (other playouts) in playouts of the option itself
HINT_BOT = "hard"                        # the bot behind hints
PASS_MARGIN_STDERRS = 2                           # standard errors by which passing must beat any action of a menu
# values are integers in these fractions of 1, so sums are the same on every machine
FIXED_POINT_SCALE = 1024


def step_budget(options: int) -> int:
    """Returns the number of steps that greedy may use for a decision with so many options."""
    return max(BASE_STEPS, min(MAX_STEPS, STEPS_PER_OPTION * options))


def choose_random(position: Position, seat: int, rng: random.Random, seconds: float | None = None) -> int:
    """Returns a random option."""
    codes: list[int] = position.s[OPTIONS]
    return pick_one(rng, codes)


def choose_greedy(position: Position, seat: int, rng: random.Random, seconds: float | None = None) -> int:
    """Returns the option with the best expected estimate: its immediate value plus the gain in playouts."""
    return GreedySearch(position, seat, rng, seconds=seconds).choose()


class GreedySearch(SearchBase):
    """The greedy search for one decision.

    It looks one step ahead with every option. Then it plays at random from each option to the end of the current
    round, and further as long as the estimates do not change. Only the first reply of an opponent is the best of
    a few options, one step ahead. If some options end the round themselves, they are compared with the others at
    that point and not a round later.

    Options take turns, and the worse half is dropped again and again, so most playouts go to options that are
    hard to tell apart (sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
    bandits", 2013). While an option has few playouts of its own, playouts count in which the seat took it later
    ("all moves as first": Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in
    computer Go", 2011).

    All playouts start from determinizations. Work is counted in steps, never in time: `left` may still be used,
    `used` is spent."""

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int | None = None, seconds: float | None = None) -> None:
        super().__init__(position, seat, rng, step_budget(len(position.s[OPTIONS])) if steps is None else steps, seconds)
        self.world, self.begun = position, 0                       # the current determinization, and the number of playouts started
        self.kind = position.game.module.waits[position.s[PC]].decision
        self.menu = self.kind is not None and self.kind.menu
        self.now: dict[int, int] = {}                              # value right after each option; missing if a rule failed
        self.seen: dict[int, list[int]] = {}                       # the estimates at that point
        self.ends: set[int] = set()                                # options that end the game
        self.rounds: dict[int, int] = {}                           # the round after each option
        self.round = 0                                             # the lowest of these: options are compared at its end
        self.before: list[int] = []                                # the estimates now, if only some options end the round
        self.own: dict[int, list[int]] = {}                        # by option: number of playouts, and their total gain over `now`
        self.squares: dict[int, int] = {}                          # sum of the squared gains
        self.any: dict[int, list[int]] = {}                        # like `own`, over all playouts in which the seat took it at any time

    def choose(self) -> int:
        """Returns the code of the best option."""
        codes: list[int] = self.position.s[OPTIONS]
        return codes[0] if len(codes) == 1 else self.think()[0]

    def think(self) -> list[int]:
        """Runs the search. Returns the options that were considered, best first, then those whose rules fail."""
        # random order, so ties are broken at random
        order = sample_without_replacement(self.rng, list(self.position.s[OPTIONS]), MAX_OPTIONS_CONSIDERED)
        self.evaluate_options(order)
        best = [code for code in order if code in self.now]
        count = len(best)                                          # the options behind the first `count` have been dropped
        while count > 1 and self.left > 0 and not self.ends.issuperset(best[:count]):
            stages = (count - 1).bit_length()
            self.run_playouts([code for code in best[:count] if code not in self.ends], self.left - self.left // stages)
            best[:count] = self.rank_options(best[:count])
            count = (count + 1) // 2
        best[:count] = self.rank_options(best[:count])
        return best + [code for code in order if code not in self.now]

    def weigh(self) -> list[OptionStats]:
        """Runs the search. Returns the statistics of all options, best first. Its playouts do not reach the end of the game."""
        ranked = self.think()
        rest = [code for code in self.position.s[OPTIONS] if code not in ranked]
        return [self.option_stats(code) for code in ranked] + [OptionStats(code, 0, 0, 0.0, 0.0, False) for code in rest]

    def option_stats(self, code: int) -> OptionStats:
        """Returns the statistics of an option."""
        playouts, rise = self.own.get(code, (0, 0))
        return OptionStats(code, playouts, 0, 0.0, self.now.get(code, 0) + rise / max(1, playouts), False)

    def seat_lead(self, values: list[int]) -> int:
        """Returns how far the seat leads."""
        return self.seat_margin(values, self.seat)

    def evaluate_options(self, codes: list[int]) -> None:
        """Evaluates each option one step ahead, in one determinization."""
        world = self.determinize()
        for code in codes:
            after = world.copy()
            self.spend_steps(1)
            try:
                if not after.step(code):
                    self.ends.add(code)
                self.seen[code] = self.seat_estimates(after)
                self.now[code] = self.seat_lead(self.seen[code])
            except RULE_ERRORS:
                continue
            self.own[code], self.any[code], self.squares[code], self.rounds[code] = [0, 0], [0, 0], 0, after.s[ROUND]
        self.round = min(self.rounds.values(), default=0)
        if any(number != self.round for number in self.rounds.values()):
            with suppress(*RULE_ERRORS):
                self.before = self.seat_estimates(world)

    def run_playouts(self, codes: list[int], last_round: int) -> None:
        """Runs playouts from each option in turn, until at most `last_round` steps are left.

        Options share determinizations and random seeds."""
        while self.left > last_round:
            for n, code in enumerate(codes):
                if n % PLAYOUTS_PER_WORLD == 0:
                    luck = self.rng.getrandbits(64)
                if self.begun % PLAYOUTS_PER_WORLD == 0:
                    self.world = self.determinize()
                self.begun += 1
                self.run_playout(self.world.copy(), code, random.Random(luck))
                if self.left <= last_round:
                    return

    def run_playout(self, world: Position, code: int, rng: random.Random) -> None:
        """Takes an option, plays on at random, and records the result.

        If a rule fails, nothing is recorded. Changes `world`."""
        s, waits = world.s, world.game.module.waits
        begun = self.round
        old = self.seen[code] if self.rounds[code] == begun else self.before
        taken = {code}
        try:
            codes = world.step(code)
            self.spend_steps(1)
            values, answered = None, False
            for _ in range(MAX_PLAYOUT_DECISIONS):
                if s[ROUND] != begun or not codes:
                    begun, values = s[ROUND], self.seat_estimates(world)
                    if values != old or not codes:
                        break
                    values = None
                if s[SEAT] == self.seat:
                    chosen = self.random_option(world, codes, rng)
                    if chosen in self.now and waits[s[PC]].decision is self.kind:
                        taken.add(chosen)
                elif answered or len(codes) == 1:
                    chosen = self.random_option(world, codes, rng)
                else:
                    # an opponent replies
                    chosen, answered = self.best_of_sample(world, world.s[OPTIONS], OPPONENT_REPLY_SAMPLE, rng), True
                codes = world.step(chosen)
                self.spend_steps(1)
            value = self.seat_lead(values or self.seat_estimates(world))
        except RULE_ERRORS:
            self.spend_steps(1)
            return
        self.own[code][0] += 1
        self.own[code][1] += value - self.now[code]
        self.squares[code] += (value - self.now[code]) ** 2
        for chosen in taken:
            self.any[chosen][0] += 1
            self.any[chosen][1] += value - self.now[chosen]

    def rank_options(self, codes: list[int]) -> list[int]:
        """Returns these options, best first.

        With few playouts, the gain of an option is shrunk towards its gain as a later choice, and that towards the
        mean of all options. Passing in a menu must be better by a margin of its standard error. Playouts assume that
        the others play on and that the seat acts in its next turn, so they overrate passing."""
        count, rise = sum(own[0] for own in self.own.values()), sum(own[1] for own in self.own.values())
        mean = FIXED_POINT_SCALE * rise // max(1, count)

        def option_value(code: int) -> int:
            """Returns the expected value of an option, in fixed-point units."""
            if code in self.ends:
                return FIXED_POINT_SCALE * self.now[code]
            likely = mean
            for count, rise in (self.any[code], self.own[code]):
                likely = (FIXED_POINT_SCALE * rise + PRIOR_PLAYOUTS * likely) // (count + PRIOR_PLAYOUTS)
            return FIXED_POINT_SCALE * self.now[code] + likely - (self.error_margin(code) if code == DECLINE and self.menu else 0)
        return sorted(codes, key=option_value, reverse=True)

    def error_margin(self, code: int) -> int:
        """Returns the margin for an option: PASS_MARGIN_STDERRS standard errors of its mean gain.

        The variance is pooled over the playouts of all options."""
        playouts, mine = sum(count for count, _ in self.own.values()), self.own[code][0]
        spread = sum(self.squares[other] - rise * rise // count for other, (count, rise) in self.own.items() if count)
        return PASS_MARGIN_STDERRS * isqrt(FIXED_POINT_SCALE * FIXED_POINT_SCALE * spread // (playouts * mine)) if mine else 0


Chooser = Callable[..., int]                     # of a position, a seat, its generator and a limit of seconds (default: none)


def needs_shallow_search(game: Game) -> bool:
    """Whether the levels search like `greedy` in this game, with their own budgets.

    In a tree over determinizations, every partner chooses as if it knew the hidden values. Between opponents that is
    a small error. A team without opponents then plans without telling each other anything, and fails."""
    return len(game.teams) == 1 < game.players and game.has_hidden_information


def level_budget(position: Position, steps: int) -> int:
    """Returns the steps of a level that searches like `greedy`: its own, but at least those of `greedy`.

    With fewer, the playouts would not tell options apart."""
    return max(steps, step_budget(len(position.s[OPTIONS])))


def choose_by_level(position: Position, seat: int, rng: random.Random, steps: int, seconds: float | None = None) -> int:
    """Returns the option that a level with this budget chooses."""
    if needs_shallow_search(position.game):
        return GreedySearch(position, seat, rng, level_budget(position, steps), seconds).choose()
    return choose_by_search(position, seat, rng, steps, seconds)


BOTS: dict[str, Chooser] = {"random": choose_random, "greedy": choose_greedy,
                            **{name: partial(choose_by_level, steps=steps) for name, steps in STEP_BUDGETS.items()}}


def weigh_options(position: Position, seat: int, rng: random.Random, limit: float | None = None) -> list[OptionStats]:
    """Returns the options as `hard` ranks them, best first. It stops after `limit` seconds (default: no limit)."""
    if needs_shallow_search(position.game):
        return GreedySearch(position, seat, rng, STEP_BUDGETS[HINT_BOT], limit).weigh()
    return weigh_by_search(position, seat, rng, STEP_BUDGETS[HINT_BOT], limit)


def choose_option(kind: str, position: Position, seat: int, rng: random.Random, limit: float | None = None) -> int:
    """Returns the option that a bot of this kind chooses. It stops after `limit` seconds (default: no limit).

    `native.NativeGame` does the same faster."""
    return BOTS[kind](position, seat, rng, seconds=limit)
