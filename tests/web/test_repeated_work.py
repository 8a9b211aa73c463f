"""Checks that the server repeats no work, and that kept results are the same as new ones."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
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
WRITERS, WRITES = 4, 15
TABLES, WORKERS = 30, 3


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
    def read_chat() -> list[tuple[int, str]] | None:
        record = store.read_table(table)
        return people.read_messages(record, people.chat_revision(record))
    read_chat()
    with store.use(table) as live:
        option = live.match.position.decision.options[0].spelling
    store.play(table, 0, 0, option)
    event.listen(storage.engine, "before_cursor_execute", lambda *call: statements.append(call[2]))
    for seat, lang in VIEWERS:
        show(store, PageCache(), table, seat, lang)
        assert read_chat() == []
    assert statements == []
    people.add_message(table, 0, "hello")
    assert read_chat() == [(0, "hello")]
    people.set_chat(table, False)
    assert read_chat() is None


@pytest.mark.usefixtures("shared_rules")
def test_worker_reads_the_chat_again_only_after_a_message(storage):
    store, people = MatchStore(storage), PeopleStore(storage)
    readers = Storage(storage.engine.url.render_as_string(), is_only_writer=False)
    worker, statements = PageBuilder(readers, MatchStore(readers), PeopleStore(readers)), list[str]()
    table = create_table(store, "tic-tac-toe")
    event.listen(readers.engine, "before_cursor_execute", lambda *call: statements.append(call[2]))

    def build() -> tuple[str, int]:
        statements.clear()
        record = store.read_table(table)
        page = worker.build(PageRequest(record=record, seat=0, lang="en", base="", device="", form="",
                                        chat_revision=people.chat_revision(record)))
        return page, sum("chat" in statement for statement in statements)
    assert build()[1]
    with store.use(table) as live:
        option = live.match.position.decision.options[0].spelling
    store.play(table, 0, 0, option)
    assert build()[1] == 0
    people.add_message(table, 0, "hello")
    page, count = build()
    assert "hello" in page and count
    readers.close()


def test_page_during_a_message_does_not_hide_it_afterwards(storage):
    """Somebody fetches the page after the message was written, and before its transaction has ended."""
    people, table = PeopleStore(storage), create_table(MatchStore(storage), "tic-tac-toe")
    with storage.change(table):
        people.note_chat(table)
        old = storage.read_table(table)
        assert people.read_messages(old, people.chat_revision(old)) == []
    assert people.chat_revision(old) == storage.read_revision(table) > people.chats[table][0]


def test_threads_that_write_wait_for_each_other(tmp_path, monkeypatch):
    """SQLite alone would report that the database is locked."""
    monkeypatch.setattr("ludoglot.engine.web.storage.BUSY_TIMEOUT_MS", 0)
    storage = Storage(f"sqlite:///{tmp_path}/busy.sqlite")
    tables = [create_table(MatchStore(storage), "tic-tac-toe") for _ in range(WRITERS)]
    before = sum(map(storage.read_revision, tables))

    def write(table: str) -> None:
        for _ in range(WRITES):
            storage.touch(table)
    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, tables))
    assert sum(map(storage.read_revision, tables)) == before + WRITERS * WRITES
    storage.close()


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


def test_viewers_of_a_table_share_two_workers(storage):
    store = MatchStore(storage)
    pool, used = PagePool(PageBuilder(storage, store, PeopleStore(storage)), WORKERS), set[int]()
    for _ in range(TABLES):
        record = store.read_table(create_table(store, "tic-tac-toe"))
        chosen = [pool.choose_worker(PageRequest(record=record, seat=seat, lang=lang, base="", device="", form="", chat_revision=0))
                  for seat, lang in VIEWERS]
        assert len(set(chosen)) == 2 and chosen[0] != chosen[1]     # the players, who both wait after a move
        used.update(chosen)
    assert used == {*range(WORKERS)}


def die_in_page() -> None:
    """Ends this worker process after it has written a part of a page."""
    results = sys._getframe(1).f_locals["result_queue"]            # of the loop of the worker
    os.write(results._writer.fileno(), struct.pack("!i", 40_000) + b"part of a page")
    os._exit(1)


@pytest.mark.long
def test_worker_that_dies_in_a_page_is_noticed(storage):
    pool = PagePool(PageBuilder(storage, MatchStore(storage), PeopleStore(storage)), 1)
    with pytest.raises(BrokenProcessPool):
        pool.get_worker(0).submit(die_in_page).result(30)
    pool.close()


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_worker_builds_the_same_pages_after_changes_and_after_its_death(storage, workers):
    store, people = MatchStore(storage), PeopleStore(storage)
    table = create_table(store, "tic-tac-toe")
    pool = PagePool(PageBuilder(storage, store, people), workers)

    def list_requests() -> list[PageRequest]:
        record = store.read_table(table)
        return [PageRequest(record=record, seat=seat, lang=lang, base=f"/{seat}", device="", form="f",
                            chat_revision=people.chat_revision(record)) for seat, lang in VIEWERS]

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
