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


def loaded(name: str, players: int = 4) -> LoadedGame:
    source = shared(name).ruleset.source
    low, high = source.player_range
    return LoadedGame(find_game_location(name), shared(name, min(high, max(low, players))), [], [])


@cache
def book(name: str, lang: str = "en", players: int | None = None) -> Book:
    return make_book(loaded(name, players or 4), lang, BookOptions(players))


def chapters(name: str, lang: str = "en") -> list[Chapter]:
    return list(book(name, lang).iter_chapters())


def clauses(one: Book) -> list[str]:
    return [block.id for chapter in one.iter_chapters() for block in chapter.blocks if isinstance(block, BookClause)]


def chapter(name: str, anchor: str) -> Chapter:
    return next(one for one in book(name).iter_chapters() if one.anchor == anchor)


def sentences(one: Book) -> list[str]:
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


@pytest.mark.heavy_long
@pytest.mark.parametrize("name", list_game_ids())
def test_no_clause_is_lost(name: str):
    register = read_clause_register(find_game_location(name), None, DiagnosticList())
    if register is None:
        return
    said = clauses(book(name))
    assert sorted(said) == sorted(one.id for one in register.clauses.values() if one.text), "each sentence stands in the book, and once"


@pytest.mark.heavy_long
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", list_game_ids())
def test_all_is_said_in_one_language(name: str, lang: str, monkeypatch: pytest.MonkeyPatch):
    class Strange:
        def __getattr__(self, word: str) -> None:
            raise AssertionError("something has no translation")

    def english(self: Localizer) -> object:
        return self if self.lang == "en" else Strange()
    monkeypatch.setattr(Localizer, "_source_localizer", property(english))
    for said in sentences(make_book(loaded(name), lang, BookOptions())):
        assert said.strip() or said == ""
        assert not re.search(r"[a-z]_[a-z0-9]|[{}]|~[a-z]", said), f"no reader knows this word: {said}"


@pytest.mark.long
@pytest.mark.parametrize("name", list_game_ids())
def test_links_and_numbers_lead_somewhere(name: str):
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


def order(name: str, *anchors: str) -> list[str]:
    return [part.anchor for part in book(name).iter_chapters() if part.anchor in anchors]


@pytest.mark.long
def test_chapters_come_as_the_rules_walk():
    sections = ("phase-planning", "phase-execution", "thing-Action-initiative", "thing-Action-adaptation", "thing-Action-glaciation",
                "thing-Action-domination", "phase-extinction", "phase-survival", "phase-reseed", "phase-final_scoring")
    assert order("dominant-species", *sections) == list(sections)
    assert order("evolution", "phase-development", "phase-food_base", "phase-feeding", "phase-extinction", "phase-new_cards") == [
        "phase-development", "phase-food_base", "phase-feeding", "phase-extinction", "phase-new_cards"]
    assert order("trias", "family-TRI-CARD1", "family-TRI-DRIFT", "family-TRI-MID", "family-TRI-ACT", "family-TRI-SWIM") == [
        "family-TRI-CARD1", "family-TRI-DRIFT", "family-TRI-MID", "family-TRI-ACT", "family-TRI-SWIM"]


def ids(name: str, anchor: str) -> list[str]:
    return [block.id for block in chapter(name, anchor).blocks if isinstance(block, BookClause)]


@pytest.mark.long
def test_a_clause_stands_where_its_rule_runs():
    assert ids("dominant-species", "thing-Action-adaptation")[:4] == [f"DS-EXE-ADA-0{n}" for n in range(1, 5)]
    assert "DS-CRD-FER-01" in ids("dominant-species", "thing-Card-fertile")
    assert "DS-MAT-01" in ids("dominant-species", "family-DS-MAT")
    assert "EVO-TR-SWIM-02" in ids("evolution", "thing-Trait-swimming")
    assert "EVO-TIE-01" in ids("evolution", "family-EVO-TIE") and chapter("evolution", "family-EVO-TIE").number.startswith("4.")
    assert "TRI-LAST-04" in ids("trias", "phase-last_turn")


