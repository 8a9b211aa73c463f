"""Translates IR functions to C functions. Each statement is preceded by the line of its rule (`#line`)."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import nodes as m
from ..ir.infer import FunctionKinds, InferencePass, is_never_true, is_unwatched_slot
from ..ir.program import LazyTable
from ..ir.traversal import child_blocks, iter_statements
from ..ir.value_types import JUMP, MASK, MEMBERS, WORD, JumpKind, ListKind, MapKind, NoneKind, SetKind, UnsupportedConstructError
from ..types.types import MemberOf
from .expressions import CExpressionWriter
from .loop_idioms import constant_set_rows, match_set_insertion, match_subset_search
from .protocols import CProgramApi
from .types import c_type_name, kind_tag


class CFunctionWriter:
    """Translates one function."""

    def __init__(self, module: CProgramApi, found: InferencePass) -> None:
        self.module = module
        self.function: FunctionKinds = found.f
        self.kinds = found.k
        self.x = CExpressionWriter(module, found)
        self.lines: list[str] = []
        self.is_trial = False                                         # it tries a procedure and restores the position
        self.filled = {
            grown[0] for node in iter_statements(self.function.code.body) if (grown := self.match_member_append(node)) is not None
        }
        self.ends: list[str | None] = []                           # for each enclosing loop with an `other` block: the label after it

    def prototype(self) -> str:
        """Returns the signature of the function."""
        f = self.function
        params = [f"{self.module.types.declare_type(f.variables[param])} v_{param}" for param in f.code.params[1:]]
        return f"static {self.result} f_{f.code.name}({', '.join(['lg_context *g', *params])})"

    @property
    def result(self) -> str:
        return self.module.types.declare_type(self.function.result)

    def write(self) -> str:
        """Returns the C text of the whole function."""
        f = self.function
        self.write_member_checks(f.code.params)
        self.write_block(f.code.body)
        variables = [f"{self.module.types.declare_type(kind)} v_{name} = {'0' if kind_tag(kind) == 'w' else '{0}'}; (void)v_{name};"
                     for name, kind in f.variables.items() if name not in f.code.params]
        return "\n".join([f"LG_MAYBE {self.prototype()} {{", *variables, *self.lines, f"return ({self.result}){{0}};", "}"])

    def emit(self, *lines: str) -> None:
        self.lines += lines

    def write_block(self, body: m.Body) -> None:
        for node in body:
            if node.origin is not None:
                path = node.origin[0].replace("\\", "/").replace('"', "'")
                self.emit(f'#line {max(node.origin[1], 1)} "{path}"')
            self.write_statement(node)

    def write_assignment(self, names: tuple[str, ...], value: m.IrExpr) -> None:
        variables = self.function.variables
        if len(names) == 1:
            wanted = variables[names[0]]
            if value == m.ListDisplay() and names[0] in self.filled:
                self.emit(f"v_{names[0]} = lg_roomy(X);")
                return
            if self.x.kind_of(value, {}) is None:                     # it never returns
                self.emit(f"{self.x.render(value, {})};")
                return
            self.emit(f"v_{names[0]} = {self.x.render_as(value, None if isinstance(wanted, NoneKind) else wanted, {})};")
            if is_certain_member(value):
                self.write_member_checks(names)
            return
        kind = self.x.kind_of(value, {})
        self.emit(*self.x.unpack_lines([f"v_{name}" for name in names], list(names), self.x.render(value, {}), kind))

    def write_member_checks(self, names: Sequence[str]) -> None:
        """Emits range checks for variables that were just assigned, if the rules declare them as members of an enum."""
        for name in names:
            local = self.module.machine.names.get(name)
            if local is None or not isinstance(local.type, MemberOf) or self.function.variables[name] != WORD:
                continue
            enum = self.module.machine.layout.model.enum_of(local.type.name)
            if enum is not None and enum.kind != "open":
                self.emit(f"lg_member(X, v_{name}, {len(enum)});")

    def write_store(self, at: m.IrExpr, value: m.IrExpr) -> None:
        if is_unwatched_slot(at):
            return
        space, _ = self.x.found.locate_slot(at)
        if space.lapses:
            self.emit(f"{self.x.slot_target(at, {}, 'h')} = {int(value != m.NoneConst())};")
            if value == m.NoneConst():
                return
        self.emit(self.slot_assignment(at, self.x.render_as(value, space.kind, {})))

    def slot_assignment(self, at: m.IrExpr, value: str) -> str:
        """Returns the assignment of a value to a slot, which may have a narrow type."""
        space, _ = self.x.found.locate_slot(at)
        small = self.module.find_narrow_type(space)
        return f"{self.x.slot_target(at, {})} = {value if small is None else f'lg_small(X, {small}, {value})'};"

    def write_statement(self, node: m.IrStmt) -> None:
        x = self.x
        match node:
            case m.AssignStmt(names=("s",)):
                self.is_trial = True
                self.emit(f"LG_HOLD_{self.function.code.name}")
            case m.AssignStmt(names=names, value=value):
                self.write_assignment(names, value)
            case m.StoreSlot(at=ats, value=value):
                for at in ats:
                    self.write_store(at, value)
            case m.StoreSlots(
                low=m.IntConst(value=low), high=m.IntConst(value=high), value=m.SliceExpr(things=m.ConstantRef(name="FIRST"))
            ):
                kind = x.found.locate_slot(m.IntConst(low))[0].kind
                for n, first in enumerate(self.module.machine.initial[low:high], low):
                    nothing = isinstance(kind, MapKind) and not first
                    self.emit(
                        self.slot_assignment(
                            m.IntConst(n), f"({c_type_name(kind)}){{0}}" if nothing else self.module.literal_text(first, kind)
                        )
                    )
            case m.StoreSlots(low=low, high=high, value=value):
                count = x.render_offset(m.BinaryOp(high, "-", low), {})
                things, first = ListKind(self.x.found.locate_slot(low)[0].kind), x.slot_target(low, {})
                self.emit(f"{{ {c_type_name(things)} q = {x.render_as(value, things, {})}; if (q.n != {count}) lg_leave(X, LG_ODD);",
                          f"__typeof__(&{first}) w = &{first}; for (i64 n = 0; n < q.n; n++) w[n] = q.v[n]; }}")
            case m.AugAssign(target=target):
                kind = self.function.variables[target.name] if isinstance(target, m.Var) else self.x.found.locate_slot(target.at)[0].kind
                changed = x.render_as(node.computed_value, kind, {})
                self.emit(f"v_{target.name} = {changed};" if isinstance(target, m.Var) else self.slot_assignment(target.at, changed))
            case m.LoadMemo():
                self.write_memo_load(node)
            case m.IfStmt(test=test, body=body, other=other):
                self.write_if(test, body, other)
            case m.ForStmt():
                self.write_loop(node)
            case m.WhileStmt(test=test, body=body):
                self.emit(f"while ({x.render_truth(test, {})}) {{")
                self.ends.append(None)
                self.write_block(body)
                self.ends.pop()
                self.emit("}")
            case m.BreakStmt():
                end = self.ends[-1]
                self.emit("break;" if end is None else f"goto {end};")
            case m.ContinueStmt():
                self.emit("continue;")
            case m.ReturnStmt(value=value):
                self.write_return(value)
            case m.ExprStmt(call=m.MethodCall(thing=m.Var(name=name), name="append", args=(item,))):
                grown = self.function.variables[name]
                if not isinstance(grown, ListKind):
                    raise UnsupportedConstructError("an entry more of something that is no list")
                self.emit(f"lg_push_{kind_tag(grown)}(X, &v_{name}, {x.render_as(item, grown.of, {})});")
            case m.ExprStmt(call=m.MethodCall(thing=m.Var(name=name), name="add", args=(item,))):
                made = self.function.variables[name]
                if not isinstance(made, SetKind):
                    raise UnsupportedConstructError("a thing more in something that is no set")
                x.module.types.declare_type(made)
                self.emit(f"lg_add_{kind_tag(made)}(X, &v_{name}, {x.render_as(item, made.of, {})});")
            case m.ExprStmt(call=call):
                self.emit(f"{x.render(call, {})};")
            case _:
                raise UnsupportedConstructError(type(node).__name__)

    def write_if(self, test: m.IrExpr, body: m.Body, other: m.Body) -> None:
        if is_never_true(test):
            self.write_block(other)
            return
        self.emit(f"if ({self.x.render_truth(test, {})}) {{")
        self.write_block(body)
        if other:
            self.emit("} else {")
            self.write_block(other)
        self.emit("}")

    def write_memo_load(self, node: m.LoadMemo) -> None:
        x = self.x
        if isinstance(node.at, m.IndexExpr):
            assert isinstance(node.at.things, m.ConstantRef)
            name = node.at.things.name
            once = self.module.machine.values[name]
            assert isinstance(once, LazyTable) and node.name is not None
            kind = self.kinds.once[name]
            own = kind_tag(kind)
            k = self.module.next_number()
            self.emit(
                f"{{ i64 n{k} = lg_at(X, {x.render_word(node.at.index, {})}, {once.size});",
                f"if (LG_SELDOM(!g->h{name}[n{k}])) {{ g->o{name}[n{k}] = lg_keep_{own}(X, {x.render_as(node.compute_call, kind, {})}); "
                f"g->h{name}[n{k}] = 1; }}",
                f"v_{node.name} = g->o{name}[n{k}]; }}",
            )
            return
        space, _ = self.x.found.locate_slot(node.at)
        place, there = x.slot_reference(node.at, {}), x.slot_reference(node.at, {}, "h")
        if not self.module.is_always_present(space):
            target, has_value = x.slot_target(node.at, {}), x.slot_target(node.at, {}, "h")
            self.emit(f"if (!{there}) {{ {target} = {x.render_as(node.compute_call, space.kind, {})}; {has_value} = 1; }}")
        if node.name is not None:
            self.emit(f"v_{node.name} = {place};")

    def match_member_append(self, node: m.IrStmt) -> tuple[str, m.IrExpr, m.IrExpr] | None:
        """Matches a loop that only appends the members of a set to a list, each with a constant offset. Returns the
        list, the offset and the set."""
        match node:
            case m.ForStmt(names=(name,), things=things, other=[],
                       body=[m.ExprStmt(call=m.MethodCall(thing=m.Var(name=grown), name="append", args=(item,)))]):
                pass
            case _:
                return None
        match item:
            case m.BinaryOp(left=base, sign="+", right=m.Var(name=member)) if member == name and is_arithmetic_without(base, name):
                pass
            case m.Var(name=member) if member == name:
                base = m.IntConst(0)
            case _:
                return None
        while isinstance(things, m.BoundedIter):
            things = things.things
        if self.function.variables[grown] != ListKind(WORD) or self.x.kind_of(things, {}) != MEMBERS:
            return None
        return grown, base, things

    def write_set_union(self, node: m.ForStmt) -> bool:
        """Translates a loop that inserts the members of a set into another set as a union. Returns False if the loop
        is something else."""
        found = match_set_insertion(node, self.function.code.body)
        if found is None:
            return False
        into, things, each = found
        if self.function.variables[into] != MASK or self.x.kind_of(things, {}) != MEMBERS:
            return False
        charge = f" lg_charge_items(X, lg_count(m), {each});" if each else ""
        self.emit(f"{{ lg_mask m = {self.x.render(things, {})};{charge} v_{into} = (v_{into} | m); }}")
        return True

    def write_subset_search(self, node: m.ForStmt) -> bool:
        """Translates a search for a constant subset without a branch for each set. Returns False if the loop is
        something else."""
        found = match_subset_search(node, self.function.code.body) if self.module.mask_words == 1 else None
        if found is None or self.x.kind_of(found[1], {}) != MASK:
            return False
        first, whole, done = found
        sets = constant_set_rows(node.things, self.module.machine.values, self.x.kind_of(node.things, {}))
        if sets is None:
            return False
        index, lists = sets
        width = len(lists[0])
        place = "" if index is None else f" + {width} * lg_at(X, {self.x.render_word(index, {})}, {len(lists)})"
        self.write_block(first)
        self.emit(f"if (lg_within_one({self.module.set_array(lists)}{place}, {width}, {self.x.render(whole, {})})) {{")
        self.write_block(done)
        self.emit("}")
        return True

    def write_loop(self, node: m.ForStmt) -> None:
        found = self.match_member_append(node)
        if found is not None:
            grown, base, things = found
            self.emit(f"lg_push_members(X, &v_{grown}, {self.x.render_word(base, {})}, {self.x.render(things, {})});")
            return
        if self.write_set_union(node) or self.write_subset_search(node):
            return
        live = isinstance(node.things, m.Var) and is_appended_to(node.things.name, node.body)
        if live and any(isinstance(step, m.AssignStmt) and node.things.name in step.names for step in iter_statements(node.body)):   # type: ignore[attr-defined]
            raise UnsupportedConstructError("a loop over a list that grows and is assigned in the loop")
        head, end = self.x.loop_header(list(node.names), node.things, {}, live)
        out = f"out_{self.module.next_number()}" if node.other and has_own_break(node.body) else None
        self.emit(*head)
        if isinstance(self.x.kind_of(node.things, {}), ListKind | SetKind):
            self.write_member_checks(node.names)
        self.ends.append(out)
        self.write_block(node.body)
        self.ends.pop()
        self.emit(end)
        self.write_block(node.other)
        if out is not None:
            self.emit(f"{out}:;")

    def write_return(self, value: m.IrExpr | None) -> None:
        result = self.function.result
        if isinstance(result, JumpKind):
            if value is not None and self.x.kind_of(value, {}) == JUMP:
                self.emit(f"return {self.x.render(value, {})};")
            else:                                                  # the options are already in their slot
                self.emit(f"return {int(value is not None and value != m.NoneConst())};")
            return
        if value is None or isinstance(result, NoneKind):
            self.emit(f"return ({self.result}){{0}};")
            return
        text = self.x.render_as(value, result, {})
        self.emit(
            f"{{ {self.result} out = {text}; LG_LOOSE_{self.function.code.name} return out; }}" if self.is_trial else f"return {text};"
        )


def is_certain_member(value: m.IrExpr) -> bool:
    """Whether a value is certainly a member, and not the placeholder for nobody. It is for a list entry or a frame
    entry."""
    match value:
        case m.IndexExpr(things=m.Var()):
            return True
        case m.LoadSlot(at=m.IntConst(frame=frame)):
            return frame is not None
    return False


def is_arithmetic_without(node: m.IrExpr, name: str) -> bool:
    """Whether this is a sum or product of numbers and variables other than `name`."""
    match node:
        case m.IntConst():
            return True
        case m.Var(name=other):
            return other != name
        case m.BinaryOp(left=left, sign="+" | "*", right=right):
            return is_arithmetic_without(left, name) and is_arithmetic_without(right, name)
    return False


def is_appended_to(name: str, body: m.Body) -> bool:
    """Whether these statements append to a list."""
    return any(
        isinstance(step, m.ExprStmt)
        and isinstance(step.call, m.MethodCall)
        and step.call.name == "append"
        and step.call.thing == m.Var(name)
        for step in iter_statements(body)
    )


def has_own_break(body: m.Body) -> bool:
    """Whether a break in these statements leaves the enclosing loop."""
    return any(
        isinstance(step, m.BreakStmt)
        or not isinstance(step, m.ForStmt | m.WhileStmt)
        and any(map(has_own_break, child_blocks(step)))
        or isinstance(step, m.ForStmt)
        and has_own_break(step.other)
        for step in body
    )
