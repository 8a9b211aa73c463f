"""Checks `copy --pack`: the new game plays like the original with its packs, passes `check`, and speaks four languages.

The copy keeps the scenarios that pass.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.packs import apply_packs
from ludoglot.dsl.packs.source import read_game
from ludoglot.dsl.yaml.yaml_edit import edit_yaml
from ludoglot.engine.commands.copy import copy_game_files
from ludoglot.engine.library.find import GameLocation, find_game_location, format_path
from ludoglot.engine.project import merge_packs
from ludoglot.engine.project.check import check_game

PACKS = sorted((Path(__file__).parents[2] / "docs/examples/packs").glob("*.yaml"))
# The scenarios of these packs run too. Only the first is quick.
PACKS_WITH_SCENARIOS = ("connect-five", "pie-rule", "breakthrough-6", "no-piracy", "swamps")
SCENARIO_CASES = [pytest.param(path, id=path.stem, marks=() if path.stem == PACKS_WITH_SCENARIOS[0] else pytest.mark.long)
                  for path in PACKS if path.stem in PACKS_WITH_SCENARIOS]
OTHER_CASES = [pytest.param(path, id=path.stem, marks=pytest.mark.long) for path in PACKS if path.stem not in PACKS_WITH_SCENARIOS]


def find_base_game(path: Path) -> GameLocation:
    return find_game_location(str(yaml.safe_load(path.read_text(encoding="utf-8"))["for"]))


def check_folder(folder: Path) -> list[str]:
    findings = DiagnosticList()
    check_game(GameLocation(str(folder), folder, format_path(folder)), [], findings)
    return [str(found) for found in findings.items]


@pytest.mark.long_cases("connect-five")
@pytest.mark.parametrize("path", SCENARIO_CASES)
def test_a_copy_passes_check_and_its_tests(ludoglot, tmp_path, path):
    base, folder = find_base_game(path), tmp_path / "mine"
    made = ludoglot("copy", base.name, "my-own", folder, "--pack", path)
    assert made.code == 0, made.err
    assert check_folder(folder) == []
    assert load_ruleset(folder).rules_fingerprint() == load_ruleset(base.folder, pack_sources=[path]).rules_fingerprint()
    tested = ludoglot("test", folder)
    assert tested.code == 0 and "fail" not in tested.out, tested.out
    every = parse_count(ludoglot("test", base.name).out, " passed") + len(yaml.safe_load(path.read_text(encoding="utf-8"))["tests"])
    assert parse_count(tested.out, " passed") == every - parse_count(made.out, " left out")


def parse_count(said: str, word: str) -> int:
    """Returns the number in the first line that contains this word, or 0 if no line does."""
    found = next((line.split(" ")[0] for line in said.splitlines() if word in line), "0")
    return 1 if found == "One" else int(found)


@pytest.mark.parametrize("path", OTHER_CASES)
def test_a_copy_plays_the_same_games(tmp_path, path, monkeypatch):
    """Runs no scenarios. The copy keeps those of the game, which may not fit."""
    monkeypatch.setattr(merge_packs, "merge_scenarios", lambda *_: Counter())
    monkeypatch.setattr(merge_packs, "drop_failing_scenarios", lambda *_: 0)
    base, folder = find_base_game(path), tmp_path / "mine"
    findings = DiagnosticList()
    source = read_game(base.folder, findings, base.shown)
    assert source is not None and apply_packs(source, [path], findings)
    copy_game_files(base, "mine", folder)
    merge_packs.merge_packs_into_copy(base, source, [path], GameLocation("mine", folder, format_path(folder)))
    assert [one for one in check_folder(folder) if "/tests/" not in one] == []
    assert load_ruleset(folder).rules_fingerprint() == load_ruleset(base.folder, pack_sources=[path]).rules_fingerprint()


@pytest.mark.long
def test_a_copy_has_the_texts_of_the_pack_in_every_language(ludoglot, tmp_path, rules):
    pack, folder = rules.parent / "docs/examples/packs/connect-five.yaml", tmp_path / "mine"
    assert ludoglot("copy", "connect-four", "my-own", folder, "--pack", pack).code == 0
    for lang in ("en", "it", "es", "hu"):
        ours, theirs = (ludoglot("show", *of, "--lang", lang).out.splitlines() for of in ((folder,), ("connect-four", "--pack", pack)))
        assert ours[:2] == theirs[:2], lang


@pytest.mark.long
def test_steps_are_inserted_into_one_line_blocks(ludoglot, tmp_path):
    """A step on the same line as the head of its block gets its own line if a pack inserts a step next to it. Two packs apply in order."""
    game = tmp_path / "jar"
    game.mkdir()
    (game / "game.yaml").write_text("game: jar\nname: Jar\nplayers: 2\nrules: [jar.rules]\nnumbers: {most: 3}\n", encoding="utf-8")
    (game / "jar.rules").write_text(
        "state beans[Player]: 0..99\n\n# One go after the other.\nphase game:\n    repeat 2:\n"
        "        for player in Player: go(player)     # everybody\n\n"
        "proc go(player) by player:\n    choose n in 1..most or stop\n    if n > 1: beans[player] += n\n    else: beans[player] += 1\n\n"
        "standing player: beans[player]\n", encoding="utf-8")
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("house: first\nfor: jar\nset: {most: 4}\nsteps:\n"
                     "  - before: 'game: go(player)'\n    rules: 'beans[player] += 2'\n"
                     "  - after: 'go: end'\n    rules: 'if beans[player] > 9: beans[player] -= 9'\n"
                     "  - head: 'go: if n > 1'\n    rules: 'if n > 2:'\n", encoding="utf-8")
    second.write_text("house: second\nfor: jar\nset: {players: 3}\nadd: {numbers: {least: 2}}\nrules: |\n  # Nobody is left without.\n"
                      "  def enough(player) = beans[player] >= least\n"
                      "steps:\n  - after: 'game: go(player)'\n    rules: 'if not enough(player): beans[player] = least'\n",
                      encoding="utf-8")
    made = ludoglot("copy", game, "full-jar", tmp_path / "full", "--pack", first, "--pack", second)
    assert made.code == 0, made.err
    assert (tmp_path / "full" / "jar.rules").read_text(encoding="utf-8").splitlines()[2:18] == [
        "# One go after the other.", "phase game:", "    repeat 2:", "        for player in Player:", "            beans[player] += 2",
        "            go(player)     # everybody", "            if not enough(player): beans[player] = least", "",
        "proc go(player) by player:", "    choose n in 1..most or stop", "    if n > 2: beans[player] += n",
        "    else: beans[player] += 1", "    if beans[player] > 9: beans[player] -= 9", "", "standing player: beans[player]"]
    assert load_ruleset(tmp_path / "full").rules_fingerprint() == load_ruleset(game, pack_sources=[first, second]).rules_fingerprint()


@pytest.mark.parametrize("text, data, wanted", [
    ("a: 1   # one\nb: {c: 2, d: 3}\n", {"a": 1, "b": {"c": 2, "d": 4}}, "a: 1   # one\nb: {c: 2, d: 4}\n"),
    ("a: 1   # one\nb: 2\n", {"b": 2}, "b: 2\n"),
    ("a:\n  b: 1\n\n# behind\nc: 2\n", {"a": {"b": 1, "d": "x y"}, "c": 2}, "a:\n  b: 1\n  d: x y\n\n# behind\nc: 2\n"),
    ("list:\n  - a\n  - b\n  - c\n", {"list": ["b", "d", "c"]}, "list:\n  - b\n  - d\n  - c\n"),
    ("a: {b: 1}", {"a": {"b": 1, "c": True}, "e": "no"}, 'a: {b: 1, c: true}\ne: "no"\n'),
    ('a: "Old: one."\n', {"a": "New."}, 'a: "New."\n'),
    ("a: 1\n", {}, "{}\n"),
    ("a: x\n", {"a": "08", "b": ["09", "~", 7]}, 'a: "08"\nb: ["09", "~", 7]\n'),
])
def test_edited_yaml_keeps_its_layout(text, data, wanted):
    assert edit_yaml(text, data) == wanted


def test_schema_lines_of_a_copied_game_have_valid_paths(ludoglot, tmp_path):
    assert ludoglot("copy", "chess", "mine", tmp_path / "deep" / "mine").code == 0
    found = [(path, line.partition("$schema=")[2]) for path in (tmp_path / "deep").rglob("*.yaml")
             for line in path.read_text(encoding="utf-8").splitlines() if "$schema=" in line]
    assert len(found) > 3 and all((path.parent / schema).is_file() for path, schema in found), found


def test_the_id_of_a_shipped_game_is_rejected(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = ludoglot("copy", "hex", "hex")
    assert said.code == 2 and "There is already a game with the id “hex”." in said.err and "letters" not in said.err
    said = ludoglot("copy", "hex", "My Hex")
    assert said.code == 2 and "letters" in said.err
