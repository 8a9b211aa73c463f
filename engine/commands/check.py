"""`ludoglot check`: prints diagnostics, and then their number, or what was checked if there are none, on standard error.

With `--watch` it repeats after each change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan
from ...dsl.diagnostics.render import diagnostic_data
from ..cli.console import LocalizedConsole, UsageError, render_findings
from ..cli.localized_click import IntParam, argument, command, json_option, lang_option, option, pack_option
from ..i18n.languages import SOURCE_LANGUAGE, native_language_names
from ..lab import MAX_GAME_DECISIONS
from ..library.find import find_game_location, list_game_ids
from ..library.installed_packs import find_game_of_pack
from ..library.load import locate_packs
from ..project.check import check_game_cached

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
    from ...dsl.packs import PackBundle
    from ...dsl.packs.source import GameSource
    from ..lab.playout import PlayoutRun
    from ..testing.coverage import FileCoverage, RuleCoverage

# bot games with untested house rules: most faults show up in the first few
TRIAL_GAMES = 4
MAX_SHOWN_FINDINGS = 100


@command("check")
@argument("games", nargs=-1)
@option("--games", "rounds", type=IntParam(1), word="number")
@option("--watch", is_flag=True)
@pack_option
@json_option
@lang_option
@click.pass_obj
def check_command(
    console: LocalizedConsole, games: tuple[str, ...], rounds: int | None, watch: bool, pack_sources: tuple[str, ...], as_json: bool
) -> int:
    from ..i18n.check_texts import TRANSLATION_STATUS_CODES
    findings = DiagnosticList()
    lagging: Counter[tuple[str, str]] = Counter()                  # counted by game and language: single lines would bury the rest
    packs = locate_packs(pack_sources)
    if watch:
        from ..project.watch import watch_game as watching
        for other, given in (("--json", as_json), ("--games", rounds is not None)):
            if given:
                raise UsageError("watch.alone", one="--watch", other=other)
        if len(games) != 1:
            raise UsageError("watch.one")
        return watching(console, find_game_location(games[0]), packs)
    games = games or tuple(dict.fromkeys(game for pack in packs if isinstance(pack, Path) and (game := find_game_of_pack(pack))))
    if packs and not games:
        raise UsageError("check.which_game", pack=pack_sources[0])
    for name in games or list_game_ids():
        told = check_game_cached(find_game_location(name), packs)
        findings.items += [one for one in told if as_json or one.code not in TRANSLATION_STATUS_CODES]
        # English texts come from the game's own files, so its English catalogue does not matter
        lagging.update(
            (name, one.args["lang"]) for one in told if one.code in TRANSLATION_STATUS_CODES and one.args["lang"] != SOURCE_LANGUAGE
        )
        if rounds is not None and not any(found.severity == "error" for found in told):
            findings.items += play_trial_games(console, name, rounds, pack_sources, packs)
    found = findings.in_source_order()
    if as_json:
        console.print_json([diagnostic_data(d) for d in found])
        return 1 if findings.errors else 0
    if found:
        console.print_line(render_findings(console, found, MAX_SHOWN_FINDINGS))
        errors = len(findings.errors)
        console.print_stderr(console.text("check.summary", errors=errors, warnings=len(found) - errors))
    for (name, lang), n in lagging.items():
        console.print_message(
            "check.lagging", n=n, language=native_language_names().get(lang, lang), command=f"ludoglot words update {name}"
        )
    if not found and not lagging:
        checked = games or list_game_ids()
        with_packs = {"packs": list(pack_sources)} if pack_sources else {}
        key = "check.clean_packs" if pack_sources else "check.clean"
        console.print_stderr(console.text(key, n=len(checked), game=checked[0], **with_packs))
    return 1 if findings.errors else 0


def play_trial_games(
    console: LocalizedConsole, name: str, games: int, pack_sources: tuple[str, ...], packs: list[Path | PackBundle]
) -> list[Diagnostic]:
    """Plays bot games and returns the faults, taking each number of players and each game option in turn.

    `packs` are the resolved `pack_sources` of the command line. If nothing fails, pack lines that never ran are
    returned as warnings."""
    from ...dsl.game.variants import list_variants
    from ..cli.batch import progress_bar
    from ..cli.loading import load_game
    from ..lab.game_statistics import GameStatistics
    from ..lab.playout import GameResult, PlayoutRun
    from ..project.game_check import read_with_packs
    from ..testing.coverage import RuleCoverage
    from .simulate import SimulationSide
    source = read_with_packs(find_game_location(name), packs, DiagnosticList())
    assert source is not None                                      # otherwise the check before would have failed
    each = list_variants(source)[:games]
    usual = {key: str(raw["default"]).lower() for key, raw in source.data["options"].items()}
    out: dict[tuple[str, SourceSpan], Diagnostic] = {}                  # the same fault in another variant is reported once
    ran = RuleCoverage()

    def record_coverage(playout: PlayoutRun) -> None:
        """Records which pack lines run in a completed game, as long as some have not run yet."""
        ran.watch(playout.game)
        if not playout.fault and find_unrun_files(ran, source):
            with ran:
                playout.replay_decisions()
    with progress_bar(console, games) as tell:
        for n, (players, settings) in enumerate(each):
            given = {key: str(value).lower() for key, value in settings.items()}
            loaded = load_game(console, name, players, given, packs)
            seen: list[GameResult] = []
            for seed in range(1 + n, 1 + games, len(each)):
                playout = PlayoutRun(loaded.game, seed, ("random",), MAX_GAME_DECISIONS)
                seen.append(playout.play_to_end())
                if packs and not seen[-1].stalled:
                    record_coverage(playout)
                tell(1)
            unusual = tuple(f"{key}={value}" for key, value in given.items() if value != usual[key])
            side = SimulationSide(name, unusual, pack_sources, loaded, GameStatistics(players, seen))
            found = side.fault_diagnostics(("random",), MAX_GAME_DECISIONS)
            if n == 0 and (trial := side.make_trial_playout(MAX_GAME_DECISIONS)) is not None:
                found += side.playout_diagnostics(trial)
                record_coverage(trial)
            for fault in found:
                out.setdefault((fault.code, fault.place), fault)
    return [*out.values(), *(unrun_line_warnings(ran, source, games) if not out else ())]


def find_unrun_files(coverage: RuleCoverage, source: GameSource) -> list[FileCoverage]:
    """Returns the coverage of those pack files that have lines which never ran."""
    overlay = source.overlay
    return [
        file
        for file in coverage.report()
        if overlay is not None and overlay.find_pack_of_file(file.name) is not None and file.missing_lines
    ]


def unrun_line_warnings(coverage: RuleCoverage, source: GameSource, games: int) -> list[Diagnostic]:
    """Returns one warning for each pack file that has lines which never ran."""
    from ..testing.coverage import line_ranges
    out = []
    for file in find_unrun_files(coverage, source):
        lines = ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in line_ranges(file.missing_lines))
        out.append(Diagnostic("W411", SourceSpan(file.name, min(file.missing_lines), 1), {"n": games, "lines": lines}))
    return out
