"""Checks edges at the table: option numbers on the board, names in every language, cells that filter, and descriptions."""

from __future__ import annotations

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.position import Game
from ludoglot.engine.rulebook.components import describe_board, describe_coordinates
from ludoglot.engine.table_view.inspect_item import ItemInspector
from shared_games import shared

from .terminal_harness import HUMAN, Desk


def desk_after(*typed: str, lang: str = "en") -> Desk:
    desk = Desk("causeways", [HUMAN, HUMAN], lines=50, lang=lang, typed=[*typed])
    desk.run()
    return desk


def test_an_accent_distinguishes_the_names_of_edges():
    """In Hungarian, north is é. An edge that is gone does not stand for the edge in the east, which the rules call e."""
    desk = Desk("dots-and-boxes", [HUMAN, HUMAN], lines=60, lang="hu", typed=["a1-é", "a1-é", "a1-e", "a1-k"])
    desk.run()
    assert [step.option.spelling for step in desk.table.steps] == ["edge=a1-n", "edge=a1-e"]
    assert desk.text.count("Most nem választható: a1-é.") == 2


def inspector(game: Game, **entries: int) -> ItemInspector:
    position = game.start(1)
    cell = game.cells["owner"]
    for name, player in entries.items():
        edge = game.model.boards["marsh"].parts.edges.names[name.replace("_", "-")]
        position.s[cell.base + edge] = player
    return ItemInspector(position, Narrator(game, game_localizer("en", game.ruleset.id, game.ruleset.folder, {}), None), 0)


def test_edges_have_the_numbers_of_their_options():
    desk = desk_after()
    drawing = desk.screens[-1].text.rpartition("╭")[2]
    assert len(desk.session.question.choices) == 29                # all edges but the one between b2 and c1
    assert all(token in drawing for token in (one.token for one in desk.session.question.choices))


@pytest.mark.parametrize("lang, typed", [
    ("en", "b1-sw"), ("en", "a1-b1"), ("en", "a1-ne"), ("hu", "a1-ék"), ("it", "b1-so"), ("es", "b1-so")])
def test_an_edge_is_chosen_by_each_of_its_names(lang, typed):
    desk = desk_after(typed, lang=lang)
    owner = desk.table.game.cells["owner"]
    assert desk.table.position.raw_at(owner, (desk.table.game.model.enums["Path"].index["a1-ne"],)) == 0


@pytest.mark.parametrize("lang, other", [("en", "a2-s"), ("hu", "a2-d"), ("it", "a2-s")])
def test_commands_understand_each_name_of_an_edge(lang, other):
    desk = Desk("dots-and-boxes", [HUMAN, HUMAN], lines=60, lang=lang)
    words = desk.session.narrator.words
    free, drawn, near = f"{words.text('command.try')} {other}", f"? {other}", f"{words.text('command.look')} {other}"
    desk.typed = [free, other, drawn, near]
    desk.run()
    shown = {typed: desk.text.rpartition(f"> {typed}\n")[2] for typed in (free, drawn, near)}
    title = words.part_label("a1-n")
    assert all(title in text.split("\n", 1)[0] or title in text.split("\n", 2)[1] for text in shown.values()), shown
    assert words.text("because.line.holds", it=title) in shown[drawn]


def test_a_cell_filters_its_edges():
    desk = desk_after("c2")
    told = desk.screens[-1].text.rpartition("> c2")[2]
    assert {word for word in told.split() if "-" in word and word[0] in "abc"} == {"b2-se", "c1-s", "c2-ne", "c2-se", "c2-s", "b3-ne"}


def test_a_cell_lists_the_contents_of_its_edges():
    about = inspector(shared("causeways", 2), a1_n=1)
    (cell,), (edge,) = about.names.find_exact("a1"), about.names.find_exact("a1-ne")
    assert "On its edges: a1-n (Player 2)." in about.describe(cell)
    assert about.describe(edge)[-1].startswith("Neighbours: a1") and "b1" in about.describe(edge)[-1]


def test_rulebook_counts_edges_and_explains_their_names():
    game = shared("dots-and-boxes", 2)
    narrator = Narrator(game, game_localizer("en", game.ruleset.id, game.ruleset.folder, {}), None)
    board = game.model.boards["paper"]
    assert "Its 60 edges can hold things, too." in describe_board(board, narrator)
    assert describe_coordinates(board, narrator).endswith("Example: a1-n.")
