"""A position: everything about a game at one moment, as plain data.

The data is one flat list `s` (laid out by dsl/storage/layout.py): states, the pending decision, the frames of procedures in
the middle of which the game waits, and the random generator. So a position can be copied, compared, hashed, saved and resumed
at every decision, in any process.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import TracebackType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.backend_python.runtime import LEFT, RuleFault, charge
from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
from ...dsl.game.ruleset import Ruleset
from ...dsl.ir.limits import FREE_BLOCK_STEPS, MAX_EVENTS_PER_DECISION, MAX_STEPS_PER_DECISION
from ...dsl.ir.metadata import DecisionBranch, LiveVariable
from ...dsl.ir.metadata import DecisionKind as Kind
from ...dsl.model.canonical import canonical_value, from_json, to_json
from ...dsl.model.codec import Codec
from ...dsl.storage.control_slots import ANSWER, EVENTS, FIRST_STATE_SLOT, OPTIONS, PC, RANDOM, ROUND, SCRIPT, SEAT
from ...dsl.storage.layout import StateStorage
from ...dsl.types.boards import MAX_PLAYED_COORDINATE, decode_open_cell, is_within_limit
from ...dsl.types.types import Int, MemberOf, Type
from . import call_stack
from .call_context import CallContext, EventLog, PieceNumbers, RawEvent
from .options import DECLINE, Option, decode_values, find_choice, iter_things, spell_value
from .seeds import Seed, generator_from_seed

OPTION_CACHE_SIZE = 10_000                # of each kind of decision
PlainValue = int | str | None | tuple["PlainValue", ...]                     # values of one text on every machine, as `plain` makes them


class RuleError(Exception):
    """A rule did what it may not; `diagnostic` says what and where. The position is as it was before the option."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


class IllegalOptionError(Exception):
    """What was played is not offered."""


@dataclass(frozen=True)
class GameEvent:
    """Something that happened: an event of the rules (`tell`), or what chance gave (key `chance`, slot `found`). What is `secret` was
    drawn from one closed place to another and is told to nobody; without slots it only notes that something closed became known, that all
    but the seat `known` could not look at. `midst` is what it happened in the middle of; `numbers` are those by which people called the
    things in it then, where the rules number them."""

    key: str
    slots: tuple[tuple[str, Type, Any], ...]
    secret: bool = False
    midst: CallContext = field(default=CallContext(), compare=False)
    numbers: PieceNumbers = field(default_factory=dict, compare=False)
    known: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Rank:
    """A line of the final standing: `rank` 1 is best, equal ranks are shared; `values` as the game's standing compares them."""

    seat: int
    rank: int
    values: tuple[int, ...]


