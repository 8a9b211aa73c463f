"""Why something is not offered: candidates that the rules do not let be chosen, and the part of the rule that keeps them away.

    asked = Asked(position)                        the decision that waits
    asked.about({0: {cell}})                       the answer about the candidates with this value in the first name

What is offered is read off the options; only for the rest does the explaining form of the rules (dsl/lowering/explain_form.py) try a
candidate against each part. It looks at the position as it waits: nothing changes between collecting options and waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from ...dsl.backend_python.explain_module import ExplainModule, compile_explain_module
from ...dsl.backend_python.runtime import RuleFault
from ...dsl.ir.explain_metadata import AnswerPath, ConditionTest, ExplainOperand
from ...dsl.ir.metadata import DecisionBranch, OptionField
from ...dsl.storage.control_slots import PC
from ...dsl.types.types import MemberOf, SetOf
from ..position.options import DECLINE, Option
from ..position.position import Game, Position

OFFERED, REFUSED, CHOSEN, EVERY, FORCED = "offered", "refused", "chosen", "every", "forced"
MAX_CANDIDATES = 50_000                       # candidates looked at for one question
_explain_forms: WeakKeyDictionary[Game, ExplainModule] = WeakKeyDictionary()
FixedValues = dict[int, frozenset[int]]    # values that the names of an option may have, by the number of the name


def get_explain_form(game: Game) -> ExplainModule:
    """The explaining form of a game's rules, written when it is first asked for."""
    if game not in _explain_forms:
        _explain_forms[game] = compile_explain_module(game.ruleset.facts)
    return _explain_forms[game]


@dataclass
class OptionExplanation:
    """What there is to say of one wish. `offered`: these options; `refused`: `option` would be it, and the last of `tests` is the part
    that does not hold, the others are the parts that it is in; `chosen`, `every`: of a set that is chosen thing by thing, it is in the
    set already, or everything that is left must be taken and another thing comes first; `forced`: a choice that must be made."""

    kind: str
    options: list[Option] = field(default_factory=list)
    option: Option | None = None
    tests: list[ConditionTest] = field(default_factory=list)
    reached: tuple[int, int] = (0, 0)                              # how far the candidate came: a later reason is a better one
    sides: list[tuple[ExplainOperand, Any]] = field(default_factory=list)     # of the innermost that has any, with their values now
    closed: bool = False             # which part fails depends on what not everybody may see, so that it must not be told

    @property
    def scalars(self) -> list[tuple[ExplainOperand, Any]]:
        """The sides that are one thing or number: what a set holds says more in a sentence."""
        return [pair for pair in self.sides if not isinstance(pair[0].type, SetOf)]


