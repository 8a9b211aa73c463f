"""A player that thinks several decisions ahead: Monte-Carlo tree search over what a seat may know.

Every playout begins in a world that `sample` imagined, so what is hidden is different each time, and one tree is kept for all of them: a
place in it is what was decided on the way there, by whom, and what is asked then ("information set Monte Carlo tree search": Cowling,
Powley and Whitehouse, 2012). An option is weighed against how often it was there to be taken. A game brings only its `estimate`:

* where a place of the tree was visited a few times, its options are looked at one step ahead; what the estimate gains makes the better ones
  likely to be tried first ("upper confidence bounds applied to trees": Kocsis and Szepesvári, 2006; "progressive bias": Chaslot and others,
  2008), and of very many options only the most promising are tried until there were enough visits ("progressive widening": Coulom, 2007);
* a victory at once is taken, and where such victories are often met, long thoughts take them in playouts too and take back what would allow
  one ("decisive
  and anti-decisive moves": Teytaud and Teytaud, 2010);
* such playouts reply to a decision what was replied to it in an earlier one and won, until it loses (see replies.py);
* where two play without chance and secrets, what is decided for certain is known on the way there too: an option is worth at least and at
  most so much, and what cannot be better than another is not tried any more ("Monte-Carlo tree search solver": Winands, Björnsson and
  Saito, 2008; with draws: "score bounded Monte-Carlo tree search": Cazenave and Saffidine, 2010);
* in long thoughts of such a game, where most playouts come to its end, proofs follow on a quarter of the playouts (see proving.py): what
  loses, however many decisions later, is struck; where that would go too slowly, playouts go on;
* beyond the tree the first decision is the best of a few, the others chance, to the end of the round and further as long as nothing has
  changed in value; what then is, the estimate judges.

All work is counted in steps of the game, never timed, and numbers are only added, multiplied, divided and rooted: it is the same on
every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from ...dsl.storage.control_slots import OPTIONS, PC, RANDOM, ROUND, SEAT
from ..position.position import Position
from ..position.visibility import can_see_local, iter_hidden_entries
from .exact_search import HOLDS, MAX_BRANCHING, MAX_DEPTH, PROVEN, BudgetExhaustedError, ExactSearch
from .last_good_reply import LastGoodReplies, Turn
from .rng import pick_one, sample_without_replacement
from .search_base import RULE_ERRORS, WIN_HALF_POINTS, SearchBase

STEP_BUDGETS = {"easy": 250, "medium": 2500, "hard": 12000}          # the work that goes into one decision, counted in steps of the game
PLAYOUTS_PER_WORLD = 4                            # playouts that begin in the same imagined world
SINGLE_WORLD = -1                         # or all of them, where nothing is hidden
# with more options than this, so many of them are looked at one step ahead where a seat must decide
MAX_ROOT_OPTIONS = 120
MAX_INNER_OPTIONS = 24                          # and deeper in the tree so many
GUIDED_SAMPLE = 6                            # beyond the tree, a guided decision takes the best of so many options
EXPAND_VISITS = 3                            # visits after which the options of a place are looked at one step ahead
GUIDED_DEPTH = 1                           # decisions beyond the tree that are guided so
MAX_PLAYOUT_DECISIONS = 150                            # decisions after which a playout stops, whatever happened
# where one place of so many had a victory at once, playouts look for them among so few options,
TACTICAL_RATIO, TACTICAL_MAX_OPTIONS = 64, 16
TACTICAL_EXPAND_VISITS, TACTICAL_UCT_C = 1, 0.7                  # and these are taken instead of AGAIN and CURIOUS,
LONG_SEARCH_STEPS = 50_000                       # where there is so much work to do that fewer playouts are enough
# then one part of so many is for playouts, the rest for proofs, if most playouts come to the end
PLAYOUT_SHARE_DIVISOR = 4
# if with one part of so many of that rest they are not half way there, playouts go on
PROOF_CHECKPOINT_DIVISOR = 8
MAX_TREE_SIZE = 1_500_000                  # places and options of a tree; then it grows no more
WIN_CONFIRM_WORLDS = 6                             # worlds in which an option must win before nothing else is thought of
WIDENING_BASE = 6                            # options that are tried from the first visit on; with more visits more
UCT_C = 0.4                        # how much an option that was seldom tried attracts
BIAS_WEIGHT = 0.5                           # and how much one that looks good one step ahead
# how much the estimate's change and its standing count, where a playout stops before the end
CUTOFF_CHANGE_WEIGHT, CUTOFF_LEAD_WEIGHT = 0.25, 0.2


@dataclass(slots=True)
class TreeEdge:
    """An option at a place of the tree, and what is behind it."""

    code: int
    there: int = 0                                                 # visits at which it was offered
    tried: int = 0
    total: float = 0.0                                             # the sum of what its playouts were worth to the seat that decides
    outlook: float = 0.0                                           # what one step ahead says of it
    places: dict[tuple[int, int], TreeNode] = field(default_factory=dict)
    ended: int = 0                                                 # its playouts that came to an end of the game
    won: float = 0.0                                               # and the part of these that the thinking seat won
    low: int = 0                                                   # it is worth at least, for certain,
    high: int = WIN_HALF_POINTS                                            # and at most so much to the seat that decides
    lead: int = 0                                                  # the sum of the thinking seat's leads where playouts stopped

    @property
    def mean(self) -> float:
        return self.total / self.tried if self.tried else 0.0


@dataclass(slots=True)
class TreeNode:
    """A place of the tree: a seat that must decide."""

    seat: int
    visits: int = 0
    looked: bool = False
    winning: int | None = None                                     # an option that is a victory
    sure: bool = False                                             # whatever happens
    sometimes: bool = False                                        # it won at once, and did not in another world
    edges: dict[int, TreeEdge] = field(default_factory=dict)


@dataclass(frozen=True)
class OptionStats:
    """What the search thinks of an option: the playouts that went there; of them those that came to an end of the game, and the part of
    these that the seat won; by how much it led its best rival where playouts stopped, by the game's estimate."""

    code: int
    playouts: int
    ended: int
    share: float
    lead: float
    winning: bool                                                  # for certain, as far as can be seen