class Game:
    """A compiled ruleset ready to be played."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.module: PythonModule = ruleset.module
        self.model = ruleset.model
        self.blocks = self.module.blocks
        self.cells: dict[str, StateStorage] = {state.name: cell for state, cell in self.module.layout.cells.items()}
        self.codecs = self.module.layout.codecs
        self.states_end = self.module.layout.states_end
        self.options: dict[int, dict[int, Option]] = {}            # those that were offered before: by the kind of decision, by code
        self.memo_start = len(self.module.initial) - len(self.module.memos)

    @cached_property
    def fingerprint(self) -> str:
        """What saves call the rules (see Ruleset.meaning)."""
        return self.ruleset.rules_fingerprint()

    @property
    def players(self) -> int:
        return self.model.players

    @cached_property
    def chooses_sets(self) -> bool:
        """Whether the rules ever ask for a set member by member."""
        return any(kind.chosen_set is not None for kind in self.module.decisions)

    @cached_property
    def piece_number_readers(self) -> dict[str, Callable[[list[Any], int], Any]]:
        """By type, what gives the number by which people call one of these pieces (`numbered:` in the data)."""
        found: dict[str, Callable[[list[Any], int], Any]] = {}
        for enum in self.model.enums.values():
            if enum.numbered is not None and (cell := self.cells.get(enum.numbered)) is not None:
                found[enum.name] = partial(read_member_entry, cell)
            elif enum.numbered is not None:
                found[enum.name] = self.module.shown[enum.numbered][1]
        return found

    @cached_property
    def has_hidden_information(self) -> bool:
        """Whether anything can ever be hidden from a player: a state that not all may look at, or something chosen in secret."""
        return (any(cell.state.seen != "open" for cell in self.cells.values())
                or any(variable.secret for wait in self.module.waits.values() for variable in wait.live))

    @cached_property
    def has_chance(self) -> bool:
        """Whether the rules ever draw anything."""
        return any(effect.draws for effect in self.ruleset.facts.effects.of.values())

    def codec(self, found: Type) -> Codec[Any]:
        """What knows the values of a type."""
        return self.codecs.codec_for(found)

    def spell(self, found: Type, value: Any) -> str:
        """A value as saves and tests write it: the name of a member, a number, none, a list in brackets."""
        return self.codecs.codec_for(found).spell(value)

    def new_position(self, seed: Seed = 0) -> Position:
        """The position before anything has happened. Raises ValueError where the seed is none."""
        s = list(self.module.initial)
        s[RANDOM] = generator_from_seed(seed)
        s[PC], s[SEAT] = self.module.start, -1
        return Position(self, s)

    def start(self, seed: Seed = 0, script: list[int] | None = None) -> Position:
        """A new game, advanced to its first decision."""
        position = self.new_position(seed)
        position.run_to_decision(script)
        return position

    def has_procedure(self, key: str) -> bool:
        """Whether `run` knows a procedure by this key: `score`, `effect[joker]`."""
        return key in self.module.entries or key in self.module.plain

    def run_procedure(self, position: Position, key: str, arguments: list[int], script: list[int] | None = None) -> list[GameEvent]:
        """Let only this procedure run from `position` (which changes): to its first decision, or to its end, where the game counts
        as over. For scenarios; what it draws can be scripted. Raises RuleError."""
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
        """What went wrong while rules ran on `s`: at the rule line that did it, with the calls that led there and the names in sight."""
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
            return Diagnostic(error.kind, where, error.details, calls=tuple(outer), values=values)
        return Diagnostic("F000", where, {"problem": f"{type(error).__name__}: {error}"}, calls=tuple(outer), values=values)


class Position:
    """One moment of a game. Equality and hash look at what the rules can see, not at what was merely remembered or left behind."""

    __slots__ = ("game", "s")

    def __init__(self, game: Game, s: list[Any]) -> None:
        self.game, self.s = game, s

    # ------------------------------------------------------------ deciding

    @property
    def over(self) -> bool:
        return bool(self.s[PC] == 0)

    @property
    def rounds(self) -> int:
        """How many of the game's largest units have begun: turns, rounds, laps of the table."""
        return int(self.s[ROUND])

    @property
    def decision(self) -> Decision | None:
        """The pending decision, None when the game is over."""
        if self.s[PC] == 0:
            return None
        kind = self.game.module.waits[self.s[PC]].decision
        assert kind is not None
        return Decision(self, kind)

    @property
    def pending(self) -> dict[int, Decision]:
        """Pending decisions by seat."""
        decision = self.decision
        return {} if decision is None else {decision.seat: decision}

    def step(self, code: int) -> Any:
        """Answer the pending decision with one of its codes; returns the next codes, empty when the game is over. Unchecked and
        fast, for bots and simulation; a fault of the rules comes out as it is."""
        s = self.s
        blocks = self.game.blocks
        s[ANSWER] = code
        LEFT[0] = MAX_STEPS_PER_DECISION
        out = blocks[s[PC]](s)
        while out is None:                                         # the head of a loop: what it does is counted with what the block costs
            charge(FREE_BLOCK_STEPS)
            out = blocks[s[PC]](s)
        return out

    def run_to_decision(
        self, script: list[int] | None = None, work: Callable[[], Any] | None = None, most: int = MAX_EVENTS_PER_DECISION
    ) -> list[GameEvent]:
        """Run from s[PC] (or do `work`) to the next decision; what happened is returned, at most so many events of the game. Raises
        RuleError and leaves the position as it was."""
        before = self.s.copy()
        self.s[EVENTS] = heard = EventLog(self.game.module, self.s, self.piece_numbers if self.game.piece_number_readers else None, most)
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
        self, seat: int, option: Option | str | int, script: list[int] | None = None, most: int = MAX_EVENTS_PER_DECISION
    ) -> list[GameEvent]:
        """Take an option (itself, its spelling, or its index) for a seat. Raises IllegalOption when it is not offered."""
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
            return self.run_to_decision(script, most=most)
        except RuleError:
            self.s[ANSWER] = before
            raise

    def decode_event(self, number: int, values: tuple[Any, ...] | int | None) -> GameEvent:
        """An entry of s[EVENTS], written by a step, as it is told."""
        module = self.game.module
        if values is None or isinstance(values, int):
            return GameEvent("chance", (), True, known=values)
        if number < 0:
            kind, found = values
            name, secret = module.chances[kind]
            return GameEvent("chance", (("found", MemberOf(name) if name else Int(), found),), secret)
        event = module.events[number]
        return GameEvent(event.key, tuple((name, kind, value) for (name, kind), value in zip(event.slots, values)))

    def decode_events(self, heard: EventLog) -> list[GameEvent]:
        """All that was written to s[EVENTS], as it is told."""
        return [replace(self.decode_event(*event), midst=midst, numbers=numbers)
                for event, midst, numbers in zip(heard, heard.midst, heard.numbers)]

    def piece_numbers(self, event: RawEvent) -> PieceNumbers:
        """The numbers by which people call the things in an entry of s[EVENTS] now."""
        left = LEFT[0]                                             # looking is no step of the rules
        found = {thing: self.piece_number(*thing) for thing in iter_things(self.game.codecs, self.decode_event(*event).slots)}
        LEFT[0] = left
        return {thing: number for thing, number in found.items() if number}

    def piece_number(self, domain: str, member: int) -> int:
        """The number by which people call a thing; 0 where the rules give it none, or it is not known."""
        enum = self.game.model.enum_of(domain)
        read = self.game.piece_number_readers.get(enum.name) if enum is not None else None
        try:
            found = read(self.s, member) if read is not None else 0
        except Exception:                                          # a def that has no value for it, or rests on what is covered
            return 0
        return found if isinstance(found, int) and found > 0 else 0

    # ------------------------------------------------------------ plain data

    def copy(self) -> Position:
        return Position(self.game, self.s.copy())

    def canonical(self) -> tuple[PlainValue, ...]:
        """All that the rules can see, in one value: states, generator, round, who waits for what, what is alive in frames."""
        s = self.s
        states = tuple(entry for cell in self.game.cells.values() for entry in cell.list_canonical_entries(s))
        return states, s[RANDOM], s[ROUND], s[SEAT], self.waiting_frames()

    def waiting_frames(self) -> tuple[tuple[PlainValue, ...], ...]:
        """Where the game waits: for each procedure on the way, the place and the values that are alive there."""
        s, waits = self.s, self.game.module.waits
        out = []
        pc = s[PC]
        while pc:
            wait = waits.get(pc)
            if wait is None:  # not begun yet
                out.append((pc,))
                break
            out.append((pc, *(canonical_value(s[v.slot]) for v in wait.live)))
            pc = s[wait.return_slot]
        return tuple(out)

    def live_variables(self) -> list[LiveVariable]:
        """The variables that are alive where the game waits."""
        out: list[LiveVariable] = []
        pc = self.s[PC]
        while pc and pc in self.game.module.waits:
            wait = self.game.module.waits[pc]
            out += wait.live
            pc = self.s[wait.return_slot]
        return out

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game.fingerprint == other.game.fingerprint and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash(self.canonical())

    def digest(self) -> str:
        """A hash of the position, the same on every machine and however the rules are compiled: 32 hexadecimal digits. It is made of the
        states by name, the generator, the round, what is asked with all options as they are spelt, and the names in sight."""
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
        """As JSON-able data; from_data of the same game gives an equal position."""
        alive = {v.slot for v in self.live_variables()}
        returns = set()
        pc = self.s[PC]
        while pc and pc in self.game.module.waits:
            returns.add(self.game.module.waits[pc].return_slot)
            pc = self.s[self.game.module.waits[pc].return_slot]
        frames = {str(slot): to_json(self.s[slot]) for slot in sorted(alive | returns)}
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
        """The position that to_data wrote. Raises ValueError when it is of other rules or damaged."""
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
        """Drop what was remembered of the states: to be called by whoever writes them other than by playing."""
        for memo in self.game.module.memos:
            self.s[memo.slot] = None

    # ------------------------------------------------------------ looking

    def __getitem__(self, name: str) -> Any:
        """A state by name, as nested plain data with names of members: `position["tokens"]["north"]["d4"]`."""
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

    def raw_at(self, cell: StateStorage, index: list[int]) -> Any:
        """The raw value of a state at an index of member numbers (a bag: a tuple of counts)."""
        return cell.get(self.s, index)

    def set_raw(self, cell: StateStorage, index: list[int], raw: Any) -> None:
        """Write a raw value, as `at` reads it (not into what is remembered: see `forget`)."""
        cell.store(self.s, index, raw)

    def raw_value(self, name: str, *index: int) -> Any:
        """The raw value of a state at member numbers."""
        return self.raw_at(self.game.cells[name], list(index))

    def to_names(self, found: Type, value: Any) -> Any:
        """A raw value as plain data with names: members as words, sets and piles as lists, a bag as {member: count > 0}."""
        return self.game.codec(found).write(value)

    def standing(self) -> list[Rank]:
        """The players best first, as the game's `standing` compares them; it may be asked at any time. Raises RuleError."""
        scores = [(tuple(self.goal_value(f, seat) for f in self.game.module.standing), seat) for seat in range(self.game.players)]
        order = sorted(scores, key=lambda pair: (tuple(-v for v in pair[0]), pair[1]))
        ranks: list[Rank] = []
        for n, (values, seat) in enumerate(order):
            rank = ranks[-1].rank if ranks and ranks[-1].values == values else n + 1
            ranks.append(Rank(seat, rank, values))
        return ranks

    def estimate(self, seat: int) -> int:
        """What the game's `estimate` thinks of a seat's chances (for bots); without one, the first value of the standing.
        Raises RuleError."""
        module = self.game.module
        return self.goal_value(module.estimate or module.standing[0], seat)

    def goal_value(self, worth: Callable[..., Any], seat: int) -> int:
        """The value of a goal for a seat. Raises RuleError."""
        try:
            return int(worth(self.s, seat))
        except RuleFault as error:
            raise RuleError(self.game.diagnose_fault(error, error.__traceback__, self.s)) from error

    def broken_invariants(self) -> list[str]:
        """The names of the game's `always` conditions that do not hold now or cannot be worked out: none, unless a rule is wrong."""
        return [name for name, test, _ in self.game.module.always if not self.condition_holds(test)]

    def condition_holds(self, test: Callable[..., Any]) -> bool:
        """Whether a condition holds; one that cannot be worked out does not."""
        try:
            return bool(test(self.s))
        except RuleFault:
            return False

    def find_broken_invariant(self) -> Diagnostic | None:
        """The first of these conditions that does not hold or cannot be worked out, as a finding at its place."""
        for name, test, routine in self.game.module.always:
            try:
                if not test(self.s):
                    return Diagnostic("F011", routine.place, {"name": name})
            except RuleFault as error:
                return self.game.diagnose_fault(error, error.__traceback__, self.s)
        return None


