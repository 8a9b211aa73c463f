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

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...dsl.model.model import Enumeration
from ...dsl.values.types import Bool, Int, Maybe, Of, Type
from ..drawing.look import look_of
from ..position.midst import Midst
from ..position.options import things_in
from ..position.position import Decision, Game, Position, Told
from ..position.view import in_sight
from ..telling.headings import headings
from ..telling.owners import Owners
from ..telling.teller import Slots, Teller
from ..words.fields import fields
from ..words.template import capital
from .ahead import Ahead, Foresight, Part, known
from .leading import bounds_of, ends
from .next import said_next
from .outlook import Outlook
from .worth import Change, Place, Worth

MANY = 80                            # with more options than this, what they change is told of one when asked;
WORK = 480                           # so too where it takes more steps of the game to find out
ASKED = 8                            # who asks for it waits so many times as long


MORE = " …"                          # behind what is said of a later part of the course of which not all is known
DEEP = 400                           # steps of the game for what is certain of an option whatever one chooses next, of all options together
DEEPEST = 2400                       # and of one that is asked about
NEAR = 250                           # steps for what options may lead to at most, of all together
NEARER = 8000                        # and of one that is asked about
VALUES = 8                           # of so many values of a game it is compared how much options bring of them
SHORT = 60                           # characters of what an option may lead to that stand beside it
Said = tuple[str, str]               # the later part of the course that something belongs to ("": the option itself), and what is said


@dataclass(frozen=True)
class Hint:
    """What an option would change, and the texts of the things that it chooses."""

    said: tuple[Said, ...]
    texts: tuple[str, ...]
    more: bool = False                                             # of the last part there is more, which cannot be known
    own: frozenset[Said] = frozenset()                             # what of it is about the one who decides, or about something of theirs
    given: tuple[Said, ...] = ()                                   # what comes of it on a condition, which stands for the part
    amounts: tuple[tuple[Said, int, int], ...] = ()                # what of it tells of one's own by how much: of which value, how much
    printed: tuple[str, ...] = ()                                  # texts of what is printed on things that have none
    nexts: frozenset[str] = frozenset()                            # what of it says who decides next

    def brought(self, parts: Collection[Said] | None = None) -> tuple[int, ...]:
        """How much it brings to oneself, or only these parts of it, less for more: of the value that the game names first, of the second,
        and so on; of each what is certain, or else what comes on a condition."""
        found: list[dict[int, int]] = [{}, {}]
        for said, value, by in self.amounts:
            if parts is None or said in parts:
                some = found[said in self.given]
                some[value] = some.get(value, 0) - by
        every = found[1] | found[0]
        return tuple(every.get(value, 0) for value in range(VALUES))

    @property
    def brief(self) -> Hint:
        """The same without who decides next, who will be asked anyway: that there is more shows."""
        return replace(self, said=tuple(part for part in self.said if part[1] not in self.nexts),
                       given=tuple(part for part in self.given if part[1] not in self.nexts), more=self.more or bool(self.nexts))

    @property
    def told(self) -> tuple[Said, ...]:
        """All that is said, also on a condition."""
        return self.said + self.given

    @property
    def surely(self) -> tuple[str, ...]:
        """What comes of it in any case, part by part; of a later part of the course all in one, behind its name."""
        return *(said for under, said in self.said if not under), *together(self.said)

    @property
    def perhaps(self) -> tuple[str, ...]:
        """What comes of it on a condition, behind that."""
        return tuple(together(self.given))

    @property
    def parts(self) -> tuple[str, ...]:
        return *self.surely, *self.perhaps

    @property
    def line(self) -> str:
        """All of it in one line."""
        own = joined([said for under, said in self.said if not under])
        line = "; ".join(filter(None, (own, *together(self.said))))
        return "; ".join(filter(None, (f"{line}{MORE}" if line and self.more else line, *self.perhaps)))


def together(said: Iterable[Said]) -> Iterator[str]:
    """What belongs to later parts of the course, all of one behind its name."""
    return (f"{under}: {joined(parts)}" for under, parts in later(said).items())


def later(said: Iterable[Said]) -> dict[str, list[str]]:
    """What belongs to later parts of the course, by their names."""
    found: dict[str, list[str]] = {}
    for under, one in said:
        if under:
            found.setdefault(under, []).append(one)
    return found


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


