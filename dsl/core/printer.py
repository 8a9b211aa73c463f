"""Prints the core as text: what the rules of one variant mean, one statement for each line.

Two rulesets with the same text play the same games, because the text includes the data and the names of
options and events. It leaves out what cannot change a game: source positions, clauses, comments, and texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ..model.model import Enumeration
from ..types.boards import Board, GraphBoard
from ..types.operations import PRIMITIVE_FUNCTIONS, Operation
from ..types.types import Bool, MemberOf, SetOf
from . import nodes as n
from .program import Program, Routine, State


def format_program(program: Program) -> str:
    """Returns the text of a whole program."""
    return "".join(f"{line}\n" for line in _CorePrinter(program).program_lines())


def format_routine(program: Program, routine: Routine) -> str:
    """Returns the text of one routine: an entry of a def or procedure, an invariant, or a goal."""
    return "\n".join(_CorePrinter(program).routine_lines(routine))


class _CorePrinter:
    """Prints the parts of one program. Names ending in `_text` return a string, names ending in `_lines` yield
    lines."""
    def __init__(self, program: Program) -> None:
        self.program, self.model = program, program.model

    def program_lines(self) -> Iterator[str]:
        yield from self.data_lines()
        yield ""
        yield from map(self.state_line, self.program.states.values())
        for routine in self.program.routines:
            yield ""
            yield from self.routine_lines(routine)

    # ------------------------------------------------------------ data

    def data_lines(self) -> Iterator[str]:
        """Yields the data that the rules read: options, numbers, tables, types, boards, and initial values."""
        model = self.model
        yield f"game {model.game} for {model.players}"
        yield from (f"option {name} = {_json_text(value)}" for name, value in model.settings.items())
        yield from (f"number {name} = {_json_text(value)}" for name, value in model.numbers.items())
        for table in model.tables.values():
            yield f"table {table.name} from {table.first} = {_json_text(table.values)} beyond: {table.beyond}"
        for enum in model.enums.values():
            yield from self.enum_lines(enum)
        yield from (f"alias {name} = {domain}" for name, domain in model.aliases.items())
        for board in model.boards.values():
            yield from _board_lines(board)
        yield from (f"start {name} = {_json_text(value)}" for name, value in model.start.items())

    def enum_lines(self, enum: Enumeration) -> Iterator[str]:
        more = f" decides: {enum.decides}" if enum.decides is not None else ""
        more += f" back: {enum.back}" if enum.back is not None else ""
        yield f"type {enum.name} ({enum.kind}){more} = {_json_text(enum.members)}"
        if enum.kinds:
            yield f"    kinds = {_json_text(enum.kinds)}"
        yield from (f"    {name}: {kind} = {_json_text(enum.values.get(name))}" for name, kind in enum.attributes.items())
        yield from (f"    {member}.{name} = {_json_text(value)}" for (member, name), value in enum.own.items())

    def state_line(self, state: State) -> str:
        axes = ", ".join(f"{name}: {domain}" for name, domain in state.axes)
        text = f"state {state.name}{f'[{axes}]' if axes else ''}: {state.type}"
        text += " saturating" if state.saturating else ""
        text += f" = {self.expr_text(state.start)}" if state.start is not None else ""
        if isinstance(state.seen, int):
            verb = "hidden from" if state.inverted else "seen by"
            text += f" {verb} {state.axes[state.seen][0]}" + (f" of {state.keeper}" if state.keeper is not None else "")
        return text + (" hidden" if state.seen == "hidden" else "")

    # ------------------------------------------------------------ routines

    def routine_lines(self, routine: Routine) -> Iterator[str]:
        """Yields the lines of a routine: an invariant, a goal, or an entry of a def or procedure."""
        if routine.kind == "law":
            yield f"always {routine.name.removeprefix('always.')}: {self.expr_text(routine.value)}"
        elif routine.kind == "goal":
            yield f"{routine.name} {self.locals_text(routine.params)}: {self.expr_list_text(routine.values)}"
        else:
            yield from self.entry_lines(routine)

    def entry_lines(self, routine: Routine) -> Iterator[str]:
        """Yields the lines of an entry of a def or procedure."""
        domain = self.program.families[routine.name].domain
        case = f"[{_local_text(routine.case)}]" if routine.case is not None else ""
        if routine.member is not None and domain is not None:
            case = f"[{self.member_text(domain, routine.member)}]"
        head = f"{routine.kind} {routine.name}{case}({self.locals_text(routine.params)})"
        if routine.kind == "def":
            if routine.value is not None:
                yield f"{head}: {routine.type} = {self.expr_text(routine.value)}"
            else:
                yield f"{head}: {routine.type} where:"
                yield from (f"    {self.expr_text(condition.test)}" for condition in routine.conditions)
            return
        yield head + (self.decider_text(routine.by) if routine.by is not None else "") + ":"
        if routine.resets:
            yield f"    resets {', '.join(routine.resets)}"
        yield from self.block_lines(routine.body)

    def locals_text(self, locals_: Iterable[n.LocalVar]) -> str:
        return ", ".join(map(_local_text, locals_))

    # ------------------------------------------------------------ expressions

    def member_text(self, domain: str, value: int) -> str:
        """Returns the qualified name of a member, such as `Colour.red`."""
        enum = self.model.enums[domain]
        return f"{domain}.{enum.members[value]}" if enum.kind != "open" else f"{domain}.({value})"

    def expr_list_text(self, nodes: Iterable[n.Expr]) -> str:
        return ", ".join(map(self.expr_text, nodes))

    def operand_text(self, node: n.Expr) -> str:
        """Returns an expression as an operand, in parentheses if precedence would change its meaning."""
        loose = (
            isinstance(node, n.CondExpr | n.OrElse | n.AfterCall) or isinstance(node, n.PrimOp) and node.op not in PRIMITIVE_FUNCTIONS
        )
        return f"({self.expr_text(node)})" if loose else self.expr_text(node)

    def expr_text(self, node: n.Expr | None) -> str:
        """Returns the text of an expression."""
        match node:
            case n.Const(type=MemberOf(name=domain), value=value):
                return self.member_text(domain, value)
            case n.Const(type=Bool(), value=value):
                return "true" if value else "false"
            case n.Const(value=value):
                return str(value)
            case n.NamedConstant(name=name) | n.OptionValue(name=name) | n.AllMembers(domain=name) | n.EmptyLiteral(literal=name):
                return name
            case n.MemberConstant(domain=domain, member=member, name=name):
                return f"{self.member_text(domain, member)}.{name}"
            case n.LocalRef(local=local):
                return local.name
            case n.StateRef(state=name, index=index):
                return name + self.index_text(index)
            case n.OccupiedCells(state=name, index=index):
                return f"cells({name}{self.index_text(index)})"
            case n.CountOf(bag=base, kind=at) | n.ElementAt(things=base, index=at):
                return f"{self.operand_text(base)}[{self.expr_text(at)}]"
            case n.TableLookup(table=name, index=at):
                return f"{name}[{self.expr_text(at)}]"
            case n.Attribute(thing=thing, name=name):
                return f"{self.operand_text(thing)}.{name}"
            case n.CallDef(family=name, case=case, args=args):
                return self.call_text(name, case, args)
            case n.PrimOp(op=op, args=args):
                return self.primitive_text(op, args)
            case n.CollectionLiteral(parts=parts):
                return f"{{{self.expr_list_text(parts)}}}" if isinstance(node.type, SetOf) else f"[{self.expr_list_text(parts)}]"
            case n.CondExpr(test=test, value=one, other=other):
                return f"{self.operand_text(one)} if {self.operand_text(test)} else {self.operand_text(other)}"
            case n.OrElse(value=one, other=other):
                return f"{self.operand_text(one)} otherwise {self.operand_text(other)}"
            case n.AfterCall(call=call, value=value):
                entry = f"[{self.expr_text(call.case)}]" if call.case is not None else ""
                return f"after {call.family}{entry}({self.expr_list_text(call.args)}): {self.expr_text(value)}"
            case n.Fold(kind=kind, gens=gens, where=where, value=last, places=places):
                joint = "through" if kind == "longest" else "to"
                heads = [f"{self.generators_text(gens[:1])} {joint} {self.operand_text(places)}"] if places is not None else []
                heads.append(self.generators_text(gens[len(heads):]))
                return (
                    f"{kind}({', '.join(heads)}{self.where_text(where)}{f': {self.expr_text(last)}' if last is not None else ''})"
                )
        raise AssertionError(node)

    def index_text(self, index: tuple[n.Expr, ...]) -> str:
        return f"[{self.expr_list_text(index)}]" if index else ""

    def call_text(self, name: str, case: n.Expr | None, args: tuple[n.Expr, ...]) -> str:
        return f"{name}{self.index_text((case,) if case is not None else ())}({self.expr_list_text(args)})"

    def primitive_text(self, op: Operation, args: tuple[n.Expr, ...]) -> str:
        if op in PRIMITIVE_FUNCTIONS:
            return f"{op}({self.expr_list_text(args)})"
        if op in ("not", "neg"):
            return ("not " if op == "not" else "-") + self.operand_text(args[0])
        return f" {op} ".join(map(self.operand_text, args))

    def generators_text(self, gens: Iterable[n.GeneratorBinding]) -> str:
        return ", ".join(f"{self.locals_text(gen.locals)} in {self.operand_text(gen.source)}" for gen in gens)

    def where_text(self, where: tuple[n.Expr, ...]) -> str:
        return f" where {' and '.join(map(self.operand_text, where))}" if where else ""

    # ------------------------------------------------------------ statements

    def block_lines(self, rows: n.Block) -> Iterator[str]:
        for row in rows:
            yield from (f"    {line}" for line in self.statement_lines(row))

    def statement_lines(self, node: n.Stmt) -> Iterator[str]:
        match node:
            case n.Let(local=local, value=value):
                yield f"{'var' if local.mutable else 'let'} {_local_text(local)} = {self.expr_text(value)}"
            case n.Store(op=op, target=target, value=value):
                yield f"{self.expr_text(target)} {op} {self.expr_text(value)}"
            case n.MoveStmt(amount=amount, source=source, target=target):
                yield f"move {self.amount_text(amount)} from {self.expr_text(source)} to {self.expr_text(target)}"
            case n.DrawStmt(amount=amount, source=source, target=target):
                yield f"draw {self.amount_text(amount)} from {self.expr_text(source)} to {self.expr_text(target)}"
            case n.Shuffle(target=target):
                yield f"shuffle {self.expr_text(target)}"
            case n.Swap(one=one, other=another):
                yield f"swap {self.expr_text(one)} and {self.expr_text(another)}"
            case n.EmitEvent(event=name, slots=slots, listeners=listeners):
                heard_by = f" to {', '.join(map(self.expr_text, listeners))}" if listeners is not None else ""
                yield f"tell {name}({', '.join(f'{slot} = {self.expr_text(value)}' for slot, value in slots)}){heard_by}"
            case n.StopProc():
                yield "stop"
            case n.CallProc(family=name, case=case, args=args):
                yield self.call_text(name, case, args)
            case n.IfChain(arms=arms, other=other):
                for word, arm in zip(["if", *["elif"] * len(arms)], arms):
                    yield f"{word} {self.expr_text(arm.test)}:"
                    yield from self.block_lines(arm.body)
                yield from self.with_head("else:", other)
            case n.ForEach(gens=gens, where=where, reached=reached, body=body, at_once=at_once):
                manner = f"{' as reached' if reached else ''}{' at once' if at_once else ''}"
                yield f"for {self.generators_text(gens)}{self.where_text(where)}{manner}:"
                yield from self.block_lines(body)
            case n.RepeatLoop(count=count, until=until, body=body):
                yield f"repeat {self.expr_text(count)}{self.until_text(until)}:"
                yield from self.block_lines(body)
            case n.RoundsLoop(gen=gen, where=where, until=until, body=body):
                over = f" of {self.generators_text((gen,))}" if gen is not None else ""
                yield f"rounds{over}{self.where_text(where)}{self.until_text(until)}:"
                yield from self.block_lines(body)
            case n.ChooseStmt():
                yield from self.choice_lines(node)

    def with_head(self, head: str, body: n.Block | None) -> Iterator[str]:
        """Yields a heading line and a block. Nothing if there is no block."""
        if body is not None:
            yield head
            yield from self.block_lines(body)

    def until_text(self, node: n.Expr | None) -> str:
        return f" until {self.expr_text(node)}" if node is not None else ""

    def amount_text(self, amount: n.MoveAmount) -> str:
        return "everything" if amount.value is None else f"{'up to ' if amount.most else ''}{self.expr_text(amount.value)}"

    def decider_text(self, by: n.Decider) -> str:
        return f" by {self.expr_text(by.who)}" if isinstance(by, n.SeatDecider) else " by chance"

    def choice_lines(self, node: n.ChooseStmt) -> Iterator[str]:
        head = ("may choose" if node.may else "choose") + (f" {self.cardinality_text(node.how)}" if node.how is not None else "")
        tail = self.decider_text(node.by) + (f" as {node.label}" if node.label is not None else "")
        tail += f" giving {_local_text(node.result)}" if node.result is not None else ""
        tail += " or stop" if node.stop else ""
        if node.is_menu:
            yield f"{head}{tail}:"
            for way in node.ways:
                yield from (
                    f"    {line}" for line in self.with_head(f"{way.name}({self.groups_text(way)}){self.where_text(way.where)}:", way.body)
                )
        else:
            for way in node.ways:
                yield f"{head} {self.groups_text(way)}{self.where_text(way.where)}{tail}{':' if way.body is not None else ''}"
                yield from self.block_lines(way.body or ())
        yield from self.with_head("otherwise:", node.otherwise.body if node.otherwise is not None else None)

    def groups_text(self, way: n.ChoiceAlternative) -> str:
        return " then ".join(map(self.generators_text, way.groups))

    def cardinality_text(self, cardinality: n.ChoiceCardinality) -> str:
        count = f" {self.expr_text(cardinality.count)}" if cardinality.count is not None else ""
        return f"{cardinality.kind.removesuffix(' times')}{count}{'' if cardinality.is_set else ' times'}"


def _local_text(local: n.LocalVar) -> str:
    return f"{local.name}: {local.type}"


def _board_lines(board: Board) -> Iterator[str]:
    parts = "".join(f" {kind}: {part_type}" for kind, part_type in board.part_types.items())
    kind = f"{'open ' if board.open else ''}{board.shape}{' flat' if board.flat else ''}{' slantwise' if board.slantwise else ''}"
    yield f"board {board.name} ({kind}) cells: {board.cell_type}{parts} = {_json_text(board.cells)}"
    yield f"    directions = {_json_text(board.directions)}"
    yield f"    borders = {_json_text(board.borders)}"
    yield f"    named = {_json_text(board.named)}"
    if isinstance(board, GraphBoard):
        yield f"    lines = {_json_text(board.paths)}"


def _json_text(value: object) -> str:
    """Returns a value of the data as JSON, the same on every machine. Sets become sorted lists."""
    return json.dumps(value, ensure_ascii=False, default=lambda found: sorted(found) if isinstance(found, set | frozenset) else str(found))
