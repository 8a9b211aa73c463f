"""Expressions of a game's rules that are asked from outside, of a position that it plays: `points(anna)`, `size(coins)`; and, where who
asks has names for values, of those: `price[card] > 3`.

They are read by the language's own parser, checked against the game's declarations, and compiled with the defs that they use: a module of
their own, which lays states where the game lays them and has no procedures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from ..analysis import analyse
from ..backend_python.module import PythonModule, compile_module
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
from ..syntax.parse import parse
from ..types.types import BROKEN, INT, EmptyType, ErrorType, MemberOf, Type
from .variants import Variant, parse_rule_files

DECLARATION_HEAD = "def asked = "                # what makes a declaration of an expression
NO_SPAN = RuleSpan("", 1, 1, 1, 2)


@dataclass(frozen=True)
class CompiledExpression:
    """A compiled expression: its type, and what works it out from the entries of a position, and the values of `names`."""

    type: Type
    value: Callable[..., Any]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParsedExpression:
    """An expression that was read: as the core has it, its type, and what of it stands for values from outside."""

    node: Expr
    type: Type
    params: tuple[LocalVar, ...] = ()


class ExpressionCompiler:
    """What may be asked of one compiled game."""

    def __init__(self, ruleset: Variant) -> None:
        self.ruleset = ruleset
        self.made: dict[str, tuple[CompiledExpression | None, DiagnosticList]] = {}

    def compile_text(self, text: str) -> tuple[CompiledExpression | None, DiagnosticList]:
        """The expression of this text; None with what is wrong with it. Places are columns of the text, in a file without a name."""
        text = " ".join(text.split())
        if text not in self.made:
            findings = DiagnosticList()
            self.made[text] = (self.compile_uncached(text, findings), findings)
        return self.made[text]

    def list_names(self) -> list[str]:
        """What an expression may begin with: states and defs."""
        return [*self.ruleset.program.states, *(name for name, family in self.ruleset.program.families.items() if family.kind == "def")]

    @cached_property
    def expression_checker(self) -> ExpressionChecker:
        """The game's declarations with its defs checked; its procedures are let be."""
        found = DiagnosticList()                                         # nothing new: the game has been checked
        return check_defs(self.ruleset.model, parse_rule_files(self.ruleset.source, self.ruleset.model, found), found)

    def check_type(self, text: str) -> tuple[Type | None, list[Diagnostic]]:
        """The type of an expression and what is wrong with it; nothing is compiled."""
        findings = DiagnosticList()
        found = self.parse_expression(" ".join(text.split()), findings)
        return found.type if found is not None else None, findings.errors

    def compile_uncached(self, text: str, findings: DiagnosticList) -> CompiledExpression | None:
        found = self.parse_expression(text, findings)
        return self.compile_all([found])[0] if found is not None else None

    def parse_expression(self, text: str, findings: DiagnosticList, names: Mapping[str, Type] | None = None) -> ParsedExpression | None:
        """An expression, in which `names` stand for values of these types; None with what is wrong with it."""
        corners: dict[str, tuple[str, int]] = {}
        items = parse(DECLARATION_HEAD + self.replace_corners(text, corners) + "\n", "", findings)
        if findings.errors or len(items) != 1 or not isinstance(items[0], tree.DefValue):
            shift_columns(findings)
            return None
        node = items[0].value
        routine = Checked("def", "asked", None, [], items[0], "", "asked")
        exprs = self.expression_checker
        exprs.findings = exprs.names.findings = findings
        given = {name: CheckedLocal(name, kind) for name, kind in (names or {}).items()}
        local = given | {name: CheckedLocal(name, MemberOf(domain)) for name, (domain, _) in corners.items()}
        found = exprs.infer(node, Scope("", routine, local))
        if isinstance(found, EmptyType | ErrorType) and not findings.errors:
            findings.add("R201", SourceSpan.of_node("", node), found=found, wanted="T")
        shift_columns(findings)
        if findings.errors or found == BROKEN:
            return None
        known = {name: Const(NO_SPAN, MemberOf(domain), number) for name, (domain, number) in corners.items()}
        params = {one: LocalVar(one.name, one.type) for one in given.values()}
        lowered = substitute_constants(lower_expr(node, routine, exprs.program, params), known)
        used = {part.local for part in walk(lowered) if isinstance(part, LocalRef)}
        return ParsedExpression(lowered, found, tuple(one for one in params.values() if one in used))

    def replace_corners(self, text: str, corners: dict[str, tuple[str, int]]) -> str:
        """The text with a name in place of each corner (`d4.ne`), which rules have no word for; what the names mean goes to `corners`."""
        def name_corner(found: re.Match[str]) -> str:
            for board in self.ruleset.model.boards.values():
                if board.corner_type and found[0] in board.corner_names:
                    name = f"corner_{len(corners)}"
                    corners[name] = board.corner_type, board.corner_names[found[0]]
                    return name
            return found[0]
        return re.sub(r"\b[a-z]+[0-9]+\.[a-z]+\b", name_corner, text)

    def compile_all(self, asked: Sequence[ParsedExpression]) -> list[CompiledExpression]:
        """Expressions, with the defs that they use, as one module."""
        program = self.ruleset.program
        families = {name: program.families[name] for name in collect_used_defs([one.node for one in asked], program)}
        game = Routine(NO_SPAN, "phase", "game", "game", None, (), None, NO_SPAN, ())
        families["game"] = Family("game", "proc", None, {}, game)
        nobody = LocalVar("player", MemberOf("Player"), False)
        standing = Routine(NO_SPAN, "goal", "standing", "standing", None, (nobody,), None, NO_SPAN, (), values=(Const(NO_SPAN, INT, 0),))
        laws = [Routine(NO_SPAN, "law", f"always.asked_{n}", f"always.asked_{n}", None, one.params, None, NO_SPAN, (), value=one.node,
                        type=one.type) for n, one in enumerate(asked)]
        own = Program(program.model, program.states, families, {"standing": standing}, laws)
        facts = analyse(own, DiagnosticList())
        assert facts is not None
        module = compile_module(facts, self.ruleset.layout)
        return [CompiledExpression(one.type, self.bind_to_position(module, function), tuple(param.name for param in one.params))
                for one, (_, function, _) in zip(asked, module.always)]

    def bind_to_position(self, module: PythonModule, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a module, to be asked about the entries of a position of the game."""
        end = self.ruleset.layout.states_end

        def evaluate(s: list[Any], *values: Any) -> Any:
            mine = list(module.initial)
            mine[:end] = s[:end]
            return function(mine, *values)
        return evaluate


def collect_used_defs(nodes: Iterable[Expr], program: Program) -> list[str]:
    """The names of the defs that expressions use, also through each other."""
    names: dict[str, None] = {}
    left = list(nodes)
    while left:
        for part in walk(left.pop()):
            if isinstance(part, CallDef) and part.family not in names:
                names[part.family] = None
                left += [tree for routine in program.families[part.family].routines for tree in routine.parts]    # type: ignore[misc]
    return list(names)


def substitute_constants(node: Any, known: dict[str, Const]) -> Any:
    """A tree with what is known in place of names."""
    if isinstance(node, tuple):
        return tuple(substitute_constants(item, known) for item in node)
    if not known or not isinstance(node, Node):
        return node
    if isinstance(node, LocalRef) and node.local.name in known:
        return known[node.local.name]
    inner = [field.name for field in fields(node) if field.name not in ("at", "type")]
    return replace(node, **{name: substitute_constants(getattr(node, name), known) for name in inner})


def shift_columns(findings: DiagnosticList) -> None:
    """Count columns from the beginning of the text that was asked."""
    for n, item in enumerate(findings.items):
        place = item.place
        findings.items[n] = replace(
            item, place=SourceSpan("", 1, max(1, place.column - len(DECLARATION_HEAD)), max(2, place.end - len(DECLARATION_HEAD)))
        )


__all__ = ["ParsedExpression", "CompiledExpression", "ExpressionCompiler"]
