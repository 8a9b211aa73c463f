"""Previews of the options of a decision: a few words next to each option, and whole sentences on request.

A game provides these texts in its messages. All are parts of a sentence, without a capital letter and a full
stop:

    worth.<value>               a tracked value: {it} and, if it belongs to two things, {at}; {old}, {new}; for a number
                                also {change} (+2) and {by} (2)
    worth.<value>.less          for a number that falls
    worth.<value>.more          for a number above zero that rises; the default is the first text
    worth.<value>.none          for something that becomes empty, or zero
    worth.<value>.not           for something that is no longer true
    short.<event>               an event
    then.<decision>             a player makes this decision next; if it names chosen values, there is one line for each option
    then.<decision>.<entry>     a player may take this menu entry
    outlook.<value>             the potential of a chosen thing (see potential.py)

A value or an event without a text is left out. If a game declares no tracked values, its
events are reported with their own sentences.

What is reported for an option:

- Effects that follow automatically, such as the end of a turn, have the name of their section of the course
  in front.
- A later loss is not reported, because the thing may be gone by then.
- An option without effects of its own reports what all its continuations have in common, if the same player
  decides next.
- If there are not too many continuations, the preview includes the most that the player's next choices can
  bring.
- What comes long after the decision is reduced to the player's own amounts if it is long. `try` reports all of it.
- If other players are asked next, the preview includes the outcome if they all decline, with that condition
  in front. An option that does nothing shows this at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ...dsl.types.types import Int
from ..i18n import DeferredMessage
from ..narration.narrator import Narrator
from ..position.position import Decision
from .baseline import Baseline
from .continuations import compute_bounds, find_action_ends, first_outcome, iter_alternatives
from .garbage_collection import pause_collection
from .lookahead import LookaheadResult
from .option_preview import OptionPreview, join_clauses
from .potential import PotentialValues
from .preview_budget import ON_DEMAND_FACTOR, OPTIONS_PER_BUDGET
from .preview_change import Certainty, ChangesByOption, PreviewChange, common_to_all
from .preview_parts import OutcomeChanges
from .tracked_values import ValueChange, ValueKey
from .unknown_values import MASKED

MAX_CONTINUATION_CHARS = 80                           # next to an option
MAX_LATER_CHARS, MAX_COMMON_CHARS = 40, 120           # of what comes long after the decision, next to an option and above the list


class OptionPreviews(OutcomeChanges):
    """The previews of one decision's options, for the deciding player."""

    def __init__(self, decision: Decision, narrator: Narrator, auto: bool = True, seat: int | None = None) -> None:
        super().__init__(decision, narrator, auto, seat)
        self.outlook = PotentialValues(decision, narrator)
        self.budget = self.foresight.budget
        self.cut = False                                           # whether something was left out to save steps

    @pause_collection()
    def preview_all(self, requested: bool = False) -> tuple[dict[int, OptionPreview], list[PreviewChange]]:
        """Returns the preview of each option by code, and the changes that are the same whatever is chosen.

        There are no previews if the decision has too many options, or if the lookahead takes too many steps. With
        `requested`, on the player's request, the budget is higher. `cut` becomes true if something is left out."""
        codes = list(self.decision.codes)
        if len(codes) > self.budget.MAX_OPTIONS:
            return {}, []
        many = max(OPTIONS_PER_BUDGET, len(codes)) * (ON_DEMAND_FACTOR if requested else 1)
        outcomes: dict[int, LookaheadResult] = {}
        self.budget.allow(self.budget.EFFECTS, many)
        for code in codes:
            outcomes[code] = self.foresight.preview(code)
            if self.budget.is_exceeded:
                self.cut = True
                return {}, []
        found = {code: self.list_changes(outcome) for code, outcome in outcomes.items()}
        self.budget.allow(self.budget.GUARANTEED, many)
        said = self.add_all_guaranteed(found, outcomes)
        always = common_to_all(said[codes[0]], said.values()) if len(codes) > 1 else []
        declined, silent = self.preview_replies(outcomes, found, said)
        baseline = Baseline(self, self.reply_changes, outcomes).take(said, declined)
        self.budget.extend(self.budget.CONTINUATIONS, many)
        declined = self.compare_declined(outcomes, declined, silent)
        anyway = common_to_all(next(iter(declined.values())), declined.values()) if len(declined) == len(codes) > 1 else []
        always += anyway + baseline
        given = {code: self.list_potential(code, outcomes[code]) + without(declined.get(code, []), anyway) for code in codes}
        silent = [code for code in codes if says_nothing(said[code]) and not given[code]]
        said = {code: without(said[code], always) for code in codes}
        leads = self.collect_continuations(said, outcomes, silent, always)
        always += drop_common_leads(said, leads) if len(codes) > 1 else []
        if len(silent) < len(codes):                               # unknown for the others, which may bring it too
            leads = {code: [one for one in changes if not one.cause] for code, changes in leads.items()}
        for code in codes:
            said[code] = self.drop_transient(said[code], found[code], outcomes[code])
            given[code] += leads.get(code, []) if requested else self.shorten(leads.get(code, []))
            if not requested:
                at_once = any(change.is_immediate for change in said[code])
                said[code], given[code] = self.fold_later(said[code], at_once), self.fold_later(given[code], at_once or bool(said[code]))
        always = always if requested else self.fold_later(always, False, MAX_COMMON_CHARS)
        return {code: self.make_preview(code, said[code], outcomes[code], given[code]) for code in codes}, always

    def fold_later(self, changes: list[PreviewChange], told: bool, room: int = MAX_LATER_CHARS) -> list[PreviewChange]:
        """Returns the changes with those that come long after the decision reduced to the player's own amounts.

        If there is room for them, all stay. If the player gains or loses no amount, one change stays: an own one, or any if `told` says
        that nothing else is reported."""
        later = [change for change in changes if change.is_late and change.kind not in ("next", "end")]
        if len(join_clauses([change.text(self.narrator.words) for change in later])) <= room:
            return changes
        own = [change for change in later if change.own]
        kept = [change for change in own if change.gain is not None] or own[:1] or ([] if told else later[:1])
        self.cut = True
        last = kept[-1] if kept else None
        return [replace(change, cut=True) if change is last else change for change in changes if change not in later or change in kept]

    def shorten(self, leads: list[PreviewChange]) -> list[PreviewChange]:
        """Returns as many of these changes as there is room for next to an option. The last one shows that there are more."""
        texts = [change.text(self.narrator.words) for change in leads]
        short = [change for n, change in enumerate(leads, 1) if len(join_clauses(texts[:n])) <= MAX_CONTINUATION_CHARS]
        if len(short) < len(leads):
            self.cut = True
            short[-1:] = [replace(change, cut=True) for change in short[-1:]]
        return short

    def preview_replies(
        self, outcomes: dict[int, LookaheadResult], found: ChangesByOption, changes_by_option: ChangesByOption
    ) -> tuple[ChangesByOption, list[int]]:
        """Returns, by code, what happens if no other player does anything, for options that do nothing themselves or that
        others answer. Also returns those of them that others do not answer."""
        out: ChangesByOption = {}
        silent = []
        for code, changes in changes_by_option.items():
            answered = self.depends_on_reply(code, outcomes[code])
            if not self.budget.is_exceeded and (answered or says_nothing(changes) and self.is_forwarded(outcomes[code])):
                out[code] = self.preview_declined(outcomes[code], found[code], not self.decision.option(code).declines)
                silent += [] if answered else [code]
        return out, silent

    def compare_declined(self, outcomes: dict[int, LookaheadResult], declined: ChangesByOption, silent: list[int]) -> ChangesByOption:
        """Returns what happens if no other player does anything, reduced for the options in `silent` to that in which some
        other option differs.

        If they can be compared with all other options, every option gets what is common to all."""
        if not any(declined[code] for code in silent):
            return declined
        compared = {code: declined[code] for code in silent}
        for code, outcome in outcomes.items():
            if code not in silent and (reply := self.reply_changes(outcome)) is not None:
                compared[code] = reply
        if len(compared) == len(outcomes) > 1 and len(declined) == len(silent):
            everywhere = common_to_all(declined[silent[0]], compared.values())
            return {code: everywhere + without(declined.get(code, []), everywhere) for code in outcomes}
        others = {code: [said for other, said in compared.items() if other != code] for code in silent}
        return declined | {code: without(declined[code], common_to_all(declined[code], others[code])) for code in silent}

    def collect_continuations(
        self, changes_by_option: ChangesByOption, outcomes: dict[int, LookaheadResult], silent: Sequence[int], always: list[PreviewChange]
    ) -> ChangesByOption:
        """Returns, by code, what the player's own next choices can bring: first for the options in `silent`,
        about which nothing else is said, then for the others.

        Within each of the two groups, it is reported for all options or for none. Changes in `always` are not repeated.
        Changes that do not last are removed from `always` and `changes_by_option`."""
        found: ChangesByOption = {}
        for some in (silent, [code for code in changes_by_option if code not in silent]):
            leads: ChangesByOption = {}
            for code in some:
                leads[code], passing = self.best_continuations(outcomes[code], (*changes_by_option[code], *always))
                if self.budget.is_exceeded:
                    self.cut = True
                    return found
                always[:], changes_by_option[code] = drop_immediate(always, passing), drop_immediate(changes_by_option[code], passing)
            found |= leads
        return found

    @pause_collection()
    def preview(self, code: int) -> OptionPreview:
        """Returns the full preview of one option."""
        outcome = self.foresight.preview(code)
        at_once = self.list_changes(outcome)
        self.budget.allow(self.budget.ONE_GUARANTEED)
        said = self.add_guaranteed(at_once, outcome)
        self.budget.allow(self.budget.ONE_CONTINUATIONS)
        leads, passing = self.best_continuations(outcome, said)
        said = self.drop_transient(drop_immediate(said, passing), at_once, outcome)
        return self.make_preview(
            code, said, outcome, self.list_potential(code, outcome) + self.preview_declined(outcome, said, True) + leads
        )

    def make_preview(
        self, code: int, changes: list[PreviewChange], outcome: LookaheadResult, conditional: list[PreviewChange]
    ) -> OptionPreview:
        """Builds the preview of an option from its changes."""
        return OptionPreview(
            tuple(changes), tuple(conditional), *self.thing_texts(code), self.is_last_change_cut_off(outcome, changes), self.narrator.words
        )

    def depends_on_reply(self, code: int, outcome: LookaheadResult) -> bool:
        """Whether the reaction of the other players matters at once: the option does nothing, or they are asked to
        answer it before its section of the course ends."""
        if outcome.decision is None:
            return False
        answering = (
            outcome.decision.key != self.decision.key
            and self.foresight.stays_in_part(outcome)
            and self.foresight.find_exit_position(outcome) is None
        )
        return self.decision.option(code).declines or answering

    def is_forwarded(self, outcome: LookaheadResult) -> bool:
        """Whether a different player makes the same decision next."""
        then = outcome.decision
        return then is not None and then.key == self.decision.key and then.seat != self.decision.seat

    def preview_declined(self, outcome: LookaheadResult, changes: Sequence[PreviewChange], whole: bool) -> list[PreviewChange]:
        """Returns what happens if no other player does anything, without what `changes` says already.

        Changes about the deciding player come first. The others are included only with `whole`. A change that does not last
        in any continuation is replaced by its final form, unless that takes too many steps."""
        further = self.foresight.preview_declined(outcome)
        if further is None:
            return []
        known = {change.says for change in changes}
        found = sorted(self.list_changes(further), key=lambda change: not change.own)
        given = list(dict.fromkeys(one.under(Certainty.IF_DECLINED) for one in found if (one.own or whole) and one.says not in known))
        if further.decision is None or further.decision.seat != self.decision.seat or not given:
            return given
        leads, passing = self.best_continuations(further, (*changes, *given))
        surely = [one.under(Certainty.IF_DECLINED) for one in leads if one.certainty in (Certainty.IN_ANY_CASE, Certainty.ONE_OF)]
        kept = [one for one in given if one.says not in passing]
        return sorted(kept + surely, key=lambda change: change.kind == "next")

    def reply_changes(self, outcome: LookaheadResult) -> list[PreviewChange] | None:
        """Returns what happens if no other player does anything. Returns None if that is unknown, or would take too many steps."""
        if self.budget.is_exceeded or self.foresight.preview_declined(outcome) is None:
            return None
        return self.preview_declined(outcome, [], True)

    def list_potential(self, code: int, outcome: LookaheadResult) -> list[PreviewChange]:
        """Returns the potential of the things that an option chooses, in the position after its own effects."""
        after = self.foresight.find_exit_position(outcome) or (outcome.after if outcome.sure else None)
        found = self.outlook.iter_statements(code, after) if after is not None else ()
        values = len(self.tracked.values)                            # what comes now ranks before what may come later
        return [PreviewChange(said, Certainty.AS_THINGS_STAND, kind="potential", own=rank is not None,
                              gain=(values + rank[0], rank[1]) if rank is not None else None) for said, rank in found]

    def best_continuations(
        self, outcome: LookaheadResult, changes: Sequence[PreviewChange]
    ) -> tuple[list[PreviewChange], set[DeferredMessage]]:
        """Returns what the player's own next choices bring by the end of the current action, without what `changes` says
        already.

        These are:

        - changes common to all outcomes
        - the smallest amounts by which others gain or lose, or by which the player loses
        - the largest amounts that the player gains

        The list is empty if the search takes too many steps. Also returns what `changes` says that is
        true at first but not at the end of any outcome."""
        ways, unknown = self.list_outcome_changes(outcome)
        bounds = compute_bounds(ways, self.is_amount_change, self.is_own, lambda change: isinstance(change.type, Int))
        at_once = {
            change.place: change
            for change in self.tracked.iter_changes(self.tracked.before, self.tracked.read(outcome.after), outcome.after)
        }
        passing = {
            one.says
            for one in changes
            if one.is_immediate
            and one.value is not None
            and ways
            and not self.is_amount_change(one.value)
            and one.value.place not in unknown
            and all(one.value.place not in way or way[one.value.place].new != one.value.new for way in ways)
        }
        known = {one.says for one in changes}
        told = {(one.value.place, one.value.new) for one in changes if one.value is not None}
        out: dict[PreviewChange, None] = {}
        for certainty, change in ((certainty, change) for certainty, some in bounds.items() for change in some):
            if certainty is not Certainty.UP_TO and change.place in at_once:
                first = self.value_change(at_once[change.place])
                if first is None or first.says not in known or change.new == at_once[change.place].new:
                    continue                                       # already reported; a second text would seem to contradict it
                passing.add(first.says)                            # the final amount differs
            if certainty is Certainty.IN_ANY_CASE and (change.place, change.new) in told:
                continue                                           # already reported in other words
            found = self.value_change(change, certainty is Certainty.IN_ANY_CASE)
            if found is not None and found.says not in known:
                out[found.under(certainty)] = None
                known.add(found.says)
        for some in iter_alternatives(ways):
            parts = [part for change in some if (part := self.value_change(change)) is not None]
            if len(parts) == len(some) and not known & {part.says for part in parts}:
                says = self.narrator.words.statement("foresee.either", said=[part.says for part in parts])
                out[PreviewChange(says, Certainty.ONE_OF, own=all(map(self.is_own, some)))] = None
        for one in self.find_guaranteed(outcome) if not ways else ():
            if one.says in known or one.kind == "next" or one.value is not None and (one.value.place, one.value.new) in told:
                continue
            first = self.value_change(at_once[one.value.place]) if one.value is not None and one.value.place in at_once else None
            passing |= {first.says} & known if first is not None else set()
            out[one.under(Certainty.IN_ANY_CASE) if one.is_immediate else one] = None
        return list(out), passing

    def list_outcome_changes(self, outcome: LookaheadResult) -> tuple[list[dict[ValueKey, ValueChange]], set[ValueKey]]:
        """Returns the changes of the tracked values for each way in which the current action may end (see
        `find_action_ends`). Also returns the values that may then be unknown. The changes do not include these."""
        after = [(position, {place: raw for place, raw in self.tracked.read(position).items()
                             if all(self.tracked.has_value(world, place, raw) for world in worlds)})
                 for position, worlds in find_action_ends(self.foresight, outcome) or ()]
        unknown = {place for _, values in after for place in self.tracked.before.keys() - values.keys()}
        return [
            {change.place: change for change in self.tracked.iter_changes(self.tracked.before, values, then) if change.place not in unknown}
            for then, values in after
        ], unknown

    def drop_transient(self, changes: list[PreviewChange], at_once: list[PreviewChange], outcome: LookaheadResult) -> list[PreviewChange]:
        """Returns the changes of an option without those that one outcome of the current action undoes again. Changes
        in `at_once`, the effects of the option itself, are kept."""
        told = [(one, one.value) for one in without(changes, at_once)
                if one.is_immediate and one.value is not None and not self.is_amount_change(one.value)]
        if not told or outcome.decision is None or outcome.decision.seat != self.decision.seat:
            return changes
        end = first_outcome(self.foresight, outcome)
        ends = [(one, value.new, self.tracked.value_at(end, value.place)) for one, value in told]
        return without(changes, [one for one, new, raw in ends if raw is not MASKED and raw != new])

    def add_guaranteed(
        self, changes: list[PreviewChange], outcome: LookaheadResult, keys: set[ValueKey] | None = None
    ) -> list[PreviewChange]:
        """Returns the changes of an outcome. If these are only about the next decision, adds
        what all continuations have in common."""
        return list(dict.fromkeys((*changes, *self.find_guaranteed(outcome, keys)))) if says_nothing(changes) else changes

    def add_all_guaranteed(self, found: ChangesByOption, outcomes: dict[int, LookaheadResult]) -> ChangesByOption:
        """Returns the changes of each option with those of `add_guaranteed`, or without them if that takes too many steps.

        A later section of the course can bring a change in all continuations of one option. The change is then listed at every option
        that brings it too. It is listed at no option if that takes too many steps."""
        said: ChangesByOption = {}
        for code, changes in found.items():
            said[code] = self.add_guaranteed(changes, outcomes[code])
            if self.budget.is_exceeded:
                self.cut = True
                return dict(found)
        later = {change for code, changes in said.items() for change in without(changes, found[code]) if change.cause}
        for code, changes in found.items() if later else ():
            if not says_nothing(changes):
                said[code] = changes + [one for one in self.find_guaranteed(outcomes[code], whole=True) if one in without(later, changes)]
            if self.budget.is_exceeded:
                self.cut = True
                return {code: without(changes, without(later, found[code])) for code, changes in said.items()}
        return said

    def find_guaranteed(self, outcome: LookaheadResult, keys: set[ValueKey] | None = None, whole: bool = False) -> list[PreviewChange]:
        """Returns the changes that all continuations have in common, as long as the player decides and is not asked the
        same again. The list is empty if that takes too many steps.

        A continuation ends with the first choice that changes anything, or with `whole` as late as possible."""
        found: list[PreviewChange] | None = None
        seen: set[ValueKey] = set()
        for further in self.foresight.iter_continuations(outcome):
            if self.budget.is_exceeded:
                return []
            said = self.list_changes(further, keys, seen if found is None else None)
            said = list(dict.fromkeys((*said, *self.find_guaranteed(further, keys, whole)))) if whole or says_nothing(said) else said
            found = said if found is None else self.intersect(found, said)
            keys = seen or keys                                    # what has not changed for the first option is not common to all
            if not found:
                return []
        return found or []

    def intersect(self, changes: Sequence[PreviewChange], others: Sequence[PreviewChange]) -> list[PreviewChange]:
        """Returns the changes common to two outcomes. If an amount or the count of an event differs,
        the smaller one is what comes at least."""
        out: dict[PreviewChange, None] = {}
        counting = {one.counts: one for one in (*changes, *others) if one.counts is not None}
        for one in changes:
            if one in others:
                out[one] = None
            elif may_be_smaller(one):
                fewest = [min(one.counts[1], other.counts[1]) for other in others
                          if one.counts is not None and other.counts is not None and other.counts[0] == one.counts[0]]
                fewer = [counting[one.counts[0], n] for n in fewest[:1] if one.counts is not None]
                out |= {found.under(Certainty.AT_LEAST): None for found in (*fewer, *self.smaller_change(one, others))}
        return list(out)

    def smaller_change(self, one: PreviewChange, others: Sequence[PreviewChange]) -> list[PreviewChange]:
        """Returns the smaller change, if a number rises in both outcomes or falls in both."""
        value = one.value
        if value is None or not self.is_amount_change(value):
            return []
        same = [other.value for other in others if may_be_smaller(other) and other.value is not None and other.value.place == value.place]
        smaller = [min(other, value, key=lambda change: abs(change.new - change.old))
                   for other in same if (other.new > other.old) == (value.new > value.old)]
        found = self.value_change(smaller[0]) if smaller else None
        return [found] if found is not None else []


