"""Checks tables over HTTP, without JavaScript: invitations, decisions, undo, secrets of the save, and limits for strangers."""

from __future__ import annotations

import re
import time
from urllib.parse import urlsplit

import pytest
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.match.save_reader import parse_save
from ludoglot.engine.web import security
from ludoglot.engine.web.qr_code import draw_qr_svg
from ludoglot.engine.web.security import MAX_BODY_BYTES
from ludoglot.engine.web.table_page import OptionView, TablePage

from .browser import Browser
from .conftest import serving

HOSTILE = "<script>alert(1)</script>\"'&"


def two_players(server, game="tic-tac-toe", langs=("en", "it"), **fields):
    """Returns the address of the host, and two browsers at one table, each in its language."""
    host, links = Browser(server).create(game, **fields)
    browsers = [Browser(server, lang) for lang in langs]
    for browser, link, name in zip(browsers, links, ("Anna", "Piero")):
        browser.join(link, name)
    browsers[0].open(browsers[0].page.base)
    return browsers, host


def test_a_game_is_played_to_its_end_in_two_languages(server):
    (anna, piero), _ = two_players(server)
    assert anna.page.is_asked and not piero.page.is_asked
    assert "Tocca ad Anna" in piero.page.text
    for browser, option in zip([anna, piero] * 3, ("cell=a1", "cell=a2", "cell=b1", "cell=b2", "cell=c1")):
        browser.open(browser.page.base)
        assert option in browser.page.options
        browser.play(option)
    piero.open(piero.page.base)
    assert "Anna wins" in anna.page.text and "Vince Anna" in piero.page.text
    assert '<html lang="en">' in anna.page.text and '<html lang="it">' in piero.page.text


def test_the_second_click_changes_nothing(server):
    (anna, piero), _ = two_players(server)
    before = anna.page
    anna.play("cell=a1")
    assert "notice" not in anna.page.url
    anna.send(f"{before.base}/play", sequence=before.sequence, option="cell=a1", form=before.find(r'name="form" value="([^"]+)"'))
    assert anna.page.url.endswith("notice=stale") and anna.page.status == 200 and "your choice was not used" in anna.page.text
    piero.open(piero.page.base)
    assert len(piero.page.options) == 8


@pytest.mark.parametrize("option", ["cell=z9", "", "cell=a1 cell=a2", "x" * 5000])
def test_an_option_that_is_not_offered_changes_nothing(server, option):
    (anna, _), _ = two_players(server)
    assert anna.play(option).url.endswith("notice=stale")
    assert len(anna.page.options) == 9


def test_player_cannot_play_for_another_seat(server):
    (anna, piero), _ = two_players(server)
    token = piero.page.find(r'name="form" value="([^"]+)"')
    assert piero.send(f"{piero.page.base}/play", sequence="0", option="cell=a1", form=token).url.endswith("notice=stale")
    assert piero.send(f"{anna.page.base}/play", sequence="0", option="cell=a1", form=token).status == 403
    assert piero.open(anna.page.base).status == 403
    assert Browser(server).open(anna.page.base).status == 403
    assert len(anna.open(anna.page.base).options) == 9


def test_undo_ends_after_another_player_decides(server):
    (anna, piero), _ = two_players(server)
    anna.play("cell=a1")
    assert 'id="undo"' in anna.page.text
    anna.send(f"{anna.page.base}/undo", sequence=anna.page.sequence)
    assert 'id="undo"' not in anna.page.text                       # nothing is left
    assert "is undone" in anna.page.text and len(anna.page.options) == 9
    anna.play("cell=b2")
    piero.open(piero.page.base)
    piero.play("cell=a1")
    assert 'id="undo"' not in anna.open(anna.page.base).text
    anna.send(f"{anna.page.base}/undo", sequence=anna.page.sequence)
    assert "another player has decided" in anna.page.text and len(anna.page.options) == 7


def test_why_explains_a_missing_option(server):
    (anna, piero), _ = two_players(server)
    anna.play("cell=a1")
    piero.open(piero.page.base)
    assert "a1" in piero.open(f"{piero.page.base}?why=a1").find(r'class="answer"[^>]*>(.*?)</div>')


