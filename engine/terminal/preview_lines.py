"""Previews of options as text next to them, and the output of the commands `try` and `preview`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from rich.cells import cell_len

from ...dsl.types.board_parts import PART_SIGNS
from ..i18n.text_layout import pad_cells, wrap_cells
from ..narration.transcript import summarize
from ..position.options import iter_things
from ..preview.equal_options import EqualOptions
from ..preview.lookahead import Lookahead, LookaheadResult
from ..preview.option_preview import OptionPreview, common_lines
from ..preview.preview_budget import PreviewBudget
from ..preview.preview_texts import OptionPreviews
from ..preview.preview_transcript import preview_items
from ..project.describe import DescribableItem, attribute_lines, find_text_keys, item_title, plain_text
from ..table_view.build_panels import build_panels
from ..table_view.inspect_item import ItemInspector
from ..table_view.panel_diff import PanelChange, find_changes, format_changes
from ..table_view.theme import theme_of
from .audience import ScreenAudience
from .question import DecisionPrompt, PromptOption, format_ranges

MAX_TRANSCRIPT_LINES = 8                             # lines of the transcript that an option would cause
MAX_CHANGE_LINES = 14                            # lines about changes on the table
INDENT = "     "                     # width of an option's number
NO_BREAK_SPACE = "\u00a0"                     # no line break here


def compute_previews(audience: ScreenAudience, question: DecisionPrompt, requested: bool = False) -> None:
    """Computes the previews of a question for the person at the screen, unless they are switched off.

    With `requested`, the search may take longer and includes what was left out before."""
    if audience.hinting and (not question.hints or requested and question.untold):
        hints = make_previews(audience, question)
        question.hints, question.always = hints.preview_all(requested)
        question.asked, question.equal = requested, EqualOptions(question.decision, audience.narrator, question.hints)
        few = len(question.choices) <= PreviewBudget.MAX_OPTIONS
        question.untold = few and (hints.cut or not question.hints) and bool(theme_of(audience.table.game).watch)


def make_previews(audience: ScreenAudience, question: DecisionPrompt) -> OptionPreviews:
    return OptionPreviews(question.decision, audience.narrator, audience.table.setup.auto, audience.table.sole_human)


def is_undoable(audience: ScreenAudience, question: DecisionPrompt, prompt_option: PromptOption) -> bool:
    """Whether an option can be undone.

    Somebody who plays alone or against bots can undo everything. Otherwise its outcome must be fully known, and the next
    decision must be by the same person, or by one with the same view."""
    if audience.table.sole_human is not None:
        return True
    outcome = make_previews(audience, question).foresight.preview(prompt_option.option.code)
    if outcome.decision is None or outcome.luck:
        return False
    seat = outcome.decision.seat
    return seat == question.decision.seat or not audience.private and audience.table.is_human(seat)


def common_preview_lines(audience: ScreenAudience, question: DecisionPrompt, width: int) -> list[str]:
    """Returns lines about what happens whichever option is chosen."""
    return [line for text in common_lines(question.always, audience.narrator.words) for line in wrap_cells(text, width)]


def preview_rows(audience: ScreenAudience, question: DecisionPrompt, texts: bool, width: int, choices: Sequence[PromptOption] | None = None,
         brief: bool = False) -> Iterator[str]:
    """Yields the given options (default: all), one per line, with their previews.

    With `texts`, the texts of the chosen things follow. With `brief`, previews do not say who decides next."""
    choices = question.choices if choices is None else choices
    yield from common_preview_lines(audience, question, width)
    told: set[str] = set()                                         # each text is printed once
    sizes = [(cell_len(one.text) + 5, cell_len(hint.line) + 4)
             for one in choices if (hint := preview_of(question, one, brief)).changes]
    wide = preview_column(sizes, width)
    shown = [one for one in choices if not is_folded(question, one)]
    run: list[PromptOption] = []                                   # options with one preview, which follows the last of them
    for one, following in zip(shown, [*shown[1:], None]):
        hint, line = preview_of(question, one, brief), f"{one.token:>3}  {one.text}"
        preview = f"{arrow_sign(audience)} {hint.line}" if hint.changes else ""
        is_repeated = following is not None and preview_of(question, following, brief).line == hint.line
        rows = format_preview_row(line, wide, preview, width)
        if preview and len(rows) > len(wrap_cells(line, width, INDENT)):       # the preview is below the option
            run.append(one)
            if is_repeated:
                rows = wrap_cells(line, width, INDENT)
            elif len(run) > 1:
                numbers = format_ranges([other.token for other in run])
                rows = [*wrap_cells(line, width, INDENT), *wrap_cells(f"  {numbers}  {preview}", width, "   ")]
        run = run if is_repeated else []
        yield from rows
        for text in (*hint.texts, *hint.printed) if texts else ():
            if text not in told:
                yield from wrap_cells(INDENT + "  " + text, width)
                told.add(text)
        yield from equal_option_lines(audience, question, one, width)


def is_folded(question: DecisionPrompt, one: PromptOption) -> bool:
    """Whether an option is listed with an earlier one that it equals."""
    return question.equal is not None and one.option.code in question.equal.first


def equal_option_lines(audience: ScreenAudience, question: DecisionPrompt, one: PromptOption, width: int) -> list[str]:
    """Returns a line with the options that equal this one: their numbers and their pieces."""
    found = question.equal.list_equal(one.option.code) if question.equal is not None else []
    others = [other for other in question.choices if other.option.code in found]
    if question.equal is None or not others:
        return []
    said = audience.narrator.words.text("foresee.likewise", things=[(*other.labels, other.text)[0] for other in others])
    return wrap_cells(f"{format_ranges([other.token for other in others]):>3}  {said}", width, INDENT)


def preview_column(sizes: Sequence[tuple[int, int]], width: int) -> int:
    """Returns the column at which previews begin.

    Each size has the width of an option and the width of its preview. The column follows the longest option
    that
    leaves room for the previews of all shorter ones."""
    fitting = [(text, said) for text, said in sizes if not width or text + said <= width]
    for wide in sorted({text for text, _ in fitting}, reverse=True):
        if not width or all(wide + said <= width for text, said in fitting if text <= wide):
            return wide
    return 0


def format_preview_row(text: str, wide: int, preview: str, width: int) -> list[str]:
    """Returns an option with its preview: in the column, else directly after the option, else below it."""
    for line in (f"{pad_cells(text, wide)}  {preview}", f"{text}  {preview}") if preview else (text,):
        if not width or cell_len(line) <= width:
            return [line]
    return wrap_cells(text, width, INDENT) + (wrap_cells(f"{INDENT}  {preview}", width, "  ") if preview else [])


def preview_of(question: DecisionPrompt, prompt_option: PromptOption, brief: bool = False) -> OptionPreview:
    """Returns the preview of an option, empty if it has none."""
    hint = question.hints.get(prompt_option.option.code, OptionPreview())
    return hint.brief if brief else hint


def certain_change_lines(audience: ScreenAudience, foresight: Lookahead, outcome: LookaheadResult) -> list[str]:
    """Returns lines about table changes that are certain after an option.

    If the same person decides next, changes common to all their continuations are included, unless there are
    too
    many continuations. Region panels are skipped, because their changes follow from the board. The lines reveal
    only what the person may see."""
    found = certain_changes(audience, foresight, outcome)
    ways = list(islice(iter_continuation_ends(foresight, outcome), foresight.budget.MAX_TABLES + 1))
    if len(ways) <= foresight.budget.MAX_TABLES and ways[0] is not outcome:
        first, *others = [certain_changes(audience, foresight, way) for way in ways]
        told = {(change.panel, change.label, change.what) for change in found}
        found += [change for change in first if (change.panel, change.label, change.what) not in told and is_in_all(change, others)]
    return format_changes(found, audience.narrator.words, audience.width - len(INDENT), MAX_CHANGE_LINES)


def iter_continuation_ends(foresight: Lookahead, outcome: LookaheadResult) -> Iterator[LookaheadResult]:
    """Yields the ends of all continuations: another person decides, or the same question comes again."""
    ways = list(foresight.iter_continuations(outcome)) if len(outcome.path) < foresight.budget.MAX_TABLES else []
    for way in ways:
        yield from iter_continuation_ends(foresight, way)
    if not ways:
        yield outcome


def certain_changes(audience: ScreenAudience, foresight: Lookahead, outcome: LookaheadResult) -> list[PanelChange]:
    """Returns the certain changes on the table at the point where the rules stop."""
    after, worlds = foresight.observe_outcome(outcome)
    if not outcome.sure and not worlds and foresight.find_exit_position(outcome) is None:
        return []
    before, *then = ([panel for panel in build_panels(position, audience.narrator, audience.viewer) if not panel.key.startswith("regions ")]
                     for position in (audience.table.position, after, *worlds))
    found, *others = (find_changes(before, panels) for panels in then)
    return [change for change in found if is_in_all(change, others)]


def is_in_all(change: PanelChange, others: Sequence[Sequence[PanelChange]]) -> bool:
    """Whether all these lists contain the change."""
    return all(any(is_same_change(change, one) for one in other) for other in others)


def is_same_change(change: PanelChange, other: PanelChange) -> bool:
    """Whether two changes are the same. `what` is compared only if both have it, because it is set only where
    needed."""
    return change == replace(other, what=change.what) and (change.what == other.what or not change.what or not other.what)


def arrow_sign(audience: ScreenAudience) -> str:
    return "→" if audience.console.utf and not audience.plain else "->"


def print_preview(audience: ScreenAudience, question: DecisionPrompt, prompt_option: PromptOption) -> None:
    """Prints everything that is known in advance about one option."""
    words = audience.narrator.words
    hints = make_previews(audience, question)
    hint = hints.preview(prompt_option.option.code)
    audience.print_paragraphs([prompt_option.text])
    outcome = hints.foresight.preview(prompt_option.option.code)
    audience.print_paragraphs(["  " + part for part in hint.certain_texts])
    story, left = summarize(preview_items(hints, outcome, hint.certain), MAX_TRANSCRIPT_LINES)
    audience.print_paragraphs(["  " + line for line in story])
    if left:
        audience.print_message("foresee.more", n=left)
    audience.print_paragraphs(["  " + part for part in hint.conditional_texts])
    spoken = bool(hint.changes or story)
    changed = certain_change_lines(audience, hints.foresight, outcome)
    audience.print_paragraphs(["  " + line for line in changed])
    asked = hints.find_question(outcome)
    if not outcome.sure:
        audience.print_paragraphs(["  " + words.text("foresee.open" if spoken or changed else "foresee.unknown")])
    elif outcome.decision is not None and asked is not None:
        mine = outcome.decision.seat == question.decision.seat
        audience.print_paragraphs(["  " + words.text("foresee.asked" if mine else "foresee.asked_else", question=asked)])
    elif not spoken and not changed:
        audience.print_paragraphs(["  " + words.text("foresee.nothing")])
    audience.print_paragraphs(["  " + text for text in hint.texts] or chosen_thing_lines(audience, prompt_option))


def chosen_thing_lines(audience: ScreenAudience, prompt_option: PromptOption) -> list[str]:
    """Returns the printed values of the things that an option chooses, and the texts of what is printed on them.

    For a corner or an edge, it returns the places that meet there."""
    narrator, out = audience.narrator, []
    model, words = narrator.game.model, narrator.words
    for domain, n in iter_things(narrator.game.codecs, prompt_option.option.values):
        enum = model.enum_of(domain)
        if enum is not None and enum.kind in PART_SIGNS:
            beside = ItemInspector(audience.table.position, narrator, audience.viewer).neighbour_texts((enum.name, n))
            out.append("  " + words.text("look.near", n=len(beside), places=beside))
        if enum is None or enum.kind not in ("enum", "pieces"):
            continue
        printed = [*attribute_lines(enum, enum.kind_or_name(n), narrator, audience.width),
                   *("  " + plain_text(key, narrator) for key in find_text_keys(enum, n, narrator))]
        name = item_title(DescribableItem("member", enum.kind_or_name(n), enum.name), narrator)
        out += [f"  {name}", *("  " + line for line in printed)] if printed and name != prompt_option.text else printed
    return out
