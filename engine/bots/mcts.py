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
from ..position.visibility import closed, knows
from .exact_search import DEEP, SURELY, WIDE, YES, OutOfWork, Proofs
from .last_good_reply import Replies, Turn
from .rng import pick, some
from .search_base import FAULTS, VICTORY, Thinking

STRENGTHS = {"easy": 250, "medium": 2500, "hard": 12000}          # the work that goes into one decision, counted in steps of the game
SHARE = 4                            # playouts that begin in the same imagined world
FOREVER = -1                         # or all of them, where nothing is hidden
MANY = 120                           # with more options than this, so many of them are looked at one step ahead where a seat must decide
LOOKED = 24                          # and deeper in the tree so many
TRIED = 6                            # beyond the tree, a guided decision takes the best of so many options
AGAIN = 3                            # visits after which the options of a place are looked at one step ahead
GUIDED = 1                           # decisions beyond the tree that are guided so
FAR = 150                            # decisions after which a playout stops, whatever happened
SHARP, FEW = 64, 16                  # where one place of so many had a victory at once, playouts look for them among so few options,
SOON, KEEN = 1, 0.7                  # and these are taken instead of AGAIN and CURIOUS,
AMPLE = 50_000                       # where there is so much work to do that fewer playouts are enough
PART = 4                             # then one part of so many is for playouts, the rest for proofs, if most playouts come to the end
SLOW = 8                             # if with one part of so many of that rest they are not half way there, playouts go on
LARGEST = 1_500_000                  # places and options of a tree; then it grows no more
SURE = 6                             # worlds in which an option must win before nothing else is thought of
WIDTH = 6                            # options that are tried from the first visit on; with more visits more
CURIOUS = 0.4                        # how much an option that was seldom tried attracts
HOPE = 0.5                           # and how much one that looks good one step ahead
RISE, LEAD = 0.25, 0.2               # how much the estimate's change and its standing count, where a playout stops before the end


@dataclass(slots=True)
class Edge:
    """An option at a place of the tree, and what is behind it."""

    code: int
    there: int = 0                                                 # visits at which it was offered
    tried: int = 0
    total: float = 0.0                                             # the sum of what its playouts were worth to the seat that decides
    outlook: float = 0.0                                           # what one step ahead says of it
    places: dict[tuple[int, int], Place] = field(default_factory=dict)
    ended: int = 0                                                 # its playouts that came to an end of the game
    won: float = 0.0                                               # and the part of these that the thinking seat won
    low: int = 0                                                   # it is worth at least, for certain,
    high: int = VICTORY                                            # and at most so much to the seat that decides
    lead: int = 0                                                  # the sum of the thinking seat's leads where playouts stopped

    @property
    def mean(self) -> float:
        return self.total / self.tried if self.tried else 0.0


@dataclass(slots=True)
class Place:
    """A place of the tree: a seat that must decide."""

    seat: int
    visits: int = 0
    looked: bool = False
    winning: int | None = None                                     # an option that is a victory
    sure: bool = False                                             # whatever happens
    sometimes: bool = False                                        # it won at once, and did not in another world
    edges: dict[int, Edge] = field(default_factory=dict)


@dataclass(frozen=True)
class Weighed:
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
    return codes[0] if len(codes) == 1 else Search(position, seat, rng, steps).choose()


def weigh(position: Position, seat: int, rng: random.Random, steps: int) -> list[Weighed]:
    """The options as the search ranks them, the best first."""
    search = Search(position, seat, rng, steps)
    search.think()
    return [Weighed(edge.code, edge.tried, edge.ended, edge.won / max(1, edge.ended), edge.lead / max(1, edge.tried),
                    edge.code == search.root.winning)
            for edge in search.ranked()]


