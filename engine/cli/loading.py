"""From what the command line names to rules ready to be played, with everything wrong told in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..i18n.user_input import normalize
from ..library.find import GAME_FILE, RULES_FOLDER, GameLocation, UnknownGameError, find_game_location, list_game_ids
from ..library.load import SelectionError, load_rules, load_source, locate_game, locate_packs
from ..library.loaded_game import LoadedGame
from .console import CommandError, LocalizedConsole, SilentExit, UsageError

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ...dsl.packs import PackBundle
    from ...dsl.packs.source import GameSource
    from ..match.save_reader import SaveContents

DEFAULT_PLAYERS = 4                    # whose numbers the sentences of a rulebook have if none are asked for


@contextmanager
def exit_on_findings(voice: LocalizedConsole) -> Iterator[None]:
    """Findings are told, and end the command."""
    from ...dsl.diagnostics.diagnostic import RulesRejectedError
    try:
        yield
    except RulesRejectedError as error:
        print_findings(voice, error.findings.in_source_order())
        raise SilentExit(1) from None


@contextmanager
def convert_usage_errors() -> Iterator[None]:
    """What is not called so is wrong usage."""
    try:
        yield
    except SelectionError as error:
        raise UsageError(error.key, **error.args_) from None


def resolve_game(name: str) -> GameLocation:
    """The game by this name or path. Raises Usage."""
    with convert_usage_errors():
        return locate_game(name)


def resolve_packs(names: Iterable[str]) -> list[Path | PackBundle]:
    """The packs that `--house` names: files, folders, or packs found by their names. Raises Usage."""
    with convert_usage_errors():
        return locate_packs(names)


def read_source(voice: LocalizedConsole, found: GameLocation, houses: Iterable[Path | PackBundle] = ()) -> GameSource:
    """A game's data with its house rules laid over it; findings are told and end the command."""
    with exit_on_findings(voice):
        return load_source(found, houses)


def load_game(voice: LocalizedConsole, name: str, players: int | None = None, settings: dict[str, str] | None = None,
              houses: Iterable[Path | PackBundle] = ()) -> LoadedGame:
    """The rules of a game for so many players, with these options and house rules; a game that travels with Ludoglot may also be named as
    it is called in the language spoken. Raises Usage; findings are told and end it."""
    with exit_on_findings(voice), convert_usage_errors():
        return load_rules(voice.lang, resolve_game_id(voice, name), players, settings or {}, houses)


def resolve_game_id(voice: LocalizedConsole, name: str) -> str:
    """The id of the one game that is called so in the language spoken; what was typed, where that is an id or a path, or names none."""
    from ..i18n import game_localizer
    from ..i18n.text_cache import read_cached
    from ..library.find import describe_game
    try:
        find_game_location(name)
        return name
    except UnknownGameError:
        entries = [entry for game in list_game_ids() if (entry := read_cached(RULES_FOLDER / game / GAME_FILE, describe_game)) is not None]
        named = [entry["id"] for entry in entries if normalize(name) == normalize(
            game_localizer(voice.lang, entry["id"], RULES_FOLDER / entry["id"], {"game.name": entry["name"]}).text("game.name"))]
        return str(named[0]) if len(named) == 1 else name


