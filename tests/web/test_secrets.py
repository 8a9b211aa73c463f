"""Checks that a save, which contains the seed, gives nobody an advantage at a table."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.match.save_reader import parse_save
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.match.table import UndoError
from ludoglot.engine.web.bot_worker import decide
from ludoglot.engine.web.early_answers import find_undo_obstacle, list_awaited_seats, view_seat
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.page_builder import PageBuilder, PageRequest
from ludoglot.engine.web.people_store import PeopleStore
from ludoglot.engine.web.storage import Storage

from .conftest import create_table
from .test_at_once import TOY, awaited

pytestmark = pytest.mark.usefixtures("shared_rules")


def play_to_the_end(store: MatchStore, table: str) -> int:
    """Plays random options until the match is over. Returns the seat of the last decision."""
    rng = random.Random(1)
    for _ in range(5000):
        with store.use(table) as live:
            if live.match.over:
                return next(step.seat for step in reversed(live.match.steps) if not step.auto)
            seat = list_awaited_seats(live)[0]
            view = view_seat(live, seat)
            sequence, option = view.sequence, rng.choice(view.match.position.decision.options).spelling
        store.play(table, seat, sequence, option)
    raise AssertionError("the match does not end")


def undo(store: MatchStore, table: str, seat: int) -> None:
    with store.use(table) as live:
        sequence = view_seat(live, seat).sequence
    store.undo(table, seat, sequence)


@pytest.mark.parametrize("game", ["liars-dice", TOY, pytest.param("backgammon", marks=pytest.mark.long),
                                  pytest.param("snapszer", marks=pytest.mark.long)],
                         ids=["liars-dice", "at-once", "backgammon", "snapszer"])
def test_nobody_goes_back_into_a_match_whose_save_shows_its_secrets(store, game):
    table = create_table(store, game, [HUMAN, HUMAN])
    last = play_to_the_end(store, table)
    assert store.export_save(table) is not None
    for seat in range(2):
        with pytest.raises(UndoError) as error:
            undo(store, table, seat)
        assert error.value.key == "undo.why.over"
    with store.use(table) as live:
        assert live.match.over and find_undo_obstacle(live, last) == "undo.why.over"


def test_the_last_decision_of_an_open_game_can_be_taken_back(store):
    table = create_table(store, "tic-tac-toe", [HUMAN, HUMAN])
    last = play_to_the_end(store, table)
    undo(store, table, last)
    assert awaited(store, table) == [last]


def test_a_save_does_not_predict_the_bot(store):
    table = create_table(store, "hex", [HUMAN, "bot:random"])
    predicted = chosen = 0
    for number in range(8):
        with store.use(table) as live:
            sequence, option = live.sequence, live.match.position.decision.options[0].spelling
        store.play(table, 0, sequence, option)
        saved = store.export_save(table)
        assert saved is not None
        seed = parse_save(None, saved).setup.seed
        with store.use(table) as live:
            decision = live.match.position.decision
            guess = decision.option(live.match.choose("random", live.match.position, 1, decision_rng(seed, 1, len(live.match.steps))))
            guessed = guess.spelling
        task = store.make_bot_task(table)
        assert task is not None
        entries = decide(task)
        store.append_bot_decisions(task, entries)
        predicted, chosen = predicted + (entries[0]["option"] == guessed), number + 1
    assert predicted < chosen / 2


def test_everybody_learns_that_a_table_continues_a_save(store):
    setup = MatchSetup("scopa", 2, 5, names=["A", "B"], seats=[HUMAN] * 2, langs=["", ""])
    sentence = "This table continues a save. The person who set it up may know hidden things."
    builder = PageBuilder(store.storage, store, PeopleStore(store.storage))
    for decisions in (None, []):                                   # also a save without a decision has the seed
        table = store.create(setup, True, decisions)
        for record in (store.read_table(table.id), Storage(str(store.storage.engine.url)).read_table(table.id)):
            pages = [builder.build(PageRequest(record=record, seat=seat, lang="en", base="", device="", form="", chat_revision=0))
                     for seat in (0, 1, None)]
            assert all((sentence in page) is (decisions is not None) for page in pages)
