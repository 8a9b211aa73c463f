"""Examples for a rulebook, out of the scenario tests of the game: the position, what is played, what comes of it, in words.

A scenario is shown when somebody decides something in it under the rules that the book is about. Of those that show the same clauses the
shortest is taken, and never two for one clause. One that stops while somebody is in the middle of something is shown only where a clause
asks for a picture; one that looks for what is not offered comes after the others, since no picture shows that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, Findings
from ...dsl.game.ruleset import build as compiled
from ..library.loaded_game import Loaded
from ..match.table import Step
from ..narration.narrator import Teller
from ..narration.setup_clauses import family_of, reached
from ..position.options import Option
from ..position.position import Decision, Game, Position, Told
from ..position.visibility import ALL, in_sight
from ..table_view.build_panels import build
from ..testing.scenario import Scenario, runs_of
from ..testing.scenario_runner import Runner, called
from ..testing.traceability import scenarios_of
from .book import Block, Clause, Text
from .figures import changed, picture

MOST, EACH, LONGEST = 14, 2, 4                                     # examples in a book, and of one family; decisions in one of them


@dataclass
class Example:
    """One example: the clauses that it shows, the first ones in its own words, and what is told."""

    clauses: list[str]
    blocks: list[Block]


def examples(loaded: Loaded, teller: Teller, clauses: list[str], clause_block: Callable[[str], Clause],
             players: int | None, faults: list[Diagnostic], pictured: Collection[str] = ()) -> list[Example]:
    """The examples, in the order of the rulebook. Where the book is about one number of `players`, they are games of so many; `pictured`
    clauses have one whatever others there are. Faults of the rules on the way are added to `faults`."""
    fitting = [scenario for scenario in scenarios_of(loaded.found, Findings()) if fits(scenario, loaded.game)]
    by_players: dict[int, list[Scenario]] = {}
    for scenario in fitting:
        by_players.setdefault(scenario.data.get("players") or loaded.game.model.player_range[0], []).append(scenario)
    most = players or max(by_players, key=lambda n: (len(by_players[n]), n == loaded.game.model.players), default=loaded.game.players)
    games = {loaded.game.players: loaded.game}
    shown: set[str] = set()
    out: list[Example] = []

    def show(scenario: Scenario, many: int, first: str = "") -> bool:
        """Whether the scenario has become an example."""
        news = [clause for clause in scenario.clauses if clause in clauses and clause not in shown]
        if scenario.clauses and not news:
            return False
        news.sort(key=lambda clause: clause != first)
        telling = Telling(scenario, games[many], Teller(games[many], teller.words))
        told = telling.blocks()
        faults.extend(telling.result.faults)
        if not told or telling.stops_short and not first:
            return False
        shown.update(scenario.clauses)
        head: list[Block] = [Text(f"{block.said} [{block.id}]") for block in map(clause_block, news[:2])]
        out.append(Example(news, [*head, *told]))
        return True
    for clause in clauses:
        if clause in pictured:
            for many in [n for n in by_players if players in (None, n)]:
                found = [one for one in by_players[many] if clause in one.clauses]
                if found and clause not in shown and games_for(loaded, many, games):
                    show(min(found, key=lambda one: len(one.clauses)), many, clause)
    forced = len(out)
    groups = spread(by_players.get(most, []), clauses) if games_for(loaded, most, games) else []
    for _ in range(EACH):
        for group in groups:
            while group and len(out) < MOST + forced and not show(group.pop(0), most):
                pass
    return sorted(out, key=lambda one: clauses.index(one.clauses[0]) if one.clauses else 0)


def games_for(loaded: Loaded, players: int, games: dict[int, Game]) -> bool:
    """Whether the game can be played by so many; then `games` holds it."""
    if players not in games:
        ruleset = compiled(loaded.game.ruleset.source, players, loaded.game.ruleset.settings, Findings())
        if ruleset is not None:
            games[players] = Game(ruleset)
    return players in games


def fits(scenario: Scenario, game: Game) -> bool:
    """Whether a scenario is played with the options of the book, and somebody decides something in it."""
    data, settings = scenario.data, game.model.settings
    if data.get("house") or any(str(settings.get(n)).lower() != str(value).lower() for n, value in (data.get("options") or {}).items()):
        return False
    played = [item for item in data.get("play") or [] if isinstance(item, str)]
    return 0 < len(played) <= LONGEST and not any(isinstance(item, dict) and "run" in item for item in data.get("play") or [])


def spread(found: list[Scenario], clauses: list[str]) -> list[list[Scenario]]:
    """The scenarios by families of clauses, the largest family first; in each, the shortest first, and last those that look for what is
    not offered."""
    place = {clause: n for n, clause in enumerate(clauses)}

    def first(one: Scenario) -> int:
        return min((place[clause] for clause in one.clauses if clause in place), default=0)
    families: dict[str, list[Scenario]] = {}
    for scenario in sorted(found, key=lambda one: (refuses(one), len(one.data.get("play") or []), len(one.clauses), first(one))):
        family = family_of(clauses[first(scenario)]) if clauses else scenario.name
        families.setdefault(family, []).append(scenario)
    return sorted(families.values(), key=len, reverse=True)


def refuses(scenario: Scenario) -> bool:
    """Whether it looks for something that is not offered."""
    return any(isinstance(item, dict) and "not_offered" in item for item in scenario.data.get("play") or [])


def procedure(key: str) -> str:
    """The name of the procedure that asks a decision: what stands before the point and the case."""
    return key.partition(".")[0].partition("[")[0]


class Telling(Runner):
    """A scenario played with everything noted that a reader is told."""

    def __init__(self, scenario: Scenario, game: Game, teller: Teller) -> None:
        super().__init__(scenario, game)
        self.teller = teller
        self.before: Position | None = None
        self.lines: list[str] = []
        self.taken: list[tuple[int, str]] = []                      # seat and key of each decision

    @property
    def stops_short(self) -> bool:
        """Whether it ends in the middle of something: whoever decided last is asked a thing that has not been asked before, or one of a
        procedure that the last choice has only begun."""
        decision = self.position.decision
        if decision is None or not self.taken or decision.seat != self.taken[-1][0]:
            return False
        if decision.key not in {key for _, key in self.taken}:
            return True
        program, (last, now) = self.game.ruleset.program, map(procedure, (self.taken[-1][1], decision.key))
        calls = [routine.name for entry in program.families[last].routines for routine in reached(program, entry.body)]
        return last != now and now in calls

    def opening(self) -> list[Block]:
        """In words, what has come before where the example begins with one procedure: the text `example.<procedure>`."""
        out: list[Block] = []
        for text, _ in runs_of(self.scenario.data)[:1]:
            found = called(text)
            if found is None or not self.teller.words.has(key := f"example.{found[0]}"):
                continue
            name, _, words = found
            params = self.game.ruleset.program.families[name].params
            slots = {param.name: (param.type, self.argument(word, param.type, ("run",))) for word, param in zip(words, params)}
            out.append(Text(self.teller.sentence(key, slots)))
        return out

    def blocks(self) -> list[Block]:
        """The table before the first decision, the story, and the table then; nothing where there is nothing to tell."""
        result = self.play()
        if not result.passed or self.before is None or not self.lines:
            return []
        panels = build(self.before, self.teller, ALL)               # hands lie open, as when somebody explains the game
        now = build(self.position, self.teller, ALL)
        differ = changed(panels, now)
        if not differ:
            return []
        words, keys = self.teller.words, [panel.key for panel in differ]
        return [*self.opening(), *picture(self.before, self.teller, words.text("rulebook.example.before"), differ),
                Text(words.text("rulebook.example.played"), strong=True), *(Text(line) for line in self.lines),
                *picture(self.position, self.teller, words.text("rulebook.example.after"), [panel for panel in now if panel.key in keys])]

    def next_run(self) -> None:
        """What comes of a procedure that runs after another is told too."""
        at = len(self.told)
        super().next_run()
        if self.before is not None:
            self.lines += [said for said in map(self.teller.told, self.told[at:]) if said]

    def take_alone(self, decision: Decision, path: Any) -> None:
        """What takes itself is told like everything else."""
        self.before = self.before or self.position.copy()
        step, at = self.step(decision, decision.options[0]), len(self.told)
        self.taken.append((decision.seat, decision.key))
        super().take_alone(decision, path)
        self.tell(step, self.told[at:])

    def choose(self, who: str | None, spelling: str, path: Any) -> None:
        decision = self.position.decision
        found = decision.find(" ".join(spelling.split())) if decision is not None else None
        if decision is None or found is None:
            super().choose(who, spelling, path)
            return
        self.before = self.before or self.position.copy()
        step = self.step(decision, found)
        at = len(self.told)
        self.taken.append((decision.seat, decision.key))
        super().choose(who, spelling, path)
        self.tell(step, self.told[at:])

    def step(self, decision: Decision, option: Option) -> Step:
        """A decision as the table would note it."""
        return Step(decision.seat, decision.key, option, in_sight(decision), decision.kind.secret, decision.closed(option), False, (), None)

    def tell(self, step: Step, told: list[Told]) -> None:
        words, who = self.teller.words, self.teller.who(step.seat)
        did = self.teller.did(step)
        if did and words.value(who) not in did.lower() + did:          # a sentence that does not say who acts
            did = words.text("did.generic", who=who, option=did)
        self.lines += [said for said in (did, *map(self.teller.told, told)) if said]
