"""What choosing an option would change, in a few words beside it, and in whole sentences when asked.

A game says in its messages (all are parts of a sentence, without a capital and a point):

    worth.<value>               one of the values worth telling: of {it} and, where it is about two things, {at}; {old}, {new}, for a number
                                also {change} (+2) and {by} (2)
    worth.<value>.less          of a number that falls
    worth.<value>.more          of a number that was more than nought and rises; without it the first text serves
    worth.<value>.none          of something that is nothing then, or nought
    worth.<value>.not           of something that is no longer true
    short.<event>               an event
    then.<decision>             somebody decides this next; where it names what is chosen there, it is said of each option
    then.<decision>.<entry>     they may take this entry of a menu
    outlook.<value>             what a chosen thing holds out (see `outlook`)

What has no text is not told; of a game that declares nothing worth telling, events are told in their own sentences.

What then runs through by itself (the end of a turn) is told behind the name of the part of the course that it belongs to.
That something is no more then is not told: what was in danger may have gone. An option that says nothing by itself says what is certain
of all ways to go on from it, where the same person decides next; and what one's own next choices can bring at most, where there are not too
many of them. Where others are asked next, what comes if they all decline is told behind that condition: at once where one does nothing
oneself, for who does nothing should know what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...dsl.types.types import Int
from ..narration.narrator import Teller
from ..position.position import Decision
from .continuations import bounds_of, ends, one_end
from .lookahead import Ahead
from .option_preview import MORE, Hint, Said, joined
from .potential import Outlook
from .preview_parts import Parts
from .tracked_values import Change, Place
from .unknown_values import COVER

MANY = 80                            # with more options than this, what they change is told of one when asked;
WORK = 480                           # so too where it takes more steps of the game to find out,
SHARE = 12                           # or more for each option than for each of so many: one option more is no reason to say nothing
ASKED = 24                           # who asks for it waits so many times as long
DEEP = 400                           # steps of the game for what is certain of an option whatever one chooses next, of all options together
DEEPEST = 2400                       # and of one that is asked about
NEAR = 250                           # steps for what options may lead to at most, of all together
NEARER = 8000                        # and of one that is asked about
SHORT = 80                           # characters of what an option may lead to that stand beside it


class Hints(Parts):
    """What the options of one decision would change, for the one who decides."""

    def __init__(self, decision: Decision, teller: Teller, auto: bool = True, alone: int | None = None) -> None:
        super().__init__(decision, teller, auto, alone)
        self.outlook = Outlook(decision, teller)
        self.cut = False                                           # whether something was left out because it takes long

    def all(self, asked: bool = False) -> tuple[dict[int, Hint], list[Said]]:
        """By code, what each option changes; and what happens whatever is chosen. Of too many options nothing is said, nor where it would
        take long: steps are counted, so that it is the same each time and on every machine. `asked`: it may take longer. Where something
        is left out, it is `cut`."""
        codes = list(self.decision.codes)
        if len(codes) > MANY:
            return {}, []
        many = max(SHARE, len(codes)) * (ASKED if asked else 1)
        aheads: dict[int, Ahead] = {}
        for code in codes:
            aheads[code] = self.foresight.of(code)
            if self.foresight.work * SHARE > WORK * many:
                self.cut = True
                return {}, []
        found = {code: self.said(ahead) for code, ahead in aheads.items()}
        sure = {}
        left, last = (self.foresight.work + most * many // SHARE for most in (DEEP, DEEP + NEAR))
        for code, said in found.items():
            sure[code] = self.with_certain(said, aheads[code], left)
            if self.foresight.work > left:
                self.cut, sure = True, found                       # told of each option, or of none
                break
        always = [part for part in sure[codes[0]] if len(codes) > 1 and all(part in said for said in sure.values())]
        declined = self.if_declined(aheads, found, sure, left, last)
        anyway = [part for part in next(iter(declined.values()), []) if len(declined) == len(codes) > 1
                  and all(part in said for said in declined.values())]
        always += anyway
        hints: dict[int, Hint] = {}
        for code, parts in sure.items():
            given = self.held_out(code, aheads[code]) + [part for part in declined.get(code, []) if part not in anyway]
            hints[code] = self.hint(code, [part for part in parts if part not in always], aheads[code], given)
        leads = self.leads_of(hints, aheads, [code for code in codes if self.silent(sure[code]) and not hints[code].given], always, last)
        surely = ("", self.teller.words.text("foresee.surely"))
        sayings = [[text for part, text in (*hints[code].said, *leads.get(code, ())) if part in surely] for code in codes]
        if common := [text for text in sayings[0] if len(codes) > 1 and text not in self.nexts and all(text in said for said in sayings)]:
            always += [("", text) for text in common]
            leads = {code: [part for part in said if part[1] not in common] for code, said in leads.items()}
            hints = {code: self.hint(code, [part for part in hint.said if part[1] not in common], aheads[code], hint.given)
                     for code, hint in hints.items()}
        for code in hints:
            kept = self.lasting(hints[code].said, found[code], aheads[code])
            hints[code] = self.hint(code, kept, aheads[code], hints[code].given)
        for code, more in leads.items():
            short = [one for n, one in enumerate(more) if asked or len(joined([said for _, said in more[: n + 1]])) <= SHORT]
            if len(short) < len(more):
                self.cut = True
                if short:                                          # who sees a part is not to take it for all
                    under, text = short[-1]
                    self.mine |= {(under, text + MORE)} if short[-1] in self.mine else set()
                    short[-1] = under, text + MORE
            if short:
                hints[code] = self.hint(code, hints[code].said, aheads[code], (*hints[code].given, *short))
        return hints, always

    def if_declined(self, aheads: dict[int, Ahead], found: dict[int, list[Said]], sure: dict[int, list[Said]], left: int,
                    last: int) -> dict[int, list[Said]]:
        """What comes of options if nobody else does anything. It is told of one that does nothing itself or that others answer, and of one
        that says nothing else if another option does not bring the same: that it brings anyway. `left` and `last`: when to stop."""
        out: dict[int, list[Said]] = {}
        silent = []
        for code, parts in sure.items():
            answered = self.is_next(code, aheads[code])
            if self.foresight.work < left and (answered or self.silent(parts) and self.passed_on(aheads[code])):
                out[code] = self.declined(aheads[code], found[code], not self.decision.option(code).declines, left)
                silent += [] if answered else [code]
        if not any(out[code] for code in silent):
            return out
        others: dict[int, list[Said]] = {}
        for code, ahead in aheads.items():
            if code not in silent and self.foresight.work < last and self.foresight.declined(ahead) is not None:
                others[code] = self.declined(ahead, [], True, last)
        compared = {**{code: out[code] for code in silent}, **others}
        if len(compared) == len(aheads) > 1 and len(out) == len(silent):
            everywhere = [part for part in out[silent[0]] if all(part in said for said in compared.values())]
            return {code: everywhere + [part for part in out.get(code, []) if part not in everywhere] for code in aheads}
        for code in silent:
            out[code] = [part for part in out[code] if any(part not in said for other, said in compared.items() if other != code)]
        return out

    def leads_of(self, hints: dict[int, Hint], aheads: dict[int, Ahead], silent: Sequence[int], always: list[Said],
                 work: int) -> dict[int, list[Said]]:
        """What options lead to by one's own next choices: of the `silent`, which say nothing else, then of the others; told of each of
        them, or of none. What is said `always` is not said again, and is taken away from it where it is not so in the end. `work`: when to
        stop."""
        found: dict[int, list[Said]] = {}
        for some in (silent, [code for code in hints if code not in silent]):
            leads: dict[int, list[Said]] = {}
            for code in some:
                found_here, passing = self.leads(aheads[code], (*hints[code].said, *always), work)
                if self.foresight.work > work:
                    self.cut = True
                    return found
                leads[code] = found_here
                if passing:
                    always[:] = [part for part in always if part[0] or part[1] not in passing]
                    kept = [part for part in hints[code].said if part[0] or part[1] not in passing]
                    hints[code] = self.hint(code, kept, aheads[code], hints[code].given)
            found |= leads
        return found

    def of(self, code: int) -> Hint:
        """What one option changes."""
        ahead = self.foresight.of(code)
        at_once = self.said(ahead)
        said = self.with_certain(at_once, ahead, self.foresight.work + DEEPEST)
        work = self.foresight.work + NEARER
        leads, passing = self.leads(ahead, said, work)
        said = [part for part in said if part[0] or part[1] not in passing]
        said = self.lasting(said, at_once, ahead)
        return self.hint(code, said, ahead, self.held_out(code, ahead) + self.declined(ahead, said, True, work) + leads)

    def hint(self, code: int, said: Sequence[Said], ahead: Ahead, given: Sequence[Said]) -> Hint:
        """This, said of an option."""
        own = frozenset((*said, *given)) & self.mine
        amounts = tuple((one, *self.amounts[one[1]]) for one in dict.fromkeys((*said, *given)) if one in own and one[1] in self.amounts)
        texts, printed = self.texts(code)
        every, more = frozenset(text for _, text in (*said, *given)), self.more(ahead, said)
        return Hint(tuple(said), texts, more, own, tuple(given), amounts, printed, every & self.nexts, every & self.outcomes)

    def is_next(self, code: int, ahead: Ahead) -> bool:
        """Whether it matters at once what the others do next: one does nothing oneself, or they are asked to answer what one does, and not
        for what they do when that is over."""
        if ahead.decision is None:
            return False
        answering = ahead.decision.key != self.decision.key and self.foresight.within(ahead) and self.foresight.left(ahead) is None
        return self.decision.option(code).declines or answering

    def passed_on(self, ahead: Ahead) -> bool:
        """Whether somebody else is asked the same next."""
        then = ahead.decision
        return then is not None and then.key == self.decision.key and then.seat != self.decision.seat

    def with_certain(self, said: list[Said], ahead: Ahead, work: int, only: set[Place] | None = None) -> list[Said]:
        """What is said of what comes of an option; and where this is nothing but who decides next, what comes in any case."""
        return list(dict.fromkeys((*said, *self.certain(ahead, work, only)))) if self.silent(said) else said

    def declined(self, ahead: Ahead, said: Sequence[Said], whole: bool, work: int) -> list[Said]:
        """What is said, behind that condition, of what comes if nobody else does anything, where it is not said anyway: what is one's own;
        `whole`: and what is others'. What is otherwise after all ways to go on from there is told as it is then, unless that takes more
        work."""
        further = self.foresight.declined(ahead)
        given = self.behind("foresee.declined", further, said, whole)
        if further is None or further.decision is None or further.decision.seat != self.decision.seat or not given:
            return given
        leads, passing = self.leads(further, (*said, *given), work)
        certain = [part for part in leads if part[0] in [self.teller.words.text(f"foresee.{word}") for word in ("surely", "chosen")]]
        surely = [(given[0][0], text) for _, text in certain]
        self.mine |= {one for one, part in zip(surely, certain) if part in self.mine}
        kept = [part for part in given if part[1] not in passing]
        return sorted(kept + surely, key=lambda part: part[1] in self.nexts)

    def held_out(self, code: int, ahead: Ahead) -> list[Said]:
        """What the things that an option chooses hold out, as things stand when what it does itself is done."""
        after = self.foresight.left(ahead) or (ahead.after if ahead.sure else None)
        if after is None:
            return []
        under = self.teller.words.text("foresee.now")
        return [(under, text) for text in self.outlook.of(code, after)]

    def leads(self, ahead: Ahead, said: Sequence[Said], work: int) -> tuple[list[Said], set[str]]:
        """What one's own next choices bring in what is being done now, where it is not said anyway: what is so at the end of all of them,
        how much more or less others have at least, or oneself less, and the most that one gets; nothing where finding out takes more
        work. And what would be said to be so at once, and is not at the end of any."""
        ways, unknown = self.ways(ahead, work)
        bounds = bounds_of(ways, self.by_how_much, self.own, lambda change: isinstance(change.type, Int))
        at_once = {change.place: change for change in self.worth.changed(self.worth.before, self.worth.read(ahead.after), ahead.after)}
        passing = {text for part, text in said if not part and (change := self.told_of.get(text)) is not None and ways
                   and not self.by_how_much(change) and change.place not in unknown
                   and all(change.place not in way or way[change.place].new != change.new for way in ways)}
        out: dict[Said, None] = {}
        known = {text for _, text in said}
        told = {(change.place, change.new) for text in known if (change := self.told_of.get(text)) is not None}
        for key, changes in (("foresee.surely", bounds.surely), ("foresee.least", bounds.least), ("foresee.leads", bounds.most)):
            under = self.teller.words.text(key)
            for change in changes:
                if changes is not bounds.most and change.place in at_once:
                    first = self.change(at_once[change.place])
                    if first not in known or change.new == at_once[change.place].new:
                        continue                                   # that has been told: it would seem to be told otherwise
                    passing.add(first)                             # it is more in the end, or less
                if changes is bounds.surely and (change.place, change.new) in told:
                    continue                                       # in other words
                if (text := self.change(change, changes is bounds.surely)) is not None and text not in known:
                    out[under, text] = None
                    known.add(text)
                    self.mine |= {(under, text)} if self.own(change) else set()
        surely, chosen = (self.teller.words.text(f"foresee.{word}") for word in ("surely", "chosen"))
        for some in bounds.either:
            texts = [self.change(change) for change in some]
            if all(texts) and not known & {*texts}:
                said_of = self.teller.words.text("foresee.either", said=[text for text in texts if text])
                out[chosen, said_of] = None
                self.mine |= {(chosen, said_of)} if all(map(self.own, some)) else set()
        for under, text in self.certain(ahead, work) if not ways else ():
            change = self.told_of.get(text)
            first = self.change(at_once[change.place]) if change is not None and change.place in at_once else None
            if text in known or change is not None and (change.place, change.new) in told or text in self.nexts:
                continue
            if first in known:
                passing.add(first)
            out[under or surely, text] = None
            self.mine |= {(under or surely, text)} if (under, text) in self.mine else set()
        return list(out), passing

    def ways(self, ahead: Ahead, work: int) -> tuple[list[dict[Place, Change]], set[Place]]:
        """How the values worth telling are otherwise when what is being done now ends, for each way to that; see `ends`. And those that may
        be unknown then, which are left out."""
        after = [(position, {place: raw for place, raw in self.worth.read(position).items()
                             if all(self.worth.same(world, place, raw) for world in worlds)})
                 for position, worlds in ends(self.foresight, ahead, work) or ()]
        unknown = {place for _, values in after for place in self.worth.before.keys() - values.keys()}
        return [{change.place: change for change in self.worth.changed(self.worth.before, values, then) if change.place not in unknown}
                for then, values in after], unknown

    def lasting(self, said: Sequence[Said], at_once: Sequence[Said], ahead: Ahead) -> list[Said]:
        """What is said of an option, without what one's next choices bring and is otherwise again when what is being done ends, if one way
        to that shows it. `at_once`: what the option itself brings, which is so whatever one does then."""
        told = {part[1]: change for part in said if not part[0] and part not in at_once
                and (change := self.told_of.get(part[1])) is not None and not self.by_how_much(change)}
        if not told or ahead.decision is None or ahead.decision.seat != self.decision.seat:
            return list(said)
        end = one_end(self.foresight, ahead)
        passing = {text for text, change in told.items() if (raw := self.worth.at(end, change.place)) is not COVER and raw != change.new}
        return [part for part in said if part[1] not in passing]

    def by_how_much(self, change: Change) -> bool:
        """Whether it is a number, and told as so much more or less: what its text only counts may be a loss."""
        key = f"worth.{change.name}"
        return isinstance(change.type, Int) and self.teller.words.has(key) and "change" in self.teller.words.spoken_of(key, ("change",))

    def behind(self, key: str, further: Ahead | None, said: Sequence[Said], whole: bool) -> list[Said]:
        """What is said of what comes on a condition, behind the text `key`: first what is one's own, and only that unless it is to be the
        `whole`; not what is `said` anyway."""
        if further is None:
            return []
        known, under = {text for _, text in said}, self.teller.words.text(key)
        lines = sorted(self.lines(further), key=lambda line: not line[1])
        self.mine |= {(under, text) for _, own, text in lines if own}
        return list(dict.fromkeys((under, text) for _, own, text in lines if (own or whole) and text not in known))

    def certain(self, ahead: Ahead, work: int, only: set[Place] | None = None) -> list[Said]:
        """What comes in any case, whatever one chooses next, as long as one is not asked the same again; nothing where finding out takes
        more work."""
        found: list[Said] | None = None
        seen: set[Place] = set()
        for further in self.foresight.further(ahead):
            if self.foresight.work > work:
                return []
            said = self.with_certain(self.said(further, only, seen if found is None else None), further, work, only)
            found = said if found is None else self.in_both(found, said)
            only = seen or only                                    # what nothing was said of after the first is not certain
            if not found:
                return []
        return found or []

    def in_both(self, one: Sequence[Said], other: Sequence[Said]) -> list[Said]:
        """What is said of both ways; and of what events count, where it is not the same number, that it is at least the smaller one."""
        out: dict[Said, None] = {}
        least = self.teller.words.text("foresee.least")
        fewest = {what: min(n, m) for _, text in one for _, same in other for what, n in self.counts(text) for that, m in self.counts(same)
                  if what == that}
        texts = {self.counted[text]: text for _, text in (*one, *other) if text in self.counted}
        for under, text in one:
            if (under, text) in other:
                out[under, text] = None
            elif under in ("", least):
                fewer = [texts[what, fewest[what]] for what, _ in self.counts(text) if what in fewest]
                for said in filter(None, (*fewer, self.nearer(text, other, least))):
                    out[least, said] = None
                    self.mine |= {(least, said)} if ("", text) in self.mine or (least, text) in self.mine else set()
        return list(out)

    def nearer(self, text: str, other: Sequence[Said], least: str) -> str | None:
        """Of a number that is told here and in the other way too, and rises in both or falls in both: the smaller step, in words."""
        change = self.told_of.get(text)
        if change is None or not self.by_how_much(change):
            return None
        for under, same in other:
            found = self.told_of.get(same)
            if found is None or under not in ("", least) or found.place != change.place:
                continue
            if (found.new > found.old) == (change.new > change.old):
                return self.change(min(found, change, key=lambda one: abs(one.new - one.old)))
        return None

    def counts(self, text: str) -> Iterator[tuple[object, int]]:
        """What the text of an event counts, and how many; nothing of other texts."""
        if text in self.counted:
            yield self.counted[text]
