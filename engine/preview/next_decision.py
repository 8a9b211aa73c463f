"""Who must decide what next, once an option is taken.

    then.<decision>             somebody decides this next; where it names what is chosen there, it is said of each option
    then.<decision>.<entry>     they may take this entry of a menu
"""

from __future__ import annotations

from contextlib import suppress

from ...dsl.types.types import Of
from ..narration.narrator import Slots, Teller
from ..position.position import Decision
from ..position.visibility import in_sight
from .lookahead import known
from .unknown_values import Covered


def said_next(teller: Teller, now: Decision, then: Decision) -> list[str]:
    """What is said, to the one who decides `now`, of the decision that comes `then`, where the game has words for it: where these are of an
    entry of a menu, or name what is chosen there, of what may be chosen that could not be chosen already; what others choose in secret is
    not named."""
    mine, again = then.seat == now.seat, (then.key, then.seat) == (now.key, now.seat)
    usual = f"then.{then.key}"
    keys = {entry: teller.find([f"{usual}.{entry}", usual]) for entry in {choice.name for choice in then.kind.choices}}
    if not any(keys.values()):
        return []
    seen: Slots = in_sight(then) if mine else {
        v.name: (v.type, then.position.s[v.slot]) for v in then.kind.scope if not v.secret and not v.name.startswith(".")}
    seen = {name: slot for name, slot in seen.items() if known(slot[1])} | {"who": (Of("Player"), then.seat)}
    if not mine and then.kind.secret:
        general = teller.find([usual])
        return [teller.at(then.position).sentence(general, seen, None, now.seat)] if general is not None else []
    offered = {option.spelling for option in now.options} if again else set()
    out: dict[str, None] = {}
    for option in then.options:
        key = keys.get(option.entry) if not option.declines and option.spelling not in offered else None
        chosen: Slots = {name: (kind, raw) for name, kind, raw in option.values}
        if key is not None and (not again or teller.words.spoken_of(key, chosen)):
            with suppress(Covered):                                # what is said of what is chosen rests on what is covered
                out[teller.sentence(key, seen | chosen, then.position, now.seat)] = None
    return list(out)
