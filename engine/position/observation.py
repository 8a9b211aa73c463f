"""Observations: what a seat sees of a position, and what it learns from a step.

An observation (`observe`) contains every visible value. Of a hidden place it contains only the number of
things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from ...dsl.model.canonical import canonical_value
from ...dsl.storage.control_slots import RANDOM
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import ListOf, PileOf, Type, element_domain
from .position import Decision, GameEvent, Position
from .visibility import can_see, can_see_local, iter_hidden_entries

HIDDEN_MARK = "?"


def visible_names(decision: Decision) -> dict[str, tuple[Type, Any]]:
    """Returns the names with type and value that the deciding seat sees. The text of the question may use them."""
    position = decision.position
    return {v.name: (v.type, position.s[v.slot]) for v in decision.kind.scope
            if not v.name.startswith(".") and can_see_local(position, v, decision.seat)}


def observe(position: Position, seat: int | None) -> dict[str, Any]:
    """Returns everything that `seat` may know, as plain data.

    Two positions that differ only in what the seat may not see give equal observations."""
    states: list[Any] = []
    for cell in position.game.cells.values():
        if cell.state.seen == "open":
            states += cell.list_canonical_entries(position.s)
            continue
        for index, value in cell.iter_values(position.s):
            many = public_size(position, cell, value)
            shown = canonical_value(value) if can_see(position, cell, index, seat) else (HIDDEN_MARK, many)
            if cell.open_axis is None:
                states.append(shown)
            elif shown != (HIDDEN_MARK, None):                          # on an open board the index alone would reveal the value
                states.append((*index, shown))
    decision = position.decision
    asked = None
    if decision is not None:
        mine = decision.seat == seat or not decision.kind.secret
        asked = (decision.seat, decision.key, tuple(decision.codes) if mine else HIDDEN_MARK)
    frames = tuple(
        (v.name, canonical_value(position.s[v.slot]) if can_see_local(position, v, seat) else HIDDEN_MARK)
        for v in position.live_variables()
    )
    return {"states": tuple(states), "round": position.rounds, "asked": asked, "frames": frames}


def public_size(position: Position, cell: StateStorage, value: Any) -> Any:
    """Returns what everybody knows of a hidden place: the number of things, or their backs if they have backs.

    Returns None if even the number would reveal something."""
    kind = element_domain(cell.state.type)
    enum = position.game.model.enum_of(kind) if kind is not None else None
    if enum is None or enum.back is None:
        return cell.codec.size(value)
    backs = [canonical_value(enum.values[enum.back][thing]) for thing in cell.codec.parts(value)]
    return tuple(backs if isinstance(cell.state.type, ListOf | PileOf) else sorted(backs, key=repr))


def count_hidden(position: Position, seat: int | None) -> dict[str, Counter[int]]:
    """Counts the things that `seat` may not see, by kind of thing."""
    out: dict[str, Counter[int]] = {}
    for cell, _, value in iter_hidden_entries(position, seat):
        inner = element_domain(cell.state.type)
        if inner is not None:
            out.setdefault(inner, Counter()).update(cell.codec.parts(value))
    return out


def why_irrevocable(before: Position, after: Position, events: list[GameEvent], seats: Collection[int] | None = None) -> str | None:
    """Returns the reason why a step cannot be undone, or None if no seat learned anything.

    `chance`: something was drawn, rolled or shuffled. `revealed`: one of these seats (None: any seat) now sees
    something that was hidden."""
    if before.s[RANDOM] != after.s[RANDOM] or any(event.key == "chance" and event.slots for event in events):
        return "chance"
    people = range(before.game.players) if seats is None else seats
    if any(event.key == "chance" and any(seat != event.known for seat in people) for event in events):
        return "revealed"                                          # a number, or something derived from a hidden value
    if states_shown_to_chooser(after) - states_shown_to_chooser(before):
        return "revealed"
    for seat in people:
        was, now = count_hidden(before, seat), count_hidden(after, seat)
        if any(was[kind] - now.get(kind, Counter()) for kind in was):
            return "revealed"
    return None


def iter_received(before: Position, after: Position, seat: int) -> Iterator[tuple[StateStorage, list[int], bool]]:
    """Yields the things that came in from elsewhere, for each state that only this seat sees.

    The bool says whether the state is the first of the game with things of this kind, such as the hand. If equal things also
    moved between states of the seat, they moved to the states that the rules declare last, such as a pile of discards."""
    own = [cell for cell in after.game.cells.values()
           if isinstance(cell.state.seen, int) and not cell.state.inverted and element_domain(cell.state.type) is not None]
    came, left = dict[str, Counter[int]](), dict[str | None, Counter[int]]()
    for cell in own:
        was, now = count_visible_elements(before, cell, seat), count_visible_elements(after, cell, seat)
        came[cell.state.name] = now - was
        left.setdefault(element_domain(cell.state.type), Counter()).update(was - now)
    for cell in reversed(own):
        moved = came[cell.state.name] & left[element_domain(cell.state.type)]
        came[cell.state.name] -= moved
        left[element_domain(cell.state.type)] -= moved
    kinds = set[str | None]()
    for cell in own:
        kind = element_domain(cell.state.type)
        if found := sorted(came[cell.state.name].elements()):
            yield cell, found, kind not in kinds
        kinds.add(kind)


def count_visible_elements(position: Position, cell: StateStorage, seat: int) -> Counter[int]:
    """Counts the things in the entries of a state that `seat` may see."""
    return Counter(thing for index, value in cell.iter_values(position.s) if can_see(position, cell, index, seat)
                   for thing in cell.codec.parts(value))


def states_shown_to_chooser(position: Position) -> set[tuple[int, str]]:
    """Returns the hidden states that the deciding seat is choosing from: pairs of seat and state name."""
    decision = position.decision
    return set() if decision is None else {(decision.seat, name) for name in decision.kind.shows}
