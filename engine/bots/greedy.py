"""Players that are programs. A bot's chances come from a generator of its own (`chance.generator`); no bot ever touches or
foresees the generator of the position.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import isqrt

from ...dsl.storage.control_slots import OPTIONS, PC, ROUND, SEAT
from ..position.options import DECLINE
from ..position.position import Position
from .mcts import STEP_BUDGETS, OptionStats, choose_by_search
from .mcts import weigh_options as weigh_by_search
from .rng import pick_one, sample_without_replacement
from .search_base import RULE_ERRORS, SearchBase

BASE_STEPS = 600                          # the work that greedy puts into one decision, counted in steps of the game
STEPS_PER_OPTION = 50                            # with many options it is so much for each of them,
MAX_STEPS = 1500                          # and never more than this
PLAYOUTS_PER_WORLD = 8                            # playouts that begin in the same imagined world
MAX_OPTIONS_CONSIDERED = 120                           # with more options than this, greedy looks at so many of them
OPPONENT_REPLY_SAMPLE = 8                          # of so many options a rival takes the best when it first answers in a playout
MAX_PLAYOUT_DECISIONS = 150                            # decisions after which a playout stops, whatever happened
PRIOR_PLAYOUTS = 3                            # what was heard elsewhere says as much of an option as so many playouts of its own
HINT_BOT = "hard"                        # the bot that hints go by
PASS_MARGIN_STDERRS = 2                           # by so many of its standard errors doing nothing must be better than any deed of a menu
# values are compared in such parts of one, as whole numbers: sums are the same on every machine
FIXED_POINT_SCALE = 1024


def step_budget(options: int) -> int:
    """The steps that greedy may use for a decision with so many options."""
    return max(BASE_STEPS, min(MAX_STEPS, STEPS_PER_OPTION * options))


def choose_random(position: Position, seat: int, rng: random.Random) -> int:
    """Any option."""
    codes: list[int] = position.s[OPTIONS]
    return pick_one(rng, codes)


def choose_greedy(position: Position, seat: int, rng: random.Random) -> int:
    """The option of which most may be hoped, by the game's own estimate: what it brings at once and what comes of it in playouts."""
    return GreedySearch(position, seat, rng).choose()


