"""Checks parts of the table page that matter on a phone: its order, the end of a game, and the texts of things. No browser is needed."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.match.setup import HUMAN
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.table_view.view_model import GridPanel, StyledText
from ludoglot.engine.web import table_page
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.panel_views import view_line
from ludoglot.engine.web.rendering import STATIC_FOLDER
from ludoglot.engine.web.storage import Storage
from ludoglot.engine.web.table_page import OptionView, view_answer_line
from shared_games import shared

from .browser import Browser
from .conftest import create_table
from .test_tables import two_players


def play_to_the_end(server, browsers, steps=200):
    """Chooses random options until the match is over."""
    rng = random.Random(1)
    for _ in range(steps):
        for browser in browsers:
            if browser.open(browser.page.base).is_asked:
                browser.play(rng.choice(browser.page.options))
            if 'class="standing"' in browser.page.text:
                return
    raise AssertionError("the match is not over")


def test_no_rule_for_targets_hides_the_colour_of_a_card():
    css = (STATIC_FOLDER / "page.css").read_text()
    for selector, rule in re.findall(r"^\s*([^{}@]*\.target[^{}]*)\{([^}]*)\}", css, re.MULTILINE):
        if re.search(r"(?<![-\w])color:", rule):
            assert ":not(.card)" in selector, selector


def test_changed_cards_have_no_frame_because_it_marks_cards_that_can_be_chosen():
    css = (STATIC_FOLDER / "page.css").read_text()
    rules = re.findall(r"^\s*[^{}@]*\.card\.changed[^{}]*\{([^}]*)\}", css, re.MULTILINE)
    assert rules and not any("outline" in rule or "border" in rule for rule in rules)


def test_points_at_the_end_are_a_table_below_the_next_match(server, monkeypatch):
    points = GridPanel("Points", ["", "Anna", "Piero"], [[[StyledText(text)] for text in ("Eggs", "3", "4")]], key="breakdown")
    monkeypatch.setattr(table_page, "build_breakdown", lambda *_: points)
    (anna, piero), _ = two_players(server)
    play_to_the_end(server, (anna, piero))
    question = anna.open(anna.page.base).find(r'<section id="question"(.*?)</section>')
    assert re.search(r"<table.*Anna.*Piero.*Eggs.*3.*4.*</table>", question, re.DOTALL)
    assert "<li></li>" not in question
    assert question.index('id="again"') < question.index('/replay"') < question.index('class="standing"') < question.index("<table")


def test_proposed_match_marks_the_title_until_the_seat_is_taken(server):
    (anna, piero), _ = two_players(server)
    play_to_the_end(server, (anna, piero))
    assert "●" not in piero.open(piero.page.base).find("<title>(.*?)</title>")
    base = anna.open(anna.page.base).base
    anna.send(f"{base}/again")
    assert piero.open(piero.page.base).find("<title>(.*?)</title>").startswith("●")
    assert "●" not in anna.open(base).find("<title>(.*?)</title>")


def test_options_come_before_notices_and_hints(server):
    (anna, _), _ = two_players(server, "hearts", kind2="bot:random", kind3="bot:random", players="4")
    anna.send(f"{anna.page.base}/play", sequence="99", option=anna.page.options[0])
    text = anna.page.find(r'<section id="question"(.*?)</section>')
    assert text.index("</ol>") < text.index("Choose on the table") < text.index("Several players") < text.index("your choice was not used")


@pytest.mark.parametrize("preview, is_long", [("", False), ("you win", False), ("an animal dies; " * 8, True)])
def test_only_long_options_are_unfolded_on_demand(preview, is_long):
    assert OptionView(1, "pass", "Pass", preview).is_long == is_long


def test_hand_is_marked_as_the_first_panel_of_a_phone(server):
    (anna, _), _ = two_players(server, "hearts", kind2="bot:random", kind3="bot:random", players="4")
    assert len(anna.page.find_all(r'class="panel list( own-hand)"')) == 1


def test_own_choices_and_awaited_people_are_shown_while_several_choose(server):
    (anna, piero), _ = two_players(server, "hearts", kind2="bot:random", kind3="bot:random", players="4")
    assert 'class="chosen"' not in anna.page.text
    first = anna.page.find(r'id="choose-1".*?<span>([^<]+)')
    anna.play(anna.page.options[0])
    assert anna.page.is_asked and anna.page.find(r'class="chosen">(.*?)</p>') == f"You have chosen: {first}"
    for _ in range(2):
        anna.play(anna.page.options[0])
    assert anna.page.find(r'<h2 id="asked">(.*?)</h2>') == "Still to choose: Piero"
    assert anna.page.find(r'class="chosen">(.*?)</p>').count("·") == 2
    assert 'class="chosen"' not in piero.open(piero.page.base).text


def test_name_of_a_thing_leads_to_its_text_above_the_panels(server):
    (anna, piero), _ = two_players(server, "evolution")
    for player in (anna, piero, anna):                             # chance chooses who begins
        if player.open(player.page.base).is_asked:
            player.play(player.page.options[0])
    names = r'<a class="(?:thing|info)[^"]*" href="(\?look=[^"#]+)#answer"[^>]*>(?:<span[^>]*>i</span><span[^>]*>)?([^<]+)'
    links = {name: link for link, name in re.findall(names, anna.open(anna.page.base).text)}
    animal = next(name for name in links if name.startswith("animal"))
    page = anna.open(anna.page.base + links[animal])
    assert animal in page.find(r'id="answer"[^>]*><p[^>]*>(.*?)</p>').lower()
    assert page.text.index('id="answer"') < page.text.index('class="panel grid')


def test_look_field_shows_a_readable_name(server):
    (anna, _), _ = two_players(server)
    link = anna.page.find(r'href="([^"]+)#answer">Anna')
    assert anna.open(anna.page.base + link).find(r'name="look" id="look" value="([^"]*)"') == "Anna"


def test_code_of_a_clause_follows_its_sentence():
    line = view_answer_line("    [EVO-EXT-02] You have a discard pile.")
    assert (line.text, line.code, line.depth) == ("You have a discard pile.", "EVO-EXT-02", 2)
    assert view_answer_line("[A] to [B]").code == "A" and not view_answer_line("Tile 3 [x]").code


def test_number_of_players_changes_the_form_without_a_button(server):
    page = Browser(server).open("/new/evolution")
    assert "data-change" in page.find(r"<select name=\"players\"([^>]*)>") and "/static/page.js" in page.text
    assert 'name="change"' in page.text                            # without scripts


def test_number_of_equal_things_is_shown_as_a_multiple():
    theme = theme_of(shared("hanabi"))
    line = [StyledText("Swimming", amount=2), StyledText("Fat tissue", amount=1), StyledText("blue 3", face="3", amount=3),
            StyledText("", amount=4)]
    assert [(span.text, span.face) for span in view_line(line, theme)] == [
        ("Swimming\u00a0×2", ""), ("Fat tissue", ""), ("blue 3\u00a0×3", "3\u00a0×3"), ("4", "")]


def test_link_to_a_new_message_needs_scripts(server):
    (anna, piero), _ = two_players(server)
    assert 'class="unread"' not in anna.page.text
    piero.send(f"{piero.page.base}/say", text="Hello")
    assert re.search(r'<p class="unread" hidden><a href="#chat">', anna.open(anna.page.base).text)


def test_setup_names_the_partners_of_a_seat(server):
    browser = Browser(server)
    seats = re.findall(r"<legend>(.*?)</legend>", browser.open("/new/mus").text)
    assert len(seats) == 4 and "in a team with: Player 3" in seats[0] and "in a team with: Player 2" in seats[3]
    assert "in a team" not in browser.open("/new/hearts").text     # everybody for themselves
    assert "in a team" not in browser.open("/new/hanabi").text     # one team


def test_page_for_strangers_does_not_lead_to_a_used_invite(server):
    (anna, _), _ = two_players(server)
    said = Browser(server).open(anna.page.base).text
    assert "Play on another device" in said and "invite" not in said


def test_rulebook_leads_back_to_the_table_of_its_reader(server):
    for browser in two_players(server)[0]:
        base = browser.page.base
        assert f'<a href="{base}">' in browser.open(f"{base}/rules").find(r'<p class="back">(.*?)</p>')


def test_other_players_read_a_sentence_about_a_mine_that_was_reserved_unseen(tmp_path):
    store = MatchStore(Storage(f"sqlite:///{tmp_path}/t.sqlite"))
    table, rng = create_table(store, "splendor", [HUMAN, HUMAN]), random.Random(1)
    with store.use(table) as live:
        while not any("buy_secret" in step.option.spelling for step in live.match.steps):
            options = live.match.position.decision.options
            live.match.play(next((one for one in options if "buy_secret" in one.spelling), rng.choice(options)))
        buyer = live.match.steps[-1].seat
        logs = [" ".join(line.text for line in table_page.log_lines(live, live.narrator("en"), seat, 0)) for seat in (buyer, 1 - buyer)]
    store.storage.close()
    assert ", which was reserved face down." in logs[0] and "buys a mine that was reserved face down." in logs[1]
