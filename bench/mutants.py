"""Runs long campaigns of `ludoglot test GAME --mutants N`: it keeps verdicts in a file, can continue, and prints figures by kind.

    python bench/mutants.py GAME [--count 600] [--seed 1] [--kept FILE] [--again]

`--again` judges surviving mutants again, after you have added scenarios or declared mutants equivalent.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from pathlib import Path

from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.testing.mutants import RuleMutant, draw_mutants, source_line
from ludoglot.engine.testing.mutation_testing import EQUIVALENT, NOTICED, SURVIVED, VERDICTS, MutationRunner


def key(mutant: RuleMutant, text: str) -> str:
    """Returns a key that identifies a mutant even if lines have moved."""
    return json.dumps([mutant.file, mutant.within, mutant.kind, source_line(mutant, text), mutant.column, " ".join(mutant.new.split())])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("game")
    arguments.add_argument("--count", type=int, default=600)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--kept", type=Path, help="where verdicts are kept, one a line")
    arguments.add_argument("--again", action="store_true")
    given = arguments.parse_args()
    found = find_game_location(given.game)
    mutants, possible = draw_mutants(found, given.count, given.seed)
    known: dict[str, str] = {}
    if given.kept is not None and given.kept.exists():
        known = dict(json.loads(line) for line in given.kept.read_text(encoding="utf-8").splitlines())
    if given.again:
        known = {name: verdict for name, verdict in known.items() if verdict not in (SURVIVED, EQUIVALENT)}
    jury = MutationRunner(found)
    if not jury.sound:
        raise SystemExit("a scenario fails as the game is")
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    began = time.process_time()
    for mutant in mutants:
        text = (found.folder / mutant.file).read_text(encoding="utf-8")
        name = key(mutant, text)
        if name not in known:
            known[name] = jury.classify_mutant(mutant)
            if given.kept is not None:
                with given.kept.open("a", encoding="utf-8") as file:
                    print(json.dumps([name, known[name]]), file=file)
        kinds[mutant.kind][known[name]] += 1
        if known[name] == SURVIVED:
            print(f"{mutant.file}:{mutant.line}:{mutant.column} {mutant.kind} in {mutant.within}: {source_line(mutant, text)}  |  "
                  f"{mutant.old_line} -> {' '.join(mutant.new.split())}", flush=True)
    count = sum(kinds.values(), Counter())
    counted = count[NOTICED] + count[SURVIVED] + count[EQUIVALENT]
    print(f"{given.game}: {len(mutants)} of {possible} mistakes, {', '.join(f'{count[verdict]} {verdict}' for verdict in VERDICTS)}; "
          f"noticed {count[NOTICED] / max(1, counted):.1%} of {counted}; {time.process_time() - began:.0f} s")
    for kind, row in sorted(kinds.items()):
        print(f"    {kind:<10}" + "  ".join(f"{row[verdict]:>4} {verdict}" for verdict in VERDICTS))


if __name__ == "__main__":
    main()
