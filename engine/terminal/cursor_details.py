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


def describe_cell(audience: ScreenAudience, question: DecisionPrompt, line: str) -> list[str]:
    """Returns the details of what a click on a cell types: the number of an option, several options, or a thing to look at."""
    if line.startswith(LOOK):
        return thing_lines(audience, question, line.removeprefix(LOOK))
    if line.startswith(OPTIONS):
        found = question.match_number_list(line.removeprefix(OPTIONS))
        return list(preview_rows(audience, question, False, audience.width, found))
    one = question.find_numbered(line)
    return option_lines(audience, question, one) if one is not None else []


def option_lines(audience: ScreenAudience, question: DecisionPrompt, prompt_option: PromptOption) -> list[str]:
    """Returns the details of an option: its text, what it would change, and what is known about the things it chooses."""
    hint = preview_of(question, prompt_option)
    out = [audience.format_bold(prompt_option.text)]
    out += [f"{arrow_sign(audience)} {hint.line}"] if hint.changes else []
    out += common_preview_lines(audience, question, audience.width)
    out += [*hint.texts, *hint.printed] or chosen_thing_lines(audience, prompt_option)
    about = ItemInspector(audience.table.position, audience.narrator, audience.viewer)
    for place in question.option_places(prompt_option)[:1]:
        first, *rest = about.describe(place)
        out += [first, *("  " + text for text in rest)]
    clauses = [(clause, audience.narrator.clause_text(clause)) for clause in question.decision.kind.cites]
    return out + [f"[{clause}] {text}" for clause, text in clauses if text]


def thing_lines(audience: ScreenAudience, question: DecisionPrompt, typed: str) -> list[str]:
    """Returns what `look` tells of a thing. If other things like it can be chosen now and this one cannot, the reason comes
    first."""
    about = ItemInspector(audience.table.position, audience.narrator, audience.viewer)
    chosen = {domain for one in question.choices for domain, _ in members_of_option(one.option, question.decision)}
    refused = [thing for thing in match_things(audience, question, about, typed) if thing[0] in chosen and not question.options_at({thing})]
    why = refusal_lines(audience.table, audience.loaded, audience.narrator, typed, audience.width) if refused else []
    return [*map(capitalize_first, why), *([""] if why else []), *list_inspection(audience, question, typed)]
