"""The first pass of the checker: collects declarations, so that bodies can use names from any file in any order."""

from __future__ import annotations

from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..model.model import Enumeration, GameModel
from ..syntax import tree
from ..syntax.lark_parser import keywords
from ..types.size_limits import MAX_STATE_ENTRIES
from ..types.types import BOOL, BROKEN, INT, BagOf, ErrorType, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from .scope import CheckedProgram, FamilyDecl, GoalDecl, LocalDecl, RoutineDecl, StateDecl, SymbolTable

MAX_ENTRIES_PER_STATE = 20_000                 # bots copy the position at each search step


class DeclarationPass:
    """Collects the declarations of all files into a `CheckedProgram` and its symbol table."""
    def __init__(self, model: GameModel, findings: DiagnosticList) -> None:
        self.model, self.findings = model, findings
        self.program = CheckedProgram(model)
        self.names = SymbolTable(model, self.program, findings)
        self.pending: list[tuple[tree.State, str, StateDecl]] = []
        self.places = 0                                            # entries of all states

    def declare_file(self, items: list[tree.Node], path: str) -> None:
        """Collects the declarations of one file."""
        for item in items:
            match item:
                case tree.State():
                    self.declare_state(item, path)
                case tree.DefValue() | tree.DefWhere():
                    self.declare_def(item, path)
                case tree.Proc():
                    self.declare_proc(item, path)
                case tree.Goal():
                    self.declare_goal(item, path)
                case tree.Always():
                    routine = RoutineDecl(
                        "def", f"always.{item.name}", None, [], item, path, f"always.{item.name}", value=item.test, type=BOOL
                    )
                    routine.cites = self.resolve_citations(item.cites, None, path)
                    same = next((r for r in self.program.always if r.name == routine.name), None)
                    if same is not None:
                        self.findings.add("R103", routine.place, name=str(item.name), also=(same.place,))
                    self.program.always.append(routine)

    def finish(self) -> None:
        """Does what needs all declarations: scopes of `per`, keepers of states, and completeness of cases."""
        for node, path, state in self.pending:
            self.resolve_reset_scope(node, path, state)
        for state in self.program.states.values():
            if isinstance(state.seen, int):
                self.resolve_keeper(state, self.model.enums[state.axes[state.seen][1]])
        for family in self.program.families.values():
            self.check_completeness(family)
        for name in ("game",):
            if name not in self.program.families:
                self.findings.add_with_suggestion("R110", SourceSpan(self.model.path), did_you_mean(name, self.program.families), name=name)
        if "standing" not in self.program.goals:
            self.findings.add("R111", SourceSpan(self.model.path))
        self.check_same_subject()

    def report_duplicate(self, token: Any, path: str) -> bool:
        """Whether a state or a name of the data already has this name. Reports R103 if so."""
        name = str(token)
        if name in self.program.states or name in self.model.numbers or name in self.model.tables or name in self.model.options:
            also = self.model.places.get(name) or SourceSpan.of_node(self.program.states[name].path, self.program.states[name].node.name)
            self.findings.add("R103", SourceSpan.of_node(path, token), name=name, also=(also,))
            return True
        return False

    # ------------------------------------------------------------ clauses

    def resolve_citations(self, cites: tree.Cites | None, family: str | None, path: str) -> tuple[str, ...]:
        """Returns the full ids of cited clauses. The short form `@06` is completed with the enclosing clause family."""
        full = []
        for token in cites or []:
            text = str(token)[1:]
            if text.isdigit():
                if family is None:
                    self.findings.add("R104", SourceSpan.of_node(path, token), cite=str(token))
                    continue
                text = f"{family}-{text}"
            full.append(text)
            self.program.cited.setdefault(text, []).append(SourceSpan.of_node(path, token))
        return tuple(full)

    def clause_family(self, cites: tree.Cites | None) -> str | None:
        """Returns the clause family cited in the head of a routine: `DS-EXE-GLA` from `@DS-EXE-GLA` or `@DS-EXE-GLA-02`."""
        return tree.find_cited_family(cites)

    # ------------------------------------------------------------ states

    def declare_state(self, node: tree.State, path: str) -> None:
        """Declares a state, and checks its axes, its type, its size, and who may see it."""
        if self.report_duplicate(node.name, path):
            return
        family = self.program.families.get(str(node.name))
        if family is not None:
            self.findings.add(
                "R103", SourceSpan.of_node(path, node.name), name=str(node.name), also=tuple(r.place for r in family.routines[:1])
            )
            return
        axes: list[tuple[str, str]] = []
        size = 1
        for axis in node.axes:
            enum = self.names.resolve_enum(path, axis.domain)
            if enum is None:
                continue
            name = str(axis.name) if isinstance(axis, tree.AxisNamed) else str(axis.domain).lower()
            axes.append((name, enum.name))
            size *= max(1, len(enum))
        found = self.resolve_type(node.kind, path)
        kinds = [found.of.name] if isinstance(found, BagOf) else []                            # a bag has a count for each kind
        endless = [domain for domain in [*(domain for _, domain in axes), *kinds] if self.model.enums[domain].kind == "open"]
        if len(endless) > 1 or endless and isinstance(found, BagOf):
            self.findings.add("R116", SourceSpan.of_node(path, node.name), name=str(node.name), domain=endless[0])
        state = StateDecl(str(node.name), axes, found, node, path, node.saturating is not None)
        for kind in kinds:
            size *= max(1, len(self.model.enums[kind]))
        self.places += size
        if size > MAX_ENTRIES_PER_STATE:
            self.findings.add("R105", SourceSpan.of_node(path, node.name), name=state.name, found=size, limit=MAX_ENTRIES_PER_STATE)
        elif self.places > MAX_STATE_ENTRIES >= self.places - size:
            self.findings.add("R120", SourceSpan.of_node(path, node.name), name=state.name, found=self.places, limit=MAX_STATE_ENTRIES)
        if state.saturating and not isinstance(found, Int):
            self.findings.add("R106", SourceSpan.of_node(path, node.saturating))
        word, state.inverted = node.seen.axis, node.seen.excluded is not None
        if node.seen.word is not None and word is None:
            state.seen = "hidden"
        elif word is not None:
            at = [n for n, (name, _) in enumerate(axes) if name == str(word)]
            domain = self.model.enums[axes[at[0]][1]] if at else None
            if domain is None or domain.kind != "player" and domain.decides is None:
                keywords = "hidden from" if state.inverted else "seen by"
                self.findings.add("R107", SourceSpan.of_node(path, word), name=str(word), keywords=keywords)
            else:
                state.seen = at[0]
        if state.seen != "open" and not can_determinize(found):
            self.findings.add("R118", SourceSpan.of_node(path, node.kind), name=state.name, found=found)
        state.cites = self.resolve_citations(node.cites, None, path)
        self.program.states[state.name] = state
        if node.per:
            self.pending.append((node, path, state))

    def resolve_keeper(self, state: StateDecl, enum: Enumeration) -> None:
        """Finds the state that names the player who may see an entry, if the axis that it names is not a player.

        That state must be open, because everyone knows who may see what."""
        if enum.kind == "player":
            return
        place = SourceSpan.of_node(state.path, state.node.seen.axis)
        found = self.names.find_deciding_state(enum)
        if found is None:
            self.findings.add("R314", place, name=enum.decides, domain=enum.name)
        elif found.seen != "open":
            self.findings.add("R117", place, name=found.name, also=(SourceSpan.of_node(found.path, found.node.name),))
        state.keeper = found

    def resolve_reset_scope(self, node: tree.State, path: str, state: StateDecl) -> None:
        """Registers a state for reset in the procedure that its `per` names."""
        assert node.per is not None
        family = self.program.families.get(str(node.per.scope))
        if family is None or family.kind == "def":
            self.names.report_unknown(path, node.per.scope, {})
            return
        routines = family.routines
        if node.per.case is not None and not family.domain:
            self.findings.add("R223", SourceSpan.of_node(path, node.per), name=family.name, domain="")
        if node.per.case is not None and family.domain:
            enum = self.model.enums[family.domain]
            at = enum.index.get(str(node.per.case))
            routines = [r for r in routines if r.member == at]
            if not routines:
                self.names.report_unknown(path, node.per.case, {})
        for routine in routines:
            routine.resets.append(state)

    def resolve_type(self, node: tree.Node, path: str) -> Type:
        """Returns the type that a type expression means, or `BROKEN` after an error."""
        match node:
            case tree.BoolType():
                return BOOL
            case tree.IntType():
                return INT
            case tree.RangeType():
                low = self.evaluate_bound(node.low, path)
                high = None if node.high is None else self.evaluate_bound(node.high, path)
                if low is not None and high is not None and low > high:
                    self.findings.add("R108", SourceSpan.of_node(path, node))
                return Int(low, high)
            case tree.NamedType():
                enum = self.names.resolve_enum(path, node.name)
                return MemberOf(enum.name) if enum else BROKEN
            case tree.Optional_():
                return OptionalOf(self.resolve_type(node.base, path))
            case tree.SetOf():
                inner = self.resolve_type(node.base, path)
                if isinstance(inner, OptionalOf | BagOf | PileOf):
                    self.findings.add("R229", SourceSpan.of_node(path, node.base), found=inner)
                    return BROKEN
                return SetOf(inner)
            case tree.ListOf():
                return ListOf(self.resolve_type(node.base, path))
            case tree.BagOf() | tree.PileOf():
                enum = self.names.resolve_enum(path, node.base)
                if enum is None:
                    return BROKEN
                return BagOf(MemberOf(enum.name)) if isinstance(node, tree.BagOf) else PileOf(MemberOf(enum.name))
        raise AssertionError(node)

    def evaluate_bound(self, node: tree.Expr, path: str) -> int | None:
        """Returns the value of a range limit: a literal, its negation, or a number of the data."""
        if isinstance(node, tree.Number):
            return self.names.read_number(path, node.digits)
        if isinstance(node, tree.Unary):
            found = self.evaluate_bound(node.value, path)
            return None if found is None else -found
        assert isinstance(node, tree.Name)
        if str(node.name) in self.model.numbers:
            return self.model.numbers[str(node.name)]
        self.names.report_unknown(path, node.name, {})
        return None

    # ------------------------------------------------------------ routines

    def declare_params(self, node: tree.Params, path: str) -> list[LocalDecl]:
        """Returns the locals of a parameter list. A parameter without a type takes the type that its name implies."""
        out: list[LocalDecl] = []
        for param in node:
            if param.kind is not None:
                found = self.resolve_type(param.kind, path)
            else:
                by_name = self.names.type_of_name(str(param.name))
                if by_name is None:
                    self.findings.add("R109", SourceSpan.of_node(path, param.name), name=str(param.name))
                found = by_name or BROKEN
            if any(p.name == str(param.name) for p in out):
                self.findings.add("R103", SourceSpan.of_node(path, param.name), name=str(param.name))
            out.append(LocalDecl(str(param.name), found))
        return out

    def add_to_family(self, routine: RoutineDecl, case: tree.Case, path: str, token: Any) -> None:
        """Adds a routine to its family, under its case."""
        if self.report_duplicate(token, path):
            return
        kind = "def" if routine.kind == "def" else "proc"
        family = self.program.families.setdefault(routine.name, FamilyDecl(routine.name, kind))
        if family.kind != kind:
            self.findings.add("R103", SourceSpan.of_node(path, token), name=routine.name)
            return
        if case.name is None:
            if family.routines:
                self.findings.add("R103", SourceSpan.of_node(path, token), name=routine.name, also=(family.routines[0].place,))
                return
            family.default = routine
            return
        if case.domain is not None:
            enum = self.names.resolve_enum(path, case.domain)
            if enum is None:
                family.broken = True
                return
            domain = enum.name
        else:
            domains = [family.domain] if family.domain else self.names.domains_with_member(str(case.name))
            if not domains or str(case.name) not in self.model.enums[domains[0]].index:
                family.broken = True
                if self.names.domains_with_member(str(case.name)):
                    self.findings.add("R112", SourceSpan.of_node(path, case.name), name=str(case.name), wanted=domains[0])
                else:
                    self.names.report_unknown(path, case.name, {})
                self.program.misplaced.append(routine)
                return
            domain = domains[0]
        if family.domain is None and family.routines:
            self.findings.add("R103", SourceSpan.of_node(path, token), name=routine.name)
            return
        if family.domain not in (None, domain):
            family.broken = True
            self.findings.add("R112", SourceSpan.of_node(path, case.domain), name=domain, wanted=family.domain)
            return
        family.domain = domain
        if case.domain is not None:
            routine.case_local = LocalDecl(str(case.name), MemberOf(domain))
            if family.default:
                self.findings.add("R103", SourceSpan.of_node(path, token), name=routine.name, also=(family.default.place,))
            family.default = routine
            routine.key = f"{routine.name}[{domain}]"
            return
        member = self.model.enums[domain].index[str(case.name)]
        routine.member = member
        routine.key = f"{routine.name}[{case.name}]"
        if member in family.entries:
            also = family.entries[member]
            self.findings.add("R103", SourceSpan.of_node(path, token), name=routine.key, also=(also.place,))
        family.entries[member] = routine

    def declare_def(self, node: tree.DefValue | tree.DefWhere, path: str) -> None:
        """Declares a def."""
        if isinstance(node, tree.DefValue):
            name, case, params, head = node.name, node.case, node.params, node.head_cites
        else:
            name, case, params, head = node.parts[:4]
        routine = RoutineDecl("def", str(name), None, self.declare_params(params, path), node, path, str(name))
        if routine.params and str(name) in keywords()["folds"]:
            self.findings.add("R119", SourceSpan.of_node(path, name), name=str(name))
        routine.family = self.clause_family(head)
        routine.cites = self.resolve_citations(head, None, path)
        if isinstance(node, tree.DefValue):
            routine.value = node.value
            routine.cites += self.resolve_citations(node.cites, routine.family, path)
        else:
            routine.conditions = node.parts[4:]
            routine.type = BOOL
            for condition in routine.conditions:
                self.resolve_citations(condition.cites, routine.family, path)
        self.add_to_family(routine, case, path, name)

    def declare_proc(self, node: tree.Proc, path: str) -> None:
        """Declares a procedure or a phase."""
        kind = "phase" if node.word.type == "PHASE" else "proc"
        routine = RoutineDecl(kind, str(node.name), None, self.declare_params(node.params, path), node, path, str(node.name),
                          by=node.by, body=node.body)
        routine.family = self.clause_family(node.cites)
        routine.cites = self.resolve_citations(node.cites, None, path)
        self.add_to_family(routine, node.case, path, node.name)

    def declare_goal(self, node: tree.Goal, path: str) -> None:
        """Declares `standing` or `estimate`."""
        word, name, *values, cites = node.parts
        kind = "standing" if word.type == "STANDING" else "estimate"
        self.resolve_citations(cites, None, path)
        domain, attribute = self.resolve_subject(name, path)
        routine = RoutineDecl("def", kind, None, [LocalDecl(str(name), MemberOf(domain))], node, path, kind)
        if kind in self.program.goals:
            self.findings.add("R103", SourceSpan.of_node(path, name), name=kind, also=(self.program.goals[kind].routine.place,))
            return
        self.program.goals[kind] = GoalDecl(kind, routine.params[0], attribute, values, path, routine)

    def resolve_subject(self, name: Any, path: str) -> tuple[str, str | None]:
        """Returns the type that a goal compares: `Player`, or the type that its name implies, with the attribute of players
        that names their team."""
        implied = self.names.type_of_name(str(name))
        if not isinstance(implied, MemberOf) or implied.name == "Player":
            return "Player", None
        attributes = [attribute for attribute, kind in self.model.enums["Player"].attributes.items() if kind == implied]
        if len(attributes) != 1:
            code = "R123" if attributes else "R122"
            self.findings.add(code, SourceSpan.of_node(path, name), name=str(name), domain=implied.name, found=", ".join(attributes))
        return implied.name, attributes[0] if attributes else None

    def check_same_subject(self) -> None:
        """Checks that `standing` and `estimate` are about the same players or teams."""
        standing, estimate = self.program.goals.get("standing"), self.program.goals.get("estimate")
        if standing is not None and estimate is not None and standing.subject.type != estimate.subject.type:
            place = SourceSpan.of_node(estimate.path, estimate.routine.node.parts[1])
            also = (SourceSpan.of_node(standing.path, standing.routine.node.parts[1]),)
            self.findings.add("R124", place, name=estimate.subject.name, wanted=standing.subject.name, also=also)

    def check_completeness(self, family: FamilyDecl) -> None:
        """Checks that each member of the case has an entry or there is a default, and that all entries take the same
        parameters."""
        if not family.routines:
            return
        first = family.routines[0]
        for routine in family.routines[1:]:
            if [p.type for p in routine.params] != [p.type for p in first.params]:
                self.findings.add("R113", routine.place, name=routine.key, also=(first.place,))
        if family.domain and family.default is None and not family.broken:
            enum = self.model.enums[family.domain]
            lacking = [m for n, m in enumerate(enum.members) if n not in family.entries]
            if lacking:
                self.findings.add("R114", first.place, name=family.name, domain=family.domain, lacking=", ".join(lacking[:6]))


def can_determinize(found: Type) -> bool:
    """Whether a hidden value of this type can be determinized: it consists of members and of numbers with two
    bounds."""
    if isinstance(found, Int):
        return found.low is not None and found.high is not None
    if isinstance(found, SetOf | ListOf | BagOf | PileOf):
        return isinstance(found.of, MemberOf | ErrorType)
    return can_determinize(found.of) if isinstance(found, OptionalOf) else True
