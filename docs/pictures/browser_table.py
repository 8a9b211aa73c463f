"""Draws pages of the browser table for the documentation, in the middle of a match that bots play."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from ludoglot.engine.match.setup import HUMAN, MatchSetup  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from bench.web_games import open_table, serving, skip_decisions  # noqa: E402

SHARPNESS = 1.5                     # pixels of the picture for one pixel of the page


def draw_tables(given: dict[str, Any], folder: Path) -> None:
    """Writes a PNG for each screen of a table.

    `given` contains `game`, `names`, `seed`, `decisions` (bots make them first), and `screens`. The key of a screen is its file name. Its
    values are `seat` (from 1), `lang`, `size` in pixels, and perhaps `dark`.
    """
    names, screens = given["names"], {screen["seat"]: screen for screen in given["screens"].values()}
    setup = MatchSetup(given["game"], len(names), given["seed"], names=names, seats=[HUMAN] * len(names), langs=[""] * len(names))
    with serving() as (url, site), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        contexts = []
        for seat in range(1, len(names) + 1):
            screen = screens.get(seat, {"lang": "en", "size": [800, 600]})
            width, height = screen["size"]
            contexts.append(browser.new_context(
                locale=screen["lang"], viewport={"width": width, "height": height}, device_scale_factor=SHARPNESS,
                color_scheme="dark" if screen.get("dark") else "light"))
        table = open_table(contexts, site, url, setup)
        skip_decisions(table, len(table.plan) - given["decisions"])
        for name, screen in given["screens"].items():
            table.pages[screen["seat"] - 1].screenshot(path=folder / f"{name}.png")
        browser.close()
