"""The word `hint` at the prompt: which option a strong bot would take in the person's place, and why. It thinks about what the person may
see and nothing else, with chances of its own, so asking twice gives the same answer."""

from __future__ import annotations

from ..bots.mcts import Weighed
from ..bots.rng import generator
from ..i18n import Words
from .audience import Listeners
from .preview_lines import hints_of
from .question import Question
from .text_columns import paragraph

EVEN = 5                             # four playouts to 5 of the best's: tried as often
TRIED = 5                            # one part in so many of the best's playouts: enough to compare


def advise(here: Listeners, question: Question) -> None:
    """Tell the best option, what it would change at once, and what to expect of it and of the next best."""
    words, decision = here.teller.words, question.decision
    if len(decision) == 1:
        here.say("advice.only")
        return
    found = here.table.weigh(decision.position, decision.seat, generator(here.table.setup.seed, decision.seat, len(here.table.steps)))
    two = here.table.game.players == 2
    text = {one.option.code: one.text for one in question.choices}
    best = preferred(found)
    others = [one for one in found if one is not best]
    here.tell(paragraph(" ".join([words.text("advice.take", option=text[best.code]), reason(words, best, best, two)]), here.width))
    here.tell(["  " + part for part in hints_of(here, question).of(best.code).parts])
    others = [one for one in others if one.playouts and text[one.code] != text[best.code]]
    if others:
        said = words.text("advice.next", option=text[others[0].code])
        alike = words.text("advice.alike") if as_good(others[0], best) else ""
        here.tell(paragraph(" ".join(part for part in (said, reason(words, others[0], best, two), alike) if part), here.width))


def as_good(one: Weighed, best: Weighed) -> bool:
    """Whether nothing that was tried tells two options apart: nearly as many playouts went to the one, and it won as often."""
    even = EVEN * one.playouts >= (EVEN - 1) * best.playouts
    return even and not best.winning and round(50 * one.share) == round(50 * best.share)


def preferred(found: list[Weighed]) -> Weighed:
    """The best option. Where the game is as good as decided with several that were well tried, that with which one leads most."""
    best = found[0]
    if best.winning or 2 * best.ended < best.playouts:
        return best
    alike = [one for one in found if TRIED * one.playouts >= best.playouts and 2 * one.ended >= one.playouts > 0
             and round(100 * one.share) == round(100 * best.share)]
    return max(alike, key=lambda one: one.lead)


def reason(words: Words, one: Weighed, best: Weighed, two: bool) -> str:
    """What to expect of an option: games won where most playouts of the best came to an end, else what the estimate says of the best. By
    how much it leads is not told: estimates count in units of their own, and where fewer playouts went they say less. `two`: whether there
    is but one opponent."""
    if one.winning:
        return words.text("advice.wins_now")
    if 2 * best.ended >= best.playouts and one.ended:
        share = round(100 * one.share)
        return words.text("advice.share", share=words.number(share)) if share else words.text("advice.wins_none")
    if one is not best:
        return ""
    lead = round(one.lead, 1)
    return words.text(("advice.two." if two else "advice.") + ("ahead" if lead > 0 else "behind" if lead < 0 else "level"))
