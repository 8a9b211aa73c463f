"""`ludoglot simulate`: plays many bot games, and reports statistics or what a house rule changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ...dsl.diagnostics.render import diagnostic_data
from ..cli.batch import (
    BatchRequest,
    check_report_packages,
    open_journal,
    open_workers,
    progress_bar,
    report_compilation,
    require_lab_packages,
)
from ..cli.console import CommandError, LocalizedConsole, UsageError, render_findings
from ..cli.loading import load_game, parse_settings
from ..cli.localized_click import (
    IntParam,
    argument,
    command,
    jobs_option,
    json_option,
    lang_option,
    option,
    pass_request,
    playing_options,
)
from ..errors import unwritable_error
from ..library.installed_packs import InstalledPack
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ..lab.ab_test import ComparisonResult
    from ..lab.comparison_text import PackReport
    from ..lab.game_statistics import GameStatistics
    from ..lab.plan import LabPlan, RulesetSpec
    from ..lab.playout import GameResult, PlayoutRun
    from ..lab.report_text import ReportSentences
    from ..library.loaded_game import LoadedGame
    from ..position.position import Game

DEFAULT_GAMES = 100                         # default of `--games`
MAX_LISTED_CHANGES = 3                              # at most this many pack changes are listed with a fault in the game's own rules
STALLED_GAMES = 3                                # after this many games without an end, a note says so
DECISIVE_BOTS = ("easy",)                   # bots that play to win, and so finish games that random bots do not
FIRST_PLAYER = ("", "first")                     # in a list of roles: the seat that decides first
ROLE_SAMPLE_GAMES = 20                           # games whose start shows which roles change their owner
BASE_GAME = "base"                        # `--against base` compares with the game without packs


@dataclass(frozen=True)
class SimulationRequest(BatchRequest):
    """The simulation that the command line asks for."""

    against: str | None
    cluster: str | None


@command("simulate")
@argument("game")
@option("--games", type=IntParam(1), word="number", default=DEFAULT_GAMES)
@playing_options
@option("--against", word="path")
@jobs_option
@option("--cluster", word="address")
@option("--out", word="path")
@json_option
@lang_option
@pass_request(SimulationRequest)
def simulate_command(console: LocalizedConsole, request: SimulationRequest) -> int:
    from ..lab.game_statistics import GameStatistics
    from ..lab.pack_subjects import subject_measures
    from ..lab.plan import LabPlan
    if request.cluster is not None and request.jobs > 1:
        raise UsageError("simulate.jobs_alone")
    if request.against is not None and not request.pack_sources:
        raise UsageError("simulate.against_alone")
    given = parse_settings(request.settings)
    packs = [request.pack_sources]
    if request.against is not None:
        packs.append(() if request.against == BASE_GAME else (request.against,))
    loaded = [load_game(console, request.game, request.players, given, locate_packs(names)) for names in packs]
    rules = tuple(make_ruleset_spec(one, given, names) for one, names in zip(loaded, packs))
    plan = LabPlan(rules, request.games, request.seed, parse_bots(request.bots, loaded[0].game.players), request.limit)
    roles = find_roles(plan, loaded[0].game) if plan.is_comparison else []
    reject_pointless_comparison(plan, loaded[0].game, len(roles))
    subjects = subject_measures(loaded[0].game, [role for role in roles if role != FIRST_PLAYER])
    if request.cluster is not None and (own := [bot for bot in plan.bots if ":" in bot]):
        raise UsageError("bot.cluster", bot=own[0])
    out = Path(request.out) if request.out is not None else None
    if request.out is not None:
        if not request.out.strip():
            raise UsageError("usage.path", found=request.out)
        check_report_packages()
    played, verdict = run_simulation(console, plan, out, request.jobs, request.cluster, subjects)
    sides = [
        SimulationSide(request.game, request.settings, names, one, GameStatistics(one.game.players, seen))
        for names, one, seen in zip(packs, loaded, played)
    ]
    faults = [side.fault_diagnostics(plan.bots, plan.limit) for side in sides]
    ends = [side.trial_diagnostics(plan.limit) for side in sides]
    effects = report_packs(sides, plan, subjects) if verdict is not None else None
    if out is not None:
        try:
            write_report(console, out, sides, plan, verdict, effects)
        except OSError as error:
            raise unwritable_error(CommandError, Path(error.filename or out), error) from None
    if request.as_json:
        data = [side_data(side, plan, told, end) for side, told, end in zip(sides, faults, ends)]
        compared = {**verdict.data(), **effects.data()} if verdict is not None and effects is not None else None
        console.print_json(data[0] if compared is None else {"house": data[0], "against": data[1], "compared": compared})
    else:
        if told := [fault for each in (*faults, *ends) for fault in each]:
            console.print_line(render_findings(console, told))
            console.print_line()
        for line in result_lines(console, sides, plan, verdict, effects):
            console.print_line(line)
    return 1 if any(faults) or any(ends) else 0


def reject_pointless_comparison(plan: LabPlan, game: Game, roles: int) -> None:
    """Rejects a comparison that can never show a difference, before any game is played. Raises UsageError."""
    if not plan.is_comparison:
        return
    if len({(rules.meaning, rules.players) for rules in plan.rules}) == 1:
        raise UsageError("simulate.same_rules")
    from ..position.points import has_points
    with require_lab_packages():
        from ..lab.ab_test import min_pairs_needed
    if plan.games < (needed := min_pairs_needed(len(game.teams), has_points(game), roles)):
        raise UsageError("simulate.too_few", n=plan.games, needed=needed)


def find_roles(plan: LabPlan, game: Game) -> list[tuple[str, str]]:
    """Returns the roles whose owner changes from game to game, as far as the first games show it.

    They are pairs of state and member, and FIRST_PLAYER if another seat decides first."""
    from ...dsl.backend_python.runtime import RuleFault
    from ..lab.game_statistics import find_changing_roles
    from ..lab.playout import player_roles
    from ..position.position import RuleError
    try:
        starts = [game.start(plan.seed + n) for n in range(min(plan.games, ROLE_SAMPLE_GAMES))]
    except (RuleFault, RuleError):                                 # the simulation reports the fault
        return []
    first = {decision.seat for position in starts if (decision := position.decision) is not None}
    return [*find_changing_roles(map(player_roles, starts)), *([FIRST_PLAYER] if len(first) > 1 else [])]


def report_packs(sides: Sequence[SimulationSide], plan: LabPlan, subjects: Sequence[str]) -> PackReport:
    """Returns how often the house rules came into play, and how often players chose what they add."""
    from ..lab.comparison_text import PackReport
    from ..lab.pack_activity import trace_pack_activity
    from ..lab.pack_subjects import added_choices, count_choices
    from ..lab.plan import get_compiled_game
    (game, base), games = [side.loaded.game for side in sides], sides[0].figures.games
    activity = trace_pack_activity(game, games, plan.bots, plan.limit, get_compiled_game(plan, 0), added_choices(game, base))
    return PackReport(subjects, count_choices(game, base, games), activity)


def result_lines(
    console: LocalizedConsole, sides: list[SimulationSide], plan: LabPlan, verdict: ComparisonResult | None, effects: PackReport | None
) -> list[str]:
    """Returns the result as sentences: a comparison, or the statistics of one set of rules."""
    from ..lab.comparison_text import ComparisonSentences
    says = make_report_sentences(console, sides[0], plan)
    packs = says.pack_sentences([side.describe_packs(console.lang) for side in sides])
    if verdict is not None and effects is not None:
        return [*packs, *ComparisonSentences(says, verdict, effects).lines()]
    figures = sides[0].figures
    endless = [console.text("simulate.endless")] if is_endless(plan, figures.games) else []
    return [*packs, *says.game_sentences(figures), *endless]


def make_report_sentences(console: LocalizedConsole, side: SimulationSide, plan: LabPlan) -> ReportSentences:
    """Returns the object that writes the sentences of the report, in the language of the console."""
    from ..lab.report_text import ReportSentences
    from ..narration.narrator import Narrator
    return ReportSentences(Narrator(side.loaded.game, side.loaded.localizer(console.lang)), plan)


def parse_bots(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Returns the requested bots: one for all seats, or one for each. Raises MessageError."""
    from ..api.own_bots import is_own_bot, load_bot_class
    from ..bots.greedy import BOTS
    bots = tuple(name.removeprefix("bot:") for name in names)
    for given, bot in zip(names, bots):
        if is_own_bot(f"bot:{bot}"):
            load_bot_class(f"bot:{bot}")
        elif bot not in BOTS:
            raise UsageError("usage.bot", name=given, bots=[*sorted(BOTS), "module:Class"], meant=did_you_mean(bot, BOTS, LENIENT_CUTOFF))
    if len(bots) not in (1, players):
        raise UsageError("usage.seats", given=len(bots), wanted=players)
    return bots


