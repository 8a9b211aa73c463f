"""Translates IR expressions to C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, assert_never

from ..ir import nodes as m
from ..ir.infer import InferencePass, Scope, is_unwatched_slot
from ..ir.value_types import (
    EMPTY_LIST,
    MASK,
    MEMBERS,
    OPTIONAL_WORD,
    WORD,
    Kind,
    ListKind,
    MapKind,
    MaskKind,
    MembersKind,
    NoneKind,
    OptionalKind,
    OptionalWordKind,
    RangeKind,
    SetKind,
    TupleKind,
    UnsupportedConstructError,
    WordKind,
    describe_kind,
    join_kinds,
    storage_kind,
    unwrap_kind,
)
from .protocols import CProgramApi
from .runtime_calls import DIRECT_CALLS, RuntimeCallWriter
from .types import c_mask, c_number, c_type_name, convert_expression, kind_tag

# whether to keep things of the first set only, both, the second only
SET_OPERATION_FLAGS = {"|": "1, 1, 1", "&": "0, 1, 0", "-": "1, 0, 0"}
CHECKED_ARITHMETIC = {"+": "lg_add", "-": "lg_sub", "*": "lg_mul", "//": "lg_div", "%": "lg_mod"}
STORED_PREFIXES = ("v_", "g->p.s", "c_")                                        # of the C text of a variable, a slot, or a constant


class CExpressionWriter(RuntimeCallWriter):
    """Translates the expressions of one function."""

    def __init__(self, module: CProgramApi, found: InferencePass) -> None:
        self.module, self.found = module, found
        self.kinds = found.k
        self.written: set[str] = set()                             # position fields that the function itself writes

    # ------------------------------------------------------------ the ways in

    def kind_of(self, node: m.IrExpr, scope: Scope) -> Kind | None:
        """Returns the kind of an expression."""
        return self.found.infer_expression(node, scope)

    def render_as(self, node: m.IrExpr, wanted: Kind | None, scope: Scope) -> str:
        """Returns the C text of an expression, converted to the kind `wanted`."""
        kind = self.kind_of(node, scope)
        match node, wanted:
            case m.IntConst(value=value), MaskKind() if value >= 0:
                return c_mask(value, self.module.mask_words)
            case m.IntConst(), MaskKind():
                raise UnsupportedConstructError("a negative number as a set")
            case m.ConstantRef(name=name), ListKind() if isinstance(kind, ListKind) and kind_tag(kind) != kind_tag(wanted):
                return self.module.constant_text(name, wanted)
            case m.IfExpr(test=test, value=value, other=other), _ if wanted is not None:
                return (
                    f"({self.render_truth(test, scope)} ? {self.render_as(value, wanted, scope)} : {self.render_as(other, wanted, scope)})"
                )
            case m.CallExpr(function=("tuple" | "list"), args=(m.ListComp() as listed,)), _:
                return self.render_as(listed, wanted, scope)
        if isinstance(kind, RangeKind) and isinstance(wanted, ListKind):
            low, end = self.range_bounds(node, scope)
            return f"lg_numbers(X, {low}, {end})"
        self.module.types.declare_type(wanted)
        return convert_expression(self.render(node, scope), kind, wanted)

    def render_truth(self, node: m.IrExpr, scope: Scope) -> str:
        """Returns the C test whether an expression is true or not empty."""
        if isinstance(node, m.BoolOp) and not is_cached_members(node):
            return f"({(' && ' if node.word == 'and' else ' || ').join(self.render_truth(part, scope) for part in node.parts)})"
        text = self.render(node, scope)
        match self.kind_of(node, scope):
            case None:
                return convert_expression(text, None, WORD)
            case WordKind():
                return text
            case MaskKind() | MembersKind():
                return f"lg_any({text})"
            case ListKind() | SetKind() | MapKind():
                return f"(({text}).n != 0)"
            case OptionalKind(of=MaskKind()):
                return f"({{ {c_type_name(self.kind_of(node, scope))} u = {text}; u.h && lg_any(u.v); }})"
            case OptionalKind(of=ListKind() | SetKind()):
                return f"({{ {c_type_name(self.kind_of(node, scope))} u = {text}; u.h && u.v.n; }})"
        raise UnsupportedConstructError(f"the truth of {describe_kind(self.kind_of(node, scope))}")

    def render_word(self, node: m.IrExpr, scope: Scope) -> str:
        return self.render_as(node, WORD, scope)

    # ------------------------------------------------------------ places

    def slot_reference(self, at: m.IrExpr, scope: Scope, field: str = "s") -> str:
        """Returns the C expression for a slot of the position. With `field` "h", the flag whether it has a value."""
        space, rest = self.found.locate_slot(at)
        name = self.module.field_name(space)
        return f"g->p.{field}{name}[{'0' if space.count == 1 else f'lg_word(X, {self.render_offset(rest, scope)}, {space.count})'}]"

    def slot_target(self, at: m.IrExpr, scope: Scope, field: str = "s") -> str:
        """Returns the same as `slot_reference`, and records the slot as written."""
        self.written.add(field + self.module.field_name(self.found.locate_slot(at)[0]))
        return self.slot_reference(at, scope, field)

    def render_offset(self, node: m.IrExpr, scope: Scope) -> str:
        """Returns the C text of an offset. It is known to be small, so the arithmetic is unchecked."""
        match node:
            case m.IntConst(value=0):
                return "0"
            case m.BinaryOp(left=m.IntConst(value=0), sign="+", right=right):
                return self.render_offset(right, scope)
            case m.BinaryOp(left=left, sign=("+" | "-" | "*") as sign, right=right):
                return f"({self.render_offset(left, scope)} {sign} {self.render_offset(right, scope)})"
        return self.render_word(node, scope)

    # ------------------------------------------------------------ expressions

    def render(self, node: m.IrExpr, scope: Scope) -> str:
        """Returns the C text of an expression in its own kind."""
        match node:
            case m.IntConst(value=value):
                return c_number(value) if value < 1 << 63 else c_mask(value, self.module.mask_words)
            case m.BoolConst(value=flag):
                return str(int(flag))
            case m.NoneConst():
                return "LG_NOTHING"
            case m.Var(name=name):
                return f"v_{scope.get(name, name)}"
            case m.ConstantRef(name=name):
                return self.module.constant_text(name)
            case m.LoadSlot(at=at):
                if is_unwatched_slot(at):
                    return "LG_NOTHING"
                return (
                    f"(i64){self.slot_reference(at, scope)}"
                    if self.module.find_narrow_type(self.found.locate_slot(at)[0])
                    else self.slot_reference(at, scope)
                )
            case m.LoadSlots(low=low, high=high):
                count = self.render_offset(m.BinaryOp(high, "-", low), scope)
                words = ListKind(self.found.locate_slot(low)[0].kind)
                name = self.module.types.declare_type(words)
                first = self.slot_reference(low, scope)
                return (f"({{ {name} q = lg_new_{kind_tag(words)}(X, {count}); __typeof__(&{first}) w = &{first}; "
                        "for (i64 n = 0; n < q.n; n++) q.v[n] = w[n]; q; })")
            case m.BinaryOp():
                return self.render_op(node, scope)
            case m.UnaryOp(sign="not", value=value):
                return f"!({self.render_truth(value, scope)})"
            case m.UnaryOp(sign="-", value=value) if self.kind_of(value, scope) == WORD:
                return f"lg_sub(X, 0, {self.render(value, scope)})"
            case m.BoolOp(parts=(m.CallExpr(args=(inside,)), *_)) if is_cached_members(node):
                return self.render_as(inside, MASK, scope)
            case m.BoolOp():
                return self.render_logic(node, scope)
            case m.RangeTest(low=low, value=value, high=high, first=one, second=two):
                return (f"({{ i64 l = {self.render_word(low, scope)}, n = {self.render_word(value, scope)}; l {one} n && n {two} "
                        f"{self.render_word(high, scope)}; }})")
            case m.IfExpr():
                kind = self.kind_of(node, scope)
                return self.render_as(node, WORD if kind is None else kind, scope)
            case m.IndexExpr(things=things, index=index):
                return self.render_index(things, index, scope)
            case m.SliceExpr():
                return self.render_slice(node, scope)
            case m.TupleDisplay(items=items) | m.ListDisplay(items=items):
                return self.render_display(node, items, scope)
            case m.CallExpr():
                return self.render_call(node, scope)
            case m.MethodCall():
                return self.render_method(node, scope)
            case m.ListComp():
                return self.render_comprehension(node, scope)
            case m.BoundedIter(things=things):
                return self.render(things, scope)
            case m.PresentValue(value=value):
                kind = unwrap_kind(self.kind_of(value, scope))
                return self.render(value, scope) if kind is None else self.render_as(value, kind, scope)
        raise UnsupportedConstructError(f"{type(node).__name__} {getattr(node, 'sign', '')}".strip())

    def render_logic(self, node: m.BoolOp, scope: Scope) -> str:
        """Returns `and` and `or` as a value: the first operand that decides the result."""
        *first, last = node.parts
        parts = []
        for part in first:
            kind = self.kind_of(part, scope)
            if kind == OPTIONAL_WORD and node.word == "or":                # None counts as 0 here
                parts.append(f"({{ i64 n = {self.render(part, scope)}; n == LG_NOTHING ? 0 : n; }})")
            elif kind in (WORD, None):
                parts.append(self.render_word(part, scope))
            else:
                raise UnsupportedConstructError(f"{node.word} of {describe_kind(kind)}")
        found = self.render_word(last, scope)
        for text in reversed(parts):
            found = f"({{ i64 n = {text}; n ? {found if node.word == 'and' else 'n'} : {'n' if node.word == 'and' else found}; }})"
        return found

    def render_op(self, node: m.BinaryOp, scope: Scope) -> str:
        left, right = self.kind_of(node.left, scope), self.kind_of(node.right, scope)
        sign = node.sign
        match sign:
            case "is" | "is not":
                return self.render_none_test(node, scope)
            case "in" | "not in":
                return self.render_membership(node, right, scope)
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                return self.render_comparison(node, left, right, scope)
            case "|" | "&" | "-" if isinstance(left, SetKind) and isinstance(right, SetKind):
                kind = join_kinds(left, right)
                operands = f"{self.render_as(node.left, kind, scope)}, {self.render_as(node.right, kind, scope)}"
                return f"lg_joined_{kind_tag(kind)}(X, {operands}, {SET_OPERATION_FLAGS[sign]})"
            case "+" | "-" | "*" | "//" | "%":
                kind = join_kinds(left, right)
                if isinstance(kind, WordKind | OptionalWordKind | None):
                    return f"{CHECKED_ARITHMETIC[sign]}(X, {self.render_word(node.left, scope)}, {self.render_word(node.right, scope)})"
                if sign != "+":
                    raise UnsupportedConstructError(f"{describe_kind(left)} {sign} {describe_kind(right)}")
                kind = join_kinds(storage_kind(left), storage_kind(right))
                return f"lg_both_{kind_tag(kind)}(X, {self.render_as(node.left, kind, scope)}, {self.render_as(node.right, kind, scope)})"
            case "<<" if node.left == m.IntConst(1):
                return f"lg_bit(X, {self.render_word(node.right, scope)})"
            case "<<":
                return f"lg_left(X, {self.render_as(node.left, MASK, scope)}, {self.render_word(node.right, scope)})"
            case ">>":
                shift = "lg_shift_word" if left == WORD else "lg_shift"
                return f"{shift}(X, {self.render(node.left, scope)}, {self.render_word(node.right, scope)})"
            case "&" | "|" | "^":
                return self.render_mask_op(node.left, sign, node.right, scope)
            case _:
                assert_never(sign)

    def render_mask_op(self, left: m.IrExpr, sign: Literal["&", "|", "^"], right: m.IrExpr, scope: Scope) -> str:
        """Returns a bitwise operation on two sets. A complement (~) is only supported as an operand of `&`."""
        wanted = join_kinds(self.kind_of(left, scope), self.kind_of(right, scope)) or WORD
        texts = []
        if wanted == MASK and sign == "&" and right == m.UnaryOp("-", left):
            return f"({{ lg_mask m = {self.render_as(left, MASK, scope)}; lg_lowest(m); }})"
        match left, sign, right:
            case m.BinaryOp(left=mask, sign=">>", right=member), "&", m.IntConst(value=1) if self.kind_of(mask, scope) == MASK:
                found, item = self.render(mask, scope), self.render_word(member, scope)
                return f"(i64)lg_has_in(X, &{found}, {item})" if found.startswith(STORED_PREFIXES) else f"(i64)lg_has(X, {found}, {item})"
        for node in (left, right):
            match node:
                case m.UnaryOp(sign="~", value=value) if sign == "&":
                    texts.append(f"~{self.render_as(value, wanted, scope)}")
                case _:
                    texts.append(self.render_as(node, wanted, scope))
        found = f"({texts[0]} {sign} {texts[1]})"
        return f"lg_word_of({found})" if wanted == MASK and self.kind_of(m.BinaryOp(left, sign, right), scope) == WORD else found

    def render_comparison(self, node: m.BinaryOp, left: Kind | None, right: Kind | None, scope: Scope) -> str:
        kind = join_kinds(left, right)
        order = node.sign not in ("==", "!=")
        if order and kind == MASK and not (left == right or m.IntConst(0) in (node.left, node.right)):
            raise UnsupportedConstructError("a set compared with a number")
        if isinstance(kind, MaskKind):
            both = f"({self.render_as(node.left, kind, scope)}, {self.render_as(node.right, kind, scope)})"
            return f"(lg_order_m{both} {node.sign} 0)" if order else f"{'!' if node.sign == '!=' else ''}lg_same_m{both}"
        if isinstance(kind, WordKind) or kind == OptionalWordKind() and not order:
            return f"({self.render_as(node.left, kind, scope)} {node.sign} {self.render_as(node.right, kind, scope)})"
        if isinstance(kind, OptionalWordKind | None):
            return f"({self.render_word(node.left, scope)} {node.sign} {self.render_word(node.right, scope)})"
        if order or not isinstance(kind, ListKind | TupleKind | SetKind | MapKind | OptionalKind):
            raise UnsupportedConstructError(f"{describe_kind(left)} {node.sign} {describe_kind(right)}")
        same = f"lg_same_{kind_tag(kind)}({self.render_as(node.left, kind, scope)}, {self.render_as(node.right, kind, scope)})"
        return same if node.sign == "==" else f"!{same}"

    def render_none_test(self, node: m.BinaryOp, scope: Scope) -> str:
        """Returns the C test for `is None` or `is not None`."""
        if node.right != m.NoneConst():
            raise UnsupportedConstructError(f"{node.sign} something")
        left = node.left
        sign = "" if node.sign == "is not" else "!"
        if isinstance(left, m.AssignExpr) and isinstance(left.value, m.LoadSlot):
            kind = self.found.locate_slot(left.value.at)[0].kind
            value = convert_expression(self.render(left.value, scope), kind, self.found.f.variables[left.name])
            return f"({{ v_{left.name} = {value}; {self.render_none_test(m.BinaryOp(left.value, node.sign, m.NoneConst()), scope)}; }})"
        if isinstance(left, m.LoadSlot) and (space := self.found.locate_slot(left.at)[0]).lapses:
            return str(int(not sign)) if self.module.is_always_present(space) else f"{sign}{self.slot_reference(left.at, scope, 'h')}"
        match self.kind_of(left, scope):
            case OptionalWordKind():
                return f"({self.render(left, scope)} {'!=' if not sign else '=='} LG_NOTHING)"
            case NoneKind():
                return str(int(bool(sign)))
            case WordKind() | MaskKind() | ListKind() | MembersKind() | SetKind() | TupleKind():
                return str(int(not sign))
            case OptionalKind():
                return f"{sign}({self.render(left, scope)}).h"
        raise UnsupportedConstructError(f"whether {describe_kind(self.kind_of(left, scope))} is there")

    def render_membership(self, node: m.BinaryOp, right: Kind | None, scope: Scope) -> str:
        sign = "!" if node.sign == "not in" else ""
        match right:
            case MembersKind():
                return f"{sign}({{ i64 n = {self.render_word(node.left, scope)}; lg_has(X, {self.render(node.right, scope)}, n); }})"
            case RangeKind():
                low, end = self.range_bounds(node.right, scope)
                return f"{sign}({{ i64 n = {self.render_word(node.left, scope)}, l = {low}; l <= n && n < {end}; }})"
            case ListKind(of=None) | SetKind(of=None):
                return "0" if not sign else "1"
            case SetKind(of=inside):
                self.module.types.declare_type(right)
                return (
                    f"{sign}(lg_lies_{kind_tag(right)}({self.render(node.right, scope)}, {self.render_as(node.left, inside, scope)}) >= 0)"
                )
            case ListKind(of=inside):
                return (
                    f"{sign}(lg_find_{kind_tag(right)}({self.render(node.right, scope)}, {self.render_as(node.left, inside, scope)}) >= 0)"
                )
        raise UnsupportedConstructError(f"in {describe_kind(right)}")

    def render_index(self, things: m.IrExpr, index: m.IrExpr, scope: Scope) -> str:
        kind = self.kind_of(things, scope)
        match kind, things:
            case _, m.ConstantRef(name=name) if isinstance(kind, ListKind) and self.module.machine.values[name]:
                array, count = self.module.constant_array(name)
                return f"{array}[lg_at(X, {self.render_word(index, scope)}, {count})]"
            case TupleKind(), _:
                assert isinstance(index, m.IntConst)
                return f"({self.render(things, scope)}).f{index.value}"
            case MembersKind(), _:
                return f"lg_nth(X, {self.render(things, scope)}, {self.render_word(index, scope)})"
            case OptionalKind(of=inside), _ if isinstance(inside, ListKind):
                items, number = self.render_as(things, inside, scope), self.render_word(index, scope)
                return f"({{ {c_type_name(inside)} q = {items}; q.v[lg_at(X, {number}, q.n)]; }})"
            case ListKind(), _:
                return (
                    f"({{ {c_type_name(kind)} q = {self.render(things, scope)}; q.v[lg_at(X, {self.render_word(index, scope)}, q.n)]; }})"
                )
        raise UnsupportedConstructError(f"an entry of {describe_kind(kind)}")

    def render_slice(self, node: m.SliceExpr, scope: Scope) -> str:
        kind = storage_kind(self.kind_of(node.things, scope))
        things = self.render_as(node.things, kind, scope)
        if node.backwards:
            return f"lg_back_{kind_tag(kind)}(X, {things})"
        low = "0" if node.low is None else self.render_word(node.low, scope)
        high = "INT64_MAX" if node.high is None else self.render_word(node.high, scope)
        return f"lg_part_{kind_tag(kind)}(X, {things}, {low}, {high})"

    def render_display(self, node: m.IrExpr, items: tuple[m.IrExpr, ...], scope: Scope) -> str:
        kind = self.kind_of(node, scope)
        if kind == EMPTY_LIST or not items:
            return "(t_qw){0}"
        name = self.module.types.declare_type(kind)
        if isinstance(kind, TupleKind):
            return f"({name}){{ {', '.join(self.render_as(item, part, scope) for item, part in zip(items, kind.parts))} }}"
        assert isinstance(kind, ListKind)
        own = kind_tag(kind)
        steps = [f"{name} q = lg_new_{own}(X, {len(items)}); q.n = 0;"]
        for item in items:
            if isinstance(item, m.StarredExpr):
                steps.append(f"q = lg_both_{own}(X, q, {self.render_as(item.things, kind, scope)});")
            else:
                steps.append(f"lg_push_{own}(X, &q, {self.render_as(item, kind.of, scope)});")
        return self.statement_expression(steps, "q")

    def statement_expression(self, steps: list[str], result: str) -> str:
        """Returns a GNU C statement expression: statements inside an expression."""
        return f"({{ {' '.join(steps)} {result}; }})"

    # ------------------------------------------------------------ calls

    def render_call(self, node: m.CallExpr, scope: Scope) -> str:
        args = [arg for arg in node.args if arg != m.Var("s")]
        match node.function:
            case m.FunctionRef(name=name):
                return self.render_function_call(f"f_{name}", name, args, scope)
            case m.IndexExpr(things=m.FunctionRef(name=name), index=index):
                rows = self.module.machine.tables[name]
                return self.render_function_call(f"k_{name}[lg_at(X, {self.render_word(index, scope)}, {len(rows)})]", rows[0], args, scope)
            case str(name) if name in DIRECT_CALLS:
                return self.render_direct_call(name, args, scope)
            case str(name):
                write: Callable[[m.CallExpr, list[m.IrExpr], Scope], str] | None = getattr(self, f"call_{name}", None)
                if write is None:
                    raise UnsupportedConstructError(f"the runtime's {name}")
                return write(node, args, scope)
        raise UnsupportedConstructError("a call of what an expression gives")

    def render_function_call(self, text: str, name: str, args: list[m.IrExpr], scope: Scope) -> str:
        function = self.kinds.functions[name]
        given = [self.render_as(arg, function.variables[param], scope) for arg, param in zip(args, function.code.params[1:])]
        return f"{text}({', '.join(['g', *given])})"

    # ------------------------------------------------------------ loops

    def range_bounds(self, node: m.IrExpr, scope: Scope) -> tuple[str, str]:
        """Returns the first number of a range, and the number after its last."""
        match node:
            case m.CallExpr(function="range", args=(end,)):
                return "0", self.render_word(end, scope)
            case m.CallExpr(function="range", args=(low, end)):
                return self.render_word(low, scope), self.render_word(end, scope)
            case m.CallExpr(function="span", args=(low, high)):
                return self.render_word(low, scope), f"lg_span(X, {self.render_word(low, scope)}, {self.render_word(high, scope)})"
            case m.BoundedIter(things=things):
                return self.range_bounds(things, scope)
            case m.CallExpr(function=("charge_items" | "list" | "tuple"), args=(things, *_)):
                return self.range_bounds(things, scope)
        raise UnsupportedConstructError("a range that is not written where it is used")

    def loop_header(self, names: list[str], things: m.IrExpr, scope: Scope, live: bool = False) -> tuple[list[str], str]:
        """Returns the opening lines of a loop that assigns its variables, and its closing line. `live`: the list may
        grow while the loop runs."""
        cost = ""
        start = None
        while True:
            match things:
                case m.CallExpr(function="charge_items", args=(inner, m.IntConst(value=each))):
                    things, cost = inner, f" lg_charge_items(X, n, {each});"
                case m.BoundedIter(things=inner):
                    things = inner
                case m.CallExpr(function="enumerate", args=(inner, first)):
                    things, start = inner, self.render_word(first, scope)
                case _:
                    break
        kind = self.kind_of(things, scope)
        k = self.module.next_number()
        variables = [f"v_{name}" for name in names]
        counted = [] if start is None else [f"{variables.pop(0)} = j{k}{'' if start == '0' else f' + {start}'};"]
        match kind:
            case RangeKind():
                low, end = self.range_bounds(things, scope)
                head = [f"{{ i64 l{k} = {low}, n = lg_sub(X, {end}, l{k}); if (n < 0) n = 0;{cost}",
                        f"for (i64 j{k} = 0, e{k} = n; j{k} < e{k}; j{k}++) {{"]
                value = f"l{k} + j{k}"
            case MembersKind():
                head = [f"{{ lg_mask m{k} = {self.render(things, scope)};" + (f" {{ i64 n = lg_count(m{k});{cost} }}" if cost else "")]
                head.append(f"for (i64 j{k} = 0; lg_any(m{k}); m{k} = lg_rest(m{k}), j{k}++) {{ (void)j{k};")
                value = f"lg_first(m{k})"
            case ListKind(of=None) | SetKind(of=None):
                head, value = [f"{{ for (i64 j{k} = 0; 0; ) {{"], "0"
                variables = []
            case ListKind() | SetKind():
                own = f"(*q{k})" if live else f"q{k}"
                given = f"&{self.render(things, scope)}" if live else self.render(things, scope)
                head = [f"{{ {c_type_name(kind)} {'*' if live else ''}q{k} = {given};" + (f" {{ i64 n = {own}.n;{cost} }}" if cost else "")]
                head.append(f"for (i64 j{k} = 0; j{k} < {own}.n; j{k}++) {{")
                value = f"{own}.v[j{k}]"
            case _:
                raise UnsupportedConstructError(f"a loop over {describe_kind(kind)}")
        head += counted
        inside = WORD if isinstance(kind, MembersKind | RangeKind) else kind.of
        head += self.unpack_lines(variables, names[len(names) - len(variables):], value, inside)
        return head, "} }"

    def unpack_lines(self, variables: list[str], names: list[str], value: str, kind: Kind | None) -> list[str]:
        """Returns lines that assign a value, or its entries, to variables."""
        wanted = [self.found.f.variables[name] for name in names]
        if len(variables) == 1:
            return [f"{variables[0]} = {convert_expression(value, kind, wanted[0])};"]
        if not variables:
            return []
        k = self.module.next_number()
        match kind:
            case TupleKind(parts=parts):
                gets = [convert_expression(f"u{k}.f{n}", part, want) for n, (part, want) in enumerate(zip(parts, wanted))]
            case ListKind(of=inside):
                gets = [convert_expression(f"u{k}.v[lg_at(X, {n}, u{k}.n)]", inside, want) for n, want in enumerate(wanted)]
            case _:
                raise UnsupportedConstructError(f"{len(names)} names for {describe_kind(kind)}")
        return [f"{{ {c_type_name(kind)} u{k} = {value};", *(f"{one} = {got};" for one, got in zip(variables, gets)), "}"]

    def render_comprehension(self, node: m.ListComp, scope: Scope) -> str:
        kind = self.kind_of(node, scope)
        if kind == EMPTY_LIST:
            return "(t_qw){0}"
        if node == m.ListComp(m.Var(node.names[0]), node.names[:1], node.things) and self.kind_of(node.things, scope) == MEMBERS:
            return f"lg_members(X, {self.render(node.things, scope)})"
        name = self.module.types.declare_type(kind)
        assert isinstance(kind, ListKind)
        inner = dict(scope)
        k = self.module.next_number()
        steps, ends = [f"{name} a{k} = {{0}};"], []
        for names, things in ((node.names, node.things), *([node.inner] if node.inner is not None else [])):
            local = {one: self.kinds.comprehension_variable(node, one) for one in names}
            head, end = self.loop_header([local[one] for one in names], things, inner)
            inner |= local
            steps += head
            ends.append(end)
        tests = "".join(f"if ({self.render_truth(test, inner)}) " for test in node.tests)
        steps.append(f"{tests}lg_push_{kind_tag(kind)}(X, &a{k}, {self.render_as(node.value, kind.of, inner)});")
        return self.statement_expression([*steps, *ends], f"a{k}")


def is_cached_members(node: m.BoolOp) -> bool:
    """Whether this is the idiom `BITS(mask) or bits(mask)`: the members of a set, cached in Python."""
    return isinstance(node.parts[0], m.CallExpr) and node.parts[0].function == "BITS"
