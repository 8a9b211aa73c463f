"""Mutants: copies of a game with one small mistake each, to test whether the scenarios notice it.

This module finds the possible mistakes. mutation_testing.py runs the scenarios against them. The kinds of
mistakes are:

* a number off by one, in rules or in data
* a dropped statement, condition or `may`
* a negated condition, or a wrong operator
* `any` for `all`, `min` for `max`, `exactly` for `up to`
* a different player who decides
* two steps in the opposite order"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.packs.source import read_game
from ...dsl.syntax import tree
from ...dsl.syntax.parse import parse
from ..library.find import GameLocation
from .commutativity import CommutativityChecker, iter_tokens

OPPOSITE_OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "+": "-", "-": "+"}
OPPOSITE_FOLDS = {"any": "all", "all": "any", "min": "max", "max": "min"}
NUMERIC_SECTIONS = ("numbers", "enums", "pieces", "tables", "start")             # sections of data files whose numbers are rules
SIMPLE_STATEMENTS = (tree.Assign, tree.Call, tree.Move, tree.Draw, tree.Shuffle, tree.Swap, tree.Tell, tree.Stop)
NON_RULE_USER = "estimate, laws"                                           # estimates and invariants are not rules of play
CITATION_PATTERN = re.compile(r"\s+@[A-Z0-9][A-Z0-9-]*|\s*#.*")                # clause citations and comments
NodeChange = tuple[Any, Callable[[str], str], str]                       # node, function from old to new text, kind of mistake


@dataclass(frozen=True)
class TextSpan:
    """A range of a file. Lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class RuleMutant(TextSpan):
    """One mistake: a range of a file and its replacement."""

    file: str
    new: str
    kind: str
    old_text: str = ""
    within: str = ""                                               # the procedure or def around it, or the keys of the datum

    @property
    def old_line(self) -> str:
        """The replaced text, on one line."""
        return " ".join(self.old_text.split())


def draw_mutants(location: GameLocation, count: int, seed: int) -> tuple[list[RuleMutant], int]:
    """Returns up to `count` random mutants of a game, spread evenly over the kinds, and the number of possible
    mutants."""
    source = read_game(location.folder, DiagnosticList(), location.shown)
    if source is None:
        return [], 0
    rules = {name: parse(read_text(location.folder / name), name, DiagnosticList()) for name in source.data["rules"]}
    order = CommutativityChecker(one for declarations in rules.values() for one in declarations)
    every = [mutant for name in rules for mutant in iter_rule_mutants(location.folder / name, order)]
    every += [mutant for name in ("game.yaml", *source.data.get("data", [])) for mutant in iter_data_mutants(location.folder / name)]
    idle = find_non_rule_defs(location) | {f"numbers.{name}" for name in find_range_only_numbers(location, rules.values())}
    every = [mutant for mutant in every if mutant.within not in idle and ".".join(mutant.within.split(".")[:2]) not in idle]
    every = [mutant for mutant in every if mutant.new != mutant.old_text]
    draw = random.Random(seed)
    draw.shuffle(every)
    turns: Counter[str] = Counter()                                # number of earlier mutants by kind
    queue = []
    for n, mutant in enumerate(every):
        queue.append((turns[mutant.kind], n, mutant))
        turns[mutant.kind] += 1
    return [mutant for _, _, mutant in sorted(queue, key=lambda one: one[:2])[:count]], len(every)


def iter_rule_mutants(path: Path, order: CommutativityChecker) -> Iterator[RuleMutant]:
    """Yields every possible mutant of a rule file."""
    text = read_text(path)
    lines = text.split("\n")
    for declaration in parse(text, str(path), DiagnosticList()):
        if isinstance(declaration, tree.Always) or isinstance(declaration, tree.Goal) and str(declaration.parts[0]) != "standing":
            continue
        every = list(tree.walk(declaration))
        known = list(dict.fromkeys(name for node in every for name in iter_bound_names(node)))
        idle = {id(node) for node in iter_range_ends(declaration)}
        within = declaration_name(lines[declaration.meta.line - 1])
        for node in every:
            if id(node) in idle:
                continue
            for place, new, kind in [*iter_changes(node), *iter_decider_changes(node, known)]:
                yield make_mutant(path.name, lines, place, new, kind, within)
            yield from iter_swaps(path.name, lines, node, within, order)


