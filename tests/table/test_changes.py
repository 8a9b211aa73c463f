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

from .test_display import later, narrator

REVERSE = re.compile(r"\x1b\[(?:[0-9;]*;)?7[;m]")
CHANGED_GROUND = "48;2;" + ";".join(str(part) for part in bytes.fromhex(CHANGED_SQUARE[1:]))     # of squares on a coloured surface


def lines(before, after, lang="en", width=80, most=20, game=None):
    return format_changes(find_changes(before, after), narrator(game, lang).words, width, most)


@pytest.fixture
def told(game):
    """Returns the changes between two tables as lines."""
    return lambda before, after, **more: lines(before, after, game=game("hex"), **more)


def cell(label, here=(), marks=(), ground=None):
    return BoardCell(label, (0, 0), StyledText(ground) if ground else None, [(caption, list(line)) for caption, line in here],
                [(caption, list(line)) for caption, line in marks])


def chart(*spots, corners=()):
    return BoardPanel("Earth", "hex", True, list(spots), corners=list(corners))


def row(name, *cells):
    return [[StyledText(name)], *([StyledText(str(text))] if text != "" else [] for text in cells)]


def grid(*rows, heads=("Points", "Pool"), bands=None, listed=False):
    return GridPanel("Animals", ["", *heads], list(rows), bands or {}, list(heads), listed)


def test_one_is_counted_where_there_were_more(told):
    """If one of two herds on a tile has moved, the count is shown. “Rosa 2 -> Rosa” read like a name."""
    two, one = (chart(cell("a1", [("Herds", [StyledText("Rosa", amount=n)])])) for n in (2, 1))
    named = ([chart(cell("a1", [("Herds", [StyledText("Player 3", amount=n)])]))] for n in (2, 1))
    assert told(*named) == ["Earth: a1: Player 3 (2) -> (1)"]
    assert told([two], [one]) == ["Earth: a1: Rosa 2 -> 1"]
    assert told([one], [two]) == ["Earth: a1: Rosa 1 -> 2"]


def test_a_cell_tells_what_lay_there_and_what_lies_there(told):
    red, blue = StyledText("red", amount=2), StyledText("blue")
    before = chart(cell("d4", [("Cubes", [red, blue])]), cell("d5", ground="sea"), cell("d6", marks=[("Crowded", [StyledText("Crowded")])]))
    after = chart(cell("d4", [("Cubes", [blue])]), cell("d5", [("Cubes", [blue])], ground="tundra"), cell("d6"), cell("e1", ground="sea"))
    assert told([before], [after]) == ["Earth: d4: red 2, blue -> blue", "Earth: d5: now blue; sea -> tundra",
                                       "Earth: d6: no longer Crowded", "Earth: e1: now sea"]
    assert told([after], [after]) == []


def test_where_several_things_lie_or_something_is_true_of_a_cell_it_is_named(told):
    before = chart(cell("a1", [("Cubes", [StyledText("red")]), ("Tired", [StyledText("", amount=1)])]))
    after = chart(
        cell("a1", [("Cubes", [StyledText("red")]), ("Tired", [StyledText("", amount=3)])], [("Dominant", [StyledText("insect")])])
    )
    assert told([before], [after]) == ["Earth: a1: Tired 1 -> 3; Dominant: now insect"]
    corner = [("Lamps", [("a1.ne", StyledText("wax"))])]
    assert told([chart(cell("a1"), corners=corner)], [chart(cell("a1"))]) == ["Earth: a1.ne: no longer wax"]


def test_a_table_tells_rows_and_columns_whatever_columns_are_shown(told):
    before = grid(row("insects", 3, 40), row("birds", 1, 9))
    after = grid(row("insects", 5, 39, "yes"), row("birds", 1, 9), row("fish", 2, ""), heads=("Points", "Pool", "Out"))
    assert told([before], [after]) == ["Animals: insects: Points 3 -> 5; Pool 40 -> 39; Out: now yes", "Animals: fish: Points 0 -> 2"]


