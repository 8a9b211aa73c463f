"""Loads a case of the gallery as a game: puts the case into the base game, plays it if needed, and returns the findings."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import yaml
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ludoglot.dsl.diagnostics.render import render_all
from ludoglot.dsl.game.notation_config import check_notation, read_notation
from ludoglot.dsl.game.ruleset import Ruleset, try_load_ruleset
from ludoglot.dsl.game.table_config import check_table_config, read_table_config
from ludoglot.engine.library.find import GameLocation
from ludoglot.engine.position.position import Game, RuleError
from ludoglot.engine.testing.traceability import check_clauses, read_all_scenarios

HERE = Path(__file__).parent
GALLERY = HERE / "bad"
# The directories of the gallery, by topic, with the prefixes of their codes. The first match decides.
TOPICS: dict[str, tuple[str, ...]] = {
    "yaml": ("Y00", "W501"),                                            # not valid YAML here
    "schema": ("Y01", "Y02", "W502"),                               # keys and values that do not fit the schema
    "data": ("G",),                                                # the right form, with inconsistent data
    "house": ("H", "W4", "T"),
    "table": ("B",),
    "notation": ("N",),
    "clauses": ("C", "W3"),
    "secrecy": ("R107", "R117", "R118", "R308", "R327", "R328"),   # leaks of hidden values, or values that bots cannot imagine
    "syntax": ("R0",),
    "names": ("R1",),
    "types": ("R2",),
    "effects": ("R3",),                                            # statements: changes, moves, events, and questions
    "circles": ("R4",),
    "unused": ("W1",),
    "faults": ("F",),                                              # passes `check`, and fails in play
    "several": ("several",),                                       # many kinds of mistakes in one file
    "sound": ("",),                                                # looks wrong and is right
}
NO_FINDINGS = "(nothing to say)"


def write_case(case: Path, folder: Path) -> list[Path]:
    """Writes the game of a case to `folder`. Returns its house rules."""
    shutil.copytree(HERE / "base", folder, dirs_exist_ok=True)
    ending = "".join(case.suffixes[-2:]) if case.suffixes[:-1] and case.suffixes[-2] in (".only", ".game", ".house") else case.suffix
    pack_sources: list[Path] = []
    if case.is_dir():
        shutil.copytree(case, folder, dirs_exist_ok=True)
        for name in (case / "without.txt").read_text().split() if (case / "without.txt").exists() else []:
            (folder / name).unlink()
        pack_sources = sorted([*folder.glob("house*.yaml"), *(path for path in folder.glob("house*") if path.is_dir())])
    elif ending == ".rules":
        shutil.copy(case, folder / "case.rules")
        update_yaml(folder / "game.yaml", rules=["base.rules", "case.rules"])
    elif ending == ".only.rules":
        shutil.copy(case, folder / "case.rules")
        update_yaml(folder / "game.yaml", rules=["case.rules"])
    elif ending == ".yaml":
        shutil.copy(case, folder / "case.yaml")
        update_yaml(folder / "game.yaml", data=["case.yaml"])
    elif ending == ".game.yaml":
        shutil.copy(case, folder / "game.yaml")
    elif ending == ".house.yaml":
        pack_sources = [Path(shutil.copy(case, folder / "house.yaml"))]
    else:
        raise ValueError(f"{case.name}: see README.md for the endings of a case")
    return pack_sources


def find_case_folder(name: str) -> Path:
    """Returns the directory of the gallery for a case with this name."""
    return GALLERY / next(folder for folder, beginnings in TOPICS.items() if name.startswith(beginnings))


def update_yaml(path: Path, **entries: object) -> None:
    data = yaml.safe_load(path.read_text(encoding="utf-8")) | entries
    path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")


def read_load_options(case: Path) -> tuple[int | None, dict[str, str]]:
    """Returns the number of players and the options in the first line of a case."""
    files = [case] if case.is_file() else sorted(path for path in case.rglob("*") if path.is_file())
    for path in files:
        found = re.match(rb"# load:([^\r\n]*)", path.read_bytes())
        if found:
            given = dict(pair.split("=", 1) for pair in found[1].decode().split())
            players = given.pop("players", None)
            return int(players) if players else None, given
    return None, {}


def load_case(case: Path, folder: Path) -> tuple[Ruleset | None, DiagnosticList]:
    """Loads a case from `folder`, a relative path, so that messages contain no path of this machine."""
    pack_sources = write_case(case, folder)
    players, settings = read_load_options(case)
    findings = DiagnosticList()
    return try_load_ruleset(folder, findings, players, settings, pack_sources), findings


def play(ruleset: Ruleset, steps: int = 200) -> Diagnostic | None:
    """Plays the first move of each decision until the game ends or a rule faults. Returns the fault, or None."""
    try:
        position = Game(ruleset).start()
        while position.decision is not None and steps:
            position.play(position.decision.seat, 0)
            steps -= 1
    except RuleError as error:
        return error.diagnostic
    return None


def render_findings(case: Path, folder: Path) -> str:
    """Returns all findings about a case as text."""
    ruleset, findings = load_case(case, folder)
    if ruleset is not None:
        game = GameLocation("toy", folder, str(folder))
        check_clauses(game, ruleset, read_all_scenarios(game, DiagnosticList()), findings)
        panels = read_table_config(folder, findings, str(folder))
        if panels is not None:
            check_table_config(panels, ruleset, findings)
        notation = read_notation(folder, findings, str(folder))
        if notation is not None:
            check_notation(notation, ruleset, findings)
    found = findings.in_source_order()
    if ruleset is not None and case.name.startswith("F"):
        fault = play(ruleset)
        found += [fault] if fault else []
    return (render_all(found) if found else NO_FINDINGS) + "\n"
