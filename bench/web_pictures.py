"""Draws the page of every game in the middle of a match: `python bench/web_pictures.py FOLDER [GAME ...] [--lang en] [--share 0.5]`.

The pages have the sizes of a phone and of a wide screen, in light and in dark. Look at the pictures after a change of the page or of a
table: nothing may overlap, be cut off, or be too small to read. Each line names a game, and the parts that are wider than their page."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from ludoglot.engine.library.find import list_game_ids
from playwright.sync_api import sync_playwright
from web_games import make_setup, open_table, serving, skip_decisions

SIZES = {"phone": {"width": 360, "height": 740}, "wide": {"width": 1600, "height": 1000}}
TOO_WIDE = """() => [...document.querySelectorAll("#table *")].filter((one) => !one.closest(".scroll, .hidden, .picture, .skip") &&
  one.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((one) => one.className || one.tagName).slice(0, 5)"""


def main() -> None:
    """Writes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", default=list_game_ids())
    parser.add_argument("--lang", default="en", help="the language of the page (default: en)")
    parser.add_argument("--share", type=float, default=0.5, help="the share of the decisions that come before the picture (default: 0.5)")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with serving() as (url, site), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context(locale=args.lang, viewport=SIZES["wide"])
        for game in args.games:
            table = open_table([context] * 4, site, url, make_setup(game, 1))
            skip_decisions(table, int(len(table.plan) * (1 - args.share)))
            page = table.pages[table.plan[0][0]]                   # of the person who must decide
            wide = []
            for size, viewport in SIZES.items():
                page.set_viewport_size(viewport)
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    page.screenshot(path=args.folder / f"{game}-{size}-{scheme}.png", full_page=size == "wide")
                wide += page.evaluate(TOO_WIDE)
            print(game, *wide, flush=True)
            for page in table.pages:
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
