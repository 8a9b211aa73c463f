"""Exchange search: what an option is worth when nothing can be captured any more.

Playouts and a small tree overlook that a piece can be taken. In positions in which few options improve the
estimate, this search follows only options that improve the estimate of the seat that decides
("quiescence search": Harris, 1975). A seat may also leave the estimate as it is, unless every option changes
it.

`c/exchanges.h` does the same, step by step."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ...dsl.storage.control_slots import OPTIONS, RANDOM, SEAT
from ..position.position import Position
from .search_base import SearchBase
from .search_tree import TreeEdge

MAX_EXCHANGES = 4                             # decisions in a row
MAX_EXCHANGE_OPTIONS = 128                    # a position with more options counts as quiet
UNLIMITED = 1 << 60


class ExchangeSearch:
    """The exchange search below one decision of two seats that see everything. It stops if `thinking` has no work left."""

    def __init__(self, thinking: SearchBase, luck: int) -> None:
        self.thinking, self.luck = thinking, luck

    def settle_option(self, world: Position, code: int, seat: int, low: int, high: int) -> int:
        """Returns the lead of `seat` after an option and the exchanges that follow, as far as it is between these.

        Raises the errors of the rules."""
        after = world.copy()
        decides = bool(after.step(code))
        self.thinking.spend_steps(1)
        lead = self.thinking.seat_margin(self.thinking.seat_estimates(after), seat)
        return self.settle_for_seat(after, decides, lead, seat, low, high, MAX_EXCHANGES)

    def settle_for_seat(self, after: Position, decides: bool, lead: int, seat: int, low: int, high: int, depth: int) -> int:
        """Returns the lead of `seat` in a position in which any seat may decide. `lead` is its lead there."""
        if not decides or after.s[RANDOM] != self.luck:
            return lead
        if after.s[SEAT] == seat:
            return self.settle(after, lead, low, high, depth)
        return -self.settle(after, -lead, -high, -low, depth)

    def settle(self, world: Position, lead: int, low: int, high: int, depth: int) -> int:
        """Returns the lead of the seat that decides after all exchanges, as far as it is between `low` and `high`."""
        codes, seat = list(world.s[OPTIONS]), world.s[SEAT]
        if not depth or len(codes) > MAX_EXCHANGE_OPTIONS or self.thinking.left <= 0:
            return lead
        better = []
        for code in codes:
            after = world.copy()
            decides = bool(after.step(code))
            self.thinking.spend_steps(1)
            gained = self.thinking.seat_margin(self.thinking.seat_estimates(after), seat)
            if gained > lead:
                better.append((gained, after, decides))
        best = lead if len(better) < len(codes) else -UNLIMITED
        for gained, after, decides in sorted(better, key=lambda one: one[0], reverse=True):
            if best >= high:
                break
            self.thinking.spend_steps(1)
            best = max(best, self.settle_for_seat(after, decides, gained, seat, max(low, best), high, depth - 1))
        return best


def check_best_options(
    thinking: SearchBase, world: Position, edges: Collection[TreeEdge], rank: Callable[[TreeEdge], Any], now: int
) -> None:
    """Checks what the best option of a search costs, then the option that is best because of that, and so on.

    `edges` are the options of the searching seat, ordered by `rank`, and `now` is its present lead. Raises the errors of the rules."""
    exchanges, known, best = ExchangeSearch(thinking, world.s[RANDOM]), set[int](), -UNLIMITED
    while thinking.left > 0:
        edge = max(edges, key=rank)
        if edge.code in known:
            break
        known.add(edge.code)
        lead = exchanges.settle_option(world, edge.code, thinking.seat, best, now)
        edge.loss, best = max(0, now - lead), max(best, lead)
