"""`ludoglot simulate`: many games by bots, what was seen in them, and what a house rule changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cli.batch import compiling, journal_in, lab_packages, progress, report_packages, workers_for
from ..cli.console import Usage, Voice
from ..cli.loading import load_game, packs_from, settings_from
from ..cli.localized_click import WholeNumber, argument, command, jobs_option, json_option, lang_option, option, playing_options
from ..cli.output import unwritable

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ..lab.ab_test import Verdict
    from ..lab.game_statistics import Figures
    from ..lab.plan import Plan, Rules
    from ..lab.playout import Played, Playout
    from ..lab.report_text import Told
    from ..library.loaded_game import Loaded
    from ..position.position import Game

PLAYED = 100                         # games, when nobody says how many
FEW = 3                              # changes of packs that are all named beside a fault in the rules of the game
ENDING = ("easy",)                   # bots that play to win, and so end games that random ones never end
BASE = "base"                        # what house rules are compared with, besides other packs


@command("simulate")
@argument("game")
@option("--games", type=WholeNumber(1), word="number", default=PLAYED)
@playing_options
@option("--against", word="path")
@jobs_option
@option("--cluster", word="address")
@option("--out", word="path")
@json_option
@lang_option
@click.pass_obj
def simulate_command(voice: Voice, game: str, games: int, players: int | None, settings: tuple[str, ...], bots: list[str], seed: int,
                     limit: int | None, houses: tuple[str, ...], against: str | None, jobs: int, cluster: str | None,
                     out: str | None, as_json: bool) -> int:
    from ..cli.rendering import rendered
    from ..lab.game_statistics import Figures
    from ..lab.plan import Plan
    from ..lab.playout import LIMIT
    if cluster is not None and jobs > 1:
        raise Usage("simulate.jobs_alone")
    if against is not None and not houses:
        raise Usage("simulate.against_alone")
    given = settings_from(settings)
    packs = [houses] if against is None else [houses, () if against == BASE else (against,)]
    loaded = [load_game(voice, game, players, given, packs_from(names)) for names in packs]
    rules = tuple(rules_of(one, given, names) for one, names in zip(loaded, packs))
    plan = Plan(rules, games, seed, bots_from(bots, loaded[0].game.players), limit if limit is not None else LIMIT)
    refuse_what_cannot_differ(plan, loaded[0].game)
    if out is not None:
        if not out.strip():
            raise Usage("usage.path", found=out)
        report_packages()
    played, verdict = carried_out(voice, plan, Path(out) if out is not None else None, jobs, cluster)
    sides = [Side(game, settings, names, one, Figures(one.game.players, seen)) for names, one, seen in zip(packs, loaded, played)]
    faults = [side.faults(plan.bots, plan.limit) for side in sides]
    ends = [side.end(plan.limit) for side in sides]
    if out is not None:
        try:
            write_report(voice, Path(out), sides, plan, verdict)
        except OSError as error:
            raise unwritable(error, Path(error.filename or out)) from None
    if as_json:
        data = [side_data(side, plan, told, end) for side, told, end in zip(sides, faults, ends)]
        voice.data(data[0] if verdict is None else {"house": data[0], "against": data[1], "compared": verdict.data()})
    else:
        if told := [fault for each in (*faults, *ends) for fault in each]:
            voice.out(rendered(voice, told))
            voice.out()
        for line in lines(voice, sides, plan, verdict):
            voice.out(line)
    return 1 if any(faults) or any(ends) else 0


def refuse_what_cannot_differ(plan: Plan, game: Game) -> None:
    """Of a comparison that can never tell of a difference, that is said before anything is played. Raises Usage."""
    if not plan.compares:
        return
    if len({(rules.meaning, rules.players) for rules in plan.rules}) == 1:
        raise Usage("simulate.same_rules")
    from ..explain.score_breakdown import scored
    with lab_packages():
        from ..lab.ab_test import fewest
    if plan.games < (needed := fewest(game.players, scored(game))):
        raise Usage("simulate.too_few", n=plan.games, needed=needed)


def lines(voice: Voice, sides: list[Side], plan: Plan, verdict: Verdict | None) -> list[str]:
    """The result in sentences: what a comparison says, or what one kind of games is like."""
    says = teller_of(voice, sides[0], plan)
    if verdict is None:
        return says.games(sides[0].figures)
    return says.compared(verdict)


def teller_of(voice: Voice, side: Side, plan: Plan) -> Told:
    from ..lab.report_text import Told
    from ..narration.narrator import Teller
    return Told(Teller(side.loaded.game, side.loaded.words(voice.lang)), plan)


def bots_from(names: Sequence[str], players: int) -> tuple[str, ...]:
    """The bots that were asked for: one for all seats, or one for each. Raises Usage."""
    from ..bots.greedy import BOTS
    from ..i18n.user_input import near
    bots = tuple(name.removeprefix("bot:") for name in names)
    for given, bot in zip(names, bots):
        if bot not in BOTS:
            raise Usage("usage.bot", name=given, bots=sorted(BOTS), meant=near(bot, BOTS))
    if len(bots) not in (1, players):
        raise Usage("usage.seats", given=len(bots), wanted=players)
    return bots


def rules_of(loaded: Loaded, settings: dict[str, str], houses: Iterable[str]) -> Rules:
    """What other processes load the same rules by; in this one they are ready."""
    from ..lab.plan import OPEN, Rules
    paths = tuple(str(Path(str(pack)).resolve()) for pack in packs_from(houses))
    rules = Rules(str(loaded.found.folder.resolve()), loaded.game.players, tuple(settings.items()), paths, loaded.game.meaning)
    OPEN[rules] = loaded.game
    return rules


# ---------------------------------------------------------------- playing


def carried_out(voice: Voice, plan: Plan, out: Path | None, jobs: int, cluster: str | None) -> tuple[list[list[Played]], Verdict | None]:
    """All games of a plan by side, and what comparing them says."""
    from ..lab.runner import Run
    looks = None
    if plan.compares:
        with lab_packages():
            from ..lab.ab_test import Looks
        looks = Looks(plan)
    with workers_for(voice, jobs, cluster) as workers, journal_in(voice, out, plan) as journal, compiling(voice, plan, cluster is None):
        known = len(journal.games) if journal is not None else 0
        with progress(voice, len(plan.keys(plan.games)), known) as tell:
            run = Run(plan, workers, journal, tell)
            if looks is None:
                run.carry_out([plan.games])
            else:
                run.carry_out(looks.stops, looks.enough)
    played = [[game for (side, _), game in run.games.items() if side == n] for n in range(len(plan.rules))]
    return played, looks.verdict if looks is not None else None


# ---------------------------------------------------------------- telling


def again(name: str, game: Game, bots: Sequence[str], played: Played, settings: Iterable[str], houses: Iterable[str]) -> str:
    """The command line that plays a game once more."""
    from ..lab.playout import by_seat
    words = ["ludoglot", "play", name, "--seats", ",".join(f"bot:{bot}" for bot in by_seat(bots, game.players))]
    words += [word for setting in settings for word in ("--option", setting)] + [word for house in houses for word in ("--house", house)]
    return " ".join([*words, "--seed", str(played.seed)])


def seen(found: Diagnostic, played: Played, command_line: str) -> Diagnostic:
    """What went wrong in a game, with the moment and the way to see it again."""
    assert played.fault is not None
    more = {"number": played.fault.number, "key": played.fault.key, "option": played.fault.option, "command": command_line,
            "seed": played.seed}
    return replace(found, args={**found.args, **more}, hint="seen_in_play" if played.fault.key else "seen_in_set_up")


@dataclass(frozen=True)
class Side:
    """One of the rules that were played: as they were asked for, as they are, and what was seen."""

    name: str
    settings: tuple[str, ...]
    houses: tuple[str, ...]
    loaded: Loaded
    figures: Figures

    @property
    def packs(self) -> dict[str, dict[str, object]]:
        """The house rules in use by name, each with what it sets."""
        return {pack.name: dict(pack.data.get("set") or {}) for pack in self.loaded.game.ruleset.source.packs}

    def faults(self, bots: Sequence[str], limit: int) -> list[Diagnostic]:
        """Each thing that went wrong, once."""
        from ..lab.playout import fault_of
        return [self.told(fault_of(self.loaded.game, played, bots, limit), played, bots) for played, _ in self.figures.faults]

    def told(self, fault: Diagnostic, played: Played, bots: Sequence[str]) -> Diagnostic:
        """What went wrong in a game, with the pack behind it and the way to see it again."""
        return seen(self.blamed(fault), played, again(self.name, self.loaded.game, bots, played, self.settings, self.houses))

    def trial(self, limit: int) -> Playout | None:
        """One game by bots that play to win, under house rules where no game came to an end: the rules of its end have not run."""
        from ..lab.playout import Playout
        if not self.houses or any(not one.stalled for one in self.figures.games):
            return None
        return Playout(self.loaded.game, 1, ENDING, limit)

    def end(self, limit: int) -> list[Diagnostic]:
        """What goes wrong in that game."""
        trial = self.trial(limit)
        return self.faults_of(trial) if trial is not None else []

    def faults_of(self, playout: Playout) -> list[Diagnostic]:
        """What goes wrong in a game that is played now."""
        played = playout.played()
        return [self.told(playout.fault, played, playout.names)] if playout.fault is not None else []

    def blamed(self, found: Diagnostic) -> Diagnostic:
        """What went wrong, with the line of a pack that has to do with it: where it lies in the game's own rules, what the packs declare or
        change of the data that they name there, or else what few changes there are."""
        from ...dsl.analysis.range_proofs import data_behind, declared_behind
        ruleset = self.loaded.game.ruleset
        laid, places = ruleset.source.laid, (found.place, *found.calls)
        if laid is None or any(laid.file_of(place.path) is not None for place in places):
            return found
        for data in data_behind(ruleset.program, places):
            if (change := laid.behind(data)) is not None:
                return replace(found, also=(*found.also, change.place))
        declared = [place for place in declared_behind(ruleset.program, places) if laid.file_of(place.path) is not None]
        behind = declared[:1] or list(dict.fromkeys(one.place for one in laid.changes))
        return replace(found, also=(*found.also, *behind)) if len(behind) <= FEW else found


def write_report(voice: Voice, folder: Path, sides: list[Side], plan: Plan, verdict: Verdict | None) -> None:
    """What was seen as files in the folder of the games: columns, and a page in the reader's language."""
    from ...dsl.yaml.atomic_write import write_whole
    from ..lab import export
    from ..lab.choice_labels import Names
    from ..lab.choice_value import merits, shifts
    from ..lab.html_report import Report, paper
    from ..lab.plan import compiled
    from ..lab.score_sources import sources
    told = teller_of(voice, sides[0], plan)
    games = [side.figures.games for side in sides]
    naming = Names(told.teller, games[0])
    judged = [merits(each, naming.told) for each in games]
    asked = {path.rpartition(".")[0] for side in sides for sets in side.packs.values() for path in sets}
    changes = shifts(games[0], games[1], naming.told, asked) if verdict is not None else []
    called = naming.of([merit.thing for each in judged for merit in each if naming.told(merit.thing)])
    export.write(folder, "games", export.game_rows(games))
    export.write(folder, "things", export.thing_rows(judged, changes, called))
    given = [sources(side.loaded.game, each, plan.bots, plan.limit, compiled(plan, n), told.words.has)
             if len(side.figures.terms) < 2 else {} for n, (side, each) in enumerate(zip(sides, games))]
    page = paper(Report(told, [side.figures for side in sides], judged[0], verdict, changes, [side.packs for side in sides], given))
    write_whole(folder / "report.html", page.encode())
    voice.warn(voice.text("file.written", file=str(folder / "report.html")))


def names(game: Game) -> list[str]:
    """The players as the rules call them."""
    return game.model.enums["Player"].members[:game.players]


def side_data(side: Side, plan: Plan, told: list[Diagnostic], end: list[Diagnostic]) -> dict[str, Any]:
    """What was seen by one of the rules, with the keys that programs read. `end`: what `Side.end` found."""
    from ..cli.rendering import data_of
    faults = []
    for found, (played, count) in zip(told, side.figures.faults):
        fault = played.fault
        assert fault is not None
        faults.append({"seed": played.seed, "decision": fault.number, "key": fault.key or None, "option": fault.option or None,
                       "games": count, **data_of(found)})
    game = side.loaded.game
    return {"game": game.ruleset.id, "players": game.players, "options": game.ruleset.settings, "house": side.loaded.house_names,
            "bots": plan.bots[0] if len(plan.bots) == 1 else list(plan.bots), "seed": plan.seed, **side.figures.data(names(game)),
            "faults": faults, **({"trial": [data_of(found) for found in end]} if end else {})}
