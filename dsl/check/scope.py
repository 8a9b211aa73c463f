"""Declarations of rule files, the symbol table over them, and the locals of a routine."""

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
    """A local variable: a parameter, a `let`, or the variable of a binder."""

    name: str
    type: Type
    mutable: bool = False


@dataclass(eq=False)
class StateDecl:
    """A variable of the position, declared by `state name[axes]: type`."""

    name: str
    axes: list[tuple[str, str]]                                    # (axis name, enumeration)
    type: Type
    node: tree.State
    path: str
    saturating: bool = False
    per: str | None = None                                         # key of the routine that resets it
    seen: str | int = "open"                                       # "open", "hidden", or the axis whose player may see it
    inverted: bool = False                                         # whether all others may see it, and not the player of that axis
    keeper: StateDecl | None = None                                    # if that axis is not a player: the state with the player
    cites: tuple[str, ...] = ()


@dataclass(eq=False)
class RoutineDecl:
    """One entry of a def or procedure. `member` is the case that it is for, None if there is no case or it is the
    default."""

    kind: str                                                      # def, proc, phase
    name: str
    member: int | None
    params: list[LocalDecl]
    node: Any
    path: str
    key: str
    case_local: LocalDecl | None = None                                # default entry: the parameter for the member
    by: tree.Node | None = None
    value: tree.Expr | None = None                                 # defs
    conditions: list[tree.Condition] = field(default_factory=list)
    body: tree.Suite | None = None                                 # procedures
    type: Type | None = None                                       # defs: the result type
    family: str | None = None                                      # clause family that completes short citations
    cites: tuple[str, ...] = ()
    assigned: frozenset[str] = frozenset()
    resets: list[StateDecl] = field(default_factory=list)

    @property
    def place(self) -> SourceSpan:
        """The span of its name."""
        parts = getattr(self.node, "parts", None)
        token = self.node.name if parts is None else parts[1] if isinstance(self.node, tree.Goal) else parts[0]
        return SourceSpan.of_node(self.path, token)


@dataclass(eq=False)
class FamilyDecl:
    """All entries of one def or procedure. `domain` is the enumeration of its cases, or None."""

    name: str
    kind: str
    domain: str | None = None
    entries: dict[int, RoutineDecl] = field(default_factory=dict)
    default: RoutineDecl | None = None
    broken: bool = False                                           # an entry was rejected, so missing entries are unknown

    @property
    def routines(self) -> list[RoutineDecl]:
        return [*self.entries.values(), *([self.default] if self.default else [])]

    def entry(self, member: int | None) -> RoutineDecl | None:
        """Returns the entry that runs for a member, or the default entry."""
        return self.default if member is None else self.entries.get(member, self.default)

    @property
    def params(self) -> list[LocalDecl]:
        return self.routines[0].params if self.routines else []


@dataclass
class GoalDecl:
    """`standing` or `estimate`: expressions about one player or team, compared from left to right.

    `attribute` is the attribute of players that names their team. None if the goal is about players."""

    word: str
    subject: LocalDecl
    attribute: str | None
    values: list[tree.Expr]
    path: str
    routine: RoutineDecl


@dataclass
class CheckedProgram:
    """The declarations of all rule files. After the check, `resolution` holds every reference and type."""

    model: GameModel
    states: dict[str, StateDecl] = field(default_factory=dict)
    families: dict[str, FamilyDecl] = field(default_factory=dict)
    goals: dict[str, GoalDecl] = field(default_factory=dict)
    always: list[RoutineDecl] = field(default_factory=list)
    cited: dict[str, list[SourceSpan]] = field(default_factory=dict)    # clause → places that cite it
    misplaced: list[RoutineDecl] = field(default_factory=list)     # entries for unknown members. Their bodies are checked all the same
    resolution: Resolution = field(default_factory=lambda: Resolution())

    def list_routines(self) -> list[RoutineDecl]:
        """Returns the defs, procedures and phases, and then the misplaced ones."""
        return [*(one for family in self.families.values() for one in family.routines), *self.misplaced]


@dataclass(frozen=True)
class NameRef:
    """The target of a name.

    `kind` is local, state, family, number, member, option, table, attribute, builtin, or domain."""

    kind: str
    target: Any


