"""Visibility of core constructs: which entry they name, what they reveal, whether they may end or ask."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.nodes import (
    CallDef,
    CallProc,
    ChanceDecider,
    ChooseStmt,
    CollectionLiteral,
    Const,
    CountOf,
    Expr,
    Fold,
    GeneratorBinding,
    IfChain,
    LocalRef,
    LocalVar,
    MoveStmt,
    Node,
    PrimOp,
    StateRef,
    Stmt,
    StopProc,
    Store,
    Target,
)
from ..core.program import Program, Routine
from ..core.walk import target_state, walk
from ..types.types import BagOf, Int, MemberOf
from .results import EffectTable, EntryKey, EntryOwner, Secret, Secrets

OwnerNames = dict[EntryOwner, list[EntryOwner]]       # owners on one side of a call → names on the other side


def entry_key(node: Expr | None, program: Program) -> EntryKey:
    """Returns the identity of an entry's owner, to recognize two expressions with the same owner. None: unknown."""
    match node:
        case LocalRef(local=local):
            return None if local.mutable else ("local", local)
        case Const(type=MemberOf(name=domain), value=member):
            return ("member", domain, member)
        case StateRef(state=state, index=()):
            return ("state", state) if program.states[state].seen == "open" else None
    return None


def target_index(place: Target) -> tuple[Expr, ...]:
    """Returns the expressions that select the place."""
    match place:
        case StateRef(index=index):
            return index
        case CountOf(bag=StateRef(index=index), kind=kind):
            return (*index, kind)
    return ()


def match_owners(routine: Routine, case: Expr | None, arguments: Iterable[Expr], program: Program) -> OwnerNames:
    """Maps owners across a call, in both directions: each owner to its names on the other side."""
    found: OwnerNames = {}
    pairs: list[tuple[LocalVar, Expr | None]] = [*zip(routine.params, arguments)]
    if routine.case is not None:
        pairs.append((routine.case, case))
    for param, argument in pairs:
        outer = entry_key(argument, program)
        if outer is not None:
            found.setdefault(outer, []).append(("local", param))
            found.setdefault(("local", param), []).append(outer)
    return found


def translate_secrets(secrets: Secrets, names: OwnerNames) -> Secrets:
    """Returns the secrets with their owners as named on the other side of a call."""
    out = set()
    for secret in secrets:
        owner = secret.owner
        other: EntryKey = None
        if owner is not None:
            other = names[owner][0] if owner in names else None if owner[0] == "local" else owner
        out.add(Secret(secret.state, other))
    return frozenset(out)


def is_length_public(source: Expr) -> bool:
    """Whether the length of a loop over this is public. It is for a place, but not for a bag, where a loop visits
    only the kinds it contains."""
    return isinstance(source, StateRef) and not isinstance(source.type, BagOf)


# ---------------------------------------------------------------- conditions that say whose a thing is


def find_guards(where: Iterable[Expr], program: Program) -> list[tuple[str, EntryKey, EntryKey]]:
    """Returns the ownership conditions of the form `keeper[x] == player`: the keeper's state, x, and the player."""
    found: list[tuple[str, EntryKey, EntryKey]] = []
    for condition in where:
        match condition:
            case PrimOp(op="==", args=(one, two)):
                for place, other in ((one, two), (two, one)):
                    who = entry_key(other, program)
                    if isinstance(place, StateRef) and len(place.index) == 1 and who is not None:
                        found.append((place.state, entry_key(place.index[0], program), who))
    return found


def find_set_guards(source: Expr, program: Program) -> list[tuple[str, EntryKey]]:
    """Returns the keeper's state and the player for a set that is filtered by `keeper[x] == player`, also inside a
    def."""
    match source:
        case Fold(kind="set" | "list", gens=(*_, GeneratorBinding(local=last)), where=where, value=None):
            return [(state, owner) for state, item, owner in find_guards(where, program) if item == ("local", last)]
        case CallDef(family=name, case=case, args=args):
            routines = program.families[name].routines
            if len(routines) == 1 and routines[0].value is not None:
                names = match_owners(routines[0], case, args, program)
                return [(state, names[owner][0]) for state, owner in find_set_guards(routines[0].value, program)
                        if owner is not None and owner in names]
    return []


# ---------------------------------------------------------------- statements


def may_end_procedure(node: Stmt) -> bool:
    """Whether the procedure may end in this statement."""
    return any(isinstance(part, StopProc) or isinstance(part, ChooseStmt) and part.stop for part in walk(node))


def may_ask(node: Node, program: Program, effects: EffectTable) -> bool:
    """Whether this statement may ask a player."""
    for part in walk(node):
        match part:
            case ChooseStmt(by=by) if not isinstance(by, ChanceDecider):
                return True
            case CallProc(family=name) if any(effects.of[routine].asks for routine in program.families[name].routines):
                return True
    return False


def is_open_place(place: Target, program: Program) -> bool:
    """Whether the place belongs to a state that everybody sees."""
    state = target_state(place)
    return state is not None and program.states[state].seen == "open"


def union_members(value: Expr) -> tuple[Expr, ...]:
    """Returns the values that a new value is guaranteed to contain: the members of a literal, or of both sides of
    a union."""
    if isinstance(value, CollectionLiteral):
        return value.parts
    if isinstance(value, PrimOp) and value.op == "+" and not isinstance(value.type, Int):
        return tuple(part for argument in value.args for part in union_members(argument))
    return (value,)


class RevealedLocals:
    """Finds the locals that statements reveal by writing them to public places."""

    def __init__(self, program: Program, effects: EffectTable) -> None:
        self.program, self.effects = program, effects
        self.bodies: dict[Routine, frozenset[LocalVar]] = {}

    def statement_reveals(self, node: Stmt) -> frozenset[LocalVar]:
        """Returns the locals that one statement reveals."""
        values: tuple[Expr | None, ...] = ()
        match node:
            case Store(op=op, target=target, value=value) if is_open_place(target, self.program):
                if isinstance(target, CountOf):                    # adds a thing of this kind to a public bag
                    values = (target.kind,) if op != "=" else ()
                elif op != "-=":
                    values = union_members(value)
            case MoveStmt(amount=amount, target=target) if not amount.most and is_open_place(target, self.program):
                values = (amount.value,)
            case CallProc(family=name, args=args):
                shown = [{n for n, param in enumerate(routine.params) if param in self.body_reveals(routine)}
                         for routine in self.program.families[name].routines]
                always = set.intersection(*shown) if shown else set()      # any of them may run
                values = tuple(argument for n, argument in enumerate(args) if n in always)
            case IfChain(arms=arms, other=other):
                return frozenset.intersection(*(self.block_reveals(block) for block in (*(arm.body for arm in arms), other or ())))
        named = (entry_key(value, self.program) for value in values)     # a mutable local has no key
        return frozenset(found[1] for found in named if found is not None and found[0] == "local")

    def body_reveals(self, routine: Routine) -> frozenset[LocalVar]:
        """Returns the locals that a procedure is guaranteed to reveal before it asks."""
        if routine not in self.bodies:
            self.bodies[routine] = self.block_reveals(routine.body)
        return self.bodies[routine]

    def block_reveals(self, statements: Iterable[Stmt]) -> frozenset[LocalVar]:
        """Returns the locals that the statements are guaranteed to reveal before a player is asked again. Statements
        in inner blocks do not count, except what all branches of an `if` reveal."""
        found: frozenset[LocalVar] = frozenset()
        for node in statements:
            if may_end_procedure(node):
                break
            found |= self.statement_reveals(node)
            if may_ask(node, self.program, self.effects):             # reveals before the callee asks are included
                break
        return found