def find_range_only_numbers(location: GameLocation, rules: Iterable[list[Any]]) -> set[str]:
    """Returns the numbers that are used only as upper ends of the ranges of states.

    A larger range does not change what is played, so such mutants would be pointless."""
    used: Counter[str] = Counter()
    tops: Counter[str] = Counter()
    for declaration in (one for declarations in rules for one in declarations):
        used += Counter(str(token) for node in tree.walk(declaration) for token in iter_tokens(node))
        tops += Counter(str(token) for node in iter_range_ends(declaration) for token in iter_tokens(node))
    said = Counter(word for path in location.folder.glob("*.yaml") for word in re.findall(r"\w+", read_text(path)))
    return {name for name, count in tops.items() if used[name] == count and said[name] == 1}      # the one occurrence is the declaration


def find_non_rule_defs(location: GameLocation) -> set[str]:
    """Returns the defs that are used only by the estimate (for bots) and by invariants.

    Mistakes in them are not mistakes in the rules."""
    users: dict[str, set[str]] = {}                                # by word, the declarations that contain it
    texts = [read_text(path) for path in location.folder.glob("*.yaml")]
    elsewhere = {word for text in texts for word in re.findall(r"\w+", text)}
    defs = {}
    for path in sorted(location.folder.glob("*.rules")):
        text = read_text(path)
        for declaration in parse(text, str(path), DiagnosticList()):
            rows = text.split("\n")[declaration.meta.line - 1 : declaration.meta.end_line]
            beside = isinstance(declaration, tree.Always) or isinstance(declaration, tree.Goal) and str(declaration.parts[0]) == "estimate"
            name = (
                NON_RULE_USER
                if beside
                else declaration_name(rows[0])
                if not isinstance(declaration, tree.Goal)
                else str(declaration.parts[0])
            )
            if isinstance(declaration, tree.DefValue | tree.DefWhere):
                defs[name] = name.partition("[")[0]
            for word in re.findall(r"\w+", " ".join(CITATION_PATTERN.sub("", row) for row in rows)):
                users.setdefault(word, set()).add(name)
    only = {name for name, word in defs.items() if word not in elsewhere}
    while True:
        left = {name for name in only if (others := users[defs[name]] - {other for other in defs if defs[other] == defs[name]})
                and others <= {NON_RULE_USER, *only}}
        if left == only:
            return only
        only = left


def declaration_name(line: str) -> str:
    """Returns the name of a declaration from its first line, such as `effect[rose]`."""
    found = re.match(r"(?:\w+\s+)?(\w+(?:\[[^\]]+\])?)", line.strip())
    return found[1] if found else ""


def iter_range_ends(declaration: Any) -> Iterator[Any]:
    """Yields the nodes in the upper ends of the ranges of a state.

    A larger range does not change what is played, unless the state is saturating."""
    if isinstance(declaration, tree.State) and declaration.saturating is None:
        for node in tree.walk(declaration.kind):
            if isinstance(node, tree.RangeType):
                yield from tree.walk(node.high)


def iter_changes(node: Any) -> Iterator[NodeChange]:
    """Yields the mistakes that are possible at one node."""
    if isinstance(node, tree.Number):
        yield node.meta, lambda old: str(int(old) + 1) if old.isdigit() else old, "number"
    elif isinstance(node, tree.Binary) and str(node.op) in OPPOSITE_OPERATORS:
        yield node.op, lambda old: OPPOSITE_OPERATORS[old], "operator"
    elif isinstance(node, tree.Unary) and str(node.op) == "not":
        yield node.op, lambda _: "", "negation"
    elif isinstance(node, tree.Condition):
        yield node.test.meta, lambda _: "true", "condition"
    elif isinstance(node, tree.If_):
        yield node.parts[0].meta, lambda old: f"not ({old})", "negation"
    elif isinstance(node, SIMPLE_STATEMENTS):
        yield node.meta, lambda _: "let dropped_here = 0", "statement"
    if isinstance(node, tree.Fold) and str(node.word) in OPPOSITE_FOLDS:
        yield node.word, lambda old: OPPOSITE_FOLDS[old], "scope"
    if isinstance(node, tree.UpTo | tree.UpToTimes):
        yield node.meta, lambda old: re.sub(r"^up\s+to\b", "exactly", old), "amount"
    elif isinstance(node, tree.Exactly | tree.ExactlyTimes):
        yield node.meta, lambda old: re.sub(r"^exactly\b", "up to", old), "amount"
    elif isinstance(node, tree.AtMost):                            # only in this direction: `up to` for an exact
        # amount would play the same, since less than an exact amount is a fault
        yield node.meta, lambda old: re.sub(r"^up\s+to\s+", "", old), "amount"
    may = node.parts[0] if isinstance(node, tree.Menu) else getattr(node, "may", None)
    if may is not None:
        yield may, lambda _: "", "may"
    where = getattr(node, "where", None)
    if where is not None and hasattr(where, "meta"):
        yield where.meta, lambda _: "true", "condition"


