"""A position: the complete state of a game at one moment, as plain data.

The data is one flat list `s`, laid out by dsl/storage/layout.py. It contains the states, the pending
decision, the frames of suspended procedures, and the random generator. A position can therefore be copied,
compared, hashed, saved and resumed at every decision, in any process."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import TracebackType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.backend_python.runtime import LEFT, RuleFault, charge
from ...dsl.core.program import Team
from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
from ...dsl.game.ruleset import Ruleset
from ...dsl.ir.limits import FREE_BLOCK_STEPS, MAX_EVENTS_PER_DECISION, MAX_STEPS_PER_DECISION
from ...dsl.ir.metadata import DecisionBranch, LiveVariable, ResumePoint, iter_suspended
from ...dsl.ir.metadata import DecisionKind as Kind
from ...dsl.model.canonical import canonical_value, from_json, to_json
from ...dsl.model.codec import Codec
from ...dsl.storage.control_slots import ANSWER, EVENTS, FIRST_STATE_SLOT, OPTIONS, PC, RANDOM, ROUND, SCRIPT, SEAT
from ...dsl.storage.layout import StateStorage
from ...dsl.storage.state_literals import StateLiteralReader
from ...dsl.types.boards import MAX_PLAYED_COORDINATE, decode_open_cell, is_within_limit
from ...dsl.types.types import Int, MemberOf, Type
from . import call_stack
from .answer_index import AnswerIndex, IndexEntry, collapse_spaces
from .call_stack import CallContext, EventLog, PieceNumbers, RawEvent
from .options import DECLINE, Option, decode_values, find_choice, iter_things, spell_value
from .ranking import Rank, rank_seats
from .seeds import Seed, generator_from_seed

OPTION_CACHE_SIZE = 10_000                # moves cached per kind of decision
PlainValue = int | str | None | tuple["PlainValue", ...]                     # values with the same repr on every machine


class RuleError(Exception):
    """A rule stopped with a fault. `diagnostic` describes the fault and its place. The position is as it was before
    the move."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class IllegalOptionError(Exception):
    """The move is not one of the legal moves of the pending decision."""


@dataclass(frozen=True)
class GameEvent:
    """Something that happened: an event that the rules emit with `tell`, or the result of a random draw.

    A random draw has the key `chance` and the slot `found`. `secret`: the draw moved something between hidden
    places, so nobody hears of it. A secret event without slots only records that hidden information became known.
    `known` is the one seat that could see it before. `midst` is the call context. `numbers` are the piece numbers
    at that moment, if the rules number pieces.

    `listeners` are the seats that hear the slots in `closed`. With None, everybody hears all slots. `is_partial`: this is
    the event as all others hear it."""

    key: str
    slots: tuple[tuple[str, Type, Any], ...]
    secret: bool = False
    midst: CallContext = field(default=CallContext(), compare=False)
    numbers: PieceNumbers = field(default_factory=dict, compare=False)
    known: int | None = field(default=None, compare=False)
    listeners: tuple[int, ...] | None = None
    closed: frozenset[str] = frozenset()
    is_partial: bool = False

    def heard_by(self, seat: int | None) -> GameEvent:
        """Returns the event as a seat hears it. None is a spectator."""
        if self.listeners is None or seat in self.listeners:
            return self
        return replace(self, slots=tuple(slot for slot in self.slots if slot[0] not in self.closed), is_partial=True)


