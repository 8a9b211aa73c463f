"""Kinds as C types, constants as C data, conversions between kinds, and integer widths of slots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.program import IrModule
from ..ir.slot_ranges import SlotRange
from ..ir.value_types import (
    WORD,
    JumpKind,
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
    UnsupportedConstructError,
    WordKind,
    describe_kind,
    map_entries_kind,
)
from ..model.canonical import sort_values
from ..model.model import Enumeration
from ..storage.layout import StateStorage
from ..types.types import Int, MemberOf, OptionalOf, Type

MAX_SET_BITS = 512


def c_number(value: int) -> str:
    """Returns a number as a C literal. The smallest 64-bit number has no literal in C, so it becomes an
    expression."""
    if -(1 << 31) < value < 1 << 31:
        return str(value)
    return f"{value}LL" if value > -(1 << 63) else f"({value + 1}LL - 1)"


def c_mask(value: int, words: int) -> str:
    """Returns a set as a C expression with `words` 64-bit words."""
    if not 0 <= value < 1 << 64 * words:
        raise UnsupportedConstructError(f"a set of more than {64 * words} members")
    if words == 1:
        return f"{value}ULL"
    parts = [f"{value >> 64 * n & (1 << 64) - 1}ULL" for n in range(words)]
    return f"((lg_mask){parts[1]} << 64 | {parts[0]})" if words == 2 else f"((lg_mask){{ {', '.join(parts)} }})"


def c_mask_initializer(value: int, words: int) -> str:
    """Returns a set for use inside a C initializer."""
    found = c_mask(value, words)
    return found.removeprefix("((lg_mask)").removesuffix(")") if words > 2 else found


def kind_tag(kind: Kind | None) -> str:
    """Returns the short code of a kind that appears in names of C types and functions, such as `qw` for a list of
    words."""
    match kind:
        case WordKind() | OptionalWordKind() | NoneKind() | JumpKind() | None:
            return "w"
        case MaskKind() | MembersKind():
            return "m"
        case ListKind(of=inside) | SetKind(of=inside):                    # other sets are stored as sorted lists
            return "q" + kind_tag(inside)
        case MapKind():
            return kind_tag(map_entries_kind(kind))
        case OptionalKind(of=inside):
            return "o" + kind_tag(inside)
        case TupleKind(parts=parts):
            return f"r{len(parts)}{''.join(map(kind_tag, parts))}"
    raise UnsupportedConstructError(f"a place for {describe_kind(kind)}")


def c_type_name(kind: Kind | None) -> str:
    """Returns the name of a kind's C type."""
    found = kind_tag(kind)
    return {"w": "i64", "m": "lg_mask"}.get(found, f"t_{found}")


def convert_expression(text: str, kind: Kind | None, wanted: Kind | None) -> str:
    """Converts a C expression from one kind to another. An expression without a kind never returns."""
    if wanted is None or kind == wanted or isinstance(wanted, NoneKind | JumpKind):
        return text
    if kind is None:
        return f"({{ {text}; ({c_type_name(wanted)}){{0}}; }})"
    match kind, wanted:
        case WordKind(), OptionalWordKind():
            return text if text.isdigit() else f"lg_definite(X, {text})"
        case NoneKind(), OptionalWordKind():
            return "LG_NOTHING"
        case (OptionalWordKind() | NoneKind()), WordKind():
            return f"lg_there(X, {text})"
        case WordKind(), MaskKind():
            return f"lg_mask_of({text})"
        case MembersKind(), ListKind(of=WordKind()):
            return f"lg_members(X, {text})"
        case ListKind(of=None), MembersKind():
            return "lg_mask_of(0)"
        case (ListKind(of=None), ListKind()) | (SetKind(of=None), SetKind()) | (MapKind(of=None), MapKind()) | (NoneKind(), OptionalKind()):
            return f"({c_type_name(wanted)}){{0}}"
        case (ListKind(), ListKind()) | (SetKind(), SetKind()) | (MapKind(), MapKind()) | (OptionalKind(), OptionalKind()) if kind_tag(
            kind
        ) == kind_tag(wanted):
            return text
        case _, OptionalKind(of=inside) if not isinstance(kind, OptionalKind):
            return f"({c_type_name(wanted)}){{ 1, {convert_expression(text, kind, inside)} }}"
        case OptionalKind(of=inside), _ if not isinstance(wanted, OptionalKind):
            mine = f"u{kind_tag(kind)}"
            return convert_expression(
                f"({{ {c_type_name(kind)} {mine} = {text}; if (!{mine}.h) lg_leave(X, LG_ODD); {mine}.v; }})", inside, wanted
            )
        case (ListKind(of=inside), ListKind(of=other)) | (SetKind(of=inside), SetKind(of=other)):
            one, two, n = f"a{kind_tag(kind)}", f"b{kind_tag(wanted)}", f"n{kind_tag(kind)}"
            entry = convert_expression(f"{one}.v[{n}]", inside, other)
            return (f"({{ {c_type_name(kind)} {one} = {text}; {c_type_name(wanted)} {two} = lg_new_{kind_tag(wanted)}(X, {one}.n); "
                    f"for (i64 {n} = 0; {n} < {one}.n; {n}++) {two}.v[{n}] = {entry}; {two}; }})")
    raise UnsupportedConstructError(f"{describe_kind(kind)} as {describe_kind(wanted)}")


