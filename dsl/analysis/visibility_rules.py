"""What parts of the core mean for secrets: which entry they name, what they lay open, whether they stop or ask."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.nodes import (
    Ask,
    Chance,
    Choose,
    Const,
    CountOf,
    Display,
    Do,
    Expr,
    Fold,
    Gen,
    Halt,
    If,
    Load,
    Local,
    Move,
    Node,
    Prim,
    Read,
    Stmt,
    Store,
    Target,
)
from ..core.program import Program, Routine
from ..core.walk import state_of, walk
from ..types.types import BagOf, Int, Of
from .results import Effects, Key, Owner, Secret, Secrets

Names = dict[Owner, list[Owner]]       # of a call: what a thing is called on one side, and how it is called on the other


def key(node: Expr | None, program: Program) -> Key:
    """What names an entry, so that two expressions can be known to name the same one."""
    match node:
        case Read(local=local):
            return None if local.mutable else ("local", local)
        case Const(type=Of(name=domain), value=member):
            return ("member", domain, member)
        case Load(state=state, index=()):
            return ("state", state) if program.states[state].seen == "open" else None
    return None


def given(place: Target) -> tuple[Expr, ...]:
    """What says which place it is."""
    match place:
        case Load(index=index):
            return index
        case CountOf(bag=Load(index=index), kind=kind):
            return (*index, kind)
    return ()


def owners(routine: Routine, case: Expr | None, arguments: Iterable[Expr], program: Program) -> Names:
    """The caller's names → the callee's, and the other way round: each key with those that stand for it on the other side."""
    found: Names = {}
    pairs: list[tuple[Local, Expr | None]] = [*zip(routine.params, arguments)]
    if routine.case is not None:
        pairs.append((routine.case, case))
    for param, argument in pairs:
        outer = key(argument, program)
        if outer is not None:
            found.setdefault(outer, []).append(("local", param))
            found.setdefault(("local", param), []).append(outer)
    return found


def translated(found: Secrets, names: Names) -> Secrets:
    """Secrets with their owners as they are called on the other side of a call."""
    out = set()
    for secret in found:
        owner = secret.owner
        other: Key = None
        if owner is not None:
            other = names[owner][0] if owner in names else None if owner[0] == "local" else owner
        out.add(Secret(secret.state, other))
    return frozenset(out)


def counted(source: Expr) -> bool:
    """Whether how often a loop over this runs is open to all: a place that is not a bag (of which only the kinds are gone through)."""
    return isinstance(source, Load) and not isinstance(source.type, BagOf)


# ---------------------------------------------------------------- conditions that say whose a thing is


def guards(where: Iterable[Expr], program: Program) -> list[tuple[str, Key, Key]]:
    """`keeper[x] == player` among conditions: the keeper's state, x, and the player."""
    found: list[tuple[str, Key, Key]] = []
    for condition in where:
        match condition:
            case Prim(op="==", args=(one, two)):
                for place, other in ((one, two), (two, one)):
                    who = key(other, program)
                    if isinstance(place, Load) and len(place.index) == 1 and who is not None:
                        found.append((place.state, key(place.index[0], program), who))
    return found


def kept(source: Expr, program: Program) -> list[tuple[str, Key]]:
    """Of a set made with `keeper[x] == player`, also in a def: the keeper's state and the player."""
    match source:
        case Fold(kind="set" | "list", gens=(*_, Gen(local=last)), where=where, value=None):
            return [(state, owner) for state, item, owner in guards(where, program) if item == ("local", last)]
        case Ask(family=name, case=case, args=args):
            routines = program.families[name].routines
            if len(routines) == 1 and routines[0].value is not None:
                names = owners(routines[0], case, args, program)
                return [(state, names[owner][0]) for state, owner in kept(routines[0].value, program)
                        if owner is not None and owner in names]
    return []


# ---------------------------------------------------------------- statements


def stops(node: Stmt) -> bool:
    """Whether the procedure may end in this statement."""
    return any(isinstance(part, Halt) or isinstance(part, Choose) and part.stop for part in walk(node))


def asks(node: Node, program: Program, effects: Effects) -> bool:
    """Whether somebody may be asked in this statement."""
    for part in walk(node):
        match part:
            case Choose(by=by) if not isinstance(by, Chance):
                return True
            case Do(family=name) if any(effects.of[routine].asks for routine in program.families[name].routines):
                return True
    return False


def open_place(place: Target, program: Program) -> bool:
    """Whether it lies in a state that everybody sees."""
    state = state_of(place)
    return state is not None and program.states[state].seen == "open"


def put_together(value: Expr) -> tuple[Expr, ...]:
    """The values that a new value holds for sure: the members of a literal, and those of both sides of a union."""
    if isinstance(value, Display):
        return value.parts
    if isinstance(value, Prim) and value.op == "+" and not isinstance(value.type, Int):
        return tuple(part for argument in value.args for part in put_together(argument))
    return (value,)


class Shown:
    """What statements put where everybody looks."""

    def __init__(self, program: Program, effects: Effects) -> None:
        self.program, self.effects = program, effects
        self.bodies: dict[Routine, frozenset[Local]] = {}

    def by(self, node: Stmt) -> frozenset[Local]:
        """The locals that a statement puts there."""
        values: tuple[Expr | None, ...] = ()
        match node:
            case Store(op=op, target=target, value=value) if open_place(target, self.program):
                if isinstance(target, CountOf):                    # one more of a kind in an open bag
                    values = (target.kind,) if op != "=" else ()
                elif op != "-=":
                    values = put_together(value)
            case Move(amount=amount, target=target) if not amount.most and open_place(target, self.program):
                values = (amount.value,)
            case Do(family=name, args=args):
                shown = [{n for n, param in enumerate(routine.params) if param in self.body(routine)}
                         for routine in self.program.families[name].routines]
                always = set.intersection(*shown) if shown else set()      # it is not known which of them runs
                values = tuple(argument for n, argument in enumerate(args) if n in always)
            case If(arms=arms, other=other):
                return frozenset.intersection(*(self.line(block) for block in (*(arm.body for arm in arms), other or ())))
        named = (key(value, self.program) for value in values)     # a local that may be assigned has no key
        return frozenset(found[1] for found in named if found is not None and found[0] == "local")

    def body(self, routine: Routine) -> frozenset[Local]:
        if routine not in self.bodies:
            self.bodies[routine] = self.line(routine.body)
        return self.bodies[routine]

    def line(self, statements: Iterable[Stmt]) -> frozenset[Local]:
        """What is surely shown by statements before anybody is asked again: nothing counts that stands in an inner block."""
        found: frozenset[Local] = frozenset()
        for node in statements:
            if stops(node):
                break
            found |= self.by(node)
            if asks(node, self.program, self.effects):             # what a called procedure shows before it asks counts
                break
        return found
