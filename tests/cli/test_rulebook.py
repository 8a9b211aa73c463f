"""Checks `ludoglot rulebook`: both file formats, equal printed output, marked house rules and options, and rejected arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"


@pytest.mark.long
def test_the_file_name_selects_the_format(ludoglot, tmp_path):
    page, text = tmp_path / "hex.html", tmp_path / "hex.md"
    assert ludoglot("rulebook", "hex", "--out", str(page), "--lang", "hu").code == 0
    assert page.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="hu">')
    said = ludoglot("rulebook", "hex", "--out", str(text))
    assert (said.code, said.out) == (0, f"Wrote {text}.\n")
    assert text.read_text(encoding="utf-8").startswith("# Hex\n")
    assert ludoglot("rulebook", "hex", "--out", "-").out == text.read_text(encoding="utf-8")


def test_invalid_rulebook_arguments_are_rejected(ludoglot, tmp_path):
    said = ludoglot("rulebook", "hex", "--out", str(tmp_path / "hex.pdf"))
    assert said.code == 2 and "A rulebook file must end in .html or .md" in said.err
    assert ludoglot("rulebook", "hex", "--out", str(tmp_path / "none" / "hex.md")).code == 1
    assert ludoglot("rulebook", "hexx", "--out", "-").code == 2
    assert ludoglot("rulebook", "hex", "--players", "3", "--out", "-").code == 2


@pytest.mark.long
def test_house_rules_are_marked(ludoglot):
    said = ludoglot("rulebook", "dominant-species", "--pack", str(EXAMPLES / "rich-soil.yaml"), "--players", "4", "--out", "-").out
    line = "Fertile: choose a tile that you occupy and gain {} for every species on it, including those of other animals."
    assert line.format("2 victory points") in re.sub(r"\[([^\]]*)\]\(#[^)]*\)", r"\1", said)
    assert f"Changed by the house rules rich-soil. It used to read: “{line.format('1 victory point')}”" in said
    assert "This rulebook includes the house rules “rich-soil”." in said
    assert said.count("Changed by the house rules") == 1


@pytest.mark.long
def test_options_and_players_select_the_text(ludoglot):
    usual = ludoglot("rulebook", "dominant-species", "--players", "3", "--out", "-").out
    chosen = ludoglot("rulebook", "dominant-species", "--players", "3", "--option", "first_earth=random", "--out", "-").out
    assert "This rulebook uses the choice “drawn at random”." in chosen and "This rulebook uses" not in usual
    assert "Rulebook – for 3 players" in usual and "With 2 players" not in usual

    assert usual.index("DS-VAR-RND-03") > usual.index('<a id="stage-more">')
    assert chosen.index("DS-VAR-RND-03") < chosen.index('<a id="stage-course">'), "a chosen option must be part of the setup"


DROP_PACK = 'house: drop\nfor: oware\nsteps:\n  - drop: "capture: if n == left(next(player))"\n'
DROPPED_SENTENCE = "“A move that would capture all the seeds on your opponent’s side is a grand slam. It captures nothing.”"


@pytest.mark.long
def test_a_rule_that_a_pack_drops_is_marked_in_all_outputs(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drop.yaml").write_text(DROP_PACK, encoding="utf-8")
    said = ludoglot("explain", "OWA-TAKE-03", "--pack", "drop.yaml")
    assert " ".join(said.out.split()).startswith(f"OWA-TAKE-03: “drop” removes this rule (drop.yaml:4). It said: {DROPPED_SENTENCE}")
    said = ludoglot("trace", "oware", "--family", "OWA-TAKE-03", "--pack", "drop.yaml")
    assert "“drop” removes this rule" in said.out
    said = ludoglot("rulebook", "oware", "--pack", "drop.yaml", "--out", "-")
    assert f"Removed by the house rules drop: “~~{DROPPED_SENTENCE[1:-1]}~~”" in said.out, "the sentence must be struck at its place"
    assert said.out.count("A move that would capture") == 2 and f"Removed by the house rules drop: {DROPPED_SENTENCE}" in said.out
    said = ludoglot("play", "oware", "--pack", "drop.yaml", "--seats", "human,human", typed="rules\nrules house\nrules not in\nquit\n")
    assert f"Removed by the house rules drop: {DROPPED_SENTENCE}" in " ".join(said.out.split())
    assert said.out.count("grand slam") == 1


@pytest.mark.long
def test_a_pack_can_add_players_and_options_to_a_rulebook(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "six.yaml").write_text("""house: six
for: trias
set: {players: 2..6}
add:
  Player.player_6: {}
  options: {wet: {values: [false, true], default: false, text: It rains.}}
""", encoding="utf-8")
    said = ludoglot("rulebook", "trias", "--pack", "six.yaml", "--players", "6", "--option", "wet=true", "--out", "-")
    assert said.code == 0 and "for 6 players" in said.out, said.err
