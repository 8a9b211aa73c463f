"""Words of the position in variables, while a simulated game runs through its rounds.

The outermost loop of a game asks for the same few words again and again: who holds what, what is kept, how many decisions were made. Where
the loop names such a word by its number, and nothing that it calls writes it, the loop works with a variable: loaded before it, put back
where it is left and before a call that reads it. What is only kept, and asked for no more, is not mended any longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..storage.control_slots import EVENTS, RANDOM, SCRIPT
from . import nodes as m
from .builder import POSITION, get, put
from .program import Machine
from .slot_ranges import Spaces, leading
from .value_types import Unknown

DRAWN = (RANDOM, EVENTS, SCRIPT)                                   # what the runtime's chance reads and writes
CHANCE = {"chance", "shuffled", "below", "random64"}


@dataclass
class Touched:
    """The spaces that steps read and write, by where they begin; `numbers` are the addresses that are numbers, `others` the spaces that are
    reached in another way too."""

    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)          # for each address: the space that it lies in
    put: set[int] = field(default_factory=set)                     # of those: which are written
    got: set[int] = field(default_factory=set)                     # and which are read for more than to be changed
    others: set[int] = field(default_factory=set)


def words_in_variables(machine: Machine, name: str) -> None:
    """Rewrite the outermost loop of the function that is the game."""
    looking = _Looking(machine)
    code = next(code for code in machine.functions if code.name == name)
    try:
        code.body = _rewritten(looking, code.body)
    except Unknown:                                                # an address of which nothing is known
        return


def _rewritten(looking: _Looking, body: m.Body, last: bool = True) -> m.Body:
    """The body of the game; `last`: nothing comes behind it."""
    found: m.Body = []
    for n, node in enumerate(body):
        ends = last and all(isinstance(one, m.Return) for one in body[n + 1 :])
        match node:
            case m.If(test=test, body=inner, other=other):
                found.append(m.If(test, _rewritten(looking, inner, ends), _rewritten(looking, other, ends), origin=node.origin))
            case m.While():
                found += _Loop(looking, node, ends).rewritten()
            case _:
                found.append(node)
    return found


class _Looking:
    """What the functions of a machine read and write."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.spaces = machine, Spaces(machine)
        self.codes = {code.name: code for code in (*machine.functions, *machine.blocks)}
        self.known: dict[str, Touched] = {}

    def function(self, name: str) -> Touched:
        if name not in self.known:
            found = self.known[name] = Touched()
            for one in self.machine.tables.get(name, ()):
                self.add(found, self.function(one))
            if name in self.codes:
                self.body(self.codes[name].body, found)
        return self.known[name]

    def add(self, found: Touched, called: Touched) -> None:
        found.reads |= called.reads
        found.writes |= called.writes

    def body(self, body: m.Body, found: Touched) -> None:
        given = {step.names[0]: step.value for step in m.steps(body) if isinstance(step, m.Set) and len(step.names) == 1}
        for node in m.steps(body):
            match node:
                case m.Put(at=ats):
                    for at in ats:
                        self.word(at, found, given, True)
                case m.PutWords(low=low):
                    self.word(low, found, given, True, True)
                case m.Change(target=m.Get(at=at)):
                    self.word(at, found, given, True)
                case m.Recall(at=at, sure=True) if not isinstance(at, m.At):
                    self.word(at, found, given, False)
                case m.Recall(at=at) if not isinstance(at, m.At):
                    self.word(at, found, given, True, True)
            if isinstance(node, m.Recall) and not node.sure:
                self.expression(node.made, found, given)
            for value in [node.value] if isinstance(node, m.Change) else m.expressions(node):
                self.expression(value, found, given)

    def word(self, at: m.Expr, found: Touched, given: dict[str, m.Expr], written: bool, wide: bool = False) -> None:
        """An address that is read, or written too."""
        first = leading(at)
        space = self.spaces.of(at, [given[first.name]] if isinstance(first, m.Var) and first.name in given else ())[0]
        found.reads.add(space.start)
        if written:
            found.writes.add(space.start)
        if isinstance(at, m.Num) and not wide:
            found.numbers[at.value] = space.start
            (found.put if written else found.got).add(at.value)
        else:
            found.others.add(space.start)

    def expression(self, node: m.Expr, found: Touched, given: dict[str, m.Expr], listed: bool = False) -> None:
        """What an expression reads, and what the functions do that it calls. `listed`: it is asked for each of several things in a scope
        of its own."""
        match node:
            case m.Get(at=at):
                self.word(at, found, given, False, listed)
            case m.Words(low=low):
                self.word(low, found, given, False, True)
            case m.Call(function=m.Function(name=name)) | m.Call(function=m.At(things=m.Function(name=name))):
                self.add(found, self.function(name))
            case m.Call(function=str(name), args=args) if POSITION in args:
                if name not in CHANCE and name != "draw_bag":
                    raise Unknown(f"what {name} does")
                found.reads |= {*DRAWN}
                found.writes |= {*DRAWN}
                found.others |= {*DRAWN}
                if name == "draw_bag":
                    self.word(args[1], found, given, True, True)
            case m.Method(thing=m.Var(name="s")):
                found.reads |= {space.start for space in self.spaces.fixed}
        for part in m.expressions(node):
            self.expression(part, found, given, listed or isinstance(node, m.Listed))


