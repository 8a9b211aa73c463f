"""Examples for a rulebook, taken from the game's scenario tests: the position, the moves, and the result in
words.

A scenario is suitable if somebody makes a decision in it under the rules of the book. Among scenarios for
the same clauses the shortest is used, and no clause gets two examples. A scenario that ends in the middle
of an action is used only for a clause that asks for a figure. Scenarios that test that a move is not
legal come last, because no figure can show that."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.game.ruleset import build_ruleset as compiled
from ..library.loaded_game import LoadedGame
from ..match.table import HistoryEntry
from ..narration.narrator import Narrator
from ..narration.setup_clauses import clause_family, find_reachable_routines
from ..position.observation import visible_names
from ..position.options import Option
from ..position.position import Decision, Game, GameEvent, Position
from ..position.visibility import ALL_SEATS_VIEWER
from ..table_view.build_panels import build_panels
from ..testing.scenario import Scenario, procedure_calls
from ..testing.scenario_runner import ScenarioRunner, parse_call
from ..testing.traceability import read_all_scenarios
from .book import BookBlock, BookClause, BookParagraph
from .figures import find_changed_panels, make_figure

# per book, per clause family; decisions per example
MAX_EXAMPLES, EXAMPLES_PER_FAMILY, MAX_EXAMPLE_DECISIONS = 14, 2, 4


@dataclass
class RulebookExample:
    """An example: the clauses that it shows, and its blocks."""

    clauses: list[str]
    blocks: list[BookBlock]


def collect_examples(loaded: LoadedGame, narrator: Narrator, clauses: list[str], clause_block: Callable[[str], BookClause],
             players: int | None, faults: list[Diagnostic], pictured: Collection[str] = ()) -> list[RulebookExample]:
    """Returns the examples in the order of the rulebook.

    If `players` is given, all examples use this number of players. Each clause in `pictured` gets an example in
    any case. Rule faults in the scenarios are appended to `faults`."""
    fitting = [scenario for scenario in read_all_scenarios(loaded.found, DiagnosticList()) if is_suitable(scenario, loaded.game)]
    by_players: dict[int, list[Scenario]] = {}
    for scenario in fitting:
        by_players.setdefault(scenario.data.get("players") or loaded.game.model.player_range[0], []).append(scenario)
    most = players or max(by_players, key=lambda n: (len(by_players[n]), n == loaded.game.model.players), default=loaded.game.players)
    games = {loaded.game.players: loaded.game}
    shown: set[str] = set()
    out: list[RulebookExample] = []

    def try_example(scenario: Scenario, many: int, first: str = "") -> bool:
        """Adds the scenario as an example if it fits. Returns whether it was added."""
        news = [clause for clause in scenario.clauses if clause in clauses and clause not in shown]
        if scenario.clauses and not news:
            return False
        news.sort(key=lambda clause: clause != first)
        telling = ExampleRunner(scenario, games[many], Narrator(games[many], narrator.words))
        told = telling.build_blocks()
        faults.extend(telling.result.rule_faults)
        if not told or telling.is_cut_short and not first:
            return False
        shown.update(scenario.clauses)
        head: list[BookBlock] = [BookParagraph(f"{block.text} [{block.id}]") for block in map(clause_block, news[:2])]
        out.append(RulebookExample(news, [*head, *told]))
        return True
    for clause in clauses:
        if clause in pictured:
            for many in [n for n in by_players if players in (None, n)]:
                found = [one for one in by_players[many] if clause in one.clauses]
                if found and clause not in shown and load_game_for(loaded, many, games):
                    try_example(min(found, key=lambda one: len(one.clauses)), many, clause)
    forced = len(out)
    groups = group_by_family(by_players.get(most, []), clauses) if load_game_for(loaded, most, games) else []
    for _ in range(EXAMPLES_PER_FAMILY):
        for group in groups:
            while group and len(out) < MAX_EXAMPLES + forced and not try_example(group.pop(0), most):
                pass
    return sorted(out, key=lambda one: clauses.index(one.clauses[0]) if one.clauses else 0)


def load_game_for(loaded: LoadedGame, players: int, games: dict[int, Game]) -> bool:
    """Loads the game for this number of players into `games`. Returns whether the game can be played by so many."""
    if players not in games:
        ruleset = compiled(loaded.game.ruleset.source, players, loaded.game.ruleset.settings, DiagnosticList())
        if ruleset is not None:
            games[players] = Game(ruleset)
    return players in games


def is_suitable(scenario: Scenario, game: Game) -> bool:
    """Whether a scenario uses the options of the book, has neither house rules nor a second run, and contains a few
    decisions."""
    data, settings = scenario.data, game.model.settings
    if data.get("house") or any(str(settings.get(n)).lower() != str(value).lower() for n, value in (data.get("options") or {}).items()):
        return False
    played = [item for item in data.get("play") or [] if isinstance(item, str)]
    return 0 < len(played) <= MAX_EXAMPLE_DECISIONS and not any(isinstance(item, dict) and "run" in item for item in data.get("play") or [])


def group_by_family(found: list[Scenario], clauses: list[str]) -> list[list[Scenario]]:
    """Groups the scenarios by clause family, the largest family first. Within a family the shortest come first, and
    those that test that a move is not legal come last."""
    place = {clause: n for n, clause in enumerate(clauses)}

    def first_clause_place(one: Scenario) -> int:
        return min((place[clause] for clause in one.clauses if clause in place), default=0)
    families: dict[str, list[Scenario]] = {}
    for scenario in sorted(
        found, key=lambda one: (is_refusal_test(one), len(one.data.get("play") or []), len(one.clauses), first_clause_place(one))
    ):
        family = clause_family(clauses[first_clause_place(scenario)]) if clauses else scenario.name
        families.setdefault(family, []).append(scenario)
    return sorted(families.values(), key=len, reverse=True)


def is_refusal_test(scenario: Scenario) -> bool:
    """Whether a scenario tests that a move is not offered."""
    return any(isinstance(item, dict) and "not_offered" in item for item in scenario.data.get("play") or [])


def extract_procedure_name(key: str) -> str:
    """Returns the name of the procedure that asks a decision: the key up to the point or the case."""
    return key.partition(".")[0].partition("[")[0]


class ExampleRunner(ScenarioRunner):
    """Runs a scenario and records everything that the reader is shown."""

    def __init__(self, scenario: Scenario, game: Game, narrator: Narrator) -> None:
        super().__init__(scenario, game)
        self.narrator = narrator
        self.before: Position | None = None
        self.lines: list[str] = []
        self.taken: list[tuple[int, str]] = []                      # seat and key of each decision taken

    @property
    def is_cut_short(self) -> bool:
        """Whether the scenario ends in the middle of an action.

        This is the case if the last player must answer a new kind of question, or one
        of a procedure that their last choice started."""
        decision = self.position.decision
        if decision is None or not self.taken or decision.seat != self.taken[-1][0]:
            return False
        if decision.key not in {key for _, key in self.taken}:
            return True
        program, (last, now) = self.game.ruleset.program, map(extract_procedure_name, (self.taken[-1][1], decision.key))
        calls = [routine.name for entry in program.families[last].routines for routine in find_reachable_routines(program, entry.body)]
        return last != now and now in calls

    def opening_blocks(self) -> list[BookBlock]:
        """Returns the text about what happened before, if the example starts with a procedure: `example.<procedure>`."""
        out: list[BookBlock] = []
        for text, _ in procedure_calls(self.scenario.data)[:1]:
            found = parse_call(text)
            if found is None or not self.narrator.words.has(key := f"example.{found[0]}"):
                continue
            name, _, words = found
            params = self.game.ruleset.program.families[name].params
            slots = {param.name: (param.type, self.read_argument(word, param.type, ("run",))) for word, param in zip(words, params)}
            out.append(BookParagraph(self.narrator.sentence(key, slots)))
        return out

    def build_blocks(self) -> list[BookBlock]:
        """Returns the table before the first decision, the moves and events, and the table afterwards.
        The list is empty if nothing visible changes."""
        result = self.play()
        if not result.has_passed or self.before is None or not self.lines:
            return []
        panels = build_panels(self.before, self.narrator, ALL_SEATS_VIEWER)  # hands are visible, as when somebody explains the game
        now = build_panels(self.position, self.narrator, ALL_SEATS_VIEWER)
        differ = find_changed_panels(panels, now)
        if not differ:
            return []
        words, keys = self.narrator.words, [panel.key for panel in differ]
        return [
            *self.opening_blocks(),
            *make_figure(self.before, self.narrator, words.text("rulebook.example.before"), differ),
            BookParagraph(words.text("rulebook.example.played"), strong=True),
            *(BookParagraph(line) for line in self.lines),
            *make_figure(self.position, self.narrator, words.text("rulebook.example.after"), [panel for panel in now if panel.key in keys]),
        ]

    def run_next(self) -> None:
        """Also records the events of a procedure that runs after an earlier one."""
        at = len(self.events)
        super().run_next()
        if self.before is not None:
            self.lines += [said for said in map(self.narrator.event_text, self.events[at:]) if said]

    def take_only_option(self, decision: Decision, path: Any) -> None:
        """Also records decisions that are taken automatically."""
        self.before = self.before or self.position.copy()
        step, at = self.make_history_entry(decision, decision.options[0]), len(self.events)
        self.taken.append((decision.seat, decision.key))
        super().take_only_option(decision, path)
        self.add_lines(step, self.events[at:])

    def play_option(self, decision: Decision, option: Option, path: Any) -> None:
        """Also records the decision that is played and its events."""
        self.before = self.before or self.position.copy()
        step, at = self.make_history_entry(decision, option), len(self.events)
        self.taken.append((decision.seat, decision.key))
        super().play_option(decision, option, path)
        self.add_lines(step, self.events[at:])

    def make_history_entry(self, decision: Decision, option: Option) -> HistoryEntry:
        """Returns a decision as a history entry, as the table of a match records it."""
        return HistoryEntry(
            decision.seat,
            decision.key,
            option,
            visible_names(decision),
            decision.kind.secret,
            decision.names_hidden_from_others(option),
            False,
            (),
            None,
        )

    def add_lines(self, step: HistoryEntry, events: list[GameEvent]) -> None:
        """Adds the lines about a decision and its events."""
        words, who = self.narrator.words, self.narrator.seat_value(step.seat)
        did = self.narrator.decision_text(step)
        if did and words.value(who) not in did.lower() + did:          # the sentence does not name the player
            did = words.text("did.generic", who=who, option=did)
        self.lines += [said for said in (did, *map(self.narrator.event_text, events)) if said]
