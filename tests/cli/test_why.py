"""Checks `why` in four languages: which moves are legal, which condition rejects the others, and which facts stay secret."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.explain.answer import list_why_lines
from ludoglot.engine.explain.refusal_finder import RefusalFinder
from ludoglot.engine.library.loaded_game import LoadedGame
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.terminal.offered import refusal_lines
from tmp_files import filled

from .conftest import LANGUAGES

GAMES = ["hex", "breakthrough", "connect-four", "tic-tac-toe", "trias", "evolution", "dominant-species", "amazons",
         "english-draughts", "international-draughts", "kalah", "lines-of-action", "nine-mens-morris", "oware", "reversi"]
TAKEN_CELL = {
    "en": """\
Not available now: d4.
  Red is already at d4.
  This condition is false:
    stone[cell] == none                 {path}:10
    Now: stone[cell] = Red
  [HEX-TURN-01] The players take turns placing one stone on a free hexagon. Red
    begins.
  [HEX-TURN-02] A stone stays in place until the end.
""",
    "it": """\
Ora non è possibile: d4.
  Su d4 c'è già il rosso.
  Questa condizione è falsa:
    stone[cell] == none                 {path}:10
    Ora: stone[cell] = rosso
  [HEX-TURN-01] A turno ogni giocatore mette una pietra su un esagono libero.
    Comincia il rosso.
  [HEX-TURN-02] Una pietra resta dov'è fino alla fine.
""",
    "es": """\
Ahora no es posible: d4.
  En d4 ya está el rojo.
  Esta condición es falsa:
    stone[cell] == none                 {path}:10
    Ahora: stone[cell] = rojo
  [HEX-TURN-01] Por turnos, cada jugador pone una piedra en un hexágono libre.
    Empieza el rojo.
  [HEX-TURN-02] Una piedra se queda donde está hasta el final.
""",
    "hu": """\
Most nem választható: d4.
  A d4 helyen már piros van.
  Ez a feltétel nem teljesül:
    stone[cell] == none                 {path}:10
    Most: stone[cell] = piros
  [HEX-TURN-01] A játékosok felváltva egy-egy követ tesznek egy szabad
    hatszögre. Piros kezd.
  [HEX-TURN-02] A kő a játszma végéig ott marad, ahol van.
""",
}
TAKEN_SPACE = {
    "en": """\
Not available now: Glaciation 1.
  The reptile has a pawn on Glaciation 1.
  This condition is false:
    pawn[space] == none                 {path}:21
    Now: pawn[space] = reptile
  [DS-PLN-01] In initiative order, put one of your available pawns on any free
    space, in whichever section you like.
""",
    "it": """\
Ora non è possibile: Glaciazione 1.
  Su Glaciazione 1 c'è una pedina del rettile.
  Questa condizione è falsa:
    pawn[space] == none                 {path}:21
    Ora: pawn[space] = rettile
""",
    "es": """\
Ahora no es posible: Glaciación 1.
  En Glaciación 1 hay un peón del reptil.
  Esta condición es falsa:
    pawn[space] == none                 {path}:21
    Ahora: pawn[space] = reptil
""",
    "hu": """\
Most nem választható: Eljegesedés 1.
  Az Eljegesedés 1. szemén a hüllő bábuja áll.
  Ez a feltétel nem teljesül:
    pawn[space] == none                 {path}:21
    Most: pawn[space] = hüllő
