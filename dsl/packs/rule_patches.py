"""Packs over the rules of a game: new declarations, whole ones replaced or removed, single steps changed. All steps are looked up in the
game as it is without packs, so neither their order in a pack nor the order of packs matters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from lark import Token

from ..diagnostics.diagnostic import Findings, Place, did_you_mean
from ..diagnostics.safe_read import read_text
from ..diagnostics.source_lines import lines_of
from ..syntax import tree
from ..syntax.parse import parse_file
from .anchors import Edit, Step, case_of, clauses_in, edited, key_of, said_key, steps_of, with_block, with_ends, words_of
from .clause_impact import changed_clauses, shape
from .data_patches import DECLARATION
from .data_paths import member_names
from .manifest import Chunk, Move, Pack
from .overlay import Change, Claims, Laid
from .snippets import declarations, lines
from .source import Source

BY_CLAUSE = re.compile(r"(\w+(?:-\w+)+)(?: +in +(\S+))?")            # or what is meant to be one
SHOWN = 6                                                          # steps named in a message


@dataclass
class Declaration:
    """A declaration of the game, or a new one of a pack, with what happens to it."""

    file: str
    node: tree.Node
    steps: list[Step] = field(default_factory=list)
    edits: dict[int, Edit] = field(default_factory=dict)
    first: list[tree.Node] = field(default_factory=list)
    last: list[tree.Node] = field(default_factory=list)
    gone: bool = False
    replaced: tuple[str, tree.Node] | None = None

    @property
    def changed(self) -> bool:
        """Whether a pack does anything to it."""
        return bool(self.gone or self.replaced or self.edits or self.first or self.last)

    def new(self) -> list[tree.Node]:
        """The lines that packs put into it, or in its place."""
        put = [node for edit in self.edits.values() for node in (*edit.before, *edit.after, *(edit.instead or ()))]
        return [*put, *self.first, *self.last, *([self.replaced[1]] if self.replaced else [])]

    def laid(self) -> tuple[str, tree.Node] | None:
        """What it is in the end, and in which file."""
        if self.gone:
            return None
        if self.replaced is not None:
            return self.replaced
        node = edited(self.node, self.edits) if self.edits else self.node
        return self.file, with_ends(node, self.first, self.last) if self.first or self.last else node


class OverRules:
    """All packs over the rules."""

    def __init__(self, source: Source, laid: Laid, claims: Claims, findings: Findings) -> None:
        self.source, self.laid, self.claims, self.findings = source, laid, claims, findings
        self.all: dict[tuple[str, str], Declaration] = {}
        self.further: list[Declaration] = []                       # a second declaration of one name; the checker says so
        self.touched: dict[str, set[str]] = {}                     # by pack: keys of rules that it changes, names that stand in them
        self.effects: list[tuple[Pack, tree.Node, Place]] = []     # declarations of the game that a pack changes
        self.clauses: list[tuple[Pack, str, Place]] = []           # clauses of the game whose lines a pack changes

    def read(self) -> bool:
        """The declarations of the game."""
        before = len(self.findings.errors)
        for name in self.source.data["rules"]:
            shown = f"{self.source.shown}/{name}"
            found = parse_file(self.source.folder / name, self.findings, shown)
            if len(self.findings.errors) > before:
                return False
            rows = lines_of(read_text(self.source.folder / name))
            for node in found:
                one = Declaration(shown, node, list(steps_of(node, shown, rows)))
                if key_of(node) in self.all:
                    self.further.append(one)
                else:
                    self.all[key_of(node)] = one
        return True

    def lay(self, packs: Iterable[Pack]) -> list[tuple[str, list[tree.Node]]]:
        """All packs; the rules as they are then, in pieces of one file each."""
        packs = list(packs)
        for pack in packs:
            for chunk in pack.declared("rules"):
                self.new(pack, chunk)
            for chunk in pack.declared("replace"):
                self.replace(pack, chunk)
            for n, name in enumerate(pack.list_of("remove")):
                given = pack.data["remove"]
                self.remove(pack, name, pack.place("remove", n) if isinstance(given, list) else pack.place("remove"))
        for pack in packs:
            for move in pack.moves():
                self.step(pack, move)
        self.without_members()
        before = {clause for one in self.all.values() for clause in clauses_in(one.node)}
        pieces: list[tuple[str, list[tree.Node]]] = []
        for one in [*self.all.values(), *self.further]:
            made = one.laid()
            if made is None:
                continue
            if not pieces or pieces[-1][0] != made[0]:
                pieces.append((made[0], []))
            pieces[-1][1].append(made[1])
        left_out = before.difference(*(clauses_in(node) for _, nodes in pieces for node in nodes))
        changed = {clause: (pack.name, place) for pack, clause, place in reversed(self.clauses)}
        self.laid.left_out = {clause: changed.get(clause) or self.with_member(clause) for clause in sorted(left_out)}
        return pieces

    def note(self, pack: Pack, nodes: Iterable[tree.Node], key: str) -> None:
        """What a pack touches: the rule, and whatever is named in it."""
        found = self.touched.setdefault(pack.name, set())
        found.add(key)
        for node in nodes:
            found |= set(names_in(node))

    # ------------------------------------------------------------ whole declarations

    def new(self, pack: Pack, chunk: Chunk) -> None:
        for node in declarations(chunk, self.findings):
            key, place = key_of(node), _place(chunk.file, node)
            known = self.all.get(key)
            if known is not None and ("rule", *key) not in self.claims.by:
                self.findings.add("H005", place, name=said_key(node), also=(_place(known.file, known.node),))
            elif self.claims.take(pack, ("rule", *key), said_key(node), place):
                self.all[key] = Declaration(chunk.file, node)
                self.note(pack, [node], key[1])
                self.laid.changes.append(Change(pack.name, "rules", said_key(node), place))

    def replace(self, pack: Pack, chunk: Chunk) -> None:
        for node in declarations(chunk, self.findings):
            key, place = key_of(node), _place(chunk.file, node)
            known = self.all.get(key)
            if known is None:
                meant = did_you_mean(said_key(node), [said_key(one.node) for one in self.all.values()])
                self.findings.slip("H006", place, meant, name=said_key(node))
            elif self.claims.take(pack, ("rule", *key), said_key(node), place):
                known.replaced = (chunk.file, node)
                self.note(pack, [node, known.node], key[1])
                self.effects.append((pack, known.node, place))
                self.clauses += [(pack, clause, place) for clause in changed_clauses(known.node, node)]
                self.change(pack, "replace", said_key(node), place, known)

    def remove(self, pack: Pack, name: str, place: Place) -> None:
        found = DECLARATION.fullmatch(" ".join(name.split()))
        if found is None:
            return
        kind = found[1] or name
        key = (kind if kind in ("state", "always", "standing", "estimate") else "rule",
               (found[2] or "") + (f"[{found[3]}]" if found[3] else ""))
        known = self.all.get(key)
        if known is None or said_key(known.node).split(" ")[0] != kind:
            self.findings.slip("H006", place, did_you_mean(name, [said_key(one.node) for one in self.all.values()]), name=name)
            return
        if self.claims.take(pack, ("rule", *key), name, place):
            known.gone = True
            if "[" not in key[1]:
                self.laid.removed[key[1]] = (said_key(known.node), place)
            self.note(pack, [known.node], key[1])
            self.clauses += [(pack, clause, place) for clause in changed_clauses(known.node, None)]
            self.change(pack, "remove", said_key(known.node), place, known)

    def change(self, pack: Pack, kind: str, name: str, place: Place, known: Declaration) -> None:
        meta = known.node.meta
        inside = tuple((known.file, line) for line in range(meta.line, (meta.end_line or meta.line) + 1))
        self.laid.changes.append(Change(pack.name, kind, name, place, lines=inside))

    def without_members(self) -> None:
        """The entries of members that were removed."""
        gone = {name for name, (what, _) in self.laid.removed.items() if "." in what}
        still = {name.partition(".")[2] for name in member_names(self.source)}
        for one in self.all.values():
            if case_of(one.node) in gone - still:
                one.gone = True

    def with_member(self, clause: str) -> tuple[str, Place]:
        """The pack that removed the member whose entry cited a clause, and where."""
        gone = {case_of(one.node) for one in self.all.values() if one.gone and clause in clauses_in(one.node)}
        places = [place for name, (_, place) in self.laid.removed.items() if name in gone]
        place = places[0] if places else self.laid.packs[0].place("house")
        pack = self.laid.file_of(place.path)
        return (pack or self.laid.packs[0]).name, place

    # ------------------------------------------------------------ steps

    def step(self, pack: Pack, move: Move) -> None:
        ends = self.end(pack, move)
        if ends:
            return
        step = self.find(move)
        if step is None:
            return
        one = next(one for one in self.all.values() if step in one.steps)
        key = key_of(one.node)
        changes = move.operation in ("instead", "head", "drop")
        at = (step.line, step.node.meta.column)
        what = ("rule", *key, "at", *at) if changes else ("rule", *key, "beside", *at, pack.name, id(move))
        if not self.claims.take(pack, what, move.target, move.place):
            return
        new = lines(move.chunk, step.kind, self.findings, move.operation == "head") if move.chunk is not None else []
        edit = one.edits.setdefault(id(step.node), Edit())
        if move.operation == "before":
            edit.before += new
        elif move.operation == "after":
            edit.after += new
        elif move.operation == "head":
            made = with_block(new[0], step.node) if len(new) == 1 else None
            if made is None:
                if new:
                    self.findings.add("H011", move.place)
                return
            edit.instead = [made]
        else:
            edit.instead = new
        self.note(pack, [*new, step.node], key[1])
        self.effects.append((pack, one.node, move.place))
        if changes:                                                # lines beside a step leave it as it is
            put = edit.instead or []
            other = edited(one.node, {id(step.node): Edit(instead=put)})
            own = step.clauses if shape(step.node) not in map(shape, put) else ()      # the same lines below an `if` are others
            self.clauses += [(pack, clause, move.place) for clause in sorted({*own, *changed_clauses(one.node, other)})]
        meta = step.node.meta
        last = meta.line if move.operation == "head" else meta.end_line or meta.line
        away = tuple((step.file, line) for line in range(meta.line, last + 1)) if changes else ()
        self.laid.changes.append(Change(pack.name, "step", f"{step.declaration}: {step.shown}", move.place, move.operation, None, away))

    def end(self, pack: Pack, move: Move) -> bool:
        """Lines at the beginning or at the end of a body: `turn: begin`, `turn: end`."""
        name, _, word = (part.strip() for part in move.target.partition(":"))
        one = self.all.get(("rule", name))
        if word not in ("begin", "end") or one is None or move.operation not in ("before", "after") or not isinstance(
                one.node, tree.Proc | tree.DefWhere):
            return False
        if not self.claims.take(pack, ("rule", "rule", name, word, pack.name, id(move)), move.target, move.place):
            return True
        kind = "statement" if isinstance(one.node, tree.Proc) else "condition"
        new = lines(move.chunk, kind, self.findings) if move.chunk is not None else []
        (one.first if word == "begin" else one.last).extend(new)
        self.note(pack, new, name)
        self.effects.append((pack, one.node, move.place))
        self.laid.changes.append(Change(pack.name, "step", move.target, move.place, move.operation))
        return True

    def find(self, move: Move) -> Step | None:
        """The one step that an author means; None with a finding."""
        every = [step for one in self.all.values() for step in one.steps]
        by_clause = BY_CLAUSE.fullmatch(move.target.strip())
        if by_clause is not None:
            citing = [step for step in every if by_clause[1] in step.clauses]
            found = [step for step in citing if by_clause[2] in (None, step.declaration)]
            meant = meant_clause(by_clause[1], by_clause[2], every)
        else:
            name, _, text = move.target.partition(":")
            inside = [step for step in every if step.declaration == name.strip()]
            wanted = words_of(text)
            found = [step for step in inside if wanted and step.words.startswith(wanted)]
            exact = [step for step in found if step.words == wanted]
            found = exact if len(exact) == 1 else found
            keys = sorted({step.declaration for step in every})
            near = did_you_mean(text.strip(), [step.shown for step in inside])
            there = [f"{step.declaration}: {step.shown}" for step in every if wanted and step.words.startswith(wanted)]
            elsewhere = did_you_mean(name.strip(), keys) or (there[0] if len(there) == 1 else None)
            meant = (f"{name.strip()}: {near}" if near else None) if inside else elsewhere
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(f"{step.declaration} ({step.file.rpartition('/')[2]}:{step.line})" for step in found[:SHOWN])
            self.findings.add("H007", move.place, name=move.target, n=len(found), places=places,
                              also=tuple(Place.of(step.file, step.node) for step in found[:2]))
        else:
            self.findings.slip("H008", move.place, meant, name=move.target)
        return None


def meant_clause(clause: str, declaration: str | None, steps: list[Step]) -> str | None:
    """Which step was most likely meant by a clause, in a declaration or wherever it is cited."""
    there = {step.declaration for step in steps if clause in step.clauses}
    if there:
        near = did_you_mean(declaration or "", there) or (next(iter(there)) if len(there) == 1 else None)
        return f"{clause} in {near}" if near else None
    near = did_you_mean(clause, {cited for step in steps for cited in step.clauses})
    return f"{near} in {declaration}" if near and declaration else near


def _place(file: str, node: tree.Node) -> Place:
    """A declaration, marked at its first word."""
    found = Place.of(file, node)
    return Place(found.path, found.line, found.column, found.column + 1)


def names_in(node: Any) -> Iterable[str]:
    """Every name that stands in a tree."""
    if isinstance(node, Token):
        yield str(node)
    elif isinstance(node, list):
        for one in node:
            yield from names_in(one)
    elif hasattr(node, "meta"):
        for one in fields(node):
            if one.name != "meta":
                yield from names_in(getattr(node, one.name))
