"""A checked program to one module: functions for defs and plain procedures, blocks for procedures that ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..analysis.decision_points import procedures, routine_key
from ..analysis.effects import effect_of, written_by
from ..analysis.information_flow import open_defs
from ..analysis.results import Effect, Facts
from ..core import nodes as core
from ..core.program import Family, Routine, State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code, Fresh
from ..ir.fuel import Budget, reached
from ..ir.limits import LISTED, WIDE
from ..ir.metadata import Decision, Event, Memo, Owner, Wait
from ..ir.program import Entry, Machine, Summand, Wide
from ..ir.register_promotion import words_in_variables
from ..storage.control_slots import EVENTS, OPTIONS, PC, SCRIPT, SEAT
from ..storage.layout import Layout, laid_out
from ..types.types import Of, Type
from . import static_tables as once
from .direct_style import UncutWriter
from .expressions import Exprs
from .incremental_sets import Upkeep
from .linker import Placing
from .procedures import RoutineWriter
from .protocols import Expressions
from .score_terms import Sums

FRAMES, ROOM = 400_000_000, 10_000  # virtual entries of frames: far above any real one


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
        self.sizes: dict[int, int] = {}  # of each frame, by its number
        self.block_of: dict[str, tuple[Routine, int | None]] = {}
        self.terms: list[Summand] = []
        self.tried: dict[tuple[object, ...], str] = {}             # for each `after`, with what is known when it is compiled: its function
        self.told: dict[m.Origin, str] = {}
        self.before = ""
        self.final = self.new_block(None)
        for at, value in ((PC, m.Num(0)), (SEAT, m.Num(-1)), (OPTIONS, m.Tup())):
            self.final.emit(b.put(at, value))
        self.final.emit(m.Return(m.Tup()))

    @property
    def writer_class(self) -> type[RoutineWriter]:
        if self.uncut:
            return UncutWriter
        return RoutineWriter

    def tell(self, at: core.Span, how: str) -> None:
        """Note for whoever asks what is kept: of one place, what was found out first."""
        self.told.setdefault((at.path, at.line, at.column), how)

    # ------------------------------------------------------------ naming and numbering

    def constant(self, value: Any) -> m.Expr:
        key = (type(value).__name__, repr(value))
        if key not in self.constants:
            name = f"C{len(self.constants)}"
            self.constants[key] = name
            self.values[name] = value
        return m.Table(self.constants[key])

    def routine_name(self, routine: Routine, member: int | None) -> str:
        key = (routine, self.special(routine, member))
        if key not in self.names:
            case = "" if routine.case is None and routine.member is None else f"_{self.member_name(routine, member)}"
            self.names[key] = self.fresh.function("d" if routine.kind == "def" else "p", routine.name + case)
        return self.names[key]

    def member_name(self, routine: Routine, member: int | None) -> str:
        """The member that an entry of a family is for."""
        domain = self.program.families[routine.name].domain
        number = routine.member if routine.member is not None else member
        return "" if domain is None or number is None else self.program.model.enums[domain].members[number]

    def special(self, routine: Routine, member: int | None) -> int | None:
        """Only a default entry is compiled once for each member it serves."""
        return member if routine.case is not None else None

    def key_of(self, routine: Routine, member: int | None) -> str:
        return routine_key(self.program, routine, member)

    def new_block(self, routine: Routine | None, member: int | None = None) -> Code:
        code = Code(self.fresh.function("b", routine.name if routine is not None else "game"))
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
            for other, called in numbers.items():
                if other[0] in self.effects.of[key[0]].calls:
                    callers[called].append(n)
        bases: dict[int, int] = {}

        def base(n: int) -> int:
            if n not in bases:
                bases[n] = max((base(c) + self.sizes[c] for c in callers[n]), default=len(self.layout.initial))
            return bases[n]

        for n in numbers.values():
            base(n)
        return bases

    def written(self, x: Expressions, state: State) -> None:
        """After a write: what was remembered of this state is forgotten (the steps are filled in at the end)."""
        note = m.Forget(state.name)
        if x.code.last != note:
            x.emit(note)

    def written_at(self, x: Expressions, state: State, index: m.Expr, put_down: bool, address: m.Expr) -> None:
        """As written, for one entry of a state with one axis: kept sets are mended instead of forgotten."""
        x.emit(m.Written(state.name, index, put_down, address))

    def members_of(self, mask: m.Expr, size: int) -> m.Expr:
        """The members of a mask as a tuple. In simulation, where a hundred thousand different masks come by, large tables are worth
        their making; else small sets are remembered."""
        if not self.uncut or size > LISTED:
            return m.Logic("or", (b.call("BITS", mask), b.call("bits", mask)))
        found: m.Expr | None = None
        for start in range(0, size, WIDE):
            width = min(WIDE, size - start)
            bits = b.op(mask, ">>", start) if start else mask
            if start + WIDE < size:
                bits = b.op(bits, "&", (1 << WIDE) - 1)
            piece = b.entry(self.wide(start, width), bits)
            found = piece if found is None else b.op(found, "+", piece)
        assert found is not None
        return found

    def wide(self, start: int, width: int) -> m.Expr:
        """A table of the members of a set, by the value of so many bits of its mask."""
        name = f"W{start}_{width}"
        self.values[name] = Wide(start, width)
        return m.Table(name)

    def chance_kind(self, found: Type | None, secret: bool = False) -> int:
        """The number of a kind of chance: what comes out, and whether that is not for everybody."""
        kind = (found.name if isinstance(found, Of) else "", secret)
        if kind not in self.chances:
            self.chances.append(kind)
        return self.chances.index(kind)

    def event(self, key: str, name: str, slots: list[Any], path: str, node: core.Node) -> int:
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
        for routine in found.tries:
            found.reads |= self.effects.of[routine].reads
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

    def dispatch(self, family: Family, kind: str, one: Callable[[Routine | None, int], str]) -> m.Expr:
        """A tuple of functions by member."""
        name = f"{kind}_{len(self.tables)}"
        for known, rows in self.tables.items():
            if rows[0] == f"{kind} {family.name}":
                return m.Function(known)
        assert family.domain is not None
        self.tables[name] = [f"{kind} {family.name}"]
        for member in range(len(self.program.model.enums[family.domain])):
            self.tables[name].append(one(family.entry(member), member))
        return m.Function(name)

    def proc_dispatch(self, family: Family) -> m.Expr:
        return self.dispatch(family, "P", lambda routine, member: self.need(routine, member))

    def def_dispatch(self, family: Family) -> m.Expr:
        return self.dispatch(family, "D", lambda routine, member: self.need(routine, member))

    def enter_dispatch(self, family: Family) -> m.Expr:
        """Functions (s, return block, arguments) that enter each entry of a family, asking or not."""

        def one(routine: Routine | None, member: int) -> str:
            assert routine is not None
            names = [f"p{n}" for n in range(len(routine.params))]
            code = Code(self.fresh.function("e", f"{family.name}_{self.member_name(routine, member)}"), ("s", "r", *names))
            self.functions.append(code)
            if self.effects.of[routine].asks and not self.uncut:
                entry = self.entry_of(routine, member)
                code.emit(b.put(m.Frame(entry.frame), "r"))
                for slot, name in zip(entry.params, names):
                    code.emit(b.put(m.Frame(slot), name))
                code.emit(m.Return(b.call(m.Function(entry.block), b.POSITION)))
            else:
                code.emit(m.Do(b.call(m.Function(self.need(routine, member)), b.POSITION, *names)))
                code.emit(m.Return(b.call(b.entry(m.Function("B"), "r"), b.POSITION)))
            return code.name

        return self.dispatch(family, "E", one)

    # ------------------------------------------------------------ defs

    def def_call(self, routine: Routine, values: list[m.Expr], member: int | None) -> m.Expr:
        return b.call(m.Function(self.need(routine, member)), b.POSITION, *values)

    def once(self, x: Expressions, routine: Routine, values: list[m.Expr], member: int | None) -> m.Expr | None:
        """A def that only data decide, from a table; None where something else is asked, or too many members."""
        effect = self.effects.of[routine]
        if effect.reads or effect.draws or once.size(self, routine.params) is None:
            return None
        self.tell(routine.at, "worked out once for all positions")
        return once.entry(x, routine.params, values, self.need(routine, member))

    def remembered(self, x: Expressions, routine: Routine) -> m.Expr:
        """A def without parameters: computed when asked and kept until a state that it reads is written."""
        memo = self.memos.get(routine)
        if memo is None:
            memo = self.memos[routine] = Memo(routine.name, len(self.memos), tuple(sorted(self.effects.of[routine].reads)))
            self.tell(routine.at, f"remembered until something is written to {', '.join(memo.reads)}")
            self.need(routine, None)
        value = self.fresh.temp("q")
        x.emit(m.Recall(value, m.Memo(memo.slot), m.Function(self.routine_name(routine, None))))
        return m.Var(value)

    def compile_def(self, routine: Routine, member: int | None) -> None:
        code = Code(self.routine_name(routine, member), ("s", *(self.fresh.local(p) for p in routine.params)))
        code.origin = (routine.path, routine.at.line, routine.at.column)
        self.functions.append(code)
        x = self.expressions(code)
        if routine.case is not None and member is not None:
            x.env[routine.case] = m.Num(member)
        if routine.value is not None:
            code.emit(m.Return(x.of(routine.value)))
            return
        for condition in routine.conditions:
            code.origin = (condition.at.path, condition.at.line, condition.at.column)
            code.emit(m.If(b.no(x.of(condition.test)), [m.Return(m.Flag(False))]))
        code.emit(m.Return(m.Flag(True)))

    def expressions(self, code: Code) -> Exprs:
        x = Exprs(self)
        x.code = code
        x.bound = self.fresh.local
        return x

    # ------------------------------------------------------------ the whole

    def write(self) -> Machine:
        program = self.program
        self.waiting_entries = []
        game = program.families["game"].routines[0]
        begin = self.new_block(None)
        if self.effects.of[game].asks and not self.uncut:
            entry = self.entry_of(game, None)
            begin.emit(b.put(m.Frame(entry.frame), 0))
            begin.emit(m.Return(b.call(m.Function(entry.block), b.POSITION)))
        else:
            self.plain["game"] = self.need(game, None)
            begin.emit(m.Do(b.call(m.Function(self.plain["game"]), b.POSITION)))
            begin.emit(m.Return(b.call(m.Function(self.final.name), b.POSITION)))
        if self.uncut:                                             # whoever plays without stopping asks for nothing besides
            self.drain()
            return self.assemble(self.number(begin), {"standing": []}, [], {})
        goals: dict[str, list[str]] = {}
        for goal in program.goals.values():
            goals[goal.name] = [self.function_of(goal, value) for value in goal.values]
        always = [(routine, self.function_of(routine, routine.value)) for routine in program.always]
        self.all_procedures()
        self.drain()
        written = len(self.functions)
        shown = {routine.name: (routine, self.need(routine, None)) for routine in open_defs(self.facts)}
        self.terms = Sums(self, program.goals["standing"]).terms()
        self.drain()
        for code in self.functions[written:]:
            code.asked = True                                      # no rule runs them, so they count for no coverage
        return self.assemble(self.number(begin), goals, always, shown)

    def all_procedures(self) -> None:
        """Every procedure is compiled, called or not, so that a scenario can run it by itself."""
        for routine, member in procedures(self.program):
            if self.effects.of[routine].asks:
                self.entry_of(routine, member)
            else:
                self.plain[self.key_of(routine, member)] = self.need(routine, member)

    def function_of(self, routine: Routine, value: core.Expr | None) -> str:
        """A function of the position (and a player) for a standing, an estimate or a law; of what else a question is asked about."""
        code = Code(self.fresh.function("g", routine.name), ("s", *map(self.fresh.local, routine.params)))
        self.functions.append(code)
        assert value is not None
        code.origin = (routine.path, value.at.line, value.at.column)
        x = self.expressions(code)
        code.emit(m.Return(x.of(value)))
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

    def assemble(self, start: int, goals: dict[str, list[str]], always: list[Any], shown: dict[str, tuple[Routine, str]]) -> Machine:
        bases = self.place_frames()

        def framed(slot: int) -> tuple[int, int]:
            number, k = divmod(slot - FRAMES, ROOM)
            return number, bases[number] + k

        def actual(slot: int) -> int:
            return framed(slot)[1]

        for wait in self.waits.values():
            wait.frame = framed(wait.return_slot)[0]
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
        initial[EVENTS] = initial[SCRIPT] = None
        initial[OPTIONS] = ()
        forget: dict[str, list[int]] = {}
        for memo in self.memos.values():
            memo.slot += memo_base
            for name in memo.reads:
                forget.setdefault(name, []).append(memo.slot)
        every = [*self.functions, *self.blocks]
        tables = {**{name: rows[1:] for name, rows in self.tables.items()}, "B": [code.name for code in self.blocks]}
        forgotten = {node.state for code in every for node in m.steps(code.body) if isinstance(node, m.Forget)}
        stays = self.upkeep.unforgotten(forgotten)
        budget = Budget({code.name: code for code in every}, tables, {self.upkeep.builds[number] for number in stays})
        if self.uncut:                                             # a simulated game begins with all sets at hand
            self.upkeep.lasting = stays
        else:
            budget.watch()
        placing = Placing(self.program, self.upkeep, forget, framed, memo_base, len(initial))
        kept_base = len(initial)
        initial += [None] * len(self.upkeep.builds)
        for code in every:
            code.body, code.loads = placing.body(code.whole()), {}
        if self.uncut:                                             # only what the game comes to is written, and counts
            budget.values, budget.game = self.values, {self.plain["game"], self.before}
            budget.functions = reached(budget.functions, tables, [*tables["B"], self.before, *self.upkeep.builds])
            self.functions = [code for code in self.functions if code.name in budget.functions]
            budget.watch()
        machine = Machine(
            functions=self.functions,
            blocks=self.blocks,
            tables=tables,
            values=self.values,
            initial=initial,
            layout=self.layout,
            start=start,
            waits=self.waits,
            decisions=self.decisions,
            events=self.events,
            chances=self.chances,
            memos=[*self.memos.values(), *(Memo("", kept_base + n, (), build) for n, build in enumerate(self.upkeep.builds))],
            goals=goals,
            always=always,
            entries={self.key_of(*key): entry for key, entry in self.entries.items()},
            plain=self.plain,
            shown=shown,
            owners=self.owners(),
            names={name: local for local, name in self.fresh.names.items() if not self.facts.secrecy.of(local) and local.name[:1] != "."},
            counts=budget.again if self.uncut else budget.counts,
            terms=self.terms,
            upkeep=self.told,
            before=self.before,
        )
        if self.uncut:
            words_in_variables(machine, self.plain["game"])
        return machine

    def owners(self) -> dict[str, Owner]:
        """The procedure of each Python function that may write."""
        written = {**{name: key for key, name in self.names.items() if key[0].kind != "def"}, **self.block_of}
        return {name: Owner(routine, routine.member if member is None else member,
                            self.entries[routine, member].frame if (routine, member) in self.entries else None)
                for name, (routine, member) in written.items()}
