"""Prints IR as text for compiler developers: one statement per line, slots by the name of their state."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ..storage import control_slots
from . import nodes as m
from .builder import FunctionBuilder
from .program import IrModule
from .traversal import map_expression

CONTROL_SLOT_NAMES = {
    getattr(control_slots, name): name for name in ("PC", "SEAT", "OPTIONS", "ANSWER", "RANDOM", "ROUND", "EVENTS", "SCRIPT")
}


class IrPrinter:
    """Prints the functions of one IR module."""

    def __init__(self, machine: IrModule) -> None:
        self.machine = machine
        cells = sorted((cell.base, cell.base + cell.count * cell.width, state.name) for state, cell in machine.layout.cells.items())
        self.starts = [start for start, _, _ in cells]
        self.cells = cells
        self.memos = {memo.slot: memo.name or memo.build for memo in machine.memos}

    def function_lines(self, code: FunctionBuilder) -> list[str]:
        """Returns the lines of a function: its signature, then its statements."""
        return [f"{code.name}({', '.join(code.params)})", *self.block_lines(code.body, 1)]

    def block_lines(self, body: m.Body, depth: int) -> Iterator[str]:
        for node in body:
            yield from self.statement_lines(node, depth)
        if not body:
            yield "    " * depth + "-"

    def statement_lines(self, node: m.IrStmt, depth: int) -> Iterator[str]:
        pad = "    " * depth
        match node:
            case m.AssignStmt(names=names, value=value):
                yield f"{pad}{', '.join(names)} := {self.expression_text(value)}"
            case m.StoreSlot(at=ats, value=value):
                yield f"{pad}{', '.join(self.slot_text(at) for at in ats)} := {self.expression_text(value)}"
            case m.StoreSlots(low=low, high=high, value=value):
                yield f"{pad}{self.slot_text(low)} to {self.slot_text(high)} := {self.expression_text(value)}"
            case m.AugAssign(target=target, sign=sign, value=value):
                yield f"{pad}{self.expression_text(target)} {sign} {self.expression_text(value)}"
            case m.LoadMemo(name=name, at=at, function=function):
                place = self.expression_text(at) if isinstance(at, m.IndexExpr) else self.slot_text(at)
                yield f"{pad}{'' if name is None else f'{name} := '}{place} or computed by {self.expression_text(function)}"
            case m.IfStmt(test=test, body=body, other=other):
                yield f"{pad}if {self.expression_text(test)}"
                yield from self.block_lines(body, depth + 1)
                if other:
                    yield f"{pad}else"
                    yield from self.block_lines(other, depth + 1)
            case m.ForStmt(names=names, things=things, body=body, other=other):
                yield f"{pad}for {', '.join(names)} in {self.expression_text(things)}"
                yield from self.block_lines(body, depth + 1)
                if other:
                    yield f"{pad}when all were seen"
                    yield from self.block_lines(other, depth + 1)
            case m.WhileStmt(test=test, body=body):
                yield f"{pad}while {self.expression_text(test)}"
                yield from self.block_lines(body, depth + 1)
            case m.BreakStmt():
                yield f"{pad}leave the loop"
            case m.ContinueStmt():
                yield f"{pad}next"
            case m.ReturnStmt(value=value):
                yield f"{pad}return{'' if value is None else ' ' + self.expression_text(value)}"
            case m.ExprStmt(call=called):
                yield f"{pad}{self.expression_text(called)}"

    def slot_text(self, at: m.IrExpr) -> str:
        """Returns the text of a slot: a state with its index, a control slot, a memo, or a frame entry."""
        first = at
        while isinstance(first, m.BinaryOp) and first.sign == "+":
            first = first.left
        if not isinstance(first, m.IntConst):
            return f"word[{self.expression_text(at)}]"
        number = first.value
        if number in CONTROL_SLOT_NAMES and first is at:
            return CONTROL_SLOT_NAMES[number]
        if number in self.memos:
            return f"kept[{self.memos[number]}]"
        n = bisect_right(self.starts, number) - 1
        if n < 0 or number >= self.cells[n][1]:
            return f"frame[{self.expression_text(at)}]"
        start, end, name = self.cells[n]
        rest = self.expression_text(map_expression(at, lambda part: m.IntConst(number - start) if part is first else None))
        return name if end - start == 1 else f"{name}[{rest.removeprefix('0 + ')}]"

    def expression_text(self, node: m.IrExpr, inner: bool = False) -> str:
        """Returns the text of an expression. With `inner`, operations are put in parentheses."""
        match node:
            case m.IntConst(value=number):
                return str(number)
            case m.BoolConst(value=flag):
                return "true" if flag else "false"
            case m.NoneConst():
                return "nothing"
            case m.TextConst(value=text) | m.Var(name=text) | m.ConstantRef(name=text) | m.FunctionRef(name=text):
                return text
            case m.LoadSlot(at=at):
                return self.slot_text(at)
            case m.LoadSlots(low=low, high=high):
                return f"words {self.slot_text(low)} to {self.expression_text(high)}"
            case m.BinaryOp(left=left, sign=sign, right=right):
                is_sum = sign == "+" and isinstance(left, m.BinaryOp) and left.sign == "+"
                text = f"{self.expression_text(left, not is_sum)} {sign} {self.expression_text(right, True)}"
            case m.UnaryOp(sign=sign, value=value):
                text = f"{sign}{' ' * (sign == 'not')}{self.expression_text(value, True)}"
            case m.BoolOp(word=joint, parts=parts):
                text = f" {joint} ".join(self.expression_text(part, True) for part in parts)
            case m.RangeTest(low=low, value=value, high=high, first=one, second=two):
                text = f"{self.expression_text(low)} {one} {self.expression_text(value)} {two} {self.expression_text(high)}"
            case m.IfExpr(test=test, value=value, other=other):
                text = f"{self.expression_text(value)} if {self.expression_text(test)} else {self.expression_text(other)}"
            case m.IndexExpr(things=things, index=index):
                return f"{self.expression_text(things, True)}[{self.expression_text(index)}]"
            case m.SliceExpr(things=things, low=first, high=last, backwards=backwards):
                ends = (
                    "backwards"
                    if backwards
                    else f"{'' if first is None else self.expression_text(first)}:{'' if last is None else self.expression_text(last)}"
                )
                return f"{self.expression_text(things, True)}[{ends}]"
            case m.StarredExpr(things=things):
                return f"...{self.expression_text(things)}"
            case m.TupleDisplay(items=items) | m.ListDisplay(items=items):
                return f"({', '.join(self.expression_text(item) for item in items)})"
            case m.SingletonSet(item=item):
                return "{" + self.expression_text(item) + "}"
            case m.CallExpr(function=function, args=args, named=named):
                every = [*(self.expression_text(arg) for arg in args), *(f"{key} {self.expression_text(value)}" for key, value in named)]
                return f"{function if isinstance(function, str) else self.expression_text(function)}({', '.join(every)})"
            case m.MethodCall(thing=thing, name=name, args=args):
                return f"{name}({', '.join([self.expression_text(thing), *(self.expression_text(arg) for arg in args)])})"
            case m.ListComp(value=value, names=names, things=things, tests=tests):
                where = f" where {' and '.join(self.expression_text(test) for test in tests)}" if tests else ""
                return f"({self.expression_text(value)} for {', '.join(names)} in {self.expression_text(things)}{where})"
            case m.BoundedIter(things=things, most=most):
                return f"{self.expression_text(things)} at most {most}"
            case m.PresentValue(value=value):
                return self.expression_text(value)
            case m.AssignExpr(name=name, value=value):
                text = f"{name} := {self.expression_text(value)}"
            case _:
                text = repr(node)
        return f"({text})" if inner else text


def format_functions(machine: IrModule, functions: list[FunctionBuilder]) -> str:
    """Returns some functions of an IR module as text."""
    shown = IrPrinter(machine)
    return "\n\n".join("\n".join(shown.function_lines(code)) for code in functions)
