"""Checks the list of the tables where a browser has a seat."""

from __future__ import annotations

import re

from ludoglot.engine.web.own_tables import MAX_OWN_TABLES
from ludoglot.engine.web.table_extras import AWAITED
from sqlalchemy import delete

from .browser import Browser
from .conftest import serving
from .test_tables import two_players


def read_list(browser, path="/"):
    """Returns the title, the path and the state of each table in the list."""
    text = browser.open(path).text
    return re.findall(r'<h3><a href="([^"]+)">([^<]+)</a></h3>\s*<p class="dim">[^<]*</p>\s*<p>(?:<span[^>]*>● </span>)?([^<]*)</p>', text)


def test_lobby_lists_own_tables_and_whose_turn_it_is(server):
    (anna, piero), _ = two_players(server)
    base = anna.page.base
    assert read_list(anna) == [(base, "Tic-tac-toe", "Your turn")] and "<title>● Your turn – Games" in anna.page.text
    assert [state for _, _, state in read_list(piero)] == ["Tocca ad Anna"]
    anna.open(base)
    anna.play("cell=a1")
    assert [state for _, _, state in read_list(anna)] == ["Piero’s turn"] and "●" not in anna.page.text
    assert read_list(Browser(server)) == []


def test_tables_that_wait_for_the_person_are_first_and_finished_ones_last(server):
    anna, bases = Browser(server), []
    for _ in range(3):
        _, links = anna.create("tic-tac-toe", kind1="human")
        anna.join(links[0], "Anna")
        bases.append(anna.page.base)
        piero = Browser(server)
        piero.join(links[1], "Piero")
        if len(bases) == 3:
            continue
        moves = ("cell=a1", "cell=a2", "cell=b1", "cell=b2", "cell=c1") if len(bases) == 1 else ("cell=a1",)
        for browser, option in zip([anna, piero] * 3, moves):
            browser.open(browser.page.base if browser is piero else bases[-1])
            browser.play(option)
    assert [path for path, _, _ in read_list(anna)] == [bases[2], bases[1], bases[0]]
    assert read_list(anna)[-1][2] == "The game is over."


def test_seat_that_was_freed_or_forged_is_not_listed(server):
    (anna, _), host = two_players(server)
    base = anna.page.base
    assert len(read_list(anna)) == 1
    cookie = next(one for one in anna.jar if one.name == "own")
    assert cookie.has_nonstandard_attr("HttpOnly") and cookie.path == "/"
    stranger = Browser(server)
    for forged in (cookie.value.replace(".1.", ".2."), cookie.value[:-1] + "x", "~~..", "a.b.c~" * 3000, "%00.1.x"):
        assert base not in stranger.open("/", cookie=f"own={forged[:4000]}").text and stranger.page.status == 200
    hosting = Browser(server)
    hosting.open(host)
    hosting.send(f"{host}/free", seat="0")
    assert read_list(anna) == []


def test_list_of_an_earlier_browser_begins_with_the_table_that_it_opens(server):
    (anna, _), _ = two_players(server)
    anna.jar.clear(next(iter(anna.jar)).domain, "/", "own")
    assert read_list(anna) == []
    anna.open(anna.jar and next(one.path for one in anna.jar if one.name == "seat"))
    assert len(read_list(anna)) == 1


def test_table_of_an_earlier_version_is_listed_without_a_turn(tmp_path):
    with serving(tmp_path) as (url, site):
        (anna, piero), _ = two_players(url)
        with site.storage.engine.begin() as db:
            db.execute(delete(AWAITED))
        site.storage.records.clear()
        base = anna.page.base
        assert f'<a href="{base}">' in anna.open("/").text and "turn" not in anna.page.find(r'(<ul class="games own">.*?</ul>)')
        anna.open(base)
        anna.play("cell=a1")
        assert [state for _, _, state in read_list(anna)] == ["Piero’s turn"]


def test_list_keeps_the_latest_tables(server):
    anna = Browser(server)
    for _ in range(MAX_OWN_TABLES + 1):
        _, links = anna.create("tic-tac-toe")
        anna.join(links[0], "Anna")
    found = read_list(anna)
    assert len(found) == MAX_OWN_TABLES and anna.jar and found[0][0].startswith("/table/")
    assert len(next(one.value for one in anna.jar if one.name == "own")) < 1500


def test_invited_people_find_their_tables_without_the_password(tmp_path):
    with serving(tmp_path, password="sesame") as (url, _):
        host = Browser(url)
        host.open("/password")
        host.send("/password", password="sesame")
        _, links = host.create("tic-tac-toe")
        anna = Browser(url)
        base = anna.join(links[0], "Anna").base
        assert [path for path, _, _ in read_list(anna)] == [base] and "/password" in anna.page.url
