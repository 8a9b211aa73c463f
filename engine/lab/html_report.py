"""The report as one self-contained web page: what a house rule changed and what the games are like, in text,
pictures and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...dsl.diagnostics.safe_read import read_text
from ..i18n import ProperName, TextValue
from ..i18n.template import capitalize_first
from ..table_view.html_page import escape_html, html_table, render_html_page
from .ab_test import ComparisonResult
from .choice_labels import member_label
from .choice_report import ChoiceChapter
from .choice_value import ChoiceShift, ChoiceValue
from .comparison_text import ComparisonSentences, PackReport
from .game_statistics import DistributionSummary, GameStatistics
from .plots import ReportPlots
from .report_text import ReportSentences
from .score_sources import MAX_REPLAYED_GAMES

STYLESHEET_PATH = Path(__file__).resolve().parent / "assets" / "report.css"
MAX_LISTED_VALUES = 8                          # per pack, at the top of the page


@dataclass(frozen=True)
class ReportData:
    """The content of a report page. Sequences start with the rules of interest, then follow the rules compared with.

    `packs` has the house-rule packs in use by name, each with the values that it sets. `descriptions` has their
    texts in the reader's language. `sources` says where points came from if the standing has no terms (see
    score_sources.py)."""

    sentences: ReportSentences
    figures: Sequence[GameStatistics]
    merits: Sequence[ChoiceValue]
    verdict: ComparisonResult | None = None
    shifts: Sequence[ChoiceShift] = ()
    packs: Sequence[dict[str, dict[str, object]]] = field(default_factory=lambda: ({},))
    sources: Sequence[dict[str, list[float]]] = field(default_factory=lambda: ({}, {}))
    effects: PackReport = field(default_factory=PackReport)
    descriptions: Sequence[dict[str, str]] = ()


def render_report(report: ReportData) -> str:
    """Returns the whole page, in the language of the narrator."""
    return ReportPage(report).render()


def paragraphs_html(texts: Sequence[str]) -> str:
    return "".join(f"<p>{escape_html(text)}</p>" for text in texts)


class ReportPage:
    """Writes one report as HTML."""

    def __init__(self, report: ReportData) -> None:
        self.report, self.sentences = report, report.sentences
        self.words, self.narrator = report.sentences.words, report.sentences.narrator
        self.series = [""]
        if report.verdict is not None:
            other = report.sentences.plan.rules[1].pack_sources
            self.series = [self.text("report.house"), self.text("report.other_house" if other else "report.against")]
        self.plots = ReportPlots(lambda value: self.words.format_number(round(value, 6) if value % 1 else int(value)), self.series)
        self.main = report.figures[0]
        self.ended = [one for one in report.figures if one.complete_games]      # the pictures show these next to each other

    def text(self, key: str, /, **args: TextValue) -> str:
        return self.words.text(key, **args)

    def render(self) -> str:
        """Returns the whole page as HTML."""
        verdict = self.report.verdict
        game = self.text("game.name")
        title = self.text("report.title", game=game, n=len(self.main.games)) if verdict is None else self.text(
            "report.title.pairs", game=game, n=verdict.total_pairs)
        parts = [self.changes_section(), self.winners_section()]
        if self.main.complete_games:
            parts += [self.length_section(), self.points_section(), self.leads_section(), self.choices_section()]
        said = self.sentences.pack_sentences(self.report.descriptions)
        body = (
            f"<header><h1>{escape_html(title)}</h1>{paragraphs_html(said)}</header>\n<main>\n"
            + "\n".join(filter(None, parts))
            + f"\n</main>\n<footer>{paragraphs_html(self.about_lines())}</footer>"
        )
        return render_html_page(self.words.lang, title, read_text(STYLESHEET_PATH), body)

    def about_lines(self) -> list[str]:
        """Returns sentences about the bots and the house rules."""
        plan = self.sentences.plan
        out = [self.text("report.about", bots=[ProperName(bot) for bot in dict.fromkeys(plan.bots)], seed=plan.seed)]
        for key, packs in zip(("report.packs", "report.packs.other"), self.report.packs):
            if packs:
                out.append(self.text(key, packs=[ProperName(self.pack_text(name, sets)) for name, sets in packs.items()]))
            elif key == "report.packs.other":
                out.append(self.text("report.packs.base"))
        return out

    def pack_text(self, name: str, sets: dict[str, object]) -> str:
        """Returns the name of a pack with the first values that it sets."""
        said = [f"{path} = {value}" for path, value in sets.items()]
        said = [*said[:MAX_LISTED_VALUES], *("…" for _ in said[MAX_LISTED_VALUES : MAX_LISTED_VALUES + 1])]
        return f"{name} ({'; '.join(said)})" if said else name

    def section_html(self, heading: str, *parts: str) -> str:
        """Returns a section of the page. Empty parts are left out."""
        return f"<section><h2>{escape_html(self.text(heading))}</h2>\n" + "\n".join(filter(None, parts)) + "</section>"

    def figure_html(self, drawn: str, caption: str) -> str:
        return f"<figure>{drawn}<figcaption>{escape_html(caption)}</figcaption></figure>"

    def join_per_ruleset(self, telling: Callable[[GameStatistics], str]) -> str:
        """Returns the text of `telling` for each ruleset, with a heading each if there are two."""
        if len(self.report.figures) < 2:
            return telling(self.main)
        told = [(series, telling(figures)) for series, figures in zip(self.series, self.report.figures)]
        return "\n".join(f"<h3>{escape_html(capitalize_first(series))}</h3>\n{said}" for series, said in told if said)

    # ------------------------------------------------------------ sections

    def changes_section(self) -> str:
        if self.report.verdict is None:
            return ""
        said = ComparisonSentences(self.sentences, self.report.verdict, self.report.effects)
        return self.section_html("report.changed", f'<div class="answer">{paragraphs_html(said.lines())}</div>')

    def team_names(self) -> list[str]:
        """Returns the names of the players of each team. Without teams, these are the names of the players."""
        return [self.narrator.team_name(team[0]) for team in self.main.teams]

    def winners_section(self) -> str:
        said = self.text("report.winners.alt")
        drawn = (
            self.figure_html(
                self.plots.draw_shares(
                    self.team_names(),
                    [[one.win_share(team[0]) for team in one.teams] for one in self.ended],
                    said,
                    self.text("axis.percent"),
                ),
                said,
            )
            if self.ended
            else ""
        )
        return self.section_html(
            "report.winners", drawn, self.join_per_ruleset(lambda figures: paragraphs_html(self.winner_lines(figures)))
        )

    def winner_lines(self, figures: GameStatistics) -> list[str]:
        """Returns sentences about how often each seat, each role and the first player won, with their significance."""
        out = self.sentences.course_sentences(figures)
        if not figures.complete_games:
            return out
        said = [self.sentences.team_sentence(figures, team) for team in figures.teams]
        for name, members in figures.role_win_shares.items():
            enum = self.narrator.game.cells[name].enums[0]
            said += [self.sentences.share_sentence("report.role", share, name=member_label(self.narrator, enum.name, enum.index[member]))
                     for member, share in members.items()]
        if figures.first_decider_win_share is not None:
            said.append(self.sentences.share_sentence("report.began", figures.first_decider_win_share))
        if len(figures.teams) > 1:
            said = [f"{one} {self.sentences.even_sentence(figures, clear)}" for one, clear in zip(said, figures.uneven_flags, strict=True)]
        return [*out, *said, *self.sentences.tie_sentences(figures)]

    def length_section(self) -> str:
        said = self.text("report.length.alt")
        drawn = [self.figure_html(self.plots.draw_lengths([one.lengths for one in self.ended], said, self.text("axis.decisions"),
                                                 self.text("axis.games")), said)]
        if all(one.rounds for one in self.ended):
            said = self.text("report.rounds.alt")
            drawn.append(self.figure_html(self.plots.draw_lengths([one.rounds for one in self.ended], said, self.text("axis.rounds"),
                                                         self.text("axis.games")), said))
        return self.section_html("report.length", *drawn)

    def points_section(self) -> str:
        if not self.main.has_scores:
            return ""
        said = self.text("report.points.alt")
        values = [[[game.scores[team[0]] for game in one.complete_games] for team in one.teams] for one in self.ended]
        return self.section_html(
            "report.points",
            self.figure_html(self.plots.draw_boxes(self.team_names(), values, said, self.text("axis.points")), said),
            self.join_per_ruleset(self.points_html),
        )

    def points_html(self, figures: GameStatistics) -> str:
        """Returns the points of each seat or team, with a table of their sources if there are several."""
        if not figures.complete_games:
            return ""
        each = [DistributionSummary.from_values([game.scores[team[0]] for game in figures.complete_games]) for team in figures.teams]
        told = [
            self.words.range_text(
                "report.points.team" if len(team) > 1 else "report.points.seat",
                name=self.sentences.team_value(team) if len(team) > 1 else self.narrator.seat_value(team[0]),
                mean=self.sentences.format_number(spread.mean),
                low=int(spread.low),
                high=int(spread.high),
            )
            for team, spread in zip(figures.teams, each)
        ]
        parts = figures.mean_terms if len(figures.mean_terms) > 1 else self.report.sources[self.report.figures.index(figures)]
        if len(parts) < 2:
            return paragraphs_html(told)
        if parts is not figures.mean_terms:
            told.append(self.text("report.points.followed", n=min(MAX_REPLAYED_GAMES, len(figures.complete_games))))
        rows = [
            [capitalize_first(self.sentences.source_name(name)), *(self.sentences.format_number(values[team[0]]) for team in figures.teams)]
            for name, values in parts.items()
        ]
        return paragraphs_html(told) + html_table([self.text("report.column.source"), *self.team_names()], rows)

    def leads_section(self) -> str:
        if len(self.main.teams) == 1:                              # nobody can lead
            return ""
        return self.section_html("report.leads", self.join_per_ruleset(lambda figures: paragraphs_html(self.lead_lines(figures))))

    def lead_lines(self, figures: GameStatistics) -> list[str]:
        """Returns sentences about how often the leader wins."""
        half = figures.leader_win_share(1)
        told = [self.sentences.share_sentence("report.lead.half", half)] if half.tries else []
        return [*told, *([self.sentences.share_sentence("report.lead.kept", figures.runaway_share)] if figures.complete_games else [])]

    def choices_section(self) -> str:
        things = ChoiceChapter(self.sentences, self.main, self.report.merits, self.report.shifts, self.things_set_by_packs())
        if not things.shown:
            return ""
        picture = things.draw_picture(self.plots)
        heading = f"<h3>{escape_html(capitalize_first(self.series[0]))}</h3>" if self.report.verdict is not None else ""
        changed = things.change_sentences()
        return self.section_html(
            "report.things", f'<div class="answer">{paragraphs_html(changed)}</div>' if changed else "", things.change_table(),
            heading, paragraphs_html(things.clear_sentences()), self.figure_html(*picture) if picture else "", *things.group_tables(),
            paragraphs_html([things.method_note()]))

    def things_set_by_packs(self) -> set[str]:
        """Returns the things whose numbers a pack sets: `Card.joker` for `Card.joker.points`."""
        return {path.rpartition(".")[0] for packs in self.report.packs for sets in packs.values() for path in sets}
