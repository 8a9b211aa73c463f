"""What the names of a rule file mean: declarations, and the locals of one routine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..model.model import Enumeration, GameModel
from ..syntax import tree
from ..syntax.foreign_syntax import FOREIGN_VALUES, FOREIGN_WORDS
from ..types.types import MemberOf, OptionalOf, Type


@dataclass(eq=False)
class LocalDecl:
    """A parameter, a `let`, or what a binder binds."""

    name: str
    type: Type
    mutable: bool = False


@dataclass(eq=False)
class StateDecl:
    """`state name[axes]: type`: what the position holds."""

    name: str
    axes: list[tuple[str, str]]                                    # (axis name, enumeration)
    type: Type
    node: tree.State
    path: str
    saturating: bool = False
    per: str | None = None                                         # the routine key that resets it
    seen: str | int = "open"                                       # open, hidden, or the number of the axis that may look
    keeper: StateDecl | None = None                                    # of an axis that is no player: the state with the player of a member
    cites: tuple[str, ...] = ()


@dataclass(eq=False)
class RoutineDecl:
    """One entry of a def or a proc: a name, the member it is for (None: no case or the default), and its body."""

    kind: str                                                      # def, proc, phase
    name: str
    member: int | None
    params: list[LocalDecl]
    node: Any
    path: str
    key: str
    case_local: LocalDecl | None = None                                # of a default entry: the parameter that holds the member
    by: tree.Node | None = None
    value: tree.Expr | None = None                                 # of a def
    conditions: list[tree.Condition] = field(default_factory=list)
    body: tree.Suite | None = None                                 # of a proc
    type: Type | None = None                                       # of a def: its result
    family: str | None = None                                      # the clause family that short cites complete
    cites: tuple[str, ...] = ()
    assigned: set[str] = field(default_factory=set)
    resets: list[StateDecl] = field(default_factory=list)

    @property
    def place(self) -> SourceSpan:
        """Where its name stands."""
        parts = getattr(self.node, "parts", None)
        token = self.node.name if parts is None else parts[1] if isinstance(self.node, tree.Goal) else parts[0]
        return SourceSpan.of_node(self.path, token)


@dataclass(eq=False)
class FamilyDecl:
    """All entries of one name. `domain` is the enumeration of its case, or None when it has no case."""

    name: str
    kind: str
    domain: str | None = None
    entries: dict[int, RoutineDecl] = field(default_factory=dict)
    default: RoutineDecl | None = None
    broken: bool = False                                           # an entry was refused, so what is lacking cannot be told

    @property
    def routines(self) -> list[RoutineDecl]:
        return [*self.entries.values(), *([self.default] if self.default else [])]

    def entry(self, member: int | None) -> RoutineDecl | None:
        return self.default if member is None else self.entries.get(member, self.default)

    @property
    def params(self) -> list[LocalDecl]:
        return self.routines[0].params if self.routines else []


@dataclass
class GoalDecl:
    """standing or estimate: expressions of one player, compared left to right."""

    word: str
    player: LocalDecl
    values: list[tree.Expr]
    path: str
    routine: RoutineDecl


@dataclass
class CheckedProgram:
    """What rule files declare; when they have been checked, with every name resolved and every expression typed."""

    model: GameModel
    states: dict[str, StateDecl] = field(default_factory=dict)
    families: dict[str, FamilyDecl] = field(default_factory=dict)
    goals: dict[str, GoalDecl] = field(default_factory=dict)
    always: list[RoutineDecl] = field(default_factory=list)
    cited: dict[str, list[SourceSpan]] = field(default_factory=dict)    # clause -> where it is cited
    resolution: Resolution = field(default_factory=lambda: Resolution())


@dataclass(frozen=True)
class NameRef:
    """What a name means: kind is local, state, family, number, member, option, table, attribute, builtin or domain."""

    kind: str
    target: Any


class Resolution:
    """What the checker found out about the nodes of trees, which themselves never change: so one tree serves every variant of a game.
    Nodes are known by identity; whoever keeps this keeps the trees."""

    def __init__(self) -> None:
        self.types: dict[int, Type] = {}                           # of expressions
        self.refs: dict[int, NameRef] = {}                             # of names, and of expressions that stand for what a name means
        self.locals: dict[int, LocalDecl] = {}                         # what a `let` or a binder binds
        self.numbers: dict[int, LocalDecl] = {}                        # the number that a binder counts with
        self.results: dict[int, LocalDecl] = {}                        # the set that a choice makes
        self.deciders: dict[int, tree.Node] = {}                   # who decides a choice
        self.slots: dict[int, list[tuple[str, Type]]] = {}         # the named values of an event
        self.calls: dict[int, tuple[FamilyDecl, tree.Expr | None, list[tree.Expr]]] = {}      # of a call: what, its case, its arguments

    def type(self, node: tree.Expr) -> Type:
        return self.types[id(node)]

    def ref(self, node: tree.Node) -> NameRef | None:
        return self.refs.get(id(node))

    def state_of(self, node: tree.Node) -> StateDecl | None:
        """The state that a place lies in, or None."""
        ref = self.ref(node)
        if isinstance(node, tree.At) and (ref is None or ref.kind != "state"):
            return self.state_of(node.parts[0])
        return ref.target if isinstance(node, tree.At | tree.Name) and ref is not None and ref.kind == "state" else None


class SymbolTable:
    """The declarations of a game, and did-you-mean over them."""

    def __init__(self, model: GameModel, program: CheckedProgram, findings: DiagnosticList) -> None:
        self.model, self.program, self.findings = model, program, findings

    def resolve(self, name: str, locals_: dict[str, LocalDecl], domain: str | None = None) -> NameRef | None:
        """The meaning of `name`; `domain` is the enumeration that the place asks for, where members of two share a word."""
        if name in locals_:
            return NameRef("local", locals_[name])
        if domain is not None:
            enum = self.model.enum_of(domain)
            if enum is not None and name in enum.index:
                return NameRef("member", (enum.name, enum.index[name]))
        if name in self.program.states:
            return NameRef("state", self.program.states[name])
        if name in self.program.families:
            return NameRef("family", self.program.families[name])
        if name in self.model.numbers:
            return NameRef("number", self.model.numbers[name])
        if name in self.model.options:
            return NameRef("option", self.model.options[name])
        if name in self.model.tables:
            return NameRef("table", self.model.tables[name])
        for board in self.model.boards.values():
            if name in board.named:
                return NameRef("member", (board.cell_type, board.named[name]))
        found = self.model.find_members(name)
        if found:
            return NameRef("member", found[0])
        return None

    def domains_with_member(self, name: str) -> list[str]:
        return [domain for domain, _ in self.model.find_members(name)]

    def candidate_names(self, locals_: dict[str, LocalDecl]) -> list[str]:
        members = [m for e in self.model.enums.values() if e.kind in ("enum", "player", "option", "direction") for m in e.members]
        data = [*self.model.numbers, *self.model.options, *self.model.tables]
        return [*locals_, *self.program.states, *self.program.families, *data, *members]

    def report_unknown(self, path: str, token: Any, locals_: dict[str, LocalDecl]) -> None:
        habit = FOREIGN_VALUES.get(str(token)) or FOREIGN_WORDS.get(str(token))
        meant = (
            habit
            or did_you_mean(str(token), self.candidate_names(locals_))
            or did_you_mean(str(token), ("none", "true", "false", "everything"))
        )
        hint = "written_so" if habit else "did_you_mean" if meant else None
        self.findings.add("R101", SourceSpan.of_node(path, token), hint=hint, name=str(token), meant=meant or "")

    def resolve_enum(self, path: str, token: Any) -> Enumeration | None:
        """The enumeration that a TYPE token names, or None with a diagnostic."""
        found = self.model.enum_of(str(token))
        if found is None:
            habit = FOREIGN_VALUES.get(str(token))
            meant = habit or did_you_mean(str(token), [*self.model.enums, *self.model.aliases])
            hint = "written_so" if habit else "did_you_mean" if meant else None
            self.findings.add("R102", SourceSpan.of_node(path, token), hint=hint, name=str(token), meant=meant or "")
        return found

    def find_deciding_state(self, enum: Enumeration) -> StateDecl | None:
        """The state that says which player decides for a member of `enum`; None when there is none of this form."""
        state = self.program.states.get(enum.decides or "")
        fits = (
            state is not None
            and [d for _, d in state.axes] == [enum.name]
            and state.type in (OptionalOf(MemberOf("Player")), MemberOf("Player"))
        )
        return state if fits else None

    def type_of_name(self, name: str) -> Type | None:
        """`from_tile` says nothing, `tile` is a Tile: the type that a parameter of this name has by itself."""
        camel = "".join(part.capitalize() for part in name.split("_"))
        found = self.model.enum_of(camel)
        return MemberOf(found.name) if found else None


@dataclass
class Scope:
    """The locals in sight at some place of a routine."""

    path: str
    routine: RoutineDecl
    locals: dict[str, LocalDecl] = field(default_factory=dict)
    clause: str | None = None                                      # that the statement here cites, else its routine
    turns: int = 1                                                 # how often this place is reached in one go of the loops around it

    def __post_init__(self) -> None:
        self.clause = self.clause or next(iter(self.routine.cites), None)

    def child_scope(self) -> Scope:
        return Scope(self.path, self.routine, dict(self.locals), self.clause, self.turns)