class Search(Thinking):
    """The thoughts about one decision."""

    def __init__(self, position: Position, seat: int, rng: random.Random, steps: int) -> None:
        super().__init__(position, seat, rng, steps)
        self.players = position.game.players
        self.root = Place(seat)
        self.now: list[int] = []                                   # the estimates where the seat must decide
        self.base: list[int] = []                                  # and the leads
        self.changes, self.stops = 1, 1                            # the leads' changes added up, and how many: what counts as much
        self.world: Position | None = None
        secret = any(closed(position, seat)) or not all(knows(position, variable, seat) for variable in position.alive())
        self.share = SHARE if secret else FOREVER
        self.provable = self.players == 2 and not position.game.secretive     # one's victory is the other's loss, and nobody ever guesses
        self.settled = False                                       # what the position is worth is certain
        self.playouts, self.finished = 0, 0                        # how many, and those to the end of the game
        self.longest = 0                                          # decisions of the longest of these
        self.places, self.struck = 0, 0                            # those that were looked at, and those with a victory at once
        self.size = 0                                              # of the tree
        self.luck = 0                                              # the chances of the world that is played on in
        self.shared = 0
        self.replies = Replies()

    @property
    def sharp(self) -> bool:
        """Whether it is a game, or a part of it, in which one step often decides, and there is time to look for such steps."""
        return self.left + self.used >= AMPLE and SHARP * self.struck > self.places

    def choose(self) -> int:
        """The code of the best option."""
        self.think()
        return self.ranked()[0].code

    def think(self) -> None:
        """Playouts as long as there is work left. At least one step ahead is always looked."""
        world = self.imagine()
        codes: list[int] = list(self.position.s[OPTIONS])
        self.luck = world.s[RANDOM]
        try:
            self.now = self.values(world)
        except FAULTS:
            self.now = [0] * self.players
        self.base = self.leads(self.now)
        for code in some(self.rng, codes, len(codes)):             # chance decides between equals
            self.edge(self.root, code)
        self.look(self.root, world, list(self.root.edges), MANY)
        if self.root.winning is not None and not self.wins_always(self.root.winning):
            self.root.winning, self.root.sometimes = None, True
        if self.provable and self.left + self.used >= AMPLE and len(codes) <= WIDE:
            self.play_until(self.left - self.left // PART)
            if self.undecided and 2 * self.finished > self.playouts:
                try:
                    self.look_for_certainty()
                except (OutOfWork, *FAULTS):
                    pass
        self.play_until(0)

    @property
    def undecided(self) -> bool:
        """Whether there is anything to think of."""
        return len(self.root.edges) > 1 and self.root.winning is None and not self.settled

    def play_until(self, left: int) -> None:
        """Playouts until no more work is left than this."""
        while self.left > left and self.undecided:
            self.playout(self.begin())

    def wins_always(self, code: int) -> bool:
        """Whether an option that won at once does so whatever is hidden and whatever chance gives, as far as a few worlds tell."""
        for _ in range(SURE):
            world = self.imagine()
            self.pay(1)
            try:
                if world.step(code) or self.shares(world)[self.seat] != 1:
                    return False
            except FAULTS:
                return False
        return True

    def ranked(self) -> list[Edge]:
        """The options where the seat decides, the best first: a victory, then of those that can be best what was tried most."""
        return sorted(self.root.edges.values(), key=self.rank, reverse=True)

    def rank(self, edge: Edge) -> tuple[bool, bool, int, float, float]:
        """The higher, the better is an option where the seat decides."""
        low, _ = certain(self.root)
        return edge.code == self.root.winning, can_be_best(edge, low), edge.tried, edge.mean, edge.outlook

    # ------------------------------------------------------------ proofs

    def look_for_certainty(self) -> None:
        """Proofs, further and further, until the work is done or it goes too slowly: that the best option is never a defeat, that one wins,
        each time what has cost less until now. Raises OutOfWork, and what the rules raise where they fail."""
        assert self.world is not None
        world = self.world.copy()
        world.s[RANDOM] = self.luck
        proofs = Proofs(self, self.luck, lambda position, seat: int(VICTORY * self.shares(position)[seat]))
        steps, whole = (self.strike_defeats, self.find_victory), self.left
        deep, costs, done = [0, 1], [0, 0], [False, False]
        try:
            while not all(done) and self.undecided:
                which, used = int(done[0] or not done[1] and costs[1] < costs[0]), self.used
                slow = SLOW * (whole - self.left) > whole
                deep[which] += 2
                if deep[which] > DEEP or slow and 2 * max(deep) < self.longest:
                    break
                done[which] = steps[which](world, proofs, deep[which])
                costs[which] += self.used - used
        finally:
            low, high = certain(self.root)
            self.settled = low == high

    def find_victory(self, world: Position, proofs: Proofs, deep: int) -> bool:
        """Look for an option that wins: whether more cannot be known."""
        sure = True
        left = list(self.root.edges.values())
        while left:
            edge = max(left, key=self.rank)
            left.remove(edge)
            if edge.high == VICTORY:
                found = self.proves(world, proofs, edge, VICTORY, deep)
                if found & YES:
                    edge.low, self.root.winning, self.root.sure = VICTORY, edge.code, True
                    return True
                if found & SURELY:
                    edge.high = VICTORY - 1
                else:
                    sure = False
        return sure

    def strike_defeats(self, world: Position, proofs: Proofs, deep: int) -> bool:
        """Strike the best options as long as they end in defeat: whether more cannot be known."""
        while True:
            edge = max(self.root.edges.values(), key=self.rank)
            if edge.low or not edge.high:
                return True
            found = self.proves(world, proofs, edge, 1, deep)
            if found == YES:
                return False
            if found & YES:
                edge.low = 1
            else:
                edge.high = 0

    def proves(self, world: Position, proofs: Proofs, edge: Edge, bound: int, deep: int) -> int:
        """Whether an option is worth at least `bound`, as far as so many decisions tell."""
        after = world.copy()
        decides = after.step(edge.code)
        self.pay(1)
        if not decides or after.s[RANDOM] != proofs.luck:
            return YES if bound == 1 else 0
        return proofs.after(after, self.root.seat, bound, deep - 1, 0)

    # ------------------------------------------------------------ worlds and values

    def begin(self) -> Position:
        """A world to play on in: a few playouts share what is hidden, none the chances to come."""
        if self.world is None or self.shared == self.share:
            self.world, self.shared = self.imagine(), 0
        self.shared += 1
        world = self.world.copy()
        world.s[RANDOM] = self.luck = self.rng.getrandbits(64)
        return world

    def leads(self, values: list[int]) -> list[int]:
        """For every seat, its estimate less that of its best rival."""
        return [self.lead(values, seat) for seat in range(len(values))]

    def shares(self, position: Position) -> list[float]:
        """At the end of a game: what part of the victory each seat has."""
        self.pay(self.players)
        ranks = position.standing()
        if len(ranks) == 1:                                        # alone, only points can tell
            return self.judged([position.estimate(0)])
        first = [rank.seat for rank in ranks if rank.rank == 1]
        return [1 / len(first) if seat in first else 0.0 for seat in range(self.players)]

    def judged(self, leads: list[int]) -> list[float]:
        """What a position in the middle of a game is worth to each seat, between 0 and 1: by what its lead has changed, compared with what
        such changes are like, and a little by the lead itself."""
        usual = max(1.0, self.changes / self.stops)
        return [0.5 + RISE * bent((lead - base) / usual) + LEAD * bent(lead / (8 * usual)) for lead, base in zip(leads, self.base)]

    # ------------------------------------------------------------ the tree

    def edge(self, place: Place, code: int) -> Edge:
        """An option of a place."""
        edge = place.edges.get(code)
        if edge is None:
            edge = place.edges[code] = Edge(code)
            self.size += 1
        return edge

    def look(self, place: Place, world: Position, codes: list[int], many: int) -> None:
        """One step ahead with options of a place: how promising each is, and whether one is a victory at once."""
        place.looked = True
        self.places += 1
        gains: dict[int, int] = {}
        for code in codes if len(codes) <= many else some(self.rng, codes, many):
            after = world.copy()
            self.pay(1)
            try:
                over = not after.step(code)
                if over and self.players > 1 and not place.sometimes:
                    share = self.shares(after)[place.seat]
                    self.ends(place, place.edges[code], share, after)
                    if share == 1:
                        place.winning = code
                        self.struck += 1
                        return
                gains[code] = self.leads(self.values(after))[place.seat]
            except FAULTS:
                continue
        if gains:
            middle = sum(gains.values()) / len(gains)
            usual = max(1.0, added(abs(rise - middle) for rise in gains.values()) / len(gains))
            for code, rise in gains.items():
                place.edges[code].outlook = bent((rise - middle) / (2 * usual))

    def select(self, place: Place, codes: Sequence[int]) -> Edge:
        """The option to try next: what is good, or promising, or was seldom tried."""
        edges = []
        for code in codes:
            edge = self.edge(place, code)
            edge.there += 1
            edges.append(edge)
        if place.winning is not None and place.winning in codes:
            return place.edges[place.winning]
        low = max(edge.low for edge in edges)
        edges = [edge for edge in edges if can_be_best(edge, low)] or edges
        wide = WIDTH + int(2 * sqrt(place.visits))
        if len(edges) > wide:
            edges = sorted(edges, key=lambda edge: edge.outlook, reverse=True)[:wide]
        tried = sum(edge.tried for edge in edges)
        mean = added(edge.total for edge in edges) / tried if tried else 0.5
        curious = KEEN if self.sharp else CURIOUS

        def attraction(edge: Edge) -> float:
            """Its mean, as if one more playout had been like the others'; its outlook, as long as little else is known; and how little
            that is. Doublings are counted: a logarithm is not the same on every machine."""
            known = edge.tried + 1
            return (edge.total + mean + HOPE * edge.outlook) / known + curious * sqrt(edge.there.bit_length() / known)
        return max(edges, key=attraction)

    def ends(self, place: Place, edge: Edge, share: float, after: Position) -> None:
        """An option ended the game: is it certain what it is worth? Where chance has had no part since the thoughts began."""
        if self.provable and after.s[RANDOM] == self.luck:
            edge.low = edge.high = int(VICTORY * share)
            if share == 1:
                place.winning, place.sure = edge.code, True

    def prove(self, place: Place, path: list[tuple[Place, Edge]]) -> None:
        """What the options of a place at the end of a path are worth for certain is told on the way there, as far as it says more."""
        for before, edge in reversed(path):
            low, high = certain(place)
            if before.seat != place.seat:
                low, high = VICTORY - high, VICTORY - low
            low, high = max(low, edge.low), min(high, edge.high)   # that may be known from elsewhere
            if (low, high) == (edge.low, edge.high):
                return
            edge.low, edge.high = low, high
            if low == VICTORY:
                before.winning, before.sure = edge.code, True
            place = before
        low, high = certain(place)
        self.settled = low == high

    def playout(self, world: Position) -> None:
        """Down the tree, one place beyond it, on to a place to stop, and what came of it back up. Changes `world`."""
        path: list[tuple[Place, Edge]] = []
        s, place = world.s, self.root
        codes: Sequence[int] = s[OPTIONS]
        try:
            while True:
                if not place.edges and self.size >= LARGEST:
                    break
                if not place.looked and place.visits >= (SOON if self.sharp else AGAIN):
                    for code in codes:
                        self.edge(place, code)
                    self.look(place, world, list(codes), LOOKED)
                    if self.provable:
                        self.prove(place, path)
                edge = self.select(place, codes)
                path.append((place, edge))
                codes = world.step(edge.code)
                self.pay(1)
                if codes and place.winning == edge.code and not place.sure:              # it won in another world only
                    place.winning, place.sometimes = None, True
                if not codes:
                    break
                key = (s[SEAT], s[PC])
                known = edge.places.get(key)
                if known is None:
                    if self.size < LARGEST:
                        edge.places[key] = Place(s[SEAT], 1)
                        self.size += 1
                    break
                place = known
            ended = not codes
            made = [(place.seat, edge.code) for place, edge in path]
            world, values, decided = self.play_on(world, codes, made)
            leads, over = self.leads(values), world.over
            worth = self.shares(world) if over else self.judged(leads)
            if ended and self.provable and edge.low != edge.high:
                self.ends(place, edge, worth[place.seat], world)
                self.prove(place, path[:-1])
        except FAULTS:
            self.pay(1)
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
        if over and self.sharp:
            self.replies.learn(made, worth)
        self.playouts += 1
        if over:
            self.finished += 1
            self.longest = max(self.longest, len(path) + decided)
        first = path[0][1]
        first.lead += leads[self.seat]
        first.ended += over
        first.won += worth[self.seat] if over else 0

    def play_on(self, world: Position, codes: Sequence[int], made: list[Turn]) -> tuple[Position, list[int], int]:
        """Beyond the tree: where it stopped, the estimates there, and after how many decisions; what is not taken back is added to those
        that were made. Changes `world`."""
        begun, wait, code = world.s[ROUND], 1, 0
        sharp = self.sharp
        before: Position | None = None                             # a decision that can be taken back, and what was taken there in vain
        refused: list[int] = []
        decided = 0
        while decided < FAR and codes:
            s = world.s
            if s[ROUND] >= begun + wait:                           # where nothing changes for long, it is asked for more and more seldom
                begun, wait, values = s[ROUND], 2 * wait, self.values(world)
                if values != self.now:
                    return world, values, decided
            strike = self.strike(world, codes) if sharp and len(codes) <= FEW else None
            if strike is None:
                if sharp:
                    before, refused = world.copy() if len(codes) <= FEW else None, []
                reply = self.replies.found(s[SEAT], made, codes) if sharp and len(codes) > 1 else None
                if len(codes) == 1:
                    code = codes[0]
                elif reply is not None:
                    code = reply
                elif decided >= GUIDED:
                    code = self.at_random(world, codes, self.rng)
                else:
                    code = self.promising(world, codes, TRIED, self.rng)
            else:
                refused.append(code)
                code = strike
                if before is not None and comes_of(before, world):
                    left = [one for one in before.s[OPTIONS] if one not in refused]
                    if left:
                        world, code = before.copy(), strike if strike in left else pick(self.rng, left)
                        made.pop()
            made.append((world.s[SEAT], code))
            codes = world.step(code)
            self.pay(1)
            decided += 1
        return world, self.values(world), decided

    def strike(self, world: Position, codes: Sequence[int]) -> int | None:
        """An option that is a victory at once and without luck."""
        seat = world.s[SEAT]
        for code in codes:
            after = world.copy()
            self.pay(1)
            if not after.step(code) and after.s[RANDOM] == world.s[RANDOM] and self.shares(after)[seat] == 1:
                return code
        return None


def comes_of(before: Position, world: Position) -> bool:
    """Whether what is here now comes of what a rival chose before, and not of chance."""
    return bool(before.s[SEAT] != world.s[SEAT] and before.s[RANDOM] == world.s[RANDOM])


def can_be_best(edge: Edge, low: int) -> bool:
    """Whether an option may be as good as another that is worth at least `low`, and is no defeat."""
    return edge.high > low or 0 < edge.low == low


def certain(place: Place) -> tuple[int, int]:
    """What a place is worth at least and at most, for certain, to the seat that decides there; all its options are known."""
    return max(edge.low for edge in place.edges.values()), max(edge.high for edge in place.edges.values())


def bent(number: float) -> float:
    """Between -1 and 1, however large the number is."""
    return number / (1 + abs(number))


def added(numbers: Iterable[float]) -> float:
    """Their sum, one after the other; what Python's own gives differs from one version to the next."""
    total = 0.0
    for number in numbers:
        total += number
    return total
