"""Monte-Carlo tree search for games with hidden information and any number of players.

Each playout starts from a determinization, so hidden values differ each time. One tree serves all of them. A
node is identified by the decisions on the way and by the decision that waits ("information set Monte Carlo
tree search": Cowling, Powley and Whitehouse, 2012). An option is rated against the number of times it was
available. A game only provides its `estimate`.

* **Selection.** After a few visits, the options of a node are evaluated one step ahead. Options that improve
  the estimate are tried first ("upper confidence bounds applied to trees": Kocsis and Szepesvári, 2006;
  "progressive bias": Chaslot and others, 2008). Of many options, only the most promising are tried until
  there are enough visits ("progressive widening": Coulom, 2007).
* **Immediate wins.** An immediate win is taken. If such wins are frequent, long searches also take them in
  playouts, and take back decisions that allow one ("decisive and anti-decisive moves": Teytaud and Teytaud,
  2010).
* **Replies.** Such playouts repeat a reply that won, until it loses, and prefer options with a high mean value
  (see last_good_reply.py).
* **Score bounds.** For two players without chance and hidden information, certain results are propagated up
  the tree as lower and upper bounds. Dominated options are not tried any more ("Monte-Carlo tree search
  solver": Winands, Björnsson and Saito, 2008; with draws: "score bounded Monte-Carlo tree search": Cazenave
  and Saffidine, 2010).
* **Proofs.** In long searches of such games, a quarter of the work goes to playouts. If most of them reach
  the end, the rest goes to exact search (see exact_search.py). Losing options are removed, however late they
  lose. If the proofs are too slow, playouts continue.
* **Exchanges.** In such games, if few options improve the estimate, exchanges after the best option are checked
  (see exchange_search.py). An option that loses something is only taken if all do.
* **Exploration.** It is weighted by the standard deviation of the values, which is small if most playouts stop at a
  cutoff ("UCB1-tuned": Auer, Cesa-Bianchi and Fischer, 2002).
* **Cutoff.** Beyond the tree, the first decision is the best of a few options, and the others are random. The
  playout runs to the end of the round, and further as long as the estimates do not change. Then the estimate
  decides its value.

All work is counted in steps of the game, never in time. Numbers are only added, multiplied, divided and
square-rooted. So the result is the same on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from math import sqrt

from ...dsl.storage.control_slots import OPTIONS, PC, RANDOM, ROUND, SEAT
from ..position.position import Position
from ..position.ranking import victory_shares
from ..position.visibility import can_see_local, iter_hidden_entries
from .exact_search import HOLDS, MAX_BRANCHING, MAX_DEPTH, PROVEN, BudgetExhaustedError, ExactSearch
from .exchange_search import check_best_options
from .last_good_reply import AVERAGED_SAMPLE, LastGoodReplies, OptionAverages, Turn
from .rng import pick_one, sample_without_replacement
from .search_base import RULE_ERRORS, WIN_HALF_POINTS, SearchBase, is_caused_by_choice, squash, sum_left_to_right
from .search_tree import ExplorationScale, OptionStats, TreeEdge, TreeNode, can_be_best, value_bounds

STEP_BUDGETS = {"easy": 250, "medium": 2500, "hard": 12000}          # work per decision, in steps of the game
PLAYOUTS_PER_WORLD = 4                            # playouts that start from the same determinization
SINGLE_WORLD = -1                         # all of them, if nothing is hidden
# at the root, at most so many options are evaluated one step ahead
MAX_ROOT_OPTIONS = 120
MAX_INNER_OPTIONS = 24                          # the same for inner nodes
GUIDED_SAMPLE = 6                            # beyond the tree, a guided decision takes the best of so many options
EXPAND_VISITS = 3                            # visits before the options of a node are evaluated one step ahead
GUIDED_DEPTH = 1                           # guided decisions beyond the tree
MAX_PLAYOUT_DECISIONS = 150                            # a playout stops after so many decisions
# playouts look for wins if 1 of so many nodes had one, among so many options
TACTICAL_RATIO, TACTICAL_MAX_OPTIONS = 64, 16
TACTICAL_EXPAND_VISITS, TACTICAL_UCT_C = 1, 0.7                  # and these replace EXPAND_VISITS and UCT_C,
LONG_SEARCH_STEPS = 50_000                       # if the search has at least so many steps
# then 1 part of so many is for playouts, the rest for proofs, if most playouts finish
PLAYOUT_SHARE_DIVISOR = 4
# proofs stop if after 1 part of so many they are not half as deep as playouts
PROOF_CHECKPOINT_DIVISOR = 8
EXCHANGE_WORK_FACTOR = 8                     # work for exchanges at most, in budgets; usually it is very little
MAX_TREE_SIZE = 1_500_000                  # nodes and edges; a larger tree stops growing
WIN_CONFIRM_WORLDS = 6                             # determinizations in which an immediate win must hold before the search stops
WIDENING_BASE = 6                            # options tried from the first visit on; more visits add more
UCT_C = 0.4                        # exploration weight of rarely tried options, if all playouts are won or lost
BIAS_WEIGHT = 0.5                           # weight of the one-step evaluation
# weights of the change of the lead and of the lead itself at a cutoff
CUTOFF_CHANGE_WEIGHT, CUTOFF_LEAD_WEIGHT = 0.25, 0.2


def choose_by_search(position: Position, seat: int, rng: random.Random, steps: int, seconds: float | None = None) -> int:
    """Returns the option that the search rates best."""
    codes: Sequence[int] = position.s[OPTIONS]
    return codes[0] if len(codes) == 1 else TreeSearch(position, seat, rng, steps, seconds).choose()


def weigh_options(position: Position, seat: int, rng: random.Random, steps: int, seconds: float | None = None) -> list[OptionStats]:
    """Returns the options as the search ranks them, best first."""
    search = TreeSearch(position, seat, rng, steps, seconds)
    search.think()
    return [OptionStats(edge.code, edge.playouts, edge.ended, edge.won / max(1, edge.ended), edge.lead / max(1, edge.playouts),
                    edge.code == search.root.winning, edge.low, edge.high, edge.loss)
            for edge in search.rank_edges()]


class TreeSearch(SearchBase):
    """The tree search for one decision."""

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int, seconds: float | None = None) -> None:
        super().__init__(position, seat, rng, steps, seconds)
        self.players = position.game.players
        # whether a finished game is won or lost: a team without opponents may only count points
        self.has_winner = len(position.game.teams) > 1 or not position.game.module.has_points
        self.root = TreeNode(seat)
        self.now: list[int] = []                                   # the estimates at the root
        self.base: list[int] = []                                  # the leads at the root
        self.changes, self.stops = 1, 1                            # sum and number of lead changes: the scale of a typical change
        self.world: Position | None = None
        secret = any(iter_hidden_entries(position, seat)) or not all(
            can_see_local(position, variable, seat) for variable in position.live_variables()
        )
        self.share = PLAYOUTS_PER_WORLD if secret else SINGLE_WORLD
        # zero-sum, with complete information
        self.provable = self.players == len(position.game.teams) == 2 and not position.game.has_hidden_information
        self.settled = False                                       # the value of the position is proven
        self.playouts, self.finished = 0, 0                        # all playouts, and those that reached the end of the game
        self.longest = 0                                          # decisions of the longest finished playout
        self.places, self.struck = 0, 0                            # evaluated nodes, and those with an immediate win
        self.size = 0                                              # of the tree, in nodes and edges
        self.luck = 0                                              # state of the random generator in the current playout
        self.shared = 0
        self.exploration = ExplorationScale()
        self.calm = False                                          # whether few options at the root improve the estimate
        self.replies, self.averages = LastGoodReplies(), OptionAverages()

    @property
    def is_tactical(self) -> bool:
        """Whether immediate wins are frequent, and the search has enough steps to look for them in playouts."""
        return self.left + self.used >= LONG_SEARCH_STEPS and TACTICAL_RATIO * self.struck > self.places

    def choose(self) -> int:
        """Returns the code of the best option."""
        self.think()
        return self.rank_edges()[0].code

    def think(self) -> None:
        """Runs the search until all work is done. It always looks at least one step ahead."""
        budget = self.left
        world = self.determinize()
        codes: list[int] = list(self.position.s[OPTIONS])
        self.luck = world.s[RANDOM]
        try:
            self.now = self.seat_estimates(world)
        except RULE_ERRORS:
            self.now = [0] * self.players
        self.base = self.seat_leads(self.now)
        for code in sample_without_replacement(self.rng, codes, len(codes)):             # random order, so ties are broken at random
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
        if self.calm and self.is_undecided:
            left, self.left = self.left, EXCHANGE_WORK_FACTOR * budget
            with suppress(*RULE_ERRORS):
                check_best_options(self, world, self.root.edges.values(), self.edge_rank, self.base[self.seat])
            self.left = left

    @property
    def is_undecided(self) -> bool:
        """Whether the search can still change the choice."""
        return len(self.root.edges) > 1 and self.root.winning is None and not self.settled

    def run_playouts(self, left: int) -> None:
        """Runs playouts until at most `left` steps are left."""
        while self.left > left and self.is_undecided:
            self.run_playout(self.start_world())

    def always_wins(self, code: int) -> bool:
        """Whether an immediate win also wins in a few other determinizations, so that hidden values and chance do not
        matter."""
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
        """Returns the options at the root, best first: a win, then options that can be best, by number of playouts."""
        return sorted(self.root.edges.values(), key=self.edge_rank, reverse=True)

    def edge_rank(self, edge: TreeEdge) -> tuple[bool, bool, int, int, float, float]:
        """Returns the sort key of an option at the root. Higher is better."""
        low, _ = value_bounds(self.root)
        return edge.code == self.root.winning, can_be_best(edge, low), -edge.loss, edge.playouts, edge.mean, edge.outlook

    # ------------------------------------------------------------ proofs

    def search_proofs(self) -> None:
        """Runs proofs with increasing depth, until the work is used up or they are too slow.

        There are two proofs: that the best option never loses, and that some option wins. The one that has cost less
        so far is continued. Raises BudgetExhaustedError, and the errors of the rules."""
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

    def find_victory(self, world: Position, proofs: ExactSearch, depth: int) -> bool:
        """Searches for an option that wins. Returns whether a deeper search cannot add anything."""
        sure = True
        left = list(self.root.edges.values())
        while left:
            edge = max(left, key=self.edge_rank)
            left.remove(edge)
            if edge.high == WIN_HALF_POINTS:
                found = self.prove_edge(world, proofs, edge, WIN_HALF_POINTS, depth)
                if found & HOLDS:
                    edge.low, self.root.winning, self.root.proven = WIN_HALF_POINTS, edge.code, True
                    return True
                if found & PROVEN:
                    edge.high = WIN_HALF_POINTS - 1
                else:
                    sure = False
        return sure

    def prune_defeats(self, world: Position, proofs: ExactSearch, depth: int) -> bool:
        """Removes the best option as long as it loses. Returns whether a deeper search cannot add anything."""
        while True:
            edge = max(self.root.edges.values(), key=self.edge_rank)
            if edge.low or not edge.high:
                return True
            found = self.prove_edge(world, proofs, edge, 1, depth)
            if found == HOLDS:
                return False
            if found & HOLDS:
                edge.low = 1
            else:
                edge.high = 0

    def prove_edge(self, world: Position, proofs: ExactSearch, edge: TreeEdge, bound: int, depth: int) -> int:
        """Returns whether an option is worth at least `bound`, to depth `depth` (an answer as in exact_search.py)."""
        after = world.copy()
        decides = after.step(edge.code)
        self.spend_steps(1)
        if not decides or after.s[RANDOM] != proofs.luck:
            return HOLDS if bound == 1 else 0
        return proofs.prove_for_seat(after, self.root.seat, bound, depth - 1, 0)

    # ------------------------------------------------------------ worlds and values

    def start_world(self) -> Position:
        """Returns a world for the next playout. A few share the hidden values, but each has its own random generator."""
        if self.world is None or self.shared == self.share:
            self.world, self.shared = self.determinize(), 0
        self.shared += 1
        world = self.world.copy()
        world.s[RANDOM] = self.luck = self.rng.getrandbits(64)
        return world

    def seat_leads(self, values: list[int]) -> list[int]:
        """Returns the estimate of each seat minus that of its best opponent."""
        return [self.seat_margin(values, seat) for seat in range(len(values))]

    def victory_shares(self, position: Position) -> list[float]:
        """Returns the share of each seat's team in the victory, at the end of a game."""
        self.spend_steps(self.players)
        if not self.has_winner:                                    # a team without opponents: only points count
            return self.evaluate_cutoff([position.estimate(seat) for seat in range(self.players)])
        return victory_shares(position.standing())

    def evaluate_cutoff(self, leads: list[int]) -> list[float]:
        """Returns the value of an unfinished position for each seat, between 0 and 1.

        It depends on how its lead has changed, relative to typical changes, and slightly on the lead itself."""
        usual = max(1.0, self.changes / self.stops)
        return [
            0.5 + CUTOFF_CHANGE_WEIGHT * squash((lead - base) / usual) + CUTOFF_LEAD_WEIGHT * squash(lead / (8 * usual))
            for lead, base in zip(leads, self.base)
        ]

    # ------------------------------------------------------------ the tree

    def get_edge(self, place: TreeNode, code: int) -> TreeEdge:
        """Returns the edge of an option at a node. Adds it if it is missing."""
        edge = place.edges.get(code)
        if edge is None:
            edge = place.edges[code] = TreeEdge(code)
            self.size += 1
        return edge

    def expand_node(self, place: TreeNode, world: Position, codes: list[int], limit: int) -> None:
        """Evaluates options of a node one step ahead: how promising each is, and whether one wins immediately."""
        place.evaluated = True
        self.places += 1
        gains: dict[int, int] = {}
        for code in codes if len(codes) <= limit else sample_without_replacement(self.rng, codes, limit):
            after = world.copy()
            self.spend_steps(1)
            try:
                over = not after.step(code)
                if over and self.has_winner and not place.sometimes:
                    share = self.victory_shares(after)[place.seat]
                    self.note_terminal(place, place.edges[code], share, after)
                    if share == 1:
                        place.winning = code
                        self.struck += 1
                        return
                gains[code] = self.seat_leads(self.seat_estimates(after))[place.seat]
            except RULE_ERRORS:
                continue
        if place is self.root:
            self.calm = self.provable and 2 * sum(gain <= self.base[self.seat] for gain in gains.values()) >= len(codes)
        if gains:
            middle = sum(gains.values()) / len(gains)
            usual = max(1.0, sum_left_to_right(abs(rise - middle) for rise in gains.values()) / len(gains))
            for code, rise in gains.items():
                place.edges[code].outlook = squash((rise - middle) / (2 * usual))

    def select_edge(self, place: TreeNode, codes: Sequence[int]) -> TreeEdge:
        """Returns the edge to try next. It is good, promising, or was rarely tried."""
        edges = []
        for code in codes:
            edge = self.get_edge(place, code)
            edge.available += 1
            edges.append(edge)
        if place.winning is not None and place.winning in codes:
            return place.edges[place.winning]
        low = max(edge.low for edge in edges)
        edges = [edge for edge in edges if can_be_best(edge, low)] or edges
        wide = WIDENING_BASE + int(2 * sqrt(place.visits))
        if len(edges) > wide:
            edges = sorted(edges, key=lambda edge: edge.outlook, reverse=True)[:wide]
        tried = sum(edge.playouts for edge in edges)
        mean = sum_left_to_right(edge.total for edge in edges) / tried if tried else 0.5
        curious = TACTICAL_UCT_C if self.is_tactical else UCT_C * self.exploration.scale

        def uct_score(edge: TreeEdge) -> float:
            """Returns the UCT score of an edge: mean value, bias and exploration. Logarithms depend on the machine.

            The mean includes one more playout with the average value of the other edges. The bias loses weight."""
            known = edge.playouts + 1
            return (edge.total + mean + BIAS_WEIGHT * edge.outlook) / known + curious * sqrt(edge.available.bit_length() / known)
        return max(edges, key=uct_score)

    def note_terminal(self, place: TreeNode, edge: TreeEdge, share: float, after: Position) -> None:
        """Records that an option ended the game. Its value is certain if chance has played no part since the root."""
        if self.provable and after.s[RANDOM] == self.luck:
            edge.low = edge.high = int(WIN_HALF_POINTS * share)
            if share == 1:
                place.winning, place.proven = edge.code, True

    def propagate_bounds(self, place: TreeNode, path: list[tuple[TreeNode, TreeEdge]]) -> None:
        """Propagates the certain bounds of a node along the path to the root, as long as they are new."""
        for before, edge in reversed(path):
            low, high = value_bounds(place)
            if before.seat != place.seat:
                low, high = WIN_HALF_POINTS - high, WIN_HALF_POINTS - low
            low, high = max(low, edge.low), min(high, edge.high)   # earlier bounds may be tighter
            if (low, high) == (edge.low, edge.high):
                return
            edge.low, edge.high = low, high
            if low == WIN_HALF_POINTS:
                before.winning, before.proven = edge.code, True
            place = before
        low, high = value_bounds(place)
        self.settled = low == high

    def run_playout(self, world: Position) -> None:
        """Runs one playout: down the tree, one new node, on to a cutoff, and back up with the value. Changes `world`."""
        path: list[tuple[TreeNode, TreeEdge]] = []
        s, place = world.s, self.root
        codes: Sequence[int] = s[OPTIONS]
        try:
            while True:
                if not place.edges and self.size >= MAX_TREE_SIZE:
                    break
                if not place.evaluated and place.visits >= (TACTICAL_EXPAND_VISITS if self.is_tactical else EXPAND_VISITS):
                    for code in codes:
                        self.get_edge(place, code)
                    self.expand_node(place, world, list(codes), MAX_INNER_OPTIONS)
                    if self.provable:
                        self.propagate_bounds(place, path)
                edge = self.select_edge(place, codes)
                path.append((place, edge))
                codes = world.step(edge.code)
                self.spend_steps(1)
                if codes and place.winning == edge.code and not place.proven:              # it won only in a different determinization
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
            if path:                                               # an option whose rules fail gets the value 0
                path[-1][1].playouts += 1
                path[-1][0].visits += 1
            return
        if not over:
            self.changes += abs(leads[self.seat] - self.base[self.seat])
            self.stops += 1
        for place, edge in path:
            place.visits += 1
            edge.playouts += 1
            edge.total += worth[place.seat]
        if over and self.is_tactical:
            self.replies.update_replies(made, worth)
            self.averages.update_averages(made, worth)
        self.playouts += 1
        self.exploration.add_value(worth[self.seat])
        if over:
            self.finished += 1
            self.longest = max(self.longest, len(path) + decided)
        first = path[0][1]
        first.lead += leads[self.seat]
        first.ended += over
        first.won += worth[self.seat] if over else 0

    def play_beyond_tree(self, world: Position, codes: Sequence[int], turns: list[Turn]) -> tuple[Position, list[int], int]:
        """Plays beyond the tree. Returns the final position, its estimates, and the number of decisions.

        Decisions that are not taken back are appended to `turns`. Changes `world`."""
        begun, wait, code = world.s[ROUND], 1, 0
        sharp = self.is_tactical
        before: Position | None = None                             # a decision that can be taken back, and the options refuted there
        refused: list[int] = []
        decided = 0
        while decided < MAX_PLAYOUT_DECISIONS and codes:
            s = world.s
            if s[ROUND] >= begun + wait:                           # if nothing changes, estimates are computed less and less often
                begun, wait, values = s[ROUND], 2 * wait, self.seat_estimates(world)
                if values != self.now:
                    return world, values, decided
            strike = self.find_immediate_win(world, codes) if sharp and len(codes) <= TACTICAL_MAX_OPTIONS else None
            if strike is None:
                if sharp:
                    before, refused = world.copy() if len(codes) <= TACTICAL_MAX_OPTIONS else None, []
                reply = self.replies.find_reply(s[SEAT], turns, codes) if sharp and len(codes) > 1 else None
                if len(codes) == 1:
                    code = codes[0]
                elif reply is not None:
                    code = reply
                elif decided >= GUIDED_DEPTH:
                    drawn = [self.random_option(world, codes, self.rng) for _ in range(AVERAGED_SAMPLE if sharp else 1)]
                    code = self.averages.find_best(s[SEAT], drawn)
                else:
                    code = self.best_of_sample(world, codes, GUIDED_SAMPLE, self.rng)
            else:
                refused.append(code)
                code = strike
                if before is not None and is_caused_by_choice(before, world):
                    left = [one for one in before.s[OPTIONS] if one not in refused]
                    if left:
                        world, code = before.copy(), strike if strike in left else pick_one(self.rng, left)
                        turns.pop()
            turns.append((world.s[SEAT], code))
            codes = world.step(code)
            self.spend_steps(1)
            decided += 1
        return world, self.seat_estimates(world), decided

    def find_immediate_win(self, world: Position, codes: Sequence[int]) -> int | None:
        """Returns an option that wins immediately and without chance, or None."""
        seat = world.s[SEAT]
        for code in codes:
            after = world.copy()
            self.spend_steps(1)
            if not after.step(code) and after.s[RANDOM] == world.s[RANDOM] and self.victory_shares(after)[seat] == 1:
                return code
        return None
