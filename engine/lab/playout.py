"""One game by bots, with every law of the rules looked at after each decision, and what is noted of it.

A game is named by its seed: `ludoglot play` with the same bots and the same seed plays the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...dsl.analysis.decision_points import asked
from ...dsl.backend_c.ffi import Failed
from ...dsl.backend_c.marshal import Unfit
from ...dsl.backend_python.module import Term
from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.ir.metadata import Decision as Kind
from ...dsl.storage.control_slots import OPTIONS, PC, ROUND
from ...dsl.types.types import Maybe, Of, domain_of
from ..bots.greedy import BOTS
from ..bots.native import Native, Thinker
from ..bots.rng import generator
from ..explain.score_breakdown import name_of, scored
from ..position.options import DECLINE, choice_of, decode, things_in
from ..position.position import Decision, Game, Position, RuleError

LIMIT = 20_000                       # decisions after which a game counts as one that does not end
SEEDS = range(1 << 63)               # that C knows
SAME_ROUND = -2                      # what C notes where no round has begun
MARKS = (0.25, 0.5, 0.75)            # of a game's decisions: after such parts of them it is noted who leads
NAMED = ("enum", "pieces", "cells", "corners")       # things that can be chosen and have a name of their own
Choosing = Sequence[str]             # the bots: one for each seat, or one for all


@dataclass(frozen=True)
class Fault:
    """What went wrong in a game, and when: `number` counts decisions from 1, and is 0 in the set-up."""

    code: str
    file: str
    line: int
    number: int
    key: str = ""
    option: str = ""


@dataclass(frozen=True)
class Played:
    """What is noted of one game: plain values alone, so that it can be written as a line of JSON and read again.

    Lists go by seat. `ranks`: 1 is first; `scores`: the first value of the standing, in a game that counts points; `terms`: its parts;
    `chosen`: what was chosen, and how often by whom; `leads`: who alone led at the MARKS (-1: nobody); `roles`: things that belonged
    to a seat from the first decision to the end, and whose they were; `began`: who decided first.
    """

    seed: int
    decisions: int
    rounds: int = 0
    stalled: bool = False
    ranks: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    terms: dict[str, list[int]] = field(default_factory=dict)
    chosen: dict[str, list[int]] = field(default_factory=dict)
    leads: list[int] = field(default_factory=list)
    swaps: int = 0
    roles: dict[str, dict[str, int]] = field(default_factory=dict)
    began: int = -1
    fault: Fault | None = None

    @property
    def ended(self) -> bool:
        return bool(self.ranks)

    @property
    def first(self) -> list[int]:
        """The seats that won, alone or together."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def won(self, seat: int) -> float:
        """A seat's part of the victory: all of it, its part where several won, or nothing."""
        first = self.first
        return 1 / len(first) if seat in first else 0.0


def play(game: Game, seed: int, bots: Choosing = ("random",), limit: int = LIMIT, native: Native | None = None) -> Played:
    """One game, to its end, to `limit` decisions, or to the first thing that goes wrong; in C, as soon as and where it can be."""
    if native is not None and seed in SEEDS:
        try:
            return Playout(game, seed, bots, limit).played(native)
        except (Failed, Unfit, RuleFault, RuleError):              # Python plays it, and says what it was
            pass
    return Playout(game, seed, bots, limit).played()


def fault_of(game: Game, played: Played, bots: Choosing, limit: int) -> Diagnostic:
    """What went wrong in a game, in full: the game is played once more."""
    playout = Playout(game, played.seed, bots, limit)
    playout.played()
    assert playout.fault is not None, "the same seed, bots and rules play the same game"
    return playout.fault


def by_seat(bots: Choosing, players: int) -> list[str]:
    """The bot in each seat."""
    return list(bots) if len(bots) > 1 else list(bots) * players