""",
}


def start_match(name: str, save: Path | None = None) -> tuple[MatchTable, LoadedGame]:
    """Creates a match with a person in every seat."""
    loaded = load_game(LocalizedConsole("en"), name)
    none = [""] * loaded.game.players
    setup = MatchSetup(name, len(none), 1, dict(loaded.game.ruleset.settings), [], none, ["human"] * len(none), none)
    return MatchTable.new(loaded.game, setup, save), loaded


@pytest.fixture
def save_match(tmp_path):
    """Returns a function that saves a match after these moves: `save_match("hex", "cell=d4", ...)`."""
    def make(name: str, *options: str) -> Path:
        table, _ = start_match(name, tmp_path / "game.ludoglot")
        for option in options:
            table.play(option)
        table.save.close()
        return tmp_path / "game.ludoglot"
    return make


def format_rule_path(rules: Path, path: str) -> str:
    """Returns a rule file as messages name it."""
    from ludoglot.engine.library.find import format_path
    return format_path(rules / path)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_taken_cell_in_every_language(ludoglot, rules, save_match, lang):
    save = save_match("hex", "cell=d4")
    said = ludoglot("why", save, "d4", "--rules", "--lang", lang)
    assert (said.code, said.err) == (0, "")
    assert said.out == TAKEN_CELL[lang].format(path=format_rule_path(rules, "hex/hex.rules"))
    words = [line for n, line in enumerate(said.out.splitlines()) if n not in (2, 3, 4)]       # without the lines from the rule file
    assert ludoglot("why", save, "d4", "--lang", lang).out.splitlines() == words


@pytest.mark.long
def test_a_taken_space_with_its_clauses_in_every_language(rules):
    table, loaded = start_match("dominant-species")
    table.play("space=glaciation_1")
    for lang in LANGUAGES:
        said = "\n".join(list_why_lines(table, loaded, Narrator(loaded.game, loaded.localizer(lang)), "GLACIATION_1", 80))
        assert said.startswith(TAKEN_SPACE[lang].format(path=format_rule_path(rules, "dominant-species/turn.rules")))
        assert "[DS-PLN-06]" in said


def test_a_legal_move_is_reported_as_available(ludoglot, save_match):
    said = ludoglot("why", save_match("hex", "cell=d4"), "cell=d5")
    assert said.code == 0 and said.out.startswith("Available now:\n  d5\n  [HEX-TURN-01] ")


def test_why_answers_for_a_new_game(ludoglot):
    asked = ludoglot("why", "trias", "--rules")
    assert asked.code == 0 and "[TRI-SETUP-13]" in asked.out and "setup.rules:" in asked.out
    assert "rests(cell)" in ludoglot("why", "connect-four", "d4", "--rules").out


@pytest.mark.long
def test_a_member_is_found_by_its_name_in_each_language():
    table, loaded = start_match("dominant-species")
    for lang, name, words in (("en", "Glaciation 1", "GLACIATION 1"), ("hu", "Eljegesedés 1", "eljegesedes 1"),
                              ("it", "Glaciazione 1", "perché glaciazione 1?"), ("es", "Glaciación 1", "glaciación 1")):
        said = list_why_lines(table, loaded, Narrator(loaded.game, loaded.localizer(lang)), words, 80)
        assert said[1] == f"  {name}" and said[2].startswith("  [DS-PLN-01]")


@pytest.mark.long
def test_a_move_of_two_names(ludoglot):
    both = ludoglot("why", "breakthrough", "a1", "to", "a2", "--rules").out
    assert both.startswith("Not available now: a1 and a2.") and "pawn[c] == none" in both
    assert "pawn[origin] == player" in ludoglot("why", "breakthrough", "origin=d5", "--rules").out


def test_a_member_that_fits_two_names_is_answered_for_both(ludoglot):
    one, two = ludoglot("why", "breakthrough", "b8", "--rules").out.split("The closest option would be: ")
    assert "pawn[origin] == player" in one and "Now: pawn[origin] = Black, player = White" in one
    assert "This set does not contain b8" in two
    assert "a1-a1" not in ludoglot("why", "breakthrough", "a1").out


@pytest.mark.long
def test_passing_is_explained_if_the_rules_forbid_it(ludoglot):
    assert "The rules do not let you pass" in ludoglot("why", "hex", "pass").out
    assert "non ti permettono di passare" in ludoglot("why", "hex", "passo", "--lang", "it").out
    assert ludoglot("why", "evolution", "pass").out.startswith("Available now:")


@pytest.mark.long
def test_an_unknown_word_gets_a_suggestion(ludoglot):
    said = ludoglot("why", "dominant-species", "glaciatoin_1")
    assert said.code == 0 and said.out.startswith("There is nothing called “glaciatoin_1” here. Did you mean “glaciation 1”?")
    assert "Choose a space here" in said.out


@pytest.mark.long
def test_a_member_of_another_decision_is_explained(ludoglot):
    said = ludoglot("why", "dominant-species", "bird", "--rules").out
    assert said.startswith("This decision is not about bird.") and "actions.rules:8\n" in said
    assert "feeding.rules:" in ludoglot("why", "evolution", "take", "--rules").out


@pytest.mark.long
def test_the_options_of_another_seat_are_not_revealed(ludoglot):
    for view in (["--view", "1"], ["--view", "1", "--json"]):
        said = ludoglot("why", "evolution", "animal", *view)
        assert said.code == 0 and "offered" not in said.out and "Swimming" not in said.out and "hand[" not in said.out
    assert "It is Player 1’s turn. Only that player may know the options" in ludoglot("why", "evolution", "animal", "--view", "1").out
    assert "hand[player]" in ludoglot("why", "evolution", "animal", "poisonous_carnivorous_card", "--view", "0", "--rules").out
    assert "Did you mean “glaciation 2”?" in ludoglot("why", "dominant-species", "glaciation_1", "or", "glaciatoin_2").out


def test_a_shared_screen_without_a_view_reveals_no_options(ludoglot, save_match):
    assert "Only that player may know the options" in ludoglot("why", save_match("evolution"), "animal").out


def test_a_finished_game_is_explained(ludoglot, save_match):
    rows = [option for pair in zip((f"cell=a{n}" for n in range(1, 5)), (f"cell=b{n}" for n in range(1, 5))) for option in pair][:-1]
    said = ludoglot("why", save_match("connect-four", *rows), "a5", "--rules").out
    assert said.startswith("The game is over") and "any(p in Player where wins(p))" in said


@pytest.mark.long
def test_json_is_the_same_in_every_language(ludoglot, save_match):
    path = save_match("trias", "cell=0,0")
    said = [json.loads(ludoglot("why", path, "0,0", "--json", "--lang", lang).out) for lang in LANGUAGES]
    assert said[0] == said[1] == said[2] == said[3]
    assert said[0]["answer"] == "refused" and said[0]["candidate"] == "cell=0,0"
    assert said[0]["tests"][0]["code"] == "crowd(cell) == 0" and said[0]["tests"][0]["file"].endswith("setup.rules")
    assert said[0]["now"] == {"crowd(cell)": "2"} and "TRI-SETUP-13" in said[0]["clauses"]


def test_a_missing_save_or_seat_is_rejected(ludoglot, tmp_path):
    assert ludoglot("why", tmp_path / "gone.ludoglot", "a1").code == 2
    assert ludoglot("why", "hex", "a1", "--view", "2").code == 2
    assert ludoglot("why", "hexx", "a1").code == 2


SHED = """\
game: shed
name: Shed
players: 2
rules: [shed.rules]
numbers: {limit: 9}
options: {frost: {values: [false, true], default: false}}
enums:
  Tool: {attributes: {weight: int}, members: {rake: {weight: 1}, spade: {weight: 4}, plough: {weight: 9}}}
