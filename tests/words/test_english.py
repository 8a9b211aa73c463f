from __future__ import annotations

import pytest
from ludoglot.engine.i18n import CountedNoun, Noun, ProperName, game_localizer
from ludoglot.engine.library.find import RULES_FOLDER

LEXICON = {"n.species": {"pl": "species"}, "P.white": {"sg": "white", "article": "none"}, "Card": {"sg": "card", "members": "title"}}


@pytest.mark.parametrize("markers, noun, said", [
    ("an", "T.insect", "an insect"), ("an", "T.bird", "a bird"), ("an", "T.hour", "an hour"), ("an", "T.unicorn", "a unicorn"),
    ("an", "T.uninvited_guest", "an uninvited guest"), ("the.pl", "T.fox", "the foxes"), ("pl", "T.berry", "berries"),
    ("the.gen", "T.bird", "the bird’s"),
    ("pl.the.gen", "T.bird", "the birds’"), ("the", "P.white", "white")])
def test_nouns(make_localizer, markers, noun, said):
    assert make_localizer("en", LEXICON).noun(noun, *markers.split(".")) == said


def test_numbers_names_titles(make_localizer):
    en = make_localizer("en", LEXICON, {"Card.name": "card", "Card.fertile.name": "Fertile"})
    assert en.render("lose {n}~n.species, {m}~n.species, {k}~n.pawn", n=1, m=2, k=0) == "lose 1 species, 2 species, 0 pawns"
    assert en.render("it is {a}~an, not {b}~an", a=8, b=10) == "it is an 8, not a 10"
    assert en.render("{who}~the.gen turn", who=ProperName("ANNA")) == "ANNA’s turn"
    assert en.render("take {c}~the", c=Noun("Card.fertile")) == "take the Fertile card"
    assert en.list([ProperName("A"), ProperName("B"), ProperName("C")]) == "A, B, and C"


def test_names_of_cards_in_evolution_have_no_plural():
    en = game_localizer("en", "evolution", RULES_FOLDER / "evolution", {"Face.piracy_card.name": "Piracy"})
    cards = [CountedNoun(2, Noun(f"Face.{name}")) for name in ("piracy_card", "parasite_carnivorous_card")]
    assert en.list(cards) == "2 Piracy and 2 Parasite / Carnivorous"
