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
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ..diagnostics.diagnostic import Phrase
from ..types.board_parts import PART_SIGNS
from ..types.boards import OPEN_SPAN, encode_open_cell
from ..types.size_limits import is_too_long_number
from ..types.types import Bool, Int, Type
from .model import Enumeration

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
        """A hint key: for a player who does not sit, a likely typo, a number with too many digits, or quotation marks around a
        value that would be valid without them."""
        if self.args.get("players"):
            return "seated_players"
        if self.args.get("meant"):
            return "did_you_mean"
        found = str(self.args.get("found", ""))
        return "unquoted" if found.startswith('"') else "number_too_long" if is_too_long_number(found) else None


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
        found = f'"{written}"' if plain and not is_too_long_number(written) else format_inline(written)
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


def find_member(enum: Enumeration, word: str) -> int | None:
    """Returns the number of a member by any of its spellings, or None.

    Besides its name, these are: the name of a corner or an edge from any of its cells, the name of a cell, and the coordinates of a
    cell on an open board."""
    if word in enum.index:
        return enum.index[word]
    board = enum.board
    if board is None:
        return None
    if enum.kind in PART_SIGNS:
        return board.parts_of_kind(enum.kind).names.get(word)
    if enum.kind not in ("cells", "open"):
        return None
    if word in board.named:
        return board.named[word]
    at = _COORDINATES_PATTERN.fullmatch(word) if enum.kind == "open" else None
    if at is None:
        return board.parse_open_cell_label(word)
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
