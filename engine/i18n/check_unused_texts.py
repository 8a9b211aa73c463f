"""Find texts of `messages.yaml` that nothing uses: a typo in a key, a renamed thing, or a clause in the wrong
file."""

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
# any key is valid, or it is checked elsewhere
UNCHECKED_HEADS = ("n", "term", "example", "chapter", *PLAY_TEXT_HEADS)
VALUE_KEY_HEADS = ("line", "look", "told", "because", "panel", "worth")    # first parts of keys that continue with the name of a value
CLAUSE_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")


def check_unused_texts(known: Collection[str], domain: TextDomain, findings: DiagnosticList) -> None:
    """Reports each text whose key is neither a key of the game (`known`) nor one of the engine (W217)."""
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
    """Yields the key and the shorter keys that it specializes: `look.land` for `look.land.none`. Keys of types have
    no shorter ones."""
    parts = key.split(".")
    yield key
    if not key[:1].isupper():
        yield from (".".join(parts[:n]) for n in range(len(parts) - 1, 1, -1))


def iter_known_keys(variant: Variant, panels: LocatedYaml | None) -> Iterator[str]:
    """Yields the keys of all texts that a game can have, including table panels, except those of its decisions,
    events and options."""
    yield from iter_text_keys(variant)
    model, program = variant.model, variant.program
    attributes = [name for enum in model.enums.values() for name in (*enum.attributes, *(key for _, key in enum.own))]
    values = {*program.states, *variant.public_defs, *program.families, *model.boards, *model.numbers, *attributes}
    yield from (f"{head}.{name}" for head in VALUE_KEY_HEADS for name in values)
    yield from (f"state.{name}" for name in program.families)
    yield from (f"chart.{name}" for name in model.tables)
    yield from (f"label.{name}" for name in model.enums)
    yield from (f"letter.{enum.name}.{name}" for enum in model.enums.values() for name in enum.attributes)
    for panel in panels.data.get("panels") or () if panels is not None else ():
        if isinstance(panel, Mapping) and panel.get("name"):
            yield f"panel.{panel['name']}"
