"""Checks tables in plain text, which come from declarations alone."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.i18n.text_layout import truncate_cells
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.table_view.plain_renderer import render_table
from ludoglot.engine.table_view.theme import short_codes, to_ascii


def narrator(game, lang="en", names=None):
    ruleset = game.ruleset
    texts = {key: text for key, (text, _) in ruleset.model.texts.items()}
    return Narrator(game, game_localizer(lang, ruleset.id, ruleset.folder, texts), names)


def play_randomly(game, seed, decisions):
    position = game.start(seed)
    rng = random.Random(seed)
    for _ in range(decisions):
        if position.over:
            break
        decision = position.decision
        position.play(decision.seat, decision.option(rng.choice(decision.codes)))
    return position


def test_square_board_in_plain_text(game):
    tic = game("tic-tac-toe")
    position = tic.start(1)
    for cell in ("b2", "a1", "c3"):
        position.play(position.decision.seat, f"cell={cell}")
    assert render_table(position, narrator(tic), None) == [
        "3  . . X",
        "2  . X .",
        "1  O . .",
        "   a b c",
        "Marks: O Nought, X Cross",
    ]


def test_rows_of_a_hexagonal_board_are_shifted(game):
    position = game("hex").start(1)
    for cell in ("b1", "a2", "k11"):
        position.play(position.decision.seat, f"cell={cell}")
    lines = render_table(position, narrator(game("hex")), None)
    assert lines[0].split() == list("abcdefghijk")
    assert lines[1].split()[:4] == ["1", ".", "r", "."] and lines[2].split()[:3] == ["2", "b", "."] and lines[11].endswith(". r")
    assert lines[2].index("b") == lines[1].index(".") + 1                                                       # its points are up


@pytest.mark.long_cases(
    "it-dominant-species-2", "it-dominant-species-6", "it-food-chain-3", "hu-dominant-species-2", "hu-dominant-species-6",
    "hu-food-chain-3",
)
@pytest.mark.parametrize("name, players", [
    ("tic-tac-toe", 2), ("connect-four", 2), ("breakthrough", 2), ("hex", 2), ("dominant-species", 2), ("dominant-species", 6),
    ("parry", 4), ("food-chain", 3), ("drift", 4),
])
@pytest.mark.parametrize("lang", ["it", "hu"])
def test_every_table_fits_80_columns_and_has_texts(game, name, players, lang):
    position = play_randomly(game(name, players), 3, 60)
    lines = render_table(position, narrator(game(name, players), lang), 0)
    assert (lines or name == "drift") and all(len(line) <= 80 for line in lines), lines
    assert not any("table.hidden" in line or "⟦" in line for line in lines)


def test_plain_text_uses_only_ascii(game):
    lines = render_table(play_randomly(game("dominant-species", 4), 1, 40), narrator(game("dominant-species", 4)), None)
    assert all(ord(letter) < 128 for line in lines for letter in line)


def test_hidden_cards_are_only_counted(game):
    parry = game("parry")
    position = parry.start(2)
    names = ["Anna", "Piero"]
    mine, theirs, nobody = (" ".join(render_table(position, narrator(parry, names=names), seat)) for seat in (0, 1, None))
    assert "3 hidden" in mine and "3 hidden" in theirs and mine != theirs
    assert nobody.count("3 hidden") == 2 and "deck: " in nobody
    for n in position.raw_value("hand", 1) if isinstance(position.raw_value("hand", 1), tuple) else []:
        assert parry.model.enums["Card"].members[n] not in mine


def test_codes_are_short_and_different():
    assert short_codes(["white", "black"]) == ["w", "b"]
    assert short_codes(["sea", "savannah", "forest"]) == ["se", "sa", "fo"]
    assert len(set(short_codes(["same thing", "same thing", "same"]))) == 3
    assert short_codes(["Élan", "été"]) == ["el", "et"]


def test_truncation_leaves_a_mark():
    assert truncate_cells("abcdef", 4) == "abc+" and truncate_cells("abcd", 4) == "abcd" and to_ascii("Négy a nyerő") == "Negy a nyero"


def test_negative_numbers_have_a_minus_sign(game):
    """A table wrote -88 next to a status line with −88."""
    ulti = game("ulti", 3)
    position = ulti.start(1)
    position.set_states([], {"score": {"player_1": -88}})
    text = "\n".join(render_table(position, narrator(ulti), 0))
    assert "−88" in text and "-88" not in text


def test_mines_for_sale_show_their_level(game):
    """The level of a mine is on its card, and a decision reserves a card of a level."""
    gems = game("splendor", 2)
    lines = render_table(gems.start(1), narrator(gems), 0)
    assert [sum(f"Level: level {n};" in line for line in lines) for n in (1, 2, 3)] == [4, 4, 4]


@pytest.mark.parametrize("lang, hidden", [("en", "1 hidden (back 1)"), ("it", "(retro 1)"), ("es", "(reverso 1)"),
                                          ("hu", "1 rejtett (1-es hátlap)")])
def test_the_number_of_a_back_says_that_it_is_a_back(game, lang, hidden):
    trias = game("trias", 2)
    text = " ".join(" ".join(render_table(trias.start(1), narrator(trias, lang), 0)).split())
    assert hidden in text and "(1)" not in text


def test_the_back_of_a_deck_is_not_repeated_after_its_name(game):
    """“level 1: 36 hidden (level 1)” says the level twice."""
    gems = game("splendor", 2)
    text = " ".join(" ".join(render_table(gems.start(1), narrator(gems), 0)).split())
    assert "level 1: 36 hidden; level 2: 26 hidden; level 3: 16 hidden" in text