def test_few_options_without_places_are_below_each_other():
    options = [OptionView(n, str(n), "Play the card as a trait") for n in (1, 2)]
    page = TablePage(engine_localizer("en"), "", 0, 0, 0, [], [], [], [], False, [], options=options)
    assert not page.has_board_options


def test_question_forms_lead_to_the_answer(server):
    (anna, _), _ = two_players(server)
    assert anna.page.find_all(r'<form method="get" action="([^"]+)"') == [f"{anna.page.base}#answer"] * 2


def test_answers_and_the_whole_log_can_be_closed(server):
    (anna, piero), _ = two_players(server, "hex")
    for n in range(43):
        player = (anna, piero)[n % 2]
        player.open(player.page.base)
        player.play(player.page.options[0])
    anna.open(anna.page.base)
    whole = anna.page.find(r'<a href="([^"]+log=all[^"]*)">Show everything')
    assert f'<a href="{anna.page.base}#log">Show the latest lines only' in anna.open(whole).text
    assert f'<a href="{anna.page.base}">Close the answer' in anna.open(f"{anna.page.base}?look=e4").text
    assert "Show the latest" not in anna.page.text and "Close the answer" not in anna.open(anna.page.base).text


def test_what_a_reader_can_open_has_the_same_name_on_each_version_of_the_page(server):
    (anna, piero), _ = two_players(server, "chess")
    before = anna.page.find_all(r'<details [^>]*data-key="([^"]+)"')
    assert len(before) == anna.page.text.count("<details") == len(set(before)) == 2
    anna.play(anna.page.options[0])
    assert piero.open(piero.page.base).find_all(r'<details [^>]*data-key="([^"]+)"') == before


# ---------------------------------------------------------------- cards, and rows of panels


def find_panel(page, title):
    """Returns the HTML of a panel."""
    return page.find(rf'(<section class="panel [^>]*aria-label="{title}">.*?</section>)')


def find_options(page, place):
    """Returns the options that a place or a thing narrows the question to."""
    return [option for places, option in re.findall(r'data-places="([^"]*)">.*?<button name="option" value="([^"]+)"', page.text, re.DOTALL)
            if place in places.split()]


def test_card_in_the_hand_leads_to_its_options(server):
    (anna, piero), _ = two_players(server, "evolution", langs=("en", "en"))
    player = anna if anna.page.is_asked else piero
    player.open(player.page.base)
    cards = re.findall(r'<a class="target" href="#(at-Face\.[a-z_]+)">', find_panel(player.page, "Hand"))
    assert len(cards) >= 4
    for card in cards:
        found = find_options(player.page, card)
        assert found and all(option.endswith(f"face={card.removeprefix('at-Face.')}") for option in found)
        assert f'<span id="{card}"></span>' in player.page.text
    waiting = piero if player is anna else anna
    assert 'class="target"' not in waiting.open(waiting.page.base).text


def test_place_in_a_list_leads_to_its_options(server):
    host, links = Browser(server).create("dominant-species")
    players = [Browser(server) for _ in links]
    for browser, link in zip(players, links):
        browser.join(link)
    asked = next(browser for browser in players if browser.open(browser.page.base).is_asked)
    display = find_panel(asked.page, "Action display")
    places = re.findall(r'<a class="target[^"]*" href="#(at-Space-\d+)">', display)
    assert len(places) == len(asked.page.options) > 30
    assert all(len(find_options(asked.page, place)) == 1 for place in places)


def test_thing_that_all_options_share_does_not_lead_to_them(server):
    (anna, piero), _ = two_players(server, "scopa", langs=("en", "en"))
    player = anna if anna.open(anna.page.base).is_asked else piero
    cards = re.findall(r'<a class="target[^"]*" href="#(at-Card\.[a-z_]+)"', player.open(player.page.base).text)
    assert cards and all(0 < len(find_options(player.page, card)) < len(player.page.options) for card in cards)


# ---------------------------------------------------------------- invitations


def test_an_invite_link_opens_a_seat_once(server):
    host, links = Browser(server).create("tic-tac-toe")
    anna, other = Browser(server), Browser(server)
    assert "Take the seat" in other.open(links[0]).text
    anna.join(links[0], "Anna")
    assert anna.page.status == 200 and anna.page.is_asked
    assert other.open(links[0]).status == 403
    assert anna.open(links[0]).is_asked                            # a later click on the link in a chat
    assert "Somebody has taken this seat" in other.open(host).text and links[0] not in other.page.text


