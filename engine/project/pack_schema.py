"""The schema of packs for one game: that of all packs, with this game's paths, things, steps, clauses and texts in it, so that an editor
completes them and marks what is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.packs.anchors import said_key
from ...dsl.packs.data_paths import OF, member_names, value_at, value_names, value_path
from ...dsl.packs.overlay import Claims, Laid
from ...dsl.packs.rule_patches import Declaration, OverRules
from ...dsl.packs.source import WORDS
from ...dsl.yaml.clause_index import read_register
from ...dsl.yaml.schema import bundled
from ..i18n.message_sources import game_domain

if TYPE_CHECKING:
    from ...dsl.packs.source import Source
    from ...dsl.types.types import Type
    from ..i18n import Words
    from ..library.loaded_game import Loaded

Schema = dict[str, Any]
SAID: Schema = {"$ref": "#/$defs/said"}
VARYING: Schema = {"type": "object"}                               # {by: ...}, {count: ...}


def house_schema(loaded: Loaded, lang: str) -> Schema:
    """The schema of packs for a game; its things are called in a language."""
    source, words, whole = loaded.game.ruleset.source, loaded.words(lang), bundled("house")
    rules = declarations(source)
    steps = [step for one in rules for step in one.steps]
    clauses = clauses_of(source, words)
    own = [message.key for message in game_domain(loaded.found.folder, Findings()).messages if not message.key.startswith("clause.")]
    given = whole["properties"]
    whole["title"] = f"{whole['title']}: {words.text('game.name')}"
    given["for"] |= {"const": source.data["game"]}
    given["set"] |= {"properties": {path: of_path(loaded, words, path) for path in paths(source)}, "additionalProperties": False,
                     "patternProperties": {r"^start\.": {}}}
    given["add"]["patternProperties"] = {rf"^{domain}\.[a-z_][a-z0-9_]*$": of_member(loaded, domain) for domain in types(source)}
    given["add"]["additionalProperties"] = False
    given["place"]["additionalProperties"] = {"anyOf": [{"enum": sorted(where(source))}, {"pattern": "^(before|after) [a-z_][a-z0-9_]*$"}]}
    given["remove"] = listed(given["remove"], [*named(member_names(source), words), *(titled(name, "") for name in source.data["numbers"]),
                                               *(titled(f"start.{name}", "") for name in source.data["start"]),
                                               *(titled(said_key(one.node), "") for one in rules), *clauses])
    given["fits"] = listed(given["fits"], [*named((key for key in own if key.endswith(".text") and key[0].isupper()), words), *clauses])
    given["clauses"]["properties"] = {one["const"]: {"title": one["title"]} for one in clauses}
    given["words"]["properties"] = {key: {"description": shortened(words.template(key))} for key in own}
    known = [*(titled(name, titles(clauses, name)) for name in sorted({name for step in steps for name in step.clauses})),
             *(titled(f"{step.declaration}: {step.shown}", "") for step in steps if step.shown)]
    for word in ("before", "after", "instead", "head", "drop"):
        whole["$defs"]["step"]["properties"][word]["anyOf"] = [*unique(known), {"type": "string"}]
    return whole


def declarations(source: Source) -> list[Declaration]:
    """Those of the game's rules, with their steps."""
    findings = Findings()
    rules = OverRules(source, Laid(), Claims(findings), findings)
    rules.read()
    return list(rules.all.values())


def types(source: Source) -> list[str]:
    """The types that may get members, or kinds of pieces."""
    return [name for section in ("enums", "pieces") for name, found in source.data[section].items() if not isinstance(found, str)]


def where(source: Source) -> Iterable[str]:
    return {f"{word} {name.partition('.')[2]}" for name in member_names(source) for word in ("before", "after")}


def paths(source: Source) -> list[str]:
    """Every path that `set` takes, but for entries of first values, of which there is no end."""
    found = [*value_names(source), "players", "name", "text"]
    found += [f"{table}.{word}" for table in source.data["tables"] for word in OF["tables"]]
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        for domain, given in source.data[section].items():
            if isinstance(given, dict):
                found += [f"{domain}.name", *(f"{domain}.defaults.{key}" for key in given.get("attributes", {}))]
                found += [f"{domain}.{member}.{word}" for member in given[inner] for word in WORDS]
    return [path for path in dict.fromkeys(found) if value_path(source, path) is not None]


