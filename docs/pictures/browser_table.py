"""Draws pages of the browser table for the documentation: a match that bots have played for some decisions, on one or more screens."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from ludoglot.engine.bots.greedy import choose_option  # noqa: E402
from ludoglot.engine.bots.rng import decision_rng  # noqa: E402
from ludoglot.engine.match.setup import HUMAN, MatchSetup  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from bench.web_games import serving  # noqa: E402

SHARPNESS = 1.5                     # pixels of the picture for one pixel of the page


def draw_tables(given: dict[str, Any], folder: Path) -> list[Path]:
    """Writes a PNG for each screen of a table, and returns the files.

    `given` contains `game`, `names`, `seed`, `bot`, `decisions` (the bot plays them first), and `screens`. The key of a screen is its
    file name. Its values are `seat` (from 1), `lang`, `size` in pixels, and perhaps `dark`.
    """
    names = given["names"]
    count = len(names)
    setup = MatchSetup(given["game"], count, given["seed"], given.get("options", {}), names=names, seats=[HUMAN] * count,
                       langs=[""] * count)
    files = []
    with serving() as (url, site), sync_playwright() as playwright:
        record = site.store.create(setup, False)
        for _ in range(given["decisions"]):
            with site.store.use(record.id) as live:
                position, decision, sequence = live.match.position, live.match.position.decision, live.sequence
                assert decision is not None, "the match is over"
                rng = decision_rng(setup.seed, decision.seat, sequence)
                option = decision.option(choose_option(given["bot"], position, decision.seat, rng))
            site.store.play(record.id, decision.seat, sequence, option.spelling)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        screens = {screen["seat"]: (name, screen) for name, screen in given["screens"].items()}
        pages = []
        for seat in record.seats:                                  # everybody takes their seat before the pictures are drawn
            name, screen = screens.get(seat.seat + 1, ("", {"lang": "en", "size": [800, 600]}))
            width, height = screen["size"]
            page = browser.new_page(locale=screen["lang"], viewport={"width": width, "height": height}, device_scale_factor=SHARPNESS,
                                    color_scheme="dark" if screen.get("dark") else "light")
            page.goto(f"{url}/table/{record.id}/{seat.seat + 1}/join/{seat.token}")
            page.click("main button")
            page.wait_for_selector("#table")
            pages.append((name, page))
        for name, page in pages:
            if name:
                page.reload()
                page.screenshot(path=folder / f"{name}.png")
                files.append(folder / f"{name}.png")
        browser.close()
    return files
