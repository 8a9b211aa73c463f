"""The JSON schema of house-rule packs for one game.

It is the schema of all packs plus this game's paths, things, steps, clauses and texts. An editor can then
complete them and mark typos."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.packs.anchors import format_declaration_key
from ...dsl.packs.data_paths import SECTION_KEYS, member_names, value_at, value_names, value_path
from ...dsl.packs.overlay import ConflictTracker, PackOverlay
from ...dsl.packs.rule_patches import PatchableDeclaration, RulePatcher
from ...dsl.packs.source import TEXT_KEYS
from ...dsl.yaml.clause_index import read_clause_index
from ...dsl.yaml.schema import bundle_schema
from ..i18n.message_sources import game_domain

if TYPE_CHECKING:
    from ...dsl.packs.source import GameSource
    from ...dsl.types.types import Type
    from ..i18n import Localizer
    from ..library.loaded_game import LoadedGame

Schema = dict[str, Any]
TEXT_SCHEMA: Schema = {"$ref": "#/$defs/said"}
VARYING_VALUE_SCHEMA: Schema = {"type": "object"}                               # {by: ...}, {count: ...}


def build_pack_schema(loaded: LoadedGame, lang: str) -> Schema:
    """Returns the schema of packs for a game, with display names in one language."""
    source, words, whole = loaded.game.ruleset.source, loaded.localizer(lang), bundle_schema("house")
    rules = read_declarations(source)
    steps = [step for one in rules for step in one.steps]
    clauses = clause_choices(source, words)
    own = [message.key for message in game_domain(loaded.found.folder, DiagnosticList()).messages if not message.key.startswith("clause.")]
    given = whole["properties"]
    whole["title"] = f"{whole['title']}: {words.text('game.name')}"
    given["for"] |= {"const": source.data["game"]}
    given["set"] |= {
        "properties": {path: path_schema(loaded, words, path) for path in settable_paths(source)},
        "additionalProperties": False,
        "patternProperties": {r"^start\.": {}},
    }
    given["add"]["patternProperties"] = {
        rf"^{domain}\.[a-z_][a-z0-9_]*$": member_schema(loaded, domain) for domain in extensible_types(source)
    }
    given["add"]["additionalProperties"] = False
    given["place"]["additionalProperties"] = {
        "anyOf": [{"enum": sorted(insertion_points(source))}, {"pattern": "^(before|after) [a-z_][a-z0-9_]*$"}]
    }
    given["remove"] = build_one_or_list_schema(
        given["remove"],
        [
            *name_choices(member_names(source), words),
            *(make_choice(name, "") for name in source.data["numbers"]),
            *(make_choice(f"start.{name}", "") for name in source.data["start"]),
            *(make_choice(format_declaration_key(one.node), "") for one in rules),
            *clauses,
        ],
    )
    given["fits"] = build_one_or_list_schema(
        given["fits"],
        [
            *name_choices((key for key in own if key.endswith(".text") and key[0].isupper()), words),
            *(make_choice(f"{name}.text", "") for name in source.data.get("options", {})),
            *clauses,
        ],
    )
    given["clauses"]["properties"] = {one["const"]: {"title": one["title"]} for one in clauses}
    given["words"]["properties"] = {key: {"description": shorten_text(words.template(key))} for key in own}
    known = [*(make_choice(name, title_of_choice(clauses, name)) for name in sorted({name for step in steps for name in step.clauses})),
             *(make_choice(f"{step.declaration}: {step.shown}", "") for step in steps if step.shown)]
    for word in ("before", "after", "instead", "head", "drop"):
        whole["$defs"]["step"]["properties"][word]["anyOf"] = [*unique_choices(known), {"type": "string"}]
    return whole


def read_declarations(source: GameSource) -> list[PatchableDeclaration]:
    """Returns the declarations of the game's rules, with their steps."""
    findings = DiagnosticList()
    rules = RulePatcher(source, PackOverlay(), ConflictTracker(findings), findings)
    rules.read_declarations()
    return list(rules.all.values())


def extensible_types(source: GameSource) -> list[str]:
    """Returns the types to which packs can add members or kinds of pieces."""
    return [name for section in ("enums", "pieces") for name, found in source.data[section].items() if not isinstance(found, str)]


def insertion_points(source: GameSource) -> Iterable[str]:
    """Returns the positions at which `place` can insert a member: before or after an existing one."""
    return {f"{word} {name.partition('.')[2]}" for name in member_names(source) for word in ("before", "after")}


def settable_paths(source: GameSource) -> list[str]:
    """Returns every path that `set` accepts, except single entries of initial values, of which there are too many."""
    found = [*value_names(source), "players", "name", "text"]
    found += [f"{table}.{word}" for table in source.data["tables"] for word in SECTION_KEYS["tables"]]
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        for domain, given in source.data[section].items():
            if isinstance(given, dict):
                found += [f"{domain}.name", *(f"{domain}.defaults.{key}" for key in given.get("attributes", {}))]
                found += [f"{domain}.{member}.{word}" for member in given[inner] for word in TEXT_KEYS]
    return [path for path in dict.fromkeys(found) if value_path(source, path) is not None]


