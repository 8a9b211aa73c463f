"""Checks `show` and `explain`: the numbers follow the data, in every language."""

from __future__ import annotations

import re

import pytest
import yaml
from ludoglot.engine.i18n import game_localizer

from .conftest import LANGUAGES

TEXTS_WITH_3 = {"en": "Take 3 apples.", "it": "Prendi 3 mele.", "es": "Toma 3 manzanas.", "hu": "Vegyél el 3 almát."}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_house_rule_changes_the_number_in_the_text(ludoglot, translated_orchard, richer_pack, lang):
    plain = ludoglot("show", translated_orchard, "harvest", "--lang", lang)
    assert plain.code == 0 and TEXTS_WITH_3[lang] in plain.out
    rich = ludoglot("show", translated_orchard, "Harvest", "--pack", richer_pack, "--lang", lang)
    assert TEXTS_WITH_3[lang].replace("3", "5") in rich.out


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_example_pack_of_the_docs_changes_a_number(ludoglot, rules, lang):
    house = rules.parent / "docs" / "examples" / "rich-soil.yaml"
    assert " 2 " in ludoglot("show", "dominant-species", "fertile", "--pack", house, "--lang", lang).out
    assert " 1 " in ludoglot("show", "dominant-species", "fertile", "--lang", lang).out


def test_the_overview_of_a_game(ludoglot, orchard):
    said = ludoglot("show", orchard)
    assert "Orchard" in said.out and "Harvest, Rest" in said.out and "2 players" in said.out


def test_a_phase_and_an_option(ludoglot):
    assert "turn.rules:" in ludoglot("show", "dominant-species", "planning").out
    assert "drawn by lot (lot) or each player picks one (choice)" in ludoglot("show", "dominant-species", "dealing").out


def test_an_option_is_shown_with_its_texts_without_catalogues(ludoglot, orchard):
    game = yaml.safe_load((orchard / "game.yaml").read_text(encoding="utf-8"))
    game["options"] = {"storm": {"values": [True, False], "default": False, "name": "Rain", "text": "It is wet."}}
    (orchard / "game.yaml").write_text(yaml.safe_dump(game, sort_keys=False), encoding="utf-8")
    said = ludoglot("show", orchard, "storm").out
    assert said.startswith("Rain") and "It is wet." in said


@pytest.mark.parametrize("name, wanted, other", [
    ("glaciation", [f"DS-EXE-GLA-{n:02}" for n in range(1, 9)] + ["DS-EXE-GLA-12"], "DS-EXE-DEP"),
    ("ice_sheet", ["DS-CRD-SHE-01"] + [f"DS-EXE-GLA-{n:02}" for n in range(3, 9)], "DS-CRD-IMM"),
    ("domination", [f"DS-EXE-DMN-{n:02}" for n in range(1, 10)], "DS-CRD-BMS"),
    ("extinction", ["DS-EXT-01", "DS-EXT-02", "DS-EXT-03", "DS-EXT-06"], "DS-SUR"),
    ("setup", ["DS-SET-A1", "DS-SET-E1", "DS-SET-P7"], "DS-PLN"),
    ("turn", ["DS-TRN-01"], "DS-PLN")])
def test_show_includes_called_rules_but_not_other_topics(ludoglot, name, wanted, other):
    said = ludoglot("show", "dominant-species", name).out
    shown = re.findall(r"^  \[(DS-[^]]+)\]", said, re.M)
    assert set(wanted) <= set(shown)
    assert not [clause for clause in shown if clause.startswith(other)]
    assert len(shown) == len(set(shown))


def test_a_diagnostic_is_explained(ludoglot):
    said = ludoglot("explain", "r101")
    assert said.code == 0 and said.out.startswith("R101: ") and "{name}" not in said.out and "…" in said.out


@pytest.mark.long
def test_a_clause_is_shown_with_its_rules_and_tests(ludoglot):
    said = ludoglot("explain", "DS-EXE-GLA-05")
    assert said.code == 0 and "actions.rules:" in said.out and "Test: " in said.out


@pytest.mark.long
def test_a_family_of_clauses(ludoglot):
    said = ludoglot("explain", "DS-EXE-WAS")
    assert said.code == 0 and "DS-EXE-WAS" in said.out


@pytest.mark.long
def test_an_unknown_clause_is_rejected(ludoglot):
    said = ludoglot("explain", "DS-EXE-GLA-99")
    assert said.code == 2 and "DS-EXE-GLA-" in said.err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_is_described_in_words(ludoglot, lang):
    said = ludoglot("show", "hex", "rhombus", "--lang", lang)
    assert said.code == 0 and "121" in said.out and re.search(r"\b6\b", said.out) and "k11" in said.out
    assert "rhombus" not in ludoglot("show", "hex", "--lang", lang).out    # an unnamed board is called the board


