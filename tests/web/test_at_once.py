"""Checks that people at different browsers answer at the same time in loops `at once`, and learn nothing of each other before the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ludoglot.engine.match.setup import HUMAN, SavedDecision
from ludoglot.engine.match.table import UndoError
from ludoglot.engine.web.bot_worker import decide
from ludoglot.engine.web.early_answers import find_block, list_awaited_seats, view_seat
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.page_builder import PageBuilder, PageRequest
from ludoglot.engine.web.people_store import PeopleStore
from ludoglot.engine.web.storage import StaleSequenceError, Storage

from .browser import Browser
from .conftest import create_table
from .test_absence import seat_players, set_seat_as_host, wait_until

TOY = str(Path(__file__).parent.parent / "games" / "sealed-bids")
LANGUAGES = ("en", "it", "es", "hu")
pytestmark = pytest.mark.usefixtures("shared_rules")


def answer(store: MatchStore, table: str, seat: int, pick: int = 0) -> list[str]:
    """Plays the option with an index, or the last one, until a seat has answered all questions. Returns the options."""
    chosen = []
    while seat in awaited(store, table):
        with store.use(table) as live:
            view = view_seat(live, seat)
            options = view.match.position.decision.options
            chosen.append(options[min(pick, len(options) - 1)].spelling)
            sequence = view.sequence
        before = read_log(store, table)
        store.play(table, seat, sequence, chosen[-1])
        if len(read_log(store, table)) > len(before):              # all have answered
            break
    return chosen


def awaited(store: MatchStore, table: str) -> list[int]:
    with store.use(table) as live:
        found = list_awaited_seats(live)
    stored = Storage(str(store.storage.engine.url)).read_table(table)
    assert stored is not None and list(stored.awaited) == found     # the lobby reads them without the rules
    return found


def read_log(store: MatchStore, table: str) -> list[dict]:
    return store.storage.read_log(table)


def show(store: MatchStore, table: str, seat: int | None, number: int = 0) -> str:
    """Returns a page without its revision and the id of the table."""
    builder = PageBuilder(store.storage, store, PeopleStore(store.storage))
    page = builder.build(PageRequest(record=store.read_table(table), seat=seat, lang=LANGUAGES[number % 4], base="", device="", form="",
                                     chat_revision=0))
    return re.sub(r'data-revision="\d+"', "", page)


@pytest.mark.parametrize("game, count, order", [(TOY, 3, (2, 0, 1)), ("hearts", 4, (3, 2, 1, 0)), ("cribbage", 2, (1, 0))])
def test_every_order_of_answers_gives_the_same_log(store, game, count, order):
    logs = []
    for seats in (sorted(order), order):
        table = create_table(store, game, [HUMAN] * count)
        assert awaited(store, table) == list(range(count)) or game == "cribbage"
        for n, seat in enumerate(seats):
            before = len(read_log(store, table))
            answer(store, table, seat, seat)
            assert (len(read_log(store, table)) > before) is (n == count - 1)
        logs.append(read_log(store, table))
    assert logs[0] == logs[1] and len(logs[0]) >= count
    if game == TOY:                                                # the next loop begins at once
        assert awaited(store, table) == [0, 1, 2]


@pytest.mark.parametrize("game, count", [(TOY, 4), pytest.param("hearts", 4, marks=pytest.mark.long),
                                         pytest.param("cribbage", 2, marks=pytest.mark.long)])
def test_pages_show_nothing_of_the_answers_of_others(store, game, count):
    """At two tables, one seat answers differently. All other pages are the same, byte for byte."""
    tables = [create_table(store, game, [HUMAN] * count) for _ in range(2)]
    for seat in awaited(store, tables[0])[:0:-1]:                  # the last one would end the loop
        for pick, table in enumerate(tables):
            answer(store, table, seat, 2 * pick)
        for number, viewer in enumerate([*range(count), None]):
            pages = [show(store, table, viewer, number).replace(table, "") for table in tables]
            has_answered = viewer is not None and viewer not in awaited(store, tables[0])
            assert (pages[0] != pages[1]) is has_answered, (seat, viewer)


def test_a_seat_sees_its_own_answers_only(store):
    table = create_table(store, TOY, [HUMAN] * 3)
    before = [show(store, table, seat) for seat in (0, 1, 2, None)]
    assert all('class="asked"' in page and "Several players choose at the same time" in page for page in before[:3])
    assert "Still to choose: A, B, C" in before[3] and 'value="n=0"' not in before[3]
    answer(store, table, 2, 1)
    page = show(store, table, 2)
    assert "Still to choose: A, B" in page and 'id="undo"' in page and "C" in page
    players = r'<ul class="players".*?</ul>'                        # it marks those who still have to choose
    for seat in (0, 1):
        now = show(store, table, seat)
        assert now != before[seat] and re.sub(players, "", now, flags=re.DOTALL) == re.sub(players, "", before[seat], flags=re.DOTALL)
    assert read_log(store, table) == []


def test_an_answer_can_be_taken_back_until_all_have_answered(store):
    table = create_table(store, TOY, [HUMAN] * 3)
    answer(store, table, 1, 3)                                     # a bid of 3, and then a doubt
    assert store.read_table(table).early == {1: ("n=3", "less=1")}
    with pytest.raises(StaleSequenceError):
        store.undo(table, 1, 0)
    for left in ({1: ("n=3",)}, {}):
        with store.use(table) as live:
            sequence = view_seat(live, 1).sequence
        store.undo(table, 1, sequence)
        assert store.read_table(table).early == left
    with store.use(table) as live, pytest.raises(UndoError):
        store.undo(table, 1, view_seat(live, 1).sequence)
    for seat in range(3):
        answer(store, table, seat)
    assert [entry["seat"] for entry in read_log(store, table)] == [0, 1, 2]
    with pytest.raises(UndoError), store.use(table) as live:
        store.undo(table, 0, view_seat(live, 0).sequence)


def test_nothing_before_the_loop_is_taken_back_after_somebody_has_answered(store):
    table = create_table(store, TOY, [HUMAN] * 2)
    for seat in range(2):
        answer(store, table, seat, 2)                              # bids of 2: a doubt follows
    assert awaited(store, table) == [0, 1]                         # the cards
    answer(store, table, 0)
    with store.use(table) as live:
        sequence = view_seat(live, 1).sequence
    with pytest.raises(UndoError) as error:
        store.undo(table, 1, sequence)
    assert error.value.key == "undo.why.other" and 'id="undo"' not in show(store, table, 1)


def test_an_old_page_changes_nothing(store):
    table = create_table(store, TOY, [HUMAN] * 3)
    with store.use(table) as live:
        sequence = view_seat(live, 1).sequence
    store.play(table, 1, sequence, "n=2")
    for option in ("n=2", "less=0"):
        with pytest.raises(StaleSequenceError):
            store.play(table, 1, sequence, option)
    answer(store, table, 0)
    store.play(table, 1, sequence + 1, "less=0")                   # the answer of another person has not made it old
    assert store.read_table(table).early == {0: ("n=0",), 1: ("n=2", "less=0")}


def test_answers_that_arrive_at_two_servers_are_all_kept(store, monkeypatch):
    """The second server reads the table before the first one has written."""
    other = MatchStore(Storage(store.storage.engine.url.render_as_string(), is_only_writer=False))
    store.storage.is_only_writer = False
    table = create_table(store, TOY, [HUMAN] * 3)
    old, read, reads = other.read_table(table), other.storage.read_table, []

    def read_late(table_id):
        reads.append(table_id)
        return old if len(reads) == 1 else read(table_id)
    monkeypatch.setattr(other.storage, "read_table", read_late)
    answer(store, table, 0)
    other.play(table, 2, 0, "n=1")
    assert len(reads) > 1 and store.read_table(table).early == {0: ("n=0",), 2: ("n=1",)}
    answer(store, table, 1)
    assert [entry["seat"] for entry in read_log(store, table)] == [0, 1, 2] and store.read_table(table).early == {}
    other.storage.close()


def play_all(browser: Browser) -> None:
    """Answers all questions of a seat in a loop at once."""
    while browser.page.is_asked and not is_over(browser):
        browser.play(browser.page.options[-1])


def is_over(browser: Browser) -> bool:
    """Whether the loop at once has ended."""
    return "at the same time" not in browser.page.text and "Still to choose" not in browser.page.text


@pytest.mark.long
@pytest.mark.parametrize("bots", [(0,), (2,), (3,), (0, 1), (1, 3)])
def test_bots_decide_when_their_turn_comes(server, bots):
    _, links = Browser(server).create("hearts", players="4", **{f"kind{seat}": "bot:random" for seat in bots})
    people = [Browser(server) for _ in links]
    for browser, link in zip(people, links):
        browser.join(link, "Anna")
    for browser in reversed(people):
        assert not is_over(browser.open(browser.page.base) and browser)
        play_all(browser)
        assert not browser.page.is_asked or is_over(browser)
    for browser in people:
        wait_until(browser, lambda browser=browser: is_over(browser))


@pytest.mark.long
def test_a_bot_takes_the_seat_that_everybody_waits_for(server):
    host, players = seat_players(server, 2, "cribbage")
    play_all(players[1])
    set_seat_as_host(server, host, 0, "bot:random")
    assert not is_over(players[1])
    wait_until(players[1], lambda: is_over(players[1]))


@pytest.mark.long
def test_answers_survive_a_kill(start_server):
    first = start_server()
    _, links = Browser(first.url).create("hearts", players="4")
    people = [Browser(first.url) for _ in links]
    for browser, link in zip(people, links):
        browser.join(link, "Anna")
    for browser in people[:0:-1]:
        browser.open(browser.page.base)
        play_all(browser)
    people[0].open(people[0].page.base)
    people[0].play(people[0].page.options[0])
    first.kill()
    second = start_server()
    for browser in people:
        browser.root = second.url
        browser.open(browser.page.base)
    assert [browser.page.is_asked for browser in people] == [True, False, False, False]
    assert "Still to choose: Anna" in people[1].page.text and 'id="undo"' in people[1].page.text
    play_all(people[0])
    pages = [browser.open(browser.page.base) for browser in people]
    assert sum(page.is_asked for page in pages) == 1 and all("at the same time" not in page.text for page in pages)
    said = second.kill()
    assert "Traceback" not in said


def test_answers_of_a_person_are_kept_if_a_bot_takes_the_seat(store):
    table = create_table(store, TOY, [HUMAN] * 3)
    with store.use(table) as live:
        sequence = view_seat(live, 0).sequence
    store.play(table, 0, sequence, "n=3")                          # and not the doubt that follows
    for seat in (2, 1):
        answer(store, table, seat)
    assert read_log(store, table) == [] and awaited(store, table) == [0]
    PeopleStore(store.storage).set_stand_in(table, 0, "bot:random")
    task = store.make_bot_task(table)
    assert task is not None and [entry["option"] for entry in read_log(store, table)] == ["n=3"]
    store.append_bot_decisions(task, decide(task))
    assert store.make_bot_task(table) is not None                  # the others follow, and the bot begins the next loop
    log = read_log(store, table)
    assert [entry["seat"] for entry in log] == [0, 0, 1, 2] and [entry["option"] for entry in log[2:]] == ["n=0", "n=0"]


def test_the_block_is_found_again_after_the_match_is_rebuilt(store):
    table = create_table(store, TOY, [HUMAN] * 3)
    answer(store, table, 2, 2)
    fresh = MatchStore(store.storage)
    fresh.rules = store.rules
    with fresh.use(table) as live:
        assert find_block(live) is not None and list_awaited_seats(live) == [0, 1]
    for seat in (None, 0, 2):
        assert show(fresh, table, seat) == show(store, table, seat)


def test_a_save_from_the_middle_of_a_loop_goes_on(store):
    """At one screen, the first player had answered and the second had begun."""
    whole = create_table(store, TOY, [HUMAN] * 3)
    for seat in range(3):
        answer(store, whole, seat, 2)                              # bids of 2, with a doubt each
    log = read_log(store, whole)
    with store.use(whole) as live:
        table = store.create(live.match.setup, True, [SavedDecision(**entry) for entry in log[:3]]).id
    assert [entry["seat"] for entry in log[:3]] == [0, 0, 1] and awaited(store, table) == [1, 2]
    assert "n=2" not in show(store, table, 2).partition('id="question"')[0] and "B" in show(store, table, 0)
    for seat in (2, 1):
        answer(store, table, seat, 2)
    assert read_log(store, table) == log
