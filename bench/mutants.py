"""Would the scenarios notice a wrong rule? `python bench/mutants.py dominant-species --mutants 300 [--seed 1] [--jobs 2]`.

Makes copies of a game with one small error each, drawn at random from all that are possible: a number off by one (in the rules, in
the data), a comparison or a condition turned round, a statement dropped. Each copy runs the game's scenarios until one fails. Printed: how
many were noticed, by kind, and every survivor with its place. A copy that the checker refuses is not counted.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent

from ludoglot.dsl.diagnostics import Findings  # noqa: E402
from ludoglot.dsl.syntax import tree  # noqa: E402
from ludoglot.dsl.syntax.parse import parse  # noqa: E402
from ludoglot.engine.shelf.find import Found  # noqa: E402
from ludoglot.engine.testing.scenario import Rules, read_scenarios, test_files  # noqa: E402
from ludoglot.engine.testing.scenario_run import run_scenario  # noqa: E402

OPPOSITE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "+": "-", "-": "+"}
DATA = ("numbers", "enums", "pieces", "tables", "start")             # sections whose numbers are the game's
SIMPLE = (tree.Assign, tree.Call, tree.Move, tree.Draw, tree.Shuffle, tree.Swap, tree.Tell, tree.Stop)


@dataclass(frozen=True)
class Mutant:
    """One error: the text from (line, column) to (end_line, end_column), from 1, is replaced."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    new: str
    kind: str
    old: str = ""


