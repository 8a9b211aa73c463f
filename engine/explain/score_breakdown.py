"""Where each player's points come from.

The first value of the standing is a sum of terms (dsl/lowering/score_terms.py). What is counted up while the game goes on, an entry of
a state, is told by who wrote it: the game is played once more from its start with a list that notes each write, and each change goes to the
nearest procedure on the way to it that has a name in words (a case of an enumeration, a phase, or whatever `score.<name>` names). What
is worked out from the table is one part for each term, named by its def or its state.

The game that is asked about is not touched, and playing costs nothing more.

    gains(table, has)        every change of a counted entry, in the order of the game
    breakdown(table, has)    for each seat: how much each source gave; the parts sum up to the first value of the standing

`has` says whether there is a text with a key; sources are keys of texts: `score.harvest`, `Spell.hail`, `phase.evening`, `state.coins`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any

from ...dsl.analysis.results import Facts
from ...dsl.backend_python.module import Term
from ...dsl.core.program import Routine
from ...dsl.core.walk import walk
from ...dsl.ir.metadata import Owner
from ...dsl.lowering.score_terms import counts
from ...dsl.storage.control_slots import ROUND
from ..match.setup import put_start
from ..position.call_stack import waiting
from ..position.position import Game, Position
from ..position.seeds import Seed

if TYPE_CHECKING:
    from ..match.table import Table
    from ..position.options import Option

START, CLOSED, OTHER = "breakdown.start", "breakdown.closed", "breakdown.other"
RuleLine = tuple[str, int]                                          # a rule file and a line in it
Has = Callable[[str], bool]


@dataclass(frozen=True)
class Gained:
    """A change of what a seat's standing counts: `points` more (or fewer) by `source`, at a rule line, for the reasons of these clauses.
    `step` is the number of the decision that it followed, 0 for the set-up. Without a `place`: what was there before anything happened,
    or what may not be told yet."""

    seat: int
    points: int
    source: str
    place: RuleLine | None
    clauses: tuple[str, ...]
    round: int
    step: int


@dataclass(frozen=True)
class Part:
    """What one source gave a seat; for a term that is worked out from the table, where its rule stands."""

    seat: int
    source: str
    points: int
    place: RuleLine | None = None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Write:
    """A write to a watched entry. `trail`: the procedures on the way to it, the writing one first, each with its line."""

    entry: int
    by: int
    trail: tuple[tuple[Owner, tuple[str, int, int] | None], ...]
    round: int
    step: int


class Watched(list[Any]):
    """A position's list that tells a ledger what is written to the entries it watches."""

    def __init__(self, values: list[Any], ledger: Ledger) -> None:
        super().__init__(values)
        self.ledger = ledger

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            touched = [entry for entry in range(*key.indices(len(self))) if entry in self.ledger.entries]
        else:
            touched = [key] if key in self.ledger.entries else []
        before = [self[entry] for entry in touched]
        super().__setitem__(key, value)
        for entry, old in zip(touched, before):
            if self[entry] != old:
                self.ledger.note(self, entry, self[entry] - old)


