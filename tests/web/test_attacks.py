"""Checks attacks by strangers and by players: forged cookies, races, floods, and connections that read slowly or never."""

from __future__ import annotations

import socket
import threading
import time
from urllib.parse import urlencode, urlsplit

import pytest
from ludoglot.engine.web import connections
from ludoglot.engine.web.security import MAX_BODY_BYTES, client_address
from starlette.requests import Request

from .browser import Browser
from .conftest import serving
from .test_tables import two_players

pytestmark = pytest.mark.long


def get_code(server: str, path: str, *headers: str, body: bytes = b"", method: str = "GET") -> int:
    """Returns the status of a request that may contain any bytes."""
    parts = urlsplit(server)
    head = "\r\n".join([f"{method} {path} HTTP/1.1", f"host: {parts.netloc}", "connection: close", *headers])
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as link:
        link.sendall(head.encode("latin-1") + b"\r\n\r\n" + body)
        return int(link.makefile("rb").readline().split()[1])


@pytest.mark.parametrize("token", ["", "x", "a" * 22, "a" * 10_000, "%00", "\xff", "'; DROP TABLE seats; --"])
def test_forged_cookie_is_rejected(server, token):
    (anna, _), _ = two_players(server)
    assert get_code(server, anna.page.base, f"cookie: seat={token}") in (400, 403, 431)
    assert anna.open(anna.page.base).status == 200


def test_seat_cookie_is_valid_for_one_seat_only(server):
    (anna, piero), _ = two_players(server)
    token = next(cookie.value for cookie in anna.jar if cookie.name == "seat")
    assert get_code(server, anna.page.base, f"cookie: seat={token}") == 200
    assert get_code(server, piero.page.base, f"cookie: seat={token}") == 403


def test_simultaneous_clicks_make_one_decision(server):
    (anna, piero), _ = two_players(server)
    page = anna.page
    form = page.find(r'name="form" value="([^"]+)"')
    found: list[str] = []

    def click(option: str) -> None:
        data = urlencode({"sequence": page.sequence, "option": option, "form": form}).encode()
        found.append(anna.fetch(f"{page.base}/play", data).url)
    threads = [threading.Thread(target=click, args=[option]) for option in (page.options * 3)[:20]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum("notice=stale" not in url for url in found) == 1 and len(found) == 20
    assert len(piero.open(piero.page.base).options) == 8


@pytest.mark.parametrize("sequence", ["-1", "1e3", "99999999999999999999", "٣", "0 ", "0x0", ""])
def test_a_forged_sequence_changes_nothing(server, sequence):
    (anna, _), _ = two_players(server)
    form = anna.page.find(r'name="form" value="([^"]+)"')
    page = anna.send(f"{anna.page.base}/play", sequence=sequence, option="cell=a1", form=form)
    assert page.url.endswith("notice=stale") and len(page.options) == 9


def test_endless_request_body_is_cut_off(server):
    parts = urlsplit(server)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as link:
        link.sendall(f"POST /new/hex HTTP/1.1\r\nhost: {parts.netloc}\r\ntransfer-encoding: chunked\r\n"
                     "content-type: application/x-www-form-urlencoded\r\n\r\n".encode())
        answer = b""
        try:
            for _ in range(200):
                link.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            answer = link.recv(100)
        except OSError:
            pass                                                   # the server has closed the connection
    assert b" 200 " not in answer
    assert Browser(server).open("/").status == 200


@pytest.mark.parametrize("length", ["-1", "99999999999", "x", "1_0"])
def test_invalid_content_length_is_rejected(server, length):
    assert get_code(server, "/new/hex", f"content-length: {length}", method="POST") in (400, 413)


def test_stalled_connections_do_not_delay_players(server):
    (anna, piero), _ = two_players(server)
    parts = urlsplit(server)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in piero.jar if cookie.path in ("/", piero.page.base))
    links = []
    for path in [f"{piero.page.base}/events"] * 20 + [piero.page.base] * 20:
        links.append(socket.create_connection((parts.hostname, parts.port), timeout=30))
        links[-1].sendall(f"GET {path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncookie: {cookies}\r\n\r\n".encode())
    half = socket.create_connection((parts.hostname, parts.port), timeout=30)
    half.sendall(b"GET / HTTP/1.1\r\nhost: ")                      # a request that never ends
    began = time.monotonic()
    anna.play("cell=b2")
    assert piero.open(piero.page.base).is_asked and time.monotonic() - began < 20
    for link in [*links, half]:
        link.close()


