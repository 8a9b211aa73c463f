"""Every game of the library is playable on the page, in every language."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser

import pytest
from ludoglot.engine.i18n import LANGUAGES
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.position.seeds import new_secret_seed
from ludoglot.engine.web.early_answers import list_awaited_seats, view_seat
from ludoglot.engine.web.game_list import describe
from ludoglot.engine.web.match_store import MatchStore
from ludoglot.engine.web.people_page import PeopleView
from ludoglot.engine.web.rendering import render_template
from ludoglot.engine.web.storage import Storage
from ludoglot.engine.web.table_page import build_table_page

QUICK = ("scopa",)
VOID_TAGS = ("meta", "link", "input", "br")
MAX_DECISIONS = 25
GAMES = [game if game in QUICK else pytest.param(game, marks=pytest.mark.long) for game in list_game_ids()]


class TagChecker(HTMLParser):
    """Checks that every tag is closed in the right place, and that ids are unique."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.feed(text)
        assert not self.open and len(set(self.ids)) == len(self.ids)

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("game", GAMES)
def test_game_is_playable_on_the_page(game, tmp_path):
    store, rng = MatchStore(Storage(f"sqlite:///{tmp_path}/t.sqlite")), random.Random(game)
    players = describe(game)["players"][0]
    setup = MatchSetup(game, players, new_secret_seed(), names=[""] * players, seats=[HUMAN] * players, langs=[""] * players)
    table = store.create(setup, True).id
    for number in range(MAX_DECISIONS):
        lang = LANGUAGES[number % len(LANGUAGES)]
        with store.use(table) as live:
            awaited = list_awaited_seats(live)                     # several in a loop at once, who answer in any order
            chosen = rng.choice(awaited) if awaited else None
            decision, sequence = view_seat(live, chosen).match.position.decision, view_seat(live, chosen).sequence
            for seat in (*range(players), None):
                page = build_table_page(live, seat, lang)
                text = render_template("table.html", page.words, page=page, base="/table/t/1", can_save=live.is_save_public, device="",
                                       notice="", form="", people=PeopleView())
                TagChecker(text)
                assert not re.search(r">\s*(web|play|table)\.[a-z_.]+\s*<", text), "a text is missing"
                targets = set(re.findall(r'class="target[^"]*" href="#([^"]+)"', text))
                assert targets <= set(re.findall(r'<span id="([^"]+)"', text)), "a place links to an option that does not exist"
                assert page.own_turn == (seat in awaited) and bool(page.options) == page.own_turn
        if decision is None:
            break
        store.play(table, chosen, sequence, rng.choice(decision.options).spelling)
    saved = [entry["hash"] for entry in store.storage.read_log(table)]
    again = MatchStore(store.storage)
    with again.use(table) as live:                                 # rebuilt from the log
        assert live.match.position.digest() == saved[-1]
    store.storage.close()
