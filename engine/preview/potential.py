"""The potential of a chosen thing: what a place that acts later would bring, as things
stand after the choice (`potential:` in table.yaml).

    outlook.<value>             a value of a thing that an option chooses, unless it is empty: {it}, {new}; for a number {n}"""

from __future__ import annotations

from collections.abc import Iterator

from ...dsl.game.table_config import TableValue, lookup_table_values
from ...dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..i18n import DeferredMessage
from ..narration.narrator import Narrator
from ..position.options import iter_things
from ..position.position import Decision, Game, Position
from ..table_view.theme import theme_of
from .lookahead import is_known
from .tracked_values import read_value
from .unknown_values import MASKED


class PotentialValues:
    """The potential of the things that the options of one decision choose, as statements."""

    def __init__(self, decision: Decision, narrator: Narrator) -> None:
        self.decision, self.narrator = decision, narrator
        game = narrator.game
        self.values = {
            kind: [value for name in names for value in find_potential_values(game, name, kind) if narrator.words.has(f"outlook.{name}")]
            for kind, names in theme_of(game).potential.items()
        }

    def iter_statements(self, code: int, after: Position) -> Iterator[tuple[DeferredMessage, tuple[int, int] | None]]:
        """Yields what is said about the potential of an option's things in the position after it. Hidden values are
        skipped. For an amount or a choice, yields also its rank in the list of the game, and the amount."""
        for domain, n in iter_things(self.narrator.game.codecs, self.decision.option(code).values) if self.values else ():
            for rank, value in enumerate(self.values.get(domain, ())):
                raw = read_value(value, after, (n,), self.decision.seat)
                if raw is not MASKED and is_known(raw) and not is_empty_value(self.narrator.game, value.type, raw):
                    amount = raw if isinstance(value.type, Int) else int(not isinstance(value.type, Bool))
                    yield self.narrator.with_numbers_at(after).statement(
                        f"outlook.{value.name}",
                        {"it": (MemberOf(domain), n), "new": (value.type, raw)},
                        None,
                        self.decision.seat,
                        **({"n": raw} if isinstance(value.type, Int) else {}),
                    ), (rank, amount) if amount else None


def find_potential_values(game: Game, name: str, kind: str) -> list[TableValue]:
    """Returns the value with this name for things of a type: a state or a def. The list has at most one entry."""
    return [one for one in lookup_table_values(game.ruleset, name) if one.attribute is None and one.domains == (kind,)][:1]


def is_empty_value(game: Game, kind: Type, raw: object) -> bool:
    """Whether a value is empty, zero or false."""
    if isinstance(kind, Int | Bool):
        return not raw
    return isinstance(kind, OptionalOf | BagOf | SetOf | ListOf | PileOf) and not game.codec(kind).size(raw)
