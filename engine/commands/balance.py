"""`ludoglot balance`: numbers of house rules are searched for an aim, and what was tried is told."""

from __future__ import annotations

import errno
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

from ..cli.batch import lab_packages, progress, workers_for
from ..cli.console import Refusal, Usage, Voice
from ..cli.loading import load_game, packs_from, settings_from
from ..cli.localized_click import WholeNumber, argument, command, jobs_option, json_option, lang_option, option, playing_options
from ..cli.output import write_output
from ..cli.rendering import data_of, rendered
from ..i18n import Proper
from .simulate import Side, bots_from, rules_of

if TYPE_CHECKING:
    from ...dsl.core.program import Program
    from ...dsl.diagnostics.diagnostic import Diagnostic, Place
    from ...dsl.packs.manifest import Pack
    from ...dsl.packs.source import Source
    from ..lab.game_statistics import Figures
    from ..lab.objectives import Aim
    from ..lab.plan import Plan
    from ..lab.report_text import Told
    from ..lab.runner import Workers
    from ..lab.tuning import Numbers, Range, Tried
    from ..library.loaded_game import Loaded
    from ..position.position import Game

PLAYED, TRIALS = 200, 30             # games with each set of numbers, sets
ALL, BEST = 12, 5                    # so many sets are all told, of more the best
FEW = 3                              # how far a number may go at least, where nobody says how far


@command("balance")
@argument("game")
@option("--aim", required=True, word="aim")
@option("--vary", multiple=True, word="range")
@option("--trials", type=WholeNumber(1), word="number", default=TRIALS)
@option("--games", type=WholeNumber(1), word="number", default=PLAYED)
@playing_options
@jobs_option
@option("--out", word="path")
@json_option
@lang_option
@click.pass_obj
def balance_command(voice: Voice, game: str, aim: str, vary: tuple[str, ...], trials: int, games: int, players: int | None,
                    settings: tuple[str, ...], bots: list[str], seed: int, limit: int | None, houses: tuple[str, ...], jobs: int,
                    out: str | None, as_json: bool) -> int:
    from ..lab.objectives import read_aim
    from ..lab.plan import Plan
    from ..lab.playout import LIMIT
    from ..lab.tuning import best_of, search
    wanted = read_aim(aim)
    if wanted is None:
        raise Usage("balance.aim", found=aim)
    given = settings_from(settings)
    loaded = load_game(voice, game, players, given, packs_from(houses))
    ranges = ranges_of(loaded.game.ruleset.source, vary)
    refuse_what_cannot_be(wanted, loaded.game, limit if limit is not None else LIMIT)
    if out is not None and Path(out).exists():
        raise Refusal("new.exists", file=out)
    if out is not None and not Path(out).absolute().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(Path(out).parent))
    with lab_packages("balance"):
        from ..lab import bootstrap  # noqa: F401  asked for before the first game, not after the last
    rules, seats = rules_of(loaded, given, houses), bots_from(bots, loaded.game.players)
    plan = Plan((rules,), games, seed, seats, limit if limit is not None else LIMIT)
    with workers_for(voice, jobs, None) as workers, tempfile.TemporaryDirectory(prefix="ludoglot-balance-") as folder:
        table = Table(loaded, given, houses, ranges, plan, wanted, workers, Path(folder))
        every = math.prod(one.size for one in ranges)
        with progress(voice, games * min(trials + 1, every)) as tell, lab_packages("balance"):     # which propose numbers, or judge things
            table.tell = tell
            tried = list(search(ranges, trials, seed, table.trying))
        best, again = best_of(tried), []
        if best is not None:
            fresh = replace(plan, seed=seed + games)
            again = [table.played(numbers, fresh) for numbers in dict.fromkeys((best.numbers, table.now))]
    apart = table.apart(again)
    if out is not None and best is not None:
        text = pack_text(loaded, ranges, best.numbers, Path(out).stem)
        write_output(Path(out), text if apart is not False else f"# {voice.text('balance.alike')}\n{text}")
    if as_json:
        voice.data({**data(table, tried, best, again, apart), "faults": [data_of(one) for one in table.faults.values()]})
    else:
        if table.faults:
            voice.out(rendered(voice, list(table.faults.values())))
            voice.out()
        for line in lines(voice, table, tried, best, again, apart):
            voice.out(line)
        if out is not None and best is not None:
            voice.warn(voice.text("file.written", file=out))
    return 0 if best is not None and not table.faults else 1


