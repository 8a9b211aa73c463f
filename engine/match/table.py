"""The table of a match: seats, decisions, undo, saving and resuming.

    table = MatchTable.new(game, setup)              the set-up is done, the first decision waits
    for step in table.take_automatic(): ...          bots and single options, until a person must decide or the match is over
    table.play(option)                               the person's answer"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from ...dsl.ir.limits import MAX_EVENTS_PER_MATCH
from ...dsl.types.types import Type
from ..bots import greedy
from ..bots.rng import decision_rng
from ..errors import MessageError
from ..position.observation import visible_names, why_irrevocable
from ..position.options import DECLINE, Option
from ..position.position import Decision, Game, GameEvent, IllegalOptionError, Position
from .save_file import SaveFile
from .save_reader import read_contents
from .setup import ANY_ORDER, HUMAN, DamagedSaveError, MatchSetup, SavedDecision, SaveError, apply_start

# some games never end in random play
MAX_BOT_DECISIONS = 20_000


@dataclass(frozen=True)
class HistoryEntry:
    """One decision, with its context and the events that followed."""

    seat: int
    key: str
    option: Option
    context: dict[str, tuple[Type, object]]
    secret: bool                     # the options were private to this seat
    closed: frozenset[str]           # names in `option` and `context` hidden from the others
    auto: bool                       # the engine took the only option
    events: tuple[GameEvent, ...]
    before: Position | None          # the position before it, if undo is possible


class UndoError(MessageError):
    """Raised if a decision cannot be taken back."""


class MatchTable:
    """The seats, the position and the history of a match. `opening` holds the events of
    the set-up, `steps` the decisions since then."""

    def __init__(self, game: Game, setup: MatchSetup, save: SaveFile | None = None, position: Position | None = None) -> None:
        """Starts a match, or continues one without its history from a position."""
        self.game, self.setup, self.save = game, setup, save
        self.steps: list[HistoryEntry] = []
        self.event_count = 0                                              # events emitted by the decisions
        self.asked = 0                                             # decisions that were not automatic
        # the bots; a faster implementation may replace them
        self.choose, self.weigh = greedy.choose_option, greedy.weigh_options
        self.pondering: Callable[[Position], AbstractContextManager[None]] = lambda position: nullcontext()
        self.keep = bool(self.humans)                              # whether steps keep what undo and narration need
        self.opening: tuple[GameEvent, ...] = ()
        self.position = position or game.new_position(setup.seed)
        if position is None:
            apply_start(self.position, setup.start)
            self.opening = tuple(self.position.run_to_decision())

    @classmethod
    def new(cls, game: Game, setup: MatchSetup, save_as: Path | None = None) -> MatchTable:
        """Starts a match. With `save_as`, each decision is written to this file as it happens."""
        table = cls(game, setup)
        table.mark_current()
        table.save = SaveFile.create(save_as, setup) if save_as else None
        return table

    @classmethod
    def resume(cls, game: Game, path: Path, reopen: bool = True, mend: bool = False, former: bool = False) -> MatchTable:
        """Resumes a match from a save. Raises SaveError.

        - `reopen`: continue to save to the same file
        - `mend`: continue a damaged save after its last good decision
        - `former`: the save has the fingerprint that an earlier version computed for these rules. Its
          decisions are replayed, and the save is rewritten"""
        save, record = SaveFile.reopen(path, mend) if reopen else (None, read_contents(path, strict=not mend))
        try:
            if record.setup.rules != game.fingerprint and not former:
                raise SaveError("save.other_rules", file=str(path))
            former = former and record.setup.rules != game.fingerprint
            table = cls(game, record.setup)
            renew, retaken = former or table.asks_in_ascending_order, list[SavedDecision]()
            for n, line in enumerate(record.lines):
                try:
                    retaken += table.retake(line, n + 1, compare=not former)
                except SaveError:
                    if not mend or save is None:
                        raise
                    kept = save.kept
                    save.close()
                    save, _ = SaveFile.reopen(path, mend, upto=n)
                    save.kept = kept or save.kept
                    table.mark_current()
                    table = table.replay_decisions(record.setup, retaken)
                    break
            table.save = save
            if renew and save is not None:
                table.mark_current()
                save.rewrite(record.setup, retaken)
        except BaseException:
            if save is not None:
                save.close()
            raise
        return table

    @property
    def asks_in_ascending_order(self) -> bool:
        """Whether an earlier version saved the match, which offered only the set members after the last chosen one."""
        return self.setup.sets != ANY_ORDER and self.game.has_set_choices

    def mark_current(self) -> None:
        """Records in the setup that the rules and decisions are those of this version."""
        self.setup.rules, self.setup.version = self.game.fingerprint, self.game.ruleset.source.version
        self.setup.sets = ANY_ORDER if self.game.has_set_choices else ""

    def replay_decisions(self, setup: MatchSetup, lines: list[SavedDecision]) -> MatchTable:
        """Returns a new table of the same game with these decisions, which were all taken before."""
        table = MatchTable(self.game, setup)
        for n, line in enumerate(lines, start=1):
            table.retake(line, n)
        return table

    # ------------------------------------------------------------ who

    def is_human(self, seat: int) -> bool:
        """Whether a person plays this seat."""
        return self.setup.seats[seat] == HUMAN

    @property
    def humans(self) -> list[int]:
        """The seats of the people."""
        return [seat for seat in range(self.game.players) if self.is_human(seat)]

    @property
    def sole_human(self) -> int | None:
        """The seat of the only person at the table, or None if there is not exactly one."""
        return self.humans[0] if len(self.humans) == 1 else None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.position.over

    # ------------------------------------------------------------ deciding

    def take_automatic(self, max_rounds: int | None = None) -> Iterator[HistoryEntry]:
        """Takes single options and bots' decisions one after another, and yields them.

        Stops if a person must decide, if the match is over, or if more than `max_rounds` rounds have begun."""
        while not self.has_stopped(max_rounds):
            decision = self.position.decision
            if decision is None:
                return
            if self.is_automatic(decision):
                yield self.take(decision, decision.option(decision.codes[0]), auto=True)
            elif self.is_human(decision.seat):
                return
            else:
                kind = self.setup.seats[decision.seat].removeprefix("bot:")
                code = self.choose(kind, self.position, decision.seat, decision_rng(self.setup.seed, decision.seat, len(self.steps)))
                yield self.take(decision, decision.option(code))

    def take_forced(self, seat: int | None = None) -> Iterator[HistoryEntry]:
        """Takes the decisions with a single option one after another, and yields them. `seat`: only those of this seat."""
        while (decision := self.position.decision) is not None and seat in (None, decision.seat) and self.is_automatic(decision):
            yield self.take(decision, decision.option(decision.codes[0]), auto=True)

    def has_stopped(self, max_rounds: int | None) -> bool:
        """Whether play stops: the match is over, the last wanted round has ended, or bots alone have reached their
        limit."""
        if self.position.over or max_rounds is not None and self.position.rounds > max_rounds:
            return True
        return len(self.steps) >= MAX_BOT_DECISIONS and not self.humans

    def is_automatic(self, decision: Decision) -> bool:
        """Whether a decision is taken automatically: it has one option, and taking it reveals no private information."""
        return self.setup.auto and len(decision) == 1 and (not decision.kind.secret or decision.seat == self.sole_human)

    def play(self, option: Option | str) -> HistoryEntry:
        """Takes the answer to the current decision. Raises IllegalOptionError and RuleError, and then nothing has
        changed."""
        decision = self.position.decision
        if decision is None:
            raise IllegalOptionError(str(option))
        if isinstance(option, str):
            found = decision.find(option)
            if found is None:
                raise IllegalOptionError(option)
            option = found
        return self.take(decision, option)

    def take(self, decision: Decision, option: Option, auto: bool = False) -> HistoryEntry:
        """Takes an option of any seat and writes it to the save before it is reported.

        Raises RuleError and SaveError, and then nothing has changed. The exception is a match of bots alone: it keeps
        no earlier position to restore if the save cannot be written."""
        before = self.position.copy() if self.keep else None
        context = visible_names(decision) if self.keep else {}
        closed = decision.names_hidden_from_others(option)
        told = tuple(self.position.play(decision.seat, option, max_events=MAX_EVENTS_PER_MATCH - self.event_count))
        step = HistoryEntry(decision.seat, decision.key, option, context, decision.kind.secret, closed, auto, told, before)
        if self.save is not None:
            try:
                self.save.add_decision(SavedDecision(step.seat, step.key, option.spelling, self.position.digest(), auto, self.over))
            except SaveError:
                self.position = before or self.position
                raise
        self.steps.append(step)
        self.event_count += len(told)
        self.asked += not auto
        return step

    def retake(self, line: SavedDecision, number: int, compare: bool = True) -> list[SavedDecision]:
        """Takes a saved decision again, and compares the hash of the position unless an earlier version computed it.

        `number` counts decisions from 1. Returns the decision as this version saves it. If an earlier version ended a
        set after its last member, a second decision declines the members before it. Raises SaveError."""
        decision = self.position.decision
        option = decision.find(line.option) if decision is not None and (decision.seat, decision.key) == (line.seat, line.key) else None
        if decision is None or option is None:
            raise DamagedSaveError("replay.impossible", number=number, option=line.option)
        ascending = self.asks_in_ascending_order and not option.declines
        last = ascending and option.code == [code for code in decision.codes if code != DECLINE][-1]
        self.take(decision, option, line.auto)
        taken = [self.make_saved_decision(line.auto)]
        further = self.position.decision
        amid = ascending and further is not None and further.kind is decision.kind and further.has_taken(option.code)
        if last and amid and further is not None and further.kind.optional:
            self.take(further, further.option(DECLINE), auto=True)
            taken.append(self.make_saved_decision(auto=True))
            amid = False
        if compare and not amid and taken[-1].hash != line.hash:   # within a set, earlier versions offered other members
            raise DamagedSaveError("replay.differs", number=number)
        return taken

    def make_saved_decision(self, auto: bool) -> SavedDecision:
        """Returns the last decision in the form of a save."""
        step = self.steps[-1]
        return SavedDecision(step.seat, step.key, step.option.spelling, self.position.digest(), auto, self.over)

    def set_language(self, seat: int | None, lang: str) -> None:
        """Sets the language of a seat from now on, also for a resumed match. Raises SaveError.

        With None, sets the language of the program and of all people who used its old language."""
        before = list(self.setup.langs), self.setup.lang
        self.setup.set_language(seat, lang)
        if self.save is not None and (self.setup.langs, self.setup.lang) != before:
            self.save.set_language(seat, lang)

    # ------------------------------------------------------------ taking back

    def undo(self, seat: int, count: int = 1, watching: Collection[int] | None = None) -> list[HistoryEntry]:
        """Takes back the seat's own last `count` decisions and everything after them, or nothing. Returns these
        decisions in order.

        Decisions of bots are taken back too, because bots remember nothing. A person who plays alone or against bots may
        always undo: chance stays the same, and nobody else is at a disadvantage.

        `watching` are the people who may have seen the results. None means all of them. On a shared screen only the
        person in front of it counts. Raises UndoError with the first obstacle. Raises SaveError if the save cannot be
        written."""
        gone = self.steps[self.find_undo_start(seat, count, watching) :]
        if self.save is not None:
            self.save.undo_decisions(len(gone))
        self.drop_steps(len(gone))
        return [step for step in gone if not step.auto and step.seat == seat]

    def can_undo(self, seat: int) -> bool:
        """Whether a seat can take back its last decision."""
        try:
            self.find_undo_start(seat)
        except UndoError:
            return False
        return True

    def find_undo_start(self, seat: int, count: int = 1, watching: Collection[int] | None = None) -> int:
        """Returns the number of the first step that an undo takes back. Raises UndoError with the first obstacle.

        That is another person who has decided since, or somebody who watches and has learned something."""
        own = [n for n, step in enumerate(self.steps) if not step.auto and step.seat == seat and self.is_human(seat)]
        if not 0 < count <= len(own):
            raise UndoError("undo.nothing")
        first = own[-count]
        gone = self.steps[first:]
        after = [step.before for step in gone[1:]] + [self.position]
        for step, then in zip(gone, after) if self.sole_human is None else ():
            assert step.before is not None and then is not None
            if step.seat != seat and not step.auto and self.is_human(step.seat):
                raise UndoError("undo.why.other")
            why = why_irrevocable(step.before, then, list(step.events), self.humans if watching is None else watching)
            if why is not None:
                raise UndoError(f"undo.why.{why}")
        return first

    def drop_steps(self, count: int) -> None:
        """Goes back to the position before the last `count` decisions. Does not ask whether that is allowed."""
        gone = self.steps[len(self.steps) - count :]
        if not gone:
            return
        assert gone[0].before is not None
        self.position = gone[0].before
        del self.steps[len(self.steps) - count :]
        self.event_count -= sum(len(step.events) for step in gone)
        self.asked -= sum(not step.auto for step in gone)
