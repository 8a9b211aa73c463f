"""Placeholders of a game's texts: numbers of the data that the rules use, and things by their names.

If an author or a house rule changes a value, every sentence in every language shows the new one."""

from __future__ import annotations

from ...dsl.model.model import Enumeration, GameModel, NumberTable
from ...dsl.types.types import Int, MemberOf, OptionalOf, SetOf
from .arguments import Noun

PlaceholderValues = dict[str, "int | Noun"]
NAMED_ENUM_KINDS = ("enum", "pieces", "player")                               # kinds of enums whose members have names
MIN_TABLE_INDEX_READ = 30                                                           # tables have placeholders up to this index at least


def text_placeholders(model: GameModel, domain: str = "", member: str = "") -> PlaceholderValues:
    """Returns the placeholders of a game's texts: its numbers, the names of all members, and the given member's own
    numbers."""
    found: PlaceholderValues = {}
    for enum in model.enums.values():
        if enum.kind in NAMED_ENUM_KINDS:
            for n, name in enumerate(enum.members):
                kind = enum.kinds[n] if enum.kinds else name
                found.setdefault(name, Noun(f"{enum.name}.{kind}"))
                found.setdefault(kind, Noun(f"{enum.name}.{kind}"))
    found |= model.numbers
    if domain:
        own = model.enums[domain]
        at = own.first_index[member]
        for attribute, values in own.values.items():
            if isinstance(values[at], int) and not isinstance(own.attributes[attribute], MemberOf | OptionalOf | SetOf):
                found[attribute] = values[at]
        found |= {key: value for (name, key), value in own.own.items() if name == own.members[at]}
    return found


def clause_values(model: GameModel) -> PlaceholderValues:
    """Returns the placeholders of clause sentences:

        {size}          a number of the game
        {tower}         a thing
        {tower_price}   a number of a thing: an attribute, or a constant of the tower alone
        {bonus_3}       the table `bonus` at 3

    A placeholder with two different meanings is left out. Names of numbers and things have priority over the
    other kinds."""
    found: PlaceholderValues = {}
    unclear: set[str] = set()
    parts = [pair for enum in model.enums.values() if enum.kind in NAMED_ENUM_KINDS for pair in member_number_placeholders(enum)]
    for name, value in [*parts, *(pair for table in model.tables.values() for pair in table_placeholders(table))]:
        if found.setdefault(name, value) != value:
            unclear.add(name)
    return {name: value for name, value in found.items() if name not in unclear} | text_placeholders(model)


def member_number_placeholders(enum: Enumeration) -> list[tuple[str, int]]:
    """Returns `tower_price` with its value, for each member (or kind of piece) and each of its numbers."""
    out = []
    for n, member in enumerate(enum.members):
        name = enum.kinds[n] if enum.kinds else member
        out += [(f"{name}_{attribute}", enum.values[attribute][n]) for attribute, kind in enum.attributes.items() if isinstance(kind, Int)]
        out += [(f"{name}_{key}", value) for (owner, key), value in enum.own.items() if owner == member]
    return out


def table_placeholders(table: NumberTable) -> list[tuple[str, int]]:
    """Returns `bonus_3` with its value as the rules read it, also beyond the last entry of the table."""
    last = table.values[-1] if table.beyond == "last" else 0
    upto = max(table.first + len(table.values), MIN_TABLE_INDEX_READ + 1)
    return [(f"{table.name}_{n}", table.values[n - table.first] if n - table.first < len(table.values) else last)
            for n in range(table.first, upto)]
