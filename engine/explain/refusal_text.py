"""Explains a failed condition in sentences: the current value, and the value that the rule requires.

The names come from the game's own texts: the name of a thing, the caption of a state
(`state.<name>`) or of an attribute, and the text of the command `look` (`look.<name>`). A game may
also provide a sentence for a def or a Boolean state:

    because.<def>           the def does not hold; for a set: {it} is not in it
    because.<def>.holds     the def holds and must not; for a set: {it} is in it
    because.<def>.none      the def would have to hold for something, and holds for nothing
    because.<def>.after     the def would hold after the move (`after call: not def`), and must not
    because.<state>         the Boolean state is false; with `.holds`: it is true and must not be

The parameters of the def are the fields of the text. For a state the field is {it}. Each text for
a def may have a second version with the suffix `.you`, for the player it is addressed to. A
condition without suitable texts gives no sentence."""

from __future__ import annotations

from typing import Any

from ...dsl.core.nodes import (
    AfterCall,
    Attribute,
    CallDef,
    CondExpr,
    Const,
    CountOf,
    EmptyLiteral,
    Expr,
    Fold,
    LocalRef,
    OrElse,
    PrimOp,
    StateRef,
)
from ...dsl.core.walk import find_locals, negate, split_conjuncts
from ...dsl.ir.metadata import ConditionTest
from ...dsl.model.model import PLACE_KINDS
from ...dsl.types.types import Bool, Int, MemberOf, OptionalOf, SetOf, Type
from ..i18n import CountedNoun, Noun, TextValue
from ..i18n.template import capitalize_first
from ..narration.narrator import FieldValues, Narrator
from ..position.position import Decision
from ..table_view.visible_values import SeatView
from .partial_evaluator import COLLECTION_TYPES, NotEvaluableError, PartialEvaluator
from .refusal_finder import OptionExplanation

MAX_LISTED_THINGS = 8                           # valid alternatives in one sentence
OPPOSITE_OPERATORS = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED_OPERATORS = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def format_refusal(narrator: Narrator, decision: Decision, answer: OptionExplanation, viewer: int | None = None) -> list[str]:
    """Returns the sentences that say why a candidate is not offered. The list is empty if there are no texts for
    it. The player `viewer` is addressed as "you"."""
    return RefusalSentences(narrator, decision, answer, viewer).lines() if answer.tests else []


