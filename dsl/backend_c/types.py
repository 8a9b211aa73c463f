"""Kinds as C types, constants as C data, and the ways from one kind to another."""

from __future__ import annotations

from typing import Any

from ..ir.value_types import (
    Group,
    Jump,
    Kind,
    Map,
    Mask,
    Maybe,
    Members,
    Nothing,
    Perhaps,
    Row,
    Seq,
    Unknown,
    Word,
    entries,
    shown,
)
from ..model.canonical import ordered

WIDEST = 512                                                       # bits of a set


def number(value: int) -> str:
    """A number as C reads it; one that fills all 64 bits has no sign in front there."""
    if -(1 << 31) < value < 1 << 31:
        return str(value)
    return f"{value}LL" if value > -(1 << 63) else f"({value + 1}LL - 1)"


def mask(value: int, words: int) -> str:
    """A set as C reads it, in so many words of 64 bits."""
    if not 0 <= value < 1 << 64 * words:
        raise Unknown(f"a set of more than {64 * words} members")
    if words == 1:
        return f"{value}ULL"
    parts = [f"{value >> 64 * n & (1 << 64) - 1}ULL" for n in range(words)]
    return f"((lg_mask){parts[1]} << 64 | {parts[0]})" if words == 2 else f"((lg_mask){{ {', '.join(parts)} }})"


def bare(value: int, words: int) -> str:
    """A set inside of an initialiser."""
    found = mask(value, words)
    return found.removeprefix("((lg_mask)").removesuffix(")") if words > 2 else found


def tag(kind: Kind | None) -> str:
    """A kind inside of the name of another."""
    match kind:
        case Word() | Maybe() | Nothing() | Jump() | None:
            return "w"
        case Mask() | Members():
            return "m"
        case Seq(of=inside) | Group(of=inside):                    # a set that is no mask is a list in order, each thing once
            return "q" + tag(inside)
        case Map():
            return tag(entries(kind))
        case Perhaps(of=inside):
            return "o" + tag(inside)
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
            return text if text.isdigit() else f"lg_definite(X, {text})"
        case Nothing(), Maybe():
            return "LG_NOTHING"
        case (Maybe() | Nothing()), Word():
            return f"lg_there(X, {text})"
        case Word(), Mask():
            return f"lg_mask_of({text})"
        case Members(), Seq(of=Word()):
            return f"lg_members(X, {text})"
        case Seq(of=None), Members():
            return "lg_mask_of(0)"
        case (Seq(of=None), Seq()) | (Group(of=None), Group()) | (Map(of=None), Map()) | (Nothing(), Perhaps()):
            return f"({named(wanted)}){{0}}"
        case (Seq(), Seq()) | (Group(), Group()) | (Map(), Map()) | (Perhaps(), Perhaps()) if tag(kind) == tag(wanted):
            return text
        case _, Perhaps(of=inside) if not isinstance(kind, Perhaps):
            return f"({named(wanted)}){{ 1, {converted(text, kind, inside)} }}"
        case Perhaps(of=inside), _ if not isinstance(wanted, Perhaps):
            mine = f"u{tag(kind)}"
            return converted(f"({{ {named(kind)} {mine} = {text}; if (!{mine}.h) lg_leave(X, LG_ODD); {mine}.v; }})", inside, wanted)
        case (Seq(of=inside), Seq(of=other)) | (Group(of=inside), Group(of=other)):
            one, two, n = f"a{tag(kind)}", f"b{tag(wanted)}", f"n{tag(kind)}"
            entry = converted(f"{one}.v[{n}]", inside, other)
            return (f"({{ {named(kind)} {one} = {text}; {named(wanted)} {two} = lg_new_{tag(wanted)}(X, {one}.n); "
                    f"for (i64 {n} = 0; {n} < {one}.n; {n}++) {two}.v[{n}] = {entry}; {two}; }})")
    raise Unknown(f"{shown(kind)} as {shown(wanted)}")


