"""Checks the labels of choices in a report: they use the common part of several texts, they are distinct, and none is an example."""

from __future__ import annotations

import re

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.i18n.message_sources import game_domain
from ludoglot.engine.lab.choice_labels import ACTION_GROUP, ChoiceLabels
from ludoglot.engine.lab.playout import GameResult, choosable_things
from ludoglot.engine.narration.narrator import Narrator
from shared_games import shared


def names_of(name: str, lang: str) -> tuple[ChoiceLabels, dict[str, str]]:
    game = shared(name)
    words = game_localizer(lang, name, game.ruleset.folder, game_domain(game.ruleset.folder, DiagnosticList()).english)
    names = ChoiceLabels(Narrator(game, words))
    return names, names.label_all(thing for thing in choosable_things(game) if names.is_reported(thing))


@pytest.mark.long
def test_a_generic_question_is_named_by_itself():
    _, said = names_of("dominant-species", "en")
    assert said["perform[wanderlust].stack"] == "From which stack do you take the tile?"
    assert said["perform[domination].tile"] == "Which tile do you score?"
    assert said["perform[domination].tile.decline"] == "Which tile do you score? Give up the action"
    assert said["effect[aquatic].element"] == "Which element do you take from the bag? (Aquatic)"        # two cards ask this
    assert said["Card.fertile"] == "Fertile" and said["Space.domination_4"] == "Domination 4"


def test_an_answer_is_named_without_what_changes_in_it():
    _, said = names_of("evolution", "hu")
    assert said["go.go.take"].startswith("Piros táplálék") and not re.search(r"\d|\(", said["go.go.take"])
    _, said = names_of("evolution", "en")
    assert said["go.go.take"] == "Take red food for animal …" and said["develop.card.animal"] == "As an animal"


@pytest.mark.parametrize("lang", ["en", "hu", "it", "es"])
@pytest.mark.parametrize("game", ["dominant-species", "evolution", "kalah", "trias", "chess", "hearts", "scopa"])
def test_no_two_are_called_alike(game, lang):
    _, said = names_of(game, lang)
    assert len(set(said.values())) == len(said) and all(re.search(r"[^\W\d_]", name) for name in said.values())
    assert not any("{" in name or "97" in name or re.search(r"\[\w+\]", name) for name in said.values())


@pytest.mark.long
def test_what_says_nothing_by_itself_is_not_told():
    names, said = names_of("dominant-species", "en")
    assert not any(thing.startswith(("Tile.", "Corner.")) for thing in said)                # several questions choose these
    assert names.group_of("Card.fertile") == "Card" and names.group_of("perform[domination].tile") == ACTION_GROUP
    assert names.is_reported("Animal.bird") and not ChoiceLabels(
        names.narrator, [GameResult(1, 1, roles={"keeper": {"bird": 0}})]
    ).is_reported("Animal.bird")
    names, said = names_of("evolution", "en")
    assert not names.is_reported("Card.card")                                                     # all cards are of this one kind
    _, said = names_of("kalah", "en")
    assert said["Cell.c1"].endswith(" c1") and said["Cell.c1"].startswith(said["game.pit"])   # the only question that chooses a pit
