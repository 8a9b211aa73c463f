"""The variants of a game that its scenarios need. scenario.py reads the scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from ...dsl.diagnostics.diagnostic import DiagnosticList, did_you_mean
from ...dsl.game.adhoc_expressions import ExpressionCompiler
from ...dsl.game.ruleset import build_variant, resolve_settings
from ...dsl.game.variants import VariantChecker
from ...dsl.packs import PackBundle, apply_packs
from ...dsl.packs.data_paths import value_names, value_path
from ...dsl.packs.overlay import PackOverlay
from ...dsl.packs.source import format_player_range, read_game
from ..library.find import GameLocation
from ..position.position import Game
from .scenario import Scenario

VariantKey = tuple[int | None, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]       # players, options, house rules



class ScenarioRulesets:
    """The variants of one game that its scenarios need. The game is read once, and each variant is built once."""

    def __init__(self, game: GameLocation, pack_sources: Sequence[Path | PackBundle] | None = None) -> None:
        self.game, self.pack_sources = game, list(pack_sources or [])
        self.made: dict[VariantKey, tuple[Game | None, DiagnosticList]] = {}
        self.read = DiagnosticList()                                     # diagnostics of the game itself
        self.asked: dict[Game, ExpressionCompiler] = {}

    @cached_property
    def checking(self) -> VariantChecker | None:
        """The game with its packs and the check results so far. None, with diagnostics in `read`, if it cannot be read."""
        source = read_game(self.game.folder, self.read, self.game.shown)
        if source is None:
            return None
        apply_packs(source, self.pack_sources, self.read)
        return VariantChecker(source, DiagnosticList(), exact=True)

    @property
    def overlay(self) -> PackOverlay | None:
        """The overlay of the packs over the game."""
        return self.checking.source.overlay if self.checking is not None else None

    def questions_for(self, game: Game) -> ExpressionCompiler:
        """Returns the evaluator of expressions for a game, with its cache."""
        return self.asked.setdefault(game, ExpressionCompiler(game.ruleset))

    @staticmethod
    def variant_key(scenario: Scenario) -> VariantKey:
        """Returns the variant that a scenario needs: players, options, house rules."""
        data = scenario.data
        house = tuple(sorted((str(k), repr(v)) for k, v in (data.get("house") or {}).items()))
        return data.get("players"), tuple(sorted((k, str(v)) for k, v in (data.get("options") or {}).items())), house

    def get_game(self, scenario: Scenario) -> tuple[Game | None, DiagnosticList]:
        """Returns the game as the scenario needs it, or None with diagnostics if it cannot be built."""
        key = self.variant_key(scenario)
        if key not in self.made or key[2] and self.made[key][1].items:         # their places are in the scenario
            findings = DiagnosticList()
            self.made[key] = (self.build_game(scenario, findings), findings)
        return self.made[key]

    def build_game(self, scenario: Scenario, findings: DiagnosticList) -> Game | None:
        """Builds the variant of the game for a scenario, with its house rules and options."""
        checking, house = self.checking, scenario.data.get("house") or {}
        findings.items += self.read.items
        if checking is None:
            return None
        source = checking.source
        if house:
            source = replace(source, data=deepcopy(source.data), places=dict(source.places))
            checking = VariantChecker(source, findings, exact=True)
        for key, value in house.items():
            target = value_path(source, str(key))
            if target is None:
                findings.add_with_suggestion(
                    "H002", scenario.key_place("house", key), did_you_mean(str(key), value_names(source)), name=key
                )
                continue
            node = source.data
            for part in target[:-1]:
                node = node.setdefault(part, {})
            node[target[-1]] = value
            source.places[target] = scenario.place("house", key)
        chosen = resolve_settings(source, scenario.data.get("options") or {}, findings)
        low, high = source.player_range
        players = scenario.data.get("players") or low
        if not low <= players <= high:
            findings.add("G020", scenario.place("players"), found=players, players=format_player_range(source))
        if findings.errors:
            return None
        ruleset = build_variant(checking, players, chosen)
        if ruleset is None and checking.findings is not findings:
            findings.items += checking.findings.items
        return Game(ruleset) if ruleset else None
