"""Checks the index of typed answers: which option a text matches, by number, name, spelling, beginning, or words."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.i18n.user_input import normalize
from ludoglot.engine.position.answer_index import ALL_KINDS, WHOLE_OR_BEGINNING, AnswerIndex, IndexEntry, MatchKind, collapse_spaces
from shared_games import shared

TOKEN, NAME, FORM, BEGINNING, INSIDE, WORDS = ALL_KINDS
ENTRIES = [
    IndexEntry("cordoba", ("Córdoba", "Old town"), ("city=cordoba", "cordoba"), "1"),
    IndexEntry("corinth", ("Corinth",), ("city=corinth", "corinth"), "2"),
    IndexEntry("north", ("Walk to the north gate", "2"), ("walk gate=north", "north"), "12"),
    IndexEntry("south", ("Walk to the south gate",), ("walk gate=south", "south"), "13"),
    IndexEntry("hall", ("Old town", ""), ("", "town hall"), ""),
]


@pytest.fixture
def index() -> AnswerIndex[str]:
    return AnswerIndex(ENTRIES, normalize)


@pytest.mark.parametrize(("typed", "kind", "meant"), [
    ("1", TOKEN, ["cordoba"]),
    ("2", TOKEN, ["corinth"]),                           # a number goes before a name
    ("cordoba", NAME, ["cordoba"]),                      # ignores accents, capitals, and spaces
    ("  CÓRDOBA ", NAME, ["cordoba"]),
    ("old  town", NAME, ["cordoba", "hall"]),            # a second name, and a name of two values
    ("city=corinth", FORM, ["corinth"]),
    ("north", FORM, ["north"]),
    ("cor", BEGINNING, ["cordoba", "corinth"]),          # in the order of the values
    ("c", BEGINNING, ["cordoba", "corinth"]),
    ("town h", BEGINNING, ["hall"]),                     # also the beginning of a spelling
    ("walk to the", BEGINNING, ["north", "south"]),
    ("the south", INSIDE, ["south"]),
    ("gate", INSIDE, ["north", "south"]),
    ("gate walk", WORDS, ["north", "south"]),
    ("gat so", WORDS, ["south"]),
    ("3", None, []),
    ("ordoba", None, []),                                # no word begins with it
    ("", None, []),
    (" ", None, []),
])
def test_a_text_finds_its_best_match(index, typed, kind, meant):
    found = index.look_up(typed)
    assert (found.kind, found.values) == (kind, meant) and found.wanted == normalize(typed)


@pytest.mark.parametrize(("typed", "kinds", "meant"), [
    ("2", (NAME,), ["north"]),
    ("2", (NAME, TOKEN), ["north"]),                     # the caller sets the priority
    ("1", (NAME, TOKEN), ["cordoba"]),
    ("cor", (TOKEN, NAME, FORM), []),
    ("corinth", (BEGINNING,), ["corinth"]),
    ("gate", WHOLE_OR_BEGINNING, []),
])
def test_the_caller_chooses_the_kinds_of_match(index, typed, kinds, meant):
    assert index.look_up(typed, kinds).values == meant


@pytest.mark.parametrize(("typed", "meant"), [("cordova", "Córdoba"), ("corint", "Corinth"), ("old twon", "Old town"), ("xyz", "")])
def test_a_near_miss_suggests_a_displayed_title(index, typed, meant):
    assert index.suggest(typed) == meant


def test_values_need_neither_a_hash_nor_a_name():
    index = AnswerIndex([IndexEntry(["a"], ("Pass",)), IndexEntry(["b"], ("",)), IndexEntry(["c"], ())], normalize)
    assert index.find("pass") == [["a"]] and index.find("") == [] and list(index.iter_names()) == [("pass", [["a"]])]


def test_every_option_of_a_game_is_found_by_its_number_and_its_spelling(toys):
    position, rng = shared(toys / "parry", 3).start(3), random.Random(3)
    for _ in range(30):
        decision = position.decision
        if decision is None:
            break
        for number, option in enumerate(decision.options, 1):
            assert decision.answers.look_up(str(number), (MatchKind.TOKEN,)).values == [option]
            assert decision.answers.find_exact(f" {option.spelling.replace(' ', '  ')}") == [option] == [decision.find(option.spelling)]
        assert decision.answers.normalize is collapse_spaces and decision.answers.values == decision.options
        position.play(decision.seat, rng.choice(decision.options))
