"""Everything that a seat may know about one thing on the table, as lines: the answer of `look` on every screen.

    Tile 3                          its description, with the values that the seat may see
      ...
      Panel, row: value; value      rows of tables about a player, or the player's points
      [DS-12] ...                   clauses about it"""

from __future__ import annotations

from collections.abc import Sequence

from ..narration.narrator import Narrator
from ..narration.ownership import PLAYER_DOMAIN, OwnershipIndex
from ..position.points import has_points, points_by_seat
from ..position.position import Position
from ..table_view.inspect_item import ItemInspector, Thing
from ..table_view.view_model import GridPanel, Panel, join_words
from .describe import DescribableItem, describe_item

MAX_LISTED_CLAUSES = 4
INDENT = "  "


class ThingInspector:
    """Describes things on the table for a seat. `panels` is the table as the seat sees it."""

    def __init__(self, position: Position, narrator: Narrator, seat: int | None, panels: Sequence[Panel], width: int) -> None:
        self.position, self.narrator, self.panels, self.width = position, narrator, panels, width
        self.game = position.game
        self.about = ItemInspector(position, narrator, seat)

    def thing_lines(self, thing: Thing) -> list[str]:
        """Returns the lines about a thing, without its clauses."""
        first, *rest = self.about.describe(thing)
        printed = [line for line in self.printed_lines(*thing) if line.strip() not in rest]
        out = [printed[0] if printed and not self.about.has_label(thing) else first, *(INDENT + line for line in rest)]
        return [*out, *printed[1:], *(INDENT + line for line in self.player_lines(thing))]

    def clause_lines(self, thing: Thing) -> list[str]:
        """Returns the first clauses about a thing."""
        return [INDENT + clause for clause in self.about.clause_texts(thing)[:MAX_LISTED_CLAUSES]]

    def printed_lines(self, domain: str, n: int) -> list[str]:
        """Returns the description of a thing as in `show`: its text, its printed values, and its clauses."""
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.kind not in ("enum", "pieces") or f"{domain}.name" not in self.narrator.words.english:
            return []
        item = DescribableItem("member", enum.kind_or_name(n), domain)
        return describe_item(item, self.game, self.narrator, self.width, places=False)

    def player_lines(self, thing: Thing) -> list[str]:
        """Returns the rows of tables about a player and about things that belong to the player, or else the player's points.

        Returns nothing for other things."""
        owners = OwnershipIndex(self.game)
        if owners.canonical_domain(thing[0]) != PLAYER_DOMAIN:
            return []
        seat, out = thing[1], list[str]()
        own = {f"{enum.name}.{enum.members[n]}" for enum in self.game.model.enums.values()
               for n in owners.members_of_player(owners.canonical_domain(enum.name), seat, self.position)}
        for panel in self.panels:
            if not isinstance(panel, GridPanel):
                continue
            for row in (row for row in panel.rows if row[0] and row[0][0].style in own):
                told = [f"{head} {join_words(line)}".strip() for head, line in zip(panel.heads[1:], row[1:]) if join_words(line)]
                out += [f"{panel.title}, {row[0][0].words}: {'; '.join(told)}".removeprefix(", ")] if told else []
        if out or not has_points(self.game):
            return out
        score = points_by_seat(self.position)[seat]
        return [self.narrator.words.text("breakdown.who", who=self.narrator.player_name(seat), score=score)]


def find_named_things(about: ItemInspector, typed: str) -> list[Thing]:
    """Returns the things with exactly this name, on the table or in the rules (`Animal.reptile`)."""
    kind, _, member = typed.partition(".")
    enum = about.model.enum_of(kind) if member else None
    named = [(enum.name, n) for n in range(len(enum.members)) if enum.kind_or_name(n) == member] if enum is not None else []
    return about.find_exact(typed) or named
