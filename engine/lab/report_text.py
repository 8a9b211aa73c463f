"""What the lab found out, in the sentences of a language."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from ..explain.score_breakdown import name_of
from ..i18n import Proper
from ..narration.narrator import Teller
from .game_statistics import SHARES, Figures, Share
from .plan import Plan
from .playout import term_key

if TYPE_CHECKING:                    # what compares needs packages that not everybody has
    from .ab_test import Change, Verdict


class Told:
    """Says figures in the words of one game."""

    def __init__(self, teller: Teller, plan: Plan) -> None:
        self.teller, self.words, self.plan = teller, teller.words, plan

    def number(self, value: float) -> str:
        return self.words.number(round(value, 1), 1)

    def percent(self, share: float) -> str:
        return self.number(100 * share)

    def signed(self, value: float) -> str:
        """A number with its sign, where it may be either."""
        value = round(value, 1)
        return ("+" if value > 0 else "−" if value < 0 else "") + self.number(abs(value))

    def games(self, figures: Figures) -> list[str]:
        """How many games, what went wrong, how long they took, who won."""
        return [*self.course(figures), *(self.seat(figures, seat) for seat in range(figures.players) if figures.ended),
                *self.shared(figures)]

    def course(self, figures: Figures) -> list[str]:
        """How many games, what went wrong, how long they took."""
        text = self.words.text
        out = [text("simulate.games", n=len(figures.games))]
        failed = sum(count for _, count in figures.faults)
        if failed:
            out.append(text("simulate.faults", n=failed))
        if figures.stalled:
            out.append(text("simulate.stalled", n=len(figures.stalled), limit=self.plan.limit, seed=figures.stalled[0].seed))
        if figures.ended:
            lengths = figures.lengths
            out.append(text("simulate.lengths", low=lengths[0], high=lengths[-1], middle=int(median(lengths))))
        if rounds := figures.rounds:
            out.append(text("simulate.rounds", low=rounds[0], high=rounds[-1], middle=int(median(rounds))))
        return out

    def shared(self, figures: Figures) -> list[str]:
        return [self.words.text("simulate.shared", n=figures.shared)] if figures.shared else []

    def even(self, figures: Figures, clear: bool) -> str:
        """What would be if all were alike, and whether that is not so."""
        return self.words.text("report.even.clear" if clear else "report.even.unclear", expected=self.percent(figures.even))

    def seat(self, figures: Figures, seat: int) -> str:
        share = figures.won(seat)
        low, high = map(self.percent, share.ends)
        return self.words.text("simulate.seat", name=self.teller.who(seat), n=share.hits, share=self.percent(share.value), low=low,
                               high=high)

    def share(self, key: str, share: Share, **args: str) -> str:
        """A sentence about how many of how many, with the interval."""
        low, high = map(self.percent, share.ends)
        return self.words.text(key, share=self.percent(share.value), low=low, high=high, n=share.tries, **args)

    def source(self, name: str) -> str:
        """What a part of the points is called (`playouts.term_key`)."""
        known = {term_key(term): name_of(term, self.words.has)[0] for term in self.teller.game.module.terms}
        key = known.get(name, name)
        named = key if key.partition(".")[0] in ("score", "state", "breakdown") else f"{key}.name"
        return self.words.text_or(named, key.rpartition(".")[2])

    # ------------------------------------------------------------ comparing

    def compared(self, verdict: Verdict) -> list[str]:
        """What a house rule changes, and whether that is more than chance."""
        text = self.words.text
        whole = verdict.pairs + verdict.unfinished
        if verdict.alike and whole:
            return [text("compare.alike", n=whole)]
        out = [text("compare.stopped", n=verdict.looked_at, planned=verdict.planned) if verdict.looked_at < verdict.planned
               else text("compare.played", n=verdict.pairs)]
        if verdict.unfinished:
            out.append(text("compare.unfinished", n=verdict.unfinished))
        if verdict.differing:
            out.append(text("compare.differing", n=verdict.differing, all=whole))
        out += [self.change(change) for change in verdict.changes if change.clear]
        if not verdict.clear:
            out.append(text("compare.nothing"))
        for key, small in (("compare.small", True), ("compare.rest", False)):
            things = [Proper(self.measure(change.measure)) for change in verdict.changes if not change.clear and change.small == small]
            if things:
                out.append(text(key, things=things))
        return out

    def change(self, change: Change) -> str:
        """By how much a measure is larger or smaller, as a sentence."""
        name, _, seat = change.measure.partition(".")
        scale = 100 if name in SHARES else 1
        ends = [scale * end for end in (change.low, change.high)]
        low, high = ends if change.by > 0 else [-end for end in reversed(ends)]
        who = self.teller.who(int(seat)) if seat else ""
        return self.words.text(f"compare.{name}.{'more' if change.by > 0 else 'less'}", name=who, before=self.number(scale * change.before),
                               after=self.number(scale * change.after), by=self.number(scale * abs(change.by)), low=self.number(low),
                               high=self.number(high))

    def measure(self, measure: str) -> str:
        """What a measure is of, in the middle of a sentence."""
        name, _, seat = measure.partition(".")
        return self.words.text(f"measure.{name}", name=self.teller.who(int(seat)) if seat else "")