def make_ruleset_spec(loaded: LoadedGame, settings: dict[str, str], pack_sources: Iterable[str]) -> RulesetSpec:
    """Returns the spec with which worker processes load the same rules; this process keeps the loaded game."""
    from ..lab.plan import LOADED_GAMES, RulesetSpec
    paths = tuple(str(Path(str(pack)).resolve()) for pack in locate_packs(pack_sources))
    rules = RulesetSpec(str(loaded.found.folder.resolve()), loaded.game.players, tuple(settings.items()), paths, loaded.game.fingerprint)
    LOADED_GAMES[rules] = loaded.game
    return rules


# ---------------------------------------------------------------- playing


def run_simulation(
    console: LocalizedConsole, plan: LabPlan, out: Path | None, jobs: int, cluster: str | None, subjects: Sequence[str]
) -> tuple[list[list[GameResult]], ComparisonResult | None]:
    """Plays all games of a plan; returns the results by side, and the result of the comparison if there is one.

    `subjects` are the measures that the house rules are about."""
    from ..lab.runner import PlanRun
    looks = None
    if plan.is_comparison:
        with require_lab_packages():
            from ..lab.ab_test import SequentialTest
        looks = SequentialTest(plan, subjects)
    with (
        open_workers(console, jobs, cluster) as workers,
        open_journal(console, out, plan) as journal,
        report_compilation(console, plan, cluster is None),
    ):
        known = len(journal.games) if journal is not None else 0
        with progress_bar(console, len(plan.game_keys(plan.games)), known) as tell:
            warned = False

            def report_games(played: int) -> None:
                """Moves the progress bar. Warns once if no game ends, because each of them takes long."""
                nonlocal warned
                tell(played)
                if not warned and len(run.games) >= STALLED_GAMES and is_endless(plan, run.games.values()):
                    console.print_stderr(console.text("simulate.endless"))
                    warned = True
            run = PlanRun(plan, workers, journal, report_games)
            if looks is None:
                run.run_until([plan.games])
            else:
                run.run_until(looks.stops, looks.is_conclusive_after)
    played = [[game for (side, _), game in run.games.items() if side == n] for n in range(len(plan.rules))]
    return played, looks.verdict if looks is not None else None


