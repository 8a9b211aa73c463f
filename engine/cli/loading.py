"""From what the command line names to rules ready to be played, with everything wrong told in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..i18n.user_input import folded
from ..library.find import MAIN, RULES, Found, UnknownGame, find, installed
from ..library.load import Misnamed, take, take_game, take_packs, take_source
from ..library.loaded_game import Loaded
from .console import Quiet, Refusal, Usage, Voice

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ...dsl.packs import Bundle
    from ...dsl.packs.source import Source
    from ..match.save_reader import Record

USUAL_PLAYERS = 4                    # whose numbers the sentences of a rulebook have if none are asked for


@contextmanager
def told(voice: Voice) -> Iterator[None]:
    """Findings are told, and end the command."""
    from ...dsl.diagnostics.diagnostic import Refused
    try:
        yield
    except Refused as error:
        show_findings(voice, error.findings.sorted())
        raise Quiet(1) from None


@contextmanager
def as_usage() -> Iterator[None]:
    """What is not called so is wrong usage."""
    try:
        yield
    except Misnamed as error:
        raise Usage(error.key, **error.args_) from None


def find_game(name: str) -> Found:
    """The game by this name or path. Raises Usage."""
    with as_usage():
        return take_game(name)


def packs_from(names: Iterable[str]) -> list[Path | Bundle]:
    """The packs that `--house` names: files, folders, or packs found by their names. Raises Usage."""
    with as_usage():
        return take_packs(names)


def read_source(voice: Voice, found: Found, houses: Iterable[Path | Bundle] = ()) -> Source:
    """A game's data with its house rules laid over it; findings are told and end the command."""
    with told(voice):
        return take_source(found, houses)


def load_game(voice: Voice, name: str, players: int | None = None, settings: dict[str, str] | None = None,
              houses: Iterable[Path | Bundle] = ()) -> Loaded:
    """The rules of a game for so many players, with these options and house rules; a game that travels with Ludoglot may also be named as
    it is called in the language spoken. Raises Usage; findings are told and end it."""
    with told(voice), as_usage():
        return take(voice.lang, id_of(voice, name), players, settings or {}, houses)


def id_of(voice: Voice, name: str) -> str:
    """The id of the one game that is called so in the language spoken; what was typed, where that is an id or a path, or names none."""
    from ..i18n import game_words
    from ..i18n.text_cache import remembered
    from ..library.find import describe_game
    try:
        find(name)
        return name
    except UnknownGame:
        entries = [entry for game in installed() if (entry := remembered(RULES / game / MAIN, describe_game)) is not None]
        named = [entry["id"] for entry in entries if folded(name) == folded(
            game_words(voice.lang, entry["id"], RULES / entry["id"], {"game.name": entry["name"]}).text("game.name"))]
        return str(named[0]) if len(named) == 1 else name


def load_saved(voice: Voice, path: Path, game: str | None = None, houses: Sequence[Path | Bundle] = ()) -> Loaded:
    """The rules of a save, house rules included: the very same as those it was played with. `game` and `houses` say where they lie now, if
    they have moved. Raises Usage and Refusal."""
    from ..match.save_reader import read_record
    from ..match.saved_packs import changed_since, packs_of
    from ..match.setup import SaveFault
    try:
        setup = read_record(path, strict=False).setup           # what is damaged further down is told to who goes on with it
    except SaveFault as error:
        kind = Usage if error.key == "file.missing" else Refusal
        raise kind(error.key, **error.args_) from error
    packs: list[Path | Bundle] = list(houses) or packs_of(setup.house)
    elsewhere = voice.text("cli.metavar.path")
    try:
        find(setup.game) if game is None else find_game(game)
    except UnknownGame:
        command = f"ludoglot play {elsewhere} --resume {path}"
        raise Refusal("save.game_missing", file=str(path), game=setup.game, command=command) from None
    for entry, pack in [] if houses else zip(setup.house, packs):
        if isinstance(pack, Path) and not pack.exists():
            command = f"ludoglot play --resume {path} --house {elsewhere}"
            raise Refusal("save.house_missing", file=str(path), name=entry["name"], path=entry["path"], command=command)
    settings = {name: str(value) for name, value in setup.options.items()}
    try:
        loaded = load_game(voice, game or setup.game, setup.players, settings, packs)
    except Usage as error:
        if error.key == "file.missing":
            raise
        raise Refusal("save.other_rules", file=str(path)) from error
    changed = [] if houses else changed_since(setup.house)
    other = bool(setup.version) and setup.version != loaded.game.ruleset.source.version
    if loaded.means(setup.rules):
        if other:
            voice.warn(voice.text("save.version_kept", file=str(path), old=setup.version, now=loaded.game.ruleset.source.version))
        if changed:
            voice.warn(voice.text("save.house_kept", file=str(path), names=changed))
        return loaded
    if changed:
        raise Refusal("save.house_changed", file=str(path), names=changed)
    if other:
        raise Refusal("save.other_version", file=str(path), old=setup.version, now=loaded.game.ruleset.source.version)
    raise Refusal("save.other_rules", file=str(path))


def tell_mended(voice: Voice, path: Path, record: Record) -> None:
    """What could be put right of a save. That all of it is there is said only where it is so."""
    if record.smoothed:
        voice.warn(voice.text("save.smoothed", file=str(path)))
    for line in record.repaired:
        voice.warn(voice.text("save.repaired_too" if record.damage else "save.repaired", file=str(path), line=line))


def warn_of_table(voice: Voice, loaded: Loaded) -> None:
    """What is wrong with a game's table.yaml; the game is played all the same, with a table from its declarations."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ...dsl.game.table_config import check_panels, read_panels
    findings = Findings()
    document, laid = read_panels(loaded.found.folder, findings, loaded.found.shown), loaded.game.ruleset.source.laid
    document = document if laid is None else laid.panels(document)
    if document is not None:
        check_panels(document, loaded.game.ruleset, findings)
    if findings.items:
        show_findings(voice, findings.sorted())


def settings_from(pairs: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE`, several times. Raises Usage."""
    out = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise Usage("usage.option_form", found=pair)
        out[name.strip()] = value.strip()
    return out


def show_findings(voice: Voice, findings: Iterable[Diagnostic]) -> None:
    """Findings as people read them, on the error stream."""
    from .rendering import rendered
    voice.warn(rendered(voice, list(findings)))


def show_fault(voice: Voice, diagnostic: Diagnostic) -> None:
    """What a rule did while the game ran."""
    show_findings(voice, [diagnostic])


def load_without_packs(voice: Voice, game: str, loaded: Loaded, settings: dict[str, Any]) -> Loaded | None:
    """The game without its house rules, as near to what is played as it can be: packs may bring players and options."""
    from ...dsl.model.codec import as_written
    if not loaded.house_names:
        return None
    source = read_source(voice, find_game(game))
    known = {name: as_written(value) for name, value in settings.items()
             if as_written(value) in {as_written(one) for one in source.data["options"].get(name, {}).get("values", ())}}
    return load_game(voice, game, nearest_players(voice, game, [], loaded.game.players), known)


def nearest_players(voice: Voice, game: str, houses: list[Path | Bundle], wanted: int = USUAL_PLAYERS) -> int:
    """How many players the numbers in the sentences are for: those wanted, or the nearest number that may play."""
    low, high = read_source(voice, find_game(game), houses).player_range
    return min(high, max(low, wanted))