def path_schema(loaded: LoadedGame, words: Localizer, path: str) -> Schema:
    """Returns the schema of a path's value, with the current value as its description."""
    from ...dsl.yaml.yaml_edit import dump_inline
    source, parts = loaded.game.ruleset.source, path.split(".")
    at = value_path(source, path)
    assert at is not None
    now = value_at(source, at)
    out: Schema = {} if now is None else {"description": shorten_text(dump_inline(now))}
    if len(parts) == 3 and words.has(f"{parts[0]}.{parts[1]}.name"):
        out["title"] = words.text(f"{parts[0]}.{parts[1]}.name")
    if parts[-1] in TEXT_KEYS:
        return {**out, **TEXT_SCHEMA}
    enum = loaded.game.model.enums.get(parts[0])
    if enum is not None and len(parts) == 3 and parts[2] in enum.attributes:
        return {**out, **type_schema(loaded, enum.attributes[parts[2]])}
    return {**out, "type": ["integer", "object"]} if at[0] == "numbers" or isinstance(now, int) and not isinstance(now, bool) else out


def member_schema(loaded: LoadedGame, domain: str) -> Schema:
    """Returns the schema of a new member."""
    enum = loaded.game.model.enums[domain]
    own: Schema = {"n": {"type": ["integer", "object"]}} if enum.kind == "pieces" else {}
    return {
        "title": domain,
        "type": ["object", "null"],
        "additionalProperties": {"type": "integer"},
        "properties": {
            "name": TEXT_SCHEMA,
            "text": TEXT_SCHEMA,
            **own,
            **{key: type_schema(loaded, kind) for key, kind in enum.attributes.items()},
        },
    }


def type_schema(loaded: LoadedGame, kind: Type) -> Schema:
    """Returns the schema of a value of a type."""
    from ...dsl.types.types import Bool, Int, ListOf, MemberOf, OptionalOf, SetOf
    if isinstance(kind, Int):
        return {"type": ["integer", "object"]}
    if isinstance(kind, Bool):
        return {"anyOf": [{"type": "boolean"}, VARYING_VALUE_SCHEMA]}
    if isinstance(kind, ListOf | SetOf):
        return {"anyOf": [{"type": "array", "items": type_schema(loaded, kind.of)}, VARYING_VALUE_SCHEMA]}
    inner = kind.of if isinstance(kind, OptionalOf) else kind
    enum = loaded.game.model.enum_of(inner.name) if isinstance(inner, MemberOf) else None
    if enum is None or enum.kind != "enum":
        return {}
    known = [*enum.members, *(["none"] if isinstance(kind, OptionalOf) else [])]
    return {"anyOf": [{"enum": known}, {"type": "string"}, VARYING_VALUE_SCHEMA]}           # suggestions: a pack may add other members


# ---------------------------------------------------------------- lists of choices


def clause_choices(source: GameSource, words: Localizer) -> list[Schema]:
    """Returns the clauses of a game as choices, with their sentences."""
    register = read_clause_index(source.folder, DiagnosticList())
    return (
        [] if register is None else [make_choice(name, shorten_text(words.template(f"clause.{name}") or "")) for name in register.clauses]
    )


def name_choices(names: Iterable[str], words: Localizer) -> list[Schema]:
    """Returns names as choices, with their display names."""
    return [
        make_choice(name, words.text(key) if words.has(key := f"{'.'.join(name.split('.')[:2])}.name") else "") for name in sorted(names)
    ]


def make_choice(name: str, title: str) -> Schema:
    """Returns one choice of a list: a constant with a title."""
    return {"const": name, "title": title or name}


def title_of_choice(known: list[Schema], name: str) -> str:
    """Returns the title of a choice, or ""."""
    return next((str(one["title"]) for one in known if one["const"] == name), "")


def build_one_or_list_schema(old: Schema, known: list[Schema]) -> Schema:
    """Returns a schema for one of these choices or a list of them."""
    if not known:
        return old
    choice = {"anyOf": unique_choices(known)}
    return {**{key: value for key, value in old.items() if key != "$ref"}, "anyOf": [choice, {"type": "array", "items": choice}]}


def unique_choices(known: Iterable[Schema]) -> list[Schema]:
    """Removes choices with the same constant. The last one counts."""
    return list({one["const"]: one for one in known}.values())


def shorten_text(text: Any, max_length: int = 120) -> str:
    """Returns a text on one line, cut to `max_length` characters."""
    flat = re.sub(r"\s+", " ", text if isinstance(text, str) else str(text[-1]))
    return flat if len(flat) <= max_length else flat[: max_length - 1] + "…"