class Types:
    """The C types that a program needs, each behind what it is made of, with what is written for each: growing, copying in and out."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {"t_qw": "", "t_qm": "", "t_qqw": "", "group of w": ""}           # what is always there

    def need(self, kind: Kind | None) -> str:
        """The name of a kind's type; it is declared if it was not yet."""
        name = named(kind)
        match kind:
            case Seq(of=inside) if name not in self.made:
                self.made[name] = f"LG_LIST({name}, {self.need(inside)}, {tag(inside)})"
            case Group(of=inside):
                self.need(Seq(inside))
                self.once(f"group of {tag(inside)}", f"LG_GROUP({name}, {named(inside)}, {tag(inside)})")
            case Map(of=inside):
                rows = entries(kind)
                self.need(rows)
                self.once(f"map of {tag(inside)}", f"LG_MAP({name}, {named(rows.of)}, {named(inside)}, {tag(kind)}, {tag(inside)})")
            case Perhaps(of=inside) if name not in self.made:
                self.made[name] = f"LG_PERHAPS({name}, {self.need(inside)}, {tag(inside)})"
            case Row(parts=parts) if name not in self.made:
                fields = "".join(f" {self.need(part)} f{n};" for n, part in enumerate(parts))
                ways = [(n, tag(part)) for n, part in enumerate(parts)]
                read = "".join(f" lg_read_{one}(x, &v->f{n});" for n, one in ways)
                write = "".join(f" lg_write_{one}(x, v.f{n});" for n, one in ways)
                keep = "".join(f" v.f{n} = lg_keep_{one}(x, v.f{n});" for n, one in ways)
                same = " && ".join(f"lg_same_{one}(a.f{n}, b.f{n})" for n, one in ways)
                order = "".join(f" if ((c = lg_order_{one}(a.f{n}, b.f{n}))) return c;" for n, one in ways)
                own = tag(kind)
                self.made[name] = "\n".join((
                    f"typedef struct {{{fields} }} {name};",
                    f"static LG_MAYBE void lg_read_{own}(lg_x *x, {name} *v) {{{read} }}",
                    f"static LG_MAYBE void lg_write_{own}(lg_x *x, {name} v) {{{write} }}",
                    f"static LG_MAYBE {name} lg_keep_{own}(lg_x *x, {name} v) {{{keep} return v; }}",
                    f"static LG_MAYBE int lg_same_{own}({name} a, {name} b) {{ return {same}; }}",
                    f"static LG_MAYBE int lg_order_{own}({name} a, {name} b) {{ int c;{order} return 0; }}",
                ))
        return name

    def once(self, key: str, text: str) -> None:
        """Something more that is written for a type, if it was not yet."""
        self.made.setdefault(key, text)

    def sorter(self, kind: Seq) -> str:
        """The function that sorts such a list by what stands first in each entry; equal ones stay as they stand."""
        self.need(kind)
        own = tag(kind)
        first = "f0" if isinstance(kind.of, Row) else "v[lg_at(x, 0, a.n)]"
        self.once(f"ranked {own}", f"#define LG_FIRST_{own}(x, a) (a.{first})\nLG_RANKED({named(kind)}, {named(kind.of)}, {own})")
        return f"lg_ranked_{own}"

    def text(self) -> str:
        return "\n".join(filter(None, self.made.values()))


class Constants:
    """Constants as C data. Lists in lists point to what stands before them."""

    def __init__(self, types: Types, words: int) -> None:
        self.types, self.words = types, words
        self.lines: list[str] = []
        self.known: dict[tuple[str, Any], str] = {}

    def value(self, value: Any, kind: Kind | None) -> str:
        """A constant as an initialiser, or (where it is no list) as an expression."""
        match kind:
            case Word() | Maybe():
                return "LG_NOTHING" if value is None else number(int(value))
            case Mask():
                return bare(int(value), self.words)
            case Row(parts=parts):
                self.types.need(kind)
                return f"{{ {', '.join(self.value(one, part) for one, part in zip(value, parts))} }}"
            case Seq(of=inside) | Group(of=inside):
                self.types.need(kind)
                things = ordered(value) if isinstance(value, frozenset) else value
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
        if isinstance(kind, Mask):
            return mask(int(value), self.words)
        found = self.value(value, kind)
        return f"({named(kind)}){found}" if found.startswith("{") else found
