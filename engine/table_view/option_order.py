"""The order of the options of a question.

Options follow the order of the things on the table. Those about things of one player stay together, and the
deciding player's own come last."""

from __future__ import annotations

from ...dsl.game.table_config import lookup_table_values, panel_kind
from ...dsl.types.types import MemberOf
from ..narration.ownership import PLAYER_DOMAIN, OwnershipIndex
from ..position.inspect import evaluate_def
from ..position.options import Option
from ..position.position import Decision, Position
from ..position.visibility import can_see
from .theme import theme_of

SortKey = tuple[int, ...]


def sort_options(decision: Decision) -> tuple[list[Option], dict[int, bool]]:
    """Returns the options in display order, and by code whether an option chooses the player's own thing.

    If things of several players can be chosen, those of each player stay together, the player's own last.
    Things with rows in a table follow the order of the rows."""
    options, whose = decision.options, option_owners(decision)
    ranks = rank_options(decision)
    places = {option.code: n for n, option in enumerate(options)}
    def key(option: Option) -> tuple[int, SortKey]:
        return whose.get(option.code, 0), ranks.get(option.code, (places[option.code],))
    own = decision.seat + decision.position.game.players
    mine = {option.code: whose[option.code] == own for option in options if whose and not option.declines}
    return sorted(options, key=key), mine


def option_owners(decision: Decision) -> dict[int, int]:
    """Returns a sort key by code for the owner of the thing that an option chooses; empty if one has no owner."""
    position = decision.position
    owners, players = OwnershipIndex(position.game), position.game.players
    whose: dict[int, int] = {}
    for option in decision.options:
        kind, raw = option.values[-1][1:] if option.values else (None, 0)
        if kind is None:
            whose[option.code] = decision.seat + players + 1       # nobody's: last
            continue
        owner = (
            owners.owner_of(kind, raw, position)
            if isinstance(kind, MemberOf) and owners.canonical_domain(kind.name) != PLAYER_DOMAIN
            else None
        )
        if owner is None:
            return {}
        whose[option.code] = owner if owner > decision.seat else owner + players
    return whose


def rank_options(decision: Decision) -> dict[int, SortKey]:
    """Returns the sort key of each option by code; empty if no option chooses a thing that has a row in a table.

    The key has the menu entry, then for each value its table row, or else its order in the rules."""
    rows = index_visible_rows(decision.position, decision.seat)
    if not rows:
        return {}
    seen: dict[tuple[str | None, int], dict[int, int]] = {}       # by entry and value index: values in order
    entries: dict[str | None, int] = {}
    for option in decision.options:
        entries.setdefault(option.entry, len(entries))
        for n, (_, _, raw) in enumerate(option.values):
            known = seen.setdefault((option.entry, n), {})
            known.setdefault(raw, len(known))
    found: dict[int, SortKey] = {}
    any_row = False
    for option in decision.options:
        rank = [option.declines, entries[option.entry]]
        for n, (_, kind, raw) in enumerate(option.values):
            known, row = seen[option.entry, n], rows.get(decision.position.game.model.aliases.get(kind.name, kind.name), {}) \
                if isinstance(kind, MemberOf) else {}
            there = bool(row) and all(thing in row for thing in known)
            any_row = any_row or there
            rank.append(row[raw] if there else known[raw])
        found[option.code] = tuple(rank)
    return found if any_row else {}


def index_visible_rows(position: Position, seat: int) -> dict[str, dict[int, int]]:
    """Returns by type the things that have rows in a table, each with its row number."""
    game = position.game
    found: dict[str, dict[int, int]] = {}
    for panel in theme_of(game).panels or []:
        if panel_kind(panel) != "table" or "rows" not in panel:
            continue
        domain = game.model.aliases.get(panel["table"], panel["table"])
        rows: list[int] = []
        for value in lookup_table_values(game.ruleset, panel["rows"]):
            for index in [[]] if not value.domains else [[n] for n in range(len(game.model.enums[value.domains[0]]))]:
                if value.cell is not None:
                    raw = position.raw_at(value.cell, index) if can_see(position, value.cell, index, seat) else None
                else:
                    raw = evaluate_def(value.function, position, *index) if value.function is not None else None
                rows += [] if raw is None else game.codec(value.type).parts(raw)
            break
        if game.model.enums[domain].kind != "player":
            found[domain] = {n: row for row, n in enumerate(dict.fromkeys(rows))}
    return found


def is_out_of_order(decision: Decision, numbers: dict[int, int]) -> bool:
    """Whether these numbers, by code, order the things of a menu entry differently from their table rows.

    If things of several players can be chosen, each player's things are compared separately."""
    whose, entries = option_owners(decision), {option.code: option.entry for option in decision.options if not option.declines}
    groups: dict[tuple[int, str | None], list[tuple[SortKey, int]]] = {}
    for code, rank in rank_options(decision).items():
        if code in entries:
            groups.setdefault((whose.get(code, 0), entries[code]), []).append((rank, numbers[code]))
    return any(sorted(group) != sorted(group, key=lambda pair: pair[1]) for group in groups.values())
