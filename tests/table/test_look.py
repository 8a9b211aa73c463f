"""Checks `look`: everything about a place, a thing, or a player that the current player may see."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.narration.member_texts import member_text
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.table_view.inspect_item import ItemInspector
from ludoglot.engine.table_view.visible_values import SeatView
from ludoglot.engine.terminal.inspect_command import list_inspection
from ludoglot.engine.terminal.question import DecisionPrompt

from .terminal_harness import HUMAN, Desk, random_script
from .test_display import narrator

GAMES = [("dominant-species", 3), ("evolution", 3), ("trias", 2), ("masquerade", 3), ("hex", 2), ("flower-stall", 2)]


def get_output(desk: Desk, typed: str) -> str:
    desk.typed = [typed]
    desk.run()
    return desk.text.rpartition(f"> {typed}")[2]


@pytest.mark.long
def test_look_at_a_tile_shows_contents_lead_and_neighbours():
    said = get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), "look e3")
    assert "The terrain of e3 is savannah." in said
    assert "Neighbours:" in said and "d3 (tundra)" in said
    assert "dominates e3" in said.casefold() and "The lead is" in said
    assert "[DS-ERT-01]" in said


def test_options_of_a_place_include_all_that_involve_it():
    """The options of a place include all moves that involve it: a herd there may reproduce, arrive, or leave."""
    desk, rng, place, texts = Desk("trias", [HUMAN, "bot:random"], seed=3), random.Random(3), "", []
    while len(texts) < 3:
        list(desk.table.take_automatic())
        decision = desk.table.position.decision
        found = [one.text for one in DecisionPrompt(decision, desk.session.narrator).choices]
        place = next((text.split(" at ")[1].split()[0] for text in found if "reproduce at" in text), "")
        texts = [text for text in found if place and f" {place} " in text] if decision.key == "act.action" else []
        if len(texts) < 3:
            desk.table.play(rng.choice(decision.options))
    said = get_output(desk, f"options {place}")
    assert [text for text in texts if text not in " ".join(said.split())] == []


@pytest.mark.long
@pytest.mark.parametrize("typed", ["look e3", "look amphibian"])
def test_look_omits_set_up_clauses_during_play(typed):
    assert "[DS-SET-" not in get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), typed)


@pytest.mark.long
def test_look_shows_set_up_clauses_during_set_up():
    for typed in ("look n16", "look 0,1"):
        assert "[TRI-SETUP-01]" in get_output(Desk("trias", [HUMAN, "bot:random"], seed=7), typed)


@pytest.mark.long
def test_look_at_a_corner_shows_its_tiles():
    said = get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), "look d3.e")
    assert "There is a grass disc on d3.e." in said
    assert all(f"{tile} (" in said for tile in ("d3", "e3", "e4"))


@pytest.mark.long
def test_look_at_a_space_shows_its_pawn_and_option():
    desk = Desk("dominant-species", [HUMAN, HUMAN], seed=7)
    assert "involves it" in get_output(desk, "look Adaptation 2")
    desk.typed = ["Adaptation 2", "look Adaptation 2"]
    desk.run()
    assert "The arachnid has a pawn on Adaptation 2." in desk.text


@pytest.mark.long
def test_look_at_a_card_shows_its_text():
    assert "for each tile that you share" in get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), "look biodiversity")


@pytest.mark.long
def test_look_does_not_show_rule_files():
    said = get_output(Desk("evolution", [HUMAN, "bot:random"], seed=1), "look symbiosis")
    assert "[EVO-TR-SYMBIOSIS-01]" in said and ".rules" not in said


@pytest.mark.long
def test_unknown_name_is_reported():
    assert "There is nothing called “mamal”" in get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), "look mamal")


@pytest.mark.long
def test_empty_water_can_be_looked_at():
    said = get_output(Desk("trias", [HUMAN, "bot:random"], seed=3), "look 9,9")
    assert "only water" in said and "Neighbours:" in said


def test_value_sentence_names_the_place(game):
    made = game("trias", 2)
    about = ItemInspector(made.start(1), narrator(made), 0)
    for typed in ("0,1", "n16", " N16 "):
        assert "The land at n16 is forest." in about.describe(*about.find_things(typed))


@pytest.mark.long
@pytest.mark.parametrize("lang, typed, says", [("it", "guarda e3", "Su e3 c'è un esagono di"), ("es", "mira e3", "El terreno de e3"),
                                               ("hu", "nézd e3", "e3 terepe")])
def test_look_works_in_each_language(lang, typed, says):
    assert says in get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7, lang=lang), typed)


@pytest.mark.long_cases("dominant-species-3", "evolution-3", "hex-2")
@pytest.mark.parametrize("name, players", GAMES)
def test_look_reveals_nothing_hidden(game, name, players):
    """`look` describes every thing alike in positions that look the same to a seat."""
    made = game(name, players)
    texts = {key: text for key, (text, _) in made.model.texts.items()}
    narrator = Narrator(made, game_localizer("en", name, made.ruleset.folder, texts))
    rng, position = random.Random(2), made.start(2)
    for _ in range(30):
        position.play(position.decision.seat, rng.choice(position.decision.options))
        if position.over:
            return
    seat = position.decision.seat
    pair = [ItemInspector(one, narrator, seat) for one in (position, determinize_position(position, seat, random.Random(9)))]
    things = set(pair[0].names.values)
    assert things
    for thing in things:
        first, second = (about.describe(thing) for about in pair)
        assert first == second


@pytest.mark.long
@pytest.mark.parametrize("typed, wanted", [
    ("food chain", ["[DS-CMP-13]", "it breaks ties", "more clauses use the word"]),
    ("element", ["Element\n", "The rulebook explains it in"]),
    ("reseed", ["Cards, discs, and tiles are replenished", "[DS-RES-02]"]),
    ("initiative order", ["Initiative order", "[DS-PLN-01]"]),
])
def test_look_accepts_any_word_of_the_game(typed, wanted):
    said = get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), f"look {typed}")
    assert all(part in said for part in wanted), said


@pytest.mark.long
def test_look_uses_the_language_of_the_table():
    said = get_output(Desk("trias", [HUMAN, "bot:random"], seed=7, lang="hu"), "nézd földrész")
    assert "[TRI-GOAL-01] A földrész" in said


@pytest.mark.long
def test_misspelt_word_gets_a_suggestion():
    said = get_output(Desk("dominant-species", [HUMAN, HUMAN], seed=7), "look extincion")
    assert "There is nothing called “extincion” here. Did you mean “Extinction”?" in said


@pytest.mark.long
def test_look_accepts_letters_and_numbers_of_the_map():
    desk = Desk("trias", [HUMAN, "bot:random", "bot:random"], seed=4, typed=["look f", "look 3"])
    desk.run()
    place = next(one for one in desk.session.question.choices if one.token == "3").text.partition(" ")[0]
    letter, number = (screen.text.rpartition("> look")[2] for screen in desk.screens[1:3])
    assert "Forest" in letter and "After the command, type" not in letter
    assert number.split("\n")[1].startswith(place)


@pytest.mark.long
def test_partial_option_text_does_not_choose_a_card():
    desk = Desk("trias", [HUMAN, HUMAN], seed=4, lang="it")      # with two people, because undo is always possible alone against bots
    answer = random_script(lambda: desk, random.Random(11), 60)
    typed = []

    def next_line(screen):
        if not screen.prompt:
            return ""
        if desk.table.position.decision.key != "play_card.card":
            return answer(screen)
        typed.append(len(desk.table.steps))
        return ["mazzo", "la prossima", None][len(typed) - 1] if len(typed) < 3 else None
    desk.script.answer = next_line
    desk.run()
    assert typed[0] == typed[1] and any(
        "«mazzo» è solo una parte di «La prossima carta del mazzo»" in screen.text for screen in desk.screens)
    assert len(desk.table.steps) > typed[1]


@pytest.mark.parametrize("name, typed, beside", [
    ("english-draughts", "c3", "b2 b4 d2 d4"), ("lines-of-action", "d4", "c3 c4 c5 d3 d5 e3 e4 e5"),
    ("nine-mens-morris", "d2", "b2 d1 d3 f2"), ("breakthrough", "c4", "b3 b5 c3 c5 d3 d5"),
    ("reversi", "a1", "a2 b1 b2"), ("go", "c3", "b3 c2 c4 d3")])
def test_neighbours_of_a_cell_are_its_reachable_cells(game, name, typed, beside):
    made = game(name)
    about = ItemInspector(made.start(1), narrator(made), 0)
    (thing,) = about.find_things(typed)
    assert {place.partition(" ")[0] for place in about.neighbour_texts(thing)} == set(beside.split())


@pytest.mark.long
def test_card_descriptions_do_not_show_rule_files():
    """Players at the table do not have the rule files open."""
    desk = Desk("evolution", [HUMAN, "bot:random"], typed=["look symbiosis", "cards symbiosis"])
    desk.run()
    assert "EVO-TR-SYMBIOSIS" in desk.text and ".rules" not in desk.text


def test_look_at_a_player_shows_their_colour():
    desk = Desk("hex", [HUMAN, HUMAN], names=["Anna", "Bea"])
    assert "Anna (Red)" in get_output(desk, "look anna")


def test_card_without_text_shows_the_texts_of_its_traits():
    desk = Desk("evolution", [HUMAN, "bot:random"], seed=3, typed=["cards scavenger", "cards", None])
    desk.run()
    assert desk.text.partition("(Kind of card)")[2].strip().startswith("Scavenger. When an animal is eaten")
    assert "Cooperation / Fat Tissue ×2" in desk.text and "Swimming ×" not in desk.text


def test_passed_is_shown_only_during_the_phase():
    desk = Desk("evolution", [HUMAN, HUMAN], seed=3)
    table, seen = desk.table, []
    while table.position.decision.key.startswith("develop"):
        options = table.position.decision.options
        table.play(options[-1] if table.position.raw_value("herd", table.position.decision.seat) else options[0])
        sight = SeatView(table.position, narrator(table.game), None)
        seen.append([span.words for n in (0, 1) for span in sight.join_values(["passed", "out"], "Player", n)])
    assert seen[-2] == ["Has passed"] and seen[-1] == [] and table.position.decision.key == "go.go"
    assert all(
        "passed" not in line for n in (0, 1) for line in ItemInspector(table.position, narrator(table.game), n).describe(("Player", n))
    )


@pytest.mark.parametrize("game, seats, told", [
    ("dominant-species", 3, ["Animals, mammal: ", "Elements meat 2", "Available pawns ", "Points 0"]),
    ("trias", 2, ["Players, Marta: ", "Victory points 0"]), ("hearts", 4, ["Players, Marta: ", "Points 0"])])
def test_look_at_a_player_shows_points_elements_and_pieces(game, seats, told):
    desk = Desk(game, [HUMAN] * seats, names=["Marta"], typed=[None], seed=11)
    list(desk.table.take_automatic())
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    desk.session.seat = 0
    shown = list_inspection(desk.session, question, "Marta")
    assert all(part in "\n".join(shown) for part in told), shown
    other = list_inspection(desk.session, question, desk.session.narrator.player_name(1))
    assert not any("Marta" in line for line in other[1:]), other


def test_look_at_a_corner_names_its_disc():
    desk = Desk("dominant-species", [HUMAN, HUMAN], seed=3)
    about = ItemInspector(desk.table.position, desk.session.narrator, 0)
    (corner,) = about.names.find_exact("d3.se")
    assert "There is a sun disc on d3.se." in about.describe(corner)


def test_a_question_mark_explains_a_word_that_only_the_rulebook_knows():
    said = get_output(Desk("scopone", [HUMAN, *["bot:random"] * 3], seed=7, lang="it"), "? primiera")
    assert "Primiera: La somma delle carte migliori" in said and "niente" not in said


@pytest.mark.parametrize("lang", ["en", "hu"])
def test_look_at_a_played_trait_describes_the_trait_once(lang):
    """A card that lies under an animal as a trait is no animal: the answer is the text of the trait."""
    desk, rng = Desk("evolution", ["bot:random"] * 2, seed=1, lang=lang), random.Random(1)
    position, narrator = desk.table.position, desk.session.narrator
    traits = position.game.model.enums["Trait"].members
    seen: set[str] = set()
    for _ in range(30):
        desk.session.question = question = DecisionPrompt(position.decision, narrator)
        about = ItemInspector(position, narrator, 0)
        for card in range(len(position.game.model.enums["Card"].members)):
            shown = about.sight.things(about.sight.read_named("shows", "Card", card))
            if not shown:
                continue
            seen.add(traits[shown[0][1]])
            said = list_inspection(desk.session, question, about.sight.member("Card", card).text)
            text = member_text(position.game, narrator.words, "Trait", traits[shown[0][1]])
            assert " ".join(" ".join(said).split()).count(text) == 1
            assert not any(narrator.words.text("look.food.none") in line or "[EVO-CARN" in line for line in said)
        position.play(position.decision.seat, rng.choice(position.decision.options))
    assert {"mimicry", "cooperation", "fat_tissue"} <= seen


def test_suggestions_are_names_that_players_see():
    """An Italian player was asked „Intendevi «onyx 18»?“, an identifier of the rules."""
    said = get_output(Desk("splendor", [HUMAN, "bot:random"], seed=5, lang="it"), "perché onici 18")
    assert "Qui non c'è niente che si chiami «onici 18»" in said and "onyx" not in said
