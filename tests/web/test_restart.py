"""Checks that a killed server resumes its games where they were, and that its log shows no secrets."""

from __future__ import annotations

import logging
import time
from asyncio import CancelledError
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .browser import Browser

pytestmark = pytest.mark.long


def test_game_continues_after_a_kill(start_server):
    first = start_server()
    address, links = Browser(first.url).create("tic-tac-toe")
    players, host = [Browser(first.url), Browser(first.url)], Browser(first.url)
    for player, link in zip(players, links):
        player.join(link, "Anna")
    players[0].open(players[0].page.base)
    players[0].play("cell=a1")
    stale = players[1].open(players[1].page.base)
    players[1].play("cell=b2")
    said = first.kill()
    second = start_server()
    for player in players:
        player.root = second.url
        player.open(player.page.base)
    assert players[0].page.is_asked and len(players[0].page.options) == 7
    players[1].page = stale
    assert players[1].play("cell=c3").url.endswith("notice=stale")
    assert players[0].play("cell=c1").status == 200
    assert len(players[1].open(players[1].page.base).options) == 6
    host.root = second.url
    host.open(urlsplit(address).path)
    assert host.send(f"{urlsplit(address).path}/free", seat="1").find_all(r'href="([^"]+/join/[^"]+)"')
    assert players[1].open(players[1].page.base).status == 403     # the host still decides about seats
    said += second.kill()
    assert "/join/" not in said and "/host/" not in said


def test_ctrl_c_ends_the_server_quietly(start_server):
    server = start_server()
    anna = Browser(server.url)
    _, links = anna.create("tic-tac-toe", kind1="bot:random")
    anna.join(links[0], "Anna")
    with anna.opener.open(f"{server.url}{anna.page.base}/events", timeout=30) as stream:
        assert stream.readline() == b"retry: 2000\n"
        anna.play("cell=a1")
        assert server.interrupt() == (0, "")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_no_process_is_left_after_a_kill(start_server):
    server = start_server()
    anna = Browser(server.url)
    _, links = anna.create("tic-tac-toe", kind0="bot:random")
    anna.join(links[0], "Anna")
    while not anna.open(anna.page.base).is_asked:
        time.sleep(0.1)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    assert children
    server.kill()
    end = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_one_server_at_a_time_uses_a_database(start_server, tmp_path):
    start_server()
    with pytest.raises(AssertionError, match="Another server is using the database"):
        start_server()


def test_a_local_server_answers_to_its_own_names_only(start_server):
    server = start_server()
    assert Browser(server.url).open("/").status == 200
    assert Browser(server.url).open("/", host="evil.example.org").status == 400


@pytest.mark.parametrize("error, is_logged", [(CancelledError(), False), (ValueError("broken"), True), (None, True)])
def test_requests_that_a_stop_cancels_are_not_logged(error, is_logged):
    """Uvicorn cancels requests that take longer than the stop, and would print their traceback."""
    from ludoglot.engine.web.server import is_no_cancellation
    raised = error and (type(error), error, None)
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 1, "Exception in ASGI application", (), raised)
    assert is_no_cancellation(record) is is_logged
