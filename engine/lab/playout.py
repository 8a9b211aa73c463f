"""Plays one game with bots, checks all invariants after each decision, and records facts about it.

A game is identified by its seed. `ludoglot play` with the same bots and the same seed plays the same game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ...dsl.analysis.decision_points import find_decision_points
from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_python.module import StandingTerm
from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.ir.metadata import DecisionKind as Kind
from ...dsl.storage.control_slots import OPTIONS, PC, ROUND
from ...dsl.types.board_parts import PART_SIGNS
from ...dsl.types.types import MemberOf, OptionalOf, domain_of
from ..bots.greedy import BOTS
from ..bots.native import NativeBots, NativeGame
from ..bots.rng import decision_rng
from ..errors import MessageError
from ..explain.score_breakdown import find_term_source
from ..position.options import DECLINE, decode_values, find_choice, iter_things
from ..position.points import points_of_ranks, points_sign
from ..position.position import Decision, Game, Position, RuleError
from . import MAX_GAME_DECISIONS

if TYPE_CHECKING:
    from ..api.own_bots import SimulatedOwnBots

NATIVE_SEEDS = range(1 << 63)               # seeds that C code can represent
NO_NEW_ROUND = -2                      # noted by C code if no new round has begun
LEAD_FRACTIONS = (0.25, 0.5, 0.75)            # parts of a game's decisions after which the leader is recorded
NAMEABLE_KINDS = ("enum", "pieces", "cells", *PART_SIGNS)       # kinds of enums whose members are recorded as choices
BotNames = Sequence[str]             # one bot for each seat, or one for all


@dataclass(frozen=True)
class GameFault:
    """A fault of the rules in a game. `number` is the number of decisions before it, 0 in the set-up."""

    code: str
    file: str
    line: int
    number: int
    key: str = ""
    option: str = ""


@dataclass(frozen=True)
class GameResult:
    """The recorded facts of one game. It holds plain values only, so it can be written as a line of JSON.

    Lists are indexed by seat.

    * `ranks`: 1 is first. Empty if the game did not end.
    * `scores`: the points of each seat, in a game that counts points. `terms`: the parts of the score.
    * `chosen`: how often each seat chose each thing.
    * `leads`: the seat that led alone at each of the LEAD_FRACTIONS, -1 for none. `swaps`: changes of the leader.
    * `roles`: members that belonged to a seat from the first decision to the end.
    * `began`: the seat that decided first.
    * `teams`: the seats of each team. Empty if the standing compares players."""

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
    teams: list[list[int]] = field(default_factory=list)

    @property
    def has_ended(self) -> bool:
        """Whether the game reached its end."""
        return bool(self.ranks)

    @property
    def winning_teams(self) -> list[list[int]]:
        """The teams in first place. Without teams, these are the winners, each alone."""
        return [team for team in self.teams or [[seat] for seat in range(len(self.ranks))] if self.ranks[team[0]] == 1]

    def victory_share(self, seat: int) -> float:
        """Returns the share of a seat's team in the victory: 1 if it won alone, a fraction if several teams won, else 0."""
        first = self.winning_teams
        return 1 / len(first) if any(seat in team for team in first) else 0.0


def play_game(
    game: Game, seed: int, bots: BotNames = ("random",), limit: int = MAX_GAME_DECISIONS, native: NativeGame | None = None
) -> GameResult:
    """Plays one game to its end, to `limit` decisions, or to the first fault.

    Uses C code as soon as it is available."""
    if native is not None and seed in NATIVE_SEEDS:
        try:
            return PlayoutRun(game, seed, bots, limit).play_to_end(native)
        except (NativeError, NotMarshallableError, RuleFault, RuleError):              # Python plays it again, and reports the fault
            pass
    return PlayoutRun(game, seed, bots, limit).play_to_end()


def replay_fault(game: Game, played: GameResult, bots: BotNames, limit: int) -> Diagnostic:
    """Returns the full diagnostic of a fault, by playing the game again."""
    playout = PlayoutRun(game, played.seed, bots, limit)
    playout.play_to_end()
    if playout.fault is None:                                      # the same seed and rules play the same game, unless a bot does not
        raise MessageError("bot.unrepeatable", seed=played.seed)
    return playout.fault


def bots_by_seat(bots: BotNames, players: int) -> list[str]:
    """Returns the bot of each seat."""
    return list(bots) if len(bots) > 1 else list(bots) * players


