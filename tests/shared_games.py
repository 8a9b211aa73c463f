"""Games compiled once for a run. Who does not test loading itself takes them from here.

    shared("hex"), shared("parry", 3)              a game of the rules folder, or a toy of tests/games
    shared(folder, 4, {"dealing": "choice"})       a game of any folder
    build(...), parse_yaml(...)                    what the language's own give, for tests of commands

What is kept is found again by what it was made of: the folder and all that stands in its rules and data, how messages call it, the number
of players, the options, the house rules. What has errors is compiled anew each time. Nobody may change what is shared: `changed()` looks,
and tests/conftest.py asks it after each file of tests. Whoever spoils rules, or needs two compilations of one game, uses `load`.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, RulesRejectedError
from ludoglot.dsl.game import ruleset
from ludoglot.dsl.game.ruleset import Ruleset, resolve_settings
from ludoglot.dsl.packs.source import GameSource, read_game
from ludoglot.dsl.yaml import located_yaml
from ludoglot.engine.position.position import Game

TESTS = Path(__file__).parent
RULES = TESTS.parent / "rules"
TOYS = TESTS / "games"
ENDINGS = (".yaml", ".rules")

_sources: dict[tuple, GameSource] = {}
_rulesets: dict[tuple, Ruleset] = {}
_games: dict[int, Game] = {}                                       # by the id of a ruleset that is kept
_warnings: dict[tuple, list[Any]] = {}                             # what was said when it was made
_prints: dict[tuple, str] = {}                                     # what a ruleset was like when it was made
_used: set[tuple] = set()                                          # since `changed` looked last
_documents: dict[tuple[str, str], bytes] = {}                      # YAML, by its text and its name
_loading: list[bool] = []                                          # whether somebody asked for a compilation of their own
_build, _try_load, _parse_yaml = ruleset.build_ruleset, ruleset.try_load_ruleset, located_yaml.parse_yaml


def folder_of(name: str | Path) -> Path:
    """The folder of a shipped game or a toy; a path is the folder itself."""
    if isinstance(name, Path):
        return name
    return RULES / name if (RULES / name).is_dir() else TOYS / name


def shared(name: str | Path, players: int | None = None, settings: dict[str, Any] | None = None) -> Game:
    """A game that everybody shares, with the ruleset that `load` would give: `start()` it, and leave the rest as it is. Raises Refused."""
    folder, findings = folder_of(name), DiagnosticList()
    key = (folder, contents(folder))
    if key not in _sources:
        source = read_game(folder, findings)
        if source is None or findings.items:
            raise RulesRejectedError(findings)
        _sources[key] = source
    source = _sources[key]
    chosen = resolve_settings(source, settings or {}, findings)
    low, high = source.player_range
    made = build(source, players or low, chosen, findings) if low <= (players or low) <= high and not findings.items else None
    if made is None:
        raise RulesRejectedError(findings)
    if id(made) not in _games:
        _games[id(made)] = Game(made)
    return _games[id(made)]


def build(source: GameSource, players: int, settings: dict[str, Any], findings: DiagnosticList) -> Ruleset | None:
    """The same as ruleset.build, and the same again when all that it depends on is the same."""
    if findings.items or _loading:
        return _build(source, players, settings, findings)
    pack_sources = [(path, place) for path, place in source.places.items() if path[:1] == ("house",)]
    packs = [pack.bundle.hash for pack in source.overlay.packs] if source.overlay is not None else ""
    key = (source.folder, source.shown, contents(source.folder), repr((source.data, source.pack_sources, pack_sources, packs)), players,
           repr(sorted(settings.items())))
    if key in _rulesets:
        _used.add(key)
        findings.items += _warnings[key]
        return _rulesets[key]
    made = _build(source, players, settings, findings)
    if made is not None and not findings.errors:
        _rulesets[key], _prints[key], _warnings[key] = made, print_of(made), list(findings.items)
        _used.add(key)
    return made


def parse_yaml(
    text: str, path: str, findings: DiagnosticList, most: int = located_yaml.MAX_VALUES, harmless: Collection[str] = ()
) -> located_yaml.LocatedYaml | None:
    """Parses YAML like `located_yaml.parse_yaml`, but parses each document once. Every caller gets its own copy."""
    if (text, path) not in _documents:
        before = len(findings.items)
        document = _parse_yaml(text, path, findings, most, harmless)
        if document is None or len(findings.items) > before:
            return document
        _documents[text, path] = pickle.dumps(document)
    return pickle.loads(_documents[text, path])


def try_load(*args: Any, **more: Any) -> Ruleset | None:
    """What `load` gives is always compiled anew."""
    _loading.append(True)
    try:
        return _try_load(*args, **more)
    finally:
        _loading.pop()


def contents(folder: Path) -> str:
    """A hash of every file that may be part of a game, with its name."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS):
        digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def print_of(made: Ruleset) -> str:
    """What could be changed of a ruleset by who only plays it: what its rules do, its data, and where it begins."""
    model, module = made.model, made.module
    held = (made.rules_fingerprint(), module.initial, made.settings, made.source.data, model.numbers, model.texts,
            [(enum.name, enum.members, enum.values, enum.own) for enum in model.enums.values()])
    blocks = [(block.__name__, block is module.namespace[block.__name__]) for block in module.blocks]     # made when first called
    functions = [*blocks, *map(id, (*module.standing, *module.plain.values()))]
    return hashlib.sha256(repr((held, functions)).encode()).hexdigest()


def changed() -> list[str]:
    """The shared games that are no longer what they were; they are forgotten, so that only the one who did it fails."""
    found = [key for key in _used if print_of(_rulesets[key]) != _prints[key]]
    _used.clear()
    for key in found:
        _games.pop(id(_rulesets.pop(key)), None)
    return [f"{key[0].name}, {key[4]} players" for key in found]
