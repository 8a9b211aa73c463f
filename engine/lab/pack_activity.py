"""Counts how often house rules come into play: the moves on which their lines change something, and the choices that they add.

Some games are played again with Python's trace function. A move counts if a statement of a pack changes the position or asks a
question. Lines that a pack copies from the game do not count.

The same games show whether bots understand the new choices: bots that never take a choice, or always, may not see its value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from types import FrameType
from typing import Any

from ...dsl.diagnostics.render import read_lines
from ...dsl.diagnostics.source_lines import split_lines
from ...dsl.storage.control_slots import OPTIONS, PC
from ..bots.native import NativeGame
from ..position.position import Game, Position
from ..position.rule_trace import RuleTracer
from .playout import BotNames, GameResult, chosen_things
from .score_sources import can_replay, replay_choices

MAX_TRACED_GAMES = 12                 # a traced game takes a few times as long as a random game in Python
CITATION_PATTERN = re.compile(r"@[\w-]+")
RuleLine = tuple[str, int]                                          # the file as messages show it, and the line
MIN_OFFERS = 10                       # with fewer offers, a choice that bots never take proves nothing


@dataclass(frozen=True)
class PackActivity:
    """How often house rules came into play in some traced games.

    `moves` is the mean number of moves per game on which pack lines changed something, or None if the packs have no such lines. `never`
    and `always` are the added choices that bots never or always took, with the number of times that they were offered."""

    games: int = 0
    moves: float | None = None
    never: tuple[tuple[str, int], ...] = ()
    always: tuple[tuple[str, int], ...] = ()

    def data(self) -> dict[str, Any]:
        return {"traced": self.games, "moves": self.moves, "never": dict(self.never), "always": dict(self.always)}


class PackTracer(RuleTracer):
    """A context manager that notices whether pack lines change a position."""

    def __init__(self, position: Position, lines: set[RuleLine]) -> None:
        self.position, self.module, self.lines = position, position.game.module, lines
        self.has_acted = False
        self._codes: dict[int, bool] = {}                          # whether a function has lines of packs, by id of its code
        self._snapshots: dict[int, list[Any]] = {}                    # the position when a pack line began, by id of its frame

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if self.has_acted or frame.f_globals is not self.module.namespace or code.co_filename not in self.module.files.shown:
            return None
        if id(code) not in self._codes:
            numbers = {number for _, _, number in code.co_lines() if number}
            self._codes[id(code)] = any(self.module.files.rule_line(code, number) in self.lines for number in numbers)
        return self._trace_line if self._codes[id(code)] else None

    def _trace_line(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Compares the position before and after each pack line."""
        before = self._snapshots.pop(id(frame), None)
        if before is not None and before != self.position.s:
            self.has_acted = True
        if event == "line" and not self.has_acted and self.module.files.rule_line(frame.f_code, frame.f_lineno) in self.lines:
            self._snapshots[id(frame)] = self.position.s.copy()
        return self._trace_line

    def take_action(self) -> bool:
        """Returns whether a pack line has changed something since the last call."""
        acted, self.has_acted = self.has_acted, False
        self._snapshots.clear()
        return acted


def own_pack_lines(game: Game) -> set[RuleLine]:
    """Returns the lines of statements that packs add to a game, without those that they copy from it."""
    source = game.ruleset.source
    files = {pack.bundle.display_path(name): text for pack in source.packs for name, text in pack.bundle.files.items()}
    texts = {path: [bare_rule(line) for line in split_lines(text)] for path, text in files.items()}
    defs = {(part.at.path, line) for part in game.ruleset.program.routines if part.kind == "def"
            for line in range(part.at.line, part.at.end_line + 1)}
    shipped = {bare_rule(line) for name in source.data["rules"] for line in read_lines(str(source.folder / name)) or ()}
    return {(path, number) for path, number in game.module.lines - defs
            if path in texts and not (number <= len(texts[path]) and texts[path][number - 1] in shipped)}


def bare_rule(line: str) -> str:
    """Returns a rule line without comment, citations and spaces."""
    return "".join(CITATION_PATTERN.sub("", line.partition("#")[0]).split())


def trace_pack_activity(
    game: Game, games: Sequence[GameResult], bots: BotNames, limit: int, native: NativeGame | None, added: Collection[str]
) -> PackActivity:
    """Returns how often the packs of a game came into play in its first finished games.

    `added` are the choices that the packs add. No game is traced if bots that search would have to play again without C."""
    if not can_replay(bots, native):
        return PackActivity()
    traced = list(islice((played for played in games if played.has_ended), MAX_TRACED_GAMES))
    offered, taken, moves, lines = Counter[str](), Counter[str](), 0, own_pack_lines(game)
    for played in traced:
        codes = replay_choices(game, played.seed, bots, limit, native)
        moves += count_pack_moves(game, played.seed, codes, lines, ChoiceCounter(game, added, offered, taken))
    unclear = [thing for thing in offered if offered[thing] >= MIN_OFFERS and set(bots) != {"random"}]
    never = {thing: offered[thing] for thing in unclear if not taken[thing]}
    refused = {thing.rpartition(".")[0] for thing in never}      # whoever never takes one entry of a menu takes the others
    always = {thing: offered[thing] for thing in unclear if taken[thing] == offered[thing] and thing.rpartition(".")[0] not in refused}
    return PackActivity(len(traced), moves / len(traced) if lines and traced else None, tuple(never.items()), tuple(always.items()))


def count_pack_moves(game: Game, seed: int, codes: Sequence[int], lines: set[RuleLine], counter: ChoiceCounter) -> int:
    """Returns the number of moves of a game on which pack lines changed something. The set-up counts as a move."""
    position = game.new_position(seed)
    tracer = PackTracer(position, lines)
    moves = 0
    for number, code in enumerate((0, *codes)):
        if number:
            counter.count(position, code)
        with tracer:
            position.step(code)
        moves += tracer.take_action()
    return moves


class ChoiceCounter:
    """Counts how often the added choices are offered and taken."""

    def __init__(self, game: Game, added: Collection[str], offered: Counter[str], taken: Counter[str]) -> None:
        self.game, self.added, self.offered, self.taken = game, set(added), offered, taken
        self._things: dict[tuple[int, int], set[str]] = {}

    def count(self, position: Position, code: int) -> None:
        """Counts a decision. An option that is the only one is no choice."""
        codes = position.s[OPTIONS]
        if not self.added or len(codes) < 2:
            return
        at = position.s[PC]
        sets = [self.find_things(at, each) for each in codes]
        self.offered.update(set().union(*sets) - set(sets[0]).intersection(*sets))
        self.taken.update(self.find_things(at, code) - set(sets[0]).intersection(*sets))

    def find_things(self, at: int, code: int) -> set[str]:
        """Returns the added things that an option chooses. `at` is the program counter at which the rules wait for it."""
        if (at, code) not in self._things:
            kind = self.game.module.waits[at].decision
            assert kind is not None
            self._things[at, code] = self.added.intersection(chosen_things(self.game, kind, code))
        return self._things[at, code]