# ---------------------------------------------------------------- what is searched


def refuse_what_cannot_be(aim: Aim, game: Game, limit: int) -> None:
    """Of an aim that no game can ever come near, whatever its numbers are, that is said before any is played. Raises Usage."""
    from ..i18n.user_input import near
    from ..lab.playout import choosable
    if aim.kind in ("seats", "worth") and game.players == 1:
        raise Usage("balance.alone")
    if aim.kind == "rounds" and not counts_rounds(game.ruleset.program):
        raise Usage("balance.no_rounds")
    if aim.kind == "length" and aim.goal > limit:
        raise Usage("balance.too_long", limit=limit, goal=round(aim.goal))
    domain = game.model.enums.get(aim.thing.partition(".")[0])
    endless = domain is not None and not domain.first              # a board without end
    if aim.kind == "worth" and not endless and aim.thing not in (known := choosable(game)):
        raise Usage("balance.thing", name=aim.thing, meant=near(aim.thing, known) or "")


def counts_rounds(program: Program) -> bool:
    """Whether a game goes in rounds: those that its first phase names itself are counted."""
    from ...dsl.core.nodes import Rounds
    return any(isinstance(node, Rounds) for routine in program.families["game"].routines for node in routine.body)


def ranges_of(source: Source, vary: Iterable[str]) -> list[Range]:
    """The numbers that are searched: those that were named, else all whole numbers that the house rules set. Raises Usage."""
    from ..lab.tuning import Range
    found = [range_of(source, text) for text in vary]
    if not found:
        for path in packs_set(source):
            was = number_at(source, path)
            if was is not None:
                found.append(Range(path, max(0, min(was // 2, was - FEW)), max(2 * was, was + FEW), was))
    if not found:
        raise Usage("balance.nothing")
    return list({one.path: one for one in found}.values())


def range_of(source: Source, text: str) -> Range:
    """`Card.joker.points=1..6`. Raises Usage."""
    from ...dsl.packs.data_paths import value_names, value_path
    from ..i18n.user_input import near
    from ..lab.tuning import Range
    parts = re.fullmatch(r"([^=\s]+)=(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})", text)
    if parts is None or int(parts[2]) > int(parts[3]):
        raise Usage("balance.range", found=text)
    if value_path(source, parts[1]) is None:
        raise Usage("balance.unknown", name=parts[1], meant=near(parts[1], value_names(source)) or "")
    was = number_at(source, parts[1])
    if was is None:
        raise Usage("balance.no_number", name=parts[1])
    return Range(parts[1], int(parts[2]), int(parts[3]), was)


def number_at(source: Source, path: str) -> int | None:
    """The whole number that lies there; None where it is something else."""
    from ...dsl.packs.data_paths import value_at, value_path
    where = value_path(source, path)
    value = value_at(source, where) if where is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def packs_set(source: Source) -> list[str]:
    """All paths that the packs in use set."""
    return list(dict.fromkeys(path for pack in source.packs for path in (pack.data.get("set") or {})))


def pack_text(loaded: Loaded, ranges: Sequence[Range], numbers: Numbers, name: str) -> str:
    """These numbers as a pack that lies over the packs in use."""
    packs = loaded.game.ruleset.source.packs
    name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    pack: dict[str, Any] = {"house": name if name and name[0].isalpha() else f"balanced-{name}".rstrip("-"), "for": loaded.game.ruleset.id}
    if packs:
        pack["needs"] = [one.name for one in packs]
    over = {one.name: [r.path for r in ranges if is_given_by(one, r.path)] for one in packs}
    if any(over.values()):
        pack["over"] = {name: paths for name, paths in over.items() if paths}
    pack["set"] = {one.path: number for one, number in zip(ranges, numbers)}
    return yaml.safe_dump(pack, sort_keys=False, allow_unicode=True)


def is_given_by(pack: Pack, path: str) -> bool:
    """Whether a pack sets the value at a path, or brings the thing that it belongs to."""
    if path in (pack.data.get("set") or {}):
        return True
    added = pack.data.get("add") or {}
    names = {*added, *(name for entries in added.values() if isinstance(entries, dict) for name in entries)}
    return any(path == name or path.startswith(f"{name}.") for name in map(str, names))


class Table:
    """Where sets of numbers are played."""

    def __init__(self, loaded: Loaded, given: dict[str, str], houses: Sequence[str], ranges: Sequence[Range], plan: Plan, aim: Aim,
                 workers: Workers, folder: Path) -> None:
        self.loaded, self.given, self.houses, self.ranges = loaded, given, houses, ranges
        self.plan, self.aim, self.workers, self.folder = plan, aim, workers, folder
        self.tell: Callable[[int], None] = lambda count: None
        self.now: Numbers = tuple(one.was for one in ranges)
        self.count = 0
        self.faults: dict[tuple[str, Place], Diagnostic] = {}      # each thing that went wrong in a game, once

    def trying(self, numbers: Numbers) -> Tried:
        from ..lab.tuning import Tried
        figures = self.played(numbers, self.plan)
        if figures is None or figures.faults:
            return Tried(numbers, refused=figures is None, faulty=figures is not None)
        return Tried(numbers, self.aim.off(figures), self.aim.measure(figures), False, *self.ends(figures))

    def ends(self, figures: Figures) -> tuple[float, float]:
        """Between what the measure most likely lies."""
        from ..lab.bootstrap import interval
        return interval(self.aim, figures, self.plan.seed)

    def apart(self, again: Sequence[Figures | None]) -> bool | None:
        """Whether the best numbers, played once more, are nearer to the aim than those of now, more than chance; None where they are the
        same, or these cannot be played."""
        from ..lab.bootstrap import nearer
        if len(again) < 2 or again[0] is None or again[1] is None:
            return None
        return nearer(self.aim, again[0], again[1], self.plan.seed)

    def played(self, numbers: Numbers, plan: Plan) -> Figures | None:
        """Games by these numbers; None where the rules refuse them."""
        from ..lab.game_statistics import Figures
        from ..lab.plan import forget
        from ..lab.runner import Run
        loaded, houses = self.loaded, list(self.houses)
        if numbers != self.now:
            self.count += 1
            pack = self.folder / f"balanced-{self.count}.yaml"
            pack.write_text(pack_text(loaded, self.ranges, numbers, pack.stem), encoding="utf-8")
            houses.append(str(pack))
            made = self.made(houses)
            if made is None:
                return None
            loaded = made
        rules, settings = rules_of(loaded, self.given, houses), tuple(f"{name}={value}" for name, value in self.given.items())
        run = Run(replace(plan, rules=(rules,)), self.workers, None, self.tell)
        run.carry_out([plan.games])
        if numbers != self.now:
            forget(rules)
        figures = Figures(loaded.game.players, run.games.values())
        for found in Side(self.loaded.found.name, settings, tuple(houses), loaded, figures).faults(plan.bots, plan.limit):
            self.faults.setdefault((found.code, found.place), found if numbers == self.now else replace(found, hint=None))
        return figures

    def made(self, houses: Sequence[str]) -> Loaded | None:
        from ...dsl.diagnostics.diagnostic import Findings
        from ...dsl.game.ruleset import try_load
        from ..position.position import Game
        ruleset = try_load(self.loaded.found.folder, Findings(), self.loaded.game.players, dict(self.given), packs_from(houses))
        return replace(self.loaded, game=Game(ruleset)) if ruleset is not None else None


# ---------------------------------------------------------------- telling


def lines(voice: Voice, table: Table, tried: Sequence[Tried], best: Tried | None, again: Sequence[Figures | None],
          apart: bool | None) -> list[str]:
    """What was tried, what was best, and how that does in games it was not chosen by."""
    from ..lab.choice_labels import Names
    from ..lab.report_text import Told
    from ..narration.narrator import Teller
    words = table.loaded.words(voice.lang)
    told = Told(Teller(table.loaded.game, words), table.plan)
    out = [words.text("balance.tried", n=len(tried), games=table.plan.games)]
    refused = sum(one.refused for one in tried)
    if refused:
        out.append(words.text("balance.refused", n=refused))
    if faulty := sum(one.faulty for one in tried):
        out.append(words.text("balance.faulty", n=faulty))
    if best is None:
        worth = table.aim.kind == "worth" and any(not one.refused for one in tried)
        return [*out, words.text("balance.none.worth", thing=Names(told.teller).of([table.aim.thing])[table.aim.thing]) if worth
                else words.text("balance.none")]
    near = sorted((one for one in tried if one.off < math.inf), key=lambda one: one.off)
    out += ["", words.text("balance.list")]
    out += [f"  {n}. {words.text('balance.numbers', numbers=named(table.ranges, one.numbers))} "
            f"{measured(told, table.aim, one.measure, (one.low, one.high))}"
            for n, one in enumerate(near if len(near) <= ALL else near[:BEST], 1)]
    if len(again) < 2:
        return [*out, "", words.text("balance.stays")]
    out += ["", words.text("balance.again", n=table.plan.games)]
    for key, figures in zip(("balance.with_new", "balance.with_old"), again):
        if figures is not None:
            out += [f"  {words.text(key)}", f"    {measured(told, table.aim, table.aim.measure(figures), table.ends(figures))}"]
    return [*out, *([words.text("balance.apart" if apart else "balance.alike")] if apart is not None else [])]


def named(ranges: Sequence[Range], numbers: Numbers) -> list[Proper]:
    """Numbers as they stand in a pack."""
    return [Proper(f"{one.path} = {number}") for one, number in zip(ranges, numbers)]


def measured(told: Told, aim: Aim, measure: float, ends: tuple[float, float]) -> str:
    """What was measured, as a sentence."""
    from ..lab.choice_labels import Names
    from ..lab.objectives import NEVER
    text = told.words.text
    if measure == NEVER:
        return text("balance.never")
    if aim.kind in ("length", "rounds"):
        low, high = map(told.number, ends)
        return text(f"balance.{aim.kind}", mean=told.number(measure), low=low, high=high)
    if aim.kind == "seats":
        low, high = map(told.percent, ends)
        return text("balance.seats", by=told.percent(measure), low=low, high=high)
    low, high = (told.signed(100 * end) for end in (ends if measure >= 0 else (-ends[1], -ends[0])))
    return text("balance.better" if measure >= 0 else "balance.worse", thing=Names(told.teller).of([aim.thing])[aim.thing],
                by=told.percent(abs(measure)), low=low, high=high)


def data(table: Table, tried: Sequence[Tried], best: Tried | None, again: Sequence[Figures | None], apart: bool | None) -> dict[str, Any]:
    """The same with the keys that programs read; what could not be measured is null."""
    def known(value: float) -> float | None:
        return round(value, 4) if value < math.inf else None

    def one(found: Tried) -> dict[str, Any]:
        return {"numbers": {r.path: n for r, n in zip(table.ranges, found.numbers)}, "measure": known(found.measure),
                "low": known(found.low), "high": known(found.high), "off": known(found.off), "refused": found.refused}

    def anew(figures: Figures | None) -> dict[str, float | None] | None:
        if figures is None:
            return None
        low, high = table.ends(figures)
        return {"measure": known(table.aim.measure(figures)), "low": known(low), "high": known(high)}
    checked = {key: anew(figures) for key, figures in zip(("best", "now"), again)}
    return {"aim": table.aim.kind, "varied": [{"path": r.path, "low": r.low, "high": r.high, "was": r.was} for r in table.ranges],
            "tried": [one(each) for each in tried], "best": one(best) if best is not None else None, "again": checked, "better": apart}
