"""Memory layout of a position in C: integer widths of slots, and the functions that can reach a write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..ir import nodes as m
from ..ir.infer import KindInference
from ..ir.program import IrModule, LazyTable
from ..ir.slot_ranges import SlotRange
from ..ir.value_types import WORD
from ..model.model import Enumeration
from ..storage.layout import StateStorage
from ..types.types import Int, MemberOf, OptionalOf, Type


def narrow_c_type(machine: IrModule, space: SlotRange) -> str | None:
    """Returns the C type of a state with a small range, or None for a full machine word. Smaller types make
    copying a position faster."""
    cell = next((cell for cell in machine.layout.cells.values() if cell.base == space.start and space.frame is None), None)
    if cell is None or type(cell) is not StateStorage or space.kind != WORD:
        return None
    ends = type_bounds(cell.state.type, machine.layout.model.enums)
    if ends is None:
        return None
    low, high = min(ends[0], int(cell.default)), max(ends[1], int(cell.default))
    return next((f"int{bits}_t" for bits in (8, 16, 32) if -(1 << bits - 1) <= low and high < 1 << bits - 1), None)


def type_bounds(kind: Type, enums: Mapping[str, Enumeration]) -> tuple[int, int] | None:
    """Returns the smallest and the largest slot value of a type, including none (-1). None: unbounded."""
    match kind:
        case OptionalOf(of=MemberOf() as one):
            return type_bounds(one, enums)
        case MemberOf(name=name) if name in enums and enums[name].kind != "open":
            return -1, len(enums[name])
        case Int(low=int(low), high=int(high)):
            return low - 1, high + 1
    return None


def iter_called_names(body: m.Body) -> Iterator[str]:
    """Yields the functions, and tables of functions, that these statements name."""
    return iter_function_names(m.iter_statements(body))


def iter_function_names(nodes: Iterable[m.IrExpr | m.IrStmt]) -> Iterator[str]:
    """Yields the functions, and tables of functions, named in these expressions or directly in these statements."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, m.FunctionRef):
            yield node.name
        todo += m.child_expressions(node)


def iter_lazy_builders(kinds: KindInference) -> Iterator[str]:
    """Returns the functions that are called only to compute entries of lazy tables."""
    others = {row for rows in kinds.machine.tables.values() for row in rows}
    for function in kinds.functions.values():
        others.update(
            iter_function_names(
                node
                for node in m.iter_statements(function.code.body)
                if not (isinstance(node, m.LoadMemo) and isinstance(node.at, m.IndexExpr))
            )
        )
    return (value.name for name, value in kinds.machine.values.items()
            if isinstance(value, LazyTable) and name in kinds.once and value.name not in others)


def find_call_closure(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    """Returns a function with all direct and indirect callees. `calls` maps each function to its callees."""
    found, todo = {name}, [name]
    while todo:
        more = calls[todo.pop()] - found
        found |= more
        todo += more
    return found
