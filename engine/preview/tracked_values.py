"""The changes that an option makes to the tracked values of a game (`watch:` in table.yaml)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ...dsl.game.table_config import TableValue, lookup_table_values
from ...dsl.storage.control_slots import ROUND
from ...dsl.types.types import Type
from ..position.position import Game, Position
from ..position.visibility import can_see
from .lookahead import LookaheadResult, is_known
from .unknown_values import MASKED, HiddenValueError

ValueKey = tuple[int, tuple[int, ...]]                                # index of the tracked value, and the members


@dataclass(frozen=True)
class ValueChange:
    """The change of one tracked value: its key, the members it belongs to, the old and
    the new raw value, and the position after it."""

    place: ValueKey
    name: str
    about: tuple[tuple[str, int], ...]                             # members as type and number
    type: Type
    old: Any
    new: Any
    then: Position | None = field(default=None, compare=False)


@dataclass
class ValueCache:
    """The computed values of one tracked value, by key: single ones, or MASKED if unknown. `complete` has all known ones, or is None."""

    values: dict[ValueKey, Any] = field(default_factory=dict)
    complete: dict[ValueKey, Any] | None = None


class TrackedValues:
    """The tracked values of one position, and their changes. Masked values, and values that cannot be computed now,
    are missing."""

    def __init__(self, names: list[str], position: Position, seat: int) -> None:
        self.game, self.seat = position.game, seat
        self.values = [value for name in names for value in find_tracked_values(self.game, name)]
        enums = self.game.model.enums
        self.places = [[(n, index) for index in product(*(range(len(enums[domain])) for domain in value.domains))]
                       for n, value in enumerate(self.values)]
        self.reads = [self.find_slots_read(value) for value in self.values]
        self.slots_read = {slots for some in self.reads for slots in some}
        # values that read the same slots are equal: caches by position (the reference keeps its id valid), and by the slots' contents
        self.found: dict[int, tuple[Position, list[ValueCache]]] = {}
        self.shared: dict[tuple[int, ...], ValueCache] = {}
        self.contents: dict[tuple[Any, ...], int] = {}
        self.start = position
        self.before = self.read(position)

    def read(self, position: Position, keys: Iterable[ValueKey] | None = None) -> dict[ValueKey, Any]:
        """Returns all known values of a position by key, or `keys` those with these keys."""
        read: dict[ValueKey, Any] = {}
        caches = self.caches_of(position)
        if keys is None:
            for found, places in zip(caches, self.places):
                read |= found.complete if found.complete is not None else self.compute_all(found, position, places)
            return read
        for place in keys:
            if (raw := self.compute_value(caches[place[0]], position, place)) is not MASKED:
                read[place] = raw
        return read

    def compute_all(self, found: ValueCache, position: Position, places: Sequence[ValueKey]) -> dict[ValueKey, Any]:
        """Computes all of one tracked value, and notes what is known of it."""
        found.complete = {place: raw for place in places if (raw := self.compute_value(found, position, place)) is not MASKED}
        return found.complete

    def caches_of(self, position: Position) -> list[ValueCache]:
        """Returns, for each tracked value, the cache of this position. Positions in which the slots that a value
        reads have the same contents share it, because computing a value takes most of the time."""
        known = self.found.get(id(position))
        if known is None:
            changed: dict[range, int] = {}                         # a number for each content that a range of slots has
            caches = []
            unhashable = set()
            for slots in self.slots_read:
                if slots_differ(self.start.s, position.s, slots):
                    try:
                        changed[slots] = self.contents.setdefault((slots, *position.s[slots.start : slots.stop]), len(self.contents))
                    except (HiddenValueError, TypeError):          # a masked value equals only itself, and a list has no hash
                        unhashable.add(slots)
            for n, some in enumerate(self.reads):
                key = n, *(changed[slots] for slots in some if slots in changed)
                caches.append(self.shared.setdefault(key, ValueCache()) if unhashable.isdisjoint(some) else ValueCache())
            known = self.found[id(position)] = position, caches
        return known[1]

    def find_slots_read(self, value: TableValue) -> list[range]:
        """Returns the slots on which a value may depend: the round and the states that its def reads."""
        ruleset, cells = self.game.ruleset, self.game.cells.values()
        if value.cell is not None and value.cell.state.seen == "open":
            read = {value.cell.state.name}
        elif value.function is not None:
            read = ruleset.facts.effects.of[ruleset.public_defs[value.name][0]].reads
        else:
            read = {cell.state.name for cell in cells}             # who may see it depends on anything
        return [range(ROUND, ROUND + 1), *(range(cell.base, cell.base + cell.count) for cell in cells if cell.state.name in read)]

    def value_at(self, position: Position, place: ValueKey) -> Any:
        """Returns one value, or MASKED if it is not known."""
        return self.compute_value(self.caches_of(position)[place[0]], position, place)

    def compute_value(self, found: ValueCache, position: Position, place: ValueKey) -> Any:
        """Returns one value from its cache, or computes it for the cache."""
        if place not in found.values:
            raw = read_value(self.values[place[0]], position, place[1], self.seat)
            found.values[place] = raw if is_known(raw) else MASKED
        return found.values[place]

    def list_changes(
        self, outcome: LookaheadResult, stages: Sequence[Position] = (), keys: Iterable[ValueKey] | None = None
    ) -> list[list[ValueChange]]:
        """Returns the certain changes up to each of these stages and up to the end, each list relative to the stage
        before it. `keys` restricts them to these keys."""
        found: list[list[ValueChange]] = []
        before = self.before if keys is None else {place: self.before[place] for place in keys if place in self.before}
        for stage in (*stages, outcome.after):
            after = self.read(stage, before)
            unsure = stage is outcome.after and not outcome.sure
            found.append([])
            for change in self.iter_changes(before, after, stage):
                if not unsure or outcome.worlds and all(self.has_value(world, change.place, change.new) for world in outcome.worlds):
                    found[-1].append(change)
            before = before | after
        return found

    def iter_changes(self, before: dict[ValueKey, Any], after: dict[ValueKey, Any], then: Position | None = None) -> Iterator[ValueChange]:
        """Yields the changes from `before` to `after`. A value missing in `after` counts as unchanged."""
        for place, old in before.items():
            new = after.get(place, old)
            if new != old:
                value = self.values[place[0]]
                yield ValueChange(place, value.name, tuple(zip(value.domains, place[1])), value.type, old, new, then)

    def has_value(self, world: Position, place: ValueKey, new: Any) -> bool:
        """Whether a value is known in this position and equals `new`."""
        raw = self.value_at(world, place)
        return raw is not MASKED and bool(raw == new)


def slots_differ(some: Sequence[Any], others: Sequence[Any], slots: range) -> bool:
    """Whether two positions may differ in these slots. A masked value equals only itself."""
    try:
        return bool(some[slots.start : slots.stop] != others[slots.start : slots.stop])
    except HiddenValueError:
        return True


def find_tracked_values(game: Game, name: str) -> list[TableValue]:
    """Returns the tracked value with this name: a state or a def of no, one or two members. The list has at most one
    entry."""
    return [value for value in lookup_table_values(game.ruleset, name) if value.attribute is None and len(value.domains) <= 2
            and all(domain in game.model.enums and game.model.enums[domain].kind != "open" for domain in value.domains)][:1]


def read_value(value: TableValue, position: Position, index: tuple[int, ...], seat: int) -> Any:
    """Returns the raw value for these members, or MASKED if the seat may not see it or if it cannot be computed."""
    try:
        if value.cell is not None:
            return position.raw_at(value.cell, list(index)) if can_see(position, value.cell, list(index), seat) else MASKED
        return MASKED if value.function is None else value.function(position.s, *index)
    except Exception:                                              # it depends on a masked value, or is undefined for these members
        return MASKED
