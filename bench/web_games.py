"""Plays every game of the library to its end by clicks: `python bench/web_games.py [GAME ...] [--seconds 120] [--seed 1]`.

Each person has a separate browser, in a separate language. Bots play the match in this process first: at random, or with a small search if
random moves hardly ever end the game. The browsers then make the same decisions, by clicks on the places and cards of the table, or on
the button of a move that has none. After every decision, all browsers must show the same revision without a reload. A game ends with its
last decision or after `--seconds`. The result of each game contains decisions, clicks on the table and on buttons, seconds, and whether it
has ended.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from ludoglot.engine.bots.greedy import choose_option
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.web import security
from ludoglot.engine.web.app import create_app
from ludoglot.engine.web.game_list import describe
from ludoglot.engine.web.live_match import start_match
from ludoglot.engine.web.site import Site
from ludoglot.engine.web.storage import Storage, TableRecord
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

LANGS = ("en", "hu", "it", "es")
OPTIONS = {                                                        # short games
    "amazons": {"squares_a_side": "6"}, "breakthrough": {"squares_a_side": "6"}, "corridors": {"squares_a_side": "5"},
    "dominant-species": {"length": "short"}, "dots-and-boxes": {"boxes_a_side": "3"}, "gin-rummy": {"length": "one_deal"},
    "hearts": {"length": "one_deal"}, "hex": {"hexagons_a_side": "5"}, "scopone": {"length": "eleven"}, "ulti": {"length": "three_deals"},
}
BOTS = {"dominant-species": "easy", "gin-rummy": "easy"}           # random moves do not end them in 6,000 decisions
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu"]                 # nobody looks at the pages
ASKED, OVER = "#table.asked", "ul.standing"
# Waits until the page shows a revision that `isShown` accepts, and returns it. It listens to changes, because polling takes processor time.
WAIT = """const wait = (isShown) => new Promise((resolve, reject) => {
  const read = () => Number(document.getElementById("table").dataset.revision);
  const check = () => isShown(read()) && (observer.disconnect(), clearTimeout(timer), resolve(read()));
  const timer = setTimeout(() => reject(new Error("the page still shows revision " + read())), 60_000);
  const observer = new MutationObserver(check);
  observer.observe(document.body, { childList: true, subtree: true });
  check();
});"""
WAIT_FOR_REVISION = f"async (wanted) => {{ {WAIT} return wait((shown) => shown >= wanted); }}"
# Clicks on the places of an option, its piece before its destination, until it is sent. Clicks on its button if they leave several options.
CLICK_OPTION = f"async (spelling) => {{ {WAIT}" + """
  const isSent = () => document.getElementById("table").ariaBusy === "true";
  const click = (one) => one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const button = [...document.querySelectorAll(".options li[data-places] button")].find((one) => one.value === spelling);
  if (!button) return null;
  const before = Number(document.getElementById("table").dataset.revision), later = wait((shown) => shown !== before);
  let places = 0;
  for (const place of button.closest("li").dataset.places.split(" ").filter(Boolean).reverse()) {
    const link = [...document.querySelectorAll("a.target")].find((one) => one.getAttribute("href") === "#" + place);
    if (!link) return null;
    click(link);
    places += 1;
    if (isSent()) return [places, 0, await later];
  }
  click(button);
  return [places, 1, await later];
}"""


@dataclass
class Played:
    """Decisions that were made by clicks."""

    decisions: int = 0
    board: int = 0                                                 # clicks on places and cards
    buttons: int = 0
    over: bool = False
    seconds: float = 0.0


@dataclass
class Table:
    """A table with the pages of its people, and what they will decide: (seat, spelling of the option)."""

    site: Site
    record: TableRecord
    pages: list[Page]
    plan: list[tuple[int, str]] = field(default_factory=list)

    def has_waiting_answers(self) -> bool:
        """Whether answers wait for those of other people."""
        found = self.site.storage.read_table(self.record.id)
        return found is not None and bool(found.early)


def find_asked(pages: Sequence[Page]) -> Page | None:
    """Returns the page of the person who must decide, or None if the match is over."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for page in pages:
            if page.locator(ASKED).count():
                return page
        if all(page.locator(OVER).count() for page in pages):
            return None
        time.sleep(0.02)
    raise AssertionError([page.inner_text("#question") for page in pages])


