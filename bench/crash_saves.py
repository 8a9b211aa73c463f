"""Kills running games and checks that their saves survive: `python bench/crash_saves.py --game evolution --seats human,bot:greedy
--kills 100 [--decisions 40] [--json]`.

First, the script plays a game through `ludoglot play` in a separate process, and types a number for each decision. Then it plays
the game again with the same answers, and kills the process at random moments:

- while it starts or resumes, also from the menu at a terminal,
- while it waits, or after half an answer,
- while it plays or saves a move, or answers a command,
- while bots think.

After each kill, `play --resume` continues the game. The save must then contain every decision that was answered on the screen, and
nothing that was not played. At the end, the save must contain the same decisions and hashes as the save of the first game. The script
starts more games until it reaches the number of kills.

With `--cuts`, the script kills nothing. It cuts the save of the first game at every byte of its header and of its last lines, as if the
program had stopped while it was writing. It reads each piece, resumes it, and plays it to its end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.match.save_file import SAVE_SUFFIX, MatchSetup, SavedDecision, SaveError, read_save
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.position.position import Game

COMMAND = (sys.executable, "-c", "from ludoglot.engine.commands.main import run; run()")
HIGHEST = 20                         # the highest answer to try
PATIENCE = 120                       # seconds without output after which a process counts as hung
PROMPT = (engine_localizer("en").text("ask.prompt") + "> ").encode()
KINDS = ("starting", "waiting", "typing", "answering", "writing", "aside", "menu")
ASIDES = ("save", "news", "board", "log", "why", "help", "?")      # commands that are not answers


class Lost(AssertionError):
    """Raised if a game was lost or changed. The text names the decision and the place."""


@dataclass
class Plan:
    """A game with people at the screen, and the number of decisions to play."""

    game: str
    seats: str = "human,human"
    seed: int = 1
    decisions: int = 40              # by people


@dataclass
class Reference:
    """The game without kills: the line typed for each decision of a person, and the lines of its save."""

    typed: list[str]
    lines: list[SavedDecision]
    raw: bytes


@dataclass
class Outcome:
    """The result: kills by moment, processes, finished games, and decisions of people in these games."""

    plan: Plan
    kills: dict[str, int] = field(default_factory=dict)
    lives: int = 0
    games: int = 0
    decisions: int = 0
    unborn: int = 0                  # kills before the save existed
    bots: int = 0                    # kills after which the last saved decision is a bot's
    seconds: float = 0.0
    hash: str = ""


class Life:
    """One process, from its start to its end."""

    def __init__(self, plan: Plan, folder: Path, resume: bool) -> None:
        more = ["--resume"] if resume else [plan.game, "--seats", plan.seats, "--seed", str(plan.seed)]
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}
        self.errors = tempfile.TemporaryFile()                      # noqa: SIM115  closed by `end`
        self.process = subprocess.Popen([*COMMAND, "play", *more, "--lang", "en"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, env=environment, bufsize=0)
        self.said = b""
        self.asides = 0                                             # commands typed that are not answers

    @property
    def prompts(self) -> int:
        """Returns the number of prompts so far."""
        return self.said.count(PROMPT)

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(text.encode())

    def listen(self, prompts: int | None = None, seconds: float = PATIENCE) -> bool:
        """Reads output until the number of prompts is reached (returns True), the process ends, or the time is over."""
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while prompts is None or self.prompts < prompts:
            left = end - time.monotonic()
            if left <= 0:
                return False
            if select.select([self.process.stdout], [], [], left)[0]:
                part = os.read(self.process.stdout.fileno(), 1 << 16)
                if not part:
                    return False
                self.said += part
        return True

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def end(self) -> None:
        """Reads the rest of the output and checks for internal errors."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.said += self.process.stdout.read()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.judge()

    def judge(self) -> None:
        """Checks the exit code of an ended process, and that it had no internal error."""
        self.errors.seek(0)
        said = self.errors.read().decode("utf-8", "replace")
        self.errors.close()
        if "Traceback" in said or self.process.returncode not in (0, 1, -9):
            raise Lost(f"the program failed ({self.process.returncode}): {said}")


class MenuLife(Life):
    """Runs `ludoglot` without arguments at its own terminal, and continues the save from the menu. It does not count prompts."""

    prompts = 0                      # type: ignore[assignment]

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "PYTHONIOENCODING": "utf-8", "TERM": "dumb"}
        self.errors = tempfile.TemporaryFile()                      # noqa: SIM115  closed by `end`
        self.master, inner = os.openpty()
        self.process = subprocess.Popen([*COMMAND], stdin=inner, stdout=inner, stderr=self.errors, env=environment, start_new_session=True)
        os.close(inner)
        self.said, self.asides = b"", 0

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def listen(self, prompts: int | None = None, seconds: float = PATIENCE) -> bool:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not (prompts and self.said.count(PROMPT) >= prompts):
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.said += os.read(self.master, 1 << 16)
                except OSError:                                     # the other end is closed
                    return False
        return True

    def end(self) -> None:
        self.process.wait(PATIENCE)
        os.close(self.master)
        self.judge()


