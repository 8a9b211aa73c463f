"""Loads rules from what the command line names; all errors are printed in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.cache import read_cached
from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, RulesRejectedError
from ..i18n import game_localizer
from ..i18n.user_input import normalize
from ..library.find import GAME_FILE, RULES_FOLDER, GameLocation, UnknownGameError, describe_game, find_game_location, list_game_ids
from ..library.load import load_rules, load_source
from ..library.loaded_game import LoadedGame
from .console import CommandError, LocalizedConsole, SilentExit, UsageError, render_findings

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ...dsl.packs.source import GameSource
    from ..match.save_reader import SaveContents

DEFAULT_PLAYERS = 4                    # for the numbers in a rulebook, if none is given


@contextmanager
def exit_on_findings(console: LocalizedConsole) -> Iterator[None]:
    """Prints the diagnostics of rejected rules and exits the command."""
    try:
        yield
    except RulesRejectedError as error:
        print_findings(console, error.findings.in_source_order())
        raise SilentExit(1) from None


def read_source(console: LocalizedConsole, location: GameLocation, pack_sources: Iterable[Path | PackBundle] = ()) -> GameSource:
    """Reads a game's files with house rules applied; prints diagnostics and exits if they have errors."""
    with exit_on_findings(console):
        return load_source(location, pack_sources)


def load_game(console: LocalizedConsole, name: str, players: int | None = None, settings: dict[str, str] | None = None,
              pack_sources: Iterable[Path | PackBundle] = ()) -> LoadedGame:
    """Loads the rules of a game for these players, options, and packs.

    A bundled game may also be given by its title in the current language. Raises UsageError; prints diagnostics
    and exits if the rules have errors."""
    with exit_on_findings(console):
        return load_rules(console.lang, resolve_game_id(console, name), players, settings or {}, pack_sources)


def resolve_game_id(console: LocalizedConsole, name: str) -> str:
    """Returns the id of the only game with this title in the current language; otherwise the name unchanged."""
    try:
        find_game_location(name)
        return name
    except UnknownGameError:
        entries = [entry for game in list_game_ids() if (entry := read_cached(RULES_FOLDER / game / GAME_FILE, describe_game)) is not None]
        named = [entry["id"] for entry in entries if normalize(name) == normalize(
            game_localizer(console.lang, entry["id"], RULES_FOLDER / entry["id"], {"game.name": entry["name"]}).text("game.name"))]
        return str(named[0]) if len(named) == 1 else name


def load_save_rules(
    console: LocalizedConsole, path: Path, game: str | None = None, pack_sources: Sequence[Path | PackBundle] = ()
) -> LoadedGame:
    """Loads the rules of a save with its packs; they must have the fingerprint that it was played with.

    `game` and `pack_sources` say where they are now, if they have moved. Raises MessageError."""
    from ..match.save_reader import read_contents
    from ..match.saved_packs import find_changed_packs, restore_packs
    setup = read_contents(path, strict=False).setup               # damage further down is reported when the game resumes
    packs: list[Path | PackBundle] = list(pack_sources) or restore_packs(setup.house)
    elsewhere = console.text("cli.metavar.path")
    try:
        find_game_location(game or setup.game)
    except UnknownGameError:
        if game is not None:
            raise
        command = f"ludoglot play {elsewhere} --resume {path}"
        raise CommandError("save.game_missing", file=str(path), game=setup.game, command=command) from None
    for entry, pack in [] if pack_sources else zip(setup.house, packs):
        if isinstance(pack, Path) and not pack.exists():
            command = f"ludoglot play --resume {path} --pack {elsewhere}"
            raise CommandError("save.house_missing", file=str(path), name=entry["name"], path=entry["path"], command=command)
    settings = {name: str(value) for name, value in setup.options.items()}
    try:
        loaded = load_game(console, game or setup.game, setup.players, settings, packs)
    except UsageError as error:
        if error.key == "file.missing":
            raise
        raise CommandError("save.other_rules", file=str(path)) from error
    changed = [] if pack_sources else find_changed_packs(setup.house)
    other = bool(setup.version) and setup.version != loaded.game.ruleset.source.version
    if loaded.accepts_fingerprint(setup.rules):
        if other:
            console.print_stderr(
                console.text("save.version_kept", file=str(path), old=setup.version, now=loaded.game.ruleset.source.version)
            )
        if changed:
            console.print_stderr(console.text("save.house_kept", file=str(path), names=changed))
        return loaded
    if changed:
        raise CommandError("save.house_changed", file=str(path), names=changed)
    if other:
        raise CommandError("save.other_version", file=str(path), old=setup.version, now=loaded.game.ruleset.source.version)
    raise CommandError("save.other_rules", file=str(path))


def report_repairs(console: LocalizedConsole, path: Path, record: SaveContents) -> None:
    """Reports what was repaired in a save. It is called complete only if nothing is missing."""
    if record.smoothed:
        console.print_stderr(console.text("save.smoothed", file=str(path)))
    if record.restored_header:
        key = "save.repaired_too" if record.damage else "save.repaired"
        console.print_stderr(console.text(key, file=str(path), line=record.restored_header))


def report_table_config(console: LocalizedConsole, loaded: LoadedGame) -> None:
    """Reports the errors of a game's `table.yaml`.

    The game is played anyway, with a table made from its declarations."""
    from ...dsl.game.table_config import check_table_config, read_table_config
    findings = DiagnosticList()
    document, overlay = read_table_config(loaded.found.folder, findings, loaded.found.shown), loaded.game.ruleset.source.overlay
    document = document if overlay is None else overlay.merge_table(document)
    if document is not None:
        check_table_config(document, loaded.game.ruleset, findings)
    if findings.errors:                                            # warnings are for `check`
        print_findings(console, DiagnosticList(findings.errors).in_source_order())


def parse_settings(pairs: Iterable[str]) -> dict[str, str]:
    """Parses `NAME=VALUE` arguments. Raises UsageError."""
    out = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError("usage.option_form", found=pair)
        out[name.strip()] = value.strip()
    return out


def print_findings(console: LocalizedConsole, findings: Iterable[Diagnostic]) -> None:
    """Prints diagnostics on standard error."""
    console.print_stderr(render_findings(console, list(findings)))


def print_rule_fault(console: LocalizedConsole, diagnostic: Diagnostic) -> None:
    """Prints the fault that a rule caused while the game ran."""
    print_findings(console, [diagnostic])


def load_without_packs(console: LocalizedConsole, game: str, loaded: LoadedGame, settings: dict[str, Any]) -> LoadedGame | None:
    """Loads the game without its house rules, as similar to the current game as possible; None if it has none.

    Packs may add numbers of players and options, which are adjusted or left out."""
    from ...dsl.model.codec import format_inline
    if not loaded.house_names:
        return None
    source = read_source(console, find_game_location(game))
    known = {name: format_inline(value) for name, value in settings.items()
             if format_inline(value) in {format_inline(one) for one in source.data["options"].get(name, {}).get("values", ())}}
    return load_game(console, game, nearest_players(console, game, [], loaded.game.players), known)


def nearest_players(console: LocalizedConsole, game: str, pack_sources: list[Path | PackBundle], wanted: int = DEFAULT_PLAYERS) -> int:
    """Returns the wanted number of players, or the nearest one that the game allows."""
    low, high = read_source(console, find_game_location(game), pack_sources).player_range
    return min(high, max(low, wanted))
