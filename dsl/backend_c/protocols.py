"""What the parts of the C writer ask of the whole program that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..ir.program import IrModule
from ..ir.slot_ranges import SlotRange
from ..ir.value_types import Kind
from .types import CTypeTable


class CProgramApi(Protocol):
    machine: IrModule
    types: CTypeTable
    mask_words: int                                                # of 64 bits, in each set

    def constant_text(self, name: str, wanted: Kind | None = None) -> str:
        """A constant as an expression, of a kind that is wanted or its own."""

    def literal_text(self, value: Any, kind: Kind | None) -> str:
        """A value as an expression, of a kind."""

    def constant_array(self, name: str) -> tuple[str, int]:
        """The array that a constant list lies in, and how long it is."""

    def set_array(self, lists: Sequence[tuple[int, ...]]) -> str:
        """The array of constant lists of sets, one behind the other."""

    def mask_array(self, name: str) -> str:
        """A constant list of sets as two arguments: its array and its length."""

    def field_name(self, space: SlotRange) -> str:
        """What a space is called in the C position."""

    def narrow_type(self, space: SlotRange) -> str | None:
        """The C type of its words, where they are less than whole words."""

    def is_always_present(self, space: SlotRange) -> bool:
        """Whether something always lies there, though it might be forgotten."""

    def next_number(self) -> int:
        """A number for a temporary name."""
