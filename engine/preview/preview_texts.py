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
- If other players are asked next, the preview includes the outcome if they all decline, with that condition
  in front. An option that does nothing shows this at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...dsl.types.types import Int
from ..narration.narrator import Narrator
from ..position.position import Decision
from .continuations import compute_bounds, enumerate_outcomes, first_outcome
from .lookahead import LookaheadResult
from .option_preview import ELLIPSIS_SUFFIX, OptionPreview, PreviewLine, join_sentence
from .potential import PotentialTexts
from .preview_parts import PreviewTexts
from .tracked_values import ValueChange, ValueKey
from .unknown_values import MASKED

MAX_OPTIONS_UNASKED = 80                            # with more options, previews are made one at a time on request
PREVIEW_STEPS = 480                           # steps for all options, if there are at most OPTIONS_PER_BUDGET
# more options than this increase the budgets in proportion
OPTIONS_PER_BUDGET = 12
ON_DEMAND_FACTOR = 24                           # on request, the budget is so many times larger
# steps for guaranteed effects, for all options together
GUARANTEE_STEPS = 400
GUARANTEE_STEPS_ON_DEMAND = 2400                       # for one option on request
CONTINUATION_STEPS = 250                           # steps for the best continuations, for all options together
CONTINUATION_STEPS_ON_DEMAND = 8000                        # for one option on request
MAX_CONTINUATION_CHARS = 80                           # next to an option


