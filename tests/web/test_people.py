"""Checks rematches, and the chat of a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ludoglot.engine.match.save_reader import parse_save
from ludoglot.engine.web.people_page import MAX_MESSAGE_CHARS
from ludoglot.engine.web.table_extras import PROPOSALS
from sqlalchemy import delete

from .browser import Browser, Page
from .conftest import serving
from .test_tables import two_players

pytestmark = pytest.mark.long


def play_match(anna: Browser, piero: Browser) -> None:
    """Plays a match that Anna wins."""
    for browser, option in zip([anna, piero] * 3, ("cell=a1", "cell=a2", "cell=b1", "cell=b2", "cell=c1")):
        browser.open(browser.page.base)
        browser.play(option)


def send_message(browser: Browser, text: str) -> Page:
    browser.open(browser.page.base)
    return browser.send(f"{browser.page.base}/say", text=text)


def read_chat(browser: Browser) -> str:
    """Returns the HTML of the chat."""
    found = re.search(r'<div class="messages"[^>]*>(.*?)</div>', browser.open(browser.page.base).text, re.DOTALL)
    assert found is not None
    return found[1]


# ---------------------------------------------------------------- the next match


def test_rematch_seats_everybody_in_the_same_place(server):
    (anna, piero), host = two_players(server)
    base = anna.page.base
    assert anna.send(f"{base}/again").status == 403                # the match is not over
    anna.open(base)
    play_match(anna, piero)
    assert anna.send(f"{anna.page.base}/again").is_asked and anna.page.base != base
    piero.open(piero.page.base)
    assert "Anna propone un&#39;altra partita" in piero.page.text and "Gioca ancora" not in piero.page.text
    piero.send(f"{piero.page.base}/next")
    assert piero.page.base == anna.page.base[:-1] + "2" and "Tocca ad Anna" in piero.page.text and '<html lang="it">' in piero.page.text
    anna.play("cell=b2")
    assert piero.open(piero.page.base).is_asked
    assert "Go to the next game" in Browser(server).open(host).text
    assert anna.open(base).find(r'<a href="([^"]+)">Go to the next game') == anna.open(base).find(r'<a href="(/table/[^"]+/1)">Go')


def test_rematch_with_another_first_player_moves_everybody_by_one_seat(server):
    (anna, piero), _ = two_players(server)
    play_match(anna, piero)
    assert not anna.send(f"{anna.page.base}/again", begin="other").is_asked and anna.page.base.endswith("/2")
    piero.open(piero.page.base)
    assert piero.send(f"{piero.page.base}/next").is_asked and piero.page.base.endswith("/1")
    assert "Anna" in piero.page.text and "Piero" in anna.page.text and '<html lang="it">' in piero.page.text


def test_match_has_only_one_rematch(server):
    (anna, piero), _ = two_players(server)
    base, other = anna.page.base, piero.page.base
    play_match(anna, piero)
    form = anna.page.find(r'name="form" value="([^"]+)"')
    assert len({anna.send(f"{base}/again", form=form).base for _ in range(3)}) == 1
    piero.open(other)
    assert piero.send(f"{other}/again", form=piero.page.find(r'name="form" value="([^"]+)"')).base == anna.page.base[:-1] + "2"


def test_seat_in_a_rematch_opens_only_for_its_person(server):
    (anna, piero), _ = two_players(server, spectators="yes")
    base, other = anna.page.base, piero.page.base
    play_match(anna, piero)
    assert anna.send(f"{base}/next", form=anna.open(base).find(r'name="form" value="([^"]+)"')).base == base     # nobody has proposed one
    following = anna.send(f"{base}/again").base
    stranger = Browser(server)
    form = stranger.open("/new/hex").find(r'name="form" value="([^"]+)"')
    assert stranger.send(f"{other}/next", form=form).status == 403
    piero.open(other)
    assert piero.send(f"{other}/next", form="x").status == 403
    assert piero.open(following).status == 403
    watching = Browser(server).open(f"{base[:-1]}watch")
    assert "Anna proposes another game" in watching.text and f'<a href="{following[:-1]}watch">' in watching.text


def test_rematch_of_an_earlier_version_has_no_proposer_and_another_first_player(tmp_path):
    with serving(tmp_path) as (url, site):
        (anna, piero), _ = two_players(url)
        play_match(anna, piero)
        anna.send(f"{anna.page.base}/again", begin="other")
        with site.storage.engine.begin() as db:
            db.execute(delete(PROPOSALS))
        piero.open(piero.page.base)
        assert "propone" not in piero.page.text and piero.send(f"{piero.page.base}/next").is_asked


# ---------------------------------------------------------------- chat


def test_chat_is_visible_to_players_and_not_to_spectators(server):
    (anna, piero), _ = two_players(server, spectators="yes")
    send_message(anna, "Hello   there")
    assert "<strong>Anna</strong>: Hello there" in read_chat(piero)
    watch = anna.page.base[:-1] + "watch"
    watching = Browser(server).open(watch)
    assert watching.status == 200 and "Hello there" not in watching.text and "/say" not in watching.text
    stranger = Browser(server)
    stranger.open(watch)
    form = stranger.open("/new/hex").find(r'name="form" value="([^"]+)"')
    assert stranger.send(f"{watch}/say", text="x", form=form).status == 403


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "https://example.org/x", "a\nb\u202ec\x00d", "{{ 7 * 7 }}", "{who}"])
def test_a_message_is_text_only(server, text):
    (anna, piero), _ = two_players(server)
    send_message(anna, text)
    found = read_chat(piero)
    assert "<script" not in found and "<a " not in found and "\u202e" not in found and "\x00" not in found and "49" not in found
    assert anna.page.status == 200 and found.count("<p") == 1


def test_long_message_is_cut_and_empty_message_is_ignored(server):
    (anna, piero), _ = two_players(server)
    send_message(anna, "x" * 5000)
    assert read_chat(piero).count("x") == MAX_MESSAGE_CHARS
    send_message(piero, " \u200b ")
    assert read_chat(anna).count("<p") == 1


def test_message_flood_is_limited(server):
    (anna, piero), _ = two_players(server)
    pages = [send_message(anna, f"message {n}") for n in range(8)]
    assert pages[-1].url.endswith("notice=slow") and "too quickly" in pages[-1].text
    assert read_chat(piero).count("<p") <= 6
    assert "notice" not in send_message(piero, "I am not affected").url


def test_the_host_turns_the_chat_off(server):
    (anna, piero), host = two_players(server)
    send_message(anna, "Hello")
    form = anna.page.find(r'name="form" value="([^"]+)"')
    hosting = Browser(server)
    hosting.open(host)
    hosting.send(f"{host}/chat", chat="off")
    assert "Turn the chat on" in hosting.page.text and "/say" not in anna.open(anna.page.base).text
    anna.send(f"{anna.page.base}/say", text="unheard", form=form)
    hosting.send(f"{host}/chat", chat="on")
    assert "Hello" in read_chat(piero) and "unheard" not in read_chat(piero)


def test_the_chat_is_not_in_the_save(server, tmp_path: Path):
    (anna, piero), _ = two_players(server)
    send_message(anna, "a secret message")
    anna.play("cell=a1")
    raw = anna.open(f"{anna.page.base}/save").raw
    assert b"secret message" not in raw and len(parse_save(tmp_path, raw).lines) == 1


def test_a_message_does_not_make_a_form_stale(server):
    (anna, piero), _ = two_players(server)
    page = anna.page
    send_message(piero, "Hurry up")
    anna.page = page
    assert "notice" not in anna.play("cell=b2").url