def is_endless(plan: LabPlan, games: Iterable[GameResult]) -> bool:
    """Whether random bots play and no game has ended."""
    return "random" in plan.bots and all(game.stalled for game in games)


# ---------------------------------------------------------------- report


def replay_command_line(
    name: str, game: Game, bots: Sequence[str], played: GameResult, settings: Iterable[str], pack_sources: Iterable[str]
) -> str:
    """Returns the command line that plays a game again."""
    from ..lab.playout import bots_by_seat
    words = ["ludoglot", "play", name, "--seats", ",".join(f"bot:{bot}" for bot in bots_by_seat(bots, game.players))]
    words += [word for setting in settings for word in ("--option", setting)] + [
        word for house in pack_sources for word in ("--pack", house)
    ]
    return " ".join([*words, "--seed", str(played.seed)])


def add_replay_details(diagnostic: Diagnostic, played: GameResult, command_line: str) -> Diagnostic:
    """Returns the diagnostic of a failed game with the decision at which it failed and the command to replay it."""
    assert played.fault is not None
    more = {"number": played.fault.number, "key": played.fault.key, "option": played.fault.option, "command": command_line,
            "seed": played.seed}
    return replace(diagnostic, args={**diagnostic.args, **more}, hint="seen_in_play" if played.fault.key else "seen_in_set_up")


