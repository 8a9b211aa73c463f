"""Details of the cell under the cursor or the mouse on the full screen: what an option would change, the texts of what it
chooses, and why a place cannot be chosen now."""

from __future__ import annotations

from ..i18n.template import capitalize_first
from ..table_view.inspect_item import ItemInspector
from ..table_view.option_markers import members_of_option
from .audience import ScreenAudience
from .inspect_command import list_inspection, match_things
from .offered import refusal_lines
from .preview_lines import arrow_sign, chosen_thing_lines, common_preview_lines, preview_of, preview_rows
from .question import DecisionPrompt, PromptOption

LOOK, OPTIONS = "/look ", "/options "


def describe_cell(here: ScreenAudience, question: DecisionPrompt, line: str) -> list[str]:
    """Returns the details of what a click on a cell types: the number of an option, several options, or a thing to look at."""
    if line.startswith(LOOK):
        return thing_lines(here, question, line.removeprefix(LOOK))
    if line.startswith(OPTIONS):
        found = question.match_number_list(line.removeprefix(OPTIONS))
        return list(preview_rows(here, question, False, here.width, found))
    one = question.find_numbered(line)
    return option_lines(here, question, one) if one is not None else []


def option_lines(here: ScreenAudience, question: DecisionPrompt, prompt_option: PromptOption) -> list[str]:
    """Returns the details of an option: its text, what it would change, and what is known about the things it chooses."""
    hint = preview_of(question, prompt_option)
    out = [here.format_bold(prompt_option.text)]
    out += [f"{arrow_sign(here)} {hint.line}"] if hint.changes else []
    out += common_preview_lines(here, question, here.width)
    out += [*hint.texts, *hint.printed] or chosen_thing_lines(here, prompt_option)
    about = ItemInspector(here.table.position, here.narrator, here.viewer)
    for place in question.option_places(prompt_option)[:1]:
        first, *rest = about.describe(place)
        out += [first, *("  " + text for text in rest)]
    clauses = [(clause, here.narrator.clause_text(clause)) for clause in question.decision.kind.cites]
    return out + [f"[{clause}] {text}" for clause, text in clauses if text]


def thing_lines(here: ScreenAudience, question: DecisionPrompt, typed: str) -> list[str]:
    """Returns what `look` tells of a thing. If other things like it can be chosen now and this one cannot, the reason comes
    first."""
    about = ItemInspector(here.table.position, here.narrator, here.viewer)
    chosen = {domain for one in question.choices for domain, _ in members_of_option(one.option, question.decision)}
    refused = [thing for thing in match_things(here, question, about, typed) if thing[0] in chosen and not question.options_at({thing})]
    why = refusal_lines(here.table, here.loaded, here.narrator, typed, here.width) if refused else []
    return [*map(capitalize_first, why), *([""] if why else []), *list_inspection(here, question, typed)]
