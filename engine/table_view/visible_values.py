"""The values that a table names, as far as a seat may see them, as words with codes, shapes, and colours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from ...dsl.game.table_config import TableValue, lookup_table_values, split_names
from ...dsl.model.model import PLACE_KINDS, Enumeration
from ...dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type, domain_of
from ..i18n import Localizer
from ..i18n import TextValue as Said
from ..i18n.localizer import MINUS_SIGN
from ..i18n.template import capitalize_first
from ..narration.member_texts import member_text
from ..narration.narrator import FieldValues, Narrator
from ..position.call_stack import current_context
from ..position.inspect import evaluate_def
from ..position.position import Game, Position
from ..position.visibility import can_see
from .theme import MemberCodes, theme_of
from .view_model import Legend, Line, StyledText

EMPTY_MARK = "."
CARD_BACK, MAX_BACKS = "▒", 6                                      # more cards are one back with their number
KNOWN_SUITS = "♣♦♥♠"                                               # need no legend
CAPTION_SECTIONS = ("panel", "state")                                      # prefixes of caption keys, in order


@dataclass(frozen=True)
class HiddenValue:
    """A value that the seat may not see. `many`: the number of things, None if that is hidden too. `backs`: the
    number with each back. `cards`: whether the things have faces, so that their backs can be drawn."""

    many: int | None
    backs: tuple[tuple[str, int], ...] = ()
    cards: bool = False


@dataclass(frozen=True)
class VisibleValue:
    """A visible value and its type."""

    type: Type
    raw: Any


@dataclass
class FixedTexts:
    """The texts of a game in one language that are the same in every position: all tables share them.

    `varying` are the types whose members have labels or numbers that depend on the position, and the players, who have names."""

    varying: frozenset[str]
    members: dict[tuple[str, int], StyledText] = field(default_factory=dict)
    captions: dict[str, str] = field(default_factory=dict)
    codes: dict[str, list[str]] = field(default_factory=dict)
    descriptions: dict[tuple[str, str], str | None] = field(default_factory=dict)


_fixed: WeakKeyDictionary[Game, WeakKeyDictionary[Localizer, FixedTexts]] = WeakKeyDictionary()


def fixed_texts(game: Game, words: Localizer) -> FixedTexts:
    """Returns the texts of a game that are the same in every position."""
    known = _fixed.setdefault(game, WeakKeyDictionary())
    if words not in known:
        labelled = {key.split(".")[1] for key in words.english if key.startswith("label.")}
        varying = {enum.name for enum in game.model.enums.values() if enum.kind in ("player", "open") or enum.name in labelled
                   or enum.name in game.piece_number_readers}
        varying |= {enum.name for enum in game.model.enums.values() for kind in enum.attributes.values() if domain_of(kind) in varying}
        known[words] = FixedTexts(frozenset(varying | {alias for alias, name in game.model.aliases.items() if name in varying}))
    return known[words]


def draw_backs(many: int) -> str:
    """Returns the backs of hidden cards, as the face of one part of a line."""
    return " ".join([CARD_BACK] * many) if many <= MAX_BACKS else f"{CARD_BACK}×{many}"


class SeatView:
    """A position as a seat sees it (None: a spectator), in the language of a narrator."""

    def __init__(self, position: Position, narrator: Narrator, seat: int | None) -> None:
        self.position, self.narrator, self.seat = position, narrator.with_numbers_at(position), seat
        self.game, self.model, self.words = position.game, position.game.model, narrator.words
        self.fixed = fixed_texts(self.game, self.words)
        self.theme, self.letters = theme_of(self.game), MemberCodes(self.narrator, self.fixed.codes, self.fixed.varying)
        self.members: dict[tuple[str, int], StyledText] = {}
        self.captions = self.fixed.captions

    # ------------------------------------------------------------ names

    def caption(self, name: str) -> str:
        """Returns the caption of a panel, a state, or a computed value."""
        if name not in self.captions:
            told = any(self.words.has(f"{section}.{name}") for section in CAPTION_SECTIONS)
            self.captions[name] = self.narrator.caption(name if told else split_names(name)[0], *CAPTION_SECTIONS)
        return self.captions[name]

    def description(self, domain: str, n: int) -> str | None:
        """Returns the text of a thing, if it has one."""
        key = domain, self.model.enums[domain].kind_or_name(n)
        if key not in self.fixed.descriptions:
            self.fixed.descriptions[key] = member_text(self.game, self.words, *key)
        return self.fixed.descriptions[key]

    def heading(self, domain: str) -> str:
        """Returns the name of a type as a heading."""
        key = f"{domain}.name"
        return capitalize_first(self.words.noun(domain)) if self.words.has(key) else domain

    def member(self, domain: str, n: int) -> StyledText:
        """Returns a member: a player by name, a cell by its label, anything else by its name."""
        known = self.members if domain in self.fixed.varying else self.fixed.members
        found = known.get((domain, n))
        if found is None:
            found = known[domain, n] = self._member(domain, n)
        return found

    def _member(self, domain: str, n: int) -> StyledText:
        """Builds what `member` returns and caches."""
        enum = self.model.enum_of(domain)
        assert enum is not None
        if enum.kind in PLACE_KINDS:
            return StyledText(self.narrator.place_label(enum, n))
        name = enum.kind_or_name(n)
        text = (
            self.narrator.player_name(n)
            if enum.kind == "player"
            else self.label(domain, n) or self.words.value(self.narrator.member_value(domain, n))
        )
        shape = self.theme.shapes.get(enum.name, {}).get(name, "")
        if enum.back is not None and any(
            self.words.value(self.narrator.member_value(domain, k)) == text for k in range(len(enum)) if k != n
        ):
            text = f"{text} ({self.back_text(enum, n)})"                # only its back distinguishes it
        return StyledText(text, f"{enum.name}.{name}", self.letters.code_for(domain, n), shape, face=self.face(enum, n))

    def face(self, enum: Enumeration, n: int) -> str:
        """Returns the signs on a card: the shape or the letters of each attribute of its face. "" for other things."""
        return "".join(self.face_sign(enum, name, n) for name in self.theme.faces.get(enum.name, ()))

    def face_sign(self, enum: Enumeration, name: str, n: int) -> str:
        """Returns the sign of one attribute of a card: a shape, or letters, or a number."""
        kind, raw = enum.attributes[name], enum.values[name][n]
        if isinstance(kind, MemberOf):
            of = self.model.enums[kind.name]
            return self.theme.shapes.get(of.name, {}).get(of.kind_or_name(raw), "") or self.letters.code_for(of.name, raw)
        return self.number_text(enum, name, raw)

    def number_text(self, enum: Enumeration, name: str, raw: Any) -> str:
        """Returns the text of one number that an attribute can have, or the number itself."""
        key = f"letter.{enum.name}.{name}.{raw}"
        return self.words.text(key) if self.words.has(key) else str(raw)

    def suit_legend(self, domain: str) -> Legend:
        """Returns what the signs on cards of this type mean, unless everybody knows them."""
        legend: Legend = {}
        for name in self.theme.faces.get(domain, ()):
            kind = self.model.enums[domain].attributes[name]
            shapes = self.theme.shapes.get(kind.name, {}) if isinstance(kind, MemberOf) else {}
            if isinstance(kind, MemberOf) and any(not shape.isdigit() and shape not in KNOWN_SUITS for shape in shapes.values()):
                members = range(len(self.model.enums[kind.name]))
                legend[self.heading(kind.name)] = {span.short: span for span in (self.member(kind.name, n) for n in members)}
        return legend

    def back_text(self, enum: Enumeration, n: int) -> str:
        """Returns the back of a thing in words, or "" if it has none."""
        if enum.back is None:
            return ""
        kind, raw = enum.attributes[enum.back], enum.values[enum.back][n]
        if isinstance(kind, MemberOf):
            return self.words.value(self.narrator.member_value(kind.name, raw))
        return self.number_text(enum, enum.back, raw)

    def count_backs(self, found: Type, raw: Any) -> tuple[tuple[str, int], ...]:
        """Returns the backs of the things in a value, as (back, number of things)."""
        kind = domain_of(found)
        enum = self.model.enum_of(kind) if kind is not None else None
        if enum is None or enum.back is None:
            return ()
        return tuple(sorted(Counter(self.back_text(enum, n) for n in self.game.codec(found).parts(raw)).items()))

    def label(self, domain: str, n: int) -> str:
        """Returns the label that a game gives a thing on the table, if it differs from its name in sentences. Otherwise
        "".

        The text is `label.<Type>` with the field `it`, or `label.<Type>.when.it_<part>` if that part holds. If the
        text mentions a number that the thing does not have, there is no label."""
        enum = self.model.enum_of(domain)
        if enum is None or enum.kind == "open":                    # cells of open boards have no names
            return ""
        narrator, noun = self.narrator, self.narrator.noun_key(domain, n)
        it: FieldValues = {"it": (MemberOf(domain), n)}
        key = narrator.find_key(
            [
                key
                for base in (f"label.{noun}", f"label.{noun.partition('.')[0]}")
                for key in (
                    *(
                        text
                        for text, part in narrator.condition_keys.get(base, ())
                        if narrator.is_truthy_part(part, it, self.seat, self.position)
                    ),
                    base,
                )
            ]
        )
        if key is None or "it_number" in self.words.names(key) and narrator.piece_number(domain, n) == 0:
            return ""
        return narrator.sentence(key, it, self.position, self.seat)

    def coordinates(self, domain: str, n: int) -> str:
        """Returns the coordinates of a cell of an open board whose label differs. "" for everything else."""
        enum = self.model.enum_of(domain)
        spelled = self.game.spell(MemberOf(domain), n) if enum is not None and enum.kind == "open" else ""
        return "" if enum is None or not spelled or spelled == self.narrator.place_label(enum, n) else spelled

    def label_or_value(self, kind: Type, raw: Any) -> Said:
        """Returns a value as the table shows it: a thing by its label if it has one, else by its name."""
        return (self.label(kind.name, raw) if isinstance(kind, MemberOf) else "") or self.narrator.value(kind, raw)

    # ------------------------------------------------------------ values

    def find_value(self, name: str, *domains: str) -> TableValue | None:
        """Returns the value with this name over these types, or None."""
        return next((one for one in lookup_table_values(self.game.ruleset, name) if one.domains == domains), None)

    def read(self, value: TableValue, *index: int) -> VisibleValue | HiddenValue:
        """Returns the value for these members, visible or hidden."""
        if value.cell is not None:
            raw = self.position.raw_at(value.cell, list(index))
            if not can_see(self.position, value.cell, list(index), self.seat):
                return HiddenValue(value.cell.codec.size(raw), self.count_backs(value.type, raw), domain_of(value.type) in self.theme.faces)
            return VisibleValue(value.type, raw)
        if value.function is not None:
            raw = evaluate_def(value.function, self.position, *index)
            return HiddenValue(None) if raw is None else VisibleValue(value.type, raw)
        assert value.attribute is not None
        return VisibleValue(value.type, value.attribute[index[0]])

    def read_named(self, name: str, domain: str | None = None, n: int = 0) -> VisibleValue | HiddenValue | None:
        """Returns the value called `name` for one thing, or without index. None if there is no such value."""
        value = self.find_value(name, *([domain] if domain is not None else []))
        return None if value is None else self.read(value, *([n] if domain is not None else []))

    def things(self, found: VisibleValue | HiddenValue | None) -> list[tuple[str, int]]:
        """Returns the members in a value, as (type, index)."""
        kind = domain_of(found.type) if isinstance(found, VisibleValue) else None
        if not isinstance(found, VisibleValue) or kind is None:
            return []
        return (
            [(kind, found.raw)] if isinstance(found.type, MemberOf) else [(kind, n) for n in self.game.codec(found.type).parts(found.raw)]
        )

    # ------------------------------------------------------------ words

    def line(self, found: VisibleValue | HiddenValue | None) -> Line:
        """Returns a value as parts of a line. Empty if the value is empty or its size is hidden."""
        if found is None:
            return []
        if isinstance(found, HiddenValue):
            if found.backs:
                return [StyledText(f"{self.words.text('table.hidden', n=many)} ({back})", "dim") for back, many in found.backs]
            face = draw_backs(found.many or 0) if found.cards else ""
            return [StyledText(self.words.text("table.hidden", n=found.many), "dim", face=face)] if found.many else []
        kind, raw = found.type, found.raw
        if isinstance(kind, OptionalOf):
            return self.line(VisibleValue(kind.of, raw)) if self.game.codec(kind).size(raw) else []
        if isinstance(kind, MemberOf):
            return [self.member(kind.name, raw)]
        if isinstance(kind, Bool):
            return [StyledText(self.words.text("yes"), "strong")] if raw else []
        if isinstance(kind, BagOf):
            return [replace(self.member(kind.of.name, n), amount=many) for n, many in enumerate(raw) if many]
        if isinstance(kind, SetOf | ListOf | PileOf) and isinstance(kind.of, MemberOf):
            spans = [self.member(*thing) for thing in self.things(found)]
            if len({span.text for span in spans}) == len(spans) or isinstance(kind, ListOf):
                return spans
            return [replace(span, amount=many) if many > 1 else span for span, many in Counter(spans).items()]
        if isinstance(kind, SetOf | ListOf | PileOf):
            return [span for part in self.game.codec(kind).parts(raw) for span in self.line(VisibleValue(kind.of, part))]
        return [StyledText(str(raw).replace("-", MINUS_SIGN))]

    def is_empty(self, found: VisibleValue | HiddenValue | None) -> bool:
        """Whether a value is empty, none, false, or zero."""
        if isinstance(found, HiddenValue):
            return not found.many
        return found is None or not self.line(found) or isinstance(found.type, Int) and found.raw == 0

    def line_for(self, text: str, domain: str | None = None, n: int = 0) -> Line:
        """Returns an expression of table.yaml, such as `coins/debt` or `vp`, as parts of a line.

        With `domain`, it is evaluated for member `n` of that type."""
        pieces = split_names(text)
        if len(pieces) == 1:
            return self.line(self.read_named(text, domain, n))
        lines = [self.line(self.read_named(name, domain, n)) for name in pieces[::2]]
        if "/" in pieces:
            texts = ["".join(span.words for span in line) for line in lines]
            return [StyledText("/".join(text for text in texts if text))]
        merged: dict[tuple[str, str], StyledText] = {}
        for span in (span for line in lines for span in line):
            old = merged.get((span.text, span.style))
            merged[span.text, span.style] = span if old is None else replace(old, amount=(old.amount or 1) + (span.amount or 1))
        return list(merged.values())

    def is_outside_phase(self, value: TableValue | None) -> bool:
        """Whether a value is a truth value of a phase that is not active. It has no meaning then, such as who has
        passed."""
        state = value.cell.state if value is not None and value.cell is not None else None
        if state is None or state.per is None or not isinstance(state.type, Bool):
            return False
        phase = any(routine.kind == "phase" for routine in self.game.ruleset.program.families[state.per].routines)
        return phase and all(call.name != state.per for call in current_context(self.game.module, self.position.s).calls)

    def join_values(self, names: list[str], domain: str | None, n: int) -> Line:
        """Returns several values as one line. Empty values are left out, and true ones are shown by their caption."""
        out: Line = []
        for name in names:
            found = self.read_named(name, domain, n) if len(split_names(name)) == 1 else None
            if found is not None and self.is_outside_phase(self.find_value(name, *([domain] if domain is not None else []))):
                continue
            if found is None:
                out += self.line_for(name, domain, n)
            elif isinstance(found, VisibleValue) and isinstance(found.type, Bool):
                out += [StyledText(self.caption(name), "strong")] if found.raw else []
            elif not self.is_empty(found):
                out += self.line(found)
        return out

    def line_with_details(self, of: str, detail_names: list[str], domain: str, n: int) -> Line:
        """Returns each thing in the value `of`, shown by the values `detail_names` of that thing.

        The first of these values stands for the thing. The others follow in parentheses, with the text `told.<value>`
        if there is one. References back to the member (`domain`, `n`) are left out."""
        found = self.read_named(of, domain, n)
        if not isinstance(found, VisibleValue):
            return self.line(found)
        out = []
        for thing in self.things(found):
            first, *rest = detail_names
            head = self.join_values([first], *thing) or [self.member(*thing)]
            extra = [text for name in rest for text in self.detail_texts(name, thing, (domain, n))]
            text = head[0].words + (f" ({', '.join(extra)})" if extra else "")
            out.append(replace(head[0], text=text, amount=None))
        return out

    def detail_texts(self, name: str, thing: tuple[str, int], about: tuple[str, int]) -> list[str]:
        """Returns a value of a thing in words, without references to the member `about` that the thing belongs to."""
        found = self.read_named(name, *thing) if len(split_names(name)) == 1 else None
        others = [one for one in self.things(found) if one != about]
        if not others:
            return [] if self.things(found) else [span.words for span in self.join_values([name], *thing)]
        if not self.words.has(f"told.{name}"):
            return [self.member(*one).words for one in others]
        return [self.narrator.sentence(f"told.{name}", {"it": (MemberOf(kind), m)}, self.position, self.seat) for kind, m in others]
