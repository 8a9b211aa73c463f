"""Finds invariants that say what can be in a hidden place:

    always clues_hold: all(player in Player, slot in Slot, card in hand[player, slot]: card in possible[player, slot])

If everybody sees `possible`, everybody knows that each card there is one of these. A determinization then deals
only such cards to the place. A condition can also be about an attribute, as in `card.colour in colours[player, slot]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..types.types import MemberOf, SetOf
from .nodes import AllMembers, Attribute, Expr, Fold, GeneratorBinding, LocalRef, LocalVar, PrimOp, StateRef
from .program import Program
from .walk import split_conjuncts


class KnownContents(NamedTuple):
    """Everything in a place of the hidden state `place` is in the set `known[...]`, which everybody sees.

    `axes` are the axes of `place` that select the set, in the order of the axes of `known`. With an `attribute`, the
    set contains its value for each of the things."""

    place: str
    known: str
    axes: tuple[int, ...]
    attribute: str | None


def find_known_contents(program: Program) -> Iterator[KnownContents]:
    """Yields what the invariants say about the contents of hidden places."""
    for routine in program.always:
        for part in split_conjuncts(routine.value):
            match part:
                case Fold(kind="all", gens=(*outer, GeneratorBinding(local=thing, source=StateRef(state=place, index=index))), where=()):
                    axes = {gen.local for gen in outer if isinstance(gen.source, AllMembers)}
                    names = [one.local for one in index if isinstance(one, LocalRef)]
                    if program.states[place].seen != "open" and len(outer) == len(names) == len(index) and set(names) == axes:
                        for condition in split_conjuncts(part.value):
                            if (found := read_condition(program, condition, thing, names)) is not None:
                                yield KnownContents(place, *found)


def read_condition(
    program: Program, condition: Expr, thing: LocalVar, names: list[LocalVar]
) -> tuple[str, tuple[int, ...], str | None] | None:
    """Returns the state, the axes, and the attribute of a condition `thing in known[...]`, or None if it has another form.

    `names` are the names of the axes of the place."""
    match condition:
        case PrimOp(op="in", args=(tested, StateRef(state=known, index=index))) if program.states[known].seen == "open":
            attribute = tested.name if isinstance(tested, Attribute) else None
            tested = tested.thing if isinstance(tested, Attribute) else tested
            selected = [one.local for one in index if isinstance(one, LocalRef)]
            kind = program.states[known].type
            fits = isinstance(kind, SetOf) and isinstance(kind.of, MemberOf) and kind.of == condition.args[0].type
            fits = fits and len(selected) == len(index) and set(selected) <= set(names)
            if fits and isinstance(tested, LocalRef) and tested.local == thing:
                return known, tuple(map(names.index, selected)), attribute
    return None
