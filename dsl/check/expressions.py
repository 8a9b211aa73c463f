"""Type inference for expressions.

Each node gets a type and each name a reference, both in the `Resolution`. An error is reported once, at the
smallest node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..model.model import GameModel
from ..syntax import tree
from ..syntax.foreign_syntax import FOREIGN_CALLS, SIZE_WORDS, format_range
from ..types.size_limits import MAX_BOARD_TABLE_NUMBERS
from ..types.types import (
    BOOL,
    BROKEN,
    CONTAINERS,
    EMPTY,
    INT,
    WORD_TYPES,
    BagOf,
    EmptyType,
    ErrorType,
    Int,
    ListOf,
    MemberOf,
    OptionalOf,
    PileOf,
    SetOf,
    Type,
    arithmetic_range,
    element_type,
    is_assignable,
    join_types,
)
from .builtins import BOARD_TABLE_FUNCTIONS, BUILTINS
from .call_checker import CallChecker
from .fold_checker import FoldChecker
from .likely_meaning import suggest_comparison, suggest_empty, suggest_value
from .scope import CheckedProgram, NameRef, RoutineDecl, Scope, SymbolTable
from .short_expressions import format_short_expr


class ExpressionChecker(CallChecker, FoldChecker):
    """Infers the types of expressions. `_name`, `_binary`, and so on are called by the class name of the syntax
    node."""

    def __init__(self, model: GameModel, program: CheckedProgram, names: SymbolTable, findings: DiagnosticList) -> None:
        self.model, self.program, self.names, self.findings = model, program, names, findings
        self.found = program.resolution
        self.open: list[RoutineDecl] = []
        self.done: set[RoutineDecl] = set()
        self.tables: dict[tuple[str, str, int], int] = {}          # (type of places, function, length) → table size

    def error(self, code: str, scope: Scope, node: Any, hint: str | None = None, **args: Any) -> Type:
        """Reports a diagnostic at a node and returns `BROKEN`, which suppresses follow-up errors.

        If the arguments `one` and `two` are types and one of them is the wrong empty value, a hint names the right one."""
        if hint is None and (meant := suggest_empty(args.get("one"), args.get("two"))):
            hint, args["meant"] = "written_so", meant
        self.findings.add(code, SourceSpan.of_node(scope.path, node), hint=hint, clause=scope.clause, **args)
        return BROKEN

    def infer(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type:
        """Infers, stores, and returns the type of `node`.

        `wanted` is a hint for ambiguous words: a member of two enumerations, or `none`."""
        method = getattr(self, "_" + type(node).__name__.lower().rstrip("_"))
        found: Type = method(node, scope, wanted)
        self.found.types[id(node)] = found
        return found

    def record_ref(self, node: tree.Node, ref: NameRef) -> None:
        """Stores what a name, or an expression as a whole, refers to."""
        self.found.refs[id(node)] = ref

    def expect(self, node: tree.Expr, scope: Scope, wanted: Type, surely: bool = False, suggestion: str = "") -> Type:
        """Checks `node` against the type `wanted` and returns its type. Reports R201 or R202 if it does not match.

        `surely`: nothing checks ranges at run time here, so they must match too (see `is_assignable`). `suggestion`: a
        correct form, which the hint of the diagnostic shows."""
        return self.require_type(node, self.infer(node, scope, wanted), scope, wanted, surely, suggestion)

    def require_type(self, node: tree.Expr, found: Type, scope: Scope, wanted: Type, surely: bool = False, suggestion: str = "") -> Type:
        """Checks the type that was inferred for `node`, as `expect` does."""
        if is_assignable(found, wanted, surely):
            return found
        if isinstance(found, OptionalOf) and is_assignable(found.of, wanted):
            return self.error("R202", scope, node, hint="unwrap", found=found, wanted=wanted)
        suggestion = suggestion or suggest_empty(found, wanted) or suggest_value(node, found, wanted)
        hint = "maybe_none" if isinstance(node, tree.Nothing) and isinstance(wanted, MemberOf) else "written_so" if suggestion else None
        return self.error("R201", scope, node, hint=hint, found=found, wanted=wanted, **({"meant": suggestion} if suggestion else {}))

    def infer_non_optional(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type:
        """Returns the type of `node`, which must not be optional (`T?`)."""
        found = self.infer(node, scope, wanted)
        if isinstance(found, OptionalOf):
            return self.error("R202", scope, node, hint="unwrap", found=found, wanted=found.of)
        return found

    # ------------------------------------------------------------ atoms

    def _number(self, node: tree.Number, scope: Scope, wanted: Type | None) -> Type:
        value = self.names.read_number(scope.path, node.digits)
        if value > 10**12:
            return self.error("R203", scope, node)
        return Int(value, value)

    def _truth(self, node: tree.Truth, scope: Scope, wanted: Type | None) -> Type:
        return BOOL

    def _nothing(self, node: tree.Nothing, scope: Scope, wanted: Type | None) -> Type:
        return wanted if isinstance(wanted, OptionalOf) else EMPTY

    def _domain(self, node: tree.Domain, scope: Scope, wanted: Type | None) -> Type:
        enum = self.names.resolve_enum(scope.path, node.name)
        if enum is None:
            return BROKEN
        if enum.kind == "open":
            return self.error("R204", scope, node, name=enum.name)
        self.record_ref(node, NameRef("domain", enum))
        return SetOf(MemberOf(enum.name))

    def _name(self, node: tree.Name, scope: Scope, wanted: Type | None) -> Type:
        domain = None
        inner = wanted.of if isinstance(wanted, OptionalOf) else wanted
        if isinstance(inner, MemberOf):
            domain = inner.name
        ref = self.names.resolve(str(node.name), scope.locals, domain)
        if ref is None:
            if str(node.name) in BUILTINS:
                return self.error("R205", scope, node, name=str(node.name))
            self.names.report_unknown(scope.path, node.name, scope.locals)
            return BROKEN
        if ref.kind == "member" and domain is None:
            shared = self.names.domains_with_member(str(node.name))
            if len(shared) > 1:
                return self.error("R206", scope, node, name=str(node.name), domains=", ".join(shared))
        self.record_ref(node, ref)
        found: Type
        match ref.kind:
            case "local":
                found = ref.target.type
                return found
            case "state":
                if ref.target.axes:
                    return self.error("R207", scope, node, name=str(node.name), axes=", ".join(d for _, d in ref.target.axes))
                found = ref.target.type
                return found
            case "family":
                return self.infer_call(node, ref.target, None, [], scope)
            case "number":
                return Int(ref.target, ref.target)
            case "option":
                return self.option_type(ref.target)
            case "table":
                return self.error("R208", scope, node, name=str(node.name))
        return MemberOf(ref.target[0])

    def option_type(self, option: Any) -> Type:
        """Returns the type of a game option: a truth value, a number, or its enumeration."""
        if all(isinstance(value, bool) for value in option.values):
            return BOOL
        if all(isinstance(value, int) for value in option.values):
            value = int(self.model.settings[option.name])
            return Int(value, value)
        return MemberOf("".join(part.capitalize() for part in option.name.split("_")) + "Option")

    def _setliteral(self, node: tree.SetLiteral, scope: Scope, wanted: Type | None) -> Type:
        return self.infer_literal(node, scope, SetOf, wanted)

    def _listliteral(self, node: tree.ListLiteral, scope: Scope, wanted: Type | None) -> Type:
        return self.infer_literal(node, scope, ListOf, wanted)

    def infer_literal(self, node: Any, scope: Scope, make_type: Callable[[Type], Type], wanted: Type | None) -> Type:
        """Infers the type of a set or list literal from all its elements."""
        inner = element_type(wanted) if wanted is not None and not isinstance(wanted, OptionalOf) else None
        found: Type | None = None
        empty = next((part for part in node.parts if isinstance(part, tree.Nothing)), None)
        for part in node.parts:
            if isinstance(part, tree.Nothing):
                continue
            item = self.infer_non_optional(part, scope, inner)
            inner = inner or item
            joined = item if found is None else join_types(found, item)
            if joined is None:
                return self.error("R209", scope, part, one=found, two=item)
            found = joined
        if empty is not None:
            return self.error("R202", scope, empty, hint="none_apart", found="none", wanted=found or inner or "…")
        if found is None:
            return EmptyType("[]" if make_type is ListOf else "{}")
        return make_type(found)

    # ------------------------------------------------------------ operators

    def _ifelse(self, node: tree.IfElse, scope: Scope, wanted: Type | None) -> Type:
        self.expect(node.test, scope, BOOL)
        one, two = self.infer(node.value, scope, wanted), self.infer(node.other, scope, wanted)
        return join_types(one, two) or self.error("R209", scope, node, one=one, two=two)

    def _fallback(self, node: tree.Fallback, scope: Scope, wanted: Type | None) -> Type:
        one = self.infer(node.value, scope, wanted)
        if isinstance(one, ErrorType):
            return one
        if not isinstance(one, OptionalOf):
            return self.error("R210", scope, node.value, found=one)
        two = self.infer(node.other, scope, one.of)
        return join_types(one.of, two) or self.error("R209", scope, node, one=one.of, two=two)

    def _unary(self, node: tree.Unary, scope: Scope, wanted: Type | None) -> Type:
        if node.op.type == "NOT":
            self.expect(node.value, scope, BOOL)
            return BOOL
        found = self.expect(node.value, scope, INT)
        if isinstance(found, Int):
            return Int(None if found.high is None else -found.high, None if found.low is None else -found.low)
        return found

    def _binary(self, node: tree.Binary, scope: Scope, wanted: Type | None) -> Type:
        if node.op.type in ("AND", "OR"):
            self.expect(node.left, scope, BOOL)
            self.expect(node.right, scope, BOOL, suggestion=suggest_comparison(node))
            return BOOL
        op = str(node.op)
        if op in ("==", "!="):
            return self.check_equality(node, scope)
        if op in ("<", "<=", ">", ">="):
            left = self.infer(node.left, scope, INT)
            if isinstance(left, BagOf):
                return self.check_bag_comparison(node, left, scope)
            left = self.require_type(node.left, left, scope, INT)
            self.warn_if_never_true(node, op, left, self.expect(node.right, scope, INT), scope)
            return BOOL
        left = self.infer_non_optional(node.left, scope, wanted)
        right = self.infer_non_optional(node.right, scope, left if not isinstance(left, EmptyType) else wanted)
        if isinstance(left, ErrorType) or isinstance(right, ErrorType):
            return BROKEN
        if isinstance(left, Int) and isinstance(right, Int):
            if op == "&":
                return self.error("R211", scope, node, op=op, one=left, two=right)
            if op in ("//", "%") and right.low == right.high == 0:
                self.findings.add("W106", SourceSpan.of_node(scope.path, node), clause=scope.clause)
            return arithmetic_range(op, left, right)
        if op in ("+", "-", "&") and isinstance(left, SetOf | EmptyType) and isinstance(right, SetOf | EmptyType):
            return join_types(left, right) or self.error("R209", scope, node, one=left, two=right)
        if op in ("+", "-") and isinstance(left, ListOf | EmptyType | PileOf) and isinstance(right, ListOf | EmptyType | PileOf):
            one = ListOf(left.of) if isinstance(left, PileOf) else left
            two = ListOf(right.of) if isinstance(right, PileOf) else right
            return join_types(one, two) or self.error("R209", scope, node, one=left, two=right)
        return self.error("R211", scope, node, op=op, one=left, two=right)

    def check_equality(self, node: tree.Binary, scope: Scope) -> Type:
        """Checks `==` and `!=`."""
        left = self.infer(node.left, scope)
        right = self.infer(node.right, scope, left if not isinstance(left, EmptyType) else None)
        if join_types(left, right) is None or isinstance(left, EmptyType) and isinstance(right, EmptyType):
            return self.error("R212", scope, node, one=left, two=right)
        for found, other in ((left, right), (right, left)):
            if other == EMPTY and isinstance(found, WORD_TYPES):
                hint = "maybe_none" if isinstance(found, MemberOf) else None
                return self.error("R212", scope, node, hint=hint, one=left, two=right, wanted=found)
        self.warn_if_never_true(node, str(node.op), left, right, scope)
        return BOOL

    def check_bag_comparison(self, node: tree.Binary, left: BagOf, scope: Scope) -> Type:
        """Checks `a <= b` or `a >= b` for two bags of one type: whether one bag contains the other, kind by kind."""
        right, op = self.expect(node.right, scope, left), str(node.op)
        if op in ("<", ">") and not isinstance(right, ErrorType):
            meant = f"{format_short_expr(node.left)} {op}= {format_short_expr(node.right)}"
            return self.error("R211", scope, node, hint="written_so", op=op, one=left, two=right, meant=meant)
        return BOOL

    def warn_if_never_true(self, node: tree.Binary, op: str, left: Type, right: Type, scope: Scope) -> None:
        """Warns (W104) of a comparison of numbers that cannot be true in any position."""
        if not isinstance(left, Int) or not isinstance(right, Int) or left.low == left.high and right.low == right.high:
            return                                                 # two constants: one is often an option or comes from a pack
        left, right = self.narrow_to_board(node.left, left), self.narrow_to_board(node.right, right)
        ends = {"left": str(left), "right": str(right)}
        if op in (">", ">="):
            left, right, op = right, left, op.replace(">", "<")
        over = left.low is not None and right.high is not None and (left.low > right.high or op == "<" and left.low == right.high)
        under = op == "==" and left.high is not None and right.low is not None and left.high < right.low
        if op in ("<", "<=", "==") and (over or under):
            named = {str(part.name) for part in tree.walk(node) if isinstance(part, tree.Name)}
            also = tuple(self.model.places[name] for name in sorted(named) if name in self.model.numbers)
            self.findings.add("W104", SourceSpan.of_node(scope.path, node), also=also, clause=scope.clause, **ends)

    def narrow_to_board(self, node: tree.Expr, found: Int) -> Int:
        """Returns the range of `row` or `column` on a square board, which is the number of its rows or columns."""
        if not isinstance(node, tree.Apply) or not isinstance(node.parts[0], tree.Name) or len(node.parts) != 2:
            return found
        cell, word = self.found.types.get(id(node.parts[1])), str(node.parts[0].name)
        enum = self.model.enum_of(cell.name) if isinstance(cell, MemberOf) else None
        ref = self.found.ref(node)
        if enum is None or enum.board is None or ref is None or ref.kind != "builtin" or word not in ("row", "column"):
            return found
        return Int(1, max(enum.board.rows if word == "row" else enum.board.columns))

    def check_membership(self, value: tree.Expr, group: tree.Expr, scope: Scope) -> Type:
        """Checks `in` and `not in`."""
        found = self.infer(group, scope)
        inner = element_type(found)
        if inner is None and not isinstance(found, EmptyType):
            return self.error("R213", scope, group, found=found)
        one = self.infer(value, scope, inner)
        if inner is not None and (join_types(one, inner) is None or one == EMPTY):
            return self.error("R212", scope, value, one=one, two=inner)
        return BOOL

    def _member(self, node: tree.Member, scope: Scope, wanted: Type | None) -> Type:
        return self.check_membership(node.value, node.group, scope)

    def _notmember(self, node: tree.NotMember, scope: Scope, wanted: Type | None) -> Type:
        return self.check_membership(node.value, node.group, scope)

    def _span(self, node: tree.Span, scope: Scope, wanted: Type | None) -> Type:
        low, high = self.expect(node.low, scope, INT), self.expect(node.high, scope, INT)
        if isinstance(low, Int) and isinstance(high, Int):
            return ListOf(Int(low.low, high.high))
        return ListOf(INT)

    # ------------------------------------------------------------ attributes, indices, calls

    def _printed(self, node: tree.Printed, scope: Scope, wanted: Type | None) -> Type:
        found = self.infer(node.value, scope)
        optional = isinstance(found, OptionalOf)
        inner = found.of if isinstance(found, OptionalOf) else found
        if isinstance(inner, ErrorType):
            return BROKEN
        if not isinstance(inner, MemberOf):
            meant = f"size({format_short_expr(node.value)})" if str(node.name) in SIZE_WORDS and isinstance(found, CONTAINERS) else ""
            return self.error("R214", scope, node, hint="written_so" if meant else None, found=found, meant=meant)
        enum = self.model.enum_of(inner.name)
        assert enum is not None
        name = str(node.name)
        ref = self.found.ref(node.value)
        if isinstance(node.value, tree.Name) and ref is not None and ref.kind == "member":
            own = enum.own.get((enum.members[ref.target[1]], name))
            if own is not None:
                self.record_ref(node, NameRef("number", own))
                return Int(own, own)
        if name not in enum.attributes:
            owned = Counter(key for _, key in enum.own)
            # if another member has it, a similar number of one member is probably misspelt itself
            known = [*enum.attributes, *(key for key, n in owned.items() if n > 1 or name not in owned)]
            meant = did_you_mean(name, known)
            return self.error("R215", scope, node.name, hint="did_you_mean" if meant else None, name=name, domain=enum.name,
                              meant=meant or "")
        self.record_ref(node, NameRef("attribute", (enum, name)))
        kind = enum.attributes[name]
        if isinstance(kind, Int):
            kind = Int(min(enum.values[name], default=0), max(enum.values[name], default=0))
        if optional and not isinstance(kind, OptionalOf):
            return OptionalOf(kind)
        return kind

    def _at(self, node: tree.At, scope: Scope, wanted: Type | None) -> Type:
        base, *indices = node.parts
        if isinstance(base, tree.Name):
            ref = self.names.resolve(str(base.name), scope.locals)
            if ref is not None and ref.kind == "state" and ref.target.axes:
                return self.infer_state_entry(node, base, ref, indices, scope)
            if ref is not None and ref.kind == "table":
                self.record_ref(base, ref)
                table = ref.target
                self.expect(indices[0], scope, INT)
                if len(indices) != 1:
                    return self.error("R216", scope, node, wanted=1, found=len(indices))
                low = min(table.values + ([0] if table.beyond == "zero" else []))
                return Int(low, max(table.values + ([0] if table.beyond == "zero" else [])))
            if ref is not None and ref.kind == "family" and ref.target.domain and not ref.target.params:
                self.record_ref(base, ref)
                if len(indices) != 1:
                    return self.error("R216", scope, node, wanted=1, found=len(indices))
                return self.infer_call(node, ref.target, indices[0], [], scope)
        found = self.infer_non_optional(base, scope)
        if isinstance(found, ErrorType):
            for index in indices:
                self.infer(index, scope)
            return BROKEN
        if len(indices) != 1:
            return self.error("R216", scope, node, wanted=1, found=len(indices))
        if isinstance(found, ListOf):
            self.expect(indices[0], scope, INT)
            if isinstance(found.of, Int):
                return join_types(found.of, Int(0, 0)) or INT
            if isinstance(found.of, SetOf | ListOf):
                return found.of
            return found.of if isinstance(found.of, OptionalOf) else OptionalOf(found.of)
        if isinstance(found, BagOf):
            self.expect(indices[0], scope, found.of)
            return Int(0, None)
        return self.error("R217", scope, node, found=found)

    def infer_state_entry(self, node: tree.At, base: tree.Name, ref: NameRef, indices: list[tree.Expr], scope: Scope) -> Type:
        """Infers the type of an entry of a state, and checks its index."""
        state = ref.target
        self.record_ref(base, ref)
        self.record_ref(node, ref)
        if len(indices) != len(state.axes):
            return self.error("R216", scope, node, wanted=len(state.axes), found=len(indices))
        for index, (_, domain) in zip(indices, state.axes):
            self.expect(index, scope, MemberOf(domain))
        found: Type = state.type
        return found

    def _apply(self, node: tree.Apply, scope: Scope, wanted: Type | None) -> Type:
        target, *arguments = node.parts
        if isinstance(target, tree.At) and isinstance(target.parts[0], tree.Name):
            ref = self.names.resolve(str(target.parts[0].name), scope.locals)
            if ref is not None and ref.kind == "family":
                self.record_ref(target.parts[0], ref)
                if len(target.parts) != 2:
                    return self.error("R216", scope, target, wanted=1, found=len(target.parts) - 1)
                return self.infer_call(node, ref.target, target.parts[1], arguments, scope)
        if isinstance(target, tree.Name):
            ref = self.names.resolve(str(target.name), scope.locals)
            if self.is_indexed(ref):
                return self.error_not_callable(node, scope)
            if ref is not None and ref.kind == "family":
                self.record_ref(target, ref)
                return self.infer_call(node, ref.target, None, arguments, scope)
            builtin = BUILTINS.get(str(target.name))
            if builtin is not None and (ref is None or ref.kind == "member"):
                self.record_ref(node, NameRef("builtin", str(target.name)))
                low, high = builtin.arity
                if not low <= len(arguments) <= high:
                    wanted_ = str(low) if low == high else f"{low}..{high}"
                    return self.error("R218", scope, node, name=str(target.name), wanted=wanted_, found=len(arguments))
                return self.check_board_table_size(str(target.name), node, arguments, scope, builtin.check(self, node, arguments, scope))
            if ref is None:
                habit = (
                    format_range([format_short_expr(one) for one in arguments])
                    if str(target.name) == "range"
                    else FOREIGN_CALLS.get(str(target.name))
                )
                meant = habit or did_you_mean(str(target.name), [*BUILTINS, *self.program.families])
                hint = "written_so" if habit else "did_you_mean" if meant else None
                return self.error("R219", scope, target, hint=hint, name=str(target.name), meant=meant or "")
        return self.error("R220", scope, target)

    def check_board_table_size(self, word: str, node: tree.Expr, arguments: list[tree.Expr], scope: Scope, found: Type) -> Type:
        """Returns the type `found`, unless the precomputed tables of boards would become too large (R237)."""
        if word not in BOARD_TABLE_FUNCTIONS or found is BROKEN:
            return found
        first = self.found.type(arguments[0])
        length = first.low or 0 if isinstance(first, Int) else 0
        of = first.of if isinstance(first, SetOf | OptionalOf) else first
        enum = self.model.enum_of(of.name) if isinstance(of, MemberOf) else None
        bounded = next((one for one in self.model.boards.values() if not one.open), None)
        board = bounded if word == "lines" else enum.places if enum is not None else None
        key = enum.name if word != "lines" and enum is not None else "", word, length
        if board is None or board.open or key in self.tables:
            return found
        self.tables[key] = board.count_table_numbers(word, length)
        every = sum(self.tables.values())
        return (
            found
            if every <= MAX_BOARD_TABLE_NUMBERS
            else self.error("R237", scope, node, name=word, found=every, limit=MAX_BOARD_TABLE_NUMBERS)
        )
