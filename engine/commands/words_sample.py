"""A random sample of everything that players read, for proofreading.

It plays whole games at random and collects their texts, the output of `show`, clauses, help, and
diagnostics. Then it draws lines, each with its place. An editor reads these instead of the catalogue,
because only here the sentences have their nouns and numbers filled in.

The same seed draws the same lines. Each kind contributes equally, as long as it has enough lines."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..i18n.readers import is_prose

if TYPE_CHECKING:
    from ..i18n import Localizer
    from ..library.loaded_game import LoadedGame
    from ..match.table import MatchTable
    from ..narration.narrator import Narrator

UNWRAPPED_WIDTH = 10_000                       # wide enough that no line is wrapped
MAX_ROUNDS = 30                          # limit for games that do not end
DECISIONS_PER_TABLE = 12                           # the table is sampled at every 12th decision
OPTIONS_PER_DECISION = 6                             # options sampled at each decision
NUMBER_PATTERN = re.compile(r"\d+")


@dataclass(frozen=True)
class SampleLine:
    """A line that somebody reads: its kind (prompt, option, log, card …), where it came from, and its text."""

    kind: str
    place: str
    text: str


def draw_sample(lines: Iterable[SampleLine], count: int, seed: int) -> list[SampleLine]:
    """Returns `count` different random lines, from each kind in turn.

    Lines that differ only in numbers count as one."""
    rng = random.Random(seed)
    kinds: dict[str, dict[str, SampleLine]] = {}
    for line in lines:
        kinds.setdefault(line.kind, {}).setdefault(NUMBER_PATTERN.sub("0", line.text), line)
    heaps = [sorted(found.values(), key=lambda line: (line.text, line.place)) for _, found in sorted(kinds.items())]
    for heap in heaps:
        rng.shuffle(heap)
    out: list[SampleLine] = []
    while len(out) < count and any(heaps):
        out += [heap.pop() for heap in heaps if heap]
    return out[:count]


# ---------------------------------------------------------------- a game


def iter_game_lines(loaded: LoadedGame, lang: str, seed: int) -> Iterator[SampleLine]:
    """Yields all lines of a game in one language: its rules in words, and one whole game of random answers."""
    from ..narration.narrator import Narrator
    narrator = Narrator(loaded.game, loaded.localizer(lang))
    game = loaded.game.ruleset.id
    yield from iter_rule_lines(loaded, narrator, game)
    yield from iter_playout_lines(loaded, narrator, game, seed)


def iter_rule_lines(loaded: LoadedGame, narrator: Narrator, game: str) -> Iterator[SampleLine]:
    """Yields the lines of `show` and `explain`."""
    from ..project.describe import describe_item, list_named_items
    from .show import overview_lines
    for text in overview_lines(loaded, narrator, UNWRAPPED_WIDTH):
        yield SampleLine("card", f"{game}: show", text)
    for thing in list_named_items(loaded.game, narrator):
        for text in describe_item(thing, loaded.game, narrator, UNWRAPPED_WIDTH):
            if not text.lstrip().startswith("["):                   # clauses are sampled separately
                yield SampleLine("card", f"{game}: show {thing.name}", text.strip())
    for key in narrator.words.english:
        if key.startswith("clause."):
            clause = key.removeprefix("clause.")
            yield SampleLine("clause", f"{game}: explain {clause}", narrator.clause_text(clause) or "")


def iter_playout_lines(loaded: LoadedGame, narrator: Narrator, game: str, seed: int) -> Iterator[SampleLine]:
    """Yields the lines of one game from set-up to end, as the deciding player reads them."""
    from ..explain.standing_text import breakdown_lines, standing_lines
    from ..match.setup import HUMAN, MatchSetup
    from ..match.table import MatchTable
    rng = random.Random(seed)
    players = loaded.game.players
    table = MatchTable(loaded.game, MatchSetup(game, players, seed, seats=[HUMAN] * players, langs=[""] * players))
    for told in table.opening:
        yield SampleLine("log", f"{game}, seed {seed}, set-up", narrator.event_text(told) or "")
    while not table.over and table.position.rounds <= MAX_ROUNDS:
        number = len(table.steps) + 1
        at = f"{game}, seed {seed}, decision {number}"
        yield from iter_decision_lines(table, narrator, at, rng, number % DECISIONS_PER_TABLE == 0)
        decision = table.position.decision
        assert decision is not None
        step = table.take(decision, decision.option(rng.choice(decision.codes)))
        for text in [*narrator.step_lines(step, step.seat, False), *narrator.step_lines(step, None, False)]:
            yield SampleLine("log", f"{at} ({step.key})", text.strip())
    for text in [*standing_lines(table, loaded, narrator.words.lang), *breakdown_lines(table, loaded, narrator, UNWRAPPED_WIDTH)]:
        yield SampleLine("result", f"{game}, seed {seed}, end", text)


def iter_decision_lines(table: MatchTable, narrator: Narrator, at: str, rng: random.Random, all_of_it: bool) -> Iterator[SampleLine]:
    """Yields the current question and some of its options.

    With `all_of_it` it also yields the table, what `look` shows, and option previews."""
    decision = table.position.decision
    assert decision is not None
    yield SampleLine("prompt", f"{at} ({decision.key})", narrator.question_text(decision))
    for code in rng.sample(list(decision.codes), min(OPTIONS_PER_DECISION, len(decision))):
        yield SampleLine("option", f"{at} ({decision.key})", narrator.option_text(decision, decision.option(code)))
    if not all_of_it:
        return
    from ..preview.preview_texts import OptionPreviews
    from ..table_view.build_panels import build_panels
    from ..table_view.inspect_item import ItemInspector
    from ..table_view.plain_renderer import render_plain
    for text in render_plain(build_panels(table.position, narrator, decision.seat), UNWRAPPED_WIDTH):
        yield SampleLine("table", at, text)
    about = ItemInspector(table.position, narrator, decision.seat)
    things = sorted({things[0] for _, things in about.names.iter_names() if about.values_about(things[0][0])})
    for thing in rng.sample(things, min(OPTIONS_PER_DECISION, len(things))):
        for text in about.describe(thing)[1:]:
            yield SampleLine("look", f"{at}, look {about.describe(thing)[0]}", text)
    hints = OptionPreviews(decision, narrator)
    for code in rng.sample(list(decision.codes), min(OPTIONS_PER_DECISION, len(decision))):
        yield SampleLine("hint", f"{at} ({decision.key})", hints.preview(code).line)


# ---------------------------------------------------------------- the engine


def iter_engine_lines(words: Localizer) -> Iterator[SampleLine]:
    """Yields help texts and diagnostics. Fields are left unfilled, because there is nothing to fill them with."""
    for key in words.english:
        head = key.partition(".")[0]
        if head == "diagnostic":
            kind = "finding"
        else:
            kind = "help" if head in ("cli", "help") and ".metavar." not in key else "engine"
        if not is_prose(key):
            yield SampleLine(kind, key, words.template(key))
        else:
            for part in words.text(key).split("\n\n"):
                yield SampleLine("explanation", key, " ".join(part.split()))
