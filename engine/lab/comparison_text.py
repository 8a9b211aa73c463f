"""The effect of house rules, as sentences for players: what the rules say, how often they came into play, what they change, and what is
still open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..i18n import ProperName
from .choice_labels import ChoiceLabels
from .game_statistics import SHARE_MEASURES
from .pack_activity import PackActivity
from .report_text import ReportSentences

if TYPE_CHECKING:                    # ab_test needs packages that are not always installed
    from .ab_test import ComparisonResult, MeasureChange

MAX_CHOICES = 5                      # that one sentence lists with their frequency


@dataclass(frozen=True)
class PackReport:
    """The facts about the house rules of a comparison, apart from the test.

    `subjects` are the measures of the seats and roles that the packs name. `chosen` has the mean number of choices per
    game of each thing that the packs add or name."""

    subjects: Sequence[str] = ()
    chosen: dict[str, float] = field(default_factory=dict)
    activity: PackActivity = field(default_factory=PackActivity)

    def data(self) -> dict[str, Any]:
        return {"subjects": list(self.subjects), "chosen": {thing: round(times, 4) for thing, times in self.chosen.items()},
                "activity": self.activity.data()}


class ComparisonSentences:
    """Writes the result of a comparison, the most important sentences first."""

    def __init__(self, sentences: ReportSentences, verdict: ComparisonResult, packs: PackReport) -> None:
        self.sentences, self.text, self.verdict, self.packs = sentences, sentences.words.text, verdict, packs

    def lines(self) -> list[str]:
        """Returns all sentences."""
        return [*self.result_lines(), *self.sample_lines()]

    def result_lines(self) -> Iterator[str]:
        """Yields how often the house rules came into play, then the result of each measure.

        The order is: games without an end, the seats and roles that the packs name, all other clear results, the choices that the
        packs add, all that is not clear."""
        verdict = self.verdict
        often = self.packs.activity.moves if not self.packs.chosen else None
        key, args = "differing", {"n": verdict.differing, "all": verdict.comparable_pairs}
        if verdict.alike:
            key, args = "alike", {"n": verdict.pairs}
        if not verdict.pairs + verdict.unfinished:                 # a rule failed in every pair
            return
        if not verdict.pairs:
            yield self.text("compare.unended", n=verdict.unfinished)
        elif verdict.alike and self.sentences.plan.rules[1].pack_sources:
            yield self.text("compare.alike.other", **args)
        elif often:
            yield self.text(f"compare.{key}.moves", moves=self.sentences.format_number(often), **args)
        else:
            yield self.text(f"compare.{key}", **args)
        if verdict.alike:
            yield from self.choice_lines()
            return
        if not verdict.clear and verdict.pairs:
            yield self.text("compare.nothing")
        endless = [change for change in verdict.changes if change.measure == "stalled" and change.clear]
        first = [change for change in verdict.changes if change.measure in self.packs.subjects]
        rest = [change for change in verdict.changes if change not in (*endless, *first)]
        yield from map(self.change_sentence, endless)
        yield from self.change_lines(first)
        yield from (self.change_sentence(change) for change in rest if change.clear)
        yield from self.choice_lines()
        yield from self.change_lines([change for change in rest if not change.clear])
        if needed := [change.needed for change in verdict.changes if is_open(change) and change.needed is not None]:
            yield self.text("compare.open.all", command=ProperName(str(max(needed))))

    def change_lines(self, changes: Sequence[MeasureChange]) -> Iterator[str]:
        """Yields the sentences about clear changes, then one about all negligible ones, then one for each open kind of measure."""
        yield from (self.change_sentence(change) for change in changes if change.clear)
        small = group_by_kind([change for change in changes if not change.clear and change.is_negligible])
        if small:
            yield self.text("compare.small", things=[name for group in small for name in self.kind_names(group)])
        for group in group_by_kind(list(filter(is_open, changes))):
            needed = [change.needed for change in group if change.needed is not None]
            names = self.kind_names(group)
            yield self.text("compare.open", things=names, needed=max(needed)) if needed else self.text("compare.rest", things=names)

    def kind_names(self, changes: Sequence[MeasureChange]) -> list[ProperName]:
        """Returns the names of measures of one kind."""
        return self.sentences.format_measure_names([change.measure for change in changes])

    def change_sentence(self, change: MeasureChange) -> str:
        """Returns a sentence about the difference of one measure."""
        name = change.measure.partition(".")[0]
        scale = 100 if name in SHARE_MEASURES else 1
        ends = [scale * end for end in (change.low, change.high)]
        low, high = ends if change.by > 0 else [-end for end in reversed(ends)]
        number = self.sentences.format_number
        return self.text(
            f"compare.{name}.{'more' if change.by > 0 else 'less'}",
            name=self.sentences.measured_value(change.measure),
            before=number(scale * change.before),
            after=number(scale * change.after),
            by=number(scale * abs(change.by)),
            low=number(low),
            high=number(high),
        )

    def choice_lines(self) -> Iterator[str]:
        """Yields how often players chose what the packs add, and warnings about bots that never or always choose it."""
        activity = self.packs.activity
        labels = ChoiceLabels(self.sentences.narrator).label_all([*self.packs.chosen, *dict(activity.never), *dict(activity.always)])
        often = sorted((thing for thing, times in self.packs.chosen.items() if times), key=lambda thing: -self.packs.chosen[thing])
        if often:
            yield self.text("compare.chosen", things=[
                ProperName(self.text("compare.chosen.thing", thing=ProperName(labels[thing]),
                                     times=self.sentences.format_number(self.packs.chosen[thing])))
                for thing in often[:MAX_CHOICES]])
        known = {*dict(activity.never), *dict(activity.always)}
        for thing, times in self.packs.chosen.items():
            if not times and thing not in known:
                yield self.text("compare.unchosen", thing=ProperName(labels[thing]))
        for key, things in (("compare.never", activity.never), ("compare.always", activity.always)):
            for thing, count in things:
                yield self.text(key, thing=ProperName(labels[thing]), n=count)

    def sample_lines(self) -> Iterator[str]:
        """Yields which games were compared: those without an end, the number of pairs, and the kind of bots."""
        verdict, plan = self.verdict, self.sentences.plan
        if verdict.unfinished:
            after, before = verdict.stalled
            yield self.text("compare.unfinished", n=verdict.unfinished, after=after, before=before, limit=plan.limit)
        if verdict.total_pairs < verdict.planned:
            yield self.text("compare.stopped", n=verdict.total_pairs, planned=verdict.planned)
        else:
            yield self.text("compare.played", n=verdict.total_pairs)
        if set(plan.bots) == {"random"}:
            yield self.text("compare.random")


def is_open(change: MeasureChange) -> bool:
    """Whether a measure is neither clear nor negligible. An event that never happened with any rules is not worth a sentence."""
    has_never_happened = change.measure in ("shared", "stalled") and change.before == change.after == 0
    return not (change.clear or change.is_negligible or has_never_happened)


def group_by_kind(changes: Sequence[MeasureChange]) -> list[list[MeasureChange]]:
    """Returns the changes in groups of one kind of measure, such as all seats."""
    found: dict[str, list[MeasureChange]] = {}
    for change in changes:
        found.setdefault(change.measure.partition(".")[0], []).append(change)
    return list(found.values())
