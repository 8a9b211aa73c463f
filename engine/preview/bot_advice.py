"""The advice of a strong bot: which option it would choose for the player, and why.

The bot sees only what the player may see. The command `advice` prints this, and `Match.hint` returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..bots.search_tree import OptionStats
from ..i18n import Localizer
from ..narration.narrator import Narrator
from .preview_texts import OptionPreviews

TIE_PLAYOUT_DIVISOR = 5                             # at least 4 playouts for each 5 of the best option count as equal
MIN_PLAYOUT_DIVISOR = 5                            # this fraction of the best option's playouts is enough to compare


@dataclass(frozen=True)
class BotAdvice:
    """The options from best to worst, and the advice in words."""

    ranked: tuple[OptionStats, ...]
    take: str                                                      # the best option and what to expect of it
    changes: tuple[str, ...]                                       # what it would change
    next_best: str                                                 # the same for the next best option; "" if there is none

    @property
    def lines(self) -> list[str]:
        """The advice as lines of text. Changes are indented."""
        return [self.take, *(f"  {part}" for part in self.changes), *filter(None, [self.next_best])]


def make_advice(stats: Sequence[OptionStats], previews: OptionPreviews, narrator: Narrator) -> BotAdvice:
    """Returns the advice on a decision, from the statistics of its options."""
    words, decision = narrator.words, previews.decision
    two = decision.position.game.players == 2
    text = {option.code: narrator.option_text(decision, option) for option in decision.options}
    hints, _ = previews.preview_all()
    gains = {code: hint.rank_gains() for code, hint in hints.items()}
    best = prefer_gains(pick_best(stats), stats, gains)
    others = [one for one in stats if one is not best]
    take = " ".join([words.text("advice.take", option=text[best.code]), expectation_text(words, best, best, two)])
    if gains and not any(gain < 0 for gain in gains[best.code]) and any(gain < gains[best.code] for gain in gains.values()):
        take = f"{take} {words.text('advice.patient')}"
    rest = [one for one in others if one.playouts and text[one.code] != text[best.code]]
    second = prefer_gains(rest[0], rest, gains) if rest else None
    next_best = ""
    if second is not None:
        said = words.text("advice.next", option=text[second.code])
        alike = words.text("advice.alike") if is_tie(second, best) else ""
        next_best = " ".join(part for part in (said, expectation_text(words, second, best, two), alike) if part)
    return BotAdvice((best, *others), take, tuple(previews.preview(best.code).all_texts), next_best)


def prefer_gains(best: OptionStats, stats: Sequence[OptionStats], gains: Mapping[int, tuple[int, ...]]) -> OptionStats:
    """Returns the option that brings most among those that the search cannot tell from the best. Gains are those of previews."""
    tied = [one for one in stats if one is not best and is_tie(one, best)] if gains else []
    return min([best, *tied], key=lambda one: gains[one.code]) if tied else best


def is_tie(one: OptionStats, best: OptionStats) -> bool:
    """Whether the search cannot tell two options apart: similar numbers of playouts and the same share of wins."""
    even = TIE_PLAYOUT_DIVISOR * one.playouts >= (TIE_PLAYOUT_DIVISOR - 1) * best.playouts
    return even and not best.winning and round(50 * one.share) == round(50 * best.share)


def pick_best(stats: Sequence[OptionStats]) -> OptionStats:
    """Returns the best option.

    If most playouts of the best reached the end, options with the same share of wins are compared by lead."""
    best = stats[0]
    if best.winning or 2 * best.ended < best.playouts:
        return best
    alike = [one for one in stats if MIN_PLAYOUT_DIVISOR * one.playouts >= best.playouts and 2 * one.ended >= one.playouts > 0
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