def click_option(page: Page, spelling: str, played: Played) -> int:
    """Chooses a move by clicks on the table or on its button. Returns the revision that the page shows then."""
    clicks = page.evaluate(CLICK_OPTION, spelling)
    assert clicks is not None, f"{spelling} cannot be clicked at {page.url}"
    places, buttons, revision = clicks
    played.decisions, played.board, played.buttons = played.decisions + 1, played.board + places, played.buttons + buttons
    return int(revision)


def plan_match(site: Site, setup: MatchSetup, limit: int = 10_000) -> list[tuple[int, str]]:
    """Returns the decisions of a match that bots play to its end, as (seat, spelling). Decisions with one option are left out."""
    loaded, lock = site.store.rules.load_setup(setup)
    kind, rng, plan = BOTS.get(setup.game, ""), random.Random(setup.seed), list[tuple[int, str]]()
    with lock:
        setup.options = dict(loaded.game.ruleset.settings)
        match = start_match(loaded, setup)
        list(match.take_forced())
        while (decision := match.position.decision) is not None and len(plan) < limit:
            if kind:
                code = choose_option(kind, match.position, decision.seat, decision_rng(setup.seed, decision.seat, len(match.steps)))
                option = decision.option(code)
            else:
                option = rng.choice(list(decision.options))
            plan.append((decision.seat, option.spelling))
            match.play(option)
            list(match.take_forced())
    return plan


def click_decisions(table: Table, count: int, seconds: float = 1e6) -> Played:
    """Makes the next decisions of the plan by clicks. All pages must show each of them without a reload."""
    played, began = Played(), time.monotonic()
    while table.plan and played.decisions < count and time.monotonic() - began < seconds:
        seat, spelling = table.plan.pop(0)
        revision = click_option(table.pages[seat], spelling, played)
        for page in table.pages:
            page.evaluate(WAIT_FOR_REVISION, revision)
    played.over = not table.plan and all(page.locator(OVER).count() for page in table.pages)
    played.seconds = time.monotonic() - began
    return played


def skip_decisions(table: Table, left: int) -> int:
    """Makes the decisions of the plan on the server until `left` of them are left, and loads the pages again. Returns their number."""
    skipped, table.plan = table.plan[: len(table.plan) - left], table.plan[len(table.plan) - left :]
    entries = []
    with table.site.store.use(table.record.id) as live:
        for _, spelling in skipped:
            live.match.play(spelling)
            entries += [live.last_entry, *live.take_forced()]
        table.site.store.append(live, entries)
    for page in table.pages:
        page.reload()
    return len(skipped)


def make_setup(game: str, seed: int) -> MatchSetup:
    """Returns the setup of a short match for as few people as the game allows, but two at least."""
    players = max(2, describe(game)["players"][0])
    return MatchSetup(game, players, seed, OPTIONS.get(game, {}), names=[""] * players, seats=[HUMAN] * players, langs=[""] * players)


def open_contexts(browser: Browser) -> list[BrowserContext]:
    """Returns a browser for each language."""
    contexts = [browser.new_context(locale=lang, viewport={"width": 960, "height": 600}) for lang in LANGS]
    for context in contexts:
        context.set_default_timeout(60_000)
    return contexts


def open_table(contexts: Sequence[BrowserContext], site: Site, url: str, setup: MatchSetup) -> Table:
    """Creates a table, and gives a seat to each of the browsers."""
    plan = plan_match(site, setup)
    table = Table(site, site.store.create(setup, False), [], plan)
    for seat, context in zip(table.record.seats, contexts):
        page = context.new_page()
        page.goto(f"{url}/table/{table.record.id}/{seat.seat + 1}/join/{seat.token}")
        page.click("main button")
        page.locator("#table").wait_for()
        page.wait_for_load_state()                                 # its script is ready
        table.pages.append(page)
    return table


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
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        contexts = open_contexts(browser)
        for game in args.games:
            table = open_table(contexts, site, url, make_setup(game, args.seed))
            played = click_decisions(table, len(table.plan), args.seconds)
            said = re.sub(r"\s+", " ", table.pages[0].inner_text("#question"))[:60] if played.over else f"{len(table.plan)} decisions left"
            print(f"{game:24} {played.decisions:5} decisions {played.board:5} on the table {played.buttons:5} on buttons "
                  f"{played.seconds:6.1f} s  {said}", flush=True)
            for page in table.pages:
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
