"""Texts of `messages.yaml` that nothing asks for: a slip in a key, something renamed, or a clause in the wrong file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from ...dsl.diagnostics.diagnostic import DiagnosticList, did_you_mean
from .check_pack_texts import iter_text_keys
from .check_texts import CLAUSE_PREFIX, OPTION_TEXT_PREFIX, PLAY_TEXT_HEADS
from .message_sources import TextDomain
from .readers import OPTION_CLAUSE_PREFIX

if TYPE_CHECKING:
    from ...dsl.game.variants import Variant
    from ...dsl.yaml.located_yaml import LocatedYaml

MESSAGES_FILE_NAME = "messages.yaml"
# heads that are free, or whose keys are looked at elsewhere
UNCHECKED_HEADS = ("n", "term", "example", "chapter", *PLAY_TEXT_HEADS)
VALUE_KEY_HEADS = ("line", "look", "told", "because", "panel", "worth")    # heads of keys that go on with the name of a value
CLAUSE_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")


def check_unused_texts(known: Collection[str], domain: TextDomain, findings: DiagnosticList) -> None:
    """Report each text whose key is not among the `known_keys` of the game and not one of the engine's."""
    for message in domain.messages:
        key = message.key
        if (
            not message.place.path.endswith(MESSAGES_FILE_NAME)
            or key.startswith((CLAUSE_PREFIX, OPTION_TEXT_PREFIX, OPTION_CLAUSE_PREFIX))
            or key.split(".")[0] in UNCHECKED_HEADS
        ):
            continue
        if CLAUSE_ID.fullmatch(key):
            findings.add("W217", message.place, hint="in_clauses", key=key)
        elif not any(base in known or base in domain.below for base in iter_base_keys(key)):
            findings.add_with_suggestion("W217", message.place, did_you_mean(key, known), key=key)


def iter_base_keys(key: str) -> Iterator[str]:
    """The key and what it is a special case of, as `look.land` of `look.land.none`; the name of a type has no special case."""
    parts = key.split(".")
    yield key
    if not key[:1].isupper():
        yield from (".".join(parts[:n]) for n in range(len(parts) - 1, 1, -1))


def iter_known_keys(variant: Variant, panels: LocatedYaml | None) -> Iterator[str]:
    """The keys of what a game can have words for, besides those of its decisions, events and options."""
    yield from iter_text_keys(variant)
    model, program = variant.model, variant.program
    attributes = [name for enum in model.enums.values() for name in (*enum.attributes, *(key for _, key in enum.own))]
    values = {*program.states, *variant.public_defs, *program.families, *model.boards, *model.numbers, *attributes}
    yield from (f"{head}.{name}" for head in VALUE_KEY_HEADS for name in values)
    yield from (f"state.{name}" for name in program.families)
    yield from (f"chart.{name}" for name in model.tables)
    yield from (f"label.{name}" for name in model.enums)
    for panel in panels.data.get("panels") or () if panels is not None else ():
        if isinstance(panel, Mapping) and panel.get("name"):
            yield f"panel.{panel['name']}"
