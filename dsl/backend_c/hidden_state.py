"""Generates the C functions that access hidden values: who may see them, and how to read and write them. The C
implementation of determinization (`determinize_position` in the engine) calls these functions.

A *holder* is a hidden state, or a secret local of an active procedure. In the table `k_holders`, `kind` is
the number of the enum whose members it holds, or -1. `set` means that each member occurs once. `one` means
that it holds one member or none. `known` means that invariants say what can be in it. `bag` means a local with a bag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..ir.metadata import NO_SEAT, LiveVariable
from ..ir.slot_ranges import SlotRange
from ..ir.value_types import MASK, UnsupportedConstructError
from ..storage.layout import StateStorage
from ..types.types import BagOf, Bool, Int, ListOf, MemberOf, PileOf, SetOf, Type
from ..types.types import OptionalOf as Optional
from .program import CProgram
from .types import convert_expression, kind_tag


@dataclass
class HiddenSlot:
    """A hidden state (`cell`) or a secret local (`variable`). `space` has its slots, of which `width` belong to
    each of the `spots` entries."""

    type: Type
    space: SlotRange
    spots: int = 1
    width: int = 1
    cell: StateStorage | None = None
    variable: LiveVariable | None = None
    frame: int = 0                                                 # of the procedure with the local

    @property
    def member_enum(self) -> str | None:
        """The enum whose members it holds, or None."""
        found = self.type
        if self.variable is not None and isinstance(found, MemberOf):
            return found.name
        return found.of.name if isinstance(found, BagOf | SetOf | ListOf | PileOf | Optional) and isinstance(found.of, MemberOf) else None

    @property
    def is_single(self) -> bool:
        """Whether it holds one member or none."""
        return isinstance(self.type, MemberOf) or isinstance(self.type, Optional) and isinstance(self.type.of, MemberOf)

    @property
    def is_bag(self) -> bool:
        """Whether it is a local with a bag."""
        return self.variable is not None and isinstance(self.type, BagOf)


class HiddenStateWriter:
    """Generates the tables and functions for hidden values. Raises UnsupportedConstructError."""

    def __init__(self, program: CProgram, unknown: int) -> None:
        self.program, self.unknown = program, unknown              # upper limit for random values of unbounded numbers
        layout = program.machine.layout
        self.cells = {state.name: cell for state, cell in layout.cells.items()}
        self.spaces = program.kinds.spaces
        self.holders: list[HiddenSlot] = []
        for cell in self.cells.values():
            if cell.state.seen != "open":
                if cell.open_axis is not None:
                    raise UnsupportedConstructError("closed things on a board without an edge")
                spots = 1
                for enum in cell.enums:
                    spots *= len(enum)
                self.holders.append(HiddenSlot(cell.state.type, self.state_range(cell), spots, cell.width, cell))
        self.states = len(self.holders)
        self.known: dict[tuple[int, int, Type, object], int] = {}
        for wait in program.machine.waits.values():
            for variable in wait.live:
                key = wait.frame, variable.slot, variable.type, variable.seers
                if variable.secret and key not in self.known:
                    self.known[key] = len(self.holders)
                    self.holders.append(
                        HiddenSlot(variable.type, self.local_range(wait.frame, variable.slot), variable=variable, frame=wait.frame)
                    )
        self.kinds = list(dict.fromkeys(holder.member_enum for holder in self.holders if holder.member_enum is not None))

    # ------------------------------------------------------------ where things are

    def state_range(self, cell: StateStorage) -> SlotRange:
        return next(space for space in self.spaces.fixed if space.start == cell.base and not space.lapses)

    def local_range(self, frame: int, slot: int) -> SlotRange:
        space = self.spaces.frames.get((frame, slot))
        if space is None:
            raise UnsupportedConstructError("a secret name that is in no word")
        return space

    def slot_reference(self, holder: HiddenSlot) -> str:
        return f"g->p.s{self.program.field_name(holder.space)}[{'0' if holder.cell is None else 'spot'}]"

    def seat_expression(self, frame: int, slot: int, keeper: str | None) -> str:
        """Returns the C expression for a seat that `seers` of a variable name."""
        if slot < 0:
            return str(~slot)
        seat = f"g->p.s{self.program.field_name(self.local_range(frame, slot))}[0]"
        return seat if keeper is None else self.keeper_expression(keeper, seat)

    def keeper_expression(self, keeper: str, member: str) -> str:
        """Returns the C expression for the player who owns a member."""
        cell = self.cells[keeper]
        return f"g->p.s{self.program.field_name(self.state_range(cell))}[lg_at(X, {member}, {cell.count})]"

    # ------------------------------------------------------------ the whole

    def write(self) -> str:
        """Returns all tables and functions."""
        rows = ", ".join(f"{{ {-1 if holder.member_enum is None else self.kinds.index(holder.member_enum)}, {holder.spots}, "
                         f"{int(isinstance(holder.type, SetOf))}, {int(holder.is_single)}, "
                         f"{int(holder.cell is not None and bool(holder.cell.known))}, {int(holder.is_bag)} }}" for holder in self.holders)
        memos = [self.program.field_name(space) for space in self.program.slot_ranges() if space.lapses]
        return "\n".join(
            [
                f"#define LG_CLOSED_STATES {self.states}",
                f"#define LG_CLOSED_SPOTS {sum(holder.spots for holder in self.holders[: self.states])}",
                f"#define LG_HIDDEN {len(self.holders) - self.states}",
                f"static const struct {{ int kind; i64 spots; int set, one, known, bag; }} k_holders[] = {{ {rows or '{ 0 }'} }};",
                self.decision_tables(),
                "static void lg_forget(lg_context *g) {",
                *(f"memset(g->p.h{memo}, 0, sizeof g->p.h{memo});" for memo in memos),
                "}",
                *self.back_function(),
                *switch_function(
                    "int lg_sees(lg_context *g, i64 holder, i64 spot, i64 seat)", "1", map(self.can_see_case, self.holders[: self.states])
                ),
                *switch_function(
                    "int lg_can_hold(lg_context *g, i64 holder, i64 spot, i64 thing)", "1",
                    map(self.can_hold_case, self.holders[: self.states])
                ),
                *switch_function("t_qw lg_held(lg_context *g, i64 holder, i64 spot)", "(t_qw){ 0 }", map(self.read_case, self.holders)),
                *switch_function("int lg_hold(lg_context *g, i64 holder, i64 spot, t_qw q)", "0", map(self.write_case, self.holders)),
                *switch_function(
                    "int lg_thrown(lg_context *g, lg_dice *dice, i64 holder, i64 spot)", "0", map(self.randomize_case, self.holders)
                ),
                *switch_function("t_qw lg_lying(lg_context *g, i64 holder, i64 kind)", "(t_qw){ 0 }", map(self.source_case, self.holders)),
                *self.shows_function(),
                *self.alive_function(),
            ]
        )

    def decision_tables(self) -> str:
        """Returns tables by block: the number of the decision that waits there, and whether it is a menu."""
        waits = self.program.machine.waits
        numbers: dict[int, int] = {}
        asked = [-1] * len(self.program.machine.tables["B"])
        menus = [0] * len(asked)
        for pc, wait in waits.items():
            if wait.decision is not None:
                asked[pc] = numbers.setdefault(id(wait.decision), len(numbers))
                menus[pc] = int(wait.decision.menu)
        return (f"static const int k_asked[] = {{ {', '.join(map(str, asked))} }};\n"
                f"static const char k_menus[] = {{ {', '.join(map(str, menus))} }};")

    def back_function(self) -> Iterator[str]:
        """Yields the function that returns the public back of a thing, as a number."""
        most, cases = 1, []
        for number, kind in enumerate(self.kinds):
            enum = self.program.machine.layout.model.enum_of(kind)
            if enum is not None and enum.back is not None:
                values = enum.values[enum.back]
                looks = list(dict.fromkeys(values))
                most = max(most, len(looks))
                rows = ", ".join(str(looks.index(value)) for value in values)
                cases.append(f"if (kind == {number}) {{ static const int back[] = {{ {rows} }}; return back[thing]; }}")
        yield from (f"#define LG_BACKS {most}", "static int lg_back_of(i64 kind, i64 thing) {", *cases, "(void)kind, (void)thing;",
                    "return 0; }")

    def shows_function(self) -> Iterator[str]:
        """Yields the function that says whether the options of a decision reveal a hidden state to the deciding seat."""
        yield "static int lg_shows(i64 pc, i64 holder) { switch (pc) {"
        for pc, wait in self.program.machine.waits.items():
            shown = [n for n, holder in enumerate(self.holders[: self.states])
                     if wait.decision is not None and holder.cell is not None and holder.cell.state.name in wait.decision.shows]
            if shown:
                yield f"case {pc}: return {' || '.join(f'holder == {n}' for n in shown)};"
        yield "} (void)holder; return 0; }"

    def alive_function(self) -> Iterator[str]:
        """Yields the function that lists the live secret locals that a seat does not know, innermost procedure first."""
        yield "static i64 lg_alive(lg_context *g, i64 seat, i64 *out) { i64 count = 0; for (i64 pc = LG_PC;;) switch (pc) {"
        for pc, wait in self.program.machine.waits.items():
            back = self.spaces.frames.get((wait.frame, wait.return_slot))
            if back is None:
                continue
            yield f"case {pc}:"
            for variable in wait.live:
                if variable.secret:
                    n = self.known[wait.frame, variable.slot, variable.type, variable.seers]
                    knows = [f"seat {'!=' if inverted else '=='} {self.seat_expression(wait.frame, slot, keeper)}"
                             for slot, keeper, _, inverted in variable.seers]
                    yield f"if (!({' && '.join(knows) or '1'})) out[count++] = {n};"
            yield f"pc = g->p.s{self.program.field_name(back)}[0]; continue;"
        yield "default: (void)seat, (void)out; return count; } }"

    # ------------------------------------------------------------ one holder

    def can_see_case(self, holder: HiddenSlot) -> str:
        """Returns the case for whether a seat sees an entry of this state."""
        cell = holder.cell
        assert cell is not None
        if not isinstance(cell.state.seen, int):
            return "return 0;"
        member = member_expression(cell, cell.state.seen)
        equals = "!=" if cell.state.inverted else "=="
        return f"return seat {equals} {member if cell.state.keeper is None else self.keeper_expression(cell.state.keeper, member)};"

    def can_hold_case(self, holder: HiddenSlot) -> str:
        """Returns the case for whether a thing can be in an entry, as the invariants say."""
        assert holder.cell is not None
        tests: list[str] = []
        tables: list[str] = []
        for other, axes, attribute in holder.cell.known:
            space, at = self.state_range(other), "0"
            for axis, enum in zip(axes, other.enums):
                at = f"({at}) * {len(enum)} + {member_expression(holder.cell, axis)}"
            place = f"g->p.s{self.program.field_name(space)}[{at}]"
            if kind_tag(space.kind) not in ("m", "w"):
                raise UnsupportedConstructError("a set of things that may be hidden somewhere")
            value = "thing"
            if attribute is not None:
                things = self.program.machine.layout.model.enum_of(str(holder.member_enum))
                assert things is not None
                tables.append(f"static const int values{len(tests)}[] = {{ {', '.join(map(str, things.values[attribute]))} }};")
                value = f"values{len(tests)}[thing]"
            tests.append(f"!!({convert_expression(place, space.kind, MASK)} & lg_bit(X, {value}))")
        return f"{{ {' '.join(tables)} return {' && '.join(tests)}; }}" if tests else "break;"

    def read_case(self, holder: HiddenSlot) -> str:
        """Returns the case that reads the contents of an entry as a list."""
        place = self.slot_reference(holder)
        match holder.type, kind_tag(holder.space.kind):
            case _ if holder.member_enum is None:
                return "break;"
            case BagOf(), "w":
                counts = f"i64 *counts = &g->p.s{self.program.field_name(holder.space)}[spot * {holder.width}]"
                return (f"{{ t_qw q = {{ 0 }}; {counts}; for (i64 n = 0; n < {holder.width}; n++) "
                        "for (i64 k = 0; k < counts[n]; k++) lg_push_qw(X, &q, n); return q; }")
            case BagOf(), "qw":
                return (f"{{ t_qw q = {{ 0 }}; for (i64 n = 0; n < {place}.n; n++) "
                        f"for (i64 k = 0; k < {place}.v[n]; k++) lg_push_qw(X, &q, n); return q; }}")
            case (MemberOf() | Optional()), "w":
                return f"{{ t_qw q = {{ 0 }}; if ({place} != -1) lg_push_qw(X, &q, {place}); return q; }}"
            case SetOf(), "m" | "w":                               # a set with only numbers written to it is stored as a word
                return f"return lg_members(X, {convert_expression(place, holder.space.kind, MASK)});"
            case (SetOf() | ListOf() | PileOf()), "qw":
                return f"return {place};"
        raise UnsupportedConstructError(f"a closed {holder.type}")

    def write_case(self, holder: HiddenSlot) -> str:
        """Returns the case that writes a list into an entry."""
        place = self.slot_reference(holder)
        match holder.type, kind_tag(holder.space.kind):
            case _ if holder.member_enum is None:
                return "break;"
            case BagOf(), "qw":
                return (f"{{ t_qw counts = lg_new_qw(X, {place}.n); memset(counts.v, 0, counts.n * sizeof *counts.v); "
                        f"for (i64 n = 0; n < q.n; n++) counts.v[lg_at(X, q.v[n], counts.n)]++; {place} = counts; break; }}")
            case BagOf(), _:
                counts = f"i64 *counts = &g->p.s{self.program.field_name(holder.space)}[spot * {holder.width}]"
                return (f"{{ {counts}; memset(counts, 0, {holder.width} * sizeof *counts); "
                        f"for (i64 n = 0; n < q.n; n++) counts[lg_at(X, q.v[n], {holder.width})]++; break; }}")
            case (MemberOf() | Optional()), _:
                return f"{place} = q.n ? q.v[0] : -1; break;"
            case SetOf(), "m" | "w" as kind:
                value = "lg_word_of(m)" if kind == "w" else "m"
                return f"{{ lg_mask m = lg_mask_of(0); for (i64 n = 0; n < q.n; n++) m |= lg_bit(X, q.v[n]); {place} = {value}; break; }}"
            case SetOf(), _:
                return f"{place} = lg_group_qw(X, q); break;"
        return f"{place} = q; break;"

    def randomize_case(self, holder: HiddenSlot) -> str:
        """Returns the case that replaces an unseen value by a random one. Whether an optional value is present is
        public, so it stays as it is."""
        if holder.member_enum is not None:
            return "break;"
        found, place, there = holder.type, self.slot_reference(holder), ""
        if isinstance(found, Optional):
            nothing = -1 if isinstance(found.of, Bool | MemberOf) else "LG_NOTHING"
            there, found = f"if ({place} != {nothing}) ", found.of
        match found:
            case Bool():
                value = "lg_bits(dice) >> 31"
            case MemberOf():
                enum = self.program.machine.layout.model.enum_of(found.name)
                assert enum is not None
                if enum.kind == "open":
                    return "break;"
                value = f"lg_pick(dice, {len(enum)})"
            case Int():
                low = found.low or 0
                high = low + self.unknown if found.high is None else found.high
                value = f"{low} + lg_pick(dice, {high - low + 1})"
            case _:
                return "break;"
        if holder.cell is not None and holder.cell.form == "mask":
            many = len(holder.cell.enums[-1])
            place = f"g->p.s{self.program.field_name(holder.space)}[spot / {many}]"
            bit = f"lg_mask bit = lg_bit(X, spot % {many})" if kind_tag(holder.space.kind) == "m" else f"i64 bit = 1LL << spot % {many}"
            return f"{{ i64 v = {value}; {bit}; {place} = v ? {place} | bit : {place} & ~bit; break; }}"
        if kind_tag(holder.space.kind) != "w":
            raise UnsupportedConstructError(f"a closed {holder.type}")
        return f"{there}{place} = {value}; break;"

    def source_case(self, holder: HiddenSlot) -> str:
        """Returns the case that lists the contents of the places from which a secret local was chosen."""
        if holder.variable is None or not (holder.is_single or holder.is_bag):
            return "break;"
        steps = []
        for slot, _, name, _ in holder.variable.seers:
            n, source = next((n, one) for n, one in enumerate(self.holders[: self.states]) if one.cell is self.cells[name])
            assert source.cell is not None
            axes = len(source.cell.state.axes)
            if source.member_enum != holder.member_enum or axes > 1 or slot == ~NO_SEAT and axes:
                continue
            spot = f"lg_at(X, {self.seat_expression(holder.frame, slot, None)}, {source.spots})" if axes else "0"
            steps.append(f"q = lg_both_qw(X, q, lg_held(g, {n}, {spot}));")
        return f"{{ t_qw q = {{ 0 }}; {' '.join(steps)} return q; }}"


def member_expression(cell: StateStorage, axis: int) -> str:
    """Returns the C expression for the member of an axis in the entry `spot`."""
    after = 1
    for enum in cell.enums[axis + 1 :]:
        after *= len(enum)
    return f"spot / {after} % {len(cell.enums[axis])}"


def switch_function(head: str, other: str, cases: Iterable[str]) -> Iterator[str]:
    """Yields a C function with one case for each holder."""
    given = [name.split()[-1].lstrip("*") for name in head.partition("(")[2].rstrip(")").split(",")]
    yield f"static LG_MAYBE {head} {{ switch (holder) {{"
    yield from (f"case {n}: {text}" for n, text in enumerate(cases))
    yield f"}} {' '.join(f'(void){name};' for name in given)} return {other}; }}"
