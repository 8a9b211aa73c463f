"""Assembles an IR module as one C program: types, constants, the position, functions, and the exported
interface (driver.h).

The C program uses the block form. It can load a position at any decision, play on, and save it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..ir import nodes as m
from ..ir.builder import sanitize_identifier
from ..ir.infer import InferencePass, KindInference
from ..ir.limits import (
    CHARGED_LIST_LENGTH,
    FREE_BLOCK_STEPS,
    MAX_LIST_LENGTH,
    MAX_STEPS_PER_DECISION,
    MAX_SUBSETS,
    MAX_WAY_NUMBERS,
    RECENT_WAYS,
    STEPS_PER_VISIT,
    WAYS_FROM_PLACE,
)
from ..ir.program import IrModule, LazyTable, RecentWays
from ..ir.slot_ranges import SlotRange
from ..ir.traversal import child_expressions, iter_statements
from ..ir.value_types import MASK, MEMBERS, WORD, Kind, ListKind, UnsupportedConstructError
from ..storage.control_slots import ANSWER, EVENTS, FIRST_STATE_SLOT, OPTIONS, PC, RANDOM, ROUND, SCRIPT, SEAT
from .statements import CFunctionWriter
from .types import MAX_SET_BITS, CConstantPool, CTypeTable, c_type_name, kind_tag, narrow_c_type

CONTROL_MACROS = {"LG_PC": PC, "LG_SEAT": SEAT, "LG_OPTIONS": OPTIONS, "LG_ANSWER": ANSWER, "LG_ROUND": ROUND}

MAX_FUNCTION_CHARS = 150_000                                         # ten times the maximum in shipped games
NO_RULE_LINE = '#line 1 "driver"'                                       # for code after the rules


@cache
def read_header(name: str) -> str:
    """Returns the text of a header in this folder."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def infer_kinds(machine: IrModule) -> KindInference:
    """Infers the kinds of everything needed for play, the standing and the invariants. Raises
    UnsupportedConstructError."""
    roots: dict[str, tuple[Kind, ...]] = dict.fromkeys(machine.tables["B"], ())
    for goal in ("standing", "estimate"):
        roots |= dict.fromkeys(machine.goals.get(goal, []), (WORD,))
    roots |= {name: () for _, name in machine.always}
    return KindInference(machine, roots)


