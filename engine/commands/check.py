"""`ludoglot check`: silent when all is well; with `--watch` again and again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from ..cli.console import Usage, Voice
from ..cli.loading import find_game, packs_from
from ..cli.localized_click import WholeNumber, argument, command, house_option, json_option, lang_option, option
from ..library.find import installed
from ..project.check import found_in, read, variants

if TYPE_CHECKING:
    from pathlib import Path

    from ...dsl.diagnostics.diagnostic import Diagnostic, Place
    from ...dsl.packs import Bundle
    from ...dsl.packs.source import Source
    from ..lab.playout import Playout
    from ..testing.coverage import Coverage, File

TRIALS = 4                           # games by bots with house rules that nobody has played yet: what goes wrong often shows in the first


@command("check")
@argument("games", nargs=-1)
@option("--games", "rounds", type=WholeNumber(1), word="number")
@option("--watch", is_flag=True)
@house_option
@json_option
@lang_option
@click.pass_obj
def check_command(voice: Voice, games: tuple[str, ...], rounds: int | None, watch: bool, houses: tuple[str, ...], as_json: bool) -> int:
    from ...dsl.diagnostics.diagnostic import Findings
    from ..cli.rendering import data_of, rendered
    from ..i18n.check_texts import LAGGING
    from ..i18n.languages import SOURCE, own_names
    findings = Findings()
    lagging: Counter[tuple[str, str]] = Counter()                  # by game and language; so many lines would bury all else
    packs = packs_from(houses)
    if watch:
        from ..project.watch import watch as watching
        for other, given in (("--json", as_json), ("--games", rounds is not None)):
            if given:
                raise Usage("watch.alone", one="--watch", other=other)
        if len(games) != 1:
            raise Usage("watch.one")
        return watching(voice, find_game(games[0]), packs)
    for name in games or installed():
        told = found_in(find_game(name), packs)
        findings.items += [one for one in told if as_json or one.code not in LAGGING]
        # a game's English is shown as its files have it, whatever the catalogue says
        lagging.update((name, one.args["lang"]) for one in told if one.code in LAGGING and one.args["lang"] != SOURCE)
        if rounds is not None and not any(found.severity == "error" for found in told):
            findings.items += played(voice, name, rounds, houses, packs)
    found = findings.sorted()
    if as_json:
        voice.data([data_of(d) for d in found])
        return 1 if findings.errors else 0
    if found:
        voice.out(rendered(voice, found))
        errors = len(findings.errors)
        voice.warn(voice.text("check.summary", errors=errors, warnings=len(found) - errors))
    for (name, lang), n in lagging.items():
        voice.say("check.lagging", n=n, language=own_names().get(lang, lang), command=f"ludoglot words update {name}")
    return 1 if findings.errors else 0


def played(voice: Voice, name: str, games: int, houses: tuple[str, ...], packs: list[Path | Bundle]) -> list[Diagnostic]:
    """What goes wrong in so many games by bots: for each number of players and each option in turn. `packs` are the `houses` of the
    command line. Lines of packs that never ran in them come as warnings."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ..cli.batch import progress
    from ..cli.loading import load_game
    from ..lab.game_statistics import Figures
    from ..lab.playout import LIMIT, Played, Playout
    from ..testing.coverage import Coverage
    from .simulate import Side
    source = read(find_game(name), packs, Findings())
    assert source is not None                                      # or it would have been refused
    each = variants(source)[:games]
    usual = {key: str(raw["default"]).lower() for key, raw in source.data["options"].items()}
    out: dict[tuple[str, Place], Diagnostic] = {}                  # the same in another variant is no news
    ran = Coverage()

    def watch(playout: Playout) -> None:
        """Note which lines of packs run in a game that came to its end, as long as some have not."""
        ran.watch(playout.game)
        if not playout.fault and missed(ran, source):
            with ran:
                playout.repeat()
    with progress(voice, games) as tell:
        for n, (players, settings) in enumerate(each):
            given = {key: str(value).lower() for key, value in settings.items()}
            loaded = load_game(voice, name, players, given, packs)
            seen: list[Played] = []
            for seed in range(1 + n, 1 + games, len(each)):
                playout = Playout(loaded.game, seed, ("random",), LIMIT)
                seen.append(playout.played())
                if packs and not seen[-1].stalled:
                    watch(playout)
                tell(1)
            unusual = tuple(f"{key}={value}" for key, value in given.items() if value != usual[key])
            side = Side(name, unusual, houses, loaded, Figures(players, seen))
            found = side.faults(("random",), LIMIT)
            if n == 0 and (trial := side.trial(LIMIT)) is not None:
                found += side.faults_of(trial)
                watch(trial)
            for fault in found:
                out.setdefault((fault.code, fault.place), fault)
    return [*out.values(), *(never_ran(ran, source, games) if not out else ())]


def missed(ran: Coverage, source: Source) -> list[File]:
    """The files of packs that have lines which never ran."""
    laid = source.laid
    return [file for file in ran.report() if laid is not None and laid.file_of(file.name) is not None and file.missed]


def never_ran(ran: Coverage, source: Source, games: int) -> list[Diagnostic]:
    """The lines of packs that never ran, one finding for each file."""
    from ...dsl.diagnostics.diagnostic import Diagnostic, Place
    from ..testing.coverage import ranges
    out = []
    for file in missed(ran, source):
        lines = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges(file.missed))
        out.append(Diagnostic("W411", Place(file.name, min(file.missed), 1), {"n": games, "lines": lines}))
    return out
