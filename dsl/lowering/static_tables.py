"""What only data decide, worked out once: what can be reached on an empty board, which pieces are whose.

Such a value is the same in every position. It is put into a table of the module, with an entry for each combination of the members that it
depends on, when it is asked for first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core import nodes as core
from ..core.nodes import Local
from ..core.walk import locals_of, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..ir.limits import ENTRIES
from ..ir.program import Once
from ..types.types import Of
from .protocols import Expressions, Writer

OF_POSITIONS = (core.Load, core.Occupied, core.After, core.CountOf)


def only_data(writer: Writer, *nodes: core.Node) -> bool:
    """Whether nothing in these trees looks at the position, in what they ask neither."""
    for node in walk(*nodes):
        if isinstance(node, OF_POSITIONS):
            return False
        if isinstance(node, core.Ask) and any(writer.effects.of[r].reads for r in writer.program.families[node.family].routines):
            return False
    return True


def size(writer: Writer, names: Sequence[Local]) -> int | None:
    """How many combinations of values these names can have; None where that is too many, or not known."""
    found = 1
    for local in names:
        enum = writer.program.model.enum_of(local.type.name) if isinstance(local.type, Of) else None
        if enum is None or enum.kind == "open":
            return None
        found *= len(enum)
    return found if found <= ENTRIES else None


def outer(*nodes: core.Node) -> list[Local]:
    """The names that trees read and do not bind themselves."""
    bound = {local for part in walk(*nodes) if isinstance(part, core.Gen) for local in part.locals}
    return [local for local in dict.fromkeys(part.local for part in walk(*nodes) if isinstance(part, core.Read)) if local not in bound]


def reads(x: Expressions, node: core.Node) -> set[Local]:
    """The names that a tree reads; of a parameter that stands for another local, that one."""
    return {x.aliases.get(local, local) for local in locals_of(node)}


def entry(x: Expressions, names: Sequence[Local], values: Sequence[m.Expr], function: str) -> m.Expr | None:
    """The entry for these values of a table that `function` fills; None where it would be too large."""
    many = size(x.w, names)
    if many is None:
        return None
    values = [x.temp(value) for value in values]
    index: m.Expr = m.Num(0)
    for n, (local, value) in enumerate(zip(names, values)):
        assert isinstance(local.type, Of)
        index = b.op(b.op(index, "*", len(x.model.enums[local.type.name])), "+", value) if n else value
    found = x.w.fresh.temp("q")
    call = b.call(m.Function(function), b.POSITION, *values)
    x.emit(m.Recall(found, m.At(x.w.constant(Once(many, function)), index), call))
    return m.Var(found)


def worked_out(x: Expressions, hint: str, names: Sequence[Local], write: Callable[[Expressions], m.Expr]) -> m.Expr:
    """What `write` writes with these names given, from a table; `size` has said that there are few enough."""
    params = [x.w.fresh.temp("p") for _ in names]
    code = Code(x.w.fresh.function("o", hint), ("s", *params), origin=x.code.origin)
    inner = x.w.expressions(code)
    inner.env.update({local: m.Var(param) for local, param in zip(names, params)})
    code.emit(m.Return(write(inner)))
    x.w.functions.append(code)
    found = entry(x, names, [x.local(local) for local in names], code.name)
    assert found is not None
    return found