def save_in(folder: Path) -> Path | None:
    """Returns the save of the game in this data folder, or None if no save has a complete header."""
    for path in sorted(folder.glob(f"ludoglot/saves/*{SAVE_SUFFIX}")):
        try:
            read_save(path)
        except SaveError as fault:
            if fault.key != "save.unborn":
                raise
        else:
            return path
    return None


def decided(lines: list[SavedDecision], setup: MatchSetup) -> int:
    """Returns the number of decisions that people have made."""
    return sum(setup.seats[line.seat] == "human" and not line.auto for line in lines)


def undisturbed(plan: Plan, folder: Path) -> Reference:
    """Plays the game once without kills. For each decision it first tries a number computed from their count, then all others in turn."""
    life, typed = Life(plan, folder, resume=False), []
    prompts = 0
    while len(typed) < plan.decisions:
        for answer in (len(typed) * 7 % 5 + 1, *range(HIGHEST + 1)):
            prompts += 1
            if not life.listen(prompts):
                break
            life.type(f"{answer}\n")
            life.listen(prompts + 1)
            path = save_in(folder)
            assert path is not None
            setup, lines, _ = read_save(path)
            if decided(lines, setup) > len(typed):
                typed.append(str(answer))
                break
        else:
            raise Lost(f"no number from 0 to {HIGHEST} is an option:\n{life.said.decode('utf-8', 'replace')[-2000:]}")
        if life.prompts <= prompts:
            break
    life.end()
    path = save_in(folder)
    if path is None or not typed:
        raise Lost(f"nothing was played:\n{life.said.decode('utf-8', 'replace')}")
    return Reference(typed, read_save(path)[1], path.read_bytes())


def disturbed(plan: Plan, reference: Reference, folder: Path, rng: random.Random, kills: int, outcome: Outcome) -> None:
    """Plays one game through several processes. It kills at most `kills` of them, and never the last one."""
    start = 1.0                                                     # seconds that a process needs until its first prompt
    while True:
        path = save_in(folder)
        setup, lines, _ = read_save(path) if path is not None else (None, [], None)
        before = decided(lines, setup) if setup is not None else 0
        left = reference.typed[before:]
        if path is not None and not left:
            if len(lines) < len(reference.lines):                   # the kill came before the bots of the last answer: they play now
                life = Life(plan, folder, resume=True)
                outcome.lives += 1
                life.listen(1)
                life.end()
            break
        over = sum(outcome.kills.values()) >= kills
        kind = "" if over else rng.choice(KINDS if path is not None else (*KINDS[:-1], *["starting"] * 3))
        life = MenuLife(folder) if kind == "menu" else Life(plan, folder, resume=path is not None)
        outcome.lives += 1
        if over:
            for n, answer in enumerate(left, start=1):
                life.listen(n)
                life.type(f"{answer}\n")
            life.listen(len(left) + 1)
            life.end()
            continue
        begun = time.monotonic()
        if kind == "starting":
            life.type("".join(f"{answer}\n" for answer in left[:3]))
            life.listen(seconds=rng.random() * start * 1.1)
        elif kind == "menu":
            through_menu(life, left, rng, start)
        else:
            life.listen(1)
            start = min(start, time.monotonic() - begun)
            disturb(life, kind, left, folder, rng)
        life.kill()
        outcome.kills[kind] = outcome.kills.get(kind, 0) + 1
        compare(reference, folder, before, life, outcome)
    assert path is not None
    wanted, found = reference.lines, read_save(path)[1]
    if found != wanted:
        raise Lost(f"the game ended otherwise: {len(found)} decisions, not {len(wanted)}")
    outcome.games += 1
    outcome.decisions += len(reference.typed)


def disturb(life: Life, kind: str, left: list[str], folder: Path, rng: random.Random) -> None:
    """Types answers or commands from the first prompt until the moment of the kill."""
    if kind == "waiting":
        life.listen(seconds=rng.random() * 0.01)
        return
    answers = left[: rng.randint(1, 3)]
    if kind == "aside":
        life.asides = 1
        life.type(f"{rng.choice(ASIDES)}\n")
        life.listen(seconds=rng.expovariate(1 / 0.01))
    elif kind == "typing":
        life.type("".join(f"{answer}\n" for answer in answers[:-1]) + answers[-1])
        life.listen(seconds=rng.random() * 0.05)
    elif kind == "answering":
        life.type("".join(f"{answer}\n" for answer in answers))
        life.listen(seconds=rng.expovariate(1 / 0.01))
    else:                                                           # kills at the moment when the save grows
        path = save_in(folder)
        size = path.stat().st_size if path is not None else 0
        life.type("".join(f"{answer}\n" for answer in answers))
        end = time.monotonic() + 1
        while path is not None and path.stat().st_size == size and time.monotonic() < end:
            pass