def narrow_c_type(machine: IrModule, space: SlotRange) -> str | None:
    """Returns the C type of a state with a small range, or None for a full machine word. Smaller types make
    copying a position faster."""
    cell = next((cell for cell in machine.layout.cells.values() if cell.base == space.start and space.frame is None), None)
    if cell is None or type(cell) is not StateStorage or space.kind != WORD:
        return None
    ends = type_bounds(cell.state.type, machine.layout.model.enums)
    if ends is None:
        return None
    low, high = min(ends[0], int(cell.default)), max(ends[1], int(cell.default))
    return next((f"int{bits}_t" for bits in (8, 16, 32) if -(1 << bits - 1) <= low and high < 1 << bits - 1), None)


def type_bounds(kind: Type, enums: Mapping[str, Enumeration]) -> tuple[int, int] | None:
    """Returns the smallest and the largest slot value of a type, including none (-1). None: unbounded."""
    match kind:
        case OptionalOf(of=MemberOf() as one):
            return type_bounds(one, enums)
        case MemberOf(name=name) if name in enums and enums[name].kind != "open":
            return -1, len(enums[name])
        case Int(low=int(low), high=int(high)):
            return low - 1, high + 1
    return None


class CTypeTable:
    """The C types that a program needs, each after the types that it contains.

    Each type comes with its functions, such as growing, copying and comparing."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {"t_qw": "", "t_qm": "", "t_qqw": "", "group of w": ""}           # types from the headers

    def declare_type(self, kind: Kind | None) -> str:
        """Returns the name of a kind's C type. Declares it on first use."""
        name = c_type_name(kind)
        match kind:
            case ListKind(of=inside) if name not in self.made:
                self.made[name] = f"LG_LIST({name}, {self.declare_type(inside)}, {kind_tag(inside)})"
            case SetKind(of=inside):
                self.declare_type(ListKind(inside))
                self.add_once(f"group of {kind_tag(inside)}", f"LG_GROUP({name}, {c_type_name(inside)}, {kind_tag(inside)})")
            case MapKind(of=inside):
                rows = map_entries_kind(kind)
                self.declare_type(rows)
                self.add_once(
                    f"map of {kind_tag(inside)}",
                    f"LG_MAP({name}, {c_type_name(rows.of)}, {c_type_name(inside)}, {kind_tag(kind)}, {kind_tag(inside)})",
                )
            case OptionalKind(of=inside) if name not in self.made:
                self.made[name] = f"LG_PERHAPS({name}, {self.declare_type(inside)}, {kind_tag(inside)})"
            case TupleKind(parts=parts) if name not in self.made:
                fields = "".join(f" {self.declare_type(part)} f{n};" for n, part in enumerate(parts))
                ways = [(n, kind_tag(part)) for n, part in enumerate(parts)]
                read = "".join(f" lg_read_{one}(x, &v->f{n});" for n, one in ways)
                write = "".join(f" lg_write_{one}(x, v.f{n});" for n, one in ways)
                keep = "".join(f" v.f{n} = lg_keep_{one}(x, v.f{n});" for n, one in ways)
                same = " && ".join(f"lg_same_{one}(a.f{n}, b.f{n})" for n, one in ways)
                order = "".join(f" if ((c = lg_order_{one}(a.f{n}, b.f{n}))) return c;" for n, one in ways)
                own = kind_tag(kind)
                self.made[name] = "\n".join((
                    f"typedef struct {{{fields} }} {name};",
                    f"static LG_MAYBE void lg_read_{own}(lg_x *x, {name} *v) {{{read} }}",
                    f"static LG_MAYBE void lg_write_{own}(lg_x *x, {name} v) {{{write} }}",
                    f"static LG_MAYBE {name} lg_keep_{own}(lg_x *x, {name} v) {{{keep} return v; }}",
                    f"static LG_MAYBE int lg_same_{own}({name} a, {name} b) {{ return {same}; }}",
                    f"static LG_MAYBE int lg_order_{own}({name} a, {name} b) {{ int c;{order} return 0; }}",
                ))
        return name

    def add_once(self, key: str, text: str) -> None:
        """Adds a declaration under a key, unless the key exists."""
        self.made.setdefault(key, text)

    def sort_function(self, kind: ListKind) -> str:
        """Returns the name of the function that sorts such a list by the first component of each entry. The sort is
        stable."""
        self.declare_type(kind)
        own = kind_tag(kind)
        first = "f0" if isinstance(kind.of, TupleKind) else "v[lg_at(x, 0, a.n)]"
        self.add_once(
            f"ranked {own}", f"#define LG_FIRST_{own}(x, a) (a.{first})\nLG_RANKED({c_type_name(kind)}, {c_type_name(kind.of)}, {own})"
        )
        return f"lg_ranked_{own}"

    def declarations(self) -> str:
        """Returns all declarations."""
        return "\n".join(filter(None, self.made.values()))