def iter_bound_names(node: Any) -> Iterator[str]:
    """Yields the names that a node binds: parameters, and names of binders."""
    if isinstance(node, tree.Params):
        yield from (str(getattr(one, "name", one)) for one in node)
    elif isinstance(node, tree.Binder | tree.BinderNumbered):
        yield str(node.name)


def iter_decider_changes(node: Any, known: list[str]) -> Iterator[NodeChange]:
    """Yields changes of the player who decides, to every other name that the declaration binds."""
    if isinstance(node, tree.BySeat):
        for name in known:
            yield node.who.meta, lambda old, other=name: other, "who"        # type: ignore[misc]


def iter_swaps(name: str, lines: list[str], node: Any, within: str, order: CommutativityChecker) -> Iterator[RuleMutant]:
    """Yields swaps of two consecutive steps of a block, if their order may matter."""
    for one, other in zip(node.items, node.items[1:]) if isinstance(node, tree.Suite) else ():
        if isinstance(one, tree.Let) or one.meta.end_line >= other.meta.line or not order.order_matters(one, other):
            continue
        first, second = (make_mutant(name, lines, part.meta, str, "order").old_text for part in (one, other))
        place = TextSpan(one.meta.line, one.meta.column, other.meta.end_line, other.meta.end_column)
        whole = make_mutant(name, lines, place, str, "order").old_text
        between = whole[len(first) : len(whole) - len(second)]
        yield make_mutant(name, lines, place, lambda _, new=second + between + first: new, "order", within)  # type: ignore[misc]


def make_mutant(name: str, lines: list[str], place: Any, new: Callable[[str], str], kind: str, within: str = "") -> RuleMutant:
    """Returns the mutant that replaces the text of a node."""
    rows = lines[place.line - 1 : place.end_line]
    rows[-1] = rows[-1][: place.end_column - 1]
    rows[0] = rows[0][place.column - 1 :]
    old = "\n".join(rows)
    return RuleMutant(place.line, place.column, place.end_line, place.end_column, name, new(old), kind, old, within)


def iter_data_mutants(path: Path) -> Iterator[RuleMutant]:
    """Yields mutants of a data file: each number plus one."""
    text = read_text(path)
    top, lines = yaml.compose(text), text.split("\n")
    if not isinstance(top, yaml.MappingNode):
        return
    for key, value in top.value:
        if key.value in NUMERIC_SECTIONS:
            for keys, scalar in iter_integers(value, (str(key.value),)):
                mark, end = scalar.start_mark, scalar.end_mark
                place = TextSpan(mark.line + 1, mark.column + 1, end.line + 1, end.column + 1)
                yield make_mutant(path.name, lines, place, lambda old: str(int(old) + 1), "datum", ".".join(keys))


def iter_integers(node: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields the integers below a YAML node, each with the path of its keys."""
    if isinstance(node, yaml.ScalarNode):
        if node.tag == "tag:yaml.org,2002:int":
            yield keys, node
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from iter_integers(value, (*keys, str(getattr(key, "value", ""))))
    else:
        for value in node.value:
            yield from iter_integers(value, keys)


def apply_mutant(mutant: RuleMutant, text: str) -> str:
    """Returns the text of the file with the mistake in it."""
    lines = text.split("\n")
    before = lines[mutant.line - 1][: mutant.column - 1]
    after = lines[mutant.end_line - 1][mutant.end_column - 1 :]
    lines[mutant.line - 1 : mutant.end_line] = [before + mutant.new + after]
    return "\n".join(lines)


def source_line(mutant: RuleMutant, text: str) -> str:
    """Returns the source lines of a mutant on one line, without citations and comments."""
    return " ".join(CITATION_PATTERN.sub("", "\n".join(text.split("\n")[mutant.line - 1 : mutant.end_line])).split())
