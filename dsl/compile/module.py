"""A checked program to one Python module: functions for defs and plain procedures, blocks for procedures that ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..analysis.decisions import procedures, routine_key
from ..analysis.effects import effect_of, written_by
from ..analysis.facts import Effect, Facts
from ..analysis.secrecy import open_defs
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Family, Routine, State
from ..storage.layout import Layout, laid_out
from ..types import Of, Type
from . import endless, runtime
from .emit import Code, Fresh, Line
from .exprs import Exprs
from .info import Decision, Event, Memo, Owner, Wait
from .keep import Upkeep
from .routines import RoutineWriter
from .sums import Sums, Term

FRAMES, ROOM = 400_000_000, 10_000  # virtual entries of frames: far above any real one


@dataclass
class Entry:
    """How to enter a procedure that asks: its first block, its frame, and the entries of its parameters."""

    block: str
    frame: int
    params: list[int]
    number: int = 0


@dataclass
class Module:
    """A compiled game: Python functions over positions, and what the engine knows about them."""

    source: str
    lines: list[Any]  # for each line of the source, the rule line it comes from
    initial: list[Any]
    layout: Layout
    blocks: tuple[Callable, ...]
    start: int
    waits: dict[int, Wait]
    decisions: list[Decision]
    events: list[Event]
    chances: list[tuple[str, bool]]  # kinds of chance: the enumeration that is drawn from, or "", and whether it stays secret
    memos: list[Memo]
    standing: list[Callable]
    estimate: Callable | None
    always: list[tuple[str, Callable, Any]]
    namespace: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    plain: dict[str, Callable] = field(default_factory=dict)  # procedures that never ask, by key
    shown: dict[str, tuple[Routine, Callable]] = field(default_factory=dict)  # defs that words and tables may ask: see analysis/secrecy.py
    owners: dict[str, Owner] = field(default_factory=dict)  # the procedure that each Python function belongs to, by its name
    terms: list[Term] = field(default_factory=list)  # of the standing's first value; none where no points are counted

    @property
    def plain_game(self) -> Callable:
        return self.plain["game"]

    def prime(self) -> None:
        """Work out the kept sets of the initial position once, so that no game has to begin with it."""
        kept = [memo for memo in self.memos if not memo.name]
        for n, memo in enumerate(kept):
            self.initial[memo.slot] = self.namespace[f"kb{n}"](self.initial)

    def routine_entry(self, key: str) -> Entry | None:
        """How to enter a procedure that asks, by its key (`effect[joker]`); None when there is none."""
        return self.entries.get(key)


class ModuleWriter:
    def __init__(self, facts: Facts, layout: Layout | None = None, uncut: bool = False) -> None:
        self.facts, self.program, self.effects, self.uncut = facts, facts.program, facts.effects, uncut
        self.layout = layout or laid_out(facts.program)
        self.fresh = Fresh()
        self.functions: list[Code] = []
        self.blocks: list[Code] = []
        self.numbers: dict[str, int] = {}
        self.constants: dict[Any, str] = {}
        self.values: dict[str, Any] = {}
        self.waits: dict[int, Wait] = {}
        self.decisions: list[Decision] = []
        self.events: list[Event] = []
        self.chances: list[tuple[str, bool]] = [("", False)]
        self.entries: dict[tuple[Routine, int | None], Entry] = {}
        self.names: dict[tuple[Routine, int | None], str] = {}
        self.compiled: set[tuple[Routine, int | None]] = set()
        self.queue: list[tuple[Routine, int | None]] = []
        self.tables: dict[str, list[str]] = {}
        self.memos: dict[Routine, Memo] = {}
        self.plain: dict[str, str] = {}
        self.upkeep = Upkeep(self)
        self.writes: list[tuple[State, str, bool]] = []
        self.sizes: dict[int, int] = {}  # of each frame, by its number
        self.block_of: dict[str, tuple[Routine, int | None]] = {}
        self.terms: list[tuple] = []
        self.final = self.new_block(None)
        self.final.emit(f"s[{runtime.PC}] = 0; s[{runtime.SEAT}] = -1; s[{runtime.OPTIONS}] = ()")
        self.final.emit("return ()")

    @property
    def writer_class(self) -> type[RoutineWriter]:
        if self.uncut:
            from .uncut import UncutWriter

            return UncutWriter
        return RoutineWriter

    # ------------------------------------------------------------ naming and numbering

    def constant(self, value: Any) -> str:
        key = (type(value).__name__, repr(value))
        if key not in self.constants:
            name = f"C{len(self.constants)}"
            self.constants[key] = name
            self.values[name] = value
        return self.constants[key]

    def routine_name(self, routine: Routine, member: int | None) -> str:
        key = (routine, self.special(routine, member))
        if key not in self.names:
            self.names[key] = f"routine{len(self.names)}"
        return self.names[key]

    def special(self, routine: Routine, member: int | None) -> int | None:
        """Only a default entry is compiled once for each member it serves."""
        return member if routine.case is not None else None

    def key_of(self, routine: Routine, member: int | None) -> str:
        return routine_key(self.program, routine, member)

    def new_block(self, routine: Routine | None, member: int | None = None) -> Code:
        code = Code(f"block{len(self.blocks)}")
        if routine is not None:
            self.block_of[code.name] = (routine, self.special(routine, member))
        self.numbers[code.name] = len(self.blocks)
        self.blocks.append(code)
        return code

    def number(self, code: Code) -> int:
        return self.numbers[code.name]

    def frame_reaches(self, slot: int) -> None:
        """Note that a frame needs this entry. While code is written, entries of frames are virtual: FRAMES + number * ROOM + k."""
        number, k = divmod(slot - FRAMES, ROOM)
        self.sizes[number] = max(self.sizes.get(number, 0), k + 1)

    def place_frames(self) -> dict[int, int]:
        """Where each frame lies: right behind the frames of those that call it, so procedures that never run together share."""
        numbers = {key: n for n, key in enumerate(self.entries)}
        callers: dict[int, list[int]] = {n: [] for n in numbers.values()}
        for key, n in numbers.items():
            for other, m in numbers.items():
                if other[0] in self.effects.of[key[0]].calls:
                    callers[m].append(n)
        bases: dict[int, int] = {}

        def base(n: int) -> int:
            if n not in bases:
                bases[n] = max((base(c) + self.sizes[c] for c in callers[n]), default=len(self.layout.initial))
            return bases[n]

        for n in numbers.values():
            base(n)
        return bases

    def written(self, x: Exprs, state: State) -> None:
        """After a write: what was remembered of this state is forgotten (the line is filled in at the end)."""
        last = x.code.lines[-1].text if x.code.lines else ""
        text = f"@forget {state.name}"
        if last != text:
            x.emit(text)

    def written_at(self, x: Exprs, state: State, index: str, put_down: bool) -> None:
        """As written, for one entry of a state with one axis: kept sets are mended instead of forgotten."""
        self.writes.append((state, index, put_down))
        x.emit(f"@write {len(self.writes) - 1}")

    def members_of(self, mask: str, size: int) -> str:
        """The members of a mask as a tuple. In simulation, where a hundred thousand different masks come by, large tables are worth
        their making; else small sets are remembered."""
        if not self.uncut or size > 4 * runtime.WIDE:
            return f"BITS({mask}) or bits({mask})"
        parts = []
        for start in range(0, size, runtime.WIDE):
            width = min(runtime.WIDE, size - start)
            name = f"W{start}_{width}"
            self.values[name] = runtime.wide_table(start, width)
            shifted = f"{mask} >> {start}" if start else mask
            parts.append(f"{name}[{shifted}]" if start + runtime.WIDE >= size else f"{name}[{shifted} & {(1 << runtime.WIDE) - 1}]")
        return " + ".join(parts)

    def chance_kind(self, found: Type | None, secret: bool = False) -> int:
        """The number of a kind of chance: what comes out, and whether that is not for everybody."""
        kind = (found.name if isinstance(found, Of) else "", secret)
        if kind not in self.chances:
            self.chances.append(kind)
        return self.chances.index(kind)

    def event(self, key: str, name: str, slots: list, path: str, node: core.Node) -> int:
        for n, event in enumerate(self.events):
            if event.key == name and event.slots == slots:
                return n
        self.events.append(Event(name, slots, path, node.at.line))
        return len(self.events) - 1

    # ------------------------------------------------------------ calls

    def callees(self, node: core.Do, known: int | None = None) -> list[Routine]:
        family = self.program.families[node.family]
        if node.case is None:
            return family.routines
        if known is None and isinstance(node.case, core.Const):
            known = node.case.value
        if known is not None:
            entry = family.entry(known)
            return [entry] if entry else []
        return family.routines

    def written_by(self, node: core.Node) -> list[str]:
        """The states that this one statement writes, through calls too."""
        return written_by(node, self.program, self.effects)

    def effect_of(self, *parts: Iterable[core.Node]) -> Effect:
        """What these trees do, through what they call too."""
        found = effect_of(self.program, *parts)
        for routine in list(found.calls):
            found.reads |= self.effects.of[routine].reads
            found.writes |= self.effects.of[routine].writes
        return found

    def need(self, routine: Routine | None, member: int | None) -> str:
        """The name of a plain function (a def, or a procedure that never asks), compiled in its turn."""
        assert routine is not None
        key = (routine, self.special(routine, member))
        if key not in self.compiled:
            self.compiled.add(key)
            self.queue.append(key)
        return self.routine_name(*key)

    def entry_of(self, routine: Routine | None, member: int | None) -> Entry:
        """How to enter a procedure that asks; compiled here and now, so that its frame is known (nothing calls itself)."""
        assert routine is not None
        key = (routine, self.special(routine, member))
        if key not in self.entries:
            block = self.new_block(routine, member)
            frame = FRAMES + len(self.entries) * ROOM
            self.entries[key] = Entry(block.name, frame, [frame + 1 + n for n in range(len(routine.params))])
            self.frame_reaches(frame + len(routine.params))
            self.waiting_entries.append(key)
        return self.entries[key]

    waiting_entries: list[tuple[Routine, int | None]]

    def entry_block(self, routine: Routine, member: int | None) -> Code:
        entry = self.entries[routine, self.special(routine, member)]
        return self.blocks[self.numbers[entry.block]]

    def dispatch(self, family: Family, kind: str, one: Callable[[Routine | None, int], str]) -> str:
        """A tuple of functions by member."""
        name = f"{kind}_{len(self.tables)}"
        for known, rows in self.tables.items():
            if rows[0] == f"{kind} {family.name}":
                return known
        assert family.domain is not None
        self.tables[name] = [f"{kind} {family.name}"]
        for member in range(len(self.program.model.enums[family.domain])):
            self.tables[name].append(one(family.entry(member), member))
        return name

    def proc_dispatch(self, family: Family) -> str:
        return self.dispatch(family, "P", lambda routine, member: self.need(routine, member))

    def def_dispatch(self, family: Family) -> str:
        return self.dispatch(family, "D", lambda routine, member: self.need(routine, member))

    def enter_dispatch(self, family: Family) -> str:
        """Functions (s, return block, arguments) that enter each entry of a family, asking or not."""

        def one(routine: Routine | None, member: int) -> str:
            assert routine is not None
            names = [f"p{n}" for n in range(len(routine.params))]
            code = Code(f"enter{len(self.functions)}", ", ".join(["s", "r", *names]))
            self.functions.append(code)
            if self.effects.of[routine].asks and not self.uncut:
                entry = self.entry_of(routine, member)
                code.emit(f"s[{entry.frame}] = r")
                for slot, name in zip(entry.params, names):
                    code.emit(f"s[{slot}] = {name}")
                code.emit(f"return {entry.block}(s)")
            else:
                code.emit(f"{self.need(routine, member)}({', '.join(['s', *names])})")
                code.emit("return B[r](s)")
            return code.name

        return self.dispatch(family, "E", one)

    # ------------------------------------------------------------ defs

    def def_call(self, routine: Routine, values: list[str], member: int | None) -> str:
        return f"{self.need(routine, member)}({', '.join(['s', *values])})"

    def remembered(self, x: Exprs, routine: Routine) -> str:
        """A def without parameters: computed when asked and kept until a state that it reads is written."""
        memo = self.memos.get(routine)
        if memo is None:
            memo = self.memos[routine] = Memo(routine.name, len(self.memos), tuple(sorted(self.effects.of[routine].reads)))
            self.need(routine, None)
        value = self.fresh.temp("q")
        x.emit(f"{value} = s[@memo {memo.slot}@]")
        x.emit(f"if {value} is None: {value} = s[@memo {memo.slot}@] = {self.routine_name(routine, None)}(s)")
        return value

    def compile_def(self, routine: Routine, member: int | None) -> None:
        code = Code(self.routine_name(routine, member), ", ".join(["s", *(self.fresh.local(p) for p in routine.params)]))
        code.origin = (routine.path, routine.at.line, routine.at.column)
        self.functions.append(code)
        x = self.expressions(code)
        if routine.case is not None and member is not None:
            x.env[routine.case] = str(member)
        if routine.value is not None:
            code.emit(f"return {x.of(routine.value)}")
            return
        for condition in routine.conditions:
            code.origin = (condition.at.path, condition.at.line, condition.at.column)
            code.emit(f"if not {x.of(condition.test)}: return False")
        code.emit("return True")

    def expressions(self, code: Code) -> Exprs:
        x = Exprs(self)
        x.code = code
        x.bound = self.fresh.local
        return x

    # ------------------------------------------------------------ the whole

    def write(self) -> Module:
        program = self.program
        self.waiting_entries = []
        game = program.families["game"].routines[0]
        begin = self.new_block(None)
        if self.effects.of[game].asks and not self.uncut:
            entry = self.entry_of(game, None)
            begin.emit(f"s[{entry.frame}] = 0")
            begin.emit(f"return {entry.block}(s)")
        else:
            self.plain["game"] = self.need(game, None)
            begin.emit(f"{self.plain['game']}(s)")
            begin.emit("return block0(s)")
        goals: dict[str, list[str]] = {}
        for goal in program.goals.values():
            goals[goal.name] = [self.function_of(goal.params[0], value) for value in goal.values]
        always = [(routine, self.function_of(None, routine.value)) for routine in program.always]
        if not self.uncut:
            self.all_procedures()
        self.drain()
        shown = {}
        if not self.uncut:
            written = len(self.functions)
            shown = {routine.name: (routine, self.need(routine, None)) for routine in open_defs(self.facts)}
            self.terms = Sums(self, program.goals["standing"]).terms()
            self.drain()
            for line in (line for code in self.functions[written:] for line in code.lines):
                line.origin = None                                 # no rule runs them, so they count for no coverage
        return self.assemble(self.number(begin), goals, always, shown)

    def all_procedures(self) -> None:
        """Every procedure is compiled, called or not, so that a scenario can run it by itself."""
        for routine, member in procedures(self.program):
            if self.effects.of[routine].asks:
                self.entry_of(routine, member)
            else:
                self.plain[self.key_of(routine, member)] = self.need(routine, member)

    def function_of(self, param: Local | None, value: core.Expr | None) -> str:
        """A function of the position (and a player) for a standing, an estimate or a law."""
        code = Code(f"goal{len(self.functions)}", "s" if param is None else f"s, {self.fresh.local(param)}")
        self.functions.append(code)
        x = self.expressions(code)
        assert value is not None
        code.emit(f"return {x.of(value)}")
        return code.name

    def drain(self) -> None:
        """Compile what is needed until nothing new is."""
        while self.queue or self.waiting_entries:
            if self.waiting_entries:
                routine, member = self.waiting_entries.pop()
                writer = self.writer_class(self, routine, member)
                self.compile_entry(writer)
                continue
            routine, member = self.queue.pop()
            if routine.kind == "def":
                self.compile_def(routine, member)
            else:
                self.writer_class(self, routine, member).compile()

    def compile_entry(self, writer: RoutineWriter) -> None:
        """A procedure that asks: its frame begins where entry_of put it, and grows at the end."""
        entry = self.entries[writer.routine, self.special(writer.routine, writer.member)]
        writer.compile_asking(entry.frame, entry.params, entry.frame + 1 + len(entry.params))

    def expanded(self, line: Line, forget: dict[str, list[int]]) -> list[Line]:
        """What stands for a note that something was written: remembered values are forgotten, kept sets mended."""
        if line.text.startswith("@forget "):
            state = self.program.states[line.text[8:]]
            more = self.upkeep.forget(state)
        elif line.text.startswith("@write "):
            state, index, put_down = self.writes[int(line.text[7:])]
            more = self.upkeep.after_write(state, index, put_down)
        else:
            return [line]
        slots = forget.get(state.name, [])
        texts = [" = ".join(f"s[{slot}]" for slot in slots) + " = None"] if slots else []
        written = [(0, text) for text in texts] + more
        return [Line(line.depth + depth, text, line.origin) for depth, text in written or [(0, "pass")]]

    def assemble(self, start: int, goals: dict[str, list[str]], always: list, shown: dict[str, tuple[Routine, str]]) -> Module:
        bases = self.place_frames()

        def actual(slot: int) -> int:
            number, k = divmod(slot - FRAMES, ROOM)
            return bases[number] + k

        for wait in self.waits.values():
            wait.return_slot = actual(wait.return_slot)
            for variable in wait.live:
                variable.slot = actual(variable.slot)
                variable.seers = tuple((actual(slot) if slot >= 0 else slot, keeper, name) for slot, keeper, name in variable.seers)
        for entry in self.entries.values():
            entry.frame, entry.params = actual(entry.frame), [actual(slot) for slot in entry.params]
            entry.number = self.numbers[entry.block]
        end = max((bases[n] + size for n, size in self.sizes.items()), default=len(self.layout.initial))
        initial = list(self.layout.initial) + [0] * (end - len(self.layout.initial))
        memo_base = len(initial)
        initial += [None] * len(self.memos)
        initial[runtime.EVENTS] = initial[runtime.SCRIPT] = None
        initial[runtime.OPTIONS] = ()
        forget: dict[str, list[int]] = {}
        for memo in self.memos.values():
            memo.slot += memo_base
            for name in memo.reads:
                forget.setdefault(name, []).append(memo.slot)
        lines: list[Line] = []
        plain = [line for code in [*self.functions, *self.blocks] for line in code.text()]
        if self.uncut:                                             # a simulated game begins with all sets at hand
            forgotten = {line.text[8:] for line in plain if line.text.startswith("@forget ")}
            self.upkeep.lasting = {k.number for k in self.upkeep.sets if forgotten.isdisjoint(state.name for state in k.touched)}
        for line in plain:
            again = re.fullmatch(r"if (\w+) is None: \1 = s\[@kept (\d+)@\] = .*", line.text)
            if not again or int(again[2]) not in self.upkeep.lasting:
                lines += self.expanded(line, forget)
        kept_base = len(initial)
        initial += [None] * len(self.upkeep.sets)
        text, origins = [], []
        for line in lines:
            written = re.sub(r"@kept (\d+)@", lambda m: str(int(m[1]) + kept_base), line.text)
            written = re.sub(r"@memo (\d+)@", lambda m: str(int(m[1]) + memo_base), written)
            written = re.sub(r"\bs\[(4\d{8})\]", lambda m: f"s[{actual(int(m[1]))}]", written)
            text.append("    " * line.depth + written)
            origins.append(line.origin)
        for name, rows in self.tables.items():
            text.append(f"{name} = ({', '.join(rows[1:])},)")
            origins.append(None)
        text.append(f"B = ({', '.join(code.name for code in self.blocks)},)")
        origins.append(None)
        source = "\n".join(text) + "\n"
        namespace: dict[str, Any] = {name: value for room in (runtime, endless) for name, value in vars(room).items() if name[0] != "_"}
        namespace |= self.values
        namespace["FIRST"] = initial                               # filled in later: what states hold before anything happens
        exec(compile(source, "<rules>", "exec"), namespace)
        functions = {word: [namespace[name] for name in names] for word, names in goals.items()}
        estimates = functions.get("estimate")
        return Module(
            source,
            origins,
            initial,
            self.layout,
            namespace["B"],
            start,
            self.waits,
            self.decisions,
            self.events,
            self.chances,
            [*self.memos.values(), *(Memo("", kept_base + n, ()) for n in range(len(self.upkeep.sets)))],
            functions["standing"],
            estimates[0] if estimates else None,
            [(routine.name.removeprefix("always."), namespace[name], routine) for routine, name in always],
            namespace,
            {self.key_of(*key): entry for key, entry in self.entries.items()},
            {key: namespace[name] for key, name in self.plain.items()},
            {key: (routine, namespace[name]) for key, (routine, name) in shown.items()},
            self.owners(),
            [Term(found.factor, found.defs, state, (found.path, found.node.at.line), namespace[value],
                  namespace[entry] if entry is not None else None) for found, state, value, entry in self.terms],
        )

    def owners(self) -> dict[str, Owner]:
        """The procedure of each Python function that may write."""
        written = {**{name: key for key, name in self.names.items() if key[0].kind != "def"}, **self.block_of}
        return {name: Owner(routine, routine.member if member is None else member,
                            self.entries[routine, member].frame if (routine, member) in self.entries else None)
                for name, (routine, member) in written.items()}


def write_module(facts: Facts, layout: Layout | None = None) -> Module:
    """Compile a checked program; `layout` has the first values of its states in it."""
    return ModuleWriter(facts, layout).write()


@dataclass
class Simulation:
    """The uncut form of a game: plays whole random games, and never stops in between."""

    play: Callable[[list], None]
    initial: list[Any]
    source: str

    def run(self, seed: int, source: Callable[[], float], rounds: int = 1_000_000) -> tuple[list, int, bool]:
        """One random game: choices by `source` (as random.random), chance by the generator seeded with `seed`. Returns the final
        position list, the number of decisions made (those with a single option too), and whether the game ended by its rules."""
        s = self.initial.copy()
        s[runtime.RANDOM] = seed
        s[runtime.PC], s[runtime.ANSWER], s[runtime.OPTIONS] = rounds, 0, source
        ended = True
        try:
            self.play(s)
        except runtime.Halt:
            ended = False
        s[runtime.OPTIONS] = ()
        return s, s[runtime.ANSWER], ended


def write_simulation(facts: Facts, states: list[Any]) -> Simulation:
    """Compile a checked program without cuts; `states` are the first values of the states (behind the control words)."""
    module = ModuleWriter(facts, uncut=True).write()
    module.initial[runtime.CONTROL : runtime.CONTROL + len(states)] = states
    module.prime()
    return Simulation(module.plain_game, module.initial, module.source)
