"""The command `advice` at the prompt: which option a strong bot would choose for the person, and why.

The bot sees only what the person may see. An answer is kept until the position changes. If the game runs in C, the
search also uses extra seconds, so the numbers of playouts can differ between two matches."""

from __future__ import annotations

from ..bots.mcts import OptionStats
from ..bots.rng import decision_rng
from ..i18n import Localizer
from ..i18n.text_layout import wrap_cells
from .audience import ScreenAudience
from .preview_lines import make_previews
from .question import DecisionPrompt

TIE_PLAYOUT_DIVISOR = 5                             # at least 4 playouts for each 5 of the best option count as equal
MIN_PLAYOUT_DIVISOR = 5                            # this fraction of the best option's playouts is enough to compare


def print_bot_advice(here: ScreenAudience, question: DecisionPrompt) -> None:
    """Prints the best option, what it would change, and what to expect of it and of the next best."""
    words, decision = here.teller.words, question.decision
    if len(decision) == 1:
        here.print_message("advice.only")
        return
    found = here.table.weigh(decision.position, decision.seat, decision_rng(here.table.setup.seed, decision.seat, len(here.table.steps)))
    two = here.table.game.players == 2
    text = {one.option.code: one.text for one in question.choices}
    best = pick_best(found)
    others = [one for one in found if one is not best]
    here.print_paragraphs(
        wrap_cells(" ".join([words.text("advice.take", option=text[best.code]), expectation_text(words, best, best, two)]), here.width)
    )
    here.print_paragraphs(["  " + part for part in make_previews(here, question).preview(best.code).all_texts])
    others = [one for one in others if one.playouts and text[one.code] != text[best.code]]
    if others:
        said = words.text("advice.next", option=text[others[0].code])
        alike = words.text("advice.alike") if is_tie(others[0], best) else ""
        here.print_paragraphs(
            wrap_cells(" ".join(part for part in (said, expectation_text(words, others[0], best, two), alike) if part), here.width)
        )


def is_tie(one: OptionStats, best: OptionStats) -> bool:
    """Whether the search cannot tell two options apart: similar numbers of playouts and the same share of wins."""
    even = TIE_PLAYOUT_DIVISOR * one.playouts >= (TIE_PLAYOUT_DIVISOR - 1) * best.playouts
    return even and not best.winning and round(50 * one.share) == round(50 * best.share)


def pick_best(found: list[OptionStats]) -> OptionStats:
    """Returns the best option.

    If most playouts of the best reached the end, options with the same share of wins are compared by lead."""
    best = found[0]
    if best.winning or 2 * best.ended < best.playouts:
        return best
    alike = [one for one in found if MIN_PLAYOUT_DIVISOR * one.playouts >= best.playouts and 2 * one.ended >= one.playouts > 0
             and round(100 * one.share) == round(100 * best.share)]
    return max(alike, key=lambda one: one.lead)


def expectation_text(words: Localizer, one: OptionStats, best: OptionStats, two: bool) -> str:
    """Returns what to expect of an option: its share of won playouts, if most playouts of the best option ended.

    Otherwise the text says whether the best option leads, by the estimate of the game. The size of the lead is
    left out, because estimates have their own units and are less reliable with fewer playouts. `two` is whether
    there is only one opponent."""
    if one.winning:
        return words.text("advice.wins_now")
    if 2 * best.ended >= best.playouts and one.ended:
        share = round(100 * one.share)
        return words.text("advice.share", share=words.format_number(share)) if share else words.text("advice.wins_none")
    if one is not best:
        return ""
    lead = round(one.lead, 1)
    return words.text(("advice.two." if two else "advice.") + ("ahead" if lead > 0 else "behind" if lead < 0 else "level"))
