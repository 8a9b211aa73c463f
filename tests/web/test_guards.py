"""Checks the guards of the server: connections, origins, cookies, files, uploads, names, and texts of packs."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import threading
import time
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.web import lobby, match_store, security
from ludoglot.engine.web.connections import TimedProtocol, log_exhaustion_once, make_protocol
from ludoglot.engine.web.match_store import MatchStore, SlowSaveError
from ludoglot.engine.web.rendering import render_template, template_environment
from ludoglot.engine.web.seat_names import number_names
from ludoglot.engine.web.security import RateLimit, is_foreign, request_cost
from ludoglot.engine.web.server import find_open_folder, open_database
from ludoglot.engine.web.storage import Storage
from starlette.datastructures import Headers

from .browser import Browser
from .conftest import serving
from .test_attacks import get_code, open_stream
from .test_packs import upload
from .test_tables import two_players

pytestmark = pytest.mark.usefixtures("shared_rules")


# ---------------------------------------------------------------- connections


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables")) as (url, _):
        yield url


def count_open(server: str, wanted: int) -> int:
    """Returns how many of some new connections the server keeps open."""
    parts, links = urlsplit(server), []
    for _ in range(wanted):
        links.append(socket.create_connection((parts.hostname, parts.port), timeout=5))
    time.sleep(0.3)
    open_ones = 0
    for link in links:
        link.setblocking(False)
        try:
            open_ones += bool(link.recv(1))
        except BlockingIOError:
            open_ones += 1
        except ConnectionError:
            pass
    for link in links:
        link.close()
    time.sleep(0.1)
    return open_ones


def test_connections_are_limited_in_all_and_per_address(server, monkeypatch):
    monkeypatch.setattr(TimedProtocol, "max_connections", 12)
    parts = urlsplit(server)
    idle = [socket.create_connection((parts.hostname, parts.port), timeout=5) for _ in range(30)]
    time.sleep(0.3)
    assert Browser(server).open("/").status == 200                 # connections without a request give way
    for link in idle:
        link.close()
    time.sleep(0.1)
    assert count_open(server, 20) <= 12
    monkeypatch.setattr(TimedProtocol, "max_connections", 100)
    monkeypatch.setattr(TimedProtocol, "max_per_address", 5)
    assert count_open(server, 20) == 20                            # the address of a web server in front of this one


@pytest.mark.parametrize("proxies, kept", [("192.0.2.1", 5), ("192.0.2.1, 127.0.0.0/8", 20), ("*", 20)])
def test_one_address_has_a_limit_unless_it_forwards_requests(tmp_path, monkeypatch, proxies, kept):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    monkeypatch.setattr(TimedProtocol, "max_per_address", 5)
    with serving(tmp_path) as (server, _):
        assert count_open(server, 20) == kept


def test_connections_leave_files_for_the_rest_of_the_server(monkeypatch):
    resource = pytest.importorskip("resource")
    for files, most in ((256, 128), (1024, 624), (10**6, 8000), (resource.RLIM_INFINITY, 8000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert make_protocol(100).max_connections == most


def test_exhaustion_is_logged_once(caplog):
    loop = asyncio.new_event_loop()
    log_exhaustion_once(loop)
    with caplog.at_level(logging.ERROR):
        for _ in range(5):
            loop.call_exception_handler({"message": "socket.accept() out of system resource", "exception": OSError(24, "full")})
    loop.close()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["the server has no more files for connections"]


def test_templates_are_loaded_at_the_start(tmp_path):
    template_environment.cache_clear()
    with serving(tmp_path):
        assert len(template_environment().cache) == len(template_environment().list_templates())


# ---------------------------------------------------------------- requests


@pytest.mark.parametrize("headers, base_url, foreign", [
    ({}, "", False), ({"origin": "null"}, "", False), ({"origin": "http://a.example:8420"}, "", False),
    ({"origin": "https://evil.example"}, "", True), ({"origin": "https://evil.example"}, "https://games.example", True),
    ({"origin": "http://a.example:9"}, "", True), ({"origin": "https://games.example"}, "https://games.example", False),
    ({"sec-fetch-site": "cross-site"}, "", True), ({"sec-fetch-site": "same-origin", "origin": "null"}, "", False),
    ({"host": "games.example", "origin": "https://games.example:8443"}, "", False)])
def test_requests_of_other_sites_are_foreign(headers, base_url, foreign):
    assert is_foreign(Headers({"host": "a.example:8420", **headers}), base_url) is foreign


def test_a_foreign_page_cannot_send_a_form_even_with_its_token(server):
    (anna, _), _ = two_players(server)
    page = anna.page
    data = urlencode({"form": page.find(r'name="form" value="([^"]+)"'), "sequence": page.sequence, "option": "cell=a1"}).encode()
    for headers in ({"origin": "http://evil.example"}, {"sec_fetch_site": "cross-site"}):
        assert anna.fetch(f"{page.base}/play", data, **headers).status == 403
    assert len(anna.open(page.base).options) == 9
    assert anna.fetch(f"{page.base}/play", data, origin=server, sec_fetch_site="same-origin").status == 200
    assert not anna.open(page.base).is_asked


def test_a_request_with_two_lengths_is_rejected(server):
    body = b"5\r\nform=\r\n0\r\n\r\n"
    headers = ("content-type: application/x-www-form-urlencoded", "transfer-encoding: chunked", f"content-length: {len(body)}")
    assert get_code(server, "/new/hex", *headers, body=body, method="POST") == 400


def test_cookies_for_all_pages_belong_to_one_host_with_https(tmp_path):
    with serving(tmp_path, base_url="https://games.example.org") as (server, _):
        assert "__Host-visitor=" in Browser(server).open("/").headers["set-cookie"]
        planted = Browser(server).open("/", cookie="visitor=planted")
        assert "__Host-visitor=" in planted.headers["set-cookie"] and security.form_token("", "planted") not in planted.text


class CookieKeeper(HTTPCookieProcessor):
    """Keeps cookies as a browser behind a web server with TLS: it sends those that require TLS."""

    def http_response(self, request, response):
        cookies = [line.partition(";")[0] for line in response.headers.get_all("set-cookie") or ()]
        self.sent.update(one.partition("=")[::2] for one in cookies)
        return response

    def http_request(self, request):
        request.add_unredirected_header("cookie", "; ".join(f"{name}={value}" for name, value in self.sent.items() if value.strip('"')))
        return request


def test_seats_of_one_browser_belong_to_one_host_with_https(tmp_path, monkeypatch):
    monkeypatch.setattr(security, "MAX_SEAT_COOKIES", 2)
    with serving(tmp_path, base_url="https://games.example.org") as (server, _):
        anna, seats = Browser(server), []
        keeper = CookieKeeper()
        keeper.sent = {}
        anna.opener = build_opener(keeper)
        for _ in range(3):
            links = anna.create("tic-tac-toe")[1]
            seats.append(anna.join(urlsplit(links[0]).path, "Anna").base)
        names = [f"__Host-seat{base.removeprefix('/table').replace('/', '-')}" for base in seats]
        assert set(names) < set(keeper.sent) and "seat" not in keeper.sent
        assert [anna.open(base).status for base in seats] == [403, 200, 200]
        token = keeper.sent[names[1]]
        assert [Browser(server).open(seats[1], cookie=f"{name}={token}").status for name in (names[1], names[2], "seat")] == [200, 403, 403]


def test_questions_count_for_several_requests():
    limit = RateLimit(0.0, 10.0)
    assert [request_cost(query) for query in (b"", b"log=all", b"why=d4", b"x=1&look=a", b"y=why=")] == [1, 1, 5, 5, 1]
    assert [limit.allows("a", 5) for _ in range(3)] == [True, True, False]


def test_an_aborted_request_leaves_no_traceback(server, caplog):
    parts = urlsplit(server)
    for _ in range(3):
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as link:
            link.sendall(f"POST /new/hex HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-type: application/x-www-form-urlencoded\r\n"
                         "content-length: 600\r\n\r\nab".encode())
            time.sleep(0.1)
    time.sleep(0.3)
    assert not [record for record in caplog.records if record.exc_info]


def test_the_list_of_games_is_built_once_for_each_language(server, monkeypatch):
    first = Browser(server, "it").open("/").text
    monkeypatch.setattr(lobby, "view_game", None)
    assert Browser(server, "it").open("/").text.count("<li>") == first.count("<li>") > 20


def test_a_new_link_ends_the_updates_of_the_old_one(server):
    (anna, piero), host = two_players(server)
    link, _ = open_stream(server, piero)
    other, _ = open_stream(server, anna)
    hosting = Browser(server)
    hosting.open(host)
    hosting.send(f"{host}/free", seat="1")
    link.settimeout(10)
    while link.recv(4000):                                         # until the server ends it
        pass
    other.settimeout(0.3)
    with pytest.raises(TimeoutError):
        while other.recv(4000):
            pass
    other.close()


# ---------------------------------------------------------------- saves


def test_a_save_that_takes_long_is_refused_with_a_way_out(tmp_path, monkeypatch):
    store = MatchStore(Storage(f"sqlite:///{tmp_path}/t.sqlite"))
    setup = MatchSetup("tic-tac-toe", 2, 5, names=["A", "B"], seats=[HUMAN] * 2, langs=["", ""])
    table = store.create(setup, True)
    store.play(table.id, 0, 0, "cell=a1")
    with store.use(table.id) as live:
        decisions = [match_store.SavedDecision(**entry) for entry in live.decisions]
        setup = live.match.setup
    assert store.create(setup, True, decisions).revision == 0
    monkeypatch.setattr(match_store, "MAX_REPLAY_SECONDS", 0.0)
    with pytest.raises(SlowSaveError):
        store.create(setup, True, decisions)
    assert "ludoglot play --resume" in engine_localizer("en").text("web.upload.slow")
    store.storage.close()


def test_a_long_save_does_not_stop_other_tables_of_the_game(tmp_path, monkeypatch):
    store = MatchStore(Storage(f"sqlite:///{tmp_path}/t.sqlite"))
    setup = MatchSetup("tic-tac-toe", 2, 5, names=["A", "B"], seats=[HUMAN] * 2, langs=["", ""])
    table, replayed = store.create(setup, True), threading.Event()

    def retake_slowly(*_: object) -> list[object]:
        replayed.set()
        time.sleep(0.15)
        return []
    monkeypatch.setattr(MatchTable, "retake", retake_slowly)
    loading = threading.Thread(target=store.create, args=[setup, True, [None] * 20])
    loading.start()
    assert replayed.wait(10)
    with store.use(table.id):
        assert loading.is_alive()
    loading.join(10)
    store.storage.close()


def test_one_address_loads_one_save_at_a_time(tmp_path):
    with serving(tmp_path) as (server, site):
        site.uploading.add("127.0.0.1")
        page = upload(Browser(server), b"x")
        assert page.status == 429 and "Another save from your address" in page.text
        site.uploading.clear()
        assert upload(Browser(server), b"x").status == 400
        assert not site.uploading


# ---------------------------------------------------------------- names, texts, files


def test_two_people_at_a_table_have_different_names(server):
    _, links = Browser(server).create("tic-tac-toe")
    anna, other = Browser(server), Browser(server)
    anna.join(links[0], "Anna")
    assert re.search(r'<li class=" own">.*?Anna 2</a>', other.join(links[1], "anna").text, re.DOTALL)
    assert number_names(["Anna", "", "anna", "ANNA", "Anna 2", ""]) == ["Anna", "", "anna 2", "ANNA 3", "Anna 2 2", ""]


def test_pages_contain_no_control_characters(monkeypatch):
    page = render_template("message.html", engine_localizer("en"), message="a\x1b[2J\u202eb\u2066 👨\u200d👩 \x00")
    assert "a&lt;U+001B&gt;[2J&lt;U+202E&gt;b&lt;U+2066&gt; 👨\u200d👩 &lt;U+0000&gt;" in page


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such rights")
def test_only_the_operator_can_open_the_database(tmp_path, monkeypatch):
    url, lock = open_database(str(tmp_path / "new/t.sqlite"))
    storage = Storage(url)
    storage.create_table(MatchSetup("tic-tac-toe", 2, 5, names=["", ""], seats=[HUMAN] * 2, langs=["", ""]), True)
    rights = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()}
    assert rights.pop("t.sqlite-wal") == 0o600 and set(rights.values()) == {0o600} and (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    storage.close()
    lock.close()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert find_open_folder("") == ""
    (tmp_path / "data/ludoglot").mkdir(parents=True, mode=0o755)
    assert find_open_folder("") == str(tmp_path / "data/ludoglot") and find_open_folder("x.sqlite") == ""
    (tmp_path / "data/ludoglot").chmod(0o700)
    assert find_open_folder("") == ""
