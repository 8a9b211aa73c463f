"""`ludoglot balance`: searches values of house rules for a given objective and reports the trials."""

from __future__ import annotations

import errno
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.diagnostics.render import diagnostic_data
from ..cli.batch import BatchRequest, open_workers, progress_bar, require_lab_packages
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
from ..cli.output import write_output_file
from ..i18n import ProperName
from ..library.load import locate_packs
from .simulate import SimulationSide, make_ruleset_spec, parse_bots

if TYPE_CHECKING:
    from ...dsl.core.program import Program
    from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
    from ...dsl.packs.manifest import Pack
    from ...dsl.packs.source import GameSource
    from ..lab.game_statistics import GameStatistics
    from ..lab.objectives import Objective
    from ..lab.plan import LabPlan
    from ..lab.report_text import ReportSentences
    from ..lab.runner import Workers
    from ..lab.tuning import CandidateValues, SearchRange, TuningTrial
    from ..library.loaded_game import LoadedGame
    from ..position.position import Game

DEFAULT_GAMES, DEFAULT_TRIALS = 200, 30             # games per trial; number of trials
MAX_LISTED_TRIALS, BEST_LISTED_TRIALS = 12, 5                    # up to 12 trials are all listed, of more only the best 5
MIN_RANGE_RADIUS = 3                              # how far a value may move at least, if no range is given


@dataclass(frozen=True)
class BalanceRequest(BatchRequest):
    """The search that the command line asks for."""

    aim: str
    vary: tuple[str, ...]
    trials: int


@command("balance")
@argument("game")
@option("--aim", required=True, word="aim")
@option("--vary", multiple=True, word="range")
@option("--trials", type=IntParam(1), word="number", default=DEFAULT_TRIALS)
@option("--games", type=IntParam(1), word="number", default=DEFAULT_GAMES)
@playing_options
@jobs_option
@option("--out", word="path")
@json_option
@lang_option
@pass_request(BalanceRequest)
def balance_command(console: LocalizedConsole, request: BalanceRequest) -> int:
    from ..lab.objectives import parse_objective
    from ..lab.plan import LabPlan
    from ..lab.tuning import find_best_trial, search_values
    wanted = parse_objective(request.aim)
    if wanted is None:
        raise UsageError("balance.aim", found=request.aim)
    given = parse_settings(request.settings)
    loaded = load_game(console, request.game, request.players, given, locate_packs(request.pack_sources))
    ranges = resolve_ranges(loaded.game.ruleset.source, request.vary)
    reject_unreachable_aim(wanted, loaded.game, request.limit)
    if request.out is not None and Path(request.out).exists():
        raise CommandError("new.exists", file=request.out)
    if request.out is not None and not Path(request.out).absolute().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(Path(request.out).parent))
    with require_lab_packages("balance"):
        from ..lab import bootstrap  # noqa: F401  fail before the first game, not after the last
    rules, seats = make_ruleset_spec(loaded, given, request.pack_sources), parse_bots(request.bots, loaded.game.players)
    plan = LabPlan((rules,), request.games, request.seed, seats, request.limit)
    with open_workers(console, request.jobs, None) as workers, tempfile.TemporaryDirectory(prefix="ludoglot-balance-") as folder:
        table = TrialRunner(loaded, given, request.pack_sources, ranges, plan, wanted, workers, Path(folder))
        every = math.prod(one.size for one in ranges)
        with progress_bar(console, request.games * min(request.trials + 1, every)) as tell, require_lab_packages("balance"):
            table.tell = tell
            tried = list(search_values(ranges, request.trials, request.seed, table.run_trial))
        best, again = find_best_trial(tried), []
        if best is not None:
            fresh = replace(plan, seed=request.seed + request.games)
            again = [table.play_games(numbers, fresh) for numbers in dict.fromkeys((best.numbers, table.now))]
    apart = table.is_improvement_significant(again)
    if request.out is not None and best is not None:
        text = format_pack(loaded, ranges, best.numbers, Path(request.out).stem)
        write_output_file(Path(request.out), text if apart is not False else f"# {console.text('balance.alike')}\n{text}")
    if request.as_json:
        console.print_json(
            {**report_data(table, tried, best, again, apart), "faults": [diagnostic_data(one) for one in table.faults.values()]}
        )
    else:
        if table.faults:
            console.print_line(render_findings(console, list(table.faults.values())))
            console.print_line()
        for line in report_lines(console, table, tried, best, again, apart):
            console.print_line(line)
        if request.out is not None and best is not None:
            console.print_stderr(console.text("file.written", file=request.out))
    return 0 if best is not None and not table.faults else 1


