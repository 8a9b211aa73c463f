"""Checks which panels appear above a question, and in which order."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.panel_priority import select_panels

from .terminal_harness import HUMAN, Desk, random_script
from .test_display import narrator, play_randomly
from .test_targets import type_at_decision

HAND_KEY = "hand hand 1"
CARD_GAMES = {"hearts": 4, "scopa": 2, "brisca": 2, "snapszer": 2, "cribbage": 2, "liars-dice": 2, "evolution": 3}


def panel_keys(position):
    first, others = select_panels(build_panels(position, narrator(position.game), position.decision.seat), position.decision)
    return [panel.key for panel in first], [panel.key for panel in others]


def test_chosen_things_come_first_and_own_hand_is_always_shown(game):
    position = play_randomly(game("evolution", 3), 3, 9)                   # a trait was chosen, now its animal
    assert position.decision.key == "give.animal"
    assert panel_keys(position)[0] == ["table Animal 1", HAND_KEY]
    position.play(position.decision.seat, position.decision.options[0])
    assert position.decision.key == "develop.card"
    first, others = panel_keys(position)
    assert first == ["table Animal 1"] and others[-1] == HAND_KEY, "the card is played on an animal, and the options name all cards"
    while position.decision.key != "go.go":
        position.play(position.decision.seat, position.decision.options[-1])
    first, others = panel_keys(position)
    assert first == ["table Animal 1", HAND_KEY] and HAND_KEY not in others


@pytest.mark.long
def test_own_hand_is_shown_with_every_question(game):
    rng = random.Random(2)
    for name, players in CARD_GAMES.items():
        position, seen = game(name, players).start(3), 0
        while seen < 30 and not position.over:
            decision = position.decision
            panels = build_panels(position, narrator(position.game), decision.seat)
            hands = [panel.key for panel in panels if panel.key.startswith("hand")]
            first, others = panel_keys(position)
            for hand in hands:
                shown = next(panel for panel in panels if panel.key == hand)
                texts = " ".join(narrator(position.game).option_text(decision, option) for option in decision.options).lower()
                assert hand in first or hand in others and all(entry.head[0].text.lower() in texts for entry in shown.entries), name
            seen += bool(hands)
            position.play(decision.seat, rng.choice(decision.options))
        assert seen, name


@pytest.mark.long
def test_map_with_numbers_replaces_the_list_on_a_small_screen():
    desk = Desk("trias", [HUMAN, "bot:random", "bot:random", "bot:random"], columns=80, lines=24, typed=["options"])
    desk.run()
    shown, asked = desk.screens[0], desk.session.question
    assert all(f"[{one.token}]" in shown.text for one in asked.choices) and asked.choices[0].text not in shown.text
    assert "Each place on the table shows its number. Type “options” to list them." in shown.text
    assert all(one.text in desk.screens[1].text for one in asked.choices)


def show_trias_question(key, seed, lines, columns):
    desk = type_at_decision(Desk("trias", [HUMAN, "bot:random", "bot:random"], seed=seed, columns=columns, lines=lines), key, ["help"])
    return desk, desk.screens[-2].text.rpartition("> ")[2]      # as it was when “help” was typed


@pytest.mark.long
@pytest.mark.parametrize("columns, lines", [(100, 30), (80, 24)])
@pytest.mark.parametrize("key", ["act.action", "drift.target"])
def test_low_screen_shows_the_map_around_the_offered_places(key, columns, lines):
    desk, screen = show_trias_question(key, 4, lines, columns)
    drawn, _, rest = screen.rpartition("╰")
    shown = [one.token for one in desk.session.question.choices if f"[{one.token}" in drawn]
    assert "─ Map ─" in drawn and len(shown) > 5
    assert len(screen.strip().split("\n")) <= lines
    assert "options" in rest or all(f"[{one.token}] " in rest or f" {one.token}  {one.text}" in rest
                                    for one in desk.session.question.choices)


@pytest.mark.long
def test_options_without_a_place_are_always_listed():
    desk, screen = show_trias_question("act.action", 4, 24, 80)
    asked = desk.session.question
    told = screen.rpartition("╰")[2]
    assert asked.decision.key == "act.action"
    placeless = [one for one in asked.choices if not one.option.values or one.option.declines]
    assert placeless and all(one.text in told for one in placeless)


@pytest.mark.long
def test_large_screen_shows_map_and_list():
    desk = Desk("trias", [HUMAN, "bot:random"], columns=140, lines=60, typed=[])
    desk.run()
    assert all(one.text in desk.screens[0].text for one in desk.session.question.choices)
    assert "Each place on the map" not in desk.screens[0].text


@pytest.mark.long
def test_unused_action_points_are_not_shown_in_the_next_turn():
    """TRI-ACT-05: action points are for one turn, so a player who chooses a card has none yet. No herds have reproduced yet either."""
    desk = Desk("trias", [HUMAN, HUMAN])
    answer = random_script(lambda: desk, random.Random(2), 60)
    seen = []

    def next_line(screen):
        decision = desk.table.position.decision
        if decision is None:
            return None
        if screen.prompt and decision.key == "play_card.card" and desk.table.position.rounds > 1:
            seen.append(screen.text.rpartition("> ")[2])
            assert not desk.table.position["spent"]
        if screen.prompt and decision.key == "act.action":         # one herd reproduces, and no other point is used
            breeds = [one for one in desk.session.question.choices if one.option.entry == "breed"]
            return breeds[0].token if breeds and desk.table.position.raw_value("points") > 3 else desk.session.question.choices[-1].token
        return answer(screen)
    desk.script.answer = next_line
    desk.run()
    assert seen and not any("action point" in text for text in seen)


@pytest.mark.long
def test_small_screen_shows_part_of_the_map():
    """The choice of a card depends on the land, but not all of it fits in 24 lines."""
    desk = Desk("trias", [HUMAN, "bot:random", "bot:random"], columns=80, lines=24, seed=3)
    answer = random_script(lambda: desk, random.Random(2), 60)

    def next_line(screen):
        decision = desk.table.position.decision
        return None if decision is None or decision.key == "play_card.card" and decision.position.rounds > 1 else answer(screen)
    desk.script.answer = next_line
    desk.run()
    assert desk.session.question.decision.key == "play_card.card"
    shown = desk.screens[-1].text.rpartition("> ")[2]
    assert "Map" in shown and "▼" in shown


@pytest.mark.long
def test_single_panel_has_a_full_legend_and_a_hint_for_the_other():
    """The legend of the map explains the letters, unless there is no room for the map. Then the other panel explains them."""
    desk = Desk("dominant-species", [HUMAN, HUMAN], columns=96, lines=30)
    desk.run()
    shown = desk.screens[0].text
    assert "─ Action display ─" in shown and "─ Earth ─" not in shown
    assert "There is no room for: Earth. To see more, type “board Earth”." in shown
    assert all(f"{letters} {name}" in shown for letters, name in (("tu", "tundra"), ("ju", "jungle"), ("se", "sea")))
    both = Desk("dominant-species", [HUMAN, HUMAN], columns=140, lines=74)
    both.run()
    shown = both.screens[0].text
    assert "─ Earth ─" in shown and "no room for" not in shown and shown.count("tu tundra") == 1


@pytest.mark.long
def test_needed_panels_take_precedence_over_the_outlook():
    """The outlook of a pawn is shown only if the action display and the earth leave room.

    A hint names the command that shows the rest, and every option stays in the list."""
    for lines, told in ((40, True), (30, False)):
        desk = Desk("dominant-species", [HUMAN, HUMAN], columns=100, lines=lines)
        desk.run()
        shown = desk.screens[0].text
        assert all(f"─ {title} ─" in shown for title in ("Action display", "Earth", "Animals"))
        assert all(f"[{n}]" in shown for n in range(1, 42)) and ("as things stand" in shown) == told
        assert re.search("Type “options” to (see what|list them with what)", " ".join(shown.split()))


@pytest.mark.long
@pytest.mark.parametrize("lang, titles", [("en", "Earth, Action display, Animals"), ("it", "Terra, Tabella di azione, Animali"),
                                          ("es", "Tierra, Panel de acciones, Animales"), ("hu", "Föld, Akciótábla, Állatok")])
def test_planning_shows_map_actions_and_animals_on_one_screen(lang, titles):
    desk = Desk("dominant-species", [HUMAN, *["bot:greedy"] * 3], columns=100, lines=35, lang=lang, seed=11)
    desk.run()
    shown = "\n".join(desk.screens[0].lines[-34:])
    places = [shown.index(f"─ {title} ─") for title in titles.split(", ")]
    assert places[0] < places[1] and places[0] < places[2]        # the map first
    assert [sign in shown for sign in ("≈3", "▲2", "[34]", "[38]")] == [True] * 4


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "hu"])
def test_low_screen_shows_the_selectable_spaces_first(lang):
    """The map, the list of options, and the news use the remaining room."""
    desk = Desk("dominant-species", [HUMAN, *["bot:greedy"] * 3], columns=80, lines=24, lang=lang, seed=11)
    desk.run()
    shown = "\n".join(desk.screens[0].lines[-22:])                # above the input line and the toolbar
    assert [n for n in range(1, 39) if f"[{n}]" not in shown] == [] and desk.session.question.text in shown


@pytest.mark.long
def test_legend_moves_to_another_panel_if_the_map_lacks_room():
    """The action display once explained only the one terrain that was not on the map, and the map none."""
    desk = Desk("dominant-species", [HUMAN, "bot:greedy"], columns=140, lines=50, typed=["18"], seed=4712)
    desk.run()
    shown = desk.screens[-1].text
    assert "Action display" in shown and "Earth" in shown
    line = next(line for line in shown.splitlines() if "Terrains: " in line)
    assert all(f"{letters} {name}" in line for letters, name in (("se", "sea"), ("tu", "tundra"), ("we", "wetland")))


def show_card_question(columns, lines):
    """Asks a player with many cards which one to play, while all players have animals."""
    desk = Desk("evolution", [HUMAN, "bot:random", "bot:random"], columns=columns, lines=lines, seed=2)
    rng = random.Random(3)
    while True:
        decision = desk.table.position.decision
        if decision.seat == 0 and decision.key == "develop.card" and len(decision) >= 17 and desk.table.position.rounds >= 3:
            break
        options = decision.options[:1] if decision.key == "go.go" else [one for one in decision.options if not one.declines]
        options = decision.options[-1:] if decision.key == "develop.card" and rng.random() < 0.45 else options or decision.options
        desk.table.take(decision, rng.choice(options), auto=len(decision) == 1)
    desk.sit()
    desk.run()
    return desk, desk.screens[0].text


@pytest.mark.long
@pytest.mark.parametrize("columns, lines", [(100, 36), (100, 30), (80, 36)])
def test_card_question_shows_animals_and_all_options(columns, lines):
    desk, screen = show_card_question(columns, lines)
    assert "─ Animals ─" in screen and "no room for" not in screen
    assert all(f"{one.token}  {one.text}" in screen for one in desk.session.question.choices)
    assert len(screen.partition("╭")[2].split("\n")) < lines
