"""Plays every shipped game to its end by clicks in Chromium, with one browser for each person, each in another language.

A match of at most 30 decisions is played by clicks from its first decision to its last. Of a longer match, the browsers make the first
6 decisions and the last 14. The server makes those between them in the same log. `python bench/web_games.py` plays whole games."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from ludoglot.engine.explain.standing_text import standing_lines
from ludoglot.engine.library.find import list_game_ids
from playwright.sync_api import BrowserContext, sync_playwright
from tmp_files import bench

web_games = bench("web_games")
pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")]
MAX_WHOLE, FIRST, LAST = 30, 6, 14          # decisions


@pytest.fixture(scope="module")
def table_server() -> Iterator[tuple]:
    with web_games.serving() as served:
        yield served


@pytest.fixture(scope="module")
def contexts() -> Iterator[list[BrowserContext]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=web_games.CHROMIUM_FLAGS)
        yield web_games.open_contexts(browser)
        browser.close()


@pytest.mark.parametrize("game", list_game_ids())
def test_game_is_played_to_its_end_by_clicks(contexts, table_server, game):
    url, site = table_server
    said: list[str] = []
    table = web_games.open_table(contexts, site, url, web_games.make_setup(game, 1))
    for page in table.pages:
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: said.append(message.text))
    skipped = 0
    if len(table.plan) > MAX_WHOLE:
        web_games.click_decisions(table, FIRST)
        while table.has_waiting_answers():                         # other people still choose at the same time
            web_games.click_decisions(table, 1)
        skipped = web_games.skip_decisions(table, LAST)
    played = web_games.click_decisions(table, len(table.plan))
    assert played.over and (skipped == 0 or played.decisions == LAST) and not said
    with site.store.use(table.record.id) as live:
        for lang, page in zip(web_games.LANGS, table.pages):
            assert page.get_attribute("html", "lang") == lang
            assert page.inner_text("#asked") == standing_lines(live.match, live.loaded, lang)[0]
            page.close()
