"""Visibility of core constructs: which entry they name, what they reveal, whether they may end or ask."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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
    ForEach,
    GeneratorBinding,
    IfChain,
    LocalRef,
    LocalVar,
    MoveAmount,
    MoveStmt,
    Node,
    PrimOp,
    RepeatLoop,
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
            other = translate_owner(owner, names)
        out.add(Secret(secret.state, other))
    return frozenset(out)


def translate_owner(owner: EntryOwner, names: OwnerNames) -> EntryKey:
    """Returns the name of an owner on the other side of a call, or None."""
    if owner[0] == "others":
        return ("others", frozenset(other for one in owner[1] if (other := translate_owner(one, names)) is not None))
    return names[owner][0] if owner in names else None if owner[0] == "local" else owner


def is_length_public(source: Expr) -> bool:
    """Whether the length of a loop over this is public. It is for a place, but not for a bag, where a loop visits
    only the kinds it contains."""
    return isinstance(source, StateRef) and not isinstance(source.type, BagOf)


# ---------------------------------------------------------------- conditions that say whose a thing is


def find_guards(where: Iterable[Expr], program: Program, op: str = "==") -> list[tuple[str, EntryKey, EntryKey]]:
    """Returns the ownership conditions of the form `keeper[x] == player`: the keeper's state, x, and the player.

    With the operator `!=`, conditions of the form `x != player` count too. Their state is empty."""
    found: list[tuple[str, EntryKey, EntryKey]] = []
    for condition in where:
        match condition:
            case PrimOp(op=operator, args=(one, two)) if operator == op:
                for place, other in ((one, two), (two, one)):
                    who = entry_key(other, program)
                    if isinstance(place, StateRef) and len(place.index) == 1 and who is not None:
                        found.append((place.state, entry_key(place.index[0], program), who))
                    elif op == "!=" and who is not None:
                        found.append(("", entry_key(place, program), who))
    return found


def find_set_guards(source: Expr, program: Program, op: str = "==") -> list[tuple[str, EntryKey]]:
    """Returns the keeper's state and the player for a set that is filtered by `keeper[x] == player`, also inside a
    def. The operator can be `!=`, as for `find_guards`."""
    match source:
        case Fold(kind="set" | "list", gens=(*_, GeneratorBinding(local=last)), where=where, value=None):
            return [(state, owner) for state, item, owner in find_guards(where, program, op) if item == ("local", last)]
        case CallDef(family=name, case=case, args=args):
            routines = program.families[name].routines
            if len(routines) == 1 and routines[0].value is not None:
                names = match_owners(routines[0], case, args, program)
                return [(state, names[owner][0]) for state, owner in find_set_guards(routines[0].value, program, op)
                        if owner is not None and owner in names]
    return []


def find_guarded(
    gens: Iterable[GeneratorBinding], where: Iterable[Expr], who: EntryKey, program: Program, op: str = "=="
) -> set[tuple[str, EntryKey]]:
    """Returns the states and entries that the conditions of a choice compare with the player `who` (see `find_guards`)."""
    if who is None:
        return set()
    found = {(state, item) for state, item, owner in find_guards(where, program, op) if owner == who}
    for gen in gens:
        found |= {(state, ("local", gen.local)) for state, owner in find_set_guards(gen.source, program, op) if owner == who}
    return found


def name_others(secrets: Secrets, fold: Fold, program: Program) -> Secrets:
    """Returns the secrets of a fold such as `p in Player where p != player`: `p` is any player except those."""
    found: set[Secret] = set()
    for secret in secrets:
        state = program.states[secret.state]
        bound = state.inverted and state.keeper is None and secret.owner in [("local", gen.local) for gen in fold.gens]
        guards = find_guards(fold.where, program, "!=") if bound else []
        others = frozenset(owner for keeper, item, owner in guards if not keeper and item == secret.owner and owner is not None)
        found.add(Secret(secret.state, ("others", others)) if others else secret)
    return frozenset(found)


def is_own_secret(secret: Secret, who: EntryKey, program: Program, guards: Collection[tuple[str, EntryKey]] = ()) -> bool:
    """Whether the player `who` may see this secret, whoever it is: an entry of its own, or one that is hidden from a
    different player.

    `guards` are states and owners that are certainly not those of `who` (see `find_guarded`)."""
    state = program.states[secret.state]
    match secret.owner:
        case None:
            return False
        case ("others", frozenset() as others):
            return who in others
        case ("member", *_) if state.inverted and who is not None and who[0] == "member":
            return secret.owner[:2] == who[:2] and secret.owner != who
    return (state.keeper or "", secret.owner) in guards if state.inverted else secret.owner == who


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


def find_placed_bag(node: Stmt) -> tuple[Expr, Target] | None:
    """Returns the bag and the target of `move bag from source to target` or `target += bag`. Both become loops in the core."""
    match node:
        case ForEach(gens=(GeneratorBinding(local=kind, source=LocalRef(local=bag) as value),), where=(), body=(step,)):
            match step:
                case RepeatLoop(count=CountOf(bag=LocalRef(local=counted), kind=LocalRef(local=one)), until=None, body=(
                        MoveStmt(amount=MoveAmount(value=LocalRef(local=thing), most=False), target=target),)):
                    return (value, target) if counted is bag and one is thing is kind else None
                case Store(op="+=", target=CountOf(kind=LocalRef(local=thing)) as target,
                           value=CountOf(bag=LocalRef(local=counted), kind=LocalRef(local=one))):
                    return (value, target) if counted is bag and one is thing is kind else None
    return None


def placed_values(node: Stmt) -> tuple[Expr | None, ...]:
    """Returns the values that a statement is guaranteed to put into its target."""
    match node:
        case Store(op=op, target=CountOf(kind=kind)):              # adds a thing of this kind to a bag
            return (kind,) if op != "=" else ()
        case Store(op=op, value=value) if op != "-=":
            return union_members(value)
        case MoveStmt(amount=amount) if not amount.most:
            return (amount.value,)
    return ()


def find_locals(values: Iterable[Expr | None], program: Program) -> frozenset[LocalVar]:
    """Returns the locals among these values. A mutable local does not count."""
    named = (entry_key(value, program) for value in values)
    return frozenset(found[1] for found in named if found is not None and found[0] == "local")


class RevealedLocals:
    """Finds the locals that statements reveal by writing them to public places."""

    def __init__(self, program: Program, effects: EffectTable) -> None:
        self.program, self.effects = program, effects
        self.bodies: dict[Routine, frozenset[LocalVar]] = {}

    def statement_reveals(self, node: Stmt) -> frozenset[LocalVar]:
        """Returns the locals that one statement reveals."""
        values: tuple[Expr | None, ...] = ()
        match node:
            case Store(target=target) | MoveStmt(target=target) if is_open_place(target, self.program):
                values = placed_values(node)
            case ForEach() if (placed := find_placed_bag(node)) is not None and is_open_place(placed[1], self.program):
                values = (placed[0],)
            case CallProc(family=name, args=args):
                shown = [{n for n, param in enumerate(routine.params) if param in self.body_reveals(routine)}
                         for routine in self.program.families[name].routines]
                always = set.intersection(*shown) if shown else set()      # any of them may run
                values = tuple(argument for n, argument in enumerate(args) if n in always)
            case IfChain(arms=arms, other=other):
                return frozenset.intersection(*(self.block_reveals(block) for block in (*(arm.body for arm in arms), other or ())))
        return find_locals(values, self.program)

    def statement_shows(self, node: Stmt) -> frozenset[tuple[LocalVar, EntryKey]]:
        """Returns the locals that one statement puts into a place of one player, who then sees them."""
        match node:
            case Store(target=StateRef() as target) | MoveStmt(target=StateRef() as target):
                state = self.program.states[target.state]
                if isinstance(state.seen, int) and not state.inverted and state.keeper is None and target.index:
                    owner = entry_key(target.index[state.seen], self.program)
                    return frozenset((local, owner) for local in find_locals(placed_values(node), self.program) if owner is not None)
        return frozenset()

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
