"""Plays every game of the library to its end by clicks: `python bench/web_games.py [GAME ...] [--seconds 120] [--seed 1]`.

Each person has a separate browser, in a separate language. The script makes each decision by clicks on the places of the board, or on the
button of a move that has no place. The moves are random, or those of a bot if random moves hardly ever end the game. After every
decision, all browsers must show the same revision without a reload. A game ends with its last decision or after `--seconds`. The result
of each game contains decisions, clicks on boards and on buttons, seconds, and whether it has ended.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import uvicorn
from ludoglot.engine.bots.greedy import choose_option
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web import security
from ludoglot.engine.web.app import create_app
from ludoglot.engine.web.game_list import describe
from ludoglot.engine.web.site import Site
from ludoglot.engine.web.storage import Storage
from playwright.sync_api import Browser, Page, sync_playwright

LANGS = ("en", "hu", "it", "es")
OPTIONS = {"hex": {"hexagons_a_side": "5"}, "dominant-species": {"length": "short"}}              # short games
BOTS = {"dominant-species": "easy"}                                # random moves do not end it in 6,000 decisions
FIND_BUTTON = "spelling => [...document.querySelectorAll('.options li[data-places] button')].findIndex(one => one.value === spelling) + 1"
CLICK_PLACE = """place => {
  const link = [...document.querySelectorAll("a.target")].find((one) => one.getAttribute("href") === "#" + place);
  if (!link) return "none";
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return document.getElementById("table").ariaBusy ? "sent" : "narrowed";
}"""


@dataclass
class Played:
    """A game that was played by clicks."""

    decisions: int = 0
    board: int = 0
    buttons: int = 0
    over: bool = False
    seconds: float = 0.0


def find_asked(pages: Sequence[Page]) -> Page | None:
    """Returns the page of the person who must decide, or None if the match is over."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for page in pages:
            if page.locator("#table.asked").count():
                return page
        if all(page.locator("ul.standing").count() for page in pages):
            return None
        time.sleep(0.02)
    raise AssertionError([page.inner_text("#question") for page in pages])


def ask_bot(site: Site, kind: str, page: Page) -> int:
    """Returns the number of the option that a bot chooses for the person of a page."""
    with site.store.use(urlsplit(page.url).path.split("/")[2]) as live:
        position, decision = live.match.position, live.match.position.decision
        assert decision is not None
        code = choose_option(kind, position, decision.seat, decision_rng(live.match.setup.seed, decision.seat, len(live.match.steps)))
        spelling = decision.option(code).spelling
    return int(page.evaluate(FIND_BUTTON, spelling))


def click_option(page: Page, number: int, played: Played) -> None:
    """Chooses a move, by clicks on the board if the move has places there."""
    revision = page.get_attribute("#table", "data-revision")
    item = page.locator(f"#option-{number}")
    button = f"#{item.get_attribute('id')} button"
    for place in (item.get_attribute("data-places") or "").split()[::-1]:      # the piece first, then its destination
        state = page.evaluate(CLICK_PLACE, place)
        played.board += state != "none"
        if state == "sent":
            break
    else:
        page.evaluate("selector => document.querySelector(selector).click()", button)
        played.buttons += 1
    page.wait_for_function("old => document.getElementById('table').dataset.revision !== old", arg=revision)
    played.decisions += 1


def play_by_clicks(pages: Sequence[Page], rng: random.Random, seconds: float, ask: Callable[[Page], int] | None = None) -> Played:
    """Plays a match to its end, or until the time is over. `ask` returns the number of an option. Without it, moves are random."""
    played, began = Played(), time.monotonic()
    while time.monotonic() - began < seconds:
        page = find_asked(pages)
        if page is None:
            played.over = True
            break
        click_option(page, ask(page) if ask is not None else rng.randint(1, page.locator(".options li[data-places]").count()), played)
        revision = page.get_attribute("#table", "data-revision")
        for other in pages:                                        # without a reload
            other.wait_for_function("now => +document.getElementById('table').dataset.revision >= +now", arg=revision)
    played.seconds = time.monotonic() - began
    return played


def open_pages(browser: Browser, site: Site, url: str, game: str, seed: int) -> list[Page]:
    """Sets up a table with as few people as the game allows, and returns their pages."""
    entry = describe(game)
    players = max(2, entry["players"][0])
    options = {name: value for name, value in OPTIONS.get(game, {}).items() if value in map(str, entry["options"][name]["values"])}
    setup = MatchSetup(game, players, seed, options, names=[""] * players, seats=[HUMAN] * players, langs=[""] * players)
    record = site.store.create(setup, False)
    pages = []
    for seat in record.seats:
        page = browser.new_context(locale=LANGS[seat.seat % len(LANGS)], viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{url}/table/{record.id}/{seat.seat + 1}/join/{seat.token}")
        page.click("main button")
        pages.append(page)
    return pages


@contextmanager
def serving() -> Iterator[tuple[str, Site]]:
    """Runs a server in a thread. Its limits do not slow this program down."""
    limit, security.REQUEST_BURST = security.REQUEST_BURST, 1e9
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        site = Site(Storage(f"sqlite:///{folder}/t.sqlite"))
        server = uvicorn.Server(uvicorn.Config(create_app(site), log_level="error", access_log=False, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", site
        finally:
            security.REQUEST_BURST = limit
            server.should_exit = True
            thread.join(10)


def main() -> None:
    """Plays the games, and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list_game_ids())
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with serving() as (url, site), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game in args.games:
            pages = open_pages(browser, site, url, game, args.seed)
            ask = partial(ask_bot, site, BOTS[game]) if game in BOTS else None
            played = play_by_clicks(pages, random.Random(args.seed), args.seconds, ask)
            said = re.sub(r"\s+", " ", pages[0].inner_text("#question"))[:60] if played.over else "not over"
            print(f"{game:24} {played.decisions:5} decisions {played.board:5} on boards {played.buttons:5} on buttons "
                  f"{played.seconds:6.1f} s  {said}", flush=True)
            for page in pages:
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