def worded(game: Game, change: Change, more: bool = False) -> tuple[str, Slots, dict[str, str | int]]:
    """Of a value that is otherwise than before: which of its texts tells it (`less`, `none`, `not`, "" for the first; `more` only where
    there is one), and what that may name: values of the rules, and words."""
    found = change.type
    slots: Slots = {name: (Of(domain), n) for name, (domain, n) in zip(("it", "at"), change.about)}
    slots |= {"old": (found, change.old), "new": (found, change.new)}
    if isinstance(found, Int):
        by = change.new - change.old
        kind = "none" if not change.new else "less" if by < 0 else "more" if more and change.old > 0 else ""
        return kind, slots, {"change": f"{by:+}", "by": abs(by), "n": abs(by)}
    if isinstance(found, Bool):
        return "" if change.new else "not", slots, {}
    if isinstance(found, Maybe):
        return "" if game.codec(found).size(change.new) else "none", slots, {}
    return "", slots, {}


def in_front(position: Position) -> list[int]:
    """The seats that are first in the standing; none where that rests on what is covered: a tie may, and not what comes before it."""
    left = list(range(position.game.players))
    for value in position.game.module.standing:
        try:
            values = [int(value(position.s, seat)) for seat in left]
        except Exception:                                          # what Python makes of a cover
            return []
        left = [seat for seat, found in zip(left, values) if found == max(values)]
        if len(left) == 1:
            break
    return left


