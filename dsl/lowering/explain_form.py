"""The explain form: a second form of the module that finds out why something cannot be chosen.

It is compiled when somebody asks `why`. For each way to answer, it contains a function that tries one
candidate against each part of the rule and returns the part that fails.

Blocks, frames and states have the same slots as in the block form, so the functions work on positions of a
running game. Memoized values have different slots and are computed again. The block form does not depend on
this form and is not slowed down by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..analysis.information_flow import build_labels
from ..analysis.results import AnalysisResults, EntryKey
from ..analysis.visibility_rules import entry_key, find_guarded, is_own_secret
from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..core.walk import find_locals
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.metadata import AnswerPath, ConditionTest, OptionField
from .condition_probe import ConditionProbe
from .module import ModuleLowering
from .procedures import ProcedureLowering


class ExplainModuleLowering(ModuleLowering):
    """Compiles a module in the explain form."""

    def __init__(self, facts: AnalysisResults) -> None:
        super().__init__(facts)
        self.ways: dict[int, list[AnswerPath]] = {}                       # by the `id()` of the decision kind

    @property
    def procedure_class(self) -> type[ProcedureLowering]:
        """The class that compiles procedures in this form."""
        return ExplainProcedure


class ExplainProcedure(ProcedureLowering):
    """A procedure whose choices can be explained."""

    def __init__(self, writer: ModuleLowering, routine: Routine, member: int | None) -> None:
        super().__init__(writer, routine, member)
        self.choices = ExplainChoices(self)


class ExplainChoices(ConditionProbe):
    """Choices that also compile, for each way to answer, the function that tries a candidate."""

    def __init__(self, routine: ProcedureLowering) -> None:
        super().__init__(routine)
        self.ways: list[AnswerPath] = []
        self.chance = False
        self.who: Any = None                                       # the deciding seat, as owners of secrets name it

    # ------------------------------------------------------------ where the ordinary form collects options

    def choose_combination(self, node: core.ChooseStmt, *args: Any, **kwargs: Any) -> None:
        self.chance = node.is_chance
        self.set_decision_context(node)
        super().choose_combination(node, *args, **kwargs)
        self.chance = False

    def choose_set(self, node: core.ChooseStmt) -> None:
        self.set_decision_context(node)
        super().choose_set(node)

    def choose_from_menu_once(self, node: core.ChooseStmt, *args: Any) -> None:
        self.set_decision_context(node)
        self.ways = [self.compile_way(way.name, way.gens, way.where, (), (), way.cites or self.cites) for way in node.ways]
        super().choose_from_menu_once(node, *args)

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
        if self.r.asks and not self.chance:
            self.ways = [self.compile_way(None, gens, conditions, rest, rest_conditions, self.cites)]
        super().emit_options(gens, conditions, slots, rest, rest_conditions, offset, target)

    def choose_by_chance_with_body(self, node: core.ChooseStmt, body: core.Block) -> None:
        self.chance = True
        super().choose_by_chance_with_body(node, body)
        self.chance = False

    def add_decision(self, node: core.ChooseStmt, *args: Any, **kwargs: Any) -> Any:
        found = super().add_decision(node, *args, **kwargs)
        for way, choice in zip(self.ways, found.choices):
            way.slots = choice.slots
        self.w.ways[id(found)] = self.ways                         # type: ignore[attr-defined]
        return found

    def set_decision_context(self, node: core.ChooseStmt) -> None:
        """Sets the deciding seat and the clauses of the choice that is being compiled."""
        self.who = entry_key(node.by.who, self.w.program) if isinstance(node.by, core.SeatDecider) else None
        self.cites = node.cites or self.r.routine.cites

    # ------------------------------------------------------------ one way to answer

    def compile_way(
        self,
        entry: str | None,
        gens: Sequence[core.GeneratorBinding],
        conditions: Sequence[core.Expr],
        rest: Sequence[core.GeneratorBinding],
        rest_conditions: Sequence[core.Expr],
        cites: tuple[str, ...],
    ) -> AnswerPath:
        """Compiles the function for one way to answer.

        It tries the conditions in the order in which options are collected. Conditions that depend on hidden values
        come last, so that a public reason is reported if there is one."""
        x, r = self.x, self.r
        kept, env = r.save_insert_point(), dict(x.env)
        names = [f"w{n}" for n in range(len(gens))]
        code = FunctionBuilder(self.w.fresh.function_name("w", self.r.routine.name), ("s", "seen", *names))
        code.origin = x.code.origin
        self.w.functions.append(code)
        x.code, r.in_block = code, set()
        tests: list[ConditionTest] = []
        self.guards: set[tuple[str, EntryKey]] = set()
        waiting = sorted(conditions, key=self.is_hidden_from_decider)
        self.guards = find_guarded(gens, conditions, self.who, self.w.program, "!=")       # tested before anything that needs them
        later = [local for gen in [*gens, *rest] for local in gen.locals]
        self.try_ready_conditions(tests, waiting, later, 0, cites)
        for n, (gen, value) in enumerate(zip(gens, names), 1):
            x.env[gen.local] = m.Var(value)
            self.try_source(tests, gen, m.Var(value), n, cites)
            later = [local for local in later if local not in gen.locals]
            self.try_ready_conditions(tests, waiting, later, n, cites)
        if rest:
            self.try_completion(tests, rest, waiting + list(rest_conditions), len(gens), cites)
        else:
            x.emit(m.ReturnStmt(m.NoneConst()))
        x.env = env
        r.restore_insert_point(kept)
        return AnswerPath(entry, tests, [], code.name)

    def try_ready_conditions(
        self, tests: list[ConditionTest], waiting: list[core.Expr], later_locals: list[LocalVar], bound: int, cites: tuple[str, ...]
    ) -> None:
        """Tries the conditions whose names are all known by now, and removes them from `waiting`."""
        for condition in list(waiting):
            if self.has_any_name(condition, later_locals):
                continue
            waiting.remove(condition)
            if self.x.constant_of(condition):
                continue
            self.try_condition(tests, condition, (len(tests),), self.r.routine.path, cites, bound)

    def has_any_name(self, node: core.Expr, names: Iterable[LocalVar]) -> bool:
        """Whether an expression reads one of the names."""
        return not find_locals(node).isdisjoint(names)

    def is_hidden_from_decider(self, node: core.Expr) -> bool:
        """Whether the value of `node` reveals something that the deciding seat may not see just because it decides."""
        found = build_labels(self.w.facts.program, self.w.facts.effects, self.w.facts.secrecy).label(node)
        return not all(is_own_secret(secret, self.who, self.w.facts.program, self.guards) for secret in found)

    def try_source(
        self, tests: list[ConditionTest], gen: core.GeneratorBinding, value: m.IrExpr, bound: int, cites: tuple[str, ...]
    ) -> None:
        """Tries whether a value is in the set that its name is chosen from."""
        x, source = self.x, gen.source
        path = (len(tests),)
        things: m.IrExpr = m.NoneConst()
        if gen.number is not None:
            things = x.temp(b.call("list", x.lower_iterable(source)), "l")
            inside = b.binary_op(value, "in", things)
        elif isinstance(source, core.AllMembers):
            return
        else:
            inside = self.lower_membership(source, value)
        test = ConditionTest("source", source, self.r.routine.path, cites, bound, self.is_hidden_from_decider(source), name=gen.local.name)
        tests.append(test)
        with x.code.inside_block(m.IfStmt(b.logical_not(inside))):
            self.emit_operands(test, path)
            self.try_set_parts(test, source, value, path, 0)
            x.emit(m.ReturnStmt(b.literal_expr(path)))
        if gen.number is not None:
            x.env[gen.number] = x.temp(b.binary_op(b.call_method(things, "index", value), "+", 1), "i")

    def try_completion(
        self,
        tests: list[ConditionTest],
        rest: Sequence[core.GeneratorBinding],
        waiting: list[core.Expr],
        bound: int,
        cites: tuple[str, ...],
    ) -> None:
        """Tries whether the later groups can still be chosen. The first test that no combination passes is the one that
        fails."""
        x = self.x
        first, file = len(tests), self.r.routine.path
        later = [local for gen in rest for local in gen.locals]
        levels: list[str] = []
        saved = dict(x.env)
        x.assign("d", 0)

        def add_test(node: core.Expr, **more: Any) -> None:
            tests.append(ConditionTest("rest", node, file, cites, bound, self.is_hidden_from_decider(node), **more))

        def emit_progress() -> None:
            x.emit(m.IfStmt(b.binary_op("d", "<", len(tests) - first), [m.AssignStmt(("d",), m.IntConst(len(tests) - first))]))

        def open_ready_conditions() -> None:
            for condition in list(waiting):
                if self.has_any_name(condition, later) or x.constant_of(condition):
                    continue
                waiting.remove(condition)
                add_test(condition)
                x.open_conditions([condition], later, levels)
                emit_progress()

        for gen in rest:
            add_test(gen.source, name=gen.local.name)
            x.open_gen(gen, levels)
            later = [local for local in later if local not in gen.locals]
            emit_progress()
            open_ready_conditions()
        x.emit(m.ReturnStmt(m.NoneConst()))
        x.close_gens(levels)
        x.env = saved
        if levels:                                                 # without levels, a completion always exists
            x.emit(m.ReturnStmt(m.TupleDisplay((b.binary_op(first, "+", "d"),))))
