"""Direct style: procedures compiled without stops, for simulations.

Each choice is made at once, at random. Procedures become plain functions, loops plain loops and locals plain
variables. The games are the same as in the block form.

Three control slots have another meaning while this form runs:

| slot | content |
|---|---|
| `PC` | maximum number of rounds |
| `ANSWER` | number of decisions so far |
| `OPTIONS` | the random source |"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..core.walk import walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder, add_offset
from ..ir.limits import BIT_TABLE_BITS, MAX_TABLED_SET_BITS
from ..ir.metadata import OptionField
from ..storage.control_slots import ANSWER, OPTIONS, PC, ROUND
from .choices import ChoiceLowering
from .loops import LoopLowering
from .pair_candidates import PairCandidates
from .procedures import ProcedureLowering
from .protocols import CellEquality, ModuleApi

MAX_UNROLLED_NODES = 200       # nodes of a loop body times iterations


class DirectStyleLowering(ProcedureLowering):
    """Compiles any procedure as one that never asks."""

    listens = False                                                # nobody reads the events of a simulation

    def __init__(self, writer: ModuleApi, routine: Routine, member: int | None) -> None:
        super().__init__(writer, routine, member)
        self.asks = False
        self.chosen: list[CellEquality] = []                              # equalities that the chosen values are known to meet
        self.drawn: dict[LocalVar, m.IrExpr] = {}                       # index of a chosen value in its list of options
        self.choices, self.loops = DirectStyleChoiceLowering(self), DirectStyleLoopLowering(self)

    def compile(self) -> None:
        """Compiles the procedure as a function.

        The steps of the game before the first decision or draw become a function of their own. Their result is always
        the same, so simulations run it once."""
        first = self.count_opening_steps()
        if not first:
            super().compile()
            return
        body = self.routine.body
        self.w.before = self.w.fresh.function_name("p", "before")
        for name, part in ((self.w.before, body[:first]), (self.name, body[first:])):
            self.x.code = FunctionBuilder(name)
            self.w.functions.append(self.x.code)
            self.set_origin(self.routine)
            self.lower_block(part)
            if not self.x.code.closed:
                self.emit_exit()

    def count_opening_steps(self) -> int:
        """Returns how many steps at the beginning of the game decide nothing, draw nothing and bind no name.

        0 for every other procedure."""
        routine = self.routine
        if routine is not self.w.program.families["game"].routines[0] or routine.resets or routine.params:
            return 0
        for n, step in enumerate(routine.body):
            effect = self.w.compute_effect([step])
            parts = list(walk(step))
            bound = any(isinstance(part, core.Let | core.ChooseStmt | core.RoundsLoop | core.StopProc) for part in parts)
            named = any(isinstance(part, core.Store) and isinstance(part.target, core.LocalRef) for part in parts)
            open_ = any(one.asks or one.draws for one in (effect, *(self.w.effects.of[called] for called in effect.calls)))
            if bound or named or open_:
                return n
        return len(routine.body)

    def lower_block(self, block: core.Block) -> None:
        around, self.chosen = self.chosen, []                      # facts from outside a loop may be false in its next iteration
        super().lower_block(block)
        self.chosen = around

    def lower_statement(self, node: core.Stmt) -> None:
        """Compiles a statement and updates what is known about entries.

        A choice such as `cell where stone[cell] == none` shows the old value of an entry. A write ends that knowledge
        for its state, after it was used for the write itself."""
        here = self.x.code.open[-1]
        before = len(here)
        super().lower_statement(node)
        if isinstance(node, core.Store):
            self.annotate_write(node, here[before:])
        gone = {state for inside in walk(node) for state in self.w.find_written_states(inside)}
        self.chosen = [one for one in self.chosen if one.state.name not in gone]
        if isinstance(node, core.ChooseStmt) and not node.is_menu and node.how is None and node.ways[0].body is None and not node.may:
            way = node.ways[0]
            asked = [self.w.upkeep.holders.match_equality(gen, condition) for gen in way.gens for condition in way.where]
            self.chosen += [one for one in asked if one is not None and one.held and is_stable_value(one.value) and not one.local.mutable]

    def annotate_write(self, node: core.Store, steps: m.Body) -> None:
        """Adds the known old value, new value and list index of an entry to the nodes of a write."""
        was = place = None
        match node.target:
            case core.StateRef(state=name, index=(core.LocalRef(local=index),)):
                was = next((one.value for one in self.chosen if one.state.name == name and one.local is index), None)
                place = self.drawn.get(index) if was is not None else None
        value = next((step.value for step in steps if isinstance(step, m.StoreSlot) and b.is_simple(step.value)), None)
        for step in steps:
            if isinstance(step, m.BeforeWrite | m.AfterWrite) and was is not None:
                step.was = self.x.lower(was)
            if isinstance(step, m.AfterWrite):
                step.value, step.place = value, place

    def is_asking_call(self, node: core.CallProc, known: int | None) -> bool:
        return False


def is_stable_value(value: core.Expr) -> bool:
    """Whether an expression keeps its value over the next steps: a constant or an immutable local."""
    return isinstance(value, core.EmptyLiteral | core.Const) or isinstance(value, core.LocalRef) and not value.local.mutable


class DirectStyleLoopLowering(LoopLowering):
    """Loops that stop after the maximum number of rounds. Short loops over a few known members are unrolled."""

    def lower_straight_pass(self, node: core.RoundsLoop) -> None:
        """Unrolls a pass over the members of a small enum, so that the member is a constant in each copy of the body."""
        gen = node.gen
        assert gen is not None
        many = len(self.x.model.enums[gen.source.domain]) if isinstance(gen.source, core.AllMembers) else 0
        parts = sum(1 for _ in walk(*node.body))
        if node.where or gen.number is not None or not 0 < many * parts <= MAX_UNROLLED_NODES:
            super().lower_straight_pass(node)
            return
        saved = dict(self.x.env)
        for member in range(many):
            self.x.env[gen.local] = m.IntConst(member)
            self.lower_straight_turn(node)
            self.x.env = dict(saved)

    def emit_round_start(self, outermost: bool) -> None:
        """Counts a new round of the game, and stops the game after the maximum number."""
        if outermost:
            self.x.emit(m.IfStmt(b.binary_op(b.load_slot(ROUND), ">=", b.load_slot(PC)), [m.RaiseStmt("Halt")]))
            self.x.emit(m.AugAssign(b.load_slot(ROUND), "+=", m.IntConst(1)))


class DirectStyleChoiceLowering(ChoiceLowering):
    """Choices that are made at once."""

    def __init__(self, routine: DirectStyleLowering) -> None:
        super().__init__(routine)
        self.r: DirectStyleLowering = routine

    def emit_pick(self, size: int | None = None, noted: LocalVar | None = None) -> None:
        """Emits a random choice from the options in `o`, which must not be empty.

        With `size`, `o` is a bitmask of that many bits instead of a list. `noted` is a name whose index in the list
        is recorded for later writes."""
        self.x.code.loads["pick"] = m.IntConst(OPTIONS)
        drawn = b.binary_op(b.call(m.Var("pick")), "*", b.call("len", "o") if size is None else b.call_method("o", "bit_count"))
        at = b.call("int", drawn)
        if noted is not None:
            at = self.r.drawn[noted] = self.x.temp(at, "k")
        if size is None:
            self.x.assign("a", b.index_entry("o", at))
        else:
            self.x.assign("k", at)
            body = self.build_mask_pick(0, size, m.Var("o"), m.Var("k"))
            self.x.code.set_origins(body)
            self.x.code.append_body(body)
        self.x.emit(m.AugAssign(b.load_slot(ANSWER), "+=", m.IntConst(1)))

    def build_mask_pick(self, low: int, high: int, among: m.IrExpr, place: m.IrExpr, part: str = "y") -> m.Body:
        """Returns steps that set `a` to the member with the index `place` in a bitmask.

        The mask contains the members from `low` to before `high`, beginning with its lowest bit. It is halved until a
        table of members covers the rest."""
        if high - low <= BIT_TABLE_BITS:
            found = b.index_entry(b.index_entry(self.w.add_bit_table(0, BIT_TABLE_BITS), among), place)
            return [m.AssignStmt(("a",), add_offset(found, m.IntConst(low)) if low else found)]
        width = (high - low + 2 * BIT_TABLE_BITS - 1) // (2 * BIT_TABLE_BITS) * BIT_TABLE_BITS
        middle = low + width
        fewer = self.build_mask_pick(low, middle, m.Var(part), place, f"{part}y")
        if high - middle <= BIT_TABLE_BITS:
            more = self.build_mask_pick(middle, high, b.binary_op(among, ">>", width), b.binary_op(place, "-", "c"))
        else:
            more = [m.AssignStmt(("k",), b.binary_op(place, "-", "c")), m.AssignStmt(("o",), b.binary_op(among, ">>", width)),
                    *self.build_mask_pick(middle, high, m.Var("o"), m.Var("k"), part)]
        return [m.AssignStmt((part,), b.binary_op(among, "&", (1 << width) - 1)), m.AssignStmt(("c",), b.call_method(part, "bit_count")),
                m.IfStmt(b.binary_op(place, "<", "c"), fewer, more)]

    def choose_groups(self, node: core.ChooseStmt, optional: bool, combination: Any) -> None:
        """Emits the choice of one combination, group after group.

        `combination` writes what follows and runs only if something was chosen. If it is None, the rest of the procedure
        follows, and the procedure ends if nothing was chosen."""
        x = self.x
        groups, chance = node.ways[0].groups, node.is_chance
        conditions = self.split_conditions(node)
        depth = x.code.depth
        for n, group in enumerate(groups):
            rest = [gen for later in groups[n + 1 :] for gen in later] if not chance else []
            rest_conditions = [c for later in conditions[n + 1 :] for c in later] if not chance else []
            locals_ = [gen.local for gen in group]
            slots = self.build_chance_slots(group) if chance else [self.build_slot(gen) for gen in group]
            plain = not chance and not (n == 0 and optional) and not rest
            listed = self.find_vacancy_list(node, group, conditions[n]) if plain else None
            held = self.find_wide_mask(group, conditions[n], slots) if plain and listed is None else None
            pairs = PairCandidates(x).find_offer(group, conditions[n]) if plain and len(group) == 2 else None
            if listed is not None:
                x.assign("o", listed)
            elif pairs is not None:
                x.assign("o", pairs.mask)
            elif held is not None:
                x.assign("o", held[0])
            else:
                self.emit_options(group, conditions[n], slots, rest, rest_conditions)
            if combination is None:
                if n == 0 and node.stop:
                    x.emit(m.IfStmt(b.logical_not("o"), [m.ReturnStmt()]))
            elif n == 0 or chance:
                x.code.enter_block(m.IfStmt(m.Var("o")))
            if n == 0 and optional:
                x.assign("o", m.ListDisplay((m.StarredExpr(m.Var("o")), m.IntConst(-1))))
            if chance:
                x.assign("a", b.call("chance", b.POSITION, "o", 0))
            elif listed is not None:
                self.emit_pick(None, locals_[0])
            else:
                self.emit_pick(pairs.size if pairs is not None else held[1] if held is not None else None)
            if n == 0 and optional and combination is None:
                x.emit(m.IfStmt(b.binary_op("a", "<", 0), [m.ReturnStmt()]))
            elif n == 0 and optional:
                x.code.enter_block(m.IfStmt(b.binary_op("a", ">=", 0)))
            if pairs is not None:
                for local, things in zip(locals_, (pairs.first, pairs.second)):
                    x.assign(self.w.fresh.local_name(local), b.index_entry(things, "a"))
                    x.env.pop(local, None)
                    self.r.track_live_local(local)
            else:
                self.emit_decoding(slots, locals_, m.Var("a"))
        if combination is not None:
            combination()
        x.code.depth = depth

    def find_wide_mask(
        self, group: Sequence[core.GeneratorBinding], conditions: Sequence[core.Expr], slots: list[OptionField]
    ) -> tuple[m.IrExpr, int] | None:
        """Returns an up-to-date bitmask of the options with its number of bits, if it is too wide for a table of
        members.

        The random member is then found by counting bits, without a list of the others. None if there is no such mask."""
        gen = group[0]
        if len(group) > 1 or slots[0].low or not isinstance(gen.source, core.AllMembers):
            return None
        if len(self.x.model.enums[gen.source.domain]) <= BIT_TABLE_BITS:
            return None
        return self.find_option_mask(gen, conditions)

    def find_vacancy_list(
        self, node: core.ChooseStmt, group: Sequence[core.GeneratorBinding], conditions: Sequence[core.Expr]
    ) -> m.IrExpr | None:
        """Returns the options as a list that is maintained during the game, if they are the cells where a state is none.

        Removing the chosen cell from a long list by its index is faster than finding it in a bitmask. None if
        anything but the body of `game` writes the state."""
        game = self.w.program.families["game"].routines[0]
        gen, holders = group[0], self.w.upkeep.holders
        asked = holders.match_equality(gen, conditions[0]) if len(group) == len(conditions) == 1 and gen.number is None else None
        if not isinstance(gen.source, core.AllMembers) or self.r.routine is not game or node.how is not None:
            return None
        if asked is None or not asked.held or not isinstance(asked.value, core.EmptyLiteral):
            return None
        name = asked.state.name
        others = any(name in self.w.effects.of[routine].writes for routine in self.w.program.routines if routine is not game)
        places = [inside for inside in walk(*game.body) if name in self.w.find_written_states(inside)]
        others = others or any(one in places for one in walk(*game.body[: self.r.count_opening_steps()]))
        plain = all(isinstance(one, core.Store) and isinstance(one.target, core.StateRef) and one.op == "=" for one in places)
        if others or not plain or name in game.resets or len(self.x.model.enums[gen.source.domain]) <= MAX_TABLED_SET_BITS:
            return None
        kept = holders.find_masks(asked.state)
        if kept is None:
            return None
        known = self.w.upkeep.listed
        if asked.state not in known:
            known[asked.state] = self.w.fresh.temp_name("l")
            members = b.call("list", b.call("bits", b.load_slot(m.IncrementalSetAddr(kept.first))))
            self.r.x.code.body.insert(0, m.AssignStmt((known[asked.state],), members, origin=self.x.code.origin))
        return m.Var(known[asked.state])

    def choose_without_body(self, node: core.ChooseStmt) -> None:
        if node.how is not None and node.how.is_set:
            self.choose_set(node)
            return
        self.choose_groups(node, node.may, None)

    def choose_with_body(self, node: core.ChooseStmt, body: core.Block) -> None:
        x, how = self.x, node.how
        if how is not None and how.is_set:
            self.choose_set(node)
            self.r.lower_block(body)
            return
        made = self.w.fresh.temp_name("b")

        def emit_body() -> None:
            x.assign(made, True)
            self.r.lower_block(body)
            x.code.closed = False

        if how is not None:
            assert how.count is not None
            with x.code.inside_block(m.ForStmt(("_",), b.call("range", x.lower(how.count)))):
                x.assign(made, False)
                self.choose_groups(node, how.kind == "up to times", emit_body)
                x.emit(m.IfStmt(b.logical_not(made), [m.BreakStmt()]))
            return
        x.assign(made, False)
        self.choose_groups(node, node.may, emit_body)
        self.emit_otherwise(node, made)

    def emit_otherwise(self, node: core.ChooseStmt, made: str) -> None:
        """Emits the `otherwise` body, which runs if nothing was chosen."""
        if node.otherwise is not None:
            with self.x.code.inside_block(m.IfStmt(b.logical_not(made))):
                self.r.lower_block(node.otherwise.body)
                self.x.code.closed = False

    def choose_set(self, node: core.ChooseStmt) -> None:
        x = self.x
        gen, result, how = node.ways[0].gens[0], node.result, node.how
        assert result is not None and how is not None
        exact = how.kind == "exactly"
        variable = self.w.fresh.local_name(result)
        x.assign(variable, 0)
        self.r.track_live_local(result)
        self.emit_options([gen], node.ways[0].where, [self.build_slot(gen)], [], [])
        things, left = self.w.fresh.temp_name("l"), self.w.fresh.temp_name("n")
        x.assign(things, b.call("tuple", "o"))
        size = b.call("len", things)
        wanted = size if how.count is None else x.temp(x.lower(how.count))
        x.assign(left, b.call("min", wanted, size))
        with x.code.inside_block(m.WhileStmt(b.binary_op(left, ">", 0))):
            x.assign("o", self.build_set_options(things, left, exact))
            self.emit_pick()
            if not exact:
                x.emit(m.IfStmt(b.binary_op("a", "<", 0), [m.BreakStmt()]))
            x.emit(m.AugAssign(m.Var(variable), "|=", b.bit_mask("a")))
            x.assign("o", self.exclude_answer(m.Var(things)))
            x.assign(things, b.call("tuple", "o"))
            x.emit(m.AugAssign(m.Var(left), "-=", m.IntConst(1)))

    def choose_from_menu(self, node: core.ChooseStmt) -> None:
        x, how = self.x, node.how
        made = self.w.fresh.temp_name("b")
        if how is not None:
            assert how.count is not None
            x.code.enter_block(m.ForStmt(("_",), b.call("range", x.lower(how.count))))
        x.assign(made, False)
        x.assign("o", m.ListDisplay())
        named, offset = [], 0
        for way in node.ways:
            locals_ = [gen.local for gen in way.gens]
            slots = [self.build_slot(gen) for gen in way.gens]
            saved = dict(x.env)
            levels = x.open_gens(way.gens, way.where)
            x.emit(m.ExprStmt(b.call_method("o", "append", self.encode_option(slots, locals_, offset))))
            x.close_gens(levels)
            x.env = saved
            self.emit_deduplication(way.gens)
            size = 1
            for slot in slots:
                size *= slot.radix
            named.append((way, slots, locals_, offset, size))
            offset += size
        depth = x.code.depth
        x.code.enter_block(m.IfStmt(m.Var("o")))
        if node.may or how is not None and how.kind == "up to times":
            x.emit(m.ExprStmt(b.call_method("o", "append", -1)))
        self.emit_pick()
        for way, slots, locals_, start, size in named:
            taken = m.IfStmt(m.RangeTest(m.IntConst(start), m.Var("a"), m.IntConst(start + size), "<=", "<"))
            x.code.enter_block(taken)
            x.assign(made, True)
            x.emit(m.AugAssign(m.Var("a"), "-=", m.IntConst(start)))
            self.emit_decoding(slots, locals_, m.Var("a"))
            self.r.lower_block(way.body or ())
            x.code.closed = False
            x.code.depth -= 1
            x.code.enter_else(taken)
        x.code.depth = depth
        if how is not None:
            x.emit(m.IfStmt(b.logical_not(made), [m.BreakStmt()]))
            x.code.depth -= 1
        else:
            self.emit_otherwise(node, made)
