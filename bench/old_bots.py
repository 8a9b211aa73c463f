"""Loads the bot `greedy` of an earlier revision, so that it can play against the current one: `former(revision, folder, game)`.

Its program (all of engine/bots) and the rule files of the game come from that revision. The bot therefore thinks as it did then, with its
own lookahead and with the estimate of the old rules. The states and decisions of the game must be the same as today. On request it thinks
in C, if it did so then and the interface that it needs still exists. If the rules have changed more than that, take only some defs from
the old revision, those of the estimate. Everything else then comes from the current one.
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
    """Extracts parts of the repository at a revision into a folder."""
    archive = subprocess.run(["git", "archive", revision, *parts], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def set_back(then: Path, now: Path, name: str) -> None:
    """Replaces a def of one line in the current rules by its text in the old rules."""
    line = re.compile(rf"^def {re.escape(name)}\b.*$", re.MULTILINE)
    (old,) = [found[0] for file in then.glob("*.rules") for found in [line.search(file.read_text("utf-8"))] if found]
    (file,) = [file for file in now.glob("*.rules") if line.search(file.read_text("utf-8"))]
    file.write_text(line.sub(lambda _: old, file.read_text("utf-8")), "utf-8")


def former(revision: str, name: str, game: Game, in_c: bool = False, defs: Sequence[str] = ()) -> Chooser:
    """Returns the function with which `greedy` chose at that revision, for a game of that revision."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(revision, [f"rules/{name}", "engine/bots"], Path(folder))
        rules = Path(folder) / "rules" / name
        if defs:
            rules = Path(folder) / name
            shutil.copytree(ROOT / "rules" / name, rules)
            for one in defs:
                set_back(Path(folder) / "rules" / name, rules, one)
        then = Game(load_ruleset(rules, game.players, dict(game.ruleset.settings)))
        package = ModuleType("ludoglot.engine.former")             # a sibling of engine/bots, so that imports of the engine work
        package.__path__ = [str(Path(folder) / "engine" / "bots")]
        sys.modules[package.__name__] = package
        think = importlib.import_module("ludoglot.engine.former.bots").choose_greedy
        if in_c and (Path(folder) / "engine/bots/native.py").is_file():
            try:
                native = importlib.import_module("ludoglot.engine.former.native").Native(then)
                native.wait()                                      # before the temporary folder is deleted
                if native.found is not None:
                    think = partial(native.choose, "greedy")
            except (ImportError, AttributeError, TypeError):       # it needs something that no longer exists
                pass

    def choose(position: Position, seat: int, rng: object) -> int:
        data = position.to_data()
        data["rules"] = then.ruleset.layout_fingerprint
        chosen: int = think(Position.from_data(then, data), seat, rng)
        return chosen
    return choose
