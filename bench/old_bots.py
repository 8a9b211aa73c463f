"""The bot `greedy` of an earlier revision, at a table with today's: `former(revision, folder, game)`.

Its program (all of engine/bots) and the game's rule files are taken out of the repository as they were then, so that it thinks as it
thought: with its own looks ahead, and with the estimate that the rules declared. The states and decisions of the game must be what they
were. If asked, it thinks in C, where it did so then and what it was written for is still there. Where the
rules have changed more than that, only some defs may be taken as they were, those of the estimate, and all else as it is.
"""

from __future__ import annotations

import importlib
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.bots.greedy import Chooser
from ludoglot.engine.position.position import Game, Position

ROOT = Path(__file__).parent.parent


def unpack(revision: str, parts: list[str], folder: Path) -> None:
    """Lay parts of the repository, as they were at that revision, into a folder."""
    archive = subprocess.run(["git", "archive", revision, *parts], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def set_back(then: Path, now: Path, name: str) -> None:
    """Write a def of one line into the rules of now as it was in those of then."""
    line = re.compile(rf"^def {re.escape(name)}\b.*$", re.MULTILINE)
    (old,) = [found[0] for file in then.glob("*.rules") for found in [line.search(file.read_text("utf-8"))] if found]
    (file,) = [file for file in now.glob("*.rules") if line.search(file.read_text("utf-8"))]
    file.write_text(line.sub(lambda _: old, file.read_text("utf-8")), "utf-8")


def former(revision: str, name: str, game: Game, in_c: bool = False, defs: Sequence[str] = ()) -> Chooser:
    """How `greedy` chose at that revision, in a game of that revision."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(revision, [f"rules/{name}", "engine/bots"], Path(folder))
        rules = Path(folder) / "rules" / name
        if defs:
            rules = Path(folder) / name
            shutil.copytree(ROOT / "rules" / name, rules)
            for one in defs:
                set_back(Path(folder) / "rules" / name, rules, one)
        then = Game(load_ruleset(rules, game.players, dict(game.ruleset.settings)))
        package = ModuleType("ludoglot.engine.former")             # beside engine/bots, so that it finds the rest of the engine
        package.__path__ = [str(Path(folder) / "engine" / "bots")]
        sys.modules[package.__name__] = package
        think = importlib.import_module("ludoglot.engine.former.bots").choose_greedy
        if in_c and (Path(folder) / "engine/bots/native.py").is_file():
            try:
                native = importlib.import_module("ludoglot.engine.former.native").Native(then)
                native.wait()                                      # as long as its files are there
                if native.found is not None:
                    think = partial(native.choose, "greedy")
            except (ImportError, AttributeError, TypeError):       # it wants what is not there any more
                pass

    def choose(position: Position, seat: int, rng: object) -> int:
        data = position.to_data()
        data["rules"] = then.ruleset.layout_fingerprint
        chosen: int = think(Position.from_data(then, data), seat, rng)
        return chosen
    return choose
