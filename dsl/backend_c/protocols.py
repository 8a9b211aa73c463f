"""What the parts of the C writer ask of the whole program that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..ir.program import Machine
from ..ir.slot_ranges import Space
from ..ir.value_types import Kind
from .types import Types


class Module(Protocol):
    machine: Machine
    types: Types
    mask_words: int                                                # of 64 bits, in each set

    def table(self, name: str, wanted: Kind | None = None) -> str:
        """A constant as an expression, of a kind that is wanted or its own."""

    def literal(self, value: Any, kind: Kind | None) -> str:
        """A value as an expression, of a kind."""

    def array(self, name: str) -> tuple[str, int]:
        """The array that a constant list lies in, and how long it is."""

    def sets(self, lists: Sequence[tuple[int, ...]]) -> str:
        """The array of constant lists of sets, one behind the other."""

    def masks(self, name: str) -> str:
        """A constant list of sets as two arguments: its array and its length."""

    def field(self, space: Space) -> str:
        """What a space is called in the C position."""

    def narrow(self, space: Space) -> str | None:
        """The C type of its words, where they are less than whole words."""

    def lasts(self, space: Space) -> bool:
        """Whether something always lies there, though it might be forgotten."""

    def fresh(self) -> int:
        """A number for a temporary name."""