class CProgram:
    """Generates the C program of an IR module for a number of players."""

    def __init__(self, machine: IrModule, players: int) -> None:
        self.machine, self.players = machine, players
        self.kinds = infer_kinds(machine)
        self.types = CTypeTable()
        members = largest_set_size(machine)
        if members > MAX_SET_BITS:
            raise UnsupportedConstructError(f"a set of more than {MAX_SET_BITS} members")
        self.mask_words = next(n for n in (1, 2, 4, 8) if members <= 64 * n)
        self.constants = CConstantPool(self.types, self.mask_words)
        self.lasting = {space.start: build for space, build in iter_permanent_sets(machine, self.kinds)}
        self.widths: dict[int, str | None] = {}                    # cache of `narrow_type`
        self.count = 0
        self.bodies: dict[str, str] = {}                           # C text of each function

    # ------------------------------------------------------------ for the parts, see protocols.py

    def constant_text(self, name: str, wanted: Kind | None = None) -> str:
        return self.constants.constant_expression(self.machine.values[name], self.kinds.constant_kind(name) if wanted is None else wanted)

    def literal_text(self, value: Any, kind: Kind | None) -> str:
        return self.constants.constant_expression(value, kind)

    def constant_array(self, name: str) -> tuple[str, int]:
        kind, things = self.kinds.constant_kind(name), self.machine.values[name]
        assert isinstance(kind, ListKind)
        things = sorted(things) if isinstance(things, frozenset) else things
        return self.constants.array_name(tuple(things), kind.of), len(things)

    def set_array(self, lists: Sequence[tuple[int, ...]]) -> str:
        return self.constants.array_name(tuple(one for row in lists for one in row), MASK)

    def mask_array(self, name: str) -> str:
        things = self.machine.values[name]
        return f"{self.constants.array_name(tuple(things), MASK)}, {len(things)}"

    def field_name(self, space: SlotRange) -> str:
        return f"{space.start}_{sanitize_identifier(space.name)}{'' if space.frame is None else space.frame}"

    def find_narrow_type(self, space: SlotRange) -> str | None:
        if space.start not in self.widths:
            self.widths[space.start] = narrow_c_type(self.machine, space)
        return self.widths[space.start]

    def is_always_present(self, space: SlotRange) -> bool:
        return space.start in self.lasting

    def next_number(self) -> int:
        self.count += 1
        return self.count

    # ------------------------------------------------------------ the whole

    def write(self, more: Sequence[str] = ()) -> str:
        """Returns the whole program. `more` is appended at its end."""
        written = {name: CFunctionWriter(self, InferencePass(self.kinds, function)) for name, function in self.kinds.functions.items()}
        self.bodies = {name: check_function_size(one.write()) for name, one in written.items()}
        apart = set(iter_lazy_builders(self.kinds))
        heads = [f"{'LG_APART ' if name in apart else ''}LG_MAYBE {one.prototype()};" for name, one in written.items()]
        tables = self.function_tables()
        position = self.position_struct()
        context = self.context_struct()
        ways, key = self.transfer_functions(), self.key_function()
        keep = self.keep_function()
        trials = self.trial_macros(written)
        return (
            "\n".join(
                [
                    f"#define LG_WORDS {self.mask_words}",
                    f"#define LG_LONGEST {MAX_LIST_LENGTH}",
                    f"#define LG_LONG {CHARGED_LIST_LENGTH}",
                    f"#define LG_SUBSETS {MAX_SUBSETS}",
                    f"#define LG_BUDGET {MAX_STEPS_PER_DECISION}",
                    f"#define LG_SMALL {FREE_BLOCK_STEPS}",
                    f"#define LG_VISIT {STEPS_PER_VISIT}",
                    f"#define LG_WAYS {RECENT_WAYS}",
                    f"#define LG_WAYS_FROM_PLACE {WAYS_FROM_PLACE}",
                    f"#define LG_WAY_NUMBERS {MAX_WAY_NUMBERS}",
                    f"#define LG_SEATS {self.players}",
                    f"#define LG_BLOCKS {len(self.machine.tables['B'])}",
                    f"#define LG_LAWS {len(self.machine.always)}",
                    f"#define LG_GOALS {len(self.machine.goals['standing'])}",
                    f"#define LG_TEAMS {len(self.machine.teams)}",
                    f"#define LG_POINTS {int(self.machine.has_points)}",
                    self.team_table(),
                    read_header("support.h"),
                    read_header("generator.h"),
                    read_header("open.h"),
                    read_header("trails.h"),
                    self.types.declarations(),
                    *self.constants.lines,
                    position,
                    context,
                    *(
                        f"#define {name} (g->p.s{self.field_name(self.kinds.spaces.ranges[number])}[0])"
                        for name, number in CONTROL_MACROS.items()
                    ),
                    "#define LG_CHANCE (&g->p.random)",
                    "#define LG_RANDOM (g->p.random.state)",
                    *self.option_macros(),
                    *trials,
                    *heads,
                    *tables,
                    *self.bodies.values(),
                    NO_RULE_LINE,
                    ways,
                    key,
                    keep,
                    self.settle_function(),
                    self.estimate_function(),
                    *(["#define LG_DRAWS_CHANCE"] if any("LG_CHANCE" in body for body in self.bodies.values()) else []),
                    read_header("driver.h"),
                    read_header("perft.h"),
                    self.field_table(),
                    read_header("single_match.h"),
                    read_header("lockstep.h"),
                    read_header("python_match.h"),
                    *more,
                ]
            )
            + "\n"
        )

    def slot_ranges(self) -> list[SlotRange]:
        """Returns the slot ranges that the C position contains."""
        return [space for space in self.kinds.spaces.ranges if space.start not in (EVENTS, SCRIPT, RANDOM)]

    def position_struct(self) -> str:
        """Returns the C struct of a position: values (`s…`), with flags (`h…`) for values that may be absent."""
        fields = []
        for space in self.slot_ranges():
            fields.append(
                f"{self.find_narrow_type(space) or self.types.declare_type(space.kind)} s{self.field_name(space)}[{space.count}];"
            )
            if space.lapses:
                fields.append(f"char h{self.field_name(space)}[{space.count}];")
        return "\n".join(["typedef struct {", "lg_chance random;", *fields, "} lg_position;"])

    def context_struct(self) -> str:
        """Returns the C struct of a context: memory for lists, the position, and lazy tables."""
        once = [(name, value) for name, value in self.machine.values.items() if isinstance(value, LazyTable) and name in self.kinds.once]
        fields = [
            f"{self.types.declare_type(self.kinds.once[name])} o{name}[{value.size}]; char h{name}[{value.size}];" for name, value in once
        ]
        fields += [f"lg_recent_ways w{name};" for name, value in self.machine.values.items() if isinstance(value, RecentWays)]
        own = "typedef struct { lg_x x; char *mark; i64 near; lg_position p, start;"
        return "\n".join([own, *fields, "} lg_context;", "#define X (&g->x)"])

    def option_macros(self) -> list[str]:
        """Returns the code that counts, selects and lists options, depending on how they are stored."""
        if self.kinds.spaces.ranges[OPTIONS].kind == MEMBERS:
            return ["#define LG_OFFERED lg_count(LG_OPTIONS)", "#define LG_OPTION(which) lg_nth(X, LG_OPTIONS, which)",
                    "static LG_MAYBE const i64 *lg_list_options(lg_context *g) { return lg_members(X, LG_OPTIONS).v; }"]
        return ["#define LG_OFFERED (LG_OPTIONS.n)", "#define LG_OPTION(which) (LG_OPTIONS.v[lg_at(X, which, LG_OPTIONS.n)])",
                "static LG_MAYBE const i64 *lg_list_options(lg_context *g) { return LG_OPTIONS.v; }"]

    def function_tables(self) -> list[str]:
        """Returns the tables of functions by member, and those of invariants and the standing."""
        found = []
        for name, rows in self.machine.tables.items():
            if not all(row in self.kinds.functions for row in rows):
                continue
            first = self.kinds.functions[rows[0]]
            params = ", ".join(["lg_context *", *(c_type_name(first.variables[param]) for param in first.code.params[1:])])
            entries = ", ".join(f"f_{row}" for row in rows)
            found.append(f"static LG_MAYBE {c_type_name(first.result)} (*const k_{name}[])({params}) = {{ {entries} }};")
        laws = ", ".join([*(f"f_{name}" for _, name in self.machine.always), "0"])
        found.append(f"static i64 (*const k_laws[])(lg_context *) = {{ {laws} }};")
        standing = ", ".join(f"f_{name}" for name in self.machine.goals["standing"])
        return [*found, f"static i64 (*const k_standing[])(lg_context *, i64) = {{ {standing} }};"]

    def trial_macros(self, written: Mapping[str, CFunctionWriter]) -> Iterator[str]:
        """Yields macros for functions that try something and undo it: one saves the fields that may change, one
        restores them."""
        calls = {
            name: {
                one for found in iter_function_names(iter_statements(function.code.body))
                for one in self.machine.tables.get(found, [found]) if one in written
            }
            for name, function in self.kinds.functions.items()
        }
        order = [head + self.field_name(space) for space in self.slot_ranges() for head in "sh"]
        for name, one in written.items():
            if one.is_trial:
                changed = set().union(*(written[inner].x.written for inner in find_call_closure(name, calls)))
                fields = ["random", *(field for field in order if field in changed)]
                yield "".join([f"#define LG_HOLD_{name}", *(f" __typeof__(g->p.{field}) p{field}; memcpy(&p{field}, &g->p.{field}, "
                                                            f"sizeof p{field});" for field in fields)])
                yield "".join([f"#define LG_LOOSE_{name}", *(f" memcpy(&g->p.{field}, &p{field}, sizeof p{field});" for field in fields)])

    def team_table(self) -> str:
        """Returns the C table of the first seat of each seat's team."""
        firsts = {seat: team.seats[0] for team in self.machine.teams for seat in team.seats}
        return f"static const int k_team[] = {{ {', '.join(str(firsts[seat]) for seat in range(self.players))} }};"

    def estimate_function(self) -> str:
        names = self.machine.goals.get("estimate", [])
        name = (names or self.machine.goals["standing"])[0]
        return f"static i64 lg_estimate(lg_context *g, i64 seat) {{ return f_{name}(g, seat); }}"

    def settle_function(self) -> str:
        """Returns the C function that builds missing incremental sets which are otherwise always present."""
        steps = [
            f"if (!g->p.h{name}[0]) {{ g->x.left = LG_BUDGET; g->p.s{name}[0] = f_{build}(g); g->p.h{name}[0] = 1; }}"
            for space in self.slot_ranges()
            if (build := self.lasting.get(space.start)) is not None and (name := self.field_name(space))
        ]
        return "\n".join(["static void lg_settle(lg_context *g) {", *steps, "(void)g; }"])

    def transfer_functions(self) -> str:
        """Returns the C functions that read and write a position, word by word in the order of Python's list."""
        words = ("state", "key[0]", "key[1]")
        read, write = [f"g->p.random.{one} = (u64)lg_in(X);" for one in words], [f"lg_put(X, (i64)g->p.random.{one});" for one in words]
        for space in self.slot_ranges():
            name, own = self.field_name(space), kind_tag(space.kind)
            small = self.find_narrow_type(space)
            one, two = f"lg_read_{own}(X, &g->p.s{name}[n]);", f"lg_write_{own}(X, g->p.s{name}[n]);"
            if small is not None:
                one = f"g->p.s{name}[n] = lg_small(X, {small}, lg_in(X));"
            if space.lapses:
                one = f"if ((g->p.h{name}[n] = (char)lg_in(X))) {one}"
                two = f"lg_put(X, g->p.h{name}[n]); if (g->p.h{name}[n]) {two}"
            read.append(f"for (i64 n = 0; n < {space.count}; n++) {{ {one} }}")
            write.append(f"for (i64 n = 0; n < {space.count}; n++) {{ {two} }}")
        return "\n".join(["static void lg_read(lg_context *g) {", *read, "}", "static void lg_write(lg_context *g) {", *write, "}"])

    def keep_function(self) -> str:
        """Returns the C function that copies all lists of a position into the room of `x`."""
        copies = []
        for space in self.slot_ranges():
            name, own = self.field_name(space), kind_tag(space.kind)
            if own not in ("w", "m"):
                there = f"if (p->h{name}[n]) " if space.lapses else ""
                copies.append(f"for (i64 n = 0; n < {space.count}; n++) {there}p->s{name}[n] = lg_keep_{own}(x, p->s{name}[n]);")
        return "\n".join(["static LG_MAYBE void lg_keep_lists(lg_x *x, lg_position *p) {", *copies, "(void)x, (void)p; }"])

    def field_table(self) -> str:
        """Returns a table with the place of each slot range in the C position: its offset and the size of one value."""
        rows = ", ".join(f"offsetof(lg_position, s{name}), sizeof ((lg_position *)0)->s{name}[0]"
                         for name in map(self.field_name, self.slot_ranges()))
        return f"LG_EXPORT const i64 lg_fields[] = {{ {rows} }};"

    def key_function(self) -> str:
        """Returns the C function that hashes a position.

        The hash covers the generator and everything that the rules can see, as Position.canonical does. Equal
        positions have equal hashes, and different ones almost never do. Numbers and masks are hashed directly,
        other values as the words that a save contains."""
        def mix_statement(space: SlotRange) -> str:
            name, own = self.field_name(space), kind_tag(space.kind)
            if own in ("w", "m"):
                return f"key = lg_mixed(key, g->p.s{name}, sizeof g->p.s{name});"
            return f"for (i64 n = 0; n < {space.count}; n++) lg_write_{own}(X, g->p.s{name}[n]);"
        states = [mix_statement(space) for space in self.kinds.spaces.fixed
                  if not space.lapses and (space.start >= FIRST_STATE_SLOT or space.start in (PC, SEAT, ROUND))]
        frames = []
        for pc, wait in self.machine.waits.items():
            back = self.kinds.spaces.frames.get((wait.frame, wait.return_slot))
            live = [space for variable in wait.live if (space := self.kinds.spaces.frames.get((wait.frame, variable.slot))) is not None]
            after = "pc = 0; continue" if back is None else f"pc = g->p.s{self.field_name(back)}[0]; continue"
            frames.append(" ".join([f"case {pc}:", "key = lg_mixed(key, &pc, sizeof pc);", *map(mix_statement, live), f"{after};"]))
        return "\n".join([
            "static LG_MAYBE u64 lg_key(lg_context *g) { u64 key = 1; i64 *first = (i64 *)g->x.room;",
            "g->x.words = first, g->x.last = (i64 *)g->x.end;", *states, "for (i64 pc = LG_PC; pc;) switch (pc) {", *frames,
            "default: key = lg_mixed(key, &pc, sizeof pc), pc = 0; }",
            "key = lg_mixed(key, first, (g->x.words - first) * 8); return key + !key; }",
        ])


