"""Which numbers of a game's data does nothing hear of? Each is made one more, by itself, and the scenarios are played: what none notices is
listed with its line. A number that rules ignore (a card that says three where the rule takes two) is among them, and so is one that
nobody has tested.

    python bench/data.py GAME [--part 1/4] [--json]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter

from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.testing.mutants import RuleMutant, draw_mutants
from ludoglot.engine.testing.mutation_testing import SURVIVED, MutationRunner


def data_of(game: str, part: str) -> list[RuleMutant]:
    """The numbers of a game's data, or every so manieth of them."""
    number, of = map(int, part.split("/"))
    every = [mutant for mutant in draw_mutants(find_game_location(game), 1_000_000, 1)[0] if mutant.kind == "datum"]
    return sorted(every, key=lambda one: (one.file, one.line, one.column))[number - 1 :: of]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("game")
    arguments.add_argument("--part", default="1/1", help="such as 1/4: every fourth number, from the first on")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    verdicts: Counter[str] = Counter()
    unheard, jury = [], MutationRunner(find_game_location(given.game))
    for mutant in data_of(given.game, given.part):
        verdict = jury.classify_mutant(mutant)
        verdicts[verdict] += 1
        if verdict == SURVIVED:
            line = (find_game_location(given.game).folder / mutant.file).read_text(encoding="utf-8").split("\n")[mutant.line - 1].strip()
            unheard.append({"file": mutant.file, "line": mutant.line, "column": mutant.column, "value": mutant.old_line, "text": line})
            if not given.json:
                print(f"{mutant.file}:{mutant.line}:{mutant.column}  {mutant.old_line}  {line[:100]}", flush=True)
    if given.json:
        print(json.dumps({"game": given.game, **verdicts, "unheard": unheard}, indent=2))
    else:
        print(f"{given.game}: {sum(verdicts.values())} numbers, {dict(verdicts)}")


if __name__ == "__main__":
    main()
