"""What texts may name: numbers of the data that the rules use, and things by their names.

Change a value (or lay a house rule over it) and every sentence says so, in every language.
"""

from __future__ import annotations

from ...dsl.model.model import Enumeration, Model, Table
from ...dsl.types.types import Int, Maybe, Of, SetOf
from .arguments import Noun

Known = dict[str, "int | Noun"]
THINGS = ("enum", "pieces", "player")                               # kinds of enumerations whose members have names
PAST = 30                                                           # tables are read at least up to here


def fields(model: Model, domain: str = "", member: str = "") -> Known:
    """What the texts of a game may name: its numbers, the names of all members, and a member's own numbers and attributes."""
    found: Known = {}
    for enum in model.enums.values():
        if enum.kind in THINGS:
            for n, name in enumerate(enum.members):
                kind = enum.kinds[n] if enum.kinds else name
                found.setdefault(name, Noun(f"{enum.name}.{kind}"))
                found.setdefault(kind, Noun(f"{enum.name}.{kind}"))
    found |= model.numbers
    if domain:
        own = model.enums[domain]
        at = own.first[member]
        for attribute, values in own.values.items():
            if isinstance(values[at], int) and not isinstance(own.attributes[attribute], Of | Maybe | SetOf):
                found[attribute] = values[at]
        found |= {key: value for (name, key), value in own.own.items() if name == own.members[at]}
    return found


def clause_values(model: Model) -> Known:
    """What the sentence of a clause may name: numbers (`size`), things (`tower`), numbers of things (`tower_price`, for an attribute or
    a number that only the tower has), and tables (`bonus_3`: the table `bonus` read at 3). What two would give differently, none gives;
    a name of a number or a thing goes first."""
    found: Known = {}
    unclear: set[str] = set()
    parts = [pair for enum in model.enums.values() if enum.kind in THINGS for pair in of_things(enum)]
    for name, value in [*parts, *(pair for table in model.tables.values() for pair in of_table(table))]:
        if found.setdefault(name, value) != value:
            unclear.add(name)
    return {name: value for name, value in found.items() if name not in unclear} | fields(model)


def of_things(enum: Enumeration) -> list[tuple[str, int]]:
    """`tower_price` with its value, for each member (or kind of piece) and each of its numbers."""
    out = []
    for n, member in enumerate(enum.members):
        name = enum.kinds[n] if enum.kinds else member
        out += [(f"{name}_{attribute}", enum.values[attribute][n]) for attribute, kind in enum.attributes.items() if isinstance(kind, Int)]
        out += [(f"{name}_{key}", value) for (owner, key), value in enum.own.items() if owner == member]
    return out


def of_table(table: Table) -> list[tuple[str, int]]:
    """`bonus_3` with its value, as the rules read it; also past the end of the row."""
    last = table.values[-1] if table.beyond == "last" else 0
    upto = max(table.first + len(table.values), PAST + 1)
    return [(f"{table.name}_{n}", table.values[n - table.first] if n - table.first < len(table.values) else last)
            for n in range(table.first, upto)]
