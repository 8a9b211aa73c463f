"""Encodes actions and positions as numbers, for programs that learn. Both encodings follow from the rules alone.

The number of an action means the same spelling at every decision of a game, in every match and every process.
Numbers are assigned in the order of the rules. Answers with the same names and types share a group, so
`cell=d4` is one action at every decision. A position is a list of integers of fixed length, each within fixed
bounds.

Subsets are numbered by size, and within a size by their highest members (the combinatorial number system). The
number of a set does not depend on the largest size allowed. Bags are numbered in the same way (`rank_bag`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import comb
from typing import Any

from ...dsl.backend_python.runtime import unrank_bag
from ...dsl.ir.metadata import DecisionBranch, DecisionKind, LiveVariable, OptionField
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..errors import MessageError
from ..position.observation import public_size
from ..position.options import DECLINE, find_choice, spell_value
from ..position.position import OPTION_CACHE_SIZE, Game, Position
from ..position.visibility import can_see, can_see_local
from . import loading
from .errors import ApiError, engine_sentence

MAX_ACTIONS = 1 << 20                       # a mask of more actions would be too large for a neural network
LAST_ITEMS_ENCODED = 8                             # last entries of a list or pile that are encoded one by one
MAX_NUMBER = (1 << 31) - 1                  # used if a number has no bound, or a larger one
DECLINED = "decline"


class NotEncodableError(MessageError):
    """Raised if the actions or positions of a game cannot be encoded."""


@dataclass
class ActionGroup:
    """A group of actions: one form of answer, with an optional menu entry and a value for each name.

    `lows` and `highs` are the bounds of the values. `first` is the number of its first action."""

    entry: str | None
    names: list[tuple[str, Type]]
    lows: list[int]
    highs: list[int]
    first: int = 0
    choices: list[DecisionBranch] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of actions in the group."""
        n = 1
        for low, high in zip(self.lows, self.highs):
            n *= high - low + 1
        return n


def type_name(found: Type) -> str:
    """Returns the name of a type without the bounds of its numbers."""
    return "int" if isinstance(found, Int) else str(found)


class ActionNumbers(dict[int, int]):
    """The action numbers of a kind of decision by code, each computed when it is first asked for. `codes` is the inverse."""

    def __init__(self, encoder: ActionEncoder, kind: DecisionKind) -> None:
        super().__init__()
        self.encoder, self.kind = encoder, kind
        self.codes: dict[int, int] = {}

    def __missing__(self, code: int) -> int:
        if len(self) >= OPTION_CACHE_SIZE:
            self.clear()
            self.codes.clear()
        number = self[code] = self.encoder.action_number(self.kind, code)
        self.codes[number] = code
        return number