class Decision:
    """What a seat must decide now. Options are worked out when looked at; their order is fixed by the language."""

    def __init__(self, position: Position, kind: Kind) -> None:
        self.position, self.kind = position, kind
        self.seat: int = position.s[SEAT]

    @property
    def key(self) -> str:
        """The stable name of the decision, as `placing.cell`."""
        return self.kind.key

    @property
    def codes(self) -> Sequence[int]:
        offered: Sequence[int] = self.position.s[OPTIONS]
        return offered

    def __len__(self) -> int:
        return len(self.codes)

    def has_taken(self, code: int) -> bool:
        """Whether a set is being chosen member by member, and this member is in it already."""
        chosen = self.kind.chosen_set
        return chosen is not None and bool(self.position.s[chosen.slot] >> code & 1)

    @cached_property
    def options(self) -> list[Option]:
        return [self.option(code) for code in self.codes]

    def option(self, code: int) -> Option:
        """The option with this code. It is the same at each decision of its kind, and is made once."""
        known = self.position.game.options.setdefault(id(self.kind), {})     # kinds live as long as the game
        found = known.get(code)
        if found is None:
            if len(known) >= OPTION_CACHE_SIZE:
                known.clear()
            found = known[code] = self.decode_option(code)
        return found

    def decode_option(self, code: int) -> Option:
        """The option that a code stands for. Raises RuleError when it names a cell beyond the limit of an open board."""
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
        """The fault of a decision that offers a cell beyond the limit."""
        return RuleError(self.position.game.diagnose_fault(RuleFault("F015", limit=MAX_PLAYED_COORDINATE), None, self.position.s))

    def choice(self, code: int) -> DecisionBranch:
        return find_choice(self.kind, code)

    def find(self, spelling: str) -> Option | None:
        """The option spelt so, or None when it is not offered."""
        wanted = " ".join(spelling.split())
        return next((option for option in self.options if option.spelling == wanted), None)

    def names_hidden_from_others(self, option: Option) -> frozenset[str]:
        """The names, in sight or chosen with this option, that others may not hear of when it has been taken."""
        chosen = [] if option.declines else self.choice(option.code).slots
        names = {slot.name for slot in chosen if slot.secret} | {v.name for v in self.kind.scope if v.secret}
        return frozenset(names - self.kind.told)


def read_member_entry(cell: StateStorage, s: list[Any], member: int) -> Any:
    """The value of a state of one thing."""
    return cell.get(s, [member])


def random_playout(position: Position, rng: random.Random, limit: int | None = None) -> int:
    """Play at random to the end (or to `limit` decisions); returns how many decisions were made. Changes the position."""
    codes = position.s[OPTIONS]
    count = 0
    pick = rng.random
    step = position.step
    while codes and count != limit:
        codes = step(codes[int(pick() * len(codes))])
        count += 1
    return count
