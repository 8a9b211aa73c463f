"""One codec for each type: its raw values in a position, and their written form in YAML and saves.

Raw values are numbers, tuples, frozensets and None:

| type                        | raw value                                          | initial value       |
|-----------------------------|----------------------------------------------------|---------------------|
| number                      | itself                                             | 0, or nearest to 0  |
| bool                        | 0, 1                                               | 0                   |
| member, cell, piece         | its number; on an open board its code              | 0, the first        |
| `T?`                        | as T; none is -1 for members and bools, else None  | none                |
| set of members              | a bitmask; over an open board a frozenset          | empty               |
| set of anything else        | a frozenset                                        | empty               |
| list, pile                  | a tuple, first or bottom first                     | empty               |
| bag                         | a tuple of counts by kind                          | empty               |

The same codecs read YAML and scenarios (`Codec.read`). Invalid data is reported to the callback `complain`, which may
raise. Otherwise, reading continues with the initial value of the type, so one run finds several mistakes."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from ..diagnostics.diagnostic import Phrase, did_you_mean
from ..types.boards import OPEN_SPAN, decode_open_cell, encode_open_cell
from ..types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from .canonical import sort_values
from .model import Enumeration, GameModel

R = TypeVar("R")
DataPath = tuple[Any, ...]
COUNT_TYPE = Int(0)
_NUMBER_PATTERN = re.compile(r"-?[0-9]+")
_COORDINATES_PATTERN = re.compile(r"\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*", re.ASCII)


@dataclass(frozen=True)
class DecodeProblem:
    """The reason why written data cannot be read, and its place: `path`, from the outside in.

    `of_key` means that the problem is the last key of the path, not the value there. Kinds and their `args`:

    * `value` (found, wanted)
    * `member` (name, domain, meant)
    * `state` (name, meant)
    * `index`, for too few keys (name, domain, found, wanted)"""

    kind: str
    path: DataPath
    args: dict[str, Any] = field(default_factory=dict)
    of_key: bool = False

    @property
    def hint(self) -> str | None:
        """A hint key: for a player who does not sit, a likely typo, or quotation marks around a value that would be valid
        without them."""
        if self.args.get("players"):
            return "seated_players"
        if self.args.get("meant"):
            return "did_you_mean"
        return "unquoted" if str(self.args.get("found", "")).startswith('"') else None


OnDecodeProblem = Callable[[DecodeProblem], None]


class Codec(ABC, Generic[R]):
    """Reads and writes the values of one type.

    `default` is the initial value. `none` is the raw value of none in `type?`. `inner` is the codec of the elements of a
    container, or of the value in `T?`."""

    none: int | None = None
    inner: Codec[Any] | None = None
    numeric = False                                                # whether every raw value is a number, including none

    def __init__(self, type_: Type, default: R) -> None:
        self.type, self.default = type_, default

    @abstractmethod
    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> R:
        """Returns the raw value of plain data."""

    @abstractmethod
    def write(self, raw: R) -> Any:
        """Returns a raw value as plain data with names.

        Members become words. Sets, lists and piles become lists. A bag becomes {kind: count > 0}."""

    def write_all(self, raws: Sequence[R]) -> list[Any]:
        """Returns `write` for each value."""
        return [self.write(raw) for raw in raws]

    @abstractmethod
    def fits(self, raw: Any) -> bool:
        """Whether this can be a raw value of the type. The range of a number is checked elsewhere."""

    def spell(self, raw: R) -> str:
        """Returns a value as one word, for moves and events."""
        return format_inline(self.write(raw))

    def parts(self, raw: R) -> list[Any]:
        """Returns the raw values inside, in order, including duplicates in a bag."""
        return []

    def pack(self, parts: Iterable[Any]) -> R:
        """Returns the container with these elements."""
        raise TypeError(f"{self.type} holds nothing")

    def size(self, raw: R) -> int | None:
        """Returns the number of elements, or None for a type without elements."""
        return None

    def reject_value(self, written: Any, path: DataPath, complain: OnDecodeProblem, wanted: str | None = None) -> R:
        """Reports an invalid value and returns the initial value."""
        plain = isinstance(written, str) and (
            _NUMBER_PATTERN.fullmatch(written) if isinstance(self.type, Int) else written in ("true", "false")
        )
        found = f'"{written}"' if plain else format_inline(written)
        complain(DecodeProblem("value", path, {"found": found, "wanted": describe_type(wanted or self.type)}))
        return self.default


def describe_type(wanted: Type | str) -> Phrase:
    """Returns the words for a type, or for how a value is written, as the reader of a diagnostic sees them."""
    match wanted:
        case Int(None, None):
            return Phrase("value_integer")
        case Int(int(low), None):
            return Phrase("value_at_least", (("low", str(low)),))
        case Int(int(low), int(high)) if low < high:
            return Phrase("value_range", (("low", str(low)), ("high", str(high))))
        case Bool():
            return Phrase("value_boolean")
        case _:
            return Phrase("value_type", (("type", str(wanted)),))


class _NoneCodec(Codec[int]):
    """The codec of `none` before its type is known, and of types with errors."""

    none = -1

    def __init__(self, type_: Type) -> None:
        super().__init__(type_, 0)

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> int:
        return 0

    def write(self, raw: int) -> Any:
        return None

    def fits(self, raw: Any) -> bool:
        return True


class _NumberCodec(Codec[int]):
    numeric = True

    def __init__(self, type_: Int) -> None:
        self.low, self.high = type_.low, type_.high
        super().__init__(type_, max(0, type_.low or 0) if type_.high is None else min(max(0, type_.low or 0), type_.high))

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> int:
        if isinstance(written, int) and not isinstance(written, bool):
            if (self.low is None or self.low <= written) and (self.high is None or written <= self.high):
                return written
        return self.reject_value(written, path, complain)

    def write(self, raw: int) -> Any:
        return raw

    def write_all(self, raws: Sequence[int]) -> list[Any]:
        return list(raws)

    def fits(self, raw: Any) -> bool:
        return isinstance(raw, int)


class _BoolCodec(Codec[int]):
    none = -1
    numeric = True

    def __init__(self, type_: Bool) -> None:
        super().__init__(type_, 0)

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> int:
        return int(written) if isinstance(written, bool) else self.reject_value(written, path, complain)

    def write(self, raw: int) -> Any:
        return bool(raw)

    def fits(self, raw: Any) -> bool:
        return raw in (0, 1)


class _MemberCodec(Codec[int]):
    """Members, cells, corners and pieces. Cells and corners can be read by any of their names."""

    none = -1
    numeric = True

    def __init__(self, type_: MemberOf, enum: Enumeration) -> None:
        super().__init__(type_, 0)
        self.enum = enum

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> int:
        return self.reject_value(written, path, complain) if isinstance(written, dict | list) else self.read_name(written, path, complain)

    def read_key(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> int:
        """Reads the last key of `path`."""
        return self.read_name(written, path, complain, True)

    def read_name(self, written: Any, path: DataPath, complain: OnDecodeProblem, of_key: bool = False) -> int:
        """Returns the number of a member by name. Reports an unknown name."""
        found = find_member(self.enum, str(written))
        if found is None:
            known = self.enum.members
            args: dict[str, Any] = {"name": str(written), "domain": self.enum.name, "meant": did_you_mean(str(written), known)}
            if self.enum.kind == "player":
                args |= {"players": ", ".join(known), "n": len(known)}
            complain(DecodeProblem("member", path, args, of_key))
        return self.default if found is None else found

    def write(self, raw: int) -> Any:
        return "{},{}".format(*decode_open_cell(raw)) if self.enum.kind == "open" else self.enum.members[raw]

    def write_all(self, raws: Sequence[int]) -> list[Any]:
        return super().write_all(raws) if self.enum.kind == "open" else [*map(self.enum.members.__getitem__, raws)]

    def spell(self, raw: int) -> str:
        return str(self.write(raw))

    def fits(self, raw: Any) -> bool:
        if self.enum.kind == "open":
            return isinstance(raw, int) and 0 <= raw < OPEN_SPAN * OPEN_SPAN
        return isinstance(raw, int) and 0 <= raw < max(1, len(self.enum))


class _OptionalCodec(Codec[Any]):
    inner: Codec[Any]

    def __init__(self, type_: OptionalOf, inner: Codec[Any]) -> None:
        super().__init__(type_, inner.none)
        self.inner = inner
        self.numeric = inner.numeric and inner.none is not None

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> Any:
        def suggest_none(complaint: DecodeProblem) -> None:
            """Suggests `none` if no member is similar."""
            meant = complaint.args.get("meant") == "" and complaint.path == path and did_you_mean(str(written), ["none"])
            complain(replace(complaint, args={**complaint.args, "meant": meant}) if meant else complaint)

        return self.default if written is None or written == "none" else self.inner.read(written, path, suggest_none)

    def write(self, raw: Any) -> Any:
        return None if raw == self.default else self.inner.write(raw)

    def write_all(self, raws: Sequence[Any]) -> list[Any]:
        none, write = self.default, self.inner.write
        return [None if raw == none else write(raw) for raw in raws]

    def spell(self, raw: Any) -> str:
        return "none" if raw == self.default else self.inner.spell(raw)

    def fits(self, raw: Any) -> bool:
        return raw == self.default or self.inner.fits(raw)

    def parts(self, raw: Any) -> list[Any]:
        return [] if raw == self.default else [raw]

    def pack(self, parts: Iterable[Any]) -> Any:
        return next(iter(parts), self.default)

    def size(self, raw: Any) -> int:
        return int(raw != self.default)


class _ContainerCodec(Codec[R]):
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


class _ListCodec(_ContainerCodec[tuple[Any, ...]]):
    def __init__(self, type_: Type, inner: Codec[Any]) -> None:
        super().__init__(type_, inner, ())

    def parts(self, raw: tuple[Any, ...]) -> list[Any]:
        return list(raw)

    def pack(self, parts: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    def fits(self, raw: Any) -> bool:
        return isinstance(raw, tuple) and all(map(self.inner.fits, raw))


class _SetCodec(_ContainerCodec[R]):
    """A set. A set of cells can also be written as an edge of the board: `{edge: north}`."""

    brackets = "{}"

    def read(self, written: Any, path: DataPath, complain: OnDecodeProblem) -> R:
        enum = self.inner.enum if isinstance(self.inner, _MemberCodec) else None
        if enum is None or enum.board is None or enum.kind != "cells" or not isinstance(written, dict) or list(written) != ["edge"]:
            return super().read(written, path, complain)
        cells = enum.board.edges.get(str(written["edge"]))
        return (
            self.reject_value(written["edge"], (*path, "edge"), complain, " / ".join(enum.board.edges))
            if cells is None
            else self.pack(cells)
        )


class _MaskCodec(_SetCodec[int]):
    """A set of members as a bitmask."""

    numeric = True

    def __init__(self, type_: Type, inner: _MemberCodec) -> None:
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


class _FrozenSetCodec(_SetCodec[frozenset[Any]]):
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


class _BagCodec(_ContainerCodec[tuple[int, ...]]):
    """Counts by kind, written as {kind: count} or as a list."""

    inner: _MemberCodec
    brackets = "{}"

    def __init__(self, type_: Type, inner: _MemberCodec) -> None:
        super().__init__(type_, inner, (0,) * len(inner.enum))
        self.count = _NumberCodec(COUNT_TYPE)

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


class CodecTable:
    """The codecs of one game, each built on first use."""

    def __init__(self, model: GameModel) -> None:
        self.model = model
        self.made: dict[Type, Codec[Any]] = {}

    def codec_for(self, type_: Type) -> Codec[Any]:
        """Returns the codec of a type."""
        codec = self.made.get(type_)
        if codec is None:
            codec = self.made[type_] = self.build_codec(type_)
        return codec

    def member_codec(self, domain: str) -> _MemberCodec:
        """Returns the codec of the members of an enumeration, cells of a board, or pieces."""
        codec = self.codec_for(MemberOf(domain))
        assert isinstance(codec, _MemberCodec)
        return codec

    def build_codec(self, type_: Type) -> Codec[Any]:
        match type_:
            case Int():
                return _NumberCodec(type_)
            case Bool():
                return _BoolCodec(type_)
            case MemberOf():
                enum = self.model.enum_of(type_.name)
                assert enum is not None
                return _MemberCodec(type_, enum)
            case OptionalOf():
                return _OptionalCodec(type_, self.codec_for(type_.of))
            case SetOf():
                inner = self.codec_for(type_.of)
                return (
                    _MaskCodec(type_, inner)
                    if isinstance(inner, _MemberCodec) and self.is_mask_element(type_.of)
                    else _FrozenSetCodec(type_, inner)
                )
            case ListOf() | PileOf():
                return _ListCodec(type_, self.codec_for(type_.of))
            case BagOf():
                return _BagCodec(type_, self.member_codec(type_.of.name))
        return _NoneCodec(type_)

    def is_open(self, type_: Type) -> bool:
        """Whether a type is a cell of an open board, which has no edge."""
        enum = self.model.enum_of(type_.name) if isinstance(type_, MemberOf) else None
        return enum is not None and enum.kind == "open"

    def is_mask_element(self, of: Type) -> bool:
        """Whether a set of this type is a bitmask: its elements are members of a finite enumeration."""
        return isinstance(of, MemberOf) and not self.is_open(of)


def find_member(enum: Enumeration, word: str) -> int | None:
    """Returns the number of a member by any of its spellings, or None.

    Besides its name, these are: the name of a corner from any of its cells, the name of a cell, and the coordinates of a
    cell on an open board."""
    if word in enum.index:
        return enum.index[word]
    board = enum.board
    if board is None:
        return None
    if enum.kind == "corners":
        return board.corner_names.get(word)
    if enum.kind not in ("cells", "open"):
        return None
    if word in board.named:
        return board.named[word]
    at = _COORDINATES_PATTERN.fullmatch(word) if enum.kind == "open" else None
    if at is None:
        return None
    q, r = int(at[1]), int(at[2])
    return encode_open_cell(q, r) if max(abs(2 * q + 1), abs(2 * r + 1)) < OPEN_SPAN else None


def format_inline(data: Any) -> str:
    """Returns plain data as one line of YAML."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{key}: {format_inline(found)}" for key, found in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(format_inline(found) for found in data) + "]"
    if data is None:
        return "none"
    return str(data).lower() if isinstance(data, bool) else str(data)
