"""The story with what became of the values worth telling (`worth:` in table.yaml), decision by decision, where a game has words for it.

    became.<value>              it is otherwise than before: of {it}, {at}, {old}, {new}, as in `worth.<value>`
    became.<value>.less         of a number that has fallen; without a text nothing is said of that
    became.<value>.none         it is nothing now, or nought; so too
    became.<value>.not          it is no longer true; so too

They are whole sentences. Which lines are great and which slight, `news:` in table.yaml says.
Values are read on a copy on which all is covered that the listener may not see: nothing is told that rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...dsl.game.table_config import OTHERWISE, news_name, ways_to_write
from ...dsl.types.types import BagOf, ListOf, Maybe, Of, PileOf, SetOf, Type
from ..match.table import Step, Table
from ..narration.narrator import Slots, Teller
from ..narration.transcript import BECAME, Item, Story, asked_in
from ..table_view.theme import look_of
from .lookahead import covered
from .preview_parts import worded
from .tracked_values import Change, Worth
from .unknown_values import Entries

NOBODY = -1                          # a seat that sees what everybody sees


class Chronicle(Story):
    """The story of a game for one listener, with what became of what it is worth telling of."""

    def __init__(self, table: Table, teller: Teller, viewer: int | None) -> None:
        super().__init__(table, teller, viewer)
        self.worth = [one.name for one in look_of(table.game).worth or []
                      if any(teller.words.has(f"became.{one.name}{kind}") for kind in OTHERWISE)]
        self.known: tuple[int, Worth] | None = None                # the values read last, and before which step

    def became(self, n: int) -> Sequence[Item]:
        """What is otherwise after a step than before it."""
        step, out = self.table.steps[n], []
        if not self.worth or step.before is None or (before := self.at(n)) is None or (after := self.at(n + 1)) is None:
            return ()
        for change in before.changed(before.before, after.before, self.then(n + 1)):
            if (item := self.line(change, step)) is not None:
                out.append(item)
        return out

    def at(self, n: int) -> Worth | None:
        """The values before a step; after the last one those of now."""
        if self.known is None or self.known[0] != n:
            position = self.then(n)
            if position is None:
                return None
            seat = NOBODY if self.viewer is None else self.viewer
            self.known = n, Worth(self.worth, covered(position, seat, Entries()), seat)
        return self.known[1]

    def line(self, change: Change, step: Step) -> Item | None:
        """A value that is otherwise than before a step."""
        kind, slots, more = worded(self.teller.game, change, self.teller.words.has(f"became.{change.name}.more"))
        key = f"became.{change.name}.{kind}" if kind else f"became.{change.name}"
        if not self.teller.words.has(key):
            return None
        where = step.told[-1].midst if step.told else asked_in(step)
        mine = self.about_viewer(slots, step.before)
        said = self.teller.at(step.before, change.then).sentence(key, slots, None, None, **more)
        item = self.item(said, where, True, mine, idle=not mine)
        return replace(item, weight=self.weight(BECAME + change.name, slots))

    def weight(self, key: str, slots: Slots) -> int:
        """What `news:` in table.yaml says of such a line: 1 for a great one, -1 for a slight one, 0 where it says nothing."""
        return next((weight for name, weight in look_of(self.table.game).news.items() if self.means(name, key, slots)), 0)

    def means(self, name: str, key: str, slots: Slots) -> bool:
        """Whether a name of `news:` means such a line: by its key, or by its key and a thing that it is about."""
        named, member = news_name(name)
        return named in ways_to_write(key) and (not member or any(self.holds(kind, raw, member) for kind, raw in slots.values()))

    def holds(self, kind: Type, raw: Any, member: str) -> bool:
        """Whether a value is a thing of this name, or holds one."""
        codec = self.teller.game.codec(kind)
        if isinstance(kind, Of):
            enum = self.teller.game.model.enum_of(kind.name)
            return enum is not None and enum.kind != "open" and enum.called(raw) == member
        if isinstance(kind, BagOf):
            return any(many and self.holds(kind.of, n, member) for n, many in enumerate(raw))
        if isinstance(kind, Maybe):
            return bool(codec.size(raw)) and self.holds(kind.of, raw, member)
        return isinstance(kind, SetOf | ListOf | PileOf) and any(self.holds(kind.of, part, member) for part in codec.parts(raw))