class Game:
    """A compiled ruleset, ready to be played."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.module: PythonModule = ruleset.module
        self.model = ruleset.model
        self.blocks = self.module.blocks
        self.cells: dict[str, StateStorage] = {state.name: cell for state, cell in self.module.layout.cells.items()}
        self.codecs = self.module.layout.codecs
        self.states_end = self.module.layout.states_end
        self.options: dict[int, dict[int, Option]] = {}            # moves decoded before: kind of decision → code → move
        self.memo_start = len(self.module.initial) - len(self.module.memos)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the rules, as saves record it (see Ruleset.rules_fingerprint)."""
        return self.ruleset.rules_fingerprint()

    @property
    def players(self) -> int:
        return self.model.players

    @property
    def teams(self) -> list[Team]:
        """The teams. If the standing compares players, each seat is its own team."""
        return self.module.teams

    @cached_property
    def partners(self) -> list[tuple[int, ...]]:
        """The seats of each seat's team, itself included."""
        found = {seat: team.seats for team in self.teams for seat in team.seats}
        return [found[seat] for seat in range(self.players)]

    @cached_property
    def literal_reader(self) -> StateLiteralReader:
        """Reads state values that are written as plain data. Its methods raise StateLiteralError."""
        return StateLiteralReader(self.cells, self.codecs)

    @cached_property
    def has_set_choices(self) -> bool:
        """Whether the rules ever ask a player to choose a set member by member."""
        return any(kind.chosen_set is not None for kind in self.module.decisions)

    @cached_property
    def piece_number_readers(self) -> dict[str, Callable[[list[Any], int], Any]]:
        """By type of piece, a function that reads the number shown to players (`numbered:` in the data)."""
        found: dict[str, Callable[[list[Any], int], Any]] = {}
        for enum in self.model.enums.values():
            if enum.numbered is not None and (cell := self.cells.get(enum.numbered)) is not None:
                found[enum.name] = partial(read_member_entry, cell)
            elif enum.numbered is not None:
                found[enum.name] = self.module.shown[enum.numbered][1]
        return found

    @cached_property
    def has_hidden_information(self) -> bool:
        """Whether the rules can ever hide something from a player: a state that is not open, or a secret choice."""
        return (any(cell.state.seen != "open" for cell in self.cells.values())
                or any(variable.secret for wait in self.module.waits.values() for variable in wait.live))

    @cached_property
    def has_chance(self) -> bool:
        """Whether the rules ever draw at random."""
        return any(effect.draws for effect in self.ruleset.facts.effects.of.values())

    def codec(self, type_: Type) -> Codec[Any]:
        """Returns the codec of a type."""
        return self.codecs.codec_for(type_)

    def spell(self, type_: Type, value: Any) -> str:
        """Spells a value as saves and tests write it: the name of a member, a number, `none`, or a list in brackets."""
        return self.codecs.codec_for(type_).spell(value)

    def new_position(self, seed: Seed = 0) -> Position:
        """Returns the position before the first step. Raises ValueError if the seed is not valid."""
        s = list(self.module.initial)
        s[RANDOM] = generator_from_seed(seed)
        s[PC], s[SEAT] = self.module.start, -1
        return Position(self, s)

    def start(self, seed: Seed = 0, script: list[int] | None = None) -> Position:
        """Returns a new position, advanced to the first decision. `script` fixes the results of random draws."""
        position = self.new_position(seed)
        position.run_to_decision(script)
        return position

    def has_procedure(self, key: str) -> bool:
        """Whether `run_procedure` accepts this key, such as `score` or `effect[joker]`."""
        return key in self.module.entries or key in self.module.plain

    def run_procedure(self, position: Position, key: str, arguments: list[int], script: list[int] | None = None) -> list[GameEvent]:
        """Runs one procedure on `position`, which changes, up to its first decision or its end.

        At the end of the procedure the game counts as over. Scenarios use this. `script` fixes the results of random
        draws. Raises RuleError."""
        s = position.s
        plain = self.module.plain.get(key)
        if plain is None:
            entry = self.module.entries[key]
            for slot, value in zip(entry.params, arguments):
                s[slot] = value
            s[entry.frame] = 0
            s[PC] = entry.number
            return position.run_to_decision(script)
        return position.run_to_decision(script, lambda: (plain(s, *arguments), self.blocks[0](s)))

    def diagnose_fault(self, error: BaseException, tb: TracebackType | None, s: list[Any]) -> Diagnostic:
        """Returns the diagnostic of an error that rules raised on `s`: the rule line, the call stack and the locals."""
        origins = call_stack.rule_traceback(self.module, s, tb)
        waits = self.module.waits.get(s[PC])
        if not origins and waits is not None and waits.origin is not None:
            origins = [waits.origin]
        where, *outer = call_stack.distinct_places(origins) or (SourceSpan(self.model.path),)
        known = call_stack.innermost_locals(self.module, tb)
        values = tuple((local.name, self.spell(local.type, value)[:call_stack.MAX_VALUE_CHARS]) for local, value in known)
        if isinstance(error, RuleError):
            return error.diagnostic
        if isinstance(error, RuleFault):
            return Diagnostic(error.code, where, error.params, calls=tuple(outer), values=values)
        return Diagnostic("F000", where, {"problem": f"{type(error).__name__}: {error}"}, calls=tuple(outer), values=values)


