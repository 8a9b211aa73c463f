"""The options of a choice: their list as codes, and the decoding of the answer.

The code of an option is the position of its values in the Cartesian product of the domains of its names. In a
menu, the codes of an entry follow those of the entries before it. -1 means "decline" and comes last.

Options have the order of the sets that they come from. The first name varies slowest.

In the function that is being compiled, `o` is the list of options and `a` the answer."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.metadata import OptionField
from ..types.boards import OPEN_SPAN
from ..types.types import BagOf, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from .member_filters import find_filters
from .protocols import ProcedureApi


class OptionLowering:
    """Compiles the options of the choices of one procedure."""

    def __init__(self, routine: ProcedureApi) -> None:
        self.r = routine
        self.x, self.w = routine.x, routine.w

    def build_slot(self, gen: core.GeneratorBinding, revealed: frozenset[LocalVar] = frozenset()) -> OptionField:
        """Builds the field that encodes the value of one name in an option.

        `revealed` contains the names that are no longer secret once the choice has been made."""
        local = gen.local
        found: Type = local.type
        secret = bool(self.w.facts.secrecy.secrets_of(local)) and local not in revealed
        if isinstance(found, Int):
            low, high = found.low or 0, found.high or 0
            return OptionField(local.name, found, max(1, high - low + 1), low, secret)
        if isinstance(found, SetOf):
            things = self.x.model.enum_of(found.of.name) if isinstance(found.of, MemberOf) else None
            assert things is not None
            return OptionField(local.name, found, 1 << len(things), 0, secret, find_max_subset_size(gen.source))
        if isinstance(found, BagOf):
            kinds, most = len(self.x.model.enums[found.of.name]), find_max_bag_size(gen.source)
            assert most is not None
            return OptionField(local.name, found, comb(most + kinds, kinds), 0, secret, most, kinds)
        assert isinstance(found, MemberOf)
        enum = self.x.model.enum_of(found.name)
        assert enum is not None
        return OptionField(local.name, found, OPEN_SPAN * OPEN_SPAN if enum.kind == "open" else len(enum), 0, secret)

    def build_chance_slots(self, gens: Sequence[core.GeneratorBinding]) -> list[OptionField]:
        """Builds the fields of a chance result. A single number is its own code, so that scripts and the log show the
        number."""
        slots = [self.build_slot(gen) for gen in gens]
        if len(slots) == 1 and isinstance(slots[0].type, Int):
            return [OptionField(slots[0].name, slots[0].type, slots[0].radix + slots[0].low, 0)]
        return slots

    def encode_option(self, slots: list[OptionField], locals_: list[LocalVar], offset: int = 0) -> m.IrExpr:
        """Returns the code of the current values of the names."""
        code: m.IrExpr | None = None
        for slot, local in zip(slots, locals_):
            value = self.x.read_local(local)
            if isinstance(slot.type, SetOf):
                value = b.call("packed", value)
            if isinstance(slot.type, BagOf):
                value = b.call("rank_bag", value)
            if slot.low:
                value = b.binary_op(value, "-", slot.low)
            code = value if code is None else b.binary_op(b.binary_op(code, "*", slot.radix), "+", value)
        return b.binary_op(code or m.IntConst(0), "+", offset) if offset else code or m.IntConst(0)

    def emit_decoding(self, slots: list[OptionField], locals_: list[LocalVar], answer: m.IrExpr) -> None:
        """Assigns the values that an answer encodes to the names."""
        rest = answer
        for n in range(len(slots) - 1, -1, -1):
            slot, variable = slots[n], self.w.fresh.local_name(locals_[n])
            value = rest if n == 0 else b.binary_op(rest, "%", slot.radix)
            if isinstance(slot.type, SetOf):
                value = b.call("unpacked", value)
            if isinstance(slot.type, BagOf):
                value = b.call("unrank_bag", value, len(self.x.model.enums[slot.type.of.name]))
            self.x.assign(variable, b.binary_op(value, "+", slot.low) if slot.low else value)
            if n:
                name = self.w.fresh.temp_name("a")
                self.x.assign(name, b.binary_op(rest, "//", slot.radix))
                rest = m.Var(name)
        for local in locals_:
            self.x.env.pop(local, None)
            self.r.track_live_local(local)

    def emit_deduplication(self, gens: Sequence[core.GeneratorBinding], target: str = "o") -> None:
        """Removes duplicate options. They can only come from lists and piles, which may contain a value twice."""
        if any(isinstance(gen.source.type, ListOf | PileOf)
               and not (isinstance(gen.source, core.PrimOp) and gen.source.op in ("..", "amounts")) for gen in gens):
            self.x.assign(target, b.call("list", b.call_method("dict", "fromkeys", target)))

    def emit_options(
        self,
        gens: Sequence[core.GeneratorBinding],
        conditions: Sequence[core.Expr],
        slots: list[OptionField],
        rest: Sequence[core.GeneratorBinding],
        rest_conditions: Sequence[core.Expr],
        offset: int = 0,
        target: str = "o",
    ) -> None:
        """Emits code that fills `target` with the codes of all combinations that meet the conditions.

        With `rest`, only combinations that can be completed by `rest` and `rest_conditions` count."""
        x = self.x
        locals_ = [gen.local for gen in gens]
        single = len(gens) == 1 and not rest and not offset and not slots[0].low and target == "o"
        single = single and not isinstance(slots[0].type, SetOf | BagOf)
        held_mask = self.find_option_mask(gens[0], conditions) if single else None
        if held_mask is not None:
            x.assign("o", b.iter_members(held_mask))
            return
        if single and self.try_emit_comprehension(gens[0], conditions):
            self.emit_deduplication(gens)
            return
        saved = dict(x.env)
        if not offset:
            x.assign(target, m.ListDisplay())
        levels = x.open_gens(gens, conditions)
        if rest:
            found = x.exists(rest, list(rest_conditions))
            x.code.enter_block(m.IfStmt(found))
            levels.append("if")
        x.emit(m.ExprStmt(b.call_method(target, "append", self.encode_option(slots, locals_, offset))))
        x.close_gens(levels)
        x.env = saved
        self.emit_deduplication(gens, target)

    def find_option_mask(self, gen: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> m.IrExpr | None:
        """Returns the options as a bitmask, if the position keeps it up to date or if masks answer all conditions."""
        x = self.x
        mask = self.w.upkeep.read_mask(x, gen, conditions)
        if mask is not None:
            return mask
        found = self.w.upkeep.holders.find_masked_scan(x, gen, conditions, whole=True)
        return x.temp(found.mask, "m") if found is not None else None

    def try_emit_comprehension(self, gen: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> bool:
        """Emits the options as one list comprehension. Returns False if that is not possible because steps are needed."""
        x = self.x
        found = gen.source.type
        if isinstance(found, OptionalOf) or not isinstance(found, SetOf | ListOf):
            return False
        if self.w.upkeep.holders.match_conditions(x, gen, conditions) or find_filters(x, gen, conditions, ()):
            return False
        variable = self.w.fresh.local_name(gen.local)
        saved = dict(x.env)
        source, lines = x.lower_iterable_aside(gen.source)
        x.env[gen.local] = m.Var(variable)
        tests = []
        for condition in conditions:
            value, more = x.lower_aside(condition)
            if more:
                x.env = saved
                return False
            tests.append(value)
        x.env = saved
        x.code.append_body(lines)
        x.assign("o", m.ListComp(m.Var(variable), (variable,), source, (b.conjunction(tests),) if tests else ()))
        return True


def find_max_subset_size(source: core.Expr) -> int | None:
    """Returns the maximum size of the sets in a list, if it is made by `subsets` with a known size. Otherwise None."""
    match source:
        case core.PrimOp(op="subsets", args=(_, core.Expr(type=Int(high=high)))):
            return high
    return None


def find_max_bag_size(source: core.Expr) -> int | None:
    """Returns the maximum size of the bags in a list that is made by `amounts`. None if it is not known."""
    match source:
        case core.PrimOp(op="amounts", args=(_, core.Expr(type=Int(high=high) | ListOf(of=Int(high=high))))):
            return None if high is None else max(0, high)
    return None