class ActionEncoder:
    """Maps the options of a game to action numbers and back. Raises NotEncodableError."""

    def __init__(self, game: Game) -> None:
        self.game = game
        found: dict[tuple[Any, ...], ActionGroup] = {}
        declines = False
        self.groups: dict[int, ActionGroup] = {}
        for kind in game.module.decisions:
            declines = declines or kind.optional
            for choice in kind.choices:
                if any(is_unbounded(game, slot.type) for slot in choice.slots):
                    raise NotEncodableError("api.no_edge")
                key = (choice.name, *((slot.name, type_name(slot.type)) for slot in choice.slots))
                lows = [slot.low for slot in choice.slots]
                highs = [slot.low + self.count_values(slot) - 1 for slot in choice.slots]
                way = found.setdefault(key, ActionGroup(choice.name, [(slot.name, slot.type) for slot in choice.slots], lows, highs))
                way.lows, way.highs = list(map(min, way.lows, lows)), list(map(max, way.highs, highs))
                way.choices.append(choice)
                self.groups[id(choice)] = way
        self.ways = list(found.values())
        self.decline = 0 if declines else None
        self.count = int(declines)
        for way in self.ways:
            way.first = self.count
            self.count += way.size
        if self.count > MAX_ACTIONS:
            raise NotEncodableError("api.too_many", count=self.count, most=MAX_ACTIONS)

    def __len__(self) -> int:
        return self.count

    def count_values(self, slot: OptionField) -> int:
        """Returns the number of values that a slot may have."""
        if not isinstance(slot.type, SetOf):
            return slot.radix
        members = self.count_set_members(slot.type)
        return count_subsets(members, members if slot.most is None else slot.most)

    def count_set_members(self, found: SetOf) -> int:
        """Returns the number of members that a set of this type can hold."""
        assert isinstance(found.of, MemberOf)
        return enum_size(self.game, found.of)

    def action_number(self, kind: DecisionKind, code: int) -> int:
        """Returns the action number of an option of a kind of decision, given by its code."""
        if code == DECLINE:
            assert self.decline is not None
            return self.decline
        choice = find_choice(kind, code)
        way = self.groups[id(choice)]
        rest, number, scale = code - choice.offset, 0, 1
        for n in range(len(choice.slots) - 1, -1, -1):
            slot = choice.slots[n]
            rest, digit = divmod(rest, slot.radix)
            digit = rank_subset(slot.radix.bit_length() - 1, digit) if isinstance(slot.type, SetOf) else digit
            number += (digit + slot.low - way.lows[n]) * scale
            scale *= way.highs[n] - way.lows[n] + 1
        return way.first + number

    def legal_actions(self, position: Position) -> dict[int, int]:
        """Returns the codes of all legal options, by action number. Empty when the game is over."""
        decision = position.decision
        return {} if decision is None else {self.action_number(decision.kind, code): code for code in decision.codes}

    def spelling(self, number: int) -> str:
        """Returns the spelling of an action, which is the same in every position. Raises IndexError."""
        if number == self.decline:
            return DECLINED
        way = next((way for way in self.ways if way.first <= number < way.first + way.size), None)
        if way is None:
            raise IndexError(number)
        said: list[str] = []
        rest = number - way.first
        for (name, kind), low, high in reversed(list(zip(way.names, way.lows, way.highs))):
            rest, digit = divmod(rest, high - low + 1)
            match kind:
                case SetOf():
                    value: Any = unrank_subset(self.count_set_members(kind), digit)
                case BagOf(of=of):
                    value = unrank_bag(digit, enum_size(self.game, of))
                case _:
                    value = digit + low
            said.insert(0, f"{name}={spell_value(self.game.codecs, kind, value)}")
        return " ".join([way.entry, *said] if way.entry else said)


def is_unbounded(game: Game, found: Type | None) -> bool:
    """Whether a value may be a cell of an unbounded board, which has infinitely many cells."""
    if isinstance(found, MemberOf):
        enum = game.model.enum_of(found.name)
        return enum is not None and enum.kind == "open"
    return isinstance(found, OptionalOf | SetOf | ListOf | PileOf | BagOf) and is_unbounded(game, found.of)


# ---------------------------------------------------------------- positions


@dataclass
class ValueEncoding:
    """The encoding of a type: the names and bounds of its numbers, and the function that encodes a value."""

    names: list[str]
    lows: list[int]
    highs: list[int]
    encode: Callable[[Any], list[int]]