class RefusalFinder:
    """The decision of a position, open to questions."""

    def __init__(self, position: Position) -> None:
        decision = position.decision
        assert decision is not None
        self.position, self.decision, self.kind = position, decision, decision.kind
        reasons = get_explain_form(position.game)
        self.ways: list[AnswerPath] = reasons.ways[position.s[PC]]
        self.s = list(reasons.module.initial)                      # the same states and frames, nothing remembered
        end = position.game.memo_start
        self.s[:end] = position.s[:end]
        self.codes = frozenset(decision.codes)

    def choice(self, number: int) -> DecisionBranch:
        return self.kind.choices[number]

    # ------------------------------------------------------------ one candidate

    def option_code(self, number: int, values: tuple[int, ...]) -> int:
        """The code of an option with these values in this way to answer."""
        choice, code = self.choice(number), 0
        for slot, value in zip(choice.slots, values):
            code = code * slot.radix + value - slot.low
        return code + choice.offset

    def find_failed_tests(
        self, number: int, values: tuple[int, ...], sides: list[tuple[ExplainOperand, Any]] | None = None
    ) -> list[ConditionTest] | None:
        """The test that a candidate fails, with those around it, outermost first; None when it meets them all. To `sides` comes what the
        sides of the innermost are now: with their raw values."""
        way = self.ways[number]
        seen: list[tuple[tuple[int, ...], tuple[Any, ...]]] = []
        try:
            path = way.function(self.s, seen, *values)
        except RuleFault:                                          # some part has no value for it: which one is not known
            return []
        if path is None:
            return None
        found, tests = [], way.tests
        for n in path:
            found.append(tests[n])
            tests = tests[n].parts
        now = [pair for place, held in seen if place == path for pair in zip(found[-1].sides, held)]
        if sides is not None:
            sides += now
        if now and now[0][1] in found[-1].cases:
            found.append(found[-1].cases[now[0][1]])
        return found

    def explain_candidate(self, number: int, values: tuple[int, ...]) -> OptionExplanation:
        """The answer about one candidate."""
        code = self.option_code(number, values)
        option = self.decision.option(code)
        if code in self.codes:
            return OptionExplanation(OFFERED, [option])
        sides: list[tuple[ExplainOperand, Any]] = []
        tests = self.find_failed_tests(number, values, sides)
        if tests is None:
            return OptionExplanation(self.explain_omission(values), option=option, reached=(len(self.ways[number].tests), 0))
        top = next((n for n, test in enumerate(self.ways[number].tests) if test is tests[0]), 0) if tests else 0
        return OptionExplanation(REFUSED, option=option, tests=tests, reached=(top, len(tests)), sides=sides,
                      closed=any(test.closed for test in self.ways[number].tests[: top + 1]))

    def explain_omission(self, values: tuple[int, ...]) -> str:
        """Why a thing that meets every condition of a set is not offered: it has been taken, or all that is left must be taken."""
        chosen = self.kind.chosen_set
        return CHOSEN if chosen is not None and self.s[chosen.slot] >> values[0] & 1 else EVERY

    # ------------------------------------------------------------ what was meant

    def explain(self, number: int, fixed: FixedValues) -> OptionExplanation | None:
        """The answer about the candidates with these values: those that are offered, else the one that comes nearest to it. None when
        there is no candidate at all."""
        choice = self.choice(number)
        names = [slot.name for slot in choice.slots]
        wanted = {names[n]: values for n, values in fixed.items()}
        offered = [option for option in self.decision.options if not option.declines and self.decision.choice(option.code) is choice
                   and all(raw in wanted.get(name, (raw,)) for name, _, raw in option.values)]
        if offered:
            return OptionExplanation(OFFERED, offered)
        best: OptionExplanation | None = None
        for values in self.iter_candidates(number, fixed):
            found = self.explain_candidate(number, values)
            if best is None or found.reached > best.reached:
                best = found
        return best

    def iter_candidates(self, number: int, fixed: FixedValues) -> Iterator[tuple[int, ...]]:
        """Combinations of values, without those that fail for what is known before their last names."""
        slots = self.choice(number).slots
        ranges = [sorted(fixed[n]) if n in fixed else self.list_possible_values(slot, number) for n, slot in enumerate(slots)]
        left = MAX_CANDIDATES
        at = [0] * len(slots)
        while all(n < len(values) for n, values in zip(at, ranges)) and left:
            values = tuple(values[n] for n, values in zip(at, ranges))
            yield values
            left -= 1
            failed = self.find_failed_tests(number, values)
            level = failed[0].bound if failed else len(slots)
            if level == 0 or not slots:
                return
            at[level:] = [0] * (len(slots) - level)
            for n in range(level - 1, -1, -1):
                at[n] += 1
                if at[n] < len(ranges[n]) or n == 0:
                    break
                at[n] = 0

    def list_possible_values(self, slot: OptionField, number: int) -> list[int]:
        """All values that a name may have by its kind; on a board without an edge, those in sight; of sets, those that are offered."""
        if isinstance(slot.type, SetOf):
            return sorted({raw for option in self.decision.options for name, _, raw in option.values if name == slot.name})
        enum = self.position.game.model.enum_of(slot.type.name) if isinstance(slot.type, MemberOf) else None
        if enum is None or enum.kind != "open":
            return list(range(slot.low, slot.low + slot.radix))
        found = {raw for option in self.decision.options for _, kind, raw in option.values if kind == slot.type}
        for cell in self.position.game.cells.values():
            if cell.open_axis is not None and cell.state.axes[cell.open_axis][1] == enum.name:
                found |= {index[cell.open_axis] for index, _ in cell.iter_values(self.position.s)}
        return sorted(found)

    def explain_decline(self) -> OptionExplanation:
        """The answer about choosing nothing."""
        if DECLINE in self.codes:
            return OptionExplanation(OFFERED, [self.decision.option(DECLINE)])
        return OptionExplanation(FORCED)