# ---------------------------------------------------------------- search ranges


def reject_unreachable_aim(aim: Objective, game: Game, limit: int) -> None:
    """Rejects an objective that no game can approach, whatever its values are, before any game is played.

    Raises UsageError."""
    from ..lab.playout import choosable_things
    if aim.kind in ("seats", "worth") and game.players == 1:
        raise UsageError("balance.alone")
    if aim.kind == "rounds" and not has_round_loop(game.ruleset.program):
        raise UsageError("balance.no_rounds")
    if aim.kind == "length" and aim.goal > limit:
        raise UsageError("balance.too_long", limit=limit, goal=round(aim.goal))
    domain = game.model.enums.get(aim.thing.partition(".")[0])
    endless = domain is not None and not domain.first_index              # an unbounded board
    if aim.kind == "worth" and not endless and aim.thing not in (known := choosable_things(game)):
        raise UsageError("balance.thing", name=aim.thing, meant=did_you_mean(aim.thing, known, LENIENT_CUTOFF))


def has_round_loop(program: Program) -> bool:
    """Whether a game is played in rounds: only the round loops directly in its first phase count."""
    from ...dsl.core.nodes import RoundsLoop
    return any(isinstance(node, RoundsLoop) for routine in program.families["game"].routines for node in routine.body)