class CConstantPool:
    """Constants as C data. An inner list is a separate array, declared before the array that points to it."""

    def __init__(self, types: CTypeTable, words: int) -> None:
        self.types, self.words = types, words
        self.lines: list[str] = []
        self.known: dict[tuple[str, Any], str] = {}

    def initializer(self, value: Any, kind: Kind | None) -> str:
        """Returns a constant as a C initializer."""
        match kind:
            case WordKind() | OptionalWordKind():
                return "LG_NOTHING" if value is None else c_number(int(value))
            case MaskKind():
                return c_mask_initializer(int(value), self.words)
            case TupleKind(parts=parts):
                self.types.declare_type(kind)
                return f"{{ {', '.join(self.initializer(one, part) for one, part in zip(value, parts))} }}"
            case ListKind(of=inside) | SetKind(of=inside):
                self.types.declare_type(kind)
                things = sort_values(value) if isinstance(value, frozenset) else value
                if not things:
                    return "{ 0 }"
                return f"{{ {self.array_name(tuple(things), inside)}, {len(things)}, {len(things)} }}"
        raise UnsupportedConstructError(f"a constant {describe_kind(kind)}")

    def array_name(self, things: tuple[Any, ...], kind: Kind | None) -> str:
        """Returns the name of an array with these entries. Equal arrays are shared."""
        inside = ", ".join(self.initializer(thing, kind) for thing in things)
        key = c_type_name(kind), inside
        if key not in self.known:
            self.known[key] = f"c_{len(self.known)}"
            self.lines.append(f"static {self.types.declare_type(kind)} {self.known[key]}[] = {{ {inside} }};")
        return self.known[key]

    def constant_expression(self, value: Any, kind: Kind | None) -> str:
        """Returns a constant as a C expression."""
        if isinstance(kind, MaskKind):
            return c_mask(int(value), self.words)
        found = self.initializer(value, kind)
        return f"({c_type_name(kind)}){found}" if found.startswith("{") else found