@dataclass(frozen=True)
class SimulationSide:
    """One side of a simulation: the rules as requested, the loaded game, and the statistics."""

    name: str
    settings: tuple[str, ...]
    pack_sources: tuple[str, ...]
    loaded: LoadedGame
    figures: GameStatistics

    @property
    def packs(self) -> dict[str, dict[str, object]]:
        """The active packs by name, each with the values that it sets."""
        return {pack.name: dict(pack.data.get("set") or {}) for pack in self.loaded.game.ruleset.source.packs}

    def describe_packs(self, lang: str) -> dict[str, str]:
        """Returns the description of each active pack by name, or the values that it sets if it has no description."""
        packs = [InstalledPack(pack.name, "", Path(), pack.data.get("text")) for pack in self.loaded.game.ruleset.source.packs]
        return {pack.name: pack.description_in(lang) or "; ".join(f"{path} = {value}" for path, value in self.packs[pack.name].items())
                for pack in packs}

    def fault_diagnostics(self, bots: Sequence[str], limit: int) -> list[Diagnostic]:
        """Returns one diagnostic for each different fault."""
        from ..lab.playout import replay_fault
        return [
            self.complete_diagnostic(replay_fault(self.loaded.game, played, bots, limit), played, bots)
            for played, _ in self.figures.fault_counts
        ]

    def complete_diagnostic(self, fault: Diagnostic, played: GameResult, bots: Sequence[str]) -> Diagnostic:
        """Returns the diagnostic of a failed game with the pack that causes it and the command to replay it."""
        return add_replay_details(
            self.add_pack_places(fault),
            played,
            replay_command_line(self.name, self.loaded.game, bots, played, self.settings, self.pack_sources),
        )

    def make_trial_playout(self, limit: int) -> PlayoutRun | None:
        """Returns a game by bots that play to win, if there are house rules and no game has ended.

        In that case the rules for the end of the game have not run yet."""
        from ..lab.playout import PlayoutRun
        if not self.pack_sources or any(not one.stalled for one in self.figures.games):
            return None
        return PlayoutRun(self.loaded.game, 1, DECISIVE_BOTS, limit)

    def trial_diagnostics(self, limit: int) -> list[Diagnostic]:
        """Returns the diagnostics of that trial game."""
        trial = self.make_trial_playout(limit)
        return self.playout_diagnostics(trial) if trial is not None else []

    def playout_diagnostics(self, playout: PlayoutRun) -> list[Diagnostic]:
        """Plays a game now and returns its diagnostics."""
        played = playout.play_to_end()
        return [self.complete_diagnostic(playout.fault, played, playout.names)] if playout.fault is not None else []

    def add_pack_places(self, diagnostic: Diagnostic) -> Diagnostic:
        """Returns a diagnostic with related places in the packs.

        They are added only if the fault is in the game's own rules. They are the pack data or the pack declaration
        that these rules use. If there is none, all changes of the packs are added, as long as there are few."""
        from ...dsl.analysis.range_proofs import iter_data_names, iter_declarations
        ruleset = self.loaded.game.ruleset
        overlay, places = ruleset.source.overlay, (diagnostic.place, *diagnostic.calls)
        if overlay is None or any(overlay.find_pack_of_file(place.path) is not None for place in places):
            return diagnostic
        for data in iter_data_names(ruleset.program, places):
            if (change := overlay.find_change(data)) is not None:
                return replace(diagnostic, also=(*diagnostic.also, change.place))
        declared = [place for place in iter_declarations(ruleset.program, places) if overlay.find_pack_of_file(place.path) is not None]
        behind = declared[:1] or list(dict.fromkeys(one.place for one in overlay.changes))
        return replace(diagnostic, also=(*diagnostic.also, *behind)) if len(behind) <= MAX_LISTED_CHANGES else diagnostic


