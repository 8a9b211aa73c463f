"""What the names of a rule file mean: declarations, and the locals of one routine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.diagnostic import Findings, Place, did_you_mean
from ..model.model import Enumeration, Model
from ..syntax import tree
from ..syntax.foreign_syntax import VALUES, WORDS
from ..types.types import Maybe, Of, Type


@dataclass(eq=False)
class Local:
    """A parameter, a `let`, or what a binder binds."""

    name: str
    type: Type
    mutable: bool = False


@dataclass(eq=False)
class State:
    """`state name[axes]: type`: what the position holds."""

    name: str
    axes: list[tuple[str, str]]                                    # (axis name, enumeration)
    type: Type
    node: tree.State
    path: str
    saturating: bool = False
    per: str | None = None                                         # the routine key that resets it
    seen: str | int = "open"                                       # open, hidden, or the number of the axis that may look
    keeper: State | None = None                                    # of an axis that is no player: the state with the player of a member
    cites: tuple[str, ...] = ()


@dataclass(eq=False)
class Routine:
    """One entry of a def or a proc: a name, the member it is for (None: no case or the default), and its body."""

    kind: str                                                      # def, proc, phase
    name: str
    member: int | None
    params: list[Local]
    node: Any
    path: str
    key: str
    case_local: Local | None = None                                # of a default entry: the parameter that holds the member
    by: tree.Node | None = None
    value: tree.Expr | None = None                                 # of a def
    conditions: list[tree.Condition] = field(default_factory=list)
    body: tree.Suite | None = None                                 # of a proc
    type: Type | None = None                                       # of a def: its result
    family: str | None = None                                      # the clause family that short cites complete
    cites: tuple[str, ...] = ()
    assigned: set[str] = field(default_factory=set)
    resets: list[State] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """Where its name stands."""
        parts = getattr(self.node, "parts", None)
        token = self.node.name if parts is None else parts[1] if isinstance(self.node, tree.Goal) else parts[0]
        return Place.of(self.path, token)


@dataclass(eq=False)
class Family:
    """All entries of one name. `domain` is the enumeration of its case, or None when it has no case."""

    name: str
    kind: str
    domain: str | None = None
    entries: dict[int, Routine] = field(default_factory=dict)
    default: Routine | None = None
    broken: bool = False                                           # an entry was refused, so what is lacking cannot be told

    @property
    def routines(self) -> list[Routine]:
        return [*self.entries.values(), *([self.default] if self.default else [])]

    def entry(self, member: int | None) -> Routine | None:
        return self.default if member is None else self.entries.get(member, self.default)

    @property
    def params(self) -> list[Local]:
        return self.routines[0].params if self.routines else []


@dataclass
class Goal:
    """standing or estimate: expressions of one player, compared left to right."""

    word: str
    player: Local
    values: list[tree.Expr]
    path: str
    routine: Routine


@dataclass
class Declared:
    """What rule files declare; when they have been checked, with every name resolved and every expression typed."""

    model: Model
    states: dict[str, State] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    goals: dict[str, Goal] = field(default_factory=dict)
    always: list[Routine] = field(default_factory=list)
    cited: dict[str, list[Place]] = field(default_factory=dict)    # clause -> where it is cited
    resolution: Resolution = field(default_factory=lambda: Resolution())


@dataclass(frozen=True)
class Ref:
    """What a name means: kind is local, state, family, number, member, option, table, attribute, builtin or domain."""

    kind: str
    target: Any


class Resolution:
    """What the checker found out about the nodes of trees, which themselves never change: so one tree serves every variant of a game.
    Nodes are known by identity; whoever keeps this keeps the trees."""

    def __init__(self) -> None:
        self.types: dict[int, Type] = {}                           # of expressions
        self.refs: dict[int, Ref] = {}                             # of names, and of expressions that stand for what a name means
        self.locals: dict[int, Local] = {}                         # what a `let` or a binder binds
        self.numbers: dict[int, Local] = {}                        # the number that a binder counts with
        self.results: dict[int, Local] = {}                        # the set that a choice makes
        self.deciders: dict[int, tree.Node] = {}                   # who decides a choice
        self.slots: dict[int, list[tuple[str, Type]]] = {}         # the named values of an event
        self.calls: dict[int, tuple[Family, tree.Expr | None, list[tree.Expr]]] = {}      # of a call: what, its case, its arguments

    def type(self, node: tree.Expr) -> Type:
        return self.types[id(node)]

    def ref(self, node: tree.Node) -> Ref | None:
        return self.refs.get(id(node))

    def state_of(self, node: tree.Node) -> State | None:
        """The state that a place lies in, or None."""
        ref = self.ref(node)
        if isinstance(node, tree.At) and (ref is None or ref.kind != "state"):
            return self.state_of(node.parts[0])
        return ref.target if isinstance(node, tree.At | tree.Name) and ref is not None and ref.kind == "state" else None


class Names:
    """The declarations of a game, and did-you-mean over them."""

    def __init__(self, model: Model, program: Declared, findings: Findings) -> None:
        self.model, self.program, self.findings = model, program, findings

    def find(self, name: str, locals_: dict[str, Local], domain: str | None = None) -> Ref | None:
        """The meaning of `name`; `domain` is the enumeration that the place asks for, where members of two share a word."""
        if name in locals_:
            return Ref("local", locals_[name])
        if domain is not None:
            enum = self.model.enum_of(domain)
            if enum is not None and name in enum.index:
                return Ref("member", (enum.name, enum.index[name]))
        if name in self.program.states:
            return Ref("state", self.program.states[name])
        if name in self.program.families:
            return Ref("family", self.program.families[name])
        if name in self.model.numbers:
            return Ref("number", self.model.numbers[name])
        if name in self.model.options:
            return Ref("option", self.model.options[name])
        if name in self.model.tables:
            return Ref("table", self.model.tables[name])
        for board in self.model.boards.values():
            if name in board.named:
                return Ref("member", (board.cell_type, board.named[name]))
        found = self.model.member(name)
        if found:
            return Ref("member", found[0])
        return None

    def members_named(self, name: str) -> list[str]:
        return [domain for domain, _ in self.model.member(name)]

    def known(self, locals_: dict[str, Local]) -> list[str]:
        members = [m for e in self.model.enums.values() if e.kind in ("enum", "player", "option", "direction") for m in e.members]
        data = [*self.model.numbers, *self.model.options, *self.model.tables]
        return [*locals_, *self.program.states, *self.program.families, *data, *members]

    def unknown(self, path: str, token: Any, locals_: dict[str, Local]) -> None:
        habit = VALUES.get(str(token)) or WORDS.get(str(token))
        meant = habit or did_you_mean(str(token), self.known(locals_)) or did_you_mean(str(token), ("none", "true", "false", "everything"))
        hint = "written_so" if habit else "did_you_mean" if meant else None
        self.findings.add("R101", Place.of(path, token), hint=hint, name=str(token), meant=meant or "")

    def enum(self, path: str, token: Any) -> Enumeration | None:
        """The enumeration that a TYPE token names, or None with a diagnostic."""
        found = self.model.enum_of(str(token))
        if found is None:
            habit = VALUES.get(str(token))
            meant = habit or did_you_mean(str(token), [*self.model.enums, *self.model.aliases])
            hint = "written_so" if habit else "did_you_mean" if meant else None
            self.findings.add("R102", Place.of(path, token), hint=hint, name=str(token), meant=meant or "")
        return found

    def decides(self, enum: Enumeration) -> State | None:
        """The state that says which player decides for a member of `enum`; None when there is none of this form."""
        state = self.program.states.get(enum.decides or "")
        fits = state is not None and [d for _, d in state.axes] == [enum.name] and state.type in (Maybe(Of("Player")), Of("Player"))
        return state if fits else None

    def type_of_name(self, name: str) -> Type | None:
        """`from_tile` says nothing, `tile` is a Tile: the type that a parameter of this name has by itself."""
        camel = "".join(part.capitalize() for part in name.split("_"))
        found = self.model.enum_of(camel)
        return Of(found.name) if found else None


@dataclass
class Scope:
    """The locals in sight at some place of a routine."""

    path: str
    routine: Routine
    locals: dict[str, Local] = field(default_factory=dict)
    clause: str | None = None                                      # that the statement here cites, else its routine
    turns: int = 1                                                 # how often this place is reached in one go of the loops around it

    def __post_init__(self) -> None:
        self.clause = self.clause or next(iter(self.routine.cites), None)

    def inner(self) -> Scope:
        return Scope(self.path, self.routine, dict(self.locals), self.clause, self.turns)
