"""The standing as text and as data: each player's points, the winner, and the sources of the points."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any

from ...dsl.core.nodes import CallDef, StateRef
from ...dsl.core.walk import walk
from ..i18n import Localizer
from ..i18n.template import capitalize_first
from ..i18n.text_layout import wrap_cells
from ..library.find import format_place
from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..narration.result_text import describe_result
from ..position.points import find_points, has_points, points_by_seat, points_of_ranks, points_sign
from ..position.ranking import Rank, team_ranks
from ..table_view.plain_renderer import render_plain
from ..table_view.view_model import GridPanel, Line, StyledText
from .score_breakdown import ScoreGain, ScorePart, list_score_parts, replay_scores

INDENT = "  "


def standing_lines(table: MatchTable, loaded: LoadedGame, lang: str, max_rounds: int | None = None) -> list[str]:
    """Returns the standing in words, with the winner or the number of rounds played so far."""
    words = loaded.localizer(lang)
    narrator = Narrator(loaded.game, words, table.setup.names)
    ranks = table.position.standing()
    points, teams = points_of_ranks(table.game, ranks), team_ranks(ranks)
    lines = []
    if not table.over:
        rounds = table.position.rounds
        lines.append(words.text("play.stopped", n=rounds - 1 if max_rounds is not None and rounds > max_rounds else rounds))
    lines.append(words.text("result.standing" if table.over else "result.standing_now"))
    if len(teams) == 1 < len(ranks):
        return [*lines, *common_result_lines(table, narrator, teams[0])]
    for rank, behind in zip_longest(teams, teams[1:]):
        who = narrator.team_name(rank.seat)
        by = tie_break_text(table, words, rank, behind) if table.over and behind is not None else ""
        if points:
            said = words.text("result.rank", rank=rank.rank, who=who, score=points[rank.seat])
        else:
            said = words.text("result.rank_only", rank=rank.rank, who=who)
        lines += [said, *([2 * INDENT + by] if by else [])]
    if table.over:
        key, fields = describe_result(narrator, [rank.seat for rank in ranks if rank.rank == 1], not points)
        lines.append(words.text(key, **fields))
    return lines


def common_result_lines(table: MatchTable, narrator: Narrator, rank: Rank) -> list[str]:
    """Returns the result of players who all win or lose together: their points, or whether they won."""
    if has_points(table.game):
        score = points_of_ranks(table.game, [rank])[rank.seat]
        return [narrator.words.text("breakdown.who", who=narrator.team_name(rank.seat), score=score)]
    won = list(range(table.game.players)) if rank.rank == 1 else []
    key, fields = describe_result(narrator, won, False)
    return [narrator.words.text(key, **fields)] if table.over else []


def tie_break_text(table: MatchTable, words: Localizer, rank: Rank, next_rank: Rank) -> str:
    """Returns the text that says why a player ranks before the next one with the same points.

    The game may provide a text (`standing.2` for the second value of its standing). Otherwise the value is named
    by its only part that has a caption. Returns "" if there is no tie or no name."""
    n = next((n for n, (a, b) in enumerate(zip(rank.values, next_rank.values)) if a != b), 0)
    if n <= (find_points(table.game) or 0):
        return ""
    if words.has(f"standing.{n + 1}"):
        return words.text(f"standing.{n + 1}", n=abs(rank.values[n]), m=abs(next_rank.values[n]))
    program = table.game.ruleset.program
    named = [node.family for node in walk(program.goals["standing"].values[n]) if isinstance(node, CallDef)]
    named += [node.state for node in walk(program.goals["standing"].values[n]) if isinstance(node, StateRef)]
    called = list(dict.fromkeys(words.text(key) for name in named for key in (f"score.{name}", f"state.{name}", f"panel.{name}")
                                if words.has(key)))
    return words.text("result.ahead_by", what=called[0]) if len(called) == 1 else ""


# the seed reveals every random result, and the hash confirms guesses
HIDDEN_SUMMARY_KEYS = ("seed", "hash")
STANDING_KEYS = ("standing",)               # may include hidden values before the match is over


def summary_for_seat(data: dict[str, Any], over: bool) -> dict[str, Any]:
    """Returns the summary without the keys that one seat must not see."""
    return {key: value for key, value in data.items() if key not in HIDDEN_SUMMARY_KEYS and (over or key not in STANDING_KEYS)}


def match_summary(table: MatchTable, max_rounds: int | None) -> dict[str, Any]:
    """Returns the output of `play --json`. It is the same for the same rules, seed and bots on every machine and in
    every language."""
    setup, position = table.setup, table.position
    members = position.game.model.enums["Player"].members
    rounds = position.rounds if max_rounds is None else min(position.rounds, max_rounds)
    sign, place = points_sign(position.game), find_points(position.game) or 0
    standing = [{"seat": rank.seat, "name": setup.names[rank.seat] or members[rank.seat], "score": sign * rank.values[place],
                 "rank": rank.rank} | ({"team": rank.team} if rank.team else {}) for rank in position.standing()]
    house = [{"name": entry["name"], "hash": entry["hash"]} for entry in setup.house]
    return {"game": position.game.ruleset.id, "options": setup.options, "house": house,
            "seed": setup.seed, "players": setup.players, "decisions": table.asked, "rounds": rounds, "finished": position.over,
            "standing": standing, "hash": position.digest()}


def breakdown_lines(table: MatchTable, loaded: LoadedGame, narrator: Narrator, width: int) -> list[str]:
    """Returns the table of `build_breakdown` as lines, or nothing."""
    grid = build_breakdown(table, narrator)
    return ["", *render_plain([grid], width)] if grid is not None else []


def build_breakdown(table: MatchTable, narrator: Narrator) -> GridPanel | None:
    """Returns the sources of all points as a table: a row for each source, the largest first,
    and a column for each player or team, the best first.

    Returns None if the game counts no points, or if all points come from one source."""
    by_source: dict[str, dict[int, int]] = {}
    for part in list_score_parts(table, narrator.words.has):
        by_source.setdefault(part.source, {})[part.seat] = part.points
    rows = [(source, points) for source, points in by_source.items() if any(points.values())]
    if len(rows) < 2:
        return None
    rows.sort(key=lambda row: -sum(row[1].values()))
    totals = points_of_ranks(table.game, team_ranks(table.position.standing()))
    words = narrator.words

    def cell(n: int) -> Line:
        return [StyledText(words.format_number(n))] if n else []

    drawn = [
        [[StyledText(source_caption(source, narrator))], *(cell(points.get(seat, 0)) for seat in totals)] for source, points in rows
    ]
    drawn.append([[StyledText(words.text("breakdown.total"))], *([StyledText(words.format_number(points))] for points in totals.values())])
    return GridPanel(words.text("breakdown.title"), ["", *map(narrator.team_name, totals)], drawn, key="breakdown")


def score_lines(table: MatchTable, loaded: LoadedGame, narrator: Narrator, seat: int, width: int, as_sentences: bool = False) -> list[str]:
    """Returns the history of a seat's points, round by round, then the points that are computed from the position.

    Each line has the gain, the running total, the source, the rule line and the clauses. With
    `as_sentences`, for people at the table, each rule is shown by its sentence instead, at its first use
    only. Returns nothing if the game counts no points."""
    if not has_points(loaded.game):
        return []
    words = narrator.words
    played = replay_scores(table)
    total = points_by_seat(table.position)[seat]
    out = [words.text("breakdown.who", who=narrator.player_name(seat), score=total)]
    read: set[str] = set()

    def entry_lines(first_line: str, found: ScoreGain | ScorePart) -> list[str]:
        return (
            lines_with_sentence(first_line, found, width, narrator, read) if as_sentences else lines_with_places(first_line, found, width)
        )

    reached, number = 0, None
    for one in merge_gains(played.list_gains(words.has, [seat])):
        if one.round != number:
            number = one.round
            out.append(INDENT + words.text(*(("play.round",) if number else ("breakdown.before",)), number=number))
        reached += one.points
        said = words.text(
            "breakdown.gained", points=words.format_signed_number(one.points), total=reached, source=source_caption(one.source, narrator)
        )
        out += entry_lines(said, one)
    parts = [part for part in played.list_computed_parts(words.has, seat) if part.points]
    if parts:
        out.append(INDENT + words.text("breakdown.table"))
    for part in parts:
        said = words.text("breakdown.part", points=words.format_signed_number(part.points), source=source_caption(part.source, narrator))
        out += entry_lines(said, part)
    return out


def merge_gains(gains: list[ScoreGain]) -> list[ScoreGain]:
    """Merges consecutive gains of one step from the same rule into one."""
    out: list[ScoreGain] = []
    for one in gains:
        if out and replace(out[-1], points=one.points) == one:
            out[-1] = replace(one, points=out[-1].points + one.points)
        else:
            out.append(one)
    return out


def lines_with_sentence(
    first_line: str, found: ScoreGain | ScorePart, width: int, narrator: Narrator, clauses_shown: set[str]
) -> list[str]:
    """Returns a line, followed by the sentence of its clause unless that clause is in `clauses_shown` already.

    A computed part may be a sum that follows several clauses of one family. Then the sentences of all of them are
    shown."""
    spoken = [clause for clause in found.clauses if narrator.clause_text(clause)]
    alike = (
        [clause for clause in spoken if clause_family(clause) == clause_family(spoken[0])] if isinstance(found, ScorePart) else spoken[:1]
    )
    sentences = [sentence for clause in alike if clause not in clauses_shown and (sentence := narrator.clause_text(clause))]
    clauses_shown |= {*alike}
    return [*wrap_indented(first_line, width, 2), *(line for sentence in sentences for line in wrap_indented(sentence, width, 4))]


def clause_family(clause: str) -> str:
    """Returns the family of a clause: EVO-SCORE for EVO-SCORE-03."""
    return clause.rpartition("-")[0]


def lines_with_places(first_line: str, found: ScoreGain | ScorePart, width: int) -> list[str]:
    """Returns a line with its rule line and its clauses."""
    rule = f" ({format_place(*found.place)})" if found.place else ""
    cites = "".join(f" [{clause}]" for clause in found.clauses)
    return wrap_indented(first_line + rule + cites, width, 2)


def wrap_indented(text: str, width: int, indent: int) -> list[str]:
    """Wraps a list item. Its later lines are indented further."""
    return wrap_cells(indent * INDENT + text, width, (max(4, indent) - indent) * INDENT, break_words=False)


def source_caption(source: str, narrator: Narrator) -> str:
    """Returns the caption of a source of points (see score_breakdown.py)."""
    words = narrator.words
    head = source.partition(".")[0]
    if head in ("score", "breakdown", "state") and words.has(source):
        return words.text(source)
    shown = next((key for key in (f"state.{source}", f"panel.{source}") if words.has(key)), None)      # the caption that tables use
    if shown is not None:
        return capitalize_first(words.text(shown))
    if words.has(f"{source}.name"):
        return words.text(f"{source}.name") if head == "phase" else capitalize_first(words.noun(source))
    return capitalize_first(words.humanize_identifier(source.rpartition(".")[2]))
