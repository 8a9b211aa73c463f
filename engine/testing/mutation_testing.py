"""Do the scenarios notice a mistake? The scenarios of a game are read once and followed once, so that it is known which lines of the rules
each of them runs. A mistake is put into a copy; the scenarios that may notice it are played until one fails, those first that share a
compiled variant with most others. What no scenario runs, none can notice.

Some mistakes make no difference, whatever is played. Such are argued one by one in `equivalent.yaml` beside the game:

    equivalent:
      - in: effect[rose]                           # the procedure or def, or the keys of the data: numbers.full
        line: "if height[kite] == top: stop"       # what stands there, without clauses
        becomes: "if height[kite] >= top: stop"
        because: nothing rises above the top
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter, defaultdict
from functools import cached_property
from pathlib import Path

from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.diagnostics.safe_read import odd_ones, read_text
from ...dsl.packs.source import read_game
from ...dsl.syntax import tree
from ...dsl.syntax.parse import parse
from ...dsl.yaml.schema import read_valid
from ..library.find import Found
from .coverage import Coverage, RuleLine
from .mutants import Mutant, apply, head, line_of
from .scenario import Rules, Scenario, read_scenarios, test_files
from .scenario_runner import run_scenario

NEAR = 4                                                             # lines around a mistake in which clauses are looked for
REFUSED, NOTICED, SURVIVED, EQUIVALENT = "refused", "noticed", "survived", "equivalent"
VERDICTS = (REFUSED, NOTICED, SURVIVED, EQUIVALENT)
ARGUED = "equivalent.yaml"


class Jury:
    """The scenarios of a game, who notice a mistake or do not. `sound`: they pass as the game is, else they could notice nothing."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.scenarios = [scenario for file in test_files(found) for scenario in read_scenarios(file, Findings())]
        rules, coverage = Rules(found), Coverage()
        self.sound = True
        self.ran: list[set[RuleLine]] = []
        for scenario in self.scenarios:
            self.sound &= run_scenario(scenario, rules, coverage).passed
            self.ran.append(coverage.since())
        self.findings = Findings()                                 # of the file with those that make no difference
        self.argued = argued(found, self.findings)

    def judge(self, mutant: Mutant) -> str:
        """Whether the checker refuses a mistake, a scenario notices it, it is argued to be none, or nobody notices it."""
        with tempfile.TemporaryDirectory() as room:
            copy = Path(room) / self.found.folder.resolve().name
            shutil.copytree(self.found.folder, copy, ignore=lambda base, names: {"tests", *odd_ones(base, names)})
            path = copy / mutant.file
            path.write_text(apply(mutant, read_text(path)), encoding="utf-8")
            rules = Rules(Found(self.found.name, copy, self.found.shown))
            for scenario in self.in_order(mutant):
                game, _ = rules.of(scenario)
                if game is None and not scenario.data.get("house"):
                    return REFUSED
                if not run_scenario(scenario, rules).passed:
                    return NOTICED
        return EQUIVALENT if self.why_equivalent(mutant) is not None else SURVIVED

    def why_equivalent(self, mutant: Mutant) -> str | None:
        """Why a mistake makes no difference, where that has been argued."""
        text = read_text(self.found.folder / mutant.file)
        after = apply(mutant, text)
        last = mutant.line + mutant.new.count("\n")
        there = Mutant(mutant.line, 1, last, 1, mutant.file, "", mutant.kind)
        return self.argued.get((mutant.within, line_of(mutant, text), line_of(there, after)))

    def in_order(self, mutant: Mutant) -> list[Scenario]:
        """The scenarios that may notice a mistake, the likeliest first, those of one compiled variant together; at least one, which shows
        whether the checker lets it pass."""
        lines = self.lines_of(mutant)
        near = cited_near(self.found.folder / mutant.file, mutant.line, NEAR)
        concerned = [n for n in range(len(self.scenarios)) if lines is None or lines & self.ran[n] or self.asks(n, mutant)]
        variants = Counter(Rules.wanted(self.scenarios[n]) for n in concerned)
        keys = set(mutant.within.split(".")[1:]) if mutant.kind == "datum" else set()
        cited = {n: len(near & set(self.scenarios[n].clauses)) + len(keys & self.words[n]) for n in concerned}
        first = sorted((n for n in concerned if cited[n]), key=lambda n: (-cited[n], len(self.ran[n])))[:3]

        def rank(n: int) -> tuple[bool, int, str, int, int]:
            wanted = Rules.wanted(self.scenarios[n])
            return n not in first, -variants[wanted], repr(wanted), -cited[n], len(self.ran[n])

        return [self.scenarios[n] for n in sorted(concerned, key=rank)] or self.scenarios[:1]

    def asks(self, number: int, mutant: Mutant) -> bool:
        """Whether a scenario names a def itself, or one that uses it; or a number of the data."""
        name = mutant.within if mutant.kind != "datum" else self.read_as(mutant.within.split("."))
        return name is not None and bool(self.words[number] & self.users(name)[0])

    def read_as(self, keys: list[str]) -> str | None:
        """The name that rules read a number of the data by: its own, that of its attribute (`.price`), that of its table."""
        point = "." if keys[0] == "enums" else ""
        return next((point + key for key in reversed(keys[1:]) if point + key in self.named_at), None)

    @cached_property
    def words(self) -> list[set[str]]:
        """The words of each scenario."""
        return [words_of(repr(scenario.data)) for scenario in self.scenarios]

    @cached_property
    def data(self) -> set[str]:
        """The names of the data files."""
        source = read_game(self.found.folder, Findings(), self.found.shown)
        return {"game.yaml", *(source.data.get("data", []) if source is not None else [])}

    @cached_property
    def files(self) -> dict[str, tuple[list[str], list[tree.Node]]]:
        """The lines and the declarations of each rule file."""
        source = read_game(self.found.folder, Findings(), self.found.shown)
        out = {}
        for name in source.data["rules"] if source is not None else []:
            text = read_text(self.found.folder / name)
            out[name] = text.split("\n"), parse(text, name, Findings())
        return out

    def lines_of(self, mutant: Mutant) -> set[RuleLine] | None:
        """The lines that a scenario runs one of when it can notice a mistake; None: any scenario may."""
        if mutant.kind == "datum":
            return self.lines_reading(mutant.within.split("."))
        declarations = self.files[mutant.file][1] if mutant.file in self.files else []
        for one in declarations:
            if one.meta.line <= mutant.line and mutant.end_line <= one.meta.end_line:
                if isinstance(one, tree.Proc):
                    return self.around(mutant.file, one, mutant.line, mutant.end_line)
                if isinstance(one, tree.DefValue | tree.DefWhere):
                    everywhere, lines = self.users(mutant.within)[1:]
                    return None if everywhere else lines
        return None

    def lines_reading(self, keys: list[str]) -> set[RuleLine] | None:
        """The lines that a number of the data matters to."""
        name = self.read_as(keys)
        if keys[0] not in ("numbers", "enums", "tables") or name is None or self.said_in_data(name.lstrip(".")):
            return None
        _, everywhere, lines = self.users(name)
        return None if everywhere else lines

    def said_in_data(self, name: str) -> int:
        """How often a name stands in the data, beside as a key and in texts."""
        texts = [read_text(path) for path in self.found.folder.glob("*.yaml") if path.name in self.data]
        return sum(len(re.findall(rf"(?<!{{)\b{re.escape(name)}\b(?!\s*:)", text)) for text in texts)

    def around(self, file: str, declaration: tree.Node, line: int, end_line: int) -> set[RuleLine]:
        """The lines of the innermost statement that lines of a procedure are in, of all the procedure where they are its head."""
        inner = [node for node in tree.walk(declaration)
                 if isinstance(node, tree.Statement) and node.meta.line <= line and end_line <= node.meta.end_line]
        place = min(inner, key=lambda node: node.meta.end_line - node.meta.line).meta if inner else declaration.meta
        return {(f"{self.found.shown}/{file}", n) for n in range(place.line, place.end_line + 1)}

    def users(self, name: str) -> tuple[set[str], bool, set[RuleLine]]:
        """A def and the defs that use it, whether laws, states or the data do, and the lines of its own and of what uses it."""
        if name not in self.known_users:
            self.known_users[name] = self.find_users(name.partition("[")[0])
        return self.known_users[name]

    @cached_property
    def known_users(self) -> dict[str, tuple[set[str], bool, set[RuleLine]]]:
        return {}

    @cached_property
    def named_at(self) -> dict[str, list[tuple[str, tree.Node, int]]]:
        """By word, the files, declarations and lines that it stands in."""
        out: dict[str, list[tuple[str, tree.Node, int]]] = defaultdict(list)
        for file, (text, declarations) in self.files.items():
            for one in declarations:
                for n in range(one.meta.line, one.meta.end_line + 1):
                    for word in words_of(text[n - 1].partition(" @")[0]):
                        out[word].append((file, one, n))
        return out

    @cached_property
    def procedures(self) -> set[str]:
        return {str(one.name) for _, declarations in self.files.values() for one in declarations if isinstance(one, tree.Proc)}

    def find_users(self, name: str) -> tuple[set[str], bool, set[RuleLine]]:
        names, everywhere, lines = {name} - self.procedures, False, set()
        left = [name]
        while left:
            for file, one, n in self.named_at.get(left.pop(), ()):
                if isinstance(one, tree.Proc):
                    lines |= self.around(file, one, n, n)
                elif isinstance(one, tree.DefValue | tree.DefWhere):
                    lines |= {(f"{self.found.shown}/{file}", k) for k in range(one.meta.line, one.meta.end_line + 1)}
                    user = head(self.files[file][0][one.meta.line - 1]).partition("[")[0]
                    if user not in names:
                        names.add(user)
                        left.append(user)
                elif not (isinstance(one, tree.Goal) and str(one.parts[0]) == "estimate"):       # only bots ask it
                    everywhere = True
        return names, everywhere, lines


def words_of(text: str) -> set[str]:
    """The words of a text, and those behind a point with it: `.price`."""
    return {*re.findall(r"\w+", text), *re.findall(r"\.[A-Za-z_]\w*", text)}


def argued(found: Found, findings: Findings) -> dict[tuple[str, str, str], str]:
    """The mistakes that are argued to make no difference: what they are in, the line as it is and as it becomes; why."""
    path = found.folder / ARGUED
    document = read_valid(path, "equivalent", findings, f"{found.shown}/{ARGUED}") if path.is_file() else None
    rows = document.data["equivalent"] if document is not None else []
    return {(str(row["in"]), " ".join(row["line"].split()), " ".join(row["becomes"].split())): row["because"] for row in rows}


def cited_near(path: Path, line: int, far: int = 0) -> set[str]:
    """The clauses cited so many lines around a line, or fewer."""
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
