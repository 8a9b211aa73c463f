"""Compares two positions that a seat cannot distinguish: everything that the seat sees and hears must stay the same.

`TwinComparison(game).play(seed, turns)` plays a random game. At its decisions, it creates a determinization for each seat: another
position that differs only in hidden values. It then compares everything that the seat sees of both positions.

Then both positions continue. The seat itself takes the same moves. The others take moves that look the same to the seat. While the
positions look alike, all texts must be identical.
"""

from __future__ import annotations

import random
import re
from itertools import islice, product
from pathlib import Path
from typing import Any

from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, RulesRejectedError
from ludoglot.dsl.packs.source import read_game
from ludoglot.engine.bots.greedy import BOTS
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.commands.replay_page import ReplayPageTexts, render_page
from ludoglot.engine.explain.refusal_finder import RefusalFinder
from ludoglot.engine.explain.refusal_text import format_refusal
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import HistoryEntry, MatchTable
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.narration.transcript import TranscriptLine
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.observation import observe
from ludoglot.engine.position.options import Option
from ludoglot.engine.position.position import Decision, Game, Position, RuleError
from ludoglot.engine.preview.preview_texts import OptionPreviews
from ludoglot.engine.preview.preview_transcript import preview_items
from ludoglot.engine.preview.transcript_changes import TranscriptWithChanges
from ludoglot.engine.project.describe import visible_text_lines
from ludoglot.engine.table_view.plain_renderer import render_table
from ludoglot.engine.table_view.replay_frames import ReplayFrames
from shared_games import shared

TESTS = Path(__file__).parent.parent
HIDDEN_STATE = re.compile(r"(?m)^state .*\b(hidden|seen by)\b")
RANDOM_SLOT = 4                                                     # the slot of the random generator
LANGUAGES = ("en", "hu")

COMPARED_BOTS = {name: bot for name, bot in BOTS.items() if name not in ("medium", "hard")}       # these think like easy, only longer


class LeakError(AssertionError):
    """A seat can distinguish positions by hidden values. The text shows the difference and its place in the game."""


def list_games() -> list[Path]:
    """Returns every shipped game and toy."""
    folders = sorted([*(TESTS.parent / "rules").iterdir(), *(TESTS / "games").iterdir()])
    return [folder for folder in folders if (folder / "game.yaml").is_file()]


def mentions_hidden_states(folder: Path) -> bool:
    """Whether a game has hidden states, according to the text of its rules. Collecting tests must not compile games."""
    return any(HIDDEN_STATE.search(path.read_text(encoding="utf-8")) for path in folder.glob("*.rules"))


def has_hidden_states(folder: Path) -> bool:
    """Whether a game has hidden states, according to its compiled rules. Uses the text for games with errors."""
    try:
        return any(state.seen != "open" for state in shared(folder).ruleset.program.states.values())
    except RulesRejectedError:
        return mentions_hidden_states(folder)


def list_hidden_games() -> list[tuple[str, int]]:
    """Returns the games with hidden states, with their smallest and largest number of players."""
    found = []
    for folder in filter(mentions_hidden_states, list_games()):
        low, high = read_range(folder)
        found += [(folder.name, players) for players in sorted({low, high})]
    return found


def read_range(folder: Path) -> tuple[int, int]:
    """Returns the range of the number of players."""
    source = read_game(folder, DiagnosticList())
    assert source is not None
    return source.player_range


def load_game(name: str, players: int | None = None) -> Game:
    return shared(name, players)


