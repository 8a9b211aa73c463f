"""Find the fields of each message of a game, and the types of their values. The check of texts needs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...dsl.analysis.decision_points import find_decision_points, find_event_points
from ...dsl.game.table_config import CHANGE_SUFFIXES, TableValue, collect_value_names, lookup_table_values
from ...dsl.game.variants import Variant
from ...dsl.model.model import PLACE_KINDS, GameModel
from ...dsl.types.types import Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..i18n.localizer import OPTION_TEXT_WORDS
from ..i18n.placeholders import clause_values
from ..i18n.template import CONDITION_SUFFIX, parse_template


def collect_message_fields(variant: Variant) -> dict[str, dict[str, str]]:
    """Returns the field types of each message about a decision, an event, an option or a source of points.

    The check of texts uses them to find the nouns whose forms a sentence needs."""
    out: dict[str, dict[str, str]] = {}
    who = "Player" if "Player" in variant.source.data["enums"] else "proper"
    when = [name for name, state in variant.program.states.items() if state.seen == "open" and isinstance(state.type, Int | Bool)
            and [domain for _, domain in state.axes] in ([], ["Player"])]
    for decision in find_decision_points(variant.program, variant.facts):
        known = {name: field_type(found, variant, who) for name, found in decision.names.items()} | {"who": who}
        for word in ("ask", "option", *(["decline"] if decision.can_end else []), "did", "then"):
            for entry in ["", *(f".{name}" for name in decision.entries)]:
                if word in ("option", "did") and decision.key.endswith(".n") and can_be_zero(decision.names.get("n")):
                    known = {**known, "n": "from 0"}
                for key in {decision.key, re.sub(r"\[\w+\]", "", decision.key)}:          # the case in the key of a text is optional
                    said = f"{key}{entry}"
                    add_fields(out, f"{word}.{said}", known)
                    if word == "did":                              # other seats may know less
                        told = {name: kind for name, kind in known.items() if name not in decision.closed}
                        add_fields(out, f"did.{said}.others", told if len(told) < len(known) else known)
                        if decision.can_end:
                            add_fields(out, f"did.{said}.decline", known)
                    parts = condition_fields(decision.names, variant) if word == "option" or word == "ask" and not entry else []
                    states = when if word in ("ask", "decline") and not entry else []
                    for name in [*states, *parts]:
                        out[f"{word}.{said}.when.{name}"] = out[f"{word}.{said}"]
    for event in find_event_points(variant.program, variant.facts.secrecy):
        slots = {name: field_type(found, variant, who) for name, found in event.slots.items()}
        for word in ("event", "short"):
            add_fields(out, f"{word}.{event.key}", slots)
        if event.closed is not None:
            add_fields(out, f"event.{event.key}.others", {name: kind for name, kind in slots.items() if name not in event.closed})
    for value in trackable_values(variant):
        held = {name: field_type(MemberOf(domain), variant, who) for name, domain in zip(("it", "at"), value.domains)}
        held |= {"old": field_type(value.type, variant, who), "new": field_type(value.type, variant, who), "change": "text", "by": "int"}
        for key in (f"{word}.{value.name}{kind}" for word in ("worth", "became") for kind in CHANGE_SUFFIXES):
            add_fields(out, key, held)
        if len(value.domains) == 1:
            out[f"outlook.{value.name}"] = {name: held[name] for name in ("it", "new")} | {"n": "int"}
    out |= {f"score.{name}": {} for name in score_source_names(variant)}
    out |= {f"standing.{n}": {"n": "int", "m": "int"} for n in range(2, len(variant.program.goals["standing"].values) + 1)}
    for name, choice in variant.model.options.items():
        for value in (*OPTION_TEXT_WORDS, *choice.values):
            out[f"variant.{name}.{str(value).lower() if isinstance(value, bool) else value}"] = {}
    return out


def add_fields(fields: dict[str, dict[str, str]], key: str, known: dict[str, str]) -> None:
    """Adds the field types of a message to `fields`. Messages with the same fields share one dictionary."""
    before = fields.get(key)
    fields[key] = known if before is None else {**before, **known}


def condition_fields(names: Mapping[str, Type], variant: Variant) -> list[str]:
    """Returns the parts of visible things that can be conditions because they are booleans or numbers, or can be empty: `tower_shut`.

    A part is an attribute of the thing, or a state or a computed value with the type of the thing as its only axis."""
    found = {name: kind.name for name, kind in names.items() if isinstance(kind, MemberOf) and kind.name in variant.model.enums}
    values = [value for value in trackable_values(variant) if len(value.domains) == 1 and not isinstance(value.type, MemberOf)]
    return [f"{name}_{part}" for name, domain in found.items()
            for part in (*(key for key, kind in variant.model.enums[domain].attributes.items() if not isinstance(kind, MemberOf)),
                         *(value.name for value in values if value.domains == (domain,)))]


def trackable_values(variant: Variant) -> list[TableValue]:
    """Returns every value whose changes texts can report."""
    return [
        value for name in sorted(collect_value_names(variant)) for value in lookup_table_values(variant, name) if value.attribute is None
    ]


def score_source_names(variant: Variant) -> list[str]:
    """Returns the names of possible sources of points: states, procedures and defs, and each of their cases."""
    found = list(variant.program.states)
    for family in variant.program.families.values():
        enum = variant.model.enums[family.domain] if family.domain is not None else None
        found += [family.name, *(f"{family.name}.{member}" for member in (enum.kinds or enum.members if enum is not None else []))]
    return found


def queryable_names(variant: Variant) -> set[str]:
    """Returns what texts may read of the things in their fields: states and defs, with a leading point."""
    return {"." + name for name in (*variant.program.states, *variant.public_defs)}


def text_fields_of_model(model: GameModel) -> set[str]:
    """Returns what texts may use in addition to their fields: values of the data, and attributes of things with a
    leading point."""
    found = {".number", *clause_values(model)}
    for enum in model.enums.values():
        found |= {"." + name for name in (*enum.attributes, *(key for _, key in enum.own))}
    return found


def can_be_zero(found: Type | None) -> bool:
    """Whether a chosen number may be 0."""
    return isinstance(found, Int) and (found.low is None or found.low <= 0) and (found.high is None or found.high >= 0)


def field_type(found: Type, variant: Variant, who: str) -> str:
    """Returns a type in the terms of the text check: `int`, `proper`, `text`, or a family of nouns."""
    while isinstance(found, OptionalOf | ListOf | SetOf | PileOf):
        found = found.of
    if isinstance(found, Int):
        return "int"
    enum = variant.model.enum_of(found.name) if isinstance(found, MemberOf) else None
    if enum is None:
        return "text"
    if enum.kind in PLACE_KINDS:
        return "proper"
    return who if enum.kind == "player" else enum.name


def field_suffixes(keys: Iterable[str], texts: Iterable[Any]) -> set[str]:
    """Returns the possible later parts of field names in texts and of conditions in their keys: `height` for `{tower_height}`."""
    names = [name for text in texts for variant in ([text] if isinstance(text, str) else text) for name in parse_template(variant).names]
    names += [key.rpartition(CONDITION_SUFFIX)[2] for key in keys if CONDITION_SUFFIX in key]
    return {"_".join(parts[k:]) for parts in (name.split("_") for name in names) for k in range(1, len(parts))}