class Hints:
    """What the options of one decision would change, for the one who decides."""

    def __init__(self, decision: Decision, teller: Teller, auto: bool = True, alone: int | None = None) -> None:
        self.decision, self.teller = decision, teller.at(decision.position)
        self.foresight = Foresight(decision, auto, alone)
        self.around = headings(Midst(0, self.foresight.part), teller)
        self.owners = Owners(teller.game)
        self.outlook = Outlook(decision, teller)
        self.names: dict[Part, str] = {}                           # of later parts of the course
        self.mine: set[Said] = set()                               # what was said of one's own
        self.nexts: set[str] = set()                               # what was said of who decides next
        self.amounts: dict[str, tuple[int, int]] = {}              # by text, of which value it tells how much more one has of it
        self.told_of: dict[str, Change] = {}                       # by text, the value that it tells of
        self.counted: dict[str, tuple[object, int]] = {}           # by text of an event, what it counts, and how many of it
        self.cut = False                                           # whether something was left out because it takes long
        self.numbered = bool(teller.game.numbered)                 # whether what a thing is called depends on the position
        self.heard: dict[object, tuple[bool, str]] = {}            # what was said of events
        self.worded: dict[object, str | None] = {}                 # and of values
        names = look_of(teller.game).worth
        self.declared = names is not None
        asked = [one.name for one in names or [] if one.told_at(decision.key)]
        self.worth = Worth(asked, self.foresight.start, decision.seat)     # what is reckoned there is known in each copy

    def all(self, asked: bool = False) -> tuple[dict[int, Hint], list[Said]]:
        """By code, what each option changes; and what happens whatever is chosen. Of too many options nothing is said, nor where it would
        take long: steps are counted, so that it is the same each time and on every machine. `asked`: it may take longer. Where something
        is left out, it is `cut`."""
        times = ASKED if asked else 1
        codes = list(self.decision.codes)
        if len(codes) > MANY:
            return {}, []
        aheads: dict[int, Ahead] = {}
        for code in codes:
            aheads[code] = self.foresight.of(code)
            if self.foresight.work > WORK * times:
                self.cut = True
                return {}, []
        found = {code: self.said(ahead) for code, ahead in aheads.items()}
        sure = {}
        left, last = self.foresight.work + DEEP * times, self.foresight.work + (DEEP + NEAR) * times
        for code, said in found.items():
            sure[code] = self.with_certain(said, aheads[code], left)
            if self.foresight.work > left:
                self.cut, sure = True, found                       # told of each option, or of none
                break
        always = [part for part in sure[codes[0]] if len(codes) > 1 and all(part in said for said in sure.values())]
        hints: dict[int, Hint] = {}
        for code, parts in sure.items():
            near, whole = self.is_next(code, aheads[code]) and self.foresight.work < left, not self.decision.option(code).declines
            given = self.held_out(code, aheads[code]) + (self.declined(aheads[code], found[code], whole, left) if near else [])
            hints[code] = self.hint(code, [part for part in parts if part not in always], aheads[code], given)
        leads = self.leads_of(hints, aheads, [code for code in codes if self.silent(sure[code]) and not hints[code].given], always, last)
        surely = self.teller.words.text("foresee.surely")
        if len(codes) > 1 and leads.keys() == set(codes):
            common = [part for part in leads[codes[0]] if part[0] == surely and all(part in said for said in leads.values())]
            always += [("", said) for _, said in common]
            leads = {code: [part for part in said if part not in common] for code, said in leads.items()}
        for code, more in leads.items():
            short = [one for n, one in enumerate(more) if asked or len(joined([said for _, said in more[: n + 1]])) <= SHORT]
            self.cut = self.cut or len(short) < len(more)
            if short:
                hints[code] = self.hint(code, hints[code].said, aheads[code], (*hints[code].given, *short))
        return hints, always

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
                    always[:] = [part for part in always if part[1] not in passing]
                    kept = [part for part in hints[code].said if part[1] not in passing]
                    hints[code] = self.hint(code, kept, aheads[code], hints[code].given)
            found |= leads
        return found

    def of(self, code: int) -> Hint:
        """What one option changes."""
        ahead = self.foresight.of(code)
        said = self.with_certain(self.said(ahead), ahead, self.foresight.work + DEEPEST)
        work = self.foresight.work + NEARER
        leads, passing = self.leads(ahead, said, work)
        said = [part for part in said if part[1] not in passing]
        return self.hint(code, said, ahead, self.held_out(code, ahead) + self.declined(ahead, said, True, work) + leads)

    def hint(self, code: int, said: Sequence[Said], ahead: Ahead, given: Sequence[Said]) -> Hint:
        """This, said of an option."""
        own = frozenset((*said, *given)) & self.mine
        amounts = tuple((one, *self.amounts[one[1]]) for one in dict.fromkeys((*said, *given)) if one in own and one[1] in self.amounts)
        texts, printed = self.texts(code)
        nexts = frozenset(text for _, text in (*said, *given)) & self.nexts
        return Hint(tuple(said), texts, self.more(ahead, said), own, tuple(given), amounts, printed, nexts)

    def is_next(self, code: int, ahead: Ahead) -> bool:
        """Whether it matters at once what the others do next: one does nothing oneself, or they are asked to answer what one does, and not
        for what they do when that is over."""
        if ahead.decision is None:
            return False
        answering = ahead.decision.key != self.decision.key and self.foresight.within(ahead) and self.foresight.left(ahead) is None
        return self.decision.option(code).declines or answering

    # ------------------------------------------------------------ parts of a line

    def said(self, ahead: Ahead, only: set[Place] | None = None, seen: set[Place] | None = None) -> list[Said]:
        """All that is said of what comes of an option, in its order; of values `only` those of these places are looked at, and what has
        changed is noted in `seen`."""
        return list(dict.fromkeys((under, said) for under, _, said in self.lines(ahead, only, seen)))

    def silent(self, said: Iterable[Said]) -> bool:
        """Whether this says nothing but who decides next."""
        return all(one in self.nexts for _, one in said)

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
        certain = [part for part in leads if part[0] == self.teller.words.text("foresee.surely")]
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
        bounds = bounds_of(ways, self.by_how_much, self.own)
        at_once = {change.place: change for change in self.worth.changed(self.worth.before, self.worth.read(ahead.after), ahead.after)}
        passing = {text for _, text in said if (change := self.told_of.get(text)) is not None and ways and not self.by_how_much(change)
                   and change.place not in unknown
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
        surely = self.teller.words.text("foresee.surely")
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
        after = [(position, self.worth.read(position)) for position in ends(self.foresight, ahead, work) or ()]
        unknown = {place for _, values in after for place in self.worth.before.keys() - values.keys()}
        return [{change.place: change for change in self.worth.changed(self.worth.before, values, then) if change.place not in unknown}
                for then, values in after], unknown

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

    def lines(self, ahead: Ahead, only: set[Place] | None = None, seen: set[Place] | None = None) -> list[tuple[str, bool, str]]:
        """The same, each with whether it is of one's own."""
        stages = self.stages(ahead)
        changes = self.worth.changes(ahead, [stage for _, stage in stages[:-1]], only)
        if seen is not None:
            seen.update(change.place for found in changes for change in found)
        told: dict[str, list[Told]] = {under: [] for under, _ in stages}
        for event in ahead.told:
            told.setdefault(self.under(event.midst.calls), []).append(event)
        found: list[tuple[str, list[tuple[bool, str]]]] = [("", self.events(told.get("", [])))]
        for under, changed in zip((under for under, _ in stages), changes):
            found.append((under, self.events(told[under])))
            found.append((under, [(self.own(change), said) for change in changed if not self.told_already(change, told[under])
                                  and (said := self.change(change, bool(under))) is not None]))
        found += [(under, self.events(events)) for under, events in told.items()]
        lines = [(under, own, said) for under, some in found for own, said in some]
        places = {under: n for n, under in reversed([*enumerate(under for under, _ in found)])}
        lines.sort(key=lambda line: (places[line[0]], not line[1]))    # what is one's own before what is others', part by part
        if ahead.over:
            lines += [("", True, said) for said in self.end(ahead)]
        elif ahead.decision is not None:
            nexts = said_next(self.teller, self.decision, ahead.decision)
            for others in self.foresight.asked_in_turn(ahead) if nexts else ():
                first, *more = (said_next(self.teller, self.decision, one) for one in others)
                nexts += [said for said in first if said not in nexts and all(said in other for other in more)]
            lines += [("", False, said) for said in nexts]
            self.nexts |= {*nexts}
        self.mine |= {(under, said) for under, own, said in lines if own}
        return lines

    def more(self, ahead: Ahead, said: Sequence[Said]) -> bool:
        """Whether the last that is said of an option comes from a later part of the course in whose middle all knowledge ends."""
        return not ahead.sure and bool(said) and said[-1][0] == self.under(ahead.part) != ""

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
                for what, _ in self.counts(text):
                    if what in fewest:
                        said = least, texts[what, fewest[what]]
                        out[said] = None
                        self.mine |= {said} if ("", text) in self.mine or (least, text) in self.mine else set()
        return list(out)

    def counts(self, text: str) -> Iterator[tuple[object, int]]:
        """What the text of an event counts, and how many; nothing of other texts."""
        if text in self.counted:
            yield self.counted[text]

    def stages(self, ahead: Ahead) -> list[tuple[str, Position]]:
        """The parts of the course that an option leads through, by name ("": that in which it is chosen, and what belongs to it), each with
        the position at its end."""
        out: list[tuple[str, Position]] = []
        for part, after in (*ahead.marks, (ahead.part, ahead.after)):
            name = self.under(part) or (out[-1][0] if out else "")
            if out and out[-1][0] == name:
                out.pop()
            out.append((name, after))
        return out

    def under(self, part: Part) -> str:
        """The name of a later part of the course; "" of the one in which is decided, of what lies in it and of what it lies in."""
        if part not in self.names:
            under = headings(Midst(0, part), self.teller)
            self.names[part] = "" if all(one == other for one, other in zip(self.around, under)) else under[-1]
        return self.names[part]

    def events(self, events: Iterable[Told]) -> list[tuple[bool, str]]:
        """What events say, each with whether it is of one's own; of those that say the same of some number, how many it is in all."""
        found: dict[tuple[str, tuple[tuple[str, object], ...]], tuple[Told, int]] = {}
        for told in events:
            key = self.teller.find([f"short.{told.key}"])
            if key is None:
                said = self.teller.told(told) if not self.declared and self.teller.find([f"event.{told.key}"]) else None
                if said:
                    found.setdefault((said, ()), (told, 0))
                continue
            spoken = self.teller.words.spoken_of(key, (name for name, _, _ in told.slots if name != "n"))
            named = tuple((name, raw) for name, _, raw in told.slots if name in spoken)
            _, n = found.get((key, named), (told, 0))
            found[key, named] = told, n + next((raw for name, kind, raw in told.slots if name == "n" and isinstance(kind, Int)), 0)
        out: list[tuple[bool, str]] = []
        for (key, named), (told, n) in found.items():
            slots: Slots = {name: (kind, raw) for name, kind, raw in told.slots}
            if "n" in slots and isinstance(slots["n"][0], Int):
                slots["n"] = slots["n"][0], n
            own, text = self.event(key, slots, told)
            if isinstance(slots.get("n", (None,))[0], Int):
                self.counted[text] = (key, named), n
            out.append((own, text))
        return out

    def event(self, key: str, slots: Slots, told: Told) -> tuple[bool, str]:
        """Whether an event is of one's own, and what it says; the same comes of many ways to go on."""
        same = key, tuple((name, raw) for name, (_, raw) in slots.items()), self.numbered and id(told)
        if same not in self.heard:
            own = any(self.owners.owner(kind, raw, self.decision.position) == self.decision.seat for kind, raw in slots.values())
            self.heard[same] = own, self.teller.at(told.numbers).sentence(key, slots) if key.startswith("short.") else key
        return self.heard[same]

    def own(self, change: Change) -> bool:
        """Whether a change is about the one who decides, or about something of theirs."""
        slots: list[tuple[Type, object]] = [(Of(domain), n) for domain, n in change.about]
        slots += [(change.type, change.old), (change.type, change.new)]
        return any(self.owners.owner(kind, raw, self.decision.position) == self.decision.seat for kind, raw in slots)

    def told_already(self, change: Change, events: Iterable[Told]) -> bool:
        """Whether events say it: of the same thing, that there is so much less."""
        if not isinstance(change.type, Int) or change.new >= change.old or not change.about:
            return False
        (domain, it), *_ = change.about
        said = 0
        for told in events:
            slots = {name: (kind, raw) for name, kind, raw in told.slots}
            about = any(isinstance(kind, Of) and (kind.name, raw) == (domain, it) for kind, raw in slots.values())
            if about and "n" in slots and self.teller.find([f"short.{told.key}"]) is not None:
                said += slots["n"][1]
        return bool(said == change.old - change.new)

    def change(self, change: Change, later: bool = False) -> str | None:
        """A value that is otherwise than before."""
        same = change.place, change.old, change.new, later, self.numbered and id(change.then)
        if same not in self.worded:
            self.worded[same] = self.changed(change, later)
        return self.worded[same]

    def changed(self, change: Change, later: bool) -> str | None:
        teller, found = self.teller, change.type
        usual = f"worth.{change.name}"
        kind, slots, more = worded(teller.game, change, not later and teller.words.has(f"{usual}.more"))
        key = special if kind and teller.words.has(special := f"worth.{change.name}.{kind}") else usual if teller.words.has(usual) else None
        if key is None or key == usual and kind and not isinstance(found, Int) or later and key != usual:
            return None
        text = teller.at(self.decision.position, change.then).sentence(key, slots, None, self.decision.seat, **more)
        self.told_of[text] = change
        if isinstance(found, Int) and self.own(change) and teller.words.spoken_of(key, ("change",)):
            self.amounts[text] = change.place[0], change.new - change.old
        return text

    def asked(self, ahead: Ahead) -> str | None:
        """The question that comes then, where the one who decides knows it and all that it names."""
        decision = ahead.decision
        if decision is None or decision.kind.secret and decision.seat != self.decision.seat:
            return None
        if not all(known(raw) for _, raw in in_sight(decision).values()):
            return None
        try:
            return self.teller.ask(decision)
        except Exception:                                          # it names what rests on something covered
            return None

    def end(self, ahead: Ahead) -> Iterable[str]:
        """That it ends, and who has won where that does not rest on what is covered."""
        words, first = self.teller.words, in_front(ahead.after)
        who = [self.teller.who(seat) for seat in first]
        if not who:
            yield words.text("play.over")
        elif len(who) == 1:
            yield words.text("foresee.winner", who=who[0])
        else:
            yield words.text("result.drawn") if len(who) == self.teller.game.players else words.text("result.shared", who=who)

    # ------------------------------------------------------------ texts of things

    def texts(self, code: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The texts of the things that an option chooses; and of those without one, the text of what is printed on them, where only one
        thing there has a text."""
        model, own, printed = self.teller.game.model, [], []
        for domain, n in things_in(self.teller.game.codecs, self.decision.option(code).values):
            enum = model.enum_of(domain)
            if enum is None or enum.kind in ("player", "cells", "corners", "open"):
                continue
            if (text := self.text(enum, n)) is not None:
                own.append(text)
            elif len(found := list(self.printed(enum, n))) == 1:
                printed += found
        return tuple(own), tuple(printed)

    def text(self, enum: Enumeration, n: int) -> str | None:
        """The text of a thing."""
        key = f"{enum.name}.{(member := enum.called(n))}.text"
        return self.teller.words.text(key, **fields(self.teller.game.model, enum.name, member)) if self.teller.words.has(key) else None

    def printed(self, enum: Enumeration, n: int) -> Iterator[str]:
        """The texts of the things that are printed on a thing: of a place, the text of the action that it belongs to."""
        for attribute, kind in enum.attributes.items():
            other = self.teller.game.model.enum_of(kind.name) if isinstance(kind, Of) else None
            if other is not None and other.kind in ("enum", "pieces") and (text := self.text(other, enum.values[attribute][n])) is not None:
                yield text
