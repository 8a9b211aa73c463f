"""Compiles games once for a test run. Take games from here unless you test loading itself.

    shared("hex"), shared("parry", 3)              a game of the rules folder, or a toy of tests/games
    shared(folder, 4, {"dealing": "choice"})       a game of any folder
    build(...), parse_yaml(...)                    replacements for the functions of the language, for tests of commands

The key of a compiled game is its source: the folder, the contents of its rules and data, its name in messages, the number of players,
the options, and the house rules. Games with errors are compiled each time. No test may change a shared game. `changed()` checks this,
and tests/conftest.py calls it after each test file. If a test damages rules, or needs two compilations of one game, use `load`.
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
_games: dict[int, Game] = {}                                       # by the id of a cached ruleset
_warnings: dict[tuple, list[Any]] = {}                             # diagnostics of the compilation
_prints: dict[tuple, str] = {}                                     # hash of a ruleset after its compilation
_used: set[tuple] = set()                                          # since the last call of `changed`
_documents: dict[tuple[str, str], bytes] = {}                      # pickled YAML, by text and name
_loading: list[bool] = []                                          # not empty during a compilation without the cache
_build, _try_load, _parse_yaml = ruleset.build_ruleset, ruleset.try_load_ruleset, located_yaml.parse_yaml


def folder_of(name: str | Path) -> Path:
    """Returns the folder of a shipped game or a toy. A path is the folder itself."""
    if isinstance(name, Path):
        return name
    return RULES / name if (RULES / name).is_dir() else TOYS / name


def shared(name: str | Path, players: int | None = None, settings: dict[str, Any] | None = None) -> Game:
    """Returns a shared game with the ruleset that `load` would give. You may `start()` it, but not change it. Raises RulesRejectedError."""
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
    """Does the same as `ruleset.build_ruleset`, but returns a cached ruleset if all its inputs are the same."""
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
    """Compiles a game without the cache, because `load` promises a new compilation."""
    _loading.append(True)
    try:
        return _try_load(*args, **more)
    finally:
        _loading.pop()


def contents(folder: Path) -> str:
    """Returns a hash of the names and contents of all files that may be part of a game."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS):
        digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def print_of(made: Ruleset) -> str:
    """Returns a hash of the parts of a ruleset that play could change: its functions, its data, and its initial position."""
    model, module = made.model, made.module
    held = (made.rules_fingerprint(), module.initial, made.settings, made.source.data, model.numbers, model.texts,
            [(enum.name, enum.members, enum.values, enum.own) for enum in model.enums.values()])
    blocks = [(block.__name__, block is module.namespace[block.__name__]) for block in module.blocks]     # compiled at the first call
    functions = [*blocks, *map(id, (*module.standing, *module.plain.values()))]
    return hashlib.sha256(repr((held, functions)).encode()).hexdigest()


def changed() -> list[str]:
    """Returns the shared games that have changed. It removes them from the cache, so that only the responsible test file fails."""
    found = [key for key in _used if print_of(_rulesets[key]) != _prints[key]]
    _used.clear()
    for key in found:
        _games.pop(id(_rulesets.pop(key)), None)
    return [f"{key[0].name}, {key[4]} players" for key in found]
