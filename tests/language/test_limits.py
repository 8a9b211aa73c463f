"""Checks that no rule can hang the engine. A fault stops growth and loops that `check` cannot bound."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game, RuleError
from tmp_files import filled

YAML = "game: g\nname: G\nplayers: 2\nrules: [g.rules]\nenums:\n  Player: {members: {anna: {}, bela: {}}}\n  Good: [spice, silk]\n" \
    "pieces: {Bead: {copies: {bead: {n: 60}}}}\n"


def load_game(folder, rules):
    return load_ruleset(filled(folder, {"game.yaml": YAML, "g.rules": rules + "standing player: 0\n"}))


@pytest.mark.long_cases(
    "state n: int\\nphase game:\\n    choose k in 2..3 by anna\\n    n = k\\n    repeat 40: n = n * n\\n-F003",
    "state n: int\\nphase game:\\n    choose k in 2..3 by anna\\n    rounds until n == k + 9: n = k\\n-F009",
)
@pytest.mark.parametrize("rules, code", [
    ("state n: int\nphase game:\n    choose k in 2..3 by anna\n    n = k\n    repeat 40: n = n * n\n", "F003"),
    ("phase game:\n    choose k in 2..3 by anna\n    let n = k\n    repeat 200: n = n * n\n", "F003"),
    ("state l: list of Good\nphase game:\n    choose k in 2..3 by anna\n    l = [spice, silk]\n    repeat 40: l = l + l\n", "F009"),
    ("state n: int = 1000000\nphase game:\n    choose k in 2..3 by anna\n    for x in 1..n * n: n -= 1\n", "F009"),
    ("state n: int\nphase game:\n    choose k in 2..3 by anna\n    rounds until n == k + 9: n = k\n", "F009"),
    ("state n: int\nphase game:\n    choose k in 2..3 by anna\n    n = size(subsets(Bead, 20 * k))\n", "F012"),
    ("state n: int\nphase game:\n    choose k in 2..3 by anna\n    n = size(subsets(Bead)) + k\n", "F012"),
])
def test_unbounded_growth_is_stopped(tmp_path, rules, code):
    position = Game(load_game(tmp_path, rules)).start()
    before = position.digest()
    with pytest.raises(RuleError) as error:
        position.play(0, "k=2")
    assert error.value.diagnostic.code == code and error.value.diagnostic.place.line > 1
    assert position.digest() == before, "the position must not change"


@pytest.mark.parametrize("loop", ["for a in 1..100000, b in 1..100000: n = a", "for a in 1..100000:\n        for b in 1..100000: n = a",
                                  "repeat 100000:\n        repeat 100000: n = 1", "n = count(a in 1..100000, b in 1..100000)"])
def test_nested_loops_are_counted_together(tmp_path, loop):
    with pytest.raises(RulesRejectedError) as refused:
        load_game(tmp_path, f"state n: int\nphase game:\n    {loop}\n    choose k in 2..3 by anna\n")
    assert [d.code for d in refused.value.findings.errors] == ["R234"]
