"""Paths to values of a game's data, as people write them (`purse`, `Card.pie.price`), resolved to paths of keys."""

from __future__ import annotations

from typing import Any

from ..diagnostics.diagnostic import did_you_mean
from .source import DATA_SECTIONS, TEXT_KEYS, GameSource

ValuePath = tuple[Any, ...]
GAME_KEYS = ("name", "text", "players")
SECTION_KEYS = {"tables": ("values", "from", "beyond"), "boards": ("columns", "rows", "radius", "names", "points", "lines", "near"),
      "options": ("default", "values", "only", *TEXT_KEYS)}


def value_path(source: GameSource, key: str) -> ValuePath | None:
    """Returns the data path of a written path such as `Card.joker.points` or `width`, or None."""
    data, parts = source.data, key.split(".")
    if len(parts) == 1:
        if parts[0] in data["numbers"]:
            return ("numbers", parts[0])
        return (parts[0],) if parts[0] in GAME_KEYS else None
    if parts[0] == "start":
        return _start_path(data["start"], parts[1:])
    for section, words in SECTION_KEYS.items():
        if len(parts) == 2 and parts[0] in data[section]:
            return (section, *parts) if parts[1] in words else None
    return _type_path(data, parts)


def _start_path(start: dict[str, Any], parts: list[str]) -> ValuePath | None:
    """Returns the data path of a first value: of a whole state, or of one entry of it."""
    node: Any = start
    for n, part in enumerate(parts):
        last = n == len(parts) - 1
        if not isinstance(node, dict) or part not in node and not (last and n):
            return None
        node = node.get(part)
    return ("start", *parts)


def _type_path(data: dict[str, Any], parts: list[str]) -> ValuePath | None:
    """Returns the data path of a value that belongs to a type or to one of its members, or None."""
    enum, pieces = data["enums"].get(parts[0]), data["pieces"].get(parts[0])
    if isinstance(enum, dict):
        inner, found = ("enums", "members"), enum
    elif isinstance(pieces, dict):
        inner, found = ("pieces", "copies"), pieces
    else:
        return None
    if parts[1:] == ["name"]:
        return (inner[0], *parts)
    if len(parts) != 3:
        return None
    attributes = found.get("attributes", {})
    if parts[1] == "defaults":
        return (inner[0], *parts) if parts[2] in attributes else None
    member = found[inner[1]].get(parts[1], False)
    if member is False or parts[2] not in (member or {}) and parts[2] not in attributes and parts[2] not in TEXT_KEYS:
        return None
    return (inner[0], parts[0], inner[1], *parts[1:])


def member_path(source: GameSource, key: str) -> ValuePath | None:
    """Returns the data path of a member or kind of pieces such as `Card.pie`, or None."""
    domain, _, member = key.partition(".")
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        found = source.data[section].get(domain)
        if isinstance(found, list) and member in found:
            return (section, domain, member)
        if isinstance(found, dict) and member in found[inner]:
            return (section, domain, inner, member)
    return None


def value_names(source: GameSource) -> list[str]:
    """Returns the written paths of all current values."""
    data = source.data
    names = [*data["numbers"], *(f"{table}.values" for table in data["tables"]), *(f"start.{state}" for state in data["start"])]
    for section in ("boards", "options"):
        names += [f"{name}.{word}" for name, given in data[section].items() for word in given if word in SECTION_KEYS[section]]
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        for name, found in data[section].items():
            for member, given in found[inner].items() if isinstance(found, dict) else ():
                names += [f"{name}.{member}.{key}" for key in dict.fromkeys((*(given or {}), *found.get("attributes", {})))]
    return names


def find_similar_path(name: str, known: list[str]) -> str:
    """Returns the known path that was probably intended, or "".

    It may have a typo, lack its first parts (`pie.price`), begin with keys of the game's files (`numbers.purse`,
    `enums.Cake.members.pie.price`), or be the only one with this last part (`board.columns`). The value of an option is
    its default."""
    parts = name.split(".")
    inner = parts[1:] if parts[0] in (*DATA_SECTIONS, "game") else parts
    short = ".".join(part for part in inner if part not in ("members", "copies"))
    if f"{short}.default" in known:
        return f"{short}.default"
    if found := did_you_mean(name, known):
        return found
    ends = [path for path in known if path.endswith(f".{name}")]
    if len(ends) == 1:
        return ends[0]
    if short in known:
        return short
    same = [path for path in known if len(parts) > 1 and path.rpartition(".")[2] == parts[-1]]
    if short != name:
        return did_you_mean(short, known)
    return same[0] if len(same) == 1 else ""


def find_changed_part(source: GameSource, name: str, value: Any) -> tuple[str, Any] | None:
    """Returns a value of the game, by path, with the part at `name` replaced by `value`. None if `name` is not part of a value."""
    parts = name.split(".")
    for n in range(len(parts) - 1, 0, -1):
        where = value_path(source, ".".join(parts[:n]))
        whole = value_at(source, where) if where is not None else None
        if isinstance(whole, dict):
            key = next((key for key in whole if str(key) == ".".join(parts[n:])), None)
            return (".".join(parts[:n]), {**whole, key: value}) if key is not None else None
    return None


def value_at(source: GameSource, where: ValuePath) -> Any:
    """Returns the value at a data path, or the default of its type if none is written there."""
    node: Any = source.data
    for part in where:
        node = node.get(part) if isinstance(node, dict) else None
    if node is None and len(where) == 5:
        node = source.data[where[0]][where[1]].get("defaults", {}).get(where[-1])
    return node


def member_names(source: GameSource) -> list[str]:
    """Returns the names of all members and kinds of pieces."""
    found = []
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        for name, entry in source.data[section].items():
            members = entry if isinstance(entry, list) else entry[inner] if isinstance(entry, dict) else ()
            found += [f"{name}.{member}" for member in members]
    return found


def text_key(where: ValuePath) -> str | None:
    """Returns the catalogue key of the text at a data path, or None if the value is not a text."""
    if not where or where[-1] not in TEXT_KEYS:
        return None
    match where:
        case (word,):
            return f"game.{word}"
        case ("options", name, word):
            return f"variant.{name}.{word}"
        case ("enums" | "pieces", domain, "name"):
            return f"{domain}.name"
        case ("enums" | "pieces", domain, _, member, word):
            return f"{domain}.{member}.{word}"
    return None