def choose_by_search(position: Position, seat: int, rng: random.Random, steps: int) -> int:
    """The option that the search thinks best."""
    codes: Sequence[int] = position.s[OPTIONS]
    return codes[0] if len(codes) == 1 else TreeSearch(position, seat, rng, steps).choose()


def weigh_options(position: Position, seat: int, rng: random.Random, steps: int) -> list[OptionStats]:
    """The options as the search ranks them, the best first."""
    search = TreeSearch(position, seat, rng, steps)
    search.think()
    return [OptionStats(edge.code, edge.tried, edge.ended, edge.won / max(1, edge.ended), edge.lead / max(1, edge.tried),
                    edge.code == search.root.winning)
            for edge in search.rank_edges()]


class TreeSearch(SearchBase):
    """The thoughts about one decision."""

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int) -> None:
        super().__init__(position, seat, rng, steps)
        self.players = position.game.players
        self.root = TreeNode(seat)
        self.now: list[int] = []                                   # the estimates where the seat must decide
        self.base: list[int] = []                                  # and the leads
        self.changes, self.stops = 1, 1                            # the leads' changes added up, and how many: what counts as much
        self.world: Position | None = None
        secret = any(iter_hidden_entries(position, seat)) or not all(
            can_see_local(position, variable, seat) for variable in position.live_variables()
        )
        self.share = PLAYOUTS_PER_WORLD if secret else SINGLE_WORLD
        # one's victory is the other's loss, and nobody ever guesses
        self.provable = self.players == 2 and not position.game.has_hidden_information
        self.settled = False                                       # what the position is worth is certain
        self.playouts, self.finished = 0, 0                        # how many, and those to the end of the game
        self.longest = 0                                          # decisions of the longest of these
        self.places, self.struck = 0, 0                            # those that were looked at, and those with a victory at once
        self.size = 0                                              # of the tree
        self.luck = 0                                              # the chances of the world that is played on in
        self.shared = 0
        self.replies = LastGoodReplies()

    @property
    def is_tactical(self) -> bool:
        """Whether it is a game, or a part of it, in which one step often decides, and there is time to look for such steps."""
        return self.left + self.used >= LONG_SEARCH_STEPS and TACTICAL_RATIO * self.struck > self.places

    def choose(self) -> int:
        """The code of the best option."""
        self.think()
        return self.rank_edges()[0].code

    def think(self) -> None:
        """Playouts as long as there is work left. At least one step ahead is always looked."""
        world = self.determinize()
        codes: list[int] = list(self.position.s[OPTIONS])
        self.luck = world.s[RANDOM]
        try:
            self.now = self.seat_estimates(world)
        except RULE_ERRORS:
            self.now = [0] * self.players
        self.base = self.seat_leads(self.now)
        for code in sample_without_replacement(self.rng, codes, len(codes)):             # chance decides between equals
            self.get_edge(self.root, code)
        self.expand_node(self.root, world, list(self.root.edges), MAX_ROOT_OPTIONS)
        if self.root.winning is not None and not self.always_wins(self.root.winning):
            self.root.winning, self.root.sometimes = None, True
        if self.provable and self.left + self.used >= LONG_SEARCH_STEPS and len(codes) <= MAX_BRANCHING:
            self.run_playouts(self.left - self.left // PLAYOUT_SHARE_DIVISOR)
            if self.is_undecided and 2 * self.finished > self.playouts:
                try:
                    self.search_proofs()
                except (BudgetExhaustedError, *RULE_ERRORS):
                    pass
        self.run_playouts(0)

    @property
    def is_undecided(self) -> bool:
        """Whether there is anything to think of."""
        return len(self.root.edges) > 1 and self.root.winning is None and not self.settled

    def run_playouts(self, left: int) -> None:
        """Playouts until no more work is left than this."""
        while self.left > left and self.is_undecided:
            self.run_playout(self.start_world())

    def always_wins(self, code: int) -> bool:
        """Whether an option that won at once does so whatever is hidden and whatever chance gives, as far as a few worlds tell."""
        for _ in range(WIN_CONFIRM_WORLDS):
            world = self.determinize()
            self.spend_steps(1)
            try:
                if world.step(code) or self.victory_shares(world)[self.seat] != 1:
                    return False
            except RULE_ERRORS:
                return False
        return True

    def rank_edges(self) -> list[TreeEdge]:
        """The options where the seat decides, the best first: a victory, then of those that can be best what was tried most."""
        return sorted(self.root.edges.values(), key=self.edge_rank, reverse=True)

    def edge_rank(self, edge: TreeEdge) -> tuple[bool, bool, int, float, float]:
        """The higher, the better is an option where the seat decides."""
        low, _ = value_bounds(self.root)
        return edge.code == self.root.winning, can_be_best(edge, low), edge.tried, edge.mean, edge.outlook

    # ------------------------------------------------------------ proofs

    def search_proofs(self) -> None:
        """Proofs, further and further, until the work is done or it goes too slowly: that the best option is never a defeat, that one wins,
        each time what has cost less until now. Raises OutOfWork, and what the rules raise where they fail."""
        assert self.world is not None
        world = self.world.copy()
        world.s[RANDOM] = self.luck
        proofs = ExactSearch(self, self.luck, lambda position, seat: int(WIN_HALF_POINTS * self.victory_shares(position)[seat]))
        steps, whole = (self.prune_defeats, self.find_victory), self.left
        deep, costs, done = [0, 1], [0, 0], [False, False]
        try:
            while not all(done) and self.is_undecided:
                which, used = int(done[0] or not done[1] and costs[1] < costs[0]), self.used
                slow = PROOF_CHECKPOINT_DIVISOR * (whole - self.left) > whole
                deep[which] += 2
                if deep[which] > MAX_DEPTH or slow and 2 * max(deep) < self.longest:
                    break
                done[which] = steps[which](world, proofs, deep[which])
                costs[which] += self.used - used
        finally:
            low, high = value_bounds(self.root)
            self.settled = low == high

    def find_victory(self, world: Position, proofs: ExactSearch, deep: int) -> bool:
        """Look for an option that wins: whether more cannot be known."""
        sure = True
        left = list(self.root.edges.values())
        while left:
            edge = max(left, key=self.edge_rank)
            left.remove(edge)
            if edge.high == WIN_HALF_POINTS:
                found = self.prove_edge(world, proofs, edge, WIN_HALF_POINTS, deep)
                if found & HOLDS:
                    edge.low, self.root.winning, self.root.sure = WIN_HALF_POINTS, edge.code, True
                    return True
                if found & PROVEN:
                    edge.high = WIN_HALF_POINTS - 1
                else:
                    sure = False
        return sure

    def prune_defeats(self, world: Position, proofs: ExactSearch, deep: int) -> bool:
        """Strike the best options as long as they end in defeat: whether more cannot be known."""
        while True:
            edge = max(self.root.edges.values(), key=self.edge_rank)
            if edge.low or not edge.high:
                return True
            found = self.prove_edge(world, proofs, edge, 1, deep)
            if found == HOLDS:
                return False
            if found & HOLDS:
                edge.low = 1
            else:
                edge.high = 0

    def prove_edge(self, world: Position, proofs: ExactSearch, edge: TreeEdge, bound: int, deep: int) -> int:
        """Whether an option is worth at least `bound`, as far as so many decisions tell."""
        after = world.copy()
        decides = after.step(edge.code)
        self.spend_steps(1)
        if not decides or after.s[RANDOM] != proofs.luck:
            return HOLDS if bound == 1 else 0
        return proofs.prove_for_seat(after, self.root.seat, bound, deep - 1, 0)

    # ------------------------------------------------------------ worlds and values

    def start_world(self) -> Position:
        """A world to play on in: a few playouts share what is hidden, none the chances to come."""
        if self.world is None or self.shared == self.share:
            self.world, self.shared = self.determinize(), 0
        self.shared += 1
        world = self.world.copy()
        world.s[RANDOM] = self.luck = self.rng.getrandbits(64)
        return world

    def seat_leads(self, values: list[int]) -> list[int]:
        """For every seat, its estimate less that of its best rival."""
        return [self.seat_margin(values, seat) for seat in range(len(values))]

    def victory_shares(self, position: Position) -> list[float]:
        """At the end of a game: what part of the victory each seat has."""
        self.spend_steps(self.players)
        ranks = position.standing()
        if len(ranks) == 1:                                        # alone, only points can tell
            return self.evaluate_cutoff([position.estimate(0)])
        first = [rank.seat for rank in ranks if rank.rank == 1]
        return [1 / len(first) if seat in first else 0.0 for seat in range(self.players)]

    def evaluate_cutoff(self, leads: list[int]) -> list[float]:
        """What a position in the middle of a game is worth to each seat, between 0 and 1: by what its lead has changed, compared with what
        such changes are like, and a little by the lead itself."""
        usual = max(1.0, self.changes / self.stops)
        return [
            0.5 + CUTOFF_CHANGE_WEIGHT * squash((lead - base) / usual) + CUTOFF_LEAD_WEIGHT * squash(lead / (8 * usual))
            for lead, base in zip(leads, self.base)
        ]

    # ------------------------------------------------------------ the tree

    def get_edge(self, place: TreeNode, code: int) -> TreeEdge:
        """An option of a place."""
        edge = place.edges.get(code)
        if edge is None:
            edge = place.edges[code] = TreeEdge(code)
            self.size += 1
        return edge

    def expand_node(self, place: TreeNode, world: Position, codes: list[int], many: int) -> None:
        """One step ahead with options of a place: how promising each is, and whether one is a victory at once."""
        place.looked = True
        self.places += 1
        gains: dict[int, int] = {}
        for code in codes if len(codes) <= many else sample_without_replacement(self.rng, codes, many):
            after = world.copy()
            self.spend_steps(1)
            try:
                over = not after.step(code)
                if over and self.players > 1 and not place.sometimes:
                    share = self.victory_shares(after)[place.seat]
                    self.note_terminal(place, place.edges[code], share, after)
                    if share == 1:
                        place.winning = code
                        self.struck += 1
                        return
                gains[code] = self.seat_leads(self.seat_estimates(after))[place.seat]
            except RULE_ERRORS:
                continue
        if gains:
            middle = sum(gains.values()) / len(gains)
            usual = max(1.0, sum_left_to_right(abs(rise - middle) for rise in gains.values()) / len(gains))
            for code, rise in gains.items():
                place.edges[code].outlook = squash((rise - middle) / (2 * usual))

    def select_edge(self, place: TreeNode, codes: Sequence[int]) -> TreeEdge:
        """The option to try next: what is good, or promising, or was seldom tried."""
        edges = []
        for code in codes:
            edge = self.get_edge(place, code)
            edge.there += 1
            edges.append(edge)
        if place.winning is not None and place.winning in codes:
            return place.edges[place.winning]
        low = max(edge.low for edge in edges)
        edges = [edge for edge in edges if can_be_best(edge, low)] or edges
        wide = WIDENING_BASE + int(2 * sqrt(place.visits))
        if len(edges) > wide:
            edges = sorted(edges, key=lambda edge: edge.outlook, reverse=True)[:wide]
        tried = sum(edge.tried for edge in edges)
        mean = sum_left_to_right(edge.total for edge in edges) / tried if tried else 0.5
        curious = TACTICAL_UCT_C if self.is_tactical else UCT_C

        def uct_score(edge: TreeEdge) -> float:
            """Its mean, as if one more playout had been like the others'; its outlook, as long as little else is known; and how little
            that is. Doublings are counted: a logarithm is not the same on every machine."""
            known = edge.tried + 1
            return (edge.total + mean + BIAS_WEIGHT * edge.outlook) / known + curious * sqrt(edge.there.bit_length() / known)
        return max(edges, key=uct_score)

    def note_terminal(self, place: TreeNode, edge: TreeEdge, share: float, after: Position) -> None:
        """An option ended the game: is it certain what it is worth? Where chance has had no part since the thoughts began."""
        if self.provable and after.s[RANDOM] == self.luck:
            edge.low = edge.high = int(WIN_HALF_POINTS * share)
            if share == 1:
                place.winning, place.sure = edge.code, True

    def propagate_bounds(self, place: TreeNode, path: list[tuple[TreeNode, TreeEdge]]) -> None:
        """What the options of a place at the end of a path are worth for certain is told on the way there, as far as it says more."""
        for before, edge in reversed(path):
            low, high = value_bounds(place)
            if before.seat != place.seat:
                low, high = WIN_HALF_POINTS - high, WIN_HALF_POINTS - low
            low, high = max(low, edge.low), min(high, edge.high)   # that may be known from elsewhere
            if (low, high) == (edge.low, edge.high):
                return
            edge.low, edge.high = low, high
            if low == WIN_HALF_POINTS:
                before.winning, before.sure = edge.code, True
            place = before
        low, high = value_bounds(place)
        self.settled = low == high

    def run_playout(self, world: Position) -> None:
        """Down the tree, one place beyond it, on to a place to stop, and what came of it back up. Changes `world`."""
        path: list[tuple[TreeNode, TreeEdge]] = []
        s, place = world.s, self.root
        codes: Sequence[int] = s[OPTIONS]
        try:
            while True:
                if not place.edges and self.size >= MAX_TREE_SIZE:
                    break
                if not place.looked and place.visits >= (TACTICAL_EXPAND_VISITS if self.is_tactical else EXPAND_VISITS):
                    for code in codes:
                        self.get_edge(place, code)
                    self.expand_node(place, world, list(codes), MAX_INNER_OPTIONS)
                    if self.provable:
                        self.propagate_bounds(place, path)
                edge = self.select_edge(place, codes)
                path.append((place, edge))
                codes = world.step(edge.code)
                self.spend_steps(1)
                if codes and place.winning == edge.code and not place.sure:              # it won in another world only
                    place.winning, place.sometimes = None, True
                if not codes:
                    break
                key = (s[SEAT], s[PC])
                known = edge.places.get(key)
                if known is None:
                    if self.size < MAX_TREE_SIZE:
                        edge.places[key] = TreeNode(s[SEAT], 1)
                        self.size += 1
                    break
                place = known
            ended = not codes
            made = [(place.seat, edge.code) for place, edge in path]
            world, values, decided = self.play_beyond_tree(world, codes, made)
            leads, over = self.seat_leads(values), world.over
            worth = self.victory_shares(world) if over else self.evaluate_cutoff(leads)
            if ended and self.provable and edge.low != edge.high:
                self.note_terminal(place, edge, worth[place.seat], world)
                self.propagate_bounds(place, path[:-1])
        except RULE_ERRORS:
            self.spend_steps(1)
            if path:                                               # of what fails nothing is hoped
                path[-1][1].tried += 1
                path[-1][0].visits += 1
            return
        if not over:
            self.changes += abs(leads[self.seat] - self.base[self.seat])
            self.stops += 1
        for place, edge in path:
            place.visits += 1
            edge.tried += 1
            edge.total += worth[place.seat]
        if over and self.is_tactical:
            self.replies.learn(made, worth)
        self.playouts += 1
        if over:
            self.finished += 1
            self.longest = max(self.longest, len(path) + decided)
        first = path[0][1]
        first.lead += leads[self.seat]
        first.ended += over
        first.won += worth[self.seat] if over else 0

    def play_beyond_tree(self, world: Position, codes: Sequence[int], made: list[Turn]) -> tuple[Position, list[int], int]:
        """Beyond the tree: where it stopped, the estimates there, and after how many decisions; what is not taken back is added to those
        that were made. Changes `world`."""
        begun, wait, code = world.s[ROUND], 1, 0
        sharp = self.is_tactical
        before: Position | None = None                             # a decision that can be taken back, and what was taken there in vain
        refused: list[int] = []
        decided = 0
        while decided < MAX_PLAYOUT_DECISIONS and codes:
            s = world.s
            if s[ROUND] >= begun + wait:                           # where nothing changes for long, it is asked for more and more seldom
                begun, wait, values = s[ROUND], 2 * wait, self.seat_estimates(world)
                if values != self.now:
                    return world, values, decided
            strike = self.find_immediate_win(world, codes) if sharp and len(codes) <= TACTICAL_MAX_OPTIONS else None
            if strike is None:
                if sharp:
                    before, refused = world.copy() if len(codes) <= TACTICAL_MAX_OPTIONS else None, []
                reply = self.replies.find_reply(s[SEAT], made, codes) if sharp and len(codes) > 1 else None
                if len(codes) == 1:
                    code = codes[0]
                elif reply is not None:
                    code = reply
                elif decided >= GUIDED_DEPTH:
                    code = self.random_option(world, codes, self.rng)
                else:
                    code = self.best_of_sample(world, codes, GUIDED_SAMPLE, self.rng)
            else:
                refused.append(code)
                code = strike
                if before is not None and is_caused_by_choice(before, world):
                    left = [one for one in before.s[OPTIONS] if one not in refused]
                    if left:
                        world, code = before.copy(), strike if strike in left else pick_one(self.rng, left)
                        made.pop()
            made.append((world.s[SEAT], code))
            codes = world.step(code)
            self.spend_steps(1)
            decided += 1
        return world, self.seat_estimates(world), decided

    def find_immediate_win(self, world: Position, codes: Sequence[int]) -> int | None:
        """An option that is a victory at once and without luck."""
        seat = world.s[SEAT]
        for code in codes:
            after = world.copy()
            self.spend_steps(1)
            if not after.step(code) and after.s[RANDOM] == world.s[RANDOM] and self.victory_shares(after)[seat] == 1:
                return code
        return None


def is_caused_by_choice(before: Position, world: Position) -> bool:
    """Whether what is here now comes of what a rival chose before, and not of chance."""
    return bool(before.s[SEAT] != world.s[SEAT] and before.s[RANDOM] == world.s[RANDOM])


def can_be_best(edge: TreeEdge, low: int) -> bool:
    """Whether an option may be as good as another that is worth at least `low`, and is no defeat."""
    return edge.high > low or 0 < edge.low == low


def value_bounds(place: TreeNode) -> tuple[int, int]:
    """What a place is worth at least and at most, for certain, to the seat that decides there; all its options are known."""
    return max(edge.low for edge in place.edges.values()), max(edge.high for edge in place.edges.values())


def squash(number: float) -> float:
    """Between -1 and 1, however large the number is."""
    return number / (1 + abs(number))


def sum_left_to_right(numbers: Iterable[float]) -> float:
    """Their sum, one after the other; what Python's own gives differs from one version to the next."""
    total = 0.0
    for number in numbers:
        total += number
    return total
