"""What a chosen thing holds out, as things stand once it is chosen (`outlook:` in table.yaml): what a place that acts later would bring.

    outlook.<value>             one of the values of a thing that an option chooses, if more than nothing: {it}, {new}; of a number {n}
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dsl.game.table_config import Value, values_named
from ...dsl.types.types import BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from ..narration.narrator import Teller
from ..position.options import things_in
from ..position.position import Decision, Game, Position
from ..table_view.theme import look_of
from .lookahead import known
from .tracked_values import raw_of
from .unknown_values import COVER


class Outlook:
    """What the things that options of one decision choose hold out, in words."""

    def __init__(self, decision: Decision, teller: Teller) -> None:
        self.decision, self.teller = decision, teller
        game = teller.game
        self.values = {kind: [value for name in names for value in held_out(game, name, kind) if teller.words.has(f"outlook.{name}")]
                       for kind, names in look_of(game).outlook.items()}

    def of(self, code: int, after: Position) -> Iterator[str]:
        """What the things of an option hold out in the position that it makes; nothing of what the seat may not know."""
        for domain, n in things_in(self.teller.game.codecs, self.decision.option(code).values) if self.values else ():
            for value in self.values.get(domain, ()):
                raw = raw_of(value, after, (n,), self.decision.seat)
                if raw is not COVER and known(raw) and not empty(self.teller.game, value.type, raw):
                    yield self.teller.at(after).sentence(f"outlook.{value.name}", {"it": (Of(domain), n), "new": (value.type, raw)}, None,
                                               self.decision.seat, **({"n": raw} if isinstance(value.type, Int) else {}))


def held_out(game: Game, name: str, kind: str) -> list[Value]:
    """The value of this name about a thing of a type: a state or a def."""
    return [one for one in values_named(game.ruleset, name) if one.attribute is None and one.domains == (kind,)][:1]


def empty(game: Game, kind: Type, raw: object) -> bool:
    """Whether a value is nothing, nought or not true."""
    if isinstance(kind, Int | Bool):
        return not raw
    return isinstance(kind, Maybe | BagOf | SetOf | ListOf | PileOf) and not game.codec(kind).size(raw)
