"""Checks packs of house rules on the command line: announcements, search, play, and the game's own tests with a pack."""

from __future__ import annotations

import json
import re

import pytest
from ludoglot.engine.i18n import LANGUAGES
from ludoglot.engine.library import installed_packs

PACK = """house: harvest-home
for: orchard
text: {en: More for all., it: Di più per tutti.}
set: {Card.harvest.apples: 5}
"""


@pytest.fixture
def pack_folder(tmp_path, monkeypatch):
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "home.yaml").write_text(PACK, encoding="utf-8")
    (folder / "notes.txt").write_text("no pack", encoding="utf-8")
    (folder / "odd.yaml").write_text("- nothing", encoding="utf-8")
    monkeypatch.setattr(installed_packs, "packs_folder", lambda: folder)
    return folder


def test_packs_are_found_by_name(ludoglot, orchard, pack_folder):
    said = ludoglot("packs", "list")
    assert said.code == 0 and said.out.splitlines()[1] == "harvest-home  orchard  --pack harvest-home  More for all."
    assert "Di più per tutti." in ludoglot("packs", "list", "--lang", "it").out
    for name in ("harvest-home", "home"):
        assert " 5" in ludoglot("show", orchard, "Harvest", "--pack", name).out
    said = ludoglot("show", orchard, "Harvest", "--pack", "nowhere")
    assert said.code == 2 and "nowhere" in said.err
    assert f"Packs are installed in {pack_folder}." in " ".join(ludoglot("packs", "list").out.split())
    assert "No house-rule packs" in ludoglot("packs", "list", "hex").out