def through_menu(life: Life, left: list[str], rng: random.Random, start: float) -> None:
    """Opens the second entry of the menu and answers. The kill can follow at any moment."""
    if life.listen(1, rng.random() * start * 3):
        for typed in ("2", *left[:2]):
            life.type(f"{typed}\n")
            life.listen(seconds=rng.random() * start * 0.6)


def compare(reference: Reference, folder: Path, before: int, life: Life, outcome: Outcome) -> None:
    """Checks after a kill that the save contains all answered decisions, and nothing that was not played."""
    path = save_in(folder)
    if path is None:
        outcome.unborn += 1
        if life.prompts:
            raise Lost("there was a question on the screen, but no save")
        return
    setup, lines, _ = read_save(path)
    if lines != reference.lines[: len(lines)]:
        raise Lost(f"the save holds other decisions after {before}")
    sure = before + max(0, life.prompts - 1 - life.asides)
    if decided(lines, setup) < sure:
        raise Lost(f"{sure} decisions were answered, but only {decided(lines, setup)} are saved")
    outcome.bots += bool(lines) and setup.seats[lines[-1].seat] != "human"


def kill_often(plan: Plan, kills: int, folder: Path) -> Outcome:
    """Plays games of a plan until it reaches the number of kills. Raises Lost."""
    begun, rng, outcome = time.monotonic(), random.Random(plan.seed), Outcome(plan)
    reference = undisturbed(plan, folder / "undisturbed")
    outcome.hash = reference.lines[-1].hash
    while sum(outcome.kills.values()) < kills:
        disturbed(plan, reference, folder / f"game{outcome.games}", rng, kills, outcome)
    outcome.seconds = round(time.monotonic() - begun, 1)
    return outcome


# ------------------------------------------------------------ cuts


def cut_everywhere(reference: Reference, folder: Path, lines: int = 3) -> Counter:
    """Cuts a save at every byte of its header and of its last `lines` lines, and continues each piece. Raises Lost."""
    raw, counted, compiled = reference.raw, Counter[str](), None
    parts = raw.splitlines(keepends=True)
    lines = min(lines, len(parts) - 2)                             # without the header and its copy
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"cut{SAVE_SUFFIX}"
    for at in range(len(parts[0])):
        path.write_bytes(raw[:at])
        try:
            read_save(path)
        except SaveError as fault:
            if fault.key == "save.unborn":
                counted["headers"] += 1
                continue
        raise Lost(f"a header of {at} bytes was taken for one")
    for at in range(len(parts[0]), 2 * len(parts[0]) + 1):          # in the copy of the header
        path.write_bytes(raw[:at])
        if read_save(path)[1]:
            raise Lost(f"cut at byte {at}: decisions that were never made")
        counted["headers"] += 1
    for at in range(len(raw) - sum(map(len, parts[-lines:])), len(raw) + 1):
        path.write_bytes(raw[:at])
        setup, found, _ = read_save(path)
        whole = raw[:at].count(b"\n") - 2                            # without the header and its copy
        if found != reference.lines[:whole]:
            raise Lost(f"cut at byte {at}: {len(found)} decisions, not {whole}")
        if compiled is None:
            compiled = Game(load_ruleset(find_game_location(setup.game).folder, setup.players, setup.options))
        table = MatchTable.resume(compiled, path)
        while len(table.steps) < len(reference.lines):
            if not any(True for _ in table.take_automatic()):
                table.play(reference.lines[len(table.steps)].option)
        assert table.save is not None
        table.save.close()
        if path.read_bytes() != raw:
            raise Lost(f"cut at byte {at}: the game ended otherwise")
        counted["lines"] += 1
    return counted


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--game", default="tic-tac-toe")
    arguments.add_argument("--seats", default="human,human")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--decisions", type=int, default=40, help="of people, in one game")
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--cuts", action="store_true", help="cut the save instead of killing the program")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    plan = Plan(given.game, given.seats, given.seed, given.decisions)
    with tempfile.TemporaryDirectory() as folder:
        if given.cuts:
            counted = cut_everywhere(undisturbed(plan, Path(folder) / "undisturbed"), Path(folder) / "cut")
            print(json.dumps(counted) if given.json else
                  f"{plan.game}: cut in the header {counted['headers']} times, behind it {counted['lines']} times; every game went on to"
                  " the same end")
            return
        outcome = kill_often(plan, given.kills, Path(folder))
    if given.json:
        print(json.dumps(asdict(outcome), indent=2))
        return
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(outcome.kills.items()))
    print(f"{plan.game} ({plan.seats}), seed {plan.seed}: {sum(outcome.kills.values())} kills ({kinds}; {outcome.unborn} before there was a"
          f" save, {outcome.bots} behind a bot's decision) in {outcome.games} games of {outcome.decisions // outcome.games} decisions of"
          f" people; nothing lost, every game ended as undisturbed ({outcome.hash}); {outcome.seconds} s")


if __name__ == "__main__":
    main()