class _Loop:
    """The outermost loop, with words of the position as variables."""

    def __init__(self, looking: _Looking, loop: m.While, last: bool) -> None:
        self.looking, self.loop = looking, loop
        touched = Touched()
        looking.body([loop], touched)
        called = Touched()
        for node in m.steps([loop]):
            for call in calls_of(node):
                looking.add(called, looking.function(call))
            if isinstance(node, m.While) and any(calls_of(node)):
                raise Unknown("what a test of a loop reads")
        shut = touched.others | called.writes
        self.words = {at: f"word{at}" for at, space in touched.numbers.items() if space not in shut and self.alone(space)}
        self.idle: set[int] = set()                                # what is kept and nobody asks for any more
        if last:
            self.idle = {at for at in self.words if at not in touched.got and looking.spaces.at(m.Num(at)).lapses
                         and touched.numbers[at] not in called.reads}
            self.words = {at: name for at, name in self.words.items() if at not in self.idle}
        self.dirty = {at: touched.numbers[at] for at in sorted(self.words) if at in touched.put}

    def alone(self, start: int) -> bool:
        """Whether a space is one that has its words for itself: those of frames are shared."""
        return any(space.start == start for space in self.looking.spaces.fixed)

    def rewritten(self) -> m.Body:
        head: m.Body = [m.Set((name,), get(at), origin=self.loop.origin) for at, name in sorted(self.words.items())]
        body = self.block([self.loop])
        drop_unread(body)
        return [*head, *body, *self.back(self.loop, set(self.dirty.values()))]

    def back(self, node: m.Stmt, spaces: set[int]) -> m.Body:
        """Steps that put variables back into the position."""
        return [put(at, m.Var(self.words[at])) for at, space in self.dirty.items() if space in spaces]

    def block(self, body: m.Body) -> m.Body:
        found: m.Body = []
        for node in body:
            match node:
                case m.Change(target=m.Get(at=m.Num(value=at))) | m.Put(at=(m.Num(value=at),)) if at in self.idle:
                    continue
            read = {space for call in calls_of(node) for space in self.looking.function(call).reads}
            if isinstance(node, m.Return | m.Raise):
                read |= set(self.dirty.values())
            before = self.back(node, read)
            for one in before:
                one.origin = node.origin
            found += [*before, self.step(node)]
        return found

    def step(self, node: m.Stmt) -> m.Stmt:
        match node:
            case m.If(test=test, body=body, other=other):
                return m.If(self.of(test), self.block(body), self.block(other), origin=node.origin)
            case m.For(names=names, things=things, body=body, other=other):
                return m.For(names, self.of(things), self.block(body), self.block(other), origin=node.origin)
            case m.While(test=test, body=body):
                return m.While(self.of(test), self.block(body), origin=node.origin)
            case m.Put(at=(m.Num(value=at),), value=value) if at in self.words:
                return m.Set((self.words[at],), self.of(value), origin=node.origin)
            case m.Change(target=m.Get(at=m.Num(value=at)), sign=sign, value=value) if at in self.words:
                return m.Change(m.Var(self.words[at]), sign, self.of(value), origin=node.origin)
            case m.Recall(name=str(name), at=m.Num(value=at), sure=True) if at in self.words:
                return m.Set((name,), m.Var(self.words[at]), origin=node.origin)
        return m.renewed(node, self.word)

    def of(self, node: m.Expr) -> m.Expr:
        return m.mapped(node, self.word)

    def word(self, node: m.Expr) -> m.Expr | None:
        match node:
            case m.Get(at=m.Num(value=at)) if at in self.words:
                return m.Var(self.words[at])
        return None


def drop_unread(body: m.Body) -> None:
    """Take out entries of constants that are looked up and not used any more."""
    read = {name for node in m.steps(body) for value in m.expressions(node) for name in variables(value)}

    def without(block: m.Body) -> None:
        block[:] = [node for node in block if not (isinstance(node, m.Set) and isinstance(node.value, m.At)
                                                   and isinstance(node.value.things, m.Table) and not read & {*node.names})]
        for node in block:
            for inner in m.bodies(node):
                without(inner)

    without(body)


def variables(value: m.Expr) -> Iterator[str]:
    """The variables in an expression."""
    if isinstance(value, m.Var):
        yield value.name
    for part in m.expressions(value):
        yield from variables(part)


def calls_of(node: m.Stmt) -> Iterator[str]:
    """The functions that a step calls itself, not those of the steps inside it."""
    left = m.expressions(node)
    if isinstance(node, m.Recall):
        left = [] if node.sure else list[m.Expr]([node.made])
    while left:
        value = left.pop()
        match value:
            case m.Call(function=m.Function(name=name)) | m.Call(function=m.At(things=m.Function(name=name))):
                yield name
        left += m.expressions(value)
