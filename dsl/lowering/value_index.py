"""The value index: for a state with one axis, such as `owner[Cell]: Player?`, a bitmask of cells for each value
and none.

It is an inverted index that is always up to date: a write to an entry moves one bit from the mask of the old
value to the mask of the new one. So `set(cell in Cell where owner[cell] == player)` is read, not computed. A
count of such cells counts bits, and a loop with such a condition visits only the cells that meet it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import State
from ..core.walk import find_locals, split_conjuncts, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.optimizations import is_enabled
from ..types.types import MemberOf, OptionalOf, SetOf
from .member_filters import apply_filters, find_filters
from .protocols import CellEquality, ExpressionApi, MaskedScan, ModuleApi, StateMaskSlots
from .static_tables import count_combinations, find_free_locals, find_read_locals, is_data_only, lower_as_table

MIN_INDEX_DOMAIN = 16        # smaller axes are scanned
MAX_INDEX_VALUES = 12          # each value costs a slot


class ValueIndex:
    """The value indexes of a module."""

    def __init__(self, writer: ModuleApi, builds: list[str]) -> None:
        self.w, self.builds = writer, builds
        self.states: dict[State, StateMaskSlots] = {}
        # compared with values, not only with none
        self.sought = set(self.iter_queried_states())

    def iter_queried_states(self) -> Iterator[State]:
        """Yields the states that some iteration compares with a value, over all members or over those of a named set."""
        for routine in self.w.program.routines:
            for node in walk(*routine.parts):
                if not isinstance(node, core.Fold | core.ForEach | core.ChoiceAlternative):
                    continue
                last = split_conjuncts(node.value) if isinstance(node, core.Fold) and node.kind in ("any", "all") else []
                for n, gen in enumerate(node.gens):
                    named = (
                        isinstance(gen.source, core.LocalRef)
                        and isinstance(node, core.Fold)
                        and len(node.gens) == 1
                        and self.has_mask_source(gen)
                    )
                    looked = isinstance(gen.source, core.AllMembers) or named
                    asked = [self.match_equality(gen, condition) for condition in (*node.where, *last)] if looked else []
                    yield from (found.state for found in asked if found is not None and not isinstance(found.value, core.EmptyLiteral))
                    match node.gens[n + 1:]:
                        case [core.GeneratorBinding(source=core.StateRef(state=name, index=(core.LocalRef(local=local),))), *_] if (
                            local is gen.local
                        ):
                            yield self.w.program.states[name]

    def can_answer_all(self, gen: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> bool:
        """Whether the index answers all conditions, so that no incremental set is needed."""
        asked = [self.match_equality(gen, condition) for condition in conditions]
        return all(found is not None and self.find_masks(found.state) is not None for found in asked)

    # ------------------------------------------------------------ asking

    def find_masked_scan(
        self,
        x: ExpressionApi,
        gen: core.GeneratorBinding,
        conditions: Sequence[core.Expr],
        later_locals: Collection[LocalVar] = (),
        whole: bool = False,
    ) -> MaskedScan | None:
        """Returns the members of `gen`'s domain that meet some of `conditions`, or None if the index answers none of
        them.

        With `whole`, all conditions must be answered. The state of a condition then also answers it for members of a set.
        `later_locals` contains names that have no value yet."""
        found = self.match_conditions(x, gen, conditions, later_locals, whole)
        met = [one.condition for one, _ in found]
        filters = find_filters(x, gen, [c for c in conditions if c not in met], later_locals)
        met += filters
        if not met or whole and len(met) < len(conditions):
            return None
        if found:
            self.record_index_use(gen.at, "read from", [one.state for one, _ in found])
        mask = None if isinstance(gen.source, core.AllMembers) else x.lower(gen.source)
        held = {one.state for one, _ in found if one.held and not isinstance(one.value.type, OptionalOf)}
        for one, kept in found:
            if not one.held and one.state in held and isinstance(one.value, core.EmptyLiteral):
                continue                                           # implied by the other condition
            mask = self.apply_equality(x, mask if mask is not None or one.held else x.lower(gen.source), one, kept)
        if filters:
            mask = apply_filters(x, mask, gen.local, filters)
        assert mask is not None
        return MaskedScan(mask, tuple(met), tuple(c for c in conditions if c not in met))

    def match_conditions(self, x: ExpressionApi, gen: core.GeneratorBinding, conditions: Sequence[core.Expr],
               later_locals: Collection[LocalVar] = (), sets: bool = False) -> list[tuple[CellEquality, StateMaskSlots]]:
        """Returns the conditions that the index answers, with their masks. With `sets`, also for the members of a set."""
        if not (isinstance(gen.source, core.AllMembers) or sets and self.has_mask_source(gen)) or gen.number is not None:
            return []
        asked = [one for condition in conditions if (one := self.match_equality(gen, condition)) is not None]
        now = [one for one in asked if not find_read_locals(x, one.value) & {*later_locals, gen.local}]
        return [(one, kept) for one in now if (kept := self.find_masks(one.state)) is not None]

    def has_mask_source(self, gen: core.GeneratorBinding) -> bool:
        """Whether a generator iterates over a set that is a bitmask."""
        return isinstance(gen.source.type, SetOf) and self.w.layout.is_mask_element(gen.source.type.of)

    def apply_equality(self, x: ExpressionApi, mask: m.IrExpr | None, one: CellEquality, slots: StateMaskSlots) -> m.IrExpr:
        """Returns the members of `mask` that meet a comparison. None as the mask means all members."""
        value = x.lower(one.value)
        x.emit(m.LoadMemo(None, m.IncrementalSetAddr(slots.first), m.FunctionRef(slots.build)))
        these = self.load_mask(slots, value)
        if mask is None:
            assert one.held
            return these
        return b.binary_op(mask, "&", these) if one.held else b.mask_without(mask, these)

    def record_index_use(self, at: core.RuleSpan, what: str, states: Sequence[State]) -> None:
        """Records that the code at a place reads the index of these states."""
        self.w.record_strategy(at, f"{what} the masks of who holds what in {', '.join(sorted({state.name for state in states}))}")

    def find_attribute_scan(self, x: ExpressionApi, gens: Sequence[core.GeneratorBinding], conditions: Sequence[core.Expr],
               later_locals: Collection[LocalVar], sets: bool = False) -> MaskedScan | None:
        """Returns the cells for `cell in Cell, thing in held[cell] where thing.owner == player`: those that hold a thing
        with matching attributes.

        None if the first two generators have another form. `later_locals` contains names that have no value yet, except
        those of `gens`. With `sets`, the cells may also come from a set."""
        if len(gens) < 2 or gens[0].number is not None or gens[1].number is not None:
            return None
        among = None if isinstance(gens[0].source, core.AllMembers) else gens[0].source
        if among is not None and not (sets and self.has_mask_source(gens[0])):
            return None
        cell, thing = gens[0].local, gens[1].local
        match gens[1].source:
            case core.StateRef(state=name, index=(core.LocalRef(local=local),)) if local is cell:
                state = self.w.program.states[name]
            case _:
                return None
        if not isinstance(state.type, OptionalOf):
            return None
        met = [c for c in conditions if self.is_attribute_condition(c, thing) and not find_read_locals(x, c) & {*later_locals, cell}]
        known = [one for one in find_free_locals(*met) if one is not thing]
        kept = self.find_masks(state) if count_combinations(self.w, known) is not None else None
        if kept is None or among is not None and not met:
            return None
        self.record_index_use(gens[0].at, "read from", [state])
        x.emit(m.LoadMemo(None, m.IncrementalSetAddr(kept.first), m.FunctionRef(kept.build)))
        left = tuple(c for c in conditions if c not in met)
        if not met:
            return MaskedScan(b.mask_without(x.lower(gens[0].source), b.load_slot(m.IncrementalSetAddr(kept.first))), (), left)
        values = lower_as_table(x, thing.name, known, lambda inner: self.lower_matching_values(inner, kept, thing, met))
        mask, value = self.w.fresh.temp_name("m"), self.w.fresh.temp_name("v")
        x.assign(mask, 0)
        x.emit(
            m.ForStmt((value,), m.BoundedIter(values, kept.values), [m.AugAssign(m.Var(mask), "|=", self.load_mask(kept, m.Var(value)))])
        )
        held = m.Var(mask) if among is None else b.binary_op(x.lower(among), "&", mask)
        return MaskedScan(held, tuple(met), left)

    def is_attribute_condition(self, condition: core.Expr, thing: LocalVar) -> bool:
        """Whether a condition reads the thing and otherwise only static data."""
        return thing in find_locals(condition) and is_data_only(self.w, condition)

    def lower_matching_values(self, x: ExpressionApi, slots: StateMaskSlots, thing: LocalVar, conditions: Sequence[core.Expr]) -> m.IrExpr:
        """Returns the numbers of the things that meet the conditions, as a tuple."""
        x.env[thing] = m.Var("v")
        x.assign("l", m.ListDisplay())
        depth = x.code.depth
        x.code.enter_block(m.ForStmt(("v",), b.call("range", slots.values)))
        for condition in conditions:
            x.code.enter_block(m.IfStmt(x.lower(condition)))
        x.emit(m.ExprStmt(b.call_method("l", "append", "v")))
        x.code.depth = depth
        return b.call("tuple", "l")

    def lower_masked_table(self, x: ExpressionApi, node: core.Fold) -> m.IrExpr | None:
        """Returns the bitmask for `set(d in Direction, cell in step(start, d) where held[cell] != player: cell)`.

        The cells that follow from static data come from a table, and the index selects those that meet the
        comparison."""
        last = node.gens[-1].local
        value = node.value if node.value is not None else core.LocalRef(node.at, last.type, last)
        if not isinstance(value, core.LocalRef) or any(gen.number is not None for gen in node.gens):
            return None
        taken = next((gen for gen in node.gens if gen.local is value.local), None)
        bound = {gen.local for gen in node.gens}
        met = [(one, kept) for c in node.where if taken is not None and (one := self.match_equality(taken, c)) is not None
               and not bound & find_locals(one.value) and (kept := self.find_masks(one.state)) is not None]
        rest = [c for c in node.where if c not in [one.condition for one, _ in met]]
        data = [*rest, *(gen.source for gen in node.gens)]
        names = [local for local in find_free_locals(*data) if local not in bound]
        if not met or not is_data_only(self.w, *data) or count_combinations(self.w, names) is None:
            return None
        self.record_index_use(node.at, "from a table and", [one.state for one, _ in met])
        cells = core.Fold(node.at, node.type, node.kind, node.gens, tuple(rest), node.value)
        mask = lower_as_table(x, value.local.name, names, lambda inner: inner.lower(cells))
        for one, kept in met:
            mask = self.apply_equality(x, mask, one, kept)
        return mask

    def lower_first_on_ray(self, x: ExpressionApi, node: core.Fold) -> m.IrExpr | None:
        """Returns the nearest cell for `first(c in ray(cell, d) where held[c] != none)`.

        The ray is a bitmask, and the index selects its cells that meet the conditions. The nearest one is the lowest
        bit if the ray goes upwards in the order of cells, otherwise the highest. None if the fold has another form."""
        match node.gens, node.value:
            case [core.GeneratorBinding(source=core.PrimOp(op="ray", args=(start, way)), number=None, local=cell) as gen], None:
                pass
            case _:
                return None
        board = self.w.program.model.enums[cell.type.name].board if isinstance(cell.type, MemberOf) else None
        if board is None or board.open or not node.where:
            return None
        rays = [ray for row in board.rays for ray in row]
        upwards = tuple(int(ray == tuple(sorted(ray))) for ray in rays)
        if not all(up or ray == tuple(sorted(ray, reverse=True)) for ray, up in zip(rays, upwards)):
            return None
        asked = [self.match_equality(gen, condition) for condition in node.where]
        met = [(one, kept) for one in asked
               if one is not None and cell not in find_read_locals(x, one.value) and (kept := self.find_masks(one.state)) is not None]
        if len(met) < len(node.where):
            return None
        self.record_index_use(node.at, "read from", [one.state for one, _ in met])
        at = x.temp(b.binary_op(b.binary_op(x.lower(start), "*", len(board.directions)), "+", x.lower(way)), "i")
        mask = b.index_entry(x.const(tuple(map(b.mask_of, rays))), at)
        for one, kept in met:
            mask = self.apply_equality(x, mask, one, kept)
        held = x.temp(mask, "m")
        return m.IfExpr(b.index_entry(x.const(upwards), at), b.lowest_bit(held), b.highest_bit(held))

    def match_equality(self, gen: core.GeneratorBinding, condition: core.Expr) -> CellEquality | None:
        """Matches a condition that compares the entry of `gen`'s member with a value. None for any other condition."""
        match condition:
            case core.PrimOp(op="not", args=(inside,)):
                found = self.match_equality(gen, inside)
                return replace(found, condition=condition, held=not found.held) if found is not None else None
            case core.PrimOp(op="==" | "!=" as op, args=(core.StateRef(state=name, index=(core.LocalRef(local=local),)), wanted)):
                pass
            case core.PrimOp(op="==" | "!=" as op, args=(wanted, core.StateRef(state=name, index=(core.LocalRef(local=local),)))):
                pass
            case _:
                return None
        state = self.w.program.states[name]
        if local is not gen.local or isinstance(wanted.type, OptionalOf) and not isinstance(state.type, OptionalOf):
            return None
        return CellEquality(condition, state, local, wanted, op == "==")

    def find_masks(self, state: State) -> StateMaskSlots | None:
        """Returns the masks of a state, or None if it has no index."""
        if state in self.states or state not in self.sought or not is_enabled("value-index"):
            return self.states.get(state)
        inner = state.type.of if isinstance(state.type, OptionalOf) else state.type
        if self.w.layout.cells[state].form != "plain" or len(state.axes) != 1 or not isinstance(inner, MemberOf):
            return None
        values = self.w.program.model.enum_of(inner.name)
        domain = self.w.program.model.enums[state.axes[0][1]]
        if values is None or values.kind == "open" or domain.kind == "open":
            return None
        if len(values) > MAX_INDEX_VALUES or len(domain) < MIN_INDEX_DOMAIN:
            return None
        kept = self.states[state] = self.build_masks(state, len(values))
        return kept

    def build_masks(self, state: State, values: int) -> StateMaskSlots:
        """Creates the masks of a state and compiles the function that computes them."""
        kept = StateMaskSlots(len(self.builds), values, self.w.fresh.function_name("k", f"{state.name}_holders"))
        self.builds += [kept.build, *[""] * values]
        size = len(self.w.program.model.enums[state.axes[0][1]])
        code = FunctionBuilder(kept.build)
        code.emit(m.StoreSlot(tuple(m.IncrementalSetAddr(kept.first + n) for n in range(kept.values + 1)), m.IntConst(0)))
        with code.inside_block(m.ForStmt(("c",), b.call("range", size))):
            held = b.load_slot(b.binary_op(self.w.layout.cells[state].base, "+", "c"))
            code.emit(m.AugAssign(self.load_mask(kept, held), "|=", b.bit_mask("c")))
        code.emit(m.ReturnStmt(b.load_slot(m.IncrementalSetAddr(kept.first))))
        self.w.functions.append(code)
        return kept

    def load_mask(self, slots: StateMaskSlots, value: m.IrExpr) -> m.LoadSlot:
        """Returns the mask of the members with a value. -1 stands for none."""
        if isinstance(value, m.IntConst):
            return b.load_slot(m.IncrementalSetAddr(slots.first + 1 + value.value))
        return b.load_slot(b.binary_op(m.IncrementalSetAddr(slots.first + 1), "+", value))

    # ------------------------------------------------------------ writing

    def build_before_write(self, state: State, writing: m.BeforeWrite) -> m.Body:
        """Returns the step that saves the old value of an entry in `was`."""
        return [m.AssignStmt(("was",), b.load_slot(writing.address))] if state in self.states else []

    def build_write_updates(self, state: State, written: m.AfterWrite) -> m.Body:
        """Returns the steps that flip the bit of an entry in the masks of its old and its new value.

        If both are the same, the bit is flipped twice and does not change."""
        kept = self.states.get(state)
        if kept is None:
            return []
        moved: m.Body = [m.AssignStmt(("m",), b.bit_mask(written.index))]
        for value in (m.Var("was"), b.load_slot(written.address)):
            moved.append(m.AugAssign(self.load_mask(kept, value), "^=", m.Var("m")))
        return [m.IfStmt(b.binary_op(b.load_slot(m.IncrementalSetAddr(kept.first)), "is not", m.NoneConst()), moved)]

    def build_invalidation(self, state: State) -> m.Body:
        """Returns the steps that invalidate the masks of a state."""
        kept = self.states.get(state)
        return [b.store_slot(m.IncrementalSetAddr(kept.first), m.NoneConst())] if kept is not None else []