@dataclass
class Ledger:
    """A game being played again, and what was written to what its standing counts."""

    game: Game
    seed: Seed
    start: dict[str, Any] = field(default_factory=dict)            # where it did not begin as usual
    changes: list[Write] = field(default_factory=list)
    step: int = 0

    def __post_init__(self) -> None:
        cells = [self.game.cells[term.state.name] for term in self.terms if term.entry is not None and term.state is not None]
        self.entries = {entry for cell in cells for entry in range(cell.base, cell.base + cell.count)}
        self.register = Citations(self.game.ruleset.facts)
        self.position = self.game.new(self.seed)
        put_start(self.position, self.start)
        self.first = list(self.position.s)
        self.position.s = Watched(self.position.s, self)
        self.position.go()

    @property
    def terms(self) -> list[Term]:
        return self.game.module.terms

    def play(self, seat: int, option: Option | str | int) -> None:
        """The next decision. Raises what Position.play raises."""
        self.step += 1
        self.position.play(seat, option)

    def note(self, s: list[Any], entry: int, by: int) -> None:
        self.changes.append(Write(entry, by, tuple(self.trail(s)), s[ROUND], self.step))

    def trail(self, s: list[Any]) -> list[tuple[Owner, Any]]:
        """The procedures that are under way: those of the Python stack up to the block that runs, then those that wait for it."""
        module = self.game.module
        found: list[tuple[Owner, Any]] = []
        frame: FrameType | None = sys._getframe(3)
        while frame is not None:
            owner = module.owners.get(frame.f_code.co_name) if frame.f_globals is module.namespace else None
            if owner is not None:
                found.append((owner, module.files.place(frame.f_code, frame.f_lineno, frame.f_lasti)))
                if owner.frame is not None:                        # below it on the stack lie blocks that have ended
                    found += waiting(module, s, owner)
                    break
            frame = frame.f_back
        return found

    # ------------------------------------------------------------ what it says

    def gains(self, has: Has, seats: list[int] | None = None) -> list[Gained]:
        """The changes of the entries that count for these seats now, in the order of the game. Where the game is not over, a change that
        may tell of something closed has no source yet."""
        out: list[Gained] = []
        for seat in range(self.game.players) if seats is None else seats:
            for term in self.terms:
                if term.entry is None:
                    continue
                entry = term.entry(self.position.s, seat)
                if self.first[entry]:
                    out.append(Gained(seat, term.factor * self.first[entry], START, None, (), 0, 0))
                for change in self.changes:
                    if change.entry == entry:
                        out.append(self.told(seat, term.factor * change.by, change, has))
        return sorted(out, key=lambda one: one.step)

    def told(self, seat: int, points: int, change: Write, has: Has) -> Gained:
        if not self.position.over and any(place in self.register.closed for _, place in change.trail[:1]):
            return Gained(seat, points, CLOSED, None, (), change.round, change.step)
        n, source = source_of(change.trail, self.game, has)
        spots = [place[:2] if place else None for _, place in change.trail[: n + 1]]
        clauses = [clause for spot in spots[1:] for clause in self.register.at(spot)]
        if spots[0] is not None:
            clauses = [*self.register.clauses(change.trail[0][0].routine, spots[0]), *clauses]
        return Gained(seat, points, source, spots[n], tuple(dict.fromkeys(clauses)), change.round, change.step)

    def parts(self, has: Has, seats: list[int] | None = None) -> list[Part]:
        """How much each source gave, what is counted before what is worked out, each in the order in which it first came up."""
        found: dict[tuple[int, str], Part] = {}
        for one in self.gains(has, seats):
            add(found, Part(one.seat, one.source, one.points))
        for seat in range(self.game.players) if seats is None else seats:
            for part in self.terms_of(has, seat):
                add(found, part)
        return list(found.values())

    def terms_of(self, has: Has, seat: int) -> list[Part]:
        """What is worked out from the table for a seat, by source."""
        found: dict[tuple[int, str], Part] = {}
        for term in self.terms:
            if term.entry is None:
                source, routine = name_of(term, has)
                place = (routine.path, routine.at.line) if routine is not None else term.place
                points = term.factor * int(term.value(self.position.s, seat))
                add(found, Part(seat, source, points, place, self.register.clauses(routine, place)))
        return list(found.values())


def add(found: dict[tuple[int, str], Part], part: Part) -> None:
    """Put a part to those of the same source."""
    known = found.get((part.seat, part.source))
    if known is not None:
        part = Part(part.seat, part.source, known.points + part.points, known.place, known.clauses)
    found[part.seat, part.source] = part