def make_encoding(game: Game, found: Type) -> ValueEncoding:
    """Returns the encoding of a type.

    | type | numbers |
    |---|---|
    | number, boolean, member | one number; -1 for no member or boolean |
    | any other optional | 1 or 0 for present or not, then the value |
    | set, bag | the size, then a count for each member |
    | list, pile | the size, the last entries (-1 for none), then a count for each member |"""
    codec = game.codec(found)
    if isinstance(found, Int):
        low, high = (
            (-MAX_NUMBER if found.low is None else max(-MAX_NUMBER, found.low)),
            (MAX_NUMBER if found.high is None else min(MAX_NUMBER, found.high)),
        )
        return ValueEncoding([""], [low], [high], lambda raw: [int(raw)])
    if isinstance(found, Bool):
        return ValueEncoding([""], [0], [1], lambda raw: [int(raw)])
    if isinstance(found, MemberOf):
        return ValueEncoding([""], [0], [enum_size(game, found) - 1], lambda raw: [int(raw)])
    if isinstance(found, OptionalOf):
        inner = make_encoding(game, found.of)
        if isinstance(found.of, Bool | MemberOf):
            return ValueEncoding([""], [-1], inner.highs, lambda raw: [int(raw)])
        blank = [max(0, low) for low in inner.lows]
        return ValueEncoding(["there", *inner.names], [0, *inner.lows], [1, *inner.highs],
                     lambda raw: [1, *inner.encode(raw)] if codec.size(raw) else [0, *blank])
    of = getattr(found, "of", None)
    members = enum_size(game, of) if isinstance(of, MemberOf) else 0
    named = [game.spell(of, n) for n in range(members)] if isinstance(of, MemberOf) else []
    if isinstance(found, ListOf | PileOf) and isinstance(of, MemberOf | Int):
        low, high = (-1, members - 1) if isinstance(of, MemberOf) else (-MAX_NUMBER, MAX_NUMBER)
        return ValueEncoding(
            ["count", *(f"last {n + 1}" for n in range(LAST_ITEMS_ENCODED)), *named],
            [0, *[low] * LAST_ITEMS_ENCODED, *[0] * members],
            [MAX_NUMBER, *[high] * LAST_ITEMS_ENCODED, *[MAX_NUMBER] * members],
            lambda raw: encode_list(codec.parts(raw), members),
        )
    most = members if isinstance(found, SetOf) and members else MAX_NUMBER
    return ValueEncoding(["count", *named], [0] * (members + 1), [most, *[1 if isinstance(found, SetOf) else MAX_NUMBER] * members],
                 lambda raw: encode_counts(codec.parts(raw), members))


def encode_list(parts: list[Any], members: int) -> list[int]:
    """Encodes a list: its size, its last entries, and the count of each member."""
    last = [int(part) for part in parts[: -LAST_ITEMS_ENCODED - 1 : -1]]
    return [len(parts), *last, *[-1] * (LAST_ITEMS_ENCODED - len(last)), *encode_counts(parts, members)[1:]]


def encode_counts(parts: list[Any], members: int) -> list[int]:
    """Encodes a container: its size, and the count of each member."""
    counts = [0] * members
    for part in parts if members else ():
        counts[part] += 1
    return [len(parts), *counts]


def enum_size(game: Game, found: MemberOf) -> int:
    """Returns the number of members of an enum."""
    enum = game.model.enum_of(found.name)
    assert enum is not None
    return len(enum)


