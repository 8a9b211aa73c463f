"""What entries of the register of clauses say under a choice. Apart from the register itself, since whoever only looks up words reads no
schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def iter_option_sentences(value: Any) -> Iterator[tuple[str, str, str | None]]:
    """What an entry says under a choice: option, value, and the sentence, or None where it says nothing."""
    found = value.get("with") if isinstance(value, Mapping) else None
    for option, values in found.items() if isinstance(found, Mapping) else ():
        for chosen, text in values.items() if isinstance(values, Mapping) else ():
            if text is None or isinstance(text, str):
                yield str(option), str(chosen), text
