"""The options of a question laid out in the lines that there are: one to a line with what each would change, side by side, in groups by
what they change, or, where even that is too much, by kind. What finds no room is named: no arrow goes without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os.path import commonprefix
from typing import NamedTuple

from .audience import Listeners
from .preview_lines import WHOLE, always, arrow, rows, said_of
from .question import Question, ShownOption, listed, ranges
from .text_columns import in_columns, in_slots, paragraph

NAMED = 12                           # columns of an option's text that stands beside its number in a group
FEW = 3                              # options of a kind from which on they stand for each other
TAIL = 34                            # columns of what options that begin alike end with, to stand side by side
LEAST = 2                            # lines for what options would change, however low the screen is
DENSER = (6, LEAST, 1)               # the same where something else needs the room
BEYOND = 3                           # lines more than one wishes, where all that options would change has room in them
SHARE = 4                            # of a list that is cut, one line in so many tells what the options would change
INDENT = "     "                     # under the number of an option


class Laid(NamedTuple):
    """Lines of options; how many are left out without a word of them; and whether nothing is."""

    lines: list[str]
    left: int = 0
    whole: bool = True


class Offer:
    """The options of a question in lines of a width."""

    def __init__(self, here: Listeners, question: Question, width: int = 0) -> None:
        self.here, self.question, self.width = here, question, width or here.width
        self.words = here.teller.words
        self.all = self.words.text("command.options")
        self.dots = "…" if here.voice.utf and not here.plain else "..."
        hints = [said_of(question, one) for one in question.choices]
        self.said = bool(question.always) or any(hint.parts for hint in hints)
        self.unsure = self.said and not question.always and not any(hint.said for hint in hints)      # nothing of it is certain
        self.texts = any(hint.texts or hint.printed for hint in hints)

    def columns(self, texts: list[str]) -> list[str]:
        """Side by side, but where lines are read aloud."""
        return in_columns(texts, 0 if self.here.plain and self.here.voice.terminal else self.width)

    def close(self) -> list[str]:
        """The options as close together as they can stand."""
        shown = [one.shown for one in self.question.choices]
        return self.columns(shown) if self.here.plain else in_slots(shown, self.width)

    def all_told(self) -> list[str]:
        """All options with all that is said of them."""
        if self.said or self.texts:
            return list(rows(self.here, self.question, True, self.width))
        return self.columns([one.shown for one in self.question.choices])

    def laid(self, wish: int, most: int, least: int = LEAST) -> Laid:
        """All options in the lines one wishes, as far as they can be told in them; nothing is left out as long as that fits into `most`.
        `least`: lines for what they would change, even where one wishes fewer.
        Where it would take long to find out what they change, a last line says how to see it of one, if it pushes out no option."""
        found, word = self.in_lines(wish, most, least), self.of_one()
        return found._replace(lines=found.lines + word) if not found.left and len(found.lines) + len(word) <= max(wish, most) else found

    def of_one(self) -> list[str]:
        """How to see what the options would change, where that takes too long to tell unasked."""
        if not self.question.untold or len(self.question.choices) < FEW and not self.question.hints:
            return []
        if self.question.hints and not self.question.asked:
            return paragraph(self.words.text("prompt.changes.further", all=self.all), self.width)
        first = f"{self.words.text('command.try')} {self.question.choices[0].token}"
        return paragraph(self.words.text("prompt.changes.one", one=first), self.width)

    def tighter(self) -> Iterator[Laid]:
        """All options in fewer lines, for what else needs room: as close together as they can stand, with less and less of what they would
        change, and a word how to see it."""
        lines = min([self.columns(listed(self.question.choices)), self.alike(), self.close()], key=len)
        for most in DENSER if self.said else ():
            told = self.in_groups(most)
            yield Laid(lines + told.lines, 0, told.whole and not self.texts)
        if not self.said:
            yield Laid(lines, 0, not self.texts)

    def in_lines(self, wish: int, most: int, least: int) -> Laid:
        for lines in self.in_full():
            if len(lines) <= wish:
                return Laid(lines)
        lines = self.in_brief()
        if lines and len(lines) <= wish:
            return Laid(lines, 0, False)
        sides = [self.columns(listed(self.question.choices)), self.alike()]
        sides += [self.close()] if max(wish, most) < min(map(len, sides)) else []
        for room in (wish, most):
            for lines in sides:
                if found := self.with_groups(lines, wish, room, most, least):
                    return found
        for lines in sides if self.unsure else ():
            if len(lines) <= most:                                 # what may come leaves out no option
                return Laid(lines, 0, False)
        wide = max(wish, most)                                     # rather close together than some left out
        return self.with_groups(self.close(), wish, wide, most, least) or self.shortened(wide)

    def with_groups(self, lines: list[str], wish: int, room: int, most: int, least: int) -> Laid | None:
        """These lines of options, and below them what they would change, if all that has room; see `in_lines`."""
        told = self.in_groups(max(wish - len(lines), least)) if least else Laid([], 0, False)
        more = least and not told.whole and not self.unsure
        whole = self.in_groups(max(wish - len(lines), least) + BEYOND) if more else told
        if whole.whole and len(lines) + len(whole.lines) <= min(room + BEYOND, most):
            told = whole
        if len(lines) + len(told.lines) <= (min(room + BEYOND, most) if told is whole else room):
            return Laid(lines + told.lines, 0, told.whole and not self.texts)
        return None

    def in_full(self) -> Iterator[list[str]]:
        """The forms that tell beside each option what it would change, the longest first."""
        if not self.said and not self.texts:
            return
        yield self.all_told()
        more = paragraph(self.words.text("prompt.texts", all=self.all), self.width) if self.texts else []
        if self.said:
            yield [*rows(self.here, self.question, False, self.width), *more]
            yield [line.replace(WHOLE, " ") for line in always(self.here, self.question, self.width) + self.columns(
                [f"{one.token:>3}  {one.text}" + (f" {arrow(self.here)}{WHOLE}{hint.line}" if hint.parts else "")
                 for one in self.question.choices for hint in [said_of(self.question, one)]])] + more
        else:
            yield [*self.columns(listed(self.question.choices)), *more]

    def in_brief(self) -> list[str]:
        """The same without who decides next, which leaves room for the rest; nothing where that is not said of any option."""
        if not any(hint.nexts for hint in self.question.hints.values()):
            return []
        return [*rows(self.here, self.question, False, self.width, brief=True), *self.dotted()]

    def dotted(self) -> list[str]:
        """How to see what is left out where dots stand."""
        return paragraph(self.words.text("prompt.changes.more", all=self.all), self.width)

    # ------------------------------------------------------------ what options change, by what they change

    def in_groups(self, most: int) -> Laid:
        """What the options would change, in at most so many lines, and one at least: those that bring the same stand together; else what
        each brings stands by itself, if all of it has room, for who sees a part takes it for all. First what brings most to oneself. Of
        what has no room even so, all stand there without who decides next; else the first of the groups, and a last line says how to see
        what the others bring."""
        if not self.said:
            return Laid([])
        before = always(self.here, self.question, self.width)
        hints = {one.token: said_of(self.question, one) for one in self.question.choices}
        whole = self.groups(lambda one: [(hints[one.token].line, bool(hints[one.token].own), hints[one.token].brought())])
        parted = self.groups(lambda one: [(f"{under}: {said}" if under else said, (under, said) in hints[one.token].own,
                                           hints[one.token].brought({(under, said)})) for under, said in hints[one.token].told])
        for form in (whole, parted):
            lines = [line for said, some in form for line in self.group(said, some)]
            if len(before) + len(lines) <= most:
                return Laid(before + lines)
        brief = self.groups(lambda one: [(hints[one.token].brief.line, bool(hints[one.token].own), hints[one.token].brought())])
        lines = [*(line for said, some in brief if said for line in self.group(said, some)), *self.dotted()]
        if len(before) + len(lines) <= most and any(hint.nexts for hint in hints.values()):
            return Laid(before + lines, 0, False)
        others = paragraph(self.words.text("prompt.changes.others", all=self.all), self.width)
        out = [*before] if len(before) + len(others) < most else []       # that comes whatever is chosen: it goes before the rest
        for said, some in whole:
            lines = self.group(said, some)
            if len(out) + len(lines) + len(others) > most:
                break
            out += lines
        return Laid(out + others if out else paragraph(self.words.text("prompt.changes", all=self.all), self.width), 0, False)

    def groups(self, said: Callable[[ShownOption], list[tuple[str, bool, tuple[int, ...]]]]) -> list[tuple[str, list[ShownOption]]]:
        """The options by what is said of them, each with whether that is one's own and how much it brings: one's own first, what brings
        most before the rest, and of what brings the same that last which comes of most options, if of many."""
        found: dict[str, list[ShownOption]] = {}
        order: dict[str, tuple[bool, tuple[int, ...]]] = {}
        for one in self.question.choices:
            for text, mine, brought in said(one):
                if text := text.removesuffix("."):
                    found.setdefault(text, []).append(one)
                    order[text] = min(order.get(text, (True, brought)), (not mine, brought))
        most = max(map(len, found.values()), default=0)
        return sorted(found.items(), key=lambda group: (*order[group[0]], len(group[1]) == most and most > FEW))

    def group(self, said: str, some: Sequence[ShownOption]) -> list[str]:
        """Options that bring the same, with their names where these are short, and what that is."""
        named = ", ".join(f"{one.token} {one.text}" for one in some)
        numbers = ranges([one.token for one in some])
        short = all(len(one.text) <= NAMED for one in some)
        lines = [f"  {text}  {arrow(self.here)} {said}" for text in ([named, numbers] if short else [numbers])]
        return next(([line] for line in lines if len(line) <= self.width), paragraph(lines[0], self.width, "   "))

    # ------------------------------------------------------------ shorter lists

    def alike(self) -> list[str]:
        """The options, those in a row that begin alike in one paragraph: how they begin, and what each ends with behind its number."""
        found: list[list[ShownOption]] = []
        for one in self.question.choices:
            some = [*found[-1], one] if found and found[-1][0].option.entry == one.option.entry else []
            if some and (head := beginning(some)) and all(len(other.text) - len(head) <= TAIL for other in some):
                found[-1].append(one)
            else:
                found.append([one])
        if self.here.plain or all(len(some) < FEW for some in found):
            return self.columns(listed(self.question.choices))
        out: list[str] = []
        single: list[str] = []
        for some in found:
            if len(some) < FEW:
                single += [one.shown for one in some]
                continue
            out, single = out + self.columns(single), []
            head = beginning(some)
            ends = "  ".join(f"[{one.token}]{WHOLE}{one.text[len(head):].replace(' ', WHOLE)}" for one in some)
            out += [line.replace(WHOLE, " ") for line in paragraph(f"{INDENT}{head}{self.dots} {ends}", self.width, "  ")]
        return out + self.columns(single)

    def shortened(self, most: int) -> Laid:
        """Options in too few lines: of those of a kind what they begin with, those of the largest kinds first, else as many as there is
        room for, first what no place on a map tells, then what brings most, then what would change something."""
        kinds: dict[tuple[str | None, bool], list[ShownOption]] = {}
        for one in self.question.choices:
            kinds.setdefault((one.option.entry, one.option.declines), []).append(one)
        told, _, known = self.in_groups(max(LEAST, most // SHARE))
        folding = sorted((some for some in kinds.values() if len(some) >= FEW and beginning(some)), key=len, reverse=True)
        more = paragraph(self.words.text("prompt.kinds", all=self.all), self.width) if known else []
        for many in range(1, len(folding) + 1) if len(kinds) > 1 else ():
            parts = [part for some in kinds.values() for part in (
                [(ranges([one.token for one in some]), beginning(some) + self.dots)] if some in folding[:many]
                else [(one.token, one.text) for one in some])]
            wide = max(3, *(len(number) for number, _ in parts))
            lines = self.columns([f"{number:>{wide}}  {text}" for number, text in parts]) + more
            if len(lines) + len(told) <= most:
                return Laid(lines + told, 0, False)
        placed = {one.option.code for one in self.question.at(set(self.question.targets))}
        hints = {one.option.code: said_of(self.question, one) for one in self.question.choices}
        ranked = sorted(self.question.choices, key=lambda one: (
            one.option.code in placed, not (hint := hints[one.option.code]).parts, not hint.own, hint.brought()))
        for many in range(len(ranked) - 1, 0, -1):
            kept = {one.option.code for one in ranked[:many]}
            lines = self.columns(listed([one for one in self.question.choices if one.option.code in kept]))
            if len(lines) + len(told) < most:                      # one line says how many are left out
                return Laid(lines + told, len(ranked) - many, False)
        return Laid(told, len(ranked), False)


def beginning(some: Sequence[ShownOption]) -> str:
    """The words that all these begin with, up to a blank; nothing where one of them says no more."""
    head = commonprefix([one.text for one in some])
    return head[: head.rfind(" ") + 1]
