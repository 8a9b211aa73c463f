"""Compares random games of Ludoglot with other engines, in one run: `python bench/peers.py [--page FILE.html] [--json]`.

It races tic-tac-toe and Connect Four against OpenSpiel, PettingZoo and boardgame.io, and chess against OpenSpiel, PettingZoo and
python-chess. It also compares decisions of the heavy games with decisions of Catan in catanatron, although these games are different. It
measures processor time on one core. The contenders take turns, so that a slow moment of the machine affects all. The script installs
missing peers into a folder of the user's cache. `--folder` names another folder, and `--installed` installs nothing. If a peer is not
available, the report says so, and the others play.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from bench.racing.availability import NAMES, Had, have, place  # noqa: E402
from bench.racing.figures import CATAN, OURS, Race, Racer, Report, race  # noqa: E402
from bench.racing.report import left_out, table  # noqa: E402

CLASSICS = {"tic-tac-toe": "Tic-tac-toe", "connect-four": "Connect Four", "chess": "Chess"}
HEAVY = {"dominant-species": "Dominant Species", "evolution": "Evolution", "trias": "Trias"}
SEATS = 4                            # of the heavy games, the same number as in Catan
NODE = "boardgame.io"


def measure(had: Had, seconds: float, turns: int) -> list[Race]:
    """Measures all games with all contenders. If a contender fails, it is added to those that are left out."""
    # Imported here, because these modules look for the peers at import, and the folder of the peers was added just now.
    from bench import run
    from bench.reference import boardgameio, catan

    with ExitStack() as stack:
        own = {name: contenders(run, name, 2) for name in CLASSICS}
        if catan.available():
            own |= {name: contenders(run, name, SEATS) for name in HEAVY}
        run.one_core()               # only from here on, so that compilers may use all cores
        node = None
        if NODE in had.versions:
            try:
                node = stack.enter_context(boardgameio.Node.of(had.folder))
            except RuntimeError as reason:
                had.left_out[NODE] = str(reason)
                del had.versions[NODE]
        races = []
        for name, said in CLASSICS.items():
            racers = own[name]
            if node is not None and name in node.games:
                racers[NODE] = partial(node.played, name)
            races.append(race(said, racers, seconds, turns, had.left_out))
        if catan.available():
            heavy = {f"{said}: {OURS[form].partition(', ')[2]}": racer for name, said in HEAVY.items() for form, racer in own[name].items()}
            play = partial(catan.GAMES["catan"], random.Random(1))
            heavy[CATAN] = lambda wanted: run.played(play, wanted)
            races.append(race("Catan in catanatron, and heavy games of ours", heavy, seconds, turns, had.left_out, unlike=True))
    return races


def contenders(run: ModuleType, name: str, players: int) -> dict[str, Racer]:
    """Returns the contenders for a game in this process: first Ludoglot, with its fastest form first, then the peers."""
    def racer(play: Callable[[], int | tuple[int, int]]) -> Racer:
        return lambda seconds: run.played(play, seconds)
    found = run.contenders(name, players)
    return {label: racer(found[label]) for label in (*OURS, *NAMES) if label in found}


def commit() -> str:
    """Returns the commit of these files, with a mark if there are local changes, or "unknown" outside of a repository."""
    try:
        return subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty=, changed", "--exclude=*"], capture_output=True,
                              text=True, check=True, timeout=30).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def load() -> list[float]:
    """Returns the load average of the last minute in a list. The list is empty if the system does not report it."""
    return [os.getloadavg()[0]] if hasattr(os, "getloadavg") else []


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=3.0, help="of the processor for each contender, in all its turns together")
    arguments.add_argument("--turns", type=int, default=5)
    arguments.add_argument("--folder", type=Path, default=place(), help="where peers are kept; the user's cache if nothing is said")
    arguments.add_argument("--installed", action="store_true", help="install nothing")
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--page", type=Path, metavar="FILE.html", help="write a web page too")
    options = arguments.parse_args()
    if options.turns < 1 or options.seconds <= 0:
        arguments.error("at least one turn, and some time")
    had = have(options.folder.resolve(), install=not options.installed)
    before = load()
    races = measure(had, options.seconds, options.turns)
    command = f"python bench/peers.py --seconds {options.seconds:g} --turns {options.turns}"
    report = Report(commit(), command, sys.version.split()[0], os.cpu_count() or 1, [*before, *load()], options.seconds, options.turns,
                    had.versions, had.left_out, races)
    print(json.dumps(report.data(), indent=1) if options.json else table(report))
    if options.page is not None:
        # Imported here, because it needs matplotlib.
        from bench.racing.page import page

        options.page.write_text(page(report), encoding="utf-8")
    if options.json and report.left_out:
        print("\n".join(left_out(report)), file=sys.stderr)


if __name__ == "__main__":
    main()
