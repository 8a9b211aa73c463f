"""Checks that mutated rules run the same in C and in Python: `python bench/c_mutants.py [--trials 1000] [--seed 1] [--skip 0]
[--game NAME]`.

Each trial copies a small game, and puts extreme numbers (127, 32768, 2**63) and exchanged operators into its rules and data. Then it plays
random games in C and in Python side by side, and compares positions, moves, standing and faults at every decision. If C rejects a mutant,
only Python plays it. If a trial differs, the script shows the mutation, and exits with 1. `tests/c/test_extreme_numbers.py` plays a few
trials.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests" / "c")]

from extreme_games import BASE_GAMES, run_trial  # noqa: E402


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--trials", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--skip", type=int, default=0, help="trials that were made before")
    arguments.add_argument("--game", choices=BASE_GAMES, help="only this game")
    chosen = arguments.parse_args()
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as room:
        for number in range(chosen.skip, chosen.trials):
            what, end, wrong = run_trial(f"{chosen.seed}/{number}", Path(room), (chosen.game,) if chosen.game else BASE_GAMES)
            ends[end] += 1
            if end in ("differs", "not in C"):
                print(f"{number}: {what}: {str(wrong)[:600]}", flush=True)
            if number % 20 == 19 or number == chosen.trials - 1:
                print(f"{number + 1} trials: {', '.join(f'{count} {name}' for name, count in sorted(ends.items()))}", flush=True)
    sys.exit(bool(ends["differs"]))


if __name__ == "__main__":
    main()
