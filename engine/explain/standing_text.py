"""The standing in words and as data: who has how many points, who has won, and where the points come from."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from ...dsl.core.nodes import Ask, Load
from ...dsl.core.walk import walk
from ..i18n import Words
from ..i18n.template import capital
from ..library.find import place_text
from ..library.loaded_game import Loaded
from ..match.table import Table
from ..narration.narrator import Teller
from ..position.position import Rank
from ..table_view.plain_renderer import plain_lines
from ..table_view.view_model import Grid, Line, Span
from .score_breakdown import Gained, Part, breakdown, ledger, scored

INDENT = "  "


def standing_lines(table: Table, loaded: Loaded, lang: str, max_rounds: int | None = None) -> list[str]:
    """The standing in words, with who has won or how far the game went."""
    words = loaded.words(lang)
    teller = Teller(loaded.game, words, table.setup.names)
    ranks = table.position.standing()
    points = scored(loaded.game)
    lines = []
    if not table.over:
        rounds = table.position.rounds
        lines.append(words.text("play.stopped", n=rounds - 1 if max_rounds is not None and rounds > max_rounds else rounds))
    lines.append(words.text("result.standing" if table.over else "result.standing_now"))
    for rank, behind in zip_longest(ranks, ranks[1:]):
        who = teller.name(rank.seat)
        by = ahead(table, words, rank, behind) if table.over and behind is not None else ""
        if points:
            said = words.text("result.rank", rank=rank.rank, who=who, score=rank.values[0])
        else:
            said = words.text("result.rank_only", rank=rank.rank, who=who)
        lines += [said, *([2 * INDENT + by] if by else [])]
    first = [teller.who(rank.seat) for rank in ranks if rank.rank == 1]
    if table.over:
        if len(first) == 1:
            lines.append(words.text("result.winner", who=first[0]))
        elif len(first) == len(ranks) and not points:
            lines.append(words.text("result.drawn"))
        else:
            lines.append(words.text("result.shared", who=first))
    return lines


def ahead(table: Table, words: Words, rank: Rank, behind: Rank) -> str:
    """By what a player comes before the next one who has as much of what counts first: in the words of the game (`standing.2` for the
    second value of its standing), else by what the only thing in that value which has a name is called."""
    n = next((n for n, (a, b) in enumerate(zip(rank.values, behind.values)) if a != b), 0)
    if not n:
        return ""
    if words.has(f"standing.{n + 1}"):
        return words.text(f"standing.{n + 1}", n=abs(rank.values[n]), m=abs(behind.values[n]))
    program = table.game.ruleset.program
    named = [node.family for node in walk(program.goals["standing"].values[n]) if isinstance(node, Ask)]
    named += [node.state for node in walk(program.goals["standing"].values[n]) if isinstance(node, Load)]
    called = list(dict.fromkeys(words.text(key) for name in named for key in (f"score.{name}", f"state.{name}", f"panel.{name}")
                                if words.has(key)))
    return words.text("result.ahead_by", what=called[0]) if len(called) == 1 else ""


UNSEEN = ("seed", "hash")             # of a summary, what tells more than a seat may know: all chance, and a test for any guess
SCORED = ("standing",)               # what may count hidden things while the game goes on


def for_seat(data: dict[str, Any], over: bool) -> dict[str, Any]:
    """A summary as it may be given to one seat."""
    return {key: value for key, value in data.items() if key not in UNSEEN and (over or key not in SCORED)}


def summary(table: Table, max_rounds: int | None) -> dict[str, Any]:
    """What `play --json` prints: the same for the same rules, seed and bots, on every machine and in every language."""
    setup, position = table.setup, table.position
    members = position.game.model.enums["Player"].members
    rounds = position.rounds if max_rounds is None else min(position.rounds, max_rounds)
    standing = [{"seat": rank.seat, "name": setup.names[rank.seat] or members[rank.seat], "score": rank.values[0], "rank": rank.rank}
                for rank in position.standing()]
    house = [{"name": entry["name"], "hash": entry["hash"]} for entry in setup.house]
    return {"game": position.game.ruleset.id, "options": setup.options, "house": house,
            "seed": setup.seed, "players": setup.players, "decisions": table.asked, "rounds": rounds, "finished": position.over,
            "standing": standing, "hash": position.digest()}


def breakdown_lines(table: Table, loaded: Loaded, teller: Teller, width: int) -> list[str]:
    """Where the points come from, as a small table: a row for each source, the one that gave most first, and a column for each player,
    the best first. Nothing in a game that counts no points, or where all of them come from one source."""
    by_source: dict[str, dict[int, int]] = {}
    for part in breakdown(table, teller.words.has):
        by_source.setdefault(part.source, {})[part.seat] = part.points
    rows = [(source, points) for source, points in by_source.items() if any(points.values())]
    if len(rows) < 2:
        return []
    rows.sort(key=lambda row: -sum(row[1].values()))
    ranks = table.position.standing()
    words = teller.words

    def cell(n: int) -> Line:
        return [Span(words.number(n))] if n else []

    drawn = [[[Span(caption(source, teller))], *(cell(points.get(rank.seat, 0)) for rank in ranks)] for source, points in rows]
    drawn.append([[Span(words.text("breakdown.total"))], *([Span(words.number(rank.values[0]))] for rank in ranks)])
    grid = Grid(words.text("breakdown.title"), ["", *(teller.name(rank.seat) for rank in ranks)], drawn)
    return ["", *plain_lines([grid], width)]


def score_lines(table: Table, loaded: Loaded, teller: Teller, seat: int, width: int, spoken: bool = False) -> list[str]:
    """How a seat came to its points, round by round: how many, how many in all, from what, where the rule stands and which clauses it
    follows; then what is counted on the table. `spoken`, at a table: with the sentence of the rule instead, where it is of use for the
    first time. Nothing in a game that counts no points."""
    if not scored(loaded.game):
        return []
    words = teller.words
    played = ledger(table)
    total = next(rank.values[0] for rank in table.position.standing() if rank.seat == seat)
    out = [words.text("breakdown.who", who=teller.name(seat), score=total)]
    read: set[str] = set()

    def entry(said: str, found: Gained | Part) -> list[str]:
        return with_sentence(said, found, width, teller, read) if spoken else with_places(said, found, width)

    reached, number = 0, None
    for one in together(played.gains(words.has, [seat])):
        if one.round != number:
            number = one.round
            out.append(INDENT + words.text(*(("play.round",) if number else ("breakdown.before",)), number=number))
        reached += one.points
        said = words.text("breakdown.gained", points=signed(one.points, words), total=reached, source=caption(one.source, teller))
        out += entry(said, one)
    parts = [part for part in played.terms_of(words.has, seat) if part.points]
    if parts:
        out.append(INDENT + words.text("breakdown.table"))
    for part in parts:
        said = words.text("breakdown.part", points=signed(part.points, words), source=caption(part.source, teller))
        out += entry(said, part)
    return out


def together(gains: list[Gained]) -> list[Gained]:
    """The gains of one step by one rule as one."""
    out: list[Gained] = []
    for one in gains:
        if out and replace(out[-1], points=one.points) == one:
            out[-1] = replace(one, points=out[-1].points + one.points)
        else:
            out.append(one)
    return out


def with_sentence(said: str, found: Gained | Part, width: int, teller: Teller, read: set[str]) -> list[str]:
    """A line with the sentence of its rule below it, unless that has been `read`. What is worked out may be a sum for which several
    clauses of one family stand: then none of them alone says where it comes from, and each does."""
    spoken = [clause for clause in found.clauses if teller.clause(clause)]
    alike = [clause for clause in spoken if family_of(clause) == family_of(spoken[0])] if isinstance(found, Part) else spoken[:1]
    sentences = [sentence for clause in alike if clause not in read and (sentence := teller.clause(clause))]
    read |= {*alike}
    return [*indented(said, width, 2), *(line for sentence in sentences for line in indented(sentence, width, 4))]


def family_of(clause: str) -> str:
    """What a clause is one of: EVO-SCORE of EVO-SCORE-03."""
    return clause.rpartition("-")[0]


def with_places(said: str, found: Gained | Part, width: int) -> list[str]:
    """A line with its rule and its clauses."""
    rule = f" ({place_text(*found.place)})" if found.place else ""
    cites = "".join(f" [{clause}]" for clause in found.clauses)
    return indented(said + rule + cites, width, 2)


def indented(text: str, width: int, deep: int) -> list[str]:
    """A line of a list, going on further to the right."""
    return textwrap.wrap(text, width, initial_indent=deep * INDENT, subsequent_indent=max(4, deep) * INDENT, break_on_hyphens=False,
                         break_long_words=False)


def signed(n: int, words: Words) -> str:
    """A number with its sign, also where it is positive."""
    return ("+" if n >= 0 else "") + words.number(n)


def caption(source: str, teller: Teller) -> str:
    """What a source of points (see scoring.py) is called."""
    words = teller.words
    head = source.partition(".")[0]
    if head in ("score", "breakdown", "state") and words.has(source):
        return words.text(source)
    shown = next((key for key in (f"state.{source}", f"panel.{source}") if words.has(key)), None)      # what tables call it
    if shown is not None:
        return capital(words.text(shown))
    if words.has(f"{source}.name"):
        return words.text(f"{source}.name") if head == "phase" else capital(words.noun(source))
    return capital(words.unnamed(source.rpartition(".")[2]))
