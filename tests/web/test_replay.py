"""Checks the page that shows a match step by step, without JavaScript."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web.live_match import LiveMatch
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.replay_page import build_replay_page
from ludoglot.engine.web.storage import Storage

from .browser import Browser
from .test_tables import two_players


def follow(browser, step):
    """Opens the link to another step, and returns the number of that step."""
    path = browser.page.find(rf'<a href="([^"]+)" data-step="{step}"')
    return int(browser.open(path).find(r'<h2 id="asked">Step (\d+) of'))


def test_links_lead_through_the_match(server):
    (anna, piero), _ = two_players(server, langs=("en", "en"), spectators="yes")
    base = anna.page.base
    anna.play("cell=b2")
    piero.open(piero.page.base)
    piero.play("cell=a1")
    anna.open(f"{base}/replay")
    assert "Step 2 of 2" in anna.page.text and 'data-step="next"' not in anna.page.text
    assert [follow(anna, step) for step in ("previous", "previous", "next", "last", "first")] == [1, 0, 1, 2, 0]
    assert 'data-step="previous"' not in anna.page.text and "Piero" not in anna.page.find(r'<div role="status">(.*?)</div>')
    watching = Browser(server).open(f"{base[:-1]}watch/replay?at=2")
    assert watching.status == 200 and "Piero" in watching.find(r'<div role="status">(.*?)</div>')


@pytest.mark.parametrize("typed, shown", [("99", 1), ("0", 0), ("-1", 1), ("x", 1), ("9" * 5000, 1), ("%D9%A3", 1), ("", 1)])
def test_any_number_leads_to_a_step(server, typed, shown):
    (anna, _), _ = two_players(server, langs=("en", "en"))
    anna.play("cell=b2")
    page = anna.open(f"{anna.page.base}/replay?at={typed}")
    assert page.status == 200 and f"Step {shown} of 1" in page.text


def test_replay_is_for_people_at_the_table_only(server):
    (anna, piero), _ = two_players(server)
    assert piero.open(f"{anna.page.base}/replay").status == 403
    assert Browser(server).open(f"{anna.page.base}/replay").status == 403
    assert Browser(server).open(f"{anna.page.base[:-1]}watch/replay").status == 403


def test_things_on_a_step_lead_to_their_description_at_this_step(server):
    (anna, _), _ = two_players(server, "hearts", langs=("en", "en"), players="4", kind2="bot:random", kind3="bot:random")
    base = anna.page.base
    anna.play(anna.page.options[0])
    anna.open(f"{base}/replay?at=0")
    links = anna.page.find_all(r'<a class="card [^"]*" href="([^"]+)"')
    assert len(links) == 13
    for link in links:
        page = anna.open(f"{base}/replay{link}")
        card = link.partition("look=Card.")[2].partition("#")[0].replace("_", " ")
        assert page.find(r'id="answer"[^>]*><p[^>]*>(.*?)</p>').lower().startswith(card) and "Step 0 of 1" in page.text
    assert page.find(r'<p><a href="([^"]+)">Close the answer') == f"{base}/replay?at=0"


def test_look_on_a_step_describes_the_things_of_that_step(server):
    (anna, _), _ = two_players(server, "chess", langs=("en", "en"))
    base = anna.page.base
    anna.play(next(one for one in anna.page.options if "e4" in one))
    told = [anna.open(f"{base}/replay?at={at}&look=e4").find(r'id="answer"[^>]*>(.*?)</div>') for at in (0, 1)]
    assert "white pawn" not in told[0] and "white pawn" in told[1]


# ---------------------------------------------------------------- secrets


@pytest.fixture
def finished(tmp_path):
    """A match of a card game of two players that is over, and its database."""
    store = MatchStore(Storage(f"sqlite:///{tmp_path}/t.sqlite"))
    table = store.create(MatchSetup("brisca", 2, 3, names=["A", "B"], seats=[HUMAN] * 2, langs=["", ""]), True).id
    rng = random.Random(1)
    with store.use(table) as live:
        while (decision := live.match.position.decision) is not None:
            live.match.play(rng.choice(decision.options))
        yield live
    store.storage.close()


def list_cards(live: LiveMatch, seat: int | None, at: int) -> set[str]:
    """Returns the cards on the panels of a step."""
    page = build_replay_page(live, seat, "en", at)
    return {name.lower() for name in re.findall(r"text='(\w+ of \w+)'", repr(page.panels))}


def test_finished_match_shows_everything_to_everybody(finished):
    views = [list_cards(finished, seat, 5) for seat in (0, 1, None)]
    assert views[0] == views[1] == views[2] != set()
    assert build_replay_page(finished, None, "en", 5).is_open
    finished.match.drop_steps(1)                                   # it is not over any more
    hidden = [list_cards(finished, seat, 5) for seat in (0, 1, None)]
    assert hidden[0] != hidden[1] and hidden[2] < hidden[0] and all(view < views[0] for view in hidden)
    assert not build_replay_page(finished, None, "en", 5).is_open


def test_step_shows_what_the_seat_saw_at_that_time(finished):
    finished.match.drop_steps(len(finished.match.steps) - 6)
    before = [list_cards(finished, seat, 6) for seat in (0, 1, None)]
    rng = random.Random(2)
    for _ in range(4):
        finished.match.play(rng.choice(finished.match.position.decision.options))
    assert [list_cards(finished, seat, 6) for seat in (0, 1, None)] == before


def test_result_is_on_the_last_step_only(finished):
    count = len(finished.match.steps)
    assert build_replay_page(finished, 0, "en", count).standing
    assert not build_replay_page(finished, 0, "en", count - 1).standing
    assert build_replay_page(finished, 0, "en", None).at == 0
