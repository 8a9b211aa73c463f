"""The sources of each player's points.

The first value of the standing is a sum of terms (dsl/lowering/score_terms.py). There are two kinds of terms:

- A term that is a state entry is counted up during play. The match is replayed from its start on a slot list
  that records every write to such an entry. Each write is attributed to the nearest active procedure that has
  a name in the texts: a member, a phase, or a procedure with a text `score.<name>`.
- Any other term is computed from the position. It is one part of the result, named by its def or its state.

The match itself is not changed, and normal play pays nothing for this.

    list_gains(table, has)         every change of a counted entry, in the order of the match
    list_score_parts(table, has)   for each seat, the points from each source; they add up to its points

`has` says whether there is a text with a key. Sources are text keys: `score.harvest`,
`Spell.hail`, `phase.evening`, `state.coins`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import TYPE_CHECKING, Any

from ...dsl.analysis.results import AnalysisResults
from ...dsl.backend_python.module import StandingTerm
from ...dsl.core.program import Routine
from ...dsl.core.walk import walk
from ...dsl.ir.metadata import FunctionOwner
from ...dsl.storage.control_slots import ROUND
from ..match.setup import apply_start
from ..position.call_stack import iter_active, rule_line
from ..position.observed_slots import ObservedSlots
from ..position.points import has_points, points_sign
from ..position.position import Game, Position
from ..position.seeds import Seed

if TYPE_CHECKING:
    from ..match.table import MatchTable
    from ..position.options import Option

START, CLOSED, OTHER = "breakdown.start", "breakdown.closed", "breakdown.other"
RuleLine = tuple[str, int]                                          # a rule file and a line in it
HasText = Callable[[str], bool]


@dataclass(frozen=True)
class ScoreGain:
    """A change of a seat's score: `points` (positive or negative) from `source`, with the rule line and the cited
    clauses.

    `step` is the number of the decision before the change, 0 for the set-up. `place` is None for points that were
    there at the start, and for changes whose source is still hidden."""

    seat: int
    points: int
    source: str
    place: RuleLine | None
    clauses: tuple[str, ...]
    round: int
    step: int


@dataclass(frozen=True)
class ScorePart:
    """The points that one source gave a seat. For a term computed from the position, also the place of its rule."""

    seat: int
    source: str
    points: int
    place: RuleLine | None = None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoreWrite:
    """A write to a watched entry. `trail` lists the active procedures with their lines, the writing one first."""

    entry: int
    by: int
    trail: tuple[tuple[FunctionOwner, tuple[str, int, int] | None], ...]
    round: int
    step: int


@dataclass
class ScoreReplay:
    """A replay of a match that records all writes to the entries that count for the standing."""

    game: Game
    seed: Seed
    start: dict[str, Any] = field(default_factory=dict)            # deviations from the usual start
    changes: list[ScoreWrite] = field(default_factory=list)
    step: int = 0

    def __post_init__(self) -> None:
        cells = [self.game.cells[term.state.name] for term in self.terms if term.entry is not None and term.state is not None]
        self.entries = {entry for cell in cells for entry in range(cell.base, cell.base + cell.count)}
        self.register = ClauseCitations(self.game.ruleset.facts)
        self.position = self.game.new_position(self.seed)
        apply_start(self.position, self.start)
        self.first = list(self.position.s)
        self.position.s = ObservedSlots(self.position.s, self.record_write)
        self.position.run_to_decision()

    @property
    def terms(self) -> list[StandingTerm]:
        """The terms of the points, as people read them."""
        sign = points_sign(self.game)
        return [replace(term, factor=sign * term.factor) for term in self.game.module.terms]

    def play(self, seat: int, option: Option | str | int) -> None:
        """Plays the next decision. Raises the same exceptions as Position.play."""
        self.step += 1
        self.position.play(seat, option)

    def record_write(self, key: Any, value: Any, frame: FrameType) -> bool:
        """Records each change of an entry that counts, with the procedures that are active now."""
        module, s = self.game.module, self.position.s
        written = zip(range(*key.indices(len(s))), value) if isinstance(key, slice) else ((key, value),)
        for entry, new in written:
            if entry in self.entries and new != s[entry]:
                trail = tuple((owner, rule_line(module, where)) for owner, where in iter_active(module, s, frame))
                self.changes.append(ScoreWrite(entry, new - s[entry], trail, s[ROUND], self.step))
        return True

    # ------------------------------------------------------------ what it says

    def list_gains(self, has: HasText, seats: list[int] | None = None) -> list[ScoreGain]:
        """Returns the changes of the entries that count for these seats now, in the order of the match.

        Before the match is over, a change that may reveal hidden information has no source."""
        found: list[tuple[int, ScoreGain]] = []
        for seat in range(self.game.players) if seats is None else seats:
            for term in self.terms:
                if term.entry is None:
                    continue
                entry = term.entry(self.position.s, seat)
                if self.first[entry]:
                    found.append((-1, ScoreGain(seat, term.factor * self.first[entry], START, None, (), 0, 0)))
                for n, change in enumerate(self.changes):
                    if change.entry == entry:
                        found.append((n, self.make_gain(seat, term.factor * change.by, change, has)))
        return [gain for _, gain in sorted(found, key=lambda one: one[0])]

    def make_gain(self, seat: int, points: int, change: ScoreWrite, has: HasText) -> ScoreGain:
        """Returns one write as a gain of a seat, with its source and clauses."""
        if not self.position.over and any(place in self.register.closed for _, place in change.trail[:1]):
            return ScoreGain(seat, points, CLOSED, None, (), change.round, change.step)
        n, source = find_source(change.trail, self.game, has)
        spots = [place[:2] if place else None for _, place in change.trail[: n + 1]]
        clauses = [clause for spot in spots[1:] for clause in self.register.clauses_at(spot)]
        if spots[0] is not None:
            clauses = [*self.register.find_clauses(change.trail[0][0].routine, spots[0]), *clauses]
        return ScoreGain(seat, points, source, spots[n], tuple(dict.fromkeys(clauses)), change.round, change.step)

    def list_parts(self, has: HasText, seats: list[int] | None = None) -> list[ScorePart]:
        """Returns the points by seat and source. Counted terms come before computed ones, each in the order of first
        appearance."""
        found: dict[tuple[int, str], ScorePart] = {}
        for one in self.list_gains(has, seats):
            add_part(found, ScorePart(one.seat, one.source, one.points))
        for seat in range(self.game.players) if seats is None else seats:
            for part in self.list_computed_parts(has, seat):
                add_part(found, part)
        return list(found.values())

    def list_computed_parts(self, has: HasText, seat: int) -> list[ScorePart]:
        """Returns the parts of a seat's score that are computed from the position."""
        found: dict[tuple[int, str], ScorePart] = {}
        for term in self.terms:
            if term.entry is None:
                source, routine = find_term_source(term, has)
                place = (routine.path, routine.at.line) if routine is not None else term.place
                points = term.factor * int(term.value(self.position.s, seat))
                add_part(found, ScorePart(seat, source, points, place, self.register.find_clauses(routine, place)))
        return list(found.values())


