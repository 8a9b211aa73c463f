"""Kinds as C types, constants as C data, and the ways from one kind to another."""

from __future__ import annotations

from typing import Any

from ..machine.kinds import Jump, Kind, Mask, Maybe, Members, Nothing, Row, Seq, Unknown, Word, shown

WIDEST = 128                                                       # bits of a set


def number(value: int) -> str:
    """A number as C reads it; one that fills all 64 bits has no sign in front there."""
    if -(1 << 31) < value < 1 << 31:
        return str(value)
    return f"{value}LL" if value > -(1 << 63) else f"({value + 1}LL - 1)"


def mask(value: int) -> str:
    """A set as C reads it."""
    if not 0 <= value < 1 << WIDEST:
        raise Unknown(f"a set of more than {WIDEST} members")
    return f"{value}ULL" if value < 1 << 64 else f"((lg_mask){value >> 64}ULL << 64 | {value & (1 << 64) - 1}ULL)"


def tag(kind: Kind | None) -> str:
    """A kind inside of the name of another."""
    match kind:
        case Word() | Maybe() | Nothing() | Jump() | None:
            return "w"
        case Mask() | Members():
            return "m"
        case Seq(of=inside):
            return "q" + tag(inside)
        case Row(parts=parts):
            return f"r{len(parts)}{''.join(map(tag, parts))}"
    raise Unknown(f"a place for {shown(kind)}")


def named(kind: Kind | None) -> str:
    """The C type of a kind."""
    found = tag(kind)
    return {"w": "i64", "m": "lg_mask"}.get(found, f"t_{found}")


def converted(text: str, kind: Kind | None, wanted: Kind | None) -> str:
    """An expression of one kind as one of another. An expression without a kind never comes to an end."""
    if wanted is None or kind == wanted or isinstance(wanted, Nothing | Jump):
        return text
    if kind is None:
        return f"({{ {text}; ({named(wanted)}){{0}}; }})"
    match kind, wanted:
        case Word(), Maybe():
            return text
        case Nothing(), Maybe():
            return "LG_NOTHING"
        case (Maybe() | Nothing()), Word():
            return f"lg_there(X, {text})"
        case Word(), Mask():
            return f"(lg_mask)({text})"
        case Members(), Seq(of=Word()):
            return f"lg_members(X, {text})"
        case Seq(of=None), Members():
            return "(lg_mask)0"
        case Seq(of=None), Seq():
            return f"({named(wanted)}){{0}}"
        case Seq(), Seq() if tag(kind) == tag(wanted):
            return text
    raise Unknown(f"{shown(kind)} as {shown(wanted)}")


class Types:
    """The C types that a program needs, each behind what it is made of, with what is written for each: growing, copying in and out."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {"t_qw": "", "t_qm": ""}         # what is always there

    def need(self, kind: Kind | None) -> str:
        """The name of a kind's type; it is declared if it was not yet."""
        name = named(kind)
        match kind:
            case Seq(of=inside) if name not in self.made:
                self.made[name] = f"LG_LIST({name}, {self.need(inside)}, {tag(inside)})"
            case Row(parts=parts) if name not in self.made:
                fields = "".join(f" {self.need(part)} f{n};" for n, part in enumerate(parts))
                ways = [(n, tag(part)) for n, part in enumerate(parts)]
                read = "".join(f" lg_read_{one}(x, &v->f{n});" for n, one in ways)
                write = "".join(f" lg_write_{one}(x, v.f{n});" for n, one in ways)
                keep = "".join(f" v.f{n} = lg_keep_{one}(x, v.f{n});" for n, one in ways)
                same = " && ".join(f"lg_same_{one}(a.f{n}, b.f{n})" for n, one in ways)
                own = tag(kind)
                self.made[name] = "\n".join((
                    f"typedef struct {{{fields} }} {name};",
                    f"static LG_MAYBE void lg_read_{own}(lg_x *x, {name} *v) {{{read} }}",
                    f"static LG_MAYBE void lg_write_{own}(lg_x *x, {name} v) {{{write} }}",
                    f"static LG_MAYBE {name} lg_keep_{own}(lg_x *x, {name} v) {{{keep} return v; }}",
                    f"static LG_MAYBE int lg_same_{own}({name} a, {name} b) {{ return {same}; }}",
                ))
        return name

    def text(self) -> str:
        return "\n".join(filter(None, self.made.values()))


class Constants:
    """Constants as C data. Lists in lists point to what stands before them."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.lines: list[str] = []
        self.known: dict[tuple[str, Any], str] = {}

    def value(self, value: Any, kind: Kind | None) -> str:
        """A constant as an initialiser, or (where it is no list) as an expression."""
        match kind:
            case Word() | Maybe():
                return "LG_NOTHING" if value is None else number(int(value))
            case Mask():
                return mask(int(value))
            case Row(parts=parts):
                self.types.need(kind)
                return f"{{ {', '.join(self.value(one, part) for one, part in zip(value, parts))} }}"
            case Seq(of=inside):
                self.types.need(kind)
                things = sorted(value) if isinstance(value, frozenset) else value
                if not things:
                    return "{ 0 }"
                return f"{{ {self.array(tuple(things), inside)}, {len(things)}, {len(things)} }}"
        raise Unknown(f"a constant {shown(kind)}")

    def array(self, things: tuple[Any, ...], kind: Kind | None) -> str:
        """The name of an array with these entries."""
        inside = ", ".join(self.value(thing, kind) for thing in things)
        key = named(kind), inside
        if key not in self.known:
            self.known[key] = f"c_{len(self.known)}"
            self.lines.append(f"static {self.types.need(kind)} {self.known[key]}[] = {{ {inside} }};")
        return self.known[key]

    def of(self, value: Any, kind: Kind | None) -> str:
        """A constant as an expression."""
        found = self.value(value, kind)
        return f"({named(kind)}){found}" if found.startswith("{") else found