def open_stream(server: str, browser: Browser, address: str = "") -> tuple[socket.socket, str]:
    """Opens the event stream of a seat from an address of the proxy, and returns its beginning."""
    parts = urlsplit(server)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.jar if cookie.path in ("/", browser.page.base))
    link = socket.create_connection((parts.hostname, parts.port), timeout=30)
    head = [f"GET {browser.page.base}/events HTTP/1.1", f"host: {parts.netloc}", f"x-forwarded-for: {address}", f"cookie: {cookies}"]
    link.sendall("\r\n".join(head).encode() + b"\r\n\r\n")
    found = ""
    while "retry: " not in found and "</html>" not in found:
        found += link.recv(4000).decode()
    return link, found


def test_one_address_cannot_take_all_event_streams(tmp_path):
    with serving(tmp_path, streams=3) as (server, site):
        (anna, piero), _ = two_players(server)
        found = [open_stream(server, anna, "10.0.0.1") for _ in range(4)]
        assert [head.split()[1] for _, head in found] == ["200", "200", "200", "429"]
        assert "Too many pages with live updates are open at your address" in found[3][1] and "retry-after" in found[3][1]
        other, head = open_stream(server, piero, "10.0.0.2")
        assert " 200 " in head.partition("\r\n")[0]
        found[0][0].close()
        end = time.monotonic() + 30
        while site.broker.addresses["10.0.0.1"] > 2 and time.monotonic() < end:
            anna.play(anna.page.options[0]) if anna.page.is_asked else piero.play(piero.open(piero.page.base).options[0])
            anna.open(anna.page.base)
            time.sleep(0.1)
        again, head = open_stream(server, anna, "10.0.0.1")
        assert " 200 " in head.partition("\r\n")[0]
        for link in (*(link for link, _ in found), other, again):
            link.close()


@pytest.mark.parametrize("host, counted", [
    ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2::7", "2001:db8:1:2::/64"), ("2001:db8:1:2:9::1", "2001:db8:1:2::/64"),
    ("::ffff:192.0.2.7", "::ffff:192.0.2.7"), ("testclient", "testclient")])
def test_the_addresses_of_one_home_count_as_one(host, counted):
    assert client_address(Request({"type": "http", "client": (host, 1), "headers": []})) == counted


def test_a_body_that_is_too_large_gets_an_answer(server):
    """A browser that is still sending would report a lost connection instead."""
    for _ in range(5):
        page = Browser(server).open("/new/hex", b"x" * (MAX_BODY_BYTES * 40))
        assert page.status == 413 and "too large" in page.text


@pytest.mark.parametrize("sent", [
    b"", b"GET / HTTP/1.1\r\nhost: ", b"POST /new/hex HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nab",
    b"GET /static/table.js HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HT"], ids=["nothing", "head", "body", "second"])
def test_a_request_that_never_ends_is_cut_off_and_a_stream_is_not(tmp_path, monkeypatch, sent):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
    with serving(tmp_path) as (server, _):
        (anna, piero), _ = two_players(server)
        stream, _ = open_stream(server, piero)
        with socket.create_connection(stream.getpeername(), timeout=30) as link:
            link.sendall(sent)
            try:
                while link.recv(65536):
                    pass
            except ConnectionError:
                pass
        time.sleep(1.5)
        anna.play("cell=b2")
        found = ""
        while "data: 3" not in found:
            found += (more := stream.recv(4000).decode())
            assert more
        stream.close()
