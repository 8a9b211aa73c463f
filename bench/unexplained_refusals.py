"""Counts the refusals that `why` can explain only with the source text of a rule.

Plays random games of all games, or of the games that you name. At each decision it tries some answers of the right kind that are not
offered. It lists the parts of rules without texts, the most frequent first.

    python bench/unexplained_refusals.py [GAME ...] [--turns 60] [--tries 20] [--seeds 1] [--show 5] [--say LANG]
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections import Counter
from collections.abc import Iterator

from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.types.boards import OPEN_SPAN
from ludoglot.engine.explain.provenance import source_text
from ludoglot.engine.explain.refusal_finder import OptionExplanation, RefusalFinder
from ludoglot.engine.explain.refusal_text import format_refusal
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.library.find import RULES_FOLDER, list_game_ids
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.position import Decision, Game


def members(asked: RefusalFinder, number: int, rng: random.Random, most: int) -> list[tuple[int, ...]]:
    """Returns all answers of the right kind for one choice, or a random sample of `most` if there are too many."""
    ranges = [asked.list_possible_values(slot, number) for slot in asked.choice(number).slots]
    for n, slot in enumerate(asked.choice(number).slots):
        if slot.radix == OPEN_SPAN * OPEN_SPAN:                     # a board without an edge: also tries the cells around visible ones
            ranges[n] = sorted({cell + step for cell in ranges[n] for step in (0, 1, -1, OPEN_SPAN, -OPEN_SPAN)})
    whole = 1
    for values in ranges:
        whole *= len(values)
    if whole <= most:
        return list(itertools.product(*ranges))
    return [tuple(rng.choice(values) for values in ranges) for _ in range(most)]


def refusals(game: Game, seed: int, turns: int, most: int) -> Iterator[tuple[Decision, OptionExplanation]]:
    """Yields explanations of answers that are not offered, in a random game."""
    position, rng = game.start(seed), random.Random(seed)
    for _ in range(turns):
        decision = position.decision
        if decision is None:
            return
        asked = RefusalFinder(position)
        for number in range(len(asked.ways)):
            for values in members(asked, number, rng, most):
                answer = asked.explain_candidate(number, values)
                if answer.kind == "refused" and answer.tests and not answer.closed:
                    yield decision, answer
        position.play(decision.seat, rng.choice(decision.options))


def teller_of(game: Game, lang: str) -> Narrator:
    ruleset = game.ruleset
    return Narrator(game, game_localizer(lang, ruleset.id, ruleset.folder, {key: text for key, (text, _) in ruleset.model.texts.items()}))


def count(name: str, seeds: int, turns: int, tries: int, lang: str) -> tuple[int, Counter[str], Counter[str]]:
    """Returns the number of refusals of a game, the parts of rules of those without texts, and the texts of the others."""
    game, asked, without, said = Game(load_ruleset(RULES_FOLDER / name)), 0, Counter[str](), Counter[str]()
    narrator = teller_of(game, lang)
    for seed in range(1, seeds + 1):
        for decision, answer in refusals(game, seed, turns, tries):
            asked += 1
            lines = format_refusal(narrator, decision, answer)
            if lines:
                said[" ".join(lines)] += 1
            else:
                test = answer.tests[-1]
                without[f"{test.path}:{test.node.at.line}  {test.kind}  {source_text(game, test.path, test.node)}"] += 1
    return asked, without, said


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("games", nargs="*", help="all when none is named")
    arguments.add_argument("--turns", type=int, default=60, help="decisions of each game")
    arguments.add_argument("--tries", type=int, default=20, help="things asked about, of each way to answer")
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--show", type=int, default=5, help="parts of rules that are listed of each game")
    arguments.add_argument("--say", metavar="LANG", help="some of the sentences of those that have words, in this language")
    given = arguments.parse_args()
    total, mute = 0, 0
    for name in given.games or list_game_ids():
        asked, without, said = count(name, given.seeds, given.turns, given.tries, given.say or "en")
        silent = sum(without.values())
        total, mute = total + asked, mute + silent
        print(f"{name}: {silent} of {asked} refusals without words", flush=True)
        for part, many in without.most_common(given.show):
            print(f"  {many:5}  {part}")
        for sentence, many in said.most_common(given.show) if given.say else ():
            print(f"  {many:5}  {sentence}")
    print(f"together: {mute} of {total}, {100 * mute / max(1, total):.1f} of 100")


if __name__ == "__main__":
    main()
