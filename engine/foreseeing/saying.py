"""What choosing an option would change, in a few words beside it, and in whole sentences when asked.

A game says in its messages (all are parts of a sentence, without a capital and a point):

    worth.<value>               one of the values worth telling: of {it} and, where it is about two things, {at}; {old}, {new}, for a number
                                also {change} (+2) and {by} (2)
    worth.<value>.less          of a number that falls
    worth.<value>.none          of something that is nothing then, or nought
    worth.<value>.not           of something that is no longer true
    short.<event>               an event
    then.<decision>             somebody decides this next

What has no text is not told; of a game that declares nothing worth telling, events are told in their own sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...dsl.values.types import Bool, Int, Maybe, Of
from ..drawing.look import look_of
from ..position.position import Decision, Told
from ..position.view import in_sight
from ..telling.teller import Slots, Teller
from ..words.fields import fields
from ..words.template import capital
from .ahead import Ahead, Foresight, known
from .worth import Change, Worth

MANY = 80                            # with more options than this, what they change is told of one when asked;
WORK = 240                           # so too where it takes more steps of the game to find out


@dataclass(frozen=True)
class Hint:
    """What an option would change, part by part, and the texts of the things that it chooses."""

    parts: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def line(self) -> str:
        return joined(self.parts)


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas; whole sentences, which end in a point, one after the other. One alone needs no point."""
    if len(parts) == 1:
        return parts[0].removesuffix(".")
    out = ""
    for part in parts:
        if not out:
            out = part
        elif out.endswith("."):
            out += f" {capital(part)}"
        else:
            out += f"{'.' if part.endswith('.') else ','} {part}"
    return out


class Hints:
    """What the options of one decision would change, for the one who decides."""

    def __init__(self, decision: Decision, teller: Teller, auto: bool = True) -> None:
        self.decision, self.teller = decision, teller
        self.foresight = Foresight(decision, auto)
        names = look_of(teller.game).worth
        self.declared = names is not None
        self.worth = Worth(names or [], self.foresight.start, decision.seat)     # what is reckoned there is known in each copy

    def all(self) -> tuple[dict[int, Hint], list[str]]:
        """By code, what each option changes; and what happens whatever is chosen. Of too many options nothing is said, nor where it would
        take long: steps are counted, so that it is the same each time and on every machine."""
        codes = list(self.decision.codes)
        if len(codes) > MANY:
            return {}, []
        found = {}
        for code in codes:
            found[code] = self.of(code)
            if self.foresight.work > WORK:
                return {}, []
        always = [part for part in found[codes[0]].parts if len(codes) > 1 and all(part in hint.parts for hint in found.values())]
        return {code: Hint(tuple(part for part in hint.parts if part not in always), hint.texts) for code, hint in found.items()}, always

    def of(self, code: int) -> Hint:
        """What one option changes."""
        ahead = self.foresight.of(code)
        return Hint(tuple(dict.fromkeys(self.said(ahead))), tuple(self.texts(code)))

    # ------------------------------------------------------------ parts of a line

    def said(self, ahead: Ahead) -> Iterable[str]:
        for told in ahead.told:
            if (said := self.event(told)) is not None:
                yield said
        for change in self.worth.changes(ahead):
            if (said := self.change(change)) is not None:
                yield said
        if ahead.over:
            yield from self.end(ahead)
        elif ahead.decision is not None and (said := self.next(ahead.decision)) is not None:
            yield said

    def event(self, told: Told) -> str | None:
        slots: Slots = {name: (kind, raw) for name, kind, raw in told.slots}
        key = self.teller.find([f"short.{told.key}"])
        if key is not None:
            return self.teller.sentence(key, slots)
        said = self.teller.told(told) if not self.declared and self.teller.find([f"event.{told.key}"]) else None
        return said or None

    def change(self, change: Change) -> str | None:
        """A value that is otherwise than before."""
        teller, found = self.teller, change.type
        slots: Slots = {name: (Of(domain), n) for name, (domain, n) in zip(("it", "at"), change.about)}
        slots |= {"old": (found, change.old), "new": (found, change.new)}
        more: dict[str, str | int] = {}
        kind = ""
        if isinstance(found, Int):
            by = change.new - change.old
            more = {"change": f"{by:+}", "by": abs(by), "n": abs(by)}
            kind = "none" if not change.new else "less" if by < 0 else ""
        elif isinstance(found, Bool):
            kind = "" if change.new else "not"
        elif isinstance(found, Maybe):
            kind = "" if teller.game.codec(found).size(change.new) else "none"
        usual = f"worth.{change.name}"
        key = special if kind and teller.words.has(special := f"worth.{change.name}.{kind}") else usual if teller.words.has(usual) else None
        if key is None or key == usual and kind and not isinstance(found, Int):
            return None
        return teller.sentence(key, slots, None, self.decision.seat, **more)

    def next(self, decision: Decision) -> str | None:
        """Who must decide what then, where the game has words for it."""
        key = self.teller.find([f"then.{decision.key}"])
        if key is None or decision.key == self.decision.key and decision.seat == self.decision.seat:
            return None
        seen: Slots = in_sight(decision) if decision.seat == self.decision.seat else {
            v.name: (v.type, decision.position.s[v.slot]) for v in decision.kind.scope if not v.secret and not v.name.startswith(".")}
        seen = {name: slot for name, slot in seen.items() if known(slot[1])}
        return self.teller.sentence(key, {**seen, "who": (Of("Player"), decision.seat)}, None, self.decision.seat)

    def end(self, ahead: Ahead) -> Iterable[str]:
        """Who has won, where that does not rest on what is covered."""
        words = self.teller.words
        try:
            ranks = ahead.after.standing()
        except Exception:                                          # what Python makes of a cover
            return
        first = [self.teller.who(rank.seat) for rank in ranks if rank.rank == 1]
        if len(first) == 1:
            said = words.text("result.winner", who=first[0])
        else:
            said = words.text("result.drawn") if len(first) == len(ranks) else words.text("result.shared", who=first)
        yield said

    # ------------------------------------------------------------ texts of things

    def texts(self, code: int) -> Iterable[str]:
        """The texts of the things that an option chooses."""
        model, words = self.teller.game.model, self.teller.words
        for _, kind, raw in self.decision.option(code).values:
            enum = model.enum_of(kind.name) if isinstance(kind, Of) else None
            if enum is None or enum.kind in ("player", "cells", "corners", "open"):
                continue
            member = enum.called(raw)
            if words.has(key := f"{enum.name}.{member}.text"):
                yield words.text(key, **fields(model, enum.name, member))
