"""The second opinion, first half: what an expression is worth. Written to be read, not to be fast.

Values are what one would draw on paper: a member is its place in its enumeration (a cell of an open board is its (q, r)), a set
a frozenset, a list or pile a tuple, a bag a tuple of counts, nothing is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludoglot.dsl.boards import open_cell
from ludoglot.dsl.check.scope import Family, Program, Routine, State
from ludoglot.dsl.syntax import tree
from ludoglot.dsl.types import BagOf, Bool, Empty, Int, ListOf, Maybe, Of, PileOf, SetOf, Type

from .grounds import on_board


class Fault(Exception):
    """A rule did what it may not; `code` is the diagnostic's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Values:
    """Evaluates expressions of a checked program. `state[name][index]` holds what differs from `first(state)`."""

    def __init__(self, program: Program) -> None:
        self.program, self.model = program, program.model
        self.state: dict[str, dict[tuple, Any]] = {name: {} for name in program.states}
        self.firsts: dict[str, dict[tuple, Any]] = {name: {} for name in program.states}

    # ------------------------------------------------------------ types

    def is_open(self, found: Type) -> bool:
        return isinstance(found, Of) and self.model.enum_of(found.name).kind == "open"

    def natural(self, raw: Any, found: Type) -> Any:
        """A raw value of the engine or of the model as a value of ours."""
        if isinstance(found, Maybe):
            return None if raw is None or (raw == -1 and not isinstance(found.of, Int)) else self.natural(raw, found.of)
        if isinstance(found, Bool):
            return bool(raw)
        if isinstance(found, Of):
            return open_cell(raw) if self.is_open(found) else raw
        if isinstance(found, SetOf):
            things = [n for n in range(raw.bit_length()) if raw >> n & 1] if isinstance(raw, int) else raw
            return frozenset(self.natural(thing, found.of) for thing in things)
        if isinstance(found, ListOf | PileOf):
            return tuple(self.natural(thing, found.of) for thing in raw)
        return raw

    def default(self, found: Type) -> Any:
        """What a place of this type holds before anything is put there."""
        match found:
            case Int():
                low, high = found.low, found.high
                return low if low is not None and low > 0 else high if high is not None and high < 0 else 0
            case Bool():
                return False
            case Of():
                return 0
            case SetOf():
                return frozenset()
            case ListOf() | PileOf():
                return ()
            case BagOf():
                return (0,) * len(self.model.enums[found.of.name])
        return None

    def shaped(self, value: Any, found: Type) -> Any:
        """none, [] and {} take the shape of the place they come to."""
        if isinstance(found, Maybe):
            return None if value in ((), frozenset()) else value
        return self.default(found) if value is None or value in ((), frozenset()) else value

    def spell(self, found: Type, value: Any) -> str:
        if isinstance(found, Maybe):
            return "none" if value is None else self.spell(found.of, value)
        if isinstance(found, Of):
            return f"{value[0]},{value[1]}" if self.is_open(found) else self.model.enum_of(found.name).members[value]
        if isinstance(found, ListOf):
            return "[" + " ".join(self.spell(found.of, thing) for thing in value) + "]"
        if isinstance(found, SetOf):
            return "{" + " ".join(self.spell(found.of, thing) for thing in sorted(value)) + "}"
        return str(value)

    # ------------------------------------------------------------ states

    def read(self, state: State, index: tuple) -> Any:
        found = self.state[state.name].get(index)
        return self.first(state, index) if found is None else found[0]

    def first(self, state: State, index: tuple) -> Any:
        found = self.firsts[state.name].get(index)
        return self.default(state.type) if found is None else found[0]

    def write(self, state: State, index: tuple, value: Any) -> None:
        self.state[state.name][index] = (value,)

    def table(self) -> dict[str, dict[tuple, Any]]:
        """The whole position: what differs from the default of its type, by state and index."""
        out: dict[str, dict[tuple, Any]] = {}
        for name, state in self.program.states.items():
            entries = {**self.firsts[name], **self.state[name]}
            out[name] = {index: value for index, (value,) in entries.items() if value != self.default(state.type)}
        return out

    # ------------------------------------------------------------ expressions

    def of(self, node: Any, env: dict) -> Any:
        return getattr(self, "_" + type(node).__name__.lower().rstrip("_"))(node, env)

    def _number(self, node: Any, env: dict) -> Any:
        return int(node.digits)

    def _truth(self, node: Any, env: dict) -> Any:
        return node.word.type == "TRUE"

    def _nothing(self, node: Any, env: dict) -> Any:
        return None

    def _domain(self, node: Any, env: dict) -> Any:
        return frozenset(range(len(node.ref.target)))

    def _setliteral(self, node: Any, env: dict) -> Any:
        return frozenset(self.of(part, env) for part in node.parts)

    def _listliteral(self, node: Any, env: dict) -> Any:
        return tuple(self.of(part, env) for part in node.parts)

    def _name(self, node: Any, env: dict) -> Any:
        kind, target = node.ref.kind, node.ref.target
        if kind == "local":
            return env[target]
        if kind == "state":
            return self.read(target, ())
        if kind == "family":
            return self.call(target, None, [])
        if kind == "number":
            return target
        if kind == "member":
            return self.natural(target[1], Of(target[0]))
        value = self.model.settings[target.name]
        return value if isinstance(node.type, Bool | Int) else [str(v) for v in target.values].index(str(value))

    def _ifelse(self, node: Any, env: dict) -> Any:
        return self.shaped(self.of(node.value if self.of(node.test, env) else node.other, env), node.type)

    def _fallback(self, node: Any, env: dict) -> Any:
        value = self.of(node.value, env)
        return self.shaped(self.of(node.other, env), node.type) if value is None else value

    def _unary(self, node: Any, env: dict) -> Any:
        value = self.of(node.value, env)
        return not value if node.op.type == "NOT" else -value

    def _binary(self, node: Any, env: dict) -> Any:
        op = str(node.op)
        left = self.of(node.left, env)
        if node.op.type == "AND":
            return left and self.of(node.right, env)
        if node.op.type == "OR":
            return left or self.of(node.right, env)
        right = self.of(node.right, env)
        if op in ("==", "!="):
            left = self.shaped(left, node.right.type) if isinstance(node.left.type, Empty) else left
            right = self.shaped(right, node.left.type) if isinstance(node.right.type, Empty) else right
            same = left == right
            return same == (op == "==")
        if op in ("<", "<=", ">", ">="):
            return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]
        if isinstance(node.type, SetOf):
            one, two = frozenset(left), frozenset(right)
            return {"+": one | two, "-": one - two, "&": one & two}[op]
        if isinstance(node.type, ListOf):
            if op == "+":
                return tuple(left) + tuple(right)
            out = list(left)
            for thing in right:
                if thing in out:
                    out.remove(thing)
            return tuple(out)
        if op in ("//", "%"):
            if right == 0:
                raise Fault("F001")
            return left // right if op == "//" else left % right
        return {"+": left + right, "-": left - right, "*": left * right}[op]

    def _member(self, node: Any, env: dict) -> bool:
        value = self.of(node.value, env)
        return value is not None and value in self.members(node.group, env)

    def _notmember(self, node: Any, env: dict) -> bool:
        return not self._member(node, env)

    def _span(self, node: Any, env: dict) -> tuple:
        return tuple(range(self.of(node.low, env), self.of(node.high, env) + 1))

    def _printed(self, node: Any, env: dict) -> Any:
        if node.ref.kind == "number":
            return node.ref.target
        enum, attribute = node.ref.target
        owner = self.of(node.value, env)
        return None if owner is None else self.natural(enum.values[attribute][owner], enum.attributes[attribute])

    def _at(self, node: Any, env: dict) -> Any:
        base, *indices = node.parts
        kind = base.ref.kind if isinstance(base, tree.Name) else None
        if kind == "family" and base.ref.target.domain is not None:
            return self.call(base.ref.target, self.of(indices[0], env), [])
        index = tuple(self.of(i, env) for i in indices)
        if kind == "state" and base.ref.target.axes:
            return self.read(base.ref.target, index)
        if kind == "table":
            table = base.ref.target
            n = index[0] - table.first
            if n < 0:
                return table.values[0] if table.beyond == "last" else 0
            return table.values[n] if n < len(table.values) else table.values[-1] if table.beyond == "last" else 0
        things = self.of(base, env)
        if isinstance(base.type, BagOf):
            return things[index[0]]
        if 1 <= index[0] <= len(things):
            return things[index[0] - 1]
        return self.default(base.type.of) if isinstance(base.type.of, Int | SetOf | ListOf) else None

    def _apply(self, node: Any, env: dict) -> Any:
        target, *arguments = node.parts
        if node.ref.kind == "builtin":
            return self.builtin(node.ref.target, node, arguments, env)
        case = self.of(target.parts[1], env) if isinstance(target, tree.At) else None
        return self.call(node.ref.target, case, [self.of(a, env) for a in arguments])

    def call(self, family: Family, case: int | None, values: list) -> Any:
        """The value of a def."""
        routine = family.entry(case)
        env = self.parameters(routine, case, values)
        if routine.value is None:
            return all(self.of(condition.test, env) for condition in routine.conditions)
        return self.of(routine.value, env)

    def parameters(self, routine: Routine, case: int | None, values: list) -> dict:
        env = {param: self.shaped(value, param.type) for param, value in zip(routine.params, values, strict=True)}
        if routine.case_local is not None:
            env[routine.case_local] = case
        return env

    # ------------------------------------------------------------ binders and folds

    def members(self, source: Any, env: dict) -> list:
        """What a binder over `source` takes, in order."""
        value, found = self.of(source, env), source.type
        if isinstance(found, Maybe):
            return [] if value is None else [value]
        if isinstance(found, BagOf):
            return [n for n, count in enumerate(value) if count]
        if value is None:
            return []
        return sorted(value) if isinstance(value, frozenset) else list(value)

    def combinations(self, binders: Any, where: Any, env: dict) -> Iterator[dict]:
        """Every way to give the names their values, the first name slowest."""
        binders = list(binders)

        def bind(n: int, known: dict) -> Iterator[dict]:
            if n == len(binders):
                if where is None or self.of(where, known):
                    yield known
                return
            binder = binders[n]
            for number, thing in enumerate(self.members(binder.source, known), 1):
                more = {**known, binder.local: thing}
                if hasattr(binder, "number_local"):
                    more[binder.number_local] = number
                yield from bind(n + 1, more)

        return bind(0, env)

    def _fold(self, node: Any, env: dict) -> Any:
        word = str(node.word)
        last = list(node.binders)[-1].local
        found = [
            (known[last], None if node.value is None else self.of(node.value, known))
            for known in self.combinations(node.binders, node.where, env)
        ]
        values = [thing if node.value is None else value for thing, value in found]
        match word:
            case "any":
                return any(value is not False for _, value in found)
            case "all":
                return all(value is True for _, value in found)
            case "count":
                return len(found)
            case "sum":
                return sum(values)
            case "highest":
                return max(values, default=0)
            case "lowest":
                return min(values, default=0)
            case "best":
                return frozenset(thing for thing, value in found if value == max(values))
            case "ranked":
                return tuple(thing for thing, value in sorted(found, key=lambda pair: -pair[1]))
            case "tiers":
                return tuple(frozenset(t for t, v in found if v == value) for value in sorted(set(values), reverse=True))
            case "set":
                return frozenset(values)
            case "list":
                return tuple(values)
        if not values and word == "the":
            raise Fault("F002")
        return values[0] if values else None

    # ------------------------------------------------------------ built-in functions

    def builtin(self, name: str, node: Any, args: list, env: dict) -> Any:
        values = [self.of(arg, env) for arg in args if name != "cells"]
        n = self.model.players
        match name:
            case "size":
                return sum(values[0]) if isinstance(args[0].type, BagOf) else len(self.members(args[0], env))
            case "min":
                return min(values)
            case "max":
                return max(values)
            case "ceil":
                if values[1] == 0:
                    raise Fault("F001")
                return -(-values[0] // values[1])
            case "only":
                things = self.members(args[0], env)
                return things[0] if len(things) == 1 else None
            case "position":
                if len(values) == 1:
                    return values[0] + 1
                return values[1].index(values[0]) + 1 if values[0] in values[1] else 0
            case "clockwise":
                return tuple((values[0] + k) % n for k in range(n))
            case "next":
                return (values[0] + 1) % n
            case "before":
                return values[0] - 1 if values[0] > 0 else None
            case "after":
                return values[0] + 1 if values[0] + 1 < len(self.model.enum_of(args[0].type.name)) else None
            case "top" | "last":
                return values[0][-1] if values[0] else None
            case "reversed":
                return values[0][::-1]
            case "cells":
                arg = args[0]
                name, given = (arg.parts[0], [self.of(part, env) for part in arg.parts[1:]]) if isinstance(arg, tree.At) else (arg, [])
                axes = [self.model.enums[domain].kind for _, domain in name.ref.target.axes]
                place = axes.index("open")
                rows = ((index[place], index[:place] + index[place + 1 :]) for index in self.table()[name.ref.target.name])
                return frozenset(cell for cell, rest in rows if not given or list(rest) == given)
        return on_board(self.model, name, args, values)
