"""What people read, drawn by lot: whole games are played at random, and from all that was said in them, from what `show` tells, from
clauses, help and findings, some lines are drawn, each with the place it comes from. An editor reads these and not the catalogue: only here
stand the sentences with their nouns and numbers in them.

The same seed draws the same lines, of each kind as many as of any other while there are enough.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..i18n import Words
    from ..library.loaded_game import Loaded
    from ..match.table import Table
    from ..narration.narrator import Teller

WIDTH = 10_000                       # lines are not wrapped
ROUNDS = 30                          # of a game that does not end by itself
OFTEN = 12                           # the table and its things are told once in so many decisions
SOME = 6                             # options of one decision that are looked at
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Line:
    """A line that somebody reads: what kind it is (prompt, option, log, card …), where it stood, and the text."""

    kind: str
    place: str
    text: str


def drawn(lines: Iterable[Line], count: int, seed: int) -> list[Line]:
    """So many different lines by lot, of each kind in turn; what differs in numbers alone is drawn once."""
    rng = random.Random(seed)
    kinds: dict[str, dict[str, Line]] = {}
    for line in lines:
        kinds.setdefault(line.kind, {}).setdefault(NUMBER.sub("0", line.text), line)
    heaps = [sorted(found.values(), key=lambda line: (line.text, line.place)) for _, found in sorted(kinds.items())]
    for heap in heaps:
        rng.shuffle(heap)
    out: list[Line] = []
    while len(out) < count and any(heaps):
        out += [heap.pop() for heap in heaps if heap]
    return out[:count]


# ---------------------------------------------------------------- a game


def of_game(loaded: Loaded, lang: str, seed: int) -> Iterator[Line]:
    """All that a game says in one language: its rules in words, and one whole game of random answers."""
    from ..narration.narrator import Teller
    teller = Teller(loaded.game, loaded.words(lang))
    game = loaded.game.ruleset.id
    yield from of_rules(loaded, teller, game)
    yield from of_play(loaded, teller, game, seed)


def of_rules(loaded: Loaded, teller: Teller, game: str) -> Iterator[Line]:
    """What `show` and `explain` tell."""
    from ..project.describe import describe, named_things
    from .show import overview
    for text in overview(loaded, teller, WIDTH):
        yield Line("card", f"{game}: show", text)
    for thing in named_things(loaded.game, teller):
        for text in describe(thing, loaded.game, teller, WIDTH):
            if not text.lstrip().startswith("["):                   # a clause comes by itself
                yield Line("card", f"{game}: show {thing.name}", text.strip())
    for key in teller.words.english:
        if key.startswith("clause."):
            clause = key.removeprefix("clause.")
            yield Line("clause", f"{game}: explain {clause}", teller.clause(clause) or "")


def of_play(loaded: Loaded, teller: Teller, game: str, seed: int) -> Iterator[Line]:
    """One game from its set-up to its end, as the one who decides reads it."""
    from ..explain.standing_text import breakdown_lines, standing_lines
    from ..match.setup import HUMAN, Setup
    from ..match.table import Table
    rng = random.Random(seed)
    players = loaded.game.players
    table = Table(loaded.game, Setup(game, players, seed, seats=[HUMAN] * players, langs=[""] * players))
    for told in table.opening:
        yield Line("log", f"{game}, seed {seed}, set-up", teller.told(told) or "")
    while not table.over and table.position.rounds <= ROUNDS:
        number = len(table.steps) + 1
        at = f"{game}, seed {seed}, decision {number}"
        yield from of_moment(table, teller, at, rng, number % OFTEN == 0)
        decision = table.position.decision
        assert decision is not None
        step = table.take(decision, decision.option(rng.choice(decision.codes)))
        for text in [*teller.story(step, step.seat, False), *teller.story(step, None, False)]:
            yield Line("log", f"{at} ({step.key})", text.strip())
    for text in [*standing_lines(table, loaded, teller.words.lang), *breakdown_lines(table, loaded, teller, WIDTH)]:
        yield Line("result", f"{game}, seed {seed}, end", text)


def of_moment(table: Table, teller: Teller, at: str, rng: random.Random, all_of_it: bool) -> Iterator[Line]:
    """The question that waits, some of its options, and now and then the table, what may be looked at, and what options would change."""
    decision = table.position.decision
    assert decision is not None
    yield Line("prompt", f"{at} ({decision.key})", teller.ask(decision))
    for code in rng.sample(list(decision.codes), min(SOME, len(decision))):
        yield Line("option", f"{at} ({decision.key})", teller.option(decision, decision.option(code)))
    if not all_of_it:
        return
    from ..preview.preview_texts import Hints
    from ..table_view.build_panels import build
    from ..table_view.inspect_item import About
    from ..table_view.plain_renderer import plain_lines
    for text in plain_lines(build(table.position, teller, decision.seat), WIDTH):
        yield Line("table", at, text)
    about = About(table.position, teller, decision.seat)
    things = sorted({things[0] for things in about.names().values() if about.values(things[0][0])})
    for thing in rng.sample(things, min(SOME, len(things))):
        for text in about.lines(thing)[1:]:
            yield Line("look", f"{at}, look {about.lines(thing)[0]}", text)
    hints = Hints(decision, teller)
    for code in rng.sample(list(decision.codes), min(SOME, len(decision))):
        yield Line("hint", f"{at} ({decision.key})", hints.of(code).line)


# ---------------------------------------------------------------- the engine


def of_engine(words: Words) -> Iterator[Line]:
    """Help and findings. Their fields stand as they are written where nobody fills them here."""
    from ..i18n.readers import is_prose
    for key in words.english:
        head = key.partition(".")[0]
        if head == "diagnostic":
            kind = "finding"
        else:
            kind = "help" if head in ("cli", "help") and ".metavar." not in key else "engine"
        if not is_prose(key):
            yield Line(kind, key, words.template(key))
        else:
            for part in words.text(key).split("\n\n"):
                yield Line("explanation", key, " ".join(part.split()))
