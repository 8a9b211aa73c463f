"""Type inference for expressions.

Each node gets a type and each name a reference, both in the `Resolution`. An error is reported once, at the
smallest node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, assert_never

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..model.model import GameModel
from ..syntax import tree
from ..syntax.foreign_syntax import FOREIGN_CALLS, FOREIGN_METHODS, FOREIGN_WORDS, NO_OP_STATEMENTS, SIZE_WORDS, format_range
from ..types.operations import parse_fold_kind
from ..types.size_limits import MAX_BOARD_TABLE_NUMBERS
from ..types.types import (
    BOOL,
    BROKEN,
    CONTAINERS,
    EMPTY,
    INT,
    BagOf,
    Bool,
    EmptyType,
    ErrorType,
    Int,
    ListOf,
    MemberOf,
    OptionalOf,
    PileOf,
    SetOf,
    Type,
    element_type,
    is_assignable,
    join_types,
    write_empty,
)
from .builtins import BOARD_TABLE_FUNCTIONS, BUILTINS
from .scope import CheckedProgram, FamilyDecl, LocalDecl, NameRef, RoutineDecl, Scope, SymbolTable

MAX_LOOP_TURNS = 1_000_000                # one loop over numbers
MAX_NESTED_LOOP_TURNS = 20_000_000              # nested loops


class ExpressionChecker:
    """Infers the types of expressions. `_name`, `_binary`, and so on are called by the class name of the syntax
    node."""

    def __init__(self, model: GameModel, program: CheckedProgram, names: SymbolTable, findings: DiagnosticList) -> None:
        self.model, self.program, self.names, self.findings = model, program, names, findings
        self.found = program.resolution
        self.open: list[RoutineDecl] = []
        self.done: set[RoutineDecl] = set()
        self.tables: dict[tuple[str, str, int], int] = {}          # (board, function, length) → table size

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

    def expect(self, node: tree.Expr, scope: Scope, wanted: Type, surely: bool = False, meant: str = "") -> Type:
        """Checks `node` against the type `wanted` and returns its type. Reports R201 or R202 if it does not match.

        `surely`: nothing checks ranges at run time here, so they must match too (see `is_assignable`). `meant`: a
        suggestion."""
        found = self.infer(node, scope, wanted)
        if is_assignable(found, wanted, surely):
            return found
        if isinstance(found, OptionalOf) and is_assignable(found.of, wanted):
            return self.error("R202", scope, node, hint="unwrap", found=found, wanted=wanted)
        meant = meant or suggest_empty(found, wanted) or suggest_value(node, found, wanted)
        hint = "maybe_none" if isinstance(node, tree.Nothing) and isinstance(wanted, MemberOf) else "written_so" if meant else None
        return self.error("R201", scope, node, hint=hint, found=found, wanted=wanted, **({"meant": meant} if meant else {}))

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

    def infer_literal(self, node: Any, scope: Scope, kind: Callable[[Type], Type], wanted: Type | None) -> Type:
        """Infers the type of a set or list literal from all its elements."""
        inner = element_type(wanted) if wanted is not None and not isinstance(wanted, OptionalOf) else None
        found: Type | None = None
        for part in node.parts:
            item = self.infer_non_optional(part, scope, inner)
            inner = inner or item
            joined = item if found is None else join_types(found, item)
            if joined is None:
                return self.error("R209", scope, part, one=found, two=item)
            found = joined
        if found is None:
            return EmptyType("[]" if kind is ListOf else "{}")
        return kind(found)

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
            self.expect(node.right, scope, BOOL, meant=suggest_comparison(node))
            return BOOL
        op = str(node.op)
        if op in ("==", "!="):
            return self.check_equality(node, scope)
        if op in ("<", "<=", ">", ">="):
            self.warn_if_never_true(node, op, self.expect(node.left, scope, INT), self.expect(node.right, scope, INT), scope)
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
            return _arithmetic_range(op, left, right)
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
        self.warn_if_never_true(node, str(node.op), left, right, scope)
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
            known = [*enum.attributes, *(key for _, key in enum.own)]
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
        board = bounded if word == "lines" else enum.board if enum is not None else None
        if board is None or board.open or (board.name, word, length) in self.tables:
            return found
        self.tables[board.name, word, length] = board.count_table_numbers(word, length)
        every = sum(self.tables.values())
        return (
            found
            if every <= MAX_BOARD_TABLE_NUMBERS
            else self.error("R237", scope, node, name=word, found=every, limit=MAX_BOARD_TABLE_NUMBERS)
        )

    def infer_call(self, node: tree.Expr, family: FamilyDecl, case: tree.Expr | None, arguments: list[tree.Expr], scope: Scope) -> Type:
        """Infers the type of a call of a def. Procedures can only be called as statements."""
        self.record_ref(node, NameRef("family", family))
        if family.kind != "def":
            return self.error("R221", scope, node, name=family.name)
        self.check_arguments(node, family, case, arguments, scope)
        found: Type = BROKEN
        for n, routine in enumerate(family.routines):
            result = self.infer_def_result(routine, scope, node)
            joined = result if n == 0 else join_types(found, result)
            if joined is None:
                return self.error("R209", scope, node, one=found, two=result)
            found = joined
        for routine in family.routines:                            # `none` or `[]` takes the type of the others
            if isinstance(routine.type, EmptyType):
                routine.type = found
        return found

    def suggest_for_method_call(self, name: Any, arguments: list[tree.Expr], scope: Scope) -> str:
        """Returns the correct form for `row.append(tile)` and similar method calls, or ""."""
        if not isinstance(name, tree.Printed) or str(name.name) not in FOREIGN_METHODS or len(arguments) != 1:
            return ""
        place, op, one = format_short_expr(name.value), FOREIGN_METHODS[str(name.name)], format_short_expr(arguments[0])
        match self.infer(name.value, scope):
            case ListOf():
                return f"{place} {op} [{one}]"
            case SetOf():
                return f"{place} {op} {{{one}}}"
            case BagOf():
                return f"{place}[{one}] {op} 1"
        return ""

    def check_procedure_call(self, node: tree.Node, target: tree.Expr, scope: Scope) -> bool:
        """Checks a procedure call, as a statement or after `after`, and stores what it calls.

        Returns whether it calls a procedure."""
        if not isinstance(target, tree.Apply):
            habit = FOREIGN_WORDS.get(str(target.name)) if isinstance(target, tree.Name) else None
            filler = NO_OP_STATEMENTS.get(str(target.name)) if isinstance(target, tree.Name) else None
            self.error("R309", scope, target, hint=filler or ("written_so" if habit else None), meant=habit or "")
            return False
        name, *arguments = target.parts
        case = None
        if isinstance(name, tree.At) and len(name.parts) == 2:
            name, case = name.parts
        if not isinstance(name, tree.Name):
            meant = self.suggest_for_method_call(name, arguments, scope)
            self.error("R220", scope, target, hint="written_so" if meant else None, meant=meant)
            return False
        ref = self.names.resolve(str(name.name), {})
        if ref is None and str(name.name) in BUILTINS:
            self.error("R309", scope, target)
            return False
        if ref is None or ref.kind != "family":
            self.names.report_unknown(scope.path, name.name, {})
            return False
        if ref.target.kind != "proc":
            self.error("R310", scope, target, name=str(name.name))
            return False
        self.found.calls[id(node)] = (ref.target, case, arguments)
        self.check_arguments(target, ref.target, case, arguments, scope)
        return True

    def _after(self, node: tree.After, scope: Scope, wanted: Type | None) -> Type:
        called = self.check_procedure_call(node, node.target, scope)
        found = self.infer(node.value, scope, wanted)
        return found if called else BROKEN

    def check_arguments(self, node: Any, family: FamilyDecl, case: tree.Expr | None, arguments: list[tree.Expr], scope: Scope) -> None:
        """Checks the case and the arguments of a call."""
        if (family.domain is None) != (case is None):
            code = "R222" if family.domain else "R223"
            self.error(code, scope, node, name=family.name, domain=family.domain or "")
        if case is not None and family.domain:
            self.expect(case, scope, MemberOf(family.domain))
        if len(arguments) != len(family.params):
            name = f"{family.name}[{family.domain}]" if family.domain else family.name
            self.error("R218", scope, node, hint="written_so", name=family.name, wanted=len(family.params), found=len(arguments),
                       meant=f"`{name}({', '.join(param.name for param in family.params)})`")
        for argument, param in zip(arguments, family.params):
            self.expect(argument, scope, param.type, True)

    def infer_def_result(self, routine: RoutineDecl, scope: Scope, node: Any) -> Type:
        """Returns the result type of a def. Checks its body at the first call, and reports recursion (R224)."""
        if routine.type is None or routine not in self.done:
            if routine in self.open:
                self.error("R224", scope, node, name=routine.name)
                return routine.type or BROKEN
            self.open.append(routine)
            self.check_def_body(routine)
            self.open.pop()
        return routine.type or BROKEN

    def check_def_body(self, routine: RoutineDecl) -> None:
        """Checks the body of a def and infers its result type."""
        self.done.add(routine)
        scope = Scope(routine.path, routine, {p.name: p for p in routine.params})
        if routine.case_local:
            scope.locals[routine.case_local.name] = routine.case_local
        if routine.value is not None:
            found = self.infer(routine.value, scope, routine.type)
            if routine.type is None:
                routine.type = found
            elif not is_assignable(found, routine.type):
                self.error("R201", scope, routine.value, found=found, wanted=routine.type)
        for condition in routine.conditions:
            self.expect(condition.test, scope, BOOL)

    # ------------------------------------------------------------ binders and folds

    def check_binders(self, binders: Any, scope: Scope, asked: bool = False) -> None:
        """Checks binders from left to right and adds their names to `scope`.

        `asked`: the values are options of a choice, not iterations of a loop."""
        for binder in binders:
            self.check_binder(binder, scope, asked)
            if not asked:
                self.enter_loop(self.max_iterations(binder.source), binder, scope)

    def max_iterations(self, source: tree.Expr) -> int:
        """Returns the maximum number of iterations over a source. 1 if unknown, because the step limit catches long
        loops at run time."""
        if isinstance(source, tree.Span):
            return max(1, self.span_length(source) or 1)
        found = self.found.type(source)
        enum = self.model.enum_of(found.of.name) if isinstance(found, SetOf) and isinstance(found.of, MemberOf) else None
        return max(1, len(enum)) if enum is not None and isinstance(source, tree.Domain) else 1

    def span_length(self, span: tree.Span) -> int | None:
        """Returns the maximum length of a range of numbers, or None if it is unknown."""
        low, high = self.found.type(span.low), self.found.type(span.high)
        if not isinstance(low, Int) or not isinstance(high, Int) or low.low is None or high.high is None:
            return None
        return high.high - low.low + 1

    def enter_loop(self, times: int, node: Any, scope: Scope) -> None:
        """Multiplies the iterations of `scope` by those of one more loop. Reports R234 if the product exceeds
        `MAX_NESTED_LOOP_TURNS`."""
        if times <= MAX_LOOP_TURNS and scope.turns <= MAX_NESTED_LOOP_TURNS < scope.turns * times:
            self.error("R234", scope, node, found=scope.turns * times, limit=MAX_NESTED_LOOP_TURNS)
        scope.turns *= times

    def check_loop_count(self, found: Type, node: tree.Expr, scope: Scope) -> None:
        """Reports R234 if a loop can have more than `MAX_LOOP_TURNS` iterations."""
        if isinstance(found, Int) and found.high is not None and found.high > MAX_LOOP_TURNS:
            self.error("R234", scope, node, found=found.high, limit=MAX_LOOP_TURNS)

    def check_binder(self, binder: Any, scope: Scope, asked: bool = False) -> LocalDecl:
        """Checks one binder, adds its names to `scope`, and returns its local."""
        found = self.infer(binder.source, scope)
        inner = element_type(found)
        if inner is None:
            inner = self.error("R213", scope, binder.source, found=found)
        if isinstance(binder.source, tree.Span) and not asked:
            self.check_loop_count(Int(None, self.span_length(binder.source)), binder.source, scope)
        if isinstance(binder, tree.BinderNumbered):
            if not isinstance(found, ListOf | PileOf | ErrorType):
                self.error("R225", scope, binder.source, found=found)
            number = LocalDecl(str(binder.number), Int(1, None))
            if number.name in scope.locals:
                self.error("R226", scope, binder.number, name=number.name)
            scope.locals[number.name] = number
            self.found.numbers[id(binder)] = number
        local = LocalDecl(str(binder.name), inner)
        if str(binder.name) in scope.locals and not isinstance(scope.locals[str(binder.name)].type, ErrorType):
            self.error("R226", scope, binder.name, name=str(binder.name))
        scope.locals[local.name] = local
        self.found.locals[id(binder)] = local
        return local

    def _fold(self, node: tree.Fold, scope: Scope, wanted: Type | None) -> Type:
        inner = scope.child_scope()
        self.check_binders(node.binders, inner)
        if node.where is not None:
            self.expect(node.where, inner, BOOL)
        last = self.found.locals[id(node.binders.items[-1])]
        kind, value = parse_fold_kind(node.word), node.value
        match kind:
            case "any" | "all":
                if value is not None:
                    self.expect(value, inner, BOOL)
                return BOOL
            case "count":
                if value is not None:
                    self.error("R227", inner, value, word=kind)
                return Int(0, None)
            case "sum" | "highest" | "lowest" | "best" | "ranked" | "tiers":
                if value is None:
                    return self.error("R228", scope, node, word=kind)
                return _number_fold_type(kind, self.expect(value, inner, INT), last.type)
            case "set" | "list" | "first" | "the":
                if value is None:
                    self.warn_if_binders_unrelated(node, scope)
                element = element_type(wanted) if wanted else None
                found = self.infer_non_optional(value, inner, element) if value is not None else last.type
                if isinstance(found, ErrorType):
                    return BROKEN
                if kind == "set" and not isinstance(found, MemberOf):
                    return self.error("R229", inner, value or node, found=found)
                return {"set": SetOf, "list": ListOf, "first": OptionalOf}[kind](found) if kind != "the" else found
            case _:
                assert_never(kind)

    def warn_if_binders_unrelated(self, node: tree.Fold, scope: Scope) -> None:
        """Warns (W109) of a fold that returns its last variable although the source of that does not depend on the
        earlier ones."""
        *before, last = node.binders.items
        names = {str(binder.name) for binder in before}
        if before and not any(isinstance(part, tree.Name) and str(part.name) in names for part in tree.walk(last.source)):
            self.findings.add("W109", SourceSpan.of_node(scope.path, node), clause=scope.clause, word=str(node.word), name=str(last.name),
                              other=str(before[0].name))


def _number_fold_type(kind: Literal["sum", "highest", "lowest", "best", "ranked", "tiers"], value: Type, thing: Type) -> Type:
    """Returns the type of a fold that takes a number from each combination. `thing` is the type of its last variable."""
    match kind:
        case "sum":
            return Int(0, None) if isinstance(value, Int) and value.low is not None and value.low >= 0 else INT
        case "highest" | "lowest":
            return join_types(value, Int(0, 0)) or INT
        case "best":
            return SetOf(thing)
        case "ranked":
            return ListOf(thing)
        case "tiers":
            return ListOf(SetOf(thing))
        case _:
            assert_never(kind)


def _arithmetic_range(op: str, a: Int, b: Int) -> Type:
    """Returns the range of the result of an arithmetic operator."""
    def apply_if_known(x: int | None, y: int | None, f: Any) -> int | None:
        """Applies `f` to two bounds. None if one of them is unknown."""
        return None if x is None or y is None else f(x, y)

    if op == "+":
        return Int(apply_if_known(a.low, b.low, lambda x, y: x + y), apply_if_known(a.high, b.high, lambda x, y: x + y))
    if op == "-":
        return Int(apply_if_known(a.low, b.high, lambda x, y: x - y), apply_if_known(a.high, b.low, lambda x, y: x - y))
    if op == "*" and a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
        return Int(a.low * b.low, apply_if_known(a.high, b.high, lambda x, y: x * y))
    if op == "%" and b.low is not None and b.low >= 0:
        return Int(0, None if b.high is None else max(0, b.high - 1))
    if op == "//" and a.low is not None and a.low >= 0 and b.low is not None and b.low >= 1:
        return Int(0, a.high)
    return INT


def suggest_comparison(node: tree.Binary) -> str:
    """Returns `x == 2` for the right side of `x == 1 or 2`, the comparison that was probably meant.

    Returns "" if the left side is not a comparison."""
    left: Any = node.left
    while isinstance(left, tree.Binary) and left.op.type in ("AND", "OR"):
        left = left.left
    if not isinstance(left, tree.Binary) or left.op.type != "CMP" or isinstance(node.right, tree.Binary):
        return ""
    return f"{format_short_expr(left.left)} {left.op} {format_short_expr(node.right)}"


def suggest_empty(one: Any, two: Any) -> str:
    """Returns the empty value that fits one of two types if the other is the type of another empty value, or "".

    For example, it returns `{}` for the types of `none` and of a set."""
    for found, wanted in ((one, two), (two, one)):
        if isinstance(found, EmptyType) and isinstance(wanted, Type):
            return "none" if isinstance(wanted, OptionalOf) else write_empty(wanted) or ""
    return ""


def suggest_value(node: Any, found: Type, wanted: Type) -> str:
    """Returns an expression of the type `wanted` that was probably meant, or "".

    For example, it returns `{card}` for `card` where a set is expected, and `size(row) > 0` for a list as a condition."""
    short = format_short_expr(node)
    if short == "…":
        return ""
    if isinstance(wanted, SetOf | ListOf) and is_assignable(found, wanted.of):
        return f"{{{short}}}" if isinstance(wanted, SetOf) else f"[{short}]"
    if isinstance(wanted, Bool) and isinstance(found, CONTAINERS):
        return f"size({short}) > 0"
    if isinstance(wanted, Bool) and isinstance(found, Int | OptionalOf):
        return f"{short} != {0 if isinstance(found, Int) else 'none'}"
    return ""


def format_short_expr(node: Any) -> str:
    """Returns a short expression as it is written in a rule, and "…" for a longer one."""
    match node:
        case tree.Name(name=name):
            return str(name)
        case tree.Number(digits=digits):
            return str(digits)
        case tree.Printed(value=value, name=name):
            return f"{format_short_expr(value)}.{name}"
        case tree.At(parts=[base, *indices]):
            return f"{format_short_expr(base)}[{', '.join(map(format_short_expr, indices))}]"
        case tree.Apply(parts=[tree.Name(name=name), *arguments]):
            return f"{name}({', '.join(map(format_short_expr, arguments))})"
    return "…"
