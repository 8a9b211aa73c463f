"""The interface of the C program being generated, as its parts (types, expressions, statements) use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..ir.program import IrModule
from ..ir.slot_ranges import SlotRange
from ..ir.value_types import Kind
from .types import CTypeTable


class CProgramApi(Protocol):
    """Services of the C program for its parts."""
    machine: IrModule
    types: CTypeTable
    mask_words: int                                                # 64-bit words in each set

    def constant_text(self, name: str, wanted: Kind | None = None) -> str:
        """Returns a constant as a C expression, of the kind `wanted` or of its own kind."""

    def literal_text(self, value: Any, kind: Kind | None) -> str:
        """Returns a value as a C expression of a kind."""

    def constant_array(self, name: str) -> tuple[str, int]:
        """Returns the name of the array that holds a constant list, and its length."""

    def set_array(self, lists: Sequence[tuple[int, ...]]) -> str:
        """Returns the name of one array with constant lists of sets, concatenated."""

    def mask_array(self, name: str) -> str:
        """Returns a constant list of sets as two C arguments: its array and its length."""

    def field_name(self, space: SlotRange) -> str:
        """Returns the name of a slot range in the C position, without its prefix."""

    def find_narrow_type(self, space: SlotRange) -> str | None:
        """Returns the C type of a range whose values are smaller than a machine word, else None."""

    def is_always_present(self, space: SlotRange) -> bool:
        """Whether a value that could be invalidated is in fact always present."""

    def next_number(self) -> int:
        """Returns a new number for a temporary name."""
