"""Translates IR to Python's own syntax trees (`ast`). Each statement carries the line and column of its rule,
so tracebacks, debuggers and profilers point to rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import assert_never

from ..ir import nodes as m
from ..ir.traversal import first_origin

VALUE_OPERATORS: dict[m.ValueSign, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv(), "%": ast.Mod(), "&": ast.BitAnd(), "|": ast.BitOr(),
    "^": ast.BitXor(), "<<": ast.LShift(), ">>": ast.RShift(),
}
TEST_OPERATORS: dict[m.TestSign, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
    "in": ast.In(), "not in": ast.NotIn(), "is": ast.Is(), "is not": ast.IsNot(),
}
UNARY_OPERATORS: dict[m.UnarySign, ast.unaryop] = {"-": ast.USub(), "not": ast.Not(), "~": ast.Invert()}
LOAD, STORE = ast.Load(), ast.Store()
FILE_LINE_STRIDE = 1 << 22                       # larger than any line number


def build_function(name: str, params: Sequence[str], body: m.Body, number: Callable[[str], int]) -> ast.FunctionDef:
    """Returns a Python function.

    Statements without a rule line inherit the line of the function. `number` returns the number of a rule file,
    see `set_locations`."""
    args = ast.arguments(posonlyargs=[], args=[ast.arg(arg=param) for param in params], vararg=None, kwonlyargs=[], kw_defaults=[],
                         kwarg=None, defaults=[])
    found = ast.FunctionDef(name=name, args=args, body=build_block(body), decorator_list=[], returns=None, type_comment=None)
    set_locations(found, first_origin(body), number)
    return found


def set_locations(node: ast.AST, origin: m.Origin | None, number: Callable[[str], int]) -> None:
    """Sets lines and columns in a tree, for each statement its own.

    A Python code object has one file. A line of another file, such as a pack of house rules, encodes the number
    of its file: `FILE_LINE_STRIDE * number + line`."""
    own_file = origin[0] if origin is not None else ""
    left = [(node, origin)]
    while left:
        node, origin = left.pop()
        parts = vars(node)
        own: m.Origin | None = parts.get("origin") or origin
        for name in node._fields:
            value = parts.get(name)
            if isinstance(value, list):
                left += [(one, own) for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST) and (value._fields or value._attributes):       # operators and contexts have no location
                left.append((value, own))
        if node._attributes:
            path, line, column = own or (own_file, 1, 1)
            if path != own_file:
                line += FILE_LINE_STRIDE * number(path)
            parts["lineno"] = parts["end_lineno"] = line
            parts["col_offset"] = parts["end_col_offset"] = max(column, 1) - 1


def build_block(body: m.Body) -> list[ast.stmt]:
    found = [one for node in body for one in build_statements(node)]
    return found or [ast.Pass()]


def name_node(text: str, context: ast.expr_context = LOAD) -> ast.Name:
    return ast.Name(id=text, ctx=context)


def slot_node(at: m.IrExpr, context: ast.expr_context = LOAD) -> ast.Subscript:
    """Returns the access to a slot of the position."""
    return ast.Subscript(value=name_node("s"), slice=build_expression(at), ctx=context)


def assignment_target(names: Sequence[str]) -> ast.expr:
    if len(names) == 1:
        return name_node(names[0], STORE)
    return ast.Tuple(elts=[name_node(one, STORE) for one in names], ctx=STORE)


def memo_node(at: m.IrExpr, ctx: ast.expr_context = LOAD) -> ast.expr:
    """Returns the access to a memoized value: a slot of the position, or an entry of a constant."""
    if isinstance(at, m.IndexExpr):
        return ast.Subscript(value=build_expression(at.things), slice=build_expression(at.index), ctx=ctx)
    return slot_node(at, ctx)


def build_statements(node: m.IrStmt) -> list[ast.stmt]:
    found = _build_statements(node)
    for one in found:
        one.origin = node.origin                                   # type: ignore[attr-defined]
    return found


def _build_statements(node: m.IrStmt) -> list[ast.stmt]:
    match node:
        case m.AssignStmt(names=names, value=value):
            return [ast.Assign(targets=[assignment_target(names)], value=build_expression(value))]
        case m.StoreSlot(at=ats, value=value):
            return [ast.Assign(targets=[slot_node(at, STORE) for at in ats], value=build_expression(value))]
        case m.StoreSlots(low=low, high=high, value=value):
            where = ast.Subscript(
                value=name_node("s"), slice=ast.Slice(lower=build_expression(low), upper=build_expression(high)), ctx=STORE
            )
            return [ast.Assign(targets=[where], value=build_expression(value))]
        case m.AugAssign(target=changed, value=value):
            to = name_node(changed.name, STORE) if isinstance(changed, m.Var) else slot_node(changed.at, STORE)
            return [ast.AugAssign(target=to, op=VALUE_OPERATORS[node.computed_sign], value=build_expression(value))]
        case m.LoadMemo(name=None, at=at):
            recompute = ast.Assign(targets=[slot_node(at, STORE)], value=build_expression(node.compute_call))
            return [ast.If(test=build_expression(m.BinaryOp(m.LoadSlot(at), "is", m.NoneConst())), body=[recompute], orelse=[])]
        case m.LoadMemo(name=str(known), at=at):
            read: list[ast.stmt] = [ast.Assign(targets=[name_node(known, STORE)], value=memo_node(at))]
            again = ast.Assign(targets=[name_node(known, STORE), memo_node(at, STORE)], value=build_expression(node.compute_call))
            return [*read, ast.If(test=build_expression(m.BinaryOp(m.Var(known), "is", m.NoneConst())), body=[again], orelse=[])]
        case m.IfStmt(test=test, body=body, other=other):
            return [ast.If(test=build_expression(test), body=build_block(body), orelse=build_block(other) if other else [])]
        case m.ForStmt(names=names, things=things, body=body, other=other):
            return [
                ast.For(
                    target=assignment_target(names),
                    iter=build_expression(things),
                    body=build_block(body),
                    orelse=build_block(other) if other else [],
                    type_comment=None,
                )
            ]
        case m.WhileStmt(test=test, body=body):
            return [ast.While(test=build_expression(test), body=build_block(body), orelse=[])]
        case m.BreakStmt():
            return [ast.Break()]
        case m.ContinueStmt():
            return [ast.Continue()]
        case m.ReturnStmt(value=value):
            return [ast.Return(value=build_expression(value) if value is not None else None)]
        case m.ExprStmt(call=called):
            return [ast.Expr(value=build_expression(called))]
    raise TypeError(f"no Python for {node!r}")


def build_expression(node: m.IrExpr) -> ast.expr:
    match node:
        case m.IntConst(value=value):
            return ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=-value)) if value < 0 else ast.Constant(value=value)
        case m.BoolConst(value=flag):
            return ast.Constant(value=flag)
        case m.NoneConst():
            return ast.Constant(value=None)
        case m.TextConst(value=text):
            return ast.Constant(value=text)
        case m.Var(name=text) | m.ConstantRef(name=text) | m.FunctionRef(name=text):
            return name_node(text)
        case m.LoadSlot(at=at):
            return slot_node(at)
        case m.LoadSlots(low=low, high=high):
            return ast.Subscript(value=name_node("s"), slice=ast.Slice(lower=build_expression(low), upper=build_expression(high)), ctx=LOAD)
        case m.BinaryOp(left=left, sign=sign, right=right):
            one, other = build_expression(left), build_expression(right)
            match sign:
                case "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "is" | "is not":
                    return ast.Compare(left=one, ops=[TEST_OPERATORS[sign]], comparators=[other])
                case "+" | "-" | "*" | "//" | "%" | "&" | "|" | "^" | "<<" | ">>":
                    return ast.BinOp(left=one, op=VALUE_OPERATORS[sign], right=other)
                case _:
                    assert_never(sign)
        case m.UnaryOp(sign=sign, value=value):
            return ast.UnaryOp(op=UNARY_OPERATORS[sign], operand=build_expression(value))
        case m.BoolOp(word=joint, parts=parts):
            return ast.BoolOp(op=ast.And() if joint == "and" else ast.Or(), values=[build_expression(part) for part in parts])
        case m.RangeTest(low=low, value=value, high=high, first=first_sign, second=second_sign):
            return ast.Compare(
                left=build_expression(low),
                ops=[TEST_OPERATORS[first_sign], TEST_OPERATORS[second_sign]],
                comparators=[build_expression(value), build_expression(high)],
            )
        case m.IfExpr(test=test, value=value, other=other):
            return ast.IfExp(test=build_expression(test), body=build_expression(value), orelse=build_expression(other))
        case m.IndexExpr(things=things, index=index):
            return ast.Subscript(value=build_expression(things), slice=build_expression(index), ctx=LOAD)
        case m.SliceExpr(things=things, low=first, high=end, backwards=backwards):
            piece = ast.Slice(
                lower=build_expression(first) if first is not None else None,
                upper=build_expression(end) if end is not None else None,
                step=build_expression(m.IntConst(-1)) if backwards else None,
            )
            return ast.Subscript(value=build_expression(things), slice=piece, ctx=LOAD)
        case m.StarredExpr(things=things):
            return ast.Starred(value=build_expression(things), ctx=LOAD)
        case m.TupleDisplay(items=items):
            return ast.Tuple(elts=[build_expression(item) for item in items], ctx=LOAD)
        case m.ListDisplay(items=items):
            return ast.List(elts=[build_expression(item) for item in items], ctx=LOAD)
        case m.SingletonSet(item=item):
            return ast.Set(elts=[build_expression(item)])
        case m.CallExpr(function=called, args=args, named=named):
            return ast.Call(
                func=name_node(called) if isinstance(called, str) else build_expression(called),
                args=[build_expression(arg) for arg in args],
                keywords=[ast.keyword(arg=key, value=build_expression(value)) for key, value in named],
            )
        case m.MethodCall(thing=thing, name=method, args=args):
            asked = ast.Attribute(value=build_expression(thing), attr=method, ctx=LOAD)
            return ast.Call(func=asked, args=[build_expression(arg) for arg in args], keywords=[])
        case m.ListComp(value=value, names=names, things=things, tests=tests, inner=inner, built=built):
            loops = [ast.comprehension(target=assignment_target(names), iter=build_expression(things), ifs=[], is_async=0)]
            if inner is not None:
                loops.append(ast.comprehension(target=assignment_target(inner[0]), iter=build_expression(inner[1]), ifs=[], is_async=0))
            loops[-1].ifs = [build_expression(test) for test in tests]
            made = ast.ListComp if built else ast.GeneratorExp
            return made(elt=build_expression(value), generators=loops)
        case m.BoundedIter(things=inside) | m.PresentValue(value=inside):
            return build_expression(inside)
        case m.AssignExpr(name=known, value=value):
            return ast.NamedExpr(target=name_node(known, STORE), value=build_expression(value))
    raise TypeError(f"no Python for {node!r}")
