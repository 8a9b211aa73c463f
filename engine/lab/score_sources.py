"""Where the points of many games come from, in a game that counts them up while it goes on: some of the games are followed decision by
decision, as the score table of one game is (explaining/scoring.py)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ...dsl.backend_c.ffi import Failed
from ...dsl.backend_c.marshal import Unfit
from ...dsl.backend_python.runtime import RuleFault
from ..bots.native import Native
from ..explain.score_breakdown import Has, Ledger
from ..position.position import Game
from .playout import SEEDS, Choosing, Played, Playout

FOLLOWED = 12                        # games: following one takes about as long as playing it at random without C


def sources(game: Game, games: Sequence[Played], bots: Choosing, limit: int, native: Native | None, has: Has) -> dict[str, list[float]]:
    """What each source gave each seat, on the average of the first games that came to an end, by key (`score.harvest`); the largest first.
    Nothing where all points are worked out at the end, or where bots that think would have to do so without C once more."""
    if not any(term.entry is not None for term in game.module.terms):
        return {}
    if native is not None:
        native.wait()
    if set(bots) != {"random"} and (native is None or native.found is None):
        return {}
    found: dict[str, list[float]] = {}
    followed = list(islice((played for played in games if played.ended and played.scores), FOLLOWED))
    for played in followed:
        for part in parts_of(game, played, bots, limit, native).parts(has):
            found.setdefault(part.source, [0.0] * game.players)[part.seat] += part.points / len(followed)
    return dict(sorted(found.items(), key=lambda pair: -sum(pair[1])))


def parts_of(game: Game, played: Played, bots: Choosing, limit: int, native: Native | None) -> Ledger:
    """A game played once more, with a list of what was counted."""
    ledger = Ledger(game, played.seed)
    for code in codes_of(game, played.seed, bots, limit, native):
        ledger.step += 1
        ledger.position.step(code)
    return ledger


def codes_of(game: Game, seed: int, bots: Choosing, limit: int, native: Native | None) -> list[int]:
    """What was chosen in a game, decision by decision."""
    if native is not None and seed in SEEDS:
        try:
            playout = Playout(game, seed, bots, limit)
            playout.played(native)
            return playout.codes
        except (Failed, Unfit, RuleFault):
            pass
    playout = Playout(game, seed, bots, limit)
    playout.played()
    return playout.codes
