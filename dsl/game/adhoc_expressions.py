"""Ad-hoc expressions about a position, in the rule language: `points(anna)`, `size(coins)`.

A caller can also give names to values from outside and use them in an expression: `price[card] > 3`.

Expressions are parsed by the parser of the language and checked against the declarations of the game. They are compiled
together with the defs that they use, into a separate module. It stores states like the module of the game and has no
procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from re import Match
from typing import TYPE_CHECKING, Any

from ..analysis import analyse
from ..check.checker import check_defs
from ..check.expressions import ExpressionChecker
from ..check.scope import LocalDecl as CheckedLocal
from ..check.scope import RoutineDecl as Checked
from ..check.scope import Scope
from ..core.lower import lower_expr
from ..core.nodes import CallDef, Const, Expr, LocalRef, LocalVar, Node, RuleSpan
from ..core.program import Family, Program, Routine
from ..core.walk import walk
from ..diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
from ..syntax import tree
from ..syntax.parse import parse_cached
from ..types.board_parts import PART_NAME
from ..types.types import BROKEN, INT, EmptyType, ErrorType, MemberOf, Type
from .variants import Variant, parse_rule_files

if TYPE_CHECKING:
    from ..backend_python.module import PythonModule

DECLARATION_HEAD = "def asked = "                # turns an expression into a declaration
NO_SPAN = RuleSpan("", 1, 1, 1, 2)


@dataclass(frozen=True)
class CompiledExpression:
    """A compiled expression.

    `value` computes it from the slots of a position, followed by the values of `names`."""

    type: Type
    value: Callable[..., Any]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParsedExpression:
    """A parsed and typed expression in core form. `params` are the locals in it that hold values from outside."""

    node: Expr
    type: Type
    params: tuple[LocalVar, ...] = ()


class ExpressionCompiler:
    """Compiles expressions about the positions of one compiled game."""

    def __init__(self, ruleset: Variant) -> None:
        self.ruleset = ruleset
        self.made: dict[str, tuple[CompiledExpression | None, DiagnosticList]] = {}

    def compile_text(self, text: str) -> tuple[CompiledExpression | None, DiagnosticList]:
        """Returns the compiled expression of a text, or None with diagnostics. Results are cached.

        Spans of the diagnostics are columns of the text, in a file without a name."""
        text = " ".join(text.split())
        if text not in self.made:
            findings = DiagnosticList()
            self.made[text] = (self.compile_uncached(text, findings), findings)
        return self.made[text]

    def list_names(self) -> list[str]:
        """Returns the names that an expression can begin with: states and defs."""
        return [*self.ruleset.program.states, *(name for name, family in self.ruleset.program.families.items() if family.kind == "def")]

    @cached_property
    def expression_checker(self) -> ExpressionChecker:
        """The expression checker with the declarations and defs of the game. Procedures are skipped."""
        found = DiagnosticList()                                         # ignored: the game was checked before
        return check_defs(self.ruleset.model, parse_rule_files(self.ruleset.source, self.ruleset.model, found), found)

    def check_type(self, text: str) -> tuple[Type | None, list[Diagnostic]]:
        """Returns the type of an expression and its errors, without compiling it."""
        findings = DiagnosticList()
        found = self.parse_expression(" ".join(text.split()), findings)
        return found.type if found is not None else None, findings.errors

    def compile_uncached(self, text: str, findings: DiagnosticList) -> CompiledExpression | None:
        """Compiles one expression. Returns None, with diagnostics, if it has errors."""
        found = self.parse_expression(text, findings)
        return self.compile_all([found])[0] if found is not None else None

    def parse_expression(self, text: str, findings: DiagnosticList, names: Mapping[str, Type] | None = None) -> ParsedExpression | None:
        """Parses and checks an expression. `names` are the types of values from outside.

        Returns None, with diagnostics, if it has errors."""
        parts: dict[str, tuple[str, int]] = {}
        items = parse_cached(DECLARATION_HEAD + self.replace_parts(text, parts) + "\n", "", findings)
        if findings.errors or len(items) != 1 or not isinstance(items[0], tree.DefValue):
            shift_columns(findings)
            return None
        node = items[0].value
        routine = Checked("def", "asked", None, [], items[0], "", "asked")
        exprs = self.expression_checker
        exprs.findings = exprs.names.findings = findings
        given = {name: CheckedLocal(name, kind) for name, kind in (names or {}).items()}
        local = given | {name: CheckedLocal(name, MemberOf(domain)) for name, (domain, _) in parts.items()}
        found = exprs.infer(node, Scope("", routine, local))
        if isinstance(found, EmptyType | ErrorType) and not findings.errors:
            findings.add("R201", SourceSpan.of_node("", node), found=found, wanted="T")
        shift_columns(findings)
        if findings.errors or found == BROKEN:
            return None
        known = {name: Const(NO_SPAN, MemberOf(domain), number) for name, (domain, number) in parts.items()}
        params = {one: LocalVar(one.name, one.type) for one in given.values()}
        lowered = substitute_constants(lower_expr(node, routine, exprs.program, params), known)
        used = {part.local for part in walk(lowered) if isinstance(part, LocalRef)}
        return ParsedExpression(lowered, found, tuple(one for one in params.values() if one in used))

    def replace_parts(self, text: str, parts: dict[str, tuple[str, int]]) -> str:
        """Replaces each corner (`d4.ne`) and each edge (`d4-n`) by a name, because rules have no syntax for them.

        Adds the meaning of each name to `parts`."""
        def name_part(match: Match[str]) -> str:
            for board in self.ruleset.model.boards.values():
                for kind, part_type in board.part_types.items():
                    number = board.parts_of_kind(kind).names.get(match[0])
                    if number is not None:
                        name = f"part_{len(parts)}"
                        parts[name] = part_type, number
                        return name
            return match[0]
        return PART_NAME.sub(name_part, text)

    def compile_all(self, expressions: Sequence[ParsedExpression]) -> list[CompiledExpression]:
        """Compiles expressions and the defs that they use as one module."""
        from ..backend_python.module import compile_module  # most checks of expressions compile nothing
        program = self.ruleset.program
        families = {name: program.families[name] for name in collect_used_defs([one.node for one in expressions], program)}
        game = Routine(NO_SPAN, "phase", "game", "game", None, (), None, NO_SPAN, ())
        families["game"] = Family("game", "proc", None, {}, game)
        nobody = LocalVar("player", MemberOf("Player"), False)
        standing = Routine(NO_SPAN, "goal", "standing", "standing", None, (nobody,), None, NO_SPAN, (), values=(Const(NO_SPAN, INT, 0),))
        laws = [Routine(NO_SPAN, "law", f"always.asked_{n}", f"always.asked_{n}", None, one.params, None, NO_SPAN, (), value=one.node,
                        type=one.type) for n, one in enumerate(expressions)]
        own = Program(program.model, program.states, families, {"standing": standing}, laws)
        facts = analyse(own, DiagnosticList())
        assert facts is not None
        module = compile_module(facts, self.ruleset.layout)
        return [CompiledExpression(one.type, self.bind_to_position(module, function), tuple(param.name for param in one.params))
                for one, (_, function, _) in zip(expressions, module.always)]

    def bind_to_position(self, module: PythonModule, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps a function of a module, so that it takes the slots of a position of the game."""
        end = self.ruleset.layout.states_end

        def evaluate(s: list[Any], *values: Any) -> Any:
            mine = list(module.initial)
            mine[:end] = s[:end]
            return function(mine, *values)
        return evaluate


