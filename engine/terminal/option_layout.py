"""The options of a question laid out in the lines that there are: one to a line with what each would change, side by side, in groups by
what they change, or, where even that is too much, by kind. What finds no room is named: no arrow goes without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os.path import commonprefix
from typing import NamedTuple

from .audience import ScreenAudience
from .preview_lines import NO_BREAK_SPACE, arrow_sign, common_preview_lines, preview_of, preview_rows
from .question import DecisionPrompt, PromptOption, format_option_list, format_ranges
from .text_columns import arrange_columns, arrange_slots, wrap_paragraph

MAX_INLINE_NAME = 12                           # columns of an option's text that stands beside its number in a group
MIN_GROUP_SIZE = 3                              # options of a kind from which on they stand for each other
MAX_SUFFIX_WIDTH = 34                            # columns of what options that begin alike end with, to stand side by side
MIN_PREVIEW_LINES = 2                            # lines for what options would change, however low the screen is
FALLBACK_PREVIEW_LINES = (6, MIN_PREVIEW_LINES, 1)               # the same where something else needs the room
PREVIEW_OVERFLOW_LINES = 3                           # lines more than one wishes, where all that options would change has room in them
PREVIEW_LINE_RATIO = 4                            # of a list that is cut, one line in so many tells what the options would change
INDENT = "     "                     # under the number of an option


class OptionLines(NamedTuple):
    """Lines of options; how many are left out without a word of them; and whether nothing is."""

    lines: list[str]
    left: int = 0
    whole: bool = True


class OptionLayout:
    """The options of a question in lines of a width."""

    def __init__(self, here: ScreenAudience, question: DecisionPrompt, width: int = 0) -> None:
        self.here, self.question, self.width = here, question, width or here.width
        self.words = here.teller.words
        self.all = self.words.text("command.options")
        self.dots = "…" if here.voice.utf and not here.plain else "..."
        hints = [preview_of(question, one) for one in question.choices]
        self.said = bool(question.always) or any(hint.all_texts for hint in hints)
        self.unsure = self.said and not question.always and not any(hint.said for hint in hints)      # nothing of it is certain
        self.texts = any(hint.texts or hint.printed for hint in hints)

    def option_columns(self, texts: list[str]) -> list[str]:
        """Side by side, but where lines are read aloud."""
        return arrange_columns(texts, 0 if self.here.plain and self.here.voice.terminal else self.width)

    def densest_lines(self) -> list[str]:
        """The options as close together as they can stand."""
        shown = [one.list_entry for one in self.question.choices]
        return self.option_columns(shown) if self.here.plain else arrange_slots(shown, self.width)

    def full_lines(self) -> list[str]:
        """All options with all that is said of them."""
        if self.said or self.texts:
            return list(preview_rows(self.here, self.question, True, self.width))
        return self.option_columns([one.list_entry for one in self.question.choices])

    def lay_out(self, wish: int, most: int, least: int = MIN_PREVIEW_LINES) -> OptionLines:
        """All options in the lines one wishes, as far as they can be told in them; nothing is left out as long as that fits into `most`.
        `least`: lines for what they would change, even where one wishes fewer.
        Where it would take long to find out what they change, a last line says how to see it of one, if it pushes out no option."""
        found, word = self.fit_lines(wish, most, least), self.on_demand_hint()
        return found._replace(lines=found.lines + word) if not found.left and len(found.lines) + len(word) <= max(wish, most) else found

    def on_demand_hint(self) -> list[str]:
        """How to see what the options would change, where that takes too long to tell unasked."""
        if not self.question.untold or len(self.question.choices) < MIN_GROUP_SIZE and not self.question.hints:
            return []
        if self.question.hints and not self.question.asked:
            return wrap_paragraph(self.words.text("prompt.changes.further", all=self.all), self.width)
        first = f"{self.words.text('command.try')} {self.question.choices[0].token}"
        return wrap_paragraph(self.words.text("prompt.changes.one", one=first), self.width)

    def iter_denser(self) -> Iterator[OptionLines]:
        """All options in fewer lines, for what else needs room: as close together as they can stand, with less and less of what they would
        change, and a word how to see it."""
        lines = min(
            [self.option_columns(format_option_list(self.question.choices)), self.common_prefix_lines(), self.densest_lines()], key=len
        )
        for most in FALLBACK_PREVIEW_LINES if self.said else ():
            told = self.preview_groups(most)
            yield OptionLines(lines + told.lines, 0, told.whole and not self.texts)
        if not self.said:
            yield OptionLines(lines, 0, not self.texts)

    def fit_lines(self, wish: int, most: int, least: int) -> OptionLines:
        for lines in self.iter_full_forms():
            if len(lines) <= wish:
                return OptionLines(lines)
        lines = self.brief_lines()
        if lines and len(lines) <= wish:
            return OptionLines(lines, 0, False)
        sides = [self.option_columns(format_option_list(self.question.choices)), self.common_prefix_lines()]
        sides += [self.densest_lines()] if max(wish, most) < min(map(len, sides)) else []
        for room in (wish, most):
            for lines in sides:
                if found := self.append_groups(lines, wish, room, most, least):
                    return found
        for lines in sides if self.unsure else ():
            if len(lines) <= most:                                 # what may come leaves out no option
                return OptionLines(lines, 0, False)
        wide = max(wish, most)                                     # rather close together than some left out
        return self.append_groups(self.densest_lines(), wish, wide, most, least) or self.truncate_options(wide)

    def append_groups(self, lines: list[str], wish: int, room: int, most: int, least: int) -> OptionLines | None:
        """These lines of options, and below them what they would change, if all that has room; see `in_lines`."""
        told = self.preview_groups(max(wish - len(lines), least)) if least else OptionLines([], 0, False)
        more = least and not told.whole and not self.unsure
        whole = self.preview_groups(max(wish - len(lines), least) + PREVIEW_OVERFLOW_LINES) if more else told
        if whole.whole and len(lines) + len(whole.lines) <= min(room + PREVIEW_OVERFLOW_LINES, most):
            told = whole
        if len(lines) + len(told.lines) <= (min(room + PREVIEW_OVERFLOW_LINES, most) if told is whole else room):
            return OptionLines(lines + told.lines, 0, told.whole and not self.texts)
        return None

    def iter_full_forms(self) -> Iterator[list[str]]:
        """The forms that tell beside each option what it would change, the longest first."""
        if not self.said and not self.texts:
            return
        yield self.full_lines()
        more = wrap_paragraph(self.words.text("prompt.texts", all=self.all), self.width) if self.texts else []
        if self.said:
            yield [*preview_rows(self.here, self.question, False, self.width), *more]
            yield [
                line.replace(NO_BREAK_SPACE, " ")
                for line in common_preview_lines(self.here, self.question, self.width)
                + self.option_columns(
                    [
                        f"{one.token:>3}  {one.text}" + (f" {arrow_sign(self.here)}{NO_BREAK_SPACE}{hint.line}" if hint.all_texts else "")
                        for one in self.question.choices
                        for hint in [preview_of(self.question, one)]
                    ]
                )
            ] + more
        else:
            yield [*self.option_columns(format_option_list(self.question.choices)), *more]

    def brief_lines(self) -> list[str]:
        """The same without who decides next, which leaves room for the rest; nothing where that is not said of any option."""
        if not any(hint.nexts for hint in self.question.hints.values()):
            return []
        return [*preview_rows(self.here, self.question, False, self.width, brief=True), *self.ellipsis_hint()]

    def ellipsis_hint(self) -> list[str]:
        """How to see what is left out where dots stand."""
        return wrap_paragraph(self.words.text("prompt.changes.more", all=self.all), self.width)

    # ------------------------------------------------------------ what options change, by what they change

    def preview_groups(self, most: int) -> OptionLines:
        """What the options would change, in at most so many lines, and one at least: those that bring the same stand together; else what
        each brings stands by itself, if all of it has room, for who sees a part takes it for all. First what brings most to oneself. Of
        what has no room even so, all stand there without who decides next; else the first of the groups, and a last line says how to see
        what the others bring."""
        if not self.said:
            return OptionLines([])
        before = common_preview_lines(self.here, self.question, self.width)
        hints = {one.token: preview_of(self.question, one) for one in self.question.choices}
        whole = self.group_options(lambda one: [(hints[one.token].line, bool(hints[one.token].own), hints[one.token].rank_gains())])
        parted = self.group_options(lambda one: [(f"{under}: {said}" if under else said, (under, said) in hints[one.token].own,
                                           hints[one.token].rank_gains({(under, said)})) for under, said in hints[one.token].all_lines])
        for form in (whole, parted):
            lines = [line for said, some in form for line in self.group_lines(said, some)]
            if len(before) + len(lines) <= most:
                return OptionLines(before + lines)
        brief = self.group_options(lambda one: [(hints[one.token].brief.line, bool(hints[one.token].own), hints[one.token].rank_gains())])
        lines = [*(line for said, some in brief if said for line in self.group_lines(said, some)), *self.ellipsis_hint()]
        if len(before) + len(lines) <= most and any(hint.nexts for hint in hints.values()):
            return OptionLines(before + lines, 0, False)
        others = wrap_paragraph(self.words.text("prompt.changes.others", all=self.all), self.width)
        out = [*before] if len(before) + len(others) < most else []       # that comes whatever is chosen: it goes before the rest
        for said, some in whole:
            lines = self.group_lines(said, some)
            if len(out) + len(lines) + len(others) > most:
                break
            out += lines
        return OptionLines(out + others if out else wrap_paragraph(self.words.text("prompt.changes", all=self.all), self.width), 0, False)

    def group_options(
        self, said: Callable[[PromptOption], list[tuple[str, bool, tuple[int, ...]]]]
    ) -> list[tuple[str, list[PromptOption]]]:
        """The options by what is said of them, each with whether that is one's own and how much it brings: one's own first, what brings
        most before the rest, and of what brings the same that last which comes of most options, if of many."""
        found: dict[str, list[PromptOption]] = {}
        order: dict[str, tuple[bool, tuple[int, ...]]] = {}
        for one in self.question.choices:
            for text, mine, brought in said(one):
                if text := text.removesuffix("."):
                    found.setdefault(text, []).append(one)
                    order[text] = min(order.get(text, (True, brought)), (not mine, brought))
        most = max(map(len, found.values()), default=0)
        return sorted(found.items(), key=lambda group: (*order[group[0]], len(group[1]) == most and most > MIN_GROUP_SIZE))

    def group_lines(self, said: str, some: Sequence[PromptOption]) -> list[str]:
        """Options that bring the same, with their names where these are short, and what that is."""
        named = ", ".join(f"{one.token} {one.text}" for one in some)
        numbers = format_ranges([one.token for one in some])
        short = all(len(one.text) <= MAX_INLINE_NAME for one in some)
        lines = [f"  {text}  {arrow_sign(self.here)} {said}" for text in ([named, numbers] if short else [numbers])]
        return next(([line] for line in lines if len(line) <= self.width), wrap_paragraph(lines[0], self.width, "   "))

    # ------------------------------------------------------------ shorter lists

    def common_prefix_lines(self) -> list[str]:
        """The options, those in a row that begin alike in one paragraph: how they begin, and what each ends with behind its number."""
        found: list[list[PromptOption]] = []
        for one in self.question.choices:
            some = [*found[-1], one] if found and found[-1][0].option.entry == one.option.entry else []
            if some and (head := common_prefix(some)) and all(len(other.text) - len(head) <= MAX_SUFFIX_WIDTH for other in some):
                found[-1].append(one)
            else:
                found.append([one])
        if self.here.plain or all(len(some) < MIN_GROUP_SIZE for some in found):
            return self.option_columns(format_option_list(self.question.choices))
        out: list[str] = []
        single: list[str] = []
        for some in found:
            if len(some) < MIN_GROUP_SIZE:
                single += [one.list_entry for one in some]
                continue
            out, single = out + self.option_columns(single), []
            head = common_prefix(some)
            ends = "  ".join(f"[{one.token}]{NO_BREAK_SPACE}{one.text[len(head):].replace(' ', NO_BREAK_SPACE)}" for one in some)
            out += [line.replace(NO_BREAK_SPACE, " ") for line in wrap_paragraph(f"{INDENT}{head}{self.dots} {ends}", self.width, "  ")]
        return out + self.option_columns(single)

    def truncate_options(self, most: int) -> OptionLines:
        """Options in too few lines: of those of a kind what they begin with, those of the largest kinds first, else as many as there is
        room for, first what no place on a map tells, then what brings most, then what would change something."""
        kinds: dict[tuple[str | None, bool], list[PromptOption]] = {}
        for one in self.question.choices:
            kinds.setdefault((one.option.entry, one.option.declines), []).append(one)
        told, _, known = self.preview_groups(max(MIN_PREVIEW_LINES, most // PREVIEW_LINE_RATIO))
        folding = sorted((some for some in kinds.values() if len(some) >= MIN_GROUP_SIZE and common_prefix(some)), key=len, reverse=True)
        more = wrap_paragraph(self.words.text("prompt.kinds", all=self.all), self.width) if known else []
        for many in range(1, len(folding) + 1) if len(kinds) > 1 else ():
            parts = [part for some in kinds.values() for part in (
                [(format_ranges([one.token for one in some]), common_prefix(some) + self.dots)] if some in folding[:many]
                else [(one.token, one.text) for one in some])]
            wide = max(3, *(len(number) for number, _ in parts))
            lines = self.option_columns([f"{number:>{wide}}  {text}" for number, text in parts]) + more
            if len(lines) + len(told) <= most:
                return OptionLines(lines + told, 0, False)
        placed = {one.option.code for one in self.question.options_at(set(self.question.targets))}
        hints = {one.option.code: preview_of(self.question, one) for one in self.question.choices}
        ranked = sorted(self.question.choices, key=lambda one: (
            one.option.code in placed, not (hint := hints[one.option.code]).all_texts, not hint.own, hint.rank_gains()))
        for many in range(len(ranked) - 1, 0, -1):
            kept = {one.option.code for one in ranked[:many]}
            lines = self.option_columns(format_option_list([one for one in self.question.choices if one.option.code in kept]))
            if len(lines) + len(told) < most:                      # one line says how many are left out
                return OptionLines(lines + told, len(ranked) - many, False)
        return OptionLines(told, len(ranked), False)


def common_prefix(some: Sequence[PromptOption]) -> str:
    """The words that all these begin with, up to a blank; nothing where one of them says no more."""
    head = commonprefix([one.text for one in some])
    return head[: head.rfind(" ") + 1]