def test_a_person_continues_on_another_device(server):
    (anna, _), _ = two_players(server)
    link = anna.page.find(r'value="(http[^"]+/join/[^"]+)"')
    phone = Browser(server)
    phone.open(link)
    assert phone.send(link).is_asked
    assert anna.open(anna.page.base).is_asked


def test_the_host_frees_a_seat(server):
    (anna, _), host = two_players(server)
    hosting = Browser(server)
    hosting.open(host)
    hosting.send(f"{host}/free", seat="0")
    assert anna.open(anna.page.base).status == 403
    new = hosting.page.find_all(r'href="([^"]+/join/[^"]+)"')
    assert len(new) == 1 and Browser(server).join(new[0], "Béla").is_asked
    assert Browser(server).open(host[:-3] + "xxx").status == 404


def test_spectators_see_a_table_only_if_it_allows_them(server):
    (anna, _), _ = two_players(server)
    watch = anna.page.base[:-1] + "watch"
    assert Browser(server).open(watch).status == 403
    (anna, _), _ = two_players(server, spectators="yes")
    page = Browser(server, "hu").open(anna.page.base[:-1] + "watch")
    assert page.status == 200 and not page.options and '<html lang="hu">' in page.text


# ---------------------------------------------------------------- bots, and saves


@pytest.mark.long
def test_a_bot_answers(server):
    anna = Browser(server)
    _, links = anna.create("tic-tac-toe", kind1="bot:easy")
    anna.join(links[0], "Anna")
    anna.play("cell=b2")
    end = time.monotonic() + 60
    while not anna.open(anna.page.base).is_asked and time.monotonic() < end:
        time.sleep(0.1)
    assert len(anna.page.options) == 7


def test_a_table_needs_a_person(server):
    anna = Browser(server)
    anna.open("/new/tic-tac-toe")
    page = anna.send("/new/tic-tac-toe", kind0="bot:random", kind1="bot:random")
    assert page.status == 400 and "At least one seat" in page.text
    assert anna.send("/new/tic-tac-toe", kind0="bot:os:system").status == 400


def test_setup_form_keeps_values_if_the_number_of_players_changes(server):
    anna = Browser(server)
    anna.open("/new/evolution")
    typed = {"name0": HOSTILE, "lang0": "hu", "kind1": "bot:easy", "option.end": "at_once", "spectators": "yes"}
    page = anna.send("/new/evolution", players="3", change="players", **typed)
    assert page.url.endswith("/new/evolution") and page.find_all("name=\"name([0-9])\"") == ["0", "1", "2"]
    assert page.find(r'name="name0" value="([^"]*)"') == HOSTILE and "<script>alert" not in page.text
    assert page.find_all(r'<option value="([^"]*)"[^>]* selected>')[:2] == ["hu", "bot:easy"]
    assert page.find(r'name="option.end">.*?<option value="([^"]*)" selected>') == "at_once"
    assert page.find(r'(<input [^>]*name="spectators"[^>]*>)').endswith(" checked>")


def test_the_save_of_an_open_game_can_be_downloaded(server, tmp_path):
    (anna, _), _ = two_players(server)
    anna.play("cell=b2")
    saved = anna.open(f"{anna.page.base}/save")
    record = parse_save(tmp_path, saved.raw)
    assert [line.option for line in record.lines] == ["cell=b2"] and record.setup.names == ["Anna", "Piero"]


def test_save_of_a_game_with_hidden_information_is_forbidden(server):
    (anna, _), _ = two_players(server, "cribbage")
    page = anna.open(f"{anna.page.base}/save")
    assert page.status == 403 and b'"seed"' not in page.raw
    assert f"{anna.open(page.url.removesuffix('/save')).base}/save" not in anna.page.text


# ---------------------------------------------------------------- strangers


def test_names_are_text_only(server):
    _, links = Browser(server).create("tic-tac-toe")
    anna = Browser(server)
    page = anna.join(links[0], HOSTILE)
    assert "<script>alert" not in page.text and "&lt;script&gt;alert(1)" in page.text
    assert "<script>alert" not in Browser(server).open(links[1]).text


