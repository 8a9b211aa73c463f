"""An option played on a copy, as far as no hidden thing, no die and no other person has a say.

On the copy everything that the seat may not see, and the generator, is covered: a `Cover` stands in its place. It can be laid on
something, counted up and put down elsewhere, for that needs no knowledge; any rule that must know what is under it stops right there. So
whatever is told is true of every position that the seat cannot tell from this one. What is drawn from a bag by chance is such a thing too:
how many are left, everybody knows.

Where a rule has been stopped in the middle, what has changed up to there may still be undone by the same rule. Then only those
changes count that have also come to stay in a few imagined worlds, which are the same whatever is really hidden.

What an option itself does and what then runs through by itself (the end of a turn) are told apart: wherever the rules go over to another
part of the course, a phase or the procedure of a member, the position is kept as it was until then.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from traceback import walk_tb
from types import FrameType
from typing import Any

from ...dsl.storage.control_slots import ANSWER, EVENTS, FIRST_STATE_SLOT, OPTIONS, RANDOM, SCRIPT
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import BagOf, ListOf, MemberOf, OptionalOf, PileOf, SetOf, domain_of
from ..position.call_context import ActiveProcedure, CallContext, EventLog, PieceNumbers, RawEvent, active_calls, current_context
from ..position.options import DECLINE
from ..position.position import Decision, Game, GameEvent, Position
from ..position.visibility import can_see, can_see_local, determinize_position, element_domain, iter_hidden_entries
from .unknown_values import MASKED, HiddenValueError, MaskedSet, MaskedSlot, MaskedThing, MaskedValue, MaskingState, make_masked_counts

DETERMINIZATIONS = 2                           # imagined worlds in which what was stopped is played to its end
MAX_FORCED_DECISIONS = 60                             # decisions with one option that are taken one after another
OPTIONS_PER_WORK_STEP = 6                             # options that a decision further on offers are as much work as a step of the game
OPEN_BOARD_STEP_COST = 2                          # on a board without an edge a step is as much work as so many others
MAX_EXTRA_MASKED = 3                           # places that are closed to the seat at a time, though it may look there
MAX_OPPONENT_LINES = 40                            # ways in which others may answer one after the other
DETERMINIZATION_SEED = 7                             # any number: what is imagined is to be the same each time


SlotRanges = tuple[range, ...]           # entries of a position
CoursePart = tuple[ActiveProcedure, ...]              # a part of the course: phases and procedures of members, the outermost first


@dataclass
class LookaheadResult:
    """What comes of an option: what is told on the way, and the position where it stops. `sure` when that is a decision or the end of the
    game; else a rule had to know what is covered, and `worlds` are positions in which it was played to its end; `where`: in the midst of
    what that was. `marks`: the parts of the course that were left, each with the position as it was then; `part` is the last one. `path`:
    the options that were taken for it."""

    told: list[GameEvent]
    after: Position
    sure: bool
    part: CoursePart = ()
    marks: list[tuple[CoursePart, Position]] = field(default_factory=list)
    path: tuple[int, ...] = ()
    imagined: Callable[[Sequence[int]], list[Position]] = lambda path: []      # the same options in imagined worlds
    luck: bool = False                                             # whether chance took something out of a closed place on the way
    where: tuple[ActiveProcedure, ...] = ()

    @cached_property
    def worlds(self) -> list[Position]:
        """Played when asked for: most of what is looked at on the way to something else says nothing that rests on them."""
        return [] if self.sure else self.imagined(self.path)

    @property
    def decision(self) -> Decision | None:
        """The decision that waits then, where this is known."""
        return self.after.decision if self.sure else None

    @property
    def over(self) -> bool:
        return self.sure and self.after.over


class TracedSlots(list[Any]):
    """A position's list that notes when the rules go over to another part of the course: that is, when they first write there."""

    def __init__(self, values: list[Any], game: Game, part: CoursePart) -> None:
        super().__init__(values)
        self.game, self.part = game, part
        self.marks: list[tuple[CoursePart, Position]] = []
        self.frame: FrameType | None = None                        # the function that wrote last
        self.where: tuple[ActiveProcedure, ...] = ()                          # what the rules were in the midst of when they were stopped

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, MaskedSlot):
            key.store_count(value)
            return
        if FIRST_STATE_SLOT <= (key.start if isinstance(key, slice) else key) < self.game.states_end:
            self.note_writer(sys._getframe(1))
        super().__setitem__(key, value)

    def note_writer(self, frame: FrameType) -> None:
        if frame is self.frame:
            return
        self.frame = frame
        self.enter_part(frame)

    def note_stop(self, error: BaseException) -> None:
        """Rules end here with an error: they may have gone over to another part without writing anything."""
        for frame, _ in walk_tb(error.__traceback__):
            last = frame
        self.where = tuple(active_calls(self.game.module, self, last))[::-1]
        self.enter_part(last)

    def enter_part(self, frame: FrameType) -> None:
        part = course_part(active_calls(self.game.module, self, frame))[::-1]
        if part != self.part:
            self.marks.append((self.part, Position(self.game, list(self))))
            self.part = part


