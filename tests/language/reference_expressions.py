"""First half of the reference implementation: the values of expressions. The code is written to be read, not to be fast.

A member is its index in its enumeration (a cell of an open board is its (q, r)). A set is a frozenset, a list or pile is a tuple, a bag
is a tuple of counts, and `none` is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import combinations, product
from typing import Any

from ludoglot.dsl.core.nodes import EmptyLiteral, Expr, GeneratorBinding, LocalVar
from ludoglot.dsl.core.program import Family, Program, Routine, State
from ludoglot.dsl.types.boards import decode_open_cell
from ludoglot.dsl.types.types import CONTAINERS, BagOf, Bool, EmptyType, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type

from .reference_boards import on_board

Env = dict[LocalVar, Any]  # values of names
OPERATORS = {"not", "neg", "and", "or", "in", "not in", "..", "==", "!=", "<", "<=", ">", ">=", "+", "-", "&", "*", "//", "%"}


class Fault(Exception):
    """A rule did something illegal. `code` is the code of the diagnostic."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Values:
    """Evaluates expressions of the core. `state[name][index]` contains the values that differ from `first(state)`."""

    def __init__(self, program: Program) -> None:
        self.program, self.model = program, program.model
        self.state: dict[str, dict[tuple, Any]] = {name: {} for name in program.states}
        self.told: list[tuple[str, dict[str, str]]] = []
        self.firsts: dict[str, dict[tuple, Any]] = {name: {} for name in program.states}

    def perform(self, name: str, case: int | None, values: list) -> None:
        """Runs a procedure without decisions: see Walker."""
        raise NotImplementedError

    # ------------------------------------------------------------ types

    def is_open(self, found: Type) -> bool:
        return isinstance(found, MemberOf) and self.model.enum_of(found.name).kind == "open"

    def natural(self, raw: Any, found: Type) -> Any:
        """Converts a raw value of the engine or of the model."""
        if isinstance(found, OptionalOf):
            return None if raw is None or (raw == -1 and not isinstance(found.of, Int)) else self.natural(raw, found.of)
        if isinstance(found, Bool):
            return bool(raw)
        if isinstance(found, MemberOf):
            return decode_open_cell(raw) if self.is_open(found) else raw
        if isinstance(found, SetOf):
            things = [n for n in range(raw.bit_length()) if raw >> n & 1] if isinstance(raw, int) else raw
            return frozenset(self.natural(thing, found.of) for thing in things)
        if isinstance(found, ListOf | PileOf):
            return tuple(self.natural(thing, found.of) for thing in raw)
        return raw

    def default(self, found: Type) -> Any:
        """Returns the initial value of a place of this type."""
        match found:
            case Int():
                low, high = found.low, found.high
                return low if low is not None and low > 0 else high if high is not None and high < 0 else 0
            case Bool():
                return False
            case MemberOf():
                return 0
            case SetOf():
                return frozenset()
            case ListOf() | PileOf():
                return ()
            case BagOf():
                return (0,) * len(self.model.enums[found.of.name])
        return None

    def spell(self, found: Type, value: Any) -> str:
        if isinstance(found, OptionalOf):
            return "none" if value is None else self.spell(found.of, value)
        if isinstance(found, MemberOf):
            return f"{value[0]},{value[1]}" if self.is_open(found) else self.model.enum_of(found.name).members[value]
        if isinstance(found, ListOf):
            return "[" + " ".join(self.spell(found.of, thing) for thing in value) + "]"
        if isinstance(found, SetOf):
            return "{" + " ".join(self.spell(found.of, thing) for thing in sorted(value)) + "}"
        if isinstance(found, BagOf):
            things = [self.spell(found.of, n) for n, count in enumerate(value) for _ in range(count)]
            return "{" + " ".join(things) + "}"
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
        """Returns the whole position: values that differ from the default of their type, by state and index."""
        out: dict[str, dict[tuple, Any]] = {}
        for name, state in self.program.states.items():
            entries = {**self.firsts[name], **self.state[name]}
            out[name] = {index: value for index, (value,) in entries.items() if value != self.default(state.type)}
        return out

    # ------------------------------------------------------------ expressions

    def of(self, node: Expr, env: Env) -> Any:
        return getattr(self, "_" + type(node).__name__.lower())(node, env)

    def fitted(self, node: Expr, found: Type, env: Env) -> Any:
        """Evaluates an expression for the type `found`: `none`, {} and [] adapt to this type."""
        value = self.of(node, env)
        if isinstance(node, EmptyLiteral) or isinstance(node.type, EmptyType):
            return self.default(found) if isinstance(found, CONTAINERS) else value
        return value

    def all_of(self, nodes: Iterable[Expr], env: Env) -> list:
        return [self.of(node, env) for node in nodes]

    def hold(self, tests: Iterable[Expr], env: Env) -> bool:
        """Whether all conditions hold. Conditions after a false one are not evaluated."""
        return all(self.of(test, env) for test in tests)

    def _const(self, node: Any, env: Env) -> Any:
        return self.natural(node.value, node.type)

    def _namedconstant(self, node: Any, env: Env) -> int:
        return self.model.numbers[node.name]

    def _optionvalue(self, node: Any, env: Env) -> Any:
        value = self.model.settings[node.name]
        return value if isinstance(node.type, Bool | Int) else [str(v) for v in self.model.options[node.name].values].index(str(value))

    def _memberconstant(self, node: Any, env: Env) -> int:
        enum = self.model.enum_of(node.domain)
        return enum.own[enum.members[node.member], node.name]

    def _emptyliteral(self, node: Any, env: Env) -> Any:
        """Returns the literal itself. Its type depends on its place, not on its declared type."""
        return {"none": None, "{}": frozenset(), "[]": ()}[node.literal]

    def _allmembers(self, node: Any, env: Env) -> frozenset:
        return frozenset(range(len(self.model.enum_of(node.domain))))

    def _localref(self, node: Any, env: Env) -> Any:
        return env[node.local]

    def _stateref(self, node: Any, env: Env) -> Any:
        return self.read(self.program.states[node.state], tuple(self.all_of(node.index, env)))

    def _occupiedcells(self, node: Any, env: Env) -> frozenset:
        given = self.all_of(node.index, env)
        axes = [self.model.enums[domain].kind for _, domain in self.program.states[node.state].axes]
        place = axes.index("open")
        rows = ((index[place], index[:place] + index[place + 1 :]) for index in self.table()[node.state])
        return frozenset(cell for cell, rest in rows if not given or list(rest) == given)

    def _countof(self, node: Any, env: Env) -> int:
        return self.of(node.bag, env)[self.of(node.kind, env)]

    def _elementat(self, node: Any, env: Env) -> Any:
        n, things, found = self.of(node.index, env), self.of(node.things, env), node.things.type.of
        if 1 <= n <= len(things):
            return things[n - 1]
        return self.default(found) if isinstance(found, Int | SetOf | ListOf) else None

    def _tablelookup(self, node: Any, env: Env) -> int:
        table = self.model.tables[node.table]
        n = self.of(node.index, env) - table.first
        if n < 0:
            return table.values[0] if table.beyond == "last" else 0
        return table.values[n] if n < len(table.values) else table.values[-1] if table.beyond == "last" else 0

    def _attribute(self, node: Any, env: Env) -> Any:
        enum, owner = self.model.enum_of(node.domain), self.of(node.thing, env)
        return None if owner is None else self.natural(enum.values[node.name][owner], enum.attributes[node.name])

    def _calldef(self, node: Any, env: Env) -> Any:
        case = None if node.case is None else self.of(node.case, env)
        family = self.program.families[node.family]
        return self.call(family, case, self.arguments(family, node.args, env))

    def _collectionliteral(self, node: Any, env: Env) -> Any:
        things = [self.fitted(part, node.type.of, env) for part in node.parts]
        return frozenset(things) if isinstance(node.type, SetOf) else tuple(things)

    def _condexpr(self, node: Any, env: Env) -> Any:
        return self.fitted(node.value if self.of(node.test, env) else node.other, node.type, env)

    def _aftercall(self, node: Any, env: Env) -> Any:
        """Runs the procedure, evaluates the value, and restores the position."""
        call, states, told = node.call, deepcopy(self.state), list(self.told)
        case = None if call.case is None else self.of(call.case, env)
        self.perform(call.family, case, self.arguments(self.program.families[call.family], call.args, env))
        value = self.of(node.value, env)
        self.state, self.told[:] = states, told
        return value

    def _orelse(self, node: Any, env: Env) -> Any:
        value = self.of(node.value, env)
        return self.fitted(node.other, node.type, env) if value is None else value

    def _primop(self, node: Any, env: Env) -> Any:
        if node.op in OPERATORS:
            return self.operator(node, env)
        return self.builtin(node.op, node.args, self.all_of(node.args, env))

    def operator(self, node: Any, env: Env) -> Any:
        one, *others = node.args
        match node.op:
            case "not":
                return not self.of(one, env)
            case "neg":
                return -self.of(one, env)
            case "and":
                return self.hold(node.args, env)
            case "or":
                return self.of(one, env) or self.of(others[0], env)
            case "==" | "!=":
                same = self.fitted(one, others[0].type, env) == self.fitted(others[0], one.type, env)
                return same == (node.op == "==")
            case "in" | "not in":
                value = self.of(one, env)
                held = value is not None and value in self.members(others[0], env)
                return held == (node.op == "in")
            case "..":
                return tuple(range(self.of(one, env), self.of(others[0], env) + 1))
        left, right = (self.fitted(arg, node.type, env) for arg in node.args)
        if isinstance(node.type, SetOf):
            return {"+": left | right, "-": left - right, "&": left & right}[node.op]
        if isinstance(node.type, ListOf):
            return left + right if node.op == "+" else without(left, right)
        if node.op in ("//", "%"):
            if right == 0:
                raise Fault("F001")
            return left // right if node.op == "//" else left % right
        return {
            "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
            "+": left + right, "-": left - right, "*": left * right,
        }[node.op]

    def call(self, family: Family, case: int | None, values: list) -> Any:
        """Returns the value of a def."""
        routine = family.entry(case)
        env = self.parameters(routine, case, values)
        if routine.value is None:
            return self.hold([condition.test for condition in routine.conditions], env)
        return self.fitted(routine.value, routine.type, env)

    def arguments(self, family: Family, given: Iterable[Expr], env: Env) -> list:
        return [self.fitted(node, param.type, env) for node, param in zip(given, family.params, strict=True)]

    def parameters(self, routine: Routine, case: int | None, values: list) -> Env:
        env = dict(zip(routine.params, values, strict=True))
        if routine.case is not None:
            env[routine.case] = case
        return env

    # ------------------------------------------------------------ generators and folds

    def members(self, source: Expr, env: Env) -> list:
        """Returns the values that a generator over `source` takes, in order."""
        return things(source.type, self.of(source, env))

    def combinations(self, gens: Iterable[GeneratorBinding], where: Iterable[Expr], env: Env) -> Iterator[Env]:
        """Yields every assignment of values to the names. The first name changes slowest."""
        gens = tuple(gens)

        def bind(n: int, known: Env) -> Iterator[Env]:
            if n == len(gens):
                if self.hold(where, known):
                    yield known
                return
            gen = gens[n]
            for number, thing in enumerate(self.members(gen.source, known), 1):
                more = {**known, gen.local: thing}
                if gen.number is not None:
                    more[gen.number] = number
                yield from bind(n + 1, more)

        return bind(0, env)

    def shortest(self, node: Any, env: Env) -> int | None:
        """Returns the lowest cost of a way: costs go down until no step makes any place cheaper."""
        start, *steps = node.gens
        costs = dict.fromkeys(self.members(start.source, env), 0)
        goal = self.members(node.places, env)
        while True:
            before = dict(costs)
            for place, cost in before.items():
                for known in self.combinations(steps, node.where, {**env, start.local: place}):
                    there, total = known[steps[-1].local], cost + self.of(node.value, known)
                    costs[there] = min(total, costs.get(there, total))
            if costs == before:
                return min((costs[place] for place in goal if place in costs), default=None)

    def longest(self, node: Any, env: Env) -> int:
        """Returns the highest cost of a trail: tries each step that uses a new thing, from each place."""
        start, *steps = node.gens
        once, last = steps[0].local, steps[-1].local
        through = self.members(node.places, env)

        def extend(here: Any, used: frozenset[Any], is_start: bool) -> int:
            if not is_start and here not in through:
                return 0
            return max((self.of(node.value, known) + extend(known[last], used | {known[once]}, False)
                        for known in self.combinations(steps, node.where, {**env, start.local: here})
                        if known[last] != here and known[once] not in used), default=0)

        return max((extend(here, frozenset({here} if once == last else ()), True) for here in self.members(start.source, env)), default=0)

    def _fold(self, node: Any, env: Env) -> Any:
        if node.kind == "longest":
            return self.longest(node, env)
        if node.kind == "shortest":
            return self.shortest(node, env)
        last = node.gens[-1].local
        every = self.combinations(node.gens, node.where, env)
        found = [(known[last], None if node.value is None else self.of(node.value, known)) for known in every]
        values = [thing if node.value is None else value for thing, value in found]
        match node.kind:
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
            case "first":
                return values[0] if values else None
            case "the":
                if not values:
                    raise Fault("F002")
                return values[0]
        raise AssertionError(node.kind)

    # ------------------------------------------------------------ built-in functions

    def builtin(self, name: str, args: tuple[Expr, ...], values: list) -> Any:
        n = self.model.players
        match name:
            case "size":
                return sum(values[0]) if isinstance(args[0].type, BagOf) else len(things(args[0].type, values[0]))
            case "min":
                return min(values)
            case "max":
                return max(values)
            case "ceil":
                if values[1] == 0:
                    raise Fault("F001")
                return -(-values[0] // values[1])
            case "only":
                found = things(args[0].type, values[0])
                return found[0] if len(found) == 1 else None
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
            case "subsets":
                sizes = range(len(values[0]) + 1) if len(values) == 1 else values[1:]
                found = [frozenset(part) for size in sizes if size >= 0 for part in combinations(sorted(values[0]), size)]
                if len(found) > 20_000:
                    raise Fault("F012")
                return tuple(found)
            case "amounts":
                bag, sizes = values[0], values[1] if isinstance(values[1], tuple) else (values[1],)
                parts = product(*(range(min(count, max(sizes, default=0)), -1, -1) for count in bag))
                found = sorted((part for part in parts if sum(part) in sizes), key=sum)
                if len(found) > 20_000:
                    raise Fault("F012")
                return tuple(found)
        return on_board(self.model, name, args, values)


def things(found: Type, value: Any) -> list:
    """Returns the content of a value of this type, in order, with each kind of a bag once."""
    if isinstance(found, BagOf):
        return [n for n, count in enumerate(value) if count]
    if value is None:
        return []
    if isinstance(found, OptionalOf):
        return [value]
    return sorted(value) if isinstance(value, frozenset) else list(value)


def without(row: tuple, others: tuple) -> tuple:
    """Returns a list without these values: each one removes the first equal value."""
    out = list(row)
    for thing in others:
        if thing in out:
            out.remove(thing)
    return tuple(out)