@pytest.mark.long
def test_a_new_pack_passes_check_and_is_not_overwritten(ludoglot, orchard, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ludoglot("packs", "new", orchard, "mine").code == 0
    assert ludoglot("packs", "new", orchard, "my-card", "--card", "Card.harvest").code == 0
    for name in ("mine", "my-card"):
        said = ludoglot("check", orchard, "--pack", f"{name}.yaml")
        assert said.code == 0, said.out
    said = ludoglot("packs", "new", orchard, "mine")
    assert said.code == 2 and "already" in said.err
    assert ludoglot("packs", "new", orchard, "Not A Name").code == 2
    said = ludoglot("packs", "new", orchard, "other", "--card", "Card.harves")
    assert said.code == 2 and "Card.harvest" in said.err
    assert ludoglot("packs", "new").code == 2


@pytest.mark.long
def test_a_new_card_copies_values_and_rules_of_the_first_card(ludoglot, orchard, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ludoglot("packs", "new", orchard, "feast", "--add", "Card.feast").code == 0
    said = ludoglot("check", orchard, "--pack", "feast.yaml")
    assert said.code == 0, said.out
    assert "Feast" in ludoglot("show", orchard, "feast", "--pack", "feast.yaml").out
    text = (tmp_path / "feast.yaml").read_text(encoding="utf-8")
    assert all(f"      {lang}: 'TODO: " in text for lang in LANGUAGES) and "    apples: 3\n" in text
    assert "proc effect[feast](player): apples[player] += feast.apples" in text and "Change them" in text
    said = ludoglot("packs", "new", orchard, "again", "--add", "Card.harvest")
    assert said.code == 2 and "--card" in said.err
    said = ludoglot("packs", "new", orchard, "again", "--add", "Crad.feast")
    assert said.code == 2 and "Card" in said.err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_differences_are_printed_in_words(ludoglot, rules, lang):
    pack = rules.parent / "docs/examples/packs/connect-five.yaml"
    said = ludoglot("packs", "diff", "connect-four", pack, "--lang", lang)
    assert said.code == 0 and "grid.columns" in said.out and f"{pack}:12".rpartition("/")[2] in said.out.replace("\n", "")
    assert "house." not in said.out.replace("house.yaml", "")
    assert ludoglot("packs", "diff", "connect-four", "--pack", pack, "--lang", lang).out == said.out


@pytest.mark.long
def test_scenarios_changed_by_a_pack_are_counted_separately(ludoglot, rules):
    pack = rules.parent / "docs/examples/packs/connect-five.yaml"
    said = ludoglot("test", "connect-four", "--pack", pack)
    assert said.code == 0 and "3 tests of the game have a different result" in said.out and "4 tests passed" in said.out
    data = json.loads(ludoglot("test", "connect-four", "--pack", pack, "--json").out)
    assert [(one["state"], one["because"], one["place"]["line"]) for one in data["otherwise"]] == [("changed", "line", 12)] * 3


@pytest.mark.long
def test_a_failure_that_no_change_explains_is_reported(ludoglot, rules, tmp_path):
    pack = tmp_path / "own.yaml"
    text = (rules.parent / "docs/examples/packs/connect-five.yaml").read_text(encoding="utf-8")
    pack.write_text(text.replace("standing: [yellow, red]", "standing: [red, yellow]"), encoding="utf-8")
    said = ludoglot("test", "connect-four", "--pack", pack)
    assert said.code == 1 and "FAILED: five upright win" in said.out


def test_bots_play_rules_without_scenarios(ludoglot, orchard):
    pack = orchard.parent / "heaps.yaml"
    pack.write_text("house: heaps\nfor: orchard\nset: {Card.harvest.apples: 200}\n", encoding="utf-8")
    said = ludoglot("test", orchard, "--pack", pack)
    assert said.code == 1 and "heaps.yaml:3:28" in said.out and re.search(r"after decision \d+ .*--seed \d+", said.out), said.out
    assert said.out.count("F003]") == 1                            # not repeated for a game with more players
    data = json.loads(ludoglot("test", orchard, "--pack", pack, "--json").out)
    assert [one["code"] for one in data["findings"]] == ["F003"]
    pack.write_text("house: heaps\nfor: orchard\nset: {Card.harvest.apples: 2}\n", encoding="utf-8")
    for lang in LANGUAGES:
        said = ludoglot("test", orchard, "--pack", pack, "--lang", lang)
        assert said.code == 0 and "4" in said.out.splitlines()[-1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_players_see_the_house_rules_in_force(ludoglot, orchard, tmp_path, lang):
    pack, save = tmp_path / "home.yaml", tmp_path / "game.save"
    pack.write_text(PACK, encoding="utf-8")
    said = ludoglot("play", orchard, "--pack", pack, "--seats", "human,human", "--save", save, "--lang", lang, typed="log\nquit\n")
    assert said.out.count("harvest-home") == 2, said.out           # in the welcome, and in the log
    assert "harvest-home" in ludoglot("replay", save, "--lang", lang).out


@pytest.mark.long
def test_a_new_card_copies_the_texts_of_its_model_in_each_language(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ludoglot("packs", "new", "dominant-species", "flood", "--add", "Card.flood", "--lang", "it").code == 0
    text = (tmp_path / "flood.yaml").read_text(encoding="utf-8")
    assert "Cambiali" in text and "DS-CRD" not in text and "flood.cubes" in text
    assert "  ask.effect[flood].tile:\n    en: '{who} ({animal}), which sea or wetland tile do you choose?'\n    it: " in text
    said = ludoglot("check", "dominant-species", "--pack", "flood.yaml")
    assert said.code == 0 and not said.out, said.out


@pytest.mark.long
def test_a_new_card_without_rules_shows_the_rules_of_others(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ludoglot("packs", "new", "evolution", "wings", "--add", "Trait.wings").code == 0
    assert "#   def shields[wings](hunter: Animal, prey: Animal) = " in (tmp_path / "wings.yaml").read_text(encoding="utf-8")
    assert ludoglot("check", "evolution", "--pack", "wings.yaml").out == ""


def test_a_new_pack_is_tested_with_games_at_once(ludoglot, orchard, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = orchard / "orchard.rules"
    game.write_text(game.read_text(encoding="utf-8").replace("standing player", "always few: apples[ann] < 3\n\nstanding player", 1),
                    encoding="utf-8")
    said = ludoglot("packs", "new", orchard, "again", "--card", "Card.harvest")
    assert said.code == 1 and "F011" in said.out and "--pack again.yaml" in said.out


def test_a_scenario_that_needs_a_removed_card_is_left_out(ludoglot, orchard, tmp_path):
    (orchard / "tests").mkdir(exist_ok=True)
    (orchard / "tests/gone.yaml").write_text("scenarios:\n  - name: a harvest\n    expect: {row: [rest]}\n")
    pack = tmp_path / "none.yaml"
    pack.write_text("house: none\nfor: orchard\nremove: Card.rest\n", encoding="utf-8")
    said = ludoglot("test", orchard, "--pack", pack, "-k", "a harvest")
    assert said.code == 0 and "1 test of the game is left out" in said.out and "Card.rest" in said.out, said.out + said.err


@pytest.mark.long
def test_trace_and_explain_apply_packs(ludoglot, rules):
    pack = rules.parent / "docs/examples/packs/recovery.yaml"
    said = ludoglot("trace", "trias", "--pack", pack, "--family", "TRI-HSE")
    assert said.code == 0 and "recovery.yaml" in said.out and "1 action point" in said.out
    said = ludoglot("explain", "TRI-HSE-REC-01", "--game", "trias", "--pack", pack, "--lang", "hu")
    assert said.code == 0 and "1 akciópontot" in said.out


@pytest.mark.long
@pytest.mark.parametrize("game", ["hex", "dominant-species"])
def test_a_copy_has_the_texts_of_the_game(ludoglot, tmp_path, game):
    folder = tmp_path / "mine"
    assert ludoglot("copy", game, "my-own", folder).code == 0
    assert ludoglot("copy", game, "my-own", folder).code == 2, "the folder already exists"
    assert ludoglot("copy", game, "Hex!", tmp_path / "other").code == 2
    for lang in LANGUAGES:
        ours, theirs = (ludoglot("show", one, "--lang", lang).out.splitlines() for one in (folder, game))
        assert ours[1:] == theirs[1:] and ours[0] == theirs[0]
    assert list((folder / "tests").glob("*.yaml"))


@pytest.mark.long
def test_the_menu_offers_packs(ludoglot, pack_folder, save_folder, monkeypatch):
    from .test_menu import run_menu
    (pack_folder / "nine.yaml").write_text("house: nine\nfor: tic-tac-toe\ntext: A game of its own.\nset: {name: Nine}\n", encoding="utf-8")
    said = run_menu(monkeypatch, "1\ntic\nAnna\n\n\n1\n\na1\nquit\nquit\n")
    assert "A game of its own." in said and "+ nine" in said and "Nine" in said


def test_a_pack_that_check_rejects_cannot_be_played(ludoglot, orchard, tmp_path):
    """A text with an unknown name is reported before the game, not in the middle of it."""
    pack = tmp_path / "wrong.yaml"
    pack.write_text("house: wrong\nfor: orchard\nset:\n  Card.harvest.apples: 5\nwords:\n  en: {game.text: 'Bake {a.b}.'}\n",
                    encoding="utf-8")
    checked = ludoglot("check", orchard, "--pack", str(pack))
    played = ludoglot("play", orchard, "--pack", str(pack), "--seats", "bot:random,bot:random")
    assert checked.code == played.code == 1, (checked, played)
    assert "wrong.yaml:6" in played.err


def test_a_misspelt_field_of_a_text_is_found(ludoglot, orchard, tmp_path):
    pack = tmp_path / "slip.yaml"
    pack.write_text("house: slip\nfor: orchard\nset:\n  Card.harvest.apples: 5\n  Card.harvest.text: Take {aples} apples.\n",
                    encoding="utf-8")
    said = ludoglot("check", orchard, "--pack", str(pack))
    assert said.code == 1 and "T012" in said.out and "slip.yaml:5" in said.out and "{apples}" in said.out


def test_each_error_in_a_pack_is_reported_once(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.yaml").write_text("house: bad\nfor: connect-four\nset: {players: two, foo: 3}\n", encoding="utf-8")
    said = ludoglot("test", "connect-four", "--pack", "bad.yaml")
    assert said.code == 1 and (said.out + said.err).count("error[Y012]") == (said.out + said.err).count("error[H002]") == 1
    assert "FAILED" not in said.out


@pytest.mark.long
def test_show_names_the_clauses_of_lines_that_a_pack_changes(ludoglot):
    said = ludoglot("show", "dominant-species", "domination", "--pack", "docs/examples/packs/own-ground.yaml")
    for number in ("01", "02", "03", "09", "10"):
        assert f"[DS-EXE-DMN-{number}]" in said.out
    assert "You can choose only a tile where your animal lives" in said.out


@pytest.mark.long
def test_a_number_from_a_pack_can_be_varied(ludoglot):
    said = ludoglot("balance", "evolution", "--pack", "docs/examples/packs/fat-scores.yaml", "--vary", "fat_points=1..2",
                    "--aim", "length=100", "--games", "2")
    assert said.code == 0 and "fat_points = 2." in said.out and "reject" not in said.out


@pytest.mark.long
def test_diff_lists_all_changes_of_a_pack(ludoglot, orchard, tmp_path):
    (tmp_path / "full.yaml").write_text(PACK + "words: {option.game.card: \"{card}!\"}\n", encoding="utf-8")
    said = ludoglot("packs", "diff", orchard, str(tmp_path / "full.yaml"))
    told = " ".join(said.out.split())
    assert said.code == 0 and "More for all." in told and "Card.harvest.apples is now 5 instead of" in told, said.err
    assert "option.game.card now has a text: “Harvest!”." in told, told
    said = ludoglot("packs", "diff", "dominant-species", "docs/examples/packs/own-ground.yaml")
    assert "It used to read “You need neither dominate the tile nor have a species on it”" in " ".join(said.out.split())


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", ["Domination 5 (space) is removed.", "Drought (Dominance card)", "“Dominant Species” is now called “Poles”."]),
    ("it", ["Dominazione 5 (spazio)", "Siccità (carta Dominazione)", "ora si chiama «Poles»"]),
    ("es", ["Dominación 5 (espacio)", "Sequía (carta de Dominio)", "ahora se llama «Poles»"]),
    ("hu", ["Dominancia 5 (szem)", "Aszály (Dominanciakártya)", "új neve: „Poles”"]),
])
def test_diff_shows_the_names_of_changed_members(ludoglot, tmp_path, rules, lang, sentences):
    drought = (rules.parent / "docs/examples/packs/drought.yaml").read_text(encoding="utf-8")
    (tmp_path / "more.yaml").write_text(drought + "remove: [Space.domination_5]\nset: {name: Poles}\n" +
                                         "words: {event.lost_element: Lost!}\n", encoding="utf-8")
    told = " ".join(ludoglot("packs", "diff", "dominant-species", str(tmp_path / "more.yaml"), "--lang", lang).out.split())
    assert "Card." not in told and "Space." not in told
    assert "event.lost_element" in told and "Lost!" in told and "{" not in told
    for sentence in sentences:
        assert sentence in told


WIDE_PACK = """\
house: wide
for: hearts
set:
  Card.defaults.points: 0
  Card.jack_of_diamonds.points: 2
  Card.jack_of_diamonds.text: {en: "Take it."}
  text: {en: "Avoid hearts."}
add:
  numbers: {bonus_size: 3}
  options: {late: {values: [false, true], default: false, name: Late}}
  Way.back: {name: back to yourself, steps: 4}
place: {Way.back: after across}
rules: |
  def first_one(player) where:
      points[player] > 0
  def second(player) = bonus_size
steps:
  - before: "count_up: way"
    rules: |
      points[player_1] += 1
  - drop: "trick: first_trick"
nouns:
  n.point: {en: {sg: mark, pl: marks}}
  n.gift: {en: {sg: gift, pl: gifts}}
table:
  colours: {Card: {jack_of_diamonds: yellow}}
"""


def test_diff_describes_every_section_of_a_pack(ludoglot, tmp_path):
    (tmp_path / "wide.yaml").write_text(WIDE_PACK, encoding="utf-8")
    said = ludoglot("packs", "diff", "hearts", str(tmp_path / "wide.yaml")).out
    told = " ".join(said.split())
    for sentence in (
        "New: bonus_size. Its value is 3.", "New: Late. Its values: no, yes.", "Back to yourself (way of passing). Its values: steps: 4.",
        "(card) now has a text: “Take it”.", "Hearts now reads “Avoid hearts”.", "n.point now reads “mark”. It used to read “point”.",
        "n.gift now has a text: “gift”.", "Back to yourself (way of passing) comes after “across”.", "The table view changes: colours.",
    ):
        assert sentence in told, said
    assert "0 instead of 0" not in told and ".”." not in told and "Card.jack_of_diamonds.text" not in told


DATA_PACK = """\
house: data
for: hearts
set:
  hand_size: {by: queen_breaks, true: 12, else: 13}
  length.only: {one_deal: 4}
add:
  numbers: {cards: {count: Card}, sum_of_points: {sum: Card.points}}
  tables: {thanks: {values: [1, 2, 4], from: 0, beyond: last}}
  boards: {room: {shape: square, cells: Seat, columns: 2, rows: 1}}
  enums: {Mood: [glad, sad], Card: {attributes: {stars: int}, defaults: {stars: 0}}}
  start: {mood: sad, mood_of: {player_1: glad}}
rules: |
  state mood: Mood
  state mood_of[Player]: Mood
words: {event.taken: {en: "{player} and {n}!"}, state.mood: the mood}
"""


def test_diff_describes_data_in_words(ludoglot, tmp_path):
    (tmp_path / "data.yaml").write_text(DATA_PACK, encoding="utf-8")
    said = ludoglot("packs", "diff", "hearts", str(tmp_path / "data.yaml"))
    told = " ".join(re.sub(r"\(\S+data\.yaml:\d+\)", "", said.out).split())
    for sentence in (
        "New: cards. Its value is as many as “card” has members.", "New: sum_of_points. Its value is the sum of “card: Penalty points”.",
        "Its numbers, beginning at 0: 1, 2, 4. Past the end, the last number counts.", "New: room. 2 squares.", "Cells: a1 and b1.",
        "New: Mood. Its values: glad, sad.", "card: new attributes stars.", "At the beginning, the mood is: sad.", "player_1: glad.",
        "otherwise 13. It was: 13.", "length.only is now play one deal: 4 players.",
    ):
        assert sentence in told, said
    assert "{" not in told


def test_diff_shows_the_lines_of_changed_rules(ludoglot, tmp_path):
    (tmp_path / "wide.yaml").write_text(WIDE_PACK + "replace: |\n  standing player: points[player]\n", encoding="utf-8")
    rows = ludoglot("packs", "diff", "hearts", str(tmp_path / "wide.yaml")).out.split("\n")
    changed = [" ".join(row.split()) for row in rows if row.startswith(("    + ", "    - "))]
    assert changed == [
        "+ def first_one(player) where:", "+ points[player] > 0", "+ def second(player) = bonus_size",
        "- standing player: -points[player] @HEA-END-02", "+ standing player: points[player]",
        "+ points[player_1] += 1", "- first_trick = false",
    ]
    assert "    +     points[player] > 0" in rows and "    - first_trick = false" in rows


def test_a_missing_game_is_reported_with_the_right_reason(ludoglot):
    said = ludoglot("check", "nowhere")
    assert said.code == 2 and "ludoglot games" in said.err and "oware" not in said.err
    assert "Did you mean “dominant-species”?" in ludoglot("check", "dominant").err
    assert "There is no folder “rules/nowhere”" in ludoglot("check", "rules/nowhere").err


@pytest.mark.parametrize("args", [
    ("show", "hex"), ("check", "hex"), ("explain", "HEX-END-01", "--game", "hex"), ("why", "hex"), ("rulebook", "hex"),
    ("play", "hex", "--seats", "bot:random,bot:random"), ("copy", "hex", "mine")])
def test_a_folder_named_like_a_bundled_game_gives_a_notice(ludoglot, orchard, tmp_path, monkeypatch, args):
    orchard.rename(tmp_path / "hex")
    monkeypatch.chdir(tmp_path)
    said = ludoglot(*args)
    assert said.err.startswith("Using the bundled game “hex”. For the game in your folder, type “./hex”.\n")
    assert said.code == 0 and "Orchard" not in said.out
    assert "Orchard" in ludoglot("show", "./hex").out and "bundled" not in ludoglot("show", "./hex").err
    assert "bundled" not in ludoglot("show", "oware").err


def test_a_copy_with_a_used_id_or_folder_is_rejected(ludoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "There is already a game with the id “hex”" in ludoglot("copy", "hex", "hex").err
    (tmp_path / "mine").mkdir()
    assert "mine already exists" in ludoglot("copy", "hex", "mine").err


CHANGED_VALUES = """house: sickly
for: evolution
set:
  Trait.parasite.food: 3
  Trait.parasite.on_others: false
  parasite_pile.default: layer
  players: 2..5
  basic_need: 2
"""


@pytest.mark.long
@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", ["“Parasite: Additional food needed” is now 3 instead of 2.",
            "“Parasite: Played on animals of other players” is now no instead of yes.",
            "“Players” is now 2 to 5 players instead of 2 to 8 players.", "basic_need is now 2 instead of 1."]),
    ("it", ["Parassita: Fabbisogno di cibo in più – il valore ora è 3, prima era 2."]),
    ("es", ["Parásito:", "ahora 3, antes 2."]),
    ("hu", ["most 3, eddig 2."]),
])
def test_changed_values_have_their_names_in_the_game(ludoglot, tmp_path, lang, sentences):
    (tmp_path / "sickly.yaml").write_text(CHANGED_VALUES, encoding="utf-8")
    said = ludoglot("packs", "diff", "evolution", str(tmp_path / "sickly.yaml"), "--lang", lang)
    told = " ".join(said.out.split())
    assert said.code == 0 and "Trait.parasite" not in told and "parasite_pile" not in told, said.err
    for sentence in sentences:
        assert sentence in told


NEW_PACK = """\
house: new
for: hearts
for_version: 1
not_with: [fast, slow]
remove: HEA-END-02
set: {players: 3..5}
add:
  Way.back: {name: back to yourself, steps: 4, wind: 2, text: "Blow {wind} times."}
  options: {late: {values: [false, true], default: true, name: Late, text: "Is it late?"}}
  pieces: {Flag: {attributes: {worth: int}, copies: {red_flag: {n: 2, worth: 1}}}}
nouns:
  n.guest: {en: {sg: visitor, pl: visitors}, it: {sg: ospite, pl: ospiti, g: m}, es: {sg: huésped, pl: huéspedes, g: m},
            hu: {nom: vendég}}
table: {colours: {Card: {jack_of_diamonds: yellow}}, panels: [{name: points, counters: [points]}]}
"""


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", ["HEA-END-02: Removed by the house rules new: “", "It is for version 1 or later of the game.",
            "It cannot be used together with fast or slow.", "Its values: steps: 4, wind: 2.", "now has a text: “Blow 2 times”.",
            "New: Late. Its values: no, yes. The default is yes.", "Late now has a text: “Is it late?”.",
            "New: Flag. Its values: red_flag (2 pieces, worth: 1).", "n.guest now has a text: “visitor”.",
            "The table view changes: colours, panels.", "“Players” is now 3 to 5 players instead of"]),
    ("it", ["HEA-END-02: Tolto dalle regole della casa new: «", "dalla versione 1 del gioco in poi", "insieme a fast o slow",
            "n.guest ora ha un testo: «ospite».", "colori, riquadri", "ora è da 3 a 5 giocatori", "Il valore predefinito è sì.",
            "red_flag (2 pezzi, worth: 1)"]),
    ("es", ["HEA-END-02: Suprimido por las reglas de la casa new: «", "a partir de la versión 1 del juego", "junto con fast o slow",
            "n.guest ahora tiene un texto: «huésped».", "colores, paneles", "ahora de 3 a 5 jugadores", "El valor por defecto es sí.",
            "red_flag (2 piezas, worth: 1)"]),
    ("hu", ["HEA-END-02: A házi szabályok (new) eltörölték: „", "A játék 1. vagy újabb változatához", "ezekkel: fast és slow.",
            "n.guest új szöveget kap: „vendég”.", "színek, panelek", "most 3–5 játékos", "Alapértéke: igen.",
            "red_flag (2 darab, worth: 1)"]),
])
def test_diff_describes_texts_and_values_of_new_things(ludoglot, tmp_path, lang, sentences):
    (tmp_path / "new.yaml").write_text(NEW_PACK, encoding="utf-8")
    told = " ".join(ludoglot("packs", "diff", "hearts", str(tmp_path / "new.yaml"), "--lang", lang).out.split())
    for sentence in sentences:
        assert sentence in told, told
    assert "«guest»" not in told


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", ["It needs calm.", "Its values: steps: 4, speed: 3.", "way of passing: by default, members have speed: 3."]),
    ("it", ["Richiede calm."]), ("es", ["Necesita calm."]), ("hu", ["Szüksége van ezekre: calm."]),
])
def test_diff_tells_needed_packs_and_default_values(ludoglot, tmp_path, lang, sentences):
    (tmp_path / "calm.yaml").write_text("house: calm\nfor: hearts\nset: {name: Calm hearts}\n", encoding="utf-8")
    (tmp_path / "fast.yaml").write_text(
        "house: fast\nfor: hearts\nneeds: [calm]\nadd:\n  enums: {Way: {attributes: {speed: int}, defaults: {speed: 3}}}\n"
        "  Way.back: {name: back to yourself, steps: 4}\n", encoding="utf-8")
    packs = ["--pack", str(tmp_path / "calm.yaml"), "--pack", str(tmp_path / "fast.yaml")]
    told = " ".join(ludoglot("packs", "diff", "hearts", *packs, "--lang", lang).out.split())
    for sentence in sentences:
        assert sentence in told, told


def test_the_rulebook_shows_the_cost_that_a_pack_sets(ludoglot, tmp_path):
    pack = tmp_path / "dear-roads.yaml"
    pack.write_text("house: dear-roads\nfor: catan\nset: {Purchase.road.cost: {brick: 2, wood: 3}}\n")
    book = ludoglot("rulebook", "catan", "--pack", str(pack)).out
    assert "A road costs 2 brick and 3 wood. A settlement costs 1 brick, 1 wood, 1 wool, and 1 grain." in book


def test_a_pack_is_checked_with_its_own_game(ludoglot, tmp_path):
    pack = tmp_path / "dear-roads.yaml"
    pack.write_text("house: dear-roads\nfor: catan\ntext: {en: a, it: b, es: c, hu: d}\nset: {prices: 3}\n")
    said = ludoglot("check", "--pack", str(pack))
    assert said.out.count("error[") == 1 and "H002" in said.out


def test_a_pack_without_a_game_is_not_checked_with_all_games(ludoglot, tmp_path):
    pack = tmp_path / "lost.yaml"
    pack.write_text("set: {prices: 3}\n")
    said = ludoglot("check", "--pack", str(pack))
    assert said.code == 2 and "ludoglot check GAME --pack" in said.err and not said.out