class GreedySearch(SearchBase):
    """What greedy thinks about one decision.

    It looks one step ahead with every option. Then it plays on at random, from after an option to the end of the current round, and further
    as long as nothing has changed in value; only the first answer of a rival is the best of a few, one step ahead. Where an option may
    itself end the round, it is compared with the others there, and not a round later. Options take turns, and
    the worse half of them is dropped again and again, so that most playouts go to those that are hard to tell apart (sequential halving:
    Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013). As long as an option has few playouts of its own,
    those count in which the seat took it later ("all moves as first": Gelly and Silver, "Monte-Carlo tree search and rapid action value
    estimation in computer Go", 2011).

    All this happens in worlds imagined by `sample`, and is counted in steps, never timed: `left` is what may still be used, `used` what
    was.
    """

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int | None = None) -> None:
        super().__init__(position, seat, rng, step_budget(len(position.s[OPTIONS])) if steps is None else steps)
        self.world, self.begun = position, 0                       # the imagined world in use, and the playouts begun so far
        self.kind = position.game.module.waits[position.s[PC]].decision
        self.menu = self.kind is not None and self.kind.menu
        self.now: dict[int, int] = {}                              # the value right after an option; none where a rule failed
        self.seen: dict[int, list[int]] = {}                       # the estimates then
        self.ends: set[int] = set()                                # options that end the game
        self.rounds: dict[int, int] = {}                           # the round after an option
        self.round = 0                                             # the first of these: at its end, options are compared
        self.before: list[int] = []                                # the estimates now, where some options end the round and others do not
        self.own: dict[int, list[int]] = {}                        # by option: its playouts, and by how much they ended better than `now`
        self.squares: dict[int, int] = {}                          # of what these differences were, added up
        self.any: dict[int, list[int]] = {}                        # the same of all playouts in which the seat took it, also later

    def choose(self) -> int:
        """The code of the best option."""
        codes: list[int] = self.position.s[OPTIONS]
        if len(codes) == 1:
            return codes[0]
        order = sample_without_replacement(self.rng, list(codes), MAX_OPTIONS_CONSIDERED)                  # chance decides between equals
        self.evaluate_options(order)
        best = [code for code in order if code in self.now]
        while len(best) > 1 and self.left > 0 and not self.ends.issuperset(best):
            stages = (len(best) - 1).bit_length()
            self.run_playouts([code for code in best if code not in self.ends], self.left - self.left // stages)
            best = self.rank_options(best)[: (len(best) + 1) // 2]
        return self.rank_options(best)[0] if best else order[0]

    def seat_lead(self, values: list[int]) -> int:
        """How far the seat leads."""
        return self.seat_margin(values, self.seat)

    def evaluate_options(self, codes: list[int]) -> None:
        """One step ahead with each option, in one imagined world."""
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

    def run_playouts(self, codes: list[int], until: int) -> None:
        """Playouts from each option in turn, until no more than `until` may be used. Options are compared in the same worlds."""
        while self.left > until:
            for n, code in enumerate(codes):
                if n % PLAYOUTS_PER_WORLD == 0:
                    luck = self.rng.getrandbits(64)
                if self.begun % PLAYOUTS_PER_WORLD == 0:
                    self.world = self.determinize()
                self.begun += 1
                self.run_playout(self.world.copy(), code, random.Random(luck))
                if self.left <= until:
                    return

    def run_playout(self, world: Position, code: int, rng: random.Random) -> None:
        """Take an option, play on at random, and remember what came of it; where a rule fails, nothing. Changes `world`."""
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
                    # what a rival takes
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
        """These options, the best first. Of what little was heard little is believed: the rise is drawn to that of later choices, and
        this to the mean of all. To do none of the deeds of a menu must be better for certain: that others go on until one's own next
        turn is an assumption of the playouts, and what is put off may never be done."""
        count, rise = sum(own[0] for own in self.own.values()), sum(own[1] for own in self.own.values())
        mean = FIXED_POINT_SCALE * rise // max(1, count)

        def option_value(code: int) -> int:
            if code in self.ends:
                return FIXED_POINT_SCALE * self.now[code]
            likely = mean
            for count, rise in (self.any[code], self.own[code]):
                likely = (FIXED_POINT_SCALE * rise + PRIOR_PLAYOUTS * likely) // (count + PRIOR_PLAYOUTS)
            return FIXED_POINT_SCALE * self.now[code] + likely - (self.error_margin(code) if code == DECLINE and self.menu else 0)
        return sorted(codes, key=option_value, reverse=True)

    def error_margin(self, code: int) -> int:
        """How far the mean of the playouts of an option may well be from the truth, by how far those of all lie from their means."""
        playouts, mine = sum(count for count, _ in self.own.values()), self.own[code][0]
        spread = sum(self.squares[other] - rise * rise // count for other, (count, rise) in self.own.items() if count)
        return PASS_MARGIN_STDERRS * isqrt(FIXED_POINT_SCALE * FIXED_POINT_SCALE * spread // (playouts * mine)) if mine else 0


Chooser = Callable[[Position, int, random.Random], int]
BOTS: dict[str, Chooser] = {"random": choose_random, "greedy": choose_greedy,
                            **{name: partial(choose_by_search, steps=steps) for name, steps in STEP_BUDGETS.items()}}


def weigh_options(position: Position, seat: int, rng: random.Random) -> list[OptionStats]:
    """The options as `hard` ranks them, the best first."""
    return weigh_by_search(position, seat, rng, STEP_BUDGETS[HINT_BOT])


def choose_option(kind: str, position: Position, seat: int, rng: random.Random) -> int:
    """What a bot of this kind chooses; `native.Native` knows a quicker way."""
    return BOTS[kind](position, seat, rng)
