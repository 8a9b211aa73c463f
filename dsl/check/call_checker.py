"""Checks of calls: arguments, the type of the result, and the bodies of defs.

`CallChecker` is a mixin of `ExpressionChecker`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..syntax import tree
from ..syntax.foreign_syntax import FOREIGN_METHODS, FOREIGN_WORDS, NO_OP_STATEMENTS, RETURN_WORDS
from ..types.types import (
    BOOL,
    BROKEN,
    BagOf,
    EmptyType,
    ListOf,
    MemberOf,
    SetOf,
    Type,
    is_assignable,
    join_types,
)
from .builtins import BUILTINS
from .scope import FamilyDecl, NameRef, Resolution, RoutineDecl, Scope, SymbolTable
from .short_expressions import format_short_expr


class CallChecker:
    """Checks calls. Mixin of `ExpressionChecker`."""

    if TYPE_CHECKING:
        names: SymbolTable
        found: Resolution
        open: list[RoutineDecl]
        done: set[RoutineDecl]

        def error(self, code: str, scope: Scope, node: Any, hint: str | None = None, **args: Any) -> Type: ...
        def infer(self, node: tree.Expr, scope: Scope, wanted: Type | None = None) -> Type: ...
        def expect(self, node: tree.Expr, scope: Scope, wanted: Type, surely: bool = False, suggestion: str = "") -> Type: ...
        def record_ref(self, node: tree.Node, ref: NameRef) -> None: ...

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

    def is_indexed(self, ref: NameRef | None) -> bool:
        """Whether a name refers to something whose index is in square brackets: a state, or a table of the data."""
        return ref is not None and ref.kind in ("state", "table")

    def error_not_callable(self, node: tree.Apply, scope: Scope) -> Type:
        """Reports the call of a state or table. The hint has square brackets."""
        name, *arguments = node.parts
        meant = f"{format_short_expr(name)}[{', '.join(map(format_short_expr, arguments))}]"
        return self.error("R220", scope, node, hint="written_so", meant=meant)

    def check_procedure_call(self, node: tree.Node, target: tree.Expr, scope: Scope) -> bool:
        """Checks a procedure call, as a statement or after `after`, and stores what it calls.

        Returns whether it calls a procedure."""
        if isinstance(target, tree.Apply | tree.At) and str(getattr(target.parts[0], "name", "")) in RETURN_WORDS:
            self.error("R019", scope, target.parts[0], hint="def_computes", found=str(target.parts[0].name))
            return False
        if not isinstance(target, tree.Apply):
            habit = FOREIGN_WORDS.get(str(target.name)) if isinstance(target, tree.Name) else None
            filler = NO_OP_STATEMENTS.get(str(target.name)) if isinstance(target, tree.Name) else None
            self.error("R309", scope, target, hint=filler or ("written_so" if habit else None), meant=habit or "")
            return False
        name, *arguments = target.parts
        case = None
        if isinstance(name, tree.At) and len(name.parts) == 2:
            name, case = name.parts
        if isinstance(name, tree.Name) and self.is_indexed(self.names.resolve(str(name.name), scope.locals)):
            self.error_not_callable(target, scope)
            return False
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
                       meant=f"{name}({', '.join(param.name for param in family.params)})")
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
