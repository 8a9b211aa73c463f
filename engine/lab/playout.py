"""One game by bots, with every law of the rules looked at after each decision, and what is noted of it.

A game is named by its seed: `ludoglot play` with the same bots and the same seed plays the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...dsl.analysis.decision_points import find_decision_points
from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_python.module import StandingTerm
from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.ir.metadata import DecisionKind as Kind
from ...dsl.storage.control_slots import OPTIONS, PC, ROUND
from ...dsl.types.types import MemberOf, OptionalOf, domain_of
from ..bots.greedy import BOTS
from ..bots.native import NativeBots, NativeGame
from ..bots.rng import decision_rng
from ..explain.score_breakdown import find_term_source, has_points
from ..position.options import DECLINE, decode_values, find_choice, iter_things
from ..position.position import Decision, Game, Position, RuleError

MAX_GAME_DECISIONS = 20_000                       # decisions after which a game counts as one that does not end
NATIVE_SEEDS = range(1 << 63)               # that C knows
NO_NEW_ROUND = -2                      # what C notes where no round has begun
LEAD_FRACTIONS = (0.25, 0.5, 0.75)            # of a game's decisions: after such parts of them it is noted who leads
NAMEABLE_KINDS = ("enum", "pieces", "cells", "corners")       # things that can be chosen and have a name of their own
BotNames = Sequence[str]             # the bots: one for each seat, or one for all


@dataclass(frozen=True)
class GameFault:
    """What went wrong in a game, and when: `number` counts decisions from 1, and is 0 in the set-up."""

    code: str
    file: str
    line: int
    number: int
    key: str = ""
    option: str = ""


@dataclass(frozen=True)
class GameResult:
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
    fault: GameFault | None = None

    @property
    def has_ended(self) -> bool:
        return bool(self.ranks)

    @property
    def winners(self) -> list[int]:
        """The seats that won, alone or together."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def victory_share(self, seat: int) -> float:
        """A seat's part of the victory: all of it, its part where several won, or nothing."""
        first = self.winners
        return 1 / len(first) if seat in first else 0.0


def play_game(
    game: Game, seed: int, bots: BotNames = ("random",), limit: int = MAX_GAME_DECISIONS, native: NativeGame | None = None
) -> GameResult:
    """One game, to its end, to `limit` decisions, or to the first thing that goes wrong; in C, as soon as and where it can be."""
    if native is not None and seed in NATIVE_SEEDS:
        try:
            return PlayoutRun(game, seed, bots, limit).play_to_end(native)
        except (NativeError, NotMarshallableError, RuleFault, RuleError):              # Python plays it, and says what it was
            pass
    return PlayoutRun(game, seed, bots, limit).play_to_end()


def replay_fault(game: Game, played: GameResult, bots: BotNames, limit: int) -> Diagnostic:
    """What went wrong in a game, in full: the game is played once more."""
    playout = PlayoutRun(game, played.seed, bots, limit)
    playout.play_to_end()
    assert playout.fault is not None, "the same seed, bots and rules play the same game"
    return playout.fault


def bots_by_seat(bots: BotNames, players: int) -> list[str]:
    """The bot in each seat."""
    return list(bots) if len(bots) > 1 else list(bots) * players


