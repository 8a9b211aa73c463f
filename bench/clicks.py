"""Checks that every click on the full screen has the effect that the cell under the pointer shows, or no effect.

Clicks at random on the screens of all games, or of the games that you name, in several sizes and four languages. Half of the clicks hit
any cell. The others hit clickable cells.

    python bench/clicks.py [GAME ...] [--clicks 10000] [--seed 1]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from unittest import mock

from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.library.find import list_game_ids
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.setup import HUMAN
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.table_view.inspect_item import ItemInspector
from ludoglot.engine.terminal import full_screen
from ludoglot.engine.terminal.cursor import CursorCell, iter_cells
from ludoglot.engine.terminal.full_screen import FullScreenConsole, FullScreenSession, pane_titles
from ludoglot.engine.terminal.inspect_command import match_things
from ludoglot.engine.terminal.pane_layout import PaneLayout
from ludoglot.engine.terminal.question import DecisionPrompt

SIZES = [(140, 45), (100, 35), (80, 24), (60, 20)]
LANGUAGES = ["en", "it", "es", "hu"]
FOOTER_LINES = 2
PLAYED_SHARE = 0.2                           # share of clicks on empty cells that type a random move


class WrongClickError(AssertionError):
    """Raised if the effect of a click differs from the cell under the pointer."""


class ClickingMonkey:
    """Replaces the full screen and clicks at random, until no clicks are left."""

    small = False

    def __init__(self, size: tuple[int, int], rng: random.Random, clicks: int) -> None:
        self.size, self.rng, self.left = size, rng, clicks
        self.session: FullScreenSession | None = None
        self.done: Counter[str] = Counter()
        self.before: tuple[DecisionPrompt, str, list[str], int] | None = None

    def __call__(self, panes: PaneLayout, console: LocalizedConsole) -> ClickingMonkey:
        self.panes = panes
        return self

    def open(self) -> None: ...

    close = request_redraw = open

    def read_line(self, prompt: str, fits: object, bar: str, person: int) -> str | None:
        """Returns the line that a click types."""
        assert self.session is not None
        columns, lines = self.size
        rows = self.panes.render_lines(columns, lines - FOOTER_LINES)
        question = self.session.question
        if question is None or not bar:
            return ""
        self.check_effect(question)
        self.left -= 1
        if self.left < 0:
            return None
        cells = list(iter_cells(rows))
        x, y = self.rng.randrange(columns), self.rng.randrange(len(rows))
        if cells and self.rng.random() < 0.5:
            cell = self.rng.choice(cells)
            x, y = self.rng.randrange(cell.x, cell.x + cell.wide), cell.y
        hit = next((cell for cell in cells if cell.y == y and cell.x <= x < cell.x + cell.wide), None)
        if hit is None:
            self.done["nothing"] += 1
            return self.rng.choice(question.choices).token if self.rng.random() < PLAYED_SHARE else ""
        text = "".join(part.text for part in rows[y])[hit.x : hit.x + hit.wide]
        self.check_cell(hit, text, question)
        return hit.line

    def check_cell(self, hit: CursorCell, text: str, question: DecisionPrompt) -> None:
        """Checks that the text of a cell, or the place that it belongs to, matches the line that a click types."""
        assert self.session is not None
        part = next((area.part for area in self.panes.areas if area.contains(hit.x, hit.y)), "top")
        command, _, rest = hit.line.rpartition(" ") if hit.line.startswith("/options") else hit.line.partition(" ")
        if command == "/look":
            self.done["look"] += 1
            about = ItemInspector(self.session.table.position, self.session.narrator, self.session.viewer)
            self.require(bool(match_things(self.session, question, about, rest)), f"nothing is called {rest}: {text!r}")
            self.require(part != "question", f"an option looks: {text!r}")
            return
        answer = hit.line.removeprefix("/options ")
        meant = [one.token for one in ([question.find_numbered(answer)] if answer.isdigit() else question.match_number_list(answer)) if one]
        self.require(bool(meant) and (answer.isdigit() or len(meant) > 1), f"{hit.line} means {meant}")
        if part != "question":
            self.done["place"] += 1
            self.require(answer in question.targets.values(), f"no place has the number {answer}")
        elif answer.isdigit():
            self.done["option"] += 1
            said = next(one.text for one in question.choices if one.token == answer)
            number, _, named = text.partition(" ")
            whole = said.endswith(named) if "[" in number else f"{said} ".startswith(f"{named.strip()} ")
            self.require(number.strip("[]") == answer and whole, f"{text!r} chooses {answer} {said!r}")
        else:
            self.done["several"] += 1
            self.require(re.match(re.escape(answer) + "  ", text) is not None, f"{text!r} opens {answer}")
        self.before = (question, hit.line, meant, len(self.session.table.steps))

    def check_effect(self, question: DecisionPrompt) -> None:
        """Checks the effect of the last click: a move was played, or its moves are shown and nothing was played."""
        assert self.session is not None
        if self.before is None:
            return
        (asked, line, meant, steps), self.before = self.before, None
        taken = self.session.table.steps[steps:]
        if line.isdigit():
            wanted = next(one.option.spelling for one in asked.choices if one.token == line)
            self.require(bool(taken) and taken[0].option.spelling == wanted, f"{line} took {taken[:1]}")
            return
        assert self.panes.content is not None
        shown = {cell.line for cell in iter_cells(self.panes.content.question(self.size[0], 0))}
        # a preview may open some of them again
        opened = {token for one in shown for token in (self.opened_tokens(question, one) or [one])}
        self.require(not taken and question is asked and opened == set(meant), f"{line} showed {sorted(shown)}")

    def opened_tokens(self, question: DecisionPrompt, line: str) -> list[str]:
        """Returns the numbers of the moves that a line such as `/options 4, 12` shows, or nothing for other lines."""
        return [one.token for one in question.match_number_list(line.removeprefix("/options "))] if line.startswith("/options") else []

    def require(self, holds: bool, problem: str) -> None:
        if not holds:
            raise WrongClickError(problem)


def click_through(game: str, lang: str, size: tuple[int, int], clicks: int, seed: int) -> Counter[str]:
    """Plays matches without bots, and counts random clicks by the kind of cell that they hit. Raises WrongClickError."""
    console, rng, done = LocalizedConsole(lang), random.Random(f"{game} {lang} {size} {seed}"), Counter[str]()
    loaded = load_game(console, game, None)
    players = loaded.game.players
    shown = {"screen": size, "utf": True, "colours": None}
    with mock.patch.multiple(LocalizedConsole, **shown), mock.patch.object(full_screen.FullScreenTerminal, "is_interactive", True):
        while (left := clicks - sum(done.values())) > 0:
            monkey = ClickingMonkey(size, rng, left)
            setup = MatchSetup(game, players, rng.randrange(1000), dict(loaded.game.ruleset.settings), names=[""] * players,
                               seats=[HUMAN] * players, langs=[""] * players)
            table = MatchTable.new(loaded.game, setup)
            session = FullScreenSession(FullScreenConsole(console, PaneLayout(True, pane_titles(console.words))), table, loaded, None)
            monkey.session = session
            with (mock.patch.object(full_screen, "FullScreen", monkey), mock.patch.object(full_screen.Terminal, "read", lambda *_: None),
                  contextlib.redirect_stdout(io.StringIO())):
                session.run()
            done += monkey.done
    return done


def main(args: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all games")
    parser.add_argument("--clicks", type=int, default=10_000, help="clicks over all games (default: 10000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(args)
    games = given.games or list_game_ids()
    each, wrong = -(-given.clicks // len(games)), 0
    for n, game in enumerate(games):
        total = Counter[str]()
        try:
            for k, size in enumerate(SIZES):
                total += click_through(game, LANGUAGES[(n + k) % len(LANGUAGES)], size, -(-each // len(SIZES)), given.seed)
        except WrongClickError as error:
            wrong += 1
            print(f"{game}: WRONG {error}")
        print(f"{game}: {sum(total.values())} clicks, {dict(total)}", flush=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
