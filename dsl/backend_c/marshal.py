"""Marshalling: positions as arrays of 64-bit words, the format in which they are passed to C and back.

Values follow each other as in Python's position list:

- a number takes one word
- a set takes as many words as its bits need
- a list takes its length and then its items
- a value that may be absent is preceded by a flag"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, groupby, islice
from typing import Any

from ..ir.metadata import ResumePoint, iter_suspended
from ..ir.slot_ranges import SlotRange
from ..ir.value_types import (
    Kind,
    ListKind,
    MapKind,
    MaskKind,
    MembersKind,
    NoneKind,
    OptionalKind,
    OptionalWordKind,
    SetKind,
    TupleKind,
    WordKind,
    describe_kind,
)
from ..model.canonical import sort_values
from ..storage.control_slots import PC, RANDOM

NONE_WORD = -(1 << 63)
WORD_MASK = (1 << 64) - 1
# bit offsets of the generator's words: its state, then two words of the key
GENERATOR_BIT_OFFSETS = (0, 64, 128)


class NotMarshallableError(Exception):
    """A value that the C position cannot represent. Python plays the game instead."""


def to_signed(word: int) -> int:
    """Returns 64 bits as a signed number."""
    return word - (1 << 64) if word >> 63 else word


class PositionMarshaller:
    """Converts positions of one program to words and back."""

    def __init__(self, spaces: list[SlotRange], mask_words: int, waits: dict[int, ResumePoint]) -> None:
        self.spaces, self.mask_words, self.waits = spaces, mask_words, waits

    def encode(self, s: Sequence[Any]) -> array[int]:
        """Returns a position as words. Raises NotMarshallableError."""
        out = [to_signed(s[RANDOM] >> at & WORD_MASK) for at in GENERATOR_BIT_OFFSETS]
        alive = {wait.frame for _, wait in iter_suspended(self.waits, s, s[PC])}
        for space in self.spaces:
            if not space.lapses and (space.kind is None or isinstance(space.kind, WordKind)):
                if space.frame is None:
                    out += s[space.start : space.end]
                    continue
                if space.frame not in alive:
                    out += [0] * space.count
                    continue
            for value in s[space.start : space.end]:
                if space.lapses:
                    there = value is not None and space.kind is not None      # memos that C never reads are dropped
                    out.append(int(there))
                    if not there:
                        continue
                if space.frame is not None and not (space.frame in alive and is_value_of_kind(value, space.kind)):
                    # stale entries may have another kind
                    value = blank_value(space.kind)
                self.encode_value(space.kind, value, out)
        try:
            return array("q", out)
        except (OverflowError, TypeError):
            raise NotMarshallableError("something that is no number of 64 bits") from None

    def encode_value(self, kind: Kind | None, value: Any, out: list[int]) -> None:
        """Appends a value of a kind to `out`."""
        match kind:
            case WordKind() | None if isinstance(value, int):
                out.append(int(value))
            case OptionalWordKind():
                out.append(NONE_WORD if value is None else value)
            case MaskKind():
                self.encode_mask(value, out)
            case MembersKind():
                self.encode_mask(sum(1 << member for member in value), out)
            case (ListKind(of=None) | SetKind(of=None) | MapKind(of=None)) if value:
                raise NotMarshallableError("something in what the rules leave empty")
            case ListKind(of=inside) | SetKind(of=inside):
                out.append(len(value))
                for one in sort_values(value) if isinstance(value, frozenset) else value:
                    self.encode_value(inside, one, out)
            case MapKind(of=inside):
                out.append(len(value))
                for cell in sorted(value):
                    out.append(cell)
                    self.encode_value(inside, value[cell], out)
            case OptionalKind(of=inside):
                out.append(int(value is not None))
                self.encode_value(inside, blank_value(inside) if value is None else value, out)
            case TupleKind(parts=parts):
                for one, part in zip(value, parts):
                    self.encode_value(part, one, out)
            case _:
                raise NotMarshallableError(describe_kind(kind))

    def encode_mask(self, value: int, out: list[int]) -> None:
        if value < 0 or value >> 64 * self.mask_words:
            raise NotMarshallableError("a set with too many members")
        out.extend(to_signed(value >> 64 * n & WORD_MASK) for n in range(self.mask_words))

    def decode(self, words: Sequence[int], s: list[Any]) -> None:
        """Writes words into a position. Frame entries are restored only for suspended procedures."""
        source = iter(words)
        s[RANDOM] = sum((next(source) & WORD_MASK) << at for at in GENERATOR_BIT_OFFSETS)
        entries: list[Any] = []
        for kind, lapses, count in self.kind_runs:
            entries += ([self.decode_value(kind, source) if next(source) else None for _ in range(count)] if lapses else
                        self.decode_values(kind, count, source))
        for space, at in self.ranges_by_frame.get(None, ()):
            s[space.start : space.end] = entries[at : at + space.count]
        for _, wait in iter_suspended(self.waits, s, s[PC]):
            for space, at in self.ranges_by_frame.get(wait.frame, ()):
                s[space.start : space.end] = entries[at : at + space.count]

    @cached_property
    def kind_runs(self) -> list[tuple[Kind | None, bool, int]]:
        """Runs of entries with the same kind: the kind, whether the values may be absent, and the length."""
        return [(kind, lapses, sum(space.count for space in spaces)) for (kind, lapses), spaces in
                groupby(self.spaces, lambda space: (space.kind or WordKind(), space.lapses))]

    @cached_property
    def ranges_by_frame(self) -> dict[int | None, list[tuple[SlotRange, int]]]:
        """The slot ranges of each frame (None: of states), each with the number of entries before it."""
        found: dict[int | None, list[tuple[SlotRange, int]]] = {}
        for space, before in zip(self.spaces, accumulate((space.count for space in self.spaces), initial=0)):
            found.setdefault(space.frame, []).append((space, before))
        return found

    def decode_values(self, kind: Kind | None, count: int, source: Iterator[int]) -> list[Any]:
        """Reads `count` values of a kind. Numbers and sets, which make up most of a position, are read in bulk."""
        match kind:
            case WordKind() | None:
                return list(islice(source, count))
            case MaskKind():
                size = 8 * self.mask_words
                read = array("q", islice(source, count * self.mask_words)).tobytes()
                return [int.from_bytes(read[at : at + size], "little") for at in range(0, count * size, size)]
            case ListKind(of=inside):
                return [tuple(self.decode_values(inside, size, source)) if (size := next(source)) else () for _ in range(count)]
        return [self.decode_value(kind, source) for _ in range(count)]

    def decode_value(self, kind: Kind | None, source: Iterator[int]) -> Any:
        """Reads one value of a kind."""
        match kind:
            case WordKind() | None:
                return next(source)
            case OptionalWordKind():
                found = next(source)
                return None if found == NONE_WORD else found
            case MaskKind() | ListKind():
                return self.decode_values(kind, 1, source)[0]
            case MembersKind():
                mask = self.decode_values(MaskKind(), 1, source)[0]
                return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)
            case SetKind(of=inside):
                return frozenset(self.decode_values(inside, next(source), source))
            case MapKind(of=inside):
                return {next(source): self.decode_value(inside, source) for _ in range(next(source))}
            case OptionalKind(of=inside):
                there, found = next(source), self.decode_value(inside, source)
                return found if there else None
            case TupleKind(parts=parts):
                return tuple([self.decode_value(part, source) for part in parts])
        raise NotMarshallableError(describe_kind(kind))


def blank_value(kind: Kind | None) -> Any:
    """Returns a placeholder value of a kind, for entries that are not in use."""
    match kind:
        case ListKind() | MembersKind():
            return ()
        case SetKind():
            return frozenset()
        case MapKind():
            return {}
        case TupleKind(parts=parts):
            return tuple(map(blank_value, parts))
        case OptionalWordKind() | NoneKind() | OptionalKind():
            return None
    return 0


def is_value_of_kind(value: Any, kind: Kind | None) -> bool:
    """Whether a value can be of a kind."""
    match kind:
        case ListKind(of=inside):
            return isinstance(value, tuple | list) and all(is_value_of_kind(one, inside) for one in value)
        case MembersKind():
            return isinstance(value, tuple | list) and all(isinstance(one, int) and one >= 0 for one in value)
        case SetKind(of=inside):
            return isinstance(value, frozenset) and all(is_value_of_kind(one, inside) for one in value)
        case MapKind(of=inside):
            return isinstance(value, dict) and all(is_value_of_kind(one, inside) for one in value.values())
        case TupleKind(parts=parts):
            return isinstance(value, tuple | list) and len(value) == len(parts) and all(map(is_value_of_kind, value, parts))
        case OptionalKind(of=inside):
            return value is None or is_value_of_kind(value, inside)
        case OptionalWordKind() | NoneKind():
            return isinstance(value, int | None)
        case MaskKind():
            return isinstance(value, int) and value >= 0
    return isinstance(value, int)
