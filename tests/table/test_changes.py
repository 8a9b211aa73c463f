"""Checks the changes between two views of a table: described in words, and marked in drawings."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.panel_diff import PanelChange, find_changes, format_changes, mark_changes
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.surface import CHANGED_SQUARE
from ludoglot.engine.table_view.theme import Theme, theme_of
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, GridPanel, ListItem, ListPanel, StyledText

from .test_display import narrator, play_randomly

REVERSE_VIDEO = re.compile(r"\x1b\[(?:[0-9;]*;)?7[;m]")
CHANGED_GROUND = "48;2;" + ";".join(str(part) for part in bytes.fromhex(CHANGED_SQUARE[1:]))     # of squares on a coloured surface


def change_lines(before, after, lang="en", width=80, most=20, game=None):
    return format_changes(find_changes(before, after), narrator(game, lang).words, width, most)


@pytest.fixture
def describe_changes(game):
    """Returns the changes between two tables as lines."""
    return lambda before, after, **more: change_lines(before, after, game=game("hex"), **more)


def make_cell(label, here=(), marks=(), ground=None):
    return BoardCell(label, (0, 0), StyledText(ground) if ground else None, [(caption, list(line)) for caption, line in here],
                [(caption, list(line)) for caption, line in marks])


def make_board(*spots, parts=()):
    return BoardPanel("Earth", "hex", True, list(spots), parts=list(parts))


def make_row(name, *cells):
    return [[StyledText(name)], *([StyledText(str(text))] if text != "" else [] for text in cells)]


def make_grid(*rows, heads=("Points", "Pool"), bands=None, listed=False):
    return GridPanel("Animals", ["", *heads], list(rows), bands or {}, list(heads), listed)


def test_remaining_piece_is_shown_with_its_count(describe_changes):
    """If one of two herds on a tile has moved, the count is shown. “Rosa 2 -> Rosa” read like a name."""
    two, one = (make_board(make_cell("a1", [("Herds", [StyledText("Rosa", amount=n)])])) for n in (2, 1))
    named = ([make_board(make_cell("a1", [("Herds", [StyledText("Player 3", amount=n)])]))] for n in (2, 1))
    assert describe_changes(*named) == ["Earth: a1: Player 3 (2) -> (1)"]
    assert describe_changes([two], [one]) == ["Earth: a1: Rosa 2 -> 1"]
    assert describe_changes([one], [two]) == ["Earth: a1: Rosa 1 -> 2"]


def test_cell_changes_show_old_and_new_contents(describe_changes):
    red, blue = StyledText("red", amount=2), StyledText("blue")
    crowded = make_cell("d6", marks=[("Crowded", [StyledText("Crowded")])])
    before = make_board(make_cell("d4", [("Cubes", [red, blue])]), make_cell("d5", ground="sea"), crowded)
    tundra, sea = make_cell("d5", [("Cubes", [blue])], ground="tundra"), make_cell("e1", ground="sea")
    after = make_board(make_cell("d4", [("Cubes", [blue])]), tundra, make_cell("d6"), sea)
    assert describe_changes([before], [after]) == ["Earth: d4: red 2, blue -> blue", "Earth: d5: now blue; sea -> tundra",
                                                   "Earth: d6: no longer Crowded", "Earth: e1: now sea"]
    assert describe_changes([after], [after]) == []


def test_cell_changes_name_the_state_if_ambiguous(describe_changes):
    before = make_board(make_cell("a1", [("Cubes", [StyledText("red")]), ("Tired", [StyledText("", amount=1)])]))
    after = make_board(
        make_cell("a1", [("Cubes", [StyledText("red")]), ("Tired", [StyledText("", amount=3)])], [("Dominant", [StyledText("insect")])])
    )
    assert describe_changes([before], [after]) == ["Earth: a1: Tired 1 -> 3; Dominant: now insect"]
    corner = [("Lamps", [("a1.ne", StyledText("wax"))])]
    assert describe_changes([make_board(make_cell("a1"), parts=corner)], [make_board(make_cell("a1"))]) == ["Earth: a1.ne: no longer wax"]


def test_table_changes_name_row_and_column(describe_changes):
    before = make_grid(make_row("insects", 3, 40), make_row("birds", 1, 9))
    after = make_grid(make_row("insects", 5, 39, "yes"), make_row("birds", 1, 9), make_row("fish", 2, ""), heads=("Points", "Pool", "Out"))
    assert describe_changes([before], [after]) == [
        "Animals: insects: Points 3 -> 5; Pool 40 -> 39; Out: now yes", "Animals: fish: Points 0 -> 2"]


def test_added_removed_and_moved_rows_are_reported(describe_changes):
    def heads(first, second):
        return {first: [StyledText("Anna")], second: [StyledText("Bela")]}
    old = [make_row("animal 1", 1), make_row("animal 2", 1), make_row("animal 3", 1)]
    new = [make_row("animal 2", 2), make_row("animal 3", 1), make_row("animal 4", 0)]
    before = make_grid(*old, heads=("Food",), bands=heads(0, 2), listed=True)
    after = make_grid(*new, heads=("Food",), bands=heads(0, 1), listed=True)
    assert describe_changes([before], [after]) == [
        "Animals: Anna: no longer animal 1", "Animals: Bela: now animal 4", "Animals: animal 2: Food 1 -> 2"]
    line = [make_row("birds", 1), make_row("fish", 1)]
    assert describe_changes([make_grid(*line, heads=("Food",), listed=True)], [make_grid(*line[::-1], heads=("Food",), listed=True)]) == [
        "Animals: new order: fish, birds"]


def make_track(*names):
    return ListPanel("Initiative", [ListItem([StyledText(str(n))], [[StyledText(name)]]) for n, name in enumerate(names, 1)], "steps")


def test_track_changes_are_reported_once_as_a_new_order(describe_changes):
    line = {name: make_row(name, 1) for name in ("birds", "fish", "ants")}
    orders = ("birds", "fish", "ants"), ("fish", "birds", "ants")
    tables = [[make_track(*order), make_grid(*(line[name] for name in order), heads=("Food",), listed=True)] for order in orders]
    assert describe_changes(*tables) == ["Initiative: new order: fish, birds, ants"]


def test_added_and_removed_cards_are_reported(describe_changes):
    def hand(*cards):
        return ListPanel("Hand", [ListItem([StyledText(name, amount=many)], []) for name, many in cards])
    assert describe_changes([hand(("Piracy", 1), ("Running", 1))], [hand(("Piracy", 3))]) == ["Hand: no longer Running; Piracy 1 -> 3"]
    assert describe_changes([hand(("Swimming", 2))], [hand(("Swimming", 1))]) == ["Hand: Swimming 2 -> 1"], "one of two cards remains"
    assert describe_changes([hand(("Piracy", 1))], []) == ["Hand: no longer Piracy"]


def test_counters_and_places_report_their_changes(describe_changes):
    supply = [ListPanel("Supply", [ListItem([StyledText("Deck")], [[StyledText(f"{n} hidden")]])]) for n in (9, 8)]
    assert describe_changes([supply[0]], [supply[1]]) == ["Supply: Deck: 9 hidden -> 8 hidden"]

    def places(*who):
        return ListPanel(
            "Display",
            [
                ListItem(
                    [StyledText("Adaptation"), StyledText("grass")],
                    [
                        [StyledText(str(n)), StyledText(":"), StyledText(name) if name else StyledText("free", "dim", "-", "·")]
                        for n, name in enumerate(who, 1)
                    ],
                )
            ],
            "lists",
        )
    assert describe_changes([places("", "ants")], [places("birds", "")]) == [
        "Display: Adaptation 1: now birds", "Display: Adaptation 2: no longer ants"]


def test_long_lists_report_only_differences(describe_changes):
    many = [StyledText(name) for name in "abcdefgh"]
    before, after = (
        [ListPanel("", [ListItem([StyledText("Discards")], [line])], "states")] for line in (many, [*many[1:], StyledText("z")])
    )
    assert describe_changes(before, after) == ["Discards: a -> z"]


def test_omitted_changes_are_counted(describe_changes):
    many = [make_board(*(make_cell(f"a{n}", [("Cubes", [StyledText("red", amount=k)])]) for n in range(12))) for k in (2, 3)]
    shown = describe_changes([many[0]], [many[1]], most=5)
    assert shown == [f"Earth: a{n}: red 2 -> 3" for n in range(4)] + ["and 8 more changes"]
    assert describe_changes([many[0]], [many[1]], most=5, lang="hu")[-1] == "és még 8 változás"
    assert len(describe_changes([many[0]], [many[1]], most=12)) == 12
    before, after = (
        make_board(make_cell("a1", [("Cubes", [StyledText("very long name of a thing"), StyledText(name)])])) for name in ("red", "blue")
    )
    narrow = describe_changes([before], [after], width=30)
    assert all(len(line) <= 30 for line in narrow) and len(narrow) > 2


def test_move_is_described_in_every_language(game):
    played = game("hex")
    before, after = played.start(1), played.start(1)
    after.play(0, "cell=c3")
    for lang, said in {"en": "c3: now Red", "it": "c3: ora Rosso", "es": "c3: ahora Rojo", "hu": "c3: most Piros"}.items():
        tables = [build_panels(position, narrator(played, lang), 0) for position in (before, after)]
        assert change_lines(*tables, lang=lang, game=played) == [said]
    assert find_changes(*[build_panels(position, narrator(played), 0) for position in (before, after)]) == [
        PanelChange("", "c3", "", "new", "", "Red")
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", ["evolution", "dominant-species", "trias"])
def test_changes_do_not_reveal_hidden_information(game, name):
    """Positions that look the same to a seat change in the same words."""
    played = game(name, 4)
    found = 0
    for seed in range(3):
        before, after = play_randomly(played, seed, 30), play_randomly(played, seed, 44)
        seat = after.decision.seat
        if before.decision.kind.secret and before.decision.seat != seat:
            continue
        twins = [determinize_position(position, seat, random.Random(n)) for n, position in enumerate((before, after))]
        one, other = (
            find_changes(*(build_panels(position, narrator(played), seat) for position in pair)) for pair in ((before, after), twins)
        )
        assert one == other and one
        found += 1
    assert found


@pytest.mark.long
def test_hidden_hand_changes_only_by_its_size(game):
    played = game("evolution", 4)
    before = play_randomly(played, 3, 6)
    after = before.copy()
    seat = after.decision.seat
    option = next(option for option in after.decision.options if option.entry == "animal")
    after.play(seat, option)
    other = (seat + 1) % 4
    mine, theirs = (
        " ".join(change_lines(*(build_panels(position, narrator(played), who) for position in (before, after)), game=played))
        for who in (seat, other)
    )
    face = narrator(played).words.value(narrator(played).value(*option.values[0][1:]))
    assert face in mine and face not in theirs and "hidden" in theirs and "animal" in theirs


# ---------------------------------------------------------------- marks


def mark_random_changes(game, name, players, colour, first=30, then=36):
    played = game(name, players)
    tables = [build_panels(play_randomly(played, 3, n), narrator(played), 0) for n in (first, then)]
    plain = render_plain(tables[1], 80)
    mark_changes(*tables)
    assert render_plain(tables[1], 80) == plain                      # nothing in plain text
    return tables, render_terminal(tables[1], theme_of(played), 100, colour)


@pytest.mark.long
@pytest.mark.parametrize("name, players", [("evolution", 4), ("dominant-species", 4), ("trias", 4), ("hex", 2), ("breakthrough", 2)])
def test_changes_are_marked_with_and_without_colours(game, name, players):
    (before, after), coloured = mark_random_changes(game, name, players, "truecolor")
    assert (REVERSE_VIDEO.search("".join(coloured)) or CHANGED_GROUND in "".join(coloured)) and "!" not in "".join(coloured)
    _, bare = mark_random_changes(game, name, players, None)
    labels = {change.label for change in find_changes(before, after)}
    spots = {spot.label for panel in after if isinstance(panel, BoardPanel) for spot in panel.spots if spot.changed}
    assert spots <= labels and "!" in "".join(bare) and "\x1b" not in "".join(bare)
    for label in spots if name in ("dominant-species", "trias") else ():
        assert f"{label}!" in "".join(bare)


@pytest.mark.long
def test_unchanged_things_are_not_marked(game):
    played = game("dominant-species", 4)
    tables = [build_panels(play_randomly(played, 3, 30), narrator(played), 0) for _ in range(2)]
    mark_changes(*tables)
    text = "".join(render_terminal(tables[1], theme_of(played), 100, "truecolor"))
    assert not REVERSE_VIDEO.search(text) and text == "".join(render_terminal(tables[0], theme_of(played), 100, "truecolor"))


def test_changed_corner_is_marked():
    def board(*things):
        spot = make_cell("a1", ground="sea")
        spot.parts = dict(things)
        return BoardPanel("", "hex", True, [spot], parts=[("Lamps", [(f"a1{suffix}", span) for suffix, span in things])])
    wax, oil = (".ne", StyledText("wax", "", "w")), (".se", StyledText("oil", "", "o"))
    before, after = board(wax), board(wax, oil)
    mark_changes([before], [after])
    assert {suffix: span.changed for suffix, span in after.spots[0].parts.items()} == {".ne": False, ".se": True}
    assert len(REVERSE_VIDEO.findall("".join(render_terminal([after], Theme(), 60)))) == 1
