"""The YAML declarations of a game, ready for the checker.

They are enumerations, boards, tables, numbers, options and first values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..diagnostics.diagnostic import SourceSpan
from ..types.board_parts import PART_SIGNS, BoardParts
from ..types.boards import Board, GraphBoard
from ..types.types import Int, Type

PLACE_KINDS = ("cells", "open", *PART_SIGNS)                          # kinds of enumerations whose members are places of a board


@dataclass
class Enumeration:
    """A finite domain in its order. The raw value of a member is its index. Attribute values are encoded (codec.py)."""

    name: str
    members: list[str]
    kind: str = "enum"  # enum, player, cells, corners, edges, direction, option, pieces, open
    attributes: dict[str, Type] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)  # attribute -> value by member
    own: dict[tuple[str, str], Any] = field(default_factory=dict)  # (member, key) -> number that only this member has
    decides: str | None = None  # the state that holds the player who decides for a member
    numbered: str | None = None  # pieces: the state or def of the number that players use for one
    back: str | None = None  # the attribute that everybody sees, even of hidden members
    board: Board | None = None
    kinds: list[str] = field(default_factory=list)  # pieces: the kind of each member
    words: dict[str, dict[str, str]] = field(default_factory=dict)  # member (or "" for the type) -> name, text in English

    def __post_init__(self) -> None:
        self.index = {member: n for n, member in enumerate(self.members)}

    @cached_property
    def first_index(self) -> dict[str, int]:
        """The first index of each kind of pieces, or of each member of other enumerations."""
        found: dict[str, int] = {}
        for n, name in enumerate(self.kinds or self.members):
            found.setdefault(name, n)
        return found

    @cached_property
    def copies_by_kind(self) -> Counter[str]:
        """The number of pieces of each kind. Empty if the members are not pieces."""
        return Counter(self.kinds)

    @property
    def places(self) -> Board | BoardParts | None:
        """The board if the members are its cells, or the corners or the edges of it. None for other members."""
        return self.board.parts_of_kind(self.kind) if self.board is not None and self.kind in PART_SIGNS else self.board

    def kind_or_name(self, n: int) -> str:
        """Returns the name of a member in the data. For a piece, this is its kind."""
        return (self.kinds or self.members)[n]

    def copy_number(self, n: int) -> int:
        """Returns the number of a piece among those of its kind, from 1. For other members, the number of the member."""
        return n - (self.first_index[self.kinds[n]] if self.kinds else 0) + 1

    def __len__(self) -> int:
        return len(self.members)

    def __bool__(self) -> bool:
        return True  # an open board has no members but counts as present


@dataclass
class NumberTable:
    """A table of numbers whose first index is `first`. Beyond its end, it gives the last value or zero."""

    name: str
    values: list[int]
    first: int = 1
    beyond: str = "zero"


@dataclass
class GameOption:
    """An option of a game, with its allowed values and its default."""
    name: str
    values: list[Any]
    default: Any
    text: str = ""


@dataclass
class GameModel:
    """The declarations of one game, for one number of players and one setting of its options."""

    game: str
    path: str
    players: int
    player_range: tuple[int, int]
    settings: dict[str, Any]
    title: str = ""
    clauses: str = ""
    rule_files: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    enums: dict[str, Enumeration] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)  # another name for the same pieces
    boards: dict[str, Board] = field(default_factory=dict)
    tables: dict[str, NumberTable] = field(default_factory=dict)
    options: dict[str, GameOption] = field(default_factory=dict)
    start: dict[str, Any] = field(default_factory=dict)
    places: dict[str, SourceSpan] = field(default_factory=dict)  # declared name -> span
    texts: dict[str, tuple[str, SourceSpan]] = field(default_factory=dict)  # message key -> English, span

    def enum_of(self, type_name: str) -> Enumeration | None:
        """Returns the enumeration of a type name or an alias, or None."""
        return self.enums.get(self.aliases.get(type_name, type_name))

    def find_members(self, name: str) -> list[tuple[str, int]]:
        """Returns the enumerations that have a member `name`, with its index."""
        return [(e.name, e.index[name]) for e in self.enums.values() if name in e.index]

    def names_key(self) -> Hashable:
        """Returns a key of all names and their kinds.

        Variants with the same key resolve every name alike. Their cores differ at most in ranges of numbers. The number of
        players is not part of the key."""
        enums = tuple((e.name, () if e.kind == "player" else tuple(e.members), e.kind, e.decides, e.back, tuple(e.own),
                       tuple((name, None if isinstance(kind, Int) else kind) for name, kind in e.attributes.items()))
                      for e in self.enums.values())
        boards = tuple((b.name, b.cell_type, tuple(b.part_types.items()), tuple(b.labels), tuple(b.directions), b.open, tuple(b.borders),
                        tuple(b.named.items())) for b in self.boards.values())
        options = tuple((o.name, tuple(map(str, o.values))) for o in self.options.values())
        return tuple(self.numbers), enums, boards, options, tuple(self.tables), tuple(self.aliases.items()), tuple(self.start)

    def shape_key(self) -> Hashable:
        """Returns a key of everything that the checker may use: names, types, sizes, ranges of numbers.

        Variants with the same key pass or fail the checker alike. Other data is checked for each variant: values inside ranges,
        settings that are not numbers, first values."""
        enums = tuple(
            (e.name, tuple(e.members), e.kind, e.decides, e.back, tuple(e.kinds), tuple(sorted(e.own.items())),
             tuple((name, kind, value_range(e.values[name]) if isinstance(kind, Int) else None) for name, kind in e.attributes.items()))
            for e in self.enums.values())
        boards = tuple((b.name, b.shape, b.cell_type, tuple(b.part_types.items()), tuple(b.cells), tuple(b.labels),
                        tuple(b.directions.items()), b.open, b.flat, tuple(b.borders), tuple(b.named.items()),
                        tuple(b.paths) if isinstance(b, GraphBoard) else (), b.slantwise)
                       for b in self.boards.values())
        options = tuple((o.name, tuple(map(str, o.values)), self.settings[o.name] if all(type(v) is int for v in o.values) else None)
                        for o in self.options.values())
        tables = tuple((t.name, value_range(t.values), t.first, t.beyond) for t in self.tables.values())
        return (tuple(self.numbers.items()), enums, boards, options, tables, tuple(self.aliases.items()), tuple(self.start), self.players)


def value_range(values: list[int]) -> tuple[int, int]:
    """Returns the minimum and maximum of some numbers, or zeros."""
    return (min(values, default=0), max(values, default=0))
