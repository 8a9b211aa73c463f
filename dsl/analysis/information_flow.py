"""Who may know what: a pass over the core that follows values from closed states (`hidden`, `seen by`).

Every local gets the secrets it was made from, also through arguments and defs. From these follow what may be told (R308), which options
somebody may be offered (R327) and what the standing may go by (R328); of each choice it is found out what others may hear of it.

What comes to an open state everybody sees. So a local that was put there, or moved there, is open from then on.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, MutableMapping
from typing import Any

from ..core.nodes import (
    After,
    Ask,
    Block,
    Choose,
    Do,
    Draw,
    Each,
    Expr,
    Fold,
    Gen,
    If,
    Let,
    Load,
    Local,
    Move,
    Occupied,
    Prim,
    Read,
    Repeat,
    Rounds,
    Seat,
    Span,
    Stmt,
    Store,
    Swap,
    Tell,
)
from ..core.program import Program, Routine, State
from ..core.typing_rules import PLAYER
from ..core.walk import children, places
from ..diagnostics.diagnostic import Findings
from ..types.types import BagOf, Int, Of
from .results import NOTHING, Audience, Effects, Facts, Key, Secrecy, Secret, Secrets
from .visibility_rules import Shown, counted, given, guards, kept, key, open_place, owners, stops, translated

Open = frozenset[Local]                # locals that everybody knows by now
NONE: Open = frozenset()


def secrecy(program: Program, effects: Effects, findings: Findings) -> Secrecy:
    """Follow all secrets; callers before callees, so that what parameters bring is known."""
    flow = Flow(program, effects, findings)
    for routine in reversed(effects.order):
        for last in (False, True):                                 # a `let` may be given a secret further down in a loop
            flow.quiet = not last
            flow.block(routine, routine.body, NONE, flow.controls.get(routine, NOTHING))
    goal = program.goals.get("standing")
    for value in goal.values if goal is not None else ():
        for state in flow.named(flow.label(value))[:1]:
            findings.add("R328", value.at.place, name=state.name)
    return flow.found


def open_defs(facts: Facts) -> list[Routine]:
    """The defs of nothing or of one thing whose value everybody may know: what a text or a table may say of a thing."""
    found = [family.routines[0] for family in facts.program.families.values() if family.kind == "def" and not family.domain]
    few = [routine for routine in found if len(routine.params) <= 1]
    all_labels = labels(facts)                                  # the summary of a def is the same whoever asks
    return [routine for routine in few if not all_labels.of(values_of(routine))]


def values_of(routine: Routine) -> list[Expr]:
    """What the value of a def is worked out from."""
    return [routine.value] if routine.value is not None else [condition.test for condition in routine.conditions]


def decides_for(program: Program, local: Local) -> str | None:
    """For a local that is no player: the state that holds who decides for it."""
    enum = program.model.enum_of(local.type.name) if isinstance(local.type, Of) else None
    return enum.decides if enum is not None and enum.kind != "player" and enum.decides in program.states else None


def labels(facts: Facts) -> Labels:
    """What values depend on, by what was found out about locals; that is only looked at."""
    return Labels(facts.program, facts.effects, ChainMap({}, facts.secrecy.secrets))


class Labels:
    """The secrets that values depend on. `secrets` are those of the locals; what a fold binds is added."""

    def __init__(self, program: Program, effects: Effects, secrets: MutableMapping[Local, Secrets]) -> None:
        self.program, self.effects, self.secrets = program, effects, secrets
        self.summaries: dict[Routine, Secrets] = {}

    def of(self, nodes: Iterable[Expr | None], known: Open = NONE) -> Secrets:
        return NOTHING.union(*(self.label(node, known) for node in nodes))

    def label(self, node: Expr | None, known: Open = NONE) -> Secrets:
        """The secrets that the value of `node` depends on; the locals in `known` are open by now. How many things lie in a place is open
        to all, so `size(place)` gives nothing away."""
        match node:
            case None:
                return NOTHING
            case Fold(gens=gens, where=where, value=value):
                return NOTHING.union(*(self.bind(gen, known) for gen in gens)) | self.of((*where, value), known)
            case Read(local=local):
                return NOTHING if local in known else self.secrets.get(local, NOTHING)
            case Prim(op="size", args=(Load(index=index),)):
                return self.of(index, known)
            case Load(state=name, index=index):
                return self.read(self.program.states[name], index) | self.of(index, known)
            case Occupied(state=name, index=index):
                return self.read(self.program.states[name], ()) | self.of(index, known)
            case After(call=call, value=value):
                return self.of((call.case, *call.args, value), known) | self.touched(call.family)
            case Ask(family=name, case=case, args=args):
                found = self.of((case, *args), known)
                for routine in self.program.families[name].routines:
                    found |= translated(self.summary(routine), owners(routine, case, args, self.program))
                return found
        return self.of((part for part in children(node) if isinstance(part, Expr)), known)

    def touched(self, name: str) -> Secrets:
        """The closed states that a procedure has to do with, itself or through what it calls: what it leaves may tell of them."""
        states = set().union(*(self.effects.of[routine].reads for routine in self.program.families[name].routines))
        return frozenset(Secret(state, None) for state in states if self.program.states[state].seen != "open")

    def read(self, state: State, index: tuple[Expr, ...]) -> Secrets:
        if state.seen == "open":
            return NOTHING
        return frozenset([Secret(state.name, key(index[state.seen], self.program) if isinstance(state.seen, int) and index else None)])

    def bind(self, gen: Gen, known: Open) -> Secrets:
        """The secrets of what a binder goes over; its local has them too."""
        found = self.label(gen.source, known)
        self.stain(gen.local, found)
        return found

    def stain(self, local: Local, found: Secrets) -> None:
        self.secrets[local] = self.secrets.get(local, NOTHING) | found

    def summary(self, routine: Routine) -> Secrets:
        """What the value of a def depends on, its parameters aside."""
        if routine not in self.summaries:
            self.summaries[routine] = NOTHING
            self.summaries[routine] = self.of((routine.value, *(condition.test for condition in routine.conditions)))
        return self.summaries[routine]

    def named(self, found: Secrets) -> list[State]:
        """The states of these secrets, in the order of their declarations."""
        names = {secret.state for secret in found}
        return [state for state in self.program.states.values() if state.name in names]


class Flow(Labels):
    """Values and the statements they go through."""

    def __init__(self, program: Program, effects: Effects, findings: Findings) -> None:
        self.found = Secrecy()
        super().__init__(program, effects, self.found.secrets)
        self.findings, self.quiet = findings, False
        self.shown = Shown(program, effects)
        self.controls: dict[Routine, Secrets] = {}                 # what tells that a procedure was called at all

    def block(self, routine: Routine, rows: Block, known: Open, control: Secrets) -> None:
        """Go through statements; `control` are the secrets that decide whether they run."""
        for n, node in enumerate(rows):
            match node:
                case Let(local=local, value=value):
                    self.stain(local, self.label(value, known) | (control if local.mutable else NOTHING))
                case Store(target=Read(local=local), value=value):
                    self.stain(local, self.label(value, known) | control)
                case Move(target=Read(local=local)) | Draw(target=Read(local=local)):
                    self.stain(local, self.of((node.amount.value, node.source), known) | control)
                case Swap(one=one, other=other):
                    for place, there in ((one, other), (other, one)):
                        if isinstance(place, Read):
                            self.stain(place.local, self.label(there, known) | control)
                case Tell():
                    self.tell(routine, node, known, control)
                case Do():
                    self.call(node, known, control)
                case If():
                    control = self.branches(routine, node, known, control)
                case Each(gens=gens, where=where, body=body):
                    over = NOTHING
                    for gen in gens:
                        found = self.bind(gen, known)
                        over |= NOTHING if counted(gen.source) else found
                    over |= self.of(where, known)
                    self.block(routine, body, known, control | over)
                    control |= over if stops(node) else NOTHING
                case Repeat(count=count, until=until, body=body):
                    over = self.of((count, until), known)
                    self.block(routine, body, known, control | over)
                    control |= over if stops(node) else NOTHING
                case Rounds(gen=each, where=where, until=until, body=body):
                    over = self.bind(each, known) if each is not None else NOTHING
                    over |= self.of((*where, until), known)
                    self.block(routine, body, known, control | over)
                    control |= over if stops(node) else NOTHING
                case Choose():
                    self.choice(routine, node, known, rows[n + 1:])
                    for way in node.ways:
                        self.block(routine, way.body or (), known, control)
                    if node.otherwise is not None:
                        self.block(routine, node.otherwise.body, known, control)
            if told := self.reveals(node, known, control):
                self.found.reveals[node] = one_owner(told)
            known |= self.shown.by(node)

    def reveals(self, node: Stmt, known: Open, control: Secrets) -> Secrets:
        """What a change of something open may tell of something closed, other than by a thing that now lies there; nothing where it tells
        none."""
        match node:
            case Store(target=target, value=value):
                told = self.of((value, *given(target)), known)
            case Move(amount=amount, source=source, target=target) | Draw(amount=amount, source=source, target=target):
                there = self.label(source, known)
                thing = amount.value is not None and isinstance(amount.value.type, Of)         # out of there, which one sees then
                told = self.label(amount.value, known) - (there if thing else NOTHING) | self.of((*given(source), *given(target)), known)
                told |= there if isinstance(source.type, Int) else NOTHING
            case Swap(one=one, other=other):
                told = self.of((one, other), known)
            case Choose():
                return control                                     # that it is asked at all
            case _:
                return NOTHING
        return told | control if any(open_place(place, self.program) for place in places(node)) else NOTHING

    def branches(self, routine: Routine, node: If, known: Open, control: Secrets) -> Secrets:
        over = NOTHING
        for arm in node.arms:
            over |= self.label(arm.test, known)
            self.block(routine, arm.body, known, control | over)
        self.block(routine, node.other or (), known, control | over)
        return control | over if stops(node) else control

    def tell(self, routine: Routine, node: Tell, known: Open, control: Secrets) -> None:
        for at, found in [*((value.at, self.label(value, known)) for _, value in node.slots), (node.named, control)]:
            for state in self.named(found)[:1]:
                in_bag = isinstance(state.type, BagOf)
                self.error("R308", routine, at, hint="ask_how_many" if in_bag else None, name=state.name)

    def call(self, node: Do, known: Open, control: Secrets) -> None:
        """What a procedure is given, and whether it runs, may tell something."""
        case = self.label(node.case, known)
        for callee in self.program.families[node.family].routines:
            names = owners(callee, node.case, node.args, self.program)
            for param, argument in zip(callee.params, node.args):
                self.stain(param, translated(self.label(argument, known), names))
            if callee.case is not None:
                self.stain(callee.case, translated(case, names))
            self.controls[callee] = self.controls.get(callee, NOTHING) | translated(control | case, names)

    def choice(self, routine: Routine, node: Choose, known: Open, after: Block) -> None:
        """Whether the one who decides may see what the options are made of, and what others may hear of it."""
        who = key(node.by.who, self.program) if isinstance(node.by, Seat) else None
        secret, shows, told = False, set[str](), known
        for way in node.ways:
            listed = NOTHING
            for gen in way.gens:
                found = self.bind(gen, known)
                shows |= {one.state for one in found if self.unseen(one)}
                listed |= found
                self.secrets[gen.local] = frozenset(Secret(one.state, who) if self.unseen(one) else one for one in self.secrets[gen.local])
            condition = self.of(way.where, known)
            listed |= condition
            theirs: set[tuple[str, Key]] = set()
            if who is not None:
                theirs |= {(state, ("local", gen.local)) for gen in way.gens for state, owner in kept(gen.source, self.program)
                           if owner == who}
                theirs |= {(state, item) for state, item, owner in guards(way.where, self.program) if owner == who}
            if node.chance:
                for gen in way.gens:
                    self.stain(gen.local, condition)
            elif lacks := frozenset(one for one in listed if not self.allowed(one, who, shows, theirs)):
                self.error("R327", routine, node.at, name=self.named(lacks)[0].name)
            secret |= bool(listed)
            then = self.shown.line(after if way.body is None else way.body)
            sure = way.body is None and not node.may and node.how is None      # what follows follows any option
            told |= then if sure else then & {gen.local for gen in way.gens}
            if node.result is not None:
                self.stain(node.result, NOTHING.union(*(self.secrets[gen.local] for gen in way.gens)))
        self.found.audiences[node] = Audience(secret, tuple(sorted(shows)), told)

    def unseen(self, secret: Secret) -> bool:
        """Whether nobody may look there, until somebody is let choose from it."""
        return secret.owner is None and self.program.states[secret.state].seen == "hidden"

    def allowed(self, secret: Secret, who: Key, shows: set[str], theirs: set[tuple[str, Key]]) -> bool:
        """Whether `who` may see this: their own entry, one that a condition makes theirs, or a hidden place they are let choose from."""
        if self.unseen(secret):
            return secret.state in shows
        keeper = self.program.states[secret.state].keeper
        return secret.owner is not None and (secret.owner == who or keeper is not None and (keeper, secret.owner) in theirs)

    def error(self, code: str, routine: Routine, at: Span, *, hint: str | None = None, **args: Any) -> None:
        if not self.quiet:
            self.findings.add(code, at.place, hint=hint, clause=next(iter(routine.cites), None), **args)


def one_owner(told: Secrets) -> Local | None:
    """The player to whom all of this is known already, where that is one and stands in a local."""
    match [*{secret.owner for secret in told}]:
        case [("local", Local() as local)] if local.type == PLAYER:
            return local
    return None
