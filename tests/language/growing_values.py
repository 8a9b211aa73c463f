"""Creates small games whose values grow until a fault stops them."""

from __future__ import annotations

from pathlib import Path

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game
from tmp_files import filled

END = "        choose k in 0..1 by ann\nstanding player: 0\n"
GROWING_RULES = {
    "lists of long lists": """\
state l: list of list of 0..1
state r: list of 0..1
phase game:
    r = list(n in 1..90000: 0)
    repeat 30:
        repeat 200:
            r = r + [1]
            l += [r]
""",
    "sets of long lists": """\
state l: set of list of 0..1
state r: list of 0..1
phase game:
    r = list(n in 1..90000: 0)
    repeat 30:
        repeat 200:
            r = r + [1]
            l += {r}
""",
    "lists in lists in lists": """\
state l: list of list of list of 0..1
state r: list of list of 0..1
state q: list of 0..1
phase game:
    q = list(n in 1..60000: 0)
    r = [q, q, q]
    repeat 30:
        l += [r]
""",
    "lists of sets": """\
state l: list of set of Card
phase game:
    l = [set(c in Card)]
    repeat 30:
        l += l
""",
    "a long list for each of many": """\
state l[Card]: list of 0..1
phase game:
    repeat 30:
        l[c1] += list(n in 1..300: 0)
""",
}
YAML = "game: growing\nname: Growing\nplayers: 2\nrules: [g.rules]\nenums:\n  Player: {members: {ann: {}, bob: {}}}\n" \
       "  Card: {members: {" + ", ".join(f"c{n}: {{}}" for n in range(400)) + "}}\n"


def make_growing_game(folder: Path, rules: str) -> Game:
    return Game(load_ruleset(filled(folder, {"game.yaml": YAML, "g.rules": rules})))
