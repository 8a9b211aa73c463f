"""Checks the sentences that explain refusals: they are true in each language and contain no words of the rules."""

from __future__ import annotations

import re

import pytest
import shared_games
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.explain.refusal_finder import OptionExplanation
from ludoglot.engine.explain.refusal_text import format_refusal
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.i18n.languages import LANGUAGES
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.position import Game, Position
from tmp_files import bench

from .terminal_harness import HUMAN, Desk
from .test_display import narrator
from .test_reasons import explain_option, set_up

QUICK_GAMES = ["tic-tac-toe", "backgammon", "hearts", "trias"]
ALL_GAMES = sorted(path.name for path in shared_games.RULES.iterdir() if path.is_dir())
CODE_PATTERN = re.compile(r"\w_\w|[\[\]{}=<>]|\b(?:none|true|false)\b")  # appears in rules, never in sentences
MIN_EXPLAINED_SHARE = 0.98           # share of refusals with words in every game


# ---------------------------------------------------------------- in every game


@pytest.fixture(scope="module")
def refusal_bench():
    return bench("unexplained_refusals")


def check_refusals(wordless, name: str, turns: int, most: int) -> None:
    game, said, asked = shared_games.shared(name), 0, 0
    tellers = [narrator(game, lang) for lang in LANGUAGES]
    for n, (decision, answer) in enumerate(wordless.refusals(game, 1, turns, most)):
        lines = format_refusal(tellers[n % len(tellers)], decision, answer, decision.seat if n % 2 else None)
        assert not any(CODE_PATTERN.search(line) for line in lines), lines
        assert all(line.strip().endswith((".", "!")) for line in lines), lines
        asked, said = asked + 1, said + bool(lines)
    assert said >= asked * MIN_EXPLAINED_SHARE


@pytest.mark.long_cases("trias")
@pytest.mark.parametrize("name", QUICK_GAMES)
def test_refusals_contain_no_rule_code(refusal_bench, name):
    check_refusals(refusal_bench, name, 10, 8)


@pytest.mark.long
@pytest.mark.parametrize("name", ALL_GAMES)
def test_refusals_contain_no_rule_code_in_all_games(refusal_bench, name):
    check_refusals(refusal_bench, name, 60, 20)


# ---------------------------------------------------------------- texts of refusals


def refusal_sentences(position: Position, lang: str, viewer: int | None = None, **wanted: str) -> list[str]:
    return format_refusal(narrator(position.game, lang), position.decision, explain_option(position, **wanted), viewer)


def set_up_drift(game: Game) -> Position:
    """A steppe is to drift, and a forest is next to it."""
    tiles = {"0,0": "pole", "0,1": "forest", "1,0": "steppe", "2,0": "steppe", "3,0": "steppe"}
    steppe = game.model.enums["Land"].members.index("steppe")
    return set_up(game, "mandatory_drift", {"tile": tiles, "herds": {"player_1": {"3,0": 1}}}, 0, steppe, clears=("tile",))


@pytest.mark.parametrize(("lang", "text"), [
    ("en", "The land at n16 is forest. You can choose only steppe here."),
    ("it", "Il terreno in n16 è bosco. Qui puoi scegliere solo steppa."),
    ("es", "El terreno en n16 es bosque. Aquí solo puedes elegir estepa."),
    ("hu", "Az n16 hely terepe: erdő. Itt csak sztyeppe jöhet szóba.")])
def test_refusal_names_the_member_and_the_allowed_ones(game, lang, text):
    position = set_up_drift(game("trias"))
    assert " ".join(refusal_sentences(position, lang, origin="0,1")) == text


def test_refusal_names_only_offered_neighbours(game):
    """The herd is surrounded by water except on one side."""
    trias, tiles = game("trias"), {"0,0": "pole", "1,0": "forest", "2,0": "forest", "3,0": "forest"}
    position = set_up(trias, "act", {"tile": tiles, "herds": {"player_1": {"3,0": 1}}}, 0, 4, clears=("tile",))
    assert refusal_sentences(position, "en", origin="3,0", target="1,0") == ["After q16, you can choose only p16."]


def test_refusal_names_the_occupant(game):
    position = game("connect-four").start(1)
    position.play(position.decision.seat, "cell=a1")
    assert refusal_sentences(position, "en", cell="a1") == ["Yellow is already at a1."]
    assert refusal_sentences(position, "hu", cell="a1") == ["Az a1 helyen már sárga van."]


@pytest.mark.parametrize(("lang", "taken", "others"), [
    ("en", "a1 is already yours.", "Black is at a8, not you."), ("it", "a1 è già occupato da te.", "Su a8 c'è il nero, non tu."),
    ("es", "a1 ya está ocupado por ti.", "En a8 está el negro, no tú."), ("hu", "Az a1 hely már a tiéd.",
     "Az a8 helyen sötét van, nem te.")])