class TwinComparison:
    """Compares indistinguishable positions of one game.

    `compared` counts the compared pairs of positions, `parted` those that came to look different, and `stumbled` those with a fault in
    the determinization. `pages` also compares the web pages of the games.
    """

    def __init__(self, game: Game, bots: bool = True, pages: bool = False) -> None:
        self.game, self.bots, self.pages = game, bots, pages
        texts = {key: text for key, (text, _) in game.model.texts.items()}
        self.narrators = [Narrator(game, game_localizer(lang, game.ruleset.id, game.ruleset.folder, texts)) for lang in LANGUAGES]
        self.table = MatchTable(game, MatchSetup(game.ruleset.id, game.players, 0, seats=["human"] * game.players))
        self.path: list[str] = []
        self.compared = self.parted = self.stumbled = 0

    def play(self, seed: int, turns: int, ahead: int = 3) -> None:
        """Plays one random game of at most `turns` decisions.

        Every seat compares positions at each decision, and for `ahead` decisions after it.
        """
        rng = random.Random(seed)
        position = self.game.start(seed)
        self.path = [f"{self.game.ruleset.id}, {self.game.players} players, seed {seed}"]
        for _ in range(turns):
            decision = position.decision
            if decision is None:
                break
            for seat in range(self.game.players):
                if decision.seat == seat or not decision.kind.secret:
                    twin = determinize_position(position, seat, random.Random(rng.random()))
                    twin.s[RANDOM_SLOT] = position.s[RANDOM_SLOT]   # public chance must give the same results
                    self.continue_both(position.copy(), twin, seat, ahead, rng)
            option = rng.choice(decision.options)
            self.path.append(f"{decision.seat} {decision.key}: {option}")
            position.play(decision.seat, option)

    def continue_both(self, one: Position, two: Position, seat: int, ahead: int, rng: random.Random) -> None:
        """Continues both positions while the seat cannot distinguish them."""
        depth = len(self.path)
        films = [(ReplayFrames(self.narrators[0], seat), ReplayPageTexts()) for _ in range(2)]
        self.compare_views(one, two, seat)
        self.add_frames(films, (one, two), None)
        for _ in range(ahead):
            first, second = one.decision, two.decision
            if first is None or second is None:
                break
            option = rng.choice(first.options)
            other = self.find_matching_option(first, option, second, seat)
            if other is None:
                break
            self.path.append(f"{first.seat} {first.key}: {option} (or {other})")
            steps = [self.step(position, taken) for position, taken in ((one, option), (two, other))]
            if steps[1] is None and steps[0] is not None:           # a determinization may be inconsistent in the middle of an effect
                self.stumbled += 1
                break
            told = [self.list_lines(step, seat) for step in steps if step is not None]
            if observe(one, seat) != observe(two, seat):                  # something was revealed
                self.parted += 1
                break
            self.assert_same(seat, "what is told", *told)
            self.assert_same(seat, "the story", *(self.list_transcript(step, seat) for step in steps if step is not None))
            self.compare_views(one, two, seat)
            self.add_frames(films, (one, two), [lines[0] for lines in told])
        if self.pages:
            for film, _ in films:
                film.finish()
            self.assert_same(seat, "the page", *(render_page(tale, film) for film, tale in films))
        del self.path[depth:]

    def add_frames(
        self, films: list[tuple[ReplayFrames, ReplayPageTexts]], positions: tuple[Position, Position], told: list[list[str]] | None
    ) -> None:
        """Adds one more step of both positions to the web pages."""
        for n, ((film, tale), position) in enumerate(zip(films, positions) if self.pages else ()):
            film.add(position)
            if told is not None:
                tale.steps.append((position.rounds, told[n]))

    def find_matching_option(self, first: Decision, option: Option, second: Decision, seat: int) -> Option | None:
        """Returns the move of the second position that looks to the seat like this move of the first, or None."""
        if first.seat == seat or not first.kind.secret:
            return second.find(option.spelling)

        def heard(decision: Decision, taken: Option) -> tuple:
            closed = decision.names_hidden_from_others(taken)
            return taken.declines, taken.entry, tuple(value for value in taken.values if value[0] not in closed)
        found = [other for other in second.options if heard(second, other) == heard(first, option)]
        return next((other for other in found if other.code != option.code), found[0] if found else None)

    def step(self, position: Position, option: Option) -> HistoryEntry | None:
        """Takes a move like a table does. Returns None if a rule faults."""
        self.table.position = position
        self.table.steps.clear()
        decision = position.decision
        assert decision is not None
        try:
            return self.table.take(decision, option)
        except RuleError:
            return None

    def list_lines(self, step: HistoryEntry, seat: int) -> list[list[str]]:
        return [narrator.step_lines(step, seat) for narrator in self.narrators]

    def list_transcript(self, step: HistoryEntry, seat: int) -> list[tuple[TranscriptLine, ...]]:
        """Returns the log and the news of a step: its lines, their headings, and the seats that they concern."""
        self.table.steps[:] = [step]
        return [tuple(TranscriptWithChanges(self.table, narrator, seat).build_lines()) for narrator in self.narrators]

    def compare_views(self, one: Position, two: Position, seat: int) -> None:
        """Checks that everything that a seat sees of two positions is the same."""
        self.compared += 1
        self.assert_same(seat, "the view", observe(one, seat), observe(two, seat))
        self.assert_same(seat, "the standing", one.standing(), two.standing())
        for narrator in self.narrators:
            self.assert_same(seat, "the table", render_table(one, narrator, seat), render_table(two, narrator, seat))
            self.assert_same(seat, "the texts in sight", visible_text_lines(one, narrator, seat), visible_text_lines(two, narrator, seat))
        first, second = one.decision, two.decision
        if first is None or second is None or first.seat != seat and first.kind.secret:
            return
        if not first.kind.secret or first.seat == seat:
            self.assert_same(seat, "the options", [str(o) for o in first.options], [str(o) for o in second.options])
            for narrator in self.narrators if first.seat == seat else []:
                self.assert_same(seat, "the question", narrator.question_text(first), narrator.question_text(second))
                shown = [[narrator.option_text(decision, option) for option in decision.options] for decision in (first, second)]
                self.assert_same(seat, "the options in words", *shown)
        if first.seat == seat:
            self.assert_same(seat, "why something is not offered", *(list_refusals(position, self.narrators[0]) for position in (one, two)))
            hints = [OptionPreviews(decision, self.narrators[0]) for decision in (first, second)]
            self.assert_same(seat, "what options would change", *(found.preview_all() for found in hints))
            self.assert_same(seat, "what is told beforehand", *(preview_one_move(found) for found in hints))
        imagined = [determinize_position(position, seat, random.Random(1)).canonical() for position in (one, two)]
        self.assert_same(seat, "what can be imagined", *imagined)
        for name, bot in COMPARED_BOTS.items() if first.seat == seat and self.bots else ():
            choices = (bot(position, seat, decision_rng(7, seat, 1)) for position in (one, two))
            self.assert_same(seat, f"the choice of the bot {name}", *choices)

    def assert_same(self, seat: int, what: str, one: Any, two: Any) -> None:
        if one != two:
            raise LeakError(f"{what} of seat {seat} differs: {find_difference(one, two)}\n  " + "\n  ".join(self.path))