def course_part(found: Iterable[ActiveProcedure]) -> CoursePart:
    """Of procedures those that are a part of the course; which member's they are only where everybody knows."""
    known = (replace(call, member=None) if call.secret or isinstance(call.member, MaskedValue) else call for call in found)
    return tuple(call for call in known if call.kind == "phase" or call.member is not None)


class Lookahead:
    """What the one who must decide can foresee of each option. `auto`: a decision with one option is taken by itself, one
    that others may not know of only for the person who is `alone` at the table."""

    def __init__(self, decision: Decision, auto: bool = True, alone: int | None = None) -> None:
        self.decision, self.seat, self.auto, self.alone = decision, decision.seat, auto, alone
        self.entries = MaskingState()
        self.start = mask_hidden(decision.position, decision.seat, self.entries)
        self.part = course_part(current_context(self.start.game.module, self.start.s).calls)
        self.found: dict[tuple[int, ...], LookaheadResult] = {}              # what was played, by the options that were taken
        self.places: list[SlotRanges] = []                             # where something covered came to lie among what the seat may look at
        self.step = OPEN_BOARD_STEP_COST if any(enum.kind == "open" for enum in decision.position.game.model.enums.values()) else 1
        self.work = 0                                              # the steps of the game that were played so far
        self._worlds: list[Position] | None = None

    def preview(self, code: int) -> LookaheadResult:
        """What comes of an option."""
        return self.extend(LookaheadResult([], self.start, True, self.part), code)

    def iter_continuations(self, ahead: LookaheadResult) -> Iterator[LookaheadResult]:
        """What comes of each way to go on, where the same person has to decide next and is not asked the same again."""
        decision = ahead.decision
        if decision is not None and decision.seat == self.seat and not self.is_repeat(ahead):
            for code in decision.codes:
                found = self.extend(ahead, code)
                self.work += len(found.after.s[OPTIONS]) // OPTIONS_PER_WORK_STEP if found.sure else 0
                yield found

    def is_repeat(self, ahead: LookaheadResult) -> bool:
        """Whether the same is asked again; not where one has just declined it, and it is asked about something else."""
        decision = ahead.decision
        return (decision is not None and decision.seat == self.seat and decision.key == self.decision.key
                and ahead.path[-1:] != (DECLINE,))

    def preview_declined(self, ahead: LookaheadResult) -> LookaheadResult | None:
        """What comes of it if the others, who are asked next, decline, as long as they are asked just that; None where they are not asked,
        or must answer. That somebody may decline is known where the options are: they were found on what is covered."""
        asked, so_far = ahead.decision, ahead
        while (decision := so_far.decision) is not None and asked is not None and decision.key == asked.key:
            if decision.seat == self.seat or decision.kind.secret or DECLINE not in decision.codes:
                break
            so_far = self.extend(so_far, DECLINE)
        return None if so_far is ahead else so_far

    def iter_decisions_in_turn(self, ahead: LookaheadResult) -> Iterator[list[Decision]]:
        """Who is asked the same after somebody else, whatever that one answers, and so on: the decision, for each way in which those before
        it may answer."""
        ways, first = [ahead], ahead.decision
        while first is not None and first.seat != self.seat and not first.kind.secret:
            if sum(len(way.decision or ()) for way in ways) > MAX_OPPONENT_LINES:
                return
            ways = [self.extend(way, code) for way in ways if way.decision is not None for code in way.decision.codes]
            found = [way.decision for way in ways if way.decision is not None and way.decision.key == first.key]
            if len(found) < len(ways) or len({one.seat for one in found}) > 1 or found[0].seat == self.seat:
                return
            yield found

    def stays_in_part(self, ahead: LookaheadResult) -> bool:
        """Whether what is asked then belongs to the part of the course in which is decided now."""
        return (
            ahead.decision is not None
            and course_part(current_context(ahead.after.game.module, ahead.after.s).calls)[: len(self.part)] == self.part
        )

    def find_exit_position(self, ahead: LookaheadResult) -> Position | None:
        """The position in which the rules left the part of the course in which is decided; None where they have not."""
        parts = [*(part for part, _ in ahead.marks[1:]), ahead.part]
        return next((position for (_, position), part in zip(ahead.marks, parts) if part[: len(self.part)] != self.part), None)

    def observe_outcome(self, ahead: LookaheadResult) -> tuple[Position, list[Position]]:
        """What an option itself makes of the table: the position as it is then, where what is covered is as it was before; and imagined
        ones in which what was stopped in the middle of a rule has come to its end: only what is so in all of them is certain."""
        left = self.find_exit_position(ahead)
        after = self.decision.position.copy()
        for n, raw in enumerate((left or ahead.after).s[FIRST_STATE_SLOT : self.decision.position.game.states_end], FIRST_STATE_SLOT):
            if is_known(raw):
                after.s[n] = raw
        after.invalidate_memos()
        return after, [] if left is not None or ahead.sure else ahead.worlds

    def extend(self, so_far: LookaheadResult, code: int) -> LookaheadResult:
        """What comes of one more option, played once however often it is asked for."""
        path = *so_far.path, code
        if path not in self.found:
            self.found[path] = self.explore(so_far, code)
        return self.found[path]

    def explore(self, so_far: LookaheadResult, code: int) -> LookaheadResult:
        """What comes of one more option. Where something covered comes to lie among what the seat may look at, it is played once more as if
        the seat could not look there: that goes further wherever nothing asks what lies there."""
        tried: dict[SlotRanges, LookaheadResult] = {}
        for met in self.places:                                    # what was met once is often met again: that goes on at once
            tried[met], _ = self.simulate_masked(so_far, code, met)
            if tried[met].sure and all(place.start in self.entries.laid for place in met):
                return tried[met]
        closed: SlotRanges = ()
        found, place = self.simulate(so_far, code)
        while place is not None and place not in closed and len(closed) < MAX_EXTRA_MASKED and place.stop <= self.start.game.states_end:
            closed = *closed, place
            if closed not in self.places:
                self.places.append(closed)
            tried[closed], place = self.simulate_masked(so_far, code, closed)
        return max(found, *tried.values(), key=lambda one: (one.sure, len(one.told), len(one.marks))) if tried else found

    def simulate_masked(self, so_far: LookaheadResult, code: int, places: SlotRanges) -> tuple[LookaheadResult, range | None]:
        """What comes of one more option, as if the seat could not look at these entries; and where else something covered would have come
        to lie among what it may look at."""
        closed = Position(self.start.game, list(so_far.after.s))
        for place in places:
            many = sum(so_far.after.s[place.start : place.stop])
            closed.s[place.start : place.stop] = (
                make_masked_counts(self.entries, len(place), many) if type(many) is int else [MASKED] * len(place)
            )
            self.entries.closed[place.start] = len(place)
        self.entries.laid.clear()
        try:
            return self.simulate(replace(so_far, after=closed), code)
        finally:
            for place in places:
                del self.entries.closed[place.start]

    def simulate(self, so_far: LookaheadResult, code: int) -> tuple[LookaheadResult, range | None]:
        """What comes of one more option; and where something covered would have come to lie among what the seat may look at."""
        game = self.start.game
        s = TracedSlots(so_far.after.s, game, so_far.part)
        s[EVENTS] = heard = EventLog(game.module, s)
        self.entries.s, self.entries.luck = s, so_far.luck
        after = Position(game, s)
        heard.called = partial(find_event_numbers, after) if game.piece_number_readers else None
        path = [*so_far.path, code]
        sure, place = True, None
        try:
            after.step(code)
            while len(path) < len(so_far.path) + MAX_FORCED_DECISIONS and self.is_forced(after):
                path.append(s[OPTIONS][0])
                after.step(path[-1])
        except Exception as error:                                 # Covered, what Python makes of a cover, or a rule that is at fault
            sure = False
            place = error.open_place if isinstance(error, HiddenValueError) else None
            s.note_stop(error)
        s.frame = None
        self.entries.s = []
        after = Position(game, list(s))
        after.s[EVENTS] = None
        told = [replace(event, midst=CallContext(event.midst.round, course_part(event.midst.calls))) for event in after.decode_events(heard)
                if is_public(event)]
        self.work += (len(path) - len(so_far.path) + sure) * self.step
        marks = [*so_far.marks, *s.marks]
        return LookaheadResult(
            [*so_far.told, *told], after, sure, s.part, marks, tuple(path), self.simulate_in_worlds, self.entries.luck, s.where
        ), place

    def is_predictable(self, code: int) -> bool:
        """Whether all that comes of an option up to the next decision is known beforehand, and chance has no say in it."""
        found = self.preview(code)
        return found.sure and not found.luck

    def is_forced(self, position: Position) -> bool:
        """Whether the decision that waits is none: it has one option, and nobody learns a secret by it."""
        decision = position.decision
        return (self.auto and decision is not None and len(decision) == 1
                and (not decision.kind.secret or decision.seat == self.alone))

    def simulate_in_worlds(self, path: Sequence[int]) -> list[Position]:
        """The same options in imagined worlds."""
        if self._worlds is None:
            self._worlds = [
                determinize_position(self.decision.position, self.seat, random.Random(DETERMINIZATION_SEED + n))
                for n in range(DETERMINIZATIONS)
            ]
        found = []
        for world in self._worlds:
            after = world.copy()
            self.work += len(path) * self.step
            try:
                codes = after.step(path[0])
                for code in path[1:]:
                    if code not in codes:
                        break
                    codes = after.step(code)
            except Exception:                                      # a rule fails in what is imagined: nothing is known from it
                continue
            found.append(after)
        return found