def test_refusal_addresses_the_player(game, lang, taken, others):
    position = game("connect-four").start(1)
    for cell in ("a1", "b1"):
        position.play(position.decision.seat, f"cell={cell}")
    assert refusal_sentences(position, lang, position.decision.seat, cell="a1") == [taken]
    assert refusal_sentences(game("breakthrough").start(1), lang, 0, origin="a8") == [others]


def test_refusal_calls_own_things_yours(game):
    """The sentence does not say “Hand” (you)."""
    position = game("hearts").start(1)
    assert refusal_sentences(position, "en", 0, card="two_of_clubs") == ["The two of clubs is not in your “Hand”."]


@pytest.mark.long
def test_game_can_word_refusals_for_the_player(game):
    position = game("chess").start(1)
    assert refusal_sentences(position, "en", 0, origin="e7") == ["None of your pieces is on e7."]
    assert refusal_sentences(position, "en", None, origin="e7") == ["None of White’s pieces is on e7."]


def test_refusal_names_the_result_of_the_move(game):
    position = game("chess").start(1)
    for move in ("origin=f2 target=f3", "origin=e7 target=e6", "origin=a2 target=a3", "origin=d8 target=h4"):
        position.play(position.decision.seat, move)
    assert refusal_sentences(position, "hu", 0, origin="b2", target="b3") == ["E lépés után a királyod sakkban állna."]


def test_refusal_names_the_failing_element_of_all(game):
    assert refusal_sentences(game("connect-four").start(1), "it", cell="c2") == ["Su c1 non c'è nulla."]


def test_def_is_explained_in_words_of_the_game(game):
    position = game("reversi").start(1)
    assert refusal_sentences(position, "es", cell="a1") == ["Una ficha en a1 no encerraría ninguna ficha rival."]


@pytest.mark.long
def test_texts_of_the_game_take_precedence_over_generated_ones(game, refusal_bench):
    """For a card without its partner, the rule alone would name the cards in hand."""
    answers = {" ".join(format_refusal(narrator(game("snapszer"), "en"), decision, answer))
               for decision, answer in refusal_bench.refusals(game("snapszer"), 1, 12, 6)}
    assert any(re.fullmatch(r"Player \d does not hold a marriage with the over of \w+\.", text) for text in answers)
    assert not any("must meet the condition" in text for text in answers)


def test_refused_card_names_only_the_broken_rule(game):
    """The sentence names neither the rule that cards are free, nor all three duties at once."""
    position = game("snapszer").start(2)
    for option in (0, 0, 0, 0, "close", "play card=king_of_hearts"):
        position.play(position.decision.seat, option)
    assert refusal_sentences(position, "en", 0, card="under_of_acorns") == ["The under of acorns does not follow suit, although you can."]


def test_self_capture_is_explained_in_words_of_the_game(game):
    position = game("go").start(1)
    for cell in ("e5", "a2", "e6", "b1"):
        position.play(position.decision.seat, f"place cell={cell}")
    assert refusal_sentences(position, "en", cell="a1") == ["A stone on a1 would leave its own group without a liberty."]


def test_repeated_board_is_explained_in_words_of_the_game(game):
    position = game("go").start(1)
    for cell in ("d5", "g5", "e6", "f6", "e4", "f4", "a9", "e5", "f5"):
        position.play(position.decision.seat, f"place cell={cell}")
    assert refusal_sentences(position, "it", cell="e5") == [
        "Una pietra in e5 riporterebbe tutto il goban com'era dopo una mossa precedente."]


# ---------------------------------------------------------------- each form of condition

EITHER_PREFIX = "At least one of these must be different. "
YARD_RULES = """
state taken: set of Crate
state carried: set of Crate
state load[Player]: 0..99 = 3

def bearable(player, crate) = load[player] + crate.weight <= 5

phase game:
    carried += {salt}
    rounds of player in Player until false: turn(player)

phase turn(player) by player:
    may choose crate in Crate where (FORM) or stop
    taken += {crate}

standing player: load[player]
"""


