"""The sentences of clauses that depend on options. Separate from the clause index, to avoid importing the schema code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def iter_option_sentences(value: Any) -> Iterator[tuple[str, str, str | None]]:
    """Yields the sentences of an entry that depend on options: option, value, and sentence or None if it says nothing."""
    found = value.get("with") if isinstance(value, Mapping) else None
    for option, values in found.items() if isinstance(found, Mapping) else ():
        for chosen, text in values.items() if isinstance(values, Mapping) else ():
            if text is None or isinstance(text, str):
                yield str(option), str(chosen), text
