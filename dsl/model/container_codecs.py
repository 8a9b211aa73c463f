"""Codecs of lists, piles, sets and bags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..types.types import Type
from .canonical import sort_values
from .codec import COUNT_TYPE, Codec, DataPath, OnDecodeProblem, R
from .scalar_codecs import MemberCodec, NumberCodec


class ContainerCodec(Codec[R]):
    """Base of sets, lists, piles and bags."""

    inner: Codec[Any]
    brackets = "[]"

    def __init__(self, type_: Type, inner: Codec[Any], default: R) -> None:
        super().__init__(type_, default)
        self.inner = inner

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> R:
        if not isinstance(written, list):
            return self.reject_value(written, path, complain)
        return self.pack(self.inner.read(thing, (*path, n), complain) for n, thing in enumerate(written))

    def write(self, raw: R) -> Any:
        return [self.inner.write(thing) for thing in self.parts(raw)]

    def spell(self, raw: R) -> str:
        return self.brackets[0] + " ".join(self.inner.spell(thing) for thing in self.parts(raw)) + self.brackets[1]

    def size(self, raw: R) -> int:
        return len(self.parts(raw))


class ListCodec(ContainerCodec[tuple[Any, ...]]):
    """The codec of lists and piles."""

    def __init__(self, type_: Type, inner: Codec[Any]) -> None:
        super().__init__(type_, inner, ())

    def parts(self, raw: tuple[Any, ...]) -> list[Any]:
        return list(raw)

    def pack(self, parts: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    def fits(self, raw: Any) -> bool:
        return isinstance(raw, tuple) and all(map(self.inner.fits, raw))


class SetCodec(ContainerCodec[R]):
    """A set. A set of cells can also be written as an edge of the board: `{edge: north}`."""

    brackets = "{}"

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> R:
        enum = self.inner.enum if isinstance(self.inner, MemberCodec) else None
        if enum is None or enum.board is None or enum.kind != "cells" or not isinstance(written, dict) or list(written) != ["edge"]:
            return super().read(written, path, complain)
        cells = enum.board.borders.get(str(written["edge"]))
        return (
            self.reject_value(written["edge"], (*path, "edge"), complain, " / ".join(enum.board.borders))
            if cells is None
            else self.pack(cells)
        )


class MaskCodec(SetCodec[int]):
    """A set of members as a bitmask."""

    numeric = True

    def __init__(self, type_: Type, inner: MemberCodec) -> None:
        super().__init__(type_, inner, 0)
        self.members = len(inner.enum)

    def parts(self, raw: int) -> list[Any]:
        return [n for n in range(raw.bit_length()) if raw >> n & 1]

    def pack(self, parts: Iterable[Any]) -> int:
        return sum(1 << thing for thing in set(parts))

    def size(self, raw: int) -> int:
        return raw.bit_count()

    def fits(self, raw: Any) -> bool:
        return isinstance(raw, int) and 0 <= raw < 1 << self.members


class FrozenSetCodec(SetCodec[frozenset[Any]]):
    """A set of elements that have no bit in a mask."""

    def __init__(self, type_: Type, inner: Codec[Any]) -> None:
        super().__init__(type_, inner, frozenset())

    def parts(self, raw: frozenset[Any]) -> list[Any]:
        return sort_values(raw)

    def pack(self, parts: Iterable[Any]) -> frozenset[Any]:
        return frozenset(sort_values(set(parts)))                      # built in sorted order, so that its repr is reproducible

    def size(self, raw: frozenset[Any]) -> int:
        return len(raw)

    def fits(self, raw: Any) -> bool:
        return isinstance(raw, frozenset) and all(map(self.inner.fits, raw))


class BagCodec(ContainerCodec[tuple[int, ...]]):
    """Counts by kind, written as {kind: count} or as a list."""

    inner: MemberCodec
    brackets = "{}"

    def __init__(self, type_: Type, inner: MemberCodec) -> None:
        super().__init__(type_, inner, (0,) * len(inner.enum))
        self.count = NumberCodec(COUNT_TYPE)

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> tuple[int, ...]:
        if not isinstance(written, dict):
            return super().read(written, path, complain)
        counts = list(self.default)
        for key, many in written.items():
            kind = self.inner.read_key(key, (*path, key), complain)
            counts[kind] += self.count.read(many, (*path, key), complain)
        return tuple(counts)

    def write(self, raw: tuple[int, ...]) -> Any:
        return {self.inner.write(kind): many for kind, many in enumerate(raw) if many}

    def parts(self, raw: tuple[int, ...]) -> list[Any]:
        return [kind for kind, many in enumerate(raw) for _ in range(many)]

    def pack(self, parts: Iterable[Any]) -> tuple[int, ...]:
        counts = list(self.default)
        for kind in parts:
            counts[kind] += 1
        return tuple(counts)

    def size(self, raw: tuple[int, ...]) -> int:
        return sum(raw)

    def fits(self, raw: Any) -> bool:
        return isinstance(raw, tuple) and len(raw) == len(self.default) and all(isinstance(many, int) and many >= 0 for many in raw)
