"""Checks the rulebooks of all games as data.

Each clause appears exactly once, every text is in one language, and chapters follow the order of the rules."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.model.build_model import make_model
from ludoglot.engine.i18n import Localizer
from ludoglot.engine.i18n.placeholders import clause_values
from ludoglot.engine.i18n.template import capitalize_first
from ludoglot.engine.library.find import RULES_FOLDER, find_game_location, list_game_ids
from ludoglot.engine.library.loaded_game import LoadedGame
from ludoglot.engine.rulebook.book import (
    Book,
    BookClause,
    BookParagraph,
    BookTable,
    Chapter,
    DefinitionList,
    IndexEntries,
    InlineList,
    TableFigure,
)
from ludoglot.engine.rulebook.builder import BookOptions, make_book
from ludoglot.engine.terminal.rulebook_pager import chapter_page
from ludoglot.engine.testing.traceability import read_clause_register
from shared_games import shared

LANGUAGES = ("en", "it", "es", "hu")
HEAVY = ("dominant-species", "evolution", "trias")
QUICK = ("chess", "hearts", "kalah")
GAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in list_game_ids()]


def load_book_game(name: str, players: int = 4) -> LoadedGame:
    source = shared(name).ruleset.source
    low, high = source.player_range
    return LoadedGame(find_game_location(name), shared(name, min(high, max(low, players))), [], [])


@cache
def book(name: str, lang: str = "en", players: int | None = None) -> Book:
    return make_book(load_book_game(name, players or 4), lang, BookOptions(players))


def chapters(name: str, lang: str = "en") -> list[Chapter]:
    return list(book(name, lang).iter_chapters())


def clause_ids(one: Book) -> list[str]:
    return [block.id for chapter in one.iter_chapters() for block in chapter.blocks if isinstance(block, BookClause)]


def chapter(name: str, anchor: str) -> Chapter:
    return next(one for one in book(name).iter_chapters() if one.anchor == anchor)


def all_texts(one: Book) -> list[str]:
    """Returns every text of a book, except its boards."""
    out = [one.title, one.under, one.about, one.contents]
    for part in one.iter_chapters():
        out.append(part.title)
        for block in part.blocks:
            match block:
                case BookParagraph():
                    out.append(block.text)
                case BookClause():
                    out += [block.text, *(text for case in block.cases for text in case), *block.notes]
                case BookTable():
                    out += [*block.heads, *(entry for row in block.rows for entry in row)]
                case DefinitionList():
                    out += [text for word, _, said in block.entries for text in (word, said)]
                case IndexEntries():
                    out += [word for word, _ in block.entries]
                case TableFigure():
                    out += [block.title, *(drawn.title for drawn in block.panels)]
    return out


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_appears_exactly_once(name: str):
    register = read_clause_register(find_game_location(name), None, DiagnosticList())
    if register is None:
        return
    said = clause_ids(book(name))
    assert sorted(said) == sorted(one.id for one in register.clauses.values() if one.text), "each clause must appear exactly once"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_text_is_in_the_language_of_the_book(name: str, lang: str, monkeypatch: pytest.MonkeyPatch):
    class Strange:
        def __getattr__(self, word: str) -> None:
            raise AssertionError("a text has no translation")

    def english(self: Localizer) -> object:
        return self if self.lang == "en" else Strange()
    monkeypatch.setattr(Localizer, "_source_localizer", property(english))
    for said in all_texts(make_book(load_book_game(name), lang, BookOptions())):
        assert said.strip() or said == ""
        assert not re.search(r"[a-z]_[a-z0-9]|[{}]|~[a-z]", said), f"the text contains an internal name: {said}"


@pytest.mark.long
@pytest.mark.parametrize("name", list_game_ids())
def test_links_lead_to_existing_chapters(name: str):
    one = book(name)
    anchors = [part.anchor for part in one.iter_chapters()]
    assert len(set(anchors)) == len(anchors) and all(anchors)
    assert set(one.terms.values()) <= set(anchors)
    for part in one.iter_chapters():
        assert part.title and part.number
        for block in part.blocks:
            if isinstance(block, DefinitionList):
                assert {anchor for _, anchor, _ in block.entries if anchor} <= set(anchors)
            if isinstance(block, IndexEntries):
                assert {anchor for _, where in block.entries for anchor in where} <= set(anchors)


def chapter_order(name: str, *anchors: str) -> list[str]:
    return [part.anchor for part in book(name).iter_chapters() if part.anchor in anchors]


@pytest.mark.long
def test_chapters_follow_the_order_of_the_rules():
    sections = ("phase-planning", "phase-execution", "thing-Action-initiative", "thing-Action-adaptation", "thing-Action-glaciation",
                "thing-Action-domination", "phase-extinction", "phase-survival", "phase-reseed", "phase-final_scoring")
    assert chapter_order("dominant-species", *sections) == list(sections)
    assert chapter_order("evolution", "phase-development", "phase-food_base", "phase-feeding", "phase-extinction", "phase-new_cards") == [
        "phase-development", "phase-food_base", "phase-feeding", "phase-extinction", "phase-new_cards"]
    assert chapter_order("trias", "family-TRI-CARD1", "family-TRI-DRIFT", "family-TRI-MID", "family-TRI-ACT", "family-TRI-SWIM") == [
        "family-TRI-CARD1", "family-TRI-DRIFT", "family-TRI-MID", "family-TRI-ACT", "family-TRI-SWIM"]


def chapter_clause_ids(name: str, anchor: str) -> list[str]:
    return [block.id for block in chapter(name, anchor).blocks if isinstance(block, BookClause)]


@pytest.mark.long
def test_clauses_are_in_the_chapter_of_their_rule():
    assert chapter_clause_ids("dominant-species", "thing-Action-adaptation")[:4] == [f"DS-EXE-ADA-0{n}" for n in range(1, 5)]
    assert "DS-CRD-FER-01" in chapter_clause_ids("dominant-species", "thing-Card-fertile")
    assert "DS-MAT-01" in chapter_clause_ids("dominant-species", "family-DS-MAT")
    assert "EVO-TR-SWIM-02" in chapter_clause_ids("evolution", "thing-Trait-swimming")
    assert "EVO-TIE-01" in chapter_clause_ids("evolution", "family-EVO-TIE")
    assert chapter("evolution", "family-EVO-TIE").number.startswith("4.")
    assert "TRI-LAST-04" in chapter_clause_ids("trias", "phase-last_turn")


@pytest.mark.long
def test_basics_come_before_the_course_of_play():
    parts = [part.anchor for part in book("dominant-species").chapters]
    assert parts[:5] == ["stage-box", "stage-before", "stage-basics", "stage-course", "stage-end"]
    basics = [part.anchor for part in chapter("dominant-species", "stage-basics").parts]
    assert basics[:3] == ["family-DS-ERT", "family-DS-ELM", "family-DS-MAT"]
    assert "family-DS-VAR-RND" in [part.anchor for part in chapter("dominant-species", "stage-more").parts]


@pytest.mark.long
def test_unassigned_clause_families_go_to_set_up_and_course():
    assert "CHS-SET-01" in chapter_clause_ids("chess", "stage-before")
    course = chapter("chess", "stage-course")
    assert [part.anchor for part in course.parts] == [f"family-CHS-{name}" for name in ("MOVE", "PAWN", "CHECK", "CASTLE", "DRAW")]


@pytest.mark.long
@pytest.mark.parametrize("name", list_game_ids())
def test_clauses_of_a_family_keep_their_order(name: str):
    found = read_clause_register(find_game_location(name), None, DiagnosticList())
    register = list(found.clauses) if found else []
    for one in chapters(name):
        here = [block.id for block in one.blocks if isinstance(block, BookClause)]
        for family in {clause.rpartition("-")[0] for clause in here}:
            alike = [clause for clause in here if clause.rpartition("-")[0] == family]
            assert alike == sorted(alike, key=register.index)


def test_set_up_without_rules_has_no_separate_chapter():
    assert "stage-before" not in [one.anchor for one in chapters("hearts")]
    assert "ready" in [one.anchor for one in chapter("hearts", "stage-box").parts]


def test_tables_omit_internal_numbers():
    heads = {head for name in ("chess", "hearts", "backgammon") for one in chapters(name) for block in one.blocks
             if isinstance(block, BookTable) for head in block.heads}
    assert heads & {"Worth", "Rank", "Seats further on the left", "Part of the board"} == set()


@pytest.mark.long
def test_clause_lists_its_values_by_number_of_players():
    found = next(block for block in chapter("dominant-species", "stage-before").blocks
                 if isinstance(block, BookClause) and block.id == "DS-SET-N2")
    assert [when for when, _ in found.cases] == [f"With {n} players" for n in range(2, 7)]
    assert "7" in found.cases[0][1] and "3" in found.cases[4][1]
    alone = book("dominant-species", players=4)
    assert not any(block.cases for part in alone.iter_chapters() for block in part.blocks if isinstance(block, BookClause))


@pytest.mark.long
def test_clauses_for_some_player_counts_name_them():
    found = {block.id: block for part in book("trias").iter_chapters() for block in part.blocks if isinstance(block, BookClause)}
    for name in ("TRI-SETUP-04", "TRI-SETUP-16", "TRI-DRIFT-23", "TRI-ACTD-04", "TRI-MID-01"):
        assert [when for when, _ in found[name].cases] == ["With 3 to 5 players"]
    assert not found["TRI-TWO-01"].cases, "the text itself names the number of players"
    assert chapter_clause_ids("trias", "family-TRI-MID")[0] == "TRI-MID-24", "the clause for two players must come first"


@pytest.mark.long
def test_book_for_two_players_omits_clauses_for_more_players():
    said = clause_ids(book("trias", players=2))
    assert "TRI-TWO-07" in said and not [one for one in said if one.startswith("TRI-MID-") and one not in ("TRI-MID-02", "TRI-MID-24")]
    assert "family-TRI-TWO" not in [part.anchor for part in book("trias", players=4).iter_chapters()]
    texts = clause_texts("trias", "TRI-TWO-01")
    assert all(text.startswith("Two players") for text in texts), "the text itself must name the number of players"
    for part in book("trias", players=2).iter_chapters():
        for block in part.blocks if part.anchor.startswith("example-") else ():
            assert "Player 3" not in (block.text if isinstance(block, BookParagraph) else "")


def clause_texts(name: str, clause: str, **choice: str | bool) -> list[str]:
    """Returns the text of a clause in a book, for each number of players."""
    found = LoadedGame(find_game_location(name), shared(name, 4, choice), [], [])
    one = make_book(found, "en", BookOptions(chosen=frozenset(choice))) if choice else book(name)
    return [text for part in one.iter_chapters() for block in part.blocks if isinstance(block, BookClause) and block.id == clause
            for text in ([said for _, said in block.cases] or [block.text])]


@pytest.mark.long
def test_table_for_other_player_counts_is_omitted():
    """With two players there is no interim scoring, so its table and clauses are left out."""
    for players, there in ((None, True), (4, True), (2, False)):
        found = book("trias", players=players)
        assert ("table-interim" in {one.anchor for one in found.iter_chapters()}) == there
        assert ("TRI-FIN-15" in clause_ids(found)) == there
    assert "table-bonus" in {one.anchor for one in book("dominant-species", players=2).iter_chapters()}


@pytest.mark.long
def test_book_for_an_option_omits_the_default_rule():
    assert clause_texts("trias", "TRI-DRIFT-05", farther="straight") == [
        "The distance from the South Pole is measured along a straight line."]
    assert clause_texts("trias", "TRI-LAST-05", last_swimmers=False)[0].startswith("In the last lap, swimmers stay in the water")
    assert clause_texts("hearts", "HEA-END-01", length="one_deal") == [], "the clause about several deals must be omitted"
    assert clause_texts("hearts", "HEA-END-03", length="one_deal") == ["You play a single deal."]


@pytest.mark.long_cases(
    "backgammon", "chess", "cribbage", "dominant-species", "evolution", "international-draughts", "liars-dice", "nine-mens-morris",
    "scopa", "snapszer", "trias",
)
@pytest.mark.parametrize("name", list_game_ids())
def test_each_option_changes_a_clause(name: str):
    source, register = shared(name).ruleset.source, read_clause_register(find_game_location(name), None, DiagnosticList())
    if register is None:
        return
    low, high = source.player_range
    words = load_book_game(name).localizer("en")
    named = {field for key in words.english if key.startswith(("clause.", "with.")) for field in words.names(key)}
    usual = make_model(source, low, {}, DiagnosticList())
    for option in usual.options.values():
        for value in option.values:
            said = str(value).lower()
            other = next((model for n in range(low, high + 1)
                          if (model := make_model(source, n, {option.name: said}, DiagnosticList())) is not None), usual)
            plain = make_model(source, other.players, {}, DiagnosticList())
            if [len(board.cells) for board in plain.boards.values()] != [len(board.cells) for board in other.boards.values()]:
                continue                                           # the book describes the board
            before, now = clause_values(plain), clause_values(other)
            assert value == option.default or any(before.get(field) != now.get(field) for field in named) or any(
                key.startswith("with.") and key.endswith(f".{option.name}.{said}") for key in words.english), \
                f"no clause changes with {option.name}={said}"


@pytest.mark.long
def test_table_has_a_column_for_each_player_count():
    land = chapter("trias", "type-Land").blocks[0]
    assert isinstance(land, BookTable)
    assert land.heads == ["Land", "Capacity", "Tiles to lay out (with 2 players)", "Tiles to lay out (with 3 to 5 players)"]
    assert ["South Pole", "any number"] in [row[:2] for row in land.rows]
    assert ["Forest", "4", "6", "12"] in land.rows and "Water" not in [row[0] for row in land.rows]


@pytest.mark.long
def test_each_card_has_its_text_and_numbers():
    cards = chapter("dominant-species", "type-Card")
    assert len(cards.parts) == 26
    fertile = chapter("dominant-species", "thing-Card-fertile").blocks[0]
    assert isinstance(fertile, BookParagraph) and fertile.text.startswith("Choose a tile that you occupy. Gain 1 victory point")


@pytest.mark.long
@pytest.mark.parametrize("name", HEAVY)
def test_examples_show_moves_between_two_tables(name: str):
    examples = chapter(name, "examples").parts
    assert len(examples) >= 3
    for example in examples:
        kinds = [type(block) for block in example.blocks]
        assert kinds.count(TableFigure) == 2 and kinds[-1] is TableFigure, "an example must show the table before and after"
        assert kinds.index(TableFigure) < kinds.index(BookParagraph, kinds.index(TableFigure)), "the moves must be between the two tables"
        assert re.fullmatch(r"Example \d+: .+", example.title)


def example_texts(name: str) -> list[list[str]]:
    """Returns the texts between the pictures of each example."""
    out = []
    for one in chapter(name, "examples").parts:
        kinds = [type(block) for block in one.blocks]
        first = kinds.index(TableFigure)
        out.append(
            [block.text for block in one.blocks[first + 2 : kinds.index(TableFigure, first + 1)] if isinstance(block, BookParagraph)]
        )
    return out


@pytest.mark.long
def test_no_example_stops_in_the_middle():
    examples = example_texts("trias")
    assert not [texts for texts in examples if texts[-1].endswith("lets a tile drift for 3 action points.")]
    assert ["Player 1 lets a tile drift for 3 action points.", "Player 1 lifts the tile at p16.",
            "Player 1 lets the tile from p16 drift to s17."] in [texts[:3] for texts in examples]
    assert any(texts[1:] == ["The card of Player 1 shows meteorite impact.", "Player 1 draws the meteorite impact. The last lap begins.",
                             "Player 1 lets a herd reproduce at r17.", "Player 1 moves a herd from r17 to q16."] for texts in examples)


@pytest.mark.long
def test_examples_show_a_move_that_names_an_edge_from_another_cell():
    assert any("Red builds a road at b2-se." in texts for texts in example_texts("catan"))       # c3-nw in the scenario


def test_example_of_a_part_describes_its_context():
    for one in chapter("trias", "examples").parts:
        before = [
            block.text
            for block in one.blocks[: [type(block) for block in one.blocks].index(TableFigure)]
            if isinstance(block, BookParagraph)
        ]
        lifts = any(isinstance(block, BookParagraph) and "lifts the tile" in block.text for block in one.blocks)
        told = any(isinstance(block, BookParagraph) and re.search(r"The card of Player \d shows|for 3 action points", block.text)
                   for block in one.blocks)
        assert not lifts or told or re.fullmatch(r"Player 1 has played a card that shows mountain\.", before[-1])


def test_terms_are_in_the_glossary_and_the_index():
    said = {word: text for one in book("trias").iter_chapters() for block in one.blocks if isinstance(block, DefinitionList)
            for word, _, text in block.entries}
    assert said["Inner sea"] == "Water that land encloses on all sides." and "A2 means two herds" in said["Herd"]
    where = {word: anchors for one in book("trias").iter_chapters() for block in one.blocks if isinstance(block, IndexEntries)
             for word, anchors in block.entries}
    assert "family-TRI-SAVE" in where["Swimmer"] and "family-TRI-ACT" in where["Action point"]


@pytest.mark.long_cases("chess-it", "chess-es", "chess-hu", "trias-it", "trias-es", "trias-hu")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["chess", "brisca", "backgammon", "trias"])
def test_glossary_entries_are_not_lists_of_members(name, lang):
    words = load_book_game(name).localizer(lang)
    for enum in load_book_game(name).game.model.enums.values():
        if enum.kind in ("enum", "pieces") and words.has(f"{enum.name}.name"):
            members = [capitalize_first(words.noun(f"{enum.name}.{member}")) for member in enum.first_index]
            bare = words.list(list(dict.fromkeys(members))) + "."
            said = [text for one in book(name, lang).iter_chapters() for block in one.blocks if isinstance(block, DefinitionList)
                    for _, _, text in block.entries]
            assert bare not in said


@pytest.mark.long
def test_examples_show_hands_and_forced_moves():
    first = chapter("hearts", "examples").parts[0]
    assert [block.text for block in first.blocks if isinstance(block, BookParagraph) and " plays the " in block.text] == [
        "Player 2 plays the two of clubs.", "Player 3 plays the three of hearts.", "Player 4 plays the three of clubs.",
        "Player 1 plays the four of clubs."]
    before = next(block for block in first.blocks if isinstance(block, TableFigure))
    assert any("three of hearts" in line for lines in before.letters for line in lines)


def test_difficult_clauses_link_to_an_example():
    clause = {block.id: block for part in book("trias").iter_chapters() for block in part.blocks if isinstance(block, BookClause)}
    for name in ("TRI-MID-19", "TRI-MID-20", "TRI-MID-21", "TRI-MID-22"):
        (title, anchor), = clause[name].examples
        assert title.startswith("Example ")
        assert any(name in block.text for block in chapter("trias", anchor).blocks if isinstance(block, BookParagraph))


@pytest.mark.long_cases("scopa-40 cards", "snapszer-20 cards", "chess-what4")
@pytest.mark.parametrize("name, what", [
    ("hearts", "52 cards"), ("scopa", "40 cards"), ("snapszer", "20 cards"), ("yacht", "5 dice"),
    ("chess", "Pieces – white pawn (8), white knight (2), white bishop (2), white rook (2), white queen (1), white king (1), "
              "black pawn (8), black knight (2), black bishop (2), black rook (2), black queen (1), and black king (1)"),
    ("trias", "Land – mountain (9), steppe (15), forest (12), and South Pole (1)"),
    ("trias", "Cards – mountain (9), steppe (16), forest (13), and meteorite impact (1)"),
])
def test_box_contents_are_counted(name: str, what: str):
    assert any(what in block.items for block in chapter(name, "stage-box").blocks if isinstance(block, InlineList))


@pytest.mark.long
def test_box_contents_omit_temporary_pieces():
    said = [item for name in ("liars-dice", "reversi") for one in book(name).iter_chapters() if one.anchor == "stage-box"
            for block in one.blocks if isinstance(block, InlineList) for item in block.items]
    assert said == ["30 dice"]


@pytest.mark.parametrize("name, how", [("chess", "counted from the bottom. Example: a1."), ("hex", "slanting column"),
                                       ("trias", "The place in the middle is n15.")])
def test_book_explains_the_names_of_places(name: str, how: str):
    assert any(how in block.text for block in chapter(name, "stage-box").blocks if isinstance(block, BookParagraph))


def test_examples_name_the_acting_player():
    played = [block.text for one in chapter("trias", "examples").parts for block in one.blocks if isinstance(block, BookParagraph)]
    assert any(re.match(r"Player \d lets the tile from \S+ drift to ", said) for said in played)
    assert not any(said.startswith("The tile drifts") for said in played)


def test_set_up_table_shows_the_position_after_set_up():
    ready = chapter("trias", "ready").blocks[0]
    assert isinstance(ready, TableFigure)
    assert any("11" in "".join(drawn.parts) for drawn in ready.panels), "each player must have placed four of fifteen herds"


@pytest.mark.long
def test_rules_folder_contains_the_heavy_games():
    assert set(HEAVY) <= set(list_game_ids()) and Path(RULES_FOLDER).is_dir()


@pytest.mark.long
def test_too_long_chapter_lists_all_its_parts_and_the_command():
    """A chapter that is too long lists all its parts. It once listed only the next part, so reading a round took a dozen steps."""
    lines = chapter_page(book("evolution", players=2), "3", load_book_game("evolution", 2).localizer("en"), 80, 30, "rules")
    assert any(line.strip() == "3.1.3.3  Attacks" for line in lines) and "“rules 3.1”" in lines[-1], lines
    assert not any("[EVO-" in line for line in lines), "clause names must not be printed"
