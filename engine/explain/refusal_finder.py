"""Finds why a move is not legal: tries candidates that the rules do not offer, and reports the condition that
each one fails.

    finder = RefusalFinder(position)               the current decision
    finder.explain(0, {0: {cell}})                 the explanation for the candidates with this value in the first field

Options that are offered are read from the decision. Only for the others does the explain form of the rules
(dsl/lowering/explain_form.py) test a candidate against each condition. It reads the waiting position, because
nothing changes between the collection of the options and the decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from weakref import WeakKeyDictionary

from ...dsl.backend_python.module import ExplainModule, compile_explain_module
from ...dsl.backend_python.runtime import RuleFault, rank_bag
from ...dsl.ir.metadata import AnswerPath, ConditionTest, DecisionBranch, ExplainOperand, OptionField
from ...dsl.storage.control_slots import PC
from ...dsl.types.types import BagOf, MemberOf, SetOf
from ..position.options import DECLINE, Option
from ..position.position import Game, Position

ExplanationKind = Literal["offered", "refused", "chosen", "every", "forced"]
MAX_CANDIDATES = 50_000                       # tried for one question
_explain_forms: WeakKeyDictionary[Game, ExplainModule] = WeakKeyDictionary()
FixedValues = dict[int, frozenset[Any]]    # allowed raw values, by index of the field


def get_explain_form(game: Game) -> ExplainModule:
    """Returns the explain form of a game's rules. It is compiled at the first call."""
    if game not in _explain_forms:
        _explain_forms[game] = compile_explain_module(game.ruleset.facts)
    return _explain_forms[game]


@dataclass
class OptionExplanation:
    """The explanation of one query. `kind` is one of these:

    - `offered`: the query matches `options`
    - `refused`: `option` is the closest candidate. The last of `tests` is the failed condition, the others
      contain it
    - `chosen`: the thing is already in the set that is chosen member by member
    - `every`: all remaining members must be taken, and another one comes first
    - `forced`: the player must choose something"""

    kind: ExplanationKind
    options: list[Option] = field(default_factory=list)
    option: Option | None = None
    tests: list[ConditionTest] = field(default_factory=list)
    reached: tuple[int, int] = (0, 0)                              # tests passed; the explanation that got furthest is the best
    sides: list[tuple[ExplainOperand, Any]] = field(default_factory=list)     # operands of the innermost test with any, and their values
    closed: bool = False             # the failed test depends on hidden information and must not be shown

    @property
    def scalars(self) -> list[tuple[ExplainOperand, Any]]:
        """The operands that are a single thing or number. The contents of a set are better described in a sentence."""
        return [pair for pair in self.sides if not isinstance(pair[0].type, SetOf)]


class RefusalFinder:
    """Answers questions about the current decision of a position."""

    def __init__(self, position: Position) -> None:
        decision = position.decision
        assert decision is not None
        self.position, self.decision, self.kind = position, decision, decision.kind
        reasons = get_explain_form(position.game)
        self.ways: list[AnswerPath] = reasons.ways[position.s[PC]]
        self.s = list(reasons.module.initial)                      # same states and frames, without memos
        end = position.game.memo_start
        self.s[:end] = position.s[:end]
        self.codes = frozenset(decision.codes)

    def choice(self, number: int) -> DecisionBranch:
        """Returns the branch of the decision that this answer path belongs to."""
        return self.kind.choices[number]

    # ------------------------------------------------------------ one candidate

    def option_code(self, number: int, values: tuple[Any, ...]) -> int:
        """Returns the code of the option with these values in this answer path."""
        choice, code = self.choice(number), 0
        for slot, value in zip(choice.slots, values):
            code = code * slot.radix + (rank_bag(value) if isinstance(slot.type, BagOf) else value - slot.low)
        return code + choice.offset

    def find_failed_tests(
        self, number: int, values: tuple[Any, ...], sides: list[tuple[ExplainOperand, Any]] | None = None
    ) -> list[ConditionTest] | None:
        """Returns the test that a candidate fails and the tests that contain it, outermost first.

        Returns None if the candidate passes all tests, and an empty list if a rule fails while they run. The operands
        of the failed test and their raw values are appended to `sides`."""
        way = self.ways[number]
        seen: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = []
        try:
            path = way.function(self.s, seen, *values)
        except RuleFault:                                          # a part has no value for this candidate; which one is unknown
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

    def explain_candidate(self, number: int, values: tuple[Any, ...]) -> OptionExplanation:
        """Returns the explanation for one candidate."""
        code = self.option_code(number, values)
        option = self.decision.option(code)
        if code in self.codes:
            return OptionExplanation("offered", [option])
        sides: list[tuple[ExplainOperand, Any]] = []
        tests = self.find_failed_tests(number, values, sides)
        if tests is None:
            return OptionExplanation(self.explain_omission(values), option=option, reached=(len(self.ways[number].tests), 0))
        top = next((n for n, test in enumerate(self.ways[number].tests) if test is tests[0]), 0) if tests else 0
        return OptionExplanation("refused", option=option, tests=tests, reached=(top, len(tests)), sides=sides,
                      closed=any(test.closed for test in self.ways[number].tests[: top + 1]))

    def explain_omission(self, values: tuple[Any, ...]) -> Literal["chosen", "every"]:
        """Returns why a member that meets every condition of a set is not offered:
        `chosen` if it was already taken, otherwise `every`."""
        chosen = self.kind.chosen_set
        return "chosen" if chosen is not None and self.s[chosen.slot] >> values[0] & 1 else "every"

    # ------------------------------------------------------------ what was meant

    def explain(self, number: int, fixed: FixedValues) -> OptionExplanation | None:
        """Returns the explanation for the candidates with these values.

        These are the offered options if there are any, otherwise the candidate that passes the most tests.
        Returns None if there is no candidate at all."""
        choice = self.choice(number)
        names = [slot.name for slot in choice.slots]
        wanted = {names[n]: values for n, values in fixed.items()}
        offered = [option for option in self.decision.options if not option.declines and self.decision.choice(option.code) is choice
                   and all(raw in wanted.get(name, (raw,)) for name, _, raw in option.values)]
        if offered:
            return OptionExplanation("offered", offered)
        best: OptionExplanation | None = None
        for values in self.iter_candidates(number, fixed):
            found = self.explain_candidate(number, values)
            if best is None or found.reached > best.reached:
                best = found
        return best

    def iter_candidates(self, number: int, fixed: FixedValues) -> Iterator[tuple[Any, ...]]:
        """Yields combinations of values. After a failed test, it skips all combinations that share the values the test
        reads."""
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

    def list_possible_values(self, slot: OptionField, number: int) -> list[Any]:
        """Returns all values that a field may have by its type.

        On a board without edges these are the offered and the occupied cells. For sets and bags they are the offered ones."""
        if isinstance(slot.type, SetOf | BagOf):
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
        """Returns the explanation for choosing nothing."""
        if DECLINE in self.codes:
            return OptionExplanation("offered", [self.decision.option(DECLINE)])
        return OptionExplanation("forced")
