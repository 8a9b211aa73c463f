"""Runs the examples of the language reference and the cookbook: fenced blocks contain games, moves and expected results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.engine.position.position import Game, Position, RuleError

from .toys import make

DOCS = Path(__file__).parents[2] / "docs"


def list_pages(folder: str) -> list[Path]:
    """Returns the pages of a folder of docs/: its index first, then the others by name."""
    return sorted((DOCS / folder).glob("*.md"), key=lambda path: (path.stem != "index", path.stem))


REFERENCE = list_pages("reference/language")
COOKBOOK = list_pages("cookbook")
FENCE = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.M | re.S)
DECLARED = re.compile(r"^(state|def|proc|phase|standing|estimate|always)\b")


@dataclass
class Example:
    """One block of rules (or conditions) with the game's data, its moves, and its expected results."""

    page: str  # the file's name without its suffix
    line: int
    kind: str  # rules or holds
    toy: str
    rules: str
    data: dict[str, Any]
    play: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    players: int | None = None
    refused: str | None = None

    def game(self) -> Game:
        return make(yaml.safe_dump(self.data, sort_keys=False), self.rules, self.players, self.settings)


def fenced_blocks(text: str) -> list[tuple[int, str, str, str]]:
    """Returns (line, kind, words after it, content) of every fenced block."""
    return [(text.count("\n", 0, m.start()) + 1, m[1], (m[2] or "").strip(), m[3]) for m in FENCE.finditer(text)]


def read_examples(pages: list[Path] = REFERENCE) -> list[Example]:
    """Returns the examples of several pages in order. Toy games that a page declares serve the pages after it as well."""
    toys: dict[str, dict[str, Any]] = {}
    return [example for path in pages for example in read_page_examples(path, toys)]


def read_page_examples(path: Path, toys: dict[str, dict[str, Any]]) -> list[Example]:
    """Returns the examples of one page, and adds the toy games that it declares to `toys`."""
    found: list[Example] = []
    more: dict[str, Any] = {}
    for line, kind, words, content in fenced_blocks(path.read_text(encoding="utf-8")):
        name, *settings = words.split() or [""]
        if kind == "yaml" and settings == ["+"]:
            more = yaml.safe_load(content)
        elif kind == "yaml":
            toys[name] = {**yaml.safe_load(content), "rules": ["toy.rules"]}
        elif kind in ("rules", "holds"):
            example = Example(path.stem, line, kind, name, content, merge_data(toys[name], more))
            more = {}
            for key, value in (setting.split("=") for setting in settings):
                if key == "players":
                    example.players = int(value)
                elif key == "refused":
                    example.refused = value
                else:
                    example.settings[key] = value
            example.rules = add_missing_parts(content if kind == "rules" else make_invariants(content))
            found.append(example)
        elif kind == "play":
            found[-1].play = [row for row in content.split("\n") if row.strip()]
    return found


def merge_data(data: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    out = dict(data)
    for key, value in more.items():
        out[key] = {**out.get(key, {}), **value} if isinstance(value, dict) else value
    return out


def make_invariants(content: str) -> str:
    """Keeps declarations, and turns every other line into an invariant."""
    rows, n = [], 0
    for row in content.split("\n"):
        if row.strip() and not DECLARED.match(row) and not row.startswith((" ", "#")):
            n += 1
            row = f"always line_{n}: {row}"
        rows.append(row)
    return "\n".join(rows)


def add_missing_parts(rules: str) -> str:
    """Adds the parts that every game needs and an example may omit."""
    if not re.search(r"^phase game\b", rules, re.M):
        rules += "\nphase game: stop\n"
    if not re.search(r"^standing\b", rules, re.M):
        rules += "\nstanding player: 0\n"
    return rules


class ExampleRun:
    """Plays an example line by line. Raises AssertionError if a line fails."""

    def __init__(self, example: Example) -> None:
        self.example = example
        self.game = example.game()
        self.position: Position = self.game.new_position(1)
        self.told: list[str] = []
        self.script: list[int] = []
        self.failed: str | None = None
        self.begun = False

    def seat(self, seat: int) -> str:
        return self.game.model.enums["Player"].members[seat]

    def begin(self, answer: str | None = None) -> None:
        """Starts the game, or takes a move."""
        self.begun = True
        try:
            if answer is None:
                told = self.position.run_to_decision(self.script)
            else:
                told = self.position.play(self.position.decision.seat, answer, self.script)
        except RuleError as error:
            self.failed = error.diagnostic.code
            return
        self.told = [self.line(event) for event in told if event.key != "chance"]

    def line(self, event: Any) -> str:
        return f"{event.key}({', '.join(f'{name}={self.game.spell(kind, value)}' for name, kind, value in event.slots)})"

    def chance(self, words: str) -> None:
        for word in words.replace(",", " ").split():
            found = self.game.model.find_members(word)
            self.script.append(found[0][1] if found else int(word))

    def run(self, row: str) -> None:
        word, _, rest = row.partition(" ")
        rest = rest.strip()
        if word == "chance":
            return self.chance(rest)
        if not self.begun:
            self.begin()
        if word == "fault":
            assert self.failed == rest, f"fault: {self.failed}"
            self.failed = None
            return None
        assert self.failed is None, f"fault {self.failed}"
        if word == ">":
            self.begin(rest)
        elif word == "over":
            assert self.position.over, f"not over: {self.asked()}"
        elif word == "told":
            assert self.told and self.told.pop(0) == rest, f"told: {self.told}"
        elif word == "standing":
            assert self.standing() == rest, self.standing()
        elif " chooses " in row:
            assert self.asked() == row.strip(), self.asked()
        else:
            self.state(row)
        return None

    def asked(self) -> str:
        decision = self.position.decision
        if decision is None:
            return "over"
        return f"{self.seat(decision.seat)} chooses {decision.key}: {', '.join(option.spelling for option in decision.options)}"

    def standing(self) -> str:
        return ", ".join(f"{rank.rank} {self.seat(rank.seat)} {' '.join(map(str, rank.values))}" for rank in self.position.standing())

    def state(self, row: str) -> None:
        place, _, wanted = row.partition(" = ")
        name, *keys = re.findall(r"[^\[\]]+", place.strip())
        found = self.position[name]
        for key in keys:
            found = found[key]
        assert found == yaml.safe_load(wanted), f"{place}: {found}"


def run_example(example: Example) -> None:
    """Compiles an example, plays it, and compares the results. Raises AssertionError if they differ."""
    if example.refused:
        try:
            example.game()
        except RulesRejectedError as refused:
            assert {d.code for d in refused.findings.errors} == {example.refused}, str(refused)
            return
        raise AssertionError("it is accepted")
    try:
        stage = ExampleRun(example)
    except RulesRejectedError as refused:
        raise AssertionError(str(refused)) from refused
    if not example.play:
        stage.begin()
        assert stage.failed is None, f"fault {stage.failed}"
    for row in example.play:
        try:
            stage.run(row)
        except AssertionError as error:
            raise AssertionError(f"{row!r}: {error}") from error
    assert stage.failed is None, f"fault {stage.failed}"
    broken = stage.position.broken_invariants()
    rows = [row for row in example.rules.split("\n") if any(row.startswith(f"always {name}:") for name in broken)]
    assert not broken, "does not hold: " + "; ".join(rows)
