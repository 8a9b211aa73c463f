"""Positions as rows of 64-bit words, the form in which they go to C and come back.

Words follow each other as in Python's list: a number is one word, a set as many as it has bits for, a list its length and then what is in
it; where something may be forgotten, a word before it says whether it is there.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, groupby, islice
from typing import Any

from ..ir.metadata import Wait
from ..ir.slot_ranges import Space
from ..ir.value_types import Group, Kind, Map, Mask, Maybe, Members, Nothing, Perhaps, Row, Seq, Word, shown
from ..model.canonical import ordered
from ..storage.control_slots import PC, RANDOM

NOTHING = -(1 << 63)
LOW = (1 << 64) - 1
GENERATOR = (0, 64, 128)             # the bits of the generator at which each of its words begins: its state, and the two of a key


class Unfit(Exception):
    """A value that the C form has no place for: Python goes on with it."""


def signed(word: int) -> int:
    """64 bits as a number with a sign."""
    return word - (1 << 64) if word >> 63 else word


class Words:
    """The way there and back for the positions of one program."""

    def __init__(self, spaces: list[Space], mask_words: int, waits: dict[int, Wait]) -> None:
        self.spaces, self.mask_words, self.waits = spaces, mask_words, waits

    def encoded(self, s: Sequence[Any]) -> array[int]:
        """A position as words. Raises Unfit."""
        out = [signed(s[RANDOM] >> at & LOW) for at in GENERATOR]
        alive = {wait.frame for wait in self.waiting(s)}
        for space in self.spaces:
            for value in s[space.start : space.end]:
                if space.lapses:
                    there = value is not None and space.kind is not None      # what nothing in C asks for is forgotten
                    out.append(int(there))
                    if not there:
                        continue
                if space.frame is not None and not (space.frame in alive and fits(value, space.kind)):
                    value = blank(space.kind)                                  # what a procedure left behind there may be of another kind
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
            case (Seq(of=None) | Group(of=None) | Map(of=None)) if value:
                raise Unfit("something in what the rules leave empty")
            case Seq(of=inside) | Group(of=inside):
                out.append(len(value))
                for one in ordered(value) if isinstance(value, frozenset) else value:
                    self.put(inside, one, out)
            case Map(of=inside):
                out.append(len(value))
                for cell in sorted(value):
                    out.append(cell)
                    self.put(inside, value[cell], out)
            case Perhaps(of=inside):
                out.append(int(value is not None))
                self.put(inside, blank(inside) if value is None else value, out)
            case Row(parts=parts):
                for one, part in zip(value, parts):
                    self.put(part, one, out)
            case _:
                raise Unfit(shown(kind))

    def put_mask(self, value: int, out: list[int]) -> None:
        if value < 0 or value >> 64 * self.mask_words:
            raise Unfit("a set with too many members")
        out.extend(signed(value >> 64 * n & LOW) for n in range(self.mask_words))

    def decoded(self, words: Sequence[int], s: list[Any]) -> None:
        """Write words into a position: of the frames, those of procedures in which it waits."""
        source = iter(words)
        s[RANDOM] = sum((next(source) & LOW) << at for at in GENERATOR)
        entries: list[Any] = []
        for kind, lapses, count in self.runs:
            entries += ([self.get(kind, source) if next(source) else None for _ in range(count)] if lapses else
                        self.several(kind, count, source))
        for space, at in self.of_frame.get(None, ()):
            s[space.start : space.end] = entries[at : at + space.count]
        for wait in self.waiting(s):
            for space, at in self.of_frame.get(wait.frame, ()):
                s[space.start : space.end] = entries[at : at + space.count]

    @cached_property
    def runs(self) -> list[tuple[Kind | None, bool, int]]:
        """How many entries of one kind follow each other, and whether they may be forgotten."""
        return [(kind, lapses, sum(space.count for space in spaces)) for (kind, lapses), spaces in
                groupby(self.spaces, lambda space: (space.kind or Word(), space.lapses))]

    @cached_property
    def of_frame(self) -> dict[int | None, list[tuple[Space, int]]]:
        """The spaces of each procedure's frame (None: those of the states), with the number of entries before them."""
        found: dict[int | None, list[tuple[Space, int]]] = {}
        for space, before in zip(self.spaces, accumulate((space.count for space in self.spaces), initial=0)):
            found.setdefault(space.frame, []).append((space, before))
        return found

    def several(self, kind: Kind | None, count: int, source: Iterator[int]) -> list[Any]:
        """So many values of a kind: numbers and sets, nearly all of a position, are read all at once."""
        match kind:
            case Word() | None:
                return list(islice(source, count))
            case Mask():
                size = 8 * self.mask_words
                read = array("q", islice(source, count * self.mask_words)).tobytes()
                return [int.from_bytes(read[at : at + size], "little") for at in range(0, count * size, size)]
            case Seq(of=inside):
                return [tuple(self.several(inside, size, source)) if (size := next(source)) else () for _ in range(count)]
        return [self.get(kind, source) for _ in range(count)]

    def waiting(self, s: Sequence[Any]) -> Iterator[Wait]:
        """Where the procedures of a position wait, the innermost first."""
        pc = s[PC]
        while pc in self.waits:
            wait = self.waits[pc]
            yield wait
            pc = s[wait.return_slot]

    def get(self, kind: Kind | None, source: Iterator[int]) -> Any:
        match kind:
            case Word() | None:
                return next(source)
            case Maybe():
                found = next(source)
                return None if found == NOTHING else found
            case Mask() | Seq():
                return self.several(kind, 1, source)[0]
            case Members():
                mask = self.several(Mask(), 1, source)[0]
                return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)
            case Group(of=inside):
                return frozenset(self.several(inside, next(source), source))
            case Map(of=inside):
                return {next(source): self.get(inside, source) for _ in range(next(source))}
            case Perhaps(of=inside):
                there, found = next(source), self.get(inside, source)
                return found if there else None
            case Row(parts=parts):
                return tuple([self.get(part, source) for part in parts])
        raise Unfit(shown(kind))


def blank(kind: Kind | None) -> Any:
    """Some value of a kind, where none is asked for."""
    match kind:
        case Seq() | Members():
            return ()
        case Group():
            return frozenset()
        case Map():
            return {}
        case Row(parts=parts):
            return tuple(map(blank, parts))
        case Maybe() | Nothing() | Perhaps():
            return None
    return 0


def fits(value: Any, kind: Kind | None) -> bool:
    """Whether a value can be of a kind."""
    match kind:
        case Seq(of=inside):
            return isinstance(value, tuple | list) and all(fits(one, inside) for one in value)
        case Members():
            return isinstance(value, tuple | list) and all(isinstance(one, int) and one >= 0 for one in value)
        case Group(of=inside):
            return isinstance(value, frozenset) and all(fits(one, inside) for one in value)
        case Map(of=inside):
            return isinstance(value, dict) and all(fits(one, inside) for one in value.values())
        case Row(parts=parts):
            return isinstance(value, tuple | list) and len(value) == len(parts) and all(map(fits, value, parts))
        case Perhaps(of=inside):
            return value is None or fits(value, inside)
        case Maybe() | Nothing():
            return isinstance(value, int | None)
        case Mask():
            return isinstance(value, int) and value >= 0
    return isinstance(value, int)
