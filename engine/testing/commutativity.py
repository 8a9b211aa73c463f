"""Decides whether the order of two steps of a procedure can matter.

The order does not matter if all of these hold:

* Neither step reads or changes what the other changes.
* At most one of them emits events or uses chance.
* Neither asks a player or may stop.

The effects of procedures and defs count for each step that uses them. In doubt, the order matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token

from ...dsl.syntax import tree

CHANGING_NODES = (tree.Assign, tree.Move, tree.Draw, tree.Shuffle, tree.Swap)
ASKING_NODES = (tree.Choose, tree.ChooseBlock, tree.Menu)
# emit events or may use chance: their order is visible
ORDERED_NODES = (tree.Tell, tree.Draw, tree.Shuffle, *ASKING_NODES)


@dataclass
class StepEffects:
    """The effects of a step or a declaration.

    `words` are the names that it uses, `changed` and `called` the states and procedures among them. `made` are
    names that it binds. `heard` means that it emits events or uses chance, `asks` that it asks a player, `ends`
    that it may stop."""

    words: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)                    # names that the steps below can use
    heard: bool = False
    asks: bool = False
    ends: bool = False

    def add(self, other: StepEffects) -> None:
        self.words |= other.words
        self.changed |= other.changed
        self.called |= other.called
        self.heard |= other.heard
        self.asks |= other.asks
        self.ends |= other.ends


class CommutativityChecker:
    """Decides whether the order of steps matters, for the declarations of one game."""

    def __init__(self, declarations: Iterable[Any]) -> None:
        self.own: dict[str, StepEffects] = {}                            # direct effects of each declaration, by name
        self.whole: dict[str, StepEffects] = {}                          # total effects, including the declarations that it uses
        self.defs: set[str] = set()
        for one in declarations:
            if isinstance(one, tree.Proc | tree.DefValue | tree.DefWhere):
                name = one.parts[0] if isinstance(one, tree.DefWhere) else one.name
                self.own.setdefault(str(name), StepEffects()).add(direct_effects(one))
                if not isinstance(one, tree.Proc):
                    self.defs.add(str(name))
            elif isinstance(one, tree.State) and one.per is not None:                   # the scope resets it whenever it runs
                self.own.setdefault(str(one.per.scope), StepEffects()).changed.add(str(one.name))

    def total_effects(self, own: StepEffects) -> StepEffects:
        """Returns the total effects of a step, from its direct effects and those of the declarations that it uses."""
        found = replace(own, words=set(own.words), changed=set(own.changed), called=set(own.called))
        for word in self.find_used(own):
            found.add(self.declaration_effects(word))
        return found

    def find_used(self, found: StepEffects) -> set[str]:
        """Returns the declarations that are used: procedures that are called, and defs that are named."""
        return found.words & self.defs | found.called & self.own.keys()

    def declaration_effects(self, name: str) -> StepEffects:
        """Returns the total effects of a declaration, including the declarations that it uses."""
        if name not in self.whole:
            found, left, met = StepEffects(), [name], {name}
            while left:
                found.add(self.own[left.pop()])
                new = self.find_used(found) - met
                met |= new
                left += new
            self.whole[name] = found
        return self.whole[name]

    def order_matters(self, one: Any, other: Any) -> bool:
        """Whether the order of two consecutive steps may make a difference."""
        own, others = direct_effects(one), direct_effects(other)
        first, second = self.total_effects(own), self.total_effects(others)
        if not isinstance(other, tree.Let) and (first.ends or second.ends or first.asks or second.asks or first.heard and second.heard):
            return True                                            # a `let` has no visible effect
        made = own.made & others.words or others.made & own.words
        return bool(made or first.changed & second.words or second.changed & first.words) and not is_same_accumulation(one, other)


def direct_effects(part: Any) -> StepEffects:
    """Returns the direct effects of a part of the rules."""
    found = StepEffects()
    for node in tree.walk(part):
        if isinstance(node, tree.Cites):
            continue
        found.words |= {str(token) for token in iter_tokens(node)}
        found.heard |= isinstance(node, ORDERED_NODES)
        found.asks |= isinstance(node, ASKING_NODES) and not isinstance(node.by, tree.ByChance)
        found.ends |= isinstance(node, tree.Stop) or getattr(node, "or_stop", None) is not None
        if isinstance(node, CHANGING_NODES):
            places = [node.one, node.other] if isinstance(node, tree.Swap) else [node.target]
            places += [node.source] if isinstance(node, tree.Move | tree.Draw) else []
            found.changed |= {base_name(place) for place in places}
        elif isinstance(node, tree.Call | tree.After):
            found.called.add(base_name(node.target))
        elif isinstance(node, tree.Let):
            found.made.add(str(node.name))
        elif isinstance(node, tree.Choose):                        # the steps below see the chosen values
            found.made |= {str(one.name) for one in tree.walk(node.slots) if isinstance(one, tree.Binder | tree.BinderNumbered)}
    return found


def is_same_accumulation(one: Any, other: Any) -> bool:
    """Whether both steps add constants to the same state, or both subtract: then their order does not matter."""
    if not (isinstance(one, tree.Assign) and isinstance(other, tree.Assign) and one.op == other.op and one.op in ("+=", "-=")):
        return False
    plain = all(isinstance(step.value, tree.Number | tree.SetLiteral) for step in (one, other))
    beyond = [part for step in (one, other) for part in (*index_parts(step.target), step.value)]
    words = {str(token) for node in tree.walk(beyond) for token in iter_tokens(node)}
    return plain and base_name(one.target) == base_name(other.target) and base_name(one.target) not in words


def index_parts(place: Any) -> list[Any]:
    """Returns the indices of an assigned place."""
    return list(place.parts[1:]) if isinstance(place, tree.At) else []


def iter_tokens(node: Any) -> Iterator[Token]:
    """Yields the tokens of a node itself, without its child nodes."""
    for value in vars(node).values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Token):
                yield one


def base_name(place: Any) -> str:
    """Returns the state or the local name that a place belongs to."""
    return next((str(node.name) for node in tree.walk(place) if isinstance(node, tree.Name)), "")