def preview_one_move(hints: OptionPreviews) -> list[Any]:
    """Returns the preview of one of the moves."""
    code = hints.decision.codes[len(hints.decision) // 2]
    return [hints.preview(code), preview_items(hints, hints.foresight.preview(code), ())]


def list_refusals(position: Position, narrator: Narrator) -> list[Any]:
    """Returns the refusals for the seat to decide: at most a dozen of each kind, and the nearest moves."""
    asked = RefusalFinder(position)
    told = []
    for number, choice in enumerate(asked.kind.choices):
        ranges = [asked.list_possible_values(slot, number) for slot in choice.slots]
        whole = list(islice(product(*ranges), 3000))
        answers = [asked.explain_candidate(number, values) for values in whole[:: max(1, len(whole) // 12)]]
        wishes = [{n: frozenset([value])} for n, values in enumerate(ranges) for value in values[:3]]
        answers += [found for wish in wishes if (found := asked.explain(number, wish)) is not None]
        for answer in answers:
            open_ = None if answer.closed else (str(answer.option), [id(test) for test in answer.tests], [raw for _, raw in answer.sides],
                                                format_refusal(narrator, asked.decision, answer))
            told.append((answer.kind, [str(option) for option in answer.options], open_))
    return told


def find_difference(one: Any, two: Any) -> str:
    """Returns the first difference of two nested values, as short as possible."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        return next(f"{key}: {find_difference(one[key], two[key])}" for key in one if one[key] != two[key])
    if isinstance(one, list | tuple) and isinstance(two, list | tuple) and len(one) == len(two):
        return next(f"{n}: {find_difference(a, b)}" for n, (a, b) in enumerate(zip(one, two)) if a != b)
    return f"{one!r} is not {two!r}"
