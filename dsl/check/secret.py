"""Who may know what: a pass over the checked program that follows values from closed states (`hidden`, `seen by`).

Every local gets the secrets it was made from, also through arguments and defs. From these follow what may be told (R308), which options
somebody may be offered (R327) and what the standing may go by (R328); each choice learns what others may hear of it (`Audience`).

What comes to an open state everybody sees. So a local that was put there, or moved there, is open from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..diagnostics import Findings, Place
from ..syntax import tree
from ..types import Int, Of
from .parts import Key, called, counted, indices, key, line, open_place, owners, place_of, shown, stops
from .scope import Local, Program, Routine, State
from .stmts import state_of

OWN = ("meta", "type", "ref", "local", "number_local", "result", "decider", "audience")


class Secret(NamedTuple):
    """A closed state that a value depends on, and whose entry of it was read (or who chose from it, where nobody may look)."""

    state: State
    owner: Key


Secrets = frozenset[Secret]
NOTHING: Secrets = frozenset()


@dataclass(frozen=True)
class Audience:
    """What others may know of a choice: whether its options tell a secret, which hidden states they show to whoever decides, and the
    locals that are no secret any more when it has been made."""

    secret: bool
    shows: tuple[str, ...]
    told: frozenset[Local]


def secrets(program: Program, findings: Findings) -> None:
    """Follow all secrets; callers before callees, so that what parameters bring is known."""
    flow = Flow(program, findings)
    for routine in reversed(program.order):
        if routine.body is not None:
            for last in (False, True):                             # a `let` may be given a secret further down in a loop
                flow.quiet = not last
                flow.block(routine, routine.body, frozenset(), flow.controls.get(routine, NOTHING))
    goal = program.goals.get("standing")
    for value in goal.values if goal is not None else []:
        for state in flow.named(flow.label(value))[:1]:
            findings.add("R328", Place.of(goal.path, value), name=state.name)    # type: ignore[union-attr]


def secret_state(node: Any) -> State | None:
    """A closed state that the value of a checked expression depends on; None when everybody may know it."""
    found = sorted(Flow(None, None).label(node), key=lambda secret: secret.state.name)
    return found[0].state if found else None


class Flow:
    """Values and the statements they go through."""

    def __init__(self, program: Any, findings: Any) -> None:
        self.program, self.findings, self.quiet = program, findings, False
        self.summaries: dict[Routine, Secrets] = {}
        self.controls: dict[Routine, Secrets] = {}                 # what tells that a procedure was called at all

    def named(self, found: Secrets) -> list[State]:
        """The states of these secrets, as they are declared."""
        return [state for state in self.program.states.values() if any(secret.state is state for secret in found)]

    # ------------------------------------------------------------ values

    def label(self, node: Any, known: frozenset = frozenset()) -> Secrets:
        """The secrets that the value of `node` depends on; the locals in `known` are open by now. How many things lie in a place is open
        to all, so `size(place)` gives nothing away."""
        if isinstance(node, list | tuple):
            return NOTHING.union(*(self.label(part, known) for part in node))
        if not hasattr(node, "meta"):
            return NOTHING
        ref = getattr(node, "ref", None)
        if isinstance(node, tree.Fold):
            return self.fold(node, known)
        if ref is None:
            return self.label([value for key, value in vars(node).items() if key not in OWN], known)
        if ref.kind == "builtin" and ref.target == "size" and place_of(node.parts[1]) is not None:
            return self.label(indices(node.parts[1]), known)
        if ref.kind == "local":
            return NOTHING if ref.target in known else frozenset(ref.target.secret)
        if ref.kind == "state" and isinstance(node, tree.At | tree.Name):
            return self.read(node, ref.target) | self.label(indices(node), known)
        if ref.kind == "family":
            case, arguments = called(node)
            found = self.label([case, arguments], known)
            for routine in ref.target.routines if ref.target.kind == "def" else []:
                found |= translated(self.summary(routine), owners(routine, case, arguments))
            return found
        parts = node.parts[1:] if isinstance(node, tree.Apply) else [value for key, value in vars(node).items() if key not in OWN]
        return self.label(parts, known)

    def read(self, node: Any, state: State) -> Secrets:
        if state.seen == "open":
            return NOTHING
        given = indices(node)
        return frozenset([Secret(state, key(given[state.seen]) if isinstance(state.seen, int) and given else None)])

    def fold(self, node: tree.Fold, known: frozenset) -> Secrets:
        found = NOTHING
        for binder in node.binders:
            found |= self.bind(binder, known)
        return found | self.label([node.where, node.value], known)

    def bind(self, binder: Any, known: frozenset) -> Secrets:
        """The secrets of what a binder goes over; its local has them too."""
        found = self.label(binder.source, known)
        binder.local.secret = binder.local.secret | found
        return found

    def summary(self, routine: Routine) -> Secrets:
        """What the value of a def depends on, its parameters aside."""
        if routine not in self.summaries:
            self.summaries[routine] = NOTHING
            self.summaries[routine] = self.label([routine.value, [condition.test for condition in routine.conditions]])
        return self.summaries[routine]

    # ------------------------------------------------------------ statements

    def block(self, routine: Routine, statements: Iterable[Any], known: frozenset, control: Secrets) -> frozenset:
        """Go through statements; `control` are the secrets that decide whether they run. Returns what is open at their end."""
        rows = list(statements)
        for n, node in enumerate(rows):
            match node:
                case tree.Let():
                    node.local.secret = node.local.secret | self.label(node.value, known) | (control if node.local.mutable else NOTHING)
                case tree.Assign() if state_of(node.target) is None:
                    local = node.target.ref.target
                    local.secret = local.secret | self.label(node.value, known) | control
                case tree.Tell():
                    self.tell(routine, node, known, control)
                case tree.Call():
                    self.call(node, known, control)
                case tree.If_():
                    control = self.branches(routine, node, known, control)
                case tree.For_():
                    over = NOTHING
                    for binder in node.binders:
                        found = self.bind(binder, known)
                        over |= NOTHING if counted(binder.source) else found
                    over |= self.label(node.where, known)
                    self.block(routine, node.body, known, control | over)
                    control |= over if stops(node) else NOTHING
                case tree.Repeat():
                    over = self.label([node.count, node.until], known)
                    self.block(routine, node.body, known, control | over)
                    control |= over if stops(node) else NOTHING
                case tree.Rounds():
                    over = self.bind(node.binder, known) if node.binder is not None else NOTHING
                    self.block(routine, node.body, known, control | over | self.label([node.where, node.until], known))
                case tree.Choose():
                    self.choice(routine, node, known, rows[n + 1:])
                case tree.ChooseBlock() | tree.Menu():
                    self.choice(routine, node, known, [])
                    for part in node.entries if isinstance(node, tree.Menu) else [node]:
                        self.block(routine, part.body, known, control)
                    if node.otherwise is not None:
                        self.block(routine, node.otherwise.body, known, control)
            if self.reveals(node, known, control):
                self.program.reveals.add(id(node))
            known |= shown(node)
        return known

    def reveals(self, node: Any, known: frozenset, control: Secrets) -> bool:
        """Whether a change of something open may tell of something closed, other than by a thing that now lies there."""
        match node:
            case tree.Assign():
                places, told = [node.target], self.label([node.value, indices(node.target)], known)
            case tree.Move() | tree.Draw():
                places = [node.source, node.target]
                told = self.label([getattr(node.amount, "value", None), *map(indices, places)], known)
                told |= self.label(node.source, known) if isinstance(node.source.type, Int) else NOTHING
            case tree.Swap():
                places = [node.one, node.other]
                told = self.label(places, known)
            case tree.Choose() | tree.ChooseBlock() | tree.Menu():
                return bool(control)                               # that it is asked at all
            case _:
                return False
        return bool(told | control) and any(map(open_place, places))

    def branches(self, routine: Routine, node: tree.If_, known: frozenset, control: Secrets) -> Secrets:
        test, _, suite, *rest = node.parts
        over = self.label(test, known)
        self.block(routine, suite, known, control | over)
        for part in rest:
            if part is not None:
                over |= self.label(getattr(part, "test", None), known)
                self.block(routine, part.body, known, control | over)
        return control | over if stops(node) else control

    def tell(self, routine: Routine, node: tree.Tell, known: frozenset, control: Secrets) -> None:
        name, *tellings, _ = node.parts
        for where, found in [(t.value, self.label(t.value, known)) for t in tellings if t is not None] + [(name, control)]:
            for state in self.named(found)[:1]:
                self.error("R308", routine, where, name=state.name)

    def call(self, node: tree.Call, known: frozenset, control: Secrets) -> None:
        """What a procedure is given, and whether it runs, may tell something."""
        case = self.label(node.case, known)
        for called_ in node.ref.target.routines:
            names = owners(called_, node.case, node.arguments)
            for param, argument in zip(called_.params, node.arguments):
                param.secret = param.secret | translated(self.label(argument, known), names)
            if called_.case_local is not None:
                called_.case_local.secret = called_.case_local.secret | translated(case, names)
            self.controls[called_] = self.controls.get(called_, NOTHING) | translated(control | case, names)

    def choice(self, routine: Routine, node: Any, known: frozenset, after: list) -> None:
        """Whether the one who decides may see what the options are made of, and what others may hear of it."""
        chance = isinstance(node.decider, tree.ByChance)
        who = None if chance else key(node.decider.who)
        secret, shows = False, set()
        if isinstance(node, tree.Menu):
            parts = [(list(entry.binders or []), entry.where, entry) for entry in node.entries]
        else:
            parts = [([binder for group in node.slots for binder in group], node.where, node)]
        told = known
        for binders, where, part in parts:
            listed = NOTHING
            for binder in binders:
                found = self.bind(binder, known)
                shows |= {one.state for one in found if one.state.seen == "hidden" and one.owner is None}
                listed |= found
                local = binder.local
                local.secret = frozenset(Secret(s.state, who) if s.state.seen == "hidden" and s.owner is None else s for s in local.secret)
            condition = self.label(where, known)
            listed |= condition
            theirs: set[tuple[State, Key]] = set()
            for binder in binders:
                theirs |= {(state, ("local", binder.local)) for state, owner in kept(binder.source) if who is not None and owner == who}
            theirs |= {(state, item) for state, item, owner in guards(where) if who is not None and owner == who}
            if chance:
                for binder in binders:
                    binder.local.secret = binder.local.secret | condition
            elif (lacks := [s for s in listed if not allowed(s, who, shows, theirs)]):
                self.error("R327", routine, node, name=self.named(frozenset(lacks))[0].name)
            secret |= bool(listed)
            then = line(part.body if hasattr(part, "body") else after)
            sure = isinstance(node, tree.Choose) and node.may is None and node.how is None       # what follows follows any option
            told |= then if sure else then & {binder.local for binder in binders}
        if getattr(node, "result", None) is not None:
            node.result.secret = node.result.secret | binder.local.secret
        node.audience = Audience(secret, tuple(sorted(state.name for state in shows)), told)

    def error(self, code: str, routine: Routine, node: Any, **args: Any) -> None:
        if not self.quiet:
            self.findings.add(code, Place.of(routine.path, node), clause=next(iter(routine.cites), None), **args)


def allowed(secret: Secret, who: Key, shows: set[State], guarded: set) -> bool:
    """Whether `who` may see this: their own entry, one that a condition makes theirs, or a hidden place they are let choose from."""
    if secret.state.seen == "hidden" and secret.owner is None:
        return secret.state in shows
    return secret.owner is not None and (secret.owner == who or (secret.state.keeper, secret.owner) in guarded)


def guards(where: Any) -> list[tuple[State, Key, Key]]:
    """`keeper[x] == player` among conditions: the keeper's state, x, and the player."""
    if isinstance(where, tree.Binary) and where.op.type == "AND":
        return guards(where.left) + guards(where.right)
    found = []
    if isinstance(where, tree.Binary) and str(where.op) == "==":
        for one, two in ((where.left, where.right), (where.right, where.left)):
            state = place_of(one)
            if state is not None and len(indices(one)) == 1 and key(two) is not None:
                found.append((state, key(indices(one)[0]), key(two)))
    return found


