"""Checks entries of a position that are written as plain data."""

from __future__ import annotations

import pytest
from ludoglot.dsl.storage.state_literals import StateLiteralError


@pytest.mark.parametrize("name, given", [
    ("dominant-species", {"vp": {"mammal": 7}, "terrain": {"e4": "tundra", "d4": None}, "glaciers": 3, "last_turn": True,
                          "bag": {"meat": 2}, "added": {"bird": {"sun": 1}}, "cubes": {"insect": {"c3": 4}}, "chosen": {"d3": True},
                          "deck": ["fertile", "aquatic"], "market": ["blight", "disease"], "disc": {"d3.nw": "grub"}}),
    ("hex", {"stone": {"a1": "red", "k11": "none"}}),
])
def test_written_values_are_read_back(game, name, given):
    played = game(name)
    position = played.start(1)
    reader = played.literal_reader
    entries = reader.read_literals(given)
    for entry in entries:
        entry.write_to(position.s)
    position.invalidate_memos()
    assert all(entry.read_from(position.s) == entry.raw for entry in reader.read_literals(given))
    for state, value in given.items():
        if not isinstance(value, dict):
            assert position[state] == (sorted(value, key=position[state].index) if isinstance(value, list) else value)


def test_a_corner_may_be_named_from_any_of_its_cells(game):
    reader = game("dominant-species").literal_reader
    board = next(iter(game("dominant-species").model.boards.values()))
    for alias, number in list(board.parts.corners.names.items())[:40]:
        assert reader.read_member(alias, board.part_types["corners"], ()) == number


def test_clear_empties_every_kind_of_state(game):
    played = game("dominant-species")
    position = played.start(1)
    for name in ("bag", "cubes", "market", "deck", "terrain", "chosen", "glaciers"):
        played.cells[name].clear(position.s)
    assert position["bag"] == {} and position["market"] == [] and position["deck"] == [] and position["glaciers"] == 0
    assert set(position["terrain"].values()) == {None} and not any(position["chosen"].values())


def test_an_open_board_takes_coordinates_and_names(game):
    reader = game("drift").literal_reader
    assert reader.read_member("0,0", "Cell", ()) == reader.read_member("south_pole", "Cell", ())
    with pytest.raises(StateLiteralError):
        reader.read_member("0;0", "Cell", ())


@pytest.mark.parametrize("given, kind", [
    ({"vp2": 1}, "state"), ({"vp": 3}, "index"), ({"vp": {"mamal": 3}}, "member"),
    ({"vp": {"mammal": "x"}}, "value"), ({"glaciers": 99}, "value"), ({"last_turn": 1}, "value"),
    ({"market": "blight"}, "value"), ({"bag": {"meat": -1}}, "value"),
])
def test_invalid_literals_are_rejected(game, given, kind):
    with pytest.raises(StateLiteralError, match=f"^{kind}:"):
        game("dominant-species").literal_reader.read_literals(given)