"""
SHED_RULES = """\
state taken: set of Tool
def light(tool) = tool.weight <= limit
phase game:
    choose tool in Tool where light(tool) and not (frost and tool == spade) by player_1 or stop
    taken += {tool}
standing player: size(taken)
"""


@pytest.fixture
def shed(tmp_path) -> Path:
    (tmp_path / "small.yaml").write_text("house: weak-arms\nfor: shed\nset:\n  limit: 3\n  Tool.plough.weight: 8\n", encoding="utf-8")
    return filled(tmp_path / "shed", {"game.yaml": SHED, "shed.rules": SHED_RULES})


def test_the_house_rule_that_causes_a_refusal_is_named_with_its_place(ludoglot, shed):
    assert ludoglot("why", shed, "spade").out.startswith("Available now")
    house = shed.parent / "small.yaml"
    spade = ludoglot("why", shed, "spade", "--pack", house).out
    assert "Now: tool.weight = 4, limit = 3" in spade or "tool.weight <= limit" in spade
    assert "“weak-arms” set limit:" in spade and "small.yaml:4" in spade.replace("\n    ", "") and "plough" not in spade
    plough = json.loads(ludoglot("why", shed, "plough", "--pack", house, "--json").out)
    assert [(change["name"], change["pack"], change["line"]) for change in plough["house"]] == [
        ("Tool.plough.weight", "weak-arms", 5), ("limit", "weak-arms", 4)]


def test_a_table_names_the_house_rule_without_its_file(ludoglot, shed):
    said = ludoglot("play", shed, "--pack", shed.parent / "small.yaml", "--no-auto", typed="? spade\n").out
    assert "The house rules “weak-arms” changed this condition." in " ".join(said.split())
    assert "small.yaml:" not in said and "limit" not in said


def test_the_option_that_causes_a_refusal_is_named(ludoglot, shed):
    assert "The option “frost” is set to “yes”." in ludoglot("why", shed, "spade", "--option", "frost=true").out


@pytest.mark.long_cases(
    "trias 1,3-it", "trias 1,3-es", "trias 1,3-hu", "trias 1,3-en", "evolution take-it", "evolution take-es", "evolution take-hu",
    "evolution take-en", "dominant-species bird-it", "dominant-species bird-es", "dominant-species bird-hu", "dominant-species bird-en",
)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("line", ["trias 1,3", "connect-four d4", "chess e2 e5", "evolution take", "dominant-species bird", "trias score",
                                  "evolution"])
def test_answers_have_no_code_without_the_rules_flag(ludoglot, line, lang):
    said = ludoglot("why", *line.split(), "--lang", lang)
    assert said.code == 0 and not any(code in said.out for code in (".rules", "==", "(cell)", " = "))


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refused_answer_is_explained_without_code(lang):
    table, loaded = start_match("evolution")
    for _ in table.take_automatic():
        pass
    said = refusal_lines(table, loaded, Narrator(loaded.game, loaded.localizer(lang)), "carnivorous", 100)
    assert said and not any(".rules" in line or "(trait" in line for line in said)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_random_questions_are_answered(name, pytestconfig):
    """Names of all members of the game, right and wrong, alone and together, give no exception and no empty answer."""
    ask_random_questions(name, 60 * pytestconfig.getoption("samples"), 6)


def ask_random_questions(name: str, turns: int, questions: int) -> None:
    (table, loaded), rng = start_match(name), random.Random(3)
    tellers = [Narrator(loaded.game, loaded.localizer(lang)) for lang in LANGUAGES]
    model = loaded.game.model
    known = [member for enum in model.enums.values() for member in enum.members]
    known += ["0", "3", "99", "-1", "0,1", "9999,9999", "pass", "?", "=", "»"]
    for _ in range(turns):
        for _ in table.take_automatic():
            pass
        decision = table.position.decision
        if decision is None:
            break
        asked, before = RefusalFinder(table.position), table.position.digest()
        entries = [way.entry for way in asked.ways if way.entry] or ["x"]
        for n in range(questions):
            what = [rng.choice(known), f"{rng.choice(known)} {rng.choice(known)}", f"{rng.choice(entries)} {rng.choice(known)}"][n % 3]
            for width in (40, 100):
                lines = list_why_lines(table, loaded, tellers[n % 4], what, width)
                assert lines and all(line.strip() for line in lines), what
            spoken = list_why_lines(table, loaded, tellers[n % 4], what, 100, as_sentences=True)
            assert not any(".rules" in line for line in spoken), "answers at the table must be sentences"
        assert table.position.digest() == before
        option = rng.choice(decision.options)
        offered = list_why_lines(table, loaded, tellers[3], option.spelling, 100)
        assert tellers[3].option_text(decision, option) in " ".join(" ".join(offered).split()), option
        table.play(option)


def test_a_number_means_the_option_with_that_number_on_the_screen():
    table, loaded = start_match("tic-tac-toe")
    narrator = Narrator(loaded.game, loaded.localizer("en"))
    numbers = {option.spelling: str(n) for n, option in enumerate(reversed(table.position.decision.options), start=1)}
    for number, cell in (("1", "c3"), ("9", "a1")):
        assert list_why_lines(table, loaded, narrator, number, 80, as_sentences=True, numbers=numbers)[1] == f"  {cell}"
    assert list_why_lines(table, loaded, narrator, "1", 80)[1] == "  a1"


@pytest.mark.long_cases("c3-c5", "c3xc5")
@pytest.mark.parametrize("typed", ["c3-c5", "C3–C5", "c3xc5", "c3:c5"])
def test_two_cells_with_a_separator_are_a_move(typed):
    table, loaded = start_match("english-draughts")
    said = list_why_lines(table, loaded, Narrator(loaded.game, loaded.localizer("en")), typed, 80, as_sentences=True)
    assert said[0] == "Not available now: c3 and c5." and any("[EDR-" in line for line in said)


def test_a_menu_is_explained_without_names_of_the_rules():
    table, loaded = start_match("nine-mens-morris")
    said = " ".join(list_why_lines(table, loaded, Narrator(loaded.game, loaded.localizer("hu")), "zzz", 80, as_sentences=True))
    assert "place" not in said and "go" not in said.split() and "Világos" in said


@pytest.mark.long
@pytest.mark.parametrize("lang, called", [("en", "animal 1"), ("hu", "1. állat"), ("it", "animale 1")])
def test_a_member_is_found_by_its_label_on_the_table(lang, called):
    table, loaded = start_match("evolution")
    narrator, rng = Narrator(loaded.game, loaded.localizer(lang)), random.Random(2)
    while not (decision := table.position.decision).key.startswith("give"):
        table.play(rng.choice(decision.options))
    said = list_why_lines(table, loaded, narrator, called, 100, as_sentences=True)
    assert any(called in line.lower() for line in said[:3]) and "«" not in said[0] and "„" not in said[0] and "“" not in said[0]
