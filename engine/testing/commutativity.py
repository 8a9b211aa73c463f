"""Whether the order of two steps can make a difference. It cannot where neither reads or changes what the other changes, not both tell or
leave something to chance, and nobody is asked and nothing stopped in between. What procedures and defs do that a step uses counts to the
step. Whatever is in doubt makes a difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token

from ...dsl.syntax import tree

CHANGING_NODES = (tree.Assign, tree.Move, tree.Draw, tree.Shuffle, tree.Swap)
ASKING_NODES = (tree.Choose, tree.ChooseBlock, tree.Menu)
# what is told of, or may be left to chance: in this order
ORDERED_NODES = (tree.Tell, tree.Draw, tree.Shuffle, *ASKING_NODES)


@dataclass
class StepEffects:
    """What a step or a declaration does: the words that it uses, those among them that it changes and that it calls; whether it tells or
    throws, asks, may stop."""

    words: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)                    # names given, for those below
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
    """The declarations of a game."""

    def __init__(self, declarations: Iterable[Any]) -> None:
        self.own: dict[str, StepEffects] = {}                            # what stands in a declaration itself, by its name
        self.whole: dict[str, StepEffects] = {}                          # with what it uses
        self.defs: set[str] = set()
        for one in declarations:
            if isinstance(one, tree.Proc | tree.DefValue | tree.DefWhere):
                name = one.parts[0] if isinstance(one, tree.DefWhere) else one.name
                self.own.setdefault(str(name), StepEffects()).add(direct_effects(one))
                if not isinstance(one, tree.Proc):
                    self.defs.add(str(name))
            elif isinstance(one, tree.State) and one.per is not None:                   # begins anew whenever this runs
                self.own.setdefault(str(one.per.scope), StepEffects()).changed.add(str(one.name))

    def total_effects(self, own: StepEffects) -> StepEffects:
        """What a step does, with all that it uses, from what it does itself."""
        found = replace(own, words=set(own.words), changed=set(own.changed), called=set(own.called))
        for word in self.find_used(own):
            found.add(self.declaration_effects(word))
        return found

    def find_used(self, found: StepEffects) -> set[str]:
        """The declarations that something uses: a procedure where it is called, a def wherever its name stands."""
        return found.words & self.defs | found.called & self.own.keys()

    def declaration_effects(self, name: str) -> StepEffects:
        """What a declaration does, with all that it uses."""
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
        """Whether it may make a difference which of two steps comes first."""
        own, others = direct_effects(one), direct_effects(other)
        first, second = self.total_effects(own), self.total_effects(others)
        if not isinstance(other, tree.Let) and (first.ends or second.ends or first.asks or second.asks or first.heard and second.heard):
            return True                                            # to give a name to something is nothing that anybody sees
        made = own.made & others.words or others.made & own.words
        return bool(made or first.changed & second.words or second.changed & first.words) and not is_same_accumulation(one, other)


def direct_effects(part: Any) -> StepEffects:
    """What is done in a part of the rules itself."""
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
        elif isinstance(node, tree.Choose):                        # what was chosen is in sight below
            found.made |= {str(one.name) for one in tree.walk(node.slots) if isinstance(one, tree.Binder | tree.BinderNumbered)}
    return found


def is_same_accumulation(one: Any, other: Any) -> bool:
    """Whether two steps add to the same, or take from it: which comes first does not matter for numbers and sets."""
    if not (isinstance(one, tree.Assign) and isinstance(other, tree.Assign) and one.op == other.op and one.op in ("+=", "-=")):
        return False
    plain = all(isinstance(step.value, tree.Number | tree.SetLiteral) for step in (one, other))
    beyond = [part for step in (one, other) for part in (*index_parts(step.target), step.value)]
    words = {str(token) for node in tree.walk(beyond) for token in iter_tokens(node)}
    return plain and base_name(one.target) == base_name(other.target) and base_name(one.target) not in words


def index_parts(place: Any) -> list[Any]:
    """The indices of a place."""
    return list(place.parts[1:]) if isinstance(place, tree.At) else []


def iter_tokens(node: Any) -> Iterator[Token]:
    """The words that stand in a node itself."""
    for value in vars(node).values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Token):
                yield one


def base_name(place: Any) -> str:
    """The state that a place is in, or the name that was given."""
    return next((str(node.name) for node in tree.walk(place) if isinstance(node, tree.Name)), "")