def test_rows_of_a_list_come_and_go_and_move(told):
    def heads(first, second):
        return {first: [StyledText("Anna")], second: [StyledText("Bela")]}
    before = grid(row("animal 1", 1), row("animal 2", 1), row("animal 3", 1), heads=("Food",), bands=heads(0, 2), listed=True)
    after = grid(row("animal 2", 2), row("animal 3", 1), row("animal 4", 0), heads=("Food",), bands=heads(0, 1), listed=True)
    assert told([before], [after]) == ["Animals: Anna: no longer animal 1", "Animals: Bela: now animal 4", "Animals: animal 2: Food 1 -> 2"]
    line = [row("birds", 1), row("fish", 1)]
    assert told([grid(*line, heads=("Food",), listed=True)], [grid(*line[::-1], heads=("Food",), listed=True)]) == [
        "Animals: new order: fish, birds"]


def track(*names):
    return ListPanel("Initiative", [ListItem([StyledText(str(n))], [[StyledText(name)]]) for n, name in enumerate(names, 1)], "steps")


def test_a_track_is_told_as_its_new_order_and_once(told):
    line = {name: row(name, 1) for name in ("birds", "fish", "ants")}
    orders = ("birds", "fish", "ants"), ("fish", "birds", "ants")
    tables = [[track(*order), grid(*(line[name] for name in order), heads=("Food",), listed=True)] for order in orders]
    assert told(*tables) == ["Initiative: new order: fish, birds, ants"]


def test_cards_come_and_go(told):
    def hand(*cards):
        return ListPanel("Hand", [ListItem([StyledText(name, amount=many)], []) for name, many in cards])
    assert told([hand(("Piracy", 1), ("Running", 1))], [hand(("Piracy", 3))]) == ["Hand: no longer Running; Piracy 1 -> 3"]
    assert told([hand(("Swimming", 2))], [hand(("Swimming", 1))]) == ["Hand: Swimming 2 -> 1"], "one of two is still held"
    assert told([hand(("Piracy", 1))], []) == ["Hand: no longer Piracy"]


def test_counters_and_places_tell_their_own(told):
    supply = [ListPanel("Supply", [ListItem([StyledText("Deck")], [[StyledText(f"{n} hidden")]])]) for n in (9, 8)]
    assert told([supply[0]], [supply[1]]) == ["Supply: Deck: 9 hidden -> 8 hidden"]

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
    assert told([places("", "ants")], [places("birds", "")]) == [
        "Display: Adaptation 1: now birds", "Display: Adaptation 2: no longer ants"]


def test_of_long_lists_only_what_differs_is_told(told):
    many = [StyledText(name) for name in "abcdefgh"]
    before, after = (
        [ListPanel("", [ListItem([StyledText("Discards")], [line])], "states")] for line in (many, [*many[1:], StyledText("z")])
    )
    assert told(before, after) == ["Discards: a -> z"]


def test_what_does_not_fit_is_counted(told):
    many = [chart(*(cell(f"a{n}", [("Cubes", [StyledText("red", amount=k)])]) for n in range(12))) for k in (2, 3)]
    shown = told([many[0]], [many[1]], most=5)
    assert shown == [f"Earth: a{n}: red 2 -> 3" for n in range(4)] + ["and 8 more changes"]
    assert told([many[0]], [many[1]], most=5, lang="hu")[-1] == "és még 8 változás"
    assert len(told([many[0]], [many[1]], most=12)) == 12
    long = [chart(cell("a1", [("Cubes", [StyledText("very long name of a thing"), StyledText(name)])])) for name in ("red", "blue")]
    assert all(len(line) <= 30 for line in told([long[0]], [long[1]], width=30)) and len(told([long[0]], [long[1]], width=30)) > 2


