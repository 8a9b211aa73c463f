"""Codecs of single values: numbers, bools, members, and optional values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..diagnostics.diagnostic import did_you_mean
from ..types.boards import OPEN_SPAN, decode_open_cell
from ..types.types import Bool, Int, MemberOf, OptionalOf, Type
from .codec import Codec, DataPath, DecodeProblem, OnDecodeProblem, find_member
from .model import Enumeration


class NoneCodec(Codec[int]):
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


class NumberCodec(Codec[int]):
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


class BoolCodec(Codec[int]):
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


class MemberCodec(Codec[int]):
    """Members, places of boards, and pieces. Places can be read by any of their names."""

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


class OptionalCodec(Codec[Any]):
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
