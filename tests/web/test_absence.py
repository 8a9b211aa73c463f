"""Checks bots that replace people who are away."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from ludoglot.engine.web import people_page

from .browser import Browser

pytestmark = pytest.mark.long


def seat_players(server: str, count: int = 2, game: str = "tic-tac-toe") -> tuple[str, list[Browser]]:
    """Returns the address of the host, and a browser in each seat."""
    host, links = Browser(server).create(game, players=str(count))
    browsers = [Browser(server) for _ in links]
    for browser, link, name in zip(browsers, links, ("Anna", "Piero", "Béla")):
        browser.join(link, name)
    return host, [browser for browser in browsers if browser.open(browser.page.base)]


def wait_until(browser: Browser, found: Callable[[], bool]) -> None:
    """Loads the page until a condition holds."""
    end = time.monotonic() + 60
    while not found() and time.monotonic() < end:
        time.sleep(0.1)
        browser.open(browser.page.base)
    assert found(), browser.page.text


def set_seat_as_host(server: str, host: str, seat: int, kind: str) -> None:
    hosting = Browser(server)
    hosting.open(host)
    assert hosting.send(f"{host}/bot", seat=str(seat), kind=kind).status == 200


def test_host_can_replace_players_by_bots(server):
    host, (anna, piero) = seat_players(server)
    anna.play("cell=a1")
    set_seat_as_host(server, host, 1, "bot:random")
    wait_until(anna, lambda: anna.page.is_asked)
    assert "a bot plays for now" in anna.page.text and len(anna.page.options) == 7
    hosting = Browser(server)
    hosting.open(host)
    refused = hosting.send(f"{host}/bot", seat="0", kind="bot:random")     # only bots would play
    assert refused.status == 409 and "At least one person must play themselves" in refused.text
    assert anna.open(anna.page.base).is_asked


def test_player_takes_the_seat_back_from_a_bot(server):
    host, (anna, piero) = seat_players(server)
    set_seat_as_host(server, host, 1, "bot:random")
    piero.open(piero.page.base)
    assert "A bot plays for you" in piero.page.text
    piero.send(f"{piero.page.base}/back")
    assert "A bot plays for you" not in piero.page.text
    anna.play("cell=a1")
    time.sleep(1)
    assert piero.open(piero.page.base).is_asked and len(piero.page.options) == 8


def test_absent_player_cannot_play_while_a_bot_replaces_them(server):
    host, (anna, piero) = seat_players(server)
    before = anna.page
    set_seat_as_host(server, host, 0, "bot:hard")
    anna.page = before
    anna.play("cell=a1")
    log = anna.open(anna.page.base + "?log=all").find_all(r'<p class="depth0">(.*?)</p>')
    wait_until(piero, lambda: piero.page.is_asked)
    assert len(piero.page.options) == 8 and len(log) <= 1


def test_replacement_bot_does_not_extend_undo(server):
    """A player alone against bots may undo everything. A person who is away still counts as a person."""
    host, (anna, _) = seat_players(server)
    anna.play("cell=a1")
    set_seat_as_host(server, host, 1, "bot:random")
    wait_until(anna, lambda: anna.page.is_asked)
    anna.send(f"{anna.page.base}/undo", sequence=anna.page.sequence)
    assert "another player has decided" in anna.page.text


def test_waiting_players_vote_for_a_replacement_bot(server, monkeypatch):
    _, (anna, piero, bela) = seat_players(server, 3, "liars-dice")
    players = [anna, piero, bela]
    (late,) = [player for player in players if player.page.is_asked]
    first, second = [player for player in players if player is not late]
    asks = f"{first.page.base}/bot"
    sequence, form = late.page.sequence, first.open(first.page.base).find(r'name="form" value="([^"]+)"')
    assert "Let a bot play" not in first.page.text
    assert first.send(asks, sequence=sequence, form=form).status == 403        # not yet
    monkeypatch.setattr(people_page, "ABSENT_SECONDS", 0.0)
    first.open(asks.removesuffix("/bot"))
    assert "0 of 2 people agree" in first.page.text
    first.send(asks, sequence=sequence)
    assert "1 of 2 people agree" in first.page.text and "Let a bot play" not in first.page.text
    first.send(asks, sequence=sequence, form=form)                 # a second click is not a second person
    assert late.open(late.page.base).is_asked
    second.open(second.page.base)
    second.send(f"{second.page.base}/bot", sequence=sequence)
    late.open(late.page.base)
    assert not late.page.is_asked and "A bot plays for you" in late.page.text
    wait_until(late, lambda: any(player.open(player.page.base).is_asked for player in (first, second)))


@pytest.mark.parametrize("fields", [{"seat": "9", "kind": "bot:easy"}, {"seat": "0", "kind": "bot:os:system"}, {"seat": "0"}])
def test_invalid_form_changes_nothing(server, fields):
    host, (anna, _) = seat_players(server)
    hosting = Browser(server)
    hosting.open(host)
    assert hosting.send(f"{host}/bot", **fields).status == 400
    assert anna.open(anna.page.base).is_asked
