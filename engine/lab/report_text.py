"""The results of the lab as sentences in a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from ..explain.score_breakdown import find_term_source
from ..i18n import ProperName, TextValue
from ..narration.narrator import Narrator
from .choice_labels import member_label
from .game_statistics import GameStatistics, SampleProportion
from .plan import LabPlan
from .playout import term_key


class ReportSentences:
    """Writes statistics as sentences for one game."""

    def __init__(self, narrator: Narrator, plan: LabPlan) -> None:
        self.narrator, self.words, self.plan = narrator, narrator.words, plan

    def format_number(self, value: float) -> str:
        return self.words.format_number(round(value, 1), 1)

    def format_percent(self, share: float) -> str:
        return self.format_number(100 * share)

    def format_signed(self, value: float) -> str:
        """Returns a number with its sign."""
        value = round(value, 1)
        return ("+" if value > 0 else "−" if value < 0 else "") + self.format_number(abs(value))

    def pack_sentences(self, packs: Sequence[Mapping[str, str]]) -> list[str]:
        """Returns the description of each pack. `packs` has the descriptions by name, first those of interest, then the others."""
        return [self.words.text(key, name=ProperName(name), text=ProperName(said))
                for key, each in zip(("compare.pack", "compare.pack.other"), packs) for name, said in each.items()]

    def game_sentences(self, figures: GameStatistics) -> list[str]:
        """Returns sentences about the number of games, faults, lengths and winners."""
        return [
            *self.course_sentences(figures),
            *(self.team_sentence(figures, team) for team in figures.teams if figures.complete_games),
            *self.tie_sentences(figures),
        ]

    def course_sentences(self, figures: GameStatistics) -> list[str]:
        """Returns sentences about the number of games, faults and lengths."""
        text = self.words.text
        out = [text("simulate.games", n=len(figures.games))]
        failed = sum(count for _, count in figures.fault_counts)
        if failed:
            out.append(text("simulate.faults", n=failed))
        if figures.games_at_limit:
            out.append(text("simulate.stalled", n=len(figures.games_at_limit), limit=self.plan.limit, seed=figures.games_at_limit[0].seed))
        if figures.complete_games:
            out.append(self.range_sentence("simulate.lengths", figures.lengths))
        if rounds := figures.rounds:
            out.append(self.range_sentence("simulate.rounds", rounds))
        return out

    def range_sentence(self, key: str, lengths: Sequence[int]) -> str:
        """Returns a sentence about sorted lengths of games: their range and median, or the only length."""
        low, high = lengths[0], lengths[-1]
        if low == high:
            return self.words.text(f"{key}.equal", n=low)
        return self.words.text(key, low=low, high=high, middle=int(median(lengths)))

    def tie_sentences(self, figures: GameStatistics) -> list[str]:
        return [self.words.text("simulate.shared", n=figures.tie_count)] if figures.tie_count else []

    def even_sentence(self, figures: GameStatistics, clear: bool) -> str:
        """Returns the sentence that compares a share with an even one.

        `clear` says whether the difference is significant."""
        return self.words.text("report.even.clear" if clear else "report.even.unclear", expected=self.format_percent(figures.even_share))

    def team_sentence(self, figures: GameStatistics, team: Sequence[int]) -> str:
        """Returns the sentence about the wins of a team, or about its points if it plays alone and cannot lose."""
        if len(figures.teams) == 1 and len(team) > 1 and figures.has_scores:
            points = figures.score_summary(team[0])
            return self.words.range_text("simulate.team_points", mean=self.format_number(points.mean), low=int(points.low),
                                         high=int(points.high))
        share = figures.win_share(team[0])
        low, high = map(self.format_percent, share.interval)
        key, name = ("simulate.team", self.team_value(team)) if len(team) > 1 else ("simulate.seat", self.narrator.seat_value(team[0]))
        return self.words.text(key, name=name, n=share.hits, share=self.format_percent(share.value), low=low, high=high)

    def team_value(self, team: Sequence[int]) -> TextValue:
        """Returns the players of a team, for a text."""
        return [self.narrator.seat_value(seat) for seat in team]

    def share_sentence(self, key: str, share: SampleProportion, **args: str) -> str:
        """Returns a sentence about a proportion with its confidence interval."""
        low, high = map(self.format_percent, share.interval)
        return self.words.text(key, share=self.format_percent(share.value), low=low, high=high, n=share.tries, **args)

    def source_name(self, name: str) -> str:
        """Returns the display name of a term of the score (see `playout.term_key`)."""
        known = {term_key(term): find_term_source(term, self.words.has)[0] for term in self.narrator.game.module.terms}
        key = known.get(name, name)
        named = key if key.partition(".")[0] in ("score", "state", "breakdown") else f"{key}.name"
        return self.words.text_or(named, key.rpartition(".")[2])

    # ------------------------------------------------------------ measures of a comparison

    def measured_value(self, measure: str) -> TextValue:
        """Returns the seat or the role of a measure, or "" if it has neither."""
        kind, *parts = measure.split(".")
        if kind == "seat":
            return self.narrator.seat_value(int(parts[0]))
        if kind == "team":
            return self.team_value(self.narrator.game.partners[int(parts[0])])
        return self.role_value(*parts) if kind == "role" else ""

    def role_value(self, state: str, member: str) -> TextValue:
        """Returns the name of a member that belongs to a player all game long."""
        enum = self.narrator.game.cells[state].enums[0]
        return ProperName(member_label(self.narrator, enum.name, enum.index[member]))

    def format_measure_names(self, measures: Sequence[str]) -> list[ProperName]:
        """Returns the names of measures, for use within a sentence. All roles share one name, and so do the seats of all players."""
        roles = [self.measured_value(measure) for measure in measures if measure.startswith("role.")]
        single = [measure for measure in measures if not measure.startswith("role.")]
        found = []
        if len(single) > 1 and {f"seat.{seat}" for seat in range(self.narrator.game.players)} <= set(single):
            found = [self.words.text("measure.seats")]
            single = [measure for measure in single if not measure.startswith("seat.")]
        found += [self.words.text(f"measure.{measure.partition('.')[0]}", name=self.measured_value(measure)) for measure in single]
        return [*map(ProperName, found), *([ProperName(self.words.text("measure.role", names=roles))] if roles else [])]