@pytest.fixture
def explain_in_yard(tmp_path):
    """A game whose choice has the condition `form`, after some crates have been taken. Returns the refusal of another crate."""
    def refused(form: str, crate: str, lang: str = "en", viewer: int | None = None) -> list[str]:
        (tmp_path / "game.yaml").write_text("""
game: yard
name: Yard
players: 1
rules: [yard.rules]
enums:
  Crate:
    name: crate
    attributes: {weight: int, on: "Crate?"}
    defaults: {on: none}
    members: {nails: {name: nails, weight: 4}, hats: {name: hats, weight: 1, on: nails}, salt: {name: salt, weight: 3}}
""", encoding="utf-8")
        (tmp_path / "messages.yaml").write_text("""
state.taken: "Taken"
state.carried: "Carried"
state.load: "Load"
attribute.Crate.weight: "Weight"
attribute.Crate.on: "On"
""", encoding="utf-8")
        (tmp_path / "yard.rules").write_text(YARD_RULES.replace("FORM", form), encoding="utf-8")
        played = Game(load_ruleset(tmp_path))
        position = played.start(1)
        words = game_localizer(lang, "yard", tmp_path, {key: text for key, (text, _) in played.ruleset.model.texts.items()}, None)
        answer: OptionExplanation = explain_option(position, crate=crate)
        assert answer.kind == "refused"
        return format_refusal(Narrator(played, words), position.decision, answer, viewer)
    return refused


@pytest.mark.parametrize(("form", "crate", "text"), [
    ("crate.weight >= 3", "hats", "“Weight” (hats) must be at least 3, but is 1."),
    ("crate.weight < 3", "nails", "“Weight” (nails) must be at most 2, but is 4."),
    ("3 >= crate.weight", "nails", "“Weight” (nails) must be at most 3, but is 4."),
    ("crate.weight == 3", "nails", "“Weight” (nails) must be 3, but is 4."),
    ("not crate.weight == 3", "salt", "“Weight” (salt) must not be 3."),
    ("bearable(player_1, crate)", "nails", "“Load” (Player 1) plus “Weight” (nails) must be at most 5, but is 7."),
    ("crate.on == none", "hats", "“On” (hats) already shows nails."),
    ("crate.on != none", "salt", "“On” (salt) is empty."),
    ("crate in taken or crate == salt", "hats", "“Taken” is empty."),
    ("crate in carried or crate == nails", "hats", "The hats is not in “Carried”. It contains only the salt."),
    ("crate in {nails, salt}", "hats", "You can choose only nails or salt here."),
    ("count(c in Crate where c.weight > crate.weight) <= 1", "hats",
     "The condition of the rule applies to 2 crates, but may apply to at most 1 crate."),
    ("longest(here in Crate, used in Crate, there in Crate where used.weight >= crate.weight) >= 2", "nails",
     "The longest trail has 1 crate, but must have at least 2 crates."),
    ("not any(c in Crate where c.on == crate)", "nails", "“On” (hats) must not be nails."),
    ("not any(c in Crate where c.on == crate and c.weight < 3)", "nails", "The hats prevents it."),
    ("all(c in Crate: c.weight <= crate.weight)", "salt", "“Weight” (nails) must be at most 3, but is 4."),
    ("any(c in {nails, salt} where c.on == crate or crate == salt)", "hats",
     "At least one of nails and salt must meet the condition."),
    ("crate.weight > 3 or crate.on != none", "salt",
     EITHER_PREFIX + "“Weight” (salt) must be at least 4, but is 3. “On” (salt) is empty."),
    ("not (crate.weight > 3 and crate.on == none)", "nails",
     EITHER_PREFIX + "“Weight” (nails) must be at most 3, but is 4. “On” (nails) is empty."),
])
def test_condition_is_explained_in_words(explain_in_yard, form, crate, text):
    assert " ".join(explain_in_yard(form, crate)) == text


def test_sentence_that_begins_with_your_has_a_capital(explain_in_yard):
    assert explain_in_yard("bearable(player_1, crate)", "nails", viewer=0) == [
        "Your “Load” plus “Weight” (nails) must be at most 5, but is 7."]


@pytest.mark.long
def test_negated_state_can_have_words_of_the_game(game):
    """EVO-FEED-10: “Has eaten in this go” is true now, but must be false."""
    given = {"herd": {"player_1": ["card_1", "card_2"]}, "owner": {"card_1": "player_1", "card_2": "player_1"}, "base": 4,
             "shows": {"card_20": "grazing"}, "under": {"card_1": ["card_20"]}}
    position = set_up(game("evolution", 2), "go", given, 0)
    position.step(next(option.code for option in position.decision.options if option.entry == "take"))
    assert refusal_sentences(position, "en", animal="card_2") == ["You have already taken red food in this go."]


def test_condition_without_words_gives_no_sentence(explain_in_yard):
    assert explain_in_yard("position(crate) > 1", "nails") == []


@pytest.mark.long
def test_a_trait_of_two_animals_says_that_it_needs_two():
    """The answer was that at least one of three animals, two of them other players', must meet a condition."""
    desk = Desk("evolution", [HUMAN, "bot:greedy", "bot:greedy"], typed=["1", "why cooperation"], seed=5)
    desk.run()
    told = " ".join(desk.text.partition("> why cooperation")[2].split())
    assert "No animal can get the trait Cooperation now. A trait that two animals share needs two animals of yours." in told