class Position:
    """A game at one moment. Equality and hash consider what the rules can see, not memos or dead slots."""

    __slots__ = ("game", "s")

    def __init__(self, game: Game, s: list[Any]) -> None:
        self.game, self.s = game, s

    # ------------------------------------------------------------ decisions and moves

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.s[PC] == 0)

    @property
    def rounds(self) -> int:
        """The number of rounds that have begun. A round is the game's largest unit: a turn, a round, a lap of the table."""
        return int(self.s[ROUND])

    @property
    def decision(self) -> Decision | None:
        """The pending decision, or None if the game is over."""
        if self.s[PC] == 0:
            return None
        kind = self.game.module.waits[self.s[PC]].decision
        assert kind is not None
        return Decision(self, kind)

    @property
    def pending(self) -> dict[int, Decision]:
        """The pending decisions by seat."""
        decision = self.decision
        return {} if decision is None else {decision.seat: decision}

    def step(self, code: int) -> Any:
        """Answers the pending decision with a move code and returns the codes of the next decision, empty when the game
        is over.

        This is the fast path for bots and simulations: the code is not validated, and a fault of the rules is raised
        as it is."""
        s = self.s
        blocks = self.game.blocks
        s[ANSWER] = code
        LEFT[0] = MAX_STEPS_PER_DECISION
        out = blocks[s[PC]](s)
        while out is None:                                         # a loop head: charge its fixed cost
            charge(FREE_BLOCK_STEPS)
            out = blocks[s[PC]](s)
        return out

    def run_to_decision(
        self, script: list[int] | None = None, work: Callable[[], Any] | None = None, max_events: int = MAX_EVENTS_PER_DECISION
    ) -> list[GameEvent]:
        """Runs from s[PC], or runs `work`, to the next decision and returns the events.

        `max_events` limits the number of events. Raises RuleError and then leaves the position unchanged."""
        before = self.s.copy()
        self.s[EVENTS] = heard = EventLog(
            self.game.module, self.s, self.piece_numbers if self.game.piece_number_readers else None, max_events
        )
        self.s[SCRIPT] = script or None
        try:
            if work is None:
                self.step(self.s[ANSWER])
            else:
                work()
            told = self.decode_events(heard)
        except Exception as error:
            fault = self.game.diagnose_fault(error, error.__traceback__, self.s)
            self.s[:] = before
            raise RuleError(fault) from error
        self.s[EVENTS] = self.s[SCRIPT] = None
        return told

    def play(
        self, seat: int, option: Option | str | int, script: list[int] | None = None, max_events: int = MAX_EVENTS_PER_DECISION
    ) -> list[GameEvent]:
        """Plays a move for a seat and returns the events. The move is an Option, its spelling, or its index.

        Raises IllegalOptionError if the move is not legal, and RuleError if a rule stops with a fault."""
        decision = self.pending.get(seat)
        if decision is None:
            raise IllegalOptionError(f"seat {seat} has nothing to decide")
        if isinstance(option, str):
            found = decision.find(option)
            if found is None:
                raise IllegalOptionError(option)
            code = found.code
        elif isinstance(option, Option):
            code = option.code
        else:
            if not 0 <= option < len(decision.codes):
                raise IllegalOptionError(str(option))
            code = decision.option(decision.codes[option]).code
        if code not in decision.codes:
            raise IllegalOptionError(str(option))
        before = self.s[ANSWER]
        self.s[ANSWER] = code
        try:
            return self.run_to_decision(script, max_events=max_events)
        except RuleError:
            self.s[ANSWER] = before
            raise

    def decode_event(self, number: int, values: tuple[Any, ...] | int | None) -> GameEvent:
        """Decodes one entry of s[EVENTS]."""
        module = self.game.module
        if values is None or isinstance(values, int):
            return GameEvent("chance", (), True, known=values)
        if number < 0:
            kind, found = values
            name, secret = module.chances[kind]
            return GameEvent("chance", (("found", MemberOf(name) if name else Int(), found),), secret)
        event = module.events[number]
        slots = tuple((name, kind, value) for (name, kind), value in zip(event.slots, values))
        if event.closed is None:
            return GameEvent(event.key, slots)
        return GameEvent(event.key, slots, listeners=values[len(slots):], closed=event.closed)

    def decode_events(self, event_log: EventLog) -> list[GameEvent]:
        """Decodes all entries of s[EVENTS] and adds their call contexts and piece numbers."""
        return [replace(self.decode_event(*event), midst=midst, numbers=numbers)
                for event, midst, numbers in zip(event_log, event_log.midst, event_log.numbers)]

    def piece_numbers(self, event: RawEvent) -> PieceNumbers:
        """Returns the current numbers of the pieces in an entry of s[EVENTS]."""
        left = LEFT[0]                                             # reading must not use fuel
        found = {thing: self.piece_number(*thing) for thing in iter_things(self.game.codecs, self.decode_event(*event).slots)}
        LEFT[0] = left
        return {thing: number for thing, number in found.items() if number}

    def piece_number(self, domain: str, member: int) -> int:
        """Returns the number by which players know a piece, or 0 if it has none or the number is not known."""
        enum = self.game.model.enum_of(domain)
        read = self.game.piece_number_readers.get(enum.name) if enum is not None else None
        try:
            found = read(self.s, member) if read is not None else 0
        except Exception:                                          # no value, or it depends on a masked one
            return 0
        return found if isinstance(found, int) and found > 0 else 0

    # ------------------------------------------------------------ plain data

    def copy(self) -> Position:
        return Position(self.game, self.s.copy())

    def canonical(self) -> tuple[PlainValue, ...]:
        """Returns everything that the rules can see as one value: states, generator, round, seat and frames."""
        s = self.s
        states = tuple(entry for cell in self.game.cells.values() for entry in cell.list_canonical_entries(s))
        return states, s[RANDOM], s[ROUND], s[SEAT], self.suspended_frame_values()

    def iter_suspended_frames(self) -> Iterator[tuple[int, ResumePoint]]:
        """Yields the suspended frames, innermost first: for each one the number of its resume point, and the point."""
        return iter_suspended(self.game.module.waits, self.s, self.s[PC])

    def suspended_frame_values(self) -> tuple[tuple[PlainValue, ...], ...]:
        """Returns the suspended frames, innermost first: for each one its resume point and its live values."""
        pc = self.s[PC]
        if pc and pc not in self.game.module.waits:                # not started yet
            return ((pc,),)
        return tuple((number, *(canonical_value(self.s[v.slot]) for v in wait.live)) for number, wait in self.iter_suspended_frames())

    def live_variables(self) -> list[LiveVariable]:
        """Returns the variables that are live at the pending decision."""
        return [variable for _, wait in self.iter_suspended_frames() for variable in wait.live]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game.fingerprint == other.game.fingerprint and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash(self.canonical())

    def digest(self) -> str:
        """Returns a hash of the position with 32 hexadecimal digits. It is the same on every machine and for every way
        of compiling the rules.

        It covers the states by name, the generator, the round, the pending decision with all its spelled moves, and
        the visible locals."""
        s = self.s
        states = tuple((name, *cell.list_canonical_entries(s)) for name, cell in self.game.cells.items())
        decision = self.decision
        asked = None if decision is None else (decision.seat, decision.key, *(option.spelling for option in decision.options))
        names = tuple(
            (variable.name, canonical_value(s[variable.slot])) for variable in self.live_variables() if not variable.name.startswith(".")
        )
        text = repr((self.game.fingerprint, states, s[RANDOM], s[ROUND], asked, names))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """Returns the position as JSON data. `from_data` with the same game restores an equal position."""
        alive = {slot for _, wait in self.iter_suspended_frames() for slot in (wait.return_slot, *(v.slot for v in wait.live))}
        frames = {str(slot): to_json(self.s[slot]) for slot in sorted(alive)}
        control = {
            "pc": self.s[PC],
            "seat": self.s[SEAT],
            "options": list(self.s[OPTIONS]),
            "random": self.s[RANDOM],
            "round": self.s[ROUND],
        }
        return {
            "rules": self.game.ruleset.layout_fingerprint,
            "control": control,
            "frames": frames,
            "states": [to_json(value) for value in self.s[FIRST_STATE_SLOT : self.game.states_end]],
        }

    @classmethod
    def from_data(cls, game: Game, data: dict[str, Any]) -> Position:
        """Restores a position that `to_data` wrote. Raises ValueError if the data belongs to other rules or is damaged."""
        if data.get("rules") != game.ruleset.layout_fingerprint:
            raise ValueError("other rules")
        try:
            s = list(game.module.initial)
            control = data["control"]
            s[PC], s[SEAT], s[OPTIONS] = int(control["pc"]), int(control["seat"]), [int(o) for o in control["options"]]
            s[RANDOM], s[ROUND] = int(control["random"]), int(control["round"])
            states = [from_json(value) for value in data["states"]]
            if len(states) != game.states_end - FIRST_STATE_SLOT or s[PC] != 0 and s[PC] not in game.module.waits:
                raise ValueError("damaged")
            s[FIRST_STATE_SLOT : game.states_end] = states
            if not all(cell.fits(entry) for cell in game.cells.values() for entry in cell.entries(s)):
                raise ValueError("damaged")
            for slot, value in data["frames"].items():
                s[int(slot)] = from_json(value)
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError("damaged") from error
        position = cls(game, s)
        position.invalidate_memos()
        return position

    def invalidate_memos(self) -> None:
        """Clears all memos. Call it after states have been written by anything but playing."""
        for memo in self.game.module.memos:
            self.s[memo.slot] = None

    # ------------------------------------------------------------ reading values

    def __getitem__(self, name: str) -> Any:
        """Returns a state by name, as nested plain data with member names: `position["tokens"]["north"]["d4"]`."""
        cell = self.game.cells[name]
        if cell.open_axis is not None or not all(map(len, cell.enums)):
            return self._read_nested(cell, [])
        found = cell.codec.write_all(cell.list_values(self.s))
        for enum in reversed(cell.enums):
            many = len(enum)
            found = [dict(zip(enum.members, found[at : at + many])) for at in range(0, len(found), many)]
        return found[0]

    def _read_nested(self, cell: StateStorage, index: list[int]) -> Any:
        if len(index) == len(cell.enums):
            return cell.codec.write(self.raw_at(cell, index))
        name = self.game.codecs.member_codec(cell.enums[len(index)].name).write
        return {name(n): self._read_nested(cell, [*index, n]) for n in cell.list_axis_members(self.s, index)}

    def iter_entries(self) -> Iterator[tuple[StateStorage, list[int], Any]]:
        """Yields every entry of every state: storage, member numbers, raw value. On an open board, only entries that
        hold something."""
        for cell in self.game.cells.values():
            for index, value in cell.iter_values(self.s):
                yield cell, index, value

    def raw_at(self, cell: StateStorage, index: list[int]) -> Any:
        """Returns the raw value of a state at an index of member numbers. The raw value of a bag is a tuple of counts."""
        return cell.get(self.s, index)

    def set_raw(self, cell: StateStorage, index: list[int], raw: Any) -> None:
        """Writes a raw value at an index of member numbers. Memos are not updated (see `invalidate_memos`)."""
        cell.store(self.s, index, raw)

    def set_states(self, clear: Iterable[str], entries: dict[str, Any]) -> None:
        """Clears some states, then writes `{state: {index...: value}}`. Raises StateLiteralError."""
        reader = self.game.literal_reader
        for name in clear:
            if (cell := reader.find_storage(name, (name,))) is not None:
                cell.clear(self.s)
        for entry in reader.read_literals(entries):
            entry.write_to(self.s)
        self.invalidate_memos()

    def raw_value(self, name: str, *index: int) -> Any:
        """Returns the raw value of a state, by name and member numbers."""
        return self.raw_at(self.game.cells[name], list(index))

    def to_names(self, type_: Type, value: Any) -> Any:
        """Returns a raw value as plain data with names. A set or pile becomes a list, a bag becomes {member: count > 0}."""
        return self.game.codec(type_).write(value)

    def standing(self) -> list[Rank]:
        """Returns the standing: the seats, best first, as the game's `standing` compares them.

        It can be computed at any time, not only at the end. Raises RuleError."""
        values = [tuple(self.goal_value(f, seat) for f in self.game.module.standing) for seat in range(self.game.players)]
        return rank_seats(values, self.game.teams, self.game.module.has_points)

    def estimate(self, seat: int) -> int:
        """Returns the game's `estimate` for a seat, which bots use. Without one, returns the first value of the
        standing.

        Raises RuleError."""
        module = self.game.module
        return self.goal_value(module.estimate or module.standing[0], seat)

    def goal_value(self, goal: Callable[..., Any], seat: int) -> int:
        """Returns the value of a goal function for a seat. Raises RuleError."""
        try:
            return int(goal(self.s, seat))
        except RuleFault as error:
            raise RuleError(self.game.diagnose_fault(error, error.__traceback__, self.s)) from error

    def broken_invariants(self) -> list[str]:
        """Returns the names of the invariants (`always`) that are false or stop with a fault. Normally there are none."""
        return [name for name, test, _ in self.game.module.always if not self.condition_holds(test)]

    def condition_holds(self, test: Callable[..., Any]) -> bool:
        """Whether a condition is true. A condition that stops with a fault counts as false."""
        try:
            return bool(test(self.s))
        except RuleFault:
            return False

    def find_broken_invariant(self) -> Diagnostic | None:
        """Returns a diagnostic of the first invariant that is false or stops with a fault, or None."""
        for name, test, routine in self.game.module.always:
            try:
                if not test(self.s):
                    return Diagnostic("F011", routine.place, {"name": name})
            except RuleFault as error:
                return self.game.diagnose_fault(error, error.__traceback__, self.s)
        return None