def test_form_from_another_site_is_rejected(server):
    (anna, _), _ = two_players(server)
    base = anna.page.base
    for form in ("", "x", Browser(server).open("/new/hex").find(r'name="form" value="([^"]+)"')):
        assert anna.send(f"{base}/play", sequence="0", option="cell=a1", form=form).status == 403
    assert len(anna.open(base).options) == 9


@pytest.mark.parametrize("path", ["/", "/new/hex", "/table/none/1", "/static/page.css"])
def test_headers_forbid_foreign_scripts(server, path):
    headers = Browser(server).open(path).headers
    policy = headers["content-security-policy"]
    assert all(rule in policy for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")) and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_cookies_are_hidden_from_scripts_and_other_sites(server):
    (anna, _), _ = two_players(server)
    for cookie in anna.jar:
        assert cookie.has_nonstandard_attr("HttpOnly") and cookie.get_nonstandard_attr("SameSite") == "lax"
    assert {cookie.name: cookie.path for cookie in anna.jar}["seat"] == anna.page.base


def test_pages_have_no_inline_scripts_or_styles(server):
    (anna, _), _ = two_players(server, "hex")
    for path in ("/", "/new/hex", anna.page.base):
        text = anna.open(path).text
        assert "<style" not in text and " style=" not in text and "onclick" not in text and text.count("<script") <= 1


def test_large_request_body_is_rejected(server):
    anna = Browser(server, "hu")
    anna.open("/new/hex")
    page = anna.send("/new/hex", name0="x" * MAX_BODY_BYTES)
    assert page.status == 413 and "64 KB-ot" in page.text


def test_request_rate_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(security, "REQUEST_BURST", 20.0)
    monkeypatch.setattr(security, "REQUESTS_PER_SECOND", 0.01)
    with serving(tmp_path) as (url, _):
        found = [Browser(url).open("/static/icon.svg").status for _ in range(22)]
    assert found[:20] == [200] * 20 and found[-1] == 429


@pytest.mark.parametrize("path", ["/table/x/1/join/y", "/table/x/host/y", "/table/x/1/events", "/nothing", "/new/nothing", "/new/..%2fhex"])
def test_unknown_path_shows_an_error_page(server, path):
    page = Browser(server, "es").open(path)
    assert page.status == 404 and "<h1>No ha funcionado</h1>" in page.text


def test_password_protects_the_lobby_but_not_invitations(tmp_path):
    with serving(tmp_path, password="sesame") as (url, _):
        host = Browser(url)
        assert "/password" in host.open("/").url and "/password" in host.open("/new/hex").url
        assert host.send("/new/tic-tac-toe").status == 403
        host.open("/password")
        assert host.send("/password", password="simsala").status == 403
        assert "/password" not in host.send("/password", password="sesame").url
        _, links = host.create("tic-tac-toe")
        assert Browser(url).join(links[0], "Anna").is_asked


# ---------------------------------------------------------------- events


def test_an_event_is_sent_after_each_change(server):
    (anna, piero), _ = two_players(server)
    revision = piero.page.find(r'data-revision="(\d+)"')
    from urllib.request import Request
    with piero.opener.open(Request(f"{server}{piero.page.base}/events?revision={revision}"), timeout=30) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        anna.play("cell=a1")
        lines = [stream.readline().decode().strip() for _ in range(5)]
    assert lines[2:] == [f"id: {int(revision) + 1}", "event: changed", f"data: {int(revision) + 1}"]


def test_reconnected_browser_gets_the_latest_revision(server):
    (anna, piero), _ = two_players(server)
    anna.play("cell=a1")
    from urllib.request import Request
    with piero.opener.open(Request(f"{server}{piero.page.base}/events", headers={"last-event-id": "0"}), timeout=30) as stream:
        assert any(stream.readline().startswith(b"event: changed") for _ in range(5))


# ---------------------------------------------------------------- what is new


def test_the_page_marks_changes_since_the_last_choice(server):
    (anna, piero), _ = two_players(server, "chess", spectators="yes")
    anna.play(anna.page.options[0])
    piero.open(piero.page.base)
    assert piero.page.text.count('class="sqc"') == 2 and "Dalla tua ultima scelta" not in piero.page.text
    piero.play(piero.page.options[0])
    anna.open(anna.page.base)
    assert len(re.findall("<p", anna.page.find(r'<section class="panel news".*?</section>'.replace(".*?", "(.*?)")))) == 1
    assert anna.page.text.count('class="sqc"') == 2
    anna.play(anna.page.options[0])
    assert "Since your last choice" not in anna.page.text          # nothing has happened since
    watching = Browser(server).open(anna.page.base[:-1] + "watch")
    assert "Since your last choice" not in watching.text and watching.text.count('class="sqc"') == 2


def test_changed_hex_is_outlined(server):
    (anna, piero), _ = two_players(server, "hex")
    anna.play("cell=e5")
    assert piero.open(piero.page.base).text.count("changed") == 1


def test_link_opens_a_description(server):
    (anna, piero), _ = two_players(server, "evolution")
    player = anna.page.find(r'<a href="(\?look=Player[^"#]+)#answer">Piero')
    assert "Piero" in anna.open(anna.page.base + player).find(r'class="answer"[^>]*>(.*?)</div>')
    card = piero.open(piero.page.base + "?look=Trait.carnivorous").find(r'class="answer"[^>]*>(.*?)</div>')
    assert "Carnivoro" in card and "Fabbisogno di cibo" in card
    assert "&lt;b&gt;" in anna.open(anna.page.base + "?look=%3Cb%3E").text and anna.page.status == 200
    assert anna.open(anna.page.base + "?look=" + "x" * 4000).status == 200


# ---------------------------------------------------------------- the pages before a game


def test_many_options_are_folded_until_one_is_changed(server):
    anna = Browser(server)
    assert '<details class="more">' in anna.open("/new/evolution").text and "all have their defaults" in anna.page.text
    assert anna.page.find(r'name="option.end">.*?<option value="last_round" selected>([^<]+)<').endswith(" (default)")
    assert '<details class="more" open>' in anna.send("/new/evolution", players="3", change="players", **{"option.end": "at_once"}).text
    assert "<details" not in anna.open("/new/hex").text and "option.hexagons_a_side" in anna.page.text


def test_host_page_has_a_qr_code_and_a_copy_button_for_each_link(server):
    anna = Browser(server)
    host, links = anna.create("tic-tac-toe", spectators="yes")
    text = anna.open(host).text
    codes = re.findall(r'<div class="qr" role="img"[^>]*>(<svg .*?</svg>)</div>', text)
    assert len(codes) == len(set(codes)) == 3 and codes[0] == draw_qr_svg(links[0])
    assert " style=" not in text and text.count("data-copy ") == text.count("data-script hidden") == 3
    _, links = anna.create("tic-tac-toe", kind1="bot:easy")
    assert anna.page.text.count('class="qr"') == 1


def test_host_page_warns_if_links_work_only_on_this_computer(server, tmp_path):
    anna = Browser(server)
    host, _ = anna.create("tic-tac-toe")
    assert "work only on this computer" in anna.open(host).text and "ludoglot serve --host 0.0.0.0" in anna.page.text
    with serving(tmp_path, base_url="http://192.168.7.7:8420") as (url, _):
        bence = Browser(url)
        host, links = bence.create("tic-tac-toe")
        assert links[0].startswith("http://192.168.7.7:8420/") and "only on this computer" not in bence.open(url + urlsplit(host).path).text


def test_alerts_are_off_and_need_scripts(server):
    (anna, _), _ = two_players(server)
    assert '<div class="alerts" data-script hidden>' in anna.page.text and 'id="notify" aria-pressed="false"' in anna.page.text
    assert " checked" not in anna.page.text


def test_page_says_why_a_decision_cannot_be_undone(server):
    """Evolution: the others learn that a card is played as an animal, which only its owner could choose from a hidden hand."""
    players, _ = two_players(server, "evolution", langs=("en", "en"))
    first = next(one for one in players if one.open(one.page.base).is_asked)
    first.play(next(option for option in first.page.options if option.startswith("animal")))
    assert 'id="undo"' not in first.page.text
    assert "You can no longer undo this: something hidden has been revealed since then." in first.page.text
    other = next(one for one in players if one is not first)
    assert "undo-reason" not in other.open(other.page.base).text
