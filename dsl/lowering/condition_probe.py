"""Finds the part of a condition that fails: inside the defs and sets that the condition is made of.

The explain form (`explain_form.py`) contains this code after each test, so that it runs only if the test
fails."""

from __future__ import annotations

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..core.walk import negate, split_conjuncts, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.metadata import ConditionTest, ExplainOperand, TestKind
from ..types.types import BagOf, Bool, Int, MemberOf, OptionalOf, SetOf
from .choices import ChoiceLowering

MAX_DEF_DEPTH = 3                             # nested defs that are opened


class ConditionProbe(ChoiceLowering):
    """Choices that can examine a condition.

    The path to a test is a tuple: the number of a test, then the number of a part of it, and so on."""

    def is_hidden_from_decider(self, node: core.Expr) -> bool:
        """Whether the value of `node` reveals something that the deciding seat may not see."""
        raise NotImplementedError

    def try_condition(
        self,
        tests: list[ConditionTest],
        node: core.Expr,
        path: tuple[int, ...],
        file: str,
        cites: tuple[str, ...],
        bound: int,
        depth: int = 0,
    ) -> None:
        """Adds a test of a condition. If it fails, the code examines its parts and returns the path of the test."""
        x = self.x
        test = ConditionTest("condition", node, file, cites, bound, not depth and self.is_hidden_from_decider(node))
        tests.append(test)
        with x.code.inside_block(m.IfStmt(b.logical_not(x.lower(node)))):
            self.emit_operands(test, path)
            self.try_parts(test, path, depth)
            x.emit(m.ReturnStmt(b.literal_expr(path)))

    def emit_operands(self, test: ConditionTest, path: tuple[int, ...]) -> None:
        """Emits code that records the current values of the operands of a failed test.

        * Comparison or span: the values of both sides, unless they are constants.
        * Set membership: the content of the set.
        * `all(x in s: ...)` and `not any(x in s where ...)`: the first x that violates it."""
        x, node = self.x, test.node
        match node:
            case core.PrimOp(op="==" | "!=" | "<" | "<=" | ">" | ">=" | "..", args=sides):
                pass
            case core.Fold(kind="all"):
                self.emit_witness(test, node, [*node.where, negate(node.value)] if node.value is not None else [], path, "condition")
                return
            case core.PrimOp(op="not", args=(core.Fold(kind="any") as fold,)):
                self.emit_witness(test, fold, [*fold.where, *split_conjuncts(fold.value)], path, "holds")
                return
            case core.PrimOp(op="in" | "not in", args=(_, group)) if isinstance(group.type, SetOf):
                self.emit_set_value(test, group, path)
                return
            case _ if test.kind == "source" and isinstance(node.type, SetOf):
                self.emit_set_value(test, node, path)
                return
            case _:
                return
        told = [side for side in sides if x.constant_of(side) is None and not isinstance(side, core.EmptyLiteral)
                and isinstance(side.type, Int | MemberOf | Bool | OptionalOf)]
        if told:
            test.sides = [ExplainOperand(side, side.type) for side in told]
            self.emit_seen(path, m.TupleDisplay(tuple(x.lower(side) for side in told)))

    def emit_set_value(self, test: ConditionTest, group: core.Expr, path: tuple[int, ...]) -> None:
        """Emits code that records the content of a set after a failed membership test."""
        test.sides = [ExplainOperand(group, group.type)]
        self.emit_seen(path, m.TupleDisplay((self.x.lower(group),)))

    def emit_witness(
        self, test: ConditionTest, fold: core.Fold, conditions: list[core.Expr], path: tuple[int, ...], kind: TestKind
    ) -> None:
        """Emits code that records the first combination that meets all `conditions`.

        If the fold calls a def with an entry for each member, the test also gets the entry that decides for each
        member."""
        x, saved = self.x, dict(self.x.env)
        found = self.w.fresh.temp_name("w")
        x.assign(found, m.NoneConst())
        levels = x.open_gens(fold.gens, conditions)
        x.assign(found, m.TupleDisplay(tuple(x.read_local(gen.local) for gen in fold.gens)))
        if "for" in levels:
            x.emit(m.BreakStmt())
        there = b.binary_op(found, "is not", m.NoneConst())
        x.close_gens(levels, there)
        x.env = saved
        with x.code.inside_block(m.IfStmt(there)):
            self.emit_seen(path, m.Var(found))
        test.sides = [ExplainOperand(gen, gen.local.type, gen.local.name) for gen in fold.gens]
        for name in find_case_families(fold, fold.gens[0].local):
            use = self.w.program.families[name]
            for member in range(len(self.w.program.model.enums[use.domain or ""])):
                routine = use.entry(member)
                if routine is not None and routine.value is not None:
                    cites = routine.value_cites or routine.cites
                    test.cases[member] = ConditionTest(kind, routine.value, routine.path, cites, test.bound)

    def emit_seen(self, path: tuple[int, ...], values: m.IrExpr) -> None:
        """Emits code that records the values of the operands of the test at this path."""
        self.x.emit(m.ExprStmt(b.call_method("seen", "append", m.TupleDisplay((b.literal_expr(path), values)))))

    def lower_membership(self, source: core.Expr, value: m.IrExpr) -> m.IrExpr:
        """Returns a condition: the value is one of those that a name chosen from `source` takes."""
        x = self.x
        if isinstance(source.type, OptionalOf):
            return b.binary_op(value, "==", x.lower(source))
        base = x.find_bag_address(source) if isinstance(source.type, BagOf) else None
        if base is not None:
            return b.load_slot(b.binary_op(base, "+", value))
        return b.binary_op(value, "in", x.lower_iterable(source))

    def try_parts(self, test: ConditionTest, path: tuple[int, ...], depth: int) -> None:
        """Tries the parts of a failed condition: those of the def that it calls, or of the set that must contain a
        value."""
        node = test.node
        if isinstance(node, core.PrimOp) and node.op in ("in", "not in"):
            item, group = node.args
            if node.op == "in" and isinstance(group.type, SetOf):
                saved = dict(self.x.env)
                value = self.x.temp(self.x.lower(item))
                self.try_set_parts(test, group, value, path, depth)
                self.x.env = saved
            return
        found = self.open_def(node)
        if found is None or depth >= MAX_DEF_DEPTH:
            return
        routine, env = found
        saved, self.x.env = self.x.env, env
        rows: list[tuple[core.Expr | None, tuple[str, ...]]] = [(c.test, c.cites) for c in routine.conditions]
        for expr, cited in rows or [(routine.value, routine.value_cites)]:
            cites = cited or routine.cites or test.cites
            for part in split_conjuncts(expr):
                if not self.x.constant_of(part):
                    self.try_condition(test.parts, part, (*path, len(test.parts)), routine.path, cites, test.bound, depth + 1)
        self.x.env = saved

    def open_def(self, node: core.Node) -> tuple[Routine, dict[LocalVar, m.IrExpr]] | None:
        """Returns the def that an expression calls, with the environment for its parameters. None if it calls no known
        def."""
        x = self.x
        if not isinstance(node, core.CallDef):
            return None
        known = x.constant_of(node.case) if node.case is not None else None
        if node.case is not None and known is None:
            return None
        routine = self.w.program.families[node.family].entry(known)
        if routine is None:
            return None
        values = [x.temp(x.lower(argument)) for argument in node.args]
        env = dict(x.env) | dict(zip(routine.params, values))
        if routine.case is not None and known is not None:
            env[routine.case] = m.IntConst(known)
        return routine, env

    def try_set_parts(
        self, test: ConditionTest, source: core.Expr, value: m.IrExpr, path: tuple[int, ...], depth: int, file: str = ""
    ) -> None:
        """Tries the conditions that exclude a value from a set: both sides of `a & b`, `a - b` and `a + b`, and the
        conditions of `set(x in s where ...)`."""
        x = self.x
        file = file or test.path
        if isinstance(source, core.PrimOp) and isinstance(source.type, SetOf) and source.op in ("&", "-"):
            left, right = source.args
            self.try_membership(test, left, value, path, file, test.cites, depth)
            self.try_membership(test, right, value, path, file, test.cites, depth, negated=source.op == "-")
            return
        if isinstance(source, core.PrimOp) and isinstance(source.type, SetOf) and source.op == "+":
            for side in source.args:
                self.try_union_side(test, side, value, path, depth)
            return
        if isinstance(source, core.Fold) and source.kind in ("set", "list"):
            gen = source.gens[0]
            if source.value is not None or len(source.gens) > 1 or gen.number is not None:
                self.try_comprehension(test, source, value, path, file)
                return
            saved = dict(x.env)
            x.env[gen.local] = value
            if not isinstance(gen.source, core.AllMembers):
                self.try_membership(test, gen.source, value, path, file, test.cites, depth)
            for part in source.where:
                if not x.constant_of(part):
                    self.try_condition(test.parts, part, (*path, len(test.parts)), file, test.cites, test.bound, depth + 1)
            x.env = saved
            return
        found = self.open_def(source) if depth < MAX_DEF_DEPTH else None
        if found is not None and found[0].value is not None:
            routine, env = found
            cites = routine.value_cites or routine.cites or test.cites
            saved, x.env = x.env, env
            before, test.cites = test.cites, cites
            assert routine.value is not None
            self.try_set_parts(test, routine.value, value, path, depth + 1, routine.path)
            test.cites, x.env = before, saved

    def try_union_side(self, test: ConditionTest, source: core.Expr, value: m.IrExpr, path: tuple[int, ...], depth: int) -> None:
        """Tries one side of `a + b`: finds the condition that excludes the value from that side."""
        part = ConditionTest("source", source, test.path, test.cites, test.bound, name=test.name)
        place = (*path, len(test.parts))
        test.parts.append(part)
        saved, file, deeper = dict(self.x.env), test.path, source
        found = self.open_def(source) if depth < MAX_DEF_DEPTH else None
        if found is not None and found[0].value is not None:
            deeper, file = found[0].value, found[0].path
            self.x.env = found[1]
            part.cites = found[0].value_cites or part.cites
        if isinstance(deeper, core.Fold) and deeper.kind in ("set", "list"):
            self.try_comprehension(part, deeper, value, place, file)
        self.x.env = saved

    def try_comprehension(self, test: ConditionTest, fold: core.Fold, value: m.IrExpr, path: tuple[int, ...], file: str) -> None:
        """Tries `set(x in s, y in t(x) where ...: v)`: if the set could produce the value, finds the condition that
        stops it.

        The reported test is the one that the value came furthest to, over all combinations."""
        x = self.x
        saved = dict(x.env)
        levels: list[str] = []
        reached = self.w.fresh.temp_name("d")
        x.assign(reached, 0)
        for gen in fold.gens:
            x.open_gen(gen, levels)
        last = x.lower(fold.value) if fold.value is not None else x.read_local(fold.gens[-1].local)
        x.code.enter_block(m.IfStmt(b.binary_op(last, "==", value)))
        levels.append("if")
        waiting = [part for part in fold.where if not x.constant_of(part)]
        first = len(test.parts)
        for n, part in enumerate(waiting, 1):
            x.emit(m.IfStmt(b.binary_op(reached, "<", n), [m.AssignStmt((reached,), m.IntConst(n))]))
            test.parts.append(ConditionTest("condition", part, file, test.cites, test.bound))
            x.code.enter_block(m.IfStmt(x.lower(part)))
            levels.append("if")
        x.close_gens(levels)
        x.env = saved
        if waiting:
            last_test = m.TupleDisplay((*(m.IntConst(n) for n in path), b.binary_op(first - 1, "+", reached)))
            x.emit(m.IfStmt(m.Var(reached), [m.ReturnStmt(last_test)]))

    def try_membership(
        self,
        test: ConditionTest,
        source: core.Expr,
        value: m.IrExpr,
        path: tuple[int, ...],
        file: str,
        cites: tuple[str, ...],
        depth: int,
        negated: bool = False,
    ) -> None:
        """Adds a test that `source` contains the value (or, if `negated`, does not). If it fails, examines the set."""
        x = self.x
        if isinstance(source, core.AllMembers) and not negated:
            return
        part = ConditionTest("source", source, file, cites, test.bound, name=test.name, negated=negated)
        place = (*path, len(test.parts))
        test.parts.append(part)
        inside = self.lower_membership(source, value)
        with x.code.inside_block(m.IfStmt(inside if negated else b.logical_not(inside))):
            if not negated:
                self.emit_operands(part, place)
                self.try_set_parts(part, source, value, place, depth + 1)
            x.emit(m.ReturnStmt(b.literal_expr(place)))


def find_case_families(node: core.Node, local: LocalVar) -> list[str]:
    """Returns the families of defs that `node` calls for the entry of `local`: `fits[thing](...)`."""
    cases = {part: part.case for part in walk(node) if isinstance(part, core.CallDef)}
    return [part.family for part, case in cases.items() if isinstance(case, core.LocalRef) and case.local is local]
