"""Checks keys and flags of earlier versions in files and commands: they still work, and `check` names their replacements."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.table_config import read_table_config
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.lsp.rename import find_table_keys

OLD_TOP_KEYS = {"watch": "worth", "potential": "outlook", "log": "news", "status": "line", "inspect": "look"}
OLD_INNER_KEYS = {"major": "great", "minor": "slight", "pieces": "here", "markers": "marks", "terrain": "ground"}
PACK = """house: two-panels
for: {game}
table:
  panels:
    - board: ocean
      name: ocean
      ground: tile
      here: [herds]
"""


def restore_old_keys(text: str) -> str:
    """Returns a table.yaml with the keys of an earlier version of Ludoglot."""
    for new, old in OLD_TOP_KEYS.items():
        text = re.sub(rf"^{new}:", f"{old}:", text, flags=re.M)
    for new, old in OLD_INNER_KEYS.items():
        text = re.sub(rf"^( +){new}:", rf"\1{old}:", text, flags=re.M)
    return text


@pytest.fixture
def trias_with_old_keys(rules, tmp_path) -> Path:
    """Copies a game that uses most keys to a directory outside Ludoglot."""
    folder = shutil.copytree(rules / "trias", tmp_path / "trias")
    path = folder / "table.yaml"
    path.write_text(restore_old_keys(path.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


@pytest.mark.parametrize("game", ["trias", "dominant-species", "evolution"])
def test_an_old_table_is_read_like_a_new_one(rules, tmp_path, game):
    path = tmp_path / "table.yaml"
    path.write_text(restore_old_keys((rules / game / "table.yaml").read_text(encoding="utf-8")), encoding="utf-8")
    findings = DiagnosticList()
    old, new = read_table_config(tmp_path, findings), read_table_config(rules / game, DiagnosticList())
    assert old is not None and new is not None and old.data == new.data and list(old.data) == list(new.data)
    assert old.keys.keys() == new.keys.keys() and old.values.keys() == new.values.keys()
    said = {one.code for one in findings.items}, {(one.args["name"], one.args["meant"]) for one in findings.items}
    assert said[0] == {"W502"} and said[1] <= {(old, new) for new, old in {**OLD_TOP_KEYS, **OLD_INNER_KEYS}.items()}


def test_check_names_new_keys_and_play_is_silent(ludoglot, trias_with_old_keys):
    said = ludoglot("check", trias_with_old_keys)
    assert said.code == 0 and said.out.count("W502]") == 9 and 'The key "worth" is now called "watch".' in said.out
    said = ludoglot("play", trias_with_old_keys, "--players", "2", "--seed", "1", "--seats", "human,human", typed="board\n")
    assert "W502" not in said.out + said.err
    new = ludoglot("play", "trias", "--players", "2", "--seed", "1", "--seats", "human,human", typed="board\n")
    assert said.out == new.out


def test_an_old_pack_and_its_saves_still_work(ludoglot, tmp_path):
    pack = tmp_path / "two-panels.yaml"
    pack.write_text(PACK.replace("{game}", "trias"), encoding="utf-8")
    said = ludoglot("check", "trias", "--house", pack)
    assert said.code == 0 and 'The key "here" is now called "pieces".' in said.out and "two-panels.yaml:8" in said.out
    save = tmp_path / "game.ludoglot"
    begin = ("play", "trias", "--players", "2", "--seed", "1", "--seats", "human,human")
    said = ludoglot(*begin, "--house", pack, "--save", save, typed="1\n")
    assert said.code == 0 and "W502" not in said.out + said.err
    pack.unlink()                                                  # the save contains a copy
    said = ludoglot("play", "--resume", save, typed="board map\n")
    assert said.code == 0 and "W502" not in said.out + said.err and "Error" not in said.err
    assert ludoglot("replay", save, "--verify").code == 0


@pytest.mark.long
def test_a_copy_of_an_old_game_with_a_pack_has_the_new_keys(ludoglot, trias_with_old_keys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pack = tmp_path / "two-panels.yaml"
    pack.write_text(PACK.replace("{game}", "trias"), encoding="utf-8")
    said = ludoglot("copy", trias_with_old_keys, "mine", "--house", pack)
    assert said.code == 0, said.out + said.err
    table = (tmp_path / "mine" / "table.yaml").read_text(encoding="utf-8")
    assert "pieces: [herds]" in table and "watch:" in table and "worth:" not in table and "here:" not in table


def test_a_rename_leaves_the_keys_of_a_table_alone():
    table = "panels:\n  - board: b\n    terrain: terrain\ninspect: {terrain: [height]}\n"
    assert find_table_keys(table) == {(1, 1), (2, 5), (3, 5), (4, 1)}


def test_old_commands_and_flags_work_but_are_hidden(ludoglot, orchard, tmp_path):
    pack = tmp_path / "rich.yaml"
    pack.write_text("house: rich\nfor: orchard\nset: {Card.harvest.apples: 5}\n", encoding="utf-8")
    assert ludoglot("house", "list", "hex").out == ludoglot("packs", "list", "hex").out
    assert ludoglot("house", "diff", orchard, "--house", pack).out == ludoglot("packs", "diff", orchard, "--pack", pack).out != ""
    assert ludoglot("perft", "tic-tac-toe", "--depth", "2").out == ludoglot("count", "tic-tac-toe", "--depth", "2").out != ""
    other = tmp_path / "named.yaml"
    other.write_text("house: named\nfor: orchard\nset: {name: Yard}\n", encoding="utf-8")
    assert ludoglot("packs", "diff", orchard, "--house", pack, "--pack", other).out.count("Changes in") == 2
    pages = [ludoglot("--help").out, *(ludoglot(name, "--help").out for name in ("house", "help", "check", "play"))]
    assert not any(re.search(r"--house|ludoglot house|^ +(house|perft)  ", page, re.M) for page in pages)
    assert "ludoglot packs diff --help" in ludoglot("house", "diff").err and "--pack" in ludoglot("play", "--pak", "x").err


@pytest.mark.parametrize(("lang", "old", "new"), [
    ("en", "hints off", "preview off"), ("it", "consigli no", "anteprima no"), ("es", "pistas no", "previsión no"),
    ("hu", "tippek ki", "előnézet ki"), ("hu", "hints off", "preview off")])
def test_old_prompt_commands_work_but_are_hidden(ludoglot, lang, old, new):
    begin = ("play", "tic-tac-toe", "--seed", "1", "--seats", "human,human", "--lang", lang)
    shown = [ludoglot(*begin, typed=f"{word}\n").out.replace(f"> {word}", "> ") for word in (old, new)]
    assert shown[0] == shown[1]
    page = ludoglot(*begin, typed=f"{game_localizer(lang, 'hex', Path(), {}).text('command.help')}\n").out
    assert {"en": "preview", "it": "anteprima", "es": "previsión", "hu": "előnézet"}[lang] in page
    assert not re.search(r"^ +(hints?|consigli|pistas|tippek) ", page, re.M)
