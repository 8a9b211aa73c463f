"""Checks that options use the labels of the table: each option about a place or a thing contains its label."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.dsl.types.types import MemberOf, OptionalOf
from ludoglot.engine.i18n.template import capitalize_first
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.plain_renderer import render_plain, render_table
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.table_view.view_model import BoardPanel, GridPanel, ListPanel
from ludoglot.engine.table_view.visible_values import SeatView

from .test_display import narrator
from .test_drawing import POSITIONS

STEM_LENGTH = 4                      # letters of a word that endings usually do not change


def split_words(text: str) -> list[str]:
    from ludoglot.engine.table_view.theme import to_ascii
    return re.findall(r"-?\d+,-?\d+|\w+", to_ascii(text).lower())


def contains_label(text: str, label: str) -> bool:
    """Whether a text contains a label, perhaps with other endings. A capture in chess notation contains both squares: e5xc3."""
    said = split_words(re.sub(r"(?<=\d)x(?=\w)", " ", text))
    return all(
        any(word == part if part.isdigit() else word[:STEM_LENGTH].startswith(part[:STEM_LENGTH]) for word in said)
        for part in split_words(label)
    )


def iter_labels(panels):
    """Yields the labels of rows, cells, places, and all named things on the table."""
    for panel in panels:
        if isinstance(panel, BoardPanel):
            yield from (spot.label for spot in panel.spots)
        elif isinstance(panel, GridPanel):
            yield from (span.text for row in panel.rows for span in row[0])
        elif isinstance(panel, ListPanel) and panel.flow == "lists":
            yield from (f"{entry.head[0].text} {place[0].text}" for entry in panel.entries for place in entry.body)
        elif isinstance(panel, ListPanel) and (panel.flow == "stacks" or panel.key.startswith("hand ")):
            yield from (entry.head[0].text for entry in panel.entries)


def iter_random_positions(game, seed, most):
    position, rng = game.start(seed), random.Random(seed)
    for _ in range(most):
        if position.over:
            return
        yield position
        decision = position.decision
        position.play(decision.seat, decision.option(rng.choice(decision.codes)))


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "hu"])
@pytest.mark.parametrize("name, players, _", POSITIONS, ids=lambda value: str(value))
def test_a_thing_has_one_label_on_the_table_and_in_the_options(game, name, players, _, lang):
    played = game(name, players)
    words = narrator(played, lang)
    met = set()
    for n, position in enumerate(iter_random_positions(played, 3, 400)):
        if n % 3:
            continue
        decision = position.decision
        panels = build_panels(position, words, decision.seat)
        sight = SeatView(position, words, decision.seat)
        labels = set(iter_labels(panels))
        numbered = set(re.findall(r"\b\d+\b", " ".join(labels)))   # places of a group, by their numbers in it
        for option in decision.options:
            text = words.option_text(decision, option)
            for _name, kind, raw in option.values:
                kind = kind.of if isinstance(kind, OptionalOf) else kind
                if not isinstance(kind, MemberOf) or raw is None or raw == -1:
                    continue
                label = sight.member(kind.name, raw).text
                number = re.sub(r"[ -]point$", "", label.strip("."))       # “the 24-point” is the place with the number 24
                if label in labels or capitalize_first(label) in labels or number in numbered:
                    assert contains_label(text, label), (text, label)
                    met.add(decision.key)
                elif played.model.enum_of(kind.name).kind == "enum" and text in labels:
                    met.add(decision.key)
    assert met


@pytest.mark.parametrize("lang, label", [("en", "animal 1"), ("it", "animale 1"), ("es", "animal 1"), ("hu", "1. állat")])
def test_an_animal_is_not_called_a_card(game, lang, label):
    """The labels of rows and their contents are the words used in sentences, not the names of the pieces."""
    played = game("evolution", 4)
    position = next(position for n, position in enumerate(iter_random_positions(played, 3, 60)) if n == 40)
    lines = render_table(position, narrator(played, lang), 0)
    assert any(line.strip().startswith((label, label.replace("1", "2"))) for line in lines)
    assert not any(re.search(r"\bcard \d|\bcarta \d|\d\. lap\b", line) for line in lines)


@pytest.mark.long
def test_places_of_a_group_have_the_labels_of_options(game):
    played = game("dominant-species", 4)
    position = played.start(1)
    decision = position.decision
    panels = build_panels(position, narrator(played), decision.seat)
    labels = set(iter_labels(panels))
    assert {narrator(played).option_text(decision, option) for option in decision.options} <= labels
    assert "Initiative: empty" in render_plain(panels, 80)


@pytest.mark.parametrize("width", [80, 100])
def test_empty_neighbour_cells_have_labels_on_the_board(game, width):
    played = game("dominant-species", 4)
    position = played.start(4)
    chart = next(panel for panel in build_panels(position, narrator(played), 0) if isinstance(panel, BoardPanel))
    drawn = {spot.at: spot.label for spot in chart.spots if spot.ground}
    beside = {spot.label for spot in chart.spots for x, y in drawn
              if spot.at not in drawn and (spot.at[0] - x, spot.at[1] - y) in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))}
    said, narrow = (re.findall(r"\b[a-z]\d\b", " ".join(render_terminal([chart], theme_of(played), w, None))) for w in (width, 60))
    assert len(beside) > 8 and beside | set(drawn.values()) <= set(said)
    assert beside.isdisjoint(narrow)                               # hidden if there is no room