class ObservationEncoder:
    """Encodes what a seat may see of a position.

    `names`, `lows` and `highs` describe the numbers. Raises NotEncodableError.

    The first numbers are the viewer, the seat that decides (-1: none), the decision (-1: none) and the round.
    Then follow the states in their order, and the names in scope at decisions.

    A value that may be hidden has one more number in front: 1 if it is visible, else 0. The numbers of a hidden
    value are blank. Only the size of a hidden container is given, if it is public."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kinds = {kind.key: n for n, kind in enumerate(game.module.decisions)}
        self.names = ["viewer", "seat", "decision", "round"]
        self.lows, self.highs = [0, -1, -1, 0], [game.players - 1, game.players - 1, len(self.kinds) - 1, MAX_NUMBER]
        self.states: list[tuple[StateStorage, ValueEncoding]] = []
        self.sight: dict[tuple[str, str], ValueEncoding] = {}
        for name, cell in game.cells.items():
            if cell.open_axis is not None or is_unbounded(game, cell.state.type):
                raise NotEncodableError("api.no_edge")
            shape = make_encoding(game, cell.state.type)
            self.states.append((cell, shape))
            closed = cell.state.seen != "open"
            for index, _ in cell.iter_values(game.module.initial):
                words = [game.codecs.member_codec(enum.name).spell(n) for enum, n in zip(cell.enums, index)]
                self._add_columns(" ".join([name, *words]), shape, closed)
        for variable in (one for kind in game.module.decisions for one in kind.scope if not one.name.startswith(".")):
            key = self.variable_key(variable)
            if key not in self.sight and not is_unbounded(game, variable.type):
                self.sight[key] = make_encoding(game, variable.type)
                self._add_columns(f"sight {variable.name}", self.sight[key], True)

    def __len__(self) -> int:
        return len(self.names)

    def encode_position(self, position: Position, seat: int | None) -> list[int]:
        """Returns a position as `seat` sees it (None: a spectator)."""
        decision = position.decision
        asked = (-1, -1) if decision is None else (decision.seat, self.kinds[decision.key])
        out = [seat or 0, *asked, position.rounds]
        for cell, shape in self.states:
            if cell.state.seen == "open":
                for _, raw in cell.iter_values(position.s):
                    out += shape.encode(raw)
                continue
            for index, raw in cell.iter_values(position.s):
                out += (
                    [1, *shape.encode(raw)]
                    if can_see(position, cell, index, seat)
                    else self._encode_hidden(shape, public_size(position, cell, raw))
                )
        here = {self.variable_key(variable): variable for variable in (decision.kind.scope if decision is not None else ())}
        for key, shape in self.sight.items():
            found = here.get(key)
            seen = found is not None and can_see_local(position, found, seat)
            out += [1, *shape.encode(position.s[found.slot])] if found is not None and seen else self._encode_hidden(shape, None)
        return [max(low, min(high, number)) for low, high, number in zip(self.lows, self.highs, out, strict=True)]

    def _add_columns(self, name: str, shape: ValueEncoding, closed: bool) -> None:
        """Adds the numbers of one value to the encoding. A value that may be hidden gets a visibility flag."""
        if closed:
            self.names.append(f"{name} seen")
            self.lows.append(0)
            self.highs.append(1)
        self.names += [f"{name} {part}".rstrip() for part in shape.names]
        self.lows += shape.lows
        self.highs += shape.highs

    def _encode_hidden(self, shape: ValueEncoding, outer: Any) -> list[int]:
        """Returns the numbers of a hidden value.

        `outer` is what is public about it: a size, the backs of cards, or None."""
        blank = [max(0, low) for low in shape.lows]
        many = len(outer) if isinstance(outer, tuple) else outer
        if many is not None and shape.names[0] in ("count", "there"):
            blank[0] = many
        return [0, *blank]

    @staticmethod
    def variable_key(variable: LiveVariable) -> tuple[str, str]:
        return variable.name, str(variable.type)


def count_subsets(members: int, max_count: int) -> int:
    """Returns the number of subsets with at most `max_count` of `members` members."""
    return sum(comb(members, size) for size in range(min(members, max_count) + 1))


def rank_subset(members: int, things: int) -> int:
    """Returns the number of a subset. `things` is its bitmask."""
    size = things.bit_count()
    found, place, rest = count_subsets(members, size - 1), 0, things
    while rest:
        member = (rest & -rest).bit_length() - 1
        rest &= rest - 1
        place += 1
        found += comb(member, place)
    return found


def unrank_subset(members: int, number: int) -> int:
    """Returns the bitmask of the subset with this number."""
    size = 0
    while number >= comb(members, size):
        number -= comb(members, size)
        size += 1
    things = 0
    for place in range(size, 0, -1):
        member = next(n for n in range(members - 1, -1, -1) if comb(n, place) <= number)
        number -= comb(member, place)
        things |= 1 << member
    return things


class GameEncodings:
    """The encodings of the actions and positions of a game. Raises ApiError if the game cannot be encoded."""

    def __init__(self, game: loading.Game) -> None:
        self.game, self.lang = game, game.lang
        try:
            self.actions, self.observer = ActionEncoder(game.loaded.game), ObservationEncoder(game.loaded.game)
        except NotEncodableError as error:
            raise ApiError(engine_sentence(game.lang, error.key, game=game.title(), **error.params)) from None

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEncodings:
        """Returns the same object, since it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return GameEncodings, (self.game,)
