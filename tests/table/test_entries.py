"""Entries of a position written as plain data."""

from __future__ import annotations

import pytest
from ludoglot.engine.position.state_entries import ScenarioStateReader, StateLiteralError, clear_state, invalidate_memos


@pytest.mark.parametrize("name, given", [
    ("dominant-species", {"vp": {"mammal": 7}, "terrain": {"e4": "tundra", "d4": None}, "glaciers": 3, "last_turn": True,
                          "bag": {"meat": 2}, "added": {"bird": {"sun": 1}}, "cubes": {"insect": {"c3": 4}}, "chosen": {"d3": True},
                          "deck": ["fertile", "aquatic"], "market": ["blight", "disease"], "disc": {"d3.nw": "grub"}}),
    ("hex", {"stone": {"a1": "red", "k11": "none"}}),
])
def test_what_is_put_is_read_back(game, name, given):
    played = game(name)
    position = played.start(1)
    reader = ScenarioStateReader(played)
    entries = reader.entries(given)
    for entry in entries:
        entry.write_to(position.s)
    invalidate_memos(position)
    assert all(entry.read_from(position.s) == entry.raw for entry in reader.entries(given))
    for state, value in given.items():
        if not isinstance(value, dict):
            assert position[state] == (sorted(value, key=position[state].index) if isinstance(value, list) else value)


def test_a_corner_may_be_named_from_any_of_its_cells(game):
    reader = ScenarioStateReader(game("dominant-species"))
    board = next(iter(game("dominant-species").model.boards.values()))
    for alias, number in list(board.corner_names.items())[:40]:
        assert reader.member(alias, board.corner_type, ()) == number


def test_clearing_empties_every_form(game):
    played = game("dominant-species")
    position = played.start(1)
    for name in ("bag", "cubes", "market", "deck", "terrain", "chosen", "glaciers"):
        clear_state(position, played.cells[name])
    assert position["bag"] == {} and position["market"] == [] and position["deck"] == [] and position["glaciers"] == 0
    assert set(position["terrain"].values()) == {None} and not any(position["chosen"].values())


def test_an_open_board_takes_coordinates_and_names(game):
    reader = ScenarioStateReader(game("drift"))
    assert reader.member("0,0", "Cell", ()) == reader.member("south_pole", "Cell", ())
    with pytest.raises(StateLiteralError):
        reader.member("0;0", "Cell", ())


@pytest.mark.parametrize("given, key", [
    ({"vp2": 1}, "unknown_state"), ({"vp": 3}, "needs_index"), ({"vp": {"mamal": 3}}, "unknown_member"),
    ({"vp": {"mammal": "x"}}, "wrong_value"), ({"glaciers": 99}, "wrong_value"), ({"last_turn": 1}, "wrong_value"),
    ({"market": "blight"}, "wrong_value"), ({"bag": {"meat": -1}}, "wrong_value"),
])
def test_what_means_nothing_is_refused(game, given, key):
    with pytest.raises(StateLiteralError, match=key):
        ScenarioStateReader(game("dominant-species")).entries(given)