@pytest.mark.long
def test_what_one_must_know_stands_before_the_course():
    parts = [part.anchor for part in book("dominant-species").chapters]
    assert parts[:5] == ["stage-box", "stage-before", "stage-basics", "stage-course", "stage-end"]
    basics = [part.anchor for part in chapter("dominant-species", "stage-basics").parts]
    assert basics[:3] == ["family-DS-ERT", "family-DS-ELM", "family-DS-MAT"]
    assert "family-DS-VAR-RND" in [part.anchor for part in chapter("dominant-species", "stage-more").parts]


@pytest.mark.long
def test_families_without_a_section_are_set_up_and_course():
    assert "CHS-SET-01" in ids("chess", "stage-before")
    course = chapter("chess", "stage-course")
    assert [part.anchor for part in course.parts] == [f"family-CHS-{name}" for name in ("MOVE", "PAWN", "CHECK", "CASTLE", "DRAW")]


@pytest.mark.long
@pytest.mark.parametrize("name", list_game_ids())
def test_clauses_of_a_family_stand_in_their_order(name: str):
    found = read_clause_register(find_game_location(name), None, DiagnosticList())
    register = list(found.clauses) if found else []
    for one in chapters(name):
        here = [block.id for block in one.blocks if isinstance(block, BookClause)]
        for family in {clause.rpartition("-")[0] for clause in here}:
            alike = [clause for clause in here if clause.rpartition("-")[0] == family]
            assert alike == sorted(alike, key=register.index)


def test_a_set_up_without_rules_has_no_chapter_of_its_own():
    assert "stage-before" not in [one.anchor for one in chapters("hearts")]
    assert "ready" in [one.anchor for one in chapter("hearts", "stage-box").parts]


def test_numbers_that_are_for_bots_or_rules_alone_are_in_no_table():
    heads = {head for name in ("chess", "hearts", "backgammon") for one in chapters(name) for block in one.blocks
             if isinstance(block, BookTable) for head in block.heads}
    assert heads & {"Worth", "Rank", "Seats further on the left", "Part of the board"} == set()


@pytest.mark.long
def test_numbers_of_players_are_told_apart():
    found = next(block for block in chapter("dominant-species", "stage-before").blocks
                 if isinstance(block, BookClause) and block.id == "DS-SET-N2")
    assert [when for when, _ in found.cases] == [f"With {n} players" for n in range(2, 7)]
    assert "7" in found.cases[0][1] and "3" in found.cases[4][1]
    alone = book("dominant-species", players=4)
    assert not any(block.cases for part in alone.iter_chapters() for block in part.blocks if isinstance(block, BookClause))


@pytest.mark.long
def test_what_holds_for_some_numbers_of_players_says_so_on_the_spot():
    found = {block.id: block for part in book("trias").iter_chapters() for block in part.blocks if isinstance(block, BookClause)}
    for name in ("TRI-SETUP-04", "TRI-SETUP-16", "TRI-DRIFT-23", "TRI-ACTD-04", "TRI-MID-01"):
        assert [when for when, _ in found[name].cases] == ["With 3 to 5 players"]
    assert not found["TRI-TWO-01"].cases, "its own words say it"
    assert ids("trias", "family-TRI-MID")[0] == "TRI-MID-24", "two players read first that they have none"


@pytest.mark.long
def test_a_book_for_two_leaves_out_what_is_for_more():
    said = clauses(book("trias", players=2))
    assert "TRI-TWO-07" in said and not [one for one in said if one.startswith("TRI-MID-") and one not in ("TRI-MID-02", "TRI-MID-24")]
    assert "family-TRI-TWO" not in [part.anchor for part in book("trias", players=4).iter_chapters()]
    assert all(text.startswith("Two players") for text in told("trias", "TRI-TWO-01")), "it says itself for whom it is"
    for part in book("trias", players=2).iter_chapters():
        for block in part.blocks if part.anchor.startswith("example-") else ():
            assert "Player 3" not in (block.text if isinstance(block, BookParagraph) else "")