def of_rules(path: Path) -> Iterator[Mutant]:
    """Every error that can be made in a rule file."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for declaration in parse(text, str(path), Findings()):
        if isinstance(declaration, tree.Always) or isinstance(declaration, tree.Goal) and str(declaration.parts[0]) != "standing":
            continue
        for node in nodes(declaration):
            for change in changes(node):
                place, new, kind = change
                yield placed(path.name, lines, place, new, kind)


def nodes(node: Any) -> Iterator[Any]:
    """A node and all below it."""
    if isinstance(node, list | tuple):
        for item in node:
            yield from nodes(item)
    elif hasattr(node, "meta"):
        yield node
        for key, value in vars(node).items():
            if key not in ("meta", "type", "ref", "cites", "local", "result", "decider", "number_local"):
                yield from nodes(value)


def changes(node: Any) -> Iterator[tuple[Any, str, str]]:
    """What can go wrong at a node: (what is replaced, by what, which kind of error)."""
    if isinstance(node, tree.Number):
        yield node.meta, str(int(node.digits) + 1), "number"
    elif isinstance(node, tree.Binary) and str(node.op) in OPPOSITE:
        yield node.op, OPPOSITE[str(node.op)], "operator"
    elif isinstance(node, tree.Unary) and str(node.op) == "not":
        yield node.op, "", "negation"
    elif isinstance(node, tree.Condition):
        yield node.test.meta, "true", "condition dropped"
    elif isinstance(node, tree.If_):
        yield node.parts[0].meta, "not ({})", "negation"
    elif isinstance(node, SIMPLE):
        yield node.meta, "let dropped_here = 0", "statement dropped"
    where = getattr(node, "where", None)
    if where is not None and hasattr(where, "meta"):
        yield where.meta, "true", "condition dropped"


def placed(name: str, lines: list[str], place: Any, new: str, kind: str) -> Mutant:
    start, end = (place.line, place.column), (place.end_line, place.end_column)
    old = "\n".join(lines[start[0] - 1 : end[0]])
    old = old[start[1] - 1 :] if start[0] != end[0] else lines[start[0] - 1][start[1] - 1 : end[1] - 1]
    return Mutant(name, *start, *end, new.replace("{}", old), kind, " ".join(old.split()))


def of_data(path: Path) -> Iterator[Mutant]:
    """Every number of a data file, one more."""
    text = path.read_text(encoding="utf-8")
    top = yaml.compose(text)
    if not isinstance(top, yaml.MappingNode):
        return
    for key, value in top.value:
        if key.value in DATA:
            for scalar in scalars(value):
                mark, end = scalar.start_mark, scalar.end_mark
                yield Mutant(path.name, mark.line + 1, mark.column + 1, end.line + 1, end.column + 1, str(int(scalar.value) + 1), "datum",
                             scalar.value)


def scalars(node: Any) -> Iterator[Any]:
    """The whole numbers among the values below a YAML node."""
    if isinstance(node, yaml.ScalarNode):
        if node.tag == "tag:yaml.org,2002:int":
            yield node
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from scalars(value)
    else:
        for value in node.value:
            yield from scalars(value)


def apply(mutant: Mutant, text: str) -> str:
    lines = text.split("\n")
    before = lines[mutant.line - 1][: mutant.column - 1]
    after = lines[mutant.end_line - 1][mutant.end_column - 1 :]
    lines[mutant.line - 1 : mutant.end_line] = [before + mutant.new + after]
    return "\n".join(lines)


# ---------------------------------------------------------------- one mutant


def judge(folder: Path, mutant: Mutant) -> str:
    """`refused` by the checker, `noticed` by a scenario, or `survived`."""
    with tempfile.TemporaryDirectory() as room:
        copy = Path(room) / folder.name
        shutil.copytree(folder, copy)
        path = copy / mutant.file
        path.write_text(apply(mutant, path.read_text(encoding="utf-8")), encoding="utf-8")
        found = Found(folder.name, copy, folder.name)
        rules = Rules(found)
        scenarios = [scenario for file in test_files(found) for scenario in read_scenarios(file, Findings())]
        near = nearby(folder / mutant.file, mutant.line)
        scenarios.sort(key=lambda scenario: -len(near & set(scenario.clauses)))
        for scenario in scenarios:
            game, findings = rules.of(scenario)
            if game is None and not scenario.data.get("house"):
                return "refused"
            if not run_scenario(scenario, rules).passed:
                return "noticed"
        return "survived"


def nearby(path: Path, line: int) -> set[str]:
    """The clauses cited around a line, whose scenarios are the likeliest to notice."""
    import re

    lines = path.read_text(encoding="utf-8").split("\n")
    family, found = "", set()
    for number, text in enumerate(lines, 1):
        for cite in re.findall(r"@([A-Z][A-Z0-9-]*|\d+)", text):
            if cite[0].isalpha():
                family = cite.rstrip("0123456789").rstrip("-") or cite
            full = cite if cite[0].isalpha() else f"{family}-{cite}"
            if abs(number - line) <= 4:
                found.add(full)
    return found


def worker(folder: Path) -> None:
    """Judge mutants given as JSON lines on the standard input."""
    for line in sys.stdin:
        print(judge(folder, Mutant(**json.loads(line))), flush=True)


# ---------------------------------------------------------------- many


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("game", help="the name of a game in rules/, or a folder")
    arguments.add_argument("--mutants", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    folder = ROOT / "rules" / options.game if (ROOT / "rules" / options.game).is_dir() else Path(options.game)
    if options.worker:
        return worker(folder)
    data = yaml.safe_load((folder / "game.yaml").read_text(encoding="utf-8"))
    every = [m for name in data["rules"] for m in of_rules(folder / name)]
    every += [m for name in ["game.yaml", *data.get("data", [])] for m in of_data(folder / name)]
    drawn = random.Random(options.seed).sample(every, min(options.mutants, len(every)))
    print(f"{folder.name}: {len(every)} errors can be made, {len(drawn)} drawn with seed {options.seed}", flush=True)
    processes = [
        subprocess.Popen([sys.executable, __file__, str(folder), "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(options.jobs)
    ]
    results: list[tuple[Mutant, str]] = []

    def work(process: subprocess.Popen, mine: list[Mutant]) -> None:
        assert process.stdin and process.stdout
        for mutant in mine:
            process.stdin.write(json.dumps(asdict(mutant)) + "\n")
            process.stdin.flush()
            verdict = process.stdout.readline().strip() or "noticed"        # a worker that fell over: the error did not go unnoticed
            results.append((mutant, verdict))
            if len(results) % 20 == 0:
                print(f"  {len(results)} of {len(drawn)} …", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda pair: work(*pair), [(p, drawn[n :: options.jobs]) for n, p in enumerate(processes)]))
    for process in processes:
        assert process.stdin
        process.stdin.close()
        process.wait()
    report(results)


def report(results: list[tuple[Mutant, str]]) -> None:
    """How many of each kind were noticed, and the survivors."""
    for kind in sorted({mutant.kind for mutant, _ in results}):
        verdicts = Counter(verdict for mutant, verdict in results if mutant.kind == kind)
        print(f"  {kind}: {verdicts['noticed']} noticed, {verdicts['survived']} survived, {verdicts['refused']} refused by the checker")
    total = Counter(verdict for _, verdict in results)
    counted = total["noticed"] + total["survived"]
    print(f"noticed {total['noticed']} of {counted} ({100 * total['noticed'] / max(1, counted):.1f} %)")
    for mutant, verdict in sorted(results, key=lambda pair: (pair[0].file, pair[0].line)):
        if verdict == "survived":
            print(f"  survived: {mutant.file}:{mutant.line}:{mutant.column} {mutant.kind}: {mutant.old} → {mutant.new or 'nothing'}")


if __name__ == "__main__":
    main()