def load_save_rules(voice: LocalizedConsole, path: Path, game: str | None = None, houses: Sequence[Path | PackBundle] = ()) -> LoadedGame:
    """The rules of a save, house rules included: the very same as those it was played with. `game` and `houses` say where they lie now, if
    they have moved. Raises Usage and Refusal."""
    from ..match.save_reader import read_contents
    from ..match.saved_packs import find_changed_packs, restore_packs
    from ..match.setup import SaveError
    try:
        setup = read_contents(path, strict=False).setup           # what is damaged further down is told to who goes on with it
    except SaveError as error:
        kind = UsageError if error.key == "file.missing" else CommandError
        raise kind(error.key, **error.args_) from error
    packs: list[Path | PackBundle] = list(houses) or restore_packs(setup.house)
    elsewhere = voice.text("cli.metavar.path")
    try:
        find_game_location(setup.game) if game is None else resolve_game(game)
    except UnknownGameError:
        command = f"ludoglot play {elsewhere} --resume {path}"
        raise CommandError("save.game_missing", file=str(path), game=setup.game, command=command) from None
    for entry, pack in [] if houses else zip(setup.house, packs):
        if isinstance(pack, Path) and not pack.exists():
            command = f"ludoglot play --resume {path} --house {elsewhere}"
            raise CommandError("save.house_missing", file=str(path), name=entry["name"], path=entry["path"], command=command)
    settings = {name: str(value) for name, value in setup.options.items()}
    try:
        loaded = load_game(voice, game or setup.game, setup.players, settings, packs)
    except UsageError as error:
        if error.key == "file.missing":
            raise
        raise CommandError("save.other_rules", file=str(path)) from error
    changed = [] if houses else find_changed_packs(setup.house)
    other = bool(setup.version) and setup.version != loaded.game.ruleset.source.version
    if loaded.accepts_fingerprint(setup.rules):
        if other:
            voice.print_stderr(voice.text("save.version_kept", file=str(path), old=setup.version, now=loaded.game.ruleset.source.version))
        if changed:
            voice.print_stderr(voice.text("save.house_kept", file=str(path), names=changed))
        return loaded
    if changed:
        raise CommandError("save.house_changed", file=str(path), names=changed)
    if other:
        raise CommandError("save.other_version", file=str(path), old=setup.version, now=loaded.game.ruleset.source.version)
    raise CommandError("save.other_rules", file=str(path))


def report_repairs(voice: LocalizedConsole, path: Path, record: SaveContents) -> None:
    """What could be put right of a save. That all of it is there is said only where it is so."""
    if record.smoothed:
        voice.print_stderr(voice.text("save.smoothed", file=str(path)))
    for line in record.repaired:
        voice.print_stderr(voice.text("save.repaired_too" if record.damage else "save.repaired", file=str(path), line=line))


def report_table_config(voice: LocalizedConsole, loaded: LoadedGame) -> None:
    """What is wrong with a game's table.yaml; the game is played all the same, with a table from its declarations."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.game.table_config import check_table_config, read_table_config
    findings = DiagnosticList()
    document, laid = read_table_config(loaded.found.folder, findings, loaded.found.shown), loaded.game.ruleset.source.laid
    document = document if laid is None else laid.merge_table(document)
    if document is not None:
        check_table_config(document, loaded.game.ruleset, findings)
    if findings.items:
        print_findings(voice, findings.in_source_order())


def parse_settings(pairs: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE`, several times. Raises Usage."""
    out = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError("usage.option_form", found=pair)
        out[name.strip()] = value.strip()
    return out


def print_findings(voice: LocalizedConsole, findings: Iterable[Diagnostic]) -> None:
    """Findings as people read them, on the error stream."""
    from .rendering import render_findings
    voice.print_stderr(render_findings(voice, list(findings)))


def print_rule_fault(voice: LocalizedConsole, diagnostic: Diagnostic) -> None:
    """What a rule did while the game ran."""
    print_findings(voice, [diagnostic])


def load_without_packs(voice: LocalizedConsole, game: str, loaded: LoadedGame, settings: dict[str, Any]) -> LoadedGame | None:
    """The game without its house rules, as near to what is played as it can be: packs may bring players and options."""
    from ...dsl.model.codec import format_inline
    if not loaded.house_names:
        return None
    source = read_source(voice, resolve_game(game))
    known = {name: format_inline(value) for name, value in settings.items()
             if format_inline(value) in {format_inline(one) for one in source.data["options"].get(name, {}).get("values", ())}}
    return load_game(voice, game, nearest_players(voice, game, [], loaded.game.players), known)


def nearest_players(voice: LocalizedConsole, game: str, houses: list[Path | PackBundle], wanted: int = DEFAULT_PLAYERS) -> int:
    """How many players the numbers in the sentences are for: those wanted, or the nearest number that may play."""
    low, high = read_source(voice, resolve_game(game), houses).player_range
    return min(high, max(low, wanted))
