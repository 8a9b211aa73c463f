"""Text keys for the next decision after an option.

    then.<decision>             a player makes this decision next; if the text names chosen values, once for each option
    then.<decision>.<entry>     a player may take this menu entry"""

from __future__ import annotations

from contextlib import suppress

from ...dsl.types.types import MemberOf
from ..i18n import DeferredMessage
from ..narration.narrator import FieldValues, Narrator
from ..position.observation import visible_names
from ..position.position import Decision
from .lookahead import is_known
from .unknown_values import HiddenValueError


def next_decision_statements(narrator: Narrator, now: Decision, then: Decision) -> list[DeferredMessage]:
    """Returns what is said about the decision `then` to the player who decides `now`.

    The game must have a text for it. If the text belongs to a menu entry, or names chosen
    values, there is one statement for each option that is not offered already. The options of a
    private decision of another player are not named."""
    mine, again = then.seat == now.seat, (then.key, then.seat) == (now.key, now.seat)
    usual = f"then.{then.key}"
    keys = {entry: narrator.find_key([f"{usual}.{entry}", usual]) for entry in {choice.name for choice in then.kind.choices}}
    if not any(keys.values()):
        return []
    seen: FieldValues = visible_names(then) if mine else {
        v.name: (v.type, then.position.s[v.slot]) for v in then.kind.scope if not v.secret and not v.name.startswith(".")}
    seen = {name: slot for name, slot in seen.items() if is_known(slot[1])} | {"who": (MemberOf("Player"), then.seat)}
    if not mine and then.kind.secret:
        general = narrator.find_key([usual])
        return [narrator.with_numbers_at(then.position).statement(general, seen, None, now.seat)] if general is not None else []
    offered = {option.spelling for option in now.options} if again else set()
    out: dict[DeferredMessage, None] = {}
    for option in then.options:
        key = keys.get(option.entry) if not option.declines and option.spelling not in offered else None
        chosen: FieldValues = {name: (kind, raw) for name, kind, raw in option.values}
        if key is not None and (not again or narrator.words.fields_used(key, chosen)):
            with suppress(HiddenValueError):                                # the text depends on a masked value
                out[narrator.statement(key, seen | chosen, then.position, now.seat)] = None
    return list(out)