def collect_used_defs(nodes: Iterable[Expr], program: Program) -> list[str]:
    """Returns the names of the defs that expressions use, directly or indirectly."""
    names: dict[str, None] = {}
    left = list(nodes)
    while left:
        for part in walk(left.pop()):
            if isinstance(part, CallDef) and part.family not in names:
                names[part.family] = None
                left += [tree for routine in program.families[part.family].routines for tree in routine.parts]    # type: ignore[misc]
    return list(names)


def substitute_constants(node: Any, known: dict[str, Const]) -> Any:
    """Returns a core tree with known locals replaced by constants."""
    if isinstance(node, tuple):
        return tuple(substitute_constants(item, known) for item in node)
    if not known or not isinstance(node, Node):
        return node
    if isinstance(node, LocalRef) and node.local.name in known:
        return known[node.local.name]
    inner = [field.name for field in fields(node) if field.name not in ("at", "type")]
    return replace(node, **{name: substitute_constants(getattr(node, name), known) for name in inner})


def shift_columns(findings: DiagnosticList) -> None:
    """Makes columns in diagnostics count from the beginning of the expression."""
    for n, item in enumerate(findings.items):
        place = item.place
        findings.items[n] = replace(
            item, place=SourceSpan("", 1, max(1, place.column - len(DECLARATION_HEAD)), max(2, place.end - len(DECLARATION_HEAD)))
        )


__all__ = ["ParsedExpression", "CompiledExpression", "ExpressionCompiler"]
