"""Checks requests that no browser sends: odd encodings, methods, and headers. None delays other people or leaves a traceback."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

import pytest
from ludoglot.engine.match.save_file import format_save
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web.security import request_cost

from .browser import Browser
from .conftest import serving
from .test_attacks import get_code
from .test_packs import upload
from .test_tables import two_players

pytestmark = pytest.mark.usefixtures("shared_rules")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables")) as (url, _):
        yield url


@pytest.mark.parametrize("codec", ["punycode", "unicode_escape", "utf-16"])
def test_an_upload_cannot_choose_the_codec_of_its_fields(server, codec):
    """The time for punycode grows with the square of the size: two megabytes would stop the server for minutes."""
    body = b'--x\r\ncontent-disposition: form-data; name="form"\r\n\r\n\\ud800\r\n--x--\r\n'
    kind = f"multipart/form-data; boundary=x; charset={codec}"
    assert get_code(server, "/upload", f"content-type: {kind}", f"content-length: {len(body)}", body=body, method="POST") == 415


def test_an_upload_that_is_not_a_form_with_a_file_is_rejected(server):
    for kind in ("application/x-www-form-urlencoded", "text/plain"):
        assert Browser(server).fetch("/upload", b"form=x", content_type=kind).status == 415


def test_a_save_may_contain_half_a_character(server):
    """JSON can contain half of a surrogate pair, which no encoding can store."""
    setup = MatchSetup("tic-tac-toe", 2, 1, names=["", ""], seats=[HUMAN, HUMAN], langs=["", ""], lang="\ud800",
                       scoresheet={"tags": {"White": "\ud800"}, "result": "", "decisions": 0})
    anna = Browser(server)
    host = upload(anna, format_save(setup, []))
    assert host.status == 200 and "/host/" in host.url
    anna.join(host.find(r'href="([^"]+/join/[^"]+)"'), "Anna")
    saved = anna.fetch(f"{anna.page.base}/save")
    assert saved.status == 200 and b"ud800" in saved.raw


def test_a_head_request_for_events_does_not_block_its_connection(server):
    """A web server in front of this one sends the next request on the same connection. It may be that of somebody else."""
    (anna, _), _ = two_players(server)
    base, parts = anna.page.base, urlsplit(server)
    token = next(one.value for one in anna.jar if one.name == "seat")
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as link:
        for method, path, status in (("HEAD", f"{base}/events", b"200"), ("GET", "/nowhere", b"404")):
            link.sendall(f"{method} {path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncookie: seat={token}\r\n\r\n".encode())
            assert link.recv(4096).split()[1] == status


@pytest.mark.parametrize("query", [b"w%68y=d4", b"x=1&%6Cook=a", b"why", b"a=b&why=&why=d4"])
def test_no_spelling_of_a_question_is_cheaper(query):
    assert request_cost(query) == 5


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://]", "//[x]"])
def test_an_origin_that_is_no_address_is_foreign(server, caplog, origin):
    assert get_code(server, "/new/hex", f"origin: {origin}", method="POST") == 403
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("path", ["/new/hex", "/nowhere", "/upload"])
def test_a_malformed_chunk_leaves_no_traceback(server, caplog, path):
    parts = urlsplit(server)
    kind = "application/x-www-form-urlencoded" if path != "/upload" else "multipart/form-data; boundary=x"
    head = f"POST {path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    for pause in (0.0, 0.2):
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as link:
            link.sendall(head if pause else head + b"ZZ\r\n")
            time.sleep(pause)
            link.sendall(b"ZZ\r\n")
            assert b" 40" in link.recv(4096)
            time.sleep(0.2)
    assert not [record for record in caplog.records if record.exc_info]
