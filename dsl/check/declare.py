"""First pass of the checker: what the rule files declare, so that bodies may use names from any file in any order."""

from __future__ import annotations

from typing import Any

from ..diagnostics.diagnostic import Findings, Place, did_you_mean
from ..model.model import Enumeration, Model
from ..syntax import tree
from ..syntax.parse import keywords
from ..types.size_limits import PLACES
from ..types.types import BOOL, BROKEN, INT, BagOf, Broken, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .scope import Declared, Family, Goal, Local, Names, Routine, State

MAX_ENTRIES = 20_000                 # of one state: a position is copied for every thought of a bot


class Declare:
    def __init__(self, model: Model, findings: Findings) -> None:
        self.model, self.findings = model, findings
        self.program = Declared(model)
        self.names = Names(model, self.program, findings)
        self.pending: list[tuple[tree.State, str, State]] = []
        self.places = 0                                            # entries of all states so far

    def file(self, items: list[tree.Node], path: str) -> None:
        for item in items:
            match item:
                case tree.State():
                    self.state(item, path)
                case tree.DefValue() | tree.DefWhere():
                    self.definition(item, path)
                case tree.Proc():
                    self.proc(item, path)
                case tree.Goal():
                    self.goal(item, path)
                case tree.Always():
                    routine = Routine("def", f"always.{item.name}", None, [], item, path, f"always.{item.name}", value=item.test, type=BOOL)
                    routine.cites = self.cites(item.cites, None, path)
                    same = next((r for r in self.program.always if r.name == routine.name), None)
                    if same is not None:
                        self.findings.add("R103", routine.place, name=str(item.name), also=(same.place,))
                    self.program.always.append(routine)

    def finish(self) -> None:
        """What needs all declarations: scopes of `per`, completeness of cases."""
        for node, path, state in self.pending:
            self.scope(node, path, state)
        for state in self.program.states.values():
            if isinstance(state.seen, int):
                self.keeper(state, self.model.enums[state.axes[state.seen][1]])
        for family in self.program.families.values():
            self.complete(family)
        for name in ("game",):
            if name not in self.program.families:
                self.findings.slip("R110", Place(self.model.path), did_you_mean(name, self.program.families), name=name)
        if "standing" not in self.program.goals:
            self.findings.add("R111", Place(self.model.path))

    def taken(self, token: Any, path: str) -> bool:
        name = str(token)
        if name in self.program.states or name in self.model.numbers or name in self.model.tables or name in self.model.options:
            also = self.model.places.get(name) or Place.of(self.program.states[name].path, self.program.states[name].node.name)
            self.findings.add("R103", Place.of(path, token), name=name, also=(also,))
            return True
        return False

    # ------------------------------------------------------------ clauses

    def cites(self, cites: tree.Cites | None, family: str | None, path: str) -> tuple[str, ...]:
        """The full ids of cited clauses; `@06` means the enclosing family's 06."""
        full = []
        for token in cites or []:
            text = str(token)[1:]
            if text.isdigit():
                if family is None:
                    self.findings.add("R104", Place.of(path, token), cite=str(token))
                    continue
                text = f"{family}-{text}"
            full.append(text)
            self.program.cited.setdefault(text, []).append(Place.of(path, token))
        return tuple(full)

    def family_of(self, cites: tree.Cites | None) -> str | None:
        """The family that a head cites (`@DS-EXE-GLA`, or that of `@DS-EXE-GLA-02`)."""
        return tree.family_cited(cites)

    # ------------------------------------------------------------ states

    def state(self, node: tree.State, path: str) -> None:
        if self.taken(node.name, path):
            return
        family = self.program.families.get(str(node.name))
        if family is not None:
            self.findings.add("R103", Place.of(path, node.name), name=str(node.name), also=tuple(r.place for r in family.routines[:1]))
            return
        axes: list[tuple[str, str]] = []
        size = 1
        for axis in node.axes:
            enum = self.names.enum(path, axis.domain)
            if enum is None:
                continue
            name = str(axis.name) if isinstance(axis, tree.AxisNamed) else str(axis.domain).lower()
            axes.append((name, enum.name))
            size *= max(1, len(enum))
        found = self.type(node.kind, path)
        kinds = [found.of.name] if isinstance(found, BagOf) else []                            # each has a count of its own
        endless = [domain for domain in [*(domain for _, domain in axes), *kinds] if self.model.enums[domain].kind == "open"]
        if len(endless) > 1 or endless and isinstance(found, BagOf):
            self.findings.add("R116", Place.of(path, node.name), name=str(node.name), domain=endless[0])
        state = State(str(node.name), axes, found, node, path, node.saturating is not None)
        for kind in kinds:
            size *= max(1, len(self.model.enums[kind]))
        self.places += size
        if size > MAX_ENTRIES:
            self.findings.add("R105", Place.of(path, node.name), name=state.name, found=size, limit=MAX_ENTRIES)
        elif self.places > PLACES >= self.places - size:
            self.findings.add("R120", Place.of(path, node.name), name=state.name, found=self.places, limit=PLACES)
        if state.saturating and not isinstance(found, Int):
            self.findings.add("R106", Place.of(path, node.saturating))
        word = node.seen.word
        if word is not None and word.type == "HIDDEN":
            state.seen = "hidden"
        elif word is not None:
            at = [n for n, (name, _) in enumerate(axes) if name == str(word)]
            domain = self.model.enums[axes[at[0]][1]] if at else None
            if domain is None or domain.kind != "player" and domain.decides is None:
                self.findings.add("R107", Place.of(path, word), name=str(word))
            else:
                state.seen = at[0]
        if state.seen != "open" and not imaginable(found):
            self.findings.add("R118", Place.of(path, node.kind), name=state.name, found=found)
        state.cites = self.cites(node.cites, None, path)
        self.program.states[state.name] = state
        if node.per:
            self.pending.append((node, path, state))

    def keeper(self, state: State, enum: Enumeration) -> None:
        """Find the state that says which player may look where the axis is no player. Everybody must see it: who may look is known."""
        if enum.kind == "player":
            return
        place = Place.of(state.path, state.node.seen.word)
        found = self.names.decides(enum)
        if found is None:
            self.findings.add("R314", place, name=enum.decides, domain=enum.name)
        elif found.seen != "open":
            self.findings.add("R117", place, name=found.name, also=(Place.of(found.path, found.node.name),))
        state.keeper = found

    def scope(self, node: tree.State, path: str, state: State) -> None:
        assert node.per is not None
        family = self.program.families.get(str(node.per.scope))
        if family is None or family.kind == "def":
            self.names.unknown(path, node.per.scope, {})
            return
        routines = family.routines
        if node.per.case is not None and not family.domain:
            self.findings.add("R223", Place.of(path, node.per), name=family.name, domain="")
        if node.per.case is not None and family.domain:
            enum = self.model.enums[family.domain]
            at = enum.index.get(str(node.per.case))
            routines = [r for r in routines if r.member == at]
            if not routines:
                self.names.unknown(path, node.per.case, {})
        for routine in routines:
            routine.resets.append(state)

    def type(self, node: tree.Node, path: str) -> Type:
        match node:
            case tree.BoolType():
                return BOOL
            case tree.IntType():
                return INT
            case tree.RangeType():
                low = self.bound(node.low, path)
                high = None if node.high is None else self.bound(node.high, path)
                if low is not None and high is not None and low > high:
                    self.findings.add("R108", Place.of(path, node))
                return Int(low, high)
            case tree.NamedType():
                enum = self.names.enum(path, node.name)
                return Of(enum.name) if enum else BROKEN
            case tree.Optional_():
                return Maybe(self.type(node.base, path))
            case tree.SetOf():
                inner = self.type(node.base, path)
                if isinstance(inner, Maybe | BagOf | PileOf):
                    self.findings.add("R229", Place.of(path, node.base), found=inner)
                    return BROKEN
                return SetOf(inner)
            case tree.ListOf():
                return ListOf(self.type(node.base, path))
            case tree.BagOf() | tree.PileOf():
                enum = self.names.enum(path, node.base)
                if enum is None:
                    return BROKEN
                return BagOf(Of(enum.name)) if isinstance(node, tree.BagOf) else PileOf(Of(enum.name))
        raise AssertionError(node)

    def bound(self, node: tree.Expr, path: str) -> int | None:
        if isinstance(node, tree.Number):
            return int(node.digits)
        if isinstance(node, tree.Unary):
            found = self.bound(node.value, path)
            return None if found is None else -found
        assert isinstance(node, tree.Name)
        if str(node.name) in self.model.numbers:
            return self.model.numbers[str(node.name)]
        self.names.unknown(path, node.name, {})
        return None

    # ------------------------------------------------------------ routines

    def params(self, node: tree.Params, path: str) -> list[Local]:
        out: list[Local] = []
        for param in node:
            if param.kind is not None:
                found = self.type(param.kind, path)
            else:
                by_name = self.names.type_of_name(str(param.name))
                if by_name is None:
                    self.findings.add("R109", Place.of(path, param.name), name=str(param.name))
                found = by_name or BROKEN
            if any(p.name == str(param.name) for p in out):
                self.findings.add("R103", Place.of(path, param.name), name=str(param.name))
            out.append(Local(str(param.name), found))
        return out

    def enter(self, routine: Routine, case: tree.Case, path: str, token: Any) -> None:
        """Put a routine into its family, by its case."""
        if self.taken(token, path):
            return
        kind = "def" if routine.kind == "def" else "proc"
        family = self.program.families.setdefault(routine.name, Family(routine.name, kind))
        if family.kind != kind:
            self.findings.add("R103", Place.of(path, token), name=routine.name)
            return
        if case.name is None:
            if family.routines:
                self.findings.add("R103", Place.of(path, token), name=routine.name, also=(family.routines[0].place,))
                return
            family.default = routine
            return
        if case.domain is not None:
            enum = self.names.enum(path, case.domain)
            if enum is None:
                family.broken = True
                return
            domain = enum.name
        else:
            domains = [family.domain] if family.domain else self.names.members_named(str(case.name))
            if not domains or str(case.name) not in self.model.enums[domains[0]].index:
                family.broken = True
                if self.names.members_named(str(case.name)):
                    self.findings.add("R112", Place.of(path, case.name), name=str(case.name), wanted=domains[0])
                else:
                    self.names.unknown(path, case.name, {})
                return
            domain = domains[0]
        if family.domain is None and family.routines:
            self.findings.add("R103", Place.of(path, token), name=routine.name)
            return
        if family.domain not in (None, domain):
            family.broken = True
            self.findings.add("R112", Place.of(path, case.domain), name=domain, wanted=family.domain)
            return
        family.domain = domain
        if case.domain is not None:
            routine.case_local = Local(str(case.name), Of(domain))
            if family.default:
                self.findings.add("R103", Place.of(path, token), name=routine.name, also=(family.default.place,))
            family.default = routine
            routine.key = f"{routine.name}[{domain}]"
            return
        member = self.model.enums[domain].index[str(case.name)]
        routine.member = member
        routine.key = f"{routine.name}[{case.name}]"
        if member in family.entries:
            also = family.entries[member]
            self.findings.add("R103", Place.of(path, token), name=routine.key, also=(also.place,))
        family.entries[member] = routine

    def definition(self, node: tree.DefValue | tree.DefWhere, path: str) -> None:
        if isinstance(node, tree.DefValue):
            name, case, params, head = node.name, node.case, node.params, node.head_cites
        else:
            name, case, params, head = node.parts[:4]
        routine = Routine("def", str(name), None, self.params(params, path), node, path, str(name))
        if routine.params and str(name) in keywords()["folds"]:
            self.findings.add("R119", Place.of(path, name), name=str(name))
        routine.family = self.family_of(head)
        routine.cites = self.cites(head, None, path)
        if isinstance(node, tree.DefValue):
            routine.value = node.value
            routine.cites += self.cites(node.cites, routine.family, path)
        else:
            routine.conditions = node.parts[4:]
            routine.type = BOOL
            for condition in routine.conditions:
                self.cites(condition.cites, routine.family, path)
        self.enter(routine, case, path, name)

    def proc(self, node: tree.Proc, path: str) -> None:
        kind = "phase" if node.word.type == "PHASE" else "proc"
        routine = Routine(kind, str(node.name), None, self.params(node.params, path), node, path, str(node.name),
                          by=node.by, body=node.body)
        routine.family = self.family_of(node.cites)
        routine.cites = self.cites(node.cites, None, path)
        self.enter(routine, node.case, path, node.name)

    def goal(self, node: tree.Goal, path: str) -> None:
        word, name, *values, cites = node.parts
        kind = "standing" if word.type == "STANDING" else "estimate"
        self.cites(cites, None, path)
        routine = Routine("def", kind, None, [Local(str(name), Of("Player"))], node, path, kind)
        if kind in self.program.goals:
            self.findings.add("R103", Place.of(path, name), name=kind, also=(self.program.goals[kind].routine.place,))
            return
        self.program.goals[kind] = Goal(kind, routine.params[0], values, path, routine)

    def complete(self, family: Family) -> None:
        """Every member of a case needs an entry, or there is a default; all entries take the same parameters."""
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


def imaginable(found: Type) -> bool:
    """Whether somebody who may not look can imagine what lies there: members, and numbers between two ends."""
    if isinstance(found, Int):
        return found.low is not None and found.high is not None
    if isinstance(found, SetOf | ListOf | BagOf | PileOf):
        return isinstance(found.of, Of | Broken)
    return imaginable(found.of) if isinstance(found, Maybe) else True
