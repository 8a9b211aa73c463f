"""Mutation testing: do the scenarios of a game notice a mistake in its rules?

The scenarios are read and traced once, to know which rule lines each of them runs. For each mutant, the
mistake is put into a copy of the game. The scenarios that may notice it are played until one fails. Scenarios
that share a compiled variant are played together. A mutant on lines that no scenario runs cannot be noticed.

Some mutants do not change the game at all. `equivalent.yaml` next to the game lists them with a reason:

    equivalent:
      - in: effect[rose]                           # the procedure or def, or the keys of the data: numbers.full
        line: "if height[kite] == top: stop"       # the line, without citations
        becomes: "if height[kite] >= top: stop"
        because: nothing rises above the top"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter, defaultdict
from functools import cached_property
from pathlib import Path

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import find_uncopyable, read_text
from ...dsl.packs.source import read_game
from ...dsl.syntax import tree
from ...dsl.syntax.parse import parse
from ...dsl.yaml.schema import read_valid
from ..library.find import GameLocation
from .coverage import RuleCoverage, RuleLine
from .mutants import RuleMutant, apply_mutant, declaration_name, source_line
from .scenario import Scenario, list_scenario_files, read_scenarios
from .scenario_rulesets import ScenarioRulesets
from .scenario_runner import run_scenario

# lines around a mutant to search for cited clauses
CITATION_RADIUS_LINES = 4
REFUSED, NOTICED, SURVIVED, EQUIVALENT = "refused", "noticed", "survived", "equivalent"
VERDICTS = (REFUSED, NOTICED, SURVIVED, EQUIVALENT)
EQUIVALENT_FILE = "equivalent.yaml"


class MutationRunner:
    """Runs the scenarios of a game against its mutants.

    `sound` is true if all scenarios pass for the original game. Otherwise a failure would prove nothing."""

    def __init__(self, location: GameLocation) -> None:
        self.found = location
        self.scenarios = [scenario for file in list_scenario_files(location) for scenario in read_scenarios(file, DiagnosticList())]
        rules, coverage = ScenarioRulesets(location), RuleCoverage()
        self.sound = True
        self.ran: list[set[RuleLine]] = []
        for scenario in self.scenarios:
            self.sound &= run_scenario(scenario, rules, coverage).has_passed
            self.ran.append(coverage.take_lines())
        self.findings = DiagnosticList()                                 # about equivalent.yaml
        self.argued = read_equivalents(location, self.findings)

    def classify_mutant(self, mutant: RuleMutant) -> str:
        """Returns the result for a mutant: refused by the checker, noticed by a scenario, equivalent, or survived."""
        with tempfile.TemporaryDirectory() as room:
            copy = Path(room) / self.found.folder.resolve().name
            shutil.copytree(self.found.folder, copy, ignore=lambda base, names: {"tests", *find_uncopyable(base, names)})
            path = copy / mutant.file
            path.write_text(apply_mutant(mutant, read_text(path)), encoding="utf-8")
            rules = ScenarioRulesets(GameLocation(self.found.name, copy, self.found.shown))
            for scenario in self.order_scenarios(mutant):
                game, _ = rules.get_game(scenario)
                if game is None and not scenario.data.get("house"):
                    return REFUSED
                if not run_scenario(scenario, rules).has_passed:
                    return NOTICED
        return EQUIVALENT if self.equivalence_reason(mutant) is not None else SURVIVED

    def equivalence_reason(self, mutant: RuleMutant) -> str | None:
        """Returns the reason from `equivalent.yaml` why the mutant does not change the game, or None."""
        text = read_text(self.found.folder / mutant.file)
        after = apply_mutant(mutant, text)
        last = mutant.line + mutant.new.count("\n")
        there = RuleMutant(mutant.line, 1, last, 1, mutant.file, "", mutant.kind)
        return self.argued.get((mutant.within, source_line(mutant, text), source_line(there, after)))

    def order_scenarios(self, mutant: RuleMutant) -> list[Scenario]:
        """Returns the scenarios that may notice the mutant, the most likely first, then grouped by compiled variant.

        There is always at least one scenario, which shows whether the checker accepts the mutant."""
        lines = self.relevant_lines(mutant)
        near = find_clauses_near(self.found.folder / mutant.file, mutant.line, CITATION_RADIUS_LINES)
        concerned = [n for n in range(len(self.scenarios)) if lines is None or lines & self.ran[n] or self.mentions_mutant(n, mutant)]
        variants = Counter(ScenarioRulesets.variant_key(self.scenarios[n]) for n in concerned)
        keys = set(mutant.within.split(".")[1:]) if mutant.kind == "datum" else set()
        cited = {n: len(near & set(self.scenarios[n].clauses)) + len(keys & self.scenario_words[n]) for n in concerned}
        first = sorted((n for n in concerned if cited[n]), key=lambda n: (-cited[n], len(self.ran[n])))[:3]

        def sort_key(n: int) -> tuple[bool, int, str, int, int]:
            wanted = ScenarioRulesets.variant_key(self.scenarios[n])
            return n not in first, -variants[wanted], repr(wanted), -cited[n], len(self.ran[n])

        return [self.scenarios[n] for n in sorted(concerned, key=sort_key)] or self.scenarios[:1]

    def mentions_mutant(self, number: int, mutant: RuleMutant) -> bool:
        """Whether a scenario itself names the mutated def, a def that uses it, or the mutated datum."""
        name = mutant.within if mutant.kind != "datum" else self.name_of_datum(mutant.within.split("."))
        return name is not None and bool(self.scenario_words[number] & self.get_users(name)[0])

    def name_of_datum(self, keys: list[str]) -> str | None:
        """Returns the name by which rules read a datum: its own name, that of its attribute (`.price`), or that of its
        table."""
        point = "." if keys[0] == "enums" else ""
        return next((point + key for key in reversed(keys[1:]) if point + key in self.word_locations), None)

    @cached_property
    def scenario_words(self) -> list[set[str]]:
        """The words of each scenario."""
        return [split_words(repr(scenario.data)) for scenario in self.scenarios]

    @cached_property
    def data_files(self) -> set[str]:
        """The names of the data files."""
        source = read_game(self.found.folder, DiagnosticList(), self.found.shown)
        return {"game.yaml", *(source.data.get("data", []) if source is not None else [])}

    @cached_property
    def rule_files(self) -> dict[str, tuple[list[str], list[tree.Node]]]:
        """The lines and the declarations of each rule file."""
        source = read_game(self.found.folder, DiagnosticList(), self.found.shown)
        out = {}
        for name in source.data["rules"] if source is not None else []:
            text = read_text(self.found.folder / name)
            out[name] = text.split("\n"), parse(text, name, DiagnosticList())
        return out

    def relevant_lines(self, mutant: RuleMutant) -> set[RuleLine] | None:
        """Returns the lines of which a scenario must run at least one to notice the mutant.

        None means that any scenario may."""
        if mutant.kind == "datum":
            return self.lines_reading_datum(mutant.within.split("."))
        declarations = self.rule_files[mutant.file][1] if mutant.file in self.rule_files else []
        for one in declarations:
            if one.meta.line <= mutant.line and mutant.end_line <= one.meta.end_line:
                if isinstance(one, tree.Proc):
                    return self.statement_lines(mutant.file, one, mutant.line, mutant.end_line)
                if isinstance(one, tree.DefValue | tree.DefWhere):
                    everywhere, lines = self.get_users(mutant.within)[1:]
                    return None if everywhere else lines
        return None

    def lines_reading_datum(self, keys: list[str]) -> set[RuleLine] | None:
        """Returns the lines that depend on a datum, or None if that is unknown."""
        name = self.name_of_datum(keys)
        if keys[0] not in ("numbers", "enums", "tables") or name is None or self.count_in_data(name.lstrip(".")):
            return None
        _, everywhere, lines = self.get_users(name)
        return None if everywhere else lines

    def count_in_data(self, name: str) -> int:
        """Returns how often a name occurs in the data files, except as a key or as a field of a text."""
        texts = [read_text(path) for path in self.found.folder.glob("*.yaml") if path.name in self.data_files]
        return sum(len(re.findall(rf"(?<!{{)\b{re.escape(name)}\b(?!\s*:)", text)) for text in texts)

    def statement_lines(self, file: str, declaration: tree.Node, line: int, end_line: int) -> set[RuleLine]:
        """Returns the lines of the innermost statement around these lines, or of the whole procedure if they are its
        head."""
        inner = [node for node in tree.walk(declaration)
                 if isinstance(node, tree.Statement) and node.meta.line <= line and end_line <= node.meta.end_line]
        place = min(inner, key=lambda node: node.meta.end_line - node.meta.line).meta if inner else declaration.meta
        return {(f"{self.found.shown}/{file}", n) for n in range(place.line, place.end_line + 1)}

    def get_users(self, name: str) -> tuple[set[str], bool, set[RuleLine]]:
        """Returns the users of a def or name, from a cache.

        The result has three parts:

        * the name, with the defs that use it
        * whether invariants, states or the data use it
        * all lines that depend on it"""
        if name not in self.user_cache:
            self.user_cache[name] = self.find_users(name.partition("[")[0])
        return self.user_cache[name]

    @cached_property
    def user_cache(self) -> dict[str, tuple[set[str], bool, set[RuleLine]]]:
        return {}

    @cached_property
    def word_locations(self) -> dict[str, list[tuple[str, tree.Node, int]]]:
        """For each word, the files, declarations and lines in which it occurs."""
        out: dict[str, list[tuple[str, tree.Node, int]]] = defaultdict(list)
        for file, (text, declarations) in self.rule_files.items():
            for one in declarations:
                for n in range(one.meta.line, one.meta.end_line + 1):
                    for word in split_words(text[n - 1].partition(" @")[0]):
                        out[word].append((file, one, n))
        return out

    @cached_property
    def procedure_names(self) -> set[str]:
        return {str(one.name) for _, declarations in self.rule_files.values() for one in declarations if isinstance(one, tree.Proc)}

    def find_users(self, name: str) -> tuple[set[str], bool, set[RuleLine]]:
        """Computes the result of `get_users`, following defs that use defs."""
        names, everywhere, lines = {name} - self.procedure_names, False, set()
        left = [name]
        while left:
            for file, one, n in self.word_locations.get(left.pop(), ()):
                if isinstance(one, tree.Proc):
                    lines |= self.statement_lines(file, one, n, n)
                elif isinstance(one, tree.DefValue | tree.DefWhere):
                    lines |= {(f"{self.found.shown}/{file}", k) for k in range(one.meta.line, one.meta.end_line + 1)}
                    user = declaration_name(self.rule_files[file][0][one.meta.line - 1]).partition("[")[0]
                    if user not in names:
                        names.add(user)
                        left.append(user)
                elif not (isinstance(one, tree.Goal) and str(one.parts[0]) == "estimate"):       # the estimate is for bots only
                    everywhere = True
        return names, everywhere, lines


def split_words(text: str) -> set[str]:
    """Returns the words of a text. A word after a dot is also returned with the dot: `.price`."""
    return {*re.findall(r"\w+", text), *re.findall(r"\.[A-Za-z_]\w*", text)}


def read_equivalents(location: GameLocation, findings: DiagnosticList) -> dict[tuple[str, str, str], str]:
    """Returns the reasons for equivalent mutants. Keys are the declaration, the original line and the changed line."""
    path = location.folder / EQUIVALENT_FILE
    document = read_valid(path, "equivalent", findings, f"{location.shown}/{EQUIVALENT_FILE}") if path.is_file() else None
    rows = document.data["equivalent"] if document is not None else []
    return {(str(row["in"]), " ".join(row["line"].split()), " ".join(row["becomes"].split())): row["because"] for row in rows}


def find_clauses_near(path: Path, line: int, far: int = 0) -> set[str]:
    """Returns the clauses cited at most `far` lines away from a line."""
    lines = read_text(path).split("\n")
    family, found = "", set()
    for number, text in enumerate(lines, 1):
        for cite in re.findall(r"@([A-Z][A-Z0-9-]*|\d+)", text):
            if cite[0].isalpha():
                family = cite.rstrip("0123456789").rstrip("-") or cite
            full = cite if cite[0].isalpha() else f"{family}-{cite}"
            if abs(number - line) <= far:
                found.add(full)
    return found
