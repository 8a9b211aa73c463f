"""Checks that the server repeats no work, and that kept results are the same as new ones."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from dataclasses import replace

import pytest
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web.match_store import MatchStore, OtherRulesError
from ludoglot.engine.web.page_builder import PageBuilder, PageRequest
from ludoglot.engine.web.page_cache import PageCache
from ludoglot.engine.web.page_pool import PagePool
from ludoglot.engine.web.people_page import PeopleView
from ludoglot.engine.web.people_store import PeopleStore
from ludoglot.engine.web.rendering import render_template
from ludoglot.engine.web.storage import Storage
from sqlalchemy import event

VIEWERS = ((0, "en"), (1, "hu"), (None, "it"))
MOVES, TAKEN_BACK = 8, 3


@pytest.fixture
def storage(tmp_path):
    found = Storage(f"sqlite:///{tmp_path}/t.sqlite")
    yield found
    found.close()


def create_table(store: MatchStore, game: str) -> str:
    """Creates a table of two people."""
    return store.create(MatchSetup(game, 2, 1, names=["A", "B"], seats=[HUMAN] * 2, langs=["", ""]), True).id


def show(store: MatchStore, pages: PageCache, table: str, seat: int | None, lang: str) -> str:
    """Returns the page of a viewer."""
    with store.use(table) as live:
        page = pages.get_page(live, seat, lang)
    return render_template("table.html", page.words, page=page, base="", can_save=False, device="", notice="", form="", people=PeopleView())


@pytest.mark.usefixtures("shared_rules")
@pytest.mark.parametrize("game", ["tic-tac-toe", pytest.param("scopa", marks=pytest.mark.long)])
def test_page_from_kept_parts_is_the_same_as_a_new_page(game, storage):
    store, pages, rng = MatchStore(storage), PageCache(), random.Random(1)
    table = create_table(store, game)
    for number in range(MOVES):
        fresh = MatchStore(storage)
        fresh.rules = store.rules                                  # compiled once
        for seat, lang in VIEWERS:
            assert show(store, pages, table, seat, lang) == show(fresh, PageCache(), table, seat, lang)
        if number == TAKEN_BACK and game == "tic-tac-toe":
            with store.use(table) as live:
                seat, sequence = live.match.steps[-1].seat, live.sequence
            store.undo(table, seat, sequence)
        with store.use(table) as live:
            decision, sequence = live.match.position.decision, live.sequence
        if decision is None:
            break
        store.play(table, decision.seat, sequence, rng.choice(decision.options).spelling)


@pytest.mark.usefixtures("shared_rules")
def test_pages_after_a_move_read_nothing_from_the_database(storage):
    """Another page may read the chat, once."""
    store, people, statements = MatchStore(storage), PeopleStore(storage), list[str]()
    table = create_table(store, "tic-tac-toe")
    people.read_messages(store.read_table(table))
    with store.use(table) as live:
        option = live.match.position.decision.options[0].spelling
    store.play(table, 0, 0, option)
    event.listen(storage.engine, "before_cursor_execute", lambda *call: statements.append(call[2]))
    for seat, lang in VIEWERS:
        show(store, PageCache(), table, seat, lang)
        assert people.read_messages(store.read_table(table)) == []
    assert statements == []
    people.add_message(table, 0, "hello")
    assert people.read_messages(store.read_table(table)) == [(0, "hello")]
    people.set_chat(table, False)
    assert people.read_messages(store.read_table(table)) is None


def test_record_in_memory_is_never_older_than_the_database(storage):
    """A thread that has read a record before a change keeps it after the change."""
    store = MatchStore(storage)
    table = create_table(store, "tic-tac-toe")
    old = storage.read_table(table)
    storage.set_language(table, 0, "hu")
    storage.keep_record(old)
    assert storage.read_table(table).seats[0].lang == "hu"
    with pytest.raises(RuntimeError), storage.change(table) as _:
        raise RuntimeError
    assert storage.read_revision(table) == old.revision + 1


@pytest.mark.long
def test_worker_builds_the_same_pages_after_changes_and_after_its_death(storage):
    store, people = MatchStore(storage), PeopleStore(storage)
    table = create_table(store, "tic-tac-toe")
    pool = PagePool(PageBuilder(storage, store, people), 1)

    def list_requests() -> list[PageRequest]:
        record = store.read_table(table)
        return [PageRequest(record=record, seat=seat, lang=lang, base=f"/{seat}", device="", form="f") for seat, lang in VIEWERS]

    async def compare() -> None:
        for asked in list_requests():
            assert await pool.build(asked) == pool.builder.build(asked)

    async def run() -> None:
        pool.start()
        await compare()
        for sequence, change in enumerate([
            lambda: people.add_message(table, 0, "hello"), lambda: storage.set_language(table, 1, "es"),
            lambda: os.kill(next(iter(pool.workers[0]._processes)), signal.SIGKILL),
        ]):
            with store.use(table) as live:
                decision = live.match.position.decision
            store.play(table, decision.seat, sequence, decision.options[0].spelling)
            change()
            await compare()
        old = list_requests()[0]
        store.undo(table, 0, 3)
        assert "hello" in await pool.build(old)                    # a request from before the change is answered too
        await compare()
        with pytest.raises(OtherRulesError):
            await pool.build(replace(old, record=replace(old.record, rules="other")))
        with pytest.raises(RuntimeError, match="could not be built"):
            await pool.build(replace(old, notice=[]))
        assert "hello" in await pool.build(old)                    # the worker goes on
    try:
        asyncio.run(run())
    finally:
        pool.close()
