"""Checks the answers that a person at a terminal expects from commands: the result, its location, and the next command to type."""

from __future__ import annotations

import io
import sys

import pytest
from ludoglot.engine.i18n.text_layout import cell_len
from ludoglot.engine.library import installed_packs

from .conftest import LANGUAGES


class Terminal(io.StringIO):
    """A standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def on_terminal(ludoglot, monkeypatch):
    """Runs a command with a terminal as standard output and returns the text on it."""
    def run(*args) -> str:
        screen = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            ludoglot(*args)
        return screen.getvalue()
    return run


def test_check_confirms_success(ludoglot, orchard, rules):
    said = ludoglot("check", "hex")
    assert (said.code, said.out, said.err) == (0, "", "No problems found in hex.\n")
    assert ludoglot("check", "hex", "oware").err == "No problems found in 2 games.\n"
    assert ludoglot("check", "hex", "--lang", "hu").err == "A hex játékban nincs hiba.\n"
    pack = rules.parent / "docs/examples/packs/pie-rule.yaml"
    assert ludoglot("check", "hex", "--pack", pack).err == f"No problems found in hex with {pack}.\n"
    (orchard / "orchard.rules").write_text("state apples[Player]: 0..9\n", encoding="utf-8")
    assert "No problems" not in ludoglot("check", orchard).err
    said = ludoglot("check", "hex", "--json")
    assert (said.out, said.err) == ("[]\n", "")


def test_a_rulebook_without_a_file_is_printed(ludoglot):
    said = ludoglot("rulebook", "tic-tac-toe")
    assert said.code == 0 and said.out.startswith("# ") and said.out == ludoglot("rulebook", "tic-tac-toe", "--out", "-").out


def test_an_unknown_game_gets_the_nearest_suggestion_first(ludoglot):
    assert ludoglot("play", "hx").err.splitlines()[0] == (
        "Error: There is no game called “hx”. Did you mean “hex”? To list the games, type: ludoglot games")
    assert "Did you mean" not in ludoglot("play", "catan").err + ludoglot("check", "nowhere").err


def test_a_missing_path_is_reported_as_a_folder(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "There is no folder “rules/hex”." in ludoglot("check", "rules/hex").err
    (tmp_path / "rules" / "hex").mkdir(parents=True)
    assert "“rules/hex” is not a game folder" in ludoglot("check", "rules/hex").err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_list_of_games_fits_80_columns(ludoglot, lang):
    out = ludoglot("games", "--lang", lang).out.splitlines()
    assert max(map(cell_len, out)) <= 80 and "=" not in "".join(out)
    out = ludoglot("games", "--options", "--lang", lang).out.splitlines()
    assert max(map(cell_len, out)) <= 80
    assert out[out.index("hex") + 1] == "  hexagons_a_side=11|5|7" and "chess" not in out


@pytest.fixture
def work_folder(tmp_path, monkeypatch):
    """Enters an empty directory, and uses another empty directory for installed packs."""
    monkeypatch.setattr(installed_packs, "packs_folder", lambda: tmp_path / "installed")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def test_a_new_pack_is_listed_with_its_location(ludoglot, orchard, work_folder):
    said = ludoglot("packs", "list")
    assert said.code == 0 and "current folder" in said.out and str(work_folder.parent / "installed") in said.out
    said = ludoglot("packs", "new", orchard, "mine")
    assert said.code == 0, said.err
    first, *_, last = said.out.splitlines()
    assert first == f"Wrote mine.yaml in {work_folder}." and last == f"  ludoglot play {orchard} --pack mine.yaml"
    assert "--pack mine.yaml" in ludoglot("packs", "list").out
    assert "no" in ludoglot("packs", "list", "hex").out.lower()
    (work_folder / "mine.yaml").rename(work_folder.parent / "mine.yaml")
    (work_folder.parent / "installed").mkdir()
    (work_folder.parent / "mine.yaml").rename(work_folder.parent / "installed" / "mine.yaml")
    assert "--pack mine\n" in ludoglot("packs", "list").out


@pytest.mark.parametrize("card", ["harvest", "Harvest", "card.harvest", "Card.harvest"])
def test_the_type_of_a_card_is_optional(ludoglot, orchard, work_folder, card):
    said = ludoglot("packs", "new", orchard, "mine", "--card", card)
    assert said.code == 0, said.err
    assert "Card.harvest.apples: 3" in (work_folder / "mine.yaml").read_text(encoding="utf-8")


def test_a_card_of_two_types_needs_its_type(ludoglot, orchard, work_folder):
    main = orchard / "game.yaml"
    types = "".join(f"  {name}: {{name: {name.lower()}, members: {{late: {{name: late}}}}}}\n" for name in ("Season", "Weather"))
    main.write_text(main.read_text(encoding="utf-8") + types, encoding="utf-8")
    said = ludoglot("packs", "new", orchard, "mine", "--card", "late")
    assert said.code == 2 and "Season.late or Weather.late" in said.err and not (work_folder / "mine.yaml").exists()
    said = ludoglot("packs", "new", orchard, "mine", "--card", "harvst")
    assert said.code == 2 and "Did you mean “Card.harvest”?" in said.err