def add_part(found: dict[tuple[int, str], ScorePart], part: ScorePart) -> None:
    """Adds a part to the one with the same seat and source."""
    known = found.get((part.seat, part.source))
    if known is not None:
        part = ScorePart(part.seat, part.source, known.points + part.points, known.place, known.clauses)
    found[part.seat, part.source] = part


class ClauseCitations:
    """The clauses cited on each rule line, and the statements that may reveal hidden information."""

    def __init__(self, facts: AnalysisResults) -> None:
        program = facts.program
        families = {clause.rpartition("-")[0] for clause in program.cited}     # a heading may cite a family, which short citations complete
        written: dict[RuleLine, list[tuple[int, str]]] = {}
        self.near: dict[RuleLine, tuple[str, ...]] = {}
        for clause, places in program.cited.items():
            for place in places if clause not in families else ():
                written.setdefault((place.path, place.line), []).append((place.column, clause))
        # In the order on the line, because authors put the main clause first.
        self.lines = {line: [clause for _, clause in sorted(cites)] for line, cites in written.items()}
        self.closed = {(node.at.path, node.at.line, node.at.column) for node in facts.secrecy.reveals}

    def clauses_at(self, spot: RuleLine | None) -> tuple[str, ...]:
        """Returns the clauses cited on a line."""
        return tuple(self.lines.get(spot, ())) if spot is not None else ()

    def find_clauses(self, routine: Routine | None, spot: RuleLine) -> tuple[str, ...]:
        """Returns the clauses cited on a line of a routine, or by the nearest enclosing statement that cites any."""
        if spot not in self.near:
            nodes = walk(routine) if routine is not None else ()
            around = {node.at.line for node in nodes if node.at.line < spot[1] <= node.at.end_line}
            self.near[spot] = next(
                (found for line in sorted({spot[1], *around}, reverse=True) if (found := self.clauses_at((spot[0], line)))), ()
            )
        return self.near[spot]


