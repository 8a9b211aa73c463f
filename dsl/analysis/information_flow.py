"""Information-flow analysis: follows values from hidden states (`hidden`, `hidden from`, `seen by`) through the core.

Every local is labelled with the secrets it was computed from, also through arguments and defs. The labels
decide three things: which values events may contain (R308), which moves a seat may be offered (R327), and
what the standing may depend on (R328). For each choice, the analysis also finds out what other seats may
learn.

Values written or moved to a public state are visible to all seats. A local is public from that point on."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, MutableMapping
from typing import Any

from ..core.nodes import (
    AfterCall,
    Block,
    CallDef,
    CallProc,
    ChooseStmt,
    DrawStmt,
    EmitEvent,
    Expr,
    Fold,
    ForEach,
    GeneratorBinding,
    IfChain,
    Let,
    LocalRef,
    LocalVar,
    MoveStmt,
    OccupiedCells,
    PrimOp,
    RepeatLoop,
    RoundsLoop,
    RuleSpan,
    SeatDecider,
    StateRef,
    Stmt,
    Store,
    Swap,
)
from ..core.program import Program, Routine, State
from ..core.typing_rules import PLAYER_TYPE
from ..core.walk import children, walk, write_targets
from ..diagnostics.diagnostic import DiagnosticList
from ..types.types import BagOf, Int, MemberOf
from .results import NO_SECRETS, Audience, EffectTable, EntryKey, SecrecyTable, Secret, Secrets
from .simultaneous import SealedChoices
from .visibility_rules import (
    RevealedLocals,
    entry_key,
    find_guarded,
    find_locals,
    is_length_public,
    is_open_place,
    is_own_secret,
    match_owners,
    may_end_procedure,
    name_others,
    target_index,
    translate_secrets,
)

OpenLocals = frozenset[LocalVar]                # locals that are public by now
NO_LOCALS: OpenLocals = frozenset()


def find_secrecy(program: Program, effects: EffectTable, sealed: SealedChoices, findings: DiagnosticList) -> SecrecyTable:
    """Follows all secrets. Callers come before callees, so that the secrets of parameters are known.

    The values of `sealed` choices are secrets of the player who decides, even if they come from an open set."""
    flow = SecretFlow(program, effects, sealed, findings)
    for routine in reversed(effects.order):
        for last in (False, True):                                 # in a loop, a later statement may add secrets to an earlier local
            flow.quiet = not last
            flow.follow_block(routine, routine.body, NO_LOCALS, flow.controls.get(routine, NO_SECRETS))
    goal = program.goals.get("standing")
    for value in goal.values if goal is not None else ():
        for state in flow.states_of(flow.label(value))[:1]:
            findings.add("R328", value.at.place, name=state.name)
    flow.found.open_defs = find_open_defs(program, build_labels(program, effects, flow.found))
    return flow.found


def find_open_defs(program: Program, labels: SecretLabels) -> list[Routine]:
    """Returns the defs with at most one parameter whose value is public. The secrets of a def do not depend on the caller."""
    found = [family.routines[0] for family in program.families.values() if family.kind == "def" and not family.domain]
    return [routine for routine in found if len(routine.params) <= 1 and not labels.label_all(value_expressions(routine))]


def value_expressions(routine: Routine) -> list[Expr]:
    """Returns the expressions that the value of a def is computed from."""
    return [routine.value] if routine.value is not None else [condition.test for condition in routine.conditions]


def deciding_state(program: Program, local: LocalVar) -> str | None:
    """Returns the state that names the player who decides for a local of another enum type, or None."""
    enum = program.model.enum_of(local.type.name) if isinstance(local.type, MemberOf) else None
    return enum.decides if enum is not None and enum.kind != "player" and enum.decides in program.states else None


def build_labels(program: Program, effects: EffectTable, secrecy: SecrecyTable) -> SecretLabels:
    """Returns a labeller on finished results. It leaves them unchanged."""
    return SecretLabels(program, effects, ChainMap({}, secrecy.secrets))


class SecretLabels:
    """Computes the secrets that values depend on. `secrets` are the secrets of the locals. Locals bound by folds
    are added to it."""

    def __init__(self, program: Program, effects: EffectTable, secrets: MutableMapping[LocalVar, Secrets]) -> None:
        self.program, self.effects, self.secrets = program, effects, secrets
        self.summaries: dict[Routine, Secrets] = {}

    def label_all(self, nodes: Iterable[Expr | None], known: OpenLocals = NO_LOCALS) -> Secrets:
        """Returns the union of the secrets of several expressions."""
        return NO_SECRETS.union(*(self.label(node, known) for node in nodes))

    def label(self, node: Expr | None, known: OpenLocals = NO_LOCALS) -> Secrets:
        """Returns the secrets that the value of `node` depends on. The locals in `known` are public by now.

        The number of things in a place is public, so `size(place)` reveals nothing."""
        match node:
            case None:
                return NO_SECRETS
            case Fold(gens=gens, where=where, value=value, places=places):
                found = NO_SECRETS.union(*(self.bind(gen, known) for gen in gens)) | self.label_all((*where, value, places), known)
                return name_others(found, node, self.program)
            case LocalRef(local=local):
                return NO_SECRETS if local in known else self.secrets.get(local, NO_SECRETS)
            case PrimOp(op="size", args=(StateRef(index=index),)):
                return self.label_all(index, known)
            case StateRef(state=name, index=index):
                return self.state_secrets(self.program.states[name], index) | self.label_all(index, known)
            case OccupiedCells(state=name, index=index):
                return self.state_secrets(self.program.states[name], ()) | self.label_all(index, known)
            case AfterCall(call=call, value=value):
                return self.label_all((call.case, *call.args, value), known) | self.procedure_secrets(call.family)
            case CallDef(family=name, case=case, args=args):
                called = self.label_all((case, *args), known)
                for routine in self.program.families[name].routines:
                    called |= translate_secrets(self.summary(routine), match_owners(routine, case, args, self.program))
                return called
        return self.label_all((part for part in children(node) if isinstance(part, Expr)), known)

    def procedure_secrets(self, name: str) -> Secrets:
        """Returns the hidden states that a procedure reads, directly or through calls. Its results may reveal them."""
        states = set().union(*(self.effects.of[routine].reads for routine in self.program.families[name].routines))
        return frozenset(Secret(state, None) for state in states if self.program.states[state].seen != "open")

    def state_secrets(self, state: State, index: tuple[Expr, ...]) -> Secrets:
        """Returns the secret that a read of this state entry adds, if the state is hidden."""
        if state.seen == "open":
            return NO_SECRETS
        return frozenset(
            [Secret(state.name, entry_key(index[state.seen], self.program) if isinstance(state.seen, int) and index else None)]
        )

    def bind(self, gen: GeneratorBinding, known: OpenLocals) -> Secrets:
        """Returns the secrets of a generator's source, and adds them to its local."""
        found = self.label(gen.source, known)
        self.add_secrets(gen.local, found)
        return found

    def add_secrets(self, local: LocalVar, secrets: Secrets) -> None:
        """Adds secrets to a local."""
        self.secrets[local] = self.secrets.get(local, NO_SECRETS) | secrets

    def summary(self, routine: Routine) -> Secrets:
        """Returns the secrets that the value of a def depends on, apart from its parameters."""
        if routine not in self.summaries:
            self.summaries[routine] = NO_SECRETS
            self.summaries[routine] = self.label_all((routine.value, *(condition.test for condition in routine.conditions)))
        return self.summaries[routine]

    def states_of(self, secrets: Secrets) -> list[State]:
        """Returns the states of these secrets in declaration order."""
        names = {secret.state for secret in secrets}
        return [state for state in self.program.states.values() if state.name in names]


