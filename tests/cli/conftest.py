from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ludoglot.engine.commands.main import main
from ludoglot.engine.match import save_index
from tmp_files import filled

LANGUAGES = ("it", "es", "hu", "en")


@pytest.fixture(autouse=True)
def share_compiled_rules(shared_rules: None) -> None:
    """Shares compiled rules between tests. Otherwise, each command would compile its game."""


@dataclass
class CommandResult:
    """The result of a command line."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def save_folder(tmp_path, monkeypatch):
    """Saves games in a directory of the test, in an environment without a language."""
    monkeypatch.setattr(save_index, "saves_folder", lambda: tmp_path / "saves")
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "LUDOGLOT_DEBUG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "saves"


def find_save(folder: Path) -> Path:
    """Returns the only save of the test."""
    (path,) = folder.glob("*.ludoglot")
    return path


@pytest.fixture
def ludoglot(capsys, monkeypatch) -> Callable[..., CommandResult]:
    """Runs a command in this process: `ludoglot("play", "hex", typed="a1\\n")`."""
    def run(*args: str, typed: str = "") -> CommandResult:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return CommandResult(code, out, err)
    return run


COMMAND = (sys.executable, "-c", "from ludoglot.engine.commands.main import run; run()")


@pytest.fixture
def run_process(tmp_path) -> Callable[..., CommandResult]:
    """Runs a command in its own process. Keywords change environment variables."""
    def run(*args: str, typed: str = "", **environ: str) -> CommandResult:
        environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8", **environ}
        line = [*COMMAND, *map(str, args)]
        done = subprocess.run(line, input=typed.encode(), capture_output=True, env=environment, timeout=120, check=False)
        return CommandResult(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
    return run


GAME = """\
game: orchard
name: Orchard
players: 2
rules: [orchard.rules]
enums:
  Player: {name: player, members: {ann: {name: ann}, bea: {name: bea}}}
  Card:
    name: card
    members:
      harvest: {name: Harvest, apples: 3, text: "Take {apples} apples."}
      rest: {name: Rest, text: "Do nothing."}
"""
RULES = """\
state apples[Player]: 0..99
state row: set of Card

phase game:
    row = set(card in Card)
    rounds of player in Player until any(p in Player where apples[p] >= 6):
        choose card in row by player or stop
        effect[card](player)

proc effect[harvest](player): apples[player] += harvest.apples
proc effect[rest](player): stop

standing player: apples[player]
"""
TEXTS = {"it": "Prendi {apples} mele.", "es": "Toma {apples} manzanas.", "hu": "Vegyél el {apples} almát."}


@pytest.fixture
def orchard(tmp_path) -> Path:
    """Creates a game outside Ludoglot's own directory, in English."""
    return filled(tmp_path / "orchard", {"game.yaml": GAME, "orchard.rules": RULES})


@pytest.fixture
def translated_orchard(orchard) -> Path:
    """Adds texts in other languages to the orchard."""
    return filled(orchard, {
        f"locale/{lang}/LC_MESSAGES/orchard.po":
            'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
            f'msgctxt "Card.harvest.text"\nmsgid "Take {{apples}} apples."\nmsgstr "{text}"\n'
        for lang, text in TEXTS.items()})


@pytest.fixture
def richer_pack(tmp_path) -> Path:
    """Creates a house rule for the orchard."""
    path = tmp_path / "richer.yaml"
    path.write_text("house: richer\nfor: orchard\nset:\n  Card.harvest.apples: 5\n", encoding="utf-8")
    return path
