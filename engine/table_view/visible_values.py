"""What a seat may see of the values that a table names, in words with their letters, shapes and colours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from ...dsl.game.table_config import Value, parts, values_named
from ...dsl.model.model import Enumeration
from ...dsl.types.types import BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type, domain_of
from ..i18n import Value as Said
from ..i18n.template import capital
from ..narration.narrator import Slots, Teller
from ..position.call_context import midst
from ..position.inspect import reckoned
from ..position.position import Position
from ..position.visibility import sees
from .theme import Letters, look_of
from .view_model import Line, Span

EMPTY = "."
CAPTIONS = ("panel", "state")                                      # where a value's caption is looked up


@dataclass(frozen=True)
class Hidden:
    """What a seat may not see: how many things, or None when even that is not to be seen; and how many with each back."""

    many: int | None
    backs: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Seen:
    """A value and its type."""

    type: Type
    raw: Any


class Sight:
    """A position through the eyes of a seat (None: one who only watches), in the words of a teller."""

    def __init__(self, position: Position, teller: Teller, seat: int | None) -> None:
        self.position, self.teller, self.seat = position, teller.at(position), seat
        self.game, self.model, self.words = position.game, position.game.model, teller.words
        self.look, self.letters = look_of(self.game), Letters(self.teller)
        self.members: dict[tuple[str, int], Span] = {}
        self.captions: dict[str, str] = {}

    # ------------------------------------------------------------ names

    def caption(self, name: str) -> str:
        """What a panel, a state or a computed value is called."""
        if name not in self.captions:
            told = any(self.words.has(f"{section}.{name}") for section in CAPTIONS)
            self.captions[name] = self.teller.caption(name if told else parts(name)[0], *CAPTIONS)
        return self.captions[name]

    def heading(self, domain: str) -> str:
        """What a type is called."""
        key = f"{domain}.name"
        return capital(self.words.noun(domain)) if self.words.has(key) else domain

    def member(self, domain: str, n: int) -> Span:
        """A member: a player by name, a cell by its label, else its name."""
        if (domain, n) not in self.members:
            self.members[domain, n] = self._member(domain, n)
        return self.members[domain, n]

    def _member(self, domain: str, n: int) -> Span:
        enum = self.model.enum_of(domain)
        assert enum is not None
        if enum.kind == "open":
            return Span(self.game.spell(Of(domain), n))
        if enum.kind in ("cells", "corners"):
            return Span(self.teller.label(enum, n))
        name = enum.called(n)
        text = self.teller.name(n) if enum.kind == "player" else self.label(domain, n) or self.words.value(self.teller.member(domain, n))
        shape = self.look.shapes.get(enum.name, {}).get(name, "")
        if enum.back is not None and any(self.words.value(self.teller.member(domain, k)) == text for k in range(len(enum)) if k != n):
            text = f"{text} ({self.back(enum, n)})"                # only its back tells it from another one
        return Span(text, f"{enum.name}.{name}", self.letters.of(domain, n), shape)

    def back(self, enum: Enumeration, n: int) -> str:
        """What stands on the back of a thing; "" where it has none of its own."""
        if enum.back is None:
            return ""
        kind, raw = enum.attributes[enum.back], enum.values[enum.back][n]
        return self.words.value(self.teller.member(kind.name, raw)) if isinstance(kind, Of) else str(raw)

    def backs(self, found: Type, raw: Any) -> tuple[tuple[str, int], ...]:
        """The backs of the things in a value, each with how many have it."""
        kind = domain_of(found)
        enum = self.model.enum_of(kind) if kind is not None else None
        if enum is None or enum.back is None:
            return ()
        return tuple(sorted(Counter(self.back(enum, n) for n in self.game.codec(found).parts(raw)).items()))

    def label(self, domain: str, n: int) -> str:
        """What a game calls a thing on the table where its sentences do not call it by its name: the text `label.<Type>`, about `it`; or
        `label.<Type>.when.it_<part>`, while that part of it is so. Nothing where that says a number that the thing has not."""
        enum = self.model.enum_of(domain)
        if enum is None or enum.kind == "open":                    # its places have no names but where they are
            return ""
        teller, noun = self.teller, self.teller.noun_key(domain, n)
        it: Slots = {"it": (Of(domain), n)}
        key = teller.find([key for base in (f"label.{noun}", f"label.{noun.partition('.')[0]}") for key in (
            *(text for text, part in teller.conditions.get(base, ()) if teller.is_so(part, it, self.seat, self.position)), base)])
        if key is None or "it_number" in self.words.names(key) and teller.number(domain, n) == 0:
            return ""
        return teller.sentence(key, it, self.position, self.seat)

    def called(self, kind: Type, raw: Any) -> Said:
        """A value as the table calls it: a thing by its label, where it has one, else by its name."""
        return (self.label(kind.name, raw) if isinstance(kind, Of) else "") or self.teller.value(kind, raw)

    # ------------------------------------------------------------ values

    def named(self, name: str, *domains: str) -> Value | None:
        """The value of this name about these."""
        return next((one for one in values_named(self.game.ruleset, name) if one.domains == domains), None)

    def read(self, value: Value, *index: int) -> Seen | Hidden:
        """A value of these members."""
        if value.cell is not None:
            raw = self.position.at(value.cell, list(index))
            if not sees(self.position, value.cell, list(index), self.seat):
                return Hidden(value.cell.codec.size(raw), self.backs(value.type, raw))
            return Seen(value.type, raw)
        if value.function is not None:
            raw = reckoned(value.function, self.position, *index)
            return Hidden(None) if raw is None else Seen(value.type, raw)
        assert value.attribute is not None
        return Seen(value.type, value.attribute[index[0]])

    def look_at(self, name: str, domain: str | None = None, n: int = 0) -> Seen | Hidden | None:
        """The value called `name` of one thing, or of nothing."""
        value = self.named(name, *([domain] if domain is not None else []))
        return None if value is None else self.read(value, *([n] if domain is not None else []))

    def things(self, found: Seen | Hidden | None) -> list[tuple[str, int]]:
        """The members in a value: (type, number) each."""
        kind = domain_of(found.type) if isinstance(found, Seen) else None
        if not isinstance(found, Seen) or kind is None:
            return []
        return [(kind, found.raw)] if isinstance(found.type, Of) else [(kind, n) for n in self.game.codec(found.type).parts(found.raw)]

    # ------------------------------------------------------------ words

    def line(self, found: Seen | Hidden | None) -> Line:
        """A value as the parts of a line; nothing for what is empty or not even counted."""
        if found is None:
            return []
        if isinstance(found, Hidden):
            if found.backs:
                return [Span(f"{self.words.text('table.hidden', n=many)} ({back})", "dim") for back, many in found.backs]
            return [Span(self.words.text("table.hidden", n=found.many), "dim")] if found.many else []
        kind, raw = found.type, found.raw
        if isinstance(kind, Maybe):
            return self.line(Seen(kind.of, raw)) if self.game.codec(kind).size(raw) else []
        if isinstance(kind, Of):
            return [self.member(kind.name, raw)]
        if isinstance(kind, Bool):
            return [Span(self.words.text("yes"), "strong")] if raw else []
        if isinstance(kind, BagOf):
            return [replace(self.member(kind.of.name, n), amount=many) for n, many in enumerate(raw) if many]
        if isinstance(kind, SetOf | ListOf | PileOf) and isinstance(kind.of, Of):
            spans = [self.member(*thing) for thing in self.things(found)]
            if len({span.text for span in spans}) == len(spans) or isinstance(kind, ListOf):
                return spans
            return [replace(span, amount=many) if many > 1 else span for span, many in Counter(spans).items()]
        if isinstance(kind, SetOf | ListOf | PileOf):
            return [span for part in self.game.codec(kind).parts(raw) for span in self.line(Seen(kind.of, part))]
        return [Span(str(raw))]

    def empty(self, found: Seen | Hidden | None) -> bool:
        """Whether there is nothing, nobody, no, or a zero."""
        if isinstance(found, Hidden):
            return not found.many
        return found is None or not self.line(found) or isinstance(found.type, Int) and found.raw == 0

    def value(self, text: str, domain: str | None = None, n: int = 0) -> Line:
        """`coins/debt` or `vp` of one thing (or of nothing) as a line."""
        pieces = parts(text)
        if len(pieces) == 1:
            return self.line(self.look_at(text, domain, n))
        lines = [self.line(self.look_at(name, domain, n)) for name in pieces[::2]]
        if "/" in pieces:
            texts = ["".join(span.words for span in line) for line in lines]
            return [Span("/".join(text for text in texts if text))]
        merged: dict[tuple[str, str], Span] = {}
        for span in (span for line in lines for span in line):
            old = merged.get((span.text, span.style))
            merged[span.text, span.style] = span if old is None else replace(old, amount=(old.amount or 1) + (span.amount or 1))
        return list(merged.values())

    def past(self, value: Value | None) -> bool:
        """Whether a value is true or not within a phase, and that is not under way: who has passed there means nothing elsewhere."""
        state = value.cell.state if value is not None and value.cell is not None else None
        if state is None or state.per is None or not isinstance(state.type, Bool):
            return False
        phase = any(routine.kind == "phase" for routine in self.game.ruleset.program.families[state.per].routines)
        return phase and all(call.name != state.per for call in midst(self.game.module, self.position.s).calls)

    def several(self, names: list[str], domain: str | None, n: int) -> Line:
        """Several values in one place: what is empty is left out, what is just true is told by its caption."""
        out: Line = []
        for name in names:
            found = self.look_at(name, domain, n) if len(parts(name)) == 1 else None
            if found is not None and self.past(self.named(name, *([domain] if domain is not None else []))):
                continue
            if found is None:
                out += self.value(name, domain, n)
            elif isinstance(found, Seen) and isinstance(found.type, Bool):
                out += [Span(self.caption(name), "strong")] if found.raw else []
            elif not self.empty(found):
                out += self.line(found)
        return out

    def told(self, of: str, told: list[str], domain: str, n: int) -> Line:
        """Each thing in a value by some values of it: the first, and the others behind it in parentheses, where there is a text
        `told.<value>` in its words. What they say of the one thing that all this is about, it does not tell of itself."""
        found = self.look_at(of, domain, n)
        if not isinstance(found, Seen):
            return self.line(found)
        out = []
        for thing in self.things(found):
            first, *rest = told
            head = self.several([first], *thing) or [self.member(*thing)]
            extra = [text for name in rest for text in self.aside(name, thing, (domain, n))]
            text = head[0].words + (f" ({', '.join(extra)})" if extra else "")
            out.append(replace(head[0], text=text, amount=None))
        return out

    def aside(self, name: str, thing: tuple[str, int], about: tuple[str, int]) -> list[str]:
        """What a value says of a thing, but for what it says about the one that the thing belongs to."""
        found = self.look_at(name, *thing) if len(parts(name)) == 1 else None
        others = [one for one in self.things(found) if one != about]
        if not others:
            return [] if self.things(found) else [span.words for span in self.several([name], *thing)]
        if not self.words.has(f"told.{name}"):
            return [self.member(*one).words for one in others]
        return [self.teller.sentence(f"told.{name}", {"it": (Of(kind), m)}, self.position, self.seat) for kind, m in others]