def told(name: str, clause: str, **choice: str | bool) -> list[str]:
    """Returns the text of a clause in a book, for each number of players."""
    found = LoadedGame(find_game_location(name), shared(name, 4, choice), [], [])
    one = make_book(found, "en", BookOptions(chosen=frozenset(choice))) if choice else book(name)
    return [text for part in one.iter_chapters() for block in part.blocks if isinstance(block, BookClause) and block.id == clause
            for text in ([said for _, said in block.cases] or [block.text])]


@pytest.mark.long
def test_a_table_that_only_others_need_is_left_out():
    """With two players there is no interim scoring, so its table and clauses are left out."""
    for players, there in ((None, True), (4, True), (2, False)):
        found = book("trias", players=players)
        assert ("table-interim" in {one.anchor for one in found.iter_chapters()}) == there
        assert ("TRI-FIN-15" in clauses(found)) == there
    assert "table-bonus" in {one.anchor for one in book("dominant-species", players=2).iter_chapters()}


@pytest.mark.long
def test_a_book_for_a_choice_does_not_state_the_usual():
    assert told("trias", "TRI-DRIFT-05", farther="straight") == ["The distance from the South Pole is measured along a straight line."]
    assert told("trias", "TRI-LAST-05", last_swimmers=False)[0].startswith("In the last lap, swimmers stay in the water")
    assert told("hearts", "HEA-END-01", length="one_deal") == [], "nothing says that deal follows deal"
    assert told("hearts", "HEA-END-03", length="one_deal") == ["You play a single deal."]


@pytest.mark.long_cases(
    "backgammon", "chess", "cribbage", "dominant-species", "evolution", "international-draughts", "liars-dice", "nine-mens-morris",
    "scopa", "snapszer", "trias",
)
@pytest.mark.parametrize("name", list_game_ids())
def test_each_choice_changes_what_clauses_say(name: str):
    source, register = shared(name).ruleset.source, read_clause_register(find_game_location(name), None, DiagnosticList())
    if register is None:
        return
    low, high = source.player_range
    words = loaded(name).localizer("en")
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
                f"no clause says anything else with {option.name}={said}"


@pytest.mark.long
def test_a_table_tells_numbers_of_players_apart():
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
def test_examples_are_played(name: str):
    examples = chapter(name, "examples").parts
    assert len(examples) >= 3
    for example in examples:
        kinds = [type(block) for block in example.blocks]
        assert kinds.count(TableFigure) == 2 and kinds[-1] is TableFigure, "the table before and after"
        assert kinds.index(TableFigure) < kinds.index(BookParagraph, kinds.index(TableFigure)), "what is done stands between them"
        assert re.fullmatch(r"Example \d+: .+", example.title)


def played(name: str) -> list[list[str]]:
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
    assert not [told for told in played("trias") if told[-1].endswith("lets a tile drift for 3 action points.")]
    assert ["Player 1 lets a tile drift for 3 action points.", "Player 1 lifts the tile at p16.",
            "Player 1 lets the tile from p16 drift to s17."] in [told[:3] for told in played("trias")]
    assert any(told[1:] == ["The card of Player 1 shows meteorite impact.", "Player 1 draws the meteorite impact. The last lap begins.",
                            "Player 1 lets a herd reproduce at r17.", "Player 1 moves a herd from r17 to q16."] for told in played("trias"))


def test_an_example_of_a_part_says_what_came_before():
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


def test_words_of_the_texts_are_in_the_glossary_and_the_index():
    said = {word: text for one in book("trias").iter_chapters() for block in one.blocks if isinstance(block, DefinitionList)
            for word, _, text in block.entries}
    assert said["Inner sea"] == "Water that land encloses on all sides." and "A2 means two herds" in said["Herd"]
    where = {word: anchors for one in book("trias").iter_chapters() for block in one.blocks if isinstance(block, IndexEntries)
             for word, anchors in block.entries}
    assert "family-TRI-SAVE" in where["Swimmer"] and "family-TRI-ACT" in where["Action point"]


