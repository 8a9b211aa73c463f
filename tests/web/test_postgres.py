"""Checks two servers on one PostgreSQL database.

Nothing is applied twice, and a game ends as with one server on SQLite, even if one server is killed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from itertools import count
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request

import pytest
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web import storage as storage_module
from ludoglot.engine.web.early_answers import view_seat
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.storage import Storage
from sqlalchemy import update

from .browser import Browser
from .postgres import find_programs, running_postgres

pytestmark = [pytest.mark.long, pytest.mark.extra("postgres"),
              pytest.mark.skipif(find_programs() is None, reason="needs PostgreSQL: initdb is not installed")]
GAME, SEED = "brisca", 7
KILL_AFTER = 12                             # decisions of people


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with running_postgres() as url:
        yield url


def use_driver(url: str) -> str:
    """Returns the URL as the server completes it."""
    return url.replace("postgresql:", "postgresql+psycopg:")


def create_table(database: str, seats: list[str], game: str = GAME) -> tuple[str, list[str]]:
    """Creates a table with a known seed. Returns its id, and the paths of its invite links."""
    storage = Storage(database)
    setup = MatchSetup(game, len(seats), SEED, names=[""] * len(seats), seats=seats, langs=[""] * len(seats))
    with storage.engine.begin() as db:
        db.execute(update(storage_module.SERVER).where(storage_module.SERVER.c.name == "secret").values(value="secret"))
    record = MatchStore(storage).create(setup, False)
    storage.close()
    return record.id, [f"/table/{record.id}/{seat.seat + 1}/join/{seat.token}" for seat in record.seats if seat.is_human]


def read_decisions(database: str, table: str) -> list[dict[str, Any]]:
    storage = Storage(database)
    found = storage.read_log(table)
    storage.close()
    return found


def take_seats(url: str, links: list[str]) -> list[Browser]:
    players = []
    for link in links:
        players.append(Browser(url))
        players[-1].join(link, "Anna")
    return players


def play_to_end(players: list[Browser], servers: list[Any], kill_after: int = 0) -> None:
    """Plays with random choices. Every choice goes to all servers at once. The first server is killed in the middle."""
    rng, decided, turn, end = random.Random(SEED), 0, 0, time.monotonic() + 120
    while time.monotonic() < end:
        for player in players:
            turn += 1
            player.root, player.address = servers[-1].url, f"10.0.{turn // 250 % 250}.{turn % 250}"    # against its limit
            page = player.open(player.page.base)
            if 'class="standing"' in page.text:
                return
            if page.is_asked:
                option, form = rng.choice(page.options), page.find(r'name="form" value="([^"]+)"')
                data = urlencode({"sequence": page.sequence, "option": option, "form": form}).encode()
                threads = [threading.Thread(target=player.fetch, args=[f"{server.url}{page.base}/play", data]) for server in servers]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                decided += 1
                if decided == kill_after:
                    servers.pop(0).kill()
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seats", [[HUMAN, HUMAN], [HUMAN, "bot:random"]], ids=["people", "with a bot"])
def test_game_on_two_servers_equals_game_on_one_server(start_server, postgres, tmp_path, seats, monkeypatch):
    def use_known_tokens() -> None:
        numbers = count()
        monkeypatch.setattr(storage_module.secrets, "token_urlsafe", lambda _: f"{seats[-1]}{next(numbers)}".replace(":", "-"))
    single = f"sqlite:///{tmp_path / 't.sqlite'}"
    use_known_tokens()                                             # bots choose by the secret of the database and the id of the table
    table, links = create_table(single, seats)
    server = start_server()
    play_to_end(take_seats(server.url, links), [server])
    wanted = read_decisions(single, table)

    use_known_tokens()
    shared, links = create_table(use_driver(postgres), seats)
    assert shared == table
    servers = [start_server(database=postgres), start_server(database=postgres)]
    play_to_end(take_seats(servers[0].url, links), servers, KILL_AFTER)
    assert len(servers) == 1
    assert read_decisions(use_driver(postgres), shared) == wanted and wanted[-1]["over"]


def test_a_change_on_one_server_shows_on_the_other(start_server, postgres):
    _, links = create_table(use_driver(postgres), [HUMAN, HUMAN], "tic-tac-toe")
    servers = [start_server(database=postgres), start_server(database=postgres)]
    anna, piero = take_seats(servers[0].url, links)
    revision = piero.page.find(r'data-revision="(\d+)"')
    address = f"{servers[1].url}{piero.page.base}/events?revision={revision}"
    with piero.opener.open(Request(address), timeout=10) as stream:        # shorter than the time between two heartbeats
        assert stream.readline() == b"retry: 2000\n" and stream.readline() == b"\n"
        anna.open(anna.page.base)
        anna.play("cell=a1")
        assert stream.readline() == f"id: {int(revision) + 1}\n".encode()


def test_streams_survive_a_database_restart(start_server):
    """Streams continue after PostgreSQL was restarted. (The bots of a table, and its pages, reconnect by themselves.)"""
    with running_postgres() as url:
        _, links = create_table(use_driver(url), [HUMAN, "bot:random"], "tic-tac-toe")
        server = start_server(database=url)
        (anna,) = take_seats(server.url, links)
        anna.play(anna.page.options[0])
        storage = Storage(use_driver(url))
        with storage.engine.connect() as db:
            from sqlalchemy import text
            db.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"))
        storage.close()
        end = time.monotonic() + 30
        while not (page := anna.open(anna.page.base)).is_asked and time.monotonic() < end:
            time.sleep(0.2)
        assert page.status == 200 and len(page.options) == 7


def test_path_with_nul_is_not_found(start_server, postgres):
    server = start_server(database=postgres)
    assert Browser(server.url).open("/table/%00/1").status == 404


def test_two_servers_create_the_tables_once(start_server, postgres):
    """Both start at once on an empty database."""
    from sqlalchemy import create_engine, text
    engine = create_engine(use_driver(postgres), isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.execute(text("CREATE DATABASE fresh"))
    engine.dispose()
    url, found = use_driver(postgres).replace("/postgres?", "/fresh?"), []

    def open_storage() -> None:
        storage = Storage(url)
        found.append(storage.secret)
        storage.close()
    threads = [threading.Thread(target=open_storage) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len(set(found)) == 1


@pytest.mark.parametrize(("database", "message"), [
    ("postgresql://anna:sesame@127.0.0.1:1/games", "Cannot use the database postgresql+psycopg://anna:***@127.0.0.1:1/games"),
    ("mysql://127.0.0.1/games", "Tables are stored in SQLite or PostgreSQL, not in “mysql”"),
])
def test_unusable_database_is_reported(start_server, database, message):
    with pytest.raises(AssertionError) as error:
        start_server(database=database)
    assert message in str(error.value) and "sesame" not in str(error.value).replace(database, "") and "Traceback" not in str(error.value)


def test_people_answer_at_once_at_two_servers(postgres):
    """Four people pass cards at the same time, two at each server. The log is that of answers in the order of the seats."""
    url, logs, failed = use_driver(postgres), [], []
    for at_once in (False, True):
        table, _ = create_table(url, [HUMAN] * 4, "hearts")
        stores = [MatchStore(Storage(url)) for _ in range(2)]

        def pass_cards(seat: int, stores: list[MatchStore] = stores, table: str = table) -> None:
            try:
                for _ in range(3):
                    with stores[seat % 2].use(table) as live:
                        view = view_seat(live, seat)
                        option, sequence = view.match.position.decision.options[0].spelling, view.sequence
                    stores[seat % 2].play(table, seat, sequence, option)
            except Exception as error:
                failed.append(error)
        threads = [threading.Thread(target=pass_cards, args=(seat,)) for seat in reversed(range(4))]
        for thread in threads if at_once else reversed(threads):
            thread.start()
            if not at_once:
                thread.join()
        for thread in threads:
            thread.join()
        logs.append(read_decisions(url, table))
        assert all(store.read_table(table).early == {} for store in stores)
        for store in stores:
            store.storage.close()
    assert failed == [] and logs[0] == logs[1] and len(logs[0]) == 12