class Citations:
    """Which clauses are cited where, and which statements may tell of something closed."""

    def __init__(self, facts: Facts) -> None:
        program = facts.program
        families = {clause.rpartition("-")[0] for clause in program.cited}     # a heading may cite a family, to be completed by short cites
        written: dict[RuleLine, list[tuple[int, str]]] = {}
        self.near: dict[RuleLine, tuple[str, ...]] = {}
        for clause, places in program.cited.items():
            for place in places if clause not in families else ():
                written.setdefault((place.path, place.line), []).append((place.column, clause))
        # As they stand on the line: an author puts first what it is about.
        self.lines = {line: [clause for _, clause in sorted(cites)] for line, cites in written.items()}
        self.closed = {(node.at.path, node.at.line, node.at.column) for node in facts.secrecy.reveals}

    def at(self, spot: RuleLine | None) -> tuple[str, ...]:
        """The clauses cited at a line."""
        return tuple(self.lines.get(spot, ())) if spot is not None else ()

    def clauses(self, routine: Routine | None, spot: RuleLine) -> tuple[str, ...]:
        """The clauses cited at a line of a procedure or def, else by the nearest statement around it that cites any."""
        if spot not in self.near:
            nodes = walk(routine) if routine is not None else ()
            around = {node.at.line for node in nodes if node.at.line < spot[1] <= node.at.end_line}
            self.near[spot] = next((found for line in sorted({spot[1], *around}, reverse=True) if (found := self.at((spot[0], line)))), ())
        return self.near[spot]


def source_of(trail: tuple[tuple[Owner, Any], ...], game: Game, has: Has) -> tuple[int, str]:
    """The first procedure on the way that has a name, and the key of the name. The course of the whole game is nobody's name."""
    for n, (owner, _) in enumerate(trail):
        for key in keys_of(owner, game):
            if has(key if key.startswith("score.") else f"{key}.name"):
                return n, key
    return 0, trail[0][0].routine.name if trail else OTHER


def keys_of(owner: Owner, game: Game) -> list[str]:
    """Where the name of a procedure may stand."""
    routine = owner.routine
    keys = []
    domain = game.ruleset.program.families[routine.name].domain
    if domain is not None and owner.member is not None:
        enum = game.model.enums[domain]
        member = enum.called(owner.member)
        keys = [f"score.{routine.name}.{member}", f"score.{routine.name}"]
        return [*keys, f"{domain}.{member}"] if enum.kind in ("enum", "pieces") else keys
    return [f"score.{routine.name}", *([f"phase.{routine.name}"] if routine.kind == "phase" and routine.name != "game" else [])]


def name_of(term: Term, has: Has) -> tuple[str, Routine | None]:
    """The key of a worked-out term: of the outermost def that has a name, else the innermost def, else its state; with the def."""
    for routine in term.defs:
        if has(f"score.{routine.name}"):
            return f"score.{routine.name}", routine
    if term.state is not None and (has(f"score.{term.state.name}") or not term.defs):
        return f"{'score' if has(f'score.{term.state.name}') else 'state'}.{term.state.name}", None
    return (term.defs[-1].name, term.defs[-1]) if term.defs else (OTHER, None)


# ---------------------------------------------------------------- of a table


def scored(game: Game) -> bool:
    """Whether the game counts points; else it just says who has won."""
    return counts(game.ruleset.program.goals["standing"])


def ledger(table: Table) -> Ledger:
    """The game of a table played again to where it stands."""
    found = Ledger(table.game, table.setup.seed, table.setup.start)
    for step in table.steps:
        found.play(step.seat, step.option)
    return found


def gains(table: Table, has: Has, seats: list[int] | None = None) -> list[Gained]:
    """Every change of what counts for these seats (None: all), in the order of the game; nothing where all is worked out at the end."""
    return ledger(table).gains(has, seats) if scored(table.game) else []


def breakdown(table: Table, has: Has) -> list[Part]:
    """The parts of each seat's points; they sum up to the first value of the standing. Empty in a game that counts no points."""
    return ledger(table).parts(has) if scored(table.game) else []


__all__ = ["Gained", "Ledger", "Part", "Position", "breakdown", "gains", "ledger", "scored"]
