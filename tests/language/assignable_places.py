"""Implements the places that a rule can change: a state, an entry of a state, one count of a bag, or a local name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludoglot.dsl.core.nodes import CountOf, LocalRef, Target
from ludoglot.dsl.core.program import Routine, State
from ludoglot.dsl.types.types import BagOf, Int, OptionalOf, SetOf

from .reference_expressions import Env, Fault

if TYPE_CHECKING:
    from .reference_interpreter import Walker


@dataclass
class Frame:
    """A running procedure: the entry, its case, and the values of its names."""

    routine: Routine
    case: int | None
    env: Env


class Spot:
    """A place that can be changed, with indices that are evaluated once."""

    def __init__(self, walker: Walker, node: Target, frame: Frame) -> None:
        self.walker, self.frame, self.type = walker, frame, node.type
        self.state: State | None = None
        self.index: tuple = ()
        self.kind: int | None = None  # the kind in a bag whose count changes
        place: Any = node.bag if isinstance(node, CountOf) else node
        if isinstance(place, LocalRef):
            self.local = place.local
            return
        self.state = walker.program.states[place.state]
        self.index = tuple(walker.all_of(place.index, frame.env))
        if isinstance(node, CountOf):
            self.kind = walker.of(node.kind, frame.env)

    def get(self) -> Any:
        if self.state is None:
            return self.frame.env[self.local]
        value = self.walker.read(self.state, self.index)
        return value if self.kind is None else value[self.kind]

    def put(self, value: Any) -> None:
        if self.state is None:
            self.frame.env[self.local] = value
            return
        found = self.state.type.of if isinstance(self.state.type, OptionalOf) else self.state.type
        if self.kind is not None:
            found = Int(0, None)
        if isinstance(found, Int) and value is not None:
            low, high = found.low, found.high
            if low is not None and value < low or high is not None and value > high:
                if not self.state.saturating:
                    raise Fault("F003")
                value = low if low is not None and value < low else high
        if self.kind is not None:
            whole = self.walker.read(self.state, self.index)
            value = (*whole[: self.kind], value, *whole[self.kind + 1 :])
        self.walker.write(self.state, self.index, value)

    # ------------------------------------------------------------ adding and removing members

    def things(self) -> list:
        """Returns all members in the place in order, each copy separately."""
        value = self.get()
        if isinstance(self.type, BagOf):
            return [kind for kind, n in enumerate(value) for _ in range(n)]
        if isinstance(self.type, OptionalOf):
            return [] if value is None else [value]
        return sorted(value) if isinstance(value, frozenset) else list(value)

    def take(self, thing: Any) -> None:
        value = self.get()
        if thing not in self.things():
            raise Fault("F004")
        if isinstance(self.type, BagOf):
            self.put((*value[:thing], value[thing] - 1, *value[thing + 1 :]))
        elif isinstance(self.type, SetOf):
            self.put(value - {thing})
        elif isinstance(self.type, OptionalOf):
            self.put(None)
        else:
            at = value.index(thing)
            self.put(value[:at] + value[at + 1 :])

    def give(self, thing: Any) -> None:
        value = self.get()
        if isinstance(self.type, BagOf):
            self.put((*value[:thing], value[thing] + 1, *value[thing + 1 :]))
        elif isinstance(self.type, SetOf):
            self.put(value | {thing})
        elif isinstance(self.type, OptionalOf):
            if value is not None:
                raise Fault("F005")
            self.put(thing)
        else:
            self.put((*value, thing))
