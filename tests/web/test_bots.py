"""Checks that bots of a stranger delay nobody else, that bots stop without people, and that their faults are shown."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from ludoglot.engine.match.setup import HUMAN
from ludoglot.engine.position.position import RuleError
from ludoglot.engine.web import bot_scheduler
from ludoglot.engine.web.bot_scheduler import BotScheduler
from ludoglot.engine.web.changes import ChangeBroker
from ludoglot.engine.web.fair_slots import FairSlots
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.page_builder import PageBuilder, PageRequest
from ludoglot.engine.web.people_store import LastPersonError, PeopleStore

from .conftest import create_table

pytestmark = pytest.mark.usefixtures("shared_rules")


def run_bots(store: MatchStore, *tables: str, wakes: int = 1, address: str = "10.0.0.1") -> BotScheduler:
    """Wakes the bots of tables in this process, and waits until all of them have stopped."""
    async def run() -> BotScheduler:
        bots = BotScheduler(store, ChangeBroker(store.storage.read_revision))
        bots.pool = ThreadPoolExecutor(1)
        for _ in range(wakes):
            for table in tables:
                bots.wake(table, address)
            await asyncio.gather(*bots.runs.values())
        return bots
    return asyncio.run(run())


def test_owners_take_turns():
    order = []

    async def work(slots: FairSlots, owner: str) -> None:
        async with slots.use(owner):
            order.append(owner)
            await asyncio.sleep(0.01)

    async def run() -> None:
        slots = FairSlots()
        flood = [asyncio.create_task(work(slots, "stranger")) for _ in range(6)]
        await asyncio.sleep(0.005)
        flood[3].cancel()
        await asyncio.gather(*(asyncio.create_task(work(slots, owner)) for owner in ("anna", "piero")), *flood, return_exceptions=True)
        async with slots.use("again"):
            assert slots.free == 0
        assert slots.free == 1
    asyncio.run(run())
    assert order == ["stranger", "stranger", "anna", "piero", "stranger", "stranger", "stranger"]


def test_an_owner_has_one_place_at_a_time():
    running, most = [], []

    async def work(slots: FairSlots, owner: str) -> None:
        async with slots.use(owner):
            running.append(owner)
            most.append(sorted(running))
            await asyncio.sleep(0.01)
            running.remove(owner)

    async def run() -> None:
        slots = FairSlots(2)
        await asyncio.gather(*(work(slots, owner) for owner in ["stranger"] * 4 + ["anna"] * 2))
        assert slots.free == 2 and not slots.running and not slots.waiting
    asyncio.run(run())
    assert ["anna", "stranger"] in most and all(len(set(owners)) == len(owners) for owners in most)


def test_bots_pause_while_nobody_is_present(store, monkeypatch):
    table = create_table(store, "tic-tac-toe", ["bot:random", HUMAN])
    monkeypatch.setattr(bot_scheduler, "PRESENT_SECONDS", 0.0)
    run_bots(store, table)
    assert store.storage.read_log(table) == []
    monkeypatch.setattr(bot_scheduler, "PRESENT_SECONDS", 60.0)
    run_bots(store, table)
    assert len(store.storage.read_log(table)) == 1


def test_owner_of_a_table_stays_after_a_restart(store):
    first, second = (create_table(store, "tic-tac-toe", ["bot:random", HUMAN]) for _ in range(2))
    owner = run_bots(store, first).owners[first]
    later = MatchStore(store.storage)                              # of the server after the restart
    assert run_bots(later, second, address="10.0.0.2").owners[second] != owner == later.claim_table(first, "10.0.0.2")
    assert "10.0.0" not in owner


def test_a_table_keeps_a_person(store):
    table, people = create_table(store, "tic-tac-toe", [HUMAN, HUMAN]), PeopleStore(store.storage)
    people.set_stand_in(table, 0, "bot:hard")
    for change in (lambda: people.set_stand_in(table, 1, "bot:hard"),
                   lambda: people.add_consent(store.read_table(table), 1, 0, 0, "bot:hard")):      # by somebody whom a bot replaces
        with pytest.raises(LastPersonError):
            change()
    assert store.read_table(table).stand_ins == {0: "bot:hard"}
    people.set_stand_in(table, 0, "")
    people.set_stand_in(table, 1, "bot:hard")


def test_the_page_shows_that_the_bots_have_failed(store, monkeypatch):
    table, asked = create_table(store, "tic-tac-toe", ["bot:random", HUMAN]), []

    def fail(task: object) -> None:
        asked.append(task)
        raise RuleError("F001")
    monkeypatch.setattr(bot_scheduler, "decide", fail)
    bots = run_bots(store, table, wakes=3)
    assert len(asked) == 1                                         # not again at each visit
    builder = PageBuilder(store.storage, store, PeopleStore(store.storage))
    record = store.read_table(table)
    assert record.revision > 0                                     # browsers fetch the page
    page = builder.build(PageRequest(record=record, seat=1, lang="en", base="", device="", form="", chat_revision=0,
                                     bots_failed=bots.failed.get(table)))
    assert "the bots have stopped" in page and "thinking" not in page


def test_the_bots_of_another_owner_come_first(store, monkeypatch):
    order, tables = [], [create_table(store, "tic-tac-toe", ["bot:random", HUMAN]) for _ in range(5)]
    decide = bot_scheduler.decide

    def record(task):
        order.append(task.table_id)
        time.sleep(0.1)
        return decide(task)
    monkeypatch.setattr(bot_scheduler, "decide", record)

    async def run() -> None:
        bots = BotScheduler(store, ChangeBroker(store.storage.read_revision))
        bots.pool = ThreadPoolExecutor(4)
        for table in tables[:4]:
            bots.wake(table, "10.0.0.1")
        while not order:
            await asyncio.sleep(0.01)
        bots.wake(tables[4], "10.0.0.2")
        await asyncio.gather(*bots.runs.values())
    asyncio.run(run())
    assert order.index(tables[4]) <= 2
