"""Placeholders of a game's texts: numbers of the data that the rules use, and things by their names.

If an author or a house rule changes a value, every sentence in every language shows the new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ...dsl.model.model import Enumeration, GameModel, NumberTable
from ...dsl.types.types import BagOf, Int, MemberOf, OptionalOf, SetOf
from .arguments import CountedNoun, Noun

PlaceholderValue: TypeAlias = "int | Noun | list[CountedNoun]"
PlaceholderValues = dict[str, PlaceholderValue]
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
        found.update(bag_placeholders(model, own, at))
        found |= {key: value for (name, key), value in own.own.items() if name == own.members[at]}
    return found


def clause_values(model: GameModel) -> PlaceholderValues:
    """Returns the placeholders of clause sentences:

        {size}          a number of the game
        {tower}         a thing
        {tower_price}   a number of a thing: an attribute, or a constant of the tower alone
        {tower_cost}    an amount of each kind: a bag as an attribute, written "2 stones and 1 rope"
        {bonus_3}       the table `bonus` at 3

    A placeholder with two different meanings is left out. Names of numbers and things have priority over the
    other kinds."""
    found: PlaceholderValues = {}
    unclear: set[str] = set()
    named = [enum for enum in model.enums.values() if enum.kind in NAMED_ENUM_KINDS]
    parts: list[tuple[str, PlaceholderValue]] = [pair for enum in named for pair in member_number_placeholders(enum)]
    parts += [(f"{enum.kinds[n] if enum.kinds else member}_{name}", amounts)
              for enum in named for n, member in enumerate(enum.members) for name, amounts in bag_placeholders(model, enum, n)]
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


def bag_placeholders(model: GameModel, enum: Enumeration, n: int) -> Iterator[tuple[str, list[CountedNoun]]]:
    """Yields each bag of a member by the name of its attribute, if the kinds in the bag have names."""
    for attribute, kind in enum.attributes.items():
        of = model.enums.get(kind.of.name) if isinstance(kind, BagOf) else None
        if of is not None and of.kind in NAMED_ENUM_KINDS:
            yield attribute, count_nouns(of, enum.values[attribute][n])


def count_nouns(enum: Enumeration, amounts: Sequence[int]) -> list[CountedNoun]:
    """Returns the amounts of each member of a type, without those that are zero."""
    return [CountedNoun(amount, Noun(f"{enum.name}.{enum.kinds[n] if enum.kinds else enum.members[n]}"))
            for n, amount in enumerate(amounts) if amount]


def table_placeholders(table: NumberTable) -> list[tuple[str, int]]:
    """Returns `bonus_3` with its value as the rules read it, also beyond the last entry of the table."""
    last = table.values[-1] if table.beyond == "last" else 0
    upto = max(table.first + len(table.values), MIN_TABLE_INDEX_READ + 1)
    return [(f"{table.name}_{n}", table.values[n - table.first] if n - table.first < len(table.values) else last)
            for n in range(table.first, upto)]


def placeholder_type(value: PlaceholderValue) -> str:
    """Returns the type of a placeholder in the terms of the text check: `int`, a noun, or the family of the nouns in a bag."""
    if isinstance(value, int):
        return "int"
    return value.key if isinstance(value, Noun) else value[0].noun.key.partition(".")[0] if value else "text"
