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


def label_choices(name: str, lang: str) -> tuple[ChoiceLabels, dict[str, str]]:
    game = shared(name)
    words = game_localizer(lang, name, game.ruleset.folder, game_domain(game.ruleset.folder, DiagnosticList()).english)
    names = ChoiceLabels(Narrator(game, words))
    return names, names.label_all(thing for thing in choosable_things(game) if names.is_reported(thing))


@pytest.mark.long
def test_choices_are_labelled_by_their_question():
    _, said = label_choices("dominant-species", "en")
    assert said["perform[wanderlust].stack"] == "From which stack do you take the tile?"
    assert said["perform[domination].tile"] == "Which tile do you score?"
    assert said["perform[domination].tile.decline"] == "Which tile do you score? Give up the action"
    assert said["effect[aquatic].element"] == "Which element do you take from the bag? (Aquatic)"        # two cards ask this
    assert said["Card.fertile"] == "Fertile" and said["Space.domination_4"] == "Domination 4"


def test_variable_parts_are_removed_from_labels():
    _, said = label_choices("evolution", "hu")
    assert said["go.go.take"].startswith("Piros táplálék") and not re.search(r"\d|\(", said["go.go.take"])
    _, said = label_choices("evolution", "en")
    assert said["go.go.take"] == "Take red food for animal …" and said["develop.card.animal"] == "As an animal"


@pytest.mark.parametrize("lang", ["en", "hu", "it", "es"])
@pytest.mark.parametrize("game", ["dominant-species", "evolution", "kalah", "trias", "chess", "hearts", "scopa"])
def test_labels_are_distinct(game, lang):
    _, said = label_choices(game, lang)
    assert len(set(said.values())) == len(said) and all(re.search(r"[^\W\d_]", name) for name in said.values())
    assert not any("{" in name or "97" in name or re.search(r"\[\w+\]", name) for name in said.values())


@pytest.mark.long
def test_uninformative_members_are_not_reported():
    names, said = label_choices("dominant-species", "en")
    assert not any(thing.startswith(("Tile.", "Corner.")) for thing in said)                # several questions choose these
    assert names.group_of("Card.fertile") == "Card" and names.group_of("perform[domination].tile") == ACTION_GROUP
    assert names.is_reported("Animal.bird") and not ChoiceLabels(
        names.narrator, [GameResult(1, 1, roles={"keeper": {"bird": 0}})]
    ).is_reported("Animal.bird")
    names, said = label_choices("evolution", "en")
    assert not names.is_reported("Card.card")                                                     # all cards are of this one kind
    _, said = label_choices("kalah", "en")
    assert said["Cell.c1"].endswith(" c1") and said["Cell.c1"].startswith(said["game.pit"])   # the only question that chooses a pit