class PlayoutRun:
    """A game on its way."""

    def __init__(self, game: Game, seed: int, bots: BotNames, limit: int) -> None:
        self.game, self.seed, self.limit = game, seed, limit
        self.names = bots_by_seat(bots, game.players)
        self.bots = [BOTS[name] for name in self.names]
        self.position = game.new_position(seed)
        self.number, self.code = 0, 0
        self.decision: Decision | None = None
        self.began = -1
        self.roles: dict[str, dict[str, int]] = {}
        self.chosen: dict[str, list[int]] = {}
        self.leads: list[tuple[int, int]] = [(0, -1)]              # from which decision on who led
        self.things: dict[tuple[int, int], list[str]] = {}
        self.codes: list[int] = []                                 # what was chosen, one decision after the other
        self.fault: Diagnostic | None = None

    def play_to_end(self, native: NativeGame | None = None) -> GameResult:
        """The whole game. As soon as it is there as C, it goes on there. Raises Failed, Unfit and RuleFault where it does not."""
        try:
            self.position.step(0)
            while native is None or native.found is None:
                going = self.play_decision()
                if going is not None:
                    return going
        except Exception as error:                                 # whatever it is, the rules did it
            return self.fault_result(self.game.diagnose_fault(error, error.__traceback__, self.position.s))
        return self.play_rest_in_c(native.found)

    def play_decision(self) -> GameResult | None:
        """One decision; the game, when there is none any more."""
        position, seed = self.position, self.seed
        broken = position.find_broken_invariant()
        if broken is not None:
            return self.fault_result(broken)
        self.decision = decision = position.decision
        if decision is None:
            return self.final_result()
        if self.number >= self.limit:
            return GameResult(seed, self.number, position.rounds, stalled=True)
        if not self.number:
            self.began, self.roles = decision.seat, player_roles(position)
        codes = position.s[OPTIONS]
        alone = len(codes) == 1
        self.code = codes[0] if alone else self.bots[decision.seat](position, decision.seat, decision_rng(seed, decision.seat, self.number))
        self.record_choice(position.s[PC], decision.seat, self.code)
        self.number += 1
        begun = position.s[ROUND]
        position.step(self.code)
        if position.s[ROUND] != begun:
            self.update_leader()
        return None

    def play_rest_in_c(self, c: NativeBots) -> GameResult:
        """The rest by C, which notes what is decided and who leads. Raises Failed, Unfit, RuleFault."""
        position = self.position
        decision = position.decision
        if decision is not None and not self.number:
            self.began, self.roles = decision.seat, player_roles(position)
        c.load(position.s)
        ended, notes = c.play_bots(self.seed, self.limit, self.names, self.number)
        c.save(position.s)
        for at, seat, code, lead in zip(*[iter(notes)] * 4):
            self.number += 1
            self.record_choice(at, seat, code)
            if lead != NO_NEW_ROUND:
                self.record_leader(lead)
        return self.final_result() if ended else GameResult(self.seed, self.number, position.rounds, stalled=True)

    def replay_decisions(self) -> None:
        """Play the same decisions once more, without bots: for those who watch which rules run."""
        position = self.game.new_position(self.seed)
        position.step(0)
        for code in self.codes:
            position.step(code)
        position.standing()

    def record_choice(self, at: int, seat: int, code: int) -> None:
        """What is being chosen, by whom; `at`: where the rules wait for it."""
        self.codes.append(code)
        place = at, code
        if place not in self.things:
            kind = self.game.module.waits[at].decision
            assert kind is not None
            self.things[place] = chosen_things(self.game, kind, code)
        for thing in self.things[place]:
            self.chosen.setdefault(thing, [0] * self.game.players)[seat] += 1

    def update_leader(self) -> None:
        values = [self.position.estimate(seat) for seat in range(self.game.players)]
        best = max(values)
        self.record_leader(values.index(best) if values.count(best) == 1 else -1)

    def record_leader(self, first: int) -> None:
        """Note who leads alone now (-1: nobody)."""
        if first != self.leads[-1][1]:
            self.leads.append((self.number, first))

    def fault_result(self, fault: Diagnostic) -> GameResult:
        self.fault = fault
        key, option = "", ""
        if self.decision is not None and self.number:
            key, option = self.decision.key, self.decision.option(self.code).spelling
        return GameResult(
            self.seed, self.number, fault=GameFault(fault.code, fault.place.path, fault.place.line or 0, self.number, key, option)
        )

    def final_result(self) -> GameResult:
        position, players = self.position, self.game.players
        standing = sorted(position.standing(), key=lambda rank: rank.seat)
        points = has_points(self.game)
        terms: dict[str, list[int]] = {}
        for term in self.game.module.terms if points else ():
            so_far = terms.setdefault(term_key(term), [0] * players)
            for seat in range(players):
                so_far[seat] += term.factor * int(term.value(position.s, seat))
        ahead = [first for _, first in self.leads[1:] if first >= 0]
        kept = player_roles(position)
        return GameResult(
            self.seed, self.number, position.rounds, ranks=[rank.rank for rank in standing],
            scores=[rank.values[0] for rank in standing] if points else [], terms=terms, chosen=dict(sorted(self.chosen.items())),
            leads=[self.leader_at(mark * self.number) for mark in LEAD_FRACTIONS],
            swaps=sum(one != two for one, two in zip(ahead, ahead[1:])),
            roles={name: whose for name, whose in self.roles.items() if kept.get(name) == whose}, began=self.began)

    def leader_at(self, number: float) -> int:
        return [first for since, first in self.leads if since <= number][-1]


def term_key(term: StandingTerm) -> str:
    """What a part of the standing is called in data: the key that it would have without any texts."""
    return find_term_source(term, lambda key: False)[0]


def chosen_things(game: Game, kind: Kind, code: int) -> list[str]:
    """What is chosen with an option: the entry of a menu (`turn.deed.build`), that nothing is (`turn.deed.decline`), and each thing with a
    name (`Card.joker`; of pieces their kind). Numbers and players are no things."""
    if code == DECLINE:
        return [f"{kind.key}.decline"]
    choice = find_choice(kind, code)
    out = [f"{kind.key}.{choice.name}"] if choice.name else [kind.key] if kind.optional else []
    for domain, n in iter_things(game.codecs, decode_values(choice, code)):
        enum = game.model.enum_of(domain)
        if enum is not None and enum.kind in NAMEABLE_KINDS:
            out.append(f"{enum.name}.{enum.kind_or_name(n)}")
    return list(dict.fromkeys(out))


def choosable_things(game: Game) -> list[str]:
    """All that `things_of` may ever tell of a game; of a board without end no cells."""
    out: list[str] = []
    for decision in find_decision_points(game.ruleset.program, game.ruleset.facts):
        out += [decision.key, f"{decision.key}.decline", *(f"{decision.key}.{entry}" for entry in decision.entries)]
        for found in decision.names.values():
            enum = game.model.enum_of(domain_of(found) or "")
            if enum is not None and enum.kind in NAMEABLE_KINDS:
                out += [f"{enum.name}.{name}" for name in enum.first_index]
    return list(dict.fromkeys(out))


def player_roles(position: Position) -> dict[str, dict[str, int]]:
    """The states that give members of an enumeration to players, each seat one at least: which house, which colour is whose."""
    out = {}
    for name, cell in position.game.cells.items():
        found: Any = cell.codec.type
        inner = found.of if isinstance(found, OptionalOf) else found
        if len(cell.enums) == 1 and cell.enums[0].kind == "enum" and inner == MemberOf("Player"):
            values = [(member, position.raw_at(cell, [n])) for n, member in enumerate(cell.enums[0].members)]
            whose = {member: raw for member, raw in values if inner is found or cell.codec.size(raw)}
            if set(whose.values()) == set(range(position.game.players)):
                out[name] = whose
    return out