@pytest.mark.long_cases("chess-it", "chess-es", "chess-hu", "trias-it", "trias-es", "trias-hu")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["chess", "brisca", "backgammon", "trias"])
def test_the_glossary_defines_words_and_lists_no_members(name, lang):
    words = loaded(name).localizer(lang)
    for enum in loaded(name).game.model.enums.values():
        if enum.kind in ("enum", "pieces") and words.has(f"{enum.name}.name"):
            members = [capitalize_first(words.noun(f"{enum.name}.{member}")) for member in enum.first_index]
            bare = words.list(list(dict.fromkeys(members))) + "."
            said = [text for one in book(name, lang).iter_chapters() for block in one.blocks if isinstance(block, DefinitionList)
                    for _, _, text in block.entries]
            assert bare not in said


@pytest.mark.long
def test_hands_lie_open_in_examples_and_forced_moves_are_told():
    first = chapter("hearts", "examples").parts[0]
    assert [block.text for block in first.blocks if isinstance(block, BookParagraph) and " plays the " in block.text] == [
        "Player 2 plays the two of clubs.", "Player 3 plays the three of hearts.", "Player 4 plays the three of clubs.",
        "Player 1 plays the four of clubs."]
    before = next(block for block in first.blocks if isinstance(block, TableFigure))
    assert any("three of hearts" in line for lines in before.letters for line in lines)


def test_what_is_hard_to_see_has_an_example_and_leads_there():
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
def test_what_is_in_the_box_is_counted(name: str, what: str):
    assert any(what in block.items for block in chapter(name, "stage-box").blocks if isinstance(block, InlineList))


@pytest.mark.long
def test_what_comes_and_goes_is_not_in_the_box():
    said = [item for name in ("liars-dice", "reversi") for one in book(name).iter_chapters() if one.anchor == "stage-box"
            for block in one.blocks if isinstance(block, InlineList) for item in block.items]
    assert said == ["30 dice"]


@pytest.mark.parametrize("name, how", [("chess", "counted from the bottom. Example: a1."), ("hex", "slanting column"),
                                       ("trias", "The place in the middle is n15.")])
def test_how_places_are_named_is_told(name: str, how: str):
    assert any(how in block.text for block in chapter(name, "stage-box").blocks if isinstance(block, BookParagraph))


def test_an_example_says_who_acts():
    played = [block.text for one in chapter("trias", "examples").parts for block in one.blocks if isinstance(block, BookParagraph)]
    assert any(re.match(r"Player \d lets the tile from \S+ drift to ", said) for said in played)
    assert not any(said.startswith("The tile drifts") for said in played)


def test_the_set_up_table_waits_for_the_first_decision_of_the_game():
    ready = chapter("trias", "ready").blocks[0]
    assert isinstance(ready, TableFigure)
    assert any("11" in "".join(drawn.parts) for drawn in ready.panels), "four of fifteen herds have been placed by each"


@pytest.mark.long
def test_the_rules_folder_is_whole():
    assert set(HEAVY) <= set(list_game_ids()) and Path(RULES_FOLDER).is_dir()


@pytest.mark.long
def test_a_chapter_that_is_too_high_names_all_that_is_in_it_and_how_to_read_it():
    """A chapter that is too long lists all its parts. It once listed only the next part, so reading a round took a dozen steps."""
    lines = chapter_page(book("evolution", players=2), "3", loaded("evolution", 2).localizer("en"), 80, 30, "rules")
    assert any(line.strip() == "3.1.3.3  Attacks" for line in lines) and "“rules 3.1”" in lines[-1], lines
    assert not any("[EVO-" in line for line in lines), "none is printed"