@pytest.mark.long
def test_boards_have_their_names_on_the_table(ludoglot):
    for name in ("earth", "Earth", "earth_grid"):
        said = ludoglot("show", "dominant-species", name).out
        assert said.startswith("Earth\n") and "35 hexagons" in said and "corners" in said
    assert "unlimited grid" in ludoglot("show", "trias", "ocean").out and "9 squares" in ludoglot("show", "tic-tac-toe", "grid").out
    assert "up to 4 neighbours" in ludoglot("show", "tic-tac-toe", "grid").out


@pytest.mark.parametrize("lang, choice, usual", [
    ("en", "drawn by lot (lot) or the player in the first seat (first_seat)", ": drawn by lot."),
    ("it", "estratto a sorte (lot) o chi siede al primo posto (first_seat)", ": estratto a sorte."),
    ("es", "por sorteo (lot) o quien se sienta en primer lugar (first_seat)", ": por sorteo."),
    ("hu", "sorsolás dönti el (lot) vagy aki az első helyen ül (first_seat)", ": sorsolás dönti el.")])
def test_option_values_are_shown_with_their_command_line_values(ludoglot, lang, choice, usual):
    said = " ".join(ludoglot("show", "trias", "starter", "--lang", lang).out.split())
    assert choice in said and said.endswith(usual)


@pytest.mark.parametrize("lang, choice", [("en", "yes (true) or no (false)"), ("hu", "igen (true) vagy nem (false)")])
def test_boolean_values_are_shown_as_yes_or_no(ludoglot, lang, choice):
    assert choice in " ".join(ludoglot("show", "trias", "start_on_pole", "--lang", lang).out.split())


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_option_value_of_shipped_games_has_a_name(rules, lang):
    for path in sorted(rules.glob("*/game.yaml")):
        words = game_localizer(lang, path.parent.name, path.parent, {})
        for option, entry in (yaml.safe_load(path.read_text(encoding="utf-8")).get("options") or {}).items():
            named = [words.option_value_text(option, value) for value in entry["values"]]
            assert len({name.casefold() for name in named}) == len(named), (path.parent.name, option)
            text = words.text(f"variant.{option}.text")
            assert [value for value in entry["values"] if re.search(rf"[“„«]{value}[”»]", text)] == [], text
            for value, name in zip(entry["values"], named):
                key = f"variant.{option}.{value}"
                assert isinstance(value, bool | int) or words.text(key) == name != key, (path.parent.name, key)
                assert lang == "en" or isinstance(value, bool | int) or name not in (value, value.replace("_", " ")), key


def test_printed_paths_work_in_house_rules(ludoglot, orchard, tmp_path):
    """You can copy the output to `set` of a pack. The pack then changes nothing."""
    every, one = ludoglot("show", orchard, "--paths"), ludoglot("show", orchard, "Harvest", "--paths")
    assert one.code == 0 and "Card.harvest.apples: " in one.out and set(one.out.splitlines()) < set(every.out.splitlines())
    assert all(line.startswith("Card.harvest.") for line in one.out.splitlines())
    pack = tmp_path / "same.yaml"
    lines = [line for line in every.out.splitlines() if ".text: " not in line]
    pack.write_text("house: same\nfor: orchard\nset:\n" + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    said = ludoglot("check", orchard, "--pack", pack)
    assert said.code == 0, said.out
    assert "error" not in said.out
    unknown = ludoglot("show", orchard, "Harvst", "--paths")
    assert unknown.code == 2 and "Harvest" in unknown.err


@pytest.mark.long_cases("show trias turn", "explain TRI-ACT-01", "why evolution take")
@pytest.mark.parametrize("line", [
    ("show", "trias", "turn"), ("explain", "TRI-ACT-01"), ("trace", "trias", "--family", "TRI-ACT"), ("trace", "trias", "--gaps"),
    ("why", "trias"), ("why", "connect-four", "d4"), ("why", "evolution", "take"), ("why", "evolution", "score"),
], ids=" ".join)
def test_no_path_of_the_installation_is_printed(ludoglot, rules, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    said = ludoglot(*line)
    assert said.code == 0 and str(rules.parent) not in said.out.replace("\n", "")


@pytest.mark.long
def test_a_rule_is_named_by_the_same_path_in_every_folder(ludoglot, tmp_path, monkeypatch):
    here = ludoglot("explain", "TRI-ACT-01").out
    monkeypatch.chdir(tmp_path)
    assert "Rule: rules/trias/actions.rules:7" in ludoglot("explain", "TRI-ACT-01").out.splitlines()[1] and \
        ludoglot("explain", "TRI-ACT-01").out == here