class Playout:
    """A game on its way."""

    def __init__(self, game: Game, seed: int, bots: Choosing, limit: int) -> None:
        self.game, self.seed, self.limit = game, seed, limit
        self.names = by_seat(bots, game.players)
        self.bots = [BOTS[name] for name in self.names]
        self.position = game.new(seed)
        self.number, self.code = 0, 0
        self.decision: Decision | None = None
        self.began = -1
        self.roles: dict[str, dict[str, int]] = {}
        self.chosen: dict[str, list[int]] = {}
        self.leads: list[tuple[int, int]] = [(0, -1)]              # from which decision on who led
        self.things: dict[tuple[int, int], list[str]] = {}
        self.codes: list[int] = []                                 # what was chosen, one decision after the other
        self.fault: Diagnostic | None = None

    def played(self, native: Native | None = None) -> Played:
        """The whole game. As soon as it is there as C, it goes on there. Raises Failed, Unfit and RuleFault where it does not."""
        try:
            self.position.step(0)
            while native is None or native.found is None:
                going = self.go_on()
                if going is not None:
                    return going
        except Exception as error:                                 # whatever it is, the rules did it
            return self.failed(self.game.fault(error, error.__traceback__, self.position.s))
        return self.played_on(native.found)

    def go_on(self) -> Played | None:
        """One decision; the game, when there is none any more."""
        position, seed = self.position, self.seed
        broken = position.broken_law()
        if broken is not None:
            return self.failed(broken)
        self.decision = decision = position.decision
        if decision is None:
            return self.over()
        if self.number >= self.limit:
            return Played(seed, self.number, position.rounds, stalled=True)
        if not self.number:
            self.began, self.roles = decision.seat, roles_of(position)
        codes = position.s[OPTIONS]
        alone = len(codes) == 1
        self.code = codes[0] if alone else self.bots[decision.seat](position, decision.seat, generator(seed, decision.seat, self.number))
        self.note(position.s[PC], decision.seat, self.code)
        self.number += 1
        begun = position.s[ROUND]
        position.step(self.code)
        if position.s[ROUND] != begun:
            self.look_who_leads()
        return None

    def played_on(self, c: Thinker) -> Played:
        """The rest by C, which notes what is decided and who leads. Raises Failed, Unfit, RuleFault."""
        position = self.position
        decision = position.decision
        if decision is not None and not self.number:
            self.began, self.roles = decision.seat, roles_of(position)
        c.load(position.s)
        ended, notes = c.bots(self.seed, self.limit, self.names, self.number)
        c.save(position.s)
        for at, seat, code, lead in zip(*[iter(notes)] * 4):
            self.number += 1
            self.note(at, seat, code)
            if lead != SAME_ROUND:
                self.leading(lead)
        return self.over() if ended else Played(self.seed, self.number, position.rounds, stalled=True)

    def repeat(self) -> None:
        """Play the same decisions once more, without bots: for those who watch which rules run."""
        position = self.game.new(self.seed)
        position.step(0)
        for code in self.codes:
            position.step(code)
        position.standing()

    def note(self, at: int, seat: int, code: int) -> None:
        """What is being chosen, by whom; `at`: where the rules wait for it."""
        self.codes.append(code)
        place = at, code
        if place not in self.things:
            kind = self.game.module.waits[at].decision
            assert kind is not None
            self.things[place] = things_of(self.game, kind, code)
        for thing in self.things[place]:
            self.chosen.setdefault(thing, [0] * self.game.players)[seat] += 1

    def look_who_leads(self) -> None:
        values = [self.position.estimate(seat) for seat in range(self.game.players)]
        best = max(values)
        self.leading(values.index(best) if values.count(best) == 1 else -1)

    def leading(self, first: int) -> None:
        """Note who leads alone now (-1: nobody)."""
        if first != self.leads[-1][1]:
            self.leads.append((self.number, first))

    def failed(self, fault: Diagnostic) -> Played:
        self.fault = fault
        key, option = "", ""
        if self.decision is not None and self.number:
            key, option = self.decision.key, self.decision.option(self.code).spelling
        return Played(self.seed, self.number, fault=Fault(fault.code, fault.place.path, fault.place.line or 0, self.number, key, option))

    def over(self) -> Played:
        position, players = self.position, self.game.players
        standing = sorted(position.standing(), key=lambda rank: rank.seat)
        points = scored(self.game)
        terms: dict[str, list[int]] = {}
        for term in self.game.module.terms if points else ():
            so_far = terms.setdefault(term_key(term), [0] * players)
            for seat in range(players):
                so_far[seat] += term.factor * int(term.value(position.s, seat))
        ahead = [first for _, first in self.leads[1:] if first >= 0]
        kept = roles_of(position)
        return Played(
            self.seed, self.number, position.rounds, ranks=[rank.rank for rank in standing],
            scores=[rank.values[0] for rank in standing] if points else [], terms=terms, chosen=dict(sorted(self.chosen.items())),
            leads=[self.ahead_at(mark * self.number) for mark in MARKS],
            swaps=sum(one != two for one, two in zip(ahead, ahead[1:])),
            roles={name: whose for name, whose in self.roles.items() if kept.get(name) == whose}, began=self.began)

    def ahead_at(self, number: float) -> int:
        return [first for since, first in self.leads if since <= number][-1]


def term_key(term: Term) -> str:
    """What a part of the standing is called in data: the key that it would have without any texts."""
    return name_of(term, lambda key: False)[0]


def things_of(game: Game, kind: Kind, code: int) -> list[str]:
    """What is chosen with an option: the entry of a menu (`turn.deed.build`), that nothing is (`turn.deed.decline`), and each thing with a
    name (`Card.joker`; of pieces their kind). Numbers and players are no things."""
    if code == DECLINE:
        return [f"{kind.key}.decline"]
    choice = choice_of(kind, code)
    out = [f"{kind.key}.{choice.name}"] if choice.name else [kind.key] if kind.optional else []
    for domain, n in things_in(game.codecs, decode(choice, code)):
        enum = game.model.enum_of(domain)
        if enum is not None and enum.kind in NAMED:
            out.append(f"{enum.name}.{enum.called(n)}")
    return list(dict.fromkeys(out))


def choosable(game: Game) -> list[str]:
    """All that `things_of` may ever tell of a game; of a board without end no cells."""
    out: list[str] = []
    for decision in asked(game.ruleset.program, game.ruleset.facts):
        out += [decision.key, f"{decision.key}.decline", *(f"{decision.key}.{entry}" for entry in decision.entries)]
        for found in decision.names.values():
            enum = game.model.enum_of(domain_of(found) or "")
            if enum is not None and enum.kind in NAMED:
                out += [f"{enum.name}.{name}" for name in enum.first]
    return list(dict.fromkeys(out))


def roles_of(position: Position) -> dict[str, dict[str, int]]:
    """The states that give members of an enumeration to players, each seat one at least: which house, which colour is whose."""
    out = {}
    for name, cell in position.game.cells.items():
        found: Any = cell.codec.type
        inner = found.of if isinstance(found, Maybe) else found
        if len(cell.enums) == 1 and cell.enums[0].kind == "enum" and inner == Of("Player"):
            values = [(member, position.at(cell, [n])) for n, member in enumerate(cell.enums[0].members)]
            whose = {member: raw for member, raw in values if inner is found or cell.codec.size(raw)}
            if set(whose.values()) == set(range(position.game.players)):
                out[name] = whose
    return out
