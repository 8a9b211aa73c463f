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


class TrackedValues:
    """The tracked values of one position, and their changes. Masked values, and values that cannot be computed now,
    are missing."""

    def __init__(self, names: list[str], position: Position, seat: int) -> None:
        self.game, self.seat = position.game, seat
        self.values = [value for name in names for value in find_tracked_values(self.game, name)]
        enums = self.game.model.enums
        self.places = [(n, index) for n, value in enumerate(self.values)
                       for index in product(*(range(len(enums[domain])) for domain in value.domains))]
        self.reads = [self.find_slots_read(value) for value in self.values]
        # caches by position; the reference keeps the id valid
        self.found: dict[int, tuple[Position, dict[ValueKey, Any]]] = {}
        self.affected: dict[int, set[int]] = {id(position): set(range(len(self.values)))}
        self.start = position
        self.before = self.read(position)

    def read(self, position: Position, keys: Iterable[ValueKey] | None = None) -> dict[ValueKey, Any]:
        """Returns all known values of a position by key, or `keys` those with these keys."""
        affected = self.find_affected(position)
        return {place: raw for place in (self.places if keys is None else keys)
                if (raw := self.value_at(position, place) if place[0] in affected else self.before.get(place, MASKED)) is not MASKED}

    def find_affected(self, position: Position) -> set[int]:
        """Returns the indices of the values that may differ from the first position, because they read a slot that
        differs. Computing only these saves most of the time."""
        if id(position) not in self.affected:
            self.found.setdefault(id(position), (position, {}))
            differ = {slots for slots in {one for some in self.reads for one in some} if slots_differ(self.start.s, position.s, slots)}
            self.affected[id(position)] = {n for n, some in enumerate(self.reads) if not differ.isdisjoint(some)}
        return self.affected[id(position)]

    def find_slots_read(self, value: TableValue) -> set[range]:
        """Returns the slots on which a value may depend: the round and the states that its def reads."""
        ruleset, cells = self.game.ruleset, self.game.cells.values()
        if value.cell is not None and value.cell.state.seen == "open":
            read = {value.cell.state.name}
        elif value.function is not None:
            read = ruleset.facts.effects.of[ruleset.public_defs[value.name][0]].reads
        else:
            read = {cell.state.name for cell in cells}             # who may see it depends on anything
        return {range(ROUND, ROUND + 1)} | {range(cell.base, cell.base + cell.count) for cell in cells if cell.state.name in read}

    def value_at(self, position: Position, place: ValueKey) -> Any:
        """Returns one value, or MASKED if it is not known."""
        _, found = self.found.setdefault(id(position), (position, {}))
        if place not in found:
            raw = read_value(self.values[place[0]], position, place[1], self.seat)
            found[place] = raw if is_known(raw) else MASKED
        return found[place]

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