def find_source(trail: tuple[tuple[FunctionOwner, Any], ...], game: Game, has: HasText) -> tuple[int, str]:
    """Returns the index of the first procedure in the trail that has a name in the texts, and the key of that name.
    If none has, returns the identifier of the writing procedure."""
    for n, (owner, _) in enumerate(trail):
        for key in source_keys(owner, game):
            if has(key if key.startswith("score.") else f"{key}.name"):
                return n, key
    return 0, trail[0][0].routine.name if trail else OTHER


def source_keys(owner: FunctionOwner, game: Game) -> list[str]:
    """Returns the text keys under which a procedure may have a name, the most specific first."""
    routine = owner.routine
    keys = []
    domain = game.ruleset.program.families[routine.name].domain
    if domain is not None and owner.member is not None:
        enum = game.model.enums[domain]
        member = enum.kind_or_name(owner.member)
        keys = [f"score.{routine.name}.{member}", f"score.{routine.name}"]
        return [*keys, f"{domain}.{member}"] if enum.kind in ("enum", "pieces") else keys
    return [f"score.{routine.name}", *([f"phase.{routine.name}"] if routine.kind == "phase" and routine.name != "game" else [])]


def find_term_source(term: StandingTerm, has: HasText) -> tuple[str, Routine | None]:
    """Returns the source key of a computed term, and the def it comes from.

    The key belongs to the outermost def that has a name. If none has, it belongs to the state or to the innermost
    def."""
    for routine in term.defs:
        if has(f"score.{routine.name}"):
            return f"score.{routine.name}", routine
    if term.state is not None and (has(f"score.{term.state.name}") or not term.defs):
        return f"{'score' if has(f'score.{term.state.name}') else 'state'}.{term.state.name}", None
    return (term.defs[-1].name, term.defs[-1]) if term.defs else (OTHER, None)


# ---------------------------------------------------------------- of a table


def replay_scores(table: MatchTable) -> ScoreReplay:
    """Returns a replay of a table's match up to the current position."""
    found = ScoreReplay(table.game, table.setup.seed, table.setup.start)
    for step in table.steps:
        found.play(step.seat, step.option)
    return found


def list_gains(table: MatchTable, has: HasText, seats: list[int] | None = None) -> list[ScoreGain]:
    """Returns every change of the score of these seats (None: all), in the order of the match.
    The list is empty if the game counts no points."""
    return replay_scores(table).list_gains(has, seats) if has_points(table.game) else []


def list_score_parts(table: MatchTable, has: HasText) -> list[ScorePart]:
    """Returns the points of each seat by source. They add up to `points_by_seat`.
    The list is empty if the game counts no points."""
    return replay_scores(table).list_parts(has) if has_points(table.game) else []


__all__ = ["ScoreGain", "ScoreReplay", "ScorePart", "Position", "list_score_parts", "list_gains", "replay_scores"]