def says_nothing(changes: Iterable[PreviewChange]) -> bool:
    """Whether these changes are only about the next decision."""
    return all(change.kind == "next" for change in changes)


def may_be_smaller(change: PreviewChange) -> bool:
    """Whether a change can be weakened to the least that comes in all outcomes."""
    return change.is_immediate or change.certainty is Certainty.AT_LEAST


def without(changes: Iterable[PreviewChange], others: Collection[PreviewChange]) -> list[PreviewChange]:
    """Returns the changes that are not among `others`."""
    return [change for change in changes if change not in others]


def drop_immediate(changes: Iterable[PreviewChange], passing: set[DeferredMessage]) -> list[PreviewChange]:
    """Returns the changes without those effects of the option itself that do not last."""
    return [change for change in changes if not (change.is_immediate and change.says in passing)]


def drop_common_leads(changes_by_option: ChangesByOption, leads: ChangesByOption) -> list[PreviewChange]:
    """Removes from both what is certain of every option, and returns it."""
    certain = [{(one.says, one.cause): one for one in (*changes_by_option[code], *leads.get(code, ())) if one.kind != "next"
                and one.certainty in (Certainty.CERTAIN, Certainty.IN_ANY_CASE)} for code in changes_by_option]
    common = {same: one for same, one in certain[0].items() if all(same in other for other in certain)}
    for some in (changes_by_option, leads) if common else ():
        some |= {code: [one for one in changes if (one.says, one.cause) not in common] for code, changes in some.items()}
    return [replace(one, certainty=Certainty.CERTAIN) for one in common.values()]