class SecretFlow(SecretLabels):
    """Follows secrets through statements."""

    def __init__(self, program: Program, effects: EffectTable, sealed: SealedChoices, findings: DiagnosticList) -> None:
        self.found, self.sealed = SecrecyTable(), sealed
        super().__init__(program, effects, self.found.secrets)
        self.findings, self.quiet = findings, False
        self.shown = RevealedLocals(program, effects)
        self.controls: dict[Routine, Secrets] = {}                 # secrets that a call of the procedure reveals

    def follow_block(self, routine: Routine, rows: Block, known: OpenLocals, control: Secrets) -> None:
        """Follows secrets through a block. `control` are the secrets that decide whether it runs."""
        shown: frozenset[tuple[LocalVar, EntryKey]] = frozenset()  # locals in this block, and players who see them by now
        for n, node in enumerate(rows):
            match node:
                case Let(local=local, value=value):
                    self.add_secrets(local, self.label(value, known) | (control if local.mutable else NO_SECRETS))
                case Store(target=LocalRef(local=local), value=value):
                    self.add_secrets(local, self.label(value, known) | control)
                case MoveStmt(target=LocalRef(local=local)) | DrawStmt(target=LocalRef(local=local)):
                    self.add_secrets(local, self.label_all((node.amount.value, node.source), known) | control)
                case Swap(one=one, other=other):
                    for place, there in ((one, other), (other, one)):
                        if isinstance(place, LocalRef):
                            self.add_secrets(place.local, self.label(there, known) | control)
                case EmitEvent():
                    self.check_emit(routine, node, known, shown, control)
                case CallProc():
                    self.follow_call(node, known, control)
                case IfChain():
                    control = self.follow_branches(routine, node, known, control)
                case ForEach(gens=gens, where=where, body=body):
                    over = NO_SECRETS
                    for gen in gens:
                        found = self.bind(gen, known)
                        over |= NO_SECRETS if is_length_public(gen.source) else found
                    over |= self.label_all(where, known)
                    self.follow_block(routine, body, known, control | over)
                    control |= over if may_end_procedure(node) else NO_SECRETS
                case RepeatLoop(count=count, until=until, body=body):
                    over = self.label_all((count, until), known)
                    self.follow_block(routine, body, known, control | over)
                    control |= over if may_end_procedure(node) else NO_SECRETS
                case RoundsLoop(gen=each, where=where, until=until, body=body):
                    over = self.bind(each, known) if each is not None else NO_SECRETS
                    over |= self.label_all((*where, until), known)
                    self.follow_block(routine, body, known, control | over)
                    control |= over if may_end_procedure(node) else NO_SECRETS
                case ChooseStmt():
                    self.follow_choice(routine, node, known, rows[n + 1:])
                    for way in node.ways:
                        self.follow_block(routine, way.body or (), known, control)
                    if node.otherwise is not None:
                        self.follow_block(routine, node.otherwise.body, known, control)
            if told := self.find_reveals(node, known, control):
                self.found.reveals[node] = single_owner(told, self.program)
            known |= self.shown.statement_reveals(node)
            shown |= self.shown.statement_shows(node)

    def find_reveals(self, node: Stmt, known: OpenLocals, control: Secrets) -> Secrets:
        """Returns the secrets that a change of public state may reveal, apart from a thing that now lies there
        visibly."""
        match node:
            case Store(target=target, value=value):
                told = self.label_all((value, *target_index(target)), known)
            case MoveStmt(amount=amount, source=source, target=target) | DrawStmt(amount=amount, source=source, target=target):
                there = self.label(source, known)
                thing = amount.value is not None and isinstance(amount.value.type, MemberOf)         # the moved thing becomes visible
                told = self.label(amount.value, known) - (there if thing else NO_SECRETS) | self.label_all(
                    (*target_index(source), *target_index(target)), known
                )
                told |= there if isinstance(source.type, Int) else NO_SECRETS
            case Swap(one=one, other=other):
                told = self.label_all((one, other), known)
            case ChooseStmt():
                return control                                     # the choice itself takes place
            case _:
                return NO_SECRETS
        return told | control if any(is_open_place(place, self.program) for place in write_targets(node)) else NO_SECRETS

    def follow_branches(self, routine: Routine, node: IfChain, known: OpenLocals, control: Secrets) -> Secrets:
        """Follows secrets through an `if`. Returns the control secrets of the statements after it."""
        over = NO_SECRETS
        for arm in node.arms:
            over |= self.label(arm.test, known)
            self.follow_block(routine, arm.body, known, control | over)
        self.follow_block(routine, node.other or (), known, control | over)
        return control | over if may_end_procedure(node) else control

    def check_emit(
        self, routine: Routine, node: EmitEvent, known: OpenLocals, shown: frozenset[tuple[LocalVar, EntryKey]], control: Secrets
    ) -> None:
        """Reports an event that would contain, or whose occurrence would reveal, something hidden from its listeners.

        `shown` are locals that a player sees by now."""
        closed = set[str]()
        listeners = [entry_key(listener, self.program) for listener in node.listeners or ()]
        for name, value in node.slots:
            secrets, local = self.label(value, known), find_locals((value,), self.program)
            lacks = secrets if not listeners else frozenset(
                secret for secret in secrets for who in listeners
                if not is_own_secret(secret, who, self.program) and not any((one, who) in shown for one in local)
            )
            for state in self.states_of(lacks)[:1]:
                hint = "tell_who_sees" if listeners else "ask_how_many" if isinstance(state.type, BagOf) else None
                self.report_error("R308", routine, value.at, hint=hint, name=state.name, **count_example(state))
            closed |= {name} if secrets else set()
        self.found.closed_slots[node] = frozenset(closed)
        for state in self.states_of(self.label_all(node.listeners or (), known) | control)[:1]:
            self.report_error("R308", routine, node.named, hint="decide_in_the_open", name=state.name)

    def follow_call(self, node: CallProc, known: OpenLocals, control: Secrets) -> None:
        """Passes secrets on to the parameters of a procedure, and to its control: that it runs may reveal something."""
        case = self.label(node.case, known)
        for callee in self.program.families[node.family].routines:
            names = match_owners(callee, node.case, node.args, self.program)
            for param, argument in zip(callee.params, node.args):
                self.add_secrets(param, translate_secrets(self.label(argument, known), names))
            if callee.case is not None:
                self.add_secrets(callee.case, translate_secrets(case, names))
            self.controls[callee] = self.controls.get(callee, NO_SECRETS) | translate_secrets(control | case, names)

    def follow_choice(self, routine: Routine, node: ChooseStmt, known: OpenLocals, after: Block) -> None:
        """Records the audience of a choice. Reports it if the deciding seat may not see what the options depend on."""
        who = entry_key(node.by.who, self.program) if isinstance(node.by, SeatDecider) else None
        seal = frozenset(Secret(state, who) for state in self.sealed.get(node, ()))
        secret, shows, told = bool(seal), set[str](), known
        for way in node.ways:
            listed = NO_SECRETS
            for gen in way.gens:
                found = self.bind(gen, known)
                shows |= {one.state for one in found if self.is_hidden_from_all(one)}
                listed |= found
                self.secrets[gen.local] = frozenset(
                    Secret(one.state, who) if self.is_hidden_from_all(one) else one for one in self.secrets[gen.local]
                ) or seal
            condition = self.label_all(way.where, known)
            listed |= condition
            theirs, others = (find_guarded(way.gens, way.where, who, self.program, op) for op in ("==", "!="))
            if node.is_chance:
                for gen in way.gens:
                    self.add_secrets(gen.local, condition)
            elif lacks := frozenset(one for one in listed if not self.can_see(one, who, shows, theirs, others)):
                state, used = self.states_of(lacks)[0], (*(gen.source for gen in way.gens), *way.where)
                carried = any(isinstance(part, LocalRef) and self.label(part, known) & lacks for one in used for part in walk(one))
                owner = single_owner(lacks, self.program)
                hint = "ask_others" if state.inverted else "ask_owner" if owner is None else "ask_its_owner"
                hint = "ask_how_many" if carried and isinstance(state.type, BagOf) and not state.inverted else hint
                self.report_error("R327", routine, node.at, hint=hint, name=state.name, owner=owner.name if owner is not None else "",
                                  **count_example(state))
            secret |= bool(listed)
            then = self.shown.block_reveals(after if way.body is None else way.body)
            sure = way.body is None and not node.may and node.how is None      # whether the next statements run after any option
            told |= then if sure else then & {gen.local for gen in way.gens}
            if node.result is not None:
                self.add_secrets(node.result, NO_SECRETS.union(*(self.secrets[gen.local] for gen in way.gens)))
        self.found.audiences[node] = Audience(secret, tuple(sorted(shows)), told)

    def is_hidden_from_all(self, secret: Secret) -> bool:
        """Whether nobody may see this secret until a seat is allowed to choose from it."""
        return secret.owner is None and self.program.states[secret.state].seen == "hidden"

    def can_see(
        self, secret: Secret, who: EntryKey, shows: set[str], theirs: set[tuple[str, EntryKey]], others: set[tuple[str, EntryKey]]
    ) -> bool:
        """Whether the seat `who` may see this secret.

        These are visible: the seat's own entry, an entry that a condition assigns to it, and a hidden place that it
        may choose from. Of a state that is hidden from the owner, the entries of all other owners are visible."""
        if self.is_hidden_from_all(secret):
            return secret.state in shows
        state = self.program.states[secret.state]
        kept = state.keeper is not None and not state.inverted and secret.owner is not None and (state.keeper, secret.owner) in theirs
        return kept or is_own_secret(secret, who, self.program, others)

    def report_error(self, code: str, routine: Routine, at: RuleSpan, *, hint: str | None = None, **args: Any) -> None:
        if not self.quiet:
            self.findings.add(code, at.place, hint=hint, clause=next(iter(routine.cites), None), **args)


def count_example(state: State) -> dict[str, Any]:
    """Returns the arguments of the hint that counts the members of a bag: `purse[player][x]` and the type of its members."""
    if not isinstance(state.type, BagOf):
        return {}
    places = f"[{', '.join(domain.lower() for _, domain in state.axes)}]" if state.axes else ""
    return {"meant": f"{state.name}{places}[x]", "wanted": state.type.of}


def single_owner(secrets: Secrets, program: Program) -> LocalVar | None:
    """Returns the local with the one player who already knows all these secrets, or None."""
    match [*{None if program.states[secret.state].inverted else secret.owner for secret in secrets}]:
        case [("local", LocalVar() as local)] if local.type == PLAYER_TYPE:
            return local
    return None
