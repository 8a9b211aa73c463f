"""Checks, renders, tests, and plays the packs of docs/examples/packs.

Each pack is rendered in every language, tested with the scenarios of its game, and played by bots."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
import yaml
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.packs import read_bundle
from ludoglot.dsl.packs.pack_texts import OverlayTexts
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.position.position import Game
from ludoglot.engine.project.check import check_game
from ludoglot.engine.testing.pack_regressions import CHANGED, DROPPED, FAILED, classify_result
from ludoglot.engine.testing.scenario import list_scenario_files as files_of
from ludoglot.engine.testing.scenario import read_pack_scenarios, read_scenarios
from ludoglot.engine.testing.scenario_rulesets import ScenarioRulesets
from ludoglot.engine.testing.scenario_runner import run_scenario

PACKS = sorted((Path(__file__).parents[2] / "docs/examples/packs").glob("*.yaml"))
QUICK_PACKS = ("breakthrough-6", "connect-five", "pie-rule")
PACK_CASES = [pytest.param(path, id=path.stem, marks=() if path.stem in QUICK_PACKS else pytest.mark.long) for path in PACKS]
SAVED_PACK_CASES = [pytest.param(path, id=path.stem) for path in PACKS if path.stem in (*QUICK_PACKS, "swamps", "drought", "fat-scores")]
# How many scenarios of the game each pack leaves out, and how many it changes. Update the numbers if a new scenario of the game changes
# them.
SCENARIO_CHANGES = {
    "drought": (0, 4), "no-piracy": (43, 3), "four-dominations": (9, 0), "connect-five": (0, 3), "pie-rule": (0, 1), "winter": (0, 0),
}
# The other packs are tested in so many variants: those with most scenarios. Many variants of players and options have one scenario, and
# compiling them takes most of the time. `ludoglot test GAME --pack PACK` tests all.
SAMPLED_VARIANTS = 5
MAX_DECISIONS = 60


def read_game_id(path: Path) -> str:
    return str(yaml.safe_load(path.read_text(encoding="utf-8"))["for"])


@pytest.mark.long_cases("pie-rule")
@pytest.mark.parametrize("path", PACK_CASES)
def test_pack_has_no_findings(path):
    findings = DiagnosticList()
    check_game(find_game_location(read_game_id(path)), [path], findings)
    assert [str(found) for found in findings.items] == []


@pytest.mark.long
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PACKS])
def test_pack_texts_exist_in_every_language(path):
    ruleset = load_ruleset(find_game_location(read_game_id(path)).folder, pack_sources=[path])
    texts: OverlayTexts = ruleset.source.overlay.texts
    for key in texts.source:
        assert [lang for lang in texts.translations if key not in texts.translations[lang]] == [], key
    assert set(yaml.safe_load(path.read_text(encoding="utf-8"))["text"]) == {"en", "it", "es", "hu"}
    assert all(":" not in said.split("{")[0][-2:] for lang in texts.translations for key, said in texts.translations[lang].items()
               if key.startswith("clause.") and isinstance(said, str) and "{" in said), "a field must not follow a colon"


@pytest.mark.long_cases("breakthrough-6", "pie-rule")
@pytest.mark.parametrize("path", PACK_CASES)
def test_pack_scenarios_pass_and_game_scenarios_pass_or_are_explained(path):
    game = find_game_location(read_game_id(path))
    rules, bare = ScenarioRulesets(game, [path]), ScenarioRulesets(game)
    findings = DiagnosticList()
    overlay = load_ruleset(game.folder, pack_sources=[path]).source.overlay
    own = read_pack_scenarios(overlay)
    assert own, "the pack has no scenarios"
    moved = {DROPPED: 0, CHANGED: 0}
    scenarios = [one for file in files_of(game) for one in read_scenarios(file, findings)]
    if path.stem not in SCENARIO_CHANGES:
        counts = Counter(map(rules.variant_key, scenarios))
        sampled = {key for key, _ in counts.most_common(SAMPLED_VARIANTS)}
        scenarios = [one for one in scenarios if rules.variant_key(one) in sampled]
    for scenario in own + scenarios:
        judged = classify_result(run_scenario(scenario, rules), rules, bare)
        assert judged.state != FAILED, scenario.name
        if judged.state in moved:
            moved[judged.state] += 1
            assert judged.place is not None and judged.place.path == str(path) and judged.place.line > 1
    if path.stem in SCENARIO_CHANGES:
        assert (moved[DROPPED], moved[CHANGED]) == SCENARIO_CHANGES[path.stem]


@pytest.mark.long_cases("connect-five")
@pytest.mark.parametrize("path", PACK_CASES)
def test_games_with_pack_break_no_invariant(path):
    folder = find_game_location(read_game_id(path)).folder
    low, high = load_ruleset(folder).source.player_range
    for players in {low, high}:
        game = Game(load_ruleset(folder, players, pack_sources=[path]))
        for seed in (1, 2):
            chance = random.Random(seed)
            position = game.new_position(seed)
            position.run_to_decision()
            for _ in range(MAX_DECISIONS):
                if position.decision is None:
                    break
                position.play(position.decision.seat, chance.choice(position.decision.options))
                assert position.broken_invariants() == []


@pytest.mark.long_cases("drought", "fat-scores", "swamps")
@pytest.mark.parametrize("path", SAVED_PACK_CASES)
def test_pack_restored_from_a_save_makes_the_same_game(path):
    """A bundle that was written and read again, as a save does, makes the same game."""
    from ludoglot.engine.match.saved_packs import pack_entries, restore_packs
    bundle = read_bundle(path, DiagnosticList())
    entries = json.loads(json.dumps(pack_entries([bundle], [path.stem])))
    again = restore_packs(entries)
    folder = find_game_location(read_game_id(path)).folder
    assert load_ruleset(folder, pack_sources=again).rules_fingerprint() == load_ruleset(folder, pack_sources=[path]).rules_fingerprint()


@pytest.mark.long
def test_packs_of_one_game_can_be_combined():
    by_game: dict[str, list[Path]] = {}
    for path in PACKS:
        by_game.setdefault(read_game_id(path), []).append(path)
    together = {"dominant-species": ("drought", "winter", "ten-turns", "tie-by-species", "four-dominations"),
                "evolution": ("hand-limit", "fat-scores", "hunt-twice"), "trias": ("swamps", "strong-pole", "recovery")}
    for game, names in together.items():
        ruleset = load_ruleset(find_game_location(game).folder, pack_sources=[path for path in by_game[game] if path.stem in names])
        assert sorted(ruleset.source.pack_sources) == sorted(names)
