"""Lays out the options of a question in the available lines.

From the longest form to the shortest:

1. one option per line, with a preview of what it would change
2. options in columns, with previews grouped by what they change
3. options grouped by kind or truncated, if even that is too long

Options left out are counted, and a hint says how to see what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from os.path import commonprefix
from typing import NamedTuple

from rich.cells import cell_len

from ..i18n.text_layout import arrange_columns, arrange_slots, wrap_cells
from ..preview.option_preview import OptionPreview
from .audience import ScreenAudience
from .preview_lines import NO_BREAK_SPACE, arrow_sign, common_preview_lines, equal_option_lines, is_folded, preview_of, preview_rows
from .question import DecisionPrompt, PromptOption, format_option_list, format_ranges

MAX_INLINE_NAME = 12                           # longest option text shown with its number in a group
MIN_GROUP_SIZE = 3                              # smallest number of options that are merged into one entry
MAX_SUFFIX_WIDTH = 34                            # longest ending of options that share a beginning
MAX_NUMBER_COLUMNS = 12                         # longer ranges of numbers do not indent the other options
MIN_PREVIEW_LINES = 2                            # lines for previews, even on a low screen
FALLBACK_PREVIEW_LINES = (6, MIN_PREVIEW_LINES, 1)               # the same, if something else needs the room
PREVIEW_OVERFLOW_LINES = 3                           # extra lines allowed if all previews fit then
LINES_PER_PREVIEW = 4                            # a truncated list uses one line in 4 for previews
INDENT = "     "                     # width of an option's number


class OptionLines(NamedTuple):
    """Lines of options; the number of options left out; and `whole`, whether the lines show everything."""

    lines: list[str]
    left: int = 0
    whole: bool = True


class OptionLayout:
    """Lays out the options of a question for a width."""

    def __init__(self, audience: ScreenAudience, question: DecisionPrompt, width: int = 0) -> None:
        self.audience, self.question, self.width = audience, question, width or audience.width
        self.words = audience.narrator.words
        self.all = self.words.text("command.options")
        self.dots = "…" if audience.console.utf and not audience.plain else "..."
        hints = [preview_of(question, one) for one in question.choices]
        self.has_previews = bool(question.always) or any(hint.changes for hint in hints)
        self.unsure = self.has_previews and not question.always and not any(hint.certain for hint in hints)      # none is certain
        self.texts = any(hint.texts or hint.printed for hint in hints)

    def option_columns(self, texts: list[str]) -> list[str]:
        """Arranges texts in columns, or one per line in plain mode on a terminal."""
        return arrange_columns(texts, self.width, single=self.audience.plain and self.audience.console.terminal)

    def densest_lines(self) -> list[str]:
        """Returns the options in as few lines as possible."""
        shown = [one.list_entry for one in self.question.choices]
        return self.option_columns(shown) if self.audience.plain else arrange_slots(shown, self.width)

    def full_lines(self) -> list[str]:
        """Returns all options with their full previews and texts."""
        if self.has_previews or self.texts:
            return list(preview_rows(self.audience, self.question, True, self.width))
        return self.option_columns([one.list_entry for one in self.question.choices])

    def lay_out(self, wish: int, max_lines: int, least: int = MIN_PREVIEW_LINES) -> OptionLines:
        """Lays out all options in `wish` lines if possible.

        No option is left out as long as all fit into `max_lines` lines. `least` is the number of lines for previews,
        even
        if `wish` is smaller. If previews are too expensive to compute, a last line says how to request one, unless
        it would displace an option."""
        found, word = self.fit_lines(wish, max_lines, least), self.on_demand_hint()
        return (
            found._replace(lines=found.lines + word) if not found.left and len(found.lines) + len(word) <= max(wish, max_lines) else found
        )

    def on_demand_hint(self) -> list[str]:
        """Returns a hint how to see previews that are too expensive to show without a request."""
        if not self.question.untold or len(self.question.choices) < MIN_GROUP_SIZE and not self.question.hints:
            return []
        if self.question.hints and not self.question.asked:
            return wrap_cells(self.words.text("prompt.changes.further", all=self.all), self.width)
        first = f"{self.words.text('command.try')} {self.question.choices[0].token}"
        return wrap_cells(self.words.text("prompt.changes.one", one=first), self.width)

    def iter_denser(self) -> Iterator[OptionLines]:
        """Yields ever shorter layouts of all options, with fewer lines for previews, to make room for other content."""
        lines = min(
            [self.option_columns(format_option_list(self.question.choices)), self.common_prefix_lines(), self.densest_lines()], key=len
        )
        for most in FALLBACK_PREVIEW_LINES if self.has_previews else ():
            told = self.preview_groups(most)
            yield OptionLines(lines + told.lines, 0, told.whole and not self.texts)
        if not self.has_previews:
            yield OptionLines(lines, 0, not self.texts)

    def fit_lines(self, wish: int, max_lines: int, least: int) -> OptionLines:
        """Returns the longest form that fits: full, brief, in columns with grouped previews, or truncated."""
        for lines in self.iter_full_forms():
            if len(lines) <= wish:
                return OptionLines(lines)
        lines = self.brief_lines()
        if lines and len(lines) <= wish:
            return OptionLines(lines, 0, False)
        sides = [self.option_columns(format_option_list(self.question.choices)), self.common_prefix_lines()]
        sides += [self.densest_lines()] if max(wish, max_lines) < min(map(len, sides)) else []
        for room in (wish, max_lines):
            for lines in sides:
                if found := self.append_groups(lines, wish, room, max_lines, least):
                    return found
        for lines in sides if self.unsure else ():
            if len(lines) <= max_lines:                                 # uncertain previews must not displace options
                return OptionLines(lines, 0, False)
        wide = max(wish, max_lines)                                     # dense is better than incomplete
        return self.append_groups(self.densest_lines(), wish, wide, max_lines, least) or self.truncate_options(wide)

    def append_groups(self, lines: list[str], wish: int, room: int, max_lines: int, least: int) -> OptionLines | None:
        """Returns these lines of options with grouped previews below them, or None if that does not fit.

        See `fit_lines` for the parameters."""
        told = self.preview_groups(max(wish - len(lines), least)) if least else OptionLines([], 0, False)
        more = least and not told.whole and not self.unsure
        whole = self.preview_groups(max(wish - len(lines), least) + PREVIEW_OVERFLOW_LINES) if more else told
        if whole.whole and len(lines) + len(whole.lines) <= min(room + PREVIEW_OVERFLOW_LINES, max_lines):
            told = whole
        if len(lines) + len(told.lines) <= (min(room + PREVIEW_OVERFLOW_LINES, max_lines) if told is whole else room):
            return OptionLines(lines + told.lines, 0, told.whole and not self.texts)
        return None

    def iter_full_forms(self) -> Iterator[list[str]]:
        """Yields the forms that show a preview with each option, the longest first."""
        if not self.has_previews and not self.texts:
            return
        yield self.full_lines()
        more = wrap_cells(self.words.text("prompt.texts", all=self.all), self.width) if self.texts else []
        if self.has_previews:
            yield [*preview_rows(self.audience, self.question, False, self.width), *more]
            yield [
                line.replace(NO_BREAK_SPACE, " ")
                for line in common_preview_lines(self.audience, self.question, self.width)
                + self.option_columns(
                    [
                        f"{one.token:>3}  {one.text}" + (f" {arrow_sign(self.audience)}{NO_BREAK_SPACE}{hint.line}" if hint.changes else "")
                        for one in self.question.choices
                        for hint in [preview_of(self.question, one)]
                    ]
                )
            ] + more
        else:
            yield [*self.option_columns(format_option_list(self.question.choices)), *more]

    def brief_lines(self) -> list[str]:
        """Returns the full form without who decides next; empty if no preview says that."""
        if not any(hint.next_decision_changes for hint in self.question.hints.values()):
            return []
        return [*preview_rows(self.audience, self.question, False, self.width, brief=True), *self.ellipsis_hint()]

    def ellipsis_hint(self) -> list[str]:
        """Returns a hint how to see what dots leave out."""
        return wrap_cells(self.words.text("prompt.changes.more", all=self.all), self.width)

    # ------------------------------------------------------------ grouped previews

    def preview_groups(self, max_lines: int) -> OptionLines:
        """Returns grouped previews in at most `max_lines` lines, and at least one.

        Options with the same preview form a group, the most favourable for the deciding player first. The first
        form that fits is used:

        1. groups by complete previews
        2. all groups without who decides next
        3. the first groups, and a hint how to see the others

        No option is in two groups. Equal options (see equal_options.py) follow the first of them."""
        if not self.has_previews:
            return OptionLines([])
        before = common_preview_lines(self.audience, self.question, self.width)
        whole = self.group_options(lambda hint: hint)
        lines = [line for hint, some in whole for line in self.group_lines(hint, some)]
        if len(before) + len(lines) <= max_lines:
            return OptionLines(before + lines)
        brief = self.group_options(lambda hint: hint.brief)
        lines = [*(line for hint, some in brief for line in self.group_lines(hint, some)), *self.ellipsis_hint()]
        if len(before) + len(lines) <= max_lines and any(hint.next_decision_changes for hint, _ in whole):
            return OptionLines(before + lines, 0, False)
        others = wrap_cells(self.words.text("prompt.changes.others", all=self.all), self.width)
        out = [*before] if len(before) + len(others) < max_lines else []       # common changes first
        for hint, some in whole:
            lines = self.group_lines(hint, some)
            if len(out) + len(lines) + len(others) > max_lines:
                break
            out += lines
        return OptionLines(out + others if out else self.changes_hint(), 0, False)

    def changes_hint(self) -> list[str]:
        """Returns the hint how to see previews if there is no room for any."""
        return wrap_cells(self.words.text("prompt.changes", all=self.all), self.width)

    def group_options(self, form: Callable[[OptionPreview], OptionPreview]) -> list[tuple[OptionPreview, list[PromptOption]]]:
        """Groups options by their previews, as `form` shortens them.

        Previews of the player's own things come first, then those that bring most. Of groups that bring nothing, the largest comes
        last if it is large."""
        found: dict[OptionPreview, list[PromptOption]] = {}
        for one in self.question.choices:
            hint = form(preview_of(self.question, one))
            if hint.changes and not is_folded(self.question, one):
                found.setdefault(hint.without_texts, []).append(one)
        most = max(map(len, found.values()), default=0)
        return sorted(found.items(), key=lambda group: (
            not group[0].own, gains := group[0].rank_gains(), not any(gains) and len(group[1]) == most and most > MIN_GROUP_SIZE))

    def group_lines(self, hint: OptionPreview, items: Sequence[PromptOption]) -> list[str]:
        """Returns the lines of a group: its options, by name if the names are short, and what they bring."""
        named = ", ".join(f"{one.token} {one.text}" for one in items)
        numbers = format_ranges([one.token for one in items])
        short = all(cell_len(one.text) <= MAX_INLINE_NAME for one in items)
        lines = [f"  {text}  {arrow_sign(self.audience)} {hint.line}" for text in ([named, numbers] if short else [numbers])]
        others = [line for one in items for line in equal_option_lines(self.audience, self.question, one, self.width)]
        return next(([line] for line in lines if cell_len(line) <= self.width), wrap_cells(lines[0], self.width, "   ")) + others

    # ------------------------------------------------------------ shorter lists

    def common_prefix_lines(self) -> list[str]:
        """Returns the options, with those in a row that share a beginning merged into one paragraph.

        Such a paragraph has the common beginning, and the number and ending of each option."""
        found: list[list[PromptOption]] = []
        for one in self.question.choices:
            some = [*found[-1], one] if found and found[-1][0].option.entry == one.option.entry else []
            if some and (head := common_prefix(some)) and all(len(other.text) - len(head) <= MAX_SUFFIX_WIDTH for other in some):
                found[-1].append(one)
            else:
                found.append([one])
        if self.audience.plain or all(len(some) < MIN_GROUP_SIZE for some in found):
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
            out += [line.replace(NO_BREAK_SPACE, " ") for line in wrap_cells(f"{INDENT}{head}{self.dots} {ends}", self.width, "  ")]
        return out + self.option_columns(single)

    def truncate_options(self, max_lines: int) -> OptionLines:
        """Returns the options in too few lines.

        First the largest kinds of options are reduced to their common beginning. If that is not enough, options are
        left out. Kept first are those without a place on a map, then those with a preview, then those that bring
        the
        player most."""
        kinds: dict[tuple[str | None, bool], list[PromptOption]] = {}
        for one in self.question.choices:
            kinds.setdefault((one.option.entry, one.option.declines), []).append(one)
        told, _, known = self.preview_groups(max(MIN_PREVIEW_LINES, max_lines // LINES_PER_PREVIEW))
        folding = sorted((some for some in kinds.values() if len(some) >= MIN_GROUP_SIZE and common_prefix(some)), key=len, reverse=True)
        more = wrap_cells(self.words.text("prompt.kinds", all=self.all), self.width) if known else []
        for shown, many in product((told, []), range(1, len(folding) + 1) if len(kinds) > 1 else ()):    # options before previews
            parts = [part for some in kinds.values() for part in (
                [(format_ranges([one.token for one in some]), common_prefix(some) + self.dots)] if some in folding[:many]
                else [(one.token, one.text) for one in some])]
            wide = max(3, *(len(number) for number, _ in parts if len(number) <= MAX_NUMBER_COLUMNS))
            lines = self.option_columns([f"{number:>{wide}}  {text}" for number, text in parts]) + more
            if len(lines) + len(shown) <= max_lines:
                return OptionLines(lines + shown, 0, False)
        placed = {one.option.code for one in self.question.options_at(set(self.question.targets))}
        hints = {one.option.code: preview_of(self.question, one) for one in self.question.choices}
        ranked = sorted(self.question.choices, key=lambda one: (
            one.option.code in placed, not (hint := hints[one.option.code]).changes, not hint.own, hint.rank_gains()))
        for many in range(len(ranked) - 1, 0, -1):
            kept = {one.option.code for one in ranked[:many]}
            lines = self.option_columns(format_option_list([one for one in self.question.choices if one.option.code in kept]))
            if len(lines) + len(told) < max_lines:                      # one line for the omitted count
                return OptionLines(lines + told, len(ranked) - many, False)
        return OptionLines(told, len(ranked), False)


def common_prefix(items: Sequence[PromptOption]) -> str:
    """Returns the whole words with which all these option texts begin; empty if there are none."""
    head = commonprefix([one.text for one in items])
    return head[: head.rfind(" ") + 1]