class PlayoutRun:
    """One game in progress, with the facts recorded so far."""

    def __init__(self, game: Game, seed: int, bots: BotNames, limit: int) -> None:
        self.game, self.seed, self.limit = game, seed, limit
        self.names = bots_by_seat(bots, game.players)
        self.own = None if all(name in BOTS for name in self.names) else self.make_own_bots()
        self.bots = [BOTS[name] if self.own is None or name in BOTS else partial(self.own.choose_at, f"bot:{name}") for name in self.names]
        self.position = game.new_position(seed)
        self.number, self.code = 0, 0
        self.decision: Decision | None = None
        self.began = -1
        self.roles: dict[str, dict[str, int]] = {}
        self.chosen: dict[str, list[int]] = {}
        self.leads: list[tuple[int, int]] = [(0, -1)]              # changes of the lead: number of decisions, and who led from then on
        self.things: dict[tuple[int, int], list[str]] = {}
        self.codes: list[int] = []                                 # the codes of the chosen options, in order
        self.fault: Diagnostic | None = None

    def make_own_bots(self) -> SimulatedOwnBots:
        """Returns the bots that people wrote themselves. The import is local, because few simulations have one."""
        from ..api.own_bots import SimulatedOwnBots
        return SimulatedOwnBots(self.game, self.seed)

    def play_to_end(self, native: NativeGame | None = None) -> GameResult:
        """Plays the whole game, and switches to C code as soon as it is compiled.

        Raises NativeError, NotMarshallableError and RuleFault from C, and MessageError from bots that people wrote
        themselves."""
        try:
            self.position.step(0)
            while native is None or native.found is None:
                going = self.play_decision()
                if going is not None:
                    return going
        except MessageError:                                       # of somebody's own bot
            raise
        except Exception as error:                                 # any other error here is a fault of the rules
            return self.fault_result(self.game.diagnose_fault(error, error.__traceback__, self.position.s))
        return self.play_rest_in_c(native.found)

    def play_decision(self) -> GameResult | None:
        """Plays one decision. Returns the result if the game is over, else None."""
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
        """Plays the rest of the game in C, which notes decisions and leaders.

        Raises NativeError, NotMarshallableError and RuleFault."""
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
        """Replays the same decisions without bots, for tools that trace which rules run."""
        position = self.game.new_position(self.seed)
        position.step(0)
        for code in self.codes:
            position.step(code)
        position.standing()

    def record_choice(self, at: int, seat: int, code: int) -> None:
        """Records a choice of a seat. `at` is the program counter at which the rules wait for it."""
        self.codes.append(code)
        place = at, code
        if place not in self.things:
            kind = self.game.module.waits[at].decision
            assert kind is not None
            self.things[place] = chosen_things(self.game, kind, code)
        for thing in self.things[place]:
            self.chosen.setdefault(thing, [0] * self.game.players)[seat] += 1

    def update_leader(self) -> None:
        """Computes the estimates of all teams, and records the leader, or the first seat of the leading team."""
        values = {team.seats[0]: self.position.estimate(team.seats[0]) for team in self.game.teams}
        best = max(values.values())
        first = [seat for seat, value in values.items() if value == best]
        self.record_leader(first[0] if len(first) == 1 else -1)

    def record_leader(self, first: int) -> None:
        """Records the seat that leads alone now (-1: none)."""
        if first != self.leads[-1][1]:
            self.leads.append((self.number, first))

    def fault_result(self, fault: Diagnostic) -> GameResult:
        """Returns the result of a game that ended with a fault."""
        self.fault = fault
        key, option = "", ""
        if self.decision is not None and self.number:
            key, option = self.decision.key, self.decision.option(self.code).spelling
        return GameResult(
            self.seed, self.number, fault=GameFault(fault.code, fault.place.path, fault.place.line or 0, self.number, key, option)
        )

    def final_result(self) -> GameResult:
        """Returns the result of a game that reached its end."""
        position, players = self.position, self.game.players
        standing = sorted(position.standing(), key=lambda rank: rank.seat)
        points, sign = points_of_ranks(self.game, standing), points_sign(self.game)
        terms: dict[str, list[int]] = {}
        for term in self.game.module.terms if points else ():
            so_far = terms.setdefault(term_key(term), [0] * players)
            for seat in range(players):
                so_far[seat] += sign * term.factor * int(term.value(position.s, seat))
        ahead = [first for _, first in self.leads[1:] if first >= 0]
        kept = player_roles(position)
        return GameResult(
            self.seed, self.number, position.rounds, ranks=[rank.rank for rank in standing],
            scores=[*points.values()], terms=terms, chosen=dict(sorted(self.chosen.items())),
            leads=[self.leader_at(mark * self.number) for mark in LEAD_FRACTIONS],
            swaps=sum(one != two for one, two in zip(ahead, ahead[1:])),
            roles={name: whose for name, whose in self.roles.items() if kept.get(name) == whose}, began=self.began,
            teams=[list(team.seats) for team in self.game.teams] if any(team.name for team in self.game.teams) else [])

    def leader_at(self, number: float) -> int:
        """Returns the seat that led alone after so many decisions (-1: none)."""
        return [first for since, first in self.leads if since <= number][-1]


def term_key(term: StandingTerm) -> str:
    """Returns the key of a term of the standing in data, which does not depend on any texts."""
    return find_term_source(term, lambda key: False)[0]


def chosen_things(game: Game, kind: Kind, code: int) -> list[str]:
    """Returns the keys of the things that an option chooses.

    They are the menu entry (`turn.deed.build`) or `turn.deed.decline`, and each member with a name, such as
    `Card.joker`. Pieces count by their kind. Numbers and players are not things."""
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
    """Returns every key that `chosen_things` may return for a game, except cells of an unbounded board."""
    out: list[str] = []
    for decision in find_decision_points(game.ruleset.program, game.ruleset.facts):
        out += [decision.key, f"{decision.key}.decline", *(f"{decision.key}.{entry}" for entry in decision.entries)]
        for found in decision.names.values():
            enum = game.model.enum_of(domain_of(found) or "")
            if enum is not None and enum.kind in NAMEABLE_KINDS:
                out += [f"{enum.name}.{name}" for name in enum.first_index]
    return list(dict.fromkeys(out))


def player_roles(position: Position) -> dict[str, dict[str, int]]:
    """Returns the states that assign members of an enum to players, if each seat has at least one member.

    Examples are which colour or which house belongs to whom."""
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