def of_path(loaded: Loaded, words: Words, path: str) -> Schema:
    """What may be written for a path, with the value as it is now."""
    from ...dsl.yaml.yaml_edit import yaml_inline
    source, parts = loaded.game.ruleset.source, path.split(".")
    at = value_path(source, path)
    assert at is not None
    now = value_at(source, at)
    out: Schema = {} if now is None else {"description": shortened(yaml_inline(now))}
    if len(parts) == 3 and words.has(f"{parts[0]}.{parts[1]}.name"):
        out["title"] = words.text(f"{parts[0]}.{parts[1]}.name")
    if parts[-1] in WORDS:
        return {**out, **SAID}
    enum = loaded.game.model.enums.get(parts[0])
    if enum is not None and len(parts) == 3 and parts[2] in enum.attributes:
        return {**out, **of_type(loaded, enum.attributes[parts[2]])}
    return {**out, "type": ["integer", "object"]} if at[0] == "numbers" or isinstance(now, int) and not isinstance(now, bool) else out


def of_member(loaded: Loaded, domain: str) -> Schema:
    """What may stand in a new member."""
    enum = loaded.game.model.enums[domain]
    own: Schema = {"n": {"type": ["integer", "object"]}} if enum.kind == "pieces" else {}
    return {"title": domain, "type": ["object", "null"], "additionalProperties": {"type": "integer"},
            "properties": {"name": SAID, "text": SAID, **own, **{key: of_type(loaded, kind) for key, kind in enum.attributes.items()}}}


def of_type(loaded: Loaded, kind: Type) -> Schema:
    """How a value of a type is written."""
    from ...dsl.types.types import Bool, Int, ListOf, Maybe, Of, SetOf
    if isinstance(kind, Int):
        return {"type": ["integer", "object"]}
    if isinstance(kind, Bool):
        return {"anyOf": [{"type": "boolean"}, VARYING]}
    if isinstance(kind, ListOf | SetOf):
        return {"anyOf": [{"type": "array", "items": of_type(loaded, kind.of)}, VARYING]}
    inner = kind.of if isinstance(kind, Maybe) else kind
    enum = loaded.game.model.enum_of(inner.name) if isinstance(inner, Of) else None
    if enum is None or enum.kind != "enum":
        return {}
    known = [*enum.members, *(["none"] if isinstance(kind, Maybe) else [])]
    return {"anyOf": [{"enum": known}, {"type": "string"}, VARYING]}           # to choose from; the pack may bring others


# ---------------------------------------------------------------- lists to choose from


def clauses_of(source: Source, words: Words) -> list[Schema]:
    """The clauses of a game with their sentences."""
    register = read_register(source.folder, Findings())
    return [] if register is None else [titled(name, shortened(words.template(f"clause.{name}") or "")) for name in register.clauses]


def named(names: Iterable[str], words: Words) -> list[Schema]:
    """Names with what people call them."""
    return [titled(name, words.text(key) if words.has(key := f"{'.'.join(name.split('.')[:2])}.name") else "") for name in sorted(names)]


def titled(name: str, title: str) -> Schema:
    return {"const": name, "title": title or name}


def titles(known: list[Schema], name: str) -> str:
    return next((str(one["title"]) for one in known if one["const"] == name), "")


def listed(old: Schema, known: list[Schema]) -> Schema:
    """A name, or a list of names, of those that are known."""
    if not known:
        return old
    choice = {"anyOf": unique(known)}
    return {**{key: value for key, value in old.items() if key != "$ref"}, "anyOf": [choice, {"type": "array", "items": choice}]}


def unique(known: Iterable[Schema]) -> list[Schema]:
    return list({one["const"]: one for one in known}.values())


def shortened(text: Any, most: int = 120) -> str:
    """A text for a list to choose from."""
    flat = re.sub(r"\s+", " ", text if isinstance(text, str) else str(text[-1]))
    return flat if len(flat) <= most else flat[: most - 1] + "…"
