"""Whether the order of two steps can make a difference. It cannot where neither reads or changes what the other changes, not both tell or
leave something to chance, and nobody is asked and nothing stopped in between. What procedures and defs do that a step uses counts to the
step. Whatever is in doubt makes a difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lark import Token

from ...dsl.syntax import tree

CHANGES = (tree.Assign, tree.Move, tree.Draw, tree.Shuffle, tree.Swap)
ASKS = (tree.Choose, tree.ChooseBlock, tree.Menu)
HEARD = (tree.Tell, tree.Draw, tree.Shuffle, *ASKS)                  # what is told of, or may be left to chance: in this order


@dataclass
class Deeds:
    """What a step or a declaration does: the words that it uses, those among them that it changes or makes; whether it tells or throws,
    asks, may stop."""

    words: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    heard: bool = False
    asks: bool = False
    ends: bool = False

    def add(self, other: Deeds) -> None:
        self.words |= other.words
        self.changed |= other.changed
        self.heard |= other.heard
        self.asks |= other.asks
        self.ends |= other.ends


class Order:
    """The declarations of a game."""

    def __init__(self, declarations: Iterable[Any]) -> None:
        self.own: dict[str, Deeds] = {}                            # what stands in a declaration itself, by its name
        self.whole: dict[str, Deeds] = {}                          # with what it uses
        for one in declarations:
            if isinstance(one, tree.Proc | tree.DefValue | tree.DefWhere):
                name = one.parts[0] if isinstance(one, tree.DefWhere) else one.name
                self.own.setdefault(str(name), Deeds()).add(deeds(one))
            elif isinstance(one, tree.State) and one.per is not None:                   # begins anew whenever this runs
                self.own.setdefault(str(one.per.scope), Deeds()).changed.add(str(one.name))

    def of(self, step: Any) -> Deeds:
        """What a step does, with all that it uses."""
        found = deeds(step)
        for word in sorted(found.words & self.own.keys()):
            found.add(self.named(word))
        return found

    def named(self, name: str) -> Deeds:
        """What a declaration does, with all that it uses."""
        if name not in self.whole:
            found, left, met = Deeds(), [name], {name}
            while left:
                found.add(self.own[left.pop()])
                new = (found.words & self.own.keys()) - met
                met |= new
                left += new
            self.whole[name] = found
        return self.whole[name]

    def matters(self, one: Any, other: Any) -> bool:
        """Whether it may make a difference which of two steps comes first."""
        first, second = self.of(one), self.of(other)
        named = not isinstance(other, tree.Let)                    # to give a name to something is nothing that anybody sees
        return (first.ends or second.ends or named and (first.asks or second.asks) or first.heard and second.heard
                or bool(first.changed & second.words or second.changed & first.words))


def deeds(part: Any) -> Deeds:
    """What is done in a part of the rules itself."""
    found = Deeds()
    for node in tree.walk(part):
        if isinstance(node, tree.Cites):
            continue
        found.words |= {str(token) for token in tokens(node)}
        found.heard |= isinstance(node, HEARD)
        found.asks |= isinstance(node, ASKS)
        found.ends |= isinstance(node, tree.Stop) or getattr(node, "or_stop", None) is not None
        if isinstance(node, CHANGES):
            places = [node.one, node.other] if isinstance(node, tree.Swap) else [node.target]
            places += [node.source] if isinstance(node, tree.Move | tree.Draw) else []
            found.changed |= {base(place) for place in places}
        elif isinstance(node, tree.Let):
            found.changed.add(str(node.name))
        elif isinstance(node, tree.Choose):                        # what was chosen is in sight below
            found.changed |= {str(one.name) for one in tree.walk(node.slots) if isinstance(one, tree.Binder | tree.BinderNumbered)}
    return found


def tokens(node: Any) -> Iterator[Token]:
    """The words that stand in a node itself."""
    for value in vars(node).values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Token):
                yield one


def base(place: Any) -> str:
    """The state that a place is in, or the name that was given."""
    return next((str(node.name) for node in tree.walk(place) if isinstance(node, tree.Name)), "")