def kept(source: Any) -> list[tuple[State, Key]]:
    """Of a set made with `keeper[x] == player`, also in a def: the keeper's state and the player."""
    ref = getattr(source, "ref", None)
    if isinstance(source, tree.Fold) and source.value is None and str(source.word) in ("set", "list"):
        last = ("local", source.binders.items[-1].local)
        return [(state, owner) for state, item, owner in guards(source.where) if item == last]
    if ref is not None and ref.kind == "family" and len(ref.target.routines) == 1 and ref.target.routines[0].value is not None:
        routine = ref.target.routines[0]
        names = owners(routine, *called(source))
        return [(state, names[owner][0]) for state, owner in kept(routine.value) if owner in names]
    return []


def translated(found: Secrets, names: dict[tuple, list[Key]]) -> Secrets:
    """Secrets with their owners as they are called on the other side of a call."""
    out = set()
    for secret in found:
        other = names.get(secret.owner, [None])[0] if secret.owner is not None else None
        if other is None and secret.owner is not None and secret.owner[0] in ("member", "state"):
            other = secret.owner
        out.add(Secret(secret.state, other))
    return frozenset(out)


def decides_for(program: Program, local: Local) -> State | None:
    """For a local that is no player: the state that holds who decides for it."""
    enum = program.model.enum_of(local.type.name) if isinstance(local.type, Of) else None
    return program.states.get(enum.decides or "") if enum is not None and enum.kind != "player" else None