class Decision:
    """The pending decision of a seat. Moves are decoded on demand, and the rule language fixes their order."""

    def __init__(self, position: Position, kind: Kind) -> None:
        self.position, self.kind = position, kind
        self.seat: int = position.s[SEAT]

    @property
    def key(self) -> str:
        """The stable name of the decision, such as `placing.cell`."""
        return self.kind.key

    @property
    def codes(self) -> Sequence[int]:
        """The codes of the legal moves."""
        offered: Sequence[int] = self.position.s[OPTIONS]
        return offered

    def __len__(self) -> int:
        return len(self.codes)

    def has_taken(self, code: int) -> bool:
        """Whether a set is being chosen member by member and already contains this member."""
        chosen = self.kind.chosen_set
        return chosen is not None and bool(self.position.s[chosen.slot] >> code & 1)

    @cached_property
    def options(self) -> list[Option]:
        return [self.option(code) for code in self.codes]

    @cached_property
    def answers(self) -> AnswerIndex[Option]:
        """The moves by spelling, and by number from 1 in their order."""
        numbered = enumerate(self.options, 1)
        return AnswerIndex((IndexEntry(option, (option.spelling,), token=str(n)) for n, option in numbered), collapse_spaces)

    def option(self, code: int) -> Option:
        """Returns the move with this code. Moves are cached, since a code means the same in every decision of its kind."""
        known = self.position.game.options.setdefault(id(self.kind), {})     # kinds live as long as the game
        found = known.get(code)
        if found is None:
            if len(known) >= OPTION_CACHE_SIZE:
                known.clear()
            found = known[code] = self.decode_option(code)
        return found

    def decode_option(self, code: int) -> Option:
        """Decodes a code into a move. Raises RuleError if the move names a cell beyond the limit of an open board."""
        if code == DECLINE:
            return Option(code, None, (), "decline")
        if code < 0:
            raise self.board_limit_error()
        choice = self.choice(code)
        values = decode_values(choice, code)
        if any(not is_within_limit(*decode_open_cell(raw)) for _, kind, raw in values
               if isinstance(kind, MemberOf) and self.position.game.model.enums[kind.name].kind == "open"):
            raise self.board_limit_error()
        words = [choice.name] if choice.name else []
        words += [f"{name}={spell_value(self.position.game.codecs, kind, value)}" for name, kind, value in values]
        return Option(code, choice.name, values, " ".join(words))

    def board_limit_error(self) -> RuleError:
        """Returns the error of a decision that offers a cell beyond the board limit (F015)."""
        return RuleError(self.position.game.diagnose_fault(RuleFault("F015", limit=MAX_PLAYED_COORDINATE), None, self.position.s))

    def choice(self, code: int) -> DecisionBranch:
        """Returns the branch of the decision to which a code belongs."""
        return find_choice(self.kind, code)

    def find(self, spelling: str) -> Option | None:
        """Returns the legal move with this spelling, or None. Extra spaces do not matter."""
        wanted = collapse_spaces(spelling)
        return next((option for option in self.options if option.spelling == wanted), None)

    def names_hidden_from_others(self, option: Option) -> frozenset[str]:
        """Returns the names, visible or chosen with this move, that stay hidden from other seats after the move."""
        chosen = [] if option.declines else self.choice(option.code).slots
        names = {slot.name for slot in chosen if slot.secret} | {v.name for v in self.kind.scope if v.secret}
        return frozenset(names - self.kind.revealed)


def read_member_entry(cell: StateStorage, s: list[Any], member: int) -> Any:
    """Returns the value of a state at one member."""
    return cell.get(s, [member])


def random_playout(position: Position, rng: random.Random, limit: int | None = None) -> int:
    """Plays random moves to the end, or at most `limit` decisions. Changes the position and returns the number of
    decisions."""
    codes = position.s[OPTIONS]
    count = 0
    pick = rng.random
    step = position.step
    while codes and count != limit:
        codes = step(codes[int(pick() * len(codes))])
        count += 1
    return count
