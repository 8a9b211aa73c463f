"""Positions as rows of 64-bit words, the form in which they go to C and come back.

Words follow each other as in Python's list: a number is one word, a set as many as it has bits for, a list its length and then what is in
it; where something may be forgotten, a word before it says whether it is there.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from ..machine.info import Wait
from ..machine.kinds import Kind, Mask, Maybe, Members, Nothing, Row, Seq, Word, shown
from ..machine.spaces import Space
from ..storage.control import PC, RANDOM

NOTHING = -(1 << 63)
LOW = (1 << 64) - 1


class Unfit(Exception):
    """A value that the C form has no place for: Python goes on with it."""


def signed(word: int) -> int:
    """64 bits as a number with a sign."""
    return word - (1 << 64) if word >> 63 else word


class Words:
    """The way there and back for the positions of one program."""

    def __init__(self, spaces: list[Space], wide: bool, waits: dict[int, Wait]) -> None:
        self.spaces, self.wide, self.waits = spaces, wide, waits

    def encoded(self, s: Sequence[Any]) -> array[int]:
        """A position as words. Raises Unfit."""
        out = [signed(s[RANDOM])]
        for space in self.spaces:
            for value in s[space.start : space.end]:
                if space.lapses:
                    there = value is not None and space.kind is not None      # what nothing in C asks for is forgotten
                    out.append(int(there))
                    if not there:
                        continue
                if space.frame is not None:                                    # what a procedure left behind there may be of another kind
                    value = left_behind(value, space.kind)
                self.put(space.kind, value, out)
        try:
            return array("q", out)
        except OverflowError:
            raise Unfit("a number of more than 64 bits") from None

    def put(self, kind: Kind | None, value: Any, out: list[int]) -> None:
        match kind:
            case Word() | None if isinstance(value, int):
                out.append(int(value))
            case Maybe():
                out.append(NOTHING if value is None else value)
            case Mask():
                self.put_mask(value, out)
            case Members():
                self.put_mask(sum(1 << member for member in value), out)
            case Seq(of=inside):
                out.append(len(value))
                for one in value:
                    self.put(inside, one, out)
            case Row(parts=parts):
                for one, part in zip(value, parts):
                    self.put(part, one, out)
            case _:
                raise Unfit(shown(kind))

    def put_mask(self, value: int, out: list[int]) -> None:
        if value < 0 or value >> (128 if self.wide else 64):
            raise Unfit("a set with too many members")
        out.append(signed(value & LOW))
        if self.wide:
            out.append(signed(value >> 64))

    def decoded(self, words: Sequence[int], s: list[Any]) -> None:
        """Write words into a position: of the frames, those of procedures in which it waits."""
        source = iter(words)
        s[RANDOM] = next(source) & LOW
        frames: dict[int, list[tuple[int, Any]]] = {}
        for space in self.spaces:
            for at in range(space.start, space.end):
                value = None if space.lapses and not next(source) else self.get(space.kind, source)
                if space.frame is None:
                    s[at] = value
                else:
                    frames.setdefault(space.frame, []).append((at, value))
        pc = s[PC]
        while pc in self.waits:
            wait = self.waits[pc]
            for at, value in frames.get(wait.frame, ()):
                s[at] = value
            pc = s[wait.return_slot]

    def get(self, kind: Kind | None, source: Iterator[int]) -> Any:
        match kind:
            case Word() | None:
                return next(source)
            case Maybe():
                found = next(source)
                return None if found == NOTHING else found
            case Mask():
                return self.get_mask(source)
            case Members():
                mask = self.get_mask(source)
                return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)
            case Seq(of=inside):
                return tuple([self.get(inside, source) for _ in range(next(source))])
            case Row(parts=parts):
                return tuple([self.get(part, source) for part in parts])
        raise Unfit(shown(kind))

    def get_mask(self, source: Iterator[int]) -> int:
        found = next(source) & LOW
        return found | (next(source) & LOW) << 64 if self.wide else found


def left_behind(value: Any, kind: Kind | None) -> Any:
    """What stands in an entry of a frame, or nothing where it cannot be what the procedure that is here now put there."""
    match kind:
        case Seq() | Members():
            return value if isinstance(value, tuple | list) else ()
        case Row(parts=parts):
            return value if isinstance(value, tuple) and len(value) == len(parts) else tuple(left_behind(None, part) for part in parts)
        case Mask():
            return value if isinstance(value, int) and value >= 0 else 0
        case Maybe() | Nothing():
            return value if isinstance(value, int | None) else None
    return value if isinstance(value, int) else 0
