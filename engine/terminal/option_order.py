"""In which order the options of a question stand: as the table shows the things in them, those of each player together, one's own last."""

from __future__ import annotations

from ...dsl.game.table_config import kind_of, values_named
from ...dsl.types.types import Of
from ..narration.ownership import PLAYER, Owners
from ..position.inspect import reckoned
from ..position.options import Option
from ..position.position import Decision, Position
from ..position.visibility import sees
from ..table_view.theme import look_of

Rank = tuple[int, ...]


def in_order(decision: Decision) -> tuple[list[Option], dict[int, bool]]:
    """The options as they are shown: where things of several players may be chosen, those of one stand together, one's own last; things
    that have rows in a table in the order of these. And then by code, whether what an option chooses is one's own."""
    options, whose = decision.options, owners_of(decision)
    ranks = ranked(decision)
    places = {option.code: n for n, option in enumerate(options)}
    def key(option: Option) -> tuple[int, Rank]:
        return whose.get(option.code, 0), ranks.get(option.code, (places[option.code],))
    own = decision.seat + decision.position.game.players
    mine = {option.code: whose[option.code] == own for option in options if whose and not option.declines}
    return sorted(options, key=key), mine


def owners_of(decision: Decision) -> dict[int, int]:
    """By code, whose thing an option chooses, in the order in which they stand; nothing where something is nobody's."""
    position = decision.position
    owners, players = Owners(position.game), position.game.players
    whose: dict[int, int] = {}
    for option in decision.options:
        kind, raw = option.values[-1][1:] if option.values else (None, 0)
        if kind is None:
            whose[option.code] = decision.seat + players + 1       # nothing of anybody: after all others
            continue
        owner = owners.owner(kind, raw, position) if isinstance(kind, Of) and owners.kind(kind.name) != PLAYER else None
        if owner is None:
            return {}
        whose[option.code] = owner if owner > decision.seat else owner + players
    return whose


def ranked(decision: Decision) -> dict[int, Rank]:
    """By code, where an option stands among all: in its entry of the menu, what has a row in a table by its row, and all else as the rules
    go through it. Nothing where no option chooses anything that has a row."""
    rows = rows_shown(decision.position, decision.seat)
    if not rows:
        return {}
    seen: dict[tuple[str | None, int], dict[int, int]] = {}       # by entry and place in it, what is chosen, as it comes
    entries: dict[str | None, int] = {}
    for option in decision.options:
        entries.setdefault(option.entry, len(entries))
        for n, (_, _, raw) in enumerate(option.values):
            known = seen.setdefault((option.entry, n), {})
            known.setdefault(raw, len(known))
    found: dict[int, Rank] = {}
    any_row = False
    for option in decision.options:
        rank = [option.declines, entries[option.entry]]
        for n, (_, kind, raw) in enumerate(option.values):
            known, row = seen[option.entry, n], rows.get(decision.position.game.model.aliases.get(kind.name, kind.name), {}) \
                if isinstance(kind, Of) else {}
            there = bool(row) and all(thing in row for thing in known)
            any_row = any_row or there
            rank.append(row[raw] if there else known[raw])
        found[option.code] = tuple(rank)
    return found if any_row else {}


def rows_shown(position: Position, seat: int) -> dict[str, dict[int, int]]:
    """By type, the things that have rows in a table, each with the number of its row."""
    game = position.game
    found: dict[str, dict[int, int]] = {}
    for panel in look_of(game).panels or []:
        if kind_of(panel) != "table" or "rows" not in panel:
            continue
        domain = game.model.aliases.get(panel["table"], panel["table"])
        rows: list[int] = []
        for value in values_named(game.ruleset, panel["rows"]):
            for index in [[]] if not value.domains else [[n] for n in range(len(game.model.enums[value.domains[0]]))]:
                if value.cell is not None:
                    raw = position.at(value.cell, index) if sees(position, value.cell, index, seat) else None
                else:
                    raw = reckoned(value.function, position, *index) if value.function is not None else None
                rows += [] if raw is None else game.codec(value.type).parts(raw)
            break
        if game.model.enums[domain].kind != "player":
            found[domain] = {n: row for row, n in enumerate(dict.fromkeys(rows))}
    return found


def scrambled(decision: Decision, numbers: dict[int, int]) -> bool:
    """Whether these numbers, by code, put things of one entry in another order than their rows have. Where things of several players may be
    chosen, those of each stand by themselves."""
    whose, entries = owners_of(decision), {option.code: option.entry for option in decision.options if not option.declines}
    groups: dict[tuple[int, str | None], list[tuple[Rank, int]]] = {}
    for code, rank in ranked(decision).items():
        if code in entries:
            groups.setdefault((whose.get(code, 0), entries[code]), []).append((rank, numbers[code]))
    return any(sorted(group) != sorted(group, key=lambda pair: pair[1]) for group in groups.values())
