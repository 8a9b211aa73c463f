"""Checks cards: symbols of their rank and suit on terminals and in pictures, and words in plain text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.canvas import StyleResolver
from ludoglot.engine.table_view.colours import MIN_SIGN_CONTRAST, contrast
from ludoglot.engine.table_view.palette import TerminalPalette
from ludoglot.engine.table_view.panel_priority import select_panels
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.surface import CARD_PAPER, CHANGED_CARD
from ludoglot.engine.table_view.svg_renderer import render_svg
from ludoglot.engine.table_view.theme import theme_of

from .test_display import narrator, play_randomly

DECKS = {"hearts": 4, "cribbage": 2, "brisca": 2, "scopa": 2, "snapszer": 2}


def card_texts(game, lang="en"):
    from ludoglot.engine.table_view.visible_values import SeatView
    view = SeatView(game.start(1), narrator(game, lang), 0)
    return {game.model.enums["Card"].members[n]: view.member("Card", n) for n in range(len(game.model.enums["Card"].members))}


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("lang", ["en", "it", "es", "hu"])
def test_card_faces_are_distinct_in_every_language(game, name, lang):
    cards = card_texts(game(name, DECKS[name]), lang)
    faces = {card.face for card in cards.values()}
    assert len(faces) == len(cards) and all(2 <= len(face) <= 3 for face in faces), faces
    assert all(card.face.endswith(card.shape) and card.shape for card in cards.values())


def test_faces_have_the_letters_of_the_language(game):
    hearts, scopa, snapszer = game("hearts", 4), game("scopa"), game("snapszer")
    assert card_texts(hearts)["queen_of_spades"].face == "Q♠" and card_texts(hearts)["ten_of_hearts"].face == "10♥"
    knights = {lang: card_texts(scopa, lang)["jack_of_coins"].face for lang in ("en", "it", "es", "hu")}
    assert knights == {"en": "J●", "it": "F●", "es": "S●", "hu": "A●"}
    assert card_texts(snapszer, "hu")["ace_of_bells"].face == "Á●"


@pytest.mark.parametrize("ground", [CARD_PAPER, CHANGED_CARD])
@pytest.mark.parametrize("name", DECKS)
def test_suit_symbols_are_readable_on_cards(game, name, ground):
    played = game(name, DECKS[name])
    for few in (None, TerminalPalette(theme_of(played), "256")):
        paint = StyleResolver(theme_of(played), True, palette=few)
        inks = {paint.style_on(card, ground).color.get_truecolor().hex for card in card_texts(played).values()}
        assert len(inks) == 4 and all(contrast(ink, ground) >= MIN_SIGN_CONTRAST for ink in inks)


def test_a_hand_is_drawn_as_cards_and_listed_in_words(game):
    hearts = game("hearts", 4)
    position = play_randomly(hearts, 3, 42)
    panels = build_panels(position, narrator(hearts), 0)
    hand = next(panel for panel in panels if panel.title == "Hand")
    assert "".join(render_terminal([hand], theme_of(hearts), 80, None)[1]).strip("│ ") == "[3♣] [A♦] [9♠] [6♥] [8♥] [J♥]"
    assert "  3♣  " not in render_terminal([hand], theme_of(hearts), 80, "standard")[1]
    assert render_plain([hand], 200)[1].startswith("Three of clubs, Ace of diamonds")
    assert "Three of clubs" in "".join(render_terminal([hand], theme_of(hearts), 80, None, utf=False))
    told = {title.text for title in ET.fromstring(render_svg(position, narrator(hearts), 0)).iter("{http://www.w3.org/2000/svg}title")}
    assert {"Three of clubs", "three of hearts"} <= told


def test_unusual_suits_have_a_legend(game):
    scopa, hearts = game("scopa"), game("hearts", 4)
    panels = build_panels(play_randomly(scopa, 3, 9), narrator(scopa, "it"), 0)
    lines = [line for panel in panels for line in render_terminal([panel], theme_of(scopa), 100, None)]
    assert any("● denari  ▼ coppe  † spade  ♣ bastoni" in line for line in lines), lines
    assert not any("♠ spades" in line for line in render_terminal(
        build_panels(play_randomly(hearts, 3, 42), narrator(hearts), 0), theme_of(hearts), 100, None))


def test_unusual_suits_have_a_legend_if_nobody_sees_their_own_hand(game):
    """In Hanabi no panel shows a hand. Without colours, nothing else says that ▲ is red."""
    hanabi = game("hanabi", 2)
    middle = next(panel for panel in build_panels(hanabi.start(1), narrator(hanabi), 0) if panel.title == "On the table")
    assert "▲ red  ★ yellow  ◆ green  ○ white  ■ blue" in "".join(render_terminal([middle], theme_of(hanabi), 80, None))


def test_hand_is_shown_even_if_every_card_is_a_move(game):
    hearts = game("hearts", 4)
    position = hearts.start(3)
    panels = build_panels(position, narrator(hearts), position.decision.seat)
    first, _ = select_panels(panels, position.decision)
    assert len(position.decision.options) == 13 and [panel.title for panel in first] == ["Hand"]


def test_equal_cards_are_drawn_once_with_their_number(game):
    """A player of Hanabi counts the copies of a card that have been discarded."""
    hanabi = game("hanabi", 2)
    position = hanabi.start(1)
    position.set_states([], {"discards": {"red_one": 2, "blue_five": 1}})
    middle = next(panel for panel in build_panels(position, narrator(hanabi), 0) if panel.title == "On the table")
    assert "Discard pile: ▲1×2 ■5" in "".join(render_terminal([middle], theme_of(hanabi), 80, None))