class RefusalSentences:
    """The sentences for the tests that one candidate fails."""

    def __init__(self, narrator: Narrator, decision: Decision, answer: OptionExplanation, viewer: int | None = None) -> None:
        self.narrator, self.words, self.answer, self.viewer = narrator.with_numbers_at(decision.position), narrator.words, answer, viewer
        self.sight = SeatView(decision.position, narrator, decision.seat)
        self.chosen = {name: (kind, raw) for name, kind, raw in answer.option.values} if answer.option is not None else {}
        seen = {side.node: raw for side, raw in answer.sides if isinstance(side.node, Expr)}
        self.now = PartialEvaluator(decision, {name: raw for name, (_, raw) in self.chosen.items()}, seen)
        self.labels: set[str] = set()                              # labels and terms that get a capital at the start of a sentence
        self.witness = [(side, raw) for side, raw in answer.sides if not isinstance(side.node, Expr)]
        for side, raw in self.witness:
            self.now.bound[side.node.local] = raw                  # type: ignore[union-attr]

    def lines(self) -> list[str]:
        """Returns the sentences for the candidate.

        A test for which the game has its own sentence comes first, the innermost such test. Otherwise
        the innermost test with any sentences is used."""
        for test in self.answer.tests:
            self.now.bind_names(test.node, self.chosen[test.name][1] if test.name in self.chosen else None)
        inwards = list(reversed(self.answer.tests))
        own = [
            test
            for test in inwards
            if isinstance(test.node, CallDef) and self.find_def_sentence(test.node.family, test.node, test.kind == "holds")
        ]
        found = next((lines for test in own + inwards if (lines := self.explain_test(test))), [])
        return [capitalize_first(line) if line.startswith(tuple(self.labels)) else line for line in found]

    def explain_test(self, test: ConditionTest) -> list[str]:
        """Returns the sentences for one test."""
        if test.kind == "rest":
            return [self.words.text("refused.after")]
        if test.kind == "source":
            kind, raw = self.chosen.get(test.name, (None, None))
            return (
                self.explain_membership(kind, raw, test.node, test.negated, self.list_earlier_choices(test), self.find_offered_values(test))
                if kind is not None
                else []
            )
        return self.explain_condition(test.node, test.kind == "holds")

    def list_earlier_choices(self, test: ConditionTest) -> list[TextValue]:
        """Returns the values chosen earlier that the set of this test depends on."""
        names = {local.name for local in find_locals(test.node)}
        earlier = list(self.chosen.items())[: test.bound - 1]
        return [self.make_value(*slot) for name, slot in earlier if name in names and name != test.name]

    def find_offered_values(self, test: ConditionTest) -> frozenset[Any]:
        """Returns the values now offered for the name of this test, given the values chosen before it."""
        earlier = dict(list(self.chosen.items())[: test.bound - 1])
        rows = ({name: (kind, raw) for name, kind, raw in option.values} for option in self.now.decision.options)
        return frozenset(row[test.name][1] for row in rows
                         if test.name in row and all(row.get(name) == slot for name, slot in earlier.items() if name != test.name))

    # ------------------------------------------------------------ conditions

    def explain_condition(self, node: Expr, holds: bool) -> list[str]:
        """Returns sentences that say that a condition does not hold or, with `holds`, that it holds and must not."""
        match node:
            case PrimOp(op="not", args=(part,)):
                return self.explain_condition(part, not holds)
            case PrimOp(op="and" | "or" as op, args=(left, right)):
                return self.explain_either(left, right, holds) if (op == "and") == holds else []
            case PrimOp(op="in" | "not in" as op, args=(item, group)):
                return self.explain_membership(item.type, self.evaluate(item), group, holds == (op == "in"))
            case PrimOp(op=op, args=(left, right)) if op in OPPOSITE_OPERATORS:
                return self.explain_comparison(OPPOSITE_OPERATORS[op] if holds else op, left, right)
            case Fold(kind="any" | "all"):
                return self.explain_quantifier(node, holds)
            case CallDef(family=family):
                return self.find_def_sentence(family, node, holds)
            case AfterCall(value=PrimOp(op="not", args=(CallDef(family=family) as part,))) if not holds:
                return self.find_def_sentence(family, part, False, form="after")
            case CondExpr(test=PrimOp(op="==" | "!=" as op, args=(left, right)), value=value, other=other):
                one, two = self.evaluate(left), self.evaluate(right)
                return [] if one is None or two is None else self.explain_condition(value if (one == two) == (op == "==") else other, holds)
            case StateRef(type=Bool(), state=state, index=index):
                if own := self.find_state_sentence(f"because.{state}.holds" if holds else f"because.{state}", index):
                    return own
                term = self.find_term(node)
                return [self.words.text("refused.holds" if holds else "refused.fails", term=term)] if term else []
        return []

    def explain_either(self, left: Expr, right: Expr, holds: bool) -> list[str]:
        """Returns the sentences for two conditions of which one would have to change."""
        one, other = self.explain_condition(left, holds), self.explain_condition(right, holds)
        return [self.words.text("refused.either"), *one, *other] if one and other else one or other

    def explain_quantifier(self, fold: Fold, holds: bool) -> list[str]:
        """Returns the sentences for `any` and `all`: the member that violates the condition, or
        the members of which one would have to meet it."""
        if fold.kind == "any" and not holds:
            source = fold.gens[0].source
            if len(fold.gens) == 1 and isinstance(source.type, OptionalOf) and self.now.is_evaluable(source):
                return self.explain_single_thing(fold, source)
            parts = [*fold.where, *split_conjuncts(fold.value)]
            if (
                len(parts) == 1
                and isinstance(parts[0], CallDef)
                and (said := self.find_def_sentence(parts[0].family, parts[0], False, form="none"))
            ):
                return said
            things = self.list_contents(source) if len(fold.gens) == 1 else None
            return [self.words.text("refused.any", things=things)] if things and 1 < len(things) <= MAX_LISTED_THINGS else []
        if not self.witness or (fold.kind == "all") == holds:
            return []
        parts = [negate(fold.value)] if fold.kind == "all" and fold.value is not None else [*fold.where, *split_conjuncts(fold.value)]
        said = self.explain_condition(parts[0], True) if len(parts) == 1 else []
        side, raw = self.witness[0]
        return said or [self.words.text("refused.obstacle", thing=self.make_value(side.type, raw))]

    def explain_single_thing(self, fold: Fold, source: Expr) -> list[str]:
        """Returns the sentences for `any` over a source that is one thing or nothing."""
        held = self.evaluate(source)
        self.now.bound[fold.gens[0].local] = held
        if not self.now.game.codec(source.type).size(held):
            return self.explain_emptiness(source, True)
        parts = [*fold.where, *split_conjuncts(fold.value)]
        said = self.explain_condition(parts[0], False) if len(parts) == 1 else []
        return [*self.describe_by_look(source, held), *said] if said else []

    def find_def_sentence(self, name: str, node: CallDef, holds: bool, thing: tuple[Type, Any] | None = None, form: str = "") -> list[str]:
        """Returns the game's own sentence for a def that does not hold or, with `holds`, that holds.

        `form` is the suffix of the text key if the def is not evaluated on the current position (`none`, `after`).
        `thing` is the candidate member, if the def is a set."""
        form = form or "holds" * holds
        key = f"because.{name}.{form}" if form else f"because.{name}"
        if not self.words.has(key):
            return []
        params = self.now.program.families[name].params
        slots: FieldValues = {
            param.name: (param.type, raw) for param, arg in zip(params, node.args) if (raw := self.evaluate(arg)) is not None
        }
        if thing is not None:
            slots["it"] = thing
        decision = self.now.decision
        players = [raw for kind, raw in slots.values() if self.is_player(kind)] or [decision.seat]
        if set(players) == {self.viewer} and self.words.has(f"{key}.you"):
            key += ".you"
        filled = {"who", *slots, *self.narrator.clause_values}
        if any(self.narrator.find_part(name, slots, decision.seat, decision.position) is None for name in self.words.names(key) - filled):
            return []
        return [self.narrator.sentence_for_seat(key, decision.seat, slots, decision.position)]

    def find_state_sentence(self, key: str, index: tuple[Expr, ...]) -> list[str]:
        """Returns the game's own sentence for a Boolean state with the wrong value."""
        slots: FieldValues = {name: (part.type, raw) for name, part in zip(("it",), index) if (raw := self.evaluate(part)) is not None}
        return (
            [self.narrator.sentence_for_seat(key, self.now.decision.seat, slots, self.now.decision.position)] if self.words.has(key) else []
        )

    # ------------------------------------------------------------ comparisons

    def explain_comparison(self, op: str, left: Expr, right: Expr) -> list[str]:
        """Returns sentences that say that `left op right` does not hold, with the values of both sides."""
        if (
            self.find_term(left) is None
            and not self.find_counted_noun(left)
            and (self.find_term(right) is not None or self.find_counted_noun(right))
        ):
            op, left, right = MIRRORED_OPERATORS[op], right, left
        if isinstance(right, EmptyLiteral):
            return self.explain_emptiness(left, op == "!=")
        one, other = self.evaluate(left), self.evaluate(right)
        if one is None or other is None:
            return []
        if isinstance(left.type, Int):
            return self.explain_numbers(op, left, one, other)
        return self.explain_things(op, left, one, self.make_value(right.type, other))

    def explain_numbers(self, op: str, left: Expr, one: int, other: int) -> list[str]:
        """Returns sentences for a comparison of two numbers: the current number and the limit."""
        if isinstance(left, PrimOp) and left.op == "size" and op in (">", "!=", "==") and other == 0:
            return self.explain_emptiness(left.args[0], op != "==")
        counted, term = self.find_counted_noun(left), self.find_term(left)
        low, high = other + (op == ">"), other - (op == "<")
        kind = {">": "least", ">=": "least", "<": "most", "<=": "most", "==": "same", "!=": "other"}[op]
        limit = low if kind == "least" else high if kind == "most" else other
        if counted:
            of, domain = CountedNoun(one, Noun(counted)), CountedNoun(limit, Noun(counted))
            about = "trail" if isinstance(left, Fold) and left.kind == "longest" else "count"
            return [self.words.text(f"refused.{about}.{kind}", count=of, limit=domain)] if kind != "other" else []
        if term is None:
            chosen = isinstance(left, LocalRef) and left.local.name in self.chosen
            return [self.words.text(f"refused.number.{kind}", number=one, limit=limit)] if chosen and kind in ("least", "most") else []
        return [self.words.text(f"refused.{kind}", term=term, number=one, limit=limit)]

    def explain_things(self, op: str, left: Expr, one: Any, wanted: TextValue) -> list[str]:
        """Returns sentences for a comparison of two things: the current one and the required one."""
        held = self.make_value(left.type, one)
        if held is None or isinstance(left.type, Bool):
            return [] if held is not None else self.explain_emptiness(left, True)
        looked = self.describe_by_look(left, one)
        if op == "!=":
            term = self.find_term(left)
            return looked or ([self.words.text("refused.is", term=term, held=held)] if term else []) or \
                ([self.words.text("refused.not_this", held=held)] if isinstance(left, LocalRef) else [])
        if looked:
            return [*looked, self.words.text("refused.wanted", wanted=wanted)]
        place = self.find_board_place(left)
        if place is not None:
            you = self.you_suffix(held, "held") or self.you_suffix(wanted, "wanted")
            return [self.words.text(f"refused.elsewise_at{you}", place=place, held=held, wanted=wanted)]
        term = self.find_term(left)
        return [self.words.text("refused.elsewise", term=term, held=held, wanted=wanted)] if term else []

    def explain_emptiness(self, node: Expr, wanted: bool) -> list[str]:
        """Returns sentences that say that something is empty and should not be (`wanted`), or the reverse."""
        if wanted and isinstance(node, CallDef) and (said := self.find_def_sentence(node.family, node, False)):
            return said
        raw = self.evaluate(node)
        if raw is None:
            return []
        looked, place, term = self.describe_by_look(node, raw), self.find_board_place(node), self.find_term(node)
        if looked:
            return looked
        if wanted:
            return [self.words.text("refused.nothing_at", place=place)] if place is not None else \
                [self.words.text("refused.blank", term=term)] if term else []
        if isinstance(node.type, COLLECTION_TYPES):
            return [self.words.text("refused.full", term=term)] if term else []
        held = self.make_value(node.type, raw)
        if place is not None:
            return [self.words.text(f"refused.taken_at{self.you_suffix(held, 'held')}", place=place, held=held)]
        return [self.words.text("refused.taken", term=term, held=held)] if term else []

    # ------------------------------------------------------------ sets

    def explain_membership(self, kind: Type | None, raw: Any, group: Expr, inside: bool, before: list[TextValue] | None = None,
               offered: frozenset[Any] = frozenset()) -> list[str]:
        """Returns sentences that say that a value is not in a set or, with `inside`, that it is and must not be.

        `before` holds the earlier choices that the set depends on. If any value in `offered`
        is in the set, the sentence lists only those."""
        if kind is None or raw is None:
            return []
        if isinstance(group, CallDef) and (said := self.find_def_sentence(group.family, group, inside, (kind, raw))):
            return said
        value = str(raw) if isinstance(kind, Int) else self.make_value(kind, raw)
        if isinstance(group, PrimOp) and group.op == ".." and not inside:
            low, high = (self.evaluate(end) for end in group.args)
            if low is None or high is None:
                return []
            return [self.words.range_text("refused.no_range" if low > high else "refused.range", low=low, high=high)]
        term = self.find_term(group)
        if term is not None:
            return [self.words.text("refused.in" if inside else "refused.not_in", thing=value, term=term)]
        things = (self.list_contents(group, offered) or self.list_contents(group)) if not inside else None
        if things is None:
            return []
        if not things:
            return [self.words.text("refused.none_after", before=before) if before else self.words.text("refused.none")]
        if len(things) <= MAX_LISTED_THINGS:
            return [self.words.text("refused.only_after", before=before, things=things) if before
                    else self.words.text("refused.only", things=things)]
        noun = self.find_noun(kind)
        return [self.words.text("refused.among", count=CountedNoun(len(things), Noun(noun)), thing=value) if noun
                else self.words.text("refused.many", number=len(things), thing=value)]

    def list_contents(self, group: Expr, among: frozenset[Any] | None = None) -> list[TextValue] | None:
        """Returns the current contents of a set, limited to the values in `among`, or None if they are unknown."""
        raw = self.evaluate(group)
        if raw is None or not isinstance(group.type, COLLECTION_TYPES | OptionalOf):
            return None
        if not isinstance(group.type.of, MemberOf | Int):
            return None
        found = [self.make_value(group.type.of, part) for part in self.now.game.codec(group.type).parts(raw)
                 if among is None or part in among]
        return list({self.words.value(value): value for value in found}.values())

    # ------------------------------------------------------------ names

    def make_value(self, kind: Type, raw: Any) -> TextValue:
        """Returns a value in the form that texts take. A thing that the table shows under a label is named by the label."""
        found = kind.of if isinstance(kind, OptionalOf) and raw is not None and self.now.game.codec(kind).size(raw) else kind
        label = self.sight.label(found.name, raw) if isinstance(found, MemberOf) and self.narrator.find_key([f"label.{found.name}"]) else ""
        self.labels |= {label} - {""}
        return label or self.narrator.value(kind, raw)

    def evaluate(self, node: Expr) -> Any:
        """Returns the current raw value of an expression, or None if it is unknown."""
        try:
            return self.now.evaluate(node)
        except NotEvaluableError:
            return None

    def find_term(self, node: Expr) -> str | None:
        """Returns the name of an expression: its caption and the things that it belongs to."""
        match node:
            case StateRef(state=state, index=index):
                return self.format_term(f"state.{state}", *index)
            case CountOf(bag=StateRef(state=state, index=index), kind=kind):
                return self.format_term(f"state.{state}", *index, kind)
            case Attribute(thing=thing, domain=domain, name=name):
                return self.format_term(f"attribute.{domain}.{name}", thing)
            case CallDef(family=family, args=args):
                return self.format_term(f"state.{family}", *args) or self.format_term(f"score.{family}", *args)
            case PrimOp(op="size", args=(things,)):
                return self.find_term(things)
            case OrElse(value=value):
                return self.find_term(value)
            case PrimOp(op="+", args=(left, right)) if isinstance(node.type, Int):
                one, other = self.find_term(left), self.find_term(right)
                return self.words.text("refused.sum", one=one, other=other) if one and other else one or other
        return None

    def format_term(self, key: str, *of: Expr) -> str | None:
        """Returns the caption with this key, followed by the things that it belongs to. Returns None without such a
        text."""
        if not self.words.has(key) or any(self.evaluate(part) is None for part in of):
            return None
        values = [self.make_value(part.type, self.evaluate(part)) for part in of]
        things = [self.words.text("refused.you") if self.you_suffix(value, "it") else self.words.value(value) for value in values]
        if len(values) == 1 and self.you_suffix(values[0], "it"):
            self.labels |= {term := self.words.text("refused.term_yours", name=self.words.text(key))}
            return term
        return self.words.text("refused.term_of" if things else "refused.term", name=self.words.text(key), things=", ".join(things))

    def you_suffix(self, value: TextValue, field: str) -> str:
        """Returns the key suffix for the version of a text that addresses the viewer, if this field is the viewer.
        Otherwise ""."""
        return f".{field}" if self.viewer is not None and value == self.narrator.seat_value(self.viewer) else ""

    def is_player(self, kind: Type) -> bool:
        """Whether a type is that of the players."""
        kind = kind.of if isinstance(kind, OptionalOf) else kind
        enum = self.now.game.model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
        return enum is not None and enum.kind == "player"

    def find_board_place(self, node: Expr) -> TextValue:
        """Returns the board place that a state belongs to, or None if it belongs to something else."""
        if not isinstance(node, StateRef) or len(node.index) != 1 or isinstance(node.type, SetOf):
            return None
        kind = node.index[0].type
        kind = kind.of if isinstance(kind, OptionalOf) else kind
        enum = self.now.game.model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
        raw = self.evaluate(node.index[0])
        return self.make_value(kind, raw) if enum is not None and enum.kind in PLACE_KINDS and raw is not None else None

    def describe_by_look(self, node: Expr, raw: Any) -> list[str]:
        """Returns the sentence of `look` about the value of a thing, if the game has one that is complete by itself."""
        if not isinstance(node, StateRef) or len(node.index) != 1:
            return []
        found = node.index[0].type
        about, held = self.evaluate(node.index[0]), self.make_value(node.type, raw)
        nothing = held is None or held == []
        key = f"look.{node.state}.none" if nothing else f"look.{node.state}"
        if about is None or not self.words.has(key) or "it" not in self.words.names(key):
            return []
        if self.you_suffix(held, "held") and self.words.has(f"{key}.you"):
            key += ".you"
        return [self.words.text(key, it=self.make_value(found, about), **({} if nothing else {"held": held}))]

    def find_counted_noun(self, node: Expr) -> str | None:
        """Returns the noun key of the things that a `count` counts, or that the steps of a `longest` trail use."""
        match node:
            case Fold(kind="count", gens=(gen,)) | Fold(kind="longest", gens=(_, gen, _, *_), value=Const(value=1)):
                return self.find_noun(gen.local.type)
        return None

    def find_noun(self, kind: Type) -> str | None:
        """Returns the noun key for things of a type, or None if the game has no noun for it."""
        found = kind.of if isinstance(kind, OptionalOf) else kind
        enum = self.now.game.model.enum_of(found.name) if isinstance(found, MemberOf) else None
        return enum.name if enum is not None and self.words.has(f"{enum.name}.name") else None