def test_a_move_is_told_in_every_language(game):
    played = game("hex")
    before, after = played.start(1), played.start(1)
    after.play(0, "cell=c3")
    for lang, said in {"en": "c3: now Red", "it": "c3: ora Rosso", "es": "c3: ahora Rojo", "hu": "c3: most Piros"}.items():
        tables = [build_panels(position, narrator(played, lang), 0) for position in (before, after)]
        assert lines(*tables, lang=lang, game=played) == [said]
    assert find_changes(*[build_panels(position, narrator(played), 0) for position in (before, after)]) == [
        PanelChange("", "c3", "", "new", "", "Red")
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", ["evolution", "dominant-species", "trias"])
def test_what_a_seat_cannot_see_is_not_told(game, name):
    """Positions that look the same to a seat change in the same words."""
    played = game(name, 4)
    found = 0
    for seed in range(3):
        before, after = later(played, seed, 30), later(played, seed, 44)
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
def test_a_hidden_hand_changes_by_its_number_only(game):
    played = game("evolution", 4)
    before = later(played, 3, 6)
    after = before.copy()
    seat = after.decision.seat
    option = next(option for option in after.decision.options if option.entry == "animal")
    after.play(seat, option)
    other = (seat + 1) % 4
    mine, theirs = (" ".join(lines(build_panels(before, narrator(played), who), build_panels(after, narrator(played), who), game=played))
                    for who in (seat, other))
    face = narrator(played).words.value(narrator(played).value(*option.values[0][1:]))
    assert face in mine and face not in theirs and "hidden" in theirs and "animal" in theirs


# ---------------------------------------------------------------- marks


def marked(game, name, players, colour, first=30, then=36):
    played = game(name, players)
    tables = [build_panels(later(played, 3, n), narrator(played), 0) for n in (first, then)]
    plain = render_plain(tables[1], 80)
    mark_changes(*tables)
    assert render_plain(tables[1], 80) == plain                      # nothing in plain text
    return tables, render_terminal(tables[1], theme_of(played), 100, colour)


@pytest.mark.long
@pytest.mark.parametrize("name, players", [("evolution", 4), ("dominant-species", 4), ("trias", 4), ("hex", 2), ("breakthrough", 2)])
def test_what_changed_is_marked_with_and_without_colours(game, name, players):
    (before, after), coloured = marked(game, name, players, "truecolor")
    assert (REVERSE.search("".join(coloured)) or CHANGED_GROUND in "".join(coloured)) and "!" not in "".join(coloured)
    _, bare = marked(game, name, players, None)
    labels = {change.label for change in find_changes(before, after)}
    spots = {spot.label for panel in after if isinstance(panel, BoardPanel) for spot in panel.spots if spot.changed}
    assert spots <= labels and "!" in "".join(bare) and "\x1b" not in "".join(bare)
    for label in spots if name in ("dominant-species", "trias") else ():
        assert f"{label}!" in "".join(bare)


@pytest.mark.long
def test_what_is_as_it_was_is_not_marked(game):
    played = game("dominant-species", 4)
    tables = [build_panels(later(played, 3, 30), narrator(played), 0) for _ in range(2)]
    mark_changes(*tables)
    text = "".join(render_terminal(tables[1], theme_of(played), 100, "truecolor"))
    assert not REVERSE.search(text) and text == "".join(render_terminal(tables[0], theme_of(played), 100, "truecolor"))


def test_a_thing_on_a_corner_is_marked():
    def board(*things):
        spot = cell("a1", ground="sea")
        spot.corners = dict(things)
        return BoardPanel("", "hex", True, [spot], corners=[("Lamps", [(f"a1.{tag}", span) for tag, span in things])])
    before, after = board(("ne", StyledText("wax", "", "w"))), board(("ne", StyledText("wax", "", "w")), ("se", StyledText("oil", "", "o")))
    mark_changes([before], [after])
    assert {tag: span.changed for tag, span in after.spots[0].corners.items()} == {"ne": False, "se": True}
    assert len(REVERSE.findall("".join(render_terminal([after], Theme(), 60)))) == 1