class OptionPreviews(PreviewTexts):
    """The previews of one decision's options, for the deciding player."""

    def __init__(self, decision: Decision, teller: Narrator, auto: bool = True, alone: int | None = None) -> None:
        super().__init__(decision, teller, auto, alone)
        self.outlook = PotentialTexts(decision, teller)
        self.cut = False                                           # whether something was left out to save steps

    def preview_all(self, asked: bool = False) -> tuple[dict[int, OptionPreview], list[PreviewLine]]:
        """Returns the preview of each option by code, and the lines that are the same whatever is chosen.

        There are no previews if the decision has too many options, or if the lookahead takes too many steps. Steps
        are counted instead of time, so the result is the same on every machine. With `asked`, on the player's
        request, the limits are higher. `cut` becomes true if something is left out."""
        codes = list(self.decision.codes)
        if len(codes) > MAX_OPTIONS_UNASKED:
            return {}, []
        many = max(OPTIONS_PER_BUDGET, len(codes)) * (ON_DEMAND_FACTOR if asked else 1)
        aheads: dict[int, LookaheadResult] = {}
        for code in codes:
            aheads[code] = self.foresight.preview(code)
            if self.foresight.work * OPTIONS_PER_BUDGET > PREVIEW_STEPS * many:
                self.cut = True
                return {}, []
        found = {code: self.preview_lines(ahead) for code, ahead in aheads.items()}
        sure = {}
        left, last = (
            self.foresight.work + most * many // OPTIONS_PER_BUDGET for most in (GUARANTEE_STEPS, GUARANTEE_STEPS + CONTINUATION_STEPS)
        )
        for code, said in found.items():
            sure[code] = self.add_guaranteed(said, aheads[code], left)
            if self.foresight.work > left:
                self.cut, sure = True, found                       # for every option, or for none
                break
        always = [part for part in sure[codes[0]] if len(codes) > 1 and all(part in said for said in sure.values())]
        declined = self.preview_all_declined(aheads, found, sure, left, last)
        anyway = [part for part in next(iter(declined.values()), []) if len(declined) == len(codes) > 1
                  and all(part in said for said in declined.values())]
        always += anyway
        hints: dict[int, OptionPreview] = {}
        for code, parts in sure.items():
            given = self.preview_potential(code, aheads[code]) + [part for part in declined.get(code, []) if part not in anyway]
            hints[code] = self.make_preview(code, [part for part in parts if part not in always], aheads[code], given)
        leads = self.collect_continuations(
            hints, aheads, [code for code in codes if self.says_nothing(sure[code]) and not hints[code].given], always, last
        )
        surely = ("", self.teller.words.text("foresee.surely"))
        sayings = [[text for part, text in (*hints[code].said, *leads.get(code, ())) if part in surely] for code in codes]
        if common := [text for text in sayings[0] if len(codes) > 1 and text not in self.nexts and all(text in said for said in sayings)]:
            always += [("", text) for text in common]
            leads = {code: [part for part in said if part[1] not in common] for code, said in leads.items()}
            hints = {code: self.make_preview(code, [part for part in hint.said if part[1] not in common], aheads[code], hint.given)
                     for code, hint in hints.items()}
        for code in hints:
            kept = self.drop_transient(hints[code].said, found[code], aheads[code])
            hints[code] = self.make_preview(code, kept, aheads[code], hints[code].given)
        for code, more in leads.items():
            short = [
                one
                for n, one in enumerate(more)
                if asked or len(join_sentence([said for _, said in more[: n + 1]])) <= MAX_CONTINUATION_CHARS
            ]
            if len(short) < len(more):
                self.cut = True
                if short:                                          # show that the list is incomplete
                    under, text = short[-1]
                    self.mine |= {(under, text + ELLIPSIS_SUFFIX)} if short[-1] in self.mine else set()
                    short[-1] = under, text + ELLIPSIS_SUFFIX
            if short:
                hints[code] = self.make_preview(code, hints[code].said, aheads[code], (*hints[code].given, *short))
        return hints, always

    def preview_all_declined(
        self,
        aheads: dict[int, LookaheadResult],
        found: dict[int, list[PreviewLine]],
        sure: dict[int, list[PreviewLine]],
        left: int,
        last: int,
    ) -> dict[int, list[PreviewLine]]:
        """Returns, by code, what happens if no other player does anything.

        This is reported for an option that does nothing itself or that others answer. For an
        option without other lines it is reported only if some other option differs in it. `left`
        and `last` are limits for the total step count."""
        out: dict[int, list[PreviewLine]] = {}
        silent = []
        for code, parts in sure.items():
            answered = self.depends_on_reply(code, aheads[code])
            if self.foresight.work < left and (answered or self.says_nothing(parts) and self.is_forwarded(aheads[code])):
                out[code] = self.preview_declined(aheads[code], found[code], not self.decision.option(code).declines, left)
                silent += [] if answered else [code]
        if not any(out[code] for code in silent):
            return out
        others: dict[int, list[PreviewLine]] = {}
        for code, ahead in aheads.items():
            if code not in silent and self.foresight.work < last and self.foresight.preview_declined(ahead) is not None:
                others[code] = self.preview_declined(ahead, [], True, last)
        compared = {**{code: out[code] for code in silent}, **others}
        if len(compared) == len(aheads) > 1 and len(out) == len(silent):
            everywhere = [part for part in out[silent[0]] if all(part in said for said in compared.values())]
            return {code: everywhere + [part for part in out.get(code, []) if part not in everywhere] for code in aheads}
        for code in silent:
            out[code] = [part for part in out[code] if any(part not in said for other, said in compared.items() if other != code)]
        return out

    def collect_continuations(
        self,
        hints: dict[int, OptionPreview],
        aheads: dict[int, LookaheadResult],
        silent: Sequence[int],
        always: list[PreviewLine],
        work: int,
    ) -> dict[int, list[PreviewLine]]:
        """Returns, by code, what the player's own next choices can bring: first for the options in `silent`,
        which have no other lines, then for the others.

        Within each of the two groups, it is reported for all options or for none. Lines in `always` are not repeated,
        and are removed from it if they do not last. `work` is the limit for the total step count."""
        found: dict[int, list[PreviewLine]] = {}
        for some in (silent, [code for code in hints if code not in silent]):
            leads: dict[int, list[PreviewLine]] = {}
            for code in some:
                found_here, passing = self.best_continuations(aheads[code], (*hints[code].said, *always), work)
                if self.foresight.work > work:
                    self.cut = True
                    return found
                leads[code] = found_here
                if passing:
                    always[:] = [part for part in always if part[0] or part[1] not in passing]
                    kept = [part for part in hints[code].said if part[0] or part[1] not in passing]
                    hints[code] = self.make_preview(code, kept, aheads[code], hints[code].given)
            found |= leads
        return found

    def preview(self, code: int) -> OptionPreview:
        """Returns the full preview of one option."""
        ahead = self.foresight.preview(code)
        at_once = self.preview_lines(ahead)
        said = self.add_guaranteed(at_once, ahead, self.foresight.work + GUARANTEE_STEPS_ON_DEMAND)
        work = self.foresight.work + CONTINUATION_STEPS_ON_DEMAND
        leads, passing = self.best_continuations(ahead, said, work)
        said = [part for part in said if part[0] or part[1] not in passing]
        said = self.drop_transient(said, at_once, ahead)
        return self.make_preview(
            code, said, ahead, self.preview_potential(code, ahead) + self.preview_declined(ahead, said, True, work) + leads
        )

    def make_preview(self, code: int, said: Sequence[PreviewLine], ahead: LookaheadResult, given: Sequence[PreviewLine]) -> OptionPreview:
        """Builds the preview of an option from its lines."""
        own = frozenset((*said, *given)) & self.mine
        amounts = tuple((one, *self.amounts[one[1]]) for one in dict.fromkeys((*said, *given)) if one in own and one[1] in self.amounts)
        texts, printed = self.thing_texts(code)
        every, more = frozenset(text for _, text in (*said, *given)), self.is_cut_off(ahead, said)
        return OptionPreview(tuple(said), texts, more, own, tuple(given), amounts, printed, every & self.nexts, every & self.outcomes)

    def depends_on_reply(self, code: int, ahead: LookaheadResult) -> bool:
        """Whether the reaction of the other players matters at once: the option does nothing, or they are asked to
        answer it before its section of the course ends."""
        if ahead.decision is None:
            return False
        answering = (
            ahead.decision.key != self.decision.key
            and self.foresight.stays_in_part(ahead)
            and self.foresight.find_exit_position(ahead) is None
        )
        return self.decision.option(code).declines or answering

    def is_forwarded(self, ahead: LookaheadResult) -> bool:
        """Whether a different player makes the same decision next."""
        then = ahead.decision
        return then is not None and then.key == self.decision.key and then.seat != self.decision.seat

    def add_guaranteed(
        self, said: list[PreviewLine], ahead: LookaheadResult, work: int, only: set[ValueKey] | None = None
    ) -> list[PreviewLine]:
        """Returns the lines of an outcome. If these are only about the next decision, adds
        the lines that all continuations have in common."""
        return list(dict.fromkeys((*said, *self.find_guaranteed(ahead, work, only)))) if self.says_nothing(said) else said

    def preview_declined(self, ahead: LookaheadResult, said: Sequence[PreviewLine], whole: bool, work: int) -> list[PreviewLine]:
        """Returns the lines that apply if no other player does anything, with that condition, and without the lines in
        `said`.

        They are about the deciding player and, with `whole`, about the others too. A change that does not last in any
        continuation is replaced by its final form, unless that takes too many steps."""
        further = self.foresight.preview_declined(ahead)
        given = self.conditional_lines("foresee.declined", further, said, whole)
        if further is None or further.decision is None or further.decision.seat != self.decision.seat or not given:
            return given
        leads, passing = self.best_continuations(further, (*said, *given), work)
        certain = [part for part in leads if part[0] in [self.teller.words.text(f"foresee.{word}") for word in ("surely", "chosen")]]
        surely = [(given[0][0], text) for _, text in certain]
        self.mine |= {one for one, part in zip(surely, certain) if part in self.mine}
        kept = [part for part in given if part[1] not in passing]
        return sorted(kept + surely, key=lambda part: part[1] in self.nexts)

    def preview_potential(self, code: int, ahead: LookaheadResult) -> list[PreviewLine]:
        """Returns the lines about the potential of the things that an option chooses, in the position after its own
        effects."""
        after = self.foresight.find_exit_position(ahead) or (ahead.after if ahead.sure else None)
        if after is None:
            return []
        under = self.teller.words.text("foresee.now")
        return [(under, text) for text in self.outlook.iter_texts(code, after)]

    def best_continuations(self, ahead: LookaheadResult, said: Sequence[PreviewLine], work: int) -> tuple[list[PreviewLine], set[str]]:
        """Returns what the player's own next choices bring by the end of the current action, without the lines in
        `said`.

        These are:

        - changes common to all outcomes
        - the smallest amounts by which others gain or lose, or by which the player loses
        - the largest amounts that the player gains

        The list is empty if the search takes too many steps. Also returns the texts in `said` that are
        true at first but not at the end of any outcome."""
        ways, unknown = self.list_outcome_changes(ahead, work)
        bounds = compute_bounds(ways, self.is_amount_change, self.is_own, lambda change: isinstance(change.type, Int))
        at_once = {change.place: change for change in self.worth.iter_changes(self.worth.before, self.worth.read(ahead.after), ahead.after)}
        passing = {text for part, text in said if not part and (change := self.told_of.get(text)) is not None and ways
                   and not self.is_amount_change(change) and change.place not in unknown
                   and all(change.place not in way or way[change.place].new != change.new for way in ways)}
        out: dict[PreviewLine, None] = {}
        known = {text for _, text in said}
        told = {(change.place, change.new) for text in known if (change := self.told_of.get(text)) is not None}
        for key, changes in (("foresee.surely", bounds.surely), ("foresee.least", bounds.least), ("foresee.leads", bounds.most)):
            under = self.teller.words.text(key)
            for change in changes:
                if changes is not bounds.most and change.place in at_once:
                    first = self.change_text(at_once[change.place])
                    if first not in known or change.new == at_once[change.place].new:
                        continue                                   # already reported; a second text would seem to contradict it
                    passing.add(first)                             # the final amount differs
                if changes is bounds.surely and (change.place, change.new) in told:
                    continue                                       # already reported in other words
                if (text := self.change_text(change, changes is bounds.surely)) is not None and text not in known:
                    out[under, text] = None
                    known.add(text)
                    self.mine |= {(under, text)} if self.is_own(change) else set()
        surely, chosen = (self.teller.words.text(f"foresee.{word}") for word in ("surely", "chosen"))
        for some in bounds.either:
            texts = [self.change_text(change) for change in some]
            if all(texts) and not known & {*texts}:
                said_of = self.teller.words.text("foresee.either", said=[text for text in texts if text])
                out[chosen, said_of] = None
                self.mine |= {(chosen, said_of)} if all(map(self.is_own, some)) else set()
        for under, text in self.find_guaranteed(ahead, work) if not ways else ():
            change = self.told_of.get(text)
            first = self.change_text(at_once[change.place]) if change is not None and change.place in at_once else None
            if text in known or change is not None and (change.place, change.new) in told or text in self.nexts:
                continue
            if first in known:
                passing.add(first)
            out[under or surely, text] = None
            self.mine |= {(under or surely, text)} if (under, text) in self.mine else set()
        return list(out), passing

    def list_outcome_changes(self, ahead: LookaheadResult, work: int) -> tuple[list[dict[ValueKey, ValueChange]], set[ValueKey]]:
        """Returns the changes of the tracked values for each way in which the current action may end (see
        `enumerate_outcomes`). Also returns the values that may then be unknown. The changes do not include these."""
        after = [(position, {place: raw for place, raw in self.worth.read(position).items()
                             if all(self.worth.has_value(world, place, raw) for world in worlds)})
                 for position, worlds in enumerate_outcomes(self.foresight, ahead, work) or ()]
        unknown = {place for _, values in after for place in self.worth.before.keys() - values.keys()}
        return [{change.place: change for change in self.worth.iter_changes(self.worth.before, values, then) if change.place not in unknown}
                for then, values in after], unknown

    def drop_transient(self, said: Sequence[PreviewLine], at_once: Sequence[PreviewLine], ahead: LookaheadResult) -> list[PreviewLine]:
        """Returns the lines of an option without the changes that one outcome of the current action undoes again. Lines
        in `at_once`, the effects of the option itself, are kept."""
        told = {part[1]: change for part in said if not part[0] and part not in at_once
                and (change := self.told_of.get(part[1])) is not None and not self.is_amount_change(change)}
        if not told or ahead.decision is None or ahead.decision.seat != self.decision.seat:
            return list(said)
        end = first_outcome(self.foresight, ahead)
        passing = {
            text for text, change in told.items() if (raw := self.worth.value_at(end, change.place)) is not MASKED and raw != change.new
        }
        return [part for part in said if part[1] not in passing]

    def is_amount_change(self, change: ValueChange) -> bool:
        """Whether a change is a number whose text shows the amount. A text that only counts may describe a loss."""
        key = f"worth.{change.name}"
        return isinstance(change.type, Int) and self.teller.words.has(key) and "change" in self.teller.words.fields_used(key, ("change",))

    def conditional_lines(self, key: str, further: LookaheadResult | None, said: Sequence[PreviewLine], whole: bool) -> list[PreviewLine]:
        """Returns the lines of a conditional outcome under the text `key`, without those in `said`.

        Lines about the deciding player come first. The others are included only with `whole`."""
        if further is None:
            return []
        known, under = {text for _, text in said}, self.teller.words.text(key)
        lines = sorted(self.lines_with_ownership(further), key=lambda line: not line[1])
        self.mine |= {(under, text) for _, own, text in lines if own}
        return list(dict.fromkeys((under, text) for _, own, text in lines if (own or whole) and text not in known))

    def find_guaranteed(self, ahead: LookaheadResult, work: int, only: set[ValueKey] | None = None) -> list[PreviewLine]:
        """Returns the lines that all continuations have in common, as long as the player decides and is not asked the
        same again. The list is empty if that takes too many steps."""
        found: list[PreviewLine] | None = None
        seen: set[ValueKey] = set()
        for further in self.foresight.iter_continuations(ahead):
            if self.foresight.work > work:
                return []
            said = self.add_guaranteed(self.preview_lines(further, only, seen if found is None else None), further, work, only)
            found = said if found is None else self.intersect_lines(found, said)
            only = seen or only                                    # a value without a line for the first option is not common to all
            if not found:
                return []
        return found or []

    def intersect_lines(self, one: Sequence[PreviewLine], other: Sequence[PreviewLine]) -> list[PreviewLine]:
        """Returns the lines common to two outcomes. If an event counts different numbers,
        the line reports the smaller one as the least."""
        out: dict[PreviewLine, None] = {}
        least = self.teller.words.text("foresee.least")
        fewest = {
            what: min(n, m)
            for _, text in one
            for _, same in other
            for what, n in self.iter_event_counts(text)
            for that, m in self.iter_event_counts(same)
            if what == that
        }
        texts = {self.counted[text]: text for _, text in (*one, *other) if text in self.counted}
        for under, text in one:
            if (under, text) in other:
                out[under, text] = None
            elif under in ("", least):
                fewer = [texts[what, fewest[what]] for what, _ in self.iter_event_counts(text) if what in fewest]
                for said in filter(None, (*fewer, self.smaller_change_text(text, other, least))):
                    out[least, said] = None
                    self.mine |= {(least, said)} if ("", text) in self.mine or (least, text) in self.mine else set()
        return list(out)

    def smaller_change_text(self, text: str, other: Sequence[PreviewLine], least: str) -> str | None:
        """Returns the text of the smaller change, if a number rises in both outcomes or falls in both."""
        change = self.told_of.get(text)
        if change is None or not self.is_amount_change(change):
            return None
        for under, same in other:
            found = self.told_of.get(same)
            if found is None or under not in ("", least) or found.place != change.place:
                continue
            if (found.new > found.old) == (change.new > change.old):
                return self.change_text(min(found, change, key=lambda one: abs(one.new - one.old)))
        return None

    def iter_event_counts(self, text: str) -> Iterator[tuple[object, int]]:
        """Yields what the text of an event counts, and the number. Yields nothing for other texts."""
        if text in self.counted:
            yield self.counted[text]
