"""What was chosen, in words: a thing by its name, an entry of a menu by an example of how it is offered."""

from __future__ import annotations

import random
from collections.abc import Iterable

from ..bots.chance import pick
from ..position.position import RuleError
from ..telling.teller import Teller
from ..words import Noun
from ..words.template import capital
from .playouts import things_of

GAMES, FAR = 5, 2000                 # games that are looked through for examples, and decisions of each


def names_of(teller: Teller, things: Iterable[str]) -> dict[str, str]:
    """The names of these things (`playouts.things_of`)."""
    found, offered = {}, []
    for thing in things:
        domain, _, member = thing.partition(".")
        enum = teller.game.model.enums.get(domain)
        if enum is not None and member in enum.first:
            found[thing] = named(teller, domain, enum.first[member])
        else:
            offered.append(thing)
    found |= examples(teller, set(offered))
    return found | {thing: teller.words.unnamed(thing.rpartition(".")[2]) for thing in offered if thing not in found}


def named(teller: Teller, domain: str, n: int) -> str:
    """A member of an enumeration, standing alone."""
    enum = teller.game.model.enums[domain]
    if enum.kind in ("cells", "corners"):
        return teller.label(enum, n)
    return capital(teller.words.value(Noun(teller.noun_key(domain, n))))


def examples(teller: Teller, wanted: set[str]) -> dict[str, str]:
    """How entries of menus are offered when they first come up in games at random; it is always the same example."""
    found: dict[str, str] = {}
    for seed in range(GAMES):
        if found.keys() >= wanted:
            break
        rng = random.Random(seed)
        try:
            position = teller.game.start(seed)
            for _ in range(FAR):
                decision = position.decision
                if decision is None:
                    break
                for code in decision.codes:
                    for thing in things_of(teller.game, decision.kind, code):
                        if thing in wanted and thing not in found:
                            found[thing] = teller.option(decision, decision.option(code))
                position.play(decision.seat, pick(rng, range(len(decision))))
        except RuleError:
            continue
    return found
