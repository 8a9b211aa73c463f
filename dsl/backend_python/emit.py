"""The machine to Python's own syntax trees (`ast`). Each statement carries the line and column of its rule, so that tracebacks, debuggers
and profilers speak of the rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ..ir import nodes as m

SIGNS: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv(), "%": ast.Mod(), "&": ast.BitAnd(), "|": ast.BitOr(),
    "^": ast.BitXor(), "<<": ast.LShift(), ">>": ast.RShift(),
}
TESTS: dict[str, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
    "in": ast.In(), "not in": ast.NotIn(), "is": ast.Is(), "is not": ast.IsNot(),
}
UNARY: dict[str, ast.unaryop] = {"-": ast.USub(), "not": ast.Not(), "~": ast.Invert()}
LOAD, STORE = ast.Load(), ast.Store()
FILE = 1 << 22                       # more lines than a file can have


def function(name: str, params: Sequence[str], body: m.Body, number: Callable[[str], int]) -> ast.FunctionDef:
    """A Python function. Steps without a rule line of their own get that of the step before them, the first that of the function.
    `number` numbers the files of the rules (see `place`)."""
    args = ast.arguments(posonlyargs=[], args=[ast.arg(arg=param) for param in params], vararg=None, kwonlyargs=[], kw_defaults=[],
                         kwarg=None, defaults=[])
    found = ast.FunctionDef(name=name, args=args, body=block(body), decorator_list=[], returns=None, type_comment=None)
    place(found, m.begun(body), number)
    return found


def place(node: ast.AST, origin: m.Origin | None, number: Callable[[str], int]) -> None:
    """Give a tree its lines and columns, each statement its own. Code of Python has one file. A line of another file, such as a pack of
    house rules, carries the number of its file: `FILE * number + line`."""
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
            elif isinstance(value, ast.AST) and (value._fields or value._attributes):       # signs and contexts have no place
                left.append((value, own))
        if node._attributes:
            path, line, column = own or (own_file, 1, 1)
            if path != own_file:
                line += FILE * number(path)
            parts["lineno"] = parts["end_lineno"] = line
            parts["col_offset"] = parts["end_col_offset"] = max(column, 1) - 1


def block(body: m.Body) -> list[ast.stmt]:
    found = [one for node in body for one in statement(node)]
    return found or [ast.Pass()]


def name(text: str, context: ast.expr_context = LOAD) -> ast.Name:
    return ast.Name(id=text, ctx=context)


def word(at: m.Expr, context: ast.expr_context = LOAD) -> ast.Subscript:
    """A word of the position."""
    return ast.Subscript(value=name("s"), slice=expression(at), ctx=context)


def target(names: Sequence[str]) -> ast.expr:
    if len(names) == 1:
        return name(names[0], STORE)
    return ast.Tuple(elts=[name(one, STORE) for one in names], ctx=STORE)


def kept(at: m.Expr, ctx: ast.expr_context = LOAD) -> ast.expr:
    """Where something is remembered: a word of the position, or an entry of a constant."""
    if isinstance(at, m.At):
        return ast.Subscript(value=expression(at.things), slice=expression(at.index), ctx=ctx)
    return word(at, ctx)


def statement(node: m.Stmt) -> list[ast.stmt]:
    found = _statement(node)
    for one in found:
        one.origin = node.origin                                   # type: ignore[attr-defined]
    return found


def _statement(node: m.Stmt) -> list[ast.stmt]:
    match node:
        case m.Set(names=names, value=value):
            return [ast.Assign(targets=[target(names)], value=expression(value))]
        case m.Put(at=ats, value=value):
            return [ast.Assign(targets=[word(at, STORE) for at in ats], value=expression(value))]
        case m.PutWords(low=low, high=high, value=value):
            where = ast.Subscript(value=name("s"), slice=ast.Slice(lower=expression(low), upper=expression(high)), ctx=STORE)
            return [ast.Assign(targets=[where], value=expression(value))]
        case m.Change(target=changed, sign=sign, value=value):
            to = name(changed.name, STORE) if isinstance(changed, m.Var) else word(changed.at, STORE)
            return [ast.AugAssign(target=to, op=SIGNS[sign[0]], value=expression(value))]
        case m.Recall(name=None, at=at):
            anew = ast.Assign(targets=[word(at, STORE)], value=expression(node.made))
            return [ast.If(test=expression(m.Op(m.Get(at), "is", m.Nil())), body=[anew], orelse=[])]
        case m.Recall(name=str(known), at=at, sure=sure):
            read: list[ast.stmt] = [ast.Assign(targets=[name(known, STORE)], value=kept(at))]
            if sure:
                return read
            again = ast.Assign(targets=[name(known, STORE), kept(at, STORE)], value=expression(node.made))
            return [*read, ast.If(test=expression(m.Op(m.Var(known), "is", m.Nil())), body=[again], orelse=[])]
        case m.If(test=test, body=body, other=other):
            return [ast.If(test=expression(test), body=block(body), orelse=block(other) if other else [])]
        case m.For(names=names, things=things, body=body, other=other):
            return [ast.For(target=target(names), iter=expression(things), body=block(body), orelse=block(other) if other else [],
                            type_comment=None)]
        case m.While(test=test, body=body):
            return [ast.While(test=expression(test), body=block(body), orelse=[])]
        case m.Break():
            return [ast.Break()]
        case m.Continue():
            return [ast.Continue()]
        case m.Return(value=value):
            return [ast.Return(value=expression(value) if value is not None else None)]
        case m.Do(call=called):
            return [ast.Expr(value=expression(called))]
        case m.Raise(name=error):
            return [ast.Raise(exc=name(error), cause=None)]
    raise TypeError(f"no Python for {node!r}")


def expression(node: m.Expr) -> ast.expr:
    match node:
        case m.Num(value=value):
            return ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=-value)) if value < 0 else ast.Constant(value=value)
        case m.Flag(value=flag):
            return ast.Constant(value=flag)
        case m.Nil():
            return ast.Constant(value=None)
        case m.Text(value=text):
            return ast.Constant(value=text)
        case m.Var(name=text) | m.Table(name=text) | m.Function(name=text):
            return name(text)
        case m.Get(at=at):
            return word(at)
        case m.Words(low=low, high=high):
            return ast.Subscript(value=name("s"), slice=ast.Slice(lower=expression(low), upper=expression(high)), ctx=LOAD)
        case m.Op(left=left, sign=sign, right=right) if sign in TESTS:
            return ast.Compare(left=expression(left), ops=[TESTS[sign]], comparators=[expression(right)])
        case m.Op(left=left, sign=sign, right=right):
            return ast.BinOp(left=expression(left), op=SIGNS[sign], right=expression(right))
        case m.Un(sign=sign, value=value):
            return ast.UnaryOp(op=UNARY[sign], operand=expression(value))
        case m.Logic(word=joint, parts=parts):
            return ast.BoolOp(op=ast.And() if joint == "and" else ast.Or(), values=[expression(part) for part in parts])
        case m.Between(low=low, value=value, high=high, first=one, second=two):
            return ast.Compare(left=expression(low), ops=[TESTS[one], TESTS[two]], comparators=[expression(value), expression(high)])
        case m.Choice(test=test, value=value, other=other):
            return ast.IfExp(test=expression(test), body=expression(value), orelse=expression(other))
        case m.At(things=things, index=index):
            return ast.Subscript(value=expression(things), slice=expression(index), ctx=LOAD)
        case m.Part(things=things, low=first, high=end, backwards=backwards):
            piece = ast.Slice(lower=expression(first) if first is not None else None, upper=expression(end) if end is not None else None,
                              step=expression(m.Num(-1)) if backwards else None)
            return ast.Subscript(value=expression(things), slice=piece, ctx=LOAD)
        case m.Star(things=things):
            return ast.Starred(value=expression(things), ctx=LOAD)
        case m.Tup(items=items):
            return ast.Tuple(elts=[expression(item) for item in items], ctx=LOAD)
        case m.Lst(items=items):
            return ast.List(elts=[expression(item) for item in items], ctx=LOAD)
        case m.One(item=item):
            return ast.Set(elts=[expression(item)])
        case m.Call(function=called, args=args, named=named):
            return ast.Call(func=name(called) if isinstance(called, str) else expression(called), args=[expression(arg) for arg in args],
                            keywords=[ast.keyword(arg=key, value=expression(value)) for key, value in named])
        case m.Method(thing=thing, name=method, args=args):
            asked = ast.Attribute(value=expression(thing), attr=method, ctx=LOAD)
            return ast.Call(func=asked, args=[expression(arg) for arg in args], keywords=[])
        case m.Listed(value=value, names=names, things=things, tests=tests, inner=inner, built=built):
            loops = [ast.comprehension(target=target(names), iter=expression(things), ifs=[], is_async=0)]
            if inner is not None:
                loops.append(ast.comprehension(target=target(inner[0]), iter=expression(inner[1]), ifs=[], is_async=0))
            loops[-1].ifs = [expression(test) for test in tests]
            made = ast.ListComp if built else ast.GeneratorExp
            return made(elt=expression(value), generators=loops)
        case m.Bounded(things=things):
            return expression(things)
        case m.Also(name=known, value=value):
            return ast.NamedExpr(target=name(known, STORE), value=expression(value))
    raise TypeError(f"no Python for {node!r}")
