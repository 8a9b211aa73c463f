"""The machine as text, for people who look at what the compiler made: one step to a line, words of the position by the state that they
belong to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ..storage import control_slots
from . import nodes as m
from .builder import Code
from .program import Machine

CONTROLS = {getattr(control_slots, name): name for name in ("PC", "SEAT", "OPTIONS", "ANSWER", "RANDOM", "ROUND", "EVENTS", "SCRIPT")}


class Shown:
    """Writes the functions of one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        cells = sorted((cell.base, cell.base + cell.count * cell.width, state.name) for state, cell in machine.layout.cells.items())
        self.starts = [start for start, _, _ in cells]
        self.cells = cells
        self.memos = {memo.slot: memo.name or memo.build for memo in machine.memos}

    def function(self, code: Code) -> list[str]:
        """A function: its head, then its steps, each with its rule line where that changes."""
        return [f"{code.name}({', '.join(code.params)})", *self.block(code.body, 1)]

    def block(self, body: m.Body, depth: int) -> Iterator[str]:
        for node in body:
            yield from self.step(node, depth)
        if not body:
            yield "    " * depth + "-"

    def step(self, node: m.Stmt, depth: int) -> Iterator[str]:
        pad = "    " * depth
        match node:
            case m.Set(names=names, value=value):
                yield f"{pad}{', '.join(names)} := {self.of(value)}"
            case m.Put(at=ats, value=value):
                yield f"{pad}{', '.join(self.word(at) for at in ats)} := {self.of(value)}"
            case m.PutWords(low=low, high=high, value=value):
                yield f"{pad}{self.word(low)} to {self.word(high)} := {self.of(value)}"
            case m.Change(target=target, sign=sign, value=value):
                yield f"{pad}{self.of(target)} {sign} {self.of(value)}"
            case m.Recall(name=name, at=at, function=function, sure=sure):
                place = self.of(at) if isinstance(at, m.At) else self.word(at)
                yield f"{pad}{'' if name is None else f'{name} := '}{place}{'' if sure else f' or anew {self.of(function)}'}"
            case m.If(test=test, body=body, other=other):
                yield f"{pad}if {self.of(test)}"
                yield from self.block(body, depth + 1)
                if other:
                    yield f"{pad}else"
                    yield from self.block(other, depth + 1)
            case m.For(names=names, things=things, body=body, other=other):
                yield f"{pad}for {', '.join(names)} in {self.of(things)}"
                yield from self.block(body, depth + 1)
                if other:
                    yield f"{pad}when all were seen"
                    yield from self.block(other, depth + 1)
            case m.While(test=test, body=body):
                yield f"{pad}while {self.of(test)}"
                yield from self.block(body, depth + 1)
            case m.Break():
                yield f"{pad}leave the loop"
            case m.Continue():
                yield f"{pad}next"
            case m.Return(value=value):
                yield f"{pad}return{'' if value is None else ' ' + self.of(value)}"
            case m.Do(call=called):
                yield f"{pad}{self.of(called)}"
            case m.Raise(name=name):
                yield f"{pad}stop with {name}"

    def word(self, at: m.Expr) -> str:
        """A word of the position: the state and where in it, a control word, something remembered, or an entry of a frame."""
        first = at
        while isinstance(first, m.Op) and first.sign == "+":
            first = first.left
        if not isinstance(first, m.Num):
            return f"word[{self.of(at)}]"
        number = first.value
        if number in CONTROLS and first is at:
            return CONTROLS[number]
        if number in self.memos:
            return f"kept[{self.memos[number]}]"
        n = bisect_right(self.starts, number) - 1
        if n < 0 or number >= self.cells[n][1]:
            return f"frame[{self.of(at)}]"
        start, end, name = self.cells[n]
        rest = self.of(m.mapped(at, lambda part: m.Num(number - start) if part is first else None))
        return name if end - start == 1 else f"{name}[{rest.removeprefix('0 + ')}]"

    def of(self, node: m.Expr, inner: bool = False) -> str:
        """An expression; one inside another stands in brackets where it is a sum or a test."""
        match node:
            case m.Num(value=number):
                return str(number)
            case m.Flag(value=flag):
                return "true" if flag else "false"
            case m.Nil():
                return "nothing"
            case m.Text(value=text) | m.Var(name=text) | m.Table(name=text) | m.Function(name=text):
                return text
            case m.Get(at=at):
                return self.word(at)
            case m.Words(low=low, high=high):
                return f"words {self.word(low)} to {self.of(high)}"
            case m.Op(left=left, sign=sign, right=right):
                text = f"{self.of(left, not (sign == '+' and isinstance(left, m.Op) and left.sign == '+'))} {sign} {self.of(right, True)}"
            case m.Un(sign=sign, value=value):
                text = f"{sign}{' ' * (sign == 'not')}{self.of(value, True)}"
            case m.Logic(word=joint, parts=parts):
                text = f" {joint} ".join(self.of(part, True) for part in parts)
            case m.Between(low=low, value=value, high=high, first=one, second=two):
                text = f"{self.of(low)} {one} {self.of(value)} {two} {self.of(high)}"
            case m.Choice(test=test, value=value, other=other):
                text = f"{self.of(value)} if {self.of(test)} else {self.of(other)}"
            case m.At(things=things, index=index):
                return f"{self.of(things, True)}[{self.of(index)}]"
            case m.Part(things=things, low=first, high=last, backwards=backwards):
                ends = "backwards" if backwards else f"{'' if first is None else self.of(first)}:{'' if last is None else self.of(last)}"
                return f"{self.of(things, True)}[{ends}]"
            case m.Star(things=things):
                return f"...{self.of(things)}"
            case m.Tup(items=items) | m.Lst(items=items):
                return f"({', '.join(self.of(item) for item in items)})"
            case m.One(item=item):
                return "{" + self.of(item) + "}"
            case m.Call(function=function, args=args, named=named):
                every = [*(self.of(arg) for arg in args), *(f"{key} {self.of(value)}" for key, value in named)]
                return f"{function if isinstance(function, str) else self.of(function)}({', '.join(every)})"
            case m.Method(thing=thing, name=name, args=args):
                return f"{name}({', '.join([self.of(thing), *(self.of(arg) for arg in args)])})"
            case m.Listed(value=value, names=names, things=things, tests=tests):
                where = f" where {' and '.join(self.of(test) for test in tests)}" if tests else ""
                return f"({self.of(value)} for {', '.join(names)} in {self.of(things)}{where})"
            case m.Bounded(things=things, most=most):
                return f"{self.of(things)} at most {most}"
            case m.Also(name=name, value=value):
                text = f"{name} := {self.of(value)}"
            case _:
                text = repr(node)
        return f"({text})" if inner else text


def show_machine(machine: Machine, functions: list[Code]) -> str:
    """Some functions of a machine as text."""
    shown = Shown(machine)
    return "\n\n".join("\n".join(shown.function(code)) for code in functions)