def iter_permanent_sets(machine: IrModule, kinds: KindInference) -> Iterator[tuple[SlotRange, str]]:
    """Yields the incremental sets that no rule invalidates, each with the function that builds it."""
    forgotten = {at.value for function in kinds.functions.values() for node in iter_statements(function.code.body)
                 if isinstance(node, m.StoreSlot) and node.value == m.NoneConst() for at in node.at if isinstance(at, m.IntConst)}
    for memo in machine.memos:
        if memo.build in kinds.functions and memo.slot not in forgotten:
            yield kinds.spaces.range_at(m.IntConst(memo.slot)), memo.build


def check_function_size(body: str) -> str:
    """Returns the function text unchanged. Raises UnsupportedConstructError if a compiler would need too much
    memory and time for it."""
    if len(body) > MAX_FUNCTION_CHARS:
        raise UnsupportedConstructError(f"a function of more than {MAX_FUNCTION_CHARS} characters")
    return body


def largest_set_size(machine: IrModule) -> int:
    """Returns the number of members of the largest enum."""
    sizes = [len(enum) for enum in machine.layout.model.enums.values() if enum.kind != "open"]
    return max(sizes, default=0)


def iter_function_names(nodes: Iterable[m.IrExpr | m.IrStmt]) -> Iterator[str]:
    """Yields the functions, and tables of functions, named in these expressions or directly in these statements."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, m.FunctionRef):
            yield node.name
        todo += child_expressions(node)


def iter_lazy_builders(kinds: KindInference) -> Iterator[str]:
    """Returns the functions that are called only to compute entries of lazy tables."""
    others = {row for rows in kinds.machine.tables.values() for row in rows}
    for function in kinds.functions.values():
        others.update(
            iter_function_names(
                node
                for node in iter_statements(function.code.body)
                if not (isinstance(node, m.LoadMemo) and isinstance(node.at, m.IndexExpr))
            )
        )
    return (value.name for name, value in kinds.machine.values.items()
            if isinstance(value, LazyTable) and name in kinds.once and value.name not in others)


def find_call_closure(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    """Returns a function with all direct and indirect callees. `calls` maps each function to its callees."""
    found, todo = {name}, [name]
    while todo:
        more = calls[todo.pop()] - found
        found |= more
        todo += more
    return found