def write_report(
    console: LocalizedConsole, folder: Path, sides: list[SimulationSide], plan: LabPlan, verdict: ComparisonResult | None,
    effects: PackReport | None,
) -> None:
    """Writes the results into a folder: tables of columns, and an HTML page in the reader's language."""
    from ...dsl.yaml.atomic_write import write_atomically
    from ..lab import export
    from ..lab.choice_labels import ChoiceLabels
    from ..lab.choice_value import compute_choice_shifts, compute_choice_values
    from ..lab.comparison_text import PackReport
    from ..lab.html_report import ReportData, render_report
    from ..lab.plan import get_compiled_game
    from ..lab.score_sources import average_score_sources
    told = make_report_sentences(console, sides[0], plan)
    games = [side.figures.games for side in sides]
    naming = ChoiceLabels(told.narrator, games[0])
    judged = [compute_choice_values(each, naming.is_reported) for each in games]
    asked = {path.rpartition(".")[0] for side in sides for sets in side.packs.values() for path in sets}
    changes = compute_choice_shifts(games[0], games[1], naming.is_reported, asked) if verdict is not None else []
    called = naming.label_all([merit.thing for each in judged for merit in each if naming.is_reported(merit.thing)])
    export.write_table(folder, "games", export.game_rows(games))
    export.write_table(folder, "things", export.thing_rows(judged, changes, called))
    given = [average_score_sources(side.loaded.game, each, plan.bots, plan.limit, get_compiled_game(plan, n), told.words.has)
             if len(side.figures.mean_terms) < 2 else {} for n, (side, each) in enumerate(zip(sides, games))]
    page = render_report(
        ReportData(told, [side.figures for side in sides], judged[0], verdict, changes, [side.packs for side in sides], given,
                   effects or PackReport(), [side.describe_packs(console.lang) for side in sides])
    )
    write_atomically(folder / "report.html", page.encode())
    console.print_stderr(console.text("file.written", file=str(folder / "report.html")))


def player_ids(game: Game) -> list[str]:
    """Returns the names of the players in the rules."""
    return game.model.enums["Player"].members[:game.players]


def side_data(side: SimulationSide, plan: LabPlan, diagnostics: list[Diagnostic], end: list[Diagnostic]) -> dict[str, Any]:
    """Returns the results of one side as data for `--json`. `end` is the result of `trial_diagnostics`."""
    faults = []
    for found, (played, count) in zip(diagnostics, side.figures.fault_counts):
        fault = played.fault
        assert fault is not None
        faults.append({"seed": played.seed, "decision": fault.number, "key": fault.key or None, "option": fault.option or None,
                       "games": count, **diagnostic_data(found)})
    game = side.loaded.game
    return {"game": game.ruleset.id, "players": game.players, "options": game.ruleset.settings, "house": side.loaded.house_names,
            "bots": plan.bots[0] if len(plan.bots) == 1 else list(plan.bots), "seed": plan.seed, **side.figures.data(player_ids(game)),
            "faults": faults, **({"trial": [diagnostic_data(found) for found in end]} if end else {})}
