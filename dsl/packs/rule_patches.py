"""Applies packs to the rules of a game: new declarations, replacements, removals, and edits of single steps.

All steps are looked up in the game without packs. Neither their order in a pack nor the order of packs matters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, assert_never

from lark import Token

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..diagnostics.source_lines import split_lines
from ..syntax import tree
from ..syntax.parse import parse_cached, read_rule_files
from ..syntax.rule_size import MAX_GAME_LINES, code_line_size, report_excess_lines
from .anchors import (
    RuleStep,
    StepEdit,
    StepKind,
    apply_edits,
    attach_block,
    collect_cited_clauses,
    copy_case,
    declaration_key,
    extend_body,
    format_declaration_key,
    has_block,
    iter_steps,
    member_of_case,
    normalize_rule_text,
)
from .clause_impact import comparable_form, find_changed_clauses
from .data_patches import DECLARATION_PATTERN
from .data_paths import find_similar_path, member_names
from .manifest import Pack, RuleSnippet, StepPatch
from .overlay import ChangeKind, ConflictTracker, PackChange, PackOverlay
from .repair import PackRepair
from .snippets import parse_declarations, parse_steps
from .source import GameSource
from .unplaced_steps import collect_pack_words, iter_scalars, parse_unplaced_steps, report_unknown_bases

CLAUSE_TARGET = re.compile(r"(\w+(?:-\w+)+)(?: +in +(\S+))?")            # also matches misspelt clauses
MAX_NAMED_STEPS = 6                                                          # matching steps listed in one message


@dataclass
class PatchableDeclaration:
    """A declaration of the game or of a pack, with the patches that apply to it."""

    file: str
    node: tree.Node
    steps: list[RuleStep] = field(default_factory=list)
    edits: dict[int, StepEdit] = field(default_factory=dict)
    first: list[tree.Node] = field(default_factory=list)
    last: list[tree.Node] = field(default_factory=list)
    gone: bool = False
    replaced: tuple[str, tree.Node] | None = None

    @property
    def is_changed(self) -> bool:
        """Whether a pack changes it in any way."""
        return bool(self.gone or self.replaced or self.edits or self.first or self.last)

    def list_inserted_nodes(self) -> list[tree.Node]:
        """Returns the nodes that packs insert into it or put in its place."""
        put = [node for edit in self.edits.values() for node in (*edit.before, *edit.after, *(edit.instead or ()))]
        return [*put, *self.first, *self.last, *([self.replaced[1]] if self.replaced else [])]

    def build_patched_node(self) -> tuple[str, tree.Node] | None:
        """Returns the final declaration and its file, or None if it is removed."""
        if self.gone:
            return None
        if self.replaced is not None:
            return self.replaced
        node = apply_edits(self.node, self.edits) if self.edits else self.node
        return self.file, extend_body(node, self.first, self.last) if self.first or self.last else node


class RulePatcher:
    """Applies all packs to the rules of a game."""

    def __init__(
        self,
        source: GameSource,
        overlay: PackOverlay,
        claims: ConflictTracker,
        findings: DiagnosticList,
        repair: PackRepair | None = None,
    ) -> None:
        self.source, self.overlay, self.claims, self.findings = source, overlay, claims, findings
        self.repair = repair                                       # of damaged lines
        self.all: dict[tuple[str, str], PatchableDeclaration] = {}
        self.further: list[PatchableDeclaration] = []                       # duplicate declarations, reported by the checker
        self.touched: dict[str, set[str]] = {}                     # pack -> names of rules it changes, and names in them
        self.effects: list[tuple[Pack, tree.Node, SourceSpan]] = []     # game declarations that a pack changes
        self.clauses: list[tuple[Pack, str, SourceSpan]] = []           # clauses with changed lines
        self.code_lines = 0                                        # of the rule files of the game

    def read_declarations(self) -> bool:
        """Reads the declarations of the game. Returns False if a file has errors."""
        before = len(self.findings.errors)
        for _, shown, text in read_rule_files(self.source.folder, self.source.data["rules"], self.source.shown, self.findings):
            found = parse_cached(text, shown, self.findings)
            if len(self.findings.errors) > before:
                return False
            rows = split_lines(text)
            self.code_lines += sum(map(code_line_size, rows))
            for node in found:
                one = PatchableDeclaration(shown, node, list(iter_steps(node, shown, rows)))
                if declaration_key(node) in self.all:
                    self.further.append(one)
                else:
                    self.all[declaration_key(node)] = one
        return len(self.findings.errors) == before

    def apply(self, packs: Iterable[Pack]) -> list[tuple[str, list[tree.Node]]]:
        """Applies all packs. Returns the resulting rules as runs of declarations from the same file."""
        packs = list(packs)
        snippets = [(chunk.file, chunk.line - 1, chunk.text) for pack in packs for chunk in pack.list_snippets()]
        if report_excess_lines(snippets, self.findings, self.code_lines) > MAX_GAME_LINES:
            return []
        for pack in packs:
            for chunk in pack.iter_snippets("rules"):
                self.add_declarations(pack, chunk)
            for chunk in pack.iter_snippets("replace"):
                self.replace_declarations(pack, chunk)
            for n, name in enumerate(pack.names_under("remove")):
                given = pack.data["remove"]
                self.remove_declaration(pack, name, pack.place("remove", n) if isinstance(given, list) else pack.place("remove"))
        for pack in packs:
            for move in pack.iter_step_patches():
                self.apply_step_patch(pack, move)
        self.drop_removed_members()
        self.add_missing_cases()
        before = {clause for one in self.all.values() for clause in collect_cited_clauses(one.node)}
        pieces: list[tuple[str, list[tree.Node]]] = []
        for one in [*self.all.values(), *self.further]:
            made = one.build_patched_node()
            if made is None:
                continue
            if not pieces or pieces[-1][0] != made[0]:
                pieces.append((made[0], []))
            pieces[-1][1].append(made[1])
        left_out = before.difference(*(collect_cited_clauses(node) for _, nodes in pieces for node in nodes))
        changed = {clause: (pack.name, place) for pack, clause, place in reversed(self.clauses)}
        for one in self.all.values():
            if lost := left_out & collect_cited_clauses(one.node):
                self.overlay.left_out_of[declaration_key(one.node)[1]] = lost
        self.overlay.left_out = {clause: changed.get(clause) or self.find_member_removal(clause) for clause in sorted(left_out)}
        return pieces

    def record_touched(self, pack: Pack, nodes: Iterable[tree.Node], key: str) -> None:
        """Records a rule that a pack changes, and every name in its nodes."""
        found = self.touched.setdefault(pack.name, set())
        found.add(key)
        for node in nodes:
            found |= set(iter_names(node))

    # ------------------------------------------------------------ whole declarations

    def add_declarations(self, pack: Pack, chunk: RuleSnippet) -> None:
        """Adds the declarations of a snippet as new ones."""
        for node in parse_declarations(chunk, self.findings, self.repair):
            key, place = declaration_key(node), _first_word_span(chunk.file, node)
            known = self.all.get(key)
            if known is not None and ("rule", *key) not in self.claims.by:
                self.findings.add("H005", place, name=format_declaration_key(node), also=(_first_word_span(known.file, known.node),))
            elif self.claims.claim(pack, ("rule", *key), format_declaration_key(node), place):
                self.all[key] = PatchableDeclaration(chunk.file, node)
                self.record_touched(pack, [node], key[1])
                self.overlay.changes.append(PackChange(pack.name, "rules", format_declaration_key(node), place))

    def replace_declarations(self, pack: Pack, chunk: RuleSnippet) -> None:
        """Replaces declarations of the game with those of a snippet."""
        for node in parse_declarations(chunk, self.findings, self.repair):
            key, place = declaration_key(node), _first_word_span(chunk.file, node)
            known = self.all.get(key)
            if known is None:
                meant = did_you_mean(format_declaration_key(node), [format_declaration_key(one.node) for one in self.all.values()])
                self.findings.add_with_suggestion("H006", place, meant, name=format_declaration_key(node))
            elif self.claims.claim(pack, ("rule", *key), format_declaration_key(node), place):
                known.replaced = (chunk.file, node)
                if self.repair is not None:
                    self.repair.note_partial(place, node.meta.line, node.meta.end_line or node.meta.line)
                self.record_touched(pack, [node, known.node], key[1])
                self.effects.append((pack, known.node, place))
                self.clauses += [(pack, clause, place) for clause in find_changed_clauses(known.node, node)]
                self.record_change(pack, "replace", format_declaration_key(node), place, known)

    def remove_declaration(self, pack: Pack, name: str, place: SourceSpan) -> None:
        """Removes a declaration such as `def points`. Other names are left to data_patches.py."""
        found = DECLARATION_PATTERN.fullmatch(" ".join(name.split()))
        if found is None:
            return
        kind = found[1] or name
        key = (kind if kind in ("state", "always", "standing", "estimate") else "rule",
               (found[2] or "") + (f"[{found[3]}]" if found[3] else ""))
        known = self.all.get(key)
        if known is None or format_declaration_key(known.node).split(" ")[0] != kind:
            self.findings.add_with_suggestion(
                "H006", place, did_you_mean(name, [format_declaration_key(one.node) for one in self.all.values()]), name=name
            )
            return
        if self.claims.claim(pack, ("rule", *key), name, place):
            known.gone = True
            if "[" not in key[1]:
                self.overlay.removed[key[1]] = (format_declaration_key(known.node), place)
            self.record_touched(pack, [known.node], key[1])
            self.clauses += [(pack, clause, place) for clause in find_changed_clauses(known.node, None)]
            self.record_change(pack, "remove", format_declaration_key(known.node), place, known)

    def report_unknown_removals(self) -> None:
        """Reports the names under `remove` that are no data. A declaration needs its kind too: `def points`."""
        data = self.source.data
        removable = [*member_names(self.source), *data["numbers"], *(f"start.{name}" for name in data["start"])]
        for name, place in self.overlay.unknown_removals:
            declared = [format_declaration_key(one.node) for (_, key), one in self.all.items() if name in (key, key.partition("[")[0])]
            if declared:
                self.findings.add_with_suggestion("H006", place, declared[0], name=name)
            else:
                self.findings.add_with_suggestion("H009", place, find_similar_path(name, removable), name=name)

    def record_change(self, pack: Pack, kind: ChangeKind, name: str, place: SourceSpan, known: PatchableDeclaration) -> None:
        """Records the change of a whole declaration with the game lines that it covers."""
        meta = known.node.meta
        inside = tuple((known.file, line) for line in range(meta.line, (meta.end_line or meta.line) + 1))
        self.overlay.changes.append(PackChange(pack.name, kind, name, place, lines=inside))

    def drop_removed_members(self) -> None:
        """Removes the declarations for members that were removed, such as `proc buy[pie]`."""
        gone = {name for name, (what, _) in self.overlay.removed.items() if "." in what}
        still = {name.partition(".")[2] for name in member_names(self.source)}
        for one in self.all.values():
            if member_of_case(one.node) in gone - still:
                one.gone = True

    def add_missing_cases(self) -> None:
        """Adds the cases that a repair needs, as copies of other cases."""
        for name, members in self.repair.lacking.items() if self.repair is not None else ():
            cases = [one for (_, key), one in self.all.items() if key.startswith(f"{name}[") and member_of_case(one.node) and not one.gone]
            for member in members if cases else ():
                self.all["rule", f"{name}[{member}]"] = PatchableDeclaration(cases[0].file, copy_case(cases[0].node, member))

    def find_member_removal(self, clause: str) -> tuple[str, SourceSpan]:
        """Returns the pack that removed a member whose declaration cited this clause, with the place."""
        gone = {member_of_case(one.node) for one in self.all.values() if one.gone and clause in collect_cited_clauses(one.node)}
        places = [place for name, (_, place) in self.overlay.removed.items() if name in gone]
        place = places[0] if places else self.overlay.packs[0].place("house")
        pack = self.overlay.find_pack_of_file(place.path)
        return (pack or self.overlay.packs[0]).name, place

    # ------------------------------------------------------------ steps

    def apply_step_patch(self, pack: Pack, move: StepPatch) -> None:
        """Applies one patch of a step."""
        if self.patch_body_end(pack, move):
            return
        step = self.find_step(move)
        if step is None:
            self.check_unplaced_lines(move)
            return
        one = next(one for one in self.all.values() if step in one.steps)
        key = declaration_key(one.node)
        changes = move.operation not in ("before", "after")
        at = (step.line, step.node.meta.column)
        what = ("rule", *key, "at", *at) if changes else ("rule", *key, "beside", *at, pack.name, id(move))
        if not self.claims.claim(pack, what, move.target, move.place):
            return
        if move.operation == "head" and not has_block(step.node):
            self.findings.add("H022", move.place)
            return
        in_phase = isinstance(one.node, tree.Proc) and one.node.word.type == "PHASE"
        is_head = move.operation == "head"
        new = parse_steps(move.chunk, step.kind, self.findings, is_head, self.repair, in_phase) if move.chunk is not None else []
        if self.repair is not None and move.chunk is not None:
            self.repair.note_partial(move.place, move.chunk.line, move.chunk.line + move.chunk.text.count("\n"))
        edit = one.edits.setdefault(id(step.node), StepEdit())
        match move.operation:
            case "before":
                edit.before += new
            case "after":
                edit.after += new
            case "head":
                made = attach_block(new[0], step.node) if len(new) == 1 else None
                if made is None:
                    if new:
                        self.findings.add("H023" if len(new) == 1 else "H020", move.place)
                    return
                edit.instead = [made]
            case "instead" | "drop":
                edit.instead = new
            case _:
                assert_never(move.operation)
        self.record_touched(pack, [*new, step.node], key[1])
        self.effects.append((pack, one.node, move.place))
        if changes:                                                # insertions do not change the step itself
            put = edit.instead or []
            other = apply_edits(one.node, {id(step.node): StepEdit(instead=put)})
            # a step wrapped in an `if` counts as changed
            own = step.clauses if comparable_form(step.node) not in map(comparable_form, put) else ()
            self.clauses += [(pack, clause, move.place) for clause in sorted({*own, *find_changed_clauses(one.node, other)})]
        meta = step.node.meta
        last = meta.line if move.operation == "head" else meta.end_line or meta.line
        away = tuple((step.file, line) for line in range(meta.line, last + 1)) if changes else ()
        self.overlay.changes.append(
            PackChange(pack.name, "step", f"{step.declaration}: {step.shown}", move.place, move.operation, None, away)
        )

    def patch_body_end(self, pack: Pack, move: StepPatch) -> bool:
        """Adds lines at the beginning or end of a body, for targets such as `turn: begin`. Whether the target is of this kind."""
        name, _, word = (part.strip() for part in move.target.partition(":"))
        one = self.all.get(("rule", name))
        if word not in ("begin", "end") or one is None or move.operation not in ("before", "after") or not isinstance(
                one.node, tree.Proc | tree.DefWhere):
            return False
        if not self.claims.claim(pack, ("rule", "rule", name, word, pack.name, id(move)), move.target, move.place):
            return True
        kind: StepKind = "statement" if isinstance(one.node, tree.Proc) else "condition"
        in_phase = isinstance(one.node, tree.Proc) and one.node.word.type == "PHASE"
        new = parse_steps(move.chunk, kind, self.findings, False, self.repair, in_phase) if move.chunk is not None else []
        (one.first if word == "begin" else one.last).extend(new)
        self.record_touched(pack, new, name)
        self.effects.append((pack, one.node, move.place))
        self.overlay.changes.append(PackChange(pack.name, "step", move.target, move.place, move.operation))
        return True

    def check_unplaced_lines(self, move: StepPatch) -> None:
        """Checks the new lines of a patch whose step was not found, as far as possible without their scope."""
        if move.chunk is None:
            return
        nodes = parse_unplaced_steps(move.chunk, move.operation == "head", self.findings)
        known = {name for one in self.all.values() for name in iter_names(one.node)} | collect_pack_words(self.overlay.packs, move.chunk)
        known |= set(map(str, iter_scalars(self.source.data)))
        report_unknown_bases(move.chunk, nodes, known, [key.partition("[")[0] for _, key in self.all], self.findings)

    def find_step(self, move: StepPatch) -> RuleStep | None:
        """Returns the only step that matches a target, or None with a diagnostic."""
        every = [step for one in self.all.values() for step in one.steps]
        by_clause = CLAUSE_TARGET.fullmatch(move.target.strip())
        if by_clause is not None:
            citing = [step for step in every if by_clause[1] in step.clauses]
            found = [step for step in citing if by_clause[2] in (None, step.declaration)]
            meant = suggest_clause_target(by_clause[1], by_clause[2], every)
        else:
            name, _, text = move.target.partition(":")
            inside = [step for step in every if step.declaration == name.strip()]
            wanted = normalize_rule_text(text)
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
            places = ", ".join(f"{step.declaration} ({step.file.rpartition('/')[2]}:{step.line})" for step in found[:MAX_NAMED_STEPS])
            self.findings.add("H007", move.place, name=move.target, n=len(found), places=places,
                              also=tuple(SourceSpan.of_node(step.file, step.node) for step in found[:2]))
        else:
            self.findings.add_with_suggestion("H008", move.place, meant, name=move.target)
        return None


def suggest_clause_target(clause: str, declaration: str | None, steps: list[RuleStep]) -> str | None:
    """Returns the most likely intended target for a clause that matches no step."""
    there = {step.declaration for step in steps if clause in step.clauses}
    if there:
        near = did_you_mean(declaration or "", there) or (next(iter(there)) if len(there) == 1 else None)
        return f"{clause} in {near}" if near else None
    near = did_you_mean(clause, {cited for step in steps for cited in step.clauses})
    return f"{near} in {declaration}" if near and declaration else near


def _first_word_span(file: str, node: tree.Node) -> SourceSpan:
    """Returns the span of the first word of a declaration, as one character. Messages extend it to the word."""
    found = SourceSpan.of_node(file, node)
    return SourceSpan(found.path, found.line, found.column, found.column + 1)


def iter_names(node: Any) -> Iterable[str]:
    """Yields every token of a tree as a string."""
    if isinstance(node, Token):
        yield str(node)
    elif isinstance(node, list):
        for one in node:
            yield from iter_names(one)
    elif hasattr(node, "meta"):
        for one in fields(node):
            if one.name != "meta":
                yield from iter_names(getattr(node, one.name))