def resolve_ranges(source: GameSource, vary: Iterable[str]) -> list[SearchRange]:
    """Returns the search ranges: those given with `--vary`, otherwise one for each integer that the packs set or add.

    Raises UsageError if there is nothing to search."""
    from ..lab.tuning import SearchRange
    found = [parse_range(source, text) for text in vary]
    if not found:
        for path in paths_set_by_packs(source):
            was = integer_at_path(source, path)
            if was is not None:
                found.append(SearchRange(path, max(0, min(was // 2, was - MIN_RANGE_RADIUS)), max(2 * was, was + MIN_RANGE_RADIUS), was))
    if not found:
        raise UsageError("balance.nothing")
    return list({one.path: one for one in found}.values())


def parse_range(source: GameSource, text: str) -> SearchRange:
    """Parses a range such as `Card.joker.points=1..6`. Raises UsageError."""
    from ...dsl.packs.data_paths import value_names, value_path
    from ..lab.tuning import SearchRange
    parts = re.fullmatch(r"([^=\s]+)=(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})", text)
    if parts is None or int(parts[2]) > int(parts[3]):
        raise UsageError("balance.range", found=text)
    if value_path(source, parts[1]) is None:
        raise UsageError("balance.unknown", name=parts[1], meant=did_you_mean(parts[1], value_names(source), LENIENT_CUTOFF))
    was = integer_at_path(source, parts[1])
    if was is None:
        raise UsageError("balance.no_number", name=parts[1])
    return SearchRange(parts[1], int(parts[2]), int(parts[3]), was)


def integer_at_path(source: GameSource, path: str) -> int | None:
    """Returns the integer at a data path, or None if the value there is not an integer."""
    from ...dsl.packs.data_paths import value_at, value_path
    where = value_path(source, path)
    value = value_at(source, where) if where is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def paths_set_by_packs(source: GameSource) -> list[str]:
    """Returns all data paths that the active packs set, and the numbers that they add."""
    added = [(pack.data.get("add") or {}).get("numbers") or {} for pack in source.packs]
    return list(dict.fromkeys(path for pack, numbers in zip(source.packs, added) for path in (*(pack.data.get("set") or {}), *numbers)))


def format_pack(loaded: LoadedGame, ranges: Sequence[SearchRange], numbers: CandidateValues, name: str) -> str:
    """Returns the YAML of a pack that sets these values on top of the active packs."""
    packs = loaded.game.ruleset.source.packs
    name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    pack: dict[str, Any] = {"house": name if name and name[0].isalpha() else f"balanced-{name}".rstrip("-"), "for": loaded.game.ruleset.id}
    if packs:
        pack["needs"] = [one.name for one in packs]
    over = {one.name: [r.path for r in ranges if is_defined_by_pack(one, r.path)] for one in packs}
    if any(over.values()):
        pack["over"] = {name: paths for name, paths in over.items() if paths}
    pack["set"] = {one.path: number for one, number in zip(ranges, numbers)}
    return yaml.safe_dump(pack, sort_keys=False, allow_unicode=True)


def is_defined_by_pack(pack: Pack, path: str) -> bool:
    """Whether a pack sets the value at a path, or adds the member that the path belongs to."""
    if path in (pack.data.get("set") or {}):
        return True
    added = pack.data.get("add") or {}
    names = {*added, *(name for entries in added.values() if isinstance(entries, dict) for name in entries)}
    return any(path == name or path.startswith(f"{name}.") for name in map(str, names))


class TrialRunner:
    """Plays the games of each trial with modified rules and measures the objective."""

    def __init__(
        self,
        loaded: LoadedGame,
        chosen_settings: dict[str, str],
        pack_sources: Sequence[str],
        ranges: Sequence[SearchRange],
        plan: LabPlan,
        aim: Objective,
        workers: Workers,
        folder: Path,
    ) -> None:
        self.loaded, self.chosen_settings, self.pack_sources, self.ranges = loaded, chosen_settings, pack_sources, ranges
        self.plan, self.aim, self.workers, self.folder = plan, aim, workers, folder
        self.tell: Callable[[int], None] = lambda count: None
        self.now: CandidateValues = tuple(one.was for one in ranges)
        self.count = 0
        self.faults: dict[tuple[str, SourceSpan], Diagnostic] = {}      # each fault that occurred in a game, once

    def run_trial(self, numbers: CandidateValues) -> TuningTrial:
        """Plays the games for one set of values and returns the measured trial."""
        from ..lab.tuning import TuningTrial
        figures = self.play_games(numbers, self.plan)
        if figures is None or figures.fault_counts:
            return TuningTrial(numbers, refused=figures is None, faulty=figures is not None)
        return TuningTrial(numbers, self.aim.distance(figures), self.aim.measure(figures), False, *self.confidence_interval(figures))

    def confidence_interval(self, figures: GameStatistics) -> tuple[float, float]:
        """Returns the confidence interval of the measure (bootstrap)."""
        from ..lab.bootstrap import bootstrap_interval
        return bootstrap_interval(self.aim, figures, self.plan.seed)

    def is_improvement_significant(self, again: Sequence[GameStatistics | None]) -> bool | None:
        """Whether the best values, played again, are significantly nearer to the objective than the current values.

        None if both are the same, or if one of the two could not be played."""
        from ..lab.bootstrap import is_closer
        if len(again) < 2 or again[0] is None or again[1] is None:
            return None
        return is_closer(self.aim, again[0], again[1], self.plan.seed)

    def play_games(self, numbers: CandidateValues, plan: LabPlan) -> GameStatistics | None:
        """Plays the games of a plan with these values and returns their statistics, or None if the rules reject the
        values."""
        from ..lab.game_statistics import GameStatistics
        from ..lab.plan import unload_game
        from ..lab.runner import PlanRun
        loaded, pack_sources = self.loaded, list(self.pack_sources)
        if numbers != self.now:
            self.count += 1
            pack = self.folder / f"balanced-{self.count}.yaml"
            pack.write_text(format_pack(loaded, self.ranges, numbers, pack.stem), encoding="utf-8")
            pack_sources.append(str(pack))
            made = self.load_variant(pack_sources)
            if made is None:
                return None
            loaded = made
        rules, settings = (
            make_ruleset_spec(loaded, self.chosen_settings, pack_sources),
            tuple(f"{name}={value}" for name, value in self.chosen_settings.items()),
        )
        run = PlanRun(replace(plan, rules=(rules,)), self.workers, None, self.tell)
        run.run_until([plan.games])
        if numbers != self.now:
            unload_game(rules)
        figures = GameStatistics(loaded.game.players, run.games.values())
        for found in SimulationSide(self.loaded.found.name, settings, tuple(pack_sources), loaded, figures).fault_diagnostics(
            plan.bots, plan.limit
        ):
            self.faults.setdefault((found.code, found.place), found if numbers == self.now else replace(found, hint=None))
        return figures

    def load_variant(self, pack_sources: Sequence[str]) -> LoadedGame | None:
        """Loads the game with these packs; returns None if the rules have errors."""
        from ...dsl.game.ruleset import try_load_ruleset
        from ..position.position import Game
        ruleset = try_load_ruleset(
            self.loaded.found.folder, DiagnosticList(), self.loaded.game.players, dict(self.chosen_settings), locate_packs(pack_sources)
        )
        return replace(self.loaded, game=Game(ruleset)) if ruleset is not None else None


# ---------------------------------------------------------------- report


def report_lines(
    console: LocalizedConsole,
    table: TrialRunner,
    trials: Sequence[TuningTrial],
    best: TuningTrial | None,
    again: Sequence[GameStatistics | None],
    distinguishable: bool | None,
) -> list[str]:
    """Returns the report: the trials, the best one, and how it does in games that did not select it."""
    from ..lab.choice_labels import ChoiceLabels
    from ..lab.report_text import ReportSentences
    from ..narration.narrator import Narrator
    words = table.loaded.localizer(console.lang)
    told = ReportSentences(Narrator(table.loaded.game, words), table.plan)
    out = [words.text("balance.tried", n=len(trials), games=table.plan.games)]
    refused = sum(one.refused for one in trials)
    if refused:
        out.append(words.text("balance.refused", n=refused))
    if faulty := sum(one.faulty for one in trials):
        out.append(words.text("balance.faulty", n=faulty))
    if best is None:
        worth = table.aim.kind == "worth" and any(not one.refused for one in trials)
        return [
            *out,
            words.text("balance.none.worth", thing=ChoiceLabels(told.narrator).label_all([table.aim.thing])[table.aim.thing])
            if worth
            else words.text("balance.none"),
        ]
    near = sorted((one for one in trials if one.off < math.inf), key=lambda one: one.off)
    out += ["", words.text("balance.list")]
    out += [f"  {n}. {words.text('balance.numbers', numbers=format_assignments(table.ranges, one.numbers))} "
            f"{format_measure_sentence(told, table.aim, one.measure, (one.low, one.high))}"
            for n, one in enumerate(near if len(near) <= MAX_LISTED_TRIALS else near[:BEST_LISTED_TRIALS], 1)]
    if len(again) < 2:
        return [*out, "", words.text("balance.stays")]
    out += ["", words.text("balance.again", n=table.plan.games)]
    for key, figures in zip(("balance.with_new", "balance.with_old"), again):
        if figures is not None:
            out += [
                f"  {words.text(key)}",
                f"    {format_measure_sentence(told, table.aim, table.aim.measure(figures), table.confidence_interval(figures))}",
            ]
    return [*out, *([words.text("balance.apart" if distinguishable else "balance.alike")] if distinguishable is not None else [])]


def format_assignments(ranges: Sequence[SearchRange], numbers: CandidateValues) -> list[ProperName]:
    """Returns `path = value` for each searched value, as a pack would set it."""
    return [ProperName(f"{one.path} = {number}") for one, number in zip(ranges, numbers)]


def format_measure_sentence(sentences: ReportSentences, aim: Objective, measure: float, ends: tuple[float, float]) -> str:
    """Returns a sentence with the measured value and its confidence interval."""
    from ..lab.choice_labels import ChoiceLabels
    from ..lab.objectives import NOT_MEASURABLE
    text = sentences.words.text
    if measure == NOT_MEASURABLE:
        return text("balance.never")
    if aim.kind in ("length", "rounds"):
        low, high = map(sentences.format_number, ends)
        return sentences.words.range_text(f"balance.{aim.kind}", mean=sentences.format_number(measure), low=low, high=high)
    if aim.kind == "seats":
        low, high = map(sentences.format_percent, ends)
        return sentences.words.range_text("balance.seats", by=sentences.format_percent(measure), low=low, high=high)
    low, high = (sentences.format_signed(100 * end) for end in (ends if measure >= 0 else (-ends[1], -ends[0])))
    return text(
        "balance.better" if measure >= 0 else "balance.worse",
        thing=ChoiceLabels(sentences.narrator).label_all([aim.thing])[aim.thing],
        by=sentences.format_percent(abs(measure)),
        low=low,
        high=high,
    )


def report_data(
    table: TrialRunner,
    trials: Sequence[TuningTrial],
    best: TuningTrial | None,
    again: Sequence[GameStatistics | None],
    distinguishable: bool | None,
) -> dict[str, Any]:
    """Returns the report as data for `--json`. A value that could not be measured is null."""
    def finite_or_none(value: float) -> float | None:
        return round(value, 4) if value < math.inf else None

    def trial_data(trial: TuningTrial) -> dict[str, Any]:
        return {
            "numbers": {r.path: n for r, n in zip(table.ranges, trial.numbers)},
            "measure": finite_or_none(trial.measure),
            "low": finite_or_none(trial.low),
            "high": finite_or_none(trial.high),
            "off": finite_or_none(trial.off),
            "refused": trial.refused,
        }

    def recheck_data(figures: GameStatistics | None) -> dict[str, float | None] | None:
        if figures is None:
            return None
        low, high = table.confidence_interval(figures)
        return {"measure": finite_or_none(table.aim.measure(figures)), "low": finite_or_none(low), "high": finite_or_none(high)}
    checked = {key: recheck_data(figures) for key, figures in zip(("best", "now"), again)}
    return {
        "aim": table.aim.kind,
        "varied": [{"path": r.path, "low": r.low, "high": r.high, "was": r.was} for r in table.ranges],
        "tried": [trial_data(each) for each in trials],
        "best": trial_data(best) if best is not None else None,
        "again": checked,
        "better": distinguishable,
    }
