"""A simulated terminal: a session with scripted answers that records the screen at each question.

As on a real terminal, a recorded screen does not contain text that was cleared."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.library.loaded_game import LoadedGame
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import HUMAN, MatchTable
from ludoglot.engine.terminal.completion import CompletionSource, no_completions
from ludoglot.engine.terminal.preview_lines import compute_previews
from ludoglot.engine.terminal.question import DecisionPrompt
from ludoglot.engine.terminal.session import Session
from ludoglot.engine.terminal.terminal import Terminal

TESTS = Path(__file__).parent.parent


class FakeConsole(LocalizedConsole):
    """A terminal of a given size. It has no colours by default."""

    terminal = True
    colour = False
    utf = True
    colours = None
    screen = (100, 40)
    width = 100

    def __init__(self, lang: str, columns: int = 100, lines: int = 40, colours: Any = None) -> None:
        super().__init__(lang)
        self.screen, self.width = (columns, lines), min(columns, 120)
        self.colours, self.colour = colours, colours is not None
        self.written: list[str] = []

    def print_line(self, text: str = "") -> None:
        self.written += text.split("\n")

    print_stderr = print_line


@dataclass(frozen=True)
class Screen:
    """The lines on the screen, and those scrolled off it, when input was requested."""

    person: int
    prompt: str
    lines: tuple[str, ...]
    fits: CompletionSource = no_completions

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class ScriptedTerminal(Terminal):
    """A terminal whose answers come from a function of the screen. The answer None leaves the game."""

    is_interactive = True

    def __init__(self, console: FakeConsole, answer: Callable[[Screen], str | None], plain: bool = False) -> None:
        super().__init__(console, plain)
        self.paper, self.answer = console, answer
        self.screens: list[Screen] = []

    def read(self, prompt: str, fits: CompletionSource = no_completions, bar: str = "", person: int = -1) -> str | None:
        screen = Screen(person, prompt, tuple(self.paper.written), fits)
        self.screens.append(screen)
        typed = self.answer(screen)
        self.paper.written.append(f"{prompt}{typed}" if typed is not None else prompt)
        return typed

    def clear_screen(self) -> None:
        self.paper.written.clear()


@dataclass
class Desk:
    """A game at a simulated screen. `run()` plays the script and returns the exit code."""

    game: str
    seats: list[str]
    answer: Callable[[Screen], str | None] | None = None
    typed: list[str] = field(default_factory=list)
    lang: str = "en"
    langs: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    columns: int = 100
    lines: int = 40
    colours: Any = None
    seed: int = 1
    max_rounds: int | None = None
    save: Path | None = None
    plain: bool = False

    def __post_init__(self) -> None:
        self.console = FakeConsole(self.lang, self.columns, self.lines, self.colours)
        folder = TESTS / "games" / self.game
        named = str(folder) if folder.is_dir() else self.game
        self.loaded: LoadedGame = load_game(self.console, named, len(self.seats))
        many = len(self.seats)
        setup = MatchSetup(named, many, self.seed, dict(self.loaded.game.ruleset.settings), names=[*self.names, *[""] * many][:many],
                      seats=list(self.seats), langs=[*self.langs, *[""] * many][:many])
        self.table = MatchTable.new(self.loaded.game, setup, self.save)
        self.sit()

    def sit(self) -> None:
        """Starts a session for a new player, who has seen nothing of the game."""
        self.session = Session(self.console, self.table, self.loaded, self.max_rounds, self.plain)
        self.session.terminal = self.script = ScriptedTerminal(self.console, self.answer or self.next_typed, self.plain)

    def next_typed(self, screen: Screen) -> str | None:
        return self.typed.pop(0) if self.typed else None

    def run(self) -> int:
        return self.session.run()

    @property
    def screens(self) -> list[Screen]:
        return self.script.screens

    @property
    def text(self) -> str:
        return "\n".join(self.console.written)


def random_script(desk: Callable[[], Desk], rng: Any, asked: int) -> Callable[[Screen], str | None]:
    """Returns a script that takes random options, `asked` times, and then leaves. At a hand-over it presses Enter."""
    left = [asked]

    def answer(screen: Screen) -> str | None:
        if not screen.prompt:
            return ""
        left[0] -= 1
        decision = desk().table.position.decision
        if decision is None:                                       # the game is over, so leave the review
            return None
        question = desk().session.question
        option = rng.choice(decision.options)                       # in game order, not in the order of the numbers
        return next(one.token for one in question.choices if one.option.code == option.code) if left[0] >= 0 else None
    return answer


__all__ = ["HUMAN", "Desk", "FakeConsole", "Screen", "ScriptedTerminal", "random_script"]


def iter_questions(game: str, seats: int, seed: int, decisions: int, key: str) -> Iterator[tuple[Desk, DecisionPrompt]]:
    """Yields the questions of one kind in a random game, with their previews."""
    desk, rng = Desk(game, [HUMAN] * seats, seed=seed), random.Random(seed)
    for _ in range(decisions):
        decision = desk.table.position.decision
        if decision is None:
            return
        if decision.key == key:
            desk.session.seat = decision.seat
            question = DecisionPrompt(decision, desk.session.narrator)
            compute_previews(desk.session, question)
            yield desk, question
        desk.table.play(rng.choice(decision.options))