def mask_hidden(position: Position, seat: int, entries: MaskingState) -> Position:
    """A copy in which everything is covered that the seat may not see; `entries` will be those that are played on."""
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
    """Bags and sets that nobody looks into, and whose contents everybody can reckon: nothing else of their kind lies where the seat may
    not look, and all the rest lies open. What is imagined is the same there as what is."""
    places: dict[str, list[StateStorage]] = {}
    for cell, _, raw in iter_hidden_entries(position, seat):
        if (kind := element_domain(cell.state.type)) is not None and cell.codec.size(raw):
            places.setdefault(kind, []).append(cell)
    for variable in position.live_variables():
        if not can_see_local(position, variable, seat):
            places.pop(domain_of(variable.type) or "", None)
    return [found[0] for found in places.values() if len(found) == 1 and isinstance(found[0].state.type, BagOf | SetOf)]


def mask_entry(position: Position, cell: StateStorage, raw: Any, entries: MaskingState) -> MaskedValue | tuple[MaskedValue, ...]:
    """What stands for an entry that is covered: of a set, a list or a pile everybody knows how many things it holds (see `view`), and
    where one thing may lie, that it does."""
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
    """The first entry of each place of a state that the seat may not see, and whether nothing lies there: how many things do, everybody
    knows. An entry with several places in it is closed as a whole."""
    several = len(cell.sizes) < len(cell.enums)
    for n, index in enumerate(map(list, product(*map(range, cell.sizes)))):
        if several or not isinstance(cell.state.seen, int) or not can_see(position, cell, index, seat):
            yield cell.base + n * cell.width, not several and cell.codec.size(position.raw_at(cell, index)) == 0


def find_event_numbers(position: Position, event: RawEvent) -> PieceNumbers:
    """The numbers by which people call the things in an event, where all that it says is known: of others nothing is told."""
    return position.piece_numbers(event) if all(is_known(value) for _, _, value in position.decode_event(*event).slots) else {}


def is_public(told: GameEvent) -> bool:
    """Whether all that an event says is known."""
    return not told.secret and told.key != "chance" and all(is_known(value) for _, _, value in told.slots)


def is_known(value: Any) -> bool:
    """Whether nothing in a raw value is covered."""
    return not isinstance(value, MaskedValue) and not (
        isinstance(value, tuple | list) and any(isinstance(part, MaskedValue) for part in value)
    )
