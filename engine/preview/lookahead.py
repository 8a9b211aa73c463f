"""Plays an option on a copy of the position, as far as neither hidden information, chance nor another player can
intervene.

On the copy, the random generator and everything that the seat may not see is replaced by a
placeholder (`MaskedValue`). A placeholder can be assigned, counted and moved, because that requires
no knowledge. A rule that needs the real value stops. So every reported result is true in every
position that the seat cannot distinguish from this one. A thing drawn from a bag by chance is such a
placeholder as well, and the number of remaining things is known.

A rule that was stopped halfway might still undo its own changes. In this case a change counts only if it also
persists in a few determinizations, which are the same whatever the hidden values really are.

The effects of the option are kept apart from what then runs automatically, such as the end
of a turn. Whenever the rules enter another section of the course (a phase, or the procedure
of a member), the position before it is recorded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from traceback import walk_tb
from types import FrameType
from typing import Any

from ...dsl.storage.control_slots import ANSWER, EVENTS, FIRST_STATE_SLOT, OPTIONS, RANDOM, SCRIPT
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import BagOf, ListOf, MemberOf, OptionalOf, PileOf, SetOf, domain_of, element_domain
from ..position.call_stack import ActiveProcedure, CallContext, EventLog, PieceNumbers, RawEvent, current_context, iter_active, list_calls
from ..position.determinize import determinize_position
from ..position.observed_slots import ObservedSlots
from ..position.options import DECLINE
from ..position.position import Decision, Game, GameEvent, Position
from ..position.visibility import can_see, can_see_local, iter_hidden_entries
from .preview_budget import PreviewBudget
from .unknown_values import MASKED, HiddenValueError, MaskedSet, MaskedSlot, MaskedThing, MaskedValue, MaskingState, make_masked_counts

DETERMINIZATIONS = 2                           # number of determinizations in which a stopped rule is played to its end
OPTIONS_PER_WORK_STEP = 6                             # so many options of a later decision cost as much as one step
SECTIONS_PER_WORK_STEP = 3                       # so many sections of the course that run automatically cost as much as one step
OPEN_BOARD_STEP_COST = 3                          # cost of a step on a board without edges
MAX_EXTRA_MASKED = 3                           # visible places that are masked at the same time
DETERMINIZATION_SEED = 7                             # fixed, so that determinizations are reproducible


SlotRanges = tuple[range, ...]           # ranges of slots
CoursePart = tuple[ActiveProcedure, ...]              # a section of the course: phases and procedures of members, the outermost first


@dataclass
class LookaheadResult:
    """The outcome of an option: the events emitted and the position reached.

    - `sure`: whether that position is a decision or the end of the match. Otherwise a rule needed a masked value
    - `where`: the procedures that were active when the rules were stopped
    - `worlds`: determinizations in which the stopped rule was played to its end
    - `marks`: the sections of the course that were left, each with the position at that moment
    - `part`: the last section
    - `path`: the codes of the options taken"""

    events: list[GameEvent]
    after: Position
    sure: bool
    part: CoursePart = ()
    marks: list[tuple[CoursePart, Position]] = field(default_factory=list)
    path: tuple[int, ...] = ()
    imagined: Callable[[Sequence[int]], list[Position]] = lambda path: []      # plays the same options in determinizations
    luck: bool = False                                             # whether chance drew something from a hidden place
    where: tuple[ActiveProcedure, ...] = ()

    @cached_property
    def worlds(self) -> list[Position]:
        """The determinizations. They are played on first use, because most results are discarded without them."""
        return [] if self.sure else self.imagined(self.path)

    @property
    def decision(self) -> Decision | None:
        """The next decision, if it is known."""
        return self.after.decision if self.sure else None

    @property
    def over(self) -> bool:
        """Whether the option certainly ends the match."""
        return self.sure and self.after.over


class CourseTracker:
    """Notices the first write in another section of the course, on the slot list `s` of a position."""

    def __init__(self, values: list[Any], game: Game, part: CoursePart) -> None:
        self.game, self.part = game, part
        self.s = ObservedSlots(values, self.note_write, FIRST_STATE_SLOT)
        self.marks: list[tuple[CoursePart, Position]] = []
        self.frame: FrameType | None = None                        # the last function that wrote
        self.examined: FrameType | None = None                     # the last one whose section was looked up
        self.where: tuple[ActiveProcedure, ...] = ()                          # the active procedures when the rules were stopped

    def note_write(self, key: Any, value: Any, frame: FrameType) -> bool:
        """Notes the function that writes a state. Only a change of function is examined."""
        if isinstance(key, MaskedSlot):
            key.store_count(value)
            return False
        if FIRST_STATE_SLOT <= (key.start if isinstance(key, slice) else key) < self.game.states_end and frame is not self.frame:
            self.frame = self.s.unobserved_frame = frame
            if frame.f_back is not self.examined or not self.is_helper(frame):
                self.examined = frame
                self.enter_part(self.list_calls(frame))
        return True

    def is_helper(self, frame: FrameType) -> bool:
        """Whether a function runs in the section of its caller: it is neither a phase nor the case of a member, and never
        waits for a decision."""
        owner = self.game.module.owners.get(frame.f_code.co_name)
        return owner is not None and owner.frame is None and owner.member is None and (
            owner.routine.kind != "phase" and owner.routine.case is None)

    def note_stop(self, error: BaseException) -> None:
        """Records where the rules ended with an error. They may have entered another section without a write."""
        for frame, _ in walk_tb(error.__traceback__):
            last = frame
        self.where = self.list_calls(last)
        self.enter_part(self.where)

    def list_calls(self, frame: FrameType) -> tuple[ActiveProcedure, ...]:
        """Returns the procedures that are active when this function runs, outermost first."""
        return list_calls(self.game.module, self.s, iter_active(self.game.module, self.s, frame))

    def enter_part(self, calls: Iterable[ActiveProcedure]) -> None:
        """Records the position if these procedures belong to another section of the course."""
        part = course_part(calls)
        if part != self.part:
            self.marks.append((self.part, Position(self.game, list(self.s))))
            self.part = part


def course_part(found: Iterable[ActiveProcedure]) -> CoursePart:
    """Returns those procedures that form a section of the course: phases and procedures of members. The
    member is left out unless all players know it."""
    known = (replace(call, member=None) if call.secret or isinstance(call.member, MaskedValue) else call for call in found
             if call.kind == "phase" or call.member is not None)
    return tuple(call for call in known if call.kind == "phase" or call.member is not None)


class Lookahead:
    """Looks ahead for the deciding player of one decision.

    With `auto`, decisions with one option are taken automatically. Private ones are taken only for
    the seat `alone`, the only person at the table."""

    def __init__(self, decision: Decision, auto: bool = True, seat: int | None = None) -> None:
        self.decision, self.seat, self.auto, self.alone = decision, decision.seat, auto, seat
        self.entries = MaskingState()
        self.start = mask_hidden(decision.position, decision.seat, self.entries)
        self.part = course_part(current_context(self.start.game.module, self.start.s).calls)
        self.found: dict[tuple[int, ...], LookaheadResult] = {}              # cached outcomes by path
        self.places: list[SlotRanges] = []                             # visible places to mask too
        self.step = OPEN_BOARD_STEP_COST if any(enum.kind == "open" for enum in decision.position.game.model.enums.values()) else 1
        self.budget = PreviewBudget()
        self._worlds: list[Position] | None = None

    def preview(self, code: int) -> LookaheadResult:
        """Returns the outcome of an option."""
        return self.extend(LookaheadResult([], self.start, True, self.part), code)

    def iter_continuations(self, outcome: LookaheadResult) -> Iterator[LookaheadResult]:
        """Yields the outcome of each continuation, if the same player decides next and the same decision is not asked
        again."""
        decision = outcome.decision
        if decision is not None and decision.seat == self.seat and not self.is_repeat(outcome):
            for code in decision.codes:
                yield self.extend(outcome, code)

    def is_repeat(self, outcome: LookaheadResult) -> bool:
        """Whether the same decision is asked again. It does not count if the player has just
        declined it and is asked about something else."""
        decision = outcome.decision
        return (decision is not None and decision.seat == self.seat and decision.key == self.decision.key
                and outcome.path[-1:] != (DECLINE,))

    def preview_declined(self, outcome: LookaheadResult) -> LookaheadResult | None:
        """Returns the outcome if the other players, who are asked next, all decline.

        Returns None if they are not asked, or cannot decline. Whether a player can decline is known if the options
        are known, because the options were computed on masked values."""
        asked, so_far = outcome.decision, outcome
        while (decision := so_far.decision) is not None and asked is not None and decision.key == asked.key:
            if decision.seat == self.seat or decision.kind.secret or DECLINE not in decision.codes:
                break
            so_far = self.extend(so_far, DECLINE)
        return None if so_far is outcome else so_far

    def iter_decisions_asked_in_turn(self, outcome: LookaheadResult) -> Iterator[list[Decision]]:
        """Yields the decisions of the other players who are asked the same in turn, whatever the earlier ones answer:
        for each player a list with one decision for each combination of earlier answers."""
        ways, first = [outcome], outcome.decision
        while first is not None and first.seat != self.seat and not first.kind.secret:
            if sum(len(way.decision or ()) for way in ways) > self.budget.MAX_ANSWERS:
                return
            ways = [self.extend(way, code) for way in ways if way.decision is not None for code in way.decision.codes]
            found = [way.decision for way in ways if way.decision is not None and way.decision.key == first.key]
            if len(found) < len(ways) or len({one.seat for one in found}) > 1 or found[0].seat == self.seat:
                return
            yield found

    def stays_in_part(self, outcome: LookaheadResult) -> bool:
        """Whether the next decision belongs to the section of the course of the current decision."""
        return (
            outcome.decision is not None
            and course_part(current_context(outcome.after.game.module, outcome.after.s).calls)[: len(self.part)] == self.part
        )

    def find_exit_position(self, outcome: LookaheadResult) -> Position | None:
        """Returns the position in which the rules left the current section of the course, or None if they have not left
        it."""
        parts = [*(part for part, _ in outcome.marks[1:]), outcome.part]
        return next((position for (_, position), part in zip(outcome.marks, parts) if part[: len(self.part)] != self.part), None)

    def observe_outcome(self, outcome: LookaheadResult) -> tuple[Position, list[Position]]:
        """Returns the visible effect of the option itself: the position after it, with masked values as they were
        before, and the determinizations that must confirm it if a rule was stopped halfway."""
        left = self.find_exit_position(outcome)
        after = self.decision.position.copy()
        for n, raw in enumerate((left or outcome.after).s[FIRST_STATE_SLOT : self.decision.position.game.states_end], FIRST_STATE_SLOT):
            if is_known(raw):
                after.s[n] = raw
        after.invalidate_memos()
        return after, [] if left is not None or outcome.sure else outcome.worlds

    def extend(self, so_far: LookaheadResult, code: int) -> LookaheadResult:
        """Returns the outcome of one more option. Results are cached by path."""
        path = *so_far.path, code
        if path not in self.found:
            self.found[path] = self.explore(so_far, code)
        return self.found[path]

    def explore(self, so_far: LookaheadResult, code: int) -> LookaheadResult:
        """Returns the outcome of one more option.

        If a masked value reaches a place that the seat may see, the option is played again with this place masked as
        well. This gets further unless a rule reads the place."""
        tried: dict[SlotRanges, LookaheadResult] = {}
        for met in self.places:                                    # often met again, so try it first
            tried[met], _ = self.simulate_masked(so_far, code, met)
            if tried[met].sure and all(place.start in self.entries.overlay for place in met):
                return tried[met]
        closed: SlotRanges = ()
        found, place = self.simulate(so_far, code)
        while place is not None and place not in closed and len(closed) < MAX_EXTRA_MASKED and place.stop <= self.start.game.states_end:
            closed = *closed, place
            if closed not in self.places:
                self.places.append(closed)
            tried[closed], place = self.simulate_masked(so_far, code, closed)
        return max(found, *tried.values(), key=lambda one: (one.sure, len(one.events), len(one.marks))) if tried else found

    def simulate_masked(self, so_far: LookaheadResult, code: int, places: SlotRanges) -> tuple[LookaheadResult, range | None]:
        """Plays one more option with these places masked as well. Returns the outcome and the next
        visible place that a masked value would reach."""
        closed = Position(self.start.game, list(so_far.after.s))
        for place in places:
            many = sum(so_far.after.s[place.start : place.stop])
            closed.s[place.start : place.stop] = (
                make_masked_counts(self.entries, len(place), many) if type(many) is int else [MASKED] * len(place)
            )
            self.entries.closed[place.start] = len(place)
        self.entries.overlay.clear()
        try:
            return self.simulate(replace(so_far, after=closed), code)
        finally:
            for place in places:
                del self.entries.closed[place.start]

    def simulate(self, so_far: LookaheadResult, code: int) -> tuple[LookaheadResult, range | None]:
        """Plays one more option. Returns the outcome and the visible place that a masked value would have reached."""
        game = self.start.game
        course = CourseTracker(so_far.after.s, game, so_far.part)
        s = course.s
        s[EVENTS] = heard = EventLog(game.module, s)
        self.entries.s, self.entries.luck = s, so_far.luck
        after = Position(game, s)
        heard.called = partial(find_event_numbers, after) if game.piece_number_readers else None
        path = [*so_far.path, code]
        sure, place = True, None
        try:
            after.step(code)
            while len(path) < len(so_far.path) + self.budget.MAX_FORCED and self.is_forced(after):
                path.append(s[OPTIONS][0])
                after.step(path[-1])
        except Exception as error:                                 # HiddenValueError, an error from a placeholder, or a fault in a rule
            sure = False
            place = error.open_place if isinstance(error, HiddenValueError) else None
            course.note_stop(error)
        course.frame = course.examined = course.s.unobserved_frame = None
        self.entries.s = []
        after = Position(game, list(s))
        after.s[EVENTS] = None
        told = [replace(event, midst=CallContext(event.midst.round, course_part(event.midst.calls)))
                for event in (event.heard_by(self.seat) for event in after.decode_events(heard)) if is_public(event)]
        self.budget.spent += (len(path) - len(so_far.path) + sure) * self.step + (len(s[OPTIONS]) // OPTIONS_PER_WORK_STEP if sure else 0)
        self.budget.spent += len(course.marks) // SECTIONS_PER_WORK_STEP
        marks = [*so_far.marks, *course.marks]
        return LookaheadResult(
            [*so_far.events, *told], after, sure, course.part, marks, tuple(path), self.simulate_in_worlds, self.entries.luck, course.where
        ), place

    def is_forced(self, position: Position) -> bool:
        """Whether the current decision is taken automatically: it has one option, and taking it reveals no private
        information."""
        decision = position.decision
        return (self.auto and decision is not None and len(decision) == 1
                and (not decision.kind.secret or decision.seat == self.alone))

    def simulate_in_worlds(self, path: Sequence[int]) -> list[Position]:
        """Plays the same options in determinizations."""
        if self._worlds is None:
            self._worlds = [
                determinize_position(self.decision.position, self.seat, random.Random(DETERMINIZATION_SEED + n))
                for n in range(DETERMINIZATIONS)
            ]
        found = []
        for world in self._worlds:
            after = world.copy()
            self.budget.spent += len(path) * self.step
            try:
                codes = after.step(path[0])
                for code in path[1:]:
                    if code not in codes:
                        break
                    codes = after.step(code)
            except Exception:                                      # a rule fails in this determinization, so it says nothing
                continue
            found.append(after)
        return found


def mask_hidden(position: Position, seat: int, entries: MaskingState) -> Position:
    """Returns a copy of the position in which everything that the seat may not see is masked. `entries` becomes the
    masking state of the lookahead that plays on this copy."""
    copy = position.copy()
    alone = find_deducible_cells(position, seat)
    for cell in position.game.cells.values():
        if cell.state.seen != "open" and cell not in alone:
            for first, bare in iter_hidden_places(position, cell, seat):
                if isinstance(cell.state.type, BagOf):
                    entries.closed[first] = cell.width
                    if type(many := sum(copy.s[first : first + cell.width])) is int:
                        copy.s[first : first + cell.width] = make_masked_counts(entries, cell.width, many)
                        continue
                for at in range(first, first + cell.width) if not bare else ():
                    copy.s[at] = mask_entry(position, cell, copy.s[at], entries)
    for variable in position.live_variables():
        if not can_see_local(position, variable, seat):
            copy.s[variable.slot] = MASKED
    copy.s[RANDOM] = MASKED
    copy.s[SCRIPT] = None
    copy.s[ANSWER] = 0
    copy.invalidate_memos()
    return copy


def find_deducible_cells(position: Position, seat: int) -> list[StateStorage]:
    """Returns the hidden bags and sets whose contents all players can deduce.

    This is the case if nothing else of the same type is hidden from the seat and all other members are visible. A
    determinization has the same contents there as the real position."""
    places: dict[str, list[StateStorage]] = {}
    for cell, _, raw in iter_hidden_entries(position, seat):
        if (kind := element_domain(cell.state.type)) is not None and cell.codec.size(raw):
            places.setdefault(kind, []).append(cell)
    for variable in position.live_variables():
        if not can_see_local(position, variable, seat):
            places.pop(domain_of(variable.type) or "", None)
    return [found[0] for found in places.values() if len(found) == 1 and isinstance(found[0].state.type, BagOf | SetOf)]


def mask_entry(position: Position, cell: StateStorage, raw: Any, entries: MaskingState) -> MaskedValue | tuple[MaskedValue, ...]:
    """Returns the placeholder for a hidden entry. The number of things in a set, list or pile is public (see
    `observe`), and so is whether a single place is occupied."""
    kind = cell.state.type
    if cell.width == 1 and isinstance(kind, ListOf | PileOf):
        return (MASKED,) * len(raw)
    if (
        cell.width == 1
        and isinstance(kind, OptionalOf)
        and isinstance(kind.of, MemberOf)
        and type(raw) is int
        and len(cell.sizes) == len(cell.enums)
    ):
        enum = position.game.model.enum_of(kind.of.name)
        return MaskedThing(entries, len(enum)) if enum is not None and enum.kind in ("enum", "pieces") else MASKED
    return MaskedSet(raw.bit_count()) if cell.width == 1 and isinstance(kind, SetOf) else MASKED


def iter_hidden_places(position: Position, cell: StateStorage, seat: int) -> Iterator[tuple[int, bool]]:
    """Yields the first slot of each place of a state that the seat may not see, and whether the place is empty.

    The number of things there is public. A slot that holds several places is hidden as a whole."""
    several = len(cell.sizes) < len(cell.enums)
    for n, index in enumerate(map(list, product(*map(range, cell.sizes)))):
        if several or not isinstance(cell.state.seen, int) or not can_see(position, cell, index, seat):
            yield cell.base + n * cell.width, not several and cell.codec.size(position.raw_at(cell, index)) == 0


def find_event_numbers(position: Position, event: RawEvent) -> PieceNumbers:
    """Returns the numbers by which players refer to the things in an event, if all values of the event are known."""
    return position.piece_numbers(event) if all(is_known(value) for _, _, value in position.decode_event(*event).slots) else {}


def is_public(event: GameEvent) -> bool:
    """Whether all values of an event are known."""
    return not event.secret and event.key != "chance" and all(is_known(value) for _, _, value in event.slots)


def is_known(value: Any) -> bool:
    """Whether a raw value contains no masked value."""
    return not isinstance(value, MaskedValue) and not (
        isinstance(value, tuple | list) and any(isinstance(part, MaskedValue) for part in value)
    )
