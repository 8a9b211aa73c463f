"""A player that thinks several decisions ahead: Monte-Carlo tree search over what a seat may know.

Every playout begins in a world that `sample` imagined, so what is hidden is different each time, and one tree is kept for all of them: a
place in it is what was decided on the way there, by whom, and what is asked then ("information set Monte Carlo tree search": Cowling,
Powley and Whitehouse, 2012). An option is weighed against how often it was there to be taken. A game brings only its `estimate`:

* where a place of the tree was visited a few times, its options are looked at one step ahead; what the estimate gains makes the better ones
  likely to be tried first ("upper confidence bounds applied to trees": Kocsis and Szepesvári, 2006; "progressive bias": Chaslot and others,
  2008), and of very many options only the most promising are tried until there were enough visits ("progressive widening": Coulom, 2007);
* a victory at once is taken ("decisive moves": Teytaud and Teytaud, 2010), and where two play without chance and secrets, what is
  decided for certain is known on the way there too;
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

from ...dsl.storage.control import OPTIONS, PC, RANDOM, ROUND, SEAT
from ..position.position import Position
from ..position.view import closed, knows
from .chance import pick, some
from .thinking import FAULTS, Thinking

STRENGTHS = {"easy": 250, "medium": 2500, "hard": 12000}          # the work that goes into one decision, counted in steps of the game
SHARE = 4                            # playouts that begin in the same imagined world
FOREVER = -1                         # or all of them, where nothing is hidden
MANY = 120                           # with more options than this, so many of them are looked at one step ahead where a seat must decide
LOOKED = 24                          # and deeper in the tree so many
TRIED = 6                            # beyond the tree, a guided decision takes the best of so many options
AGAIN = 3                            # visits after which the options of a place are looked at one step ahead
GUIDED = 1                           # decisions beyond the tree that are guided so
FAR = 150                            # decisions after which a playout stops, whatever happened
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
    hopeless: bool = False                                             # a victory of the other player, for certain
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
    winning: int | None = None                                        # an option that is a victory
    sometimes: bool = False                                          # it won at once, and did not in another world
    sure: bool = False                                             # nothing is hidden and chance has no part in it
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
    winning: bool                                                     # for certain, as far as can be seen


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
        self.provable = not secret and self.players == 2
        self.luck = 0                                              # the chances of the world that is played on in
        self.shared = 0

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
            self.root.edges[code] = Edge(code)
        self.look(self.root, world, list(self.root.edges), MANY)
        if self.root.winning is not None and not self.wins_always(self.root.winning):
            self.root.winning, self.root.sometimes = None, True
        while self.left > 0 and len(codes) > 1 and self.root.winning is None:
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
        """The options where the seat decides, the best first: a victory at once, then what was tried most."""
        return sorted(self.root.edges.values(), reverse=True,
                      key=lambda edge: (edge.code == self.root.winning, not edge.hopeless, edge.tried, edge.mean, edge.outlook))

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

    def look(self, place: Place, world: Position, codes: list[int], many: int) -> None:
        """One step ahead with options of a place: how promising each is, and whether one is a victory at once."""
        place.looked = True
        gains: dict[int, int] = {}
        for code in codes if len(codes) <= many else some(self.rng, codes, many):
            after = world.copy()
            self.pay(1)
            try:
                over = not after.step(code)
                if over and self.players > 1 and not place.sometimes and self.shares(after)[place.seat] == 1:
                    place.winning, place.sure = code, self.provable and after.s[RANDOM] == self.luck
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
            edge = place.edges.get(code)
            if edge is None:
                edge = place.edges[code] = Edge(code)
            edge.there += 1
            edges.append(edge)
        if place.winning is not None and place.winning in codes:
            return place.edges[place.winning]
        edges = [edge for edge in edges if not edge.hopeless] or edges
        wide = WIDTH + int(2 * sqrt(place.visits))
        if len(edges) > wide:
            edges = sorted(edges, key=lambda edge: edge.outlook, reverse=True)[:wide]
        tried = sum(edge.tried for edge in edges)
        mean = added(edge.total for edge in edges) / tried if tried else 0.5

        def attraction(edge: Edge) -> float:
            """Its mean, as if one more playout had been like the others'; its outlook, as long as little else is known; and how little
            that is. Doublings are counted: a logarithm is not the same on every machine."""
            known = edge.tried + 1
            return (edge.total + mean + HOPE * edge.outlook) / known + CURIOUS * sqrt(edge.there.bit_length() / known)
        return max(edges, key=attraction)

    def prove(self, winner: int, path: list[tuple[Place, Edge]]) -> None:
        """One of two has won for certain at the end of a path: where it decided on the way, it has won there too; where the other did, that
        option is hopeless, and when all are, so is the place ("Monte-Carlo tree search solver": Winands, Björnsson and Saito, 2008)."""
        for place, edge in reversed(path):
            if place.seat == winner:
                place.winning, place.sure = edge.code, True
                continue
            edge.hopeless = True
            if not all(other.hopeless for other in place.edges.values()):
                return

    def playout(self, world: Position) -> None:
        """Down the tree, one place beyond it, on to a place to stop, and what came of it back up. Changes `world`."""
        path: list[tuple[Place, Edge]] = []
        s, place = world.s, self.root
        codes: Sequence[int] = s[OPTIONS]
        try:
            while True:
                if not place.looked and place.visits >= AGAIN:
                    for code in codes:
                        place.edges.setdefault(code, Edge(code))
                    self.look(place, world, list(codes), LOOKED)
                    if place.sure:
                        self.prove(place.seat, path)
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
                    edge.places[key] = Place(s[SEAT], 1)
                    break
                place = known
            over, values = self.play_on(world, codes)
            leads = self.leads(values)
            worth = self.shares(world) if over else self.judged(leads)
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
        first = path[0][1]
        first.lead += leads[self.seat]
        first.ended += over
        first.won += worth[self.seat] if over else 0

    def play_on(self, world: Position, codes: Sequence[int]) -> tuple[bool, list[int]]:
        """Beyond the tree: whether the game ended, and the estimates where it stopped."""
        s, begun, wait = world.s, world.s[ROUND], 1
        for n in range(FAR):
            if not codes:
                return True, self.values(world)
            if s[ROUND] >= begun + wait:                           # where nothing changes for long, it is asked for more and more seldom
                begun, wait, values = s[ROUND], 2 * wait, self.values(world)
                if values != self.now:
                    return False, values
            code = codes[0] if len(codes) == 1 else pick(self.rng, codes) if n >= GUIDED else self.promising(world, codes, TRIED, self.rng)
            codes = world.step(code)
            self.pay(1)
        return not codes, self.values(world)


def bent(number: float) -> float:
    """Between -1 and 1, however large the number is."""
    return number / (1 + abs(number))


def added(numbers: Iterable[float]) -> float:
    """Their sum, one after the other; what Python's own gives differs from one version to the next."""
    total = 0.0
    for number in numbers:
        total += number
    return total
