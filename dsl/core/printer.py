"""The core as text: all that the rules mean for one number of players and one setting of the options, each statement on a line.

Two rulesets with the same text play the same games: the data are in it, and the names that answers and events are told by. What changes
no game is not: places in files, clauses, comments, words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ..model.model import Enumeration
from ..types.boards import Board, Graph
from ..types.types import Bool, Of, SetOf
from . import nodes as n
from .program import Program, Routine, State

INFIX = ("and", "or", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "//", "%", "&", "in", "not in", "..")


def show(program: Program) -> str:
    """The whole of a core."""
    return "".join(f"{line}\n" for line in _Show(program).program_lines())


def show_routine(program: Program, routine: Routine) -> str:
    """One entry of a def or a procedure, a law or a goal."""
    return "\n".join(_Show(program).routine(routine))


class _Show:
    def __init__(self, program: Program) -> None:
        self.program, self.model = program, program.model

    def program_lines(self) -> Iterator[str]:
        yield from self.data()
        yield ""
        yield from map(self.state, self.program.states.values())
        for routine in self.program.routines:
            yield ""
            yield from self.routine(routine)

    # ------------------------------------------------------------ data

    def data(self) -> Iterator[str]:
        model = self.model
        yield f"game {model.game} for {model.players}"
        yield from (f"option {name} = {_datum(value)}" for name, value in model.settings.items())
        yield from (f"number {name} = {_datum(value)}" for name, value in model.numbers.items())
        for table in model.tables.values():
            yield f"table {table.name} from {table.first} = {_datum(table.values)} beyond: {table.beyond}"
        for enum in model.enums.values():
            yield from self.enum(enum)
        yield from (f"alias {name} = {domain}" for name, domain in model.aliases.items())
        for board in model.boards.values():
            yield from _board(board)
        yield from (f"start {name} = {_datum(value)}" for name, value in model.start.items())

    def enum(self, enum: Enumeration) -> Iterator[str]:
        more = f" decides: {enum.decides}" if enum.decides is not None else ""
        more += f" back: {enum.back}" if enum.back is not None else ""
        yield f"type {enum.name} ({enum.kind}){more} = {_datum(enum.members)}"
        if enum.kinds:
            yield f"    kinds = {_datum(enum.kinds)}"
        yield from (f"    {name}: {kind} = {_datum(enum.values.get(name))}" for name, kind in enum.attributes.items())
        yield from (f"    {member}.{name} = {_datum(value)}" for (member, name), value in enum.own.items())

    def state(self, state: State) -> str:
        axes = ", ".join(f"{name}: {domain}" for name, domain in state.axes)
        text = f"state {state.name}{f'[{axes}]' if axes else ''}: {state.type}"
        text += " saturating" if state.saturating else ""
        text += f" = {self.of(state.start)}" if state.start is not None else ""
        if isinstance(state.seen, int):
            text += f" seen by {state.axes[state.seen][0]}" + (f" of {state.keeper}" if state.keeper is not None else "")
        return text + (" hidden" if state.seen == "hidden" else "")

    # ------------------------------------------------------------ routines

    def routine(self, routine: Routine) -> Iterator[str]:
        if routine.kind == "law":
            yield f"always {routine.name.removeprefix('always.')}: {self.of(routine.value)}"
        elif routine.kind == "goal":
            yield f"{routine.name} {self.locals(routine.params)}: {self.list(routine.values)}"
        else:
            yield from self.entry(routine)

    def entry(self, routine: Routine) -> Iterator[str]:
        domain = self.program.families[routine.name].domain
        case = f"[{_local(routine.case)}]" if routine.case is not None else ""
        if routine.member is not None and domain is not None:
            case = f"[{self.member(domain, routine.member)}]"
        head = f"{routine.kind} {routine.name}{case}({self.locals(routine.params)})"
        if routine.kind == "def":
            if routine.value is not None:
                yield f"{head}: {routine.type} = {self.of(routine.value)}"
            else:
                yield f"{head}: {routine.type} where:"
                yield from (f"    {self.of(condition.test)}" for condition in routine.conditions)
            return
        yield head + (self.by(routine.by) if routine.by is not None else "") + ":"
        if routine.resets:
            yield f"    resets {', '.join(routine.resets)}"
        yield from self.block(routine.body)

    def locals(self, locals_: Iterable[n.Local]) -> str:
        return ", ".join(map(_local, locals_))

    # ------------------------------------------------------------ expressions

    def member(self, domain: str, value: int) -> str:
        enum = self.model.enums[domain]
        return f"{domain}.{enum.members[value]}" if enum.kind != "open" else f"{domain}.({value})"

    def list(self, nodes: Iterable[n.Expr]) -> str:
        return ", ".join(map(self.of, nodes))

    def inner(self, node: n.Expr) -> str:
        """As a part of something: in brackets where it would be read otherwise."""
        loose = isinstance(node, n.Cond | n.OrElse | n.After) or isinstance(node, n.Prim) and node.op in (*INFIX, "not", "neg")
        return f"({self.of(node)})" if loose else self.of(node)

    def of(self, node: n.Expr | None) -> str:
        match node:
            case n.Const(type=Of(name=domain), value=value):
                return self.member(domain, value)
            case n.Const(type=Bool(), value=value):
                return "true" if value else "false"
            case n.Const(value=value):
                return str(value)
            case n.Number(name=name) | n.Setting(name=name) | n.Whole(domain=name) | n.Nothing(literal=name):
                return name
            case n.OwnNumber(domain=domain, member=member, name=name):
                return f"{self.member(domain, member)}.{name}"
            case n.Read(local=local):
                return local.name
            case n.Load(state=name, index=index):
                return name + self.index(index)
            case n.Occupied(state=name, index=index):
                return f"cells({name}{self.index(index)})"
            case n.CountOf(bag=base, kind=at) | n.Item(things=base, index=at):
                return f"{self.inner(base)}[{self.of(at)}]"
            case n.Lookup(table=name, index=at):
                return f"{name}[{self.of(at)}]"
            case n.Attribute(thing=thing, name=name):
                return f"{self.inner(thing)}.{name}"
            case n.Ask(family=name, case=case, args=args):
                return self.call(name, case, args)
            case n.Prim(op=op, args=args):
                return self.prim(op, args)
            case n.Display(parts=parts):
                return f"{{{self.list(parts)}}}" if isinstance(node.type, SetOf) else f"[{self.list(parts)}]"
            case n.Cond(test=test, value=one, other=other):
                return f"{self.inner(one)} if {self.inner(test)} else {self.inner(other)}"
            case n.OrElse(value=one, other=other):
                return f"{self.inner(one)} otherwise {self.inner(other)}"
            case n.After(call=call, value=value):
                entry = f"[{self.of(call.case)}]" if call.case is not None else ""
                return f"after {call.family}{entry}({self.list(call.args)}): {self.of(value)}"
            case n.Fold(kind=kind, gens=gens, where=where, value=last):
                return f"{kind}({self.gens(gens)}{self.where(where)}{f': {self.of(last)}' if last is not None else ''})"
        raise AssertionError(node)

    def index(self, index: tuple[n.Expr, ...]) -> str:
        return f"[{self.list(index)}]" if index else ""

    def call(self, name: str, case: n.Expr | None, args: tuple[n.Expr, ...]) -> str:
        return f"{name}{self.index((case,) if case is not None else ())}({self.list(args)})"

    def prim(self, op: str, args: tuple[n.Expr, ...]) -> str:
        if op in INFIX:
            return f" {op} ".join(map(self.inner, args))
        if op in ("not", "neg"):
            return ("not " if op == "not" else "-") + self.inner(args[0])
        return f"{op}({self.list(args)})"

    def gens(self, gens: Iterable[n.Gen]) -> str:
        return ", ".join(f"{self.locals(gen.locals)} in {self.inner(gen.source)}" for gen in gens)

    def where(self, where: tuple[n.Expr, ...]) -> str:
        return f" where {' and '.join(map(self.inner, where))}" if where else ""

    # ------------------------------------------------------------ statements

    def block(self, rows: n.Block) -> Iterator[str]:
        for row in rows:
            yield from (f"    {line}" for line in self.statement(row))

    def statement(self, node: n.Stmt) -> Iterator[str]:
        match node:
            case n.Let(local=local, value=value):
                yield f"{'var' if local.mutable else 'let'} {_local(local)} = {self.of(value)}"
            case n.Store(op=op, target=target, value=value):
                yield f"{self.of(target)} {op} {self.of(value)}"
            case n.Move(amount=amount, source=source, target=target):
                yield f"move {self.amount(amount)} from {self.of(source)} to {self.of(target)}"
            case n.Draw(amount=amount, source=source, target=target):
                yield f"draw {self.amount(amount)} from {self.of(source)} to {self.of(target)}"
            case n.Shuffle(target=target):
                yield f"shuffle {self.of(target)}"
            case n.Swap(one=one, other=another):
                yield f"swap {self.of(one)} and {self.of(another)}"
            case n.Tell(event=name, slots=slots):
                yield f"tell {name}({', '.join(f'{slot} = {self.of(value)}' for slot, value in slots)})"
            case n.Halt():
                yield "stop"
            case n.Do(family=name, case=case, args=args):
                yield self.call(name, case, args)
            case n.If(arms=arms, other=other):
                for word, arm in zip(["if", *["elif"] * len(arms)], arms):
                    yield f"{word} {self.of(arm.test)}:"
                    yield from self.block(arm.body)
                yield from self.under("else:", other)
            case n.Each(gens=gens, where=where, reached=reached, body=body):
                yield f"for {self.gens(gens)}{self.where(where)}{' as reached' if reached else ''}:"
                yield from self.block(body)
            case n.Repeat(count=count, until=until, body=body):
                yield f"repeat {self.of(count)}{self.until(until)}:"
                yield from self.block(body)
            case n.Rounds(gen=gen, where=where, until=until, body=body):
                over = f" of {self.gens((gen,))}" if gen is not None else ""
                yield f"rounds{over}{self.where(where)}{self.until(until)}:"
                yield from self.block(body)
            case n.Choose():
                yield from self.choose(node)

    def under(self, head: str, body: n.Block | None) -> Iterator[str]:
        if body is not None:
            yield head
            yield from self.block(body)

    def until(self, node: n.Expr | None) -> str:
        return f" until {self.of(node)}" if node is not None else ""

    def amount(self, amount: n.Amount) -> str:
        return "everything" if amount.value is None else f"{'up to ' if amount.most else ''}{self.of(amount.value)}"

    def by(self, by: n.Decider) -> str:
        return f" by {self.of(by.who)}" if isinstance(by, n.Seat) else " by chance"

    def choose(self, node: n.Choose) -> Iterator[str]:
        head = ("may choose" if node.may else "choose") + (f" {self.how(node.how)}" if node.how is not None else "")
        tail = self.by(node.by) + (f" as {node.label}" if node.label is not None else "")
        tail += f" giving {_local(node.result)}" if node.result is not None else ""
        tail += " or stop" if node.stop else ""
        if node.menu:
            yield f"{head}{tail}:"
            for way in node.ways:
                yield from (f"    {line}" for line in self.under(f"{way.name}({self.groups(way)}){self.where(way.where)}:", way.body))
        else:
            for way in node.ways:
                yield f"{head} {self.groups(way)}{self.where(way.where)}{tail}{':' if way.body is not None else ''}"
                yield from self.block(way.body or ())
        yield from self.under("otherwise:", node.otherwise.body if node.otherwise is not None else None)

    def groups(self, way: n.Way) -> str:
        return " then ".join(map(self.gens, way.groups))

    def how(self, how: n.How) -> str:
        count = f" {self.of(how.count)}" if how.count is not None else ""
        return f"{how.kind.removesuffix(' times')}{count}{'' if how.sets else ' times'}"


def _local(local: n.Local) -> str:
    return f"{local.name}: {local.type}"


def _board(board: Board) -> Iterator[str]:
    corners = f" corners: {board.corner_type}" if board.corner_type is not None else ""
    kind = f"{'open ' if board.open else ''}{board.shape}{' flat' if board.flat else ''}{' slantwise' if board.slantwise else ''}"
    yield f"board {board.name} ({kind}) cells: {board.cell_type}{corners} = {_datum(board.cells)}"
    yield f"    directions = {_datum(board.directions)}"
    yield f"    edges = {_datum(board.edges)}"
    yield f"    named = {_datum(board.named)}"
    if isinstance(board, Graph):
        yield f"    lines = {_datum(board.paths)}"


def _datum(value: object) -> str:
    """A value of the data, the same text on every machine."""
    return json.dumps(value, ensure_ascii=False, default=lambda found: sorted(found) if isinstance(found, set | frozenset) else str(found))
