"""Choices in the block form: menus, groups of names, sets and repeated choices, and the stop at each decision.

The options and their codes come from `options.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..analysis.decision_points import decision_key
from ..core import nodes as core
from ..core.nodes import LocalVar
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.metadata import REMAINING, DecisionBranch, DecisionKind
from ..storage.control_slots import ANSWER, OPTIONS, PC, SEAT
from ..types.types import MemberOf, OptionalOf
from .options import OptionLowering


class ChoiceLowering(OptionLowering):
    """Compiles the `choose` statements of one procedure."""

    # ------------------------------------------------------------ parts

    def build_decision_key(self, label: str | None, name: str, repeated: bool) -> str:
        """Returns the key of a decision, such as `ask.planning.space`."""
        return decision_key(self.w.get_routine_key(self.r.routine, self.r.member), label, name, repeated)

    def add_decision(
        self, node: core.ChooseStmt, key: str, choices: list[DecisionBranch], optional: bool, repeated: bool = False
    ) -> DecisionKind:
        """Registers a kind of decision in the module and returns it. Sets the offsets of its branches."""
        offset = 0
        for choice in choices:
            choice.offset = offset
            offset += choice.size
        audience = self.w.facts.secrecy.audiences[node]
        found = DecisionKind(
            key, choices, optional, repeated, node.at.path, node.at.line, node.at.column, node.cites or self.r.routine.cites,
            self.r.routine.key, audience.secret, audience.shows,
        )
        self.w.decisions.append(found)
        return found

    def lower_seat(self, node: core.ChooseStmt) -> m.IrExpr:
        """Returns the number of the seat that decides. For a member that is no player, a state gives its player."""
        assert isinstance(node.by, core.SeatDecider)
        who = node.by.who
        found = who.type
        if isinstance(found, MemberOf) and found.name != "Player":
            state = self.w.program.states[self.x.model.enums[found.name].decides or ""]
            seat = self.x.temp(b.load_slot(self.x.address(state, [who])), "p")
            if isinstance(state.type, OptionalOf):
                self.x.emit(m.IfStmt(b.binary_op(seat, "<", 0), [m.ExprStmt(b.fault_call("F010"))]))
            return seat
        return self.x.lower(who)

    def emit_decision(self, node: core.ChooseStmt, decision: DecisionKind, options: str = "o") -> FunctionBuilder:
        """Emits the stop at a decision and continues in the block that receives the answer. Returns that block."""
        x = self.x
        after = self.r.new_block()
        seat = self.lower_seat(node)
        self.r.flush_locals()
        self.r.record_resume_point(after, decision)
        decision.scope = list(self.w.waits[self.w.get_block_number(after)].live)
        decision.revealed = frozenset(local.name for local in self.find_revealed_locals(node) if local in self.r.live)
        x.emit(b.store_slot(PC, self.w.get_block_number(after)))
        x.emit(b.store_slot(SEAT, seat))
        x.emit(b.store_slot(OPTIONS, options))
        x.emit(m.ReturnStmt(m.Var(options)))
        x.code.closed = True
        self.r.switch_to(after)
        return after

    def emit_if_no_options(self, to: Any) -> None:
        """Emits `to` for the case that there are no options."""
        self.emit_if(b.logical_not("o"), to)

    def emit_if(self, test: m.IrExpr, to: Callable[[], None]) -> None:
        """Emits `if test:` with the code that `to` writes. Emitting then continues after it, as if `to` had not run."""
        kept = self.r.save_insert_point()
        self.x.code.enter_block(m.IfStmt(test))
        to()
        self.r.restore_insert_point(kept)

    # ------------------------------------------------------------ one choice

    def find_revealed_locals(self, node: core.ChooseStmt) -> frozenset[LocalVar]:
        """Returns the names that are no longer secret once the choice has been made."""
        return self.w.facts.secrecy.audiences[node].revealed

    def split_conditions(self, node: core.ChooseStmt) -> list[list[core.Expr]]:
        """Returns the conditions of a choice by group: each one with the first group after which all its names are
        known."""
        way = node.ways[0]
        found: list[list[core.Expr]] = [[] for _ in way.groups]
        for condition in way.where:
            at = len(way.groups) - 1
            while at > 0 and not self.r.has_names_of(condition, way.groups[at]):
                at -= 1
            found[at].append(condition)
        return found

    def choose_combination(self, node: core.ChooseStmt, optional: bool, nothing: Any, declined: Any, repeated: bool = False) -> None:
        """Emits the choice of one combination, group after group. Afterwards the names have its values.

        `nothing` writes what happens if there are no options, `declined` what happens if the player declines."""
        x = self.x
        groups = node.ways[0].groups
        conditions = self.split_conditions(node)
        if node.is_chance:
            self.choose_by_chance(groups, conditions, nothing)
            return
        for n, group in enumerate(groups):
            rest = [gen for later in groups[n + 1 :] for gen in later]
            rest_conditions = [c for later in conditions[n + 1 :] for c in later]
            locals_ = [gen.local for gen in group]
            slots = [self.build_slot(gen, self.find_revealed_locals(node)) for gen in group]
            self.emit_options(group, conditions[n], slots, rest, rest_conditions)
            if n == 0 and nothing is not None:
                self.emit_if_no_options(nothing)
            if n == 0 and optional:
                x.assign("o", m.ListDisplay((m.StarredExpr(m.Var("o")), m.IntConst(-1))))
            key = self.build_decision_key(node.label, group[0].local.name, len(groups) > 1)
            self.emit_decision(node, self.add_decision(node, key, [DecisionBranch(None, slots)], optional and n == 0, repeated))
            x.assign("a", b.load_slot(ANSWER))
            if n == 0 and optional:
                self.emit_if(b.binary_op("a", "<", 0), declined)
            self.emit_decoding(slots, locals_, m.Var("a"))

    def choose_by_chance(self, groups: Sequence[Sequence[core.GeneratorBinding]], conditions: list[list[core.Expr]], nothing: Any) -> None:
        """Emits a choice that chance makes, group after group."""
        x = self.x
        for group, tests in zip(groups, conditions):
            locals_ = [gen.local for gen in group]
            slots = self.build_chance_slots(group)
            self.emit_options(group, tests, slots, [], [])
            if nothing is not None:
                self.emit_if_no_options(nothing)
            x.assign("a", b.call("chance", b.POSITION, "o", self.get_chance_kind(locals_)))
            self.emit_decoding(slots, locals_, m.Var("a"))

    def choose(self, node: core.ChooseStmt) -> None:
        """Compiles a `choose` statement: a menu, a choice without a body, or one with a body."""
        if node.is_menu:
            self.choose_from_menu(node)
        elif node.ways[0].body is None:
            self.choose_without_body(node)
        else:
            self.choose_with_body(node, node.ways[0].body)

    def choose_without_body(self, node: core.ChooseStmt) -> None:
        """Compiles a choice without a body: the names hold in the rest of the procedure."""
        if node.how is not None and node.how.is_set:
            self.choose_set(node)
            return
        stop = self.r.emit_exit if node.stop else None
        self.choose_combination(node, node.may, stop, self.r.emit_exit)

    def get_chance_kind(self, locals_: list[LocalVar]) -> int:
        """Returns the number of the kind of chance, as the log records it."""
        secret = any(self.w.facts.secrecy.secrets_of(local) for local in locals_)
        return self.w.register_chance_kind(locals_[0].type if len(locals_) == 1 else None, secret)

    def choose_with_body(self, node: core.ChooseStmt, body: core.Block) -> None:
        """Compiles a choice with a body: the names hold only there."""
        how = node.how
        if how is not None and how.is_set:
            with self.r.scope():
                self.choose_set(node)
                self.r.lower_block(body)
            return
        if how is not None:
            self.choose_repeatedly(
                how, lambda out: self.choose_combination(node, how.kind == "up to times", out, out, True), lambda: self.r.lower_block(body)
            )
            return
        if node.is_chance and not self.r.may_ask(node):
            self.choose_by_chance_with_body(node, body)
            return
        self.r.flush_locals()
        other, after = self.r.new_block(), self.r.new_block()
        out = lambda: self.r.emit_jump(other)  # noqa: E731
        with self.r.scope():
            self.choose_combination(node, node.may, out, out)
            self.r.lower_block(body)
        self.r.emit_jump(after)
        self.r.switch_to(other)
        if node.otherwise is not None:
            self.r.lower_block(node.otherwise.body)
        self.r.emit_jump(after)
        self.r.switch_to(after)

    def choose_by_chance_with_body(self, node: core.ChooseStmt, body: core.Block) -> None:
        """Compiles a chance result with a body in a procedure that never asks, so that no new block is needed."""
        x = self.x
        gens = node.ways[0].gens
        slots = self.build_chance_slots(gens)
        self.emit_options(gens, node.ways[0].where, slots, [], [])
        there = m.IfStmt(m.Var("o"))
        with self.r.scope(), x.code.inside_block(there):
            x.assign("a", b.call("chance", b.POSITION, "o", self.get_chance_kind([gen.local for gen in gens])))
            self.emit_decoding(slots, [gen.local for gen in gens], m.Var("a"))
            self.r.lower_block(body)
            x.code.closed = False
        if node.otherwise is not None:
            with x.code.else_block(there):
                self.r.lower_block(node.otherwise.body)
                x.code.closed = False

    def choose_repeatedly(self, cardinality: core.ChoiceCardinality, choose: Any, body: Any) -> None:
        """Emits a choice that repeats, with new options each time.

        It ends when the count is reached, when there are no options left, or when the player stops."""
        x = self.x
        assert cardinality.count is not None
        with self.r.scope():
            slot, head, after = self.r.open_counted_loop(x.lower(cardinality.count))
            out = lambda: self.r.emit_jump(after)  # noqa: E731
            with self.r.scope():
                choose(out)
                x.emit(m.AugAssign(b.load_slot(slot), "-=", m.IntConst(1)))
                body()
            self.r.emit_loop_back(head)
        self.r.switch_to(after)

    # ------------------------------------------------------------ a set of things

    def choose_set(self, node: core.ChooseStmt) -> None:
        """Compiles `exactly n x in S`: the elements are chosen one after the other, in any order.

        The frame contains the rest of S and the elements taken so far. Two orders of the same elements therefore lead
        to equal positions. If all remaining elements must be taken, only the first of them is offered."""
        x = self.x
        gen, result, how = node.ways[0].gens[0], node.result, node.how
        assert result is not None and how is not None
        exact = how.kind == "exactly"
        x.assign(self.w.fresh.local_name(result), 0)
        self.r.track_live_local(result)
        with self.r.scope():
            things, left = self.r.add_hidden_local(REMAINING, "list"), self.r.add_hidden_local("left")
            at, count = (m.FrameAddr(self.r.slots[h]) for h in (things, left))
            slots = [self.build_slot(gen, self.find_revealed_locals(node))]
            self.emit_options([gen], node.ways[0].where, slots, [], [])
            x.assign("o", b.call("tuple", "o"))
            x.emit(b.store_slot(at, "o"))
            size = b.call("len", "o")
            wanted = size if how.count is None else x.temp(x.lower(how.count))
            x.emit(b.store_slot(count, m.IfExpr(b.binary_op(wanted, "<", size), wanted, size)))
            head, after = self.r.open_loop()
            for name, where in (("n", count), ("l", at)):
                x.assign(name, b.load_slot(where))
            self.r.emit_loop_exit(b.binary_op("n", "<=", 0), after)
            x.assign("o", self.build_set_options("l", "n", exact))
            key = self.build_decision_key(node.label, gen.local.name, False)
            self.emit_decision(node, self.add_decision(node, key, [DecisionBranch(None, slots)], not exact, True))
            x.assign("a", b.load_slot(ANSWER))
            if not exact:
                self.emit_if(b.binary_op("a", "<", 0), lambda: self.r.emit_jump(after))
            self.r.store_local(result, b.binary_op(self.r.read_local(result), "|", b.bit_mask("a")))
            x.assign("o", self.exclude_answer(b.load_slot(at)))
            x.emit(b.store_slot(at, b.call("tuple", "o")))
            x.emit(m.AugAssign(b.load_slot(count), "-=", m.IntConst(1)))
            self.r.emit_loop_back(head)
        self.r.switch_to(after)

    def build_set_options(self, things: str, left: str, exact: bool) -> m.IrExpr:
        """Returns the options while a set is chosen: the elements that are not taken yet.

        `left` is the variable with the number of elements that may or must still be taken."""
        listed = m.Var(things)
        if not exact:
            return m.ListDisplay((m.StarredExpr(listed), m.IntConst(-1)))
        every = b.call("list", listed)
        return m.IfExpr(b.binary_op(left, "<", b.call("len", things)), every, b.call("list", m.SliceExpr(listed, None, m.IntConst(1))))

    def exclude_answer(self, things: m.IrExpr) -> m.IrExpr:
        """Returns the elements that remain after the one in `a` was taken."""
        one = self.w.fresh.temp_name("t")
        return m.ListComp(m.Var(one), (one,), things, (b.binary_op(one, "!=", "a"),))

    # ------------------------------------------------------------ menus

    def choose_from_menu(self, node: core.ChooseStmt) -> None:
        """Compiles a menu: a choice between named alternatives, each with its own body."""
        how = node.how
        if how is not None:
            self.choose_from_menu_repeatedly(node, how)
            return
        self.r.flush_locals()
        other, after = self.r.new_block(), self.r.new_block()
        out = lambda: self.r.emit_jump(other)  # noqa: E731
        self.choose_from_menu_once(node, node.may, out, lambda: self.r.emit_jump(after), False)
        self.r.switch_to(other)
        if node.otherwise is not None:
            self.r.lower_block(node.otherwise.body)
        self.r.emit_jump(after)
        self.r.switch_to(after)

    def choose_from_menu_repeatedly(self, node: core.ChooseStmt, cardinality: core.ChoiceCardinality) -> None:
        """Compiles a menu that is offered several times."""
        x = self.x
        assert cardinality.count is not None
        with self.r.scope():
            slot, head, after = self.r.open_counted_loop(x.lower(cardinality.count))
            x.emit(m.AugAssign(b.load_slot(slot), "-=", m.IntConst(1)))
            self.choose_from_menu_once(
                node, cardinality.kind == "up to times", lambda: self.r.emit_jump(after), lambda: self.r.emit_loop_back(head), True
            )
        self.r.switch_to(after)

    def choose_from_menu_once(self, node: core.ChooseStmt, optional: bool, out: Any, done: Any, repeated: bool) -> None:
        """Emits one choice from a menu and the bodies of its alternatives.

        `out` writes what happens without a choice, `done` what follows each body."""
        x = self.x
        choices, named = [], []
        offset = 0
        x.assign("o", m.ListDisplay())
        for way in node.ways:
            locals_ = [gen.local for gen in way.gens]
            slots = [self.build_slot(gen, self.find_revealed_locals(node)) for gen in way.gens]
            choice = DecisionBranch(way.name, slots)
            saved = dict(x.env)
            levels = x.open_gens(way.gens, way.where)
            x.emit(m.ExprStmt(b.call_method("o", "append", self.encode_option(slots, locals_, offset))))
            x.close_gens(levels)
            x.env = saved
            self.emit_deduplication(way.gens)
            choices.append(choice)
            named.append((way, slots, locals_, offset))
            offset += choice.size
        self.emit_if_no_options(out)
        if optional:
            x.emit(m.ExprStmt(b.call_method("o", "append", -1)))
        names = "/".join(way.name or "" for way in node.ways)
        decision = self.add_decision(node, self.build_decision_key(node.label, names, False), choices, optional, repeated)
        self.emit_decision(node, decision)
        x.assign("a", b.load_slot(ANSWER))
        if optional:
            self.emit_if(b.binary_op("a", "<", 0), out)
        for n, (way, slots, locals_, start) in enumerate(named):
            last = n == len(named) - 1
            kept = self.r.save_insert_point()
            if not last:
                x.code.enter_block(m.IfStmt(b.binary_op("a", "<", start + choices[n].size)))
            with self.r.scope():
                self.emit_decoding(slots, locals_, b.binary_op("a", "-", start) if start else m.Var("a"))
                self.r.lower_block(way.body or ())
            done()
            if not last:
                self.r.restore_insert_point(kept)