class Resolution:
    """The results of the checker for syntax nodes.

    Syntax trees never change, so one tree serves every variant of a game. Nodes are keys by identity, so the
    trees must be kept alive together with this object."""

    def __init__(self) -> None:
        self.types: dict[int, Type] = {}                           # expressions
        self.refs: dict[int, NameRef] = {}                             # names, and expressions that stand for a named thing
        self.locals: dict[int, LocalDecl] = {}                         # `let` and binders
        self.numbers: dict[int, LocalDecl] = {}                        # binders: the counter
        self.results: dict[int, LocalDecl] = {}                        # choices: the chosen set
        self.deciders: dict[int, tree.Node] = {}                   # choices: the decider
        self.slots: dict[int, list[tuple[str, Type]]] = {}         # events: the named values
        self.calls: dict[int, tuple[FamilyDecl, tree.Expr | None, list[tree.Expr]]] = {}      # calls: family, case, arguments

    def type(self, node: tree.Expr) -> Type:
        """Returns the type of an expression."""
        return self.types[id(node)]

    def ref(self, node: tree.Node) -> NameRef | None:
        """Returns the target of a name, or None."""
        return self.refs.get(id(node))

    def state_of(self, node: tree.Node) -> StateDecl | None:
        """Returns the state that a target belongs to, or None."""
        ref = self.ref(node)
        if isinstance(node, tree.At) and (ref is None or ref.kind != "state"):
            return self.state_of(node.parts[0])
        return ref.target if isinstance(node, tree.At | tree.Name) and ref is not None and ref.kind == "state" else None


class SymbolTable:
    """The symbol table of a game, with suggestions for unknown names."""

    def __init__(self, model: GameModel, program: CheckedProgram, findings: DiagnosticList) -> None:
        self.model, self.program, self.findings = model, program, findings

    def resolve(self, name: str, locals_: dict[str, LocalDecl], domain: str | None = None) -> NameRef | None:
        """Returns the target of `name`, or None. `domain` is the expected enumeration, in case two enumerations share a
        member name."""
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
        """Returns the enumerations that have a member of this name."""
        return [domain for domain, _ in self.model.find_members(name)]

    def candidate_names(self, locals_: dict[str, LocalDecl]) -> list[str]:
        """Returns all names that can be suggested for a typo."""
        members = [m for e in self.model.enums.values() if e.kind in ("enum", "player", "option", "direction") for m in e.members]
        data = [*self.model.numbers, *self.model.options, *self.model.tables]
        return [*locals_, *self.program.states, *self.program.families, *data, *members]

    def report_unknown(self, path: str, token: Any, locals_: dict[str, LocalDecl], otherwise: str | None = None) -> None:
        """Reports an unknown name (R101), with a suggestion if there is one, and the hint `otherwise` if there is none."""
        habit = FOREIGN_VALUES.get(str(token)) or FOREIGN_WORDS.get(str(token))
        meant = (
            habit
            or next((name for name in self.model.enums if str(token) == f"{name.lower()}s"), None)          # `players` for `Player`
            or did_you_mean(str(token), self.candidate_names(locals_))
            or did_you_mean(str(token), ("none", "true", "false", "everything"))
        )
        hint = "written_so" if habit else "did_you_mean" if meant else otherwise
        self.findings.add("R101", SourceSpan.of_node(path, token), hint=hint, name=str(token), meant=meant or "")

    def read_number(self, path: str, token: Any) -> int:
        """Returns the value of a number. Reports one that begins with a zero (R013)."""
        value = int(token)
        if str(value) != str(token):
            self.findings.add("R013", SourceSpan.of_node(path, token), found=str(token), meant=str(value))
        return value

    def resolve_enum(self, path: str, token: Any) -> Enumeration | None:
        """Returns the enumeration that a type token names. Reports R102 and returns None if there is none."""
        found = self.model.enum_of(str(token))
        if found is None:
            habit = FOREIGN_VALUES.get(str(token))
            meant = habit or did_you_mean(str(token), [*self.model.enums, *self.model.aliases])
            hint = "written_so" if habit else "did_you_mean" if meant else None
            self.findings.add("R102", SourceSpan.of_node(path, token), hint=hint, name=str(token), meant=meant or "")
        return found

    def find_deciding_state(self, enum: Enumeration) -> StateDecl | None:
        """Returns the state that names the player who decides for a member of `enum`. None if no state has the right
        form."""
        state = self.program.states.get(enum.decides or "")
        fits = (
            state is not None
            and [d for _, d in state.axes] == [enum.name]
            and state.type in (OptionalOf(MemberOf("Player")), MemberOf("Player"))
        )
        return state if fits else None

    def type_of_name(self, name: str) -> Type | None:
        """Returns the type that the name of a parameter implies: `tile` is a `Tile`, `from_tile` implies nothing."""
        camel = "".join(part.capitalize() for part in name.split("_"))
        found = self.model.enum_of(camel)
        return MemberOf(found.name) if found else None


@dataclass
class Scope:
    """The locals that are visible at one point of a routine."""

    path: str
    routine: RoutineDecl
    locals: dict[str, LocalDecl] = field(default_factory=dict)
    clause: str | None = None                                      # cited by the statement, else by the routine
    turns: int = 1                                                 # product of the iterations of all enclosing loops

    def __post_init__(self) -> None:
        self.clause = self.clause or next(iter(self.routine.cites), None)

    def child_scope(self) -> Scope:
        """Returns a nested scope with a copy of the locals."""
        return Scope(self.path, self.routine, dict(self.locals), self.clause, self.turns)
