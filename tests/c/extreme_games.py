"""Creates small games with extreme numbers that no author would write, and plays them in C and in Python."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from c_comparison import GAMES
from ludoglot.dsl.backend_c.ffi import NativeContext, build_library
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.backend_c.toolchain import NativeBuild
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.ir.value_types import UnsupportedConstructError
from ludoglot.engine.bots import selftest
from ludoglot.engine.position.position import Game

QUICK_FLAGS = ("-O1", "-std=gnu11", "-shared", "-fPIC", "-fwrapv", "-fvisibility=hidden", "-w", "-DLG_CHECK")
OUT_OF_RANGE_CODE = -9                # returned by C for an index outside its slots, or a number too large for its slot
SEEDS, DECISIONS = 3, 40
EXTREME_NUMBERS = [0, 1, 2, 9, 62, 63, 64, 65, 126, 127, 128, 129, 254, 255, 256, 257, 999, 32766, 32767, 32768, 65535, 65536, 90_000,
                   2**31 - 2, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 2, 2**63 - 1, 2**63, 2**64, 10**20]
OTHER_OPERATORS = {"+": "- *", "-": "+ *", "*": "+ -", "<": "<= >", "<=": "< >=", ">": ">= <", ">=": "> <=", "==": "!=", "!=": "==",
                   "+=": "-=", "-=": "+=", "min": "max", "max": "min", "div": "mod", "mod": "div"}
NUMBER = re.compile(r"(?<![\w.@-])\d+(?![\w-])")
RANGE = re.compile(r"\b0\.\.\d+")
OPERATOR = re.compile(r"(?<= )(?:\+=|-=|<=|>=|==|!=|[-+*<>])(?= )|\b(?:min|max|div|mod)\b(?=[ (])")
BASE_GAMES = ("drift", "flower-stall", "food-chain", "masquerade", "orchard-floor", "parry", "tickets", "tic-tac-toe", "yacht", "oware",
              "kalah", "liars-dice")


def mutate(folder: Path, rng: random.Random) -> str:
    """Puts a few mistakes, mostly extreme numbers, into a copy of a game. Returns a description of the changes."""
    changed = []
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        path = rng.choice([*sorted(folder.glob("*.rules")) * 3, folder / "game.yaml"])
        text = path.read_text(encoding="utf-8")
        found = [*NUMBER.finditer(text)] + ([*OPERATOR.finditer(text)] if path.suffix == ".rules" else [])
        found = [one for one in found if "#" not in text[text.rfind("\n", 0, one.start()) + 1 : one.start()]
                 and "@" not in text[text.rfind("\n", 0, one.start()) + 1 : one.start()]]
        if not found:
            continue
        place = rng.choice(found)
        new = str(rng.choice(EXTREME_NUMBERS)) if place[0].isdigit() else rng.choice(OTHER_OPERATORS[place[0]].split())
        if place[0].isdigit() and path.suffix == ".rules" and rng.random() < 0.2:
            new = f"(0 - {new})"
        path.write_text(text[: place.start()] + new + text[place.end() :], encoding="utf-8")
        changed.append(f"{path.name}:{text.count(chr(10), 0, place.start()) + 1}: {place[0]} -> {new}")
    return ", ".join(changed)


def run_trial(seed: str, room: Path, bases: Sequence[str] = BASE_GAMES) -> tuple[str, str, str | None]:
    """Plays one game with mistakes in C and in Python.

    Returns the changes, the outcome (refused, not in C, same, differs), and the difference.
    """
    rng = random.Random(seed)
    base = rng.choice(bases)
    folder = room / base
    shutil.copytree(GAMES[base], folder, ignore=shutil.ignore_patterns("tests"))
    try:
        what = f"{base}: {mutate(folder, rng)}"
        try:
            game = Game(load_ruleset(folder))
        except (RulesRejectedError, SystemExit):
            return what, "refused", None
        found = find_difference(game)
        return what, "same" if found is None else "not in C" if found.startswith("not in C") else "differs", found
    finally:
        shutil.rmtree(folder)


def find_difference(game: Game) -> str | None:
    """Returns the first difference between C and Python in a few random games."""
    try:
        program = CProgram(game.module.machine, game.players)
        text = program.write().replace("__builtin_trap()", f"lg_leave(x, {OUT_OF_RANGE_CODE})")
        made = build_library(NativeBuild(text, QUICK_FLAGS), program)
    except UnsupportedConstructError as unknown:
        return f"not in C: {unknown}"
    if made is None:
        return "the compiler refuses"
    c = NativeContext(made)
    for seed in range(SEEDS):
        wrong, _ = selftest.compare_random_game(game, c, seed, DECISIONS, hashed=False)
        if wrong is not None:
            return wrong
    return None
