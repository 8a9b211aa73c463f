"""Checks tables of things by owner on a low screen, and options that choose such things.

The player's own animals are always visible, and those of others are grouped by player."""

from __future__ import annotations

import random
import re

import pytest
import shared_games
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.compact_grid import compact_variants
from ludoglot.engine.table_view.flow_layout import FlowText
from ludoglot.engine.table_view.option_order import sort_options
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.table_view.view_model import ListPanel
from ludoglot.engine.terminal.preview_lines import format_preview_row, preview_column
from rich.text import Text

from .test_display import narrator


@pytest.fixture(scope="module")
def positions_by_key():
    """The positions of a game with many animals, grouped by the key of their decision."""
    position = shared_games.shared("evolution", 4).start(4)
    rng, found = random.Random(4), {}
    while not position.over and position.rounds < 3:
        decision = position.decision
        found.setdefault(decision.key, []).append(position.copy())
        options = [one for one in decision.options if not one.declines] or decision.options
        position.play(decision.seat, rng.choice(options))
    return found


def option_owners(position):
    """Returns the owner of the animal of each option, in the order shown."""
    return [position.raw_value("owner", option.values[-1][2]) for option in sort_options(position.decision)[0]]


@pytest.mark.long
@pytest.mark.parametrize("columns, room", [(80, 14), (100, 12), (80, 8)])
def test_low_screen_shows_own_animals_and_names_omitted_ones(positions_by_key, columns, room):
    position = positions_by_key["go.go"][-1]
    seat, words = position.decision.seat, narrator(position.game)
    panels = [panel for panel in build_panels(position, words, seat) if panel.key.startswith("table Animal")]
    assert len(render_terminal(panels, theme_of(position.game), columns)) > room
    lines = render_terminal(panels, theme_of(position.game), columns, None, True, room, 1)
    text = "\n".join(lines)
    assert 0 < len(lines) <= room and words.player_name(seat) in next(line for line in lines if "Player" in line)
    if "Not shown" not in text:                                    # the animals of each player are contiguous
        everybody = [position.piece_number("Card", n) for who in range(4) for n in position.raw_value("herd", who)]
        assert room > 8 and all(re.search(rf"animal {n}!? \d", text) for n in everybody)
        return
    own = [f"animal {position.piece_number('Card', n)} " for n in position.raw_value("herd", seat)]
    shown = [one for one in own if f"│ {one}" in text]
    assert shown and (len(own) > room - 6 or shown == own)
    assert "Not shown: " in text and "To see everything, type “board animals”" in " ".join(text.replace("│", " ").split())


def test_symbiosis_names_the_role_of_each_animal(positions_by_key):
    for position in reversed(positions_by_key["go.go"]):
        text = " ".join(render_plain(build_panels(position, narrator(position.game), position.decision.seat), 300))
        enum = position.game.model.enums["Card"]
        for card in range(len(enum)):
            if position.raw_value("shows", card) == position.game.model.enums["Trait"].index["symbiosis"]:
                symbiont, guarded = (position.piece_number("Card", position.raw_value(state, card)) for state in ("one", "two"))
                assert f"Symbiosis (protects animal {guarded})" in text and f"Symbiosis (protected by animal {symbiont})" in text
                return
    pytest.fail("no symbiosis was played")


def test_prey_is_grouped_by_owner_with_own_animals_last(positions_by_key):
    found = positions_by_key["hunt.prey"]
    assert any(len(set(option_owners(position))) > 2 and position.decision.seat in option_owners(position) for position in found)
    for position in found:
        order = option_owners(position)
        assert sum(a != b for a, b in zip(order, order[1:])) == len(set(order)) - 1, order
        assert position.decision.seat not in order or order[-1] == position.decision.seat, order
        assert {option.spelling for option in sort_options(position.decision)[0]} == {
            option.spelling for option in position.decision.options
        }


def test_preview_arrow_stays_with_its_text():
    said = "→ Player 1 +2 points, animal 23 needs 1 food token"
    assert format_preview_row("  1  Short", 9, said, 80) == [f"  1  Short  {said}"]
    assert format_preview_row("  1  Short", 60, said, 80) == [f"  1  Short  {said}"]
    assert format_preview_row("  1  " + "long " * 12, 65, said, 80) == ["  1  " + ("long " * 12).strip(), f"       {said}"]


def test_preview_arrows_share_a_column_if_there_is_room():
    assert preview_column([(20, 30), (35, 30), (10, 44)], 80) == 35
    assert preview_column([(20, 30), (40, 60), (60, 15)], 80) == 20  # one has no room, and few others start so far right
    assert preview_column([], 80) == 0


def test_continuation_lines_are_indented_further():
    flow = FlowText(
        [Text("animal 2 0/1, Symbiosis (protected by animal 14), Carnivorous, Parasite"), Text("animal 3")], " · ", Text("Robin: ")
    )
    assert [line.plain for line in flow.lines(40)] == [
        "Robin: animal 2 0/1, Symbiosis", "      (protected by animal 14),", "      Carnivorous, Parasite", "    animal 3"]


def test_compact_table_shows_all_animals_with_their_food(positions_by_key):
    """On a screen without room for traits, only the player's own animal was shown, and “Not shown: Robin (4), Player 2 (1)”."""
    position = positions_by_key["go.go"][-1]
    seat = position.decision.seat
    panel = next(one for one in build_panels(position, narrator(position.game), seat) if one.key.startswith("table Animal"))
    *_, bare = (form for form in compact_variants(panel, 9) if isinstance(form, ListPanel))
    told = " ".join(render_terminal([bare], theme_of(position.game), 60, None))
    assert all(f"animal {position.piece_number('Card', n)} " in told for who in range(4) for n in position.raw_value("herd", who))
    assert "Not shown: Fat, Traits. To see everything, type “board animals”." in " ".join(told.replace("│", " ").split())
